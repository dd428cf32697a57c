//! The reduction of a lattice's basis: exact changes, decided in floating point.
//!
//! Source: A. Lenstra, H. Lenstra and L. Lovász, *Factoring Polynomials with Rational Coefficients*, 1982; in floating point as in
//! C. Schnorr and M. Euchner, *Lattice Basis Reduction: Improved Practical Algorithms and Solving Subset Sum Problems*, 1994.

use super::super::meter::{Exhausted, Meter};
use super::super::search::Search;
use super::super::simplex::{BoundSide, ColumnId};
use super::reductions::Reduced;
use crate::logic::{AtomId, Int, Linear};

/// By how much a vector may be shorter than the one before it.
const LOVASZ: f64 = 0.99;
/// Rounds in which bounds travel from row to row.
const ROUNDS: usize = 6;
/// How narrow a row with one value counts as.
const NARROWEST: f64 = 1e-6;
/// How wide a row without bounds counts as, beside the widest that has bounds.
const UNBOUNDED: f64 = 64.0;

/// The rows' lattice while its basis is reduced.
pub struct Lattice {
    atoms: Vec<AtomId>,
    /// For each basis vector its coordinates: first the atoms (a column of `U`), then the rows.
    vectors: Vec<Vec<Int>>,
    /// The rows of the inverse of `U`.
    inverse: Vec<Vec<Int>>,
    /// By how much each coordinate counts.
    weights: Vec<f64>,
    is_finite: bool,
    /// The vectors, weighted, without what they have in common with those before them; and the squares of their lengths.
    orthogonal: Vec<Vec<f64>>,
    squares: Vec<f64>,
}

impl Lattice {
    pub fn new(search: &Search, atoms: Vec<AtomId>, rows: &[ColumnId]) -> Lattice {
        let forms: Vec<Vec<(usize, Int)>> = rows
            .iter()
            .map(|&row| {
                let terms = search.forms[row as usize].terms().iter();
                terms.filter_map(|(atom, c)| Some((atoms.binary_search(atom).ok()?, c.clone()))).collect()
            })
            .collect();
        let columns: Vec<Option<ColumnId>> =
            atoms.iter().map(|atom| search.columns.get(atom).copied()).chain(rows.iter().map(|&row| Some(row))).collect();
        let count = atoms.len();
        let unit = |k: usize| (0..count).map(|j| Int::from(i64::from(j == k))).collect::<Vec<_>>();
        let vectors: Vec<Vec<Int>> = (0..count)
            .map(|k| {
                let weight = |form: &Vec<(usize, Int)>| form.iter().find(|(at, _)| *at == k).map_or(Int::ZERO, |(_, c)| c.clone());
                unit(k).into_iter().chain(forms.iter().map(weight)).collect()
            })
            .collect();
        let (weights, is_finite) = weights(search, &columns, &forms, count);
        let zero = vec![0.0; columns.len()];
        Lattice {
            vectors,
            inverse: (0..count).map(unit).collect(),
            weights,
            is_finite,
            orthogonal: vec![zero; count],
            squares: vec![0.0; count],
            atoms,
        }
    }

    /// The algorithm of Lenstra, Lenstra and Lovász.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn reduce(mut self, meter: &mut Meter) -> Result<Reduced, Exhausted> {
        let count = self.atoms.len();
        let mut patience = 100 * count * count;
        self.orthogonalise(0);
        let mut k = 1;
        while k < count && patience > 0 {
            patience -= 1;
            self.shorten(k, meter)?;
            let overlap = self.overlap(k, k - 1);
            if self.squares[k] >= (LOVASZ - overlap * overlap) * self.squares[k - 1] {
                k += 1;
            } else {
                self.vectors.swap(k, k - 1);
                self.inverse.swap(k, k - 1);
                self.orthogonalise(k - 1);
                k = (k - 1).max(1);
            }
        }
        let form = |row: Vec<Int>| Linear::new(self.atoms.iter().copied().zip(row).collect(), Int::ZERO);
        let forms = self.inverse.into_iter().map(form).collect();
        let columns = self.vectors.into_iter().map(|vector| vector[..count].to_vec()).collect();
        Ok(Reduced { forms, columns, atoms: self.atoms, is_finite: self.is_finite })
    }

    fn weighted(&self, k: usize) -> Vec<f64> {
        self.vectors[k].iter().zip(&self.weights).map(|(value, weight)| value.to_f64() * weight).collect()
    }

    /// How much of the orthogonal vector `j` is in the vector `k`.
    fn overlap(&self, k: usize, j: usize) -> f64 {
        let vector = self.vectors[k].iter().zip(&self.weights);
        let product: f64 = vector.zip(&self.orthogonal[j]).map(|((value, weight), other)| value.to_f64() * weight * other).sum();
        product / self.squares[j]
    }

    fn orthogonalise(&mut self, k: usize) {
        let mut vector = self.weighted(k);
        for j in 0..k {
            let product: f64 = vector.iter().zip(&self.orthogonal[j]).map(|(a, b)| a * b).sum();
            let overlap = product / self.squares[j];
            vector.iter_mut().zip(&self.orthogonal[j]).for_each(|(a, b)| *a -= overlap * b);
        }
        // The atoms' own coordinates keep the vectors independent.
        self.squares[k] = vector.iter().map(|a| a * a).sum::<f64>().max(f64::MIN_POSITIVE);
        self.orthogonal[k] = vector;
    }

    /// Takes multiples of the vectors before it away from the vector `k`.
    fn shorten(&mut self, k: usize, meter: &mut Meter) -> Result<(), Exhausted> {
        let width = self.weights.len();
        meter.spend((k * width) as u64 / 64 + 1)?;
        // More than once, as long as the numbers are too large for floating point.
        for _ in 0..8 {
            let mut far = false;
            for j in (0..k).rev() {
                let factor = self.overlap(k, j).round();
                if factor == 0.0 || !factor.is_finite() {
                    continue;
                }
                far |= factor.abs() > 1e6;
                meter.spend(width as u64 / 32 + 1)?;
                let factor = whole_number(factor);
                let (before, after) = self.vectors.split_at_mut(k);
                for (value, other) in after[0].iter_mut().zip(&before[j]).filter(|(_, other)| !other.is_zero()) {
                    *value -= &(other * &factor);
                }
                let (before, after) = self.inverse.split_at_mut(k);
                for (value, other) in before[j].iter_mut().zip(&after[0]).filter(|(_, other)| !other.is_zero()) {
                    *value += &(other * &factor);
                }
            }
            if !far {
                break;
            }
        }
        self.orthogonalise(k);
        Ok(())
    }
}

/// The integer that a whole floating-point number is.
fn whole_number(value: f64) -> Int {
    let (mut value, mut shift) = (value, 0);
    while value.abs() >= 4e18 {
        value /= 65_536.0;
        shift += 16;
    }
    let magnitude = Int::from(value.abs() as i64).shift_left(shift);
    if value < 0.0 { -magnitude } else { magnitude }
}

/// The inverse of the width that the bounds of all rows together leave each coordinate, and whether that of each atom is finite.
fn weights(search: &Search, columns: &[Option<ColumnId>], forms: &[Vec<(usize, Int)>], count: usize) -> (Vec<f64>, bool) {
    let mut ranges: Vec<(f64, f64)> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let bound = |side, none: f64| {
                let bound = column.and_then(|column| search.simplex.bound(column, side));
                // A split leaves an atom a range for the moment only.
                bound.filter(|(_, reason)| at >= count || search.is_assumed(*reason)).map_or(none, |(value, _)| value.to_f64())
            };
            (bound(BoundSide::Lower, f64::NEG_INFINITY), bound(BoundSide::Upper, f64::INFINITY))
        })
        .collect();
    for _ in 0..ROUNDS {
        for (at, form) in forms.iter().enumerate() {
            let scaled = |ranges: &[(f64, f64)], k: usize, c: f64| {
                let (low, high) = ranges[k];
                if c > 0.0 { (c * low, c * high) } else { (c * high, c * low) }
            };
            let parts: Vec<(usize, f64)> = form.iter().map(|(k, c)| (*k, c.to_f64())).collect();
            let sum = parts.iter().map(|&(k, c)| scaled(&ranges, k, c)).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            let row = &mut ranges[count + at];
            *row = (row.0.max(sum.0), row.1.min(sum.1));
            let row = *row;
            for &(k, c) in &parts {
                let others = parts.iter().filter(|part| part.0 != k).map(|&(k, c)| scaled(&ranges, k, c));
                let others = others.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
                let (low, high) = ((row.0 - others.1) / c, (row.1 - others.0) / c);
                let (low, high) = if c > 0.0 { (low, high) } else { (high, low) };
                ranges[k] = (ranges[k].0.max(low), ranges[k].1.min(high));
            }
        }
    }
    let size = |at: usize| match at.checked_sub(count) {
        Some(row) => forms[row].iter().map(|(_, c)| c.to_f64().abs()).fold(1.0, f64::max),
        None => 1.0,
    };
    let width = |(low, high): (f64, f64)| (high - low).max(NARROWEST);
    // Per unit of the largest coefficient, to compare rows.
    let widest =
        ranges.iter().enumerate().map(|(at, &range)| width(range) / size(at)).filter(|width| width.is_finite()).fold(1.0, f64::max);
    let is_finite = ranges[..count].iter().all(|&range| width(range).is_finite());
    let weights = ranges
        .iter()
        .enumerate()
        .map(|(at, &range)| {
            let width = width(range);
            if width.is_finite() { 1.0 / width } else { 1.0 / (UNBOUNDED * widest * size(at)) }
        })
        .collect();
    (weights, is_finite)
}
