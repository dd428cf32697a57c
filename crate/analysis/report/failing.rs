//! Failing runs that Cover did not come to: the finders of inputs are asked for the undefined edges of the graph that has them
//! ([`crate::lts::undefined`]), and each input is run on the function's own graph, where it has to fail at that hazard.
//!
//! A run that rests on statics which no known call leaves decides nothing.

use super::{ReportFinding, ReportFindingKind};
use crate::analysis::FINDERS;
use crate::analysis::cover::report::writing::failure_text;
use crate::interp::{Machine, Outcome};
use crate::invariants::{FactQuery, Quiet};
use crate::load::Loaded;
use crate::lts::undefined::WithUndefined;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::{assumed_by, assumed_in};
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;
use crate::view::{capped, written_view};

/// Edges of the longest run.
const LONGEST_RUN: u64 = 100_000;

/// A run that fails at a hazard, with the hazard's number.
pub struct FoundFailure {
    pub hazard: usize,
    pub finding: ReportFinding,
}

/// The function and its hazards.
pub struct FailureSearch<'f> {
    pub loaded: &'f Loaded,
    pub whole: &'f WithUndefined,
    /// The graph with undefined edges, under the assumptions in force.
    pub lts: &'f Lts,
    /// The text of a hazard in the program.
    pub text: &'f dyn Fn(usize) -> String,
}

impl FailureSearch<'_> {
    /// Runs that fail at these hazards, at most one for each.
    pub fn runs(&self, hazards: &[usize], meter: &mut Meter, trace: &Trace) -> Vec<FoundFailure> {
        let FailureSearch { loaded, whole, .. } = *self;
        let machine = Machine::new(&loaded.lts);
        // What a finder shows of the graph with undefined edges is no claim about the function's.
        let mut quiet = Quiet(trace);
        let quiet = Trace::new(&mut quiet);
        let mut found: Vec<FoundFailure> = Vec::new();
        for finder in FINDERS {
            let is_open = |hazard: &&usize| !found.iter().any(|failure| failure.hazard == **hazard);
            let open: Vec<usize> = hazards.iter().filter(is_open).copied().collect();
            let untaken: Vec<EdgeId> = open.iter().flat_map(|&hazard| whole.hazards[hazard].edges.iter().copied()).collect();
            if untaken.is_empty() || meter.is_exhausted() {
                break;
            }
            let query = FactQuery { untaken: &untaken, ..FactQuery::default() };
            for input in finder.find(&self.lts.shallow(), &query, 0, meter, &quiet).inputs {
                if meter.spend(1).is_err() {
                    break;
                }
                let run = machine.run(&input, LONGEST_RUN);
                let Outcome::Undefined(reason) = &run.outcome else { continue };
                let is_of = |hazard: &&usize| {
                    let hazard = &whole.hazards[**hazard];
                    (hazard.edge, hazard.at_return, hazard.kind) == (run.stopped_before, run.at_return, reason.kind())
                };
                let Some(&hazard) = open.iter().find(is_of) else { continue };
                let is_told = found.iter().any(|failure| failure.hazard == hazard);
                let is_backed = assumed_by(loaded, &input) == assumed_in(loaded, false);
                let is_replayed = !machine.reads_stdin() || machine.replay(&input, &run.edges).is_ok();
                if !is_told
                    && is_backed
                    && is_replayed
                    && trace.claim(Event::Reached { path: &run.edges, input: &input, after: &[] }).is_ok()
                {
                    let position = loaded.lines.position(whole.hazards[hazard].span(&loaded.base).start);
                    let line = |edge: &EdgeId| loaded.lines.line(loaded.lts.graph[*edge].span.start);
                    let finding = ReportFinding {
                        kind: ReportFindingKind::Error,
                        line: position.line,
                        column: position.column,
                        text: (self.text)(hazard),
                        expansion: None,
                        evidence: failure_text(&loaded.lts, reason),
                        hint: None,
                        lines: capped(run.edges.iter().map(line).collect()).0,
                        after: Vec::new(),
                        because: None,
                        assumes: assumed_by(loaded, &input),
                        input: Some(written_view(&loaded.lts, &input)),
                        #[cfg(feature = "files")]
                        innocuous: None,
                    };
                    found.push(FoundFailure { hazard, finding });
                }
            }
        }
        found
    }
}
