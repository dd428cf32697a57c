//! `culdesac generate`: options.

use super::{Generate, GenerateDocument, GenerateSettings};
use crate::analysis::Query;
use crate::analysis::options::{Command, Form, ProgramOptions, ReadFile, seed, whole};
use crate::generate::MAX_DIAMONDS;
use clap::Args;

/// Print a random program of the kind that CHS12 was measured on
#[derive(Args)]
pub struct GenerateOptions {
    /// How many diamonds (choices between four ways) stand in a row
    #[arg(long, value_name = "D", value_parser = diamonds, default_value = "5", allow_hyphen_values = true)]
    diamonds: u32,
    /// Where random choices start
    #[arg(long, value_name = "N", default_value = "0", value_parser = seed, allow_hyphen_values = true)]
    seed: u64,
}

impl Command for Generate {
    type Options = GenerateOptions;

    fn program(_: &GenerateOptions) -> Option<&ProgramOptions> {
        None
    }

    fn query(options: &GenerateOptions, _: ReadFile) -> Result<Query<GenerateSettings>, String> {
        Ok(Query { request: None, settings: GenerateSettings { diamonds: options.diamonds, seed: options.seed } })
    }

    fn form(_: &GenerateOptions) -> Result<Form, String> {
        Ok(Form::Bare)
    }

    fn text(document: &GenerateDocument, _: &Query<GenerateSettings>, _: &GenerateOptions) -> String {
        document.text.clone()
    }
}

fn diamonds(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_DIAMONDS).ok_or_else(|| format!("a number of diamonds is a whole number from 1 to {MAX_DIAMONDS}"))
}
