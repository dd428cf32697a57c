//! `culdesac explain`: options.

use super::text::text;
use super::{ExplainDocument, ExplainRoundSettings, ExplainSettings, MAX_INSTRUCTIONS};
use crate::analysis::Query;
use crate::analysis::explain::Explain;
use crate::analysis::options::{Command, ProgramOptions, ReadFile, length, name, whole};
use clap::{Args, ValueEnum};

/// Why paths cannot run, and all paths that cannot for the same reason
#[derive(Args)]
pub struct ExplainOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// Look at prefixes of so many instructions at most: their edges and one more
    #[arg(long, value_name = "N", value_parser = instructions, default_value = "50", allow_hyphen_values = true)]
    max_instructions: u32,
    /// In which order constraints are looked at for an explanation
    #[arg(long, value_enum, default_value_t = ExplainOrderOption::First)]
    order: ExplainOrderOption,
    /// How strongly constraints are checked
    #[arg(long, value_enum, default_value_t = StrengthOption::Integer)]
    check: StrengthOption,
    /// How far a family reaches around its path [default: detours; with --rounds-length any-way, which needs the fewest rounds]
    #[arg(long, value_enum)]
    extend: Option<Extend>,
    /// Explain this path only, by its edges as `culdesac cfg` numbers them
    #[arg(long, value_name = "E1,E2,…", value_delimiter = ',', allow_hyphen_values = true)]
    path: Option<Vec<u32>>,
    /// For so many families, evenly chosen, prove each path by itself too, and compare the times [default: 40, with --json 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    compare: Option<u32>,
    /// Instead: draw paths of at most L edges, explain those that cannot run, and take their families away, round by round, until
    /// none is left. L is a length, not a number of rounds; `--rounds L` is the same
    #[arg(long, value_name = "L", alias = "rounds", value_parser = length, conflicts_with = "path", allow_hyphen_values = true)]
    rounds_length: Option<u32>,
    /// With --rounds-length: draw from the pruned graph
    #[arg(long, requires = "rounds_length")]
    pruned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainOrderOption {
    /// In path order
    First,
    /// The last one first
    Last,
    /// All minimal explanations
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrengthOption {
    /// Interval propagation
    Interval,
    /// The linear relaxation
    Rational,
    /// The whole solver
    Integer,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Extend {
    /// Detours from the path (the paper's algorithm)
    Detours,
    /// Any way between its indispensable edges (the paper's definition)
    AnyWay,
}

impl Command for Explain {
    type Options = ExplainOptions;

    fn program(options: &ExplainOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &ExplainOptions, read: ReadFile) -> Result<Query<ExplainSettings>, String> {
        let extend = options.extend.unwrap_or(if options.rounds_length.is_some() { Extend::AnyWay } else { Extend::Detours });
        let settings = ExplainSettings {
            max_instructions: options.max_instructions,
            order: name(&options.order),
            check: name(&options.check),
            extend: name(&extend).replace('-', "_"),
            path: options.path.clone(),
            rounds: options.rounds_length.map(|length| ExplainRoundSettings { length, pruned: options.pruned }),
            compare: options.compare.unwrap_or(if options.program.json { 0 } else { 40 }),
        };
        options.program.query(read, settings)
    }

    fn text(document: &ExplainDocument, _: &Query<ExplainSettings>, _: &ExplainOptions) -> String {
        text(document)
    }
}

fn instructions(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_INSTRUCTIONS).ok_or_else(|| format!("a number of instructions is a whole number from 1 to {MAX_INSTRUCTIONS}"))
}
