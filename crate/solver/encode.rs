//! From formulas to variables, clauses and columns.
//!
//! A formula gets a variable the first time it is needed, with clauses in both directions that say what its connective
//! means (G. Tseitin 1968), so that these clauses hold whether the formula is asserted or not. An inequality gets the
//! bound that each of its two literals puts on a column: the term divided by its content, the constant rounded. An
//! equality gets both bounds at once; only where it is denied and the candidate does not respect that, it needs its two
//! inequalities ([`split`]).
//!
//! A conjunct that holds for all small values, such as that a value lies in the range of its type ([`is_far`]), waits. It gets its
//! variable, its bound and its clauses only where a candidate violates it ([`catch_up`]). A refutation without these clauses is one all
//! the same, and every candidate is evaluated on the whole conjunction, so waiting costs no answer.

use super::certificate::Step;
use super::literal::{Lit, Var};
use super::search::{Bounds, ClauseOrigin, Falsified, Search, VarData};
use super::simplex::ColumnId;
use crate::logic::{Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};

/// The literal that stands for the formula.
pub fn literal(pool: &mut Pool, search: &mut Search, formula: FormulaId) -> Lit {
    // Parts before the whole, without recursion: formulas may be nested deeply.
    let mut waiting = vec![formula];
    while let Some(&next) = waiting.last() {
        let before = waiting.len();
        match pool.formula(next) {
            Formula::Not(inner) => waiting.extend([*inner].iter().filter(|part| encoded_literal(pool, search, **part).is_none())),
            Formula::And(parts) if !search.var_of.contains_key(&next) => {
                waiting.extend(parts.iter().rev().filter(|part| !is_far(pool, **part) && encoded_literal(pool, search, **part).is_none()));
            }
            Formula::Or(parts) if !search.var_of.contains_key(&next) => {
                waiting.extend(parts.iter().rev().filter(|part| encoded_literal(pool, search, **part).is_none()));
            }
            _ => {}
        }
        if waiting.len() == before {
            waiting.pop();
            if encoded_literal(pool, search, next).is_none() {
                encode(pool, search, next);
            }
        }
    }
    encoded_literal(pool, search, formula).expect("the formula has been encoded")
}

/// The literal of a formula that has one already.
pub fn encoded_literal(pool: &Pool, search: &Search, formula: FormulaId) -> Option<Lit> {
    match *pool.formula(formula) {
        Formula::Not(inner) => search.var_of.get(&inner).map(|&var| Lit::new(var, false)),
        _ => search.var_of.get(&formula).map(|&var| Lit::new(var, true)),
    }
}

/// What it takes to give a formula its variable, column and clauses, in looks at parts of terms ([`Pool::looked`]).
const ENCODING: u64 = 64;

/// Gives a variable to a formula whose parts have one.
fn encode(pool: &mut Pool, search: &mut Search, formula: FormulaId) {
    pool.looked(ENCODING);
    match pool.formula(formula) {
        Formula::Le(term) => inequality(pool, search, formula, term),
        Formula::Eq(term) => {
            if !equality(pool, search, formula, term) {
                let var = plain(search, formula, opaque(pool, term));
                let added = split(pool, search, var.var());
                debug_assert!(added.is_ok(), "the formula's own literal is still free");
            }
        }
        Formula::Bool(_) | Formula::Not(_) => {
            plain(search, formula, Box::default());
        }
        Formula::True => {
            let this = plain(search, formula, Box::default());
            define(search, formula, vec![this]);
        }
        Formula::False => {
            let this = plain(search, formula, Box::default());
            define(search, formula, vec![!this]);
        }
        Formula::And(parts) => connective(pool, search, formula, parts, true),
        Formula::Or(parts) => connective(pool, search, formula, parts, false),
    }
}

fn plain(search: &mut Search, formula: FormulaId, opaque: Box<[AtomId]>) -> Lit {
    Lit::new(search.add_var(VarData { formula, bounds: None, opaque }), true)
}

/// A conjunction, or a disjunction as the negation of one.
fn connective(pool: &Pool, search: &mut Search, formula: FormulaId, parts: &[FormulaId], conjunction: bool) {
    pool.looked(parts.len() as u64);
    let late: Vec<FormulaId> = parts.iter().copied().filter(|&part| encoded_literal(pool, search, part).is_none()).collect();
    let parts: Vec<Lit> = parts.iter().filter_map(|&part| encoded_literal(pool, search, part)).collect();
    let this = plain(search, formula, Box::default());
    let (whole, sign) = if conjunction { (this, true) } else { (!this, false) };
    let with_sign = |lit: Lit| if sign { lit } else { !lit };
    for &part in &parts {
        define(search, formula, vec![!whole, with_sign(part)]);
    }
    if !late.is_empty() {
        search.late.insert(this.var(), late);
        return;
    }
    let mut all: Vec<Lit> = parts.iter().map(|&part| !with_sign(part)).collect();
    all.push(whole);
    define(search, formula, all);
}

/// From where on a bound is far.
const FAR: i64 = 1 << 16;
/// Whatever atoms lie between this and its negation satisfy all far bounds.
pub const CALM: u64 = 1 << 11;

/// Whether the formula is an inequality that only large values can violate.
fn is_far(pool: &Pool, formula: FormulaId) -> bool {
    let Formula::Le(term) = pool.formula(formula) else { return false };
    let room = -term.offset();
    // The greatest that atoms of such a size can make of the terms; sums of hundreds are far from the ends of a type all the same.
    let weight = || term.terms().iter().fold(Int::ZERO, |sum, (_, c)| sum + &c.abs());
    room >= Int::from(FAR) && weight() * &Int::from(CALM) <= room
}

/// The conjuncts of a conjunction that wait still.
pub fn late(search: &Search, var: Var) -> &[FormulaId] {
    search.late.get(&var).map_or(&[], Vec::as_slice)
}

/// Adds the clauses by which the conjunction has some of its [`late`] conjuncts.
///
/// # Errors
/// With the clause that is false now.
pub fn catch_up(pool: &mut Pool, search: &mut Search, var: Var, requested: &[FormulaId]) -> Result<(), Falsified> {
    let Some(late) = search.late.get_mut(&var) else { return Ok(()) };
    late.retain(|part| !requested.contains(part));
    let is_whole = late.is_empty();
    let formula = search.vars[var as usize].formula;
    let this = Lit::new(var, true);
    let mut clauses: Vec<Vec<Lit>> = requested.iter().map(|&part| vec![!this, literal(pool, search, part)]).collect();
    if is_whole {
        search.late.remove(&var);
        let Formula::And(parts) = pool.formula(formula) else { return Ok(()) };
        let denied = parts.iter().filter_map(|&part| encoded_literal(pool, search, part)).map(|part| !part);
        clauses.push(denied.chain([this]).collect());
    }
    let mut outcome = Ok(());
    for clause in clauses {
        if let Err(falsified) = search.add_clause(clause, ClauseOrigin::Given(Step::Definition(formula))) {
            outcome = Err(falsified);
        }
    }
    outcome
}

fn define(search: &mut Search, formula: FormulaId, clause: Vec<Lit>) {
    let added = search.add_clause(clause, ClauseOrigin::Given(Step::Definition(formula)));
    debug_assert!(added.is_ok(), "the formula's own literal is still free");
}

/// Adds the clauses by which an equality is the conjunction of two inequalities, if they are not there yet.
///
/// # Errors
/// With the clause that is false now.
pub fn split(pool: &mut Pool, search: &mut Search, var: Var) -> Result<bool, Falsified> {
    let formula = search.vars[var as usize].formula;
    let Formula::Eq(term) = pool.formula(formula).clone() else { return Ok(false) };
    if search.split_equalities.contains_key(&var) {
        return Ok(false);
    }
    let (ge, le) = (pool.le(term.neg()), pool.le(term));
    let (le, ge, this) = (literal(pool, search, le), literal(pool, search, ge), Lit::new(var, true));
    search.split_equalities.insert(var, [le, ge]);
    let mut outcome = Ok(true);
    for clause in [vec![!this, le], vec![!this, ge], vec![this, !le, !ge]] {
        if let Err(falsified) = search.add_clause(clause, ClauseOrigin::Given(Step::Definition(formula))) {
            outcome = Err(falsified);
        }
    }
    outcome
}

/// Whether linear arithmetic cannot look into the atom.
pub fn is_opaque(pool: &Pool, atom: AtomId) -> bool {
    !matches!(pool.atom(atom), Atom::Symbol(_))
}

fn opaque(pool: &Pool, term: &Linear) -> Box<[AtomId]> {
    term.terms().iter().map(|term| term.0).filter(|&atom| is_opaque(pool, atom)).collect()
}

fn with_bounds(pool: &Pool, formula: FormulaId, bounds: Option<Bounds>, term: &Linear) -> VarData {
    let opaque = opaque(pool, term);
    VarData { formula, bounds, opaque }
}

fn inequality(pool: &Pool, search: &mut Search, formula: FormulaId, term: &Linear) {
    let (column, content, direct) = form(search, term);
    // ±content · p ≤ -constant, or for the negation ±content · p ≥ 1 - constant.
    let at_most = (-term.offset()).div_floor(&content).expect("the content of a term with atoms is positive");
    let at_most = if direct { at_most } else { -&(&at_most + &Int::ONE) };
    let bounds = Some(Bounds::Inequality { column, at_most, direct, content });
    pool.looked(term.terms().len() as u64);
    let var = search.add_var(with_bounds(pool, formula, bounds, term));
    search.imply_new(Lit::new(var, true));
}

/// Whether there is a value that the column would have to have.
fn equality(pool: &Pool, search: &mut Search, formula: FormulaId, term: &Linear) -> bool {
    if !term.offset().is_multiple_of(&term.content()) {
        return false;
    }
    let (column, content, direct) = form(search, term);
    let value = term.offset().div_exact(&content);
    let value = if direct { -value } else { value };
    let bounds = Some(Bounds::Equality { column, value, direct, content });
    pool.looked(term.terms().len() as u64);
    let var = search.add_var(with_bounds(pool, formula, bounds, term));
    search.imply_new(Lit::new(var, true));
    true
}

/// The column of a term's primitive form, whose first coefficient is positive; the term's content; and whether the term
/// is content times form, not its negation, but for the constant.
fn form(search: &mut Search, term: &Linear) -> (ColumnId, Int, bool) {
    let content = term.content();
    let direct = !term.terms()[0].1.is_negative();
    if let [(atom, _)] = term.terms() {
        return (column(search, *atom), content, direct);
    }
    let exact = |c: &Int| {
        let c = c.div_exact(&content);
        if direct { c } else { -c }
    };
    let primitive = Linear::new(term.terms().iter().map(|(atom, c)| (*atom, exact(c))).collect(), Int::ZERO);
    if let Some(&slack) = search.slacks.get(&primitive) {
        return (slack, content, direct);
    }
    let parts: Box<[ColumnId]> = primitive.terms().iter().map(|&(atom, _)| column(search, atom)).collect();
    let form: Vec<(ColumnId, Int)> = parts.iter().zip(primitive.terms()).map(|(&column, (_, c))| (column, c.clone())).collect();
    let slack = search.simplex.add_slack(form);
    search.forms.push(primitive.clone());
    search.parts.push(parts);
    search.slacks.insert(primitive, slack);
    (slack, content, direct)
}

/// The column of an atom.
pub fn column(search: &mut Search, atom: AtomId) -> ColumnId {
    if let Some(&column) = search.columns.get(&atom) {
        return column;
    }
    let column = search.simplex.add_column();
    search.columns.insert(atom, column);
    search.forms.push(Linear::atom(atom));
    search.parts.push(Box::default());
    column
}
