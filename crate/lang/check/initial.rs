//! Where first values go (C11 6.7.9).

use super::super::ast::{
    Constant, Designator, Expr, ExprKind, Init, Initial, Item, Length, Name, PartPath, Shape, object_address, string_address,
};
use super::super::types::Integer;
use super::shape::has_effect;
use super::union::as_initial;
use super::{Checker, constant};
use crate::logic::Int;
use crate::source::{Diagnostic, Span};

/// Elements that an array with a list of first values may have.
const MAX_LISTED: usize = 1 << 20;
/// Elements that ranges in a list of first values may stand for.
const MAX_REPEATED: i64 = 1 << 14;

impl Checker<'_> {
    /// Checks the first values of an object and says where each goes. Where the length of the outermost array is not given, it becomes
    /// that of the list. `fixed` for objects whose values must be constants; these are given back.
    pub(super) fn initialise(&mut self, name: &Name, shape: &mut Shape, init: &mut Init, fixed: bool) -> Vec<Initial> {
        let mut filler = Filler { name: name.clone(), fixed, initial: Vec::new(), written: Vec::new() };
        let around = std::mem::replace(&mut self.here.fixed, fixed);
        self.literal_as_list(shape, init);
        let mut path = PartPath::default();
        if let Init::List(items, _) = init {
            self.expand_ranges(items, &mut MAX_REPEATED.clone());
        }
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
        self.here.fixed = around;
        if fixed {
            filler.initial.extend(filler.written.iter().filter_map(as_initial));
        } else if let Init::List(items, _) = init {
            items.append(&mut filler.written);
        }
        filler.initial
    }

    /// Writes `[4 ... 6] = 1` as one value for each element.
    fn expand_ranges(&mut self, items: &mut Vec<Item>, left: &mut i64) {
        let is_range = |designator: &Designator| matches!(designator, Designator::Range(..));
        let mut open: Vec<Item> = std::mem::take(items).into_iter().rev().collect();
        while let Some(mut item) = open.pop() {
            let Some(part) = item.designators.iter().position(is_range) else {
                if let Init::List(inner, _) = &mut item.value {
                    self.expand_ranges(inner, left);
                }
                items.push(item);
                continue;
            };
            let Designator::Range(mut first, mut last) = item.designators[part].clone() else { continue };
            let span = first.span.to(last.span);
            let mut bound = |e: &mut Expr| {
                self.scalar_value(e);
                self.constant(e, "an index in a list of values")?.typed.to_i64()
            };
            let (Some(from), Some(to)) = (bound(&mut first), bound(&mut last)) else { continue };
            let mut changes = false;
            item.value.expressions(&mut |e| changes |= has_effect(e));
            *left -= (to - from).clamp(0, MAX_REPEATED) + 1;
            if from > to || *left < 0 || changes {
                let (message, help) = match changes {
                    true => ("a value of several elements must not change anything", "compute it in front of the declaration"),
                    false => ("this is no range of a few thousand elements", "write the smaller index first, or assign in a loop"),
                };
                self.report(Diagnostic::error("bad-designator", span, message).help(help));
                continue;
            }
            open.extend((from..=to).rev().map(|index| {
                let mut copy = item.clone();
                copy.designators[part] = Designator::Index(Expr::new(ExprKind::Int(index.into()), span));
                copy
            }));
        }
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
            [Item { designators, value: Init::Expr(e), part_path: at }] if designators.is_empty() => {
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
            if !matches!(**element, Shape::Scalar(integer) if integer.size(self.abi()) == 1 && integer != Integer::Bool) {
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
                    let value = element.integer(self.abi())?.range(self.abi()).wrap(&Int::from(i64::from(*byte)));
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
                match shape.integer(self.abi()) {
                    Some(integer) => self.value_as(e, integer),
                    None => {
                        self.scalar_value(e);
                    }
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
        if let Some(value) = constant::evaluate(e, self.abi()) {
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
        let (mut index, mut most, first) = (0, 0, *at);
        let union = if let Shape::Struct(id) = shape { Some(*id).filter(|id| self.structs[id.0 as usize].union.is_some()) } else { None };
        if let (Some(id), Some(item)) = (union, items.get(*at))
            && item.designators.is_empty()
        {
            let mut span = self.structs[id.0 as usize].span;
            item.value.expressions(&mut |e| span = e.span);
            index = self.first_of_union(id, span);
        }
        while *at < items.len() {
            let mut deeper: Vec<Designator> = Vec::new();
            if !items[*at].designators.is_empty() {
                // Of a part's own designators only the first ones are its own.
                if !top && *at != first {
                    break;
                }
                let mut designators = std::mem::take(&mut items[*at].designators);
                let outermost = designators.remove(0);
                deeper = designators;
                match self.designated(shape, outermost) {
                    Some((designated, inner)) => {
                        index = designated;
                        deeper.splice(0..0, inner);
                    }
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
            if let Some(id) = union {
                let mut whole = path.clone();
                whole.0.pop();
                filler.written.extend(self.written_last(id, index, &whole));
            }
            if is_array {
                path.1.pop()
            } else {
                path.0.pop()
            };
            index += 1;
            most = most.max(index);
            // Without a name a union has one first value.
            if union.is_some() {
                index = count;
            }
        }
        most
    }

    /// One part: from the next item, or, where that is a single value for a part with parts, from as many as it takes (6.7.9p20).
    fn fill_part(&mut self, part: &Shape, items: &mut [Item], at: &mut usize, path: &mut PartPath, filler: &mut Filler) {
        let nested = matches!(part, Shape::Array { .. } | Shape::Struct(_));
        let item = &mut items[*at];
        self.literal_as_list(part, &mut item.value);
        if !item.designators.is_empty() {
            // `.a.b = 3`: what follows goes on after that part (6.7.9p17).
            let before = *at;
            self.fill(part, items, at, path, false, filler);
            *at += usize::from(*at == before);
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
                    item.part_path = Some(path.clone());
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

    /// The number of the part that is named, and what names a part of it in turn: of a structure without a name.
    fn designated(&mut self, shape: &Shape, designator: Designator) -> Option<(usize, Option<Designator>)> {
        match (designator, shape) {
            (Designator::Member(name), Shape::Struct(id)) => self.member(*id, &name).map(|(way, _)| {
                let inner = (way.len() > 1).then_some(Designator::Member(name));
                (way[0], inner)
            }),
            (Designator::Index(mut e), Shape::Array { .. }) => {
                self.scalar_value(&mut e);
                let value = self.constant(&e, "an index in a list of values")?.typed;
                let index = value.to_i64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n < MAX_LISTED);
                if index.is_none() {
                    self.report(Diagnostic::error("bad-designator", e.span, format!("there is no element {value}")));
                }
                Some((index?, None))
            }
            (Designator::Member(name), _) => {
                self.report(
                    Diagnostic::error("bad-designator", name.span, "a member is named here, but an array's elements have indices")
                        .help("write `[0] = …`"),
                );
                None
            }
            (Designator::Index(e) | Designator::Range(e, _), _) => {
                self.report(
                    Diagnostic::error("bad-designator", e.span, "an index stands here, but a structure's members have names")
                        .help("write `.member = …`"),
                );
                None
            }
        }
    }
}

/// What is known while first values are handed out.
struct Filler {
    name: Name,
    fixed: bool,
    initial: Vec<Initial>,
    /// Which members of unions are written.
    written: Vec<Item>,
}
