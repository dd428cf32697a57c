//! Facts about pointers to scalars: which pointers can hold blocks, and which lead to the same blocks.

use super::slots::{Slot, allocation, element_of, holder, is_free, is_null, slot_at, slot_of};
use crate::lang::ast::{DeclId, Expr, ExprKind, Function, Init, Item, Name, Program, Shape, Stmt, StmtKind};
use crate::lang::flow::shape_of;
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};

/// The class of pointers for which a structure is declared.
pub(super) struct ClassTag {
    pub name: Name,
    pub element: Integer,
}

/// Facts about the pointers to scalars of a program.
pub(super) struct Facts<'p> {
    program: &'p Program,
    slots: SortedSet<Slot>,
    /// From where to where pointers are assigned.
    flows: Vec<(Slot, Slot)>,
    /// Pointers that hold no block.
    pub refused: SortedSet<Slot>,
    /// Pointers that are set to memory that a call gives.
    pub allocated: SortedSet<Slot>,
    /// Pointers whose memory is freed.
    pub freed: SortedSet<Slot>,
}

impl<'p> Facts<'p> {
    pub fn new(program: &'p Program) -> Facts<'p> {
        Facts {
            program,
            slots: SortedSet::new(),
            flows: Vec::new(),
            refused: SortedSet::new(),
            allocated: SortedSet::new(),
            freed: SortedSet::new(),
        }
    }

    /// Whether the pointer is there after the call.
    pub fn outlives(&self, slot: &Slot) -> bool {
        match slot {
            Slot::Decl(decl) => self.program.decl(*decl).storage.lasts(),
            Slot::Member(..) => true,
            Slot::Result(_) => false,
        }
    }

    fn element(&self, slot: &Slot) -> Option<Integer> {
        match slot {
            Slot::Decl(decl) => element_of(&self.program.decl(*decl).shape),
            Slot::Member(structure, at) => {
                let own = self.program.structure(*structure);
                let member = own.members.as_ref()?.get(*at)?;
                (own.union.is_none() && !member.qualifiers.names_volatile()).then(|| element_of(&member.shape))?
            }
            Slot::Result(name) => element_of(&self.program.function(name)?.1.result),
        }
    }

    pub fn function(&mut self, function: &Function) {
        let is_called_by_pointer = self.program.addressed.contains(&function.name.text);
        if function.library || is_called_by_pointer {
            self.refused.extend(function.parameters.iter().map(|parameter| Slot::Decl(parameter.decl)));
        }
        if is_called_by_pointer {
            self.refused.insert(Slot::Result(function.name.text.clone()));
        }
        for stmt in &function.body {
            self.statement(stmt, &function.name.text);
        }
    }

    fn statement(&mut self, stmt: &Stmt, function: &str) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => {
                let slot = Slot::Result(function.to_owned());
                if self.element(&slot).is_some() {
                    self.flow(e, &slot);
                }
            }
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    let shape = &self.program.decl(declarator.decl).shape;
                    match &declarator.init {
                        Some(Init::Expr(e)) if element_of(shape).is_some() => self.flow(e, &Slot::Decl(declarator.decl)),
                        Some(Init::List(items, _)) => self.listed(items, declarator.decl),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child, function));
    }

    fn listed(&mut self, items: &[Item], decl: DeclId) {
        for item in items {
            match (&item.value, item.path()) {
                (Init::Expr(e), Some(path)) => {
                    if let Some(slot) = slot_at(self.program, decl, path)
                        && self.element(&slot).is_some()
                    {
                        self.flow(e, &slot);
                    }
                }
                (Init::List(inner, _), _) => self.listed(inner, decl),
                (Init::Expr(_), None) => {}
            }
        }
    }

    fn expression(&mut self, e: &Expr) {
        let program = self.program;
        if let Some(slot) = slot_of(program, e) {
            self.slots.insert(slot);
        }
        match &e.kind {
            ExprKind::Assign { target, op, value, .. } => {
                if let Some(slot) = slot_of(program, target) {
                    match op {
                        None => self.flow(value, &slot),
                        Some(_) => _ = self.refused.insert(slot),
                    }
                }
            }
            ExprKind::Step { target, .. } | ExprKind::AddressOf(target) => self.refused.extend(slot_of(program, target)),
            ExprKind::Call(name, arguments) => match program.function(&name.text) {
                Some((_, function)) => {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        if element_of(&program.decl(parameter.decl).shape).is_some() {
                            self.flow(argument, &Slot::Decl(parameter.decl));
                        }
                    }
                }
                None if is_free(program, name) => {
                    for argument in arguments {
                        self.freed.extend(slot_of(program, argument));
                    }
                }
                None => {}
            },
            _ => {}
        }
        // An array of pointers is only indexed.
        let is_array = |e: &Expr| {
            matches!(shape_of(program, e), Some(Shape::Array { .. }))
                && shape_of(program, e).is_some_and(|shape| element_of(shape).is_some())
        };
        e.kind.children(&mut |child| {
            let is_indexed = matches!(&e.kind, ExprKind::Index(base, _) if std::ptr::eq(&**base, child));
            if !is_indexed && is_array(child) && !matches!(e.kind, ExprKind::SizeofExpr(_)) {
                self.refused.extend(holder(program, child));
            }
        });
        if !matches!(e.kind, ExprKind::SizeofExpr(_)) {
            e.kind.children(&mut |child| self.expression(child));
        }
    }

    /// A pointer that is set to the value of an expression.
    fn flow(&mut self, e: &Expr, to: &Slot) {
        let program = self.program;
        self.slots.insert(to.clone());
        if is_null(e) {
            return;
        }
        if let Some((name, arguments)) = allocation(program, e) {
            self.allocated.insert(to.clone());
            if name == "realloc" {
                self.flow(&arguments[0], to);
                self.freed.extend(slot_of(program, &arguments[0]));
            }
            return;
        }
        match &e.kind {
            ExprKind::Conditional(_, a, b) => {
                self.flow(a, to);
                self.flow(b, to);
            }
            ExprKind::Comma(_, last) => self.flow(last, to),
            _ => match slot_of(program, e) {
                Some(from) if self.element(&from) == self.element(to) => self.flows.push((from, to.clone())),
                _ => _ = self.refused.insert(to.clone()),
            },
        }
    }

    /// The class of each pointer that holds blocks, and a tag for each class; `None` where there is none, or a parameter of the function leads into one.
    pub fn classes(mut self, function: &Function) -> Option<(SortedMap<Slot, usize>, Vec<ClassTag>)> {
        for slot in self.slots.clone() {
            if self.element(&slot).is_none() {
                self.refused.insert(slot);
            }
        }
        loop {
            let is_new = |(from, to): &&(Slot, Slot)| self.refused.contains(from) && !self.refused.contains(to);
            let found: Vec<Slot> = self.flows.iter().filter(is_new).map(|(_, to)| to.clone()).collect();
            if found.is_empty() {
                break;
            }
            self.refused.extend(found);
        }
        let slots: Vec<Slot> = self.slots.iter().filter(|slot| !self.refused.contains(*slot)).cloned().collect();
        let number: SortedMap<&Slot, usize> = slots.iter().zip(0..).collect();
        let mut union = petgraph::unionfind::UnionFind::<usize>::new(slots.len());
        for (from, to) in &self.flows {
            if let (Some(from), Some(to)) = (number.get(from), number.get(to)) {
                union.union(*from, *to);
            }
        }
        let is_value = |slot: &Slot| match slot {
            Slot::Decl(decl) if matches!(self.program.decl(*decl).shape, Shape::Array { .. }) => true,
            slot => self.outlives(slot) || self.allocated.contains(slot) || self.freed.contains(slot),
        };
        let mut tags: Vec<ClassTag> = Vec::new();
        let mut numbers: SortedMap<usize, usize> = SortedMap::new();
        // Members give the class its name, or else the first pointer.
        let values = slots.iter().zip(0..).filter(|(slot, _)| is_value(slot));
        let mut values: Vec<(&Slot, usize)> = values.collect();
        values.sort_by_key(|(slot, at)| (!matches!(slot, Slot::Member(..)), *at));
        for (slot, at) in values {
            let class = union.find(at);
            if !numbers.contains_key(&class) {
                numbers.insert(class, tags.len());
                tags.push(ClassTag { name: self.name(slot)?, element: self.element(slot)? });
            }
        }
        let classes: SortedMap<Slot, usize> =
            slots.iter().zip(0..).filter_map(|(slot, at)| Some((slot.clone(), *numbers.get(&union.find(at))?))).collect();
        // A caller's pointer into a block of another one's has no form as an input.
        let mut open: Vec<&Slot> = classes.keys().collect();
        let mut led: SortedSet<&Slot> = SortedSet::new();
        while let Some(slot) = open.pop() {
            for (from, to) in &self.flows {
                if from == slot && !classes.contains_key(to) && led.insert(to) {
                    open.push(to);
                }
            }
        }
        let is_given = function.parameters.iter().any(|parameter| led.contains(&Slot::Decl(parameter.decl)));
        (!classes.is_empty() && !is_given).then_some((classes, tags))
    }

    fn name(&self, slot: &Slot) -> Option<Name> {
        Some(match slot {
            Slot::Decl(decl) => {
                let decl = self.program.decl(*decl);
                Name { text: decl.name.clone(), span: decl.span, decl: None }
            }
            Slot::Member(structure, at) => self.program.structure(*structure).members.as_ref()?.get(*at)?.name.clone(),
            Slot::Result(name) => self.program.function(name)?.1.name.clone(),
        })
    }
}
