//! Branches on the paper's example, against brute force on random programs, its evidence, and what it says to bad questions.

use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use crate::common::{cases, inputs_of, lower_typed};
use culdesac::analysis::branches::method::baselines::BaselineSearch;
use culdesac::analysis::branches::method::bidirectional::observer::Unobserved;
use culdesac::analysis::branches::method::constants::propagate;
use culdesac::analysis::branches::method::order::{Discovery, Fair, FrontierOrder};
use culdesac::analysis::branches::method::runs::EdgeKnowledge;
use culdesac::analysis::branches::method::{BranchGoals, BranchesOutcome, SideStatus, search, status};
use culdesac::analysis::branches::{
    Branches, BranchesDocument, BranchesNews, BranchesOrder, BranchesSettings, BranchesSide, BranchesTest, BranchesVerdict,
};
use culdesac::analysis::check::check;
use culdesac::analysis::{Listener, Query, Silent, Trace};
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::interp::Machine;
use culdesac::ledger::facts::EdgeFacts;
use culdesac::lts::Lts;
use culdesac::lts::sides::{Side, sides};
use culdesac::solver::meter::Meter;
use culdesac::view::{Input, InputValue, Number, Reply, Request};
use proptest::prelude::*;

fn request(source: &str) -> Request {
    let function = source.contains(" f(").then(|| "f".to_owned());
    Request { program: "f.c".into(), source: source.into(), function, ..Request::default() }
}

fn ask(request: Request, settings: BranchesSettings) -> (Reply<BranchesDocument>, Vec<Claim>) {
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let reply = Query { request: Some(request), settings }.answer::<Branches>(&Default::default, &mut listener);
    (reply, claims)
}

fn branches(source: &str) -> (BranchesDocument, Vec<Claim>) {
    match ask(request(source), BranchesSettings::default()) {
        (Reply::Document { document }, claims) => (document, claims),
        (Reply::Refused { diagnostics }, _) => panic!("{:?}\n{source}", diagnostics[0].message),
    }
}

/// How many of these claims about the program the check rejects, of how many.
fn rejected(source: &str, document: &BranchesDocument, claims: Vec<Claim>) -> (usize, usize) {
    let evidence = Evidence::of(&request(source), &document.header, claims);
    let Reply::Document { document } = check(&evidence) else { panic!("refused") };
    (document.rejected.len(), document.checked as usize)
}

fn valves(tolerance: u32) -> String {
    let source = std::fs::read_to_string("examples/check_valves.c").expect("an example");
    source.replace("TOLERANCE 2", &format!("TOLERANCE {tolerance}"))
}

fn counts(document: &BranchesDocument) -> (u32, u32, u32, u32) {
    let counts = document.branches;
    (counts.total, counts.covered, counts.infeasible, counts.open)
}

/// BDP16, Sections 2 and 5: of the two branches that other tools leave one sets off the alarm, and the other cannot be taken.
#[test]
fn every_branch_of_the_valves_is_decided() {
    for tolerance in [2, 20, 200] {
        let source = valves(tolerance);
        let (document, claims) = branches(&source);
        assert_eq!(counts(&document), (14, 12, 2, 0), "{tolerance}");
        assert_eq!((document.cov_b, document.cov_f, document.header.complete), (12.0 / 14.0, 1.0, true));
        let excluded: Vec<&str> =
            document.list.iter().filter(|side| side.verdict == BranchesVerdict::Infeasible).map(|side| &*side.text).collect();
        assert_eq!(excluded, ["valve < 0", "valve >= valves"]);
        assert!(
            document.tests.iter().all(|test| test.is_defined && test.ends == "returns" && test.path_length as usize == test.lines.len())
        );
        for (at, side) in document.list.iter().enumerate() {
            let takes = |test: &u32| document.tests[*test as usize].takes.contains(&(at as u32));
            assert_eq!(side.test.as_ref().is_some_and(takes), side.verdict == BranchesVerdict::Covered);
        }
        let (wrong, all) = rejected(&source, &document, claims);
        assert!(wrong == 0 && all > document.tests.len());
    }
}

/// The orders of the frontier give the same verdicts.
#[test]
fn the_order_of_the_frontier_changes_no_verdict() {
    let settings = BranchesSettings { order: BranchesOrder::Discovery, ..BranchesSettings::default() };
    let (Reply::Document { document }, _) = ask(request(&valves(3)), settings) else { panic!("refused") };
    assert_eq!(counts(&document), (14, 12, 2, 0));
}

/// What an infeasible branch rests on is in its claim: without a part of it the check believes nothing.
#[test]
fn changed_evidence_is_rejected() {
    let source = "int f(int n) { int i = 0; while (i < n) { if (i < 0) return 1; i++; } return 0; }";
    let (document, claims) = branches(source);
    assert_eq!(counts(&document), (4, 3, 1, 0));
    let is_excluded = |claim: &&Claim| matches!(claim.statement, Statement::Excluded { .. });
    let found: Vec<Claim> = claims.iter().filter(is_excluded).cloned().collect();
    let [Statement::Excluded { edges, graph, certificates, .. }] = &found.iter().map(|claim| &claim.statement).collect::<Vec<_>>()[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!(rejected(source, &document, found.clone()), (0, 1));
    let mut changed = Vec::new();
    for (edges, graph, certificates) in [
        (vec![edges[0] + 1], graph.clone(), certificates.clone()),
        (edges.clone(), graph.clone(), certificates[1..].to_vec()),
        (
            edges.clone(),
            {
                let mut graph = graph.clone();
                graph.invariants.iter_mut().for_each(Vec::clear);
                graph
            },
            certificates.clone(),
        ),
        (
            edges.clone(),
            {
                let mut graph = graph.clone();
                graph.cut.clear();
                graph
            },
            certificates.clone(),
        ),
    ] {
        changed.push(Claim::new("changed", Statement::Excluded { taken: true, edges, graph, certificates }));
    }
    assert_eq!(rejected(source, &document, changed), (4, 4));
}

/// A branch of a function has copies where it is called; one that a copy takes is covered.
#[test]
fn a_branch_is_covered_if_a_copy_is() {
    let source = "int g(int x) { if (x > 3) return 1; return 0; }
        int f(int y) { int a = g(2); int b = g(y); int c = g(1); return a + b + c; }";
    let (document, claims) = branches(source);
    assert_eq!((counts(&document), document.copies.total, document.copies.covered), ((2, 2, 0, 0), 6, 4));
    assert_eq!(rejected(source, &document, claims).0, 0);
    let never = source.replace("g(y)", "g(3)");
    assert_eq!(counts(&branches(&never).0), (2, 1, 1, 0));
}

/// What a pointer parameter points to differs from call to call; the decision in the text is one.
#[test]
fn copies_that_read_other_variables_are_of_one_branch() {
    let source = "void g(int *p) { if (*p > 3) *p = 0; }
        int f(int y) { int a = 2, b[3] = {0, 0, 0}, c = y; b[1] = 9; g(&a); g(&c); g(&b[1]); return a + c + b[1]; }";
    let (document, _) = branches(source);
    assert_eq!((counts(&document), document.copies.total), ((2, 2, 0, 0), 6));
}

/// The paper counts what a compiler's constant propagation leaves: not the debug output, and not what only it calls; a constant that differs
/// from way to way decides nothing.
#[test]
fn constant_decisions_are_counted_apart() {
    let source = "int debug = 0; int g(int x) { if (x > 3) return 1; return 0; }
        int f(int y) { int a = 0, b = 1; if (y) a = 1; else b = 1; if (a) y++; if (b) y++; if (debug) { if (y) y = g(y); } return y; }";
    let (document, _) = branches(&source.replace("int debug", "const int debug"));
    let counts = document.without_constants;
    assert_eq!((document.branches.total, counts.total, counts.covered), (12, 4, 4));
}

/// Each side says what holds there.
#[test]
fn sides_are_told_apart_by_their_text() {
    let (document, _) = branches("int f(int x) { if (x > 3) return 1; return 0; }");
    let texts: Vec<(&str, &str)> = document.list.iter().map(|side| (&*side.text, &*side.side)).collect();
    assert_eq!(texts, [("x > 3", "true"), ("!(x > 3)", "false")]);
}

/// The cases of a `switch`, and two conditions of one macro, are branches of their own.
#[test]
fn decisions_at_one_place_are_told_apart() {
    let source = "#define FAR(x) ((x) > 10 || (x) < -10)
        int f(int a, int b) { int r = 0; switch (a) { case 1: r = 1; break; case 2: case 3: r = 2; break; default: r = 3; }
        if (FAR(b)) r++; return r; }";
    assert_eq!(counts(&branches(source).0), (10, 10, 0, 0));
}

/// Calls within themselves are followed only so far: what only deeper ones may take is open.
#[test]
fn deep_recursion_leaves_branches_open() {
    let source = "int down(int n) { if (n > 1000) return 1; if (n < 0) return 0; return down(n + 1); } int f(void) { return down(0); }";
    let (document, _) = branches(source);
    // No execution takes `n < 0`, at any depth; the one that there is takes `n > 1000`, deeper than the copies.
    assert_eq!((document.branches.infeasible, document.branches.open), (1, 0), "{:?}", document.branches);
    // What returns from there with many inputs may be anything.
    let many = source.replace("n > 1000", "n > 1000 + k").replace("n + 1", "n + 1, k").replace("int n)", "int n, int k)");
    let many = many.replace("f(void) { return down(0); }", "f(int k) { int v = down(0, k * 3 % 7 + k); if (v == 2) return 1; return 0; }");
    let (document, _) = branches(&many);
    assert!(document.branches.open > 0, "{:?}", document.branches);
    assert!(document.list.iter().filter_map(|side| side.open.as_ref()).all(|open| !open.is_empty()));
}

/// A Collatz run that needs rounds is found without a bound on them.
#[test]
fn nobody_sets_how_often_loops_run() {
    let source = "int f(int n) { if (n < 1 || n > 100) return 0; int steps = 0; while (n != 1) { if (n % 2 == 0) n = n / 2; else n = 3 * n + 1; steps++; }
        if (steps == 5) return 1; return 2; }";
    let (document, _) = branches(source);
    assert_eq!((document.branches.covered, document.branches.open), (document.branches.total, 0), "{:?}", document.branches);
}

/// Given inputs are tests like others; what does not fit is refused, and a limit leaves branches open with a reason.
#[test]
fn beginning_and_end() {
    let source = "int f(int x) { if (x == 123456) return 1; return 0; }";
    let input = |name: &str| Input { values: [(name.to_owned(), InputValue::Scalar(Number::Small(123_456)))].into(), ..Input::default() };
    let settings = |name| BranchesSettings { tests: vec![input(name)], ..BranchesSettings::default() };
    let (Reply::Document { document }, _) = ask(request(source), settings("x")) else { panic!("refused") };
    assert_eq!((counts(&document), document.iterations), ((2, 2, 0, 0), 0));
    let (Reply::Refused { diagnostics }, _) = ask(request(source), settings("y")) else { panic!("it has no y") };
    assert!(diagnostics[0].message.starts_with("test 1: "), "{}", diagnostics[0].message);
    let limited = Request { limit: Some(1), ..request(source) };
    let (Reply::Document { document }, _) = ask(limited, BranchesSettings::default()) else { panic!("refused") };
    assert!(document.branches.open > 0 && !document.header.complete && document.reason.is_some_and(|why| why.contains("limit of 1 step")));
    assert_eq!(counts(&branches("int f(void) { return 0; }").0), (0, 0, 0, 0));
}

/// What is told while it runs: the branches at first, then what is known of them, at any time as sound as the document.
#[test]
fn news_are_as_sound_as_the_document() {
    let recursive = "int down(int n) { if (n > 1000) return 1; if (n < 0) return 0; return down(n + 1); } int f(void) { return down(0); }";
    for source in [valves(2), recursive.to_owned()] {
        let (mut list, mut tests) = (Vec::<BranchesSide>::new(), Vec::<BranchesTest>::new());
        let mut last = None;
        let mut hear = |event: culdesac::view::Event| {
            match event.news::<BranchesNews>() {
                Some(BranchesNews::BranchesTest { test }) => tests.push(test.clone()),
                Some(BranchesNews::Branches { counts, cov_b, cov_f, changed, .. }) => {
                    for change in changed {
                        let at = change.at as usize;
                        if at == list.len() {
                            list.push(change.side.clone());
                        }
                        assert_eq!(list[at].verdict, BranchesVerdict::Open, "what was decided stays so");
                        list[at] = change.side.clone();
                        let takes = |test: u32| tests[test as usize].takes.contains(&change.at);
                        assert_eq!(change.side.verdict == BranchesVerdict::Covered, change.side.test.is_some_and(takes));
                    }
                    last = Some((*counts, *cov_b, *cov_f));
                }
                Some(news) => unreachable!("nobody asked for steps: {news:?}"),
                None => {}
            }
            true
        };
        let asked = Query { request: Some(request(&source)), settings: BranchesSettings::default() };
        let mut listener = Listener::new(&mut hear);
        let Reply::Document { document } = asked.answer::<Branches>(&Default::default, &mut listener) else { panic!("refused") };
        assert_eq!(last, Some((document.branches, document.cov_b, document.cov_f)));
        let told: Vec<_> = list.iter().map(|side| (side.line, &side.text, &side.edges, side.verdict)).collect();
        let known: Vec<_> = document.list.iter().map(|side| (side.line, &side.text, &side.edges, side.verdict)).collect();
        assert_eq!(told, known);
    }
}

/// Programs with loops and decisions.
pub const SHAPE: Shape = Shape {
    constants: -3..4,
    variables: &["x", "y", "z"],
    expression: (1, 3),
    operations: &[(4, Operation::Sum), (1, Operation::Multiple), (1, Operation::Behind(&["/ 2", "% 3"])), (1, Operation::Element)],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(6, Condition::Comparison), (1, Condition::Text("nondet()"))],
    connectives: &[Connective::And],
    statements: &[
        (4, Action::Assign),
        (1, Action::Store),
        (2, Action::Text("z = z + 2;")),
        (2, Action::Text("x--;")),
        (1, Action::Text("z = nondet();")),
        (1, Action::Assert),
        (1, Action::Text("return y;")),
    ],
    nesting: (3, 10),
    blocks: &[(2, Block::If), (2, Block::IfElse), (2, Block::While)],
    length: 1..5,
    declarations: "int z = 0;",
};

/// A search with its suite.
fn chosen(lts: &Lts, sides: &[Side], order: &mut dyn FrontierOrder, steps: u64) -> BranchesOutcome {
    let mut silent = Silent;
    let (trace, mut meter) = (Trace::new(&mut silent), Meter::new(steps));
    let mut outcome = search(lts, BranchGoals { sides, start: &[], facts: &EdgeFacts::default() }, order, &mut meter, &trace, &Unobserved);
    outcome.choose_among(sides, |_| true, &trace);
    outcome
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20), ..ProptestConfig::default() })]

    /// No run of a box takes a branch that is called infeasible, or that constants exclude; tests take what is called covered; the model keeps the
    /// paper's invariants (asserted after each run).
    #[test]
    fn no_run_contradicts_a_verdict(source in SHAPE.program(), seed in proptest::option::of(0..100u64), discovery: bool) {
        let lts = lower_typed(&source, seed, false);
        let (machine, all, not_constant) = (Machine::new(&lts), sides(&lts), propagate(&lts));
        let mut order: Box<dyn FrontierOrder> = if discovery { Box::<Discovery>::default() } else { Box::<Fair>::default() };
        let outcome = chosen(&lts, &all, &mut *order, 30_000);
        for input in inputs_of(&lts, -3..=3, 2) {
            for edge in machine.run(&input, 100).edges {
                prop_assert!(not_constant.contains(&edge), "edge {} with {:?}\n{}", edge.index(), input, source);
                prop_assert!(outcome.edges[edge.index()] != EdgeKnowledge::Excluded, "edge {} with {:?}\n{}", edge.index(), input, source);
            }
        }
        for side in &all {
            let tested = outcome.suite.iter().any(|&number| {
                let test = &outcome.runs[number];
                machine.run(&test.input, test.path.len() as u64).edges.iter().any(|edge| side.edges.contains(edge))
            });
            prop_assert_eq!(tested, status(side, &outcome.edges) == SideStatus::Covered, "{}", source);
        }
    }
}

/// Programs in which a search forward comes to an end.
const WITHOUT_LOOPS: Shape = Shape { blocks: &[(2, Block::If), (2, Block::IfElse)], ..SHAPE };

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(16), ..ProptestConfig::default() })]

    /// Without loops both searches forward cover all that a run of a box covers; no search covers an infeasible branch.
    #[test]
    fn searches_forward_cover_what_can_be_covered(source in WITHOUT_LOOPS.program(), seed in proptest::option::of(0..100u64)) {
        let lts = lower_typed(&source, seed, false);
        let (machine, all) = (Machine::new(&lts), sides(&lts));
        let outcome = chosen(&lts, &all, &mut Fair::default(), 20_000);
        let mut taken = vec![false; lts.graph.edge_count()];
        for input in inputs_of(&lts, -3..=3, 2) {
            machine.run(&input, 200).edges.iter().for_each(|edge| taken[edge.index()] = true);
        }
        for search in BaselineSearch::ALL {
            let mut meter = Meter::new(20_000);
            let found = search.search(&lts, &all, 0, &mut meter);
            for (side, &covered) in all.iter().zip(&found.sides) {
                prop_assert!(!covered || status(side, &outcome.edges) != SideStatus::Infeasible, "{search:?}: {side:?}\n{source}");
                let misses = !covered && side.edges.iter().any(|edge| taken[edge.index()]);
                prop_assert!(search == BaselineSearch::Random || meter.is_exhausted() || !misses, "{search:?}: {side:?}\n{source}");
            }
        }
    }
}
