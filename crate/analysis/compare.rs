//! `compare`: the covering algorithms on random programs (CHS12, Section 7: Table 1 and Figures 4 to 6).
//!
//! Programs come from [`crate::generate`], so many for each number of diamonds. Every algorithm covers each, in turn;
//! small programs come first, so that a listener that cancels has whole sizes. As in the paper's table, it measures the questions
//! to the solver, and the time from the graph to the last answer. It asks for no verdicts on what is not covered. DIVERGENCE: the
//! paper's time is that of the prover alone; ours has unwinding, the formula and the replay of every test too.

mod document;

pub use document::{CompareDocument, CompareSettings, ComparedEvent, ComparedRun};

use super::cover::method::{CoverPlan, run};
use super::cover::report::{algorithm, no_algorithm};
use super::{Analysis, Question};
use crate::generate::diamonds;
use crate::load::refused;
use crate::lts::Lts;
use crate::run::listener::Listener;
use crate::run::trace::{Event, Sink, Trace};
use crate::solver::meter::Meter;
use crate::view::{self, Header, Ints, Reply, SCHEMA, SolverStatistics, Statistics};
use crate::{lang, lts};
use std::time::Duration;

/// The greatest number of diamonds of a compared program. Each has four paths, and AlgPC looks for every one.
pub const MAX_COMPARED_DIAMONDS: u32 = 12;
/// The most programs of each size.
pub const MAX_COMPARED_PROGRAMS: u32 = 100;
/// The greatest first seed.
pub const MAX_COMPARED_SEED: u32 = 1_000_000_000;
/// Steps for each program and algorithm where the request gives no limit.
pub const COMPARE_LIMIT: u64 = 500_000_000;

/// `compare`: for the page alone.
pub struct Compare;

impl Analysis for Compare {
    const NAME: &'static str = "compare";
    const DOCS: &'static str = "cover";
    const OF_PROGRAM: bool = false;
    type Settings = CompareSettings;
    type Document = CompareDocument;

    fn answer(question: &Question<CompareSettings>, listener: &mut Listener) -> Reply<CompareDocument> {
        compare(question.settings, question.clock, &mut |run| {
            (listener.event)(view::Event::News(Box::new(ComparedEvent::Compared { run: run.clone() })))
        })
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.bound("MAX_COMPARED_DIAMONDS", MAX_COMPARED_DIAMONDS);
        protocol.bound("MAX_COMPARED_PROGRAMS", MAX_COMPARED_PROGRAMS);
        protocol.bound("MAX_COMPARED_SEED", MAX_COMPARED_SEED);
        protocol.analysis::<Self>().parts::<(ComparedRun,)>().event::<ComparedEvent>();
    }
}

/// Covers random programs by each algorithm of the settings. `clock` gives the time since some fixed moment. `each` gets every
/// run as it ends and says whether to go on; the document has the runs up to there. Refuses settings out of range and unknown
/// algorithms.
pub fn compare(
    settings: &CompareSettings,
    clock: &dyn Fn() -> Duration,
    each: &mut dyn FnMut(&ComparedRun) -> bool,
) -> Reply<CompareDocument> {
    let CompareSettings { least, most, programs, seed, .. } = *settings;
    if least == 0 || most < least || most > MAX_COMPARED_DIAMONDS {
        return refused(
            "bad-setting",
            format!("{least} to {most} diamonds: from 1 to {MAX_COMPARED_DIAMONDS} can be asked for, the lesser number first"),
        );
    }
    if programs == 0 || programs > MAX_COMPARED_PROGRAMS || seed > MAX_COMPARED_SEED {
        let message =
            format!("{programs} programs of each size from seed {seed} on: 1 to {MAX_COMPARED_PROGRAMS}, and seeds to {MAX_COMPARED_SEED}");
        return refused("bad-setting", message);
    }
    let mut algorithms = Vec::new();
    for name in &settings.algorithms {
        match algorithm(name) {
            Some(algorithm) => algorithms.push((name.as_str(), CoverPlan { unwind: 0, algorithm, small: false, verdicts: false })),
            None => return refused("bad-setting", no_algorithm(name)),
        }
    }
    let limit = settings.limit.unwrap_or(COMPARE_LIMIT);
    let mut counted = Counted::default();
    // Warm up: the first questions of a process, and more so of a page, pay for what later ones find in place.
    let warm = program(least.min(3), seed);
    for (_, settings) in &algorithms {
        let _ = run(&warm, settings, &mut Meter::new(limit), &Trace::new(&mut Counted::default()));
    }
    let mut runs = Vec::new();
    let sizes = (least..=most).flat_map(|diamonds| (seed..seed + programs).map(move |seed| (diamonds, seed)));
    'all: for (diamonds, seed) in sizes {
        let lts = program(diamonds, seed);
        for (name, settings) in &algorithms {
            let mut meter = Meter::new(limit);
            let started = clock();
            // These programs have no loops, so the bound does not matter.
            let Ok(cover) = run(&lts, settings, &mut meter, &Trace::new(&mut counted)) else { continue };
            let time = clock().saturating_sub(started);
            counted.steps += meter.used();
            let run = ComparedRun {
                diamonds,
                seed,
                algorithm: (*name).to_owned(),
                queries: cover.queries,
                tests: cover.tests.len() as u32,
                time_us: time.as_micros() as u64,
                complete: cover.cut.is_none(),
            };
            let go_on = each(&run);
            runs.push(run);
            if !go_on {
                break 'all;
            }
        }
    }
    let requested = u64::from(most - least + 1) * u64::from(programs) * algorithms.len() as u64;
    let header = Header {
        schema: SCHEMA,
        program: format!("{least} to {most} diamonds, seeds {seed} to {}", seed + programs - 1),
        function: "main".to_owned(),
        ints: Ints::Unbounded,
        chosen_because: None,
        inline_depth: None,
        assumptions: Vec::new(),
        crowded_lines: Vec::new(),
        complete: runs.len() as u64 == requested && runs.iter().all(|run| run.complete),
        #[cfg(feature = "cli")]
        early_end: Default::default(),
        statistics: Statistics { solver: counted.solver, wall_ms: 0.0, steps: counted.steps },
        diagnostics: Vec::new(),
        refused: Vec::new(),
        options: None,
        headers: None,
    };
    Reply::Document { document: CompareDocument { header, runs } }
}

fn program(count: u32, seed: u32) -> Lts {
    let program = lang::parse(&diamonds(count, u64::from(seed))).program.expect("a generated program is one");
    lts::lower::lower(&program, None).expect("a generated program has a graph").lts
}

/// Counts the questions of a run.
#[derive(Default)]
struct Counted {
    solver: SolverStatistics,
    steps: u64,
}

impl Sink for Counted {
    fn event(&mut self, event: Event<'_>) -> bool {
        if let Event::Query { answer, .. } = event {
            self.solver.count(answer);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn settings() -> CompareSettings {
        let algorithms = ["pc", "sc", "fm", "vstte", "prefer"].map(str::to_owned).to_vec();
        CompareSettings { least: 2, most: 3, programs: 2, seed: 4, algorithms, limit: None }
    }

    fn document(settings: &CompareSettings, each: &mut dyn FnMut(&ComparedRun) -> bool) -> CompareDocument {
        // A clock that is one millisecond later at each reading.
        let now = Cell::new(0);
        let clock = || {
            now.set(now.get() + 1);
            Duration::from_millis(now.get())
        };
        match compare(settings, &clock, each) {
            Reply::Document { document } => document,
            Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
        }
    }

    #[test]
    fn every_program_is_covered_by_every_algorithm() {
        let mut arrived = 0;
        let document = document(&settings(), &mut |_| {
            arrived += 1;
            true
        });
        assert!(document.header.complete);
        assert_eq!((document.runs.len(), arrived), (20, 20));
        assert!(document.runs.iter().all(|run| run.complete && run.time_us == 1000 && run.queries >= run.tests));
        let sizes: Vec<(u32, u32)> = document.runs.chunks(5).map(|runs| (runs[0].diamonds, runs[0].seed)).collect();
        assert_eq!(sizes, [(2, 4), (2, 5), (3, 4), (3, 5)]);
        let queries: u64 = document.runs.iter().map(|run| u64::from(run.queries)).sum();
        assert_eq!(document.header.statistics.solver.queries, queries);
        // One question for each minimal block: four inner ones a diamond.
        for run in document.runs.iter().filter(|run| run.algorithm == "fm") {
            assert_eq!(run.queries, 4 * run.diamonds, "{run:?}");
        }
    }

    #[test]
    fn what_was_found_is_kept_when_it_is_stopped() {
        let mut left = 7;
        let document = document(&settings(), &mut |_| {
            left -= 1;
            left > 0
        });
        assert_eq!(document.runs.len(), 7);
        assert!(!document.header.complete);
    }

    #[test]
    fn a_limit_is_said() {
        let document = document(&CompareSettings { limit: Some(50), ..settings() }, &mut |_| true);
        assert!(document.runs.iter().all(|run| !run.complete) && !document.header.complete);
    }

    #[test]
    fn impossible_requests_are_refused() {
        for bad in [
            CompareSettings { least: 0, ..settings() },
            CompareSettings { least: 4, ..settings() },
            CompareSettings { most: MAX_COMPARED_DIAMONDS + 1, ..settings() },
            CompareSettings { programs: 0, ..settings() },
            CompareSettings { programs: MAX_COMPARED_PROGRAMS + 1, ..settings() },
            CompareSettings { seed: MAX_COMPARED_SEED + 1, ..settings() },
            CompareSettings { algorithms: vec!["best".to_owned()], ..settings() },
        ] {
            assert!(matches!(compare(&bad, &|| Duration::ZERO, &mut |_| true), Reply::Refused { .. }), "{bad:?}");
        }
    }
}
