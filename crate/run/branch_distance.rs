//! Search for an input that takes a branch, by how far a run is from it: what the compared values differ by where the run takes the other
//! branch. One number of the input is changed at a time, in steps that double as long as the distance falls; where none of them makes it fall,
//! one element of a sequence is replaced, repeated or left out.
//!
//! Source: the alternating variable method, B. Korel, *Automated Software Test Data Generation*, 1990; P. McMinn, *Search-Based Software Test
//! Data Generation: A Survey*, 2004, section 3.

use super::edited_inputs::edited_inputs;
use super::input_numbers::{NumberOfInput, numbers};
use crate::interp::{Input, Machine, Run, RunState, Watch};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::number_text::{format_of, of_numbers};
use crate::lts::{EdgeId, Expr, Label, Lts};
use crate::solver::meter::{Meter, RUN_STEPS};
use std::ops::ControlFlow;

/// Inputs that are tried for a branch.
const TRIED: u32 = 2_000;
/// Numbers of an input that are changed.
const CHANGED: usize = 12;
/// The first changes of a variable of the input; an integer takes the whole numbers among them.
const STEPS: [f64; 12] = [1.0, -1.0, 0.125, -0.125, 0.015625, -0.015625, 0.001, -0.001, 1e-6, -1e-6, 100.0, -100.0];
/// From here on numbers are so far apart that the steps are too small: the search begins at 0.
const LARGE: f64 = 1e6;
/// Steps of a run.
const LONGEST: u64 = 20_000;

/// A branch that no run has taken, and the other one of its decision.
pub struct Branch {
    pub target: EdgeId,
    pub other: EdgeId,
}

/// Measures the distance of a run.
struct Measured<'a> {
    lts: &'a Lts,
    branch: &'a Branch,
    /// Infinite where the run does not come to the decision.
    least: f64,
    steps: u64,
}

impl Watch for Measured<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        self.steps += 1;
        if edge == self.branch.target {
            self.least = 0.0;
            return ControlFlow::Break(());
        }
        if edge == self.branch.other {
            let distance = compared(self.lts, edge).and_then(|[left, right]| {
                let value = |operand: &Expr| real(&after.value_of(operand)?, format_of(self.lts, left).or(format_of(self.lts, right)));
                Some((value(left)? - value(right)?).abs())
            });
            // At the bound itself a branch may be the other one.
            self.least = self
                .least
                .min(distance.filter(|distance| !distance.is_nan()).map_or(f64::INFINITY, |distance| distance + f64::MIN_POSITIVE));
        }
        ControlFlow::Continue(())
    }
}

/// The operands of the comparison that decides.
fn compared(lts: &Lts, edge: EdgeId) -> Option<[&Expr; 2]> {
    let Label::Assume { condition, .. } = &lts.graph[edge].label else { return None };
    let Expr::Compare(_, left, right) = of_numbers(lts, condition).unwrap_or(condition) else { return None };
    Some([left, right])
}

fn real(value: &Int, format: Option<FloatFormat>) -> Option<f64> {
    let value = value.to_i64()?;
    Some(format.map_or(value as f64, |format| format.value(value)))
}

/// Searches from an input whose execution comes to the decision; gives an input whose execution takes the branch, with that execution. `None`
/// where no input takes the branch among the [`TRIED`] nearest, or where the step limit is reached.
pub fn approached(
    lts: &Lts,
    machine: &Machine,
    branch: &Branch,
    mut input: Input,
    constants: &[Int],
    meter: &mut Meter,
) -> Option<(Input, Run)> {
    compared(lts, branch.other)?;
    let mut left = TRIED;
    let mut measure = |input: &Input, meter: &mut Meter| -> Option<f64> {
        left = left.checked_sub(1)?;
        let mut measured = Measured { lts, branch, least: f64::INFINITY, steps: 0 };
        machine.watch(input, LONGEST, &mut measured);
        meter.spend(measured.steps / RUN_STEPS + 1).ok()?;
        Some(measured.least)
    };
    let mut distance = measure(&input, meter)?;
    let path = machine.run(&input, LONGEST).edges;
    // Sums of whole numbers and steps meet a bound exactly.
    for (number, range) in numbers(lts, &input, &path).into_iter().take(CHANGED) {
        let Some(rounded) = moved(&input, &number, range, f64::NAN) else { continue };
        let reached = measure(&rounded, meter)?;
        if reached.is_finite() {
            (input, distance) = (rounded, reached);
        }
    }
    while distance > 0.0 {
        let before = distance;
        for (number, range) in numbers(lts, &input, &path).into_iter().take(CHANGED) {
            let mut steps = STEPS.into_iter();
            let mut step = steps.next();
            while let Some(size) = step.filter(|_| distance > 0.0) {
                let tried = moved(&input, &number, range, size);
                let reached = match &tried {
                    Some(tried) => measure(tried, meter)?,
                    None => f64::INFINITY,
                };
                match tried {
                    Some(tried) if reached < distance => {
                        (input, distance) = (tried, reached);
                        step = Some(size * 2.0);
                    }
                    // Too far: once more from where it was better, with small steps.
                    _ if size.abs() > 100.0 => (steps, step) = (STEPS.into_iter(), Some(size.signum())),
                    _ => step = steps.next(),
                }
            }
        }
        if distance >= before {
            // What reads of a text give is edited in the text.
            let read = if machine.reads_stdin() { machine.told(&input) } else { input.clone() };
            let edited = edited_inputs(lts, &read, constants).map(|edited| Some((measure(&edited, meter)?, edited)));
            let nearer = edited.map_while(|tried| tried).find(|(reached, _)| *reached < distance);
            (distance, input) = nearer?;
            input = machine.drawn_run(&input, LONGEST)?.0;
        }
    }
    machine.drawn_run(&input, LONGEST).filter(|(_, run)| run.edges.contains(&branch.target))
}

/// The input with a number of it changed by so much, or rounded where that is no number, to 0 from [`LARGE`] on; `None` where its type has no such number.
fn moved(input: &Input, number: &NumberOfInput, range: Option<IntRange>, by: f64) -> Option<Input> {
    let mut moved = input.clone();
    let value = number.value(&mut moved)?;
    let format = range.and_then(|range| FloatFormat::of_range(&range));
    let changed = match format {
        Some(format) if by.is_nan() => {
            let value = format.value(value.to_i64()?);
            Int::from(format.rank(if value.abs() < LARGE { value.round() } else { 0.0 }))
        }
        Some(format) => Int::from(format.rank(format.value(value.to_i64()?) + by)),
        None if by.fract() == 0.0 => &*value + &Int::from(by as i64),
        None => return None,
    };
    if changed == *value || range.is_some_and(|range| !range.contains(&changed)) {
        return None;
    }
    *value = changed;
    Some(moved)
}
