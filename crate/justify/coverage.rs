//! Measured coverage of other tests: what compilers' tools write, as plain data.
//!
//! | format | writer | a record of a branch | a record of MC/DC |
//! |---|---|---|---|
//! | LCOV tracefile | `geninfo`, `llvm-cov export -format=lcov`, `culdesac branches --tests-out` | line, block, number, count | `MCDC` of LCOV 2.2: line, number of conditions, value, index |
//! | JSON of `gcov` (`--json-format`) | gcc | line, count, in gcc's order | `conditions` of gcc 14: values that are not independent |
//! | JSON of `llvm-cov export` | clang | the place of a condition, how often it held, how often not | `mcdc_records` of clang 18: the place of a decision, conditions that are independent |

pub mod gcov;
pub mod lcov;
pub mod llvm;

use crate::logic::SortedMap;

/// In which order the records of a line stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOrder {
    /// gcc: for each condition two records, in the order of the blocks to which they lead; for each target of a `switch` one.
    Blocks,
    /// clang: for each condition and label two records, first the one that holds.
    Regions,
    /// culdesac: for each side of ours one.
    Sides,
}

/// No decision has more conditions; compilers count fewer.
pub const MOST_CONDITIONS: u32 = 1 << 16;

/// Coverage of some files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredCoverage {
    pub files: Vec<FileCoverage>,
}

/// Coverage of a file of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCoverage {
    /// The file, as the coverage names it.
    pub name: String,
    pub order: RecordOrder,
    /// Functions, and the lines on which they start.
    pub functions: Vec<(String, u32)>,
    /// How often each line was executed.
    pub lines: SortedMap<u32, u64>,
    /// Of clang, where regions of the text start or go on: the line, and how often what follows was executed, if it is counted.
    pub regions: Vec<(u32, Option<u64>)>,
    /// In the order of the coverage.
    pub records: Vec<BranchRecord>,
    /// Records of MC/DC, in the order of the coverage.
    pub decisions: Vec<DecisionRecord>,
}

/// Conditions of a decision with an independence pair among the tests: MC/DC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRecord {
    pub line: u32,
    /// Line and column, counted from 1, at which the decision starts, and after which it ends, where the coverage has them.
    pub extent: Option<[(u32, u32); 2]>,
    /// In the order of the text.
    pub independent: Vec<bool>,
}

impl FileCoverage {
    /// How often the first counted line from one line to another was executed.
    pub fn count(&self, first: u32, last: u32) -> Option<u64> {
        let counted = self.lines.iter().find(|(line, _)| (first..=last).contains(*line)).map(|(_, count)| *count);
        let around = || self.regions.iter().rfind(|(line, _)| *line < first).and_then(|(_, count)| *count);
        if self.lines.contains_key(&first) || self.regions.is_empty() { counted } else { around().or(counted) }
    }

    pub fn new(name: &str, order: RecordOrder) -> FileCoverage {
        FileCoverage {
            name: name.to_owned(),
            order,
            functions: Vec::new(),
            lines: SortedMap::new(),
            regions: Vec::new(),
            records: Vec::new(),
            decisions: Vec::new(),
        }
    }
}

/// A branch that the coverage counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchRecord {
    pub line: u32,
    /// Of a condition with a place: its column, counted from 1, and whether it holds.
    pub column: Option<(u32, bool)>,
    /// The block that it belongs to; 0 where the coverage has no blocks.
    pub block: u32,
    /// How often tests took it; `None` where its condition was never evaluated.
    pub count: Option<u64>,
    /// Whether the coverage says that it cannot be reached.
    pub unreachable: bool,
}

impl BranchRecord {
    pub fn is_taken(&self) -> bool {
        self.count.is_some_and(|count| count > 0)
    }
}

/// Whether a text looks like coverage in one of the formats, rather than like a program.
pub fn is_coverage(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    first.starts_with('{') || first.starts_with("TN:") || first.starts_with("SF:")
}

/// Reads coverage in any of the formats.
///
/// # Errors
/// What is wrong with the text, with its line where it has lines.
pub fn read(text: &str) -> Result<MeasuredCoverage, String> {
    if !text.trim_start().starts_with('{') {
        return lcov::read(text);
    }
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let of = |key: &str| value.get(key).is_some();
    let read = match () {
        () if of("data") => llvm::read(value),
        () if of("files") => gcov::read(value),
        () => return Err("neither gcov's JSON (`files`) nor llvm-cov's (`data`), nor LCOV".to_owned()),
    };
    read.map_err(|error| format!("not as gcov or llvm-cov write it: {error}"))
}

impl MeasuredCoverage {
    /// Adds the counts of another measurement; records of one file must be the same.
    ///
    /// # Errors
    /// The name of a file for which both measurements have different branches.
    pub fn add(&mut self, other: MeasuredCoverage) -> Result<(), String> {
        for file in other.files {
            let Some(own) = self.files.iter_mut().find(|own| own.name == file.name) else {
                self.files.push(file);
                continue;
            };
            let is_same = own.records.len() == file.records.len()
                && own.records.iter().zip(&file.records).all(|(a, b)| (a.line, a.column, a.block) == (b.line, b.column, b.block))
                && own.decisions.len() == file.decisions.len()
                && own
                    .decisions
                    .iter()
                    .zip(&file.decisions)
                    .all(|(a, b)| (a.line, a.extent, a.independent.len()) == (b.line, b.extent, b.independent.len()));
            if !is_same {
                return Err(format!("two measurements of {} have other branches: they are of different texts or compilers", file.name));
            }
            for (line, count) in file.lines {
                *own.lines.entry(line).or_default() += count;
            }
            for (record, more) in own.records.iter_mut().zip(file.records) {
                record.count = match (record.count, more.count) {
                    (None, count) | (count, None) => count,
                    (Some(a), Some(b)) => Some(a.saturating_add(b)),
                };
                record.unreachable &= more.unreachable;
            }
            let regions = own.regions.iter_mut().zip(&file.regions).filter(|(own, more)| own.0 == more.0);
            regions.for_each(|(own, more)| own.1 = own.1.zip(more.1).map(|(a, b)| a.saturating_add(b)));
            for (decision, more) in own.decisions.iter_mut().zip(file.decisions) {
                decision.independent.iter_mut().zip(more.independent).for_each(|(independent, more)| *independent |= more);
            }
        }
        Ok(())
    }

    /// The coverage of a file: of several with its name the one with the longest common path.
    pub fn file(&self, program: &str) -> Option<&FileCoverage> {
        let common = |name: &str| {
            let parts = |path: &'_ str| path.rsplit(['/', '\\']).map(str::to_owned).collect::<Vec<_>>();
            parts(name).iter().zip(&parts(program)).take_while(|(a, b)| a == b).count()
        };
        self.files.iter().filter(|file| common(&file.name) > 0).max_by_key(|file| common(&file.name))
    }
}
