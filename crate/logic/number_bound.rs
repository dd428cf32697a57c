//! Comparisons of a floating-point number's rank with a constant, as comparisons of numbers.

use super::rank::FloatFormat;
use super::{AtomId, Formula, FormulaId, Pool};

/// Which values a bound leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRelation {
    /// From the rank on.
    Least,
    /// Up to the rank.
    Greatest,
    Equal,
    Different,
}

/// That the number of an atom lies on a side of a rank.
pub struct NumberBound {
    pub atom: AtomId,
    pub side: NumberRelation,
    format: FloatFormat,
    rank: i64,
}

impl NumberBound {
    /// The bound that a formula is.
    pub fn of(pool: &Pool, formula: FormulaId) -> Option<NumberBound> {
        let (term, is_negated, is_equation) = match pool.formula(formula) {
            Formula::Le(term) => (term, false, false),
            Formula::Eq(term) => (term, false, true),
            Formula::Not(inner) => match pool.formula(*inner) {
                Formula::Le(term) => (term, true, false),
                Formula::Eq(term) => (term, true, true),
                _ => return None,
            },
            _ => return None,
        };
        let [(atom, factor)] = term.terms() else { return None };
        let format = pool.number_format(*atom)?;
        // `atom + offset` or `-atom + offset`, compared with 0.
        let offset = term.offset().to_i64()?;
        let is_least = factor.is_negative();
        if !factor.abs().is_one() {
            return None;
        }
        let rank = if is_least { offset } else { offset.checked_neg()? };
        let (side, rank) = match (is_equation, is_negated, is_least) {
            (true, false, _) => (NumberRelation::Equal, rank),
            (true, true, _) => (NumberRelation::Different, rank),
            (false, false, true) => (NumberRelation::Least, rank),
            (false, false, false) => (NumberRelation::Greatest, rank),
            (false, true, true) => (NumberRelation::Greatest, rank.checked_sub(1)?),
            (false, true, false) => (NumberRelation::Least, rank.checked_add(1)?),
        };
        Some(NumberBound { atom: *atom, side, format, rank })
    }

    /// Whether it says only that the value is a number.
    pub fn is_number(&self) -> bool {
        self.side == NumberRelation::Greatest && self.rank == self.format.infinity()
    }

    /// The bound in C. What is not a number has the greatest rank, so that a lower bound alone is the negation of a comparison;
    /// `is_number` where the value is known to be a number.
    pub fn text(&self, name: &str, is_number: bool) -> String {
        let NumberBound { side, format, rank, .. } = *self;
        let text = |rank: i64| format.text(rank);
        // Of a strict and another comparison the one with the shorter number.
        let (strict, own) = match side {
            NumberRelation::Least => (rank.saturating_sub(1), text(rank)),
            _ => (rank.saturating_add(1), text(rank)),
        };
        let is_shorter = strict.unsigned_abs() <= format.infinity() as u64 && text(strict).len() < own.len();
        match side {
            _ if self.is_number() => format!("!isnan({name})"),
            NumberRelation::Least | NumberRelation::Equal if rank > format.infinity() => format!("isnan({name})"),
            NumberRelation::Different if rank > format.infinity() => format!("!isnan({name})"),
            NumberRelation::Equal => format!("{name} == {own}"),
            NumberRelation::Different => format!("{name} != {own}"),
            NumberRelation::Greatest if is_shorter => format!("{name} < {}", text(strict)),
            NumberRelation::Greatest => format!("{name} <= {own}"),
            NumberRelation::Least if is_number && is_shorter => format!("{} < {name}", text(strict)),
            NumberRelation::Least if is_number => format!("{own} <= {name}"),
            NumberRelation::Least if is_shorter => format!("!({name} <= {})", text(strict)),
            NumberRelation::Least => format!("!({name} < {own})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Linear;
    use crate::logic::text::formula;

    #[test]
    fn bounds_read_like_comparisons_of_c() {
        let mut pool = Pool::new();
        let x = pool.integer("x");
        pool.has_type(&x, &FloatFormat::Double.range());
        let rank = |value: f64| Linear::constant(FloatFormat::Double.rank(value));
        let infinity = pool.at_most(&x, &rank(f64::INFINITY));
        let above = pool.less(&rank(3.0), &x);
        let (least, below) = (pool.at_most(&rank(3.0), &x), pool.less(&x, &rank(0.1)));
        let both = pool.and(&[above, infinity]);
        let not_below = pool.not(below);
        let (three, nan) = (pool.equal(&x, &rank(3.0)), pool.equal(&x, &rank(f64::NAN)));
        let other = pool.not(three);
        let most = pool.at_most(&x, &rank(2.5));
        for (id, text) in [
            (infinity, "!isnan(x)"),
            (above, "!(x <= 3.0)"),
            (least, "!(x < 3.0)"),
            (below, "x < 0.1"),
            (both, "3.0 < x"),
            (not_below, "!(x < 0.1)"),
            (three, "x == 3.0"),
            (other, "x != 3.0"),
            (nan, "isnan(x)"),
            (most, "x <= 2.5"),
        ] {
            assert_eq!(formula(&pool, id), text);
        }
    }
}
