//! Exactness: every path of a pruned graph, from the entry to a final node and up to a length, is feasible.
//!
//! [`super::graph`] shows that no feasible path is missing. This is the other direction. Each node `j` has a formula `I_j`;
//! `V_j` are the variables and arrays whose values at `j` matter for it or for what comes later (the least sets that satisfy 1).
//! The proof is by induction along a path to `j`: *for all values of `V_j` that satisfy `I_j` some run along the path ends with
//! these values.* A final node has no formula and nothing that matters, so some run takes the path.
//!
//! 1. `V_j` has what `I_j` speaks of; for an edge from `i` to `j`, `V_i` has what the edge's condition reads and what the values
//!    that the edge gives to `V_j` are made of.
//! 2. Entry: `I_0` implies that there are first values that the program allows and that agree with the given ones on `V_0`.
//! 3. An edge from `i` to `j`: `I_j` implies that there are values before the edge that satisfy `I_i` and the edge's condition,
//!    and after which `V_j` has the given values.
//!
//! Naming them shows that *there are* such values: an [`Instance`] has, for each value *before* (and for each value of
//! `nondet()` on the edge), a term over the values *after*. An edge may need a few instances, of which one fits in each
//! case. So 2 and 3 become formulas that cannot hold together: `I_j`, and of each instance the denial that it fits. An instance
//! may name any terms whatever: symbols that are left in them stand for all values, so a wrong instance makes the obligation
//! wrong, never the claim.
//!
//! A value that no edge of the path reads may lie outside of its type here: any other would do as well.
//!
//! The obligations are those of edges on paths up to the length. What is here is trusted, as in [`super::graph`]; the search for
//! instances is not.

pub mod written;

use super::graph::{About, Obligation, Pruned, check_inductive, check_refuted};
use super::judge::Judge;
use super::{Claim, Proof, PrunedGraph, Statement, WrittenInstances};
use crate::count::{MAX_LENGTH, totals};
use crate::logic::substitution::{Substitution, TermNode, each_symbol};
use crate::logic::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Linear, Mentions, Pool, SortedSet, SymbolId};
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use crate::solver::certificate::Certificate;
use crate::symex::{self, State, first_values};
use std::collections::VecDeque;
use written::{read_instances, write_instances};

/// Terms for values before an edge, over the values after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    pub integers: Vec<(AtomId, Linear)>,
    pub arrays: Vec<(ArrayTermId, ArrayTermId)>,
}

/// The instances: of the entry, and of each edge of the graph by its position (none where it lies on no path up to the length).
#[derive(Clone, Debug, Default)]
pub struct Instances {
    pub entry: Vec<Instance>,
    pub edges: Vec<Vec<Instance>>,
}

/// The positions of the edges that lie on a path of at most `length` edges from node 0 to a final node.
pub fn edges_in_reach(graph: &Pruned, length: u32) -> Vec<usize> {
    let count = graph.nodes.len();
    let distances = |starts: Vec<usize>, forward: bool| {
        let mut ways: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(from, _, to) in &graph.edges {
            let (from, to) = if forward { (from, to) } else { (to, from) };
            ways[from as usize].push(to as usize);
        }
        let mut found: Vec<Option<u64>> = vec![None; count];
        let mut queue: VecDeque<(usize, u64)> = starts.into_iter().map(|start| (start, 0)).collect();
        while let Some((at, distance)) = queue.pop_front() {
            if found[at].is_none() {
                found[at] = Some(distance);
                queue.extend(ways[at].iter().map(|&next| (next, distance + 1)));
            }
        }
        found
    };
    let from_entry = distances(vec![0], true);
    let to_exit = distances(graph.finals.iter().map(|last| last.index()).collect(), false);
    let near = |&(from, _, to): &(u32, EdgeId, u32)| matches!((from_entry[from as usize], to_exit[to as usize]), (Some(before), Some(after)) if before + 1 + after <= length.into());
    (0..graph.edges.len()).filter(|&at| near(&graph.edges[at])).collect()
}

/// What an edge does to the state in which every variable is its own symbol.
pub struct Effect {
    pub condition: FormulaId,
    pub state: State,
    /// Whether both are exact ([`symex::Undo::is_exact`]).
    pub exact: bool,
}

pub fn effect(lts: &Lts, pool: &mut Pool, identity: &State, edge: EdgeId) -> Effect {
    let mut state = identity.clone();
    let (condition, undo) = state.apply(lts, pool, edge);
    Effect { condition, state, exact: undo.is_exact() }
}

/// Variables and arrays as symbols.
pub struct SymbolNames {
    pub identity: State,
    symbols: Vec<SymbolId>,
}

impl SymbolNames {
    pub fn new(lts: &Lts, pool: &mut Pool) -> SymbolNames {
        let identity = State::of_symbols(lts, pool, str::to_owned);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        let symbols = names.map(|name| pool.symbol(name)).collect();
        SymbolNames { identity, symbols }
    }

    /// The variables that have these symbols.
    pub fn variables<'v>(&'v self, lts: &Lts, matter: &'v SortedSet<SymbolId>) -> impl Iterator<Item = VariableId> + 'v {
        (0..lts.variables.len() as u32).map(VariableId).filter(|id| matter.contains(&self.symbols[id.0 as usize]))
    }

    pub fn arrays<'v>(&'v self, lts: &Lts, matter: &'v SortedSet<SymbolId>) -> impl Iterator<Item = ArrayId> + 'v {
        let first = lts.variables.len();
        (0..lts.arrays.len() as u32).map(ArrayId).filter(move |id| matter.contains(&self.symbols[first + id.0 as usize]))
    }
}

/// 1.: `V` for each node, as symbols; `edges` are the positions of those within reach.
pub fn what_matters(lts: &Lts, pool: &mut Pool, graph: &Pruned, names: &SymbolNames, edges: &[usize]) -> Vec<SortedSet<SymbolId>> {
    let program_symbols: SortedSet<SymbolId> = names.symbols.iter().copied().collect();
    let mut matter: Vec<SortedSet<SymbolId>> = vec![SortedSet::new(); graph.nodes.len()];
    for &at in edges {
        let (from, _, to) = graph.edges[at];
        for node in [from as usize, to as usize] {
            matter[node] = Mentions::of(pool, &graph.invariants[node], &[]).symbols;
        }
    }
    let effects: Vec<Effect> = edges.iter().map(|&at| effect(lts, pool, &names.identity, graph.edges[at].1)).collect();
    loop {
        let mut changed = false;
        // Most edges lead on to later nodes.
        for (&at, effect) in edges.iter().zip(&effects).rev() {
            let (from, _, to) = graph.edges[at];
            let after = &matter[to as usize];
            let mut roots = vec![TermNode::Formula(effect.condition)];
            roots.extend(names.arrays(lts, after).map(|id| TermNode::Array(effect.state.array(id))));
            for id in names.variables(lts, after) {
                roots.extend(effect.state.variable(id).terms().iter().map(|&(atom, _)| TermNode::Atom(atom)));
            }
            let mut read = SortedSet::new();
            each_symbol(pool, roots, |symbol| {
                if program_symbols.contains(&symbol) {
                    read.insert(symbol);
                }
                true
            });
            let before = &mut matter[from as usize];
            let size = before.len();
            before.extend(read);
            changed |= before.len() > size;
        }
        if !changed {
            return matter;
        }
    }
}

/// 2. and 3.: all formulas to refute, of the entry first and then of the edges in their order. The graph's shape must be right.
///
/// # Errors
/// Why the graph cannot be shown to be exact.
pub fn obligations(lts: &Lts, pool: &mut Pool, graph: &Pruned, length: u32, instances: &Instances) -> Result<Vec<Obligation>, String> {
    if graph.finals.iter().any(|last| !graph.invariants[last.index()].is_empty()) {
        return Err("a final place has a formula".to_owned());
    }
    if instances.edges.len() != graph.edges.len() {
        return Err("each edge has its instances".to_owned());
    }
    let edges = edges_in_reach(graph, length);
    let names = SymbolNames::new(lts, pool);
    let matter = what_matters(lts, pool, graph, &names, &edges);
    let mut found = Vec::new();
    let entry = PreimageCondition::of_entry(lts, pool, &names, &matter[0])?;
    found.push(Obligation { about: About::Entry, formulas: entry.denied(pool, &graph.invariants[0], &instances.entry) });
    for at in edges {
        let (from, edge, to) = graph.edges[at];
        let question = PreimageCondition::of_edge(lts, pool, &names, &graph.invariants[from as usize], edge, &matter[to as usize])?;
        let formulas = question.denied(pool, &graph.invariants[to as usize], &instances.edges[at]);
        found.push(Obligation { about: About::Edge(at), formulas });
    }
    Ok(found)
}

/// What the values before have to satisfy, given those after.
pub struct PreimageCondition {
    /// Conditions on the values before alone.
    pub before: Vec<FormulaId>,
    /// A value after, and the term over values before that gives it.
    pub integers: Vec<(Linear, Linear)>,
    pub arrays: Vec<(ArrayTermId, ArrayTermId)>,
}

impl PreimageCondition {
    /// 2.: the values that matter are their own first values.
    ///
    /// # Errors
    /// When first contents of an array matter: no formula says that the rest is zero.
    pub fn of_entry(lts: &Lts, pool: &mut Pool, names: &SymbolNames, matter: &SortedSet<SymbolId>) -> Result<PreimageCondition, String> {
        let assumed = symex::precondition(lts, pool);
        let assumed = Mentions::of(pool, &[assumed], &[]).symbols;
        let filled = |id: &ArrayId| lts.array(*id).initial.is_some();
        if names.arrays(lts, matter).chain(names.arrays(lts, &assumed)).any(|id| filled(&id)) {
            return Err("the first contents of an array matter".to_owned());
        }
        let identity = &names.identity;
        Ok(PreimageCondition {
            before: first_values(lts, pool, identity),
            integers: names.variables(lts, matter).map(|id| (identity.variable(id).clone(), identity.variable(id).clone())).collect(),
            arrays: names.arrays(lts, matter).map(|id| (identity.array(id), identity.array(id))).collect(),
        })
    }

    /// 3.
    ///
    /// # Errors
    /// Where the edge's condition or values are not exact: then perhaps no run has them.
    pub fn of_edge(
        lts: &Lts,
        pool: &mut Pool,
        names: &SymbolNames,
        before: &[FormulaId],
        edge: EdgeId,
        matter: &SortedSet<SymbolId>,
    ) -> Result<PreimageCondition, String> {
        let Effect { condition, state, exact } = effect(lts, pool, &names.identity, edge);
        if !exact {
            return Err("an operator on bits has no exact value".to_owned());
        }
        Ok(PreimageCondition {
            before: [before, &[condition]].concat(),
            integers: names.variables(lts, matter).map(|id| (names.identity.variable(id).clone(), state.variable(id).clone())).collect(),
            arrays: names.arrays(lts, matter).map(|id| (names.identity.array(id), state.array(id))).collect(),
        })
    }

    /// The formulas that cannot hold together if in each case an instance fits: what is known after, and that none fits. That an instance
    /// fits leaves out what is known after anyway: mostly that is all.
    pub fn denied(&self, pool: &mut Pool, after: &[FormulaId], instances: &[Instance]) -> Vec<FormulaId> {
        let mut formulas = after.to_vec();
        for instance in instances {
            let fits = self.fits(pool, after, instance).unwrap_or(Pool::FALSE);
            formulas.push(pool.not(fits));
        }
        formulas
    }

    /// What it takes, beside what is known after, that the instance's values satisfy the question; `None` where no formula says so.
    fn fits(&self, pool: &mut Pool, after: &[FormulaId], instance: &Instance) -> Option<FormulaId> {
        // Values for symbols only: that of `a[i]` is not free where the instance names `a` too.
        let symbols = instance.integers.iter().all(|(from, _)| matches!(pool.atom(*from), Atom::Symbol(_)))
            && instance.arrays.iter().all(|(from, _)| match pool.array(*from) {
                // The meaning of an operator is fixed.
                ArrayTerm::Symbol(symbol) => !symex::is_operator(pool.symbol_name(*symbol)),
                _ => false,
            });
        if !symbols {
            return None;
        }
        let replaced = instance.integers.iter().cloned();
        let mut values = instance.arrays.iter().fold(Substitution::of(replaced), |all, &(from, to)| all.and_array(from, to));
        let mut parts = Vec::new();
        for &formula in &self.before {
            parts.push(values.formula(pool, formula)?);
        }
        for (value, term) in &self.integers {
            let term = values.term(pool, term)?;
            parts.push(pool.equal(value, &term));
        }
        for &(array, term) in &self.arrays {
            let mut at = values.array(pool, term)?;
            // The two arrays agree if each write puts what is there anyway, but for a write below another to the same index.
            let mut written: Vec<Linear> = Vec::new();
            while at != array {
                let ArrayTerm::Store(inner, index, value) = pool.array(at).clone() else { return None };
                if !written.contains(&index) {
                    let element = pool.select(array, &index);
                    parts.push(pool.equal(&element, &value));
                    written.push(index);
                }
                at = inner;
            }
        }
        let open = |part: &FormulaId| match pool.formula(*part) {
            Formula::And(parts) => !parts.iter().all(|part| after.contains(part)),
            _ => !after.contains(part),
        };
        parts.retain(open);
        Some(pool.and(&parts))
    }
}

/// What shows that a graph is exact: certificates that no feasible path is missing ([`super::graph`]), and instances with
/// certificates that each path up to the length is feasible.
#[derive(Clone, Copy, Debug)]
pub struct Exactness<'a> {
    pub certificates: &'a [Certificate],
    pub instances: &'a Instances,
    pub exact: &'a [Certificate],
}

/// The claim that the paths of a graph up to a length (in edges) are the feasible ones of the function.
pub fn counted_claim(number: usize, pool: &Pool, graph: &Pruned, length: u32, exactness: Exactness) -> Claim {
    let all = |certificates: &[Certificate]| certificates.iter().map(|certificate| super::write(pool, certificate)).collect();
    let count = totals(&graph.graph(), &[length]).first().map(ToString::to_string).unwrap_or_default();
    let statement = Statement::Counted {
        graph: super::write_graph(pool, graph),
        certificates: all(exactness.certificates),
        length,
        count,
        instances: write_instances(pool, exactness.instances),
        exact: all(exactness.exact),
    };
    Claim::new(format!("graph-{number}"), statement)
}

/// Checks that the graph has all feasible paths, that its paths up to the length are feasible, and that there are `count` of
/// them.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_counted(
    lts: &Lts,
    (graph, certificates): (&PrunedGraph, &[Proof]),
    (length, count): (u32, &str),
    (instances, exact): (&WrittenInstances, &[Proof]),
    judge: Judge,
) -> Result<(), String> {
    if lts.reads_stdin() {
        return Err("whether a text on standard input takes a path is known of each path alone".to_owned());
    }
    if length > MAX_LENGTH {
        return Err(format!("paths of at most {MAX_LENGTH} edges are counted"));
    }
    let mut pool = Pool::new();
    let pruned = super::read_graph(&mut pool, graph, lts.exit)?;
    if !pruned.ghosts.is_empty() {
        return Err("a counted graph has no ghosts: what is before an edge would not be known behind it".to_owned());
    }
    check_inductive(lts, &mut pool, &pruned, certificates, &mut *judge)?;
    let instances = read_instances(&mut pool, instances)?;
    let obligations = obligations(lts, &mut pool, &pruned, length, &instances)?;
    check_refuted(&mut pool, &obligations, exact, judge).map_err(|reason| format!("feasibility, {reason}"))?;
    let found = totals(&pruned.graph(), &[length]);
    match found.iter().all(|found| found.to_string() == count) {
        true => Ok(()),
        false => Err(format!("there are not {count} paths")),
    }
}
