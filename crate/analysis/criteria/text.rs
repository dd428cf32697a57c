//! A criterion for people: for the terminal, as Markdown, and as rows of comma-separated values.

use super::document::{CriterionDocument, CriterionGoal, CriterionTest, CriterionVector};
use super::{Criterion, PairKind};
use crate::analysis::cover::CoverExclusion;
use crate::analysis::cover::report::exclusion_text::excluded;
use crate::analysis::text::{Left, Right, assuming, at, calls_text, input_text, table};
use crate::view::Header;
use std::fmt::Write;

impl Criterion {
    /// Its name, as in `--criterion`.
    pub fn id(self) -> &'static str {
        match self {
            Criterion::Statement => "statement",
            Criterion::Branch => "branch",
            Criterion::Condition => "condition",
            Criterion::Mcdc => "mcdc",
            Criterion::Path => "path",
        }
    }

    /// One goal, several goals, and the verbs of a goal that is covered and of one that is infeasible.
    fn words(self) -> [&'static str; 4] {
        match self {
            Criterion::Statement => ["statement", "statements", "can run", "never"],
            Criterion::Branch => ["outcome of a decision", "outcomes of decisions", "can occur", "never"],
            Criterion::Condition => ["outcome of a condition", "outcomes of conditions", "can occur", "never"],
            Criterion::Mcdc => ["condition", "conditions", "have an independence pair", "can have none"],
            Criterion::Path => ["prime path", "prime paths", "can run", "never"],
        }
    }
}

impl Criterion {
    /// What so many goals are called.
    pub fn noun(self, count: u32) -> &'static str {
        let [one, several, ..] = self.words();
        if count == 1 { one } else { several }
    }
}

impl PairKind {
    /// Its name, as in `--mcdc`.
    pub fn id(self) -> &'static str {
        match self {
            PairKind::Masking => "masking",
            PairKind::UniqueCause => "unique-cause",
        }
    }
}

/// The answer in words.
pub(super) fn sentence(document: &CriterionDocument, criterion: Criterion) -> String {
    let CriterionDocument { total, covered, infeasible, open, .. } = *document;
    let [one, several, can, never] = criterion.words();
    let can = if criterion == Criterion::Mcdc && total == 1 { "has an independence pair" } else { can };
    let mut said = match total {
        0 => format!("there is no {one}"),
        1 if covered == 1 => format!("the only {one} {can}"),
        2 if covered == 2 => format!("both {several} {can}"),
        _ if covered == total && document.left_out.is_none() => format!("all {total} {several} {can}"),
        _ if document.left_out.is_some() => format!("{covered} of the first {total} {several} {can}"),
        _ => format!("{covered} of {total} {} {can}", if total == 1 { one } else { several }),
    };
    if infeasible > 0 {
        let _ = write!(said, ", {infeasible} {never}");
    }
    if open > 0 {
        let _ = write!(said, ", {open} open");
    }
    if let Some(pairs) = &document.pairs {
        let _ = write!(said, " ({pairs} MC/DC)");
    }
    let mut letters = said.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>() + ".").unwrap_or_default()
}

/// What a list of goals is called.
fn heading(document: &CriterionDocument) -> String {
    match (&*document.name, &document.pairs) {
        (_, Some(pairs)) => format!("independence pairs of conditions ({pairs} MC/DC)"),
        ("statement", _) => "statements".to_owned(),
        ("branch", _) => "outcomes of decisions".to_owned(),
        ("condition", _) => "outcomes of conditions".to_owned(),
        _ => "prime paths".to_owned(),
    }
}

/// The name of a goal's column.
fn column(document: &CriterionDocument) -> &'static str {
    match &*document.name {
        "statement" => "statement",
        "branch" => "outcome",
        "path" => "path",
        _ => "condition",
    }
}

/// For the terminal: the goals, the evaluations of decisions, and the tests that are not those of a report.
pub fn text(header: &Header, document: &CriterionDocument) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut list = |heading: &str, lines: &str| {
        let _ = writeln!(out, "\n{heading}:");
        lines.lines().for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
    };
    if !document.list.is_empty() {
        let rows: Vec<[String; 4]> = document.list.iter().map(|goal| goal_row(header, document, goal)).collect();
        list(&heading(document), &table([("  line", Right), (column(document), Left), ("verdict", Left), ("", Left)], &rows));
    }
    if !document.vectors.is_empty() {
        let rows: Vec<[String; 6]> = document.vectors.iter().map(|vector| vector_row(header, vector)).collect();
        let columns = [("  line", Right), ("decision", Left), ("values", Left), ("outcome", Left), ("verdict", Left), ("", Left)];
        list("evaluations of decisions", &table(columns, &rows));
    }
    if let Some(left_out) = &document.left_out {
        let _ = writeln!(out, "\nnot all are listed: {left_out}");
    }
    if !document.tests.is_empty() {
        out.push_str("\ntests of the criterion:\n");
    }
    for (number, test) in (1..).zip(&document.tests) {
        let _ = writeln!(out, "  test {number}: {}", run_text(test));
        out += &assuming("    ", &test.assumes);
    }
    out
}

/// As Markdown, with these functions for code and for other text.
pub fn markdown(header: &Header, document: &CriterionDocument, code: fn(&str) -> String, escaped: fn(&str) -> String) -> String {
    let mut out = String::new();
    let title = |text: &str| format!("{}{}", text[..1].to_uppercase(), &text[1..]);
    let cell = |text: &str| code(text).replace('|', "\\|");
    if !document.list.is_empty() {
        let _ = writeln!(out, "\n## {}\n\n| line | {} | verdict | |\n|---:|---|---|---|", title(&heading(document)), column(document));
    }
    for goal in &document.list {
        let [position, text, verdict, why] = goal_row(header, document, goal);
        let _ = writeln!(out, "| {position} | {} | {verdict} | {} |", cell(&text), escaped(&why));
    }
    if !document.vectors.is_empty() {
        out.push_str("\n## Evaluations of decisions\n\n| line | decision | values | outcome | verdict | |\n|---:|---|---|---|---|---|\n");
    }
    for vector in &document.vectors {
        let [position, text, values, outcome, verdict, why] = vector_row(header, vector);
        let _ = writeln!(out, "| {position} | {} | {} | {outcome} | {verdict} | {} |", cell(&text), code(&values), escaped(&why));
    }
    if let Some(left_out) = &document.left_out {
        let _ = writeln!(out, "\nNot all are listed: {}.", escaped(left_out));
    }
    out
}

/// The names of the columns of rows.
const COLUMNS: [&str; 11] =
    ["program", "function", "criterion", "line", "column", "goal", "verdict", "tests", "inputs", "reason", "assumes"];

/// As a table with a heading, for spreadsheets and scripts (RFC 4180): a row for each goal; `run` gives a test's input.
pub fn csv(header: &Header, document: &CriterionDocument, run: &dyn Fn(u32) -> String) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let row = |goal: &CriterionGoal| {
        let [_, text, verdict, why] = goal_row(header, document, goal);
        let numbers: Vec<String> = goal.tests.iter().map(|test| (test + 1).to_string()).collect();
        let inputs: Vec<String> = goal.tests.iter().map(|&test| run(test)).collect();
        [
            header.program.clone(),
            header.function.clone(),
            [Some(document.name.as_str()), document.pairs.as_deref()].into_iter().flatten().collect::<Vec<&str>>().join(" "),
            goal.line.to_string(),
            goal.column.to_string(),
            text,
            verdict,
            numbers.join(" "),
            inputs.join("; "),
            if goal.tests.is_empty() { why } else { String::new() },
            goal.assumes.join(" "),
        ]
    };
    for cells in [COLUMNS.map(str::to_owned)].into_iter().chain(document.list.iter().map(row)) {
        writer.write_record(&cells).expect("a record is written to memory");
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("cells are texts")
}

/// The input of a test, and the calls before it.
pub fn run_text(test: &CriterionTest) -> String {
    let input = input_text(&test.input);
    if test.after.is_empty() { input } else { format!("{input}, after {}", calls_text(&test.after)) }
}

fn excluded_by(header: &Header, because: Option<&CoverExclusion>) -> Option<String> {
    because.and_then(|because| excluded(header, because, true)).map(|because| format!("excluded by {because}"))
}

/// Why a goal is infeasible.
pub fn reason(header: &Header, goal: &CriterionGoal) -> String {
    let mut reasons: Vec<String> = goal.why.iter().cloned().collect();
    reasons.extend(excluded_by(header, goal.because.as_ref()));
    if reasons.is_empty() { CERTIFICATE.to_owned() } else { reasons.join(": ") }
}

/// Why a goal or an evaluation has no test, in words; empty where it has one.
pub(super) fn reasons(header: &Header, document: &CriterionDocument) -> [Vec<String>; 2] {
    let of_goal = |goal: &CriterionGoal| match goal.verdict {
        "covered" => String::new(),
        "open" => goal.why.clone().unwrap_or_default(),
        _ => reason(header, goal),
    };
    let of_vector = |vector: &CriterionVector| if vector.test.is_some() { String::new() } else { vector_row(header, vector)[5].clone() };
    [document.list.iter().map(of_goal).collect(), document.vectors.iter().map(of_vector).collect()]
}

/// Position, text, verdict, and tests or reason of a goal.
fn goal_row(header: &Header, document: &CriterionDocument, goal: &CriterionGoal) -> [String; 4] {
    let numbers: Vec<String> = goal.tests.iter().map(|test| (test + 1).to_string()).collect();
    let why = match &numbers[..] {
        [] if goal.verdict == "open" => goal.why.clone().unwrap_or_default(),
        [] => reason(header, goal),
        [one, other] if one != other => {
            let values: Vec<&str> = goal.vectors.iter().map(|&vector| document.vectors[vector as usize].values.as_str()).collect();
            let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
            format!("tests {one} and {other}{values}")
        }
        [one, ..] => format!("test {one}"),
    };
    [at(header, goal.line, goal.column), goal.text.clone(), goal.verdict.to_owned(), why]
}

const CERTIFICATE: &str = "a certificate over all executions";

/// Position, decision, values, outcome, verdict, and test or reason of an evaluation.
fn vector_row(header: &Header, vector: &CriterionVector) -> [String; 6] {
    let why = match vector.test {
        Some(test) => format!("test {}", test + 1),
        None if vector.verdict == "open" => vector.why.clone().unwrap_or_default(),
        None => excluded_by(header, vector.because.as_ref()).unwrap_or_else(|| CERTIFICATE.to_owned()),
    };
    [
        at(header, vector.line, vector.column),
        vector.decision.clone(),
        vector.values.clone(),
        vector.outcome.to_string(),
        vector.verdict.to_owned(),
        why,
    ]
}
