//! Bounds of a term's value by interval arithmetic, given the ranges of a few terms.

use crate::logic::{Atom, AtomId, Formula, FormulaId, Int, IntRange, Linear, Pool};
use rustc_hash::FxHashMap;

/// How deep products and quotients are looked into.
const DEPTH: u32 = 8;

/// The least and the greatest value that a term can have, where there are such.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    pub least: Option<Int>,
    pub most: Option<Int>,
}

impl Interval {
    fn of(least: impl Into<Int>, most: impl Into<Int>) -> Interval {
        Interval { least: Some(least.into()), most: Some(most.into()) }
    }

    fn exactly(value: &Int) -> Interval {
        Interval::of(value.clone(), value.clone())
    }

    fn add(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<Int>, b: &Option<Int>| Some(a.as_ref()? + b.as_ref()?);
        Interval { least: sum(&self.least, &other.least), most: sum(&self.most, &other.most) }
    }

    fn scale(&self, factor: &Int) -> Interval {
        let times = |bound: &Option<Int>| bound.as_ref().map(|bound| bound * factor);
        let (least, most) = (times(&self.least), times(&self.most));
        if factor.is_negative() { Interval { least: most, most: least } } else { Interval { least, most } }
    }

    fn meet(&mut self, other: &Interval) {
        let narrower = |a: &Option<Int>, b: &Option<Int>, greater: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if greater == (a > b) { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        self.least = narrower(&self.least, &other.least, true);
        self.most = narrower(&self.most, &other.most, false);
    }

    /// Takes in the values of another one.
    fn join(&mut self, other: &Interval) {
        let wider = |a: &Option<Int>, b: &Option<Int>, least: bool| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            Some(if least == (a < b) { a.clone() } else { b.clone() })
        };
        self.least = wider(&self.least, &other.least, true);
        self.most = wider(&self.most, &other.most, false);
    }

    /// Whether all values are at least this.
    pub fn is_at_least(&self, bound: &Int) -> bool {
        self.least.as_ref().is_some_and(|least| least >= bound)
    }

    /// Whether all values are at most this.
    pub fn is_at_most(&self, bound: &Int) -> bool {
        self.most.as_ref().is_some_and(|most| most <= bound)
    }

    pub fn is_within(&self, range: &IntRange) -> bool {
        self.is_at_least(&range.least()) && self.is_at_most(&range.greatest())
    }

    /// Whether no value is negative.
    pub fn is_natural(&self) -> bool {
        self.is_at_least(&Int::ZERO)
    }

    pub fn is_truth(&self) -> bool {
        self.is_natural() && self.is_at_most(&Int::ONE)
    }
}

/// Terms that are known to lie in ranges; each without its constant.
#[derive(Clone, Debug, Default)]
pub struct TermBounds {
    terms: Vec<(Linear, Interval)>,
    /// Atoms of which earlier edges have said where they lie.
    pub atoms: FxHashMap<AtomId, Interval>,
}

fn without_constant(term: &Linear) -> Linear {
    term.add_constant(&-term.offset())
}

impl TermBounds {
    /// The term lies in the range.
    pub fn learn(&mut self, term: &Linear, range: &IntRange) {
        if term.as_constant().is_none() {
            let offset = term.offset();
            let interval = Interval::of(&range.least() - offset, &range.greatest() - offset);
            self.terms.push((without_constant(term), interval));
        }
    }

    /// Learns of an atom from a term that is the atom but for sign and constant, for later edges too. Gives the atom and what was known of
    /// it before, where that is news.
    pub fn learn_atom(&mut self, term: &Linear, range: &IntRange) -> Option<(AtomId, Option<Interval>)> {
        let [(atom, coefficient)] = term.terms() else { return None };
        if !coefficient.abs().is_one() {
            return None;
        }
        let before = self.atoms.get(atom).cloned();
        let offset = term.offset();
        let mut interval = Interval::of(&range.least() - offset, &range.greatest() - offset).scale(coefficient);
        if let Some(before) = &before {
            interval.meet(before);
            if interval == *before {
                return None;
            }
        }
        self.atoms.insert(*atom, interval);
        Some((*atom, before))
    }

    /// Learns of one of these atoms from an inequality of it alone.
    pub fn learn_fact(&mut self, pool: &Pool, fact: FormulaId, atoms: &[Linear]) {
        let Formula::Le(term) = pool.formula(fact) else { return };
        let [(atom, coefficient)] = term.terms() else { return };
        if !coefficient.abs().is_one() || !atoms.contains(&Linear::atom(*atom)) {
            return;
        }
        let found = match coefficient.is_negative() {
            true => Interval { least: Some(term.offset().clone()), most: None },
            false => Interval { least: None, most: Some(-term.offset()) },
        };
        self.atoms.entry(*atom).or_default().meet(&found);
    }

    /// Learns of all elements of arrays that each lies in one of these ranges.
    pub fn learn_elements(&mut self, pool: &Pool, ranges: &[IntRange]) {
        let mut ranges = ranges.iter().map(|range| Interval::of(range.least(), range.greatest()));
        let Some(mut any) = ranges.next() else { return };
        ranges.for_each(|range| any.join(&range));
        for atom in (0..pool.atom_count()).map(|number| AtomId(number as u32)) {
            if matches!(pool.atom(atom), Atom::Select(..)) {
                self.atoms.entry(atom).or_default().meet(&any);
            }
        }
    }

    /// Learns of an atom that it is one of these values, of a type with this range.
    pub fn learn_one_of(&mut self, pool: &Pool, atom: &Linear, values: &[Linear], range: Option<&IntRange>) {
        let [(atom, _)] = atom.terms() else { return };
        let mut values = values.iter().map(|value| self.bounds(pool, value));
        let Some(mut found) = values.next() else { return };
        values.for_each(|value| found.join(&value));
        if let Some(range) = range {
            found.meet(&Interval::of(range.least(), range.greatest()));
        }
        self.atoms.entry(*atom).or_default().meet(&found);
    }

    /// Whether the bounds show that an inequality holds.
    pub fn shows(&self, pool: &Pool, formula: FormulaId) -> bool {
        matches!(pool.formula(formula), Formula::Le(term) if self.bounds(pool, term).is_at_most(&Int::ZERO))
    }

    /// The bounds of a term.
    pub fn bounds(&self, pool: &Pool, term: &Linear) -> Interval {
        let mut look = TermScan { term_bounds: self, pool, seen: FxHashMap::default() };
        let found = look.within(term, DEPTH);
        pool.looked(look.seen.len() as u64);
        found
    }
}

/// One look at a term. A term can have exponentially many occurrences of an atom, so each atom is looked into once at each depth.
struct TermScan<'k> {
    term_bounds: &'k TermBounds,
    pool: &'k Pool,
    seen: FxHashMap<(AtomId, u32), Interval>,
}

impl TermScan<'_> {
    fn within(&mut self, term: &Linear, depth: u32) -> Interval {
        let mut sum = Interval::exactly(term.offset());
        for (atom, coefficient) in term.terms() {
            sum = sum.add(&self.atom(*atom, depth).scale(coefficient));
            // Nothing is known of the sum either, whatever the others are.
            if sum == Interval::default() {
                break;
            }
        }
        if term.terms().len() > 1 {
            let constant = Interval::exactly(term.offset());
            for (_, interval) in self.term_bounds.terms.iter().filter(|(other, _)| other.terms() == term.terms()) {
                sum.meet(&interval.add(&constant));
            }
        }
        sum
    }

    /// Of natural numbers the bits that they have in common are at most the smaller one.
    fn common_bits(&mut self, left: &Linear, right: &Linear, depth: u32) -> Interval {
        let (left, right) = (self.within(left, depth), self.within(right, depth));
        if !left.is_natural() || !right.is_natural() {
            return Interval::default();
        }
        Interval { least: Some(Int::ZERO), most: [left.most, right.most].into_iter().flatten().min() }
    }

    fn atom(&mut self, atom: AtomId, depth: u32) -> Interval {
        if let Some(cached) = self.seen.get(&(atom, depth)) {
            return cached.clone();
        }
        let pool = self.pool;
        let mut is_compound = depth > 0;
        let mut found = match pool.atom(atom) {
            Atom::Truth(_) => Interval::of(0, 1),
            Atom::RemTrunc(left, right) if depth > 0 => self.remainder(left, right, depth - 1),
            Atom::DivTrunc(left, right) if depth > 0 => self.quotient(left, right, depth - 1),
            Atom::BitAnd(left, right) if depth > 0 => self.common_bits(left, right, depth - 1),
            Atom::Product(left, right) if depth > 0 => self.product(left, right, depth - 1),
            _ => {
                is_compound = false;
                Interval::default()
            }
        };
        if let Some(interval) = self.term_bounds.atoms.get(&atom) {
            found.meet(interval);
        }
        for (other, interval) in &self.term_bounds.terms {
            match other.terms() {
                [(other, coefficient)] if *other == atom && coefficient.abs().is_one() => found.meet(&interval.scale(coefficient)),
                _ => {}
            }
        }
        if is_compound {
            self.seen.insert((atom, depth), found.clone());
        }
        found
    }

    /// It has the sign of the dividend and is smaller than the divisor.
    fn remainder(&mut self, left: &Linear, right: &Linear, depth: u32) -> Interval {
        let Some(size) = right.as_constant().map(|divisor| divisor.abs()) else { return Interval::default() };
        let (greatest, left) = (&size - &Int::ONE, self.within(left, depth));
        let mut found = Interval::of(-&greatest, greatest);
        if left.is_natural() {
            found.meet(&Interval { least: Some(Int::ZERO), most: left.most });
        } else if left.is_at_most(&Int::ZERO) {
            found.meet(&Interval { least: left.least, most: Some(Int::ZERO) });
        }
        found
    }

    fn quotient(&mut self, left: &Linear, right: &Linear, depth: u32) -> Interval {
        let Some(divisor) = right.as_constant() else { return Interval::default() };
        let left = self.within(left, depth);
        let divided = |bound: Option<Int>| bound.and_then(|bound| Some(bound.div_rem_trunc(divisor)?.0));
        let (least, most) = (divided(left.least), divided(left.most));
        // Rounding towards zero keeps the order.
        if divisor.is_negative() { Interval { least: most, most: least } } else { Interval { least, most } }
    }

    fn product(&mut self, left: &Linear, right: &Linear, depth: u32) -> Interval {
        let (left, right) = (self.within(left, depth), self.within(right, depth));
        let (Some(a), Some(b), Some(c), Some(d)) = (left.least, left.most, right.least, right.most) else { return Interval::default() };
        let corners = [&a * &c, &a * &d, &b * &c, &b * &d];
        Interval { least: corners.iter().min().cloned(), most: corners.iter().max().cloned() }
    }
}
