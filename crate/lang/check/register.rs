//! Objects at addresses that are numbers, as the registers of a microcontroller: `*(volatile unsigned *)0x40020000`. Each is a global that other
//! parts of the program define; what is volatile is an input at each read, as ever.

use super::super::ast::sugar::PLACED;
use super::super::ast::{Decl, DeclId, Expr, ExprKind, Linkage, Name, Qualifiers, Shape, Storage, Type};
use super::{Checker, PlacedObject, constant};
use crate::source::Diagnostic;

/// The least address of an object: what is below is a mark that programs compare with.
const LEAST_ADDRESS: i64 = 1 << 12;

impl Checker<'_> {
    /// Makes of a number that is converted to a pointer the address of an object, where it can be one.
    pub(super) fn object_at(&mut self, e: &mut Expr, mut ty: Type, qualifiers: Qualifiers, mut number: Expr) -> Shape {
        let span = e.span;
        let shape = self.shape(&mut ty, false);
        self.value(&mut number.clone());
        let address = {
            let mut number = number.clone();
            self.value(&mut number);
            constant::evaluate(&number, self.abi()).and_then(|value| value.typed.to_i64())
        };
        let size = if let Shape::Pointer(inner) = &shape { self.size(inner).filter(|_| **inner != Shape::Void) } else { None };
        let (Some(address), Some((size, _)), Shape::Pointer(object)) = (address.filter(|at| *at >= LEAST_ADDRESS), size, &shape) else {
            e.kind = ExprKind::Cast(ty, Box::new(std::mem::replace(&mut number, Expr::new(ExprKind::Error, span))));
            return self.expression(e, true);
        };
        let qualifiers = qualifiers.pointee();
        let is_same = |placed: &PlacedObject| {
            let decl = &self.decls[placed.decl.0 as usize];
            placed.address == address && decl.shape == **object && decl.qualifiers == qualifiers
        };
        let decl = match self.library.placed.iter().find(|placed| is_same(placed)).map(|placed| placed.decl) {
            Some(decl) => decl,
            None => self.placed_object(e, (**object).clone(), qualifiers, PlacedObject { address, size, decl: DeclId(0) }),
        };
        let name = Name { text: self.decls[decl.0 as usize].name.clone(), span, decl: Some(decl) };
        let object = Expr::new(ExprKind::Name(name), span);
        e.kind = ExprKind::AddressOf(Box::new(object));
        (e.depth, e.ty) = (2, self.abi().address());
        shape
    }

    fn placed_object(&mut self, e: &Expr, shape: Shape, qualifiers: Qualifiers, placed: PlacedObject) -> DeclId {
        let PlacedObject { address, size, .. } = placed;
        let is_volatile = qualifiers.is_volatile() || self.has_volatile_members(&shape);
        let meets = |other: &&PlacedObject| other.address < address + size && address < other.address + other.size;
        if !is_volatile && self.library.placed.iter().any(|other| meets(&other)) {
            let message = "this is also an object of another type";
            self.report(
                Diagnostic::error("unsupported-pointer", e.span, message).help("make the objects `volatile`, or give them one type"),
            );
        } else if !is_volatile {
            let message = "an object at an address that is a number is an object of its own here, which nothing else meets";
            self.report(Diagnostic::warning("constant-address", e.span, message).help("make it `volatile` if it is a register"));
        }
        let decl = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
        let name = format!("{PLACED}{address:x}");
        let (storage, linkage) = (Storage::Global, Linkage::Elsewhere);
        self.decls.push(Decl { name, span: e.span, shape, qualifiers, storage, linkage, initial: None, assigned: true });
        self.library.placed.push(PlacedObject { decl, ..placed });
        decl
    }

    fn has_volatile_members(&self, shape: &Shape) -> bool {
        let Shape::Struct(id) = shape else { return false };
        let members = self.structs[id.0 as usize].members.as_ref();
        members.is_some_and(|members| !members.is_empty() && members.iter().all(|member| member.qualifiers.is_volatile()))
    }

    /// Whether a checked expression is the address of such an object.
    pub(super) fn is_placed_address(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::AddressOf(inner) if matches!(&inner.kind, ExprKind::Name(name) if name.text.starts_with(PLACED)))
    }
}
