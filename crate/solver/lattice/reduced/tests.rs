//! Systems that a reduced basis decides, and those where it would stand in the way.

use super::*;
use crate::solver::{Answer, Context, check};
use proptest::prelude::*;

/// Equations over a box of this size.
fn system(equations: &[(Vec<i64>, i64)], reach: i64) -> Context {
    let mut context = Context::new();
    let count = equations.first().map_or(0, |equation| equation.0.len());
    let xs: Vec<Linear> = (0..count).map(|k| context.pool.integer(&format!("x{k}"))).collect();
    for x in &xs {
        for bound in [context.pool.at_most(&Linear::constant(0), x), context.pool.at_most(x, &Linear::constant(reach))] {
            context.assert(bound);
        }
    }
    for (weights, value) in equations {
        let sum = xs.iter().zip(weights).fold(Linear::default(), |sum, (x, c)| sum.add_scaled(x, &Int::from(*c)));
        let equal = context.pool.equal(&sum, &Linear::constant(*value));
        context.assert(equal);
    }
    context
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(32)))]
    /// Decided as by trying all values, with a certificate; and the directions are the inverse of the basis.
    #[test]
    fn directions_are_a_change_of_basis(rows in prop::collection::vec((prop::collection::vec(-40i64..41, 4), -60i64..120), 1..3)) {
        let mut context = system(&rows, 6);
        let tried = (0..7i64.pow(4)).any(|k| {
            let values = [k % 7, k / 7 % 7, k / 49 % 7, k / 343];
            rows.iter().all(|(weights, value)| weights.iter().zip(values).map(|(c, x)| c * x).sum::<i64>() == *value)
        });
        match context.check(&mut Meter::new(200_000)) {
            Answer::Sat(model) => {
                prop_assert!(tried);
                prop_assert!(model.satisfies(&context.pool, context.assertions().iter().copied()));
            }
            Answer::Unsat(refutation) => {
                prop_assert!(!tried);
                let core: Vec<_> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
                prop_assert_eq!(check::check(&context.pool, &core, &refutation.certificate), Ok(()));
            }
            Answer::Unknown(_) => prop_assert!(false, "decided within the limit"),
        }
        let search = &context.search;
        let rows: Vec<ColumnId> = (0..search.forms.len()).filter(|&c| search.forms[c].terms().len() > 1).map(|c| c as ColumnId).collect();
        let mut atoms: Vec<AtomId> = search.columns.keys().copied().collect();
        atoms.sort();
        let reduced = Lattice::new(search, atoms, &rows).reduce(&mut Meter::new(200_000)).expect("few steps");
        for (j, column) in reduced.columns.iter().enumerate() {
            for (k, form) in reduced.forms.iter().enumerate() {
                prop_assert_eq!(reduced.along(column, form), Int::from(i64::from(j == k)));
            }
        }
    }
}

/// A thin body far from all axes: splits on atoms go through thousands of values.
#[test]
fn few_splits_where_the_body_is_skew() {
    let mut context = system(&[(vec![12_223, 12_224, 36_674, 61_119, 85_569], 89_643_481)], 10_000_000);
    let Answer::Unsat(refutation) = context.check(&mut Meter::new(20_000)) else { panic!("this sum cannot be paid") };
    let core: Vec<_> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
    assert_eq!(check::check(&context.pool, &core, &refutation.certificate), Ok(()));
}

/// Remainders, quotients and elements of arrays, without bounds: each case makes another system of rows.
#[test]
fn no_basis_for_each_case_of_an_axiom() {
    let mut context = Context::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| context.pool.integer(name));
    let pool = &mut context.pool;
    let (two, three) = (Int::from(2), Int::from(3));
    let [by_two, by_three] = [2, 3].map(Linear::constant);
    let array = pool.array_symbol("a");
    let a = pool.select(array, &y.add(&z).scale(&Int::from(-2)).add_constant(&Int::ONE));
    let b = pool.div_rem_trunc(&x.add_scaled(&z, &two).add_scaled(&a, &two), &by_three).expect("not 0").1;
    let c = pool.select(array, &a.sub(&x).add_scaled(&b, &two).add_constant(&three));
    let d = pool.div_rem_trunc(&a.sub(&y), &by_three).expect("not 0").1;
    let e = pool.div_rem_trunc(&Linear::constant(2).add_scaled(&z, &Int::from(-2)), &by_three).expect("not 0").1;
    let sum = x.scale(&Int::from(4)).add(&b).add_scaled(&c, &Int::from(6)).add_constant(&-&Int::ONE);
    let f = pool.div_rem_trunc(&sum, &by_two).expect("not 0").0;
    let sum = x.add(&c).scale(&two).add(&d).add_constant(&-&Int::ONE);
    let g = pool.div_rem_trunc(&sum, &by_three).expect("not 0").1;
    let zero = Linear::constant(0);
    let formulas = [
        pool.at_most(&a, &y),
        pool.less(&z, &b),
        pool.less(&a, &c),
        pool.less(&zero, &x.scale(&two).add_scaled(&c, &three)),
        pool.equal(&y, &d),
        pool.at_most(&e, &y),
        pool.at_most(&f, &b),
        pool.less(&c, &g),
    ];
    for formula in formulas {
        context.assert(formula);
    }
    let Answer::Unsat(refutation) = context.check(&mut Meter::new(20_000)) else { panic!("no values satisfy this") };
    let core: Vec<_> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
    assert_eq!(check::check(&context.pool, &core, &refutation.certificate), Ok(()));
}

/// Each system needs values of its own: those near one of them say nothing of the other.
#[test]
fn systems_that_share_nothing_are_moved_together() {
    let mut context = Context::new();
    for (name, weights, value) in [("x", [1223i64, -724, 3674, 6119, -569], 34_217), ("y", [331, 877, -4012, 953, 2741], -1_911)] {
        let parts = (0..5).map(|k| context.pool.integer(&format!("{name}{k}"))).collect::<Vec<_>>();
        for part in &parts {
            for bound in [context.pool.at_most(&Linear::constant(0), part), context.pool.at_most(part, &Linear::constant(90))] {
                context.assert(bound);
            }
        }
        let sum = parts.iter().zip(weights).fold(Linear::default(), |sum, (part, c)| sum.add_scaled(part, &Int::from(c)));
        let equal = context.pool.equal(&sum, &Linear::constant(value));
        context.assert(equal);
    }
    let Answer::Sat(model) = context.check(&mut Meter::new(20_000)) else { panic!("both have solutions") };
    assert!(model.satisfies(&context.pool, context.assertions().iter().copied()));
}
