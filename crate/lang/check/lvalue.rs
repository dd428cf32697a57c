//! Lvalues: names, elements, members, and what pointers point to.

use super::super::ast::sugar::PLACED;
use super::super::ast::{BinaryOp, DeclId, Expr, ExprKind, Linkage, Name, Qualifiers, Shape};
use super::super::preprocess::header;
use super::super::types::Integer;
use super::super::{intrinsic, suggest};
use super::{Checker, Entity};
use crate::logic::Arrange;
use crate::source::Diagnostic;

impl Checker<'_> {
    /// Checks an lvalue and gives its shape; other expressions are checked as values.
    pub(super) fn lvalue(&mut self, e: &mut Expr) -> Shape {
        let span = e.span;
        let shape = match &mut e.kind {
            ExprKind::Name(name) if let Some((number, shape)) = self.function_address(&name.text) => {
                e.kind = ExprKind::Int(number);
                shape
            }
            ExprKind::Name(Name { text, decl: Some(id), .. }) if text == super::literal::NAME || text.starts_with(PLACED) => {
                self.decls[id.0 as usize].shape.clone()
            }
            ExprKind::Name(name) => match self.resolve(name) {
                Some(Entity::Decl(id)) => {
                    name.decl = Some(id);
                    self.decls[id.0 as usize].shape.clone()
                }
                Some(Entity::Constant(value, _)) => {
                    // Its type is `int` (6.4.4.3); of a value that is no `int` compilers take the next type.
                    let all = [Integer::Int, Integer::UnsignedInt, Integer::Long, Integer::UnsignedLong];
                    let ty = all.into_iter().find(|ty| ty.range(self.abi()).contains(&value.typed));
                    e.kind = ExprKind::Int(value.typed);
                    Shape::Scalar(ty.unwrap_or(Integer::LongLong))
                }
                None => {
                    e.kind = ExprKind::Error;
                    Shape::INT
                }
            },
            ExprKind::Index(base, index) => {
                let (shape, of_index) = (self.value(base), self.value(index));
                match (shape, of_index) {
                    // `2[a]` is `a[2]` (6.5.2.1p2).
                    (Shape::Scalar(ty), Shape::Pointer(element)) => {
                        self.only_integer(ty, base.span);
                        std::mem::swap(base, index);
                        *element
                    }
                    (Shape::Pointer(element), shape) => {
                        let ty = self.as_scalar(shape, index);
                        self.only_integer(ty, index.span);
                        *element
                    }
                    (_, shape) => {
                        self.as_scalar(shape, index);
                        self.not_an_array(base);
                        e.kind = ExprKind::Error;
                        Shape::INT
                    }
                }
            }
            ExprKind::Deref(base) => match self.value(base) {
                // A function stands for its address (6.3.2.1p4).
                shape @ Shape::Pointer(_) if matches!(&shape, Shape::Pointer(inner) if matches!(**inner, Shape::Function(_))) => {
                    let inner = std::mem::replace(&mut **base, Expr::new(ExprKind::Error, span));
                    *e = Expr { span, ..inner };
                    shape
                }
                Shape::Pointer(element) => {
                    if self.is_placed_address(base)
                        && let ExprKind::AddressOf(object) = std::mem::replace(&mut base.kind, ExprKind::Error)
                    {
                        e.kind = object.kind;
                    }
                    *element
                }
                _ => {
                    if !matches!(base.kind, ExprKind::Error) {
                        self.report(
                            Diagnostic::error("not-a-pointer", base.span, "only a pointer can be followed with `*` or `->`")
                                .help("use the value itself, or `.` for a member"),
                        );
                    }
                    e.kind = ExprKind::Error;
                    Shape::INT
                }
            },
            ExprKind::Member(base, name, number) => match self.lvalue(base) {
                Shape::Struct(mut id) => match self.member(id, name) {
                    Some((mut way, shape)) => {
                        *number = way.pop().unwrap_or_default();
                        let at = *number;
                        let mut volatile = self.volatile_levels(base);
                        for outer in way {
                            let member = &self.structs[id.0 as usize].members.as_ref().expect("it was found there")[outer];
                            let (name, shape) = (member.name.clone(), member.shape.clone());
                            let object = std::mem::replace(&mut **base, Expr::new(ExprKind::Error, span));
                            volatile = self.volatile_of_member(volatile, id, outer);
                            **base = Expr { volatile, ..Expr::new(ExprKind::Member(Box::new(object), name, outer), span) };
                            if let Shape::Struct(inner) = shape {
                                id = inner;
                            }
                        }
                        e.volatile = self.volatile_of_member(volatile, id, at);
                        // One that stands for it.
                        if let Some(member) = self.structs[id.0 as usize].members.as_ref().and_then(|list| list.get(at)) {
                            name.text.clone_from(&member.name.text);
                        }
                        shape
                    }
                    None => {
                        e.kind = ExprKind::Error;
                        Shape::INT
                    }
                },
                shape => {
                    if !matches!(base.kind, ExprKind::Error) {
                        let help = match shape {
                            Shape::Pointer(_) => "follow the pointer: `p->member`",
                            _ => "only structures have members",
                        };
                        self.report(Diagnostic::error("not-a-struct", span, "this is not a structure").help(help));
                    }
                    e.kind = ExprKind::Error;
                    Shape::INT
                }
            },
            ExprKind::Error => Shape::INT,
            _ => return self.value(e),
        };
        if let Some(integer) = shape.integer(self.abi()) {
            e.ty = integer;
        }
        self.note_volatile(e, &shape);
        shape
    }

    /// Whether an lvalue is a bit-field.
    pub(super) fn is_bit_field(&self, e: &Expr) -> bool {
        let ExprKind::Member(base, _, at) = &e.kind else { return false };
        match self.qualifiers(base).1 {
            Shape::Struct(id) => {
                self.structs[id.0 as usize].members.as_ref().is_some_and(|list| list.get(*at).is_some_and(|m| m.bits.is_some()))
            }
            _ => false,
        }
    }

    fn not_an_array(&mut self, base: &mut Expr) {
        match &mut base.kind {
            ExprKind::Name(name) => {
                let Some(declared) = name.decl.map(|id| self.decls[id.0 as usize].span) else { return };
                name.decl = None;
                self.report(
                    Diagnostic::error("scalar-as-array", name.span, format!("`{}` is a single integer, not an array", name.text))
                        .help(format!("declare it as an array, e.g. `int {}[10]`", name.text))
                        .related(declared, "declared here"),
                );
            }
            ExprKind::Error => {}
            _ => self.report(
                Diagnostic::error("not-an-array", base.span, "only an array or a pointer has elements").help("index an array's name"),
            ),
        }
    }

    pub(super) fn is_array(&self, name: &Name) -> bool {
        name.decl.is_some_and(|id| matches!(self.decls[id.0 as usize].shape, Shape::Array { .. }))
    }

    /// What qualifiers say of an lvalue or of an address, and its shape; both as far as they are known.
    pub(super) fn qualifiers(&self, e: &Expr) -> (Qualifiers, Shape) {
        let unknown = || (Qualifiers::default(), Shape::Opaque);
        match &e.kind {
            ExprKind::Name(name) => name.decl.map_or_else(unknown, |id| {
                let decl = &self.decls[id.0 as usize];
                (decl.qualifiers, decl.shape.clone())
            }),
            ExprKind::Index(base, _) | ExprKind::Deref(base) => match self.qualifiers(base) {
                (qualifiers, Shape::Array { element, .. }) => (qualifiers, *element),
                (qualifiers, Shape::Pointer(inner)) => (qualifiers.pointee(), *inner),
                _ => unknown(),
            },
            ExprKind::Member(base, _, at) => {
                let (whole, Shape::Struct(id)) = self.qualifiers(base) else { return unknown() };
                let member = self.structs[id.0 as usize].members.as_ref().and_then(|members| members.get(*at));
                member.map_or_else(unknown, |member| (member.qualifiers.and(whole.own()), member.shape.clone()))
            }
            ExprKind::AddressOf(inner) => {
                let (qualifiers, shape) = self.qualifiers(inner);
                (qualifiers.pointer(), Shape::Pointer(Box::new(shape)))
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => match self.qualifiers(a) {
                array_or_pointer @ (_, Shape::Array { .. } | Shape::Pointer(_)) => array_or_pointer,
                _ => self.qualifiers(b),
            },
            ExprKind::Step { target, .. } => self.qualifiers(target),
            ExprKind::Comma(_, last) => self.qualifiers(last),
            _ => unknown(),
        }
    }

    /// Says so where an lvalue that is `const` would change (6.5.16p2).
    pub(super) fn not_constant(&mut self, lvalue: &Expr) {
        if !self.qualifiers(lvalue).0.fixed() {
            return;
        }
        let root = lvalue.root().cloned();
        let (what, declared) = match (&lvalue.kind, root) {
            (ExprKind::Name(name), _) => (format!("`{}` is `const`", name.text), name.decl),
            (_, Some(root)) => (format!("this part of `{}` is `const`", root.text), root.decl),
            _ => ("this is `const`".to_owned(), None),
        };
        let diagnostic = Diagnostic::error("constant-assignment", lvalue.span, format!("{what}, so it cannot change"))
            .help("leave `const` out of its declaration, or use a variable of its own");
        let declared = declared.map(|id| self.decls[id.0 as usize].span);
        self.report(match declared {
            Some(span) => diagnostic.related(span, "declared here"),
            None => diagnostic,
        });
    }

    /// Notes that the variable itself changes, if the lvalue is one.
    pub(super) fn mark_assigned(&mut self, lvalue: &Expr) {
        if let ExprKind::Name(name) = &lvalue.kind
            && let Some(id) = name.decl
        {
            self.decls[id.0 as usize].assigned = true;
        }
    }

    /// Whether a name is that of one of the library's streams, also where a header declares it.
    pub(super) fn is_stream(&self, name: &str) -> bool {
        let is_elsewhere = |id: DeclId| self.decls[id.0 as usize].linkage == Linkage::Elsewhere;
        let is_own = |entity: &Entity| !matches!(entity, Entity::Decl(id) if is_elsewhere(*id));
        ["stdin", "stdout", "stderr"].contains(&name) && !self.lookup(name).is_some_and(is_own)
    }

    /// Looks a name up; says so if it is none.
    pub(super) fn resolve(&mut self, name: &Name) -> Option<Entity> {
        if self.is_stream(&name.text) {
            let message = format!("`{}` as a value is not supported", name.text);
            self.report(
                Diagnostic::error("unsupported-pointer", name.span, message).help("name the stream in the call that reads or prints"),
            );
            return None;
        }
        if let Some(entity) = self.lookup(&name.text) {
            return Some(entity.clone());
        }
        if self.poisoned.contains(name.text.as_str()) || !self.reported.insert(name.text.clone()) {
            return None;
        }
        let diagnostic = if self.signatures.contains_key(&name.text)
            || self.prototypes.contains_key(&name.text)
            || intrinsic::find(&name.text).is_some()
        {
            self.function_as_value(&name.text, name.span)
        } else {
            let diagnostic =
                Diagnostic::error("undeclared-name", name.span, format!("`{}` is not declared", name.text)).label("not known here");
            match self.near(&name.text) {
                _ if let Some(header) = header::of_macro(&name.text) => diagnostic.help(format!("write `#include <{header}>` above")),
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("declare it first: `int {};`", name.text)),
            }
        };
        self.report(diagnostic);
        None
    }

    /// The name in scope that `text` resembles; innermost scopes first, in the order of declaration.
    fn near(&self, text: &str) -> Option<String> {
        if self.diagnostics.len() > super::super::MAX_DIAGNOSTICS {
            return None;
        }
        self.scopes.iter().rev().find_map(|scope| {
            let mut names: Vec<_> = scope.iter().map(|(name, entity)| (self.declaration_span(entity), name.as_str())).collect();
            names.arrange();
            suggest::closest(text, names.into_iter().map(|(_, name)| name)).map(str::to_string)
        })
    }
}
