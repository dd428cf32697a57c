//! Failing runs that Cover did not come to: the finders of inputs are asked for the undefined edges of the graph that has them
//! ([`crate::lts::undefined`]), and each input is run on the function's own graph, where it has to fail at that hazard.
//!
//! A run that rests on statics which no known call leaves decides nothing: where other calls may leave them, runs after such calls are looked for
//! ([`crate::sequences`]).

use super::{ReportFinding, ReportFindingKind};
use crate::analysis::FINDERS;
use crate::analysis::cover::report::writing::failure_text;
use crate::interp::{Input, Machine, Outcome};
use crate::invariants::{FactQuery, Quiet, find_shallow};
use crate::ledger::facts::FactRun;
use crate::load::{Loaded, exact};
use crate::logic::{Int, SortedSet};
use crate::lts::assume::{Assumption, under};
use crate::lts::undefined::WithUndefined;
use crate::lts::{EdgeId, Lts, Origin, ValueMeaning};
use crate::run::array_elements::with_elements;
use crate::run::assumption_tracking::{assumed_by, assumed_in};
use crate::run::computed_inputs::tried_inputs;
use crate::run::plain_letters::plain_letters;
use crate::run::simple_inputs::extreme_inputs;
use crate::run::trace::{Event, Trace};
use crate::sequences::{Goals, Test, finding, matter, settle};
use crate::solver::meter::{Meter, RUN_STEPS};
use crate::view::{Call, capped, written_view};

/// Edges of the longest run.
const LONGEST_RUN: u64 = 400_000;
/// The steps charged for an execution with the ends of ranges as input; most executions end soon.
const EXTREME_STEPS: u64 = LONGEST_RUN / RUN_STEPS / 16;

/// One of so many steps that are left is for runs alone, before finders.
const TRIED_SHARE: u64 = 8;

/// The steps charged at most for letters in an input.
const LETTERS_STEPS: u64 = 10_000;

/// A run that fails at a hazard, with the hazard's number.
pub struct FoundFailure {
    pub hazard: usize,
    pub finding: ReportFinding,
}

/// The function and its hazards.
pub struct FailureSearch<'f> {
    pub loaded: &'f Loaded,
    pub whole: &'f WithUndefined,
    /// The graph with undefined edges, under the assumptions in force.
    pub lts: &'f Lts,
    /// The text of a hazard in the program.
    pub text: &'f dyn Fn(usize) -> String,
}

impl FailureSearch<'_> {
    /// The known runs that fail at these hazards, at most one for each.
    pub fn of_earlier(&self, hazards: &[usize], earlier: &[FactRun], trace: &Trace) -> Vec<FoundFailure> {
        let mut open: Vec<usize> = hazards.to_vec();
        earlier.iter().filter_map(|run| self.failing(run.input.clone(), &run.after, &mut open, trace)).collect()
    }

    /// Runs that fail at these hazards, at most one for each; the given inputs are tried first.
    pub fn runs(&self, hazards: &[usize], given: &[Input], meter: &mut Meter, trace: &Trace) -> Vec<FoundFailure> {
        // What a finder shows of the graph with undefined edges is no claim about the function's.
        let mut quiet = Quiet(trace);
        let quiet = Trace::new(&mut quiet);
        let mut open: Vec<usize> = hazards.to_vec();
        let mut found: Vec<FoundFailure> = Vec::new();
        for input in given {
            found.extend(self.failing(input.clone(), &[], &mut open, trace));
        }
        // Arrays of one letter: a string without an end.
        let mut letters = with_elements(&self.loaded.lts, Input::default());
        if letters != Input::default() {
            let pointers = self.loaded.lts.variables.iter().filter(|variable| variable.origin == Origin::Parameter);
            let pointers = pointers.filter(|variable| matches!(variable.values, ValueMeaning::Nodes { .. }));
            letters.values.extend(pointers.map(|variable| (variable.name.clone(), Int::ONE)));
            found.extend(self.failing(letters, &[], &mut open, trace));
        }
        // Finders may need all steps for what a few runs show.
        for input in extreme_inputs(&self.loaded.lts) {
            if open.is_empty() || meter.spend(EXTREME_STEPS).is_err() {
                break;
            }
            found.extend(self.failing(input, &[], &mut open, trace));
        }
        meter.within(meter.left() / TRIED_SHARE, |meter| {
            let untaken = self.edges(&open);
            let machine = Machine::new(self.lts);
            for (input, _) in tried_inputs(self.lts, &machine, given, |edge| untaken.contains(&edge), meter) {
                found.extend(self.failing(input, &[], &mut open, trace));
            }
        });
        for finder in FINDERS {
            let untaken = self.edges(&open);
            if untaken.is_empty() || meter.is_exhausted() {
                return found;
            }
            let query = FactQuery { untaken: &untaken, only_inputs: true, ..FactQuery::default() };
            for input in find_shallow(*finder, self.lts, &query, 0, meter, &quiet).inputs {
                if meter.spend(1).is_err() {
                    break;
                }
                found.extend(self.failing(input, &[], &mut open, trace));
            }
        }
        if matter(self.loaded) && !open.is_empty() {
            for Test { input, after, .. } in self.after_calls(&open, meter, &quiet) {
                found.extend(self.failing(input, &after, &mut open, trace));
            }
        }
        found
    }

    fn edges(&self, hazards: &[usize]) -> Vec<EdgeId> {
        hazards.iter().flat_map(|&hazard| self.whole.hazards[hazard].edges.iter().copied()).collect()
    }

    /// Tests that begin as a first call does, or after calls, and take undefined edges.
    fn after_calls(&self, hazards: &[usize], meter: &mut Meter, quiet: &Trace) -> Vec<Test> {
        let edges: SortedSet<EdgeId> = self.edges(hazards).into_iter().collect();
        // The runs of the chain end where they fail.
        let error = edges.iter().next().map(|&edge| self.whole.lts.edge(edge).2);
        let base = Lts { error, ..self.whole.lts.clone() };
        let assumed = self.loaded.assumed.without(Assumption::LeftByCalls);
        let lts = under(&base, exact(assumed));
        let failing = Loaded { base, lts, assumed, ..self.loaded.clone() };
        let goals = Goals { edges, first_searched: false, failing: true, any: false, from_any: Vec::new() };
        settle(&failing, "defined", (goals, &SortedSet::new()), &mut finding(FINDERS, quiet), meter, quiet).tests
    }

    /// The failure of the run with this input after these calls, where it is at an open hazard, which is open no more.
    fn failing(&self, input: Input, after: &[Call], open: &mut Vec<usize>, trace: &Trace) -> Option<FoundFailure> {
        // Calls before leave the statics as the input has them.
        let input = if after.is_empty() { with_elements(&self.loaded.lts, input) } else { input };
        let FailureSearch { loaded, whole, .. } = *self;
        let machine = Machine::deep(&loaded.lts);
        let run = machine.run(&input, LONGEST_RUN);
        let Outcome::Undefined(reason) = &run.outcome else { return None };
        let at = open.iter().position(|&hazard| {
            let hazard = &whole.hazards[hazard];
            (hazard.edge, hazard.part, hazard.kind) == (run.stopped_before, run.stopped_in, reason.kind())
        })?;
        let fails_alike = |plain: &Input| {
            let again = machine.run(plain, LONGEST_RUN);
            (&again.edges, &again.outcome) == (&run.edges, &run.outcome)
        };
        let plain =
            after.is_empty().then(|| plain_letters(&loaded.lts, &machine, input.clone(), &run.edges, &mut Meter::new(LETTERS_STEPS)));
        let input = plain.filter(|plain| *plain != input && fails_alike(plain)).unwrap_or(input);
        let assumes = if after.is_empty() { assumed_by(loaded, &input) } else { Vec::new() };
        let is_backed = !after.is_empty() || assumes == assumed_in(loaded, false);
        let is_replayed = !machine.reads_stdin() || machine.replay(&input, &run.edges).is_ok();
        if !is_backed || !is_replayed || trace.claim(Event::Reached { path: &run.edges, input: &input, after }).is_err() {
            return None;
        }
        let hazard = open.swap_remove(at);
        let position = loaded.lines.position(whole.hazards[hazard].span(&loaded.base).start);
        let line = |edge: &EdgeId| loaded.lines.line(loaded.lts.graph[*edge].span.start);
        let finding = ReportFinding {
            lines: capped(run.edges.iter().map(line).collect()).0,
            after: after.to_vec(),
            assumes,
            input: Some(written_view(&loaded.lts, &input)),
            ..ReportFinding::new(
                ReportFindingKind::Error,
                position.line,
                position.column,
                (self.text)(hazard),
                failure_text(&loaded.lts, reason),
            )
        };
        Some(FoundFailure { hazard, finding })
    }
}
