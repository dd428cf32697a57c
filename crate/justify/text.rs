//! The answer of `justify` for people: for the terminal, and as Markdown.

use super::document::{JustifiedBranch, JustifiedGoal, JustifyCriterion, JustifyDocument, JustifyReason, JustifyTest, JustifyVerdict};
use crate::analysis::cover::report::exclusion_text::excluded;
use crate::analysis::report::{code, escaped};
use crate::analysis::text::{Without, assuming, assumptions, at, bracketed, calls_text, input_text};
use crate::logic::SortedSet;
use crate::view::Header;
use std::fmt::Write as _;

/// The verdicts under their headings.
const HEADINGS: [(JustifyVerdict, &str); 3] =
    [(JustifyVerdict::Open, "open"), (JustifyVerdict::Justified, "can never run"), (JustifyVerdict::Tested, "new tests")];

/// For the terminal.
pub fn text(document: &JustifyDocument) -> String {
    let JustifyDocument { header, sentence, branches, tests, stale, moved, notes, .. } = document;
    let mut out = format!("{sentence}\n");
    out.extend(document.criterion.iter().map(|criterion| format!("{}\n", criterion.sentence)));
    // Writing to a string cannot fail.
    if !stale.is_empty() {
        out += "\nno longer justified:\n";
    }
    for one in stale {
        let _ = writeln!(out, "  line {:>3}: {}\n            {}", at(header, one.line, one.column), one.text, one.reason);
    }
    for (verdict, heading) in HEADINGS {
        let of_kind: Vec<&JustifiedBranch> = branches.iter().filter(|branch| branch.verdict == verdict).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(out, "\n{heading}:");
        }
        for branch in of_kind {
            let position = at(header, branch.line, branch.column);
            let _ = writeln!(out, "  line {position:>3}: {}", bracketed(&branch.text, branch.expansion.as_ref()));
            for told in told(header, branch) {
                let _ = writeln!(out, "            {told}");
            }
            out += &assuming("            ", &branch.assumes);
        }
    }
    if let Some(criterion) = &document.criterion {
        out += &goals_text(header, criterion);
    }
    if !tests.is_empty() {
        out += "\ntests:\n";
    }
    for (number, test) in (1..).zip(tests) {
        let _ = writeln!(out, "  test {number}: {}", call(test));
        out += &assuming("    ", &test.assumes);
    }
    if !moved.is_empty() {
        out += "\nmoved:\n";
    }
    for one in moved {
        let _ = writeln!(out, "  line {:>3}: {} (was line {})", at(header, one.line, one.column), one.text, one.from_line);
    }
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        let _ = writeln!(out, "note: {note}");
    }
    out + &assumptions(header, named(document), Without::Possible)
}

fn named(document: &JustifyDocument) -> impl Iterator<Item = &Vec<String>> {
    let goals = document.criterion.iter().flat_map(|criterion| &criterion.list).map(|goal| &goal.assumes);
    document.branches.iter().map(|branch| &branch.assumes).chain(goals).chain(document.tests.iter().map(|test| &test.assumes))
}

/// The goals of a criterion that the coverage has not, for the terminal.
fn goals_text(header: &Header, criterion: &JustifyCriterion) -> String {
    let mut out = String::new();
    if !criterion.list.is_empty() {
        let pairs = criterion.pairs.as_ref().map_or_else(String::new, |pairs| format!(" ({pairs})"));
        let _ = writeln!(out, "\nby criterion {}{pairs}:", criterion.name);
    }
    for goal in &criterion.list {
        let of = goal.decision.as_ref().map_or_else(String::new, |decision| format!(" in {decision}"));
        let _ = writeln!(out, "  line {:>3}: {}{of}\n            {}", at(header, goal.line, goal.column), goal.text, goal_told(goal));
        out += &assuming("            ", &goal.assumes);
    }
    for left_out in &criterion.left_out {
        let _ = writeln!(out, "not all are listed: {left_out}");
    }
    out
}

/// The verdict on a goal, with its tests or its reason.
pub fn goal_told(goal: &JustifiedGoal) -> String {
    let why = goal.why.as_deref().unwrap_or_default();
    match (goal.verdict, &goal.tests[..]) {
        (JustifyVerdict::Tested, [one, other]) if one != other => format!("new tests {} and {}", one + 1, other + 1),
        (JustifyVerdict::Tested, tests) => format!("new test {}", tests.first().map_or(0, |test| test + 1)),
        (JustifyVerdict::Justified, _) => format!("none is possible: {why}"),
        (JustifyVerdict::Open, _) => format!("open: {why}"),
    }
}

/// A test as a call.
pub fn call(test: &JustifyTest) -> String {
    let input = input_text(&test.input);
    let after = if test.after.is_empty() { String::new() } else { format!(", after {}", calls_text(&test.after)) };
    format!("{}: {input}{after}", test.function)
}

/// Test, reason and claims of a branch, in sentences.
pub fn told(header: &Header, branch: &JustifiedBranch) -> Vec<String> {
    match branch.verdict {
        JustifyVerdict::Tested => branch.test.map(|test| format!("test {}", test + 1)).into_iter().collect(),
        JustifyVerdict::Justified => vec![reason(header, branch), claims(branch)],
        JustifyVerdict::Open => branch.open.clone().into_iter().collect(),
    }
}

/// What excludes a branch; where several functions judge it, in each of them.
pub fn reason(header: &Header, branch: &JustifiedBranch) -> String {
    let judges: SortedSet<&str> = branch.evidence.iter().filter_map(|claim| claim.split(':').next()).collect();
    let told = |one: &JustifyReason| {
        let because = excluded(header, &one.exclusion, true)?;
        Some(if judges.len() > 1 { format!("in {} by {because}", one.function) } else { format!("by {because}") })
    };
    let told: Vec<String> = branch.because.iter().filter_map(told).collect();
    if told.is_empty() { "no execution takes it".to_owned() } else { format!("excluded {}", told.join("; ")) }
}

fn claims(branch: &JustifiedBranch) -> String {
    let word = if branch.evidence.len() == 1 { "claim" } else { "claims" };
    format!("{word} {}", branch.evidence.join(", "))
}

/// As Markdown: a list for each verdict, and a place for two signatures.
pub fn markdown(document: &JustifyDocument) -> String {
    let JustifyDocument { header, sentence, branches, tests, stale, notes, .. } = document;
    let mut out = format!("# Justified coverage of {}\n\n{sentence}\n", code(&header.program));
    // Writing to a string cannot fail.
    if !stale.is_empty() {
        out += "\n## No longer justified\n\n";
    }
    for one in stale {
        let _ = writeln!(out, "- Line {}: {}: {}", at(header, one.line, one.column), code(&one.text), escaped(&one.reason));
    }
    for (verdict, heading) in HEADINGS {
        let of_kind: Vec<&JustifiedBranch> = branches.iter().filter(|branch| branch.verdict == verdict).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(out, "\n## {}{}\n", heading[..1].to_uppercase(), &heading[1..]);
        }
        for branch in of_kind {
            let text = code(&bracketed(&branch.text, branch.expansion.as_ref()));
            let _ = writeln!(out, "- Line {}, {}: {text}", at(header, branch.line, branch.column), code(&branch.function));
            for told in told(header, branch) {
                let _ = writeln!(out, "  - {}", escaped(&told));
            }
            if !branch.assumes.is_empty() {
                let _ = writeln!(out, "  - assuming {}", branch.assumes.join(", "));
            }
        }
    }
    if let Some(criterion) = document.criterion.as_ref().filter(|criterion| !criterion.list.is_empty()) {
        let _ = writeln!(out, "\n## By criterion {}\n\n{}\n", criterion.name, criterion.sentence);
        for goal in &criterion.list {
            let _ = writeln!(out, "- Line {}, {}: {}", at(header, goal.line, goal.column), code(&goal.function), code(&goal.text));
            if let Some(decision) = &goal.decision {
                let _ = writeln!(out, "  - in {}", code(decision));
            }
            let _ = writeln!(out, "  - {}", escaped(&goal_told(goal)));
            if !goal.assumes.is_empty() {
                let _ = writeln!(out, "  - assuming {}", goal.assumes.join(", "));
            }
        }
        for left_out in &criterion.left_out {
            let _ = writeln!(out, "- Not all are listed: {}", escaped(left_out));
        }
    }
    if !tests.is_empty() {
        out += "\n## Tests\n\n";
    }
    for (number, test) in (1..).zip(tests) {
        let _ = writeln!(out, "{number}. {}", code(&call(test)));
    }
    let assumed = assumptions(header, named(document), Without::Possible);
    if !assumed.is_empty() {
        out += "\n## Assumptions\n\n";
    }
    for line in assumed.lines().filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "- {line}");
    }
    if !notes.is_empty() {
        out += "\n## Notes\n\n";
    }
    for note in notes {
        let _ = writeln!(out, "- {}", escaped(note));
    }
    out + "\n## Signatures\n\n| | name | role | date | signature |\n|---|---|---|---|---|\n| prepared by | | | | |\n| reviewed by | | | | |\n"
}
