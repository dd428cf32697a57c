//! The JSON of `gcov --json-format`.

use super::{BranchRecord, DecisionRecord, FileCoverage, MOST_CONDITIONS, MeasuredCoverage, RecordOrder};
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
    #[serde(default)]
    conditions: Vec<GcovConditions>,
}

/// The conditions of a decision, of gcc 14.
#[derive(Deserialize)]
struct GcovConditions {
    /// Two for each condition.
    count: u32,
    /// The conditions that decide the outcome in no test in which they hold, and in which they do not.
    not_covered_true: Vec<u32>,
    not_covered_false: Vec<u32>,
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
            for GcovConditions { count, not_covered_true, not_covered_false } in line.conditions {
                let missing: Vec<u32> = [not_covered_true, not_covered_false].concat();
                let independent = (0..count.min(MOST_CONDITIONS) / 2).map(|condition| !missing.contains(&condition)).collect();
                file.decisions.push(DecisionRecord { line: line.line_number, extent: None, independent });
            }
        }
        coverage.files.push(file);
    }
    Ok(coverage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn conditions_of_gcc_14_are_read() {
        let line = json!({"line_number": 3, "count": 2, "conditions": [
            {"count": 4, "covered": 3, "not_covered_true": [], "not_covered_false": [1]},
            {"count": 2, "covered": 2, "not_covered_true": [], "not_covered_false": []},
        ]});
        let coverage = read(json!({"files": [{"file": "a.c", "lines": [line]}]})).expect("gcov's document");
        let independent: Vec<&[bool]> = coverage.files[0].decisions.iter().map(|decision| &decision.independent[..]).collect();
        assert_eq!(independent, [&[true, false][..], &[true]]);
    }
}
