//! Facts that one analysis proves serve the others: statements that only another prover excludes.

use culdesac::analysis::check::check;
use culdesac::analysis::cover::{Cover, CoverDocument, CoverSettings};
use culdesac::analysis::prune::method::graph::USUAL;
use culdesac::analysis::prune::method::{PrunePlan, run};
use culdesac::analysis::reach::{DEFAULT_K, Reach, ReachSettings, ReachVerdict};
use culdesac::analysis::{Analysis, Listener, Query, Silent, Trace};
use culdesac::count::totals;
use culdesac::evidence::{Claim, Evidence};
use culdesac::interp::Machine;
use culdesac::invariants::values::Values;
use culdesac::invariants::{FactQuery, Finder, Prover};
use culdesac::lang;
use culdesac::lts::lower::lower;
use culdesac::lts::{Edge, EdgeId, Label, Lts};
use culdesac::solver::meter::Meter;
use culdesac::states::States;
use culdesac::view::{Reply, Request};

/// Only counters of the rounds of each kind relate these three.
const SUMS: &str = "int f(int *a, int n) { int pairs = 0, singles = 0, i = 0;
    while (i < n) { if (a[i] > 7) pairs += 2; else singles++; i++; }
    if (n > 0) if (pairs + 2 * singles != 2 * n) return 1;
    return 0; }";
/// Two states that take turns, of which only their graph knows: no bound and no line has both.
const TURNS: &str = "int f(int n) { int p = 1, q = 7;
    while (n > 0) { int t = p; p = q; q = t; n--; }
    if (p + q == 9) return 1;
    return 0; }";
/// Flags and what they guard, in each round anew: what a round requires of where it begins.
fn guards(count: usize) -> String {
    let line = |text: &str| (1..=count).map(|k| text.replace('K', &k.to_string())).collect::<String>();
    format!(
        "int f(int n{}) {{ {} while (n > 0) {{ n--; {} {} {} }} return 0; }}",
        line(", int pK"),
        line("int lK; "),
        line("lK = 0; "),
        line("if (pK != 0) lK = 1; "),
        line("if (pK != 0) { if (lK != 1) return K; lK = 0; } ")
    )
}
/// A remainder: an invariant guessed from runs.
const STEPS: &str = "int f(int n) { int i = 0, j = 0;
    while (i < n) i += 4;
    while (i != j + 7) j += 2;
    return 1; }";

fn request(source: &str) -> Request {
    Request { program: "f.c".into(), source: source.into(), ..Request::default() }
}

fn answered<A: Analysis>(source: &str, settings: A::Settings) -> (A::Document, Vec<Claim>) {
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    match (Query { request: Some(request(source)), settings }).answer::<A>(&Default::default, &mut listener) {
        Reply::Document { document } => (document, claims),
        Reply::Refused { diagnostics } => panic!("{:?}\n{source}", diagnostics[0].message),
    }
}

fn covered(source: &str) -> CoverDocument {
    let settings = CoverSettings { unwind: Some(3), algorithm: "prefer".into(), precondition: None, summaries: false };
    let (document, claims) = answered::<Cover>(source, settings);
    let Reply::Document { document: checked } = check(&Evidence::of(&request(source), &document.header, claims)) else { panic!("refused") };
    assert!(checked.checked > 0 && checked.rejected.is_empty(), "{source}");
    document
}

#[test]
fn cover_learns_from_summaries_and_from_pruning() {
    for source in [SUMS, TURNS, STEPS] {
        let document = covered(source);
        assert!(document.not_within.is_empty() && document.open.is_empty(), "{:?}\n{source}", document.not_within);
        assert!(!document.infeasible.is_empty(), "{source}");
    }
    let guards = guards(12);
    let document = covered(&guards);
    assert_eq!((document.infeasible.iter().filter(|one| one.text.starts_with('l')).count(), document.not_within.len()), (12, 0));
    // One flag that changes its mind on the way may be what is needed.
    let document =
        covered(&guards.replace("l3 = 0; l4", "l3 = 0; if (n == 7) p3 = 1; l4").replace("if (p3 != 0) l3 = 1;", "if (p3 == 2) l3 = 1;"));
    assert!(document.infeasible.iter().all(|one| one.text != "l3 != 1"), "{:?}", document.infeasible);
    // With other numbers an execution gets there, beyond the bound.
    let document = covered(&SUMS.replace("!= 2 * n", "== 14"));
    assert!(!document.not_within.is_empty(), "{:?}", document.infeasible);
}

#[test]
fn pruning_learns_from_summaries_and_from_invariants() {
    for (source, fewer) in [(SUMS, true), (STEPS, true), (TURNS, false)] {
        let lts = lower(&lang::parse(source).program.expect("no error"), None).expect("no error").lts;
        let paths = |invariants: bool| {
            let mut silent = Silent;
            let plan = PrunePlan { invariants, ..USUAL };
            let found = run(&lts, States::new(&lts), plan, &mut Meter::new(1_000_000), &Trace::new(&mut silent));
            let reaches = found.pruned.edges.iter().any(|&(_, edge, _)| source[lts.graph[edge].span.start as usize..].starts_with("1;"));
            (totals(&found.pruned.graph(), &[100]).remove(0), reaches)
        };
        let (alone, together) = (paths(false), paths(true));
        assert!(together.0 <= alone.0 && (!fewer || together.0 < alone.0), "{alone:?} {together:?}\n{source}");
        assert!(!together.1, "{source}");
    }
}

#[test]
fn reach_learns_from_invariants_and_from_pruning() {
    for source in [SUMS, TURNS, STEPS] {
        let line = source.lines().position(|line| line.contains("return 1")).expect("a target") + 1;
        let (document, claims) = answered::<Reach>(source, ReachSettings { target: Some(line.to_string()), k: DEFAULT_K });
        assert_eq!(document.verdict, ReachVerdict::Unreachable, "{:?}\n{source}", document.open);
        let Reply::Document { document: checked } = check(&Evidence::of(&request(source), &document.header, claims)) else {
            panic!("refused")
        };
        assert_eq!((checked.checked, checked.rejected.len()), (1, 0));
    }
}

/// A function, and the edges of it where this condition holds.
fn holding(source: &str, text: &str) -> (Lts, Vec<EdgeId>) {
    let lts = lower(&lang::parse(source).program.expect("no error"), None).expect("no error").lts;
    let is_one = |edge: &EdgeId| {
        let Edge { label, span, .. } = &lts.graph[*edge];
        matches!(label, Label::Assume { holds: true, .. }) && span.text(source) == text
    };
    let found: Vec<EdgeId> = lts.graph.edge_indices().filter(is_one).collect();
    assert!(!found.is_empty(), "{source}");
    (lts, found)
}

/// Whether the prover of explicit values excludes that this condition holds.
fn excluded_by_values(source: &str, text: &str) -> bool {
    let (lts, untaken) = holding(source, text);
    let mut silent = Silent;
    let wanted = FactQuery { untaken: &untaken, ..FactQuery::default() };
    let shown = Values.show(&lts, &wanted, &mut Meter::new(1_000_000), &Trace::new(&mut silent));
    shown.iter().any(|shown| untaken.iter().all(|edge| shown.excluded(&lts).contains(edge)))
}

#[test]
fn values_along_different_ways_are_told_apart() {
    let machine = |wrong: &str| {
        format!(
            "int f(int n) {{ int s = 1, v = 0, i = 0;
            while (n != 7) {{
                if (s == 1) {{ s = 2; v = 10; }} else if (s == 2) {{ s = 3; v = 20; }} else {{ s = 1; v = {wrong}; }}
                i++; n = n + i;
                if (s == 3) if (v != 20) return 1;
                if (v == 30) if (s != 1) return 2;
            }}
            return 0; }}"
        )
    };
    // The counter takes too many values, and is followed no more.
    assert!(excluded_by_values(&machine("30"), "v != 20") && excluded_by_values(&machine("30"), "s != 1"));
    assert!(!excluded_by_values(&machine("20").replace("s = 3; v = 20", "s = 3; v = n"), "v != 20"));
    // A value that a condition asks for is one from there on, whatever it was.
    let asked = "int f(int x) { int y = 0; if (x == 4) y = 1; if (y == 1) if (x != 4) return 1; return 0; }";
    assert!(excluded_by_values(asked, "x != 4"));
    for wrong in [
        "int f(int x) { int y = 0; if (x == 4) { y = 1; x = 5; } if (y == 1) if (x != 4) return 1; return 0; }",
        "int nondet(void); int f(int x) { int y = 0; if (x == 4) { y = 1; x = nondet(); } if (y == 1) if (x != 4) return 1; return 0; }",
        "int f(int x) { int y = 0, *p = x > 3 ? &x : &y; if (x == 4) y = 1; *p = 1; if (y == 1) if (x != 4) return 1; return 0; }",
    ] {
        assert!(!excluded_by_values(wrong, "x != 4"), "{wrong}");
    }
}

/// A program with a variable for its state: the input decides in each round of the loop on the next state, the first state, or the return.
fn machine(states: usize) -> String {
    let state =
        |k: usize| format!("if (s == {k}) {{ if (c == {}) s = {}; else if (c > 0) s = 0; else return 0; }} else ", 7 * k % 5 + 1, k + 1);
    let states: String = (0..states).map(state).collect();
    format!("int nondet(void);\nint f(void) {{ int s = 0; while (1) {{ int c = nondet(); {states}if (c == 77) return 1; }} }}")
}

/// The graph of values leads to the last state of a long chain, by a path that an input takes.
#[test]
fn paths_of_values_lead_through_machines() {
    for states in [1, 5, 40] {
        let (lts, untaken) = holding(&machine(states), "c == 77");
        let query = FactQuery { untaken: &untaken, ..FactQuery::default() };
        let found = Values.find(&lts, &query, 0, &mut Meter::new(2_000_000), &Trace::new(&mut Silent));
        let taken = found.inputs.iter().flat_map(|input| Machine::new(&lts).run(input, 10_000).edges);
        assert!(taken.into_iter().any(|edge| untaken.contains(&edge)), "{states} states: {} inputs", found.inputs.len());
    }
}
