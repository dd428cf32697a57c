//! The sizes of types, and where the members of structures lie, as gcc has them.

use super::ast::{Layout, Length, Shape, Struct, StructId, UnionMembers};
use super::types::{Abi, DataModel};

/// What sizes depend on.
pub struct Sizes<'a> {
    pub structs: &'a [Struct],
    pub abi: Abi,
}

impl Sizes<'_> {
    /// How many bytes a value takes, and the alignment; `None` where that is not known.
    pub fn size(&self, shape: &Shape) -> Option<(i64, i64)> {
        match shape {
            Shape::Void => Some((1, 1)),
            Shape::Scalar(_) | Shape::Pointer(_) => {
                let (abi, ty) = (self.abi, shape.integer(self.abi)?);
                Some((ty.size(abi), ty.alignment(abi)))
            }
            Shape::Array { element, length: Length::Fixed(length) } => {
                let (size, alignment) = self.size(element)?;
                Some((size.checked_mul(length.to_i64()?)?, alignment))
            }
            Shape::Struct(id) => self.layout(*id, usize::MAX),
            Shape::Array { .. } | Shape::Opaque | Shape::Function(_) => None,
        }
    }

    /// Where a member lies and its alignment, or, of none, the whole structure's size and alignment.
    pub fn layout(&self, id: StructId, of_member: usize) -> Option<(i64, i64)> {
        self.bit_layout(id, of_member).map(|(bits, alignment)| (bits / 8, alignment))
    }

    /// As [`Sizes::layout`], with the first bit in place of the first byte.
    pub fn bit_layout(&self, id: StructId, of_member: usize) -> Option<(i64, i64)> {
        // `None` of a structure that is only declared.
        let structure = &self.structs[id.0 as usize];
        let members = structure.members.as_ref()?;
        let packed = match structure.layout {
            Layout::Natural => false,
            Layout::Packed => true,
            Layout::Unknown => return None,
        };
        if let Some(union) = &structure.union {
            return self
                .union_layout(union, packed)
                .map(|(size, alignment)| if of_member == usize::MAX { (size * 8, alignment) } else { (0, alignment) });
        }
        // What Microsoft's compilers make of bits is another layout.
        let has_bits = !structure.gaps.is_empty() || members.iter().any(|member| member.bits.is_some());
        if has_bits && self.abi.model == DataModel::Llp64 {
            return None;
        }
        // Bits so far. Those of one member lie within one integer of its type, as gcc has it.
        let (mut end, mut alignment) = (0i64, 1);
        let within = |end: i64, (width, unit): (i64, i64)| {
            let at = if width == 0 || end / unit != (end + width - 1) / unit { rounded(end, unit)? } else { end };
            at.checked_add(width)
        };
        let mut gaps = structure.gaps.iter().peekable();
        for number in 0..=members.len() {
            while let Some(gap) = gaps.next_if(|gap| gap.before == number) {
                end = within(end, gap.bits.filter(|(_, unit)| !packed && *unit <= 8 * self.abi.greatest_alignment())?)?;
            }
            let Some(member) = members.get(number) else { break };
            if let Some(bits) = member.bits.as_ref() {
                if packed {
                    return None;
                }
                let width = i64::from((bits.values.greatest - bits.values.least + 1).ilog2());
                end = within(end, (width, bits.bytes * 8))?;
                if number == of_member {
                    return Some((end - width, bits.bytes));
                }
                alignment = alignment.max(bits.bytes);
                continue;
            }
            let (own, aligned) = match &member.shape {
                // The array at the end takes no room (6.7.2.1p18).
                Shape::Array { element, length: Length::Unknown } if number + 1 == members.len() => (0, self.size(element)?.1),
                shape => self.size(shape)?,
            };
            let aligned = if packed { 1 } else { aligned };
            end = rounded(end, aligned.checked_mul(8)?)?;
            if number == of_member {
                return Some((end, aligned));
            }
            end = end.checked_add(own.checked_mul(8)?)?;
            alignment = alignment.max(aligned);
        }
        Some((rounded(end, alignment * 8)?, alignment))
    }

    /// How many bytes a union takes, and its alignment; where a member lies is 0.
    fn union_layout(&self, union: &UnionMembers, is_packed: bool) -> Option<(i64, i64)> {
        let (mut size, mut alignment) = (0i64, 1);
        for member in &union.declared {
            let (own, aligned) = self.size(&member.shape)?;
            (size, alignment) = (size.max(own), alignment.max(if is_packed { 1 } else { aligned }));
        }
        Some((size.checked_add(alignment - 1)? / alignment * alignment, alignment))
    }
}

/// The next multiple of an alignment.
fn rounded(size: i64, alignment: i64) -> Option<i64> {
    Some(size.checked_add(alignment - 1)? / alignment * alignment)
}
