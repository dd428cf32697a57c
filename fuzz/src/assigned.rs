//! An input as symbolic execution sees it. Also a part of `tests/it/language/values_oracle.rs`.

use culdesac::interp::Input;
use culdesac::logic::{ArrayValue, Assignment, FormulaId, Mentions, Pool};
use culdesac::symex::{is_operator, nondet_name};

/// The input as values of symbols.
pub fn assignment(pool: &mut Pool, input: &Input) -> Assignment {
    let mut known = Assignment::default();
    let nondet = (0..).map(nondet_name).zip(&input.nondet);
    for (name, value) in input.values.iter().map(|(name, value)| (name.clone(), value)).chain(nondet) {
        known.integers.insert(pool.symbol(&name), value.clone());
    }
    for (name, contents) in &input.arrays {
        let value = ArrayValue { elements: contents.elements.clone(), default: contents.default.clone() };
        known.arrays.insert(pool.symbol(name), value);
    }
    known
}

/// Whether a formula speaks of an operator that is not exact.
pub fn is_approximate(pool: &Pool, formula: FormulaId) -> bool {
    Mentions::of(pool, &[formula], &[]).symbols.into_iter().any(|symbol| is_operator(pool.symbol_name(symbol)))
}
