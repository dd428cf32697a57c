//! A program to look at, and what Branches says of it.

use super::instrument::{Instrumented, instrument};
use crate::differential::programs;
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesDocument, BranchesSettings};
use culdesac::load::load;
use culdesac::view::Request;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Steps for each program: what is open then is taken by no test.
const LIMIT: u64 = 200_000;

/// A program to look at.
pub struct Subject {
    pub name: String,
    pub source: String,
    /// Folders of headers.
    pub headers: Vec<PathBuf>,
    pub limit: u64,
    /// Whether the other forms than C are looked at, too.
    pub all_forms: bool,
}

impl Subject {
    pub fn new(name: String, source: String) -> Subject {
        Subject { name, source, headers: Vec::new(), limit: LIMIT, all_forms: false }
    }

    /// The answer; none where the program is refused.
    pub fn answered(&self) -> Option<Answered<'_>> {
        let request = request(&self.name, &self.source, Some(self.limit));
        let loaded = load(&request).ok()?;
        let document = branches(&request, BranchesSettings::default())?;
        Some(Answered { subject: self, request, document, reports: instrument(&loaded) })
    }
}

/// A program with its tests.
pub struct Answered<'s> {
    pub subject: &'s Subject,
    pub request: Request,
    pub document: BranchesDocument,
    pub reports: Instrumented,
}

impl Answered<'_> {
    /// Of these sides those that are reported.
    pub fn seen<'c>(&self, sides: impl IntoIterator<Item = &'c usize>) -> BTreeSet<u32> {
        sides.into_iter().map(|&side| side as u32).filter(|side| !self.reports.unseen.contains_key(side)).collect()
    }

    /// Where the sides that a run takes differ from those that are claimed, in sentences that begin so.
    pub fn compared(&self, at: &str, taken: &BTreeSet<u32>, claimed: &BTreeSet<u32>) -> Vec<String> {
        let (more, fewer) = (listed(&self.document, taken.difference(claimed)), listed(&self.document, claimed.difference(taken)));
        let mut found = Vec::new();
        if !more.is_empty() {
            found.push(format!("{at} takes what it does not claim: {more}"));
        }
        if !fewer.is_empty() {
            found.push(format!("{at} claims what it does not take: {fewer}"));
        }
        found
    }
}

/// Sides for people.
pub fn listed<'s>(document: &BranchesDocument, sides: impl Iterator<Item = &'s u32>) -> String {
    let side = |&at: &u32| {
        let side = &document.list[at as usize];
        format!("{}:{} {} `{}`", side.line, side.column, side.side, side.text)
    };
    sides.map(side).collect::<Vec<_>>().join("; ")
}

/// The programs of a folder; the corpus has headers beside it.
pub fn of_folder(folder: &Path) -> Vec<Subject> {
    let stubs = folder.join("stubs");
    let subject = |file: PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = file.file_stem().unwrap_or_default();
        let headers = if stubs.is_dir() { vec![stubs.clone(), stubs.join(stem)] } else { Vec::new() };
        let bytes = std::fs::read(&file).expect("a program");
        Some(Subject { headers, ..Subject::new(name, String::from_utf8(bytes).ok()?) })
    };
    programs(folder).into_iter().filter_map(subject).collect()
}

/// Whether all programs are asked for, and of each all that can be looked at.
pub fn is_thorough() -> bool {
    std::env::var("CULDESAC_SUITES").is_ok_and(|asked| asked == "all")
}

/// As many as are asked for, from all parts of the list; each in so many in all forms, or each one where all are asked for.
pub fn some(list: Vec<Subject>, otherwise: usize, each: usize) -> Vec<Subject> {
    let asked = std::env::var("CULDESAC_SUITES").ok();
    let wanted = match asked.as_deref() {
        Some("all") => list.len(),
        Some(number) => number.parse().expect("CULDESAC_SUITES is a number or `all`"),
        None => otherwise,
    };
    let only = std::env::var("CULDESAC_SUITES_ONLY").unwrap_or_default();
    let list: Vec<Subject> = list.into_iter().filter(|subject| subject.name.contains(&only)).collect();
    let count = list.len();
    let is_wanted = |at: usize| count <= wanted || (at + 1) * wanted / count > at * wanted / count;
    let wanted = list.into_iter().enumerate().filter(|(at, _)| is_wanted(*at)).map(|(_, subject)| subject);
    let has_all = |at: usize| is_thorough() || !only.is_empty() || at % each == each / 2;
    wanted.enumerate().map(|(at, subject)| Subject { all_forms: has_all(at), ..subject }).collect()
}
