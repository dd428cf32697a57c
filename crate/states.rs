//! Sets of states: which values variables can have at a location, as canonical formulas, and what edges make of them.
//!
//! Source: AGVW16, Section II-C. `States(c)` of a configuration `c = (s, π)` is the set of program states that `c` stands for;
//! here it is a formula over the program variables themselves, in which the symbol `x` is the value of `x` *now*. The projection
//! ([`crate::solver::projection`]) eliminates all other symbols (earlier values, values of `nondet()`), and variables that cannot
//! decide any more which paths go on ([`crate::lts::relevance`]), so that more sets are equal.
//!
//! | paper | here |
//! |---|---|
//! | `States(c)` | a [`SetId`]: a location and a conjunction in normal form (`normal`); equal conjunctions are one set |
//! | `SE c l` | [`States::successor`]: the strongest postcondition, with whether it is exact |
//! | `c ⊑ c'` | [`States::included`] |
//! | feasible paths up to a lookahead | [`States::lookahead`]: a number, equal for equal sets of paths |
//!
//! [`States`] remembers everything, so the price of a lookahead is the number of *different* sets that it meets, not the
//! number of paths.
//!
//! Invariants: a successor is *empty* only with a certificate that the checker accepted. A set without an exact description
//! contains all that it should (it is too large, never too small), and the step to it says so. An open answer counts as not
//! empty and as not included.
//!
//! # Example
//!
//! ```
//! use culdesac::logic::text;
//! use culdesac::solver::{meter::Meter, questions::NoLog};
//! use culdesac::states::{Ask, States, Successor};
//!
//! let program = culdesac::lang::parse("int f(int x, int n) { while (x < n) x++; return x; }").program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let mut meter = Meter::new(100_000);
//! let mut ask = Ask { meter: &mut meter, log: &NoLog };
//! let mut states = States::new(&lts);
//! let (mut set, _) = states.initial(&mut ask).expect("enough steps");
//! // Once round the loop: `x < n` before `x++` is `x <= n` after it.
//! for _ in 0..2 {
//!     let (edge, _) = lts.outgoing(states.location(set))[0];
//!     let Ok(Successor::States { set: next, exact: true, .. }) = states.successor(set, edge, &mut ask) else { panic!("some states pass") };
//!     set = next;
//! }
//! let conjuncts: Vec<String> = states.conjuncts(set).iter().map(|&formula| text::formula(&states.pool, formula)).collect();
//! assert_eq!(conjuncts, ["x <= n"]);
//! ```

mod ask;
mod normal;
mod post;

pub use ask::Ask;

use crate::logic::{Assignment, Formula, FormulaId, Int, IntRange, Pool};
use crate::lts::relevance::Relevance;
use crate::lts::{ArrayId, EdgeId, Expr, LocationId, Lts};
use crate::solver::meter::Exhausted;
use crate::solver::{Answer, Reason, Refutation};
use crate::symex::{State, first_values};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a set of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

/// The number of a set of feasible paths up to some length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LookaheadId(u32);

/// What an edge makes of a set.
#[derive(Clone, Debug)]
pub enum Successor {
    /// No state passes: a refutation of the set's conjuncts and then the edge's condition, accepted by the checker.
    Empty(Rc<Refutation>),
    /// These states come out.
    States {
        set: SetId,
        /// Whether exactly these, but for [`States::leave_out_far_ranges`]; else at most these.
        exact: bool,
        /// Why it is open whether any state passes at all, if it is.
        open: Option<Reason>,
    },
}

#[derive(Clone, Debug)]
struct StateSet {
    location: LocationId,
    conjuncts: Rc<[FormulaId]>,
    /// One of its states, where one is known.
    model: Option<Rc<Assignment>>,
}

/// All sets met so far.
#[derive(Debug)]
pub struct States<'a> {
    pub lts: &'a Lts,
    pub pool: Pool,
    relevance: Relevance,
    /// What matters while far ranges are left out.
    without_far_ranges: Option<Relevance>,
    outgoing: Vec<Vec<(EdgeId, LocationId)>>,
    /// Every variable is its own symbol.
    identity: State,
    /// What edges make of that, for those met so far; the flag says whether far ranges are kept, which makes a difference.
    effects: FxHashMap<(EdgeId, bool), Rc<(State, Applied)>>,
    sets: Vec<StateSet>,
    numbers: FxHashMap<(LocationId, Rc<[FormulaId]>), SetId>,
    successors: FxHashMap<(SetId, EdgeId), Successor>,
    included: FxHashMap<(SetId, SetId), bool>,
    implied: FxHashMap<(SetId, FormulaId), bool>,
    futures: FxHashMap<(SetId, u32), LookaheadId>,
    lookaheads: FxHashMap<Vec<(EdgeId, LookaheadId)>, LookaheadId>,
    normal: FxHashMap<Vec<FormulaId>, Option<Rc<[FormulaId]>>>,
    /// Of conjunctions without equations the formulas that the others do not imply.
    needed: FxHashMap<Vec<FormulaId>, Vec<FormulaId>>,
    wide: FarRanges,
}

/// What becomes of the far ends of ranges ([`symex::Undo::ranges`]) in sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FarRanges {
    Kept,
    /// Left out; whether that made a difference yet.
    LeftOut(bool),
}

impl<'a> States<'a> {
    /// No sets yet, over a pool of their own.
    pub fn new(lts: &'a Lts) -> States<'a> {
        let mut pool = Pool::new();
        let identity = State::of_symbols(lts, &mut pool, str::to_owned);
        States {
            lts,
            pool,
            relevance: Relevance::new(lts),
            without_far_ranges: None,
            outgoing: lts.graph.node_indices().map(|location| lts.outgoing(location)).collect(),
            identity,
            effects: FxHashMap::default(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            successors: FxHashMap::default(),
            included: FxHashMap::default(),
            implied: FxHashMap::default(),
            futures: FxHashMap::default(),
            lookaheads: FxHashMap::default(),
            normal: FxHashMap::default(),
            needed: FxHashMap::default(),
            wide: FarRanges::Kept,
        }
    }

    /// From now on sets leave out that values lie within the far ends of the ranges of their types; whether a state passes an edge, the
    /// solver decides with them all the same. Sets are then too large, and more of them are equal: with far ends, a counter that moves
    /// away from one end of its range makes a different set in each round. Nor do sets then speak of what only decides whether arithmetic
    /// overflows at those ends. Where the program itself speaks of numbers as large, they leave out nothing.
    pub fn leave_out_far_ranges(&mut self) {
        if self.wide == FarRanges::Kept && !speaks_of_large_numbers(self.lts) {
            let far = |range: IntRange| range.least <= -i128::from(LARGE) && range.greatest >= i128::from(LARGE);
            let matters = Relevance::ignoring(self.lts, &far);
            self.wide = FarRanges::LeftOut(matters != self.relevance);
            self.without_far_ranges = Some(matters);
        }
    }

    /// What sets speak of.
    pub fn relevance(&self) -> &Relevance {
        match (&self.without_far_ranges, self.wide) {
            (Some(matters), FarRanges::LeftOut(_)) => matters,
            _ => &self.relevance,
        }
    }

    /// Whether some set says less than it would with far ranges kept.
    pub fn has_left_out(&self) -> bool {
        self.wide == FarRanges::LeftOut(true)
    }

    /// Takes [`States::leave_out_far_ranges`] back.
    pub fn keep_far_ranges(&mut self) {
        if self.has_left_out() {
            self.successors.clear();
            self.futures.clear();
        }
        self.wide = FarRanges::Kept;
    }

    /// Executes an edge: its whole condition, and the part of it that sets keep.
    pub fn apply(&mut self, state: &mut State, edge: EdgeId) -> Applied {
        let (condition, undo) = state.apply(self.lts, &mut self.pool, edge);
        let mut told = condition;
        if self.wide != FarRanges::Kept {
            let near = undo.ranges().iter().copied().filter(|&range| !is_far(&self.pool, range));
            let parts: Vec<FormulaId> = undo.decided().iter().copied().chain(near).collect();
            told = self.pool.and(&parts);
        }
        Applied { condition, told, is_exact: undo.is_exact() }
    }

    /// What an edge makes of the state in which every variable is its own symbol.
    fn effect(&mut self, edge: EdgeId) -> Rc<(State, Applied)> {
        let key = (edge, self.wide == FarRanges::Kept);
        if let Some(cached) = self.effects.get(&key) {
            return cached.clone();
        }
        let mut state = self.identity.clone();
        let applied = self.apply(&mut state, edge);
        let effect = Rc::new((state, applied));
        self.effects.insert(key, effect.clone());
        effect
    }

    /// The location at which the set is one of states.
    pub fn location(&self, set: SetId) -> LocationId {
        self.sets[set.0 as usize].location
    }

    /// The conjunction that describes the set, over the symbols of the variables' names.
    pub fn conjuncts(&self, set: SetId) -> &[FormulaId] {
        &self.sets[set.0 as usize].conjuncts
    }

    /// The edges that leave a location, as [`Lts::outgoing`].
    pub fn outgoing(&self, location: LocationId) -> &[(EdgeId, LocationId)] {
        &self.outgoing[location.index()]
    }

    /// The state in which every variable is its own symbol.
    pub fn identity(&self) -> &State {
        &self.identity
    }

    /// The states before the first edge, and whether exactly these.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn initial(&mut self, ask: &mut Ask) -> Result<(SetId, bool), Exhausted> {
        let conjuncts = first_values(self.lts, &mut self.pool, &self.identity);
        let entry = self.lts.entry;
        let arrays = (self.lts.arrays.iter().enumerate()).filter(|(_, array)| array.initial.is_some());
        let exact = !arrays.map(|(index, _)| ArrayId(index as u32)).any(|id| self.relevance().array(entry, id));
        let (set, projected) = self.project_to(entry, conjuncts, None, ask)?;
        Ok((set, exact && projected))
    }

    /// Whether every state of `part` is one of `whole`; both at one location. `false` where that is open.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn included(&mut self, part: SetId, whole: SetId, ask: &mut Ask) -> Result<bool, Exhausted> {
        if part == whole {
            return Ok(true);
        }
        if let Some(&cached) = self.included.get(&(part, whole)) {
            return Ok(cached);
        }
        let claimed = self.sets[whole.0 as usize].conjuncts.clone();
        let mut holds = true;
        for &formula in claimed.iter() {
            if !self.implies(part, formula, ask)? {
                holds = false;
                break;
            }
        }
        self.included.insert((part, whole), holds);
        Ok(holds)
    }

    /// The set of feasible paths of at most `depth` edges that go on from a set, as a number: two sets at one location have
    /// the same number for the same depth iff they have the same paths (as far as sets are exact and answers closed).
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn lookahead(&mut self, set: SetId, depth: u32, ask: &mut Ask) -> Result<LookaheadId, Exhausted> {
        if let Some(&cached) = self.futures.get(&(set, depth)) {
            return Ok(cached);
        }
        ask.meter.spend(1)?;
        let mut arms = Vec::new();
        if depth > 0 {
            for (edge, _) in self.outgoing[self.location(set).index()].clone() {
                if let Successor::States { set, .. } = self.successor(set, edge, ask)? {
                    arms.push((edge, self.lookahead(set, depth - 1, ask)?));
                }
            }
        }
        let next = LookaheadId(self.lookaheads.len() as u32);
        let id = *self.lookaheads.entry(arms).or_insert(next);
        self.futures.insert((set, depth), id);
        Ok(id)
    }

    /// The set of this conjunction, already over the symbols that matter at the location.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn intern(
        &mut self,
        location: LocationId,
        conjuncts: Vec<FormulaId>,
        model: Option<Rc<Assignment>>,
        ask: &mut Ask,
    ) -> Result<SetId, Exhausted> {
        let conjuncts = self.canonical(conjuncts, ask)?.unwrap_or_else(|| Rc::from([Pool::FALSE]));
        let next = SetId(self.sets.len() as u32);
        let id = *self.numbers.entry((location, conjuncts.clone())).or_insert(next);
        // A model that the formulas do not confirm is none.
        let confirmed = |set: &StateSet| model.filter(|model| model.satisfies(&self.pool, set.conjuncts.iter().copied()));
        if id == next {
            let mut set = StateSet { location, conjuncts, model: None };
            set.model = confirmed(&set);
            self.sets.push(set);
        } else if self.sets[id.0 as usize].model.is_none() {
            let found = confirmed(&self.sets[id.0 as usize]);
            self.sets[id.0 as usize].model = found;
        }
        Ok(id)
    }

    /// Whether a formula holds in all states of a set: `true` with an accepted certificate, `false` also where that is open. A known state
    /// in which the formula fails saves the question, and no question is asked twice: a search for an abstraction repeats the same
    /// ones for each candidate.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn implies(&mut self, set: SetId, claimed: FormulaId, ask: &mut Ask) -> Result<bool, Exhausted> {
        let StateSet { conjuncts, model, .. } = &self.sets[set.0 as usize];
        if claimed == Pool::TRUE || conjuncts.contains(&claimed) {
            return Ok(true);
        }
        if let Some(&cached) = self.implied.get(&(set, claimed)) {
            return Ok(cached);
        }
        let refuted = model.as_ref().is_some_and(|model| model.formula(&self.pool, claimed) == Some(false));
        let mut formulas = conjuncts.to_vec();
        let holds = !refuted && {
            formulas.push(self.pool.not(claimed));
            let answer = ask.decide(&mut self.pool, &formulas)?;
            if let (Answer::Sat(found), None) = (&answer, &self.sets[set.0 as usize].model) {
                self.sets[set.0 as usize].model = Some(found.clone());
            }
            matches!(answer, Answer::Unsat(_))
        };
        self.implied.insert((set, claimed), holds);
        Ok(holds)
    }
}

/// What an edge's condition is.
#[derive(Clone, Copy, Debug)]
pub struct Applied {
    pub condition: FormulaId,
    /// The part of it that sets keep.
    pub told: FormulaId,
    /// [`symex::Undo::is_exact`].
    pub is_exact: bool,
}

/// From where on a number is large, and the end of a range far.
const LARGE: i64 = 1 << 16;

fn is_far(pool: &Pool, formula: FormulaId) -> bool {
    matches!(pool.formula(formula), Formula::Le(term) if *term.offset() <= Int::from(-LARGE))
}

fn speaks_of_large_numbers(lts: &Lts) -> bool {
    let mut found = lts.precondition.as_ref().is_some_and(|assumed| speaks_of_large_numbers(assumed));
    for edge in lts.graph.edge_weights() {
        for operand in edge.label.operands() {
            operand.walk(&mut |part| found |= matches!(part, Expr::Int(value) if value.abs() >= Int::from(LARGE)));
        }
    }
    found
}

#[cfg(test)]
mod tests;
