//! What simplex cannot see: whole numbers, formulas with connectives, arrays, division, products.
//!
//! When propagation is done and all assumptions are decided, simplex has a candidate model. It is looked over in this
//! order, and the first thing found that is not as it should be is mended by one decision or a few axioms:
//!
//! 1. the axioms of each atom in use are there (else add them): reads over writes, truth values, division by constants;
//! 2. every atom of an asserted inequality has a whole value (else split there: branch and bound, A. Land and A. Doig 1960);
//!    only now, since the axioms are what bounds some of them;
//! 3. every other literal on the trail, and every axiom in use, holds under the candidate (else decide one of its parts);
//! 4. reads of one array at equal indices have equal values (else add the congruence axiom for this pair only; lazily, as
//!    in R. Brummayer and A. Biere, *Lemmas on Demand for the Extensional Theory of Arrays*, 2009);
//! 5. products and quotients by terms have the right value (else the answer will be "unknown", unless the model is right
//!    all the same when they are computed).

use super::certificate::{Axiom, Step};
use super::encode;
use super::literal::Lit;
use super::search::{ClauseId, Falsified, Origin, Search};
use crate::logic::{ArrayTerm, ArrayTermId, Assignment, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};
use rustc_hash::{FxHashMap, FxHashSet};

/// The axioms that were instantiated so far. They hold under every assignment, so they are never taken back.
#[derive(Clone, Debug, Default)]
pub struct Axioms {
    of_atom: FxHashMap<AtomId, Vec<ClauseId>>,
    congruent: FxHashSet<(AtomId, AtomId)>,
}

/// What the look at the candidate model found.
pub enum Finding {
    /// One decision is needed.
    Decide(Lit),
    /// Axioms were added: propagate again.
    Added,
    /// An axiom was added that is false now.
    Falsified(Falsified),
    /// The candidate stands; `exact` unless a product or quotient has another value than its factors give.
    Model { assignment: Assignment, exact: bool },
}

/// Looks over the candidate model.
pub fn review(pool: &mut Pool, search: &mut Search, axioms: &mut Axioms) -> Finding {
    // 1.
    let used = atoms_in_use(pool, search, axioms);
    if let Some(&atom) = used.iter().find(|atom| !axioms.of_atom.contains_key(atom)) {
        return match instantiate(pool, search, axioms, atom) {
            Ok(()) => Finding::Added,
            Err(falsified) => Finding::Falsified(falsified),
        };
    }
    // 2., 3.
    if let Some(lit) = split(pool, search).or_else(|| mismatch(pool, search)).or_else(|| unsatisfied(pool, search, axioms, &used)) {
        return Finding::Decide(lit);
    }
    // 4.
    if let Some(finding) = congruence(pool, search, axioms, &used) {
        return finding;
    }
    // 5.
    let exact = used.iter().all(|&atom| nonlinear_agrees(pool, search, atom));
    Finding::Model { assignment: assignment(pool, search, &used), exact }
}

/// The opaque atoms of the literals on the trail, of the axioms about these atoms, and of the terms inside them (whose
/// values decide which elements are meant). Ends early at an atom without its axioms.
fn atoms_in_use(pool: &Pool, search: &Search, axioms: &Axioms) -> Vec<AtomId> {
    let mut used: Vec<AtomId> = Vec::new();
    let mut known: FxHashSet<AtomId> = FxHashSet::default();
    for &lit in &search.trail {
        used.extend(search.vars[lit.var() as usize].opaque.iter().filter(|&&atom| known.insert(atom)));
    }
    let mut at = 0;
    while at < used.len() {
        let atom = used[at];
        at += 1;
        let Some(clauses) = axioms.of_atom.get(&atom) else { break };
        for lit in clauses.iter().flat_map(|&clause| &search.clauses[clause as usize].lits) {
            used.extend(search.vars[lit.var() as usize].opaque.iter().filter(|&&atom| known.insert(atom)));
        }
        for term in inner_terms(pool, atom) {
            used.extend(term.terms().iter().map(|term| term.0).filter(|&inner| is_opaque(pool, inner) && known.insert(inner)));
        }
    }
    used
}

/// A literal to decide of an axiom in use that the candidate does not satisfy.
fn unsatisfied(pool: &Pool, search: &Search, axioms: &Axioms, used: &[AtomId]) -> Option<Lit> {
    used.iter().flat_map(|atom| &axioms.of_atom[atom]).find_map(|&clause| {
        let lits = &search.clauses[clause as usize].lits;
        let satisfied = lits.iter().any(|&lit| holds(pool, search, lit));
        lits.iter().copied().find(|&lit| !satisfied && search.value(lit).is_none())
    })
}

fn is_opaque(pool: &Pool, atom: AtomId) -> bool {
    !matches!(pool.atom(atom), Atom::Symbol(_))
}

/// The integer terms directly inside an atom.
fn inner_terms(pool: &Pool, atom: AtomId) -> Vec<Linear> {
    match pool.atom(atom) {
        Atom::Select(_, index) => vec![index.clone()],
        Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) => vec![l.clone(), r.clone()],
        Atom::Symbol(_) | Atom::Truth(_) => Vec::new(),
    }
}

/// 2. A split of an atom whose value is not whole.
fn split(pool: &mut Pool, search: &mut Search) -> Option<Lit> {
    let (atom, below) = search.trail.iter().find_map(|lit| {
        let var = &search.vars[lit.var() as usize];
        let broken = var.columns.iter().position(|&column| search.simplex.value(column).as_int().is_none())?;
        match pool.formula(var.formula) {
            Formula::Le(term) => Some((term.terms()[broken].0, search.simplex.value(var.columns[broken]).floor())),
            _ => None,
        }
    })?;
    let formula = pool.le(Linear::atom(atom).add_constant(&-below));
    Some(encode::literal(pool, search, formula))
}

/// 3. A part to decide of a literal that does not evaluate as it was assigned.
fn mismatch(pool: &mut Pool, search: &Search) -> Option<Lit> {
    for &lit in &search.trail {
        let var = &search.vars[lit.var() as usize];
        if var.bounds.is_some() || holds(pool, search, lit) {
            continue;
        }
        let parts = match pool.formula(var.formula).clone() {
            Formula::Or(parts) | Formula::And(parts) => parts.into_vec(),
            // Not equal: one of the two inequalities that make it up has to give way; first try greater.
            Formula::Eq(term) => vec![pool.le(term.clone()), pool.le(term.neg())],
            _ => Vec::new(),
        };
        let lit_of = |part: &FormulaId| match pool.formula(*part) {
            Formula::Not(inner) => search.var_of.get(inner).map(|&var| Lit::new(var, false)),
            _ => search.var_of.get(part).map(|&var| Lit::new(var, true)),
        };
        let free = parts.iter().filter_map(lit_of).find(|&part| search.value(part).is_none());
        if let Some(part) = free {
            return Some(if lit.is_positive() { part } else { !part });
        }
    }
    None
}

// Evaluation under the candidate model.

/// The candidate's value of an atom; an atom that no constraint speaks of is 0.
fn value(search: &Search, atom: AtomId) -> Int {
    search.columns.get(&atom).map_or(Int::ZERO, |&column| search.simplex.value(column).floor())
}

fn evaluate(search: &Search, term: &Linear) -> Int {
    term.terms().iter().fold(term.offset().clone(), |sum, (atom, c)| sum + &(&value(search, *atom) * c))
}

fn holds(pool: &Pool, search: &Search, lit: Lit) -> bool {
    formula_holds(pool, search, search.vars[lit.var() as usize].formula) == lit.is_positive()
}

fn formula_holds(pool: &Pool, search: &Search, formula: FormulaId) -> bool {
    match pool.formula(formula) {
        Formula::True => true,
        Formula::False => false,
        Formula::Le(term) => !evaluate(search, term).is_positive(),
        Formula::Eq(term) => evaluate(search, term).is_zero(),
        Formula::Bool(_) => search.var_of.get(&formula).and_then(|&var| search.value(Lit::new(var, true))).unwrap_or(false),
        Formula::Not(inner) => !formula_holds(pool, search, *inner),
        Formula::And(parts) => parts.iter().all(|&part| formula_holds(pool, search, part)),
        Formula::Or(parts) => parts.iter().any(|&part| formula_holds(pool, search, part)),
    }
}

/// 1. Adds the axioms of an atom.
fn instantiate(pool: &mut Pool, search: &mut Search, axioms: &mut Axioms, atom: AtomId) -> Result<(), Falsified> {
    let this = Linear::atom(atom);
    let mut clauses: Vec<(Axiom, Vec<FormulaId>)> = Vec::new();
    match pool.atom(atom).clone() {
        Atom::Select(array, index) => {
            if let ArrayTerm::Store(inner, at, written) = pool.array(array).clone() {
                let same = pool.equal(&at, &index);
                let hit = pool.equal(&this, &written);
                let below = pool.select(inner, &index);
                let miss = pool.equal(&this, &below);
                clauses.push((Axiom::ReadHit(atom), vec![pool.not(same), hit]));
                clauses.push((Axiom::ReadMiss(atom), vec![same, miss]));
            }
        }
        Atom::Truth(formula) => {
            let (not, nonpositive) = (pool.not(formula), pool.le(this.clone()));
            let at_least_one = pool.le(this.neg().add_constant(&Int::ONE));
            let (low, high) = (pool.le(this.neg()), pool.le(this.add_constant(&Int::MINUS_ONE)));
            for clause in [vec![formula, nonpositive], vec![not, at_least_one], vec![low], vec![high]] {
                clauses.push((Axiom::Truth(atom), clause));
            }
        }
        // Both atoms of a division share the axioms of its quotient.
        Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) => {
            if let (Some(divisor), Some((q, r))) = (d.as_constant().cloned(), pool.div_rem_trunc(&n, &d)) {
                let limit = &divisor.abs() - &Int::ONE;
                let whole = pool.equal(&q.scale(&divisor).add(&r), &n);
                let (high, low) = (pool.le(r.add_constant(&-&limit)), pool.le(r.neg().add_constant(&-&limit)));
                let (n_low, n_high) = (pool.le(n.neg()), pool.le(n.clone()));
                let (r_high, r_low) = (pool.le(r.clone()), pool.le(r.neg()));
                let quotient = q.terms()[0].0;
                for clause in [vec![whole], vec![high], vec![low], vec![n_low, r_high], vec![n_high, r_low]] {
                    clauses.push((Axiom::Division(quotient), clause));
                }
            }
        }
        Atom::Symbol(_) | Atom::Product(..) => {}
    }
    let mut outcome = Ok(());
    let mut ids = Vec::with_capacity(clauses.len());
    for (axiom, clause) in clauses {
        let lits = clause.into_iter().map(|formula| encode::literal(pool, search, formula)).collect();
        ids.push(search.clauses.len() as ClauseId);
        if let Err(falsified) = search.add_clause(lits, Origin::Given(Step::Theory(axiom))) {
            outcome = Err(falsified);
        }
    }
    axioms.of_atom.insert(atom, ids);
    outcome
}

/// 4. Two reads of the same array at the same index with different values.
fn congruence(pool: &mut Pool, search: &mut Search, axioms: &mut Axioms, used: &[AtomId]) -> Option<Finding> {
    let mut reads: FxHashMap<(ArrayTermId, Int), AtomId> = FxHashMap::default();
    for &atom in used {
        let Atom::Select(array, index) = pool.atom(atom) else { continue };
        if !matches!(pool.array(*array), ArrayTerm::Symbol(_)) {
            continue;
        }
        let key = (*array, evaluate(search, index));
        let first = *reads.entry(key).or_insert(atom);
        if first == atom || value(search, first) == value(search, atom) {
            continue;
        }
        let pair = (first.min(atom), first.max(atom));
        if !axioms.congruent.insert(pair) {
            // The axiom is there; the candidate fails one of its literals that is still free.
            let (same, equal) = congruence_formulas(pool, pair);
            let lits = [!encode::literal(pool, search, same), encode::literal(pool, search, equal)];
            return lits.into_iter().find(|&lit| search.value(lit).is_none()).map(Finding::Decide);
        }
        let (same, equal) = congruence_formulas(pool, pair);
        let lits = vec![!encode::literal(pool, search, same), encode::literal(pool, search, equal)];
        return Some(match search.add_clause(lits, Origin::Given(Step::Theory(Axiom::ReadCongruence(pair.0, pair.1)))) {
            Ok(_) => Finding::Added,
            Err(falsified) => Finding::Falsified(falsified),
        });
    }
    None
}

fn congruence_formulas(pool: &mut Pool, pair: (AtomId, AtomId)) -> (FormulaId, FormulaId) {
    let index = |pool: &Pool, atom| match pool.atom(atom) {
        Atom::Select(_, index) => index.clone(),
        _ => Linear::default(),
    };
    let (i, j) = (index(pool, pair.0), index(pool, pair.1));
    (pool.equal(&i, &j), pool.equal(&Linear::atom(pair.0), &Linear::atom(pair.1)))
}

/// 5. Whether a product or a quotient has the value its parts give.
fn nonlinear_agrees(pool: &Pool, search: &Search, atom: AtomId) -> bool {
    let (l, r) = match pool.atom(atom) {
        Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) => (evaluate(search, l), evaluate(search, r)),
        _ => return true,
    };
    let expected = match pool.atom(atom) {
        Atom::Product(..) => Some(l * r),
        Atom::DivTrunc(..) => l.div_rem_trunc(&r).map(|pair| pair.0),
        _ => l.div_rem_trunc(&r).map(|pair| pair.1),
    };
    expected == Some(value(search, atom))
}

/// The candidate as an assignment of symbols.
fn assignment(pool: &Pool, search: &Search, used: &[AtomId]) -> Assignment {
    let mut result = Assignment::default();
    for &atom in search.columns.keys() {
        if let Atom::Symbol(symbol) = pool.atom(atom) {
            result.integers.insert(*symbol, value(search, atom));
        }
    }
    for &atom in used {
        if let Atom::Select(array, index) = pool.atom(atom)
            && let ArrayTerm::Symbol(symbol) = pool.array(*array)
        {
            let elements = &mut result.arrays.entry(*symbol).or_default().elements;
            elements.insert(evaluate(search, index), value(search, atom));
        }
    }
    for &lit in &search.trail {
        if let Formula::Bool(symbol) = pool.formula(search.vars[lit.var() as usize].formula) {
            result.booleans.insert(*symbol, lit.is_positive());
        }
    }
    result
}
