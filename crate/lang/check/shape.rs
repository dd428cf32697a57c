//! What types are to the analyses, their sizes, and where first values go.

use super::super::ast::{
    BitWidth, Constant, DeclId, Designator, Expr, ExprKind, Init, Initial, Item, Length, Name, PartPath, Shape, StructId, Type,
    string_address,
};
use super::super::types::{ADDRESS, Integer};
use super::{Checker, Entity, constant};
use crate::logic::{Int, IntRange};
use crate::source::{Diagnostic, Span};

/// Elements that an array with a list of first values may have.
const MAX_LISTED: usize = 1 << 20;

impl Checker<'_> {
    /// The shape of a type. `variable` where the length of an array may be computed.
    pub(super) fn shape(&mut self, ty: &mut Type, variable: bool) -> Shape {
        match ty {
            Type::Void => Shape::Void,
            Type::Integer(integer) => Shape::Scalar(*integer),
            Type::Struct(id) => Shape::Struct(*id),
            Type::Opaque(_) => Shape::Opaque,
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
        match constant::evaluate(length) {
            Some(value) if value.typed.is_positive() => Length::Fixed(value.typed),
            Some(value) => {
                self.report(Diagnostic::error("array-length", length.span, format!("an array cannot have {} elements", value.typed)));
                Length::Fixed(Int::ONE)
            }
            None if constant::has_error(length) => Length::Fixed(Int::ONE),
            None if variable => {
                self.convert(length, Integer::Long);
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

    /// How many bytes a value takes, and the alignment; `None` where that is not known.
    pub(super) fn size(&self, shape: &Shape) -> Option<(i64, i64)> {
        match shape {
            Shape::Void => Some((1, 1)),
            Shape::Scalar(integer) => Some((integer.size(), integer.size())),
            Shape::Pointer(_) => Some((ADDRESS.size(), ADDRESS.size())),
            Shape::Array { element, length: Length::Fixed(length) } => {
                let (size, alignment) = self.size(element)?;
                Some((size.checked_mul(length.to_i64()?)?, alignment))
            }
            Shape::Struct(id) => {
                // `None` of a structure that is only declared.
                self.structs[id.0 as usize].members.as_ref()?;
                let (mut size, mut alignment) = (0i64, 1);
                // Bits after the last whole byte: those of one member lie within one integer of its type, as gcc has it.
                let mut rest = 0i64;
                for member in self.structs[id.0 as usize].members.iter().flatten() {
                    if let Some(bits) = &member.bits {
                        let (unit, width) = (bits.bytes * 8, i64::from((bits.values.greatest - bits.values.least + 1).ilog2()));
                        let mut at = size.checked_mul(8)?.checked_add(rest)?;
                        if at / unit != (at + width - 1) / unit {
                            at = rounded(at, unit)?;
                        }
                        (size, rest) = ((at + width) / 8, (at + width) % 8);
                        alignment = alignment.max(bits.bytes);
                        continue;
                    }
                    size += i64::from(rest > 0);
                    rest = 0;
                    let (own, aligned) = self.size(&member.shape)?;
                    size = rounded(size, aligned)?.checked_add(own)?;
                    alignment = alignment.max(aligned);
                }
                Some((rounded(size + i64::from(rest > 0), alignment)?, alignment))
            }
            Shape::Array { .. } | Shape::Opaque | Shape::Function(_) => None,
        }
    }

    /// The shape of a member of some bits: what it is promoted to (6.3.1.1p2).
    pub(super) fn bit_field(&mut self, name: &Name, declared: &Shape, bits: &mut BitWidth) -> Shape {
        self.scalar_value(&mut bits.width);
        let width = constant::evaluate(&bits.width).and_then(|width| width.typed.to_i64());
        let found = match (declared, width) {
            (Shape::Scalar(Integer::Bool), Some(1)) => Some((Integer::Bool, Integer::Bool.range(), 1)),
            (Shape::Scalar(ty), Some(width)) if *ty != Integer::Bool && ty.size() <= 4 && width > 0 && width <= i64::from(ty.bits()) => {
                let promoted = if width < 32 { Integer::Int } else { *ty };
                Some((promoted, IntRange::of_bits(width as u32, ty.signed()), ty.size()))
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

    /// The number of a member; says so if there is none.
    pub(super) fn member(&mut self, id: StructId, name: &Name) -> Option<(usize, Shape)> {
        let structure = &self.structs[id.0 as usize];
        let Some(members) = &structure.members else {
            let message = format!("`struct {}` is declared, but its members are not", structure.name);
            self.report(Diagnostic::error("incomplete-type", name.span, message).help("define it with its members"));
            return None;
        };
        if let Some(at) = members.iter().position(|member| member.name.text == name.text) {
            return Some((at, members[at].shape.clone()));
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

    // First values

    /// Checks the first values of an object and says where each goes. Where the length of the outermost array is not given, it becomes
    /// that of the list. `fixed` for objects whose values must be constants; these are given back.
    pub(super) fn initialise(&mut self, name: &Name, shape: &mut Shape, init: &mut Init, fixed: bool) -> Vec<Initial> {
        let mut filler = Filler { name: name.clone(), fixed, initial: Vec::new() };
        let mut path = PartPath::default();
        let count = match init {
            Init::List(items, span) => match shape {
                Shape::Scalar(_) | Shape::Pointer(_) => {
                    self.in_braces(shape, items, *span, &mut path, &mut filler);
                    None
                }
                _ => {
                    let mut at = 0;
                    let span = *span;
                    let count = self.fill(shape, items, &mut at, &mut path, true, &mut filler);
                    self.too_many(items, at, span, name);
                    Some(count)
                }
            },
            Init::Expr(e) => self.fill_with(shape, e, &mut path, &mut filler),
        };
        if let (Shape::Array { length: length @ Length::Unknown, .. }, Some(count)) = (shape, count) {
            *length = Length::Fixed(Int::from(count.max(1)));
        }
        filler.initial
    }

    fn too_many(&mut self, items: &[Item], at: usize, span: Span, name: &Name) {
        if at < items.len() {
            self.report(
                Diagnostic::error("too-many-values", span, format!("{} values do not fit into `{}`", items.len(), name.text))
                    .related(name.span, "declared here"),
            );
        }
    }

    /// `{value}` for a single value.
    fn in_braces(&mut self, shape: &Shape, items: &mut [Item], span: Span, path: &mut PartPath, filler: &mut Filler) {
        match items {
            [Item { designators, value: Init::Expr(e), place: at }] if designators.is_empty() => {
                *at = Some(path.clone());
                self.fill_with(shape, e, path, filler);
            }
            _ => self.report(
                Diagnostic::error("scalar-initialiser", span, format!("`{}` is one value, not a list", filler.name.text))
                    .help(format!("write `{}[]` for an array, or one value without braces", filler.name.text)),
            ),
        }
    }

    /// One expression for a part of the object. Gives the number of elements, where it is a string.
    fn fill_with(&mut self, shape: &Shape, e: &mut Expr, path: &mut PartPath, filler: &mut Filler) -> Option<usize> {
        if let (Shape::Array { element, length }, ExprKind::Str(bytes)) = (shape, &e.kind) {
            if !matches!(**element, Shape::Scalar(integer) if integer.size() == 1 && integer != Integer::Bool) {
                self.report(
                    Diagnostic::error("array-initialiser", e.span, format!("`{}` is not an array of characters", filler.name.text))
                        .help("list the values: `{1, 2, 3}`"),
                );
                return None;
            }
            let count = bytes.len() + 1;
            // The zero at the end may be left out (6.7.9p14).
            if let Length::Fixed(length) = length
                && Int::from(bytes.len()) > *length
            {
                self.report(Diagnostic::error("too-many-values", e.span, format!("this string does not fit into `{}`", filler.name.text)));
            } else if filler.fixed {
                for (index, byte) in bytes.iter().enumerate() {
                    let value = Int::from(i64::from(*byte as i8));
                    let value = if matches!(**element, Shape::Scalar(Integer::UnsignedChar)) { Int::from(i64::from(*byte)) } else { value };
                    let indices = path.1.iter().copied().chain([index]).collect();
                    let value = Constant { typed: value.clone(), unbounded: value };
                    filler.initial.push(Initial { path: path.0.clone(), indices, value });
                }
            }
            return Some(count);
        }
        match shape {
            Shape::Array { .. } => {
                self.report(
                    Diagnostic::error("array-initialiser", e.span, format!("the array `{}` needs a list of values", filler.name.text))
                        .help("write `{1, 2, 3}`"),
                );
            }
            Shape::Struct(_) => {
                let given = self.value(e);
                if given != *shape && !constant::has_error(e) {
                    self.wrong_struct(e.span, &filler.name.text);
                } else if filler.fixed {
                    self.constant(e, "the first value of a global or static variable");
                }
            }
            Shape::Pointer(_) => {
                self.pointer_value(e);
                if filler.fixed
                    && let Some(value) = self.address_constant(e)
                {
                    filler.initial.push(Initial { path: path.0.clone(), indices: path.1.clone(), value });
                }
            }
            _ => {
                self.scalar_value(e);
                if let Some(integer) = shape.integer() {
                    self.convert(e, integer);
                }
                if filler.fixed {
                    let what = if path.1.is_empty() {
                        "the first value of a global or static variable"
                    } else {
                        "an element of a global or static array"
                    };
                    if let Some(value) = self.constant(e, what) {
                        filler.initial.push(Initial { path: path.0.clone(), indices: path.1.clone(), value });
                    }
                }
            }
        }
        None
    }

    /// The number that an address is which is known before the program starts; says so where it is none (6.6p9).
    fn address_constant(&mut self, e: &Expr) -> Option<Constant> {
        if let Some(value) = constant::evaluate(e) {
            return Some(value);
        }
        let named = |e: &Expr| if let ExprKind::Name(name) = &e.kind { name.decl } else { None };
        let address = match &e.unconverted().kind {
            ExprKind::Str(bytes) => self.strings.get(bytes).map(|number| string_address(*number)),
            ExprKind::AddressOf(inner) => named(inner).map(object_address),
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                matches!(self.decls[decl.0 as usize].shape, Shape::Array { .. }).then(|| object_address(*decl))
            }
            _ => None,
        };
        if address.is_none() && !constant::has_error(e) {
            self.report(
                Diagnostic::error(
                    "unsupported-pointer",
                    e.span,
                    "this address as a first value of a global or static pointer is not supported",
                )
                .help("name a string, an array, or the address of a variable; or set the pointer at the start of a function"),
            );
        }
        address.map(|address| Constant { typed: address.clone(), unbounded: address })
    }

    /// Gives values to the parts of an array or a structure, from `items[at]` on. `top` where the list is the object's own: then it may name
    /// parts and must be used up. Gives the number of elements.
    fn fill(&mut self, shape: &Shape, items: &mut [Item], at: &mut usize, path: &mut PartPath, top: bool, filler: &mut Filler) -> usize {
        let count = match shape {
            Shape::Array { length: Length::Fixed(length), .. } => {
                length.to_i64().and_then(|n| usize::try_from(n).ok()).unwrap_or(MAX_LISTED)
            }
            Shape::Struct(id) => self.structs[id.0 as usize].members.as_ref().map_or(0, Vec::len),
            _ => MAX_LISTED,
        };
        let (mut index, mut most) = (0, 0);
        while *at < items.len() {
            let mut deeper: Vec<Designator> = Vec::new();
            if !items[*at].designators.is_empty() {
                if !top {
                    break;
                }
                let mut designators = std::mem::take(&mut items[*at].designators);
                let first = designators.remove(0);
                deeper = designators;
                match self.designated(shape, first) {
                    Some(designated) => index = designated,
                    None => {
                        *at += 1;
                        continue;
                    }
                }
            }
            if index >= count {
                break;
            }
            let part = match shape {
                Shape::Array { element, .. } => (**element).clone(),
                Shape::Struct(id) => self.structs[id.0 as usize].members.as_ref().map_or(Shape::Opaque, |list| list[index].shape.clone()),
                _ => Shape::Opaque,
            };
            let is_array = matches!(shape, Shape::Array { .. });
            if is_array {
                path.1.push(index)
            } else {
                path.0.push(index)
            }
            items[*at].designators = deeper;
            self.fill_part(&part, items, at, path, filler);
            if is_array {
                path.1.pop()
            } else {
                path.0.pop()
            };
            index += 1;
            most = most.max(index);
        }
        most
    }

    /// One part: from the next item, or, where that is a single value for a part with parts, from as many as it takes (6.7.9p20).
    fn fill_part(&mut self, part: &Shape, items: &mut [Item], at: &mut usize, path: &mut PartPath, filler: &mut Filler) {
        let nested = matches!(part, Shape::Array { .. } | Shape::Struct(_));
        let item = &mut items[*at];
        if !item.designators.is_empty() {
            // `.a.b = 3`: the part's own list of one.
            let mut inner = [Item { designators: std::mem::take(&mut item.designators), value: item.value.clone(), place: None }];
            self.fill(part, &mut inner, &mut 0, path, true, filler);
            let [inner] = inner;
            *item = inner;
            *at += 1;
            return;
        }
        match &mut item.value {
            Init::List(list, span) if nested => {
                let span = *span;
                let mut inside = 0;
                self.fill(part, list, &mut inside, path, true, filler);
                let list = std::mem::take(list);
                let name = filler.name.clone();
                self.too_many(&list, inside, span, &name);
                items[*at].value = Init::List(list, span);
                *at += 1;
            }
            Init::List(list, span) => {
                let span = *span;
                let mut list = std::mem::take(list);
                self.in_braces(part, &mut list, span, path, filler);
                items[*at].value = Init::List(list, span);
                *at += 1;
            }
            Init::Expr(e) => {
                let whole = match (&e.kind, part) {
                    (ExprKind::Str(_), Shape::Array { element, .. }) => matches!(**element, Shape::Scalar(_)),
                    (_, Shape::Struct(_)) => {
                        // A structure as a value: its type is only known once it is looked at.
                        let mut copy = e.clone();
                        let before = self.diagnostics.len();
                        let shape = self.value(&mut copy);
                        self.diagnostics.truncate(before);
                        shape == *part
                    }
                    _ => !nested,
                };
                if whole {
                    item.place = Some(path.clone());
                    self.fill_with(part, e, path, filler);
                    *at += 1;
                } else {
                    let before = *at;
                    self.fill(part, items, at, path, false, filler);
                    // A structure without members takes nothing.
                    *at += usize::from(*at == before);
                }
            }
        }
    }

    fn designated(&mut self, shape: &Shape, designator: Designator) -> Option<usize> {
        match (designator, shape) {
            (Designator::Member(name), Shape::Struct(id)) => self.member(*id, &name).map(|(at, _)| at),
            (Designator::Index(mut e), Shape::Array { .. }) => {
                self.scalar_value(&mut e);
                let value = self.constant(&e, "an index in a list of values")?.typed;
                let index = value.to_i64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n < MAX_LISTED);
                if index.is_none() {
                    self.report(Diagnostic::error("bad-designator", e.span, format!("there is no element {value}")));
                }
                index
            }
            (Designator::Member(name), _) => {
                self.report(
                    Diagnostic::error("bad-designator", name.span, "a member is named here, but an array's elements have indices")
                        .help("write `[0] = …`"),
                );
                None
            }
            (Designator::Index(e), _) => {
                self.report(
                    Diagnostic::error("bad-designator", e.span, "an index stands here, but a structure's members have names")
                        .help("write `.member = …`"),
                );
                None
            }
        }
    }
}

/// The address of an object that stands before the program starts, as a number that can be compared and not followed.
fn object_address(decl: DeclId) -> Int {
    Int::from((i64::from(decl.0) + 1) << 16 | 1)
}

/// What is known while first values are handed out.
struct Filler {
    name: Name,
    fixed: bool,
    initial: Vec<Initial>,
}

/// The next multiple of an alignment.
fn rounded(size: i64, alignment: i64) -> Option<i64> {
    Some(size.checked_add(alignment - 1)? / alignment * alignment)
}

impl Shape {
    /// The integer type of a scalar; addresses are numbers where nothing better is known.
    pub fn integer(&self) -> Option<Integer> {
        match self {
            Shape::Scalar(integer) => Some(*integer),
            Shape::Pointer(_) => Some(ADDRESS),
            _ => None,
        }
    }

    /// Whether what a pointer to this leads to can be followed as a pointer to `other`: the same, or integers of one size.
    pub fn seen_as(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Void | Shape::Opaque, _) | (_, Shape::Void | Shape::Opaque) | (Shape::Pointer(_), Shape::Pointer(_)) => true,
            (Shape::Scalar(a), Shape::Scalar(b)) => a.size() == b.size(),
            (Shape::Array { element: a, .. }, Shape::Array { element: b, .. }) => a.seen_as(b),
            (a, b) => a == b,
        }
    }
}

/// Whether an expression calls a function or changes something.
fn has_effect(e: &Expr) -> bool {
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
