//! Pruning: the graph alone at the paper's lookaheads, its paths counted far out, and feasible paths by merged states.

use criterion::{Criterion, criterion_group, criterion_main};
use culdesac::analysis::prune::method::{MethodKind, PruneChoices, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::count::{Graph, totals};
use culdesac::counting::table;
use culdesac::lts::Lts;
use culdesac::solver::meter::Meter;
use culdesac::states::States;
use culdesac::{lang, lts};
use std::hint::black_box;

fn lower(source: &str) -> Lts {
    let program = lang::parse(source).program.expect("an example");
    lts::lower::lower(&program, None).expect("an example").lts
}

fn benches(criterion: &mut Criterion) {
    let programs = [
        ("merge", include_str!("../examples/merge.c"), 2),
        ("bubble", include_str!("../examples/bubble.c"), 8),
        ("substring", include_str!("../examples/substring.c"), 10),
    ];
    for (name, source, lookahead) in programs {
        let lts = lower(source);
        let pruned = |abstraction| {
            let settings = PruneChoices { abstraction, restarts: true, lookahead, max_red_length: None };
            run(black_box(&lts), States::new(&lts), &settings, &mut Meter::new(u64::MAX), &Trace::new(&mut Silent)).pruned
        };
        for (method, abstraction) in [("drop", MethodKind::Drop), ("learn", MethodKind::Learn)] {
            criterion.bench_function(&format!("S' {name} {method} {lookahead}"), |bench| bench.iter(|| pruned(abstraction)));
        }
        let original = Graph::of(&lts);
        criterion.bench_function(&format!("P(1000) {name}"), |bench| bench.iter(|| totals(black_box(&original), &[1000])));
        let graph = pruned(MethodKind::Learn).graph();
        criterion.bench_function(&format!("P'(1000) {name}"), |bench| bench.iter(|| totals(black_box(&graph), &[1000])));
        criterion.bench_function(&format!("FP(100) {name}"), |bench| {
            bench.iter(|| table(black_box(&lts), &[100], true, &mut Meter::new(u64::MAX), &Trace::new(&mut Silent)))
        });
    }
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(10);
    targets = benches
}
criterion_main!(all);
