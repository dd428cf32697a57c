//! `culdesac cover`: options.

use super::text::text;
use super::{CoverDocument, CoverSettings};
use crate::analysis::cover::Cover;
use crate::analysis::options::{Command, ProgramOptions, ReadFile, name, whole};
use crate::analysis::settle::settled_cover;
use crate::analysis::{Analysis, Listener, Query, Question};
use crate::evidence::bounded::MAX_UNWIND;
use crate::view::Reply;
use clap::{Args, ValueEnum};

/// Tests for every statement that can be executed within a bound, and why the others cannot
#[derive(Args)]
pub struct CoverOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// How often each loop's header may be returned to before the loop is left [default: 3, or as often as the shortest run on simple inputs needs; then tests beyond that count, too]
    #[arg(long, value_name = "K", value_parser = bound, allow_hyphen_values = true)]
    unwind: Option<u32>,
    /// How executions are asked for
    #[arg(long, value_enum, default_value_t = AlgorithmOption::Prefer)]
    algorithm: AlgorithmOption,
    /// What is assumed of the inputs, e.g. 'n >= 0'
    #[arg(long, value_name = "CONDITION")]
    precondition: Option<String>,
    /// Cover called functions by themselves first and use their tests in place of their bodies; what that leaves is looked for with calls inlined
    #[arg(long)]
    summaries: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AlgorithmOption {
    /// By enabling clauses: each test covers something new
    Sc,
    /// By blocking clauses: a test for every feasible path
    Pc,
    /// One question for each minimal block
    Fm,
    /// The most new blocks in each question
    Vstte,
    /// As `sc`, with a solver that prefers what is not covered
    Prefer,
}

impl Command for Cover {
    type Options = CoverOptions;

    fn program(options: &CoverOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &CoverOptions, read: ReadFile) -> Result<Query<CoverSettings>, String> {
        let settings = CoverSettings {
            unwind: options.unwind,
            algorithm: name(&options.algorithm),
            precondition: options.precondition.clone(),
            summaries: options.summaries,
        };
        options.program.query(read, settings)
    }

    fn settled(question: &Question<CoverSettings>, options: &CoverOptions, listener: &mut Listener) -> Reply<CoverDocument> {
        match options.program.only {
            true => Cover::answer(question, listener),
            false => settled_cover(question.request, question.settings, listener),
        }
    }

    fn text(document: &CoverDocument, _: &Query<CoverSettings>, _: &CoverOptions) -> String {
        text(document)
    }
}

fn bound(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_UNWIND).ok_or_else(|| format!("a number of unwindings is a whole number from 0 to {MAX_UNWIND}"))
}
