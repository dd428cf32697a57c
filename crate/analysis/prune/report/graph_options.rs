//! The options of a pruned graph, for `culdesac prune` and for commands that work in the pruned graph.

use super::MAX_LOOKAHEAD;
use super::graph_settings::PruneGraphSettings;
use crate::analysis::options::{Switch, length, name, whole};
use clap::{Args, ValueEnum};

/// How the graph is pruned.
#[derive(Args)]
pub struct GraphOptions {
    /// What is forgotten so that loops close
    #[arg(long, value_enum, default_value_t = AbstractionOption::Learn)]
    abstraction: AbstractionOption,
    /// Whether an infeasible path to the exit leads to a refinement
    #[arg(long, value_enum, default_value_t = Switch::On)]
    restarts: Switch,
    /// Up to how many edges the feasible paths of merged vertices must agree
    /// [default: 16, or 32 where that leaves fewer paths]
    #[arg(long, value_name = "N", value_parser = lookahead, allow_hyphen_values = true)]
    lookahead: Option<u32>,
    /// Do not unfold beyond this depth
    #[arg(long, value_name = "N", value_parser = length, allow_hyphen_values = true)]
    max_red_length: Option<u32>,
    /// Whether `learn` knows what holds at each location in every execution
    #[arg(long, value_enum, default_value_t = Switch::On)]
    invariants: Switch,
    /// Leave no infeasible path at all up to this length
    #[arg(long, value_name = "L", value_parser = length, allow_hyphen_values = true)]
    exact_up_to: Option<u32>,
    /// What is assumed of the inputs, e.g. 'n >= 0'
    #[arg(long, value_name = "CONDITION")]
    precondition: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AbstractionOption {
    /// Conjuncts of the path predicate, oldest first (the paper's method 1)
    Drop,
    /// The values of variables written in between (the paper's method 2)
    Havoc,
    /// What only one of the two implies
    Learn,
}

impl GraphOptions {
    pub fn settings(&self) -> PruneGraphSettings {
        PruneGraphSettings {
            abstraction: name(&self.abstraction),
            restarts: self.restarts == Switch::On,
            lookahead: self.lookahead,
            max_red_length: self.max_red_length,
            invariants: self.invariants == Switch::On,
            exact_up_to: self.exact_up_to,
            precondition: self.precondition.clone(),
        }
    }
}

fn lookahead(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_LOOKAHEAD).ok_or_else(|| format!("a lookahead is a whole number from 0 to {MAX_LOOKAHEAD}"))
}
