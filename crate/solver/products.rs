//! Products, and divisions by terms: lemmas where the candidate's value is not what the parts give.
//!
//! Source: A. Cimatti, A. Griggio, A. Irfan, M. Roveri and R. Sebastiani, *Incremental Linearization for Satisfiability and
//! Verification Modulo Nonlinear Arithmetic and Transcendental Functions*, TOCL 2018 (lemmas at the candidate); G. McCormick,
//! *Computability of Global Solutions to Factorable Nonconvex Programs*, 1976 (envelopes at the corners of a box).
//!
//! For an atom `p = l·r` whose candidate value is not the product of the candidate's `l` and `r`, the first that applies:
//!
//! 1. an instance that is there already and that the candidate violates: decide one of its literals, guards first;
//! 2. multiply out, where a factor is a sum: one equation, after which only products of two atoms matter;
//! 3. a square lies on or above the line through two neighbouring points, `x·x ≥ (2a+1)·x - a(a+1)`; so does `(l ± r)²`, where `l·l` and
//!    `r·r` occur, too;
//! 4. signs and magnitude: the tangents at the points with coordinates -1 and 1, and `l = 0 ⇒ p = 0`;
//! 5. the tangents at the corners of the box in which the factors lie: its convex hull (not where both have few values);
//! 6. a factor that is fixed, by its bounds or by equations, has that value: `l = a ⇒ p = a·r`;
//! 7. halve the range of the narrower factor; where a range is not finite, first look into a finite part of it.
//! 8. Where all parts of the range were too far away: the tangents and the value at the candidate, a limited number of times.
//!
//! A tangent at `(a, b)` is `(l - a)(r - b) ≥ 0` where both factors are on the same side of it, `≤ 0` on different sides; with
//! 5. and 7. this is branch and bound over boxes, which ends in a finite box. A quotient or remainder by a term has the
//! definition of both from the start, in which the product of divisor and quotient occurs; a product has 2. or 5. from the
//! start, since what has no bounds can be split for ever in search of a whole value.
//!
//! In reading order: the loop here, `lemmas`, `ranges` (the box).
//!
//! Invariants: every clause is an instance of an axiom that the checker derives anew; no instance is added twice; each one
//! costs steps, more with each that is there, so the step limit bounds their number. A question without an answer stays
//! open as [`super::Reason::NonLinear`].

mod bits;
mod lemmas;
mod ranges;

use super::candidate::Candidate;
use super::certificate::{Axiom, Step};
use super::encode;
use super::literal::Lit;
use super::meter::{Exhausted, Meter};
use super::search::{ClauseOrigin, Falsified, Search};
use super::simplex::{BoundSide, ColumnId, Trouble};
use crate::logic::{Atom, AtomId, FormulaId, Int, Linear, Pool};
use lemmas::{Lemma, corners, definition, expansion, fixed, lemmas, square_of_sum, tangent, value_at};
use ranges::{At, Factor, Ranges};
use rustc_hash::{FxHashMap, FxHashSet};

/// By which factor the part of an unbounded range grows that step 7 looks into.
const GROWTH: i64 = 8;
/// Step 7 does not look for values with more binary digits than this.
const MAX_BITS: u64 = 40;
/// How many lemmas at candidates an atom gets whose factors have no bounds.
const MAX_UNBOUNDED: u32 = 48;
/// In how many boxes one check encloses a product for the sake of whole values.
const MAX_ENCLOSURES: u32 = 16;
/// Lemmas kept from one check to the next.
const MAX_KEPT: usize = 64;

/// An instance of an axiom: what it assumes, and what follows.
#[derive(Clone, Debug)]
struct AxiomInstance {
    guards: Vec<Lit>,
    conclusion: Lit,
}

/// The instances there are.
#[derive(Clone, Debug, Default)]
pub struct Products {
    of_atom: FxHashMap<AtomId, Vec<AxiomInstance>>,
    instances: FxHashSet<(Axiom, u8)>,
    /// The quotient with whose lemmas those of a remainder are.
    quotients: FxHashMap<AtomId, AtomId>,
    /// How often an atom got lemmas of step 8 in this check.
    unbounded: FxHashMap<AtomId, u32>,
    /// Whether a value was the only one of a factor when this check asked.
    probed: FxHashMap<(AtomId, Int), bool>,
    /// In how many boxes an atom was enclosed for whole values' sake in this check.
    enclosures: FxHashMap<AtomId, u32>,
}

/// What to do about a candidate with a wrong product.
pub enum ProductRefinement {
    Decide(Lit),
    Added,
    Falsified(Falsified),
    /// Nothing helps.
    Stuck,
}

/// Finds a lemma or a decision against one of the atoms, all of which have the wrong value.
///
/// # Errors
/// When the steps are used up.
pub fn refine(
    pool: &mut Pool,
    search: &mut Search,
    products: &mut Products,
    moved: &FxHashMap<AtomId, Int>,
    wrong: &[AtomId],
    meter: &mut Meter,
) -> Result<ProductRefinement, Exhausted> {
    let wrong = with_divisions(pool, Candidate::new(search, moved), products, wrong);
    // 1.
    for atom in &wrong {
        let instances = products.of_atom.get(atom).map_or(&[][..], Vec::as_slice);
        meter.spend(1 + instances.len() as u64 / 4)?;
        let candidate = Candidate::new(search, moved);
        let violated = |instance: &&AxiomInstance| {
            !candidate.holds(pool, instance.conclusion) && instance.guards.iter().all(|&guard| candidate.holds(pool, guard))
        };
        for instance in instances.iter().filter(violated) {
            let mut open = instance.guards.iter().chain([&instance.conclusion]).filter(|&&lit| search.value(lit).is_none());
            if let Some(&lit) = open.next() {
                return Ok(ProductRefinement::Decide(lit));
            }
        }
    }
    meter.spend(search.trail.len() as u64 / 8)?;
    let ranges = Ranges::of(search);
    let mut splits: Vec<Lit> = Vec::new();
    let mut distant: Vec<(AtomId, Factor, Factor)> = Vec::new();
    for atom in wrong {
        if let Atom::BitAnd(l, r) = pool.atom(atom).clone() {
            let candidate = Candidate::new(search, moved);
            let [l, r] = [l, r].map(|term| ranges.factor(pool, candidate.evaluate(&term), term));
            let value = candidate.value(atom);
            if let Some(lemma) = bits::refined(pool, atom, &l, &r, &value).into_iter().find(|lemma| products.is_new(lemma)) {
                return products.add_paid(pool, search, atom, vec![lemma], meter);
            }
            // The halves have no values of their own as long as nothing says that the atom consists of them.
            let open = |lit: &Lit| search.value(*lit).is_none();
            if let Some(lit) = products.literals(atom).find(open) {
                return Ok(ProductRefinement::Decide(lit));
            }
        }
        let Atom::Product(l, r) = pool.atom(atom).clone() else { continue };
        let candidate = Candidate::new(search, moved);
        let [mut l, mut r] = [l, r].map(|term| ranges.factor(pool, candidate.evaluate(&term), term));
        let value = candidate.value(atom);
        products.pin(search, &mut l, meter)?;
        products.pin(search, &mut r, meter)?;
        // 3. for sums.
        if let Some(squares) = squares(pool, Candidate::new(search, moved), &l, &r)
            && let Some((square, all)) = square_of_sum(pool, &l, &r, &value, &squares)
            && all.iter().any(|lemma| products.is_new(lemma))
        {
            return products.add_paid(pool, search, square, all, meter);
        }
        // 2. to 6.
        if let Some(lemma) = lemmas(pool, atom, &l, &r, &value).into_iter().find(|lemma| products.is_new(lemma)) {
            return products.add_paid(pool, search, atom, vec![lemma], meter);
        }
        // 7.
        match split(pool, &l, &r) {
            Some(formula) => splits.push(encode::literal(pool, search, formula)),
            None => distant.push((atom, l, r)),
        }
    }
    if let Some(&lit) = splits.iter().find(|&&lit| search.value(lit).is_none()) {
        return Ok(ProductRefinement::Decide(lit));
    }
    // 8.
    for (atom, l, r) in distant {
        let used = products.unbounded.entry(atom).or_default();
        if *used < MAX_UNBOUNDED {
            *used += 1;
            let value = Candidate::new(search, moved).value(atom);
            let mut all = vec![value_at(pool, atom, &l, &r, 0), value_at(pool, atom, &r, &l, 1)];
            for (s, t) in [(At::Least, At::Least), (At::Most, At::Most), (At::Least, At::Most), (At::Most, At::Least)] {
                all.extend(tangent(pool, atom, [&l, &r], Some(&value), [(&l.value, s), (&r.value, t)]));
            }
            all.retain(|lemma| products.is_new(lemma));
            if !all.is_empty() {
                return products.add_paid(pool, search, atom, all, meter);
            }
        }
    }
    Ok(ProductRefinement::Stuck)
}

/// What the candidate gives `l·l + r·r`, where constraints speak of both squares, and of `l` and `r` as different atoms.
fn squares(pool: &mut Pool, candidate: Candidate, l: &Factor, r: &Factor) -> Option<Int> {
    if l.term == r.term {
        return None;
    }
    let mut sum = Int::ZERO;
    for factor in [l, r] {
        let square = pool.product(&factor.term, &factor.term);
        let [(atom, _)] = square.terms() else { return None };
        if !candidate.search.columns.contains_key(atom) {
            return None;
        }
        sum = &sum + &candidate.evaluate(&square);
    }
    Some(sum)
}

/// The wrong atoms, quotients instead of remainders, and the wrong products of divisor and quotient that occur in their
/// definitions: no literal need speak of these yet.
fn with_divisions(pool: &mut Pool, candidate: Candidate, products: &Products, wrong: &[AtomId]) -> Vec<AtomId> {
    let mut all: Vec<AtomId> = Vec::new();
    for &atom in wrong {
        match pool.atom(atom).clone() {
            Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) if d.as_constant().is_none() => {
                let Some((q, _)) = pool.div_rem_trunc(&n, &d) else { continue };
                let product = pool.product(&d, &q);
                let (quotient, product) = (q.terms()[0].0, product.terms()[0].0);
                all.push(quotient);
                if products.of_atom.contains_key(&quotient) && !candidate.nonlinear_agrees(pool, product) {
                    all.push(product);
                }
            }
            _ => all.push(atom),
        }
    }
    let mut seen = FxHashSet::default();
    all.retain(|&atom| seen.insert(atom));
    all
}

impl Products {
    /// Whether there are so many lemmas that a question is quicker without them: their rows stay in simplex, and most are
    /// about candidates of other questions.
    pub fn is_crowded(&self) -> bool {
        self.instances.len() > MAX_KEPT
    }

    /// A new check begins: what one was allowed counts against no other.
    pub fn begin(&mut self) {
        self.unbounded.clear();
        self.enclosures.clear();
        self.probed.clear();
    }

    /// The literals of the lemmas about an atom.
    pub fn literals(&self, atom: AtomId) -> impl Iterator<Item = Lit> {
        let atom = self.quotients.get(&atom).unwrap_or(&atom);
        self.of_atom.get(atom).into_iter().flatten().flat_map(|instance| instance.guards.iter().chain([&instance.conclusion])).copied()
    }

    /// Finds out whether the factor has one value only, though no bound of its own says so: equations may fix it. Asks once for each
    /// value: the lemma for a value holds whether it is the only one or not.
    fn pin(&mut self, search: &Search, factor: &mut Factor, meter: &mut Meter) -> Result<(), Exhausted> {
        let [(atom, _)] = factor.term.terms() else { return Ok(()) };
        let Some(&column) = search.columns.get(atom).filter(|&&column| search.simplex.is_whole(column)) else { return Ok(()) };
        if factor.fixed() {
            return Ok(());
        }
        let value = search.simplex.floor(column);
        let is_only = match self.probed.get(&(*atom, value.clone())) {
            Some(&existing) => existing,
            None => {
                let is_only = is_only_value(search, column, &value, meter)?;
                self.probed.insert((*atom, value), is_only);
                is_only
            }
        };
        if is_only {
            (factor.low, factor.high) = (Some(factor.value.clone()), Some(factor.value.clone()));
        }
        Ok(())
    }

    fn is_new(&self, lemma: &Lemma) -> bool {
        !self.instances.contains(&(lemma.axiom.clone(), lemma.form))
    }

    /// Adds lemmas about an atom, for steps.
    fn add_paid(
        &mut self,
        pool: &mut Pool,
        search: &mut Search,
        atom: AtomId,
        lemmas: Vec<Lemma>,
        meter: &mut Meter,
    ) -> Result<ProductRefinement, Exhausted> {
        meter.spend(lemmas.len() as u64 * (32 + self.instances.len() as u64 / 4))?;
        Ok(match self.add(pool, search, atom, lemmas) {
            Ok(()) => ProductRefinement::Added,
            Err(falsified) => ProductRefinement::Falsified(falsified),
        })
    }

    fn add(&mut self, pool: &mut Pool, search: &mut Search, atom: AtomId, lemmas: Vec<Lemma>) -> Result<(), Falsified> {
        let mut outcome = Ok(());
        for Lemma { axiom, form, guards, conclusion } in lemmas {
            if !self.instances.insert((axiom.clone(), form)) {
                continue;
            }
            let guards: Vec<Lit> = guards.into_iter().map(|guard| encode::literal(pool, search, guard)).collect();
            let conclusion = encode::literal(pool, search, conclusion);
            let clause = guards.iter().map(|&guard| !guard).chain([conclusion]).collect();
            self.of_atom.entry(atom).or_default().push(AxiomInstance { guards, conclusion });
            if let Err(falsified) = search.add_clause(clause, ClauseOrigin::Given(Step::Theory(axiom))) {
                outcome = Err(falsified);
            }
        }
        outcome
    }
}

/// Whether the bounds of all columns leave this one no other value than the candidate's. Tries it on copies, since the candidate has to
/// stay.
fn is_only_value(search: &Search, column: ColumnId, value: &Int, meter: &mut Meter) -> Result<bool, Exhausted> {
    for (side, beyond) in [(BoundSide::Upper, value - &Int::ONE), (BoundSide::Lower, value + &Int::ONE)] {
        let mut copy = search.simplex.clone();
        meter.spend(1 + search.forms.len() as u64 / 16)?;
        // No conflict comes out of this, so any literal will do as the reason.
        if copy.assert(column, side, &beyond, Lit::new(0, true)).is_ok() {
            match copy.check(meter) {
                Err(Trouble::Conflict(_)) => {}
                Err(Trouble::Exhausted(why)) => return Err(why),
                Ok(()) => return Ok(false),
            }
        }
    }
    Ok(true)
}

/// The lemmas that an atom starts with, before the search for whole values: they give it the bounds it has. A product is
/// multiplied out or enclosed at the corners of its box, a quotient by a term gets its definition.
///
/// # Errors
/// With a lemma that is false without any decision.
pub fn introduce(pool: &mut Pool, search: &mut Search, products: &mut Products, atom: AtomId) -> Result<(), Falsified> {
    let lemmas = match pool.atom(atom).clone() {
        Atom::Product(l, r) => match expansion(pool, atom, &l, &r) {
            Some(lemma) => vec![lemma],
            None => {
                let ranges = Ranges::of(search);
                let [l, r] = [l, r].map(|term| ranges.factor(pool, Int::ZERO, term));
                corners(pool, atom, [&l, &r], None)
            }
        },
        Atom::BitAnd(l, r) => bits::bounds(pool, atom, &l, &r),
        Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) if d.as_constant().is_none() => match pool.div_rem_trunc(&n, &d) {
            Some((q, _)) => {
                let quotient = q.terms()[0].0;
                let lemmas = definition(pool, quotient, &n, &d);
                products.quotients.insert(atom, quotient);
                return products.add(pool, search, quotient, lemmas);
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    products.add(pool, search, atom, lemmas)
}

/// Before a split in search of a whole value of `broken`: bounds for the products whose factors lie in a box. Without them the
/// values of products, and with them splits, can go on for ever. A product itself is not split: its factors are.
///
/// # Errors
/// When the steps are used up.
pub fn enclose(
    pool: &mut Pool,
    search: &mut Search,
    products: &mut Products,
    used: &[AtomId],
    broken: AtomId,
    meter: &mut Meter,
) -> Result<ProductRefinement, Exhausted> {
    let is_product = |pool: &Pool, atom: AtomId| matches!(pool.atom(atom), Atom::Product(..));
    if !used.iter().any(|&atom| is_product(pool, atom)) {
        return Ok(ProductRefinement::Stuck);
    }
    meter.spend((search.trail.len() + 8 * used.len()) as u64 / 8)?;
    let ranges = Ranges::of(search);
    let moved = FxHashMap::default();
    for &atom in used {
        let Atom::Product(l, r) = pool.atom(atom).clone() else { continue };
        let candidate = Candidate::new(search, &moved);
        let [mut l, mut r] = [l, r].map(|term| ranges.factor(pool, candidate.evaluate(&term), term));
        products.pin(search, &mut l, meter)?;
        products.pin(search, &mut r, meter)?;
        if l.width().is_none() || r.width().is_none() {
            if let Some(lemma) = fixed(pool, atom, &l, &r).into_iter().find(|lemma| products.is_new(lemma)) {
                return products.add_paid(pool, search, atom, vec![lemma], meter);
            }
            continue;
        }
        if products.enclosures.get(&atom).is_none_or(|&boxes| boxes < MAX_ENCLOSURES) {
            let corners = corners(pool, atom, [&l, &r], None);
            if corners.iter().any(|lemma| products.is_new(lemma)) {
                *products.enclosures.entry(atom).or_default() += 1;
                return products.add_paid(pool, search, atom, corners, meter);
            }
            for guard in corners.into_iter().flat_map(|lemma| lemma.guards) {
                let lit = encode::literal(pool, search, guard);
                if search.value(lit).is_none() {
                    return Ok(ProductRefinement::Decide(lit));
                }
            }
        }
        if atom == broken {
            if let Some(lemma) = fixed(pool, atom, &l, &r).into_iter().find(|lemma| products.is_new(lemma)) {
                return products.add_paid(pool, search, atom, vec![lemma], meter);
            }
            if let Some(formula) = split(pool, &l, &r) {
                let lit = encode::literal(pool, search, formula);
                if search.value(lit).is_none() {
                    return Ok(ProductRefinement::Decide(lit));
                }
            }
        }
    }
    Ok(ProductRefinement::Stuck)
}

/// A divisor that may still be 0: a division by 0 has no known value, so the search tries another divisor first.
pub fn open_divisor(pool: &mut Pool, search: &mut Search, used: &[AtomId]) -> Option<Lit> {
    used.iter().find_map(|&atom| match pool.atom(atom) {
        Atom::DivTrunc(_, d) | Atom::RemTrunc(_, d) if d.as_constant().is_none() => {
            let d = d.clone();
            let zero = pool.equal(&d, &Linear::default());
            let lit = encode::literal(pool, search, zero);
            search.value(lit).is_none().then_some(!lit)
        }
        _ => None,
    })
}

/// Step 7: a part of a factor's range that holds the candidate: half of the narrower one where that is finite, else a part
/// near its end.
fn split(pool: &mut Pool, l: &Factor, r: &Factor) -> Option<FormulaId> {
    let narrow = |factor: &&Factor| factor.width().filter(Int::is_positive);
    let narrower = [l, r].into_iter().filter(|factor| narrow(factor).is_some()).min_by_key(|factor| factor.width());
    if let Some(Factor { term, value, low: Some(low), high: Some(high) }) = narrower {
        let middle = (low + high).div_floor(&Int::from(2)).unwrap_or_default();
        let lower_half = pool.at_most(term, &Linear::constant(middle.clone()));
        return Some(if *value <= middle { lower_half } else { pool.not(lower_half) });
    }
    [l, r].into_iter().find_map(|Factor { term, value, low, high }| {
        let reach = &value.abs().max(Int::ONE) * &Int::from(GROWTH);
        if reach.bits() > MAX_BITS {
            return None;
        }
        Some(match (low, high) {
            (Some(_), Some(_)) => return None,
            (Some(_), None) => pool.at_most(term, &Linear::constant(reach)),
            (None, Some(_)) => pool.at_most(&Linear::constant(-reach), term),
            (None, None) if value.is_negative() => pool.at_most(term, &Linear::constant(-1)),
            (None, None) => pool.at_most(&Linear::constant(0), term),
        })
    })
}
