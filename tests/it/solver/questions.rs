//! Questions made of several checks, and reuse of answers, against the plain check and against brute force.

use crate::common::cases;
use culdesac::logic::{Assignment, FormulaId, Int, Linear, Pool};
use culdesac::solver::meter::Meter;
use culdesac::solver::reuse::independent;
use culdesac::solver::{Answer, Context, check};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const STEPS: u64 = 200_000;
const BOX: i64 = 2;

/// `Σ c x + k ⋈ 0` over three symbols, `⋈` one of `≤`, `=`, `≠`; two of them joined by `∨` where `second` is given.
#[derive(Clone, Debug)]
struct Condition {
    first: ([i64; 3], i64, u8),
    second: Option<([i64; 3], i64, u8)>,
}

fn condition() -> impl Strategy<Value = Condition> {
    let part = || (prop::array::uniform3(-2i64..3), -3i64..4, 0u8..3);
    (part(), prop::option::weighted(0.3, part())).prop_map(|(first, second)| Condition { first, second })
}

fn formula(pool: &mut Pool, condition: &Condition) -> FormulaId {
    let atom = |pool: &mut Pool, (coefficients, constant, relation): &([i64; 3], i64, u8)| {
        let mut term = Linear::constant(*constant);
        for (name, c) in ["x", "y", "z"].iter().zip(coefficients) {
            term = term.add(&pool.integer(name).scale(&Int::from(*c)));
        }
        let zero = Linear::constant(0);
        match relation {
            0 => pool.at_most(&term, &zero),
            1 => pool.equal(&term, &zero),
            _ => {
                let equal = pool.equal(&term, &zero);
                pool.not(equal)
            }
        }
    };
    let first = atom(pool, &condition.first);
    match &condition.second {
        None => first,
        Some(second) => {
            let second = atom(pool, second);
            pool.or(&[first, second])
        }
    }
}

/// `-BOX ≤ x, y, z ≤ BOX`.
fn in_box(pool: &mut Pool) -> Vec<FormulaId> {
    let mut bounds = Vec::new();
    for name in ["x", "y", "z"] {
        let symbol = pool.integer(name);
        bounds.push(pool.at_most(&symbol, &Linear::constant(BOX)));
        bounds.push(pool.at_most(&Linear::constant(-BOX), &symbol));
    }
    bounds
}

fn points(pool: &mut Pool) -> Vec<Assignment> {
    let symbols = ["x", "y", "z"].map(|name| pool.symbol(name));
    let range = || -BOX..=BOX;
    let all = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z])));
    all.map(|values| {
        let integers = symbols.into_iter().zip(values).map(|(symbol, value)| (symbol, Int::from(value))).collect();
        Assignment { integers, ..Assignment::default() }
    })
    .collect()
}

fn holds(pool: &Pool, point: &Assignment, formulas: &[FormulaId]) -> bool {
    formulas.iter().all(|&formula| point.formula(pool, formula) == Some(true))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    /// All combinations of truth values, each once, nothing else; and afterwards the assertions are as before.
    #[test]
    fn all_solutions_are_all(asserted in prop::collection::vec(condition(), 0..4), watched in prop::collection::vec(condition(), 1..4)) {
        let mut context = Context::new();
        let mut assertions = in_box(&mut context.pool);
        assertions.extend(asserted.iter().map(|c| formula(&mut context.pool, c)));
        let watched: Vec<FormulaId> = watched.iter().map(|c| formula(&mut context.pool, c)).collect();
        assertions.iter().for_each(|&f| { context.assert(f); });
        let mut found = Vec::new();
        let outcome = context.all_solutions(&watched, &mut Meter::new(STEPS), &mut |values| {
            found.push(values.to_vec());
            ControlFlow::Continue(())
        });
        prop_assert_eq!(outcome, Ok(()));
        let unique: BTreeSet<Vec<bool>> = found.iter().cloned().collect();
        prop_assert_eq!(unique.len(), found.len());
        let expected: BTreeSet<Vec<bool>> = points(&mut context.pool)
            .iter()
            .filter(|point| holds(&context.pool, point, &assertions))
            .map(|point| watched.iter().map(|&f| point.formula(&context.pool, f) == Some(true)).collect())
            .collect();
        prop_assert_eq!(unique, expected);
        prop_assert_eq!(context.assertions(), &assertions[..]);
    }

    /// Assumptions decide like assertions, a minimal core refutes and does so with nothing to spare.
    #[test]
    fn assumptions_and_minimal_cores(conditions in prop::collection::vec(condition(), 1..9)) {
        let mut context = Context::new();
        let bounds = in_box(&mut context.pool);
        let conditions: Vec<FormulaId> = conditions.iter().map(|c| formula(&mut context.pool, c)).collect();
        bounds.iter().for_each(|&f| { context.assert(f); });
        let satisfiable = |pool: &mut Pool, formulas: &[FormulaId]| points(pool).iter().any(|point| holds(pool, point, formulas));
        let mut meter = Meter::new(STEPS);
        let all: Vec<FormulaId> = bounds.iter().chain(&conditions).copied().collect();
        let expected = satisfiable(&mut context.pool, &all);
        let answer = context.check_assuming(&conditions, &mut meter);
        prop_assert_eq!(matches!(answer, Answer::Sat(_)), expected);
        prop_assert_eq!(context.assertions(), &bounds[..]);
        conditions.iter().for_each(|&f| { context.assert(f); });
        let independently = context.check_independent(&mut meter);
        prop_assert_eq!(matches!(independently, Answer::Sat(_)), expected);
        if let Answer::Unsat(refutation) = context.check(&mut meter) {
            let core = context.minimal_core(&refutation, &mut meter);
            prop_assert!(core.is_minimal);
            let formulas: Vec<FormulaId> = core.refutation.core.iter().map(|&position| all[position]).collect();
            prop_assert_eq!(check::check(&context.pool, &formulas, &core.refutation.certificate), Ok(()));
            for left_out in 0..formulas.len() {
                let mut fewer = formulas.clone();
                fewer.remove(left_out);
                let mut alone = Context::new();
                alone.pool = context.pool.clone();
                prop_assert!(matches!(alone.check_assuming(&fewer, &mut meter), Answer::Sat(_)));
            }
        }
    }

    /// Models kept from earlier answers change no verdict, through pushes and pops.
    #[test]
    fn reuse_changes_no_verdict(moves in prop::collection::vec((condition(), any::<bool>()), 1..14)) {
        let mut context = Context::new();
        let bounds = in_box(&mut context.pool);
        bounds.iter().for_each(|&f| { context.assert(f); });
        for (condition, pop) in moves {
            if pop {
                context.pop();
                if context.assertions().is_empty() { break; }
            }
            let formula = formula(&mut context.pool, &condition);
            context.push();
            context.assert(formula);
            let assertions = context.assertions().to_vec();
            let expected = points(&mut context.pool).iter().any(|point| holds(&context.pool, point, &assertions));
            match context.check(&mut Meter::new(STEPS)) {
                Answer::Sat(model) => {
                    prop_assert!(expected);
                    prop_assert!(holds(&context.pool, &model, &assertions));
                }
                Answer::Unsat(_) => prop_assert!(!expected),
                Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
            }
        }
    }

    /// Groups partition the formulas, and no symbol stands in two of them.
    #[test]
    fn groups_share_nothing(conditions in prop::collection::vec(condition(), 1..8)) {
        let mut pool = Pool::new();
        let formulas: Vec<FormulaId> = conditions.iter().map(|c| formula(&mut pool, c)).collect();
        let groups = independent(&pool, &formulas);
        let mut positions: Vec<usize> = groups.concat();
        positions.sort_unstable();
        prop_assert_eq!(positions, (0..formulas.len()).collect::<Vec<_>>());
        let symbols = |group: &Vec<usize>| {
            let members: Vec<FormulaId> = group.iter().map(|&at| formulas[at]).collect();
            culdesac::logic::Mentions::of(&pool, &members, &[]).symbols
        };
        for (at, group) in groups.iter().enumerate() {
            prop_assert!(groups[at + 1..].iter().all(|other| symbols(group).is_disjoint(&symbols(other))));
        }
    }
}

/// Earlier preferences come first: of `x ≤ 3`, `x ≥ 5` and `x = 2` the first and the last can hold together.
#[test]
fn preferred_formulas_hold_where_they_can() {
    let mut context = Context::new();
    let x = context.pool.integer("x");
    let small = context.pool.at_most(&x, &Linear::constant(3));
    let large = context.pool.at_most(&Linear::constant(5), &x);
    let two = context.pool.equal(&x, &Linear::constant(2));
    for (preferred, expected) in [(vec![small, large, two], vec![true, false, true]), (vec![large, small, two], vec![true, false, false])] {
        context.prefer(&preferred);
        let Answer::Sat(model) = context.check(&mut Meter::new(STEPS)) else { panic!("satisfiable") };
        let values: Vec<bool> = preferred.iter().map(|&f| model.formula(&context.pool, f) == Some(true)).collect();
        assert_eq!(values, expected);
    }
}

/// A model from when less was possible is no answer where preferences ask for more.
#[test]
fn preferences_survive_a_pop() {
    let mut context = Context::new();
    let x = context.pool.integer("x");
    let large = context.pool.at_most(&Linear::constant(5), &x);
    let small = context.pool.at_most(&x, &Linear::constant(3));
    context.prefer(&[large]);
    context.push();
    context.assert(small);
    assert!(matches!(context.check(&mut Meter::new(STEPS)), Answer::Sat(_)));
    context.pop();
    let Answer::Sat(model) = context.check(&mut Meter::new(STEPS)) else { panic!("satisfiable") };
    assert_eq!(model.formula(&context.pool, large), Some(true));
}
