//! The JSON of `llvm-cov export`.

use super::{BranchRecord, DecisionRecord, FileCoverage, MeasuredCoverage, RecordOrder};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct LlvmDocument {
    data: Vec<LlvmData>,
}

#[derive(Deserialize)]
struct LlvmData {
    files: Vec<LlvmFile>,
    #[serde(default)]
    functions: Vec<LlvmFunction>,
}

#[derive(Deserialize)]
struct LlvmFile {
    filename: String,
    /// Start line and column, end line and column, how often it held, how often not, two numbers of files, and a kind.
    #[serde(default)]
    branches: Vec<Vec<u64>>,
    /// Start line and column, end line and column, a number of a file, a kind, and for each condition whether it is independent.
    #[serde(default)]
    mcdc_records: Vec<Vec<Value>>,
    /// Line, column, count, whether it has a count, whether it starts a region, whether it is a gap.
    #[serde(default)]
    segments: Vec<(u32, u32, u64, bool, bool, bool)>,
}

#[derive(Deserialize)]
struct LlvmFunction {
    name: String,
    filenames: Vec<String>,
    /// As branches, with one count.
    regions: Vec<Vec<u64>>,
}

/// Coverage from llvm-cov's document; the counts of lines are those of the regions that start there.
///
/// # Errors
/// Which key is missing or of another type.
pub fn read(value: Value) -> Result<MeasuredCoverage, String> {
    let document: LlvmDocument = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let mut coverage = MeasuredCoverage::default();
    for LlvmData { files, functions } in document.data {
        for read in files {
            let mut file = FileCoverage::new(&read.filename, RecordOrder::Regions);
            for (block, branch) in (0..).zip(&read.branches) {
                let [line, column, _, _, held, not, ..] = branch[..] else {
                    return Err("`branches`: an entry has fewer than six numbers".to_owned());
                };
                let (Ok(line), Ok(column)) = (u32::try_from(line), u32::try_from(column)) else {
                    return Err("`branches`: a line or column is too large".to_owned());
                };
                let is_evaluated = held + not > 0;
                for (count, holds) in [(held, true), (not, false)] {
                    let count = is_evaluated.then_some(count);
                    file.records.push(BranchRecord { line, column: Some((column, holds)), block, count, unreachable: false });
                }
            }
            for record in &read.mcdc_records {
                file.decisions
                    .push(decision(record).ok_or("`mcdc_records`: an entry is not four numbers, others, and a list of conditions")?);
            }
            for (line, _, count, has_count, is_start, is_gap) in read.segments {
                file.regions.push((line, (has_count && !is_gap).then_some(count)));
                if has_count && is_start && !is_gap {
                    let most = file.lines.entry(line).or_default();
                    *most = (*most).max(count);
                }
            }
            let of_file = functions.iter().filter(|function| function.filenames.first() == Some(&read.filename));
            for function in of_file {
                let line = function.regions.first().and_then(|region| u32::try_from(*region.first()?).ok());
                // A static function has its file before its name.
                let name = function.name.rsplit(':').next().unwrap_or(&function.name);
                file.functions.extend(line.map(|line| (name.to_owned(), line)));
            }
            coverage.files.push(file);
        }
    }
    Ok(coverage)
}

/// A record of MC/DC. The list of conditions is the last part, or the last but one where the evaluations follow.
fn decision(record: &[Value]) -> Option<DecisionRecord> {
    let numbers = record.iter().map_while(|part| u32::try_from(part.as_u64()?).ok()).collect::<Vec<u32>>();
    let [line, column, last_line, last_column, ..] = numbers[..] else { return None };
    let independent =
        record.iter().filter_map(Value::as_array).find_map(|list| list.iter().map(Value::as_bool).collect::<Option<Vec<bool>>>())?;
    Some(DecisionRecord { line, extent: Some([(line, column), (last_line, last_column)]), independent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn records_of_decisions_are_read() {
        let record = |more: Value| {
            let mut parts = vec![json!(4), json!(9), json!(5), json!(12), json!(0), json!(5)];
            parts.extend(more.as_array().expect("a list").iter().cloned());
            parts
        };
        for more in [json!([[true, false]]), json!([0, 0, [true, false]]), json!([[true, false], [[[true, null], true]]])] {
            let DecisionRecord { line, extent, independent } = decision(&record(more)).expect("a record");
            assert_eq!((line, extent, independent), (4, Some([(4, 9), (5, 12)]), vec![true, false]));
        }
        for wrong in [vec![json!(4)], vec![json!(4), json!(-1), json!(5), json!(12), json!([true])], record(json!([3]))] {
            assert_eq!(decision(&wrong), None);
        }
    }
}
