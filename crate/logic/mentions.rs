//! What formulas and terms speak of: all symbols and atoms below them.

use super::SortedSet;
use super::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Linear, Pool, SymbolId};

/// The symbols and atoms in some formulas and terms, at any depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    pub symbols: SortedSet<SymbolId>,
    pub atoms: SortedSet<AtomId>,
}

impl Mentions {
    /// All that these formulas and these terms speak of.
    pub fn of(pool: &Pool, formulas: &[FormulaId], terms: &[&Linear]) -> Mentions {
        Mentions::below(pool, formulas, terms, Vec::new())
    }

    /// All that an array term speaks of.
    pub fn of_array(pool: &Pool, array: ArrayTermId) -> Mentions {
        Mentions::below(pool, &[], &[], vec![array])
    }

    fn below(pool: &Pool, formulas: &[FormulaId], terms: &[&Linear], mut arrays: Vec<ArrayTermId>) -> Mentions {
        let Mentions { mut symbols, atoms: mut seen_atoms } = Mentions::default();
        let mut seen_formulas = SortedSet::new();
        seen_formulas.extend(formulas);
        let mut seen_arrays = SortedSet::new();
        let mut formulas: Vec<FormulaId> = formulas.to_vec();
        let mut terms: Vec<&Linear> = terms.to_vec();
        loop {
            if let Some(formula) = formulas.pop() {
                let parts: &[FormulaId] = match pool.formula(formula) {
                    Formula::True | Formula::False => &[],
                    Formula::Le(term) | Formula::Eq(term) => {
                        terms.push(term);
                        &[]
                    }
                    Formula::Bool(symbol) => {
                        symbols.insert(*symbol);
                        &[]
                    }
                    Formula::Not(inner) => std::slice::from_ref(inner),
                    Formula::And(parts) | Formula::Or(parts) => parts,
                };
                formulas.extend(parts.iter().filter(|&&part| seen_formulas.insert(part)));
            } else if let Some(term) = terms.pop() {
                for (atom, _) in term.terms() {
                    if !seen_atoms.insert(*atom) {
                        continue;
                    }
                    match pool.atom(*atom) {
                        Atom::Symbol(symbol) => {
                            symbols.insert(*symbol);
                        }
                        Atom::Select(array, index) => {
                            arrays.push(*array);
                            terms.push(index);
                        }
                        Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => terms.extend([l, r]),
                        Atom::Truth(formula) => formulas.extend(seen_formulas.insert(*formula).then_some(*formula)),
                    }
                }
            } else if let Some(array) = arrays.pop() {
                if !seen_arrays.insert(array) {
                    continue;
                }
                match pool.array(array) {
                    ArrayTerm::Symbol(symbol) => {
                        symbols.insert(*symbol);
                    }
                    ArrayTerm::Constant(_) => {}
                    ArrayTerm::Store(inner, index, value) => {
                        arrays.push(*inner);
                        terms.extend([index, value]);
                    }
                }
            } else {
                return Mentions { symbols, atoms: seen_atoms };
            }
        }
    }
}
