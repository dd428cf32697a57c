//! Programs, functions and statements written anew, with numbers in place of pointers to nodes; [`super::expressions`] writes expressions.

use super::CALLERS;
use super::build::{MemoryUse, NodeArrays};
use super::flow::NullTests;
use super::objects::{NumberedObject, ObjectNumber, numbered};
use super::structures::{NodeStructures, NotFollowed, Pointee, Rewritten, shape_at};
use super::tree::typed;
use crate::lang::ast::sugar::each_expression;
use crate::lang::ast::{
    Decl, DeclId, Declarator, Expr, ExprKind, Function, Init, Item, Linkage, Name, Program, Shape, Stmt, StmtKind, Storage, StructId, Type,
};
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};

/// The program with numbers in place of pointers; `None` where a function that matters does something else with one.
pub(super) fn followed(program: &Program, function: &Function, nodes: &NodeStructures, outside: bool) -> Option<Program> {
    let tests = NullTests::of(program, nodes);
    let statics = keeps_memory(program, nodes);
    let mut usage = MemoryUse { asks: tests.asks_of_memory(), leaves_unset: statics, calls_outside: outside, ..MemoryUse::default() };
    loop {
        let (written, mut used) = written(program, function, nodes, &tests, usage.clone()).ok()?;
        used.leaves_unset |= statics;
        used.calls_outside = outside;
        if used == usage {
            return Some(written);
        }
        usage = used;
    }
}

fn written(
    program: &Program,
    function: &Function,
    nodes: &NodeStructures,
    tests: &NullTests<'_>,
    usage: MemoryUse,
) -> Rewritten<(Program, MemoryUse)> {
    let mut new = program.clone();
    // A function without a body has nodes of its own, too.
    let of_callers = usage.calls_outside || has_callers_nodes(program, function, nodes);
    let is_main = function.name.text == "main";
    let objects = numbered(program, &mut new, nodes, of_callers, is_main)?;
    for ((decl, old), at) in new.decls.iter_mut().zip(&program.decls).zip(0..) {
        decl.shape = nodes.numbered(&old.shape);
        let is_object = objects.all.contains_key(&DeclId(at));
        if decl.shape != old.shape && !is_object && (decl.qualifiers.names_volatile() || !starts_null(program, nodes, old)) {
            return Err(NotFollowed);
        }
        decl.qualifiers = nodes.innermost(&old.shape).map_or(decl.qualifiers, |structure| decl.qualifiers.leading_to(structure.0));
    }
    for member in new.structs.iter_mut().flat_map(|structure| structure.members.iter_mut().flatten()) {
        let numbered = nodes.numbered(&member.shape);
        if nodes.pointed(&member.shape).is_some() {
            member.ty = Type::Integer(Integer::Node);
        }
        member.qualifiers = nodes.innermost(&member.shape).map_or(member.qualifiers, |structure| member.qualifiers.leading_to(structure.0));
        member.shape = numbered;
    }
    let last = if of_callers { CALLERS } else { objects.next - 1 };
    let cells_of = |id: StructId| nodes.cells.values().find(|cells| cells.of == id);
    if nodes.all.iter().any(|&id| nodes.cells.values().filter(|cells| cells.of == id).count() > 1) {
        return Err(NotFollowed);
    }
    let arrays = nodes.all.iter().map(|&id| (id, NodeArrays::new(&mut new, id, &usage, last, cells_of(id)))).collect();
    for (decl, object) in &objects.all {
        if matches!(&object.number, ObjectNumber::Held(name) if name.decl == Some(*decl)) {
            new.decls[decl.0 as usize].shape = Shape::Scalar(Integer::Node);
        }
    }
    let used = MemoryUse { asks: usage.asks.clone(), ..MemoryUse::default() };
    let mut walk = Walk { program, nodes, arrays, objects: objects.all, usage, used, unset: SortedSet::new(), result: None };
    let mut functions = Vec::new();
    for (old, at) in program.functions.iter().zip(0..) {
        match walk.function(old) {
            Ok(written) => functions.push(written),
            Err(NotFollowed) if nodes.reached.contains(&at) => return Err(NotFollowed),
            // Lowering does not come there.
            Err(NotFollowed) => functions.push(old.clone()),
        }
    }
    for function in &program.functions {
        if let Some(Pointee::Node(id)) = nodes.pointed(&function.result) {
            new.nodes.results.insert(function.name.text.clone(), id);
        }
    }
    for prototype in &program.prototypes {
        if let Some(Pointee::Node(id)) = nodes.of_outside(program, &prototype.name.text) {
            new.nodes.results.insert(prototype.name.text.clone(), id);
        }
    }
    for (id, block) in walk.arrays.iter().filter_map(|(id, arrays)| Some((*id, arrays.block.as_ref()?))) {
        if let Some(kind) = new.nodes.blocks.get_mut(&id) {
            kind.moved = block.moved_array();
        }
    }
    for (id, arrays) in walk.arrays.iter() {
        let asks = walk.usage.asks.contains(id);
        let calls = match &arrays.block {
            Some(block) => arrays.block_calls(block, &mut new, asks).ok_or(NotFollowed)?,
            None => arrays.calls(asks),
        };
        new.nodes.results.extend(calls.iter().map(|call| (call.name.text.clone(), *id)));
        if let Some(kind) = new.nodes.blocks.get_mut(id) {
            kind.is_made = functions.iter().any(|function| calls_one(function, &calls));
        }
        functions.extend(calls);
    }
    if is_main && let Some(main) = functions.iter_mut().find(|function| function.name.text == "main") {
        main.body.splice(0..0, walk.first_values()?);
    }
    new.functions = functions.into();
    let given = function.parameters.iter().filter(|parameter| nodes.pointed(&program.decl(parameter.decl).shape).is_some());
    for (&to, cells) in &nodes.cells {
        let class = u32::try_from(new.nodes.members.len()).unwrap_or(u32::MAX);
        new.nodes.members.push(walk.arrays[&cells.of].cell_members());
        if let Some(row) = walk.arrays[&cells.of].row() {
            new.nodes.rows.insert(row, class);
            let decl = &mut new.decls[row.0 as usize];
            decl.qualifiers = decl.qualifiers.leading_to(to.0);
        }
        for (decl, at) in program.decls.iter().zip(0..) {
            match walk.objects.get(&DeclId(at)) {
                Some(NumberedObject { to: Pointee::Cell(id), number: ObjectNumber::Held(Name { decl: Some(held), .. }), length: None })
                    if *id == to =>
                {
                    new.nodes.cells.insert(*held, class);
                    new.decls[held.0 as usize].name = format!("&{}", decl.name);
                }
                None if nodes.pointed(&decl.shape) == Some(Pointee::Cell(to)) => {
                    new.nodes.cells.insert(DeclId(at), class);
                }
                _ => {}
            }
        }
    }
    if walk.usage.calls_outside {
        new.nodes.written_outside = walk.arrays.values().flat_map(NodeArrays::contents).collect();
    }
    new.nodes.are_left = keeps_memory(program, nodes);
    new.nodes.objects = (walk.objects.iter()).filter_map(|(decl, object)| object.lasting(*decl)).collect();
    // The arguments of a program are there.
    new.nodes.present = given.map(|parameter| parameter.decl).filter(|&decl| is_main || !tests.asks_of(decl)).collect();
    Ok((new, walk.used))
}

/// Whether there are nodes that the function does not ask for: its caller passes them, or they are there before it starts.
fn has_callers_nodes(program: &Program, function: &Function, nodes: &NodeStructures) -> bool {
    let given = |id: DeclId| nodes.are_held(program, &program.decl(id).shape, DEPTH);
    let is_main = function.name.text == "main";
    let lasting = program.decls.iter().filter(|decl| lasts(decl) && (!is_main || decl.linkage == Linkage::Elsewhere));
    function.parameters.iter().any(|parameter| given(parameter.decl))
        || lasting.into_iter().any(|decl| nodes.are_held(program, &decl.shape, DEPTH))
}

/// Whether it is a variable of the program that lasts.
fn lasts(decl: &Decl) -> bool {
    decl.storage.lasts() && decl.storage != Storage::Memory
}

/// Whether earlier calls may have left memory in statics: what is in it need not be set.
fn keeps_memory(program: &Program, nodes: &NodeStructures) -> bool {
    let is_left = |decl: &Decl| lasts(decl) && decl.linkage == Linkage::Internal;
    program.decls.iter().any(|decl| is_left(decl) && nodes.are_held(program, &decl.shape, DEPTH))
}

/// Members and pointers on the way to a pointer to a node.
const DEPTH: u32 = 8;

/// Whether each pointer to a node in an object that lasts is null at first.
fn starts_null(program: &Program, nodes: &NodeStructures, decl: &Decl) -> bool {
    decl.initial.iter().flatten().all(|initial| {
        initial.value.typed.is_zero() || shape_at(program, &decl.shape, &initial.path).is_some_and(|shape| nodes.pointed(shape).is_none())
    })
}

pub(super) struct Walk<'p> {
    pub program: &'p Program,
    pub nodes: &'p NodeStructures,
    pub arrays: SortedMap<StructId, NodeArrays>,
    pub objects: SortedMap<DeclId, NumberedObject>,
    pub usage: MemoryUse,
    pub used: MemoryUse,
    /// The local pointers that the current function may read before it sets them.
    pub unset: SortedSet<DeclId>,
    /// What the pointer leads to that the current function gives back.
    result: Option<Pointee>,
}

pub(super) fn name_of(declarator: &Declarator) -> Expr {
    let name = Name { decl: Some(declarator.decl), ..declarator.name.clone() };
    typed(ExprKind::Name(name), Integer::Node, declarator.name.span)
}

impl Walk<'_> {
    fn function(&mut self, old: &Function) -> Rewritten<Function> {
        let mut function = old.clone();
        self.result = self.nodes.pointed(&old.result);
        self.unset = SortedSet::new();
        self.block(&mut function.body)?;
        let passed = self.passed(old)?;
        function.body.splice(0..0, passed);
        if self.result.is_some() {
            function.returns = Type::Integer(Integer::Node);
        }
        function.result = self.nodes.numbered(&old.result);
        for parameter in &mut function.parameters {
            if self.nodes.pointed(&self.program.decl(parameter.decl).shape).is_some() {
                parameter.ty = Type::Integer(Integer::Node);
            }
        }
        Ok(function)
    }

    // Statements

    fn block(&mut self, list: &mut Vec<Stmt>) -> Rewritten<()> {
        for at in 0..list.len() {
            if let StmtKind::Declare(_, declarators) = &list[at].kind {
                for declarator in declarators.iter().filter(|declarator| declarator.init.is_none() && !declarator.is_static) {
                    if self.is_pointer_variable(declarator.decl) && !is_set_first(&list[at + 1..], declarator.decl) {
                        self.unset.insert(declarator.decl);
                    }
                }
            }
        }
        let mut made = Vec::new();
        let apart = std::mem::take(list).into_iter().flat_map(|stmt| self.apart(stmt));
        for mut stmt in apart.collect::<Vec<_>>() {
            let mut after = Vec::new();
            self.statement(&mut stmt, Some(&mut after))?;
            made.push(stmt);
            made.append(&mut after);
        }
        *list = made;
        Ok(())
    }

    /// A declaration with a node among its names as one statement for each name, so that what sets the node's members can follow.
    fn apart(&self, stmt: Stmt) -> Vec<Stmt> {
        match stmt.kind {
            StmtKind::Declare(constants, list) if list.iter().any(|one| self.objects.contains_key(&one.decl)) => {
                let mut constants = Some(constants);
                let single = |one| Stmt { kind: StmtKind::Declare(constants.take().unwrap_or_default(), vec![one]), span: stmt.span };
                list.into_iter().map(single).collect()
            }
            kind => vec![Stmt { kind, ..stmt }],
        }
    }

    fn is_pointer_variable(&self, decl: DeclId) -> bool {
        self.nodes.pointed(&self.program.decl(decl).shape).is_some()
    }

    /// Writes a statement anew; `after` takes what follows a declaration, where statements can follow.
    fn statement(&mut self, stmt: &mut Stmt, after: Option<&mut Vec<Stmt>>) -> Rewritten<()> {
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.dropped(e),
            StmtKind::Return(Some(e)) => match self.result {
                Some(to) => self.change(e, |walk, e| walk.pointer(e, to)),
                None if self.is_split(e) => Err(NotFollowed),
                None => self.plain(e),
            },
            StmtKind::Declare(_, list) => self.declaration(list, after),
            StmtKind::Block(list) => self.block(list),
            StmtKind::If { arms, otherwise } => {
                for (condition, stmt) in arms {
                    self.truth(condition)?;
                    self.statement(stmt, None)?;
                }
                otherwise.iter_mut().try_for_each(|stmt| self.statement(stmt, None))
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.truth(condition)?;
                self.statement(body, None)
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter_mut().try_for_each(|stmt| self.statement(stmt, None))?;
                condition.iter_mut().try_for_each(|e| self.truth(e))?;
                step.iter_mut().try_for_each(|e| self.dropped(e))?;
                self.statement(body, None)
            }
            StmtKind::Switch { value, body } => {
                self.plain(value)?;
                self.statement(body, None)
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Labelled(_, body) => self.statement(body, None),
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(None) | StmtKind::Error => Ok(()),
        }
    }

    fn declaration(&mut self, list: &mut [Declarator], mut after: Option<&mut Vec<Stmt>>) -> Rewritten<()> {
        for declarator in list {
            let shape = &self.program.decl(declarator.decl).shape;
            if declarator.ty.lengths().flatten().any(|e| self.mentions(e)) {
                return Err(NotFollowed);
            }
            if let Some(object) = self.objects.get(&declarator.decl) {
                if declarator.is_static || declarator.is_extern {
                    // It has its number before the program starts.
                    continue;
                }
                let (object, after) = (object.clone(), after.as_mut().ok_or(NotFollowed)?);
                self.variable(declarator, &object, after)?;
            } else if let Some(to) = self.nodes.pointed(shape) {
                declarator.ty = Type::Integer(Integer::Node);
                match &mut declarator.init {
                    Some(Init::Expr(e)) => self.change(e, |walk, e| walk.pointer(e, to))?,
                    Some(Init::List(..)) => return Err(NotFollowed),
                    None => {}
                }
            } else if let Some(init) = &mut declarator.init {
                self.init(init, shape)?;
            }
        }
        Ok(())
    }

    /// The names of the members on the way.
    pub fn names(&self, mut id: StructId, way: &[usize]) -> Option<Vec<(Name, usize)>> {
        let mut names = Vec::new();
        for &at in way {
            let member = self.program.structure(id).members.as_ref()?.get(at)?;
            names.push((member.name.clone(), at));
            if let Shape::Struct(inner) = member.shape {
                id = inner;
            }
        }
        Some(names)
    }

    fn init(&mut self, init: &mut Init, shape: &Shape) -> Rewritten<()> {
        match init {
            Init::Expr(e) if self.is_split(e) => Err(NotFollowed),
            Init::Expr(e) => self.plain(e),
            Init::List(items, _) => items.iter_mut().try_for_each(|Item { value, part_path, .. }| match (value, part_path) {
                (Init::Expr(e), Some((path, _))) => match shape_at(self.program, shape, path).and_then(|shape| self.nodes.pointed(shape)) {
                    Some(to) => self.change(e, |walk, e| walk.pointer(e, to)),
                    None => self.plain(e),
                },
                (inner @ Init::List(..), _) => self.init(inner, shape),
                (Init::Expr(_), None) => Err(NotFollowed),
            }),
        }
    }
}

/// Whether the first statement that names a variable sets it.
fn is_set_first(later: &[Stmt], decl: DeclId) -> bool {
    let sets = |e: &Expr| match &e.kind {
        ExprKind::Assign { target, op: None, value, .. } => {
            matches!(&target.kind, ExprKind::Name(name) if name.decl == Some(decl)) && !names(value, decl)
        }
        _ => false,
    };
    let Some(first) = later.iter().find(|stmt| names_in(stmt, decl)) else { return true };
    match &first.kind {
        StmtKind::Expr(e) => sets(e),
        StmtKind::For { init: Some(init), .. } => matches!(&init.kind, StmtKind::Expr(e) if sets(e)),
        _ => false,
    }
}

fn names(e: &Expr, decl: DeclId) -> bool {
    let mut found = matches!(&e.kind, ExprKind::Name(name) if name.decl == Some(decl));
    e.kind.children(&mut |child| found = found || names(child, decl));
    found
}

fn names_in(stmt: &Stmt, decl: DeclId) -> bool {
    let mut found = false;
    stmt.expressions(&mut |e| found = found || names(e, decl));
    stmt.children(&mut |child| found = found || names_in(child, decl));
    found
}

/// Whether a function calls one of these.
fn calls_one(function: &Function, calls: &[Function]) -> bool {
    fn does(e: &Expr, calls: &[Function]) -> bool {
        let is_call = matches!(&e.kind, ExprKind::Call(callee, _) if calls.iter().any(|call| call.name.text == callee.text));
        let mut found = is_call;
        e.kind.children(&mut |child| found |= does(child, calls));
        found
    }
    let mut found = false;
    function.body.iter().for_each(|stmt| each_expression(stmt, &mut |e| found |= does(e, calls)));
    found
}
