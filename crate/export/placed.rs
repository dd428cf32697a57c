//! Objects at addresses that are numbers: the computer that runs a test has none there.

use crate::lang::ast::sugar::{PLACED, each_expression};
use crate::lang::ast::{Decl, DeclId, Expr, ExprKind, Function, Program};
use crate::logic::SortedSet;

/// Whether it is such an object.
pub fn is_placed(decl: &Decl) -> bool {
    decl.name.starts_with(PLACED)
}

/// Whether the text of an lvalue, as [`crate::lts::lower::spelled`] has it, names such an object.
pub fn names_placed(text: &str) -> bool {
    text.contains(PLACED)
}

/// Such an object that the function may access, or a function that it calls: named in their bodies or by an initialiser at file scope.
pub fn accessed_by<'p>(program: &'p Program, function: &str) -> Option<&'p Decl> {
    let placed = |id: &DeclId| Some(program.decl(*id)).filter(|decl| is_placed(decl));
    if !program.decls.iter().any(is_placed) {
        return None;
    }
    if let Some(decl) = program.pointed.iter().find_map(placed) {
        return Some(decl);
    }
    // A pointer may lead to each function whose address is a value.
    let names = program.addressed.iter().map(String::as_str).chain([function]);
    let mut open: Vec<&Function> = names.filter_map(|name| Some(program.function(name)?.1)).collect();
    let mut seen: SortedSet<&str> = open.iter().map(|function| function.name.text.as_str()).collect();
    while let Some(function) = open.pop() {
        let mut decls: Vec<DeclId> = Vec::new();
        let mut callees: Vec<&str> = Vec::new();
        let mut expressions: Vec<&Expr> = Vec::new();
        function.body.iter().for_each(|stmt| each_expression(stmt, &mut |e| expressions.push(e)));
        while let Some(e) = expressions.pop() {
            match &e.kind {
                ExprKind::Name(name) => decls.extend(name.decl),
                ExprKind::Call(name, _) => callees.push(&name.text),
                _ => {}
            }
            e.kind.children(&mut |child| expressions.push(child));
        }
        if let Some(decl) = decls.iter().find_map(placed) {
            return Some(decl);
        }
        open.extend(callees.into_iter().filter_map(|name| Some(program.function(name)?.1)).filter(|callee| seen.insert(&callee.name.text)));
    }
    None
}
