//! ST12's Table 2 on the examples, with its columns: the time to build `φ̂`, to decide `φ̂` without writing out rounds, to build and
//! decide `φ̂^25`, and in all, each the shortest of five. `φ̂` is decided where that refutes it; else its rounds are written out. Beside
//! it the paper's total, and how long this engine takes to get to the target by trying paths one by one, the shortest first, without
//! the condition (at most 60 s).
//!
//! `cargo bench --bench reach` for all; `-- hello` for those programs whose names contain this.

use culdesac::analysis::reach::method::effect::WayEffect;
use culdesac::analysis::reach::method::program::SummarizedProgram;
use culdesac::analysis::reach::method::satisfiability::{BackboneQuery, Decision};
use culdesac::analysis::reach::method::tree::PathTree;
use culdesac::analysis::reach::method::{DEFAULT_K, TargetVerdict, execute, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::logic::{Pool, SortedSet};
use culdesac::lts::inputs::inputs;
use culdesac::lts::structure::distances;
use culdesac::lts::{EdgeId, LocationId, Lts};
use culdesac::search::{PathPrefix, SearchStep};
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::{lang, lts};
use std::time::{Duration, Instant};

/// Name, text, and the paper's total in seconds.
const PROGRAMS: [(&str, &str, &str); 8] = [
    ("hello", include_str!("../examples/hello.c"), "0.181"),
    ("hello_world", include_str!("../examples/hello_world.c"), "0.941"),
    ("hello_world_at_microsoft", include_str!("../examples/hello_world_at_microsoft.c"), "4.660"),
    ("matrix_row", include_str!("../examples/matrix_row.c"), "0.035"),
    ("packets", include_str!("../examples/packets.c"), "0.627"),
    ("one_loop", include_str!("../examples/one_loop.c"), "0.003"),
    ("two_loops", include_str!("../examples/two_loops.c"), "0.003"),
    ("ones", include_str!("../examples/ones.c"), "-"),
];

const LIMIT: u64 = 50_000_000;
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!(
        "{:26}{:>10}{:>10}{:>10}{:>10}{:>5}  {:12}{:>9}{:>16}",
        "program", "build φ̂", "φ̂", "φ̂^25", "total", "K", "verdict", "paper's", "path by path"
    );
    for (name, source, paper) in
        PROGRAMS.into_iter().filter(|(name, ..)| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())))
    {
        let program = lang::parse(source).program.expect("no error");
        let function = program.own().last().map(|function| function.name.text.clone());
        let lts = lts::lower::lower(&program, function.as_deref()).expect("no error").lts;
        let target = goal(&lts, source);
        let least = (0..5).map(|_| measure(&lts, target)).min_by_key(|row| row.total).expect("five");
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
        let plain = by_paths(&lts, target).map_or("> 60 s".to_owned(), ms);
        println!(
            "{name:26}{:>10}{:>10}{:>10}{:>10}{:>5}  {:12}{:>7} s{:>16}",
            ms(least.build),
            ms(least.refute),
            ms(least.models),
            ms(least.total),
            least.k,
            least.verdict,
            paper,
            plain,
        );
    }
}

/// The edge of the last `return 1`.
fn goal(lts: &Lts, source: &str) -> EdgeId {
    let at = source.rfind("return 1;").expect("a goal") as u32;
    let found = lts.graph.edge_indices().find(|&edge| lts.graph[edge].returned_at.start.abs_diff(at) < 10 && !lts.graph[edge].library);
    found.expect("an edge returns there")
}

struct Row {
    build: Duration,
    refute: Duration,
    models: Duration,
    total: Duration,
    k: String,
    verdict: &'static str,
}

fn measure(lts: &Lts, target: EdgeId) -> Row {
    let (mut silent, mut meter) = (Silent, Meter::new(LIMIT));
    let trace = Trace::new(&mut silent);
    let built = || {
        let tree = PathTree::new(lts, &SortedSet::from([target]), 10_000).expect("few paths");
        let (mut program, mut pool) = (SummarizedProgram::new(lts, tree), Pool::new());
        let effects = execute(&mut program, &mut pool, &mut Meter::new(LIMIT), &trace).expect("within the limit");
        (program, pool, effects)
    };
    let start = Instant::now();
    let (program, mut pool, effects) = built();
    let build = start.elapsed();
    let found = run(&program, &mut pool, &effects, DEFAULT_K, &mut meter, &trace);
    let total = start.elapsed();
    let (verdict, k) = match found.verdict {
        TargetVerdict::Reached { k, .. } => ("reached", k.map_or("-".to_owned(), |k| k.to_string())),
        TargetVerdict::Unreachable => ("unreachable", "-".to_owned()),
        TargetVerdict::Open(_) => ("open", "-".to_owned()),
    };
    let (program, mut pool, effects) = built();
    let inputs = inputs(lts);
    let wholes: Vec<(BackboneQuery, WayEffect)> = (program.tree.goals.iter())
        .map(|&goal| {
            (BackboneQuery { program: &program, inputs: &inputs, goal, most: DEFAULT_K }, program.whole(&mut pool, &effects, goal))
        })
        .collect();
    let start = Instant::now();
    let left: Vec<_> = wholes.iter().filter(|(question, effect)| !question.is_refuted(&mut pool, effect, &mut meter, &trace)).collect();
    let refute = start.elapsed();
    let start = Instant::now();
    for (question, effect) in left {
        if let Decision::Model(_) = question.models(&mut pool, effect, &mut meter, &trace, &mut |_, _| true) {
            break;
        }
    }
    Row { build, refute, models: start.elapsed(), total, k, verdict }
}

/// How long it takes to find a feasible path to the target among all, by greater and greater length; `None` where that takes too long.
fn by_paths(lts: &Lts, target: EdgeId) -> Option<Duration> {
    let start = Instant::now();
    let distance = distances(lts, lts.edge(target).1);
    let mut length = 8;
    loop {
        let mut walk = PathPrefix::new(lts);
        let mut meter = Meter::new(u64::MAX);
        let mut open: Vec<(LocationId, usize)> = vec![(lts.entry, 0)];
        while let Some((at, next)) = open.last_mut() {
            if start.elapsed() > PATIENCE {
                return None;
            }
            let Some(&(edge, to)) = lts.outgoing(*at).get(*next) else {
                open.pop();
                walk.back();
                continue;
            };
            *next += 1;
            let is_near = edge == target || distance[to.index()].is_some_and(|rest| walk.len() + 1 + rest as usize <= length);
            if !is_near {
                continue;
            }
            if let SearchStep::Feasible = walk.step(edge, &mut meter, &NoLog) {
                if edge == target {
                    return Some(start.elapsed());
                }
                open.push((to, 0));
            }
        }
        length *= 2;
    }
}
