//! Directions in which few values are possible: the rows' lattice in a reduced basis.
//!
//! Source: B. Krishnamoorthy and G. Pataki, *Column Basis Reduction and Decomposable Knapsack Problems*, Discrete
//! Optimization 2009, after K. Aardal, C. Hurkens and A. Lenstra, *Solving a System of Linear Diophantine Equations with
//! Lower and Upper Bounds on the Variables*, 2000; A. Lenstra, H. Lenstra and L. Lovász, *Factoring Polynomials with
//! Rational Coefficients*, 1982.
//!
//! Where few whole points lie near a long and skew polytope, splits on atoms go on for very long. Write the atoms as
//! `x = U z` with `U` unimodular, such that the columns of `A U` are short and nearly orthogonal, for the rows `A` that
//! bound the atoms, each divided by the width that its bounds leave. Then each `z_k`, a row of the inverse of `U`, is an
//! integer form of the atoms, and the polytope is about as wide along one `z_k` as along another: splits on the last of
//! them, along which it is narrowest, soon leave nothing.
//!
//! The basis changes are exact. What decides on them is computed in floating point, with the same operations on every
//! machine: a poor decision makes a poor basis, never a wrong one.

use super::super::cube;
use super::super::meter::{Exhausted, Meter};
use super::super::rational::Rational;
use super::super::search::Search;
use super::super::simplex::ColumnId;
use super::Whole;
use super::basis::Lattice;
use super::reductions::Reduced;
use crate::logic::{Arrange, Atom, AtomId, Int, Linear, Pool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// After so many splits of a check the rows' lattice is worth a reduction.
const PATIENCE: u32 = 4;
/// The same, where elements of arrays or quotients are in use: each case of their axioms makes another system of rows.
const MIXED_PATIENCE: u32 = 256;
/// More atoms than this are not worth a reduction.
const MAX_ATOMS: usize = 40;
/// So many reduced bases are kept.
const MAX_KEPT: usize = 64;

/// After how many splits a reduced basis is made, for these atoms.
fn patience(pool: &Pool, used: &[AtomId]) -> u32 {
    let is_plain = |atom: &AtomId| matches!(pool.atom(*atom), Atom::Symbol(_));
    if used.iter().all(is_plain) { PATIENCE } else { MIXED_PATIENCE }
}

/// Whole values near the vertex, or the narrowest direction to split along; `None` before so many splits and where there is no
/// reduced basis. A check that gets to this point begins anew: above splits on atoms, those along the basis are worth little.
///
/// # Errors
/// When the steps are used up.
pub fn whole(
    pool: &Pool,
    search: &mut Search,
    used: &[AtomId],
    columns: &[ColumnId],
    broken: AtomId,
    meter: &mut Meter,
) -> Result<Option<Whole>, Exhausted> {
    if search.reductions.splits.is_none() && search.splits <= patience(pool, used) {
        return Ok(None);
    }
    // Of products the factors are split: lemmas at the candidate bound them, and they need not have finite ranges.
    if used.iter().any(|&atom| is_nonlinear(pool, atom)) {
        return Ok(None);
    }
    let Some(reduced) = reduce(search, columns, broken, meter)? else { return Ok(None) };
    let Some(splits) = &mut search.reductions.splits else {
        search.reductions.splits = Some(0);
        return Ok(Some(Whole::Restart));
    };
    *splits += 1;
    let splits = *splits;
    search.reductions.is_finite = reduced.is_finite;
    let count = reduced.atoms.len();
    if splits.is_power_of_two() && splits.trailing_zeros() % 3 == 0 {
        let free = reduced.free(search, columns);
        meter.spend((columns.len() * count * free.len()) as u64 / 16)?;
        cube::centre(search, columns, |form| reduced.reach(&free, form), meter)?;
    }
    let mut moved = FxHashMap::default();
    let first = reduced.clone();
    let mut next = Some(reduced);
    while let Some(reduced) = next {
        meter.spend((reduced.atoms.len() * reduced.atoms.len()) as u64 / 32)?;
        let values = reduced.values(search);
        match reduced.rounded(search, columns, &values) {
            Some(values) => moved.extend(values),
            None => return Ok(reduced.split(&values)),
        }
        // What the rows do not connect with these atoms has to be whole, too.
        next = match not_whole(search, columns, &moved) {
            Some(atom) => match reduce(search, columns, atom, meter)? {
                Some(other) => Some(other),
                None => {
                    let value = search.columns.get(&atom).map_or(Int::ZERO, |&column| search.simplex.floor(column));
                    return Ok(Some(Whole::Split(Linear::atom(atom), value)));
                }
            },
            None => None,
        };
    }
    // Forms to split along may connect what the rows do not.
    let value = |atom: &AtomId| {
        let simplex = || search.columns.get(atom).map_or(Int::ZERO, |&column| search.simplex.floor(column));
        moved.get(atom).cloned().unwrap_or_else(simplex)
    };
    let respected = columns.iter().all(|&column| {
        let terms = search.forms[column as usize].terms().iter();
        search.simplex.allows(column, &terms.fold(Int::ZERO, |sum, (atom, c)| sum + &(&value(atom) * c)))
    });
    Ok(if respected { Some(Whole::Moved(moved)) } else { first.split(&first.values(search)) })
}

/// An atom of these columns, not among those moved, whose value is not whole.
fn not_whole(search: &Search, columns: &[ColumnId], moved: &FxHashMap<AtomId, Int>) -> Option<AtomId> {
    let mut atoms = columns.iter().flat_map(|&column| search.forms[column as usize].terms());
    let is_whole = |atom: &AtomId| search.columns.get(atom).is_none_or(|&column| search.simplex.is_whole(column));
    atoms.find(|(atom, _)| !moved.contains_key(atom) && !is_whole(atom)).map(|(atom, _)| *atom)
}

/// Whether only lemmas at the candidate say which values an atom has.
fn is_nonlinear(pool: &Pool, atom: AtomId) -> bool {
    match pool.atom(atom) {
        Atom::Product(..) | Atom::BitAnd(..) => true,
        Atom::DivTrunc(_, divisor) | Atom::RemTrunc(_, divisor) => divisor.as_constant().is_none(),
        Atom::Symbol(_) | Atom::Select(..) | Atom::Truth(_) => false,
    }
}

/// The reduced basis for the rows that the atom is connected with.
fn reduce(search: &mut Search, columns: &[ColumnId], broken: AtomId, meter: &mut Meter) -> Result<Option<Rc<Reduced>>, Exhausted> {
    let own = &search.reductions.directions;
    let mut rows: Vec<ColumnId> =
        columns.iter().copied().filter(|c| search.forms[*c as usize].terms().len() > 1 && !own.contains(c)).collect();
    let mut atoms = vec![broken];
    let mut connected = Vec::new();
    loop {
        let before = rows.len();
        rows.retain(|&row| {
            let terms = search.forms[row as usize].terms();
            let touches = terms.iter().any(|(atom, _)| atoms.binary_search(atom).is_ok());
            if touches {
                connected.push(row);
                for (atom, _) in terms {
                    if let Err(at) = atoms.binary_search(atom) {
                        atoms.insert(at, *atom);
                    }
                }
            }
            !touches
        });
        if atoms.len() > MAX_ATOMS {
            return Ok(None);
        }
        if rows.len() == before {
            break;
        }
    }
    connected.arrange();
    if connected.is_empty() {
        return Ok(None);
    }
    if let Some(cached) = search.reductions.of_rows.get(&connected) {
        return Ok(Some(cached.clone()));
    }
    let reduced = Rc::new(Lattice::new(search, atoms, &connected).reduce(meter)?);
    if search.reductions.of_rows.len() >= MAX_KEPT {
        search.reductions.of_rows.clear();
    }
    search.reductions.of_rows.insert(connected, reduced.clone());
    Ok(Some(reduced))
}

impl Reduced {
    /// The columns of `U` along which no equation is left.
    fn free(&self, search: &Search, columns: &[ColumnId]) -> Vec<&[Int]> {
        let equations: Vec<&Linear> =
            columns.iter().filter(|&&column| search.simplex.is_fixed(column)).map(|&column| &search.forms[column as usize]).collect();
        let is_free = |direction: &&[Int]| equations.iter().all(|form| self.along(direction, form).is_zero());
        self.columns.iter().map(Vec::as_slice).filter(is_free).collect()
    }

    /// By how much a step in this direction moves a form.
    fn along(&self, direction: &[Int], form: &Linear) -> Int {
        let moved = |atom| self.atoms.binary_search(atom).map_or(&Int::ZERO, |at| &direction[at]);
        form.terms().iter().fold(Int::ZERO, |sum, (atom, c)| sum + &(moved(atom) * c))
    }

    /// By how much rounding can move a form, rounded up.
    fn reach(&self, free: &[&[Int]], form: &Linear) -> Int {
        let twice = free.iter().fold(Int::ONE, |sum, direction| sum + &self.along(direction, form).abs());
        twice.div_floor(&Int::from(2)).unwrap_or_default()
    }

    /// The values of the directions at the vertex.
    fn values(&self, search: &Search) -> Vec<Rational> {
        let at = |atom: &AtomId| search.columns.get(atom).map_or(Rational::ZERO, |&c| search.simplex.value(c));
        let value = |form: &Linear| form.terms().iter().fold(Rational::ZERO, |sum, (atom, c)| sum.add(&at(atom).scale(c, &Int::ONE)));
        self.forms.iter().map(value).collect()
    }

    /// The narrowest direction whose value is not whole.
    fn split(&self, values: &[Rational]) -> Option<Whole> {
        let found = self.forms.iter().zip(values).rev().find(|(_, value)| value.as_int().is_none());
        found.map(|(form, value)| Whole::Split(form.clone(), value.floor()))
    }

    /// The point with the values rounded, if it respects all bounds that speak of these atoms only.
    fn rounded(&self, search: &Search, columns: &[ColumnId], values: &[Rational]) -> Option<FxHashMap<AtomId, Int>> {
        let half = Rational::new(Int::ONE, Int::from(2));
        let mut x = vec![Int::ZERO; self.atoms.len()];
        for (value, column) in values.iter().zip(&self.columns) {
            let value = value.add(&half).floor();
            if !value.is_zero() {
                x.iter_mut().zip(column).for_each(|(sum, c)| *sum += &(c * &value));
            }
        }
        let values: FxHashMap<AtomId, Int> = self.atoms.iter().copied().zip(x).collect();
        let respected = columns.iter().filter(|&&column| search.simplex.is_bounded(column)).all(|&column| {
            let mut terms = search.forms[column as usize].terms().iter();
            let Some(sum) = terms.try_fold(Int::ZERO, |sum, (atom, c)| Some(sum + &(values.get(atom)? * c))) else { return true };
            search.simplex.allows(column, &sum)
        });
        respected.then_some(values)
    }
}

#[cfg(test)]
mod tests;
