//! From models of the necessary condition to inputs that get to the target: only a run decides.

use super::satisfiability::ConditionModel;
use crate::interp::{ArrayInput, Input, Machine};
use crate::logic::{Int, SortedSet};
use crate::lts::{EdgeId, Lts};
use crate::run::plain_numbers::plain_numbers;
use crate::run::trace::Trace;
use crate::search::{PathPrefix, SearchStep};
use crate::solver::meter::Meter;
use std::ops::ControlFlow;

/// Steps of a run that may get to the target.
pub const RUN: u64 = 200_000;
/// Steps for asking of a path.
const PATH: u64 = 1_000_000;

/// How an input was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A model is it.
    Model,
    /// A model gave a path, and the path's own condition the input.
    Path,
    /// The search that the condition guides.
    Search,
}

/// Tries inputs.
pub struct InputTrials<'r, 't> {
    pub lts: &'r Lts,
    pub machine: Machine<'r>,
    pub targets: SortedSet<EdgeId>,
    pub trace: &'r Trace<'t>,
}

impl<'r, 't> InputTrials<'r, 't> {
    /// Tries inputs on these targets.
    pub fn new(lts: &'r Lts, targets: SortedSet<EdgeId>, trace: &'r Trace<'t>) -> InputTrials<'r, 't> {
        InputTrials { lts, machine: Machine::new(lts), targets, trace }
    }

    /// The path of a run on the input up to the first target that it takes.
    pub fn path(&self, input: &Input) -> Option<Vec<EdgeId>> {
        let mut path = Vec::new();
        let mut there = false;
        self.machine.follow(input, RUN, |edge| {
            path.push(edge);
            there = self.targets.contains(&edge);
            if there { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (there && self.is_told(input, &path)).then_some(path)
    }

    /// Whether a text takes the path of a run on the input, where the program reads standard input.
    pub fn is_told(&self, input: &Input, path: &[EdgeId]) -> bool {
        !self.machine.reads_stdin() || self.machine.replay(input, path).is_ok()
    }

    /// An input that gets to the target, from a model: the model's own, or else one that takes the model's path.
    pub fn model(&self, model: &ConditionModel, meter: &mut Meter) -> Option<(Input, By)> {
        if self.path(&model.input).is_some() {
            return Some((self.plain(&model.input), By::Model));
        }
        let found = meter.within(PATH, |meter| self.along(&model.path, meter));
        found.filter(|input| self.path(input).is_some()).map(|input| (self.plain(&input), By::Path))
    }

    /// An input that takes the path.
    fn along(&self, path: &[EdgeId], meter: &mut Meter) -> Option<Input> {
        let mut walk = PathPrefix::new(self.lts);
        for &edge in path {
            let step = walk.step(edge, meter, self.trace);
            if let SearchStep::Infeasible(_) = step {
                return None;
            }
        }
        walk.witness(&self.machine).ok()?.ok()
    }

    /// The input without what the run does not need: elements of arrays and numbers that may as well be 0.
    pub fn plain(&self, input: &Input) -> Input {
        let mut plain = input.clone();
        let names: Vec<String> = plain.arrays.keys().cloned().collect();
        for name in names {
            let Some(contents) = plain.arrays.get(&name).cloned() else { continue };
            if !contents.default.is_zero() {
                let default = ArrayInput { default: Int::ZERO, ..contents.clone() };
                self.replace(&mut plain, |input| drop(input.arrays.insert(name.clone(), default.clone())));
            }
            for index in contents.elements.keys() {
                self.replace(&mut plain, |input| {
                    if let Some(contents) = input.arrays.get_mut(&name) {
                        contents.elements.remove(index);
                    }
                });
            }
        }
        let names: Vec<String> = plain.values.iter().filter(|(_, value)| !value.is_zero()).map(|(name, _)| name.clone()).collect();
        for name in names {
            self.replace(&mut plain, |input| drop(input.values.insert(name.clone(), Int::ZERO)));
        }
        let path = self.path(&plain).unwrap_or_default();
        plain_numbers(self.lts, &self.machine, plain, &path, &mut Meter::new(PATH))
    }

    /// Changes the input if it still gets to the target then.
    fn replace(&self, input: &mut Input, change: impl Fn(&mut Input)) {
        let mut changed = input.clone();
        change(&mut changed);
        if self.path(&changed).is_some() {
            *input = changed;
        }
    }
}
