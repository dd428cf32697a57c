//! Texts of nodes and of the pointers in them, as C writes them: `p->next`, `*pp`, `&p->next`.

use super::node_names::{node_name, object_name};
use super::{Array, BinaryOp, Edge, Expr, Label, Lts, PartStep, ValueMeaning};

/// Writes an expression, in brackets where it binds less than so much.
pub(super) type OperandText<'w> = &'w dyn Fn(&Expr, u8) -> String;

/// An expression without what it is undefined for.
pub fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Guarded(_, _, inner) | Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Convert(_, inner) => bare(inner),
        e => e,
    }
}

/// A variable with the number of a pointer in a node.
fn pointer_to_pointer<'l>(lts: &'l Lts, e: &Expr) -> Option<&'l str> {
    match bare(e) {
        Expr::Var(id) if matches!(lts.variable(*id).values, ValueMeaning::Cells { .. }) => Some(&lts.variable(*id).name),
        _ => None,
    }
}

/// The node, and which of its pointers, where each has so many, that a number stands for.
fn parts(count: usize, number: &Expr) -> Option<(&Expr, usize)> {
    if count == 1 {
        return Some((number, 0));
    }
    let (product, which) = match bare(number) {
        Expr::Binary(BinaryOp::Add, product, which) => match &**which {
            Expr::Int(which) => (bare(product), which.to_i64()?),
            _ => return None,
        },
        product => (product, 0),
    };
    let Expr::Binary(BinaryOp::Mul, factor, node) = product else { return None };
    let Expr::Int(factor) = &**factor else { return None };
    let which = usize::try_from(which + i64::try_from(count).ok()? - 1).ok()?;
    (factor.to_i64() == i64::try_from(count).ok() && which < count).then_some((node, which))
}

/// `p->next` or `node1.next`.
fn of_node(lts: &Lts, operand_text: OperandText<'_>, node: &Expr, structure: u32, member: &str) -> String {
    match bare(node) {
        Expr::Int(number) => format!("{}.{member}", node_name(lts, structure, number).unwrap_or_else(|| number.to_string())),
        _ => {
            let text = operand_text(node, 10);
            if text.starts_with('*') { format!("({text})->{member}") } else { format!("{text}->{member}") }
        }
    }
}

/// An element of an array that holds a member of all nodes, or several of them (`left|right`).
pub(super) fn member(lts: &Lts, array: &Array, member: &str, index: &Expr, operand_text: OperandText<'_>) -> String {
    if let Some(name) = pointer_to_pointer(lts, index) {
        return name.strip_prefix('&').map_or_else(|| format!("*{name}"), str::to_owned);
    }
    let members: Vec<&str> = member.split('|').collect();
    let structure = if let Some(PartStep::Node(structure)) = array.part.steps.first() { *structure } else { u32::MAX };
    match parts(members.len(), index) {
        Some((node, which)) => of_node(lts, operand_text, node, structure, members[which]),
        None => format!("*{}", operand_text(index, 9)),
    }
}

/// Whether a side of a decision is one of a call that gives a block, beyond whether it gives any: no decision of the program.
pub fn is_of_memory(lts: &Lts, edge: &Edge) -> bool {
    let Label::Assume { condition, .. } = &edge.label else { return false };
    let mut found = false;
    condition.walk(&mut |part| {
        let is_of_call = |name: &str| ["malloc.", "calloc.", "realloc."].iter().any(|call| name.starts_with(call));
        found |= matches!(part, Expr::Var(id) if is_of_call(&lts.variable(*id).name));
    });
    found && edge.library
}

/// The address of a pointer in a node, where `lvalue` is a pointer to such a pointer, or that of a node which is an object of the program; `None`
/// of any other value.
pub(super) fn address(lts: &Lts, lvalue: &Expr, value: &Expr, operand_text: OperandText<'_>) -> Option<String> {
    let values = match bare(lvalue) {
        Expr::Var(id) => lts.variable(*id).values,
        Expr::Read(id, _) => lts.array(*id).values,
        _ => return None,
    };
    if let (ValueMeaning::Nodes { structure, .. }, Expr::Int(number)) = (values, bare(value)) {
        return object_name(lts, structure, number).map(|name| format!("&{name}"));
    }
    let ValueMeaning::Cells { structure, members, .. } = values else { return None };
    if pointer_to_pointer(lts, value).is_some() || matches!(bare(value), Expr::Int(_)) {
        return None;
    }
    let members = lts.value_names.classes.get(members as usize)?;
    let (node, which) = parts(members.len(), value)?;
    Some(format!("&{}", of_node(lts, operand_text, node, structure, &members[which])))
}
