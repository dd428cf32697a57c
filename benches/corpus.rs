//! What becomes of each program of a corpus of real C: accepted or the first error; the size of its graph; the milliseconds of `cfg`
//! and of `paths` with its default lengths; and how many runs were compared with gcc's, with how many differences.
//!
//! `CULDESAC_CORPUS=… cargo bench --bench corpus`; with parts of names after `--` only those files.

#[path = "../tests/it/common"]
mod common {
    #[allow(dead_code, reason = "random cases are counted by tests")]
    pub mod cases;

    /// Benches count no steps.
    fn spent() -> u64 {
        0
    }
}
#[path = "../tests/it/differential/mod.rs"]
mod differential;

use culdesac::analysis::Listener;
use culdesac::analysis::cfg::cfg;
use culdesac::analysis::paths::paths;
use culdesac::view::{Reply, Request};
use differential::subject::Subject;
use differential::{Report, Settings, check, corpus, programs};
use std::path::Path;
use std::time::{Duration, Instant};

/// What `paths` counts where nothing else is said.
const LENGTHS: [u32; 3] = [30, 50, 100];
/// Each of the two should take no longer.
const MOST: Duration = Duration::from_secs(1);
const SETTINGS: Settings = Settings { runs: 20, steps: 20_000, symbolic: 5, unseen: false };

#[derive(Default)]
struct Totals {
    files: usize,
    accepted: usize,
    locations: usize,
    edges: usize,
    branches: usize,
    runs: u64,
    differences: usize,
    slow: Vec<String>,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let Some(folder) = corpus() else {
        println!("skipped: CULDESAC_CORPUS is not set");
        return;
    };
    let mut totals = Totals::default();
    println!(
        "{:<52} {:<6} {:>9} {:>6} {:>8} {:>8} {:>8} {:>5} {:>11}",
        "file", "", "locations", "edges", "branches", "cfg ms", "paths ms", "runs", "differences"
    );
    for path in programs(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            row(&path, &name, source, &folder.join("stubs"), &mut totals);
        }
    }
    println!(
        "\n{} of {} accepted: {} locations, {} edges, {} branches; {} runs compared, {} differences",
        totals.accepted, totals.files, totals.locations, totals.edges, totals.branches, totals.runs, totals.differences
    );
    println!("longer than {} ms: {}", MOST.as_millis(), if totals.slow.is_empty() { "none".to_owned() } else { totals.slow.join(", ") });
}

fn row(path: &Path, name: &str, source: String, stubs: &Path, totals: &mut Totals) {
    totals.files += 1;
    let request = Request {
        program: name.to_owned(),
        source,
        function: None,
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
        assume: Vec::new(),
        no_assume: Vec::new(),
        label_steps: false,
    };
    let started = Instant::now();
    let graph = cfg(&request);
    let cfg_took = started.elapsed();
    let short: String = name.chars().take(52).collect();
    let document = match graph {
        Reply::Document { document } => document,
        Reply::Refused { .. } => {
            match Subject::read(path, &request.source) {
                Err(refusal) => println!("{short:<52} {} at line {}: {}", refusal.code, refusal.line, refusal.message),
                Ok(_) => println!("{short:<52} refused, though it can be lowered"),
            }
            return;
        }
    };
    let started = Instant::now();
    let counted = paths(&request, &LENGTHS, false, &mut Listener::new(&mut |_| true));
    let paths_took = started.elapsed();
    let Report { runs, differences, .. } = check(path, &request.source, Some(stubs), SETTINGS);
    let branches = document.edges.iter().filter(|edge| edge.holds.is_some()).count();
    println!(
        "{short:<52} {:<6} {:>9} {:>6} {branches:>8} {:>8.1} {:>8.1} {runs:>5} {:>11}",
        if matches!(counted, Reply::Document { .. }) { "ok" } else { "?" },
        document.locations.len(),
        document.edges.len(),
        cfg_took.as_secs_f64() * 1e3,
        paths_took.as_secs_f64() * 1e3,
        differences.len(),
    );
    totals.accepted += 1;
    totals.locations += document.locations.len();
    totals.edges += document.edges.len();
    totals.branches += branches;
    totals.runs += runs;
    totals.differences += differences.len();
    if cfg_took > MOST || paths_took > MOST {
        totals.slow.push(name.to_owned());
    }
}
