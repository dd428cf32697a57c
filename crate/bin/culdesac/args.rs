//! What can be asked: every command of the table of analyses, and `solve`.

use crate::justify::{JUSTIFY, JustifyOptions};
use clap::{Args, Command};
use culdesac::analysis;
use culdesac::analysis::options::{count, limit};
use std::path::PathBuf;

/// The command line.
pub fn cli() -> Command {
    Command::new("culdesac")
        .about("Shows which paths of a small C program can never run, why, and what input runs the rest")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(analysis::commands())
        .subcommand(JustifyOptions::augment_args(Command::new(JUSTIFY)))
        .subcommand(Solve::augment_args(Command::new(SOLVE)))
}

/// The command that is no analysis.
pub const SOLVE: &str = "solve";

/// Answer the questions of an SMT-LIB 2 file
#[derive(Args)]
pub struct Solve {
    /// An SMT-LIB 2 file (QF_LIA, QF_ALIA); `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print how long each check took
    #[arg(long)]
    pub times: bool,
    /// Execute the script so often, each time with a fresh solver; times are the medians. Without it, with --times or
    /// --json, a script that takes a few milliseconds is executed up to 9 times, so that its times are those of a warm program
    #[arg(long, value_name = "N", value_parser = count)]
    pub repeat: Option<u32>,
    /// Steps for each check
    #[arg(long, value_name = "STEPS", value_parser = limit, allow_hyphen_values = true)]
    pub limit: Option<u64>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        cli().debug_assert();
    }
}
