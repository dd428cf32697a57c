//! Statics: an initial state that some sequence of calls leaves, or a proof that no sequence leaves one.
//!
//! A run may begin with statics that are not as the program's start leaves them. Such a run decides something only if calls are known that
//! leave this state; so the state of a goal (an edge of the function) is one of these:
//!
//! - *first call*: a run takes it that begins with the first values;
//! - *after these calls*: a run takes it that begins with what some calls leave ([`Test::after`]);
//! - *no sequence of calls*: an invariant of the chain of calls ([`crate::lts::calls`]) excludes it (`left-by-calls`);
//! - *open*, and the statics that a run would need are told ([`needed`]).
//!
//! Steps of [`settle()`]:
//! 1. Search the function in its first call.
//! 2. Try calls one after another ([`tried`](mod@tried)).
//! 3. Search the chain for executions with few calls, and cut each into its calls ([`cut`]).
//! 4. Infer an invariant of the chain: no call takes an edge that it excludes, whatever calls came before.
//! 5. Search the chain for executions with more calls.
//!
//! Where statics lead to memory, there is no chain, and steps 3. to 5. are left out.
//!
//! A replayed test beats a claim: an edge that a test takes is never excluded, and the trace hears of the fault.

mod arguments;
mod cut;
mod needed;
mod tried;

pub use needed::{Needed, is_reachable_start, needed, needed_by};

use crate::interp::{ArrayInput, Input};
use crate::invariants::guesses::Guesses;
use crate::invariants::relations::Relations;
use crate::invariants::{FactQuery, Finder, Proved, Prover, Quiet, find_shallow};
use crate::load::{Loaded, exact};
use crate::logic::{Int, SortedSet, gathered};
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::lts::calls::Chain;
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;
use crate::view::Call;
use cut::{TriedCall, cut, joined};
use tried::tried;

/// Steps that each search for calls may take, and each inference of what they leave.
const CALLS_STEPS: u64 = 1_000_000;

/// How many calls before the last one to try: first few, since a short test says more.
const FEW_CALLS: [u32; 3] = [1, 2, 3];
/// And where what they leave does not settle it.
const MANY_CALLS: [u32; 4] = [4, 6, 8, 12];

/// An input with the path that its replay takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub input: Input,
    /// From the entry on; to the exit, but for a test that only shows that something is reached.
    pub path: Vec<EdgeId>,
    /// The calls since the program's start that leave the statics that the input has, where these do not have their first values.
    pub after: Vec<Call>,
}

/// A search for inputs of a graph that take edges. Where it is given a location, an execution returns there at most so often.
pub type GraphSearch<'s> = dyn FnMut(&Lts, Option<(LocationId, u32)>, &SortedSet<EdgeId>, &mut Meter) -> Vec<Input> + 's;

/// What is to be settled.
pub struct Goals {
    /// Edges of the function.
    pub edges: SortedSet<EdgeId>,
    /// Whether step 1 is done already.
    pub first_searched: bool,
    /// Whether an edge into the error location is among them.
    pub failing: bool,
    /// Whether one of them suffices.
    pub any: bool,
    /// Inputs whose runs take some of them, from any state.
    pub from_any: Vec<Input>,
}

/// What is settled.
#[derive(Debug, Default)]
pub struct Settled {
    /// Tests that begin as a first call does, or after calls; each replayed. Each takes an edge that none before it takes.
    pub tests: Vec<Test>,
    /// Edges that no sequence of calls takes, with the assumptions of the claim that the trace has.
    pub excluded: Vec<(EdgeId, Assumptions)>,
}

/// Whether a run that begins in any state leaves something to be settled: calls can change a static, and the request does not assume any
/// state.
pub fn matter(loaded: &Loaded) -> bool {
    let [any, left] = [Assumption::AnyState, Assumption::LeftByCalls].map(|one| loaded.assumed.contains(one));
    any && left && Assumption::AnyState.site(&loaded.base).is_some()
}

/// Settles the goals as far as it can; `name` begins the names of the claims, and `taken` are edges that tests take which begin in such a way.
pub fn settle(
    loaded: &Loaded,
    name: &'static str,
    (goals, taken): (Goals, &SortedSet<EdgeId>),
    search: &mut GraphSearch,
    meter: &mut Meter,
    trace: &Trace,
) -> Settled {
    let Goals { edges: goals, first_searched, failing, any, from_any } = goals;
    if goals.is_empty() {
        return Settled::default();
    }
    let world = exact(loaded.assumed);
    let chain = loaded.base.calls.as_ref().and_then(|calls| calls.chain(&loaded.base, world, |callable| callable.from_outside));
    let graph = chain.as_ref().map(|chain| if failing { chain.failing() } else { chain.lts.clone() });
    let mut looking = Looking { loaded, search, goals, any, settled: Settled::default(), runs: Vec::new(), proved: Vec::new() };
    // 1.
    if !first_searched {
        looking.first(world, meter, trace);
    }
    // 2.
    let calls = looking.try_calls(&from_any, meter, trace);
    let Some((chain, graph)) = chain.zip(graph) else { return looking.settled };
    looking.runs.extend(calls.iter().filter_map(|calls| joined(&chain, calls)));
    // 3.
    looking.look((&chain, &graph), &FEW_CALLS, meter, trace);
    // 4.
    if loaded.assumed.contains(Assumption::LeftByCalls) && Assumption::LeftByCalls.site(&loaded.base).is_some() && !looking.goals.is_empty()
    {
        looking.sample(&graph, meter);
        for assumed in [Assumptions::default(), world.that_matter(&loaded.base)] {
            looking.exclude(assumed.with(Assumption::LeftByCalls), meter, trace);
        }
    }
    // 5.
    looking.look((&chain, &graph), &MANY_CALLS, meter, trace);
    looking.conclude((name, taken), world, trace)
}

/// A search by finders: the next one is asked where the one before finds nothing.
pub fn finding<'f>(finders: &'f [&'f dyn Finder], trace: &'f Trace) -> Box<GraphSearch<'f>> {
    Box::new(move |lts, rounds, goals, meter| {
        let effort = u32::from(rounds.is_none_or(|(_, rounds)| rounds <= 3));
        let untaken: Vec<EdgeId> = goals.iter().copied().collect();
        let mut quiet = Quiet(trace);
        let quiet = Trace::new(&mut quiet);
        let mut found = Vec::new();
        for finder in finders {
            let query = FactQuery { untaken: &untaken, inputs: &found, facts: &[], rounds, only_inputs: true };
            let inputs = find_shallow(*finder, lts, &query, effort, meter, &quiet).inputs;
            found.extend(inputs);
            if !found.is_empty() {
                break;
            }
        }
        found
    })
}

/// The search for what leads to the goals.
struct Looking<'a, 's> {
    loaded: &'a Loaded,
    search: &'a mut GraphSearch<'s>,
    /// What is not settled yet, and whether one of it suffices.
    goals: SortedSet<EdgeId>,
    any: bool,
    settled: Settled,
    /// Inputs of the chain of which runs are known.
    runs: Vec<Input>,
    /// What excludes edges, under these assumptions.
    proved: Vec<(Proved, Vec<EdgeId>, Assumptions)>,
}

impl Looking<'_, '_> {
    /// 1.
    fn first(&mut self, world: Assumptions, meter: &mut Meter, trace: &Trace) {
        let first = under(&self.loaded.base, world.with(Assumption::FirstCall));
        let found = meter.within(CALLS_STEPS, |meter| (self.search)(&first, None, &self.goals, meter));
        for input in found {
            let input = with_first(&self.loaded.base, input);
            if let Some(test) = cut::alone(self.loaded, input) {
                self.keep(test, trace);
            }
        }
    }

    /// 2.
    fn try_calls(&mut self, from_any: &[Input], meter: &mut Meter, trace: &Trace) -> Vec<Vec<TriedCall>> {
        let loaded = self.loaded;
        meter.within(CALLS_STEPS, |meter| {
            tried(loaded, from_any, meter, &mut |test| {
                self.keep(test, trace);
                self.goals.is_empty()
            })
        })
    }

    /// 3. and 5., with these numbers of calls before the last one.
    fn look(&mut self, (chain, graph): (&Chain, &Lts), calls: &[u32], meter: &mut Meter, trace: &Trace) {
        meter.within(CALLS_STEPS, |meter| {
            for &calls in calls {
                if self.goals.is_empty() || meter.is_exhausted() {
                    break;
                }
                for input in (self.search)(graph, Some((chain.hub, calls)), &self.goals, meter) {
                    for test in cut(self.loaded, chain, graph, &input, &self.goals) {
                        self.keep(test, trace);
                    }
                    self.runs.push(input);
                }
            }
        });
    }

    /// Keeps a test that takes a goal.
    fn keep(&mut self, test: Test, trace: &Trace) {
        if test.path.iter().any(|edge| self.goals.contains(edge))
            && trace.claim(Event::Reached { path: &test.path, input: &test.input, after: &test.after }).is_ok()
        {
            self.goals.retain(|edge| !self.any && !test.path.contains(edge));
            self.settled.tests.push(test);
        }
    }

    /// Looks for runs of the chain that take all that can be taken.
    fn sample(&mut self, graph: &Lts, meter: &mut Meter) {
        let all: SortedSet<EdgeId> = (0..graph.graph.edge_count()).map(EdgeId::new).collect();
        meter.within(CALLS_STEPS, |meter| self.runs.extend((self.search)(graph, None, &all, meter)));
    }

    /// 4., under these assumptions.
    fn exclude(&mut self, assumed: Assumptions, meter: &mut Meter, trace: &Trace) {
        if self.goals.is_empty() {
            return;
        }
        let chain = under(&self.loaded.base, assumed);
        let untaken: Vec<EdgeId> = self.goals.iter().copied().collect();
        let query = FactQuery { untaken: &untaken, inputs: &self.runs, ..FactQuery::default() };
        let mut proved = meter.within(CALLS_STEPS, |meter| Guesses { widely: true }.show(&chain, &query, meter, trace));
        let is_left = |proved: &[Proved]| untaken.iter().any(|edge| !proved.iter().any(|proved| proved.excluded(&chain).contains(edge)));
        if is_left(&proved) {
            meter.within(CALLS_STEPS, |meter| proved.extend(Relations.show(&chain, &FactQuery { facts: &proved, ..query }, meter, trace)));
        }
        for proved in proved {
            let excluded: Vec<EdgeId> = proved.excluded(&chain).into_iter().filter(|edge| self.goals.contains(edge)).collect();
            if !excluded.is_empty() {
                self.goals.retain(|edge| !excluded.contains(edge));
                self.proved.push((proved, excluded, assumed));
            }
        }
    }

    /// Makes the claims, but of what tests take.
    fn conclude(mut self, (name, taken): (&str, &SortedSet<EdgeId>), world: Assumptions, trace: &Trace) -> Settled {
        let tests = &self.settled.tests;
        let is_taken = |edge: &EdgeId| taken.contains(edge) || tests.iter().any(|test| test.path.contains(edge));
        for (proved, mut excluded, assumed) in self.proved {
            let contradicted: Vec<EdgeId> = excluded.iter().copied().filter(is_taken).collect();
            if !contradicted.is_empty() {
                trace.emit(Event::Contradicted { edges: &contradicted });
                excluded.retain(|edge| !contradicted.contains(edge));
            }
            trace.emit(Event::Assuming(assumed));
            // A claim that the check rejects leaves the edges open.
            if !excluded.is_empty() && proved.emit(name, (&excluded, true), trace).is_ok() {
                self.settled.excluded.extend(excluded.into_iter().map(|edge| (edge, assumed)));
            }
        }
        trace.emit(Event::Assuming(world));
        self.settled
    }
}

/// The input with the first values of statics.
pub fn with_first(base: &Lts, mut input: Input) -> Input {
    for variable in &base.variables {
        if let Some(first) = &variable.first {
            input.values.insert(variable.name.clone(), first.clone());
        }
    }
    for array in &base.arrays {
        if let Some(first) = &array.first {
            let elements = gathered(first.iter().enumerate().map(|(index, value)| (Int::from(index), value.clone())));
            input.arrays.insert(array.name.clone(), ArrayInput { elements, default: Int::ZERO });
        }
    }
    input
}
