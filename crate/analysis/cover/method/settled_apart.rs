//! Edges that are settled apart from the questions of the search: conditions that never hold by themselves, and programs with few inputs.

use super::search::CoverSearch;
use super::test::Test;
use super::{LONGEST_RUN, ends};
use crate::evidence::bounded::unwind::needed;
use crate::interp::Machine;
use crate::invariants::conditions::Conditions;
use crate::invariants::{FactQuery, Prover};
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::run::enumerated::settled_inputs;
use crate::solver::meter::Meter;

/// One of so many of the steps that the search leaves is for conditions by themselves.
const CONDITIONS_SHARE: u64 = 2;

/// Edges that no execution takes.
#[derive(Default)]
pub struct SettledApart {
    /// Edges with conditions that never hold, and all edges to which only these lead.
    pub excluded: SortedSet<EdgeId>,
    /// The edges with conditions that never hold.
    pub by_themselves: Vec<EdgeId>,
    /// Edges that the runs on all inputs do not take.
    pub by_runs: Vec<EdgeId>,
}

impl SettledApart {
    /// Asks of each condition that no test takes by itself: one that is hard leaves no other open then.
    pub fn of_conditions(search: &mut CoverSearch) -> SettledApart {
        let (lts, trace) = (search.lts, search.trace);
        if lts.cut.is_some() {
            return SettledApart::default();
        }
        let is_left = |edge: &EdgeId| search.covered[edge.index()].is_none() && !lts.graph[*edge].library;
        let untaken: Vec<EdgeId> = lts.graph.edge_indices().filter(is_left).collect();
        let query = FactQuery { untaken: &untaken, ..FactQuery::default() };
        let share = search.meter.left() / CONDITIONS_SHARE;
        let mut found = SettledApart::default();
        for proved in search.meter.within(share, |meter: &mut Meter| Conditions.show(lts, &query, meter, trace)) {
            let excluded = proved.excluded(lts);
            let edges: Vec<EdgeId> = untaken.iter().copied().filter(|edge| excluded.contains(edge)).collect();
            if proved.emit("cover", (&edges, true), trace).is_ok() {
                found.excluded.extend(edges);
                found.by_themselves.extend(proved.graph.cut.iter().map(|(_, edge)| *edge));
            }
        }
        found
    }

    /// Of a program with few inputs the runs on all of them: tests of what the search has not covered, where they stay within the bound, and the
    /// edges that no run takes.
    pub fn every_input(&mut self, unwind: u32, search: &mut CoverSearch) {
        let open: Vec<EdgeId> = search.lts.graph.edge_indices().filter(|edge| search.covered[edge.index()].is_none()).collect();
        let Some(every) = settled_inputs(search.lts, &open, search.meter, search.trace) else { return };
        let machine = Machine::deep(search.lts);
        for input in every.inputs {
            let path = machine.run(&input, LONGEST_RUN).edges;
            let test = Test { input, path, after: Vec::new() };
            let is_within = needed(search.lts, &test.path).is_some_and(|times| times <= unwind);
            if is_within && ends(search.lts, &test) && test.path.iter().any(|edge| search.covered[edge.index()].is_none()) {
                search.know(test);
            }
        }
        self.by_runs.extend(every.excluded);
    }
}
