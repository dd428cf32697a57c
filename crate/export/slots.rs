//! The scalars that the `main` of a Test-Comp suite sets before it calls the function, in their order.

use super::hooks::Hooks;
use super::leaves::{Leaf, is_in_union, is_volatile};
use super::node_objects::are_plain;
use super::object_part::object;
use super::replay::element;
use super::step::{TestStep, initial};
use super::types::{TypeNames, name_of};
use super::value::ObjectValue;
use crate::lang::ast::{DeclId, Length, Parameter, Qualifiers, Shape, Storage};
use crate::lang::types::Integer;
use crate::load::Loaded;
use crate::logic::{Int, SortedMap, SortedSet};
use crate::lts::{Origin, ValueMeaning};
use std::fmt::Write as _;

/// Scalars of all objects together, at most.
const MOST: usize = 3_000;

/// What gives a value of a type.
pub fn nondet(ty: Integer) -> &'static str {
    match ty {
        Integer::Bool => "__VERIFIER_nondet_bool",
        Integer::Char | Integer::SignedChar => "__VERIFIER_nondet_char",
        Integer::UnsignedChar => "__VERIFIER_nondet_uchar",
        Integer::Short => "__VERIFIER_nondet_short",
        Integer::UnsignedShort => "__VERIFIER_nondet_ushort",
        Integer::Int => "__VERIFIER_nondet_int",
        Integer::UnsignedInt => "__VERIFIER_nondet_uint",
        Integer::Long => "__VERIFIER_nondet_long",
        Integer::UnsignedLong => "__VERIFIER_nondet_ulong",
        Integer::LongLong | Integer::Node => "__VERIFIER_nondet_longlong",
        Integer::UnsignedLongLong => "__VERIFIER_nondet_ulonglong",
        Integer::Float => "__VERIFIER_nondet_float",
        Integer::Double => "__VERIFIER_nondet_double",
    }
}

/// The type of what such a function gives, as C writes it.
pub fn type_of(function: &str) -> &'static str {
    all_types().find(|ty| nondet(**ty) == function).map_or("int", |ty| name_of(*ty))
}

/// Whether executors of tests know the function.
pub fn is_nondet(function: &str) -> bool {
    all_types().any(|ty| nondet(*ty) == function)
}

fn all_types() -> impl Iterator<Item = &'static Integer> {
    Integer::ALL.iter().chain(&[Integer::Float, Integer::Double])
}

/// Where the value of a slot stands in a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SlotSource {
    Leaf(DeclId, Vec<usize>, i64),
    /// A variable of the model by its name.
    Named(String),
    /// A character of a string of the command line.
    Character(usize, i64),
    /// The number of an argument that is one.
    Number(usize),
}

/// The slots.
pub struct Slots<'s> {
    types: &'s TypeNames<'s>,
    loaded: &'s Loaded,
    hooks: &'s Hooks,
    hidden: &'s SortedSet<String>,
    /// For each declaration and members the indices of which some test has a value, and the type and suffix of each scalar.
    scalars: SortedMap<(DeclId, Vec<usize>, i64), (Integer, String)>,
    /// The least and the greatest element of what a pointer parameter leads to that some run looks at.
    ranges: SortedMap<u32, (i64, i64)>,
    /// The strings of the command line that some run looks at: how many characters, or that it is a number.
    strings: SortedMap<usize, Option<i64>>,
}

impl<'s> Slots<'s> {
    pub fn new(types: &'s TypeNames<'s>, loaded: &'s Loaded, hooks: &'s Hooks, hidden: &'s SortedSet<String>) -> Slots<'s> {
        Slots { types, loaded, hooks, hidden, scalars: SortedMap::new(), ranges: SortedMap::new(), strings: SortedMap::new() }
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.order().is_empty()
    }

    /// Whether a leaf is set before the call.
    fn is_set(&self, leaf: &Leaf) -> bool {
        let decl = self.types.program.decl(leaf.part.decl);
        match decl.storage {
            Storage::Global => leaf.is_input && leaf.origin == Origin::Global && !is_volatile(self.types.program, &leaf.part),
            Storage::Parameter => leaf.origin == Origin::Parameter,
            Storage::Local | Storage::Static => self.hooks.beginnings.contains_key(&leaf.part.decl.0) && leaf.is_input && leaf.is_read,
            Storage::Memory => false,
        }
    }

    /// Takes in what a test sets.
    ///
    /// # Errors
    /// What nondet calls cannot give, in a sentence.
    pub fn add(&mut self, step: &TestStep) -> Result<(), String> {
        let program = self.types.program;
        let mut found = Vec::new();
        let is_of_nodes = |leaf: &Leaf| matches!(leaf.values, ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. });
        if step.leaves.iter().any(|leaf| leaf.is_input && is_of_nodes(leaf)) || !are_plain(self.types, step) {
            return Err("it has pointers to nodes, for which Test-Comp has no form".to_owned());
        }
        for leaf in &step.leaves {
            let decl = program.decl(leaf.part.decl);
            let is_inside = matches!(decl.storage, Storage::Local | Storage::Static) && leaf.is_input && leaf.is_read;
            let is_other = |(index, before, _): &&(i64, Int, Int)| *before != initial(program, decl, &leaf.part.path, *index);
            let is_unknown = match decl.storage {
                Storage::Local => leaf.origin != Origin::Parameter && !leaf.cells.is_empty(),
                _ => leaf.cells.iter().any(|cell| is_other(&cell)),
            };
            if is_inside && is_unknown && !self.hooks.beginnings.contains_key(&leaf.part.decl.0) {
                return Err(format!("nothing in the text can say what `{}` begins with", decl.name));
            }
            if !self.is_set(leaf) {
                continue;
            }
            if is_in_union(program, &leaf.part) && !leaf.cells.is_empty() {
                return Err(format!("`{}` has a union, for which a slot has no form", decl.name));
            }
            let shape = self.shape(leaf.part.decl, leaf);
            for (index, before, _) in &leaf.cells {
                if !leaf.values.is_numeric() {
                    if *before != initial(program, decl, &leaf.part.path, *index) {
                        return Err(format!("`{}` has a pointer, for which Test-Comp has no form", decl.name));
                    }
                    continue;
                }
                let mut value = ObjectValue::Unset;
                let unnamed = || format!("the type of `{}` has no name", decl.name);
                value.set(program, &shape, &leaf.part.path, *index, ObjectValue::Scalar(before.clone())).ok_or_else(unnamed)?;
                let scalars = value.scalars(program, &shape).ok_or_else(unnamed)?;
                let [scalar] = &scalars[..] else { return Err(unnamed()) };
                if scalar.ty.is_some_and(|ty| ty.format().is_some()) {
                    return Err(format!("`{}` is a number with a fraction, for which a slot has no form", decl.name));
                }
                let is_kept = decl.storage != Storage::Global || is_other(&&(*index, before.clone(), Int::ZERO));
                if let (Some(ty), true) = (scalar.ty, is_kept) {
                    found.push(((leaf.part.decl, leaf.part.path.clone(), *index), (ty, scalar.suffix.clone())));
                }
                if matches!(decl.shape, Shape::Pointer(_)) && matches!(shape, Shape::Array { .. }) {
                    let first = scalar.suffix[1..].split(']').next().and_then(|first| first.parse::<i64>().ok()).unwrap_or(0);
                    let range = self.ranges.entry(leaf.part.decl.0).or_insert((0, 0));
                    *range = (range.0.min(first), range.1.max(first));
                }
            }
        }
        if self.scalars.len() + found.len() > MOST {
            return Err(format!("its objects have more than {MOST} scalars"));
        }
        found.into_iter().for_each(|(key, slot)| {
            self.scalars.insert(key, slot);
        });
        self.add_strings(step);
        Ok(())
    }

    /// The shape of the object of a declaration: of a pointer parameter an array, but for a pointer to one structure.
    fn shape(&self, decl: DeclId, leaf: &Leaf) -> Shape {
        if let Some(beginning) = self.hooks.beginnings.get(&decl.0) {
            return beginning.shape.clone();
        }
        let decl = self.types.program.decl(decl);
        let shape = object(decl).clone();
        match (&decl.shape, &shape) {
            (Shape::Pointer(_), Shape::Struct(_)) if leaf.is_single || leaf.has_length => shape,
            (Shape::Pointer(_), _) if decl.storage == Storage::Parameter => {
                Shape::Array { element: Box::new(shape), length: Length::Unknown }
            }
            _ => shape,
        }
    }

    fn add_strings(&mut self, step: &TestStep) {
        let Some((_, function)) = self.types.program.function(&step.loaded.lts.function) else { return };
        let Some(name) = function.parameters.get(1).map(|parameter| parameter.name.text.clone()).filter(|_| function.name.text == "main")
        else {
            return;
        };
        for variable in &step.loaded.lts.variables {
            if let Some(number) = numbered(&name, &variable.name) {
                self.strings.insert(number, None);
            }
        }
        for (at, array) in step.loaded.lts.arrays.iter().enumerate() {
            if let Some(number) = numbered(&name, &array.name) {
                let last = step.replay.touched[at].as_ref().and_then(|(_, last)| last.to_i64()).unwrap_or(0).min(1_000);
                let length = self.strings.entry(number).or_insert(Some(0));
                *length = length.map(|length| length.max(last + 1));
            }
        }
    }

    /// All slots with their types, in the order in which `main` sets them.
    fn order(&self) -> Vec<(SlotSource, Integer)> {
        let program = self.types.program;
        let mut found: Vec<(SlotSource, Integer)> = Vec::new();
        let scalars = |own: &dyn Fn(DeclId) -> bool| -> Vec<(SlotSource, Integer)> {
            let own = self.scalars.iter().filter(|((decl, ..), _)| own(*decl));
            own.map(|((decl, path, index), (ty, _))| (SlotSource::Leaf(*decl, path.clone(), *index), *ty)).collect()
        };
        found.extend(scalars(&|decl| program.decl(decl).storage != Storage::Parameter));
        for parameter in self.parameters() {
            let name = &parameter.name.text;
            if let Some(null) = self.named(&format!("{name}.null")) {
                found.push((null, Integer::Bool));
            }
            if let Some(lead) = self.lead(name) {
                found.push((SlotSource::Named(lead), Integer::Long));
            }
            found.extend(scalars(&|decl| decl == parameter.decl));
        }
        if self.parameters().len() > 1 {
            for (number, length) in self.strings.iter() {
                match length {
                    None => found.push((SlotSource::Number(*number), Integer::Int)),
                    Some(length) => found.extend((0..*length).map(|index| (SlotSource::Character(*number, index), Integer::Char))),
                }
            }
        }
        found
    }

    fn parameters(&self) -> &[Parameter] {
        self.types.program.function(&self.loaded.lts.function).map_or(&[], |(_, function)| function.written_parameters())
    }

    fn named(&self, name: &str) -> Option<SlotSource> {
        self.loaded.lts.variables.iter().any(|variable| variable.name == name).then(|| SlotSource::Named(name.to_owned()))
    }

    /// The variable that says how far a pointer parameter leads into the array of another one.
    fn lead(&self, name: &str) -> Option<String> {
        let start = format!("{name} - ");
        let lead =
            self.loaded.lts.variables.iter().find(|variable| variable.origin == Origin::Parameter && variable.name.starts_with(&start));
        lead.map(|variable| variable.name.clone())
    }

    /// The values of the slots in a test, with their names.
    pub fn values(&self, step: &TestStep) -> Vec<(String, Int)> {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        let value = |source: &SlotSource| match source {
            SlotSource::Leaf(decl, path, index) => {
                let leaf = step.leaves.iter().find(|leaf| leaf.part.decl == *decl && leaf.part.path == *path && self.is_set(leaf));
                let cell = leaf.and_then(|leaf| leaf.cells.iter().find(|(at, ..)| at == index));
                cell.map_or_else(|| initial(program, program.decl(*decl), path, *index), |(_, before, _)| before.clone())
            }
            SlotSource::Named(name) => {
                let at = lts.variables.iter().position(|variable| variable.name == *name);
                at.map(|at| step.replay.before.scalars[at].clone()).unwrap_or_default()
            }
            SlotSource::Character(number, index) => {
                let at = lts.arrays.iter().position(|array| self.string_name(*number) == array.name);
                at.map(|at| element(&step.replay.before.arrays[at], &Int::from(*index))).unwrap_or_default()
            }
            SlotSource::Number(number) => {
                let at = lts.variables.iter().position(|variable| self.string_name(*number) == variable.name);
                at.map(|at| step.replay.before.scalars[at].clone()).unwrap_or_default()
            }
        };
        self.order().into_iter().map(|(source, _)| (self.name(&source), value(&source))).collect()
    }

    fn string_name(&self, number: usize) -> String {
        format!("{}[{number}]", self.parameters().get(1).map_or("", |parameter| &parameter.name.text))
    }

    /// A slot for people.
    fn name(&self, source: &SlotSource) -> String {
        match source {
            SlotSource::Leaf(decl, path, index) => {
                let suffix = self.scalars.get(&(*decl, path.clone(), *index)).map_or("", |(_, suffix)| suffix);
                format!("{}{suffix}", self.types.program.decl(*decl).name)
            }
            SlotSource::Named(name) => name.clone(),
            SlotSource::Character(number, index) => format!("{}[{index}]", self.string_name(*number)),
            SlotSource::Number(number) => self.string_name(*number),
        }
    }

    /// The functions that give the slots their values.
    pub fn types(&self) -> SortedSet<&'static str> {
        self.order().into_iter().map(|(_, ty)| nondet(ty)).collect()
    }

    fn local(&self, wish: &str) -> String {
        let mut name = if wish.is_empty() { "argument".to_owned() } else { wish.to_owned() };
        while self.hidden.contains(&name) {
            name.push('_');
        }
        name
    }

    /// What begins with values of the test, and `main`.
    pub fn text(&self) -> String {
        let (program, types) = (self.types.program, self.types);
        let (mut objects, mut sets, mut arguments) = (String::new(), String::new(), Vec::new());
        for beginning in self.hooks.beginnings.values() {
            let name = &beginning.name;
            if let Some(object) = types.object(&beginning.shape, Qualifiers::default(), format!("{name}_at_start")) {
                let (head, whole) = (format!("static {}", beginning.head()), format!("sizeof {name}_at_start"));
                let size = if beginning.is_computed { format!("{whole} && i < size") } else { whole };
                let _ = write!(
                    objects,
                    "static {object};\n{head} {{\n  static int seen;\n  if (!seen++) for (unsigned long i = 0; i < {size}; i++) ((char *)object)[i] = ((char *)&{name}_at_start)[i];\n}}\n"
                );
            }
        }
        for ((decl, ..), (ty, suffix)) in self.scalars.iter().filter(|((decl, ..), _)| program.decl(*decl).storage != Storage::Parameter) {
            let name = match self.hooks.beginnings.get(&decl.0) {
                Some(beginning) => format!("{}_at_start", beginning.name),
                None => program.decl(*decl).name.clone(),
            };
            let _ = writeln!(sets, "  {name}{suffix} = {}();", nondet(*ty));
        }
        for (at, parameter) in self.parameters().iter().enumerate() {
            arguments.push(self.parameter(at, parameter, &mut sets));
        }
        let function = if self.loaded.lts.function == "main" { "program_main" } else { &self.loaded.lts.function };
        format!("{objects}int main(void) {{\n{sets}  (void){function}({});\n  return 0;\n}}\n", arguments.join(", "))
    }

    /// The object of a parameter is declared and set; gives the argument.
    fn parameter(&self, at: usize, parameter: &Parameter, sets: &mut String) -> String {
        let (program, types) = (self.types.program, self.types);
        let decl = program.decl(parameter.decl);
        let name = self.local(&decl.name);
        let own: Vec<(&i64, &(Integer, String))> =
            self.scalars.iter().filter(|((of, ..), _)| *of == parameter.decl).map(|((_, _, index), slot)| (index, slot)).collect();
        if let Shape::Scalar(ty) = &decl.shape {
            let value = if own.is_empty() { "0".to_owned() } else { format!("{}()", nondet(*ty)) };
            let _ = writeln!(sets, "  {} {name} = {value};", name_of(*ty));
            return name;
        }
        if at == 1 && self.loaded.lts.function == "main" {
            return self.command_line(&name, sets);
        }
        let mut condition = String::new();
        if self.named(&format!("{}.null", decl.name)).is_some() {
            let _ = writeln!(sets, "  _Bool {name}_null = {}();", nondet(Integer::Bool));
            condition = format!("{name}_null ? 0 : ");
        }
        if let Some(lead) = self.lead(&decl.name) {
            let base = lead.split(" - ").nth(1).unwrap_or_default().to_owned();
            let base = match self.parameters().iter().find(|other| other.name.text == base) {
                Some(other) => self.pointer(other),
                None => base,
            };
            let _ = writeln!(sets, "  long {name}_offset = {}();", nondet(Integer::Long));
            return format!("{condition}{base} + {name}_offset");
        }
        let shape = object(decl);
        let object_shape = match (&decl.shape, shape, self.ranges.get(&parameter.decl.0)) {
            (Shape::Struct(_), ..) | (Shape::Pointer(_), Shape::Struct(_), None) => shape.clone(),
            (Shape::Pointer(_), Shape::Void | Shape::Opaque | Shape::Function(_), _) => return "0".to_owned(),
            (_, _, range) => {
                let (least, greatest) = range.copied().unwrap_or((0, 0));
                Shape::Array { element: Box::new(shape.clone()), length: Length::Fixed(Int::from(greatest - least + 1)) }
            }
        };
        let Some(declared) = types.object(&object_shape, Qualifiers::default(), name.clone()) else { return "0".to_owned() };
        let _ = writeln!(sets, "  static {declared};");
        let least = self.ranges.get(&parameter.decl.0).map_or(0, |range| range.0);
        for (_, (ty, suffix)) in own {
            // Elements in front of the one that the pointer leads to have negative indices.
            let suffix = match suffix.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((first, rest)) if least < 0 => format!("[{}]{rest}", first.parse::<i64>().unwrap_or(0) - least),
                _ => suffix.clone(),
            };
            let _ = writeln!(sets, "  {name}{suffix} = {}();", nondet(*ty));
        }
        format!("{condition}{}", self.pointer(parameter))
    }

    /// What a pointer parameter is where it is not null; a structure by value is its name.
    fn pointer(&self, parameter: &Parameter) -> String {
        let decl = self.types.program.decl(parameter.decl);
        let name = self.local(&decl.name);
        match (&decl.shape, self.ranges.get(&parameter.decl.0)) {
            (Shape::Struct(_), _) => name,
            (Shape::Pointer(inner), None) if matches!(**inner, Shape::Struct(_)) => format!("&{name}"),
            (_, Some((least, _))) if *least < 0 => format!("{name} + {}", -least),
            _ => name,
        }
    }

    fn command_line(&self, name: &str, sets: &mut String) -> String {
        let count = self.strings.keys().next_back().map_or(1, |last| last + 1);
        let mut parts = Vec::new();
        for number in 0..count {
            match self.strings.get(&number) {
                Some(None) => {
                    let _ = writeln!(
                        sets,
                        "  static char {name}_{number}[12];\n  {{\n    int value = {}();\n    unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;\n    int length = value < 0;\n    for (unsigned left = rest; left > 9; left /= 10) length++;\n    if (value < 0) {name}_{number}[0] = '-';\n    for (; length >= (value < 0); length--, rest /= 10) {name}_{number}[length] = (char)('0' + rest % 10);\n  }}",
                        nondet(Integer::Int)
                    );
                    parts.push(format!("{name}_{number}"));
                }
                Some(Some(length)) => {
                    let _ = writeln!(
                        sets,
                        "  static char {name}_{number}[{}];\n  for (int i = 0; i < {length}; i++) {name}_{number}[i] = {}();",
                        length + 1,
                        nondet(Integer::Char)
                    );
                    parts.push(format!("{name}_{number}"));
                }
                None => parts.push("\"\"".to_owned()),
            }
        }
        // As many as any test has; the model has texts for those beyond their number, too.
        parts.extend((0..8).map(|_| "\"\"".to_owned()));
        parts.push("0".to_owned());
        let _ = writeln!(sets, "  char *{name}[] = {{{}}};", parts.join(", "));
        name.to_owned()
    }
}

/// The number of a string of the command line by the name of what the model has of it.
fn numbered(parameter: &str, name: &str) -> Option<usize> {
    name.strip_prefix(parameter)?.strip_prefix('[')?.split(']').next()?.parse().ok()
}
