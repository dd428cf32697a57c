//! Functions written anew, with numbers in place of pointers to nodes.

use super::build::{MemoryUse, NodeArrays, assign, number, set, statement, typed};
use super::flow::NullTests;
use super::structures::NodeStructures;
use crate::lang::ast::{
    BinaryOp, DeclId, Declarator, Expr, ExprKind, Function, Init, Item, Linkage, Name, Program, Shape, Stmt, StmtKind, Storage, StructId,
    Type, UnaryOp,
};
use crate::lang::intrinsic;
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};

/// The program does something else with a pointer to a node.
struct NotFollowed;

type Followed<T> = Result<T, NotFollowed>;

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
) -> Followed<(Program, MemoryUse)> {
    let mut new = program.clone();
    let of_callers = has_callers_nodes(program, function, nodes);
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
fn addressed(program: &Program, nodes: &NodeStructures) -> Followed<SortedSet<DeclId>> {
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

struct Walk<'p> {
    program: &'p Program,
    nodes: &'p NodeStructures,
    arrays: SortedMap<StructId, NodeArrays>,
    /// The variables that are nodes.
    variables: SortedSet<DeclId>,
    usage: MemoryUse,
    used: MemoryUse,
    /// The local pointers that the current function may read before it sets them.
    unset: SortedSet<DeclId>,
    /// The structure to which the current function gives back a pointer.
    result: Option<StructId>,
}

/// Takes an expression out of its parent.
fn take(e: &mut Expr) -> Expr {
    let span = e.span;
    std::mem::replace(e, Expr::new(ExprKind::Error, span))
}

fn is_null(e: &Expr) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero())
}

fn name_of(declarator: &Declarator) -> Expr {
    let name = Name { decl: Some(declarator.decl), ..declarator.name.clone() };
    typed(ExprKind::Name(name), Integer::Node, declarator.name.span)
}

impl Walk<'_> {
    fn function(&mut self, old: &Function) -> Followed<Function> {
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

    fn block(&mut self, list: &mut Vec<Stmt>) -> Followed<()> {
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
    fn statement(&mut self, stmt: &mut Stmt, after: Option<&mut Vec<Stmt>>) -> Followed<()> {
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

    fn declaration(&mut self, list: &mut [Declarator], mut after: Option<&mut Vec<Stmt>>) -> Followed<()> {
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
    fn variable(&mut self, declarator: &mut Declarator, after: &mut Vec<Stmt>) -> Followed<()> {
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

    fn init(&mut self, init: &mut Init, shape: &Shape) -> Followed<()> {
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

    // Expressions

    /// Puts what a function makes of an expression in its stead.
    fn change(&mut self, e: &mut Expr, with: impl FnOnce(&mut Self, Expr) -> Followed<Expr>) -> Followed<()> {
        let old = take(e);
        *e = with(self, old)?;
        Ok(())
    }

    fn of_value(&self, e: &Expr) -> Option<StructId> {
        self.nodes.of_value(self.program, e)
    }

    /// Whether something in an expression is a pointer to a node.
    fn mentions(&self, e: &Expr) -> bool {
        let mut found = self.of_value(e).is_some();
        e.kind.children(&mut |child| found = found || self.mentions(child));
        found
    }

    /// The number of the node of this structure to which an expression points.
    fn pointer(&mut self, mut e: Expr, id: StructId) -> Followed<Expr> {
        let span = e.span;
        if is_null(&e) {
            return Ok(number(0, span));
        }
        if let Some(is_zero) = self.asked(&e, id) {
            let arrays = &self.arrays[&id];
            if arrays.has_node_array || is_zero && arrays.has_array {
                return Err(NotFollowed);
            }
            self.used.leaves_unset |= !is_zero;
            return Ok(arrays.ask(is_zero, span));
        }
        let fits = self.of_value(&e) == Some(id);
        match &mut e.kind {
            ExprKind::Conditional(condition, a, b) => {
                self.truth(condition)?;
                self.change(a, |walk, e| walk.pointer(e, id))?;
                self.change(b, |walk, e| walk.pointer(e, id))?;
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first)?;
                self.change(last, |walk, e| walk.pointer(e, id))?;
            }
            _ if !fits => return Err(NotFollowed),
            ExprKind::Assign { op: None, .. } => self.assignment(&mut e)?,
            ExprKind::Call(..) => self.call(&mut e)?,
            ExprKind::AddressOf(inner) => {
                return match &mut inner.kind {
                    ExprKind::Deref(pointer) => self.pointer(take(pointer), id),
                    ExprKind::Name(Name { decl: Some(decl), .. }) if self.variables.contains(decl) => {
                        Ok(Expr { ty: Integer::Node, span, ..take(inner) })
                    }
                    _ => Err(NotFollowed),
                };
            }
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let may_be_unset = match &e.kind {
                    ExprKind::Name(name) => name.decl.is_some_and(|decl| self.unset.contains(&decl)),
                    _ => self.usage.leaves_unset,
                };
                self.lvalue(&mut e)?;
                if may_be_unset {
                    return Ok(set(e));
                }
            }
            _ => return Err(NotFollowed),
        }
        Ok(Expr { ty: Integer::Node, ..e })
    }

    /// Whether an expression asks for memory of the size of a node, and whether `calloc` does.
    fn asked(&self, e: &Expr, id: StructId) -> Option<bool> {
        let ExprKind::Call(name, arguments) = &e.unconverted().kind else { return None };
        if self.program.function(&name.text).is_some() {
            return None;
        }
        let size = crate::lang::sizes::Sizes { structs: &self.program.structs, abi: self.program.abi }.size(&Shape::Struct(id))?.0;
        let is = |e: &Expr, value: i64| matches!(&e.unconverted().kind, ExprKind::Int(bytes) if bytes.to_i64() == Some(value));
        match (name.text.as_str(), &arguments[..]) {
            ("malloc", [bytes]) if is(bytes, size) => Some(false),
            ("calloc", [count, bytes]) if is(count, 1) && is(bytes, size) || is(count, size) && is(bytes, 1) => Some(true),
            _ => None,
        }
    }

    /// An lvalue, also of a pointer to a node.
    fn lvalue(&mut self, e: &mut Expr) -> Followed<()> {
        let span = e.span;
        if self.of_value(e).is_some() {
            e.ty = Integer::Node;
        }
        match &mut e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                if self.variables.contains(decl) {
                    let Shape::Struct(id) = self.program.decl(*decl).shape else { return Err(NotFollowed) };
                    let name = Expr { ty: Integer::Node, ..take(e) };
                    *e = self.arrays[&id].variable(name);
                }
                Ok(())
            }
            ExprKind::Deref(pointer) => match self.of_value(pointer) {
                Some(id) => {
                    let pointer = self.pointer(take(pointer), id)?;
                    *e = self.arrays[&id].node(pointer, span);
                    Ok(())
                }
                None => self.plain(pointer),
            },
            ExprKind::Index(base, index) => match self.of_value(base) {
                Some(id) if is_null(index) => {
                    let pointer = self.pointer(take(base), id)?;
                    *e = self.arrays[&id].node(pointer, span);
                    Ok(())
                }
                Some(_) => Err(NotFollowed),
                None => {
                    self.plain(base)?;
                    self.plain(index)
                }
            },
            ExprKind::Member(base, ..) => self.lvalue(base),
            _ => self.plain(e),
        }
    }

    fn assignment(&mut self, e: &mut Expr) -> Followed<()> {
        let ExprKind::Assign { target, op, value, at } = &mut e.kind else { return Err(NotFollowed) };
        match self.nodes.of_value(self.program, target) {
            Some(id) if op.is_none() => {
                self.lvalue(target)?;
                self.change(value, |walk, e| walk.pointer(e, id))?;
                (*at, e.ty) = (Integer::Node, Integer::Node);
                Ok(())
            }
            Some(_) => Err(NotFollowed),
            None => {
                self.lvalue(target)?;
                self.plain(value)
            }
        }
    }

    /// A value that is a truth value here.
    fn truth(&mut self, e: &mut Expr) -> Followed<()> {
        match self.of_value(e) {
            Some(id) => self.change(e, |walk, e| walk.pointer(e, id)),
            None => self.plain(e),
        }
    }

    fn call(&mut self, e: &mut Expr) -> Followed<()> {
        let ExprKind::Call(name, arguments) = &mut e.kind else { return Err(NotFollowed) };
        let parameters: Vec<DeclId> = match self.program.function(&name.text) {
            Some((_, function)) => function.parameters.iter().map(|parameter| parameter.decl).collect(),
            // Any other function without a body may write to nodes that it can reach.
            None if !writes_nothing(&name.text, arguments.len()) => return Err(NotFollowed),
            None => Vec::new(),
        };
        for (at, argument) in arguments.iter_mut().enumerate() {
            match parameters.get(at).and_then(|decl| self.nodes.pointed(&self.program.decl(*decl).shape)) {
                Some(id) => self.change(argument, |walk, e| walk.pointer(e, id))?,
                None => self.plain(argument)?,
            }
        }
        Ok(())
    }

    /// An expression whose value nothing uses.
    fn dropped(&mut self, e: &mut Expr) -> Followed<()> {
        let is_pointer = self.of_value(e).is_some();
        match &mut e.kind {
            ExprKind::Call(name, arguments) if name.text == "free" && self.program.function("free").is_none() => {
                let freed = arguments.first_mut().and_then(|argument| Some((self.nodes.of_value(self.program, argument)?, argument)));
                let Some((id, argument)) = freed else { return self.plain(e) };
                self.used.frees = true;
                let (span, pointer) = (e.span, self.pointer(take(argument), id)?);
                *e = self.arrays[&id].free(pointer, span);
                Ok(())
            }
            ExprKind::Call(..) if is_pointer => {
                self.call(e)?;
                e.ty = Integer::Node;
                Ok(())
            }
            ExprKind::Assign { .. } => self.assignment(e),
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.dropped(inner),
            ExprKind::Comma(first, second) => {
                self.dropped(first)?;
                self.dropped(second)
            }
            _ => self.plain(e),
        }
    }

    /// An expression that is no pointer to a node.
    fn plain(&mut self, e: &mut Expr) -> Followed<()> {
        if self.of_value(e).is_some() {
            return Err(NotFollowed);
        }
        match &mut e.kind {
            ExprKind::Name(_) | ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Member(..) => self.lvalue(e),
            ExprKind::AddressOf(inner) => self.lvalue(inner),
            ExprKind::Assign { .. } => self.assignment(e),
            ExprKind::Binary(op, a, b) => match self.nodes.of_value(self.program, a).or_else(|| self.nodes.of_value(self.program, b)) {
                Some(id) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                    self.change(a, |walk, e| walk.pointer(e, id))?;
                    self.change(b, |walk, e| walk.pointer(e, id))
                }
                Some(_) => Err(NotFollowed),
                None => {
                    self.plain(a)?;
                    self.plain(b)
                }
            },
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.truth(a)?;
                self.truth(b)
            }
            ExprKind::Conditional(condition, a, b) => {
                self.truth(condition)?;
                self.plain(a)?;
                self.plain(b)
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first)?;
                self.plain(last)
            }
            // The value is a truth value where it is converted to one.
            ExprKind::Convert(inner) if e.ty == Integer::Bool => self.truth(inner),
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.plain(inner),
            ExprKind::Step { target, .. } => match self.of_value(target) {
                Some(_) => Err(NotFollowed),
                None => self.lvalue(target),
            },
            ExprKind::Call(..) => self.call(e),
            ExprKind::SizeofExpr(inner) if self.mentions(inner) => Err(NotFollowed),
            ExprKind::CallAt(..) | ExprKind::Sugar(_) => Err(NotFollowed),
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::Error => Ok(()),
        }
    }
}

/// The values of a list with the members on the way to each.
fn flat(items: Vec<Item>, found: &mut Vec<(Vec<usize>, Expr)>) -> Followed<()> {
    for item in items {
        match (item.value, item.part_path) {
            (Init::Expr(e), Some((path, indices))) if indices.is_empty() => found.push((path, e)),
            (Init::Expr(_), _) => return Err(NotFollowed),
            (Init::List(inner, _), _) => flat(inner, found)?,
        }
    }
    Ok(())
}

/// Whether a function without a body writes to nothing that the program can read.
fn writes_nothing(name: &str, arguments: usize) -> bool {
    intrinsic::is_own(name)
        || intrinsic::find(name)
            .is_some_and(|intrinsic| !matches!(intrinsic, intrinsic::Intrinsic::SetObject | intrinsic::Intrinsic::CopyObject))
        || intrinsic::only_draws(name, arguments)
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
