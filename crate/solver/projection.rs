//! Projection: what formulas say about some of their symbols, for some values of the others (`∃ others. formulas`).
//!
//! Source: W. Pugh, *The Omega test: a fast and practical integer programming algorithm for dependence analysis*,
//! Supercomputing 1991 / CACM 1992 (shadows, splinters). It serves to compare symbolic states (AGVW16) and to
//! find interpolants ([`super::interpolate`]).
//!
//! # Method
//!
//! 1. Conjuncts without an eliminated symbol stay as they are. The rest is a *case*: inequalities, equalities,
//!    disequalities, and disjunctions that wait.
//! 2. An equality `x = t` with coefficient ±1 replaces the eliminated `x` by `t` everywhere, also inside array indices,
//!    products and quotients ([`terms`]).
//! 3. An atom that still has an eliminated symbol inside becomes a variable to eliminate, defined by constraints where
//!    that is possible: quotients and remainders by constants, truth values, reads over writes, reads of an eliminated
//!    array (W. Ackermann 1954). A product of two terms, a quotient by a term and a read of a kept array at an eliminated
//!    index have no such definition: the result is then not exact.
//! 4. A waiting disjunction makes one case of each of its parts.
//! 5. What is left is linear (`omega`). A unimodular change of variables solves the equalities (Pugh's modulo
//!    substitution does the same with new variables); where the last variable has a coefficient `g > 1`, `g` divides the rest,
//!    written `rem(rest, g) = 0`, an atom that solver and checker know. Inequalities: Fourier–Motzkin, which is exact where
//!    one coefficient of each pair is 1 or both shadows agree; else the dark shadow and the splinters.
//!
//! # Precision
//!
//! With `∃` for the exact answer: [`Precision::Exact`] means `formula ⇔ ∃` for all values of the kept symbols,
//! [`Precision::Over`] `∃ ⇒ formula`, [`Precision::Under`] `formula ⇒ ∃`. The caller ([`ProjectionGoal`]) chooses the direction of a
//! loss; the result says [`Precision::Exact`] where there is none.
//!
//! # Termination, complexity
//!
//! Every split takes a disjunction, a disequality or a variable away, and there are at most [`MAX_CASES`] cases, so it
//! ends; beyond that bound the result is no longer exact. Fourier–Motzkin squares the number of inequalities with each
//! variable in the worst case; the meter pays for every pair. The order of elimination depends on numbers of terms only,
//! so the result is the same every time.

mod omega;
mod opaque;
#[cfg(test)]
mod tests;

use super::meter::{Exhausted, Meter};
use crate::logic::substitution::{Substitution, TermNode, coefficient, each_symbol};
use crate::logic::{ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SortedSet, SymbolId, ascending};
use omega::CaseOutcome;
use rustc_hash::FxHashMap;

/// What the caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectionGoal {
    /// The exact projection where possible, with splinters and divisibility; else an over-approximation.
    Exact,
    /// An over-approximation: real shadows, disequalities dropped where they would split. No splinters.
    Over,
    /// An under-approximation: dark shadows. No splinters.
    Under,
}

/// How the result relates to the exact projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Equivalent to it.
    Exact,
    /// Implied by it.
    Over,
    /// Implies it.
    Under,
}

/// The formula without the eliminated symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    /// A conjunction of kept conjuncts and one disjunction of conjunctions.
    pub formula: FormulaId,
    pub precision: Precision,
}

/// How many cases one projection may have.
pub const MAX_CASES: usize = 128;

/// Eliminates symbols (of integers, arrays or truth values) from the conjunction of the formulas.
///
/// # Errors
/// When the steps are used up.
pub fn project(
    pool: &mut Pool,
    conjuncts: &[FormulaId],
    eliminate: &[SymbolId],
    goal: ProjectionGoal,
    meter: &mut Meter,
) -> Result<Projection, Exhausted> {
    let mut symbols = SortedSet::new();
    symbols.extend(eliminate);
    let mut projector =
        Projector { symbols, goal, inexact: false, splits: MAX_CASES, mentioning: FxHashMap::default(), meter, disjuncts: Vec::new() };
    // 1.
    let mut case = Case::default();
    for symbol in projector.symbols.clone() {
        let name = pool.symbol_name(symbol).to_owned();
        case.variables.extend(pool.integer(&name).terms().iter().map(|term| term.0));
    }
    let mut stack = Vec::new();
    let mut kept = Vec::new();
    if projector.add(pool, &mut case, conjuncts.to_vec()) {
        kept = std::mem::take(&mut case.kept);
        stack.push(case);
    }
    while let Some(mut case) = stack.pop() {
        if !projector.settle(pool, &mut case)? {
            continue;
        }
        // 4.
        if let Some(cases) = projector.distribute(pool, &mut case) {
            stack.extend(cases.into_iter().rev());
            continue;
        }
        // 5.
        match omega::eliminate(&mut projector, pool, &mut case)? {
            CaseOutcome::Contradiction => {}
            CaseOutcome::Split(cases) => stack.extend(cases.into_iter().rev()),
            CaseOutcome::Done => {
                let disjunct = case.into_conjuncts(pool);
                projector.record(disjunct);
            }
        }
    }
    let disjuncts: Vec<FormulaId> = projector.disjuncts.iter().map(|parts| pool.and(parts)).collect();
    kept.push(pool.or(&disjuncts));
    let formula = pool.and(&kept);
    let precision = match goal {
        _ if !projector.inexact => Precision::Exact,
        // No formula is weaker than TRUE or stronger than FALSE.
        ProjectionGoal::Under if formula == Pool::TRUE => Precision::Exact,
        ProjectionGoal::Exact | ProjectionGoal::Over if formula == Pool::FALSE => Precision::Exact,
        ProjectionGoal::Under => Precision::Under,
        ProjectionGoal::Exact | ProjectionGoal::Over => Precision::Over,
    };
    Ok(Projection { formula, precision })
}

/// A conjunction that is being worked on.
#[derive(Clone, Default)]
struct Case {
    /// Each `≤ 0`.
    at_most: Vec<Linear>,
    /// Each `= 0`.
    equal: Vec<Linear>,
    /// Each `≠ 0`.
    unequal: Vec<Linear>,
    /// Truth values of eliminated symbols.
    booleans: SortedSet<(SymbolId, bool)>,
    /// Disjunctions with eliminated symbols.
    waiting: Vec<FormulaId>,
    /// Formulas without.
    kept: Vec<FormulaId>,
    /// The atoms to eliminate. Those with something inside are defined by the constraints, nothing else: what the pool
    /// says about them may speak of symbols that are replaced by now.
    variables: SortedSet<AtomId>,
    /// The reads of eliminated arrays: each a variable at first, the element and its index as they are now.
    reads: Vec<(Linear, ArrayTermId, Linear)>,
}

impl Case {
    fn constraints_mut(&mut self) -> impl Iterator<Item = &mut Linear> {
        self.at_most.iter_mut().chain(&mut self.equal).chain(&mut self.unequal)
    }

    fn constraints(&self) -> impl Iterator<Item = &Linear> {
        self.at_most.iter().chain(&self.equal).chain(&self.unequal)
    }

    /// What one look at all constraints costs.
    fn size(&self) -> u64 {
        1 + (self.at_most.len() + self.equal.len() + self.unequal.len()) as u64
    }

    /// Ascending, without what always holds.
    fn into_conjuncts(self, pool: &mut Pool) -> Vec<FormulaId> {
        let mut parts = self.kept;
        parts.extend(self.at_most.into_iter().map(|term| pool.le(term)));
        parts.extend(self.equal.iter().map(|term| pool.equal(term, &Linear::default())));
        for term in &self.unequal {
            let equal = pool.equal(term, &Linear::default());
            parts.push(pool.not(equal));
        }
        parts.retain(|&part| part != Pool::TRUE);
        ascending(parts)
    }
}

/// What is common to all cases.
struct Projector<'m, 'p> {
    symbols: SortedSet<SymbolId>,
    goal: ProjectionGoal,
    inexact: bool,
    /// How many more cases there may be.
    splits: usize,
    /// Whether an atom has an eliminated symbol inside, as far as known.
    mentioning: FxHashMap<AtomId, bool>,
    meter: &'m mut Meter<'p>,
    /// The results, each a conjunction with its parts ascending.
    disjuncts: Vec<Vec<FormulaId>>,
}

impl Projector<'_, '_> {
    /// Whether one case may become this many; if so, they are counted.
    fn may_split(&mut self, parts: usize) -> bool {
        let left = self.splits.checked_sub(parts.saturating_sub(1));
        self.splits = left.unwrap_or(self.splits);
        left.is_some()
    }

    /// Adds a result, unless a weaker one is there; stronger ones go.
    fn record(&mut self, disjunct: Vec<FormulaId>) {
        let is_subset = |weaker: &[FormulaId], stronger: &[FormulaId]| weaker.iter().all(|part| stronger.binary_search(part).is_ok());
        if disjunct.contains(&Pool::FALSE) || self.disjuncts.iter().any(|weaker| is_subset(weaker, &disjunct)) {
            return;
        }
        self.disjuncts.retain(|stronger| !is_subset(&disjunct, stronger));
        self.disjuncts.push(disjunct);
    }

    fn mentions(&self, pool: &Pool, node: TermNode) -> bool {
        !each_symbol(pool, [node], |symbol| !self.symbols.contains(&symbol))
    }

    fn atom_mentions(&mut self, pool: &Pool, atom: AtomId) -> bool {
        if let Some(&cached) = self.mentioning.get(&atom) {
            return cached;
        }
        let result = self.mentions(pool, TermNode::Atom(atom));
        self.mentioning.insert(atom, result);
        result
    }

    /// Adds formulas to a case. Gives whether no contradiction was seen.
    fn add(&mut self, pool: &mut Pool, case: &mut Case, mut formulas: Vec<FormulaId>) -> bool {
        while let Some(formula) = formulas.pop() {
            if formula == Pool::FALSE {
                return false;
            }
            if !self.mentions(pool, TermNode::Formula(formula)) {
                if formula != Pool::TRUE {
                    case.kept.push(formula);
                }
                continue;
            }
            let (positive, inner) = match *pool.formula(formula) {
                Formula::Not(inner) => (false, inner),
                _ => (true, formula),
            };
            match pool.formula(inner).clone() {
                Formula::True | Formula::False | Formula::Not(_) => {}
                Formula::Le(term) if positive => case.at_most.push(term),
                Formula::Le(term) => case.at_most.push(term.neg().add_constant(&Int::ONE)),
                Formula::Eq(term) if positive => {
                    let term = opaque::divisibility(pool, case, &term).unwrap_or(term);
                    case.equal.push(term);
                }
                Formula::Eq(term) => case.unequal.push(term),
                Formula::Bool(symbol) => {
                    case.booleans.insert((symbol, positive));
                    if case.booleans.contains(&(symbol, !positive)) {
                        return false;
                    }
                }
                Formula::And(parts) if positive => formulas.extend(parts),
                Formula::Or(_) if positive => case.waiting.push(formula),
                Formula::Or(parts) => formulas.extend(parts.iter().map(|&part| pool.not(part))),
                Formula::And(parts) => {
                    let parts: Vec<FormulaId> = parts.iter().map(|&part| pool.not(part)).collect();
                    case.waiting.push(pool.or(&parts));
                }
            }
        }
        true
    }

    /// Steps 2 and 3 as long as there is something to do. Gives whether no contradiction was seen.
    fn settle(&mut self, pool: &mut Pool, case: &mut Case) -> Result<bool, Exhausted> {
        loop {
            self.meter.spend(case.size() + case.waiting.len() as u64)?;
            if let Some(substituted) = self.substitute(pool, case) {
                if !substituted {
                    return Ok(false);
                }
                continue;
            }
            let next = |projector: &mut Self, case: &Case| {
                let atoms = case.constraints().flat_map(|term| term.terms().iter().map(|part| part.0));
                atoms.into_iter().find(|&atom| !case.variables.contains(&atom) && projector.atom_mentions(pool, atom))
            };
            let Some(atom) = next(self, case) else { return Ok(true) };
            if !opaque::define(self, pool, case, atom) {
                return Ok(false);
            }
        }
    }

    /// Replaces a variable that an equality with coefficient ±1 defines. Gives whether no contradiction was seen; nothing
    /// where there is no such equality.
    fn substitute(&mut self, pool: &mut Pool, case: &mut Case) -> Option<bool> {
        let defines = |pool: &Pool, term: &Linear, x: AtomId| {
            // What x is equal to must not have x inside.
            let mut inside = term.terms().iter().map(|part| part.0).filter(|atom| !case.variables.contains(atom)).map(TermNode::Atom);
            match *pool.atom(x) {
                Atom::Symbol(symbol) => each_symbol(pool, inside, |other| other != symbol),
                _ => inside.all(|atom| !self.mentions(pool, atom)),
            }
        };
        for at in 0..case.equal.len() {
            let term = &case.equal[at];
            let units = term.terms().iter().filter(|(atom, c)| c.abs().is_one() && case.variables.contains(atom));
            for (x, c) in units {
                if !defines(pool, term, *x) {
                    continue;
                }
                let to = term.scale(&-c).add(&Linear::atom(*x));
                let mut changed = case.clone();
                changed.equal.remove(at);
                if replace(pool, &mut changed, *x, to).is_some() {
                    *case = changed;
                    let waiting = std::mem::take(&mut case.waiting);
                    return Some(self.add(pool, case, waiting));
                }
            }
        }
        None
    }

    /// One case for each part of a waiting disjunction.
    fn distribute(&mut self, pool: &mut Pool, case: &mut Case) -> Option<Vec<Case>> {
        let size = |formula: &FormulaId| match pool.formula(*formula) {
            Formula::Or(parts) => (parts.len(), *formula),
            _ => (1, *formula),
        };
        let at = (0..case.waiting.len()).min_by_key(|&at| size(&case.waiting[at]))?;
        let chosen = case.waiting.remove(at);
        let mut parts = match pool.formula(chosen) {
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![chosen],
        };
        if !self.may_split(parts.len()) {
            self.inexact = true;
            match self.goal {
                // Under: one part only. Over: as if it were not there.
                ProjectionGoal::Under => parts.truncate(1),
                ProjectionGoal::Exact | ProjectionGoal::Over => return Some(vec![std::mem::take(case)]),
            }
        }
        let mut cases = Vec::with_capacity(parts.len());
        for part in parts {
            let mut new = case.clone();
            if self.add(pool, &mut new, vec![part]) {
                cases.push(new);
            }
        }
        Some(cases)
    }
}

/// Replaces a variable everywhere in a case; `None` where that is not possible.
fn replace(pool: &mut Pool, case: &mut Case, x: AtomId, to: Linear) -> Option<()> {
    let mut fixed = SortedSet::new();
    fixed.extend(case.variables.iter().copied().filter(|&atom| atom != x));
    let mut substitution = Substitution::new(x, to.clone(), &fixed);
    let mut replaced = |pool: &mut Pool, term: &Linear| {
        // Most terms do not have it inside, only beside.
        let c = coefficient(term, x);
        let direct = if c.is_zero() { term.clone() } else { term.add_scaled(&to.sub(&Linear::atom(x)), &c) };
        substitution.term(pool, &direct)
    };
    for term in case.constraints_mut() {
        *term = replaced(pool, term)?;
    }
    for (element, _, index) in &mut case.reads {
        (*element, *index) = (replaced(pool, element)?, replaced(pool, index)?);
    }
    for formula in &mut case.waiting {
        *formula = substitution.formula(pool, *formula)?;
    }
    Some(())
}
