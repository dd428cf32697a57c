//! Formulas as people write them: `x - y <= 3`, `a[i] != 0`, `i < n || n = 0`.

use super::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};
use std::fmt::Write;

/// The formula in C's operators; positive terms stand left, negative ones right of a comparison.
pub fn formula(pool: &Pool, id: FormulaId) -> String {
    match pool.formula(id) {
        Formula::True => "true".to_owned(),
        Formula::False => "false".to_owned(),
        Formula::Le(term) => comparison(pool, term, "<=", "<"),
        Formula::Eq(term) => comparison(pool, term, "==", "=="),
        Formula::Bool(symbol) => pool.symbol_name(*symbol).to_owned(),
        Formula::Not(inner) => match pool.formula(*inner) {
            Formula::Le(term) => comparison(pool, &term.neg().add_constant(&Int::ONE), "<=", "<"),
            Formula::Eq(term) => comparison(pool, term, "!=", "!="),
            _ => format!("!({})", formula(pool, *inner)),
        },
        Formula::And(parts) => join(pool, parts, " && "),
        Formula::Or(parts) => join(pool, parts, " || "),
    }
}

fn join(pool: &Pool, parts: &[FormulaId], between: &str) -> String {
    let parts = parts.iter().map(|&part| match pool.formula(part) {
        Formula::And(_) | Formula::Or(_) => format!("({})", formula(pool, part)),
        _ => formula(pool, part),
    });
    parts.collect::<Vec<_>>().join(between)
}

/// `term op 0`; over the integers `t + 1 <= 0` is `t < 0`.
fn comparison(pool: &Pool, term: &Linear, operator: &str, strict: &str) -> String {
    let mut left: Vec<(AtomId, Int)> = Vec::new();
    let mut right: Vec<(AtomId, Int)> = Vec::new();
    for (atom, coefficient) in term.terms() {
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
    let (left, right) = (sum(pool, &Linear::new(left, of_left)), sum(pool, &Linear::new(right, of_right)));
    format!("{left} {} {right}", if one { strict } else { operator })
}

/// A sum, e.g. `2 * x - y + 3`.
pub fn sum(pool: &Pool, term: &Linear) -> String {
    let mut out = String::new();
    for (id, coefficient) in term.terms() {
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
        out.push_str(&atom(pool, *id));
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

fn atom(pool: &Pool, id: AtomId) -> String {
    let operand = |term: &Linear| match term.terms() {
        [(_, c)] if c.is_one() && term.offset().is_zero() => sum(pool, term),
        [] if !term.offset().is_negative() => sum(pool, term),
        _ => format!("({})", sum(pool, term)),
    };
    match pool.atom(id) {
        Atom::Symbol(symbol) => pool.symbol_name(*symbol).to_owned(),
        Atom::Select(of, index) => format!("{}[{}]", array(pool, *of), sum(pool, index)),
        Atom::Product(l, r) => format!("{} * {}", operand(l), operand(r)),
        Atom::DivTrunc(l, r) => format!("{} / {}", operand(l), operand(r)),
        Atom::RemTrunc(l, r) => format!("{} % {}", operand(l), operand(r)),
        Atom::Truth(inner) => format!("({})", formula(pool, *inner)),
    }
}

fn array(pool: &Pool, id: ArrayTermId) -> String {
    let mut writes: Vec<String> = Vec::new();
    let mut at = id;
    loop {
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
                writes.push(format!("{{[{}] = {}}}", sum(pool, index), sum(pool, value)));
                at = *inner;
            }
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
        let equal = pool.equal(&x, &three);
        let different = pool.not(equal);
        assert_eq!(formula(&pool, different), "x != 3");
        let a = pool.array_symbol("a");
        let element = pool.select(a, &x.add_constant(&Int::ONE));
        let zero = pool.equal(&element, &Linear::default());
        assert_eq!(formula(&pool, zero), "a[x + 1] == 0");
    }
}
