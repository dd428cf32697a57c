//! Test inputs whose nodes have the first numbers, in the order in which pointers lead to them: no program tells nodes apart by their numbers.

use crate::interp::{ArrayInput, Input, Machine};
use crate::logic::{Int, SortedMap};
use crate::lts::node_cells::{first_new, leading_to, led_to, of_nodes, scalars_of};
use crate::lts::node_names::{NumberedNode, object_name};
use crate::lts::{Array, EdgeId, Lts, ValueMeaning};
use crate::run::plain_blocks::plain_blocks;
use crate::solver::meter::{Meter, RUN_STEPS};

/// Nodes of an input that get other numbers, at most.
const MOST: usize = 1024;

/// New numbers of nodes.
struct Renumbering<'l> {
    lts: &'l Lts,
    order: Vec<NumberedNode>,
    numbers: SortedMap<NumberedNode, Int>,
    /// The next number of each structure.
    next: SortedMap<u32, i64>,
}

impl Renumbering<'_> {
    fn meet(&mut self, values: ValueMeaning, value: &Int) {
        let Some((node, _)) = led_to(values, value) else { return };
        if self.numbers.contains_key(&node) {
            return;
        }
        let number = if object_name(self.lts, node.0, &node.1).is_some() {
            node.1.clone()
        } else {
            let next = self.next.entry(node.0).or_insert(1);
            while object_name(self.lts, node.0, &Int::from(*next)).is_some() {
                *next += 1;
            }
            *next += 1;
            Int::from(*next - 1)
        };
        self.numbers.insert(node.clone(), number);
        self.order.push(node);
    }

    fn value(&self, values: ValueMeaning, value: &Int) -> Int {
        let Some((node, which)) = led_to(values, value) else { return value.clone() };
        self.numbers.get(&node).map_or_else(|| value.clone(), |number| leading_to(values, number, which))
    }

    /// What an array of a member has for the nodes with new numbers; nodes of the function itself stay.
    fn member(&self, array: &Array, structure: u32, contents: &ArrayInput) -> Option<ArrayInput> {
        let (new, _) = scalars_of(&array.part.steps, &first_new())?;
        let own = contents.elements.iter().filter(|(index, _)| **index >= new);
        let mut elements: SortedMap<Int, Int> = own.map(|(index, value)| (index.clone(), self.value(array.values, value))).collect();
        for node in self.order.iter().filter(|node| node.0 == structure) {
            let (from, count) = scalars_of(&array.part.steps, &node.1)?;
            let (to, _) = scalars_of(&array.part.steps, self.numbers.get(node)?)?;
            let end = &from + &Int::from(count);
            for (index, value) in contents.elements.iter().filter(|(index, _)| from <= **index && **index < end) {
                elements.insert(&to + &(index - &from), self.value(array.values, value));
            }
        }
        Some(ArrayInput { elements, default: self.value(array.values, &contents.default) })
    }
}

/// The input with the first numbers for its nodes, where its run still takes `path` first.
pub fn plain_nodes(lts: &Lts, machine: &Machine, input: Input, path: &[EdgeId], meter: &mut Meter) -> Input {
    if lts.value_names.structures.is_empty() {
        return input;
    }
    let input = plain_blocks(lts, machine, input, path, meter);
    match renumbered(lts, &input) {
        Some(plain) if meter.spend(path.len() as u64 / RUN_STEPS + 1).is_ok() && machine.replay(&plain, path).is_ok() => plain,
        _ => input,
    }
}

fn renumbered(lts: &Lts, input: &Input) -> Option<Input> {
    let mut found = Renumbering { lts, order: Vec::new(), numbers: SortedMap::new(), next: SortedMap::new() };
    for variable in &lts.variables {
        input.values.get(&variable.name).into_iter().for_each(|value| found.meet(variable.values, value));
    }
    let given = |array: &Array| input.arrays.get(&array.name);
    for array in lts.arrays.iter().filter(|array| of_nodes(array).is_none()) {
        let Some(contents) = given(array) else { continue };
        contents.elements.values().for_each(|value| found.meet(array.values, value));
    }
    lts.value_names.nodes.iter().for_each(|(structure, number, _)| {
        found.meet(ValueMeaning::Nodes { structure: *structure, least: 0 }, number);
    });
    let mut next = 0;
    while let Some(node) = found.order.get(next).cloned() {
        next += 1;
        for array in lts.arrays.iter().filter(|array| of_nodes(array) == Some(node.0)) {
            let Some(contents) = given(array) else { continue };
            let (first, count) = scalars_of(&array.part.steps, &node.1)?;
            for at in (0..count.min(MOST as i64)).map(Int::from) {
                found.meet(array.values, contents.elements.get(&(&first + &at)).unwrap_or(&contents.default));
            }
        }
        if found.order.len() > MOST {
            return None;
        }
    }
    if found.numbers.iter().all(|((_, before), after)| before == after) {
        return None;
    }
    let mut plain = input.clone();
    for variable in &lts.variables {
        if let Some(value) = plain.values.get_mut(&variable.name) {
            *value = found.value(variable.values, value);
        }
    }
    for array in &lts.arrays {
        let Some(contents) = given(array) else { continue };
        let changed = match of_nodes(array) {
            Some(structure) => found.member(array, structure, contents)?,
            None => {
                let elements = contents.elements.iter().map(|(index, value)| (index.clone(), found.value(array.values, value))).collect();
                ArrayInput { elements, default: found.value(array.values, &contents.default) }
            }
        };
        plain.arrays.insert(array.name.clone(), changed);
    }
    Some(plain)
}
