//! Evidence: what a claim says, how a file writes it, how to check it.
//!
//! This module lies below the analyses and above what is trusted beside it. An analysis asks it what has to be shown, shows that
//! by whatever means, and hands the claim over; the check derives anew what has to be shown and believes nothing else.
//!
//! # What is trusted
//!
//! The truth of an accepted claim rests on these modules alone; `TRUSTED` in `tests/it/tidy.rs` is the same list, and guards that
//! none of them uses anything else.
//!
//! | module | what it must do right |
//! |---|---|
//! | [`crate::source`], [`crate::lang`], [`crate::memory`], [`crate::lts`], [`crate::load`] | read the program and lower it |
//! | [`crate::logic`] | the normal form of terms and formulas, their evaluation, substitution |
//! | [`crate::interp`] | run the program: judges every claimed input |
//! | [`crate::symex`] | derive the condition and the effect of an edge |
//! | [`crate::solver::certificate`], [`crate::solver::check`](mod@crate::solver::check) | check that formulas contradict each other |
//! | [`crate::count`] | count the paths of a graph that is known to be exact |
//! | [`crate::view`] | plain data: the file's numbers and inputs |
//! | [`claim`], [`proof`] | the file's form: what is written, what is read |
//! | [`path`] | `reached`, `infeasible`: a path with its input or its refutation |
//! | [`sequence`] | `reached`: the calls that leave the statics which a run starts with |
//! | [`graph`] | `pruned`, `excluded`, `dead_ends`, `defined`: what has to be shown of a graph of places |
//! | [`counted`] | `counted`: what has to be shown besides, so that each path of a graph is feasible |
//! | [`family`] | `family`: what has to be shown of an automaton of infeasible paths |
//! | [`bounded`] | `not_covered`, `within_bound`: the program unwound and its condition |
//! | [`determined`] | `determined`: the one run of a program that reads no input |
//! | [`enumerated`] | `enumerated`: the runs on all inputs of a program that has few |
//! | [`mod@check`] | that each claim is about this program |
//!
//! Not trusted: the solver's search, [`crate::search`], [`crate::states`], the analyses.
//!
//! # The file
//!
//! A file is one JSON object: the program's text and function, and a list of claims. A `reached` claim has the edges of
//! a path prefix and an input; checking replays it. An `infeasible` claim has the edges, the indices of the edges whose
//! conditions contradict each other, and a certificate; checking derives the conditions anew from text and path and
//! then checks the certificate against them. A `pruned` claim has a graph whose places carry formulas, and a certificate for
//! each step of its being an inductive invariant; checking derives the steps anew from text and graph. A `counted` claim has such a
//! graph and a length, and certificates that its paths up to the length are all feasible too: for each edge the values before it are
//! named as terms over those after it (`instances`). Checking derives the steps of both anew and counts the paths.
//! A `family` claim has an automaton over the function's edges, what is known at each of its states, and a certificate that what
//! holds at its accepting states cannot hold; checking derives what each transition makes of what is known before it.
//!
//! A `not_covered` claim has edges, a bound and a certificate; checking unwinds the program that often, derives the condition of
//! its executions anew and checks the certificate against it. A `within_bound` claim has edges, a bound, and a certificate for
//! each way out of the bound from which the function's graph leads to them; checking finds the ways anew. What a `not_covered`
//! claim with the same bound and the same `taken` says of these edges then holds of every execution. An `excluded` claim has a
//! graph as a `pruned` claim has, checked in the same way, and edges that none of its paths takes, or after which none gets to
//! the exit. Its formulas may speak of *ghosts*, variables beside the program's, which the graph's edges give values (`updates`). A `dead_ends` claim
//! has edges after which the function's own graph has no way to the exit. A `defined` claim says what an `excluded` claim
//! says of undefined edges: its numbers are those of the function's graph with undefined edges ([`crate::lts::undefined`]), which checking
//! makes anew.
//!
//! A `determined` claim has edges that the one run of a program without any input does not take, or (without `taken`) all that it takes
//! before it ends elsewhere than at the exit. Checking runs the program anew; whatever nothing in the program determines ends the run, and
//! the claim is rejected. An `enumerated` claim has edges that no run of a program with few inputs takes; checking runs it on each of them. A
//! `defined_enumerated` claim says the same of undefined edges, as a `defined` claim does.
//!
//! A certificate's `terms` are a table in which an entry refers to earlier ones by index (from 0). Entries are integer
//! atoms (`symbol`, `select`, `product`, `quotient`, `remainder`, `truth`), arrays (`array`, `constant`, `store`) and formulas
//! (`true`, `false`, `le`: sum ≤ 0, `eq`: sum = 0, `bool`, `not`, `and`, `or`). A sum is `[constant, [coefficient, atom], …]`, its
//! numbers decimal strings, as are those of the rules. A literal is an index plus one, negative for a negation. What the lines mean stands in
//! `solver/certificate.rs`.
//!
//! Where a file has `unfolding`, the edges of its claims are those of the function's unfolded graph (`crate/lts/unfold.rs`), which checking
//! makes anew: its locations tell apart what an execution has done before, so a claim about an edge is one about an evaluation of a decision
//! (`decisions`) or about a prime path (`prime-paths`).
//!
//! # Example
//!
//! ```
//! use culdesac::evidence::{Claim, check::check_claim};
//! use culdesac::interp::Machine;
//!
//! let program = culdesac::lang::parse("int f(int x) { if (x > 3) return 1; return 0; }").program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let claim = |x: i32| -> Claim {
//!     let claim = serde_json::json!({ "claim": "reached", "id": "path-1", "path": [0], "input": { "x": x } });
//!     serde_json::from_value(claim).expect("a claim")
//! };
//! // Edge 0 is the side on which `x > 3` holds.
//! assert_eq!(check_claim(&lts, &Machine::new(&lts), &claim(4)), Ok(()));
//! assert!(check_claim(&lts, &Machine::new(&lts), &claim(3)).is_err());
//! ```

pub mod bounded;
pub mod check;
pub mod claim;
pub mod counted;
pub mod determined;
pub mod enumerated;
pub mod family;
pub mod graph;
pub mod judge;
mod left_memory;
pub mod path;
pub mod proof;
pub mod sequence;

pub use claim::{Claim, ClaimGraph, Evidence, MAX_EVIDENCE, Statement, WrittenWay};
pub use counted::written::{WrittenInstance, WrittenInstances, read_instances};
pub use family::written::{FamilyGraph, FamilyState, read_family, write_family};
pub use graph::written::{PrunedGraph, read_graph, write_graph};
pub use proof::{Derivation, Proof, ProofLine, ProofRule, ProofTerm, Sum, read, write};

use crate::lts::EdgeId;

/// Edges as a file has them.
pub(crate) fn numbers(edges: &[EdgeId]) -> Vec<u32> {
    edges.iter().map(|edge| edge.index() as u32).collect()
}

/// The edges of these numbers; this does not check whether they exist.
fn ids(edges: &[u32]) -> Vec<EdgeId> {
    edges.iter().map(|&edge| EdgeId::new(edge as usize)).collect()
}
