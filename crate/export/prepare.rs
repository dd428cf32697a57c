//! Which tests can be written in C, and the runs that they take.

use super::ExportTest;
use super::leaves::{Leaf, leaves};
use super::nodes::TestNodes;
use super::object_part::part_of;
use super::open_draws::{independent, usual};
use super::placed::accessed_by;
use super::replay::{LocatedDraw, Replay, replay, taken};
use super::script::{OrderChoice, is_unset, script};
use super::step::{TestStep, initial};
use crate::evidence::sequence::{LeftValues, Statics};
use crate::interp::{ArrayInput, Drawn, Input, Machine, Outcome};
use crate::lang::ast::Linkage;
use crate::load::{Loaded, load};
use crate::logic::{Arrange, Int, gathered};
use crate::lts::ValueMeaning;
use crate::lts::inputs::inputs;
use crate::lts::sides::{Side, sides};
use crate::lts::{ArrayId, Lts, Origin, VariableId};
use crate::source::Span;
use crate::view::{Ints, Request, fitting};

/// Bytes of a text on standard input: all fit into a pipe.
const MOST_TEXT: usize = 60_000;
/// Draws that are made quiet one by one.
const MOST_QUIET: usize = 200;

/// A test as a sequence of calls; the last call is the tested one.
pub struct Prepared {
    pub steps: Vec<TestStep>,
    pub input: Option<Vec<u8>>,
    /// The sides that the last call takes, by their positions among those of the function.
    pub takes: Vec<usize>,
    /// The sides that only the earlier calls take.
    pub takes_before: Vec<usize>,
    /// The names of the assumptions on which it rests.
    pub assumes: Vec<String>,
}

/// Prepares a test of the request's function. `loaded` is the program as the request has it, and `exact` in C's integers.
///
/// # Errors
/// Why no file in C can hold it, in a sentence.
pub fn prepare(request: &Request, (loaded, exact): (&Loaded, &Request), test: &ExportTest) -> Result<Prepared, String> {
    let given = fitting(&loaded.lts, &test.input)?;
    let given = Machine::deep(&loaded.lts).told(&given);
    let mut steps = Vec::new();
    let mut statics = Statics::default();
    for call in &test.after {
        let of_call = Request { function: Some(call.function.clone()), ..exact.clone() };
        let callee = load(&of_call).map_err(|_| format!("`{}`, which is called before, is refused alone", call.function))?;
        let mut input = Machine::deep(&callee.lts).told(&fitting(&callee.lts, &call.input)?);
        let cannot = |why: String| format!("what `{}` begins with, or leaves, is not known: {why}", call.function);
        statics.give(&callee.lts, &mut input).map_err(cannot)?;
        let step = step(callee, &input, false, true)?;
        let after = &step.replay.after;
        let left = LeftValues { variable: &|id| after.scalars[id.0 as usize].clone(), array: &|id| after.arrays[id.0 as usize].clone() };
        statics.take(&step.loaded.lts, &left).map_err(cannot)?;
        steps.push(step);
    }
    let own = load(exact).map_err(|_| "in C's integers the program is refused".to_owned())?;
    let last = step(own, &given, true, !test.after.is_empty())?;
    let all = sides(&last.loaded.lts);
    let takes = taken(&all, &last.replay);
    let mut takes_before = Vec::new();
    let here = keys(&all);
    for step in &steps {
        let own = sides(&step.loaded.lts);
        let (there, side_keys) = (taken(&own, &step.replay), keys(&own));
        let is_taken = |key: &Key| there.iter().any(|&at| side_keys[at] == *key);
        takes_before.extend((0..all.len()).filter(|at| !takes.contains(at) && is_taken(&here[*at])));
    }
    takes_before.arrange();
    takes_before.dedup();
    // In integers without bounds it may be another run.
    if exact.ints != request.ints {
        let before = replay(&loaded.lts, &given).ok_or("its run is too long")?;
        let first = taken(&sides(&loaded.lts), &before);
        let keys_of = |list: &[usize], sides: &[Side]| list.iter().map(|&at| keys(sides)[at]).collect::<Vec<_>>();
        if keys_of(&first, &sides(&loaded.lts)) != keys_of(&takes, &all) {
            return Err("with C's integers it takes other branches".to_owned());
        }
    }
    steps.push(last);
    let texts = steps.iter().filter(|step| step.loaded.lts.reads_stdin()).count();
    if texts > 1 || texts == 1 && !steps.last().is_some_and(|step| step.loaded.lts.reads_stdin()) {
        return Err("several of its calls read standard input".to_owned());
    }
    let input = given.stdin.clone().filter(|_| texts == 1);
    if input.as_ref().is_some_and(|text| text.len() > MOST_TEXT) {
        return Err("its text on standard input is too long for a pipe".to_owned());
    }
    Ok(Prepared { steps, input, takes, takes_before, assumes: test.assumes.clone() })
}

/// What tells a side from others in all graphs of a program: where it stands, and which of those there it is.
pub type Key = (Span, bool, usize);

/// The keys of sides.
pub fn keys(sides: &[Side]) -> Vec<Key> {
    let count = |at: usize| sides[..at].iter().filter(|other| (other.span, other.holds) == (sides[at].span, sides[at].holds)).count();
    (0..sides.len()).map(|at| (sides[at].span, sides[at].holds, count(at))).collect()
}

/// Runs a call, which may be the last one, and one of several, and says what it gets from outside. Of a call before the last one also what it
/// leaves in statics counts.
fn step(loaded: Loaded, input: &Input, is_last: bool, is_sequence: bool) -> Result<TestStep, String> {
    if let Some(object) = accessed_by(&loaded.program, &loaded.lts.function) {
        return Err(format!("the program uses the address {}, where the computer that runs the tests has no object", &object.name[1..]));
    }
    let long = || format!("its run takes more than {} steps", super::replay::RECORDED);
    let input = quiet(&loaded.lts, &with_initials(&loaded, input), is_last).ok_or_else(long)?;
    let input = usual(&loaded, &input).ok_or_else(long)?;
    let replay = replay(&loaded.lts, &input).ok_or_else(long)?;
    match &replay.outcome {
        Outcome::Returned | Outcome::Error | Outcome::Steps => {}
        Outcome::Undefined(why) => return Err(format!("its run ends in what C leaves undefined: {}", undefined(&loaded.lts, why))),
        Outcome::Cut => return Err("a function calls itself in it more often than was followed".to_owned()),
        Outcome::AssumeFailed => return Err("an assumption of the program does not hold in it".to_owned()),
        Outcome::TooLarge => return Err("it computes numbers beyond C's integers".to_owned()),
        Outcome::Approximated => return Err("it goes on at a place of the program that is approximated".to_owned()),
        Outcome::NoText(_) => return Err("no text on standard input is read like that".to_owned()),
    }
    let script = script(&loaded.program, loaded.lines.text(), &loaded.lts, &replay)?;
    // Compilers choose the order, and bytes that C does not say: every choice must come to the same.
    let order = |order: &OrderChoice| {
        let why = format!("it depends on an order of evaluation, which compilers choose: `{}` or `{}`", order.first, order.other);
        (order.number, why)
    };
    let bytes = |(number, part): &(usize, String)| (*number, format!("it depends on bytes of `{part}` that C does not say"));
    for (number, why) in script.orders.iter().map(order).chain(script.unspecified.iter().map(bytes)) {
        let mut other = input.clone();
        if other.nondet.len() <= number {
            other.nondet.resize(number + 1, Int::ZERO);
        }
        other.nondet[number] = if other.nondet[number].is_zero() { Int::ONE } else { Int::ZERO };
        let run = self::replay(&loaded.lts, &other).ok_or_else(long)?;
        let all = sides(&loaded.lts);
        if taken(&all, &run) != taken(&all, &replay)
            || run.outcome != replay.outcome
            || run.value != replay.value
            || run.output != replay.output
        {
            return Err(why);
        }
    }
    independent(&loaded, &input, &replay, &script.open)?;
    let leaves = leaves(&loaded.program, &loaded.lts, &replay)?;
    let first = |leaf: &Leaf| leaf.cells.iter().map(|(_, before, _)| (leaf.values, before.clone())).collect::<Vec<_>>();
    // Calls before it leave what statics lead to.
    let is_static = |leaf: &Leaf| {
        let decl = loaded.program.decl(leaf.part.decl);
        is_sequence && decl.storage.lasts() && decl.linkage == Linkage::Internal
    };
    let roots: Vec<(ValueMeaning, Int)> = leaves.iter().filter(|leaf| leaf.is_input && !is_static(leaf)).flat_map(first).collect();
    let nodes = TestNodes::of(&loaded.lts, &replay, &roots, loaded.lines.text())?;
    Ok(TestStep { loaded, replay, script, leaves, nodes })
}

fn undefined(lts: &Lts, why: &crate::interp::Undefined) -> String {
    match why {
        crate::interp::Undefined::OutOfBounds { array, index, length } => {
            format!("index {index} is outside of `{}`, which has {length} elements", lts.array(*array).name)
        }
        why => why.to_string(),
    }
}

/// The input with the program's own first values of globals that nothing reads before something writes them: the model has none for these.
fn with_initials(loaded: &Loaded, input: &Input) -> Input {
    let (program, lts) = (&loaded.program, &loaded.lts);
    let (all, mut input) = (inputs(lts), input.clone());
    let is_free = |origin: Origin, is_initial: bool| origin == Origin::Global && !is_initial;
    for (variable, number) in lts.variables.iter().zip(0..) {
        if is_free(variable.origin, variable.initial.is_some()) && !all.variables.contains(&VariableId(number)) {
            let Some(part) = part_of(program, &variable.name, variable.span) else { continue };
            let value = initial(program, program.decl(part.decl), &part.path, 0);
            input.values.entry(variable.name.clone()).or_insert(value);
        }
    }
    for (array, number) in lts.arrays.iter().zip(0..) {
        let is_single = array.objects.is_empty() && is_free(array.origin, array.initial.is_some());
        let (Some(length), true) = (array.length.as_ref().and_then(Int::to_i64), is_single && !all.arrays.contains(&ArrayId(number)))
        else {
            continue;
        };
        let Some(part) = part_of(program, &array.name, array.span) else { continue };
        let decl = program.decl(part.decl);
        let cells = (0..length.min(super::LARGEST)).map(|index| (Int::from(index), initial(program, decl, &part.path, index)));
        let elements = gathered(cells.filter(|(_, value)| !value.is_zero()));
        input.arrays.entry(array.name.clone()).or_insert(ArrayInput { elements, default: Int::ZERO });
    }
    input
}

/// The input with writes of functions without a body left out that the run does not need: what they write is what was there before. A write
/// that no argument leads to becomes what its object begins with, where the run stays the same.
fn quiet(lts: &Lts, input: &Input, is_last: bool) -> Option<Input> {
    let first = replay(lts, input)?;
    let is_free =
        |draw: &LocatedDraw| lts.graph[draw.edge].external.is_some() && is_write(&draw.drawn) && !is_unset(lts, draw.edge, &draw.drawn);
    let all: Vec<usize> = first.draws.iter().filter(|draw| is_free(draw)).filter_map(|draw| draw.number).collect();
    if all.is_empty() {
        return Some(input.clone());
    }
    let leaves = |replay: &Replay| -> Vec<Int> {
        let statics = lts.variables.iter().zip(&replay.after.scalars).filter(|(variable, _)| variable.first.is_some());
        statics.map(|(_, value)| value.clone()).collect()
    };
    let same =
        |replay: &Replay| replay.edges == first.edges && replay.outcome == first.outcome && (is_last || leaves(replay) == leaves(&first));
    let mut best = input.clone();
    let mut draws = first.draws.clone();
    // First all at once, then one after another.
    let mut rounds: Vec<Vec<usize>> = vec![all.clone()];
    rounds.extend(all.iter().take(MOST_QUIET).map(|&number| vec![number]));
    for (round, numbers) in rounds.into_iter().enumerate() {
        let mut candidate = best.clone();
        for draw in draws.iter().filter(|draw| draw.number.is_some_and(|number| numbers.contains(&number))) {
            unchanged(draw, &mut candidate);
        }
        settle(lts, &mut candidate, &numbers);
        if let Some(run) = replay(lts, &candidate).filter(same) {
            best = candidate;
            draws = run.draws;
            if round == 0 {
                break;
            }
        }
    }
    // What stubs cannot reach.
    let moved: Vec<LocatedDraw> = draws.iter().filter(|draw| is_free(draw) && lts.graph[draw.edge].through.is_none()).cloned().collect();
    for draw in moved.iter().take(MOST_QUIET) {
        let Drawn::Scalar { variable, before, after } = &draw.drawn else { continue };
        // Stubs set globals by their names.
        let is_elsewhere = lts.variable(*variable).origin != Origin::Global;
        if before == after || !is_elsewhere || !inputs(lts).variables.contains(variable) {
            continue;
        }
        let mut candidate = best.clone();
        candidate.values.insert(lts.variable(*variable).name.clone(), after.clone());
        let numbers: Vec<usize> = moved.iter().filter(|other| is_of(&other.drawn, *variable)).filter_map(|draw| draw.number).collect();
        settle(lts, &mut candidate, &numbers);
        if replay(lts, &candidate).is_some_and(|run| same(&run)) {
            best = candidate;
        }
    }
    Some(best)
}

/// Has writes with these numbers leave what was there; what is written earlier is there before what is written later.
fn settle(lts: &Lts, input: &mut Input, numbers: &[usize]) {
    for _ in 0..4 {
        let Some(run) = replay(lts, input) else { return };
        let mut next = input.clone();
        for draw in run.draws.iter().filter(|draw| draw.number.is_some_and(|number| numbers.contains(&number))) {
            unchanged(draw, &mut next);
        }
        if next == *input {
            return;
        }
        *input = next;
    }
}

fn is_of(drawn: &Drawn, variable: VariableId) -> bool {
    matches!(drawn, Drawn::Scalar { variable: other, .. } if *other == variable)
}

fn is_write(drawn: &Drawn) -> bool {
    !matches!(drawn, Drawn::Value(..))
}

/// Has a write leave what was there.
fn unchanged(draw: &LocatedDraw, input: &mut Input) {
    let Some(number) = draw.number else { return };
    if input.nondet.len() <= number {
        input.nondet.resize(number + 1, Int::ZERO);
    }
    match &draw.drawn {
        Drawn::Scalar { before, .. } => input.nondet[number] = before.clone(),
        Drawn::Contents { before, .. } => {
            input.contents.insert(number as u32, before.clone());
        }
        Drawn::Value(..) => {}
    }
}

/// The request in C's integers.
pub fn exact(request: &Request) -> Request {
    Request { ints: Some(Ints::C32), ..request.clone() }
}
