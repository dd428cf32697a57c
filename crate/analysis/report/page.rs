//! The report as one page of HTML.

use super::graph::ReportedGraph;
use super::safety_section::safety_section;
use super::sentences::{error_text, run_text, test_anchor, told_pieces, why, words};
use super::text::{HEADINGS, named};
use super::{ReportBranch, ReportDocument, ReportFinding, ReportFindingKind, ReportVerdict};
use crate::analysis::text::{at, bracketed, counted, line, number};
use crate::answer_page::{
    AnswerPage, ListedFile, PageBody, PageFact, PageFinding, PageLine, PageMark, PageNote, PagePiece, PageRow, PageSection, PageTable,
    PageTile, listed_files,
};
use crate::source::files::{CLOSED, MARK};
use crate::view::{Header, Request};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// So many lines of a run are linked.
const LINKED_LINES: usize = 60;

/// The page; `evidence` is the name of the file that has the proofs, where one is written.
pub fn page(document: &ReportDocument, request: &Request, evidence: Option<&Path>) -> AnswerPage {
    let ReportDocument { header, sentence, error_call, .. } = document;
    let error = error_call.map(|error| format!(" Error calls and assertions: {}.", error_text(error)));
    let mut sections = vec![findings_section(document)];
    sections.extend(listing_sections(document, request));
    let tables = [branches_section(document), safety_section(document), tests_section(document), assumptions_section(document)];
    sections.extend(tables.into_iter().flatten());
    sections.push(settings_section(header, request, evidence));
    AnswerPage {
        title: format!("{} in {}", header.function, header.program),
        sentence: sentence.clone() + &error.unwrap_or_default(),
        remarks: remarks(document),
        tiles: tiles(document),
        sections: sections.into_iter().filter(|section| !is_empty(&section.body)).collect(),
    }
}

fn is_empty(body: &PageBody) -> bool {
    match body {
        PageBody::Findings(findings) => findings.is_empty(),
        PageBody::Listing(lines) => lines.is_empty(),
        PageBody::Table(table) => table.rows.is_empty(),
        PageBody::Facts(facts) => facts.is_empty(),
        PageBody::Signatures(signatures) => signatures.is_empty(),
    }
}

/// What limits the answer.
fn remarks(document: &ReportDocument) -> Vec<String> {
    let header = &document.header;
    let mut remarks = Vec::new();
    if !header.complete {
        let open = counted(document.branches.open, "branch is open", "branches are open");
        #[cfg(feature = "cli")]
        let is_out_of_time = header.early_end.timeout;
        #[cfg(not(feature = "cli"))]
        let is_out_of_time = false;
        let end =
            if is_out_of_time { "the time that the caller gave ended the search; another run may get less far, or further" } else { &open };
        remarks.push(format!("Not complete: {end}."));
    }
    remarks.extend(
        header
            .chosen_because
            .as_ref()
            .map(|because| format!("{} is analysed, since {because}; --function NAME chooses another.", header.function)),
    );
    remarks.extend(header.diagnostics.iter().map(|one| format!("Line {}: {}", line(header, one.place.line), one.message)));
    let refused =
        header.refused.iter().map(|one| format!("{} is not understood: line {}: {}", one.function, line(header, one.line), one.message));
    remarks.extend(refused);
    remarks
}

fn tiles(document: &ReportDocument) -> Vec<PageTile> {
    let tile = |count: u32, label: &str, mark| PageTile { number: number(&count.to_string()), label: label.to_owned(), mark };
    let counts = document.branches;
    let failing = document.findings.iter().filter(|finding| finding.kind == ReportFindingKind::Error).count() as u32;
    vec![
        tile(counts.total, if counts.total == 1 { "branch" } else { "branches" }, None),
        tile(counts.covered, "covered", Some(PageMark::Covered)),
        tile(counts.infeasible, "can never run", Some(PageMark::Infeasible)),
        tile(counts.open, "open", Some(PageMark::Open)),
        tile(failing, "can fail", Some(PageMark::Fails)),
    ]
}

/// The link to a line.
pub fn position(header: &Header, number: u32, column: u32) -> PagePiece {
    PagePiece::Line { text: at(header, number, column), number }
}

/// A section without an introduction.
fn section(anchor: &str, heading: &str, body: PageBody) -> PageSection {
    PageSection { anchor: anchor.to_owned(), heading: heading.to_owned(), introduction: String::new(), body }
}

fn mark_of(kind: ReportFindingKind) -> PageMark {
    match kind {
        ReportFindingKind::Error | ReportFindingKind::NeverCompletes => PageMark::Fails,
        ReportFindingKind::Always | ReportFindingKind::NeverRuns => PageMark::Infeasible,
        ReportFindingKind::Open => PageMark::Open,
    }
}

/// What is said of a finding, with the lines of its run and its assumptions.
fn all_told(header: &Header, finding: &ReportFinding) -> Vec<Vec<PagePiece>> {
    let mut told = told_pieces(header, finding);
    if !finding.lines.is_empty() {
        let mut lines = finding.lines.clone();
        lines.dedup();
        let mut sentence = words("lines ");
        for (&line_number, count) in lines.iter().zip(0..LINKED_LINES) {
            if count > 0 {
                sentence.push(PagePiece::Words(" ".to_owned()));
            }
            sentence.push(PagePiece::Line { text: line(header, line_number), number: line_number });
        }
        if lines.len() > LINKED_LINES {
            sentence.push(PagePiece::Words(format!(" … ({} more)", number(&(lines.len() - LINKED_LINES).to_string()))));
        }
        told.push(sentence);
    }
    told.extend(assuming(&finding.assumes));
    told
}

fn assuming(assumes: &[String]) -> Option<Vec<PagePiece>> {
    (!assumes.is_empty()).then(|| words(format!("assuming {}", assumes.join(", "))))
}

fn findings_section(document: &ReportDocument) -> PageSection {
    let kind = |of: ReportFindingKind| {
        let heading = HEADINGS.iter().find(|(kind, _)| *kind == of).map_or("", |(_, heading)| heading);
        if of == ReportFindingKind::Error { "error" } else { heading }.to_owned()
    };
    let header = &document.header;
    let finding = |finding: &ReportFinding| PageFinding {
        mark: mark_of(finding.kind),
        kind: kind(finding.kind),
        position: PagePiece::Line { text: format!("line {}", at(header, finding.line, finding.column)), number: finding.line },
        code: bracketed(&finding.text, finding.expansion.as_ref()),
        told: all_told(header, finding),
    };
    section("findings", "Findings", PageBody::Findings(document.findings.iter().map(finding).collect()))
}

/// Signs and notes of the lines, by their numbers.
#[derive(Default)]
struct LineNotes {
    marks: BTreeSet<PageMark>,
    notes: Vec<PageNote>,
}

fn line_notes(document: &ReportDocument) -> BTreeMap<u32, LineNotes> {
    let header = &document.header;
    let mut lines: BTreeMap<u32, LineNotes> = BTreeMap::new();
    for branch in &document.list {
        let mut told = vec![branch_told(document, branch)];
        told.extend(assuming(&branch.assumes));
        let line = lines.entry(branch.line).or_default();
        let mark = branch_mark(branch.verdict);
        line.notes.push(PageNote { mark, code: bracketed(&branch.text, branch.expansion.as_ref()), told });
        line.marks.insert(mark);
    }
    // A line has the sign that every side runs only where it has no other.
    for line in lines.values_mut().filter(|line| line.marks.len() > 1) {
        line.marks.remove(&PageMark::Covered);
    }
    for finding in &document.findings {
        if matches!(finding.kind, ReportFindingKind::Always | ReportFindingKind::Open) {
            continue;
        }
        let mark = mark_of(finding.kind);
        let line = lines.entry(finding.line).or_default();
        if finding.kind == ReportFindingKind::Error {
            line.marks.insert(mark);
        }
        line.notes.push(PageNote { mark, code: bracketed(&finding.text, finding.expansion.as_ref()), told: all_told(header, finding) });
    }
    lines
}

fn branch_mark(verdict: ReportVerdict) -> PageMark {
    match verdict {
        ReportVerdict::Covered => PageMark::Covered,
        ReportVerdict::Infeasible => PageMark::Infeasible,
        ReportVerdict::Open => PageMark::Open,
    }
}

/// The reason of a branch's verdict; of a covered branch its test with the input.
fn branch_told(document: &ReportDocument, branch: &ReportBranch) -> Vec<PagePiece> {
    let mut told = why(&document.header, branch);
    if let Some(test) = branch.test.and_then(|number| document.tests.get(number as usize)) {
        told.extend([PagePiece::Words(": ".to_owned()), PagePiece::Code(run_text(&test.input, &test.after))]);
    }
    told
}

/// The files of the program, each in a section; a header only where something is said of its lines.
pub fn listing_sections(document: &ReportDocument, request: &Request) -> Vec<PageSection> {
    let mut notes = line_notes(document);
    let dead = ReportedGraph::of(document, request).map(|graph| graph.dead_lines()).unwrap_or_default();
    let mut sections = Vec::new();
    for (ListedFile { name, is_header, lines }, at) in listed_files(&request.source).into_iter().zip(0..) {
        if is_header && !lines.iter().any(|line| notes.contains_key(&line.number)) {
            continue;
        }
        let annotated = |line: PageLine| {
            let LineNotes { marks, notes } = notes.remove(&line.number).unwrap_or_default();
            // A statement that a run reaches and that fails there has no edge that an execution takes, and is no dead text.
            let is_dead = dead.contains(&line.number) && !marks.contains(&PageMark::Fails);
            PageLine { marks: marks.into_iter().collect(), notes, is_dead, ..line }
        };
        let lines = lines.into_iter().map(annotated).collect();
        let (anchor, name) = if at == 0 { ("program".to_owned(), None) } else { (format!("file-{at}"), name) };
        let name = name.unwrap_or_else(|| document.header.program.clone());
        sections.push(section(&anchor, &name, PageBody::Listing(lines)));
    }
    sections
}

fn branches_section(document: &ReportDocument) -> Option<PageSection> {
    let header = &document.header;
    let row = |branch: &ReportBranch| PageRow {
        anchor: None,
        cells: vec![
            vec![position(header, branch.line, branch.column)],
            vec![PagePiece::Code(bracketed(&branch.text, branch.expansion.as_ref()))],
            vec![PagePiece::Mark(branch_mark(branch.verdict))],
            why(header, branch),
            words(if branch.verdict == ReportVerdict::Open { "" } else { &branch.engine }),
            words(branch.assumes.join(", ")),
        ],
    };
    let columns = ["line", "branch", "verdict", "test or reason", "engine", "assumptions"].map(str::to_owned).to_vec();
    let rows = document.list.iter().map(row).collect();
    Some(section("branches", "Branches", PageBody::Table(PageTable { columns, rows })))
}

fn tests_section(document: &ReportDocument) -> Option<PageSection> {
    let rows = document.tests.iter().zip(0..).map(|(test, number)| PageRow {
        anchor: Some(test_anchor(number)),
        cells: vec![
            words(format!("{}", number + 1)),
            vec![PagePiece::Code(run_text(&test.input, &test.after))],
            words(test.assumes.join(", ")),
        ],
    });
    let columns = ["test", "input", "assumptions"].map(str::to_owned).to_vec();
    Some(section("tests", "Tests", PageBody::Table(PageTable { columns, rows: rows.collect() })))
}

/// The assumptions that a verdict, a finding or a test names.
fn assumptions_section(document: &ReportDocument) -> Option<PageSection> {
    let header = &document.header;
    let ids: BTreeSet<&String> = named(document).flatten().collect();
    let rows = header.assumptions.iter().filter(|one| ids.contains(&one.id)).map(|one| PageRow {
        anchor: None,
        cells: vec![
            words(one.id.clone()),
            vec![PagePiece::Line { text: line(header, one.line), number: one.line }],
            words(one.text.clone()),
            vec![PagePiece::Code(format!("--no-assume {}", one.id))],
        ],
    });
    let columns = ["assumption", "line", "meaning", "without it"].map(str::to_owned).to_vec();
    Some(section("assumptions", "Assumptions", PageBody::Table(PageTable { columns, rows: rows.collect() })))
}

/// What another run needs to give the same page.
pub fn settings_section(header: &Header, request: &Request, evidence: Option<&Path>) -> PageSection {
    let mut facts = Vec::new();
    let mut add = |name: &str, value: Vec<PagePiece>| facts.push(PageFact { name: name.to_owned(), value });
    add("culdesac", words(env!("CARGO_PKG_VERSION")));
    add("Program", vec![PagePiece::Code(header.program.clone())]);
    add("Function", vec![PagePiece::Code(header.function.clone())]);
    let hash: String = Sha256::digest(&request.source).iter().map(|byte| format!("{byte:02x}")).collect();
    let of = if request.source.contains(MARK) { "SHA-256 of the text with its options, headers and files" } else { "SHA-256 of the text" };
    add(of, vec![PagePiece::Code(hash)]);
    add("Integers", words(header.ints.name()));
    if let Some(depth) = header.inline_depth {
        add("Depth of inlining", words(depth.to_string()));
    }
    add("Limit of steps", words(request.limit.map_or_else(|| "the default".to_owned(), |limit| number(&limit.to_string()))));
    add("Steps taken", words(number(&header.statistics.steps.to_string())));
    add("Seed", words(request.seed.to_string()));
    let lists = [("--assume", &request.assume), ("--no-assume", &request.no_assume)];
    for (option, ids) in lists.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        add(option, words(ids.join(", ")));
    }
    if let Some(options) = &header.options {
        let lists = [("-D", &options.define), ("-U", &options.undefine), ("-I", &options.include), ("-include", &options.forced)];
        for (option, values) in lists.into_iter().filter(|(_, values)| !values.is_empty()) {
            add(option, vec![PagePiece::Code(values.join(" "))]);
        }
        if let Some(target) = options.target.and_then(|target| target.told()) {
            add("Target", words(target));
        }
        if options.closed {
            add("Program is", words(CLOSED));
        }
    }
    if let Some(file) = evidence.and_then(Path::file_name).filter(|_| header.diagnostics.iter().all(|one| one.code != "not-written")) {
        let file = file.to_string_lossy();
        let [confirm, confirms] = [" has them; ", " confirms each"].map(|text| PagePiece::Words(text.to_owned()));
        add("Proofs", vec![PagePiece::Code(file.to_string()), confirm, PagePiece::Code(format!("culdesac check {file}")), confirms]);
    }
    section("settings", "Settings", PageBody::Facts(facts))
}
