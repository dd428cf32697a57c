//! Formulas as people write them: `x - y <= 3`, `a[i] != 0`, `i < n || n = 0`.

use super::number_bound::{NumberBound, NumberRelation};
use super::wrapped::{Wrapped, wrapped};
use super::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};
use std::cell::Cell;
use std::fmt::Write;

/// What an atom is called, where it is not called what it is made of.
pub type AtomNames<'n> = &'n dyn Fn(&FormulaWriter, AtomId) -> Option<String>;

/// A term can have exponentially many occurrences of a part: so many atoms and formulas are written, and `…` for each of the others.
const ROOM: u32 = 4_000;

/// Writes formulas and terms.
pub struct FormulaWriter<'a> {
    pub pool: &'a Pool,
    pub named: AtomNames<'a>,
    /// The coefficient that a truth value has where it is left out: the term is there for the solver, not for people.
    pub left_out: fn(&Int) -> bool,
    /// Whether unsigned operations are written without what they wrap around.
    wraps: bool,
    room: Cell<u32>,
}

/// The formula in C's operators; positive terms stand left, negative ones right of a comparison.
pub fn formula(pool: &Pool, id: FormulaId) -> String {
    FormulaWriter::new(pool, &|_, _| None, |_| false).formula(id)
}

/// A sum, e.g. `2 * x - y + 3`.
pub fn sum(pool: &Pool, term: &Linear) -> String {
    FormulaWriter::new(pool, &|_, _| None, |_| false).sum(term)
}

impl<'a> FormulaWriter<'a> {
    /// A writer of one formula or term.
    pub fn new(pool: &'a Pool, named: AtomNames<'a>, left_out: fn(&Int) -> bool) -> FormulaWriter<'a> {
        FormulaWriter { pool, named, left_out, wraps: false, room: Cell::new(ROOM) }
    }

    /// The same writer, for readers of C: unsigned operations that wrap around are written as C has them.
    pub fn as_in_c(self) -> FormulaWriter<'a> {
        FormulaWriter { wraps: true, ..self }
    }

    /// Whether there is room for one more part.
    fn has_room(&self) -> bool {
        let left = self.room.get();
        self.room.set(left.saturating_sub(1));
        left > 0
    }

    /// [`formula`].
    pub fn formula(&self, id: FormulaId) -> String {
        let pool = self.pool;
        if !self.has_room() {
            return "…".to_owned();
        }
        if let Some(bound) = NumberBound::of(pool, id) {
            return bound.text(&self.atom(bound.atom), false);
        }
        match pool.formula(id) {
            Formula::True => "true".to_owned(),
            Formula::False => "false".to_owned(),
            Formula::Le(term) => self.comparison(term, "<=", "<"),
            Formula::Eq(term) => self.comparison(term, "==", "=="),
            Formula::Bool(symbol) => pool.symbol_name(*symbol).to_owned(),
            Formula::Not(inner) => match pool.formula(*inner) {
                Formula::Le(term) => self.comparison(&term.neg().add_constant(&Int::ONE), "<=", "<"),
                Formula::Eq(term) => self.comparison(term, "!=", "!="),
                _ => format!("!({})", self.formula(*inner)),
            },
            Formula::And(parts) => self.conjuncts(parts).join(" && "),
            Formula::Or(parts) => parts.iter().map(|&part| self.operand_of_junction(part)).collect::<Vec<_>>().join(" || "),
        }
    }

    fn operand_of_junction(&self, part: FormulaId) -> String {
        match self.pool.formula(part) {
            Formula::And(parts) => match &self.conjuncts(parts)[..] {
                [only] => only.clone(),
                several => format!("({})", several.join(" && ")),
            },
            Formula::Or(_) => format!("({})", self.formula(part)),
            _ => self.formula(part),
        }
    }

    /// The parts of a conjunction, as operands of `&&`.
    pub fn conjuncts(&self, parts: &[FormulaId]) -> Vec<String> {
        let bounds: Vec<Option<NumberBound>> = parts.iter().map(|&part| NumberBound::of(self.pool, part)).collect();
        let same = |bound: &NumberBound, side: NumberRelation| {
            bounds
                .iter()
                .flatten()
                .any(|other| other.atom == bound.atom && other.side == side && (side == NumberRelation::Least || other.is_number()))
        };
        let texts = parts.iter().zip(&bounds).filter_map(|(&part, bound)| match bound {
            // In C a comparison with a bound says that its operand is a number.
            Some(bound) if bound.side == NumberRelation::Least && same(bound, NumberRelation::Greatest) => {
                Some(bound.text(&self.atom(bound.atom), true))
            }
            Some(bound) if bound.is_number() && same(bound, NumberRelation::Least) => None,
            _ => Some(self.operand_of_junction(part)),
        });
        texts.collect()
    }

    fn displayed<'t>(&self, term: &'t Linear) -> impl Iterator<Item = &'t (AtomId, Int)> {
        let is_left_out = |(atom, c): &&(AtomId, Int)| (self.left_out)(c) && matches!(self.pool.atom(*atom), Atom::Truth(_));
        term.terms().iter().filter(move |part| !is_left_out(part))
    }

    /// `term op 0`; over the integers `t + 1 <= 0` is `t < 0`.
    fn comparison(&self, term: &Linear, operator: &str, strict: &str) -> String {
        if let Some(wrapped) = self.wraps.then(|| wrapped(self.pool, term)).flatten() {
            return self.wrapped_comparison(&wrapped, operator);
        }
        let mut left: Vec<(AtomId, Int)> = Vec::new();
        let mut right: Vec<(AtomId, Int)> = Vec::new();
        for (atom, coefficient) in self.displayed(term) {
            if coefficient.is_positive() {
                left.push((*atom, coefficient.clone()));
            } else {
                right.push((*atom, -coefficient));
            }
        }
        let one = term.offset().is_one() && strict != operator && !left.is_empty() && !right.is_empty();
        let constant = if one { Int::ZERO } else { term.offset().clone() };
        // The constant joins the side where it is positive, or stands alone.
        let (mut of_left, mut of_right) = (Int::ZERO, Int::ZERO);
        if left.is_empty() || (!right.is_empty() && constant.is_positive()) {
            of_left = constant;
        } else {
            of_right = -constant;
        }
        let (left, right) = (self.sum(&Linear::new(left, of_left)), self.sum(&Linear::new(right, of_right)));
        format!("{left} {} {right}", if one { strict } else { operator })
    }

    /// An unsigned operation stands alone on the left side: moved to another one, it would wrap around elsewhere.
    fn wrapped_comparison(&self, Wrapped { operation, is_direct, constant, bits }: &Wrapped, operator: &str) -> String {
        let sum = self.sum(operation);
        let value = match bits {
            8 => format!("(unsigned char)({sum})"),
            16 => format!("(unsigned short)({sum})"),
            _ => sum,
        };
        let (operator, bound) = match (is_direct, operator) {
            (false, "<=") => (">=", constant.clone()),
            (true, _) => (operator, -constant),
            (false, _) => (operator, constant.clone()),
        };
        format!("{value} {operator} {bound}")
    }

    /// [`sum`].
    pub fn sum(&self, term: &Linear) -> String {
        let mut out = String::new();
        for (id, coefficient) in self.displayed(term) {
            let sign = match (out.is_empty(), coefficient.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out.push_str(sign);
            let size = coefficient.abs();
            if !size.is_one() {
                // Writing to a string cannot fail.
                let _ = write!(out, "{size} * ");
            }
            out.push_str(&self.atom(*id));
        }
        let offset = term.offset();
        if out.is_empty() {
            return offset.to_string();
        }
        if !offset.is_zero() {
            let _ = write!(out, " {} {}", if offset.is_negative() { '-' } else { '+' }, offset.abs());
        }
        out
    }

    fn atom(&self, id: AtomId) -> String {
        let pool = self.pool;
        if !self.has_room() {
            return "…".to_owned();
        }
        if let Some(name) = (self.named)(self, id) {
            return name;
        }
        let operand = |term: &Linear| self.operand(term);
        match pool.atom(id) {
            Atom::Symbol(symbol) => pool.symbol_name(*symbol).to_owned(),
            Atom::Select(of, index) => format!("{}[{}]", self.array(*of), self.sum(index)),
            Atom::Product(l, r) => format!("{} * {}", operand(l), operand(r)),
            Atom::BitAnd(l, r) => format!("({} & {})", operand(l), operand(r)),
            Atom::DivTrunc(l, r) => format!("{} / {}", operand(l), operand(r)),
            Atom::RemTrunc(l, r) => format!("{} % {}", operand(l), operand(r)),
            Atom::Truth(inner) => format!("({})", self.formula(*inner)),
        }
    }

    fn array(&self, id: ArrayTermId) -> String {
        let pool = self.pool;
        let mut writes: Vec<String> = Vec::new();
        let mut at = id;
        loop {
            if !self.has_room() {
                return "…".to_owned();
            }
            match pool.array(at) {
                ArrayTerm::Symbol(symbol) => {
                    let mut out = pool.symbol_name(*symbol).to_owned();
                    for write in writes.iter().rev() {
                        out += write;
                    }
                    return out;
                }
                ArrayTerm::Constant(value) => return format!("{{{value}, …}}{}", writes.concat()),
                ArrayTerm::Store(inner, index, value) => {
                    writes.push(format!("{{[{}] = {}}}", self.sum(index), self.sum(value)));
                    at = *inner;
                }
            }
        }
    }

    /// A sum as an operand: in parentheses where it is more than a name or a number.
    pub fn operand(&self, term: &Linear) -> String {
        let displayed: Vec<&(AtomId, Int)> = self.displayed(term).collect();
        match displayed[..] {
            [(_, c)] if c.is_one() && term.offset().is_zero() => self.sum(term),
            [] if !term.offset().is_negative() => self.sum(term),
            _ => format!("({})", self.sum(term)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_read_like_c() {
        let mut pool = Pool::new();
        let (x, y) = (pool.integer("x"), pool.integer("y"));
        let three = Linear::constant(3);
        let formulas = [
            (pool.less(&x, &y), "x < y"),
            (pool.at_most(&x, &y), "x <= y"),
            (pool.at_most(&x, &three), "x <= 3"),
            (pool.at_most(&three, &x), "3 <= x"),
            (pool.equal(&x, &y.add_constant(&Int::from(2))), "x == y + 2"),
            (pool.equal(&x.scale(&Int::from(2)), &three), "2 * x == 3"),
        ];
        for (id, text) in formulas {
            assert_eq!(formula(&pool, id), text);
        }
        // What is written is no longer than what people read, however often a part stands in it.
        let doubled = (0..60).fold(x.clone(), |term, _| pool.product(&term, &term.add_constant(&Int::ONE)));
        let text = sum(&pool, &doubled);
        assert!(text.contains('…') && text.len() < 100_000, "{} bytes", text.len());
        let equal = pool.equal(&x, &three);
        let different = pool.not(equal);
        assert_eq!(formula(&pool, different), "x != 3");
        let a = pool.array_symbol("a");
        let element = pool.select(a, &x.add_constant(&Int::ONE));
        let zero = pool.equal(&element, &Linear::default());
        assert_eq!(formula(&pool, zero), "a[x + 1] == 0");
    }
}
