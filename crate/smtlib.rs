//! SMT-LIB 2: scripts read and answered, queries of the solver written.
//!
//! [`query`] turns assertions into a script that any SMT solver reads with the same meaning. `run` (native only) executes
//! a script over integers, truth values and arrays of integers. Every `sat` rests on an exact evaluation, every
//! `unsat` on a certificate that the checker accepted; what the solver has no theory for, `run` refuses with its span
//! or answers `unknown`.
//!
//! In reading order: `syntax` (a script as data), `expressions` (text to s-expressions), `read` (s-expressions to a script),
//! `value` and `build` (operators), `translate` and `operators` (terms to formulas), `arrays` (equality of arrays), `run`
//! (commands), `model` (printing models), `write`.
//!
//! # Example
//!
//! ```
//! use culdesac::smtlib::{Verdict, query, run};
//! use culdesac::{logic::{Linear, Pool}, solver::QUERY_LIMIT};
//! use std::time::Duration;
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.integer("x"), pool.integer("y"));
//! let equal = pool.equal(&x.add(&x), &y.add(&y).add(&Linear::constant(1)));
//! let script = query(&pool, &[equal], Verdict::Unsat);
//! assert!(script.contains("(declare-fun x () Int)"));
//!
//! let checks = run(&script, QUERY_LIMIT, &|| Duration::ZERO, &mut |_| {}).expect("a script");
//! assert_eq!((checks.len(), checks[0].result, checks[0].checked), (1, Verdict::Unsat, true));
//! ```

#[cfg(feature = "cli")]
#[cfg(feature = "cli")]
mod build;
#[cfg(feature = "cli")]
mod document;
#[cfg(feature = "cli")]
mod expressions;
#[cfg(feature = "cli")]
mod model;
mod names;
#[cfg(feature = "cli")]
mod operators;
#[cfg(feature = "cli")]
mod read;
#[cfg(feature = "cli")]
mod run;
#[cfg(feature = "cli")]
mod scoped;
#[cfg(feature = "cli")]
mod syntax;
#[cfg(feature = "cli")]
mod translate;
#[cfg(feature = "cli")]
mod value;
mod write;

#[cfg(feature = "cli")]
pub use document::{SolveCheck, SolveDocument, SolveResult, solve_document};
#[cfg(feature = "cli")]
pub use run::{SolverOutput, run};
use std::time::Duration;
pub use write::query;

/// The answer to a `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

impl Verdict {
    /// The answer's name in SMT-LIB.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One `check-sat` or `check-sat-assuming` of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The line, from 1, on which the command stands.
    pub line: u32,
    pub result: Verdict,
    /// What `set-info :status` said since the check before; `None` also where it said `unknown`.
    pub expected: Option<Verdict>,
    /// Why the result is `unknown`.
    pub reason: Option<String>,
    /// Time since the check before that went into asserting, deciding and verifying; without reading the text, building
    /// terms and printing models.
    pub time: Duration,
    /// The part of [`CheckResult::time`] that the checker took for the certificate.
    pub verifying: Duration,
    /// Steps of the meter.
    pub steps: u64,
    /// Whether this is `unsat` with a certificate that the checker accepted.
    pub checked: bool,
}

impl CheckResult {
    /// Whether the result and the expectation exclude each other.
    pub fn is_wrong(&self) -> bool {
        self.result != Verdict::Unknown && self.expected.is_some_and(|expected| expected != self.result)
    }
}
