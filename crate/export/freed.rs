//! Parameters whose objects a call may free: a test has them in memory that can be freed.

use crate::lang::ast::{DeclId, Expr, ExprKind, Function, Program, Stmt};

/// Calls on the way to one of `free`, at most.
const DEPTH: u32 = 8;

/// Whether a call of the function may free what one of its parameters points to.
pub fn is_freed(program: &Program, function: &Function, parameter: DeclId) -> bool {
    frees(program, function, parameter, DEPTH)
}

fn frees(program: &Program, function: &Function, parameter: DeclId, depth: u32) -> bool {
    let is_parameter = |e: &Expr| matches!(&e.unconverted().kind, ExprKind::Name(name) if name.decl == Some(parameter));
    let mut found = false;
    let mut call = |e: &Expr| {
        let ExprKind::Call(name, arguments) = &e.kind else { return };
        let Some(at) = arguments.iter().position(is_parameter) else { return };
        found = found
            || match program.function(&name.text) {
                None => name.text == "free" || name.text == "realloc",
                Some((_, called)) => called.parameters.get(at).is_some_and(|own| depth > 0 && frees(program, called, own.decl, depth - 1)),
            };
    };
    function.body.iter().for_each(|stmt| each_expression(stmt, &mut call));
    found
}

fn each_expression(stmt: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    fn inside(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
        visit(e);
        e.kind.children(&mut |child| inside(child, visit));
    }
    stmt.expressions(&mut |e| inside(e, visit));
    stmt.children(&mut |child| each_expression(child, visit));
}
