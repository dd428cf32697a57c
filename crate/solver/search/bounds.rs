//! Literals that bound a column: what they tell simplex, what they imply for each other, and the lemmas of its conflicts.

use super::super::certificate::{LinearStep, Step};
use super::super::literal::Lit;
use super::super::simplex::{BoundSide, ColumnId, Conflict};
use super::{Clause, ClauseOrigin, LiteralReason, Search};
use crate::logic::{Int, ascending};

/// What a literal of an inequality or equality says about a column.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// One literal says `column ≤ at_most`, the positive one if `direct`; the other says `column ≥ at_most + 1`.
    Inequality { column: ColumnId, at_most: Int, direct: bool, content: Int },
    /// The positive literal says `column = value`; the negative one nothing that a bound could say. The term is that of
    /// the column if `direct`, else its negation, times the content.
    Equality { column: ColumnId, value: Int, direct: bool, content: Int },
}

impl Bounds {
    fn content(&self) -> &Int {
        match self {
            Bounds::Inequality { content, .. } | Bounds::Equality { content, .. } => content,
        }
    }
}

impl Search {
    /// Hands what a literal says about a column to simplex and to the other literals of the column.
    pub(super) fn assert_bounds(&mut self, lit: Lit) -> Result<(), Conflict> {
        match &self.vars[lit.var() as usize].bounds {
            Some(Bounds::Inequality { column, at_most, direct, .. }) => {
                let column = *column;
                if lit.is_positive() == *direct {
                    if self.simplex.assert(column, BoundSide::Upper, at_most, lit)? {
                        self.propagate_bound(column, BoundSide::Upper, lit);
                    }
                } else if self.simplex.assert(column, BoundSide::Lower, &(at_most + &Int::ONE), lit)? {
                    self.propagate_bound(column, BoundSide::Lower, lit);
                }
            }
            Some(Bounds::Equality { column, value, .. }) if lit.is_positive() => {
                let column = *column;
                let upper = self.simplex.assert(column, BoundSide::Upper, value, lit)?;
                let lower = self.simplex.assert(column, BoundSide::Lower, value, lit)?;
                for (tighter, side) in [(upper, BoundSide::Upper), (lower, BoundSide::Lower)] {
                    if tighter {
                        self.propagate_bound(column, side, lit);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a new bound says about the other literals of its column: `x ≤ 3` implies `x ≤ 5` and excludes `x ≥ 7` and `x = 4`.
    pub(super) fn propagate_bound(&mut self, column: ColumnId, side: BoundSide, because: Lit) {
        let Some((bound, _)) = self.simplex.bound(column, side) else { return };
        let thresholds = self.thresholds.get(column as usize).map_or(&[][..], Vec::as_slice);
        let points = self.points.get(column as usize).map_or(&[][..], Vec::as_slice);
        let open = |lit: &Lit| self.value(*lit).is_none();
        let mut implied: Vec<Lit> = Vec::new();
        match side {
            BoundSide::Upper => {
                let from = thresholds.partition_point(|(value, _)| value < bound);
                implied.extend(thresholds[from..].iter().map(|(_, lit)| *lit).filter(open));
                let from = points.partition_point(|(value, _)| value <= bound);
                implied.extend(points[from..].iter().map(|(_, lit)| !*lit).filter(open));
            }
            BoundSide::Lower => {
                let to = thresholds.partition_point(|(value, _)| value < bound);
                implied.extend(thresholds[..to].iter().map(|(_, lit)| !*lit).filter(open));
                let to = points.partition_point(|(value, _)| value < bound);
                implied.extend(points[..to].iter().map(|(_, lit)| !*lit).filter(open));
            }
        }
        for other in implied {
            self.enqueue(other, LiteralReason::Bound(because));
        }
    }

    /// Gives a literal that is new the value that the bounds of its column imply, if they do.
    pub fn imply_new(&mut self, lit: Lit) {
        let Some(bounds) = &self.vars[lit.var() as usize].bounds else { return };
        if self.value(lit).is_some() {
            return;
        }
        let both = |column| (self.simplex.bound(column, BoundSide::Lower), self.simplex.bound(column, BoundSide::Upper));
        let implied = match bounds {
            Bounds::Inequality { column, at_most, direct, .. } => {
                let this = Lit::new(lit.var(), *direct);
                match both(*column) {
                    (_, Some((upper, because))) if upper <= at_most => Some((this, because)),
                    (Some((lower, because)), _) if lower > at_most => Some((!this, because)),
                    _ => None,
                }
            }
            Bounds::Equality { column, value, .. } => match both(*column) {
                (_, Some((upper, because))) if upper < value => Some((Lit::new(lit.var(), false), because)),
                (Some((lower, because)), _) if lower > value => Some((Lit::new(lit.var(), false), because)),
                _ => None,
            },
        };
        if let Some((implied, because)) = implied {
            self.enqueue(implied, LiteralReason::Bound(because));
        }
    }

    /// The bounds, lower and upper, that a literal puts on its column.
    pub(super) fn bounds_of(&self, lit: Lit) -> (Option<Int>, Option<Int>) {
        match &self.vars[lit.var() as usize].bounds {
            Some(Bounds::Inequality { at_most, direct, .. }) if lit.is_positive() == *direct => (None, Some(at_most.clone())),
            Some(Bounds::Inequality { at_most, .. }) => (Some(at_most + &Int::ONE), None),
            Some(Bounds::Equality { value, .. }) if lit.is_positive() => (Some(value.clone()), Some(value.clone())),
            _ => (None, None),
        }
    }

    /// Two literals whose bounds on one column exclude each other.
    pub(super) fn clash(&self, a: Lit, b: Lit) -> Conflict {
        let is_above = |low: &Option<Int>, high: &Option<Int>| matches!((low, high), (Some(low), Some(high)) if low > high);
        let side = if is_above(&self.bounds_of(a).0, &self.bounds_of(b).1) { BoundSide::Lower } else { BoundSide::Upper };
        vec![(a, side, Int::ONE), (b, !side, Int::ONE)]
    }

    /// The clause that a simplex conflict gives, with its derivation: each literal's inequality divided by its content,
    /// then all added up with the conflict's multipliers.
    pub(super) fn lemma(&self, conflict: Conflict) -> Clause {
        let mut steps = Vec::with_capacity(2 * conflict.len() + 1);
        let mut parts = Vec::with_capacity(conflict.len());
        let mut lits = Vec::with_capacity(conflict.len());
        for (lit, side, multiplier) in conflict {
            let literal = self.literal(lit);
            let bounds = self.vars[lit.var() as usize].bounds.as_ref();
            steps.push(match bounds {
                Some(Bounds::Equality { direct, .. }) if *direct != (side == BoundSide::Upper) => LinearStep::Opposite(literal),
                _ => LinearStep::Literal(literal),
            });
            if let Some(content) = bounds.map(Bounds::content).filter(|content| !content.is_one()) {
                steps.push(LinearStep::Divide(steps.len() as u32 - 1, content.clone()));
            }
            parts.push((steps.len() as u32 - 1, multiplier));
            lits.push(!lit);
        }
        // Both halves of an equality may be there.
        let lits = ascending(lits);
        steps.push(LinearStep::Combine(parts));
        Clause { lits, origin: ClauseOrigin::Given(Step::Linear(steps)) }
    }
}
