//! Exact integers of any size: a machine word while the value fits, a big integer beyond.
//!
//! An operation tries `i64` with overflow checks first; what overflows goes through `i128` or straight to [`BigInt`] and
//! comes back to a word as soon as it fits. No operation wraps or rounds. The representation is canonical (a value that
//! fits in `i64` is always `Small`), so that derived equality and hashing are right.

use super::gcd::{gcd_big, gcd_u64};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    /// Only values outside `i64`.
    Big(Box<BigInt>),
}
use Repr::{Big, Small};

impl Int {
    /// 0.
    pub const ZERO: Int = Int(Small(0));
    /// 1.
    pub const ONE: Int = Int(Small(1));
    /// -1.
    pub const MINUS_ONE: Int = Int(Small(-1));

    #[cold]
    fn from_big(value: BigInt) -> Int {
        match value.to_i64() {
            Some(small) => Int(Small(small)),
            None => Int(Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(value) => BigInt::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// The value as a machine word, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// The value as a number of 128 bits, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(value) => Some(i128::from(*value)),
            Big(value) => value.to_i128(),
        }
    }

    /// The nearest floating-point number: for drawing and for the floating-point adviser, never for a verdict.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(value) => *value as f64,
            Big(value) => value.to_f64().unwrap_or(f64::NAN),
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// The number of binary digits of the absolute value; 0 for zero.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small(value) => u64::from(u64::BITS - value.unsigned_abs().leading_zeros()),
            Big(value) => value.bits(),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(value) => value.signum() as i32,
            Big(value) if value.is_negative() => -1,
            Big(_) => 1,
        }
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether it is above 0.
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The greatest common divisor, never negative; `gcd(0, 0) = 0`.
    pub fn gcd(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Int::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs())),
            _ => Int::from_big(gcd_big(self.to_big().abs(), other.to_big().abs())),
        }
    }

    /// Quotient and remainder rounded towards minus infinity: `0 <= remainder < |divisor|` for a positive divisor.
    /// `None` for a zero divisor.
    pub fn div_rem_floor(&self, divisor: &Int) -> Option<(Int, Int)> {
        match (&self.0, &divisor.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) if *b != -1 => {
                let (quotient, remainder) = (a / b, a % b);
                let adjust = remainder != 0 && ((remainder < 0) != (*b < 0));
                Some(if adjust { (Int::from(quotient - 1), Int::from(remainder + b)) } else { (Int::from(quotient), Int::from(remainder)) })
            }
            _ => {
                let (quotient, remainder) = self.to_big().div_mod_floor(&divisor.to_big());
                Some((Int::from_big(quotient), Int::from_big(remainder)))
            }
        }
    }

    /// Quotient and remainder rounded towards zero, as C's `/` and `%`. `None` for a zero divisor.
    pub fn div_rem_trunc(&self, divisor: &Int) -> Option<(Int, Int)> {
        match (&self.0, &divisor.0) {
            (_, Small(0)) => None,
            (Small(a), Small(b)) if *b != -1 => Some((Int::from(a / b), Int::from(a % b))),
            _ => {
                let (quotient, remainder) = self.to_big().div_rem(&divisor.to_big());
                Some((Int::from_big(quotient), Int::from_big(remainder)))
            }
        }
    }

    /// Quotient rounded towards minus infinity. `None` for a zero divisor.
    pub fn div_floor(&self, divisor: &Int) -> Option<Int> {
        self.div_rem_floor(divisor).map(|(quotient, _)| quotient)
    }

    /// The quotient where `divisor` is known to divide `self`; it is not 0.
    pub fn div_exact(&self, divisor: &Int) -> Int {
        match (&self.0, &divisor.0) {
            (_, Small(1)) => self.clone(),
            (Small(a), Small(b)) if *b != -1 => Int::from(a / b),
            _ => Int::from_big(self.to_big() / divisor.to_big()),
        }
    }

    /// The bits in which both have ones, as two's complement without end.
    pub fn bit_and(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Int(Small(a & b)),
            _ => Int::from_big(self.to_big() & other.to_big()),
        }
    }

    /// The bits in which one has a one, as two's complement without end.
    pub fn bit_or(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Int(Small(a | b)),
            _ => Int::from_big(self.to_big() | other.to_big()),
        }
    }

    /// The bits in which they differ, as two's complement without end.
    pub fn bit_xor(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Int(Small(a ^ b)),
            _ => Int::from_big(self.to_big() ^ other.to_big()),
        }
    }

    /// `self · 2^count`.
    pub fn shift_left(&self, count: u32) -> Int {
        match &self.0 {
            Small(a) if count < 63 => Int::from(i128::from(*a) << count),
            _ => Int::from_big(self.to_big() << count),
        }
    }

    /// `self / 2^count`, rounded down.
    pub fn shift_right(&self, count: u32) -> Int {
        match &self.0 {
            Small(a) => Int(Small(a >> count.min(63))),
            Big(_) => Int::from_big(self.to_big() >> count),
        }
    }

    /// Whether `divisor` divides `self`; zero divides only zero.
    pub fn is_multiple_of(&self, divisor: &Int) -> bool {
        match self.div_rem_floor(divisor) {
            Some((_, remainder)) => remainder.is_zero(),
            None => self.is_zero(),
        }
    }

    /// Reads decimal digits with an optional sign.
    pub fn parse(text: &str) -> Option<Int> {
        match text.parse::<i64>() {
            Ok(small) => Some(Int(Small(small))),
            Err(_) => text.parse::<BigInt>().ok().map(Int::from_big),
        }
    }

    /// Reads digits of the given radix (2 to 36), no sign.
    pub fn parse_radix(digits: &str, radix: u32) -> Option<Int> {
        BigInt::parse_bytes(digits.as_bytes(), radix).map(Int::from_big)
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Int {
        Int(Small(value))
    }
}
impl From<i32> for Int {
    fn from(value: i32) -> Int {
        Int(Small(i64::from(value)))
    }
}
impl From<i128> for Int {
    #[inline]
    fn from(value: i128) -> Int {
        i64::try_from(value).map_or_else(|_| Int::from_big(BigInt::from(value)), Int::from)
    }
}
impl From<u64> for Int {
    fn from(value: u64) -> Int {
        i64::try_from(value).map_or_else(|_| Int::from_big(BigInt::from(value)), Int::from)
    }
}
impl From<usize> for Int {
    fn from(value: usize) -> Int {
        Int::from(value as u64)
    }
}
impl From<bool> for Int {
    fn from(value: bool) -> Int {
        Int(Small(i64::from(value)))
    }
}

macro_rules! operator {
    ($Trait:ident, $method:ident, $checked:ident) => {
        impl $Trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0) {
                    if let Some(value) = a.$checked(*b) {
                        return Int(Small(value));
                    }
                }
                Int::from_big(self.to_big().$method(other.to_big()))
            }
        }
        impl $Trait<Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: Int) -> Int {
                (&self).$method(&other)
            }
        }
        impl $Trait<&Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                (&self).$method(other)
            }
        }
    };
}
operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);

impl AddAssign<&Int> for Int {
    fn add_assign(&mut self, other: &Int) {
        *self = &*self + other;
    }
}
impl SubAssign<&Int> for Int {
    fn sub_assign(&mut self, other: &Int) {
        *self = &*self - other;
    }
}

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match &self.0 {
            Small(value) => value.checked_neg().map_or_else(|| Int::from_big(-self.to_big()), Int::from),
            Big(value) => Int::from_big(-(**value).clone()),
        }
    }
}
impl Neg for Int {
    type Output = Int;
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A big value lies outside i64, so its sign decides.
            (Small(_), Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big(a), Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}
impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => value.fmt(f),
            Big(value) => value.fmt(f),
        }
    }
}
impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;
    use proptest::prelude::*;

    /// Values around every boundary between representations, and far beyond.
    fn any_int() -> impl Strategy<Value = BigInt> {
        let edge = prop_oneof![Just(0i128), Just(i64::MAX as i128), Just(i64::MIN as i128), Just(i32::MAX as i128), any::<i128>()];
        prop_oneof![
            (-20i128..20).prop_map(BigInt::from),
            (edge, -3i128..3).prop_map(|(e, d)| BigInt::from(e) + d),
            (any::<i128>(), any::<i128>()).prop_map(|(a, b)| BigInt::from(a) * b),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(256)))]
        #[test]
        fn agrees_with_big_integers(a in any_int(), b in any_int()) {
            let (x, y) = (Int::from_big(a.clone()), Int::from_big(b.clone()));
            prop_assert_eq!(&x + &y, Int::from_big(&a + &b));
            prop_assert_eq!(&x - &y, Int::from_big(&a - &b));
            prop_assert_eq!(&x * &y, Int::from_big(&a * &b));
            prop_assert_eq!(-&x, Int::from_big(-&a));
            prop_assert_eq!(x.bits(), a.bits());
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.gcd(&y), Int::from_big(a.gcd(&b)));
            prop_assert_eq!(Int::parse(&x.to_string()), Some(x.clone()));
            if b.is_zero() {
                prop_assert!(x.div_rem_floor(&y).is_none() && x.div_rem_trunc(&y).is_none());
            } else {
                let (q, r) = a.div_mod_floor(&b);
                prop_assert_eq!((&x * &y).div_exact(&y), x.clone());
                prop_assert_eq!(x.div_rem_floor(&y), Some((Int::from_big(q), Int::from_big(r))));
                let (q, r) = a.div_rem(&b);
                prop_assert_eq!(x.div_rem_trunc(&y), Some((Int::from_big(q), Int::from_big(r))));
            }
            // Canonical: what fits in a word is a word.
            let back = &(&x + &y) - &y;
            prop_assert_eq!(matches!(back.0, Small(_)), a.to_i64().is_some());
        }
    }
}
