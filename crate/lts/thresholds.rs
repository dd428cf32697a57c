//! Thresholds of floating-point operations: which operands of an operation that keeps or turns the order of numbers give a result of at
//! least some rank.
//!
//! The result of an operation is an arbitrary value to all analyses. But conversions, and arithmetic with a constant, are monotone: rounding
//! keeps the order of numbers. So for each rank with which the program compares a result, the least operand that gives this rank or a
//! greater one is found by bisection, and *result ≥ rank ⟺ operand ≥ threshold* holds of every execution. The ranks with which a value is
//! compared flow against the assignments, from the comparisons to the operations.

use super::{BinaryOp, CompareOp, Computation, Expr, InputSource, Label, Lts};
use crate::logic::IntRange;
use crate::logic::rank::{FloatFormat, FloatOp, compute};

/// Ranks, or integers, with which a value is compared: only whether the value is at least one of them.
type ComparedRanks = Vec<i128>;

/// The greatest number of ranks for one value: a loop that halves a number would have one for each round.
const MOST: usize = 16;
/// The most passes over the edges.
const PASSES: usize = 8;
/// More than any integer of C has, from 0.
const INTEGERS: i128 = 1 << 66;

/// The thresholds of an operation with one operand that is not a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The position of the operand.
    pub operand: usize,
    /// Whether a greater operand gives a smaller result.
    pub turned: bool,
    pub points: Vec<Threshold>,
}

/// The result is at least `result` exactly where the operand is at least `operand`; or, where the order is turned, at most `operand` or no
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    pub result: i128,
    pub operand: i128,
}

/// An operation as a function of one operand.
struct Monotone<'c> {
    computation: &'c Computation,
    operand: usize,
    turned: bool,
}

/// The ranks of a format's numbers.
fn numbers(format: FloatFormat) -> IntRange {
    IntRange { greatest: format.infinity().into(), ..format.range() }
}

/// A number without its fraction; a number beyond every integer type of C stays beyond it.
fn truncated(format: FloatFormat, rank: i128) -> i128 {
    i64::try_from(rank).map_or(i128::MAX, |rank| format.value(rank).trunc() as i128)
}

/// The first value of a range for which a condition holds that holds from some value on; one above the range where it never does.
fn first(range: IntRange, holds: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut high) = (range.least, range.greatest + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The ranks of the numbers of a format that are in the range of an integer type without their fractions.
pub fn convertible(format: FloatFormat, range: &IntRange) -> IntRange {
    let least = first(numbers(format), |rank| truncated(format, rank) >= range.least);
    IntRange { least, greatest: first(numbers(format), |rank| truncated(format, rank) > range.greatest) - 1 }
}

fn constant(e: &Expr) -> Option<i128> {
    match e {
        Expr::Int(value) => value.to_i64().map(i128::from),
        _ => None,
    }
}

impl Monotone<'_> {
    fn of(computation: &Computation) -> Option<Monotone<'_>> {
        let found = |operand, turned| Some(Monotone { computation, operand, turned });
        let format = computation.format;
        let is_finite = |rank: &i128| rank.abs() < i128::from(format.infinity());
        match (computation.op, &computation.operands[..]) {
            (FloatOp::FromInteger | FloatOp::Convert(_) | FloatOp::ToInteger(_), [_]) => found(0, false),
            (FloatOp::Floor | FloatOp::Ceiling | FloatOp::Truncate | FloatOp::Round, [_]) => found(0, false),
            (op @ (FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div), [left, right]) => {
                let [first, second] = [left, right].map(|operand| constant(operand).filter(is_finite));
                match (op, first, second) {
                    (FloatOp::Add | FloatOp::Sub, None, Some(_)) => found(0, false),
                    (FloatOp::Add, Some(_), None) => found(1, false),
                    (FloatOp::Sub, Some(_), None) => found(1, true),
                    (FloatOp::Mul | FloatOp::Div, None, Some(factor)) if factor != 0 => found(0, factor < 0),
                    (FloatOp::Mul, Some(factor), None) if factor != 0 => found(1, factor < 0),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The numbers that the operand can be.
    fn domain(&self) -> IntRange {
        match self.computation.op {
            FloatOp::FromInteger => IntRange { least: -INTEGERS, greatest: INTEGERS },
            FloatOp::Convert(from) => numbers(from),
            _ => numbers(self.computation.format),
        }
    }

    /// Whether this operand gives a result of at least this rank.
    fn reaches(&self, operand: i128, rank: i128) -> bool {
        let Computation { op, format, operands, .. } = self.computation;
        if let FloatOp::ToInteger(_) = op {
            return truncated(*format, operand) >= rank;
        }
        let value = |(at, e)| if at == self.operand { operand } else { constant(e).unwrap_or_default() };
        let values: Vec<i128> = operands.iter().enumerate().map(value).collect();
        compute(*op, *format, &values).is_some_and(|result| result >= rank)
    }

    fn threshold(&self, rank: i128) -> Threshold {
        let operand = match self.turned {
            false => first(self.domain(), |operand| self.reaches(operand, rank)),
            true => first(self.domain(), |operand| !self.reaches(operand, rank)) - 1,
        };
        Threshold { result: rank, operand }
    }
}

/// The ranks and integers with which the values of variables and elements are compared.
struct Comparisons {
    variables: Vec<ComparedRanks>,
    arrays: Vec<ComparedRanks>,
    is_changed: bool,
}

impl Comparisons {
    /// The ranks at which a comparison with a constant changes.
    fn with_constant(op: CompareOp, constant: i128) -> ComparedRanks {
        match op {
            CompareOp::Lt | CompareOp::Ge => vec![constant],
            CompareOp::Le | CompareOp::Gt => vec![constant + 1],
            CompareOp::Eq | CompareOp::Ne => vec![constant, constant + 1],
        }
    }

    /// The ranks with which the operands of an expression are compared, where its value is compared with these ranks.
    fn of_children(e: &Expr, compared: &ComparedRanks) -> Vec<ComparedRanks> {
        let mut count = 0;
        e.children(&mut |_| count += 1);
        let mut found = vec![ComparedRanks::new(); count];
        match e {
            Expr::Nondet(_, InputSource::Computed(computation)) => {
                if let Some(monotone) = Monotone::of(computation) {
                    let points = compared.iter().map(|rank| monotone.threshold(*rank).operand + i128::from(monotone.turned));
                    found[monotone.operand] = points.collect();
                    if monotone.turned && !compared.is_empty() {
                        // Whether it is a number.
                        found[monotone.operand].push(computation.format.not_a_number().into());
                    }
                }
                if let FloatOp::ToInteger(range) = computation.op {
                    let convertible = convertible(computation.format, &range);
                    found[0].extend([convertible.least, convertible.greatest + 1]);
                }
            }
            Expr::Compare(op, left, right) => match (constant(left), constant(right)) {
                (None, Some(value)) => found[0] = Comparisons::with_constant(*op, value),
                (Some(value), None) => found[1] = Comparisons::with_constant(op.turned(), value),
                _ => {}
            },
            Expr::Binary(op, _, right) => {
                let shifted = |by: i128| compared.iter().map(|value| value + by).collect();
                match (op, constant(right)) {
                    (BinaryOp::Add, Some(by)) => found[0] = shifted(-by),
                    (BinaryOp::Sub, Some(by)) => found[0] = shifted(by),
                    (BinaryOp::Div, Some(by)) if by > 0 => {
                        // Division rounds towards zero.
                        let least = |value: &i128| if *value > 0 { value * by } else { (value - 1) * by + 1 };
                        found[0] = compared.iter().map(least).collect();
                    }
                    _ => {}
                }
            }
            Expr::Neg(_) => found[0] = compared.iter().map(|value| 1 - value).collect(),
            Expr::Convert(..) | Expr::Checked(..) | Expr::Within(..) => found[0] = compared.clone(),
            Expr::Guarded(..) => found[1] = compared.clone(),
            Expr::Read(..) | Expr::Not(_) | Expr::Int(_) | Expr::Var(_) | Expr::Nondet(..) => {}
        }
        found
    }

    /// Adds the ranks for the parts of an expression whose value is compared with these ranks.
    fn look(&mut self, e: &Expr, compared: &ComparedRanks) {
        let of_object = match e {
            Expr::Var(variable) => self.variables.get_mut(variable.0 as usize),
            Expr::Read(array, _) => self.arrays.get_mut(array.0 as usize),
            _ => None,
        };
        if let Some(of_object) = of_object {
            let before = of_object.len();
            for value in compared {
                if of_object.len() < MOST && value.abs() < i128::from(i64::MAX) && !of_object.contains(value) {
                    of_object.push(*value);
                }
            }
            self.is_changed |= of_object.len() > before;
        }
        let mut of_children = Comparisons::of_children(e, compared).into_iter();
        e.children(&mut |child| self.look(child, &of_children.next().unwrap_or_default()));
    }

    /// Notes the thresholds of the operations in an expression whose value is compared with these ranks.
    fn write(e: &mut Expr, compared: &ComparedRanks) {
        let mut of_children = Comparisons::of_children(e, compared).into_iter();
        if let Expr::Nondet(range, InputSource::Computed(computation)) = e {
            let (least, greatest) = range.map_or((i128::MIN, i128::MAX), |range| (range.least, range.greatest));
            let decides = |rank: &&i128| least < **rank && **rank <= greatest;
            computation.thresholds = Monotone::of(computation).map(|monotone| Thresholds {
                operand: monotone.operand,
                turned: monotone.turned,
                points: compared.iter().filter(decides).take(MOST).map(|rank| monotone.threshold(*rank)).collect(),
            });
        }
        e.children_mut(&mut |child| Comparisons::write(child, &of_children.next().unwrap_or_default()));
    }

    /// The ranks for the operands of an edge's label, in their order.
    fn of_operands(&self, label: &Label) -> Vec<ComparedRanks> {
        let of_array = |array: super::ArrayId| self.arrays[array.0 as usize].clone();
        match label {
            Label::Skip | Label::Havoc(_) | Label::HavocArray(_) => Vec::new(),
            Label::Assume { .. } => vec![vec![0, 1]],
            Label::Assign(variable, _) => vec![self.variables[variable.0 as usize].clone()],
            Label::Store { array, .. } => vec![ComparedRanks::new(), of_array(*array)],
            Label::Fill(array, values) => vec![of_array(*array); values.len()],
        }
    }
}

impl Lts {
    /// Notes the thresholds of all operations on floating-point numbers.
    pub(super) fn note_thresholds(&mut self) {
        if !self.draws_from(&InputSource::is_computed) {
            return;
        }
        let mut comparisons = Comparisons {
            variables: vec![ComparedRanks::new(); self.variables.len()],
            arrays: vec![ComparedRanks::new(); self.arrays.len()],
            is_changed: false,
        };
        for _ in 0..PASSES {
            comparisons.is_changed = false;
            for edge in self.graph.edge_weights() {
                for (operand, compared) in edge.label.operands().into_iter().zip(comparisons.of_operands(&edge.label)) {
                    comparisons.look(operand, &compared);
                }
                edge.returns.iter().for_each(|value| comparisons.look(value, &ComparedRanks::new()));
            }
            if !comparisons.is_changed {
                break;
            }
        }
        for edge in self.graph.edge_weights_mut() {
            let of_operands = comparisons.of_operands(&edge.label);
            for (operand, compared) in edge.label.operands_mut().into_iter().zip(of_operands) {
                Comparisons::write(operand, &compared);
            }
            edge.returns.iter_mut().for_each(|value| Comparisons::write(value, &ComparedRanks::new()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Int;
    use crate::logic::rank::rank_of_random;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(1000)))]

        #[test]
        fn results_reach_a_rank_exactly_where_operands_reach_its_threshold(
            kind in 0..20_usize,
            single in any::<bool>(),
            [constant, wanted, operand] in [any::<u64>(), any::<u64>(), any::<u64>()],
        ) {
            let format = if single { FloatFormat::Single } else { FloatFormat::Double };
            let other = if single { FloatFormat::Double } else { FloatFormat::Single };
            let number = Expr::Int(Int::from(rank_of_random(format, constant)));
            let any = Expr::Int(Int::from(2 * i128::from(u64::MAX)));
            let byte = IntRange { least: -128, greatest: 127 };
            let (op, operands, at) = match kind {
                0 => (FloatOp::FromInteger, vec![any], 0),
                1 => (FloatOp::Convert(other), vec![any], 0),
                2 => (FloatOp::ToInteger(byte), vec![any], 0),
                3..=6 => ([FloatOp::Floor, FloatOp::Ceiling, FloatOp::Truncate, FloatOp::Round][kind - 3], vec![any], 0),
                7..=12 => ([FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div][kind % 4], vec![any, number], 0),
                _ => ([FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div][kind % 4], vec![number, any], 1),
            };
            let mut computation = Computation { op, format, operands, thresholds: None };
            // The operand that is no constant.
            computation.operands[at] = Expr::nondet(None);
            let Some(monotone) = Monotone::of(&computation) else { return Ok(()) };
            prop_assert_eq!(monotone.operand, at);
            let (wanted, operand) = match op {
                FloatOp::ToInteger(_) => (i128::from(wanted as i8), i128::from(rank_of_random(format, operand))),
                FloatOp::FromInteger => (i128::from(rank_of_random(format, wanted)), i128::from(operand as i64)),
                FloatOp::Convert(from) => (i128::from(rank_of_random(format, wanted)), i128::from(rank_of_random(from, operand))),
                _ => (i128::from(rank_of_random(format, wanted)), i128::from(rank_of_random(format, operand))),
            };
            let Threshold { operand: threshold, .. } = monotone.threshold(wanted);
            let mut values: Vec<i128> = computation.operands.iter().map(|e| constant_or(e, operand)).collect();
            for near in [operand, threshold - 1, threshold, threshold + 1] {
                // An operand is a number of the domain, or, of a floating-point type, no number: that has the rank above it.
                let domain = monotone.domain();
                if near < domain.least || near > domain.greatest + i128::from(op != FloatOp::FromInteger) {
                    continue;
                }
                values[at] = near;
                let Some(result) = compute(op, format, &values) else { continue };
                let none = i128::from(format.infinity());
                let is_reached = if monotone.turned { near <= threshold || near > none } else { near >= threshold };
                prop_assert_eq!(result >= wanted, is_reached, "{:?} of {:?}: {} for {}", op, values, result, wanted);
            }
        }

        #[test]
        fn numbers_within_the_bounds_are_converted(single in any::<bool>(), bits in any::<u64>()) {
            let format = if single { FloatFormat::Single } else { FloatFormat::Double };
            let number = i128::from(rank_of_random(format, bits));
            for range in [IntRange { least: -128, greatest: 127 }, IntRange { least: 0, greatest: u64::MAX.into() }] {
                let is_within = convertible(format, &range).contains(&Int::from(number));
                prop_assert_eq!(compute(FloatOp::ToInteger(range), format, &[number]).is_some(), is_within);
            }
        }
    }

    fn constant_or(e: &Expr, other: i128) -> i128 {
        constant(e).unwrap_or(other)
    }
}
