//! Inputs that runs alone find: random ones, and from these a search by the distance to a branch.
//!
//! For programs that compute with floating-point numbers they come first: analyses take a computed number for any value within bounds, so that
//! no model leads to the input that gives it. For all others they are tried for what solvers leave open, as the results of long arithmetic.

use super::branch_distance::{Branch, approached};
use super::random_inputs::{RandomInputs, constants};
use super::words::word_inputs;
use crate::interp::{Input, Machine, Run};
use crate::logic::SortedMap;
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::{Meter, RUN_STEPS};

/// Inputs that are tried.
const TRIED: usize = 400;
/// Inputs from which the way to a branch is searched.
const STARTS: usize = 4;
/// Steps of a run.
const LONGEST: u64 = 20_000;

/// As [`tried_inputs`]; none where the program computes no floating-point numbers.
pub fn computed_inputs(lts: &Lts, machine: &Machine, is_open: impl Fn(EdgeId) -> bool, meter: &mut Meter) -> Vec<(Input, Run)> {
    if lts.draws_from(&|source| source.is_computed()) { tried_inputs(lts, machine, &[], is_open, meter) } else { Vec::new() }
}

/// Inputs with their executions, each of which takes an open edge of the graph that no execution before it takes. The search begins with the
/// inputs `given`; an edge for which the steps do not suffice stays open.
pub fn tried_inputs(
    lts: &Lts,
    machine: &Machine,
    given: &[Input],
    is_open: impl Fn(EdgeId) -> bool,
    meter: &mut Meter,
) -> Vec<(Input, Run)> {
    let mut open: Vec<bool> = lts.graph.edge_indices().map(is_open).collect();
    let branches = branches(lts);
    // For each branch inputs whose runs take the other one.
    let mut nearest: SortedMap<EdgeId, Vec<Input>> = SortedMap::new();
    let mut found = Vec::new();
    let mut take = |open: &mut Vec<bool>, nearest: &mut SortedMap<EdgeId, Vec<Input>>, drawn: Input, run: Run| {
        let mut is_new = false;
        for &edge in &run.edges {
            is_new |= std::mem::replace(&mut open[edge.index()], false);
        }
        for branch in branches.iter().filter(|branch| open[branch.target.index()]) {
            let starts = nearest.entry(branch.target).or_default();
            if starts.len() < STARTS && run.edges.contains(&branch.other) {
                starts.push(drawn.clone());
            }
        }
        if is_new {
            found.push((drawn, run));
        }
    };
    let mut random = RandomInputs::new(lts, 0);
    let drawn = std::iter::repeat_with(|| random.draw()).take(TRIED);
    for input in given.iter().cloned().chain(word_inputs(lts)).chain(drawn) {
        if !open.contains(&true) {
            break;
        }
        let Some((drawn, run)) = machine.drawn_run(&input, LONGEST) else { continue };
        if meter.spend(run.edges.len() as u64 / RUN_STEPS + 1).is_err() {
            return found;
        }
        take(&mut open, &mut nearest, drawn, run);
    }
    let constants = constants(lts);
    // Each round comes to decisions that runs of the one before have come to.
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for branch in &branches {
            for start in nearest.remove(&branch.target).unwrap_or_default() {
                if !open[branch.target.index()] || meter.is_exhausted() {
                    break;
                }
                if let Some((drawn, run)) = approached(lts, machine, branch, start, &constants, meter) {
                    take(&mut open, &mut nearest, drawn, run);
                    is_new = true;
                }
            }
        }
    }
    found
}

/// All branches of decisions.
fn branches(lts: &Lts) -> Vec<Branch> {
    let locations = lts.graph.node_indices().map(|location| lts.outgoing(location));
    let decisions = locations.filter_map(|ways| if let [(first, _), (second, _)] = ways[..] { Some([first, second]) } else { None });
    decisions.flat_map(|[first, second]| [Branch { target: first, other: second }, Branch { target: second, other: first }]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::lower::lower;
    use crate::lts::text::label;

    /// What only a longer text takes is found by repeating elements, of strings and of standard input.
    #[test]
    fn sequences_grow_towards_a_branch() {
        let add = "if (c == 'M') t += 1000; else if (c == 'D') t += 500; else return -1;";
        for text in [
            format!("int f(const char *s) {{ int t = 0; for (int i = 0; s[i]; i++) {{ char c = s[i]; {add} }} return t > 5999; }}"),
            format!("int getchar(void); int f(void) {{ int c, t = 0; while ((c = getchar()) != -1) {{ {add} }} return t > 5999; }}"),
        ] {
            let program = crate::lang::parse(&text).program.expect("no error");
            let lts = lower(&program, None).expect("no error").lts;
            let machine = Machine::new(&lts);
            let found = tried_inputs(&lts, &machine, &[], |_| true, &mut Meter::new(100_000));
            let taken = |edge: EdgeId| found.iter().any(|(_, run)| run.edges.contains(&edge));
            let untaken: Vec<String> =
                lts.graph.edge_indices().filter(|&edge| !taken(edge)).map(|edge| label(&lts, &lts.graph[edge])).collect();
            assert_eq!(untaken, [""; 0], "{text}");
        }
    }
}
