//! Finite automata over the edges of a program: families of paths as data.
//!
//! A word is a sequence of edge numbers ([`Letter`]). [`Automaton`] is nondeterministic, without empty transitions and
//! with one initial state; [`Automaton::determinized`] and [`Automaton::minimized`] give partial deterministic ones (a
//! missing transition rejects). The program graph itself is an automaton ([`Automaton::of_program`]), so that "the paths
//! of the program outside a family" is a difference and its number a count. All counts are exact integers.
//!
//! Modules: `minimize` (Hopcroft's partition refinement), [`regex`] (state elimination), `words` (counting, enumerating).
//!
//! # Example
//!
//! ```
//! use culdesac::automaton::Automaton;
//!
//! let program = culdesac::lang::parse("int f(int x) { while (x > 0) x--; return x; }").program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let all = Automaton::of_program(&lts);
//! // Edges: 0 into the loop, 1 out of it, 2 round it. The paths but the one that never enters the loop:
//! let entering = all.difference(&Automaton::of_word(&[1])).expect("few states");
//! assert!(entering.accepts(&[0, 2, 1]) && !entering.accepts(&[1]));
//! let of_each_length: Vec<String> = entering.census(5).expect("deterministic").iter().map(ToString::to_string).collect();
//! assert_eq!(of_each_length, ["0", "0", "0", "1", "0", "1"]);
//! ```

mod minimize;
pub mod regex;
mod words;

pub use words::{CountRefusal, Words};

use crate::logic::Arrange;
use crate::lts::Lts;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// An edge's number.
pub type Letter = u32;

/// A state's number: `0..states()`.
pub type StateId = u32;

/// A nondeterministic finite automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Automaton {
    pub initial: StateId,
    pub accepting: Vec<bool>,
    /// For each state letter and target, ascending, each once.
    pub transitions: Vec<Vec<(Letter, StateId)>>,
}

/// The result would have more states than [`MAX_STATES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStates;

/// Whether a product accepts a word when both, one, or the first alone of two automata accept it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Both {
    And,
    Or,
    Without,
}

/// Constructions give up beyond so many states.
pub const MAX_STATES: usize = 200_000;

impl Automaton {
    /// The automaton that accepts nothing.
    pub fn empty() -> Automaton {
        Automaton { initial: 0, accepting: vec![false], transitions: vec![Vec::new()] }
    }

    /// The program graph: accepts the complete paths, from the entry to the exit.
    pub fn of_program(lts: &Lts) -> Automaton {
        let mut automaton = Automaton::of_prefixes(lts);
        automaton.accepting.iter_mut().enumerate().for_each(|(state, accepts)| *accepts = state == lts.exit.index());
        automaton
    }

    /// The program graph with every state accepting: accepts the prefixes of paths from the entry.
    pub fn of_prefixes(lts: &Lts) -> Automaton {
        let edges =
            |location| lts.outgoing(location).into_iter().map(|(edge, to)| (edge.index() as Letter, to.index() as StateId)).collect();
        Automaton {
            initial: lts.entry.index() as StateId,
            accepting: vec![true; lts.graph.node_count()],
            transitions: lts.graph.node_indices().map(edges).collect(),
        }
    }

    /// Accepts one word.
    pub fn of_word(word: &[Letter]) -> Automaton {
        let mut transitions: Vec<Vec<_>> = word.iter().zip(1..).map(|(&letter, next)| vec![(letter, next)]).collect();
        transitions.push(Vec::new());
        let mut accepting = vec![false; transitions.len()];
        accepting[word.len()] = true;
        Automaton { initial: 0, accepting, transitions }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The number of transitions.
    pub fn size(&self) -> usize {
        self.transitions.iter().map(Vec::len).sum()
    }

    /// A new state.
    pub fn add_state(&mut self, accepts: bool) -> StateId {
        self.accepting.push(accepts);
        self.transitions.push(Vec::new());
        self.accepting.len() as StateId - 1
    }

    /// Where a deterministic automaton goes from a state.
    pub fn step(&self, state: StateId, letter: Letter) -> Option<StateId> {
        let ways = &self.transitions[state as usize];
        ways.get(ways.partition_point(|way| way.0 < letter)).filter(|way| way.0 == letter).map(|way| way.1)
    }

    /// Whether no state has two transitions with one letter.
    pub fn is_deterministic(&self) -> bool {
        self.transitions.iter().all(|ways| ways.windows(2).all(|pair| pair[0].0 != pair[1].0))
    }

    /// Whether the word is accepted.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut at = vec![self.initial];
        for &letter in word {
            let mut next: Vec<StateId> = at.iter().flat_map(|&state| self.ways(state, letter)).collect();
            next.arrange();
            next.dedup();
            at = next;
        }
        at.iter().any(|&state| self.accepting[state as usize])
    }

    /// The states after a state and a letter.
    pub fn ways(&self, state: StateId, letter: Letter) -> impl Iterator<Item = StateId> {
        let ways = &self.transitions[state as usize];
        let from = ways.partition_point(|way| way.0 < letter);
        ways[from..].iter().take_while(move |way| way.0 == letter).map(|way| way.1)
    }

    /// Only states on a way from the initial state to an accepting one, in the order of a breadth-first search.
    pub fn trimmed(&self) -> Automaton {
        let useful = self.coaccessible();
        let mut number = vec![None; self.states()];
        let mut order = Vec::new();
        let mut queue = VecDeque::from([self.initial]);
        number[self.initial as usize] = Some(0);
        while let Some(state) = queue.pop_front() {
            order.push(state);
            for &(_, to) in &self.transitions[state as usize] {
                if useful[to as usize] && number[to as usize].is_none() {
                    number[to as usize] = Some((order.len() + queue.len()) as StateId);
                    queue.push_back(to);
                }
            }
        }
        let transitions = order.iter().map(|&state| {
            let mut ways: Vec<(Letter, StateId)> = self.transitions[state as usize]
                .iter()
                .filter(|(_, to)| useful[*to as usize])
                .filter_map(|&(letter, to)| Some((letter, number[to as usize]?)))
                .collect();
            ways.arrange();
            ways.dedup();
            ways
        });
        let transitions = transitions.collect();
        Automaton { initial: 0, accepting: order.iter().map(|&state| self.accepting[state as usize]).collect(), transitions }
    }

    /// Which states can still reach an accepting one.
    fn coaccessible(&self) -> Vec<bool> {
        let mut incoming: Vec<Vec<StateId>> = vec![Vec::new(); self.states()];
        for (from, ways) in self.transitions.iter().enumerate() {
            ways.iter().for_each(|&(_, to)| incoming[to as usize].push(from as StateId));
        }
        let mut useful = self.accepting.clone();
        let mut work: Vec<StateId> = (0..self.states() as StateId).filter(|&state| useful[state as usize]).collect();
        while let Some(state) = work.pop() {
            for &from in &incoming[state as usize] {
                if !std::mem::replace(&mut useful[from as usize], true) {
                    work.push(from);
                }
            }
        }
        useful
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        !self.coaccessible()[self.initial as usize]
    }

    /// A deterministic automaton of the same language, by the subset construction; trimmed.
    ///
    /// # Errors
    /// Where it needs more than [`MAX_STATES`].
    pub fn determinized(&self) -> Result<Automaton, TooManyStates> {
        if self.is_deterministic() {
            return Ok(self.trimmed());
        }
        let mut result = Automaton { initial: 0, accepting: Vec::new(), transitions: Vec::new() };
        let mut numbers: FxHashMap<Vec<StateId>, StateId> = FxHashMap::default();
        let mut sets = vec![vec![self.initial]];
        numbers.insert(sets[0].clone(), 0);
        while result.states() < sets.len() {
            let set = std::mem::take(&mut sets[result.states()]);
            let mut ways: Vec<(Letter, StateId)> = set.iter().flat_map(|&state| self.transitions[state as usize].iter().copied()).collect();
            ways.arrange();
            ways.dedup();
            let mut made = Vec::new();
            for group in ways.chunk_by(|a, b| a.0 == b.0) {
                let target: Vec<StateId> = group.iter().map(|way| way.1).collect();
                let next = sets.len() as StateId;
                let number = *numbers.entry(target).or_insert_with_key(|target| {
                    sets.push(target.clone());
                    next
                });
                made.push((group[0].0, number));
            }
            result.accepting.push(set.iter().any(|&state| self.accepting[state as usize]));
            result.transitions.push(made);
            if sets.len() > MAX_STATES {
                return Err(TooManyStates);
            }
        }
        Ok(result.trimmed())
    }

    /// The smallest deterministic automaton of the same language, states in breadth-first order: equal languages give equal
    /// automata.
    ///
    /// # Errors
    /// As [`Automaton::determinized`].
    pub fn minimized(&self) -> Result<Automaton, TooManyStates> {
        Ok(minimize::quotient(&self.determinized()?).trimmed())
    }

    /// The words of both; both deterministic.
    ///
    /// # Errors
    /// Where it needs more than [`MAX_STATES`].
    pub fn intersection(&self, other: &Automaton) -> Result<Automaton, TooManyStates> {
        self.product(other, Both::And)
    }

    /// The words of either; both deterministic.
    ///
    /// # Errors
    /// Where it needs more than [`MAX_STATES`].
    pub fn union(&self, other: &Automaton) -> Result<Automaton, TooManyStates> {
        self.product(other, Both::Or)
    }

    /// The words of this one that the other does not accept; both deterministic.
    ///
    /// # Errors
    /// Where it needs more than [`MAX_STATES`].
    pub fn difference(&self, other: &Automaton) -> Result<Automaton, TooManyStates> {
        self.product(other, Both::Without)
    }

    /// Whether every word of this one is one of the other; both deterministic.
    ///
    /// # Errors
    /// Where the product needs more than [`MAX_STATES`].
    pub fn is_included_in(&self, other: &Automaton) -> Result<bool, TooManyStates> {
        Ok(self.difference(other)?.is_empty())
    }

    /// Lets accepting states lead nowhere: where one accepted word begins another, only the shorter one is left. The
    /// automaton must be deterministic.
    pub fn without_continuations(mut self) -> Automaton {
        for (ways, &accepts) in self.transitions.iter_mut().zip(&self.accepting) {
            if accepts {
                ways.clear();
            }
        }
        self.trimmed()
    }

    /// Accepts every word that an accepted word is the beginning of: accepting states accept whatever comes.
    pub fn with_continuations(&self, letters: impl Iterator<Item = Letter> + Clone) -> Automaton {
        let mut result = self.clone();
        for state in 0..result.states() {
            if result.accepting[state] {
                result.transitions[state] = letters.clone().map(|letter| (letter, state as StateId)).collect();
            }
        }
        result
    }

    /// The product, its states pairs; a state of one side alone where the other has stopped.
    fn product(&self, other: &Automaton, both: Both) -> Result<Automaton, TooManyStates> {
        const GONE: StateId = StateId::MAX;
        let accepts = |automaton: &Automaton, state: StateId| state != GONE && automaton.accepting[state as usize];
        let ways = |automaton: &Automaton, state: StateId| -> Vec<(Letter, StateId)> {
            if state == GONE { Vec::new() } else { automaton.transitions[state as usize].clone() }
        };
        let mut result = Automaton { initial: 0, accepting: Vec::new(), transitions: Vec::new() };
        let mut pairs = vec![(self.initial, other.initial)];
        let mut numbers = FxHashMap::from_iter([(pairs[0], 0 as StateId)]);
        while result.states() < pairs.len() {
            let (left, right) = pairs[result.states()];
            let (here, there) = (ways(self, left), ways(other, right));
            let mut letters: Vec<Letter> = here.iter().chain(&there).map(|way| way.0).collect();
            letters.arrange();
            letters.dedup();
            let mut made = Vec::with_capacity(letters.len());
            for letter in letters {
                let target = |ways: &[(Letter, StateId)]| ways.binary_search_by_key(&letter, |way| way.0).map_or(GONE, |at| ways[at].1);
                let pair = (target(&here), target(&there));
                let dead = match both {
                    Both::And => pair.0 == GONE || pair.1 == GONE,
                    Both::Or => false,
                    Both::Without => pair.0 == GONE,
                };
                if !dead {
                    let next = pairs.len() as StateId;
                    let number = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        next
                    });
                    made.push((letter, number));
                }
            }
            let (a, b) = (accepts(self, left), accepts(other, right));
            result.accepting.push(match both {
                Both::And => a && b,
                Both::Or => a || b,
                Both::Without => a && !b,
            });
            result.transitions.push(made);
            if pairs.len() > MAX_STATES {
                return Err(TooManyStates);
            }
        }
        Ok(result.trimmed())
    }
}
