//! What a program calls and does not define, as C text that stands behind the program in one file.
//!
//! A definition has the program's name for the linker and one of its own for the compiler, so that it need not repeat the program's
//! declaration.

use super::Suite;
use crate::lang::ast::{Expr, ExprKind, Prototype, Shape, Stmt, Type};
use crate::lang::intrinsic::{self, ErrorKind, Intrinsic};
use crate::lang::library;
use crate::lang::storage::{Linkage, Storage};
use crate::lang::types::Integer;
use crate::logic::SortedSet;
use crate::lts::{Label, Origin};
use std::fmt::Write as _;

/// The text; where `is_verified` whoever runs it defines `__VERIFIER_nondet_*`.
pub fn externals(suite: &Suite, is_verified: bool) -> String {
    let program = &suite.loaded.program;
    let mut text = String::new();
    let left = |name: &String| !(is_verified && name.starts_with("__VERIFIER_nondet_"));
    for name in called(suite).into_iter().filter(left) {
        let prototype = program.prototypes.iter().find(|prototype| prototype.name.text == name);
        let next = |integer: Option<Integer>| if integer == Some(Integer::Bool) { "culdesac_next() & 1" } else { "culdesac_next()" };
        let condition = match prototype.and_then(|prototype| prototype.parameters.as_deref()) {
            Some([parameter]) if matches!(parameter.ty, Type::Integer(integer) if integer.size() > 4) => "long long holds",
            _ => "int holds",
        };
        let body = match intrinsic::find(&name) {
            Some(Intrinsic::Nondet(integer)) => format!("long long NAME(void) {{ return {}; }}", next(Some(integer))),
            Some(Intrinsic::Random) => "long long NAME(void) { return culdesac_next() & 0x7fffffff; }".to_owned(),
            Some(Intrinsic::Assume) => format!("void NAME({condition}) {{ if (!holds) culdesac_end(CULDESAC_ASSUMED); }}"),
            Some(Intrinsic::Assert(_)) => format!("void NAME({condition}) {{ if (!holds) culdesac_end(CULDESAC_FAILED); }}"),
            Some(Intrinsic::Error(ErrorKind::ErrorCall)) => "void NAME(void) { culdesac_end(CULDESAC_FAILED); }".to_owned(),
            Some(Intrinsic::Address) => match memory(suite, &name) {
                Some(body) => body,
                None => continue,
            },
            Some(_) => continue,
            None if library::names().any(|known| known == name) || is_of_libc(&name) => continue,
            None => match prototype.map(|prototype| &prototype.returns) {
                Some(Type::Void) => "void NAME(void) {}".to_owned(),
                Some(Type::Integer(integer)) => format!("long long NAME(void) {{ return {}; }}", next(Some(*integer))),
                _ => format!("long long NAME(void) {{ return {}; }}", next(None)),
            },
        };
        let own = format!("culdesac_for_{name}");
        let head = body.split_once('{').map_or("", |(head, _)| head).replace("NAME", &own);
        let _ = writeln!(text, "{head}CULDESAC_NAMED(\"{name}\");\n{}", body.replace("NAME", &own));
    }
    for decl in program.decls.iter().filter(|decl| decl.storage == Storage::Global && decl.linkage == Linkage::Elsewhere) {
        let name = &decl.name;
        let _ = match decl.shape {
            Shape::Array { length: crate::lang::ast::Length::Unknown, .. } | Shape::Opaque => writeln!(
                text,
                "extern char culdesac_for_{name}[1 << 16] CULDESAC_NAMED(\"{name}\");\nchar culdesac_for_{name}[1 << 16] __attribute__((aligned(16)));"
            ),
            _ => writeln!(text, "__typeof__({name}) {name};"),
        };
    }
    text
}

/// The functions that give any value of their type, as their bodies do no more than that: where the body stands, and the type.
pub fn giving_anything(suite: &Suite) -> Vec<(u32, u32, Integer)> {
    let own = suite.loaded.program.own();
    own.filter_map(|function| {
        let integer = function.gives_anything()?;
        let start = function.span.text(&suite.request.source).find('{')? as u32 + function.span.start;
        Some((start, function.span.end, integer))
    })
    .collect()
}

/// The names that the program calls and does not define.
fn called(suite: &Suite) -> SortedSet<String> {
    let program = &suite.loaded.program;
    let mut found = SortedSet::new();
    let mut statements: Vec<&Stmt> = program.own().flat_map(|function| &function.body).collect();
    while let Some(statement) = statements.pop() {
        statement.children(&mut |child| statements.push(child));
        let mut expressions: Vec<&Expr> = Vec::new();
        statement.expressions(&mut |expression| expressions.push(expression));
        while let Some(expression) = expressions.pop() {
            expression.kind.children(&mut |child| expressions.push(child));
            if let ExprKind::Call(name, _) = &expression.kind {
                let is_defined = program.function(&name.text).is_some_and(|(_, function)| !function.library);
                let is_identifier = name.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if !is_defined && is_identifier {
                    found.insert(name.text.clone());
                }
            }
        }
    }
    // A pointer may lead to one that is declared alone.
    let pointed = |prototype: &&Prototype| program.addressed.contains(&prototype.name.text);
    found.extend(program.prototypes.iter().filter(pointed).map(|prototype| prototype.name.text.clone()));
    found
}

/// What the C library has that is no more than output here.
fn is_of_libc(name: &str) -> bool {
    matches!(name, "fputs" | "fputc" | "putc" | "fflush" | "perror" | "free" | "fclose")
}

/// A function that asks for memory, where it draws whether there is some.
fn memory(suite: &Suite, name: &str) -> Option<String> {
    let lts = &suite.loaded.lts;
    let (mut null, mut contents) = (false, false);
    for edge in lts.graph.edge_weights() {
        match edge.label {
            Label::Havoc(variable) => null |= lts.variable(variable).name.contains(".null"),
            Label::HavocArray(array) => contents |= lts.array(array).origin == Origin::Inlined,
            _ => {}
        }
    }
    if !null && !contents {
        return None;
    }
    let bytes = match name {
        "calloc" => "a * b",
        "realloc" => "b",
        _ => "a",
    };
    let fails = if null { "culdesac_next() & 1" } else { "0" };
    let filled = if contents && name != "calloc" { "culdesac_next();" } else { "" };
    Some(format!(
        "void *NAME(unsigned long a, unsigned long b) {{ int fails = {fails}; {filled} return fails ? 0 : culdesac_allocate({bytes}); }}"
    ))
}
