//! Interpolants: of two sets of formulas A and B that cannot hold together, what A says that B contradicts.
//!
//! An interpolant `I` has three properties: A implies it, it contradicts B, and it speaks only of symbols that both have.
//! Sources: K. McMillan, *Interpolation and SAT-based model checking*, CAV 2003 and *An interpolating theorem prover*,
//! TCS 2005.
//!
//! # Method
//!
//! [`interpolate`] replays a certificate. Each clause gets a *partial interpolant* `I` with A ∧ ¬(its literals of A only) ⇒ `I`
//! and B ∧ `I` ∧ ¬(its other literals) contradictory. A literal is *of B* if B has all its symbols, else *of A only*.
//!
//! | clause | partial interpolant |
//! |---|---|
//! | a formula of A; a definition or axiom with symbols of A | the disjunction of its literals of B |
//! | a formula of B; a definition or axiom with symbols of B | `TRUE` |
//! | a linear lemma | the part of its sum that comes from literals of A only, `≤ 0` |
//! | a resolvent on a literal of A only | either one's |
//! | a resolvent on a literal of B | both |
//!
//! A lemma's sum is a constant, so what A adds to it has no symbols of A only. That holds line by line, so the replay follows
//! a division of a line to which only one side adds something; in lemmas of simplex, which divide single literals, all are of
//! this kind. Unit propagation, walked back along its reasons, turns a derived clause and the conclusion into resolutions.
//!
//! Literals that mix symbols of A only and of B only (say, one that compares reads at an index of A and one of B) have no
//! place here, nor do divisions of mixed sums: then the certificate gives no interpolant ([`InterpolationObstacle`]).
//! [`by_projection`] needs no certificate: it eliminates from A the symbols that B does not have, and gives the strongest
//! interpolant there is.
//!
//! Unit propagation looks at a clause once for each of its literals that becomes false; the interpolant shares its
//! parts, its size is linear in the number of resolutions.

use super::certificate::{Certificate, LinearStep, Literal, Step};
use super::meter::{Exhausted, Meter};
use super::projection::{Precision, ProjectionGoal, project};
use super::{Answer, Context, check};
use crate::logic::substitution::{TermNode, each_symbol, symbols};
use crate::logic::{AtomId, Formula, FormulaId, Int, Linear, Pool, SortedSet, SymbolId, ascending};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why there is no interpolant from this certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterpolationObstacle {
    /// A literal or an axiom has symbols of A only and symbols of B only.
    Mixed,
    /// The certificate divides a sum of inequalities of both sides.
    Division,
    /// The certificate does not refute A and B.
    Certificate,
    /// The steps are used up.
    Exhausted(Exhausted),
}

impl From<Exhausted> for InterpolationObstacle {
    fn from(why: Exhausted) -> InterpolationObstacle {
        InterpolationObstacle::Exhausted(why)
    }
}

/// The interpolant of `a` and `b` that a certificate against both together gives. It has the three properties if the
/// certificate is one that [`check::check`] accepts; in debug builds [`confirm`] tests that.
///
/// # Errors
/// The first obstacle met.
pub fn interpolate(
    pool: &mut Pool,
    a: &[FormulaId],
    b: &[FormulaId],
    certificate: &Certificate,
    meter: &mut Meter,
) -> Result<FormulaId, InterpolationObstacle> {
    let sides = Sides { a: symbols(pool, a), b: symbols(pool, b), of: FxHashMap::default() };
    let mut proof = PartialInterpolants { pool, sides, clauses: Vec::new(), watching: FxHashMap::default(), units: Vec::new(), meter };
    for line in &certificate.lines {
        proof.meter.spend(1 + line.clause.len() as u64)?;
        let (clause, partial) = match &line.step {
            Step::Definition(_) | Step::Theory(_) => (line.clause.clone(), proof.valid(&line.clause)),
            Step::Linear(steps) => (line.clause.clone(), proof.lemma(steps)),
            Step::Derived(_) => {
                let denied: Vec<Literal> = line.clause.iter().map(|&literal| !literal).collect();
                // A clause that holds anyway is of no use.
                if denied.iter().any(|&literal| denied.contains(&!literal) || impossible(literal)) {
                    continue;
                }
                let resolvent = proof.refute(&denied)?.ok_or(InterpolationObstacle::Certificate)?;
                (resolvent.literals, Ok(resolvent.partial))
            }
        };
        proof.push(clause, partial);
    }
    // The conclusion: what is left of the last clause are negations of the formulas themselves.
    let mut assumed = Vec::new();
    for (formulas, own) in [(b, false), (a, true)] {
        for &formula in formulas {
            let literal = literal(proof.pool, formula);
            if impossible(literal) {
                return Ok(if own { Pool::FALSE } else { Pool::TRUE });
            }
            assumed.push((literal, own));
        }
    }
    let literals: Vec<Literal> = assumed.iter().map(|part| part.0).collect();
    if let Some(&opposite) = literals.iter().find(|&&literal| literals.contains(&!literal)) {
        return Ok(proof.direct(&assumed, opposite));
    }
    let mut last = proof.refute(&literals)?.ok_or(InterpolationObstacle::Certificate)?;
    while let Some(&literal) = last.literals.first() {
        let (_, own) = assumed.iter().find(|(assumption, _)| *assumption == !literal).ok_or(InterpolationObstacle::Certificate)?;
        let partial = if *own { proof.own(!literal) } else { Pool::TRUE };
        proof.resolve(&mut last, literal, &[!literal], Ok(partial))?;
    }
    debug_assert!(
        confirm(proof.pool, a, b, last.partial, &mut Meter::new(3_000)) != Ok(Some(false)),
        "an interpolant has its three properties"
    );
    Ok(last.partial)
}

/// The strongest interpolant of `a` and `b`: `a` without the symbols that `b` does not have. `None` where that cannot be
/// expressed exactly and the over-approximation does not contradict `b` by a query of the solver.
///
/// Only if `a` and `b` cannot hold together it is one.
///
/// # Errors
/// When the steps are used up.
pub fn by_projection(pool: &mut Pool, a: &[FormulaId], b: &[FormulaId], meter: &mut Meter) -> Result<Option<FormulaId>, Exhausted> {
    let shared = symbols(pool, b);
    let own: Vec<SymbolId> = symbols(pool, a).into_iter().filter(|symbol| !shared.contains(symbol)).collect();
    let projection = project(pool, a, &own, ProjectionGoal::Exact, meter)?;
    let holds = projection.precision == Precision::Exact || confirm(pool, a, b, projection.formula, meter)? == Some(true);
    Ok(holds.then_some(projection.formula))
}

/// Whether the formula is an interpolant of `a` and `b`, by two queries whose certificates are checked; `None` where a query
/// stays open.
///
/// # Errors
/// When the steps are used up.
pub fn confirm(
    pool: &Pool,
    a: &[FormulaId],
    b: &[FormulaId],
    interpolant: FormulaId,
    meter: &mut Meter,
) -> Result<Option<bool>, Exhausted> {
    let (of_a, of_b) = (symbols(pool, a), symbols(pool, b));
    if !symbols(pool, &[interpolant]).iter().all(|symbol| of_a.contains(symbol) && of_b.contains(symbol)) {
        return Ok(Some(false));
    }
    let mut context = Context { pool: pool.clone(), ..Context::new() };
    let denied = context.pool.not(interpolant);
    for (formulas, last) in [(a, denied), (b, interpolant)] {
        context.push();
        for &formula in formulas.iter().chain([&last]) {
            context.assert(formula);
        }
        meter.spend(1)?;
        match context.check(meter) {
            Answer::Sat(_) => return Ok(Some(false)),
            Answer::Unknown(_) => return Ok(None),
            Answer::Unsat(refutation) => {
                let core: Vec<FormulaId> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
                if check::check(&context.pool, &core, &refutation.certificate).is_err() {
                    return Ok(Some(false));
                }
            }
        }
        context.pop();
    }
    Ok(Some(true))
}

fn literal(pool: &Pool, formula: FormulaId) -> Literal {
    match pool.formula(formula) {
        Formula::Not(inner) => Literal { formula: *inner, positive: false },
        _ => Literal { formula, positive: true },
    }
}

/// The negation of `TRUE`, or `FALSE`.
fn impossible(literal: Literal) -> bool {
    literal == Literal { formula: Pool::TRUE, positive: false } || literal == Literal { formula: Pool::FALSE, positive: true }
}

/// Whose a literal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralSide {
    /// B has all its symbols; `true` if A has them too.
    OfB(bool),
    /// A has all its symbols, B has not.
    OnlyA,
    /// Neither has all.
    Mixed,
}

struct Sides {
    a: SortedSet<SymbolId>,
    b: SortedSet<SymbolId>,
    of: FxHashMap<FormulaId, LiteralSide>,
}

impl Sides {
    fn of(&mut self, pool: &Pool, formula: FormulaId) -> LiteralSide {
        if let Some(&cached) = self.of.get(&formula) {
            return cached;
        }
        let within = |set: &SortedSet<SymbolId>| each_symbol(pool, [TermNode::Formula(formula)], |symbol| set.contains(&symbol));
        let side = match (within(&self.a), within(&self.b)) {
            (shared, true) => LiteralSide::OfB(shared),
            (true, false) => LiteralSide::OnlyA,
            (false, false) => LiteralSide::Mixed,
        };
        self.of.insert(formula, side);
        side
    }
}

/// A clause while it is being resolved.
struct Resolvent {
    /// Ascending.
    literals: Vec<Literal>,
    partial: FormulaId,
}

/// A partial interpolant; an obstacle matters only where the clause is used.
type Partial = Result<FormulaId, InterpolationObstacle>;

/// The clauses so far, each with its partial interpolant.
struct PartialInterpolants<'p, 'm, 'q> {
    pool: &'p mut Pool,
    sides: Sides,
    clauses: Vec<(Vec<Literal>, Partial)>,
    /// The clauses in which a literal occurs.
    watching: FxHashMap<Literal, Vec<usize>>,
    /// The clauses of at most one literal.
    units: Vec<usize>,
    meter: &'m mut Meter<'q>,
}

impl PartialInterpolants<'_, '_, '_> {
    fn push(&mut self, clause: Vec<Literal>, partial: Partial) {
        let clause = ascending(clause);
        let id = self.clauses.len();
        for &literal in &clause {
            self.watching.entry(literal).or_default().push(id);
        }
        if clause.len() <= 1 {
            self.units.push(id);
        }
        self.clauses.push((clause, partial));
    }

    /// The partial interpolant of a clause that holds by itself: it counts as one of B, or else of A.
    fn valid(&mut self, clause: &[Literal]) -> Partial {
        let sides: Vec<LiteralSide> = clause.iter().map(|literal| self.sides.of(self.pool, literal.formula)).collect();
        if sides.iter().all(|side| matches!(side, LiteralSide::OfB(_))) {
            return Ok(Pool::TRUE);
        }
        if sides.iter().any(|side| matches!(side, LiteralSide::OfB(false) | LiteralSide::Mixed)) {
            return Err(InterpolationObstacle::Mixed);
        }
        let parts: Vec<FormulaId> = clause.iter().map(|&literal| self.own(literal)).collect();
        Ok(self.pool.or(&parts))
    }

    /// The partial interpolant of a formula of A as a clause.
    fn own(&mut self, literal: Literal) -> FormulaId {
        match self.sides.of(self.pool, literal.formula) {
            LiteralSide::OnlyA => Pool::FALSE,
            _ => self.formula(literal),
        }
    }

    fn formula(&mut self, literal: Literal) -> FormulaId {
        if literal.positive { literal.formula } else { self.pool.not(literal.formula) }
    }

    /// The partial interpolant of a linear lemma: what its literals of A only add to the sum.
    fn lemma(&mut self, steps: &[LinearStep]) -> Partial {
        // Of each line, what comes from either side: their sum is the line.
        let mut lines: Vec<[Linear; 2]> = Vec::with_capacity(steps.len());
        let get = |lines: &[[Linear; 2]], at: u32| lines.get(at as usize).cloned().ok_or(InterpolationObstacle::Certificate);
        for step in steps {
            self.meter.spend(1)?;
            let line = match step {
                LinearStep::Literal(literal) | LinearStep::Opposite(literal) => {
                    let term = match (self.pool.formula(literal.formula), step) {
                        (Formula::Eq(term), LinearStep::Opposite(_)) => term.neg(),
                        (Formula::Le(term) | Formula::Eq(term), LinearStep::Literal(_)) if literal.positive => term.clone(),
                        (Formula::Le(term), LinearStep::Literal(_)) => term.neg().add_constant(&Int::ONE),
                        _ => return Err(InterpolationObstacle::Certificate),
                    };
                    match self.sides.of(self.pool, literal.formula) {
                        LiteralSide::OnlyA => [term, Linear::default()],
                        LiteralSide::OfB(_) => [Linear::default(), term],
                        LiteralSide::Mixed => return Err(InterpolationObstacle::Mixed),
                    }
                }
                LinearStep::Combine(parts) => {
                    let mut sums = [Linear::default(), Linear::default()];
                    for (at, factor) in parts {
                        let part = get(&lines, *at)?;
                        sums = [sums[0].add_scaled(&part[0], factor), sums[1].add_scaled(&part[1], factor)];
                    }
                    sums
                }
                LinearStep::Divide(at, divisor) => {
                    let [of_a, of_b] = get(&lines, *at)?;
                    if of_b == Linear::default() {
                        [divided(&of_a, divisor)?, of_b]
                    } else if of_a == Linear::default() {
                        [of_a, divided(&of_b, divisor)?]
                    } else {
                        return Err(InterpolationObstacle::Division);
                    }
                }
            };
            lines.push(line);
        }
        let [of_a, _] = lines.pop().ok_or(InterpolationObstacle::Certificate)?;
        Ok(self.pool.le(of_a))
    }

    /// The clause, of negations of the assumed literals, to which unit propagation from them leads; `None` where it does not
    /// reach a contradiction.
    fn refute(&mut self, assumed: &[Literal]) -> Result<Option<Resolvent>, InterpolationObstacle> {
        let mut trail: Vec<(Literal, Option<usize>)> = Vec::new();
        let mut holds: FxHashSet<Literal> = FxHashSet::default();
        for &literal in assumed {
            if holds.insert(literal) {
                trail.push((literal, None));
            }
        }
        let mut pending = self.units.clone();
        let mut head = 0;
        let conflict = 'search: loop {
            for id in std::mem::take(&mut pending) {
                let clause = &self.clauses[id].0;
                self.meter.spend(clause.len() as u64)?;
                let mut open = clause.iter().filter(|&&literal| !holds.contains(&!literal));
                match (open.next(), open.next()) {
                    (None, _) => break 'search id,
                    (Some(&unit), None) if holds.insert(unit) => trail.push((unit, Some(id))),
                    _ => {}
                }
            }
            let Some(&(literal, _)) = trail.get(head) else { return Ok(None) };
            head += 1;
            pending.extend(self.watching.get(&!literal).into_iter().flatten());
        };
        let (clause, partial) = &self.clauses[conflict];
        let mut resolvent = Resolvent { literals: clause.clone(), partial: (*partial)? };
        for (literal, reason) in trail.into_iter().rev() {
            if let Some(reason) = reason
                && resolvent.literals.binary_search(&!literal).is_ok()
            {
                let (clause, partial) = self.clauses[reason].clone();
                self.resolve(&mut resolvent, !literal, &clause, partial)?;
            }
        }
        Ok(Some(resolvent))
    }

    /// Resolves on `pivot`, which is in the resolvent and its negation in the clause.
    fn resolve(
        &mut self,
        resolvent: &mut Resolvent,
        pivot: Literal,
        clause: &[Literal],
        partial: Partial,
    ) -> Result<(), InterpolationObstacle> {
        self.meter.spend(clause.len() as u64)?;
        let kept = resolvent.literals.iter().filter(|&&literal| literal != pivot);
        resolvent.literals = ascending(kept.chain(clause.iter().filter(|&&literal| literal != !pivot)).copied().collect());
        let parts = [resolvent.partial, partial?];
        resolvent.partial = match self.sides.of(self.pool, pivot.formula) {
            LiteralSide::OnlyA => self.pool.or(&parts),
            LiteralSide::OfB(_) => self.pool.and(&parts),
            LiteralSide::Mixed => return Err(InterpolationObstacle::Mixed),
        };
        Ok(())
    }

    /// The interpolant where one assumed formula is the negation of another.
    fn direct(&mut self, assumed: &[(Literal, bool)], literal: Literal) -> FormulaId {
        let has = |literal: Literal, own: bool| assumed.contains(&(literal, own));
        for literal in [literal, !literal] {
            match (has(literal, true), has(!literal, true), has(!literal, false)) {
                (true, true, _) => return Pool::FALSE,
                (true, _, true) => return self.formula(literal),
                _ => {}
            }
        }
        Pool::TRUE
    }
}

/// `d·t + c ≤ 0` over the integers gives `t + ⌈c/d⌉ ≤ 0`.
fn divided(term: &Linear, divisor: &Int) -> Result<Linear, InterpolationObstacle> {
    let quotient = |value: &Int| value.div_floor(divisor).filter(|_| divisor.is_positive()).ok_or(InterpolationObstacle::Certificate);
    let terms: Result<Vec<(AtomId, Int)>, InterpolationObstacle> = term.terms().iter().map(|(atom, c)| Ok((*atom, quotient(c)?))).collect();
    Ok(Linear::new(terms?, -quotient(&-term.offset())?))
}

#[cfg(test)]
mod tests;
