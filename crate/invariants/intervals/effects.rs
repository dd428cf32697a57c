//! What edges make of ranges.

use crate::logic::{Int, IntRange};
use crate::lts::value_range::{HeldValues, ValueRanges, either, truth};
use crate::lts::{ArrayId, BinaryOp, CompareOp, EdgeId, Expr, Label, LocationId, Lts, VariableId};

/// What a range is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bounded {
    Variable(VariableId),
    Element(ArrayId, i64),
}

/// The ranges at a location that are less than those of the types, in order.
pub type LocationRanges = Vec<(Bounded, IntRange)>;

/// So many ranges are held at a location, and so many first elements of an array.
const HELD: usize = 256;
const ELEMENTS: usize = 16;
/// An index of so many values is compared with the contents.
const INDICES: i128 = 64;

/// A comparison of an element with values of a range.
struct ElementTest<'e> {
    array: ArrayId,
    index: &'e Expr,
    op: CompareOp,
    bound: IntRange,
}

/// The effects of a function's edges on ranges.
pub struct RangeEffects<'a> {
    lts: &'a Lts,
    types: ValueRanges<'a>,
}

impl<'a> RangeEffects<'a> {
    pub fn new(lts: &'a Lts) -> RangeEffects<'a> {
        RangeEffects { lts, types: ValueRanges::new(lts) }
    }

    /// The ranges at the entry.
    pub fn first(&self) -> LocationRanges {
        let lts = self.lts;
        let variables = lts.variables.iter().enumerate().filter_map(|(at, variable)| {
            let id = VariableId(at as u32);
            let range = match &variable.initial {
                Some(value) => point(i128::from(value.to_i64()?)),
                None => variable.start_range().filter(|range| Some(*range) != self.types.of_type(id))?,
            };
            Some((Bounded::Variable(id), range))
        });
        let elements = lts.arrays.iter().enumerate().flat_map(|(at, array)| {
            let length = array.length.as_ref().and_then(|length| length.to_i64()).filter(|&length| length <= ELEMENTS as i64);
            let first =
                array.initial.as_ref().zip(length).map(|(first, length)| (0..length).map(|index| (index, first.get(index as usize))));
            first.into_iter().flatten().filter_map(move |(index, value)| {
                let value = value.map_or(Some(0), Int::to_i64)?;
                Some((Bounded::Element(ArrayId(at as u32), index), point(i128::from(value))))
            })
        });
        variables.chain(elements).take(HELD).collect()
    }

    /// The ranges after an edge; `None` where no execution with these ranges takes it.
    pub fn after(&self, from: LocationId, edge: EdgeId, mut held: LocationRanges) -> Option<LocationRanges> {
        match &self.lts.graph[edge].label {
            Label::Assume { condition, holds } => self.assume(from, condition, *holds, &mut held)?,
            Label::Assign(id, value) => {
                let range = self.value(from, value, &held);
                self.set(&mut held, Bounded::Variable(*id), range);
            }
            Label::Havoc(id) => self.set(&mut held, Bounded::Variable(*id), None),
            Label::Store { array, index, value } => {
                let (index, value) = (self.value(from, index, &held), self.value(from, value, &held));
                match index.filter(|index| index.least == index.greatest).and_then(|index| i64::try_from(index.least).ok()) {
                    Some(index) => self.set(&mut held, Bounded::Element(*array, index), value),
                    None => held.retain_mut(|(bounded, range)| {
                        let Bounded::Element(own, at) = bounded else { return true };
                        let is_changed =
                            own == array && index.is_none_or(|index| (index.least..=index.greatest).contains(&i128::from(*at)));
                        let joined = if is_changed { value.and_then(|value| either(*range, value)) } else { Some(*range) };
                        *range = joined.unwrap_or(*range);
                        joined.is_some()
                    }),
                }
            }
            Label::Fill(array, values) => {
                let length = self.lts.array(*array).length.as_ref().and_then(|length| length.to_i64());
                let length = length.filter(|&length| length <= ELEMENTS as i64).unwrap_or(0);
                // The rest is zero.
                let value = |index: i64| values.get(index as usize).map_or(Some(point(0)), |value| self.value(from, value, &held));
                let ranges: Vec<Option<IntRange>> = (0..length).map(value).collect();
                forget(&mut held, *array);
                for (index, range) in (0..).zip(ranges) {
                    self.set(&mut held, Bounded::Element(*array, index), range);
                }
            }
            Label::HavocArray(array) => forget(&mut held, *array),
            Label::Skip => {}
        }
        Some(held)
    }

    /// By its type.
    pub fn widest(&self, bounded: Bounded) -> Option<IntRange> {
        match bounded {
            Bounded::Variable(id) => self.types.of_type(id),
            Bounded::Element(id, _) => self.lts.array(id).range.and_then(|range| either(range, self.lts.array(id).start_range()?)),
        }
    }

    fn range(&self, bounded: Bounded, held: &LocationRanges) -> Option<IntRange> {
        self.held(held, bounded).or_else(|| self.widest(bounded))
    }

    fn value(&self, from: LocationId, e: &Expr, held: &LocationRanges) -> Option<IntRange> {
        let element = |array, index: IntRange| {
            let mut of_all: Option<IntRange> = None;
            if index.greatest - index.least >= INDICES {
                return None;
            }
            for at in index.least..=index.greatest {
                let range = self.held(held, Bounded::Element(array, i64::try_from(at).ok()?))?;
                of_all = of_all.map_or(Some(range), |of_all| either(of_all, range));
            }
            of_all
        };
        self.types.with(from, e, &HeldValues { variable: &|id| self.range(Bounded::Variable(id), held), element: &element })
    }

    fn set(&self, held: &mut LocationRanges, bounded: Bounded, range: Option<IntRange>) {
        let of_type = self.widest(bounded);
        let narrower = range.filter(|range| of_type.is_none_or(|of_type| !range.covers(&of_type)));
        match (held.binary_search_by_key(&bounded, |(own, _)| *own), narrower) {
            (Ok(at), Some(range)) => held[at].1 = range,
            (Ok(at), None) => drop(held.remove(at)),
            (Err(at), Some(range)) if held.len() < HELD => held.insert(at, (bounded, range)),
            (Err(_), _) => {}
        }
    }

    /// Makes the ranges those in which the condition holds, or fails; `None` where it cannot.
    fn assume(&self, from: LocationId, condition: &Expr, holds: bool, held: &mut LocationRanges) -> Option<()> {
        match condition {
            Expr::Not(inner) => self.assume(from, inner, !holds, held),
            Expr::Guarded(_, _, value) => self.assume(from, value, holds, held),
            Expr::Compare(op, left, right) => {
                let op = if holds { *op } else { op.negated() };
                let (of_left, of_right) = (self.value(from, left, held), self.value(from, right, held));
                if let Some((of_left, of_right)) = of_left.zip(of_right)
                    && truth(op, of_left, of_right) == Some(false)
                {
                    return None;
                }
                if let (Expr::Read(array, index), Some(bound)) = (&**left, of_right) {
                    self.narrow_index(from, &ElementTest { array: *array, index, op, bound }, held)?;
                }
                if let Some(bound) = of_right {
                    self.narrow(from, left, &bounded(op, bound, of_left), held)?;
                }
                if let Some(bound) = of_left {
                    self.narrow(from, right, &bounded(op.turned(), bound, of_right), held)?;
                }
                Some(())
            }
            _ => {
                let range = self.value(from, condition, held);
                let op = if holds { CompareOp::Ne } else { CompareOp::Eq };
                if range.is_some_and(|range| truth(op, range, point(0)) == Some(false)) {
                    return None;
                }
                if let Expr::Read(array, index) = condition {
                    self.narrow_index(from, &ElementTest { array: *array, index, op, bound: point(0) }, held)?;
                }
                self.narrow(from, condition, &bounded(op, point(0), range), held)
            }
        }
    }

    /// Makes the range of an index that of the elements for which the comparison can hold; `None` where it holds for none.
    fn narrow_index(&self, from: LocationId, test: &ElementTest, held: &mut LocationRanges) -> Option<()> {
        let ElementTest { array, index, op, bound } = *test;
        let Some(mut range) = self.value(from, index, held).filter(|range| range.greatest - range.least < INDICES) else { return Some(()) };
        let fails = |at: i128| {
            let element = i64::try_from(at).ok().and_then(|at| self.held(held, Bounded::Element(array, at)));
            element.is_some_and(|element| truth(op, element, bound) == Some(false))
        };
        while range.least <= range.greatest && fails(range.greatest) {
            range.greatest -= 1;
        }
        while range.least <= range.greatest && fails(range.least) {
            range.least += 1;
        }
        if range.least > range.greatest { None } else { self.narrow(from, index, &range, held) }
    }

    /// Makes the ranges those in which the value of the expression lies in this one; `None` where it cannot.
    fn narrow(&self, from: LocationId, e: &Expr, to: &IntRange, held: &mut LocationRanges) -> Option<()> {
        match e {
            Expr::Var(id) => self.meet(Bounded::Variable(*id), to, held),
            Expr::Read(array, index) => match self.value(from, index, held).filter(|index| index.least == index.greatest) {
                Some(index) => i64::try_from(index.least).map_or(Some(()), |index| self.meet(Bounded::Element(*array, index), to, held)),
                None => Some(()),
            },
            Expr::Convert(range, inner) => match self.value(from, inner, held) {
                Some(own) if range.covers(&own) => self.narrow(from, inner, to, held),
                _ => Some(()),
            },
            Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Guarded(_, _, inner) => self.narrow(from, inner, to, held),
            Expr::Neg(inner) => self.narrow(from, inner, &IntRange { least: -to.greatest, greatest: -to.least }, held),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => match (&**left, &**right) {
                (inner, Expr::Int(constant)) => {
                    let Some(by) = constant.to_i64().map(i128::from) else { return Some(()) };
                    let by = if *op == BinaryOp::Add { by } else { -by };
                    self.narrow(from, inner, &IntRange { least: to.least - by, greatest: to.greatest - by }, held)
                }
                _ => Some(()),
            },
            _ => Some(()),
        }
    }

    fn meet(&self, bounded: Bounded, to: &IntRange, held: &mut LocationRanges) -> Option<()> {
        let common = match self.range(bounded, held) {
            Some(own) => IntRange { least: own.least.max(to.least), greatest: own.greatest.min(to.greatest) },
            None => *to,
        };
        if common.least > common.greatest {
            return None;
        }
        if common.least > -FAR && common.greatest < FAR {
            self.set(held, bounded, Some(common));
        }
        Some(())
    }

    /// The ranges with the values of both.
    pub fn joined(&self, one: &LocationRanges, other: &LocationRanges) -> LocationRanges {
        let both = one.iter().filter_map(|&(id, range)| Some((id, either(range, self.held(other, id)?)?)));
        both.filter(|(id, range)| self.widest(*id).is_none_or(|of_type| !range.covers(&of_type))).collect()
    }

    fn held(&self, held: &LocationRanges, id: Bounded) -> Option<IntRange> {
        held.binary_search_by_key(&id, |(own, _)| *own).ok().map(|at| held[at].1)
    }

    /// Ends that have moved move on to a threshold (these are in order), or to the end of the type.
    pub fn widened(&self, old: &LocationRanges, new: &LocationRanges, thresholds: &[i128]) -> LocationRanges {
        let widened = new.iter().filter_map(|&(id, range)| {
            let before = self.held(old, id)?;
            let below = |end: i128| thresholds.iter().rev().copied().find(|&constant| constant <= end);
            let above = |end: i128| thresholds.iter().copied().find(|&constant| constant >= end);
            let of_type = self.widest(id);
            let least = if range.least < before.least { below(range.least).or(Some(of_type?.least)) } else { Some(range.least) };
            let greatest =
                if range.greatest > before.greatest { above(range.greatest).or(Some(of_type?.greatest)) } else { Some(range.greatest) };
            let widened = IntRange { least: least?, greatest: greatest? };
            let clipped = of_type.map_or(widened, |of_type| IntRange {
                least: widened.least.max(of_type.least),
                greatest: widened.greatest.min(of_type.greatest),
            });
            Some((id, clipped))
        });
        widened.filter(|(id, range)| self.widest(*id).is_none_or(|of_type| !range.covers(&of_type))).collect()
    }
}

/// Further than any integer of C.
const FAR: i128 = 1 << 100;

/// Nothing is known of the elements of the array any more.
fn forget(held: &mut LocationRanges, array: ArrayId) {
    held.retain(|(bounded, _)| !matches!(bounded, Bounded::Element(own, _) if *own == array));
}

fn point(value: i128) -> IntRange {
    IntRange { least: value, greatest: value }
}

/// The values with which `value op x` can hold for an `x` in the range; of *not equal* those of `own` without an end that is the only `x`.
fn bounded(op: CompareOp, x: IntRange, own: Option<IntRange>) -> IntRange {
    let all = IntRange { least: -2 * FAR, greatest: 2 * FAR };
    match op {
        CompareOp::Lt => IntRange { greatest: x.greatest - 1, ..all },
        CompareOp::Le => IntRange { greatest: x.greatest, ..all },
        CompareOp::Gt => IntRange { least: x.least + 1, ..all },
        CompareOp::Ge => IntRange { least: x.least, ..all },
        CompareOp::Eq => x,
        CompareOp::Ne => match own {
            Some(own) if x.least == x.greatest && own.least == x.least => IntRange { least: x.least + 1, ..all },
            Some(own) if x.least == x.greatest && own.greatest == x.least => IntRange { greatest: x.least - 1, ..all },
            _ => all,
        },
    }
}
