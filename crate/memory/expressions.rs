//! Expressions written anew: values that are pointers to nodes ([`Walk::pointer`]), lvalues, calls, and all others.

use super::build::NodeArrays;
use super::follow::Walk;
use super::objects::{NumberedObject, ObjectNumber};
use super::slots::allocation;
use super::structures::{self, NotFollowed, Pointee, Rewritten};
use super::tree::{element_number, number, set, typed};
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Name, Shape, StructId, UnaryOp};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic;
use crate::lang::sizes::Sizes;
use crate::lang::types::Integer;
use crate::source::Span;

/// Takes an expression out of its parent.
pub(super) fn take(e: &mut Expr) -> Expr {
    let span = e.span;
    std::mem::replace(e, Expr::new(ExprKind::Error, span))
}

fn is_null(e: &Expr) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero())
}

impl Walk<'_> {
    /// Puts what a function makes of an expression in its stead.
    pub fn change(&mut self, e: &mut Expr, with: impl FnOnce(&mut Self, Expr) -> Rewritten<Expr>) -> Rewritten<()> {
        let old = take(e);
        *e = with(self, old)?;
        Ok(())
    }

    pub(super) fn of_value(&self, e: &Expr) -> Option<Pointee> {
        self.nodes.of_value(self.program, e)
    }

    /// Whether something in an expression is a pointer to a node.
    pub fn mentions(&self, e: &Expr) -> bool {
        let mut found = self.of_value(e).is_some();
        e.kind.children(&mut |child| found = found || self.mentions(child));
        found
    }

    /// The arrays of what a pointer leads to.
    pub fn arrays_of(&self, to: Pointee) -> &NodeArrays {
        match to {
            Pointee::Node(id) => &self.arrays[&id],
            Pointee::Cell(id) => &self.arrays[&self.nodes.cells[&id].of],
        }
    }

    /// The structure of the nodes that an lvalue is one of, where nothing copies such a node as a whole.
    pub fn is_split(&self, e: &Expr) -> bool {
        matches!(shape_of(self.program, e), Some(Shape::Struct(id)) if self.arrays.get(id).is_some_and(NodeArrays::is_split))
    }

    /// The object that a name stands for, where it has a number.
    pub(super) fn object(&self, e: &Expr) -> Option<NumberedObject> {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => self.objects.get(decl).cloned(),
            _ => None,
        }
    }

    /// The number of an object, of an array that of its first element: of a node, or of a pointer in one.
    pub(super) fn number_of(&self, object: &NumberedObject, span: Span) -> Rewritten<Expr> {
        match (&object.number, object.length) {
            (ObjectNumber::Held(_), None) => Ok(self.number_of_node(object, span)),
            _ => self.of_pointee(object.to, self.number_of_node(object, span)),
        }
    }

    /// The number of the node that an object is, or that has it.
    fn number_of_node(&self, object: &NumberedObject, span: Span) -> Expr {
        match &object.number {
            ObjectNumber::Fixed(first) => number(*first, span),
            ObjectNumber::Held(name) => typed(ExprKind::Name(Name { span, ..name.clone() }), Integer::Node, span),
        }
    }

    /// The number of a node, or of its first pointer.
    pub fn of_pointee(&self, to: Pointee, node: Expr) -> Rewritten<Expr> {
        match to {
            Pointee::Node(_) => Ok(node),
            Pointee::Cell(_) => self.arrays_of(to).cell_number(node, None).ok_or(NotFollowed),
        }
    }

    /// The number of an array's element.
    fn number_of_element(&mut self, object: &NumberedObject, array: &Expr, mut index: Expr) -> Rewritten<Expr> {
        self.plain(&mut index)?;
        if let (ObjectNumber::Fixed(first), ExprKind::Int(at), Some(length)) = (&object.number, &index.kind, object.length)
            && let Some(at) = at.to_i64().filter(|at| (0..length).contains(at))
        {
            return self.of_pointee(object.to, number(first + at, array.span));
        }
        // The address past the last element has no number.
        if matches!((&index.kind, object.length), (ExprKind::Int(at), Some(length)) if at.to_i64() == Some(length)) {
            return Err(NotFollowed);
        }
        let first = self.number_of_node(object, array.span);
        self.of_pointee(object.to, element_number(first, index, object.length.ok_or(NotFollowed)?))
    }

    /// The number of the node that an lvalue of the program stands for.
    fn node_of(&mut self, mut lvalue: Expr) -> Rewritten<Expr> {
        if let Some(object) = self.object(&lvalue).filter(|object| object.length.is_none()) {
            return Ok(self.number_of_node(&object, lvalue.span));
        }
        match &mut lvalue.kind {
            ExprKind::Deref(pointer) => {
                let to @ Pointee::Node(_) = self.of_value(pointer).ok_or(NotFollowed)? else { return Err(NotFollowed) };
                let pointer = self.pointer(take(pointer), to)?;
                Ok(self.arrays_of(to).checked(pointer))
            }
            ExprKind::Index(base, index) => match (self.object(base), self.of_value(base)) {
                (Some(object), _) if object.length.is_some() => {
                    let index = take(index);
                    self.number_of_element(&object, base, index)
                }
                (None, Some(to @ Pointee::Node(_))) if is_null(index) => {
                    let pointer = self.pointer(take(base), to)?;
                    Ok(self.arrays_of(to).checked(pointer))
                }
                _ => Err(NotFollowed),
            },
            _ => Err(NotFollowed),
        }
    }

    /// The address of an lvalue of the program.
    fn address(&mut self, mut lvalue: Expr, to: Pointee) -> Rewritten<Expr> {
        match (&mut lvalue.kind, to) {
            (ExprKind::Deref(pointer), _) => self.pointer(take(pointer), to),
            (ExprKind::Member(base, _, at), Pointee::Cell(_)) => {
                let at = *at;
                let node = self.node_of(take(base))?;
                self.arrays_of(to).cell_number(node, Some(at)).ok_or(NotFollowed)
            }
            (_, Pointee::Node(_)) => self.node_of(lvalue),
            (ExprKind::Index(base, index), Pointee::Cell(_)) => {
                let object = self.object(base).ok_or(NotFollowed)?;
                let index = take(index);
                self.number_of_element(&object, base, index)
            }
            (ExprKind::Name(_), Pointee::Cell(_)) => {
                let object = self.object(&lvalue).filter(|object| object.length.is_none()).ok_or(NotFollowed)?;
                self.number_of(&object, lvalue.span)
            }
            _ => Err(NotFollowed),
        }
    }

    /// The number of what an expression points to.
    pub fn pointer(&mut self, mut e: Expr, to: Pointee) -> Rewritten<Expr> {
        let span = e.unconverted().span;
        if is_null(&e) {
            return Ok(number(0, span));
        }
        if let Pointee::Node(id) = to
            && self.arrays[&id].block.is_some()
            && let Some((function, arguments)) = allocation(self.program, &e)
        {
            let (function, arguments) = (function.to_owned(), arguments.to_vec());
            return self.requested_block(&function, arguments, to, span);
        }
        if let Pointee::Node(id) = to
            && let Some(is_zero) = self.requested(&e, id)
        {
            let arrays = &self.arrays[&id];
            if arrays.has_node_array || is_zero && arrays.has_array {
                return Err(NotFollowed);
            }
            self.used.leaves_unset |= !is_zero;
            return Ok(arrays.ask(is_zero, span));
        }
        if is_approximated(&e) {
            let mut value = e.unconverted().clone();
            self.plain(&mut value)?;
            return Ok(Expr { ty: Integer::Node, ..value });
        }
        let fits = self.of_value(&e) == Some(to);
        if let Some(object) = self.object(&e)
            && object.length.is_some()
        {
            return if fits { self.number_of(&object, span) } else { Err(NotFollowed) };
        }
        match &mut e.kind {
            ExprKind::Conditional(condition, a, b) => {
                self.truth(condition)?;
                self.change(a, |walk, e| walk.pointer(e, to))?;
                self.change(b, |walk, e| walk.pointer(e, to))?;
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first)?;
                self.change(last, |walk, e| walk.pointer(e, to))?;
            }
            _ if !fits => return Err(NotFollowed),
            ExprKind::Assign { op: None, .. } => self.assignment(&mut e)?,
            ExprKind::Call(..) => self.call(&mut e)?,
            ExprKind::AddressOf(inner) => return Ok(Expr { span, ..self.address(take(inner), to)? }),
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let may_be_unset = match &e.kind {
                    ExprKind::Name(name) => name.decl.is_some_and(|decl| self.unset.contains(&decl)),
                    _ => self.usage.leaves_unset,
                };
                self.lvalue(&mut e)?;
                if may_be_unset {
                    return Ok(set(e));
                }
            }
            _ => return Err(NotFollowed),
        }
        Ok(Expr { ty: Integer::Node, ..e })
    }

    /// Whether an expression asks for memory of the size of a node, and whether `calloc` does.
    fn requested(&self, e: &Expr, id: StructId) -> Option<bool> {
        let ExprKind::Call(name, arguments) = &e.unconverted().kind else { return None };
        if self.program.function(&name.text).is_some() {
            return None;
        }
        let size = Sizes { structs: &self.program.structs, abi: self.program.abi }.size(&Shape::Struct(id))?.0;
        let is = |e: &Expr, value: i64| matches!(&e.unconverted().kind, ExprKind::Int(bytes) if bytes.to_i64() == Some(value));
        match (name.text.as_str(), &arguments[..]) {
            ("malloc", [bytes]) if is(bytes, size) => Some(false),
            ("calloc", [count, bytes]) if is(count, 1) && is(bytes, size) || is(count, size) && is(bytes, 1) => Some(true),
            _ => None,
        }
    }

    /// A call that asks for a block.
    fn requested_block(&mut self, function: &str, mut arguments: Vec<Expr>, to: Pointee, span: Span) -> Rewritten<Expr> {
        let mut last = arguments.pop().ok_or(NotFollowed)?;
        self.plain(&mut last)?;
        let mut passed = Vec::new();
        let mut factor = None;
        match (function, arguments.pop()) {
            ("realloc", Some(old)) => {
                passed.push(self.pointer(old, to)?);
                self.used.frees = true;
            }
            (_, Some(mut count)) => {
                self.plain(&mut count)?;
                factor = Some(count);
            }
            (_, None) => {}
        }
        let block = self.arrays_of(to).block.as_ref().ok_or(NotFollowed)?;
        passed.push(block.elements(last, factor).ok_or(NotFollowed)?);
        self.used.leaves_unset |= block.has_node && !matches!(function, "calloc" | "zeros");
        self.arrays_of(to).ask_block(function, passed, span).ok_or(NotFollowed)
    }

    /// An lvalue, also of a pointer to a node.
    pub(super) fn lvalue(&mut self, e: &mut Expr) -> Rewritten<()> {
        let span = e.span;
        if self.of_value(e).is_some() {
            e.ty = Integer::Node;
        }
        if let Some(object) = self.object(e) {
            if object.length.is_some() {
                return Err(NotFollowed);
            }
            *e = self.object_lvalue(object.to, self.number_of(&object, span)?);
            return Ok(());
        }
        match &mut e.kind {
            ExprKind::Deref(pointer) if matches!(&pointer.kind, ExprKind::Call(name, _) if name.text == intrinsic::BLOCK) => {
                let ExprKind::Call(_, arguments) = &mut pointer.kind else { return Err(NotFollowed) };
                let pointer = arguments.pop().ok_or(NotFollowed)?;
                let to = self.of_value(&pointer).ok_or(NotFollowed)?;
                let number = self.pointer(pointer, to)?;
                *e = self.arrays_of(to).variable(number);
                Ok(())
            }
            ExprKind::Deref(pointer) => match self.of_value(pointer) {
                Some(to) => {
                    let pointer = self.pointer(take(pointer), to)?;
                    *e = self.led_to(to, pointer, span);
                    Ok(())
                }
                None => self.plain(pointer),
            },
            ExprKind::Index(base, index) => {
                if let Some(object) = self.object(base) {
                    let index = take(index);
                    let number = self.number_of_element(&object, base, index)?;
                    *e = self.object_lvalue(object.to, number);
                    return Ok(());
                }
                let is_array = matches!(shape_of(self.program, base), Some(Shape::Array { .. }));
                match self.of_value(base) {
                    Some(to) if is_null(index) && !is_array => {
                        let pointer = self.pointer(take(base), to)?;
                        *e = self.led_to(to, pointer, span);
                        Ok(())
                    }
                    Some(_) if !is_array => Err(NotFollowed),
                    _ => {
                        self.lvalue(base)?;
                        self.plain(index)
                    }
                }
            }
            ExprKind::Member(base, _, at) => {
                if self.is_split(base)
                    && let Some(Shape::Struct(id)) = shape_of(self.program, base)
                    && self.arrays[id].split_member(number(0, span), *at).is_some()
                {
                    let (id, at) = (*id, *at);
                    let node = self.node_of(take(base))?;
                    *e = self.arrays[&id].split_member(node, at).ok_or(NotFollowed)?;
                    return Ok(());
                }
                self.lvalue(base)
            }
            // Also a name of the system, as `stdout`.
            ExprKind::Name(_) => Ok(()),
            _ => self.plain(e),
        }
    }

    /// Whether an lvalue of the program is part of a node to which a pointer leads.
    fn is_in_node(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Deref(inner) => self.of_value(inner).is_some(),
            ExprKind::Index(base, _) => self.of_value(base).is_some() || self.is_in_node(base),
            ExprKind::Member(base, ..) => self.is_in_node(base),
            _ => false,
        }
    }

    /// What a pointer leads to, as an lvalue.
    fn led_to(&self, to: Pointee, pointer: Expr, span: Span) -> Expr {
        match to {
            Pointee::Node(_) => self.arrays_of(to).node(pointer, span),
            Pointee::Cell(_) => self.arrays_of(to).cell(pointer, span),
        }
    }

    /// An object with a number, as an lvalue.
    pub fn object_lvalue(&self, to: Pointee, number: Expr) -> Expr {
        match to {
            Pointee::Node(_) => self.arrays_of(to).variable(number),
            Pointee::Cell(_) => self.arrays_of(to).cell_numbered(number),
        }
    }

    fn assignment(&mut self, e: &mut Expr) -> Rewritten<()> {
        let ExprKind::Assign { target, op, value, at } = &mut e.kind else { return Err(NotFollowed) };
        match self.nodes.of_value(self.program, target) {
            Some(to) if op.is_none() => {
                self.lvalue(target)?;
                self.change(value, |walk, e| walk.pointer(e, to))?;
                (*at, e.ty) = (Integer::Node, Integer::Node);
                Ok(())
            }
            Some(_) => Err(NotFollowed),
            None if self.is_split(target) => Err(NotFollowed),
            None => {
                self.lvalue(target)?;
                self.plain(value)
            }
        }
    }

    /// A value that is a truth value here.
    pub fn truth(&mut self, e: &mut Expr) -> Rewritten<()> {
        match self.of_value(e) {
            Some(to) => self.change(e, |walk, e| walk.pointer(e, to)),
            None => self.plain(e),
        }
    }

    fn call(&mut self, e: &mut Expr) -> Rewritten<()> {
        let ExprKind::Call(name, arguments) = &mut e.kind else { return Err(NotFollowed) };
        let parameters: Vec<DeclId> = match self.program.function(&name.text) {
            Some((_, function)) => function.parameters.iter().map(|parameter| parameter.decl).collect(),
            None if !writes_nothing(&name.text, arguments.len()) => {
                if !self.usage.calls_outside {
                    return Err(NotFollowed);
                }
                return arguments.iter_mut().try_for_each(|argument| self.passed_outside(argument));
            }
            None => Vec::new(),
        };
        let frees = structures::frees(self.program, &name.text);
        for (at, argument) in arguments.iter_mut().enumerate() {
            let is_number = self.of_value(argument).is_some();
            match parameters.get(at).and_then(|decl| self.nodes.pointed(&self.program.decl(*decl).shape)) {
                Some(to) => self.change(argument, |walk, e| walk.pointer(e, to))?,
                None if let ExprKind::AddressOf(inner) = &mut argument.kind
                    && !frees
                    && !is_number =>
                {
                    self.lvalue(inner)?;
                }
                None if let Some(to) = self.of_value(argument).filter(|_| {
                    [intrinsic::CURSOR, intrinsic::SAME_BLOCK, intrinsic::SAME_ELEMENT, intrinsic::OTHER_ELEMENT]
                        .contains(&name.text.as_str())
                }) =>
                {
                    self.change(argument, |walk, e| walk.pointer(e, to))?;
                }
                None if self.is_split(argument) => return Err(NotFollowed),
                None => self.plain(argument)?,
            }
        }
        Ok(())
    }

    /// An expression whose value nothing uses.
    pub fn dropped(&mut self, e: &mut Expr) -> Rewritten<()> {
        let is_pointer = self.of_value(e).is_some();
        match &mut e.kind {
            ExprKind::Call(name, arguments) if name.text == "free" && self.program.function("free").is_none() => {
                let freed = arguments.first_mut().and_then(|argument| Some((self.nodes.of_value(self.program, argument)?, argument)));
                let Some((to, argument)) = freed else { return self.plain(e) };
                let Pointee::Node(id) = to else { return Err(NotFollowed) };
                self.used.frees = true;
                let (span, pointer) = (e.span, self.pointer(take(argument), to)?);
                let arrays = &self.arrays[&id];
                *e = if changes_something(&pointer) { arrays.free_of_call(pointer, span) } else { arrays.free(pointer, span) };
                Ok(())
            }
            ExprKind::Call(..) if is_pointer => {
                self.call(e)?;
                e.ty = Integer::Node;
                Ok(())
            }
            ExprKind::Assign { .. } => self.assignment(e),
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.dropped(inner),
            ExprKind::Comma(first, second) => {
                self.dropped(first)?;
                self.dropped(second)
            }
            _ => self.plain(e),
        }
    }

    /// An expression that is no pointer to a node.
    pub fn plain(&mut self, e: &mut Expr) -> Rewritten<()> {
        if self.of_value(e).is_some() {
            return Err(NotFollowed);
        }
        match &mut e.kind {
            ExprKind::Name(_) | ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Member(..) => self.lvalue(e),
            // Nothing would tell of a use after the node is freed.
            ExprKind::AddressOf(inner) if self.usage.frees && self.is_in_node(inner) => Err(NotFollowed),
            ExprKind::AddressOf(inner) => self.lvalue(inner),
            ExprKind::Assign { .. } => self.assignment(e),
            ExprKind::Binary(op, a, b) => match self.nodes.of_value(self.program, a).or_else(|| self.nodes.of_value(self.program, b)) {
                Some(to) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                    self.change(a, |walk, e| walk.pointer(e, to))?;
                    self.change(b, |walk, e| walk.pointer(e, to))
                }
                Some(_) => Err(NotFollowed),
                None => {
                    self.plain(a)?;
                    self.plain(b)
                }
            },
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.truth(a)?;
                self.truth(b)
            }
            ExprKind::Conditional(condition, a, b) => {
                self.truth(condition)?;
                self.plain(a)?;
                self.plain(b)
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first)?;
                self.plain(last)
            }
            // The value is a truth value where it is converted to one.
            ExprKind::Convert(inner) if e.ty == Integer::Bool => self.truth(inner),
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.plain(inner),
            ExprKind::Step { target, .. } => match self.of_value(target) {
                Some(_) => Err(NotFollowed),
                None => self.lvalue(target),
            },
            ExprKind::Call(..) => self.call(e),
            ExprKind::SizeofExpr(inner) if self.mentions(inner) => {
                let sizes = Sizes { structs: &self.program.structs, abi: self.program.abi };
                let bytes = shape_of(self.program, inner).and_then(|shape| sizes.size(shape)).ok_or(NotFollowed)?.0;
                e.kind = ExprKind::Int(bytes.into());
                Ok(())
            }
            ExprKind::CallAt(..) | ExprKind::Sugar(_) => Err(NotFollowed),
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::Error => Ok(()),
        }
    }
}

/// Whether it is the value of an approximated region.
fn is_approximated(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Call(name, _) => name.text == intrinsic::APPROXIMATED,
        ExprKind::Comma(_, last) => is_approximated(last),
        _ => false,
    }
}

/// Whether evaluating an expression does more than to give a value.
fn changes_something(e: &Expr) -> bool {
    let is_change = match &e.kind {
        ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::CallAt(..) => true,
        ExprKind::Call(name, _) => !intrinsic::is_own(&name.text),
        _ => false,
    };
    let mut found = is_change;
    e.kind.children(&mut |child| found = found || changes_something(child));
    found
}

/// Whether a function without a body writes to nothing that the program can read.
pub(super) fn writes_nothing(name: &str, arguments: usize) -> bool {
    intrinsic::is_own(name)
        || intrinsic::find(name)
            .is_some_and(|intrinsic| !matches!(intrinsic, intrinsic::Intrinsic::SetObject | intrinsic::Intrinsic::CopyObject))
        || intrinsic::only_draws(name, arguments)
}
