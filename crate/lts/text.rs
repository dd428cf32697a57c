//! Labels and expressions as people write them: C, with no more parentheses than needed.

use super::block_text::equality;
use super::number_text::{self, format_of, negated_number, of_numbers, operand_format};
use super::{
    Array, ArrayId, BinaryOp, CompareOp, Computation, Edge, Expr, FREED, InputSource, Label, Lts, Object, Read, ValueMeaning, VariableId,
    null_index,
};
use crate::logic::rank::{FloatFormat, FloatOp};
use crate::logic::{Int, IntRange};
use std::fmt::Write;

/// An edge's operation, e.g. `ia < la`, `A[ia + ib] = a[ia]`, `x = nondet()`. The side of a decision on which the
/// condition fails is written as what holds there: `ia >= la`, `!nondet()`, `x == 0`.
pub fn label(lts: &Lts, edge: &Edge) -> String {
    let name = |id: &super::VariableId| lts.variable(*id).name.as_str();
    match &edge.label {
        Label::Skip => "skip".into(),
        Label::Assume { condition, holds } => match &edge.order {
            Some(order) => order.to_string(),
            None => assumption(lts, condition, *holds),
        },
        Label::Assign(variable, value) => format!("{} = {}", name(variable), value_of(lts, &Expr::Var(*variable), value)),
        Label::Store { array, index, .. } if lts.array(*array).member_of_nodes.as_deref() == Some(FREED) => {
            format!("free({})", expr(lts, index))
        }
        Label::Store { array, index, value } => {
            let element = Expr::Read(*array, Box::new(index.clone()));
            format!("{} = {}", expr(lts, &element), value_of(lts, &element, value))
        }
        Label::Fill(array, values) => fill(lts, *array, values),
        Label::Havoc(variable) => format!("{} = {}", name(variable), origin(lts, edge)),
        Label::HavocArray(array) => havoc(lts, *array, &origin(lts, edge)),
    }
}

/// Where an arbitrary value comes from: a function without a body that writes it, or `nondet()`.
fn origin(lts: &Lts, edge: &Edge) -> String {
    let external = edge.external.and_then(|number| lts.outside.functions.get(number as usize));
    external.map_or_else(|| "nondet()".to_owned(), |name| format!("nondet() by {name}()"))
}

/// Arbitrary contents of an array, of one that keeps several objects those of all of them.
fn havoc(lts: &Lts, array: ArrayId, origin: &str) -> String {
    let Array { name, objects, .. } = lts.array(array);
    let of = |object: &Object| format!("{}{} = {origin}", object.name, if object.is_scalar { "" } else { "[…]" });
    if objects.is_empty() { format!("{name}[…] = {origin}") } else { objects.iter().map(of).collect::<Vec<_>>().join(", ") }
}

/// New elements of an array, of one that keeps several objects those of each in turn, without what stays as it is.
fn fill(lts: &Lts, array: ArrayId, values: &[Expr]) -> String {
    let element = |at: usize| Expr::Read(array, Box::new(Expr::Int(Int::from(at))));
    let list = |own: &[(usize, &Expr)]| {
        let mut list: Vec<String> = own.iter().take(8).map(|&(at, value)| value_of(lts, &element(at), value)).collect();
        if own.len() > 8 {
            list.push("…".into());
        }
        list.join(", ")
    };
    let all: Vec<(usize, &Expr)> = values.iter().enumerate().collect();
    let objects = &lts.array(array).objects;
    if objects.is_empty() {
        return format!("{} = {{{}}}", lts.array(array).name, list(&all));
    }
    let filled = objects.iter().enumerate().filter_map(|(turn, object)| {
        let own: Vec<(usize, &Expr)> = all.iter().skip(turn).step_by(objects.len()).copied().collect();
        let own = if object.is_scalar { &own[..own.len().min(1)] } else { &own[..] };
        let values = list(own);
        let stays = own.iter().all(|&(at, value)| *value == element(at));
        (!stays).then(|| if object.is_scalar { format!("{} = {values}", object.name) } else { format!("{} = {{{values}}}", object.name) })
    });
    filled.collect::<Vec<_>>().join(", ")
}

/// Of an index in an array that keeps so many objects: which object it is of, and the index in that.
fn object_and_index(count: usize, index: &Expr) -> (Expr, Expr) {
    let count = Int::from(count);
    match index {
        Expr::Int(at) => match at.div_rem_floor(&count) {
            Some((index, turn)) => (Expr::Int(turn), Expr::Int(index)),
            None => (Expr::Int(Int::ZERO), index.clone()),
        },
        Expr::Binary(BinaryOp::Mul, own, factor) if **factor == Expr::Int(count.clone()) => (Expr::Int(Int::ZERO), (**own).clone()),
        Expr::Binary(BinaryOp::Add, flat, turn) => match &**flat {
            Expr::Binary(BinaryOp::Mul, own, factor) if **factor == Expr::Int(count.clone()) => ((**turn).clone(), (**own).clone()),
            Expr::Int(at) => ((**turn).clone(), Expr::Int(at.div_rem_floor(&count).map_or(Int::ZERO, |(index, _)| index))),
            _ => (index.clone(), Expr::Int(Int::ZERO)),
        },
        _ => (index.clone(), Expr::Int(Int::ZERO)),
    }
}

/// The name of an object and an index in it, if it is of an array that keeps several and is known which: `None` of a scalar's index.
pub fn object_element<'a>(lts: &'a Lts, array: ArrayId, index: &Int) -> Option<(&'a str, Option<Int>)> {
    let objects = &lts.array(array).objects;
    let (index, turn) = index.div_rem_floor(&Int::from(objects.len()))?;
    let object = objects.get(usize::try_from(turn.to_i64()?).ok()?)?;
    Some((&object.name, (!object.is_scalar).then_some(index)))
}

/// What holds where `condition ≠ 0` is `holds`.
pub fn assumption(lts: &Lts, condition: &Expr, holds: bool) -> String {
    match (condition, holds) {
        // Neither `x <= 0` nor `x > 0` holds where `x` is not a number.
        (Expr::Compare(op, a, b), false)
            if !matches!(op, CompareOp::Eq | CompareOp::Ne) && [a, b].into_iter().any(|side| format_of(lts, side).is_some()) =>
        {
            format!("!({})", expr(lts, condition))
        }
        (Expr::Compare(op, a, b), false) => expr(lts, &Expr::Compare(op.negated(), a.clone(), b.clone())),
        // The opposite of an equality of pointers.
        (Expr::Binary(..), false) if let Some((op, text)) = equality(lts, condition, &|e, least| written(lts, e, least)) => match op {
            CompareOp::Eq => text.replacen(" == ", " != ", 1),
            _ => text.replacen(" != ", " == ", 1),
        },
        (Expr::Nondet(_, InputSource::Order(first, other)), holds) => if holds { first } else { other }.to_string(),
        (_, true) => expr(lts, condition),
        (Expr::Binary(..), false) if let Some(comparison) = of_numbers(lts, condition) => format!("!({})", expr(lts, comparison)),
        (Expr::Not(inner), false) => expr(lts, inner),
        (Expr::Nondet(..) | Expr::Int(_), false) => format!("!{}", expr(lts, condition)),
        (_, false) => expr(lts, &Expr::Compare(CompareOp::Eq, Box::new(condition.clone()), Box::new(Expr::Int(0.into())))),
    }
}

/// What each value is that an edge draws from the input, but for those read from standard input, in order: `nondet()`, `r (volatile)`, or
/// what an order of evaluation begins with where the value is not 0, and where it is.
pub fn draws(lts: &Lts, edge: &Edge) -> Vec<[String; 2]> {
    let mut found = Vec::new();
    match edge.label {
        Label::Havoc(_) | Label::HavocArray(_) if edge.external.is_some() => found.push([(); 2].map(|()| label(lts, edge))),
        Label::Havoc(_) => found.push(["nondet()".into(), "nondet()".into()]),
        Label::HavocArray(array) => found.push([(); 2].map(|()| format!("contents of {}", lts.array(array).name))),
        _ => {}
    }
    let operands = edge.label.operands().into_iter().chain(edge.prints.iter().flat_map(super::Print::operands)).chain(&edge.returns);
    for operand in operands {
        operand.walk(&mut |e| match e {
            Expr::Nondet(_, InputSource::Order(first, other)) => found.push([first.to_string(), other.to_string()]),
            Expr::Nondet(_, InputSource::Stdin(_)) => {}
            Expr::Nondet(..) => found.push([expr(lts, e), expr(lts, e)]),
            _ => {}
        });
    }
    found
}

/// How a value that a call of `nondet()` or its like draws is called.
pub const NONDET: &str = "nondet()";

/// How a call that asks for memory is called: what it draws is 1 where it gives none.
pub const ALLOCATION: &str = "malloc()";

/// How it is called whether a function without a body writes nodes, in front of its name.
pub const WRITTEN_NODES: &str = "nodes written by";

/// How a value is called that stands for what arithmetic gives: a run does not use it.
pub const COMPUTED: &str = "computed";

/// The values that each draw of an edge can give, in order; with `reads` also what is read from standard input.
pub fn drawn_ranges(lts: &Lts, edge: &Edge, reads: bool) -> Vec<Option<IntRange>> {
    let mut found: Vec<Option<IntRange>> = match edge.label {
        Label::Havoc(variable) => vec![lts.variable(variable).range],
        Label::HavocArray(array) => vec![lts.array(array).range],
        _ => Vec::new(),
    };
    let operands = edge.label.operands().into_iter().chain(edge.prints.iter().flat_map(super::Print::operands)).chain(&edge.returns);
    operands.for_each(|operand| found.extend(ranges_in(operand, reads)));
    found
}

/// As [`drawn_ranges`], of an expression.
pub fn ranges_in(operand: &Expr, reads: bool) -> Vec<Option<IntRange>> {
    let mut found = Vec::new();
    operand.walk(&mut |e| match e {
        Expr::Nondet(_, InputSource::Stdin(_)) if !reads => {}
        Expr::Nondet(range, _) => found.push(*range),
        _ => {}
    });
    found
}

/// What each value is that an edge draws, but for those read from standard input, in order: `nondet()`, `volatile r`, `read(fd)`.
pub fn drawn_by(lts: &Lts, edge: &Edge) -> Vec<String> {
    let writer = edge.external.and_then(|number| lts.outside.functions.get(number as usize));
    let by = |what: &str| writer.map_or_else(|| NONDET.to_owned(), |writer| format!("{what} after {writer}()"));
    let mut found: Vec<String> = match edge.label {
        Label::Havoc(variable) if writer.is_none() && lts.variable(variable).values == ValueMeaning::Null => vec![ALLOCATION.to_owned()],
        Label::Havoc(variable) => vec![by(&lts.variable(variable).name)],
        Label::HavocArray(array) => vec![by(&lts.array(array).name)],
        _ => Vec::new(),
    };
    let operands = edge.label.operands().into_iter().chain(edge.prints.iter().flat_map(super::Print::operands)).chain(&edge.returns);
    found.extend(operands.flat_map(|operand| drawn_in(lts, operand)));
    found
}

/// As [`drawn_by`], of an expression.
pub fn drawn_in(lts: &Lts, operand: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    operand.walk(&mut |e| match e {
        Expr::Nondet(_, InputSource::Stdin(_)) => {}
        Expr::Nondet(_, InputSource::Volatile(object)) => found.push(format!("volatile {object}")),
        Expr::Nondet(_, InputSource::Order(first, other)) => found.push(format!("{first}, not {other}")),
        Expr::Nondet(_, InputSource::Unspecified(part)) => found.push(format!("unspecified {part}")),
        Expr::Nondet(_, InputSource::WrittenNodes(function)) => found.push(format!("{WRITTEN_NODES} {function}()")),
        Expr::Nondet(_, InputSource::Computed(_)) => found.push(COMPUTED.to_owned()),
        Expr::Nondet(_, InputSource::Allocation) => found.push(ALLOCATION.to_owned()),
        Expr::Nondet(..) => found.push(expr(lts, e)),
        _ => {}
    });
    found
}

/// An expression in C.
pub fn expr(lts: &Lts, e: &Expr) -> String {
    let mut out = String::new();
    write(lts, e, 0, &mut out);
    out
}

/// How strongly an expression's outermost operator binds.
fn strength(e: &Expr) -> u8 {
    match e {
        Expr::Nondet(_, InputSource::Computed(computation)) => match computation.op {
            FloatOp::Add | FloatOp::Sub => 7,
            FloatOp::Mul | FloatOp::Div => 8,
            FloatOp::Convert(_) | FloatOp::FromInteger | FloatOp::ToInteger(_) => 9,
            _ => 10,
        },
        Expr::Binary(BinaryOp::Or, ..) => 1,
        Expr::Binary(BinaryOp::Xor, ..) => 2,
        Expr::Binary(BinaryOp::And, ..) => 3,
        Expr::Compare(CompareOp::Eq | CompareOp::Ne, ..) => 4,
        Expr::Compare(..) => 5,
        Expr::Binary(BinaryOp::ShiftLeft(_) | BinaryOp::ShiftRight(_), ..) => 6,
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => 7,
        Expr::Binary(..) => 8,
        Expr::Neg(_) | Expr::Not(_) => 9,
        Expr::Convert(range, inner) if type_name(range).is_some() && !wraps_arithmetic(range, inner) => 9,
        Expr::Int(value) if value.is_negative() => 9,
        Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Guarded(_, _, inner) | Expr::Convert(_, inner) => strength(inner),
        Expr::Int(_) | Expr::Var(_) | Expr::Read(..) | Expr::Nondet(..) => 10,
    }
}

/// Whether a conversion stands for the wrapping around of unsigned arithmetic.
fn wraps_arithmetic(range: &IntRange, inner: &Expr) -> bool {
    let unsigned = [32, 64].iter().any(|&bits| IntRange::of_bits(bits, false) == *range);
    unsigned && matches!(inner, Expr::Binary(..) | Expr::Neg(_))
}

/// The C type with these values, where one has them.
fn type_name(range: &IntRange) -> Option<&'static str> {
    let types = [
        ("signed char", 8, true),
        ("unsigned char", 8, false),
        ("short", 16, true),
        ("unsigned short", 16, false),
        ("int", 32, true),
        ("unsigned", 32, false),
        ("long", 64, true),
        ("unsigned long", 64, false),
    ];
    types.iter().find(|&&(_, bits, signed)| IntRange::of_bits(bits, signed) == *range).map(|&(name, ..)| name)
}

/// What a value of a variable is the address of, where it is one and has a name: `NULL` or a function's.
pub fn address<'a>(lts: &'a Lts, variable: VariableId, value: &Int) -> Option<&'a str> {
    named(lts, lts.variable(variable).values, value)
}

/// The same of an element of an array.
pub fn address_in<'a>(lts: &'a Lts, array: ArrayId, value: &Int) -> Option<&'a str> {
    named(lts, lts.array(array).values, value)
}

/// The name of a value with this meaning, where it has one.
pub fn named<'a>(lts: &'a Lts, values: ValueMeaning, value: &Int) -> Option<&'a str> {
    match values {
        ValueMeaning::Integers
        | ValueMeaning::Characters
        | ValueMeaning::Truths
        | ValueMeaning::Null
        | ValueMeaning::Addresses
        | ValueMeaning::ElementIndices => None,
        ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. } => value.is_zero().then_some("NULL"),
        ValueMeaning::Constants(number) => {
            let constants = lts.value_names.enumerations.get(number as usize)?;
            constants.iter().find(|(_, own)| own == value).map(|(name, _)| name.as_str())
        }
        ValueMeaning::Indices | ValueMeaning::Objects(_) if *value == null_index() => Some("NULL"),
        ValueMeaning::Indices => None,
        ValueMeaning::Objects(class) => {
            let names = lts.value_names.classes.get(class as usize)?;
            names.get(usize::try_from(value.to_i64()?).ok()?).map(String::as_str)
        }
        ValueMeaning::Members(class) => {
            let names = lts.value_names.classes.get(class as usize)?;
            names.get(usize::try_from(value.to_i64()?).ok()?.checked_sub(1)?).map(String::as_str)
        }
        ValueMeaning::Functions => match usize::try_from(value.to_i64()?).ok()?.checked_sub(1) {
            None => Some("NULL"),
            Some(at) => Some(lts.value_names.functions.get(at).map_or("a function outside", String::as_str)),
        },
    }
}

/// Writes an operand of an operation on numbers of a format.
fn write_number(lts: &Lts, format: Option<FloatFormat>, e: &Expr, least: u8, out: &mut String) {
    match (format, e) {
        (Some(format), Expr::Int(rank)) => out.push_str(&format.text(rank.to_i64().unwrap_or(i64::MAX))),
        _ => write(lts, e, least, out),
    }
}

/// Writes an operation on numbers.
fn write_computation(lts: &Lts, computation: &Computation, own: u8, out: &mut String) {
    let Computation { op, format, operands, .. } = computation;
    let (sign, of_operands) = (number_text::sign(*op, *format), operand_format(*op, *format));
    match &operands[..] {
        [a, b] if own < 9 => {
            write_number(lts, of_operands, a, own, out);
            out.push_str(sign);
            write_number(lts, of_operands, b, own + 1, out);
        }
        [a] if own == 9 => {
            let _ = write!(out, "({sign})");
            write_number(lts, of_operands, a, 9, out);
        }
        operands => {
            out.push_str(sign);
            out.push('(');
            for (at, operand) in operands.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_number(lts, of_operands, operand, 0, out);
            }
            out.push(')');
        }
    }
}

/// A value as one of what `lvalue` is, a variable or an element.
pub fn value_of(lts: &Lts, lvalue: &Expr, value: &Expr) -> String {
    if let (Some(format), Expr::Int(rank)) = (format_of(lts, lvalue), value) {
        return format.text(rank.to_i64().unwrap_or(i64::MAX));
    }
    if let Some(cell) = super::node_text::address(lts, lvalue, value, &|e, least| written(lts, e, least)) {
        return cell;
    }
    address_at(lts, lvalue, value).map_or_else(|| expr(lts, value), str::to_owned)
}

fn address_at<'a>(lts: &'a Lts, lvalue: &Expr, value: &Expr) -> Option<&'a str> {
    let Expr::Int(number) = value else { return None };
    match lvalue {
        Expr::Var(variable) => address(lts, *variable, number),
        Expr::Read(array, _) => address_in(lts, *array, number),
        Expr::Guarded(_, _, inner) | Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Convert(_, inner) => {
            address_at(lts, inner, value)
        }
        _ => None,
    }
}

/// Of a character in one of the program's strings: the string's address, or the variable that says which it is, and the index in it.
fn in_string<'a>(lts: &Lts, array: ArrayId, index: &'a Expr) -> Option<(&'a Expr, &'a Expr)> {
    const FIRST: Expr = Expr::Int(Int::ZERO);
    if !lts.array(array).is_of_strings() {
        return None;
    }
    let (start, at) = match index {
        Expr::Binary(BinaryOp::Add, start, at) => (&**start, &**at),
        start => (start, &FIRST),
    };
    let Expr::Binary(BinaryOp::Mul, row, _) = start else { return None };
    match &**row {
        row @ Expr::Var(_) => Some((row, at)),
        Expr::Binary(BinaryOp::Sub, quotient, _) => match &**quotient {
            Expr::Binary(BinaryOp::Div, address, _) => Some((address, at)),
            _ => None,
        },
        _ => None,
    }
}

/// A part of an expression, in brackets where it binds less than so much.
fn written(lts: &Lts, e: &Expr, least: u8) -> String {
    let mut text = String::new();
    write(lts, e, least, &mut text);
    text
}

fn write(lts: &Lts, e: &Expr, least: u8, out: &mut String) {
    if let Some(comparison) = of_numbers(lts, e) {
        return write(lts, comparison, least, out);
    }
    if let Some(inner) = negated_number(lts, e) {
        return write(lts, &Expr::Neg(Box::new(inner.clone())), least, out);
    }
    let own = strength(e);
    // These write their operand, with parentheses of its own.
    let passes = matches!(e, Expr::Checked(..) | Expr::Within(..) | Expr::Guarded(..))
        || matches!(e, Expr::Convert(range, inner) if type_name(range).is_none() || wraps_arithmetic(range, inner));
    let own = if passes { least } else { own };
    if own < least {
        out.push('(');
    }
    match e {
        Expr::Int(value) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{value}");
        }
        Expr::Var(id) => out.push_str(&lts.variable(*id).name),
        Expr::Read(id, index) if let Some((string, at)) = in_string(lts, *id, index) => {
            write(lts, string, 10, out);
            out.push('[');
            write(lts, at, 0, out);
            out.push(']');
        }
        Expr::Read(id, index)
            if let Some(element) = super::block_text::block_element(lts, *id, index, &|e, least| written(lts, e, least)) =>
        {
            out.push_str(&element);
        }
        Expr::Read(id, index) if let Some(member) = &lts.array(*id).member_of_nodes => {
            out.push_str(&super::node_text::member(lts, lts.array(*id), member, index, &|e, least| written(lts, e, least)));
        }
        Expr::Read(id, index) if !lts.array(*id).objects.is_empty() => {
            let objects = &lts.array(*id).objects;
            let (object, index) = object_and_index(objects.len(), index);
            let single = match &object {
                Expr::Int(turn) => turn.to_i64().and_then(|turn| objects.get(usize::try_from(turn).ok()?)),
                _ => None,
            };
            match single {
                Some(object) => out.push_str(&object.name),
                None => write(lts, &object, 10, out),
            }
            if !single.is_some_and(|object| object.is_scalar) {
                if single.is_none() {
                    out.push_str(&objects[0].member);
                }
                out.push('[');
                write(lts, &index, 0, out);
                out.push(']');
            }
        }
        Expr::Read(id, index) => {
            let Array { name, part, .. } = lts.array(*id);
            let (elements, member) = name.split_at(name.len() - part.member_of_elements(name).map_or(0, str::len));
            out.push_str(elements);
            out.push('[');
            write(lts, index, 0, out);
            out.push(']');
            out.push_str(member);
        }
        Expr::Nondet(_, source) => match source {
            InputSource::Call => out.push_str(NONDET),
            InputSource::Allocation => out.push_str("malloc_fails()"),
            InputSource::Approximated => out.push_str("approximated"),
            InputSource::Deeper => out.push_str("goes deeper"),
            InputSource::Computed(computation) => write_computation(lts, computation, own, out),
            InputSource::External(call) => out.push_str(call),
            InputSource::Volatile(object) => {
                out.push_str(object);
                out.push_str(" (volatile)");
            }
            InputSource::Order(first, _) => out.push_str(first),
            InputSource::WrittenNodes(function) => {
                out.push_str(WRITTEN_NODES);
                out.push(' ');
                out.push_str(function);
                out.push_str("()");
            }
            InputSource::Unspecified(part) => {
                out.push_str(part);
                out.push_str(" (unspecified)");
            }
            InputSource::Stdin(read) => out.push_str(match read {
                Read::Character => "getchar()",
                Read::EndOfFile => "feof(stdin)",
                Read::Clear => "clearerr(stdin)",
                Read::Status(_) | Read::Call(_) | Read::Value { .. } | Read::HasCount { .. } | Read::Letter { .. } => "scanf()",
            }),
        },
        Expr::Neg(a) | Expr::Not(a) => {
            out.push(if matches!(e, Expr::Neg(_)) { '-' } else { '!' });
            // `- -x` would read as a decrement.
            let again = matches!(**a, Expr::Neg(_)) || matches!(&**a, Expr::Int(v) if v.is_negative());
            write(lts, a, if again { 10 } else { 9 }, out);
        }
        Expr::Binary(..) if let Some((_, text)) = equality(lts, e, &|e, least| written(lts, e, least)) => out.push_str(&text),
        Expr::Binary(op, a, b) => {
            let sign = match op {
                BinaryOp::Add => " + ",
                BinaryOp::Sub => " - ",
                BinaryOp::Mul => " * ",
                BinaryOp::Div => " / ",
                BinaryOp::Rem => " % ",
                BinaryOp::And => " & ",
                BinaryOp::Or => " | ",
                BinaryOp::Xor => " ^ ",
                BinaryOp::ShiftLeft(_) => " << ",
                BinaryOp::ShiftRight(_) => " >> ",
            };
            write(lts, a, own, out);
            out.push_str(sign);
            write(lts, b, own + 1, out);
        }
        // What C converts or leaves undefined by itself is not written.
        Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Guarded(_, _, inner) => write(lts, inner, least, out),
        // Unsigned arithmetic is in its type anyway.
        Expr::Convert(range, inner) if wraps_arithmetic(range, inner) => write(lts, inner, least, out),
        Expr::Convert(range, inner) => match type_name(range) {
            Some(name) => {
                let _ = write!(out, "({name})");
                write(lts, inner, 9, out);
            }
            None => write(lts, inner, least, out),
        },
        Expr::Compare(op, a, b) => {
            let sign = match op {
                CompareOp::Lt => " < ",
                CompareOp::Le => " <= ",
                CompareOp::Gt => " > ",
                CompareOp::Ge => " >= ",
                CompareOp::Eq => " == ",
                CompareOp::Ne => " != ",
            };
            // A comparison of comparisons is legal but misleading without parentheses.
            let format = format_of(lts, a).or_else(|| format_of(lts, b));
            write_number(lts, format, a, 6, out);
            out.push_str(sign);
            let of_node = super::node_text::address(lts, a, b, &|e, least| written(lts, e, least));
            match (of_node.as_deref(), address_at(lts, a, b)) {
                (Some(address), _) | (None, Some(address)) => out.push_str(address),
                (None, None) if format.is_some() => write_number(lts, format, b, 6, out),
                (None, None) => write(lts, b, 6, out),
            }
        }
    }
    if own < least {
        out.push(')');
    }
}

#[cfg(test)]
mod tests {
    use crate::{lang, lts::lower::lower};

    /// The labels of `x = <text>;`'s only edge and of the two sides of `if (<text>)`.
    fn labels(text: &str) -> (String, Vec<String>) {
        let print = |body: &str| -> Vec<String> {
            let source = format!("int f(int a, int b, int c, int *m) {{ int x; {body} return 0; }}");
            let program = lang::parse(&source).program.unwrap_or_default();
            let lts = lower(&program, None).map(|l| l.lts).unwrap_or_else(|e| panic!("{e:?}"));
            lts.graph.edge_weights().map(|e| super::label(&lts, e)).collect()
        };
        (print(&format!("x = {text};")).remove(0), print(&format!("if ({text}) ;")))
    }

    #[test]
    fn parentheses_only_where_needed() {
        for text in [
            "a + b - c",
            "a - (b - c)",
            "a * (b + c)",
            "-(a + b)",
            "-(-a)",
            "!(a < b)",
            "(a < b) == c",
            "a / b / c",
            "a / (b / c)",
            "m[a + b * c]",
            "!a",
            "-3",
        ] {
            assert_eq!(labels(text).0, format!("x = {text}"));
        }
        assert_eq!(labels("((a)) + (b * c)").0, "x = a + b * c");
    }

    #[test]
    fn the_failing_side_says_what_holds_there() {
        assert_eq!(labels("a < b").1, ["a < b", "a >= b"]);
        assert_eq!(labels("a == b").1, ["a == b", "a != b"]);
        assert_eq!(labels("a").1, ["a", "a == 0"]);
        assert_eq!(labels("a + b").1, ["a + b", "a + b == 0"]);
        assert_eq!(labels("nondet()").1, ["nondet()", "!nondet()"]);
        assert_eq!(labels("!a").1, ["a", "a == 0"]);
    }
}
