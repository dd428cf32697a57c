//! What is said of functions, against runs of them in all kinds of worlds: other units that write what they reach, sequences of calls,
//! arguments that meet, signals, orders of evaluation.
//!
//! `CULDESAC_DIFFERENTIAL_PROGRAMS` and `CULDESAC_DIFFERENTIAL_FIRST` say which programs, as in `tests/it/language/gcc.rs`. What
//! contradicts is kept in `target/tmp/worlds`; `./dev differential` is the long run.

use crate::differential::random;
use crate::differential::worlds::{DONE, Report, check, missing};

/// Programs, unless the environment says otherwise.
const USUAL: u64 = 50;
/// Runs of each program as each compiler makes it.
const RUNS: u32 = 30;

#[test]
fn no_compilers_run_contradicts_a_verdict() {
    let missing = missing();
    if !missing.is_empty() {
        println!("skipped: there is no {}", missing.join(" and no "));
        return;
    }
    let numbers: Vec<u64> = random::numbers(USUAL).collect();
    let report = check(&numbers, RUNS);
    for (what, count) in &report.counts {
        println!("{count:>8}  {what}");
    }
    let first: Vec<&str> = report.contradictions.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} contradictions\n\n{}", report.contradictions.len(), first.join("\n\n"));
    // Of a few programs nothing can be asked.
    if numbers.len() >= USUAL as usize {
        says_enough(&report, numbers.len() as u64);
    }
}

/// That the programs have, and their runs do, what they are there for.
fn says_enough(report: &Report, programs: u64) {
    let at_least = |what: &str, of_hundred: u64| {
        assert!(report.of(what) * 100 >= programs * of_hundred, "{what}: only {} of {programs}", report.of(what));
    };
    at_least("compared", 96);
    at_least("with a line that is infeasible", 50);
    at_least("tests repeated", 20);
    at_least("tests repeated after other calls", 2);
    at_least("has Pointers", 30);
    at_least("has Pair", 15);
    for (what, _) in DONE {
        at_least(what, 20);
    }
    // Were one of these claims made without its assumption, it would have been found.
    for id in ["distinct-parameters", "first-call", "quiet-externals", "left-to-right"] {
        assert!(report.of(&format!("needs {id}")) > 0, "no claim needs {id}");
    }
}
