//! Products, squares, quotients and remainders by terms: against brute force in small boxes, and named cases.

use crate::common::cases;
use culdesac::evidence;
use culdesac::logic::{Assignment, FormulaId, Int, Linear, Pool};
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
    Product(Box<Term>, Box<Term>),
    Square(Box<Term>),
    Quotient(Box<Term>, Box<Term>),
    Remainder(Box<Term>, Box<Term>),
}

/// `left ≤ right` or `left = right`, or the negation.
#[derive(Clone, Debug)]
struct Relation {
    left: Term,
    right: Term,
    equal: bool,
    negated: bool,
}

const NAMES: [&str; 3] = ["x", "y", "z"];
const SIZE: i64 = 3;

fn term(pool: &mut Pool, t: &Term) -> Linear {
    match t {
        Term::Const(value) => Linear::constant(*value),
        Term::Var(index) => pool.integer(NAMES[*index as usize]),
        Term::Add(l, r) => term(pool, l).add(&term(pool, r)),
        Term::Scale(factor, inner) => term(pool, inner).scale(&Int::from(*factor)),
        Term::Product(l, r) => {
            let (l, r) = (term(pool, l), term(pool, r));
            pool.product(&l, &r)
        }
        Term::Square(inner) => {
            let inner = term(pool, inner);
            pool.product(&inner, &inner)
        }
        Term::Quotient(n, d) | Term::Remainder(n, d) => {
            let (n, d) = (term(pool, n), term(pool, d));
            // A divisor that is the constant 0 has no term: any other will do.
            let d = if d.as_constant().is_some_and(Int::is_zero) { Linear::constant(2) } else { d };
            let (q, r) = pool.div_rem_trunc(&n, &d).expect("not zero");
            if matches!(t, Term::Quotient(..)) { q } else { r }
        }
    }
}

fn relation(pool: &mut Pool, r: &Relation) -> FormulaId {
    let (left, right) = (term(pool, &r.left), term(pool, &r.right));
    let formula = if r.equal { pool.equal(&left, &right) } else { pool.at_most(&left, &right) };
    if r.negated { pool.not(formula) } else { formula }
}

fn terms(division: bool) -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![1 => (-4i64..5).prop_map(Term::Const), 4 => (0u8..3).prop_map(Term::Var)];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let plain = prop_oneof![
            2 => (inner.clone(), inner.clone()).prop_map(|(l, r)| Term::Add(l.into(), r.into())),
            1 => (-3i64..4, inner.clone()).prop_map(|(k, t)| Term::Scale(k, t.into())),
            3 => (inner.clone(), inner.clone()).prop_map(|(l, r)| Term::Product(l.into(), r.into())),
            1 => inner.clone().prop_map(|t| Term::Square(t.into())),
        ];
        let quotient = (inner.clone(), inner.clone()).prop_map(|(l, r)| Term::Quotient(l.into(), r.into()));
        let remainder = (inner.clone(), inner).prop_map(|(l, r)| Term::Remainder(l.into(), r.into()));
        if division { prop_oneof![2 => plain, 1 => quotient, 1 => remainder].boxed() } else { plain.boxed() }
    })
}

fn relations(division: bool) -> impl Strategy<Value = Relation> {
    (terms(division), terms(division), any::<bool>(), any::<bool>()).prop_map(|(left, right, equal, negated)| Relation {
        left,
        right,
        equal,
        negated,
    })
}

/// A clause of relations.
fn clauses(division: bool) -> impl Strategy<Value = Vec<Vec<Relation>>> {
    prop::collection::vec(prop::collection::vec(relations(division), 1..3), 1..4)
}

/// The divisors of a term that are not constant.
fn divisors<'a>(t: &'a Term, found: &mut Vec<&'a Term>) {
    match t {
        Term::Const(_) | Term::Var(_) => {}
        Term::Scale(_, inner) | Term::Square(inner) => divisors(inner, found),
        Term::Add(l, r) | Term::Product(l, r) => [l, r].into_iter().for_each(|part| divisors(part, found)),
        Term::Quotient(n, d) | Term::Remainder(n, d) => {
            [n, d].into_iter().for_each(|part| divisors(part, found));
            found.push(d);
        }
    }
}

/// Asserts that no divisor is 0.
fn defined(context: &mut Context, parts: &[Vec<Relation>]) {
    let mut found = Vec::new();
    parts.iter().flatten().flat_map(|r| [&r.left, &r.right]).for_each(|t| divisors(t, &mut found));
    for divisor in found {
        let d = term(&mut context.pool, divisor);
        if d.as_constant().is_none() {
            let zero = context.pool.equal(&d, &Linear::default());
            let not_zero = context.pool.not(zero);
            context.assert(not_zero);
        }
    }
}

/// Asserts the box and the clauses.
fn asserted(parts: &[Vec<Relation>]) -> Context {
    asserted_in(Context::new(), parts)
}

fn asserted_in(mut context: Context, parts: &[Vec<Relation>]) -> Context {
    for name in NAMES {
        let x = context.pool.integer(name);
        let bounds = [context.pool.at_most(&Linear::constant(-SIZE), &x), context.pool.at_most(&x, &Linear::constant(SIZE))];
        for bound in bounds {
            context.assert(bound);
        }
    }
    for part in parts {
        let parts: Vec<FormulaId> = part.iter().map(|r| relation(&mut context.pool, r)).collect();
        let clause = context.pool.or(&parts);
        context.assert(clause);
    }
    context
}

/// Tries all values in the box.
fn brute_force(context: &mut Context) -> bool {
    let ids = NAMES.map(|name| context.pool.symbol(name));
    let mut assignment = Assignment::default();
    let values = || -SIZE..=SIZE;
    values().any(|x| {
        values().any(|y| {
            values().any(|z| {
                for (id, value) in ids.iter().zip([x, y, z]) {
                    assignment.integers.insert(*id, Int::from(value));
                }
                context.assertions().iter().all(|&f| assignment.formula(&context.pool, f) == Some(true))
            })
        })
    })
}

/// The verdict with its evidence checked: the model evaluated, the certificate checked as it is and as it is read back
/// from a file. `None` is "unknown".
fn verdict(context: &mut Context, limit: u64) -> Option<bool> {
    context.query_limit = limit;
    match context.check(&mut Meter::new(limit)) {
        Answer::Sat(model) => {
            assert!(context.assertions().iter().all(|&f| model.formula(&context.pool, f) == Some(true)), "{model:?}");
            Some(true)
        }
        Answer::Unsat(refutation) => {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&position| context.assertions()[position]).collect();
            assert_eq!(check(&context.pool, &core, &refutation.certificate), Ok(()));
            let written = evidence::write(&context.pool, &refutation.certificate);
            let text = serde_json::to_string(&written).expect("a certificate is data");
            let read = serde_json::from_str(&text).expect("what was written can be read");
            let again = evidence::read(&mut context.pool, &read).expect("what was written is well-formed");
            assert_eq!(check(&context.pool, &core, &again), Ok(()));
            Some(false)
        }
        Answer::Unknown(_) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    /// In a box, products are always decided.
    #[test]
    fn products_agree_with_brute_force(parts in clauses(false)) {
        let mut context = asserted(&parts);
        let expected = brute_force(&mut context);
        prop_assert_eq!(verdict(&mut context, 1_000_000), Some(expected));
    }

    /// So are quotients and remainders by terms that are not 0.
    #[test]
    fn divisions_agree_with_brute_force(parts in clauses(true)) {
        let mut context = asserted(&parts);
        defined(&mut context, &parts);
        let expected = brute_force(&mut context);
        prop_assert_eq!(verdict(&mut context, 1_000_000), Some(expected));
    }

    /// Where a divisor may be 0, an assertion may have no truth value: it is not satisfied then, and not refuted either.
    #[test]
    fn undefined_divisions_are_never_wrong(parts in clauses(true)) {
        let mut context = asserted(&parts);
        let expected = brute_force(&mut context);
        let got = verdict(&mut context, 100_000);
        prop_assert!(got.is_none_or(|got| got == expected), "{got:?} instead of {expected}");
    }

    /// A file is read into a pool with atoms in another order, so that equalities and products are the other way round.
    #[test]
    fn certificates_are_read_in_any_order_of_atoms(parts in clauses(true)) {
        let mut context = asserted(&parts);
        defined(&mut context, &parts);
        if let Answer::Unsat(refutation) = context.check(&mut Meter::new(100_000)) {
            let written = evidence::write(&context.pool, &refutation.certificate);
            let mut other = Context::new();
            NAMES.iter().rev().for_each(|name| drop(other.pool.integer(name)));
            let mut other = asserted_in(other, &parts);
            defined(&mut other, &parts);
            let core: Vec<FormulaId> = refutation.core.iter().map(|&position| other.assertions()[position]).collect();
            let read = evidence::read(&mut other.pool, &written).expect("what was written is well-formed");
            prop_assert_eq!(check(&other.pool, &core, &read), Ok(()));
        }
    }

    /// Without the box nothing is answered wrongly.
    #[test]
    fn never_wrong_without_bounds(parts in clauses(true)) {
        let mut context = asserted(&parts);
        let boxed = brute_force(&mut context);
        let mut free = Context::new();
        for part in &parts {
            let parts: Vec<FormulaId> = part.iter().map(|r| relation(&mut free.pool, r)).collect();
            let clause = free.pool.or(&parts);
            free.assert(clause);
        }
        let got = verdict(&mut free, 50_000);
        prop_assert!(!(boxed && got == Some(false)));
    }
}

/// What a case asserts of x, y and z.
type Case = fn(&mut Pool, [&Linear; 3]) -> Vec<FormulaId>;

fn n(value: i64) -> Linear {
    Linear::constant(value)
}

fn decided(case: Case, expected: bool) {
    let mut context = Context::new();
    let [x, y, z] = NAMES.map(|name| context.pool.integer(name));
    for formula in case(&mut context.pool, [&x, &y, &z]) {
        context.assert(formula);
    }
    assert_eq!(verdict(&mut context, 200_000), Some(expected));
}

#[test]
fn squares_are_not_negative() {
    decided(|p, [x, ..]| vec![square(p, x, |p, s| p.less(s, &n(0)))], false);
    decided(|p, [x, ..]| vec![square(p, x, |p, s| p.equal(s, &n(2)))], false);
    decided(|p, [x, ..]| vec![square(p, x, |p, s| p.less(s, x))], false);
    decided(|p, [x, ..]| vec![square(p, x, |p, s| p.equal(s, &n(1_000_000)))], true);
    decided(|p, [x, ..]| vec![square(p, x, |p, s| p.equal(s, &n(1_000_001)))], false);
}

/// Not even without bounds.
#[test]
fn squares_of_sums_are_not_negative() {
    // x·x + y·y < 2·x·y, and < -2·x·y.
    for twice in [2, -2] {
        let mut context = Context::new();
        let [x, y, _] = NAMES.map(|name| context.pool.integer(name));
        let pool = &mut context.pool;
        let squares = pool.product(&x, &x).add(&pool.product(&y, &y));
        let mixed = pool.product(&x, &y).scale(&Int::from(twice));
        let less = pool.less(&squares, &mixed);
        context.assert(less);
        assert_eq!(verdict(&mut context, 20_000), Some(false), "{twice}");
    }
    // (x + y)² < 4·x·y; with an equality it is at x = y.
    decided(
        |p, [x, y, _]| {
            let (whole, mixed) = (p.product(&x.add(y), &x.add(y)), p.product(x, y));
            vec![p.less(&whole, &mixed.scale(&Int::from(4)))]
        },
        false,
    );
    decided(
        |p, [x, y, _]| {
            let (whole, mixed) = (p.product(&x.add(y), &x.add(y)), p.product(x, y));
            vec![p.at_most(&whole, &mixed.scale(&Int::from(4))), p.at_most(&n(5), y)]
        },
        true,
    );
}

fn square(pool: &mut Pool, x: &Linear, claim: impl Fn(&mut Pool, &Linear) -> FormulaId) -> FormulaId {
    let square = pool.product(x, x);
    claim(pool, &square)
}

#[test]
fn signs_without_bounds() {
    decided(|p, [x, y, _]| vec![p.less(&n(0), x), p.less(&n(0), y), product(p, x, y, |p, s| p.at_most(s, &n(0)))], false);
    decided(|p, [x, y, _]| vec![p.less(&n(0), x), p.less(y, &n(0)), product(p, x, y, |p, s| p.at_most(&n(0), s))], false);
    // x·y = 0 with neither 0.
    decided(
        |p, [x, y, _]| {
            let (zero_x, zero_y) = (p.equal(x, &n(0)), p.equal(y, &n(0)));
            vec![p.not(zero_x), p.not(zero_y), product(p, x, y, |p, s| p.equal(s, &n(0)))]
        },
        false,
    );
    // x, y ≥ 2 and x·y ≤ x.
    decided(|p, [x, y, _]| vec![p.at_most(&n(2), x), p.at_most(&n(2), y), product(p, x, y, |p, s| p.at_most(s, x))], false);
}

fn product(pool: &mut Pool, x: &Linear, y: &Linear, claim: impl Fn(&mut Pool, &Linear) -> FormulaId) -> FormulaId {
    let product = pool.product(x, y);
    claim(pool, &product)
}

#[test]
fn multiplied_out() {
    // (x + y)(x - y) + y·y < x·x
    decided(
        |p, [x, y, _]| {
            let (difference, x2, y2) = (p.product(&x.add(y), &x.sub(y)), p.product(x, x), p.product(y, y));
            vec![p.less(&difference.add(&y2), &x2)]
        },
        false,
    );
    // (x - 3)(y + 2) = 1 has the solutions (4, -1) and (2, -3).
    decided(|p, [x, y, _]| vec![product(p, &x.add(&n(-3)), &y.add(&n(2)), |p, s| p.equal(s, &n(1)))], true);
}

#[test]
fn factors() {
    let factored: [(i64, bool); 4] = [(91, true), (97, false), (9_991, true), (9_973, false)];
    for (number, expected) in factored {
        let mut context = Context::new();
        let [x, y] = ["x", "y"].map(|name| context.pool.integer(name));
        let pool = &mut context.pool;
        let product = pool.product(&x, &y);
        let all = [pool.at_most(&n(2), &x), pool.at_most(&x, &y), pool.less(&y, &n(number)), pool.equal(&product, &n(number))];
        all.into_iter().for_each(|formula| assert!(context.assert(formula) < 10));
        assert_eq!(verdict(&mut context, 5_000_000), Some(expected), "{number}");
    }
}

/// What is claimed of dividend, divisor, quotient and remainder.
type Claim = fn(&mut Pool, &Linear, &Linear, &Linear, &Linear) -> FormulaId;

#[test]
fn division_by_a_term() {
    // x ≥ 0 and y > 0: 0 ≤ x % y < y, and x / y ≤ x.
    let positive = |p: &mut Pool, x: &Linear, y: &Linear| vec![p.at_most(&n(0), x), p.less(&n(0), y)];
    let claims: [Claim; 4] =
        [|p, _, _, _, r| p.less(r, &n(0)), |p, _, y, _, r| p.at_most(y, r), |p, _, _, q, _| p.less(q, &n(0)), |p, x, _, q, _| p.less(x, q)];
    for claim in claims {
        let mut context = Context::new();
        let [x, y] = ["x", "y"].map(|name| context.pool.integer(name));
        let (q, r) = context.pool.div_rem_trunc(&x, &y).expect("not the constant 0");
        let mut formulas = positive(&mut context.pool, &x, &y);
        formulas.push(claim(&mut context.pool, &x, &y, &q, &r));
        formulas.into_iter().for_each(|formula| assert!(context.assert(formula) < 10));
        assert_eq!(verdict(&mut context, 200_000), Some(false));
    }
    // 17 / x = 3 and 17 % x = 2 at 5 only.
    decided(
        |p, [x, ..]| {
            let (q, r) = p.div_rem_trunc(&n(17), x).expect("not the constant 0");
            vec![p.equal(&q, &n(3)), p.equal(&r, &n(2))]
        },
        true,
    );
    decided(
        |p, [x, ..]| {
            let (q, r) = p.div_rem_trunc(&n(-17), x).expect("not the constant 0");
            let zero = p.equal(x, &n(0));
            vec![p.not(zero), p.equal(&q, &n(3)), p.equal(&r, &n(2))]
        },
        false,
    );
}

/// (0 % y) + (y % x) ≤ (-2 / y) - 1: splitting must not end in a divisor that is 0.
#[test]
fn divisors_are_not_zero_first() {
    let v = |k| Box::new(Term::Var(k));
    let c = |k| Box::new(Term::Const(k));
    let parts = vec![vec![Relation {
        left: Term::Add(Box::new(Term::Remainder(c(0), v(1))), Box::new(Term::Remainder(v(1), v(0)))),
        right: Term::Add(Box::new(Term::Quotient(c(-2), v(1))), c(-1)),
        equal: false,
        negated: false,
    }]];
    let mut context = asserted(&parts);
    assert_eq!(verdict(&mut context, 100_000), Some(true));
}

/// A product without bounds of its own, in an equation with a coefficient: looking for whole values once went on for ever.
#[test]
fn products_have_bounds_before_splits() {
    let v = |k| Box::new(Term::Var(k));
    let p = |a, b| Box::new(Term::Product(a, b));
    let parts = vec![
        vec![
            Relation { left: *p(Box::new(Term::Add(v(0), v(2))), p(v(1), v(2))), right: *p(v(0), v(0)), equal: false, negated: true },
            Relation { left: Term::Const(0), right: Term::Scale(-1, v(1)), equal: false, negated: true },
        ],
        vec![Relation { left: Term::Scale(-6, v(2)), right: Term::Square(Box::new(Term::Scale(-4, v(2)))), equal: false, negated: true }],
    ];
    let mut context = asserted(&parts);
    assert_eq!(verdict(&mut context, 1_000_000), Some(false));
}

/// A product of a product whose value has no bounds of its own, met in the search for whole values: once went on for ever.
#[test]
fn nested_products_are_enclosed() {
    let v = |k| Box::new(Term::Var(k));
    let c = |k| Box::new(Term::Const(k));
    let p = |a, b| Box::new(Term::Product(a, b));
    let q = |a, b| Box::new(Term::Quotient(a, b));
    let r = |a, b| Box::new(Term::Remainder(a, b));
    let parts = vec![
        vec![
            Relation {
                left: *r(p(v(2), c(2)), r(r(v(2), v(0)), v(0))),
                right: *p(r(v(1), v(2)), r(q(c(-2), v(2)), v(0))),
                equal: true,
                negated: true,
            },
            Relation { left: Term::Square(p(r(v(0), c(3)), v(2))), right: Term::Scale(-1, v(0)), equal: true, negated: true },
        ],
        vec![Relation { left: *p(p(v(1), v(0)), v(2)), right: Term::Add(p(v(2), v(2)), r(v(1), v(2))), equal: true, negated: false }],
    ];
    let mut context = asserted(&parts);
    defined(&mut context, &parts);
    assert_eq!(verdict(&mut context, 300_000), Some(false));
}

/// What one check may spend on a product counts against no other check of the context.
#[test]
fn a_long_context_decides_as_a_fresh_one() {
    let mut long = Context::new();
    for k in 2..80 {
        let ask = |context: &mut Context| {
            let (x, y) = (context.pool.integer("x"), context.pool.integer("y"));
            let product = context.pool.product(&x, &y);
            let parts = [context.pool.equal(&product, &n(k * k + 1)), context.pool.less(&x, &y), context.pool.at_most(&n(2), &x)];
            for part in parts {
                context.assert(part);
            }
            verdict(context, 200_000)
        };
        long.push();
        let incremental = ask(&mut long);
        long.pop();
        let fresh = ask(&mut Context::new());
        let expected = (2..=k).any(|x| (k * k + 1) % x == 0);
        assert!(fresh.is_none_or(|sat| sat == expected), "k = {k}");
        assert!(incremental.is_some() || fresh.is_none(), "k = {k}: {incremental:?}, fresh {fresh:?}");
        assert!(incremental.is_none_or(|sat| sat == expected), "k = {k}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    /// A divisor that the assertions fix divides as the constant does, without bounds of the dividend.
    #[test]
    fn a_divisor_that_is_fixed_divides_as_the_constant(
        d in prop_oneof![2i64..13, -12i64..-1, Just(100i64), Just(400)],
        m in 2i64..11,
        way in 0u8..4,
        wanted in prop::collection::vec((any::<bool>(), any::<bool>(), 0i64..6, any::<bool>()), 1..4),
        least in -20i64..30,
    ) {
        let ask = |constant: bool| {
            let mut context = Context::new();
            let [x, y, z] = ["x", "y", "z"].map(|name| context.pool.integer(name));
            let pool = &mut context.pool;
            let mut parts = match way {
                _ if constant => Vec::new(),
                0 => vec![pool.equal(&y, &n(d))],
                1 => vec![pool.equal(&y, &z), pool.equal(&z, &n(d))],
                2 => vec![pool.at_most(&y, &n(d)), pool.at_most(&n(d), &y)],
                _ => vec![pool.equal(&y.sub(&z), &n(0)), pool.equal(&y.add(&z), &n(2 * d))],
            };
            parts.push(pool.at_most(&n(least), &x));
            for &(by_fixed, quotient, value, equal) in &wanted {
                let divisor = match by_fixed {
                    true if constant => n(d),
                    true => y.clone(),
                    false => n(m),
                };
                let (q, r) = pool.div_rem_trunc(&x, &divisor).expect("not the constant 0");
                let same = pool.equal(if quotient { &q } else { &r }, &n(value));
                parts.push(if equal { same } else { pool.not(same) });
            }
            parts.into_iter().for_each(|part| assert!(context.assert(part) < 10));
            verdict(&mut context, 5_000)
        };
        prop_assert_eq!(ask(false), ask(true));
    }
}
