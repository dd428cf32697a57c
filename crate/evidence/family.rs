//! Why no path of a family can run, in a form that a check can follow without knowing how the family was made.
//!
//! Each state of the automaton says its annotation: terms over the inputs that some variables and elements stand for,
//! and constraints that hold. Together this is an inductive invariant: *there are values of the symbols, those of the inputs
//! among them, under which all of this is so*.
//!
//! 0. The shape is right: the automaton starts at the entry, its transitions are edges between the locations of their
//!    states, and what is known speaks only of inputs and of values of `nondet()`.
//! 1. At the initial state what is known is so before the first edge.
//! 2. Along every transition, what is known after it is what the edge makes of what is known before it; a constraint after it
//!    was there before or is (a conjunct of) the edge's condition. What is not known before stands for anything. A value that
//!    `nondet()` gives on the transition may be called by a name that nothing known before speaks of, or else by none.
//! 3. At the accepting states the explanation holds: all its constraints are known.
//! 4. The explanation cannot hold: its certificate is accepted.
//!
//! So no execution gets along an accepted path.

pub mod written;

use super::judge::{Judge, by_certificate};
use super::{Claim, Statement};
use crate::logic::{ArrayTermId, Formula, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, SymbolId, gathered};
use crate::lts::{ArrayId, EdgeId, LocationId, Lts, VariableId};
use crate::solver::certificate::Certificate;
use crate::symex::{State, contents_name, is_operator, nondet_name};

/// The annotation of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    Whole(ArrayTermId),
    Elements(SortedMap<Int, Linear>),
}

/// The annotation of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    pub variables: SortedMap<VariableId, Linear>,
    pub arrays: SortedMap<ArrayId, Contents>,
    pub holds: SortedSet<FormulaId>,
}

/// The number of a state.
pub type FamilyStateId = u32;

/// A transition: from, edge, to; and the number of the first value of `nondet()` on it, where these have names.
pub type Transition = (FamilyStateId, u32, FamilyStateId, Option<u32>);

/// A family with what makes it believable; state 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub struct Certified {
    pub locations: Vec<LocationId>,
    pub accepting: Vec<FamilyStateId>,
    pub transitions: Vec<Transition>,
    pub annotations: Vec<Annotation>,
    pub explanation: Vec<FormulaId>,
    pub certificate: Certificate,
}

/// Values of `nondet()` from this number on have no name.
const NAMED: u32 = 1 << 20;

/// The state in which nothing is known: everything stands for itself.
pub(crate) struct Unknown {
    pub state: State,
    pub symbols: SortedSet<SymbolId>,
}

impl Unknown {
    pub fn new(lts: &Lts, pool: &mut Pool) -> Unknown {
        let symbol = |name: &str| format!("?{name}");
        let state = State::of_symbols(lts, pool, symbol);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        Unknown { state, symbols: gathered(names.map(|name| pool.symbol(&symbol(name)))) }
    }
}

/// The state in which what is known stands for its terms and everything else for itself.
pub(crate) fn state_of(pool: &mut Pool, unknown: &Unknown, annotation: &Annotation, nondet: Option<u32>) -> State {
    let mut state = unknown.state.clone();
    for (&variable, term) in &annotation.variables {
        state.set_variable(variable, term.clone());
    }
    for (&array, contents) in &annotation.arrays {
        let term = match contents {
            Contents::Whole(term) => *term,
            Contents::Elements(elements) => (elements.iter())
                .fold(state.array(array), |term, (index, value)| pool.store(term, Linear::constant(index.clone()), value.clone())),
        };
        state.replace_array(array, term);
    }
    state.set_nondet_count(nondet.unwrap_or(NAMED));
    state
}

/// The formula itself and, if it is a conjunction, its conjuncts.
fn conjuncts(pool: &Pool, condition: FormulaId) -> Vec<FormulaId> {
    match pool.formula(condition) {
        Formula::And(parts) => [&[condition], &parts[..]].concat(),
        _ => vec![condition],
    }
}

/// All symbols in an annotation.
fn mentioned(pool: &Pool, annotation: &Annotation) -> SortedSet<SymbolId> {
    let elements = annotation.arrays.values().flat_map(|contents| match contents {
        Contents::Whole(_) => Vec::new(),
        Contents::Elements(elements) => elements.values().collect(),
    });
    let terms: Vec<&Linear> = annotation.variables.values().chain(elements).collect();
    let formulas: Vec<FormulaId> = annotation.holds.iter().copied().collect();
    let mut symbols = Mentions::of(pool, &formulas, &terms).symbols;
    for contents in annotation.arrays.values() {
        if let Contents::Whole(term) = contents {
            symbols.extend(Mentions::of_array(pool, *term).symbols);
        }
    }
    symbols
}

/// Whether the array has these contents.
fn agrees(pool: &mut Pool, array: ArrayTermId, contents: &Contents) -> bool {
    match contents {
        Contents::Whole(term) => *term == array,
        Contents::Elements(elements) => {
            elements.iter().all(|(index, value)| pool.select(array, &Linear::constant(index.clone())) == *value)
        }
    }
}

/// Whether the state has what the annotation says.
fn is_so(pool: &mut Pool, state: &State, annotation: &Annotation) -> Result<(), String> {
    if let Some((variable, _)) = annotation.variables.iter().find(|(id, term)| state.variable(**id) != *term) {
        return Err(format!("variable {} stands for something else", variable.0));
    }
    match annotation.arrays.iter().find(|(id, contents)| !agrees(pool, state.array(**id), contents)) {
        Some((array, _)) => Err(format!("array {} has something else in it", array.0)),
        None => Ok(()),
    }
}

/// Checks a family: 0 to 4.
///
/// # Errors
/// The first reason not to believe the family.
pub fn check_family(lts: &Lts, pool: &mut Pool, family: &Certified) -> Result<(), String> {
    judge_family(lts, pool, family, &mut by_certificate)
}

/// As [`check_family`], with what becomes of the obligation.
///
/// # Errors
/// As [`check_family`]; the judge's.
pub(super) fn judge_family(lts: &Lts, pool: &mut Pool, family: &Certified, judge: Judge) -> Result<(), String> {
    // 0.
    let count = family.locations.len();
    if family.annotations.len() != count || family.locations.first() != Some(&lts.entry) {
        return Err("each state has its annotation, and the first one is at the entry".to_owned());
    }
    let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
    let mut allowed: SortedSet<SymbolId> = gathered(names.map(|name| pool.symbol(name)));
    for annotation in &family.annotations {
        if annotation.variables.keys().any(|id| id.0 as usize >= lts.variables.len())
            || annotation.arrays.keys().any(|id| id.0 as usize >= lts.arrays.len())
        {
            return Err("an annotation speaks of a variable that the function does not have".to_owned());
        }
        for symbol in mentioned(pool, annotation) {
            let name = pool.symbol_name(symbol);
            let number = name.split_once('#').and_then(|(_, number)| number.parse::<u32>().ok());
            if number.is_some_and(|number| number < NAMED && [nondet_name(number), contents_name(number)].iter().any(|drawn| drawn == name))
            {
                allowed.insert(symbol);
            }
            // It stands for the operator itself, in every execution.
            if is_operator(name) {
                allowed.insert(symbol);
            }
            if !allowed.contains(&symbol) {
                return Err(format!("an annotation speaks of `{}`", pool.symbol_name(symbol)));
            }
        }
    }
    // 1.
    let initial = State::initial(lts, pool);
    is_so(pool, &initial, &family.annotations[0]).map_err(|reason| format!("at the entry {reason}"))?;
    if !family.annotations[0].holds.is_empty() {
        return Err("at the entry nothing is known to hold".to_owned());
    }
    // 2.
    let unknown = Unknown::new(lts, pool);
    for (index, transition) in family.transitions.iter().enumerate() {
        step(lts, pool, &unknown, family, transition).map_err(|reason| format!("transition {index}: {reason}"))?;
    }
    // 3.
    for &state in &family.accepting {
        let annotation = family.annotations.get(state as usize).ok_or("an accepting state that is none")?;
        if !family.explanation.iter().all(|formula| annotation.holds.contains(formula)) {
            return Err(format!("at the accepting state {state} not all of the explanation holds"));
        }
    }
    // 4.
    judge(pool, &family.explanation, &family.certificate)
}

/// 0 and 2 for one transition.
fn step(lts: &Lts, pool: &mut Pool, unknown: &Unknown, family: &Certified, &(from, edge, to, nondet): &Transition) -> Result<(), String> {
    let edge = EdgeId::new(edge as usize);
    let ends = lts.graph.edge_endpoints(edge).ok_or("an edge that the function does not have")?;
    let location = |state: FamilyStateId| family.locations.get(state as usize).copied();
    if (location(from), location(to)) != (Some(ends.0), Some(ends.1)) {
        return Err(format!("edge {} does not lead from one location to the other", edge.index()));
    }
    let (before, after) = (&family.annotations[from as usize], &family.annotations[to as usize]);
    let mut state = state_of(pool, unknown, before, nondet);
    let first = state.nondet_count();
    let (condition, _) = state.apply(lts, pool, edge);
    if nondet.is_some() && state.nondet_count() > first {
        let spoken = mentioned(pool, before);
        for number in first..state.nondet_count() {
            for name in [nondet_name(number), contents_name(number)] {
                if number >= NAMED || spoken.contains(&pool.symbol(&name)) {
                    return Err(format!("`{name}` would stand for two values"));
                }
            }
        }
    }
    is_so(pool, &state, after)?;
    let new = conjuncts(pool, condition);
    match after.holds.iter().find(|formula| !before.holds.contains(formula) && !new.contains(formula)) {
        Some(_) => Err("a constraint comes from nowhere".to_owned()),
        None => Ok(()),
    }
}

/// The claim that no path of a family can run.
pub fn family_claim(number: usize, lts: &Lts, pool: &Pool, family: &Certified) -> Claim {
    Claim::new(format!("family-{number}"), Statement::Family { family: written::write_family(lts, pool, family) })
}
