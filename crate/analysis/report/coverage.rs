//! The coverage of a report's tests as LCOV, with infeasible branches outside of the denominator where the version has a word for them.

use super::graph::ReportedGraph;
use super::{ReportDocument, ReportTest};
use crate::export::{ExportTest, Suite, coverage};
use crate::view::Request;

/// Branch coverage by the tests of the report, as LCOV 2.5 or (`legacy`) as each version of LCOV reads it.
///
/// # Errors
/// The name of a file has a line end in it.
pub fn lcov(document: &ReportDocument, request: &Request, legacy: bool) -> Result<String, String> {
    let ReportedGraph { request, infeasible, .. } = ReportedGraph::of(document, request)?;
    let test = |test: &ReportTest| ExportTest { input: test.input.clone(), after: test.after.clone(), assumes: test.assumes.clone() };
    let tests: Vec<ExportTest> = document.tests.iter().map(test).collect();
    let infeasible: Vec<u32> = infeasible.iter().map(|edge| edge.index() as u32).collect();
    coverage(&Suite { request: &request, tests: &tests, infeasible: &infeasible }, if legacy { 1 } else { 2 })
}
