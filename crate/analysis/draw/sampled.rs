//! Draws complete paths uniformly at random and decides each: gets a path by its rank, and walks along it until the solver
//! refutes a prefix or the end is reached. A feasible one comes with its smallest input ([`PathPrefix::smallest_witness`]).

use super::document::{DrawnPath, PathEvent};
use super::fate::{DrawnFate, Fate, decide};
use super::starts::Starts;
use crate::count::{Graph, Random, Sampler, TooLarge};
use crate::counting::merge;
use crate::interp::Machine;
use crate::load::Loaded;
use crate::lts::structure::distances;
use crate::run::assumption_tracking::Needs;
use crate::run::trace::{Event, Trace};
use crate::solver::Reason;
use crate::solver::meter::Meter;
use num_bigint::BigUint;

/// What [`sampled`] drew.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// How many complete paths there are to draw from.
    pub population: BigUint,
    pub drawn: Vec<DrawnFate>,
    /// Why there are fewer paths than the caller asked for, if so.
    pub cut: Option<Reason>,
    /// What the graph rests on that it draws from.
    pub needs: Needs,
}

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct DrawPlan {
    /// The greatest number of edges.
    pub length: u32,
    pub count: u32,
    pub seed: u64,
    pub feasible_only: bool,
}

/// Draws `count` complete paths of length at most `length` uniformly (with replacement) and decides each. With `feasible_only` it
/// draws from the merged graph of the feasible ones; where there is none, from all, and draws again for an infeasible one, until
/// the step limit. A `pruned` graph takes the place of the function's own: its paths, written with the function's edges, are some
/// of the function's and have all feasible ones among them.
///
/// # Errors
/// When the table of counts would be too large.
pub fn sampled(loaded: &Loaded, plan: &DrawPlan, pruned: Option<Graph>, meter: &mut Meter, trace: &Trace) -> Result<Drawing, TooLarge> {
    let lts = &loaded.lts;
    let DrawPlan { length, count, seed, feasible_only } = *plan;
    let machine = Machine::new(lts);
    // Draw among the feasible paths themselves, where these are known as a graph.
    let merged = feasible_only.then(|| merge(lts, &machine, &distances(lts, lts.exit), length, false, meter, trace).ok()).flatten();
    let merged = merged.map(|(merged, _)| {
        // That the prefixes of a class go on alike no claim shows.
        trace.emit(Event::Unproved);
        merged.graph()
    });
    let found = trace.needs();
    // Where the request does without what the merged graph assumes, that may lack feasible paths.
    let fewer = merged.filter(|_| found.missing.is_empty() && found.doubt.is_none()).or(pruned);
    let needs = if fewer.is_some() { found } else { Needs::default() };
    let graph = fewer.unwrap_or_else(|| Graph::of(lts));
    let sampler = Sampler::new(&graph, length, Sampler::DEFAULT_LIMIT)?;
    let mut random = Random::new(seed);
    let mut starts = Starts::of(loaded);
    let mut drawing = Drawing { population: sampler.population().clone(), drawn: Vec::new(), cut: None, needs };
    while (drawing.drawn.len() as u64) < u64::from(count) {
        if let Err(why) = meter.spend(1) {
            drawing.cut = Some(why.into());
            break;
        }
        let Some(path) = sampler.draw(&mut random) else { break };
        let _ = trace.needs();
        let fate = decide(lts, &machine, &path, meter, trace);
        if let (Fate::Open(reason), true) = (&fate, meter.is_exhausted()) {
            drawing.cut = Some(*reason);
        }
        if feasible_only && !matches!(fate, Fate::Feasible(_)) {
            continue;
        }
        let mut drawn = DrawnFate { path, fate, needs: trace.needs(), after: Vec::new(), state: None };
        if let Some(starts) = &mut starts {
            starts.judge(&mut drawn, meter, trace);
        }
        let index = drawing.drawn.len() as u32;
        trace.result(&|| PathEvent::Path { index, path: DrawnPath::of(loaded, &drawn) });
        drawing.drawn.push(drawn);
    }
    Ok(drawing)
}
