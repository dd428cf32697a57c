//! Coverage as LCOV: what the tests take of the program's text.
//!
//! `coverage.info` has the records of LCOV 1, which every reader knows: a branch that no execution takes is one that was never taken.
//! `coverage-2.info` has those of LCOV 2.5, which say so: `U` marks a branch that cannot be reached, and it leaves the denominator.

use super::ExportedFile;
use super::linked::file_name;
use super::names::plain;
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::sides::{Side, sides, without_copies};
use crate::lts::{Edge, EdgeId, Label, Lts, ModelObject};
use crate::source::Span;
use crate::source::files::HeaderLines;
use petgraph::Direction::Incoming;
use std::fmt::Write as _;

/// The name of the tests in the file: readers learn from it in which order branches stand.
pub const TEST_NAME: &str = "culdesac";

/// Which records coverage has, and how files are named in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageFiles {
    /// The translation units, without their folders: a suite has copies of them beside its coverage.
    OfSuite,
    /// Translation units and headers, with their names as they were given.
    #[cfg(feature = "files")]
    AsGiven,
}

/// What tests cover.
pub struct Coverage<'c> {
    /// The first file of the program.
    pub program: &'c str,
    pub files: CoverageFiles,
    pub loaded: &'c Loaded,
    /// The edges that each test takes.
    pub runs: &'c [Vec<EdgeId>],
    /// For each test its number, and the sides that it takes, also those of calls before.
    pub claims: &'c [(usize, Vec<usize>)],
    pub infeasible: &'c SortedSet<EdgeId>,
}

/// Both files.
pub fn files(coverage: &Coverage) -> [ExportedFile; 2] {
    let of_version = |version| ExportedFile {
        name: if version == 1 { "coverage.info" } else { "coverage-2.info" }.to_owned(),
        text: text(coverage, version),
    };
    [of_version(1), of_version(2)]
}

/// The records of all files of the program, in the version 1 or 2.
pub fn text(coverage: &Coverage, version: u32) -> String {
    let is_recorded = |file: &&HeaderLines| file.included_at == 0 || coverage.files != CoverageFiles::OfSuite;
    let others: Vec<&HeaderLines> = coverage.loaded.lines.headers().iter().filter(is_recorded).collect();
    let is_one = others.is_empty();
    // Of one of several files there is a record where the function needs something of it.
    let records = [None].into_iter().chain(others.into_iter().map(Some)).map(|unit| record(coverage, unit, version));
    records.filter(|record| is_one || record.contains("\nFN:") || record.contains("\nDA:")).collect()
}

/// The record of a file: of the first one, or of another translation unit.
fn record(coverage: &Coverage, unit: Option<&HeaderLines>, version: u32) -> String {
    let &Coverage { program, files, loaded, runs, claims, infeasible } = coverage;
    let (lts, lines) = (&loaded.lts, &loaded.lines);
    let own_line = |line: u32| unit.and_then(|unit| unit.own_line(line)).unwrap_or(line);
    let mut taken: SortedMap<EdgeId, u64> = SortedMap::new();
    for &edge in runs.iter().flatten() {
        *taken.entry(edge).or_default() += 1;
    }
    let times = |edge: &EdgeId| taken.get(edge).copied().unwrap_or_default();
    // The record is that of a file of the program: lines of headers are none of its.
    let file_of = |span: Span| lines.headers().iter().find(|header| header.own_line(lines.line(span.start)).is_some());
    let is_own = |span: Span| file_of(span).map(|file| file.first) == unit.map(|unit| unit.first);
    let mut executed: SortedMap<u32, u64> = SortedMap::new();
    for (part, count) in executions(lts, &times).into_iter().filter(|(part, _)| is_own(*part)) {
        let line = executed.entry(own_line(lines.line(part.start))).or_default();
        *line = (*line).max(count);
    }
    let name = match files {
        CoverageFiles::OfSuite => unit.map_or(program, |unit| file_name(&unit.name)),
        #[cfg(feature = "files")]
        CoverageFiles::AsGiven => unit.map_or(program, |unit| &unit.name),
    };
    let mut out = format!("TN:{TEST_NAME}\nSF:{name}\n");
    // Writing to a string cannot fail.
    if let Some((_, function)) = loaded.program.function(&lts.function).filter(|(_, function)| is_own(function.span)) {
        let (name, line) = (plain(&function.name.text), own_line(lines.line(function.span.start)));
        if files != CoverageFiles::OfSuite {
            // As compilers do: `genhtml` of LCOV 2 refuses a function on a line without a count.
            executed.entry(line).or_insert(runs.len() as u64);
        }
        let _ = write!(out, "FN:{line},{name}\nFNDA:{},{name}\nFNF:1\nFNH:{}\n", runs.len(), u32::from(!runs.is_empty()));
    }
    let all = sides(lts);
    let (mut found, mut hit) = (0, 0);
    let mut last: Option<(&Side, u32, u32)> = None;
    for (at, side) in all.iter().enumerate().filter(|(_, side)| is_own(side.span)) {
        let line = own_line(lines.line(side.span.start));
        // The sides of one decision are a block, those of the line are numbered.
        let (block, branch) = match last {
            Some((other, block, branch)) if own_line(lines.line(other.span.start)) == line => (block, branch + 1),
            Some((_, block, _)) => (block + 1, 0),
            None => (0, 0),
        };
        last = Some((side, block, branch));
        let is_infeasible = side.edges.iter().all(|edge| infeasible.contains(edge));
        // Calls before a test count once.
        let before =
            claims.iter().zip(runs).filter(|((_, sides), run)| sides.contains(&at) && !side.edges.iter().any(|edge| run.contains(edge)));
        let count: u64 = side.edges.iter().map(times).sum::<u64>() + before.count() as u64;
        let is_evaluated = all.iter().filter(|other| other.span == side.span).flat_map(|other| &other.edges).any(|edge| times(edge) > 0);
        let unreachable = if is_infeasible && version > 1 { "U" } else { "" };
        let count_text = if is_evaluated { count.to_string() } else { "-".to_owned() };
        let _ = writeln!(out, "BRDA:{line},{unreachable}{block},{branch},{count_text}");
        if unreachable.is_empty() {
            found += 1;
            hit += u32::from(count > 0);
        }
    }
    let _ = write!(out, "BRF:{found}\nBRH:{hit}\n");
    for (line, count) in executed.iter() {
        let _ = writeln!(out, "DA:{line},{count}");
    }
    let hit = executed.values().filter(|&&count| count > 0).count();
    let _ = write!(out, "LF:{}\nLH:{hit}\nend_of_record\n", executed.len());
    out
}

/// How often an edge was taken, of those in one copy of a part of the text that set one object.
#[derive(Default)]
struct EdgeCounts {
    /// Those with which an execution of the part begins, together.
    first: u64,
    /// The most often taken one.
    most: u64,
}

/// How often each part of the text is executed, by how often each edge is taken: the sum over its copies, of a decision over its sides. One
/// execution of a part may set several objects, and several elements of an array one after the other.
fn executions(lts: &Lts, times: &dyn Fn(&EdgeId) -> u64) -> SortedMap<Span, u64> {
    let mut copies: SortedMap<(Span, u32), SortedMap<String, EdgeCounts>> = SortedMap::new();
    let mut passed: SortedMap<Span, u64> = SortedMap::new();
    for edge in lts.graph.edge_indices() {
        let (taken, from, _) = lts.edge(edge);
        let &Edge { ref label, span, library, copy, decision, ref prints, ref returns, returned_at, .. } = taken;
        let count = times(&edge);
        let spans = prints.iter().map(|print| print.span).chain(returns.iter().map(|_| returned_at));
        for part in spans.filter(|part| part.start < part.end) {
            *passed.entry(part).or_default() += count;
        }
        // The comparison with the value of a label is no execution of the line of the label.
        let is_label = matches!(label, Label::Assume { .. })
            && decision.and_then(|at| lts.written.get(at as usize)).is_some_and(|written| written.label.is_some());
        if library || is_label || span.start >= span.end {
            continue;
        }
        let target = match label.assigned() {
            Some(ModelObject::Variable(id)) => without_copies(&lts.variable(id).name),
            Some(ModelObject::Array(id)) => without_copies(&lts.array(id).name),
            None => String::new(),
        };
        let goes_on = |before: &Edge| !before.library && (before.span, before.copy) == (span, copy) && before.label.assigned().is_some();
        let is_first = label.assigned().is_none() || !lts.graph.edges_directed(from, Incoming).any(|before| goes_on(before.weight()));
        let counts = copies.entry((span, copy)).or_default().entry(target).or_default();
        counts.first += if is_first { count } else { 0 };
        counts.most = counts.most.max(count);
    }
    let mut own: SortedMap<Span, u64> = SortedMap::new();
    for ((part, _), targets) in copies.iter() {
        // Where it goes on from its own end no edge is the first.
        let of_target = |counts: &EdgeCounts| if counts.first > 0 { counts.first } else { counts.most };
        let most = targets.values().map(of_target).max().unwrap_or_default();
        *own.entry(*part).or_default() += most;
    }
    for (part, count) in own {
        let all = passed.entry(part).or_default();
        *all = (*all).max(count);
    }
    passed
}
