//! The ranges of variables by their types, and the essential parts of a condition: without what the types say by themselves, and without
//! what another part says more strictly.

use crate::logic::{ArrayTerm, Atom, AtomId, Formula, FormulaId, Int, IntRange, Linear, Pool, SymbolId};
use crate::lts::Lts;
use crate::symex::TermBounds;
use rustc_hash::FxHashMap;

/// Of a condition of more parts the essential ones are not looked for.
pub const PARTS: usize = 300;

/// The ranges of the variables and of the elements of the arrays that have one.
#[derive(Debug)]
pub struct TypeRanges(FxHashMap<SymbolId, IntRange>);

impl TypeRanges {
    /// Those of a program's variables, each a symbol of its name.
    pub fn of(lts: &Lts, pool: &mut Pool) -> TypeRanges {
        let variables = lts.variables.iter().map(|variable| (&variable.name, &variable.range));
        let arrays = lts.arrays.iter().map(|array| (&array.name, &array.range));
        TypeRanges(variables.chain(arrays).filter_map(|(name, range)| Some((pool.symbol(name), (*range)?))).collect())
    }

    fn range(&self, pool: &Pool, atom: AtomId) -> Option<&IntRange> {
        match pool.atom(atom) {
            Atom::Symbol(symbol) => self.0.get(symbol),
            Atom::Select(array, _) => match pool.array(*array) {
                ArrayTerm::Symbol(symbol) => self.0.get(symbol),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the types alone make the term at most 0.
    fn show(&self, pool: &Pool, term: &Linear) -> bool {
        let mut bounds = TermBounds::default();
        for (atom, _) in term.terms() {
            if let Some(range) = self.range(pool, *atom) {
                bounds.learn_atom(&Linear::atom(*atom), range);
            }
        }
        bounds.bounds(pool, term).is_at_most(&Int::ZERO)
    }

    /// Whether the types alone, or with `other`, show the part of a condition.
    fn imply(&self, pool: &Pool, other: Option<FormulaId>, part: FormulaId) -> bool {
        let Some(term) = at_most_zero(pool, part) else { return false };
        let Some(other) = other else { return self.show(pool, &term) };
        let Some(stricter) = at_most_zero(pool, other) else { return false };
        if stricter.terms() == term.terms() {
            return stricter.offset() >= term.offset();
        }
        // A bound of one value from a comparison of it with others.
        let [(atom, _)] = term.terms() else { return false };
        stricter.terms().iter().any(|(other, _)| other == atom) && self.show(pool, &term.add_scaled(&stricter, &Int::MINUS_ONE))
    }

    /// The parts of a condition that say something: with the types they are all of it. None for one of more than [`PARTS`] parts.
    pub fn essential(&self, pool: &Pool, condition: FormulaId) -> Option<Vec<FormulaId>> {
        if pool.size(condition, PARTS + 1) > PARTS {
            return None;
        }
        let (mut parts, mut waiting) = (Vec::new(), vec![condition]);
        while let Some(formula) = waiting.pop() {
            match pool.formula(formula) {
                Formula::And(inner) => waiting.extend(inner.iter().rev()),
                Formula::True => {}
                _ if parts.contains(&formula) || self.imply(pool, None, formula) => {}
                _ => parts.push(formula),
            }
        }
        // One after the other, so that of two that imply each other the first is kept.
        for at in (0..parts.len()).rev() {
            let is_said = (0..parts.len()).any(|other| other != at && self.imply(pool, Some(parts[other]), parts[at]));
            if is_said {
                parts.remove(at);
            }
        }
        Some(parts)
    }
}

/// The term of which an inequality says that it is at most 0.
fn at_most_zero(pool: &Pool, part: FormulaId) -> Option<Linear> {
    match pool.formula(part) {
        Formula::Le(term) => Some(term.clone()),
        Formula::Not(inner) => match pool.formula(*inner) {
            Formula::Le(term) => Some(term.neg().add_constant(&Int::ONE)),
            _ => None,
        },
        _ => None,
    }
}
