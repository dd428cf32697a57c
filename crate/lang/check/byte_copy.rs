//! Calls of `memcpy`, `memmove`, `memcmp` and `memset` whose objects are of other types than each other, or of bytes, written with
//! assignments to scalars: `memcpy(&h, buffer, sizeof h)` is `h.kind = buffer[0], h.length = buffer[1] + buffer[2] * 256`.
//!
//! The number of bytes is a constant, and each side consists of whole elements. Objects with unions, volatile parts or too many scalars are
//! left to the check of the call, which says that they are not supported, and so is what assignments one after the other would not mean.

use super::super::ast::{BinaryOp, Decl, DeclId, Expr, ExprKind, Name, Qualifiers, Shape, Storage, StructId, Type};
use super::super::types::Integer;
use super::super::{intrinsic, library};
use super::object_bytes::{BitContent, BitSpan, binary, number};
use super::shape::has_effect;
use super::sugar::type_of;
use super::{Checker, Entity, UsedAs, constant};
use crate::logic::{Int, SortedMap};
use crate::source::Span;

/// The name of a variable that keeps a number of elements which the copied bytes could change. No identifier.
const DISTANCE: &str = "(distance)";

/// Copies of more bytes between elements of one size go through them in a loop.
const MAX_COPIED: i64 = 16;

/// What a copy writes.
struct WrittenBytes {
    /// The variable, where the text names it; `None` where a pointer leads to it.
    variable: Option<DeclId>,
    /// The bytes of its scalars.
    sizes: Vec<i64>,
}

impl Checker<'_> {
    /// Writes a call on bytes with other expressions, and checks them; `None` where it stays a call.
    #[inline(never)]
    pub(super) fn byte_call(&mut self, e: &mut Expr, used: bool) -> Option<Shape> {
        let ExprKind::Call(name, arguments) = &e.kind else { return None };
        let called = library::of_builtin(&name.text).unwrap_or(&name.text).to_owned();
        let is_of_library = library::is_of_memory(&called) && self.signatures.contains_key(&library::of_memory(&called, Integer::Char));
        let is_all_plain = arguments.iter().all(is_plain);
        // The address that the call gives back is evaluated again.
        let is_given_back = used && called != "memcmp" && arguments.first().is_some_and(is_plain) && !arguments.iter().any(has_effect);
        if !is_of_library || arguments.len() != 3 || !is_all_plain && !is_given_back {
            return None;
        }
        let (call, span) = (name.span, e.span);
        let mut arguments = arguments.clone();
        let before = self.diagnostics.len();
        let pointers = if called == "memset" { 1 } else { 2 };
        let mut shapes = Vec::new();
        for argument in &mut arguments[..pointers] {
            let mut checked = argument.clone();
            let mut shape = self.value(&mut checked);
            if let Some(inner) = without_casts(argument) {
                let mut inner_checked = inner.clone();
                let of_inner = self.value(&mut inner_checked);
                if matches!(of_inner, Shape::Pointer(_)) {
                    (shape, checked, *argument) = (of_inner, inner_checked, inner);
                }
            }
            if self.diagnostics.len() > before {
                return Some(Shape::INT);
            }
            if self.reads_volatile(&checked) {
                return None;
            }
            shapes.push(shape);
        }
        for argument in &arguments[pointers..] {
            shapes.push(self.value(&mut argument.clone()));
        }
        if self.diagnostics.len() > before {
            return Some(Shape::INT);
        }
        self.void_as_bytes(&mut arguments, &mut shapes[..pointers]);
        let (mut name, mut whole) = (Name { text: called.clone(), span: call, decl: None }, arguments.clone());
        if self.object_call(&mut name, &mut whole, &shapes) {
            let call = Expr::new(ExprKind::Call(name, whole), span);
            let whole = sequence(vec![call], used.then(|| arguments.swap_remove(0)))?;
            *e = Expr { span, expansion: e.expansion.take(), parenthesised: e.parenthesised, ..whole };
            return Some(self.expression(e, used));
        }
        if !is_all_plain {
            return None;
        }
        if is_of_elements(&called, &arguments, &shapes) {
            if let ExprKind::Call(_, own) = &mut e.kind {
                *own = arguments;
            }
            return None;
        }
        let part = self.part_of.filter(|(of, _)| *of == call).map(|(_, part)| part);
        // What happens is shown at the whole call.
        arguments.iter_mut().for_each(|argument| argument.span = span);
        let hoisted = self.here.hoisted.len();
        self.scopes.push(SortedMap::new());
        let written = self.on_bytes(&called, arguments.clone(), &shapes, part, used);
        let (before, kind, expansion) = (self.diagnostics.len(), e.kind.clone(), e.expansion.take());
        let shape = written.and_then(|written| {
            let marker = Name { text: intrinsic::BYTES.to_owned(), span: call, decl: None };
            let written = sequence(vec![Expr::new(ExprKind::Call(marker, Vec::new()), span), Expr { span, ..written }], None)?;
            *e = Expr { span, parenthesised: e.parenthesised, expansion: expansion.clone(), ..written };
            let shape = self.expression(e, used);
            (self.diagnostics.len() == before).then_some(shape)
        });
        self.scopes.pop();
        match &shape {
            Some(_) => self.part_of = None,
            None => {
                // What the assignments would not mean is no fault of the program.
                self.diagnostics.truncate(before);
                self.here.hoisted.truncate(hoisted);
                *e = Expr { expansion, parenthesised: e.parenthesised, ..Expr::new(kind, span) };
                if let (ExprKind::Call(_, own), true) = (&mut e.kind, self.as_one_type(&mut arguments, &shapes)) {
                    *own = arguments;
                }
            }
        }
        shape
    }

    /// Has a pointer to `void` lead to bytes: to those of the type that the other one leads to. Lowering refuses it where it leads to others.
    fn void_as_bytes(&self, arguments: &mut [Expr], shapes: &mut [Shape]) {
        let is_byte =
            |shape: &Shape| matches!(shape, Shape::Scalar(ty) if self.takes_all_bits(&Shape::Scalar(*ty)) && ty.size(self.abi()) == 1);
        let byte = shapes.iter().find_map(|shape| match shape {
            Shape::Pointer(element) if is_byte(element) => Some((**element).clone()),
            _ => None,
        });
        let byte = byte.unwrap_or(Shape::Scalar(Integer::UnsignedChar));
        for (argument, shape) in arguments.iter_mut().zip(shapes) {
            if matches!(shape, Shape::Pointer(element) if **element == Shape::Void) {
                *shape = Shape::Pointer(Box::new(byte.clone()));
                cast_to(argument, shape);
            }
        }
    }

    /// Has the second pointer lead to elements of the first one's type, where these are integers of one size.
    fn as_one_type(&self, arguments: &mut [Expr], shapes: &[Shape]) -> bool {
        let (Shape::Pointer(to), Shape::Pointer(from)) = (&shapes[0], &shapes[1]) else { return false };
        let is_one = to != from && self.takes_all_bits(to) && self.takes_all_bits(from) && self.size(to) == self.size(from);
        if is_one {
            cast_to(&mut arguments[1], &shapes[0]);
        }
        is_one
    }

    /// Whether a checked expression reads something volatile.
    fn reads_volatile(&self, e: &Expr) -> bool {
        let mut found = match &e.kind {
            ExprKind::Name(name) => name.decl.is_some_and(|id| self.decls[id.0 as usize].qualifiers.names_volatile()),
            ExprKind::Member(..) => self.qualifiers(e).0.names_volatile(),
            _ => false,
        };
        e.kind.children(&mut |child| found |= self.reads_volatile(child));
        found
    }

    /// The expression that means the call.
    fn on_bytes(&mut self, called: &str, mut arguments: Vec<Expr>, shapes: &[Shape], part: Option<UsedAs>, used: bool) -> Option<Expr> {
        let mut bytes = arguments[2].clone();
        self.scalar_value(&mut bytes);
        let bytes = constant::evaluate(&bytes, self.abi())?.typed.to_i64().filter(|bytes| *bytes > 0)?;
        if called == "memset" {
            return self.set_to_byte(&arguments, &shapes[0], bytes, used);
        }
        let mut steps = Vec::new();
        if called != "memcmp" {
            let written = self.written_bytes(&arguments[0], &shapes[0], bytes)?;
            if written.sizes.len() > 1 {
                for argument in &mut arguments[..2] {
                    self.settle(argument, &written, &mut steps)?;
                }
            }
        }
        // Elements of one size may overlap, which the function of the library minds.
        if self.as_one_type(&mut arguments.clone(), shapes) && (bytes > MAX_COPIED || called == "memmove") {
            return None;
        }
        let to = self.bits_from(&arguments[0], &shapes[0], bytes)?;
        let from = self.bits_from(&arguments[1], &shapes[1], bytes)?;
        if called == "memcmp" {
            return self.compared(&to, &from, bytes, part.filter(|_| used)?);
        }
        // Assignments one after the other read what an earlier one wrote.
        if called == "memmove" && arguments[..2].iter().all(|argument| self.may_be_in_union(argument)) {
            return None;
        }
        // The first and the last byte are read, also where they are padding.
        for source in [from.first(), from.last()].into_iter().flatten() {
            let is_padding = |target: &&BitSpan| matches!(target.content, BitContent::Padding(_)) && target.meets(source);
            if let (BitContent::Scalar { value, .. }, Some(_)) = (&source.content, to.iter().find(is_padding)) {
                steps.push(value.clone());
            }
        }
        for target in &to {
            let BitContent::Scalar { value: object, .. } = &target.content else { continue };
            steps.push(assigned(object.clone(), self.assembled(target, &from)?));
        }
        self.padding_written(&shapes[0]);
        sequence(steps, used.then(|| arguments.swap_remove(0)))
    }

    /// `memset` of scalars to a byte that the program computes.
    fn set_to_byte(&mut self, arguments: &[Expr], shape: &Shape, bytes: i64, used: bool) -> Option<Expr> {
        let (byte, span) = (&arguments[1], arguments[1].span);
        let mut checked = byte.clone();
        self.scalar_value(&mut checked);
        if self.reads_volatile(&checked) {
            return None;
        }
        let to = self.bits_from(&arguments[0], shape, bytes)?;
        // The byte is read again and again.
        let written = self.written_bytes(&arguments[0], shape, bytes)?;
        let (mut byte, mut steps) = (byte.clone(), Vec::new());
        self.settle_number(&mut byte, &written, &mut steps);
        let mut pointer = arguments[0].clone();
        self.settle(&mut pointer, &written, &mut steps)?;
        let to = if steps.is_empty() { to } else { self.bits_from(&pointer, shape, bytes)? };
        let abi = self.abi();
        for target in &to {
            let (object, ty) = match &target.content {
                BitContent::Padding(_) => continue,
                BitContent::Scalar { value, shape: Shape::Scalar(ty), is_signed_field: false }
                    if ty.format().is_none() && *ty != Integer::Bool && i64::from(ty.bits(abi)) == target.width =>
                {
                    (value, *ty)
                }
                BitContent::Scalar { .. } => return None,
            };
            let unit = self.unsigned_of(target.width)?;
            let cast = |ty: Integer, value: Expr| Expr::new(ExprKind::Cast(Type::Integer(ty), Box::new(value)), span);
            let value = cast(unit, cast(Integer::UnsignedChar, byte.clone()));
            let ones = (0..ty.size(abi)).fold(Int::ZERO, |sum, _| &(&sum * &Int::from(256)) + &Int::ONE);
            steps.push(assigned(object.clone(), binary(BinaryOp::Mul, value, number(ones, unit, span), span)));
        }
        self.padding_written(shape);
        sequence(steps, used.then_some(pointer))
    }

    /// Whether bytes differ, as a number that is not zero then, or what comes first, as one of its sign.
    fn compared(&self, a: &[BitSpan], b: &[BitSpan], bytes: i64, part: UsedAs) -> Option<Expr> {
        let is_whole = |one: &BitSpan| {
            [8, 16, 32, 64].contains(&one.width) && matches!(one.content, BitContent::Scalar { is_signed_field: false, .. })
        };
        if !a.iter().chain(b).all(is_whole) {
            return None;
        }
        let span = a.first().and_then(value_of)?.span;
        if part == UsedAs::Truth {
            // The side of fewer scalars has the longer ones.
            let (targets, sources) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            let differs = |target: &BitSpan| {
                let whole = self.unsigned_bits(target, self.unsigned_of(target.width)?, span)?;
                // As an object of the unsigned type would get it.
                let ty = self.abi().exact(u32::try_from(target.width).ok()?)[1];
                let content = BitContent::Scalar { value: value_of(target)?.clone(), shape: Shape::Scalar(ty), is_signed_field: false };
                let other = self.assembled(&BitSpan { content, ..target.clone() }, sources)?;
                let other = Expr::new(ExprKind::Cast(Type::Integer(ty), Box::new(other)), span);
                Some(binary(BinaryOp::Ne, whole, other, span))
            };
            let all = targets.iter().map(differs).collect::<Option<Vec<Expr>>>()?;
            return all.into_iter().reduce(|sum, one| binary(BinaryOp::Add, sum, one, span));
        }
        // The first byte counts most.
        let unit = self.unsigned_of(8 * bytes)?;
        let reversed = |sources: &[BitSpan]| {
            let byte = |at: i64| {
                let value = sources.iter().find(|source| source.first <= 8 * at && 8 * at < source.first + source.width)?;
                let content = BitContent::Scalar {
                    value: value_of(value)?.clone(),
                    shape: Shape::Scalar(Integer::UnsignedChar),
                    is_signed_field: false,
                };
                let byte = self.assembled(&BitSpan { first: 8 * at, width: 8, content }, sources)?;
                let byte = Expr::new(ExprKind::Cast(Type::Integer(Integer::UnsignedChar), Box::new(byte)), span);
                let byte = Expr::new(ExprKind::Cast(Type::Integer(unit), Box::new(byte)), span);
                let power = number(Int::ONE.shift_left((8 * (bytes - 1 - at)) as u32), unit, span);
                Some(binary(BinaryOp::Mul, byte, power, span))
            };
            let all = (0..bytes).map(byte).collect::<Option<Vec<Expr>>>()?;
            all.into_iter().reduce(|sum, one| binary(BinaryOp::Add, sum, one, span))
        };
        let (a, b) = (reversed(a)?, reversed(b)?);
        let (greater, less) = (binary(BinaryOp::Gt, a.clone(), b.clone(), span), binary(BinaryOp::Lt, a, b, span));
        Some(binary(BinaryOp::Sub, greater, less, span))
    }

    /// The bits of so many bytes from an address on: of whole elements, or of a string of the text.
    fn bits_from(&mut self, address: &Expr, shape: &Shape, bytes: i64) -> Option<Vec<BitSpan>> {
        let Shape::Pointer(element) = shape else { return None };
        let (size, span) = (self.size(element)?.0, address.span);
        if size == 0 || bytes % size != 0 || matches!(**element, Shape::Void) {
            return None;
        }
        let count = bytes / size;
        let mut found = Vec::new();
        for at in 0..count {
            let object = match &address.kind {
                ExprKind::Str(text) => {
                    // After the characters stands a zero.
                    let byte = text.iter().copied().chain([0]).nth(usize::try_from(at).ok()?)?;
                    number(Int::from(i64::from(byte)), Integer::Int, span)
                }
                ExprKind::AddressOf(object) => match &object.kind {
                    _ if count == 1 => Expr { span, ..(**object).clone() },
                    ExprKind::Index(base, index) => {
                        let first = binary(BinaryOp::Add, (**base).clone(), (**index).clone(), span);
                        Expr::new(ExprKind::Index(Box::new(first), Box::new(self.distance(at, span))), span)
                    }
                    ExprKind::Deref(base) => Expr::new(ExprKind::Index(base.clone(), Box::new(self.distance(at, span))), span),
                    _ => return None,
                },
                _ if count == 1 => Expr::new(ExprKind::Deref(Box::new(address.clone())), span),
                _ => Expr::new(ExprKind::Index(Box::new(address.clone()), Box::new(self.distance(at, span))), span),
            };
            self.bits_of(&object, element, 8 * at * size, &mut found)?;
        }
        Some(found)
    }

    /// What a copy of so many bytes to an address writes.
    fn written_bytes(&mut self, address: &Expr, shape: &Shape, bytes: i64) -> Option<WrittenBytes> {
        let to = self.bits_from(address, shape, bytes)?;
        let mut sizes = Vec::new();
        for target in &to {
            match &target.content {
                BitContent::Scalar { shape: Shape::Scalar(ty), .. } => sizes.push(ty.size(self.abi())),
                // A pointer in the address could be one that is written.
                BitContent::Scalar { .. } if to.len() > 1 => return None,
                _ => {}
            }
        }
        let mut checked = address.clone();
        self.value(&mut checked);
        Some(WrittenBytes { variable: self.variable_at(&checked), sizes })
    }

    /// Whether an address may lead into a union, whose other members have the same bytes.
    fn may_be_in_union(&mut self, address: &Expr) -> bool {
        let mut checked = address.clone();
        self.value(&mut checked);
        let is_union = |id: StructId| self.structs[id.0 as usize].union.is_some();
        let Some(variable) = self.variable_at(&checked) else { return (0..self.structs.len()).any(|id| is_union(StructId(id as u32))) };
        let mut open = vec![&self.decls[variable.0 as usize].shape];
        while let Some(shape) = open.pop() {
            match shape {
                Shape::Struct(id) if is_union(*id) => return true,
                Shape::Struct(id) => open.extend(self.structs[id.0 as usize].members.iter().flatten().map(|member| &member.shape)),
                Shape::Array { element, .. } => open.push(element),
                _ => {}
            }
        }
        false
    }

    /// The variable that a checked address leads into, without a pointer on the way.
    fn variable_at(&self, e: &Expr) -> Option<DeclId> {
        match &e.kind {
            ExprKind::AddressOf(object) => self.variable_at(object),
            ExprKind::Name(name) => name.decl.filter(|id| !matches!(self.decls[id.0 as usize].shape, Shape::Pointer(_))),
            ExprKind::Member(base, ..) => self.variable_at(base).filter(|_| !matches!(self.qualifiers(e).1, Shape::Pointer(_))),
            ExprKind::Index(base, _) => self.variable_at(base).filter(|_| matches!(self.qualifiers(base).1, Shape::Array { .. })),
            _ => None,
        }
    }

    /// Has the numbers in an address keep their values while bytes are written.
    fn settle(&mut self, e: &mut Expr, written: &WrittenBytes, steps: &mut Vec<Expr>) -> Option<()> {
        match &mut e.kind {
            ExprKind::Name(_) | ExprKind::Str(_) => Some(()),
            ExprKind::AddressOf(inner) | ExprKind::Deref(inner) | ExprKind::Member(inner, ..) | ExprKind::Cast(_, inner) => {
                self.settle(inner, written, steps)
            }
            ExprKind::Index(a, b) | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let of_first = self.value(&mut (**a).clone());
                let (pointer, distance) = if matches!(of_first, Shape::Pointer(_)) { (a, b) } else { (b, a) };
                self.settle(pointer, written, steps)?;
                self.settle_number(distance, written, steps);
                Some(())
            }
            _ => None,
        }
    }

    fn settle_number(&mut self, e: &mut Expr, written: &WrittenBytes, steps: &mut Vec<Expr>) {
        if self.is_settled(e, written) {
            return;
        }
        let ty = self.scalar_value(&mut e.clone());
        let span = e.span;
        let name = Name { text: format!("{DISTANCE}{}", steps.len()), span, decl: None };
        let decl = Decl { name: "distance".to_owned(), assigned: true, ..self.local(&name, Shape::Scalar(ty), Qualifiers::default()) };
        let id = self.bind(&name, decl);
        self.hoist(Type::Integer(ty), &name, id);
        let named = Expr::new(ExprKind::Name(name), span);
        steps.push(assigned(named.clone(), std::mem::replace(e, named)));
    }

    /// Whether nothing that is written can change the value of a number.
    fn is_settled(&mut self, e: &Expr, written: &WrittenBytes) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) => true,
            ExprKind::Name(name) => match self.lookup(&name.text) {
                Some(Entity::Constant(..)) => true,
                Some(&Entity::Decl(id)) => {
                    let decl = &self.decls[id.0 as usize];
                    let Shape::Scalar(ty) = decl.shape else { return false };
                    let is_other = match written.variable {
                        Some(variable) => variable != id,
                        None => !written.sizes.contains(&ty.size(self.abi())),
                    };
                    is_other && matches!(decl.storage, Storage::Local | Storage::Parameter)
                }
                None => false,
            },
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.is_settled(a, written),
            ExprKind::Binary(_, a, b) => self.is_settled(a, written) && self.is_settled(b, written),
            _ => false,
        }
    }

    /// Notes that the padding of structures in an object gets values.
    pub(super) fn padding_written(&mut self, pointer: &Shape) {
        let Shape::Pointer(object) = pointer else { return };
        let mut open = vec![(**object).clone()];
        while let Some(shape) = open.pop() {
            match shape {
                Shape::Array { element, .. } => open.push(*element),
                Shape::Struct(id) => {
                    let structure = &mut self.structs[id.0 as usize];
                    structure.sets_padding = true;
                    open.extend(structure.members.iter().flatten().map(|member| member.shape.clone()));
                }
                _ => {}
            }
        }
    }
}

/// Whether the functions of the library for elements of a type, which go through them in a loop, take the call.
fn is_of_elements(called: &str, arguments: &[Expr], shapes: &[Shape]) -> bool {
    let element = |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(&**inner, Shape::Scalar(_)));
    // They do not go through a single variable.
    let is_single = |argument: &Expr| match &argument.kind {
        ExprKind::AddressOf(object) => matches!(object.kind, ExprKind::Name(_) | ExprKind::Member(..)),
        _ => false,
    };
    match called {
        "memset" => element(&shapes[0]) && !is_single(&arguments[0]),
        "memcmp" => shapes[0] == shapes[1] && element(&shapes[0]) && !arguments[..2].iter().any(is_single),
        _ => shapes[0] == shapes[1] && element(&shapes[0]),
    }
}

/// Writes a conversion to a pointer.
fn cast_to(e: &mut Expr, shape: &Shape) {
    let (span, Some(ty)) = (e.span, type_of(shape)) else { return };
    let inner = std::mem::replace(e, Expr::new(ExprKind::Error, span));
    *e = Expr::new(ExprKind::Cast(ty, Box::new(inner)), span);
}

fn value_of(bits: &BitSpan) -> Option<&Expr> {
    match &bits.content {
        BitContent::Scalar { value, .. } => Some(value),
        BitContent::Padding(_) => None,
    }
}

fn assigned(target: Expr, value: Expr) -> Expr {
    let span = target.span;
    Expr::new(ExprKind::Assign { target: Box::new(target), op: None, value: Box::new(value), at: Integer::Int }, span)
}

/// The steps as one expression, with the value of the last one.
fn sequence(steps: Vec<Expr>, value: Option<Expr>) -> Option<Expr> {
    let joined = |before: Expr, next: Expr| {
        let span: Span = next.span;
        Expr::new(ExprKind::Comma(Box::new(before), Box::new(next)), span)
    };
    steps.into_iter().chain(value).reduce(joined)
}

/// The address without conversions to pointers of other types around it.
fn without_casts(e: &Expr) -> Option<Expr> {
    let mut inner = e;
    while let ExprKind::Cast(Type::Pointer(_), next) = &inner.kind {
        inner = next;
    }
    matches!(e.kind, ExprKind::Cast(..)).then(|| inner.clone())
}

/// Whether an expression can be evaluated twice, or not at all, as far as its kind says it.
fn is_plain(e: &Expr) -> bool {
    let mut plain = matches!(
        e.kind,
        ExprKind::Int(_)
            | ExprKind::Str(_)
            | ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Deref(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_)
    );
    e.kind.children(&mut |child| plain = plain && is_plain(child));
    plain
}
