//! Inputs with a text on standard input, and those that say what reads of it give.

use super::stdin::InputText;
use super::{Input, Machine, Outcome, Run, RunState, Watch};
use crate::lts::EdgeId;
use std::ops::ControlFlow;

/// How many steps after the last value of an input can still read something.
const AFTER: u64 = 20_000;
/// How many steps may come before that.
const BEFORE: u64 = 10_000_000;

/// Steps of a run whose text is made readable, and letters that are tried one by one.
const READABLE: u64 = 300_000;
const MOST_LETTERS: usize = 8;
/// Steps that are taken back to where a text ends.
const FEWER: u64 = 64;

/// Ends a run some time after the input's last value; or else keeps its edges.
struct UsedUp {
    edges: Vec<EdgeId>,
    given: usize,
    left: u64,
}

impl Watch for UsedUp {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        if self.given == usize::MAX {
            self.edges.push(edge);
            return ControlFlow::Continue(());
        }
        if after.nondet_used < self.given {
            return ControlFlow::Continue(());
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Machine<'_> {
    /// The input with the text on standard input that gives the values it wishes for, as far as there is such a text: after that, the text
    /// gives others. Any other input stays as it is.
    pub fn told(&self, input: &Input) -> Input {
        if !self.reads || input.stdin.is_some() {
            return input.clone();
        }
        let mut watch = UsedUp { edges: Vec::new(), given: input.nondet.len(), left: AFTER };
        let mut state = self.initial(input);
        state.drawn = Some(Vec::new());
        let (_, state) = self.go(state, BEFORE, &mut watch);
        // After the input's values, a run may come to where no text goes on: then the text is that of fewer steps.
        let shorter = || {
            let steps = self.told_within(input, BEFORE).1.edges.len() as u64;
            (0..FEWER.min(steps + 1)).find_map(|less| self.told_within(input, steps - less).0)
        };
        let told = told(input, state).or_else(shorter).map(|told| self.readable(told));
        told.unwrap_or_else(|| Input { nondet: Vec::new(), stdin: Some(Vec::new()), ..input.clone() })
    }

    /// The input with letters for control characters in its text, where the run stays the same.
    fn readable(&self, told: Input) -> Input {
        let text = told.stdin.clone().unwrap_or_default();
        let unreadable = |byte: u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() || byte >= 128;
        let controls: Vec<usize> = (0..text.len()).filter(|&at| unreadable(text[at])).collect();
        let run = if controls.is_empty() { return told } else { self.run(&told, READABLE) };
        if run.outcome == Outcome::Steps {
            return told;
        }
        let with = |from: &[u8], offsets: &[usize]| {
            let mut text = from.to_vec();
            offsets.iter().for_each(|&at| text[at] = b'x');
            let input = Input { stdin: Some(text), ..told.clone() };
            (self.run(&input, READABLE).edges == run.edges).then_some(input)
        };
        if let Some(all) = with(&text, &controls) {
            return all;
        }
        let mut best = told.clone();
        for offset in controls.into_iter().take(MOST_LETTERS) {
            let from = best.stdin.clone().unwrap_or_default();
            best = with(&from, &[offset]).unwrap_or(best);
        }
        best
    }

    /// As [`Machine::told`], by a run of so many steps at most, with that run; `None` where no text is finished.
    pub(super) fn told_within(&self, input: &Input, steps: u64) -> (Option<Input>, Run) {
        let mut watch = UsedUp { edges: Vec::new(), given: usize::MAX, left: 0 };
        let mut state = self.initial(input);
        state.drawn = Some(Vec::new());
        let (run, state) = self.go(state, steps, &mut watch);
        (told(input, state), Run { edges: watch.edges, ..run })
    }

    /// The input of a run of so many steps at most, for symbolic execution ([`Machine::drawn`]), with that run; `None` where a text that is
    /// read like this does not take the same edges.
    pub fn drawn_run(&self, input: &Input, steps: u64) -> Option<(Input, Run)> {
        if !self.reads && !self.computes {
            return Some((input.clone(), self.run(input, steps)));
        }
        let drawn = self.drawn(input, steps);
        let run = self.run(&drawn, steps);
        self.replay(&drawn, &run.edges).ok()?;
        Some((drawn, run))
    }

    /// The input that says what each read of standard input and each computation gives in so many steps, for symbolic execution.
    pub fn drawn(&self, input: &Input, steps: u64) -> Input {
        if !self.reads && !self.computes {
            return input.clone();
        }
        let mut watch = UsedUp { edges: Vec::new(), given: usize::MAX, left: 0 };
        let mut state = self.initial(input);
        state.drawn = Some(Vec::new());
        let (_, mut state) = self.go(state, steps, &mut watch);
        let drawn = state.drawn.take().unwrap_or_default();
        let mut found = Input { nondet: Vec::new(), contents: Default::default(), stdin: None, ..input.clone() };
        for (value, number) in drawn {
            let contents = number.and_then(|number| input.contents.get(&(number as u32)));
            if let Some(contents) = contents {
                found.contents.insert(found.nondet.len() as u32, contents.clone());
            }
            found.nondet.push(value);
        }
        found
    }
}

/// The input with the text of the run that ended in this state.
fn told(input: &Input, state: RunState<'_>) -> Option<Input> {
    let Some(InputText::Growing(growing)) = state.text else { return None };
    let mut told = Input { nondet: Vec::new(), contents: Default::default(), ..input.clone() };
    for number in state.drawn.into_iter().flatten().filter_map(|(_, number)| number) {
        if let Some(contents) = input.contents.get(&(number as u32)) {
            told.contents.insert(told.nondet.len() as u32, contents.clone());
        }
        told.nondet.push(input.nondet.get(number).cloned().unwrap_or_default());
    }
    told.stdin = Some(growing.finished()?);
    Some(told)
}
