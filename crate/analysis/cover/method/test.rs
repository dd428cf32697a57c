//! From a model of the condition to a test: the path, its input, the input made small, and the replay.

use crate::evidence::bounded::condition::Condition;
use crate::evidence::bounded::unwind::Unwound;
use crate::interp::{Input, Machine};
use crate::logic::{Assignment, FormulaId, Pool};
use crate::lts::inputs::Inputs;
use crate::lts::{EdgeId, Lts};
use crate::run::plain_numbers::plain_numbers;
pub use crate::sequences::Test;
use crate::solver::Context;
use crate::solver::adviser::Builtin;
use crate::solver::meter::Meter;
use crate::solver::optimise::smallest_witness;
use crate::symex::{self, Along, assignment_of, contents_name, contents_of, drawn_contents, nearest, nondet_name};

/// The arcs whose formula (one for each arc) the model satisfies, from the entry on.
pub fn walk(unwound: &Unwound, arcs: &[FormulaId], pool: &Pool, model: &Assignment) -> Vec<usize> {
    let (mut node, mut path) = (0, Vec::new());
    let mut truth = model.truths(pool);
    while let Some(&arc) = unwound.outgoing[node].iter().find(|&&arc| truth(arcs[arc]) == Some(true)) {
        path.push(arc);
        node = unwound.arcs[arc].to;
    }
    path
}

/// The input that a model gives for a walk.
pub fn input(lts: &Lts, inputs: &Inputs, condition: &Condition, pool: &mut Pool, model: &Assignment, walk: &[usize]) -> Input {
    let mut input = Input::default();
    let value = |pool: &mut Pool, name: &str| model.integers.get(&pool.symbol(name)).cloned().unwrap_or_default();
    for &id in &inputs.variables {
        let variable = lts.variable(id);
        input.values.insert(variable.name.clone(), nearest(value(pool, &variable.name), variable.start_range()));
    }
    for &arc in walk {
        let (first, count) = condition.nondet[arc];
        for number in first..first + count {
            let contents = pool.symbol(&contents_name(number));
            if let Some(contents) = model.arrays.get(&contents) {
                input.contents.insert(input.nondet.len() as u32, drawn_contents(contents));
            }
            input.nondet.push(value(pool, &nondet_name(number)));
        }
    }
    for &id in &inputs.arrays {
        let array = lts.array(id);
        let contents = model.arrays.get(&pool.symbol(&array.name));
        input.arrays.insert(array.name.clone(), contents_of(array, contents));
    }
    input
}

/// A test of this path, with a small input where that is cheap (and `meter` given); `None` where the replay leaves the path.
pub fn replayed(lts: &Lts, inputs: &Inputs, machine: &Machine, input: Input, path: Vec<EdgeId>, meter: Option<&mut Meter>) -> Option<Test> {
    if let Some(meter) = meter
        && let Some(small) = smaller(lts, inputs, &input, &path, meter)
        && machine.replay(&small, &path).is_ok()
    {
        return Some(Test { input: plain_numbers(lts, machine, small, &path, meter), path, after: Vec::new() });
    }
    machine.replay(&input, &path).is_ok().then_some(Test { input, path, after: Vec::new() })
}

/// The smallest input that the solver finds for the path of another one, within the steps left.
fn smaller(lts: &Lts, inputs: &Inputs, input: &Input, path: &[EdgeId], meter: &mut Meter) -> Option<Input> {
    let mut context = Context::new();
    let mut along = Along::simplifying(lts, &mut context.pool);
    let mut conditions: Vec<FormulaId> = vec![symex::precondition(lts, &mut context.pool)];
    conditions.extend(path.iter().map(|&edge| along.apply(lts, &mut context.pool, edge).added(&mut context.pool)));
    let assignment = assignment_of(input, &mut context.pool);
    if !conditions.iter().all(|&formula| assignment.formula(&context.pool, formula) == Some(true)) {
        return None;
    }
    conditions.iter().filter(|&&formula| formula != Pool::TRUE).for_each(|&formula| {
        context.assert(formula);
    });
    let terms = along.state().input_terms(lts, inputs, &mut context.pool, &conditions);
    let smallest = smallest_witness(&mut context, &terms, assignment, &mut Builtin::default(), meter);
    Some(along.state().input(lts, inputs, &mut context.pool, &smallest.model, &conditions))
}
