//! The members of structures: how they lie in memory, and those of structures without a name.

use super::{Expr, Member, Struct, StructId, Type};
use crate::logic::rank::FloatFormat;

/// What attributes say of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// Each member as its type asks for.
    #[default]
    Natural,
    /// One member right after the other.
    Packed,
    Unknown,
}

/// Bits of a structure without a name: `unsigned : 5`.
#[derive(Clone, Debug)]
pub struct BitGap {
    /// The number of the member after it.
    pub before: usize,
    pub ty: Type,
    pub width: Box<Expr>,
    /// How many bits it has and its type has; filled in by the checker.
    pub bits: Option<(i64, i64)>,
}

/// The members of a union as its text has them. Those of [`Struct::members`] are fewer: of members that are integers of one size, or arrays of
/// such, one stands for all, and members that the program never names are left out. Where more than one is left, the last of them,
/// [`LAST_MEMBER`](super::sugar::LAST_MEMBER), says which one was written last.
#[derive(Clone, Debug, Default)]
pub struct UnionMembers {
    pub declared: Vec<Member>,
    /// Of each whether the program names it, and the number of the member that stands for it.
    pub is_named: Vec<bool>,
    pub stands_for: Vec<Option<usize>>,
    /// The number of what says which was written last.
    pub last: Option<usize>,
    /// Of each member that is kept the scalars in it, where they are few; filled in by the checker.
    pub scalars: Vec<Option<Vec<UnionScalar>>>,
}

/// A scalar in a member of a union: how it is reached from the member, and its bits, counted from the least one of the union's first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnionScalar {
    pub path: Vec<usize>,
    pub indices: Vec<i64>,
    pub first: i64,
    pub width: i64,
    /// Whether the bits are those of an integer, and each value of them is one.
    pub is_integer: bool,
    /// The format of a floating-point number.
    pub format: Option<FloatFormat>,
}

/// A member by its name, and its number, in front of which stand those of the structures without a name that it is in (C11 6.7.2.1p13).
pub fn find_member<'s>(structs: &'s [Struct], id: StructId, name: &str) -> Option<(Vec<usize>, &'s Member)> {
    let mut open = vec![(Vec::new(), id)];
    while let Some((way, id)) = open.pop() {
        let structure = &structs[id.0 as usize];
        let members: Vec<(usize, &Member)> = match &structure.union {
            Some(union) if !union.stands_for.is_empty() => {
                union.stands_for.iter().zip(&union.declared).filter_map(|(at, member)| Some(((*at)?, member))).collect()
            }
            _ => structure.members.iter().flatten().enumerate().collect(),
        };
        for (at, member) in members {
            let way = || way.iter().copied().chain([at]).collect();
            match member.ty {
                _ if member.name.text == name => return Some((way(), member)),
                Type::Struct(inner) if member.name.text.is_empty() => open.push((way(), inner)),
                _ => {}
            }
        }
    }
    None
}

impl Member {
    /// Its name after a dot; nothing where it has none.
    pub fn suffix(&self) -> String {
        if self.name.text.is_empty() { String::new() } else { format!(".{}", self.name.text) }
    }
}
