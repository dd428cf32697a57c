//! The riddle of AGVW16's Table II, bubble sort, method 2 with restarts, lookahead 8: its numbers come of a graph that is not inductive.

use crate::analysis::prune::method::configuration::VertexId;
use crate::analysis::prune::method::red::RedBlack;
use crate::analysis::prune::method::{MethodKind, PruneChoices, build, unfolded};
use crate::analysis::{Silent, Trace};
use crate::count::totals;
use crate::evidence::graph::{About, obligations};
use crate::logic::SortedMap;
use crate::lts::structure::Structure;
use crate::solver::Answer;
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::questions::NoLog;
use crate::states::{Ask, States};

impl RedBlack<'_, '_, '_> {
    /// Figure 2, lines 9 to 14, to the letter: goes back to two consecutive entries of a stack of which the older one refutes the rest of
    /// the path, and restores that one as it stands.
    pub(super) fn refine_as_printed(&mut self, path: &[VertexId], ask: &mut Ask) -> Result<(), Exhausted> {
        for (at, &vertex) in path.iter().enumerate().rev() {
            for entry in (0..self.vertex(vertex).stack.len() - 1).rev() {
                let Some(set) = self.vertex(vertex).stack[entry].set else { continue };
                let Some(length) = self.first_contradiction(set, &path[at..], ask)? else { continue };
                let edges = self.edges(&path[at..=at + length]);
                let condition = self.ifp_cond(set, &edges, ask)?;
                let owned = self.printed.as_mut().and_then(|printed| printed.get_mut(&vertex)).expect("an abstraction was stacked");
                owned.truncate(entry + 1);
                let kept = owned[entry];
                let restored = &mut self.vertices[vertex as usize];
                restored.limit.push(condition);
                restored.own.truncate(kept);
                restored.stack.truncate(entry + 1);
                self.destroy(vertex);
                self.to_visit.push(vertex);
                self.restarts += 1;
                return Ok(());
            }
        }
        Ok(())
    }
}

/// P'(30), P'(50), P'(100), and of how many edges the formulas at the end do not follow from those at the start.
fn bubble(restarts: bool, printed: bool) -> ([u64; 3], usize) {
    let program = crate::lang::parse(include_str!("../../../../../examples/bubble.c")).program.expect("accepted");
    let lts = crate::lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let settings = PruneChoices { abstraction: MethodKind::Havoc, restarts, lookahead: 8, max_red_length: None };
    let mut meter = Meter::new(2_000_000);
    let mut ask = Ask { meter: &mut meter, log: &NoLog };
    let mut states = States::new(&lts);
    let (initial, _) = states.initial(&mut ask).expect("enough steps");
    let mut silent = Silent;
    let trace = Trace::new(&mut silent);
    let mut graph = RedBlack::new(states, initial, &settings, &trace);
    graph.printed = printed.then(SortedMap::new);
    build(&mut graph, &Structure::new(&lts), &mut ask).expect("it ends");
    let pruned = unfolded::unfolded(&mut graph, None, &mut ask);
    let pool = &mut graph.states.pool;
    let obligations = obligations(&lts, pool, &pruned).into_iter();
    let missing = obligations.filter(|obligation| {
        matches!(obligation.about, About::Edge(_)) && matches!(ask.decide(pool, &obligation.formulas), Ok(Answer::Sat(_)))
    });
    let missing = missing.count();
    let counts: Vec<u64> = totals(&pruned.graph(), &[30, 50, 100]).iter().map(|count| u64::try_from(count).expect("small")).collect();
    (counts.try_into().expect("three lengths"), missing)
}

#[test]
fn the_printed_restore_is_not_inductive() {
    // The paper's numbers: one edge has a state at its start that leads to none of those claimed at its end.
    assert_eq!(bubble(true, true), ([103, 13_249, 6_464_748_336], 1));
    assert_eq!(bubble(false, false), ([198, 40_381, 22_033_355_964], 0));
}
