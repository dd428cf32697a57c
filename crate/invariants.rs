//! Invariants at a program's locations, and the provers that find them.
//!
//! A [`Proved`] graph over-approximates all executions: its formulas are inductive, with a certificate for each step
//! ([`crate::evidence::graph`]). So an edge that none of its paths takes is infeasible, and a formula at a location is an invariant there.
//! Each [`Prover`] makes such graphs by a method of its own: single conditions ([`conditions`]), intervals ([`intervals`]), invariants guessed from runs ([`guesses`]), weakest preconditions
//! ([`backward`]), value sets along different paths ([`values`]), pruning, loop summaries.
//! Every analysis may ask the provers of the others (`analysis::PROVERS`), which need not be trusted.

pub mod backward;
pub mod certify;
pub mod conditions;
pub mod guesses;
pub mod induction;
pub mod intervals;
pub mod invariant_graph;
pub mod product;
pub mod relations;
pub mod values;

use crate::evidence;
use crate::evidence::graph::written::{read_graph, write_graph};
use crate::evidence::graph::{Pruned, PrunedNode, check_pruned, excluded_claim, obligations};
use crate::interp::Input;
use crate::logic::{Arrange, FormulaId, Pool, SortedMap, SortedSet};
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::trace::{Event, Sink, Trace};
use crate::solver::certificate::Certificate;
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::{Answer, Reason};
use crate::states::Ask;
use induction::Induction;
use std::borrow::Cow;

/// A pruned graph with evidence that it has all executions.
#[derive(Debug)]
pub struct Proved {
    pub pool: Pool,
    pub graph: Pruned,
    /// Those of its obligations, in their order.
    pub certificates: Vec<Certificate>,
}

/// A query to a prover or finder.
#[derive(Clone, Copy, Debug, Default)]
pub struct FactQuery<'w> {
    /// Edges that no known execution takes.
    pub untaken: &'w [EdgeId],
    /// Inputs of which runs are known.
    pub inputs: &'w [Input],
    /// The facts proved already.
    pub facts: &'w [Proved],
    /// A location, and how often executions may return there in place of the usual bound.
    pub rounds: Option<(LocationId, u32)>,
    /// Whether only inputs count, and nothing needs to be refuted.
    pub only_inputs: bool,
}

impl FactQuery<'_> {
    /// The facts at each location, over the terms of another pool.
    pub fn at_locations(&self, pool: &mut Pool, lts: &Lts) -> SortedMap<LocationId, Vec<FormulaId>> {
        let mut found: SortedMap<LocationId, Vec<FormulaId>> = SortedMap::new();
        for (location, formulas) in self.facts.iter().flat_map(|proved| proved.at_locations(pool, lts)) {
            let facts = found.entry(location).or_default();
            facts.extend(formulas);
            facts.arrange();
            facts.dedup();
        }
        found
    }

    /// Of the edges those to which a way leads without another one: what lies after them follows from the graph.
    pub fn first(&self, lts: &Lts) -> Vec<EdgeId> {
        let mut reached = SortedSet::from([lts.entry]);
        let (mut waiting, mut found) = (vec![lts.entry], SortedSet::new());
        while let Some(location) = waiting.pop() {
            for (edge, to) in lts.outgoing(location) {
                if self.untaken.contains(&edge) {
                    found.insert(edge);
                } else if reached.insert(to) {
                    waiting.push(to);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Tries to exclude the first of the edges together, and else one by one: with at most so many steps in all, so many for one, and for
    /// so many of them.
    pub fn together_or_each(
        &self,
        lts: &Lts,
        (all, one, most): (u64, u64, usize),
        meter: &mut Meter,
        mut excluding: impl FnMut(&[EdgeId], &mut Meter) -> Option<Proved>,
    ) -> Vec<Proved> {
        let first = self.first(lts);
        if first.is_empty() {
            return Vec::new();
        }
        meter.within(all, |meter| {
            let mut found: Vec<Proved> = meter.within(all / 2, |meter| excluding(&first, meter)).into_iter().collect();
            if found.is_empty() && first.len() > 1 {
                for &edge in first.iter().take(most) {
                    found.extend(meter.within(one, |meter| excluding(&[edge], meter)));
                }
            }
            found
        })
    }
}

/// A way to show what no execution does.
pub trait Prover: Sync {
    /// Its analysis, or what it does; each prover has a name of its own.
    fn name(&self) -> &'static str;

    /// Graphs that may exclude some of the edges; none where the steps do not suffice.
    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved>;
}

/// A way to find inputs that take edges.
pub trait Finder: Sync {
    /// Its analysis.
    fn name(&self) -> &'static str;

    /// Inputs of which each may take some of the edges that no known run takes; they are not yet replayed. With more `effort` (0, 1, …) it
    /// looks further. Where the search shows on its way that no execution takes an edge, the trace hears of the claim.
    fn find(&self, lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched;
}

/// What a finder finds among the executions that go no deeper than the copies of functions ([`Lts::shallow`]). Where calls go deeper, claims are
/// about another graph than that one, and executions of these calls may take what it excludes: the trace hears of no claim then.
pub fn find_shallow(finder: &dyn Finder, lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched {
    if meter.before(lts.graph.edge_count()).is_err() {
        return Searched::default();
    }
    match lts.shallow() {
        Cow::Borrowed(whole) => finder.find(whole, query, effort, meter, trace),
        Cow::Owned(shallow) => {
            let mut quiet = Quiet(trace);
            let inputs = finder.find(&shallow, query, effort, meter, &Trace::new(&mut quiet)).inputs;
            Searched { inputs, ..Searched::default() }
        }
    }
}

/// What a search for inputs gives.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    pub inputs: Vec<Input>,
    /// Edges that no execution takes; the trace has the claims.
    pub excluded: Vec<EdgeId>,
}

/// Asks all provers but those of these names, in turn with at most so many steps each, until `enough` says so of a graph; each
/// knows what those before it showed. The trace hears only of the questions to the solver. Gives what they showed.
pub fn ask(
    (provers, without): (&[&dyn Prover], &[&str]),
    (lts, query): (&Lts, &FactQuery),
    steps: u64,
    (meter, trace): (&mut Meter, &Trace),
    enough: &mut dyn FnMut(&Proved) -> bool,
) -> Vec<Proved> {
    let mut quiet = Quiet(trace);
    let quiet = Trace::new(&mut quiet);
    let mut facts: Vec<Proved> = Vec::new();
    for prover in provers.iter().filter(|prover| !without.contains(&prover.name())) {
        if meter.before(lts.graph.edge_count()).is_err() {
            break;
        }
        let proved =
            meter.within(steps.min(meter.left() / 2), |meter| prover.show(lts, &FactQuery { facts: &facts, ..*query }, meter, &quiet));
        let before = facts.len();
        facts.extend(proved);
        if facts[before..].iter().any(&mut *enough) || meter.is_exhausted() {
            break;
        }
    }
    facts
}

/// A graph of which the candidate formulas are made those that its cuts need, with the certificates of its obligations; `None` where the
/// cuts cannot be shown.
///
/// # Errors
/// When the steps are used up.
pub fn certified(lts: &Lts, pool: &mut Pool, mut graph: Pruned, ask: &mut Ask) -> Result<Option<(Pruned, Vec<Certificate>)>, Exhausted> {
    let Some(needed) = Induction::new(lts, pool, &graph).needed(ask)? else { return Ok(None) };
    graph.invariants = needed;
    let mut certificates = Vec::new();
    for obligation in obligations(lts, pool, &graph) {
        match ask.decide(pool, &obligation.formulas)? {
            Answer::Unsat(refutation) => certificates.push(refutation.certificate),
            _ => return Ok(None),
        }
    }
    let (written, proofs) = (write_graph(pool, &graph), certificates.iter().map(|one| evidence::write(pool, one)).collect::<Vec<_>>());
    Ok(check_pruned(lts, &written, &proofs).is_ok().then_some((graph, certificates)))
}

/// Hands on the questions of a run whose results are for others than the reader, and what it shows.
pub struct Claiming<'t, 'a>(pub &'t Trace<'a>);

impl Sink for Claiming<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> bool {
        match event {
            event @ (Event::Progress { .. } | Event::Query { .. } | Event::Proved { .. }) => self.0.emit(event),
            _ => true,
        }
    }

    fn doubt(&mut self) -> Option<Reason> {
        self.0.doubt()
    }
}

/// Hands on the questions of a run whose results are for others than the reader.
pub struct Quiet<'t, 'a>(pub &'t Trace<'a>);

impl Sink for Quiet<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> bool {
        match event {
            event @ (Event::Progress { .. } | Event::Query { .. }) => self.0.emit(event),
            _ => true,
        }
    }
}

impl Proved {
    /// The edges that no execution takes.
    pub fn excluded(&self, lts: &Lts) -> SortedSet<EdgeId> {
        let reached = self.spread(&[0], |&(from, _, to)| (from, to));
        let taken: SortedSet<EdgeId> =
            self.graph.edges.iter().filter(|(from, ..)| reached[*from as usize]).map(|&(_, edge, _)| edge).collect();
        lts.graph.edge_indices().filter(|edge| !taken.contains(edge)).collect()
    }

    /// The edges after which no execution reaches the exit.
    pub fn dead_ends(&self, lts: &Lts) -> SortedSet<EdgeId> {
        let reached = self.spread(&[0], |&(from, _, to)| (from, to));
        let finals: Vec<u32> = self.graph.finals.iter().map(|last| last.index() as u32).collect();
        let completing = self.spread(&finals, |&(from, _, to)| (to, from));
        let completed: SortedSet<EdgeId> = (self.graph.edges.iter())
            .filter(|(from, _, to)| reached[*from as usize] && completing[*to as usize])
            .map(|&(_, edge, _)| edge)
            .collect();
        lts.graph.edge_indices().filter(|edge| !completed.contains(edge)).collect()
    }

    /// For each node whether arcs lead to it from these.
    fn spread(&self, first: &[u32], ends: impl Fn(&(u32, EdgeId, u32)) -> (u32, u32)) -> Vec<bool> {
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.graph.nodes.len()];
        for arc in &self.graph.edges {
            let (from, to) = ends(arc);
            next[from as usize].push(to);
        }
        let mut found = vec![false; self.graph.nodes.len()];
        let mut waiting = first.to_vec();
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut found[node as usize], true) {
                waiting.extend(&next[node as usize]);
            }
        }
        found
    }

    /// The same graph over the terms of another pool.
    pub fn graph_in(&self, pool: &mut Pool, lts: &Lts) -> Option<Pruned> {
        read_graph(pool, &write_graph(&self.pool, &self.graph), lts.exit).ok()
    }

    /// What holds at each location that has a single node, over the terms of another pool.
    pub fn at_locations(&self, pool: &mut Pool, lts: &Lts) -> SortedMap<LocationId, Vec<FormulaId>> {
        let Some(graph) = self.graph_in(pool, lts).filter(|graph| graph.ghosts.is_empty()) else { return SortedMap::new() };
        let mut found: SortedMap<LocationId, Vec<FormulaId>> = SortedMap::new();
        let mut several = SortedSet::new();
        for (node, formulas) in graph.nodes.iter().zip(graph.invariants) {
            if found.insert(node.location(), formulas).is_some() {
                several.insert(node.location());
            }
        }
        several.iter().for_each(|location| drop(found.remove(location)));
        found
    }

    /// Whether a path of the graph gets to a call that lowering did not inline: of what the function executes after it the graph says
    /// nothing.
    pub fn gets_to_cut(&self, lts: &Lts) -> bool {
        let reached = self.spread(&[0], |&(from, _, to)| (from, to));
        let is_cut = |node: &PrunedNode| Some(node.location()) == lts.cut;
        reached.iter().zip(&self.graph.nodes).any(|(reached, node)| *reached && is_cut(node))
    }

    /// Tells the trace that no execution takes these edges, or (without `taken`) that none that does completes.
    ///
    /// # Errors
    /// Why the check does not believe it.
    pub fn emit(&self, prover: &str, (edges, taken): (&[EdgeId], bool), trace: &Trace) -> Result<(), Reason> {
        trace.proved(self.certificates.len(), &|number| {
            excluded_claim(format!("{prover}-{number}"), (edges, taken), &self.pool, &self.graph, &self.certificates)
        })
    }
}
