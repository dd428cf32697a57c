//! Inputs of programs that compute with floating-point numbers. Analyses take a computed number for any value within bounds, so that no model
//! leads to the input that gives it; random runs, which compute it, find the usual ones.

use super::random_inputs::RandomInputs;
use crate::interp::{Input, Machine, Run};
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::{Meter, RUN_STEPS};

/// Inputs that are tried.
const TRIED: u32 = 400;
/// Steps of a run.
const LONGEST: u64 = 20_000;

/// Inputs with their runs, which take edges that are open, each at least one that no run before it takes. Gives none where the program computes no
/// floating-point numbers; what the steps do not suffice for is left out.
pub fn computed_inputs(lts: &Lts, machine: &Machine, is_open: impl Fn(EdgeId) -> bool, meter: &mut Meter) -> Vec<(Input, Run)> {
    if !lts.draws_from(&|source| source.is_computed()) {
        return Vec::new();
    }
    let mut open: Vec<bool> = lts.graph.edge_indices().map(is_open).collect();
    let mut random = RandomInputs::new(lts, 0);
    let mut found = Vec::new();
    for _ in 0..TRIED {
        if !open.contains(&true) {
            break;
        }
        let Some((drawn, run)) = machine.drawn_run(&random.draw(), LONGEST) else { continue };
        if meter.spend(run.edges.len() as u64 / RUN_STEPS + 1).is_err() {
            break;
        }
        let mut is_new = false;
        for edge in &run.edges {
            is_new |= std::mem::replace(&mut open[edge.index()], false);
        }
        if is_new {
            found.push((drawn, run));
        }
    }
    found
}
