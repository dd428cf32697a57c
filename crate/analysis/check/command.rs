//! `culdesac check`: options, and the answer for people.

use super::{Check, CheckDocument, CheckSettings, CheckedClaim, Readable, obligations};
use crate::analysis::Query;
use crate::analysis::options::{Beside, Command, Form, ProgramOptions, ReadFile};
use crate::analysis::text::{self, counted};
use crate::evidence::Evidence;
use crate::source::files::{SourceOptions, linked, units};
use crate::view::Request;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// So many places are listed in a text.
const MOST_CLAIMS: usize = 100;

/// Check the evidence of an earlier run
#[derive(Args)]
pub struct CheckOptions {
    /// A file that `--evidence` wrote
    #[arg(value_name = "EVIDENCE")]
    file: PathBuf,
    /// Compare with the program on disk: the evidence must be of this text; with `--link` of these files in this order
    #[arg(long, value_name = "FILE", num_args = 1..)]
    program: Vec<PathBuf>,
    /// Write what each claim has to show to this directory, as SMT-LIB 2 files that must be unsatisfiable
    #[arg(long, value_name = "DIR")]
    smt: Option<PathBuf>,
    /// Replace files of that directory that have the names of those to write
    #[arg(long, requires = "smt")]
    overwrite: bool,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

impl Command for Check {
    type Options = CheckOptions;

    fn program(_: &CheckOptions) -> Option<&ProgramOptions> {
        None
    }

    /// The request is there for its text alone, to which messages about the program refer.
    fn query(options: &CheckOptions, read: ReadFile) -> Result<Query<CheckSettings>, String> {
        let (name, text) = read(&options.file, None)?;
        let evidence: Evidence = serde_json::from_str(&text).map_err(|error| format!("{name}: not an evidence file: {error}"))?;
        let program = format!("{} (in {name})", evidence.program);
        let request = Request { program, source: evidence.source.clone(), ..Request::default() };
        // Each file has had options of its own.
        let units = units(&evidence.source);
        let mut program: Option<String> = None;
        for (at, file) in options.program.iter().enumerate() {
            let own = units.get(at).and_then(|(_, unit)| SourceOptions::of(unit)).unwrap_or_default();
            let (name, text) = read(file, Some(&own))?;
            program = Some(match program {
                None => text,
                Some(before) => linked(before, &name, &text)?,
            });
        }
        let settings = CheckSettings { evidence: Some(Readable(Ok(evidence))), unreadable: None, program };
        Ok(Query { request: Some(request), settings })
    }

    fn exported(_: &CheckDocument, query: &Query<CheckSettings>, options: &CheckOptions) -> Result<Option<Beside>, String> {
        let (Some(folder), Some(Readable(Ok(evidence)))) = (&options.smt, &query.settings.evidence) else { return Ok(None) };
        Ok(Some(Beside { folder: folder.clone(), overwrite: options.overwrite, exported: obligations::exported(evidence)? }))
    }

    fn form(options: &CheckOptions) -> Result<Form, String> {
        Ok(Form::json_if(options.json))
    }

    fn text(document: &CheckDocument, _: &Query<CheckSettings>, options: &CheckOptions) -> String {
        text(document, options)
    }
}

fn text(document: &CheckDocument, options: &CheckOptions) -> String {
    let (checked, rejected) = (document.checked as usize, document.rejected.len());
    let mut out = format!("{} checked, {rejected} rejected\n", counted(checked, "claim", "claims"));
    for rejected in &document.rejected {
        let _ = writeln!(out, "{}: {}", rejected.id, rejected.reason);
    }
    if document.checked == 0 && rejected == 0 {
        out += "there is no claim in this file, so it shows nothing\n";
    }
    if let (Some(line), [file, others @ ..]) = (document.differs_at, &*options.program) {
        let others: String = others.iter().map(|file| format!(" with {}", file.display())).collect();
        let _ = writeln!(
            out,
            "{}{others} is another text than the one in the evidence: they differ first in line {}",
            file.display(),
            text::line(&document.header, line)
        );
    }
    // Claims that speak of one place in one way are told together.
    let mut told: Vec<(&CheckedClaim, usize)> = Vec::new();
    for claim in document.claims.iter().filter(|claim| claim.accepted) {
        let same = |(other, _): &(&CheckedClaim, usize)| {
            (other.line, other.column, &other.kind, &other.text) == (claim.line, claim.column, &claim.kind, &claim.text)
                && other.assumes == claim.assumes
        };
        match told.iter_mut().rev().find(|other| same(other)) {
            Some((_, times)) => *times += 1,
            None => told.push((claim, 1)),
        }
    }
    for (claim, times) in told.iter().take(MOST_CLAIMS) {
        let times = if *times > 1 { format!(" (×{times})") } else { String::new() };
        let assumes = if claim.assumes.is_empty() { String::new() } else { format!(" [assumes {}]", claim.assumes.join(", ")) };
        let _ =
            writeln!(out, "  {}:{}: {} {}{times}{assumes}", text::line(&document.header, claim.line), claim.column, claim.kind, claim.text);
    }
    if told.len() > MOST_CLAIMS {
        let _ = writeln!(out, "  … and {} more; --json lists all", told.len() - MOST_CLAIMS);
    }
    out
}
