//! Claims within a bound: the program unwound, the condition of its executions, and the ways out of the bound.
//!
//! A refutation for executions within the bound holds for every execution, where all that matters of an execution is within it.

pub mod condition;
pub mod unwind;
pub mod ways;

use super::judge::Judge;
use super::{Claim, Proof, Statement, WrittenWay, ids, numbers};
use crate::logic::{FormulaId, Pool};
use crate::lts::{EdgeId, Lts};
use crate::solver::certificate::Certificate;
use condition::{Condition, Helpers, condition};
use unwind::{Unwound, unwind};
use ways::{Ways, left_by};

/// The greatest bound that a caller can ask for, and of which the check believes a claim.
pub const MAX_UNWIND: u32 = 1_000;

/// The formulas that a `not_covered` claim refutes together: that one of these edges is taken and the run completes, beside
/// [`Condition::complete`]; or (with `taken`) only that one is taken, beside [`Condition::precondition`].
pub fn refuted_formulas(condition: &Condition, unwound: &Unwound, pool: &mut Pool, edges: &[EdgeId], taken: bool) -> Vec<FormulaId> {
    let is_meant = |arc: usize| edges.contains(&unwound.arcs[arc].edge);
    let parts: Vec<FormulaId> = if taken {
        let taken = condition.taken(unwound, pool);
        (0..unwound.arcs.len()).filter(|&arc| is_meant(arc)).map(|arc| taken[arc]).collect()
    } else {
        let blocks = unwound.blocks.iter().enumerate().filter(|(_, block)| block.arcs.iter().any(|&arc| is_meant(arc)));
        blocks.map(|(number, _)| condition.reached[number]).collect()
    };
    let first = if taken { condition.precondition } else { condition.complete };
    vec![first, pool.or(&parts)]
}

/// The claim that no execution within so many unwindings takes one of these edges and completes, or (`taken`) even takes one.
pub fn not_covered_claim(number: usize, (unwind, taken): (u32, bool), edges: &[EdgeId], pool: &Pool, certificate: &Certificate) -> Claim {
    let (edges, certificate) = (numbers(edges), super::write(pool, certificate));
    Claim::new(format!("cover-{number}"), Statement::NotCovered { unwind, taken, edges, certificate })
}

/// The claim that executions through these edges are within the bound (`taken`: up to the edge only; else those that complete, as
/// a whole). `refuted` are the ways out that could concern them, each with a certificate that no execution takes it.
pub fn within_claim(
    number: usize,
    (unwind, taken): (u32, bool),
    edges: &[EdgeId],
    pool: &Pool,
    refuted: &[(Vec<EdgeId>, Certificate)],
) -> Claim {
    let way = |(edges, certificate): &(Vec<EdgeId>, Certificate)| WrittenWay {
        edges: numbers(edges),
        certificate: super::write(pool, certificate),
    };
    let (edges, ways) = (numbers(edges), refuted.iter().map(way).collect());
    Claim::new(format!("cover-{number}"), Statement::WithinBound { unwind, taken, edges, ways })
}

/// The edges of a claim; a message if one does not exist, or the bound is too great.
fn edges_of_bound(lts: &Lts, unwind: u32, edges: &[u32]) -> Result<Vec<EdgeId>, String> {
    if unwind > MAX_UNWIND {
        return Err(format!("{unwind} unwindings are more than {MAX_UNWIND}"));
    }
    let edges = ids(edges);
    match edges.iter().any(|&edge| lts.graph.edge_endpoints(edge).is_none()) {
        true => Err("an edge that the function does not have".to_owned()),
        false => Ok(edges),
    }
}

/// Derives the claim anew and checks its refutation. What it derives depends on the program's text and the bound alone.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_not_covered(lts: &Lts, (times, taken): (u32, bool), edges: &[u32], certificate: &Proof, judge: Judge) -> Result<(), String> {
    let edges = edges_of_bound(lts, times, edges)?;
    let unwound = unwind(lts, times).map_err(|obstacle| obstacle.to_string())?;
    let mut pool = Pool::new();
    let condition = condition(lts, &unwound, &mut pool, Helpers::None).map_err(|obstacle| obstacle.to_string())?;
    let refuted = refuted_formulas(&condition, &unwound, &mut pool, &edges, taken);
    let certificate = super::read(&mut pool, certificate)?;
    judge(&pool, &refuted, &certificate)
}

/// Checks that executions through these edges are within the bound: finds the ways out anew, and checks for each of those that could
/// concern an edge that some refutation speaks of it.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_within(lts: &Lts, (times, taken): (u32, bool), edges: &[u32], refuted: &[WrittenWay], judge: Judge) -> Result<(), String> {
    let edges = edges_of_bound(lts, times, edges)?;
    let unwound = unwind(lts, times).map_err(|obstacle| obstacle.to_string())?;
    let ways = Ways::new(lts, &unwound);
    for &edge in &edges {
        for way in ways.concerning(lts, edge, taken) {
            let spoken = |out: &EdgeId| refuted.iter().any(|way| way.edges.contains(&(out.index() as u32)));
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
    let condition = condition(lts, &longer, &mut pool, Helpers::None).map_err(|obstacle| obstacle.to_string())?;
    for way in refuted {
        let formulas = left_by(&condition, &longer, &mut pool, &ids(&way.edges));
        let certificate = super::read(&mut pool, &way.certificate)?;
        judge(&pool, &formulas, &certificate)?;
    }
    Ok(())
}
