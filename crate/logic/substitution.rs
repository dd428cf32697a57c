//! Looking into terms: which symbols occur anywhere inside, and replacing an atom by a term everywhere.

use super::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SymbolId};
use crate::logic::SortedSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a term or formula, of any sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermNode {
    Atom(AtomId),
    Array(ArrayTermId),
    Formula(FormulaId),
}

/// Calls `visit` with each symbol inside the roots, at least once, until it says stop (`false`). Gives whether it never did.
pub fn each_symbol(pool: &Pool, roots: impl IntoIterator<Item = TermNode>, mut visit: impl FnMut(SymbolId) -> bool) -> bool {
    let mut stack: Vec<TermNode> = roots.into_iter().collect();
    let mut seen: FxHashSet<TermNode> = stack.iter().copied().collect();
    while let Some(node) = stack.pop() {
        let mut go = |next: TermNode| {
            if seen.insert(next) {
                stack.push(next);
            }
        };
        let mut go_term = |term: &Linear| term.terms().iter().for_each(|&(atom, _)| go(TermNode::Atom(atom)));
        let symbol = match node {
            TermNode::Atom(atom) => match pool.atom(atom) {
                Atom::Symbol(symbol) => Some(*symbol),
                Atom::Select(array, index) => {
                    go_term(index);
                    go(TermNode::Array(*array));
                    None
                }
                Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => {
                    go_term(l);
                    go_term(r);
                    None
                }
                Atom::Truth(formula) => {
                    go(TermNode::Formula(*formula));
                    None
                }
            },
            TermNode::Array(array) => match pool.array(array) {
                ArrayTerm::Symbol(symbol) => Some(*symbol),
                ArrayTerm::Constant(_) => None,
                ArrayTerm::Store(inner, at, value) => {
                    go_term(at);
                    go_term(value);
                    go(TermNode::Array(*inner));
                    None
                }
            },
            TermNode::Formula(formula) => match pool.formula(formula) {
                Formula::Bool(symbol) => Some(*symbol),
                Formula::True | Formula::False => None,
                Formula::Le(term) | Formula::Eq(term) => {
                    go_term(term);
                    None
                }
                Formula::Not(inner) => {
                    go(TermNode::Formula(*inner));
                    None
                }
                Formula::And(parts) | Formula::Or(parts) => {
                    parts.iter().for_each(|&part| go(TermNode::Formula(part)));
                    None
                }
            },
        };
        if symbol.is_some_and(|symbol| !visit(symbol)) {
            return false;
        }
    }
    true
}

/// The symbols that occur anywhere inside the formulas.
pub fn symbols(pool: &Pool, formulas: &[FormulaId]) -> SortedSet<SymbolId> {
    let mut found = SortedSet::new();
    each_symbol(pool, formulas.iter().map(|&formula| TermNode::Formula(formula)), |symbol| {
        found.insert(symbol);
        true
    });
    found
}

/// The coefficient of an atom in a term.
pub fn coefficient(term: &Linear, atom: AtomId) -> Int {
    term.terms().binary_search_by_key(&atom, |part| part.0).map_or(Int::ZERO, |at| term.terms()[at].1.clone())
}

/// The replacement of an atom by a term, also inside other atoms. Remembers what it did.
pub struct Substitution {
    atoms: FxHashMap<AtomId, Linear>,
    arrays: FxHashMap<ArrayTermId, ArrayTermId>,
    formulas: FxHashMap<FormulaId, FormulaId>,
}

impl Substitution {
    /// `from` becomes `to`; what is `fixed` stays as it is and is not looked into.
    pub fn new(from: AtomId, to: Linear, fixed: &SortedSet<AtomId>) -> Substitution {
        let mut atoms: FxHashMap<AtomId, Linear> = fixed.iter().map(|&atom| (atom, Linear::atom(atom))).collect();
        atoms.insert(from, to);
        Substitution { atoms, arrays: FxHashMap::default(), formulas: FxHashMap::default() }
    }

    /// The atoms become these terms all at once.
    pub fn of(replaced: impl IntoIterator<Item = (AtomId, Linear)>) -> Substitution {
        Substitution { atoms: replaced.into_iter().collect(), arrays: FxHashMap::default(), formulas: FxHashMap::default() }
    }

    /// These atoms become those terms too.
    pub fn and_atoms(mut self, replaced: impl IntoIterator<Item = (AtomId, Linear)>) -> Substitution {
        self.atoms.extend(replaced);
        self
    }

    /// This array becomes that one too.
    pub fn and_array(mut self, from: ArrayTermId, to: ArrayTermId) -> Substitution {
        self.arrays.insert(from, to);
        self
    }

    /// The term after the replacement; `None` where a divisor would become 0, which no term can express.
    pub fn term(&mut self, pool: &mut Pool, term: &Linear) -> Option<Linear> {
        let mut changed: Option<Linear> = None;
        for (atom, coefficient) in term.terms() {
            let new = self.atom(pool, *atom)?;
            if new != Linear::atom(*atom) {
                let difference = new.sub(&Linear::atom(*atom));
                changed = Some(changed.as_ref().unwrap_or(term).add_scaled(&difference, coefficient));
            }
        }
        Some(changed.unwrap_or_else(|| term.clone()))
    }

    fn atom(&mut self, pool: &mut Pool, atom: AtomId) -> Option<Linear> {
        if let Some(cached) = self.atoms.get(&atom) {
            return Some(cached.clone());
        }
        let new = match pool.atom(atom).clone() {
            Atom::Symbol(_) => Linear::atom(atom),
            Atom::Select(array, index) => {
                let (array, index) = (self.array(pool, array)?, self.term(pool, &index)?);
                pool.select(array, &index)
            }
            Atom::Product(l, r) => {
                let (l, r) = (self.term(pool, &l)?, self.term(pool, &r)?);
                pool.product(&l, &r)
            }
            Atom::BitAnd(l, r) => {
                let (l, r) = (self.term(pool, &l)?, self.term(pool, &r)?);
                pool.bit_and(&l, &r)
            }
            Atom::DivTrunc(n, d) => {
                let (n, d) = (self.term(pool, &n)?, self.term(pool, &d)?);
                pool.div_rem_trunc(&n, &d)?.0
            }
            Atom::RemTrunc(n, d) => {
                let (n, d) = (self.term(pool, &n)?, self.term(pool, &d)?);
                pool.div_rem_trunc(&n, &d)?.1
            }
            Atom::Truth(formula) => {
                let formula = self.formula(pool, formula)?;
                pool.truth(formula)
            }
        };
        self.atoms.insert(atom, new.clone());
        Some(new)
    }

    /// Down the writes to what is known, then up again: chains of writes are long.
    pub fn array(&mut self, pool: &mut Pool, array: ArrayTermId) -> Option<ArrayTermId> {
        let mut writes = Vec::new();
        let mut at = array;
        let mut new = loop {
            match (self.arrays.get(&at), pool.array(at)) {
                (Some(&cached), _) => break cached,
                (None, ArrayTerm::Store(inner, index, value)) => {
                    writes.push((at, index.clone(), value.clone()));
                    at = *inner;
                }
                (None, _) => break at,
            }
        };
        for (old, index, value) in writes.into_iter().rev() {
            let (index, value) = (self.term(pool, &index)?, self.term(pool, &value)?);
            new = pool.store(new, index, value);
            self.arrays.insert(old, new);
        }
        Some(new)
    }

    /// The formula after the replacement; `None` as for [`Substitution::term`].
    pub fn formula(&mut self, pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
        if let Some(&cached) = self.formulas.get(&formula) {
            return Some(cached);
        }
        let new = match pool.formula(formula).clone() {
            Formula::True | Formula::False | Formula::Bool(_) => formula,
            Formula::Le(term) => {
                let term = self.term(pool, &term)?;
                pool.le(term)
            }
            Formula::Eq(term) => {
                let term = self.term(pool, &term)?;
                pool.equal(&term, &Linear::default())
            }
            Formula::Not(inner) => {
                let inner = self.formula(pool, inner)?;
                pool.not(inner)
            }
            Formula::And(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|&part| self.formula(pool, part)).collect();
                pool.and(&parts?)
            }
            Formula::Or(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|&part| self.formula(pool, part)).collect();
                pool.or(&parts?)
            }
        };
        self.formulas.insert(formula, new);
        Some(new)
    }
}
