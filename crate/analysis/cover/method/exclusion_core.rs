//! Why a statement is excluded: the sides of decisions of which each is needed.
//!
//! 1. Derive the condition once more with a switch for each side of a decision: its condition counts only where the switch is on.
//!    Which way an execution goes is free then.
//! 2. With all switches on, the statement is excluded. A minimal core of the switches is the answer: with any one of them off,
//!    some execution takes the statement.
//!
//! Edges of the same block share their answer. A question that takes too long leaves the answer empty, never wrong: the solver
//! has refuted what is shown, and only that each side is needed is then not known.

use super::EdgeVerdict;
use crate::evidence::bounded::condition::{Helpers, condition, switch_name};
use crate::evidence::bounded::refuted_formulas;
use crate::evidence::bounded::unwind::Unwound;
use crate::logic::{Arrange, FormulaId, SortedMap};
use crate::lts::{EdgeId, Label, Lts};
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, check};

/// For how many statements to look for the conditions, at most.
const MOST: usize = 200;

/// Steps for each statement, and for all of them together: a reason is a help to the reader, and must not take longer than the verdict.
const STEPS: u64 = 500_000;
const ALL_STEPS: u64 = 4_000_000;

/// For each edge the sides of decisions that exclude it; empty for covered edges, and where the steps do not suffice.
pub fn because(lts: &Lts, unwound: &Unwound, verdicts: &[EdgeVerdict], meter: &mut Meter, trace: &Trace) -> Vec<Vec<EdgeId>> {
    let mut found = vec![Vec::new(); lts.graph.edge_count()];
    let excluded =
        |verdict: &EdgeVerdict| matches!(verdict, EdgeVerdict::Infeasible | EdgeVerdict::NeverCompletes(_) | EdgeVerdict::NotWithin(_));
    let mut edges: Vec<EdgeId> =
        lts.graph.edge_indices().zip(verdicts).filter(|(_, verdict)| excluded(verdict)).map(|pair| pair.0).collect();
    // Verdicts about every execution come first.
    edges.arrange_by_key(|edge| match verdicts[edge.index()] {
        EdgeVerdict::Infeasible => 0,
        EdgeVerdict::NeverCompletes(_) => 1,
        _ => 2,
    });
    if edges.is_empty() {
        return found;
    }
    let mut context = Context::new();
    // 1.
    let Ok(condition) = condition(lts, unwound, &mut context.pool, Helpers::Switches) else { return found };
    let sides: Vec<EdgeId> = lts.graph.edge_indices().filter(|&edge| matches!(lts.graph[edge].label, Label::Assume { .. })).collect();
    let switches: Vec<FormulaId> = sides.iter().map(|edge| context.pool.boolean(&switch_name(edge.index()))).collect();
    // Edges of which every copy stands in the same blocks share the question.
    let clones = unwound.clones();
    let mut memo: SortedMap<(Vec<usize>, bool), Vec<EdgeId>> = SortedMap::new();
    let before = meter.used();
    for edge in edges {
        let taken = matches!(verdicts[edge.index()], EdgeVerdict::Infeasible);
        let key = (clones.get(&edge).cloned().unwrap_or_default(), taken);
        if !memo.contains_key(&key) {
            let left = ALL_STEPS.saturating_sub(meter.used() - before);
            if memo.len() >= MOST || left == 0 || meter.is_exhausted() {
                continue;
            }
            let refuted = refuted_formulas(&condition, unwound, &mut context.pool, &[edge], taken);
            // 2.
            let core = meter.within(STEPS.min(left), |meter| core(&mut context, &refuted, &switches, meter, trace));
            memo.insert(key.clone(), core.into_iter().map(|at| sides[at]).collect());
        }
        found[edge.index()] = memo[&key].clone();
    }
    found
}

/// The positions of the switches that it takes to refute these formulas.
fn core(context: &mut Context, refuted: &[FormulaId], switches: &[FormulaId], meter: &mut Meter, trace: &Trace) -> Vec<usize> {
    context.push();
    for &formula in switches.iter().chain(refuted) {
        context.assert(formula);
    }
    let answer = context.check(meter);
    trace.emit(Event::Query { context, answer: &answer });
    let mut core = Vec::new();
    if let Answer::Unsat(refutation) = answer {
        let minimal = context.minimal_core(&refutation, meter).refutation;
        let formulas: Vec<FormulaId> = minimal.core.iter().map(|&at| context.assertions()[at]).collect();
        if check::check(&context.pool, &formulas, &minimal.certificate).is_ok() {
            core = minimal.core.into_iter().filter(|&at| at < switches.len()).collect();
        }
    }
    context.pop();
    core
}
