//! Runtime errors as conditional choices (CHS12, Sections 2 and 9): tests that divide by zero or leave an array.
//!
//! Where what an edge does may be undefined, there is one way more: an execution passes none of the edges of the location. An
//! execution that gets there and takes that way becomes a test of its own, if the interpreter agrees that the run ends there for
//! that reason. Failed assertions need nothing of the kind: their edges lead to the error location. A lone `assume` stays out:
//! that it does not hold is no error.
//!
//! 1. For each copy of a location first see whether interval arithmetic leaves anything, from the ranges of types on, then whether the
//!    edges that every way to it ends with do: most arithmetic cannot overflow because its operands are small, or because of the
//!    decision right before it, and that takes no look at the whole program.
//! 2. Then ask one question for all copies that are left. What happens first hides what would happen later: where a run may end
//!    for several reasons, ask for each part of the condition by itself, that all others hold but this one. That gives at most
//!    one test for each location and kind of error; that there is none says nothing.

use super::search::CoverSearch;
use super::test::{self, walk};
use crate::evidence::bounded::condition::{Condition, flat, may_divide};
use crate::evidence::bounded::unwind::Unwound;
use crate::interp::{Input, Machine, Outcome, Undefined};
use crate::logic::{FormulaId, IntRange, Linear, Mentions, Pool, SortedMap};
use crate::lts::inputs::{Inputs, inputs};
use crate::lts::{EdgeId, EdgePart, Label, LocationId, Lts};
use crate::run::array_elements::with_elements;
use crate::run::plain_letters::plain_letters;
use crate::run::plain_nodes::plain_nodes;
use crate::run::trace::Event;
use crate::solver::{Answer, Context};
use crate::symex::{TermBounds, nondet_name};
use std::collections::VecDeque;

/// A run that ends without a defined meaning, with the input that leads there.
#[derive(Clone, Debug)]
pub struct FailingRun {
    /// The edge that the run does not pass; of a decision the first side.
    pub edge: EdgeId,
    pub reason: Undefined,
    pub part: EdgePart,
    pub input: Input,
    /// The edges that the run takes before.
    pub path: Vec<EdgeId>,
}

/// How many edges the paths of all failing runs together may have, but for the last one: the document shows each.
const MOST_EDGES: usize = 500_000;

/// Looks for failing runs at each location, in their order; gives at most one for each location and kind of error, each replayed.
pub fn failures(search: &mut CoverSearch, machine: &Machine) -> Vec<FailingRun> {
    let (lts, unwound, condition) = (search.lts, search.unwound, search.condition);
    let mut context = Context::new();
    context.pool = std::mem::take(&mut search.context.pool);
    context.assert(condition.precondition);
    let taken = condition.taken(unwound, &mut context.pool);
    let mut arriving: Vec<Vec<FormulaId>> = vec![Vec::new(); unwound.nodes.len()];
    for (arc, &formula) in unwound.arcs.iter().zip(&taken) {
        arriving[arc.to].push(formula);
    }
    let mut copies: SortedMap<LocationId, Vec<usize>> = SortedMap::new();
    for (node, &location) in unwound.nodes.iter().enumerate() {
        let edges = lts.outgoing(location);
        let assumes = matches!(edges[..], [(edge, _)] if matches!(lts.graph[edge].label, Label::Assume { .. }));
        // Where the bound cuts an edge off, passing none of the others is no error.
        if !assumes && !edges.is_empty() && edges.len() == unwound.outgoing[node].len() {
            copies.entry(location).or_default().push(node);
        }
    }
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); unwound.nodes.len()];
    for (number, arc) in unwound.arcs.iter().enumerate() {
        into[arc.to].push(number);
    }
    let inputs = inputs(lts);
    let bounds = intervals(lts, &inputs, &mut context.pool, condition);
    let (mut found, mut edges) = (Vec::new(), 0);
    for nodes in copies.into_values() {
        let mut stuck: Vec<FormulaId> = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let arcs = &unwound.outgoing[node];
            // 1.
            if cannot_stop(&mut context.pool, &bounds, condition, arcs) {
                stuck.push(Pool::FALSE);
                continue;
            }
            let mut parts: Vec<FormulaId> = arcs.iter().map(|&arc| context.pool.not(condition.arcs[arc])).collect();
            parts.extend(arcs.iter().map(|&arc| condition.facts[arc]));
            let before = leading(unwound, &into, node).map(|arc| condition.arcs[arc]);
            let near = context.pool.and(&parts.iter().copied().chain(before).collect::<Vec<_>>());
            if near == Pool::FALSE || is_refuted(search, &mut context.pool, near) {
                stuck.push(Pool::FALSE);
                continue;
            }
            parts.push(if node == 0 { Pool::TRUE } else { context.pool.or(&arriving[node]) });
            stuck.push(context.pool.and(&parts));
        }
        // 2.
        let (first, mut is_split) = (found.len(), false);
        let mut questions: VecDeque<Vec<FormulaId>> = VecDeque::from([stuck.clone()]);
        while let Some(stuck) = questions.pop_front() {
            let any = context.pool.or(&stuck);
            if any == Pool::FALSE {
                continue;
            }
            if search.meter.is_exhausted() || edges > MOST_EDGES {
                break;
            }
            let trace = search.trace;
            let answer = context.check_logged(&[any], search.meter, trace);
            let Answer::Sat(model) = answer else { continue };
            let Some(at) = stuck.iter().position(|&formula| model.formula(&context.pool, formula) == Some(true)) else { continue };
            let mut arcs = walk(unwound, &taken, &context.pool, &model);
            let end = arcs.iter().position(|&arc| unwound.arcs[arc].to == nodes[at]).map_or(0, |at| at + 1);
            arcs.truncate(end);
            // The input has what the failing edge reads, too.
            let reading: Vec<usize> = arcs.iter().copied().chain(unwound.outgoing[nodes[at]].first().copied()).collect();
            let input = test::input(lts, &inputs, condition, &mut context.pool, &model, &reading);
            let path: Vec<EdgeId> = unwound.edges(&arcs).collect();
            // The next question sees whether the steps are used up.
            let _ = search.meter.spend(path.len() as u64);
            let run = machine.run(&input, path.len() as u64 + 1);
            if let (Outcome::Undefined(reason), Some(edge)) = (run.outcome, run.stopped_before)
                && run.edges == path
                && (!machine.reads_stdin() || machine.replay(&input, &path).is_ok())
            {
                if !std::mem::replace(&mut is_split, true) {
                    questions = singly(&mut context.pool, search, &nodes, &stuck);
                }
                let part = run.stopped_in;
                let same = |other: &FailingRun| (other.edge, other.part) == (edge, part) && other.reason.is_alike(&reason);
                let is_of_world = matches!(reason, Undefined::Unmet(requirement) if !requirement.is_of_program());
                if is_of_world || found[first..].iter().any(same) {
                    continue;
                }
                let plain = plain_nodes(lts, machine, input.clone(), &path, search.meter);
                let plain = plain_letters(lts, machine, plain, &path, search.meter);
                let fails_alike = |input: &Input| {
                    let run = machine.run(input, path.len() as u64 + 1);
                    run.edges == path && run.stopped_before == Some(edge) && run.outcome == Outcome::Undefined(reason.clone())
                };
                let input = if plain != input && fails_alike(&plain) { plain } else { input };
                // C has no array without elements: a run that fails for want of them is no failing run of a caller.
                let filled = with_elements(lts, input.clone());
                if filled != input && !fails_alike(&filled) {
                    continue;
                }
                let input = filled;
                if search.trace.claim(Event::Reached { path: &path, input: &input, after: &[] }).is_ok() {
                    edges += path.len();
                    found.push(FailingRun { edge, reason, part, input, path });
                }
            }
        }
    }
    search.context.pool = context.pool;
    found
}

/// Where values lie in all executions, from the ranges of types and from what meets at each node.
fn intervals(lts: &Lts, inputs: &Inputs, pool: &mut Pool, condition: &Condition) -> TermBounds {
    let mut bounds = TermBounds::default();
    for variable in inputs.variables.iter().map(|&id| lts.variable(id)) {
        if let Some(range) = &variable.start_range() {
            bounds.learn_atom(&pool.integer(&variable.name), range);
        }
    }
    // The edge that draws a value says its range; later edges speak of sums with it, of executions that get so far.
    for (&(first, count), &facts) in condition.nondet.iter().zip(&condition.facts).filter(|((_, count), _)| *count > 0) {
        let drawn: Vec<Linear> = (first..first + count).map(|number| pool.integer(&nondet_name(number))).collect();
        for fact in flat(pool, facts) {
            bounds.learn_fact(pool, fact, &drawn);
        }
    }
    let elements: Option<Vec<IntRange>> = lts.arrays.iter().map(|array| array.range).collect();
    bounds.learn_elements(pool, &elements.unwrap_or_default());
    for met in &condition.met {
        bounds.learn_one_of(pool, &met.symbol, &met.values, met.range.as_ref());
    }
    bounds
}

/// Whether an execution that gets to these arcs passes one of them, by where values lie.
fn cannot_stop(pool: &mut Pool, bounds: &TermBounds, condition: &Condition, arcs: &[usize]) -> bool {
    let stops: Vec<FormulaId> = (arcs.iter())
        .map(|&arc| {
            let parts = condition.decided[arc].iter().flat_map(|&part| flat(pool, part)).chain(condition.bounds[arc].iter().copied());
            let open: Vec<FormulaId> = parts.filter(|&part| !bounds.shows(pool, part)).collect();
            let passes = pool.and(&open);
            pool.not(passes)
        })
        .collect();
    pool.and(&stops) == Pool::FALSE
}

/// How many edges before a copy to look at by themselves, and how many steps to take for it.
const NEAR: usize = 8;
const STEPS: u64 = 500;

/// The arcs that every way to a node ends with, the last one first.
fn leading<'u>(unwound: &'u Unwound, into: &'u [Vec<usize>], mut node: usize) -> impl Iterator<Item = usize> + 'u {
    let only = move || match into[node][..] {
        [arc] => {
            node = unwound.arcs[arc].from;
            Some(arc)
        }
        _ => None,
    };
    std::iter::from_fn(only).take(NEAR)
}

/// Whether the solver sees in [`STEPS`] steps that a formula cannot hold.
fn is_refuted(search: &mut CoverSearch, pool: &mut Pool, formula: FormulaId) -> bool {
    let mut context = Context::new();
    (context.pool, context.query_limit) = (std::mem::take(pool), STEPS);
    context.assert(formula);
    let answer = context.check(search.meter);
    search.trace.emit(Event::Query { context: &context, answer: &answer });
    *pool = context.pool;
    matches!(answer, Answer::Unsat(_))
}

/// For each part of what passing an edge of the location takes: that this one fails and all others hold, as a formula for each of
/// the copies.
fn singly(pool: &mut Pool, search: &CoverSearch, nodes: &[usize], stuck: &[FormulaId]) -> VecDeque<Vec<FormulaId>> {
    let (unwound, condition) = (search.unwound, search.condition);
    let arcs = |at: usize| &unwound.outgoing[nodes[at]];
    let most = |of: &dyn Fn(usize) -> usize| (0..nodes.len()).map(of).max().unwrap_or(0);
    let mut questions = VecDeque::new();
    for side in 0..most(&|at| arcs(at).len()) {
        let parts = |at: usize| arcs(at).get(side).map_or(0, |&arc| condition.decided[arc].len());
        // The last one is that arithmetic overflows.
        for wrong in 0..=most(&parts) {
            let overflow = wrong == most(&parts);
            let mut alone = |at: usize| {
                let Some(&arc) = arcs(at).get(side) else { return Pool::FALSE };
                let decided = &condition.decided[arc];
                let fails = match (overflow, decided.get(wrong)) {
                    (true, _) => pool.and(&condition.bounds[arc]),
                    (false, Some(&part)) => part,
                    (false, None) => return Pool::FALSE,
                };
                let mut all = vec![stuck[at], pool.not(fails)];
                // After a division by zero nothing that divides has a value.
                let sound = |&(position, part): &(usize, FormulaId)| {
                    position < wrong || overflow || !may_divide(pool, &Mentions::of(pool, &[part], &[]))
                };
                let others = decided.iter().copied().enumerate().filter(|(position, _)| *position != wrong);
                let bounds = condition.bounds[arc].iter().map(|&part| (usize::MAX, part)).filter(|_| !overflow);
                all.extend(others.chain(bounds).filter(sound).map(|(_, part)| part));
                pool.and(&all)
            };
            let formulas: Vec<FormulaId> = (0..nodes.len()).map(&mut alone).collect();
            questions.push_back(formulas);
        }
    }
    // If one part alone can fail, the question before has asked just that.
    questions.retain(|formulas| formulas.iter().any(|&formula| formula != Pool::FALSE));
    if questions.len() == 1 { VecDeque::new() } else { questions }
}
