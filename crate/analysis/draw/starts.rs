//! Where calls may have changed statics: a path is feasible if a run takes it that begins as the first call does, or after calls that are
//! known to leave the state ([`crate::sequences`]); and infeasible if it takes an edge that no sequence of calls takes.

use super::fate::DrawnFate;
use super::fate::Fate;
use super::fate::decide;
use crate::analysis::FINDERS;
use crate::interp::Machine;
use crate::invariants::Quiet;
use crate::load::{Loaded, exact};
use crate::logic::SortedSet;
use crate::lts::assume::{Assumption, under};
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::trace::{Event, Trace};
use crate::sequences::{Goals, Settled, finding, is_reachable_start, matter, needed_by, settle, with_first};
use crate::solver::meter::Meter;

/// What calls say of drawn paths.
pub struct Starts<'a> {
    loaded: &'a Loaded,
    first: Lts,
    /// What is settled of all edges, once that was asked.
    settled: Option<Settled>,
}

impl<'a> Starts<'a> {
    /// `None` where calls change nothing.
    pub fn of(loaded: &'a Loaded) -> Option<Starts<'a>> {
        let first = || under(&loaded.base, exact(loaded.assumed).with(Assumption::FirstCall));
        matter(loaded).then(|| Starts { loaded, first: first(), settled: None })
    }

    /// Gives a path that runs in some state the fate that it has for calls.
    pub fn judge(&mut self, drawn: &mut DrawnFate, meter: &mut Meter, trace: &Trace) {
        let loaded = self.loaded;
        let Fate::Feasible(input) = &drawn.fate else { return };
        if is_reachable_start(loaded, input, &[]) {
            return;
        }
        let mut quiet = Quiet(trace);
        if let Fate::Feasible(input) = decide(&self.first, &Machine::new(&self.first), &drawn.path, meter, &Trace::new(&mut quiet)) {
            let input = with_first(&loaded.base, input);
            trace.needs();
            let claimed = trace.claim(Event::Reached { path: &drawn.path, input: &input, after: &[] });
            drawn.fate = claimed.map_or_else(Fate::Open, |()| Fate::Feasible(input));
            drawn.needs = trace.needs();
            return;
        }
        let settled = self.settled.get_or_insert_with(|| {
            let graph = &loaded.lts.graph;
            let edges: SortedSet<EdgeId> = graph.edge_indices().filter(|edge| !graph[*edge].library).collect();
            let goals = Goals { edges, first_searched: false, failing: false, any: false, from_any: Vec::new() };
            settle(loaded, "draw", (goals, &SortedSet::new()), &mut *finding(FINDERS, trace), meter, trace)
        });
        if let Some(test) = settled.tests.iter().find(|test| test.path == drawn.path) {
            // The trace has its claim.
            (drawn.fate, drawn.after) = (Fate::Feasible(test.input.clone()), test.after.clone());
            drawn.needs = Needs {
                runs: drawn.needs.runs.without(Assumption::AnyState),
                all: drawn.needs.all.without(Assumption::AnyState),
                ..drawn.needs
            };
            return;
        }
        let is_excluded = |edge: &EdgeId| settled.excluded.iter().find(|(other, _)| other == edge);
        if let Some((dies_at, (_, assumed))) = drawn.path.iter().enumerate().find_map(|(at, edge)| Some((at, is_excluded(edge)?))) {
            drawn.fate = Fate::Infeasible { dies_at, core: vec![dies_at] };
            drawn.needs = Needs { all: *assumed, ..Needs::default() };
            return;
        }
        drawn.state = Some(needed_by(loaded, input, &|path| path == drawn.path));
    }
}
