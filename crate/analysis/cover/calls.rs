//! Tests that begin with other calls, and what no call ever finds: for statements that only a run takes which starts with statics that
//! are not as the program's start leaves them.
//!
//! 1. Search the chain of calls ([`crate::lts::calls`]) for executions that take them, and cut each into its calls.
//! 2. Infer an invariant of the chain: what it excludes, no call takes, whatever calls came before.
//! 3. What neither settles stays with a test that assumes `any-state`; no such test takes what 2 excluded.

use super::search::Search;
use super::test::Test;
use super::{Outcome, Settings, Verdict, invariant};
use crate::analysis::common::trace::{Event, Trace};
use crate::evidence::bounded::condition::{Helpers, condition};
use crate::evidence::bounded::unwind::unwind;
use crate::evidence::check::another_start;
use crate::evidence::graph::excluded_claim;
use crate::evidence::sequence::Statics;
use crate::interp::{Input, Machine, State, Watch};
use crate::load::{Loaded, exact};
use crate::logic::SortedSet;
use crate::lts::assume::{Assumption, Assumptions};
use crate::lts::calls::Chain;
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::Meter;
use crate::solver::{Context, Reason};
use crate::view::{Call, input_view};
use std::ops::ControlFlow;

/// Steps that looking for calls may take, and that inferring what they leave may.
const CALLS_STEPS: u64 = 5_000_000;

/// Calls before the last one that are tried, at most, for functions without loops.
const MANY_CALLS: u32 = 12;

/// Adds tests that begin with other calls to an outcome, in place of those whose statics may be what no call leaves. Gives for each edge
/// that no call takes what this rests on.
pub fn after_others(loaded: &Loaded, settings: &Settings, outcome: &mut Outcome, meter: &mut Meter, trace: &Trace) -> Vec<(EdgeId, Assumptions)> {
    let mut wanted = only_from_any_state(loaded, outcome);
    let Some(calls) = loaded.base.calls.as_ref().filter(|_| !wanted.is_empty()) else { return Vec::new() };
    let world = exact(loaded.assumed);
    let Some(chain) = calls.chain(&loaded.base, world) else { return Vec::new() };
    // 1.
    let mut found: Vec<Test> = Vec::new();
    let mut runs: Vec<Input> = Vec::new();
    let outer = meter.narrow(CALLS_STEPS);
    for unwind in [settings.unwind, MANY_CALLS] {
        if wanted.is_empty() || unwind == MANY_CALLS && settings.unwind > MANY_CALLS {
            break;
        }
        for test in search(&chain.lts, unwind, settings, &wanted, &[], meter) {
            runs.push(test.input.clone());
            let Some(last) = cut(loaded, &chain, &test) else { continue };
            if last.path.iter().any(|edge| wanted.contains(edge)) {
                wanted.retain(|edge| !last.path.contains(edge));
                trace.emit(Event::Reached { path: &last.path, input: &last.input, after: &last.after });
                found.push(last);
            }
        }
    }
    meter.widen(outer);
    // 2.
    let mut excluded = Vec::new();
    if loaded.assumed.contains(Assumption::LeftByCalls) && Assumption::LeftByCalls.site(&loaded.base).is_some() && !wanted.is_empty() {
        let all: SortedSet<EdgeId> = (0..chain.lts.graph.edge_count()).map(EdgeId::new).collect();
        let outer = meter.narrow(CALLS_STEPS);
        runs.extend(search(&chain.lts, settings.unwind, settings, &all, &[], meter).into_iter().map(|test| test.input));
        meter.widen(outer);
        for assumed in [Assumptions::default(), world.that_matter(&loaded.base)] {
            exclude(loaded, assumed.with(Assumption::LeftByCalls), &runs, &mut wanted, &mut excluded, meter, trace);
        }
        trace.emit(Event::Assuming(world));
    }
    // 3.
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

/// Executions that complete and take some of these edges, and none of the forbidden ones.
fn search(lts: &Lts, bound: u32, settings: &Settings, wanted: &SortedSet<EdgeId>, forbidden: &[EdgeId], meter: &mut Meter) -> Vec<Test> {
    let mut silent = crate::analysis::common::trace::Silent;
    let trace = Trace::new(&mut silent);
    let Ok(unwound) = unwind(lts, bound) else { return Vec::new() };
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
fn cut(loaded: &Loaded, chain: &Chain, test: &Test) -> Option<Test> {
    let machine = Machine::new(&chain.lts);
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
        let lts = if copy == 0 { &loaded.base } else { others.iter().find(|lts| lts.function == *function)? };
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

/// 2., under these assumptions.
fn exclude(
    loaded: &Loaded,
    assumed: Assumptions,
    runs: &[Input],
    wanted: &mut SortedSet<EdgeId>,
    excluded: &mut Vec<(EdgeId, Assumptions)>,
    meter: &mut Meter,
    trace: &Trace,
) {
    if wanted.is_empty() {
        return;
    }
    let chain = crate::lts::assume::under(&loaded.base, assumed);
    trace.emit(Event::Assuming(assumed));
    let outer = meter.narrow(CALLS_STEPS);
    let invariant = invariant::infer(&chain, &Machine::new(&chain), runs, meter, trace);
    meter.widen(outer);
    let Some(invariant) = invariant else { return };
    let settled: Vec<EdgeId> = invariant.excluded(&chain).into_iter().filter(|edge| wanted.contains(edge)).collect();
    if settled.is_empty() {
        return;
    }
    let graph = invariant.graph(&chain);
    trace.shown(invariant.certificates.len(), &|number| {
        excluded_claim(number, (&settled, true), &invariant.pool, &graph, &invariant.certificates)
    });
    wanted.retain(|edge| !settled.contains(edge));
    excluded.extend(settled.into_iter().map(|edge| (edge, assumed)));
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
    let rest = complete.split_off(rest);
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
        let more = search(&loaded.lts, settings.unwind, settings, &lost, &forbidden, meter);
        for test in &more {
            trace.emit(Event::Reached { path: &test.path, input: &test.input, after: &test.after });
        }
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
            Verdict::NeverCompletes(test) => Verdict::NeverCompletes(moved(test)),
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
