//! The solver against naive oracles: every formula over a small box is also decided by trying all values.

use crate::common::cases;
use culdesac::logic::{ArrayTermId, ArrayValue, Assignment, FormulaId, Int, Linear, Pool};
use culdesac::solver::check::check;
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use proptest::prelude::*;

/// A term as data, so that it can be built in any pool.
#[derive(Clone, Debug)]
enum Term {
    Const(i64),
    Var(u8),
    Add(Box<Term>, Box<Term>),
    Scale(i64, Box<Term>),
    Quotient(Box<Term>, i64),
    Remainder(Box<Term>, i64),
    Product(Box<Term>, Box<Term>),
    Truth(Box<Formula>),
    Read(Vec<(Term, Term)>, Box<Term>),
}

#[derive(Clone, Debug)]
enum Formula {
    Le(Term, Term),
    Eq(Term, Term),
    Bool(u8),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

const NAMES: [&str; 3] = ["x", "y", "z"];

fn term(pool: &mut Pool, t: &Term) -> Linear {
    match t {
        Term::Const(value) => Linear::constant(*value),
        Term::Var(index) => pool.integer(NAMES[*index as usize]),
        Term::Add(l, r) => term(pool, l).add(&term(pool, r)),
        Term::Scale(factor, inner) => term(pool, inner).scale(&Int::from(*factor)),
        Term::Quotient(inner, d) | Term::Remainder(inner, d) => {
            let inner = term(pool, inner);
            let (q, r) = pool.div_rem_trunc(&inner, &Linear::constant(*d)).expect("not zero");
            if matches!(t, Term::Quotient(..)) { q } else { r }
        }
        Term::Product(l, r) => {
            let (l, r) = (term(pool, l), term(pool, r));
            pool.product(&l, &r)
        }
        Term::Truth(f) => {
            let f = formula(pool, f);
            pool.truth(f)
        }
        Term::Read(writes, index) => {
            let mut array: ArrayTermId = pool.array_symbol("a");
            for (at, value) in writes {
                let (at, value) = (term(pool, at), term(pool, value));
                array = pool.store(array, at, value);
            }
            let index = term(pool, index);
            pool.select(array, &index)
        }
    }
}

fn formula(pool: &mut Pool, f: &Formula) -> FormulaId {
    match f {
        Formula::Le(l, r) => {
            let (l, r) = (term(pool, l), term(pool, r));
            pool.at_most(&l, &r)
        }
        Formula::Eq(l, r) => {
            let (l, r) = (term(pool, l), term(pool, r));
            pool.equal(&l, &r)
        }
        Formula::Bool(index) => pool.boolean(["p", "q"][*index as usize]),
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

fn terms(arrays: bool) -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![(-4i64..5).prop_map(Term::Const), (0u8..3).prop_map(Term::Var), (0u8..3).prop_map(Term::Var)];
    leaf.prop_recursive(2, 6, 2, move |inner| {
        let divisor = prop_oneof![-3i64..-1, 2i64..4];
        let plain = prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(l, r)| Term::Add(l.into(), r.into())),
            (-3i64..4, inner.clone()).prop_map(|(k, t)| Term::Scale(k, t.into())),
            (inner.clone(), divisor.clone()).prop_map(|(t, d)| Term::Quotient(t.into(), d)),
            (inner.clone(), divisor).prop_map(|(t, d)| Term::Remainder(t.into(), d)),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| Term::Truth(Formula::Le(l, r).into())),
        ];
        let read = (prop::collection::vec((inner.clone(), inner.clone()), 0..3), inner.clone()).prop_map(|(w, i)| Term::Read(w, i.into()));
        if arrays { prop_oneof![plain, read.clone(), read].boxed() } else { plain.boxed() }
    })
}

fn formulas(arrays: bool) -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        3 => (terms(arrays), terms(arrays)).prop_map(|(l, r)| Formula::Le(l, r)),
        3 => (terms(arrays), terms(arrays)).prop_map(|(l, r)| Formula::Eq(l, r)),
        1 => (0u8..2).prop_map(Formula::Bool),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Not(f.into())),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::And),
            prop::collection::vec(inner, 2..4).prop_map(Formula::Or),
        ]
    })
}

const LOW: i64 = -3;
const HIGH: i64 = 3;

/// `LOW ≤ x, y, z ≤ HIGH`, and where arrays occur `0 ≤ a[-20..20] ≤ 1` for the elements the box can reach.
fn boxed(pool: &mut Pool) -> Vec<FormulaId> {
    NAMES
        .iter()
        .flat_map(|name| {
            let x = pool.integer(name);
            [pool.at_most(&Linear::constant(LOW), &x), pool.at_most(&x, &Linear::constant(HIGH))]
        })
        .collect()
}

/// Tries all values in the box, all truth values, and (for arrays) all contents of `a[0..3]`, 0 elsewhere.
fn brute_force(pool: &mut Pool, assertions: &[FormulaId], contents: &[ArrayValue]) -> bool {
    let ids = NAMES.map(|name| pool.symbol(name));
    let (p, q, a) = (pool.symbol("p"), pool.symbol("q"), pool.symbol("a"));
    let mut assignment = Assignment::default();
    for x in LOW..=HIGH {
        for y in LOW..=HIGH {
            for z in LOW..=HIGH {
                for (id, value) in ids.iter().zip([x, y, z]) {
                    assignment.integers.insert(*id, Int::from(value));
                }
                for bits in 0..4 {
                    assignment.booleans.insert(p, bits & 1 != 0);
                    assignment.booleans.insert(q, bits & 2 != 0);
                    for array in contents {
                        assignment.arrays.insert(a, array.clone());
                        if assertions.iter().all(|&f| assignment.formula(pool, f) == Some(true)) {
                            return true;
                        }
                    }
                }
            }
        }
    }
    false
}

/// Checks the answer's own evidence and gives the verdict; `None` is "unknown".
fn verdict(context: &Context, answer: &Answer) -> Result<Option<bool>, TestCaseError> {
    let assertions = context.assertions();
    match answer {
        Answer::Sat(model) => {
            for &f in assertions {
                prop_assert_eq!(model.formula(&context.pool, f), Some(true));
            }
            Ok(Some(true))
        }
        Answer::Unsat(refutation) => {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&position| assertions[position]).collect();
            let accepted = check(&context.pool, &core, &refutation.certificate);
            prop_assert!(accepted.is_ok(), "{accepted:?}: {refutation:?}");
            Ok(Some(false))
        }
        Answer::Unknown(_) => Ok(None),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(150)))]

    /// Formulas without arrays: exactly decided, evidence checked.
    #[test]
    fn agrees_with_brute_force(parts in prop::collection::vec(formulas(false), 1..6)) {
        let mut context = Context::new();
        let bounds = boxed(&mut context.pool);
        for f in bounds {
            context.assert(f);
        }
        for part in &parts {
            let f = formula(&mut context.pool, part);
            context.assert(f);
        }
        let answer = context.check(&mut Meter::new(1_000_000));
        let assertions = context.assertions().to_vec();
        let expected = brute_force(&mut context.pool, &assertions, &[ArrayValue::default()]);
        prop_assert_eq!(verdict(&context, &answer)?, Some(expected));
    }

    /// Arrays: whatever brute force satisfies must not be refuted, and every model is evaluated exactly; with the
    /// elements and the indices confined to the box that brute force tries, the verdicts agree.
    #[test]
    fn arrays_agree_with_brute_force(parts in prop::collection::vec(formulas(true), 1..4)) {
        let contents: Vec<ArrayValue> = (0..27).map(|n: i64| ArrayValue {
            elements: (0..3).map(|k| (Int::from(k), Int::from(n / 3i64.pow(k as u32) % 3 - 1))).collect(),
            default: Int::ZERO,
        }).collect();
        let mut context = Context::new();
        for f in boxed(&mut context.pool) {
            context.assert(f);
        }
        let array = context.pool.array_symbol("a");
        for k in -60..60i64 {
            let element = context.pool.select(array, &Linear::constant(k));
            let limit = i64::from((0..3).contains(&k));
            let low = context.pool.at_most(&Linear::constant(-limit), &element);
            let high = context.pool.at_most(&element, &Linear::constant(limit));
            context.assert(low);
            context.assert(high);
        }
        let bounds = context.assertions().len();
        for part in &parts {
            let f = formula(&mut context.pool, part);
            context.assert(f);
        }
        let answer = context.check(&mut Meter::new(1_000_000));
        // What is tried lies in the box, so the bounds need no evaluation.
        let assertions = context.assertions()[bounds..].to_vec();
        let expected = brute_force(&mut context.pool, &assertions, &contents);
        let got = verdict(&context, &answer)?;
        if expected {
            prop_assert_ne!(got, Some(false));
        }
    }

    /// One incremental context through random pushes and pops answers as fresh ones do.
    #[test]
    fn incremental_agrees_with_fresh(steps in prop::collection::vec((formulas(false), 0u8..4), 1..14)) {
        let mut context = Context::new();
        for f in boxed(&mut context.pool) {
            context.assert(f);
        }
        let mut stack: Vec<Vec<Formula>> = vec![Vec::new()];
        for (part, action) in steps {
            match action {
                0 if stack.len() > 1 => {
                    context.pop();
                    stack.pop();
                }
                1 => {
                    context.push();
                    stack.push(Vec::new());
                }
                _ => {}
            }
            if action != 0 {
                let f = formula(&mut context.pool, &part);
                context.assert(f);
                stack.last_mut().expect("never empty").push(part);
            }
            let mut fresh = Context::new();
            for f in boxed(&mut fresh.pool) {
                fresh.assert(f);
            }
            for part in stack.iter().flatten() {
                let f = formula(&mut fresh.pool, part);
                fresh.assert(f);
            }
            let (a, b) = (context.check(&mut Meter::new(1_000_000)), fresh.check(&mut Meter::new(1_000_000)));
            prop_assert_eq!(verdict(&context, &a)?, verdict(&fresh, &b)?);
        }
    }

    /// Products are not decided yet, but never answered wrongly.
    #[test]
    fn products_are_never_wrong(l in terms(false), r in terms(false), f in formulas(false)) {
        let mut context = Context::new();
        for g in boxed(&mut context.pool) {
            context.assert(g);
        }
        let product = Formula::Le(Term::Product(l.into(), r.into()), Term::Var(0));
        for g in [product, f] {
            let g = formula(&mut context.pool, &g);
            context.assert(g);
        }
        let answer = context.check(&mut Meter::new(1_000_000));
        let assertions = context.assertions().to_vec();
        let expected = brute_force(&mut context.pool, &assertions, &[ArrayValue::default()]);
        prop_assert!(verdict(&context, &answer)?.is_none_or(|got| got == expected));
    }
}

/// Values that only an axiom bounds are not split before the axiom is there: this once went on for ever.
#[test]
fn axioms_come_before_splits() {
    let mut context = Context::new();
    for f in boxed(&mut context.pool) {
        context.assert(f);
    }
    let quotient = |d| Box::new(Term::Quotient(Term::Var(0).into(), d));
    let ordered = || Term::Truth(Formula::Le(Term::Var(2), Term::Var(1)).into());
    let small = Term::Truth(Formula::Le(Term::Var(0), Term::Const(2)).into());
    let parts = [
        Formula::Or(vec![Formula::Le(small, Term::Add(quotient(-2), ordered().into())), Formula::Le(Term::Const(0), Term::Var(0))]),
        Formula::And(vec![Formula::Eq(Term::Const(0), Term::Var(1)), Formula::Eq(*quotient(-3), Term::Scale(2, ordered().into()))]),
    ];
    for part in parts {
        let f = formula(&mut context.pool, &Formula::Not(part.into()));
        context.assert(f);
    }
    assert!(matches!(context.check(&mut Meter::new(5_000)), Answer::Sat(_)));
}

/// Parity over unbounded integers: branch and bound alone would go on for ever.
#[test]
fn parity_needs_no_bounds() {
    let mut context = Context::new();
    let pool = &mut context.pool;
    let [x, y, z] = NAMES.map(|name| pool.integer(name));
    // 0 < 2x + y < 4 and y = 2z, so that 2x + y is 2.
    let sum = x.scale(&Int::from(2)).add(&y);
    let even = pool.equal(&y, &z.scale(&Int::from(2)));
    let (low, high) = (pool.less(&Linear::constant(0), &sum), pool.less(&sum, &Linear::constant(4)));
    let two = pool.equal(&sum, &Linear::constant(2));
    for f in [even, low, high] {
        context.assert(f);
    }
    assert!(matches!(context.check(&mut Meter::new(2_000)), Answer::Sat(_)));
    let not_two = context.pool.not(two);
    context.assert(not_two);
    let answer = context.check(&mut Meter::new(2_000));
    assert!(matches!(verdict(&context, &answer), Ok(Some(false))));
}
