//! Programs, functions and statements written anew, with numbers in place of pointers to nodes; [`super::expressions`] writes expressions.

use super::build::{MemoryUse, NodeArrays, assign, statement, typed};
use super::flow::NullTests;
use super::structures::NodeStructures;
use crate::lang::ast::{
    DeclId, Declarator, Expr, ExprKind, Function, Init, Item, Linkage, Name, Program, Shape, Stmt, StmtKind, Storage, StructId, Type,
};
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};

/// The program does something else with a pointer to a node.
pub(super) struct NotFollowed;

pub(super) type Rewritten<T> = Result<T, NotFollowed>;

/// The program with numbers in place of pointers; `None` where a function that matters does something else with one.
pub(super) fn followed(program: &Program, function: &Function, nodes: &NodeStructures) -> Option<Program> {
    let tests = NullTests::of(program, nodes);
    let mut usage = MemoryUse { asks: tests.asks_of_memory(), ..MemoryUse::default() };
    loop {
        let (written, used) = written(program, function, nodes, &tests, usage).ok()?;
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
    let of_callers = has_callers_nodes(program, function, nodes);
    // A pointer of a caller may lead to an object at file scope, which no number stands for.
    if of_callers && program.decls.iter().any(|decl| decl.storage.lasts() && nodes.has_object(program, &decl.shape)) {
        return Err(NotFollowed);
    }
    for (decl, old) in new.decls.iter_mut().zip(&program.decls) {
        decl.shape = nodes.numbered(&old.shape);
        if decl.shape != old.shape && (decl.qualifiers.names_volatile() || !starts_null(program, nodes, old)) {
            return Err(NotFollowed);
        }
    }
    for member in new.structs.iter_mut().flat_map(|structure| structure.members.iter_mut().flatten()) {
        let numbered = nodes.numbered(&member.shape);
        if nodes.pointed(&member.shape).is_some() {
            member.ty = Type::Integer(Integer::Node);
        }
        member.shape = numbered;
    }
    let arrays = nodes.all.iter().map(|&id| (id, NodeArrays::new(&mut new, id, usage, of_callers))).collect();
    let variables = addressed(program, nodes)?;
    for decl in &variables {
        new.decls[decl.0 as usize].shape = Shape::Scalar(Integer::Node);
    }
    let used = MemoryUse { asks: usage.asks, ..MemoryUse::default() };
    let mut walk = Walk { program, nodes, arrays, variables, usage, used, unset: SortedSet::new(), result: None };
    let mut functions = Vec::new();
    for (old, at) in program.functions.iter().zip(0..) {
        match walk.function(old) {
            Ok(written) => functions.push(written),
            Err(NotFollowed) if nodes.reached.contains(&at) => return Err(NotFollowed),
            // Lowering does not come there.
            Err(NotFollowed) => functions.push(old.clone()),
        }
    }
    for arrays in walk.arrays.values() {
        functions.extend(arrays.calls(usage.asks));
    }
    new.functions = functions;
    let given = function.parameters.iter().filter(|parameter| nodes.pointed(&program.decl(parameter.decl).shape).is_some());
    new.present = given.map(|parameter| parameter.decl).filter(|&decl| !tests.asks_of(decl)).collect();
    Ok((new, walk.used))
}

/// Whether there are nodes that the function does not ask for: its caller passes them, or they are there before it starts.
fn has_callers_nodes(program: &Program, function: &Function, nodes: &NodeStructures) -> bool {
    let given = |id: DeclId| nodes.are_held(program, &program.decl(id).shape, DEPTH);
    let is_main = function.name.text == "main";
    let lasting = program.decls.iter().filter(|decl| decl.storage.lasts() && (!is_main || decl.linkage == Linkage::Elsewhere));
    function.parameters.iter().any(|parameter| given(parameter.decl))
        || lasting.into_iter().any(|decl| nodes.are_held(program, &decl.shape, DEPTH))
}

/// Members and pointers on the way to a pointer to a node.
const DEPTH: u32 = 8;

/// Whether each pointer to a node in an object that lasts is null at first.
fn starts_null(program: &Program, nodes: &NodeStructures, decl: &crate::lang::ast::Decl) -> bool {
    decl.initial.iter().flatten().all(|initial| {
        initial.value.typed.is_zero() || shape_at(program, &decl.shape, &initial.path).is_some_and(|shape| nodes.pointed(shape).is_none())
    })
}

/// What has these members on the way; arrays count as their elements.
fn shape_at<'a>(program: &'a Program, mut shape: &'a Shape, path: &[usize]) -> Option<&'a Shape> {
    let mut path = path.iter();
    loop {
        match shape {
            Shape::Array { element, .. } => shape = element,
            Shape::Struct(id) => match path.next() {
                Some(&at) => shape = &program.structure(*id).members.as_ref()?.get(at)?.shape,
                None => return Some(shape),
            },
            shape => return Some(shape),
        }
    }
}

/// The variables that are nodes themselves, since the program takes their addresses.
fn addressed(program: &Program, nodes: &NodeStructures) -> Rewritten<SortedSet<DeclId>> {
    fn inside(e: &Expr, visit: &mut dyn FnMut(DeclId)) {
        if let ExprKind::AddressOf(inner) = &e.kind
            && let ExprKind::Name(Name { decl: Some(decl), .. }) = &inner.kind
        {
            visit(*decl);
        }
        e.kind.children(&mut |child| inside(child, visit));
    }
    fn in_statement(stmt: &Stmt, visit: &mut dyn FnMut(DeclId)) {
        stmt.expressions(&mut |e| inside(e, visit));
        stmt.children(&mut |child| in_statement(child, visit));
    }
    let mut found = SortedSet::new();
    for &at in &nodes.reached {
        program.functions[at].body.iter().for_each(|stmt| {
            in_statement(stmt, &mut |decl| {
                found.insert(decl);
            })
        });
    }
    found.retain(|&decl| matches!(program.decl(decl).shape, Shape::Struct(id) if nodes.all.contains(&id)));
    match found.iter().all(|&decl| program.decl(decl).storage == Storage::Local && !program.decl(decl).qualifiers.names_volatile()) {
        true => Ok(found),
        false => Err(NotFollowed),
    }
}

pub(super) struct Walk<'p> {
    pub program: &'p Program,
    pub nodes: &'p NodeStructures,
    pub arrays: SortedMap<StructId, NodeArrays>,
    /// The variables that are nodes.
    pub variables: SortedSet<DeclId>,
    pub usage: MemoryUse,
    pub used: MemoryUse,
    /// The local pointers that the current function may read before it sets them.
    pub unset: SortedSet<DeclId>,
    /// The structure to which the current function gives back a pointer.
    result: Option<StructId>,
}

fn name_of(declarator: &Declarator) -> Expr {
    let name = Name { decl: Some(declarator.decl), ..declarator.name.clone() };
    typed(ExprKind::Name(name), Integer::Node, declarator.name.span)
}

impl Walk<'_> {
    fn function(&mut self, old: &Function) -> Rewritten<Function> {
        let mut function = old.clone();
        self.result = self.nodes.pointed(&old.result);
        self.unset = SortedSet::new();
        self.block(&mut function.body)?;
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
            StmtKind::Declare(constants, list) if list.iter().any(|one| self.variables.contains(&one.decl)) => {
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
                Some(id) => self.change(e, |walk, e| walk.pointer(e, id)),
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
            if let Some(id) = self.nodes.pointed(shape) {
                declarator.ty = Type::Integer(Integer::Node);
                match &mut declarator.init {
                    Some(Init::Expr(e)) => self.change(e, |walk, e| walk.pointer(e, id))?,
                    Some(Init::List(..)) => return Err(NotFollowed),
                    None => {}
                }
            } else if self.variables.contains(&declarator.decl) {
                let after = after.as_mut().ok_or(NotFollowed)?;
                self.variable(declarator, after)?;
            } else if let Some(init) = &mut declarator.init {
                self.init(init, shape)?;
            }
        }
        Ok(())
    }

    /// A variable that is a node: its number, and what sets its members.
    fn variable(&mut self, declarator: &mut Declarator, after: &mut Vec<Stmt>) -> Rewritten<()> {
        let Shape::Struct(id) = self.program.decl(declarator.decl).shape else { return Err(NotFollowed) };
        if self.arrays[&id].has_node_array || declarator.is_static {
            return Err(NotFollowed);
        }
        self.used.leaves_unset = true;
        let node = name_of(declarator);
        declarator.ty = Type::Integer(Integer::Node);
        match declarator.init.replace(Init::Expr(self.arrays[&id].next(declarator.span))) {
            None => after.extend(self.arrays[&id].first_values(&node, false, &[])),
            Some(Init::Expr(mut e)) => {
                self.plain(&mut e)?;
                after.push(statement(assign(self.arrays[&id].variable(node), e, Integer::Node)));
            }
            Some(Init::List(items, _)) if !self.arrays[&id].has_array => {
                let mut listed = Vec::new();
                flat(items, &mut listed)?;
                let ways: Vec<Vec<usize>> = listed.iter().map(|(way, _)| way.clone()).collect();
                after.extend(self.arrays[&id].first_values(&node, true, &ways));
                for (way, value) in listed {
                    let shape = shape_at(self.program, &self.program.decl(declarator.decl).shape, &way).ok_or(NotFollowed)?;
                    let (value, ty) = match self.nodes.pointed(shape) {
                        Some(to) => (self.pointer(value, to)?, Integer::Node),
                        None => {
                            let mut value = value;
                            self.plain(&mut value)?;
                            let ty = shape.integer(self.program.abi).ok_or(NotFollowed)?;
                            (value, ty)
                        }
                    };
                    let names = self.names(id, &way).ok_or(NotFollowed)?;
                    after.push(statement(assign(self.arrays[&id].scalar(&node, &names, ty), value, ty)));
                }
            }
            Some(Init::List(..)) => return Err(NotFollowed),
        }
        Ok(())
    }

    /// The names of the members on the way.
    fn names(&self, mut id: StructId, way: &[usize]) -> Option<Vec<(Name, usize)>> {
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
            Init::Expr(e) => self.plain(e),
            Init::List(items, _) => items.iter_mut().try_for_each(|Item { value, part_path, .. }| match (value, part_path) {
                (Init::Expr(e), Some((path, _))) => match shape_at(self.program, shape, path).and_then(|shape| self.nodes.pointed(shape)) {
                    Some(id) => self.change(e, |walk, e| walk.pointer(e, id)),
                    None => self.plain(e),
                },
                (inner @ Init::List(..), _) => self.init(inner, shape),
                (Init::Expr(_), None) => Err(NotFollowed),
            }),
        }
    }
}

/// The values of a list with the members on the way to each.
fn flat(items: Vec<Item>, found: &mut Vec<(Vec<usize>, Expr)>) -> Rewritten<()> {
    for item in items {
        match (item.value, item.part_path) {
            (Init::Expr(e), Some((path, indices))) if indices.is_empty() => found.push((path, e)),
            (Init::Expr(_), _) => return Err(NotFollowed),
            (Init::List(inner, _), _) => flat(inner, found)?,
        }
    }
    Ok(())
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
