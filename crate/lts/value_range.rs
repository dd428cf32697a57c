//! Where the value of an expression lies by the types of what it reads, and by the first contents of arrays that nothing has changed yet.

use super::{ArrayId, BinaryOp, CompareOp, Expr, Label, LocationId, Lts, VariableId};
use crate::logic::{Int, IntRange};

/// What is known of an array with known first contents.
struct FirstContents {
    /// Its elements lie here.
    range: IntRange,
    /// For each location whether a change of the array may come before it.
    is_changed: Vec<bool>,
}

/// What is known of values: the range of a variable, and that of the elements of an array at indices of a range, where it is known.
pub struct HeldValues<'h> {
    pub variable: &'h dyn Fn(VariableId) -> Option<IntRange>,
    pub element: &'h dyn Fn(ArrayId, IntRange) -> Option<IntRange>,
}

/// The ranges of expressions of a function.
pub struct ValueRanges<'l> {
    lts: &'l Lts,
    /// For each array.
    first: Vec<Option<FirstContents>>,
}

impl<'l> ValueRanges<'l> {
    pub fn new(lts: &'l Lts) -> ValueRanges<'l> {
        let first = (0..lts.arrays.len()).map(|array| first_contents(lts, array)).collect();
        ValueRanges { lts, first }
    }

    /// A range that has every value of the expression, in each execution that evaluates it at the location, to its end; `None` is any
    /// integer.
    pub fn of(&self, at: LocationId, e: &Expr) -> Option<IntRange> {
        self.with(at, e, &HeldValues { variable: &|id| self.of_type(id), element: &|_, _| None })
    }

    /// The values that a variable can have by its type.
    pub fn of_type(&self, id: VariableId) -> Option<IntRange> {
        let variable = self.lts.variable(id);
        either(variable.range?, variable.start_range()?)
    }

    /// The values that the elements of an array can have at a location by their type, or by the first contents.
    pub fn of_elements(&self, at: LocationId, id: ArrayId) -> Option<IntRange> {
        match &self.first[id.0 as usize] {
            Some(first) if !first.is_changed[at.index()] => Some(first.range),
            _ => either(self.lts.array(id).range?, self.lts.array(id).start_range()?),
        }
    }

    /// As [`ValueRanges::of`], where values lie in these ranges.
    pub fn with(&self, at: LocationId, e: &Expr, held: &HeldValues) -> Option<IntRange> {
        let of = |e: &Expr| self.with(at, e, held);
        match e {
            Expr::Int(value) => value.to_i64().map(|value| point(i128::from(value))),
            Expr::Var(id) => (held.variable)(*id),
            Expr::Read(id, index) => match of(index).and_then(|index| (held.element)(*id, index)) {
                Some(range) => Some(range),
                None => self.of_elements(at, *id),
            },
            Expr::Nondet(range, _) => *range,
            Expr::Compare(op, left, right) => Some(match of(left).zip(of(right)).and_then(|(left, right)| truth(*op, left, right)) {
                Some(holds) => point(i128::from(holds)),
                None => IntRange { least: 0, greatest: 1 },
            }),
            Expr::Not(_) => Some(IntRange { least: 0, greatest: 1 }),
            Expr::Neg(inner) => of(inner).and_then(|IntRange { least, greatest }| hull([least.checked_neg(), greatest.checked_neg()])),
            Expr::Convert(range, inner) => Some(of(inner).filter(|inner| range.covers(inner)).unwrap_or(*range)),
            Expr::Checked(range, inner) | Expr::Within(_, range, inner) => Some(of(inner).map_or(*range, |inner| common(range, &inner))),
            Expr::Guarded(_, _, value) => of(value),
            Expr::Binary(op, left, right) => binary(*op, of(left)?, of(right)?),
        }
    }

    /// Whether every value of the expression lies in the range.
    pub fn is_within(&self, at: LocationId, e: &Expr, range: &IntRange) -> bool {
        self.of(at, e).is_some_and(|own| range.covers(&own))
    }

    /// Whether no value of the expression is zero.
    pub fn is_never_zero(&self, at: LocationId, e: &Expr) -> bool {
        self.of(at, e).is_some_and(|own| !own.contains(&Int::ZERO))
    }
}

/// Of an array that no caller has.
fn first_contents(lts: &Lts, number: usize) -> Option<FirstContents> {
    let array = lts.arrays.get(number).filter(|array| array.owners.is_empty())?;
    let initial = array.initial.as_ref()?;
    // The rest is zero.
    let is_whole = array.length == Some(Int::from(initial.len() as i64));
    let values = initial.iter().map(|value| value.to_i64().map(i128::from)).chain((!is_whole).then_some(Some(0)));
    let range = hull(values.collect::<Vec<_>>())?;
    let mut is_changed = vec![false; lts.graph.node_count()];
    let changes = |label: &Label| matches!(label, Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) if array.0 as usize == number);
    let edges = lts.graph.edge_indices().filter(|&edge| changes(&lts.graph[edge].label));
    let mut waiting: Vec<LocationId> = edges.map(|edge| lts.edge(edge).2).collect();
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut is_changed[location.index()], true) {
            waiting.extend(lts.graph.neighbors(location));
        }
    }
    Some(FirstContents { range, is_changed })
}

/// Whether a comparison holds for all values of the ranges, or for none.
pub fn truth(op: CompareOp, left: IntRange, right: IntRange) -> Option<bool> {
    let is_below = left.greatest < right.least;
    let is_above = right.greatest < left.least;
    let (is_at_most, is_at_least) = (left.greatest <= right.least, right.greatest <= left.least);
    let is_one = is_at_most && is_at_least;
    let (holds, fails) = match op {
        CompareOp::Lt => (is_below, is_at_least),
        CompareOp::Le => (is_at_most, is_above),
        CompareOp::Gt => (is_above, is_at_most),
        CompareOp::Ge => (is_at_least, is_below),
        CompareOp::Eq => (is_one, is_below || is_above),
        CompareOp::Ne => (is_below || is_above, is_one),
    };
    (holds || fails).then_some(holds)
}

fn binary(op: BinaryOp, left: IntRange, right: IntRange) -> Option<IntRange> {
    let are_natural = left.least >= 0 && right.least >= 0;
    let corners = |of: &dyn Fn(i128, i128) -> Option<i128>| {
        hull(vec![
            of(left.least, right.least),
            of(left.least, right.greatest),
            of(left.greatest, right.least),
            of(left.greatest, right.greatest),
        ])
    };
    match op {
        BinaryOp::Add => corners(&i128::checked_add),
        BinaryOp::Sub => corners(&i128::checked_sub),
        BinaryOp::Mul => corners(&i128::checked_mul),
        // Its size falls with the size of a divisor, which is not zero.
        BinaryOp::Div if right.least > 0 || right.greatest < 0 => corners(&i128::checked_div),
        BinaryOp::Div => hull(vec![Some(left.least), Some(left.greatest), left.least.checked_neg(), left.greatest.checked_neg()]),
        BinaryOp::Rem => {
            let most = right.least.unsigned_abs().max(right.greatest.unsigned_abs()).saturating_sub(1);
            let most = i128::try_from(most).ok()?;
            Some(IntRange { least: left.least.clamp(-most, 0), greatest: left.greatest.clamp(0, most) })
        }
        BinaryOp::And if left.least >= 0 || right.least >= 0 => {
            let natural = [left, right].into_iter().filter(|range| range.least >= 0).map(|range| range.greatest);
            Some(IntRange { least: 0, greatest: natural.min()? })
        }
        BinaryOp::Or | BinaryOp::Xor if are_natural => {
            let bits = 128 - left.greatest.max(right.greatest).leading_zeros();
            Some(IntRange { least: 0, greatest: 1i128.checked_shl(bits).filter(|_| bits < 127)? - 1 })
        }
        BinaryOp::ShiftRight(_) if right.least >= 0 => Some(IntRange { least: left.least.min(0), greatest: left.greatest.max(0) }),
        BinaryOp::ShiftLeft(_) if are_natural && right.greatest < 64 => {
            Some(IntRange { least: 0, greatest: left.greatest.checked_mul(1 << right.greatest)? })
        }
        _ => None,
    }
}

fn point(value: i128) -> IntRange {
    IntRange { least: value, greatest: value }
}

/// The least range that has both.
pub fn either(one: IntRange, other: IntRange) -> Option<IntRange> {
    Some(IntRange { least: one.least.min(other.least), greatest: one.greatest.max(other.greatest) })
}

fn hull(ends: impl AsRef<[Option<i128>]>) -> Option<IntRange> {
    let ends: Vec<i128> = ends.as_ref().iter().copied().collect::<Option<_>>()?;
    Some(IntRange { least: *ends.iter().min()?, greatest: *ends.iter().max()? })
}

/// What two ranges have in common; the first where that is nothing.
fn common(one: &IntRange, other: &IntRange) -> IntRange {
    let both = IntRange { least: one.least.max(other.least), greatest: one.greatest.min(other.greatest) };
    if both.least <= both.greatest { both } else { *one }
}
