//! The report as rows of comma-separated values: one for each branch.

use super::text::row;
use super::{ReportBranch, ReportDocument};
use crate::analysis::text::{calls_text, input_text};

/// The names of the columns.
const COLUMNS: [&str; 14] = [
    "program", "function", "line", "column", "branch", "side", "verdict", "engine", "test", "input", "after", "reason", "claims", "assumes",
];

/// As a table with a heading, for spreadsheets and scripts (RFC 4180).
pub fn csv(document: &ReportDocument) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = document.list.iter().map(|branch| cells(document, branch));
    for cells in [COLUMNS.map(str::to_owned)].into_iter().chain(rows) {
        writer.write_record(&cells).expect("a record is written to memory");
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("cells are texts")
}

fn cells(document: &ReportDocument, branch: &ReportBranch) -> [String; 14] {
    let header = &document.header;
    let [_, text, verdict, why] = row(header, branch);
    let test = branch.test.map(|number| &document.tests[number as usize]);
    [
        header.program.clone(),
        header.function.clone(),
        branch.line.to_string(),
        branch.column.to_string(),
        text,
        branch.side.clone(),
        verdict,
        branch.engine.clone(),
        branch.test.map(|test| (test + 1).to_string()).unwrap_or_default(),
        test.map(|test| input_text(&test.input)).unwrap_or_default(),
        test.map(|test| calls_text(&test.after)).unwrap_or_default(),
        if test.is_none() { why } else { String::new() },
        branch.claims.join(" "),
        branch.assumes.join(" "),
    ]
}
