//! Why no path of a family can run, in a form that can be checked without knowing how the family was made.
//!
//! Each state of the automaton says what is known there: terms over the inputs that some variables and elements stand for,
//! and constraints that hold. Together this is an inductive invariant: *there are values of the symbols, those of the inputs
//! among them, under which all of this is so*.
//!
//! 0. The shape is right: the automaton starts at the entry, its transitions are edges between the locations of their
//!    states, and what is known speaks only of inputs and of values of `nondet()`.
//! 1. At the initial state what is known is so before the first edge.
//! 2. Along every transition, what is known behind it is what the edge makes of what is known before it; a constraint behind it
//!    was there before or is (a conjunct of) the edge's condition. What is not known before stands for anything. A value that
//!    `nondet()` gives on the transition may be called by a name that nothing known before speaks of, or else by none.
//! 3. At the accepting states the explanation holds: all its constraints are known.
//! 4. The explanation cannot hold: its certificate is accepted.
//!
//! So no execution gets along an accepted path. What is trusted is this file, the conditions that [`crate::symex`] derives, and
//! the checker of certificates.

use super::dependencies::{ResourceKind, Resources};
use super::family::{Family, Trail};
use crate::automaton::{Letter, StateId};
use crate::logic::{Arrange, ArrayTermId, Formula, FormulaId, Int, Linear, Mentions, Pool, SymbolId, gathered};
use crate::lts::{ArrayId, EdgeId, LocationId, Lts, VariableId};
use crate::solver::certificate::Certificate;
use crate::solver::check;
use crate::symex::{State, is_operator, nondet_name};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    Whole(ArrayTermId),
    Elements(BTreeMap<Int, Linear>),
}

/// What is known at a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    pub variables: BTreeMap<VariableId, Linear>,
    pub arrays: BTreeMap<ArrayId, Contents>,
    pub holds: BTreeSet<FormulaId>,
}

/// A transition: from, edge, to; and the number of the first value of `nondet()` on it, where these have names.
pub type Transition = (StateId, Letter, StateId, Option<u32>);

/// A family with what makes it believable; state 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub struct Certified {
    pub locations: Vec<LocationId>,
    pub accepting: Vec<StateId>,
    pub transitions: Vec<Transition>,
    pub annotations: Vec<Annotation>,
    pub explanation: Vec<FormulaId>,
    pub certificate: Certificate,
}

/// Values of `nondet()` from this number on have no name.
const NAMED: u32 = 1 << 20;

/// The state in which nothing is known: everything stands for itself.
struct Unknown {
    state: State,
    symbols: BTreeSet<SymbolId>,
}

impl Unknown {
    fn new(lts: &Lts, pool: &mut Pool) -> Unknown {
        let symbol = |name: &str| format!("?{name}");
        let state = State::of_symbols(lts, pool, symbol);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        Unknown { state, symbols: gathered(names.map(|name| pool.symbol(&symbol(name)))) }
    }
}

/// The state in which what is known stands for its terms and everything else for itself.
fn state_of(pool: &mut Pool, unknown: &Unknown, known: &Annotation, nondet: Option<u32>) -> State {
    let mut state = unknown.state.clone();
    for (&variable, term) in &known.variables {
        state.set_variable(variable, term.clone());
    }
    for (&array, contents) in &known.arrays {
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

/// The formulas that a condition is the conjunction of.
fn conjuncts(pool: &Pool, condition: FormulaId) -> Vec<FormulaId> {
    match pool.formula(condition) {
        Formula::And(parts) => [&[condition], &parts[..]].concat(),
        _ => vec![condition],
    }
}

/// All symbols in what is known.
fn mentioned(pool: &Pool, known: &Annotation) -> BTreeSet<SymbolId> {
    let elements = known.arrays.values().flat_map(|contents| match contents {
        Contents::Whole(_) => Vec::new(),
        Contents::Elements(elements) => elements.values().collect(),
    });
    let terms: Vec<&Linear> = known.variables.values().chain(elements).collect();
    let formulas: Vec<FormulaId> = known.holds.iter().copied().collect();
    let mut symbols = Mentions::of(pool, &formulas, &terms).symbols;
    for contents in known.arrays.values() {
        if let Contents::Whole(term) = contents {
            symbols.extend(Mentions::of_array(pool, *term).symbols);
        }
    }
    symbols
}

/// The value of an element under an array term.
fn agrees(pool: &mut Pool, array: ArrayTermId, contents: &Contents) -> bool {
    match contents {
        Contents::Whole(term) => *term == array,
        Contents::Elements(elements) => {
            elements.iter().all(|(index, value)| pool.select(array, &Linear::constant(index.clone())) == *value)
        }
    }
}

/// Whether what is known is what the state has.
fn is_so(pool: &mut Pool, state: &State, known: &Annotation) -> Result<(), String> {
    if let Some((variable, _)) = known.variables.iter().find(|(id, term)| state.variable(**id) != *term) {
        return Err(format!("variable {} stands for something else", variable.0));
    }
    match known.arrays.iter().find(|(id, contents)| !agrees(pool, state.array(**id), contents)) {
        Some((array, _)) => Err(format!("array {} has something else in it", array.0)),
        None => Ok(()),
    }
}

/// Checks a family: 0 to 4.
///
/// # Errors
/// The first reason not to believe it.
pub fn check_family(lts: &Lts, pool: &mut Pool, family: &Certified) -> Result<(), String> {
    // 0.
    let count = family.locations.len();
    if family.annotations.len() != count || family.locations.first() != Some(&lts.entry) {
        return Err("each state has its annotation, and the first one is at the entry".to_owned());
    }
    let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
    let mut allowed: BTreeSet<SymbolId> = gathered(names.map(|name| pool.symbol(name)));
    for known in &family.annotations {
        if known.variables.keys().any(|id| id.0 as usize >= lts.variables.len())
            || known.arrays.keys().any(|id| id.0 as usize >= lts.arrays.len())
        {
            return Err("an annotation speaks of a variable that the function does not have".to_owned());
        }
        for symbol in mentioned(pool, known) {
            let name = pool.symbol_name(symbol);
            let number = name.strip_prefix("nondet#").and_then(|number| number.parse::<u32>().ok());
            if number.is_some_and(|number| number < NAMED && nondet_name(number) == name) {
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
        let known = family.annotations.get(state as usize).ok_or("an accepting state that is none")?;
        if !family.explanation.iter().all(|formula| known.holds.contains(formula)) {
            return Err(format!("at the accepting state {state} not all of the explanation holds"));
        }
    }
    // 4.
    check::check(pool, &family.explanation, &family.certificate)
}

/// 0 and 2 for one transition.
fn step(lts: &Lts, pool: &mut Pool, unknown: &Unknown, family: &Certified, &(from, edge, to, nondet): &Transition) -> Result<(), String> {
    let edge = EdgeId::new(edge as usize);
    let ends = lts.graph.edge_endpoints(edge).ok_or("an edge that the function does not have")?;
    let location = |state: StateId| family.locations.get(state as usize).copied();
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
            let name = nondet_name(number);
            if number >= NAMED || spoken.contains(&pool.symbol(&name)) {
                return Err(format!("`{name}` would stand for two values"));
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

/// The path that a family was made of.
pub struct Path<'a> {
    pub resources: &'a Resources,
    pub trail: &'a Trail,
    /// The states before the edges at the ends of its legs.
    pub states: &'a [State],
}

/// What is known along a family, from the path that it was made of; the explanation is given by positions and constraints.
pub fn annotate(
    lts: &Lts,
    pool: &mut Pool,
    path: &Path,
    family: &Family,
    explanation: &[(usize, FormulaId)],
    certificate: Certificate,
) -> Certified {
    let Path { resources, trail, states } = *path;
    let automaton = family.automaton();
    let initial = automaton.initial;
    // The initial state comes first.
    let number = |state: StateId| {
        if state == initial {
            0
        } else if state < initial {
            state + 1
        } else {
            state
        }
    };
    let mut old: Vec<StateId> = (0..family.locations.len() as StateId).collect();
    old.arrange_by_key(|&state| number(state));
    let leg_annotations: Vec<Annotation> = (states.iter().zip(&family.indispensable).enumerate())
        .map(|(number, (state, end))| {
            let live = family.live.get(number);
            let mut known = Annotation::default();
            for &resource in live {
                match resources.kind(resource) {
                    ResourceKind::Variable(id) => drop(known.variables.insert(*id, state.variable(*id).clone())),
                    ResourceKind::Whole(id) => drop(known.arrays.insert(*id, Contents::Whole(state.array(*id)))),
                    ResourceKind::Element(id, index) => {
                        let value = pool.select(state.array(*id), &Linear::constant(index.clone()));
                        let contents = known.arrays.entry(*id).or_insert_with(|| Contents::Elements(BTreeMap::new()));
                        if let Contents::Elements(elements) = contents {
                            elements.insert(index.clone(), value);
                        }
                    }
                }
            }
            known.holds = explanation.iter().filter(|(position, _)| position < end).map(|(_, formula)| *formula).collect();
            known
        })
        .collect();
    let all: BTreeSet<FormulaId> = gathered(explanation.iter().map(|(_, formula)| *formula));
    let mut annotations: Vec<Annotation> = (old.iter())
        .map(|&state| match leg_annotations.get(family.leg_of(state)) {
            Some(known) => known.clone(),
            None => Annotation { holds: all.clone(), ..Annotation::default() },
        })
        .collect();
    let mut named: BTreeMap<(StateId, Letter, StateId), u32> = BTreeMap::new();
    let mut into: BTreeMap<StateId, usize> = BTreeMap::new();
    automaton.transitions.iter().flatten().for_each(|way| *into.entry(way.1).or_default() += 1);
    let mut on_path = family.on_path.clone();
    on_path.arrange_by_key(|&(.., position)| position);
    let mut steps: BTreeMap<StateId, Vec<Annotation>> = BTreeMap::new();
    let unknown = Unknown::new(lts, pool);
    for (from, to, position) in on_path {
        let edge = trail.edges[position];
        named.insert((number(from), edge.index() as Letter, number(to)), trail.nondet[position]);
        // Where only the path leads, more may be known than what is live: along its lanes, and where these begin.
        let known = annotations[number(from) as usize].clone();
        let mut state = state_of(pool, &unknown, &known, Some(trail.nondet[position]));
        state.apply(lts, pool, edge);
        let target = &mut annotations[number(to) as usize];
        let met = steps.entry(to).or_default();
        met.push(still_known(lts, pool, &unknown, &state, &known));
        if met.len() == into[&to]
            && to != family.accepting
            && to != initial
            && let Some(more) = agreed(met)
        {
            target.variables.extend(more.variables);
            for (array, contents) in more.arrays {
                target.arrays.entry(array).or_insert(contents);
            }
        }
    }
    let letters: BTreeSet<Letter> = gathered(automaton.transitions.iter().flatten().map(|way| way.0));
    let mut state = unknown.state;
    let draws_of: BTreeMap<Letter, bool> =
        gathered(letters.into_iter().map(|letter| (letter, draws(lts, pool, &mut state, EdgeId::new(letter as usize)))));
    let transitions = old.iter().flat_map(|&from| automaton.transitions[from as usize].iter().map(move |&(edge, to)| (from, edge, to)));
    let transitions = transitions.map(|(from, edge, to)| {
        let (from, to) = (number(from), number(to));
        let name = if draws_of[&edge] { named.get(&(from, edge, to)).copied() } else { None };
        (from, edge, to, name)
    });
    Certified {
        transitions: transitions.collect(),
        locations: old.iter().map(|&state| family.locations[state as usize]).collect(),
        accepting: old.iter().filter(|&&state| automaton.accepting[state as usize]).map(|&state| number(state)).collect(),
        annotations,
        explanation: explanation.iter().map(|(_, formula)| *formula).collect(),
        certificate,
    }
}

/// What all of these say.
fn agreed(all: &[Annotation]) -> Option<Annotation> {
    let (first, others) = all.split_first()?;
    let mut agreed = first.clone();
    agreed.variables.retain(|id, term| others.iter().all(|other| other.variables.get(id) == Some(term)));
    agreed.arrays.retain(|id, contents| others.iter().all(|other| other.arrays.get(id) == Some(contents)));
    Some(agreed)
}

/// Whether an edge asks `nondet()`, in a state that is left as it is.
fn draws(lts: &Lts, pool: &mut Pool, state: &mut State, edge: EdgeId) -> bool {
    let before = state.nondet_count();
    let (_, undo) = state.apply(lts, pool, edge);
    let draws = state.nondet_count() > before;
    state.undo(undo);
    draws
}

/// What is known of a state that was made from something known: every value without anything unknown in it.
fn still_known(lts: &Lts, pool: &mut Pool, unknown: &Unknown, state: &State, before: &Annotation) -> Annotation {
    let mut known = Annotation::default();
    let is_known = |pool: &Pool, term: &Linear| Mentions::of(pool, &[], &[term]).symbols.is_disjoint(&unknown.symbols);
    for id in (0..lts.variables.len() as u32).map(VariableId) {
        if is_known(pool, state.variable(id)) {
            known.variables.insert(id, state.variable(id).clone());
        }
    }
    for id in (0..lts.arrays.len() as u32).map(ArrayId) {
        let term = state.array(id);
        if Mentions::of_array(pool, term).symbols.is_disjoint(&unknown.symbols) {
            known.arrays.insert(id, Contents::Whole(term));
            continue;
        }
        // The elements that were known, and those just stored.
        let mut indices: Vec<Int> = match before.arrays.get(&id) {
            Some(Contents::Elements(elements)) => elements.keys().cloned().collect(),
            _ => Vec::new(),
        };
        if let crate::logic::ArrayTerm::Store(_, index, _) = pool.array(term)
            && let Some(index) = index.as_constant()
        {
            indices.push(index.clone());
        }
        let mut elements = BTreeMap::new();
        for index in indices {
            let value = pool.select(term, &Linear::constant(index.clone()));
            if is_known(pool, &value) {
                elements.insert(index, value);
            }
        }
        if !elements.is_empty() {
            known.arrays.insert(id, Contents::Elements(elements));
        }
    }
    known
}
