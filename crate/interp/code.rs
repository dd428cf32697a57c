//! Expressions as code for a stack machine over machine words.
//!
//! The code gives the expression's value wherever that and all intermediate values fit in a word and nothing on the way is
//! undefined; else it gives none, and [`super::eval`] evaluates the expression itself. So the code need not know why
//! something is undefined, and it can be wrong in one way only: by giving another value, which is what the tests compare.
//!
//! Below a conversion to an integer type sums, products and bits are computed modulo 2^64, of which the size of the type is a
//! divisor: a product of two `unsigned` stays a word.

use super::MAX_BITS;
use super::cells::Cells;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, InputSource, Lts};

/// One instruction. Operands are popped, results are pushed.
#[derive(Clone, Copy, Debug)]
enum Op {
    Push(i64),
    Variable(u32),
    /// An element of an array of unknown length.
    Read(u32),
    /// An element of an array with so many.
    ReadBelow(u32, i64),
    Nondet,
    Neg,
    Not,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// Shifts by a count below the width.
    ShiftLeft(u32),
    ShiftRight(u32),
    /// Modulo 2^64.
    WrapNeg,
    WrapAdd,
    WrapSub,
    WrapMul,
    Less,
    LessEqual,
    Equal,
    Unequal,
    /// The lowest bits, as a binary number.
    Mask(i64),
    /// What remains as a two's complement number when so many of the highest bits are cut off.
    CutOff(u32),
    /// No value where the operand lies outside.
    Within(i64, i64),
    /// No value where the quotient of the two operands lies outside; they stay.
    QuotientWithin(i64, i64),
    /// No value where the operand is 0; it is popped.
    Require,
    /// No value.
    Leave,
}

/// An expression and its code.
pub(super) struct CodeExpr<'a> {
    pub expr: &'a Expr,
    code: Box<[Op]>,
}

/// What code reads, and its stack.
pub(super) struct CodeWords<'s> {
    pub variables: &'s [Int],
    pub arrays: &'s [Cells],
    pub nondet: &'s [Int],
    pub nondet_used: &'s mut usize,
    pub stack: &'s mut Vec<i64>,
}

impl<'a> CodeExpr<'a> {
    pub fn new(lts: &Lts, expr: &'a Expr) -> CodeExpr<'a> {
        let mut compiler = Compiler { lts, code: Vec::new() };
        compiler.value(expr, false);
        CodeExpr { expr, code: compiler.code.into() }
    }

    /// The value, where words suffice. The code may have drawn values of `nondet()` in vain.
    #[inline]
    pub fn word(&self, words: CodeWords<'_>) -> Option<i64> {
        let CodeWords { variables, arrays, nondet, nondet_used, stack } = words;
        // The top of the stack stands in `top`; the value below the first is never used.
        stack.clear();
        let mut top = 0;
        for op in &self.code {
            top = match *op {
                Op::Push(value) => {
                    stack.push(top);
                    value
                }
                Op::Variable(id) => {
                    stack.push(top);
                    variables[id as usize].to_i64()?
                }
                Op::Nondet => {
                    stack.push(top);
                    let value = nondet.get(*nondet_used).map_or(Some(0), Int::to_i64)?;
                    *nondet_used += 1;
                    value
                }
                Op::Read(id) => arrays[id as usize].word(top)?,
                Op::ReadBelow(id, length) if 0 <= top && top < length => arrays[id as usize].word(top)?,
                Op::ReadBelow(..) | Op::Leave => return None,
                Op::Neg => top.checked_neg()?,
                Op::Not => i64::from(top == 0),
                Op::Add => stack.pop()?.checked_add(top)?,
                Op::Sub => stack.pop()?.checked_sub(top)?,
                Op::Mul => stack.pop()?.checked_mul(top)?,
                Op::Div => stack.pop()?.checked_div(top)?,
                Op::Rem => stack.pop()?.checked_rem(top)?,
                Op::And => stack.pop()? & top,
                Op::Or => stack.pop()? | top,
                Op::Xor => stack.pop()? ^ top,
                Op::ShiftLeft(width) => {
                    let count = u32::try_from(top).ok().filter(|&count| count < width.min(63))?;
                    let value = stack.pop()?;
                    let shifted = value << count;
                    if shifted >> count != value {
                        return None;
                    }
                    shifted
                }
                Op::ShiftRight(width) => {
                    let count = u32::try_from(top).ok().filter(|&count| count < width)?;
                    stack.pop()? >> count.min(63)
                }
                Op::WrapNeg => top.wrapping_neg(),
                Op::WrapAdd => stack.pop()?.wrapping_add(top),
                Op::WrapSub => stack.pop()?.wrapping_sub(top),
                Op::WrapMul => stack.pop()?.wrapping_mul(top),
                Op::Less => i64::from(stack.pop()? < top),
                Op::LessEqual => i64::from(stack.pop()? <= top),
                Op::Equal => i64::from(stack.pop()? == top),
                Op::Unequal => i64::from(stack.pop()? != top),
                Op::Mask(mask) => top & mask,
                Op::CutOff(bits) => top << bits >> bits,
                Op::Within(least, greatest) if least <= top && top <= greatest => top,
                Op::QuotientWithin(least, greatest) => {
                    let quotient = stack.last()?.checked_div(top)?;
                    if quotient < least || quotient > greatest {
                        return None;
                    }
                    top
                }
                Op::Require if top != 0 => stack.pop()?,
                Op::Within(..) | Op::Require => return None,
            };
        }
        Some(top)
    }
}

struct Compiler<'a> {
    lts: &'a Lts,
    code: Vec<Op>,
}

impl Compiler<'_> {
    /// Code that pushes the value of `expr`, or with `modulo` any word that differs from it by a multiple of 2^64.
    fn value(&mut self, expr: &Expr, modulo: bool) {
        match expr {
            Expr::Int(value) => self.code.push(value.to_i64().map_or(Op::Leave, Op::Push)),
            Expr::Var(variable) => self.code.push(Op::Variable(variable.0)),
            Expr::Read(array, index) => {
                self.value(index, false);
                self.code.push(match &self.lts.array(*array).length {
                    // An index that is a word lies below any length that is not.
                    Some(length) => Op::ReadBelow(array.0, if length.is_negative() { 0 } else { length.to_i64().unwrap_or(i64::MAX) }),
                    None => Op::Read(array.0),
                });
            }
            Expr::Nondet(_, InputSource::Stdin(_) | InputSource::Approximated | InputSource::Deeper | InputSource::Computed(_)) => {
                self.code.push(Op::Leave)
            }
            Expr::Nondet(range, _) => {
                self.code.push(Op::Nondet);
                if let Some(range) = range {
                    self.convert(range);
                }
            }
            Expr::Neg(operand) => {
                self.value(operand, modulo);
                self.code.push(if modulo { Op::WrapNeg } else { Op::Neg });
            }
            Expr::Not(operand) => {
                self.value(operand, false);
                self.code.push(Op::Not);
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right, modulo),
            Expr::Compare(op, left, right) => {
                // The stack machine has no operation to exchange operands, but `a > b` is `!(a <= b)`.
                let (op, negated) = match op {
                    CompareOp::Lt => (Op::Less, false),
                    CompareOp::Le => (Op::LessEqual, false),
                    CompareOp::Gt => (Op::LessEqual, true),
                    CompareOp::Ge => (Op::Less, true),
                    CompareOp::Eq => (Op::Equal, false),
                    CompareOp::Ne => (Op::Unequal, false),
                };
                self.value(left, false);
                self.value(right, false);
                self.code.push(op);
                self.code.extend(negated.then_some(Op::Not));
            }
            Expr::Convert(range, operand) => {
                let bits = bits(range);
                self.value(operand, bits.is_some() && stays_small(operand));
                if !(modulo && matches!(bits, Some((64, _)))) {
                    self.convert(range);
                }
            }
            Expr::Checked(range, operation) => {
                let (least, greatest) = words(range);
                match &**operation {
                    Expr::Binary(BinaryOp::Rem, left, right) => {
                        self.value(left, false);
                        self.value(right, false);
                        self.code.extend([Op::QuotientWithin(least, greatest), Op::Rem]);
                    }
                    Expr::Binary(BinaryOp::ShiftLeft(width), left, right) => {
                        self.value(left, false);
                        self.code.push(Op::Within(0, i64::MAX));
                        self.value(right, false);
                        self.code.extend([Op::ShiftLeft(*width), Op::Within(least, greatest)]);
                    }
                    operation => {
                        self.value(operation, false);
                        self.code.push(Op::Within(least, greatest));
                    }
                }
            }
            Expr::Within(_, range, value) => {
                let (least, greatest) = words(range);
                self.value(value, false);
                self.code.push(Op::Within(least, greatest));
            }
            Expr::Guarded(_, condition, value) => {
                self.value(condition, false);
                self.code.push(Op::Require);
                self.value(value, modulo);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, modulo: bool) {
        let (op, modulo) = match op {
            BinaryOp::Add => (if modulo { Op::WrapAdd } else { Op::Add }, modulo),
            BinaryOp::Sub => (if modulo { Op::WrapSub } else { Op::Sub }, modulo),
            BinaryOp::Mul => (if modulo { Op::WrapMul } else { Op::Mul }, modulo),
            BinaryOp::And => (Op::And, modulo),
            BinaryOp::Or => (Op::Or, modulo),
            BinaryOp::Xor => (Op::Xor, modulo),
            BinaryOp::Div => (Op::Div, false),
            BinaryOp::Rem => (Op::Rem, false),
            BinaryOp::ShiftLeft(width) => (Op::ShiftLeft(width), false),
            BinaryOp::ShiftRight(width) => (Op::ShiftRight(width), false),
        };
        self.value(left, modulo);
        self.value(right, modulo);
        self.code.push(op);
    }

    /// Brings the top of the stack into a range. Only where the range is a type's may the top be known modulo 2^64 alone.
    fn convert(&mut self, range: &IntRange) {
        let (least, greatest) = words(range);
        self.code.extend(match bits(range) {
            // From 2^63 on they are no words.
            Some((64, false)) | None => Some(Op::Within(least, greatest)),
            Some((64, true)) => None,
            Some((_, false)) => Some(Op::Mask(greatest)),
            Some((bits, true)) => Some(Op::CutOff(64 - bits)),
        });
    }
}

/// Whether no operation of the expression on words can exceed [`MAX_BITS`]: each result has at most as many digits as its operands
/// together and one more.
fn stays_small(expr: &Expr) -> bool {
    let mut nodes = 0;
    expr.walk(&mut |_| nodes += 1);
    nodes < MAX_BITS / 64
}

/// The width of the type with these values, and whether it is signed.
fn bits(range: &IntRange) -> Option<(u32, bool)> {
    let signed = range.least < 0;
    (1..=64).find(|&bits| IntRange::of_bits(bits, signed) == *range).map(|bits| (bits, signed))
}

/// The part of a range that is words; without any, one that holds nothing.
fn words(range: &IntRange) -> (i64, i64) {
    let (least, greatest) = (range.least.max(i64::MIN.into()), range.greatest.min(i64::MAX.into()));
    match (i64::try_from(least), i64::try_from(greatest)) {
        (Ok(least), Ok(greatest)) => (least, greatest),
        _ => (1, 0),
    }
}
