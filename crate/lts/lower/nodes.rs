//! Numbers of nodes, which [`crate::memory`] has made of pointers: what such a number leads to.

use super::computed::{below, not_negative};
use super::expression::Effects;
use super::external::WrittenScalars;
use super::graph::Node;
use super::object::{Leaf, Part, Root};
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{BlockKind, CommandLine, Decl, DeclId, Expr as Tree, Linkage, Name, Qualifiers, Shape, Storage, StructId};
use crate::lang::intrinsic::{
    APPROXIMATED, BLOCK, CAN_BE_FREED, CURSOR, IS_SET, NEXT_NODE, NODE, NODE_CELL, NODE_ELEMENT, OTHER_ELEMENT, SAME_BLOCK, SAME_ELEMENT,
    is_of_nodes,
};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::node_text::bare;
use crate::lts::{ArrayId, BinaryOp, CompareOp, Expr, FREED, InputSource, Label, Requirement, ValueMeaning, VariableId};
use crate::memory::{CALLERS, ITEMS, LENGTH, MOST};
use crate::source::Span;

/// The number of no structure: of values of calls no declaration says to which nodes they lead.
const UNKNOWN_STRUCTURE: u32 = u32::MAX;

fn compare(op: CompareOp, a: &Expr, b: Int) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(Expr::Int(b)))
}

/// The node with a pointer, where each node has so many: `count * node - (count - 1)` to `count * node`.
fn node_of_cell(cell: &Expr, count: &Int) -> Expr {
    if *count == Int::ONE {
        return cell.clone();
    }
    Expr::Binary(BinaryOp::Div, Box::new(plus(cell, Expr::Int(count - &Int::ONE))), Box::new(Expr::Int(count.clone())))
}

fn plus(a: &Expr, b: Expr) -> Expr {
    match b {
        Expr::Int(value) if value.is_zero() => a.clone(),
        b => Expr::Binary(BinaryOp::Add, Box::new(a.clone()), Box::new(b)),
    }
}

fn where_so(requirement: Requirement, condition: Expr, value: Expr) -> Expr {
    Expr::Guarded(requirement, Box::new(condition), Box::new(value))
}

fn equal(a: &Expr, b: &Expr) -> Expr {
    Expr::Compare(CompareOp::Eq, Box::new(a.clone()), Box::new(b.clone()))
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Binary(BinaryOp::And, Box::new(a), Box::new(b))
}

fn either(a: Expr, b: Expr) -> Expr {
    Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b))
}

impl<'a> Lowerer<'a> {
    /// Whether a caller may have blocks.
    fn has_callers_blocks(&self) -> bool {
        self.program.decls.iter().any(|decl| decl.storage == Storage::Memory && decl.linkage == Linkage::External)
    }

    /// The value of what stands for the use of a pointer to a node; `None` of any other call.
    pub(super) fn of_nodes(&mut self, name: &Name, arguments: &'a [Tree], effects: &mut Effects<'a>) -> Option<Expr> {
        if !is_of_nodes(&name.text) {
            return None;
        }
        let values: Vec<Expr> = arguments.iter().map(|argument| self.value(argument, effects)).collect();
        let is_there = |freed: &ArrayId, node: Expr| compare(CompareOp::Eq, &Expr::Read(*freed, Box::new(node)), Int::ZERO);
        match (name.text.as_str(), &values[..]) {
            (NODE, [node, freed @ ..]) => {
                let alive = match freed {
                    [] => node.clone(),
                    [Expr::Read(freed, _)] => where_so(Requirement::Allocated, is_there(freed, node.clone()), node.clone()),
                    [Expr::Read(freed, _), Expr::Int(count)] => {
                        where_so(Requirement::Allocated, is_there(freed, node_of_cell(node, count)), node.clone())
                    }
                    _ => return None,
                };
                Some(where_so(Requirement::Pointer, compare(CompareOp::Ne, node, Int::ZERO), alive))
            }
            (IS_SET, [node]) => Some(where_so(Requirement::Set, compare(CompareOp::Ge, node, Int::ZERO), node.clone())),
            (CAN_BE_FREED, [node, Expr::Read(freed, _)]) => {
                Some(where_so(Requirement::Allocated, is_there(freed, node.clone()), node.clone()))
            }
            (BLOCK, [block]) => Some(block.clone()),
            (CURSOR, [at, block, length]) => {
                // The rest is what the program makes of it.
                if !self.has_callers_blocks() {
                    return Some(at.clone());
                }
                let is_new = compare(CompareOp::Gt, block, Int::from(CALLERS));
                let is_null = both(compare(CompareOp::Le, block, Int::ZERO), compare(CompareOp::Eq, at, Int::ZERO));
                let from_first = compare(CompareOp::Ge, at, Int::ZERO);
                let to_last = Expr::Compare(CompareOp::Le, Box::new(at.clone()), Box::new(length.clone()));
                let is_inside = either(both(from_first, to_last), either(is_null, is_new));
                Some(where_so(Requirement::Inside, is_inside, at.clone()))
            }
            (SAME_ELEMENT, [a, i, b, j]) => Some(both(equal(a, b), equal(i, j))),
            (OTHER_ELEMENT, [a, i, b, j]) => {
                let other = |a: &Expr, b: &Expr| Expr::Compare(CompareOp::Ne, Box::new(a.clone()), Box::new(b.clone()));
                Some(either(other(a, b), other(i, j)))
            }
            (SAME_BLOCK, [at, a, b]) => {
                let is_new = |block| compare(CompareOp::Gt, block, Int::from(CALLERS));
                let in_one = where_so(Requirement::SameObject, equal(a, b), at.clone());
                if !self.has_callers_blocks() {
                    return Some(in_one);
                }
                Some(where_so(Requirement::OneObject, either(equal(a, b), either(is_new(a), is_new(b))), in_one))
            }
            (NEXT_NODE, [last]) => Some(plus(last, Expr::Int(Int::ONE))),
            (NEXT_NODE, [last, count]) => Some(plus(last, count.clone())),
            (NODE_ELEMENT, [first, index, Expr::Int(length)]) => {
                let from_zero = where_so(Requirement::Index, compare(CompareOp::Ge, index, Int::ZERO), plus(first, index.clone()));
                Some(where_so(Requirement::Index, compare(CompareOp::Lt, index, length.clone()), from_zero))
            }
            (NODE_CELL, [node, Expr::Int(count), Expr::Int(which)]) => {
                let last = Expr::Binary(BinaryOp::Mul, Box::new(Expr::Int(count.clone())), Box::new(node.clone()));
                Some(plus(&last, Expr::Int(which - &(count - &Int::ONE))))
            }
            _ => None,
        }
    }

    /// The structure of the blocks that an object has, and the array that says how far elements lie from where the number of their block says.
    pub(super) fn block_root(&self, root: &Root) -> Option<(StructId, Option<DeclId>)> {
        let Root::Decl(_, id) = root else { return None };
        let decl = self.program.decl(*id);
        match &decl.shape {
            Shape::Array { element, .. } if decl.storage == Storage::Memory => match **element {
                Shape::Struct(structure) => Some((structure, self.program.nodes.blocks.get(&structure)?.moved)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The lengths that blocks have, of the array with these.
    pub(super) fn block_lengths(&self, root: &Root, path: &[usize]) -> Option<IntRange> {
        let is_bounded = path == [LENGTH] && self.options.ints == IntegerModel::C32 && self.block_root(root).is_some();
        is_bounded.then_some(IntRange { least: 0, greatest: i128::from(MOST) })
    }

    /// An index of an element in a block, below its length; `None` where the part is no array of a block's elements.
    pub(super) fn in_block(&mut self, part: &mut Part, index: &Expr) -> Option<Expr> {
        let (structure, moved) = self.block_root(&part.root)?;
        if part.path != [ITEMS] || part.indices.len() != 1 {
            return None;
        }
        let (number, _) = part.indices[0].clone();
        let bare = bare(&number).clone();
        let Leaf::Array(lengths) = self.leaf(&part.root, &[LENGTH]) else { return None };
        let is_of_callers = matches!(&part.root, Root::Decl(_, id) if self.program.decl(*id).linkage == Linkage::External);
        let kind = self.program.nodes.blocks.get(&structure);
        let (line, is_made) = kind.map_or((None, true), |kind| (kind.line, kind.is_made));
        let requirement = if is_of_callers && line.is_none() { Requirement::First } else { Requirement::Index };
        let length = Expr::Read(lengths, Box::new(bare.clone()));
        // With blocks of the program's own among them, all are judged.
        let inside = if is_of_callers && line.is_none() && !is_made {
            let is_below = Expr::Compare(CompareOp::Lt, Box::new(index.clone()), Box::new(length));
            where_so(Requirement::Callers, is_below, index.clone())
        } else {
            below(index, index, &length)
        };
        let mut inside = not_negative(requirement, index, inside);
        if self.options.ints == IntegerModel::Unbounded {
            // The next block lies there.
            inside = where_so(Requirement::Index, compare(CompareOp::Lt, index, Int::from(MOST)), inside);
        }
        if bare == number {
            inside = where_so(Requirement::Pointer, compare(CompareOp::Gt, &bare, Int::ZERO), inside);
        }
        if let Some(line) = line {
            let length = Expr::Read(lengths, Box::new(bare.clone()));
            let is_given = match line {
                CommandLine::Characters => Expr::Compare(CompareOp::Lt, Box::new(index.clone()), Box::new(length)),
                CommandLine::Arguments => {
                    // A null pointer stands after the last one.
                    let Leaf::Array(pointers) = self.leaf(&part.root, &[ITEMS]) else { return None };
                    let flat = Expr::Binary(BinaryOp::Mul, Box::new(bare.clone()), Box::new(Expr::Int(Int::from(MOST))));
                    let pointer = Expr::Read(pointers, Box::new(Expr::Binary(BinaryOp::Add, Box::new(flat), Box::new(index.clone()))));
                    // `argc` where it never changes: then a comparison of the index with it decides.
                    let count = self.frames[0].function.parameters.first().filter(|count| !self.program.decl(count.decl).assigned);
                    let count = count.map(|count| Root::Decl(self.frames[0].id, count.decl)).map(|root| self.leaf(&root, &[]));
                    let is_last = match count {
                        Some(Leaf::Scalar(count)) => Expr::Compare(CompareOp::Ge, Box::new(index.clone()), Box::new(Expr::Var(count))),
                        _ => Expr::Compare(CompareOp::Ge, Box::new(plus(index, Expr::Int(Int::ONE))), Box::new(length)),
                    };
                    Expr::Compare(CompareOp::Eq, Box::new(compare(CompareOp::Eq, &pointer, Int::ZERO)), Box::new(is_last))
                }
            };
            let is_new = compare(CompareOp::Gt, &bare, Int::from(CALLERS));
            inside = where_so(Requirement::CommandLine, Expr::Binary(BinaryOp::Or, Box::new(is_new), Box::new(is_given)), inside);
        }
        if let Some(moved) = moved {
            let root = self.root(moved);
            let Leaf::Array(moved) = self.leaf(&root, &[]) else { return None };
            part.indices[0].0 = plus(&number, Expr::Read(moved, Box::new(bare)));
        }
        Some(inside)
    }

    /// The first edge of a program whose arguments are blocks: there are as many as their number says, and a null pointer.
    pub(super) fn command_line(&mut self, entry: Node) -> Node {
        let function = self.frames[0].function;
        let ([count, list], "main") = (&function.parameters[..], function.name.text.as_str()) else { return entry };
        let is_line = |(structure, kind): (&StructId, &BlockKind)| (kind.line == Some(CommandLine::Arguments)).then_some(*structure);
        let Some(structure) = self.program.nodes.blocks.iter().find_map(is_line) else { return entry };
        let is_own = |decl: &Decl| {
            decl.storage == Storage::Memory && matches!(&decl.shape, Shape::Array { element, .. } if **element == Shape::Struct(structure))
        };
        let Some(at) = self.program.decls.iter().position(is_own) else { return entry };
        let [lengths, list, count] =
            [(DeclId(at as u32), &[LENGTH][..]), (list.decl, &[][..]), (count.decl, &[][..])].map(|(decl, path)| {
                let root = self.root(decl);
                self.leaf(&root, path)
            });
        let (Leaf::Array(lengths), Leaf::Scalar(list), Leaf::Scalar(count)) = (lengths, list, count) else { return entry };
        let length = Expr::Read(lengths, Box::new(Expr::Var(list)));
        let condition = Expr::Compare(CompareOp::Eq, Box::new(length), Box::new(plus(&Expr::Var(count), Expr::Int(Int::ONE))));
        let start = self.graph.operation(Label::Assume { condition, holds: true }, function.name.span, entry);
        self.graph.of_library(start)
    }

    /// What the scalars of an object mean that hold numbers of nodes.
    pub(super) fn meaning_of_nodes(&self, root: &Root, shape: &Shape, qualifiers: Qualifiers) -> Option<ValueMeaning> {
        if *shape != Shape::Scalar(Integer::Node) {
            return None;
        }
        let structure = qualifiers.nodes().unwrap_or(UNKNOWN_STRUCTURE);
        let Root::Decl(_, id) = root else { return Some(ValueMeaning::Nodes { structure, least: 0 }) };
        let nodes = &self.program.nodes;
        let may_start_null = !nodes.present.contains(id);
        let Some(&class) = nodes.cells.get(id) else {
            let is_left = nodes.are_left && self.program.decl(*id).storage == Storage::Memory;
            let least = if is_left { -1 } else { i8::from(!may_start_null) };
            return Some(ValueMeaning::Nodes { structure, least });
        };
        let count = u8::try_from(nodes.members.get(class as usize)?.len()).ok()?;
        let members = u32::try_from(self.classes.len() + self.member_names().count()).ok()? + class;
        Some(ValueMeaning::Cells { structure, may_start_null, members, count })
    }

    /// The member of nodes that an array with so many dimensions holds, whose name ends so.
    pub(super) fn member_of_nodes(&self, root: &Root, dimensions: usize, suffix: &str) -> Option<String> {
        let Root::Decl(_, id) = root else { return None };
        let decl = self.program.decl(*id);
        match &decl.shape {
            Shape::Array { .. } if dimensions > 1 && self.block_root(root).is_some() => Some(suffix.trim_start_matches('.').to_owned()),
            Shape::Array { element, .. } if decl.storage == Storage::Memory && dimensions == 1 => match **element {
                Shape::Scalar(Integer::LongLong) => decl.name.split_once('.').map(|(_, member)| member.to_owned()),
                Shape::Struct(_) => Some(suffix.strip_prefix('.').unwrap_or(suffix).to_owned()),
                Shape::Scalar(Integer::Bool) => Some(FREED.to_owned()),
                Shape::Scalar(Integer::Node) => decl.name.split_once('.').map(|(_, members)| members.to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The first value of a local pointer to a node: it was never set.
    pub(super) fn first_node(&self, root: &Root, shape: &Shape) -> Option<Vec<Int>> {
        let is_local = matches!(root, Root::Decl(_, id) if self.program.decl(*id).storage == Storage::Local);
        (is_local && *shape == Shape::Scalar(Integer::Node)).then(|| vec![Int::MINUS_ONE])
    }

    /// Whether it is memory of nodes that functions without a body may write.
    pub(super) fn is_memory_of_nodes(&self, root: &Root) -> bool {
        matches!(root, Root::Decl(_, id) if self.program.nodes.written_outside.contains(id))
    }

    /// Whether an object of this shape holds numbers of nodes.
    pub(super) fn has_numbers(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Scalar(ty) => *ty == Integer::Node,
            Shape::Array { element, .. } => self.has_numbers(element),
            Shape::Struct(id) => self.program.structure(*id).members.iter().flatten().any(|member| self.has_numbers(&member.shape)),
            _ => false,
        }
    }

    /// What a function without a body does to nodes, and to numbers of nodes in these objects: nothing, or an approximated change of all.
    pub(super) fn nodes_from_outside(&mut self, name: &str, roots: &[Root], span: Span, next: Node) -> Node {
        let program = self.program;
        if program.nodes.written_outside.is_empty() {
            return next;
        }
        let mut written = next;
        for root in roots {
            written = self.arbitrary_object(root, WrittenScalars::Numbers, span, written);
        }
        for &memory in &program.nodes.written_outside {
            written = self.arbitrary_object(&Root::Decl(0, memory), WrittenScalars::All, span, written);
        }
        if name == APPROXIMATED {
            return written;
        }
        let unknown = self.temporary(span, Integer::LongLong);
        let value = Expr::Nondet(self.range(Integer::LongLong), InputSource::Approximated);
        written = self.set(&unknown, value, span, written);
        self.where_nodes_are_written(name, span, written, next)
    }

    /// Sets a variable to the number of a node that a function without a body gives: to that of the null pointer, or to an approximated one.
    pub(super) fn node_from_outside(&mut self, result: VariableId, name: &str, span: Span, next: Node) -> Node {
        let value = Expr::Nondet(self.range(Integer::Node), InputSource::Approximated);
        let [null, node] = [Expr::Int(Int::ZERO), value].map(|value| self.graph.operation(Label::Assign(result, value), span, next));
        self.where_nodes_are_written(name, span, node, null)
    }

    fn where_nodes_are_written(&mut self, name: &str, span: Span, written: Node, not: Node) -> Node {
        let is_written = Expr::Nondet(Some(IntRange { least: 0, greatest: 1 }), InputSource::WrittenNodes(name.into()));
        let decision = self.graph.decision(is_written, span, written, not);
        self.graph.of_library(decision)
    }
}
