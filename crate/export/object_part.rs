//! Which object of the program a variable or an array of the model is a part of.

use crate::lang::ast::{Decl, DeclId, Program, Shape, find_member};
use crate::source::Span;

/// A part of a declared object, or of what a pointer parameter points to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectPart {
    pub decl: DeclId,
    /// The members on the way, by position.
    pub path: Vec<usize>,
}

/// The part of an object that a variable or an array of the model stands for, with this name and span.
pub fn part_of(program: &Program, name: &str, span: Span) -> Option<ObjectPart> {
    let plain = crate::lts::sides::without_copies(name);
    let ids = (0..program.decls.len() as u32).map(DeclId).filter(|&id| program.decl(id).span == span);
    for id in ids {
        let decl = program.decl(id);
        // What is inlined has the function's name in front of its own.
        let mut rest = Some(&*plain);
        while let Some(text) = rest {
            let members = text.strip_prefix(decl.name.as_str()).filter(|members| members.is_empty() || members.starts_with('.'));
            if let Some(path) = members.and_then(|members| path(program, object(decl), members)) {
                return Some(ObjectPart { decl: id, path });
            }
            rest = text.split_once('.').map(|(_, rest)| rest);
        }
    }
    None
}

/// The shape of the object: of a pointer parameter that of what it points to.
pub fn object(decl: &Decl) -> &Shape {
    match &decl.shape {
        Shape::Pointer(inner) if !matches!(**inner, Shape::Function(_)) && decl.storage == crate::lang::storage::Storage::Parameter => {
            inner
        }
        shape => shape,
    }
}

/// The members of a name like `.m.n`.
fn path<'p>(program: &'p Program, mut shape: &'p Shape, members: &str) -> Option<Vec<usize>> {
    let mut path = Vec::new();
    for member in members.split('.').skip(1) {
        while let Shape::Array { element, .. } = shape {
            shape = element;
        }
        let Shape::Struct(id) = shape else { return None };
        let (way, member) = find_member(&program.structs, *id, member)?;
        path.extend(way);
        shape = &member.shape;
    }
    Some(path)
}
