//! A call that a test makes, with what is known of its run.

use super::leaves::Leaf;
use super::nodes::{TestModel, TestNodes};
use super::replay::Replay;
use super::script::Script;
use crate::interp::Outcome;
use crate::lang::ast::{Decl, Length, Program, Shape};
use crate::load::Loaded;
use crate::logic::Int;
use crate::lts::{EdgeId, FailureKind, Lts, Origin};

/// A call that a test makes, with the run that it takes.
pub struct TestStep {
    pub loaded: Loaded,
    pub replay: Replay,
    pub script: Script,
    pub leaves: Vec<Leaf>,
    pub nodes: TestNodes,
}

impl TestStep {
    /// The graph, and the nodes of the test.
    pub fn model(&self) -> TestModel<'_> {
        TestModel { lts: &self.loaded.lts, nodes: &self.nodes }
    }
}

/// How the process of a test ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Returns,
    /// By `exit`.
    Exits(u8),
    /// By a failed assertion or `abort`.
    Aborts,
    /// By an error call.
    CallsError,
    Never,
}

/// The first value of a scalar of a declared object, by the members on the way to it and its index among the scalars with these.
pub fn initial(program: &Program, decl: &Decl, path: &[usize], index: i64) -> Int {
    let dimensions = dimensions(program, &decl.shape, path);
    let flat = |indices: &[usize]| indices.iter().zip(&dimensions).fold(0i64, |flat, (&index, length)| flat * length + index as i64);
    let found = decl.initial.iter().flatten().find(|one| one.path == path && flat(&one.indices) == index);
    found.map(|one| one.value.typed.clone()).unwrap_or_default()
}

/// The lengths of the arrays on the way to the scalars with these members; 1 where one is not known.
fn dimensions<'p>(program: &'p Program, mut shape: &'p Shape, path: &[usize]) -> Vec<i64> {
    let (mut found, mut members) = (Vec::new(), path.iter());
    loop {
        shape = match shape {
            Shape::Array { element, length } => {
                found.push(if let Length::Fixed(length) = length { length.to_i64().unwrap_or(1) } else { 1 });
                element
            }
            Shape::Struct(id) => {
                let Some(member) = members.next().and_then(|&at| program.structure(*id).members.as_ref()?.get(at)) else { return found };
                &member.shape
            }
            _ => return found,
        };
    }
}

/// The first value of the scalar with this name.
pub fn scalar(lts: &Lts, step: &TestStep, name: &str) -> Option<Int> {
    let at = lts.variables.iter().position(|variable| variable.name == name)?;
    Some(step.replay.before.scalars[at].clone())
}

/// Where a pointer parameter leads, if that is into the array of another parameter or of a global: which, and at which index.
pub fn lead(lts: &Lts, step: &TestStep, name: &str) -> Option<(String, Int)> {
    let start = format!("{name} - ");
    let at = lts.variables.iter().position(|variable| variable.origin == Origin::Parameter && variable.name.starts_with(&start))?;
    Some((lts.variables[at].name[start.len()..].to_owned(), step.replay.before.scalars[at].clone()))
}

/// How the process ends in which the last step runs.
pub fn ends_of(step: &TestStep) -> Ends {
    let (lts, replay) = (&step.loaded.lts, &step.replay);
    let last = replay.edges.last().map(|&edge| &lts.graph[edge]);
    match replay.outcome {
        Outcome::Error => {
            let failure = last.and_then(|edge| edge.failure).or(lts.at_entry.failure);
            match failure.map(|failure| failure.kind) {
                Some(FailureKind::ErrorCall) => Ends::CallsError,
                _ => Ends::Aborts,
            }
        }
        Outcome::Steps => Ends::Never,
        _ => {
            let is_exit = is_exit(&step.loaded, replay.edges.last().copied());
            match &replay.value {
                Some(value) if is_exit => Ends::Exits(value.to_i64().unwrap_or(0) as u8),
                _ => Ends::Returns,
            }
        }
    }
}

/// Whether a run with this last edge gives back what a call of `exit` gets.
pub fn is_exit(loaded: &Loaded, last: Option<EdgeId>) -> bool {
    let at = last.map_or(loaded.lts.at_entry.returned_at, |edge| loaded.lts.graph[edge].returned_at);
    at.start < at.end && super::script::exits(&loaded.program).iter().any(|span| span.start <= at.start && at.end <= span.end)
}
