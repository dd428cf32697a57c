//! `solve`: the answers to a script's checks.

use super::{CheckResult, Verdict};
use crate::view::{Header, Ints, SCHEMA, SolverStatistics, Statistics, document};
use serde::Serialize;
use std::time::Duration;

/// `solve`.
#[derive(Clone, Debug, Serialize)]
pub struct SolveDocument {
    #[serde(flatten)]
    pub header: Header,
    pub checks: Vec<SolveCheck>,
}

/// One `check-sat`.
#[derive(Clone, Debug, Serialize)]
pub struct SolveCheck {
    pub line: u32,
    pub result: SolveResult,
    /// What the script says the answer is; `null` where it does not say.
    pub expected: Option<SolveResult>,
    /// Microseconds, to a tenth, without reading the text.
    pub us: f64,
    /// How much of that the checker took for the certificate of an `unsat`.
    pub verifying_us: f64,
    /// Deterministic steps used.
    pub steps: u64,
    /// Why the result is `unknown`.
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SolveResult {
    Sat,
    Unsat,
    Unknown,
}

impl From<Verdict> for SolveResult {
    fn from(verdict: Verdict) -> SolveResult {
        match verdict {
            Verdict::Sat => SolveResult::Sat,
            Verdict::Unsat => SolveResult::Unsat,
            Verdict::Unknown => SolveResult::Unknown,
        }
    }
}

/// To a tenth.
fn microseconds(time: Duration) -> f64 {
    (time.as_nanos() / 100) as f64 / 10.0
}

/// The document of an executed script. A script has no function, so that name is empty.
pub fn solve_document(program: &str, checks: &[CheckResult]) -> SolveDocument {
    let count = |verdict| checks.iter().filter(|check| check.result == verdict).count() as u64;
    let solver = SolverStatistics {
        queries: checks.len() as u64,
        sat: count(Verdict::Sat),
        unsat: count(Verdict::Unsat),
        unknown: count(Verdict::Unknown),
        checked: checks.iter().filter(|check| check.checked).count() as u64,
    };
    let header = Header {
        schema: SCHEMA,
        program: program.to_owned(),
        function: String::new(),
        ints: Ints::Unbounded,
        chosen_because: None,
        inline_depth: None,
        assumptions: Vec::new(),
        crowded_lines: Vec::new(),
        complete: solver.unknown == 0,
        #[cfg(feature = "cli")]
        early_end: Default::default(),
        statistics: Statistics { solver, wall_ms: 0.0, steps: checks.iter().map(|check| check.steps).sum() },
        diagnostics: Vec::new(),
        refused: Vec::new(),
        options: None,
        headers: None,
    };
    let checks = checks.iter().map(|check| SolveCheck {
        line: check.line,
        result: check.result.into(),
        expected: check.expected.map(SolveResult::from),
        us: microseconds(check.time),
        verifying_us: microseconds(check.verifying),
        steps: check.steps,
        reason: check.reason.clone(),
    });
    SolveDocument { header, checks: checks.collect() }
}

document!(SolveDocument);
