//! `run`: one concrete execution.

use super::evidence::Claim;
use super::load::{load, refused};
use super::run_types::{RunBranch, RunChange, RunDocument, RunOutcome, RunStep, RunVariable};
use super::{Input, InputValue, Listener, Number, Reply, Request, SolverStatistics, TextPlace, input, place};
use crate::interp::{self, MAX_OUTPUT, Machine, Outcome, Output, State, Undefined, Watch};
use crate::logic::{Int, gathered};
use crate::lts::{ArrayId, EdgeId, Expr, Failure, FailureKind, Label, Lts, VariableId, null_index, text};
use crate::source::LineIndex;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The step limit where the request has none.
pub const RUN_LIMIT: u64 = 1_000_000;

/// How many executed lines a document lists.
const MAX_LINES: usize = 10_000;

/// How many steps a document shows with what they change.
pub const MAX_STEPS_SHOWN: usize = 2_000;

/// How many machine words the changes shown may take together, and so the contents of one array.
const MAX_WORDS_SHOWN: u64 = 100_000;

/// Runs the function on `given`; refuses an input that does not fit.
pub fn run(request: &Request, given: &Input) -> Reply<RunDocument> {
    run_claiming(request, given, &mut Listener::new(&mut |_| true))
}

/// As [`run`]; the listener's claims get that the input takes the edges that it took.
pub fn run_claiming(request: &Request, given: &Input, listener: &mut Listener) -> Reply<RunDocument> {
    let start = match input(given) {
        Ok(start) => start,
        Err(error) => return refused("input", error.to_string()),
    };
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let lts = &loaded.lts;
    let start = match start.together(lts).and_then(|start| interp::check_input(lts, &start).map(|()| start)) {
        Ok(start) => start,
        Err(error) => return refused("input", error.to_string()),
    };
    let limit = request.limit.unwrap_or(RUN_LIMIT);

    let machine = Machine::new(lts);
    if let Some(claims) = &mut listener.claims {
        let path = machine.run(&start, limit).edges.iter().map(|edge| edge.index() as u32).collect();
        claims.push(Claim::Reached { id: "run-1".to_owned(), path, input: given.clone() });
    }
    let mut observer = Observer::new(lts, &loaded.lines);
    let finished = machine.watch(&start, limit, &mut observer);
    let Observer { taken, last, executed, steps, shown, output, .. } = observer;
    let variables = variables(lts, &machine.initial(&start), &start, &finished.variables);
    let failed = finished.outcome == Outcome::Error;
    let failure = if let Some(edge) = last { lts.graph[edge].failure } else { lts.entry_failure }.filter(|_| failed);
    let (outcome, reason) = outcome(lts, failure, finished.outcome, limit);
    let stopped = match finished.stopped_before {
        Some(edge) if finished.at_return => Some(lts.graph[edge].returned_at),
        Some(edge) => Some(lts.graph[edge].span),
        None => finished.at_return.then_some(lts.entry_returned_at),
    };
    let span = failure.map(|failure| failure.span).or(stopped);
    let document = RunDocument {
        header: loaded.header(request, outcome != RunOutcome::Steps, SolverStatistics::default(), steps),
        outcome,
        value: finished.value.as_ref().map(Into::into),
        reason,
        place: span.map(|span| place(&loaded.lines, span)),
        steps,
        stopped_before: finished.stopped_before.map(|edge| edge.index() as u32),
        output: String::from_utf8_lossy(&output.bytes).into_owned(),
        output_cut: output.cut.then_some(MAX_OUTPUT as u64),
        nondet_used: finished.nondet_used as u64,
        lines: executed,
        variables,
        steps_shown: shown,
        branches: branches(lts, &taken, |span| place(&loaded.lines, span)),
    };
    Reply::Document { document }
}

/// Counts, lines, changes and output of a run.
struct Observer<'a> {
    lts: &'a Lts,
    lines: &'a LineIndex,
    taken: Vec<u64>,
    last: Option<EdgeId>,
    executed: Vec<u32>,
    steps: u64,
    shown: Vec<RunStep>,
    /// Of [`MAX_WORDS_SHOWN`].
    words_left: u64,
    output: Output,
}

impl<'a> Observer<'a> {
    fn new(lts: &'a Lts, lines: &'a LineIndex) -> Observer<'a> {
        Observer {
            lts,
            lines,
            taken: vec![0; lts.graph.edge_count()],
            last: None,
            executed: Vec::new(),
            steps: 0,
            shown: Vec::new(),
            words_left: MAX_WORDS_SHOWN,
            output: Output::default(),
        }
    }

    /// What an edge changed; `None` where there is no room for it.
    fn changes(&mut self, edge: EdgeId, after: &State<'_>) -> Option<Vec<RunChange>> {
        let mut number = |value: &Int| {
            self.words_left = self.words_left.checked_sub(1 + value.bits() / 64)?;
            Some(Number::from(value))
        };
        Some(match &self.lts.graph[edge].label {
            Label::Skip | Label::Assume { .. } => Vec::new(),
            Label::Assign(id, _) | Label::Havoc(id) => {
                vec![RunChange::Variable { name: self.lts.variable(*id).name.clone(), value: number(after.variable(*id))? }]
            }
            Label::Store { array, .. } => {
                let index = after.stored_at();
                let value = number(&after.element(*array, index))?;
                vec![match text::place_in(self.lts, *array, index) {
                    Some((name, None)) => RunChange::Variable { name: name.to_owned(), value },
                    Some((name, Some(own))) => RunChange::Element { name: name.to_owned(), index: own.to_string(), value },
                    None => RunChange::Element { name: self.lts.array(*array).name.clone(), index: index.to_string(), value },
                }]
            }
            Label::Fill(id, values) => {
                let array = self.lts.array(*id);
                let mut elements =
                    (0..values.len()).map(|index| number(&after.element(*id, &Int::from(index)))).collect::<Option<Vec<_>>>()?;
                if array.objects.is_empty() {
                    return Some(vec![RunChange::Array { name: array.name.clone(), elements }]);
                }
                let count = array.objects.len();
                let stays = |at: usize| matches!(&values[at], Expr::Read(of, index) if of == id && **index == Expr::Int(Int::from(at)));
                let mut changes = Vec::new();
                for (turn, object) in array.objects.iter().enumerate() {
                    let own = (turn..values.len()).step_by(count);
                    if own.clone().all(stays) {
                        continue;
                    }
                    let mut taken: Vec<Number> = own.map(|at| std::mem::replace(&mut elements[at], Number::Small(0))).collect();
                    let name = object.name.clone();
                    changes.push(if object.is_scalar {
                        taken.truncate(1);
                        RunChange::Variable { name, value: taken.pop().unwrap_or(Number::Small(0)) }
                    } else {
                        RunChange::Array { name, elements: taken }
                    });
                }
                changes
            }
        })
    }
}

impl Watch for Observer<'_> {
    fn taken(&mut self, edge: EdgeId, after: &State<'_>) -> ControlFlow<()> {
        self.taken[edge.index()] += 1;
        self.last = Some(edge);
        if self.executed.len() < MAX_LINES {
            let line = self.lines.line(self.lts.graph[edge].span.start);
            self.executed.push(line);
            // Only the first steps: behind a gap, changes would mean nothing.
            if self.steps == self.shown.len() as u64
                && self.shown.len() < MAX_STEPS_SHOWN
                && let Some(changes) = self.changes(edge, after)
            {
                let mut changes = changes.into_iter();
                self.shown.push(RunStep { edge: edge.index() as u32, line, change: changes.next(), also: changes.collect() });
            }
        }
        self.steps += 1;
        ControlFlow::Continue(())
    }
    fn wants_output(&self) -> bool {
        self.output.wants_output()
    }
    fn printed(&mut self, bytes: &[u8]) {
        self.output.push(bytes);
    }
}

/// All variables, then all arrays, with their first values and these last ones of scalars. Objects that an array of the model keeps
/// stand for themselves, and not beside the input that their first value is.
fn variables<'l>(lts: &'l Lts, first: &State<'_>, given: &interp::Input, last: &[Int]) -> Vec<RunVariable> {
    let most = lts.classes.iter().map(Vec::len).fold(lts.functions.len() + 1, usize::max);
    let possible: Vec<Int> = std::iter::once(null_index()).chain((0..most).map(Int::from)).collect();
    let named = |name: &dyn Fn(&Int) -> Option<&'l str>| {
        gathered(possible.iter().filter_map(|value| Some((value.to_string(), name(value)?.to_owned()))))
    };
    let scalar = |(number, variable): (usize, &crate::lts::Variable)| RunVariable {
        name: variable.name.clone(),
        start: InputValue::Scalar(first.variable(VariableId(number as u32)).into()),
        end: last.get(number).map(Into::into),
        addresses: named(&|value| text::address(lts, VariableId(number as u32), value)),
    };
    let array = |(number, array): (usize, &crate::lts::Array)| {
        let numbered = |values: &[Int]| gathered(values.iter().enumerate().map(|(index, value)| (index.to_string(), value.into())));
        let elements = match (&array.initial, given.arrays.get(&array.name)) {
            (Some(initial), _) => numbered(&initial[..initial.len().min(MAX_WORDS_SHOWN as usize)]),
            (None, Some(contents)) => {
                let elements = contents.elements.iter().map(|(index, value)| (index.to_string(), value.into()));
                gathered(elements.chain([("default".to_owned(), (&contents.default).into())]))
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
            if let Some(known) = all.iter_mut().find(|variable| variable.name == object.name) {
                known.end = None;
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
fn branches(lts: &Lts, taken: &[u64], place: impl Fn(crate::source::Span) -> TextPlace) -> Vec<RunBranch> {
    let mut branches: BTreeMap<_, RunBranch> = BTreeMap::new();
    for id in lts.graph.edge_indices() {
        let (edge, from, _) = lts.edge(id);
        let Label::Assume { condition, holds } = &edge.label else { continue };
        let branch = branches.entry(from).or_insert_with(|| {
            let place = place(edge.span);
            RunBranch { line: place.line, column: place.column, text: text::expr(lts, condition), place, holds: 0, fails: 0 }
        });
        *(if *holds { &mut branch.holds } else { &mut branch.fails }) += taken[id.index()];
    }
    branches.into_values().collect()
}
