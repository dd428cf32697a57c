//! Projections against the definition: for each assignment of the kept symbols, do values of the others exist?

use super::{Precision, Projection, ProjectionGoal, project};
use crate::logic::substitution::symbols;
use crate::logic::{Assignment, FormulaId, Int, Linear, Pool, SymbolId};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use proptest::prelude::*;

/// Kept: x, y. Eliminated: u, v, and the array b.
const NAMES: [&str; 4] = ["x", "y", "u", "v"];

#[derive(Clone, Debug)]
enum Leaf {
    Var(usize),
    Quotient([i64; 4], i64),
    Remainder([i64; 4], i64),
    Read(usize),
    Truth(usize, i64),
}

#[derive(Clone, Debug)]
enum Shape {
    Le(Vec<(i64, Leaf)>, i64),
    Eq(Vec<(i64, Leaf)>, i64),
    Not(Box<Shape>),
    Or(Vec<Shape>),
    And(Vec<Shape>),
}

fn combination(pool: &mut Pool, coefficients: &[i64; 4]) -> Linear {
    let mut sum = Linear::default();
    for (name, c) in NAMES.iter().zip(coefficients) {
        sum = sum.add_scaled(&pool.integer(name), &Int::from(*c));
    }
    sum
}

fn term(pool: &mut Pool, parts: &[(i64, Leaf)], constant: i64) -> Linear {
    let mut sum = Linear::constant(constant);
    for (factor, leaf) in parts {
        let value = match leaf {
            Leaf::Var(at) => pool.integer(NAMES[*at]),
            Leaf::Quotient(c, d) | Leaf::Remainder(c, d) => {
                let n = combination(pool, c);
                let (q, r) = pool.div_rem_trunc(&n, &Linear::constant(*d)).expect("not zero");
                if matches!(leaf, Leaf::Quotient(..)) { q } else { r }
            }
            Leaf::Read(at) => {
                let (array, index) = (pool.array_symbol("b"), pool.integer(NAMES[*at]));
                let written = pool.integer("x");
                let array = if *factor > 1 { pool.store(array, Linear::constant(1), written) } else { array };
                pool.select(array, &index)
            }
            Leaf::Truth(at, limit) => {
                let inner = pool.integer(NAMES[*at]).add_constant(&Int::from(*limit));
                let formula = pool.le(inner);
                pool.truth(formula)
            }
        };
        sum = sum.add_scaled(&value, &Int::from(*factor));
    }
    sum
}

fn build(pool: &mut Pool, shape: &Shape) -> FormulaId {
    match shape {
        Shape::Le(parts, constant) => {
            let term = term(pool, parts, *constant);
            pool.le(term)
        }
        Shape::Eq(parts, constant) => {
            let term = term(pool, parts, *constant);
            pool.equal(&term, &Linear::default())
        }
        Shape::Not(inner) => {
            let inner = build(pool, inner);
            pool.not(inner)
        }
        Shape::Or(parts) => {
            let parts: Vec<FormulaId> = parts.iter().map(|part| build(pool, part)).collect();
            pool.or(&parts)
        }
        Shape::And(parts) => {
            let parts: Vec<FormulaId> = parts.iter().map(|part| build(pool, part)).collect();
            pool.and(&parts)
        }
    }
}

fn linear_parts() -> impl Strategy<Value = Vec<(i64, Leaf)>> {
    prop::collection::vec((-5i64..=5, (0usize..4).prop_map(Leaf::Var)), 1..=3)
}

fn parts() -> impl Strategy<Value = Vec<(i64, Leaf)>> {
    let leaf = prop_oneof![
        8 => (0usize..4).prop_map(Leaf::Var),
        1 => (prop::array::uniform4(-2i64..=2), 2i64..=4).prop_map(|(c, d)| Leaf::Quotient(c, d)),
        1 => (prop::array::uniform4(-2i64..=2), -4i64..=-2).prop_map(|(c, d)| Leaf::Remainder(c, d)),
        1 => (0usize..4).prop_map(Leaf::Read),
        1 => (0usize..4, -3i64..=3).prop_map(|(at, limit)| Leaf::Truth(at, limit)),
    ];
    prop::collection::vec((-3i64..=3, leaf), 1..=3)
}

fn literal(parts: impl Strategy<Value = Vec<(i64, Leaf)>> + Clone + 'static) -> impl Strategy<Value = Shape> {
    prop_oneof![
        5 => (parts.clone(), -9i64..=9).prop_map(|(parts, c)| Shape::Le(parts, c)),
        2 => (parts.clone(), -9i64..=9).prop_map(|(parts, c)| Shape::Eq(parts, c)),
        1 => (parts, -9i64..=9).prop_map(|(parts, c)| Shape::Not(Box::new(Shape::Eq(parts, c)))),
    ]
}

fn conjunction() -> impl Strategy<Value = Vec<Shape>> {
    prop::collection::vec(literal(linear_parts().boxed()), 1..=5)
}

fn rich() -> impl Strategy<Value = Vec<Shape>> {
    let shape = literal(parts().boxed()).prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..=3).prop_map(Shape::Or),
            prop::collection::vec(inner.clone(), 2..=3).prop_map(Shape::And),
            inner.prop_map(|inner| Shape::Not(Box::new(inner))),
        ]
    });
    prop::collection::vec(shape, 1..=3)
}

struct Question {
    context: Context,
    conjuncts: Vec<FormulaId>,
    kept: [SymbolId; 2],
    eliminated: Vec<SymbolId>,
}

impl Question {
    fn new(shapes: &[Shape]) -> Question {
        let mut context = Context::new();
        context.query_limit = 5_000;
        let pool = &mut context.pool;
        let kept = [pool.symbol("x"), pool.symbol("y")];
        let eliminated = vec![pool.symbol("u"), pool.symbol("v"), pool.symbol("b")];
        let conjuncts = shapes.iter().map(|shape| build(pool, shape)).collect();
        Question { context, conjuncts, kept, eliminated }
    }

    fn project(&mut self, goal: ProjectionGoal) -> Option<Projection> {
        project(&mut self.context.pool, &self.conjuncts, &self.eliminated, goal, &mut Meter::new(200_000)).ok()
    }

    /// Compares with the solver's answer at points of the kept symbols. Gives how many points were told apart.
    fn compare(&mut self, projections: &[Projection]) -> Result<usize, TestCaseError> {
        let mut compared = 0;
        for projection in projections {
            let left = symbols(&self.context.pool, &[projection.formula]);
            prop_assert!(self.eliminated.iter().all(|symbol| !left.contains(symbol)), "an eliminated symbol is left");
        }
        for &formula in &self.conjuncts {
            self.context.assert(formula);
        }
        for x in [-7, -3, -2, -1, 0, 1, 2, 4, 9] {
            for y in [-8, -3, -1, 0, 1, 2, 3, 5] {
                let mut point = Assignment::default();
                self.context.push();
                for (symbol, value) in self.kept.into_iter().zip([x, y]) {
                    let name = self.context.pool.symbol_name(symbol).to_owned();
                    let atom = self.context.pool.integer(&name);
                    let fixed = self.context.pool.equal(&atom, &Linear::constant(value));
                    self.context.assert(fixed);
                    point.integers.insert(symbol, Int::from(value));
                }
                let exists = match self.context.check(&mut Meter::new(1_000_000)) {
                    Answer::Sat(_) => Some(true),
                    Answer::Unsat(_) => Some(false),
                    Answer::Unknown(_) => None,
                };
                self.context.pop();
                let Some(exists) = exists else { continue };
                for projection in projections {
                    let holds = point.formula(&self.context.pool, projection.formula).expect("no division by zero");
                    compared += 1;
                    match projection.precision {
                        Precision::Exact => prop_assert_eq!(holds, exists, "exact at x = {}, y = {}", x, y),
                        Precision::Over => prop_assert!(holds || !exists, "over at x = {}, y = {}", x, y),
                        Precision::Under => prop_assert!(!holds || exists, "under at x = {}, y = {}", x, y),
                    }
                }
            }
        }
        Ok(compared)
    }
}

fn agrees(shapes: &[Shape]) -> Result<(), TestCaseError> {
    let mut question = Question::new(shapes);
    let goals = [ProjectionGoal::Exact, ProjectionGoal::Over, ProjectionGoal::Under];
    let projections: Vec<Projection> = goals.iter().filter_map(|&goal| question.project(goal)).collect();
    question.compare(&projections)?;
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(96)))]

    #[test]
    fn linear_conjunctions_agree_with_the_definition(shapes in conjunction()) {
        agrees(&shapes)?;
    }

    #[test]
    fn formulas_agree_with_the_definition(shapes in rich()) {
        agrees(&shapes)?;
    }

    /// The oracle here is no solver: all values of u and v in a box that is part of the problem.
    #[test]
    fn boxes_agree_with_trying_all_values(shapes in conjunction()) {
        let mut question = Question::new(&shapes);
        let pool = &mut question.context.pool;
        for name in ["u", "v"] {
            let atom = pool.integer(name);
            question.conjuncts.extend([pool.at_most(&atom, &Linear::constant(5)), pool.at_most(&Linear::constant(-5), &atom)]);
        }
        let Some(projection) = question.project(ProjectionGoal::Exact) else { return Ok(()) };
        prop_assert_ne!(projection.precision, Precision::Under);
        for (x, y) in (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x, y))) {
            let mut point = Assignment::default();
            point.integers.extend(question.kept.into_iter().zip([Int::from(x), Int::from(y)]));
            let holds = point.formula(&question.context.pool, projection.formula).expect("no division by zero");
            let exists = (-5i64..=5).flat_map(|u| (-5i64..=5).map(move |v| (u, v))).any(|(u, v)| {
                let mut inner = point.clone();
                inner.integers.extend(question.eliminated.iter().copied().zip([Int::from(u), Int::from(v)]));
                question.conjuncts.iter().all(|&formula| inner.formula(&question.context.pool, formula) == Some(true))
            });
            if projection.precision == Precision::Exact {
                prop_assert_eq!(holds, exists, "at x = {}, y = {}", x, y);
            } else {
                prop_assert!(holds || !exists, "at x = {}, y = {}", x, y);
            }
        }
    }
}

// Cases by hand.

fn le(parts: &[(i64, usize)], constant: i64) -> Shape {
    Shape::Le(parts.iter().map(|&(c, at)| (c, Leaf::Var(at))).collect(), constant)
}

fn eq(parts: &[(i64, usize)], constant: i64) -> Shape {
    Shape::Eq(parts.iter().map(|&(c, at)| (c, Leaf::Var(at))).collect(), constant)
}

const X: usize = 0;
const Y: usize = 1;
const U: usize = 2;
const V: usize = 3;

/// The precisions of all three, after comparing each with the definition.
fn precisions(shapes: &[Shape]) -> [Precision; 3] {
    let mut question = Question::new(shapes);
    let projections =
        [ProjectionGoal::Exact, ProjectionGoal::Over, ProjectionGoal::Under].map(|goal| question.project(goal).expect("few steps"));
    let compared = question.compare(&projections).expect("as defined");
    assert!(compared > 40, "points are compared");
    projections.map(|projection| projection.precision)
}

const ALL_EXACT: [Precision; 3] = [Precision::Exact; 3];
const EACH_ITS_OWN: [Precision; 3] = [Precision::Exact, Precision::Over, Precision::Under];

fn formula_of(shapes: &[Shape]) -> FormulaId {
    Question::new(shapes).project(ProjectionGoal::Exact).expect("few steps").formula
}

#[test]
fn unit_coefficients_are_exact() {
    assert_eq!(precisions(&[le(&[(1, X), (-1, U)], 0), le(&[(1, U), (-1, Y)], 3)]), ALL_EXACT);
    assert_eq!(precisions(&[le(&[(1, X), (-1, U)], 0), le(&[(3, U), (-2, Y)], 1)]), ALL_EXACT);
    assert_eq!(precisions(&[eq(&[(1, U), (-1, X)], -1), le(&[(2, U), (1, Y)], 0)]), ALL_EXACT);
}

#[test]
fn the_shadows_differ_between_multiples() {
    // 3u ≤ x ≤ 3u + 1: x mod 3 is 0 or 1.
    assert_eq!(precisions(&[le(&[(3, U), (-1, X)], 0), le(&[(1, X), (-3, U)], -1)]), EACH_ITS_OWN);
    // Pugh's example: real solutions, no whole ones.
    let shapes = [le(&[(-11, U), (-13, V)], 27), le(&[(11, U), (13, V)], -45), le(&[(-7, U), (9, V)], -10), le(&[(7, U), (-9, V)], -4)];
    let mut question = Question::new(&shapes);
    assert_eq!(question.project(ProjectionGoal::Exact), Some(Projection { formula: Pool::FALSE, precision: Precision::Exact }));
    assert_eq!(question.project(ProjectionGoal::Over), Some(Projection { formula: Pool::TRUE, precision: Precision::Over }));
    // The gap is wide enough: 2u ≤ x ≤ 2u + 1 always.
    assert_eq!(formula_of(&[le(&[(2, U), (-1, X)], 0), le(&[(1, X), (-2, U)], -1)]), Pool::TRUE);
}

#[test]
fn equalities_leave_divisibility() {
    let shapes = [eq(&[(6, U), (-2, X), (4, Y)], 0)];
    assert_eq!(precisions(&shapes), ALL_EXACT);
    // 6 | 2x - 4y is 3 | x - 2y, that is 3 | x + y.
    let mut question = Question::new(&shapes);
    let found = question.project(ProjectionGoal::Exact).expect("few steps").formula;
    let pool = &mut question.context.pool;
    let sum = pool.integer("x").add(&pool.integer("y"));
    let (_, remainder) = pool.div_rem_trunc(&sum, &Linear::constant(3)).expect("not zero");
    let other = pool.div_rem_trunc(&sum.neg(), &Linear::constant(3)).expect("not zero").1;
    let expected = [pool.equal(&remainder, &Linear::default()), pool.equal(&other, &Linear::default())];
    assert!(expected.contains(&found));
    // gcd(6, 4) = 2 | x; gcd(6, 15) = 3.
    assert_eq!(precisions(&[eq(&[(6, U), (4, V), (1, X)], 0), le(&[(1, U), (-1, Y)], 0)]), ALL_EXACT);
    assert_eq!(precisions(&[eq(&[(6, U), (-15, V), (1, X)], 2)]), ALL_EXACT);
    assert_eq!(formula_of(&[eq(&[(6, U), (4, V)], 1)]), Pool::FALSE);
    assert_eq!(formula_of(&[eq(&[(6, U), (5, V), (1, X)], 1)]), Pool::TRUE);
}

#[test]
fn projections_can_be_projected() {
    // rem(2u + x, 4) = 0: x is even.
    let divisible = Shape::Eq(vec![(1, Leaf::Remainder([1, 0, 2, 0], 4))], 0);
    assert_eq!(precisions(std::slice::from_ref(&divisible)), ALL_EXACT);
    assert_eq!(
        precisions(&[Shape::Not(Box::new(divisible)), le(&[(1, U), (-1, Y)], 0)]),
        [Precision::Exact, Precision::Over, Precision::Exact]
    );
    assert_eq!(
        precisions(&[Shape::Eq(vec![(1, Leaf::Quotient([0, 0, 1, 0], 3)), (-1, Leaf::Var(X))], 0), eq(&[(1, U), (-1, Y)], 0)])[0],
        Precision::Exact
    );
}

#[test]
fn without_bounds_nothing_is_left() {
    assert_eq!(formula_of(&[le(&[(5, U), (-3, X)], 0)]), Pool::TRUE);
    assert_eq!(formula_of(&[le(&[(5, U), (-3, X)], 0), Shape::Not(Box::new(eq(&[(2, U), (1, Y)], 0)))]), Pool::TRUE);
    assert_eq!(formula_of(&[le(&[(1, U)], 1), le(&[(-1, U)], 0)]), Pool::FALSE);
    assert_eq!(formula_of(&[]), Pool::TRUE);
    let mut pool = Pool::new();
    let result = project(&mut pool, &[Pool::FALSE], &[], ProjectionGoal::Under, &mut Meter::new(100));
    assert_eq!(result, Ok(Projection { formula: Pool::FALSE, precision: Precision::Exact }));
}

#[test]
fn truth_values_are_eliminated() {
    let mut pool = Pool::new();
    let (p, q) = (pool.boolean("p"), pool.boolean("q"));
    let (not, p_symbol) = (pool.not(p), pool.symbol("p"));
    let either = pool.or(&[p, q]);
    let mut run = |conjuncts: &[FormulaId]| project(&mut pool, conjuncts, &[p_symbol], ProjectionGoal::Exact, &mut Meter::new(1000));
    assert_eq!(run(&[either, not]), Ok(Projection { formula: q, precision: Precision::Exact }));
    assert_eq!(run(&[either]), Ok(Projection { formula: Pool::TRUE, precision: Precision::Exact }));
    assert_eq!(run(&[p, not]), Ok(Projection { formula: Pool::FALSE, precision: Precision::Exact }));
}

#[test]
fn definitions_reach_inside_atoms() {
    // u = x + 1, a[u] = 5, u·y ≤ 3 keeps a[x + 1] = 5 and (x + 1)·y ≤ 3.
    let mut pool = Pool::new();
    let (x, y, u, a) = (pool.integer("x"), pool.integer("y"), pool.integer("u"), pool.array_symbol("a"));
    let next = x.add_constant(&Int::ONE);
    let defined = pool.equal(&u, &next);
    let statements = |pool: &mut Pool, at: &Linear| {
        let (read, product) = (pool.select(a, at), pool.product(at, &y));
        [pool.equal(&read, &Linear::constant(5)), pool.at_most(&product, &Linear::constant(3))]
    };
    let before = statements(&mut pool, &u);
    let after = statements(&mut pool, &next);
    let symbol = pool.symbol("u");
    let result = project(&mut pool, &[defined, before[0], before[1]], &[symbol], ProjectionGoal::Under, &mut Meter::new(1000));
    assert_eq!(result, Ok(Projection { formula: pool.and(&after), precision: Precision::Exact }));
    // Without the definition: some element is 5, which no formula says.
    let mut run = |goal| project(&mut pool, &[before[0]], &[symbol], goal, &mut Meter::new(1000));
    assert_eq!(run(ProjectionGoal::Exact), Ok(Projection { formula: Pool::TRUE, precision: Precision::Over }));
    assert_eq!(run(ProjectionGoal::Under), Ok(Projection { formula: Pool::FALSE, precision: Precision::Under }));
}

#[test]
fn eliminated_arrays_leave_congruence() {
    // b[x] ≤ 0, b[y] ≥ 1 leaves x ≠ y, also where x is known by another name only.
    let mut pool = Pool::new();
    let (x, y, u, b) = (pool.integer("x"), pool.integer("y"), pool.integer("u"), pool.array_symbol("b"));
    let (low, high) = (pool.select(b, &u), pool.select(b, &y));
    let conjuncts = [pool.le(low), pool.at_most(&Linear::constant(1), &high), pool.equal(&u, &x)];
    let symbols = [pool.symbol("u"), pool.symbol("b")];
    let result = project(&mut pool, &conjuncts, &symbols, ProjectionGoal::Exact, &mut Meter::new(1000)).expect("few steps");
    assert_eq!(result.precision, Precision::Exact);
    for (values, expected) in [([1, 1], false), ([1, 2], true)] {
        let mut point = Assignment::default();
        point.integers.extend([pool.symbol("x"), pool.symbol("y")].into_iter().zip(values.map(Int::from)));
        assert_eq!(point.formula(&pool, result.formula), Some(expected));
    }
}

#[test]
fn congruence_holds_of_elements_in_the_facts() {
    // b[y] = z and b[x] = 1 with b eliminated: where x = y, z is 1. The element of the first read is replaced before the second is seen.
    let mut pool = Pool::new();
    let (x, y, z, b) = (pool.integer("x"), pool.integer("y"), pool.integer("z"), pool.array_symbol("b"));
    let (first, second) = (pool.select(b, &y), pool.select(b, &x));
    let symbol = pool.symbol("b");
    for swapped in [false, true] {
        let mut conjuncts = [pool.equal(&first, &z), pool.equal(&second, &Linear::constant(1))];
        if swapped {
            conjuncts.reverse();
        }
        let result = project(&mut pool, &conjuncts, &[symbol], ProjectionGoal::Exact, &mut Meter::new(1000)).expect("few steps");
        assert_eq!(result.precision, Precision::Exact);
        for (values, expected) in [([3, 3, 0], false), ([3, 3, 1], true), ([3, 4, 0], true)] {
            let mut point = Assignment::default();
            point.integers.extend(["x", "y", "z"].map(|name| pool.symbol(name)).into_iter().zip(values.map(Int::from)));
            assert_eq!(point.formula(&pool, result.formula), Some(expected), "{values:?}");
        }
    }
}

#[test]
fn many_cases_are_bounded() {
    // 2^10 combinations of disequalities, each between bounds: more than are told apart.
    let mut shapes: Vec<Shape> = (-5..5).map(|c| Shape::Not(Box::new(eq(&[(1, U), (1, V)], 2 * c)))).collect();
    shapes.extend([
        le(&[(1, U), (1, V), (-1, X)], 0),
        le(&[(-1, U), (-1, V), (1, Y)], 0),
        le(&[(3, U), (-7, V)], 2),
        le(&[(-5, U), (3, V)], 1),
    ]);
    let mut question = Question::new(&shapes);
    let projections: Vec<Projection> =
        [ProjectionGoal::Exact, ProjectionGoal::Over, ProjectionGoal::Under].iter().filter_map(|&goal| question.project(goal)).collect();
    question.compare(&projections).expect("as defined");
    // And steps are.
    let result = project(&mut question.context.pool, &question.conjuncts, &question.eliminated, ProjectionGoal::Exact, &mut Meter::new(10));
    assert!(result.is_err());
}

#[test]
fn large_coefficients_stay_exact() {
    // A wrap at 2^32: u = x - 2^32·v, 0 ≤ u < 2^32 is always possible; u = y too: 2^32 | x - y.
    let two_32 = 1i64 << 32;
    let shapes = [eq(&[(1, U), (-1, X), (two_32, V)], 0), le(&[(-1, U)], 0), le(&[(1, U)], 1 - two_32)];
    let result = Question::new(&shapes).project(ProjectionGoal::Exact).expect("few steps");
    assert_eq!((result.formula, result.precision), (Pool::TRUE, Precision::Exact));
    assert_eq!(precisions(&[shapes[0].clone(), shapes[1].clone(), shapes[2].clone(), eq(&[(1, U), (-1, Y)], 0)]), ALL_EXACT);
}
