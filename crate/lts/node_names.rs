//! Names of nodes: the tag of their structure with a number, `node3`, or the name of the object that a node is.

use super::{BlockNames, Lts, ValueMeaning, Variable};
use crate::lang::ast::CommandLine;
use crate::logic::Int;

/// A node: the number of its structure, and its own.
pub type NumberedNode = (u32, Int);

/// Before the name of a node that the function asks for, where callers have nodes, too.
const NEW: &str = "new ";

/// Whether it can be a name in C.
pub fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| is_part(c) && !c.is_ascii_digit()) && text.chars().all(is_part)
}

/// What the names of the nodes of each structure begin with: no other name of the function reads so.
fn prefixes(lts: &Lts) -> Vec<(u32, String)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let variables = lts.variables.iter().flat_map(|own| [&own.name, &own.part.object]);
    let objects = lts.arrays.iter().flat_map(|own| own.objects.iter().map(|object| &object.name));
    let arrays = lts.arrays.iter().flat_map(|own| [&own.name, &own.part.object]);
    let nodes = lts.value_names.nodes.iter().map(|(.., name)| name);
    let names: Vec<&String> = variables.chain(arrays).chain(objects).chain(nodes).collect();
    let mut found: Vec<(u32, String)> = Vec::new();
    for (number, tag) in &lts.value_names.structures {
        let mut prefix = if is_word(tag) { tag.clone() } else { "node".to_owned() };
        let is_taken = |prefix: &str, found: &[(u32, String)]| {
            prefix.ends_with(|c: char| c.is_ascii_digit())
                || found.iter().any(|(_, other)| other == prefix)
                || names.iter().any(|name| name.strip_prefix(prefix).is_some_and(is_number))
        };
        while is_taken(&prefix, &found) {
            prefix.push('_');
        }
        found.push((*number, prefix));
    }
    found
}

fn prefix(lts: &Lts, structure: u32) -> Option<String> {
    prefixes(lts).into_iter().find(|(own, _)| *own == structure).map(|(_, prefix)| prefix)
}

/// The name of a node: of an object of the program, `node3`, or `new node1` for the first one that a function asks for whose callers have nodes.
/// `None` where the function has no pointers to the structure.
pub fn node_name(lts: &Lts, structure: u32, number: &Int) -> Option<String> {
    if let Some(name) = object_name(lts, structure, number) {
        return Some(name.to_owned());
    }
    let prefix = prefix(lts, structure)?;
    let new = number - &Int::from(crate::memory::CALLERS);
    Some(if new.is_negative() || new.is_zero() { format!("{prefix}{number}") } else { format!("{NEW}{prefix}{new}") })
}

/// The name of the object of the program that a node is.
pub fn object_name<'l>(lts: &'l Lts, structure: u32, number: &Int) -> Option<&'l str> {
    lts.value_names.nodes.iter().find(|(own, first, _)| *own == structure && first == number).map(|(.., name)| name.as_str())
}

/// The names of the blocks of a structure; `None` where its nodes are no blocks.
pub fn block_of(lts: &Lts, structure: u32) -> Option<&BlockNames> {
    lts.value_names.blocks.iter().find(|block| block.structure == structure)
}

/// The text of a pointer to a node: `&node3`, or the name of a block alone, since the name of an array is a pointer in C.
pub fn pointer_name(lts: &Lts, structure: u32, number: &Int) -> Option<String> {
    let name = node_name(lts, structure, number)?;
    Some(if block_of(lts, structure).is_some() { name } else { node_address(&name) })
}

/// What a pointer to a node with this name is called.
pub fn node_address(name: &str) -> String {
    if name.starts_with(NEW) { name.to_owned() } else { format!("&{name}") }
}

/// What a form calls the nodes of a structure together.
pub fn nodes_name(lts: &Lts, structure: u32) -> Option<String> {
    let prefix = prefix(lts, structure)?;
    if block_of(lts, structure).is_some_and(|block| block.line == Some(CommandLine::Arguments)) {
        let is_list = |own: &&Variable| matches!(own.values, ValueMeaning::Nodes { structure: to, .. } if to == structure);
        return lts.variables.iter().find(is_list).map(|list| format!("{}[]", list.name));
    }
    Some(if block_of(lts, structure).is_some() { format!("{prefix}[]") } else { format!("struct {prefix}") })
}

/// The node of this name.
pub fn node_of(lts: &Lts, name: &str) -> Option<NumberedNode> {
    if let Some((structure, number, _)) = lts.value_names.nodes.iter().find(|(.., own)| own == name) {
        return Some((*structure, number.clone()));
    }
    prefixes(lts).into_iter().find_map(|(structure, prefix)| {
        let digits = name.strip_prefix(prefix.as_str()).filter(|digits| digits.starts_with(|c: char| ('1'..='9').contains(&c)))?;
        Some((structure, Int::parse(digits)?))
    })
}

/// The name of a pointer in a node, where each node has these: `node3.next`. Its number is that of all such pointers, node after node.
pub fn cell_name(lts: &Lts, structure: u32, members: &[String], number: &Int) -> Option<String> {
    let count = Int::from(members.len());
    let (node, which) = (number + &(&count - &Int::ONE)).div_rem_floor(&count)?;
    let member = members.get(usize::try_from(which.to_i64()?).ok()?)?;
    Some(format!("{}.{member}", node_name(lts, structure, &node)?))
}

/// The number of the pointer in a node with this name.
pub fn cell_of(lts: &Lts, structure: u32, members: &[String], name: &str) -> Option<Int> {
    let (node, member) = name.rsplit_once('.')?;
    let (own, node) = node_of(lts, node)?;
    let which = members.iter().position(|own| own == member)?;
    (own == structure).then(|| first_cell(&node, members.len()) + Int::from(which))
}

/// The number of the first of so many pointers in a node.
pub fn first_cell(node: &Int, count: usize) -> Int {
    &(node * &Int::from(count)) - &Int::from(count.saturating_sub(1))
}
