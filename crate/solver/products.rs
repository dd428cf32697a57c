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
//! 3. a square lies on or above the line through two neighbouring points, `x·x ≥ (2a+1)·x - a(a+1)`;
//! 4. signs and magnitude: the tangents at the points with coordinates -1 and 1, and `l = 0 ⇒ p = 0`;
//! 5. the tangents at the corners of the box in which the factors lie: its convex hull, exact where a factor is fixed;
//! 6. a factor that is fixed has that value: `l = a ⇒ p = a·r`;
//! 7. halve the range of the narrower factor; where a range is not finite, first look into a finite part of it.
//! 8. Where all parts of the range were too far away: the tangents and the value at the candidate, a limited number of times.
//!
//! A tangent at `(a, b)` is `(l - a)(r - b) ≥ 0` where both factors are on the same side of it, `≤ 0` on different sides; with
//! 5. and 7. this is branch and bound over boxes, which ends in a finite box. A quotient or remainder by a term has the
//! definition of both from the start, in which the product of divisor and quotient occurs; a product has 2. or 5. from the
//! start, since what has no bounds can be split for ever in search of a whole value.
//!
//! Invariants: every clause is an instance of an axiom that the checker derives anew; no instance is added twice; each one
//! costs steps, more with each that is there, so the step limit bounds their number. Without an answer the question stays
//! open as [`super::Reason::NonLinear`].

use super::certificate::{Axiom, Step};
use super::encode;
use super::literal::Lit;
use super::meter::{Exhausted, Meter};
use super::search::{Falsified, Origin, Search};
use super::simplex::Side;
use super::theory::Candidate;
use crate::logic::{Atom, AtomId, FormulaId, Int, Linear, Pool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Products with more summands than this are not multiplied out.
const MAX_SUMMANDS: usize = 64;
/// By which factor the part grows of an unbounded range that is looked into.
const GROWTH: i64 = 8;
/// Values with more binary digits than this are too far away to be looked for.
const MAX_BITS: u64 = 40;
/// How many lemmas at candidates an atom gets whose factors have no bounds.
const MAX_UNBOUNDED: u32 = 48;
/// In how many boxes a product is enclosed for whole values' sake.
const MAX_ENCLOSURES: u32 = 64;

/// An instance of an axiom: what it assumes, and what follows.
#[derive(Clone, Debug)]
struct Instance {
    guards: Vec<Lit>,
    conclusion: Lit,
}

/// The instances there are.
#[derive(Clone, Debug, Default)]
pub struct Products {
    of_atom: FxHashMap<AtomId, Vec<Instance>>,
    known: FxHashSet<(Axiom, u8)>,
    /// How many lemmas of step 8 an atom has.
    unbounded: FxHashMap<AtomId, u32>,
    /// In how many boxes an atom was enclosed for whole values' sake.
    enclosures: FxHashMap<AtomId, u32>,
}

/// What to do about a candidate with a wrong product.
pub enum Refinement {
    Decide(Lit),
    Added,
    Falsified(Falsified),
    /// Nothing helps.
    Stuck,
}

/// A lemma before it is encoded: `guards ⇒ conclusion`.
struct Lemma {
    axiom: Axiom,
    /// Which of the axiom's clauses.
    form: u8,
    guards: Vec<FormulaId>,
    conclusion: FormulaId,
}

/// A factor with its value and the range that the asserted bounds leave it.
struct Factor {
    term: Linear,
    value: Int,
    low: Option<Int>,
    high: Option<Int>,
}

impl Factor {
    fn fixed(&self) -> bool {
        self.low.is_some() && self.low == self.high
    }

    /// The finite ends of the range.
    fn ends(&self) -> impl Iterator<Item = (&Int, At)> {
        let low = self.low.iter().map(|low| (low, At::Least));
        low.chain(self.high.iter().map(|high| (high, At::Most)))
    }

    fn width(&self) -> Option<Int> {
        Some(self.high.as_ref()? - self.low.as_ref()?)
    }
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
) -> Result<Refinement, Exhausted> {
    let wrong = with_divisions(pool, Candidate { search, moved }, products, wrong);
    // 1.
    for atom in &wrong {
        let instances = products.of_atom.get(atom).map_or(&[][..], Vec::as_slice);
        meter.spend(1 + instances.len() as u64 / 4)?;
        let candidate = Candidate { search, moved };
        let violated = |instance: &&Instance| {
            !candidate.holds(pool, instance.conclusion) && instance.guards.iter().all(|&guard| candidate.holds(pool, guard))
        };
        for instance in instances.iter().filter(violated) {
            let mut open = instance.guards.iter().chain([&instance.conclusion]).filter(|&&lit| search.value(lit).is_none());
            if let Some(&lit) = open.next() {
                return Ok(Refinement::Decide(lit));
            }
        }
    }
    meter.spend(search.trail.len() as u64 / 8)?;
    let ranges = Ranges::of(search);
    let mut splits: Vec<Lit> = Vec::new();
    let mut distant: Vec<(AtomId, Factor, Factor)> = Vec::new();
    for atom in wrong {
        match pool.atom(atom).clone() {
            Atom::Product(l, r) => {
                let candidate = Candidate { search, moved };
                let [l, r] = [l, r].map(|term| ranges.factor(pool, candidate.evaluate(&term), term));
                let value = candidate.value(atom);
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
            _ => {}
        }
    }
    if let Some(&lit) = splits.iter().find(|&&lit| search.value(lit).is_none()) {
        return Ok(Refinement::Decide(lit));
    }
    // 8.
    for (atom, l, r) in distant {
        let used = products.unbounded.entry(atom).or_default();
        if *used < MAX_UNBOUNDED {
            *used += 1;
            let value = Candidate { search, moved }.value(atom);
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
    Ok(Refinement::Stuck)
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
    fn is_new(&self, lemma: &Lemma) -> bool {
        !self.known.contains(&(lemma.axiom.clone(), lemma.form))
    }

    /// Adds lemmas about an atom, for steps.
    fn add_paid(
        &mut self,
        pool: &mut Pool,
        search: &mut Search,
        atom: AtomId,
        lemmas: Vec<Lemma>,
        meter: &mut Meter,
    ) -> Result<Refinement, Exhausted> {
        meter.spend(lemmas.len() as u64 * (32 + self.known.len() as u64 / 4))?;
        Ok(match self.add(pool, search, atom, lemmas) {
            Ok(()) => Refinement::Added,
            Err(falsified) => Refinement::Falsified(falsified),
        })
    }

    fn add(&mut self, pool: &mut Pool, search: &mut Search, atom: AtomId, lemmas: Vec<Lemma>) -> Result<(), Falsified> {
        let mut outcome = Ok(());
        for Lemma { axiom, form, guards, conclusion } in lemmas {
            if !self.known.insert((axiom.clone(), form)) {
                continue;
            }
            let guards: Vec<Lit> = guards.into_iter().map(|guard| encode::literal(pool, search, guard)).collect();
            let conclusion = encode::literal(pool, search, conclusion);
            let clause = guards.iter().map(|&guard| !guard).chain([conclusion]).collect();
            self.of_atom.entry(atom).or_default().push(Instance { guards, conclusion });
            if let Err(falsified) = search.add_clause(clause, Origin::Given(Step::Theory(axiom))) {
                outcome = Err(falsified);
            }
        }
        outcome
    }
}

/// The lemmas that an atom starts with, before whole values are looked for: what bounds it has, it has from these. A
/// product is multiplied out or enclosed at the corners of its box, a quotient by a term is defined.
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
        Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) if d.as_constant().is_none() => match pool.div_rem_trunc(&n, &d) {
            Some((q, _)) => {
                let quotient = q.terms()[0].0;
                let lemmas = definition(pool, quotient, &n, &d);
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
) -> Result<Refinement, Exhausted> {
    let is_product = |pool: &Pool, atom: AtomId| matches!(pool.atom(atom), Atom::Product(..));
    if !used.iter().any(|&atom| is_product(pool, atom)) {
        return Ok(Refinement::Stuck);
    }
    meter.spend((search.trail.len() + 8 * used.len()) as u64 / 8)?;
    let ranges = Ranges::of(search);
    let moved = FxHashMap::default();
    for &atom in used {
        let Atom::Product(l, r) = pool.atom(atom).clone() else { continue };
        let candidate = Candidate { search, moved: &moved };
        let [l, r] = [l, r].map(|term| ranges.factor(pool, candidate.evaluate(&term), term));
        if l.width().is_none() || r.width().is_none() {
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
                    return Ok(Refinement::Decide(lit));
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
                    return Ok(Refinement::Decide(lit));
                }
            }
        }
    }
    Ok(Refinement::Stuck)
}

/// A divisor whose being 0 is open: of a division by 0 no value is known, so it is looked for another one first.
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

/// From where to where; `None` is without end.
type Range = (Option<Int>, Option<Int>);

/// How deep the parts of products are looked into for the ranges of these.
const MAX_DEPTH: u32 = 4;

/// The bounds asserted of atoms and of primitive forms.
struct Ranges(FxHashMap<Linear, Range>);

impl Ranges {
    fn of(search: &Search) -> Ranges {
        let mut ranges: FxHashMap<Linear, Range> = FxHashMap::default();
        for &lit in &search.trail {
            if let Some(bounds) = &search.vars[lit.var() as usize].bounds {
                let bound = &bounds.0[usize::from(!lit.is_positive())];
                let value = Some(bound.value.clone());
                let bound = if bound.side == Side::Lower { (value, None) } else { (None, value) };
                let range = ranges.entry(search.forms[bound_column(search, lit)].clone()).or_default();
                *range = common(std::mem::take(range), bound);
            }
        }
        Ranges(ranges)
    }

    /// A factor with its range.
    fn factor(&self, pool: &Pool, value: Int, term: Linear) -> Factor {
        let (low, high) = self.term(pool, &term, 0);
        Factor { term, value, low, high }
    }

    fn term(&self, pool: &Pool, term: &Linear, depth: u32) -> Range {
        if term.terms().is_empty() {
            return (Some(term.offset().clone()), Some(term.offset().clone()));
        }
        // term = ±content · form + offset
        let mut content = term.content();
        if term.terms().first().is_some_and(|(_, c)| c.is_negative()) {
            content = -content;
        }
        let exact = |value: &Int| value.div_floor(&content).unwrap_or_default();
        let form = Linear::new(term.terms().iter().map(|(atom, c)| (*atom, exact(c))).collect(), Int::ZERO);
        let asserted = scaled(self.0.get(&form).cloned().unwrap_or_default(), &content);
        let parts = term.terms().iter().map(|(atom, c)| scaled(self.atom(pool, *atom, depth), c));
        let summed = parts.fold((Some(Int::ZERO), Some(Int::ZERO)), |sum, part| {
            (sum.0.zip(part.0).map(|(a, b)| a + &b), sum.1.zip(part.1).map(|(a, b)| a + &b))
        });
        let (low, high) = common(asserted, summed);
        (low.map(|low| &low + term.offset()), high.map(|high| &high + term.offset()))
    }

    /// What is asserted of an atom, and what its parts leave it.
    fn atom(&self, pool: &Pool, atom: AtomId, depth: u32) -> Range {
        let asserted = self.0.get(&Linear::atom(atom)).cloned().unwrap_or_default();
        if depth == MAX_DEPTH {
            return asserted;
        }
        let of_parts = match pool.atom(atom) {
            Atom::Product(l, r) => match (self.term(pool, l, depth + 1), self.term(pool, r, depth + 1)) {
                ((Some(a), Some(b)), (Some(c), Some(d))) => {
                    let corners = [&a * &c, &a * &d, &b * &c, &b * &d];
                    (corners.iter().min().cloned(), corners.into_iter().max())
                }
                _ => (None, None),
            },
            // Neither is larger than the dividend.
            Atom::DivTrunc(n, _) | Atom::RemTrunc(n, _) => match self.term(pool, n, depth + 1) {
                (Some(low), Some(high)) => {
                    let limit = low.abs().max(high.abs());
                    (Some(-&limit), Some(limit))
                }
                _ => (None, None),
            },
            Atom::Truth(_) => (Some(Int::ZERO), Some(Int::ONE)),
            _ => (None, None),
        };
        common(asserted, of_parts)
    }
}

fn bound_column(search: &Search, lit: Lit) -> usize {
    search.vars[lit.var() as usize].bounds.as_ref().map_or(0, |bounds| bounds.0[0].column as usize)
}

/// What two ranges have in common.
fn common(a: Range, b: Range) -> Range {
    // No lower end is the smallest of options; no upper end must not win.
    (a.0.max(b.0), [a.1, b.1].into_iter().flatten().min())
}

fn scaled((low, high): Range, factor: &Int) -> Range {
    let (low, high) = if factor.is_negative() { (high, low) } else { (low, high) };
    (low.map(|value| &value * factor), high.map(|value| &value * factor))
}

/// 2. to 6.: the lemmas that the candidate violates, and the equation of the sums.
fn lemmas(pool: &mut Pool, atom: AtomId, l: &Factor, r: &Factor, value: &Int) -> Vec<Lemma> {
    let mut all = Vec::new();
    // 2.
    all.extend(expansion(pool, atom, &l.term, &r.term));
    // 3.
    if l.term == r.term && *value < &l.value * &l.value {
        all.push(secant(pool, atom, &l.term, &l.value));
    }
    // 4.
    if l.value.is_zero() {
        all.push(value_at(pool, atom, l, r, 0));
    } else if r.value.is_zero() {
        all.push(value_at(pool, atom, r, l, 1));
    } else {
        let unit = |factor: &Factor| if factor.value.is_negative() { (&Int::MINUS_ONE, At::Most) } else { (&Int::ONE, At::Least) };
        all.extend(tangent(pool, atom, [l, r], Some(value), [unit(l), unit(r)]));
    }
    // 5.
    all.extend(corners(pool, atom, [l, r], Some(value)));
    // 6.
    all.extend(fixed(pool, atom, l, r));
    all
}

/// The product with a factor that has one value only.
fn fixed(pool: &mut Pool, atom: AtomId, l: &Factor, r: &Factor) -> Vec<Lemma> {
    let mut all = Vec::new();
    if l.fixed() {
        all.push(value_at(pool, atom, l, r, 0));
    }
    if r.fixed() {
        all.push(value_at(pool, atom, r, l, 1));
    }
    all
}

/// `l·r` multiplied out, where a factor is a sum.
fn expansion(pool: &mut Pool, atom: AtomId, l: &Linear, r: &Linear) -> Option<Lemma> {
    let is_atom = |term: &Linear| matches!(term.terms(), [(_, c)] if c.is_one()) && term.offset().is_zero();
    if is_atom(l) && is_atom(r) || l.terms().len() * r.terms().len() > MAX_SUMMANDS {
        return None;
    }
    let mut sum = r.scale(l.offset()).add(&l.scale(r.offset())).add_constant(&-(l.offset() * r.offset()));
    for (a, c) in l.terms() {
        for (b, d) in r.terms() {
            let product = pool.product(&Linear::atom(*a), &Linear::atom(*b));
            sum = sum.add_scaled(&product, &(c * d));
        }
    }
    let conclusion = pool.equal(&Linear::atom(atom), &sum);
    Some(Lemma { axiom: Axiom::Expansion(atom), form: 0, guards: Vec::new(), conclusion })
}

/// `x·x ≥ (2a+1)·x - a(a+1)`: no integer lies between `a` and `a+1`.
fn secant(pool: &mut Pool, atom: AtomId, x: &Linear, a: &Int) -> Lemma {
    let next = a + &Int::ONE;
    let line = x.scale(&(a + &next)).add_constant(&-(a * &next));
    let conclusion = pool.at_most(&line, &Linear::atom(atom));
    Lemma { axiom: Axiom::Secant(atom, a.clone()), form: 0, guards: Vec::new(), conclusion }
}

/// `x = a ⇒ p = a·y` for the value `a` of `x`; the form is 0 for the left factor and 1 for the right one.
fn value_at(pool: &mut Pool, atom: AtomId, x: &Factor, y: &Factor, form: u8) -> Lemma {
    let guard = pool.equal(&x.term, &Linear::constant(x.value.clone()));
    let conclusion = pool.equal(&Linear::atom(atom), &y.term.scale(&x.value));
    Lemma { axiom: Axiom::ProductValue(atom, x.value.clone()), form, guards: vec![guard], conclusion }
}

/// Which side of a point: at it and above, or at it and below.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Least,
    Most,
}

/// The tangents at the corners of the box: all, or those that a candidate violates which gives the product this value.
fn corners(pool: &mut Pool, atom: AtomId, [l, r]: [&Factor; 2], value: Option<&Int>) -> Vec<Lemma> {
    let points: Vec<_> = l.ends().flat_map(|a| r.ends().map(move |b| [a, b])).collect();
    points.into_iter().filter_map(|point| tangent(pool, atom, [l, r], value, point)).collect()
}

/// The tangent at a point for factors on these sides of it; with a candidate's value of the product only if violated.
fn tangent(pool: &mut Pool, atom: AtomId, [l, r]: [&Factor; 2], value: Option<&Int>, [(a, s), (b, t)]: [(&Int, At); 2]) -> Option<Lemma> {
    if let Some(value) = value {
        let within = |factor: &Factor, point: &Int, side| if side == At::Least { factor.value >= *point } else { factor.value <= *point };
        let height = &(&(&l.value * b) + &(&r.value * a)) - &(a * b);
        let wrong = if s == t { *value < height } else { *value > height };
        if !wrong || !within(l, a, s) || !within(r, b, t) {
            return None;
        }
    }
    let mut guard = |factor: &Factor, point: &Int, side| {
        let point = Linear::constant(point.clone());
        if side == At::Least { pool.at_most(&point, &factor.term) } else { pool.at_most(&factor.term, &point) }
    };
    let guards = vec![guard(l, a, s), guard(r, b, t)];
    let plane = l.term.scale(b).add(&r.term.scale(a)).add_constant(&-(a * b));
    let this = Linear::atom(atom);
    let conclusion = if s == t { pool.at_most(&plane, &this) } else { pool.at_most(&this, &plane) };
    let form = 2 * u8::from(s == At::Most) + u8::from(t == At::Most);
    Some(Lemma { axiom: Axiom::Tangent(atom, a.clone(), b.clone()), form, guards, conclusion })
}

/// The clauses that define quotient and remainder by a term, for the quotient's atom.
fn definition(pool: &mut Pool, quotient: AtomId, n: &Linear, d: &Linear) -> Vec<Lemma> {
    let Some((q, r)) = pool.div_rem_trunc(n, d) else { return Vec::new() };
    let product = pool.product(d, &q);
    let zero = pool.equal(d, &Linear::default());
    let not_zero = pool.not(zero);
    let whole = pool.equal(n, &product.add(&r));
    let mut clauses = vec![(vec![not_zero], whole)];
    for sign in [Int::ONE, Int::MINUS_ONE] {
        // |d| = sign · d ≥ 1, and r, -r ≤ |d| - 1.
        let size = d.scale(&sign);
        let guard = pool.at_most(&Linear::constant(1), &size);
        for r in [r.clone(), r.neg()] {
            clauses.push((vec![guard], pool.less(&r, &size)));
        }
        // sign · n ≤ 0, and then sign · r ≤ 0.
        let n = n.scale(&sign);
        let (below, r) = (pool.le(n.clone()), pool.le(r.scale(&sign)));
        clauses.push((vec![not_zero, below], r));
        // Then also q, -q ≤ -sign · n.
        for q in [q.clone(), q.neg()] {
            clauses.push((vec![not_zero, below], pool.le(q.add(&n))));
        }
    }
    let lemma = |(form, (guards, conclusion))| Lemma { axiom: Axiom::QuotientByTerm(quotient), form, guards, conclusion };
    (0u8..).zip(clauses).map(lemma).collect()
}

/// 7. A part of a factor's range that holds the candidate: half of the narrower one where that is finite, else a part near
/// its end.
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
