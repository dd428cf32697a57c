//! The answer of `branches` for people.

use super::{BranchesBaseline, BranchesCompared, BranchesCounts, BranchesDocument, BranchesSide, BranchesVerdict};
use crate::analysis::text::{Without, assuming, assumptions, at, bracketed, calls_text, counted, input_text, runs_of};
use std::fmt::Write;

pub fn text(document: &BranchesDocument) -> String {
    let BranchesCounts { total, covered, infeasible, open } = document.branches;
    let tests = counted(document.tests.len(), "test", "tests");
    let mut out = format!(
        "{}: {} of {} covered by {tests}, {infeasible} infeasible, {open} open\n",
        document.header.function,
        covered,
        counted(total, "branch", "branches")
    );
    if total == 0 {
        out = format!("{}: it decides nothing, so there is no branch\n", document.header.function);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "cov_b {:.1} % (it_b {}), cov_f {:.1} % (it_f {}), {} at the frontier",
        document.cov_b * 100.0,
        document.iterations_covered,
        document.cov_f * 100.0,
        document.iterations_settled,
        counted(document.iterations, "step", "steps"),
    );
    for (how, counts) in [("in copies of inlined calls", document.copies), ("without constant decisions", document.without_constants)] {
        if counts != document.branches {
            let BranchesCounts { total, covered, infeasible, open } = counts;
            let _ = writeln!(out, "{how}: {covered} of {total} covered, {infeasible} infeasible, {open} open");
        }
    }
    if let Some(BranchesCompared { steps, .. }) = document.baselines.iter().max_by_key(|one| one.steps) {
        let _ = writeln!(out, "other searches, with the {} of this one:", counted(*steps, "step", "steps"));
    }
    for BranchesCompared { search, covered, cov_b, runs, .. } in &document.baselines {
        let name = match search {
            BranchesBaseline::Random => "random inputs",
            BranchesBaseline::Depth => "depth first",
            BranchesBaseline::Distance => "by distance",
        };
        let _ =
            writeln!(out, "  {name:<13}  {covered} of {total} covered, cov_b {:.1} %, {}", cov_b * 100.0, counted(*runs, "run", "runs"));
    }
    for (index, test) in document.tests.iter().enumerate() {
        let _ = writeln!(out, "\ntest {}: {}", index + 1, input_text(&test.input));
        if !test.after.is_empty() {
            let _ = writeln!(out, "  after {}", calls_text(&test.after));
        }
        let _ = writeln!(out, "  lines {}; it {}", runs_of(&document.header, &test.lines, test.lines_total), test.ends);
        out += &assuming("  ", &test.assumes);
    }
    for (title, verdict) in [("infeasible: no execution takes", BranchesVerdict::Infeasible), ("open", BranchesVerdict::Open)] {
        let sides: Vec<&BranchesSide> = document.list.iter().filter(|side| side.verdict == verdict).collect();
        if sides.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{title}:");
        for side in sides {
            let _ = writeln!(
                out,
                "  line {:>3}: {}",
                at(&document.header, side.line, side.column),
                bracketed(&side.text, side.expansion.as_ref())
            );
            out += &assuming("            ", &side.assumes);
            if let Some(open) = &side.open {
                let _ = writeln!(out, "            {open}");
            }
        }
    }
    let named = document.list.iter().map(|side| &side.assumes).chain(document.tests.iter().map(|test| &test.assumes));
    out += &assumptions(&document.header, named, Without::Possible);
    out
}
