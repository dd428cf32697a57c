//! The value of a call inside an expression: of a function with a body, of an intrinsic function, or arbitrary.

use super::Lowerer;
use super::expression::{CHARACTER, Effects, Outcome, Step};
use super::stdin::where_streams_work;
use crate::lang::ast::{Expr as Tree, ExprKind, Name, StructId};
use crate::lang::intrinsic::{self, DrawnType, Intrinsic};
use crate::lang::library;
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, InputSource, Requirement, ValueMeaning, VariableId};

impl<'a> Lowerer<'a> {
    #[inline(never)]
    pub(super) fn call_value(&mut self, name: &'a Name, arguments: &'a [Tree], e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        if name.text == intrinsic::NO_FUNCTION {
            return Expr::Guarded(Requirement::Function, Box::new(Expr::Int(Int::ZERO)), Box::new(Expr::Int(Int::ZERO)));
        }
        if let (intrinsic::ONE_OF_FUNCTIONS, [pointer, functions @ ..]) = (name.text.as_str(), arguments) {
            let address = self.value(pointer, effects);
            let is = |function: &Tree| match &function.kind {
                ExprKind::Int(number) => Expr::Compare(CompareOp::Eq, Box::new(address.clone()), Box::new(Expr::Int(number.clone()))),
                _ => Expr::Int(Int::ZERO),
            };
            let either = |a, b| Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b));
            let one = functions.iter().map(is).reduce(either).unwrap_or(Expr::Int(Int::ZERO));
            return Expr::Guarded(Requirement::Function, Box::new(one), Box::new(address));
        }
        if let (intrinsic::FROM_OUTSIDE, [pointer, functions]) = (name.text.as_str(), arguments) {
            let (address, last) = (self.value(pointer, effects), self.value(functions, effects));
            let other = Expr::Compare(CompareOp::Gt, Box::new(address.clone()), Box::new(last));
            return Expr::Guarded(Requirement::Function, Box::new(other), Box::new(address));
        }
        if let Some(value) = self.of_nodes(name, arguments, effects) {
            return value;
        }
        let function = self.functions.get(name.text.as_str()).copied();
        if let Some(value) = self.number_in_argument(name, arguments) {
            return value;
        }
        match (self.intrinsic(name), arguments) {
            (Some(Intrinsic::Nondet(ty)), _) => return self.arbitrary(ty.of(self.abi())),
            (Some(Intrinsic::Choice { is_of_pair }), _) => {
                let (first, other) = if is_of_pair { (library::OTHER_PAIR, "the usual ones") } else { ("equal elements swapped", "kept") };
                return Expr::Nondet(Some(IntRange { least: 0, greatest: 1 }), InputSource::Order(first.into(), other.into()));
            }
            (Some(Intrinsic::Padding), [Tree { kind: ExprKind::Int(number), .. }]) => {
                return self.padding(StructId(number.to_i64().and_then(|number| u32::try_from(number).ok()).unwrap_or_default()));
            }
            (Some(Intrinsic::AllocationFails), _) => return Expr::Nondet(self.range(Integer::Bool), InputSource::Allocation),
            (Some(Intrinsic::Random), _) => return Expr::Nondet(Some(self.abi().random()), InputSource::External("rand()".into())),
            (Some(intrinsic @ (Intrinsic::GetCharacter | Intrinsic::Letter)), _) => return self.read_value(intrinsic, e.span, effects),
            (Some(Intrinsic::EndOfFile), _) => return self.end_of_file(e.span, effects),
            (Some(Intrinsic::ReadError), _) => return where_streams_work(Expr::Int(Int::ZERO)),
            (Some(Intrinsic::Character), [value]) => {
                let value = self.value(value, effects);
                return Expr::Within(Requirement::Argument, CHARACTER, Box::new(value));
            }
            (Some(Intrinsic::Number(op)), operands) => {
                let operands = operands.iter().map(|operand| self.value(operand, effects)).collect();
                return super::floating::operation_value(op, operands);
            }
            (Some(Intrinsic::First), [first, second]) => {
                effects.before.push(Step::Effect(second));
                return self.value(first, effects);
            }
            (Some(intrinsic @ (Intrinsic::Overflows | Intrinsic::Wraps)), [operation, like]) => {
                return self.exactly(intrinsic, operation, like.ty, effects);
            }
            (Some(Intrinsic::ArgumentValue), [argument]) => {
                return match self.argument_value(argument) {
                    Some(value) => value,
                    None => self.arbitrary(Integer::Int),
                };
            }
            (Some(Intrinsic::Scan), [..]) => {
                let status = self.read_result(intrinsic::Intrinsic::Scan, e.span);
                effects.before.push(Step::Scan(e, status.clone()));
                return status.read();
            }
            (Some(Intrinsic::Absolute), [_]) => return self.chosen(e, effects),
            (Some(Intrinsic::OfStream), _) => {
                effects.before.push(Step::Effect(e));
                return where_streams_work(Expr::Int(Int::ZERO));
            }
            (Some(intrinsic), _) if intrinsic.prints() => {
                effects.before.push(Step::Effect(e));
                return self.printed_length(intrinsic, arguments, e.span);
            }
            (Some(intrinsic), _) => {
                effects.before.push(Step::Effect(e));
                return intrinsic.result(self.abi()).map_or(Expr::Int(Int::ZERO), |ty| self.arbitrary(ty));
            }
            _ => {}
        }
        match function {
            Some(function) => {
                let shown = library::written_name(&name.text);
                let result = self.variable(format!("{shown}.result"), crate::lts::Origin::Inlined, name.span, e.ty);
                self.own_variable(result, None);
                self.note_result_of_nodes(result, name);
                effects.before.push(Step::Call { function, arguments, result: Outcome::Scalar(result), span: e.span });
                Expr::Var(result)
            }
            // Only declared: its arguments are evaluated, its result is arbitrary.
            None => {
                effects.before.extend(arguments.iter().filter(|argument| !matches!(argument.kind, ExprKind::Str(_))).map(Step::Effect));
                effects.before.push(Step::External(&name.text, arguments, e.span));
                if e.ty == Integer::Node && name.text != intrinsic::APPROXIMATED {
                    let result = self.variable(format!("{}.result", name.text), crate::lts::Origin::Inlined, name.span, e.ty);
                    self.note_result_of_nodes(result, name);
                    effects.before.push(Step::NodeFromOutside(result, &name.text, e.span));
                    return Expr::Var(result);
                }
                let source = if name.text == intrinsic::APPROXIMATED {
                    InputSource::Approximated
                } else if intrinsic::only_draws(&name.text, arguments.len()) {
                    InputSource::Call
                } else {
                    InputSource::External(super::spelling::spelled(e).into())
                };
                // A message is always there.
                let is_there = name.text == "strerror";
                Expr::Nondet(self.range(e.ty).map(|range| if is_there { IntRange { least: 1, ..range } } else { range }), source)
            }
        }
    }

    /// Notes the structure to whose nodes the result of a call leads.
    fn note_result_of_nodes(&mut self, result: VariableId, name: &Name) {
        if let Some(StructId(structure)) = self.program.nodes.results.get(&name.text) {
            self.variables[result.0 as usize].values = ValueMeaning::Nodes { structure: *structure, least: 0 };
        }
    }

    /// What the library's `atoi` gives of a string that is in no array of the program: of one of the command line's arguments its number,
    /// which is an input; of any other an arbitrary value.
    pub(super) fn number_in_argument(&mut self, name: &Name, arguments: &'a [Tree]) -> Option<Expr> {
        let number = *self.functions.get("atoi").filter(|_| name.text == "atoi")?;
        let [argument] = arguments else { return None };
        if !self.program.functions[number].library {
            return None;
        }
        match self.argument_value(argument) {
            None if self.pointee(argument, &mut Effects::default()).is_some() => None,
            value => Some(value.unwrap_or_else(|| self.arbitrary(Integer::Int))),
        }
    }

    /// An arbitrary value of the type.
    pub(super) fn arbitrary(&self, ty: Integer) -> Expr {
        Expr::nondet(self.range(ty))
    }

    /// What a function of the name means by itself, where the program does not define it. One whose body only declares a variable and
    /// gives it back, without a value, gives an arbitrary value.
    pub(super) fn intrinsic(&self, name: &Name) -> Option<Intrinsic> {
        match self.functions.get(name.text.as_str()) {
            Some(&own) => self.program.functions[own].gives_anything(self.abi()).map(|ty| Intrinsic::Nondet(DrawnType::Of(ty))),
            None => intrinsic::find(&name.text),
        }
    }
}
