//! Exact rationals for the values of simplex columns, with a quick way for whole numbers.

use crate::logic::Int;

/// A fraction in lowest terms, the denominator positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rational {
    numerator: Int,
    denominator: Int,
}

impl Rational {
    pub const ZERO: Rational = Rational { numerator: Int::ZERO, denominator: Int::ONE };

    /// `numerator / denominator`; the denominator is not 0.
    pub fn new(numerator: Int, denominator: Int) -> Rational {
        if denominator.is_one() {
            return Rational { numerator, denominator };
        }
        let divisor = numerator.gcd(&denominator);
        let divisor = if denominator.is_negative() { -divisor } else { divisor };
        let exact = |value: &Int| value.div_exact(&divisor);
        Rational { numerator: exact(&numerator), denominator: exact(&denominator) }
    }

    /// The value where it is whole.
    pub fn as_int(&self) -> Option<&Int> {
        self.denominator.is_one().then_some(&self.numerator)
    }

    /// The largest whole number that is not larger.
    pub fn floor(&self) -> Int {
        self.numerator.div_floor(&self.denominator).expect("the denominator is positive")
    }

    pub fn add(&self, other: &Rational) -> Rational {
        if self.denominator.is_one() && other.denominator.is_one() {
            return Rational { numerator: &self.numerator + &other.numerator, denominator: Int::ONE };
        }
        Rational::new(
            &(&self.numerator * &other.denominator) + &(&other.numerator * &self.denominator),
            &self.denominator * &other.denominator,
        )
    }

    pub fn sub(&self, other: &Rational) -> Rational {
        self.add(&Rational { numerator: -&other.numerator, denominator: other.denominator.clone() })
    }

    /// `self · numerator / denominator`; the denominator is not 0.
    pub fn scale(&self, numerator: &Int, denominator: &Int) -> Rational {
        if self.denominator.is_one() && denominator.is_one() {
            return Rational { numerator: &self.numerator * numerator, denominator: Int::ONE };
        }
        Rational::new(&self.numerator * numerator, &self.denominator * denominator)
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        self.numerator.signum()
    }
}

impl From<&Int> for Rational {
    fn from(value: &Int) -> Rational {
        Rational { numerator: value.clone(), denominator: Int::ONE }
    }
}
