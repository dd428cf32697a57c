//! Minimization by partition refinement (J. Hopcroft, *An n log n Algorithm for Minimizing States in a Finite
//! Automaton*, 1971), on partial automata as A. Valmari and P. Lehtinen have it: a missing transition needs no state.
//!
//! The first blocks are the accepting and the rejecting states. A block that waits is a splitter: for every letter the
//! refinement marks the states that go into it, and blocks with some states marked fall apart. All first blocks wait,
//! since in a partial automaton one half of a block does not determine the other; later the smaller half waits, or both
//! if the whole one did.

use super::{Automaton, Letter, StateId};
use crate::logic::Arrange;

/// Merges the states that no word tells apart. The automaton must be deterministic and all its states useful.
pub fn quotient(automaton: &Automaton) -> Automaton {
    let count = automaton.states();
    let mut incoming: Vec<Vec<(Letter, StateId)>> = vec![Vec::new(); count];
    for (from, ways) in automaton.transitions.iter().enumerate() {
        ways.iter().for_each(|&(letter, to)| incoming[to as usize].push((letter, from as StateId)));
    }
    let (accepting, rejecting): (Vec<StateId>, Vec<StateId>) =
        (0..count as StateId).partition(|&state| automaton.accepting[state as usize]);
    let mut blocks: Vec<Vec<StateId>> = [accepting, rejecting].into_iter().filter(|block| !block.is_empty()).collect();
    let mut block_of = vec![0; count];
    for (number, block) in blocks.iter().enumerate() {
        block.iter().for_each(|&state| block_of[state as usize] = number);
    }
    let mut waits = vec![true; blocks.len()];
    let mut work: Vec<usize> = (0..blocks.len()).collect();
    let mut marked = vec![false; count];
    while let Some(splitter) = work.pop() {
        waits[splitter] = false;
        let mut into: Vec<(Letter, StateId)> =
            blocks[splitter].iter().flat_map(|&state| incoming[state as usize].iter().copied()).collect();
        into.arrange();
        for group in into.chunk_by(|a, b| a.0 == b.0) {
            let mut touched: Vec<usize> = Vec::new();
            for &(_, state) in group {
                marked[state as usize] = true;
                touched.push(block_of[state as usize]);
            }
            touched.arrange();
            touched.dedup();
            for block in touched {
                let (inside, outside): (Vec<StateId>, Vec<StateId>) = blocks[block].iter().partition(|&&state| marked[state as usize]);
                if outside.is_empty() {
                    continue;
                }
                let (smaller, larger) = if inside.len() <= outside.len() { (inside, outside) } else { (outside, inside) };
                let new = blocks.len();
                smaller.iter().for_each(|&state| block_of[state as usize] = new);
                blocks[block] = larger;
                blocks.push(smaller);
                // The old one goes on waiting if it did; the new one, the smaller, waits in any case.
                waits.push(true);
                work.push(new);
            }
            group.iter().for_each(|&(_, state)| marked[state as usize] = false);
        }
    }
    let transitions = blocks.iter().map(|block| {
        let ways = automaton.transitions[block[0] as usize].iter();
        ways.map(|&(letter, to)| (letter, block_of[to as usize] as StateId)).collect()
    });
    Automaton {
        initial: block_of[automaton.initial as usize] as StateId,
        accepting: blocks.iter().map(|block| automaton.accepting[block[0] as usize]).collect(),
        transitions: transitions.collect(),
    }
}
