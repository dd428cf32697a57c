//! Programs at random that read standard input, against what gcc makes of them and the C library reads.
//!
//! A program is a function in which each decision has a line of its own. Compiled, it runs on many texts, each in a process of its own that
//! gets the text from a pipe, and says what it returned and which sides of which decisions it took how often. The interpreter has to say the
//! same of each text; no run may take a side that is called infeasible; and each test's text has to take what the test claims.
//!
//! A text of which C leaves open what is read (a number that its object cannot hold) is compared with nothing.

use super::draw::Random;
use culdesac::analysis::Listener;
use culdesac::analysis::branches::{Branches, BranchesDocument, BranchesOrder, BranchesSettings, BranchesVerdict};
use culdesac::analysis::{
    Query,
    cover::{CoverSettings, cover},
};
use culdesac::interp::{Input, Machine, Outcome, RunState, Watch};
use culdesac::lang::parse;
use culdesac::load::load;
use culdesac::lts::{EdgeId, Label, Lts};
use culdesac::source::LineIndex;
use culdesac::view::{Reply, Request, bytes_of};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Decisions of a program, at most.
const DECISIONS: usize = 24;
/// Steps of an analysis.
const LIMIT: u64 = 60_000;
/// Edges of a run.
const RUN: u64 = 20_000;

/// What runs a program on a text: reads both from a file, and says what came of each.
const RUNNER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static unsigned taken[64][2];
static int b(int k, int holds) { taken[k][!holds]++; return holds; }
"#;

const MAIN: &str = r#"
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "rb");
  unsigned head[2];
  static char text[1 << 16];
  while (fread(head, 4, 2, file) == 2) {
    if (head[1] && fread(text, 1, head[1], file) != head[1]) return 3;
    fflush(stdout);
    int child = fork();
    if (child == 0) {
      int ends[2];
      if (pipe(ends)) return 4;
      if (write(ends[1], text, head[1]) != (long)head[1]) return 4;
      close(ends[1]);
      dup2(ends[0], 0);
      close(ends[0]);
      alarm(5);
      int value = programs[head[0]]();
      printf("%d", value);
      for (int k = 0; k < 64; k++) printf(" %u %u", taken[k][0], taken[k][1]);
      printf("\n");
      fflush(stdout);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status) printf("died\n");
  }
  return 0;
}
"#;

/// A program.
pub struct Program {
    /// As it is analysed, and as it is compiled: both have the same lines.
    pub plain: String,
    counted: String,
    /// The line of each decision.
    lines: Vec<u32>,
}

/// Writes programs.
struct Writer {
    random: Random,
    plain: String,
    counted: String,
    line: u32,
    lines: Vec<u32>,
    loops: u32,
}

impl Writer {
    fn pick<'s>(&mut self, list: &[&'s str]) -> &'s str {
        list[self.random.below(list.len() as u64) as usize]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.plain, "{text}");
        let _ = writeln!(self.counted, "{text}");
        self.line += 1;
    }

    /// A line with a decision.
    fn decision(&mut self, before: &str, condition: &str, after: &str) {
        let k = self.lines.len();
        self.lines.push(self.line);
        let _ = writeln!(self.plain, "{before}({condition}){after}");
        let _ = writeln!(self.counted, "{before}(b({k}, ({condition}) != 0)){after}");
        self.line += 1;
    }

    fn number(&mut self) -> String {
        let list = ["0", "1", "-1", "2", "5", "7", "10", "12", "48", "57", "97", "-5", "100"];
        self.pick(&list).to_owned()
    }

    fn scalar(&mut self) -> &'static str {
        self.pick(&["a", "c"])
    }

    /// A call of `scanf`, and how much it can give back.
    fn scan(&mut self) -> (String, u32) {
        let (mut format, mut addresses, mut count) = (String::new(), String::new(), 0);
        for piece in 0..1 + self.random.below(2) {
            if piece > 0 {
                let between = ["", " ", ",", "\\n"];
                format += self.pick(&between);
            }
            let (conversion, address, counts) = match self.random.below(29) {
                0..=7 => ("%d", Some("&a"), 1),
                8 => ("%2d", Some("&c"), 1),
                9 => ("%u", Some("&u"), 1),
                10 => ("%*d", None, 0),
                11 | 12 => ("%c", Some("&h"), 1),
                13 | 14 => ("%3s", Some("s"), 1),
                15 => ("%2[a-c]", Some("s"), 1),
                16 => ("%3[^\\n]", Some("s"), 1),
                17 => ("%ld", Some("&l"), 1),
                18 => ("%n", Some("&c"), 0),
                19 => ("%x", Some("&u"), 1),
                20 => ("%i", Some("&a"), 1),
                21..=23 => ("%lf", Some("&d"), 1),
                24 => ("%4lf", Some("&d"), 1),
                25 | 26 => ("%f", Some("&e"), 1),
                27 => ("%*lf", None, 0),
                _ => ("%2c", Some("s"), 1),
            };
            // Two words of one call that go to one array are refused.
            if address == Some("s") && addresses.contains(", s") {
                continue;
            }
            format += conversion;
            if let Some(address) = address {
                let _ = write!(addresses, ", {address}");
            }
            count += counts;
        }
        if self.random.below(6) == 0 {
            let behind = [" ", ",", "x"];
            format += self.pick(&behind);
        }
        (format!("scanf(\"{format}\"{addresses})"), count)
    }

    fn condition(&mut self) -> String {
        match self.random.below(21) {
            0..=2 => {
                let (call, most) = self.scan();
                format!("{call} {} {}", self.pick(&["==", "!=", "<", ">="]), self.random.below(u64::from(most) + 1))
            }
            3 => {
                let (call, _) = self.scan();
                format!("{call} == -1")
            }
            4 => format!("getchar() {} {}", self.pick(&["==", "!="]), self.pick(&["-1", "'\\n'", "'a'", "' '", "'5'"])),
            5 | 6 => {
                let c = self.scalar();
                format!("({c} = getchar()) {} {}", self.pick(&["==", "!="]), self.pick(&["-1", "'\\n'", "'a'", "'7'"]))
            }
            7 => "fgets(s, 4, stdin) != 0".to_owned(),
            8 => format!("s[{}] {} {}", self.random.below(3), self.pick(&["==", "!="]), self.pick(&["'a'", "0", "'\\n'", "'b'", "'5'"])),
            9 => format!("r {} {}", self.pick(&["==", "!=", "<"]), self.pick(&["-1", "0", "1", "2"])),
            10 => format!("u {} {}u", self.pick(&["==", ">"]), self.pick(&["0", "10", "4294967295"])),
            11 => format!("h == {}", self.pick(&["'a'", "'\\n'", "' '", "'q'"])),
            16 => format!("d {} {}", self.pick(&["==", "!=", "<", ">="]), self.pick(&["0", "5.5", "-0.25", "1e3", "d"])),
            17 => format!("e {} {}", self.pick(&["==", "<", ">"]), self.pick(&["0.1f", "5", "-5e-1f", "55.0"])),
            18 => format!("{} {} d", self.scalar(), self.pick(&["<", ">="])),
            19 => "feof(stdin)".to_owned(),
            20 => "feof(stdin) == 0".to_owned(),
            12 => format!("l {} {}", self.pick(&["==", ">"]), self.number()),
            _ => format!("{} {} {}", self.scalar(), self.pick(&["==", "!=", "<", ">"]), self.number()),
        }
    }

    fn block(&mut self, depth: u32, indent: &str) {
        for _ in 0..1 + self.random.below(3) {
            if self.lines.len() + 2 >= DECISIONS {
                return;
            }
            let inner = format!("{indent}  ");
            match self.random.below(12) {
                0 | 1 => {
                    let (call, _) = self.scan();
                    let keeps = self.random.below(2) == 0;
                    self.line(&format!("{indent}{}{call};", if keeps { "r = " } else { "" }));
                }
                2 => {
                    let to = self.scalar();
                    self.line(&format!("{indent}{to} = getchar();"));
                }
                3 => {
                    let call = self.pick(&["getchar();", "getchar();", "clearerr(stdin);"]);
                    self.line(&format!("{indent}{call}"));
                }
                4 if depth > 0 && self.loops < 1 => {
                    self.loops += 1;
                    let condition = self.condition();
                    self.decision(&format!("{indent}while "), &condition, " {");
                    self.line(&format!("{inner}n++;"));
                    self.decision(&format!("{inner}if "), "n > 2", " break;");
                    self.block(depth - 1, &inner);
                    self.line(&format!("{indent}}}"));
                }
                5 => {
                    let condition = self.condition();
                    let value = self.random.below(100);
                    self.decision(&format!("{indent}if "), &condition, &format!(" return {value};"));
                }
                _ if depth > 0 => {
                    let condition = self.condition();
                    self.decision(&format!("{indent}if "), &condition, " {");
                    self.block(depth - 1, &inner);
                    if self.random.below(2) == 0 {
                        self.line(&format!("{indent}}} else {{"));
                        self.block(depth - 1, &inner);
                    }
                    self.line(&format!("{indent}}}"));
                }
                _ => self.line(&format!("{indent}n = n + 1;")),
            }
        }
    }
}

/// The program with this number.
pub fn program(number: u64) -> Program {
    let mut writer =
        Writer { random: Random::new("stdin", number), plain: String::new(), counted: String::new(), line: 1, lines: Vec::new(), loops: 0 };
    let _ = writeln!(writer.plain, "#include <stdio.h>");
    let _ = writeln!(writer.counted);
    writer.line += 1;
    let _ = writeln!(writer.plain, "int main(void) {{");
    let _ = writeln!(writer.counted, "int program_{number}(void) {{");
    writer.line += 1;
    writer.line(
        "  int a = 5, c = 7, r = 0, n = 0; unsigned u = 3; long l = 9; double d = 2.5; float e = 0.5f; char h = 'q'; char s[8] = \"ab\";",
    );
    writer.block(3, "  ");
    let condition = writer.condition();
    writer.decision("  if ", &condition, " n = n + 100;");
    writer.line("  return a * 3 + c * 5 + r * 7 + n + (int)(u % 1000) + (int)(l % 1000) + h * 11 + s[0] + s[1] * 2 + s[2] * 3 + s[3] * 4;");
    writer.line("}");
    Program { plain: writer.plain, counted: writer.counted, lines: writer.lines }
}

/// Texts of each program: short ones over a few characters, all that there are; and longer ones.
fn texts(number: u64, count: usize) -> Vec<Vec<u8>> {
    let few = b"5a \n-.";
    let mut found = vec![Vec::new()];
    for &first in few {
        found.push(vec![first]);
        found.extend(few.iter().map(|&second| vec![first, second]));
    }
    let mut random = Random::new("texts", number);
    let usual = b"0123456789555  \n\n--+,,aabcxq;\0\xff\t..ee";
    let words = ["inf", "-INF", "nan", "infinity", "5.5", "-0.25", "1e3", ".1", "5e-1", "1e400", "5.", "0.1000000001", "55e"];
    while found.len() < count {
        let mut text = Vec::new();
        for _ in 0..random.below(14) {
            match random.below(8) {
                0 => text.extend(words[random.below(words.len() as u64) as usize].bytes()),
                _ => text.push(usual[random.below(usual.len() as u64) as usize]),
            }
        }
        found.push(text);
    }
    found
}

/// What came of a run: the value, and how often the sides of each decision were taken.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ran {
    value: i64,
    taken: Vec<[u64; 2]>,
}

/// A run of the interpreter.
struct Counter<'l> {
    lts: &'l Lts,
    lines: &'l LineIndex,
    of: &'l BTreeMap<u32, usize>,
    taken: Vec<[u64; 2]>,
}

impl Watch for Counter<'_> {
    fn taken(&mut self, edge: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        let taken = &self.lts.graph[edge];
        if let (Label::Assume { holds, .. }, Some(_), false) = (&taken.label, taken.decision, taken.library)
            && let Some(&k) = self.of.get(&self.lines.line(taken.span.start))
        {
            self.taken[k][usize::from(!holds)] += 1;
        }
        ControlFlow::Continue(())
    }
}

/// What came of programs.
#[derive(Default, Debug)]
pub struct Report {
    pub contradictions: Vec<String>,
    pub counts: BTreeMap<&'static str, u64>,
}

impl Report {
    fn count(&mut self, what: &'static str, by: u64) {
        *self.counts.entry(what).or_default() += by;
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("stdin")
}

/// The branches of a program, with verdicts and tests.
fn branches(program: &Program) -> Option<BranchesDocument> {
    let settings = BranchesSettings { tests: Vec::new(), order: BranchesOrder::default(), baselines: false };
    let asked = Query { request: Some(request(program)), settings };
    let mut on = |_| true;
    match asked.answer::<Branches>(&Default::default, &mut Listener::new(&mut on)) {
        Reply::Document { document } => Some(document),
        Reply::Refused { diagnostics } => panic!("refused: {diagnostics:?}\n{}", program.plain),
    }
}

fn request(program: &Program) -> Request {
    Request { program: "stdin.c".to_owned(), source: program.plain.clone(), limit: Some(LIMIT), ..Request::default() }
}

/// Compiles the programs and runs each on its texts.
fn run(batch: &str, programs: &[(u64, Program)], inputs: &[(usize, Vec<u8>)]) -> Result<Vec<Option<Ran>>, String> {
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut text = RUNNER.to_owned();
    programs.iter().for_each(|(_, program)| text += &program.counted);
    let names: Vec<String> = programs.iter().map(|(number, _)| format!("program_{number}")).collect();
    let _ = writeln!(text, "static int (*const programs[])(void) = {{ {} }};", names.join(", "));
    text += MAIN;
    let (source, binary, given) = (folder.join(format!("{batch}.c")), folder.join(batch), folder.join(format!("{batch}.texts")));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let gcc = Command::new("gcc").args(["-O0", "-w", "-o"]).args([&binary, &source]).output().map_err(|error| error.to_string())?;
    if !gcc.status.success() {
        return Err(String::from_utf8_lossy(&gcc.stderr).into_owned());
    }
    let mut file = std::fs::File::create(&given).map_err(|error| error.to_string())?;
    for (program, text) in inputs {
        for part in [&(*program as u32).to_le_bytes()[..], &(text.len() as u32).to_le_bytes(), text] {
            file.write_all(part).map_err(|error| error.to_string())?;
        }
    }
    drop(file);
    let output = Command::new(&binary).arg(&given).output().map_err(|error| error.to_string())?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let ran: Vec<Option<Ran>> = lines
        .lines()
        .map(|line| {
            let mut numbers = line.split(' ').map(|word| word.parse::<i64>());
            let value = numbers.next()?.ok()?;
            let counts: Vec<u64> = numbers.map(|number| number.map(|number| number as u64)).collect::<Result<_, _>>().ok()?;
            Some(Ran { value, taken: counts.chunks(2).map(|pair| [pair[0], pair[1]]).collect() })
        })
        .collect();
    if ran.len() == inputs.len() { Ok(ran) } else { Err(format!("{} of {} runs", ran.len(), inputs.len())) }
}

/// Checks the programs with these numbers on so many texts each.
pub fn check(numbers: &[u64], count: usize) -> Report {
    let mut report = Report::default();
    for batch in numbers.chunks(25) {
        let programs: Vec<(u64, Program)> = batch.iter().map(|&number| (number, program(number))).collect();
        let documents: Vec<Option<BranchesDocument>> = programs.iter().map(|(_, program)| branches(program)).collect();
        let mut inputs: Vec<(usize, Vec<u8>)> = Vec::new();
        for (at, (number, program)) in programs.iter().enumerate() {
            inputs.extend(texts(*number, count).into_iter().map(|text| (at, text)));
            // Tests of `cover` run as well.
            if number % 4 == 0 {
                let settings = CoverSettings { unwind: None, algorithm: "prefer".into(), precondition: None, summaries: false };
                if let Reply::Document { document } = cover(&request(program), &settings, &mut Listener::new(&mut |_| true)) {
                    inputs.extend(document.tests.iter().filter_map(|test| Some((at, bytes_of(test.input.stdin.as_ref()?)))));
                    report.count("tests of cover", document.tests.len() as u64);
                }
            }
        }
        // Tests stand after the texts.
        let mut tests: Vec<(usize, usize)> = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            for (number, test) in document.iter().flat_map(|document| &document.tests).enumerate() {
                tests.push((at, number));
                inputs.push((at, test.input.stdin.as_deref().map(bytes_of).unwrap_or_default()));
            }
        }
        let ran = run(&format!("batch-{}", batch[0]), &programs, &inputs).expect("gcc compiles the programs, and they run");
        for (at, (number, program)) in programs.iter().enumerate() {
            let own = inputs.iter().zip(&ran).enumerate().filter(|(_, ((of, _), _))| *of == at);
            let behind = inputs.len() - tests.len();
            let own: Vec<(Option<usize>, &[u8], &Option<Ran>)> =
                own.map(|(index, ((_, text), ran))| (index.checked_sub(behind).map(|test| tests[test].1), &text[..], ran)).collect();
            compare(*number, program, documents[at].as_ref(), &own, &mut report);
        }
    }
    report
}

fn compare(
    number: u64,
    program: &Program,
    document: Option<&BranchesDocument>,
    runs: &[(Option<usize>, &[u8], &Option<Ran>)],
    report: &mut Report,
) {
    report.count("programs", 1);
    let loaded = load(&request(program)).unwrap_or_else(|_| panic!("refused:\n{}", program.plain));
    assert!(parse(&program.plain).program.is_some());
    let (lts, machine) = (&loaded.lts, Machine::new(&loaded.lts));
    let of: BTreeMap<u32, usize> = program.lines.iter().enumerate().map(|(k, &line)| (line, k)).collect();
    let mut wrong = |what: String, text: &[u8]| {
        report.contradictions.push(format!("program {number}, {:?}: {what}\n{}", String::from_utf8_lossy(text), program.plain));
    };
    let mut compared = 0;
    for (test, text, ran) in runs {
        let input = Input { stdin: Some(text.to_vec()), ..Input::default() };
        let mut counter = Counter { lts, lines: &loaded.lines, of: &of, taken: vec![[0; 2]; program.lines.len()] };
        let ours = machine.watch(&input, RUN, &mut counter);
        let Some(theirs) = ran else {
            wrong("the compiled program dies".to_owned(), text);
            continue;
        };
        if let Outcome::Undefined(_) = ours.outcome {
            if test.is_some() {
                // A test that shows what is undefined is one; but it takes nothing else.
                compared += 1;
            }
            continue;
        }
        compared += 1;
        let taken = &theirs.taken[..program.lines.len()];
        if ours.outcome != Outcome::Returned || ours.value.as_ref().and_then(|value| value.to_i64()) != Some(theirs.value) {
            wrong(format!("gives {:?} {:?}, compiled {}", ours.outcome, ours.value, theirs.value), text);
            continue;
        }
        if counter.taken != taken {
            wrong(format!("takes {:?}, compiled {taken:?}", counter.taken), text);
            continue;
        }
        for side in document.iter().flat_map(|document| &document.list) {
            let Some(&k) = of.get(&side.line) else { continue };
            let count = taken[k][usize::from(side.side != "true")];
            match side.verdict {
                BranchesVerdict::Infeasible if count > 0 => {
                    wrong(format!("line {} takes {}, which is infeasible", side.line, side.text), text)
                }
                BranchesVerdict::Covered if side.test.is_some_and(|first| Some(first as usize) == *test) && count == 0 => {
                    wrong(format!("line {}: test {test:?} does not take {}", side.line, side.text), text);
                }
                _ => {}
            }
        }
    }
    report.count("runs compared", compared);
    if let Some(document) = document {
        report.count("tests", document.tests.len() as u64);
        report.count("branches", document.branches.total.into());
        report.count("covered", document.branches.covered.into());
        report.count("infeasible", document.branches.infeasible.into());
        report.count("open", document.branches.open.into());
    }
}
