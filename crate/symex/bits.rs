//! Conversions and operators on bits as terms.
//!
//! Conversions, masks and counts that are constant are arithmetic. Any other `a & b` of operands with bounds is a [`Atom::BitAnd`] of
//! natural numbers, `a + 2^65` for a negative `a`, minus `2^65` where both are negative. A shift by another count is an element of an
//! array, which has the value for each count by a condition of its own. `a | b = a + b - (a & b)` and `a ^ b = a + b - 2 (a & b)` for
//! two's complement without end.
//!
//! Without bounds (integers of the papers), `a & b` is an element of an array of which the conditions say only what always holds: the
//! same operands give the same value, and it keeps bounds. That is an over-approximation: conditions that contradict each other do so
//! whatever the value is, but a model need not be an execution ([`Approximated`]).

use super::bounds::Interval;
use super::gathered::Gathered;
use crate::logic::text::{AtomNames, FormulaWriter};
use crate::logic::{ArrayTerm, Atom, AtomId, FormulaId, Int, IntRange, Linear, Mentions, Pool};
use crate::lts::BinaryOp;

/// The greatest width up to which a constant is shifted case by case.
const CASES: u32 = 64;
/// Operands of this many bits are one index of two parts.
const PAIRED: u32 = 66;
/// By how many sizes of its range a value is brought back case by case; beyond, by a remainder.
const WRAPS: i64 = 2;

/// How the names of the arrays begin whose elements stand for values of operators; no name of a program does.
const PREFIX: &str = "bits#";
/// The same for operators whose values the conditions give exactly: a model has the right ones, if the values of its symbols are
/// no other than those of the array.
const EXACT: &str = "shift#";
/// The sign of an operand has this bit position, beyond the width of any type, so that no arithmetic of a program makes the same terms.
const SIGN: u32 = 65;
/// Into how many atoms the search for trailing zeros looks: more than the rounds of a loop that clears a bit in each.
const ATOMS: u32 = 200;
/// Values with this many bits or more are learned nothing of.
const LEARNED: u32 = 126;

/// An operator whose value is not exact in a condition.
#[derive(Clone, Debug)]
pub struct Approximated {
    op: BinaryOp,
    left: Linear,
    right: Linear,
    /// What stands for its value.
    value: Linear,
}

/// Whether a symbol of this name stands for an operator, so that a term with it is not exact.
pub fn is_operator(name: &str) -> bool {
    name.starts_with(PREFIX) || name.starts_with(EXACT)
}

/// The operators in these conditions whose values are not exact, in the order of their terms, those of unbounded operands left out;
/// `None` where all is exact.
pub fn approximated(pool: &Pool, conditions: &[FormulaId]) -> Option<Vec<Approximated>> {
    let mentioned = Mentions::of(pool, conditions, &[]);
    if !mentioned.symbols.iter().any(|&symbol| pool.symbol_name(symbol).starts_with(PREFIX)) {
        return None;
    }
    let inexact = |&atom: &AtomId| matches!(named(pool, atom), Some(name) if name.starts_with(PREFIX));
    Some(mentioned.atoms.into_iter().filter(inexact).filter_map(|atom| operator(pool, atom)).collect())
}

/// The name of the array of which the atom is an element.
fn named(pool: &Pool, atom: AtomId) -> Option<&str> {
    let Atom::Select(array, _) = pool.atom(atom) else { return None };
    let ArrayTerm::Symbol(symbol) = pool.array(*array) else { return None };
    Some(pool.symbol_name(*symbol))
}

/// The operator whose value an atom stands for; `None` also where its operands are unbounded.
fn operator(pool: &Pool, atom: AtomId) -> Option<Approximated> {
    let (Atom::Select(_, index), name) = (pool.atom(atom), named(pool, atom)?) else { return None };
    let (op, swapped) = match name.strip_prefix(PREFIX).or_else(|| name.strip_prefix(EXACT))? {
        "and" => (BinaryOp::And, false),
        "shl" => (BinaryOp::ShiftLeft(CASES), false),
        "shr" => (BinaryOp::ShiftRight(CASES), false),
        "shl~" => (BinaryOp::ShiftLeft(CASES), true),
        "shr~" => (BinaryOp::ShiftRight(CASES), true),
        _ => return None,
    };
    // Each coefficient is that of the first operand and `factor` times that of the second.
    let factor = Int::ONE.shift_left(PAIRED + 1);
    let half = Int::ONE.shift_left(PAIRED);
    let second = |both: &Int| (both + &half).div_floor(&factor).unwrap_or_default();
    let terms = index.terms().iter().map(|(atom, both)| (*atom, second(both))).collect();
    let second = Linear::new(terms, second(index.offset()));
    let first = index.add_scaled(&second, &-&factor);
    let (left, right) = if swapped { (second, first) } else { (first, second) };
    Some(Approximated { op, left, right, value: Linear::atom(atom) })
}

/// The formula as [`crate::logic::text::formula`] writes it, operators on bits as in C.
pub fn written(pool: &Pool, formula: FormulaId) -> String {
    written_as(pool, formula, &|_, _| None)
}

/// The same with other names for some atoms.
pub fn written_as(pool: &Pool, formula: FormulaId, names: AtomNames) -> String {
    let named = |writer: &FormulaWriter, atom: AtomId| {
        if let Some(name) = names(writer, atom) {
            return Some(name);
        }
        named(pool, atom).filter(|name| is_operator(name))?;
        let Some(Approximated { op, left, right, .. }) = operator(pool, atom) else { return Some("(some bits)".to_owned()) };
        let sign = match op {
            BinaryOp::ShiftLeft(_) => "<<",
            BinaryOp::ShiftRight(_) => ">>",
            _ => "&",
        };
        Some(format!("({} {sign} {})", writer.operand(&left), writer.operand(&right)))
    };
    // What makes an operand natural, and the result negative.
    let left_out = |c: &Int| c.is_multiple_of(&Int::ONE.shift_left(SIGN));
    FormulaWriter::new(pool, &named, left_out).as_in_c().formula(formula)
}

impl Approximated {
    /// Both operands, the right one first: what may be given a value so that the operator has an exact one.
    pub fn operands(&self) -> Vec<&Linear> {
        match self.op {
            BinaryOp::And => vec![&self.right, &self.left],
            _ => vec![&self.right],
        }
    }

    /// That an operand has this value, and that the operator has the exact one for it.
    pub fn exactly(&self, pool: &mut Pool, operand: &Linear, value: &Int) -> [FormulaId; 2] {
        let mut gathered = Gathered::default();
        let mut bits = Bits { pool, gathered: &mut gathered };
        let constant = Linear::constant(value.clone());
        let exact = match self.op {
            BinaryOp::And => {
                let other = if *operand == self.right { &self.left } else { &self.right };
                bits.masked(other, value)
            }
            op => bits.shift(op, CASES, &self.left, &constant),
        };
        [pool.equal(operand, &constant), pool.equal(&self.value, &exact)]
    }
}

/// How many trailing zero bits a term has whatever its symbols are; the search looks into so many atoms.
fn zeros_below(pool: &Pool, term: &Linear, atoms: &mut u32) -> u32 {
    let zeros = |number: &Int| (0..SIGN).find(|&bit| !number.is_multiple_of(&Int::ONE.shift_left(bit + 1))).unwrap_or(SIGN);
    let mut least = zeros(term.offset());
    for (atom, factor) in term.terms() {
        if least == 0 {
            break;
        }
        let looks = *atoms > 0;
        *atoms = atoms.saturating_sub(1);
        let of_atom = match pool.atom(*atom) {
            // Division by a power of two takes away what is above.
            Atom::RemTrunc(value, size) if looks && size.as_constant().is_some() => {
                zeros_below(pool, value, atoms).min(zeros_below(pool, size, atoms))
            }
            Atom::BitAnd(a, b) if looks => {
                let (of_a, of_b) = (zeros_below(pool, a, atoms), zeros_below(pool, b, atoms));
                of_a.max(of_b).max(cleared(pool, (a, of_a), b)).max(cleared(pool, (b, of_b), a))
            }
            _ => 0,
        };
        least = least.min(zeros(factor).saturating_add(of_atom));
    }
    least
}

/// The same of `a & b`, if `b` is `a - 1` in its lowest bits, where that takes away the lowest one of `a`; else 0.
fn cleared(pool: &Pool, (a, zeros): (&Linear, u32), b: &Linear) -> u32 {
    let positions = zeros_below(pool, &b.sub(a).add_constant(&Int::ONE), &mut 0);
    // Where `a` has no 1 bit in these positions, the others are zeros all the same.
    positions.min(zeros + 1)
}

/// The least `width` with which both ranges lie in `-2^width ..= 2^width - 1`.
fn width(left: &Interval, right: &Interval) -> Option<u32> {
    let ends = [&left.least, &left.most, &right.least, &right.most].map(|end| end.as_ref());
    let bits = |end: Option<&Int>| end.map(|end| if end.is_negative() { (-end - Int::ONE).bits() } else { end.bits() });
    ends.into_iter().map(bits).collect::<Option<Vec<u64>>>()?.into_iter().max().and_then(|bits| u32::try_from(bits).ok())
}

/// Builds terms, with what is gathered on the way.
pub(super) struct Bits<'a> {
    pub pool: &'a mut Pool,
    pub gathered: &'a mut Gathered,
}

impl Bits<'_> {
    fn bounded(&self, value: &Linear) -> Interval {
        self.gathered.term_bounds.bounds(self.pool, value)
    }

    fn is_between(&self, value: &Linear, least: &Int, most: &Int) -> bool {
        let bounds = self.bounded(value);
        bounds.is_at_least(least) && bounds.is_at_most(most)
    }

    /// The value of the range that differs from `value` by a multiple of its size.
    pub(super) fn convert(&mut self, range: &IntRange, value: &Linear) -> Linear {
        let bounds = self.bounded(value);
        if bounds.is_within(range) {
            return value.clone();
        }
        let (least, size) = (range.least(), range.size());
        let wraps = |bound: &Option<Int>| (bound.as_ref()? - &least).div_floor(&size)?.to_i64();
        let few = |(first, last): &(i64, i64)| last.checked_sub(*first).is_some_and(|more| more <= WRAPS);
        let result = match wraps(&bounds.least).zip(wraps(&bounds.most)).filter(few) {
            Some((first, last)) => {
                let mut result = value.add_constant(&-(&size * &Int::from(first)));
                for more in 1..=last - first {
                    let from = &least + &(&size * &(&Int::from(first) + &Int::from(more)));
                    let above = self.pool.at_most(&Linear::constant(from), value);
                    let above = self.pool.truth(above);
                    result = result.add_scaled(&above, &-&size);
                }
                result
            }
            None => {
                let shifted = value.add_constant(&-&least);
                self.modulo(&shifted, &size).add_constant(&least)
            }
        };
        self.gathered.term_bounds.learn(&result, range);
        result
    }

    /// The remainder of a division by a positive constant that is not negative.
    fn modulo(&mut self, value: &Linear, size: &Int) -> Linear {
        self.floored(value, size).1
    }

    /// Quotient, rounded down, and remainder of a division by a positive constant.
    fn floored(&mut self, value: &Linear, size: &Int) -> (Linear, Linear) {
        if self.is_between(value, &Int::ZERO, &(size - &Int::ONE)) {
            return (Linear::default(), value.clone());
        }
        let (quotient, remainder) = self.pool.div_rem_trunc(value, &Linear::constant(size.clone())).unwrap_or_default();
        if self.bounded(value).is_natural() {
            return (quotient, remainder);
        }
        let negative = self.pool.less(&remainder, &Linear::default());
        let negative = self.pool.truth(negative);
        (quotient.sub(&negative), remainder.add_scaled(&negative, size))
    }

    /// The value of an operator on bits.
    pub(super) fn value(&mut self, op: BinaryOp, left: &Linear, right: &Linear) -> Linear {
        match op {
            BinaryOp::Or | BinaryOp::Xor => self.joined(left, right, op == BinaryOp::Xor),
            BinaryOp::ShiftLeft(width) | BinaryOp::ShiftRight(width) => self.shift(op, width, left, right),
            // The caller handles arithmetic.
            _ => self.and(left, right),
        }
    }

    fn shift(&mut self, op: BinaryOp, width: u32, left: &Linear, right: &Linear) -> Linear {
        let greatest = Int::from(i64::from(width) - 1);
        if !self.bounded(right).is_natural() {
            let natural = self.pool.at_most(&Linear::default(), right);
            self.gathered.defined.push(natural);
        }
        if !self.bounded(right).is_at_most(&greatest) {
            let small = self.pool.at_most(right, &Linear::constant(greatest));
            self.gathered.defined.push(small);
        }
        if let Some(count) = right.as_constant() {
            let count = count.to_i64().and_then(|count| u32::try_from(count).ok()).filter(|&count| count < width);
            // Otherwise it is not defined, and its value does not matter.
            return count.map(|count| self.shifted(op, left, count)).unwrap_or_default();
        }
        if left.as_constant().is_some() && width <= CASES {
            let mut sum = Linear::default();
            for count in 0..width {
                let here = self.pool.equal(right, &Linear::constant(i64::from(count)));
                let here = self.pool.truth(here);
                if let Some(value) = self.shifted(op, left, count).as_constant() {
                    sum = sum.add_scaled(&here, value);
                }
            }
            return sum;
        }
        let counts = self.bounded(right);
        let from = counts.least.and_then(|least| least.to_i64()).map_or(0, |least| least.max(0));
        let to = counts.most.and_then(|most| most.to_i64()).map_or(i64::from(width) - 1, |most| most.min(i64::from(width) - 1));
        if width > CASES {
            return self.element(op, left, right);
        }
        let value = self.named(EXACT, op, left, right);
        for count in from..=to {
            let here = self.pool.equal(right, &Linear::constant(count));
            let there = self.pool.not(here);
            let shifted = self.shifted(op, left, count as u32);
            let same = self.pool.equal(&value, &shifted);
            let fact = self.pool.or(&[there, same]);
            self.gathered.facts.push(fact);
        }
        value
    }

    fn shifted(&mut self, op: BinaryOp, value: &Linear, count: u32) -> Linear {
        let size = Int::ONE.shift_left(count);
        match op {
            BinaryOp::ShiftLeft(_) => value.scale(&size),
            _ => self.floored(value, &size).0,
        }
    }

    fn and(&mut self, left: &Linear, right: &Linear) -> Linear {
        if left == right {
            return left.clone();
        }
        match (left.as_constant(), right.as_constant()) {
            (Some(mask), _) => return self.masked(right, mask),
            (_, Some(mask)) => return self.masked(left, mask),
            _ => {}
        }
        let (of_left, of_right) = (self.bounded(left), self.bounded(right));
        if self.is_above(left, &of_right) || self.is_above(right, &of_left) {
            return Linear::default();
        }
        if of_left.is_truth() && of_right.is_truth() {
            let one = Linear::constant(1);
            let both = [self.pool.at_most(&one, left), self.pool.at_most(&one, right)];
            let both = self.pool.and(&both);
            return self.pool.truth(both);
        }
        match width(&of_left, &of_right) {
            Some(width) if width <= SIGN => {
                let value = self.common(left, right);
                let bounds = self.bounded(&value);
                return if self.is_above(&value, &bounds) { Linear::default() } else { value };
            }
            _ if of_left.is_natural() && of_right.is_natural() => return self.pool.bit_and(left, right),
            _ => {}
        }
        let value = self.element(BinaryOp::And, left, right);
        // A natural number has no more bits than either operand that is one.
        let zero = Linear::default();
        let mut natural = Vec::new();
        for (operand, bounds) in [(left, of_left), (right, of_right)] {
            let (above, below) = (self.pool.at_most(&zero, &value), self.pool.at_most(&value, operand));
            let within = self.pool.and(&[above, below]);
            let negative = self.pool.less(operand, &zero);
            natural.push(if bounds.is_natural() { Pool::FALSE } else { negative });
            let fact = if bounds.is_natural() { within } else { self.pool.or(&[negative, within]) };
            self.gathered.facts.push(fact);
        }
        // Of two negative ones it is negative and no greater than either.
        if !natural.contains(&Pool::FALSE) {
            let both = self.pool.and(&natural);
            let (a, b) = (self.pool.at_most(&value, left), self.pool.at_most(&value, right));
            let (below, not_both) = (self.pool.and(&[a, b]), self.pool.not(both));
            let fact = self.pool.or(&[not_both, below]);
            self.gathered.facts.push(fact);
        }
        value
    }

    /// Whether the term has zeros in all bit positions in which a value of these bounds may have ones.
    fn is_above(&self, term: &Linear, bounds: &Interval) -> bool {
        let Some(most) = bounds.most.as_ref().filter(|_| bounds.is_natural()) else { return false };
        most.bits() <= u64::from(zeros_below(self.pool, term, &mut ATOMS.clone()))
    }

    /// `left & right` where both lie in `-2^SIGN ..= 2^SIGN - 1`: the common bits below, and above them the sign, which is negative if
    /// both are.
    fn common(&mut self, left: &Linear, right: &Linear) -> Linear {
        let size = Int::ONE.shift_left(SIGN);
        let [a, b] = [left, right].map(|operand| {
            if self.bounded(operand).is_natural() {
                return (operand.clone(), None);
            }
            let negative = self.pool.less(operand, &Linear::default());
            let truth = self.pool.truth(negative);
            let low = operand.add_scaled(&truth, &size);
            self.learn_natural(&low, SIGN);
            (low, Some(negative))
        });
        let low = self.pool.bit_and(&a.0, &b.0);
        let (Some(first), Some(second)) = (a.1, b.1) else { return low };
        let both = self.pool.and(&[first, second]);
        let both = self.pool.truth(both);
        low.add_scaled(&both, &-&size)
    }

    /// The value has at most so many bits.
    fn learn_natural(&mut self, value: &Linear, width: u32) {
        if width < LEARNED {
            self.gathered.term_bounds.learn(value, &IntRange { least: 0, greatest: (1i128 << width) - 1 });
        }
    }

    /// `left ^ right`, or `left | right` where that is not exclusive.
    fn joined(&mut self, left: &Linear, right: &Linear, exclusive: bool) -> Linear {
        if exclusive && let Some(rest) = self.cancelled(left, right) {
            return rest;
        }
        let (of_left, of_right) = (self.bounded(left), self.bounded(right));
        let common = self.and(left, right);
        let result = left.add(right).add_scaled(&common, &Int::from(if exclusive { -2 } else { -1 }));
        if let Some(width) = width(&of_left, &of_right).filter(|_| of_left.is_natural() && of_right.is_natural()) {
            self.learn_natural(&result, width);
        }
        result
    }

    /// `(a ^ b) ^ b` is `a`.
    fn cancelled(&mut self, left: &Linear, right: &Linear) -> Option<Linear> {
        for (whole, other) in [(left, right), (right, left)] {
            if let Some([a, b]) = self.exclusive(whole) {
                match other {
                    other if *other == a => return Some(b),
                    other if *other == b => return Some(a),
                    _ => {}
                }
            }
        }
        None
    }

    /// `a` and `b`, where the term is that of `a ^ b`. It is told by its form, since what follows may know nothing of their bounds any more.
    fn exclusive(&mut self, term: &Linear) -> Option<[Linear; 2]> {
        let minus_two = Int::from(-2);
        let (atom, parts) = term.terms().iter().filter(|(_, c)| *c == minus_two).find_map(|(atom, _)| match self.pool.atom(*atom) {
            Atom::BitAnd(a, b) => Some((*atom, [a.clone(), b.clone()])),
            _ => None,
        })?;
        let [(a, first), (b, second)] = parts.map(|natural| self.signed(&natural));
        let mut whole = a.add(&b).add_scaled(&Linear::atom(atom), &minus_two);
        if let (Some(first), Some(second)) = (first, second) {
            let both = self.pool.and(&[first, second]);
            let both = self.pool.truth(both);
            whole = whole.add_scaled(&both, &Int::ONE.shift_left(SIGN + 1));
        }
        (whole == *term).then_some([a, b])
    }

    /// The operand of which [`Bits::common`] made this natural number, and that it is negative, where it may be.
    fn signed(&mut self, natural: &Linear) -> (Linear, Option<FormulaId>) {
        let size = Int::ONE.shift_left(SIGN);
        for (atom, _) in natural.terms().iter().filter(|(_, c)| *c == size) {
            if let &Atom::Truth(negative) = self.pool.atom(*atom) {
                let operand = natural.add_scaled(&Linear::atom(*atom), &-&size);
                if self.pool.less(&operand, &Linear::default()) == negative {
                    return (operand, Some(negative));
                }
            }
        }
        (natural.clone(), None)
    }

    /// The bits of `value` in which `mask` has ones.
    fn masked(&mut self, value: &Linear, mask: &Int) -> Linear {
        if mask.is_negative() {
            // What the other bits hold is taken away.
            let rest = self.masked(value, &(&Int::MINUS_ONE - mask));
            return value.sub(&rest);
        }
        // Each run of ones in the mask, from bit `from` up to, not including, bit `to`.
        let mut sum = Linear::default();
        let (mut from, bits) = (0, u32::try_from(mask.bits()).unwrap_or(u32::MAX));
        while from < bits {
            let is_one = |bit: u32| !mask.shift_right(bit).bit_and(&Int::ONE).is_zero();
            if !is_one(from) {
                from += 1;
                continue;
            }
            let to = (from..=bits).find(|&bit| !is_one(bit)).unwrap_or(bits);
            let below = self.modulo(value, &Int::ONE.shift_left(to));
            let run = match from {
                0 => below,
                // What is below the run is the same in `value` and in `below`.
                _ => below.sub(&self.modulo(value, &Int::ONE.shift_left(from))),
            };
            sum = sum.add(&run);
            from = to;
        }
        sum
    }

    /// The element that stands for the operator's value, of which only bounds are known.
    fn element(&mut self, op: BinaryOp, left: &Linear, right: &Linear) -> Linear {
        self.named(PREFIX, op, left, right)
    }

    /// The element that stands for the operator's value, of the array with this prefix.
    fn named(&mut self, prefix: &str, op: BinaryOp, left: &Linear, right: &Linear) -> Linear {
        let half = Int::ONE.shift_left(PAIRED - 1);
        let small = |term: &Linear| self.is_between(term, &-&half, &half);
        let (left_small, right_small) = (small(left), small(right));
        let (name, index) = if left_small {
            // Different operands have different indices, as the first part is smaller than the factor of the second.
            (name(op, false), left.add_scaled(right, &Int::ONE.shift_left(PAIRED + 1)))
        } else if right_small {
            (name(op, true), right.add_scaled(left, &Int::ONE.shift_left(PAIRED + 1)))
        } else {
            // Cantor's pairing of the operands, made natural numbers.
            let (a, b) = (self.natural(left), self.natural(right));
            let sum = a.add(&b);
            let triangle = self.pool.product(&sum, &sum.add_constant(&Int::ONE));
            (format!("{}*", name(op, false)), triangle.add(&b).add(&b))
        };
        self.gathered.approximate = true;
        let array = self.pool.array_symbol(&format!("{prefix}{name}"));
        self.pool.select(array, &index)
    }

    /// `2 x`, and `-2 x - 1` where `x` is negative.
    fn natural(&mut self, value: &Linear) -> Linear {
        let negative = self.pool.less(value, &Linear::default());
        let negative = self.pool.truth(negative);
        let below = self.pool.product(&negative, value);
        value.add(value).add_scaled(&below, &Int::from(-4)).sub(&negative)
    }
}

/// The name of the array for an operator; another where the right operand comes first and that matters.
fn name(op: BinaryOp, swapped: bool) -> String {
    let name = match op {
        BinaryOp::ShiftLeft(_) => "shl",
        BinaryOp::ShiftRight(_) => "shr",
        _ => return "and".to_owned(),
    };
    if swapped { format!("{name}~") } else { name.to_owned() }
}

#[cfg(test)]
mod tests;
