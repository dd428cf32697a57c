//! What a claim says that holds where a side is decided, and contradicts its condition.
//!
//! A graph that excludes edges has formulas at its nodes ([`crate::evidence::graph`]). Where such an edge is cut, the formulas of the node and
//! the edge's condition contradict each other: the needed ones are the reason. Several nodes of one location are cases that the proof tells
//! apart. A case that another claim excludes is left out: what is said of one location does not contradict what is said of another.

use super::elements::of_elements;
use super::names::ReasonNames;
use crate::evidence::graph::Pruned;
use crate::evidence::graph::written::read_graph;
use crate::evidence::{Claim, Statement};
use crate::logic::substitution::symbols;
use crate::logic::{ArrayTerm, Atom, AtomId, Formula, FormulaId, Int, IntRange, Linear, Mentions, Pool};
use crate::lts::{EdgeId, LocationId, Lts, ModelObject};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::symex::{State, written_as};
use petgraph::Direction::Incoming;
use petgraph::visit::EdgeRef;

/// The greatest number of cases.
const CASES: usize = 24;
/// The greatest length of all cases, in characters.
const LONG: usize = 500;
/// Steps of a question.
const STEPS: u64 = 20_000;

/// The greatest number of nodes of one location that are a fact of it together.
const ALTERNATIVES: usize = 4;
/// The greatest number of such facts that a case is compared with, and of steps back to their locations.
const FACTS: usize = 24;
const BACK: usize = 200;

/// A graph of a claim.
struct ClaimedGraph<'c> {
    excluded: &'c [u32],
    assumes: &'c [String],
    graph: Pruned,
}

/// The graphs of a run's claims, over common terms.
pub struct ClaimedFacts<'c> {
    lts: &'c Lts,
    names: &'c ReasonNames<'c>,
    pool: Pool,
    identity: State,
    graphs: Vec<ClaimedGraph<'c>>,
}

impl<'c> ClaimedFacts<'c> {
    /// The graphs of these claims about edges of the function.
    pub fn new(lts: &'c Lts, names: &'c ReasonNames<'c>, claims: &'c [Claim]) -> ClaimedFacts<'c> {
        let mut pool = Pool::new();
        let identity = State::of_symbols(lts, &mut pool, str::to_owned);
        let mut graph_of = |claim: &'c Claim| {
            let Statement::Excluded { taken: true, edges, graph, .. } = &claim.statement else { return None };
            let graph = read_graph(&mut pool, graph, lts.exit).ok()?;
            Some(ClaimedGraph { excluded: edges, assumes: &claim.assumes, graph })
        };
        let graphs = claims.iter().filter_map(&mut graph_of).collect();
        ClaimedFacts { lts, names, pool, identity, graphs }
    }

    /// What holds where this edge begins, in each case: conditions that contradict its own. Empty where no claim has any, or too many.
    /// `infeasible` says of edges that no execution takes them.
    pub fn against(&mut self, edge: EdgeId, infeasible: &dyn Fn(EdgeId) -> bool) -> Vec<Vec<String>> {
        let excludes = |graph: &ClaimedGraph| graph.excluded.contains(&(edge.index() as u32));
        let graphs: Vec<usize> = (0..self.graphs.len()).filter(|&at| excludes(&self.graphs[at])).collect();
        graphs.into_iter().find_map(|graph| self.cases(graph, edge, infeasible)).unwrap_or_default()
    }

    fn cases(&mut self, graph: usize, edge: EdgeId, infeasible: &dyn Fn(EdgeId) -> bool) -> Option<Vec<Vec<String>>> {
        let lts = self.lts;
        let Pruned { cut, invariants, .. } = &self.graphs[graph].graph;
        let nodes = cut.iter().filter(|(_, cut)| *cut == edge).map(|(node, _)| invariants[*node as usize].clone());
        let nodes: Vec<Vec<FormulaId>> = nodes.filter(|facts| !facts.contains(&Pool::FALSE)).collect();
        let condition = self.identity.clone().apply(lts, &mut self.pool, edge).0;
        let contrary = self.pool.not(condition);
        let is_alone = nodes.len() == 1;
        let mut cases: Vec<(Vec<FormulaId>, Vec<String>)> = Vec::new();
        for facts in nodes {
            // Of variables that the program does not have a reader knows nothing; the contrary of the condition is no reason for it.
            let named: Vec<FormulaId> = facts.iter().copied().filter(|&fact| self.is_named(fact)).collect();
            let others: Vec<FormulaId> = named.iter().copied().filter(|&fact| fact != contrary).collect();
            let needed = [others, named].iter().find_map(|facts| self.needed(facts, condition));
            let Some(needed) = needed else {
                self.needed(&facts, condition)?;
                if !is_alone && self.is_impossible(graph, edge, &facts, infeasible) {
                    continue;
                }
                return None;
            };
            let texts = of_elements(needed.iter().filter_map(|&fact| self.told(fact)).collect());
            if texts.is_empty() || texts.iter().any(|text| text.contains('@')) {
                return None;
            }
            // A case within another one says nothing more.
            if cases.iter().any(|(wider, told)| *told == texts || self.implies(&needed, wider)) {
                continue;
            }
            if !is_alone && self.is_impossible(graph, edge, &facts, infeasible) {
                continue;
            }
            cases.retain(|(narrower, _)| !self.implies(narrower, &needed));
            cases.push((needed, texts));
            if cases.len() > CASES || cases.iter().flat_map(|(_, texts)| texts).map(String::len).sum::<usize>() > LONG {
                return None;
            }
        }
        let cases: Vec<Vec<String>> = cases.into_iter().map(|(_, texts)| texts).collect();
        Some(cases).filter(|cases| !cases.is_empty())
    }

    /// Whether the text has words for all that a fact speaks of.
    fn is_named(&self, fact: FormulaId) -> bool {
        let symbols = symbols(&self.pool, &[fact]);
        symbols.iter().all(|&symbol| self.names.of_symbol(self.pool.symbol_name(symbol)).is_some())
    }

    /// Whether the facts of a node, which holds in one case of a graph, contradict what another claim says of the location.
    fn is_impossible(&mut self, graph: usize, edge: EdgeId, facts: &[FormulaId], infeasible: &dyn Fn(EdgeId) -> bool) -> bool {
        let locations = self.unchanged_since(edge, facts, infeasible);
        let mut alternatives: Vec<Vec<Vec<FormulaId>>> = Vec::new();
        for other in (0..self.graphs.len()).filter(|other| *other != graph) {
            let ClaimedGraph { assumes, graph: Pruned { nodes, invariants, .. }, .. } = &self.graphs[other];
            if !assumes.iter().all(|one| self.graphs[graph].assumes.contains(one)) {
                continue;
            }
            for location in &locations {
                let there: Vec<Vec<FormulaId>> =
                    nodes.iter().zip(invariants).filter(|(node, _)| node.location() == *location).map(|(_, facts)| facts.clone()).collect();
                if (1..=ALTERNATIVES).contains(&there.len()) && there.iter().all(|facts| !facts.is_empty()) && alternatives.len() < FACTS {
                    alternatives.push(there);
                }
            }
        }
        alternatives.iter().any(|there| {
            there.iter().all(|others| {
                let all = self.pool.and(others);
                self.needed(facts, all).is_some()
            })
        })
    }

    /// The location where an edge begins, and those before it that each execution passes on its way there, as long as nothing changes that
    /// the facts speak of.
    fn unchanged_since(&self, edge: EdgeId, facts: &[FormulaId], infeasible: &dyn Fn(EdgeId) -> bool) -> Vec<LocationId> {
        let lts = self.lts;
        let spoken_of: Vec<&str> = symbols(&self.pool, facts).into_iter().map(|symbol| self.pool.symbol_name(symbol)).collect();
        let is_changed = |edge: EdgeId| match lts.graph[edge].label.assigned() {
            Some(ModelObject::Variable(id)) => spoken_of.contains(&lts.variable(id).name.as_str()),
            Some(ModelObject::Array(id)) => spoken_of.contains(&lts.array(id).name.as_str()),
            None => false,
        };
        let mut found = vec![lts.edge(edge).1];
        while found.len() < BACK {
            let at = found[found.len() - 1];
            let arcs: Vec<(EdgeId, LocationId)> = (lts.graph.edges_directed(at, Incoming))
                .map(|arc| (arc.id(), arc.source()))
                .filter(|(edge, _)| !infeasible(*edge))
                .collect();
            let Some(&(_, from)) = arcs.first() else { break };
            if arcs.iter().any(|&(edge, other)| other != from || is_changed(edge)) || found.contains(&from) {
                break;
            }
            found.push(from);
        }
        found
    }

    /// Whether all of `others` follow from the facts.
    fn implies(&mut self, facts: &[FormulaId], others: &[FormulaId]) -> bool {
        let all = self.pool.and(others);
        let contrary = self.pool.not(all);
        self.needed(facts, contrary).is_some()
    }

    /// A fact in words, without parts that the types of variables say; `None` where these say all of it.
    fn told(&mut self, fact: FormulaId) -> Option<String> {
        self.set_types(fact);
        let told = self.without_types(fact)?;
        let names = self.names;
        Some(written_as(&self.pool, told, &|writer, atom| names.atom(writer, atom)))
    }

    /// Tells the pool which elements of arrays are floating-point numbers.
    fn set_types(&mut self, fact: FormulaId) {
        for atom in Mentions::of(&self.pool, &[fact], &[]).atoms {
            if let Some(range) = self.range(atom) {
                self.pool.has_type(&Linear::atom(atom), &range);
            }
        }
    }

    /// The range of the variable or array that an atom is a value of.
    fn range(&self, atom: AtomId) -> Option<IntRange> {
        let lts = self.lts;
        match self.pool.atom(atom) {
            Atom::Symbol(symbol) => {
                let name = self.pool.symbol_name(*symbol);
                lts.variables.iter().find(|variable| variable.name == name)?.range
            }
            Atom::Select(array, _) => {
                let ArrayTerm::Symbol(symbol) = self.pool.array(*array) else { return None };
                let name = self.pool.symbol_name(*symbol);
                lts.arrays.iter().find(|array| array.name == name)?.range
            }
            _ => None,
        }
    }

    fn without_types(&mut self, fact: FormulaId) -> Option<FormulaId> {
        let rest = |facts: &mut Self, parts: &[FormulaId]| {
            let parts: Vec<FormulaId> = parts.iter().copied().filter(|&part| !facts.is_of_type(part)).collect();
            (!parts.is_empty()).then(|| facts.pool.and(&parts))
        };
        match self.pool.formula(fact).clone() {
            Formula::And(parts) => rest(self, &parts),
            Formula::Not(inner) => {
                let Formula::And(parts) = self.pool.formula(inner).clone() else { return Some(fact) };
                rest(self, &parts).map(|told| self.pool.not(told))
            }
            _ => (!self.is_of_type(fact)).then_some(fact),
        }
    }

    /// Whether a formula is a bound of the type of a variable or of an element.
    fn is_of_type(&self, part: FormulaId) -> bool {
        let Formula::Le(term) = self.pool.formula(part) else { return false };
        let [(atom, factor)] = term.terms() else { return false };
        let Some(range) = self.range(*atom) else { return false };
        match factor {
            one if one.is_one() => *term.offset() <= -&range.greatest(),
            minus if *minus == Int::MINUS_ONE => *term.offset() <= range.least(),
            _ => false,
        }
    }

    /// The facts that contradict the condition together.
    fn needed(&mut self, facts: &[FormulaId], condition: FormulaId) -> Option<Vec<FormulaId>> {
        let mut context = Context::new();
        context.pool = std::mem::take(&mut self.pool);
        for &formula in facts.iter().chain([&condition]) {
            context.assert(formula);
        }
        let meter = &mut Meter::new(STEPS);
        let answer = context.check(meter);
        let core = match answer {
            Answer::Unsat(refutation) => Some(context.minimal_core(&refutation, meter).refutation.core),
            _ => None,
        };
        self.pool = std::mem::take(&mut context.pool);
        Some(core?.into_iter().filter_map(|at| facts.get(at).copied()).collect())
    }
}
