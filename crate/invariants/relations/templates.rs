//! Candidates for relations: formulas that fit all samples of a cut point.
//!
//! - of a variable: bounds (of its samples, near constants of the program, of its type), and the few values that it has;
//! - of two: bounds of the difference; of the difference in the type where that wraps around (`(head - tail) mod 2^w <= N`); bounds of the
//!   sum; whether one having a value (or none but that) lets the other have one;
//! - of three: that one is the sum of the others but for a constant, wrapped around or not.

use crate::logic::{Arrange, FormulaId, Int, IntRange, Linear, Pool, SortedSet};
use crate::lts::{Lts, VariableId};
use crate::symex::State;

/// Bounds near constants of the program, on each side.
const NEAR: usize = 4;
/// A variable with so many values at most has few.
const FEW: usize = 4;

/// What fits all these samples, which are values of all variables; relations are between the `related` ones.
pub fn candidates(
    lts: &Lts,
    pool: &mut Pool,
    identity: &State,
    (related, near): (&[VariableId], &[Int]),
    seen: &[Vec<Int>],
) -> Vec<FormulaId> {
    let mut found = Vec::new();
    if seen.is_empty() {
        // Nothing gets here, as far as is known.
        return vec![Pool::FALSE];
    }
    let column = |id: VariableId| -> Vec<Int> { seen.iter().map(|state| state[id.0 as usize].clone()).collect() };
    let values: Vec<(VariableId, Linear, Vec<Int>)> = related.iter().map(|&id| (id, identity.variable(id).clone(), column(id))).collect();
    let mut guessing = Guessing { pool, near, found: &mut found };
    for (variable, id) in lts.variables.iter().zip((0..).map(VariableId)) {
        let term = identity.variable(id).clone();
        if let Some(IntRange { least, greatest }) = variable.range {
            guessing.between(&term, Some(&Int::from(least)), Some(&Int::from(greatest)));
        }
        let column = column(id);
        guessing.bounds(&term, &column);
        if related.contains(&id) {
            guessing.few(&term, &column);
        }
    }
    for (at, (a, left, of_left)) in values.iter().enumerate() {
        for (b, right, of_right) in &values[at + 1..] {
            let (difference, sum) = (left.sub(right), left.add(right));
            guessing.bounds(&difference, &zipped(of_left, of_right, |a, b| a - b));
            guessing.bounds(&sum, &zipped(of_left, of_right, |a, b| a + b));
            let ranges = [lts.variable(*a).range, lts.variable(*b).range];
            if let [Some(one), Some(other)] = ranges
                && (one.least, one.greatest) == (other.least, other.greatest)
                && one.least == 0
            {
                let size = Int::from(one.greatest + 1);
                guessing.wrapped(&difference, &zipped(of_left, of_right, |a, b| a - b), &size);
                guessing.wrapped(&difference.neg(), &zipped(of_right, of_left, |a, b| a - b), &size);
            }
        }
    }
    for (a, left, of_left) in &values {
        for (b, right, of_right) in &values {
            if a != b {
                guessing.implied((left, of_left), (right, of_right));
            }
        }
    }
    for (at, (a, sum, of_sum)) in values.iter().enumerate() {
        for (second, (b, left, of_left)) in values.iter().enumerate() {
            for (third, (c, right, of_right)) in values.iter().enumerate().skip(second + 1) {
                if at == second || at == third {
                    continue;
                }
                let term = sum.sub(left).sub(right);
                let samples: Vec<Int> =
                    of_sum.iter().zip(of_left).zip(of_right).map(|((sum, left), right)| &(sum - left) - right).collect();
                let ranges = [a, b, c].map(|id| lts.variable(*id).range.filter(|range| range.least == 0).map(|range| range.greatest));
                let size = ranges[0].filter(|_| ranges.iter().all(|range| *range == ranges[0])).map(|greatest| Int::from(greatest + 1));
                guessing.constant(&term, &samples, size.as_ref());
            }
        }
    }
    found.retain(|&formula| formula != Pool::TRUE);
    // In their order: what is simple comes first.
    let mut seen = SortedSet::new();
    found.retain(|&formula| seen.insert(formula));
    found
}

fn zipped(a: &[Int], b: &[Int], of: impl Fn(&Int, &Int) -> Int) -> Vec<Int> {
    a.iter().zip(b).map(|(a, b)| of(a, b)).collect()
}

struct Guessing<'g> {
    pool: &'g mut Pool,
    near: &'g [Int],
    found: &'g mut Vec<FormulaId>,
}

impl Guessing<'_> {
    fn between(&mut self, term: &Linear, least: Option<&Int>, most: Option<&Int>) {
        if let Some(least) = least {
            let formula = self.pool.at_most(&Linear::constant(least.clone()), term);
            self.found.push(formula);
        }
        if let Some(most) = most {
            let formula = self.pool.at_most(term, &Linear::constant(most.clone()));
            self.found.push(formula);
        }
    }

    /// Bounds: those of the samples, constants beyond them, and 0.
    fn bounds(&mut self, term: &Linear, values: &[Int]) {
        let (Some(least), Some(most)) = (values.iter().min().cloned(), values.iter().max().cloned()) else { return };
        let below: Vec<Int> = self.near.iter().rev().filter(|&bound| *bound < least).take(NEAR).cloned().collect();
        let above: Vec<Int> = self.near.iter().filter(|&bound| *bound > most).take(NEAR).cloned().collect();
        let zero = Int::ZERO;
        if !least.is_negative() {
            self.between(term, Some(&zero), None);
        }
        if !most.is_positive() {
            self.between(term, None, Some(&zero));
        }
        below.iter().chain([&least]).for_each(|bound| self.between(term, Some(bound), None));
        above.iter().chain([&most]).for_each(|bound| self.between(term, None, Some(bound)));
    }

    /// The values, where they are few.
    fn few(&mut self, term: &Linear, values: &[Int]) {
        let all: SortedSet<Int> = values.iter().cloned().collect();
        if (2..=FEW).contains(&all.len()) {
            let each: Vec<FormulaId> = all.into_iter().map(|value| self.pool.equal(term, &Linear::constant(value))).collect();
            let formula = self.pool.or(&each);
            self.found.push(formula);
        }
    }

    /// Bounds of a difference of numbers below `size` that wraps around.
    fn wrapped(&mut self, difference: &Linear, values: &[Int], size: &Int) {
        let brought = |value: &Int| value.div_rem_floor(size).map_or(Int::ZERO, |(_, remainder)| remainder);
        let Some(most) = values.iter().map(brought).max() else { return };
        if &most + &most >= *size {
            return;
        }
        let above = self.near.iter().filter(|&bound| *bound > most && &(bound + bound) < size).take(NEAR).cloned();
        for bound in std::iter::once(most.clone()).chain(above).collect::<Vec<_>>() {
            let plain =
                [self.pool.at_most(&Linear::default(), difference), self.pool.at_most(difference, &Linear::constant(bound.clone()))];
            let plain = self.pool.and(&plain);
            let around = self.pool.at_most(difference, &Linear::constant(&bound - size));
            let formula = self.pool.or(&[plain, around]);
            self.found.push(formula);
        }
    }

    /// That the term is a constant, perhaps but for multiples of `size`.
    fn constant(&mut self, term: &Linear, values: &[Int], size: Option<&Int>) {
        let Some(first) = values.first() else { return };
        if values.iter().all(|value| value == first) {
            let formula = self.pool.equal(term, &Linear::constant(first.clone()));
            self.found.push(formula);
        }
        let Some(size) = size else { return };
        let is_same = |value: &Int| (value - first).is_multiple_of(size);
        if values.iter().all(is_same) {
            let Some((_, least)) = first.div_rem_floor(size) else { return };
            // A sum of two, subtracted from a number: from -2 times the size up.
            let each: Vec<FormulaId> = (-2..1)
                .map(|times| {
                    let value = &least + &(size * &Int::from(times));
                    self.pool.equal(term, &Linear::constant(value))
                })
                .collect();
            let formula = self.pool.or(&each);
            self.found.push(formula);
        }
    }

    /// What the other variable has where this one has a value, or has not that value.
    fn implied(&mut self, (left, of_left): (&Linear, &[Int]), (right, of_right): (&Linear, &[Int])) {
        let mut all: Vec<Int> = of_left.to_vec();
        all.arrange();
        all.dedup();
        if all.len() < 2 {
            return;
        }
        let few: Vec<Int> = if all.len() <= FEW { all } else { vec![Int::ZERO] };
        for value in few {
            let is = self.pool.equal(left, &Linear::constant(value.clone()));
            let is_not = self.pool.not(is);
            for (holds, denied) in [(true, is_not), (false, is)] {
                let values: Vec<Int> =
                    of_left.iter().zip(of_right).filter(|(left, _)| (**left == value) == holds).map(|(_, right)| right.clone()).collect();
                self.conditionally(denied, right, &values, of_right);
            }
        }
    }

    /// What holds of a term where something does not: `denied`, or a bound that the samples there have and not all.
    fn conditionally(&mut self, denied: FormulaId, term: &Linear, values: &[Int], all: &[Int]) {
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else { return };
        let mut bounds = Vec::new();
        if all.iter().any(|value| value < least) {
            bounds.push(self.pool.at_most(&Linear::constant(least.clone()), term));
            if least.is_positive() && !least.is_one() {
                bounds.push(self.pool.at_most(&Linear::constant(Int::ONE), term));
            }
        }
        if all.iter().any(|value| value > most) {
            bounds.push(self.pool.at_most(term, &Linear::constant(most.clone())));
        }
        if !values.contains(&Int::ZERO) && all.contains(&Int::ZERO) {
            let zero = self.pool.equal(term, &Linear::default());
            bounds.push(self.pool.not(zero));
        }
        for bound in bounds {
            let formula = self.pool.or(&[denied, bound]);
            self.found.push(formula);
        }
    }
}
