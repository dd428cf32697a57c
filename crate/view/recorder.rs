//! From the trace of a run to what its listeners want: progress and partial results, statistics, claims, queries.

use super::evidence::{self, Claim};
use super::paths::{drawn_view, row_view};
use super::prune::step_view;
use super::{Event, SolverStatistics, input_view};
use crate::analysis::prune::Happened;
use crate::analysis::{self, Sink};
use crate::logic::{FormulaId, Pool};
use crate::lts::{EdgeId, Lts};
use crate::solver::Answer;
use crate::source::LineIndex;

/// Takes a query as it was asked: the terms, the assertions, the answer.
pub type QueryListener<'a> = &'a mut dyn FnMut(&Pool, &[FormulaId], &Answer);

/// Takes the claims of a run, in order.
pub trait Claims {
    /// How many were taken.
    fn len(&self) -> usize;
    fn push(&mut self, claim: Claim);
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Claims for Vec<Claim> {
    fn len(&self) -> usize {
        self.len()
    }
    fn push(&mut self, claim: Claim) {
        self.push(claim);
    }
}

/// Who listens to a run.
pub struct Listener<'a> {
    /// Progress and partial results; answers whether to go on.
    pub event: &'a mut dyn FnMut(Event) -> bool,
    /// Whether every single finding is an event too, not only progress and results.
    pub detailed: bool,
    /// Takes the claims of the run with their evidence.
    pub claims: Option<&'a mut dyn Claims>,
    /// Takes every query to the solver.
    pub query: Option<QueryListener<'a>>,
}

impl<'a> Listener<'a> {
    /// Only progress and partial results.
    pub fn new(event: &'a mut dyn FnMut(Event) -> bool) -> Listener<'a> {
        Listener { event, detailed: false, claims: None, query: None }
    }
}

/// The sink behind the documents.
pub(super) struct Recorder<'r, 'a> {
    pub listener: &'r mut Listener<'a>,
    pub lts: &'r Lts,
    pub lines: &'r LineIndex,
    pub limit: u64,
    /// What the run is doing, in a few words.
    pub doing: &'static str,
    pub statistics: SolverStatistics,
    pub restarts: u32,
}

fn numbers(path: &[EdgeId]) -> Vec<u32> {
    path.iter().map(|edge| edge.index() as u32).collect()
}

impl Sink for Recorder<'_, '_> {
    fn event(&mut self, event: analysis::Event<'_>) -> bool {
        match event {
            analysis::Event::Progress { steps } => {
                (self.listener.event)(Event::Progress { steps, limit: self.limit, text: self.doing.to_owned() })
            }
            analysis::Event::Query { context, answer } => {
                self.statistics.queries += 1;
                match answer {
                    Answer::Sat(_) => self.statistics.sat += 1,
                    Answer::Unsat(_) => self.statistics.unsat += 1,
                    Answer::Unknown(_) => self.statistics.unknown += 1,
                }
                if let Some(query) = &mut self.listener.query {
                    query(&context.pool, context.assertions(), answer);
                }
                let answer = match answer {
                    Answer::Sat(_) => "sat",
                    Answer::Unsat(_) => "unsat",
                    Answer::Unknown(_) => "unknown",
                };
                self.detail(|| Event::Query { assertions: context.assertions().len() as u32, answer: answer.to_owned() })
            }
            analysis::Event::Reached { path, input } => {
                if let Some(claims) = &mut self.listener.claims {
                    let id = format!("path-{}", claims.len() + 1);
                    claims.push(Claim::Reached { id, path: numbers(path), input: input_view(self.lts, input) });
                }
                self.detail(|| Event::Reached { path: numbers(path), input: input_view(self.lts, input) })
            }
            analysis::Event::Refuted { path, pool, refutation } => {
                self.statistics.checked += 1;
                if let Some(claims) = &mut self.listener.claims {
                    let id = format!("path-{}", claims.len() + 1);
                    let core = refutation.core.iter().map(|&index| index as u32).collect();
                    let certificate = evidence::write(pool, &refutation.certificate);
                    claims.push(Claim::Infeasible { id, path: numbers(path), core, certificate });
                }
                let core = || refutation.core.iter().map(|&index| index as u32).collect();
                self.detail(|| Event::Refuted { path: numbers(path), core: core() })
            }
            analysis::Event::Open { path, reason } => self.detail(|| Event::Open { path: numbers(path), reason: reason.to_string() }),
            analysis::Event::Pruning { happened, pool } => {
                self.restarts += u32::from(matches!(happened, Happened::Restarted { .. }));
                self.detail(|| Event::Pruning { step: step_view(happened, pool) })
            }
            analysis::Event::Confirmed { pruned, pool, certificates } => {
                self.statistics.checked += certificates.len() as u64;
                if let Some(claims) = &mut self.listener.claims {
                    let id = format!("graph-{}", claims.len() + 1);
                    let certificates = certificates.iter().map(|certificate| evidence::write(pool, certificate)).collect();
                    claims.push(Claim::Pruned { id, graph: evidence::write_graph(pool, pruned), certificates });
                }
                true
            }
            analysis::Event::Exact { graph, length, pool, certificates, proof } => {
                self.statistics.checked += (certificates.len() + proof.certificates.len()) as u64;
                if let Some(claims) = &mut self.listener.claims {
                    let id = format!("graph-{}", claims.len() + 1);
                    claims.push(evidence::counted(id, pool, graph, length, certificates, proof));
                }
                true
            }
            analysis::Event::Generalized { certified, pool } => {
                self.statistics.checked += 1;
                if let Some(claims) = &mut self.listener.claims {
                    let id = format!("family-{}", claims.len() + 1);
                    claims.push(Claim::Family { id, family: evidence::write_family(self.lts, pool, certified) });
                }
                true
            }
            analysis::Event::NotCovered { refuted, pool } => {
                self.statistics.checked += 1;
                if let Some(claims) = &mut self.listener.claims {
                    let claim = evidence::not_covered_claim(refuted, pool, claims.len());
                    claims.push(claim);
                }
                true
            }
            analysis::Event::DeadEnds { edges } => {
                if let Some(claims) = &mut self.listener.claims {
                    let id = format!("cover-{}", claims.len() + 1);
                    claims.push(Claim::DeadEnds { id, edges: numbers(edges) });
                }
                true
            }
            analysis::Event::Within { within, pool } => {
                self.statistics.checked += within.refuted.len() as u64;
                if let Some(claims) = &mut self.listener.claims {
                    let claim = evidence::within_claim(within, pool, claims.len());
                    claims.push(claim);
                }
                true
            }
            analysis::Event::Excluded { edges, taken, invariant } => {
                self.statistics.checked += invariant.certificates.len() as u64;
                if let Some(claims) = &mut self.listener.claims {
                    let claim = evidence::excluded_claim(self.lts, (edges, taken), invariant, claims.len());
                    claims.push(claim);
                }
                true
            }
            analysis::Event::Counted { row } => (self.listener.event)(Event::Row { row: row_view(row) }),
            analysis::Event::Drawn { index, drawn } => {
                (self.listener.event)(Event::Path { index, path: drawn_view(self.lts, self.lines, drawn) })
            }
        }
    }
}

impl Recorder<'_, '_> {
    fn detail(&mut self, event: impl FnOnce() -> Event) -> bool {
        !self.listener.detailed || (self.listener.event)(event())
    }
}
