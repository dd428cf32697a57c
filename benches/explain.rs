//! DBG10's Tables II and III on the examples, and the data of its Figures 9 and 10.
//!
//! `cargo bench --bench explain` prints the tables: per program the infeasible prefixes of at most 50 instructions, how many
//! paths their families have, the time to explain and generalize a prefix (T_gen), and the time to prove each path of
//! its family by itself, incrementally and with the same check (T_exh); each the shortest of a few. With
//! `-- --json FILE` the single measurements are written too: per family the prefix' length and the speed-up (Fig. 9), and for some
//! families both times for greater bounds (Fig. 10). `-- --generate N` explores each program so often and does nothing else; with
//! `--only NAME` there is but this program.

use culdesac::analysis::Listener;
use culdesac::analysis::explain::method::consistency::Strength;
use culdesac::analysis::explain::method::explore::explore;
use culdesac::analysis::explain::method::family::ProgramFacts;
use culdesac::analysis::explain::method::{ExplainPlan, Explainer, prepare};
use culdesac::analysis::explain::{ExplainComparison, ExplainSettings, explain};
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::states::Ask;
use culdesac::view::{Reply, Request};
use culdesac::{lang, lts};
use serde_json::json;
use std::time::{Duration, Instant};

/// Name, text, and the paper's best speed-up.
const PROGRAMS: [(&str, &str, f64); 7] = [
    ("erfill", include_str!("../examples/erfill.c"), 15.0),
    ("f1", include_str!("../examples/f1.c"), 80.8),
    ("f2", include_str!("../examples/f2.c"), 17.2),
    ("gcd", include_str!("../examples/gcd.c"), 0.7),
    ("merge5", include_str!("../examples/merge5.c"), 37.5),
    ("selection", include_str!("../examples/selection.c"), 141.7),
    ("tritype", include_str!("../examples/tritype.c"), 2.2),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1));
    let only = option("--only");
    let programs = PROGRAMS.into_iter().filter(|(name, ..)| only.is_none_or(|only| only == name));
    if let Some(times) = option("--generate").and_then(|times| times.parse().ok()) {
        return programs.for_each(|(name, source, _)| generate(name, source, times));
    }
    let mut all = serde_json::Map::new();
    println!("program    order  prefixes    average   maximum  T_gen us  T_exh us  speed-up  paper's best  queries of T_exh");
    for (name, source, paper) in programs {
        for order in ["first", "last"] {
            let rows = table(name, source, order, paper);
            all.insert(format!("{name} {order}"), rows);
        }
    }
    if let Some(file) = option("--json") {
        std::fs::write(file, serde_json::Value::Object(all).to_string()).expect("the file can be written");
    }
}

/// Prints a line of the tables; gives all measurements.
fn table(name: &str, source: &str, order: &str, paper: f64) -> serde_json::Value {
    let request = Request {
        program: name.to_owned(),
        source: source.to_owned(),
        function: None,
        limit: Some(u64::MAX),
        seed: 0,
        ints: None,
        inline_depth: None,
        assume: Vec::new(),
        no_assume: Vec::new(),
        label_steps: false,
    };
    let settings = ExplainSettings {
        max_instructions: 50,
        order: order.to_owned(),
        check: "integer".to_owned(),
        extend: "detours".to_owned(),
        path: None,
        compare: u32::MAX,
        rounds: None,
    };
    let started = Instant::now();
    let clock = || started.elapsed();
    let Reply::Document { document } = explain(&request, &settings, &clock, &mut Listener::new(&mut |_| true)) else {
        panic!("{name} is refused")
    };
    let rows: Vec<&ExplainComparison> = document.comparison.iter().filter(|row| row.bound == 50).collect();
    let sum = |of: fn(&ExplainComparison) -> f64| rows.iter().map(|row| of(row)).sum::<f64>();
    let (generation, exhaustive) = (sum(|row| row.generation_us), sum(|row| row.exhaustive_us));
    let count = rows.len().max(1) as f64;
    println!(
        "{name:<10} {order:<5} {:>9} {:>10.2} {:>9} {:>9.2} {:>9.1} {:>9.1} {:>13} {:>17.1}",
        document.infeasible_prefixes,
        document.generalized.average,
        document.generalized.maximum,
        generation / count,
        exhaustive / count,
        exhaustive / generation,
        paper,
        sum(|row| row.exhaustive_queries as f64) / count,
    );
    let row = |row: &ExplainComparison| {
        json!({ "instructions": row.instructions, "bound": row.bound, "paths": row.paths, "generation_us": row.generation_us,
            "exhaustive_us": row.exhaustive_us, "speed_up": row.exhaustive_us / row.generation_us })
    };
    document.comparison.iter().map(row).collect()
}

/// Explores, explains and generalizes so often: for a profiler.
fn generate(name: &str, source: &str, times: usize) {
    let program = lang::parse(source).program.expect("a program");
    let lts = lts::lower::lower(&program, None).expect("lowers").lts;
    let (resources, effects) = prepare(&lts);
    let program = ProgramFacts::new(&lts, &effects, &resources);
    let started = Instant::now();
    let clock = || started.elapsed();
    let (mut time, mut count) = (Duration::ZERO, 0);
    for _ in 0..times {
        let mut explainer = Explainer::new(resources.clone(), Strength::Integer, &clock);
        let mut meter = Meter::new(u64::MAX);
        let mut ask = Ask { meter: &mut meter, log: &NoLog };
        let found = explore(&program, &mut explainer, &ExplainPlan::default(), &mut ask, &mut |_, _, _| Ok(true));
        time += found.explained.iter().map(|explained| explained.tally.time).sum::<Duration>();
        count += found.explained.len();
    }
    println!("{name:<10} {:.2} us", time.as_secs_f64() * 1e6 / count.max(1) as f64);
}
