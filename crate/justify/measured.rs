//! What coverage says of the sides of a program.

use super::conditions::WrittenSide;
use super::coverage::lcov::RecordFate;
use super::coverage::{BranchRecord, FileCoverage};
use super::document::{JustifiedBranch, JustifyVerdict};
use super::matching::RecordMeaning;
use super::search::JudgedProgram;
use crate::logic::{SortedMap, SortedSet};

/// A file of the program in the coverage.
pub struct MeasuredFile<'c> {
    /// Its number in the coverage, from 0.
    pub number: usize,
    /// The program's name for it.
    pub name: String,
    /// The name of the header or further file; `None` for the program's first file.
    pub header: Option<String>,
    pub coverage: &'c FileCoverage,
    /// Of each record.
    pub meanings: Vec<RecordMeaning>,
    /// Branches of a `switch` without a record, each with equivalent branches: an execution takes one of these exactly if it takes that branch.
    pub implied: Vec<(WrittenSide, Vec<WrittenSide>)>,
    /// Sides of conditions in assertions.
    pub asserted: Vec<WrittenSide>,
    /// The lines in this file of its sides.
    pub own_lines: SortedMap<WrittenSide, u32>,
}

impl MeasuredFile<'_> {
    fn records(&self) -> impl Iterator<Item = (&BranchRecord, &RecordMeaning)> {
        self.coverage.records.iter().zip(&self.meanings)
    }
}

/// The sides of a program by what the coverage says of them. A side of an assertion is in none of the other sets.
#[derive(Debug, Default)]
pub struct Measurement {
    covered: SortedSet<WrittenSide>,
    /// Of those the ones with a record of their own; other records stand for one of several sides.
    certain: SortedSet<WrittenSide>,
    /// A record of this very side says that no test takes it.
    missing: SortedSet<WrittenSide>,
    /// The records of its line count other branches, and tests do not take all of them.
    unclear: SortedSet<WrittenSide>,
    unmeasured: SortedSet<WrittenSide>,
    /// Sides of assertions and of constant conditions.
    apart: SortedSet<WrittenSide>,
}

impl Measurement {
    pub fn of(files: &[MeasuredFile], sides: &[WrittenSide]) -> Measurement {
        let mut found = Measurement::default();
        let mut apart: SortedSet<WrittenSide> = SortedSet::new();
        for file in files {
            apart.extend(file.asserted.iter().copied());
            for (record, meaning) in file.records() {
                match meaning {
                    RecordMeaning::Sides(list) if record.is_taken() => {
                        found.covered.extend(list.iter().copied());
                        found.certain.extend(list.first().copied().filter(|_| list.len() == 1));
                    }
                    RecordMeaning::Sides(list) => found.missing.extend(list.iter().copied()),
                    RecordMeaning::Assertion(list) | RecordMeaning::Constant(list) => apart.extend(list.iter().copied()),
                    RecordMeaning::Unclear => {}
                }
            }
            let on_line = |line: u32| file.own_lines.iter().filter(move |(_, own)| **own == line).map(|(side, _)| *side);
            for line in unclear_lines(file) {
                let all_taken = file.coverage.records.iter().filter(|record| record.line == line).all(BranchRecord::is_taken);
                let set = if all_taken { &mut found.covered } else { &mut found.unclear };
                set.extend(on_line(line));
            }
        }
        for (side, others) in files.iter().flat_map(|file| &file.implied) {
            if others.iter().any(|other| found.covered.contains(other)) {
                found.covered.insert(*side);
            } else if others.iter().all(|other| found.missing.contains(other)) {
                found.missing.insert(*side);
            }
        }
        found.covered = found.covered.difference(&apart).copied().collect();
        // A side that some record has taken is covered, whatever others say.
        let is_missing = |side: &&WrittenSide| !found.covered.contains(side) && !apart.contains(side);
        found.missing = found.missing.iter().filter(is_missing).copied().collect();
        let elsewhere = |side: &WrittenSide| !found.covered.contains(side) && !found.missing.contains(side) && !apart.contains(side);
        found.unclear = found.unclear.iter().copied().filter(elsewhere).collect();
        let unmeasured = sides.iter().copied().filter(|side| elsewhere(side) && !found.unclear.contains(side)).collect();
        found.unmeasured = unmeasured;
        found.apart = apart;
        found
    }

    /// The sides to judge.
    pub fn candidates(&self) -> impl Iterator<Item = WrittenSide> {
        self.missing.iter().chain(&self.unclear).copied()
    }

    pub fn is_covered(&self, side: &WrittenSide) -> bool {
        self.covered.contains(side)
    }

    /// Whether a record of this very side says that tests take it.
    pub fn is_certain(&self, side: &WrittenSide) -> bool {
        self.certain.contains(side)
    }

    /// Whether a record of this very side is there.
    pub fn is_measured(&self, side: &WrittenSide) -> bool {
        self.missing.contains(side) || self.covered.contains(side)
    }

    /// Whether it is a side of an assertion or of a constant condition.
    pub fn is_apart(&self, side: &WrittenSide) -> bool {
        self.apart.contains(side)
    }

    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    pub fn unmeasured(&self) -> usize {
        self.unmeasured.len()
    }

    /// What becomes of records, by the numbers of file and record; of the others nothing.
    pub fn fates(
        &self,
        files: &[MeasuredFile],
        verdicts: &SortedMap<WrittenSide, JustifyVerdict>,
    ) -> SortedMap<(usize, usize), RecordFate> {
        let mut fates = SortedMap::new();
        for file in files {
            for (at, (record, meaning)) in file.records().enumerate() {
                let is_justified = |side: &WrittenSide| verdicts.get(side) == Some(&JustifyVerdict::Justified);
                let fate = match meaning {
                    RecordMeaning::Sides(list) if !record.is_taken() && list.iter().all(is_justified) => RecordFate::Unreachable,
                    RecordMeaning::Assertion(_) => RecordFate::Dropped,
                    _ => continue,
                };
                fates.insert((file.number, at), fate);
            }
        }
        fates
    }

    /// The branches that the coverage counts on lines without sides of ours: they are open. Of each such line one that no test takes.
    pub fn opaque(&self, files: &[MeasuredFile], program: &JudgedProgram) -> Vec<JustifiedBranch> {
        let mut found = Vec::new();
        for file in files {
            for line in unclear_lines(file).into_iter().filter(|line| !file.own_lines.values().any(|own| own == line)) {
                let missing = file.coverage.records.iter().filter(|record| record.line == line && !record.is_taken()).count();
                let function = file.coverage.functions.iter().filter(|(_, first)| *first <= line).max_by_key(|(_, first)| *first);
                let function = function.map_or("", |(name, _)| name.as_str());
                let refused = program.refused.iter().find(|(name, _)| name == function);
                let why = refused.map_or_else(
                    || "the program has no decision on this line that an analysis follows".to_owned(),
                    |(name, why)| format!("`{name}` is not understood: {why}"),
                );
                found.extend((0..missing).map(|_| JustifiedBranch {
                    function: function.to_owned(),
                    line: program.line_of(&file.name, line),
                    column: 1,
                    text: program.line_text(&file.name, line),
                    expansion: None,
                    side: String::new(),
                    verdict: JustifyVerdict::Open,
                    measured: false,
                    test: None,
                    because: Vec::new(),
                    evidence: Vec::new(),
                    assumes: Vec::new(),
                    open: Some(why.clone()),
                }));
            }
        }
        found
    }

    /// What the coverage does not say, in sentences.
    pub fn notes(&self, files: &[MeasuredFile]) -> Vec<String> {
        let mut notes = Vec::new();
        for file in files {
            let lines = unclear_lines(file);
            let is_counted = |line: &u32| file.own_lines.iter().any(|(side, own)| own == line && !self.is_apart(side));
            let on_lines: Vec<u32> = lines.into_iter().filter(is_counted).collect();
            if !on_lines.is_empty() {
                let told: Vec<String> = on_lines.iter().take(10).map(u32::to_string).collect();
                let more = if on_lines.len() > 10 { " and others" } else { "" };
                notes.push(format!(
                    "{}: on line {}{more} the coverage counts other branches than the text has, since the compiler merged or split conditions: all branches there that may be missing are judged",
                    file.name,
                    told.join(", ")
                ));
            }
        }
        if !self.unmeasured.is_empty() {
            let count = self.unmeasured.len();
            let branches = if count == 1 { "branch of the text has" } else { "branches of the text have" };
            notes.push(format!("{count} {branches} no record in the coverage, and are not judged"));
        }
        notes
    }
}

/// The lines of which records have no clear meaning.
fn unclear_lines(file: &MeasuredFile) -> SortedSet<u32> {
    file.records().filter(|(_, meaning)| **meaning == RecordMeaning::Unclear).map(|(record, _)| record.line).collect()
}
