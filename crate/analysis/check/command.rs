//! `culdesac check`: options, and the answer for people.

use super::{Check, CheckDocument, CheckSettings, Readable};
use crate::analysis::Asked;
use crate::analysis::common::command::{Command, Form, ProgramOptions, Read};
use crate::analysis::common::text::counted;
use crate::evidence::Evidence;
use crate::view::Request;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// Check the evidence of an earlier run
#[derive(Args)]
pub struct Options {
    /// A file that `--evidence` wrote
    #[arg(value_name = "EVIDENCE")]
    file: PathBuf,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

impl Command for Check {
    type Options = Options;

    fn program(_: &Options) -> Option<&ProgramOptions> {
        None
    }

    /// The request is there for its text alone, to which messages about the program refer.
    fn asked(options: &Options, read: Read) -> Result<Asked<CheckSettings>, String> {
        let (name, text) = read(&options.file)?;
        let evidence: Evidence = serde_json::from_str(&text).map_err(|error| format!("{name}: not an evidence file: {error}"))?;
        let program = format!("{} (in {name})", evidence.program);
        let request = Request { program, source: evidence.source.clone(), ..Request::default() };
        Ok(Asked { request: Some(request), settings: CheckSettings { evidence: Some(Readable(Ok(evidence))), unreadable: None } })
    }

    fn form(options: &Options) -> Result<Form, String> {
        Ok(Form::json_if(options.json))
    }

    fn text(document: &CheckDocument, _: &Asked<CheckSettings>, _: &Options) -> String {
        text(document)
    }
}

fn text(document: &CheckDocument) -> String {
    let (checked, rejected) = (document.checked as usize, document.rejected.len());
    let mut out = format!("{} checked, {rejected} rejected\n", counted(checked, "claim", "claims"));
    for rejected in &document.rejected {
        let _ = writeln!(out, "{}: {}", rejected.id, rejected.reason);
    }
    out
}
