//! Trailing zeros against evaluation.

use super::*;
use crate::logic::Assignment;
use proptest::prelude::*;

/// A term as data, over two symbols.
#[derive(Clone, Debug)]
enum Made {
    Symbol(bool),
    Sum(Box<Made>, i64, Box<Made>, i64),
    Common(Box<Made>, Box<Made>),
    Cleared(Box<Made>, u32),
    Remainder(Box<Made>, u32),
}

fn made() -> impl Strategy<Value = Made> {
    any::<bool>().prop_map(Made::Symbol).prop_recursive(5, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), -8i64..9, inner.clone(), -8i64..9).prop_map(|(a, c, b, k)| Made::Sum(a.into(), c, b.into(), k)),
            (inner.clone(), prop_oneof![Just(4), Just(8), Just(16)], inner.clone(), prop_oneof![Just(0), Just(4), Just(8)]).prop_map(
                |(a, c, _, k)| Made::Sum(Made::Sum(a.clone().into(), c - 1, a.into(), 0).into(), 0, Made::Symbol(true).into(), k)
            ),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Made::Common(a.into(), b.into())),
            (inner.clone(), 0u32..6).prop_map(|(a, positions)| Made::Cleared(a.into(), positions)),
            (inner, 0u32..6).prop_map(|(a, positions)| Made::Remainder(a.into(), positions)),
        ]
    })
}

fn term(pool: &mut Pool, made: &Made) -> Linear {
    match made {
        Made::Symbol(first) => pool.integer(if *first { "x" } else { "y" }),
        Made::Sum(a, c, b, k) => term(pool, a).add_scaled(&term(pool, b), &Int::from(*c)).add_constant(&Int::from(*k)),
        Made::Common(a, b) => {
            let (a, b) = (term(pool, a), term(pool, b));
            pool.bit_and(&a, &b)
        }
        // As a loop clears its lowest bit, brought back into so many bits where it was 0.
        Made::Cleared(a, positions) => {
            let a = term(pool, a);
            let none = pool.at_most(&a, &Linear::default());
            let wrapped = pool.truth(none).scale(&Int::ONE.shift_left(*positions));
            let less = a.add_constant(&Int::MINUS_ONE).add(&wrapped);
            pool.bit_and(&a, &less)
        }
        Made::Remainder(a, positions) => {
            let a = term(pool, a);
            pool.div_rem_trunc(&a, &Linear::constant(Int::ONE.shift_left(*positions))).unwrap_or_default().1
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(500)))]
    /// A term has a zero in each of the places in which it is said to have one.
    #[test]
    fn lowest_zeros_are_zeros(made in made(), values in proptest::collection::vec((-40i64..300, -40i64..300), 8)) {
        let mut pool = Pool::new();
        let term = term(&mut pool, &made);
        let positions = zeros_below(&pool, &term, &mut ATOMS.clone());
        for (x, y) in values {
            let mut assignment = Assignment::default();
            for (name, value) in [("x", x), ("y", y)] {
                let symbol = pool.symbol(name);
                assignment.integers.insert(symbol, Int::from(value));
            }
            let value = assignment.linear(&pool, &term).expect("all symbols have values");
            prop_assert!(value.is_multiple_of(&Int::ONE.shift_left(positions)), "{value} has no {positions} zeros");
        }
    }
}

/// Each round of `x & (x - 1)` clears one more bit, whatever the other rounds did.
#[test]
fn each_round_clears_a_bit() {
    let mut pool = Pool::new();
    let mut x = pool.integer("x");
    for rounds in 1..=32 {
        let none = pool.at_most(&x, &Linear::default());
        let wrapped = pool.truth(none).scale(&Int::ONE.shift_left(32));
        let less = x.add_constant(&Int::MINUS_ONE).add(&wrapped);
        x = pool.bit_and(&x, &less);
        assert_eq!(zeros_below(&pool, &x, &mut ATOMS.clone()), rounds);
    }
}
