//! Justified coverage: for each branch that given tests do not take a new test, or a proof that none can, or why it is open.
//!
//! 1. [`coverage`] reads what compilers' tools measured; [`versions`] tells coverage of another text.
//! 2. [`matching`] says which branches of the program the records stand for, with the [conditions](conditions) as compilers count them.
//! 3. [`entries`] chooses the functions to analyse, and [`search`] asks all engines about each of them that judges a branch which the coverage
//!    has not.
//! 4. [`document`] has the verdicts; the coverage is [written back](coverage::lcov::rewritten) with what cannot be reached.
//! 5. [`text`] and [`page`] write the answer for people. [`file`] keeps justifications by text and [structure], with their evidence; [`earlier`] compares those of an earlier version.
//!
//! 6. [`documents`] are the files around an answer; [`question`] is what the page asks.
//!
//! A branch is *justified* only if the reports on all entries that judge it call it infeasible, each with accepted claims.

pub mod conditions;
pub mod coverage;
pub mod document;
pub mod documents;
pub mod earlier;
pub mod entries;
pub mod file;
#[cfg(feature = "cli")]
pub mod goals;
pub mod matching;
pub mod measured;
pub mod page;
#[cfg(test)]
mod protocol;
pub mod question;
pub mod search;
pub mod structure;
pub mod text;
pub mod versions;

use crate::analysis::Listener;
#[cfg(feature = "cli")]
use crate::analysis::criteria::{Criterion, CriterionChoice};
use crate::logic::{SortedMap, SortedSet};
use crate::source::files::parts;
use crate::view::{Diagnostic, Header, Request};
use conditions::WrittenSide;
use coverage::MeasuredCoverage;
use coverage::lcov::RecordFate;
use document::{JustifiedBranch, JustifyCounts, JustifyDocument, JustifyTest, JustifyVerdict};
use earlier::Compared;
use file::{Justification, JustifiedProgram};
#[cfg(feature = "cli")]
use goals::GoalQuestion;
use matching::{FileText, asserted, implied, meanings};
use measured::{MeasuredFile, Measurement};
use search::{JudgedKind, JudgedProgram, JudgedVerdict};
use sha2::{Digest, Sha256};
use structure::{StructuralName, function_at, spaced, within};

/// A question about one program: what of the coverage's gaps can be closed.
pub struct JustifyQuestion<'q> {
    pub request: &'q Request,
    pub coverage: &'q MeasuredCoverage,
    /// The justifications of an earlier version.
    pub earlier: Option<&'q [Justification]>,
    /// A criterion whose goals are judged, too.
    #[cfg(feature = "cli")]
    pub criterion: Option<CriterionChoice>,
}

/// The answer.
pub struct Justified {
    pub document: JustifyDocument,
    /// What becomes of the records of the coverage, by the numbers of file and record.
    pub fates: SortedMap<(usize, usize), RecordFate>,
    /// The justified branches, to keep.
    pub kept: JustifiedProgram,
    /// The lines of branches that the coverage has.
    pub covered_lines: SortedSet<u32>,
}

/// Why nothing is justified.
#[derive(Debug)]
pub enum JustifyRefusal {
    /// The program has errors.
    Program(Vec<Diagnostic>),
    /// The coverage is of no file of the program, or of another text.
    Coverage(String),
}

/// Coverage of lines alone.
const WITHOUT_BRANCHES: &str = "the coverage counts lines and no branches; gcov counts them with `-b`, lcov and geninfo with `--rc lcov_branch_coverage=1` (`--branch-coverage` since LCOV 2)";

/// Coverage without MC/DC.
#[cfg(feature = "cli")]
const WITHOUT_DECISIONS: &str = "the coverage has no record of MC/DC; clang 18 counts it with `-fcoverage-mcdc`, gcc 14 with `-fcondition-coverage`, gcov with `--conditions`, geninfo with `--mcdc-coverage`";

/// So many differences are told.
const TOLD: usize = 5;

/// Judges the branches that the coverage has not.
///
/// # Errors
/// The program is refused, or the coverage is not of it.
pub fn justify(question: &JustifyQuestion, listener: &mut Listener) -> Result<Justified, JustifyRefusal> {
    let JustifyQuestion { request, coverage, earlier, .. } = *question;
    #[cfg(feature = "cli")]
    let criterion = question.criterion;
    let mut program = JudgedProgram::read(request).map_err(JustifyRefusal::Program)?;
    let sides = program.sides();
    // 1. and 2.
    let files = measured_files(request, coverage, &program, &sides)?;
    #[cfg(feature = "cli")]
    if criterion.is_some_and(|choice| choice.criterion == Criterion::Mcdc) && files.iter().all(|file| file.coverage.decisions.is_empty()) {
        return Err(JustifyRefusal::Coverage(WITHOUT_DECISIONS.to_owned()));
    }
    let measurement = Measurement::of(&files, &sides);
    let names = names(&program, &sides);
    // 3.
    let by_name: SortedMap<&StructuralName, WrittenSide> = names.iter().map(|(side, name)| (name, *side)).collect();
    let again = earlier.into_iter().flatten().filter_map(|one| by_name.get(&one.name).copied());
    let judged: SortedSet<WrittenSide> = measurement.candidates().chain(again.filter(|side| !measurement.is_certain(side))).collect();
    program
        .judge(
            request,
            &judged,
            #[cfg(feature = "cli")]
            criterion,
            listener,
        )
        .map_err(JustifyRefusal::Program)?;
    // 4.
    let mut builder = DocumentBuilder { program: &program, measurement: &measurement, tests: Vec::new() };
    let mut listed: Vec<(WrittenSide, JustifiedBranch)> = Vec::new();
    for side in sides.iter().filter(|side| judged.contains(side)) {
        listed.push((*side, builder.branch(side)));
    }
    let verdicts: SortedMap<WrittenSide, JustifyVerdict> = listed.iter().map(|(side, branch)| (*side, branch.verdict)).collect();
    let fates = measurement.fates(&files, &verdicts);
    // 5.
    let kept: Vec<Justification> = listed
        .iter()
        .filter(|(_, branch)| branch.verdict == JustifyVerdict::Justified)
        .map(|(side, branch)| justification(&program.header, &names[side], branch))
        .collect();
    let mut compared = Compared::of(earlier, &names, &listed, &measurement, &program);
    compared.stale.extend(builder.hit(&sides));
    let cited: SortedSet<String> = kept.iter().flat_map(|one| one.evidence.iter().cloned()).collect();
    let kept = JustifiedProgram {
        program: request.program.clone(),
        sha256: hash(&request.source),
        function: request.function.clone(),
        evidence: program.evidence(request, &cited),
        branches: kept,
    };
    #[cfg_attr(not(feature = "cli"), allow(unused_mut, reason = "criteria are the command line's"))]
    let mut tests = std::mem::take(&mut builder.tests);
    #[cfg(feature = "cli")]
    let goals = criterion.map(|choice| {
        let question = GoalQuestion { choice, program: &program, measurement: &measurement, files: &files };
        question.answer(&mut tests)
    });
    let mut branches: Vec<JustifiedBranch> = listed.into_iter().map(|(_, branch)| branch).collect();
    branches.extend(measurement.opaque(&files, &program));
    let counts = counts(&branches, &measurement);
    #[cfg(not(feature = "cli"))]
    let goals: Option<document::JustifyCriterion> = None;
    let is_complete = goals.as_ref().is_none_or(|goals| goals.open == 0 && goals.left_out.is_empty());
    let header = header(&program, counts.open == 0 && is_complete);
    let sentence = sentence(counts);
    let entries = program.reports().map(|(entry, _)| entry.function.clone()).collect();
    let Compared { stale, moved, new } = compared;
    let notes = measurement.notes(&files);
    let document = JustifyDocument { header, sentence, entries, counts, criterion: goals, branches, tests, stale, moved, new, notes };
    let covered_lines = sides.iter().filter(|side| measurement.is_covered(side)).map(|side| program.lines.line(side.span.start)).collect();
    Ok(Justified { document, fates, kept, covered_lines })
}

/// The files of the program that the coverage has, each with the meaning of its records.
fn measured_files<'c>(
    request: &Request,
    coverage: &'c MeasuredCoverage,
    program: &JudgedProgram,
    sides: &[WrittenSide],
) -> Result<Vec<MeasuredFile<'c>>, JustifyRefusal> {
    let (mut found, mut different) = (Vec::new(), Vec::new());
    let texts = parts(&request.source, &request.program);
    let mut seen: SortedSet<&str> = SortedSet::new();
    for (at, (name, own_text)) in texts.iter().enumerate().filter(|(_, (name, _))| seen.insert(name)) {
        let Some(of_file) = coverage.file(name) else { continue };
        let text = FileText { program: &program.program, lines: &program.lines, header: (at > 0).then_some(name.as_str()), sides };
        let differences = versions::differences(of_file, &text, own_text, &program.refused);
        different.extend(differences.into_iter().map(|difference| if at > 0 { format!("{name}: {difference}") } else { difference }));
        let number = coverage.files.iter().position(|file| std::ptr::eq(file, of_file)).expect("one of these");
        let own_lines = sides.iter().filter_map(|side| Some((*side, text.own_line(side.span.start)?))).collect();
        let (meanings, implied, asserted) = (meanings(of_file, &text), implied(&text), asserted(&text));
        found.push(MeasuredFile {
            number,
            name: name.clone(),
            header: text.header.map(str::to_owned),
            coverage: of_file,
            meanings,
            implied,
            asserted,
            own_lines,
        });
    }
    if found.is_empty() {
        let names: Vec<&str> = coverage.files.iter().map(|file| file.name.as_str()).take(TOLD).collect();
        let message = format!("the coverage is not of {}, but of {}", request.program, names.join(", "));
        return Err(JustifyRefusal::Coverage(message));
    }
    if different.is_empty() {
        let counts_branches = found.iter().any(|file| !file.coverage.records.is_empty());
        return if counts_branches || sides.is_empty() { Ok(found) } else { Err(JustifyRefusal::Coverage(WITHOUT_BRANCHES.to_owned())) };
    }
    let more = different.len().saturating_sub(TOLD);
    different.truncate(TOLD);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let help = "measure again with this text; -D and -I have to be those of the compiler";
    Err(JustifyRefusal::Coverage(format!(
        "the coverage is of another text than {}: {}{more}\n  help: {help}",
        request.program,
        different.join("; ")
    )))
}

/// The names of all sides by text and structure.
fn names(program: &JudgedProgram, sides: &[WrittenSide]) -> SortedMap<WrittenSide, StructuralName> {
    let texts = program.texts();
    let mut counts: SortedMap<StructuralName, u32> = SortedMap::new();
    let mut names = SortedMap::new();
    for side in sides {
        let Some(function) = function_at(&program.program, side.span.start) else { continue };
        let mut name = StructuralName {
            function: function.name.text.clone(),
            within: within(function, &program.lines, side.span),
            text: spaced(texts.get(side).map_or("", String::as_str)),
            number: 0,
        };
        let count = counts.entry(name.clone()).or_default();
        name.number = *count;
        *count += 1;
        names.insert(*side, name);
    }
    names
}

/// Makes the entries of a document.
struct DocumentBuilder<'p> {
    program: &'p JudgedProgram,
    measurement: &'p Measurement,
    tests: Vec<JustifyTest>,
}

impl DocumentBuilder<'_> {
    fn branch(&mut self, side: &WrittenSide) -> JustifiedBranch {
        let JudgedVerdict { branch, kind } = self.program.verdict(side);
        let position = self.program.lines.position(side.span.start);
        let function = function_at(&self.program.program, side.span.start);
        let mut found = JustifiedBranch {
            function: function.map_or_else(String::new, |function| function.name.text.clone()),
            line: position.line,
            column: position.column,
            text: branch.as_ref().map_or_else(String::new, |branch| branch.text.clone()),
            expansion: branch.and_then(|branch| branch.expansion),
            side: side.holds.to_string(),
            verdict: JustifyVerdict::Open,
            measured: self.measurement.is_measured(side),
            test: None,
            because: Vec::new(),
            evidence: Vec::new(),
            assumes: Vec::new(),
            open: None,
        };
        if found.text.is_empty() {
            found.text = self.program.texts().get(side).cloned().unwrap_or_default();
        }
        match kind {
            JudgedKind::Tested(test) => {
                found.verdict = JustifyVerdict::Tested;
                found.assumes.clone_from(&test.assumes);
                let at = self.tests.iter().position(|other| *other == test).unwrap_or(self.tests.len());
                if at == self.tests.len() {
                    self.tests.push(test);
                }
                found.test = Some(at as u32);
            }
            JudgedKind::Justified { because, evidence, assumes } => {
                found.verdict = JustifyVerdict::Justified;
                (found.because, found.evidence, found.assumes) = (because, evidence, assumes);
            }
            JudgedKind::Open(why) => found.open = Some(why),
        }
        found
    }

    /// The branches that tests take and that the reports call infeasible.
    fn hit(&self, sides: &[WrittenSide]) -> Vec<document::StaleJustification> {
        let mut found = Vec::new();
        for side in sides.iter().filter(|side| self.measurement.is_certain(side) && self.program.is_judged(side)) {
            let JudgedVerdict { branch, kind: JudgedKind::Justified { assumes, .. } } = self.program.verdict(side) else { continue };
            let position = self.program.lines.position(side.span.start);
            let under = if assumes.is_empty() { String::new() } else { format!(" under {}", assumes.join(", ")) };
            found.push(document::StaleJustification {
                line: position.line,
                column: position.column,
                function: function_at(&self.program.program, side.span.start).map_or_else(String::new, |f| f.name.text.clone()),
                text: branch.map_or_else(String::new, |branch| branch.text),
                reason: format!(
                    "tests take it, and no execution does{under}: the coverage is of another text, target or state of the world"
                ),
            });
        }
        found
    }
}

fn justification(header: &Header, name: &StructuralName, branch: &JustifiedBranch) -> Justification {
    Justification {
        name: name.clone(),
        line: branch.line,
        column: branch.column,
        reason: text::reason(header, branch),
        assumes: branch.assumes.clone(),
        evidence: branch.evidence.clone(),
    }
}

/// The hash of a program's text with its headers.
pub fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn counts(branches: &[JustifiedBranch], measurement: &Measurement) -> JustifyCounts {
    let of = |verdict| branches.iter().filter(|branch| branch.verdict == verdict).count() as u32;
    let counts = JustifyCounts {
        total: 0,
        covered: measurement.covered() as u32,
        tested: of(JustifyVerdict::Tested),
        justified: of(JustifyVerdict::Justified),
        open: of(JustifyVerdict::Open),
        unmeasured: measurement.unmeasured() as u32,
    };
    JustifyCounts { total: counts.covered + counts.tested + counts.justified + counts.open + counts.unmeasured, ..counts }
}

/// The header: what the reports on all entries say beside their verdicts.
fn header(program: &JudgedProgram, complete: bool) -> Header {
    let mut header = Header { complete, chosen_because: None, statistics: program.statistics(), ..program.header.clone() };
    header.function = program.judged.iter().map(|entry| entry.function.as_str()).collect::<Vec<_>>().join(", ");
    for (_, report) in program.reports() {
        for one in &report.header.assumptions {
            if !header.assumptions.iter().any(|other| other.id == one.id) {
                header.assumptions.push(one.clone());
            }
        }
        for one in &report.header.diagnostics {
            if !header.diagnostics.iter().any(|other| (&other.code, &other.message) == (&one.code, &one.message)) {
                header.diagnostics.push(one.clone());
            }
        }
    }
    header
}

/// The answer in words.
fn sentence(counts: JustifyCounts) -> String {
    let JustifyCounts { total, covered, tested, justified, open, unmeasured } = counts;
    let branches = if total == 1 { "branch" } else { "branches" };
    let parts = [
        (tested, if tested == 1 { "has a new test" } else { "have new tests" }),
        (justified, "can never run"),
        (open, if open == 1 { "is open" } else { "are open" }),
        (unmeasured, if unmeasured == 1 { "has no record" } else { "have no record" }),
    ];
    let told: Vec<String> = parts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
    match told.len() {
        0 => format!("The coverage has all {total} {branches}."),
        _ => format!("The coverage has {covered} of {total} {branches}: of the others {}.", told.join(", ")),
    }
}
