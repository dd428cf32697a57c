//! Floating-point numbers as integers: the *rank* of a number is the integer that its bits are, negated where the sign bit is set.
//!
//! The order of ranks is IEEE 754's order of numbers; −0 and +0 both have rank 0, the infinities the greatest and the least rank of a
//! number. All that are not a number have one rank, one above positive infinity. So the values of a format are a range of integers, and
//! no other type of C has the same range ([`FloatFormat::of_range`]).
//!
//! The sign of zero and the payload of what is not a number are lost: [`compute`] gives nothing where the result depends on them.

use super::{Int, IntRange};

/// A binary format of IEEE 754: C's `float` and `double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    Single,
    Double,
}

/// An operation whose operands or result are floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Remainder,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    Round,
    /// A function that is not computed here.
    Unknown,
    /// A number of another format.
    Convert(FloatFormat),
    /// An integer.
    FromInteger,
    /// To an integer, towards zero; the format is the operand's.
    ToInteger(IntRange),
}

impl FloatFormat {
    /// The rank of positive infinity.
    pub const fn infinity(self) -> i64 {
        match self {
            FloatFormat::Single => 0x7f80_0000,
            FloatFormat::Double => 0x7ff0_0000_0000_0000,
        }
    }

    /// The rank of what is not a number.
    pub const fn not_a_number(self) -> i64 {
        self.infinity() + 1
    }

    /// The ranks of all values.
    pub const fn range(self) -> IntRange {
        IntRange { least: -(self.infinity() as i128), greatest: self.not_a_number() as i128 }
    }

    /// The format whose ranks are this range.
    pub fn of_range(range: &IntRange) -> Option<FloatFormat> {
        [FloatFormat::Single, FloatFormat::Double].into_iter().find(|format| format.range() == *range)
    }

    /// The rank of the number of this format that is nearest to a value.
    pub fn rank(self, value: f64) -> i64 {
        if value.is_nan() {
            return self.not_a_number();
        }
        let magnitude = match self {
            FloatFormat::Single => i64::from((value as f32).abs().to_bits()),
            FloatFormat::Double => value.abs().to_bits() as i64,
        };
        if value.is_sign_negative() { -magnitude } else { magnitude }
    }

    /// The rank of the value with these bits.
    pub fn rank_of_bits(self, bits: u64) -> i64 {
        match self {
            FloatFormat::Single => self.rank(f64::from(f32::from_bits(bits as u32))),
            FloatFormat::Double => self.rank(f64::from_bits(bits)),
        }
    }

    /// A value of a type, with the format's text where the type is one of floating-point numbers.
    pub fn value_text(value: &Int, range: Option<IntRange>) -> String {
        let number = range.and_then(|range| FloatFormat::of_range(&range)).zip(value.to_i64());
        number.map_or_else(|| value.to_string(), |(format, rank)| format.text(rank))
    }

    /// The value of a rank; zero is positive.
    pub fn value(self, rank: i64) -> f64 {
        let magnitude = match self {
            _ if rank.unsigned_abs() > self.infinity() as u64 => return f64::NAN,
            FloatFormat::Single => f64::from(f32::from_bits(rank.unsigned_abs() as u32)),
            FloatFormat::Double => f64::from_bits(rank.unsigned_abs()),
        };
        if rank < 0 { -magnitude } else { magnitude }
    }

    /// The rank of the number that is nearest to an integer.
    pub fn rank_of_integer(self, value: i128) -> i64 {
        // From the integer itself: by way of the other format it would be rounded twice.
        match self {
            FloatFormat::Single => self.rank(f64::from(value as f32)),
            FloatFormat::Double => self.rank(value as f64),
        }
    }

    /// A value as C writes it, with the fewest digits from which it is read again: `1.5`, `-2.5e-7f`, `INFINITY`, `NAN`.
    pub fn text(self, rank: i64) -> String {
        let value = self.value(rank);
        match self {
            _ if value.is_nan() => "NAN".to_owned(),
            _ if value.is_infinite() => if rank < 0 { "-INFINITY" } else { "INFINITY" }.to_owned(),
            FloatFormat::Single => format!("{:?}f", value as f32),
            FloatFormat::Double => format!("{value:?}"),
        }
    }
}

/// The result of an operation in a format, from the ranks of its operands (of [`FloatOp::FromInteger`] the integer); `None` where it
/// depends on the sign of a zero, or is undefined.
pub fn compute(op: FloatOp, format: FloatFormat, operands: &[i128]) -> Option<i128> {
    let number = |at: usize| i64::try_from(*operands.get(at)?).ok();
    let value = |at: usize| number(at).map(|rank| format.value(rank));
    let result = match op {
        FloatOp::FromInteger => return Some(format.rank_of_integer(*operands.first()?).into()),
        FloatOp::Convert(from) => from.value(number(0)?),
        FloatOp::ToInteger(range) => {
            let whole = value(0)?.trunc();
            // Every integer of a type is less than 2^65.
            let fits = whole.abs() < 36_893_488_147_419_103_232.0;
            return fits.then_some(whole as i128).filter(|whole| (range.least..=range.greatest).contains(whole));
        }
        FloatOp::Unknown => return None,
        FloatOp::Add => value(0)? + value(1)?,
        FloatOp::Sub => value(0)? - value(1)?,
        FloatOp::Mul => value(0)? * value(1)?,
        FloatOp::Div if value(1)? == 0.0 && value(0)? != 0.0 && !value(0)?.is_nan() => return None,
        FloatOp::Div => value(0)? / value(1)?,
        FloatOp::Remainder => value(0)? % value(1)?,
        FloatOp::SquareRoot => value(0)?.sqrt(),
        FloatOp::Floor => value(0)?.floor(),
        FloatOp::Ceiling => value(0)?.ceil(),
        FloatOp::Truncate => value(0)?.trunc(),
        FloatOp::Round => value(0)?.round(),
    };
    // Of `float`s the result in `double`, rounded again, is the one that is rounded once (53 >= 2 · 24 + 2 bits).
    Some(format.rank(result).into())
}

/// The least integer of the range that is a number of this rank or a greater one in the format `to`, where it is converted from an integer
/// (`from` is `None`) or from a number of another format; one above the range where none is.
pub fn threshold(from: Option<FloatFormat>, range: IntRange, to: FloatFormat, rank: i64) -> i128 {
    let op = from.map_or(FloatOp::FromInteger, FloatOp::Convert);
    let (mut low, mut high) = (range.least, range.greatest + 1);
    // The conversion is monotone.
    while low < high {
        let middle = low + (high - low) / 2;
        if compute(op, to, &[middle]).is_some_and(|converted| converted >= i128::from(rank)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// As [`compute`], of integers of any size.
pub fn compute_exactly(op: FloatOp, format: FloatFormat, operands: &[Int]) -> Option<Int> {
    let words: Option<Vec<i128>> = operands.iter().map(word).collect();
    compute(op, format, &words?).map(Int::from)
}

/// An integer of at most 65 bits as a machine number: all that a type of C has.
fn word(value: &Int) -> Option<i128> {
    let high = value.shift_right(32).to_i64()?;
    let low = value.bit_and(&Int::from(u32::MAX as u64)).to_i64()?;
    Some((i128::from(high) << 32) + i128::from(low))
}

/// A rank for random tests of a format, from random bits: any rank, that of a small number, or one that is special.
#[cfg(test)]
pub fn rank_of_random(format: FloatFormat, bits: u64) -> i64 {
    let rest = bits / 5;
    match bits % 5 {
        0 => format.rank_of_bits(rest),
        1 => format.rank_of_integer(i128::from(rest as i8)),
        2 => format.rank(f64::from(rest as i16) / 16.0),
        3 => format.rank(f64::from(rest as i32) * 1e-9),
        _ => {
            let special = [0, 1, -1, format.infinity(), -format.infinity(), format.infinity() - 1, format.not_a_number(), 0x10_0000];
            special[rest as usize % special.len()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::decimal::parse;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(400)))]

        #[test]
        fn ranks_have_the_order_of_numbers(a in any::<u64>(), b in any::<u64>()) {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let (s, t) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            for (format, x, y) in [(FloatFormat::Double, x, y), (FloatFormat::Single, f64::from(s), f64::from(t))] {
                let [p, q] = [x, y].map(|value| format.rank(value));
                let both = p <= format.infinity() && q <= format.infinity();
                prop_assert_eq!(both && p < q, x < y);
                prop_assert_eq!(both && p == q, x == y);
                prop_assert!(format.range().contains(&Int::from(p)));
                prop_assert_eq!(format.value(p).total_cmp(&(if x == 0.0 { 0.0 } else if x.is_nan() { f64::NAN } else { x })), std::cmp::Ordering::Equal);
                prop_assert_eq!(parse(&format.text(p)).map(|(of, rank)| if of == format { rank } else { p }), Some(p));
            }
        }

        #[test]
        fn thresholds_are_those_of_conversions(bits in any::<u64>(), value in any::<i64>(), near in -3i64..4) {
            let range = IntRange::of_bits(64, true);
            for format in [FloatFormat::Single, FloatFormat::Double] {
                let rank = format.rank_of_integer(value.into()) + near;
                let least = threshold(None, range, format, rank);
                let number = i64::from_ne_bytes(bits.to_ne_bytes());
                for number in [number, value, value.saturating_add(near)] {
                    prop_assert_eq!(i128::from(number) >= least, format.rank_of_integer(number.into()) >= rank);
                }
            }
            let single = FloatFormat::Single.rank_of_bits(bits >> 32);
            let widened = FloatFormat::Double.rank(FloatFormat::Single.value(single));
            let all = FloatFormat::Single.range();
            let numbers = IntRange { greatest: all.greatest - 1, ..all };
            let least = threshold(Some(FloatFormat::Single), numbers, FloatFormat::Double, widened);
            prop_assert_eq!(least, if single <= FloatFormat::Single.infinity() { i128::from(single) } else { all.greatest });
        }

        #[test]
        fn operations_of_single_numbers_are_rounded_once(a in any::<u32>(), b in any::<u32>()) {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            let [p, q] = [a, b].map(|bits| i128::from(FloatFormat::Single.rank_of_bits(bits.into())));
            for (op, expected) in [(FloatOp::Add, x + y), (FloatOp::Sub, x - y), (FloatOp::Mul, x * y), (FloatOp::Div, x / y)] {
                if let Some(result) = compute(op, FloatFormat::Single, &[p, q]) {
                    prop_assert_eq!(result, i128::from(FloatFormat::Single.rank(f64::from(expected))), "{:?} {} {}", op, x, y);
                }
            }
        }
    }

    #[test]
    fn texts_are_those_of_c() {
        let double = |value: f64| FloatFormat::Double.text(FloatFormat::Double.rank(value));
        assert_eq!([1.5, -0.1, 1e300, f64::INFINITY, f64::NAN, -0.0].map(double), ["1.5", "-0.1", "1e300", "INFINITY", "NAN", "0.0"]);
        assert_eq!(FloatFormat::Single.text(FloatFormat::Single.rank(0.1)), "0.1f");
        assert_eq!(parse("3f"), Some((FloatFormat::Single, FloatFormat::Single.rank(3.0))));
        assert_eq!(["3", "-", "", "f", "e5", "+1.5", "inf", "1.5x"].map(parse), [None; 8]);
    }

    #[test]
    fn the_sign_of_zero_and_what_is_too_large_give_nothing() {
        let rank = |value: f64| i128::from(FloatFormat::Double.rank(value));
        assert_eq!(compute(FloatOp::Div, FloatFormat::Double, &[rank(1.0), 0]), None);
        assert_eq!(compute(FloatOp::Div, FloatFormat::Double, &[0, 0]), Some(FloatFormat::Double.not_a_number().into()));
        let to_int = |value| compute(FloatOp::ToInteger(IntRange::of_bits(32, true)), FloatFormat::Double, &[rank(value)]);
        assert_eq!([1.9, -1.9, 2147483647.5, 2147483648.0, f64::NAN].map(to_int), [Some(1), Some(-1), Some(i32::MAX.into()), None, None]);
    }
}
