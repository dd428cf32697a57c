//! The operators of the theories, built exactly from what the solver knows.
//!
//! What it does not know gets a fresh symbol and assertions that define it, in the scope in which the term was met:
//! `t = ite(c, a, b)` is `(¬c ∨ t = a) ∧ (c ∨ t = b)`; for `div` and `mod` by a constant `d ≠ 0` a quotient `q` with
//! `0 ≤ x - d·q < |d|`. Every assignment of the script's symbols extends to exactly one of the fresh ones, so the
//! answers are those of the script. For a divisor `d` that is a term, quotient and remainder are fresh symbols with the
//! same definition where `d ≠ 0` (the product `d·q` is the solver's); where `d = 0`, they are elements at the dividend of
//! two fresh arrays, since SMT-LIB leaves both to the model as functions of the dividend.
//!
//! What has no definition stays free: `unsat` still holds, any other answer becomes `unknown`.
//!
//! Fresh names contain a backslash, which no symbol of a script can.

mod arrays;

use super::scoped::Scoped;
use super::value::{Value, ValueKind};
use crate::logic::{FormulaId, Int, Linear, Pool};
use crate::solver::Context;
use arrays::ArrayEquality;

/// How deep a term may be before it gets a name: what evaluates terms and encodes formulas recurses.
const MAX_DEPTH: u32 = 64;
/// How large, as a tree, a part of a term may be before it gets a name: shared parts are evaluated again and again.
const MAX_SIZE: u32 = 2000;
/// The same for a part that is used twice.
const MAX_TWICE: u32 = 32;

/// Terms in the making, and the solver they are asserted in.
pub struct Builder {
    pub context: Context,
    /// Equalities between arrays whose truth is a fresh symbol.
    pub equalities: Vec<ArrayEquality>,
    /// Why `sat` cannot be answered while the innermost scopes stand.
    pub incomplete: Vec<String>,
    fresh: u32,
    /// Fresh symbols that may be used again in this scope or inner ones.
    chosen: Scoped<(FormulaId, Linear, Linear), Linear>,
    quotients: Scoped<(Linear, Int), Linear>,
    /// The same for divisors that are terms: quotient and remainder.
    term_quotients: Scoped<(Linear, Linear), (Linear, Linear)>,
    scopes: Vec<(usize, usize)>,
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            context: Context::new(),
            equalities: Vec::new(),
            incomplete: Vec::new(),
            fresh: 0,
            chosen: Scoped::default(),
            quotients: Scoped::default(),
            term_quotients: Scoped::default(),
            scopes: Vec::new(),
        }
    }

    pub fn pool(&mut self) -> &mut Pool {
        &mut self.context.pool
    }

    pub fn push(&mut self) {
        self.context.push();
        self.scopes.push((self.equalities.len(), self.incomplete.len()));
    }

    pub fn pop(&mut self) {
        self.context.pop();
        if let Some((equalities, incomplete)) = self.scopes.pop() {
            self.equalities.truncate(equalities);
            self.incomplete.truncate(incomplete);
        }
        // The definitions of the others are gone.
        let depth = self.depth();
        self.chosen.truncate(depth);
        self.quotients.truncate(depth);
        self.term_quotients.truncate(depth);
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub fn assert(&mut self, formula: FormulaId) {
        if formula != Pool::TRUE {
            self.context.assert(formula);
        }
    }

    fn fresh_name(&mut self, purpose: &str) -> String {
        self.fresh += 1;
        format!("{purpose}\\{}", self.fresh)
    }

    pub fn fresh_int(&mut self, purpose: &str) -> Linear {
        let name = self.fresh_name(purpose);
        self.pool().integer(&name)
    }

    pub fn fresh_bool(&mut self, purpose: &str) -> FormulaId {
        let name = self.fresh_name(purpose);
        self.pool().boolean(&name)
    }

    pub fn fresh_array(&mut self, purpose: &str) -> Value {
        let name = self.fresh_name(purpose);
        Value::leaf(ValueKind::Array(self.pool().array_symbol(&name)))
    }

    /// The value, with a name instead where it is too deep or too large to be part of another.
    pub fn part(&mut self, value: Value) -> Value {
        if value.depth <= MAX_DEPTH && value.size <= MAX_SIZE { value } else { self.named(value) }
    }

    /// The same for a part that the other term uses twice.
    fn twice(&mut self, value: &Value) -> Value {
        if value.size <= MAX_TWICE && value.depth <= MAX_DEPTH { value.clone() } else { self.named(value.clone()) }
    }

    /// A fresh symbol defined as the value. Arrays keep what they are: walking a chain of writes does not recurse.
    fn named(&mut self, value: Value) -> Value {
        match value.kind {
            ValueKind::Int(term) if term.terms().is_empty() => value_of(term),
            ValueKind::Int(term) => {
                let name = self.fresh_int("term");
                let definition = self.pool().equal(&name, &term);
                self.assert(definition);
                value_of(name)
            }
            ValueKind::Bool(formula) => {
                let name = self.fresh_bool("formula");
                let (not_name, not_formula) = (self.pool().not(name), self.pool().not(formula));
                for clause in [[not_name, formula], [name, not_formula]] {
                    let clause = self.pool().or(&clause);
                    self.assert(clause);
                }
                Value::leaf(ValueKind::Bool(name))
            }
            ValueKind::Array(_) => value,
        }
    }

    /// Both hold or neither.
    fn iff(&mut self, left: &Value, right: &Value) -> Value {
        let (left, right) = (self.twice(left), self.twice(right));
        let (Some(l), Some(r)) = (left.bool(), right.bool()) else { return Value::truth(false) };
        let pool = self.pool();
        let (not_l, not_r) = (pool.not(l), pool.not(r));
        let (forth, back) = (pool.or(&[not_l, r]), pool.or(&[l, not_r]));
        Value::above(ValueKind::Bool(pool.and(&[forth, back])), 2, [&left, &right, &left, &right])
    }

    /// `left = right`, both of one sort.
    pub fn equal(&mut self, left: &Value, right: &Value) -> Value {
        match (&left.kind, &right.kind) {
            (ValueKind::Int(l), ValueKind::Int(r)) => Value::above(ValueKind::Bool(self.pool().equal(l, r)), 1, [left, right]),
            (ValueKind::Array(l), ValueKind::Array(r)) => {
                let (l, r) = (*l, *r);
                let formula = self.equal_arrays(l, r);
                Value::leaf(ValueKind::Bool(formula))
            }
            _ => self.iff(left, right),
        }
    }

    pub fn not(&mut self, value: &Value) -> Value {
        let formula = value.bool().unwrap_or(Pool::FALSE);
        Value { kind: ValueKind::Bool(self.pool().not(formula)), ..*value }
    }

    pub fn all(&mut self, parts: &[Value]) -> Value {
        let formulas: Vec<FormulaId> = parts.iter().filter_map(Value::bool).collect();
        Value::above(ValueKind::Bool(self.pool().and(&formulas)), 1, parts)
    }

    pub fn any(&mut self, parts: &[Value]) -> Value {
        let formulas: Vec<FormulaId> = parts.iter().filter_map(Value::bool).collect();
        Value::above(ValueKind::Bool(self.pool().or(&formulas)), 1, parts)
    }

    /// `if condition then yes else no`, the branches of one sort.
    pub fn choose(&mut self, condition: &Value, yes: &Value, no: &Value) -> Value {
        match condition.bool() {
            Some(Pool::TRUE) => return yes.clone(),
            Some(Pool::FALSE) => return no.clone(),
            _ if yes.kind == no.kind => return yes.clone(),
            _ => {}
        }
        let condition = self.twice(condition);
        let not = self.not(&condition);
        match (&yes.kind, &no.kind) {
            (ValueKind::Int(a), ValueKind::Int(b)) => self.choose_int(&condition, a, b, yes, no),
            (ValueKind::Array(_), ValueKind::Array(_)) => {
                let result = self.fresh_array("ite");
                for (guard, branch) in [(&not, yes), (&condition, no)] {
                    let same = self.equal(&result, branch);
                    let clause = self.any(&[guard.clone(), same]);
                    self.assert(clause.bool().unwrap_or(Pool::FALSE));
                }
                result
            }
            _ => {
                let clauses = [self.any(&[not, yes.clone()]), self.any(&[condition, no.clone()])];
                self.all(&clauses)
            }
        }
    }

    fn choose_int(&mut self, condition: &Value, a: &Linear, b: &Linear, yes: &Value, no: &Value) -> Value {
        let c = condition.bool().unwrap_or(Pool::FALSE);
        // b + (a - b)·[c] where the branches differ by a constant.
        if let Some(difference) = a.sub(b).as_constant() {
            let truth = self.pool().truth(c);
            return Value::above(ValueKind::Int(b.add_scaled(&truth, difference)), 1, [condition, no]);
        }
        let key = (c, a.clone(), b.clone());
        if let Some(result) = self.chosen.get(&key) {
            return value_of(result.clone());
        }
        let result = self.fresh_int("ite");
        for (guard, branch) in [(self.not(condition), yes), (condition.clone(), no)] {
            let same = self.equal(&value_of(result.clone()), branch);
            let clause = self.any(&[guard, same]);
            self.assert(clause.bool().unwrap_or(Pool::FALSE));
        }
        self.chosen.insert(key, result.clone(), self.scopes.len());
        value_of(result)
    }

    /// Quotient and remainder of SMT-LIB: `x = d·q + r` with `0 ≤ r < |d|`.
    pub fn divide(&mut self, x: &Value, d: &Value) -> (Value, Value) {
        let (term, divisor) = (x.int(), d.int());
        let Some(d) = divisor.as_constant().filter(|d| !d.is_zero()).cloned() else {
            return self.divide_by_term(&term, &divisor);
        };
        if let Some(value) = term.as_constant() {
            // Rounded down by |d|, the remainder is never negative.
            let (q, r) = value.div_rem_floor(&d.abs()).unwrap_or_default();
            return (Value::constant(if d.is_negative() { -q } else { q }), Value::constant(r));
        }
        if d.abs().is_one() {
            return (Value { kind: ValueKind::Int(term.scale(&d)), ..*x }, Value::constant(0));
        }
        let key = (term.clone(), d.clone());
        if let Some(q) = self.quotients.get(&key) {
            return (value_of(q.clone()), Value { kind: ValueKind::Int(term.add_scaled(q, &-&d)), ..*x });
        }
        let q = self.fresh_int("div");
        let remainder = term.add_scaled(&q, &-&d);
        let pool = self.pool();
        let bounds = [pool.le(remainder.neg()), pool.less(&remainder, &Linear::constant(d.abs()))];
        for bound in bounds {
            self.assert(bound);
        }
        self.quotients.insert(key, q.clone(), self.scopes.len());
        (value_of(q), Value { kind: ValueKind::Int(remainder), ..*x })
    }

    /// The same for a divisor that may be 0.
    fn divide_by_term(&mut self, x: &Linear, d: &Linear) -> (Value, Value) {
        let key = (x.clone(), d.clone());
        if let Some((q, m)) = self.term_quotients.get(&key) {
            return (value_of(q.clone()), value_of(m.clone()));
        }
        let (q, m) = (self.fresh_int("div"), self.fresh_int("mod"));
        let pool = self.pool();
        let zero = pool.equal(d, &Linear::default());
        let whole = pool.product(d, &q).add(&m);
        let mut clauses = vec![vec![zero, pool.equal(x, &whole)], vec![zero, pool.le(m.neg())]];
        for size in [d.clone(), d.neg()] {
            // |d| = size > 0 ⇒ m < size
            clauses.push(vec![pool.le(size.clone()), pool.less(&m, &size)]);
        }
        // The names of the arrays have no number: one function of the dividend for the whole script.
        for (name, result) in [("div\\0", &q), ("mod\\0", &m)] {
            let array = pool.array_symbol(name);
            let element = pool.select(array, x);
            clauses.push(vec![pool.not(zero), pool.equal(result, &element)]);
        }
        for clause in clauses {
            let clause = self.pool().or(&clause);
            self.assert(clause);
        }
        self.term_quotients.insert(key, (q.clone(), m.clone()), self.scopes.len());
        (value_of(q), value_of(m))
    }

    /// The sum of terms, each with a factor.
    pub fn sum(&self, parts: &[(&Value, Int)]) -> Value {
        let mut terms = Vec::new();
        let mut constant = Int::ZERO;
        for (value, factor) in parts {
            let term = value.int();
            constant += &(term.offset() * factor);
            terms.extend(term.terms().iter().map(|(atom, coefficient)| (*atom, coefficient * factor)));
        }
        Value::above(ValueKind::Int(Linear::new(terms, constant)), 0, parts.iter().map(|part| part.0))
    }

    /// The product. Common factors and signs are taken out first, so that equal products are one atom.
    pub fn product(&mut self, left: &Value, right: &Value) -> Value {
        let (l, r) = (left.int(), right.int());
        let linear = l.as_constant().is_some() || r.as_constant().is_some();
        let term = if linear {
            self.pool().product(&l, &r)
        } else {
            let ((l, a), (r, b)) = (primitive(&l), primitive(&r));
            self.pool().product(&l, &r).scale(&(&a * &b))
        };
        Value::above(ValueKind::Int(term), u32::from(!linear), [left, right])
    }

    /// The array with the same value everywhere.
    pub fn constant_array(&mut self, value: &Value) -> Value {
        match value.int().as_constant().cloned() {
            Some(value) => Value::leaf(ValueKind::Array(self.pool().constant_array(value))),
            None => {
                self.incomplete.push("the value of a constant array is not a constant".into());
                self.fresh_array("const")
            }
        }
    }
}

/// A term that is not constant as a factor times a term without common factor, whose first coefficient is positive.
fn primitive(term: &Linear) -> (Linear, Int) {
    let mut factor = term.content().gcd(term.offset());
    if term.terms().first().is_some_and(|(_, coefficient)| coefficient.is_negative()) {
        factor = -factor;
    }
    let divided = |value: &Int| value.div_floor(&factor).unwrap_or_default();
    let terms = term.terms().iter().map(|(atom, coefficient)| (*atom, divided(coefficient))).collect();
    (Linear::new(terms, divided(term.offset())), factor)
}

fn value_of(term: Linear) -> Value {
    Value::leaf(ValueKind::Int(term))
}
