//! The meaning of coverage records against runs: whether compilers' tools count a record exactly when a run takes one of its sides.

use crate::common::cases;
use culdesac::interp::{Input, Machine};
use culdesac::justify::conditions::{WrittenDecision, WrittenSide, decisions};
use culdesac::justify::coverage::{self, BranchRecord, MeasuredCoverage, RecordOrder};
use culdesac::justify::matching::{FileText, RecordMeaning, meanings};
use culdesac::justify::search::written;
use culdesac::load::load;
use culdesac::logic::Int;
use culdesac::lts::sides::sides;
use culdesac::view::Request;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes functions of three parameters that decide in all the ways that C has.
struct FunctionWriter {
    state: u64,
    text: String,
    loops: u32,
}

impl FunctionWriter {
    fn pick(&mut self, count: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % count
    }

    /// A line break or a space: records of a line have to be told apart, and those of several lines.
    fn gap(&mut self) -> &'static str {
        if self.pick(3) == 0 { "\n  " } else { " " }
    }

    fn atom(&mut self) -> String {
        let (name, value) = (["a", "b", "c"][self.pick(3) as usize], self.pick(4));
        match self.pick(8) {
            0 => name.to_owned(),
            1 => format!("!{name}"),
            2 => format!("!({name} > {value})"),
            3 => format!("LESS({name}, {value})"),
            n => format!("{name} {} {value}", ["==", "!=", "<", ">"][n as usize - 4]),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.pick(3) == 0 {
            return self.atom();
        }
        let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
        let gap = self.gap();
        match self.pick(5) {
            0 => format!("!({left} && {right})"),
            1 => format!("!({left} || {right})"),
            2 | 3 => format!("({left}) &&{gap}({right})"),
            _ => format!("({left}) ||{gap}({right})"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let gap = self.gap();
        let condition = self.condition(2);
        if depth == 0 {
            let text = match self.pick(3) {
                0 => format!("r += {condition} ? 1 : 2;{gap}"),
                1 => format!("r = {condition};{gap}"),
                _ => format!("r++;{gap}"),
            };
            self.text += &text;
            return;
        }
        match self.pick(7) {
            0 | 1 => {
                let _ = write!(self.text, "if ({condition}) {{{gap}");
                self.statement(depth - 1);
                self.text += "}";
                if self.pick(2) == 0 {
                    self.text += " else {";
                    self.statement(depth - 1);
                    self.text += "}";
                }
            }
            2 => {
                let _ = write!(self.text, "if ({condition}) {gap}return r + {depth};");
            }
            3 => {
                self.loops += 1;
                let name = format!("i{}", self.loops);
                let _ = write!(self.text, "for (int {name} = 0; {name} < 2; {name}++) {{{gap}");
                self.statement(depth - 1);
                let jump = ["break", "continue"][self.pick(2) as usize];
                let _ = write!(self.text, " if ({condition}) {jump};{gap}}}");
            }
            4 => {
                self.loops += 1;
                let name = format!("i{}", self.loops);
                let _ = write!(self.text, "int {name} = 2; while ({name} > 0 && ({condition})) {{{gap}{name}--;");
                self.statement(depth - 1);
                self.text += "}";
            }
            5 => {
                self.loops += 1;
                let name = format!("i{}", self.loops);
                let _ = write!(self.text, "int {name} = 0; do {{{gap}{name}++; ");
                self.statement(depth - 1);
                let _ = write!(self.text, "}} while ({name} < 2 && ({condition}));");
            }
            _ => {
                let name = ["a", "b", "c"][self.pick(3) as usize];
                let _ = write!(self.text, "switch ({name}) {{{gap}case 0: r++; ");
                let ends = [self.pick(2), self.pick(2)].map(|pick| if pick == 0 { "break;" } else { "" });
                let _ = write!(self.text, "{}{gap}case 1: case 2: r += 2;{}", ends[0], ends[1]);
                if self.pick(2) == 0 {
                    let _ = write!(self.text, "{gap}default: r--;");
                }
                self.text += "}";
            }
        }
        self.text += gap;
    }
}

/// A program of some functions, and its inputs: numbers of the function and its arguments.
fn program(seed: u64) -> (String, Vec<(usize, [i64; 3])>) {
    let mut writer = FunctionWriter { state: seed, text: String::from("#define LESS(x, y) ((x) < (y) || (x) == 3)\n"), loops: 0 };
    for number in 0..FUNCTIONS {
        let _ = write!(writer.text, "int f{number}(int a, int b, int c) {{\n  int r = 0;\n  ");
        for _ in 0..3 {
            writer.statement(2);
            writer.text += "\n  ";
        }
        writer.text += "return r;\n}\n";
    }
    let mut inputs = Vec::new();
    for number in 0..FUNCTIONS {
        for _ in 0..writer.pick(4) {
            inputs.push((number, [writer.pick(5) as i64, writer.pick(5) as i64, writer.pick(5) as i64]));
        }
    }
    (writer.text, inputs)
}

const FUNCTIONS: usize = 6;

/// The program with a `main` that makes these calls, in a folder of its own.
fn prepared(name: &str, text: &str, inputs: &[(usize, [i64; 3])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coverage records").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    let declared: String = (0..FUNCTIONS).map(|number| format!("int f{number}(int, int, int);\n")).collect();
    let calls: String = inputs.iter().map(|(number, [a, b, c])| format!("f{number}({a}, {b}, {c});")).collect();
    std::fs::write(folder.join("p.c"), text).expect("a file");
    std::fs::write(folder.join("main.c"), format!("{declared}int main(void) {{ {calls} return 0; }}\n")).expect("a file");
    folder
}

fn run(folder: &Path, command: &str) -> Option<Vec<u8>> {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output().ok()?;
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The coverage as gcc's tool writes it.
fn of_gcc(folder: &Path) -> Option<MeasuredCoverage> {
    if !has("gcc") || !has("gcov") {
        return None;
    }
    run(
        folder,
        "gcc -w --coverage -O0 -c p.c && gcc -w --coverage p.o main.c -o g && ./g && gcov -b --json-format --stdout p.gcda > g.json",
    )?;
    let text = std::fs::read_to_string(folder.join("g.json")).expect("written");
    // One document for each file.
    let first = text.lines().find(|line| line.contains("p.c")).expect("the program's");
    Some(coverage::read(first).expect("gcov's JSON"))
}

/// The coverage as clang's tool writes it, as JSON and as LCOV.
fn of_clang(folder: &Path) -> Vec<MeasuredCoverage> {
    if !has("clang") || !has("llvm-profdata") || !has("llvm-cov") {
        return Vec::new();
    }
    let built = "clang -w -fprofile-instr-generate -fcoverage-mapping p.c main.c -o c && LLVM_PROFILE_FILE=c.raw ./c && llvm-profdata merge c.raw -o c.data";
    run(folder, built).expect("a shell");
    let export = |form: &str| {
        let text = run(folder, &format!("llvm-cov export -format={form} ./c -instr-profile=c.data p.c")).expect("a shell");
        coverage::read(&String::from_utf8(text).expect("a text")).expect("llvm-cov's form")
    };
    vec![export("text"), export("lcov")]
}

/// The sides of all functions, and those that the calls take.
fn taken(text: &str, inputs: &[(usize, [i64; 3])]) -> (Vec<WrittenSide>, BTreeSet<WrittenSide>) {
    let (mut all, mut taken) = (Vec::new(), BTreeSet::new());
    for number in 0..FUNCTIONS {
        let request = Request { program: "p.c".into(), source: text.into(), function: Some(format!("f{number}")), ..Request::default() };
        let loaded = load(&request).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let machine = Machine::new(&loaded.lts);
        let sides = sides(&loaded.lts);
        let names = written(&sides);
        for (_, values) in inputs.iter().filter(|(of, _)| *of == number) {
            let values = ["a", "b", "c"].into_iter().zip(values).map(|(name, value)| (name.to_owned(), Int::from(*value))).collect();
            let edges = machine.run(&Input { values, ..Input::default() }, 100_000).edges;
            let of_run = names.iter().zip(&sides).filter(|(_, side)| side.edges.iter().any(|edge| edges.contains(edge)));
            taken.extend(of_run.map(|(name, _)| *name));
        }
        all.extend(names);
    }
    (all, taken)
}

/// How many records were compared, and how many have no clear meaning.
#[derive(Default)]
struct RecordCounts {
    compared: usize,
    unclear: usize,
    /// Of lines with a decision of which no order of gcc's records is known.
    unordered: usize,
}

fn compare(text: &str, coverage: &MeasuredCoverage, sides: &[WrittenSide], taken: &BTreeSet<WrittenSide>, counts: &mut RecordCounts) {
    let request = Request { program: "p.c".into(), source: text.into(), function: Some("f0".into()), ..Request::default() };
    let Ok(loaded) = load(&request) else { panic!("read before") };
    let file_text = FileText { program: &loaded.program, lines: &loaded.lines, header: None, sides };
    let file = coverage.file("p.c").expect("the program's file");
    let of_functions = loaded.program.own().flat_map(|function| decisions(function, loaded.lines.text()));
    let unordered: BTreeSet<u32> = of_functions
        .filter_map(|decision| match decision {
            WrittenDecision::Condition(condition) if condition.is_unordered => Some(loaded.lines.line(condition.counted_at)),
            _ => None,
        })
        .collect();
    for (record, meaning) in file.records.iter().zip(meanings(file, &file_text)) {
        match meaning {
            RecordMeaning::Sides(list) => {
                let expected = list.iter().any(|side| taken.contains(side));
                let line = text.lines().nth(record.line as usize - 1);
                assert_eq!(BranchRecord::is_taken(record), expected, "{:?} {record:?} {list:?} {line:?}\n{text}", file.order);
                counts.compared += 1;
            }
            RecordMeaning::Unclear if file.order == RecordOrder::Blocks && unordered.contains(&record.line) => counts.unordered += 1,
            RecordMeaning::Unclear => counts.unclear += 1,
            RecordMeaning::Constant(_) | RecordMeaning::Assertion(_) => {}
        }
    }
}

/// A record counts more than zero if and only if some run takes one of the sides that it stands for.
#[test]
fn records_stand_for_the_sides_that_runs_take() {
    let mut counts = RecordCounts::default();
    for seed in 0..u64::from(cases(6)) {
        let (text, inputs) = program(seed);
        let folder = prepared(&seed.to_string(), &text, &inputs);
        let (mut sides, taken) = taken(&text, &inputs);
        sides.sort_by_key(|side| (side.span.start, side.span.end, side.number, !side.holds));
        let all = of_gcc(&folder).into_iter().chain(of_clang(&folder));
        all.for_each(|coverage| compare(&text, &coverage, &sides, &taken, &mut counts));
    }
    let RecordCounts { compared, unclear, unordered } = counts;
    println!("{compared} records compared, {unclear} without a clear meaning, and {unordered} of decisions without an order");
    assert!(compared > unclear * 4, "{compared} compared, {unclear} unclear");
    // Negated decisions of several lines and composed ones above jumps are frequent here.
    assert!(compared > unordered * 2, "{compared} compared, {unordered} without an order");
}
