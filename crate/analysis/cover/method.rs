//! Cover: a small set of tests for every statement that can be executed within a bound, and why the others cannot.
//!
//! Source: CHS12.
//!
//! | paper | here |
//! |---|---|
//! | loop unwinding, clones | [`crate::evidence::bounded::unwind`] |
//! | single static assignment, `WLP`, `VC`, `B_i`, `R_i` | [`crate::evidence::bounded::condition`] |
//! | `checksat`, AlgPC, AlgSC, AlgFM, AlgVSTTE | [`search`] over [`crate::solver::Context`] |
//! | procedure summaries (Section 6) | [`summary`] |
//! | test case (Definition 1) | [`test::Test`]: an input and its path, replayed by [`crate::interp`] |
//!
//! Steps:
//! 1. Unwind: an execution returns to each loop's header at most `k` times before it leaves the loop. Find the blocks.
//! 2. Derive the reachability verification condition.
//! 3. Cover: ask for executions until no uncovered block is left; each becomes a test.
//!    Of a program with few inputs the runs on all of them cover what is left ([`crate::run::enumerated`]).
//! 4. Refute what is left at once: no execution within the bound takes these edges and completes. Questions that took too long are asked
//!    once more with more steps.
//! 5. Of these, which can an execution reach at all? Executions that take them and then fail or go on for ever become tests of
//!    another kind; refute the rest at once again.
//! 6. Give verdicts. Where every execution through an edge is within the bound ([`bound_irrelevant`]), a proof of step 4 or 5 holds for
//!    every execution. An edge from which the graph has no way to the exit never completes.
//! 7. Ask the provers, which speak of every execution, however often loops run ([`crate::invariants`]): invariants guessed from
//!    runs, pruning, loop summaries. They show of some edges that no execution takes them, and of some that none gets from there to the exit.
//! 8. Look for runs that end without a defined meaning ([`errors`]), and for what excludes each statement.
//! 9. Ask the finders of inputs along loops ([`past_bound`]) for the open edges: their inputs are tests, too, though beyond the bound.
//!
//! Of a program that reads no input the one run gives every verdict ([`determined`]), but where the request has a bound or asks for
//! summaries.
//!
//! DIVERGENCE: the paper calls everything infeasible that no terminating execution passes within the bound. [`EdgeVerdict`] tells
//! three things apart here. Lowering inlines calls, and a statement is an edge of the LTS; so one of a function that is called
//! twice counts twice.
//!
//! Decision: procedure summaries ([`summary`], off by default) find tests and nothing else. They leave executions out, so a test
//! that they do not find is no verdict. 3 then begins with their tests, each replayed in the inlined program, and asks for what
//! is left with calls inlined; 4 to 9 stay as they are. So the result is the same with and without summaries, but for which tests
//! it has. Only where the program with its calls inlined is too large to unwind, what summaries do not cover is open, for that
//! reason.
//!
//! Decision: the default is ours, [`Algorithm::Prefer`], instead of the paper's AlgSC. Of 84 programs (the examples and the
//! corpus) two get one test more and all others as many or fewer, in about the time; on a row of n decisions `x > 0`, `x > 1`, …
//! it gives 2 tests where AlgSC gives n + 1. With it one question decides as much as n small ones, so the steps of a question
//! grow with the program.
//!
//! Invariants: an edge is *covered* only with a replayed test; everything else carries a refutation that the checker accepted, or
//! is open. Each question covers an edge more, or ends the search, so there are at most as many as edges (AlgPC: paths).

pub mod assumption_search;
pub mod bound_irrelevant;
pub mod calls;
pub mod determined;
pub mod errors;
mod exclusion_core;
pub mod failing_from_first;
pub mod finder;
pub mod kept_runs;
pub mod others;
pub mod past_bound;
pub mod reason_paths;
pub mod search;
mod settled_apart;
pub mod summary;
pub mod test;
pub mod unwinding_bound;

use crate::analysis::PROVERS;
use crate::evidence::bounded::condition::{Helpers, condition};
use crate::evidence::bounded::unwind::{UnwindObstacle, Unwound, unwind};
use crate::evidence::bounded::{not_covered_claim, refuted_formulas};
use crate::evidence::graph::dead_ends_claim;
use crate::interp::{Input, Machine};
use crate::invariants::{self, FactQuery};
use crate::lang::ast::Program;
use crate::logic::{FormulaId, Pool, SortedSet};
use crate::lts::lower::Options;
use crate::lts::structure::distances;
use crate::lts::{EdgeId, Lts};
use crate::run::computed_inputs::computed_inputs;
use crate::run::determined::SettledRun;
use crate::run::plain_numbers::plain_numbers;
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, Reason, check};
use crate::symex::approximated;
use bound_irrelevant::ExitQueries;
use kept_runs::given_tests_only;
use search::{BoundedProgram, CoverSearch};
use settled_apart::SettledApart;
use std::rc::Rc;
use test::{Test, walk};

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;
/// Step budget of each prover.
const PROVER_STEPS: u64 = 20_000_000;

/// The part of the steps that are left which the search for tests may take: the others are for proofs.
const SEARCHED: (u64, u64) = (3, 4);

/// A question that took too long may take so many times as many steps the next time.
const LONGER: u64 = 10;

/// Which questions the search asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// A test for every feasible path.
    Pc,
    /// A test for every statement, by enabling clauses.
    Sc,
    /// One question for each minimal block.
    Fm,
    /// Each question asks for as many new blocks as possible.
    Vstte,
    /// As `Sc`, with a solver that prefers uncovered blocks.
    Prefer,
}

/// How to cover.
#[derive(Clone, Copy, Debug)]
pub struct CoverPlan {
    /// How often an execution may return to each loop's header before it leaves the loop.
    pub unwind: u32,
    pub algorithm: Algorithm,
    /// Whether to make inputs small.
    pub small: bool,
    /// Whether to say why an edge is not covered.
    pub verdicts: bool,
}

/// What is known of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeVerdict {
    /// The test with this number takes it and completes.
    Covered(usize),
    /// No execution takes it.
    Infeasible,
    /// The test with this number takes it; no execution that takes it completes.
    NeverCompletes(usize),
    /// No execution that returns to each loop's header at most [`CoverPlan::unwind`] times takes it and completes; the test with
    /// this number, if any, takes it.
    NotWithin(Option<usize>),
    /// Only runs are known to take it that begin with statics which no calls are known to leave: the one with this number of
    /// [`CoverOutcome::unbacked`].
    Unbacked(usize),
    /// The test with this number takes it and does not complete; whether some execution does is not known.
    Reached(usize),
    Open(Reason),
}

/// What [`run`] found.
#[derive(Debug)]
pub struct CoverOutcome {
    /// The bound of loops: [`CoverPlan::unwind`].
    pub unwind: u32,
    pub tests: Vec<Test>,
    /// So many of the tests complete; the others only show that something is reached.
    pub complete: usize,
    /// So many of those that complete, the last ones, are not within the bound ([`beyond`]).
    pub beyond: usize,
    /// Runs that decide nothing: no calls are known to leave the state that they begin with.
    pub unbacked: Vec<Test>,
    /// For each edge, by its number.
    pub verdicts: Vec<EdgeVerdict>,
    /// For each edge that is not covered the sides of decisions that exclude it, each needed for that; empty where that is not
    /// known.
    pub because: Vec<Vec<EdgeId>>,
    /// Runs that end without a defined meaning ([`errors`]).
    pub failures: Vec<errors::FailingRun>,
    /// How many questions the algorithm asked the solver.
    pub queries: u32,
    /// Why the algorithm ended early, if it did.
    pub cut: Option<Reason>,
    /// Whether an execution may leave the bound of loops or of recursion, as far as is known.
    pub bounded: bool,
    /// A larger bound within which the run with the input of some test completes, and the number of that test; only where the
    /// search found a run that completes beyond this bound.
    pub enough: Option<(u32, usize)>,
    /// How the search used summaries, where the caller asked for them.
    pub summaries: Option<summary::SummaryUsage>,
    /// Why the search did not ask anything with calls inlined: open is then what summaries did not cover.
    pub obstacle: Option<UnwindObstacle>,
    /// The only execution, where the program reads no input: it settled every verdict.
    pub determined: Option<SettledRun>,
}

/// Covers the function: finds tests, and verdicts for the edges that no test takes.
///
/// # Errors
/// Where the function cannot be unwound.
pub fn run(lts: &Lts, settings: &CoverPlan, meter: &mut Meter, trace: &Trace) -> Result<CoverOutcome, UnwindObstacle> {
    run_with_tests(lts, settings, &[], meter, trace)
}

/// Covers the function with summaries of the functions it calls first: their tests come first. `lts` is the function with its
/// calls inlined, lowered with these options. [`run`] then looks for what they leave with calls inlined, and every verdict rests
/// on that. Where inlining grows too large, what is not covered is open.
///
/// # Errors
/// As [`run`]; growing too large is an error only where summaries did not find a test.
pub fn run_with_summaries(
    program: &Program,
    options: &Options,
    lts: &Lts,
    settings: &CoverPlan,
    meter: &mut Meter,
    trace: &Trace,
) -> Result<CoverOutcome, UnwindObstacle> {
    let (tests, report) = summary::tests(program, options, lts, settings, meter, trace);
    let mut cover = match run_with_tests(lts, settings, &tests, meter, trace) {
        Err(obstacle) if !tests.is_empty() && obstacle == UnwindObstacle::TooLarge => {
            given_tests_only(lts, settings.unwind, tests, obstacle, trace)
        }
        outcome => outcome?,
    };
    cover.queries += report.queries;
    cover.bounded |= report.bounded;
    cover.summaries = Some(report);
    Ok(cover)
}

/// As [`run`], beginning with complete tests that the caller knows.
fn run_with_tests(
    lts: &Lts,
    settings: &CoverPlan,
    given: &[Test],
    meter: &mut Meter,
    trace: &Trace,
) -> Result<CoverOutcome, UnwindObstacle> {
    // 1.
    let unwound = unwind(lts, settings.unwind)?;
    // 2.
    let mut context = Context::new();
    let condition = condition(lts, &unwound, &mut context.pool, Helpers::None)?;
    let machine = Machine::new(lts);
    let mut search =
        CoverSearch::new(&machine, BoundedProgram { lts, unwound: &unwound, condition: &condition }, context, settings, meter, trace);
    given.iter().for_each(|test| search.know(test.clone()));
    // What is not understood is in no test: paths around it come first.
    let approximated = lts.approximated();
    if !approximated.is_empty() {
        let goals = lts.graph.edge_indices().collect();
        let around = calls::search(lts, &|_| settings.unwind, settings, &goals, &approximated, search.meter);
        around.into_iter().for_each(|test| search.know(test));
    }
    let covered = search.covered.clone();
    for (input, run) in computed_inputs(lts, &machine, |edge| covered[edge.index()].is_none(), search.meter) {
        let input = plain_numbers(lts, &machine, input, &run.edges, search.meter);
        let test = Test { input, path: run.edges, after: Vec::new() };
        if ends(lts, &test) {
            search.know(test);
        }
    }
    // 3.
    let share = search.meter.left() / SEARCHED.1 * SEARCHED.0;
    let mut cut = search.within(share, |search| search.run(settings.algorithm));
    let queries = search.queries;
    let mut bounded = unwound.is_bounded() || lts.cut.is_some();
    let mut apart = if settings.verdicts { SettledApart::of_conditions(&mut search) } else { SettledApart::default() };
    apart.every_input(settings.unwind, &mut search);
    let (mut verdicts, mut failures) = (Vec::new(), Vec::new());
    if settings.verdicts {
        (verdicts, bounded) = judge(&mut search, settings, &unwound, &apart.excluded);
        // What took the search too long is settled now; but for a search for paths.
        let is_open = verdicts.iter().any(|verdict| matches!(verdict, EdgeVerdict::Open(_)));
        cut =
            cut.filter(|reason| *reason != Reason::Steps || is_open || settings.algorithm == Algorithm::Pc || search.meter.is_exhausted());
        // Where lowering cut calls off, no verdict here holds of every execution.
        if bounded && lts.cut.is_none() {
            beyond(&mut search, &mut verdicts);
        }
        for &edge in apart.excluded.iter().chain(&apart.by_runs) {
            if matches!(verdicts[edge.index()], EdgeVerdict::NotWithin(None) | EdgeVerdict::Open(_)) {
                verdicts[edge.index()] = EdgeVerdict::Infeasible;
            }
        }
        failures = errors::failures(&mut search, &machine);
    }
    let enough = unwinding_bound::enough(lts, &machine, &verdicts, &search.tests, settings.unwind);
    let mut because = exclusion_core::because(lts, &unwound, &verdicts, search.meter, trace);
    apart.by_themselves.iter().for_each(|&edge| because[edge.index()] = vec![edge]);
    // Tests that complete come first: the search looks for the others when nothing that completes is left.
    let complete = search.tests.iter().filter(|test| ends(lts, test)).count();
    Ok(CoverOutcome {
        unwind: settings.unwind,
        tests: search.tests,
        complete,
        beyond: 0,
        unbacked: Vec::new(),
        verdicts,
        because,
        failures,
        queries,
        cut,
        bounded,
        enough,
        summaries: None,
        obstacle: None,
        determined: None,
    })
}

/// Whether the test's path ends at the exit.
fn ends(lts: &Lts, test: &Test) -> bool {
    test.path.last().map_or(lts.entry, |&edge| lts.edge(edge).2) == lts.exit
}

/// 4. to 6., but for edges that are excluded already; gives the verdict of each edge, and whether executions may leave the bound.
fn judge(search: &mut CoverSearch, settings: &CoverPlan, unwound: &Unwound, excluded: &SortedSet<EdgeId>) -> (Vec<EdgeVerdict>, bool) {
    let lts = search.lts;
    // 4. `refute` says why a question stays open.
    let share = search.meter.left() / SEARCHED.1 * SEARCHED.0;
    let _ = search.within(share, |search| search.statements(false));
    let is_left = |edge: &EdgeId| search.covered[edge.index()].is_none() && !excluded.contains(edge);
    let mut left: Vec<EdgeId> = lts.graph.edge_indices().filter(is_left).collect();
    // An edge whose condition is the formula `false` has a proof without a search: it comes before the questions to the solver.
    let is_false = |arc: &usize| search.condition.arcs[*arc] == Pool::FALSE;
    let possible: SortedSet<EdgeId> = (0..unwound.arcs.len()).filter(|arc| !is_false(arc)).map(|arc| unwound.arcs[arc].edge).collect();
    let (others, plain): (Vec<EdgeId>, Vec<EdgeId>) = left.iter().partition(|edge| possible.contains(edge));
    let mut stays_open = refute(search, settings, &plain, false);
    stays_open.extend(refute(search, settings, &others, false));
    let usual = search.context.query_limit;
    longer_questions(search, settings, &mut stays_open);
    let mut verdicts: Vec<EdgeVerdict> =
        search.covered.iter().map(|test| test.map_or(EdgeVerdict::NotWithin(None), EdgeVerdict::Covered)).collect();
    for (edge, reason) in stays_open {
        verdicts[edge.index()] = EdgeVerdict::Open(reason);
    }
    left.retain(|edge| matches!(verdicts[edge.index()], EdgeVerdict::NotWithin(_)));
    // 5.
    let open = find_taken(search, settings, unwound, &left, &mut verdicts);
    search.context.query_limit = usual;
    // 6.
    let to_exit = distances(lts, lts.exit);
    let mut exit_queries = ExitQueries::new(lts, unwound);
    let bounded = exit_queries.is_bounded();
    let (mut dead_ends, mut within) = (Vec::new(), [Vec::new(), Vec::new()]);
    for &edge in &left {
        let verdict = &mut verdicts[edge.index()];
        let EdgeVerdict::NotWithin(test) = *verdict else { continue };
        let unknown = open.iter().find(|(other, _)| *other == edge).map(|(_, reason)| *reason);
        let taken = test.is_none();
        let dead_end = !taken && lts.cut.is_none() && to_exit[lts.edge(edge).2.index()].is_none();
        let is_within = !dead_end && exit_queries.is_within(unwound, edge, taken, search.meter, search.trace);
        *verdict = match (test, unknown) {
            (Some(test), _) if is_within || dead_end => EdgeVerdict::NeverCompletes(test),
            (None, None) if is_within => EdgeVerdict::Infeasible,
            (None, Some(reason)) if is_within => EdgeVerdict::Open(reason),
            (test, _) => EdgeVerdict::NotWithin(test),
        };
        if dead_end {
            dead_ends.push(edge);
        } else if is_within && bounded && !matches!(verdict, EdgeVerdict::Open(_)) {
            within[usize::from(taken)].push(edge);
        }
    }
    if !dead_ends.is_empty() {
        let claimed = search.trace.proved(0, &|number| dead_ends_claim(number, &dead_ends));
        unclaimed(claimed, &dead_ends, &mut verdicts);
    }
    for (taken, edges) in [(false, &within[0]), (true, &within[1])] {
        unclaimed(exit_queries.emit(settings.unwind, taken, edges, search.trace), edges, &mut verdicts);
    }
    (verdicts, exit_queries.is_bounded())
}

/// Leaves open what a claim said of these edges that the check does not believe.
fn unclaimed(claimed: Result<(), Reason>, edges: &[EdgeId], verdicts: &mut [EdgeVerdict]) {
    if let Err(reason) = claimed {
        edges.iter().for_each(|edge| verdicts[edge.index()] = EdgeVerdict::Open(reason));
    }
}

/// Step 4 once more, for what stays open as its questions took too long: with tenfold as many steps for each, as long as half of the
/// steps that are left suffices. The search keeps the last limit.
fn longer_questions(search: &mut CoverSearch, settings: &CoverPlan, open: &mut Vec<(EdgeId, Reason)>) {
    let half = search.meter.limit().saturating_sub(search.meter.used()) / 2;
    search.within(half, |search| {
        while search.meter.spend(1).is_ok() {
            let again: Vec<EdgeId> = open.iter().filter(|(_, reason)| *reason == Reason::Steps).map(|(edge, _)| *edge).collect();
            if again.is_empty() {
                break;
            }
            search.context.query_limit *= LONGER;
            let _ = search.with_edges(&again);
            let left: Vec<EdgeId> = again.iter().copied().filter(|edge| search.covered[edge.index()].is_none()).collect();
            let refused = refute(search, settings, &left, false);
            open.retain(|(edge, _)| !again.contains(edge));
            open.extend(refused);
        }
    });
}

/// 7.: makes open verdicts and those about the bound into verdicts about every execution, where a prover proves them.
fn beyond(search: &mut CoverSearch, verdicts: &mut [EdgeVerdict]) {
    let (lts, trace) = (search.lts, search.trace);
    // What the library does is no statement.
    let edges: Vec<EdgeId> = lts.graph.edge_indices().filter(|&edge| !lts.graph[edge].library).collect();
    let is_left = |verdicts: &[EdgeVerdict]| edges.iter().any(|edge| matches!(verdicts[edge.index()], EdgeVerdict::NotWithin(_)));
    if !is_left(verdicts) {
        return;
    }
    let inputs: Vec<Input> = search.tests.iter().map(|test| test.input.clone()).collect();
    let is_untaken = |edge: &EdgeId| matches!(verdicts[edge.index()], EdgeVerdict::NotWithin(None) | EdgeVerdict::Open(_));
    let untaken: Vec<EdgeId> = edges.iter().copied().filter(is_untaken).collect();
    let query = FactQuery { untaken: &untaken, inputs: &inputs, ..FactQuery::default() };
    invariants::ask((PROVERS, &["cover"]), (lts, &query), PROVER_STEPS, (search.meter, trace), &mut |proved| {
        for (taken, edges) in [(true, proved.excluded(lts)), (false, proved.dead_ends(lts))] {
            let mut settled = Vec::new();
            for edge in edges {
                let verdict = &mut verdicts[edge.index()];
                *verdict = match *verdict {
                    EdgeVerdict::NotWithin(None) | EdgeVerdict::Open(_) if taken => EdgeVerdict::Infeasible,
                    EdgeVerdict::NotWithin(Some(test)) if !taken => EdgeVerdict::NeverCompletes(test),
                    _ => continue,
                };
                settled.push(edge);
            }
            if !settled.is_empty() {
                unclaimed(proved.emit("cover", (&settled, taken), trace), &settled, verdicts);
            }
        }
        !is_left(verdicts)
    });
}

/// A question about one edge alone gets one part in so many of the steps of a question, where one about many edges is open.
const ALONE: u64 = 10;

/// Refutes that an execution takes one of these edges (and, but for `taken`, completes), and lets the trace know. Where that
/// takes too long, it asks briefly of each edge alone, so that an edge with a hard condition leaves no other edge open, and then refutes half
/// of the edges that are left at a time. Gives the edges that stay open, each with the reason.
fn refute(search: &mut CoverSearch, settings: &CoverPlan, edges: &[EdgeId], taken: bool) -> Vec<(EdgeId, Reason)> {
    let mut open = Vec::new();
    let mut waiting = vec![edges.to_vec()];
    let mut is_whole = true;
    while let Some(mut edges) = waiting.pop() {
        match edges.len() {
            0 => continue,
            _ => match refute_all(search, settings, &edges, taken) {
                Ok(()) => {}
                // No certificate refutes an edge on the path of a model; the model says nothing about the other edges.
                Err(Unrefuted { reason, taken }) if !taken.is_empty() => {
                    edges.retain(|edge| !taken.contains(edge));
                    open.extend(taken.into_iter().map(|edge| (edge, reason)));
                    waiting.push(edges);
                }
                Err(Unrefuted { reason: Reason::Steps | Reason::Bits | Reason::Text, .. })
                    if edges.len() > 1 && !search.meter.is_exhausted() =>
                {
                    if std::mem::take(&mut is_whole) {
                        let usual = search.context.query_limit;
                        search.context.query_limit /= ALONE;
                        edges.retain(|&edge| refute_all(search, settings, &[edge], taken).is_err());
                        search.context.query_limit = usual;
                    }
                    let half = edges.split_off(edges.len() / 2);
                    waiting.extend([half, edges]);
                }
                Err(Unrefuted { reason, .. }) => open.extend(edges.into_iter().map(|edge| (edge, reason))),
            },
        }
    }
    open
}

/// A question whether an execution takes one of some edges, without a refutation.
struct Unrefuted {
    reason: Reason,
    /// The edges of the question on the path of a model, if the solver found one.
    taken: Vec<EdgeId>,
}

/// One refutation for all of them.
///
/// # Errors
/// Why it stays open.
fn refute_all(search: &mut CoverSearch, settings: &CoverPlan, edges: &[EdgeId], taken: bool) -> Result<(), Unrefuted> {
    let mut context = Context::new();
    context.query_limit = search.context.query_limit;
    context.pool = std::mem::take(&mut search.context.pool);
    for formula in refuted_formulas(search.condition, search.unwound, &mut context.pool, edges, taken) {
        context.assert(formula);
    }
    let answer = context.check(search.meter);
    search.trace.emit(Event::Query { context: &context, answer: &answer });
    let on_path = match &answer {
        Answer::Sat(model) => {
            let ways = if taken { search.condition.taken(search.unwound, &mut context.pool) } else { search.condition.arcs.clone() };
            let path: Vec<EdgeId> = search.unwound.edges(&walk(search.unwound, &ways, &context.pool, model)).collect();
            edges.iter().copied().filter(|edge| path.contains(edge)).collect()
        }
        _ => Vec::new(),
    };
    let outcome = match &answer {
        Answer::Unsat(refutation) => match check::check(&context.pool, context.assertions(), &refutation.certificate) {
            Ok(()) => search
                .trace
                .proved(1, &|number| not_covered_claim(number, (settings.unwind, taken), edges, &context.pool, &refutation.certificate)),
            Err(_) => Err(Reason::Rejected),
        },
        // A model that is no execution says nothing.
        Answer::Sat(_) if approximated(&context.pool, context.assertions()).is_some() => Err(Reason::Bits),
        Answer::Sat(_) => Err(search.without_test(Reason::Rejected)),
        Answer::Unknown(reason) => Err(*reason),
    };
    search.context.pool = context.pool;
    outcome.map_err(|reason| Unrefuted { reason, taken: on_path })
}

/// 5.; gives the edges of which it stays open whether an execution reaches them, and why.
fn find_taken(
    search: &mut CoverSearch,
    settings: &CoverPlan,
    unwound: &Unwound,
    left: &[EdgeId],
    verdicts: &mut [EdgeVerdict],
) -> Vec<(EdgeId, Reason)> {
    let mut context = Context::new();
    context.pool = std::mem::take(&mut search.context.pool);
    context.query_limit = search.context.query_limit;
    let taken = search.condition.taken(unwound, &mut context.pool);
    context.assert(search.condition.precondition);
    let (mut open, mut never) = (Vec::new(), Vec::new());
    let mut waiting = vec![left.to_vec()];
    while let Some(mut rest) = waiting.pop() {
        rest.retain(|edge| matches!(verdicts[edge.index()], EdgeVerdict::NotWithin(None)));
        if rest.is_empty() {
            continue;
        }
        let arcs = (0..unwound.arcs.len()).filter(|&arc| rest.contains(&unwound.arcs[arc].edge));
        let ways: Vec<FormulaId> = arcs.map(|arc| taken[arc]).collect();
        let any = context.pool.or(&ways);
        let trace = search.trace;
        let answer = context.check_logged(&[any], search.meter, trace);
        let reason = match answer {
            Answer::Unknown(reason) => reason,
            Answer::Unsat(_) => {
                never.extend(rest);
                continue;
            }
            Answer::Sat(model) => {
                let mut path = walk(unwound, &taken, &context.pool, &model);
                // Up to the last edge that matters.
                let last = path.iter().rposition(|&arc| rest.contains(&unwound.arcs[arc].edge));
                path.truncate(last.map_or(0, |last| last + 1));
                let number = search.tests.len();
                let told = search.machine.reads_stdin().then(|| {
                    let mut meter = Meter::new(search.meter.left().min(search::SETTLING));
                    let told = search.told_along(&mut context, &taken, &path, &model, &mut meter);
                    let _ = search.meter.spend(meter.used());
                    told
                });
                let model = told.flatten().map_or(model, Rc::new);
                search.context.pool = std::mem::take(&mut context.pool);
                let kept = if path.is_empty() { Err(Reason::Rejected) } else { search.keep_walk(&model, &path) };
                context.pool = std::mem::take(&mut search.context.pool);
                match kept {
                    Err(Reason::Rejected) if approximated(&context.pool, &[search.condition.complete, any]).is_some() => Reason::Bits,
                    Err(reason) => search.without_test(reason),
                    Ok(()) => {
                        for edge in unwound.edges(&path) {
                            if let EdgeVerdict::NotWithin(test @ None) = &mut verdicts[edge.index()] {
                                *test = Some(number);
                            }
                        }
                        waiting.push(rest);
                        continue;
                    }
                }
            }
        };
        if matches!(reason, Reason::Steps | Reason::Bits | Reason::Text) && rest.len() > 1 && !search.meter.is_exhausted() {
            let half = rest.split_off(rest.len() / 2);
            waiting.extend([half, rest]);
        } else {
            open.extend(rest.into_iter().map(|edge| (edge, reason)));
        }
    }
    search.context.pool = context.pool;
    open.extend(refute(search, settings, &never, true));
    open
}
