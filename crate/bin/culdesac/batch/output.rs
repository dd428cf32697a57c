//! One output from the answers for several items.

use super::callers::CalledFunction;
use super::summary::{SummaryRow, markdown_of_called, markdown_summary, text_of_called, text_summary};
use crate::{CommandRefusal, ExitStatus, print};
use culdesac::analysis::options::BatchForm;
use culdesac::view::SCHEMA;
use serde_json::{Value, json};

/// The answers so far.
pub struct BatchOutput {
    form: BatchForm,
    /// How many items there will be.
    items: usize,
    /// Whether the lines go to a file: standard output then has the table of a text only.
    has_file: bool,
    rows: Vec<SummaryRow>,
    /// What is printed at the end.
    parts: Vec<String>,
    runs: Vec<Value>,
    has_heading: bool,
}

impl BatchOutput {
    pub fn new(form: BatchForm, items: usize, has_file: bool) -> BatchOutput {
        BatchOutput { form, items, has_file, rows: Vec::new(), parts: Vec::new(), runs: Vec::new(), has_heading: false }
    }

    /// How many items have been added.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds the answer for the next item, and prints what can be printed before the others are there.
    ///
    /// # Errors
    /// Why it cannot be printed.
    pub fn add(&mut self, line: Value, rendered: Option<String>) -> Result<(), CommandRefusal> {
        let row = SummaryRow::of(&line);
        let rendered = rendered.unwrap_or_default();
        let text = match self.form {
            BatchForm::Lines => format!("{line}\n"),
            BatchForm::Text if self.has_file => String::new(),
            BatchForm::Text => self.text(&row, &rendered),
            BatchForm::Rows => self.without_heading(&rendered),
            BatchForm::Parts | BatchForm::Single => rendered,
            BatchForm::Markdown => {
                self.parts.push(row.failed.as_ref().map_or(rendered, |reason| format!("# `{}`\n\nNot answered: {reason}\n", row.file)));
                String::new()
            }
            BatchForm::Log => {
                self.runs.extend(runs(&row, &rendered));
                String::new()
            }
        };
        self.rows.push(row);
        print(&text)
    }

    /// An answer as a text, below a heading where there are several.
    fn text(&self, row: &SummaryRow, rendered: &str) -> String {
        if self.items == 1 {
            return rendered.to_owned();
        }
        let gap = if self.rows.is_empty() { "" } else { "\n" };
        let text = row.failed.as_ref().map_or_else(|| rendered.to_owned(), |reason| format!("not answered: {reason}\n"));
        format!("{gap}{}:\n{text}", row.file)
    }

    /// Rows without their heading, but for the first ones.
    fn without_heading(&mut self, rendered: &str) -> String {
        let rows = if self.has_heading { rendered.split_once('\n').map_or("", |(_, rows)| rows) } else { rendered };
        self.has_heading |= !rendered.is_empty();
        rows.to_owned()
    }

    /// Prints what comes after the last item; the exit status is the worst of all.
    ///
    /// # Errors
    /// That an item has no document, or why the end cannot be printed.
    pub fn finish(self, called: &[CalledFunction]) -> Result<ExitStatus, CommandRefusal> {
        let text = match self.form {
            BatchForm::Lines if !called.is_empty() => last_line(called),
            BatchForm::Text if self.items != 1 || self.has_file => text_summary(&self.rows, !self.has_file) + &text_of_called(called),
            BatchForm::Markdown if self.items == 1 => self.parts.concat(),
            BatchForm::Markdown => markdown_summary(&self.rows) + &markdown_of_called(called) + "\n" + &self.parts.join("\n"),
            BatchForm::Log => log(self.runs)?,
            _ => String::new(),
        };
        print(&text)?;
        match () {
            () if self.rows.iter().any(|row| row.failed.is_some()) => Err(CommandRefusal(None)),
            () if self.rows.len() == self.items && self.rows.iter().all(|row| row.is_complete) => Ok(ExitStatus::Complete),
            () => Ok(ExitStatus::Open),
        }
    }
}

/// The line after those of all items.
fn last_line(called: &[CalledFunction]) -> String {
    let called: Vec<Value> = called.iter().map(CalledFunction::line).collect();
    format!("{}\n", json!({ "schema": SCHEMA, "through_callers": called }))
}

/// The runs of a SARIF log; of an item without an answer one that says so.
fn runs(row: &SummaryRow, rendered: &str) -> Vec<Value> {
    if let Ok(Value::Object(mut log)) = serde_json::from_str(rendered)
        && let Some(Value::Array(runs)) = log.remove("runs")
    {
        return runs;
    }
    let reason = row.failed.clone().unwrap_or_default();
    vec![json!({
        "tool": { "driver": { "name": "culdesac", "version": env!("CARGO_PKG_VERSION") } },
        "invocations": [{
            "executionSuccessful": false,
            "toolExecutionNotifications": [{ "level": "error", "message": { "text": format!("{}: {reason}", row.file) } }],
        }],
        "results": [],
    })]
}

/// A log of these runs.
fn log(runs: Vec<Value>) -> Result<String, String> {
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    serde_json::to_string_pretty(&log).map(|text| text + "\n").map_err(|error| format!("cannot write the log: {error}"))
}
