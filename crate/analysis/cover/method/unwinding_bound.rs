//! How many unwindings are enough: for a run that the search found, and before anything is known.
//!
//! A loop with a constant number of rounds lets nothing complete within fewer unwindings, however many questions the search asks.
//! So this follows runs as far as they go, and counts the unwindings that they need. Its numbers are suggestions: no verdict
//! rests on them.

use super::EdgeVerdict;
use super::test::Test;
use crate::evidence::bounded::unwind::{needed, unwind};
use crate::interp::{Input, Machine};
use crate::logic::SortedSet;
use crate::lts::Lts;
use crate::run::simple_inputs::simple_inputs;

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;
/// How many nodes the graph of a suggestion may have.
const MOST_NODES: usize = 2_000;
/// How often to unwind loops when nothing else is said.
const USUAL: u32 = 3;

/// How often to unwind loops when the request does not say: [`USUAL`] times. Where no run on simple inputs, each with one small
/// value everywhere, completes with so few: as often as the shortest of them needs, if that is at most `most` and the graph does
/// not get large.
pub fn usual(lts: &Lts, machine: &Machine, most: u32) -> u32 {
    let least = simple_inputs(lts).iter().filter_map(|input| completing(lts, machine, input)).min();
    let more = least.filter(|&least| USUAL < least && least <= most);
    more.filter(|&more| unwind(lts, more).is_ok_and(|unwound| unwound.nodes.len() <= MOST_NODES)).unwrap_or(USUAL)
}

/// Of the tests that take edges not covered within the bound, the one whose run completes with the fewest unwindings: how many,
/// and the test's number.
pub(super) fn enough(lts: &Lts, machine: &Machine, verdicts: &[EdgeVerdict], tests: &[Test], unwind: u32) -> Option<(u32, usize)> {
    let reached = verdicts.iter().filter_map(|verdict| if let EdgeVerdict::NotWithin(test) = verdict { *test } else { None });
    let needed = reached
        .collect::<SortedSet<usize>>()
        .into_iter()
        .filter_map(|number| Some((completing(lts, machine, &tests[number].input)?, number)));
    needed.filter(|(needed, _)| *needed > unwind).min()
}

/// The unwindings that the run on this input needs, if it completes.
fn completing(lts: &Lts, machine: &Machine, input: &Input) -> Option<u32> {
    let run = machine.run(input, LONGEST_RUN);
    (run.location == lts.exit).then(|| needed(lts, &run.edges))
}
