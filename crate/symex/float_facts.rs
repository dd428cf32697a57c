//! What holds of the result of a floating-point operation, whatever its operands are: its sign, and on which side of an operand it lies.
//!
//! Rounding keeps the order of numbers, and every operand is a number of the format. So what holds of the exact result against an operand, 0
//! or 1 holds of the rounded one: `b >= 0` gives `a + b >= a`. All are ranks ([`crate::logic::rank`]); what is not a number has the greatest
//! rank, so that a lower bound also holds where an operation has no number. An upper bound then says *or no number*.

use crate::logic::rank::{FloatFormat, FloatOp};
use crate::logic::{FormulaId, Int, Linear, Pool};

/// The facts of a result with the rank `result`, of operands with these ranks.
pub fn float_facts(pool: &mut Pool, op: FloatOp, format: FloatFormat, operands: &[Linear], result: &Linear) -> Vec<FormulaId> {
    let mut facts = FloatFacts { pool, format, result: result.clone(), found: Vec::new() };
    match (op, operands) {
        (FloatOp::Add, [a, b]) => facts.sum(a, b),
        (FloatOp::Sub, [a, b]) => facts.difference(a, b),
        (FloatOp::Mul, [a, b]) => facts.product(a, b),
        (FloatOp::Div, [a, b]) => facts.quotient(a, b),
        (FloatOp::SquareRoot, [a]) => facts.root(a),
        (FloatOp::Floor, [a]) => facts.not_above(&[], a),
        (FloatOp::Ceiling, [a]) => facts.at_least(&[], a),
        _ => {}
    }
    facts.found
}

struct FloatFacts<'p> {
    pool: &'p mut Pool,
    format: FloatFormat,
    result: Linear,
    found: Vec<FormulaId>,
}

impl FloatFacts<'_> {
    fn one(&self) -> Linear {
        Linear::constant(Int::from(self.format.rank(1.0)))
    }

    fn infinity(&self) -> Linear {
        Linear::constant(Int::from(self.format.infinity()))
    }

    /// `a <= b`.
    fn le(&mut self, a: &Linear, b: &Linear) -> FormulaId {
        self.pool.at_most(a, b)
    }

    /// `a < b`.
    fn lt(&mut self, a: &Linear, b: &Linear) -> FormulaId {
        self.pool.less(a, b)
    }

    /// `a` is a number that is not infinite.
    fn finite(&mut self, a: &Linear) -> FormulaId {
        let infinity = self.infinity();
        let sides = [self.lt(a, &infinity), self.lt(&infinity.neg(), a)];
        self.pool.and(&sides)
    }

    /// Under these conditions the formula holds.
    fn add(&mut self, conditions: &[FormulaId], holds: FormulaId) {
        let mut parts: Vec<FormulaId> = conditions.iter().map(|&condition| self.pool.not(condition)).collect();
        parts.push(holds);
        self.found.push(self.pool.or(&parts));
    }

    /// Under these conditions the result is at least this value, or no number.
    fn at_least(&mut self, conditions: &[FormulaId], bound: &Linear) {
        let result = self.result.clone();
        let holds = self.le(bound, &result);
        self.add(conditions, holds);
    }

    /// Under these conditions the result is at most this value, or no number.
    fn not_above(&mut self, conditions: &[FormulaId], bound: &Linear) {
        let (result, infinity) = (self.result.clone(), self.infinity());
        let parts = [self.le(&result, bound), self.lt(&infinity, &result)];
        let holds = self.pool.or(&parts);
        self.add(conditions, holds);
    }

    /// Under these conditions the result is a number.
    fn is_number(&mut self, conditions: &[FormulaId]) {
        let (result, infinity) = (self.result.clone(), self.infinity());
        let holds = self.le(&result, &infinity);
        self.add(conditions, holds);
    }

    /// The result is no number where an operand is none.
    fn needs_numbers(&mut self, operands: &[&Linear]) {
        let (result, infinity) = (self.result.clone(), self.infinity());
        for operand in operands {
            let is_none = self.lt(&infinity, operand);
            let holds = self.lt(&infinity, &result);
            self.add(&[is_none], holds);
        }
    }

    fn sum(&mut self, a: &Linear, b: &Linear) {
        let zero = Linear::default();
        for (a, b) in [(a, b), (b, a)] {
            let (natural, negative) = (self.le(&zero, b), self.le(b, &zero));
            self.at_least(&[natural], a);
            self.not_above(&[negative], a);
        }
        self.number_of_finite(a, b);
    }

    fn difference(&mut self, a: &Linear, b: &Linear) {
        let (zero, one) = (Linear::default(), Linear::constant(1));
        let (natural, negative) = (self.le(&zero, b), self.le(b, &zero));
        self.not_above(&[natural], a);
        self.at_least(&[negative], a);
        // Two numbers that differ have a difference that is not rounded to 0.
        let (above, below) = (self.lt(b, a), self.lt(a, b));
        self.at_least(&[above], &one);
        self.not_above(&[below], &one.neg());
        let (at_least, at_most) = (self.le(b, a), self.le(a, b));
        self.at_least(&[at_least], &zero);
        self.not_above(&[at_most], &zero);
        self.number_of_finite(a, b);
    }

    fn product(&mut self, a: &Linear, b: &Linear) {
        let (zero, one) = (Linear::default(), self.one());
        let [a_natural, b_natural] = [a, b].map(|x| self.le(&zero, x));
        let [a_negative, b_negative] = [a, b].map(|x| self.le(x, &zero));
        self.at_least(&[a_natural, b_natural], &zero);
        self.at_least(&[a_negative, b_negative], &zero);
        self.not_above(&[a_natural, b_negative], &zero);
        self.not_above(&[a_negative, b_natural], &zero);
        for (a, b) in [(a, b), (b, a)] {
            let (natural, negative) = (self.le(&zero, a), self.le(a, &zero));
            let (large, small) = (self.le(&one, b), [self.le(&zero, b), self.le(b, &one)]);
            self.at_least(&[natural, large], a);
            self.not_above(&[negative, large], a);
            self.not_above(&[natural, small[0], small[1]], a);
            self.at_least(&[negative, small[0], small[1]], a);
        }
        let finite = [self.finite(a), self.finite(b)];
        self.is_number(&finite);
        self.needs_numbers(&[a, b]);
    }

    /// Nothing is said of a division by 0: its result depends on the sign of the zero.
    fn quotient(&mut self, a: &Linear, b: &Linear) {
        let (zero, least, one) = (Linear::default(), Linear::constant(1), self.one());
        let (natural, negative) = (self.le(&zero, a), self.le(a, &zero));
        let (positive, below) = (self.le(&least, b), self.le(b, &least.neg()));
        self.at_least(&[natural, positive], &zero);
        self.at_least(&[negative, below], &zero);
        self.not_above(&[natural, below], &zero);
        self.not_above(&[negative, positive], &zero);
        let (large, small) = (self.le(&one, b), self.le(b, &one));
        self.not_above(&[natural, large], a);
        self.at_least(&[negative, large], a);
        self.at_least(&[natural, positive, small], a);
        self.not_above(&[negative, positive, small], a);
        let (not_more, not_less) = (self.le(a, b), self.le(b, a));
        self.not_above(&[positive, not_more], &one);
        self.at_least(&[positive, not_less], &one);
        let numbers = [self.finite(a), self.finite(b)];
        for sign in [positive, below] {
            self.is_number(&[numbers[0], numbers[1], sign]);
        }
        self.needs_numbers(&[a, b]);
    }

    fn root(&mut self, a: &Linear) {
        let (zero, one, infinity) = (Linear::default(), self.one(), self.infinity());
        self.at_least(&[], &zero);
        let (natural, number) = (self.le(&zero, a), self.le(a, &infinity));
        self.is_number(&[natural, number]);
        let (large, small) = (self.le(&one, a), self.le(a, &one));
        self.at_least(&[large], &one);
        self.not_above(&[large], a);
        self.not_above(&[small], &one);
        self.at_least(&[natural, small], a);
        // The root of a negative number is none.
        let negative = self.lt(a, &zero);
        let result = self.result.clone();
        let none = self.lt(&infinity, &result);
        self.add(&[negative], none);
        self.needs_numbers(&[a]);
    }

    /// The sum or difference of finite numbers is a number, and that of what is none is none.
    fn number_of_finite(&mut self, a: &Linear, b: &Linear) {
        let finite = [self.finite(a), self.finite(b)];
        self.is_number(&finite);
        self.needs_numbers(&[a, b]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Assignment;
    use crate::logic::rank::{compute, rank_of_random};
    use crate::logic::text::formula;
    use proptest::prelude::*;

    /// Whether all facts hold of the result of the operation on these ranks.
    fn holds(op: FloatOp, format: FloatFormat, ranks: &[i64]) -> Result<(), String> {
        let operands: Vec<i128> = ranks.iter().copied().map(i128::from).collect();
        let Some(computed) = compute(op, format, &operands) else { return Ok(()) };
        let mut pool = Pool::new();
        let names = &["a", "b"][..ranks.len()];
        let terms: Vec<Linear> = names.iter().map(|name| pool.integer(name)).collect();
        let result = pool.integer("result");
        let facts = float_facts(&mut pool, op, format, &terms, &result);
        let mut assignment = Assignment::default();
        for (name, value) in names.iter().chain(&["result"]).zip(operands.iter().chain([&computed])) {
            assignment.integers.insert(pool.symbol(name), Int::from(*value));
        }
        match facts.iter().find(|fact| !assignment.satisfies(&pool, [**fact])) {
            _ if facts.is_empty() => Err("no facts".to_owned()),
            Some(fact) => Err(format!("{op:?} of {ranks:?} is {computed}: {}", formula(&pool, *fact))),
            None => Ok(()),
        }
    }

    const OPERATIONS: [(FloatOp, usize); 7] = [
        (FloatOp::Add, 2),
        (FloatOp::Sub, 2),
        (FloatOp::Mul, 2),
        (FloatOp::Div, 2),
        (FloatOp::SquareRoot, 1),
        (FloatOp::Floor, 1),
        (FloatOp::Ceiling, 1),
    ];

    #[test]
    fn facts_hold_at_the_ends_and_beside_one() {
        for format in [FloatFormat::Single, FloatFormat::Double] {
            let (one, infinity) = (format.rank(1.0), format.infinity());
            let mut ranks = vec![0, 1, 2, one - 1, one, one + 1, infinity - 1, infinity];
            ranks.extend([0.1, 0.3, 0.5, 2.0, 3.0, 1e30, 1e-30].map(|value| format.rank(value)));
            ranks.extend(ranks.clone().iter().map(|rank| -rank));
            ranks.push(format.not_a_number());
            for (op, count) in OPERATIONS {
                for first in &ranks {
                    for second in &ranks[..if count == 2 { ranks.len() } else { 1 }] {
                        assert_eq!(holds(op, format, &[*first, *second][..count]), Ok(()));
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(100)))]

        #[test]
        fn facts_hold_of_every_result(kind in 0..7_usize, single in any::<bool>(), [first, second] in [any::<u64>(), any::<u64>()], is_near in any::<bool>()) {
            let format = if single { FloatFormat::Single } else { FloatFormat::Double };
            let first = rank_of_random(format, first);
            let near = (first + (second % 5) as i64 - 2).clamp(-format.infinity(), format.not_a_number());
            let second = if is_near { near } else { rank_of_random(format, second) };
            let (op, count) = OPERATIONS[kind];
            prop_assert_eq!(holds(op, format, &[first, second][..count]), Ok(()));
        }
    }
}
