//! How every analysis grows with the program: time, steps and greatest memory over n, and between two sizes the slopes (the exponent e
//! of n^e that leads from one to the next: 1 is linear, 2 square).
//!
//! The programs are rows of n decisions, n nested decisions, and n loops in a row. The analyses are those of the command line that are
//! about a program, asked as the command asks without options; only lengths grow with the program. Each run is a process of its own,
//! so that its memory is its own. A run that the step limit ends is marked *open*; one that takes longer than a minute is ended, with
//! those after it.
//!
//! `cargo bench --bench growth` for all; with names of analyses or programs after `--` only those: `-- cover rows`.

use clap::{Args, FromArgMatches};
use culdesac::analysis::options::{Command, CommandVisitor};
use culdesac::analysis::{ALL, Listener, with_command};
use culdesac::view::{Document, Reply};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A family of programs: its name, the program of a size, and sizes to look at.
type Family = (&'static str, fn(usize) -> String, &'static [usize]);

const FAMILIES: [Family; 3] =
    [("rows", rows, &[100, 300, 1_000, 3_000]), ("nests", nests, &[15, 30, 60, 120]), ("loops", loops, &[10, 30, 100, 300])];

const LONGEST: Duration = Duration::from_secs(60);

fn rows(n: usize) -> String {
    let decisions: String = (0..n).map(|i| format!("  if (x > {i}) y = y + 1;\n")).collect();
    format!("int f(int x) {{\n  int y = 0;\n{decisions}  return y;\n}}\n")
}

fn nests(n: usize) -> String {
    let decisions: String = (0..n).map(|i| format!("  if (x > {i}) {{ y = y + 1;\n")).collect();
    format!("int f(int x) {{\n  int y = 0;\n{decisions}{}\n  return y;\n}}\n", "}".repeat(n))
}

fn loops(n: usize) -> String {
    let loops = "  for (i = 0; i < x; i = i + 1) y = y + 1;\n".repeat(n);
    format!("int f(int x) {{\n  int y = 0, i;\n{loops}  return y;\n}}\n")
}

/// What a run took.
#[derive(Clone, Copy)]
struct Taken {
    seconds: f64,
    steps: f64,
    /// `None` where the system does not tell.
    megabytes: Option<f64>,
    complete: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [one, name, family, n] = &arguments[..]
        && one == "--one"
    {
        return run(name, family, n.parse().expect("a size"));
    }
    let wanted = |name: &str, among: &[&str]| {
        let chosen: Vec<&String> = arguments.iter().filter(|argument| among.contains(&argument.as_str())).collect();
        chosen.is_empty() || chosen.iter().any(|chosen| *chosen == name)
    };
    let names: Vec<&str> = ALL.iter().map(|analysis| analysis.0).filter(|name| with_command(name, OfProgram) == Some(true)).collect();
    let families = FAMILIES.map(|family| family.0);
    println!("{:<8} {:<6} {:>5} {:>9} {:>6} {:>11} {:>6} {:>8} {:>6}", "", "", "n", "seconds", "slope", "steps", "slope", "MB", "slope");
    for name in names.iter().filter(|name| wanted(name, &names)) {
        for (family, _, sizes) in FAMILIES.iter().filter(|family| wanted(family.0, &families)) {
            let mut before: Option<(usize, Taken)> = None;
            for &n in *sizes {
                match measured(name, family, n) {
                    Ok(taken) => {
                        print(name, family, n, taken, before);
                        before = Some((n, taken));
                    }
                    Err(why) => {
                        println!("{name:<8} {family:<6} {n:>5} {why:>9}");
                        break;
                    }
                }
            }
        }
    }
}

fn print(name: &str, family: &str, n: usize, taken: Taken, before: Option<(usize, Taken)>) {
    let slope = |of: fn(Taken) -> Option<f64>| {
        let slope = before.and_then(|(m, before)| Some((of(taken)? / of(before)?).ln() / (n as f64 / m as f64).ln()));
        slope.filter(|slope| slope.is_finite()).map_or_else(String::new, |slope| format!("{slope:.1}"))
    };
    println!(
        "{name:<8} {family:<6} {n:>5} {:>9.3} {:>6} {:>11} {:>6} {:>8} {:>6}{}",
        taken.seconds,
        slope(|taken| Some(taken.seconds)),
        taken.steps,
        slope(|taken| Some(taken.steps)),
        taken.megabytes.map_or_else(|| "?".to_owned(), |megabytes| format!("{megabytes:.1}")),
        slope(|taken| taken.megabytes),
        if taken.complete { "" } else { "  open" },
    );
}

/// Runs this program again for one measurement; else says why there is none.
fn measured(name: &str, family: &str, n: usize) -> Result<Taken, String> {
    let own = std::env::current_exe().expect("a program that runs");
    let mut command = std::process::Command::new(own);
    let child = command.args(["--one", name, family, &n.to_string()]).stdout(Stdio::piped()).spawn().expect("it runs again");
    let text = ended(child).ok_or_else(|| format!("> {} s", LONGEST.as_secs()))?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [seconds, steps, kilobytes, complete] = numbers[..] else { return Err(text.trim().to_owned()) };
    Ok(Taken { seconds, steps, megabytes: (kilobytes > 0.0).then_some(kilobytes / 1024.0), complete: complete > 0.0 })
}

/// What the child printed; ends it where it takes too long.
fn ended(mut child: Child) -> Option<String> {
    let started = Instant::now();
    while child.try_wait().expect("its own child").is_none() {
        if started.elapsed() > LONGEST {
            child.kill().expect("its own child");
            child.wait().expect("its own child");
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("its own child");
    assert!(output.status.success(), "a run failed");
    Some(String::from_utf8(output.stdout).expect("numbers"))
}

/// The child: prints seconds, steps, kilobytes (0 where the system does not tell), and whether everything was settled; or why it is refused.
fn run(name: &str, family: &str, n: usize) {
    let program = FAMILIES.iter().find(|known| known.0 == family).expect("a family").1(n);
    match with_command(name, Ask { n, program }).expect("an analysis") {
        Ok((seconds, steps, complete)) => println!("{seconds} {steps} {} {}", most_kilobytes().unwrap_or(0), u8::from(complete)),
        Err(code) => println!("{code}"),
    }
}

/// The greatest memory of this process so far, as Linux tells it.
fn most_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}

/// The default options of a command, apart from lengths.
fn options<A: Command>(n: usize) -> Option<A::Options> {
    let command = A::Options::augment_args(clap::Command::new(A::NAME));
    let mut words = vec![A::NAME.to_owned()];
    let has = |name: &str| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    // A round of a decision has at most two edges and one for the join.
    let length = (3 * n + 10).to_string();
    for (option, value) in [("lengths", Some(&length)), ("length", Some(&length)), ("feasible", None)] {
        if has(option) {
            words.push(format!("--{option}"));
            words.extend(value.cloned());
        }
    }
    words.push("-".to_owned());
    A::Options::from_arg_matches(&command.try_get_matches_from(words).ok()?).ok()
}

/// Whether a command is about a program and nothing else.
struct OfProgram;

impl CommandVisitor for OfProgram {
    type Output = bool;

    fn command<A: Command>(self) -> bool {
        options::<A>(1).is_some_and(|options| A::program(&options).is_some())
    }
}

/// Asks about a program; gives seconds, steps, and whether everything was settled, or the code of the refusal.
struct Ask {
    n: usize,
    program: String,
}

impl CommandVisitor for Ask {
    type Output = Result<(f64, u64, bool), String>;

    fn command<A: Command>(self) -> Result<(f64, u64, bool), String> {
        let options = options::<A>(self.n).expect("options of a command");
        let started = Instant::now();
        let query = A::query(&options, &mut |_, _| Ok(("f.c".to_owned(), self.program.clone()))).expect("a question");
        let reply = query.answer::<A>(&|| started.elapsed(), &mut Listener::new(&mut |_| true));
        let document = match reply {
            Reply::Document { document } => document,
            Reply::Refused { diagnostics } => {
                return Err(diagnostics.first().map_or("refused".to_owned(), |diagnostic| diagnostic.code.clone()));
            }
        };
        let text = serde_json::to_string(&document).expect("plain data");
        assert!(!text.is_empty());
        let header = document.header().expect("it is about a program");
        Ok((started.elapsed().as_secs_f64(), header.statistics.steps, header.complete))
    }
}
