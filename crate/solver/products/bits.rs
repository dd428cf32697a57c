//! The bits that two natural numbers have in common: bounds, and the two halves of them where the candidate has another value.
//!
//! Halves of halves end at single bits, of which the bounds leave one value only. Only what a candidate has wrong is halved, and the
//! halves of one operand serve all operators that it takes part in.

use super::super::certificate::Axiom;
use super::lemmas::Lemma;
use super::ranges::Factor;
use crate::logic::{AtomId, FormulaId, Int, Linear, Pool};

/// That neither is negative; of a constant that is known.
fn natural(pool: &mut Pool, terms: [&Linear; 2]) -> Vec<FormulaId> {
    let terms = terms.into_iter().filter(|term| term.as_constant().is_none());
    terms.map(|term| pool.at_most(&Linear::default(), term)).collect()
}

fn negative_constant(term: &Linear) -> bool {
    term.as_constant().is_some_and(Int::is_negative)
}

/// The atom is natural and no greater than either.
pub fn bounds(pool: &mut Pool, atom: AtomId, l: &Linear, r: &Linear) -> Vec<Lemma> {
    if negative_constant(l) || negative_constant(r) {
        return Vec::new();
    }
    let this = Linear::atom(atom);
    let conclusions = [pool.at_most(&Linear::default(), &this), pool.at_most(&this, l), pool.at_most(&this, r)];
    let lemma = |(form, conclusion)| Lemma { axiom: Axiom::AndBound(atom), form, guards: natural(pool, [l, r]), conclusion };
    (0u8..).zip(conclusions).map(lemma).collect()
}

/// What the candidate, which gives the atom this wrong value, violates, and the halves.
pub fn refined(pool: &mut Pool, atom: AtomId, l: &Factor, r: &Factor, value: &Int) -> Vec<Lemma> {
    if l.value.is_negative() || r.value.is_negative() {
        return Vec::new();
    }
    let most = |factor: &Factor| factor.high.clone().unwrap_or_default().max(factor.value.clone());
    let width = most(l).bits().max(most(r).bits()).max(1) as u32;
    let size = Int::ONE.shift_left(width);
    let least = &(&(&l.value + &r.value) - &size) + &Int::ONE;
    let mut all = Vec::new();
    if *value < least {
        let largest = Linear::constant(&size - &Int::ONE);
        let mut guards = natural(pool, [&l.term, &r.term]);
        for term in [&l.term, &r.term].into_iter().filter(|term| term.as_constant().is_none()) {
            guards.push(pool.at_most(term, &largest));
        }
        let conclusion = pool.at_most(&l.term.add(&r.term).sub(&largest), &Linear::atom(atom));
        all.push(Lemma { axiom: Axiom::AndWidth(atom, width), form: 0, guards, conclusion });
    }
    if width > 1 {
        // The greatest power of two below the width: halves of other operators are the same terms.
        let half = 1u32 << (width - 1).ilog2();
        let divisor = Linear::constant(Int::ONE.shift_left(half));
        let parts = [&l.term, &r.term].map(|term| pool.div_rem_trunc(term, &divisor).unwrap_or_default());
        let high = pool.bit_and(&parts[0].0, &parts[1].0);
        let low = pool.bit_and(&parts[0].1, &parts[1].1);
        let whole = high.scale(&Int::ONE.shift_left(half)).add(&low);
        let guards = natural(pool, [&l.term, &r.term]);
        let conclusion = pool.equal(&Linear::atom(atom), &whole);
        all.push(Lemma { axiom: Axiom::AndSplit(atom, half), form: 0, guards, conclusion });
    }
    all
}
