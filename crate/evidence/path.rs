//! Claims about single paths: an input takes it, or none does.

use super::judge::{Judge, by_certificate};
use super::{Claim, Proof, Statement, ids, numbers};
use crate::interp::{self, Machine};
use crate::logic::{FormulaId, Int, IntRange, Pool};
use crate::lts::{EdgeId, Lts};
use crate::solver::certificate::Certificate;
use crate::symex::{self, Along, Passage, State, Undo};
use crate::view::{Call, Input, input, input_view};

/// The claim that an input takes a path, after these calls.
pub fn reached_claim(number: usize, lts: &Lts, path: &[EdgeId], input: &interp::Input, after: &[Call]) -> Claim {
    let statement = Statement::Reached { path: numbers(path), input: input_view(lts, input), after: bare(after) };
    Claim::new(format!("path-{number}"), statement)
}

/// The claim that no input takes a path: the conditions of the edges at the indices of `core` contradict each other.
pub fn infeasible_claim(number: usize, path: &[EdgeId], core: &[usize], pool: &Pool, certificate: &Certificate) -> Claim {
    let statement = Statement::Infeasible {
        path: numbers(path),
        core: core.iter().map(|&index| index as u32).collect(),
        certificate: super::write(pool, certificate),
    };
    Claim::new(format!("path-{number}"), statement)
}

/// Calls without the form for people.
fn bare(calls: &[Call]) -> Vec<Call> {
    let bare = |call: &Call| Call { function: call.function.clone(), input: Input { written_as: Vec::new(), ..call.input.clone() } };
    calls.iter().map(bare).collect()
}

fn prefix(lts: &Lts, path: &[u32]) -> Result<Vec<EdgeId>, String> {
    let edges = ids(path);
    if lts.is_path_prefix(&edges) { Ok(edges) } else { Err("the edges are not a path from the entry".to_owned()) }
}

/// Replays the input along the path, given by the numbers of its edges.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_reached(lts: &Lts, machine: &Machine, path: &[u32], given: &Input) -> Result<(), String> {
    // The run goes its way only, also where it comes back from a call that goes deeper than the copies.
    machine.replay(&read_input(lts, given)?, &ids(path)).map_err(|error| error.to_string())
}

/// The input of a function that a claim gives.
///
/// # Errors
/// Why it is none.
pub fn read_input(lts: &Lts, given: &Input) -> Result<interp::Input, String> {
    let input = input(given).map_err(|error| error.to_string())?.together(lts).map_err(|error| error.to_string())?;
    interp::check_input(lts, &input).map_err(|error| error.to_string())?;
    match out_of_range(lts, &input) {
        Some(name) => Err(format!("`{name}` has a value that its type does not have")),
        None => Ok(input),
    }
}

/// The name of a variable or array with a value that its type does not have, if there is one.
fn out_of_range<'i>(lts: &Lts, input: &'i interp::Input) -> Option<&'i String> {
    let outside = |range: Option<IntRange>, value: &Int| range.is_some_and(|range| !range.contains(value));
    let variable = |name: &String| lts.variables.iter().find(|variable| variable.name == *name).and_then(|variable| variable.start_range());
    let array = |name: &String| lts.arrays.iter().find(|array| array.name == *name).and_then(|array| array.start_range());
    let scalar = input.values.iter().find(|(name, value)| outside(variable(name), value)).map(|(name, _)| name);
    scalar.or_else(|| {
        let values = |(name, contents): &(&String, &interp::ArrayInput)| {
            contents.elements.values().chain([&contents.default]).any(|value| outside(array(name), value))
        };
        input.arrays.iter().find(values).map(|(name, _)| name)
    })
}

/// Derives the path's conditions anew and checks the refutation of those in the core (indices into `path`).
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_infeasible(lts: &Lts, path: &[u32], core: &[u32], certificate: &Proof, judge: Judge) -> Result<(), String> {
    PathConditions::new(lts).check(lts, (path, core), certificate, judge)
}

/// Edges executed and certificates read before a new pool takes the place of the old one: a pool never frees a term.
const MAX_WORK: usize = 200_000;

/// The path condition of the last path checked, edge by edge. A path that shares a prefix with that path is executed from the end of the prefix
/// on only, since a search claims paths depth first.
pub struct PathConditions {
    pool: Pool,
    along: Along,
    /// The same state, without the facts of earlier edges.
    state: State,
    precondition: FormulaId,
    steps: Vec<PathStep>,
    work: usize,
}

/// An edge of the path.
struct PathStep {
    edge: EdgeId,
    passage: Passage,
    undo: Undo,
    /// Its condition along the path, and its condition by itself.
    conditions: [FormulaId; 2],
    facts: FormulaId,
}

impl PathConditions {
    /// The empty path of a graph. Only paths of this graph may be checked.
    pub fn new(lts: &Lts) -> PathConditions {
        PathConditions::of(lts, Pool::new())
    }

    fn of(lts: &Lts, mut pool: Pool) -> PathConditions {
        let (along, state) = (Along::simplifying(lts, &mut pool), State::initial(lts, &mut pool));
        let precondition = symex::precondition(lts, &mut pool);
        PathConditions { pool, along, state, precondition, steps: Vec::new(), work: 0 }
    }

    /// As [`check_infeasible`].
    ///
    /// # Errors
    /// Why it does not believe the claim.
    pub fn check(&mut self, lts: &Lts, (path, core): (&[u32], &[u32]), certificate: &Proof, judge: Judge) -> Result<(), String> {
        let path = prefix(lts, path)?;
        if self.work > MAX_WORK {
            *self = PathConditions::new(lts);
        }
        self.work += 1;
        let certificate = super::read(&mut self.pool, certificate)?;
        let core: Vec<usize> = core.iter().map(|&index| index as usize).collect();
        self.judge(lts, (&path, &core), &certificate, judge)
    }

    fn judge(&mut self, lts: &Lts, (path, core): (&[EdgeId], &[usize]), certificate: &Certificate, judge: Judge) -> Result<(), String> {
        let shared = self.steps.iter().zip(path).take_while(|(step, edge)| step.edge == **edge).count();
        for PathStep { passage, undo, .. } in self.steps.drain(shared..).rev() {
            self.along.undo(passage);
            self.state.undo(undo);
        }
        self.work += path.len() - shared;
        for &edge in &path[shared..] {
            let pool = &mut self.pool;
            let passage = self.along.apply(lts, pool, edge);
            // The edge's own condition follows from the path too.
            let (alone, undo) = self.state.apply(lts, pool, edge);
            let (conditions, facts) = ([passage.condition(pool), alone], passage.facts(pool));
            self.steps.push(PathStep { edge, passage, undo, conditions, facts });
        }
        let mut refuted = vec![self.precondition];
        refuted.extend(self.steps.iter().map(|step| step.facts));
        for &index in core {
            refuted.extend(self.steps.get(index).ok_or("the core names an edge beyond the path")?.conditions);
        }
        judge(&self.pool, &refuted, certificate)
    }
}

/// Derives the conditions of a path and the precondition anew, and checks a refutation of them: `core` are indices into `path`.
/// That values lie in the ranges of their types holds along the whole path.
///
/// # Errors
/// Why it does not believe the refutation.
pub fn check_refutation(lts: &Lts, pool: &mut Pool, path: &[EdgeId], core: &[usize], certificate: &Certificate) -> Result<(), String> {
    if !lts.is_path_prefix(path) {
        return Err("the edges are not a path from the entry".to_owned());
    }
    let mut conditions = PathConditions::of(lts, std::mem::take(pool));
    let checked = conditions.judge(lts, (path, core), certificate, &mut by_certificate);
    *pool = conditions.pool;
    checked
}
