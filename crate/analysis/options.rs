//! What the commands of the command line have in common. They refuse values out of range here, with the range in the message.

pub mod batch;
pub mod resources;
pub mod source;

use crate::analysis::{Analysis, Listener, Query, Question};
use crate::count::MAX_LENGTH;
use crate::export::Exported;
use crate::load::MAX_INLINE_DEPTH;
use crate::lts::unfold::GraphUnfolding;
use crate::source::files::{SourceOptions, linked};
use crate::view::{Ints, Reply, Request};
pub use batch::{BatchForm, BatchOptions, BatchQuery};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
pub use resources::ResourceLimits;
pub use source::SourceArguments;
use std::path::{Path, PathBuf};

/// An analysis as a command; the documentation of its options' type is what the help says of it.
pub trait Command: Analysis {
    type Options: Args;

    /// The options that it has in common with other commands, if it reads a program.
    fn program(options: &Self::Options) -> Option<&ProgramOptions>;

    /// The question that the options ask.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    fn query(options: &Self::Options, read: ReadFile) -> Result<Query<Self::Settings>, String>;

    /// The answer of the command: its verdicts are those of all engines, unless the options ask for the method alone.
    fn settled(question: &Question<Self::Settings>, _options: &Self::Options, listener: &mut Listener) -> Reply<Self::Document> {
        Self::answer(question, listener)
    }

    /// What the graph tells apart that the claims of the answer are about, where it is an unfolded one: evidence has to say so.
    fn unfolding(_options: &Self::Options) -> Option<GraphUnfolding> {
        None
    }

    /// How to print the answer.
    ///
    /// # Errors
    /// Which options contradict each other.
    fn form(options: &Self::Options) -> Result<Form, String> {
        Ok(Form::json_if(Self::program(options).is_some_and(|program| program.json)))
    }

    /// What to write beside the answer.
    ///
    /// # Errors
    /// Why it cannot be made.
    fn exported(_document: &Self::Document, _query: &Query<Self::Settings>, _options: &Self::Options) -> Result<Option<Beside>, String> {
        Ok(None)
    }

    /// What the options say of many programs or functions, if the command takes a batch of them.
    fn batch(_options: &Self::Options) -> Option<BatchQuery<'_>> {
        None
    }

    /// The answer for people.
    fn text(document: &Self::Document, query: &Query<Self::Settings>, options: &Self::Options) -> String;

    /// The answer in the form that the options name: for people, if they name none.
    ///
    /// # Errors
    /// Why the form cannot hold the answer, and what can.
    fn printed(document: &Self::Document, query: &Query<Self::Settings>, options: &Self::Options) -> Result<String, String> {
        Ok(Self::text(document, query, options))
    }
}

/// Files to write beside the answer.
pub struct Beside {
    pub folder: PathBuf,
    /// Whether they may replace others of their names.
    pub overwrite: bool,
    pub exported: Exported,
}

/// What to do with one of the commands, whichever it is.
pub trait CommandVisitor {
    type Output;
    fn command<A: Command>(self) -> Self::Output;
}

/// The definition of a command.
pub fn command<A: Command>() -> clap::Command {
    A::Options::augment_args(clap::Command::new(A::NAME))
}

/// Reads a file, or standard input for `-`: what people call it and its text, or why there is none. With options it is a program, which is
/// read with its headers.
pub type ReadFile<'a> = &'a mut dyn FnMut(&Path, Option<&SourceOptions>) -> Result<(String, String), String>;

/// How to print an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Json,
    Text,
    /// As a text, without warnings about the program: other programs read it.
    Bare,
}

impl Form {
    pub fn json_if(json: bool) -> Form {
        if json { Form::Json } else { Form::Text }
    }
}

/// Options of every command that reads a program.
#[derive(Args)]
pub struct ProgramOptions {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    /// The function to analyse [default: the only one; else `main` if it decides and reads an input; else one with decisions that `main` calls; else the last that decides]
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// What integers are [default: as `#pragma culdesac ints` says, else c32; the block language: unbounded]
    #[arg(long, value_enum)]
    pub ints: Option<Ints>,
    /// How often a function that calls itself is inlined within itself: a search for inputs goes no deeper [default: at most 8, less where the graph gets large]
    #[arg(long, value_name = "N", value_parser = inline_depth, allow_hyphen_values = true)]
    pub inline_depth: Option<u32>,
    /// Assume this of the world around the function; it may be given several times
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub assume: Vec<String>,
    /// Do not assume this
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub no_assume: Vec<String>,
    /// Stop after this many steps; the same limit gives the same result on every machine
    #[arg(long, value_name = "STEPS", value_parser = limit, allow_hyphen_values = true)]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub resources: ResourceLimits,
    /// Run the command's own method alone, as in its paper: `cover`, `branches` and `reach` otherwise take over what other engines settle
    #[arg(long)]
    pub only: bool,
    /// Where random choices start
    #[arg(long, value_name = "N", default_value = "0", value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,
    /// Write every solver query to this directory as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Write all evidence to this file, for `culdesac check`
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<PathBuf>,
    /// Write what happens to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub json: bool,
}

impl ProgramOptions {
    /// The question of these settings about the program.
    ///
    /// # Errors
    /// Why the program cannot be read.
    pub fn query<S>(&self, read: ReadFile, settings: S) -> Result<Query<S>, String> {
        let SourceArguments { options, others, is_linked } = &self.source;
        let (program, mut source) = read(&self.file, Some(options))?;
        for file in others.iter().filter(|_| *is_linked) {
            let (name, unit) = read(file, Some(options))?;
            source = linked(source, &name, &unit)?;
        }
        Ok(Query { request: Some(self.request(program, source)), settings })
    }

    /// The request about a program of this name and text.
    pub fn request(&self, program: String, source: String) -> Request {
        Request {
            program,
            source,
            function: self.function.clone(),
            limit: self.limit,
            seed: self.seed,
            ints: self.ints,
            inline_depth: self.inline_depth,
            assume: self.assume.clone(),
            no_assume: self.no_assume.clone(),
            label_steps: false,
        }
    }
}

impl ValueEnum for Ints {
    fn value_variants<'a>() -> &'a [Ints] {
        &[Ints::Unbounded, Ints::C32]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Ints::Unbounded => PossibleValue::new(self.name()).help("Integers of any size, as in the papers"),
            Ints::C32 => PossibleValue::new(self.name()).help("C's types"),
        })
    }
}

/// A switch with the values `on` and `off`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// The name of a value, as the settings have it.
pub fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// How many of something a caller can ask for at once.
const MAX_COUNT: u32 = 100_000;

/// The greatest number of edges of a path.
pub fn length(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_LENGTH).ok_or_else(|| format!("a length is a whole number from 0 to {MAX_LENGTH}"))
}

/// A depth of inlining.
pub fn inline_depth(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_INLINE_DEPTH).ok_or_else(|| format!("a depth is a whole number from 0 to {MAX_INLINE_DEPTH}"))
}

/// A number of things.
pub fn count(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_COUNT).ok_or_else(|| format!("give a whole number from 1 to {MAX_COUNT}"))
}

/// A limit of steps.
pub fn limit(text: &str) -> Result<u64, String> {
    whole(text, 1, u64::MAX).ok_or_else(|| format!("a limit is a whole number of steps from 1 to {}", u64::MAX))
}

/// A seed.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX).ok_or_else(|| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// The number, if it is one within these bounds.
pub fn whole<T: std::str::FromStr + PartialOrd>(text: &str, least: T, most: T) -> Option<T> {
    text.trim().parse().ok().filter(|number| (least..=most).contains(number))
}
