//! Which branches of the program the records of a coverage file stand for.

use super::conditions::{WrittenCondition, WrittenDecision, WrittenSide, WrittenSwitch, decisions};
use super::coverage::{BranchRecord, FileCoverage, RecordOrder};
use crate::lang::ast::Program;
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::source::{LineIndex, Span};

/// What a record stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordMeaning {
    /// One of these sides was taken, or none.
    Sides(Vec<WrittenSide>),
    /// A side of an assertion: no branch of the program's.
    Assertion(Vec<WrittenSide>),
    /// A side of a condition without an operand that varies.
    Constant(Vec<WrittenSide>),
    /// The coverage counts other branches on this line than the program has.
    Unclear,
}

/// The text that coverage is of: a file of the program.
pub struct FileText<'p> {
    pub program: &'p Program,
    pub lines: &'p LineIndex,
    /// The name of the header or further file; `None` for the program's first file.
    pub header: Option<&'p str>,
    /// All sides of the file that an analysis has, in the order of the text.
    pub sides: &'p [WrittenSide],
}

/// The line of an offset in the program's first file, or in the header or further file of this name; `None` if it is not in it.
pub fn own_line(lines: &LineIndex, file: Option<&str>, offset: u32) -> Option<u32> {
    let line = lines.line(offset);
    let header = lines.headers().iter().find_map(|header| Some((header.name.as_str(), header.own_line(line)?)));
    match (header, file) {
        (None, None) => Some(line),
        (Some((name, own)), Some(header)) if name == header => Some(own),
        _ => None,
    }
}

/// The column of an offset in bytes, from 1, as clang counts.
pub fn byte_column(lines: &LineIndex, offset: u32) -> u32 {
    let before = &lines.text()[..offset as usize];
    offset - before.rfind('\n').map_or(0, |at| at as u32 + 1) + 1
}

impl FileText<'_> {
    /// The line in this file, if the offset is in it.
    pub fn own_line(&self, offset: u32) -> Option<u32> {
        own_line(self.lines, self.header, offset)
    }

    /// The decisions of the file's functions, in gcc's order.
    fn decisions(&self) -> Vec<WrittenDecision> {
        let own = self.program.own().filter(|function| self.own_line(function.span.start).is_some());
        own.flat_map(|function| decisions(function, self.lines.text())).collect()
    }
}

/// Two records of a condition, or one of a `switch`.
struct ExpectedRecords {
    /// Where the text has it: records of a line stand in this order, after that of `at`.
    line: u32,
    /// A line without which the first or (`false`) the second record cannot be taken.
    needs: Option<(u32, bool)>,
    /// Byte offset of the condition or label.
    start: u32,
    meanings: Vec<RecordMeaning>,
}

/// The meaning of each record of the file.
pub fn meanings(coverage: &FileCoverage, text: &FileText) -> Vec<RecordMeaning> {
    let decisions = text.decisions();
    let mut expected = match coverage.order {
        RecordOrder::Blocks => blocks(&decisions, text),
        RecordOrder::Regions => regions(&decisions, text),
        RecordOrder::Sides => own_sides(text),
    };
    expected.retain(|expected| !expected.meanings.is_empty());
    if coverage.records.iter().any(|record| record.column.is_some()) {
        return coverage.records.iter().map(|record| by_column(record, &expected, text)).collect();
    }
    let mut by_line: SortedMap<u32, Vec<ExpectedRecords>> = SortedMap::new();
    for one in expected {
        by_line.entry(one.line).or_default().push(one);
    }
    let mut meanings: Vec<RecordMeaning> = vec![RecordMeaning::Unclear; coverage.records.len()];
    for (line, expected) in by_line {
        let records: Vec<usize> = (0..coverage.records.len()).filter(|&at| coverage.records[at].line == line).collect();
        // A header that is included several times, and a function that is compiled several times, has its lines several times.
        if records.len() != expected.iter().map(|one| one.meanings.len()).sum::<usize>() {
            continue;
        }
        let mut records = records.into_iter();
        for one in expected {
            let own: Vec<usize> = records.by_ref().take(one.meanings.len()).collect();
            let is_reversed = is_reversed(coverage, &one, &own);
            let order = if is_reversed { own.into_iter().rev().collect() } else { own };
            for (at, meaning) in order.into_iter().zip(one.meanings) {
                meanings[at] = meaning;
            }
        }
    }
    meanings
}

/// Whether the two records of a condition stand in the other order: gcc moves blocks around jumps, and the lines that were never executed show it.
fn is_reversed(coverage: &FileCoverage, expected: &ExpectedRecords, own: &[usize]) -> bool {
    let (Some((line, is_first)), [first, second]) = (expected.needs, own) else { return false };
    let is_never_executed = coverage.lines.get(&line) == Some(&0);
    let [leading, other] = if is_first { [first, second] } else { [second, first] }.map(|&at| coverage.records[at].is_taken());
    is_never_executed && leading && !other
}

fn by_column(record: &BranchRecord, expected: &[ExpectedRecords], text: &FileText) -> RecordMeaning {
    let Some((column, holds)) = record.column else { return RecordMeaning::Unclear };
    let is_here = |expected: &&ExpectedRecords| expected.line == record.line && byte_column(text.lines, expected.start) == column;
    let mut here = expected.iter().filter(is_here);
    match (here.next(), here.next()) {
        (Some(one), None) => one.meanings.get(usize::from(!holds)).cloned().unwrap_or(RecordMeaning::Unclear),
        _ => RecordMeaning::Unclear,
    }
}

/// The sides of labels: one for each value, two for a range, which is entered by the second one.
fn entering(label: Span, sides: &[WrittenSide]) -> Vec<WrittenSide> {
    let of_label: Vec<WrittenSide> = sides.iter().copied().filter(|side| side.span == label && side.holds).collect();
    of_label.last().copied().into_iter().collect()
}

/// The side on which no label of a `switch` is taken: the last label's that does not hold.
fn passing(switch: &WrittenSwitch, sides: &[WrittenSide]) -> Vec<WrittenSide> {
    let labels = switch.groups.iter().flat_map(|group| &group.labels);
    let last = labels.max_by_key(|label| label.start);
    let of_last = last.into_iter().flat_map(|label| sides.iter().copied().filter(move |side| side.span == *label && !side.holds));
    of_last.collect()
}

/// For each label of a `switch` the branch past it, and equivalent branches: an execution takes one of these exactly if it takes that branch.
/// They are the branches of later labels, and the branch past the last label.
pub fn implied(text: &FileText) -> Vec<(WrittenSide, Vec<WrittenSide>)> {
    let mut found = Vec::new();
    for decision in text.decisions() {
        let WrittenDecision::Switch(switch) = decision else { continue };
        let mut labels: Vec<Span> = switch.groups.iter().flat_map(|group| &group.labels).copied().collect();
        labels.arrange_by_key(|label| label.start);
        let passing = passing(&switch, text.sides);
        let Some((_, others)) = labels.split_last() else { continue };
        for (at, label) in others.iter().enumerate() {
            let failed = text.sides.iter().copied().filter(|side| side.span == *label && !side.holds);
            let later = labels[at + 1..].iter().flat_map(|label| entering(*label, text.sides));
            let exits: Vec<WrittenSide> = later.chain(passing.iter().copied()).collect();
            found.extend(failed.map(|side| (side, exits.clone())));
        }
    }
    found
}

/// The sides of conditions in assertions, however the coverage counts them.
pub fn asserted(text: &FileText) -> Vec<WrittenSide> {
    let of_condition = |decision: WrittenDecision| match decision {
        WrittenDecision::Condition(condition) if condition.asserted => [condition.held, condition.failed].concat(),
        _ => Vec::new(),
    };
    text.decisions().into_iter().flat_map(of_condition).collect()
}

fn sides_or_nothing(sides: Vec<WrittenSide>) -> RecordMeaning {
    if sides.is_empty() { RecordMeaning::Unclear } else { RecordMeaning::Sides(sides) }
}

/// The records of a condition, first the one that holds.
fn of_condition(condition: &WrittenCondition, sides: &SortedSet<WrittenSide>) -> [RecordMeaning; 2] {
    // A condition that no analysed function has is none of an understood function.
    [&condition.held, &condition.failed].map(|exits| {
        if !condition.varies {
            return RecordMeaning::Constant(exits.clone());
        }
        if condition.asserted {
            return RecordMeaning::Assertion(exits.clone());
        }
        let is_whole = exits.iter().all(|side| sides.contains(side));
        if is_whole { sides_or_nothing(exits.clone()) } else { RecordMeaning::Unclear }
    })
}

fn blocks(decisions: &[WrittenDecision], text: &FileText) -> Vec<ExpectedRecords> {
    let sides: SortedSet<WrittenSide> = text.sides.iter().copied().collect();
    let expected = |decision: &WrittenDecision| match decision {
        WrittenDecision::Condition(condition) => {
            let [held, failed] = of_condition(condition, &sides);
            let meanings = match () {
                () if condition.is_void || !condition.varies => Vec::new(),
                () if condition.is_unordered => vec![RecordMeaning::Unclear, RecordMeaning::Unclear],
                () if condition.held_first => vec![held, failed],
                () => vec![failed, held],
            };
            let needs = condition.leads_to.and_then(|(at, holds)| Some((text.own_line(at)?, holds == condition.held_first)));
            Some(ExpectedRecords { line: text.own_line(condition.counted_at)?, needs, start: condition.start, meanings })
        }
        WrittenDecision::Switch(switch) => {
            let mut meanings: Vec<RecordMeaning> = switch
                .groups
                .iter()
                .map(|group| {
                    let mut taken: Vec<WrittenSide> = group.labels.iter().flat_map(|label| entering(*label, text.sides)).collect();
                    if group.has_default {
                        taken.extend(passing(switch, text.sides));
                    }
                    sides_or_nothing(taken)
                })
                .collect();
            if switch.default.is_none() {
                meanings.push(sides_or_nothing(passing(switch, text.sides)));
            }
            Some(ExpectedRecords { line: text.own_line(switch.start)?, needs: None, start: switch.start, meanings })
        }
    };
    decisions.iter().filter_map(expected).collect()
}

fn regions(decisions: &[WrittenDecision], text: &FileText) -> Vec<ExpectedRecords> {
    let sides: SortedSet<WrittenSide> = text.sides.iter().copied().collect();
    let mut expected = Vec::new();
    for decision in decisions {
        match decision {
            WrittenDecision::Condition(condition) => {
                let meanings = of_condition(condition, &sides).to_vec();
                expected.extend(text.own_line(condition.start).map(|line| ExpectedRecords {
                    line,
                    needs: None,
                    start: condition.start,
                    meanings,
                }));
            }
            WrittenDecision::Switch(switch) => {
                // Each label has the values of the others against it.
                let labels: Vec<Span> = switch.groups.iter().flat_map(|group| &group.labels).copied().collect();
                let taken = |labels: &[Span]| labels.iter().flat_map(|label| entering(*label, text.sides)).collect::<Vec<_>>();
                let default = passing(switch, text.sides);
                for &label in &labels {
                    let others: Vec<Span> = labels.iter().copied().filter(|other| *other != label).collect();
                    let meanings = vec![sides_or_nothing(taken(&[label])), sides_or_nothing([taken(&others), default.clone()].concat())];
                    expected.extend(text.own_line(label.start).map(|line| ExpectedRecords {
                        line,
                        needs: None,
                        start: label.start,
                        meanings,
                    }));
                }
                if let Some((start, line)) = switch.default.and_then(|start| Some((start, text.own_line(start)?))) {
                    let meanings = vec![sides_or_nothing(default), sides_or_nothing(taken(&labels))];
                    expected.push(ExpectedRecords { line, needs: None, start, meanings });
                }
            }
        }
    }
    expected.arrange_by_key(|expected| expected.start);
    expected
}

fn own_sides(text: &FileText) -> Vec<ExpectedRecords> {
    let asserted: SortedSet<WrittenSide> = asserted(text).into_iter().collect();
    let expected = |side: &WrittenSide| {
        let of = if asserted.contains(side) { RecordMeaning::Assertion } else { RecordMeaning::Sides };
        let meaning = of(vec![*side]);
        Some(ExpectedRecords { line: text.own_line(side.span.start)?, needs: None, start: side.span.start, meanings: vec![meaning] })
    };
    text.sides.iter().filter_map(expected).collect()
}
