//! What is written with other expressions: statements inside an expression, `x ?: y`, selections by type, the types of expressions.

use super::super::ast::sugar::{Association, OFFSET, Subject, Sugar};
use super::super::ast::{
    Decl, DeclId, Declarator, Expr, ExprKind, Init, Length, Linkage, MAX_EXPR_DEPTH, Name, Qualifiers, Shape, Stmt, StmtKind, Storage, Type,
};
use super::super::types::Integer;
use super::volatile::of_volatile_levels;
use super::{Checker, constant};
use crate::logic::SortedMap;
use crate::source::{Diagnostic, Span};

impl Checker<'_> {
    /// Writes an expression of this kind with others, and checks them.
    pub(super) fn sugar(&mut self, e: &mut Expr, sugar: Sugar, used: bool) -> Shape {
        match sugar {
            Sugar::Statements(mut list) => {
                let (value, shape) = self.sequence(&mut list, used, e.span);
                if value.depth > MAX_EXPR_DEPTH {
                    let message = "there are too many statements inside this expression";
                    self.report(Diagnostic::error("expression-too-long", e.span, message).help("make a function of them"));
                    e.kind = ExprKind::Error;
                    return Shape::INT;
                }
                (e.kind, e.depth, e.ty) = (value.kind, value.depth, value.ty);
                shape
            }
            Sugar::Otherwise(value, otherwise) => self.otherwise(e, value, otherwise),
            Sugar::Selection(subject, list) => self.selection(e, subject, list, used),
            Sugar::NextArgument(list, ty) => self.next_argument(e, list, ty),
            Sugar::Address(ty, qualifiers, number) => self.object_at(e, ty, qualifiers, number),
            // The variable of a compound literal stands for it before.
            Sugar::Literal(..) => Shape::INT,
        }
    }

    // Statements

    /// The statements as one expression, and the shape of the last one's value.
    fn sequence(&mut self, list: &mut [Stmt], used: bool, span: Span) -> (Expr, Shape) {
        self.scopes.push(SortedMap::new());
        let (mut whole, mut shape): (Option<Expr>, _) = (None, Shape::Void);
        let last = list.len().saturating_sub(1);
        for (at, stmt) in list.iter_mut().enumerate() {
            let Some((next, its_shape)) = self.inside(stmt, used && at == last) else { continue };
            shape = its_shape;
            whole = Some(match whole {
                Some(before) => {
                    let ty = next.ty;
                    Expr { ty, ..Expr::new(ExprKind::Comma(Box::new(before), Box::new(next)), span) }
                }
                None => next,
            });
        }
        self.scopes.pop();
        (whole.unwrap_or_else(|| number(0, span)), shape)
    }

    /// A statement inside an expression as an expression.
    fn inside(&mut self, stmt: &mut Stmt, used: bool) -> Option<(Expr, Shape)> {
        let span = stmt.span;
        let effect = |e| Some((e, Shape::Void));
        match &mut stmt.kind {
            StmtKind::Empty => None,
            StmtKind::Error => effect(Expr::new(ExprKind::Error, span)),
            StmtKind::Expr(e) => {
                let mut e = std::mem::replace(e, number(0, span));
                if used {
                    let shape = self.value(&mut e);
                    return Some((e, shape));
                }
                self.effect(&mut e);
                effect(e)
            }
            StmtKind::Block(list) => effect(self.sequence(list, false, span).0),
            StmtKind::Declare(enumerators, list) => {
                self.enumerators(enumerators);
                let mut whole = None;
                for declarator in list {
                    let next = self.inside_declared(declarator);
                    whole = Some(match whole {
                        Some(before) => Expr::new(ExprKind::Comma(Box::new(before), Box::new(next)), span),
                        None => next,
                    });
                }
                effect(whole?)
            }
            StmtKind::If { arms, otherwise } => {
                // The last one is the innermost, but the first is checked first.
                let mut checked = Vec::new();
                for (condition, body) in arms.iter_mut() {
                    self.condition(condition);
                    let body_span = body.span;
                    let body = self.sequence(std::slice::from_mut(body), false, body_span).0;
                    checked.push((std::mem::replace(condition, number(0, span)), body));
                }
                let otherwise = match otherwise {
                    Some(body) => self.sequence(std::slice::from_mut(&mut **body), false, span).0,
                    None => number(0, span),
                };
                effect(checked.into_iter().rev().fold(otherwise, |otherwise, (condition, body)| {
                    Expr::new(ExprKind::Conditional(Box::new(condition), Box::new(body), Box::new(otherwise)), span)
                }))
            }
            // The macro's way to make one statement of several.
            StmtKind::DoWhile { body, condition } if matches!(&condition.kind, ExprKind::Int(value) if value.is_zero()) => {
                effect(self.sequence(std::slice::from_mut(&mut **body), false, span).0)
            }
            _ => {
                self.report(
                    Diagnostic::error("unsupported-expression", span, "this statement inside an expression is not supported")
                        .help("write it in front of the expression, or make a function of it"),
                );
                effect(Expr::new(ExprKind::Error, span))
            }
        }
    }

    /// A variable inside an expression: it is declared where the function starts, and set here.
    fn inside_declared(&mut self, declarator: &mut Declarator) -> Expr {
        let span = declarator.span;
        let from_type = self.resolve_type(&mut declarator.ty);
        let shape = self.shape(&mut declarator.ty, false);
        let plain = !declarator.is_static && !declarator.is_extern;
        let value = match declarator.init.take() {
            Some(Init::Expr(value)) if plain && !matches!(shape, Shape::Array { .. }) => value,
            _ => {
                self.report(
                    Diagnostic::error("unsupported-expression", span, "a variable inside an expression needs a value, and be no array")
                        .help("give it a first value, or declare it in front of the expression"),
                );
                Expr::new(ExprKind::Error, span)
            }
        };
        let qualifiers = declarator.qualifiers.and(from_type).assignable();
        let name = Name { decl: None, ..declarator.name.clone() };
        let decl = self.local(&name, shape, qualifiers);
        let id = self.bind(&name, decl);
        self.hoist(declarator.ty.clone(), &name, id);
        let target = Box::new(Expr::new(ExprKind::Name(name), declarator.name.span));
        let mut set = Expr::new(ExprKind::Assign { target, op: None, value: Box::new(value), at: Integer::Int }, span);
        self.effect(&mut set);
        set
    }

    pub(super) fn local(&self, name: &Name, shape: Shape, qualifiers: Qualifiers) -> Decl {
        let (storage, linkage) = (Storage::Local, Linkage::Internal);
        Decl { name: name.text.clone(), span: name.span, shape, qualifiers, storage, linkage, initial: None, assigned: false }
    }

    pub(super) fn hoist(&mut self, ty: Type, name: &Name, decl: DeclId) {
        let (span, name) = (name.span, Name { decl: Some(decl), ..name.clone() });
        let qualifiers = self.decls[decl.0 as usize].qualifiers;
        self.here.hoisted.push(Declarator { name, ty, qualifiers, init: None, is_static: false, is_extern: false, span, decl });
    }

    // `x ?: y`

    fn otherwise(&mut self, e: &mut Expr, mut value: Expr, mut otherwise: Expr) -> Shape {
        let shape = self.value(&mut value);
        let Some(at) = shape.integer(self.abi()) else {
            self.report(
                Diagnostic::error("struct-as-scalar", value.span, "a structure is neither true nor false").help("compare its members"),
            );
            e.kind = ExprKind::Error;
            return Shape::INT;
        };
        // What changes nothing and decides nothing can be written twice.
        let (condition, then) = if self.repeatable(&value) {
            (value.clone(), value)
        } else {
            let name = Name { text: "value".to_owned(), span: value.span, decl: None };
            let id = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
            let decl = Decl { assigned: true, ..self.local(&name, shape.clone(), Qualifiers::default()) };
            self.decls.push(decl);
            self.hoist(type_of(&shape).unwrap_or(Type::Integer(at)), &name, id);
            let named = Expr { ty: at, ..Expr::new(ExprKind::Name(Name { decl: Some(id), ..name }), value.span) };
            let span = value.span;
            let kind = ExprKind::Assign { target: Box::new(named.clone()), op: None, value: Box::new(value), at };
            (Expr { ty: at, parenthesised: true, ..Expr::new(kind, span) }, named)
        };
        let other = self.value(&mut otherwise);
        let (mut then, mut otherwise) = (Box::new(then), Box::new(otherwise));
        let shape = self.common(&mut then, &mut otherwise, [shape, other]);
        let whole = Expr::new(ExprKind::Conditional(Box::new(condition), then, otherwise), e.span);
        (e.kind, e.depth) = (whole.kind, whole.depth);
        shape
    }

    /// Whether a checked expression can be evaluated twice: it changes nothing, calls nothing, decides nothing, reads nothing volatile.
    fn repeatable(&self, e: &Expr) -> bool {
        let mut repeatable = match &e.kind {
            ExprKind::Int(_) | ExprKind::Convert(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Error => true,
            ExprKind::Name(name) => name.decl.is_some_and(|id| !self.decls[id.0 as usize].qualifiers.names_volatile()),
            _ => false,
        };
        e.kind.children(&mut |child| repeatable = repeatable && self.repeatable(child));
        repeatable
    }

    /// The shape of what a condition chooses between two checked expressions.
    pub(super) fn common(&mut self, a: &mut Expr, b: &mut Expr, shapes: [Shape; 2]) -> Shape {
        match shapes {
            [Shape::Scalar(x), Shape::Scalar(y)] => {
                let ty = x.common(y, self.abi());
                self.convert(a, ty);
                self.convert(b, ty);
                Shape::Scalar(ty)
            }
            [Shape::Pointer(inner), _] | [_, Shape::Pointer(inner)] => Shape::Pointer(inner),
            [x, _] => x,
        }
    }

    // Selections

    /// The expression that is selected by the type of a value; the others are not evaluated, nor is the value (6.5.1.1).
    fn selection(&mut self, e: &mut Expr, subject: Subject, list: Vec<Association>, used: bool) -> Shape {
        let (shape, has_qualifiers, qualifiers) = match subject {
            Subject::Value(mut value) => {
                let has_qualifiers =
                    value.root().is_some() || matches!(value.kind, ExprKind::AddressOf(_) | ExprKind::Str(_) | ExprKind::Int(_));
                let shape = self.value(&mut value);
                let qualifiers = self.qualifiers(&value);
                let qualifiers = if matches!(qualifiers.1, Shape::Array { .. }) { qualifiers.0.pointer() } else { qualifiers.0 };
                if self.is_bit_field(&value) {
                    return self.not_selected(e, "of a bit-field the type is not known here");
                }
                if constant::has_error(&value) {
                    e.kind = ExprKind::Error;
                    return Shape::INT;
                }
                let has_qualifiers = has_qualifiers || !matches!(shape, Shape::Pointer(_));
                (shape, has_qualifiers, qualifiers)
            }
            Subject::Type(mut ty, qualifiers) => {
                let own = self.resolve_type(&mut ty);
                (self.shape(&mut ty, false), true, qualifiers.and(own))
            }
        };
        // Qualifiers of the value itself are not in its type.
        let pointee = qualifiers.pointee();
        let is_pointer = matches!(shape, Shape::Pointer(_));
        let (mut chosen, mut default, mut is_open) = (None, None, false);
        for Association { ty, value } in list {
            let Some((mut ty, own)) = ty else {
                default = Some(value);
                continue;
            };
            let own = own.and(self.resolve_type(&mut ty));
            let other = self.shape(&mut ty, false);
            if other != shape || own.own() != Qualifiers::default() {
                continue;
            }
            is_open |= !has_qualifiers || is_unclear(&shape);
            if chosen.is_none() && (!is_pointer || own.pointee() == pointee) {
                chosen = Some(value);
            }
        }
        if is_open {
            return self.not_selected(e, "of these types it is not known here which is that of the value");
        }
        let Some(mut chosen) = chosen.or(default) else {
            return self.not_selected(e, "none of these types is that of the value");
        };
        let shape = self.expression(&mut chosen, used);
        let Expr { kind, depth, ty, .. } = chosen;
        (e.kind, e.depth, e.ty) = (kind, depth, ty);
        shape
    }

    fn not_selected(&mut self, e: &mut Expr, message: &str) -> Shape {
        self.report(
            Diagnostic::error("no-selection", e.span, message).help("name the type in the list, or write the expression that is meant"),
        );
        e.kind = ExprKind::Error;
        Shape::INT
    }

    // Types of expressions

    /// Writes the type of an expression down as a type of its own; gives what qualifiers say of it.
    pub(super) fn resolve_type(&mut self, ty: &mut Type) -> Qualifiers {
        match ty {
            Type::Array(element, _) => self.resolve_type(element),
            Type::Pointer(inner) => self.resolve_type(inner).pointer(),
            Type::Function(result) => {
                self.resolve_type(result);
                Qualifiers::default()
            }
            Type::Typeof(e) => {
                let mut e = (**e).clone();
                let shape = self.expression(&mut e, true);
                let qualifiers = self.qualifiers(&e).0.and(of_volatile_levels(self.volatile_levels(&e), &shape));
                let found = type_of(&shape).filter(|_| !self.is_bit_field(&e));
                if found.is_none() && !constant::has_error(&e) {
                    self.report(
                        Diagnostic::error("unsupported-typeof", e.span, "the type of this is not known here").help("write the type itself"),
                    );
                }
                *ty = found.unwrap_or(Type::Integer(Integer::Int));
                qualifiers
            }
            _ => Qualifiers::default(),
        }
    }

    // Builtins

    /// Checks what looks like a call but is none; `None` for all others.
    pub(super) fn builtin(&mut self, e: &mut Expr, used: bool) -> Option<Shape> {
        if let Some(shape) = self.byte_call(e, used) {
            return Some(shape);
        }
        let ExprKind::Call(name, arguments) = &mut e.kind else { return None };
        match (name.text.as_str(), &mut arguments[..]) {
            (OFFSET, [member]) => {
                let member = std::mem::replace(member, number(0, e.span));
                Some(self.offset(e, member))
            }
            ("__builtin_constant_p", [value]) => {
                let mut value = std::mem::replace(value, number(0, e.span));
                self.value(&mut value);
                if constant::evaluate(&value, self.abi()).is_none() && !constant::has_error(&value) {
                    self.report(
                        Diagnostic::error("unsupported-builtin", e.span, "whether a compiler finds this constant is not known here")
                            .help("write 0 or 1"),
                    );
                }
                (e.kind, e.depth) = (ExprKind::Int(1.into()), 1);
                Some(Shape::INT)
            }
            ("va_start" | "__builtin_va_start" | "__builtin_c23_va_start", [list, ..]) => {
                let list = std::mem::replace(list, number(0, e.span));
                Some(self.argument_list_starts(e, list))
            }
            ("va_copy" | "__builtin_va_copy", [to, from]) => {
                let [to, from] = [to, from].map(|list| std::mem::replace(list, number(0, e.span)));
                e.kind = ExprKind::Assign { target: Box::new(to), op: None, value: Box::new(from), at: Integer::Int };
                self.expression(e, false);
                Some(Shape::Void)
            }
            ("va_end" | "__builtin_va_end", [list]) => {
                let mut list = std::mem::replace(list, number(0, e.span));
                self.lvalue(&mut list);
                (e.kind, e.depth) = (number(0, e.span).kind, 1);
                Some(Shape::Void)
            }
            ("__builtin_choose_expr", [condition, a, b]) => {
                self.scalar_value(condition);
                let chosen = match self.constant(condition, "what chooses an expression") {
                    Some(value) if value.typed.is_zero() => b,
                    Some(_) => a,
                    None => {
                        e.kind = ExprKind::Error;
                        return Some(Shape::INT);
                    }
                };
                let mut chosen = std::mem::replace(chosen, number(0, e.span));
                let shape = self.expression(&mut chosen, used);
                (e.kind, e.depth, e.ty) = (chosen.kind, chosen.depth, chosen.ty);
                Some(shape)
            }
            _ => None,
        }
    }

    fn offset(&mut self, e: &mut Expr, mut member: Expr) -> Shape {
        let mut inner = &member;
        while let ExprKind::Member(base, ..) | ExprKind::Index(base, _) | ExprKind::Deref(base) = &inner.kind {
            inner = base;
        }
        let ExprKind::Cast(ty, _) = &inner.kind else { return Shape::INT };
        let mut ty = ty.clone();
        let Shape::Pointer(object) = self.shape(&mut ty, false) else { return Shape::INT };
        self.lvalue(&mut member);
        let offset = self.offset_within(&member, &object).map(|(offset, _)| offset);
        if offset.is_none() && !constant::has_error(&member) {
            self.report(
                Diagnostic::error("unsupported-sizeof", e.span, "where this member lies is not known here")
                    .help("write the number of bytes"),
            );
        }
        (e.kind, e.depth) = (ExprKind::Int(offset.unwrap_or(0).into()), 1);
        Shape::Scalar(self.abi().address())
    }

    /// How many bytes a checked lvalue lies after the start of the object, and its shape.
    fn offset_within(&self, member: &Expr, object: &Shape) -> Option<(i64, Shape)> {
        match &member.kind {
            ExprKind::Deref(_) => Some((0, object.clone())),
            ExprKind::Member(base, _, at) => {
                let (offset, shape) = self.offset_within(base, object)?;
                let Shape::Struct(id) = shape else { return None };
                let found = self.structs[id.0 as usize].members.as_ref()?.get(*at).filter(|found| found.bits.is_none())?;
                Some((offset.checked_add(self.layout(id, *at)?.0)?, found.shape.clone()))
            }
            ExprKind::Index(base, index) => {
                let (offset, shape) = self.offset_within(base, object)?;
                let Shape::Array { element, .. } = shape else { return None };
                let index = constant::evaluate(index, self.abi())?.typed.to_i64()?;
                Some((offset.checked_add(self.size(&element)?.0.checked_mul(index)?)?, *element))
            }
            _ => None,
        }
    }
}

fn number(value: i64, span: Span) -> Expr {
    Expr::new(ExprKind::Int(value.into()), span)
}

/// Whether shapes do not tell types like this apart.
fn is_unclear(shape: &Shape) -> bool {
    match shape {
        Shape::Function(_) | Shape::Opaque => true,
        Shape::Pointer(inner) | Shape::Array { element: inner, .. } => is_unclear(inner),
        _ => false,
    }
}

/// The type of what has this shape.
pub(super) fn type_of(shape: &Shape) -> Option<Type> {
    Some(match shape {
        Shape::Void => Type::Void,
        Shape::Scalar(integer) => Type::Integer(*integer),
        Shape::Struct(id) => Type::Struct(*id),
        Shape::Pointer(inner) => Type::Pointer(Box::new(type_of(inner)?)),
        Shape::Function(result) => Type::Function(Box::new(type_of(result)?)),
        Shape::Opaque => Type::Opaque("unknown"),
        Shape::Array { element, length: Length::Fixed(length) } => {
            let length = Expr { ty: Integer::UnsignedLongLong, ..Expr::new(ExprKind::Int(length.clone()), Span::default()) };
            Type::Array(Box::new(type_of(element)?), Some(Box::new(length)))
        }
        Shape::Array { .. } => return None,
    })
}
