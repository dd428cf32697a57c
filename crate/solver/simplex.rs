//! Linear arithmetic over the rationals: the simplex method with bounds, for incremental use.
//!
//! Source: B. Dutertre and L. de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006.
//!
//! | paper | here |
//! |---|---|
//! | variables `x_1 … x_n`, slack variables | columns; a slack column stands for a primitive linear form of atoms |
//! | bounds `l_i`, `u_i` | [`Column::lower`], [`Column::upper`], each with the literal that is its reason |
//! | assignment `β` | [`Column::value`] where the column is not basic, else its row |
//! | rows `x_i = Σ a_ij x_j` | [`TableauRow`]: `d x_i = Σ c_j x_j` over integers |
//! | `AssertUpper`, `AssertLower`, `check`, `pivotAndUpdate` | [`Simplex::assert`], [`Simplex::check`], [`Simplex::pivot`] |
//!
//! Rows hold integers without denominators, so a conflict's Farkas multipliers stand in its row. All columns are
//! integer-valued, hence all bounds are integers, and so are the values of all columns that are not basic: only the value
//! of a basic column is a fraction, `sum / divisor` of its row, and the row's integers are all that it takes.
//!
//! Invariants: a column that is not basic lies within its bounds; every row's sum is right; both survive
//! [`Simplex::undo`], which only loosens bounds, so the tableau keeps the basis and the values from check to check.
//! Heuristic: a row that no column can mend is a conflict at once, the shortest such row first; else the smallest
//! violated basic column leaves; of the columns that can take its place the one that occurs in fewest rows enters, which
//! keeps the tableau thin. Termination: after [`GREEDY_PIVOTS`] pivots in one check the smallest suitable column enters
//! (Bland's rule).

mod row;

use super::literal::Lit;
use super::meter::{Exhausted, Meter};
use super::rational::Rational;
use crate::logic::Int;
use row::{RowChange, TableauRow};
use std::cmp::Ordering;

/// A column's number.
pub type ColumnId = u32;

/// So many pivots of one check may choose the entering column freely.
const GREEDY_PIVOTS: u32 = 200;

/// So much work on rows is one step of the meter.
const ENTRIES_PER_STEP: u64 = 64;

/// Which bound of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundSide {
    Lower,
    Upper,
}

impl std::ops::Not for BoundSide {
    type Output = BoundSide;
    fn not(self) -> BoundSide {
        if self == BoundSide::Lower { BoundSide::Upper } else { BoundSide::Lower }
    }
}

#[derive(Clone, Debug)]
struct Bound {
    value: Int,
    reason: Lit,
}

#[derive(Clone, Debug, Default)]
struct Column {
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// Where the column is not basic; else out of date.
    value: Int,
    /// The row in which the column is basic.
    row: Option<u32>,
    /// Whether it stands among the suspects.
    suspected: bool,
    /// The rows in which the column occurs without being basic.
    occurs: Vec<u32>,
}

impl Column {
    /// Whether `at` is, in this direction, short of the bound on that side.
    fn can_move(&self, up: bool) -> bool {
        match if up { &self.upper } else { &self.lower } {
            None => true,
            Some(bound) if up => self.value < bound.value,
            Some(bound) => self.value > bound.value,
        }
    }
}

/// Bounds that cannot hold together: each reason, which of its bounds is meant, and its positive multiplier. The sum of
/// the bounds' inequalities so multiplied is `0 ≤ -k` with a positive `k`.
pub type Conflict = Vec<(Lit, BoundSide, Int)>;

/// Why a check did not end in "consistent".
pub enum Trouble {
    Conflict(Conflict),
    Exhausted(Exhausted),
}

/// The tableau.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    columns: Vec<Column>,
    rows: Vec<TableauRow>,
    /// Basic columns that may violate a bound; some may have become not basic since.
    suspects: Vec<ColumnId>,
    undo: Vec<(ColumnId, BoundSide, Option<Bound>)>,
    /// Work since the last check, in row entries: the next check pays for it.
    unpaid: u64,
}

impl Simplex {
    /// A new column without bounds, value 0.
    pub fn add_column(&mut self) -> ColumnId {
        self.columns.push(Column::default());
        self.columns.len() as ColumnId - 1
    }

    /// A new column that equals `Σ coefficient · column`; the columns are distinct.
    pub fn add_slack(&mut self, form: Vec<(ColumnId, Int)>) -> ColumnId {
        let slack = self.add_column();
        // Mostly ascending already, since columns are made in the order of the atoms.
        let mut terms: Vec<(ColumnId, Int)> = Vec::with_capacity(form.len());
        for term in form {
            terms.insert(terms.partition_point(|other| other.0 < term.0), term);
        }
        let mut row = TableauRow { basic: slack, divisor: Int::ONE, terms, sum: Int::ZERO };
        row.sum = row.terms.iter().fold(Int::ZERO, |sum, (column, coefficient)| {
            let column = &self.columns[*column as usize];
            if column.row.is_some() { sum } else { sum + &(coefficient * &column.value) }
        });
        // Express basic columns by the others.
        let mut change = RowChange::default();
        let basic: Vec<ColumnId> = row.terms.iter().map(|term| term.0).filter(|&id| self.columns[id as usize].row.is_some()).collect();
        for column in basic {
            if let Some(other) = self.columns[column as usize].row {
                let coefficient = row.coefficient(column).clone();
                row.substitute(&self.rows[other as usize], &coefficient, &mut change);
                self.unpaid += change.cost;
            }
        }
        let number = self.rows.len() as u32;
        for (column, _) in &row.terms {
            self.columns[*column as usize].occurs.push(number);
        }
        self.columns[slack as usize].row = Some(number);
        self.rows.push(row);
        slack
    }

    /// The value of a column under the last consistent assignment.
    pub fn value(&self, column: ColumnId) -> Rational {
        let column = &self.columns[column as usize];
        match column.row {
            Some(row) => {
                let row = &self.rows[row as usize];
                Rational::new(row.sum.clone(), row.divisor.clone())
            }
            None => Rational::from(&column.value),
        }
    }

    /// Whether the value of a column is whole.
    pub fn is_whole(&self, column: ColumnId) -> bool {
        self.columns[column as usize].row.is_none_or(|row| {
            let row = &self.rows[row as usize];
            row.divisor.is_one() || row.sum.is_multiple_of(&row.divisor)
        })
    }

    /// The value of a column, rounded down.
    pub fn floor(&self, column: ColumnId) -> Int {
        let column = &self.columns[column as usize];
        match column.row {
            Some(row) => {
                let row = &self.rows[row as usize];
                row.sum.div_floor(&row.divisor).expect("the divisor is positive")
            }
            None => column.value.clone(),
        }
    }

    /// Compares the column's value with a whole number.
    fn compare(&self, column: &Column, value: &Int) -> Ordering {
        match column.row {
            Some(row) => {
                let row = &self.rows[row as usize];
                if row.divisor.is_one() { row.sum.cmp(value) } else { row.sum.cmp(&(value * &row.divisor)) }
            }
            None => column.value.cmp(value),
        }
    }

    /// A bound of a column with its reason.
    pub fn bound(&self, column: ColumnId, side: BoundSide) -> Option<(&Int, Lit)> {
        let column = &self.columns[column as usize];
        let bound = if side == BoundSide::Lower { &column.lower } else { &column.upper };
        bound.as_ref().map(|bound| (&bound.value, bound.reason))
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
        [&column.lower, &column.upper].into_iter().flatten().any(|bound| self.compare(column, &bound.value).is_eq())
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

    fn slot(&mut self, column: ColumnId, side: BoundSide) -> &mut Option<Bound> {
        let column = &mut self.columns[column as usize];
        match side {
            BoundSide::Lower => &mut column.lower,
            BoundSide::Upper => &mut column.upper,
        }
    }

    /// Adds a bound with its reason; gives whether it is tighter than what was there.
    ///
    /// # Errors
    /// When it contradicts the opposite bound.
    pub fn assert(&mut self, id: ColumnId, side: BoundSide, value: &Int, reason: Lit) -> Result<bool, Conflict> {
        let column = &self.columns[id as usize];
        let (same, opposite) = match side {
            BoundSide::Lower => (&column.lower, &column.upper),
            BoundSide::Upper => (&column.upper, &column.lower),
        };
        let tighter = |a: &Int, b: &Int| if side == BoundSide::Lower { a > b } else { a < b };
        if same.as_ref().is_some_and(|bound| !tighter(value, &bound.value)) {
            return Ok(false);
        }
        if let Some(bound) = opposite.as_ref().filter(|bound| tighter(value, &bound.value)) {
            return Err(vec![(reason, side, Int::ONE), (bound.reason, !side, Int::ONE)]);
        }
        let outside = match side {
            BoundSide::Lower => self.compare(column, value).is_lt(),
            BoundSide::Upper => self.compare(column, value).is_gt(),
        };
        let basic = column.row.is_some();
        let old = self.slot(id, side).replace(Bound { value: value.clone(), reason });
        self.undo.push((id, side, old));
        if outside && basic {
            self.suspect(id);
        } else if outside {
            self.move_to(id, value);
        }
        Ok(true)
    }

    fn suspect(&mut self, id: ColumnId) {
        if !std::mem::replace(&mut self.columns[id as usize].suspected, true) {
            self.suspects.push(id);
        }
    }

    /// Moves a column that is not basic, the basic ones with it.
    fn move_to(&mut self, id: ColumnId, value: &Int) {
        let delta = value - &self.columns[id as usize].value;
        self.unpaid += self.columns[id as usize].occurs.len() as u64;
        for at in 0..self.columns[id as usize].occurs.len() {
            let row = &mut self.rows[self.columns[id as usize].occurs[at] as usize];
            let change = row.coefficient(id) * &delta;
            row.sum += &change;
            let basic = row.basic;
            self.suspect(basic);
        }
        self.columns[id as usize].value = value.clone();
    }

    /// Finds values within all bounds.
    ///
    /// # Errors
    /// With a conflict where there are none, or when the steps are used up.
    pub fn check(&mut self, meter: &mut Meter) -> Result<(), Trouble> {
        meter.spend(std::mem::take(&mut self.unpaid) / ENTRIES_PER_STEP).map_err(Trouble::Exhausted)?;
        let mut pivots = 0;
        let mut change = RowChange::default();
        loop {
            let mut leaving: Option<(ColumnId, u32, bool)> = None;
            let mut stuck: Option<(usize, u32, bool)> = None;
            let mut suspects = std::mem::take(&mut self.suspects);
            suspects.retain(|&id| {
                let Some((row, up)) = self.violated(id) else {
                    self.columns[id as usize].suspected = false;
                    return false;
                };
                let length = self.rows[row as usize].terms.len();
                if self.entering(row, up, false).is_none() {
                    if stuck.is_none_or(|(shortest, ..)| length < shortest) {
                        stuck = Some((length, row, up));
                    }
                } else if leaving.is_none_or(|(least, ..)| id < least) {
                    leaving = Some((id, row, up));
                }
                true
            });
            self.suspects = suspects;
            if let Some((_, row, up)) = stuck {
                meter.spend(1).map_err(Trouble::Exhausted)?;
                return Err(Trouble::Conflict(self.explain(row, up)));
            }
            let Some((id, row, up)) = leaving else { return Ok(()) };
            let column = &self.columns[id as usize];
            let bound = if up { &column.lower } else { &column.upper };
            let target = bound.as_ref().map_or(Int::ZERO, |bound| bound.value.clone());
            let Some(entering) = self.entering(row, up, pivots < GREEDY_PIVOTS) else { return Ok(()) };
            pivots += 1;
            let cost = self.pivot(row, entering, target, &mut change);
            meter.spend(1 + cost / ENTRIES_PER_STEP).map_err(Trouble::Exhausted)?;
        }
    }

    /// The row of a basic column that violates a bound, and whether it has to go up.
    fn violated(&self, id: ColumnId) -> Option<(u32, bool)> {
        let column = &self.columns[id as usize];
        let row = column.row?;
        let beyond =
            |bound: &Option<Bound>, order: Ordering| bound.as_ref().is_some_and(|bound| self.compare(column, &bound.value) == order);
        let below = beyond(&column.lower, Ordering::Less);
        (below || beyond(&column.upper, Ordering::Greater)).then_some((row, below))
    }

    /// A column of the row that can move so that the row's basic column goes up (or down): the one in the fewest rows,
    /// or the smallest.
    fn entering(&self, row: u32, up: bool, greedy: bool) -> Option<ColumnId> {
        let row = &self.rows[row as usize];
        let mut suitable = row.terms.iter().filter(|(id, coefficient)| {
            let column_up = coefficient.is_positive() == up;
            self.columns[*id as usize].can_move(column_up)
        });
        let found = if greedy { suitable.min_by_key(|(id, _)| self.columns[*id as usize].occurs.len()) } else { suitable.next() };
        found.map(|term| term.0)
    }

    /// The bounds that keep the row's basic column from going up (or down) to its own bound.
    fn explain(&self, row: u32, up: bool) -> Conflict {
        let row = &self.rows[row as usize];
        let part = |id: ColumnId, upper: bool, factor: Int| {
            let column = &self.columns[id as usize];
            let (bound, side) = if upper { (&column.upper, BoundSide::Upper) } else { (&column.lower, BoundSide::Lower) };
            (bound.as_ref().expect("a column that cannot move has that bound").reason, side, factor)
        };
        let basic = part(row.basic, !up, row.divisor.clone());
        let others = row.terms.iter().map(|(id, c)| part(*id, c.is_positive() == up, c.abs()));
        std::iter::once(basic).chain(others).collect()
    }

    /// Makes `entering` the basic column of the row; the leaving column takes the value `target`, the entering one moves
    /// so that the row holds, and with it the other rows. Gives the work done, in row entries.
    fn pivot(&mut self, at: u32, entering: ColumnId, target: Int, change: &mut RowChange) -> u64 {
        let empty = TableauRow { basic: 0, divisor: Int::ONE, terms: Vec::new(), sum: Int::ZERO };
        let mut row = std::mem::replace(&mut self.rows[at as usize], empty);
        let leaving = row.basic;
        row.exchange(entering);
        self.columns[leaving as usize].row = None;
        self.columns[leaving as usize].value = target;
        self.columns[leaving as usize].occurs.push(at);
        self.columns[entering as usize].row = Some(at);
        row.sum = row.terms.iter().fold(Int::ZERO, |sum, (column, c)| sum + &(&self.columns[*column as usize].value * c));
        let mut cost = row.terms.len() as u64;
        for other in std::mem::take(&mut self.columns[entering as usize].occurs) {
            if other == at {
                continue;
            }
            let changed = &mut self.rows[other as usize];
            let coefficient = changed.coefficient(entering).clone();
            changed.sum -= &(&coefficient * &self.columns[entering as usize].value);
            changed.substitute(&row, &coefficient, change);
            let basic = changed.basic;
            cost += change.cost;
            for &column in &change.added {
                self.columns[column as usize].occurs.push(other);
            }
            for &column in &change.removed {
                let occurs = &mut self.columns[column as usize].occurs;
                if let Some(position) = occurs.iter().position(|&row| row == other) {
                    occurs.swap_remove(position);
                }
            }
            self.suspect(basic);
        }
        self.suspect(entering);
        self.rows[at as usize] = row;
        cost
    }

    #[cfg(test)]
    fn invariants_hold(&self) -> bool {
        let rows = self.rows.iter().enumerate().all(|(number, row)| {
            let sum = row.terms.iter().fold(Int::ZERO, |sum, (column, c)| sum + &(&self.columns[*column as usize].value * c));
            let occurs = row.terms.iter().all(|(column, _)| {
                let column = &self.columns[*column as usize];
                column.row.is_none() && column.occurs.iter().filter(|&&at| at as usize == number).count() == 1
            });
            sum == row.sum && occurs && row.divisor.is_positive() && self.columns[row.basic as usize].row == Some(number as u32)
        });
        let occurrences: usize = self.columns.iter().map(|column| column.occurs.len()).sum();
        let bounds = self.columns.iter().filter(|column| column.row.is_none()).all(|column| {
            column.lower.as_ref().is_none_or(|bound| column.value >= bound.value)
                && column.upper.as_ref().is_none_or(|bound| column.value <= bound.value)
        });
        rows && bounds && occurrences == self.rows.iter().map(|row| row.terms.len()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(96)))]
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
                simplex.add_slack(terms);
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
                let side = if upper { BoundSide::Upper } else { BoundSide::Lower };
                let mut outcome = simplex.assert(column as u32, side, &Int::from(value), reason).map(|_| ());
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
                        let order = simplex.compare(&simplex.columns[column], &Int::from(value));
                        let violated = if upper { Ordering::Greater } else { Ordering::Less };
                        prop_assert_ne!(order, violated);
                    },
                    Err(conflict) => {
                        let (mut form, mut right) = (vec![0i64; 3], 0i64);
                        for (lit, side, multiplier) in conflict {
                            let (column, upper, value) = asserted[lit.index()];
                            prop_assert_eq!(side == BoundSide::Upper, upper);
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
