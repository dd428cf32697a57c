//! Programs that read standard input: what is said of them against runs of what gcc compiles, on texts.
//!
//! `CULDESAC_DIFFERENTIAL_PROGRAMS` and `CULDESAC_DIFFERENTIAL_FIRST` say which programs at random, as in `tests/it/language/gcc.rs`.

use crate::differential::random;
use crate::differential::stdin::check;

/// Programs, unless the environment says otherwise.
const USUAL: u64 = 24;
/// Texts of each.
const TEXTS: usize = 60;

#[test]
fn texts_are_read_as_the_c_library_does() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let numbers: Vec<u64> = random::numbers(USUAL).collect();
    let report = check(&numbers, TEXTS);
    for (what, count) in &report.counts {
        println!("{count:>8}  {what}");
    }
    let first: Vec<&str> = report.contradictions.iter().take(5).map(String::as_str).collect();
    assert!(first.is_empty(), "{} contradictions\n\n{}", report.contradictions.len(), first.join("\n\n"));
    // The programs have something to decide.
    assert!(report.counts["infeasible"] > 0 && report.counts["covered"] > report.counts["open"], "{:?}", report.counts);
}
