//! Linear arithmetic over the rationals: the simplex method with bounds, for incremental use.
//!
//! Source: B. Dutertre and L. de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006.
//!
//! | paper | here |
//! |---|---|
//! | variables `x_1 … x_n`, slack variables | columns; a slack column stands for a primitive linear form of atoms |
//! | bounds `l_i`, `u_i` | [`Column::lower`], [`Column::upper`], each with the literal that is its reason |
//! | assignment `β` | [`Column::value`] |
//! | rows `x_i = Σ a_ij x_j` | [`Row`]: `Σ c_j x_j = 0` over integers, the basic column among them |
//! | `AssertUpper`, `AssertLower`, `check`, `pivotAndUpdate` | [`Simplex::assert`], [`Simplex::check`], [`Simplex::pivot`] |
//!
//! Rows hold integers without denominators, so a conflict's Farkas multipliers are read off as they stand. All columns
//! are integer-valued, hence all bounds are integers.
//!
//! Invariants: a column that is not basic lies within its bounds; every row holds under the values; both survive
//! [`Simplex::undo`], which only loosens bounds, so the basis and the values are kept from check to check.
//! Termination: Bland's rule (smallest violated basic column, smallest suitable column).

use super::literal::Lit;
use super::meter::{Exhausted, Meter};
use super::rational::Rational;
use crate::logic::Int;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A column's number.
pub type ColumnId = u32;

/// Which bound of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Lower,
    Upper,
}

#[derive(Clone, Debug)]
struct Bound {
    value: Int,
    reason: Lit,
}

#[derive(Clone, Debug)]
struct Column {
    lower: Option<Bound>,
    upper: Option<Bound>,
    value: Rational,
    /// The row in which the column is basic.
    row: Option<u32>,
    /// The rows in which the column occurs.
    occurs: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Row {
    basic: ColumnId,
    /// Columns ascending, no coefficient zero.
    terms: Vec<(ColumnId, Int)>,
}

impl Row {
    fn coefficient(&self, column: ColumnId) -> &Int {
        let at = self.terms.binary_search_by_key(&column, |term| term.0).expect("the column occurs in the row");
        &self.terms[at].1
    }
}

/// Bounds that cannot hold together: each reason with its positive multiplier. The sum of the reasons' inequalities so
/// multiplied is `0 ≤ -k` with a positive `k`.
pub type Conflict = Vec<(Lit, Int)>;

/// Why a check did not end in "consistent".
pub enum Trouble {
    Conflict(Conflict),
    Exhausted(Exhausted),
}

/// The tableau.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// Basic columns that may violate a bound; a smallest-first queue with possible stale entries.
    suspects: BinaryHeap<Reverse<ColumnId>>,
    undo: Vec<(ColumnId, Side, Option<Bound>)>,
}

impl Simplex {
    /// A new column without bounds, value 0.
    pub fn add_column(&mut self) -> ColumnId {
        self.columns.push(Column { lower: None, upper: None, value: Rational::ZERO, row: None, occurs: Vec::new() });
        self.columns.len() as ColumnId - 1
    }

    /// A new column that equals `Σ coefficient · column`; the columns are distinct.
    pub fn add_slack(&mut self, form: &[(ColumnId, Int)]) -> ColumnId {
        let slack = self.add_column();
        let mut terms: Vec<(ColumnId, Int)> = vec![(slack, Int::MINUS_ONE)];
        let mut value = Rational::ZERO;
        for (column, coefficient) in form {
            value = value.add(&self.columns[*column as usize].value.scale(coefficient, &Int::ONE));
            // The slack, the highest column, keeps the factor by which the sum so far was multiplied.
            let factor = -&terms[terms.len() - 1].1;
            terms = combine(&terms, &Int::ONE, &[(*column, coefficient * &factor)], &Int::ONE);
            // Express basic columns by the others: the new row's basic column is the slack.
            if let Some(row) = self.columns[*column as usize].row {
                let row = &self.rows[row as usize];
                let (c, k) = (row.coefficient(*column), terms.binary_search_by_key(column, |term| term.0));
                let k = k.map_or(Int::ZERO, |at| terms[at].1.clone());
                terms = if c.is_negative() { combine(&terms, &-c, &row.terms, &k) } else { combine(&terms, c, &row.terms, &-k) };
            }
        }
        normalise(&mut terms);
        let row = self.rows.len() as u32;
        for (column, _) in &terms {
            self.columns[*column as usize].occurs.push(row);
        }
        self.columns[slack as usize].row = Some(row);
        self.columns[slack as usize].value = value;
        self.rows.push(Row { basic: slack, terms });
        slack
    }

    /// The value of a column under the last consistent assignment.
    pub fn value(&self, column: ColumnId) -> &Rational {
        &self.columns[column as usize].value
    }

    /// Whether the column has a bound.
    pub fn is_bounded(&self, column: ColumnId) -> bool {
        let column = &self.columns[column as usize];
        column.lower.is_some() || column.upper.is_some()
    }

    /// Whether the column has a bound on both sides.
    pub fn is_enclosed(&self, column: ColumnId) -> bool {
        let column = &self.columns[column as usize];
        column.lower.is_some() && column.upper.is_some()
    }

    /// Whether the column's bounds allow one value only.
    pub fn is_fixed(&self, column: ColumnId) -> bool {
        let column = &self.columns[column as usize];
        matches!((&column.lower, &column.upper), (Some(lower), Some(upper)) if lower.value == upper.value)
    }

    /// Whether the column's value is one of its bounds.
    pub fn is_at_bound(&self, column: ColumnId) -> bool {
        let column = &self.columns[column as usize];
        [&column.lower, &column.upper].into_iter().flatten().any(|bound| column.value.cmp_int(&bound.value) == Ordering::Equal)
    }

    /// Whether the value lies within the column's bounds.
    pub fn allows(&self, column: ColumnId, value: &Int) -> bool {
        let column = &self.columns[column as usize];
        column.lower.as_ref().is_none_or(|bound| *value >= bound.value) && column.upper.as_ref().is_none_or(|bound| *value <= bound.value)
    }

    /// The number of bounds asserted and not undone, to come back to.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Takes back all bounds asserted since the mark.
    pub fn undo(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((column, side, bound)) = self.undo.pop() {
                *self.slot(column, side) = bound;
            }
        }
    }

    fn slot(&mut self, column: ColumnId, side: Side) -> &mut Option<Bound> {
        let column = &mut self.columns[column as usize];
        match side {
            Side::Lower => &mut column.lower,
            Side::Upper => &mut column.upper,
        }
    }

    /// Adds a bound with its reason.
    ///
    /// # Errors
    /// When it contradicts the opposite bound.
    pub fn assert(&mut self, id: ColumnId, side: Side, value: &Int, reason: Lit) -> Result<(), Conflict> {
        let column = &self.columns[id as usize];
        let (same, opposite) = match side {
            Side::Lower => (&column.lower, &column.upper),
            Side::Upper => (&column.upper, &column.lower),
        };
        let tighter = |a: &Int, b: &Int| if side == Side::Lower { a > b } else { a < b };
        if same.as_ref().is_some_and(|bound| !tighter(value, &bound.value)) {
            return Ok(());
        }
        if let Some(bound) = opposite.as_ref().filter(|bound| tighter(value, &bound.value)) {
            return Err(vec![(reason, Int::ONE), (bound.reason, Int::ONE)]);
        }
        let outside = match side {
            Side::Lower => column.value.cmp_int(value) == Ordering::Less,
            Side::Upper => column.value.cmp_int(value) == Ordering::Greater,
        };
        let basic = column.row.is_some();
        let old = self.slot(id, side).replace(Bound { value: value.clone(), reason });
        self.undo.push((id, side, old));
        if outside && basic {
            self.suspects.push(Reverse(id));
        } else if outside {
            let delta = Rational::from(value).sub(&self.columns[id as usize].value);
            self.shift(id, &delta);
        }
        Ok(())
    }

    /// Moves a column that is not basic by `delta`, the basic ones with it.
    fn shift(&mut self, id: ColumnId, delta: &Rational) {
        for at in 0..self.columns[id as usize].occurs.len() {
            let row = &self.rows[self.columns[id as usize].occurs[at] as usize];
            let (basic, moved) = (row.basic, delta.scale(&-row.coefficient(id), row.coefficient(row.basic)));
            let column = &mut self.columns[basic as usize];
            column.value = column.value.add(&moved);
            self.suspects.push(Reverse(basic));
        }
        let column = &mut self.columns[id as usize];
        column.value = column.value.add(delta);
    }

    /// Finds values within all bounds.
    ///
    /// # Errors
    /// With a conflict where there are none, or when the steps are used up.
    pub fn check(&mut self, meter: &mut Meter) -> Result<(), Trouble> {
        while let Some(&Reverse(id)) = self.suspects.peek() {
            let column = &self.columns[id as usize];
            let Some(row) = column.row else {
                self.suspects.pop();
                continue;
            };
            let below = column.lower.as_ref().filter(|bound| column.value.cmp_int(&bound.value) == Ordering::Less);
            let above = column.upper.as_ref().filter(|bound| column.value.cmp_int(&bound.value) == Ordering::Greater);
            let (target, up) = match (below, above) {
                (Some(bound), _) => (bound.value.clone(), true),
                (_, Some(bound)) => (bound.value.clone(), false),
                _ => {
                    self.suspects.pop();
                    continue;
                }
            };
            meter.spend(1 + self.rows[row as usize].terms.len() as u64 / 8).map_err(Trouble::Exhausted)?;
            match self.entering(row, up) {
                Some(entering) => {
                    let delta = Rational::from(&target).sub(&self.columns[id as usize].value);
                    let row_terms = &self.rows[row as usize];
                    let moved = delta.scale(&-row_terms.coefficient(id), row_terms.coefficient(entering));
                    self.pivot(row, entering);
                    // The leaving column takes its bound, the entering one moves with the rows.
                    self.columns[id as usize].value = Rational::from(&target);
                    self.move_entering(row, entering, id, &moved);
                }
                None => return Err(Trouble::Conflict(self.explain(row, up))),
            }
        }
        Ok(())
    }

    /// The smallest column of the row that can move so that the row's basic column goes up (or down).
    fn entering(&self, row: u32, up: bool) -> Option<ColumnId> {
        let row = &self.rows[row as usize];
        let basic_negative = row.coefficient(row.basic).is_negative();
        row.terms.iter().map(|(column, coefficient)| (*column, coefficient)).find_map(|(id, coefficient)| {
            if id == row.basic {
                return None;
            }
            let column = &self.columns[id as usize];
            // x_b = Σ -(c_j / c_b) x_j
            let same_direction = coefficient.is_negative() != basic_negative;
            let can_move = if same_direction == up {
                column.upper.as_ref().is_none_or(|bound| column.value.cmp_int(&bound.value) == Ordering::Less)
            } else {
                column.lower.as_ref().is_none_or(|bound| column.value.cmp_int(&bound.value) == Ordering::Greater)
            };
            can_move.then_some(id)
        })
    }

    /// The bounds that keep the row's basic column from going up (or down) to its own bound.
    fn explain(&self, row: u32, up: bool) -> Conflict {
        let row = &self.rows[row as usize];
        let basic_negative = row.coefficient(row.basic).is_negative();
        let reason = |bound: &Option<Bound>| bound.as_ref().expect("a column that cannot move has that bound").reason;
        row.terms
            .iter()
            .map(|(id, coefficient)| {
                let column = &self.columns[*id as usize];
                let same_direction = coefficient.is_negative() != basic_negative;
                let upper = if *id == row.basic { !up } else { same_direction == up };
                (reason(if upper { &column.upper } else { &column.lower }), coefficient.abs())
            })
            .collect()
    }

    /// Makes `entering` the basic column of `row`; values are not touched.
    fn pivot(&mut self, row: u32, entering: ColumnId) {
        let leaving = self.rows[row as usize].basic;
        self.rows[row as usize].basic = entering;
        self.columns[leaving as usize].row = None;
        self.columns[entering as usize].row = Some(row);
        let pivot_terms = self.rows[row as usize].terms.clone();
        let pivot = self.rows[row as usize].coefficient(entering).clone();
        for other in self.columns[entering as usize].occurs.clone() {
            if other == row {
                continue;
            }
            let coefficient = self.rows[other as usize].coefficient(entering).clone();
            let divisor = pivot.gcd(&coefficient);
            let exact = |value: &Int| value.div_floor(&divisor).expect("the pivot is not 0");
            // |p|·other - sign(p)·k·row has no entering column; the positive factor keeps the signs.
            let (mut p, mut k) = (exact(&pivot), exact(&coefficient));
            if p.is_negative() {
                (p, k) = (-p, -k);
            }
            let mut terms = combine(&self.rows[other as usize].terms, &p, &pivot_terms, &-k);
            normalise(&mut terms);
            self.replace(other, terms);
        }
    }

    /// Puts new terms into a row and keeps the columns' occurrence lists.
    fn replace(&mut self, row: u32, terms: Vec<(ColumnId, Int)>) {
        let old = std::mem::take(&mut self.rows[row as usize].terms);
        let (mut left, mut right) = (old.iter().map(|t| t.0).peekable(), terms.iter().map(|t| t.0).peekable());
        loop {
            match (left.peek().copied(), right.peek().copied()) {
                (Some(a), Some(b)) if a == b => {
                    left.next();
                    right.next();
                }
                (Some(a), b) if b.is_none_or(|b| a < b) => {
                    self.columns[a as usize].occurs.retain(|&r| r != row);
                    left.next();
                }
                (_, Some(b)) => {
                    self.columns[b as usize].occurs.push(row);
                    right.next();
                }
                _ => break,
            }
        }
        self.rows[row as usize].terms = terms;
    }

    /// After a pivot in `row`: `entering` moved by `moved` and with it every basic column of its old rows. They are
    /// recomputed from the leaving column's move, which now is not basic.
    fn move_entering(&mut self, row: u32, entering: ColumnId, leaving: ColumnId, moved: &Rational) {
        let column = &mut self.columns[entering as usize];
        column.value = column.value.add(moved);
        self.suspects.push(Reverse(entering));
        for at in 0..self.columns[leaving as usize].occurs.len() {
            let other = self.columns[leaving as usize].occurs[at];
            if other != row {
                self.recompute(other);
            }
        }
    }

    /// Sets the row's basic column to what the other columns give.
    fn recompute(&mut self, row: u32) {
        let row = &self.rows[row as usize];
        let mut sum = Rational::ZERO;
        for (column, coefficient) in &row.terms {
            if *column != row.basic {
                sum = sum.add(&self.columns[*column as usize].value.scale(coefficient, &Int::ONE));
            }
        }
        let value = sum.scale(&Int::MINUS_ONE, row.coefficient(row.basic));
        let basic = row.basic;
        self.columns[basic as usize].value = value;
        self.suspects.push(Reverse(basic));
    }

    #[cfg(test)]
    fn invariants_hold(&self) -> bool {
        let rows = self.rows.iter().all(|row| {
            let sum = row.terms.iter().fold(Rational::ZERO, |sum, (column, coefficient)| {
                sum.add(&self.columns[*column as usize].value.scale(coefficient, &Int::ONE))
            });
            sum == Rational::ZERO && self.columns[row.basic as usize].row.is_some()
        });
        let bounds = self.columns.iter().filter(|column| column.row.is_none()).all(|column| {
            column.lower.as_ref().is_none_or(|bound| column.value.cmp_int(&bound.value) != Ordering::Less)
                && column.upper.as_ref().is_none_or(|bound| column.value.cmp_int(&bound.value) != Ordering::Greater)
        });
        rows && bounds
    }
}

/// `a · left + b · right`, columns ascending, zeros left out.
fn combine(left: &[(ColumnId, Int)], a: &Int, right: &[(ColumnId, Int)], b: &Int) -> Vec<(ColumnId, Int)> {
    let mut sum = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if j == right.len() || (i < left.len() && left[i].0 < right[j].0) {
            sum.push((left[i].0, &left[i].1 * a));
            i += 1;
        } else if i == left.len() || right[j].0 < left[i].0 {
            sum.push((right[j].0, &right[j].1 * b));
            j += 1;
        } else {
            let value = &(&left[i].1 * a) + &(&right[j].1 * b);
            if !value.is_zero() {
                sum.push((left[i].0, value));
            }
            i += 1;
            j += 1;
        }
    }
    sum.retain(|(_, coefficient)| !coefficient.is_zero());
    sum
}

/// Divides by the greatest common divisor of all coefficients.
fn normalise(terms: &mut [(ColumnId, Int)]) {
    let mut divisor = Int::ZERO;
    for (_, coefficient) in terms.iter() {
        divisor = divisor.gcd(coefficient);
        if divisor.is_one() {
            return;
        }
    }
    if !divisor.is_zero() {
        for (_, coefficient) in terms.iter_mut() {
            *coefficient = coefficient.div_floor(&divisor).expect("the divisor is positive");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Random bounds over random forms, asserted and taken back: the invariants survive, a "consistent" has all
        /// bounds respected, and a conflict's multipliers really refute (checked on the forms themselves).
        #[test]
        fn sound_and_incremental(
            forms in prop::collection::vec(prop::collection::vec(-3i64..4, 3), 1..5),
            bounds in prop::collection::vec((0usize..8, any::<bool>(), -6i64..7, any::<bool>()), 1..25),
        ) {
            let mut simplex = Simplex::default();
            let mut meter = Meter::new(100_000);
            let base: Vec<ColumnId> = (0..3).map(|_| simplex.add_column()).collect();
            let mut vectors: Vec<Vec<i64>> = (0..3).map(|i| (0..3).map(|j| i64::from(i == j)).collect()).collect();
            for form in forms.iter().filter(|form| form.iter().any(|&c| c != 0)) {
                let terms: Vec<_> = base.iter().zip(form).filter(|(_, c)| **c != 0).map(|(&b, &c)| (b, Int::from(c))).collect();
                simplex.add_slack(&terms);
                vectors.push(form.clone());
            }
            let mut asserted: Vec<(usize, bool, i64)> = Vec::new();
            let mut marks = Vec::new();
            for (index, (column, upper, value, pop)) in bounds.into_iter().enumerate() {
                if pop && index % 3 == 0 {
                    if let Some((mark, length)) = marks.pop() {
                        simplex.undo(mark);
                        asserted.truncate(length);
                    }
                    continue;
                }
                let column = column % vectors.len();
                marks.push((simplex.mark(), asserted.len()));
                asserted.push((column, upper, value));
                let reason = Lit::from_index(asserted.len() - 1);
                let side = if upper { Side::Upper } else { Side::Lower };
                let mut outcome = simplex.assert(column as u32, side, &Int::from(value), reason);
                if outcome.is_ok() {
                    outcome = match simplex.check(&mut meter) {
                        Ok(()) => Ok(()),
                        Err(Trouble::Conflict(conflict)) => Err(conflict),
                        Err(Trouble::Exhausted(_)) => return Err(TestCaseError::fail("too many steps")),
                    };
                }
                prop_assert!(simplex.invariants_hold());
                match outcome {
                    Ok(()) => for &(column, upper, value) in &asserted {
                        let order = simplex.value(column as u32).cmp_int(&Int::from(value));
                        let violated = if upper { Ordering::Greater } else { Ordering::Less };
                        prop_assert_ne!(order, violated);
                    },
                    Err(conflict) => {
                        let (mut form, mut right) = (vec![0i64; 3], 0i64);
                        for (lit, multiplier) in conflict {
                            let (column, upper, value) = asserted[lit.index()];
                            let multiplier = multiplier.to_i64().unwrap_or(0) * if upper { 1 } else { -1 };
                            prop_assert!(multiplier != 0);
                            form.iter_mut().zip(&vectors[column]).for_each(|(sum, c)| *sum += multiplier * c);
                            right += multiplier * value;
                        }
                        prop_assert!(form.iter().all(|&c| c == 0) && right < 0, "{form:?} <= {right}");
                        let (mark, length) = marks.pop().unwrap_or((0, 0));
                        simplex.undo(mark);
                        asserted.truncate(length);
                    }
                }
            }
        }
    }
}
