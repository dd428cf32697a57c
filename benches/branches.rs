//! BDP16's Tables 1 and 2 beside this engine's, one row per program: branches, tests, covered, infeasible and open ones, `cov_b`, `cov_f`,
//! steps at the frontier until each (`it_b`, `it_f`), seconds; and `cov_b` of random inputs, a depth-first search and a search by distance,
//! which are given the same steps. The paper's versions of the programs are others than the corpus', so its counts of branches differ.
//!
//! `CULDESAC_CORPUS=… cargo bench --bench branches`; parts of names after `--` choose among the rows. `-- all` goes through the whole corpus
//! instead, or through the files whose names have the other parts after it: each program's branches, gcov's contradictions on the exported
//! suite, and infeasible branches that 10,000 random runs take; `-- all lines` also lists the lines on which gcov and we see other branches.

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
#[path = "../tests/it/suites.rs"]
mod suites;

use culdesac::analysis::branches::{BranchesCounts, BranchesDocument, BranchesSettings};
use culdesac::view::Request;
use differential::{corpus, programs};
use std::time::Instant;
use suites::{branches, compared, request, taken_though_infeasible};

/// Part of the file's name, and the paper's row: branches, tests, covered, infeasible, cov_b, it_b, cov_f, it_f, the best other tool.
const PAPER: [(&str, &str, [&str; 9]); 6] = [
    ("cdaudio_simpl1_true", "cdaudio", ["534", "259", "417", "113", "78", "20,965", "99", "76,800", "79"]),
    ("diskperf_simpl1_true", "diskperf", ["194", "59", "166", "14", "86", "600", "92", "13,200", "85"]),
    ("floppy_simpl3_true", "floppy", ["234", "75", "206", "14", "88", "317", "94", "14,700", "87"]),
    ("kbfiltr_simpl1_true", "kbfiltr", ["68", "32", "57", "6", "84", "129", "92", "981", "85"]),
    ("s3_clnt_1.cil", "ssh client", ["160", "39", "135", "24", "84", "43,000", "99", "85,000", "84"]),
    ("s3_srvr_1a.cil", "ssh server", ["175", "40", "145", "1", "83", "49,400", "83", "49,400", "77"]),
];
const RUNS: usize = 10_000;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if let Some(("all", parts)) = wanted.split_first().map(|(first, parts)| (first.as_str(), parts)) {
        return all(parts);
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    println!(
        "{:<24}{:>8}{:>6}{:>8}{:>11}{:>5}{:>8}{:>8}{:>8}{:>8}{:>8}   {:>6}{:>6}{:>9}",
        "program",
        "branches",
        "tests",
        "covered",
        "infeasible",
        "open",
        "cov_b",
        "it_b",
        "cov_f",
        "it_f",
        "s",
        "random",
        "depth",
        "distance"
    );
    let valves = include_str!("../examples/check_valves.c");
    for tolerance in ["2", "20", "200"] {
        let name = format!("check_valves {tolerance}");
        if is_wanted(&name) {
            row(&name, &request("check_valves.c", &valves.replace("TOLERANCE 2", &format!("TOLERANCE {tolerance}")), None));
        }
    }
    let Some(folder) = corpus() else { return println!("the others are skipped: CULDESAC_CORPUS is not set") };
    for path in programs(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let paper = PAPER.iter().find(|(part, ..)| name.contains(part));
        if (paper.is_none() && !name.contains("tcas")) || !is_wanted(&name) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        row(name.split("_true").next().unwrap_or(&name), &request(&name, &source, None));
        if let Some((_, called, [branches, tests, covered, infeasible, cov_b, it_b, cov_f, it_f, other])) = paper {
            let called = format!("  the paper's {called}");
            println!(
                "{called:<24}{branches:>8}{tests:>6}{covered:>8}{infeasible:>11}{:>5}{cov_b:>6} %{it_b:>8}{cov_f:>6} %{it_f:>8}{:>8}   best other {other} %",
                "", ""
            );
        }
    }
}

fn answered(request: &Request, baselines: bool) -> Option<(BranchesDocument, f64)> {
    let started = Instant::now();
    let document = branches(request, BranchesSettings { baselines, ..BranchesSettings::default() })?;
    Some((document, started.elapsed().as_secs_f64()))
}

fn row(name: &str, request: &Request) {
    let Some((document, seconds)) = answered(request, false) else { return println!("{name:<24}refused") };
    let BranchesCounts { total, covered, infeasible, open } = document.branches;
    print!(
        "{name:<24}{total:>8}{:>6}{covered:>8}{infeasible:>11}{open:>5}{:>6.1} %{:>8}{:>6.1} %{:>8}{seconds:>8.2}",
        document.tests.len(),
        document.cov_b * 100.0,
        document.iterations_covered,
        document.cov_f * 100.0,
        document.iterations_settled,
    );
    // The searches are not part of the time.
    let (compared, _) = answered(request, true).expect("answered before");
    let shares: Vec<String> = compared.baselines.iter().map(|one| format!("{:>5.1} %", one.cov_b * 100.0)).collect();
    println!("  {}", shares.join(" "));
    let counted = |how: &str, counts: BranchesCounts| {
        if counts != document.branches {
            let BranchesCounts { total, covered, infeasible, open } = counts;
            println!("  {how:<22}{total:>8}{:>6}{covered:>8}{infeasible:>11}{open:>5}", "");
        }
    };
    counted("in copies", document.copies);
    counted("without constant ones", document.without_constants);
}

/// The corpus.
fn all(parts: &[String]) {
    let Some(folder) = corpus() else { return println!("skipped: CULDESAC_CORPUS is not set") };
    println!(
        "{:<56}{:>8}{:>6}{:>8}{:>11}{:>5}{:>8}{:>7}{:>7}{:>6}{:>6}",
        "program", "branches", "tests", "covered", "infeasible", "open", "s", "lines", "other", "gcov", "runs"
    );
    let list = parts.iter().any(|part| part == "lines");
    let parts: Vec<&String> = parts.iter().filter(|part| *part != "lines").collect();
    let (mut sums, mut same, mut other, mut left_out) = (BranchesCounts::default(), 0, Vec::new(), 0);
    let (mut contradictions, mut files) = (Vec::new(), 0);
    for path in programs(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !parts.is_empty() && !parts.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let request = request(&name, &source, None);
        let Some((document, seconds)) = answered(&request, false) else {
            println!("{name:<56}refused");
            continue;
        };
        let agreement = compared(&request, &document);
        let taken = taken_though_infeasible(&request, &document, RUNS);
        let BranchesCounts { total, covered, infeasible, open } = document.branches;
        println!(
            "{name:<56}{total:>8}{:>6}{covered:>8}{infeasible:>11}{open:>5}{seconds:>8.2}{:>7}{:>7}{:>6}{:>6}",
            document.tests.len(),
            agreement.same,
            agreement.other.len(),
            agreement.differences.len(),
            taken.len()
        );
        files += 1;
        sums.total += total;
        sums.covered += covered;
        sums.infeasible += infeasible;
        sums.open += open;
        same += agreement.same;
        left_out += agreement.left_out;
        other.extend(agreement.other);
        contradictions.extend(agreement.differences);
        contradictions.extend(taken);
    }
    let BranchesCounts { total, covered, infeasible, open } = sums;
    println!(
        "\n{files} programs: {total} branches, {covered} covered, {infeasible} infeasible, {open} open; {same} lines compared with gcov, {} not, {left_out} tests left out",
        other.len()
    );
    if list {
        other.iter().for_each(|one| println!("{one}"));
    }
    println!("{} contradictions", contradictions.len());
    contradictions.iter().for_each(|one| println!("{one}"));
}
