//! `justify`: the page's question about a program and the coverage of its tests. The command line answers the same and writes the same files.

use super::coverage::lcov::LcovVersion;
use super::coverage::{FileCoverage, MeasuredCoverage};
use super::document::{JustifyDocument, JustifyVerdict};
use super::documents::{GivenCoverage, html_page, justification_file, markdown_pages};
use super::file::EarlierJustifications;
use super::text::reason;
use super::{JustifyQuestion, JustifyRefusal, justify};
use crate::analysis::{Analysis, Listener, Question};
use crate::export::ExportedFile;
use crate::lang::parse_understood;
use crate::load::about_the_question;
use crate::source::files::parts;
use crate::view::{Diagnostic, Document, Header, Reply, Request};
use serde::{Deserialize, Serialize};

/// The coverage of tests.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifySettings {
    /// Files of coverage, which are added up.
    pub coverage: Vec<CoverageText>,
    /// The file of justifications of an earlier version, which are proved again.
    pub against: Option<CoverageText>,
}

/// A file of coverage, unpacked, or one of justifications.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverageText {
    pub name: String,
    /// LCOV, or JSON of gcov, of llvm-cov, or with justifications.
    pub text: String,
}

/// The answer, and the files to keep.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifyAnswer {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub document: JustifyDocument,
    /// For each branch of the document its reason in words; empty where it has a test.
    pub reasons: Vec<String>,
    /// `justified.info`, `justified.html`, `justified.md` and `justified.json`: LCOV 2.5, the page to sign, Markdown, and the
    /// justifications with their evidence.
    pub files: Vec<ExportedFile>,
}

impl Document for JustifyAnswer {
    fn header(&self) -> Option<&Header> {
        Some(&self.document.header)
    }

    fn header_mut(&mut self) -> Option<&mut Header> {
        Some(&mut self.document.header)
    }
}

/// `justify`.
pub struct Justify;

impl Analysis for Justify {
    const NAME: &'static str = "justify";
    const DOCS: &'static str = "justify";
    type Settings = JustifySettings;
    type Document = JustifyAnswer;

    fn answer(question: &Question<JustifySettings>, listener: &mut Listener) -> Reply<JustifyAnswer> {
        match answer(question.request, question.settings, listener) {
            Ok(document) => Reply::Document { document },
            Err(diagnostics) => Reply::Refused { diagnostics },
        }
    }

    #[cfg(test)]
    fn declare(protocol: &mut crate::analysis::protocol::Protocol) {
        use super::document::{JustifiedBranch, JustifyCounts, JustifyReason, JustifyTest, MovedJustification, StaleJustification};
        protocol.analysis::<Self>().parts::<(CoverageText, JustifyDocument, JustifyCounts, JustifiedBranch, JustifyReason)>();
        protocol.parts::<(JustifyVerdict, JustifyTest, StaleJustification, MovedJustification)>();
    }
}

/// A refusal of the coverage; a message with a remedy has it on a line of its own.
fn refusal(message: &str) -> Vec<Diagnostic> {
    let (message, help) = message.split_once("\n  help: ").map_or((message, None), |(message, help)| (message, Some(help.to_owned())));
    vec![Diagnostic { help, ..about_the_question("coverage", message.to_owned()) }]
}

fn answer(request: &Request, given: &JustifySettings, listener: &mut Listener) -> Result<JustifyAnswer, Vec<Diagnostic>> {
    let mut coverage = GivenCoverage::default();
    for CoverageText { name, text } in &given.coverage {
        coverage.add(text.clone()).map_err(|error| refusal(&format!("{name}: {error}")))?;
    }
    let measured_name = measured_name(request, &coverage.coverage);
    let request = Request { program: measured_name.unwrap_or_else(|| request.program.clone()), ..request.clone() };
    let against = given.against.as_ref();
    let earlier =
        against.map(|CoverageText { name, text }| EarlierJustifications::read(text).map_err(|error| refusal(&format!("{name}: {error}"))));
    let earlier = earlier.transpose()?;
    let before = earlier.as_ref().map(|earlier| {
        let name = against.map_or("", |against| &against.name);
        let missing = || refusal(&format!("{name} has no justifications of {}", request.program));
        earlier.of_program(&request.program).ok_or_else(missing)
    });
    let question = JustifyQuestion {
        request: &request,
        coverage: &coverage.coverage,
        earlier: before.transpose()?,
        #[cfg(feature = "cli")]
        criterion: None,
    };
    let justified = justify(&question, listener).map_err(|refused| match refused {
        JustifyRefusal::Program(diagnostics) => diagnostics,
        JustifyRefusal::Coverage(message) => refusal(&message),
    })?;
    let reasons = justified.document.branches.iter().map(|branch| match branch.verdict {
        JustifyVerdict::Tested => String::new(),
        JustifyVerdict::Justified => reason(&justified.document.header, branch),
        JustifyVerdict::Open => branch.open.clone().unwrap_or_default(),
    });
    let (document, reasons) = (justified.document.clone(), reasons.collect());
    let answers = [(request, justified)];
    let file = |ending: &str, text: String| ExportedFile { name: format!("justified.{ending}"), text };
    let justifications = justification_file(&answers).map_err(|error| refusal(&error))?;
    let files = vec![
        file("info", coverage.justified(&answers, LcovVersion::Two)),
        file("html", html_page(&answers)),
        file("md", markdown_pages(&answers)),
        file("json", justifications),
    ];
    Ok(JustifyAnswer { document, reasons, files })
}

/// The name that the coverage has for a program of one file, where it has no file of the request's name: a text that was typed or pasted has a
/// name that its tests do not know. That is the only file, or the only one whose functions are all the program's.
fn measured_name(request: &Request, coverage: &MeasuredCoverage) -> Option<String> {
    let files = parts(&request.source, &request.program);
    if files.iter().any(|(name, _)| coverage.file(name).is_some()) {
        return None;
    }
    let program = parse_understood(&request.source).program?;
    let own: Vec<&str> = program.own().map(|function| function.name.text.as_str()).collect();
    let fits = |file: &&FileCoverage| !file.functions.is_empty() && file.functions.iter().all(|(name, _)| own.contains(&name.as_str()));
    let fitting: Vec<&FileCoverage> =
        if coverage.files.len() == 1 { vec![&coverage.files[0]] } else { coverage.files.iter().filter(fits).collect() };
    let [file] = fitting[..] else { return None };
    file.name.rsplit(['/', '\\']).next().map(str::to_owned)
}
