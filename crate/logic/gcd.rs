//! Greatest common divisors, of machine words and of integers of any size.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// The greatest common divisor, with shifts instead of divisions (J. Stein 1967).
pub fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

/// The greatest common divisor; a few long divisions before the numbers fit in words.
pub fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(a, b));
        }
        (a, b) = (b, a % b);
    }
    a
}

/// How many leading bits Lehmer's steps look at: cofactors of such numbers fit in a word, and so do their products.
const LEADING: u64 = 60;

/// The greatest common divisor of two numbers that are not negative: Euclid's algorithm, whose quotients are mostly read off the
/// leading bits, many at a time (D. Lehmer 1938; the test that they are right is G. Collins').
pub fn gcd_big(mut a: BigInt, mut b: BigInt) -> BigInt {
    loop {
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        if b.is_zero() {
            return a;
        }
        if let (Some(a), Some(b)) = (a.to_u128(), b.to_u128()) {
            return BigInt::from(gcd_u128(a, b));
        }
        let size = a.bits();
        let shift = size.saturating_sub(LEADING);
        let leading = |value: &BigInt| (value >> shift).to_i64().unwrap_or_default();
        let (mut x, mut y) = if b.bits() + LEADING / 2 < size { (0, 0) } else { (leading(&a), leading(&b)) };
        // The numbers now are `p a + q b` and `r a + s b`.
        let (mut p, mut q, mut r, mut s) = (1i64, 0i64, 0i64, 1i64);
        while y + r != 0 && y + s != 0 {
            let quotient = (x + p) / (y + r);
            if quotient != (x + q) / (y + s) {
                break;
            }
            (p, r) = (r, p - quotient * r);
            (q, s) = (s, q - quotient * s);
            (x, y) = (y, x - quotient * y);
        }
        (a, b) = if q == 0 {
            let rest = &a % &b;
            (b, rest)
        } else {
            (&a * p + &b * q, &a * r + &b * s)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_integer::Integer;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(64)))]
        /// Numbers of all sizes, with a common factor and with long chains of quotients that are 1.
        #[test]
        fn equals_the_library_s(a in prop::collection::vec(any::<u32>(), 0..9), b in prop::collection::vec(any::<u32>(), 0..9), common in any::<u128>(), turns in 0u32..300) {
            let number = |digits: &[u32]| digits.iter().fold(BigInt::zero(), |sum, digit| (sum << 32) + digit);
            let (mut a, mut b) = (number(&a) * common, number(&b) * common);
            for _ in 0..turns {
                (a, b) = (&a + &b, a);
            }
            prop_assert_eq!(gcd_big(a.clone(), b.clone()), a.gcd(&b));
        }
    }

    #[test]
    fn powers_and_their_neighbours() {
        for k in [63u32, 64, 127, 128, 129, 200, 500] {
            let power: BigInt = BigInt::from(1) << k;
            for (a, b) in
                [(power.clone(), &power - 1), (&power + 1, &power - 1), (power.clone(), &power * 3), (&power * &power, power.clone())]
            {
                assert_eq!(gcd_big(a.clone(), b.clone()), a.gcd(&b), "{a} {b}");
            }
        }
    }
}
