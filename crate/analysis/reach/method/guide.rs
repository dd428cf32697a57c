//! A search over path prefixes that the necessary condition guides: for where no model that was tried gets to the target.
//!
//! Source: ST12, Section 5. A prefix with path condition `φᵢ` is dropped when `φᵢ ∧ φ̂` has no model. Of `φ̂` this takes what needs no
//! round written out, over the inputs; and it takes more than the paper, since a prefix says how often it has gone round the loops:
//!
//! * A path to the target goes from the prefix's node of the tree down to a goal, or first back to where a loop is entered above.
//! * Loops entered above the highest such node have made all their rounds: their `κ` are what the prefix counts. The loop there makes at
//!   least one more.
//!
//! A model of both is an input that takes the prefix and may get to the target, so each is run. The prefix goes first that has made few
//! rounds, with few still to make by its model, and that is close to the target. Every prefix has its turn, as rounds add up.

use super::effect::WayEffect;
use super::instances::InstanceScope;
use super::program::SummarizedProgram;
use super::replay::{InputTrials, RUN};
use super::tree::{RoundEnd, leading};
use crate::interp::Input;
use crate::invariants::values::Values;
use crate::invariants::{FactQuery, Finder};
use crate::logic::{Assignment, FormulaId, Int, Linear, Pool};
use crate::lts::inputs::inputs;
use crate::lts::structure::{Structure, distances};
use crate::lts::{EdgeId, Label, LocationId, Lts};
use crate::search::{PathPrefix, SearchStep};
use crate::solver::Answer;
use crate::solver::meter::{Meter, RUN_STEPS};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Steps of the search.
const STEPS: u64 = 3_000_000;
/// Steps for the terms of an edge: what they cost beside the solver's questions.
const ALONG: u64 = 8;
/// Where values stand at the end of chains that grow with the path, one step more for so many edges before.
const BACK: u64 = 4;
/// Prefixes that it keeps.
const PREFIXES: usize = 20_000;
/// Of more goals than these the condition is not used.
const GOALS: usize = 64;
/// More rounds than these that are still to make count as these.
const FAR: u64 = 1_000;

/// A run that misses the target.
#[derive(Clone, Debug)]
pub struct Nearest {
    pub input: Input,
    /// Up to the location that is closest to the target.
    pub path: Vec<EdgeId>,
    /// From there in the graph, with the target edge.
    pub distance: u32,
}

/// What a search did.
#[derive(Clone, Debug, Default)]
pub struct GuidedResult {
    /// An input that gets to the target.
    pub reached: Option<Input>,
    pub nearest: Option<Nearest>,
    /// The prefixes that it went along, and those that it dropped.
    pub prefixes: u32,
    pub dropped: u32,
    /// Whether no prefix was left.
    pub ended: bool,
}

/// How far a prefix has come.
#[derive(Clone, Debug)]
struct PrefixProgress {
    location: LocationId,
    /// In the tree, if that is whole.
    node: Option<usize>,
    /// The loops entered on the way to the node, with the rounds of each kind since.
    entered: Vec<(usize, Vec<u64>)>,
    /// All rounds so far.
    rounds: u64,
}

struct Prefix {
    parent: Option<(usize, EdgeId)>,
    length: usize,
    progress: PrefixProgress,
    model: Option<Rc<Assignment>>,
}

/// The search.
pub struct Guide<'g, 'a, 'r, 't> {
    program: &'g SummarizedProgram<'a>,
    replay: &'g InputTrials<'r, 't>,
    /// To the nearest target edge, with that edge.
    distance: Vec<Option<u32>>,
    structure: Structure,
    leads: Vec<bool>,
    /// For each goal the nodes on its way and its condition; `None` where it is refuted.
    conditions: Vec<(Vec<usize>, FormulaId)>,
    /// For each node where a loop is entered its counters.
    counters: Vec<Vec<Linear>>,
    is_conditional: bool,
    /// Whether an element is looked for along all edges before: where arrays are written, and along members of nodes.
    looks_back: bool,
    searched: GuidedResult,
}

impl<'g, 'a, 'r, 't> Guide<'g, 'a, 'r, 't> {
    /// Prepares a search; `refuted` are the goals whose conditions cannot hold.
    pub fn new(
        program: &'g SummarizedProgram<'a>,
        pool: &mut Pool,
        effects: &[WayEffect],
        refuted: &[bool],
        replay: &'g InputTrials<'r, 't>,
    ) -> Guide<'g, 'a, 'r, 't> {
        let lts = program.lts;
        let mut scope = InstanceScope::of_inputs(lts, &inputs(lts), pool, "~φ");
        let goals = &program.tree.goals;
        let is_conditional = !goals.is_empty() && goals.len() <= GOALS;
        let mut conditions = Vec::new();
        for (at, &goal) in goals.iter().enumerate().filter(|_| is_conditional) {
            if refuted.get(at).copied().unwrap_or(false) {
                continue;
            }
            let effect = program.whole(pool, effects, goal);
            let parts: Vec<FormulaId> = effect.with_facts().map(|part| scope.formula(pool, part)).collect();
            let nodes = [0].into_iter().chain(program.tree.way(0, goal.node).into_iter().map(|(_, node)| node)).collect();
            conditions.push((nodes, pool.and(&parts)));
        }
        let counters = program.summaries.iter().map(|summary| {
            let rounds = summary.iter().flat_map(|summary| &summary.rounds);
            rounds.map(|round| scope.term(pool, &Linear::atom(round.counter))).collect()
        });
        let counters = counters.collect();
        Guide {
            program,
            replay,
            distance: nearest_targets(lts, replay),
            structure: Structure::new(lts),
            leads: leading(lts, &replay.targets),
            conditions,
            counters,
            is_conditional,
            looks_back: lts.arrays.iter().any(|array| array.member_of_nodes.is_some())
                || lts.graph.edge_weights().any(|edge| matches!(edge.label, Label::Store { .. } | Label::Fill(..))),
            searched: GuidedResult::default(),
        }
    }

    /// Searches until an input gets to the target, no prefix is left, or the steps are used up.
    pub fn search(mut self, pool: &mut Pool, meter: &mut Meter) -> GuidedResult {
        let targets: Vec<EdgeId> = self.replay.targets.iter().copied().collect();
        let query = FactQuery { untaken: &targets, ..FactQuery::default() };
        for input in Values.find(self.program.lts, &query, 0, meter, self.replay.trace).inputs {
            self.try_out(&input, meter);
        }
        if self.searched.reached.is_some() {
            return self.searched;
        }
        let mut walk = PathPrefix::over(self.program.lts, std::mem::take(pool));
        meter.within(STEPS, |meter| self.run(&mut walk, meter));
        *pool = walk.into_pool();
        self.searched
    }

    fn run(&mut self, walk: &mut PathPrefix, meter: &mut Meter) {
        let lts = self.program.lts;
        let node = (!self.program.tree.nodes.is_empty()).then_some(0);
        let mut first = PrefixProgress { location: lts.entry, node, entered: Vec::new(), rounds: 0 };
        self.enter(&mut first);
        let mut prefixes: Vec<Prefix> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut at = 0;
        if self.keeps(walk, &first, meter) {
            self.push(walk, &mut prefixes, &mut open, None, first);
        }
        while let Some((_, _, next)) = open.pop() {
            if self.searched.reached.is_some() || meter.spend(1).is_err() {
                return;
            }
            at = self.go(walk, &prefixes, at, next, meter);
            if at != next {
                self.searched.dropped += 1;
                continue;
            }
            for (edge, to) in lts.outgoing(prefixes[at].progress.location) {
                let is_target = self.replay.targets.contains(&edge);
                let Some(progress) =
                    self.successor(&prefixes[at].progress, edge, to).or_else(|| is_target.then(|| prefixes[at].progress.clone()))
                else {
                    continue;
                };
                let step = self.step(walk, edge, meter);
                self.searched.prefixes += 1;
                if let SearchStep::Infeasible(_) = step {
                    self.searched.dropped += 1;
                    continue;
                }
                if is_target {
                    if let Ok(Ok(input)) = walk.witness(&self.replay.machine) {
                        self.try_out(&input, meter);
                    }
                } else if self.keeps(walk, &progress, meter) {
                    self.push(walk, &mut prefixes, &mut open, Some((at, edge)), progress);
                } else {
                    self.searched.dropped += 1;
                }
                walk.back();
                if self.searched.reached.is_some() || prefixes.len() >= PREFIXES {
                    return;
                }
            }
        }
        self.searched.ended = meter.spend(0).is_ok();
    }

    /// Moves the walk from one prefix to another; gives the prefix where it is then, which is a shorter one if that other is infeasible.
    fn go(&self, walk: &mut PathPrefix, prefixes: &[Prefix], mut from: usize, to: usize, meter: &mut Meter) -> usize {
        let (mut ahead, mut edges) = (to, Vec::new());
        while from != ahead {
            let parent = |at: usize| prefixes[at].parent;
            match (parent(from), parent(ahead)) {
                (Some((shorter, _)), _) if prefixes[from].length >= prefixes[ahead].length => {
                    walk.back();
                    from = shorter;
                }
                (_, Some((shorter, edge))) => {
                    edges.push((edge, ahead));
                    ahead = shorter;
                }
                _ => break,
            }
        }
        // A model of the longer prefix is one of this. Only where it has none do steps ask the solver, as steps of the search.
        if let Some(model) = &prefixes[to].model {
            walk.adopt(model.clone());
        }
        for (edge, next) in edges.into_iter().rev() {
            let step = self.step(walk, edge, meter);
            if let SearchStep::Infeasible(_) = step {
                break;
            }
            from = next;
        }
        from
    }

    /// Goes along an edge.
    fn step(&self, walk: &mut PathPrefix, edge: EdgeId, meter: &mut Meter) -> SearchStep {
        let written = if self.looks_back { walk.len() as u64 / BACK } else { 0 };
        // A further step finds the meter exhausted.
        let _ = meter.spend(ALONG + written);
        walk.step(edge, meter, self.replay.trace)
    }

    /// Keeps the walk's prefix for later.
    fn push(
        &self,
        walk: &PathPrefix,
        prefixes: &mut Vec<Prefix>,
        open: &mut BinaryHeap<(Reverse<u64>, Reverse<u32>, usize)>,
        parent: Option<(usize, EdgeId)>,
        progress: PrefixProgress,
    ) {
        let model = walk.model().ok();
        let left = model.as_ref().map_or(FAR, |model| self.left(walk.pool(), &progress, model));
        let distance = self.distance[progress.location.index()].unwrap_or(u32::MAX);
        open.push((Reverse(progress.rounds + 2 * left), Reverse(distance), prefixes.len()));
        prefixes.push(Prefix { parent, length: walk.len(), progress, model });
    }

    /// The rounds that are still to make by a model.
    fn left(&self, pool: &Pool, progress: &PrefixProgress, model: &Assignment) -> u64 {
        let mut left = 0;
        for (node, made) in &progress.entered {
            for (counter, &made) in self.counters[*node].iter().zip(made) {
                let all = model.linear(pool, counter).and_then(|all| all.to_i64()).and_then(|all| u64::try_from(all).ok());
                left += all.unwrap_or(0).saturating_sub(made).min(FAR);
            }
        }
        left.min(FAR)
    }

    /// The place after an edge; `None` where no way leads from there to the target.
    fn successor(&self, progress: &PrefixProgress, edge: EdgeId, to: LocationId) -> Option<PrefixProgress> {
        let mut successor = PrefixProgress { location: to, ..progress.clone() };
        let Some(at) = progress.node else {
            successor.rounds += u64::from(self.structure.is_loop_header(to));
            return self.leads[to.index()].then_some(successor);
        };
        let node = &self.program.tree.nodes[at];
        if let Some(&(_, child)) = node.children.iter().find(|(taken, _)| *taken == edge) {
            successor.node = Some(child);
            self.enter(&mut successor);
            return Some(successor);
        }
        let &(_, head) = node.back.iter().find(|(taken, _)| *taken == edge)?;
        let end = RoundEnd { node: at, edge };
        let kind = self.program.summaries[head].as_ref()?.rounds.iter().position(|round| round.end == end)?;
        let depth = successor.entered.iter().position(|(entered, _)| *entered == head)?;
        successor.entered.truncate(depth + 1);
        successor.entered[depth].1[kind] += 1;
        successor.rounds += 1;
        successor.node = Some(head);
        Some(successor)
    }

    /// Begins to count the rounds of the loop that is entered at the place's node.
    fn enter(&self, progress: &mut PrefixProgress) {
        if let Some(node) = progress.node.filter(|&node| self.program.tree.is_entry(node)) {
            progress.entered.push((node, vec![0; self.counters[node].len()]));
        }
    }

    /// Whether an input can take the walk's prefix and satisfy the condition; a new one is run.
    fn keeps(&mut self, walk: &mut PathPrefix, progress: &PrefixProgress, meter: &mut Meter) -> bool {
        let condition = self.condition(walk.pool_mut(), progress);
        let before = walk.model().ok();
        let answer = walk.ask(condition, meter, self.replay.trace);
        match answer {
            Answer::Unsat(_) => false,
            Answer::Unknown(_) => true,
            Answer::Sat(model) => {
                if walk.is_empty() || before.is_none_or(|before| !Rc::ptr_eq(&before, &model)) {
                    let input = walk.told_input(&self.replay.machine, &model, condition, meter);
                    self.try_out(&input, meter);
                }
                true
            }
        }
    }

    /// What a path that goes on from the place to the target satisfies.
    fn condition(&self, pool: &mut Pool, progress: &PrefixProgress) -> FormulaId {
        let Some(at) = progress.node.filter(|_| self.is_conditional) else { return Pool::TRUE };
        let mut ways = Vec::new();
        for (nodes, condition) in &self.conditions {
            let mut parts = vec![*condition];
            let mut is_back_at_node = false;
            for (node, made) in &progress.entered {
                if !nodes.contains(node) {
                    break;
                }
                // The path goes back to this node, or is there; not above it.
                let counters = &self.counters[*node];
                let mut way = parts.clone();
                for (counter, &made) in counters.iter().zip(made) {
                    let made = Linear::constant(Int::from(made));
                    way.push(pool.at_most(&made, counter));
                    parts.push(pool.equal(&made, counter));
                }
                is_back_at_node = *node == at;
                if !is_back_at_node {
                    let all = counters.iter().fold(Linear::default(), |sum, counter| sum.add(counter));
                    let made: u64 = made.iter().sum();
                    way.push(pool.at_most(&Linear::constant(Int::from(made + 1)), &all));
                }
                ways.push(pool.and(&way));
            }
            // It only goes down.
            if !is_back_at_node && nodes.contains(&at) {
                ways.push(pool.and(&parts));
            }
        }
        pool.or(&ways)
    }

    /// Runs an input up to the target, or else notes how close it gets.
    fn try_out(&mut self, input: &Input, meter: &mut Meter) {
        let lts = self.program.lts;
        let (mut path, mut there) = (Vec::new(), false);
        let mut best = self.distance[lts.entry.index()].map(|distance| (distance, 0));
        self.replay.machine.follow(input, RUN, |edge| {
            path.push(edge);
            there = self.replay.targets.contains(&edge);
            let here = self.distance[lts.edge(edge).2.index()].map(|distance| (distance, path.len()));
            best = match (best, here) {
                (Some(best), Some(here)) if best.0 <= here.0 => Some(best),
                (best, here) => here.or(best),
            };
            if there { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // A further step finds the meter exhausted.
        let _ = meter.spend(path.len() as u64 / RUN_STEPS);
        if there && self.replay.is_told(input, &path) {
            self.searched.reached = Some(self.replay.plain(input));
        } else if let Some((distance, length)) = best
            && self.searched.nearest.as_ref().is_none_or(|best| distance < best.distance)
        {
            path.truncate(length);
            self.searched.nearest = Some(Nearest { input: input.clone(), path, distance });
        }
    }
}

/// For each location the edges of a shortest way to a target edge, with that edge.
fn nearest_targets(lts: &Lts, replay: &InputTrials) -> Vec<Option<u32>> {
    let mut nearest: Vec<Option<u32>> = vec![None; lts.graph.node_count()];
    for &edge in &replay.targets {
        for (nearest, distance) in nearest.iter_mut().zip(distances(lts, lts.edge(edge).1)) {
            let Some(distance) = distance else { continue };
            *nearest = Some(nearest.map_or(distance + 1, |best| best.min(distance + 1)));
        }
    }
    nearest
}
