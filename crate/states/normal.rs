//! Normal form of a conjunction: equal sets of states should be equal lists of formulas.
//!
//! 1. Divide each inequality by the content of its coefficients and round its constant; the same for equalities and
//!    disequalities, which this may refute or show to hold always.
//! 2. Gather those with the same form (the terms without the constant) in one range: the greatest lower bound, the least
//!    upper bound, the values left out between them; a value left out at an end moves the end.
//! 3. A range of one value is an equation: solve it for the lowest symbol with coefficient ±1, and replace that symbol in
//!    everything else, also inside other atoms. Again from 1, until nothing is left to solve.
//! 4. Drop what the rest implies; the solver says so, and newer formulas go first.
//!
//! Over the rationals, where no inequalities together imply an equation, the result is unique; over the integers and with
//! disjunctions two lists may describe one set. That costs a merge, nothing else.

use super::post::as_symbol;
use super::{Ask, States};
use crate::logic::substitution::Substitution;
use crate::logic::{Arrange, AtomId, Formula, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, gathered};
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use std::rc::Rc;

impl States<'_> {
    /// The normal form; `None` where the steps find a contradiction.
    pub(super) fn canonical(&mut self, conjuncts: Vec<FormulaId>, ask: &mut Ask) -> Result<Option<Rc<[FormulaId]>>, Exhausted> {
        if let Some(cached) = self.normal.get(&conjuncts) {
            return Ok(cached.clone());
        }
        ask.meter.spend(1 + conjuncts.len() as u64)?;
        let result = match solved(&mut self.pool, conjuncts.clone()) {
            None => None,
            Some(Solved { equations, rest }) => {
                let rest = self.without_implied(&equations, rest, ask)?;
                let mut all: Vec<FormulaId> = equations.into_iter().chain(rest).collect();
                all.arrange();
                all.dedup();
                Some(Rc::from(all))
            }
        };
        self.normal.insert(conjuncts, result.clone());
        Ok(result)
    }

    /// Step 4. What the rest keeps does not depend on the equations, unless it has atoms that these may tie to each other: sets that differ in
    /// the values of counters share the answer.
    fn without_implied(&mut self, equations: &[FormulaId], rest: Vec<FormulaId>, ask: &mut Ask) -> Result<Vec<FormulaId>, Exhausted> {
        let is_opaque = |pool: &Pool| Mentions::of(pool, &rest, &[]).atoms.iter().any(|&atom| as_symbol(pool, atom).is_none());
        if rest.len() < 2 || is_opaque(&self.pool) {
            return self.needed(equations, rest, ask);
        }
        if let Some(cached) = self.needed.get(&rest) {
            return Ok(cached.clone());
        }
        let found = self.needed(&[], rest.clone(), ask)?;
        self.needed.insert(rest, found.clone());
        Ok(found)
    }

    /// The formulas that the others and the equations do not imply.
    fn needed(&mut self, equations: &[FormulaId], mut rest: Vec<FormulaId>, ask: &mut Ask) -> Result<Vec<FormulaId>, Exhausted> {
        let atoms: Vec<SortedSet<AtomId>> = rest.iter().map(|&formula| Mentions::of(&self.pool, &[formula], &[]).atoms).collect();
        let mut atoms: SortedMap<FormulaId, SortedSet<AtomId>> = gathered(rest.iter().copied().zip(atoms));
        let mut at = rest.len();
        while at > 0 {
            at -= 1;
            let formula = rest[at];
            let others: Vec<FormulaId> = rest.iter().copied().filter(|&other| other != formula).collect();
            // Implied only by what speaks of the same things; equations speak of what they solve only.
            let shared = |atom| others.iter().any(|other| atoms[other].contains(atom));
            if !atoms[&formula].iter().all(shared) {
                continue;
            }
            let mut question = others.clone();
            question.push(self.pool.not(formula));
            // Opaque atoms may be tied to each other by the equations.
            question
                .extend(equations.iter().copied().filter(|_| atoms[&formula].iter().any(|&atom| as_symbol(&self.pool, atom).is_none())));
            if matches!(ask.decide(&mut self.pool, &question)?, Answer::Unsat(_)) {
                atoms.remove(&formula);
                rest.remove(at);
            }
        }
        Ok(rest)
    }
}

/// A conjunction after step 3.
struct Solved {
    /// Solved for their first symbol, which occurs nowhere else.
    equations: Vec<FormulaId>,
    rest: Vec<FormulaId>,
}

/// The values that a form may have.
#[derive(Default)]
struct FormRange {
    lower: Option<Int>,
    upper: Option<Int>,
    not: SortedSet<Int>,
}

/// Steps 1 to 3; `None` where they find a contradiction.
fn solved(pool: &mut Pool, mut formulas: Vec<FormulaId>) -> Option<Solved> {
    let mut done: Vec<(AtomId, Linear)> = Vec::new();
    loop {
        let (ranges, other) = ranges(pool, formulas)?;
        let equation = ranges.iter().find_map(|(form, range)| {
            let value = range.lower.as_ref().filter(|lower| range.upper.as_ref() == Some(lower))?;
            let term = Linear::new(form.clone(), -value);
            pivot(pool, &term).map(|atom| (atom, term))
        });
        formulas = written(pool, ranges);
        formulas.extend(other);
        let Some((atom, term)) = equation else { break };
        // ±atom + rest = 0, so atom = ∓rest.
        let coefficient = crate::logic::substitution::coefficient(&term, atom);
        let value = Linear::atom(atom).sub(&term.scale(&coefficient));
        let mut substitution = Substitution::of([(atom, value.clone())]);
        let mut changed = Vec::with_capacity(formulas.len());
        for formula in formulas {
            changed.push(substitution.formula(pool, formula)?);
        }
        for (_, term) in &mut done {
            *term = substitution.term(pool, term)?;
        }
        done.push((atom, value));
        formulas = changed;
    }
    let equations = done.into_iter().map(|(atom, value)| pool.equal(&Linear::atom(atom), &value)).collect();
    formulas.arrange();
    formulas.dedup();
    Some(Solved { equations, rest: formulas })
}

/// The lowest symbol with coefficient ±1 that does not occur inside another atom of the term.
fn pivot(pool: &Pool, term: &Linear) -> Option<AtomId> {
    let units = term.terms().iter().filter(|(atom, c)| c.abs().is_one() && as_symbol(pool, *atom).is_some());
    let mut units = units.map(|(atom, _)| *atom);
    units.find(|&unit| {
        let opaque: Vec<Linear> =
            term.terms().iter().filter(|(atom, _)| as_symbol(pool, *atom).is_none()).map(|(atom, _)| Linear::atom(*atom)).collect();
        !Mentions::of(pool, &[], &opaque.iter().collect::<Vec<_>>()).atoms.contains(&unit)
    })
}

type FormRanges = SortedMap<Vec<(AtomId, Int)>, FormRange>;

/// Steps 1 and 2: the ranges of forms, and the formulas that are none. `None` where they find a contradiction.
fn ranges(pool: &mut Pool, mut formulas: Vec<FormulaId>) -> Option<(FormRanges, SortedSet<FormulaId>)> {
    let mut ranges = FormRanges::new();
    let mut other = SortedSet::new();
    while let Some(formula) = formulas.pop() {
        let (positive, inner) = match *pool.formula(formula) {
            Formula::Not(inner) => (false, inner),
            _ => (true, formula),
        };
        match (pool.formula(inner), positive) {
            (Formula::True, true) | (Formula::False, false) => {}
            (Formula::True, false) | (Formula::False, true) => return None,
            (Formula::And(parts), true) => formulas.extend(parts.iter()),
            (Formula::Or(parts), false) => {
                let parts = parts.clone();
                formulas.extend(parts.iter().map(|&part| pool.not(part)));
            }
            (Formula::Le(term), true) => at_most(&mut ranges, term),
            (Formula::Le(term), false) => at_most(&mut ranges, &term.neg().add_constant(&Int::ONE)),
            (Formula::Eq(term), _) => {
                let content = term.content();
                match (-term.offset()).is_multiple_of(&content) {
                    true => {
                        let (form, value) = (form(term, &content), quotient(&-term.offset(), &content));
                        let range = ranges.entry(form).or_default();
                        if positive {
                            raise(range, value.clone());
                            lower(range, value);
                        } else {
                            range.not.insert(value);
                        }
                    }
                    false if positive => return None,
                    false => {}
                }
            }
            _ => {
                other.insert(formula);
            }
        }
    }
    for range in ranges.values_mut() {
        while let Some(lower) = range.lower.as_mut().filter(|lower| range.not.contains(lower)) {
            *lower += &Int::ONE;
        }
        while let Some(upper) = range.upper.as_mut().filter(|upper| range.not.contains(upper)) {
            *upper -= &Int::ONE;
        }
        let FormRange { lower, upper, not } = range;
        not.retain(|value| lower.as_ref().is_none_or(|lower| value > lower) && upper.as_ref().is_none_or(|upper| value < upper));
        if let (Some(lower), Some(upper)) = (lower, upper)
            && lower > upper
        {
            return None;
        }
    }
    ranges.retain(|_, range| range.lower.is_some() || range.upper.is_some() || !range.not.is_empty());
    Some((ranges, other))
}

/// The terms divided by the content, the first coefficient positive if the term's was.
fn form(term: &Linear, content: &Int) -> Vec<(AtomId, Int)> {
    term.terms().iter().map(|(atom, c)| (*atom, quotient(c, content))).collect()
}

fn quotient(value: &Int, divisor: &Int) -> Int {
    value.div_floor(divisor).expect("a content is not 0")
}

fn raise(range: &mut FormRange, bound: Int) {
    range.lower = Some(range.lower.take().map_or(bound.clone(), |old| old.max(bound)));
}

fn lower(range: &mut FormRange, bound: Int) {
    range.upper = Some(range.upper.take().map_or(bound.clone(), |old| old.min(bound)));
}

/// Adds `term ≤ 0`.
fn at_most(ranges: &mut FormRanges, term: &Linear) {
    let content = term.content();
    // g·p ≤ -c: p ≤ ⌊-c / g⌋.
    let bound = quotient(&-term.offset(), &content);
    if term.terms()[0].1.is_positive() {
        lower(ranges.entry(form(term, &content)).or_default(), bound);
    } else {
        raise(ranges.entry(form(&term.neg(), &content)).or_default(), -&bound);
    }
}

/// The ranges as formulas.
fn written(pool: &mut Pool, ranges: FormRanges) -> Vec<FormulaId> {
    let mut formulas = Vec::new();
    for (form, range) in ranges {
        let term = Linear::new(form, Int::ZERO);
        if range.lower.is_some() && range.lower == range.upper {
            formulas.extend(range.lower.map(|value| pool.equal(&term, &Linear::constant(value))));
            continue;
        }
        formulas.extend(range.lower.map(|value| pool.at_most(&Linear::constant(value), &term)));
        formulas.extend(range.upper.map(|value| pool.at_most(&term, &Linear::constant(value))));
        for value in range.not {
            let equal = pool.equal(&term, &Linear::constant(value));
            formulas.push(pool.not(equal));
        }
    }
    formulas
}
