//! Pruned graphs: the function unfolded in part, with what holds at each node; and the obligations of such a graph.
//!
//! Source: AGVW16, Section III-C, where `S'` is such a graph; the merged graph of the feasible prefixes is one too. A *node* is
//! an occurrence of a location of the function (red), or the location itself, without facts, where everything goes on as
//! in the function (black).
//!
//! No feasible path is missing in such a graph if its formulas are an inductive invariant:
//!
//! 0. The shape is right: node 0 is the entry; from every node each edge of `S` either goes to a node of its target location
//!    or is cut; formulas speak of the values that the program's variables and arrays have at the node, of nothing else.
//! 1. What holds before the first edge implies the formula of the entry.
//! 2. Along every edge, the formula of its start and the edge's condition imply the formula of its end, for the values after the
//!    edge. An edge to a subsumer is such an edge, so this covers subsumption. Black nodes have no formula.
//! 3. Where an edge of `S` is cut, the formula and the edge's condition contradict each other.
//!
//! *Ghosts* are variables that the program does not have: an edge of the graph may give one a value from what is there before the edge,
//! and nothing but formulas reads it. So each execution has one with values of the ghosts beside it, and what 1 to 3 show of that one
//! holds of it. Counters of the rounds of a loop are such.
//!
//! From these every feasible path of `S` has its trace in `S'`, and from 0 every path of `S'` has its trace in `S`. Each of 1 to
//! 3 is an [`Obligation`]: formulas that cannot hold together, with a certificate that the checker accepts. There is no need to
//! trust projections, normal forms and the construction; trusted is the derivation of the obligations, which is here.
//! [`super::counted`] shows that each path is feasible too.

pub mod written;

use super::judge::{Judge, by_certificate};
use super::{Claim, Proof, Statement, ids, numbers};
use crate::count::Graph;
use crate::logic::substitution::Substitution;
use crate::logic::{Arrange, AtomId, FormulaId, Linear, Mentions, Pool, SortedSet, SymbolId};
use crate::lts::structure::distances;
use crate::lts::{Edge, EdgeId, LocationId, Lts};
use crate::solver::certificate::Certificate;
use crate::symex::{State, first_values_for, nondet_name};
use written::{PrunedGraph, read_graph, write_graph};

/// A location of `S'`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PrunedNode {
    /// An occurrence: `l^index`, the red vertex.
    Red { vertex: u32, location: LocationId, index: u32 },
    /// A location of the original.
    Black(LocationId),
    /// A node, by its number, of another graph, in which paths go on where the red part ends.
    Carried { number: u32, location: LocationId },
}

impl PrunedNode {
    pub fn location(&self) -> LocationId {
        match *self {
            PrunedNode::Red { location, .. } | PrunedNode::Black(location) | PrunedNode::Carried { location, .. } => location,
        }
    }
}

/// A variable that the program does not have: only formulas and updates read it, so every execution has its values beside it.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// Starts with `@`, which no name of a program does.
    pub name: String,
    /// Its value before the first edge, over the values of the program's variables there.
    pub initial: Linear,
}

/// What an edge of the graph gives a ghost; the others keep their values.
#[derive(Clone, Debug)]
pub struct Update {
    /// The position of the edge in [`Pruned::edges`].
    pub edge: usize,
    /// The ghost's position.
    pub ghost: usize,
    /// Over the values of variables and ghosts before the edge, and over what the edge draws: `nondet#0` is the first.
    pub value: Linear,
}

/// `S'`: its entry is location 0; an edge carries the label of an edge of `S`.
#[derive(Clone, Debug, Default)]
pub struct Pruned {
    pub nodes: Vec<PrunedNode>,
    /// From, edge of `S`, to.
    pub edges: Vec<(u32, EdgeId, u32)>,
    pub finals: Vec<LocationId>,
    /// The formulas that hold at each node.
    pub invariants: Vec<Vec<FormulaId>>,
    /// Node, and edge of `S` that no execution takes from there.
    pub cut: Vec<(u32, EdgeId)>,
    pub ghosts: Vec<Ghost>,
    pub updates: Vec<Update>,
}

impl Pruned {
    /// The graph to count and draw in: its paths are those of `S'`, written with the edges of `S`.
    pub fn graph(&self) -> Graph {
        let edges = self.edges.iter().map(|&(from, edge, to)| (edge, LocationId::new(from as usize), LocationId::new(to as usize)));
        Graph::new(self.nodes.len(), LocationId::new(0), &self.finals, edges)
    }
}

/// What an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    Entry,
    /// The edge at this position.
    Edge(usize),
    /// The cut at this position.
    Cut(usize),
}

/// Formulas that cannot hold together if the graph is right.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub about: About,
    pub formulas: Vec<FormulaId>,
}

/// 0.: checks the shape.
///
/// # Errors
/// What is wrong with the shape.
pub fn check_shape(lts: &Lts, pool: &mut Pool, pruned: &Pruned) -> Result<(), String> {
    let location = |node: u32| pruned.nodes.get(node as usize).map(PrunedNode::location).ok_or_else(|| format!("there is no place {node}"));
    if location(0)? != lts.entry {
        return Err("place 0 is not the entry".to_owned());
    }
    if pruned.invariants.len() != pruned.nodes.len() {
        return Err("each place has its formulas".to_owned());
    }
    // A symbol such as that of a value of `nondet()` would mean one value here and another after the next edge.
    let variables = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
    let mut declared: SortedSet<SymbolId> = variables.map(|name| pool.symbol(name)).collect();
    check_ghosts(lts, pool, pruned, &mut declared)?;
    if !pruned.invariants.iter().all(|formulas| Mentions::of(pool, formulas, &[]).symbols.is_subset(&declared)) {
        return Err("a formula speaks of something that is no variable of the function".to_owned());
    }
    let mut ways: Vec<Vec<EdgeId>> = vec![Vec::new(); pruned.nodes.len()];
    let arcs = pruned.edges.iter().map(|&(from, edge, to)| (from, edge, Some(to)));
    for (from, edge, to) in arcs.chain(pruned.cut.iter().map(|&(from, edge)| (from, edge, None))) {
        let ends = lts.graph.edge_endpoints(edge).ok_or("an edge that the function does not have")?;
        if location(from)? != ends.0 || to.is_some_and(|to| location(to) != Ok(ends.1)) {
            return Err(format!("edge {} does not fit its places", edge.index()));
        }
        ways[from as usize].push(edge);
    }
    for (node, mut found) in ways.into_iter().enumerate() {
        found.arrange();
        let expected: Vec<EdgeId> = lts.outgoing(location(node as u32)?).into_iter().map(|(edge, _)| edge).collect();
        if found != expected {
            return Err(format!("place {node} does not have each edge of its location once"));
        }
    }
    for (node, number) in pruned.nodes.iter().zip(0..) {
        if (node.location() == lts.exit) != pruned.finals.iter().any(|last| last.index() == number) {
            return Err(format!("place {number} is final and should not be, or the other way round"));
        }
    }
    Ok(())
}

/// Checks that ghosts stand beside the program: their names are no others', and their values come from what is there when they get them.
/// Adds their names to the `declared` ones.
fn check_ghosts(lts: &Lts, pool: &mut Pool, pruned: &Pruned, declared: &mut SortedSet<SymbolId>) -> Result<(), String> {
    for Ghost { name, initial } in &pruned.ghosts {
        if !Mentions::of(pool, &[], &[initial]).symbols.is_subset(declared) {
            return Err(format!("the ghost `{name}` starts with what no variable of the function has"));
        }
    }
    for Ghost { name, .. } in &pruned.ghosts {
        if !name.starts_with('@') || !declared.insert(pool.symbol(name)) {
            return Err(format!("`{name}` is no name of a ghost, or that of two"));
        }
    }
    let mut given = SortedSet::new();
    for Update { edge, ghost, value } in &pruned.updates {
        let Some(&(_, taken, _)) = pruned.edges.get(*edge) else { return Err(format!("there is no edge {edge} to give a ghost a value")) };
        if *ghost >= pruned.ghosts.len() || !given.insert((*edge, *ghost)) {
            return Err(format!("edge {edge} gives ghost {ghost} no value, or two"));
        }
        let drawn = lts.graph.edge_weight(taken).map_or(0, Edge::nondets);
        let drawn: Vec<SymbolId> = (0..drawn).map(|k| pool.symbol(&nondet_name(k))).collect();
        if !Mentions::of(pool, &[], &[value]).symbols.iter().all(|symbol| declared.contains(symbol) || drawn.contains(symbol)) {
            return Err(format!("edge {edge} gives a ghost what is not there"));
        }
    }
    Ok(())
}

/// 1. to 3.: all formulas to refute, in the order of entry, edges, cuts. The graph's shape must be right.
pub fn obligations(lts: &Lts, pool: &mut Pool, pruned: &Pruned) -> Vec<Obligation> {
    let mut found = Vec::new();
    let identity = State::of_symbols(lts, pool, str::to_owned);
    let names: Vec<AtomId> = pruned.ghosts.iter().map(|ghost| pool.integer(&ghost.name).terms()[0].0).collect();
    // 1.
    let ghosts: Vec<FormulaId> =
        pruned.ghosts.iter().zip(&names).map(|(ghost, &name)| pool.equal(&Linear::atom(name), &ghost.initial)).collect();
    for &formula in pruned.invariants.first().into_iter().flatten() {
        let premises = first_values_for(lts, pool, &identity, formula);
        let denied = pool.not(formula);
        found.push(Obligation { about: About::Entry, formulas: [&premises[..], &ghosts, &[denied]].concat() });
    }
    // 2.
    let mut updates: Vec<Vec<(AtomId, Linear)>> = vec![Vec::new(); pruned.edges.len()];
    for Update { edge, ghost, value } in &pruned.updates {
        updates[*edge].push((names[*ghost], value.clone()));
    }
    for (at, &(from, edge, to)) in pruned.edges.iter().enumerate() {
        let after = &pruned.invariants[to as usize];
        if after.is_empty() {
            continue;
        }
        let (condition, mut values) = step(lts, pool, &identity, edge, std::mem::take(&mut updates[at]));
        let mut premises = pruned.invariants[from as usize].clone();
        premises.push(condition);
        for &formula in after {
            // Without a term for the formula, deny it outright.
            let claimed = values.formula(pool, formula).unwrap_or(Pool::FALSE);
            let denied = pool.not(claimed);
            found.push(Obligation { about: About::Edge(at), formulas: [&premises[..], &[denied]].concat() });
        }
    }
    // 3.
    for (at, &(from, edge)) in pruned.cut.iter().enumerate() {
        let condition = identity.clone().apply(lts, pool, edge).0;
        found.push(Obligation { about: About::Cut(at), formulas: [&pruned.invariants[from as usize][..], &[condition]].concat() });
    }
    found
}

/// The condition of an edge, and a substitution of what variables, arrays and updated ghosts stand for after it for their names;
/// `identity` is the state in which each stands for itself.
pub fn step(lts: &Lts, pool: &mut Pool, identity: &State, edge: EdgeId, updates: Vec<(AtomId, Linear)>) -> (FormulaId, Substitution) {
    let mut state = identity.clone();
    let (condition, _) = state.apply(lts, pool, edge);
    (condition, state.substitution(lts, identity).and_atoms(updates))
}

/// The claim that a graph has all feasible paths; the certificates are those of its [`obligations`].
pub fn pruned_claim(number: usize, pool: &Pool, pruned: &Pruned, certificates: &[Certificate]) -> Claim {
    let certificates = certificates.iter().map(|certificate| super::write(pool, certificate)).collect();
    Claim::new(format!("graph-{number}"), Statement::Pruned { graph: write_graph(pool, pruned), certificates })
}

/// The claim that a graph has all feasible paths and none of its paths takes one of these edges, or (without `taken`) none that takes
/// one goes on to the exit.
pub fn excluded_claim(id: String, (edges, taken): (&[EdgeId], bool), pool: &Pool, pruned: &Pruned, certificates: &[Certificate]) -> Claim {
    let certificates = certificates.iter().map(|certificate| super::write(pool, certificate)).collect();
    Claim::new(id, Statement::Excluded { taken, edges: numbers(edges), graph: write_graph(pool, pruned), certificates })
}

/// The claim that the function's own graph has no path from the ends of these edges to the exit.
pub fn dead_ends_claim(number: usize, edges: &[EdgeId]) -> Claim {
    Claim::new(format!("cover-{number}"), Statement::DeadEnds { edges: numbers(edges) })
}

/// Checks that every obligation of the graph is refuted by its certificate.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_pruned(lts: &Lts, graph: &PrunedGraph, certificates: &[Proof]) -> Result<(), String> {
    judge_pruned(lts, graph, certificates, &mut by_certificate)
}

/// As [`check_pruned`], with what becomes of each obligation.
///
/// # Errors
/// As [`check_pruned`]; the judge's.
pub(super) fn judge_pruned(lts: &Lts, graph: &PrunedGraph, certificates: &[Proof], judge: Judge) -> Result<(), String> {
    let mut pool = Pool::new();
    let pruned = read_graph(&mut pool, graph, lts.exit)?;
    check_inductive(lts, &mut pool, &pruned, certificates, judge)
}

pub(super) fn check_inductive(lts: &Lts, pool: &mut Pool, pruned: &Pruned, certificates: &[Proof], judge: Judge) -> Result<(), String> {
    check_shape(lts, pool, pruned)?;
    let obligations = obligations(lts, pool, pruned);
    check_refuted(pool, &obligations, certificates, judge)
}

/// Checks that each obligation is refuted by its certificate.
pub(super) fn check_refuted(pool: &mut Pool, obligations: &[Obligation], certificates: &[Proof], judge: Judge) -> Result<(), String> {
    if obligations.len() != certificates.len() {
        return Err(format!("{} certificates for {} obligations", certificates.len(), obligations.len()));
    }
    for (index, (obligation, certificate)) in obligations.iter().zip(certificates).enumerate() {
        let certificate = super::read(pool, certificate)?;
        judge(pool, &obligation.formulas, &certificate).map_err(|reason| format!("obligation {index}: {reason}"))?;
    }
    Ok(())
}

/// Checks that the function's graph has no path from the ends of these edges to the exit.
///
/// # Errors
/// Which edge has such a way after it.
pub fn check_dead_ends(lts: &Lts, edges: &[u32]) -> Result<(), String> {
    let distance = distances(lts, lts.exit);
    for edge in ids(edges) {
        let ends = lts.graph.edge_endpoints(edge).ok_or("an edge that the function does not have")?;
        if distance[ends.1.index()].is_some() {
            return Err(format!("there is a way from behind edge {} to the exit", edge.index()));
        }
    }
    Ok(())
}

/// For each node whether a path leads to it from this one.
fn spread(graph: &PrunedGraph, first: u32) -> Vec<bool> {
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); graph.places.len()];
    graph.edges.iter().for_each(|&(from, _, to)| next[from as usize].push(to));
    let mut reached = vec![false; graph.places.len()];
    let mut waiting = vec![first];
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut reached[node as usize], true) {
            waiting.extend(&next[node as usize]);
        }
    }
    reached
}

/// Whether a path from node 0 of the graph gets to a call that lowering did not inline: the graph then does not have what the function
/// executes after it. The graph itself must have passed [`check_pruned`].
pub fn gets_to_cut(lts: &Lts, graph: &PrunedGraph) -> bool {
    let Some(cut) = lts.cut else { return false };
    spread(graph, 0).iter().zip(&graph.places).any(|(reached, location)| *reached && *location == cut.index() as u32)
}

/// The claim that a graph, one of the graph with undefined edges, has all feasible paths and none of its paths takes one of these edges.
pub fn defined_claim(id: String, edges: &[EdgeId], pool: &Pool, pruned: &Pruned, certificates: &[Certificate]) -> Claim {
    let certificates = certificates.iter().map(|certificate| super::write(pool, certificate)).collect();
    Claim::new(id, Statement::Defined { edges: numbers(edges), graph: write_graph(pool, pruned), certificates })
}

/// Checks that no path from node 0 of the graph takes one of these edges, or (without `taken`) goes on after one to a final
/// place. The graph itself must have passed [`check_pruned`].
///
/// # Errors
/// Which edge a path takes.
pub fn check_excluded(lts: &Lts, taken: bool, edges: &[u32], graph: &PrunedGraph) -> Result<(), String> {
    let exit = lts.exit.index() as u32;
    let reached = spread(graph, 0);
    for &(from, edge, to) in graph.edges.iter().filter(|(from, edge, _)| reached[*from as usize] && edges.contains(edge)) {
        let completes = || spread(graph, to).iter().zip(&graph.places).any(|(reached, location)| *reached && *location == exit);
        if taken || completes() {
            return Err(format!("a path of the graph takes edge {edge} from place {from}"));
        }
    }
    match edges.iter().find(|&&edge| edge as usize >= lts.graph.edge_count()) {
        Some(edge) => Err(format!("there is no edge {edge}")),
        None => Ok(()),
    }
}
