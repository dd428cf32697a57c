//! The interpreter against a C compiler, and symbolic execution against the interpreter.
//!
//! [`check`] takes a program through all of it: [`subject`] reads and lowers it, [`draw`] makes inputs, [`harness`] has gcc compile the
//! program's own text with its decisions counted and its inputs given, and runs it, [`compare`] sets both sides against each other, and
//! [`symbolic`] asks of the interpreter's paths whether the derived conditions hold of their inputs and fail of others.
//!
//! What is not compared is counted with its reason ([`Report::left_out`]), never dropped.
#![allow(dead_code, reason = "the test and the bench each need a part of this")]

pub mod compare;
mod declared;
pub mod draw;
pub mod floats;
pub mod harness;
pub mod random;
pub mod related;
pub mod stdin;
pub mod structures;
pub mod subject;
pub mod symbolic;
pub mod worlds;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use subject::{Refusal, Subject};

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Inputs for each function that is looked at.
    pub runs: u32,
    /// Edges after which the interpreter gives up; until then what was decided is compared.
    pub steps: u64,
    /// Inputs for each function of which symbolic execution is asked.
    pub symbolic: u32,
    /// Whether undefined behaviour that the compiler does not notice is left out, not a difference.
    pub unseen: bool,
}

/// What came of a program.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub name: String,
    pub refused: Option<Refusal>,
    /// The functions that were looked at.
    pub functions: Vec<String>,
    /// Inputs on which both sides ran.
    pub runs: u64,
    /// Of those, by outcome.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Decisions whose sides were counted on both sides, and those that could not be.
    pub decisions: usize,
    pub uncounted: usize,
    /// Comparisons of how often a side was taken.
    pub sides: u64,
    /// Bytes of output that were compared.
    pub printed: u64,
    /// Why runs were not compared, or only in part, and how many.
    pub left_out: BTreeMap<String, u64>,
    /// Conditions of paths that held of the input which took the path, and that failed of one which left it.
    pub held: u64,
    pub failed: u64,
    pub differences: Vec<String>,
}

/// The folder of the corpus, if there is one.
pub fn corpus() -> Option<PathBuf> {
    std::env::var_os("CULDESAC_CORPUS").map(PathBuf::from)
}

/// The C programs of a folder in alphabetical order.
pub fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension() == Some("c".as_ref())).collect();
    files.sort();
    files
}

/// Whether the names of programs to look at are limited, and this is not one of them.
fn unwanted(path: &Path) -> bool {
    std::env::var("CULDESAC_DIFFERENTIAL_ONLY").is_ok_and(|only| !path.to_string_lossy().contains(&only))
}

/// Checks all of the files, some at once; the reports in the order of the files.
pub fn check_all(files: &[PathBuf], stubs: Option<&Path>, settings: Settings) -> Vec<Report> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let texts: Vec<_> = files.iter().filter(|path| !unwanted(path)).map(|path| (path.clone(), read(path))).collect();
    check_texts(&texts, stubs, settings)
}

/// Checks programs that stand in no file; the reports in the order of the names.
pub fn check_texts(texts: &[(PathBuf, String)], stubs: Option<&Path>, settings: Settings) -> Vec<Report> {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(BTreeMap::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((path, source)) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = check(path, source, stubs, settings);
                    reports.lock().unwrap_or_else(PoisonError::into_inner).insert(path, report);
                }
            });
        }
    });
    reports.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// Checks one program: the function that is looked at where none is named, and `main` if that is another.
pub fn check(path: &Path, source: &str, stubs: Option<&Path>, settings: Settings) -> Report {
    let name = path.file_name().map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut report = Report { name, ..Report::default() };
    let subject = match Subject::read(path, source) {
        Ok(subject) => subject,
        Err(refusal) => {
            report.refused = Some(refusal);
            return report;
        }
    };
    report.functions = subject.functions.iter().map(|function| function.lts.function.clone()).collect();
    report.decisions = subject.decisions.len();
    report.uncounted = subject.uncounted;
    for refusal in &subject.refused {
        *report.left_out.entry(format!("{}: {}", refusal.function, refusal.code)).or_default() += 1;
    }
    match harness::Binary::build(&subject, stubs) {
        Ok(binary) => compare::compare(&subject, &binary, settings, &mut report),
        Err(message) => report.differences.push(format!("{}: gcc does not compile what is accepted here:\n{message}", report.name)),
    }
    symbolic::check(&subject, settings, &mut report);
    report
}
