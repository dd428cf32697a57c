//! Values of expressions and effects of edges.

use super::alone::{GIVEN_BITS, MissingValues, NeededValue};
use super::cells::Cells;
use super::code::{CodeExpr, CodeWords};
use super::deeper::OpenCall;
use super::recorded::{Drawn, Record};
use super::stdin::{InputText, Unread};
use super::{ArrayInput, LabelEffect, MAX_BITS, NoText, Undefined};
use crate::logic::rank::{self, FloatOp};
use crate::logic::{Int, IntRange, SortedMap, gathered};
use crate::lts::{Array, ArrayId, BinaryOp, CompareOp, Computation, Expr, InputSource, Lts, Read, VariableId};

/// The values of all variables, and how far `nondet()` has come.
#[derive(Clone, Debug)]
pub struct RunState<'a> {
    pub(super) lts: &'a Lts,
    pub(super) variables: Vec<Int>,
    pub(super) arrays: Vec<Cells>,
    pub(super) nondet: &'a [Int],
    pub(super) contents: &'a SortedMap<u32, ArrayInput>,
    pub(super) nondet_used: usize,
    /// Standard input, where the program reads it.
    pub(super) text: Option<InputText<'a>>,
    /// Whether a read past that text waits for more of it.
    pub(super) waits: bool,
    /// All values drawn so far, where the caller asks for them; those that are not read from a text with their numbers in the input.
    pub(super) drawn: Option<Vec<(Int, Option<usize>)>>,
    /// The record of the run, where the caller asks for it.
    pub(super) record: Option<Box<Record>>,
    /// What it knows of values that are missing.
    pub(super) missing: MissingValues,
    /// The index of the last element written by a `Store`.
    pub(super) stored_at: Int,
    /// The stack of [`CodeExpr::word`], kept for its memory.
    pub(super) stack: Vec<i64>,
    /// The calls that go deeper than the copies of their function, and that the run is inside of.
    pub(super) open: Vec<OpenCall<'a>>,
}

/// Why an edge could not be taken. Small, because every evaluation carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Assume,
    Undefined(Box<Undefined>),
    TooLarge,
    NoText(Box<NoText>),
    Approximated,
    /// A function calls itself more often than it is inlined.
    Deeper,
    /// What was to be changed keeps its value.
    Kept,
}

impl RunState<'_> {
    /// The value of a scalar.
    pub fn variable(&self, id: VariableId) -> &Int {
        &self.variables[id.0 as usize]
    }

    /// Of a run on a text on standard input: whether nothing looked at it, and whether a read looked past its last character.
    pub fn text_read(&self) -> Option<(bool, bool)> {
        if let Some(InputText::Given(given)) = &self.text { Some((given.is_unread(), given.met_end())) } else { None }
    }

    /// The value of an array's element.
    pub fn element(&self, array: ArrayId, index: &Int) -> Int {
        self.arrays[array.0 as usize].read(index)
    }

    /// After a `Store`: the index of the element that it wrote.
    pub fn stored_at(&self) -> &Int {
        &self.stored_at
    }

    pub(super) fn value(&mut self, value: &CodeExpr<'_>) -> Result<Int, Stop> {
        match self.word(value) {
            Some(word) => Ok(Int::from(word)),
            None => {
                let value = self.eval(value.expr)?;
                // It could be taken for a given one.
                if !self.missing.ranges.is_empty() && value.bits() > GIVEN_BITS { Err(Stop::TooLarge) } else { Ok(value) }
            }
        }
    }

    pub(super) fn is_zero(&mut self, value: &CodeExpr<'_>) -> Result<bool, Stop> {
        match self.word(value) {
            Some(word) => Ok(word == 0),
            None => match self.compared_given(CompareOp::Eq, value.expr, &Expr::Int(Int::ZERO)) {
                Some(is_zero) => is_zero,
                None => Ok(self.eval(value.expr)?.is_zero()),
            },
        }
    }

    #[inline]
    fn word(&mut self, value: &CodeExpr<'_>) -> Option<i64> {
        if self.drawn.is_some() || self.record.is_some() {
            return None;
        }
        let drawn = self.nondet_used;
        let RunState { variables, arrays, nondet, nondet_used, stack, .. } = self;
        let word = value.word(CodeWords { variables, arrays, nondet, nondet_used, stack });
        if word.is_none() {
            self.nondet_used = drawn;
        }
        word
    }

    /// Applies what an edge does first.
    #[inline]
    pub(super) fn apply(&mut self, effect: &LabelEffect<'_>) -> Result<(), Stop> {
        match effect {
            LabelEffect::None => {}
            LabelEffect::Assume(condition, holds) => {
                if self.is_zero(condition)? == *holds {
                    return Err(Stop::Assume);
                }
            }
            LabelEffect::Assign(variable, value) => {
                let value = match self.value(value) {
                    Err(Stop::Kept) => return Ok(()),
                    Err(stop) => self.copied(value.expr, stop)?,
                    Ok(value) => value,
                };
                self.variables[variable.0 as usize] = value;
            }
            LabelEffect::Store(array, index, value) => {
                let index = self.value(index)?;
                let value = match self.value(value) {
                    Err(Stop::Kept) => return Ok(()),
                    Err(stop) => self.copied(value.expr, stop)?,
                    Ok(value) => value,
                };
                self.check_index(*array, &index)?;
                self.writes(*array, &index);
                self.arrays[array.0 as usize].write(&index, value);
                self.stored_at = index;
            }
            LabelEffect::Fill(array, elements) => {
                let mut first = Vec::new();
                for element in elements {
                    first.push(self.value(element).or_else(|stop| self.copied(element.expr, stop))?);
                }
                let last = first.len().checked_sub(1).map(Int::from);
                if let Some(last) = &last {
                    self.check_index(*array, last)?;
                }
                self.writes_all(*array, last.as_ref());
                self.arrays[array.0 as usize] = Cells::filled(&first);
            }
            LabelEffect::Havoc(variable) if self.missing.is_alone => {
                self.variables[variable.0 as usize] = self.missing.none.clone().unwrap_or_default();
            }
            LabelEffect::HavocArray(array) if self.missing.is_alone => {
                let default = self.missing.none.clone().unwrap_or_default();
                self.arrays[array.0 as usize] = Cells::given(&ArrayInput { default, ..ArrayInput::default() });
            }
            LabelEffect::Havoc(variable) => {
                let range = self.lts.variable(*variable).range;
                let (after, number) = (self.next_nondet(range), self.nondet_used - 1);
                let before = std::mem::replace(&mut self.variables[variable.0 as usize], after.clone());
                self.note(Some(number), || Drawn::Scalar { variable: *variable, before, after });
            }
            LabelEffect::HavocArray(array) => {
                let (after, number) = (self.next_contents(*array), self.nondet_used - 1);
                let before = std::mem::replace(&mut self.arrays[array.0 as usize], after);
                self.is_given(*array);
                if self.record.is_some() {
                    let after = self.arrays[array.0 as usize].held();
                    self.note(Some(number), || Drawn::Contents { array: *array, before: before.held(), after });
                }
            }
        }
        Ok(())
    }

    /// The value of any expression, by its definition.
    pub(super) fn eval(&mut self, expr: &Expr) -> Result<Int, Stop> {
        Ok(match expr {
            Expr::Int(value) => value.clone(),
            Expr::Var(variable) => {
                let value = self.variables[variable.0 as usize].clone();
                self.given(value, || NeededValue::Variable(*variable))?
            }
            Expr::Read(array, index) => {
                let index = self.eval(index)?;
                self.check_index(*array, &index)?;
                self.reads(*array, &index);
                let value = self.arrays[array.0 as usize].read(&index);
                self.given(value, || NeededValue::Element(*array))?
            }
            Expr::Nondet(_, InputSource::Deeper) => return Err(Stop::Deeper),
            Expr::Nondet(_, InputSource::Approximated) => return Err(Stop::Approximated),
            Expr::Nondet(_, InputSource::Computed(computation)) => {
                let operands = computation.operands.iter().map(|operand| self.eval(operand)).collect::<Result<Vec<_>, _>>()?;
                let value = computed(computation, &operands)?;
                // For analyses it is a value of the input, which stands for this one.
                if let Some(drawn) = &mut self.drawn {
                    drawn.push((value.clone(), Some(self.nondet_used)));
                }
                // Given values are those of draws alone.
                self.nondet_used += usize::from(!self.missing.is_alone);
                value
            }
            Expr::Nondet(range, InputSource::Stdin(read)) if !self.missing.is_alone => self.read(read, *range)?,
            Expr::Nondet(range, _) if self.missing.is_alone && self.nondet_used + 1 >= self.nondet.len() => {
                return Err(self.without(range.map_or(NeededValue::Other, NeededValue::Draw)));
            }
            Expr::Nondet(..) if let Some(operand) = self.given_operand(expr) => return Err(self.without(NeededValue::One(operand.number))),
            Expr::Nondet(range, source) => {
                let value = self.next_nondet(*range);
                self.note(Some(self.nondet_used - 1), || Drawn::Value(source.clone(), value.clone()));
                value
            }
            Expr::Neg(operand) => -self.eval(operand)?,
            Expr::Not(operand) => match self.compared_given(CompareOp::Eq, operand, &Expr::Int(Int::ZERO)) {
                Some(is_zero) => Int::from(is_zero?),
                None => Int::from(self.eval(operand)?.is_zero()),
            },
            Expr::Binary(op, left, right) => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                match op {
                    BinaryOp::Add => bounded(&left + &right)?,
                    BinaryOp::Sub => bounded(&left - &right)?,
                    // Before computing it: a product may be twice as large as anything so far.
                    BinaryOp::Mul if left.bits() + right.bits() > MAX_BITS => return Err(Stop::TooLarge),
                    BinaryOp::Mul => &left * &right,
                    BinaryOp::Div => left.div_rem_trunc(&right).ok_or_else(division_by_zero)?.0,
                    BinaryOp::Rem => left.div_rem_trunc(&right).ok_or_else(division_by_zero)?.1,
                    BinaryOp::And => left.bit_and(&right),
                    BinaryOp::Or => left.bit_or(&right),
                    BinaryOp::Xor => left.bit_xor(&right),
                    BinaryOp::ShiftLeft(width) => {
                        let count = shift_count(&right, *width)?;
                        if left.bits() + u64::from(count) > MAX_BITS {
                            return Err(Stop::TooLarge);
                        }
                        left.shift_left(count)
                    }
                    BinaryOp::ShiftRight(width) => left.shift_right(shift_count(&right, *width)?),
                }
            }
            Expr::Compare(op, left, right) => {
                if let Some(holds) = self.compared_given(*op, left, right) {
                    return Ok(Int::from(holds?));
                }
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                Int::from(match op {
                    CompareOp::Lt => left < right,
                    CompareOp::Le => left <= right,
                    CompareOp::Gt => left > right,
                    CompareOp::Ge => left >= right,
                    CompareOp::Eq => left == right,
                    CompareOp::Ne => left != right,
                })
            }
            Expr::Convert(range, operand) => range.wrap(&self.eval(operand)?),
            Expr::Checked(range, operand) => self.checked(range, operand)?,
            Expr::Within(requirement, range, operand) => {
                let value = self.eval(operand)?;
                if !range.contains(&value) {
                    return Err(undefined(Undefined::Unmet(*requirement)));
                }
                value
            }
            Expr::Guarded(requirement, condition, value) => {
                if self.eval(condition)?.is_zero() {
                    return Err(undefined(Undefined::Unmet(*requirement)));
                }
                self.eval(value)?
            }
        })
    }

    /// A value that was read, where it is one.
    fn given(&mut self, value: Int, needed: impl Fn() -> NeededValue) -> Result<Int, Stop> {
        match self.given_number(&value) {
            _ if self.missing.none.as_ref() == Some(&value) => Err(self.without(needed())),
            Some(number) => Err(self.without(NeededValue::One(number))),
            None => Ok(value),
        }
    }

    /// What an object without a value gives to one that it is copied to: an element, or a member of a structure, which may be copied as part of
    /// a whole, has no value there either (C11 6.2.6.1p6).
    fn copied(&mut self, copied: &Expr, stop: Stop) -> Result<Int, Stop> {
        if let Some(given) = self.copied_given(copied) {
            return Ok(given);
        }
        let is_part = match (copied, &self.missing.needed) {
            (Expr::Var(from), Some(NeededValue::Variable(needed))) => from == needed && !self.lts.variable(*from).part.path.is_empty(),
            (Expr::Read(from, _), Some(NeededValue::Element(needed))) => from == needed,
            _ => false,
        };
        match self.missing.none.clone() {
            Some(none) if is_part && !self.missing.is_alone => {
                self.missing.needed = None;
                Ok(none)
            }
            _ => Err(stop),
        }
    }

    /// An evaluation needs a value where there is none.
    pub(super) fn without(&mut self, needed: NeededValue) -> Stop {
        self.missing.needed = Some(needed);
        Stop::Approximated
    }

    /// An operation of signed arithmetic, and whether it is defined.
    fn checked(&mut self, range: &IntRange, operation: &Expr) -> Result<Int, Stop> {
        let (value, tested) = match operation {
            Expr::Binary(BinaryOp::Rem, left, right) => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                let (quotient, remainder) = left.div_rem_trunc(&right).ok_or_else(division_by_zero)?;
                (remainder, quotient)
            }
            Expr::Binary(BinaryOp::ShiftLeft(width), left, right) => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                let count = shift_count(&right, *width)?;
                if left.is_negative() {
                    return Err(undefined(Undefined::Shift));
                }
                let value = left.shift_left(count);
                (value.clone(), value)
            }
            _ => {
                let value = self.eval(operation)?;
                (value.clone(), value)
            }
        };
        if range.contains(&tested) { Ok(value) } else { Err(undefined(Undefined::Overflow { value: tested })) }
    }

    /// The next value of the input; zero past its end, and brought into the range where it lies outside.
    pub(super) fn next_nondet(&mut self, range: Option<IntRange>) -> Int {
        let value = self.nondet.get(self.nondet_used).cloned().unwrap_or_default();
        let value = range.map_or(value.clone(), |range| range.wrap(&value));
        if let Some(drawn) = &mut self.drawn {
            drawn.push((value.clone(), Some(self.nondet_used)));
        }
        self.nondet_used += 1;
        value
    }

    /// A value that is read from standard input.
    fn read(&mut self, read: &Read, range: Option<IntRange>) -> Result<Int, Stop> {
        let value = match &mut self.text {
            Some(InputText::Given(given)) => match given.read(read, range) {
                _ if self.waits && given.met_end() => Err(Unread::NoText(NoText { draw: self.nondet_used, allowed: Vec::new() })),
                value => value,
            },
            Some(InputText::Growing(growing)) => {
                let wish = self.nondet.get(self.nondet_used).cloned();
                self.nondet_used += 1;
                growing.read(read, range, wish, self.nondet_used - 1).map_err(Unread::NoText)
            }
            None => Ok(Int::ZERO),
        };
        if let (Some(drawn), Ok(_) | Err(Unread::Kept)) = (&mut self.drawn, &value) {
            drawn.push((value.as_ref().ok().cloned().unwrap_or_default(), None));
        }
        value.map_err(|unread| match unread {
            Unread::Kept => Stop::Kept,
            Unread::Undefined(reason) => undefined(reason),
            Unread::NoText(why) => Stop::NoText(Box::new(why)),
        })
    }

    /// The next value of the input as the contents of an array: what the input says of them, else the value in each element.
    pub(super) fn next_contents(&mut self, array: ArrayId) -> Cells {
        let Array { range, length, .. } = self.lts.array(array);
        let given = u32::try_from(self.nondet_used).ok().and_then(|number| self.contents.get(&number));
        let default = self.next_nondet(*range);
        let Some(given) = given else { return Cells::given(&ArrayInput { default, ..ArrayInput::default() }) };
        let inside = |index: &Int| length.as_ref().is_none_or(|length| !index.is_negative() && index < length);
        let brought = |value: &Int| range.map_or_else(|| value.clone(), |range| range.wrap(value));
        let elements = given.elements.iter().filter(|(index, _)| inside(index));
        Cells::given(&ArrayInput {
            elements: gathered(elements.map(|(index, value)| (index.clone(), brought(value)))),
            default: brought(&given.default),
        })
    }

    /// What an array holds.
    pub fn held(&self, array: ArrayId) -> ArrayInput {
        self.arrays[array.0 as usize].held()
    }

    pub(super) fn check_index(&self, array: ArrayId, index: &Int) -> Result<(), Stop> {
        match &self.lts.array(array).length {
            Some(length) if index.is_negative() || index >= length => {
                Err(undefined(Undefined::OutOfBounds { array, index: index.clone(), length: length.clone() }))
            }
            _ => Ok(()),
        }
    }
}

/// What an operation on floating-point numbers gives.
fn computed(computation: &Computation, operands: &[Int]) -> Result<Int, Stop> {
    let Computation { op, format, .. } = computation;
    rank::compute_exactly(*op, *format, operands).ok_or_else(|| match (op, operands) {
        (FloatOp::ToInteger(_), [rank]) => undefined(Undefined::Conversion { number: format.text(rank.to_i64().unwrap_or_default()) }),
        _ => Stop::Approximated,
    })
}

fn undefined(reason: Undefined) -> Stop {
    Stop::Undefined(Box::new(reason))
}

/// The count of a shift, where it is defined.
fn shift_count(count: &Int, width: u32) -> Result<u32, Stop> {
    let small = count.to_i64().and_then(|count| u32::try_from(count).ok());
    small.filter(|&count| count < width).ok_or_else(|| undefined(Undefined::Shift))
}

fn bounded(value: Int) -> Result<Int, Stop> {
    if value.bits() > MAX_BITS { Err(Stop::TooLarge) } else { Ok(value) }
}

fn division_by_zero() -> Stop {
    undefined(Undefined::DivisionByZero)
}
