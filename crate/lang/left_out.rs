//! What functions that are left out may do: one function stands for all of them. It gives the address of each object and function that they
//! name to a function without a body, which may write to them and call them.

use super::ast::{Declarator, Expr, ExprKind, Function, Name, Prototype, Shape, Stmt, StmtKind, Type};
use super::intrinsic::ANYTHING;
use super::parse::ParseTree;
use super::refused::LEFT_OUT;
use crate::logic::SortedSet;
use crate::source::Span;

/// The names in the functions that are left out.
pub type LeftOutNames<'t> = SortedSet<&'t str>;

/// Adds to a syntax tree the function that represents every function left out; `names` are the identifiers in their bodies.
pub fn add(tree: &mut ParseTree, names: &LeftOutNames<'_>) {
    if names.is_empty() {
        return;
    }
    let name = |text: &str, span: Span| Name { text: text.to_owned(), span, decl: None };
    let named = |text: &str, span: Span| Expr::new(ExprKind::Name(name(text, span)), span);
    let object = |declarator: &Declarator| {
        let object = named(&declarator.name.text, declarator.name.span);
        match declarator.ty {
            Type::Array(..) => object,
            _ => Expr::new(ExprKind::AddressOf(Box::new(object)), declarator.name.span),
        }
    };
    let mut seen: SortedSet<&str> = SortedSet::new();
    let objects =
        tree.globals.iter().filter(|global| names.contains(global.name.text.as_str()) && seen.insert(&global.name.text)).map(object);
    let functions = tree.functions.iter().map(|function| &function.name).filter(|function| names.contains(function.text.as_str()));
    let arguments: Vec<Expr> = objects.chain(functions.map(|function| named(&function.text, function.span))).collect();
    let span = arguments.first().map_or(Span::default(), |argument| argument.span);
    let call = Expr::new(ExprKind::Call(name(ANYTHING, span), arguments), span);
    tree.prototypes.push(Prototype { name: name(ANYTHING, span), returns: Type::Void, parameters: None, variadic: false });
    tree.functions.push(Function {
        name: name(LEFT_OUT, span),
        returns: Type::Void,
        result: Shape::Void,
        parameters: Vec::new(),
        body: vec![Stmt { kind: StmtKind::Expr(call), span }],
        span,
        end: span,
        library: false,
        is_static: false,
        old_style: false,
        variadic: false,
        casts: Vec::new(),
    });
}
