//! The linear relaxation: whether formulas can hold together over the rationals, as far as simplex alone can say.
//!
//! The relaxation takes inequalities as they stand, with the whole numbers' `t < 0` already written `t + 1 ≤ 0`. Atoms that
//! linear arithmetic cannot look into are free columns; it rounds nothing, splits no cases and makes no cuts. A denied
//! equality counts only where the rest forces the equality. Disjunctions and truth values do not count at all. So "refuted"
//! is right over the integers too, and "not refuted" says nothing. There is no certificate: a caller that makes a claim asks
//! [`super::Context`] again.

use super::literal::Lit;
use super::meter::{Exhausted, Meter};
use super::simplex::{BoundSide, ColumnId, Simplex, Trouble};
use crate::logic::{AtomId, Formula, FormulaId, Int, Linear, Pool};
use rustc_hash::FxHashMap;

/// A tableau that is kept from question to question.
#[derive(Clone, Debug, Default)]
pub struct Relaxation {
    simplex: Simplex,
    atoms: FxHashMap<AtomId, ColumnId>,
    /// Columns of forms with more than one atom, or a coefficient that is not 1.
    forms: FxHashMap<Vec<(AtomId, Int)>, ColumnId>,
}

impl Relaxation {
    /// Whether the relaxation of the formulas has no solution.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn refuted(&mut self, pool: &Pool, formulas: &[FormulaId], meter: &mut Meter) -> Result<bool, Exhausted> {
        let mark = self.simplex.mark();
        let result = self.run(pool, formulas, meter);
        self.simplex.undo(mark);
        result
    }

    fn run(&mut self, pool: &Pool, formulas: &[FormulaId], meter: &mut Meter) -> Result<bool, Exhausted> {
        meter.spend(1)?;
        let mut denied = Vec::new();
        let mut waiting: Vec<(FormulaId, bool)> = formulas.iter().map(|&formula| (formula, true)).collect();
        while let Some((formula, holds)) = waiting.pop() {
            let consistent = match pool.formula(formula) {
                Formula::True => holds,
                Formula::False => !holds,
                Formula::Not(inner) => {
                    waiting.push((*inner, !holds));
                    true
                }
                Formula::Le(term) if holds => self.at_most_zero(term),
                Formula::Le(term) => self.at_most_zero(&term.neg().add_constant(&Int::ONE)),
                Formula::Eq(term) if holds => self.at_most_zero(term) && self.at_most_zero(&term.neg()),
                Formula::Eq(term) => {
                    denied.push(term.clone());
                    true
                }
                Formula::And(parts) if holds => {
                    waiting.extend(parts.iter().map(|&part| (part, true)));
                    true
                }
                Formula::Or(parts) if !holds => {
                    waiting.extend(parts.iter().map(|&part| (part, false)));
                    true
                }
                Formula::Bool(_) | Formula::And(_) | Formula::Or(_) => true,
            };
            if !consistent {
                return Ok(true);
            }
        }
        if !self.solvable(meter)? {
            return Ok(true);
        }
        for term in denied {
            let mut possible = false;
            for side in [term.add_constant(&Int::ONE), term.neg().add_constant(&Int::ONE)] {
                let mark = self.simplex.mark();
                possible = possible || (self.at_most_zero(&side) && self.solvable(meter)?);
                self.simplex.undo(mark);
            }
            if !possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn solvable(&mut self, meter: &mut Meter) -> Result<bool, Exhausted> {
        match self.simplex.check(meter) {
            Ok(()) => Ok(true),
            Err(Trouble::Conflict(_)) => Ok(false),
            Err(Trouble::Exhausted(why)) => Err(why),
        }
    }

    /// `term ≤ 0`; whether that is possible at sight.
    fn at_most_zero(&mut self, term: &Linear) -> bool {
        let Some((_, first)) = term.terms().first() else { return !term.offset().is_positive() };
        // One column for a form and its negative.
        let positive = first.is_positive();
        let form = if positive { term.clone() } else { term.neg() };
        let column = self.column(form.terms());
        let (side, bound) = if positive { (BoundSide::Upper, -term.offset()) } else { (BoundSide::Lower, term.offset().clone()) };
        // No reasons are needed here.
        self.simplex.assert(column, side, &bound, Lit::new(0, true)).is_ok()
    }

    fn column(&mut self, form: &[(AtomId, Int)]) -> ColumnId {
        if let [(atom, coefficient)] = form
            && coefficient.is_one()
        {
            return self.atom(*atom);
        }
        if let Some(&column) = self.forms.get(form) {
            return column;
        }
        let parts = form.iter().map(|(atom, coefficient)| (self.atom(*atom), coefficient.clone())).collect();
        let column = self.simplex.add_slack(parts);
        self.forms.insert(form.to_vec(), column);
        column
    }

    fn atom(&mut self, atom: AtomId) -> ColumnId {
        let simplex = &mut self.simplex;
        *self.atoms.entry(atom).or_insert_with(|| simplex.add_column())
    }
}
