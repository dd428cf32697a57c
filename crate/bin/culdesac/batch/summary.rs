//! The table of all items of a batch.

use super::callers::CalledFunction;
use culdesac::analysis::text::{Left, Right, table};
use serde_json::Value;

/// The row of an item.
pub struct SummaryRow {
    pub file: String,
    function: String,
    /// How many there are, in all and by verdict, and how many places can fail; empty without a document.
    counts: [String; 5],
    /// What is said of error calls, or of the property.
    verdict: String,
    seconds: String,
    pub failed: Option<String>,
    pub is_complete: bool,
}

impl SummaryRow {
    /// From the line of an item.
    pub fn of(line: &Value) -> SummaryRow {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let failed = line["failed"].as_str().map(str::to_owned);
        let count = |name: &str| line["branches"][name].as_u64().map(|count| count.to_string()).unwrap_or_default();
        let errors = line["findings"].as_array().map(|findings| findings.iter().filter(|one| one["kind"] == "error").count());
        SummaryRow {
            file: text(&line["belongs_to"]["file"]),
            function: text(&line["function"]),
            counts: [
                count("total"),
                count("covered"),
                count("infeasible"),
                count("open"),
                errors.map(|n| n.to_string()).unwrap_or_default(),
            ],
            verdict: if failed.is_some() { "not answered".to_owned() } else { verdict(line) },
            seconds: line["statistics"]["wall_ms"].as_f64().map(|time| format!("{:.2}", time / 1e3)).unwrap_or_default(),
            failed,
            is_complete: line["complete"] == true,
        }
    }

    fn cells(&self) -> [String; 9] {
        let [total, covered, infeasible, open, errors] = self.counts.clone();
        [self.file.clone(), self.function.clone(), total, covered, infeasible, open, errors, self.verdict.clone(), self.seconds.clone()]
    }
}

/// The verdict on error calls, or on the property where one is asked about, beside the one that a task expects.
fn verdict(line: &Value) -> String {
    let verdict = line["property"]["verdict"].as_str();
    let told = verdict.or_else(|| line["error_call"].as_str()).unwrap_or("");
    match line["task"]["correct"].as_bool() {
        Some(true) => format!("{told}, as expected"),
        Some(false) => format!("{told}, not as expected"),
        None => told.to_owned(),
    }
}

const HEADINGS: [&str; 9] = ["file", "function", "branches", "covered", "infeasible", "open", "errors", "error call", "seconds"];

/// As a text, after the reports.
pub fn text_summary(rows: &[SummaryRow], is_after_reports: bool) -> String {
    let sides = [Left, Left, Right, Right, Right, Right, Right, Left, Right];
    let cells: Vec<[String; 9]> = rows.iter().map(SummaryRow::cells).collect();
    let columns = std::array::from_fn(|at| (HEADINGS[at], sides[at]));
    let gap = if is_after_reports { "\n" } else { "" };
    let lines: String = table(columns, &cells).lines().map(|line| format!("{}\n", line.trim_end())).collect();
    gap.to_owned() + &lines + &told(rows)
}

/// As Markdown.
pub fn markdown_summary(rows: &[SummaryRow]) -> String {
    let mut out = line(&HEADINGS.map(str::to_owned)) + "|---|---|---:|---:|---:|---:|---:|---|---:|\n";
    for row in rows {
        out += &line(&in_code(row.cells()));
    }
    out + "\n" + &told(rows)
}

const CALLED_HEADINGS: [&str; 6] = ["file", "static function", "branches", "covered", "infeasible", "open"];
/// What the tables of static functions are about.
const THROUGH_CALLERS: &str = "through the callers of their file";

/// The static functions through their callers, as a text; nothing where there are none.
pub fn text_of_called(called: &[CalledFunction]) -> String {
    if called.is_empty() {
        return String::new();
    }
    let sides = [Left, Left, Right, Right, Right, Right];
    let cells: Vec<[String; 6]> = called.iter().map(CalledFunction::cells).collect();
    let lines = table(std::array::from_fn(|at| (CALLED_HEADINGS[at], sides[at])), &cells);
    let lines: String = lines.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    format!("\n{THROUGH_CALLERS}:\n{lines}")
}

/// The same as Markdown.
pub fn markdown_of_called(called: &[CalledFunction]) -> String {
    if called.is_empty() {
        return String::new();
    }
    let mut out =
        format!("\nStatic functions {THROUGH_CALLERS}:\n\n{}|---|---|---:|---:|---:|---:|\n", line(&CALLED_HEADINGS.map(str::to_owned)));
    for function in called {
        out += &line(&in_code(function.cells()));
    }
    out
}

/// A line of a Markdown table.
fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Cells with the first two, file and function, as code.
fn in_code<const N: usize>(mut cells: [String; N]) -> [String; N] {
    for cell in cells.iter_mut().take(2).filter(|cell| !cell.is_empty()) {
        *cell = format!("`{}`", cell.replace('|', "\\|"));
    }
    cells
}

/// In a sentence: how many items, with how many branches.
fn told(rows: &[SummaryRow]) -> String {
    let sum = |at: usize| rows.iter().filter_map(|row| row.counts[at].parse::<u64>().ok()).sum::<u64>();
    let failed = rows.iter().filter(|row| row.failed.is_some()).count();
    let without = if failed == 0 { String::new() } else { format!(", {failed} without an answer") };
    let (items, is_one) = (rows.len(), rows.len() == 1);
    let items = format!("{items} {}", if is_one { "item" } else { "items" });
    format!("{items}{without}; {} branches: {} covered, {} infeasible, {} open\n", sum(0), sum(1), sum(2), sum(3))
}
