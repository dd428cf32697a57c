//! Concrete execution of an LTS: the judge of every claimed input.
//!
//! A run starts at the entry with the input's values and follows edges until one of the [`Outcome`]s. At a decision it
//! evaluates the condition once (which consumes its `nondet()` calls once, from left to right) and takes the edge whose
//! side holds; a lone `Assume` edge (an `assume`) stops the run where it does not hold. Division rounds towards zero.
//! Before an edge without a defined meaning (a division by zero, an index outside a *known* length, signed overflow) the
//! run stops: see [`Undefined`].
//!
//! What the input leaves out is zero, or the first value of a static: scalars, elements, and `nondet()` values past the end.
//!
//! Reads of standard input take their values from the text of the input. An input without a text says by its `nondet()` values what reads
//! shall give: then the run writes the text while it goes (`growing`), ends where no text gives that ([`Outcome::NoText`]), and the text
//! ends where the values do. Symbolic execution finds inputs of the second kind; [`Machine::told`] turns them into those of the first,
//! which are shown and kept, [`Machine::drawn`] the other way round. A replay ([`Machine::replay`]) counts only on the text.
//!
//! The interpreter is trusted (and tested against a C compiler): it shares no code with the solver or with symbolic
//! execution. Expressions run as code over machine words (`code`), and where that leaves the words, by their definition
//! (`eval`). The interpreter never panics on an LTS that keeps its invariants: it limits steps, and the size of numbers
//! too, since repeated squaring would fill any memory within a few steps.
//!
//! # Example
//!
//! ```
//! use culdesac::interp::{Input, Outcome, run};
//! use culdesac::logic::Int;
//!
//! let program = culdesac::lang::parse("int f(int x) { while (x > 0) x--; return x; }").program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let input = Input { values: [("x".to_owned(), Int::from(2))].into(), ..Input::default() };
//! let run = run(&lts, &input, 1_000);
//! assert_eq!((run.outcome, run.value, run.edges.len()), (Outcome::Returned, Some(Int::ZERO), 5));
//! ```

mod alone;
mod cells;
mod code;
mod deeper;
mod eval;
mod given;
mod growing;
mod input;
mod print;
mod record;
mod recorded;
mod stdin;
mod told;
mod undefined;
mod unset;

pub use alone::{GivenRange, NeededValue, Undetermined};
pub use eval::RunState;
pub use input::{ArrayInput, Input, InputError, check_input};
pub use print::{MAX_OUTPUT, Output, format};
pub use record::Snapshot;
pub use recorded::{Drawn, Record, RecordedDraw};
pub use undefined::Undefined;
pub use unset::UnsetObjects;

use crate::logic::Int;
use crate::lts::{
    ArrayId, Conversion, DeeperCall, DeeperPart, EdgeId, EdgePart, Label, LocationId, Lts, Print, PrintPiece, Requirement, StarMeaning,
    Strings, VariableId,
};
use cells::Cells;
use code::CodeExpr;
use eval::Stop;
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::ControlFlow;

/// Sums and products with more binary digits than this stop a run ([`Outcome::TooLarge`]): some 20,000 decimal ones.
pub const MAX_BITS: u64 = 1 << 16;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At the exit: the path is complete.
    Returned,
    /// At the error location: a failed `assert`, `abort()` or an error call.
    Error,
    /// A function called itself more often than calls are inlined.
    Cut,
    /// Before an `assume` that does not hold.
    AssumeFailed,
    /// Before an edge without a defined meaning.
    Undefined(Undefined),
    /// The step limit was reached.
    Steps,
    /// A sum or product exceeded [`MAX_BITS`].
    TooLarge,
    /// No text on standard input gives the values that the input wishes for.
    NoText(NoText),
    /// Before a part of the program that is not understood.
    Approximated,
}

/// A value that no text on standard input gives after the values before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoText {
    /// Its number among all that were drawn.
    pub draw: usize,
    /// Between which it could lie instead; none where that is not known.
    pub allowed: Vec<(Int, Int)>,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub outcome: Outcome,
    /// What the function returned, if it returned a value.
    pub value: Option<Int>,
    /// The edges taken, in order. Its length is the number of steps.
    pub edges: Vec<EdgeId>,
    /// Where the run ended.
    pub location: LocationId,
    /// For `AssumeFailed`, `Undefined` and `TooLarge`: the edge that was not taken (for a decision its first side).
    pub stopped_before: Option<EdgeId>,
    /// What of that edge the run did not evaluate; without an edge of what stands before the first one.
    pub stopped_in: EdgePart,
    /// How many values `nondet()` gave back, given or not.
    pub nondet_used: usize,
    /// The last value of each scalar, by its number.
    pub variables: Vec<Int>,
}

/// How a replay departed from its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayMismatch {
    /// At this index of the path the run took another edge.
    Other { index: usize, taken: EdgeId },
    /// Before this index of the path the run ended.
    Ended { index: usize, outcome: Outcome },
}

impl ReplayMismatch {
    /// Whether the path goes on through a part of the program that is not understood, or into a call that goes deeper than the copies of its
    /// function.
    pub fn is_approximated(&self) -> bool {
        matches!(self, ReplayMismatch::Ended { outcome: Outcome::Approximated | Outcome::Cut, .. })
    }
}

/// The text counts steps from 1.
impl fmt::Display for ReplayMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayMismatch::Other { index, taken } => write!(f, "step {} takes edge {} instead", index + 1, taken.index()),
            ReplayMismatch::Ended { index, outcome } => write!(f, "the run ends before step {}: {outcome:?}", index + 1),
        }
    }
}
impl std::error::Error for ReplayMismatch {}

/// Runs `lts` on `input` for at most `max_steps` edges. The run ignores names that do not fit: see [`check_input`].
pub fn run(lts: &Lts, input: &Input, max_steps: u64) -> Run {
    Machine::new(lts).run(input, max_steps)
}

/// Whether the run on `input` takes exactly the edges of `path` first, all of them defined. What comes after is free.
///
/// # Errors
/// The first departure.
pub fn replay(lts: &Lts, input: &Input, path: &[EdgeId]) -> Result<(), ReplayMismatch> {
    Machine::new(lts).replay(input, path)
}

/// An observer of a run.
pub trait Watch {
    /// An edge was taken; breaking ends the run.
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()>;

    /// Whether the run calls [`Watch::printed`]. It evaluates what is printed in any case.
    fn wants_output(&self) -> bool {
        false
    }

    /// Something was printed.
    fn printed(&mut self, _bytes: &[u8]) {}

    /// What was printed is not known in full: a floating-point zero and what is not a number have no sign, a string at an address that is not
    /// followed nothing.
    fn printed_unknown(&mut self) {}
}

/// Watches the edges only.
struct Edges<F>(F);

impl<F: FnMut(EdgeId) -> ControlFlow<()>> Watch for Edges<F> {
    #[inline]
    fn taken(&mut self, edge: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        (self.0)(edge)
    }
}

/// An LTS prepared for many runs.
pub struct Machine<'a> {
    lts: &'a Lts,
    /// The ways out of each location.
    ways: Vec<NextEdge<'a>>,
    entry_prints: Vec<Printed<'a>>,
    /// The values before the first edge but for the input's.
    variables: Vec<Int>,
    arrays: Vec<Cells>,
    /// Whether some edge reads standard input.
    reads: bool,
    /// Whether some edge computes on floating-point numbers.
    computes: bool,
    /// Whether runs go through calls that go deeper than the copies of their function.
    is_deep: bool,
    /// The numbers of the scalars and arrays that are inputs, by name.
    scalar_inputs: FxHashMap<&'a str, usize>,
    array_inputs: FxHashMap<&'a str, usize>,
}

/// What happens at a location.
enum NextEdge<'a> {
    /// Nothing more.
    End(Outcome),
    /// One edge; an `assume` if its label is `Assume`.
    Edge(EdgeChoice<'a>),
    /// A decision: the side that holds and the other.
    Decision(CodeExpr<'a>, [EdgeChoice<'a>; 2]),
    /// A call that goes deeper: the side that leads into the copy, and the one that leads on from its return.
    Deeper(&'a DeeperCall, [EdgeChoice<'a>; 2]),
}

/// An edge to take.
struct EdgeChoice<'a> {
    edge: EdgeId,
    to: LocationId,
    effect: LabelEffect<'a>,
    prints: Vec<Printed<'a>>,
    returns: Option<CodeExpr<'a>>,
    /// The number of the copy that it ends.
    ends: Option<u32>,
}

/// What a label does; nothing for the sides of a decision: the run has evaluated its condition before.
enum LabelEffect<'a> {
    None,
    Assume(CodeExpr<'a>, bool),
    Assign(VariableId, CodeExpr<'a>),
    Store(ArrayId, CodeExpr<'a>, CodeExpr<'a>),
    Fill(ArrayId, Vec<CodeExpr<'a>>),
    Havoc(VariableId),
    HavocArray(ArrayId),
}

/// A call of `printf`, with its number among the calls that its edge has.
type Printed<'a> = (u32, Vec<PrintedPiece<'a>>);

enum PrintedPiece<'a> {
    Text(&'a str),
    Value(CodeExpr<'a>, &'a Conversion),
    Star(CodeExpr<'a>, StarMeaning),
    String(CodeExpr<'a>, &'a Conversion, &'a Strings),
}

/// The value of a variable that an input leaves out: 0, or what is nearest to it of the values that the variable can start with.
fn least_value(variable: &crate::lts::Variable) -> Int {
    match variable.start_range() {
        Some(range) if range.least > 0 => range.least(),
        Some(range) if range.greatest < 0 => range.greatest(),
        _ => Int::ZERO,
    }
}

impl<'a> Machine<'a> {
    /// Compiles every edge once.
    pub fn new(lts: &'a Lts) -> Machine<'a> {
        let initial = |array: &crate::lts::Array| {
            array.initial.as_ref().or(array.first.as_ref()).map(|values| Cells::filled(values)).unwrap_or_default()
        };
        Machine {
            lts,
            ways: lts.graph.node_indices().map(|location| way(lts, location)).collect(),
            entry_prints: printed(lts, &lts.at_entry.prints),
            variables: lts
                .variables
                .iter()
                .map(|variable| variable.initial.clone().or(variable.first.clone()).unwrap_or_else(|| least_value(variable)))
                .collect(),
            arrays: lts.arrays.iter().map(initial).collect(),
            reads: lts.reads_stdin(),
            computes: lts.draws_from(&|source| source.is_computed()),
            is_deep: false,
            scalar_inputs: (lts.variables.iter().enumerate())
                .filter(|(_, variable)| variable.initial.is_none())
                .map(|(number, variable)| (&*variable.name, number))
                .collect(),
            array_inputs: (lts.arrays.iter().enumerate())
                .filter(|(_, array)| array.initial.is_none())
                .map(|(number, array)| (&*array.name, number))
                .collect(),
        }
    }

    /// Whether the program reads standard input.
    pub fn reads_stdin(&self) -> bool {
        self.reads
    }

    /// As the function [`run`].
    pub fn run(&self, input: &Input, max_steps: u64) -> Run {
        let mut edges = Vec::new();
        let mut run = self.follow(input, max_steps, |edge| {
            edges.push(edge);
            ControlFlow::Continue(())
        });
        run.edges = edges;
        run
    }

    /// As the function [`replay`].
    pub fn replay(&self, input: &Input, path: &[EdgeId]) -> Result<(), ReplayMismatch> {
        if self.reads && input.stdin.is_none() {
            // What was wished for counts once a text gives it.
            let (told, run) = self.told_within(input, path.len() as u64);
            let departs = run.edges.iter().zip(path).position(|(taken, edge)| taken != edge);
            if let Some(index) = departs {
                return Err(ReplayMismatch::Other { index, taken: run.edges[index] });
            }
            if run.edges.len() < path.len() {
                return Err(ReplayMismatch::Ended { index: run.edges.len(), outcome: run.outcome });
            }
            // Where the text cannot end like this, or is read otherwise, something has to be another value.
            let why = NoText { draw: run.nondet_used.saturating_sub(1), allowed: Vec::new() };
            let no_text = |index| ReplayMismatch::Ended { index, outcome: Outcome::NoText(why) };
            return match told.map(|told| self.replayed(&told, path)) {
                Some(Ok(())) => Ok(()),
                Some(Err(ReplayMismatch::Other { index, .. } | ReplayMismatch::Ended { index, .. })) => Err(no_text(index)),
                None => Err(no_text(path.len())),
            };
        }
        self.replayed(input, path)
    }

    fn replayed(&self, input: &Input, path: &[EdgeId]) -> Result<(), ReplayMismatch> {
        let mut index = 0;
        let mut other = None;
        let run = self.follow(input, path.len() as u64, |edge| {
            if edge != path[index] {
                other = Some(edge);
                return ControlFlow::Break(());
            }
            index += 1;
            ControlFlow::Continue(())
        });
        match other {
            Some(taken) => Err(ReplayMismatch::Other { index, taken }),
            None if index < path.len() => Err(ReplayMismatch::Ended { index, outcome: run.outcome }),
            None => Ok(()),
        }
    }

    /// Executes at most `max_steps` edges and calls `taken` after each, until the run ends or `taken` breaks (outcome
    /// `Steps`, unless the last edge reached an end anyway). `edges` of the result stays empty.
    pub fn follow(&self, input: &Input, max_steps: u64, taken: impl FnMut(EdgeId) -> ControlFlow<()>) -> Run {
        self.watch(input, max_steps, &mut Edges(taken))
    }

    /// As [`Machine::follow`]; `watch` also sees the state after each edge, and the output.
    pub fn watch(&self, input: &Input, max_steps: u64, watch: &mut dyn Watch) -> Run {
        let (run, state) = self.finish(input, max_steps, watch);
        Run { variables: state.variables, ..run }
    }

    /// As [`Machine::watch`]; also gives the state after the last edge, in place of the values of scalars.
    pub fn finish<'s>(&'s self, input: &'s Input, max_steps: u64, watch: &mut dyn Watch) -> (Run, RunState<'s>) {
        self.go(self.initial(input), max_steps, watch)
    }

    fn go<'s>(&'s self, mut state: RunState<'s>, max_steps: u64, watch: &mut dyn Watch) -> (Run, RunState<'s>) {
        let mut at = self.lts.entry;
        let mut value = None;
        let mut left = max_steps;
        let mut stopped_in = EdgePart::Label;
        let (mut outcome, stopped_before) = if let Err((part, stop)) = print(&mut state, &self.entry_prints, watch) {
            stopped_in = part;
            (stop.into(), None)
        } else {
            loop {
                let step = match &self.ways[at.index()] {
                    NextEdge::End(outcome) => break (outcome.clone(), None),
                    _ if left == 0 => break (Outcome::Steps, None),
                    NextEdge::Edge(step) => step,
                    NextEdge::Deeper(_, [inside, _]) if !self.is_deep => break (Outcome::Cut, Some(inside.edge)),
                    NextEdge::Deeper(call, [inside, _]) if state.open_call(call, at) => inside,
                    NextEdge::Deeper(_, [inside, _]) => break (Outcome::Cut, Some(inside.edge)),
                    NextEdge::Decision(condition, [holds, fails]) => match state.is_zero(condition) {
                        Ok(false) => holds,
                        Ok(true) => fails,
                        Err(stop) => break (stop.into(), Some(holds.edge.min(fails.edge))),
                    },
                };
                let step = self.after_call(step, &mut state);
                if let Err((part, stop)) = take(&mut state, step, watch) {
                    stopped_in = part;
                    break (stop.into(), Some(step.edge));
                }
                if let Some(returns) = &step.returns {
                    match state.value(returns).or_else(|stop| state.copied_given(returns.expr).ok_or(stop)) {
                        Ok(returned) => value = Some(returned),
                        Err(stop) => {
                            stopped_in = EdgePart::Return;
                            break (stop.into(), Some(step.edge));
                        }
                    }
                }
                at = step.to;
                left = if watch.taken(step.edge, &state).is_break() { 0 } else { left - 1 };
            }
        };
        // A function without any edge returns from the entry.
        if let (Some(returns), Outcome::Returned, true) = (&self.lts.at_entry.returns, &outcome, self.lts.entry == self.lts.exit) {
            match state.eval(returns) {
                Ok(returned) => value = Some(returned),
                Err(stop) => (outcome, stopped_in) = (stop.into(), EdgePart::Return),
            }
        }
        let returned = if outcome == Outcome::Returned { value } else { None };
        let (edges, variables, nondet_used) = (Vec::new(), Vec::new(), state.nondet_used);
        (Run { outcome, value: returned, edges, location: at, stopped_before, stopped_in, nondet_used, variables }, state)
    }

    /// The state before the first edge.
    pub fn initial<'s>(&'s self, input: &'s Input) -> RunState<'s> {
        let (mut variables, mut arrays) = (self.variables.clone(), self.arrays.clone());
        for (name, value) in &input.values {
            if let Some(&number) = self.scalar_inputs.get(&**name) {
                variables[number] = value.clone();
            }
        }
        for (name, contents) in &input.arrays {
            if let Some(&number) = self.array_inputs.get(&**name) {
                arrays[number] = Cells::given(contents);
            }
        }
        RunState {
            lts: self.lts,
            variables,
            arrays,
            nondet: &input.nondet,
            contents: &input.contents,
            nondet_used: 0,
            text: self.reads.then(|| match &input.stdin {
                Some(text) => stdin::InputText::Given(stdin::Given::new(text)),
                None => stdin::InputText::Growing(Box::new(growing::Growing::new())),
            }),
            waits: input.is_open,
            drawn: None,
            record: None,
            missing: alone::MissingValues::default(),
            stored_at: Int::ZERO,
            stack: Vec::new(),
            open: Vec::new(),
        }
    }
}

/// Takes an edge: its label, and what it prints.
#[inline]
fn take(state: &mut RunState<'_>, step: &EdgeChoice<'_>, watch: &mut dyn Watch) -> Result<(), (EdgePart, Stop)> {
    state.apply(&step.effect).map_err(|stop| (EdgePart::Label, stop))?;
    if !step.prints.is_empty() {
        print(state, &step.prints, watch)?;
    }
    Ok(())
}

/// Prints. It evaluates all values of one call before it writes any.
fn print(state: &mut RunState<'_>, prints: &[Printed<'_>], watch: &mut dyn Watch) -> Result<(), (EdgePart, Stop)> {
    for &(number, ref pieces) in prints {
        let mut values = Vec::new();
        for piece in pieces {
            if let PrintedPiece::Value(value, _) | PrintedPiece::Star(value, _) | PrintedPiece::String(value, ..) = piece {
                let value = state.value(value).or_else(|stop| state.copied_given(value.expr).ok_or(stop));
                values.push(value.map_err(|stop| (EdgePart::Print(number), stop))?);
            }
        }
        let mut values = values.iter();
        let mut stars: Vec<(StarMeaning, &Int)> = Vec::new();
        for piece in pieces {
            if !watch.wants_output() {
                break;
            }
            match piece {
                PrintedPiece::Text(text) => watch.printed(text.as_bytes()),
                PrintedPiece::Star(_, meaning) => stars.extend(values.next().map(|value| (*meaning, value))),
                PrintedPiece::Value(_, conversion) => {
                    if let Some(value) = values.next() {
                        watch.printed(&format(value, &starred(conversion, &mut stars)));
                        if conversion.kind.is_number() && print::has_open_sign(value) {
                            watch.printed_unknown();
                        }
                    }
                }
                PrintedPiece::String(_, conversion, strings) => {
                    if let Some(value) = values.next() {
                        let text = print::string_at(value, &starred(conversion, &mut stars), strings);
                        if text.is_none() {
                            watch.printed_unknown();
                        }
                        watch.printed(&text.unwrap_or_default());
                    }
                }
            }
        }
    }
    Ok(())
}

/// The conversion with the width and the precision that arguments say.
fn starred(conversion: &Conversion, stars: &mut Vec<(StarMeaning, &Int)>) -> Conversion {
    stars.drain(..).fold(*conversion, |conversion, (meaning, value)| conversion.starred(meaning, value))
}

fn way(lts: &Lts, location: LocationId) -> NextEdge<'_> {
    match lts.outgoing(location)[..] {
        _ if location == lts.exit => NextEdge::End(Outcome::Returned),
        _ if Some(location) == lts.cut => NextEdge::End(Outcome::Cut),
        // Other locations without an edge do not exist by the model's invariants; a run cannot go on from one.
        [] => NextEdge::End(Outcome::Error),
        _ if Some(location) == lts.error => NextEdge::End(Outcome::Error),
        [(edge, to)] => NextEdge::Edge(step(lts, edge, to, false)),
        [(first, a), (second, b), ..] => {
            let (first, second) = ((first, a), (second, b));
            let first_call = lts.deeper_call(first.0);
            let (condition, [(holds, a), (fails, b)]) = match &lts.graph[first.0].label {
                Label::Assume { condition, holds: true } => (condition, [first, second]),
                Label::Assume { condition, holds: false } => (condition, [second, first]),
                _ => unreachable!("two edges leave a location only at a decision"),
            };
            let sides = [step(lts, holds, a, true), step(lts, fails, b, true)];
            match first_call {
                Some(call) => NextEdge::Deeper(call, sides),
                None => NextEdge::Decision(CodeExpr::new(lts, condition), sides),
            }
        }
    }
}

/// Compiles an edge; `decided` where the run evaluates its condition before.
fn step(lts: &Lts, edge: EdgeId, to: LocationId, decided: bool) -> EdgeChoice<'_> {
    let value = |expr| CodeExpr::new(lts, expr);
    let effect = match &lts.graph[edge].label {
        Label::Skip => LabelEffect::None,
        Label::Assume { .. } if decided => LabelEffect::None,
        // A run that comes back from a call has what it gave and wrote.
        _ if lts.graph[edge].deeper == Some(DeeperPart::Return) => LabelEffect::None,
        Label::Assume { condition, holds } => LabelEffect::Assume(value(condition), *holds),
        Label::Assign(variable, assigned) => LabelEffect::Assign(*variable, value(assigned)),
        Label::Store { array, index, value: stored } => LabelEffect::Store(*array, value(index), value(stored)),
        Label::Fill(array, elements) => LabelEffect::Fill(*array, elements.iter().map(value).collect()),
        Label::Havoc(variable) => LabelEffect::Havoc(*variable),
        Label::HavocArray(array) => LabelEffect::HavocArray(*array),
    };
    let prints = printed(lts, &lts.graph[edge].prints);
    let ends = if let Some(DeeperPart::End(copy)) = lts.graph[edge].deeper { Some(copy) } else { None };
    EdgeChoice { edge, to, effect, prints, ends, returns: lts.graph[edge].returns.as_ref().map(value) }
}

fn printed<'a>(lts: &'a Lts, prints: &'a [Print]) -> Vec<Printed<'a>> {
    let piece = |piece: &'a PrintPiece| match piece {
        PrintPiece::Text(text) => PrintedPiece::Text(text),
        PrintPiece::Value(value, conversion) => PrintedPiece::Value(CodeExpr::new(lts, value), conversion),
        PrintPiece::Star(value, meaning) => PrintedPiece::Star(CodeExpr::new(lts, value), *meaning),
        PrintPiece::String(value, conversion, strings) => PrintedPiece::String(CodeExpr::new(lts, value), conversion, strings),
    };
    let written = (0..).zip(prints).filter(|(_, print)| !print.pieces.is_empty());
    written.map(|(number, print)| (number, print.pieces.iter().map(piece).collect())).collect()
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Outcome {
        match stop {
            Stop::Assume => Outcome::AssumeFailed,
            Stop::Undefined(reason) => Outcome::Undefined(*reason),
            Stop::TooLarge => Outcome::TooLarge,
            Stop::NoText(why) => Outcome::NoText(*why),
            Stop::Approximated => Outcome::Approximated,
            Stop::Deeper => Outcome::Cut,
            // Only assignments draw what a failing conversion leaves as it is.
            Stop::Kept => Outcome::Undefined(Undefined::Unmet(Requirement::Text)),
        }
    }
}

#[cfg(test)]
mod tests;
