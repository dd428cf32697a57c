//! Counting by induction: that the merged graph has exactly the feasible paths is shown by certificates, and forged evidence of
//! it is rejected.

use culdesac::analysis::Listener;
use culdesac::analysis::check::{CheckDocument, check};
use culdesac::analysis::paths::{PathsDocument, paths};
use culdesac::analysis::{Silent, Trace};
use culdesac::count::totals;
use culdesac::counting::merged::Merged;
use culdesac::counting::report::FeasibleBy;
use culdesac::evidence::{Claim, Evidence, Proof, ProofTerm, PrunedGraph, Statement, Sum, WrittenInstances};
use culdesac::lts::Lts;
use culdesac::lts::structure::distances;
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::states::{Ask, States};
use culdesac::view::{Reply, Request};
use culdesac::{lang, lts};
use num_bigint::BigUint;
use std::sync::OnceLock;

fn request(source: &str) -> Request {
    serde_json::from_value(serde_json::json!({ "program": "test.c", "source": source, "function": null, "seed": 0, "limit": null }))
        .expect("a request")
}

fn accepted<T>(reply: Reply<T>) -> T {
    match reply {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

fn example(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.c"));
    std::fs::read_to_string(path).expect("an example")
}

fn counted(source: &str, length: u32) -> (PathsDocument, Vec<Claim>) {
    let mut claims = Vec::new();
    let mut events = |_| true;
    let mut listener = Listener::new(&mut events);
    listener.claims = Some(&mut claims);
    let document = accepted(paths(&request(source), &[length], true, &mut listener));
    (document, claims)
}

fn checked(source: &str, document: &PathsDocument, claims: Vec<Claim>) -> CheckDocument {
    accepted(check(&Evidence::of(&request(source), &document.header, claims)))
}

#[test]
fn very_many_paths_are_counted_by_induction() {
    let table = [("merge", 100, "2359292"), ("bubble", 70, "3310"), ("bubble", 100, "420138"), ("substring", 70, "35108")];
    for (name, length, expected) in table {
        let source = example(name);
        let (document, claims) = counted(&source, length);
        assert_eq!(document.table[0].feasible.as_deref(), Some(expected), "{name} {length}");
        assert_eq!(document.feasible_by, Some(FeasibleBy::Induction), "{name} {length}");
        let graphs =
            claims.iter().filter(|claim| matches!(&claim.statement, Statement::Counted { count, .. } if count == expected)).count();
        assert_eq!(graphs, 1, "{name} {length}");
        let check = checked(&source, &document, claims);
        assert!(check.rejected.is_empty(), "{name} {length}: {:?}", check.rejected);
    }
}

/// A loop that can be left only after all of `n` rounds, in each of which one of two ways is free; what was counted is asked
/// afterwards, and once more with a copy that an old value was kept in.
const PROGRAM: &str = "int f(int n) { int i = 0; int k = 0; int old = 0;
    while (i < n) { if (nondet()) { old = k; k = k + 2; if (old < 0) return 1; } i++; }
    if (k > i + i) return 2;
    return 0; }";

#[derive(Clone)]
struct Parts {
    graph: PrunedGraph,
    certificates: Vec<Proof>,
    length: u32,
    count: String,
    instances: WrittenInstances,
    exact: Vec<Proof>,
}

/// The evidence of the program's count without its claims, and the parts of the graph's claim.
fn evidence() -> &'static (Evidence, Parts) {
    static ONCE: OnceLock<(Evidence, Parts)> = OnceLock::new();
    ONCE.get_or_init(|| {
        let (document, claims) = counted(PROGRAM, 70);
        assert_eq!(document.feasible_by, Some(FeasibleBy::Induction));
        let parts = claims.into_iter().find_map(|claim| match claim.statement {
            Statement::Counted { graph, certificates, length, count, instances, exact, .. } => {
                Some(Parts { graph, certificates, length, count, instances, exact })
            }
            _ => None,
        });
        (Evidence::of(&request(PROGRAM), &document.header, Vec::new()), parts.expect("the graph's claim"))
    })
}

/// What the check says of the claim with something changed.
fn reason(change: impl FnOnce(&mut Parts)) -> Option<String> {
    let (evidence, mut parts) = evidence().clone();
    change(&mut parts);
    let Parts { graph, certificates, length, count, instances, exact } = parts;
    let claim = Claim::new("forged", Statement::Counted { graph, certificates, length, count, instances, exact });
    accepted(check(&Evidence { claims: vec![claim], ..evidence })).rejected.pop().map(|rejected| rejected.reason)
}

#[test]
fn forged_counts_are_rejected() {
    assert_eq!(reason(|_| {}), None, "the claim as it is");
    let says = |change: fn(&mut Parts), words: &str| {
        let reason = reason(change).expect("rejected");
        assert!(reason.contains(words), "{words}: {reason}");
    };
    says(|parts| parts.count += "0", "there are not");
    says(|parts| parts.length -= 20, "");
    says(|parts| parts.length += 1, "");
    says(|parts| parts.length = 1_000_000, "at most");
    says(|parts| drop(parts.exact.pop()), "certificates for");
    says(|parts| parts.exact.iter_mut().for_each(|proof| *proof = Proof::default()), "feasibility");
    says(|parts| drop(parts.certificates.pop()), "certificates for");
    says(|parts| parts.instances.entry.clear(), "feasibility");
    says(|parts| drop(parts.instances.edges.pop()), "each edge has its instances");
    // One path more: an edge is cut that should not be, and the other way round.
    says(|parts| parts.graph.cut.extend(parts.graph.edges.pop().map(|(from, edge, _)| (from, edge))), "");
    says(
        |parts| {
            let (from, edge) = parts.graph.cut.pop().expect("a cut");
            let place = parts.graph.edges.iter().find(|way| way.1 == edge).expect("the edge elsewhere").2;
            parts.graph.edges.push((from, edge, place));
        },
        "",
    );
    // The final place must have no formula, else some state there might not be reached.
    says(
        |parts| {
            let last = parts.graph.invariants.iter().position(Vec::is_empty).expect("the exit");
            parts.graph.terms.push(ProofTerm::True);
            parts.graph.invariants[last].push(parts.graph.terms.len() as u32 - 1);
        },
        "",
    );
}

/// Each instance is needed: without it its edge is not believed. With another term in it, it mostly is not either (where a value may
/// be anything, any term is right).
#[test]
fn forged_instances_are_rejected() {
    let (mut dropped, mut changed) = (0, 0);
    for (at, instances) in evidence().1.instances.edges.iter().enumerate() {
        if !instances.is_empty() && at % 4 == 0 {
            dropped += 1;
            let reason = reason(|parts| parts.instances.edges[at].clear());
            assert!(reason.is_some_and(|reason| reason.starts_with("feasibility, obligation")), "edge {at}");
        }
        if instances.len() == 1 && !instances[0].integers.is_empty() && changed < 8 {
            let reason = reason(|parts| {
                let (_, Sum(constant, _)) = &mut parts.instances.edges[at][0].integers[0];
                *constant = (constant.parse::<i64>().expect("small") - 1_000_000).to_string();
            });
            changed += u32::from(reason.is_some_and(|reason| reason.starts_with("feasibility, obligation")));
        }
    }
    assert!(dropped > 10 && changed == 8, "{dropped} {changed}");
}

/// Only symbols may be given values: with `a[0]` named as 0 while `a` stays what it is, anything could be shown of `a[0]`.
#[test]
fn elements_are_no_symbols() {
    let reason = reason(|parts| {
        let instances = &mut parts.instances;
        instances.terms.push(ProofTerm::Array("i".to_owned()));
        instances.terms.push(ProofTerm::Select(instances.terms.len() as u32 - 1, Sum("0".to_owned(), Vec::new())));
        let element = instances.terms.len() as u32 - 1;
        for instance in instances.edges.iter_mut().flatten() {
            instance.integers.push((element, Sum("0".to_owned(), Vec::new())));
        }
    });
    assert!(reason.is_some_and(|reason| reason.starts_with("feasibility, obligation")));
}

fn lower(source: &str) -> Lts {
    let program = lang::parse(source).program.expect("accepted");
    lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{errors:?}")).lts
}

/// Whether the merged graph is shown to be exact, and its paths.
fn by_induction(source: &str, length: u32) -> (bool, BigUint) {
    let lts = lower(source);
    let mut meter = Meter::new(10_000_000);
    let mut ask = Ask { meter: &mut meter, log: &NoLog };
    let mut states = States::new(&lts);
    let merged = Merged::new(&mut states, &distances(&lts, lts.exit), length, &mut ask).expect("exact sets");
    let shown = merged.induction(&mut states, &Trace::new(&mut Silent), &mut ask).expect("enough steps");
    (shown, totals(&merged.graph(), &[length]).remove(0))
}

#[test]
fn instances_are_found() {
    // What is forgotten must be found again: bounds, elements, values of `nondet()`, and which of two bounds is the nearer.
    let programs = [
        "int f(int x, int y) { if (x < y) { if (nondet()) return 1; return 2; } if (y == 3) return 3; return 4; }",
        "int f(int x, int y, int z) { if (x < y) { if (x < z) { x = 0; if (y < z) return 1; return 2; } } return 0; }",
        "int f(int *a, int i, int x) { if (a[i] < x) { x = 0; if (i == 2) return 1; } return 0; }",
        "int f(int *a, int i, int j) { a[i] = 3; if (a[j] == 4) return 1; if (a[i] == a[j]) return 2; return 0; }",
        "int f(int x) { int y = nondet(); if (y != x) { x = y; if (x == 5) return 1; } return 0; }",
        "int f(int n) { int i = 0; while (i < n) { int c = nondet(); if (c == 1) i++; else if (c != 2) i = i + 2; } return 0; }",
    ];
    for source in programs {
        let (shown, count) = by_induction(source, 12);
        assert!(shown && count > BigUint::ZERO, "{source}");
    }
}
