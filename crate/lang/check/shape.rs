//! What types are to the analyses, and their sizes.

use super::super::ast::{BitWidth, Expr, ExprKind, Length, Name, Shape, StructId, Type, find_member};
use super::super::sizes::Sizes;
use super::super::types::{Abi, Integer};
use super::{Checker, Entity, constant};
use crate::logic::{Int, IntRange};
use crate::source::Diagnostic;

impl Checker<'_> {
    /// The shape of a type. `variable` where the length of an array may be computed.
    pub(super) fn shape(&mut self, ty: &mut Type, variable: bool) -> Shape {
        match ty {
            Type::Void => Shape::Void,
            Type::Integer(integer) => Shape::Scalar(*integer),
            Type::Struct(id) => Shape::Struct(*id),
            Type::Opaque(_) => Shape::Opaque,
            Type::Typeof(_) => {
                self.resolve_type(ty);
                self.shape(ty, variable)
            }
            Type::Function(result) => Shape::Function(Box::new(self.shape(result, false))),
            Type::Pointer(inner) => Shape::Pointer(Box::new(self.shape(inner, false))),
            Type::Array(element, length) => {
                let element = Box::new(self.shape(element, variable));
                let length = match length {
                    None => Length::Unknown,
                    Some(length) => self.length(length, variable),
                };
                Shape::Array { element, length }
            }
        }
    }

    fn length(&mut self, length: &mut Expr, variable: bool) -> Length {
        self.scalar_value(length);
        match constant::evaluate(length, self.abi()) {
            Some(value) if value.typed.is_positive() => Length::Fixed(value.typed),
            Some(value) => {
                self.report(Diagnostic::error("array-length", length.span, format!("an array cannot have {} elements", value.typed)));
                Length::Fixed(Int::ONE)
            }
            None if constant::has_error(length) => Length::Fixed(Int::ONE),
            None if variable => {
                self.convert(length, Integer::LongLong);
                Length::Variable
            }
            None => {
                self.report(
                    Diagnostic::error("unsupported-array", length.span, "the length of this array must be a constant")
                        .help("use a number or a `#define`d name; only the lengths of a local array or a parameter may be computed"),
                );
                Length::Fixed(Int::ONE)
            }
        }
    }

    /// A parameter's shape: an array is a pointer to its first element (6.7.6.3p7). `names` are those of all parameters, where they are not
    /// in scope yet.
    pub(super) fn parameter_shape(&mut self, ty: &mut Type, names: Option<&[String]>) -> Shape {
        match ty {
            Type::Array(element, _) => Shape::Pointer(Box::new(self.row_shape(element, names))),
            ty => self.shape(ty, false),
        }
    }

    /// The shape of the elements of a parameter that is an array. The length of a row may be computed from other parameters.
    fn row_shape(&mut self, element: &mut Type, names: Option<&[String]>) -> Shape {
        let Type::Array(inner, Some(length)) = element else { return self.shape(element, false) };
        let mut variable = false;
        each_name(length, &mut |name| {
            let constant = matches!(self.lookup(&name.text), Some(Entity::Constant(..)));
            variable |= !constant || names.is_some_and(|names| names.contains(&name.text));
        });
        let inner = Box::new(self.row_shape(inner, names));
        let length = match (variable, names) {
            (false, _) => self.length(length, false),
            (true, Some(_)) => Length::Variable,
            (true, None) if has_effect(length) => {
                let message = "the length of a parameter's rows must not change anything";
                let help = "compute it before the call, and pass it as a parameter of its own";
                self.report(Diagnostic::error("unsupported-array", length.span, message).help(help));
                length.kind = ExprKind::Error;
                Length::Fixed(Int::ONE)
            }
            (true, None) => self.length(length, true),
        };
        Shape::Array { element: inner, length }
    }

    /// See [`Sizes::size`].
    pub(super) fn size(&self, shape: &Shape) -> Option<(i64, i64)> {
        self.sizes().size(shape)
    }

    /// See [`Sizes::layout`].
    pub(super) fn layout(&self, id: StructId, of_member: usize) -> Option<(i64, i64)> {
        self.sizes().layout(id, of_member)
    }

    pub(super) fn sizes(&self) -> Sizes<'_> {
        Sizes { structs: &self.structs, abi: self.abi() }
    }

    /// How many bits a gap of a structure has, and its type has.
    pub(super) fn gap(&mut self, ty: &mut Type, width: &mut Expr) -> Option<(i64, i64)> {
        let shape = self.shape(ty, false);
        self.scalar_value(width);
        let found = constant::evaluate(width, self.abi()).and_then(|width| width.typed.to_i64());
        let bits = match (&shape, found) {
            (Shape::Scalar(integer), Some(width)) => {
                Some((width, i64::from(integer.bits(self.abi())))).filter(|(width, unit)| (0..=*unit).contains(width))
            }
            _ => None,
        };
        if bits.is_none() && !constant::has_error(width) {
            self.report(
                Diagnostic::error("unsupported-bit-field", width.span, "the width of these bits is not supported")
                    .help("use a constant from 0 to the width of the type"),
            );
        }
        bits
    }

    /// The shape of a member of some bits: what it is promoted to (6.3.1.1p2).
    pub(super) fn bit_field(&mut self, name: &Name, declared: &Shape, bits: &mut BitWidth) -> Shape {
        self.scalar_value(&mut bits.width);
        let width = constant::evaluate(&bits.width, self.abi()).and_then(|width| width.typed.to_i64());
        let found = match (declared, width) {
            (Shape::Scalar(Integer::Bool), Some(1)) => Some((Integer::Bool, Integer::Bool.range(self.abi()), 1)),
            (Shape::Scalar(ty), Some(width))
                if *ty != Integer::Bool
                    && ty.size(self.abi()) <= Integer::Int.size(self.abi())
                    && width > 0
                    && width <= i64::from(ty.bits(self.abi())) =>
            {
                let promoted = if width < i64::from(Integer::Int.bits(self.abi())) { Integer::Int } else { *ty };
                Some((promoted, IntRange::of_bits(width as u32, ty.signed(self.abi())), ty.size(self.abi())))
            }
            _ => None,
        };
        let Some((ty, values, bytes)) = found else {
            self.report(
                Diagnostic::error("unsupported-bit-field", name.span, format!("the width of `{}` is not supported", name.text))
                    .help("use a constant from 1 to the width of an `int`, and no larger type"),
            );
            return Shape::INT;
        };
        (bits.values, bits.bytes) = (values, bytes);
        Shape::Scalar(ty)
    }

    /// The shape of a member and its number, in front of which stand those of the structures without a name that it is in; says so if there
    /// is none.
    pub(super) fn member(&mut self, id: StructId, name: &Name) -> Option<(Vec<usize>, Shape)> {
        let structure = &self.structs[id.0 as usize];
        let Some(members) = &structure.members else {
            let message = format!("`struct {}` is declared, but its members are not", structure.name);
            self.report(Diagnostic::error("incomplete-type", name.span, message).help("define it with its members"));
            return None;
        };
        if let Some((way, member)) = find_member(&self.structs, id, &name.text) {
            return Some((way, member.shape.clone()));
        }
        if self.poisoned.contains(name.text.as_str()) {
            return None;
        }
        let what = if structure.name.is_empty() { "this structure".to_owned() } else { format!("`struct {}`", structure.name) };
        let names = || members.iter().map(|member| member.name.text.as_str());
        let diagnostic = Diagnostic::error("unknown-member", name.span, format!("{what} has no member `{}`", name.text));
        let diagnostic = match super::super::suggest::closest(&name.text, names()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("it has: {}", names().take(12).collect::<Vec<_>>().join(", "))),
        };
        self.report(diagnostic.related(structure.span, "defined here"));
        None
    }
}

impl Shape {
    /// The integer type of a scalar; addresses are numbers where nothing better is known.
    pub fn integer(&self, abi: Abi) -> Option<Integer> {
        match self {
            Shape::Scalar(integer) => Some(*integer),
            Shape::Pointer(_) => Some(abi.address()),
            _ => None,
        }
    }

    /// Whether what a pointer to this leads to can be followed as a pointer to `other`: the same, or integers of one size.
    pub fn seen_as(&self, other: &Shape, abi: Abi) -> bool {
        match (self, other) {
            (Shape::Void | Shape::Opaque, _) | (_, Shape::Void | Shape::Opaque) | (Shape::Pointer(_), Shape::Pointer(_)) => true,
            (Shape::Scalar(a), Shape::Scalar(b)) => a.size(abi) == b.size(abi) && a.format() == b.format(),
            (Shape::Array { element: a, .. }, Shape::Array { element: b, .. }) => a.seen_as(b, abi),
            (a, b) => a == b,
        }
    }
}

/// Whether an expression calls a function or changes something.
pub(super) fn has_effect(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Call(..) | ExprKind::CallAt(..) | ExprKind::Assign { .. } | ExprKind::Step { .. });
    e.kind.children(&mut |child| found = found || has_effect(child));
    found
}

/// Visits the names in an expression.
fn each_name(e: &Expr, visit: &mut dyn FnMut(&Name)) {
    if let ExprKind::Name(name) = &e.kind {
        visit(name);
    }
    e.kind.children(&mut |child| each_name(child, visit));
}
