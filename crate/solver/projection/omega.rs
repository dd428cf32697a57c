//! Eliminating variables from a conjunction of linear constraints over the integers: equalities by a unimodular change
//! of variables, then inequalities by Fourier–Motzkin with Pugh's shadows.

use super::{Case, ProjectionGoal, Projector};
use crate::logic::substitution::coefficient;
use crate::logic::{AtomId, Int, Linear, Pool, SortedMap, SortedSet};
use crate::solver::meter::Exhausted;
use rustc_hash::FxHashSet;

/// What became of a case.
pub enum CaseOutcome {
    /// No values of the kept variables satisfy it.
    Contradiction,
    /// No variable to eliminate is left.
    Done,
    /// These cases together are as good as the case was.
    Split(Vec<Case>),
}

/// An inequality as a bound of a variable: `coefficient · x ≤ term` or `coefficient · x ≥ term`, the coefficient positive.
struct VariableBound {
    coefficient: Int,
    term: Linear,
}

/// Eliminates the variables of a case, all of whose atoms are plain variables by now.
pub fn eliminate(projector: &mut Projector, pool: &mut Pool, case: &mut Case) -> Result<CaseOutcome, Exhausted> {
    loop {
        projector.meter.spend(case.size())?;
        if !normalise(case) {
            return Ok(CaseOutcome::Contradiction);
        }
        if let Some(at) = case.equal.iter().position(|term| has_variable(term, &case.variables)) {
            let equality = case.equal.remove(at);
            if !solve(projector, pool, case, equality)? {
                return Ok(CaseOutcome::Contradiction);
            }
            continue;
        }
        let Some(x) = choose(case) else { return Ok(CaseOutcome::Done) };
        let (lower, upper) = bounds(case, x);
        let unbounded = lower.is_empty() || upper.is_empty();
        if !unbounded && let Some(at) = case.unequal.iter().position(|term| !coefficient(term, x).is_zero()) {
            let term = case.unequal.remove(at);
            if let Some(cases) = separate(projector, case, term) {
                return Ok(CaseOutcome::Split(cases));
            }
            continue;
        }
        let whole = case.clone();
        let without = |term: &Linear| coefficient(term, x).is_zero();
        case.at_most.retain(without);
        if unbounded {
            // Small (large) enough values of x satisfy all that speaks of it.
            case.unequal.retain(without);
            continue;
        }
        projector.meter.spend((lower.len() * upper.len()) as u64)?;
        let (real, dark) = (shadow(&lower, &upper, false), shadow(&lower, &upper, true));
        if real == dark {
            case.at_most.extend(real);
            continue;
        }
        match projector.goal {
            ProjectionGoal::Under => {
                projector.inexact = true;
                case.at_most.extend(dark);
            }
            ProjectionGoal::Exact => {
                if let Some(mut cases) = splinters(projector, &whole, x, &lower, &upper)? {
                    let mut first = case.clone();
                    first.at_most.extend(dark);
                    cases.insert(0, first);
                    return Ok(CaseOutcome::Split(cases));
                }
                projector.inexact = true;
                case.at_most.extend(real);
            }
            ProjectionGoal::Over => {
                projector.inexact = true;
                case.at_most.extend(real);
            }
        }
    }
}

fn has_variable(term: &Linear, variables: &SortedSet<AtomId>) -> bool {
    term.terms().iter().any(|(atom, _)| variables.contains(atom))
}

// Normal form.

/// `t + c ≤ 0` with the coefficients divided by their greatest common divisor and the constant rounded up.
fn tighten(term: &Linear) -> Linear {
    let content = term.content();
    if content.is_zero() || content.is_one() {
        return term.clone();
    }
    Linear::new(quotients(term, &content), -quotient(&-term.offset(), &content))
}

fn quotient(value: &Int, divisor: &Int) -> Int {
    value.div_floor(divisor).expect("contents are not zero")
}

fn quotients(term: &Linear, divisor: &Int) -> Vec<(AtomId, Int)> {
    term.terms().iter().map(|(atom, c)| (*atom, quotient(c, divisor))).collect()
}

/// Divides every constraint by its content, keeps the tightest of parallel inequalities, finds equalities among them.
/// Gives whether no contradiction was seen.
fn normalise(case: &mut Case) -> bool {
    let mut tightest: SortedMap<Vec<(AtomId, Int)>, Int> = SortedMap::new();
    for term in case.at_most.drain(..) {
        let term = tighten(&term);
        match term.as_constant() {
            Some(constant) if constant.is_positive() => return false,
            Some(_) => {}
            None => {
                let constant = term.offset().clone();
                let entry = tightest.entry(term.terms().to_vec()).or_insert_with(|| constant.clone());
                if *entry < constant {
                    *entry = constant;
                }
            }
        }
    }
    let exact = |term: &Linear| -> Option<Linear> {
        let content = term.content();
        let whole = term.offset().is_multiple_of(&content);
        whole.then(
            || if content.is_zero() { term.clone() } else { Linear::new(quotients(term, &content), quotient(term.offset(), &content)) },
        )
    };
    // Not equal: tighten a bound that it touches.
    let mut unequal: Vec<Linear> = Vec::new();
    for term in case.unequal.drain(..) {
        let Some(term) = exact(&term) else { continue };
        match term.as_constant() {
            Some(constant) if constant.is_zero() => return false,
            Some(_) => {}
            None => unequal.push(term),
        }
    }
    loop {
        let before = unequal.len();
        unequal.retain(|term| {
            for side in [term.clone(), term.neg()] {
                if let Some(constant) = tightest.get_mut(side.terms())
                    && *constant >= *side.offset()
                {
                    if *constant == *side.offset() {
                        *constant += &Int::ONE;
                    }
                    return false;
                }
            }
            true
        });
        if unequal.len() == before {
            break;
        }
    }
    let mut seen = FxHashSet::default();
    unequal.retain(|term| seen.insert(term.clone()));
    case.unequal = unequal;
    for (terms, constant) in &tightest {
        let opposite: Vec<(AtomId, Int)> = terms.iter().map(|(atom, c)| (*atom, -c)).collect();
        match tightest.get(&opposite).map(|other| (constant + other).signum()) {
            Some(1) => return false,
            Some(0) => {
                if *terms > opposite {
                    case.equal.push(Linear::new(terms.clone(), constant.clone()));
                }
            }
            _ => case.at_most.push(Linear::new(terms.clone(), constant.clone())),
        }
    }
    let mut equal: Vec<Linear> = Vec::new();
    for term in case.equal.drain(..) {
        let Some(term) = exact(&term) else { return false };
        match term.as_constant() {
            Some(constant) if !constant.is_zero() => return false,
            Some(_) => {}
            None => equal.push(term),
        }
    }
    case.equal = equal;
    true
}

// Equalities.

/// Removes a variable by an equality that mentions at least one. Gives whether no contradiction was seen.
///
/// While two variables are in it, the one with the smallest coefficient, `x`, stands for `x + Σ qᵢ·xᵢ` from now on, the
/// others' coefficients are reduced by multiples of its own: a unimodular change of variables, so every whole value is
/// still taken. The last variable has the greatest common divisor `g` as coefficient, `g·x + k = 0` with `k` of kept
/// variables: it exists iff `g` divides `k`, and the other constraints, multiplied, hold `-k` for `g·x`.
fn solve(projector: &mut Projector, pool: &mut Pool, case: &mut Case, mut equality: Linear) -> Result<bool, Exhausted> {
    loop {
        projector.meter.spend(case.size())?;
        let mine: Vec<(AtomId, Int)> = equality.terms().iter().filter(|(atom, _)| case.variables.contains(atom)).cloned().collect();
        let (x, a) = mine.iter().min_by_key(|(atom, c)| (c.abs(), *atom)).cloned().expect("a variable occurs");
        if mine.len() > 1 {
            let multiples = mine.iter().filter(|(atom, _)| *atom != x).map(|(atom, c)| (*atom, -nearest(c, &a)));
            let difference = Linear::new(multiples.collect(), Int::ZERO);
            let change = |term: &Linear| term.add_scaled(&difference, &coefficient(term, x));
            equality = change(&equality);
            case.constraints_mut().for_each(|term| *term = change(term));
            continue;
        }
        if a.is_negative() {
            equality = equality.neg();
        }
        let g = a.abs();
        let rest = equality.sub(&Linear::atom(x).scale(&g));
        for term in case.constraints_mut() {
            let c = coefficient(term, x);
            if !c.is_zero() {
                let common = g.gcd(&c);
                let scaled = term.sub(&Linear::atom(x).scale(&c)).scale(&quotient(&g, &common));
                *term = scaled.add_scaled(&rest, &-quotient(&c, &common));
            }
        }
        return Ok(divides(pool, case, &g, &rest));
    }
}

/// The whole number nearest to `value / divisor`.
fn nearest(value: &Int, divisor: &Int) -> Int {
    let (q, r) = value.div_rem_floor(divisor).expect("a coefficient is not zero");
    // The remainder has the divisor's sign.
    if &r + &r > *divisor && divisor.is_positive() || &r + &r < *divisor && divisor.is_negative() { q + Int::ONE } else { q }
}

/// Adds `divisor | term` to what is kept, as `rem(term, divisor) = 0`.
fn divides(pool: &mut Pool, case: &mut Case, divisor: &Int, term: &Linear) -> bool {
    let residue = |value: &Int, d: &Int| value - &(&nearest(value, d) * d);
    let term = Linear::new(term.terms().iter().map(|(atom, c)| (*atom, residue(c, divisor))).collect(), residue(term.offset(), divisor));
    let common = term.content().gcd(divisor);
    if !term.offset().is_multiple_of(&common) {
        return false;
    }
    let term = Linear::new(quotients(&term, &common), quotient(term.offset(), &common));
    if let Some((_, remainder)) = pool.div_rem_trunc(&term, &Linear::constant(quotient(divisor, &common))) {
        let formula = pool.equal(&remainder, &Linear::default());
        case.kept.push(formula);
        return formula != Pool::FALSE;
    }
    true
}

// Disequalities.

/// The two sides of `term ≠ 0`, or `None` where the case itself was changed instead.
fn separate(projector: &mut Projector, case: &mut Case, term: Linear) -> Option<Vec<Case>> {
    let below = term.add_constant(&Int::ONE);
    let above = term.neg().add_constant(&Int::ONE);
    if projector.goal == ProjectionGoal::Over || !projector.may_split(2) {
        // Over: without it. Under: one side of it.
        projector.inexact = true;
        if projector.goal == ProjectionGoal::Under {
            case.at_most.push(below);
        }
        return None;
    }
    let mut other = case.clone();
    case.at_most.push(below);
    other.at_most.push(above);
    Some(vec![case.clone(), other])
}

// Inequalities.

/// The next variable: first what has bounds on one side only, then what loses nothing, then what adds fewest inequalities.
fn choose(case: &Case) -> Option<AtomId> {
    let mut candidates: SortedSet<AtomId> = SortedSet::new();
    for term in case.at_most.iter().chain(&case.unequal) {
        candidates.extend(term.terms().iter().map(|term| term.0).filter(|atom| case.variables.contains(atom)));
    }
    candidates.into_iter().min_by_key(|&x| {
        let (lower, upper) = bounds(case, x);
        let (l, u) = (lower.len() as i64, upper.len() as i64);
        let parts = case.unequal.iter().filter(|term| !coefficient(term, x).is_zero()).count();
        let unit = |side: &[VariableBound]| side.iter().all(|bound| bound.coefficient.is_one());
        match l * u {
            0 => (false, false, 0, x),
            _ => (!(unit(&lower) || unit(&upper)), parts > 0, l * u - l - u, x),
        }
    })
}

/// The lower and the upper bounds of a variable.
fn bounds(case: &Case, x: AtomId) -> (Vec<VariableBound>, Vec<VariableBound>) {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for term in &case.at_most {
        let c = coefficient(term, x);
        let rest = || term.sub(&Linear::atom(x).scale(&c));
        match c.signum() {
            -1 => lower.push(VariableBound { coefficient: -&c, term: rest() }),
            1 => upper.push(VariableBound { term: rest().neg(), coefficient: c }),
            _ => {}
        }
    }
    (lower, upper)
}

/// Of each pair `a·x ≥ α`, `b·x ≤ β`: `b·α ≤ a·β`, what the reals ask (real shadow); or `b·α + (a-1)(b-1) ≤ a·β`, so that a
/// whole number is certain to lie between (dark shadow). Both are the same where `a` or `b` is 1.
fn shadow(lower: &[VariableBound], upper: &[VariableBound], dark: bool) -> Vec<Linear> {
    let mut result = Vec::with_capacity(lower.len() * upper.len());
    for below in lower {
        for above in upper {
            let (a, b) = (&below.coefficient, &above.coefficient);
            let gap = if dark { &(a - &Int::ONE) * &(b - &Int::ONE) } else { Int::ZERO };
            let term = below.term.scale(b).add_scaled(&above.term, &-a).add_constant(&gap);
            // Both shadows in one form, so that they can be compared.
            result.push(match term.as_constant() {
                Some(constant) => Linear::constant(i64::from(constant.is_positive())),
                None => tighten(&term),
            });
        }
    }
    result
}

/// The solutions that the dark shadow may miss: in each, `x` is so near to one of its lower bounds `a·x ≥ α` (or else to one
/// of its upper bounds, whichever are fewer) that `a·x = α + i` with `0 ≤ i ≤ (m·a - m - a) / m`, `m` the largest coefficient on
/// the other side. `None` where there would be too many.
fn splinters(
    projector: &mut Projector,
    whole: &Case,
    x: AtomId,
    lower: &[VariableBound],
    upper: &[VariableBound],
) -> Result<Option<Vec<Case>>, Exhausted> {
    // For each bound, how many steps away from it have to be looked at.
    let steps = |side: &[VariableBound], other: &[VariableBound]| -> Option<Vec<usize>> {
        let m = other.iter().map(|bound| &bound.coefficient).max()?;
        let count = |a: &Int| (&(&(m * a) - m) - a).div_floor(m).map(|last| last + Int::ONE);
        side.iter().map(|bound| count(&bound.coefficient)?.to_i64().map(|count| count.max(0) as usize)).collect()
    };
    let total =
        |steps: &Option<Vec<usize>>| steps.as_ref().and_then(|steps| steps.iter().try_fold(0usize, |sum, &count| sum.checked_add(count)));
    let (from_lower, from_upper) = (steps(lower, upper), steps(upper, lower));
    let (below, above) = (total(&from_lower).unwrap_or(usize::MAX), total(&from_upper).unwrap_or(usize::MAX));
    let (side, steps, sign) = if below <= above { (lower, from_lower, Int::ONE) } else { (upper, from_upper, Int::MINUS_ONE) };
    let Some(steps) = steps.filter(|_| projector.may_split(below.min(above).saturating_add(1))) else { return Ok(None) };
    let mut cases = Vec::new();
    for (bound, count) in side.iter().zip(steps) {
        for i in 0..count {
            projector.meter.spend(whole.size())?;
            let mut case = whole.clone();
            let at = bound.term.add_constant(&(&sign * &Int::from(i)));
            case.equal.push(Linear::atom(x).scale(&bound.coefficient).sub(&at));
            cases.push(case);
        }
    }
    Ok(Some(cases))
}
