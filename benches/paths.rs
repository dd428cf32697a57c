//! Counting paths: all of them, and the feasible ones with every input replayed and every certificate checked.

use criterion::{Criterion, criterion_group, criterion_main};
use culdesac::analysis::Listener;
use culdesac::analysis::paths::paths;
use culdesac::view::{Reply, Request};
use std::hint::black_box;

fn counted(name: &str, source: &str, lengths: &[u32], feasible: bool) -> String {
    let request = Request {
        program: name.to_owned(),
        source: source.to_owned(),
        function: None,
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
        assume: Vec::new(),
        no_assume: Vec::new(),
        label_steps: false,
    };
    match paths(&request, lengths, feasible, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => format!("{:?}", document.table),
        Reply::Refused { .. } => unreachable!("the examples are accepted"),
    }
}

fn benches(criterion: &mut Criterion) {
    let programs = [
        ("merge", include_str!("../examples/merge.c")),
        ("bubble", include_str!("../examples/bubble.c")),
        ("substring", include_str!("../examples/substring.c")),
    ];
    for (name, source) in programs {
        criterion.bench_function(&format!("FP(50) {name}"), |bench| bench.iter(|| counted(name, black_box(source), &[50], true)));
        criterion.bench_function(&format!("P(1000) {name}"), |bench| bench.iter(|| counted(name, black_box(source), &[1000], false)));
    }
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(all);
