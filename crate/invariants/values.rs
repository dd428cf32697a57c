//! The values that variables have along different ways: a node is a location and the constants that some variables have there.
//!
//! Source: D. Beyer and S. Löwe, *Explicit-State Software Model Checking Based on CEGAR and Interpolation*, 2013, of which this is the
//! analysis of explicit values; which variables it follows is decided by how they flow into conditions.
//!
//! 1. Follow, at each location, what flows into the conditions of the goal edges; if that does not exclude all of them, what flows into any
//!    condition on a way to them: first the variables that the program sets, then all.
//! 2. From the entry on, each edge leads from a node to the one with the values after it, or contradicts the values and is cut. A condition
//!    `x = 3` makes a value known, a drawn value makes it unknown.
//! 3. Where a location would have too many nodes, the variable with the most values there is followed no more, and 2 begins anew.
//! 4. The values are formulas of a pruned graph; of them those stay that the cuts need ([`super::induction`]).
//!
//! 1 to 3 need not be trusted: the certificates of 4 prove their result again.

mod paths;

use super::{FactQuery, Proved, Prover, certified};
use crate::evidence::graph::{Pruned, PrunedNode};
use crate::logic::{Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SortedMap, SortedSet};
use crate::lts::relevance::Relevance;
use crate::lts::structure::distances;
use crate::lts::{EdgeId, Label, LocationId, Lts, VariableId};
use crate::run::trace::Trace;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use crate::symex::{State, first_values};

/// A location with more nodes than this follows a variable too much.
const AT_ONE: usize = 400;
/// A graph with more nodes than this is not made.
const MOST: usize = 10_000;
/// Steps for all edges, for all at once, and for one of several.
const STEPS: u64 = 1_000_000;
const TOGETHER: u64 = 500_000;
const ONE: u64 = 50_000;
/// Of so many edges at most is asked one by one.
const SINGLE: usize = 24;

/// Explicit values as a prover.
pub struct Values;

impl Prover for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        let mut left = query.first(lts);
        let mut found: Vec<Proved> = Vec::new();
        let mut show = |edges: &[EdgeId], left: &mut Vec<EdgeId>, steps: u64, meter: &mut Meter| {
            meter.within(steps, |meter| {
                if let Ok(Some(proved)) = excluding(lts, edges, &mut Ask { meter, log: trace }) {
                    let excluded = proved.excluded(lts);
                    left.retain(|edge| !excluded.contains(edge));
                    found.push(proved);
                }
            });
        };
        meter.within(STEPS, |meter| {
            if !left.is_empty() {
                show(&left.clone(), &mut left, TOGETHER.min(meter.left() / 2), meter);
            }
            for edge in left.clone().into_iter().take(SINGLE) {
                if left.contains(&edge) && !meter.is_exhausted() {
                    show(&[edge], &mut left, ONE, meter);
                }
            }
        });
        found
    }
}

/// 1.: of which conditions the variables are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deciding {
    /// Those of the edges.
    Edges,
    /// All on ways to the edges; of the variables in them only those that the program sets.
    Set,
    /// All on ways to the edges.
    Ways,
}

/// A graph that excludes some of these edges; where it can be, all.
fn excluding(lts: &Lts, edges: &[EdgeId], ask: &mut Ask) -> Result<Option<Proved>, Exhausted> {
    let mut best: Option<(usize, Pool, Pruned)> = None;
    for deciding in [Deciding::Edges, Deciding::Set, Deciding::Ways] {
        // 1. to 3.
        ask.meter.before(lts.graph.edge_count())?;
        let mut pool = Pool::new();
        let Some(graph) = Unfolding::new(lts, &mut pool, edges, deciding).unfold(ask.meter)? else { continue };
        let taken: SortedSet<EdgeId> = graph.edges.iter().map(|&(_, edge, _)| edge).collect();
        let excluded = edges.iter().filter(|edge| !taken.contains(edge)).count();
        if excluded > best.as_ref().map_or(0, |best| best.0) {
            best = Some((excluded, pool, graph));
        }
        if excluded == edges.len() {
            break;
        }
    }
    // 4.
    let Some((_, mut pool, graph)) = best else { return Ok(None) };
    let Some((graph, certificates)) = certified(lts, &mut pool, graph, ask)? else { return Ok(None) };
    Ok(Some(Proved { pool, graph, certificates }))
}

/// The variable that gets a value which is not drawn.
fn set_by(label: &Label) -> Option<VariableId> {
    match label {
        Label::Assign(variable, value) if value.nondets() == 0 => Some(*variable),
        _ => None,
    }
}

/// The values that are known, in the order of the variables.
type Valuation = Vec<(VariableId, Int)>;

struct Unfolding<'u> {
    lts: &'u Lts,
    pool: &'u mut Pool,
    identity: State,
    relevance: Relevance,
    /// Locations from which a way leads to a goal edge; elsewhere nothing is followed.
    towards: Vec<bool>,
    given_up: SortedSet<VariableId>,
}

impl<'u> Unfolding<'u> {
    /// 1.
    fn new(lts: &'u Lts, pool: &'u mut Pool, edges: &[EdgeId], deciding: Deciding) -> Unfolding<'u> {
        let mut towards = vec![false; lts.graph.node_count()];
        for &edge in edges {
            for (leads, distance) in towards.iter_mut().zip(distances(lts, lts.edge(edge).1)) {
                *leads = *leads || distance.is_some();
            }
        }
        let relevance = Relevance::flowing(lts, &|edge| match deciding {
            Deciding::Edges => edges.contains(&edge),
            Deciding::Set | Deciding::Ways => towards[lts.edge(edge).1.index()],
        });
        let mut given_up = SortedSet::new();
        if deciding == Deciding::Set {
            let set: SortedSet<VariableId> = lts.graph.edge_weights().filter_map(|edge| set_by(&edge.label)).collect();
            given_up = (0..lts.variables.len() as u32).map(VariableId).filter(|variable| !set.contains(variable)).collect();
        }
        let identity = State::of_symbols(lts, pool, str::to_owned);
        Unfolding { lts, pool, identity, relevance, towards, given_up }
    }

    /// 2. and 3.; `None` where there are too many nodes.
    fn unfold(&mut self, meter: &mut Meter) -> Result<Option<Pruned>, Exhausted> {
        loop {
            match self.attempt(meter)? {
                Attempt::Done(graph) => return Ok(Some(graph)),
                Attempt::Many => return Ok(None),
                Attempt::GiveUp(variable) => drop(self.given_up.insert(variable)),
            }
        }
    }

    fn attempt(&mut self, meter: &mut Meter) -> Result<Attempt, Exhausted> {
        let lts = self.lts;
        let mut graph = Pruned::default();
        let mut numbers: SortedMap<(LocationId, Valuation), u32> = SortedMap::new();
        let mut at_location: Vec<Vec<u32>> = vec![Vec::new(); lts.graph.node_count()];
        let mut nodes: Vec<(LocationId, Valuation)> = Vec::new();
        let first = first_values(lts, self.pool, &self.identity);
        let first = self.pool.and(&first);
        nodes.push((lts.entry, self.valuation(lts.entry, &self.identity.clone(), first)));
        numbers.insert(nodes[0].clone(), 0);
        while let Some((location, valuation)) = nodes.get(graph.nodes.len()).cloned() {
            let number = graph.nodes.len() as u32;
            graph.nodes.push(PrunedNode::Carried { number, location });
            if location == lts.exit {
                graph.finals.push(LocationId::new(number as usize));
            }
            let formulas = valuation.iter().map(|(variable, value)| {
                let term = self.identity.variable(*variable);
                self.pool.equal(term, &Linear::constant(value.clone()))
            });
            graph.invariants.push(formulas.collect());
            for (edge, to) in lts.outgoing(location) {
                meter.spend(1)?;
                let mut state = self.identity.clone();
                for (variable, value) in &valuation {
                    state.set_variable(*variable, Linear::constant(value.clone()));
                }
                let (condition, _) = state.apply(lts, self.pool, edge);
                if condition == Pool::FALSE {
                    graph.cut.push((number, edge));
                    continue;
                }
                let successor = (to, self.valuation(to, &state, condition));
                let fresh = nodes.len() as u32;
                let at = *numbers.entry(successor.clone()).or_insert(fresh);
                if at == fresh {
                    at_location[to.index()].push(fresh);
                    nodes.push(successor);
                    if at_location[to.index()].len() > AT_ONE {
                        let valuations = at_location[to.index()].iter().map(|&node| &nodes[node as usize].1);
                        return Ok(most_different(valuations).map_or(Attempt::Many, Attempt::GiveUp));
                    }
                }
                graph.edges.push((number, edge, at));
            }
            if nodes.len() > MOST {
                let valuations = nodes.iter().map(|(_, valuation)| valuation);
                return Ok(most_different(valuations).map_or(Attempt::Many, Attempt::GiveUp));
            }
        }
        Ok(Attempt::Done(graph))
    }

    /// The values of what is followed at a location, in this state and if this holds.
    fn valuation(&self, location: LocationId, state: &State, condition: FormulaId) -> Valuation {
        if !self.towards[location.index()] {
            return Valuation::new();
        }
        let mut learned: SortedMap<AtomId, Int> = SortedMap::new();
        let mut waiting = vec![condition];
        while let Some(formula) = waiting.pop() {
            match self.pool.formula(formula) {
                Formula::And(parts) => waiting.extend(parts.iter()),
                Formula::Eq(term) => {
                    if let [(atom, factor)] = term.terms()
                        && factor.is_one()
                        && matches!(self.pool.atom(*atom), Atom::Symbol(_))
                    {
                        learned.insert(*atom, -term.offset());
                    }
                }
                _ => {}
            }
        }
        let value = |term: &Linear| match term.terms() {
            [] => Some(term.offset().clone()),
            [(atom, factor)] => learned.get(atom).map(|value| &(value * factor) + term.offset()),
            _ => None,
        };
        let followed = state.variables().enumerate().map(|(at, term)| (VariableId(at as u32), term));
        followed
            .filter(|(variable, _)| self.relevance.variable(location, *variable) && !self.given_up.contains(variable))
            .filter_map(|(variable, term)| Some((variable, value(term)?)))
            .collect()
    }
}

/// What came of 2.
enum Attempt {
    Done(Pruned),
    /// This variable has too many values.
    GiveUp(VariableId),
    /// There are too many nodes.
    Many,
}

/// The variable with the most values.
fn most_different<'v>(valuations: impl Iterator<Item = &'v Valuation>) -> Option<VariableId> {
    let mut values: SortedMap<VariableId, SortedSet<&Int>> = SortedMap::new();
    for (variable, value) in valuations.flatten() {
        values.entry(*variable).or_default().insert(value);
    }
    values.iter().max_by_key(|(variable, values)| (values.len(), std::cmp::Reverse(**variable))).map(|(variable, _)| *variable)
}
