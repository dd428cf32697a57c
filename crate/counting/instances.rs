//! Finds instances: terms for the values before an edge, over those after it ([`crate::evidence::counted`] says what for).
//!
//! This search need not be trusted: the obligations judge its instances.
//!
//! 1. The values before get names of their own, `x~`; a value that the edge does not change is the one after it. A write to an
//!    element, turned round, gives the array before: the one after with an unknown old element put back. An array that does not
//!    matter after the edge has unknown elements where something reads it, and zeros elsewhere.
//! 2. Solve equations for unknowns with coefficient ±1, and replace these everywhere.
//! 3. Find the rest by counterexamples: a state after the edge in which no instance so far fits; values before for it; and for
//!    each unknown the nearest term that bounds it (or a constant), moved by what it is off there. Again, a few times.
//!
//! Source: to instantiate existentials by models is folklore since N. Bjørner, M. Janota, *Playing with Quantified
//! Satisfaction*, 2015; the choice of terms is that of Cooper's method, but for one model only.

use crate::evidence::counted::{Instance, Instances, PreimageCondition, SymbolNames, edges_in_reach, what_matters};
use crate::evidence::graph::{About, Pruned};
use crate::logic::substitution::{Substitution, TermNode, coefficient, each_symbol};
use crate::logic::{
    ArrayTerm, ArrayTermId, Assignment, Atom, AtomId, Formula, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, SymbolId,
    gathered,
};
use crate::solver::Answer;
use crate::solver::certificate::Certificate;
use crate::solver::meter::Exhausted;
use crate::states::{Ask, States};

/// How many instances an edge may have.
const INSTANCES: usize = 8;

/// Instances of which one fits in each case, with the certificate of their obligation; `None` where it finds none.
///
/// # Errors
/// When the steps are used up.
fn find(
    states: &mut States,
    question: &PreimageCondition,
    after: &[FormulaId],
    ask: &mut Ask,
) -> Result<Option<(Vec<Instance>, Certificate)>, Exhausted> {
    let Some(unknowns) = Unknowns::new(&mut states.pool, question) else { return Ok(None) };
    let mut instances: Vec<Instance> = Vec::new();
    loop {
        let model = if instances.is_empty() && unknowns.left.is_empty() {
            None
        } else {
            let denied = question.denied(&mut states.pool, after, &instances);
            if denied.contains(&Pool::FALSE) {
                return Ok(Some((instances, Certificate::default())));
            }
            match ask.decide(&mut states.pool, &denied)? {
                Answer::Unsat(refutation) => return Ok(Some((instances, refutation.certificate))),
                Answer::Sat(model) if instances.len() < INSTANCES && !unknowns.left.is_empty() => Some(model),
                _ => return Ok(None),
            }
        };
        let instance = match &model {
            None => Some(unknowns.instance(&mut states.pool, &SortedMap::new())),
            Some(model) => unknowns.at(&mut states.pool, model, ask)?,
        };
        match instance {
            Some(instance) if !instances.contains(&instance) => instances.push(instance),
            _ => return Ok(None),
        }
    }
}

/// A proof that every path of a graph up to a length is feasible.
#[derive(Debug)]
pub struct CountingProof {
    pub instances: Instances,
    /// One certificate for each obligation, in their order.
    pub certificates: Vec<Certificate>,
}

/// Shows that every path of the graph with at most `length` edges is feasible; else says of which obligation it cannot show it.
///
/// # Errors
/// When the steps are used up.
pub fn prove(states: &mut States, graph: &Pruned, length: u32, ask: &mut Ask) -> Result<Result<CountingProof, About>, Exhausted> {
    let lts = states.lts;
    let mut proof =
        CountingProof { instances: Instances { entry: Vec::new(), edges: vec![Vec::new(); graph.edges.len()] }, certificates: Vec::new() };
    let edges = edges_in_reach(graph, length);
    let names = SymbolNames::new(lts, &mut states.pool);
    let matter = what_matters(lts, &mut states.pool, graph, &names, &edges);
    if graph.finals.iter().any(|last| !graph.invariants[last.index()].is_empty()) {
        return Ok(Err(About::Entry));
    }
    let Ok(entry) = PreimageCondition::of_entry(lts, &mut states.pool, &names, &matter[0]) else { return Ok(Err(About::Entry)) };
    let Some((instances, certificate)) = find(states, &entry, &graph.invariants[0], ask)? else { return Ok(Err(About::Entry)) };
    proof.instances.entry = instances;
    proof.certificates.push(certificate);
    for at in edges {
        ask.meter.spend(1)?;
        let (from, edge, to) = graph.edges[at];
        let (before, after) = (&graph.invariants[from as usize], &matter[to as usize]);
        let Ok(question) = PreimageCondition::of_edge(lts, &mut states.pool, &names, before, edge, after) else {
            return Ok(Err(About::Edge(at)));
        };
        let Some((instances, certificate)) = find(states, &question, &graph.invariants[to as usize], ask)? else {
            return Ok(Err(About::Edge(at)));
        };
        proof.instances.edges[at] = instances;
        proof.certificates.push(certificate);
    }
    Ok(Ok(proof))
}

/// Values before an edge that have to be found.
struct Unknowns {
    /// For each variable, and each value of `nondet()`, the term over values after and unknowns that it is.
    integers: Vec<(AtomId, Linear)>,
    arrays: Vec<(ArrayTermId, ArrayTermId)>,
    /// What they have to satisfy.
    constraints: Vec<FormulaId>,
    /// The unknowns for which no equation gives a term.
    left: Vec<AtomId>,
}

fn roots(formulas: &[FormulaId]) -> impl Iterator<Item = TermNode> + '_ {
    formulas.iter().map(|&formula| TermNode::Formula(formula))
}

fn of_term(term: &Linear) -> impl Iterator<Item = TermNode> + '_ {
    term.terms().iter().map(|&(atom, _)| TermNode::Atom(atom))
}

impl Unknowns {
    /// 1. and 2.; `None` where a write cannot be turned round.
    fn new(pool: &mut Pool, question: &PreimageCondition) -> Option<Unknowns> {
        // What is read before the edge.
        let mut read: SortedSet<SymbolId> = SortedSet::new();
        let values = question.integers.iter().flat_map(|(_, term)| of_term(term));
        let contents = question.arrays.iter().map(|&(_, term)| TermNode::Array(term));
        each_symbol(pool, roots(&question.before).chain(values).chain(contents), |symbol| {
            read.insert(symbol);
            true
        });
        // 1.
        let mut integers: Vec<(AtomId, Linear)> = Vec::new();
        let mut unknown: SortedSet<AtomId> = SortedSet::new();
        for &symbol in &read {
            let name = pool.symbol_name(symbol).to_owned();
            let (now, before) = (pool.integer(&name), pool.integer(&format!("{name}~")));
            let kept = question.integers.iter().any(|(after, term)| *after == now && *term == now);
            unknown.extend((!kept).then(|| before.terms()[0].0));
            integers.push((now.terms()[0].0, if kept { now } else { before }));
        }
        let mut arrays: Vec<(ArrayTermId, ArrayTermId)> = Vec::new();
        let mut constraints: Vec<FormulaId> = Vec::new();
        let mut stores = Vec::new();
        for &(after, term) in &question.arrays {
            match pool.array(term).clone() {
                _ if term == after => arrays.push((after, after)),
                ArrayTerm::Store(inner, index, value) if inner == after => stores.push((after, index, value)),
                _ => return None,
            }
        }
        let names: Vec<String> = read.iter().map(|&symbol| pool.symbol_name(symbol).to_owned()).collect();
        let symbols: Vec<ArrayTermId> = names.iter().map(|name| pool.array_symbol(name)).collect();
        for (array, index, _) in &stores {
            let mut first = Substitution::of(integers.iter().cloned());
            let reads = |pool: &Pool| {
                let own = pool.array(*array).clone();
                !each_symbol(pool, of_term(index), |symbol| own != ArrayTerm::Symbol(symbol))
            };
            if reads(pool) {
                return None;
            }
            let index = first.term(pool, index)?;
            let old = pool.integer(&format!("{}~[]", array_name(pool, *array)?));
            unknown.insert(old.terms()[0].0);
            arrays.push((*array, pool.store(*array, index, old)));
        }
        // An array that does not matter after the edge.
        for array in symbols {
            if !arrays.iter().any(|(other, _)| *other == array) {
                let (contents, elements) = elements(pool, question, array, &integers)?;
                if !elements.is_empty() {
                    unknown.extend(elements);
                    arrays.push((array, contents));
                }
            }
        }
        let mut values = arrays.iter().fold(Substitution::of(integers.iter().cloned()), |all, &(from, to)| all.and_array(from, to));
        for &formula in &question.before {
            constraints.push(values.formula(pool, formula)?);
        }
        for (after, term) in &question.integers {
            let term = values.term(pool, term)?;
            constraints.push(pool.equal(after, &term));
        }
        for (array, index, value) in &stores {
            let (index, value) = (values.term(pool, index)?, values.term(pool, value)?);
            let element = pool.select(*array, &index);
            constraints.push(pool.equal(&element, &value));
        }
        let mut unknowns = Unknowns { integers, arrays, constraints, left: Vec::new() };
        // 2.
        while let Some((atom, value)) = unknowns.solved(pool, &unknown) {
            unknown.remove(&atom);
            unknowns.replace(pool, atom, &value)?;
        }
        let mentioned = Mentions::of(pool, &unknowns.constraints, &[]).atoms;
        unknowns.left = unknown.into_iter().filter(|atom| mentioned.contains(atom)).collect();
        Some(unknowns)
    }

    /// An equation solved for an unknown.
    fn solved(&self, pool: &Pool, unknown: &SortedSet<AtomId>) -> Option<(AtomId, Linear)> {
        let mut stack = self.constraints.clone();
        while let Some(formula) = stack.pop() {
            match pool.formula(formula) {
                Formula::And(parts) => stack.extend(parts.iter()),
                Formula::Eq(term) => {
                    let found = term.terms().iter().find_map(|&(atom, _)| unknown.contains(&atom).then(|| isolated(pool, term, atom))?);
                    if found.is_some() {
                        return found;
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn replace(&mut self, pool: &mut Pool, atom: AtomId, value: &Linear) -> Option<()> {
        let mut one = Substitution::of([(atom, value.clone())]);
        for formula in &mut self.constraints {
            *formula = one.formula(pool, *formula)?;
        }
        for (_, term) in &mut self.integers {
            *term = one.term(pool, term)?;
        }
        for (_, array) in &mut self.arrays {
            *array = one.array(pool, *array)?;
        }
        Some(())
    }

    /// The instance in which the unknowns that are left have the chosen values.
    fn instance(&self, pool: &mut Pool, chosen: &SortedMap<AtomId, Linear>) -> Instance {
        let mut values = Substitution::of(chosen.iter().map(|(&atom, term)| (atom, term.clone())));
        let mut found = Instance::default();
        for (from, term) in &self.integers {
            found.integers.extend(values.term(pool, term).map(|term| (*from, term)));
        }
        for &(from, array) in &self.arrays {
            found.arrays.extend(values.array(pool, array).map(|array| (from, array)));
        }
        // There is no need to name what stays as it is. A name that is left stands for any value.
        found.integers.retain(|(from, to)| *to != Linear::atom(*from));
        found.arrays.retain(|(from, to)| from != to);
        found
    }

    /// 3.: an instance that fits this state after the edge; `None` where the solver finds no values before it.
    fn at(&self, pool: &mut Pool, after: &Assignment, ask: &mut Ask) -> Result<Option<Instance>, Exhausted> {
        // Values before it.
        let left: SortedSet<SymbolId> = gathered(self.left.iter().filter_map(|&atom| symbol(pool, atom)));
        let mut question = self.constraints.clone();
        for atom in Mentions::of(pool, &self.constraints, &[]).atoms {
            let given = each_symbol(pool, [TermNode::Atom(atom)], |symbol| !left.contains(&symbol));
            if let (true, Some(value)) = (given, after.atom(pool, atom)) {
                question.push(pool.equal(&Linear::atom(atom), &Linear::constant(value)));
            }
        }
        let Answer::Sat(before) = ask.decide(pool, &question)? else { return Ok(None) };
        // Terms for them, in turn.
        let mut rest =
            Unknowns { integers: Vec::new(), arrays: Vec::new(), constraints: self.constraints.clone(), left: self.left.clone() };
        let mut chosen: SortedMap<AtomId, Linear> = SortedMap::new();
        while !rest.left.is_empty() {
            let ways = rest.left.iter().enumerate().filter_map(|(at, &atom)| Some((at, rest.nearest(pool, atom, &before)?)));
            // The unknown that is nearest to one of its bounds.
            let best = ways.min_by_key(|(_, (_, off))| off.abs());
            let (at, term) = match best {
                Some((at, (term, off))) => (at, term.add_constant(&off)),
                None => match before.atom(pool, rest.left[0]) {
                    Some(value) => (0, Linear::constant(value)),
                    None => (0, Linear::default()),
                },
            };
            let atom = rest.left.remove(at);
            if rest.replace(pool, atom, &term).is_none() {
                return Ok(None);
            }
            chosen.insert(atom, term);
        }
        Ok(Some(self.instance(pool, &chosen)))
    }

    /// The term without unknowns that bounds this atom and is nearest to its value, and by how much it is off.
    fn nearest(&self, pool: &Pool, atom: AtomId, model: &Assignment) -> Option<(Linear, Int)> {
        let left: SortedSet<SymbolId> = gathered(self.left.iter().filter_map(|&atom| symbol(pool, atom)));
        let value = model.atom(pool, atom)?;
        let mut found: Option<(Linear, Int)> = None;
        let mut stack = self.constraints.clone();
        while let Some(formula) = stack.pop() {
            let term = match pool.formula(formula) {
                Formula::And(parts) | Formula::Or(parts) => {
                    stack.extend(parts.iter());
                    continue;
                }
                Formula::Not(inner) => {
                    stack.push(*inner);
                    continue;
                }
                Formula::Le(term) | Formula::Eq(term) => term,
                _ => continue,
            };
            let Some((_, bound)) = isolated(pool, term, atom) else { continue };
            if !each_symbol(pool, of_term(&bound), |symbol| !left.contains(&symbol)) {
                continue;
            }
            let Some(off) = model.linear(pool, &bound).map(|bound| &value - &bound) else { continue };
            if found.as_ref().is_none_or(|(_, least)| off.abs() < least.abs()) {
                found = Some((bound, off));
            }
        }
        found
    }
}

/// The term that the atom equals where this term is 0, if its coefficient is ±1 and it occurs nowhere else in the term.
fn isolated(pool: &Pool, term: &Linear, atom: AtomId) -> Option<(AtomId, Linear)> {
    let factor = coefficient(term, atom);
    if !factor.abs().is_one() {
        return None;
    }
    let value = Linear::atom(atom).sub(&term.scale(&factor));
    let own = symbol(pool, atom)?;
    each_symbol(pool, of_term(&value), |symbol| symbol != own).then_some((atom, value))
}

fn symbol(pool: &Pool, atom: AtomId) -> Option<SymbolId> {
    match pool.atom(atom) {
        Atom::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}

fn array_name(pool: &Pool, array: ArrayTermId) -> Option<String> {
    match pool.array(array) {
        ArrayTerm::Symbol(symbol) => Some(pool.symbol_name(*symbol).to_owned()),
        _ => None,
    }
}

/// Contents for an array with an unknown for each element that something reads, and the unknowns.
fn elements(
    pool: &mut Pool,
    question: &PreimageCondition,
    array: ArrayTermId,
    integers: &[(AtomId, Linear)],
) -> Option<(ArrayTermId, Vec<AtomId>)> {
    let name = array_name(pool, array)?;
    let terms: Vec<&Linear> = question.integers.iter().map(|(_, term)| term).collect();
    let mut indices: Vec<Linear> = Vec::new();
    for atom in Mentions::of(pool, &question.before, &terms).atoms {
        if let Atom::Select(read, index) = pool.atom(atom)
            && *read == array
        {
            indices.push(index.clone());
        }
    }
    let mut contents = pool.constant_array(Int::ZERO);
    let mut unknown = Vec::new();
    for (number, index) in indices.into_iter().enumerate() {
        // An index that is itself read from an array would need that array first.
        let mut names = Substitution::of(integers.iter().cloned());
        if Mentions::of(pool, &[], &[&index]).atoms.iter().any(|&atom| matches!(pool.atom(atom), Atom::Select(..))) {
            return None;
        }
        let index = names.term(pool, &index)?;
        let element = pool.integer(&format!("{name}~[{number}]"));
        unknown.push(element.terms()[0].0);
        contents = pool.store(contents, index, element);
    }
    Some((contents, unknown))
}
