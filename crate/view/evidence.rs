//! Evidence files: every claim of a run with what makes it believable, for `check` and for other programs to read.
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
//! A `not_covered` claim has edges, a bound and a certificate; checking unwinds the program that often, derives the condition of its
//! executions anew and checks the certificate against it. A `within_bound` claim has edges, a bound, and a certificate for each way
//! out of the bound from which the function's graph leads to them; checking finds the ways anew. What a `not_covered` claim with
//! the same bound and the same `taken` says of these edges holds of every execution. An `excluded` claim has a graph as a `pruned` claim, checked in the same way,
//! and edges that none of its paths takes, or behind which none gets to the exit. A `dead_ends` claim has edges from behind which the function's own graph has no way to the
//! exit.
//!
//! A certificate's `terms` are a table in which an entry refers to earlier ones by index (from 0). Entries are integer
//! atoms (`symbol`, `select`, `product`, `quotient`, `remainder`, `truth`), arrays (`array`, `constant`, `store`) and formulas
//! (`true`, `false`, `le`: sum ≤ 0, `eq`: sum = 0, `bool`, `not`, `and`, `or`). A sum is `[constant, [coefficient, atom], …]`, its
//! numbers decimal strings, as are those of the rules. A literal is an index plus one, negative for a negation. What the lines mean stands in
//! `solver/certificate.rs`.

mod cover;
mod family;
mod graph;
mod proof;

pub(super) use cover::{dead_ends, excluded_claim, not_covered, not_covered_claim, not_in_graph, within_bound, within_claim};
pub use family::{FamilyGraph, FamilyState, read_family, write_family};
pub use graph::{PrunedGraph, WrittenInstance, WrittenInstances, counted, read_graph, read_instances, write_graph};
pub use proof::{Derivation, Proof, ProofLine, Rule, Sum, Term, read, write};
use proof::{Entry, Reader, Writer, number};

use super::{Header, Input, Ints, Request, SCHEMA};
use serde::{Deserialize, Serialize};

/// An evidence file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    pub schema: u32,
    /// The program's name.
    pub program: String,
    pub source: String,
    pub function: String,
    /// The integers' meaning: `unbounded` or `c32`.
    pub ints: String,
    /// How often functions were inlined within themselves, where some are: the claims are about executions that go no deeper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline_depth: Option<u32>,
    /// What is assumed of the inputs, as a condition in C.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    pub claims: Vec<Claim>,
}

impl Evidence {
    /// What a run claimed about the request's program; `header` is that of the run's document.
    pub fn of(request: &Request, header: &Header, claims: Vec<Claim>) -> Evidence {
        Evidence {
            schema: SCHEMA,
            program: request.program.clone(),
            source: request.source.clone(),
            function: header.function.clone(),
            ints: match header.ints {
                Ints::Unbounded => "unbounded",
                Ints::C32 => "c32",
            }
            .to_owned(),
            inline_depth: header.inline_depth,
            precondition: None,
            claims,
        }
    }
}

/// A claim about a path prefix, given by the numbers of its edges.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "claim", rename_all = "snake_case")]
pub enum Claim {
    Reached {
        id: String,
        path: Vec<u32>,
        input: Input,
    },
    Infeasible {
        id: String,
        path: Vec<u32>,
        core: Vec<u32>,
        certificate: Proof,
    },
    /// A graph that has all feasible paths of the function, and only paths of it.
    Pruned {
        id: String,
        graph: PrunedGraph,
        certificates: Vec<Proof>,
    },
    /// A graph whose paths from the entry to the exit of at most `length` edges are the feasible ones of the function; there are
    /// `count`.
    Counted {
        id: String,
        graph: PrunedGraph,
        certificates: Vec<Proof>,
        length: u32,
        count: String,
        instances: WrittenInstances,
        exact: Vec<Proof>,
    },
    /// An automaton that accepts only paths that cannot run, all for one reason.
    Family {
        id: String,
        family: FamilyGraph,
    },
    /// No execution that returns to each loop's header at most `unwind` times before it leaves the loop takes one of these edges and
    /// completes, or (`taken`) even takes one.
    NotCovered {
        id: String,
        unwind: u32,
        taken: bool,
        edges: Vec<u32>,
        certificate: Proof,
    },
    /// No execution that takes one of these edges completes: from behind it the function's graph has no way to the exit.
    DeadEnds {
        id: String,
        edges: Vec<u32>,
    },
    /// No execution takes one of these edges after it has left the bound `unwind` (it returned to a header more often before it left
    /// the loop, or called a function within itself more often than calls were inlined), or (without `taken`) leaves it before or
    /// after that. Each way out that could matter has a certificate that it is never taken.
    WithinBound {
        id: String,
        unwind: u32,
        taken: bool,
        edges: Vec<u32>,
        ways: Vec<WrittenWay>,
    },
    /// The graph has all feasible paths, and none of its paths from place 0 takes one of these edges, or (without `taken`) none gets
    /// from behind one to the exit.
    Excluded {
        id: String,
        taken: bool,
        edges: Vec<u32>,
        graph: PrunedGraph,
        certificates: Vec<Proof>,
    },
}

/// Edges that leave the bound at one place, and a certificate that none of them is ever taken there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WrittenWay {
    pub edges: Vec<u32>,
    pub certificate: Proof,
}

impl Claim {
    /// Its kind, as in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Claim::Reached { .. } => "reached",
            Claim::Infeasible { .. } => "infeasible",
            Claim::Pruned { .. } => "pruned",
            Claim::Counted { .. } => "counted",
            Claim::Family { .. } => "family",
            Claim::NotCovered { .. } => "not_covered",
            Claim::WithinBound { .. } => "within_bound",
            Claim::Excluded { .. } => "excluded",
            Claim::DeadEnds { .. } => "dead_ends",
        }
    }
}
