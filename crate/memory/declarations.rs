//! Declarations of objects that are nodes, or the pointers of nodes: their numbers, and what gives them their first values.

use super::follow::{Walk, name_of};
use super::objects::{NumberedObject, ObjectNumber};
use super::structures::{NotFollowed, Pointee, Rewritten, shape_at};
use super::tree::{assign, element_number, number as number_at, statement, typed};
use crate::lang::ast::{Declarator, Expr, ExprKind, Function, Init, Item, Linkage, Name, Stmt, Type, object_address};
use crate::lang::types::Integer;

impl Walk<'_> {
    /// A variable that is a node, or the pointer of one: its number, and what sets its members.
    pub fn variable(&mut self, declarator: &mut Declarator, object: &NumberedObject, after: &mut Vec<Stmt>) -> Rewritten<()> {
        let node = name_of(declarator);
        self.used.leaves_unset = true;
        declarator.ty = Type::Integer(Integer::Node);
        let mut next = self.arrays_of(object.to).next(declarator.span);
        if object.length.is_none() {
            next = self.of_pointee(object.to, next)?;
        }
        let init = declarator.init.replace(Init::Expr(next));
        if let Some(length) = object.length {
            after.push(statement(self.arrays_of(object.to).take(node.clone(), length)));
        }
        let shape = &self.program.decl(declarator.decl).shape;
        let mut listed = Vec::new();
        let is_zero = match init {
            None => false,
            Some(Init::Expr(e)) if object.length.is_none() => {
                after.push(match object.to {
                    Pointee::Node(_) if self.is_split(&e) => return Err(NotFollowed),
                    Pointee::Node(_) => {
                        let mut e = e;
                        self.plain(&mut e)?;
                        statement(assign(self.object_lvalue(object.to, node), e, Integer::Node))
                    }
                    Pointee::Cell(id) => {
                        let value = self.pointer(e, Pointee::Node(id))?;
                        statement(assign(self.object_lvalue(object.to, node), value, Integer::Node))
                    }
                });
                return Ok(());
            }
            Some(Init::Expr(_)) => return Err(NotFollowed),
            Some(Init::List(items, _)) => {
                flat(items, &mut listed)?;
                true
            }
        };
        let mut values = Vec::new();
        for Listed { way, index, value } in listed {
            let part = shape_at(self.program, shape, &way).ok_or(NotFollowed)?;
            let (value, ty) = match self.nodes.pointed(part) {
                Some(to) => (self.pointer(value, to)?, Integer::Node),
                None => {
                    let mut value = value;
                    self.plain(&mut value)?;
                    (value, part.integer(self.program.abi).ok_or(NotFollowed)?)
                }
            };
            values.push((index, way, value, ty));
        }
        self.elements(object, &node, is_zero, values, after)
    }

    /// Statements that give an object its first values: zeros, or that pointers were never set, and these at their elements and members.
    fn elements(
        &mut self,
        object: &NumberedObject,
        first: &Expr,
        is_zero: bool,
        values: Vec<(i64, Vec<usize>, Expr, Integer)>,
        after: &mut Vec<Stmt>,
    ) -> Rewritten<()> {
        let length = object.length.unwrap_or(1);
        let is_held = matches!(object.number, ObjectNumber::Held(_));
        let arrays = self.arrays_of(object.to);
        let scalars = if matches!(object.to, Pointee::Node(_)) { arrays.scalars().count() } else { 1 };
        let has_other_arrays = arrays.has_node_array || is_zero && arrays.has_array;
        if matches!(object.to, Pointee::Node(_)) && has_other_arrays || scalars as i64 * length > MOST_FIRST_VALUES {
            return Err(NotFollowed);
        }
        let number = |at: i64| match (object.length, &first.kind) {
            (Some(_), ExprKind::Int(base)) => number_at(base.to_i64().unwrap_or(0) + at, first.span),
            (Some(length), _) => element_number(first.clone(), typed(ExprKind::Int(at.into()), Integer::Int, first.span), length),
            (None, _) => first.clone(),
        };
        for at in 0..length {
            let node = number(at);
            match object.to {
                Pointee::Node(_) => {
                    let ways: Vec<Vec<usize>> = values.iter().filter(|(index, ..)| *index == at).map(|(_, way, ..)| way.clone()).collect();
                    after.extend(arrays.first_values(&node, is_zero, &ways));
                }
                Pointee::Cell(_) if values.iter().any(|(index, ..)| *index == at) => {}
                Pointee::Cell(_) => {
                    let value = number_at(if is_zero { 0 } else { -1 }, node.span);
                    let cell = if object.length.is_none() && is_held { node } else { self.of_pointee(object.to, node)? };
                    after.push(statement(assign(self.object_lvalue(object.to, cell), value, Integer::Node)));
                }
            }
        }
        for (at, way, value, ty) in values {
            let node = number(at);
            let target = match object.to {
                Pointee::Node(id) => self.arrays_of(object.to).scalar(&node, &self.names(id, &way).ok_or(NotFollowed)?, ty),
                Pointee::Cell(_) if object.length.is_none() && is_held => self.object_lvalue(object.to, node),
                Pointee::Cell(_) => self.object_lvalue(object.to, self.of_pointee(object.to, node)?),
            };
            after.push(statement(assign(target, value, ty)));
        }
        Ok(())
    }

    /// What sets the pointers among the parameters that have numbers.
    pub fn passed(&mut self, function: &Function) -> Rewritten<Vec<Stmt>> {
        let mut made = Vec::new();
        for parameter in &function.parameters {
            let Some(object) = self.objects.get(&parameter.decl).cloned() else { continue };
            let ObjectNumber::Held(name) = &object.number else { return Err(NotFollowed) };
            let number = typed(ExprKind::Name(name.clone()), Integer::Node, parameter.name.span);
            let next = self.of_pointee(object.to, self.arrays_of(object.to).next(parameter.name.span))?;
            made.push(statement(assign(number.clone(), next, Integer::Node)));
            let given = Name { decl: Some(parameter.decl), ..parameter.name.clone() };
            let value = typed(ExprKind::Name(given), Integer::Node, parameter.name.span);
            made.push(statement(assign(self.object_lvalue(object.to, number), value, Integer::Node)));
        }
        Ok(made)
    }

    /// What gives objects that last their first values, at the start of `main`.
    pub fn first_values(&mut self) -> Rewritten<Vec<Stmt>> {
        let mut made = Vec::new();
        for (id, object) in self.objects.clone() {
            let decl = self.program.decl(id);
            let ObjectNumber::Fixed(first) = object.number else { continue };
            if decl.linkage == Linkage::Elsewhere {
                continue;
            }
            let mut values = Vec::new();
            for initial in decl.initial.iter().flatten() {
                let shape = shape_at(self.program, &decl.shape, &initial.path).ok_or(NotFollowed)?;
                let index = match (&initial.indices[..], object.length) {
                    ([], None) => 0,
                    (&[index], Some(_)) => i64::try_from(index).unwrap_or(i64::MAX),
                    _ => return Err(NotFollowed),
                };
                let value = initial.value.typed.clone();
                let ty = match self.nodes.pointed(shape) {
                    Some(_) if value.is_zero() => Integer::Node,
                    Some(to) => {
                        let led_to = self.objects.iter().find(|(id, led_to)| led_to.to == to && object_address(**id) == value);
                        let Some((_, NumberedObject { number: ObjectNumber::Fixed(number), .. })) = led_to else { return Err(NotFollowed) };
                        let address = number_at(*number, decl.span);
                        let address = match to {
                            Pointee::Node(_) => address,
                            Pointee::Cell(_) => self.arrays_of(to).cell_number(address, None).ok_or(NotFollowed)?,
                        };
                        values.push((index, initial.path.clone(), address, Integer::Node));
                        continue;
                    }
                    None if initial.value.typed == initial.value.unbounded => shape.integer(self.program.abi).ok_or(NotFollowed)?,
                    None => return Err(NotFollowed),
                };
                values.push((index, initial.path.clone(), typed(ExprKind::Int(value), ty, decl.span), ty));
            }
            let first = number_at(first, decl.span);
            self.elements(&object, &first, true, values, &mut made)?;
        }
        Ok(made)
    }
}

/// The most scalars of an object to which statements give first values.
const MOST_FIRST_VALUES: i64 = 128;

/// A value of an initialiser's list, with the members on the way to it, and the index of the element in an array.
struct Listed {
    way: Vec<usize>,
    index: i64,
    value: Expr,
}

fn flat(items: Vec<Item>, found: &mut Vec<Listed>) -> Rewritten<()> {
    for item in items {
        match (item.value, item.part_path) {
            (Init::Expr(value), Some((way, indices))) => {
                let index = match &indices[..] {
                    [] => 0,
                    [index] => i64::try_from(*index).unwrap_or(i64::MAX),
                    _ => return Err(NotFollowed),
                };
                found.push(Listed { way, index, value });
            }
            (Init::Expr(_), None) => return Err(NotFollowed),
            (Init::List(inner, _), _) => flat(inner, found)?,
        }
    }
    Ok(())
}
