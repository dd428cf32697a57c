//! What stands for memory in the program that is written anew: arrays of nodes, the number of the last one, and calls.

use super::CALLERS;
use super::block_arrays::{BlockArrays, LENGTH, LENGTH_TYPE};
use super::structures::{CellMembers, holds_node};
use super::tree::{assign, element, giving_node, integer, number, own, read, statement, typed};
use crate::lang::ast::{
    BinaryOp, Constant, DeclId, Expr, ExprKind, Function, Initial, Length, Linkage, Name, Program, Shape, Stmt, StmtKind, StructId,
};
use crate::lang::intrinsic::{ALLOCATION_FAILS, CAN_BE_FREED, NEXT_NODE, NODE, NODE_CELL, of_library};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedSet};
use crate::source::Span;

/// What stands for the nodes of one structure.
pub(super) struct NodeArrays {
    /// The nodes.
    pub(super) nodes: Name,
    /// The number of the last node that the program asked for.
    pub(super) last: Name,
    /// By a node's number 1 where it was freed; `None` where the program frees none.
    pub(super) freed: Option<Name>,
    /// A variable for the pointer that a call gives, and that is freed.
    freed_pointer: Option<Name>,
    /// The scalars of a node: the members on the way, their types, and whether each is the number of a node.
    scalars: Vec<NodeScalar>,
    /// Whether a node has an array among its members.
    pub has_array: bool,
    /// Whether one of these has pointers to nodes.
    pub has_node_array: bool,
    cells: Option<NodeCells>,
    /// The further arrays of blocks; `None` of nodes with members.
    pub block: Option<BlockArrays>,
    pub(super) tag: String,
}

/// The pointers of the nodes that pointers to pointers lead to.
struct NodeCells {
    /// Their members, with their numbers in the structure.
    members: Vec<(Name, usize)>,
    /// What holds the pointers of all nodes where each has several.
    array: Option<Name>,
}

/// A scalar of a node.
struct NodeScalar {
    way: Vec<(Name, usize)>,
    ty: Integer,
}

/// What a program does with memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryUse {
    /// Whether a node may hold what was never set.
    pub leaves_unset: bool,
    pub frees: bool,
    /// Whether it calls functions without a body, which may write all nodes.
    pub calls_outside: bool,
    /// The structures for whose nodes the program compares the result of `malloc` with a null pointer.
    pub asks: SortedSet<StructId>,
}

impl NodeArrays {
    /// Declares what stands for the nodes of a structure; its shapes have numbers already. The first node that the program asks for has the
    /// number after `last`; a caller has nodes of its own where that is [`CALLERS`].
    pub fn new(program: &mut Program, structure: StructId, usage: &MemoryUse, last: i64, cells: Option<&CellMembers>) -> NodeArrays {
        let declared = program.structure(structure);
        let tag = if declared.name.is_empty() { format!("struct#{}", structure.0) } else { declared.name.clone() };
        let span = declared.span;
        let array = |element| Shape::Array { element: Box::new(element), length: Length::Unknown };
        let mut arrays = ArrayMembers::default();
        let mut scalars = Vec::new();
        scalars_of(program, structure, &mut Vec::new(), &mut scalars, &mut arrays);
        let nodes = program.declare_memory(tag.clone(), span, array(Shape::Struct(structure)), None);
        let cells = cells.map(|cells| {
            let members: Vec<(Name, usize)> = program
                .structure(structure)
                .members
                .iter()
                .flatten()
                .zip(0..)
                .filter(|(_, at)| cells.members.contains(at))
                .map(|(member, at)| (member.name.clone(), at))
                .collect();
            let names: Vec<&str> = members.iter().map(|(name, _)| name.text.as_str()).collect();
            let name = format!("{tag}.{}", names.join("|"));
            let array = (members.len() > 1).then(|| program.declare_memory(name, span, array(Shape::Scalar(Integer::Node)), None));
            NodeCells { members, array }
        });
        if last == CALLERS {
            // Other parts of the program have some of them.
            for name in [Some(&nodes), cells.as_ref().and_then(|cells| cells.array.as_ref())].into_iter().flatten() {
                name.decl.iter().for_each(|id| program.decls[id.0 as usize].linkage = Linkage::External);
            }
        }
        let value = Constant { typed: Int::from(last), unbounded: Int::from(last) };
        let first = vec![Initial { path: Vec::new(), indices: Vec::new(), value }];
        let last = program.declare_memory(format!("{tag}.last"), span, Shape::Scalar(Integer::Node), Some(first));
        if let Some(id) = last.decl {
            let decl = &mut program.decls[id.0 as usize];
            decl.qualifiers = decl.qualifiers.leading_to(structure.0);
        }
        let freed = usage
            .frees
            .then(|| program.declare_memory(format!("{tag}.freed"), span, array(Shape::Scalar(Integer::Bool)), Some(Vec::new())));
        let zero = || Constant { typed: Int::ZERO, unbounded: Int::ZERO };
        let zeros = || Some(vec![Initial { path: Vec::new(), indices: Vec::new(), value: zero() }]);
        let freed_pointer =
            usage.frees.then(|| program.declare_memory(format!("{tag}.pointer"), span, Shape::Scalar(Integer::Node), zeros()));
        NodeArrays {
            nodes,
            last,
            freed,
            freed_pointer,
            scalars,
            has_array: arrays.are_there,
            has_node_array: arrays.hold_nodes,
            cells,
            block: program.nodes.blocks.contains_key(&structure).then(|| BlockArrays::new(program, structure, &tag)),
            tag,
        }
    }

    /// The array variables that hold the members of nodes, and the one that says which nodes were freed.
    pub fn contents(&self) -> Vec<DeclId> {
        let row = self.cells.as_ref().and_then(|cells| cells.array.as_ref());
        [Some(&self.nodes), row, self.freed.as_ref()].into_iter().flatten().filter_map(|name| name.decl).collect()
    }

    /// The node to which a pointer leads, as an lvalue.
    pub fn node(&self, pointer: Expr, span: Span) -> Expr {
        self.variable(Expr { span, ..self.checked(pointer) })
    }

    /// The number of a node that is there.
    pub fn checked(&self, pointer: Expr) -> Expr {
        let span = pointer.span;
        let mut arguments = vec![pointer];
        arguments.extend(self.any_freed(span));
        own(NODE, arguments, Integer::Node, span)
    }

    /// An element of the array that says which nodes were freed: it names the array.
    fn any_freed(&self, span: Span) -> Option<Expr> {
        self.freed.as_ref().map(|freed| element(freed, integer(0, span), Integer::Bool))
    }

    /// The pointer to which a pointer to a pointer leads, as an lvalue.
    pub fn cell(&self, pointer: Expr, span: Span) -> Expr {
        let count = i64::try_from(self.cells.as_ref().map_or(1, |cells| cells.members.len())).unwrap_or(1);
        let mut arguments = vec![pointer];
        arguments.extend(self.any_freed(span));
        if arguments.len() > 1 {
            arguments.push(integer(count, span));
        }
        self.cell_numbered(own(NODE, arguments, Integer::Node, span))
    }

    /// The pointer with this number, as an lvalue.
    pub fn cell_numbered(&self, number: Expr) -> Expr {
        match &self.cells {
            Some(NodeCells { array: Some(array), .. }) => element(array, number, Integer::Node),
            Some(NodeCells { members, array: None }) => self.scalar(&number, members, Integer::Node),
            None => self.variable(number),
        }
    }

    /// The number of a pointer of the node with this number; its first one where `member` is `None`.
    pub fn cell_number(&self, node: Expr, member: Option<usize>) -> Option<Expr> {
        let cells = self.cells.as_ref()?;
        let which = match member {
            Some(member) => cells.members.iter().position(|(_, at)| *at == member)?,
            None => 0,
        };
        let span = node.span;
        let [count, which] = [cells.members.len(), which].map(|number| integer(i64::try_from(number).unwrap_or(0), span));
        Some(if cells.array.is_some() { own(NODE_CELL, vec![node, count, which], Integer::Node, span) } else { node })
    }

    /// The names of the members that pointers to pointers lead to.
    pub fn cell_members(&self) -> Vec<String> {
        self.cells.iter().flat_map(|cells| &cells.members).map(|(name, _)| name.text.clone()).collect()
    }

    /// The array of their own in which pointers of the nodes lie.
    pub fn row(&self) -> Option<DeclId> {
        self.cells.as_ref()?.array.as_ref()?.decl
    }

    /// Whether pointers of the nodes lie in an array of their own, so that no node is copied as a whole.
    pub fn is_split(&self) -> bool {
        self.cells.as_ref().is_some_and(|cells| cells.array.is_some())
    }

    /// The member of the node with this number, where it lies in an array of its own.
    pub fn split_member(&self, node: Expr, member: usize) -> Option<Expr> {
        let cells = self.cells.as_ref().filter(|cells| cells.array.is_some() && cells.members.iter().any(|(_, at)| *at == member));
        cells.and_then(|_| Some(self.cell_numbered(self.cell_number(node, Some(member))?)))
    }

    /// The node that is a variable of the program, which holds its number.
    pub fn variable(&self, number: Expr) -> Expr {
        let span = number.span;
        typed(ExprKind::Index(Box::new(read(&self.nodes, Integer::Node, span)), Box::new(number)), Integer::Node, span)
    }

    /// The end of a node's life.
    pub fn free(&self, pointer: Expr, span: Span) -> Expr {
        let Some(freed) = &self.freed else { return pointer };
        let is_object = typed(ExprKind::Binary(BinaryOp::Ne, Box::new(pointer.clone()), Box::new(number(0, span))), Integer::Int, span);
        let is_object = typed(ExprKind::Convert(Box::new(is_object)), Integer::Bool, span);
        let index = own(CAN_BE_FREED, vec![pointer.clone(), element(freed, integer(0, span), Integer::Bool)], Integer::Node, span);
        let freed = Expr { span, ..assign(element(freed, index, Integer::Bool), is_object, Integer::Bool) };
        if self.block.is_none() {
            return freed;
        }
        // Nothing is in it any more, for pointers into it.
        let none = assign(self.length(pointer), typed(ExprKind::Int(Int::ZERO), LENGTH_TYPE, span), LENGTH_TYPE);
        typed(ExprKind::Comma(Box::new(freed), Box::new(none)), LENGTH_TYPE, span)
    }

    /// The end of a node's life, where the pointer to it is evaluated only once: a variable takes its number first.
    pub fn free_of_call(&self, pointer: Expr, span: Span) -> Expr {
        let Some(variable) = &self.freed_pointer else { return pointer };
        let taken = assign(read(variable, Integer::Node, span), pointer, Integer::Node);
        let freed = self.free(read(variable, Integer::Node, span), span);
        typed(ExprKind::Comma(Box::new(taken), Box::new(freed)), Integer::Node, span)
    }

    /// The name of the function that asks for a node.
    fn name_of_call(&self, is_zero: bool) -> String {
        format!("{} (struct {})", if is_zero { "calloc" } else { "malloc" }, self.tag)
    }

    /// A call that asks for a node.
    pub fn ask(&self, is_zero: bool, span: Span) -> Expr {
        own(&self.name_of_call(is_zero), Vec::new(), Integer::Node, span)
    }

    /// The number of a new node that is a variable of the program.
    pub fn next(&self, span: Span) -> Expr {
        let next = own(NEXT_NODE, vec![read(&self.last, Integer::Node, span)], Integer::Node, span);
        assign(read(&self.last, Integer::Node, span), next, Integer::Node)
    }

    /// Takes the numbers of all elements of an array whose first one has the number that was the next.
    pub fn take(&self, first: Expr, length: i64) -> Expr {
        let span = first.span;
        let last = own(NEXT_NODE, vec![first, integer(length - 1, span)], Integer::Node, span);
        assign(read(&self.last, Integer::Node, span), last, Integer::Node)
    }

    /// An lvalue of the member with this way in the node with this number.
    pub fn scalar(&self, number: &Expr, way: &[(Name, usize)], ty: Integer) -> Expr {
        let span = number.span;
        if let [(_, at)] = way
            && let Some(split) = self.split_member(number.clone(), *at)
        {
            return split;
        }
        let node = ExprKind::Index(Box::new(read(&self.nodes, Integer::Node, span)), Box::new(number.clone()));
        let lvalue = way.iter().fold(typed(node, Integer::Node, span), |object, (name, at)| {
            typed(ExprKind::Member(Box::new(object), Name { span, ..name.clone() }, *at), ty, span)
        });
        Expr { ty, ..lvalue }
    }

    /// The scalars of a node with the members on the way to each, by their numbers.
    pub fn scalars(&self) -> impl Iterator<Item = (&[(Name, usize)], Integer)> {
        self.scalars.iter().map(|scalar| (&scalar.way[..], scalar.ty))
    }

    /// Statements that give the pointers of a new node their first value, of `calloc` all its scalars; `listed` are the ways that get others.
    pub fn first_values(&self, node: &Expr, is_zero: bool, listed: &[Vec<usize>]) -> Vec<Stmt> {
        let mut made = Vec::new();
        for NodeScalar { way, ty } in &self.scalars {
            let is_listed = listed.iter().any(|path| path.iter().eq(way.iter().map(|(_, at)| at)));
            if is_listed || !is_zero && *ty != Integer::Node {
                continue;
            }
            let value = if is_zero { Int::ZERO } else { Int::MINUS_ONE };
            let value = typed(ExprKind::Int(value), *ty, node.span);
            made.push(statement(assign(self.scalar(node, way, *ty), value, *ty)));
        }
        made
    }

    /// The length of the block with this number, as an lvalue.
    pub fn length(&self, number: Expr) -> Expr {
        self.part(number, "length", LENGTH)
    }

    /// A member of the block with this number, as an lvalue.
    pub fn part(&self, number: Expr, member: &str, at: usize) -> Expr {
        let span = number.span;
        let name = Name { text: member.to_owned(), span, decl: None };
        typed(ExprKind::Member(Box::new(self.variable(number)), name, at), LENGTH_TYPE, span)
    }

    /// The functions that ask for a node.
    pub fn calls(&self, asks: bool) -> Vec<Function> {
        [false, true].into_iter().map(|is_zero| self.call(is_zero, asks)).collect()
    }

    fn call(&self, is_zero: bool, asks: bool) -> Function {
        let span = self.nodes.span;
        let last = read(&self.last, Integer::Node, span);
        let mut body = Vec::new();
        if asks {
            let draw = own(&of_library(ALLOCATION_FAILS), Vec::new(), Integer::Bool, span);
            let failed = Stmt { kind: StmtKind::Return(Some(number(0, span))), span };
            body.push(Stmt { kind: StmtKind::If { arms: vec![(draw, failed)], otherwise: None }, span });
        }
        body.push(statement(self.next(span)));
        body.extend(self.first_values(&last, is_zero, &[]));
        body.push(Stmt { kind: StmtKind::Return(Some(last)), span });
        giving_node(self.name_of_call(is_zero), Vec::new(), body, span)
    }
}

/// Arrays among the members of a node.
#[derive(Default)]
struct ArrayMembers {
    are_there: bool,
    hold_nodes: bool,
}

fn scalars_of(program: &Program, id: StructId, way: &mut Vec<(Name, usize)>, found: &mut Vec<NodeScalar>, arrays: &mut ArrayMembers) {
    for (member, at) in program.structure(id).members.iter().flatten().zip(0..) {
        way.push((member.name.clone(), at));
        match &member.shape {
            Shape::Scalar(ty) => found.push(NodeScalar { way: way.clone(), ty: *ty }),
            Shape::Struct(inner) => scalars_of(program, *inner, way, found, arrays),
            Shape::Array { element, .. } => {
                arrays.are_there = true;
                arrays.hold_nodes |= holds_node(program, element);
            }
            _ => {}
        }
        way.pop();
    }
}
