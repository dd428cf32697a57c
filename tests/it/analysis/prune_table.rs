//! AGVW16, Tables I to III: the paper's settings give the paper's numbers, and ours are below them.
//! The table stands in `crate/analysis/prune.rs`.

use culdesac::analysis::prune::method::{MethodKind, PruneChoices, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::count::{Graph, totals};
use culdesac::evidence::graph::Pruned;
use culdesac::invariants::certify::{Confirmed, confirmed};
use culdesac::lts::Lts;
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::states::{Ask, States};
use culdesac::{lang, lts};
use expect_test::expect;
use num_bigint::BigUint;

const LENGTHS: [u32; 3] = [30, 50, 100];

fn example(name: &str) -> Lts {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.c"));
    let program = lang::parse(&std::fs::read_to_string(path).expect("an example")).program.expect("accepted");
    lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{errors:?}")).lts
}

/// With C's types.
fn example_of_c(name: &str) -> Lts {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.c"));
    let program = lang::parse(&std::fs::read_to_string(path).expect("an example")).program.expect("accepted");
    let options = lts::lower::Options { ints: lts::lower::IntegerModel::C32, ..lts::lower::Options::default() };
    lts::lower::lower_with(&program, None, &options).unwrap_or_else(|errors| panic!("{errors:?}")).lts
}

fn settings(abstraction: MethodKind, restarts: bool, lookahead: u32, max_red_length: Option<u32>) -> PruneChoices {
    PruneChoices { abstraction, restarts, lookahead, max_red_length }
}

fn pruned(lts: &Lts, name: &str, settings: PruneChoices) -> Vec<BigUint> {
    let outcome = run(lts, States::new(lts), &settings, &mut Meter::new(20_000_000), &Trace::new(&mut Silent));
    assert_eq!(outcome.cut, None, "{name} {settings:?}");
    totals(&outcome.pruned.graph(), &LENGTHS)
}

fn numbers(numbers: [u64; 3]) -> Vec<BigUint> {
    numbers.map(BigUint::from).to_vec()
}

#[test]
fn the_papers_settings_give_the_papers_numbers() {
    use MethodKind::{Drop, Havoc};
    let table = [
        ("merge", settings(Drop, true, 2, None), [140, 2_300, 2_359_292]),
        ("merge", settings(Havoc, true, 2, Some(30)), [140, 4_652, 23_961_158]),
        ("merge", settings(Havoc, false, 2, None), [210, 3_271, 3_209_705]),
        ("bubble", settings(Drop, true, 2, None), [741, 321_962, 1_187_821_934_650]),
        ("bubble", settings(Havoc, true, 2, None), [203, 44_504, 29_939_628_490]),
        ("bubble", settings(Drop, true, 8, None), [285, 69_457, 66_958_226_652]),
        ("substring", settings(Drop, true, 0, None), [143, 4_180, 9_227_464]),
        ("substring", settings(Havoc, true, 0, None), [143, 4_180, 9_227_464]),
        ("substring", settings(Drop, true, 10, None), [130, 3_803, 8_395_424]),
        ("substring", settings(Havoc, true, 10, None), [98, 2_818, 6_217_117]),
    ];
    for (name, settings, expected) in table {
        assert_eq!(pruned(&example(name), name, settings), numbers(expected), "{name} {settings:?}");
        // No path of these lengths comes near the ends of `int`.
        assert_eq!(pruned(&example_of_c(name), name, settings), numbers(expected), "{name} {settings:?} of C");
    }
}

#[test]
fn ours_are_below_the_papers_best() {
    let learn = |lookahead| settings(MethodKind::Learn, true, lookahead, None);
    // At the paper's lookaheads, and at farther ones; beside each its best.
    let rows = [
        ("merge", 2, [140, 2_300, 2_359_292]),
        ("bubble", 8, [203, 44_504, 29_939_628_490]),
        ("bubble", 16, [203, 44_504, 29_939_628_490]),
        ("bubble", 30, [203, 44_504, 29_939_628_490]),
        ("substring", 10, [98, 2_818, 6_217_117]),
        ("substring", 16, [98, 2_818, 6_217_117]),
    ];
    let mut table = String::from("program   lookahead  P'(30)  P'(50)       P'(100)\n");
    for (name, lookahead, best) in rows {
        let counts = pruned(&example(name), name, learn(lookahead));
        assert_eq!(pruned(&example_of_c(name), name, learn(lookahead)), counts, "{name} {lookahead} of C");
        assert!(counts.iter().zip(numbers(best)).all(|(ours, best)| *ours <= best), "{name} {lookahead}: {counts:?}");
        let [short, middle, long] = &counts[..] else { panic!("three lengths") };
        table += &format!("{name:9} {lookahead:9} {short:>7} {middle:>7} {long:>13}\n");
    }
    expect![[r#"
        program   lookahead  P'(30)  P'(50)       P'(100)
        merge             2     140    2300       2359292
        bubble            8      53    8018    4241834738
        bubble           16      20     921     243890085
        bubble           30      20     217       1411366
        substring        10      93    2592       5702903
        substring        16      87    2158       4413372
    "#]]
    .assert_eq(&table);
}

/// The confirmation does confirm: of a graph with one more cut, or a stronger formula, it takes back what does not hold.
#[test]
fn a_wrong_graph_is_not_confirmed() {
    let lts = example("bubble");
    let chosen = settings(MethodKind::Learn, true, 4, None);
    let outcome = run(&lts, States::new(&lts), &chosen, &mut Meter::new(20_000_000), &Trace::new(&mut Silent));
    let right = totals(&outcome.pruned.graph(), &[30]);
    let mut states = outcome.states;
    let mut meter = Meter::new(20_000_000);
    for at in 0..outcome.pruned.edges.len() {
        let mut wrong = outcome.pruned.clone();
        let (from, edge, _) = wrong.edges.remove(at);
        wrong.cut.push((from, edge));
        let mut ask = Ask { meter: &mut meter, log: &NoLog };
        let Confirmed { pruned: kept, doubt, .. } = confirmed(&mut states, wrong, &mut ask).expect("enough steps");
        // The edge is back, though it may lead to the original's part now.
        assert!(doubt.is_some() && totals(&kept.graph(), &[30]) >= right, "{at}");
    }
    for at in 0..outcome.pruned.nodes.len() {
        let mut wrong = outcome.pruned.clone();
        wrong.invariants[at].push(culdesac::logic::Pool::FALSE);
        let mut ask = Ask { meter: &mut meter, log: &NoLog };
        let Confirmed { pruned: kept, doubt, .. } = confirmed(&mut states, wrong, &mut ask).expect("enough steps");
        assert!(doubt.is_some() && totals(&kept.graph(), &[30]) >= right, "{at}");
    }
    assert!(totals(&Graph::of(&lts), &[30]) > right);
}

/// A formula of a place may speak of the program's variables only. One that kept the value of an earlier `nondet()` by name
/// would confuse it with the value of a later one: here both "are" `nondet#0`, so that `x != y` could be cut.
#[test]
fn formulas_of_places_speak_of_variables_only() {
    let program = "int f(void) { int x = nondet(); int y = nondet(); if (x != y) { y = 7; } return x; }";
    let parsed = lang::parse(program).program.expect("accepted");
    let lts = lts::lower::lower(&parsed, None).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let mut states = States::new(&lts);
    let mut forged = Pruned::original(&lts);
    let pool = &mut states.pool;
    let [x, y, value] = ["x", "y", "nondet#0"].map(|name| pool.integer(name));
    let (known_x, known_y) = (pool.equal(&x, &value), pool.equal(&y, &value));
    // Place 0 is the entry, the places after it follow in the order of the two assignments.
    let next = |forged: &Pruned, from: u32| forged.edges.iter().find(|edge| edge.0 == from).expect("a way on").2;
    let first = next(&forged, 0);
    let second = next(&forged, first);
    forged.invariants[first as usize].push(known_x);
    forged.invariants[second as usize].extend([known_x, known_y]);
    let differs = forged
        .edges
        .iter()
        .position(|&(from, edge, _)| from == second && lts::text::label(&lts, lts.edge(edge).0).contains("!="))
        .expect("a decision");
    let (from, edge, _) = forged.edges.remove(differs);
    forged.cut.push((from, edge));
    let mut meter = Meter::new(1_000_000);
    let mut ask = Ask { meter: &mut meter, log: &NoLog };
    let Confirmed { pruned: kept, doubt, .. } = confirmed(&mut states, forged, &mut ask).expect("enough steps");
    assert!(doubt.is_some());
    assert_eq!(totals(&kept.graph(), &[10]), totals(&Graph::of(&lts), &[10]));
}
