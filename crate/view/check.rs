//! `check`: believes an evidence file only claim by claim, from the program's text on.

use super::MAX_LENGTH;
use super::evidence::{self, Claim, Evidence};
use super::load::{load_assuming, refused};
use super::{CheckDocument, CheckedKind, Event, Ints, Listener, Rejected, Reply, Request, SCHEMA, SolverStatistics, input};
use crate::analysis::common::certify::{Obligation, check_shape, obligations};
use crate::analysis::common::exact;
use crate::analysis::common::places::Pruned;
use crate::analysis::explain::certify::check_family;
use crate::count::totals;
use crate::interp::{self, Machine};
use crate::logic::{Int, IntRange, Pool};
use crate::lts::{EdgeId, Lts};
use crate::search::check_refutation;
use crate::solver::check as checker;

/// Checks every claim with nobody listening: see [`check_listened`].
pub fn check(evidence: &Evidence) -> Reply<CheckDocument> {
    check_listened(evidence, &mut Listener::new(&mut |_| true))
}

/// Checks every claim: parses the program, lowers it, and for each claim replays the input, or derives the path's
/// conditions anew and checks the certificate against them. The solver is not involved. The listener hears of each
/// claim; its `false` ends the check, which is then not complete.
pub fn check_listened(evidence: &Evidence, listener: &mut Listener) -> Reply<CheckDocument> {
    let request = Request {
        program: evidence.program.clone(),
        source: evidence.source.clone(),
        function: Some(evidence.function.clone()),
        limit: None,
        seed: 0,
        // What is not known here is said below.
        ints: Some(ints(evidence).unwrap_or(Ints::Unbounded)),
        inline_depth: evidence.inline_depth,
    };
    let loaded = match load_assuming(&request, evidence.precondition.as_deref()) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let mut document = CheckDocument {
        header: loaded.header(&request, false, SolverStatistics::default(), 0),
        checked: 0,
        kinds: Vec::new(),
        rejected: Vec::new(),
    };
    if let Some(reason) = unknown_format(evidence, &loaded.lts) {
        document.rejected.push(Rejected { id: "file".to_owned(), index: None, reason });
        return Reply::Document { document };
    }
    let machine = Machine::new(&loaded.lts);
    let of = evidence.claims.len() as u32;
    let mut on = true;
    for claim in &evidence.claims {
        if !on {
            break;
        }
        let rejected = rejected(&loaded.lts, &machine, document.checked, claim);
        document.checked += 1;
        count(&mut document.kinds, claim, rejected.is_none());
        document.rejected.extend(rejected.clone());
        on = (listener.event)(Event::Checked { claims: document.checked, of, rejected });
    }
    document.header.complete = document.checked == of && document.rejected.is_empty();
    Reply::Document { document }
}

/// The answer to a file that is no evidence at all.
pub fn not_evidence(reason: &str) -> Reply<CheckDocument> {
    refused("not-evidence", format!("this is not an evidence file: {reason}"))
}

fn count(kinds: &mut Vec<CheckedKind>, claim: &Claim, accepted: bool) {
    let name = claim.kind();
    let at = kinds.iter().position(|kind| kind.claim == name).unwrap_or_else(|| {
        kinds.push(CheckedKind { claim: name.to_owned(), accepted: 0, rejected: 0 });
        kinds.len() - 1
    });
    *(if accepted { &mut kinds[at].accepted } else { &mut kinds[at].rejected }) += 1;
}

fn ints(evidence: &Evidence) -> Option<Ints> {
    match evidence.ints.as_str() {
        "unbounded" => Some(Ints::Unbounded),
        "c32" => Some(Ints::C32),
        _ => None,
    }
}

fn unknown_format(evidence: &Evidence, lts: &Lts) -> Option<String> {
    if evidence.schema != SCHEMA {
        return Some(format!("schema {} is not known here, only {SCHEMA}", evidence.schema));
    }
    if ints(evidence).is_none() {
        return Some(format!("integers `{}` are not known here, only `unbounded` and `c32`", evidence.ints));
    }
    (evidence.inline_depth != lts.inline_depth).then(|| match lts.inline_depth {
        Some(_) => "a function calls itself, and the file does not say how deep that was followed".to_owned(),
        None => "no function calls itself, and the file says that one does".to_owned(),
    })
}

fn rejected(lts: &Lts, machine: &Machine, index: u32, claim: &Claim) -> Option<Rejected> {
    let (id, verdict) = match claim {
        Claim::Pruned { id, graph, certificates } => (id, invariant(lts, graph, certificates)),
        Claim::Counted { id, graph, certificates, length, count, instances, exact: shown } => {
            (id, counted(lts, graph, certificates, *length, count, instances, shown))
        }
        Claim::Family { id, family } => (id, generalized(lts, family)),
        Claim::Reached { id, path, input: given } => (id, edges(lts, path).and_then(|path| replayed(lts, machine, &path, given))),
        Claim::DeadEnds { id, edges } => (id, uncut(lts).and_then(|()| evidence::dead_ends(lts, edges))),
        Claim::Excluded { id, taken, edges, graph, certificates } => (
            id,
            uncut(lts).and_then(|()| invariant(lts, graph, certificates)).and_then(|()| evidence::not_in_graph(lts, *taken, edges, graph)),
        ),
        Claim::WithinBound { id, unwind, taken, edges, ways } => (id, evidence::within_bound(lts, (*unwind, *taken), edges, ways)),
        Claim::NotCovered { id, unwind, taken, edges, certificate } => {
            (id, evidence::not_covered(lts, (*unwind, *taken), edges, certificate))
        }
        Claim::Infeasible { id, path, core, certificate } => (id, edges(lts, path).and_then(|path| refuted(lts, &path, core, certificate))),
    };
    verdict.err().map(|reason| Rejected { id: id.clone(), index: Some(index), reason })
}

/// That what holds of the graph holds of every execution.
fn uncut(lts: &Lts) -> Result<(), String> {
    match lts.cut {
        Some(_) => Err("a function calls itself without bound, so this graph does not have every execution".to_owned()),
        None => Ok(()),
    }
}

fn edges(lts: &Lts, path: &[u32]) -> Result<Vec<EdgeId>, String> {
    let edges: Vec<EdgeId> = path.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    if lts.is_path_prefix(&edges) { Ok(edges) } else { Err("the edges are not a path from the entry".to_owned()) }
}

fn replayed(lts: &Lts, machine: &Machine, path: &[EdgeId], given: &super::Input) -> Result<(), String> {
    let input = input(given).map_err(|error| error.to_string())?.together(lts).map_err(|error| error.to_string())?;
    interp::check_input(lts, &input).map_err(|error| error.to_string())?;
    if let Some(name) = out_of_range(lts, &input) {
        return Err(format!("`{name}` has a value that its type does not have"));
    }
    machine.replay(&input, path).map_err(|error| error.to_string())
}

/// An input with a value that its type does not have.
fn out_of_range<'i>(lts: &Lts, input: &'i interp::Input) -> Option<&'i String> {
    let outside = |range: Option<IntRange>, value: &Int| range.is_some_and(|range| !range.contains(value));
    let variable = |name: &String| lts.variables.iter().find(|variable| variable.name == *name).and_then(|variable| variable.range);
    let array = |name: &String| lts.arrays.iter().find(|array| array.name == *name).and_then(|array| array.range);
    let scalar = input.values.iter().find(|(name, value)| outside(variable(name), value)).map(|(name, _)| name);
    scalar.or_else(|| {
        let values = |(name, contents): &(&String, &interp::ArrayInput)| {
            contents.elements.values().chain([&contents.default]).any(|value| outside(array(name), value))
        };
        input.arrays.iter().find(values).map(|(name, _)| name)
    })
}

fn refuted(lts: &Lts, path: &[EdgeId], core: &[u32], certificate: &evidence::Proof) -> Result<(), String> {
    let mut pool = Pool::new();
    let certificate = evidence::read(&mut pool, certificate)?;
    let core: Vec<usize> = core.iter().map(|&index| index as usize).collect();
    check_refutation(lts, &mut pool, path, &core, &certificate)
}

/// Every obligation of the graph is refuted by its certificate.
fn invariant(lts: &Lts, graph: &evidence::PrunedGraph, certificates: &[evidence::Proof]) -> Result<(), String> {
    let mut pool = Pool::new();
    let pruned = evidence::read_graph(&mut pool, graph, lts.exit)?;
    inductive(lts, &mut pool, &pruned, certificates)
}

fn inductive(lts: &Lts, pool: &mut Pool, pruned: &Pruned, certificates: &[evidence::Proof]) -> Result<(), String> {
    check_shape(lts, pool, pruned)?;
    let obligations = obligations(lts, pool, pruned);
    refuted_all(pool, &obligations, certificates)
}

fn refuted_all(pool: &mut Pool, obligations: &[Obligation], certificates: &[evidence::Proof]) -> Result<(), String> {
    if obligations.len() != certificates.len() {
        return Err(format!("{} certificates for {} obligations", certificates.len(), obligations.len()));
    }
    for (index, (obligation, certificate)) in obligations.iter().zip(certificates).enumerate() {
        let certificate = evidence::read(pool, certificate)?;
        checker::check(pool, &obligation.formulas, &certificate).map_err(|reason| format!("obligation {index}: {reason}"))?;
    }
    Ok(())
}

/// The graph has all feasible paths, its paths up to the length are feasible, and there are so many.
fn counted(
    lts: &Lts,
    graph: &evidence::PrunedGraph,
    certificates: &[evidence::Proof],
    length: u32,
    count: &str,
    instances: &evidence::WrittenInstances,
    shown: &[evidence::Proof],
) -> Result<(), String> {
    if length > MAX_LENGTH {
        return Err(format!("paths of at most {MAX_LENGTH} edges are counted"));
    }
    let mut pool = Pool::new();
    let pruned = evidence::read_graph(&mut pool, graph, lts.exit)?;
    inductive(lts, &mut pool, &pruned, certificates)?;
    let instances = evidence::read_instances(&mut pool, instances)?;
    let obligations = exact::obligations(lts, &mut pool, &pruned, length, &instances)?;
    refuted_all(&mut pool, &obligations, shown).map_err(|reason| format!("feasibility, {reason}"))?;
    let found = totals(&pruned.graph(), &[length]);
    match found.iter().all(|found| found.to_string() == count) {
        true => Ok(()),
        false => Err(format!("there are not {count} paths")),
    }
}

/// No path that the automaton accepts can run.
fn generalized(lts: &Lts, family: &evidence::FamilyGraph) -> Result<(), String> {
    let mut pool = Pool::new();
    let family = evidence::read_family(lts, &mut pool, family)?;
    check_family(lts, &mut pool, &family)
}
