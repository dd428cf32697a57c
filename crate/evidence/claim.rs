//! What an evidence file says: the program, and claims about it.

use super::{FamilyGraph, Proof, PrunedGraph, WrittenInstances};
use crate::source::files::SourceOptions;
use crate::view::{Call, Header, Input, Request, SCHEMA};
use serde::ser::{SerializeStruct, Serializer};
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
    /// Macros and folders of headers that were given; the source has them, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<SourceOptions>,
    /// What the claims assume of the inputs, as a condition in C.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    /// What the locations of the graph tell apart, where the claims are about edges of an unfolded graph: `decisions` or
    /// `prime-paths`, see `crate/lts/unfold.rs`. The page knows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfolding: Option<String>,
    /// Whether each label is a step of its own in the graph that the claims are about.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub label_steps: bool,
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
            ints: header.ints.name().to_owned(),
            inline_depth: header.inline_depth,
            options: SourceOptions::of(&request.source),
            precondition: None,
            unfolding: None,
            label_steps: request.label_steps,
            claims,
        }
    }
}

/// A claim: its name in its file, what it presupposes, and what it says of the function's edges, by their numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "ClaimKeys")]
pub struct Claim {
    pub id: String,
    /// The names of the assumptions under which it holds ([`crate::lts::assume`]).
    pub assumes: Vec<String>,
    pub statement: Statement,
}

/// What a claim says. Its kind and its fields stand beside the claim's name in the file.
#[derive(Clone, Debug)]
pub enum Statement {
    /// The input takes the path.
    Reached {
        path: Vec<u32>,
        input: Input,
        /// The calls since the program's start that leave the statics that the input has.
        after: Vec<Call>,
    },
    /// No input takes the path: the edges of the core exclude each other.
    Infeasible { path: Vec<u32>, core: Vec<u32>, certificate: Proof },
    /// A graph that has all feasible paths of the function, and only paths of it.
    Pruned { graph: PrunedGraph, certificates: Vec<Proof> },
    /// A graph whose paths from the entry to the exit of at most `length` edges are the feasible ones of the function; there are
    /// `count`.
    Counted { graph: PrunedGraph, certificates: Vec<Proof>, length: u32, count: String, instances: WrittenInstances, exact: Vec<Proof> },
    /// An automaton that accepts only paths that cannot run, all for one reason.
    Family { family: FamilyGraph },
    /// No execution that returns to each loop's header at most `unwind` times before it leaves the loop takes one of these edges and
    /// completes, or (`taken`) even takes one.
    NotCovered { unwind: u32, taken: bool, edges: Vec<u32>, certificate: Proof },
    /// No execution that takes one of these edges completes: the function's graph has no path from their ends to the exit.
    DeadEnds { edges: Vec<u32> },
    /// No execution takes one of these edges after it has left the bound `unwind` (it returned to a header more often before it left
    /// the loop, or called a function within itself more often than calls were inlined), or (without `taken`) leaves it before or
    /// after that. Each way out that could matter has a certificate that it is never taken.
    WithinBound { unwind: u32, taken: bool, edges: Vec<u32>, ways: Vec<WrittenWay> },
    /// The graph has all feasible paths, and none of its paths from node 0 takes one of these edges, or (without `taken`) none that
    /// takes one goes on to the exit.
    Excluded { taken: bool, edges: Vec<u32>, graph: PrunedGraph, certificates: Vec<Proof> },
    /// As `excluded`, of undefined edges in the graph with these ([`crate::lts::undefined`]): no execution takes one.
    Defined { edges: Vec<u32>, graph: PrunedGraph, certificates: Vec<Proof> },
    /// The program reads no input, and its one run takes all edges but these, or (without `taken`) takes these and does not complete.
    Determined { taken: bool, edges: Vec<u32> },
    /// The program has few inputs, and no run on any of them takes one of these edges.
    Enumerated { edges: Vec<u32> },
    /// As `enumerated`, of undefined edges in the graph with these.
    DefinedEnumerated { edges: Vec<u32> },
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
    after: Option<Vec<Call>>,
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

    fn try_from(mut read: ClaimKeys) -> Result<Claim, String> {
        let ClaimKeys { claim, id, assumes, .. } = read;
        // The statement with these keys, or the first one that is missing.
        macro_rules! statement {
            ($kind:ident { $($key:ident),* }) => {
                Statement::$kind { $($key: read.$key.ok_or_else(|| format!("claim `{id}`: missing field `{}`", stringify!($key)))?),* }
            };
        }
        let statement = match claim.as_str() {
            "reached" => {
                read.after.get_or_insert_default();
                statement!(Reached { path, input, after })
            }
            "infeasible" => statement!(Infeasible { path, core, certificate }),
            "pruned" => statement!(Pruned { graph, certificates }),
            "counted" => statement!(Counted { graph, certificates, length, count, instances, exact }),
            "family" => statement!(Family { family }),
            "not_covered" => statement!(NotCovered { unwind, taken, edges, certificate }),
            "dead_ends" => statement!(DeadEnds { edges }),
            "within_bound" => statement!(WithinBound { unwind, taken, edges, ways }),
            "excluded" => statement!(Excluded { taken, edges, graph, certificates }),
            "defined" => statement!(Defined { edges, graph, certificates }),
            "determined" => statement!(Determined { taken, edges }),
            "enumerated" => statement!(Enumerated { edges }),
            "defined_enumerated" => statement!(DefinedEnumerated { edges }),
            other => return Err(format!("claim `{id}`: `{other}` is no kind of claim")),
        };
        Ok(Claim { id, assumes, statement })
    }
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut keys = serializer.serialize_struct("Claim", 9)?;
        keys.serialize_field("claim", self.statement.kind())?;
        keys.serialize_field("id", &self.id)?;
        if !self.assumes.is_empty() {
            keys.serialize_field("assumes", &self.assumes)?;
        }
        macro_rules! write {
            ($($key:ident),*) => {{ $(keys.serialize_field(stringify!($key), $key)?;)* }};
        }
        match &self.statement {
            Statement::Reached { path, input, after } => {
                write!(path, input);
                if !after.is_empty() {
                    write!(after);
                }
            }
            Statement::Infeasible { path, core, certificate } => write!(path, core, certificate),
            Statement::Pruned { graph, certificates } => write!(graph, certificates),
            Statement::Counted { graph, certificates, length, count, instances, exact } => {
                write!(graph, certificates, length, count, instances, exact);
            }
            Statement::Family { family } => write!(family),
            Statement::NotCovered { unwind, taken, edges, certificate } => write!(unwind, taken, edges, certificate),
            Statement::DeadEnds { edges } => write!(edges),
            Statement::WithinBound { unwind, taken, edges, ways } => write!(unwind, taken, edges, ways),
            Statement::Excluded { taken, edges, graph, certificates } => write!(taken, edges, graph, certificates),
            Statement::Defined { edges, graph, certificates } => write!(edges, graph, certificates),
            Statement::Determined { taken, edges } => write!(taken, edges),
            Statement::Enumerated { edges } | Statement::DefinedEnumerated { edges } => write!(edges),
        }
        keys.end()
    }
}

/// Edges that leave the bound at one place, and a certificate that none of them is ever taken there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WrittenWay {
    pub edges: Vec<u32>,
    pub certificate: Proof,
}

impl Statement {
    /// Its kind, as the file names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Statement::Reached { .. } => "reached",
            Statement::Infeasible { .. } => "infeasible",
            Statement::Pruned { .. } => "pruned",
            Statement::Counted { .. } => "counted",
            Statement::Family { .. } => "family",
            Statement::NotCovered { .. } => "not_covered",
            Statement::WithinBound { .. } => "within_bound",
            Statement::Excluded { .. } => "excluded",
            Statement::DeadEnds { .. } => "dead_ends",
            Statement::Defined { .. } => "defined",
            Statement::Determined { .. } => "determined",
            Statement::Enumerated { .. } => "enumerated",
            Statement::DefinedEnumerated { .. } => "defined_enumerated",
        }
    }

    /// About how many numbers its written form has.
    pub fn size(&self) -> u64 {
        let edges = |path: &[u32]| path.len() as u64;
        let all = |proofs: &[Proof]| proofs.iter().map(Proof::size).sum::<u64>();
        match self {
            Statement::Reached { path, input, after, .. } => edges(path) + input.nondet.len() as u64 + after.len() as u64,
            Statement::Infeasible { path, core, certificate, .. } => edges(path) + edges(core) + certificate.size(),
            Statement::Pruned { graph, certificates, .. } => graph.size() + all(certificates),
            Statement::Counted { graph, certificates, exact, .. } => graph.size() + all(certificates) + all(exact),
            Statement::Family { family, .. } => (family.terms.len() + family.transitions.len()) as u64 + family.certificate.size(),
            Statement::NotCovered { edges: taken, certificate, .. } => edges(taken) + certificate.size(),
            Statement::DeadEnds { edges: taken, .. }
            | Statement::Determined { edges: taken, .. }
            | Statement::Enumerated { edges: taken }
            | Statement::DefinedEnumerated { edges: taken } => edges(taken),
            Statement::WithinBound { edges: taken, ways, .. } => edges(taken) + ways.iter().map(|way| way.certificate.size()).sum::<u64>(),
            Statement::Excluded { edges: numbers, graph, certificates, .. }
            | Statement::Defined { edges: numbers, graph, certificates } => edges(numbers) + graph.size() + all(certificates),
        }
    }

    /// The edges that it speaks of, for people: the last one of a path; none where it speaks of the function as a whole.
    pub fn edges(&self) -> &[u32] {
        match self {
            Statement::Reached { path, .. } | Statement::Infeasible { path, .. } => &path[path.len().saturating_sub(1)..],
            Statement::NotCovered { edges, .. }
            | Statement::WithinBound { edges, .. }
            | Statement::DeadEnds { edges, .. }
            | Statement::Determined { edges, .. }
            | Statement::Enumerated { edges }
            | Statement::Excluded { edges, .. } => edges,
            Statement::Pruned { .. }
            | Statement::Counted { .. }
            | Statement::Family { .. }
            | Statement::Defined { .. }
            | Statement::DefinedEnumerated { .. } => &[],
        }
    }
}

/// The program model whose edges a claim numbers, under the claim's assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimGraph {
    Plain,
    /// Of executions in which parameters do not meet.
    OfRuns,
    /// With undefined edges.
    WithUndefined,
}

impl Claim {
    /// A claim that rests on no assumption.
    pub fn new(id: impl Into<String>, statement: Statement) -> Claim {
        Claim { id: id.into(), assumes: Vec::new(), statement }
    }

    /// The same claim under other assumptions.
    #[must_use]
    pub fn under(self, assumes: Vec<String>) -> Claim {
        Claim { assumes, ..self }
    }

    /// The graph whose edges it speaks of.
    pub fn graph_kind(&self) -> ClaimGraph {
        match self.statement {
            Statement::Reached { .. } => ClaimGraph::OfRuns,
            Statement::Defined { .. } | Statement::DefinedEnumerated { .. } => ClaimGraph::WithUndefined,
            _ => ClaimGraph::Plain,
        }
    }

    /// Whether it is a run: an input that takes a path.
    pub fn is_run(&self) -> bool {
        matches!(self.statement, Statement::Reached { .. })
    }
}
