//! Compound literals (C11 6.5.2.5): each is a variable of its own, which the function declares at its start and the expression sets. Outside
//! of functions, and among the values that are there before the program starts, the variable is a static. What pointers lead to beside others
//! has to have values wherever it is looked at: an array begins as zeros, without a statement that would count as one of the text.

use super::super::ast::sugar::Sugar;
use super::super::ast::{
    Decl, DeclId, Declarator, Expr, ExprKind, Init, Item, Length, Linkage, Name, PartPath, Shape, Storage, Struct, StructId, Type,
};
use super::super::types::Integer;
use super::Checker;
use super::sugar::type_of;
use crate::logic::Int;
use crate::source::{Diagnostic, Span};

/// What the variables of compound literals are called.
pub(super) const NAME: &str = "literal";
/// Scalars that a compound literal inside a function may have.
const MAX_SET: usize = 4_096;

impl Checker<'_> {
    /// Replaces the compound literal that an lvalue, an address or an assignment starts from by its variable. Gives what sets the variable,
    /// if anything has to; `None` where there is no such literal.
    pub(super) fn literal_within(&mut self, e: &mut Expr) -> Option<Option<Expr>> {
        match &mut e.kind {
            ExprKind::Sugar(sugar) if matches!(**sugar, Sugar::Literal(..)) => {}
            ExprKind::AddressOf(inner) | ExprKind::Member(inner, ..) | ExprKind::Index(inner, _) | ExprKind::Deref(inner) => {
                return self.literal_within(inner);
            }
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => return self.literal_within(target),
            _ => return None,
        }
        let ExprKind::Sugar(sugar) = std::mem::replace(&mut e.kind, ExprKind::Error) else { return None };
        let Sugar::Literal(mut ty, qualifiers, mut init) = *sugar else { return None };
        let qualifiers = qualifiers.and(self.resolve_type(&mut ty));
        let mut shape = self.shape(&mut ty, false);
        let name = Name { text: NAME.to_owned(), span: e.span, decl: None };
        let fixed = self.here.fixed || self.scopes.len() == 1;
        let declarator = Declarator {
            name: name.clone(),
            ty,
            qualifiers,
            init: Some(Init::List(Vec::new(), e.span)),
            is_static: fixed,
            is_extern: false,
            span: e.span,
            decl: DeclId(0),
        };
        self.complete(&shape, &declarator, true);
        let initial = self.initialise(&name, &mut shape, &mut init, fixed);
        let mut decl = self.local(&name, shape.clone(), qualifiers);
        let id = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
        let named = Name { decl: Some(id), ..name };
        if fixed {
            decl = Decl { storage: Storage::Static, linkage: Linkage::Internal, initial: Some(initial), ..decl };
        } else {
            decl.assigned = true;
            decl.initial = matches!(shape, Shape::Array { .. }).then(Vec::new);
        }
        self.decls.push(decl);
        e.kind = ExprKind::Name(named.clone());
        let set = if fixed {
            None
        } else {
            let Some(ty) = type_of(&shape) else { return Some(None) };
            self.hoist(ty, &named, id);
            self.set_literal(&named, &shape, init)
        };
        Some(set)
    }

    /// Makes the list of a compound literal that of the array or the structure whose first value it is, and takes a string out of braces
    /// (6.7.9p14).
    pub(super) fn literal_as_list(&self, shape: &Shape, init: &mut Init) {
        if let (Shape::Array { element, .. }, Init::List(items, _)) = (shape, &mut *init)
            && matches!(**element, Shape::Scalar(_))
            && let [Item { designators, value: Init::Expr(Expr { kind: ExprKind::Str(_), .. }), .. }] = &items[..]
            && designators.is_empty()
            && let Some(item) = items.pop()
        {
            *init = item.value;
            return;
        }
        let Init::Expr(Expr { kind: ExprKind::Sugar(sugar), .. }) = init else { return };
        let Sugar::Literal(ty, _, list) = &mut **sugar else { return };
        let is_same = match (shape, &*ty) {
            (Shape::Struct(id), Type::Struct(other)) => id == other,
            (Shape::Array { .. }, Type::Array(..)) => true,
            _ => false,
        };
        if is_same {
            *init = std::mem::replace(list, Init::List(Vec::new(), Span::default()));
        }
    }

    /// Assignments of checked values to the parts of a variable; what they leave out is zero.
    fn set_literal(&mut self, name: &Name, shape: &Shape, init: Init) -> Option<Expr> {
        let span = name.span;
        let mut values = Vec::new();
        match init {
            Init::Expr(value) => values.push((PartPath::default(), value)),
            Init::List(items, _) => flatten(items, &mut values),
        }
        let whole = Expr { ty: self.abi().address(), ..Expr::new(ExprKind::Name(name.clone()), span) };
        let whole = match shape.integer(self.abi()) {
            Some(ty) => Expr { ty, ..whole },
            None => whole,
        };
        let mut sets = Vec::new();
        // An array becomes zero as a whole: of single elements the analyses do not see that all have values.
        let is_zero_first = self.scalars_of(shape) != Some(values.len()) || has_array(&self.structs, shape);
        let several = values.len() > 1 || is_zero_first;
        let mut before = Vec::new();
        for ((path, indices), mut value) in values {
            if several {
                self.evaluated_before(&mut value, &mut before);
            }
            match self.part_of_literal(whole.clone(), shape, &path, &indices) {
                (target, Shape::Array { element, length }) if let ExprKind::Str(bytes) = &value.kind => {
                    let ty = element.integer(self.abi()).unwrap_or_default();
                    let most = if let Length::Fixed(length) = length { length.to_i64().unwrap_or(0) as usize } else { 0 };
                    for (at, byte) in bytes.iter().take(most).enumerate() {
                        let byte = ty.range(self.abi()).wrap(&Int::from(i64::from(*byte)));
                        let byte = Expr { ty, ..Expr::new(ExprKind::Int(byte), span) };
                        sets.push(assigned(element_of(target.clone(), at, ty), byte, ty));
                    }
                }
                (target, part) => {
                    let ty = part.integer(self.abi()).unwrap_or_default();
                    sets.push(assigned(target, value, ty));
                }
            }
        }
        if is_zero_first {
            let (count, object) = match shape {
                Shape::Array { length: Length::Fixed(length), .. } => (length.clone(), whole),
                _ => (Int::ONE, Expr::new(ExprKind::AddressOf(Box::new(whole)), span)),
            };
            let object = Expr { ty: self.abi().address(), ..object };
            let [zero, count] = [Int::ZERO, count].map(|value| Expr::new(ExprKind::Int(value), span));
            let call = Name { text: "memset of objects".to_owned(), span, decl: None };
            sets.insert(0, Expr::new(ExprKind::Call(call, vec![object, zero, count]), span));
        }
        if sets.len() > MAX_SET {
            let message = format!("more than {MAX_SET} values are not supported here");
            self.report(Diagnostic::error("too-many-values", span, message).help("declare a variable with these values"));
            return None;
        }
        before.append(&mut sets);
        in_sequence(before, span)
    }

    /// Has a number that is read from an object be read before the variable changes: it may be that variable's, from its last evaluation.
    fn evaluated_before(&mut self, value: &mut Expr, before: &mut Vec<Expr>) {
        let is_number = !matches!(value.kind, ExprKind::Str(_)) && value.ty != self.abi().address();
        if !is_number || !reads_object(value) {
            return;
        }
        let (ty, span) = (value.ty, value.span);
        let name = Name { text: "value".to_owned(), span, decl: None };
        let id = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
        let decl = Decl { assigned: true, ..self.local(&name, Shape::Scalar(ty), super::super::ast::Qualifiers::default()) };
        self.decls.push(decl);
        self.hoist(Type::Integer(ty), &name, id);
        let named = Expr { ty, ..Expr::new(ExprKind::Name(Name { decl: Some(id), ..name }), span) };
        before.push(assigned(named.clone(), std::mem::replace(value, named), ty));
    }

    /// The part of an object with these members and indices on the way, checked, and its shape.
    fn part_of_literal(&self, mut whole: Expr, shape: &Shape, path: &[usize], indices: &[usize]) -> (Expr, Shape) {
        let (mut shape, mut path, mut indices) = (shape.clone(), path.iter(), indices.iter());
        loop {
            let span = whole.span;
            let (kind, part) = match &shape {
                Shape::Array { element, .. } => {
                    let Some(index) = indices.next() else { return (whole, shape) };
                    let ty = element.integer(self.abi()).unwrap_or_default();
                    (element_of(whole, *index, ty).kind, (**element).clone())
                }
                Shape::Struct(id) => {
                    let Some(at) = path.next() else { return (whole, shape) };
                    let Some((name, part)) = self.member_at(*id, *at) else { return (whole, shape) };
                    (ExprKind::Member(Box::new(whole), name, *at), part)
                }
                _ => return (whole, shape),
            };
            shape = part;
            let ty = if let Shape::Array { .. } = shape { self.abi().address() } else { shape.integer(self.abi()).unwrap_or_default() };
            whole = Expr { ty, ..Expr::new(kind, span) };
        }
    }

    fn member_at(&self, id: StructId, at: usize) -> Option<(Name, Shape)> {
        let member = self.structs[id.0 as usize].members.as_ref()?.get(at)?;
        Some((member.name.clone(), member.shape.clone()))
    }

    /// How many scalars an object of this shape has; `None` where that is not known.
    fn scalars_of(&self, shape: &Shape) -> Option<usize> {
        match shape {
            Shape::Array { element, length: Length::Fixed(length) } => {
                self.scalars_of(element)?.checked_mul(usize::try_from(length.to_i64()?).ok()?)
            }
            Shape::Struct(id) => {
                let members = self.structs[id.0 as usize].members.as_ref()?;
                members.iter().try_fold(0usize, |sum, member| sum.checked_add(self.scalars_of(&member.shape)?))
            }
            Shape::Array { .. } => None,
            _ => Some(1),
        }
    }
}

fn element_of(array: Expr, index: usize, ty: Integer) -> Expr {
    let span = array.span;
    let index = Expr { ty: Integer::Long, ..Expr::new(ExprKind::Int(Int::from(index)), span) };
    Expr { ty, ..Expr::new(ExprKind::Index(Box::new(array), Box::new(index)), span) }
}

/// The values of a list with their places, in order.
fn flatten(items: Vec<Item>, values: &mut Vec<(PartPath, Expr)>) {
    for item in items {
        match (item.value, item.part_path) {
            (Init::Expr(value), Some(path)) => values.push((path, value)),
            (Init::Expr(_), None) => {}
            (Init::List(inner, _), _) => flatten(inner, values),
        }
    }
}

fn assigned(target: Expr, value: Expr, ty: Integer) -> Expr {
    let span = target.span;
    Expr { ty, ..Expr::new(ExprKind::Assign { target: Box::new(target), op: None, value: Box::new(value), at: ty }, span) }
}

/// Expressions one after the other, as a tree that is not deep.
fn in_sequence(mut list: Vec<Expr>, span: Span) -> Option<Expr> {
    while list.len() > 1 {
        let mut halved = Vec::with_capacity(list.len().div_ceil(2));
        let mut rest = list.into_iter();
        while let Some(first) = rest.next() {
            halved.push(match rest.next() {
                Some(second) => Expr { ty: second.ty, ..Expr::new(ExprKind::Comma(Box::new(first), Box::new(second)), span) },
                None => first,
            });
        }
        list = halved;
    }
    list.pop()
}

/// Whether an object has an array in it.
fn has_array(structs: &[Struct], shape: &Shape) -> bool {
    match shape {
        Shape::Array { .. } => true,
        Shape::Struct(id) => structs[id.0 as usize].members.iter().flatten().any(|member| has_array(structs, &member.shape)),
        _ => false,
    }
}

/// Whether a value comes from memory that an address may lead to.
fn reads_object(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Call(..));
    e.kind.children(&mut |child| found = found || reads_object(child));
    found
}
