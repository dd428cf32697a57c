//! Table 1 of CHS12: 80 random programs, ten for each number of diamonds from 2 to 9, covered by each algorithm. Queries and the time
//! of everything from the graph to the last answer, in one run; then both for each number of diamonds, as Figures 4 to 6.
//!
//! `cargo bench --bench cover` for all, `cargo bench --bench cover -- sc prefer` for some.

use culdesac::analysis::cover::{Algorithm, Settings, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::lts::Lts;
use culdesac::solver::meter::Meter;
use culdesac::{generate, lang, lts};
use std::time::{Duration, Instant};

/// Steps for each program and algorithm.
const LIMIT: u64 = 500_000_000;

fn lower(source: &str) -> Lts {
    let program = lang::parse(source).program.expect("a generated program");
    lts::lower::lower(&program, None).expect("a generated program").lts
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let algorithms =
        [("pc", Algorithm::Pc), ("sc", Algorithm::Sc), ("fm", Algorithm::Fm), ("vstte", Algorithm::Vstte), ("prefer", Algorithm::Prefer)];
    let programs: Vec<(u32, Lts)> =
        (2..=9).flat_map(|diamonds| (0..10).map(move |seed| (diamonds, lower(&generate::diamonds(diamonds, seed))))).collect();
    println!("algorithm  queries   tests   time (s)  open");
    let mut rows = Vec::new();
    for (name, algorithm) in algorithms.into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)) {
        let settings = Settings { unwind: 0, algorithm, small: false, verdicts: false };
        let mut sizes = [(0, Duration::ZERO); 8];
        let (mut queries, mut tests, mut open) = (0, 0, 0);
        for (diamonds, lts) in &programs {
            let started = Instant::now();
            let cover = run(lts, &settings, &mut Meter::new(LIMIT), &Trace::new(&mut Silent)).expect("no loops");
            let size = &mut sizes[*diamonds as usize - 2];
            size.0 += cover.queries;
            size.1 += started.elapsed();
            queries += cover.queries;
            tests += cover.tests.len();
            open += u32::from(cover.cut.is_some());
        }
        let time: Duration = sizes.iter().map(|size| size.1).sum();
        println!("{name:<9}  {queries:>7}  {tests:>6}  {:>9.3}  {open:>4}", time.as_secs_f64());
        rows.push((name, sizes));
    }
    println!(
        "\nqueries and milliseconds for ten programs of each number of diamonds\n           2          3          4          5          6          7          8          9"
    );
    for (name, sizes) in rows {
        let cells: Vec<String> = sizes.iter().map(|(queries, time)| format!("{queries:>5} {:>5.0}", time.as_secs_f64() * 1e3)).collect();
        println!("{name:<7} {}", cells.join("  "));
    }
}
