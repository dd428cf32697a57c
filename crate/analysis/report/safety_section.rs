//! The places at which C may leave an execution undefined, as a section of the report's page.

use super::answer::not_null;
use super::sentences::words;
use super::text::safety_counts;
use super::{ReportDocument, ReportHazard, ReportHazardVerdict, ReportUnjudged};
use crate::analysis::text::at;
use crate::answer_page::{PageBody, PagePiece, PageRow, PageSection, PageTable};

/// The section; `None` of a report without verdicts on such places.
pub fn safety_section(document: &ReportDocument) -> Option<PageSection> {
    let (header, safety) = (&document.header, document.safety.as_ref()?);
    let position = |number: u32, column: u32| vec![PagePiece::Line { text: at(header, number, column), number }];
    let hazard = |hazard: &ReportHazard| PageRow {
        anchor: None,
        cells: vec![
            position(hazard.line, hazard.column),
            vec![PagePiece::Code(hazard.text.clone())],
            words(hazard.what.replace('`', "")),
            words(match hazard.verdict {
                ReportHazardVerdict::Fails => "fails",
                ReportHazardVerdict::Safe => "proved safe",
                ReportHazardVerdict::Open => "open",
            }),
            words(hazard.assumes.join(", ")),
        ],
    };
    let unjudged = |ReportUnjudged { line, column, what }: &ReportUnjudged| PageRow {
        anchor: None,
        cells: vec![position(*line, *column), Vec::new(), words(what.replace('`', "")), words("not judged"), Vec::new()],
    };
    let columns = ["line", "expression", "what may be undefined", "verdict", "assumptions"].map(str::to_owned).to_vec();
    let rows = safety.list.iter().map(hazard).chain(safety.unjudged.iter().map(unjudged)).collect();
    let mut told = Vec::new();
    if safety.total > 0 {
        told.push(format!("Of {}.", safety_counts(safety).trim_start_matches("of ")));
    }
    if let (true, Some(condition)) = (safety.total > 0, not_null(safety)) {
        told.push(format!("Assuming: {condition}, which the function does not ask.").replace('`', ""));
    }
    Some(PageSection {
        anchor: "undefined-behaviour".to_owned(),
        heading: "Undefined behaviour".to_owned(),
        introduction: told.join(" ").replace('`', ""),
        body: PageBody::Table(PageTable { columns, rows }),
    })
}
