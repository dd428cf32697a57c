//! CHS12's experiments.
//!
//! Section 7, Table 1 and Figures 4 to 6: random programs, ten for each number of diamonds from 2 to 9, covered by each algorithm.
//! Queries and the time of everything from the graph to the last answer, in one run; then both for each number of diamonds.
//! `cargo bench --bench cover` for all, `cargo bench --bench cover -- sc prefer` for some, with `--programs N` another number of
//! each size, with `--json FILE` every single run as a document (that of `culdesac::analysis::compare::compare`, which the page's charts are
//! drawn from too). The page does the same in the browser: Cover, *Compare algorithms*.
//!
//! Table 1's factors in time: every question of AlgSC, AlgFM and AlgVSTTE is asked once more in a context of its own, in which
//! nothing is known from the questions before. `-- fresh` does this alone.
//!
//! Section 6: calls inlined beside procedure summaries, on the paper's example and on programs in which generated procedures are
//! called. `-- summaries` does this alone.

use culdesac::analysis::compare::{COMPARE_LIMIT, CompareSettings, ComparedRun, compare};
use culdesac::analysis::cover::method::{Algorithm, CoverOutcome, CoverPlan, EdgeVerdict, run, run_with_summaries};
use culdesac::analysis::{Event, Silent, Sink, Trace};
use culdesac::lts::lower::Options;
use culdesac::solver::Context;
use culdesac::solver::meter::Meter;
use culdesac::view::Reply;
use culdesac::{generate, lang, lts};
use std::fmt::Write;
use std::time::{Duration, Instant};

const ALGORITHMS: [&str; 5] = ["pc", "sc", "fm", "vstte", "prefer"];
const SIZES: std::ops::RangeInclusive<u32> = 2..=9;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let option = |name: &str| arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1));
    let wanted = |name: &&str| arguments.iter().any(|argument| argument == name);
    let chosen: Vec<&str> = ALGORITHMS.into_iter().filter(wanted).collect();
    let (only_summaries, only_fresh) = (wanted(&"summaries"), wanted(&"fresh"));
    let programs = option("--programs").and_then(|number| number.parse().ok()).unwrap_or(10);
    if !only_summaries && !only_fresh {
        algorithms(if chosen.is_empty() { &ALGORITHMS } else { &chosen }, programs, option("--json"));
    }
    if only_fresh || !only_summaries && chosen.is_empty() {
        fresh(programs);
    }
    if only_summaries || !only_fresh && chosen.is_empty() {
        summaries();
    }
}

/// Table 1 and Figures 4 to 6.
fn algorithms(names: &[&str], programs: u32, json: Option<&String>) {
    let settings = CompareSettings {
        least: *SIZES.start(),
        most: *SIZES.end(),
        programs,
        seed: 0,
        algorithms: names.iter().map(|name| (*name).to_owned()).collect(),
        limit: None,
    };
    let started = Instant::now();
    let Reply::Document { mut document } = compare(&settings, &|| started.elapsed(), &mut |_| true) else {
        return eprintln!("{programs} programs of each size cannot be compared");
    };
    document.header.statistics.wall_ms = started.elapsed().as_secs_f64() * 1e3;
    let of = |name: &str, diamonds: Option<u32>| -> (u32, u32, f64, usize) {
        let runs: Vec<&ComparedRun> =
            document.runs.iter().filter(|run| run.algorithm == name && diamonds.is_none_or(|size| run.diamonds == size)).collect();
        let time: u64 = runs.iter().map(|run| run.time_us).sum();
        let open = runs.iter().filter(|run| !run.complete).count();
        (runs.iter().map(|run| run.queries).sum(), runs.iter().map(|run| run.tests).sum(), time as f64 / 1e3, open)
    };
    println!("algorithm  queries   tests   time (s)  open");
    for name in names {
        let (queries, tests, ms, open) = of(name, None);
        println!("{name:<9}  {queries:>7}  {tests:>6}  {:>9.3}  {open:>4}", ms / 1e3);
    }
    println!("\nqueries and milliseconds, all programs of each number of diamonds");
    println!("        {}", SIZES.map(|size| format!("{size:>11}")).collect::<String>());
    for name in names {
        let cell = |size| {
            let (queries, _, ms, _) = of(name, Some(size));
            format!("{queries:>5} {ms:>5.1}")
        };
        println!("{name:<7} {}", SIZES.map(|size| format!("{:>11}", cell(size))).collect::<String>());
    }
    if let Some(file) = json {
        let text = serde_json::to_string_pretty(&document).expect("plain data") + "\n";
        if let Err(error) = std::fs::write(file, text) {
            eprintln!("cannot write {file}: {error}");
        }
    }
}

/// Asks each question of a run once more, in a context of its own.
#[derive(Default)]
struct Fresh {
    questions: u32,
    took: Duration,
    slowest: Duration,
    /// Answers that are not those of the run.
    others: u32,
}

impl Sink for Fresh {
    fn event(&mut self, event: Event<'_>) -> bool {
        if let Event::Query { context, answer } = event {
            let mut alone = Context::new();
            alone.pool = context.pool.clone();
            let started = Instant::now();
            for &formula in context.assertions() {
                alone.assert(formula);
            }
            let again = alone.check(&mut Meter::new(COMPARE_LIMIT));
            let took = started.elapsed();
            self.questions += 1;
            self.took += took;
            self.slowest = self.slowest.max(took);
            self.others += u32::from(std::mem::discriminant(&again) != std::mem::discriminant(answer));
        }
        true
    }
}

/// Table 1's factors, with nothing kept between questions.
fn fresh(programs: u32) {
    println!("\neach question in a context of its own");
    println!("algorithm  queries   time (s)  ms each  slowest (ms)  other answers");
    for (name, algorithm) in [("sc", Algorithm::Sc), ("fm", Algorithm::Fm), ("vstte", Algorithm::Vstte)] {
        let settings = CoverPlan { unwind: 0, algorithm, small: false, verdicts: false };
        let mut asked = Fresh::default();
        for (count, seed) in SIZES.flat_map(|count| (0..programs).map(move |seed| (count, seed))) {
            let program = lang::parse(&generate::diamonds(count, u64::from(seed))).program.expect("a program");
            let lts = lts::lower::lower(&program, None).expect("a graph").lts;
            if run(&lts, &settings, &mut Meter::new(COMPARE_LIMIT), &Trace::new(&mut asked)).is_err() {
                println!("{name:<9}  {count} diamonds, seed {seed}: cannot be unwound");
            }
        }
        let Fresh { questions, took, slowest, others } = asked;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:<9}  {questions:>7}  {:>9.3}  {:>7.2}  {:>12.1}  {others:>13}",
            took.as_secs_f64(),
            ms(took) / f64::from(questions.max(1)),
            ms(slowest)
        );
    }
}

/// Section 6.
fn summaries() {
    let programs = [
        ("foo_bar", include_str!("../examples/foo_bar.blocks").to_owned(), "bar"),
        ("2 procedures, 2 calls", with_procedures(2, 2, 2), "main"),
        ("2 procedures, 8 calls", with_procedures(2, 2, 8), "main"),
    ];
    println!("\n                        calls inlined                    with summaries");
    println!("program                 queries  tests  covered       ms  queries  tests  covered       ms  their tests  pairs  recomputed");
    for (name, source, function) in programs {
        let program = lang::parse(&source).program.expect("a program");
        let options = Options::default();
        let lts = lts::lower::lower_with(&program, Some(function), &options).expect("a graph").lts;
        // Verdicts on the rest are asked for too: they are what is inlined for in any case.
        let settings = CoverPlan { unwind: 0, algorithm: Algorithm::Sc, small: false, verdicts: true };
        let (inlined, took) = timed(|| run(&lts, &settings, &mut Meter::new(COMPARE_LIMIT), &Trace::new(&mut Silent)));
        let (summarized, took_summarized) =
            timed(|| run_with_summaries(&program, &options, &lts, &settings, &mut Meter::new(COMPARE_LIMIT), &Trace::new(&mut Silent)));
        let part = |cover: &CoverOutcome, took: Duration| {
            let covered = cover.verdicts.iter().filter(|verdict| matches!(verdict, EdgeVerdict::Covered(_))).count();
            format!(
                "{:>7}  {:>5}  {:>3} / {:<3} {:>6.1}",
                cover.queries,
                cover.complete,
                covered,
                cover.verdicts.len(),
                took.as_secs_f64() * 1e3
            )
        };
        let (Ok(inlined), Ok(summarized)) = (inlined, summarized) else {
            println!("{name:<22}  cannot be unwound");
            continue;
        };
        let report = summarized.summaries.as_ref().expect("summaries were asked for");
        let pairs: usize = report.callees.iter().filter_map(|callee| callee.pairs).sum();
        let recomputed: u32 = report.callees.iter().map(|callee| callee.recomputed).sum();
        println!(
            "{name:<22}  {}  {}  {:>11}  {pairs:>5}  {recomputed:>10}",
            part(&inlined, took),
            part(&summarized, took_summarized),
            report.tests
        );
    }
}

fn timed<T>(work: impl Fn() -> T) -> (T, Duration) {
    // The first time warms up.
    drop(work());
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}

/// So many generated procedures of so many diamonds each, and a `main` that calls them in turn: with its input, with what the call
/// before gave back, and with a constant.
fn with_procedures(procedures: u32, diamonds: u32, calls: u32) -> String {
    let mut text = String::new();
    let mut parameters = Vec::new();
    for number in 0..procedures {
        let generated = generate::diamonds(diamonds, u64::from(number));
        let (_, rest) = generated.split_once("proc main(").expect("a procedure");
        let (names, body) = rest.split_once(") {").expect("a procedure");
        let body = body.trim_end().strip_suffix('}').expect("a procedure");
        parameters.push(names.split(", ").count());
        // The final block stands last and has no `goto`.
        let _ = write!(text, "proc p{number}({names}) returns result {{{body}       result := v0 + v1;\n}}\n\n");
    }
    text.push_str("proc main(x) returns y {\n  start: y := x;\n         goto c0;\n");
    for call in 0..calls {
        let number = call % procedures;
        let arguments =
            (0..parameters[number as usize]).map(|at| ["x".to_owned(), "y".to_owned(), format!("{}", call + 1)][at % 3].clone());
        let next = if call + 1 == calls { "end".to_owned() } else { format!("c{}", call + 1) };
        let _ = writeln!(text, "  c{call}: y := call p{number}({});\n      goto {next};", arguments.collect::<Vec<_>>().join(", "));
    }
    text.push_str("  end:\n}\n");
    text
}
