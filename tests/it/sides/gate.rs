//! Exported suites take the sides that their tests claim, compile without a warning, and end as they say.
//!
//! `CULDESAC_SUITES` is how many programs of each list are looked at, `all` for all; `CULDESAC_SUITES_ONLY` a part of their names;
//! `CULDESAC_CORPUS` and `CULDESAC_FAULTS` are folders of more programs.

use super::instrument::{instrument, unseen};
use super::oracle::{Checked, Suite, all, computed};
use crate::differential::{corpus, programs, random};
use crate::suites::{branches, exported, exported_with, request};
use culdesac::analysis::branches::BranchesSettings;
use culdesac::export::{ExportedFile, TestsFormat};
use culdesac::load::load;
use std::path::{Path, PathBuf};

/// Steps for each program: what is open then is taken by no test.
const LIMIT: u64 = 200_000;

/// Programs of a list, and random ones, where no other number is asked for.
const PROGRAMS: usize = 60;
const RANDOM: u64 = 6;

/// A program to look at.
struct Subject {
    name: String,
    source: String,
    headers: Vec<PathBuf>,
}

/// The programs of a folder; the corpus has headers beside it.
fn of_folder(folder: &Path) -> Vec<Subject> {
    let stubs = folder.join("stubs");
    let subject = |file: PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = file.file_stem().unwrap_or_default();
        let headers = if stubs.is_dir() { vec![stubs.clone(), stubs.join(stem)] } else { Vec::new() };
        let bytes = std::fs::read(&file).expect("a program");
        Some(Subject { name, source: String::from_utf8(bytes).ok()?, headers })
    };
    programs(folder).into_iter().filter_map(subject).collect()
}

/// As many as are asked for, from all parts of the list.
fn some(list: Vec<Subject>, otherwise: usize) -> Vec<Subject> {
    let asked = std::env::var("CULDESAC_SUITES").ok();
    let wanted = match asked.as_deref() {
        Some("all") => list.len(),
        Some(number) => number.parse().expect("CULDESAC_SUITES is a number or `all`"),
        None => otherwise,
    };
    let only = std::env::var("CULDESAC_SUITES_ONLY").unwrap_or_default();
    let list: Vec<Subject> = list.into_iter().filter(|subject| subject.name.contains(&only)).collect();
    let count = list.len();
    let is_wanted = |at: usize| count <= wanted || (at + 1) * wanted / count > at * wanted / count;
    list.into_iter().enumerate().filter(|(at, _)| is_wanted(*at)).map(|(_, subject)| subject).collect()
}

/// The tests that an export leaves out, by their numbers from 0.
fn left_out(notes: &[String]) -> Vec<usize> {
    let number = |note: &String| note.strip_prefix("test ")?.split(' ').next()?.parse::<usize>().ok();
    notes.iter().filter(|note| note.contains("left out")).filter_map(number).map(|number| number - 1).collect()
}

/// Checks the suite of a program.
fn check(subject: &Subject) -> Checked {
    let Subject { name, source, headers } = subject;
    let (request, mut checked) = (request(name, source, Some(LIMIT)), Checked::default());
    let (Ok(loaded), Some(document)) = (load(&request), branches(&request, BranchesSettings::default())) else {
        checked.left_out.push(format!("{name}: refused"));
        return checked;
    };
    let exported = exported(&request, &document, TestsFormat::C);
    let missing = left_out(&exported.notes);
    let tests: Vec<usize> = (0..document.tests.len()).filter(|test| !missing.contains(test)).collect();
    checked.left_out.extend(exported.notes.iter().map(|note| format!("{name}: {note}")));
    let is_copy = |file: &&ExportedFile| file.name == *name;
    let (copies, files): (Vec<ExportedFile>, Vec<ExportedFile>) = exported.files.clone().into_iter().partition(|file| is_copy(&file));
    let reports = instrument(&loaded);
    checked.left_out.extend(unseen(name, &reports));
    let instrumented = exported_with(&request, &document, TestsFormat::C, &reports.wraps).files.into_iter().find(|file| is_copy(&file));
    let (Some(program), Some(instrumented)) = (copies.into_iter().next(), instrumented) else {
        checked.differences.push(format!("{name}: the suite has no copy of the program"));
        return checked;
    };
    let instrumented = instrumented.text;
    let claims: std::collections::BTreeMap<usize, Vec<usize>> = exported.claims.into_iter().collect();
    for (&test, sides) in &claims {
        // Calls before a test may take more.
        if !document.tests[test].takes.iter().all(|&side| sides.contains(&(side as usize))) {
            checked.differences.push(format!("{name}: test {} takes less in the suite than `branches` says", test + 1));
        }
    }
    let suite = Suite {
        claims: Some(claims),
        source: source.clone(),
        name: format!("exported-{name}"),
        document: &document,
        files,
        program,
        instrumented,
        reports: &reports,
        tests,
        is_exported: true,
        headers: headers.clone(),
    };
    checked.add(suite.check());
    checked
}

fn hold(subjects: &[Subject]) {
    let start = computed();
    let checked = all(subjects, check);
    checked.left_out.iter().for_each(|sentence| println!("{sentence}"));
    checked.differences.iter().for_each(|sentence| println!("{sentence}"));
    let seconds = computed() - start;
    println!("{} programs, {} runs, {} sides claimed; {seconds:.1} s computed", subjects.len(), checked.runs, checked.claims);
    assert!(checked.differences.is_empty(), "{} differences", checked.differences.len());
}

#[test]
fn suites_of_programs_take_what_they_claim() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut subjects = of_folder(&root.join("examples"));
    let own = root.join("tests/it/suites/programs");
    if own.is_dir() {
        subjects.extend(of_folder(&own));
    }
    let mut subjects = some(subjects, PROGRAMS);
    let random = |number| Subject { name: format!("random-{number}.c"), source: random::program(number), headers: Vec::new() };
    subjects.extend(some(random::numbers(RANDOM).map(random).collect(), RANDOM as usize));
    hold(&subjects);
}

#[test]
fn suites_of_the_corpus_take_what_they_claim() {
    match corpus() {
        Some(folder) => hold(&some(of_folder(&folder), usize::MAX)),
        None => println!("skipped: CULDESAC_CORPUS is not set"),
    }
}

#[test]
fn suites_of_faults_take_what_they_claim() {
    match std::env::var_os("CULDESAC_FAULTS") {
        Some(folder) => hold(&some(of_folder(Path::new(&folder)), usize::MAX)),
        None => println!("skipped: CULDESAC_FAULTS is not set"),
    }
}
