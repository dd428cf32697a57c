//! The arguments of a call, and the objects that they lead to.

use super::freed::is_freed;
use super::leaves::{Leaf, pointer, values};
use super::names::plain;
use super::object_part::object;
use super::step::{TestStep, lead, scalar};
use super::test::{TestLine, TestWriter};
use super::types::constant;
use super::value::ObjectValue;
use crate::lang::ast::{ExprKind, Function, Length, Parameter, Qualifiers, Shape, Type};
use crate::logic::Int;
use crate::lts::ValueMeaning;

impl TestWriter<'_> {
    /// The arguments of the call; objects that they point to are declared in `lines`.
    pub fn arguments(
        &self,
        step: &TestStep,
        function: &Function,
        lines: &mut Vec<TestLine>,
        expected: &mut Vec<TestLine>,
    ) -> Result<Vec<String>, String> {
        let lts = &step.loaded.lts;
        let mut arguments: Vec<String> = Vec::new();
        let mut later = Vec::new();
        for (at, parameter) in function.written_parameters().iter().enumerate() {
            let name = &parameter.name.text;
            arguments.push(match lead(lts, step, name) {
                Some((base, offset)) => {
                    later.push((at, base, offset));
                    String::new()
                }
                None => self.argument(step, function, parameter, lines, expected)?,
            });
        }
        // A pointer into the array of another parameter, or of a global.
        for (at, base, offset) in later {
            let name = &function.parameters[at].name.text;
            if scalar(lts, step, &format!("{name}.null")).is_some_and(|null| !null.is_zero()) {
                arguments[at] = "0".to_owned();
                continue;
            }
            let base = match function.parameters.iter().position(|parameter| parameter.name.text == base) {
                Some(other) => arguments[other].clone(),
                None => self.types.name(&base).ok_or_else(|| format!("`{name}` leads to an object of another file"))?.to_owned(),
            };
            arguments[at] = match offset.to_i64() {
                Some(0) => base,
                Some(offset) if (-4_000..0).contains(&offset) => format!("{base} - {}", -offset),
                Some(offset) if (0..4_000).contains(&offset) => format!("{base} + {offset}"),
                _ => return Err(format!("`{name}` leads further from `{base}` than any array of a test")),
            };
        }
        Ok(arguments)
    }

    fn argument(
        &self,
        step: &TestStep,
        function: &Function,
        parameter: &Parameter,
        lines: &mut Vec<TestLine>,
        expected: &mut Vec<TestLine>,
    ) -> Result<String, String> {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        let decl = program.decl(parameter.decl);
        let own: Vec<&Leaf> = step.leaves.iter().filter(|leaf| leaf.part.decl == parameter.decl).collect();
        if let Shape::Scalar(integer) = &decl.shape {
            // A parameter that changes has its first value in the same variable.
            let value = own.first().and_then(|leaf| leaf.cells.first()).map(|(_, before, _)| before.clone());
            return Ok(constant(*integer, program.abi, &value.unwrap_or_default()));
        }
        let name = self.local(&decl.name);
        if let Some(strings) = self.strings(step, &decl.name) {
            return self.command_line(&name, strings, step, lines);
        }
        if scalar(lts, step, &format!("{}.null", decl.name)).is_some_and(|null| !null.is_zero()) {
            return Ok("0".to_owned());
        }
        let is_of_nodes = |leaf: &&&Leaf| matches!(leaf.values, ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. });
        // A pointer to a pointer leads to an object of the test.
        let is_passed = !matches!(&decl.shape, Shape::Pointer(inner) if matches!(&**inner, Shape::Pointer(_)))
            || !own.iter().any(|leaf| is_of_nodes(&leaf) && !leaf.elements.is_empty());
        if let Some(leaf) = own.iter().find(is_of_nodes).filter(|leaf| leaf.part.path.is_empty() && leaf.is_single && is_passed) {
            let value = leaf.cells.first().map(|(_, before, _)| before.clone()).unwrap_or_default();
            return pointer(&self.types, &step.model(), leaf.values, &value);
        }
        let shape = object(decl).clone();
        let unnamed = || format!("the type of `{}` has no name", decl.name);
        let is_pointer = matches!(decl.shape, Shape::Pointer(_)) && !matches!(shape, Shape::Void | Shape::Opaque | Shape::Function(_));
        if is_pointer && is_freed(program, function, parameter.decl) {
            return self.in_memory(step, (&name, &shape, declared_length(parameter)), &own, lines);
        }
        match (&decl.shape, &shape) {
            (Shape::Pointer(inner), _) if matches!(**inner, Shape::Function(_)) => {
                let (function, _) = values(&self.types, &step.model(), &shape, own.into_iter())?;
                function.initialiser(program, &shape).ok_or_else(unnamed)
            }
            (Shape::Struct(_), _) => {
                let (first, _) = values(&self.types, &step.model(), &shape, own.into_iter())?;
                let ty = self.types.object(&shape, Qualifiers::default(), name.clone()).ok_or_else(unnamed)?;
                let value = first.initialiser(program, &shape).ok_or_else(unnamed)?;
                lines.push(TestLine::Statement(format!("{ty} = {value};")));
                Ok(name)
            }
            (Shape::Pointer(_), Shape::Struct(_)) if !own.iter().any(|leaf| !leaf.is_single && !leaf.has_length) => {
                let (first, _) = values(&self.types, &step.model(), &shape, own.iter().copied())?;
                let ty = self.types.object(&shape, Qualifiers::default(), name.clone()).ok_or_else(unnamed)?;
                let value = first.initialiser(program, &shape).ok_or_else(unnamed)?;
                lines.push(TestLine::Statement(format!("{ty} = {value};")));
                self.compare(step, &name, &shape, &own, expected)?;
                Ok(format!("&{name}"))
            }
            (Shape::Pointer(_), Shape::Void) if let [Leaf { is_single: true, cells, .. }] = &own[..] => {
                let value = cells.first().map(|(_, before, _)| before.clone()).unwrap_or_default();
                Ok(if value.is_zero() { "0".to_owned() } else { format!("(void *){value}") })
            }
            (Shape::Pointer(_), Shape::Void | Shape::Opaque | Shape::Function(_)) => Ok("0".to_owned()),
            (Shape::Pointer(_), _) => self.array(step, (&name, &shape, declared_length(parameter)), &own, lines, expected),
            _ => Err(unnamed()),
        }
    }

    /// The object of a pointer parameter in memory that the call may free; nothing is compared with it afterwards.
    fn in_memory(
        &self,
        step: &TestStep,
        (name, element, declared): (&str, &Shape, i64),
        own: &[&Leaf],
        lines: &mut Vec<TestLine>,
    ) -> Result<String, String> {
        let unnamed = || format!("the type of what `{name}` points to has no name");
        let array = |length: Length| Shape::Array { element: Box::new(element.clone()), length };
        let (first, _) = values(&self.types, &step.model(), &array(Length::Unknown), own.iter().copied())?;
        let last = match &first {
            ObjectValue::Elements(elements) => elements.keys().next_back().copied().unwrap_or(0),
            _ => 0,
        };
        if matches!(&first, ObjectValue::Elements(elements) if elements.keys().next().is_some_and(|least| *least < 0)) {
            return Err(format!("`{name}` leads into the middle of an array that the call may free"));
        }
        let length = last.max(declared - 1).max(0) + 1;
        if length >= super::LARGEST {
            return Err(format!("`{name}` needs an array of {length} elements"));
        }
        let pointer = self.types.object(element, Qualifiers::default(), format!("*{name}")).ok_or_else(unnamed)?;
        let count = if length == 1 { String::new() } else { format!("{length} * ") };
        lines.push(TestLine::Statement(format!("{pointer} = culdesac_allocate({count}sizeof *{name});")));
        let all = first.scalars(self.types.program, &array(Length::Fixed(Int::from(length)))).ok_or_else(unnamed)?;
        for scalar in all.iter().filter(|scalar| scalar.value != "0") {
            let part = match scalar.suffix.strip_prefix("[0]").filter(|_| length == 1) {
                Some("") => format!("*{name}"),
                Some(rest) if rest.starts_with('.') => format!("{name}->{}", &rest[1..]),
                _ => format!("{name}{}", scalar.suffix),
            };
            lines.push(TestLine::Statement(format!("{part} = {};", scalar.value)));
        }
        Ok(name.to_owned())
    }

    /// An array for a pointer parameter: as many elements as the run looks at.
    fn array(
        &self,
        step: &TestStep,
        (name, element, declared): (&str, &Shape, i64),
        own: &[&Leaf],
        lines: &mut Vec<TestLine>,
        expected: &mut Vec<TestLine>,
    ) -> Result<String, String> {
        let program = self.types.program;
        let unnamed = || format!("the type of what `{name}` points to has no name");
        let shape = Shape::Array { element: Box::new(element.clone()), length: Length::Unknown };
        let (first, _) = values(&self.types, &step.model(), &shape, own.iter().copied())?;
        let (least, greatest) = match &first {
            ObjectValue::Elements(elements) => {
                (elements.keys().next().copied().unwrap_or(0).min(0), elements.keys().next_back().copied().unwrap_or(0))
            }
            _ => (0, 0),
        };
        let greatest = greatest.max(declared - 1).max(0);
        let length = greatest - least + 1;
        if length >= super::LARGEST {
            return Err(format!("`{name}` needs an array of {length} elements"));
        }
        let fixed = Shape::Array { element: Box::new(element.clone()), length: Length::Fixed(Int::from(length)) };
        let storage = if length > 64 { "static " } else { "" };
        if length == 1 && !matches!(element, Shape::Array { .. }) {
            let declared = own.first().map(|leaf| program.decl(leaf.part.decl).qualifiers.pointee());
            let qualifiers = declared.filter(|_| matches!(element, Shape::Pointer(_))).unwrap_or_default();
            let ty = self.types.object(element, qualifiers, name.to_owned()).ok_or_else(unnamed)?;
            let (value, _) = values(&self.types, &step.model(), element, own.iter().copied())?;
            let value = value.initialiser(program, element).ok_or_else(unnamed)?;
            lines.push(TestLine::Statement(format!("{ty} = {value};")));
            self.compare(step, name, element, own, expected)?;
            return Ok(format!("&{name}"));
        }
        if least == 0 {
            let ty = self.types.object(&fixed, Qualifiers::default(), name.to_owned()).ok_or_else(unnamed)?;
            let value = first.initialiser(program, &fixed).ok_or_else(unnamed)?;
            lines.push(TestLine::Statement(format!("{storage}{ty} = {value};")));
            self.compare(step, name, &shape, own, expected)?;
            return Ok(name.to_owned());
        }
        // Elements before the one that the pointer leads to.
        let count = super::value::count_of(program, element);
        let moved: Vec<Leaf> = (own.iter())
            .map(|&leaf| {
                let by = -least * count(&leaf.part.path).unwrap_or(1);
                let cells = leaf.cells.iter().map(|(index, before, after)| (index + by, before.clone(), after.clone())).collect();
                let elements = leaf.elements.iter().map(|(index, indices)| (index + by, indices.clone())).collect();
                Leaf { cells, elements, ..leaf.clone() }
            })
            .collect();
        let memory = self.local(&format!("{name}_memory"));
        let (first, _) = values(&self.types, &step.model(), &fixed, moved.iter())?;
        let ty = self.types.object(&fixed, Qualifiers::default(), memory.clone()).ok_or_else(unnamed)?;
        let value = first.initialiser(program, &fixed).ok_or_else(unnamed)?;
        lines.push(TestLine::Statement(format!("{storage}{ty} = {value};")));
        let moved: Vec<&Leaf> = moved.iter().collect();
        self.compare(step, &memory, &shape, &moved, expected)?;
        Ok(format!("{memory} + {}", -least))
    }

    /// A name for an object of a test.
    pub fn local(&self, wish: &str) -> String {
        let mut name = plain(wish).to_owned();
        while name.is_empty() || self.shared.contains(&name) || name == self.result {
            name.push('_');
        }
        name
    }
}

/// How many elements a parameter that is declared as an array has at least; 0 where the text does not say it in a number.
fn declared_length(parameter: &Parameter) -> i64 {
    match &parameter.ty {
        Type::Array(_, Some(length)) => match &length.unconverted().kind {
            ExprKind::Int(length) => length.to_i64().filter(|length| (0..1_000).contains(length)).unwrap_or(0),
            _ => 0,
        },
        _ => 0,
    }
}
