//! What the families are built with: a generator of numbers with a seed, short forms of terms, brute force.

use culdesac::logic::{Assignment, FormulaId, Int, Linear, Pool};

/// A query with the answer it must get.
pub struct Query {
    pub pool: Pool,
    pub formulas: Vec<FormulaId>,
    pub expected: bool,
}

/// A family: its name, and its k-th query.
pub type Family = (&'static str, fn(u64) -> Query);

/// splitmix64: fixed output for a seed.
pub struct Random(u64);

impl Random {
    /// Families differ by salt, queries by number.
    pub fn new(salt: u64, k: u64) -> Random {
        Random(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ k.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.word() % (high - low + 1) as u64) as i64
    }

    pub fn coin(&mut self) -> bool {
        self.word() & 1 == 1
    }

    /// A number of so many decimal digits at most, of either sign, not 0.
    pub fn digits(&mut self, digits: usize) -> Int {
        let text: String = (0..digits).map(|_| char::from(b'0' + (self.word() % 10) as u8)).collect();
        let value = Int::parse(&text).unwrap_or_default();
        let value = if value.is_zero() { Int::ONE } else { value };
        if self.coin() { value } else { -value }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.range(0, at as i64) as usize);
        }
    }
}

/// A query in the making.
#[derive(Default)]
pub struct Maker {
    pub pool: Pool,
    pub formulas: Vec<FormulaId>,
}

pub fn n(value: i64) -> Linear {
    Linear::constant(value)
}

pub fn power(base: i64, exponent: usize) -> Int {
    (0..exponent).fold(Int::ONE, |product, _| &product * &Int::from(base))
}

impl Maker {
    pub fn int(&mut self, name: &str, k: usize) -> Linear {
        self.pool.integer(&format!("{name}{k}"))
    }

    pub fn ints(&mut self, name: &str, count: usize) -> Vec<Linear> {
        (0..count).map(|k| self.int(name, k)).collect()
    }

    pub fn add(&mut self, formula: FormulaId) {
        self.formulas.push(formula);
    }

    pub fn equal(&mut self, left: &Linear, right: &Linear) {
        let formula = self.pool.equal(left, right);
        self.add(formula);
    }

    pub fn differ(&mut self, left: &Linear, right: &Linear) {
        let formula = self.pool.equal(left, right);
        let formula = self.pool.not(formula);
        self.add(formula);
    }

    pub fn at_most(&mut self, left: &Linear, right: &Linear) {
        let formula = self.pool.at_most(left, right);
        self.add(formula);
    }

    pub fn within(&mut self, term: &Linear, low: impl Into<Int>, high: impl Into<Int>) {
        self.at_most(&Linear::constant(low), term);
        self.at_most(term, &Linear::constant(high));
    }

    /// One of these.
    pub fn either(&mut self, parts: &[FormulaId]) {
        let formula = self.pool.or(parts);
        self.add(formula);
    }

    pub fn expect(self, expected: bool) -> Query {
        Query { pool: self.pool, formulas: self.formulas, expected }
    }

    /// Expects what trying all values of these symbols gives.
    pub fn brute_force(mut self, symbols: &[(&str, i64, i64)]) -> Query {
        let ids: Vec<_> = symbols.iter().map(|(name, ..)| self.pool.symbol(name)).collect();
        let mut values: Vec<i64> = symbols.iter().map(|&(_, low, _)| low).collect();
        let mut assignment = Assignment::default();
        loop {
            for (id, value) in ids.iter().zip(&values) {
                assignment.integers.insert(*id, Int::from(*value));
            }
            if self.formulas.iter().all(|&formula| assignment.formula(&self.pool, formula) == Some(true)) {
                return self.expect(true);
            }
            // The next combination.
            let Some(at) = (0..values.len()).find(|&at| values[at] < symbols[at].2) else { return self.expect(false) };
            values[at] += 1;
            values[..at].iter_mut().zip(symbols).for_each(|(value, symbol)| *value = symbol.1);
        }
    }
}

/// `Σ factor · term`.
pub fn sum<'a>(parts: impl IntoIterator<Item = (&'a Linear, Int)>) -> Linear {
    parts.into_iter().fold(Linear::default(), |sum, (term, factor)| sum.add_scaled(term, &factor))
}

/// Which sums can be reached, starting from 0, by adding one number of each choice.
pub fn reachable(choices: &[Vec<i64>]) -> std::collections::BTreeSet<i64> {
    choices.iter().fold([0].into(), |sums, choice| sums.iter().flat_map(|sum| choice.iter().map(move |step| sum + step)).collect())
}
