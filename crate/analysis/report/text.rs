//! The report for people: for the terminal, and as Markdown.

#[cfg(feature = "cli")]
use super::ReportTest;
use super::answer::not_null;
use super::sentences::{error_text, plain, run_text, told, why};
use super::{
    ReportBranch, ReportDocument, ReportFinding, ReportFindingKind, ReportHazard, ReportHazardVerdict, ReportSafety, ReportUnjudged,
    ReportVerdict,
};
#[cfg(feature = "cli")]
use crate::analysis::criteria::text as criterion_text;
#[cfg(feature = "cli")]
use crate::analysis::text::{Left, Right, assuming, table};
use crate::analysis::text::{Without, assumptions, at, bracketed};
use crate::view::Header;
use std::fmt::Write;

/// The kinds of findings under their headings.
pub const HEADINGS: [(ReportFindingKind, &str); 5] = [
    (ReportFindingKind::Error, "errors"),
    (ReportFindingKind::Always, "always true"),
    (ReportFindingKind::NeverRuns, "never runs"),
    (ReportFindingKind::NeverCompletes, "never completes"),
    (ReportFindingKind::Open, "open"),
];

/// For the terminal.
#[cfg(feature = "cli")]
pub fn text(document: &ReportDocument) -> String {
    let ReportDocument { header, sentence, findings, list, tests, .. } = document;
    let mut out = format!("{}: {sentence}\n", header.function);
    // Writing to a string cannot fail.
    if let Some(error) = document.error_call {
        let _ = writeln!(out, "error calls and assertions: {}", error_text(error));
    }
    for (kind, heading) in HEADINGS {
        let of_kind: Vec<&ReportFinding> = findings.iter().filter(|finding| finding.kind == kind).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(out, "\n{heading}:");
        }
        for finding in of_kind {
            let position = at(header, finding.line, finding.column);
            let _ = writeln!(out, "  line {position:>3}: {}", bracketed(&finding.text, finding.expansion.as_ref()));
            for told in told(header, finding) {
                let _ = writeln!(out, "            {told}");
            }
            out += &assuming("            ", &finding.assumes);
        }
    }
    if !list.is_empty() {
        out.push_str("\nbranches:\n");
        let rows: Vec<[String; 4]> = list.iter().map(|branch| row(header, branch)).collect();
        for line in table([("  line", Right), ("branch", Left), ("verdict", Left), ("", Left)], &rows).lines() {
            let _ = writeln!(out, "{line}");
        }
    }
    if let Some(safety) = &document.safety {
        for (number, line) in safety_lines(header, safety).iter().enumerate() {
            out += if number == 0 { "\n" } else { "  " };
            let _ = writeln!(out, "{line}");
        }
    }
    #[cfg(feature = "cli")]
    if let Some(criterion) = &document.criterion {
        out += &criterion_text::text(header, criterion);
    }
    if !tests.is_empty() {
        out.push_str("\ntests:\n");
    }
    for (number, test) in (1..).zip(tests) {
        let _ = writeln!(out, "  test {number}: {}", run_text(&test.input, &test.after));
        out += &assuming("    ", &test.assumes);
    }
    out += &assumptions(header, named(document), Without::Possible);
    out
}

/// As Markdown: headings, lists and a table.
pub fn markdown(document: &ReportDocument) -> String {
    let ReportDocument { header, sentence, findings, list, tests, .. } = document;
    let mut out = format!("# {} in {}\n\n{sentence}\n", code(&header.function), code(&header.program));
    if let Some(error) = document.error_call {
        let _ = writeln!(out, "\nError calls and assertions: {}.", error_text(error));
    }
    for (kind, heading) in HEADINGS {
        let of_kind: Vec<&ReportFinding> = findings.iter().filter(|finding| finding.kind == kind).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(out, "\n## {}{}\n", heading[..1].to_uppercase(), &heading[1..]);
        }
        for finding in of_kind {
            let position = at(header, finding.line, finding.column);
            let _ = writeln!(out, "- Line {position}: {}", code(&bracketed(&finding.text, finding.expansion.as_ref())));
            for told in told(header, finding) {
                let _ = writeln!(out, "  - {}", escaped(&told));
            }
            if !finding.assumes.is_empty() {
                let _ = writeln!(out, "  - assuming {}", finding.assumes.join(", "));
            }
        }
    }
    if !list.is_empty() {
        out.push_str("\n## Branches\n\n| line | branch | verdict | |\n|---:|---|---|---|\n");
        for branch in list {
            let [position, text, verdict, why] = row(header, branch);
            let _ = writeln!(out, "| {position} | {} | {verdict} | {} |", code(&text).replace('|', "\\|"), escaped(&why));
        }
    }
    if let Some(safety) = &document.safety {
        for (number, line) in safety_lines(header, safety).iter().enumerate() {
            let _ = if number == 0 { writeln!(out, "\n{}.\n", sentence_of(line)) } else { writeln!(out, "- {}", escaped(line)) };
        }
    }
    #[cfg(feature = "cli")]
    if let Some(criterion) = &document.criterion {
        out += &criterion_text::markdown(header, criterion, code, escaped);
    }
    if !tests.is_empty() {
        out.push_str("\n## Tests\n\n");
    }
    for (number, test) in (1..).zip(tests) {
        let _ = writeln!(out, "{number}. {}", code(&run_text(&test.input, &test.after)));
    }
    let assumed = assumptions(header, named(document), Without::Possible);
    if !assumed.is_empty() {
        let _ = writeln!(out, "\n## Assumptions\n");
    }
    for line in assumed.lines().filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "- {line}");
    }
    out
}

fn sentence_of(line: &str) -> String {
    let mut sentence = line.to_owned();
    if let Some(first) = sentence.get(..1).map(str::to_uppercase) {
        sentence.replace_range(..1, &first);
    }
    sentence
}

/// What is known of the places at which C may leave an execution undefined: how many there are, the open ones, and what is not judged. Empty
/// where there is none.
pub fn safety_lines(header: &Header, safety: &ReportSafety) -> Vec<String> {
    let mut lines = Vec::new();
    if safety.total > 0 {
        lines.push(format!("undefined behaviour: {}", safety_counts(safety)));
    }
    let is_listed = |hazard: &&ReportHazard| hazard.verdict == ReportHazardVerdict::Open && safety.why_open.is_none();
    for hazard in safety.list.iter().filter(is_listed) {
        // A document that was kept has no clause.
        let open = if hazard.clause.is_empty() { hazard.what.clone() } else { format!("whether {}", hazard.clause) };
        lines.push(format!("line {:>3}: {}: {open} is open", at(header, hazard.line, hazard.column), hazard.text));
    }
    if let (true, Some(condition)) = (safety.total > 0, not_null(safety)) {
        lines.push(format!("assuming: {condition}, which the function does not ask"));
    }
    for ReportUnjudged { line, column, what } in &safety.unjudged {
        let head = if lines.is_empty() { "undefined behaviour: " } else { "" };
        lines.push(format!("{head}not judged: line {}: {what}", at(header, *line, *column)));
    }
    lines
}

/// Of how many places what is known.
pub fn safety_counts(ReportSafety { total, fails, safe, open, why_open, .. }: &ReportSafety) -> String {
    let noun = |count: u32| if count == 1 { "place" } else { "places" };
    let mut parts = Vec::new();
    if *fails > 0 {
        parts.push(format!("{fails} fail{}", if *fails == 1 { "s" } else { "" }));
    }
    if *safe > 0 {
        parts.push(format!("{safe} proved safe"));
    }
    if *open > 0 {
        let why = why_open.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        parts.push(format!("{open} open{why}"));
    }
    format!("of {total} {}, {}", noun(*total), parts.join(", "))
}

/// The assumptions that each verdict, finding and test rests on.
pub fn named(document: &ReportDocument) -> impl Iterator<Item = &Vec<String>> {
    let list = document.list.iter().map(|branch| &branch.assumes);
    #[cfg(feature = "cli")]
    let list = list.chain(document.criterion.iter().flat_map(|criterion| criterion.list.iter().map(|goal| &goal.assumes)));
    let list = list.chain(document.safety.iter().flat_map(|safety| safety.list.iter().map(|hazard| &hazard.assumes)));
    list.chain(document.findings.iter().map(|finding| &finding.assumes)).chain(document.tests.iter().map(|test| &test.assumes))
}

/// Place, text, verdict, and test or reason of a branch.
pub fn row(header: &Header, branch: &ReportBranch) -> [String; 4] {
    let verdict = match branch.verdict {
        ReportVerdict::Covered => "covered",
        ReportVerdict::Infeasible => "infeasible",
        ReportVerdict::Open => "open",
    };
    let text = bracketed(&branch.text, branch.expansion.as_ref());
    [at(header, branch.line, branch.column), text, verdict.to_owned(), plain(&why(header, branch))]
}

/// A test: its input, and the calls before it.
#[cfg(feature = "cli")]
pub fn test_text(test: &ReportTest) -> String {
    run_text(&test.input, &test.after)
}

/// Text as code, whatever it contains.
pub fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Text in which nothing but code in backquotes has a meaning of its own.
pub fn escaped(text: &str) -> String {
    let special = |letter: char| matches!(letter, '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#');
    text.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}
