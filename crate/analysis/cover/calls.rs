//! Tests that begin with other calls, and what no call ever finds: for statements that only a run takes which starts with statics that
//! are not as the program's start leaves them.
//!
//! 1. Search the chain of calls ([`crate::lts::calls`]) for executions that take them, and cut each into its calls.
//! 2. Infer an invariant of the chain: what it excludes, no call takes, whatever calls came before.
//! 3. What neither settles stays with a test that assumes `any-state`; no such test takes what 2 excluded.

use super::search::Search;
use super::test::Test;
use super::{Outcome, Settings, Verdict};
use crate::analysis::common::known::guesses::Guesses;
use crate::analysis::common::known::{Prover, Wanted};
use crate::analysis::common::trace::{Event, Silent, Trace};
use crate::evidence::bounded::condition::{Helpers, condition};
use crate::evidence::bounded::unwind::unwind_each;
use crate::evidence::check::another_start;
use crate::evidence::sequence::Statics;
use crate::interp::{Input, Machine, State, Watch};
use crate::load::{Loaded, exact};
use crate::logic::SortedSet;
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::lts::calls::Chain;
use crate::lts::{EdgeId, LocationId, Lts};
use crate::solver::meter::Meter;
use crate::solver::{Context, Reason};
use crate::view::{Call, input_view};
use std::ops::ControlFlow;

/// Steps that looking for calls may take, and that inferring what they leave may.
const CALLS_STEPS: u64 = 1_000_000;

/// How many calls before the last one to try: first few, since a short test says more.
const FEW_CALLS: [u32; 3] = [1, 2, 3];
/// And where what they leave does not settle it.
const MANY_CALLS: [u32; 4] = [4, 6, 8, 12];

/// Adds tests that begin with other calls to an outcome, in place of those whose statics may be what no call leaves. Gives for each edge
/// that no call takes what this rests on.
pub fn after_others(
    loaded: &Loaded,
    settings: &Settings,
    outcome: &mut Outcome,
    meter: &mut Meter,
    trace: &Trace,
) -> Vec<(EdgeId, Assumptions)> {
    let failing = failing_from_any_state(loaded, outcome);
    let wanted = only_from_any_state(loaded, outcome);
    let Some(calls) = loaded.base.calls.as_ref().filter(|_| !wanted.is_empty() || !failing.is_empty()) else { return Vec::new() };
    let world = exact(loaded.assumed);
    let Some(chain) = calls.chain(&loaded.base, world, |callable| callable.from_outside) else { return Vec::new() };
    let graph = if failing.is_empty() { chain.lts.clone() } else { chain.failing() };
    let mut looking = Looking { loaded, settings, chain: &chain, graph, wanted, found: Vec::new(), runs: Vec::new() };
    looking.wanted.extend(failing.iter().copied());
    // 1.
    looking.look(&FEW_CALLS, meter, trace);
    // 2.
    let mut excluded = Vec::new();
    if loaded.assumed.contains(Assumption::LeftByCalls)
        && Assumption::LeftByCalls.site(&loaded.base).is_some()
        && !looking.wanted.is_empty()
    {
        looking.sample(meter);
        for assumed in [Assumptions::default(), world.that_matter(&loaded.base)] {
            looking.exclude(assumed.with(Assumption::LeftByCalls), &mut excluded, meter, trace);
        }
        trace.emit(Event::Assuming(world));
    }
    looking.look(&MANY_CALLS, meter, trace);
    // 3.
    let found = looking.found;
    settle(loaded, settings, outcome, found, &excluded, meter, trace);
    excluded
}

/// The statements that only tests take which assume `any-state`.
fn only_from_any_state(loaded: &Loaded, outcome: &Outcome) -> SortedSet<EdgeId> {
    let lts = &loaded.lts;
    let known = |test: &Test| another_start(&loaded.base, &test.input).is_none();
    let tests = &outcome.tests[..outcome.complete];
    let taken = |known_start: bool| -> SortedSet<EdgeId> {
        tests.iter().filter(|test| known(test) == known_start).flat_map(|test| test.path.iter().copied()).collect()
    };
    let (from_first, from_any) = (taken(true), taken(false));
    from_any.iter().copied().filter(|edge| !from_first.contains(edge) && !lts.graph[*edge].library).collect()
}

/// The ways into the error location that only tests take which assume `any-state`.
fn failing_from_any_state(loaded: &Loaded, outcome: &Outcome) -> SortedSet<EdgeId> {
    let lts = &loaded.lts;
    let fails = |edge: &EdgeId| match outcome.verdicts[edge.index()] {
        Verdict::NeverCompletes(test) => {
            Some(lts.edge(*edge).2) == lts.error && another_start(&loaded.base, &outcome.tests[test].input).is_some()
        }
        _ => false,
    };
    lts.graph.edge_indices().filter(fails).collect()
}

/// A search for calls that lead to statements.
struct Looking<'a> {
    loaded: &'a Loaded,
    settings: &'a Settings,
    chain: &'a Chain,
    /// The chain, perhaps with ends at the error location.
    graph: Lts,
    /// What no calls lead to yet.
    wanted: SortedSet<EdgeId>,
    found: Vec<Test>,
    /// Inputs of the chain that take something.
    runs: Vec<Input>,
}

impl Looking<'_> {
    /// 1., with these numbers of calls before the last one.
    fn look(&mut self, calls: &[u32], meter: &mut Meter, trace: &Trace) {
        let outer = meter.narrow(CALLS_STEPS);
        for &calls in calls {
            if self.wanted.is_empty() {
                break;
            }
            let bound = |header| if header == self.chain.hub { calls } else { self.settings.unwind };
            for test in search(&self.graph, &bound, self.settings, &self.wanted, &[], meter) {
                let Some(last) = cut(self.loaded, self.chain, &self.graph, &test) else { continue };
                self.runs.push(test.input);
                if last.path.iter().any(|edge| self.wanted.contains(edge))
                    && trace.claim(Event::Reached { path: &last.path, input: &last.input, after: &last.after }).is_ok()
                {
                    self.wanted.retain(|edge| !last.path.contains(edge));
                    self.found.push(last);
                }
            }
        }
        meter.widen(outer);
    }

    /// Looks for runs of the chain that take all that can be taken.
    fn sample(&mut self, meter: &mut Meter) {
        let all: SortedSet<EdgeId> = (0..self.graph.graph.edge_count()).map(EdgeId::new).collect();
        let outer = meter.narrow(CALLS_STEPS);
        let tests = search(&self.graph, &|_| self.settings.unwind, self.settings, &all, &[], meter);
        self.runs.extend(tests.into_iter().map(|test| test.input));
        meter.widen(outer);
    }

    /// 2., under these assumptions.
    fn exclude(&mut self, assumed: Assumptions, excluded: &mut Vec<(EdgeId, Assumptions)>, meter: &mut Meter, trace: &Trace) {
        if self.wanted.is_empty() {
            return;
        }
        let chain = under(&self.loaded.base, assumed);
        trace.emit(Event::Assuming(assumed));
        let outer = meter.narrow(CALLS_STEPS);
        let untaken: Vec<EdgeId> = self.wanted.iter().copied().collect();
        let shown = Guesses { widely: true }.show(&chain, &Wanted { untaken: &untaken, inputs: &self.runs, known: &[] }, meter, trace);
        meter.widen(outer);
        let Some(shown) = shown.first() else { return };
        let settled: Vec<EdgeId> = shown.excluded(&chain).into_iter().filter(|edge| self.wanted.contains(edge)).collect();
        if settled.is_empty() {
            return;
        }
        if shown.emit("cover", (&settled, true), trace).is_err() {
            return;
        }
        self.wanted.retain(|edge| !settled.contains(edge));
        excluded.extend(settled.into_iter().map(|edge| (edge, assumed)));
    }
}

/// Executions that complete and take some of these edges, and none of the forbidden ones.
fn search(
    lts: &Lts,
    bound: &dyn Fn(LocationId) -> u32,
    settings: &Settings,
    wanted: &SortedSet<EdgeId>,
    forbidden: &[EdgeId],
    meter: &mut Meter,
) -> Vec<Test> {
    let mut silent = Silent;
    let trace = Trace::new(&mut silent);
    let Ok(unwound) = unwind_each(lts, bound) else { return Vec::new() };
    let mut context = Context::new();
    let Ok(condition) = condition(lts, &unwound, &mut context.pool, Helpers::None) else { return Vec::new() };
    let machine = Machine::new(lts);
    let mut search = Search::new(&machine, (lts, &unwound, &condition), context, settings, meter, &trace);
    search.only(wanted);
    search.forbid(forbidden);
    // What it leaves is looked for in other ways.
    let _ = search.statements(true);
    search.tests
}

/// The last call of an execution of the chain, with the calls before it; `None` where these do not run so alone.
fn cut(loaded: &Loaded, chain: &Chain, graph: &Lts, test: &Test) -> Option<Test> {
    let machine = Machine::new(graph);
    let mut cutting = Cutting { chain, given: &test.input, drawn: 0, calls: Vec::new() };
    machine.finish(&test.input, test.path.len() as u64, &mut cutting);
    let mut calls = cutting.calls;
    let (copy, input, path) = calls.pop()?;
    if copy != 0 {
        return None;
    }
    let others = &loaded.base.calls.as_ref()?.functions;
    let written = calls.into_iter().map(|(copy, mut input, _)| {
        let function = &chain.copies[copy].function;
        let lts = if copy == 0 { &loaded.base } else { &others.iter().find(|other| other.lts.function == *function)?.lts };
        lts.variables.iter().filter(|variable| variable.first.is_some()).for_each(|variable| drop(input.values.remove(&variable.name)));
        lts.arrays.iter().filter(|array| array.first.is_some()).for_each(|array| drop(input.arrays.remove(&array.name)));
        Some(Call { function: function.clone(), input: input_view(lts, &input) })
    });
    let after: Vec<Call> = written.collect::<Option<_>>()?;
    let statics = Statics::left(&loaded.base, &after, exact(loaded.assumed)).ok()?;
    let is_so = statics.differing(&loaded.base, &input).is_none() && Machine::new(&loaded.lts).replay(&input, &path).is_ok();
    is_so.then_some(Test { input, path, after })
}

/// Cuts a run of a chain into calls: the number of the copy, its input, and its edges.
struct Cutting<'a> {
    chain: &'a Chain,
    given: &'a Input,
    drawn: usize,
    calls: Vec<(usize, Input, Vec<EdgeId>)>,
}

impl Watch for Cutting<'_> {
    fn taken(&mut self, edge: EdgeId, after: &State<'_>) -> ControlFlow<()> {
        let drawn = self.chain.lts.graph[edge].nondets() as usize;
        if let Some((number, copy)) = self.chain.copies.iter().enumerate().find(|(_, copy)| copy.enter == edge) {
            let mut input = Input::default();
            for (name, id) in &copy.variables {
                input.values.insert(name.clone(), after.variable(*id).clone());
            }
            for (name, id) in &copy.arrays {
                input.arrays.insert(name.clone(), after.held(*id));
            }
            self.calls.push((number, input, Vec::new()));
        }
        let within = |copy: &usize, edge: EdgeId| self.chain.copies[*copy].edges.contains(&edge.index());
        if let Some((copy, input, path)) = self.calls.last_mut()
            && (within(copy, edge) || self.chain.copies[*copy].enter == edge)
        {
            for number in self.drawn..self.drawn + drawn {
                if let Some(contents) = self.given.contents.get(&(number as u32)) {
                    input.contents.insert(input.nondet.len() as u32, contents.clone());
                }
                input.nondet.push(self.given.nondet.get(number).cloned().unwrap_or_default());
            }
            if within(copy, edge) {
                path.push(EdgeId::new(edge.index() - self.chain.copies[*copy].edges.start));
            }
        }
        self.drawn += drawn;
        ControlFlow::Continue(())
    }
}

/// 3.
fn settle(
    loaded: &Loaded,
    settings: &Settings,
    outcome: &mut Outcome,
    found: Vec<Test>,
    excluded: &[(EdgeId, Assumptions)],
    meter: &mut Meter,
    trace: &Trace,
) {
    let forbidden: Vec<EdgeId> = excluded.iter().map(|(edge, _)| *edge).collect();
    let allowed = |path: &[EdgeId]| !path.iter().any(|edge| forbidden.contains(edge));
    let is_known = |test: &Test| !test.after.is_empty() || another_start(&loaded.base, &test.input).is_none();
    let (mut complete, rest) = (std::mem::take(&mut outcome.tests), outcome.complete);
    let mut rest = complete.split_off(rest);
    let ends = |test: &Test| test.path.last().is_some_and(|&edge| loaded.lts.edge(edge).2 == loaded.lts.exit);
    let (found, failing): (Vec<Test>, Vec<Test>) = found.into_iter().partition(ends);
    let first_failing = rest.len();
    rest.extend(failing);
    // Those that begin where calls leave the statics come first; of the others only those that still show something.
    let (mut tests, mut others): (Vec<Test>, Vec<Test>) = complete.into_iter().partition(is_known);
    tests.extend(found);
    let mut taken: SortedSet<EdgeId> = tests.iter().flat_map(|test| test.path.iter().copied()).collect();
    others.retain(|test| allowed(&test.path));
    let covered = |verdict: &Verdict| matches!(verdict, Verdict::Covered(_));
    let before: Vec<EdgeId> = loaded.lts.graph.edge_indices().filter(|edge| covered(&outcome.verdicts[edge.index()])).collect();
    let lost: SortedSet<EdgeId> = before
        .iter()
        .copied()
        .filter(|edge| !forbidden.contains(edge) && !taken.contains(edge) && !others.iter().any(|test| test.path.contains(edge)))
        .collect();
    if !lost.is_empty() {
        let mut more = search(&loaded.lts, &|_| settings.unwind, settings, &lost, &forbidden, meter);
        more.retain(|test| trace.claim(Event::Reached { path: &test.path, input: &test.input, after: &test.after }).is_ok());
        others.extend(more);
    }
    for test in others {
        if test.path.iter().any(|edge| !taken.contains(edge)) {
            taken.extend(test.path.iter().copied());
            tests.push(test);
        }
    }
    // Those that do not complete stay behind.
    let moved = |test: usize| test - outcome.complete + tests.len();
    for (edge, verdict) in loaded.lts.graph.edge_indices().zip(&mut outcome.verdicts) {
        *verdict = match *verdict {
            _ if forbidden.contains(&edge) => Verdict::Infeasible,
            Verdict::Covered(_) => match tests.iter().position(|test| test.path.contains(&edge)) {
                Some(test) => Verdict::Covered(test),
                None => Verdict::Open(Reason::Steps),
            },
            Verdict::NeverCompletes(test) => {
                let better = rest[first_failing..].iter().position(|test| test.path.contains(&edge));
                Verdict::NeverCompletes(better.map_or_else(|| moved(test), |at| tests.len() + first_failing + at))
            }
            Verdict::NotWithin(test) => Verdict::NotWithin(test.map(moved)),
            Verdict::Infeasible => Verdict::Infeasible,
            Verdict::Open(reason) => Verdict::Open(reason),
        };
    }
    outcome.enough = outcome.enough.map(|(unwind, test)| (unwind, moved(test)));
    outcome.failures.retain(|failure| allowed(&failure.path));
    outcome.complete = tests.len();
    tests.extend(rest);
    outcome.tests = tests;
}
