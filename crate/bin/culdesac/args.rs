//! What can be asked. Values out of range are refused here, with the range in the message.

use clap::{Args, Parser, Subcommand, ValueEnum};
use culdesac::generate::MAX_DIAMONDS;
use culdesac::view::{
    ExplainRoundSettings, ExplainSettings, MAX_INLINE_DEPTH, MAX_INSTRUCTIONS, MAX_LENGTH, MAX_LOOKAHEAD, MAX_UNWIND, PruneSettings,
};
use std::path::PathBuf;

/// Shows which paths of a small C program can never run, why, and what input runs the rest.
#[derive(Parser)]
#[command(name = "culdesac", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// The control-flow graph: locations, edges, loops
    Cfg(Cfg),
    /// How many complete paths there are up to given lengths
    Paths(Paths),
    /// Draw complete paths uniformly at random
    Draw(Draw),
    /// A graph with the same feasible paths and fewer infeasible ones
    Prune(Prune),
    /// Why paths cannot run, and all paths that cannot for the same reason
    Explain(Explain),
    /// Tests for every statement that can be executed within a bound, and why the others cannot
    Cover(Cover),
    /// Run the function on one input
    Run(Run),
    /// Print a random program of the kind that CHS12 was measured on
    Generate(Generate),
    /// Check the evidence of an earlier run
    Check(Check),
    /// Answer the questions of an SMT-LIB 2 file
    Solve(Solve),
}

/// Options of every command that reads a program.
#[derive(Args)]
pub struct Common {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The function to analyse [default: the only one; else `main` if it does more than call; else the last one]
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// What integers are [default: as `#pragma culdesac ints` says, else c32; the block language: unbounded]
    #[arg(long, value_enum)]
    pub ints: Option<Ints>,
    /// How often a function that calls itself is inlined within itself; executions that go deeper are left out [default: 8]
    #[arg(long, value_name = "N", value_parser = inline_depth, allow_hyphen_values = true)]
    pub inline_depth: Option<u32>,
    /// Stop after this many steps; the same limit gives the same result on every machine
    #[arg(long, value_name = "STEPS", value_parser = limit, allow_hyphen_values = true)]
    pub limit: Option<u64>,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ints {
    /// Integers of any size, as in the papers
    Unbounded,
    /// C's types
    C32,
}

#[derive(Args)]
pub struct Cfg {
    #[command(flatten)]
    pub common: Common,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table
    Text,
    /// A graph for Graphviz
    Dot,
    /// The same as `--json`
    Json,
}

#[derive(Args)]
pub struct Paths {
    #[command(flatten)]
    pub common: Common,
    /// Greatest numbers of edges, e.g. 30,50,100
    #[arg(long, value_name = "L,…", value_delimiter = ',', value_parser = length, default_value = "30,50,100", allow_hyphen_values = true)]
    pub lengths: Vec<u32>,
    /// Count the feasible ones among them too
    #[arg(long)]
    pub feasible: bool,
}

#[derive(Args)]
pub struct Draw {
    #[command(flatten)]
    pub common: Common,
    /// The greatest number of edges
    #[arg(long, value_name = "L", value_parser = length, allow_hyphen_values = true)]
    pub length: u32,
    /// How many paths
    #[arg(long, value_name = "N", value_parser = count, default_value = "1", allow_hyphen_values = true)]
    pub count: u32,
    /// Draw from the pruned graph
    #[arg(long)]
    pub pruned: bool,
    #[command(flatten)]
    pub settings: PruneOptions,
    /// Draw until this many feasible paths are found, and print those only
    #[arg(long)]
    pub feasible_only: bool,
}

#[derive(Args)]
pub struct Prune {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub settings: PruneOptions,
    /// Greatest numbers of edges, e.g. 30,50,100
    #[arg(long, value_name = "L,…", value_delimiter = ',', value_parser = length, default_value = "30,50,100", allow_hyphen_values = true)]
    pub lengths: Vec<u32>,
    /// Count the feasible ones too
    #[arg(long)]
    pub feasible: bool,
}

/// How the graph is pruned.
#[derive(Args)]
pub struct PruneOptions {
    /// What is forgotten so that loops close
    #[arg(long, value_enum, default_value_t = Abstraction::Learn)]
    pub abstraction: Abstraction,
    /// Whether an infeasible path to the exit leads to a refinement
    #[arg(long, value_enum, default_value_t = Switch::On)]
    pub restarts: Switch,
    /// Up to how many edges the feasible paths of merged vertices must agree
    #[arg(long, value_name = "N", value_parser = lookahead, default_value = "16", allow_hyphen_values = true)]
    pub lookahead: u32,
    /// Do not unfold beyond this depth
    #[arg(long, value_name = "N", value_parser = length, allow_hyphen_values = true)]
    pub max_red_length: Option<u32>,
    /// What is assumed of the inputs, e.g. 'n >= 0'
    #[arg(long, value_name = "CONDITION")]
    pub precondition: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Abstraction {
    /// Conjuncts of the path predicate, oldest first (the paper's method 1)
    Drop,
    /// The values of variables written in between (the paper's method 2)
    Havoc,
    /// What only one of the two implies
    Learn,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl PruneOptions {
    pub fn settings(&self) -> PruneSettings {
        let abstraction = match self.abstraction {
            Abstraction::Drop => "drop",
            Abstraction::Havoc => "havoc",
            Abstraction::Learn => "learn",
        };
        PruneSettings {
            abstraction: abstraction.to_owned(),
            restarts: self.restarts == Switch::On,
            lookahead: self.lookahead,
            max_red_length: self.max_red_length,
            precondition: self.precondition.clone(),
        }
    }
}

#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    pub common: Common,
    /// Look at prefixes of so many instructions at most: their edges and one more
    #[arg(long, value_name = "N", value_parser = instructions, default_value = "50", allow_hyphen_values = true)]
    pub max_instructions: u32,
    /// In which order constraints are looked at for an explanation
    #[arg(long, value_enum, default_value_t = Order::First)]
    pub order: Order,
    /// How strongly constraints are checked
    #[arg(long, value_enum, default_value_t = Strength::Integer)]
    pub check: Strength,
    /// How far a family reaches around its path
    #[arg(long, value_enum, default_value_t = Extend::Detours)]
    pub extend: Extend,
    /// Explain this path only, by its edges as `culdesac cfg` numbers them
    #[arg(long, value_name = "E1,E2,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub path: Option<Vec<u32>>,
    /// For so many families, evenly chosen, prove each path by itself too, and compare the times [default: 40, with --json 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub compare: Option<u32>,
    /// Instead: draw paths of at most so many edges, explain those that cannot run, and take their families away, until none is left
    #[arg(long, value_name = "L", value_parser = length, conflicts_with = "path", allow_hyphen_values = true)]
    pub rounds: Option<u32>,
    /// With --rounds: draw from the pruned graph
    #[arg(long, requires = "rounds")]
    pub pruned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// In path order
    First,
    /// The last one first
    Last,
    /// All minimal explanations
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Strength {
    /// Interval propagation
    Interval,
    /// The linear relaxation
    Rational,
    /// The whole solver
    Integer,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Extend {
    /// Detours from the path (the paper's algorithm)
    Detours,
    /// Any way between its indispensable edges (the paper's definition)
    AnyWay,
}

impl Explain {
    pub fn settings(&self) -> ExplainSettings {
        let order = match self.order {
            Order::First => "first",
            Order::Last => "last",
            Order::All => "all",
        };
        let check = match self.check {
            Strength::Interval => "interval",
            Strength::Rational => "rational",
            Strength::Integer => "integer",
        };
        ExplainSettings {
            max_instructions: self.max_instructions,
            order: order.to_owned(),
            check: check.to_owned(),
            extend: if self.extend == Extend::Detours { "detours" } else { "any_way" }.to_owned(),
            path: self.path.clone(),
            rounds: self.rounds.map(|length| ExplainRoundSettings { length, pruned: self.pruned }),
            compare: self.compare.unwrap_or(if self.common.json { 0 } else { 40 }),
        }
    }
}

#[derive(Args)]
pub struct Cover {
    #[command(flatten)]
    pub common: Common,
    /// How often each loop's header may be returned to before the loop is left [default: 3, or as often as the shortest run on simple inputs needs]
    #[arg(long, value_name = "K", value_parser = bound, allow_hyphen_values = true)]
    pub unwind: Option<u32>,
    /// How executions are asked for
    #[arg(long, value_enum, default_value_t = CoverAlgorithm::Prefer)]
    pub algorithm: CoverAlgorithm,
    /// What is assumed of the inputs, e.g. 'n >= 0'
    #[arg(long, value_name = "CONDITION")]
    pub precondition: Option<String>,
    /// Cover called functions by themselves first and use their tests in place of their bodies; what that leaves is looked for with calls inlined
    #[arg(long)]
    pub summaries: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CoverAlgorithm {
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

impl CoverAlgorithm {
    pub fn name(self) -> &'static str {
        match self {
            CoverAlgorithm::Sc => "sc",
            CoverAlgorithm::Pc => "pc",
            CoverAlgorithm::Fm => "fm",
            CoverAlgorithm::Vstte => "vstte",
            CoverAlgorithm::Prefer => "prefer",
        }
    }
}

#[derive(Args)]
pub struct Generate {
    /// How many diamonds (choices between four ways) stand in a row
    #[arg(long, value_name = "D", value_parser = diamonds, default_value = "5", allow_hyphen_values = true)]
    pub diamonds: u32,
    /// Where random choices start
    #[arg(long, value_name = "N", default_value = "0", value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,
}

#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    pub common: Common,
    /// E.g. '{"n": 3, "a": {"0": 7, "default": 0}, "nondet": [1, 2]}'; what is left out is 0
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub input: String,
}

#[derive(Args)]
pub struct Check {
    /// A file that `--evidence` wrote
    #[arg(value_name = "EVIDENCE")]
    pub file: PathBuf,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub json: bool,
}

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

/// The most paths drawn at once.
const MAX_COUNT: u32 = 100_000;

fn length(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_LENGTH).ok_or_else(|| format!("a length is a whole number from 0 to {MAX_LENGTH}"))
}

fn instructions(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_INSTRUCTIONS).ok_or_else(|| format!("a number of instructions is a whole number from 1 to {MAX_INSTRUCTIONS}"))
}

fn lookahead(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_LOOKAHEAD).ok_or_else(|| format!("a lookahead is a whole number from 0 to {MAX_LOOKAHEAD}"))
}

fn bound(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_UNWIND).ok_or_else(|| format!("a number of unwindings is a whole number from 0 to {MAX_UNWIND}"))
}

fn inline_depth(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_INLINE_DEPTH).ok_or_else(|| format!("a depth is a whole number from 0 to {MAX_INLINE_DEPTH}"))
}

fn diamonds(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_DIAMONDS).ok_or_else(|| format!("a number of diamonds is a whole number from 1 to {MAX_DIAMONDS}"))
}

fn count(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_COUNT).ok_or_else(|| format!("give a whole number from 1 to {MAX_COUNT}"))
}

fn limit(text: &str) -> Result<u64, String> {
    whole(text, 1, u64::MAX).ok_or_else(|| format!("a limit is a whole number of steps from 1 to {}", u64::MAX))
}

fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX).ok_or_else(|| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

fn whole<T: std::str::FromStr + PartialOrd>(text: &str, least: T, most: T) -> Option<T> {
    text.trim().parse().ok().filter(|number| (least..=most).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
