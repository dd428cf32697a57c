//! The answer of `justify` as one page of HTML that two people can sign.

use super::Justified;
use super::document::{JustifiedBranch, JustifiedGoal, JustifyCounts, JustifyDocument, JustifyVerdict};
use super::text::{call, goal_told, told};
use crate::analysis::text::{Without, assumptions, at, bracketed};
use crate::answer_page::{
    AnswerPage, PageBody, PageFact, PageFinding, PageLine, PageMark, PageNote, PagePiece, PageRow, PageSection, PageSignature, PageTable,
    PageTile, html, listed_files,
};
use crate::logic::Arrange;
use crate::view::Request;

/// Lines of the program with this number, from 0, have numbers from so many times it on: links name lines of all programs of a page.
const LINES: u32 = 10_000_000;

/// The page on these programs.
pub fn page(answers: &[(Request, Justified)]) -> String {
    let documents = || answers.iter().map(|(_, answer)| &answer.document);
    let programs: Vec<&str> = answers.iter().map(|(request, _)| request.program.as_str()).collect();
    let total = documents().fold(JustifyCounts::default(), |sum, document| sum.and(document.counts));
    let mut sections = Vec::new();
    for (number, (request, answer)) in (0..).zip(answers) {
        let writer = SectionWriter { document: &answer.document, first: number * LINES, is_one: answers.len() == 1 };
        sections.extend(writer.stale());
        sections.extend(writer.findings());
        sections.extend(writer.goals());
        sections.extend(writer.listings(request, answer));
        sections.extend(writer.tests());
        sections.push(writer.settings(request, answer));
    }
    let fields = ["Prepared by", "Reviewed by"].map(|heading| PageSignature { heading: heading.to_owned() });
    sections.push(PageSection {
        anchor: "signatures".to_owned(),
        heading: "Signatures".to_owned(),
        introduction: "The excluded branches above are accepted for this version of the text.".to_owned(),
        body: PageBody::Signatures(fields.into()),
    });
    html(&AnswerPage {
        title: format!("Justified coverage of {}", programs.join(", ")),
        sentence: documents().map(|document| document.sentence.as_str()).collect::<Vec<_>>().join(" "),
        remarks: documents().flat_map(|document| document.notes.iter().cloned()).collect(),
        tiles: tiles(total),
        sections,
    })
}

fn tiles(counts: JustifyCounts) -> Vec<PageTile> {
    let tile = |count: u32, label: &str, mark| PageTile { number: count.to_string(), label: label.to_owned(), mark };
    vec![
        tile(counts.covered, "in the coverage", Some(PageMark::Covered)),
        tile(counts.justified, "can never run", Some(PageMark::Infeasible)),
        tile(counts.tested, "with a new test", None),
        tile(counts.open, "open", Some(PageMark::Open)),
    ]
}

/// Writes the sections on one program.
struct SectionWriter<'d> {
    document: &'d JustifyDocument,
    /// Added to the numbers of its lines.
    first: u32,
    is_one: bool,
}

fn mark(verdict: JustifyVerdict) -> PageMark {
    match verdict {
        JustifyVerdict::Tested => PageMark::Covered,
        JustifyVerdict::Justified => PageMark::Infeasible,
        JustifyVerdict::Open => PageMark::Open,
    }
}

fn words(text: impl Into<String>) -> Vec<PagePiece> {
    vec![PagePiece::Words(text.into())]
}

impl SectionWriter<'_> {
    fn section(&self, anchor: &str, heading: &str, introduction: &str, body: PageBody) -> PageSection {
        let of = if self.is_one { String::new() } else { format!(": {}", self.document.header.program) };
        let number = if self.is_one { String::new() } else { format!("-{}", self.first / LINES + 1) };
        PageSection { anchor: format!("{anchor}{number}"), heading: format!("{heading}{of}"), introduction: introduction.to_owned(), body }
    }

    fn line(&self, line: u32, column: u32) -> PagePiece {
        PagePiece::Line { text: format!("line {}", at(&self.document.header, line, column)), number: self.first + line }
    }

    fn stale(&self) -> Option<PageSection> {
        let finding = |one: &super::document::StaleJustification| PageFinding {
            mark: PageMark::Fails,
            kind: "no longer justified".to_owned(),
            position: self.line(one.line, one.column),
            code: one.text.clone(),
            told: vec![words(&one.reason)],
        };
        let found: Vec<PageFinding> = self.document.stale.iter().map(finding).collect();
        let body = PageBody::Findings(found);
        (!self.document.stale.is_empty()).then(|| self.section("stale", "No longer justified", "", body))
    }

    fn told(&self, branch: &JustifiedBranch) -> Vec<Vec<PagePiece>> {
        let mut all: Vec<Vec<PagePiece>> = told(&self.document.header, branch).into_iter().map(words).collect();
        if !branch.assumes.is_empty() {
            all.push(words(format!("assuming {}", branch.assumes.join(", "))));
        }
        all
    }

    fn goals(&self) -> Option<PageSection> {
        let criterion = self.document.criterion.as_ref()?;
        let finding = |goal: &JustifiedGoal| PageFinding {
            mark: mark(goal.verdict),
            kind: goal.decision.as_ref().map_or_else(|| criterion.name.clone(), |decision| format!("condition of {decision}")),
            position: self.line(goal.line, goal.column),
            code: goal.text.clone(),
            told: {
                let assuming = (!goal.assumes.is_empty()).then(|| words(format!("assuming {}", goal.assumes.join(", "))));
                [words(goal_told(goal))].into_iter().chain(assuming).collect()
            },
        };
        let found: Vec<PageFinding> = criterion.list.iter().map(finding).collect();
        let heading = format!("By criterion {}", criterion.name);
        Some(self.section("criterion", &heading, &criterion.sentence, PageBody::Findings(found)))
    }

    fn findings(&self) -> Option<PageSection> {
        let finding = |branch: &JustifiedBranch| PageFinding {
            mark: mark(branch.verdict),
            kind: format!("in {}", branch.function),
            position: self.line(branch.line, branch.column),
            code: bracketed(&branch.text, branch.expansion.as_ref()),
            told: self.told(branch),
        };
        let of = |verdict| self.document.branches.iter().filter(move |branch| branch.verdict == verdict).map(finding);
        let all = of(JustifyVerdict::Justified).chain(of(JustifyVerdict::Open)).chain(of(JustifyVerdict::Tested)).collect();
        let introduction = "First the branches that no execution takes, then the open ones, then those with a new test.";
        let body = PageBody::Findings(all);
        (!self.document.branches.is_empty()).then(|| self.section("missing", "Missing branches", introduction, body))
    }

    fn listings(&self, request: &Request, answer: &Justified) -> Vec<PageSection> {
        let mut sections = Vec::new();
        for (number, file) in (1..).zip(listed_files(&request.source)) {
            let name = file.name.clone().unwrap_or_else(|| request.program.clone());
            let lines: Vec<PageLine> = file.lines.into_iter().map(|line| self.marked(line, answer)).collect();
            // A header without a decision tells nothing.
            if number == 1 || lines.iter().any(|line| !line.marks.is_empty()) {
                sections.push(PageSection {
                    anchor: format!("file-{}-{number}", self.first / LINES + 1),
                    heading: name,
                    introduction: String::new(),
                    body: PageBody::Listing(lines),
                });
            }
        }
        sections
    }

    fn marked(&self, mut line: PageLine, answer: &Justified) -> PageLine {
        let here = || self.document.branches.iter().filter(|branch| branch.line == line.number);
        let mut marks: Vec<PageMark> = here().map(|branch| mark(branch.verdict)).collect();
        if marks.is_empty() && answer.covered_lines.contains(&line.number) {
            marks.push(PageMark::Covered);
        }
        marks.arrange();
        marks.dedup();
        let note = |branch: &JustifiedBranch| PageNote {
            mark: mark(branch.verdict),
            code: bracketed(&branch.text, branch.expansion.as_ref()),
            told: self.told(branch),
        };
        let notes = here().map(note).collect();
        (line.marks, line.notes) = (marks, notes);
        line.number += self.first;
        line
    }

    fn tests(&self) -> Option<PageSection> {
        let row = |(number, test): (usize, &super::document::JustifyTest)| PageRow {
            anchor: None,
            cells: vec![words(number.to_string()), vec![PagePiece::Code(call(test))], words(test.assumes.join(", "))],
        };
        let rows: Vec<PageRow> = (1..).zip(&self.document.tests).map(row).collect();
        let columns = ["test", "call", "assumes"].map(str::to_owned).into();
        let body = PageBody::Table(PageTable { columns, rows });
        (!self.document.tests.is_empty()).then(|| self.section("tests", "New tests", "Each was run and takes its branches.", body))
    }

    fn settings(&self, request: &Request, answer: &Justified) -> PageSection {
        let JustifyDocument { header, .. } = self.document;
        let ids = self.document.branches.iter().map(|branch| &branch.assumes).chain(self.document.tests.iter().map(|test| &test.assumes));
        let mut facts = vec![
            ("culdesac", env!("CARGO_PKG_VERSION").to_owned()),
            ("analysed functions", self.document.entries.join(", ")),
            ("SHA-256 of the text", answer.kept.sha256.clone()),
            ("limit", request.limit.map_or_else(|| "the default".to_owned(), |limit| format!("{limit} steps"))),
            ("seed", request.seed.to_string()),
        ];
        facts.extend(
            assumptions(header, ids, Without::Possible).lines().filter(|line| !line.is_empty()).map(|line| ("assumption", line.to_owned())),
        );
        for one in answer.kept.branches.iter().filter(|one| !one.evidence.is_empty()) {
            facts.push(("claims", format!("line {}: {} – {}", at(header, one.line, one.column), one.name.text, one.evidence.join(", "))));
        }
        let facts = facts.into_iter().map(|(name, value)| PageFact { name: name.to_owned(), value: words(value) }).collect();
        self.section(
            "settings",
            "Settings, assumptions, claims",
            "The file of justifications holds the evidence of the claims: culdesac check confirms them.",
            PageBody::Facts(facts),
        )
    }
}
