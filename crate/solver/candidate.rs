//! The candidate model: what simplex proposes, evaluated on formulas.
//!
//! The evaluation of a literal on the trail does not look into a part that has a value itself: that part or its negation is
//! on the trail too, with an evaluation of its own. It evaluates the rest once for each candidate, without recursion.

use super::encode;
use super::literal::Lit;
use super::rational::Rational;
use super::search::Search;
use crate::logic::{AtomId, Formula, FormulaId, Int, Linear, Pool};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// The candidate model: the values of simplex, some of them moved to whole ones.
pub struct Candidate<'a> {
    pub search: &'a Search,
    moved: &'a FxHashMap<AtomId, Int>,
    /// Whether formulas are evaluated with fractions; else values are rounded down.
    relaxed: bool,
    met_fractions: Cell<bool>,
    /// Of the connectives evaluated so far, whether they hold.
    memo: RefCell<FxHashMap<FormulaId, bool>>,
}

impl<'a> Candidate<'a> {
    /// The candidate with the moved values, and the others rounded down.
    pub fn new(search: &'a Search, moved: &'a FxHashMap<AtomId, Int>) -> Candidate<'a> {
        Candidate { search, moved, relaxed: false, met_fractions: Cell::new(false), memo: RefCell::default() }
    }

    /// The candidate with the fractions that simplex gives.
    pub fn relaxed(search: &'a Search, unmoved: &'a FxHashMap<AtomId, Int>) -> Candidate<'a> {
        Candidate { relaxed: true, ..Candidate::new(search, unmoved) }
    }

    /// Whether the evaluation met a fraction.
    pub fn met_fractions(&self) -> bool {
        self.met_fractions.get()
    }

    /// How many connectives the candidate has evaluated.
    pub fn effort(&self) -> u64 {
        self.memo.borrow().len() as u64
    }

    /// The value of an atom, rounded down; an atom that no constraint speaks of is 0.
    pub fn value(&self, atom: AtomId) -> Int {
        let simplex = || self.search.columns.get(&atom).map_or(Int::ZERO, |&column| self.search.simplex.floor(column));
        self.moved.get(&atom).cloned().unwrap_or_else(simplex)
    }

    pub fn evaluate(&self, term: &Linear) -> Int {
        term.terms().iter().fold(term.offset().clone(), |sum, (atom, c)| sum + &(&self.value(*atom) * c))
    }

    /// The sign of a term.
    fn signum(&self, term: &Linear) -> i32 {
        let simplex = &self.search.simplex;
        let column = |atom: &AtomId| self.search.columns.get(atom).copied();
        let is_whole = |(atom, _): &(AtomId, Int)| column(atom).is_none_or(|column| simplex.is_whole(column));
        if !self.relaxed || term.terms().iter().all(is_whole) {
            return self.evaluate(term).signum();
        }
        self.met_fractions.set(true);
        let value = |atom: &AtomId| column(atom).map_or(Rational::ZERO, |column| simplex.value(column));
        let start = Rational::from(term.offset());
        term.terms().iter().fold(start, |sum, (atom, c)| sum.add(&value(atom).scale(c, &Int::ONE))).signum()
    }

    /// Whether what the literal says is so under the candidate.
    pub fn holds(&self, pool: &Pool, lit: Lit) -> bool {
        let formula = self.search.vars[lit.var() as usize].formula;
        self.is_so(pool, formula) == lit.is_positive()
    }

    /// Whether all values are so small that conjuncts that wait ([`super::encode::late`]) are not violated.
    pub fn is_calm(&self) -> bool {
        let calm = |value: &Int| value.to_i64().is_some_and(|value| value.unsigned_abs() < encode::CALM);
        self.moved.values().all(calm) && self.search.columns.values().all(|&column| calm(&self.search.simplex.floor(column)))
    }

    /// Whether a formula holds under the candidate.
    pub fn is_so(&self, pool: &Pool, formula: FormulaId) -> bool {
        self.atomic(pool, formula).unwrap_or_else(|| self.connective(pool, formula))
    }

    /// The truth of a formula without connectives.
    fn atomic(&self, pool: &Pool, formula: FormulaId) -> Option<bool> {
        match pool.formula(formula) {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Le(term) => Some(self.signum(term) <= 0),
            Formula::Eq(term) => Some(self.signum(term) == 0),
            Formula::Bool(_) => Some(self.assigned(formula).unwrap_or(false)),
            Formula::Not(_) | Formula::And(_) | Formula::Or(_) => None,
        }
    }

    /// The value of a formula on the trail.
    fn assigned(&self, formula: FormulaId) -> Option<bool> {
        self.search.var_of.get(&formula).and_then(|&var| self.search.value(Lit::new(var, true)))
    }

    /// The truth of a connective, from the truth of its parts.
    fn connective(&self, pool: &Pool, formula: FormulaId) -> bool {
        let truth = |part: FormulaId| {
            let recorded = || self.memo.borrow().get(&part).copied();
            self.atomic(pool, part).or_else(|| self.assigned(part)).or_else(recorded)
        };
        let mut waiting = vec![formula];
        loop {
            let Some(&top) = waiting.last() else { return self.memo.borrow().get(&formula) == Some(&true) };
            let (parts, absorbing) = match pool.formula(top) {
                Formula::Not(inner) => (std::slice::from_ref(inner), None),
                Formula::And(parts) => (&parts[..], Some(false)),
                Formula::Or(parts) => (&parts[..], Some(true)),
                _ => (&[][..], None),
            };
            let before = waiting.len();
            let mut value = absorbing != Some(true);
            for &part in parts {
                match truth(part) {
                    None => waiting.push(part),
                    Some(negated) if absorbing.is_none() => value = !negated,
                    Some(decisive) if absorbing == Some(decisive) => {
                        value = decisive;
                        waiting.truncate(before);
                        break;
                    }
                    Some(_) => {}
                }
            }
            if waiting.len() == before {
                self.memo.borrow_mut().insert(top, value);
                waiting.pop();
            }
        }
    }
}
