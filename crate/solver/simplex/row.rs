//! Rows of the tableau over integers: `divisor · x_basic = Σ coefficient · x_column`, and replacing a column in them.
//!
//! Nearly all numbers fit in a machine word. A row adds their products in `i128`, where two products of words and their
//! sum always fit, and only what is still too large after division by the common divisor becomes a big integer. As soon as
//! one number of a row is big, it computes with [`Int`] throughout, which costs more steps of the meter.

use super::ColumnId;
use crate::logic::{Int, gcd_u128};

/// What an entry of any size costs, in entries of machine words: the common divisor of a row takes the square of its length.
fn big_entry(value: &Int) -> u64 {
    let bits = value.bits();
    16 + bits / 16 + (bits / 64).pow(2)
}

/// `divisor · x_basic = Σ coefficient · x_column`.
#[derive(Clone, Debug)]
pub struct TableauRow {
    pub basic: ColumnId,
    /// Positive; it and the coefficients have no common divisor.
    pub divisor: Int,
    /// Columns ascending, none of them basic, no coefficient zero.
    pub terms: Vec<(ColumnId, Int)>,
    /// The value of the right-hand side, an integer since columns that are not basic have integer values.
    pub sum: Int,
}

/// What a substitution did to a row.
#[derive(Debug, Default)]
pub struct RowChange {
    /// Columns that were not in the row before.
    pub added: Vec<ColumnId>,
    /// Columns that cancelled.
    pub removed: Vec<ColumnId>,
    /// How much work it was, in row entries.
    pub cost: u64,
    scratch: Vec<(ColumnId, i128)>,
}

impl TableauRow {
    /// The coefficient of a column of the row.
    pub fn coefficient(&self, column: ColumnId) -> &Int {
        let at = self.terms.binary_search_by_key(&column, |term| term.0).expect("the column occurs in the row");
        &self.terms[at].1
    }

    /// Solves the row for `entering`, which becomes its basic column; the sum is left to the caller.
    pub fn exchange(&mut self, entering: ColumnId) {
        let at = self.terms.binary_search_by_key(&entering, |term| term.0).expect("the column occurs in the row");
        let (_, pivot) = self.terms.remove(at);
        let mut leaving = std::mem::take(&mut self.divisor);
        // divisor · x_b = pivot · x_e + Σ …  gives  |pivot| · x_e = ±(divisor · x_b - Σ …).
        if pivot.is_negative() {
            leaving = -leaving;
            self.divisor = -pivot;
        } else {
            for (_, coefficient) in &mut self.terms {
                *coefficient = -&*coefficient;
            }
            self.divisor = pivot;
        }
        let at = self.terms.partition_point(|term| term.0 < self.basic);
        self.terms.insert(at, (self.basic, leaving));
        self.basic = entering;
    }

    /// Replaces the column that is basic in `other` by that row, where it occurs with the coefficient given. The sum
    /// has to be without this column already.
    pub fn substitute(&mut self, other: &TableauRow, coefficient: &Int, change: &mut RowChange) {
        change.added.clear();
        change.removed.clear();
        // With g = gcd(divisor', k): (divisor'/g) · row with (k/g) · other in place of the column.
        let divisor = other.divisor.gcd(coefficient);
        let (p, q) = (other.divisor.div_exact(&divisor), coefficient.div_exact(&divisor));
        change.cost = (self.terms.len() + other.terms.len()) as u64;
        if self.substitute_small(other, &p, &q, change).is_none() {
            self.substitute_any(other, &p, &q, change);
        }
    }

    /// In machine words; `None`, with nothing changed, where a number is too large.
    fn substitute_small(&mut self, other: &TableauRow, p: &Int, q: &Int, change: &mut RowChange) -> Option<()> {
        let (p, q) = (i128::from(p.to_i64()?), i128::from(q.to_i64()?));
        let small = |value: &Int| value.to_i64().map(i128::from);
        let out = &mut change.scratch;
        out.clear();
        let divisor = p * small(&self.divisor)?;
        let sum = p * small(&self.sum)? + q * small(&other.sum)?;
        let mut common = divisor.unsigned_abs();
        let (mut left, mut right) = (self.terms.as_slice(), other.terms.as_slice());
        loop {
            let (column, value) = match (left, right) {
                ([(a, x), rest @ ..], [(b, _), ..]) if a < b => {
                    left = rest;
                    if *a == other.basic {
                        continue;
                    }
                    (*a, p * small(x)?)
                }
                ([(a, x), l @ ..], [(b, y), r @ ..]) if a == b => {
                    (left, right) = (l, r);
                    let value = p * small(x)? + q * small(y)?;
                    if value == 0 {
                        change.removed.push(*a);
                        continue;
                    }
                    (*a, value)
                }
                (_, [(b, y), rest @ ..]) => {
                    right = rest;
                    change.added.push(*b);
                    (*b, q * small(y)?)
                }
                ([(a, x), rest @ ..], []) => {
                    left = rest;
                    if *a == other.basic {
                        continue;
                    }
                    (*a, p * small(x)?)
                }
                ([], []) => break,
            };
            if common != 1 {
                common = gcd_u128(common, value.unsigned_abs());
            }
            out.push((column, value));
        }
        let back = |value: i128| Int::from(if common == 1 { value } else { value / common as i128 });
        self.divisor = back(divisor);
        self.sum = back(sum);
        self.terms.clear();
        self.terms.extend(out.iter().map(|&(column, value)| (column, back(value))));
        Some(())
    }

    /// With numbers of any size.
    fn substitute_any(&mut self, other: &TableauRow, p: &Int, q: &Int, change: &mut RowChange) {
        change.added.clear();
        change.removed.clear();
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut left = std::mem::take(&mut self.terms).into_iter().filter(|term| term.0 != other.basic).peekable();
        let mut right = other.terms.iter().peekable();
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            let mine = if order.is_le() { left.next() } else { None };
            let theirs = if order.is_ge() { right.next() } else { None };
            let column = mine.as_ref().or(theirs).map_or(0, |term| term.0);
            let zero = || Int::ZERO;
            let value = &mine.as_ref().map_or_else(zero, |term| &term.1 * p) + &theirs.map_or_else(zero, |term| &term.1 * q);
            if mine.is_none() {
                change.added.push(column);
            }
            if value.is_zero() {
                change.removed.push(column);
            } else {
                terms.push((column, value));
            }
        }
        self.divisor = &self.divisor * p;
        self.sum = &(&self.sum * p) + &(&other.sum * q);
        let mut common = self.divisor.clone();
        for (_, value) in &terms {
            if common.is_one() {
                break;
            }
            common = common.gcd(value);
        }
        if !common.is_one() {
            self.divisor = self.divisor.div_exact(&common);
            self.sum = self.sum.div_exact(&common);
            for (_, value) in &mut terms {
                *value = value.div_exact(&common);
            }
        }
        change.cost += terms.iter().map(|(_, value)| big_entry(value)).sum::<u64>();
        self.terms = terms;
    }
}
