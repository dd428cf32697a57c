//! Boolean search with conflict clauses, simplex as its theory.
//!
//! Source: N. Eén and N. Sörensson, *An Extensible SAT-solver*, SAT 2003 (assumptions, watched literals, first unique
//! implication point), with a theory as in R. Nieuwenhuis, A. Oliveras and C. Tinelli, *Solving SAT and SAT Modulo
//! Theories*, JACM 2006.
//!
//! Every asserted formula is one *assumption*: the search decides it at a level of its own, so that pushing and popping
//! assertions is moving between levels. The clause set therefore holds only clauses that are true under every assignment
//! (definitions, axioms, linear lemmas and what was derived from them) and survives a pop as it is. Each clause knows
//! where it came from; a certificate is the part of this history that a refutation used.
//!
//! Beyond the assumptions only what matters is decided: [`super::theory`] looks for a place where the candidate model
//! does not do what the asserted literals say, and asks for one decision there.
//!
//! Invariants: the trail's levels `1..=k` belong to the first `k` assertions; simplex holds the bounds of exactly the
//! literals on the trail up to `theory_head`.

use super::certificate::{LinearStep, Step};
use super::literal::{Lit, Var};
use super::meter::{Exhausted, Meter};
use super::simplex::{ColumnId, Conflict, Side, Simplex, Trouble};
use crate::logic::{AtomId, FormulaId, Int, Linear};
use rustc_hash::FxHashMap;

/// A clause's number.
pub type ClauseId = u32;

/// Where a clause comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It holds by itself.
    Given(Step),
    /// It was derived from these.
    Learned(Vec<ClauseId>),
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub lits: Vec<Lit>,
    pub origin: Origin,
}

/// What a literal of an inequality or equality says about a column.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// One literal says `column ≤ at_most`, the positive one if `direct`; the other says `column ≥ at_most + 1`.
    Inequality { column: ColumnId, at_most: Int, direct: bool, content: Int },
    /// The positive literal says `column = value`; the negative one nothing that a bound could say. The term is that of
    /// the column if `direct`, else its negation, times the content.
    Equality { column: ColumnId, value: Int, direct: bool, content: Int },
}

impl Bounds {
    fn content(&self) -> &Int {
        match self {
            Bounds::Inequality { content, .. } | Bounds::Equality { content, .. } => content,
        }
    }
}

/// A propositional variable.
#[derive(Clone, Debug)]
pub struct VarData {
    pub formula: FormulaId,
    /// For an inequality or equality.
    pub bounds: Option<Bounds>,
    /// The atoms in it that linear arithmetic cannot look into.
    pub opaque: Box<[AtomId]>,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseId,
    /// Another literal of the clause: if it holds, the clause need not be looked at.
    blocker: Lit,
}

/// Why a literal holds.
#[derive(Clone, Copy, Debug)]
enum Reason {
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
    watches: Vec<Vec<Watch>>,
    /// Indexed by literal.
    value: Vec<Option<bool>>,
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// For each column, ascending, the literals that say "at most so much".
    thresholds: Vec<Vec<(Int, Lit)>>,
    /// The same for the literals that say "equal to so much".
    points: Vec<Vec<(Int, Lit)>>,
    /// The clauses written down for [`Reason::Bound`]: the literal and its reason.
    bound_lemmas: FxHashMap<(Lit, Lit), ClauseId>,
    /// How much each variable took part in conflicts, newer ones counting more.
    activity: Vec<f64>,
    bump: f64,
    /// Trail length, simplex mark at the start of each level.
    levels: Vec<(usize, usize)>,
    head: usize,
    theory_head: usize,
    seen: Vec<bool>,
    /// The equalities whose inequalities `≤` and `≥` have been defined.
    pub split_equalities: FxHashMap<Var, [Lit; 2]>,
    /// How often in this check whole values had to be looked for.
    pub splits: u32,
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
            levels: Vec::with_capacity(64),
            head: 0,
            theory_head: 0,
            seen: Vec::with_capacity(64),
            split_equalities: FxHashMap::default(),
            splits: 0,
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
        self.reason.push(Reason::Decision);
        self.seen.push(false);
        var
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.index()]
    }

    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Whether everything on the trail has been propagated.
    pub fn is_settled(&self) -> bool {
        self.head == self.trail.len() && self.theory_head == self.trail.len()
    }

    /// Opens a level with the literal as its decision (nothing, where it holds already).
    pub fn decide(&mut self, lit: Lit) {
        self.levels.push((self.trail.len(), self.simplex.mark()));
        if self.value(lit).is_none() {
            self.enqueue(lit, Reason::Decision);
        }
    }

    fn enqueue(&mut self, lit: Lit, reason: Reason) {
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
    pub fn add_clause(&mut self, mut lits: Vec<Lit>, origin: Origin) -> Result<ClauseId, Falsified> {
        lits.sort_unstable();
        lits.dedup();
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
            self.watches[lits[0].index()].push(Watch { clause: id, blocker: lits[1] });
            self.watches[lits[1].index()].push(Watch { clause: id, blocker: lits[0] });
        }
        match (unit_at, first) {
            (Some(level), _) => {
                self.backtrack(level);
                if self.value(lits[0]).is_none() {
                    self.enqueue(lits[0], Reason::Clause(id));
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

    /// Hands what a literal says about a column to simplex and to the other literals of the column.
    fn assert_bounds(&mut self, lit: Lit) -> Result<(), Conflict> {
        match &self.vars[lit.var() as usize].bounds {
            Some(Bounds::Inequality { column, at_most, direct, .. }) => {
                let column = *column;
                if lit.is_positive() == *direct {
                    if self.simplex.assert(column, Side::Upper, at_most, lit)? {
                        self.propagate_bound(column, Side::Upper, lit);
                    }
                } else if self.simplex.assert(column, Side::Lower, &(at_most + &Int::ONE), lit)? {
                    self.propagate_bound(column, Side::Lower, lit);
                }
            }
            Some(Bounds::Equality { column, value, .. }) if lit.is_positive() => {
                let column = *column;
                let upper = self.simplex.assert(column, Side::Upper, value, lit)?;
                let lower = self.simplex.assert(column, Side::Lower, value, lit)?;
                for (tighter, side) in [(upper, Side::Upper), (lower, Side::Lower)] {
                    if tighter {
                        self.propagate_bound(column, side, lit);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a new bound says about the other literals of its column: `x ≤ 3` implies `x ≤ 5` and excludes `x ≥ 7` and `x = 4`.
    fn propagate_bound(&mut self, column: ColumnId, side: Side, because: Lit) {
        let Some((bound, _)) = self.simplex.bound(column, side) else { return };
        let thresholds = self.thresholds.get(column as usize).map_or(&[][..], Vec::as_slice);
        let points = self.points.get(column as usize).map_or(&[][..], Vec::as_slice);
        let open = |lit: &Lit| self.value(*lit).is_none();
        let mut implied: Vec<Lit> = Vec::new();
        match side {
            Side::Upper => {
                let from = thresholds.partition_point(|(value, _)| value < bound);
                implied.extend(thresholds[from..].iter().map(|(_, lit)| *lit).filter(open));
                let from = points.partition_point(|(value, _)| value <= bound);
                implied.extend(points[from..].iter().map(|(_, lit)| !*lit).filter(open));
            }
            Side::Lower => {
                let to = thresholds.partition_point(|(value, _)| value < bound);
                implied.extend(thresholds[..to].iter().map(|(_, lit)| !*lit).filter(open));
                let to = points.partition_point(|(value, _)| value < bound);
                implied.extend(points[..to].iter().map(|(_, lit)| !*lit).filter(open));
            }
        }
        for other in implied {
            self.enqueue(other, Reason::Bound(because));
        }
    }

    /// Gives a literal that is new the value that the bounds of its column imply, if they do.
    pub fn imply_new(&mut self, lit: Lit) {
        let Some(bounds) = &self.vars[lit.var() as usize].bounds else { return };
        if self.value(lit).is_some() {
            return;
        }
        let both = |column| (self.simplex.bound(column, Side::Lower), self.simplex.bound(column, Side::Upper));
        let implied = match bounds {
            Bounds::Inequality { column, at_most, direct, .. } => {
                let this = Lit::new(lit.var(), *direct);
                match both(*column) {
                    (_, Some((upper, because))) if upper <= at_most => Some((this, because)),
                    (Some((lower, because)), _) if lower > at_most => Some((!this, because)),
                    _ => None,
                }
            }
            Bounds::Equality { column, value, .. } => match both(*column) {
                (_, Some((upper, because))) if upper < value => Some((Lit::new(lit.var(), false), because)),
                (Some((lower, because)), _) if lower > value => Some((Lit::new(lit.var(), false), because)),
                _ => None,
            },
        };
        if let Some((implied, because)) = implied {
            self.enqueue(implied, Reason::Bound(because));
        }
    }

    /// The bounds, lower and upper, that a literal puts on its column.
    fn bounds_of(&self, lit: Lit) -> (Option<Int>, Option<Int>) {
        match &self.vars[lit.var() as usize].bounds {
            Some(Bounds::Inequality { at_most, direct, .. }) if lit.is_positive() == *direct => (None, Some(at_most.clone())),
            Some(Bounds::Inequality { at_most, .. }) => (Some(at_most + &Int::ONE), None),
            Some(Bounds::Equality { value, .. }) if lit.is_positive() => (Some(value.clone()), Some(value.clone())),
            _ => (None, None),
        }
    }

    /// Two literals whose bounds on one column exclude each other.
    fn clash(&self, a: Lit, b: Lit) -> Conflict {
        let is_above = |low: &Option<Int>, high: &Option<Int>| matches!((low, high), (Some(low), Some(high)) if low > high);
        let side = if is_above(&self.bounds_of(a).0, &self.bounds_of(b).1) { Side::Lower } else { Side::Upper };
        vec![(a, side, Int::ONE), (b, !side, Int::ONE)]
    }

    /// The clause because of which the variable has its value; `None` for a decision.
    fn reason_clause(&mut self, var: Var) -> Option<ClauseId> {
        match self.reason[var as usize] {
            Reason::Decision => None,
            Reason::Clause(id) => Some(id),
            Reason::Bound(because) => {
                let implied = Lit::new(var, self.value(Lit::new(var, true)) == Some(true));
                if let Some(&id) = self.bound_lemmas.get(&(implied, because)) {
                    return Some(id);
                }
                let clause = self.lemma(self.clash(because, !implied));
                let id = self.clauses.len() as ClauseId;
                self.clauses.push(clause);
                self.bound_lemmas.insert((implied, because), id);
                Some(id)
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
                    self.watches[lit.index()].push(Watch { clause: watch.clause, blocker: first });
                    continue;
                }
                watches[kept] = Watch { clause: watch.clause, blocker: first };
                kept += 1;
                match self.value[first.index()] {
                    Some(true) => {}
                    Some(false) => conflict = Some(watch.clause),
                    None => self.enqueue(first, Reason::Clause(watch.clause)),
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

    /// The clause that a simplex conflict gives, with its derivation: each literal's inequality divided by its content,
    /// then all added up with the conflict's multipliers.
    fn lemma(&self, conflict: Conflict) -> Clause {
        let mut steps = Vec::with_capacity(2 * conflict.len() + 1);
        let mut parts = Vec::with_capacity(conflict.len());
        let mut lits = Vec::with_capacity(conflict.len());
        for (lit, side, multiplier) in conflict {
            let literal = self.literal(lit);
            let bounds = self.vars[lit.var() as usize].bounds.as_ref();
            steps.push(match bounds {
                Some(Bounds::Equality { direct, .. }) if *direct != (side == Side::Upper) => LinearStep::Opposite(literal),
                _ => LinearStep::Literal(literal),
            });
            if let Some(content) = bounds.map(Bounds::content).filter(|content| !content.is_one()) {
                steps.push(LinearStep::Divide(steps.len() as u32 - 1, content.clone()));
            }
            parts.push((steps.len() as u32 - 1, multiplier));
            lits.push(!lit);
        }
        // Both halves of an equality may be there.
        lits.sort_unstable();
        lits.dedup();
        steps.push(LinearStep::Combine(parts));
        Clause { lits, origin: Origin::Given(Step::Linear(steps)) }
    }

    pub fn literal(&self, lit: Lit) -> super::certificate::Literal {
        super::certificate::Literal { formula: self.vars[lit.var() as usize].formula, positive: lit.is_positive() }
    }

    /// The literals of a falsified clause and the highest level among them.
    pub fn conflict_level(&self, falsified: &Falsified) -> usize {
        self.falsified_lits(falsified).iter().map(|lit| self.level[lit.var() as usize]).max().unwrap_or(0) as usize
    }

    fn falsified_lits<'a>(&'a self, falsified: &'a Falsified) -> &'a [Lit] {
        match falsified {
            Falsified::Clause(id) => &self.clauses[*id as usize].lits,
            Falsified::Lemma(clause) => &clause.lits,
        }
    }

    /// Resolves a falsified clause back to the first unique implication point of its level, goes back, and adds the
    /// clause learned. The conflict's level is above 0.
    pub fn learn(&mut self, falsified: Falsified) -> Result<ClauseId, Falsified> {
        debug_assert!(self.falsified_lits(&falsified).iter().all(|&lit| self.value(lit) == Some(false)), "the clause is false");
        let level = self.conflict_level(&falsified);
        self.backtrack(level);
        let start = match falsified {
            Falsified::Clause(id) => id,
            // Kept only as the ancestor of what is learned from it: not watched.
            Falsified::Lemma(clause) => {
                self.clauses.push(clause);
                self.clauses.len() as ClauseId - 1
            }
        };
        let mut antecedents = vec![start];
        let mut learned: Vec<Lit> = Vec::new();
        let mut pending = 0;
        let mut at = self.trail.len();
        let mut marked: Vec<Var> = Vec::new();
        let mut current = start;
        let mut resolved: Option<Lit> = None;
        loop {
            for index in 0..self.clauses[current as usize].lits.len() {
                let lit = self.clauses[current as usize].lits[index];
                let var = lit.var() as usize;
                if Some(lit) == resolved || self.seen[var] {
                    continue;
                }
                self.seen[var] = true;
                marked.push(lit.var());
                match self.level[var] as usize {
                    0 => self.explain_root(lit.var(), &mut antecedents, &mut marked),
                    l if l == level => pending += 1,
                    _ => learned.push(lit),
                }
            }
            // The next marked literal of this level, latest first.
            loop {
                at -= 1;
                let var = self.trail[at].var() as usize;
                if self.seen[var] && self.level[var] as usize == level {
                    break;
                }
            }
            let lit = self.trail[at];
            pending -= 1;
            match if pending > 0 { self.reason_clause(lit.var()) } else { None } {
                Some(reason) => {
                    antecedents.push(reason);
                    current = reason;
                    resolved = Some(lit);
                }
                None => {
                    learned.push(!lit);
                    break;
                }
            }
        }
        self.minimise(&mut learned, &mut antecedents, &mut marked);
        for var in marked {
            self.seen[var as usize] = false;
            self.activity[var as usize] += self.bump;
        }
        self.bump /= ACTIVITY_DECAY;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        // Adding goes back by itself to where the clause is unit; to make its last literal free, leave its level first.
        let back = learned[..learned.len() - 1].iter().map(|lit| self.level[lit.var() as usize]).max().unwrap_or(0);
        self.backtrack(back as usize);
        self.add_clause(learned, Origin::Learned(antecedents))
    }

    /// Leaves out literals that the others imply: all literals of their reason are among those resolved upon.
    fn minimise(&mut self, learned: &mut Vec<Lit>, antecedents: &mut Vec<ClauseId>, marked: &mut Vec<Var>) {
        let Some(asserting) = learned.pop() else { return };
        let all = std::mem::take(learned);
        for lit in all {
            let reason = self.reason_clause(lit.var()).filter(|&reason| {
                let implied = |other: &Lit| other.var() == lit.var() || self.seen[other.var() as usize];
                self.clauses[reason as usize].lits.iter().all(implied)
            });
            match reason {
                Some(reason) => {
                    antecedents.push(reason);
                    // Literals fixed at level 0 are marked already, with their reasons.
                    marked.push(lit.var());
                }
                None => learned.push(lit),
            }
        }
        learned.push(asserting);
    }

    /// Of these literals, none false, the undecided one that took part in most conflicts; the first of equals.
    pub fn most_active(&self, lits: impl Iterator<Item = Lit>) -> Option<Lit> {
        let undecided = lits.filter(|&lit| self.value(lit).is_none());
        undecided.reduce(|best, lit| if self.activity[lit.var() as usize] > self.activity[best.var() as usize] { lit } else { best })
    }

    /// Adds the reasons of a literal that is fixed at level 0, all the way down.
    fn explain_root(&mut self, var: Var, antecedents: &mut Vec<ClauseId>, marked: &mut Vec<Var>) {
        let mut stack = vec![var];
        while let Some(var) = stack.pop() {
            if let Some(reason) = self.reason_clause(var) {
                antecedents.push(reason);
                for lit in &self.clauses[reason as usize].lits {
                    if !self.seen[lit.var() as usize] {
                        self.seen[lit.var() as usize] = true;
                        marked.push(lit.var());
                        stack.push(lit.var());
                    }
                }
            }
        }
    }

    /// The assumptions that make all these literals false, and the clauses that show it.
    pub fn trace_back(&mut self, false_lits: &[Lit]) -> (Vec<Lit>, Vec<ClauseId>) {
        let mut core = Vec::new();
        let mut used = Vec::new();
        let mut marked: Vec<Var> = Vec::new();
        let mut stack: Vec<Var> = false_lits.iter().map(|lit| lit.var()).collect();
        while let Some(var) = stack.pop() {
            if std::mem::replace(&mut self.seen[var as usize], true) {
                continue;
            }
            marked.push(var);
            match self.reason_clause(var) {
                Some(reason) => {
                    used.push(reason);
                    stack.extend(self.clauses[reason as usize].lits.iter().map(|lit| lit.var()));
                }
                None => core.push(Lit::new(var, self.value(Lit::new(var, true)) == Some(true))),
            }
        }
        for var in marked {
            self.seen[var as usize] = false;
        }
        (core, used)
    }
}
