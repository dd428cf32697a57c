//! The name of a branch that survives edits elsewhere: its function, the conditions around it, its text, and which one of these it is.

use crate::lang::ast::{Function, Program, Stmt, StmtKind};
use crate::source::{LineIndex, Span};
use serde::{Deserialize, Serialize};

/// A branch by its text and structure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StructuralName {
    pub function: String,
    /// The conditions of the statements around it, from outside.
    pub within: Vec<String>,
    /// What holds on this side, as the program has it.
    pub text: String,
    /// Of several such branches of the function which one, from 0.
    pub number: u32,
}

/// The conditions of the statements of a function that are around a span, from outside, as the text has them; `else` stands for the conditions
/// that do not hold there.
pub fn within(function: &Function, lines: &LineIndex, span: Span) -> Vec<String> {
    let mut found = Vec::new();
    function.body.iter().for_each(|stmt| enter(stmt, lines, span, &mut found));
    found
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn enter(stmt: &Stmt, lines: &LineIndex, span: Span, found: &mut Vec<String>) {
    if !contains(stmt.span, span) || stmt.span == span {
        return;
    }
    let text = |span: Span| spaced(&lines.text()[span.start as usize..span.end as usize]);
    let mut around = |head: String, body: &Stmt| {
        if contains(body.span, span) {
            found.push(head);
        }
    };
    match &stmt.kind {
        StmtKind::If { arms, otherwise } => {
            arms.iter().for_each(|(condition, then)| around(text(condition.span), then));
            otherwise.iter().for_each(|stmt| around("else".to_owned(), stmt));
        }
        StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => around(text(condition.span), body),
        StmtKind::For { condition, body, .. } => around(condition.as_ref().map_or_else(String::new, |e| text(e.span)), body),
        StmtKind::Switch { value, body } => around(text(value.span), body),
        _ => {}
    }
    stmt.children(&mut |child| enter(child, lines, span, found));
}

/// A text with one space wherever it has some.
pub fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The function of the program in which an offset is.
pub fn function_at(program: &Program, offset: u32) -> Option<&Function> {
    program.own().find(|function| function.span.start <= offset && offset < function.span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_around_a_branch_are_its_structure() {
        let source = "int f(int a, int b) {\n  while (a  > 3) { if (b == 1) a--; else if (b < a) { switch (b) { case 2: return a ? 1 : 2; } } }\n  return 0; }";
        let program = crate::lang::parse(source).program.expect("no error");
        let lines = LineIndex::new(source);
        let around = |text: &str| {
            let start = source.find(text).expect("there") as u32;
            let span = Span { start, end: start + text.len() as u32 };
            within(function_at(&program, start).expect("a function"), &lines, span).join(" / ")
        };
        assert_eq!(around("a  > 3"), "");
        assert_eq!(around("b == 1"), "a > 3");
        assert_eq!(around("b < a"), "a > 3");
        assert_eq!(around("a ? 1"), "a > 3 / b < a / b");
    }
}
