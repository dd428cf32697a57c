//! Boolean search with conflict clauses, simplex as its theory.
//!
//! Source: N. Eén and N. Sörensson, *An Extensible SAT-solver*, SAT 2003 (assumptions, watched literals, first unique
//! implication point), with a theory as in R. Nieuwenhuis, A. Oliveras and C. Tinelli, *Solving SAT and SAT Modulo
//! Theories*, JACM 2006.
//!
//! Every asserted formula is one *assumption*: the search decides it at a level of its own, so that pushing and popping
//! assertions is moving between levels. The clause set therefore holds only clauses that are true under every assignment
//! (definitions, axioms, linear lemmas and what derives from them) and survives a pop as it is. Each clause knows where it
//! came from; a certificate is the part of this history that a refutation uses.
//!
//! Beyond the assumptions the search decides only what matters: [`super::theory`] looks for a place where the candidate
//! model does not do what the asserted literals say, and asks for one decision there. Of several candidates for it, the
//! search takes the one that took part in most conflicts. Rejected: restarts. After 100 conflicts and then by Luby's
//! sequence, boolean queries are 20 % slower in geometric mean.
//!
//! `bounds` holds what literals say about columns, `learn` what the search learns from conflicts, `forget` which of that
//! it drops.
//!
//! Invariants: the trail's levels `1..=k` belong to the first `k` assertions; simplex holds the bounds of exactly the
//! literals on the trail up to `theory_head`.

mod bounds;
mod forget;
mod learn;

use super::certificate::Step;
use super::lattice::reductions::Reductions;
use super::literal::{Lit, Var};
use super::meter::{Exhausted, Meter};
use super::simplex::{ColumnId, Simplex, Trouble};
use crate::logic::{AtomId, FormulaId, Int, Linear, ascending};
pub use bounds::Bounds;
use rustc_hash::FxHashMap;

/// A clause's number.
pub type ClauseId = u32;

/// Where a clause comes from.
#[derive(Clone, Debug)]
pub enum ClauseOrigin {
    /// It holds by itself.
    Given(Step),
    /// It was derived from these.
    Learned(Vec<ClauseId>),
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub lits: Vec<Lit>,
    pub origin: ClauseOrigin,
}

/// A propositional variable.
#[derive(Clone, Debug)]
pub struct VarData {
    pub formula: FormulaId,
    /// For an inequality or equality.
    pub bounds: Option<Bounds>,
    /// The atoms in it that linear arithmetic cannot look into, unless it is a connective.
    pub opaque: Box<[AtomId]>,
}

#[derive(Clone, Copy, Debug)]
struct LiteralWatch {
    clause: ClauseId,
    /// Another literal of the clause: if it holds, the clause need not be looked at.
    blocker: Lit,
}

/// Why a literal holds.
#[derive(Clone, Copy, Debug)]
enum LiteralReason {
    Decision,
    Clause(ClauseId),
    /// The bound of this literal implies it. The clause that says so is written down only when a conflict asks for it.
    Bound(Lit),
}

/// A clause all of whose literals are false now.
#[derive(Clone, Debug)]
pub enum Falsified {
    Clause(ClauseId),
    /// A fresh linear lemma, not in the clause set.
    Lemma(Clause),
}

/// By how much the activity of earlier conflicts counts less with each new one.
const ACTIVITY_DECAY: f64 = 0.95;

/// The state of the search.
#[derive(Clone, Debug)]
pub struct Search {
    pub vars: Vec<VarData>,
    pub var_of: FxHashMap<FormulaId, Var>,
    pub clauses: Vec<Clause>,
    pub simplex: Simplex,
    pub columns: FxHashMap<AtomId, ColumnId>,
    pub slacks: FxHashMap<Linear, ColumnId>,
    /// What each column stands for: an atom, or a primitive form of atoms.
    pub forms: Vec<Linear>,
    /// The columns of a form's atoms; empty for an atom's own column.
    pub parts: Vec<Box<[ColumnId]>>,
    /// The assertions, each decided at a level of its own.
    pub assumptions: Vec<Lit>,
    pub trail: Vec<Lit>,
    watches: Vec<Vec<LiteralWatch>>,
    /// Indexed by literal.
    value: Vec<Option<bool>>,
    level: Vec<u32>,
    reason: Vec<LiteralReason>,
    /// For each column, ascending, the literals that say "at most so much".
    thresholds: Vec<Vec<(Int, Lit)>>,
    /// The same for the literals that say "equal to so much".
    points: Vec<Vec<(Int, Lit)>>,
    /// The clauses written down for [`LiteralReason::Bound`]: the literal and its reason.
    bound_lemmas: FxHashMap<(Lit, Lit), ClauseId>,
    /// How much each variable took part in conflicts, newer ones counting more.
    activity: Vec<f64>,
    bump: f64,
    /// The learned clauses that are watched, each with the number of decisions it joined.
    learned: Vec<(usize, ClauseId)>,
    /// How many of them there may be.
    pub allowance: usize,
    /// Trail length, simplex mark at the start of each level.
    levels: Vec<(usize, usize)>,
    head: usize,
    theory_head: usize,
    seen: Vec<bool>,
    /// The equalities whose inequalities `≤` and `≥` have been defined.
    pub split_equalities: FxHashMap<Var, [Lit; 2]>,
    /// The conjuncts of conjunctions that nothing was said of yet ([`super::encode::catch_up`]).
    pub late: FxHashMap<Var, Vec<FormulaId>>,
    /// How often in this check whole values had to be looked for.
    pub splits: u32,
    /// Bases to split along.
    pub reductions: Reductions,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            vars: Vec::with_capacity(64),
            var_of: FxHashMap::default(),
            clauses: Vec::with_capacity(64),
            simplex: Simplex::default(),
            columns: FxHashMap::default(),
            slacks: FxHashMap::default(),
            forms: Vec::with_capacity(32),
            parts: Vec::with_capacity(32),
            assumptions: Vec::new(),
            trail: Vec::with_capacity(64),
            watches: Vec::with_capacity(128),
            value: Vec::with_capacity(128),
            level: Vec::with_capacity(64),
            reason: Vec::with_capacity(64),
            thresholds: Vec::new(),
            points: Vec::new(),
            bound_lemmas: FxHashMap::default(),
            activity: Vec::with_capacity(64),
            bump: 1.0,
            learned: Vec::new(),
            allowance: 2_000,
            levels: Vec::with_capacity(64),
            head: 0,
            theory_head: 0,
            seen: Vec::with_capacity(64),
            split_equalities: FxHashMap::default(),
            late: FxHashMap::default(),
            splits: 0,
            reductions: Reductions::default(),
        }
    }
}

impl Search {
    pub fn add_var(&mut self, data: VarData) -> Var {
        let var = self.vars.len() as Var;
        self.var_of.insert(data.formula, var);
        let (column, value, lit) = match &data.bounds {
            Some(Bounds::Inequality { column, at_most, direct, .. }) => (*column, at_most, Lit::new(var, *direct)),
            Some(Bounds::Equality { column, value, .. }) => (*column, value, Lit::new(var, true)),
            None => (0, &Int::ZERO, Lit::new(var, true)),
        };
        if let Some(bounds) = &data.bounds {
            let lists = if matches!(bounds, Bounds::Equality { .. }) { &mut self.points } else { &mut self.thresholds };
            if lists.len() <= column as usize {
                lists.resize_with(column as usize + 1, Vec::new);
            }
            let list = &mut lists[column as usize];
            list.insert(list.partition_point(|(other, _)| other < value), (value.clone(), lit));
        }
        self.vars.push(data);
        self.activity.push(0.0);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.value.extend([None, None]);
        self.level.push(0);
        self.reason.push(LiteralReason::Decision);
        self.seen.push(false);
        var
    }

    /// A new check begins.
    pub fn begin(&mut self) {
        self.splits = 0;
        self.reductions.begin();
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.index()]
    }

    /// Whether the literal holds without any decision beyond the assumptions.
    pub fn is_assumed(&self, lit: Lit) -> bool {
        self.value(lit) == Some(true) && self.level[lit.var() as usize] as usize <= self.assumptions.len()
    }

    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Whether everything on the trail has been propagated.
    pub fn is_settled(&self) -> bool {
        self.head == self.trail.len() && self.theory_head == self.trail.len()
    }

    /// The literals on the trail that were decided.
    pub fn decisions(&self) -> impl Iterator<Item = Lit> {
        self.trail.iter().copied().filter(|lit| matches!(self.reason[lit.var() as usize], LiteralReason::Decision))
    }

    /// Opens a level with the literal as its decision (nothing, where it holds already).
    pub fn decide(&mut self, lit: Lit) {
        self.levels.push((self.trail.len(), self.simplex.mark()));
        if self.value(lit).is_none() {
            self.enqueue(lit, LiteralReason::Decision);
        }
    }

    fn enqueue(&mut self, lit: Lit, reason: LiteralReason) {
        self.value[lit.index()] = Some(true);
        self.value[(!lit).index()] = Some(false);
        self.level[lit.var() as usize] = self.depth() as u32;
        self.reason[lit.var() as usize] = reason;
        self.trail.push(lit);
    }

    /// Goes back to `depth` levels.
    pub fn backtrack(&mut self, depth: usize) {
        if depth >= self.depth() {
            return;
        }
        let (trail, mark) = self.levels[depth];
        for lit in self.trail.drain(trail..) {
            self.value[lit.index()] = None;
            self.value[(!lit).index()] = None;
        }
        self.levels.truncate(depth);
        self.head = self.head.min(trail);
        self.theory_head = self.theory_head.min(trail);
        self.simplex.undo(mark);
    }

    /// Adds a clause that holds under every assignment. Goes back to where it does not contradict the trail and where it
    /// would have propagated earlier.
    ///
    /// # Errors
    /// With the clause, where all its literals are false without any decision.
    pub fn add_clause(&mut self, lits: Vec<Lit>, origin: ClauseOrigin) -> Result<ClauseId, Falsified> {
        // What is learned has each variable once.
        let mut lits = if matches!(origin, ClauseOrigin::Learned(_)) { lits } else { ascending(lits) };
        let level_if_false = |search: &Search, lit: Option<&Lit>| match lit {
            Some(&lit) if search.value(lit) != Some(false) => None,
            Some(&lit) => Some(search.level[lit.var() as usize] as usize),
            None => Some(0),
        };
        let tautology = lits.windows(2).any(|pair| pair[0].var() == pair[1].var());
        // The two literals to watch come first: what is not false, then the latest false ones.
        for at in 0..lits.len().min(2) {
            let key = |k: &usize| level_if_false(self, Some(&lits[*k])).map_or(0, |level| usize::MAX - level);
            if let Some(best) = (at..lits.len()).min_by_key(key) {
                lits.swap(at, best);
            }
        }
        let id = self.clauses.len() as ClauseId;
        let (first, second) = (level_if_false(self, lits.first()), level_if_false(self, lits.get(1)));
        let satisfied_in_time = |level: usize| {
            lits.first().is_some_and(|&lit| self.value(lit) == Some(true) && self.level[lit.var() as usize] as usize <= level)
        };
        let unit_at = match (first, second) {
            _ if tautology => None,
            (None, Some(second)) if !satisfied_in_time(second) => Some(second),
            (Some(first), Some(second)) if second < first => Some(second),
            _ => None,
        };
        self.clauses.push(Clause { lits: lits.clone(), origin });
        if lits.len() >= 2 && !tautology {
            self.watches[lits[0].index()].push(LiteralWatch { clause: id, blocker: lits[1] });
            self.watches[lits[1].index()].push(LiteralWatch { clause: id, blocker: lits[0] });
        }
        match (unit_at, first) {
            (Some(level), _) => {
                self.backtrack(level);
                if self.value(lits[0]).is_none() {
                    self.enqueue(lits[0], LiteralReason::Clause(id));
                }
                Ok(id)
            }
            (None, Some(0)) => Err(Falsified::Clause(id)),
            (None, Some(level)) => {
                self.backtrack(level - 1);
                Ok(id)
            }
            (None, None) => Ok(id),
        }
    }

    /// Draws all consequences: unit propagation, then bounds, then, once all assumptions are decided, simplex: so many
    /// assumptions that come at once cost one run of it.
    ///
    /// # Errors
    /// With a falsified clause, or when the steps are used up.
    pub fn propagate(&mut self, meter: &mut Meter) -> Result<Result<(), Falsified>, Exhausted> {
        loop {
            if let Err(clause) = self.propagate_units(meter)? {
                return Ok(Err(Falsified::Clause(clause)));
            }
            while self.theory_head < self.trail.len() {
                let lit = self.trail[self.theory_head];
                self.theory_head += 1;
                if let Err(conflict) = self.assert_bounds(lit) {
                    return Ok(Err(Falsified::Lemma(self.lemma(conflict))));
                }
            }
            if self.head < self.trail.len() {
                continue;
            }
            if self.depth() < self.assumptions.len() {
                return Ok(Ok(()));
            }
            match self.simplex.check(meter) {
                Ok(()) if self.head == self.trail.len() => return Ok(Ok(())),
                Ok(()) => {}
                Err(Trouble::Conflict(conflict)) => return Ok(Err(Falsified::Lemma(self.lemma(conflict)))),
                Err(Trouble::Exhausted(why)) => return Err(why),
            }
        }
    }

    fn propagate_units(&mut self, meter: &mut Meter) -> Result<Result<(), ClauseId>, Exhausted> {
        while self.head < self.trail.len() {
            meter.spend(1)?;
            let falsified = !self.trail[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            while at < watches.len() {
                let watch = watches[at];
                at += 1;
                if conflict.is_some() || self.value(watch.blocker) == Some(true) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let clause = &mut self.clauses[watch.clause as usize].lits;
                if clause[0] == falsified {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                let free = (2..clause.len()).find(|&k| self.value[clause[k].index()] != Some(false));
                if self.value[first.index()] != Some(true)
                    && let Some(free) = free
                {
                    clause.swap(1, free);
                    let lit = clause[1];
                    self.watches[lit.index()].push(LiteralWatch { clause: watch.clause, blocker: first });
                    continue;
                }
                watches[kept] = LiteralWatch { clause: watch.clause, blocker: first };
                kept += 1;
                match self.value[first.index()] {
                    Some(true) => {}
                    Some(false) => conflict = Some(watch.clause),
                    None => self.enqueue(first, LiteralReason::Clause(watch.clause)),
                }
            }
            watches.truncate(kept);
            self.watches[falsified.index()] = watches;
            if let Some(clause) = conflict {
                return Ok(Err(clause));
            }
        }
        Ok(Ok(()))
    }

    pub fn literal(&self, lit: Lit) -> super::certificate::Literal {
        super::certificate::Literal { formula: self.vars[lit.var() as usize].formula, positive: lit.is_positive() }
    }
}
