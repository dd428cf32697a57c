//! Both sides on the same inputs.

use super::draw::{Drawer, Random};
use super::harness::{Binary, Ran};
use super::subject::{Function, Subject};
use super::{Report, Settings};
use culdesac::interp::{Input, Machine, Outcome, Run, RunState, Watch};
use culdesac::logic::IntRange;
use culdesac::lts::{EdgeId, Expr, InputSource, Label, Origin};
use culdesac::view::input_view;
use std::ops::ControlFlow;

/// Differences that are written out for each function; one more line says how many there were.
const SHOWN: usize = 3;

/// What the interpreter came to.
struct Ours {
    run: Run,
    decisions: Vec<[u64; 2]>,
    printed: Vec<u8>,
}

/// Counts the decisions of a run and keeps what it prints.
struct Watcher<'a> {
    function: &'a Function,
    decisions: Vec<[u64; 2]>,
    printed: Vec<u8>,
}

impl Watch for Watcher<'_> {
    fn taken(&mut self, edge: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        let (taken, from, _) = self.function.lts.edge(edge);
        if let (Some(Some(k)), Label::Assume { holds, .. }) = (self.function.decisions.get(&from), &taken.label) {
            self.decisions[*k][usize::from(!holds)] += 1;
        }
        ControlFlow::Continue(())
    }

    fn wants_output(&self) -> bool {
        true
    }

    fn printed(&mut self, bytes: &[u8]) {
        self.printed.extend_from_slice(bytes);
    }
}

/// Draws inputs for each function, runs both sides and notes everything that differs.
pub fn compare(subject: &Subject, binary: &Binary, settings: Settings, report: &mut Report) {
    for (number, function) in subject.functions.iter().enumerate() {
        let left_out = |reason: String, report: &mut Report| *report.left_out.entry(reason).or_default() += 1;
        if function.lts.reads_stdin() {
            left_out("it reads standard input, which `differential::stdin` compares".to_owned(), report);
            continue;
        }
        let (inputs, ours) = run_ours(subject, function, settings, |reason| left_out(reason, report));
        let ran = match binary.run(subject, number, &inputs) {
            Ok(ran) => ran,
            Err(message) => {
                report.differences.push(format!("{}: {message}", report.name));
                continue;
            }
        };
        let mut differences = Vec::new();
        for (((input, _), ours), theirs) in inputs.iter().zip(&ours).zip(&ran) {
            let outcome = match differ(subject, function, ours, theirs, report) {
                Ok(()) => name(&ours.run.outcome),
                Err(Some(_)) if keeps(function) => {
                    left_out("a local of an inlined function has no first value in C".to_owned(), report);
                    continue;
                }
                Err(Some(_)) if settings.unseen && matches!(ours.run.outcome, Outcome::Undefined(_)) => {
                    left_out("undefined here, not noticed by the compiler".to_owned(), report);
                    continue;
                }
                Err(Some(_)) if reads_volatile(function) => {
                    left_out("a volatile object may have any value at each read here".to_owned(), report);
                    continue;
                }
                Err(Some(_)) if uses_printed(&subject.source) => {
                    left_out("what a printing function gives back is arbitrary here".to_owned(), report);
                    continue;
                }
                Err(Some(difference)) => {
                    differences.push(shown(subject, function, input, ours, theirs, &difference));
                    continue;
                }
                Err(None) => continue,
            };
            report.runs += 1;
            *report.outcomes.entry(outcome).or_default() += 1;
        }
        let count = differences.len();
        report.runs += count as u64;
        report.differences.extend(differences.into_iter().take(SHOWN));
        if count > SHOWN {
            report.differences.push(format!(
                "{}, function {}: {} more of {} runs differ",
                report.name,
                function.lts.function,
                count - SHOWN,
                ran.len()
            ));
        }
    }
}

/// The inputs, and what the interpreter came to. Where it came to no end, the number of decisions says how far the other side need go.
fn run_ours(
    subject: &Subject,
    function: &Function,
    settings: Settings,
    mut left_out: impl FnMut(String),
) -> (Vec<(Input, Option<u64>)>, Vec<Ours>) {
    let lts = &function.lts;
    let machine = Machine::new(lts);
    let drawer = Drawer::new(function);
    let name = format!("{}:{}", subject.path.file_name().unwrap_or_default().to_string_lossy(), lts.function);
    let mut inputs = Vec::new();
    let mut all = Vec::new();
    for number in 0..settings.runs {
        let input = drawer.input(&mut Random::new(&name, u64::from(number)));
        let mut watcher = Watcher { function, decisions: vec![[0; 2]; subject.decisions.len()], printed: Vec::new() };
        let run = machine.watch(&input, settings.steps, &mut watcher);
        let Watcher { decisions, printed, .. } = watcher;
        let limit = match run.outcome {
            Outcome::Steps | Outcome::Cut | Outcome::TooLarge | Outcome::Approximated => match decisions.iter().flatten().sum() {
                0 => {
                    left_out("a limit before the first decision".to_owned());
                    continue;
                }
                decided => Some(decided),
            },
            _ => None,
        };
        inputs.push((input, limit));
        all.push(Ours { run, decisions, printed });
    }
    (inputs, all)
}

/// Whether the number of printed characters is used.
fn uses_printed(source: &str) -> bool {
    source.match_indices("printf").any(|(at, _)| source[..at].trim_end().ends_with(['=', '(', '<', '>', '+', '-', '!']))
}

/// Whether something is read that a function which is inlined declares and does not set. Each call's own is 0 at first on both sides; but in
/// C it is so whenever its declaration is passed, here only before the first edge.
fn keeps(function: &Function) -> bool {
    let lts = &function.lts;
    let mut origins = (function.inputs.variables.iter().map(|&id| lts.variable(id).origin))
        .chain(function.inputs.arrays.iter().map(|&id| lts.array(id).origin));
    origins.any(|origin| origin == Origin::Inlined)
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Returned => "returned",
        Outcome::Error => "error",
        Outcome::AssumeFailed => "assumption failed",
        Outcome::Undefined(_) => "undefined",
        Outcome::Cut => "deeper recursion than is inlined",
        Outcome::Steps | Outcome::TooLarge | Outcome::NoText(_) | Outcome::Approximated => "unfinished",
    }
}

/// What differs; `Err(None)` where the two cannot be compared, which is noted.
fn differ(subject: &Subject, function: &Function, ours: &Ours, theirs: &Ran, report: &mut Report) -> Result<(), Option<String>> {
    let expected = match (&ours.run.outcome, theirs.outcome) {
        (Outcome::Returned, 'R' | 'V' | 'X') | (Outcome::Error, 'E') | (Outcome::AssumeFailed, 'A') => true,
        (Outcome::Steps | Outcome::Cut | Outcome::TooLarge | Outcome::Approximated, 'L') => true,
        (Outcome::Undefined(_), 'U') => return Ok(()),
        _ => false,
    };
    if !expected {
        let unknown_length = function.lts.arrays.iter().any(|array| array.origin == Origin::Parameter && array.length.is_none());
        if theirs.outcome == 'S' && unknown_length {
            *report.left_out.entry("an index far outside of an array parameter".to_owned()).or_default() += 1;
            return Err(None);
        }
        return Err(Some("the outcomes differ".to_owned()));
    }
    if let (Some(value), true) = (&ours.run.value, matches!(theirs.outcome, 'R' | 'X'))
        && IntRange::of_bits(64, true).wrap(value).to_i64() != Some(theirs.value)
    {
        return Err(Some(format!("the values differ: {value}, gcc {}", theirs.value)));
    }
    for (span, &k) in &subject.decisions {
        if ours.decisions[k] != theirs.decisions[k] {
            let (line, text) = (1 + subject.source[..span.start as usize].matches('\n').count(), span.text(&subject.source));
            return Err(Some(format!(
                "line {line}, `{text}`: holds and fails {:?} times, gcc {:?}",
                ours.decisions[k], theirs.decisions[k]
            )));
        }
        report.sides += 2;
    }
    if theirs.outcome == 'L' {
        return Ok(());
    }
    if ours.printed != theirs.printed {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        return Err(Some(format!("the output differs: {:?}, gcc {:?}", text(&ours.printed), text(&theirs.printed))));
    }
    report.printed += ours.printed.len() as u64;
    if function.draws_results {
        *report.left_out.entry("how many values are drawn, where a call gives back none".to_owned()).or_default() += 1;
        return Ok(());
    }
    // What arithmetic computes counts as drawn, for the sake of symbolic execution.
    let computes = function.lts.draws_from(&|source| source.is_computed());
    if !computes && ours.run.nondet_used as u64 != theirs.drawn {
        return Err(Some(format!("values drawn: {}, gcc {}", ours.run.nondet_used, theirs.drawn)));
    }
    Ok(())
}

/// A difference for people, with what repeats it.
fn shown(subject: &Subject, function: &Function, input: &Input, ours: &Ours, theirs: &Ran, difference: &str) -> String {
    let json = serde_json::to_string(&input_view(&function.lts, input)).unwrap_or_default();
    let stopped = ours.run.stopped_before.map(|edge| {
        let span = function.lts.graph[edge].span;
        format!(" before line {}, `{}`", 1 + subject.source[..span.start as usize].matches('\n').count(), span.text(&subject.source))
    });
    format!(
        "{file}, function {name}: {difference}\n  ours: {:?} {:?}{}\n  gcc:  {} {} drawn {}\n  culdesac run {} --function {name} --ints c32 --input '{json}'",
        ours.run.outcome,
        ours.run.value.as_ref().map(ToString::to_string),
        stopped.unwrap_or_default(),
        theirs.outcome,
        theirs.value,
        theirs.drawn,
        subject.path.display(),
        name = function.lts.function,
        file = subject.path.file_name().unwrap_or_default().to_string_lossy(),
    )
}

/// Whether a function reads a volatile object, which nothing but the program changes in the compiled program.
fn reads_volatile(function: &Function) -> bool {
    let mut found = false;
    let lts = &function.lts;
    for edge in lts.graph.edge_indices() {
        lts.operands(edge).for_each(|operand| operand.walk(&mut |e| found |= matches!(e, Expr::Nondet(_, InputSource::Volatile(_)))));
    }
    found
}
