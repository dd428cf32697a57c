//! Optimisation against brute force over small boxes, with the adviser of this build, with none, and with one that lies.

use crate::common::cases;
use culdesac::logic::{Assignment, FormulaId, Int, Linear, Pool};
use culdesac::solver::adviser::{Adviser, AdviserRow, Builtin, NoAdvice, Problem};
use culdesac::solver::meter::Meter;
use culdesac::solver::optimise::{Extreme, minimise, range, smallest_witness};
use culdesac::solver::{Answer, Context};
use proptest::prelude::*;

const NAMES: [&str; 3] = ["x", "y", "z"];
const LOW: i64 = -3;
const HIGH: i64 = 4;

/// `a·x + b·y + c·z + d`
type Term = [i64; 4];

#[derive(Clone, Debug)]
enum Formula {
    Le(Term),
    Eq(Term),
    /// The remainder by 3 is this.
    Remainder(Term, i64),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

fn term(pool: &mut Pool, [a, b, c, d]: &Term) -> Linear {
    NAMES.iter().zip([a, b, c]).fold(Linear::constant(*d), |sum, (name, factor)| sum.add_scaled(&pool.integer(name), &Int::from(*factor)))
}

fn formula(pool: &mut Pool, f: &Formula) -> FormulaId {
    match f {
        Formula::Le(t) => {
            let t = term(pool, t);
            pool.le(t)
        }
        Formula::Eq(t) => {
            let t = term(pool, t);
            pool.equal(&t, &Linear::default())
        }
        Formula::Remainder(t, r) => {
            let t = term(pool, t);
            let (_, remainder) = pool.div_rem_trunc(&t, &Linear::constant(3)).expect("not zero");
            pool.equal(&remainder, &Linear::constant(*r))
        }
        Formula::Not(inner) => {
            let inner = formula(pool, inner);
            pool.not(inner)
        }
        Formula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| formula(pool, part)).collect();
            pool.and(&parts)
        }
        Formula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| formula(pool, part)).collect();
            pool.or(&parts)
        }
    }
}

fn terms() -> impl Strategy<Value = Term> {
    [-3i64..4, -3i64..4, -2i64..3, -7i64..8]
}

fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        4 => terms().prop_map(Formula::Le),
        2 => terms().prop_map(Formula::Eq),
        1 => (terms(), 0i64..3).prop_map(|(t, r)| Formula::Remainder(t, r)),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Not(f.into())),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::And),
            prop::collection::vec(inner, 2..4).prop_map(Formula::Or),
        ]
    })
}

/// A context with these formulas, in the box or without bounds.
fn context(parts: &[Formula], boxed: bool) -> Context {
    let mut context = Context::new();
    for name in NAMES.iter().filter(|_| boxed) {
        let x = context.pool.integer(name);
        for f in [context.pool.at_most(&Linear::constant(LOW), &x), context.pool.at_most(&x, &Linear::constant(HIGH))] {
            context.assert(f);
        }
    }
    for part in parts {
        let f = formula(&mut context.pool, part);
        context.assert(f);
    }
    context
}

/// All points of the box that satisfy the assertions.
fn points(context: &mut Context) -> Vec<[i64; 3]> {
    let ids = NAMES.map(|name| context.pool.symbol(name));
    let mut found = Vec::new();
    for x in LOW..=HIGH {
        for y in LOW..=HIGH {
            for z in LOW..=HIGH {
                let mut assignment = Assignment::default();
                for (id, value) in ids.iter().zip([x, y, z]) {
                    assignment.integers.insert(*id, Int::from(value));
                }
                if context.assertions().iter().all(|&f| assignment.formula(&context.pool, f) == Some(true)) {
                    found.push([x, y, z]);
                }
            }
        }
    }
    found
}

fn apply([a, b, c, d]: &Term, [x, y, z]: &[i64; 3]) -> i64 {
    a * x + b * y + c * z + d
}

/// Says whatever a seed says: nothing, too few values, huge ones, or plausible ones.
struct Liar(u64);

impl Adviser for Liar {
    fn propose(&mut self, problem: &Problem) -> Option<Vec<Int>> {
        let mut next = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as i64
        };
        let kind = next() % 4;
        let columns = if kind == 1 { problem.columns.saturating_sub(1) } else { problem.columns };
        (kind != 0).then(|| (0..columns).map(|_| Int::from(if kind == 2 { next() << 40 } else { next() % 11 - 5 })).collect())
    }
}

fn advisers(seed: u64) -> [Box<dyn Adviser>; 3] {
    [Box::new(Builtin::default()), Box::new(NoAdvice), Box::new(Liar(seed))]
}

const STEPS: u64 = 2_000_000;
/// Without bounds some questions are open for ever.
const FEW_STEPS: u64 = 3_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    /// Least value and range in the box, with every adviser.
    #[test]
    fn optima_agree_with_brute_force(parts in prop::collection::vec(formulas(), 0..5), objective in terms(), seed in any::<u64>()) {
        let mut plain = context(&parts, true);
        let values: Vec<i64> = points(&mut plain).iter().map(|point| apply(&objective, point)).collect();
        let (low, high) = (values.iter().min(), values.iter().max());
        for mut adviser in advisers(seed) {
            let mut context = context(&parts, true);
            let goal = term(&mut context.pool, &objective);
            let before = context.assertions().to_vec();
            let optimum = minimise(&mut context, &goal, &mut *adviser, &mut Meter::new(STEPS));
            prop_assert_eq!(context.assertions(), &before[..]);
            match (optimum, low) {
                (Ok(optimum), Some(&low)) => {
                    prop_assert_eq!(optimum.extreme, Extreme::Proven(Int::from(low)));
                    prop_assert!(before.iter().all(|&f| optimum.model.formula(&context.pool, f) == Some(true)));
                    prop_assert_eq!(optimum.model.linear(&context.pool, &goal), Some(Int::from(low)));
                }
                (Err(Answer::Unsat(_)), None) => {}
                (other, _) => prop_assert!(false, "{other:?} where the least is {low:?}"),
            }
            if let (Some(&low), Some(&high)) = (low, high) {
                let range = range(&mut context, &goal, &mut *adviser, &mut Meter::new(STEPS)).expect("satisfiable");
                prop_assert_eq!((range.low, range.high), (Extreme::Proven(Int::from(low)), Extreme::Proven(Int::from(high))));
            }
        }
    }

    /// The smallest witness is the first of all points by (sum, |x|, x < 0, |y|, …), and the adviser does not matter.
    #[test]
    fn smallest_witnesses_agree_with_brute_force(parts in prop::collection::vec(formulas(), 1..5), seed in any::<u64>()) {
        let key = |point: &[i64; 3]| {
            (point.iter().map(|x| x.abs()).sum::<i64>(), point.map(|x| (x.abs(), x < 0)))
        };
        for mut adviser in advisers(seed) {
            let mut context = context(&parts, true);
            let Answer::Sat(known) = context.check(&mut Meter::new(STEPS)) else { continue };
            let inputs = NAMES.map(|name| context.pool.integer(name));
            let before = context.assertions().to_vec();
            let smallest = smallest_witness(&mut context, &inputs, Assignment::clone(&known), &mut *adviser, &mut Meter::new(STEPS));
            prop_assert_eq!(context.assertions(), &before[..]);
            prop_assert!(before.iter().all(|&f| smallest.model.formula(&context.pool, f) == Some(true)));
            let found = inputs.each_ref().map(|x| smallest.model.linear(&context.pool, x).and_then(|value| value.to_i64()).expect("small"));
            if smallest.proven {
                let best = points(&mut context).into_iter().min_by_key(key);
                prop_assert_eq!(Some(found), best);
            }
            prop_assert!(smallest.proven);
        }
    }

    /// Rows with anything in them, also far beyond what doubles hold: an answer or none, never a panic.
    #[test]
    fn the_adviser_survives_anything(
        rows in prop::collection::vec((prop::collection::vec((0usize..6, any::<i64>(), 0u32..64), 0..6), any::<i64>(), 0u32..64, any::<bool>()), 0..12),
        objective in prop::collection::vec((0usize..6, -3i64..4), 1..4),
    ) {
        let terms = |terms: Vec<(usize, Int)>| {
            let mut sorted = std::collections::BTreeMap::new();
            sorted.extend(terms);
            sorted.into_iter().filter(|(_, c)| !c.is_zero()).collect::<Vec<_>>()
        };
        let rows = rows.into_iter().map(|(row, constant, shift, equality)| AdviserRow {
            terms: terms(row.into_iter().map(|(column, c, shift)| (column, Int::from(c >> shift))).collect()),
            constant: Int::from(constant >> shift),
            equality,
        }).collect();
        let objective = terms(objective.into_iter().map(|(column, c)| (column, Int::from(c))).collect());
        let problem = Problem { columns: 6, rows, objective };
        let proposal = Builtin::default().propose(&problem);
        prop_assert!(proposal.is_none_or(|values| values.len() == 6));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20)))]

    /// Without bounds: what is proven least is not undercut in the box, and what is unbounded really falls below any
    /// value.
    #[test]
    fn unbounded_is_recognised(parts in prop::collection::vec(formulas(), 0..5), objective in terms(), seed in any::<u64>()) {
        let mut verdicts = Vec::new();
        for mut adviser in advisers(seed) {
            let mut context = context(&parts, false);
            let goal = term(&mut context.pool, &objective);
            let Ok(optimum) = minimise(&mut context, &goal, &mut *adviser, &mut Meter::new(FEW_STEPS)) else { continue };
            let below = points(&mut context).iter().map(|point| apply(&objective, point)).min();
            match &optimum.extreme {
                Extreme::Proven(value) => prop_assert!(below.is_none_or(|below| *value <= Int::from(below))),
                Extreme::Unbounded => {
                    let far = context.pool.at_most(&goal, &Linear::constant(-1_000_000));
                    context.push();
                    context.assert(far);
                    prop_assert!(!matches!(context.check(&mut Meter::new(FEW_STEPS)), Answer::Unsat(_)));
                    context.pop();
                }
                Extreme::Reached(..) => {}
            }
            if !matches!(optimum.extreme, Extreme::Reached(..)) {
                verdicts.push(optimum.extreme);
            }
        }
        prop_assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "{verdicts:?}");
    }
}

/// The example of the issue: nothing like `x = -73219`.
#[test]
fn huge_models_become_small() {
    for mut adviser in advisers(1) {
        let mut context = Context::new();
        let (x, y) = (context.pool.integer("x"), context.pool.integer("y"));
        for f in [context.pool.less(&x.sub(&y), &Linear::default()), context.pool.at_most(&Linear::constant(-100_000), &x)] {
            context.assert(f);
        }
        let (a, b) = (context.pool.symbol("x"), context.pool.symbol("y"));
        let mut known = Assignment::default();
        known.integers.extend([(a, Int::from(-73_219)), (b, Int::from(1i64 << 60))]);
        let smallest = smallest_witness(&mut context, &[x, y], known, &mut *adviser, &mut Meter::new(STEPS));
        assert!(smallest.proven);
        assert_eq!((smallest.model.integers[&a].clone(), smallest.model.integers[&b].clone()), (Int::ZERO, Int::ONE));
    }
}

/// Elements of arrays count too, and contents that no term reads are dropped.
#[test]
fn elements_become_small() {
    let mut context = Context::new();
    let array = context.pool.array_symbol("a");
    let i = context.pool.integer("i");
    let (element, first) = (context.pool.select(array, &i), context.pool.select(array, &Linear::default()));
    for f in [context.pool.less(&first, &element), context.pool.less(&Linear::constant(1), &i)] {
        context.assert(f);
    }
    let Answer::Sat(known) = context.check(&mut Meter::new(STEPS)) else { panic!("satisfiable") };
    let smallest = smallest_witness(
        &mut context,
        &[i.clone(), first.clone(), element.clone()],
        Assignment::clone(&known),
        &mut Builtin::default(),
        &mut Meter::new(STEPS),
    );
    assert!(smallest.proven);
    let value = |t: &Linear| smallest.model.linear(&context.pool, t).and_then(|value| value.to_i64());
    assert_eq!([value(&i), value(&first), value(&element)], [Some(2), Some(0), Some(1)]);
    let id = context.pool.clone().symbol("a");
    assert_eq!(smallest.model.arrays[&id].default, Int::ZERO);
}

/// A limit ends the search with the best known, not with a claim.
#[test]
fn a_limit_is_not_a_proof() {
    let parts = [Formula::Le([-3, -5, -2, 7]), Formula::Not(Formula::Eq([1, 1, 1, -2]).into())];
    let mut context = context(&parts, true);
    let Answer::Sat(known) = context.check(&mut Meter::new(STEPS)) else { panic!("satisfiable") };
    let inputs = NAMES.map(|name| context.pool.integer(name));
    let smallest = smallest_witness(&mut context, &inputs, Assignment::clone(&known), &mut NoAdvice, &mut Meter::new(0));
    assert!(!smallest.proven);
    assert!(context.assertions().iter().all(|&f| smallest.model.formula(&context.pool, f) == Some(true)));
}

/// Seeded problems of the largest size that the adviser accepts: it comes back from every one of them.
#[test]
fn the_largest_problems_end() {
    let mut state = 7u64;
    let mut next = |bound: i64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64 % (2 * bound + 1) - bound
    };
    for (filled, coefficient, constant) in [(32, 9, 1000), (8, 9, 1000), (2, 1, 20), (32, 60_000, 200_000_000)] {
        let mut row = |equality| AdviserRow {
            terms: (0..32)
                .filter(|column| column % (32 / filled) == 0)
                .map(|column| (column, Int::from(next(coefficient))))
                .filter(|(_, c)| !c.is_zero())
                .collect(),
            constant: Int::from(next(constant)),
            equality,
        };
        let rows = (0..96).map(|index| row(index % 16 == 0)).collect();
        let objective = (0..32).map(|column| (column, Int::ONE)).collect();
        let problem = Problem { columns: 32, rows, objective };
        let _ = Builtin::default().propose(&problem);
        // Bounded below and satisfiable: by 0 and far away.
        let rows = (problem.rows.iter())
            .map(|row| AdviserRow {
                terms: row.terms.iter().map(|(column, c)| (*column, -c.abs())).collect(),
                constant: row.constant.abs(),
                equality: false,
            })
            .chain((0..32).map(|column| AdviserRow { terms: vec![(column, Int::MINUS_ONE)], constant: Int::ZERO, equality: false }))
            .skip(32)
            .collect();
        let problem = Problem { rows, ..problem };
        let _ = Builtin::default().propose(&problem);
    }
}
