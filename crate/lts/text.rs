//! Labels and expressions as people write them: C, with no more parentheses than needed.

use super::{BinaryOp, CompareOp, Edge, Expr, Label, Lts};
use std::fmt::Write;

/// An edge's operation, e.g. `ia < la`, `A[ia + ib] = a[ia]`, `x = nondet()`. The side of a decision on which the
/// condition fails is written as what holds there: `ia >= la`, `!nondet()`, `x == 0`.
pub fn label(lts: &Lts, edge: &Edge) -> String {
    let name = |id: &super::VariableId| lts.variable(*id).name.as_str();
    match &edge.label {
        Label::Skip => "skip".into(),
        Label::Assume { condition, holds } => assumption(lts, condition, *holds),
        Label::Assign(variable, value) => format!("{} = {}", name(variable), expr(lts, value)),
        Label::Store { array, index, value } => format!("{}[{}] = {}", lts.array(*array).name, expr(lts, index), expr(lts, value)),
        Label::Fill(array, values) => {
            let mut list: Vec<String> = values.iter().take(8).map(|v| expr(lts, v)).collect();
            if values.len() > 8 {
                list.push("…".into());
            }
            format!("{} = {{{}}}", lts.array(*array).name, list.join(", "))
        }
        Label::Havoc(variable) => format!("{} = nondet()", name(variable)),
    }
}

/// What holds where `condition ≠ 0` is `holds`.
pub fn assumption(lts: &Lts, condition: &Expr, holds: bool) -> String {
    match (condition, holds) {
        (Expr::Compare(op, a, b), false) => expr(lts, &Expr::Compare(op.negated(), a.clone(), b.clone())),
        (_, true) => expr(lts, condition),
        (Expr::Not(inner), false) => expr(lts, inner),
        (Expr::Nondet | Expr::Int(_), false) => format!("!{}", expr(lts, condition)),
        (_, false) => expr(lts, &Expr::Compare(CompareOp::Eq, Box::new(condition.clone()), Box::new(Expr::Int(0.into())))),
    }
}

/// An expression in C.
pub fn expr(lts: &Lts, e: &Expr) -> String {
    let mut out = String::new();
    write(lts, e, 0, &mut out);
    out
}

/// How strongly an expression's outermost operator binds.
fn strength(e: &Expr) -> u8 {
    match e {
        Expr::Compare(CompareOp::Eq | CompareOp::Ne, ..) => 1,
        Expr::Compare(..) => 2,
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => 3,
        Expr::Binary(..) => 4,
        Expr::Neg(_) | Expr::Not(_) => 5,
        Expr::Int(value) if value.is_negative() => 5,
        Expr::Int(_) | Expr::Var(_) | Expr::Read(..) | Expr::Nondet => 6,
    }
}

fn write(lts: &Lts, e: &Expr, least: u8, out: &mut String) {
    let own = strength(e);
    if own < least {
        out.push('(');
    }
    match e {
        Expr::Int(value) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{value}");
        }
        Expr::Var(id) => out.push_str(&lts.variable(*id).name),
        Expr::Read(id, index) => {
            out.push_str(&lts.array(*id).name);
            out.push('[');
            write(lts, index, 0, out);
            out.push(']');
        }
        Expr::Nondet => out.push_str("nondet()"),
        Expr::Neg(a) | Expr::Not(a) => {
            out.push(if matches!(e, Expr::Neg(_)) { '-' } else { '!' });
            // `- -x` would read as a decrement.
            let again = matches!(**a, Expr::Neg(_)) || matches!(&**a, Expr::Int(v) if v.is_negative());
            write(lts, a, if again { 6 } else { 5 }, out);
        }
        Expr::Binary(op, a, b) => {
            let sign = match op {
                BinaryOp::Add => " + ",
                BinaryOp::Sub => " - ",
                BinaryOp::Mul => " * ",
                BinaryOp::Div => " / ",
                BinaryOp::Rem => " % ",
            };
            write(lts, a, own, out);
            out.push_str(sign);
            write(lts, b, own + 1, out);
        }
        Expr::Compare(op, a, b) => {
            let sign = match op {
                CompareOp::Lt => " < ",
                CompareOp::Le => " <= ",
                CompareOp::Gt => " > ",
                CompareOp::Ge => " >= ",
                CompareOp::Eq => " == ",
                CompareOp::Ne => " != ",
            };
            // A comparison of comparisons is legal but misleading without parentheses.
            write(lts, a, 3, out);
            out.push_str(sign);
            write(lts, b, 3, out);
        }
    }
    if own < least {
        out.push(')');
    }
}

#[cfg(test)]
mod tests {
    use crate::{lang, lts::lower::lower};

    /// The labels of `x = <text>;`'s only edge and of the two sides of `if (<text>)`.
    fn labels(text: &str) -> (String, Vec<String>) {
        let print = |body: &str| -> Vec<String> {
            let source = format!("int f(int a, int b, int c, int *m) {{ int x; {body} return 0; }}");
            let program = lang::parse(&source).program.unwrap_or_default();
            let lts = lower(&program, None).map(|l| l.lts).unwrap_or_else(|e| panic!("{e:?}"));
            lts.graph.edge_weights().map(|e| super::label(&lts, e)).collect()
        };
        (print(&format!("x = {text};")).remove(0), print(&format!("if ({text}) ;")))
    }

    #[test]
    fn parentheses_only_where_needed() {
        for text in [
            "a + b - c",
            "a - (b - c)",
            "a * (b + c)",
            "-(a + b)",
            "-(-a)",
            "!(a < b)",
            "(a < b) == c",
            "a / b / c",
            "a / (b / c)",
            "m[a + b * c]",
            "!a",
            "-3",
        ] {
            assert_eq!(labels(text).0, format!("x = {text}"));
        }
        assert_eq!(labels("((a)) + (b * c)").0, "x = a + b * c");
    }

    #[test]
    fn the_failing_side_says_what_holds_there() {
        assert_eq!(labels("a < b").1, ["a < b", "a >= b"]);
        assert_eq!(labels("a == b").1, ["a == b", "a != b"]);
        assert_eq!(labels("a").1, ["a", "a == 0"]);
        assert_eq!(labels("a + b").1, ["a + b", "a + b == 0"]);
        assert_eq!(labels("nondet()").1, ["nondet()", "!nondet()"]);
        assert_eq!(labels("!a").1, ["a", "a == 0"]);
    }
}
