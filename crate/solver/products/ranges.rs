//! Ranges of factors: what the asserted bounds leave them, looking into the parts of sums and products.

use super::super::search::Search;
use super::super::simplex::BoundSide;
use crate::logic::{Atom, AtomId, Int, Linear, Pool};
use rustc_hash::FxHashMap;

/// A factor with its value and the range that the asserted bounds leave it.
pub struct Factor {
    pub term: Linear,
    pub value: Int,
    pub low: Option<Int>,
    pub high: Option<Int>,
}

impl Factor {
    pub fn fixed(&self) -> bool {
        self.low.is_some() && self.low == self.high
    }

    /// The finite ends of the range.
    pub fn ends(&self) -> impl Iterator<Item = (&Int, At)> {
        let low = self.low.iter().map(|low| (low, At::Least));
        low.chain(self.high.iter().map(|high| (high, At::Most)))
    }

    pub fn width(&self) -> Option<Int> {
        Some(self.high.as_ref()? - self.low.as_ref()?)
    }
}

/// Which side of a point: at it and above, or at it and below.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum At {
    Least,
    Most,
}

/// From where to where; `None` is without end.
type Range = (Option<Int>, Option<Int>);

/// How deep the parts of products are looked into for the ranges of these.
const MAX_DEPTH: u32 = 4;

/// The bounds asserted of atoms and of primitive forms.
pub struct Ranges(FxHashMap<Linear, Range>);

impl Ranges {
    pub fn of(search: &Search) -> Ranges {
        let ends =
            |column| [BoundSide::Lower, BoundSide::Upper].map(|side| search.simplex.bound(column, side).map(|(value, _)| value.clone()));
        let ranges = search.forms.iter().enumerate().filter(|(column, _)| search.simplex.is_bounded(*column as u32));
        let ranges = ranges.map(|(column, form)| {
            let [low, high] = ends(column as u32);
            (form.clone(), (low, high))
        });
        Ranges(ranges.collect())
    }

    /// A factor with its range.
    pub fn factor(&self, pool: &Pool, value: Int, term: Linear) -> Factor {
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
            Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) => divided(pool.atom(atom), self.term(pool, n, depth + 1), d.as_constant()),
            Atom::BitAnd(l, r) => match (self.term(pool, l, depth + 1), self.term(pool, r, depth + 1)) {
                ((Some(a), b), (Some(c), d)) if !a.is_negative() && !c.is_negative() => {
                    (Some(Int::ZERO), [b, d].into_iter().flatten().min())
                }
                _ => (None, None),
            },
            Atom::Truth(_) => (Some(Int::ZERO), Some(Int::ONE)),
            _ => (None, None),
        };
        common(asserted, of_parts)
    }
}

/// The range of a quotient or a remainder, rounded towards zero, from that of the dividend: neither is larger, and both are smaller where
/// the divisor is a constant that is large.
fn divided(atom: &Atom, dividend: Range, divisor: Option<&Int>) -> Range {
    let divisor = divisor.map(Int::abs).filter(Int::is_positive);
    match (atom, divisor) {
        (Atom::DivTrunc(_, d), Some(size)) => {
            let quotient = |end: Int| end.div_rem_trunc(&size).map(|pair| pair.0);
            let (low, high) = (dividend.0.and_then(quotient), dividend.1.and_then(quotient));
            if d.as_constant().is_some_and(Int::is_negative) { (high.map(|end| -end), low.map(|end| -end)) } else { (low, high) }
        }
        (_, Some(size)) => {
            let limit = &size - &Int::ONE;
            let (low, high) = (dividend.0.unwrap_or(-&limit), dividend.1.unwrap_or(limit.clone()));
            (Some(low.min(Int::ZERO).max(-&limit)), Some(high.max(Int::ZERO).min(limit)))
        }
        _ => match dividend {
            (Some(low), Some(high)) => {
                let limit = low.abs().max(high.abs());
                (Some(-&limit), Some(limit))
            }
            _ => (None, None),
        },
    }
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
