//! Procedure summaries: what tests of the callees say of the caller (CHS12, Section 6).
//!
//! 1. Cover each function that the function calls by itself, bottom-up over the calls, with its own calls replaced. Each test
//!    becomes a pair of what it reads and what it leaves.
//! 2. Cover the function itself with choices among pairs in the place of its calls ([`crate::lts::lower::summary`]).
//! 3. Run each test of it in the original program, with the values that `nondet()` gave in a pair put where the call stands.
//!    Lemma 3 says that the run completes; what it takes counts, nothing else.
//! 4. Where statements of the function itself are left, ask with which values calls would have to answer for an execution to get
//!    there. Cover the callee once more with these values given (and where that is of no use, with what it would have to
//!    leave), and repeat 2, until no pair is new, two rounds in a row cover nothing, or [`MAX_ROUNDS`] are over. 1 does the same
//!    for the functions that are called.
//!
//! Summaries leave executions out, so what they do not cover says nothing. Verdicts rest on the program with its calls inlined,
//! as without summaries ([`super::run_with_summaries`]).
//!
//! DIVERGENCE: the paper writes down the values of all parameters and globals. Here a pair has those that its execution reads
//! before it writes them, and changes those that it writes: it fits more calls, and is as sound.
//!
//! [`Inlined`] lists the functions that have no summary: they use arrays of others, may end the program (`exit`), read variables
//! of their own that have no value yet, or grow too large; and `main`, whose end is not that of other functions.

mod explore;
mod pairs;

use super::CoverPlan;
use super::test::{self, Test};
use crate::interp::{Input, Machine, Outcome};
use crate::lang::ast::Program;
use crate::logic::{ArrayValue, Assignment, Pool};
use crate::lts::Lts;
use crate::lts::inputs::inputs;
use crate::lts::lower::Options;
use crate::run::trace::{Event, Sink, Trace};
use crate::solver::meter::Meter;
use crate::symex;
use explore::{ExploredInput, Work};
use std::fmt;

/// How often to cover a function again because calls in it have no answer.
pub const MAX_ROUNDS: u32 = 8;
/// How many pairs a summary may have.
pub const MAX_PAIRS: usize = 100;

/// What became of a called function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    pub name: String,
    /// How many pairs its summary has in the end; `None` where it is inlined.
    pub pairs: Option<usize>,
    /// How often [`tests`] covered it again with values of a caller.
    pub recomputed: u32,
    /// Why it is inlined.
    pub inlined: Option<Inlined>,
}

/// Why a function has no summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inlined {
    /// It uses an array that is not its own.
    Array,
    /// It may end the program.
    Exits,
    /// It reads a variable of its own, or an array, before that has a value.
    Unset,
    /// It is `main`.
    Main,
    /// It is too large to look at with its calls inlined.
    TooLarge,
}

impl fmt::Display for Inlined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Inlined::Array => "it uses an array that is not its own",
            Inlined::Exits => "it may end the program",
            Inlined::Unset => "it reads a variable of its own before that has a value",
            Inlined::Main => "it is `main`",
            Inlined::TooLarge => "with its calls inlined it is too large",
        })
    }
}

/// How [`tests`] used summaries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryUsage {
    /// The functions that are called, callees first.
    pub callees: Vec<Callee>,
    /// How many questions it asked with summaries, those about callees included.
    pub queries: u32,
    /// Complete tests found with summaries.
    pub tests: usize,
    /// Tests found with summaries whose run in the original program did not complete. Lemma 3 says that there are none; none is
    /// used.
    pub rejected: u32,
    /// Whether the bound cut a loop short.
    pub bounded: bool,
}

/// Lets questions through to the trace and nothing else: findings here speak of other graphs than the caller's.
struct Questions<'a, 't>(&'a Trace<'t>);

impl Sink for Questions<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> bool {
        !matches!(event, Event::Query { .. }) || self.0.emit(event)
    }
}

/// Tests of the function that summaries of the functions it calls find; the interpreter has replayed each in `lts`, which has the
/// calls inlined. Uses at most half of the steps that are left.
pub fn tests(
    program: &Program,
    options: &Options,
    lts: &Lts,
    settings: &CoverPlan,
    meter: &mut Meter,
    trace: &Trace,
) -> (Vec<Test>, SummaryUsage) {
    let mut sink = Questions(trace);
    let inner = Trace::new(&mut sink);
    let mut work = Work::new(program, options, settings, &inner);
    // What a call has read decides what can be read after it, and summaries do not say it.
    if lts.reads_stdin() {
        return (Vec::new(), work.report);
    }
    let Some((root, _)) = program.function(&lts.function) else { return (Vec::new(), work.report) };
    let callees = pairs::callees(program, root);
    let found = meter.within(meter.limit().saturating_sub(meter.used()) / 2, |meter| {
        // 1.
        for &function in &callees {
            work.begin(function, meter);
        }
        // 2. and 4.
        work.explore(root, lts, &|summarized| summarized.precondition.clone_from(&lts.precondition), meter)
    });
    // 3.
    let machine = Machine::new(lts);
    let own = inputs(lts);
    let mut tests: Vec<Test> = Vec::new();
    for ExploredInput { input, steps } in found {
        let run = machine.run(&input, steps as u64);
        let completes = run.outcome == Outcome::Returned && assumed(lts, &input);
        let small = settings.small.then_some(&mut *meter);
        match completes.then(|| test::replayed(lts, &own, &machine, input, run.edges, small)).flatten() {
            Some(test) if tests.iter().any(|other| other.path == test.path) => {}
            Some(test) => tests.push(test),
            None => work.report.rejected += 1,
        }
    }
    work.report.tests = tests.len();
    for function in callees {
        let name = program.functions[function].name.text.clone();
        let pairs = work.summaries.get(&function).map(|summary| summary.pairs.len());
        let recomputed = work.recomputed.get(&function).copied().unwrap_or(0);
        let inlined = work.inlined.get(&function).copied();
        work.report.callees.push(Callee { name, pairs, recomputed, inlined });
    }
    (tests, work.report)
}

/// Whether the input satisfies the precondition.
fn assumed(lts: &Lts, input: &Input) -> bool {
    let mut pool = Pool::new();
    let formula = symex::precondition(lts, &mut pool);
    let mut assignment = Assignment::default();
    for (name, value) in &input.values {
        assignment.integers.insert(pool.symbol(name), value.clone());
    }
    for (name, contents) in &input.arrays {
        let value = ArrayValue { elements: contents.elements.clone(), default: contents.default.clone() };
        assignment.arrays.insert(pool.symbol(name), value);
    }
    assignment.formula(&pool, formula) == Some(true)
}
