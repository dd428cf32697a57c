//! Words of an automaton: how many there are up to a length, one after the other, and at random.

use super::{Automaton, Letter, StateId};
use num_bigint::BigUint;
use num_traits::Zero;

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountRefusal {
    /// One word may be accepted in two ways: determinize first.
    Nondeterministic,
}

impl Automaton {
    /// For each length from 0 to `length` the number of accepted words of exactly this length.
    ///
    /// # Errors
    /// For an automaton that is not deterministic.
    pub fn census(&self, length: usize) -> Result<Vec<BigUint>, CountRefusal> {
        if !self.is_deterministic() {
            return Err(CountRefusal::Nondeterministic);
        }
        // Mostly a machine word's worth; the first sum beyond starts again with big integers.
        Ok(self.census_small(length).unwrap_or_else(|| self.census_big(length)))
    }

    fn census_small(&self, length: usize) -> Option<Vec<BigUint>> {
        let mut reach = vec![0u128; self.states()];
        let mut next = reach.clone();
        reach[self.initial as usize] = 1;
        let mut found = Vec::with_capacity(length + 1);
        loop {
            let mut accepted = 0u128;
            for (&ways, &accepts) in reach.iter().zip(&self.accepting) {
                accepted = accepted.checked_add(if accepts { ways } else { 0 })?;
            }
            found.push(BigUint::from(accepted));
            if found.len() > length {
                return Some(found);
            }
            next.fill(0);
            for (from, &ways) in reach.iter().enumerate().filter(|(_, ways)| **ways != 0) {
                for &(_, to) in &self.transitions[from] {
                    next[to as usize] = next[to as usize].checked_add(ways)?;
                }
            }
            std::mem::swap(&mut reach, &mut next);
        }
    }

    fn census_big(&self, length: usize) -> Vec<BigUint> {
        let mut reach = vec![BigUint::zero(); self.states()];
        reach[self.initial as usize] = BigUint::from(1u8);
        let mut found = Vec::with_capacity(length + 1);
        loop {
            found.push(reach.iter().zip(&self.accepting).filter(|(_, accepts)| **accepts).map(|(ways, _)| ways).sum());
            if found.len() > length {
                return found;
            }
            let mut next = vec![BigUint::zero(); self.states()];
            for (from, ways) in reach.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
                self.transitions[from].iter().for_each(|&(_, to)| next[to as usize] += ways);
            }
            reach = next;
        }
    }

    /// The number of accepted words of at most this length.
    ///
    /// # Errors
    /// As [`Automaton::census`].
    pub fn total(&self, length: usize) -> Result<BigUint, CountRefusal> {
        Ok(self.census(length)?.iter().sum())
    }

    /// All accepted words of at most this length, each once, depth first; the automaton is deterministic.
    pub fn words(&self, length: usize) -> Words<'_> {
        let shortest = self.shortest_to_accept();
        Words { automaton: self, length, shortest, word: Vec::new(), open: vec![(self.initial, 0)], started: false }
    }

    /// For each state the length of the shortest word accepted from there.
    pub fn shortest_to_accept(&self) -> Vec<Option<u32>> {
        let mut incoming: Vec<Vec<StateId>> = vec![Vec::new(); self.states()];
        for (from, ways) in self.transitions.iter().enumerate() {
            ways.iter().for_each(|&(_, to)| incoming[to as usize].push(from as StateId));
        }
        let mut shortest: Vec<Option<u32>> = self.accepting.iter().map(|&accepts| accepts.then_some(0)).collect();
        let mut layer: Vec<StateId> = (0..self.states() as StateId).filter(|&state| self.accepting[state as usize]).collect();
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for state in layer {
                for &from in &incoming[state as usize] {
                    if shortest[from as usize].is_none() {
                        shortest[from as usize] = Some(distance);
                        next.push(from);
                    }
                }
            }
            layer = next;
        }
        shortest
    }
}

/// See [`Automaton::words`].
pub struct Words<'a> {
    automaton: &'a Automaton,
    length: usize,
    shortest: Vec<Option<u32>>,
    word: Vec<Letter>,
    /// For each state on the way the next transition to try.
    open: Vec<(StateId, usize)>,
    started: bool,
}

impl Iterator for Words<'_> {
    type Item = Vec<Letter>;

    fn next(&mut self) -> Option<Vec<Letter>> {
        if !std::mem::replace(&mut self.started, true) && self.automaton.accepting[self.automaton.initial as usize] {
            return Some(Vec::new());
        }
        while let Some((state, next)) = self.open.last_mut() {
            let way = self.automaton.transitions[*state as usize].get(*next).copied();
            *next += 1;
            let Some((letter, to)) = way else {
                self.open.pop();
                self.word.pop();
                continue;
            };
            let room = self.length.checked_sub(self.word.len() + 1);
            if self.shortest[to as usize].zip(room).is_none_or(|(need, room)| need as usize > room) {
                continue;
            }
            self.word.push(letter);
            self.open.push((to, 0));
            if self.automaton.accepting[to as usize] {
                return Some(self.word.clone());
            }
        }
        None
    }
}
