//! Programs over all integers made programs of small types, so that every value of every type can be tried.

use culdesac::interp::{ArrayInput, Input};
use culdesac::logic::{Int, IntRange};
use culdesac::lts::{BinaryOp, CompareOp, Expr, Label, Lts, Requirement, VariableId};

/// What stands for `int` and for `unsigned`; other types have fewer values and are promoted.
const BITS: u32 = 4;

fn int() -> IntRange {
    IntRange::of_bits(BITS, true)
}

fn unsigned() -> IntRange {
    IntRange::of_bits(BITS, false)
}

/// Choices that depend on a seed alone.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// The program with a type for each variable and array, arithmetic as C has it, and, with `bits`, some operators replaced by ones on bits.
pub fn typed(mut lts: Lts, seed: u64, bits: bool) -> Lts {
    let mut chance = Chance(seed);
    let some_type = |chance: &mut Chance| match chance.below(4) {
        0 => IntRange::of_bits(BITS - 1, true),
        1 => IntRange::of_bits(BITS - 1, false),
        2 => unsigned(),
        _ => int(),
    };
    for variable in &mut lts.variables {
        let range = some_type(&mut chance);
        variable.initial = variable.initial.as_ref().map(|value| range.wrap(value));
        variable.range = Some(range);
    }
    for array in &mut lts.arrays {
        let range = some_type(&mut chance);
        array.initial = array.initial.as_ref().map(|values| values.iter().map(|value| range.wrap(value)).collect());
        array.range = Some(range);
    }
    let original = lts.clone();
    let mut typing = Typing { lts: &original, chance, bits };
    for edge in lts.graph.edge_weights_mut() {
        match &mut edge.label {
            // Both sides of a decision have the same condition.
            Label::Assume { condition, .. } => {
                let mut same = Typing { lts: &original, chance: Chance(seed ^ hash(condition)), bits };
                *condition = same.expression(condition).0;
            }
            Label::Assign(variable, value) => *value = typing.of_variable(*variable, value),
            Label::Store { array, index, value } => {
                let range = original.array(*array).range.unwrap_or(int());
                (*index, *value) = (typing.expression(index).0, typing.converted(value, range));
            }
            Label::Fill(array, values) => {
                let range = original.array(*array).range.unwrap_or(int());
                values.iter_mut().for_each(|value| *value = typing.converted(value, range));
            }
            Label::Skip | Label::Havoc(_) | Label::HavocArray(_) => {}
        }
        edge.returns = edge.returns.as_ref().map(|value| typing.expression(value).0);
    }
    lts
}

fn hash(condition: &Expr) -> u64 {
    format!("{condition:?}").bytes().fold(7, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

struct Typing<'a> {
    lts: &'a Lts,
    chance: Chance,
    bits: bool,
}

impl Typing<'_> {
    fn of_variable(&mut self, variable: VariableId, value: &Expr) -> Expr {
        match value {
            // A mere copy within one type.
            Expr::Var(from) if self.lts.variable(*from).range == self.lts.variable(variable).range => value.clone(),
            _ => self.converted(value, self.lts.variable(variable).range.unwrap_or(int())),
        }
    }

    fn converted(&mut self, value: &Expr, to: IntRange) -> Expr {
        let (value, range) = self.expression(value);
        if to.covers(&range) { value } else { Expr::Convert(to, Box::new(value)) }
    }

    /// The expression and its type.
    fn expression(&mut self, expr: &Expr) -> (Expr, IntRange) {
        match expr {
            Expr::Int(value) => (Expr::Int(int().wrap(value)), int()),
            Expr::Var(variable) => (expr.clone(), self.lts.variable(*variable).range.unwrap_or(int())),
            Expr::Read(array, index) => {
                let index = self.expression(index).0;
                let read = Expr::Read(*array, Box::new(index.clone()));
                let range = self.lts.array(*array).range.unwrap_or(int());
                if self.chance.below(4) > 0 {
                    return (read, range);
                }
                let inside = Expr::Compare(CompareOp::Lt, Box::new(index), Box::new(Expr::Int(Int::from(2))));
                (Expr::Guarded(Requirement::Index, Box::new(inside), Box::new(read)), range)
            }
            Expr::Nondet(_) => (Expr::Nondet(Some(int())), int()),
            Expr::Neg(operand) => {
                let (operand, range) = self.promoted(operand);
                self.wrapped(Expr::Neg(Box::new(operand)), range)
            }
            Expr::Not(operand) => (Expr::Not(Box::new(self.expression(operand).0)), int()),
            Expr::Compare(op, left, right) => {
                let (left, right, _) = self.balanced(left, right);
                (Expr::Compare(*op, Box::new(left), Box::new(right)), int())
            }
            Expr::Binary(op, left, right) => {
                let (left, right, range) = self.balanced(left, right);
                let op = if self.bits && self.chance.below(3) > 0 { self.operator() } else { *op };
                self.wrapped(Expr::Binary(op, Box::new(left), Box::new(right)), range)
            }
            Expr::Convert(_, inner) | Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Guarded(_, _, inner) => {
                self.expression(inner)
            }
        }
    }

    fn operator(&mut self) -> BinaryOp {
        [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor, BinaryOp::ShiftLeft(BITS), BinaryOp::ShiftRight(BITS), BinaryOp::And]
            [self.chance.below(6) as usize]
    }

    /// The result of an operation on operands of this type.
    fn wrapped(&self, operation: Expr, range: IntRange) -> (Expr, IntRange) {
        let exact = matches!(operation, Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::ShiftRight(_), ..));
        let operation = match operation {
            operation if exact => operation,
            operation if range == unsigned() => Expr::Convert(range, Box::new(operation)),
            operation => Expr::Checked(range, Box::new(operation)),
        };
        (operation, range)
    }

    fn promoted(&mut self, operand: &Expr) -> (Expr, IntRange) {
        let (operand, range) = self.expression(operand);
        (operand, if range == unsigned() { range } else { int() })
    }

    fn balanced(&mut self, left: &Expr, right: &Expr) -> (Expr, Expr, IntRange) {
        let ((left, of_left), (right, of_right)) = (self.promoted(left), self.promoted(right));
        let convert = |operand: Expr, range| if range == unsigned() { operand } else { Expr::Convert(unsigned(), Box::new(operand)) };
        if of_left == unsigned() || of_right == unsigned() {
            return (convert(left, of_left), convert(right, of_right), unsigned());
        }
        (left, right, int())
    }
}

/// Inputs of a typed program: all values of its first two parameters, the rest from the seed.
pub fn inputs(lts: &Lts, seed: u64) -> Vec<Input> {
    let mut chance = Chance(seed);
    let ranges: Vec<IntRange> = lts.variables.iter().map(|variable| variable.range.unwrap_or(int())).collect();
    let values = |at: usize| ranges.get(at).map_or(0..=0, |range| range.least..=range.greatest);
    let mut all = Vec::new();
    for first in values(0) {
        for second in values(1) {
            let mut input = Input::default();
            let mut some = |range: &IntRange| Int::from(range.least + i128::from(chance.below((range.greatest - range.least + 1) as u64)));
            for (at, variable) in lts.variables.iter().enumerate().filter(|(_, variable)| variable.initial.is_none()) {
                let value = match at {
                    0 => Int::from(first),
                    1 => Int::from(second),
                    _ => some(&ranges[at]),
                };
                input.values.insert(variable.name.clone(), value);
            }
            for array in lts.arrays.iter().filter(|array| array.initial.is_none()) {
                let range = array.range.unwrap_or(int());
                let elements = (-1..4i64).filter(|&at| array.length.is_none() || at >= 0 && Some(&Int::from(at)) < array.length.as_ref());
                let elements = elements.map(|at| (Int::from(at), some(&range))).collect();
                input.arrays.insert(array.name.clone(), ArrayInput { elements, default: Int::ZERO });
            }
            input.nondet = (0..8).map(|_| some(&IntRange { least: 0, greatest: 3 })).collect();
            all.push(input);
        }
    }
    all
}
