//! The unit-cube test: a point so far from all bounds that rounding it keeps them.
//!
//! Source: M. Bromberger and C. Weidenbach, *Fast Cube Tests for LIA Constraint Solving*, IJCAR 2016.
//!
//! Rounding moves each atom by at most 1/2, hence a form `Σ c x` by at most `Σ |c| / 2`. The test tightens each bound by
//! that much (but those of single atoms, which are whole), and simplex either finds a point that may be rounded, or there
//! is no such point, which says nothing about the others. Equalities stay as they are, and [`super::lattice`] rounds within
//! them; where two bounds are too close, the form stays in the middle between them. The point is a proposal like any
//! other: having passed here proves nothing.

use super::meter::{Exhausted, Meter};
use super::search::Search;
use super::simplex::{BoundSide, ColumnId, Trouble};
use crate::logic::{Int, Linear};

/// By how much rounding each atom can move the form, rounded up.
pub fn reach(form: &Linear) -> Int {
    match form.terms() {
        [_] => Int::ZERO,
        terms => terms.iter().fold(Int::ONE, |sum, (_, c)| sum + &c.abs()).div_floor(&Int::from(2)).unwrap_or_default(),
    }
}

/// Moves the candidate away from the bounds of these columns, as far as rounding reaches, if there is room; else leaves it within them.
///
/// # Errors
/// When the steps are used up.
pub fn centre(search: &mut Search, columns: &[ColumnId], reach: impl Fn(&Linear) -> Int, meter: &mut Meter) -> Result<(), Exhausted> {
    let mark = search.simplex.mark();
    let mut room = true;
    for &column in columns {
        let reach = reach(&search.forms[column as usize]);
        if reach.is_zero() {
            continue;
        }
        let bound = |side| search.simplex.bound(column, side).map(|(value, reason)| (value.clone(), reason));
        let (lower, upper) = (bound(BoundSide::Lower), bound(BoundSide::Upper));
        let margin = match (&lower, &upper) {
            (Some((lower, _)), Some((upper, _))) => (upper - lower).div_floor(&Int::from(2)).unwrap_or_default().min(reach),
            (None, None) => continue,
            _ => reach,
        };
        for (side, bound) in [(BoundSide::Lower, lower), (BoundSide::Upper, upper)] {
            let Some((value, reason)) = bound else { continue };
            let tightened = if side == BoundSide::Lower { &value + &margin } else { &value - &margin };
            room &= search.simplex.assert(column, side, &tightened, reason).is_ok();
        }
    }
    let outcome = if room { search.simplex.check(meter) } else { Ok(()) };
    search.simplex.undo(mark);
    match outcome {
        Err(Trouble::Exhausted(why)) => Err(why),
        Err(Trouble::Conflict(_)) | Ok(()) => match search.simplex.check(meter) {
            Err(Trouble::Exhausted(why)) => Err(why),
            Err(Trouble::Conflict(_)) => unreachable!("the bounds were consistent before"),
            Ok(()) => Ok(()),
        },
    }
}
