//! What is known along a family: annotations, made from the path of the family, which [`crate::evidence::family`] checks.

use super::dependencies::{ResourceKind, Resources};
use super::family::{Family, Trail};
use crate::automaton::{Letter, StateId};
use crate::evidence::family::{Annotation, Certified, Contents, Unknown, state_of};
use crate::logic::{Arrange, ArrayTerm, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, gathered};
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use crate::solver::certificate::Certificate;
use crate::symex::State;

/// The path that gave the family.
pub struct Path<'a> {
    pub resources: &'a Resources,
    pub trail: &'a Trail,
    /// The states before the edges at the ends of its legs.
    pub states: &'a [State],
}

/// Annotates a family with what its path says; `explanation` gives positions and constraints.
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
            let mut annotation = Annotation::default();
            for &resource in live {
                match resources.kind(resource) {
                    ResourceKind::Variable(id) => drop(annotation.variables.insert(*id, state.variable(*id).clone())),
                    ResourceKind::Whole(id) => drop(annotation.arrays.insert(*id, Contents::Whole(state.array(*id)))),
                    ResourceKind::Element(id, index) => {
                        let value = pool.select(state.array(*id), &Linear::constant(index.clone()));
                        let contents = annotation.arrays.entry(*id).or_insert_with(|| Contents::Elements(SortedMap::new()));
                        if let Contents::Elements(elements) = contents {
                            elements.insert(index.clone(), value);
                        }
                    }
                }
            }
            annotation.holds = explanation.iter().filter(|(position, _)| position < end).map(|(_, formula)| *formula).collect();
            annotation
        })
        .collect();
    let all: SortedSet<FormulaId> = gathered(explanation.iter().map(|(_, formula)| *formula));
    let mut annotations: Vec<Annotation> = (old.iter())
        .map(|&state| match leg_annotations.get(family.leg_of(state)) {
            Some(annotation) => annotation.clone(),
            None => Annotation { holds: all.clone(), ..Annotation::default() },
        })
        .collect();
    let mut named: SortedMap<(StateId, Letter, StateId), u32> = SortedMap::new();
    let mut into: SortedMap<StateId, usize> = SortedMap::new();
    automaton.transitions.iter().flatten().for_each(|way| *into.entry(way.1).or_default() += 1);
    let mut on_path = family.on_path.clone();
    on_path.arrange_by_key(|&(.., position)| position);
    let mut steps: SortedMap<StateId, Vec<Annotation>> = SortedMap::new();
    let unknown = Unknown::new(lts, pool);
    for (from, to, position) in on_path {
        let edge = trail.edges[position];
        named.insert((number(from), edge.index() as Letter, number(to)), trail.nondet[position]);
        // Where only the path leads, more may be known than what is live: along its lanes, and where these begin.
        let annotation = annotations[number(from) as usize].clone();
        let mut state = state_of(pool, &unknown, &annotation, Some(trail.nondet[position]));
        state.apply(lts, pool, edge);
        let target = &mut annotations[number(to) as usize];
        let met = steps.entry(to).or_default();
        met.push(preserved(lts, pool, &unknown, &state, &annotation));
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
    let letters: SortedSet<Letter> = gathered(automaton.transitions.iter().flatten().map(|way| way.0));
    let mut state = unknown.state;
    let draws_of: SortedMap<Letter, bool> =
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

/// Whether an edge asks `nondet()`; leaves the state as it is.
fn draws(lts: &Lts, pool: &mut Pool, state: &mut State, edge: EdgeId) -> bool {
    let before = state.nondet_count();
    let (_, undo) = state.apply(lts, pool, edge);
    let draws = state.nondet_count() > before;
    state.undo(undo);
    draws
}

/// What is known of a state after an edge, whose state before this annotation describes: every value without anything unknown in
/// it.
fn preserved(lts: &Lts, pool: &mut Pool, unknown: &Unknown, state: &State, before: &Annotation) -> Annotation {
    let mut annotation = Annotation::default();
    let is_preserved = |pool: &Pool, term: &Linear| Mentions::of(pool, &[], &[term]).symbols.is_disjoint(&unknown.symbols);
    for id in (0..lts.variables.len() as u32).map(VariableId) {
        if is_preserved(pool, state.variable(id)) {
            annotation.variables.insert(id, state.variable(id).clone());
        }
    }
    for id in (0..lts.arrays.len() as u32).map(ArrayId) {
        let term = state.array(id);
        if Mentions::of_array(pool, term).symbols.is_disjoint(&unknown.symbols) {
            annotation.arrays.insert(id, Contents::Whole(term));
            continue;
        }
        // The elements that were known before, and those that the edge stores.
        let mut indices: Vec<Int> = match before.arrays.get(&id) {
            Some(Contents::Elements(elements)) => elements.keys().cloned().collect(),
            _ => Vec::new(),
        };
        if let ArrayTerm::Store(_, index, _) = pool.array(term)
            && let Some(index) = index.as_constant()
        {
            indices.push(index.clone());
        }
        let mut elements = SortedMap::new();
        for index in indices {
            let value = pool.select(term, &Linear::constant(index.clone()));
            if is_preserved(pool, &value) {
                elements.insert(index, value);
            }
        }
        if !elements.is_empty() {
            annotation.arrays.insert(id, Contents::Elements(elements));
        }
    }
    annotation
}
