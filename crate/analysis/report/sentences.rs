//! The sentences of a report, in pieces: a terminal has their words, a page has links to lines and tests in them.

use super::{ReportBranch, ReportErrorCall, ReportFinding, ReportFindingKind, ReportInnocuous, ReportVerdict};
use crate::analysis::cover::CoverExclusion;
use crate::analysis::cover::report::exclusion_text::{ExclusionPiece, exclusion_pieces, reason_position, reason_text};
use crate::analysis::text::{calls_text, input_text};
use crate::answer_page::PagePiece;
use crate::view::{Call, Header, Input};

/// A sentence without forms.
pub fn plain(sentence: &[PagePiece]) -> String {
    sentence.iter().map(PagePiece::plain).collect()
}

/// A sentence of words alone.
pub fn words(text: impl Into<String>) -> Vec<PagePiece> {
    vec![PagePiece::Words(text.into())]
}

/// What is said below a finding, a sentence each.
pub fn told(header: &Header, finding: &ReportFinding) -> Vec<String> {
    told_pieces(header, finding).iter().map(|sentence| plain(sentence)).collect()
}

/// As [`told`], in pieces.
pub fn told_pieces(header: &Header, finding: &ReportFinding) -> Vec<Vec<PagePiece>> {
    let mut told = Vec::new();
    // The text of a call may say what happens.
    if !finding.evidence.is_empty() && finding.evidence != finding.text {
        told.push(words(finding.evidence.clone()));
    }
    told.extend(finding.hint.as_ref().map(|hint| words(format!("perhaps a mistake: {hint}"))));
    let because = finding.because.as_ref().and_then(|because| reason(header, because));
    told.extend(because.map(|mut because| {
        if finding.kind == ReportFindingKind::Always {
            because.insert(0, PagePiece::Words("the other branch is ".to_owned()));
        }
        because
    }));
    told.extend(finding.innocuous.map(|kind| words(innocuous_text(kind))));
    if let (Some(input), false) = (&finding.input, finding.kind == ReportFindingKind::Open) {
        told.push(vec![PagePiece::Words("reached with ".to_owned()), PagePiece::Code(run_text(input, &finding.after))]);
    }
    told
}

/// Why something infeasible need not worry a reviewer.
pub fn innocuous_text(kind: ReportInnocuous) -> &'static str {
    match kind {
        ReportInnocuous::ExhaustedSwitch => "an exhausted switch: the cases before it have all values",
        ReportInnocuous::UnreachableMarker => "a marker: the program says itself that no execution comes here",
        ReportInnocuous::Assertion => "an assertion: it holds",
        ReportInnocuous::ConstantCondition => "a switch of the build: the condition has no variable",
        ReportInnocuous::LoopIdiom => "an idiom: the condition of the loop has no variable",
        ReportInnocuous::DefensiveCheck => "a defensive check: it would leave the function or end the program",
        ReportInnocuous::IncludedText => "included text: other programs use this header as well",
        ReportInnocuous::GeneratedText => "generated text: a generator made it from a grammar",
    }
}

/// Why something is infeasible.
fn reason(header: &Header, because: &CoverExclusion) -> Option<Vec<PagePiece>> {
    let mut sentence = words("excluded by ");
    for piece in exclusion_pieces(because, true)? {
        match piece {
            ExclusionPiece::Words(text) => sentence.push(PagePiece::Words(text.to_owned())),
            ExclusionPiece::Code(text) => sentence.push(PagePiece::Code(text.to_owned())),
            ExclusionPiece::Reason(reason) => sentence.extend([
                PagePiece::Code(reason_text(reason)),
                PagePiece::Words(" (".to_owned()),
                PagePiece::Line { text: reason_position(header, reason), number: reason.line },
                PagePiece::Words(")".to_owned()),
            ]),
        }
    }
    Some(sentence)
}

/// The test that takes a branch, or the reason of its verdict.
pub fn why(header: &Header, branch: &ReportBranch) -> Vec<PagePiece> {
    match branch.verdict {
        ReportVerdict::Covered => branch.test.map(test_link).into_iter().collect(),
        ReportVerdict::Infeasible => {
            let because = branch.because.as_ref().and_then(|because| reason(header, because));
            let mut told = because.unwrap_or_else(|| words("a certificate over all executions"));
            if !branch.claims.is_empty() {
                let noun = if branch.claims.len() == 1 { "claim" } else { "claims" };
                told.push(PagePiece::Words(format!("; {noun} {}", branch.claims.join(", "))));
            }
            told
        }
        ReportVerdict::Open => words(branch.open.clone().unwrap_or_default()),
    }
}

/// The test with this number, from 0.
fn test_link(number: u32) -> PagePiece {
    PagePiece::Row { text: format!("test {}", number + 1), anchor: test_anchor(number) }
}

/// The address of a test within a page.
pub fn test_anchor(number: u32) -> String {
    format!("test-{}", number + 1)
}

/// An input, with the calls before it.
pub fn run_text(input: &Input, after: &[Call]) -> String {
    let input = input_text(input);
    if after.is_empty() { input } else { format!("{input}, after {}", calls_text(after)) }
}

/// What is said of error calls and assertions.
pub fn error_text(error: ReportErrorCall) -> &'static str {
    match error {
        ReportErrorCall::Reached => "reached",
        ReportErrorCall::Unreachable => "unreachable",
        ReportErrorCall::Unknown => "open",
    }
}
