//! Texts of elements of blocks, and of pointers that move along blocks, as C writes them: `v->data[i]`, `*p`, `p == q + 2`.

use super::node_cells::structure_of_items;
use super::node_names::{block_of, node_name};
use super::node_text::{OperandText, bare};
use super::{ArrayId, BinaryOp, CompareOp, Expr, Lts, PartStep, ValueMeaning};
use crate::logic::Int;

/// Whether an expression is the index of the element to which a pointer leads.
fn is_index(lts: &Lts, e: &Expr) -> bool {
    match bare(e) {
        Expr::Var(id) => lts.variable(*id).values == ValueMeaning::ElementIndices,
        Expr::Read(id, _) => lts.array(*id).values == ValueMeaning::ElementIndices,
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, first, _) => is_index(lts, first),
        _ => false,
    }
}

/// Whether an index is the one that belongs to a pointer's block in the text.
fn is_own(lts: &Lts, block: &Expr, index: &Expr) -> bool {
    match (bare(block), bare(index)) {
        (Expr::Var(block), Expr::Var(at)) => is_index(lts, index) && lts.variable(*block).part == lts.variable(*at).part,
        (Expr::Read(block, of), Expr::Read(at, other)) => {
            is_index(lts, index) && lts.array(*block).part == lts.array(*at).part && bare(of) == bare(other)
        }
        _ => false,
    }
}

/// A pointer to the element with this index in a block.
fn pointer(lts: &Lts, block: &Expr, index: &Expr, operand_text: OperandText<'_>) -> String {
    let text = operand_text(block, 7);
    match bare(index) {
        index if is_own(lts, block, index) => text,
        Expr::Int(zero) if zero.is_zero() => text,
        Expr::Binary(BinaryOp::Add, own, by) if is_own(lts, block, own) => format!("{text} + {}", operand_text(by, 8)),
        Expr::Binary(BinaryOp::Sub, own, by) if is_own(lts, block, own) => format!("{text} - {}", operand_text(by, 8)),
        index => format!("{text} + {}", operand_text(index, 8)),
    }
}

/// Whether two pointers are equal, or not, which is a comparison of their blocks and indices; `None` of any other expression.
pub(super) fn equality(lts: &Lts, e: &Expr, operand_text: OperandText<'_>) -> Option<(CompareOp, String)> {
    let Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), blocks, indices) = e else { return None };
    let (Expr::Compare(of_blocks, a, b), Expr::Compare(of_indices, i, j)) = (&**blocks, &**indices) else { return None };
    let compare = if *op == BinaryOp::And { CompareOp::Eq } else { CompareOp::Ne };
    let is_equality = *of_blocks == compare && *of_indices == compare && (is_index(lts, i) || is_index(lts, j));
    let sign = if compare == CompareOp::Eq { "==" } else { "!=" };
    is_equality.then(|| (compare, format!("{} {sign} {}", pointer(lts, a, i, operand_text), pointer(lts, b, j, operand_text))))
}

/// An element of a block by the pointer that leads there, or beside it; `None` where the index is no pointer's own.
fn element(lts: &Lts, block: &Expr, index: &Expr, text: &str, operand_text: OperandText<'_>) -> Option<String> {
    match bare(index) {
        index if is_own(lts, block, index) => Some(format!("*{text}")),
        Expr::Binary(BinaryOp::Add, own, by) if is_own(lts, block, own) => Some(format!("{text}[{}]", operand_text(by, 0))),
        Expr::Binary(BinaryOp::Sub, own, by) if is_own(lts, block, own) => Some(format!("{text}[-{}]", operand_text(by, 9))),
        _ => None,
    }
}

/// What stands between the elements of one dimension and its index; `None` of an index that is no such sum.
fn row_and_index(index: &Expr, count: &Int) -> Option<(Expr, Expr)> {
    Some(match bare(index) {
        Expr::Int(flat) => {
            let (row, index) = flat.div_rem_floor(count)?;
            (Expr::Int(row), Expr::Int(index))
        }
        Expr::Binary(BinaryOp::Add, row, index) => match bare(row) {
            Expr::Binary(BinaryOp::Mul, row, factor) if **factor == Expr::Int(count.clone()) => ((**row).clone(), bare(index).clone()),
            Expr::Int(flat) => (Expr::Int(flat.div_rem_floor(count)?.0), bare(index).clone()),
            _ => return None,
        },
        Expr::Binary(BinaryOp::Mul, row, factor) if **factor == Expr::Int(count.clone()) => ((**row).clone(), Expr::Int(Int::ZERO)),
        _ => return None,
    })
}

/// A scalar of an element of a block: `v->data[i]`, `v->points[i].x`; `None` of any other element.
pub(super) fn block_element(lts: &Lts, array: ArrayId, index: &Expr, operand_text: OperandText<'_>) -> Option<String> {
    let array = lts.array(array);
    let structure = structure_of_items(lts, array)?;
    let block = block_of(lts, structure)?;
    let of_row = |row: &Expr| -> Option<String> {
        // The elements of a block that `realloc` gave stay in their row.
        let number = match bare(row) {
            Expr::Binary(BinaryOp::Add, number, moved) if matches!(bare(moved), Expr::Read(id, _) if block.moved.as_ref() == Some(&lts.array(*id).name)) => {
                bare(number)
            }
            number => number,
        };
        Some(match number {
            Expr::Int(number) => node_name(lts, structure, number)?,
            number => operand_text(number, 10),
        })
    };
    let mut rest = index.clone();
    let mut suffix = String::new();
    for (at, step) in array.part.steps.iter().enumerate().skip(2).rev() {
        match step {
            PartStep::Elements(length) => {
                let (row, index) = row_and_index(&rest, length.as_ref()?)?;
                let of_cursor = (at == 2).then(|| element(lts, &row, &index, &of_row(&row)?, operand_text)).flatten();
                if let Some(element) = of_cursor {
                    return Some(match (element.strip_prefix('*'), suffix.strip_prefix('.')) {
                        (Some(pointer), Some(member)) => format!("{pointer}->{member}"),
                        (Some(_), None) if !suffix.is_empty() => format!("({element}){suffix}"),
                        _ => format!("{element}{suffix}"),
                    });
                }
                suffix = format!("[{}]{suffix}", operand_text(&index, 0));
                rest = row;
            }
            PartStep::Member(member) => suffix = format!(".{member}{suffix}"),
            PartStep::Node(_) | PartStep::Pointers(_) => return None,
        }
    }
    let row = of_row(&rest)?;
    let row = if row.starts_with('*') { format!("({row})") } else { row };
    Some(format!("{row}{suffix}"))
}
