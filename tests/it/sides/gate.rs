//! Exported suites take the sides that their tests claim, compile without a warning, and end as they say.
//!
//! `CULDESAC_SUITES` is how many programs of each list are looked at, `all` for all, and of each in all forms; `CULDESAC_SUITES_ONLY` a part
//! of their names; `CULDESAC_CORPUS` and `CULDESAC_FAULTS` are folders of more programs.

use super::instrument::unseen;
use super::oracle::{Checked, Suite, all, computed};
use super::subject::{Answered, Subject, of_folder, some};
use super::{frameworks, testcomp};
use crate::differential::{corpus, random};
use crate::suites::{exported, exported_with};
use culdesac::export::TestsFormat;
use std::collections::BTreeMap;
use std::path::Path;

/// Programs of a list, and random ones, where no other number is asked for.
const PROGRAMS: usize = 54;
const RANDOM: u64 = 6;

/// Each one in so many is looked at in all forms.
const ALL_FORMS: usize = 6;
/// So many programs of the corpus every day; `./dev differential` looks at all.
const OF_CORPUS: usize = 12;

/// Steps for each program of the faults: some of them take minutes with more.
const FAULTS_LIMIT: u64 = 20_000;

/// Checks the suites of a program.
fn check(subject: &Subject) -> Checked {
    let mut checked = Checked::default();
    let Some(answered) = subject.answered() else {
        checked.left_out.push(format!("{}: refused", subject.name));
        return checked;
    };
    checked.left_out.extend(unseen(&subject.name, &answered.reports));
    checked.add(check_c(&answered));
    if subject.all_forms {
        checked.add(testcomp::check(&answered));
        checked.add(frameworks::check(&answered));
    }
    checked
}

/// The suite in C.
fn check_c(answered: &Answered) -> Checked {
    let Answered { subject, request, document, reports } = answered;
    let (name, mut checked) = (&subject.name, Checked::default());
    let exported = exported(request, document, TestsFormat::C);
    checked.left_out.extend(exported.notes.iter().map(|note| format!("{name}: {note}")));
    // The program's copy is the first file.
    let mut files = exported.files.into_iter();
    let instrumented = exported_with(request, document, TestsFormat::C, &reports.wraps).files.into_iter().next();
    let (Some(program), Some(instrumented)) = (files.next(), instrumented) else {
        checked.differences.push(format!("{name}: the suite has no files"));
        return checked;
    };
    let claims: BTreeMap<usize, Vec<usize>> = exported.claims.into_iter().collect();
    if claims.len() + exported.notes.len() != document.tests.len() {
        let (claims, notes, tests) = (claims.len(), exported.notes.len(), document.tests.len());
        checked.differences.push(format!("{name}: {claims} tests are written and {notes} left out of {tests}"));
    }
    for (&test, sides) in &claims {
        // Calls before a test may take more.
        if !document.tests[test].takes.iter().all(|&side| sides.contains(&(side as usize))) {
            checked.differences.push(format!("{name}: test {} takes less in the suite than `branches` says", test + 1));
        }
    }
    let suite = Suite {
        tests: claims.keys().copied().collect(),
        claims: Some(claims),
        source: subject.source.clone(),
        name: format!("exported-{name}"),
        document,
        files: files.collect(),
        program,
        instrumented: instrumented.text,
        reports,
        is_exported: true,
        headers: subject.headers.clone(),
    };
    checked.add(suite.check());
    checked
}

fn hold(subjects: &[Subject]) {
    let start = computed();
    // Differences are told as they come: all programs take long.
    let told = |subject: &Subject| {
        let checked = check(subject);
        checked.differences.iter().for_each(|sentence| println!("{sentence}"));
        checked
    };
    let checked = all(subjects, told);
    checked.left_out.iter().for_each(|sentence| println!("{sentence}"));
    let seconds = computed() - start;
    println!("{} programs, {} runs, {} sides claimed; {seconds:.1} s computed", subjects.len(), checked.runs, checked.claims);
    assert!(checked.differences.is_empty(), "{} differences", checked.differences.len());
}

#[test]
fn suites_of_programs_take_what_they_claim() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut subjects = of_folder(&root.join("examples"));
    subjects.extend(of_folder(&root.join("tests/it/suites/programs")));
    let mut subjects = some(subjects, PROGRAMS, ALL_FORMS);
    let random = |number| Subject::new(format!("random-{number}.c"), random::program(number));
    subjects.extend(some(random::numbers(RANDOM).map(random).collect(), RANDOM as usize, ALL_FORMS));
    hold(&subjects);
}

#[test]
fn suites_of_the_corpus_take_what_they_claim() {
    match corpus() {
        Some(folder) => hold(&some(of_folder(&folder), OF_CORPUS, ALL_FORMS)),
        None => println!("skipped: CULDESAC_CORPUS is not set"),
    }
}

#[test]
fn suites_of_faults_take_what_they_claim() {
    match std::env::var_os("CULDESAC_FAULTS") {
        Some(folder) => {
            let faults = of_folder(Path::new(&folder)).into_iter().map(|subject| Subject { limit: FAULTS_LIMIT, ..subject });
            hold(&some(faults.collect(), usize::MAX, ALL_FORMS));
        }
        None => println!("skipped: CULDESAC_FAULTS is not set"),
    }
}
