//! Γ-minimal explanations (DBG10, Section II-B and Fig. 4), one or all of them, and what would have to go for the rest to hold.
//!
//! A set of constraints is a set of positions in one list. [`SubsetVerdicts`] asks Γ about such sets and remembers: a superset of an
//! inconsistent set is inconsistent, a subset of one that is not inconsistent is not (Γ is monotone), and a model answers for all
//! constraints that it satisfies. So most questions of Fig. 4 cost nothing.
//!
//! [`explain`] is Fig. 4: the variant of QuickXplain (U. Junker, 2001) that does not ask what it knows already. [`all`]
//! enumerates all minimal explanations as MARCO does (M. Liffiton, A. Previti, A. Malik, J. Marques-Silva, *Fast, Flexible MUS
//! Enumeration*, 2016): a map of the sets that are still open gives a seed; a consistent seed grows to a maximal one, whose
//! complement is a *correction*; an inconsistent one shrinks to an explanation. Hitting sets search the map: a seed is everything
//! but a smallest set that meets all explanations found so far.

use super::consistency::{Consistency, ConsistencyVerdict};
use crate::logic::Arrange;
use crate::logic::{Assignment, FormulaId, Pool};
use crate::solver::Refutation;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of positions; the first 128 need no memory of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSet {
    first: u128,
    rest: Vec<u64>,
}

impl PositionSet {
    pub fn new(size: usize) -> PositionSet {
        PositionSet { first: 0, rest: vec![0; size.saturating_sub(128).div_ceil(64)] }
    }

    pub fn of(size: usize, positions: &[usize]) -> PositionSet {
        let mut set = PositionSet::new(size);
        positions.iter().for_each(|&position| set.insert(position));
        set
    }

    /// The first `count` positions.
    fn first(size: usize, count: usize) -> PositionSet {
        let mut set = PositionSet::new(size);
        set.first = if count >= 128 { u128::MAX } else { (1 << count) - 1 };
        (128..count).for_each(|position| set.insert(position));
        set
    }

    pub fn insert(&mut self, position: usize) {
        match position.checked_sub(128) {
            None => self.first |= 1 << position,
            Some(position) => self.rest[position / 64] |= 1 << (position % 64),
        }
    }

    pub fn contains(&self, position: usize) -> bool {
        match position.checked_sub(128) {
            None => self.first >> position & 1 == 1,
            Some(position) => self.rest[position / 64] >> (position % 64) & 1 == 1,
        }
    }

    pub fn is_within(&self, other: &PositionSet) -> bool {
        self.first & !other.first == 0 && self.rest.iter().zip(&other.rest).all(|(a, b)| a & !b == 0)
    }
}

/// Γ on the subsets of one list of constraints.
pub struct SubsetVerdicts<'a, 'x, 'm> {
    pub pool: &'a mut Pool,
    pub constraints: &'a [FormulaId],
    pub gamma: &'a mut dyn Consistency,
    pub ask: &'a mut Ask<'x, 'm>,
    inconsistent: Vec<PositionSet>,
    not_inconsistent: Vec<PositionSet>,
    models: &'a mut CachedModels,
    /// For each model.
    seen: Vec<ModelUse>,
}

/// Values that satisfy some constraints, the newest last; all in the terms of one pool.
#[derive(Debug, Default)]
pub struct CachedModels(Vec<CachedModel>);

/// Values, and whether they satisfy the formulas that questions have looked at: one path shares most constraints with the next.
#[derive(Debug)]
struct CachedModel {
    values: Rc<Assignment>,
    satisfies: FxHashMap<FormulaId, bool>,
}

impl CachedModel {
    fn satisfies(&mut self, pool: &Pool, formula: FormulaId) -> bool {
        *self.satisfies.entry(formula).or_insert_with(|| self.values.formula(pool, formula) == Some(true))
    }
}

/// How many models [`CachedModels::trim`] keeps.
const KEPT: usize = 16;

impl CachedModels {
    /// Forgets all but the newest.
    pub fn trim(&mut self) {
        let spare = self.0.len().saturating_sub(KEPT);
        self.0.drain(..spare);
    }
}

/// Which constraints a question has looked at under a model, and which of these the model satisfies.
struct ModelUse {
    looked_at: PositionSet,
    satisfied: PositionSet,
}

impl<'a, 'x, 'm> SubsetVerdicts<'a, 'x, 'm> {
    /// `models` hold values that have satisfied something before: whatever they satisfy is consistent.
    pub fn new(
        pool: &'a mut Pool,
        constraints: &'a [FormulaId],
        gamma: &'a mut dyn Consistency,
        models: &'a mut CachedModels,
        ask: &'a mut Ask<'x, 'm>,
    ) -> Self {
        // What is false by itself needs no asking.
        let never = (0..constraints.len()).filter(|&at| constraints[at] == Pool::FALSE);
        let inconsistent = never.map(|at| PositionSet::of(constraints.len(), &[at])).collect();
        SubsetVerdicts { pool, constraints, gamma, ask, inconsistent, not_inconsistent: Vec::new(), models, seen: Vec::new() }
    }

    /// Takes down that the first `count` constraints are not inconsistent: an earlier query proved that.
    pub fn learn_passed(&mut self, count: usize) {
        self.not_inconsistent.push(PositionSet::first(self.constraints.len(), count));
    }

    /// Takes down that these constraints are inconsistent.
    pub fn learn_inconsistent(&mut self, positions: &[usize]) {
        self.inconsistent.push(PositionSet::of(self.constraints.len(), positions));
    }

    /// Whether Γ of these constraints is *false*. Γ gets them in the order given.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn is_inconsistent(&mut self, positions: &[usize]) -> Result<bool, Exhausted> {
        let set = PositionSet::of(self.constraints.len(), positions);
        self.decide(&set, positions)
    }

    /// How many of these positions, from the first on, are together with this set known not to be inconsistent.
    fn passes(&self, set: &PositionSet, positions: &[usize]) -> usize {
        let consistent = self.not_inconsistent.iter().filter(|consistent| set.is_within(consistent));
        consistent.map(|consistent| positions.iter().take_while(|&&position| consistent.contains(position)).count()).max().unwrap_or(0)
    }

    /// As [`SubsetVerdicts::is_inconsistent`], with the positions also as a set.
    fn decide(&mut self, set: &PositionSet, positions: &[usize]) -> Result<bool, Exhausted> {
        if self.inconsistent.iter().any(|core| core.is_within(set)) {
            return Ok(true);
        }
        if self.not_inconsistent.iter().any(|consistent| set.is_within(consistent)) {
            return Ok(false);
        }
        if self.is_satisfied(positions) {
            return Ok(false);
        }
        let size = self.constraints.len();
        let formulas: Vec<FormulaId> = positions.iter().map(|&at| self.constraints[at]).collect();
        Ok(match self.gamma.decide(self.pool, &formulas, self.ask)? {
            ConsistencyVerdict::Inconsistent(refutation) => {
                self.inconsistent.push(match refutation {
                    Some(Refutation { core, .. }) => PositionSet::of(size, &core.into_iter().map(|at| positions[at]).collect::<Vec<_>>()),
                    None => set.clone(),
                });
                true
            }
            ConsistencyVerdict::Consistent(values) => {
                self.models.0.push(CachedModel { values, satisfies: FxHashMap::default() });
                self.seen.resize_with(self.models.0.len() - 1, || ModelUse {
                    looked_at: PositionSet::new(size),
                    satisfied: PositionSet::new(size),
                });
                self.seen.push(ModelUse { looked_at: set.clone(), satisfied: set.clone() });
                false
            }
            ConsistencyVerdict::Inconclusive(_) => {
                self.not_inconsistent.push(set.clone());
                false
            }
        })
    }

    /// Whether a model satisfies all of these; each constraint is evaluated once under each model.
    fn is_satisfied(&mut self, positions: &[usize]) -> bool {
        let (pool, constraints, size) = (&*self.pool, self.constraints, self.constraints.len());
        self.seen.resize_with(self.models.0.len(), || ModelUse { looked_at: PositionSet::new(size), satisfied: PositionSet::new(size) });
        self.models.0.iter_mut().zip(&mut self.seen).rev().any(|(model, seen)| {
            positions.iter().all(|&at| {
                if !seen.looked_at.contains(at) {
                    seen.looked_at.insert(at);
                    if model.satisfies(pool, constraints[at]) {
                        seen.satisfied.insert(at);
                    }
                }
                seen.satisfied.contains(at)
            })
        })
    }
}

/// Fig. 4: a minimal subset of the candidates that is inconsistent together with `assumed`, provided that all candidates
/// are; in no particular order.
///
/// # Errors
/// When the steps are used up.
pub fn explain(verdicts: &mut SubsetVerdicts, candidates: &[usize], assumed: &[usize]) -> Result<Vec<usize>, Exhausted> {
    let mut subset = Vec::with_capacity(assumed.len() + candidates.len());
    subset.extend(assumed);
    let mut set = PositionSet::of(verdicts.constraints.len(), assumed);
    // There is no need to ask about the last one: all together are inconsistent.
    let mut count = verdicts.passes(&set, candidates).min(candidates.len().saturating_sub(1));
    for &candidate in &candidates[..count] {
        subset.push(candidate);
        set.insert(candidate);
    }
    while count + 1 < candidates.len() {
        subset.push(candidates[count]);
        set.insert(candidates[count]);
        count += 1;
        if verdicts.decide(&set, &subset)? {
            count -= 1;
            break;
        }
    }
    let Some(&last) = candidates.get(count) else { return Ok(Vec::new()) };
    let mut found = vec![last];
    let (first_half, second_half) = candidates[..count].split_at(count / 2);
    for (half, other) in [(second_half, first_half), (first_half, &[][..])] {
        if half.is_empty() {
            continue;
        }
        subset.clear();
        [assumed, other, &found].into_iter().for_each(|part| subset.extend(part));
        if !verdicts.is_inconsistent(&subset)? {
            found.extend(explain(verdicts, half, &subset)?);
        }
    }
    Ok(found)
}

/// As [`explain`], and then asks of each constraint once more whether the others are inconsistent without it. Gives ascending
/// positions.
///
/// # Errors
/// When the steps are used up.
pub fn minimal(verdicts: &mut SubsetVerdicts, candidates: &[usize]) -> Result<Vec<usize>, Exhausted> {
    let mut found = explain(verdicts, candidates, &[])?;
    found.arrange();
    // A single constraint needs no such question: the empty set is never inconsistent.
    if found.len() == 1 {
        return Ok(found);
    }
    let (mut at, mut others) = (0, Vec::with_capacity(found.len()));
    while at < found.len() {
        others.clear();
        others.extend(found.iter().filter(|&&position| position != found[at]));
        // Only a Γ that is not monotone gets here twice.
        if verdicts.is_inconsistent(&others)? {
            found.clone_from(&others);
        } else {
            at += 1;
        }
    }
    Ok(found)
}

/// All minimal explanations and all minimal corrections, as far as [`all`] has looked for them.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    pub explanations: Vec<Vec<usize>>,
    /// Sets of constraints without which the rest is not inconsistent; with any one of them back it is.
    pub corrections: Vec<Vec<usize>>,
    /// Whether that is all there are.
    pub is_complete: bool,
}

/// Enumerates at most `limit` minimal explanations and as many corrections.
///
/// # Errors
/// When the steps are used up.
pub fn all(verdicts: &mut SubsetVerdicts, limit: usize) -> Result<Enumeration, Exhausted> {
    let size = verdicts.constraints.len();
    let everything: Vec<usize> = (0..size).collect();
    let mut found = Enumeration::default();
    if !verdicts.is_inconsistent(&everything)? {
        return Ok(Enumeration { is_complete: true, ..found });
    }
    while found.explanations.len() < limit && found.corrections.len() < limit {
        let Some(out) = hitting_set(size, &found.explanations, &found.corrections, verdicts)? else {
            found.is_complete = true;
            break;
        };
        let mut seed: Vec<usize> = everything.iter().copied().filter(|position| !out.contains(position)).collect();
        if verdicts.is_inconsistent(&seed)? {
            let explanation = minimal(verdicts, &seed)?;
            found.explanations.push(explanation);
            continue;
        }
        // Grow: puts back one by one what the seed leaves out.
        for position in out {
            seed.push(position);
            if verdicts.is_inconsistent(&seed)? {
                seed.pop();
            }
        }
        found.corrections.push(everything.iter().copied().filter(|position| !seed.contains(position)).collect());
    }
    Ok(found)
}

/// A smallest set that meets every explanation and contains no correction found so far; `None` if there is none.
fn hitting_set(
    size: usize,
    explanations: &[Vec<usize>],
    corrections: &[Vec<usize>],
    verdicts: &mut SubsetVerdicts,
) -> Result<Option<Vec<usize>>, Exhausted> {
    for most in 0..=size {
        let mut chosen = Vec::new();
        if meet(explanations, corrections, most, &mut chosen, verdicts)? {
            chosen.arrange();
            return Ok(Some(chosen));
        }
        // More than one from each explanation never helps.
        if most >= explanations.len() {
            break;
        }
    }
    Ok(None)
}

fn meet(
    explanations: &[Vec<usize>],
    corrections: &[Vec<usize>],
    most: usize,
    chosen: &mut Vec<usize>,
    verdicts: &mut SubsetVerdicts,
) -> Result<bool, Exhausted> {
    verdicts.ask.meter.spend(1)?;
    if corrections.iter().any(|correction| correction.iter().all(|position| chosen.contains(position))) {
        return Ok(false);
    }
    let Some(open) = explanations.iter().find(|explanation| !explanation.iter().any(|position| chosen.contains(position))) else {
        return Ok(true);
    };
    if chosen.len() == most {
        return Ok(false);
    }
    for &position in open {
        chosen.push(position);
        if meet(explanations, corrections, most, chosen, verdicts)? {
            return Ok(true);
        }
        chosen.pop();
    }
    Ok(false)
}
