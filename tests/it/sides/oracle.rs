//! Runs of a suite with its program's sides reported, beside the sides that its tests claim.

use super::frameworks::suite_file;
use super::instrument::{HEADER, Instrumented};
use super::subject::listed;
use culdesac::analysis::branches::BranchesDocument;
use culdesac::export::ExportedFile;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A suite to check.
pub struct Suite<'a> {
    /// For people, and of the folder.
    pub name: String,
    pub document: &'a BranchesDocument,
    /// The sides that each test takes, by their positions; none where these are the document's.
    pub claims: Option<BTreeMap<usize, Vec<usize>>>,
    /// All files but the program's copy.
    pub files: Vec<ExportedFile>,
    /// The program's copy as the suite has it, and with reports.
    pub program: ExportedFile,
    pub instrumented: String,
    /// The program's own text.
    pub source: String,
    pub reports: &'a Instrumented,
    /// The tests of the document that are in it. `./suite N` runs test N, counted from 1 among these, or of an export among all.
    pub tests: Vec<usize>,
    /// Whether it has to compile without a warning, to run as a whole, and to end well whatever its program does.
    pub is_exported: bool,
    /// Folders of headers.
    pub headers: Vec<PathBuf>,
}

/// What came of one suite, or of several.
#[derive(Debug, Default)]
pub struct Checked {
    pub differences: Vec<String>,
    /// Runs of one test whose sides were compared, and how many sides they claim.
    pub runs: usize,
    pub claims: usize,
    /// Sentences on what could not be compared.
    pub left_out: Vec<String>,
}

impl Checked {
    pub fn add(&mut self, other: Checked) {
        self.differences.extend(other.differences);
        self.left_out.extend(other.left_out);
        self.runs += other.runs;
        self.claims += other.claims;
    }
}

/// A way to compile: a name for people, the compiler, and what it is told beside.
struct Way {
    name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
}

pub const STRICT: &[&str] = &["-Wall", "-Wextra", "-Werror"];
const WATCHED: &[&str] = &["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"];

/// Whether there is a compiler of this name; says so once where there is none.
fn has(compiler: &'static str) -> bool {
    static KNOWN: Mutex<BTreeMap<&str, bool>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry(compiler).or_insert_with(|| {
        let found = Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
        if !found {
            println!("skipped: there is no {compiler}");
        }
        found
    })
}

/// The compilers that there are.
pub fn compilers() -> impl Iterator<Item = &'static str> {
    ["gcc", "clang"].into_iter().filter(|compiler| has(compiler))
}

fn ways() -> Vec<Way> {
    let mut ways: Vec<Way> = compilers().map(|compiler| Way { name: compiler, compiler, flags: &["-w"] }).collect();
    static WATCHING: OnceLock<Option<&str>> = OnceLock::new();
    // clang sees more.
    let watching = || ["clang", "gcc"].into_iter().filter(|compiler| has(compiler)).find(|compiler| sanitizers_link(compiler));
    if let Some(compiler) = WATCHING.get_or_init(watching) {
        ways.push(Way { name: "sanitized", compiler, flags: WATCHED });
    }
    ways
}

/// Whether programs can be linked with the sanitizers' libraries.
fn sanitizers_link(compiler: &str) -> bool {
    let folder = scratch().join(format!("sanitizers-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("suite.c"), "int main(void) { return 0; }\n").expect("a file");
    let links = compiled(&folder, compiler, WATCHED, &["suite.c"], &[]).is_ok();
    if !links {
        println!("skipped: {compiler} has no libraries of the sanitizers");
    }
    links
}

/// The folder of all folders.
pub fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites")
}

/// Compiles these files of a folder to the program `suite`; what is told of others goes between them.
pub fn compiled(folder: &Path, compiler: &str, flags: &[&str], sources: &[&str], headers: &[PathBuf]) -> Result<(), String> {
    let flags: Vec<&str> = flags.iter().copied().chain(["-o", "suite"]).collect();
    compile(folder, compiler, &flags, sources, headers)
}

/// Has a compiler run in a folder; the beginning of what it says where it fails.
pub fn compile(folder: &Path, compiler: &str, flags: &[&str], sources: &[&str], headers: &[PathBuf]) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(["-std=c11", "-O0"]).args(flags).args(sources);
    headers.iter().for_each(|header| {
        command.arg("-I").arg(header);
    });
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines = said.lines().filter(|line| !line.trim().is_empty()).take(6).map(|line| line.chars().take(200).collect::<String>());
    Err(lines.collect::<Vec<_>>().join("\n    "))
}

/// Whether a compiler accepts a program without any suite.
pub fn accepts(compiler: &'static str, source: &str, headers: &[PathBuf]) -> bool {
    type Known = BTreeMap<(&'static str, String), bool>;
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (compiler, source.to_owned());
    let before = known().get(&key).copied();
    before.unwrap_or_else(|| {
        let mut command = Command::new(compiler);
        command.args(["-std=c11", "-w", "-fsyntax-only"]);
        headers.iter().for_each(|header| {
            command.arg("-I").arg(header);
        });
        let mut child = command.args(["-x", "c", "-"]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        // One that refuses may not read all.
        let _ = child.stdin.take().expect("standard input").write_all(source.as_bytes());
        let accepts = child.wait().is_ok_and(|status| status.success());
        known().insert(key, accepts);
        accepts
    })
}

/// How a run ended: its status, or why it has none; and what it prints.
pub fn ran(folder: &Path, test: Option<usize>, seconds: u64) -> (Result<i32, String>, String) {
    let printed = folder.join("printed");
    let file = fs::File::create(&printed).expect("a file");
    let mut command = Command::new("./suite");
    command.current_dir(folder).args(test.map(|number| number.to_string())).env("ASAN_OPTIONS", "detect_leaks=0");
    let errors = file.try_clone().expect("a file");
    let mut child = command.stdin(Stdio::null()).stdout(file).stderr(errors).spawn().expect("it starts");
    let mut naps = seconds * 500;
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status.code().ok_or_else(|| status.to_string()),
            None if naps == 0 => {
                let _ = child.kill();
                let _ = child.wait();
                break Err(format!("no end after {seconds} s"));
            }
            None => naps -= 1,
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let bytes = fs::read(&printed).unwrap_or_default();
    (status, String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 20)]).into_owned())
}

/// The end of what a run prints.
pub fn end_of(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    let wanted = lines.iter().find(|line| line.contains("runtime error:") || line.contains("ERROR: ")).or(lines.last());
    wanted.map_or_else(String::new, |line| format!(": {}", line.chars().take(160).collect::<String>()))
}

/// How a test ends that does not end the process by itself.
pub const RETURNS: &str = "returns";

/// Seconds that are given to a run of one test, and to one of all.
pub const ONE: u64 = 20;
pub const ALL: u64 = 120;

impl Suite<'_> {
    /// Compiles and runs it in every way.
    pub fn check(&self) -> Checked {
        let mut found = Checked::default();
        let refusing: Vec<&str> =
            compilers().filter(|compiler| self.is_exported && !accepts(compiler, &self.source, &self.headers)).collect();
        for compiler in &refusing {
            found.left_out.push(format!("{}: {compiler} refuses the program itself", self.name));
        }
        if self.is_exported {
            for compiler in compilers().filter(|compiler| !refusing.contains(compiler)) {
                self.check_as_written(compiler, &mut found);
            }
        }
        let is_wanted = |way: &&Way| (self.is_exported || way.flags != WATCHED) && !refusing.contains(&way.compiler);
        for way in ways().iter().filter(is_wanted) {
            self.check_sides(way, &mut found);
        }
        // What differs is kept to be looked at.
        if found.differences.is_empty() {
            let _ = fs::remove_dir_all(self.folder_name());
        }
        found
    }

    fn folder_name(&self) -> PathBuf {
        scratch().join(&self.name)
    }

    /// A folder with its files.
    fn folder(&self, program: &str) -> PathBuf {
        let folder = self.folder_name();
        // What an earlier run left is no result of this one.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let defines = format!("#define CULDESAC_SIDES_COUNT {}\n#define CULDESAC_SIDES \"{}\"\n", self.reports.count, sides_file(&folder));
        fs::write(folder.join("sides.h"), defines + HEADER).expect("a file");
        for file in &self.files {
            fs::write(folder.join(&file.name), &file.text).expect("a file");
        }
        fs::write(folder.join(&self.program.name), program).expect("a file");
        folder
    }

    /// No warning, one line for each test, and all of them as they say.
    fn check_as_written(&self, compiler: &str, found: &mut Checked) {
        let folder = self.folder(&self.program.text);
        let name = &self.name;
        if let Err(errors) = compiled(&folder, compiler, STRICT, &[suite_file(&self.files)], &self.headers) {
            found.differences.push(format!("{name}: {compiler} does not compile it with {}:\n    {errors}", STRICT.join(" ")));
            return;
        }
        let (status, printed) = ran(&folder, None, ALL);
        let said = printed.lines().filter(|line| line.starts_with("test ")).count();
        match status {
            Ok(0) if said == self.tests.len() => {}
            Ok(0) => found.differences.push(format!("{name}: {compiler}: {said} lines for {} tests", self.tests.len())),
            Ok(status) => found.differences.push(format!("{name}: {compiler}: all tests end with {status}{}", end_of(&printed))),
            Err(why) => found.differences.push(format!("{name}: {compiler}: all tests: {why}{}", end_of(&printed))),
        }
    }

    fn check_sides(&self, way: &Way, found: &mut Checked) {
        let folder = self.folder(&self.instrumented);
        let flags: Vec<&str> = way.flags.iter().copied().chain(["-include", "sides.h"]).collect();
        if let Err(errors) = compiled(&folder, way.compiler, &flags, &[suite_file(&self.files)], &self.headers) {
            // Whether the reports are to blame.
            fs::write(folder.join(&self.program.name), &self.program.text).expect("a file");
            let how = if compiled(&folder, way.compiler, way.flags, &[suite_file(&self.files)], &self.headers).is_ok() {
                "with reports"
            } else {
                "even with -w"
            };
            found.differences.push(format!("{}: {} does not compile it {how}:\n    {errors}", self.name, way.name));
            return;
        }
        for (number, &test) in (1..).zip(&self.tests) {
            let number = if self.is_exported { test + 1 } else { number };
            let (status, printed) = ran(&folder, Some(number), ONE);
            let file = sides_file(&folder);
            let taken = fs::read_to_string(&file).unwrap_or_default();
            let _ = fs::remove_file(&file);
            let taken: BTreeSet<u32> = taken.lines().filter_map(|line| line.parse().ok()).collect();
            let claimed: Vec<u32> = match &self.claims {
                Some(claims) => claims[&test].iter().map(|&side| side as u32).collect(),
                None => self.document.tests[test].takes.clone(),
            };
            let claimed: BTreeSet<u32> = claimed.into_iter().filter(|side| !self.reports.unseen.contains_key(side)).collect();
            found.runs += 1;
            found.claims += claimed.len();
            let at = format!("{}: test {number} ({})", self.name, way.name);
            match status {
                Ok(0) => {}
                // As the program ends.
                _ if !self.is_exported && self.document.tests[test].ends != RETURNS => {}
                Ok(status) => found.differences.push(format!("{at} ends with {status}{}", end_of(&printed))),
                Err(why) => found.differences.push(format!("{at}: {why}{}", end_of(&printed))),
            }
            let (more, fewer) = (listed(self.document, taken.difference(&claimed)), listed(self.document, claimed.difference(&taken)));
            if !more.is_empty() {
                found.differences.push(format!("{at} takes what it does not claim: {more}"));
            }
            if !fewer.is_empty() {
                found.differences.push(format!("{at} claims what it does not take: {fewer}"));
            }
        }
    }
}

fn sides_file(folder: &Path) -> String {
    folder.join("sides").to_string_lossy().into_owned()
}

/// What comes of each of some things, by two threads.
pub fn all<T: Sync>(things: &[T], check: impl Fn(&T) -> Checked + Sync) -> Checked {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(number) else { break };
                    let checked = check(thing);
                    found.lock().unwrap_or_else(PoisonError::into_inner).insert(number, checked);
                }
            });
        }
    });
    let mut sum = Checked::default();
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().for_each(|checked| sum.add(checked));
    sum
}

/// Seconds that this process and its children have computed, where the system tells.
pub fn computed() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or("").split_whitespace();
    // utime, stime, cutime, cstime in hundredths.
    fields.skip(11).take(4).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
