//! The linked structures of a run: which arrays hold the members of their nodes, which variables point to nodes, and how nodes are called.

use super::document::{RunBlock, RunBlockItem, RunChange, RunMember, RunStep, RunStructure, RunVariable};
use crate::lang::ast::{Program, Shape, StructId};
use crate::logic::{Int, SortedSet, gathered};
use crate::lts::node_cells::{BLOCK_STRIDE, block_items, block_lengths, first_new, scalars_of_item};
use crate::lts::node_names::{block_of, first_cell, node_address, node_name, nodes_name, pointer_name};
use crate::lts::{Array, ArrayId, BlockNames, FREED, Lts, NEVER_SET, PartStep, ValueMeaning, Variable};
use crate::view::{InputValue, Number};
use std::collections::BTreeMap;

/// Members on the way to a pointer to a node.
const DEPTH: u32 = 8;

/// The linked structures of a graph, with the names of the nodes that the run comes upon. `program` is the program before pointers became
/// numbers: its declarations say to which structure a pointer leads.
pub(super) fn structures(program: &Program, lts: &Lts, variables: &[RunVariable], steps: &[RunStep]) -> Vec<RunStructure> {
    let nodes: Vec<(&Array, StructId)> = (lts.arrays.iter())
        .filter(|array| array.member_of_nodes.is_some())
        .filter_map(|array| Some((array, (program.structs.iter().zip(0..)).find(|(declared, _)| declared.span == array.span)?.1)))
        .map(|(array, number)| (array, StructId(number)))
        .collect();
    let mut ids: Vec<StructId> = Vec::new();
    for &(_, id) in &nodes {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let pointers = pointers(program, lts);
    let of = |id: StructId| {
        let own = || nodes.iter().filter(|(_, of)| *of == id).map(|(array, _)| *array);
        let freed = own().find(|array| array.member_of_nodes.as_deref() == Some(FREED));
        let mut members = Vec::new();
        for (suffix, target) in leaves(program, &Shape::Struct(id)) {
            let name = suffix.trim_start_matches('.');
            let leads_to = || target.filter(|to| ids.contains(to)).map(|to| tag(program, to));
            for array in own() {
                let all: Vec<&str> = array.member_of_nodes.iter().flat_map(|members| members.split('|')).collect();
                if let Some(which) = all.iter().position(|own| *own == name) {
                    let (array, count, which) = (array.name.clone(), all.len() as u32, which as u32);
                    members.push(RunMember { name: name.to_owned(), array, count, which, leads_to: leads_to() });
                    break;
                }
            }
        }
        let pointers: Vec<String> = pointers.iter().filter(|(_, to)| *to == id).map(|(name, _)| name.clone()).collect();
        let of_cells = |variable: &&Variable| matches!(variable.values, ValueMeaning::Cells { structure, .. } if structure == id.0);
        let cells: Vec<&Variable> = lts.variables.iter().filter(of_cells).collect();
        let cell_members = cells.iter().find_map(|variable| match variable.values {
            ValueMeaning::Cells { members, .. } => lts.value_names.classes.get(members as usize).cloned(),
            _ => None,
        });
        let cells: Vec<String> = cells.into_iter().map(|variable| variable.name.clone()).collect();
        let numbers = {
            let cell_count = cell_members.as_ref().map_or(1, |all| all.len() as i64);
            numbers(
                variables,
                steps,
                &NodePointers { variables: &pointers, members: &members_to(program, lts, &nodes, id), cells: &cells, cell_count },
                &members,
            )
        };
        let last = lts.variables.iter().find(|variable| variable.span == program.structure(id).span && variable.name.contains(".last"));
        let first_new = last.and_then(|last| u32::try_from(last.initial.as_ref()?.to_i64()? + 1).ok());
        let mut names: BTreeMap<String, String> =
            gathered(numbers.into_iter().filter_map(|number| Some((number.to_string(), node_name(lts, id.0, &Int::from(number))?))));
        for (number, name) in objects(program, lts, id, steps) {
            names.insert(number, name);
        }
        RunStructure {
            name: tag(program, id),
            members,
            freed: freed.map(|array| array.name.clone()),
            first_new,
            pointers,
            cells,
            cell_members: cell_members.unwrap_or_default(),
            names,
            block: None,
        }
    };
    let mut found: Vec<RunStructure> = ids.iter().map(|&id| of(id)).collect();
    let blocks: Vec<RunStructure> =
        lts.value_names.blocks.iter().filter_map(|block| blocks_of(program, lts, block, variables, steps)).collect();
    for member in found.iter_mut().flat_map(|of| &mut of.members) {
        if let Some(ValueMeaning::Nodes { structure, .. }) = lts.arrays.iter().find(|own| own.name == member.array).map(|own| own.values)
            && block_of(lts, structure).is_some()
        {
            member.leads_to = nodes_name(lts, structure);
        }
    }
    found.extend(blocks);
    found
}

/// The blocks of one class, with the names of the ones that the run comes upon; `None` where the function neither reads nor writes elements.
fn blocks_of(program: &Program, lts: &Lts, block: &BlockNames, variables: &[RunVariable], steps: &[RunStep]) -> Option<RunStructure> {
    let lengths = lts.array(block_lengths(lts, block.structure)?);
    let items = |id: ArrayId| -> Option<RunBlockItem> {
        let array = lts.array(id);
        let members = array.part.steps.iter().skip(3);
        let name = members.filter_map(|step| if let PartStep::Member(name) = step { Some(format!(".{name}")) } else { None });
        let leads_to = match array.values {
            ValueMeaning::Nodes { structure, .. } if block_of(lts, structure).is_some() => nodes_name(lts, structure),
            ValueMeaning::Nodes { structure, .. } => Some(tag(program, StructId(structure))),
            _ => None,
        };
        Some(RunBlockItem {
            name: name.collect(),
            array: array.name.clone(),
            count: u32::try_from(scalars_of_item(array)?).ok()?,
            leads_to,
        })
    };
    let items: Vec<RunBlockItem> = block_items(lts, block.structure).filter_map(items).collect();
    if items.is_empty() {
        return None;
    }
    let is_pointer = |values: ValueMeaning| matches!(values, ValueMeaning::Nodes { structure, .. } if structure == block.structure);
    let own = lts.variables.iter().filter(|variable| is_pointer(variable.values) && is_of_text(program, lts, &variable.name));
    let scalars = own.map(|variable| variable.name.clone());
    let arrays = |is_member: bool| {
        let own = lts.arrays.iter().filter(move |array| is_pointer(array.values) && array.member_of_nodes.is_some() == is_member);
        own.map(|array| array.name.clone())
    };
    let pointers: Vec<String> = scalars.chain(arrays(false)).collect();
    let members: Vec<String> = arrays(true).collect();
    let numbers = numbers(variables, steps, &NodePointers { variables: &pointers, members: &members, cells: &[], cell_count: 1 }, &[]);
    let name = |number: i64| Some((number.to_string(), node_name(lts, block.structure, &Int::from(number))?));
    let of_span =
        |member: &str| lts.arrays.iter().find(|array| array.span == lengths.span && array.member_of_nodes.as_deref() == Some(member));
    let last = lts.variables.iter().find(|variable| variable.span == lengths.span && variable.name.contains(".last"));
    Some(RunStructure {
        name: nodes_name(lts, block.structure)?,
        members: Vec::new(),
        freed: of_span(FREED).map(|array| array.name.clone()),
        first_new: last.and_then(|last| u32::try_from(last.initial.as_ref()?.to_i64()? + 1).ok()),
        pointers,
        cells: Vec::new(),
        cell_members: Vec::new(),
        names: gathered(numbers.into_iter().filter_map(name)),
        block: Some(RunBlock {
            lengths: lengths.name.clone(),
            items,
            moved: block.moved.clone().filter(|moved| lts.arrays.iter().any(|array| array.name == *moved)),
            stride: BLOCK_STRIDE.to_string(),
        }),
    })
}

/// Whether a pointer is one of the program's text: no variable of a function of the library, or of a call that gives memory.
fn is_of_text(program: &Program, lts: &Lts, name: &str) -> bool {
    let Some((function, _)) = name.split_once('.') else { return true };
    let is_counter = lts.value_names.structures.iter().any(|(_, tag)| tag == function);
    let is_library = program.functions.iter().any(|own| own.library && own.name.text == function);
    !is_library && !is_counter && !["malloc", "calloc", "realloc"].contains(&function)
}

/// The node to which a returned value of this shape leads, by its name.
pub(super) fn returned_name(lts: &Lts, shape: &Shape, value: &Int) -> Option<String> {
    let Shape::Pointer(inner) = shape else { return None };
    let Shape::Struct(id) = **inner else { return None };
    let name = pointer_name(lts, id.0, value)?;
    Some(if value.is_zero() { "NULL".to_owned() } else { name })
}

/// Adds the names of nodes to what the values of pointers mean.
pub(super) fn name_values(structures: &[RunStructure], lts: &Lts, variables: &mut [RunVariable]) {
    for structure in structures {
        let leads = |to: &Option<String>| to.as_ref() == Some(&structure.name);
        let arrays = structures.iter().flat_map(|of| &of.members).filter(|member| leads(&member.leads_to)).map(|member| &member.array);
        let items = structures.iter().flat_map(|of| &of.block).flat_map(|block| &block.items);
        let items = items.filter(|item| leads(&item.leads_to)).map(|item| &item.array);
        let holders: Vec<&String> = structure.pointers.iter().chain(arrays).chain(items).collect();
        for variable in variables.iter_mut().filter(|variable| holders.contains(&&variable.name)) {
            for (number, name) in &structure.names {
                let address = if structure.block.is_some() { name.clone() } else { node_address(name) };
                variable.addresses.insert(number.clone(), address);
            }
        }
    }
    for structure in structures {
        let members = &structure.cell_members;
        for variable in variables.iter_mut().filter(|variable| structure.cells.contains(&variable.name)) {
            for (number, name) in &structure.names {
                let Some(node) = Int::parse(number) else { continue };
                let first = first_cell(&node, members.len());
                for (member, which) in members.iter().zip(0i64..) {
                    variable.addresses.insert((&first + &Int::from(which)).to_string(), node_address(&format!("{name}.{member}")));
                }
            }
        }
    }
    // Results of calls, and the last node of all.
    for of in &lts.variables {
        let ValueMeaning::Nodes { structure, .. } = of.values else { continue };
        for variable in variables.iter_mut().filter(|variable| variable.name == of.name) {
            let end = variable.end.as_ref().and_then(Number::to_int);
            let name = end.filter(|end| *end > Int::ZERO).and_then(|end| {
                // The function has asked for none.
                let is_none = &end + &Int::ONE == first_new();
                Some((end.to_string(), if is_none { "none".to_owned() } else { pointer_name(lts, structure, &end)? }))
            });
            if let Some((number, name)) = name {
                variable.addresses.entry(number).or_insert_with(|| name);
            }
        }
    }
    let is_node = |values: ValueMeaning| matches!(values, ValueMeaning::Nodes { .. });
    let scalars = lts.variables.iter().filter(|variable| is_node(variable.values)).map(|variable| &variable.name);
    let arrays = lts.arrays.iter().filter(|array| is_node(array.values)).map(|array| &array.name);
    let holders: SortedSet<&String> = scalars.chain(arrays).collect();
    for variable in variables.iter_mut().filter(|variable| holders.contains(&variable.name)) {
        variable.addresses.insert("-1".to_owned(), NEVER_SET.to_owned());
    }
}

/// How a structure is called: its tag.
fn tag(program: &Program, id: StructId) -> String {
    let declared = &program.structure(id).name;
    if declared.is_empty() { "node".to_owned() } else { declared.clone() }
}

/// The variables and arrays of the program whose values are numbers of nodes, each with the structure of these nodes.
fn pointers(program: &Program, lts: &Lts) -> Vec<(String, StructId)> {
    let is_node = |values: ValueMeaning| matches!(values, ValueMeaning::Nodes { .. });
    let scalars = lts.variables.iter().filter(|variable| is_node(variable.values)).map(|Variable { name, span, .. }| (name, *span));
    let arrays = (lts.arrays.iter())
        .filter(|array| is_node(array.values) && array.member_of_nodes.is_none())
        .map(|Array { name, span, .. }| (name, *span));
    let structure = |name: &str, span| {
        let decl = program.decls.iter().find(|decl| decl.span == span && !decl.name.is_empty())?;
        let whole = name.split('#').next().unwrap_or(name);
        let own =
            |suffix: &str| whole.strip_suffix(suffix).is_some_and(|rest| rest == decl.name || rest.ends_with(&format!(".{}", decl.name)));
        let mut all = leaves(program, &decl.shape);
        if let Shape::Pointer(inner) = &decl.shape {
            // What a parameter points to has its name.
            all.extend(leaves(program, inner));
        }
        all.into_iter().find(|(suffix, to)| to.is_some() && own(suffix)).and_then(|(_, to)| to)
    };
    scalars.chain(arrays).filter_map(|(name, span)| Some((name.clone(), structure(name, span)?))).collect()
}

/// The numbers of nodes of a structure that are variables of the program, with the names of these.
fn objects(program: &Program, lts: &Lts, id: StructId, steps: &[RunStep]) -> Vec<(String, String)> {
    let is_object = |variable: &&Variable| {
        let is_node = matches!(variable.values, ValueMeaning::Nodes { .. });
        is_node && program.decls.iter().any(|decl| decl.span == variable.span && !decl.name.is_empty() && decl.shape == Shape::Struct(id))
    };
    let number = |variable: &Variable| {
        let changes = steps.iter().flat_map(|step| step.change.iter().chain(&step.also));
        let mut values = changes.filter_map(|change| match change {
            RunChange::Variable { name, value } if *name == variable.name => value.to_int(),
            _ => None,
        });
        Some((values.next()?.to_string(), variable.name.clone()))
    };
    lts.variables.iter().filter(is_object).filter_map(number).collect()
}

/// The scalars of objects of a shape: the members on the way, `.at.x`, and the structure to which one leads if it is a pointer.
fn leaves(program: &Program, shape: &Shape) -> Vec<(String, Option<StructId>)> {
    fn walk(program: &Program, shape: &Shape, way: &str, depth: u32, found: &mut Vec<(String, Option<StructId>)>) {
        match shape {
            Shape::Array { element, .. } => walk(program, element, way, depth, found),
            Shape::Struct(id) if depth > 0 => {
                for member in program.structure(*id).members.iter().flatten() {
                    walk(program, &member.shape, &format!("{way}{}", member.suffix()), depth - 1, found);
                }
            }
            Shape::Pointer(inner) => match **inner {
                Shape::Struct(id) => found.push((way.to_owned(), Some(id))),
                _ => found.push((way.to_owned(), None)),
            },
            _ => found.push((way.to_owned(), None)),
        }
    }
    let mut found = Vec::new();
    walk(program, shape, "", DEPTH, &mut found);
    found
}

/// The arrays of members, of any structure, that lead to nodes of this one.
fn members_to(program: &Program, lts: &Lts, nodes: &[(&Array, StructId)], to: StructId) -> Vec<String> {
    let leads = |(array, of): &(&Array, StructId)| {
        let member = array.member_of_nodes.as_deref()?;
        let all = leaves(program, &Shape::Struct(*of));
        let is_member = |suffix: &str| member.split('|').any(|member| suffix.strip_prefix('.') == Some(member));
        all.iter().any(|(suffix, leads_to)| *leads_to == Some(to) && is_member(suffix)).then(|| array.name.clone())
    };
    nodes.iter().filter_map(leads).chain(items_to(lts, to)).collect()
}

/// The arrays of the elements of blocks that lead to nodes of this structure.
fn items_to(lts: &Lts, to: StructId) -> impl Iterator<Item = String> {
    let leads = move |array: &ArrayId| matches!(lts.array(*array).values, ValueMeaning::Nodes { structure, .. } if structure == to.0);
    lts.value_names.blocks.iter().flat_map(|block| block_items(lts, block.structure)).filter(leads).map(|id| lts.array(id).name.clone())
}

/// The variables and arrays of the model whose values lead to the nodes of a structure.
struct NodePointers<'p> {
    /// Variables, and arrays of pointers.
    variables: &'p [String],
    /// Arrays that hold a member of nodes.
    members: &'p [String],
    /// Variables with numbers of pointers in the nodes.
    cells: &'p [String],
    /// The number of such pointers in each node.
    cell_count: i64,
}

/// The numbers of a structure's nodes that the run comes upon: values of pointers, and nodes whose members have values.
fn numbers(variables: &[RunVariable], steps: &[RunStep], to_it: &NodePointers<'_>, own: &[RunMember]) -> SortedSet<i64> {
    let mut found = SortedSet::new();
    let mut add = |number: Option<i64>| found.extend(number.filter(|number| *number > 0));
    let of_cell = |cell: i64, count: i64| (cell + count - 1).div_euclid(count);
    let node = |name: &String, index: &str| {
        let count = own.iter().find(|member| member.array == *name).map_or(1, |member| i64::from(member.count));
        index.parse().ok().map(|index: i64| of_cell(index, count))
    };
    let NodePointers { cells, cell_count, .. } = *to_it;
    let holds = |name: &String| to_it.variables.contains(name) || to_it.members.contains(name);
    let is_member = |name: &String| own.iter().any(|member| member.array == *name);
    let value = |number: &Number| number.to_int().and_then(|value| value.to_i64());
    let contents = |name: &String, elements: &BTreeMap<String, Number>, add: &mut dyn FnMut(Option<i64>)| {
        for (index, element) in elements {
            if is_member(name) {
                add(node(name, index));
            }
            if holds(name) {
                add(value(element));
            }
        }
    };
    for variable in variables {
        match &variable.start {
            InputValue::Scalar(number) if holds(&variable.name) => add(value(number)),
            InputValue::Scalar(number) if cells.contains(&variable.name) => add(value(number).map(|cell| of_cell(cell, cell_count))),
            InputValue::Array(elements) => contents(&variable.name, elements, &mut add),
            InputValue::Scalar(_) => {}
        }
        if holds(&variable.name) {
            add(variable.end.as_ref().and_then(value));
        }
    }
    for change in steps.iter().flat_map(|step| step.change.iter().chain(&step.also)) {
        match change {
            RunChange::Variable { name, value: number } if holds(name) => add(value(number)),
            RunChange::Variable { name, value: number } if cells.contains(name) => {
                add(value(number).map(|cell| of_cell(cell, cell_count)));
            }
            RunChange::Element { name, index, value: number } => {
                if is_member(name) {
                    add(node(name, index));
                }
                if holds(name) {
                    add(value(number));
                }
            }
            RunChange::Array { name, elements } if holds(name) => elements.iter().for_each(|element| add(value(element))),
            RunChange::Contents { name, contents: all } => contents(name, all, &mut add),
            RunChange::Variable { .. } | RunChange::Array { .. } => {}
        }
    }
    found
}
