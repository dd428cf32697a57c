//! `run`: one concrete execution.

#[cfg(feature = "cli")]
mod command;
mod document;
mod observer;
mod structures;

pub use document::{
    RunBlock, RunBlockItem, RunBranch, RunChange, RunDocument, RunMember, RunOutcome, RunSettings, RunStep, RunStructure, RunVariable,
};
pub use observer::MAX_RECORDED_STEPS;

use super::{Analysis, Question};
use crate::evidence::check::needing;
use crate::evidence::{Claim, Statement, numbers};
use crate::interp::{self, MAX_OUTPUT, Machine, Outcome, RunState, Undefined};
use crate::load::{about_the_question, exact, load, refused, warning};
use crate::logic::{Int, gathered};
use crate::lts::inputs::inputs;
use crate::lts::node_text::is_of_memory;
use crate::lts::written::{WrittenEdge, condition_of};
use crate::lts::{ArrayId, EdgePart, Failure, FailureKind, Label, Lts, VariableId, null_index, text};
use crate::run::assumption_tracking::assumed_by;
use crate::run::door::Door;
use crate::run::listener::Listener;
use crate::view::{
    Diagnostic, Input, InputValue, Number, Reply, Request, SolverStatistics, TextPlace, fitting, input_view, place, read_fields, read_line,
    written_view_by,
};
use observer::{MAX_RECORDED_WORDS, Observer};
use std::collections::BTreeMap;

/// The step limit where the request has none.
pub const RUN_LIMIT: u64 = 1_000_000;

/// `run`.
pub struct RunAnalysis;

impl Analysis for RunAnalysis {
    const NAME: &'static str = "run";
    const DOCS: &'static str = "run";
    type Settings = RunSettings;
    type Document = RunDocument;

    fn answer(question: &Question<RunSettings>, listener: &mut Listener) -> Reply<RunDocument> {
        run_given(question.request, question.settings, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(
            crate::view::InputFields,
            RunOutcome,
            RunVariable,
            RunStructure,
            RunBlock,
            RunBlockItem,
            RunMember,
            RunStep,
            RunChange,
            RunBranch,
        )>();
    }
}

/// Runs the function on `given` without a listener: see [`run_given`].
pub fn run(request: &Request, given: &Input) -> Reply<RunDocument> {
    let settings = RunSettings { input: given.clone(), ..RunSettings::default() };
    run_given(request, &settings, &mut Listener::new(&mut |_| true))
}

/// Runs the function on the input that is given and tells what it does; refuses an input that does not fit. The listener's claims get that the
/// input takes the edges that it took.
pub fn run_given(request: &Request, settings: &RunSettings, listener: &mut Listener) -> Reply<RunDocument> {
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let lts = &loaded.lts;
    let given = match (&settings.fields, &settings.line) {
        (Some(fields), _) => read_fields(lts, fields),
        (None, Some(line)) => read_line(lts, line),
        (None, None) => Ok(settings.input.clone()),
    };
    let given = match given {
        Ok(given) => given,
        Err(error) => {
            let diagnostic = about_the_question("input", error.to_string());
            return Reply::Refused { diagnostics: vec![Diagnostic { label: Some(error.name), ..diagnostic }] };
        }
    };
    let mut start = match fitting(lts, &given) {
        Ok(start) => start,
        Err(error) => return refused("input", error),
    };
    start.is_open = settings.is_open;
    // A pointer that no caller passes as null leads to the first node.
    for &id in &inputs(lts).variables {
        let variable = lts.variable(id);
        if let Some(range) = variable.start_range().filter(|range| range.least > 0) {
            start.values.entry(variable.name.clone()).or_insert_with(|| Int::from(range.least));
        }
    }
    if start.nondet.is_empty() && start.stdin.is_none() {
        start.stdin = Some(Vec::new());
    }
    let limit = request.limit.unwrap_or(RUN_LIMIT);

    let machine = Machine::deep(lts);
    let mut fault = None;
    if let Some(claims) = &mut listener.claims {
        let path = numbers(&machine.run(&start, limit).edges);
        let claim = Claim::new("run-1", Statement::Reached { path, input: input_view(lts, &start), after: Vec::new() });
        match Door::new(request, &loaded).pass(claim.clone(), exact(loaded.assumed).that_matter(&loaded.base)) {
            Ok(_) => claims.push(needing(&loaded.base, claim, exact(loaded.assumed))),
            Err(reason) => fault = Some(warning("fault", reason.to_string())),
        }
    }
    let mut observer = Observer::new(lts, &loaded.lines);
    let finished = machine.watch(&start, limit, &mut observer);
    let Observer { taken, last, executed, steps, recorded_steps, output, .. } = observer;
    let mut variables = variables(lts, &machine.initial(&start), &start, &finished.variables);
    let structures = structures::structures(&loaded.program, lts, &variables, &recorded_steps);
    structures::name_values(&structures, lts, &mut variables);
    let failed = finished.outcome == Outcome::Error;
    let failure = if let Some(edge) = last { lts.graph[edge].failure } else { lts.at_entry.failure }.filter(|_| failed);
    let (outcome, reason) = match finished.outcome {
        Outcome::NoText(_) if start.is_open => (RunOutcome::Steps, Some("the program waits for more text on standard input".to_owned())),
        other => outcome(lts, failure, other, limit),
    };
    let stopped = match finished.stopped_before {
        None if finished.stopped_in == EdgePart::Label => None,
        edge => Some(lts.span_of(edge, finished.stopped_in)),
    };
    let span = failure.map(|failure| failure.span).or(stopped);
    let mut header = loaded.header(request, outcome != RunOutcome::Steps, SolverStatistics::default(), steps);
    header.diagnostics.extend(fault);
    let result = loaded.program.function(&lts.function).map(|(_, function)| &function.result);
    let returned = result.and_then(|shape| shape.integer(loaded.program.abi)).map(|ty| ty.range(loaded.program.abi));
    let value_name = result.zip(finished.value.as_ref());
    let document = RunDocument {
        header,
        input: written_view_by(lts, &machine, &interp::Input { stdin: start.stdin.clone().filter(|_| lts.reads_stdin()), ..start.clone() }),
        outcome,
        assumes: assumed_by(&loaded, &start),
        value: finished.value.as_ref().map(|value| Number::in_range(value, returned)),
        value_name: value_name.and_then(|(shape, value)| structures::returned_name(lts, shape, value)),
        reason,
        place: span.map(|span| place(&loaded.lines, span)),
        steps,
        stopped_before: finished.stopped_before.map(|edge| edge.index() as u32),
        output: String::from_utf8_lossy(&output.bytes).into_owned(),
        output_cut: output.cut.then_some(MAX_OUTPUT as u64),
        nondet_used: finished.nondet_used as u64,
        lines_total: (steps > executed.len() as u64).then_some(steps as u32),
        lines: executed,
        variables,
        steps_shown: recorded_steps,
        branches: branches(lts, loaded.lines.text(), &taken, |span| place(&loaded.lines, span)),
        structures,
    };
    Reply::Document { document }
}

/// All variables, then all arrays, with their first values, and of scalars the values in `last`. Objects that an array of the
/// model keeps stand for themselves, and not beside the input that their first value is.
fn variables<'l>(lts: &'l Lts, first: &RunState<'_>, given: &interp::Input, last: &[Int]) -> Vec<RunVariable> {
    let most = lts.value_names.classes.iter().map(Vec::len).fold(lts.value_names.functions.len() + 1, usize::max);
    let possible: Vec<Int> = std::iter::once(null_index()).chain((0..most).map(Int::from)).collect();
    let named = |name: &dyn Fn(&Int) -> Option<&'l str>| {
        gathered(possible.iter().filter_map(|value| Some((value.to_string(), name(value)?.to_owned()))))
    };
    let scalar = |(number, variable): (usize, &crate::lts::Variable)| RunVariable {
        name: variable.name.clone(),
        start: InputValue::Scalar(Number::in_range(first.variable(VariableId(number as u32)), variable.range)),
        end: last.get(number).map(|value| Number::in_range(value, variable.range)),
        addresses: named(&|value| text::address(lts, VariableId(number as u32), value)),
    };
    let array = |(number, array): (usize, &crate::lts::Array)| {
        let in_range = |value: &Int| Number::in_range(value, array.range);
        let numbered = |values: &[Int]| gathered(values.iter().enumerate().map(|(index, value)| (index.to_string(), in_range(value))));
        let elements = match (&array.initial, given.arrays.get(&array.name)) {
            (Some(initial), _) => numbered(&initial[..initial.len().min(MAX_RECORDED_WORDS as usize)]),
            (None, Some(contents)) => {
                let elements = contents.elements.iter().map(|(index, value)| (index.to_string(), in_range(value)));
                gathered(elements.chain([("default".to_owned(), in_range(&contents.default))]))
            }
            (None, None) => BTreeMap::new(),
        };
        let addresses = named(&|value| text::address_in(lts, ArrayId(number as u32), value));
        RunVariable { name: array.name.clone(), start: InputValue::Array(elements), end: None, addresses }
    };
    let mut all: Vec<RunVariable> = lts.variables.iter().enumerate().map(scalar).chain(lts.arrays.iter().enumerate().map(array)).collect();
    for array in lts.arrays.iter().filter(|array| !array.objects.is_empty()) {
        let Some(model) = all.iter().position(|variable| variable.name == array.name).map(|at| all.remove(at)) else { continue };
        let InputValue::Array(elements) = &model.start else { continue };
        for (turn, object) in array.objects.iter().enumerate() {
            if let Some(existing) = all.iter_mut().find(|variable| variable.name == object.name) {
                existing.end = None;
                continue;
            }
            let own = elements.iter().filter_map(|(index, value)| match Int::parse(index) {
                None => Some((index.clone(), value.clone())),
                Some(index) => {
                    let (own, of) = index.div_rem_floor(&Int::from(array.objects.len()))?;
                    (of == Int::from(turn)).then(|| (own.to_string(), value.clone()))
                }
            });
            let mut own: BTreeMap<String, Number> = gathered(own);
            let start = match object.is_scalar {
                true => InputValue::Scalar(own.remove("0").unwrap_or(Number::Small(0))),
                false => InputValue::Array(own),
            };
            all.push(RunVariable { name: object.name.clone(), start, end: None, addresses: model.addresses.clone() });
        }
    }
    all
}

fn outcome(lts: &Lts, failure: Option<Failure>, outcome: Outcome, limit: u64) -> (RunOutcome, Option<String>) {
    match outcome {
        Outcome::Returned => (RunOutcome::Returned, None),
        Outcome::Error => raised(failure.map(|failure| failure.kind)),
        Outcome::Cut => {
            let depth = lts.inline_depth.unwrap_or(0);
            (RunOutcome::Steps, Some(format!("a function calls itself more than {depth} times within itself")))
        }
        Outcome::AssumeFailed => (RunOutcome::AssumeFailed, None),
        Outcome::Undefined(Undefined::OutOfBounds { array, index, length }) => {
            (RunOutcome::Undefined, Some(format!("index {index} outside {}[{length}]", lts.array(array).name)))
        }
        Outcome::Undefined(reason) => (RunOutcome::Undefined, Some(reason.to_string())),
        Outcome::Steps => (RunOutcome::Steps, Some(format!("the limit of {limit} steps was reached"))),
        Outcome::TooLarge => (RunOutcome::Steps, Some(format!("a number has more than {} binary digits", interp::MAX_BITS))),
        Outcome::Approximated => {
            (RunOutcome::Steps, Some("the next part of the program is approximated: its effect is not known".to_owned()))
        }
        Outcome::NoText(why) => {
            let number = why.draw + 1;
            (RunOutcome::Steps, Some(format!("no text on standard input gives value {number} of `nondet`: give the text, as `stdin`")))
        }
    }
}

/// What led to the error location.
fn raised(kind: Option<FailureKind>) -> (RunOutcome, Option<String>) {
    match kind {
        Some(FailureKind::Assertion) => (RunOutcome::Aborted, Some("a failed assertion".to_owned())),
        Some(FailureKind::Abort) => (RunOutcome::Aborted, Some("abort()".to_owned())),
        Some(FailureKind::ErrorCall) | None => (RunOutcome::ErrorCall, Some("an error call".to_owned())),
    }
}

/// The decisions in the order of their edges' numbers: how often each side was taken.
fn branches(lts: &Lts, source: &str, taken: &[u64], place: impl Fn(crate::source::Span) -> TextPlace) -> Vec<RunBranch> {
    let mut branches: BTreeMap<_, RunBranch> = BTreeMap::new();
    for id in lts.graph.edge_indices() {
        let (edge, from, _) = lts.edge(id);
        let Label::Assume { condition, holds } = &edge.label else { continue };
        // How a program starts, and how deep its calls go, is no decision of its text.
        let is_of_start = edge.library && lts.outgoing(from).len() == 1;
        if is_of_memory(lts, edge) || is_of_start || lts.goes_deeper(id) {
            continue;
        }
        let branch = branches.entry(from).or_insert_with(|| {
            let place = place(edge.span);
            let condition_text = condition_of(lts, source, edge);
            let WrittenEdge { text, expansion } =
                condition_text.unwrap_or_else(|| WrittenEdge { text: text::expr(lts, condition), expansion: None });
            RunBranch { line: place.line, column: place.column, text, expansion, place, holds: 0, fails: 0 }
        });
        *(if *holds { &mut branch.holds } else { &mut branch.fails }) += taken[id.index()];
    }
    branches.into_values().collect()
}
