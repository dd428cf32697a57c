//! Interpolants of random contradictions, each confirmed by two queries.

use super::{InterpolationObstacle, by_projection, confirm, interpolate};
use crate::logic::{FormulaId, Int, Linear, Pool};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, certificate::Certificate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// `Σ cᵢ·vᵢ + constant` at most, equal or not equal to 0; of the variables x, y and one of its side's own. A read stands
/// for `a[x]` or `a[own]`.
type Constraint = (u8, [i64; 3], i64, u8);

fn constraint(pool: &mut Pool, own: &str, (kind, coefficients, constant, read): Constraint) -> FormulaId {
    let mut sum = Linear::constant(constant);
    let array = pool.array_symbol("a");
    for (name, c) in ["x", "y", own].iter().zip(coefficients) {
        sum = sum.add_scaled(&pool.integer(name), &Int::from(c));
    }
    if read > 0 {
        let index = pool.integer(if read == 1 { "x" } else { own });
        sum = sum.add(&pool.select(array, &index));
    }
    match kind {
        0..=3 => pool.le(sum),
        4 => pool.equal(&sum, &Linear::default()),
        _ => {
            let equal = pool.equal(&sum, &Linear::default());
            pool.not(equal)
        }
    }
}

/// A disjunction of one or two constraints.
type Clause = (Constraint, Option<Constraint>);

fn clause(pool: &mut Pool, own: &str, (first, second): Clause) -> FormulaId {
    let first = constraint(pool, own, first);
    let second = second.map_or(Pool::FALSE, |second| constraint(pool, own, second));
    pool.or(&[first, second])
}

fn constraints(reads: u8) -> impl Strategy<Value = Constraint> + Clone {
    (0u8..6, prop::array::uniform3(-3i64..=3), -8i64..=8, 0..=reads)
}

fn problem(reads: u8, disjunctive: bool) -> impl Strategy<Value = [Vec<Clause>; 2]> {
    let second = if disjunctive { prop::option::of(constraints(reads)).boxed() } else { Just(None).boxed() };
    prop::array::uniform2(prop::collection::vec((constraints(reads), second), 2..=6))
}

struct Contradiction {
    pool: Pool,
    a: Vec<FormulaId>,
    b: Vec<FormulaId>,
    certificate: Certificate,
}

/// The problem's formulas, where the solver refutes them.
fn contradiction([a, b]: &[Vec<Clause>; 2]) -> Option<Contradiction> {
    let mut context = Context::new();
    context.query_limit = 2_000;
    let mut formulas = [Vec::new(), Vec::new()];
    for (side, (clauses, own)) in [(a, "u"), (b, "v")].into_iter().enumerate() {
        for part in clauses {
            let formula = clause(&mut context.pool, own, *part);
            context.assert(formula);
            formulas[side].push(formula);
        }
    }
    let Answer::Unsat(refutation) = context.check(&mut Meter::new(1_000_000)) else { return None };
    let [a, b] = formulas;
    Some(Contradiction { pool: context.pool, a, b, certificate: refutation.certificate })
}

impl Contradiction {
    fn interpolant(&mut self) -> Result<FormulaId, InterpolationObstacle> {
        interpolate(&mut self.pool, &self.a, &self.b, &self.certificate, &mut Meter::new(1_000_000))
    }

    fn confirm(&self, interpolant: FormulaId) -> Option<bool> {
        confirm(&self.pool, &self.a, &self.b, interpolant, &mut Meter::new(6_000)).ok().flatten()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(64)))]
    #[test]
    fn interpolants_have_their_properties(problem in problem(0, true)) {
        if let Some(mut found) = contradiction(&problem) {
            match found.interpolant() {
                Ok(interpolant) => prop_assert_ne!(found.confirm(interpolant), Some(false)),
                Err(why) => prop_assert!(matches!(why, InterpolationObstacle::Mixed | InterpolationObstacle::Division), "{:?}", why),
            }
        }
    }

    #[test]
    fn with_arrays_too(problem in problem(2, true)) {
        if let Some(mut found) = contradiction(&problem) {
            match found.interpolant() {
                Ok(interpolant) => prop_assert_ne!(found.confirm(interpolant), Some(false)),
                Err(why) => prop_assert!(matches!(why, InterpolationObstacle::Mixed | InterpolationObstacle::Division), "{:?}", why),
            }
        }
    }

    #[test]
    fn projections_are_interpolants(problem in problem(0, false)) {
        if let Some(mut found) = contradiction(&problem) {
            let strongest = by_projection(&mut found.pool, &found.a, &found.b, &mut Meter::new(5_000));
            if let Ok(Some(strongest)) = strongest {
                prop_assert_ne!(found.confirm(strongest), Some(false));
            }
        }
    }
}

/// Of 60 contradictions: how many give an interpolant, are confirmed, and have one by projection.
fn share(reads: u8, disjunctive: bool) -> [usize; 4] {
    let mut runner = TestRunner::deterministic();
    let strategy = problem(reads, disjunctive);
    let [mut all, mut given, mut confirmed, mut projected] = [0; 4];
    while all < 60 {
        let problem = strategy.new_tree(&mut runner).expect("a problem").current();
        let Some(mut found) = contradiction(&problem) else { continue };
        all += 1;
        if let Ok(interpolant) = found.interpolant() {
            given += 1;
            confirmed += usize::from(found.confirm(interpolant) == Some(true));
        }
        let strongest = by_projection(&mut found.pool, &found.a, &found.b, &mut Meter::new(5_000));
        projected += usize::from(matches!(strongest, Ok(Some(_))));
    }
    [all, given, confirmed, projected]
}

#[test]
fn most_contradictions_have_one() {
    let [all, given, confirmed, projected] = share(0, false);
    assert!(given * 10 >= all * 9 && confirmed * 10 >= given * 9 && projected * 10 >= all * 8, "{:?}", [all, given, confirmed, projected]);
    let [all, given, confirmed, _] = share(0, true);
    assert!(given * 10 >= all * 9 && confirmed * 10 >= given * 9, "{:?}", [all, given, confirmed]);
    let [all, given, confirmed, _] = share(2, true);
    assert!(given * 10 >= all * 7 && confirmed * 10 >= given * 9, "{:?}", [all, given, confirmed]);
}

// By hand.

fn refute(build: impl Fn(&mut Pool) -> [Vec<FormulaId>; 2]) -> Contradiction {
    let mut context = Context::new();
    let [a, b] = build(&mut context.pool);
    a.iter().chain(&b).for_each(|&formula| {
        context.assert(formula);
    });
    let Answer::Unsat(refutation) = context.check(&mut Meter::new(100_000)) else { unreachable!("a contradiction") };
    Contradiction { pool: context.pool, a, b, certificate: refutation.certificate }
}

#[test]
fn a_chain_gives_its_middle() {
    // x ≤ u ≤ y against y + 1 ≤ v ≤ x: x ≤ y.
    let mut found = refute(|pool| {
        let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.integer(name));
        [vec![pool.at_most(&x, &u), pool.at_most(&u, &y)], vec![pool.less(&y, &v), pool.at_most(&v, &x)]]
    });
    let (x, y) = (found.pool.integer("x"), found.pool.integer("y"));
    let expected = found.pool.at_most(&x, &y);
    assert_eq!(found.interpolant(), Ok(expected));
    assert_eq!(by_projection(&mut found.pool, &found.a, &found.b, &mut Meter::new(1000)), Ok(Some(expected)));
}

#[test]
fn one_side_may_contradict_itself() {
    let build = |pool: &mut Pool, name: &str| {
        let own = pool.integer(name);
        vec![pool.le(own.add_constant(&Int::ONE)), pool.le(own.neg())]
    };
    assert_eq!(refute(|pool| [build(pool, "u"), vec![]]).interpolant(), Ok(Pool::FALSE));
    assert_eq!(refute(|pool| [vec![], build(pool, "u")]).interpolant(), Ok(Pool::TRUE));
    assert_eq!(refute(|_| [vec![Pool::FALSE], vec![]]).interpolant(), Ok(Pool::FALSE));
    assert_eq!(refute(|_| [vec![], vec![Pool::FALSE]]).interpolant(), Ok(Pool::TRUE));
    // A formula and its negation.
    let mut found = refute(|pool| {
        let p = pool.boolean("p");
        [vec![p], vec![pool.not(p)]]
    });
    let p = found.pool.boolean("p");
    assert_eq!(found.interpolant(), Ok(p));
}

#[test]
fn what_does_not_refute_gives_none() {
    let mut found = refute(|pool| {
        let x = pool.integer("x");
        [vec![pool.le(x.add_constant(&Int::ONE))], vec![pool.le(x.neg())]]
    });
    found.certificate.lines.clear();
    assert_eq!(found.interpolant(), Err(InterpolationObstacle::Certificate));
    let result = interpolate(&mut found.pool, &found.a, &found.b, &found.certificate, &mut Meter::new(0));
    assert!(matches!(result, Err(InterpolationObstacle::Certificate | InterpolationObstacle::Exhausted(_))));
}

#[test]
fn a_confirmation_can_fail() {
    let mut found = refute(|pool| {
        let x = pool.integer("x");
        [vec![pool.le(x.add_constant(&Int::ONE))], vec![pool.le(x.neg())]]
    });
    let (foreign, weak) = (found.pool.integer("w"), found.pool.integer("x"));
    let (foreign, weak) = (found.pool.le(foreign), found.pool.at_most(&weak, &Linear::constant(5)));
    assert_eq!(found.confirm(foreign), Some(false));
    assert_eq!(found.confirm(weak), Some(false));
    assert_eq!(found.confirm(found.a[0]), Some(true));
}
