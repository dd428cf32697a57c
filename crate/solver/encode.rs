//! From formulas to variables, clauses and columns.
//!
//! A formula gets a variable the first time it is needed, with clauses in both directions that say what its connective
//! means (G. Tseitin 1968), so that these clauses hold whether the formula is asserted or not. An inequality gets the
//! bound that each of its two literals puts on a column: the term divided by its content, the constant rounded.

use super::certificate::Step;
use super::literal::Lit;
use super::search::{BoundSpec, Origin, Search, VarData};
use super::simplex::{ColumnId, Side};
use crate::logic::{Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};

/// The literal that stands for the formula.
pub fn literal(pool: &mut Pool, search: &mut Search, formula: FormulaId) -> Lit {
    if let Formula::Not(inner) = *pool.formula(formula) {
        return !literal(pool, search, inner);
    }
    if let Some(&var) = search.var_of.get(&formula) {
        return Lit::new(var, true);
    }
    match pool.formula(formula).clone() {
        Formula::Le(term) => inequality(pool, search, formula, &term),
        Formula::Bool(_) | Formula::Not(_) => plain(search, formula),
        Formula::True => {
            let this = plain(search, formula);
            define(search, formula, &[vec![this]]);
            this
        }
        Formula::False => {
            let this = plain(search, formula);
            define(search, formula, &[vec![!this]]);
            this
        }
        Formula::Eq(term) => {
            let (le, ge) = (pool.le(term.clone()), pool.le(term.neg()));
            let (le, ge) = (literal(pool, search, le), literal(pool, search, ge));
            let this = compound(search, formula, &[le, ge]);
            define(search, formula, &[vec![!this, le], vec![!this, ge], vec![this, !le, !ge]]);
            this
        }
        Formula::And(parts) => {
            let parts: Vec<Lit> = parts.iter().map(|&part| literal(pool, search, part)).collect();
            let this = compound(search, formula, &parts);
            let mut clauses: Vec<Vec<Lit>> = parts.iter().map(|&part| vec![!this, part]).collect();
            clauses.push(parts.iter().map(|&part| !part).chain([this]).collect());
            define(search, formula, &clauses);
            this
        }
        Formula::Or(parts) => {
            let parts: Vec<Lit> = parts.iter().map(|&part| literal(pool, search, part)).collect();
            let this = compound(search, formula, &parts);
            let mut clauses: Vec<Vec<Lit>> = parts.iter().map(|&part| vec![this, !part]).collect();
            clauses.push(parts.iter().copied().chain([!this]).collect());
            define(search, formula, &clauses);
            this
        }
    }
}

fn plain(search: &mut Search, formula: FormulaId) -> Lit {
    compound(search, formula, &[])
}

/// A variable for a formula with these parts; their opaque atoms are its own.
fn compound(search: &mut Search, formula: FormulaId, parts: &[Lit]) -> Lit {
    let mut opaque: Vec<AtomId> = parts.iter().flat_map(|part| search.vars[part.var() as usize].opaque.iter().copied()).collect();
    opaque.sort_unstable();
    opaque.dedup();
    Lit::new(search.add_var(VarData { formula, bounds: None, columns: Box::default(), opaque: opaque.into() }), true)
}

fn define(search: &mut Search, formula: FormulaId, clauses: &[Vec<Lit>]) {
    for clause in clauses {
        let added = search.add_clause(clause.clone(), Origin::Given(Step::Definition(formula)));
        debug_assert!(added.is_ok(), "the formula's own literal is still free");
    }
}

fn inequality(pool: &Pool, search: &mut Search, formula: FormulaId, term: &Linear) -> Lit {
    let content = term.content();
    let exact = |value: &Int| value.div_floor(&content).expect("the content of a term with atoms is positive");
    let leading_negative = term.terms()[0].1.is_negative();
    // The primitive form p, its first coefficient positive: term = ±content · p + constant.
    let primitive: Vec<(AtomId, Int)> =
        term.terms().iter().map(|(atom, c)| (*atom, if leading_negative { -exact(c) } else { exact(c) })).collect();
    let columns: Box<[ColumnId]> = primitive.iter().map(|&(atom, _)| column(search, atom)).collect();
    let form = if primitive.len() == 1 { columns[0] } else { slack(search, primitive, &columns) };
    // ±content · p ≤ -constant, or for the negation ±content · p ≥ 1 - constant.
    let at_most = exact(&-term.offset());
    let at_least = &at_most + &Int::ONE;
    let bound = |side, value| BoundSpec { column: form, side, value };
    let bounds = if leading_negative {
        [bound(Side::Lower, -&at_most), bound(Side::Upper, -&at_least)]
    } else {
        [bound(Side::Upper, at_most), bound(Side::Lower, at_least)]
    };
    let opaque = term.terms().iter().map(|term| term.0).filter(|&atom| !matches!(pool.atom(atom), Atom::Symbol(_))).collect();
    Lit::new(search.add_var(VarData { formula, bounds: Some(Box::new((bounds, content))), columns, opaque }), true)
}

/// The column of an atom.
pub fn column(search: &mut Search, atom: AtomId) -> ColumnId {
    if let Some(&column) = search.columns.get(&atom) {
        return column;
    }
    let column = search.simplex.add_column();
    search.columns.insert(atom, column);
    search.forms.push(Linear::atom(atom));
    column
}

fn slack(search: &mut Search, primitive: Vec<(AtomId, Int)>, columns: &[ColumnId]) -> ColumnId {
    let key = Linear::new(primitive, Int::ZERO);
    if let Some(&column) = search.slacks.get(&key) {
        return column;
    }
    let form: Vec<(ColumnId, Int)> = columns.iter().zip(key.terms()).map(|(&column, (_, c))| (column, c.clone())).collect();
    let column = search.simplex.add_slack(&form);
    search.forms.push(key.clone());
    search.slacks.insert(key, column);
    column
}
