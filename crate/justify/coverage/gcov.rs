//! The JSON of `gcov --json-format`.

use super::{BranchRecord, FileCoverage, MeasuredCoverage, RecordOrder};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct GcovDocument {
    files: Vec<GcovFile>,
}

#[derive(Deserialize)]
struct GcovFile {
    file: String,
    #[serde(default)]
    functions: Vec<GcovFunction>,
    lines: Vec<GcovLine>,
}

#[derive(Deserialize)]
struct GcovFunction {
    name: String,
    start_line: u32,
}

#[derive(Deserialize)]
struct GcovLine {
    line_number: u32,
    count: u64,
    #[serde(default)]
    branches: Vec<GcovBranch>,
}

#[derive(Deserialize)]
struct GcovBranch {
    count: u64,
    /// Whether an exception takes it: none of C's does.
    #[serde(default)]
    throw: bool,
}

/// Coverage from gcov's document.
///
/// # Errors
/// Which key is missing or of another type.
pub fn read(value: Value) -> Result<MeasuredCoverage, String> {
    let document: GcovDocument = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let mut coverage = MeasuredCoverage::default();
    for read in document.files {
        let mut file = FileCoverage::new(&read.file, RecordOrder::Blocks);
        file.functions = read.functions.into_iter().map(|function| (function.name, function.start_line)).collect();
        for line in read.lines {
            *file.lines.entry(line.line_number).or_default() += line.count;
            let total: u64 = line.branches.iter().map(|branch| branch.count).sum();
            for branch in line.branches.iter().filter(|branch| !branch.throw) {
                let count = (total > 0).then_some(branch.count);
                file.records.push(BranchRecord { line: line.line_number, column: None, block: 0, count, unreachable: false });
            }
        }
        coverage.files.push(file);
    }
    Ok(coverage)
}
