//! Symbolic execution against the interpreter: the condition derived for the path that an input takes holds of that input, and fails of
//! every input that leaves the path.

use super::draw::{Drawer, Random};
use super::subject::{Function, Subject};
use super::{Report, Settings};
use culdesac::interp::{Input, Machine};
use culdesac::logic::{ArrayValue, Assignment, FormulaId, IntRange, Mentions, Pool};
use culdesac::lts::{EdgeId, Expr, Label, Lts};
use culdesac::symex::{State, is_operator, nondet_name};
use culdesac::view::input_view;
use std::ops::ControlFlow;

/// Edges of a path that are looked at.
const LENGTH: u64 = 200;
/// Inputs after each that are tried on its path.
const OTHERS: usize = 6;

/// Draws inputs for each function, and asks each path's condition of its own input and of some others.
pub fn check(subject: &Subject, settings: Settings, report: &mut Report) {
    for function in &subject.functions {
        let lts = &function.lts;
        let drawer = Drawer::new(function);
        let machine = Machine::new(lts);
        let name = format!("{} {} symbolic", report.name, lts.function);
        let drawn: Vec<(Input, Vec<EdgeId>)> = (0..settings.symbolic)
            .map(|number| {
                let input = drawer.input(&mut Random::new(&name, u64::from(number)));
                // Symbolic execution has a value for each read of standard input.
                (machine.drawn(&input, LENGTH), path(&machine, &input))
            })
            .collect();
        for (number, (input, path)) in drawn.iter().enumerate() {
            let mut pool = Pool::new();
            let conditions = conditions(lts, &mut pool, path);
            let symbols = Mentions::of(&pool, &conditions, &[]).symbols;
            if symbols.iter().any(|&symbol| is_operator(pool.symbol_name(symbol))) {
                *report.left_out.entry("the condition of a path has operators on bits that are not exact".to_owned()).or_default() += 1;
                continue;
            }
            let mut wrong = |input: &Input, what: &str| {
                let json = serde_json::to_string(&input_view(lts, input)).unwrap_or_default();
                let edges: Vec<usize> = path.iter().map(|edge| edge.index()).collect();
                report.differences.push(format!("{}, function {}: {what}\n  path: {edges:?}\n  input: {json}", report.name, lts.function));
            };
            if assignment(function, &mut pool, input, path).satisfies(&pool, conditions.iter().copied()) {
                report.held += 1;
            } else {
                wrong(input, "the condition of a path fails of the input that takes it");
            }
            for (other, taken) in drawn.iter().cycle().skip(number + 1).take(OTHERS) {
                if taken.starts_with(path) {
                    continue;
                }
                if assignment(function, &mut pool, other, path).satisfies(&pool, conditions.iter().copied()) {
                    wrong(other, "the condition of a path holds of an input that leaves it");
                } else {
                    report.failed += 1;
                }
            }
        }
    }
}

/// The first edges of the input's run.
fn path(machine: &Machine, input: &Input) -> Vec<EdgeId> {
    let mut path = Vec::new();
    machine.follow(input, LENGTH, |edge| {
        path.push(edge);
        ControlFlow::Continue(())
    });
    path
}

/// The condition of each edge.
fn conditions(lts: &Lts, pool: &mut Pool, path: &[EdgeId]) -> Vec<FormulaId> {
    let mut state = State::initial(lts, pool);
    path.iter().map(|&edge| state.apply(lts, pool, edge).0).collect()
}

/// The input as values of the symbols; those of nondet functions as what is drawn along the path makes of them.
fn assignment(function: &Function, pool: &mut Pool, input: &Input, path: &[EdgeId]) -> Assignment {
    let mut assignment = Assignment::default();
    for (name, value) in &input.values {
        assignment.integers.insert(pool.symbol(name), value.clone());
    }
    for (name, contents) in &input.arrays {
        let contents = ArrayValue { elements: contents.elements.clone(), default: contents.default.clone() };
        assignment.arrays.insert(pool.symbol(name), contents);
    }
    for (range, k) in drawn(&function.lts, path).into_iter().zip(0..) {
        let value = input.nondet.get(k as usize).cloned().unwrap_or_default();
        let value = range.map_or(value.clone(), |range| range.wrap(&value));
        assignment.integers.insert(pool.symbol(&nondet_name(k)), value);
    }
    assignment
}

/// The ranges of the values that a path draws, in order.
fn drawn(lts: &Lts, path: &[EdgeId]) -> Vec<Option<IntRange>> {
    let mut ranges = Vec::new();
    for &edge in path {
        if let Label::Havoc(variable) = &lts.graph[edge].label {
            ranges.push(lts.variable(*variable).range);
        }
        for operand in lts.operands(edge) {
            operand.walk(&mut |expr: &Expr| {
                if let Expr::Nondet(range, _) = expr {
                    ranges.push(*range);
                }
            });
        }
    }
    ranges
}
