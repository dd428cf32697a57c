//! Exact evaluation of terms and formulas under an assignment of the symbols.
//!
//! Terms share their parts and may be thousands of levels deep, so the evaluation does not recurse and computes nothing
//! twice: it puts what it does not know yet on a stack of tasks and asks for it again when it is done. It asks for the
//! parts of a connective from left to right and only as far as needed, so that a division by zero after a part that
//! settles the truth does no harm.

use super::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SortedIter, SortedMap, SymbolId};
use rustc_hash::FxHashMap;
use std::iter::Peekable;

/// An array's contents: some elements, and the value everywhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    pub elements: SortedMap<Int, Int>,
    pub default: Int,
}

impl ArrayValue {
    /// The element at any index.
    pub fn get(&self, index: &Int) -> &Int {
        self.elements.get(index).unwrap_or(&self.default)
    }
}

/// Values of symbols. What is not listed is 0, false, or an array of zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    pub integers: SortedMap<SymbolId, Int>,
    pub arrays: SortedMap<SymbolId, ArrayValue>,
    pub booleans: SortedMap<SymbolId, bool>,
}

impl Assignment {
    /// The value of a term; `None` where a divisor is 0.
    pub fn linear(&self, pool: &Pool, term: &Linear) -> Option<Int> {
        self.evaluate(pool, |run| run.linear(term))
    }

    /// The value of an atom; `None` where a divisor is 0.
    pub fn atom(&self, pool: &Pool, atom: AtomId) -> Option<Int> {
        self.evaluate(pool, |run| run.value(atom))
    }

    /// The element at `index`; `None` where a divisor is 0.
    pub fn element(&self, pool: &Pool, mut array: ArrayTermId, index: &Int) -> Option<Int> {
        self.evaluate(pool, |run| run.element(&mut array, index))
    }

    /// The truth of a formula; `None` where a divisor is 0.
    pub fn formula(&self, pool: &Pool, formula: FormulaId) -> Option<bool> {
        self.evaluate(pool, |run| run.truth(formula))
    }

    /// Whether all of the formulas have a value and hold; what they share is computed once.
    pub fn satisfies(&self, pool: &Pool, formulas: impl IntoIterator<Item = FormulaId>) -> bool {
        let mut formulas = formulas.into_iter().peekable();
        let all = self.evaluate(pool, |run| {
            while let Some(&formula) = formulas.peek() {
                if !run.truth(formula)? {
                    return Ok(false);
                }
                formulas.next();
            }
            Ok(true)
        });
        all == Some(true)
    }

    /// As [`Assignment::formula`], for one formula after the other; what they share is computed once.
    pub fn truths<'a>(&'a self, pool: &'a Pool) -> impl FnMut(FormulaId) -> Option<bool> + 'a {
        let mut run = Evaluation::new(self, pool);
        move |formula| run.answer(|run| run.truth(formula))
    }

    fn evaluate<T>(&self, pool: &Pool, ask: impl FnMut(&mut Evaluation) -> Result<T, EvalStop>) -> Option<T> {
        Evaluation::new(self, pool).answer(ask)
    }
}

/// Connectives of so few comparisons are evaluated at once.
const FEW: usize = 8;

/// Why there is no value.
#[derive(Clone, Copy)]
enum EvalStop {
    /// A divisor is 0.
    Undefined,
    /// Something it depends on was put on the stack.
    Later,
}

/// Something to compute, with how far it has come.
#[derive(Clone)]
enum EvalTask {
    Atom(AtomId),
    /// An element read, the writes walked over so far.
    Element(AtomId, ArrayTermId, Int),
    /// A connective; so many of its parts have been looked at and left it open.
    Connective(FormulaId, usize),
}

/// From so many terms on, a sum is evaluated by going along the values.
const LONG: usize = 8;

/// Looks up symbols that come in ascending order, as they do in most sums: it finds each a few steps after the one before.
struct Ascending<'a> {
    values: &'a SortedMap<SymbolId, Int>,
    rest: Peekable<SortedIter<'a, SymbolId, Int>>,
    last: Option<SymbolId>,
}

impl<'a> Ascending<'a> {
    fn new(values: &'a SortedMap<SymbolId, Int>) -> Self {
        Ascending { values, rest: values.iter().peekable(), last: None }
    }

    fn get(&mut self, symbol: SymbolId) -> Option<&'a Int> {
        if self.last.replace(symbol).is_some_and(|last| last >= symbol) {
            self.rest = self.values.starting_at(&symbol).peekable();
        }
        for _ in 0..4 {
            match self.rest.peek() {
                Some((next, _)) if **next < symbol => drop(self.rest.next()),
                next => return next.filter(|(next, _)| **next == symbol).map(|(_, value)| *value),
            }
        }
        self.rest = self.values.starting_at(&symbol).peekable();
        self.rest.peek().filter(|(next, _)| **next == symbol).map(|(_, value)| *value)
    }
}

struct Evaluation<'a> {
    assignment: &'a Assignment,
    pool: &'a Pool,
    /// What is known; `None` is undefined.
    atoms: FxHashMap<AtomId, Option<Int>>,
    formulas: FxHashMap<FormulaId, Option<bool>>,
    tasks: Vec<EvalTask>,
}

fn defined<T: Clone>(value: &Option<T>) -> Result<T, EvalStop> {
    value.clone().ok_or(EvalStop::Undefined)
}

/// Done, if the value is there or there is none.
fn settled<T>(value: Result<T, EvalStop>) -> Option<Option<T>> {
    match value {
        Ok(value) => Some(Some(value)),
        Err(EvalStop::Undefined) => Some(None),
        Err(EvalStop::Later) => None,
    }
}

impl<'a> Evaluation<'a> {
    fn new(assignment: &'a Assignment, pool: &'a Pool) -> Self {
        Evaluation { assignment, pool, atoms: FxHashMap::default(), formulas: FxHashMap::default(), tasks: Vec::new() }
    }

    /// Asks until the answer is there; between two questions it computes all that was missing.
    fn answer<T>(&mut self, mut ask: impl FnMut(&mut Self) -> Result<T, EvalStop>) -> Option<T> {
        loop {
            match ask(self) {
                Ok(value) => return Some(value),
                Err(EvalStop::Undefined) => return None,
                Err(EvalStop::Later) => self.work(),
            }
        }
    }

    /// Works off the stack.
    fn work(&mut self) {
        while let Some(mut task) = self.tasks.last().cloned() {
            let top = self.tasks.len() - 1;
            let done = match &mut task {
                EvalTask::Atom(atom) if self.atoms.contains_key(atom) => true,
                EvalTask::Connective(formula, _) if self.formulas.contains_key(formula) => true,
                EvalTask::Atom(atom) => match self.pool.atom(*atom) {
                    Atom::Select(array, index) => match settled(self.linear(index)) {
                        Some(Some(index)) => {
                            // The same place goes on with walking over the writes.
                            self.tasks[top] = EvalTask::Element(*atom, *array, index);
                            continue;
                        }
                        Some(None) => self.atoms.insert(*atom, None).is_none(),
                        None => false,
                    },
                    _ => settled(self.computed(*atom)).is_some_and(|value| self.atoms.insert(*atom, value).is_none()),
                },
                EvalTask::Element(atom, array, index) => {
                    settled(self.element(array, index)).is_some_and(|value| self.atoms.insert(*atom, value).is_none())
                }
                EvalTask::Connective(formula, at) => {
                    settled(self.connective(*formula, at)).is_some_and(|value| self.formulas.insert(*formula, value).is_none())
                }
            };
            if done {
                self.tasks.truncate(top);
            } else {
                self.tasks[top] = task;
            }
        }
    }

    fn linear(&mut self, term: &Linear) -> Result<Int, EvalStop> {
        let mut sum = term.offset().clone();
        let mut missing = false;
        let mut values = (term.terms().len() >= LONG).then(|| Ascending::new(&self.assignment.integers));
        for (atom, coefficient) in term.terms() {
            if let Some(values) = &mut values
                && let Atom::Symbol(symbol) = self.pool.atom(*atom)
            {
                match values.get(*symbol) {
                    Some(value) if coefficient.is_one() => sum += value,
                    Some(value) => sum += &(value * coefficient),
                    None => {}
                }
                continue;
            }
            match self.value(*atom) {
                Ok(value) => sum += &(&value * coefficient),
                Err(EvalStop::Undefined) => return Err(EvalStop::Undefined),
                Err(EvalStop::Later) => missing = true,
            }
        }
        if missing { Err(EvalStop::Later) } else { Ok(sum) }
    }

    /// The value of an atom, put on the stack where it is not known.
    fn value(&mut self, atom: AtomId) -> Result<Int, EvalStop> {
        if let Atom::Symbol(symbol) = self.pool.atom(atom) {
            return Ok(self.assignment.integers.get(symbol).cloned().unwrap_or_default());
        }
        match self.atoms.get(&atom) {
            Some(value) => defined(value),
            None => {
                self.tasks.push(EvalTask::Atom(atom));
                Err(EvalStop::Later)
            }
        }
    }

    /// The value of an atom that is no symbol and no element.
    fn computed(&mut self, atom: AtomId) -> Result<Int, EvalStop> {
        let pool = self.pool;
        let (l, r) = match pool.atom(atom) {
            Atom::Truth(formula) => return Ok(Int::from(self.truth(*formula)?)),
            Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => (self.linear(l)?, self.linear(r)?),
            Atom::Symbol(_) | Atom::Select(..) => return self.value(atom),
        };
        match pool.atom(atom) {
            Atom::Product(..) => Ok(l * r),
            Atom::BitAnd(..) => Ok(l.bit_and(&r)),
            Atom::DivTrunc(..) => l.div_rem_trunc(&r).map(|pair| pair.0).ok_or(EvalStop::Undefined),
            _ => l.div_rem_trunc(&r).map(|pair| pair.1).ok_or(EvalStop::Undefined),
        }
    }

    /// The element at `index`; `array` goes down over the writes known to be elsewhere.
    fn element(&mut self, array: &mut ArrayTermId, index: &Int) -> Result<Int, EvalStop> {
        let pool = self.pool;
        loop {
            match pool.array(*array) {
                ArrayTerm::Symbol(symbol) => {
                    return Ok(self.assignment.arrays.get(symbol).map_or(Int::ZERO, |contents| contents.get(index).clone()));
                }
                ArrayTerm::Constant(value) => return Ok(value.clone()),
                ArrayTerm::Store(_, at, value) if self.linear(at)? == *index => return self.linear(value),
                ArrayTerm::Store(inner, ..) => *array = *inner,
            }
        }
    }

    /// The truth of a formula, put on the stack where it is a connective that is not known.
    fn truth(&mut self, formula: FormulaId) -> Result<bool, EvalStop> {
        let pool = self.pool;
        match pool.formula(formula) {
            Formula::True => Ok(true),
            Formula::False => Ok(false),
            Formula::Le(term) => Ok(!self.linear(term)?.is_positive()),
            Formula::Eq(term) => Ok(self.linear(term)?.is_zero()),
            Formula::Bool(symbol) => Ok(self.assignment.booleans.get(symbol).copied().unwrap_or(false)),
            // Never a negation of a negation: one level.
            Formula::Not(inner) => Ok(!self.truth(*inner)?),
            Formula::And(parts) | Formula::Or(parts) => match self.formulas.get(&formula) {
                Some(value) => defined(value),
                // Most conjunctions are a comparison and the ranges of what it reads: not worth remembering.
                None if parts.len() <= FEW && parts.iter().all(|&part| !self.is_connective(part)) => self.connective(formula, &mut 0),
                None => {
                    self.tasks.push(EvalTask::Connective(formula, 0));
                    Err(EvalStop::Later)
                }
            },
        }
    }

    fn is_connective(&self, formula: FormulaId) -> bool {
        match self.pool.formula(formula) {
            Formula::Not(inner) => matches!(self.pool.formula(*inner), Formula::And(_) | Formula::Or(_)),
            other => matches!(other, Formula::And(_) | Formula::Or(_)),
        }
    }

    /// The truth of a connective whose first `at` parts leave it open.
    fn connective(&mut self, formula: FormulaId, at: &mut usize) -> Result<bool, EvalStop> {
        let (parts, settles) = match self.pool.formula(formula) {
            Formula::And(parts) => (parts, false),
            Formula::Or(parts) => (parts, true),
            _ => return self.truth(formula),
        };
        while let Some(&part) = parts.get(*at) {
            if self.truth(part)? == settles {
                return Ok(settles);
            }
            *at += 1;
        }
        Ok(!settles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten thousand levels of each construct, the parts shared: neither the machine's stack nor time limits evaluation.
    #[test]
    fn depth_costs_memory_only() {
        const LEVELS: u32 = 10_000;
        let mut pool = Pool::new();
        let (x, p) = (pool.integer("x"), pool.boolean("p"));
        let array = pool.array_symbol("a");
        let one = Linear::constant(1);
        let (mut formula, mut read, mut product, mut truth) = (p, x.clone(), x.clone(), x.clone());
        for level in 0..LEVELS {
            // Both parts of the disjunction hold the level below.
            let bound = pool.at_most(&Linear::constant(i64::from(level)), &x);
            let (either, below) = (pool.or(&[formula, bound]), pool.not(formula));
            let other = pool.or(&[below, bound]);
            formula = pool.and(&[either, other]);
            // a[a[…]] and a write that reads below.
            let written = pool.store(array, read.clone(), read.add(&one));
            read = pool.select(written, &read.add(&x));
            product = pool.product(&product.sub(&x).add(&one), &product.add_constant(&Int::ONE));
            product = pool.div_rem_trunc(&product, &x.add(&one)).map_or(product, |pair| pair.1);
            let positive = pool.less(&truth, &one);
            truth = pool.truth(positive);
        }
        let mut assignment = Assignment::default();
        assignment.integers.insert(pool.symbol("x"), Int::from(3));
        assert_eq!(assignment.formula(&pool, formula), Some(false));
        assert!(assignment.linear(&pool, &read).is_some());
        assert!(assignment.linear(&pool, &product).is_some());
        assert_eq!(assignment.linear(&pool, &truth), Some(Int::ONE));
        // x + 1 = 0 divides by zero at every level.
        assignment.integers.insert(pool.symbol("x"), Int::MINUS_ONE);
        assert_eq!(assignment.linear(&pool, &product), None);
    }

    /// Long sums are evaluated by going along the values: also where some are not listed, lie far apart, or come in another order.
    #[test]
    fn long_sums_have_the_sum_of_their_parts() {
        let mut pool = Pool::new();
        let atoms: Vec<Linear> = (0..120).map(|number| pool.integer(&format!("x{number}"))).collect();
        let mut assignment = Assignment::default();
        for number in (0..120).filter(|number| number % 3 != 1 && !(40..70).contains(number)) {
            assignment.integers.insert(pool.symbol(&format!("x{number}")), Int::from(number * number - 900));
        }
        // Atoms get numbers in another order than their symbols where these were named before.
        let late: Vec<_> = ["z0", "z1", "z2"].map(|name| pool.symbol(name)).into_iter().collect();
        let ends: Vec<Linear> = ["z2", "z1", "z0"].iter().map(|name| pool.integer(name)).collect();
        late.iter().zip([7, 11, 13]).for_each(|(&symbol, value)| drop(assignment.integers.insert(symbol, Int::from(value))));
        for step in [1, 2, 9] {
            let parts: Vec<Linear> =
                atoms.iter().step_by(step).chain(&ends).enumerate().map(|(at, part)| part.scale(&Int::from(1 + at as i64 % 4))).collect();
            let sum = parts.iter().fold(Linear::constant(5), |sum, part| sum.add(part));
            let alone = parts.iter().map(|part| assignment.linear(&pool, part).expect("it has a value"));
            assert_eq!(assignment.linear(&pool, &sum), Some(alone.fold(Int::from(5), |sum, value| sum + &value)));
        }
    }

    /// A part that settles the truth is enough, whatever is undefined after it.
    #[test]
    fn undefined_parts_after_a_settled_one() {
        let mut pool = Pool::new();
        let (x, y) = (pool.integer("x"), pool.integer("y"));
        let zero = pool.equal(&y, &Linear::default());
        let quotient = pool.div_rem_trunc(&x, &y).expect("not the constant 0").0;
        let one = pool.equal(&quotient, &Linear::constant(1));
        let either = pool.or(&[zero, one]);
        let both = pool.and(&[zero, one]);
        assert_eq!(Assignment::default().formula(&pool, either), Some(true));
        assert_eq!(Assignment::default().formula(&pool, both), None);
        assert_eq!(Assignment::default().formula(&pool, one), None);
    }
}
