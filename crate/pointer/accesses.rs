//! Reads and writes of objects: values, lvalues, and the constraints between them.

use super::build::{ANY_ADDRESS, Address, FactBuilder, MemoryAccess};
use super::cells::{AccessShape, Fit, OUTSIDE};
use super::constraints::PointerConstraint;
use crate::lang::ast::{Shape, StructId};

/// An lvalue; its shape, where that is known.
#[derive(Clone, Copy)]
pub struct Lvalue<'a> {
    pub address: Address,
    pub shape: Option<&'a Shape>,
}

/// What an expression gives.
#[derive(Clone, Copy)]
pub struct PointerValue<'a> {
    /// What holds the addresses: of a pointer those that it may be, of a structure its own.
    pub node: Option<u32>,
    pub kind: PointerValueKind<'a>,
}

#[derive(Clone, Copy)]
pub enum PointerValueKind<'a> {
    /// A null pointer, or the number 0.
    Null,
    /// A number; as a pointer it is any address that has escaped.
    Number,
    /// A pointer to this, where that is known.
    Pointer(Option<&'a Shape>),
    Structure,
}

impl<'a> Lvalue<'a> {
    /// What it points to, of a pointer.
    pub fn pointee(&self) -> Option<&'a Shape> {
        if let Some(Shape::Pointer(inner)) = self.shape { Some(inner) } else { None }
    }

    /// The lvalue of an element, of an array of arrays an innermost one.
    pub fn element(mut self) -> Lvalue<'a> {
        while let Some(Shape::Array { element, .. }) = self.shape {
            self.shape = Some(element);
        }
        self
    }
}

impl<'a> PointerValue<'a> {
    pub const NUMBER: PointerValue<'static> = PointerValue { node: None, kind: PointerValueKind::Number };

    pub fn pointer(node: u32, to: Option<&'a Shape>) -> PointerValue<'a> {
        PointerValue { node: Some(node), kind: PointerValueKind::Pointer(to) }
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self.kind, PointerValueKind::Pointer(_))
    }
}

impl<'a> FactBuilder<'a> {
    fn access(&self, lvalue: Lvalue<'a>) -> MemoryAccess {
        MemoryAccess { address: lvalue.address, shape: AccessShape::of(self.program, lvalue.shape) }
    }

    /// The node that holds the address of an lvalue.
    pub(super) fn address(&mut self, lvalue: Lvalue<'a>) -> u32 {
        match lvalue.address {
            Address::In(node) => node,
            Address::Of(cell) => {
                let node = self.graph.node();
                self.graph.add(node, cell);
                node
            }
        }
    }

    /// The lvalue of a member, by its number.
    pub(super) fn member(&mut self, structure: Lvalue<'a>, member: usize) -> Lvalue<'a> {
        let structure = structure.element();
        let id = if let Some(Shape::Struct(id)) = structure.shape { Some(*id) } else { None };
        let members = id.and_then(|id| self.program.structure(id).members.as_ref());
        let shape = members.and_then(|members| Some(&members.get(member)?.shape));
        let address = match structure.address {
            Address::Of(cell) if shape.is_some() => Address::Of(self.graph.table.member(cell, member)),
            _ => {
                let (from, to) = (self.address(structure), self.graph.node());
                self.graph.attach(from, PointerConstraint::Member(to, id.filter(|_| shape.is_some()), member));
                Address::In(to)
            }
        };
        Lvalue { address, shape }
    }

    /// The value of an lvalue. Of an array it is the address of the first element.
    pub(super) fn read(&mut self, lvalue: Lvalue<'a>) -> PointerValue<'a> {
        match lvalue.shape {
            Some(Shape::Array { element, .. }) => return PointerValue::pointer(self.address(lvalue), Some(element)),
            Some(Shape::Function(_)) => return PointerValue::pointer(self.address(lvalue), lvalue.shape),
            Some(Shape::Struct(_)) => return PointerValue { node: Some(self.address(lvalue)), kind: PointerValueKind::Structure },
            _ => {}
        }
        self.note_read(lvalue);
        let MemoryAccess { address, shape } = self.access(lvalue);
        let to = match address {
            Address::Of(cell) if self.graph.table.fit(cell, shape) == Fit::Exact => shape.holds_addresses().then_some(cell),
            _ => {
                let to = shape.holds_addresses().then(|| self.graph.node());
                let from = self.address(lvalue);
                self.graph.attach(from, PointerConstraint::Load(to, shape));
                to
            }
        };
        to.map_or(PointerValue::NUMBER, |to| PointerValue::pointer(to, lvalue.pointee()))
    }

    /// Puts a value into an lvalue. Whether that is a write of the function is for the caller to note.
    pub(super) fn put(&mut self, lvalue: Lvalue<'a>, value: PointerValue<'a>) {
        let MemoryAccess { address, shape } = self.access(lvalue);
        match (shape, value.kind, value.node) {
            (AccessShape::Struct(id), PointerValueKind::Structure, Some(from)) => {
                return self.copy(lvalue, Lvalue { address: Address::In(from), shape: lvalue.shape }, id);
            }
            // The objects are seen as others.
            (AccessShape::Struct(_), ..) => {
                let to = self.address(lvalue);
                return self.graph.attach(to, PointerConstraint::Store(value.node, AccessShape::Bytes));
            }
            (_, PointerValueKind::Structure, Some(from)) => {
                let to = self.address(lvalue);
                return self.copy_bytes(to, from);
            }
            _ => {}
        }
        let from = match value.kind {
            PointerValueKind::Number => shape.holds_addresses().then_some(ANY_ADDRESS),
            _ if !shape.holds_addresses() => {
                self.publish(value);
                None
            }
            _ => value.node,
        };
        match (address, from) {
            (Address::Of(cell), None) if self.graph.table.fit(cell, shape) == Fit::Exact => {}
            (Address::Of(cell), Some(from)) if self.graph.table.fit(cell, shape) == Fit::Exact => self.graph.edge(from, cell),
            _ => {
                let to = self.address(lvalue);
                self.graph.attach(to, PointerConstraint::Store(from, shape));
            }
        }
    }

    /// Copies a structure.
    fn copy(&mut self, to: Lvalue<'a>, from: Lvalue<'a>, id: StructId) {
        if self.graph.is_cut() {
            return;
        }
        // Where the objects are none of this structure their bytes are copied.
        let shape = AccessShape::Struct(id);
        let (to_node, from_node) = (self.address(to), self.address(from));
        self.graph.attach(from_node, PointerConstraint::Load(None, shape));
        self.graph.attach(to_node, PointerConstraint::Store(None, shape));
        self.note_read(from);
        for member in 0..self.program.structure(id).members.as_ref().map_or(0, Vec::len) {
            let (to, from) = (self.member(to, member).element(), self.member(from, member).element());
            if !matches!(AccessShape::of(self.program, to.shape), AccessShape::Scalar(_)) {
                let value = self.read(from);
                self.put(to, value);
            }
        }
    }

    /// Copies objects of unknown shape by the addresses of their first bytes.
    pub(super) fn copy_bytes(&mut self, to: u32, from: u32) {
        let bytes = self.graph.node();
        self.graph.attach(from, PointerConstraint::Load(Some(bytes), AccessShape::Bytes));
        self.graph.attach(to, PointerConstraint::Store(Some(bytes), AccessShape::Bytes));
    }

    /// Lets other parts of the program know a value.
    pub(super) fn publish(&mut self, value: PointerValue<'a>) {
        match (value.kind, value.node) {
            (PointerValueKind::Structure, Some(node)) => {
                self.graph.attach(node, PointerConstraint::Load(Some(OUTSIDE), AccessShape::Bytes))
            }
            (_, Some(node)) => self.graph.edge(node, OUTSIDE),
            (_, None) => {}
        }
    }

    pub(super) fn note_read(&mut self, lvalue: Lvalue<'a>) {
        let access = self.access(lvalue);
        self.instances[self.at].reads.push(access);
    }

    pub(super) fn note_write(&mut self, lvalue: Lvalue<'a>) {
        let access = self.access(lvalue);
        self.instances[self.at].writes.push(access);
    }
}
