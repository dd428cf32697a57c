//! A test as statements of C: the objects, the calls, and what has to hold afterwards.

use super::hooks::Hooks;
use super::leaves::{Leaf, is_volatile, values};
use super::place::object;
use super::replay::Replay;
use super::script::Script;
use super::stubs::{Case, Kind, Stubs};
use super::types::{Types, constant, name_of};
use super::value::{Scalar, Value};
use crate::interp::Outcome;
use crate::lang::ast::{Decl, DeclId, ExprKind, Function, Length, Parameter, Program, Qualifiers, Shape, Storage, Type};
use crate::lang::types::Integer;
use crate::load::Loaded;
use crate::logic::{Int, SortedMap, SortedSet};
use crate::lts::{FailureKind, Lts, Origin, Values};

/// A call that a test makes, with the run that it takes.
pub struct Step {
    pub loaded: Loaded,
    pub replay: Replay,
    pub script: Script,
    pub leaves: Vec<Leaf>,
}

/// How the process of a test ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Returns,
    /// By `exit`.
    Exits(u8),
    /// By a failed assertion or `abort`.
    Aborts,
    /// By an error call.
    CallsError,
    Never,
}

/// A line of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Statement(String),
    /// Something that has to hold: what is compared, its type (none of a pointer), and its value.
    Equal(String, Option<Integer>, String),
    /// Two blocks of memory that have to be the same, with their size in bytes.
    Same(String, String, String),
}

/// A test in C.
#[derive(Clone, Debug)]
pub struct TestCase {
    pub number: usize,
    /// What it covers, in words.
    pub covers: String,
    pub input: Option<Vec<u8>>,
    pub output: Vec<u8>,
    pub ends: Ends,
    pub lines: Vec<Line>,
    /// For each stub that does more than to give values its calls.
    pub cases: SortedMap<String, Vec<Case>>,
}

/// What tests are written with.
pub struct Writer<'w> {
    pub types: Types<'w>,
    pub stubs: &'w Stubs,
    pub hooks: &'w Hooks,
    /// Names at file scope, which no object of a test may hide.
    pub shared: &'w SortedSet<String>,
    /// The functions whose stubs have a case for each call that does something.
    pub with_cases: &'w SortedSet<String>,
    /// The name for what a call gives back.
    pub result: &'w str,
    /// Where all tests run in one process: the scalars that some test changes. Each test gives them their values.
    pub shared_state: Option<&'w SortedSet<ScalarKey>>,
}

/// A scalar of a declared object: the declaration, the members on the way, and the index among the scalars with these.
pub type ScalarKey = (DeclId, Vec<usize>, i64);

/// The values that scalars of objects have.
type Known = SortedMap<ScalarKey, Int>;

impl Writer<'_> {
    /// Writes a test, of which the last step is the call that is tested.
    ///
    /// # Errors
    /// Why it cannot be written, in a sentence.
    pub fn test(&self, number: usize, steps: &[Step], covers: String, input: Option<Vec<u8>>) -> Result<TestCase, String> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let (mut cases, mut lists): (SortedMap<String, Vec<Case>>, SortedMap<String, Vec<String>>) = (SortedMap::new(), SortedMap::new());
        let mut known: Known = SortedMap::new();
        let mut counts: SortedMap<String, usize> = SortedMap::new();
        let mut output = Vec::new();
        let mut ends = Ends::Returns;
        for (at, step) in steps.iter().enumerate() {
            let is_last = at + 1 == steps.len();
            ends = ends_of(step);
            if !is_last && ends != Ends::Returns {
                return Err("a call before it ends the program".to_owned());
            }
            output.extend(&step.replay.output);
            self.starts(step, steps.len() > 1, &mut before)?;
            let (globals, call, expected) = self.call(step, is_last, ends, &mut known)?;
            // Several calls may have objects of one name.
            let is_block = !is_last && call.len() > 1;
            after.extend(globals);
            if is_block {
                after.push(Line::Statement("{".to_owned()));
            }
            after.extend(call);
            if is_block {
                after.push(Line::Statement("}".to_owned()));
            }
            after.extend(expected);
            self.drawn(number, step, &mut cases, &mut lists, &mut counts)?;
        }
        for (list, values) in lists.iter() {
            let (stem, ty) = list.split_once(' ').unwrap_or((list, "int"));
            before.push(Line::Statement(format!("{stem}_values = (const {ty}[]){{{}}};", values.join(", "))));
            before.push(Line::Statement(format!("{stem}_left = {};", values.len())));
        }
        before.extend(after);
        if self.shared_state.is_some() {
            if steps.len() > 1 {
                return Err("it begins with calls since the program's start, which needs a process of its own".to_owned());
            }
            if ends != Ends::Returns {
                return Err("it does not return, which needs a process of its own".to_owned());
            }
            if input.is_some() {
                return Err("it reads standard input".to_owned());
            }
        }
        Ok(TestCase { number, covers, input, output, ends, lines: before, cases })
    }

    /// What objects of functions begin with.
    fn starts(&self, step: &Step, is_sequence: bool, lines: &mut Vec<Line>) -> Result<(), String> {
        let program = self.types.program;
        for beginning in self.hooks.beginnings.values() {
            let decl = program.decl(beginning.decl);
            let own: Vec<&Leaf> = step.leaves.iter().filter(|leaf| leaf.place.decl == beginning.decl && self.begins(leaf)).collect();
            // Calls before leave statics as they are.
            if own.is_empty() || decl.storage == Storage::Static && is_sequence {
                continue;
            }
            let mut seen: SortedSet<&[usize]> = SortedSet::new();
            let is_set = |leaf: &&&Leaf| leaf.cells.iter().any(|(_, before, _)| !before.is_zero());
            if own.iter().any(|leaf| !seen.insert(&leaf.place.path)) && own.iter().any(|leaf| is_set(&leaf)) {
                return Err(format!("`{}` begins with other values in other calls", decl.name));
            }
            let (first, _) = values(program, &step.loaded.lts, &decl.shape, own.into_iter())?;
            let unnamed = || format!("`{}` has a type without a name outside of its function", decl.name);
            let ty = self.types.object(&decl.shape, Qualifiers::default(), String::new());
            let ty = ty.ok_or_else(unnamed)?;
            let value = first.initialiser(program, &decl.shape).ok_or_else(unnamed)?;
            let value = if value.starts_with('{') || value.starts_with('"') { value } else { format!("{{{value}}}") };
            let value = if value.starts_with('"') { format!("{{{value}}}") } else { value };
            lines.push(Line::Statement(format!("{}_at_start = &(const {ty}){value};", beginning.name)));
        }
        // What no mark can set must be what it is anyway.
        for leaf in step
            .leaves
            .iter()
            .filter(|leaf| leaf.is_input && leaf.is_read && !is_sequence && !self.hooks.beginnings.contains_key(&leaf.place.decl.0))
        {
            let decl = program.decl(leaf.place.decl);
            let is_inside = matches!(decl.storage, Storage::Local | Storage::Static | Storage::Memory);
            let changed = leaf.cells.iter().any(|(index, before, _)| *before != initial(program, decl, &leaf.place.path, *index));
            if is_inside && changed && decl.storage == Storage::Local && leaf.origin != Origin::Parameter {
                return Err(format!("`{}` has no initialiser, and nothing in the text can say what it begins with", decl.name));
            }
            if is_inside && changed && decl.storage == Storage::Static {
                return Err(format!("`{}` is a static of a function, and no calls are known that leave it so", decl.name));
            }
        }
        Ok(())
    }

    /// Whether a test says what the scalars of an object in a function begin with.
    fn begins(&self, leaf: &Leaf) -> bool {
        let is_shared = || {
            let key = |index: &i64| (leaf.place.decl, leaf.place.path.clone(), *index);
            self.shared_state.is_some_and(|shared| leaf.cells.iter().any(|(index, ..)| shared.contains(&key(index))))
        };
        (leaf.is_input && leaf.is_read || is_shared()) && !leaf.cells.is_empty()
    }

    /// The assignments to globals, the call with its objects, and what has to hold afterwards.
    #[allow(clippy::type_complexity)]
    fn call(&self, step: &Step, is_last: bool, ends: Ends, known: &mut Known) -> Result<(Vec<Line>, Vec<Line>, Vec<Line>), String> {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        let (_, function) = program.function(&lts.function).ok_or("the function is not there")?;
        let globals = self.globals(step, known)?;
        let (mut call, mut expected) = (Vec::new(), Vec::new());
        let arguments = self.arguments(step, function, &mut call, &mut expected)?;
        let name = if lts.function == "main" { "program_main" } else { &lts.function };
        let call_text = format!("{name}({})", arguments.join(", "));
        let result = self.result;
        match (&function.result, &step.replay.value) {
            (Shape::Scalar(integer), Some(value)) if is_last && ends == Ends::Returns => {
                call.push(Line::Statement(format!("{} {result} = {call_text};", name_of(*integer))));
                expected.insert(0, Line::Equal(result.to_owned(), Some(*integer), constant(*integer, value)));
            }
            (Shape::Void, _) => call.push(Line::Statement(format!("{call_text};"))),
            _ => call.push(Line::Statement(format!("(void){call_text};"))),
        }
        self.changed_globals(step, &mut expected)?;
        if !is_last || ends != Ends::Returns {
            expected.clear();
        }
        for leaf in step.leaves.iter().filter(|leaf| leaf.origin == Origin::Global) {
            for (index, _, after) in &leaf.cells {
                known.insert((leaf.place.decl, leaf.place.path.clone(), *index), after.clone());
            }
        }
        Ok((globals, call, expected))
    }

    /// Assignments to globals that do not have their values yet.
    fn globals(&self, step: &Step, known: &Known) -> Result<Vec<Line>, String> {
        let program = self.types.program;
        let mut lines = Vec::new();
        for leaf in step.leaves.iter().filter(|leaf| leaf.origin == Origin::Global) {
            let decl = program.decl(leaf.place.decl);
            if decl.storage != Storage::Global || is_volatile(program, &leaf.place) {
                continue;
            }
            let key = |index: i64| (leaf.place.decl, leaf.place.path.clone(), index);
            let is_other = |(index, before, _): &&(i64, Int, Int)| {
                if self.shared_state.is_some_and(|shared| shared.contains(&key(*index))) {
                    return true;
                }
                let is = known.get(&key(*index)).cloned();
                leaf.is_input && *before != is.unwrap_or_else(|| initial(program, decl, &leaf.place.path, *index))
            };
            let cells: Vec<(i64, Int, Int)> = leaf.cells.iter().filter(is_other).cloned().collect();
            if cells.is_empty() {
                continue;
            }
            if decl.qualifiers.fixed() {
                return Err(format!("`{}` is constant", decl.name));
            }
            let changed = Leaf { cells, ..leaf.clone() };
            let (value, _) = values(program, &step.loaded.lts, &decl.shape, [&changed].into_iter())?;
            for Scalar { suffix, value, .. } in value.scalars(program, &decl.shape).ok_or("an element of it has no name")? {
                lines.push(Line::Statement(format!("{}{suffix} = {value};", decl.name)));
            }
        }
        Ok(lines)
    }

    fn changed_globals(&self, step: &Step, expected: &mut Vec<Line>) -> Result<(), String> {
        let program = self.types.program;
        for leaf in step.leaves.iter().filter(|leaf| leaf.origin == Origin::Global) {
            let decl = program.decl(leaf.place.decl);
            if decl.storage == Storage::Global
                && !is_volatile(program, &leaf.place)
                && matches!(leaf.values, Values::Integers | Values::Functions)
            {
                self.compare(step, &decl.name, &decl.shape, &[leaf], expected)?;
            }
        }
        Ok(())
    }

    /// What has to hold of the scalars of an object that the run changes.
    fn compare(&self, step: &Step, name: &str, shape: &Shape, leaves: &[&Leaf], expected: &mut Vec<Line>) -> Result<(), String> {
        let program = self.types.program;
        let mut changed = Vec::new();
        for leaf in leaves {
            let cells: Vec<(i64, Int, Int)> = leaf.cells.iter().filter(|(_, before, after)| before != after).cloned().collect();
            if !cells.is_empty() {
                changed.push(Leaf { cells, ..(*leaf).clone() });
            }
        }
        let (_, value) = values(program, &step.loaded.lts, shape, changed.iter())?;
        let scalars = value.scalars(program, shape).ok_or("an element of it has no name")?;
        if let (Value::Elements(elements), Shape::Array { element, .. }) = (&value, shape)
            && let Shape::Scalar(integer) = &**element
            && scalars.len() > MOST_COMPARED
        {
            // A block from the first changed element to the last.
            let (first, last) = (elements.keys().next().copied().unwrap_or(0), elements.keys().next_back().copied().unwrap_or(0));
            let all: SortedMap<i64, Int> =
                leaves.iter().flat_map(|leaf| &leaf.cells).map(|(index, _, after)| (*index, after.clone())).collect();
            if (first..=last).all(|index| all.contains_key(&index)) {
                let list: Vec<String> = (first..=last).map(|index| constant(*integer, &all[&index])).collect();
                let block = format!("(const {}[]){{{}}}", name_of(*integer), list.join(", "));
                expected.push(Line::Same(format!("&{name}[{first}]"), block, format!("{} * sizeof {name}[0]", last - first + 1)));
                return Ok(());
            }
        }
        for Scalar { suffix, ty, value, .. } in scalars {
            if ty.is_some() || !value.starts_with('"') {
                expected.push(Line::Equal(format!("{name}{suffix}"), ty, value));
            }
        }
        Ok(())
    }

    /// The arguments of the call; objects that they point to are declared in `lines`.
    fn arguments(&self, step: &Step, function: &Function, lines: &mut Vec<Line>, expected: &mut Vec<Line>) -> Result<Vec<String>, String> {
        let lts = &step.loaded.lts;
        let mut arguments: Vec<String> = Vec::new();
        let mut later = Vec::new();
        for (at, parameter) in function.parameters.iter().enumerate() {
            let name = &parameter.name.text;
            arguments.push(match lead(lts, step, name) {
                Some((base, offset)) => {
                    later.push((at, base, offset));
                    String::new()
                }
                None => self.argument(step, parameter, lines, expected)?,
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
                None => base,
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

    fn argument(&self, step: &Step, parameter: &Parameter, lines: &mut Vec<Line>, expected: &mut Vec<Line>) -> Result<String, String> {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        let decl = program.decl(parameter.decl);
        let own: Vec<&Leaf> = step.leaves.iter().filter(|leaf| leaf.place.decl == parameter.decl).collect();
        if let Shape::Scalar(integer) = &decl.shape {
            // A parameter that changes has its first value in the same variable.
            let value = own.first().and_then(|leaf| leaf.cells.first()).map(|(_, before, _)| before.clone());
            return Ok(constant(*integer, &value.unwrap_or_default()));
        }
        let name = self.local(&decl.name);
        if let Some(strings) = self.strings(step, &decl.name) {
            return self.command_line(&name, strings, step, lines);
        }
        if scalar(lts, step, &format!("{}.null", decl.name)).is_some_and(|null| !null.is_zero()) {
            return Ok("0".to_owned());
        }
        let shape = object(decl).clone();
        let unnamed = || format!("the type of `{}` has no name", decl.name);
        match (&decl.shape, &shape) {
            (Shape::Struct(_), _) => {
                let (first, _) = values(program, lts, &shape, own.into_iter())?;
                let ty = self.types.object(&shape, Qualifiers::default(), name.clone()).ok_or_else(unnamed)?;
                let value = first.initialiser(program, &shape).ok_or_else(unnamed)?;
                lines.push(Line::Statement(format!("{ty} = {value};")));
                Ok(name)
            }
            (Shape::Pointer(_), Shape::Struct(_)) if !own.iter().any(|leaf| !leaf.is_single && !leaf.has_length) => {
                let (first, _) = values(program, lts, &shape, own.iter().copied())?;
                let ty = self.types.object(&shape, Qualifiers::default(), name.clone()).ok_or_else(unnamed)?;
                let value = first.initialiser(program, &shape).ok_or_else(unnamed)?;
                lines.push(Line::Statement(format!("{ty} = {value};")));
                self.compare(step, &name, &shape, &own, expected)?;
                Ok(format!("&{name}"))
            }
            (Shape::Pointer(_), Shape::Void | Shape::Opaque | Shape::Function(_)) => Ok("0".to_owned()),
            (Shape::Pointer(_), _) => self.array(step, (&name, &shape, declared_length(parameter)), &own, lines, expected),
            _ => Err(unnamed()),
        }
    }

    /// An array for a pointer parameter: as many elements as the run looks at.
    fn array(
        &self,
        step: &Step,
        (name, element, declared): (&str, &Shape, i64),
        own: &[&Leaf],
        lines: &mut Vec<Line>,
        expected: &mut Vec<Line>,
    ) -> Result<String, String> {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        let unnamed = || format!("the type of what `{name}` points to has no name");
        let shape = Shape::Array { element: Box::new(element.clone()), length: Length::Unknown };
        let (first, _) = values(program, lts, &shape, own.iter().copied())?;
        let (least, greatest) = match &first {
            Value::Elements(elements) => {
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
            let ty = self.types.object(element, Qualifiers::default(), name.to_owned()).ok_or_else(unnamed)?;
            let (value, _) = values(program, lts, element, own.iter().copied())?;
            let value = value.initialiser(program, element).ok_or_else(unnamed)?;
            lines.push(Line::Statement(format!("{ty} = {value};")));
            self.compare(step, name, element, own, expected)?;
            return Ok(format!("&{name}"));
        }
        if least == 0 {
            let ty = self.types.object(&fixed, Qualifiers::default(), name.to_owned()).ok_or_else(unnamed)?;
            let value = first.initialiser(program, &fixed).ok_or_else(unnamed)?;
            lines.push(Line::Statement(format!("{storage}{ty} = {value};")));
            self.compare(step, name, &shape, own, expected)?;
            return Ok(name.to_owned());
        }
        // Elements before the one that the pointer leads to.
        let count = super::value::count_of(program, element);
        let moved: Vec<Leaf> = (own.iter())
            .map(|&leaf| {
                let by = -least * count(&leaf.place.path).unwrap_or(1);
                let cells = leaf.cells.iter().map(|(index, before, after)| (index + by, before.clone(), after.clone())).collect();
                Leaf { cells, ..leaf.clone() }
            })
            .collect();
        let memory = self.local(&format!("{name}_memory"));
        let (first, _) = values(program, lts, &fixed, moved.iter())?;
        let ty = self.types.object(&fixed, Qualifiers::default(), memory.clone()).ok_or_else(unnamed)?;
        let value = first.initialiser(program, &fixed).ok_or_else(unnamed)?;
        lines.push(Line::Statement(format!("{storage}{ty} = {value};")));
        let moved: Vec<&Leaf> = moved.iter().collect();
        self.compare(step, &memory, &shape, &moved, expected)?;
        Ok(format!("{memory} + {}", -least))
    }

    /// A name for an object of a test.
    fn local(&self, wish: &str) -> String {
        let mut name = wish.to_owned();
        while name.is_empty() || self.shared.contains(&name) || name == self.result {
            name.push('_');
        }
        name
    }

    /// The strings of a command line: for each number that the run knows of its text.
    fn strings(&self, step: &Step, name: &str) -> Option<SortedMap<usize, Vec<u8>>> {
        let lts = &step.loaded.lts;
        let number = |of: &str| of.strip_prefix(name)?.strip_prefix('[')?.split(']').next()?.parse::<usize>().ok();
        let mut found: SortedMap<usize, Vec<u8>> = SortedMap::new();
        let mut any = false;
        for (variable, value) in lts.variables.iter().zip(&step.replay.before.scalars) {
            if let Some(number) = number(&variable.name) {
                found.insert(number, value.to_string().into_bytes());
                any = true;
            }
        }
        for (at, array) in lts.arrays.iter().enumerate() {
            if let Some(number) = number(&array.name) {
                let contents = &step.replay.before.arrays[at];
                let byte = |index: i64| super::replay::element(contents, &Int::from(index)).to_i64().unwrap_or(0) as u8;
                let last = step.replay.touched[at].as_ref().and_then(|(_, last)| last.to_i64()).unwrap_or(0).min(4_000);
                found.insert(number, ended((0..=last).map(byte).collect()));
                any = true;
            }
        }
        any.then_some(found)
    }

    fn command_line(&self, name: &str, strings: SortedMap<usize, Vec<u8>>, step: &Step, lines: &mut Vec<Line>) -> Result<String, String> {
        let program = self.types.program;
        let function = program.function(&step.loaded.lts.function).map(|(_, function)| function);
        let count = function.and_then(|function| {
            let count = function.parameters.first()?.decl;
            let leaf = step.leaves.iter().find(|leaf| leaf.place.decl == count)?;
            leaf.cells.first().and_then(|(_, before, _)| before.to_i64())
        });
        let known = strings.keys().next_back().map_or(0, |last| last + 1);
        let count = usize::try_from(count.unwrap_or(known as i64)).unwrap_or(0);
        if count > 4_000 {
            return Err(format!("its command line has {count} strings"));
        }
        // Strings beyond their number are not there; the model has texts for them all the same.
        let text = |number: usize| match strings.get(&number) {
            Some(text) => super::types::string(text),
            None if number == 0 => "\"program\"".to_owned(),
            None => "\"\"".to_owned(),
        };
        let mut parts: Vec<String> = (0..count.max(known)).map(text).collect();
        parts.push("0".to_owned());
        lines.push(Line::Statement(format!("char *{name}[] = {{{}}};", parts.join(", "))));
        Ok(name.to_owned())
    }

    /// What calls of stubs and reads of volatile objects give.
    fn drawn(
        &self,
        number: usize,
        step: &Step,
        cases: &mut SortedMap<String, Vec<Case>>,
        lists: &mut SortedMap<String, Vec<String>>,
        counts: &mut SortedMap<String, usize>,
    ) -> Result<(), String> {
        for (function, calls) in step.script.calls.iter() {
            if let Some(stem) = self.hooks.giving.get(function) {
                let ty = self.types.program.function(function).and_then(|(_, function)| function.gives_anything()).unwrap_or(Integer::Int);
                let values = calls.iter().map(|call| constant(ty, &call.value.clone().unwrap_or_default()));
                lists.entry(format!("{stem} {}", name_of(ty))).or_default().extend(values);
                continue;
            }
            let is_nothing = |call: &super::script::Call| {
                call.value.as_ref().is_none_or(Int::is_zero) && !call.fails && call.writes.iter().all(|write| write.elements.is_empty())
            };
            let Some(stub) = self.stubs.find(function) else {
                // The C library gives memory where no test says otherwise.
                if calls.iter().all(is_nothing) {
                    continue;
                }
                return Err(format!("`{function}` leads to a function of another part of the program"));
            };
            if let (Kind::Pointer | Kind::Structure, true) =
                (&stub.kind, calls.iter().any(|call| call.value.as_ref().is_some_and(|value| !value.is_zero())))
            {
                return Err(format!("`{function}` gives a pointer to an object of another part of the program"));
            }
            if !self.has_cases(function) {
                if let Kind::Gives(Some(ty)) = &stub.kind {
                    let given = calls.iter().filter(|call| call.value.is_some());
                    let values = given.map(|call| constant(*ty, &call.value.clone().unwrap_or_default()));
                    let mut values = values.peekable();
                    if values.peek().is_some() {
                        lists.entry(format!("{} {}", stub.stem, name_of(*ty))).or_default().extend(values);
                    }
                }
                continue;
            }
            let count = counts.entry(function.clone()).or_default();
            for call in calls {
                *count += 1;
                if is_nothing(call) {
                    continue;
                }
                let statements = self.written(step, stub, call)?;
                let case = Case { test: number, call: *count, statements, value: call.value.clone(), fails: call.fails };
                cases.entry(function.clone()).or_default().push(case);
            }
        }
        for (text, drawn) in step.script.volatile.iter() {
            let Some((stem, ty)) = self.hooks.volatile.get(text) else {
                return Err(format!("reads of the volatile `{text}` cannot be told apart in the program's text"));
            };
            lists.entry(format!("{stem} {}", name_of(*ty))).or_default().extend(drawn.iter().map(|(_, value)| constant(*ty, value)));
        }
        Ok(())
    }

    /// Whether a stub has a case for each call that does something.
    pub fn has_cases(&self, function: &str) -> bool {
        self.with_cases.contains(function)
    }

    /// The statements of a stub that write what a call writes.
    fn written(&self, step: &Step, stub: &super::stubs::Stub, call: &super::script::Call) -> Result<Vec<String>, String> {
        let mut statements = Vec::new();
        let parameters = super::stubs::parameters(self.types.program, stub);
        if stub.kind == Kind::Memory && !call.fails {
            let size = if stub.function == "calloc" { "count * size" } else { "size" };
            statements.push(format!("void *memory = culdesac_allocate({size});"));
        }
        for write in call.writes.iter().filter(|write| !write.elements.is_empty()) {
            let assignments = super::writes::assignments(&self.types, step, (stub, &parameters), write)?;
            statements.extend(assignments.iter().map(super::writes::Assignment::statement));
        }
        Ok(statements)
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

/// Elements of an array that are compared one by one.
const MOST_COMPARED: usize = 16;

/// The first value of a scalar of a declared object, by the members on the way to it and its index among the scalars with these.
pub fn initial(program: &Program, decl: &Decl, path: &[usize], index: i64) -> Int {
    let dimensions = dimensions(program, &decl.shape, path);
    let flat = |indices: &[usize]| indices.iter().zip(&dimensions).fold(0i64, |flat, (&index, length)| flat * length + index as i64);
    let found = decl.initial.iter().flatten().find(|one| one.path == path && flat(&one.indices) == index);
    found.map(|one| one.value.typed.clone()).unwrap_or_default()
}

/// The lengths of the arrays on the way to the scalars with these members; 1 where one is not known.
fn dimensions<'p>(program: &'p Program, mut shape: &'p Shape, path: &[usize]) -> Vec<i64> {
    let (mut found, mut members) = (Vec::new(), path.iter());
    loop {
        shape = match shape {
            Shape::Array { element, length } => {
                found.push(if let Length::Fixed(length) = length { length.to_i64().unwrap_or(1) } else { 1 });
                element
            }
            Shape::Struct(id) => {
                let Some(member) = members.next().and_then(|&at| program.structure(*id).members.as_ref()?.get(at)) else { return found };
                &member.shape
            }
            _ => return found,
        };
    }
}

/// The first value of the scalar with this name.
fn scalar(lts: &Lts, step: &Step, name: &str) -> Option<Int> {
    let at = lts.variables.iter().position(|variable| variable.name == name)?;
    Some(step.replay.before.scalars[at].clone())
}

/// Where a pointer parameter leads, if that is into the array of another parameter or of a global: which, and how far behind its start.
fn lead(lts: &Lts, step: &Step, name: &str) -> Option<(String, Int)> {
    let start = format!("{name} - ");
    let at = lts.variables.iter().position(|variable| variable.origin == Origin::Parameter && variable.name.starts_with(&start))?;
    Some((lts.variables[at].name[start.len()..].to_owned(), step.replay.before.scalars[at].clone()))
}

/// A string without the zeros at its end.
fn ended(mut bytes: Vec<u8>) -> Vec<u8> {
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}

/// How the process ends in which the last step runs.
pub fn ends_of(step: &Step) -> Ends {
    let (lts, replay) = (&step.loaded.lts, &step.replay);
    let last = replay.edges.last().map(|&edge| &lts.graph[edge]);
    match replay.outcome {
        Outcome::Error => {
            let failure = last.and_then(|edge| edge.failure).or(lts.entry_failure);
            match failure.map(|failure| failure.kind) {
                Some(FailureKind::ErrorCall) => Ends::CallsError,
                _ => Ends::Aborts,
            }
        }
        Outcome::Steps => Ends::Never,
        _ => {
            let at = last.map_or(lts.entry_returned_at, |edge| edge.returned_at);
            let is_exit = super::script::exits(&step.loaded.program)
                .iter()
                .any(|span| at.start < at.end && span.start <= at.start && at.end <= span.end);
            match &replay.value {
                Some(value) if is_exit => Ends::Exits(value.to_i64().unwrap_or(0) as u8),
                _ => Ends::Returns,
            }
        }
    }
}
