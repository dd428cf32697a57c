//! A region: the linear part of a model's neighbourhood, as a small problem for advisers and for rays.
//!
//! Every assertion holds in a model because some literals do. Those literals alone imply the assertions, and together
//! they are convex: a polyhedron around the model. What linear arithmetic cannot look into (products, quotients,
//! reads from written arrays, truth values) keeps its value, and so does every symbol inside of it. Array elements at
//! an index that keeps its value move like symbols. So every integer point of the region satisfies all assertions.

use super::adviser::{AdviserRow, Problem};
use crate::logic::{
    ArrayTerm, Assignment, Atom, AtomId, Formula, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, SymbolId, ascending,
};

/// Where a value stands in an assignment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Coordinate {
    Symbol(SymbolId),
    Element(SymbolId, Int),
}

impl Coordinate {
    /// The coordinate that a term is the value of, if it is nothing but that; the model says which element.
    pub fn of(pool: &Pool, model: &Assignment, term: &Linear) -> Option<Coordinate> {
        match term.terms() {
            [(atom, factor)] if factor.is_one() && term.offset().is_zero() => Coordinate::of_atom(pool, model, *atom),
            _ => None,
        }
    }

    fn of_atom(pool: &Pool, model: &Assignment, atom: AtomId) -> Option<Coordinate> {
        match pool.atom(atom) {
            Atom::Symbol(symbol) => Some(Coordinate::Symbol(*symbol)),
            Atom::Select(array, index) => match pool.array(*array) {
                ArrayTerm::Symbol(symbol) => Some(Coordinate::Element(*symbol, model.linear(pool, index)?)),
                _ => None,
            },
            _ => None,
        }
    }

    fn symbol(&self) -> SymbolId {
        match self {
            Coordinate::Symbol(symbol) | Coordinate::Element(symbol, _) => *symbol,
        }
    }

    pub fn set(&self, model: &mut Assignment, value: Int) {
        match self {
            Coordinate::Symbol(symbol) => {
                model.integers.insert(*symbol, value);
            }
            Coordinate::Element(array, index) => {
                model.arrays.entry(*array).or_default().elements.insert(index.clone(), value);
            }
        }
    }
}

/// Coefficients by column.
type Terms = Vec<(usize, Int)>;

/// The points around a model that satisfy all assertions for the same reasons.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// What each column of the problem is.
    coordinates: Vec<Coordinate>,
    pub problem: Problem,
}

impl Region {
    /// The region around a model of the assertions; `None` where it is not one.
    pub fn around(pool: &Pool, assertions: &[FormulaId], objective: &Linear, model: &Assignment) -> Option<Region> {
        let literals = literals(pool, assertions, model)?;
        let mut builder = RegionBuilder { pool, model, frozen: frozen(pool, &literals, objective), columns: SortedMap::new() };
        // Of parallel rows only the tightest is kept; a path that counts to a hundred has a hundred of them.
        let mut tightest: SortedMap<(Terms, bool), usize> = SortedMap::new();
        let mut rows: Vec<AdviserRow> = Vec::new();
        for (term, equality) in literals {
            let (terms, constant) = builder.split(&term)?;
            if terms.is_empty() {
                continue;
            }
            match tightest.get(&(terms.clone(), equality)) {
                Some(&at) => rows[at].constant = constant.max(rows[at].constant.clone()),
                None => {
                    tightest.insert((terms.clone(), equality), rows.len());
                    rows.push(AdviserRow { terms, constant, equality });
                }
            }
        }
        let (objective, _) = builder.split(objective)?;
        let coordinates: Vec<(usize, Coordinate)> =
            ascending(builder.columns.into_iter().map(|(coordinate, column)| (column, coordinate)).collect());
        let problem = Problem { columns: coordinates.len(), rows, objective };
        Some(Region { coordinates: coordinates.into_iter().map(|(_, coordinate)| coordinate).collect(), problem })
    }

    /// The model with other values in the columns; `None` for a wrong number of them.
    pub fn moved(&self, model: &Assignment, values: Vec<Int>) -> Option<Assignment> {
        if values.len() != self.coordinates.len() {
            return None;
        }
        let mut moved = model.clone();
        self.coordinates.iter().zip(values).for_each(|(coordinate, value)| coordinate.set(&mut moved, value));
        Some(moved)
    }
}

/// Splits terms into what moves, by column, and what stays.
struct RegionBuilder<'a> {
    pool: &'a Pool,
    model: &'a Assignment,
    frozen: SortedSet<SymbolId>,
    columns: SortedMap<Coordinate, usize>,
}

impl RegionBuilder<'_> {
    fn split(&mut self, term: &Linear) -> Option<(Terms, Int)> {
        let mut moving: SortedMap<usize, Int> = SortedMap::new();
        let mut constant = term.offset().clone();
        for (atom, coefficient) in term.terms() {
            match Coordinate::of_atom(self.pool, self.model, *atom).filter(|coordinate| !self.frozen.contains(&coordinate.symbol())) {
                Some(coordinate) => {
                    let next = self.columns.len();
                    *moving.entry(*self.columns.entry(coordinate).or_insert(next)).or_default() += coefficient;
                }
                None => constant += &(&self.model.atom(self.pool, *atom)? * coefficient),
            }
        }
        Some((moving.into_iter().filter(|(_, coefficient)| !coefficient.is_zero()).collect(), constant))
    }
}

/// Literals (`term ≤ 0`, or `term = 0` where marked) that hold in the model and imply the assertions.
fn literals(pool: &Pool, assertions: &[FormulaId], model: &Assignment) -> Option<Vec<(Linear, bool)>> {
    let mut literals = Vec::new();
    let mut seen: SortedSet<(FormulaId, bool)> = SortedSet::new();
    let mut open: Vec<(FormulaId, bool)> = assertions.iter().rev().map(|&formula| (formula, true)).collect();
    while let Some((formula, holds)) = open.pop() {
        if !seen.insert((formula, holds)) {
            continue;
        }
        match pool.formula(formula) {
            Formula::True | Formula::False | Formula::Bool(_) => {
                if model.formula(pool, formula)? != holds {
                    return None;
                }
            }
            Formula::Le(term) if holds => literals.push((term.clone(), false)),
            // Not `term ≤ 0`: `1 - term ≤ 0`.
            Formula::Le(term) => literals.push((term.neg().add_constant(&Int::ONE), false)),
            Formula::Eq(term) if holds => literals.push((term.clone(), true)),
            Formula::Eq(term) => {
                let above = model.linear(pool, term)?.is_positive();
                literals.push((if above { term.neg() } else { term.clone() }.add_constant(&Int::ONE), false));
            }
            Formula::Not(inner) => open.push((*inner, !holds)),
            Formula::And(parts) | Formula::Or(parts) => {
                if holds == matches!(pool.formula(formula), Formula::And(_)) {
                    open.extend(parts.iter().rev().map(|&part| (part, holds)));
                } else {
                    // One part is enough.
                    let reason = parts.iter().find(|&&part| model.formula(pool, part) == Some(holds))?;
                    open.push((*reason, holds));
                }
            }
        }
    }
    let holds = |(term, equality): &(Linear, bool)| {
        model.linear(pool, term).is_some_and(|value| value.is_zero() || !equality && value.is_negative())
    };
    literals.iter().all(holds).then_some(literals)
}

/// The symbols inside of atoms that linear arithmetic cannot look into.
fn frozen(pool: &Pool, literals: &[(Linear, bool)], objective: &Linear) -> SortedSet<SymbolId> {
    let mut inside: Vec<&Linear> = Vec::new();
    let mut formulas = Vec::new();
    let mut whole: Vec<Linear> = Vec::new();
    for (atom, _) in literals.iter().map(|(term, _)| term).chain([objective]).flat_map(Linear::terms) {
        match pool.atom(*atom) {
            Atom::Symbol(_) => {}
            // The element moves, the index does not.
            Atom::Select(array, index) if matches!(pool.array(*array), ArrayTerm::Symbol(_)) => inside.push(index),
            Atom::Truth(formula) => formulas.push(*formula),
            Atom::Select(..) | Atom::Product(..) | Atom::DivTrunc(..) | Atom::RemTrunc(..) | Atom::BitAnd(..) => {
                whole.push(Linear::atom(*atom))
            }
        }
    }
    inside.extend(&whole);
    Mentions::of(pool, &formulas, &inside).symbols
}
