//! The verdicts on a program's branches: those of the reports on its entries, each branch judged in all of them that judge its function.

use super::conditions::WrittenSide;
use super::document::{JustifyReason, JustifyTest};
use super::entries::Entries;
use super::structure::function_at;
use crate::analysis::Listener;
#[cfg(feature = "cli")]
use crate::analysis::criteria::{CriterionChoice, CriterionDocument, OrdinaryVerdicts, criterion_document};
use crate::analysis::report::citations::cited;
use crate::analysis::report::{ReportBranch, ReportVerdict, settled_report};
#[cfg(feature = "cli")]
use crate::analysis::settle::SettledProgram;
use crate::analysis::settle::{EngineSettings, settled};
use crate::evidence::{Claim, Evidence};
use crate::lang::ast::Program;
use crate::load::load;
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::sides::{Side, sides, without_copies};
use crate::source::LineIndex;
use crate::source::files::parts;
use crate::view::{Diagnostic, Header, Request, SolverStatistics, Statistics};

/// An entry of the program: its sides and, once it is analysed, what the report says of each.
pub struct JudgedEntry {
    pub function: String,
    pub sides: Vec<Side>,
    pub report: Option<EntryReport>,
}

/// What the report on an entry says.
pub struct EntryReport {
    pub header: Header,
    /// As the sides.
    pub list: Vec<ReportBranch>,
    pub tests: Vec<JustifyTest>,
    pub claims: Vec<Claim>,
    /// The goals of a criterion, if one is asked for.
    #[cfg(feature = "cli")]
    pub criterion: Option<CriterionDocument>,
}

impl JudgedEntry {
    /// Its sides under the names that all entries share.
    pub fn written(&self) -> Vec<WrittenSide> {
        written(&self.sides)
    }
}

/// A program with its entries.
pub struct JudgedProgram {
    pub program: Program,
    pub lines: LineIndex,
    pub entries: Entries,
    pub judged: Vec<JudgedEntry>,
    /// The functions that are not understood, with the reasons.
    pub refused: Vec<(String, String)>,
    /// Of the first entry, before anything is analysed.
    pub header: Header,
    /// The names and texts of the program's files, the first one first.
    files: Vec<(String, String)>,
    /// What holds on each side, as the program has it.
    texts: SortedMap<WrittenSide, String>,
}

/// Sides under the names that all entries share.
pub fn written(sides: &[Side]) -> Vec<WrittenSide> {
    let mut counts: SortedMap<(u32, u32, bool), u32> = SortedMap::new();
    let name = |side: &Side| {
        let number = counts.entry((side.span.start, side.span.end, side.holds)).or_default();
        *number += 1;
        WrittenSide { span: side.span, number: *number - 1, holds: side.holds }
    };
    sides.iter().map(name).collect()
}

/// The goals of a criterion in an entry.
#[cfg(feature = "cli")]
fn goals_of(
    request: &Request,
    choice: CriterionChoice,
    settled: &SettledProgram,
    listener: &mut Listener,
) -> Result<CriterionDocument, Vec<Diagnostic>> {
    let covered = settled.cover_document(request).expect("Cover begins");
    criterion_document(request, choice, &OrdinaryVerdicts { settled, covered: &covered }, listener)
}

/// Whether a part of the program is approximated.
fn is_approximated(warnings: &[Diagnostic]) -> bool {
    warnings.iter().any(|warning| warning.message.starts_with("approximated"))
}

impl JudgedProgram {
    /// Reads the program and lowers each entry.
    ///
    /// # Errors
    /// Why the program as a whole, or the function that the request names, is refused.
    pub fn read(request: &Request) -> Result<JudgedProgram, Vec<Diagnostic>> {
        let first = load(request)?;
        let header = first.header(request, true, SolverStatistics::default(), 0);
        let refused: Vec<(String, String)> = first.refused().into_iter().map(|one| (one.function, one.message)).collect();
        let mut read = JudgedProgram {
            entries: Entries::default(),
            judged: Vec::new(),
            files: parts(&request.source, &request.program),
            texts: SortedMap::new(),
            program: first.program,
            lines: first.lines,
            refused,
            header,
        };
        let is_whole = read.refused.is_empty() && !is_approximated(&first.warnings);
        if !read.enter(request, is_whole) {
            read.enter(request, false);
        }
        Ok(read)
    }

    /// Lowers each entry; whether all of them are understood as `is_whole` says.
    fn enter(&mut self, request: &Request, is_whole: bool) -> bool {
        self.entries = Entries::of(&self.program, request.function.as_deref(), is_whole);
        self.judged.clear();
        let mut is_as_said = true;
        for function in self.entries.all(&self.program) {
            match load(&Request { function: Some(function.clone()), ..request.clone() }) {
                Ok(loaded) => {
                    is_as_said &= !is_whole || !is_approximated(&loaded.warnings);
                    let sides = sides(&loaded.lts);
                    for (name, side) in written(&sides).into_iter().zip(&sides) {
                        self.texts.entry(name).or_insert_with(|| without_copies(&loaded.source_text(side.edges[0]).text));
                    }
                    self.judged.push(JudgedEntry { function, sides, report: None });
                }
                Err(diagnostics) => {
                    is_as_said &= !is_whole;
                    let why = diagnostics.first().map_or_else(String::new, |first| first.message.clone());
                    self.refused.push((function, why));
                }
            }
        }
        is_as_said
    }

    /// What holds on each side, as the program has it.
    pub fn texts(&self) -> &SortedMap<WrittenSide, String> {
        &self.texts
    }

    /// The number in the whole text of a line of one of the files.
    pub fn line_of(&self, file: &str, line: u32) -> u32 {
        let header = self.lines.headers().iter().find(|header| header.name == file);
        header.map_or(line, |header| header.first + line - 1)
    }

    /// A line of one of the files, without the space around it.
    pub fn line_text(&self, file: &str, line: u32) -> String {
        let text = self.files.iter().find(|(name, _)| name == file).map(|(_, text)| text.as_str());
        text.and_then(|text| text.lines().nth(line as usize - 1)).unwrap_or_default().trim().to_owned()
    }

    /// Whether all entries that judge a side have a report.
    pub fn is_judged(&self, side: &WrittenSide) -> bool {
        let judges = self.judges(side);
        let has_report = |name: &String| self.judged.iter().any(|entry| entry.function == *name && entry.report.is_some());
        !judges.is_empty() && judges.iter().all(has_report)
    }

    /// All sides of the program that some entry has, in the order of the text.
    pub fn sides(&self) -> Vec<WrittenSide> {
        let all: SortedSet<WrittenSide> = self.judged.iter().flat_map(|entry| written(&entry.sides)).collect();
        let mut all: Vec<WrittenSide> = all.into_iter().collect();
        all.arrange_by_key(|side| (side.span.start, side.span.end, side.number, !side.holds));
        all
    }

    /// The entries that judge the function with this side.
    fn judges(&self, side: &WrittenSide) -> &[String] {
        let function = function_at(&self.program, side.span.start);
        function.and_then(|function| self.entries.of.get(&function.name.text)).map_or(&[], |list| list)
    }

    /// Asks the engines about each entry that judges one of these branches, with a criterion about each entry.
    ///
    /// # Errors
    /// As [`settled`].
    pub fn judge(
        &mut self,
        request: &Request,
        branches: &SortedSet<WrittenSide>,
        #[cfg(feature = "cli")] choice: Option<CriterionChoice>,
        listener: &mut Listener,
    ) -> Result<(), Vec<Diagnostic>> {
        let needed: SortedSet<String> = branches.iter().flat_map(|side| self.judges(side)).cloned().collect();
        #[cfg(feature = "cli")]
        let judges_all = choice.is_some();
        #[cfg(not(feature = "cli"))]
        let judges_all = false;
        for entry in self.judged.iter_mut().filter(|entry| judges_all || needed.contains(&entry.function)) {
            let request = Request { function: Some(entry.function.clone()), ..request.clone() };
            let mut claims: Vec<Claim> = Vec::new();
            let mut own = Listener { claims: Some(&mut claims), ..Listener::new(&mut *listener.event) };
            let settled = settled(&request, &EngineSettings::default(), &mut own)?;
            #[cfg_attr(not(feature = "cli"), allow(unused_mut, reason = "criteria are the command line's"))]
            let mut document = settled_report(&request, &settled);
            #[cfg(feature = "cli")]
            let criterion =
                choice.map(|choice| goals_of(&request, choice, &settled, &mut Listener::new(&mut *listener.event))).transpose()?;
            #[cfg(feature = "cli")]
            let criterion = criterion.map(|mut criterion| {
                let complete = document.header.complete;
                criterion.tell(&mut document.header);
                document.header.complete = complete;
                criterion
            });
            let test = |test: crate::analysis::report::ReportTest| JustifyTest {
                function: entry.function.clone(),
                input: test.input,
                after: test.after,
                assumes: test.assumes,
            };
            let tests = document.tests.into_iter().map(test).collect();
            entry.report = Some(EntryReport {
                header: document.header,
                list: document.list,
                tests,
                claims,
                #[cfg(feature = "cli")]
                criterion,
            });
        }
        Ok(())
    }

    /// The verdict on a branch: covered if it is in one of the entries that judge it, infeasible if it is in all.
    pub fn verdict(&self, side: &WrittenSide) -> JudgedVerdict {
        let (mut dead, mut reasons) = (Vec::new(), Vec::new());
        let mut assumes: SortedSet<String> = SortedSet::new();
        let mut first: Option<&ReportBranch> = None;
        let mut open: Option<(String, &str)> = None;
        for name in self.judges(side) {
            let entry = self.judged.iter().find(|entry| entry.function == *name);
            let at = entry.and_then(|entry| written(&entry.sides).iter().position(|other| other == side));
            let Some((entry, at)) = entry.zip(at) else {
                let why = "a call that leads to it is not followed".to_owned();
                open.get_or_insert((why, name));
                continue;
            };
            let Some(report) = &entry.report else { continue };
            let branch = &report.list[at];
            first = first.or(Some(branch));
            match branch.verdict {
                ReportVerdict::Covered => {
                    let test = report.tests[branch.test.expect("of a covered branch") as usize].clone();
                    return JudgedVerdict { branch: Some(branch.clone()), kind: JudgedKind::Tested(test) };
                }
                ReportVerdict::Infeasible => {
                    dead.extend(cited(&report.claims, &entry.sides[at]).into_iter().map(|claim| format!("{name}:{claim}")));
                    assumes.extend(branch.assumes.iter().cloned());
                    let reason = branch.because.clone().map(|exclusion| JustifyReason { function: name.clone(), exclusion });
                    reasons.extend(reason);
                }
                ReportVerdict::Open => {
                    open.get_or_insert((branch.open.clone().unwrap_or_default(), name));
                }
            }
        }
        let branch = first.cloned();
        let is_judged = branch.is_some();
        let kind = match open {
            Some((why, entry)) => JudgedKind::Open(if self.judges(side).len() > 1 { format!("in `{entry}`: {why}") } else { why }),
            None if !is_judged => JudgedKind::Open("no function that is analysed calls its function".to_owned()),
            None => JudgedKind::Justified { because: reasons, evidence: dead, assumes: assumes.into_iter().collect() },
        };
        JudgedVerdict { branch, kind }
    }

    /// What all reports together took.
    pub fn statistics(&self) -> Statistics {
        self.reports().fold(Statistics::default(), |sum, (_, report)| sum.and(report.header.statistics))
    }

    /// The reports, with the entries that they are on.
    pub fn reports(&self) -> impl Iterator<Item = (&JudgedEntry, &EntryReport)> {
        self.judged.iter().filter_map(|entry| Some((entry, entry.report.as_ref()?)))
    }

    /// The evidence of an entry, with those of its claims that are cited.
    pub fn evidence(&self, request: &Request, cited: &SortedSet<String>) -> Vec<Evidence> {
        let of_entry = |(entry, report): (&JudgedEntry, &EntryReport)| {
            let is_cited = |claim: &&Claim| cited.contains(&format!("{}:{}", entry.function, claim.id));
            let claims: Vec<Claim> = report.claims.iter().filter(is_cited).cloned().collect();
            let request = Request { function: Some(entry.function.clone()), ..request.clone() };
            (!claims.is_empty()).then(|| Evidence::of(&request, &report.header, claims))
        };
        self.reports().filter_map(of_entry).collect()
    }
}

/// The verdict on a branch, and what a report says of it.
pub struct JudgedVerdict {
    pub branch: Option<ReportBranch>,
    pub kind: JudgedKind,
}

/// The verdict on a branch.
pub enum JudgedKind {
    Tested(JustifyTest),
    Justified { because: Vec<JustifyReason>, evidence: Vec<String>, assumes: Vec<String> },
    Open(String),
}
