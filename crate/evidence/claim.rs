//! What an evidence file says: the program, and claims about it.

use super::{FamilyGraph, Proof, PrunedGraph, WrittenInstances};
use crate::view::{Call, Header, Input, Ints, Request, SCHEMA};
use serde::{Deserialize, Serialize};

/// Larger evidence files, in bytes, are neither written nor read.
pub const MAX_EVIDENCE: u64 = 64 << 20;

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
    /// How often lowering inlined functions within themselves, where it did: the claims are about executions that go no deeper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline_depth: Option<u32>,
    /// What the claims assume of the inputs, as a condition in C.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    pub claims: Vec<Claim>,
}

impl Evidence {
    /// An evidence file with the claims of a run about the request's program; `header` is that of the run's document.
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

/// A claim, about edges by their numbers; `assumes` are the names of the assumptions under which it holds ([`crate::lts::assume`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "claim", rename_all = "snake_case", try_from = "ClaimKeys")]
pub enum Claim {
    Reached {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        path: Vec<u32>,
        input: Input,
        /// The calls since the program's start that leave the statics that the input has.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        after: Vec<Call>,
    },
    Infeasible {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        path: Vec<u32>,
        core: Vec<u32>,
        certificate: Proof,
    },
    /// A graph that has all feasible paths of the function, and only paths of it.
    Pruned {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        graph: PrunedGraph,
        certificates: Vec<Proof>,
    },
    /// A graph whose paths from the entry to the exit of at most `length` edges are the feasible ones of the function; there are
    /// `count`.
    Counted {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
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
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        family: FamilyGraph,
    },
    /// No execution that returns to each loop's header at most `unwind` times before it leaves the loop takes one of these edges and
    /// completes, or (`taken`) even takes one.
    NotCovered {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        unwind: u32,
        taken: bool,
        edges: Vec<u32>,
        certificate: Proof,
    },
    /// No execution that takes one of these edges completes: from behind it the function's graph has no way to the exit.
    DeadEnds {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        edges: Vec<u32>,
    },
    /// No execution takes one of these edges after it has left the bound `unwind` (it returned to a header more often before it left
    /// the loop, or called a function within itself more often than calls were inlined), or (without `taken`) leaves it before or
    /// after that. Each way out that could matter has a certificate that it is never taken.
    WithinBound {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        unwind: u32,
        taken: bool,
        edges: Vec<u32>,
        ways: Vec<WrittenWay>,
    },
    /// The graph has all feasible paths, and none of its paths from place 0 takes one of these edges, or (without `taken`) none gets
    /// from behind one to the exit.
    Excluded {
        id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumes: Vec<String>,
        taken: bool,
        edges: Vec<u32>,
        graph: PrunedGraph,
        certificates: Vec<Proof>,
    },
}

/// A claim as it is read: one type with the keys of all kinds, since a reader for each kind would be most of the engine's readers.
#[derive(Deserialize)]
struct ClaimKeys {
    claim: String,
    id: String,
    #[serde(default)]
    assumes: Vec<String>,
    path: Option<Vec<u32>>,
    input: Option<Input>,
    #[serde(default)]
    after: Vec<Call>,
    core: Option<Vec<u32>>,
    certificate: Option<Proof>,
    graph: Option<PrunedGraph>,
    certificates: Option<Vec<Proof>>,
    length: Option<u32>,
    count: Option<String>,
    instances: Option<WrittenInstances>,
    exact: Option<Vec<Proof>>,
    family: Option<FamilyGraph>,
    unwind: Option<u32>,
    taken: Option<bool>,
    edges: Option<Vec<u32>>,
    ways: Option<Vec<WrittenWay>>,
}

impl TryFrom<ClaimKeys> for Claim {
    type Error = String;

    fn try_from(read: ClaimKeys) -> Result<Claim, String> {
        let ClaimKeys { claim, id, assumes, .. } = read;
        // The first key that is missing.
        macro_rules! given {
            ($($key:ident),*) => {
                Ok::<_, String>(($(read.$key.ok_or_else(|| format!("claim `{id}`: missing field `{}`", stringify!($key)))?),*))
            };
        }
        Ok(match claim.as_str() {
            "reached" => {
                let (path, input) = given!(path, input)?;
                Claim::Reached { id, assumes, path, input, after: read.after }
            }
            "infeasible" => {
                let (path, core, certificate) = given!(path, core, certificate)?;
                Claim::Infeasible { id, assumes, path, core, certificate }
            }
            "pruned" => {
                let (graph, certificates) = given!(graph, certificates)?;
                Claim::Pruned { id, assumes, graph, certificates }
            }
            "counted" => {
                let (graph, certificates, length, count) = given!(graph, certificates, length, count)?;
                let (instances, exact) = given!(instances, exact)?;
                Claim::Counted { id, assumes, graph, certificates, length, count, instances, exact }
            }
            "family" => {
                let family = given!(family)?;
                Claim::Family { id, assumes, family }
            }
            "not_covered" => {
                let (unwind, taken, edges, certificate) = given!(unwind, taken, edges, certificate)?;
                Claim::NotCovered { id, assumes, unwind, taken, edges, certificate }
            }
            "dead_ends" => {
                let edges = given!(edges)?;
                Claim::DeadEnds { id, assumes, edges }
            }
            "within_bound" => {
                let (unwind, taken, edges, ways) = given!(unwind, taken, edges, ways)?;
                Claim::WithinBound { id, assumes, unwind, taken, edges, ways }
            }
            "excluded" => {
                let (taken, edges, graph, certificates) = given!(taken, edges, graph, certificates)?;
                Claim::Excluded { id, assumes, taken, edges, graph, certificates }
            }
            other => return Err(format!("claim `{id}`: `{other}` is no kind of claim")),
        })
    }
}

/// Edges that leave the bound at one place, and a certificate that none of them is ever taken there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WrittenWay {
    pub edges: Vec<u32>,
    pub certificate: Proof,
}

impl Claim {
    /// Its kind, as the file names it.
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

    /// About how many numbers its written form has.
    pub fn size(&self) -> u64 {
        let edges = |path: &[u32]| path.len() as u64;
        let all = |proofs: &[Proof]| proofs.iter().map(Proof::size).sum::<u64>();
        match self {
            Claim::Reached { path, input, after, .. } => edges(path) + input.nondet.len() as u64 + after.len() as u64,
            Claim::Infeasible { path, core, certificate, .. } => edges(path) + edges(core) + certificate.size(),
            Claim::Pruned { graph, certificates, .. } => graph.size() + all(certificates),
            Claim::Counted { graph, certificates, exact, .. } => graph.size() + all(certificates) + all(exact),
            Claim::Family { family, .. } => (family.terms.len() + family.transitions.len()) as u64 + family.certificate.size(),
            Claim::NotCovered { edges: taken, certificate, .. } => edges(taken) + certificate.size(),
            Claim::DeadEnds { edges: taken, .. } => edges(taken),
            Claim::WithinBound { edges: taken, ways, .. } => edges(taken) + ways.iter().map(|way| way.certificate.size()).sum::<u64>(),
            Claim::Excluded { edges: taken, graph, certificates, .. } => edges(taken) + graph.size() + all(certificates),
        }
    }

    /// The edges that it speaks of, for people: the last one of a path; none where it speaks of the function as a whole.
    pub fn edges(&self) -> &[u32] {
        match self {
            Claim::Reached { path, .. } | Claim::Infeasible { path, .. } => &path[path.len().saturating_sub(1)..],
            Claim::NotCovered { edges, .. }
            | Claim::WithinBound { edges, .. }
            | Claim::DeadEnds { edges, .. }
            | Claim::Excluded { edges, .. } => edges,
            Claim::Pruned { .. } | Claim::Counted { .. } | Claim::Family { .. } => &[],
        }
    }

    /// Its name in its file.
    pub fn id(&self) -> &str {
        match self {
            Claim::Reached { id, .. }
            | Claim::Infeasible { id, .. }
            | Claim::Pruned { id, .. }
            | Claim::Counted { id, .. }
            | Claim::Family { id, .. }
            | Claim::NotCovered { id, .. }
            | Claim::WithinBound { id, .. }
            | Claim::Excluded { id, .. }
            | Claim::DeadEnds { id, .. } => id,
        }
    }

    /// The names of the assumptions under which it holds.
    pub fn assumes(&self) -> &[String] {
        match self {
            Claim::Reached { assumes, .. }
            | Claim::Infeasible { assumes, .. }
            | Claim::Pruned { assumes, .. }
            | Claim::Counted { assumes, .. }
            | Claim::Family { assumes, .. }
            | Claim::NotCovered { assumes, .. }
            | Claim::WithinBound { assumes, .. }
            | Claim::Excluded { assumes, .. }
            | Claim::DeadEnds { assumes, .. } => assumes,
        }
    }

    /// The same claim under other assumptions.
    #[must_use]
    pub fn under(mut self, names: Vec<String>) -> Claim {
        match &mut self {
            Claim::Reached { assumes, .. }
            | Claim::Infeasible { assumes, .. }
            | Claim::Pruned { assumes, .. }
            | Claim::Counted { assumes, .. }
            | Claim::Family { assumes, .. }
            | Claim::NotCovered { assumes, .. }
            | Claim::WithinBound { assumes, .. }
            | Claim::Excluded { assumes, .. }
            | Claim::DeadEnds { assumes, .. } => *assumes = names,
        }
        self
    }
}
