//! The lemmas, each an instance of an axiom.

use super::super::certificate::Axiom;
use super::ranges::{At, Factor};
use crate::logic::{Atom, AtomId, FormulaId, Int, Linear, Pool};

/// Products with more summands than this are not multiplied out.
const MAX_SUMMANDS: usize = 64;
/// Factors that both have few values are tried out: that takes fewer lemmas than a new hull for each part of their box.
const NARROW: i64 = 64;

/// A lemma before it is encoded: `guards ⇒ conclusion`.
pub struct Lemma {
    pub axiom: Axiom,
    /// Which of the axiom's clauses.
    pub form: u8,
    pub guards: Vec<FormulaId>,
    pub conclusion: FormulaId,
}

/// Steps 2 to 6: the lemmas that the candidate violates, and the equation of the sums.
pub fn lemmas(pool: &mut Pool, atom: AtomId, l: &Factor, r: &Factor, value: &Int) -> Vec<Lemma> {
    let mut all = Vec::new();
    // 2.
    all.extend(expansion(pool, atom, &l.term, &r.term));
    // 6., which leaves nothing to the others.
    if l.fixed() || r.fixed() {
        all.extend(fixed(pool, atom, l, r));
        return all;
    }
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
    let narrow = |factor: &Factor| factor.width().is_some_and(|width| width <= Int::from(NARROW));
    if !narrow(l) || !narrow(r) {
        all.extend(corners(pool, atom, [l, r], Some(value)));
    }
    all
}

/// The product with a factor that has one value only.
pub fn fixed(pool: &mut Pool, atom: AtomId, l: &Factor, r: &Factor) -> Vec<Lemma> {
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
pub fn expansion(pool: &mut Pool, atom: AtomId, l: &Linear, r: &Linear) -> Option<Lemma> {
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

/// `(l ± r)² ≥ …`, as far as the candidate gives the products of `l` and `r` with each other (`value`) and with themselves (`squares`)
/// values with which that is false: the square multiplied out, and on or above the line at the candidate's `l ± r`. Gives the square, too.
pub fn square_of_sum(pool: &mut Pool, l: &Factor, r: &Factor, value: &Int, squares: &Int) -> Option<(AtomId, Vec<Lemma>)> {
    for sign in [Int::ONE, Int::MINUS_ONE] {
        let at = &l.value + &(&r.value * &sign);
        let sum = l.term.add_scaled(&r.term, &sign);
        if squares + &(&(value * &sign) * &Int::from(2)) >= &at * &at {
            continue;
        }
        let square = pool.product(&sum, &sum);
        let [(atom, c)] = square.terms() else { continue };
        let atom = *atom;
        let Some(Atom::Product(x, _)) = c.is_one().then(|| pool.atom(atom).clone()) else { continue };
        // The pool may have turned the signs around.
        let at = if x == sum { at } else { -&at };
        let expansion = expansion(pool, atom, &x, &x)?;
        let secant = secant(pool, atom, &x, &at);
        return Some((atom, vec![expansion, secant]));
    }
    None
}

/// `x = a ⇒ p = a·y` for the value `a` of `x`; the form is 0 for the left factor and 1 for the right one.
pub fn value_at(pool: &mut Pool, atom: AtomId, x: &Factor, y: &Factor, form: u8) -> Lemma {
    let guard = pool.equal(&x.term, &Linear::constant(x.value.clone()));
    let conclusion = pool.equal(&Linear::atom(atom), &y.term.scale(&x.value));
    Lemma { axiom: Axiom::ProductValue(atom, x.value.clone()), form, guards: vec![guard], conclusion }
}

/// The tangents at the corners of the box: all, or those that a candidate violates which gives the product this value.
pub fn corners(pool: &mut Pool, atom: AtomId, [l, r]: [&Factor; 2], value: Option<&Int>) -> Vec<Lemma> {
    let points: Vec<_> = l.ends().flat_map(|a| r.ends().map(move |b| [a, b])).collect();
    points.into_iter().filter_map(|point| tangent(pool, atom, [l, r], value, point)).collect()
}

/// The tangent at a point for factors on these sides of it; with a candidate's value of the product only if violated.
pub fn tangent(
    pool: &mut Pool,
    atom: AtomId,
    [l, r]: [&Factor; 2],
    value: Option<&Int>,
    [(a, s), (b, t)]: [(&Int, At); 2],
) -> Option<Lemma> {
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
pub fn definition(pool: &mut Pool, quotient: AtomId, n: &Linear, d: &Linear) -> Vec<Lemma> {
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
