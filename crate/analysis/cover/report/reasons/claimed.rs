//! What a claim says that holds where a side is decided, and contradicts its condition.
//!
//! A graph that excludes edges has formulas at its nodes ([`crate::evidence::graph`]). Where such an edge is cut, the formulas of the node and
//! the edge's condition contradict each other: the needed ones are the reason. Several nodes of one location are cases that the proof tells
//! apart.

use crate::evidence::graph::Pruned;
use crate::evidence::graph::written::read_graph;
use crate::evidence::{Claim, Statement};
use crate::logic::substitution::symbols;
use crate::logic::{Formula, FormulaId, Int, Pool};
use crate::lts::written::is_of_library;
use crate::lts::{EdgeId, Lts, VariableId};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::symex::{State, written};

/// The greatest number of cases.
const CASES: usize = 24;
/// The greatest length of all cases, in characters.
const LONG: usize = 500;
/// Steps of a question.
const STEPS: u64 = 20_000;

/// A graph of a claim, over terms of its own.
struct ClaimedGraph<'c> {
    excluded: &'c [u32],
    pool: Pool,
    graph: Pruned,
    identity: State,
}

/// The graphs of a run's claims.
pub struct ClaimedFacts<'c> {
    lts: &'c Lts,
    graphs: Vec<ClaimedGraph<'c>>,
}

impl<'c> ClaimedFacts<'c> {
    /// The graphs of these claims about edges of the function.
    pub fn new(lts: &'c Lts, claims: &'c [Claim]) -> ClaimedFacts<'c> {
        let graph_of = |claim: &'c Claim| {
            let Statement::Excluded { taken: true, edges, graph, .. } = &claim.statement else { return None };
            let mut pool = Pool::new();
            let identity = State::of_symbols(lts, &mut pool, str::to_owned);
            let graph = read_graph(&mut pool, graph, lts.exit).ok()?;
            Some(ClaimedGraph { excluded: edges, pool, graph, identity })
        };
        ClaimedFacts { lts, graphs: claims.iter().filter_map(graph_of).collect() }
    }

    /// What holds where this edge begins, in each case: conditions that contradict its own. Empty where no claim has any, or too many.
    pub fn against(&mut self, edge: EdgeId) -> Vec<Vec<String>> {
        let lts = self.lts;
        let excludes = |graph: &&mut ClaimedGraph| graph.excluded.contains(&(edge.index() as u32));
        self.graphs.iter_mut().filter(excludes).find_map(|graph| graph.cases(lts, edge)).unwrap_or_default()
    }
}

impl ClaimedGraph<'_> {
    fn cases(&mut self, lts: &Lts, edge: EdgeId) -> Option<Vec<Vec<String>>> {
        let nodes: Vec<u32> = self.graph.cut.iter().filter(|(_, cut)| *cut == edge).map(|(node, _)| *node).collect();
        let condition = self.identity.clone().apply(lts, &mut self.pool, edge).0;
        let mut cases: Vec<(Vec<FormulaId>, Vec<String>)> = Vec::new();
        for node in nodes {
            let facts = self.graph.invariants[node as usize].clone();
            if facts.contains(&Pool::FALSE) {
                continue;
            }
            let needed = self.needed(&facts, condition)?;
            // Of variables that the program does not have a reader knows nothing.
            let symbols = symbols(&self.pool, &needed);
            let is_named = |name: &str| lts.variables.iter().any(|variable| variable.name == name && is_of_library(variable));
            if symbols.iter().any(|&symbol| is_named(self.pool.symbol_name(symbol))) {
                return None;
            }
            let texts: Vec<String> = needed.iter().map(|&fact| self.told(lts, fact)).collect();
            if texts.is_empty() || texts.iter().any(|text| text.contains('@')) {
                return None;
            }
            // A case within another one says nothing more.
            if cases.iter().any(|(wider, told)| *told == texts || self.implies(&needed, wider)) {
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

    /// Whether all of `others` follow from the facts.
    fn implies(&mut self, facts: &[FormulaId], others: &[FormulaId]) -> bool {
        let all = self.pool.and(others);
        let contrary = self.pool.not(all);
        self.needed(facts, contrary).is_some()
    }

    /// A fact in words, without parts that the types of variables say.
    fn told(&mut self, lts: &Lts, fact: FormulaId) -> String {
        let mut told = fact;
        if let Formula::Not(inner) = *self.pool.formula(fact)
            && let Formula::And(parts) = self.pool.formula(inner)
        {
            let parts: Vec<FormulaId> = parts.iter().copied().filter(|&part| !self.is_of_type(lts, part)).collect();
            if !parts.is_empty() {
                let all = self.pool.and(&parts);
                told = self.pool.not(all);
            }
        }
        written(&self.pool, told)
    }

    /// Whether a formula is a bound of a variable's type.
    fn is_of_type(&self, lts: &Lts, part: FormulaId) -> bool {
        let Formula::Le(term) = self.pool.formula(part) else { return false };
        let [(atom, factor)] = term.terms() else { return false };
        let variables = (0..).map(VariableId).zip(&lts.variables);
        let of_atom = |id: VariableId| self.identity.variable(id).terms().first().is_some_and(|(other, _)| other == atom);
        let Some(range) = variables.into_iter().find_map(|(id, variable)| variable.range.filter(|_| of_atom(id))) else { return false };
        match factor {
            one if one.is_one() => *term.offset() == -&range.greatest(),
            minus if *minus == Int::MINUS_ONE => *term.offset() == range.least(),
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
