//! Linear terms: integer combinations of atoms plus a constant, always in normal form.

use super::{AtomId, Int};
use crate::logic::Arrange;

/// `Σ coefficient · atom + constant`. Atoms ascend, no coefficient is zero; equal terms are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    terms: Vec<(AtomId, Int)>,
    constant: Int,
}

impl Linear {
    /// The term without atoms.
    pub fn constant(value: impl Into<Int>) -> Linear {
        Linear { terms: Vec::new(), constant: value.into() }
    }

    /// The term that is one atom.
    pub fn atom(atom: AtomId) -> Linear {
        Linear { terms: vec![(atom, Int::ONE)], constant: Int::ZERO }
    }

    /// Builds the normal form of any list of terms.
    pub fn new(mut terms: Vec<(AtomId, Int)>, constant: Int) -> Linear {
        if terms.is_sorted_by(|left, right| left.0 < right.0) {
            terms.retain(|(_, coefficient)| !coefficient.is_zero());
            return Linear { terms, constant };
        }
        terms.arrange_by_key(|&(atom, _)| atom);
        let mut normal: Vec<(AtomId, Int)> = Vec::with_capacity(terms.len());
        for (atom, coefficient) in terms {
            match normal.last_mut() {
                Some((last, sum)) if *last == atom => *sum += &coefficient,
                _ => normal.push((atom, coefficient)),
            }
        }
        normal.retain(|(_, coefficient)| !coefficient.is_zero());
        Linear { terms: normal, constant }
    }

    /// The terms, atoms ascending.
    pub fn terms(&self) -> &[(AtomId, Int)] {
        &self.terms
    }

    /// The constant part.
    pub fn offset(&self) -> &Int {
        &self.constant
    }

    /// The value, where no atom occurs.
    pub fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The greatest common divisor of the coefficients; 0 for a constant.
    pub fn content(&self) -> Int {
        let mut divisor = Int::ZERO;
        for (_, coefficient) in &self.terms {
            divisor = divisor.gcd(coefficient);
            if divisor.is_one() {
                break;
            }
        }
        divisor
    }

    /// `self + factor · other`.
    pub fn add_scaled(&self, other: &Linear, factor: &Int) -> Linear {
        if factor.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, x)), Some((b, y))) if a == b => {
                    let sum = x + &(y * factor);
                    if !sum.is_zero() {
                        terms.push((*a, sum));
                    }
                    left.next();
                    right.next();
                }
                (Some((a, x)), other_side) if other_side.is_none_or(|(b, _)| a < b) => {
                    terms.push((*a, x.clone()));
                    left.next();
                }
                (_, Some((b, y))) => {
                    terms.push((*b, y * factor));
                    right.next();
                }
                _ => break,
            }
        }
        Linear { terms, constant: &self.constant + &(&other.constant * factor) }
    }

    /// `self + other`.
    pub fn add(&self, other: &Linear) -> Linear {
        self.add_scaled(other, &Int::ONE)
    }

    /// `self - other`.
    pub fn sub(&self, other: &Linear) -> Linear {
        self.add_scaled(other, &Int::MINUS_ONE)
    }

    /// `-self`.
    pub fn neg(&self) -> Linear {
        self.scale(&Int::MINUS_ONE)
    }

    /// `factor · self`.
    pub fn scale(&self, factor: &Int) -> Linear {
        if factor.is_zero() {
            return Linear::default();
        }
        Linear { terms: self.terms.iter().map(|(a, c)| (*a, c * factor)).collect(), constant: &self.constant * factor }
    }

    /// `self + value`.
    pub fn add_constant(&self, value: &Int) -> Linear {
        Linear { terms: self.terms.clone(), constant: &self.constant + value }
    }
}
