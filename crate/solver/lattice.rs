//! Whole values where simplex found fractions: unimodular elimination at the vertex.
//!
//! Source: I. Dillig, T. Dillig and A. Aiken, *Cuts from Proofs: A Complete and Practical Technique for Solving Linear
//! Inequalities over Integers*, CAV 2009. Their Hermite normal form is a unimodular basis change here, which each equation
//! brings up to date.
//!
//! 1. Take the equations that hold at the vertex: first the equalities proper (columns whose bounds coincide), then, unless
//!    the atom in question has bounds on both sides, the other bounds met there. Between two bounds an ordinary split
//!    ends by itself and, measured, is better: forms make larger numbers and poorer lemmas.
//! 2. Write the atoms as `x = U z` with `U` unimodular, so that whole `x` and whole `z` are the same thing. Each equation,
//!    by Euclid's algorithm on the columns of `U`, comes to fix one further `z_k`.
//! 3. If that `z_k` is not whole, no whole point satisfies the equations so far. `z_k` is an integer form of the atoms
//!    (a row of the inverse of `U`): split on it. Of equalities proper both sides are refuted at once, so a parity
//!    argument costs two conflicts instead of an endless descent.
//! 4. If all equations have a whole solution, round the `z` still free at the vertex: a point of the lattice close to it.
//!    If it respects all bounds it is the candidate (a proposal only: it is evaluated exactly like any other).
//! 5. Otherwise split on an atom, as branch and bound does.
//!
//! Complexity: a basis of `n` atoms takes `n²` numbers; beyond [`MAX_ATOMS`] atoms or coefficients beyond [`MAX_COEFFICIENT`]
//! only step 5 is left.

mod basis;
pub mod reduced;
pub mod reductions;

use super::meter::{Exhausted, Meter};
use super::rational::Rational;
use super::search::Search;
use super::simplex::ColumnId;
use crate::logic::{AtomId, Int, Linear, ascending};
use rustc_hash::FxHashMap;

/// More atoms than this are not worth a dense basis.
const MAX_ATOMS: usize = 400;
/// So many splits of a check are ordinary ones where the atom lies between two bounds, before a basis is worth its price.
const EASY_SPLITS: u32 = 2;
/// Forms with larger coefficients make no good splits.
const MAX_COEFFICIENT: u64 = 1 << 20;

/// What to do about a vertex that is not whole.
pub enum Whole {
    /// These values are whole and respect all bounds.
    Moved(FxHashMap<AtomId, Int>),
    /// Either this form is at most the value, or it is at least one more.
    Split(Linear, Int),
    /// The splits made so far are not worth keeping.
    Restart,
}

/// Finds whole values near the vertex or a form to split on; only the bounds of these columns count; `fallback` is an atom whose value is not whole.
///
/// # Errors
/// When the steps are used up.
pub fn whole(search: &Search, columns: &[ColumnId], fallback: AtomId, meter: &mut Meter) -> Result<Whole, Exhausted> {
    let simple = || {
        let value = search.columns.get(&fallback).map_or(Int::ZERO, |&column| search.simplex.floor(column));
        Whole::Split(Linear::atom(fallback), value)
    };
    let enclosed = search.columns.get(&fallback).is_some_and(|&column| search.simplex.is_enclosed(column));
    if enclosed && search.splits <= EASY_SPLITS {
        return Ok(simple());
    }
    let bounded: Vec<ColumnId> = columns.iter().copied().filter(|&column| search.simplex.is_bounded(column)).collect();
    let atoms = ascending(bounded.iter().flat_map(|&column| search.forms[column as usize].terms().iter().map(|t| t.0)).collect());
    if atoms.len() > MAX_ATOMS {
        return Ok(simple());
    }
    let mut basis = LatticeBasis::new(search, atoms);
    // 1.
    let (equalities, met): (Vec<ColumnId>, Vec<ColumnId>) =
        bounded.iter().filter(|&&column| search.simplex.is_at_bound(column)).partition(|&&column| search.simplex.is_fixed(column));
    for equations in [equalities, if enclosed { Vec::new() } else { met }] {
        for column in equations {
            meter.spend(1)?;
            // 2., 3.
            if let Some((form, value)) = basis.fix(&search.forms[column as usize], &search.simplex.value(column), meter)? {
                return Ok(if has_small_coefficients(&form) { Whole::Split(form, value) } else { simple() });
            }
        }
        // 4.
        if let Some(moved) = basis.rounded(search, &bounded) {
            return Ok(Whole::Moved(moved));
        }
    }
    // 5.
    Ok(simple())
}

/// Whether all coefficients are so small that a split along the form is worth its price.
fn has_small_coefficients(form: &Linear) -> bool {
    form.terms().iter().all(|(_, c)| c.to_i64().is_some_and(|c| c.unsigned_abs() <= MAX_COEFFICIENT))
}

/// `x = U z`, the first few `z` fixed.
struct LatticeBasis {
    atoms: Vec<AtomId>,
    /// The vertex: a value of each atom.
    vertex: Vec<Rational>,
    /// The columns of `U`.
    columns: Vec<Vec<Int>>,
    /// The rows of the inverse of `U`: `z_k` as a form of `x`.
    forms: Vec<Vec<Int>>,
    /// The values of the `z` fixed so far.
    fixed: Vec<Int>,
}

impl LatticeBasis {
    fn new(search: &Search, atoms: Vec<AtomId>) -> LatticeBasis {
        let unit = |k: usize| (0..atoms.len()).map(|j| Int::from(i64::from(j == k))).collect::<Vec<_>>();
        let vertex = atoms.iter().map(|atom| search.columns.get(atom).map_or(Rational::ZERO, |&c| search.simplex.value(c)));
        let (vertex, columns, forms) = (vertex.collect(), (0..atoms.len()).map(unit).collect(), (0..atoms.len()).map(unit).collect());
        LatticeBasis { vertex, columns, forms, atoms, fixed: Vec::new() }
    }

    /// Takes in the equation `form = value`; gives the form of a `z` that would not be whole, with its value rounded down.
    fn fix(&mut self, form: &Linear, value: &Rational, meter: &mut Meter) -> Result<Option<(Linear, Int)>, Exhausted> {
        let row: Vec<(usize, &Int)> = form.terms().iter().filter_map(|(a, c)| Some((self.atoms.binary_search(a).ok()?, c))).collect();
        let mut weights: Vec<Int> =
            self.columns.iter().map(|column| row.iter().fold(Int::ZERO, |sum, (at, c)| sum + &(&column[*at] * *c))).collect();
        let k = self.fixed.len();
        // Euclid's algorithm on the columns not fixed yet, until at most one of them has a weight.
        let pivot = loop {
            let Some(pivot) = (k..weights.len()).filter(|&j| !weights[j].is_zero()).min_by_key(|&j| weights[j].abs()) else {
                return Ok(None);
            };
            let mut others = false;
            for j in (k..weights.len()).filter(|&j| j != pivot) {
                let quotient = weights[j].div_floor(&weights[pivot]).unwrap_or_default();
                if !quotient.is_zero() {
                    meter.spend(self.atoms.len() as u64 / 32)?;
                    weights[j] = &weights[j] - &(&quotient * &weights[pivot]);
                    self.subtract(j, pivot, &quotient);
                }
                others |= !weights[j].is_zero();
            }
            if !others {
                break pivot;
            }
        };
        self.columns.swap(k, pivot);
        self.forms.swap(k, pivot);
        weights.swap(k, pivot);
        let fixed = self.fixed.iter().zip(&weights).fold(Int::ZERO, |sum, (z, w)| sum + &(z * w));
        let rest = value.sub(&Rational::from(&fixed)).scale(&Int::ONE, &weights[k]);
        Ok(match rest.as_int() {
            Some(whole) => {
                self.fixed.push(whole.clone());
                None
            }
            None => {
                let terms = self.atoms.iter().copied().zip(self.forms[k].iter().cloned()).collect();
                Some((Linear::new(terms, Int::ZERO), rest.floor()))
            }
        })
    }

    /// Column `j` of `U` minus `factor` times column `pivot`, and what that does to the inverse.
    fn subtract(&mut self, j: usize, pivot: usize, factor: &Int) {
        // Most entries are 0.
        for at in 0..self.atoms.len() {
            if !self.columns[pivot][at].is_zero() {
                let change = factor * &self.columns[pivot][at];
                self.columns[j][at] -= &change;
            }
            if !self.forms[j][at].is_zero() {
                let change = factor * &self.forms[j][at];
                self.forms[pivot][at] += &change;
            }
        }
    }

    /// The point of the lattice with the free `z` rounded, if it respects all bounds.
    fn rounded(&self, search: &Search, bounded: &[ColumnId]) -> Option<FxHashMap<AtomId, Int>> {
        let half = Rational::new(Int::ONE, Int::from(2));
        let z = (0..self.atoms.len()).map(|k| match self.fixed.get(k) {
            Some(fixed) => fixed.clone(),
            None => {
                let terms = self.forms[k].iter().zip(&self.vertex).filter(|(c, _)| !c.is_zero());
                terms.fold(half.clone(), |sum, (c, value)| sum.add(&value.scale(c, &Int::ONE))).floor()
            }
        });
        let mut x = vec![Int::ZERO; self.atoms.len()];
        for (value, column) in z.zip(&self.columns).filter(|(value, _)| !value.is_zero()) {
            x.iter_mut().zip(column).for_each(|(sum, c)| *sum += &(c * &value));
        }
        let values: FxHashMap<AtomId, Int> = self.atoms.iter().copied().zip(x).collect();
        let respected = bounded.iter().all(|&column| {
            let terms = search.forms[column as usize].terms().iter();
            search.simplex.allows(column, &terms.fold(Int::ZERO, |sum, (atom, c)| sum + &(&values[atom] * c)))
        });
        respected.then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_COEFFICIENT, has_small_coefficients};
    use crate::logic::{AtomId, FormulaId, Int, Linear};
    use crate::solver::{Answer, Context, check, meter::Meter};

    /// 2a = 2b + 1, where hundreds of steps lie between the two: as many atoms as a long path has.
    #[test]
    fn parity_is_seen_through_many_definitions() {
        for steps in [10, 100, 180] {
            let mut context = Context::new();
            let first = context.pool.integer("x0");
            let mut last = first.clone();
            for step in 1..=steps {
                let next = context.pool.integer(&format!("x{step}"));
                let input = context.pool.integer(&format!("in{step}"));
                let sum = last.add(&input.add(&input));
                let defined = context.pool.equal(&next, &sum);
                context.assert(defined);
                last = next;
            }
            // first is even, last is not, and they differ by twice the inputs.
            let (half, other) = (context.pool.integer("half"), context.pool.integer("other"));
            let even = context.pool.equal(&first, &half.add(&half));
            let odd = context.pool.equal(&last, &other.add(&other).add(&Linear::constant(1)));
            context.assert(even);
            context.assert(odd);
            let Answer::Unsat(refutation) = context.check(&mut Meter::new(1_000_000)) else { panic!("{steps} steps") };
            let core: Vec<FormulaId> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
            assert_eq!(check::check(&context.pool, &core, &refutation.certificate), Ok(()));
        }
    }

    #[test]
    fn the_least_machine_integer_is_no_small_coefficient() {
        let is_small = |coefficient: i64| has_small_coefficients(&Linear::atom(AtomId(0)).scale(&Int::from(coefficient)));
        let most = MAX_COEFFICIENT as i64;
        assert!([1, -1, most, -most].into_iter().all(is_small));
        assert!(![most + 1, -most - 1, i64::MAX, i64::MIN].into_iter().any(is_small));
    }
}
