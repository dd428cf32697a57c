//! Expressions written anew: values that are pointers to nodes ([`Walk::pointer`]), lvalues, calls, and all others.

use super::build::{number, set};
use super::follow::{NotFollowed, Rewritten, Walk};
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Name, Shape, StructId, UnaryOp};
use crate::lang::intrinsic;
use crate::lang::sizes::Sizes;
use crate::lang::types::Integer;

/// Takes an expression out of its parent.
fn take(e: &mut Expr) -> Expr {
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

    fn of_value(&self, e: &Expr) -> Option<StructId> {
        self.nodes.of_value(self.program, e)
    }

    /// Whether something in an expression is a pointer to a node.
    pub fn mentions(&self, e: &Expr) -> bool {
        let mut found = self.of_value(e).is_some();
        e.kind.children(&mut |child| found = found || self.mentions(child));
        found
    }

    /// The number of the node of this structure to which an expression points.
    pub fn pointer(&mut self, mut e: Expr, id: StructId) -> Rewritten<Expr> {
        let span = e.span;
        if is_null(&e) {
            return Ok(number(0, span));
        }
        if let Some(is_zero) = self.requested(&e, id) {
            let arrays = &self.arrays[&id];
            if arrays.has_node_array || is_zero && arrays.has_array {
                return Err(NotFollowed);
            }
            self.used.leaves_unset |= !is_zero;
            return Ok(arrays.ask(is_zero, span));
        }
        let fits = self.of_value(&e) == Some(id);
        match &mut e.kind {
            ExprKind::Conditional(condition, a, b) => {
                self.truth(condition)?;
                self.change(a, |walk, e| walk.pointer(e, id))?;
                self.change(b, |walk, e| walk.pointer(e, id))?;
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first)?;
                self.change(last, |walk, e| walk.pointer(e, id))?;
            }
            _ if !fits => return Err(NotFollowed),
            ExprKind::Assign { op: None, .. } => self.assignment(&mut e)?,
            ExprKind::Call(..) => self.call(&mut e)?,
            ExprKind::AddressOf(inner) => {
                return match &mut inner.kind {
                    ExprKind::Deref(pointer) => self.pointer(take(pointer), id),
                    ExprKind::Name(Name { decl: Some(decl), .. }) if self.variables.contains(decl) => {
                        Ok(Expr { ty: Integer::Node, span, ..take(inner) })
                    }
                    _ => Err(NotFollowed),
                };
            }
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

    /// An lvalue, also of a pointer to a node.
    fn lvalue(&mut self, e: &mut Expr) -> Rewritten<()> {
        let span = e.span;
        if self.of_value(e).is_some() {
            e.ty = Integer::Node;
        }
        match &mut e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                if self.variables.contains(decl) {
                    let Shape::Struct(id) = self.program.decl(*decl).shape else { return Err(NotFollowed) };
                    let name = Expr { ty: Integer::Node, ..take(e) };
                    *e = self.arrays[&id].variable(name);
                }
                Ok(())
            }
            ExprKind::Deref(pointer) => match self.of_value(pointer) {
                Some(id) => {
                    let pointer = self.pointer(take(pointer), id)?;
                    *e = self.arrays[&id].node(pointer, span);
                    Ok(())
                }
                None => self.plain(pointer),
            },
            ExprKind::Index(base, index) => match self.of_value(base) {
                Some(id) if is_null(index) => {
                    let pointer = self.pointer(take(base), id)?;
                    *e = self.arrays[&id].node(pointer, span);
                    Ok(())
                }
                Some(_) => Err(NotFollowed),
                None => {
                    self.plain(base)?;
                    self.plain(index)
                }
            },
            ExprKind::Member(base, ..) => self.lvalue(base),
            // A name of the system, as `stdout`.
            ExprKind::Name(_) => Ok(()),
            _ => self.plain(e),
        }
    }

    fn assignment(&mut self, e: &mut Expr) -> Rewritten<()> {
        let ExprKind::Assign { target, op, value, at } = &mut e.kind else { return Err(NotFollowed) };
        match self.nodes.of_value(self.program, target) {
            Some(id) if op.is_none() => {
                self.lvalue(target)?;
                self.change(value, |walk, e| walk.pointer(e, id))?;
                (*at, e.ty) = (Integer::Node, Integer::Node);
                Ok(())
            }
            Some(_) => Err(NotFollowed),
            None => {
                self.lvalue(target)?;
                self.plain(value)
            }
        }
    }

    /// A value that is a truth value here.
    pub fn truth(&mut self, e: &mut Expr) -> Rewritten<()> {
        match self.of_value(e) {
            Some(id) => self.change(e, |walk, e| walk.pointer(e, id)),
            None => self.plain(e),
        }
    }

    fn call(&mut self, e: &mut Expr) -> Rewritten<()> {
        let ExprKind::Call(name, arguments) = &mut e.kind else { return Err(NotFollowed) };
        let parameters: Vec<DeclId> = match self.program.function(&name.text) {
            Some((_, function)) => function.parameters.iter().map(|parameter| parameter.decl).collect(),
            // Any other function without a body may write to nodes that it can reach.
            None if !writes_nothing(&name.text, arguments.len()) => return Err(NotFollowed),
            None => Vec::new(),
        };
        for (at, argument) in arguments.iter_mut().enumerate() {
            match parameters.get(at).and_then(|decl| self.nodes.pointed(&self.program.decl(*decl).shape)) {
                Some(id) => self.change(argument, |walk, e| walk.pointer(e, id))?,
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
                let Some((id, argument)) = freed else { return self.plain(e) };
                self.used.frees = true;
                let (span, pointer) = (e.span, self.pointer(take(argument), id)?);
                *e = self.arrays[&id].free(pointer, span);
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
            ExprKind::AddressOf(inner) => self.lvalue(inner),
            ExprKind::Assign { .. } => self.assignment(e),
            ExprKind::Binary(op, a, b) => match self.nodes.of_value(self.program, a).or_else(|| self.nodes.of_value(self.program, b)) {
                Some(id) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                    self.change(a, |walk, e| walk.pointer(e, id))?;
                    self.change(b, |walk, e| walk.pointer(e, id))
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
            ExprKind::SizeofExpr(inner) if self.mentions(inner) => Err(NotFollowed),
            ExprKind::CallAt(..) | ExprKind::Sugar(_) => Err(NotFollowed),
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::Error => Ok(()),
        }
    }
}

/// Whether a function without a body writes to nothing that the program can read.
fn writes_nothing(name: &str, arguments: usize) -> bool {
    intrinsic::is_own(name)
        || intrinsic::find(name)
            .is_some_and(|intrinsic| !matches!(intrinsic, intrinsic::Intrinsic::SetObject | intrinsic::Intrinsic::CopyObject))
        || intrinsic::only_draws(name, arguments)
}
