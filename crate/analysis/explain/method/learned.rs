//! Learned families, asked of every prefix of a walk: does one of them accept it?
//!
//! The automata run side by side; for each prefix this keeps only those that can still accept something.

use crate::automaton::{Automaton, Letter, StateId};
use crate::logic::Arrange;
use rustc_hash::FxHashMap;

/// Automata with where they stand along a word.
#[derive(Clone, Debug)]
pub struct Learned {
    automata: Vec<Automaton>,
    /// For each prefix of the word the automata that are alive, each with its states.
    alive: Vec<Vec<(u32, StateId)>>,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned { automata: Vec::new(), alive: vec![Vec::new()] }
    }
}

impl Learned {
    /// Adds an automaton, unless its language is there already; `word` is the word up to here.
    pub fn add(&mut self, automaton: &Automaton, word: &[Letter]) {
        if self.automata.contains(automaton) {
            return;
        }
        let number = self.automata.len() as u32;
        let mut states = vec![automaton.initial];
        self.alive[0].push((number, automaton.initial));
        for (letter, alive) in word.iter().zip(&mut self.alive[1..]) {
            states = after(automaton, &states, *letter);
            alive.extend(states.iter().map(|&state| (number, state)));
        }
        self.automata.push(automaton.clone());
    }

    /// Reads a letter.
    pub fn step(&mut self, letter: Letter) {
        let mut next = Vec::new();
        if let Some(here) = self.alive.last() {
            for group in here.chunk_by(|a, b| a.0 == b.0) {
                let number = group[0].0;
                let states: Vec<StateId> = group.iter().map(|one| one.1).collect();
                let states = after(&self.automata[number as usize], &states, letter);
                next.extend(states.into_iter().map(|state| (number, state)));
            }
        }
        self.alive.push(next);
    }

    /// Takes the last letter back.
    pub fn back(&mut self) {
        if self.alive.len() > 1 {
            self.alive.pop();
        }
    }

    /// Whether one of them accepts the word up to here.
    pub fn accepts(&self) -> bool {
        let accepts = |&(number, state): &(u32, StateId)| self.automata[number as usize].accepting[state as usize];
        self.alive.last().is_some_and(|alive| alive.iter().any(accepts))
    }
}

fn after(automaton: &Automaton, states: &[StateId], letter: Letter) -> Vec<StateId> {
    let mut next: Vec<StateId> = states.iter().flat_map(|&state| automaton.ways(state, letter)).collect();
    next.arrange();
    next.dedup();
    next
}

/// The words of one automaton that no word of the other begins; both deterministic.
pub fn avoiding(automaton: &Automaton, learned: &Automaton) -> Automaton {
    let mut result = Automaton { initial: 0, accepting: Vec::new(), transitions: Vec::new() };
    let mut pairs = vec![(automaton.initial, Some(learned.initial))];
    let mut numbers = FxHashMap::from_iter([(pairs[0], 0 as StateId)]);
    let begins = |state: Option<StateId>| state.is_some_and(|state| learned.accepting[state as usize]);
    if begins(Some(learned.initial)) {
        return Automaton::empty();
    }
    while result.states() < pairs.len() {
        let (here, there) = pairs[result.states()];
        let mut ways = Vec::new();
        for &(letter, to) in &automaton.transitions[here as usize] {
            let pair = (to, there.and_then(|state| learned.step(state, letter)));
            if !begins(pair.1) {
                let next = pairs.len() as StateId;
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    next
                });
                ways.push((letter, number));
            }
        }
        result.accepting.push(automaton.accepting[here as usize]);
        result.transitions.push(ways);
    }
    result.trimmed()
}
