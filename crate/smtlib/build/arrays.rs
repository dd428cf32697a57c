//! Equality of arrays, which the solver has no formula for.
//!
//! The truth of `l = r` is a fresh symbol `p`. One direction is exact: `p ∨ l[k] ≠ r[k]` for a fresh index `k`. For the
//! other, this module asserts `¬p ∨ l[i] = r[i]` for every index `i` that occurs in the assertions. These are consequences,
//! so an `unsat` stands. A model says nothing yet about the other indices: where `p` holds, the symbol below one side's
//! writes gets the other side's contents, and the model counts only if every assertion and the meaning of every `p` then
//! evaluate to true.

use super::Builder;
use crate::logic::{ArrayTerm, ArrayTermId, ArrayValue, Assignment, Atom, Formula, FormulaId, Linear, Pool};
use rustc_hash::FxHashSet;

/// `p ⇔ left = right`.
#[derive(Clone, Debug)]
pub struct ArrayEquality {
    holds: FormulaId,
    left: ArrayTermId,
    right: ArrayTermId,
}

impl Builder {
    /// The formula that holds where the arrays are equal.
    pub fn equal_arrays(&mut self, left: ArrayTermId, right: ArrayTermId) -> FormulaId {
        if left == right {
            return Pool::TRUE;
        }
        if let Some(existing) = self.equalities.iter().find(|e| (e.left, e.right) == (left, right) || (e.right, e.left) == (left, right)) {
            return existing.holds;
        }
        let (holds, witness) = (self.fresh_bool("same"), self.fresh_int("witness"));
        let same = self.element_equal(left, right, &witness);
        let pool = self.pool();
        let differs = pool.not(same);
        let clause = pool.or(&[holds, differs]);
        self.assert(clause);
        self.equalities.push(ArrayEquality { holds, left, right });
        holds
    }

    fn element_equal(&mut self, left: ArrayTermId, right: ArrayTermId, index: &Linear) -> FormulaId {
        let pool = self.pool();
        let (l, r) = (pool.select(left, index), pool.select(right, index));
        pool.equal(&l, &r)
    }

    /// Asserts the standing equalities at every index of the standing assertions.
    pub fn assert_equal_elements(&mut self) {
        let mut found = Indices::default();
        for &formula in self.context.assertions() {
            found.formula(formula);
        }
        let equalities = self.equalities.clone();
        for equality in &equalities {
            found.array(equality.left);
            found.array(equality.right);
        }
        found.walk(&self.context.pool);
        for equality in &equalities {
            for index in &found.indices {
                let same = self.element_equal(equality.left, equality.right, index);
                let pool = self.pool();
                let not = pool.not(equality.holds);
                let clause = pool.or(&[not, same]);
                self.assert(clause);
            }
        }
    }

    /// The model with array symbols set to what they are equal to; `None` where an assertion or an equality fails.
    pub fn complete(&self, mut model: Assignment) -> Option<Assignment> {
        let pool = &self.context.pool;
        // A chain of n equalities is settled after n rounds, all in one direction. Of one that is equal to two others the contents only
        // get to the other one where directions alternate.
        for round in 0..2 * (self.equalities.len() + 1) {
            let mut changed = false;
            for equality in &self.equalities {
                if model.formula(pool, equality.holds) != Some(true) {
                    continue;
                }
                let (left, right) = (contents(pool, &model, equality.left)?, contents(pool, &model, equality.right)?);
                if left == right {
                    continue;
                }
                let sides = [(equality.left, &right), (equality.right, &left)];
                let given = if round % 2 == 0 { [0, 1] } else { [1, 0] }
                    .into_iter()
                    .any(|side| give(pool, &mut model, sides[side].0, sides[side].1));
                if !given {
                    return None;
                }
                changed = true;
            }
            if !changed {
                break;
            }
        }
        let means = |e: &ArrayEquality| {
            let same = contents(pool, &model, e.left)? == contents(pool, &model, e.right)?;
            Some(model.formula(pool, e.holds)? == same)
        };
        let holds = model.satisfies(pool, self.context.assertions().iter().copied());
        (holds && self.equalities.iter().all(|e| means(e) == Some(true))).then_some(model)
    }
}

/// Changes the symbol at the bottom of an array term so that the term holds this, but for what is written to it; false where there is
/// no symbol.
fn give(pool: &Pool, model: &mut Assignment, mut array: ArrayTermId, value: &ArrayValue) -> bool {
    let mut written = Vec::new();
    let symbol = loop {
        match pool.array(array) {
            ArrayTerm::Symbol(symbol) => break *symbol,
            ArrayTerm::Constant(_) => return false,
            ArrayTerm::Store(inner, at, _) => {
                let Some(at) = model.linear(pool, at) else { return false };
                written.push(at);
                array = *inner;
            }
        }
    };
    let old = model.arrays.get(&symbol).cloned().unwrap_or_default();
    let mut new = value.clone();
    for at in written {
        let element = old.get(&at).clone();
        new.elements.insert(at, element);
    }
    model.arrays.insert(symbol, new);
    true
}

/// What an array term holds, in normal form.
fn contents(pool: &Pool, model: &Assignment, mut array: ArrayTermId) -> Option<ArrayValue> {
    let mut writes = Vec::new();
    let mut value = loop {
        match pool.array(array) {
            ArrayTerm::Symbol(symbol) => break model.arrays.get(symbol).cloned().unwrap_or_default(),
            ArrayTerm::Constant(default) => break ArrayValue { default: default.clone(), ..ArrayValue::default() },
            ArrayTerm::Store(inner, at, value) => {
                writes.push((model.linear(pool, at)?, model.linear(pool, value)?));
                array = *inner;
            }
        }
    };
    value.elements.extend(writes.into_iter().rev());
    let default = value.default.clone();
    value.elements.retain(|_, element| *element != default);
    Some(value)
}

/// The indices of all reads and writes below some terms, found without recursion.
#[derive(Default)]
struct Indices {
    indices: Vec<Linear>,
    seen: FxHashSet<Linear>,
    formulas: FxHashSet<FormulaId>,
    arrays: FxHashSet<ArrayTermId>,
    terms: Vec<Linear>,
    open_formulas: Vec<FormulaId>,
    open_arrays: Vec<ArrayTermId>,
    seen_terms: FxHashSet<Linear>,
}

impl Indices {
    fn formula(&mut self, formula: FormulaId) {
        if self.formulas.insert(formula) {
            self.open_formulas.push(formula);
        }
    }

    fn array(&mut self, array: ArrayTermId) {
        if self.arrays.insert(array) {
            self.open_arrays.push(array);
        }
    }

    fn term(&mut self, term: &Linear) {
        if !term.terms().is_empty() && self.seen_terms.insert(term.clone()) {
            self.terms.push(term.clone());
        }
    }

    fn index(&mut self, index: &Linear) {
        if self.seen.insert(index.clone()) {
            self.indices.push(index.clone());
        }
        self.term(index);
    }

    fn walk(&mut self, pool: &Pool) {
        loop {
            if let Some(formula) = self.open_formulas.pop() {
                match pool.formula(formula) {
                    Formula::Le(term) | Formula::Eq(term) => self.term(term),
                    Formula::Not(inner) => self.formula(*inner),
                    Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|&part| self.formula(part)),
                    Formula::True | Formula::False | Formula::Bool(_) => {}
                }
            } else if let Some(array) = self.open_arrays.pop() {
                if let ArrayTerm::Store(inner, at, value) = pool.array(array) {
                    self.index(at);
                    self.term(value);
                    self.array(*inner);
                }
            } else if let Some(term) = self.terms.pop() {
                for (atom, _) in term.terms() {
                    match pool.atom(*atom) {
                        Atom::Symbol(_) => {}
                        Atom::Select(array, index) => {
                            self.index(index);
                            self.array(*array);
                        }
                        Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => {
                            self.term(l);
                            self.term(r);
                        }
                        Atom::Truth(formula) => self.formula(*formula),
                    }
                }
            } else {
                return;
            }
        }
    }
}
