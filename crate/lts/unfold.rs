//! Unfolded graphs: the function's graph in which what an execution has done before is a part of the location.
//!
//! A *monitor* is a deterministic automaton that reads the edges of an execution and blocks none. The unfolded graph is its product with the
//! function's graph: a location for each pair of a location and a state of the monitor that paths from the entry lead to. So the paths of
//! both graphs from the entry correspond one to one, with the same labels, and an edge of the product is taken by exactly the executions
//! that take the function's edge in that state. A claim that no execution takes such an edge is about all executions of the function.
//!
//! Two monitors are of use:
//! - [`GraphUnfolding::Decisions`]: the values of the conditions of a decision that is being evaluated. The state is empty outside, so the
//!   conditions of each decision become a tree, and each [`Vector`] ends in edges of its own.
//! - [`GraphUnfolding::PrimePaths`]: the longest end of the execution with which a [prime path](self::prime_paths) begins.
//!
//! Invariants: where the function's graph ends, at its exit, its error and its cut, so does the product, in one location each. The locations
//! are in the order of the function's locations; an edge has one copy for each state of the monitor.

pub mod decisions;
pub mod prime_paths;

use self::decisions::{Vector, WholeDecision};
use self::prime_paths::{PrimePaths, prime_paths};
use super::{EdgeId, Label, LocationId, Lts};
use crate::logic::{SortedMap, SortedSet};
use petgraph::graph::DiGraph;
use std::collections::BTreeMap;

/// A decision with more vectors than this is not unfolded.
pub const MAX_VECTORS: usize = 64;
/// An unfolded graph has at most so many locations.
const MAX_LOCATIONS: usize = 20_000;

/// What the locations of an unfolded graph tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphUnfolding {
    /// The values of the conditions of decisions that are being evaluated.
    Decisions,
    /// How far along a prime path the execution is.
    PrimePaths,
}

impl GraphUnfolding {
    /// Its name in evidence files.
    pub fn id(self) -> &'static str {
        match self {
            GraphUnfolding::Decisions => "decisions",
            GraphUnfolding::PrimePaths => "prime-paths",
        }
    }

    /// The unfolding of this name.
    pub fn named(id: &str) -> Option<GraphUnfolding> {
        [GraphUnfolding::Decisions, GraphUnfolding::PrimePaths].into_iter().find(|unfolding| unfolding.id() == id)
    }
}

/// What an execution has completed with an edge of an unfolded graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Completed {
    /// This evaluation of the decision with this number in [`Lts::decisions`].
    Vector(usize, Vector),
    /// The prime path with this number.
    Path(usize),
}

/// Why a decision is not unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfoldObstacle {
    Partial,
    Vectors,
    Nested,
    TooLarge,
}

impl std::fmt::Display for UnfoldObstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            UnfoldObstacle::Partial => f.write_str("in some calls of its function not all of its conditions are decided"),
            UnfoldObstacle::Vectors => write!(f, "it can be evaluated in more than {MAX_VECTORS} ways"),
            UnfoldObstacle::Nested => f.write_str("a call in it evaluates it once more"),
            UnfoldObstacle::TooLarge => write!(f, "the unfolded graph has more than {MAX_LOCATIONS} locations"),
        }
    }
}

/// An unfolded graph with what its edges complete.
#[derive(Clone, Debug)]
pub struct Unfolded {
    pub unfolding: GraphUnfolding,
    pub lts: Lts,
    /// For each edge the function's edge that it is a copy of.
    pub origins: Vec<EdgeId>,
    pub completed: BTreeMap<Completed, Vec<EdgeId>>,
    /// The decisions that are not unfolded.
    pub obstacles: SortedMap<usize, UnfoldObstacle>,
    /// Of prime paths.
    pub paths: PrimePaths,
}

/// The unfolded graph of a function.
pub fn unfold(lts: &Lts, unfolding: GraphUnfolding) -> Unfolded {
    match unfolding {
        GraphUnfolding::Decisions => unfold_decisions(lts),
        GraphUnfolding::PrimePaths => unfold_paths(lts),
    }
}

/// An automaton that reads the edges of an execution.
trait Monitor {
    /// The default one is that of the entry, and of where the graph ends.
    type State: Clone + Default + Ord;

    /// The state after an edge, and what is completed with it.
    ///
    /// # Errors
    /// The decision that the monitor cannot follow.
    fn after(&self, state: &Self::State, edge: EdgeId) -> Result<(Self::State, Option<Completed>), usize>;
}

/// Why there is no product.
enum ProductObstacle {
    Decision(usize),
    TooLarge,
}

/// A product's graph, with what its edges complete.
struct UnfoldedProduct {
    lts: Lts,
    origins: Vec<EdgeId>,
    completed: BTreeMap<Completed, Vec<EdgeId>>,
}

/// The product of a graph with a monitor.
fn product<M: Monitor>(lts: &Lts, monitor: &M) -> Result<UnfoldedProduct, ProductObstacle> {
    let successors = |(location, state): &(LocationId, M::State)| {
        let step = |(edge, to): (EdgeId, LocationId)| {
            let (after, completed) = monitor.after(state, edge).map_err(ProductObstacle::Decision)?;
            let is_end = lts.graph.edges(to).next().is_none();
            Ok((edge, (to, if is_end { M::State::default() } else { after }), completed))
        };
        lts.outgoing(*location).into_iter().map(step).collect::<Result<Vec<_>, _>>()
    };
    let entry = (lts.entry, M::State::default());
    let mut numbers: BTreeMap<(LocationId, M::State), LocationId> = BTreeMap::from([(entry.clone(), LocationId::new(0))]);
    let mut open = vec![entry.clone()];
    while let Some(node) = open.pop() {
        for (_, next, _) in successors(&node)? {
            if numbers.insert(next.clone(), LocationId::new(0)).is_none() {
                open.push(next);
            }
        }
        if numbers.len() > MAX_LOCATIONS {
            return Err(ProductObstacle::TooLarge);
        }
    }
    let mut graph = DiGraph::default();
    for ((location, _), number) in &mut numbers {
        *number = graph.add_node(lts.graph[*location].clone());
    }
    let mut origins = Vec::new();
    let mut completed: BTreeMap<Completed, Vec<EdgeId>> = BTreeMap::new();
    for (node, &from) in &numbers {
        for (edge, next, done) in successors(node)? {
            let copy = graph.add_edge(from, numbers[&next], lts.graph[edge].clone());
            origins.push(edge);
            if let Some(done) = done {
                completed.entry(done).or_default().push(copy);
            }
        }
    }
    let end = |location: LocationId| numbers.get(&(location, M::State::default())).copied();
    // A function that never returns has an exit all the same.
    let exit = end(lts.exit).unwrap_or_else(|| graph.add_node(lts.graph[lts.exit].clone()));
    let (error, cut) = (lts.error.and_then(end), lts.cut.and_then(end));
    Ok(UnfoldedProduct { lts: Lts { graph, entry: numbers[&entry], exit, error, cut, ..lts.clone() }, origins, completed })
}

/// The decisions that are unfolded: each condition with its decision and its position there.
struct DecisionMonitor<'l> {
    lts: &'l Lts,
    decisions: &'l [&'l WholeDecision],
    conditions: SortedMap<u32, (usize, usize)>,
}

/// The values of the conditions of each decision that is being evaluated, in the order of their numbers.
type OpenDecisions = Vec<(usize, Vec<Option<bool>>)>;

impl Monitor for DecisionMonitor<'_> {
    type State = OpenDecisions;

    fn after(&self, state: &OpenDecisions, edge: EdgeId) -> Result<(OpenDecisions, Option<Completed>), usize> {
        let mut after = state.clone();
        let taken = &self.lts.graph[edge];
        let (Label::Assume { holds, .. }, Some(number)) = (&taken.label, taken.decision) else { return Ok((after, None)) };
        let Some(&(decision, position)) = self.conditions.get(&number) else { return Ok((after, None)) };
        let WholeDecision { conditions, tree, .. } = self.decisions[decision];
        let at = after.binary_search_by_key(&decision, |open| open.0).unwrap_or_else(|at| {
            after.insert(at, (decision, vec![None; conditions.len()]));
            at
        });
        let values = &mut after[at].1;
        // Short-circuit evaluation has one next condition.
        if tree.outcome(values) != Err(position) {
            return Err(decision);
        }
        values[position] = Some(*holds);
        let Ok(outcome) = tree.outcome(values) else { return Ok((after, None)) };
        let (_, values) = after.remove(at);
        Ok((after, Some(Completed::Vector(decision, Vector { values, outcome }))))
    }
}

fn unfold_decisions(lts: &Lts) -> Unfolded {
    let decisions = lts.decisions();
    let mut obstacles: SortedMap<usize, UnfoldObstacle> = SortedMap::new();
    for (number, decision) in decisions.iter().enumerate() {
        if decision.is_partial {
            obstacles.insert(number, UnfoldObstacle::Partial);
        } else if decision.vectors(MAX_VECTORS).is_none() {
            obstacles.insert(number, UnfoldObstacle::Vectors);
        }
    }
    // Each round leaves out one decision more.
    loop {
        let unfolded = (0..decisions.len()).filter(|number| !obstacles.contains_key(number));
        let conditions = unfolded.flat_map(|number| {
            decisions[number].conditions.iter().enumerate().map(move |(position, &condition)| (condition, (number, position)))
        });
        let monitor = DecisionMonitor { lts, decisions: &decisions, conditions: conditions.collect() };
        match product(lts, &monitor) {
            Ok(UnfoldedProduct { lts, origins, completed }) => {
                let (unfolding, paths) = (GraphUnfolding::Decisions, PrimePaths::default());
                return Unfolded { unfolding, lts, origins, completed, obstacles, paths };
            }
            Err(ProductObstacle::Decision(number)) => {
                obstacles.insert(number, UnfoldObstacle::Nested);
            }
            Err(ProductObstacle::TooLarge) => {
                let is_large = |number: &usize| decisions[*number].conditions.len() > 1 && !obstacles.contains_key(number);
                let large: Vec<usize> = (0..decisions.len()).filter(is_large).collect();
                if large.is_empty() {
                    obstacles.extend((0..decisions.len()).map(|number| (number, UnfoldObstacle::TooLarge)));
                }
                obstacles.extend(large.into_iter().map(|number| (number, UnfoldObstacle::TooLarge)));
            }
        }
    }
}

/// How far the execution is along the words: the longest end of it with which one of them begins.
struct PathMonitor {
    words: SortedMap<Vec<EdgeId>, usize>,
    beginnings: SortedSet<Vec<EdgeId>>,
}

impl Monitor for PathMonitor {
    type State = Vec<EdgeId>;

    fn after(&self, state: &Vec<EdgeId>, edge: EdgeId) -> Result<(Vec<EdgeId>, Option<Completed>), usize> {
        let mut after = state.clone();
        after.push(edge);
        while !after.is_empty() && !self.beginnings.contains(&after) {
            after.remove(0);
        }
        let completed = self.words.get(&after).map(|&word| Completed::Path(word));
        Ok((after, completed))
    }
}

fn unfold_paths(lts: &Lts) -> Unfolded {
    let paths = prime_paths(lts);
    let words = paths.paths.iter().enumerate().map(|(number, path)| (path.clone(), number)).collect();
    let beginnings = paths.paths.iter().flat_map(|path| (1..=path.len()).map(|length| path[..length].to_vec()));
    let monitor = PathMonitor { words, beginnings: beginnings.collect() };
    let unfolding = GraphUnfolding::PrimePaths;
    let obstacles = SortedMap::new();
    match product(lts, &monitor) {
        Ok(UnfoldedProduct { lts, origins, completed }) => Unfolded { unfolding, lts, origins, completed, obstacles, paths },
        Err(_) => {
            let (origins, completed) = (lts.graph.edge_indices().collect(), BTreeMap::new());
            Unfolded { unfolding, lts: lts.clone(), origins, completed, obstacles, paths }
        }
    }
}
