//! What simplex cannot see: whole numbers, formulas with connectives, arrays, division, products.
//!
//! When propagation is done and all assumptions are decided, simplex has a candidate model. [`review`] looks it over in
//! this order and mends the first thing that is not as it should be by one decision or a few axioms:
//!
//! 1. the axioms of each atom in use are there (else add them): reads over writes, truth values, division by constants;
//! 2. every literal in use ([`super::used`]) that is not a bound, and every axiom in use, holds under the candidate, fractions or not
//!    (else decide one of its parts: to choose another part is cheaper than to find whole values for one that then goes);
//! 3. every atom of an inequality in use has a whole value (else [`lattice`] moves the candidate to whole values or
//!    splits), and with the values moved point 2 still holds;
//! 4. reads of one array at equal indices have equal values (else add the congruence axiom for this pair only; lazily, as
//!    in R. Brummayer and A. Biere, *Lemmas on Demand for the Extensional Theory of Arrays*, 2009);
//! 5. products and quotients by terms have the right value, unless the assertions hold all the same with the computed ones
//!    (else [`products`] adds lemmas; where it cannot, the answer will be "unknown").

use super::axioms::Axioms;
use super::candidate::Candidate;
use super::certificate::{Axiom, Step};
use super::cube;
use super::encode;
use super::lattice::{self, Whole, reduced};
use super::literal::{Lit, Var};
use super::meter::{Exhausted, Meter};
use super::products::{self, ProductRefinement};
use super::search::{Bounds, ClauseId, ClauseOrigin, Falsified, Search};
use super::simplex::{BoundSide, ColumnId};
use super::used::{InUse, in_use};
use crate::logic::{Arrange, ArrayTerm, ArrayTermId, Assignment, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SymbolId};
use rustc_hash::FxHashMap;

/// What the review of the candidate model gives.
pub enum ReviewResult {
    /// A decision to take.
    Decide(Lit),
    /// There are new axioms: propagate again.
    Added,
    /// A new axiom is false now.
    Falsified(Falsified),
    /// The candidate stands; `exact` unless a product or quotient has another value than its factors give.
    Model { assignment: Assignment, exact: bool },
}

/// Looks over the candidate model.
pub fn review(pool: &mut Pool, search: &mut Search, axioms: &mut Axioms, meter: &mut Meter) -> Result<ReviewResult, Exhausted> {
    // 1.
    let mut in_use = in_use(pool, search, axioms);
    meter.spend(in_use.looks / 512)?;
    let (used, bare) = (&in_use.atoms, std::mem::take(&mut in_use.bare));
    if !bare.is_empty() {
        // All at once: one at a time, each would be looked for in all that is in use. But not what their axioms mention: when these
        // are propagated, it may not matter any more.
        meter.spend((used.len() + bare.len()) as u64 / 32)?;
        for atom in bare {
            if let Err(falsified) = instantiate(pool, search, axioms, atom) {
                return Ok(ReviewResult::Falsified(falsified));
            }
        }
        return Ok(ReviewResult::Added);
    }
    meter.spend(1 + (search.trail.len() + 8 * used.len()) as u64 / 32)?;
    if let Some(lit) = products::open_divisor(pool, search, used) {
        return Ok(ReviewResult::Decide(lit));
    }
    // 2.
    let mut moved = FxHashMap::default();
    let relaxed = Candidate::relaxed(search, &moved);
    let unsatisfied = relaxed.unsatisfied(pool, axioms, &in_use);
    meter.spend(relaxed.effort() / 16)?;
    let met_fractions = relaxed.met_fractions();
    if let Some(what) = unsatisfied {
        return Ok(mend(pool, search, what));
    }
    // 3.
    if let Some(broken) = not_whole(search, &in_use.lits) {
        search.splits += 1;
        let columns = in_use.columns(search);
        if search.splits == PATIENCE
            && let Some(finding) = catch_up_all(pool, search, &in_use.lits)
        {
            return Ok(finding);
        }
        let reduced = reduced::whole(pool, search, used, &columns, broken, meter)?;
        let strip = match &reduced {
            Some(Whole::Split(..)) if search.reductions.is_finite => LONG_STRIP,
            Some(Whole::Split(..)) | None => STRIP,
            Some(Whole::Moved(_) | Whole::Restart) => u32::MAX,
        };
        if search.splits > strip
            && let Some(lit) = narrowed(pool, search, &columns)
        {
            return Ok(ReviewResult::Decide(lit));
        }
        let whole = match reduced {
            Some(whole) => whole,
            None => {
                if search.splits.is_power_of_two() && search.splits.trailing_zeros() % 3 == 1 {
                    cube::centre(search, &columns, cube::reach, meter)?;
                }
                lattice::whole(search, &columns, broken, meter)?
            }
        };
        match whole {
            Whole::Restart => {
                search.backtrack(search.assumptions.len());
                return Ok(ReviewResult::Added);
            }
            Whole::Moved(values) => moved = values,
            Whole::Split(form, at_most) => {
                match products::enclose(pool, search, &mut axioms.products, used, broken, meter)? {
                    ProductRefinement::Decide(lit) => return Ok(ReviewResult::Decide(lit)),
                    ProductRefinement::Added => return Ok(ReviewResult::Added),
                    ProductRefinement::Falsified(falsified) => return Ok(ReviewResult::Falsified(falsified)),
                    ProductRefinement::Stuck => {}
                }
                let earlier = search.forms.len();
                let formula = pool.le(form.add_constant(&-at_most));
                let lit = encode::literal(pool, search, formula);
                search.reductions.directions.extend((earlier..search.forms.len()).map(|column| column as ColumnId));
                return Ok(ReviewResult::Decide(lit));
            }
        }
    }
    if met_fractions || !moved.is_empty() {
        let candidate = Candidate::new(search, &moved);
        let unsatisfied = candidate.unsatisfied(pool, axioms, &in_use);
        meter.spend(candidate.effort() / 16)?;
        if let Some(what) = unsatisfied {
            return Ok(mend(pool, search, what));
        }
    }
    // 4.
    if let Some(pair) = Candidate::new(search, &moved).incongruent(pool, used) {
        return Ok(congruence(pool, search, axioms, pair));
    }
    // 5.
    let candidate = Candidate::new(search, &moved);
    let wrong: Vec<AtomId> = used.iter().copied().filter(|&atom| !candidate.nonlinear_agrees(pool, atom)).collect();
    let assignment = candidate.assignment(pool, used);
    if wrong.is_empty() {
        return Ok(ReviewResult::Model { assignment, exact: true });
    }
    // Lemmas about products go by bounds.
    if let Some(finding) = catch_up_all(pool, search, &in_use.lits) {
        return Ok(finding);
    }
    meter.spend(search.assumptions.len() as u64)?;
    let satisfied = |lit: &Lit| assignment.formula(pool, search.vars[lit.var() as usize].formula) == Some(lit.is_positive());
    if search.assumptions.iter().all(satisfied) {
        return Ok(ReviewResult::Model { assignment, exact: false });
    }
    Ok(match products::refine(pool, search, &mut axioms.products, &moved, &wrong, meter)? {
        ProductRefinement::Decide(lit) => ReviewResult::Decide(lit),
        ProductRefinement::Added => ReviewResult::Added,
        ProductRefinement::Falsified(falsified) => ReviewResult::Falsified(falsified),
        ProductRefinement::Stuck => ReviewResult::Model { assignment, exact: false },
    })
}

/// After so many splits the fractions may go on along a strip without end. Where every remainder has its value, equations show whether
/// there are whole points in it.
const STRIP: u32 = 64;
/// The same, where a reduced basis has finite ranges: there splits end by themselves.
const LONG_STRIP: u32 = 1 << 14;
/// What has this many values is not tried out.
const WIDE: i64 = 16;

/// One half of the values of the atom that has fewest, but more than one.
fn narrowed(pool: &mut Pool, search: &mut Search, columns: &[ColumnId]) -> Option<Lit> {
    let range = |&column: &ColumnId| {
        let [(atom, _)] = search.forms[column as usize].terms() else { return None };
        let [low, high] = [BoundSide::Lower, BoundSide::Upper].map(|side| search.simplex.bound(column, side).map(|(value, _)| value));
        let (low, high) = (low?, high?);
        let width = (high - low).to_i64().filter(|width| (1..WIDE).contains(width))?;
        Some((width, *atom, (low + high).div_floor(&Int::from(2))?))
    };
    let (_, atom, middle) = columns.iter().filter_map(range).min_by_key(|(width, ..)| *width)?;
    let lower = pool.at_most(&Linear::atom(atom), &Linear::constant(middle));
    let lit = encode::literal(pool, search, lower);
    search.value(lit).is_none().then_some(lit)
}

/// After so many splits in vain whatever bounds there are may help.
const PATIENCE: u32 = 4;

/// Adds the conjuncts that wait of all conjunctions in use; `None` where there are none.
fn catch_up_all(pool: &mut Pool, search: &mut Search, in_use: &[Lit]) -> Option<ReviewResult> {
    let late: Vec<Var> = in_use.iter().map(|lit| lit.var()).filter(|&var| !encode::late(search, var).is_empty()).collect();
    let mut finding = None;
    for var in late {
        let all = encode::late(search, var).to_vec();
        match encode::catch_up(pool, search, var, &all) {
            Ok(()) => finding = finding.or(Some(ReviewResult::Added)),
            Err(falsified) => finding = Some(ReviewResult::Falsified(falsified)),
        }
    }
    finding
}

/// 3. An atom of an inequality in use whose value is not whole.
fn not_whole(search: &Search, in_use: &[Lit]) -> Option<AtomId> {
    in_use.iter().find_map(|lit| {
        let column = match search.vars[lit.var() as usize].bounds.as_ref()? {
            Bounds::Equality { .. } if !lit.is_positive() => return None,
            Bounds::Equality { column, .. } | Bounds::Inequality { column, .. } => *column as usize,
        };
        let form = search.forms[column].terms();
        if let [(atom, _)] = form {
            return (!search.simplex.is_whole(column as u32)).then_some(*atom);
        }
        search.parts[column].iter().zip(form).find(|(part, _)| !search.simplex.is_whole(**part)).map(|(_, (atom, _))| *atom)
    })
}

/// What a literal or an axiom says and the candidate does not do.
enum Unsatisfied {
    /// One of these has to hold.
    Parts(Vec<Lit>),
    /// A denied equality whose two inequalities the search does not have yet.
    Equality(Var),
    /// These conjuncts of a conjunction, which wait still.
    Late(Var, Vec<FormulaId>),
}

/// 2. Mends it: by a decision for the most active part that is not decided yet, or by the equality's clauses.
fn mend(pool: &mut Pool, search: &mut Search, what: Unsatisfied) -> ReviewResult {
    match what {
        Unsatisfied::Parts(parts) => search.most_active(parts.into_iter()).map_or(ReviewResult::Added, ReviewResult::Decide),
        Unsatisfied::Equality(var) => match encode::split(pool, search, var) {
            Ok(_) => ReviewResult::Added,
            Err(falsified) => ReviewResult::Falsified(falsified),
        },
        Unsatisfied::Late(var, parts) => match encode::catch_up(pool, search, var, &parts) {
            Ok(()) => ReviewResult::Added,
            Err(falsified) => ReviewResult::Falsified(falsified),
        },
    }
}

impl Candidate<'_> {
    /// 2. Where the candidate does not do what a literal or an axiom in use says.
    fn unsatisfied(&self, pool: &Pool, axioms: &Axioms, in_use: &InUse) -> Option<Unsatisfied> {
        let search = self.search;
        let open = |parts: &[Lit]| parts.iter().any(|&part| search.value(part).is_none());
        let mut calm = None;
        for &lit in &in_use.lits {
            let var = &search.vars[lit.var() as usize];
            let is_bound = match var.bounds {
                Some(Bounds::Inequality { .. }) => true,
                Some(Bounds::Equality { .. }) => lit.is_positive(),
                None => false,
            };
            if is_bound {
                continue;
            }
            if lit.is_positive() && matches!(pool.formula(var.formula), Formula::And(_)) {
                // The other conjuncts are on the trail themselves.
                if !*calm.get_or_insert_with(|| self.is_calm()) {
                    let late = encode::late(search, lit.var()).iter().copied();
                    let violated: Vec<FormulaId> = late.filter(|&part| !self.is_so(pool, part)).collect();
                    if !violated.is_empty() {
                        return Some(Unsatisfied::Late(lit.var(), violated));
                    }
                }
                continue;
            }
            if self.holds(pool, lit) {
                continue;
            }
            let late = encode::late(search, lit.var());
            if !late.is_empty() {
                // A conjunction is denied: which conjunct fails is a choice.
                return Some(Unsatisfied::Late(lit.var(), late.to_vec()));
            }
            let with_sign = |part: Lit| if lit.is_positive() { part } else { !part };
            let parts: Vec<Lit> = match pool.formula(var.formula) {
                Formula::Or(parts) | Formula::And(parts) => {
                    parts.iter().filter_map(|&part| encode::encoded_literal(pool, search, part)).map(with_sign).collect()
                }
                Formula::Eq(_) => match search.split_equalities.get(&lit.var()) {
                    Some(&sides) => sides.into_iter().map(with_sign).collect(),
                    None => return Some(Unsatisfied::Equality(lit.var())),
                },
                _ => Vec::new(),
            };
            if open(&parts) {
                return Some(Unsatisfied::Parts(parts));
            }
        }
        for &clause in in_use.atoms.iter().flat_map(|atom| &axioms.of_atom[atom]) {
            let lits = &search.clauses[clause as usize].lits;
            if !lits.iter().any(|&lit| self.holds(pool, lit)) && open(lits) {
                return Some(Unsatisfied::Parts(lits.clone()));
            }
        }
        None
    }

    /// 4. Two reads of the same array at the same index with different values.
    fn incongruent(&self, pool: &Pool, used: &[AtomId]) -> Option<(AtomId, AtomId)> {
        let mut reads: FxHashMap<(ArrayTermId, Int), AtomId> = FxHashMap::default();
        used.iter().find_map(|&atom| {
            let Atom::Select(array, index) = pool.atom(atom) else { return None };
            if !matches!(pool.array(*array), ArrayTerm::Symbol(_)) {
                return None;
            }
            let first = *reads.entry((*array, self.evaluate(index))).or_insert(atom);
            (first != atom && self.value(first) != self.value(atom)).then(|| (first.min(atom), first.max(atom)))
        })
    }

    /// 5. Whether a product or a quotient has the value its parts give.
    pub fn nonlinear_agrees(&self, pool: &Pool, atom: AtomId) -> bool {
        let (l, r) = match pool.atom(atom) {
            Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => (self.evaluate(l), self.evaluate(r)),
            _ => return true,
        };
        let expected = match pool.atom(atom) {
            Atom::Product(..) => Some(l * r),
            Atom::BitAnd(..) => Some(l.bit_and(&r)),
            Atom::DivTrunc(..) => l.div_rem_trunc(&r).map(|pair| pair.0),
            _ => l.div_rem_trunc(&r).map(|pair| pair.1),
        };
        expected == Some(self.value(atom))
    }

    /// The candidate as an assignment of symbols.
    fn assignment(&self, pool: &Pool, used: &[AtomId]) -> Assignment {
        let mut result = Assignment::default();
        let mut symbols: Vec<(SymbolId, AtomId)> = Vec::new();
        for &atom in self.search.columns.keys() {
            if let Atom::Symbol(symbol) = pool.atom(atom) {
                symbols.push((*symbol, atom));
            }
        }
        // In any other order, each would move the symbols after it.
        symbols.arrange();
        for (symbol, atom) in symbols {
            result.integers.insert(symbol, self.value(atom));
        }
        for &atom in used {
            if let Atom::Select(array, index) = pool.atom(atom)
                && let ArrayTerm::Symbol(symbol) = pool.array(*array)
            {
                let elements = &mut result.arrays.entry(*symbol).or_default().elements;
                elements.insert(self.evaluate(index), self.value(atom));
            }
        }
        for &lit in &self.search.trail {
            if let Formula::Bool(symbol) = pool.formula(self.search.vars[lit.var() as usize].formula) {
                result.booleans.insert(*symbol, lit.is_positive());
            }
        }
        result
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
        Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) if d.as_constant().is_some() => {
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
        Atom::Product(..) | Atom::DivTrunc(..) | Atom::RemTrunc(..) | Atom::BitAnd(..) => {
            axioms.of_atom.insert(atom, Vec::new());
            return products::introduce(pool, search, &mut axioms.products, atom);
        }
        Atom::Symbol(_) => {}
    }
    let mut outcome = Ok(());
    let mut ids = Vec::with_capacity(clauses.len());
    for (axiom, clause) in clauses {
        let lits = clause.into_iter().map(|formula| encode::literal(pool, search, formula)).collect();
        ids.push(search.clauses.len() as ClauseId);
        if let Err(falsified) = search.add_clause(lits, ClauseOrigin::Given(Step::Theory(axiom))) {
            outcome = Err(falsified);
        }
    }
    axioms.of_atom.insert(atom, ids);
    outcome
}

/// 4. Adds the congruence axiom of two reads, or decides one of its literals where it is there.
fn congruence(pool: &mut Pool, search: &mut Search, axioms: &mut Axioms, pair: (AtomId, AtomId)) -> ReviewResult {
    let index = |pool: &Pool, atom| match pool.atom(atom) {
        Atom::Select(_, index) => index.clone(),
        _ => Linear::default(),
    };
    let (i, j) = (index(pool, pair.0), index(pool, pair.1));
    let (same, equal) = (pool.equal(&i, &j), pool.equal(&Linear::atom(pair.0), &Linear::atom(pair.1)));
    let lits = [!encode::literal(pool, search, same), encode::literal(pool, search, equal)];
    let existing = axioms.congruent.entry(pair.0).or_default();
    if existing.iter().any(|(other, _)| *other == pair.1) {
        return lits.into_iter().find(|&lit| search.value(lit).is_none()).map_or(ReviewResult::Added, ReviewResult::Decide);
    }
    existing.push((pair.1, lits));
    axioms.congruent.entry(pair.1).or_default().push((pair.0, lits));
    match search.add_clause(lits.to_vec(), ClauseOrigin::Given(Step::Theory(Axiom::ReadCongruence(pair.0, pair.1)))) {
        Ok(_) => ReviewResult::Added,
        Err(falsified) => ReviewResult::Falsified(falsified),
    }
}
