//! Properties as SV-COMP and Test-Comp state them, and the answer of a report to one.
//!
//! A property file says `CHECK(init(main()), LTL(G ! call(reach_error())))`: of each run of `main`, that it never calls `reach_error`; or
//! `COVER(init(main()), FQL(COVER EDGES(@DECISIONEDGE)))`: tests are sought that take all branches.

use super::error_call::{error_call, is_error};
use super::findings::FindingSource;
use super::{ReportDocument, ReportErrorCall};
use crate::interp::{Input, Outcome, run};
use crate::lang::ast::Function;
use crate::load::Loaded;
use crate::lts::inputs::inputs;
use crate::lts::lower::{Lowered, lower_with};
use crate::lts::text::drawn_by;
use crate::lts::{Failure, FailureKind};
use crate::source::Span;
use serde::Serialize;

/// What a property is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyGoal {
    /// No run calls the error function.
    UnreachCall,
    /// Tests for the branches.
    CoverageBranches,
    /// A test that calls the error function.
    CoverageErrorCall,
}

impl PropertyGoal {
    /// As competitions name it.
    pub fn name(self) -> &'static str {
        match self {
            PropertyGoal::UnreachCall => "unreach-call",
            PropertyGoal::CoverageBranches => "coverage-branches",
            PropertyGoal::CoverageErrorCall => "coverage-error-call",
        }
    }
}

/// A property of the runs of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The function whose runs are meant.
    pub entry: String,
    pub goal: PropertyGoal,
    pub target: ErrorTarget,
}

/// What an error is; a property of branches has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorTarget {
    /// A call of `reach_error` or `__VERIFIER_error`.
    Calls,
    /// A failed assertion: a call of `__assert_fail`.
    Assertions,
    /// The statement with this label.
    Label(String),
}

/// The answer to a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropertyAnswer {
    /// As competitions name it.
    pub name: &'static str,
    /// `TRUE`, `FALSE(unreach-call)`, `DONE` where all goals of a coverage are tested or proved infeasible, or `UNKNOWN`.
    pub verdict: &'static str,
}

/// What can be asked.
const POSSIBLE: &str = "the possible ones are unreach-call (`CHECK(init(main()), LTL(G ! call(reach_error())))`, or `label(ERROR)` for the call), \
    coverage-branches (`COVER(init(main()), FQL(COVER EDGES(@DECISIONEDGE)))`) and coverage-error-call \
    (`COVER(init(main()), FQL(COVER EDGES(@CALL(reach_error))))`)";

/// Functions whose call is an error.
const ERROR_CALLS: [&str; 2] = ["reach_error", "__VERIFIER_error"];
/// The function that a failed assertion calls.
const FAILED_ASSERTION: &str = "__assert_fail";

/// Reads the text of a property file.
///
/// # Errors
/// That it is none of the properties that a report answers, with these.
pub fn property(text: &str) -> Result<Property, String> {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    stated(&text).ok_or_else(|| format!("the property `{text}` is none that a report answers; {POSSIBLE}"))
}

/// The property that a text without spaces states.
fn stated(text: &str) -> Option<Property> {
    let (kind, rest) = text.split_once("(init(")?;
    let (entry, formula) = rest.strip_suffix(')')?.split_once("()),")?;
    let within = |before: &str, after: &str| formula.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    let (goal, target) = match kind {
        "CHECK" => {
            let label = within("LTL(G!label(", "))").map(|name| ErrorTarget::Label(name.to_owned()));
            (PropertyGoal::UnreachCall, label.or_else(|| called(within("LTL(G!call(", "()))")?))?)
        }
        "COVER" if formula == "FQL(COVEREDGES(@DECISIONEDGE))" => (PropertyGoal::CoverageBranches, ErrorTarget::Calls),
        "COVER" => (PropertyGoal::CoverageErrorCall, called(within("FQL(COVEREDGES(@CALL(", ")))")?)?),
        _ => return None,
    };
    Some(Property { entry: entry.to_owned(), goal, target })
}

/// What a call of a function is.
fn called(name: &str) -> Option<ErrorTarget> {
    match name {
        FAILED_ASSERTION => Some(ErrorTarget::Assertions),
        name => ERROR_CALLS.contains(&name).then_some(ErrorTarget::Calls),
    }
}

/// The errors of a property in a program.
pub struct ErrorCalls<'p> {
    target: &'p ErrorTarget,
    /// The bodies that the program has for error functions.
    bodies: Vec<Span>,
    /// Whether each error is a failure of the graph: a body that returns leaves no trace of its calls, and a label is none.
    pub is_traced: bool,
    /// Whether the graph has no failure beside them, apart from `abort()`.
    pub are_all_errors: bool,
}

impl<'p> ErrorCalls<'p> {
    /// Those of a program.
    pub fn of(target: &'p ErrorTarget, loaded: &Loaded) -> ErrorCalls<'p> {
        let own: Vec<&Function> = match target {
            ErrorTarget::Calls => ERROR_CALLS.iter().filter_map(|name| Some(loaded.program.function(name)?.1)).collect(),
            ErrorTarget::Assertions | ErrorTarget::Label(_) => Vec::new(),
        };
        let is_traced = !matches!(target, ErrorTarget::Label(_)) && own.iter().all(|function| never_returns(loaded, &function.name.text));
        let bodies = own.iter().map(|function| function.span).collect();
        let calls = ErrorCalls { target, bodies, is_traced, are_all_errors: true };
        let mut failures = loaded.lts.graph.edge_weights().filter_map(|edge| edge.failure);
        let are_all_errors = failures.all(|failure| calls.has(failure) || !is_error(failure));
        ErrorCalls { are_all_errors, ..calls }
    }

    /// Whether a failure is one of them.
    pub fn has(&self, failure: Failure) -> bool {
        let is_within = |body: &Span| body.start <= failure.span.start && failure.span.end <= body.end;
        match self.target {
            ErrorTarget::Calls => failure.kind == FailureKind::ErrorCall || self.bodies.iter().any(is_within),
            ErrorTarget::Assertions => failure.kind == FailureKind::Assertion,
            ErrorTarget::Label(_) => false,
        }
    }
}

/// What a report and its sources say of a property.
pub fn answer(property: &Property, calls: &ErrorCalls, source: &FindingSource, document: &ReportDocument) -> PropertyAnswer {
    let called = error_call(source, |failure| calls.has(failure));
    let header = &document.header;
    let is_whole = header.inline_depth.is_none() && header.refused.is_empty() && header.diagnostics.is_empty();
    let is_excluded = is_defined(source)
        && match called {
            Some(verdict) => verdict == ReportErrorCall::Unreachable,
            // Without an error in the graph there is none in a run, as far as the graph has all runs.
            None => is_whole,
        };
    let verdict = match (property.goal, called) {
        (PropertyGoal::CoverageBranches, _) if document.branches.open == 0 => "DONE",
        (PropertyGoal::CoverageErrorCall, Some(ReportErrorCall::Reached)) => "DONE",
        (PropertyGoal::UnreachCall, Some(ReportErrorCall::Reached)) => "FALSE(unreach-call)",
        (PropertyGoal::CoverageErrorCall, _) if is_excluded && calls.is_traced => "DONE",
        (PropertyGoal::UnreachCall, _) if is_excluded && calls.is_traced => "TRUE",
        _ => "UNKNOWN",
    };
    PropertyAnswer { name: property.goal.name(), verdict }
}

/// Whether no run leaves an array or uses an object that is not there: after that a program may do anything, so that its errors are not
/// excluded. Arithmetic without a defined value is a finding of its own, as competitions have it.
pub fn is_defined(source: &FindingSource) -> bool {
    source.covered.errors.iter().all(|error| error.is_raised || error.is_arithmetic)
}

/// Whether each call of a function of the program ends in the error location: nothing decides about its run from outside, and the run fails.
fn never_returns(loaded: &Loaded, name: &str) -> bool {
    let Ok(Lowered { lts, .. }) = lower_with(&loaded.program, Some(name), &loaded.options) else { return false };
    let names = inputs(&lts);
    let is_determined = names.variables.is_empty() && names.arrays.is_empty() && !lts.reads_stdin();
    let is_drawn = lts.graph.edge_weights().any(|edge| !drawn_by(&lts, edge).is_empty());
    is_determined && !is_drawn && run(&lts, &Input::default(), MOST_STEPS).outcome == Outcome::Error
}

/// The body of an error function takes no more steps.
const MOST_STEPS: u64 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_competitions() {
        let label = ErrorTarget::Label("ERROR".to_owned());
        for (text, goal, target) in [
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", PropertyGoal::UnreachCall, ErrorTarget::Calls),
            ("CHECK(init(main()),LTL(G ! call(__VERIFIER_error())))", PropertyGoal::UnreachCall, ErrorTarget::Calls),
            ("CHECK( init(main()), LTL(G ! call(__assert_fail())) )", PropertyGoal::UnreachCall, ErrorTarget::Assertions),
            ("CHECK( init(main()), LTL(G ! label(ERROR)) )", PropertyGoal::UnreachCall, label),
            ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", PropertyGoal::CoverageBranches, ErrorTarget::Calls),
            ("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n", PropertyGoal::CoverageErrorCall, ErrorTarget::Calls),
        ] {
            assert_eq!(property(text), Ok(Property { entry: "main".to_owned(), goal, target }), "{text}");
        }
        for text in [
            "",
            "CHECK( init(main()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G ! call(f())) )",
            "COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )",
        ] {
            assert!(property(text).is_err_and(|message| message.contains("coverage-error-call")), "{text}");
        }
    }
}
