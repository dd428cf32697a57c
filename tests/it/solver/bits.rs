//! The bits that two numbers have in common: against all values of a small box, and without a box against evaluation.

use crate::common::cases;
use culdesac::evidence;
use culdesac::logic::{Assignment, FormulaId, Int, Linear, Pool};
use culdesac::solver::check::check;
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use proptest::prelude::*;

/// A term as data: a sum, or the bits that two terms have in common.
#[derive(Clone, Debug)]
enum Term {
    Var(u8),
    Sum(Box<Term>, i64, Box<Term>, i64),
    And(Box<Term>, Box<Term>),
}

const NAMES: [&str; 2] = ["x", "y"];

fn term(pool: &mut Pool, t: &Term) -> Linear {
    match t {
        Term::Var(index) => pool.integer(NAMES[*index as usize]),
        Term::Sum(l, c, r, k) => term(pool, l).add_scaled(&term(pool, r), &Int::from(*c)).add_constant(&Int::from(*k)),
        Term::And(l, r) => {
            let (l, r) = (term(pool, l), term(pool, r));
            pool.bit_and(&l, &r)
        }
    }
}

/// The operands of `&` in a term.
fn operands<'a>(t: &'a Term, found: &mut Vec<&'a Term>) {
    match t {
        Term::Var(_) => {}
        Term::Sum(l, _, r, _) => [l, r].into_iter().for_each(|part| operands(part, found)),
        Term::And(l, r) => {
            [l, r].into_iter().for_each(|part| {
                operands(part, found);
                found.push(part);
            });
        }
    }
}

fn terms() -> impl Strategy<Value = Term> {
    let leaf = (0u8..2).prop_map(Term::Var);
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            2 => (inner.clone(), -2i64..3, inner.clone(), -3i64..9).prop_map(|(l, c, r, k)| Term::Sum(l.into(), c, r.into(), k)),
            3 => (inner.clone(), inner).prop_map(|(l, r)| Term::And(l.into(), r.into())),
        ]
    })
}

/// Two terms, whether they are equal or the first is at most the second, and whether that is denied.
type Relation = (Term, Term, bool, bool);

fn asserted(context: &mut Context, relations: &[Relation], most: i64) {
    let bounds: Vec<FormulaId> = NAMES
        .into_iter()
        .flat_map(|name| {
            let x = context.pool.integer(name);
            [context.pool.at_most(&Linear::default(), &x), context.pool.at_most(&x, &Linear::constant(most))]
        })
        .collect();
    bounds.into_iter().for_each(|bound| assert!(context.assert(bound) < 100));
    for (left, right, equal, denied) in relations {
        let mut found = Vec::new();
        [left, right].into_iter().for_each(|t| operands(t, &mut found));
        for operand in found {
            let operand = term(&mut context.pool, operand);
            let natural = context.pool.at_most(&Linear::default(), &operand);
            context.assert(natural);
        }
        let (l, r) = (term(&mut context.pool, left), term(&mut context.pool, right));
        let relation = if *equal { context.pool.equal(&l, &r) } else { context.pool.at_most(&l, &r) };
        let relation = if *denied { context.pool.not(relation) } else { relation };
        context.assert(relation);
    }
}

fn verdict(context: &mut Context, limit: u64) -> Option<bool> {
    context.query_limit = limit;
    match context.check(&mut Meter::new(limit)) {
        Answer::Sat(model) => {
            assert!(model.satisfies(&context.pool, context.assertions().iter().copied()), "{model:?}");
            Some(true)
        }
        Answer::Unsat(refutation) => {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&position| context.assertions()[position]).collect();
            assert_eq!(check(&context.pool, &core, &refutation.certificate), Ok(()));
            let written = evidence::write(&context.pool, &refutation.certificate);
            let again = evidence::read(&mut context.pool, &written).expect("what was written is well-formed");
            assert_eq!(check(&context.pool, &core, &again), Ok(()));
            Some(false)
        }
        Answer::Unknown(_) => None,
    }
}

fn brute_force(context: &Context, pool: &mut Pool, most: i64) -> bool {
    let ids = NAMES.map(|name| pool.symbol(name));
    (0..=most).any(|x| {
        (0..=most).any(|y| {
            let mut assignment = Assignment::default();
            assignment.integers.extend([(ids[0], Int::from(x)), (ids[1], Int::from(y))]);
            assignment.satisfies(pool, context.assertions().iter().copied())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    #[test]
    fn common_bits_agree_with_brute_force(
        relations in prop::collection::vec((terms(), terms(), any::<bool>(), any::<bool>()), 1..4),
        most in prop_oneof![Just(7i64), Just(10), Just(15)],
    ) {
        let mut context = Context::new();
        asserted(&mut context, &relations, most);
        let mut pool = context.pool.clone();
        let expected = brute_force(&context, &mut pool, most);
        // Most cases take some thousand steps; of 40,000 a few take more than 200,000.
        prop_assert_eq!(verdict(&mut context, 5_000_000), Some(expected));
    }

    /// Common bits of a term and of some of its bits are these.
    #[test]
    fn bits_of_bits_are_no_new_atom(l in terms(), r in terms(), values in (-40i64..40, -40i64..40)) {
        let mut pool = Pool::new();
        let (l, r) = (term(&mut pool, &l), term(&mut pool, &r));
        let common = pool.bit_and(&l, &r);
        let again = [pool.bit_and(&common, &l), pool.bit_and(&r, &common)];
        let mut assignment = Assignment::default();
        for (name, value) in NAMES.into_iter().zip([values.0, values.1]) {
            let symbol = pool.symbol(name);
            assignment.integers.insert(symbol, Int::from(value));
        }
        for again in again {
            prop_assert_eq!(assignment.linear(&pool, &again), assignment.linear(&pool, &common));
            // A sum is no atom of its own, and some operands are constants.
            if let [(_, c)] = common.terms() && c.is_one() && common.offset().is_zero() && common != l && common != r {
                prop_assert_eq!(again, common.clone());
            }
        }
    }

    /// In 32 bits not all values can be tried: what is found is evaluated, what is refuted has a certificate.
    #[test]
    fn words_are_decided_with_evidence(relations in prop::collection::vec((terms(), terms(), any::<bool>(), any::<bool>()), 1..3)) {
        let mut context = Context::new();
        asserted(&mut context, &relations, (1 << 32) - 1);
        verdict(&mut context, 30_000);
    }
}
