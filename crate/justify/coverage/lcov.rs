//! LCOV tracefiles: read, and written back with branches that cannot be reached.

use super::{BranchRecord, DecisionRecord, FileCoverage, MOST_CONDITIONS, MeasuredCoverage, RecordOrder};
use crate::export::lcov::TEST_NAME;

/// Reads the records of a tracefile; those of other kinds are passed over.
///
/// # Errors
/// The line of a record that is not as LCOV has it, and why.
pub fn read(text: &str) -> Result<MeasuredCoverage, String> {
    let mut coverage = MeasuredCoverage::default();
    let mut open: Option<FileCoverage> = None;
    // Only clang's tool writes no test name before a file.
    let mut order = RecordOrder::Regions;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |why: &str| format!("line {number}: `{}`: {why}", shortened(line));
        let line = line.trim();
        let Some((kind, rest)) = line.split_once(':') else {
            match (line, open.take()) {
                ("end_of_record", Some(file)) => coverage.files.push(file),
                ("end_of_record", None) => return Err(wrong("no file is open here")),
                ("", file) => open = file,
                (comment, file) if comment.starts_with('#') => open = file,
                _ => return Err(wrong("not a record of LCOV")),
            }
            continue;
        };
        match (kind, &mut open) {
            ("TN", None) => order = if rest == TEST_NAME { RecordOrder::Sides } else { RecordOrder::Blocks },
            ("SF", None) => open = Some(FileCoverage::new(rest, order)),
            ("SF", Some(_)) => return Err(wrong("the record of the file before does not end")),
            ("FN", Some(file)) => {
                let mut parts = rest.split(',');
                let first = parts.next().and_then(|line| line.parse().ok());
                let (Some(line), Some(name)) = (first, parts.next_back()) else { return Err(wrong("wanted: FN:line,name")) };
                file.functions.push((name.to_owned(), line));
            }
            ("DA", Some(file)) => {
                let mut parts = rest.split(',');
                let mut next = || parts.next().and_then(|part| part.parse::<u64>().ok());
                let (Some(line), Some(count)) = (next().and_then(|line| u32::try_from(line).ok()), next()) else {
                    return Err(wrong("wanted: DA:line,count"));
                };
                *file.lines.entry(line).or_default() += count;
            }
            ("BRDA", Some(file)) => {
                file.records.push(branch(rest).ok_or_else(|| wrong("wanted: BRDA:line,block,branch,count"))?);
            }
            ("MCDC", Some(file)) => {
                condition(file, rest).ok_or_else(|| wrong("wanted: MCDC:line,conditions,t or f,count,index,expression"))?;
            }
            ("FN" | "DA" | "BRDA" | "MCDC", None) => return Err(wrong("no file is open here: `SF:` is missing")),
            _ => {}
        }
    }
    if open.is_some() {
        return Err("the last record does not end: `end_of_record` is missing".to_owned());
    }
    if coverage.files.is_empty() {
        return Err("no record of a file: `SF:` is missing".to_owned());
    }
    // Blocks that tell conditions of a line apart are of no gcc.
    for file in &mut coverage.files {
        if file.order == RecordOrder::Blocks && file.records.iter().any(|record| record.block > 0) {
            file.order = RecordOrder::Regions;
        }
    }
    Ok(coverage)
}

/// `line,[e|f][U]block,branch,count`.
fn branch(rest: &str) -> Option<BranchRecord> {
    let mut parts = rest.splitn(3, ',');
    let line = parts.next()?.parse().ok()?;
    let block = parts.next()?.trim_start_matches(['e', 'f']);
    let unreachable = block.starts_with('U');
    let block = block.trim_start_matches('U').parse().ok()?;
    // The branch may be an expression, with commas.
    let (_, count) = parts.next()?.rsplit_once(',')?;
    let count = if count == "-" { None } else { Some(count.parse().ok()?) };
    Some(BranchRecord { line, column: None, block, count, unreachable })
}

/// `line,[e]conditions,sense,count,index,expression`: whether a condition decides the outcome in a test in which it has this value. Of LCOV 2.2
/// on; the records of a decision follow each other, with the same number of conditions.
fn condition(file: &mut FileCoverage, rest: &str) -> Option<()> {
    let mut parts = rest.splitn(6, ',');
    let line: u32 = parts.next()?.parse().ok()?;
    let conditions: u32 = parts.next()?.trim_start_matches('e').parse().ok().filter(|conditions| *conditions <= MOST_CONDITIONS)?;
    let holds = match parts.next()? {
        "t" => true,
        "f" => false,
        _ => return None,
    };
    let is_taken = parts.next()?.parse::<u64>().ok()? > 0;
    let index: usize = parts.next()?.parse().ok().filter(|index| *index < conditions as usize)?;
    let is_first = index == 0 && holds;
    let open = file.decisions.last_mut().filter(|last| (last.line, last.independent.len()) == (line, conditions as usize) && !is_first);
    let decision = match open {
        Some(decision) => decision,
        None => {
            file.decisions.push(DecisionRecord { line, extent: None, independent: vec![true; conditions as usize] });
            file.decisions.last_mut()?
        }
    };
    decision.independent[index] &= is_taken;
    Some(())
}

/// In which form branches that no execution takes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcovVersion {
    /// For every reader: their records are left out.
    One,
    /// As of LCOV 2.5: `U` marks them.
    Two,
}

/// What to do with a record of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFate {
    Kept,
    /// No execution takes it.
    Unreachable,
    /// It is no branch of the denominator: a side of an assertion.
    Dropped,
}

/// A tracefile with the branches of these fates: `fate` is given the number of the file and of its record, both from 0.
pub fn rewritten(text: &str, version: LcovVersion, fate: &dyn Fn(usize, usize) -> RecordFate) -> String {
    let mut out = String::new();
    let (mut file, mut record) = (0, 0);
    let (mut found, mut hit) = (0, 0);
    for line in text.lines() {
        let mut kept = Some(line.to_owned());
        if let Some(rest) = line.strip_prefix("BRDA:") {
            let is_taken = branch(rest).is_some_and(|branch| branch.is_taken());
            match (fate(file, record), version) {
                (RecordFate::Kept, _) => {
                    found += 1;
                    hit += u32::from(is_taken);
                }
                (RecordFate::Unreachable, LcovVersion::Two) => kept = Some(marked(line)),
                _ => kept = None,
            }
            record += 1;
        } else if line.starts_with("BRF:") {
            kept = Some(format!("BRF:{found}"));
        } else if line.starts_with("BRH:") {
            kept = Some(format!("BRH:{hit}"));
        } else if line.trim() == "end_of_record" {
            (file, record, found, hit) = (file + 1, 0, 0, 0);
        }
        if let Some(line) = kept {
            out += &line;
            out.push('\n');
        }
    }
    out
}

/// A record of a branch with the mark of what cannot be reached.
fn marked(line: &str) -> String {
    let Some((head, rest)) = line.split_once(',') else { return line.to_owned() };
    let (exception, block) = rest.split_at(rest.len() - rest.trim_start_matches(['e', 'f']).len());
    let mark = if block.starts_with('U') { "" } else { "U" };
    format!("{head},{exception}{mark}{block}")
}

/// A tracefile of coverage that was no tracefile.
pub fn written(coverage: &MeasuredCoverage) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    // Writing to a string cannot fail.
    for file in &coverage.files {
        let _ = writeln!(out, "TN:{}\nSF:{}", if file.order == RecordOrder::Sides { TEST_NAME } else { "" }, file.name);
        for (name, line) in &file.functions {
            let _ = writeln!(out, "FN:{line},{name}");
        }
        let mut last = (0, 0);
        for record in &file.records {
            let number = if last.0 == record.line { last.1 + 1 } else { 0 };
            last = (record.line, number);
            let count = record.count.map_or_else(|| "-".to_owned(), |count| count.to_string());
            let mark = if record.unreachable { "U" } else { "" };
            let _ = writeln!(out, "BRDA:{},{mark}{},{number},{count}", record.line, record.block);
        }
        let taken = file.records.iter().filter(|record| record.is_taken()).count();
        let _ = writeln!(out, "BRF:{}\nBRH:{taken}", file.records.len());
        for (line, count) in &file.lines {
            let _ = writeln!(out, "DA:{line},{count}");
        }
        let executed = file.lines.values().filter(|&&count| count > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{executed}\nend_of_record", file.lines.len());
    }
    out
}

/// The start of a line, for a message.
fn shortened(line: &str) -> String {
    let start: String = line.chars().take(60).collect();
    if start.len() < line.len() { format!("{start}…") } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GCC: &str =
        "TN:\nSF:/x/a.c\nFN:1,f\nFNDA:2,f\nBRDA:3,0,0,2\nBRDA:3,0,1,0\nBRDA:4,0,0,-\nBRF:3\nBRH:1\nDA:1,2\nDA:3,2\nend_of_record\n";

    #[test]
    fn records_are_read() {
        let coverage = read(GCC).expect("LCOV");
        let file = coverage.file("src/a.c").expect("the file");
        assert_eq!((file.order, file.functions.clone(), file.lines[&3]), (RecordOrder::Blocks, vec![("f".to_owned(), 1)], 2));
        assert_eq!(file.records.iter().map(|record| record.count).collect::<Vec<_>>(), [Some(2), Some(0), None]);
        let clang = read(&GCC.replacen("TN:\n", "", 1)).expect("LCOV");
        assert_eq!(clang.files[0].order, RecordOrder::Regions);
        let marked = read("TN:x\nSF:a.c\nBRDA:3,eU7,x > 1, y,0\nend_of_record\n").expect("LCOV 2");
        let record = &marked.files[0].records[0];
        assert_eq!((record.block, record.unreachable, record.count), (7, true, Some(0)));
    }

    #[test]
    fn conditions_follow_each_other() {
        let record = |line: u32, conditions: u32, index: u32, counts: [u32; 2]| {
            format!("MCDC:{line},{conditions},t,{},{index},x\nMCDC:{line},e{conditions},f,{},{index},x, y\n", counts[0], counts[1])
        };
        let records =
            [record(3, 2, 0, [1, 4]), record(3, 2, 1, [1, 0]), record(3, 2, 0, [0, 1]), record(3, 2, 1, [2, 2]), record(4, 1, 0, [1, 1])];
        let coverage = read(&format!("TN:\nSF:a.c\n{}end_of_record\n", records.concat())).expect("LCOV 2");
        let independent: Vec<&[bool]> = coverage.files[0].decisions.iter().map(|decision| &decision.independent[..]).collect();
        assert_eq!(independent, [&[true, false][..], &[false, true], &[true]]);
        for wrong in ["MCDC:3,2,x,0,0,x", "MCDC:3,2,t,0,2,x", "MCDC:3,2,t", "MCDC:3,4000000000,t,0,0,x"] {
            assert!(read(&format!("SF:a.c\n{wrong}\nend_of_record\n")).expect_err(wrong).contains("line 2"));
        }
    }

    #[test]
    fn what_is_no_tracefile_is_refused_with_its_line() {
        for (text, why) in [
            ("SF:a.c\nBRDA:3,0,0\nend_of_record\n", "line 2"),
            ("SF:a.c\nDA:x,1\nend_of_record\n", "line 2"),
            ("SF:a.c\nDA:1,1\n", "end_of_record"),
            ("DA:1,1\nend_of_record\n", "line 1"),
            ("SF:a.c\nint f(void);\nend_of_record\n", "line 2"),
            ("", "SF:"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn unreachable_branches_leave_the_denominator() {
        let fate = |_: usize, record: usize| if record == 1 { RecordFate::Unreachable } else { RecordFate::Kept };
        let two = rewritten(GCC, LcovVersion::Two, &fate);
        assert!(two.contains("BRDA:3,0,0,2\nBRDA:3,U0,1,0\nBRDA:4,0,0,-\nBRF:2\nBRH:1\n"), "{two}");
        let one = rewritten(GCC, LcovVersion::One, &fate);
        assert!(one.contains("BRDA:3,0,0,2\nBRDA:4,0,0,-\nBRF:2\nBRH:1\n"), "{one}");
        // The mark stays the only one when the file is justified again.
        assert_eq!(rewritten(&two, LcovVersion::Two, &fate), two);
        assert_eq!(read(&written(&read(GCC).expect("LCOV"))), read(GCC));
    }

    #[test]
    fn measurements_are_added() {
        let mut coverage = read(GCC).expect("LCOV");
        coverage.add(read(GCC).expect("LCOV")).expect("the same branches");
        assert_eq!(coverage.files[0].records.iter().map(|record| record.count).collect::<Vec<_>>(), [Some(4), Some(0), None]);
        let other = GCC.replace("BRDA:4,0,0,-\n", "");
        assert!(coverage.add(read(&other).expect("LCOV")).is_err());
    }
}
