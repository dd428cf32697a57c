//! What `cover` says of a function, against what compiled programs do with it: programs at random of two units. The one that is looked at
//! ([`program`]) calls functions that only the other one ([`outside`]) defines; that one calls it in sequences, back, and with addresses that
//! meet. Each run is in a world in which some assumptions hold, and what a verdict says ([`claims`]) has to hold in those it is about.
//!
//! A batch of programs is compiled at once, by each compiler and with each level of optimisation. Two more builds watch for
//! undefined behaviour; of a program that has some nothing is compared.

pub mod claims;
pub mod outside;
pub mod program;

use claims::{Claim, Kind, Said};
use program::Unit;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs that are compiled together.
const BATCH: usize = 25;
/// Rows of `runtime.c`'s results that are worlds; after them stand tests that are repeated.
const WORLDS: u32 = 16;
/// In which evaluations go from left to right.
const ORDERED: u32 = 8;

/// A compiler with its options; whether evaluations are written down from left to right.
struct Build {
    name: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
    ordered: bool,
}

const BUILDS: &[Build] = &[
    // The first two watch: one sees all that is evaluated, the other also what addresses lead to.
    Build { name: "clang, watching", compiler: "clang", options: &["-O1", "-fsanitize=undefined", "-fsanitize-trap=all"], ordered: false },
    Build {
        name: "gcc, watching",
        compiler: "gcc",
        options: &["-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"],
        ordered: false,
    },
    Build { name: "gcc -O0", compiler: "gcc", options: &["-O0"], ordered: false },
    Build { name: "gcc -O2", compiler: "gcc", options: &["-O2"], ordered: false },
    Build { name: "clang -O0", compiler: "clang", options: &["-O0"], ordered: false },
    Build { name: "clang -O2", compiler: "clang", options: &["-O2"], ordered: false },
    Build { name: "gcc -O1, from left to right", compiler: "gcc", options: &["-O1"], ordered: true },
];

/// So many builds watch.
const WATCHING: u32 = 2;

impl Build {
    /// The numbers of the first run and the one after the last: each build has its own, and those that watch have them all.
    fn runs(&self, at: u32, runs: u32) -> [u32; 2] {
        match at.checked_sub(WATCHING) {
            Some(at) => [at * runs, (at + 1) * runs],
            None => [0, (BUILDS.len() as u32 - WATCHING) * runs],
        }
    }
}

/// What runs did, as bits of `runtime.h`.
pub const DONE: [(&str, u32); 7] = [
    ("arguments meet", 1),
    ("writes through a kept address", 2),
    ("calls back", 4),
    ("a signal writes", 8),
    ("calls the function from within", 16),
    ("calls it again", 32),
    ("writes by name", 64),
];

/// What came of some programs.
#[derive(Default, Debug)]
pub struct Report {
    pub contradictions: Vec<String>,
    /// Programs, claims, and so on, by what they are.
    pub counts: BTreeMap<String, u64>,
}

impl Report {
    fn count(&mut self, what: &str, by: u64) {
        *self.counts.entry(what.to_owned()).or_default() += by;
    }

    pub fn of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }
}

/// The compilers that are missing.
pub fn missing() -> Vec<&'static str> {
    ["gcc", "clang"].into_iter().filter(|name| Command::new(name).arg("--version").output().is_err()).collect()
}

/// Checks the programs with these numbers, in so many runs of each build.
pub fn check(numbers: &[u64], runs: u32) -> Report {
    let batches: Vec<&[u64]> = numbers.chunks(BATCH).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers.min(batches.len()) {
            scope.spawn(|| {
                while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = check_batch(batch, runs);
                    let mut all = all.lock().expect("no worker panics with it");
                    all.contradictions.extend(report.contradictions);
                    report.counts.iter().for_each(|(what, by)| all.count(what, *by));
                }
            });
        }
    });
    all.into_inner().expect("no worker panics with it")
}

fn check_batch(numbers: &[u64], runs: u32) -> Report {
    let mut report = Report::default();
    let mut asked: Vec<(Unit, Said)> = Vec::new();
    for &number in numbers {
        let unit = program::program(number);
        let said = claims::ask(&unit);
        report.count("programs", 1);
        if let Some(reason) = &said.refused {
            report.count(&format!("refused: {}", reason.split(':').next().unwrap_or("")), 1);
            continue;
        }
        asked.push((unit, said));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("worlds").join(format!("from-{}", numbers[0]));
    write(&folder, &asked);
    let mut done: Vec<(&Build, BTreeMap<u64, Results>)> = Vec::new();
    for (at, build) in BUILDS.iter().enumerate() {
        let [from, to] = build.runs(at as u32, runs).map(|run| run.to_string());
        let output = compile(&folder, build).and_then(|program| said(Command::new(program).args([from, to])));
        match output {
            Ok(output) => done.push((build, results(&output))),
            Err(message) => report.contradictions.push(format!("{} does not run {}:\n{message}", build.name, folder.display())),
        }
    }
    for (unit, said) in &asked {
        let of_unit: Vec<_> = done.iter().filter_map(|(build, all)| Some((*build, all.get(&unit.number)?))).collect();
        if of_unit.iter().any(|(_, results)| results.undefined > 0) {
            report.count("left out: undefined", 1);
            continue;
        }
        compare(unit, said, &of_unit, &folder, &mut report);
    }
    if report.contradictions.is_empty() {
        std::fs::remove_dir_all(&folder).expect("its own folder");
    }
    report
}

/// Writes down the units of a batch, each kind in a file.
fn write(folder: &Path, asked: &[(Unit, Said)]) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/differential/worlds");
    std::fs::create_dir_all(folder).expect("a folder");
    for name in ["runtime.c", "runtime.h"] {
        std::fs::copy(sources.join(name), folder.join(name)).expect("a file");
    }
    let (mut first, mut ordered, mut other) =
        ("#include \"runtime.h\"\n".to_owned(), "#include \"runtime.h\"\n".to_owned(), "#include \"runtime.h\"\n".to_owned());
    let (mut table, mut count) = (String::new(), 0);
    for (unit, said) in asked {
        let n = unit.number;
        for (text, in_order) in [(&mut first, false), (&mut ordered, true)] {
            let _ = writeln!(text, "#define main main_{n}\n#line 1 \"first-{n}.c\"\n{}#undef main", unit.compiled(in_order));
        }
        let _ = writeln!(other, "#line 1 \"other-{n}.c\"\n{}", outside::text(unit, &said.replays));
        let _ = write!(table, "&program_{n}, ");
        count += 1;
    }
    let _ = writeln!(other, "const struct worlds_program *worlds_programs[] = {{{table}}};\nconst int worlds_count = {count};");
    for (name, text) in [("first.c", first), ("ordered.c", ordered), ("other.c", other)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
}

fn compile(folder: &Path, build: &Build) -> Result<PathBuf, String> {
    let name: String = build.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let program = folder.join(name);
    let (first, world) = if build.ordered { ("ordered.c", ORDERED) } else { ("first.c", 0) };
    let mut command = Command::new(build.compiler);
    command.current_dir(folder).args(["-std=gnu11", "-w"]).arg(format!("-DORDER={world}")).args(build.options);
    said(command.args([first, "other.c", "runtime.c", "-o"]).arg(&program))?;
    Ok(program)
}

/// What a command prints.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.env("ASAN_OPTIONS", "detect_leaks=0").output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(String::from_utf8_lossy(&output.stderr).lines().take(20).collect::<Vec<_>>().join("\n"))
}

/// What came of the runs of a program.
#[derive(Default, Debug)]
struct Results {
    runs: u64,
    undefined: u64,
    stopped: u64,
    done: u32,
    /// For each row and line that was executed: the first such run, and, where a call that came there returned, the returns to headers of
    /// loops in the one with the fewest.
    lines: BTreeMap<(u32, u32), (u32, Option<u32>)>,
}

fn results(output: &str) -> BTreeMap<u64, Results> {
    let mut all = BTreeMap::new();
    let mut current = 0;
    for line in output.lines() {
        let words: Vec<&str> = line.trim_start_matches("program ").split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap_or_else(|_| panic!("a number in {line}"));
        if line.starts_with("program ") {
            current = number(0);
            let results =
                Results { runs: number(1), undefined: number(2), stopped: number(3), done: number(4) as u32, ..Results::default() };
            all.insert(current, results);
        } else if let Some(results) = all.get_mut(&current) {
            let least = (number(3) as u32).checked_sub(1);
            results.lines.insert((number(0) as u32, number(1) as u32), (number(2) as u32, least));
        }
    }
    all
}

/// The first run that contradicts a claim.
fn contradicting(claim: &Claim, results: &Results) -> Option<u32> {
    (0..WORLDS).filter(|world| world & claim.world == claim.world).find_map(|world| {
        let (run, least) = *results.lines.get(&(world, claim.line))?;
        let contradicts = match claim.kind {
            Kind::Infeasible => true,
            Kind::NeverCompletes => least.is_some(),
            Kind::NotWithin(unwind) => least.is_some_and(|least| least <= unwind),
        };
        contradicts.then_some(run)
    })
}

fn compare(unit: &Unit, said: &Said, done: &[(&Build, &Results)], folder: &Path, report: &mut Report) {
    report.count("compared", 1);
    report.count("statements", said.statements as u64);
    report.count("open", said.open as u64);
    report.count("tests after other calls", said.after as u64);
    for feature in &unit.features {
        report.count(&format!("has {feature:?}"), 1);
    }
    for (name, bit) in DONE {
        report.count(name, u64::from(done.iter().any(|(_, results)| results.done & bit != 0)));
    }
    report.count("runs", done.iter().map(|(_, results)| results.runs).sum());
    report.count("runs that were stopped", done.iter().map(|(_, results)| results.stopped).sum());
    report.count("with a line that is infeasible", u64::from(said.claims.iter().any(|claim| claim.kind == Kind::Infeasible)));
    for claim in &said.claims {
        let kind = match claim.kind {
            Kind::Infeasible => "infeasible",
            Kind::NeverCompletes => "never completes",
            Kind::NotWithin(_) => "not within",
        };
        report.count(kind, 1);
        for id in &claim.assumes {
            report.count(&format!("assumes {id}"), 1);
        }
        // Runs of other worlds tell that a claim without the assumption would be found out.
        for (id, bit) in claims::ASSUMPTIONS {
            let without = Claim { world: claim.world & !bit, ..claim.clone() };
            if claim.world & bit != 0 && done.iter().any(|(_, results)| contradicting(&without, results).is_some()) {
                report.count(&format!("needs {id}"), 1);
            }
        }
        for (build, results) in done {
            if let Some(run) = contradicting(claim, results) {
                let what = format!("line {} is said to be: {kind}, assuming {:?} (asked: {})", claim.line, claim.assumes, claim.question);
                report.contradictions.push(told(unit, said, build, run, &what, folder));
                break;
            }
        }
    }
    for (at, replay) in said.replays.iter().enumerate() {
        report.count("tests repeated", 1);
        report.count("tests repeated after other calls", u64::from(replay.is_sequence));
        for (build, results) in done {
            let row = WORLDS + at as u32;
            if let Some(line) = replay.lines.iter().find(|line| !results.lines.contains_key(&(row, **line))) {
                let what = format!("the test {} does not execute line {line}", replay.input);
                report.contradictions.push(told(unit, said, build, at as u32, &what, folder));
                break;
            }
        }
    }
}

/// Everything that is needed to look at a contradiction.
fn told(unit: &Unit, asked: &Said, build: &Build, run: u32, what: &str, folder: &Path) -> String {
    let n = unit.number;
    let numbered: String = unit.plain().lines().zip(1..).map(|(line, number)| format!("{number:3}  {line}\n")).collect();
    let trace = compile(folder, build)
        .and_then(|program| said(Command::new(program).args(["0", "0", &n.to_string(), &run.to_string()])))
        .unwrap_or_else(|message| message);
    format!(
        "program {n}, {}, run {run}: {what}\n\n{numbered}\nthe other unit:\n{}\nwhat happens:\n{trace}",
        build.name,
        outside::text(unit, &asked.replays)
    )
}
