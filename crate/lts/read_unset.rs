//! Whether a variable may be read before anything has set it: a walk over the ways from the entry on which it is not set, with the ranges
//! of variables that constants, copies and reads of standard input give.
//!
//! The ranges tell a test of what `scanf` gives, or of a flag, from the other ways. Where there are too many of them, it may be read.

use super::{BinaryOp, CompareOp, Edge, Expr, InputSource, Label, LocationId, Lts, ModelObject, Read, VariableId};
use crate::logic::{IntRange, SortedSet};

/// So many pairs of a location and ranges are looked at.
const STATES: usize = 4_000;

/// The ranges of variables, by their numbers; a variable without one may have any value.
type HeldRanges = Vec<(VariableId, i128, i128)>;

/// Whether some way reads the variable before an edge sets it; `sets` says which edges do.
pub fn may_be_read_unset(lts: &Lts, id: VariableId, sets: &dyn Fn(&Edge) -> bool) -> bool {
    if lts.at_entry.operands().any(|e| e.reads(id)) {
        return true;
    }
    let first: (LocationId, HeldRanges) = (lts.entry, first_ranges(lts));
    let mut seen: SortedSet<(LocationId, HeldRanges)> = [first.clone()].into_iter().collect();
    let mut waiting = vec![first];
    while let Some((at, ranges)) = waiting.pop() {
        for (edge, to) in lts.outgoing(at) {
            let weight = &lts.graph[edge];
            let Some(after) = after(&ranges, &weight.label) else { continue };
            if lts.operands(edge).any(|e| e.reads(id)) {
                return true;
            }
            if sets(weight) {
                continue;
            }
            let next = (to, after);
            if seen.insert(next.clone()) {
                if seen.len() > STATES {
                    return true;
                }
                waiting.push(next);
            }
        }
    }
    false
}

/// The values that variables begin with.
fn first_ranges(lts: &Lts) -> HeldRanges {
    let of = |(variable, number): (&super::Variable, u32)| {
        let value = variable.initial.as_ref()?.to_i128()?;
        Some((VariableId(number), value, value))
    };
    lts.variables.iter().zip(0..).filter_map(of).collect()
}

/// The ranges after an edge; `None` where the edge is not taken with them.
fn after(ranges: &HeldRanges, label: &Label) -> Option<HeldRanges> {
    match label {
        Label::Assume { condition, holds } => refined(ranges, condition, *holds),
        Label::Assign(id, value) => Some(with(ranges, *id, range_of(ranges, value))),
        other => match other.assigned() {
            Some(ModelObject::Variable(id)) => Some(with(ranges, id, None)),
            _ => Some(ranges.clone()),
        },
    }
}

fn with(ranges: &HeldRanges, id: VariableId, range: Option<(i128, i128)>) -> HeldRanges {
    let mut next: HeldRanges = ranges.iter().filter(|(other, ..)| *other != id).copied().collect();
    if let Some((least, greatest)) = range {
        let at = next.partition_point(|(other, ..)| other.0 < id.0);
        next.insert(at, (id, least, greatest));
    }
    next
}

fn range_of(ranges: &HeldRanges, value: &Expr) -> Option<(i128, i128)> {
    match value {
        Expr::Int(value) => value.to_i128().map(|value| (value, value)),
        Expr::Var(id) => ranges.iter().find(|(other, ..)| other == id).map(|&(_, least, greatest)| (least, greatest)),
        Expr::Nondet(Some(IntRange { least, greatest }), InputSource::Stdin(Read::Status(_))) => Some((*least, *greatest)),
        _ => None,
    }
}

/// The ranges where a condition holds, or does not.
fn refined(ranges: &HeldRanges, condition: &Expr, holds: bool) -> Option<HeldRanges> {
    let (op, id, value) = match condition {
        Expr::Not(inner) => return refined(ranges, inner, !holds),
        Expr::Binary(BinaryOp::And, left, right) if holds && is_truth(left) && is_truth(right) => {
            return refined(&refined(ranges, left, true)?, right, true);
        }
        Expr::Var(id) => (CompareOp::Ne, *id, 0),
        Expr::Compare(op, left, right) => match (&**left, &**right) {
            (Expr::Var(id), Expr::Int(value)) => (*op, *id, value.to_i128()?),
            (Expr::Int(value), Expr::Var(id)) => (op.turned(), *id, value.to_i128()?),
            _ => return Some(ranges.clone()),
        },
        _ => return Some(ranges.clone()),
    };
    let Some(&(_, least, greatest)) = ranges.iter().find(|(other, ..)| *other == id) else { return Some(ranges.clone()) };
    let (from, to) = match if holds { op } else { op.negated() } {
        CompareOp::Eq => (value, value),
        CompareOp::Ne => (if least == value { value + 1 } else { least }, if greatest == value { value - 1 } else { greatest }),
        CompareOp::Lt => (least, value - 1),
        CompareOp::Le => (least, value),
        CompareOp::Gt => (value + 1, greatest),
        CompareOp::Ge => (value, greatest),
    };
    let (least, greatest) = (least.max(from), greatest.min(to));
    (least <= greatest).then(|| with(ranges, id, Some((least, greatest))))
}

/// Whether a value is 0 or 1.
fn is_truth(e: &Expr) -> bool {
    matches!(e, Expr::Compare(..) | Expr::Not(_))
}
