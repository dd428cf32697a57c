//! Interval propagation: tightens the bounds of single atoms by one formula after the other until nothing changes.
//!
//! `Σ c·x + k ≤ 0` bounds each of its atoms by what the others can do at best, rounded to whole numbers; an equality does so in
//! both directions, a denied one cuts off an end of an interval. Of a conjunction each part counts, of a disjunction only that
//! some part has to be possible. Atoms have no bounds at first, so propagation does not see what follows only from two open
//! intervals (`x < y`, `y < x`). After [`MAX_ROUNDS`] passes it ends as it stands: it may creep on for ever.

use crate::logic::{AtomId, Formula, FormulaId, Int, Linear, Pool, SortedMap};
use crate::solver::meter::{Exhausted, Meter};

/// Passes over all formulas; a pass that changes nothing is the last.
const MAX_ROUNDS: usize = 64;

#[derive(Clone, Debug, Default)]
struct TermInterval {
    low: Option<Int>,
    high: Option<Int>,
}

impl TermInterval {
    fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }
}

type IntervalBounds = SortedMap<AtomId, TermInterval>;

/// Some interval is empty.
struct Empty;

/// Whether propagation empties some interval: then the formulas cannot hold together.
///
/// # Errors
/// When the steps are used up.
pub fn refuted(pool: &Pool, formulas: &[FormulaId], meter: &mut Meter) -> Result<bool, Exhausted> {
    let mut bounds = IntervalBounds::new();
    for _ in 0..MAX_ROUNDS {
        meter.spend(1 + formulas.len() as u64)?;
        let mut changed = false;
        for &formula in formulas {
            match narrow(pool, &mut bounds, formula, true) {
                Ok(tighter) => changed |= tighter,
                Err(Empty) => return Ok(true),
            }
        }
        if !changed {
            break;
        }
    }
    Ok(false)
}

/// Narrows the intervals by a formula, or (not `holds`) by its negation; gives whether anything changed.
fn narrow(pool: &Pool, bounds: &mut IntervalBounds, formula: FormulaId, holds: bool) -> Result<bool, Empty> {
    match pool.formula(formula) {
        Formula::True | Formula::False => {
            if matches!(pool.formula(formula), Formula::True) == holds {
                Ok(false)
            } else {
                Err(Empty)
            }
        }
        Formula::Bool(_) => Ok(false),
        Formula::Not(inner) => narrow(pool, bounds, *inner, !holds),
        Formula::Le(term) if holds => at_most_zero(bounds, term),
        // t ≥ 1
        Formula::Le(term) => at_most_zero(bounds, &term.neg().add_constant(&Int::ONE)),
        Formula::Eq(term) if holds => Ok(at_most_zero(bounds, term)? | at_most_zero(bounds, &term.neg())?),
        Formula::Eq(term) => not_zero(bounds, term),
        Formula::And(parts) if holds => each(pool, bounds, parts, true),
        Formula::Or(parts) if !holds => each(pool, bounds, parts, false),
        // At least one part: if only one is possible, that one.
        Formula::And(parts) | Formula::Or(parts) => {
            let mut possible = parts.iter().filter(|&&part| narrow(pool, &mut bounds.clone(), part, holds).is_ok());
            match (possible.next(), possible.next()) {
                (None, _) => Err(Empty),
                (Some(&only), None) => narrow(pool, bounds, only, holds),
                _ => Ok(false),
            }
        }
    }
}

fn each(pool: &Pool, bounds: &mut IntervalBounds, parts: &[FormulaId], holds: bool) -> Result<bool, Empty> {
    let mut changed = false;
    for &part in parts {
        changed |= narrow(pool, bounds, part, holds)?;
    }
    Ok(changed)
}

/// The least value of `coefficient · atom`.
fn least(bounds: &IntervalBounds, atom: AtomId, coefficient: &Int) -> Option<Int> {
    let interval = bounds.get(&atom)?;
    let end = if coefficient.is_positive() { &interval.low } else { &interval.high };
    end.as_ref().map(|end| end * coefficient)
}

/// `term ≤ 0`.
fn at_most_zero(bounds: &mut IntervalBounds, term: &Linear) -> Result<bool, Empty> {
    // Of all atoms but one the least values are needed.
    let mut sum = term.offset().clone();
    let mut open = None;
    for (atom, coefficient) in term.terms() {
        match least(bounds, *atom, coefficient) {
            Some(value) => sum += &value,
            None if open.is_some() => return Ok(false),
            None => open = Some(*atom),
        }
    }
    if open.is_none() && sum.is_positive() {
        return Err(Empty);
    }
    let mut changed = false;
    for (atom, coefficient) in term.terms().iter().filter(|(atom, _)| open.is_none_or(|open| open == *atom)) {
        // coefficient · atom ≤ -(sum of the others)
        let others = match least(bounds, *atom, coefficient) {
            Some(own) => &sum - &own,
            None => sum.clone(),
        };
        let room = -&others;
        let interval = bounds.entry(*atom).or_default();
        let positive = coefficient.is_positive();
        let Some((quotient, _)) = room.div_rem_floor(&coefficient.abs()) else { continue };
        if positive {
            if interval.high.as_ref().is_none_or(|high| quotient < *high) {
                interval.high = Some(quotient);
                changed = true;
            }
        } else {
            // atom ≥ -room / |c|, rounded up: ⌈-r/c⌉ = -⌊r/c⌋
            let bound = -&quotient;
            if interval.low.as_ref().is_none_or(|low| bound > *low) {
                interval.low = Some(bound);
                changed = true;
            }
        }
        if interval.is_empty() {
            return Err(Empty);
        }
    }
    Ok(changed)
}

/// `term ≠ 0`.
fn not_zero(bounds: &mut IntervalBounds, term: &Linear) -> Result<bool, Empty> {
    let fixed = |bounds: &IntervalBounds, atom: AtomId| {
        bounds.get(&atom).and_then(|interval| interval.low.clone().filter(|low| Some(low) == interval.high.as_ref()))
    };
    let mut sum = term.offset().clone();
    let mut open = None;
    for (atom, coefficient) in term.terms() {
        match fixed(bounds, *atom) {
            Some(value) => sum += &(&value * coefficient),
            None if open.is_some() => return Ok(false),
            None => open = Some((*atom, coefficient.clone())),
        }
    }
    let Some((atom, coefficient)) = open else { return if sum.is_zero() { Err(Empty) } else { Ok(false) } };
    let Some((value, remainder)) = (-&sum).div_rem_floor(&coefficient) else { return Ok(false) };
    let Some(interval) = bounds.get_mut(&atom) else { return Ok(false) };
    if !remainder.is_zero() {
        return Ok(false);
    }
    if interval.low.as_ref() == Some(&value) {
        interval.low = Some(&value + &Int::ONE);
    } else if interval.high.as_ref() == Some(&value) {
        interval.high = Some(&value - &Int::ONE);
    } else {
        return Ok(false);
    }
    if interval.is_empty() { Err(Empty) } else { Ok(true) }
}
