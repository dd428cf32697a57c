//! Where the bound does not matter: statements of which every execution through them is within it.
//!
//! What is refuted of executions within the bound is then refuted of every execution. An execution that is not within it leaves the
//! unwound graph somewhere: it returns to a header once more, or calls a function within itself once more than calls were inlined.
//! Such a place is a [`Way`] out. It is of no concern for a statement that the function's graph does not lead to from there (nor, for
//! completing executions, the other way round), and none at all where the solver refutes that it is ever taken.
//!
//! Decision: this is no unrolling until nothing is left to unroll. The bound stays what was asked for; where it happens to be
//! enough, that is seen and proved.

use super::condition::{Condition, Helpers, condition};
use super::unwind::{Obstacle, Unwound, unwind};
use crate::analysis::{Event, Trace};
use crate::logic::{FormulaId, Pool};
use crate::lts::{EdgeId, LocationId, Lts};
use crate::solver::certificate::Certificate;
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, check};
use petgraph::Direction;
use petgraph::visit::EdgeRef;
use std::collections::BTreeMap;

/// Steps for one way out.
const STEPS: u64 = 5_000_000;

/// Edges by which an execution leaves the unwound graph at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The header, or [`Lts::cut`].
    pub to: LocationId,
    /// In order.
    pub edges: Vec<EdgeId>,
}

/// That executions through these edges are within the bound.
#[derive(Debug)]
pub struct Within<'a> {
    pub unwind: u32,
    /// Whether they are up to the edge only; else those that complete are, as a whole.
    pub taken: bool,
    pub edges: &'a [EdgeId],
    /// The ways out that could concern them, each with a refutation of its being taken.
    pub refuted: &'a [(Vec<EdgeId>, Certificate)],
}

/// The ways out of an unwound graph.
#[derive(Debug)]
pub struct Ways {
    pub ways: Vec<Way>,
    /// For each way where the function's graph leads to from there.
    behind: Vec<Vec<bool>>,
    /// For each way from where the function's graph leads there.
    before: Vec<Vec<bool>>,
    cut: Option<LocationId>,
}

impl Ways {
    pub fn new(lts: &Lts, unwound: &Unwound) -> Ways {
        let mut ways: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
        for &(_, edge) in &unwound.cut {
            ways.entry(lts.edge(edge).2).or_default().push(edge);
        }
        if let Some(cut) = lts.cut {
            ways.insert(cut, lts.graph.edges_directed(cut, Direction::Incoming).map(|edge| edge.id()).collect());
        }
        let spread = |direction| move |to: &LocationId| spread(lts, *to, direction);
        let behind = ways.keys().map(spread(Direction::Outgoing)).collect();
        let before = ways.keys().map(spread(Direction::Incoming)).collect();
        let ways = (ways.into_iter())
            .map(|(to, mut edges)| {
                edges.sort_unstable();
                edges.dedup();
                Way { to, edges }
            })
            .collect();
        Ways { ways, behind, before, cut: lts.cut }
    }

    /// The ways by which an execution may leave the bound before it takes the edge, or (without `taken`) before or after that.
    pub fn concerning(&self, lts: &Lts, edge: EdgeId, taken: bool) -> Vec<usize> {
        let (_, from, to) = lts.edge(edge);
        let concerns = |way: usize| {
            // Behind a call that was not inlined anything of the function may follow.
            let recursion = self.cut.is_some_and(|cut| self.behind[way][cut.index()]);
            recursion || self.behind[way][from.index()] || (!taken && self.before[way][to.index()])
        };
        (0..self.ways.len()).filter(|&way| concerns(way)).collect()
    }
}

/// Where edges lead to from a location, which is among them, or (incoming) from where they lead there.
fn spread(lts: &Lts, from: LocationId, direction: Direction) -> Vec<bool> {
    let mut found = vec![false; lts.graph.node_count()];
    found[from.index()] = true;
    let mut waiting = vec![from];
    while let Some(location) = waiting.pop() {
        for next in lts.graph.neighbors_directed(location, direction) {
            if !std::mem::replace(&mut found[next.index()], true) {
                waiting.push(next);
            }
        }
    }
    found
}

/// That one of these edges is taken out of the unwound graph: `unwound` has its ways out ([`Unwound::with_returns`]).
fn claim(condition: &Condition, unwound: &Unwound, pool: &mut Pool, edges: &[EdgeId]) -> [FormulaId; 2] {
    let taken = condition.taken(unwound, pool);
    let out = |arc: &usize| edges.contains(&unwound.arcs[*arc].edge) && unwound.outgoing[unwound.arcs[*arc].to].is_empty();
    let parts: Vec<FormulaId> = (0..unwound.arcs.len()).filter(out).map(|arc| taken[arc]).collect();
    [condition.precondition, pool.or(&parts)]
}

/// Asks of ways out whether they are taken.
#[derive(Debug)]
pub struct Asked<'u> {
    lts: &'u Lts,
    ways: Ways,
    /// With its ways out; derived when the first question is asked.
    longer: Option<(Unwound, Condition)>,
    context: Context,
    /// For each way, if it was asked: its refutation, if it has one.
    answers: Vec<Option<Option<Certificate>>>,
}

impl<'u> Asked<'u> {
    pub fn new(lts: &'u Lts, unwound: &Unwound) -> Asked<'u> {
        let ways = Ways::new(lts, unwound);
        let answers = vec![None; ways.ways.len()];
        Asked { lts, ways, longer: None, context: Context::new(), answers }
    }

    /// Whether every execution that takes the edge is within the bound up to there, or (without `taken`) each that completes is as a
    /// whole. False also where it is not known.
    pub fn is_within(&mut self, unwound: &Unwound, edge: EdgeId, taken: bool, meter: &mut Meter, trace: &Trace) -> bool {
        let concerning = self.ways.concerning(self.lts, edge, taken);
        // First what is known: one that is open, or is taken, is enough.
        if concerning.iter().any(|&way| matches!(self.answers[way], Some(None))) {
            return false;
        }
        concerning.into_iter().all(|way| {
            if self.answers[way].is_none() {
                let outer = meter.narrow(STEPS);
                self.answers[way] = Some(self.ask(unwound, way, meter, trace));
                meter.widen(outer);
            }
            matches!(self.answers[way], Some(Some(_)))
        })
    }

    /// Whether there is a way out that is not refuted, or was not asked about.
    pub fn is_bounded(&self) -> bool {
        self.answers.iter().any(|answer| !matches!(answer, Some(Some(_))))
    }

    /// The refutation of a way's being taken.
    fn ask(&mut self, unwound: &Unwound, way: usize, meter: &mut Meter, trace: &Trace) -> Option<Certificate> {
        if self.longer.is_none() {
            let longer = unwound.with_returns(self.lts);
            let condition = condition(self.lts, &longer, &mut self.context.pool, Helpers::None).ok()?;
            self.longer = Some((longer, condition));
        }
        let (longer, condition) = self.longer.as_ref()?;
        let formulas = claim(condition, longer, &mut self.context.pool, &self.ways.ways[way].edges);
        let mut context = Context::new();
        context.pool = std::mem::take(&mut self.context.pool);
        for formula in formulas {
            context.assert(formula);
        }
        let answer = context.check(meter);
        trace.emit(Event::Query { context: &context, answer: &answer });
        let refutation = match answer {
            Answer::Unsat(refutation) => Some(refutation.certificate),
            _ => None,
        };
        let accepted = refutation.filter(|certificate| check::check(&context.pool, &formulas, certificate).is_ok());
        self.context.pool = context.pool;
        accepted
    }

    /// Lets the trace know that these edges are within the bound, of which [`Asked::is_within`] said so.
    pub fn emit(&self, unwind: u32, taken: bool, edges: &[EdgeId], trace: &Trace) {
        if edges.is_empty() {
            return;
        }
        let mut ways: Vec<usize> = edges.iter().flat_map(|&edge| self.ways.concerning(self.lts, edge, taken)).collect();
        ways.sort_unstable();
        ways.dedup();
        let refuted = |way: usize| Some((self.ways.ways[way].edges.clone(), self.answers[way].clone()??));
        let refuted: Vec<_> = ways.into_iter().filter_map(refuted).collect();
        trace.emit(Event::Within { within: &Within { unwind, taken, edges, refuted: &refuted }, pool: &self.context.pool });
    }
}

/// Checks that executions through these edges are within the bound: finds the ways out anew, and checks for each of those that could
/// concern an edge that some refutation speaks of it. A refutation is given by its edges and what reads its certificate.
///
/// # Errors
/// Why it is not believed.
pub fn check_within<R>(lts: &Lts, (times, taken): (u32, bool), edges: &[EdgeId], refuted: Vec<(Vec<EdgeId>, R)>) -> Result<(), String>
where
    R: FnOnce(&mut Pool) -> Result<Certificate, String>,
{
    if edges.iter().any(|&edge| lts.graph.edge_endpoints(edge).is_none()) {
        return Err("an edge that the function does not have".to_owned());
    }
    let unwound = unwind(lts, times).map_err(|obstacle| obstacle.to_string())?;
    let ways = Ways::new(lts, &unwound);
    for &edge in edges {
        for way in ways.concerning(lts, edge, taken) {
            let spoken = |out: &EdgeId| refuted.iter().any(|(edges, _)| edges.contains(out));
            if let Some(out) = ways.ways[way].edges.iter().find(|out| !spoken(out)) {
                return Err(format!("an execution through edge {} may leave the bound by edge {}", edge.index(), out.index()));
            }
        }
    }
    if refuted.is_empty() {
        return Ok(());
    }
    let longer = unwound.with_returns(lts);
    let mut pool = Pool::new();
    let condition = condition(lts, &longer, &mut pool, Helpers::None).map_err(|obstacle: Obstacle| obstacle.to_string())?;
    for (edges, certificate) in refuted {
        let formulas = claim(&condition, &longer, &mut pool, &edges);
        let certificate = certificate(&mut pool)?;
        check::check(&pool, &formulas, &certificate)?;
    }
    Ok(())
}
