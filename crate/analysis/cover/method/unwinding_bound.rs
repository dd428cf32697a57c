//! How many unwindings are enough: for a run that the search found, and before anything is known.
//!
//! A loop with a constant number of rounds lets nothing complete within fewer unwindings, however many questions the search asks.
//! So this follows runs as far as they go, and counts the unwindings that they need. Its numbers are suggestions: no verdict
//! rests on them.

use super::EdgeVerdict;
use super::test::Test;
use crate::evidence::bounded::unwind::{needed, needed_each, unwind, unwind_each};
use crate::interp::{Input, Machine};
use crate::logic::SortedSet;
use crate::lts::{LocationId, Lts};
use crate::run::simple_inputs::simple_inputs;
use std::collections::BTreeMap;

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;
/// How many nodes the graph of a suggestion may have.
const MOST_NODES: usize = 2_000;
/// How many edges of a run without an end to follow, and rounds of its loops.
const FIRST_EDGES: u64 = 2_000;
const MOST_ROUNDS: u32 = 40;
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

/// How often to unwind each loop in a search that returns to a location, the hub of calls, at most so often: other loops as often as runs on
/// simple inputs return to their headers, and at least so often, where the graph does not get large. So loops of called functions have their
/// rounds, where no run completes.
pub fn bounds(lts: &Lts, machine: &Machine, rounds: Option<(LocationId, u32)>, least: u32) -> impl Fn(LocationId) -> u32 + use<> {
    let mut each: BTreeMap<LocationId, u32> = BTreeMap::new();
    if rounds.is_some() {
        for input in simple_inputs(lts) {
            for (header, times) in needed_each(lts, &machine.run(&input, FIRST_EDGES).edges) {
                let most = each.entry(header).or_insert(0);
                *most = times.min(MOST_ROUNDS).max(*most);
            }
        }
    }
    let of = move |each: &BTreeMap<LocationId, u32>, header| match rounds {
        Some((location, rounds)) if location == header => rounds,
        _ => each.get(&header).map_or(least, |&times| times.max(least)),
    };
    let is_small = unwind_each(lts, &|header| of(&each, header)).is_ok_and(|unwound| unwound.nodes.len() <= MOST_NODES);
    if !is_small {
        each = BTreeMap::new();
    }
    move |header| of(&each, header)
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
    if run.location == lts.exit { needed(lts, &run.edges) } else { None }
}
