//! Exact evaluation of terms and formulas under an assignment of the symbols.

use super::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SymbolId};
use std::collections::BTreeMap;

/// An array's contents: some elements, and the value everywhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    pub elements: BTreeMap<Int, Int>,
    pub default: Int,
}

impl ArrayValue {
    pub fn get(&self, index: &Int) -> &Int {
        self.elements.get(index).unwrap_or(&self.default)
    }
}

/// Values of symbols. What is not listed is 0, false, or an array of zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    pub integers: BTreeMap<SymbolId, Int>,
    pub arrays: BTreeMap<SymbolId, ArrayValue>,
    pub booleans: BTreeMap<SymbolId, bool>,
}

impl Assignment {
    /// The value of a term; `None` where a divisor is 0.
    pub fn linear(&self, pool: &Pool, term: &Linear) -> Option<Int> {
        let mut sum = term.offset().clone();
        for (atom, coefficient) in term.terms() {
            sum += &(&self.atom(pool, *atom)? * coefficient);
        }
        Some(sum)
    }

    /// The value of an atom; `None` where a divisor is 0.
    pub fn atom(&self, pool: &Pool, atom: AtomId) -> Option<Int> {
        Some(match pool.atom(atom) {
            Atom::Symbol(symbol) => self.integers.get(symbol).cloned().unwrap_or_default(),
            Atom::Select(array, index) => self.element(pool, *array, &self.linear(pool, index)?)?,
            Atom::Product(left, right) => self.linear(pool, left)? * self.linear(pool, right)?,
            Atom::DivTrunc(n, d) => self.linear(pool, n)?.div_rem_trunc(&self.linear(pool, d)?)?.0,
            Atom::RemTrunc(n, d) => self.linear(pool, n)?.div_rem_trunc(&self.linear(pool, d)?)?.1,
            Atom::Truth(formula) => Int::from(self.formula(pool, *formula)?),
        })
    }

    /// The element at `index`.
    pub fn element(&self, pool: &Pool, mut array: ArrayTermId, index: &Int) -> Option<Int> {
        loop {
            match pool.array(array) {
                ArrayTerm::Symbol(symbol) => {
                    return Some(self.arrays.get(symbol).map_or(Int::ZERO, |contents| contents.get(index).clone()));
                }
                ArrayTerm::Constant(value) => return Some(value.clone()),
                ArrayTerm::Store(_, at, value) if self.linear(pool, at)? == *index => return self.linear(pool, value),
                ArrayTerm::Store(inner, ..) => array = *inner,
            }
        }
    }

    /// The truth of a formula; `None` where a divisor is 0.
    pub fn formula(&self, pool: &Pool, formula: FormulaId) -> Option<bool> {
        Some(match pool.formula(formula) {
            Formula::True => true,
            Formula::False => false,
            Formula::Le(term) => !self.linear(pool, term)?.is_positive(),
            Formula::Eq(term) => self.linear(pool, term)?.is_zero(),
            Formula::Bool(symbol) => self.booleans.get(symbol).copied().unwrap_or(false),
            Formula::Not(inner) => !self.formula(pool, *inner)?,
            Formula::And(parts) => {
                for &part in parts {
                    if !self.formula(pool, part)? {
                        return Some(false);
                    }
                }
                true
            }
            Formula::Or(parts) => {
                for &part in parts {
                    if self.formula(pool, part)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }
}
