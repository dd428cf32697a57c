//! Goals of a criterion with verdicts, as the verdicts of the engines give them.

use super::document::{CriterionGoal, CriterionTest, CriterionVector, GoalText};
use crate::analysis::cover::{CoverDocument, CoverExclusion};
use crate::analysis::settle::SettledProgram;
use crate::ledger::{Ledger, LedgerTest, LedgerVerdict};
use crate::load::Loaded;
use crate::lts::unfold::decisions::WholeDecision;
use crate::lts::written::is_enclosed;
use crate::lts::{EdgeId, Lts};
use crate::source::Span;
use crate::view::Header;
use std::rc::Rc;

/// The verdict on a goal.
pub(super) type GoalVerdict = LedgerVerdict<CoverExclusion>;

/// What the engines say of the function's graph itself.
pub struct OrdinaryVerdicts<'o> {
    pub settled: &'o SettledProgram,
    pub covered: &'o CoverDocument,
}

/// Goals with the tests that they name.
#[derive(Default)]
pub(super) struct GoalList {
    pub(super) goals: Vec<CriterionGoal>,
    pub(super) vectors: Vec<CriterionVector>,
    pub(super) tests: Vec<CriterionTest>,
    pub(super) left_out: Option<String>,
    /// Of the run on an unfolded graph.
    pub(super) header: Option<Box<Header>>,
}

pub(super) const COVERED: &str = "covered";
pub(super) const INFEASIBLE: &str = "infeasible";
pub(super) const OPEN: &str = "open";

pub(super) fn id(verdict: &GoalVerdict) -> &'static str {
    match verdict {
        LedgerVerdict::Covered { .. } => COVERED,
        LedgerVerdict::Infeasible { .. } => INFEASIBLE,
        LedgerVerdict::Open { .. } => OPEN,
    }
}

/// What stands at a span of the program, in one line, without parentheses around all of it.
pub(super) fn text_of(loaded: &Loaded, span: Span) -> String {
    let line = span.text(loaded.lines.text()).trim_end_matches(';').split_whitespace().collect::<Vec<&str>>().join(" ");
    let mut text = line.as_str();
    while is_enclosed(text) {
        text = text[1..text.len() - 1].trim();
    }
    text.to_owned()
}

/// A goal at a span with a verdict on it.
pub(super) fn goal(loaded: &Loaded, span: Span, text: String, verdict: &GoalVerdict, tests: &[CriterionTest]) -> CriterionGoal {
    let position = loaded.lines.position(span.start);
    let mut goal = CriterionGoal {
        line: position.line,
        column: position.column,
        text,
        decision: None,
        verdict: id(verdict),
        tests: Vec::new(),
        vectors: Vec::new(),
        because: None,
        why: None,
        assumes: Vec::new(),
        written: GoalText { span, ..GoalText::default() },
    };
    match verdict {
        LedgerVerdict::Covered { test } => {
            goal.tests.push(*test as u32);
            goal.assumes.clone_from(&tests[*test].assumes);
        }
        LedgerVerdict::Infeasible { assumes, because } => (goal.assumes, goal.because) = (assumes.clone(), because.clone()),
        LedgerVerdict::Open { why, .. } => goal.why = Some(why.clone()),
    }
    goal
}

pub(super) fn tests_of(ledger: &Ledger<CoverExclusion>) -> Vec<CriterionTest> {
    let test =
        |test: &Rc<LedgerTest>| CriterionTest { input: test.input.clone(), after: test.after.clone(), assumes: test.assumes.clone() };
    ledger.tests.iter().map(test).collect()
}

/// Whether each condition of a decision has two sides wherever it is evaluated, and is the program's own.
pub(super) fn is_listed(lts: &Lts, decision: &WholeDecision) -> bool {
    let is_part = |edge: &EdgeId| lts.graph[*edge].decision.is_some_and(|number| decision.conditions.contains(&number));
    let mut edges = lts.graph.edge_indices().filter(is_part).peekable();
    edges.peek().is_some()
        && edges.all(|edge| {
            let (taken, from, _) = lts.edge(edge);
            !taken.library && lts.graph.edges(from).count() == 2
        })
}
