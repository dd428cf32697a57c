//! What a test finds in globals, locals and statics, and what it leaves there.

use super::leaves::{Leaf, is_volatile, values};
use super::names::plain;
use super::step::{TestStep, initial};
use super::test::{ObjectValues, TestLine, TestWriter};
use super::types::{constant, name_of};
use super::value::{ObjectValue, Scalar};
use crate::lang::ast::{Linkage, Qualifiers, Shape, Storage};
use crate::logic::{Int, SortedMap, SortedSet};
use crate::lts::{Origin, ValueMeaning};

/// Elements of an array that are compared one by one.
const MOST_COMPARED: usize = 16;

impl TestWriter<'_> {
    /// What objects of functions begin with.
    pub fn starts(&self, step: &TestStep, is_sequence: bool, lines: &mut Vec<TestLine>) -> Result<(), String> {
        let program = self.types.program;
        for beginning in self.hooks.beginnings.values() {
            let decl = program.decl(beginning.decl);
            let own: Vec<&Leaf> = step.leaves.iter().filter(|leaf| leaf.part.decl == beginning.decl && self.begins(leaf)).collect();
            // Calls before leave statics as they are.
            if own.is_empty() || decl.storage == Storage::Static && is_sequence {
                continue;
            }
            // In a process of its own a static has its first value.
            let is_first =
                |leaf: &&Leaf| leaf.cells.iter().all(|(index, before, _)| *before == initial(program, decl, &leaf.part.path, *index));
            if decl.storage == Storage::Static && self.shared_state.is_none() && own.iter().all(is_first) {
                continue;
            }
            let mut seen: SortedSet<&[usize]> = SortedSet::new();
            let is_set = |leaf: &&&Leaf| leaf.cells.iter().any(|(_, before, _)| !before.is_zero());
            if own.iter().any(|leaf| !seen.insert(&leaf.part.path)) && own.iter().any(|leaf| is_set(&leaf)) {
                return Err(format!("`{}` begins with other values in other calls", decl.name));
            }
            let (first, _) = values(&self.types, &step.model(), &beginning.shape, own.into_iter())?;
            let unnamed = || format!("`{}` has a type without a name outside of its function", decl.name);
            let ty = self.types.object(&beginning.shape, Qualifiers::default(), String::new());
            let ty = ty.ok_or_else(unnamed)?;
            let value = first.initialiser(program, &beginning.shape).ok_or_else(unnamed)?;
            let value = if value.starts_with('{') || value.starts_with('"') { value } else { format!("{{{value}}}") };
            let value = if value.starts_with('"') { format!("{{{value}}}") } else { value };
            lines.push(TestLine::Statement(format!("{}_at_start = &(const {ty}){value};", beginning.name)));
        }
        // What no mark can set must be what it is anyway.
        for leaf in step
            .leaves
            .iter()
            .filter(|leaf| leaf.is_input && leaf.is_read && !is_sequence && !self.hooks.beginnings.contains_key(&leaf.part.decl.0))
        {
            let decl = program.decl(leaf.part.decl);
            let is_inside = matches!(decl.storage, Storage::Local | Storage::Static | Storage::Memory);
            let changed = leaf.cells.iter().any(|(index, before, _)| *before != initial(program, decl, &leaf.part.path, *index));
            // Unmarked it begins with whatever the stack holds, a 0 of the run included.
            if decl.storage == Storage::Local && !leaf.cells.is_empty() && leaf.origin != Origin::Parameter {
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
            let key = |index: &i64| (leaf.part.decl, leaf.part.path.clone(), *index);
            self.shared_state.is_some_and(|shared| leaf.cells.iter().any(|(index, ..)| shared.contains(&key(index))))
        };
        (leaf.is_input && leaf.is_read || is_shared()) && !leaf.cells.is_empty()
    }

    /// Assignments to globals that do not have their values yet.
    pub fn globals(&self, step: &TestStep, is_sequence: bool, current: &ObjectValues) -> Result<Vec<TestLine>, String> {
        let program = self.types.program;
        let mut lines = Vec::new();
        for leaf in step.leaves.iter().filter(|leaf| leaf.origin == Origin::Global) {
            let decl = program.decl(leaf.part.decl);
            if decl.storage != Storage::Global || is_volatile(program, &leaf.part) {
                continue;
            }
            let key = |index: i64| (leaf.part.decl, leaf.part.path.clone(), index);
            // Calls before it leave what a static leads to.
            let is_left = is_sequence && decl.linkage == Linkage::Internal && matches!(leaf.values, ValueMeaning::Nodes { .. });
            let is_other = |(index, before, _): &&(i64, Int, Int)| {
                if is_left && !before.is_zero() {
                    return false;
                }
                if self.shared_state.is_some_and(|shared| shared.contains(&key(*index))) {
                    return true;
                }
                let is = current.get(&key(*index)).cloned();
                leaf.is_input && *before != is.unwrap_or_else(|| initial(program, decl, &leaf.part.path, *index))
            };
            let cells: Vec<(i64, Int, Int)> = leaf.cells.iter().filter(is_other).cloned().collect();
            if cells.is_empty() {
                continue;
            }
            if decl.qualifiers.fixed() {
                return Err(format!("`{}` is constant", decl.name));
            }
            let name = self.types.name(&decl.name).ok_or_else(|| other_file(&decl.name))?;
            let changed = Leaf { cells, ..leaf.clone() };
            let (value, _) = values(&self.types, &step.model(), &decl.shape, [&changed].into_iter())?;
            for Scalar { suffix, value, .. } in value.scalars(program, &decl.shape).ok_or("an element of it has no name")? {
                lines.push(TestLine::Statement(format!("{name}{suffix} = {value};")));
            }
        }
        Ok(lines)
    }

    pub fn changed_globals(&self, step: &TestStep, is_sequence: bool, expected: &mut Vec<TestLine>) -> Result<(), String> {
        let program = self.types.program;
        for leaf in step.leaves.iter().filter(|leaf| leaf.origin == Origin::Global) {
            let decl = program.decl(leaf.part.decl);
            if decl.storage == Storage::Global
                && !is_volatile(program, &leaf.part)
                && (leaf.values.is_numeric()
                    || program.nodes.static_pointers.contains_key(&leaf.part.decl)
                    || matches!(leaf.values, ValueMeaning::Functions | ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. }))
            {
                // An object of another file whose type has no name here is not compared.
                if let Some(name) = self.types.name(&decl.name) {
                    let mut leaf = leaf.clone();
                    // What a static leads to has no name in a test.
                    if is_sequence && decl.linkage == Linkage::Internal && matches!(leaf.values, ValueMeaning::Nodes { .. }) {
                        leaf.cells.retain(|(_, _, after)| after.is_zero());
                    }
                    self.compare(step, name, &decl.shape, &[&leaf], expected)?;
                }
            }
        }
        Ok(())
    }

    /// What has to hold of the scalars of an object that the run changes.
    pub fn compare(
        &self,
        step: &TestStep,
        name: &str,
        shape: &Shape,
        leaves: &[&Leaf],
        expected: &mut Vec<TestLine>,
    ) -> Result<(), String> {
        let program = self.types.program;
        let mut changed = Vec::new();
        for leaf in leaves {
            let cells = leaf.changed();
            if !cells.is_empty() {
                changed.push(Leaf { cells, ..(*leaf).clone() });
            }
        }
        let (_, value) = values(&self.types, &step.model(), shape, changed.iter())?;
        let scalars = value.scalars(program, shape).ok_or("an element of it has no name")?;
        if let (ObjectValue::Elements(elements), Shape::Array { element, .. }) = (&value, shape)
            && let Shape::Scalar(integer) = &**element
            && scalars.len() > MOST_COMPARED
            // Zeros and what is not a number have several forms.
            && integer.format().is_none()
        {
            // A block from the first changed element to the last.
            let (first, last) = (elements.keys().next().copied().unwrap_or(0), elements.keys().next_back().copied().unwrap_or(0));
            let all: SortedMap<i64, Int> =
                leaves.iter().flat_map(|leaf| &leaf.cells).map(|(index, _, after)| (*index, after.clone())).collect();
            if (first..=last).all(|index| all.contains_key(&index)) {
                let list: Vec<String> = (first..=last).map(|index| constant(*integer, program.abi, &all[&index])).collect();
                let block = format!("((const {}[]){{{}}})", name_of(*integer), list.join(", "));
                expected.push(TestLine::Same(format!("&{name}[{first}]"), block, format!("{} * sizeof {name}[0]", last - first + 1)));
                return Ok(());
            }
        }
        for Scalar { suffix, ty, value, .. } in scalars {
            if ty.is_some() || !value.starts_with('"') {
                expected.push(TestLine::Equal(format!("{name}{suffix}"), ty, value));
            }
        }
        Ok(())
    }
}

fn other_file(name: &str) -> String {
    format!("`{}` is an object of another file, and its type has no name in the file of the function", plain(name))
}
