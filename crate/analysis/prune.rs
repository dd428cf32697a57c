//! Prune: an LTS with the same feasible paths and fewer infeasible ones, by symbolic execution with subsumption.
//!
//! Source: AGVW16 (R. Aissat, M.-C. Gaudel, F. Voisin, B. Wolff, *Pruning Infeasible Paths via Graph Transformations and
//! Symbolic Execution*, 2016), Sections II to V, Figures 2 and 3.
//!
//! | paper | here |
//! |---|---|
//! | red–black graph `(B, R, S, C, M, Φ)` | [`red::RedBlack`]: the LTS, the vertices, `subsumed`, and in each [`red::Vertex`] `stack`, `marked`, `limit` |
//! | configuration `(s, π)`, `SE` | [`configuration::Configuration`], [`configuration::Configuration::step`] |
//! | `States(c)`, `⊑` | [`crate::states`]: sets of states, [`crate::states::States::included`] |
//! | `rvs`, `build`, `build_succs`, `path_to` | [`red::RedBlack::to_visit`], [`run`], [`red::RedBlack::unfold`], [`red::RedBlack::path_to`] |
//! | `subsumed`, `abs` | [`red::RedBlack::find_subsumption`], [`subsume::Method`] |
//! | `can_prop`, `propagate` | [`red::RedBlack::propagated`], [`red::RedBlack::propagate`] |
//! | `ifp`, `faulty_abs`, `ifp_cond`, `restore` | [`red::RedBlack::refine`] |
//! | `destroy` | [`red::RedBlack::destroy`] |
//! | `cmp_fp_sets` | [`red::RedBlack::same_future`] |
//! | `mrl` | [`Settings::max_red_length`] |
//! | `S'` | [`unfolded::Pruned`] |
//!
//! # Steps
//!
//! 1. Start with the root: the entry with what the program and the precondition say of first values.
//! 2. Take the next vertex to visit; nothing is done for one whose configuration is unsatisfiable.
//! 3. At the exit: if restarts are on and the path to it is infeasible, find the abstraction that let it through, learn a
//!    condition that blocks the path, and start again from there.
//! 4. At a loop header: look for an earlier occurrence that contains it, or can be abstracted so that it does; with a lookahead,
//!    only for one with the same feasible paths up to so many edges.
//! 5. Elsewhere, and where 4 found nothing: execute each edge symbolically, unless the path has the greatest red length.
//! 6. Turn the graph into `S'`, and confirm it ([`certify`]).
//!
//! # Departures
//!
//! - DIVERGENCE: sets of states speak only of variables that can still decide which paths go on. Equal and included sets are
//!   found more often; two states that agree on these variables have the same feasible paths.
//! - DIVERGENCE: an abstraction is an operation ([`configuration::Abstraction`]) that is applied again when a configuration is
//!   computed anew, where the paper intersects two path predicates. For `drop` both come to the same.
//! - DIVERGENCE: a lookahead that takes a sixteenth of all steps is halved, where the paper would go on exponentially.
//! - DIVERGENCE: the third abstraction, `learn` ([`subsume`]).
//! - DIVERGENCE: `S'` is believed only after every one of its edges, cuts and subsumptions has been certified as a step of an
//!   inductive invariant; the paper proves the method, not the run.
//!
//! # Invariants, termination, complexity
//!
//! The invariants stand in [`red`]; from them every feasible path of `S` has its trace in `S'`, whatever is abstracted. An answer left
//! open counts as *satisfiable* and as *not included*, so it costs precision, never a path. The analysis may not terminate, as in
//! the paper; `max_red_length` and the step limit end it, and what was not unfolded goes on in the black part. Sets and lookaheads are
//! remembered by [`crate::states`], so comparing futures is linear in the number of different sets within reach.

pub mod certify;
pub mod configuration;
pub mod red;
mod refine;
mod subsume;
pub mod unfolded;

use super::Trace;
use crate::logic::FormulaId;
use crate::lts::structure::Structure;
use crate::lts::{EdgeId, LocationId, Lts};
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::{Answer, Context, Reason};
use crate::states::{Ask, States};
use red::{RedBlack, VertexId};
use unfolded::Pruned;

/// Steps a construction may take when nothing else is said: some ten seconds.
pub const DEFAULT_LIMIT: u64 = 10_000_000;

/// A way to find abstractions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MethodKind {
    /// The paper's first: conjuncts of the path predicate, oldest first.
    Drop,
    /// The paper's second: fresh values for what is defined between the two candidates.
    Havoc,
    /// Ours: what both candidates imply.
    #[default]
    Learn,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub abstraction: MethodKind,
    /// Whether infeasible paths to the exit lead to a restart.
    pub restarts: bool,
    /// Up to how many edges the feasible paths of subsumer and subsumee must agree.
    pub lookahead: u32,
    /// `mrl`: vertices at this depth are not unfolded.
    pub max_red_length: Option<u32>,
}

/// An event of the construction; `vertex` numbers are in the order of birth, and none is used twice.
#[derive(Clone, Debug)]
pub enum Happened<'a> {
    Added {
        vertex: VertexId,
        location: LocationId,
        index: u32,
        parent: Option<(VertexId, EdgeId)>,
    },
    Unsatisfiable {
        vertex: VertexId,
    },
    Subsumed {
        vertex: VertexId,
        by: VertexId,
    },
    /// The conjuncts that are gone from the vertex' set, and those that are left, over the program variables.
    Abstracted {
        vertex: VertexId,
        for_vertex: VertexId,
        forgotten: &'a [FormulaId],
        kept: &'a [FormulaId],
    },
    Propagated {
        from: VertexId,
        to: &'a [VertexId],
    },
    Unmarked {
        vertex: VertexId,
    },
    /// The path to the exit is infeasible; the vertex' abstraction let it through; the condition joins its `Φ`.
    Refined {
        vertex: VertexId,
        condition: FormulaId,
        path: &'a [VertexId],
    },
    Destroyed {
        below: VertexId,
        vertices: &'a [VertexId],
    },
    Restarted {
        vertex: VertexId,
    },
    /// Comparing so many edges ahead took too many steps: from now on this many.
    Shortened {
        lookahead: u32,
    },
    /// Not unfolded: the greatest red length, or the limit.
    Halted {
        vertex: VertexId,
    },
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome<'a> {
    pub pruned: Pruned,
    /// Living red vertices, and among them the marked ones, the subsumed ones and those with abstractions.
    pub red: Counts,
    /// The sets of states met, for whoever goes on from here.
    pub states: States<'a>,
    /// Why the construction stopped early, if it did: `S'` is sound all the same.
    pub cut: Option<Reason>,
}

/// The size of the red part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub vertices: usize,
    pub marked: usize,
    pub subsumptions: usize,
    pub abstractions: usize,
}

/// Builds the red–black graph and `S'`.
pub fn run<'a>(lts: &'a Lts, mut states: States<'a>, settings: &Settings, meter: &mut Meter, trace: &Trace) -> Outcome<'a> {
    let structure = Structure::new(lts);
    let mut asked = |context: &Context, answer: &Answer| {
        trace.emit(super::Event::Query { context, answer });
    };
    let mut ask = Ask { meter, asked: &mut asked };
    // 1.
    let initial = match states.initial(&mut ask) {
        Ok((initial, _)) => initial,
        Err(why) => return Outcome { pruned: Pruned::original(lts), red: Counts::default(), states, cut: Some(why.into()) },
    };
    let mut graph = RedBlack::new(states, initial, settings, trace);
    // A quarter of the steps is kept for confirming what there is by then.
    let outer = ask.meter.narrow((ask.meter.limit().saturating_sub(ask.meter.used())) / 4 * 3);
    let built = build(&mut graph, &structure, &mut ask);
    ask.meter.widen(outer);
    let cut = built.err().map(Reason::from);
    // 6.
    let pruned = unfolded::unfolded(&graph);
    let (pruned, doubt) = match certify::confirmed(&mut graph.states, pruned, &mut ask) {
        Ok(certify::Confirmed { pruned, certificates, doubt }) => {
            trace.emit(super::Event::Confirmed { pruned: &pruned, pool: &graph.states.pool, certificates: &certificates });
            (pruned, doubt)
        }
        Err(why) => (Pruned::original(lts), Some(why.into())),
    };
    let red = graph.counts();
    Outcome { pruned, red, states: graph.states, cut: cut.or(doubt) }
}

/// The paper's Figure 2, with its line numbers.
fn build(graph: &mut RedBlack, structure: &Structure, ask: &mut Ask) -> Result<(), Exhausted> {
    let lts = graph.states.lts;
    // Lines 2 to 4.
    while let Some(vertex) = graph.to_visit.pop() {
        ask.meter.spend(1)?;
        let visited = graph.vertex(vertex);
        // Line 5.
        if visited.marked || !visited.alive {
            continue;
        }
        let (location, depth) = (visited.location, visited.depth);
        // Line 6.
        let path = graph.path_to(vertex);
        // Lines 7 to 14.
        if location == lts.exit {
            if graph.settings.restarts {
                graph.refine(&path, ask)?;
            }
            continue;
        }
        // Lines 15 and 16.
        if structure.is_loop_header(location) && graph.find_subsumption(vertex, &path, ask)? {
            continue;
        }
        // Lines 17 to 19.
        if graph.settings.max_red_length.is_some_and(|longest| depth >= longest) {
            graph.emit(Happened::Halted { vertex });
            continue;
        }
        graph.unfold(vertex, ask)?;
    }
    Ok(())
}

impl RedBlack<'_, '_, '_> {
    fn counts(&self) -> Counts {
        let living = || self.vertices.iter().filter(|vertex| vertex.alive);
        Counts {
            vertices: living().count(),
            marked: living().filter(|vertex| vertex.marked).count(),
            subsumptions: self.subsumed.len(),
            abstractions: living().map(|vertex| vertex.own.len()).sum(),
        }
    }
}
