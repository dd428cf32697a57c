//! The files around an answer, as texts: what the command line reads and writes, and the page opens and saves.

use super::Justified;
use super::coverage::lcov::{LcovVersion, RecordFate, rewritten, written};
use super::coverage::{self, MeasuredCoverage};
use super::file::JustificationFile;
use super::page::page;
use super::text::markdown;
use crate::logic::SortedMap;
use crate::view::Request;

/// Coverage that was read.
#[derive(Clone, Debug, Default)]
pub struct GivenCoverage {
    pub coverage: MeasuredCoverage,
    /// The text of the coverage, where it is one tracefile.
    tracefile: Option<String>,
    /// How many texts were read.
    count: usize,
}

impl GivenCoverage {
    /// Adds the coverage in a text.
    ///
    /// # Errors
    /// What is wrong with the text, or that it is of other branches than the coverage before.
    pub fn add(&mut self, text: String) -> Result<(), String> {
        self.coverage.add(coverage::read(&text)?)?;
        self.count += 1;
        let is_tracefile = !text.trim_start().starts_with('{');
        self.tracefile = (self.count == 1 && is_tracefile).then_some(text);
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The coverage as LCOV, in which what the answers justify cannot be reached.
    pub fn justified(&self, answers: &[(Request, Justified)], version: LcovVersion) -> String {
        let fates: SortedMap<(usize, usize), RecordFate> =
            answers.iter().flat_map(|(_, answer)| answer.fates.iter().map(|(at, fate)| (*at, *fate))).collect();
        let fate = |file, record| fates.get(&(file, record)).copied().unwrap_or(RecordFate::Kept);
        let tracefile = self.tracefile.clone().unwrap_or_else(|| written(&self.coverage));
        rewritten(&tracefile, version, &fate)
    }
}

/// The answers as pages in Markdown, one after the other.
pub fn markdown_pages(answers: &[(Request, Justified)]) -> String {
    answers.iter().map(|(_, answer)| markdown(&answer.document)).collect()
}

/// The answers as one page of HTML.
pub fn html_page(answers: &[(Request, Justified)]) -> String {
    page(answers)
}

/// The justified branches with their evidence, as a file.
///
/// # Errors
/// Why it cannot be written as JSON.
pub fn justification_file(answers: &[(Request, Justified)]) -> Result<String, String> {
    let file = JustificationFile::of(answers.iter().map(|(_, answer)| answer.kept.clone()).collect());
    Ok(serde_json::to_string_pretty(&file).map_err(|error| error.to_string())? + "\n")
}
