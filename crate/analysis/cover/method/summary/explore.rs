//! The work of summaries: covers functions with their calls replaced, keeps what that shows of them as pairs, and asks for
//! missing pairs.

use super::super::search::CoverSearch;
use super::super::test::Test;
use super::super::{Algorithm, CoverPlan};
use super::{Inlined, MAX_PAIRS, MAX_ROUNDS, SummaryUsage, pairs};
use crate::evidence::bounded::condition;
use crate::evidence::bounded::unwind::{self, Unwound};
use crate::interp::{Input, Machine, Outcome};
use crate::lang::ast::Program;
use crate::logic::{Int, SortedMap, SortedSet};
use crate::lts::inputs::inputs;
use crate::lts::lower::Options;
use crate::lts::lower::summary::{Calls, Summaries, lower_summarized};
use crate::lts::{CompareOp, EdgeId, Expr, Label, Lts, Origin, VariableId};
use crate::run::trace::Trace;
use crate::solver::Context;
use crate::solver::meter::Meter;
use std::rc::Rc;

/// An input of an original program, and how many edges its run takes at most.
pub struct ExploredInput {
    pub input: Input,
    pub steps: usize,
}

/// What is known of all functions.
pub struct Work<'a, 't> {
    program: &'a Program,
    options: Options,
    settings: CoverPlan,
    trace: &'a Trace<'t>,
    pub summaries: Summaries,
    /// The functions with summaries: calls inlined, globals arbitrary.
    originals: SortedMap<usize, Rc<Lts>>,
    /// Why the other functions have no summary.
    pub inlined: SortedMap<usize, Inlined>,
    /// How often the work covered functions again with values of a caller.
    pub recomputed: SortedMap<usize, u32>,
    pub report: SummaryUsage,
}

/// A call that no pair answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnansweredCall {
    function: usize,
    /// The values of the summary's inputs.
    inputs: Vec<Int>,
    /// The values of its outputs, then of its result where the caller uses that, with which the caller would get where it is to
    /// get.
    outputs: Vec<Int>,
}

impl<'a, 't> Work<'a, 't> {
    pub fn new(program: &'a Program, options: &Options, settings: &CoverPlan, trace: &'a Trace<'t>) -> Work<'a, 't> {
        Work {
            program,
            options: *options,
            settings: *settings,
            trace,
            summaries: Summaries::new(),
            originals: SortedMap::new(),
            inlined: SortedMap::new(),
            recomputed: SortedMap::new(),
            report: SummaryUsage::default(),
        }
    }

    /// Begins the summary of a function; the functions it calls have theirs.
    pub fn begin(&mut self, function: usize, meter: &mut Meter) {
        let (original, summary) = match pairs::interface(self.program, &self.options, function) {
            Ok((original, summary)) => (Rc::new(original), summary),
            Err(why) => {
                self.inlined.insert(function, why);
                return;
            }
        };
        self.originals.insert(function, original.clone());
        let found = self.explore(function, &original, &pairs::free, meter);
        self.summaries.insert(function, summary);
        self.keep(function, &original, found);
    }

    /// Covers a called function with the values of a caller: with what goes in and comes out; where there is no such execution,
    /// with what goes in (as the paper has it), and with what comes out. Gives whether there are new pairs.
    fn answer(&mut self, call: &UnansweredCall, meter: &mut Meter) -> bool {
        let function = call.function;
        let (Some(original), Some(summary)) = (self.originals.get(&function).cloned(), self.summaries.get_mut(&function)) else {
            return false;
        };
        if summary.asked.contains(&call.inputs) || summary.pairs.len() >= MAX_PAIRS {
            return false;
        }
        let before = summary.pairs.len();
        let given = pairs::named(self.program, &original, &summary.inputs, &call.inputs);
        let results = pairs::named(self.program, &original, &summary.outputs, &call.outputs);
        let result = call.outputs.get(summary.outputs.len());
        *self.recomputed.entry(function).or_default() += 1;
        for (goes_in, comes_out) in [(true, true), (true, false), (false, true)] {
            let prepare = |lts: &mut Lts| {
                pairs::free(lts);
                if goes_in {
                    pairs::give(lts, &original, &given);
                }
                if comes_out {
                    pairs::demand(lts, &original, &results, result);
                }
            };
            let mut found = self.explore(function, &original, &prepare, meter);
            if goes_in {
                for test in &mut found {
                    test.input.values.extend(given.iter().map(|(name, value)| (name.clone(), value.clone())));
                }
            }
            let exactly = goes_in && comes_out && !found.is_empty();
            self.keep(function, &original, found);
            if exactly {
                return self.summaries[&function].pairs.len() > before;
            }
        }
        if let Some(summary) = self.summaries.get_mut(&function) {
            summary.asked.push(call.inputs.clone());
        }
        self.summaries[&function].pairs.len() > before
    }

    /// Adds the pairs of the runs on these inputs.
    fn keep(&mut self, function: usize, original: &Lts, found: Vec<ExploredInput>) {
        let machine = Machine::new(original);
        for ExploredInput { input, steps } in found {
            let run = machine.run(&input, steps as u64);
            if run.outcome != Outcome::Returned {
                self.report.rejected += 1;
                continue;
            }
            let Some(pair) = pairs::pair(self.program, function, original, &input, &run) else { continue };
            if let Some(summary) = self.summaries.get_mut(&function)
                && summary.pairs.len() < MAX_PAIRS
                && !summary.pairs.contains(&pair)
            {
                summary.pairs.push(pair);
            }
        }
    }

    /// Covers a function with its calls replaced, and asks for more pairs while that helps. Gives inputs of the original.
    pub fn explore(&mut self, function: usize, original: &Lts, prepare: &dyn Fn(&mut Lts), meter: &mut Meter) -> Vec<ExploredInput> {
        let name = &self.program.functions[function].name.text;
        let mut found = Vec::new();
        // What is covered: statements of the function's own by their order, and pairs at calls.
        let (mut statements, mut taken) = (SortedSet::new(), SortedSet::new());
        let mut fruitless = 0;
        for round in 0..=MAX_ROUNDS {
            let Ok((lowered, calls)) = lower_summarized(self.program, name, &self.summaries, &self.options) else { break };
            let mut lts = lowered.lts;
            prepare(&mut lts);
            let Ok(unwound) = unwind::unwind(&lts, self.settings.unwind) else { break };
            self.report.bounded |= unwound.is_bounded();
            let own: Vec<EdgeId> = lts.graph.edge_indices().filter(|&edge| !calls.is_inside(lts.edge(edge).1)).collect();
            let is_goal = |edge: EdgeId| match own.binary_search(&edge) {
                Ok(at) => !statements.contains(&at),
                Err(_) => alternative(&lts, &calls, edge).is_some_and(|(site, pair)| pair.is_some() && !taken.contains(&(site, pair))),
            };
            let algorithm = if round == 0 { self.settings.algorithm } else { self.targeted() };
            let before = statements.len();
            let tests = self.search((&lts, &unwound), algorithm, &is_goal, !found.is_empty(), meter);
            for test in &tests {
                found.push(self.original(&lts, &calls, original, test));
                for edge in &test.path {
                    statements.extend(own.binary_search(edge));
                    taken.extend(alternative(&lts, &calls, *edge));
                }
            }
            fruitless = if statements.len() > before { 0 } else { fruitless + 1 };
            if fruitless >= 2 {
                break;
            }
            let left = |edge: EdgeId| own.binary_search(&edge).is_ok_and(|at| !statements.contains(&at));
            let Some(open) = calls.open.filter(|_| round < MAX_ROUNDS && own.iter().any(|&edge| left(edge))) else { break };
            // 4.
            lts.variables[open.0 as usize].initial = Some(Int::ONE);
            let questions = self.search((&lts, &unwound), self.targeted(), &left, true, meter);
            let mut new = false;
            for call in questions.iter().flat_map(|test| questioned(&lts, &calls, test)).collect::<SortedSet<_>>() {
                new |= self.answer(&call, meter);
            }
            if !new {
                break;
            }
        }
        found
    }

    /// The algorithm that looks only for what is left.
    fn targeted(&self) -> Algorithm {
        if self.settings.algorithm == Algorithm::Prefer { Algorithm::Prefer } else { Algorithm::Sc }
    }

    /// Complete tests that take the edges `wanted`; at least one test, if there is an execution, unless the caller has found one
    /// `before`.
    fn search(
        &mut self,
        (lts, unwound): (&Lts, &Unwound),
        algorithm: Algorithm,
        is_goal: &dyn Fn(EdgeId) -> bool,
        before: bool,
        meter: &mut Meter,
    ) -> Vec<Test> {
        let mut context = Context::new();
        let Ok(condition) = condition::condition(lts, unwound, &mut context.pool, condition::Helpers::None) else { return Vec::new() };
        let machine = Machine::new(lts);
        let mut search = CoverSearch::new(&machine, (lts, unwound, &condition), context, &self.settings, meter, self.trace);
        for edge in lts.graph.edge_indices().filter(|&edge| !is_goal(edge)) {
            search.covered[edge.index()] = Some(0);
        }
        if before {
            search.tests.push(Test { input: Input::default(), path: Vec::new(), after: Vec::new() });
        }
        // The run with calls inlined asks again what stays open here.
        let _ = search.run(algorithm);
        self.report.queries += search.queries;
        search.tests.split_off(usize::from(before))
    }

    /// The input of the original: its own names, and the values of `nondet()` that the pairs give to calls.
    fn original(&self, lts: &Lts, calls: &Calls, original: &Lts, test: &Test) -> ExploredInput {
        let mut given = test.input.nondet.iter().cloned().zip(0..);
        let (mut nondet, mut contents, mut steps) = (Vec::new(), SortedMap::new(), 0);
        for &edge in &test.path {
            let values = given.by_ref().take(lts.graph[edge].nondets() as usize);
            if calls.is_inside(lts.edge(edge).1) {
                values.for_each(drop);
            } else {
                for (value, number) in values {
                    if let Some(drawn) = test.input.contents.get(&number) {
                        contents.insert(nondet.len() as u32, drawn.clone());
                    }
                    nondet.push(value);
                }
                steps += 1;
            }
            if let Some((site, Some(pair))) = alternative(lts, calls, edge)
                && let Some(pair) = self.summaries.get(&calls.sites[site].function).and_then(|summary| summary.pairs.get(pair))
            {
                nondet.extend(pair.nondet.iter().cloned());
                steps += pair.steps;
            }
        }
        let mut input = Input { nondet, contents, ..Input::default() };
        let inputs_of_original = inputs(original);
        for variable in inputs_of_original.variables.iter().map(|&id| original.variable(id)) {
            let same = lts.variables.iter().find(|other| other.span == variable.span && other.origin == variable.origin);
            let same = same.filter(|_| variable.origin != Origin::Inlined);
            let value = test.input.values.get(same.map_or(&variable.name, |other| &other.name));
            input.values.insert(variable.name.clone(), value.cloned().unwrap_or_default());
        }
        for array in inputs_of_original.arrays.iter().map(|&id| original.array(id)) {
            let same = lts.arrays.iter().find(|other| other.span == array.span && other.origin == array.origin);
            let same = same.filter(|_| array.origin != Origin::Inlined);
            let contents = test.input.arrays.get(same.map_or(&array.name, |other| &other.name));
            input.arrays.insert(array.name.clone(), contents.cloned().unwrap_or_default());
        }
        ExploredInput { input, steps }
    }
}

/// What an execution chooses at a call by taking this edge: the site, and the number of the pair.
fn alternative(lts: &Lts, calls: &Calls, edge: EdgeId) -> Option<(usize, Option<usize>)> {
    let Label::Assume { condition: Expr::Compare(CompareOp::Eq, left, right), holds: true } = &lts.graph[edge].label else { return None };
    match (&**left, &**right) {
        (Expr::Var(variable), Expr::Int(number)) if Some(*variable) == calls.choice => {
            calls.alternatives.get(usize::try_from(number.to_i64()?).ok()?).copied()
        }
        _ => None,
    }
}

/// The calls that a test leaves without an answer.
fn questioned(lts: &Lts, calls: &Calls, test: &Test) -> Vec<UnansweredCall> {
    let machine = Machine::new(lts);
    let mut found = Vec::new();
    for (at, &edge) in test.path.iter().enumerate() {
        if let Some((site, None)) = alternative(lts, calls, edge) {
            let is_after = |edge: &EdgeId| !calls.is_inside(lts.edge(*edge).1);
            let length = test.path[at..].iter().position(is_after).unwrap_or(test.path.len() - at);
            let site = &calls.sites[site];
            let values = |steps: usize, ids: &[VariableId]| -> Vec<Int> {
                let variables = machine.run(&test.input, steps as u64).variables;
                ids.iter().map(|id| variables.get(id.0 as usize).cloned().unwrap_or_default()).collect()
            };
            found.push(UnansweredCall {
                function: site.function,
                inputs: values(at, &site.inputs),
                outputs: values(at + length, &site.outputs),
            });
        }
    }
    found
}
