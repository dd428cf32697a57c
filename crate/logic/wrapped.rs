//! Differences and sums of unsigned arithmetic in formulas: `head - tail`, which wraps around below 0.
//!
//! The value of such an operation is a term with a truth value, `head - tail + 2^32 * (head < tail)`. A comparison of it with a constant reads
//! as C has it, `head - tail <= 16`: the truth value is left out, and the difference stands alone on its side.

use super::{Atom, Formula, FormulaId, Int, Linear, Pool};

/// An operation that wraps around, compared with a constant.
pub struct Wrapped {
    /// The operation without its truth value and constants.
    pub operation: Linear,
    /// Whether the comparison has the operation itself, not its negation, in `operation + constant <= 0`.
    pub is_direct: bool,
    pub constant: Int,
    /// The bits of the operation's type.
    pub bits: u32,
}

/// The types in which unsigned arithmetic wraps around.
const BITS: [u32; 4] = [8, 16, 32, 64];

/// The term of a comparison with 0 as a wrapped operation and a constant, if it is one.
pub fn wrapped(pool: &Pool, term: &Linear) -> Option<Wrapped> {
    let truth = |(atom, _): &&(super::AtomId, Int)| matches!(pool.atom(*atom), Atom::Truth(_));
    let mut truths = term.terms().iter().filter(truth);
    let ((atom, coefficient), None) = (truths.next()?, truths.next()) else { return None };
    let Atom::Truth(inner) = pool.atom(*atom) else { return None };
    let bits = BITS.into_iter().find(|&bits| coefficient.abs() == Int::ONE.shift_left(bits))?;
    let size = coefficient.abs();
    let rest = Linear::new(term.terms().iter().filter(|(other, _)| other != atom).cloned().collect(), Int::ZERO);
    let condition = less_or_equal(pool, *inner)?;
    let compared = Linear::new(condition.terms().to_vec(), Int::ZERO);
    if rest.terms().len() < 2 || (rest != compared && rest != compared.neg()) {
        return None;
    }
    // The condition is `operation < 0` or `operation >= size`; or the contrary of one, where 1 less its value counts.
    let offset = condition.offset().clone();
    let (operation, is_contrary) = match () {
        () if offset.is_one() => (compared, false),
        () if offset.is_zero() => (compared.neg(), true),
        () if offset == size => (compared.neg(), false),
        () if offset == &Int::ONE - &size => (compared, true),
        () => return None,
    };
    let constant = if is_contrary { term.offset() + coefficient } else { term.offset().clone() };
    let is_direct = rest == operation;
    // Below 0 the operation's type adds its size, above it takes that away.
    let is_below = offset.is_one() || offset.is_zero();
    let adds = coefficient.is_positive() != is_contrary;
    (adds == (is_below == is_direct)).then_some(Wrapped { operation, is_direct, constant, bits })
}

/// The term that is at most 0 where the formula holds.
fn less_or_equal(pool: &Pool, formula: FormulaId) -> Option<Linear> {
    match pool.formula(formula) {
        Formula::Le(term) => Some(term.clone()),
        Formula::Not(inner) => match pool.formula(*inner) {
            Formula::Le(term) => Some(term.neg().add_constant(&Int::ONE)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::FormulaWriter;
    use super::*;

    fn text(pool: &Pool, formula: FormulaId) -> String {
        FormulaWriter::new(pool, &|_, _| None, |_| false).as_in_c().formula(formula)
    }

    /// The unsigned value of a term that lies at most `2^bits` outside of its type.
    fn value(pool: &mut Pool, term: &Linear, bits: u32) -> Linear {
        let size = Int::ONE.shift_left(bits);
        let below = pool.less(term, &Linear::default());
        let above = pool.at_most(&Linear::constant(size.clone()), term);
        let (below, above) = (pool.truth(below), pool.truth(above));
        if term.terms().iter().any(|(_, c)| c.is_negative()) { term.add_scaled(&below, &size) } else { term.add_scaled(&above, &-&size) }
    }

    #[test]
    fn wrapped_operations_read_like_c() {
        let mut pool = Pool::new();
        let (x, y) = (pool.integer("x"), pool.integer("y"));
        let sixteen = Linear::constant(16);
        for (bits, difference, sum) in [(32, "x - y", "x + y"), (8, "(unsigned char)(x - y)", "(unsigned char)(x + y)")] {
            for (term, name) in [(x.add_scaled(&y, &Int::MINUS_ONE), difference), (x.add_scaled(&y, &Int::ONE), sum)] {
                let value = value(&mut pool, &term, bits);
                for (formula, operator) in
                    [(pool.at_most(&value, &sixteen), "<="), (pool.at_most(&sixteen, &value), ">="), (pool.equal(&value, &sixteen), "==")]
                {
                    assert_eq!(text(&pool, formula), format!("{name} {operator} 16"));
                }
                // Whatever the other terms are, the text says nothing else.
                let other = value.add_scaled(&x, &Int::ONE);
                let formula = pool.at_most(&other, &sixteen);
                assert!(text(&pool, formula).contains(&Int::ONE.shift_left(bits).to_string()), "{}", text(&pool, formula));
            }
        }
    }
}
