//! Prune: an LTS with the same feasible paths and fewer infeasible ones, by symbolic execution with subsumption.
//!
//! Source: AGVW16 (R. Aissat, M.-C. Gaudel, F. Voisin, B. Wolff, *Pruning Infeasible Paths via Graph Transformations and
//! Symbolic Execution*, 2016), Sections II to V, Figures 2 and 3.
//!
//! | paper | here |
//! |---|---|
//! | red–black graph `(B, R, S, C, M, Φ)` | [`red::RedBlack`]: the LTS, the vertices, `subsumption`, and in each [`red::Vertex`] `stack`, `marked`, `limit` |
//! | configuration `(s, π)`, `SE` | [`configuration::Configuration`], [`configuration::Configuration::step`] |
//! | `States(c)`, `⊑` | [`crate::states`]: sets of states, [`crate::states::States::included`] |
//! | `rvs`, `build`, `build_succs`, `path_to` | [`red::RedBlack::to_visit`], `build`, [`red::RedBlack::build_succs`], [`red::RedBlack::path_to`] |
//! | `subsumed`, `abs` | [`red::RedBlack::subsumed`], `abs` below it with a [`subsume::Method`] |
//! | `can_prop`, `propagate` | [`red::RedBlack::can_prop`], [`red::RedBlack::propagate`] |
//! | `ifp`, `faulty_abs`, `ifp_cond`, `restore` | the functions of these names below [`red::RedBlack::refine`] |
//! | `destroy` | [`red::RedBlack::destroy`] |
//! | `cmp_fp_sets` | [`red::RedBlack::cmp_fp_sets`] |
//! | `mrl` | [`PruneChoices::max_red_length`] |
//! | `S'` | [`unfolded::Pruned`] |
//!
//! # Steps
//!
//! 1. Start with the root: the entry with what the program and the precondition say of first values.
//! 2. Take the next vertex to visit; skip one whose configuration is unsatisfiable.
//! 3. At the exit: if restarts are on and the path to it is infeasible, find the abstraction that let it through, learn a
//!    condition that blocks the path, and start again from there.
//! 4. At a loop header: look for an earlier occurrence that contains this one, or that an abstraction can make contain it; with a
//!    lookahead, only for one with the same feasible paths up to so many edges.
//! 5. Elsewhere, and where 4 finds nothing: execute each edge symbolically, unless the path has the greatest red length.
//! 6. Turn the graph into `S'`, take the facts of other provers ([`outside`]), and confirm it ([`crate::invariants::certify`]).
//!
//! # Departures
//!
//! - DIVERGENCE: sets of states speak only of variables that can still decide which paths go on. So the analysis finds equal and
//!   included sets more often; two states that agree on these variables have the same feasible paths.
//! - DIVERGENCE: an abstraction is an operation ([`configuration::Abstraction`]), which the analysis applies again when it
//!   computes a configuration anew; the paper intersects two path predicates. For `drop` both come to the same.
//! - DIVERGENCE: the construction may not end with what the caller asks for (chains of restarts, futures that are all different).
//!   After a share of the steps it begins anew with a shorter lookahead or without restarts, tries a greatest red length too, and
//!   takes what leaves the fewest paths ([`attempts`]). After that length paths go on in the graph built with less. Finishing an unfinished graph in a hurry gives a much worse one than a smaller measure throughout: an
//!   abstraction near the root gives away what the analysis found below it.
//! - DIVERGENCE: a restart computes the restored configuration anew from the parent's; the paper takes it from the stack, and the
//!   graph is then not inductive where the parent was abstracted since.
//! - DIVERGENCE: the third abstraction, `learn` ([`subsume`]).
//! - DIVERGENCE: for `learn`, an interpolant blocks a path to the exit that only abstractions let through, and what a restart
//!   learns at one occurrence of a location limits abstractions at the others where it holds: so the same restart does not come
//!   again further down.
//! - DIVERGENCE: for `learn`, invariants from outside ([`outside`]), which the paper names as future work.
//! - DIVERGENCE: instead of the construction, the merged graph of the feasible prefixes up to a length can be `S'` ([`exact`]).
//! - DIVERGENCE: with C's types, sets leave the far ends of ranges out ([`crate::states::States::leave_out_far_ranges`]): so they
//!   are those of the paper's unbounded integers, and loops close. The analysis still sees what an edge's own ranges rule out.
//! - DIVERGENCE: the analysis claims `S'` only after the checker has accepted every edge, cut and subsumption as a step of an
//!   inductive invariant; the paper proves the method, not the run.
//!
//! # Invariants, termination, complexity
//!
//! The invariants stand in [`red`]; from them every feasible path of `S` has its trace in `S'`, whatever abstractions forget. An
//! open answer counts as *satisfiable* and as *not included*, so it costs precision, never a path. The analysis may not
//! terminate, as in the paper; `max_red_length` and the step limit end it, and what it did not unfold goes on in the black part.
//! [`crate::states`] remembers sets and lookaheads, so comparing futures is linear in the number of different sets within reach.
//!
//! # Measured
//!
//! The paper's Tables I to III with its settings (abstraction, restarts, lookahead), and ours. `tests/it/analysis/prune_table.rs` keeps the numbers.
//!
//! | program | setting | P'(30), P'(50), P'(100) here | paper |
//! |---|---|---|---|
//! | merging sort | drop, on, 2 | 140; 2,300; 2,359,292 | 140; 2,300; ~2.3M |
//! | | havoc, on, 2, greatest red length 30 | 140; 4,652; 23,961,158 | 140; 4,652; ~23.9M |
//! | | havoc, off, 2 | 210; 3,271; 3,209,705 | 210; 3,271; ~3.2M |
//! | bubble sort | drop, on, 2 | 741; 321,962; 1,187,821,934,650 | 741; 321,962; ~1.2e12 |
//! | | drop, on, 8 | 285; 69,457; 66,958,226,652 | 285; 69,457; ~6.6e10 |
//! | | havoc, on, 2 | 203; 44,504; 29,939,628,490 | 203; 44,504; ~2.9e11 (an exponent of 10 fits its own growth) |
//! | | havoc, on, 8 | with restarts it does not end, without: 198; 40,381; 22,033,355,964; with restarts and greatest red length 50: 39; 5,558; 3,022,966,004 | 103; 13,249; ~6.4e9 (by a restore that is not sound: `refine/tests.rs`) |
//! | substring | drop, on, 0 | 143; 4,180; 9,227,464 | 143; 4,180; 9,227,464 |
//! | | havoc, on, 0 | 143; 4,180; 9,227,464 | 143; 4,180; 7,227,404 (said to be the same graph as for drop) |
//! | | drop, on, 10 | 130; 3,803; 8,395,424 | 130; 3,803; 8,395,424 |
//! | | havoc, on, 10 | 98; 2,818; 6,217,117 | 98; 2,818; 6,217,117 |
//! | merging sort | learn, on, 2 | 140; 2,300; 2,359,292 | |
//! | bubble sort | learn, on, 8 | 53; 8,018; 4,241,834,738 | |
//! | | learn, on, 16 | 20; 921; 243,890,085 | |
//! | | learn, on, 32 (default) | 20; 217; 947,489 | |
//! | | learn, on, 30 | 20; 217; 1,411,366 | |
//! | substring | learn, on, 10 | 93; 2,592; 5,702,903 | |
//! | | learn, on, 16 | 87; 2,158; 4,413,372 | |
//! | | learn, on, 32 (default) | 87; 2,108; 4,058,975 | |
//! | | learn, on, 30 | 87; 2,108; 4,062,923 | |
//!
//! FP(30), FP(50), FP(100) are 140; 2,300; 2,359,292 for merging sort, 20; 217; 420,138 for bubble sort and 87; 2,108; 4,057,068 for
//! substring, counted on merged states.
//!
//! Time (`benches/prune.rs`, native, without link-time optimisation, medians on a machine that was busy otherwise, certificates
//! included): merging sort at lookahead 2 takes 1.9 ms by drop and 3.7 ms by learn; bubble sort at 8 takes 5.6 ms and 2.8 ms; substring
//! at 10 takes 7.5 ms and 19 ms. Counting P(1000) and P'(1000) takes 0.9 ms at most; FP(100), with the induction that certifies it,
//! takes 0.18 s, 0.06 s and some 1.2 s.

mod attempts;
pub mod configuration;
mod exact;
pub mod graph;
mod onward;
mod outside;
pub mod prover;
pub mod red;
mod refine;
mod steps;
mod subsume;
pub mod unfolded;

pub use steps::{GraphChange, Happened};

use crate::counting::merged::{Merged, Obstacle, proved_exact};
use crate::evidence::graph::{Pruned, pruned_claim};
use crate::invariants::certify::{Confirmed, confirmed};
use crate::lts::structure::{Structure, distances};
use crate::lts::{LocationId, Lts};
use crate::run::trace::Trace;
use crate::solver::Reason;
use crate::solver::certificate::Certificate;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::{Ask, States};
use attempts::Attempts;
use onward::Onward;
use red::RedBlack;

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

/// How to build the graph.
#[derive(Clone, Copy, Debug)]
pub struct PruneChoices {
    pub abstraction: MethodKind,
    /// Whether infeasible paths to the exit lead to a restart.
    pub restarts: bool,
    /// Up to how many edges the feasible paths of subsumer and subsumee must agree.
    pub lookahead: u32,
    /// `mrl`: vertices at this depth are not unfolded.
    pub max_red_length: Option<u32>,
}

/// What to build.
#[derive(Clone, Copy, Debug)]
pub struct PrunePlan {
    pub settings: PruneChoices,
    /// A longer lookahead to try too: it counts where it leaves fewer paths.
    pub farther: Option<u32>,
    /// Whether [`MethodKind::Learn`] knows the invariants from outside, and `S'` what others show ([`outside`]).
    pub invariants: bool,
    /// Up to this length `S'` shall have the feasible paths alone ([`exact`]).
    pub exact_up_to: Option<u32>,
}

/// These settings and nothing else.
impl From<&PruneChoices> for PrunePlan {
    fn from(settings: &PruneChoices) -> PrunePlan {
        PrunePlan { settings: *settings, farther: None, invariants: false, exact_up_to: None }
    }
}

/// What [`run`] built.
#[derive(Debug)]
pub struct PruneOutcome<'a> {
    pub pruned: Pruned,
    /// Those of its obligations; none where nothing could be confirmed, and `S'` is the original.
    pub certificates: Vec<Certificate>,
    /// Restarts, those of all attempts together.
    pub restarts: u32,
    /// Living red vertices, and how many of them are marked, subsumed, or have abstractions.
    pub red: Counts,
    /// The settings of the graph: those asked for, or less where the construction did not end with them.
    pub used: PruneChoices,
    /// Why the construction did not end with the settings asked for, if so.
    pub unended: Option<Unended>,
    /// Up to which length `S'` has the feasible paths alone; or why it does not, if the caller asked for that.
    pub exact: Option<Result<u32, Obstacle>>,
    /// The sets of states that the construction met, for a later construction.
    pub states: States<'a>,
    /// Why the construction stopped early, if it did: `S'` is sound all the same.
    pub cut: Option<Reason>,
}

/// What a construction spent its steps on until they ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unended {
    /// So many restarts, one leading to the next.
    Restarts(u32),
    /// It unfolded this loop so many times: no occurrence of its header has, with or without an abstraction, all states of a
    /// later one and the same futures.
    Unfolded { header: LocationId, times: u32 },
}

/// The size of the red part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub vertices: usize,
    pub marked: usize,
    pub subsumptions: usize,
    pub abstractions: usize,
}

/// Builds the red–black graph and `S'`, with at most the steps that the meter has left. A listener that stops the run, or the
/// limit, leaves a sound `S'` that is unfolded less far.
pub fn run<'a>(lts: &'a Lts, mut states: States<'a>, plan: impl Into<PrunePlan>, meter: &mut Meter, trace: &Trace) -> PruneOutcome<'a> {
    let plan: PrunePlan = plan.into();
    let structure = Structure::new(lts);
    let mut ask = Ask { meter, log: trace };
    let merged = plan
        .exact_up_to
        .map(|length| ask.within(ask.meter.left() / 2, |ask| Merged::new(&mut states, &distances(lts, lts.exit), length, ask)));
    states.leave_out_far_ranges();
    // 1.
    let initial = match states.initial(&mut ask) {
        Ok((initial, _)) => initial,
        Err(why) => {
            states.keep_far_ranges();
            let (pruned, red, used) = (Pruned::original(lts), Counts::default(), plan.settings);
            let certificates = Vec::new();
            return PruneOutcome {
                pruned,
                certificates,
                restarts: 0,
                red,
                used,
                unended: None,
                exact: None,
                states,
                cut: Some(why.into()),
            };
        }
    };
    let mut graph = RedBlack::new(states, initial, &plan.settings, trace);
    graph.muted = matches!(merged, Some(Ok(_)));
    // A quarter of the steps stays for confirming what there is by then.
    let last = ask.meter.used() + ask.meter.left() / 4 * 3;
    // 2. to 5.
    let mut attempts = Attempts { graph: &mut graph, structure: &structure, onward: None, ask: &mut ask, last };
    let built = attempts.best_that_ends(&plan);
    let onward = attempts.onward;
    let cut = built.err().map(Reason::from);
    graph.states.keep_far_ranges();
    // 6.
    let mut pruned = unfolded::unfolded(&mut graph, onward.as_ref(), &mut ask);
    let mut red = graph.counts();
    let exact = merged.map(|merged| {
        graph.muted = false;
        let merged = merged?;
        (pruned, red) = exact::exact(&merged, &mut graph, &Onward::new(lts, &pruned), &mut ask)?;
        Ok(merged.length)
    });
    let is_exact = matches!(exact, Some(Ok(_)));
    let strengthened = (plan.invariants && !is_exact).then(|| outside::strengthened(&mut graph.states, &pruned, &mut ask, trace)).flatten();
    let confirmed = strengthened.map_or_else(|| confirmed(&mut graph.states, pruned, &mut ask), Ok);
    let (pruned, certificates, doubt) = match confirmed {
        Ok(confirmed) => {
            let Confirmed { pruned, certificates, .. } = &confirmed;
            match trace.proved(certificates.len(), &|number| pruned_claim(number, &graph.states.pool, pruned, certificates)) {
                Ok(()) => {
                    if let Some(Ok(length)) = exact {
                        // That no path is infeasible needs no claim: S' is sound without it.
                        let _ = proved_exact(&mut graph.states, &confirmed, length, trace, &mut ask);
                    }
                    (confirmed.pruned, confirmed.certificates, confirmed.doubt)
                }
                Err(reason) => (Pruned::original(lts), Vec::new(), Some(reason)),
            }
        }
        Err(why) => (Pruned::original(lts), Vec::new(), Some(why.into())),
    };
    let exact = exact.map(|exact| exact.and_then(|length| doubt.map_or(Ok(length), |doubt| Err(Obstacle::Doubt(doubt)))));
    let (used, unended, restarts) = (graph.settings, graph.unended, graph.all_restarts);
    PruneOutcome { pruned, certificates, restarts, red, used, unended, exact, states: graph.states, cut: cut.or(doubt) }
}

/// The paper's Figure 2, with its line numbers.
fn build(graph: &mut RedBlack, structure: &Structure, ask: &mut Ask) -> Result<(), Exhausted> {
    let lts = graph.states.lts;
    // Lines 2 to 4.
    while let Some(vertex) = graph.to_visit.pop() {
        ask.meter.spend(1)?;
        let visited = graph.vertex(vertex);
        // Line 5. A vertex that `propagate` unmarks before its first visit stands in the list twice.
        if visited.marked || !visited.alive || visited.unfolded || graph.subsumption.contains_key(&vertex) {
            continue;
        }
        let (location, depth) = (visited.location, visited.depth);
        // Line 6.
        let path = graph.path_to(vertex);
        if location == lts.exit {
            // Lines 7 to 14.
            if graph.settings.restarts {
                graph.refine(&path, ask)?;
            }
        } else if structure.is_loop_header(location) && graph.subsumed(vertex, &path, ask)? {
            // Lines 15 and 16.
        } else if graph.settings.max_red_length.is_some_and(|longest| depth >= longest) {
            graph.emit(Happened::Halted { vertex });
        } else {
            // Lines 17 to 19.
            graph.build_succs(vertex, ask)?;
        }
    }
    Ok(())
}

impl RedBlack<'_, '_, '_> {
    fn counts(&self) -> Counts {
        let living = || self.vertices.iter().filter(|vertex| vertex.alive);
        Counts {
            vertices: living().count(),
            marked: living().filter(|vertex| vertex.marked).count(),
            subsumptions: self.subsumption.len(),
            abstractions: living().map(|vertex| vertex.own.len()).sum(),
        }
    }
}
