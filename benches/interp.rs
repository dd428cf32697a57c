//! Concrete execution: edges per second, of programs over unbounded integers and over C's `int` and `unsigned`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use culdesac::interp::{Input, Machine};
use culdesac::logic::IntRange;
use culdesac::lts::{BinaryOp, Expr, Label, Lts};
use culdesac::{lang, lts};
use std::hint::black_box;
use std::ops::ControlFlow;

const STEPS: u64 = 1_000_000;

fn lower(source: &str) -> Lts {
    let program = lang::parse(source).program.expect("a program");
    lts::lower::lower(&program, None).expect("a program").lts
}

/// Every sum, difference and product as in C: checked where signed, wrapped where not.
fn typed(mut lts: Lts, range: IntRange) -> Lts {
    fn change(expr: &mut Expr, range: IntRange) {
        expr.children_mut(&mut |child| change(child, range));
        if let Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) = expr {
            let operation = Box::new(std::mem::replace(expr, Expr::nondet(None)));
            *expr = if range.least < 0 { Expr::Checked(range, operation) } else { Expr::Convert(range, operation) };
        }
    }
    for edge in lts.graph.edge_weights_mut() {
        match &mut edge.label {
            Label::Assume { condition: value, .. } | Label::Assign(_, value) => change(value, range),
            Label::Store { index, value, .. } => [index, value].into_iter().for_each(|value| change(value, range)),
            _ => {}
        }
    }
    lts
}

fn benches(criterion: &mut Criterion) {
    let count = "int f() { int i = 0; int s = 0; while (i < 1000000000) { if (i % 3 == 0) { s = s + i % 7; } i = i + 1; } return s; }";
    let sieve = "int f() { int a[1000]; int i; int j; int n = 0; int r = 0;
        while (r < 1000000) { for (i = 0; i < 1000; i++) a[i] = 0;
            for (i = 2; i < 1000; i++) { if (a[i] == 0) { n = n + 1; for (j = i + i; j < 1000; j = j + i) a[j] = 1; } } r++; }
        return n; }";
    let sort = "int f() { int a[64]; int i; int j; int t; int r = 0; int s = 1;
        while (r < 1000000) { for (i = 0; i < 64; i++) { s = (s * 75 + 74) % 65537; a[i] = s; }
            for (i = 0; i < 63; i++) for (j = 0; j < 63 - i; j++) if (a[j] > a[j + 1]) { t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } r++; }
        return a[0]; }";
    let generator = "int f() { int x = 1; int i = 0; while (i < 1000000000) { x = x * 1664525 + 1013904223; i = i + 1; } return x; }";
    let (int, unsigned) = (IntRange::of_bits(32, true), IntRange::of_bits(32, false));
    let programs = [
        ("count", lower(count)),
        ("count, int", typed(lower(count), int)),
        ("sieve", lower(sieve)),
        ("sieve, int", typed(lower(sieve), int)),
        ("sort", lower(sort)),
        ("sort, int", typed(lower(sort), int)),
        ("generator, unsigned", typed(lower(generator), unsigned)),
    ];
    let mut group = criterion.benchmark_group("edges");
    group.throughput(Throughput::Elements(STEPS));
    for (name, lts) in &programs {
        let machine = Machine::new(lts);
        let input = Input::default();
        group.bench_function(*name, |bench| {
            bench.iter(|| {
                let mut steps = 0;
                machine.follow(black_box(&input), STEPS, |_| {
                    steps += 1;
                    ControlFlow::Continue(())
                });
                assert_eq!(steps, STEPS);
            });
        });
    }
    group.finish();
    // Numbers grow without end here: each product is a big one.
    let power = lower("int f() { int x = 3; int i = 0; while (i < 1000) { x = x * 3; i = i + 1; } return x; }");
    let short = lower("int f(int x, int y) { while (x > 0) { x = x - 1; y = y + x; } return y; }");
    let input = |x: i64| Input { values: [("x".to_owned(), x.into())].into(), ..Input::default() };
    let (power, short) = (Machine::new(&power), Machine::new(&short));
    criterion.bench_function("3^1000", |bench| bench.iter(|| power.run(black_box(&input(0)), STEPS)));
    criterion.bench_function("a run of 31 edges", |bench| bench.iter(|| short.run(black_box(&input(10)), STEPS)));
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(all);
