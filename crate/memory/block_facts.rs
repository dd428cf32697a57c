//! Facts about pointers: which can hold blocks, and which lead to the same blocks.

use super::jumps::passed_by_jumps;
use super::slots::{
    CursorFacts, Cursors, Slot, allocation, array_of_rows, element_of, elements_led_to, first_slot, holder, is_array_of_rows,
    is_array_of_scalars, is_free, is_null, moved_from, slot_at, slot_of,
};
use crate::lang::ast::{
    BinaryOp, CommandLine, DeclId, Expr, ExprKind, Function, Init, Item, Linkage, Name, Parameter, Program, Shape, Stmt, StmtKind, Storage,
};
use crate::lang::flow::shape_of;
use crate::lang::sizes::Sizes;
use crate::logic::{Arrange, SortedMap, SortedSet};

/// The class of pointers for which a structure is declared.
pub(super) struct ClassTag {
    pub name: Name,
    /// The shape of its elements.
    pub element: Shape,
    /// One of its pointers.
    pub slot: Slot,
    /// What the caller's blocks have of the command line.
    pub line: Option<CommandLine>,
}

/// Facts about the pointers of a program.
pub(super) struct Facts<'p> {
    pub program: &'p Program,
    pub slots: SortedSet<Slot>,
    /// From where to where pointers are assigned.
    pub flows: Vec<(Slot, Slot)>,
    /// Pointers that are elements of the same memory.
    pub joined: Vec<(Slot, Slot)>,
    /// Pointers that lead to several elements: an index, a sum or the size that a call is asked for says so.
    several: SortedSet<Slot>,
    /// Pointers that hold no block.
    pub refused: SortedSet<Slot>,
    /// Pointers that are set to memory that a call gives.
    pub allocated: SortedSet<Slot>,
    /// Pointers whose memory is freed.
    pub freed: SortedSet<Slot>,
    /// Pointers that an assignment changes, also to a null pointer.
    assigned: SortedSet<Slot>,
    /// Pointers that move; `None` where none of them can hold a block.
    pub cursors: Option<CursorFacts>,
    /// Pointers that lead into one block because the program compares them.
    pub compared: Vec<(Slot, Slot)>,
}

/// The pointers that hold blocks.
pub(super) struct BlockClasses {
    /// The class of each.
    pub of_slot: SortedMap<Slot, usize>,
    /// The ones among them that are cursors.
    pub cursors: SortedSet<Slot>,
    /// Whether pointers that are kept are ordered, or subtracted.
    pub are_ordered: bool,
    pub tags: Vec<ClassTag>,
}

impl<'p> Facts<'p> {
    /// No facts yet of a program's pointers; with `cursors`, pointers that move can hold blocks, too.
    pub fn new(program: &'p Program, cursors: bool) -> Facts<'p> {
        Facts {
            program,
            slots: SortedSet::new(),
            flows: Vec::new(),
            joined: Vec::new(),
            several: SortedSet::new(),
            refused: SortedSet::new(),
            allocated: SortedSet::new(),
            freed: SortedSet::new(),
            assigned: SortedSet::new(),
            cursors: cursors.then(CursorFacts::default),
            compared: Vec::new(),
        }
    }

    /// Whether the pointer is there after the call.
    pub fn outlives(&self, slot: &Slot) -> bool {
        match slot {
            Slot::Decl(decl) => self.program.decl(*decl).storage.lasts(),
            Slot::Member(..) | Slot::Element(_) => true,
            Slot::Result(_) | Slot::Object(_) | Slot::Rows(_) => false,
        }
    }

    /// The shape of the elements to which a pointer leads.
    pub fn element(&self, slot: &Slot) -> Option<&'p Shape> {
        match slot {
            Slot::Decl(decl) => element_of(&self.program.decl(*decl).shape),
            Slot::Member(structure, at) => {
                let own = self.program.structure(*structure);
                let member = own.members.as_ref()?.get(*at)?;
                (own.union.is_none() && !member.qualifiers.names_volatile()).then(|| element_of(&member.shape))?
            }
            Slot::Result(name) => element_of(&self.program.function(name)?.1.result),
            Slot::Element(of) => element_of(self.element(of)?),
            Slot::Object(decl) => match &self.program.decl(*decl).shape {
                Shape::Array { element, .. } => Some(element),
                _ => None,
            },
            Slot::Rows(decl) => match &self.program.decl(*decl).shape {
                Shape::Array { element, .. } => match &**element {
                    Shape::Array { element, .. } => Some(element),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    fn add(&mut self, mut slot: Slot) {
        while matches!(self.element(&slot), Some(Shape::Pointer(_))) {
            self.slots.insert(slot.clone());
            slot = slot.elements();
        }
        self.slots.insert(slot);
    }

    /// Lets a pointer, and the pointers to which it leads, hold no block.
    fn refuse(&mut self, mut slot: Slot) {
        while matches!(self.element(&slot), Some(Shape::Pointer(_))) {
            self.refused.insert(slot.clone());
            slot = slot.elements();
        }
        self.refused.insert(slot);
    }

    /// A pointer that moves leads into a block, and holds none.
    fn moves(&mut self, slot: Slot) {
        self.several.insert(slot.clone());
        self.assigned.insert(slot.clone());
        match &mut self.cursors {
            Some(cursors) => cursors.moved.insert(slot),
            None => self.refused.insert(slot),
        };
    }

    /// The elements to which two pointers lead hold the same pointers.
    fn join(&mut self, mut a: Slot, mut b: Slot) {
        while self.element(&a).is_some() && self.element(&a) == self.element(&b) {
            self.joined.push((a.clone(), b.clone()));
            (a, b) = (a.elements(), b.elements());
        }
    }

    pub fn function(&mut self, function: &Function) {
        let is_called_by_pointer = self.program.addressed.contains(&function.name.text);
        if let Some(cursors) = self.cursors.as_mut().filter(|_| function.library) {
            cursors.of_library.extend(function.parameters.iter().map(|parameter| parameter.decl));
        }
        // A function of the library gives back a pointer that it was called with, or sets another one to it.
        let sets_pointer = |parameter: &Parameter| matches!(element_of(&self.program.decl(parameter.decl).shape), Some(Shape::Pointer(_)));
        let gives_pointer =
            self.cursors.is_some() && (element_of(&function.result).is_some() || function.parameters.iter().any(sets_pointer));
        if function.library && !gives_pointer || is_called_by_pointer {
            function.parameters.iter().for_each(|parameter| self.refuse(Slot::Decl(parameter.decl)));
        }
        if is_called_by_pointer {
            self.refuse(Slot::Result(function.name.text.clone()));
        }
        if self.cursors.is_some() {
            self.refused.extend(passed_by_jumps(&function.body).into_iter().flat_map(|decl| [Slot::Object(decl), Slot::Rows(decl)]));
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
        stmt.expressions(&mut |e| {
            self.refused.extend(array_of_rows(self.program, e).map(Slot::Rows));
            self.expression(e);
        });
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
        if let Some(slot) = slot_of(program, e)
            && (self.cursors.is_some() || !slot.is_array())
        {
            self.add(slot);
        }
        match &e.kind {
            ExprKind::Binary(
                op @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Sub),
                a,
                b,
            ) if let (Some(a), Some(b), Some(cursors)) = (first_slot(program, a), first_slot(program, b), &mut self.cursors) => {
                cursors.compared.push((a.clone(), b.clone()));
                if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    cursors.ordered.push((a.clone(), b.clone()));
                }
                self.several.extend([a, b]);
            }
            ExprKind::Index(base, index) if !is_null(index) => self.several.extend(slot_of(program, base)),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                self.several.extend([a, b].into_iter().filter_map(|side| slot_of(program, side)));
            }
            ExprKind::Assign { target, op, value, .. } => {
                if let Some(slot) = slot_of(program, target) {
                    self.assigned.insert(slot.clone());
                    match op {
                        None => self.flow(value, &slot),
                        Some(_) => self.moves(slot),
                    }
                }
            }
            ExprKind::AddressOf(target) => {
                let slot = slot_of(program, target).filter(|slot| !matches!(slot, Slot::Element(_)));
                match &mut self.cursors {
                    Some(cursors) if !slot.as_ref().is_some_and(Slot::is_array) => cursors.moved.extend(slot),
                    _ => self.refused.extend(slot),
                }
            }
            ExprKind::Step { target, .. } => slot_of(program, target).into_iter().for_each(|slot| self.moves(slot)),
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
                // It may change the pointers to which it gets the addresses.
                None if self.cursors.is_some() => {
                    let led_to: Vec<Slot> = arguments.iter().filter_map(|argument| elements_led_to(program, argument)).collect();
                    for slot in led_to {
                        if self.element(&slot).is_some() {
                            self.refuse(slot);
                        }
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
            // An array of rows is only indexed.
            if !is_indexed && !matches!(e.kind, ExprKind::SizeofExpr(_)) {
                self.refused.extend(array_of_rows(program, child).map(Slot::Rows));
            }
            let is_passed = self.cursors.is_some() && matches!(&e.kind, ExprKind::Call(name, _) if program.function(&name.text).is_some());
            if !is_indexed && !is_passed && is_array(child) && !matches!(e.kind, ExprKind::SizeofExpr(_)) {
                self.refused.extend(holder(program, child));
            }
            let is_followed = matches!(
                e.kind,
                ExprKind::Call(..)
                    | ExprKind::Assign { op: None, .. }
                    | ExprKind::Deref(_)
                    | ExprKind::Conditional(..)
                    | ExprKind::Comma(..)
            );
            // What else is done with the address of a pointer is not followed.
            if self.cursors.is_some()
                && !is_followed
                && let ExprKind::AddressOf(inner) = &child.kind
            {
                self.refused.extend(slot_of(program, inner).filter(|slot| !matches!(slot, Slot::Element(_))));
            }
        });
        if !matches!(e.kind, ExprKind::SizeofExpr(_)) {
            e.kind.children(&mut |child| self.expression(child));
        }
    }

    /// A pointer that is set to the value of an expression.
    fn flow(&mut self, e: &Expr, to: &Slot) {
        let program = self.program;
        self.add(to.clone());
        if is_null(e) {
            return;
        }
        if let Some((name, arguments)) = allocation(program, e) {
            self.allocated.insert(to.clone());
            if !self.is_one(to, name, arguments) {
                self.several.insert(to.clone());
            }
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
            _ => {
                let is_moved = moved_from(program, e).is_some();
                let from = first_slot(program, e);
                let is_alike = from.as_ref().is_some_and(|from| self.element(from) == self.element(to));
                match (from, &mut self.cursors) {
                    (_, None) if is_moved => _ = self.refused.insert(to.clone()),
                    (Some(Slot::Object(_) | Slot::Rows(_)), None) => _ = self.refused.insert(to.clone()),
                    (None, Some(cursors)) if matches!(e.unconverted().kind, ExprKind::Str(_)) => _ = cursors.literals.insert(to.clone()),
                    (Some(from), cursors) if is_alike => {
                        self.flows.push((from, to.clone()));
                        if let Some(cursors) = cursors.as_mut().filter(|_| is_moved) {
                            cursors.moved.insert(to.clone());
                            self.several.insert(to.clone());
                        }
                    }
                    _ => _ = self.refused.insert(to.clone()),
                }
                if let Some(Shape::Pointer(_)) = self.element(to) {
                    match elements_led_to(program, e) {
                        Some(from) => self.join(from, to.clone().elements()),
                        None => self.refuse(to.clone().elements()),
                    }
                }
            }
        }
    }

    /// Whether a call asks for the memory of one element to which a pointer leads.
    fn is_one(&self, to: &Slot, function: &str, arguments: &[Expr]) -> bool {
        let sizes = Sizes { structs: &self.program.structs, abi: self.program.abi };
        let Some((size, _)) = self.element(to).and_then(|element| sizes.size(element)) else { return false };
        let is = |e: &Expr, value: i64| matches!(&e.unconverted().kind, ExprKind::Int(bytes) if bytes.to_i64() == Some(value));
        match (function, arguments) {
            ("malloc", [bytes]) => is(bytes, size),
            ("calloc", [a, b]) => is(a, 1) && is(b, size) || is(a, size) && is(b, 1),
            _ => false,
        }
    }

    /// The pointer to the arguments of a program that starts with the function.
    pub fn arguments(&self, function: &Function) -> Option<Slot> {
        let [_, arguments] = &function.parameters[..] else { return None };
        let slot = Slot::Decl(arguments.decl);
        let is_text = self
            .element(&slot.clone().elements())
            .is_some_and(|element| matches!(element, Shape::Scalar(ty) if ty.size(self.program.abi) == 1));
        (function.name.text == "main" && is_text).then_some(slot)
    }

    /// Whether the program moves the pointer to its arguments, or changes one.
    fn is_moved(&self, arguments: &Slot) -> bool {
        let elements = self.alike(&arguments.clone().elements());
        let is_element = |slot: &Slot| matches!(slot, Slot::Element(_)) && elements.contains(slot);
        self.refused.contains(arguments) || self.assigned.iter().any(is_element)
    }

    /// The pointers that are elements of the same memory as these.
    pub fn alike(&self, slot: &Slot) -> SortedSet<Slot> {
        let mut found = SortedSet::from_iter([slot.clone()]);
        let mut open = vec![slot.clone()];
        while let Some(slot) = open.pop() {
            for (a, b) in &self.joined {
                let other = if *a == slot {
                    b
                } else if *b == slot {
                    a
                } else {
                    continue;
                };
                if found.insert(other.clone()) {
                    open.push(other.clone());
                }
            }
        }
        found
    }

    /// Lets no pointer hold blocks that is set to one that holds none.
    fn spread(&mut self) {
        loop {
            let is_new = |(from, to): &(&Slot, &Slot)| self.refused.contains(*from) && !self.refused.contains(*to);
            let joined = self.joined.iter().flat_map(|(a, b)| [(a, b), (b, a)]);
            let ways = self.flows.iter().map(|(from, to)| (from, to)).chain(joined);
            let found: Vec<Slot> = ways.filter(is_new).map(|(_, to)| to.clone()).collect();
            if found.is_empty() {
                break;
            }
            self.refused.extend(found);
        }
    }

    /// Lets what is no pointer of the program, or no array that begins with the function, hold no block.
    pub fn refuse_others(&mut self, function: &Function) {
        for slot in self.slots.clone() {
            let is_object = |decl: &DeclId| self.is_object(*decl, function);
            if self.element(&slot).is_none() || matches!(&slot, Slot::Object(decl) | Slot::Rows(decl) if !is_object(decl)) {
                self.refused.insert(slot);
            }
        }
    }

    /// The class of each pointer that holds blocks, and a tag for each class; `None` where there is none, or a parameter of the function leads into one.
    pub fn classes(mut self, function: &Function, cursors: Cursors) -> Option<BlockClasses> {
        let Cursors { all: cursors, are_ordered } = cursors;
        let arguments = self.arguments(function);
        self.several.extend(arguments.clone());
        loop {
            let is_new = |(from, to): &&(Slot, Slot)| self.several.contains(to) && !self.several.contains(from);
            let found: Vec<Slot> = self.flows.iter().filter(is_new).map(|(from, _)| from.clone()).collect();
            if found.is_empty() {
                break;
            }
            self.several.extend(found);
        }
        self.spread();
        // The arguments lie where the program starts with them, and lead to their first characters.
        if let Some(arguments) = arguments.clone().filter(|own| self.is_moved(own) || cursors.contains(&own.clone().elements())) {
            self.refuse(arguments);
            self.spread();
        }
        let slots: Vec<Slot> = self.slots.iter().filter(|slot| !self.refused.contains(*slot)).cloned().collect();
        let number: SortedMap<&Slot, usize> = slots.iter().zip(0..).collect();
        let mut union = petgraph::unionfind::UnionFind::<usize>::new(slots.len());
        for (from, to) in self.flows.iter().chain(&self.joined).chain(&self.compared) {
            if let (Some(from), Some(to)) = (number.get(from), number.get(to)) {
                union.union(*from, *to);
            }
        }
        let several = slots.iter().zip(0..).filter(|(slot, _)| self.several.contains(*slot));
        let several: SortedSet<usize> = several.map(|(_, at)| union.find(at)).collect();
        // A pointer to a single structure leads to a node, and one to a single pointer to a variable.
        let is_value = |slot: &Slot, at: usize| match slot {
            _ if !matches!(self.element(slot), Some(Shape::Scalar(_))) && !several.contains(&union.find(at)) => false,
            Slot::Decl(decl) if matches!(self.program.decl(*decl).shape, Shape::Array { .. }) => true,
            slot => self.outlives(slot) || self.allocated.contains(slot) || self.freed.contains(slot) || arguments.as_ref() == Some(slot),
        };
        let mut tags: Vec<ClassTag> = Vec::new();
        let mut numbers: SortedMap<usize, usize> = SortedMap::new();
        // Members give the class its name, or else the first pointer.
        let values = slots.iter().zip(0..).filter(|(slot, at)| is_value(slot, *at));
        let mut values: Vec<(&Slot, usize)> = values.collect();
        values.arrange_by_key(|(slot, at)| (!matches!(slot, Slot::Member(..)), !matches!(slot, Slot::Element(..)), *at));
        for (slot, at) in values {
            let class = union.find(at);
            if !numbers.contains_key(&class) {
                numbers.insert(class, tags.len());
                tags.push(ClassTag { name: self.name(slot)?, element: self.element(slot)?.clone(), slot: slot.clone(), line: None });
            }
        }
        for (slot, line) in
            arguments.iter().flat_map(|own| [(own.clone(), CommandLine::Arguments), (own.clone().elements(), CommandLine::Characters)])
        {
            if let Some(class) = number.get(&slot).and_then(|at| numbers.get(&union.find(*at))) {
                tags[*class].line = Some(line);
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
        let cursors: SortedSet<Slot> = cursors.into_iter().filter(|slot| classes.contains_key(slot)).collect();
        (!classes.is_empty() && !is_given).then_some(BlockClasses { of_slot: classes, cursors, are_ordered, tags })
    }

    /// Whether an array can be a block: it begins with its declaration, or with the program.
    fn is_object(&self, decl: DeclId, function: &Function) -> bool {
        let decl = self.program.decl(decl);
        let begins = match decl.storage {
            Storage::Local => true,
            Storage::Global | Storage::Static => function.name.text == "main" && decl.linkage != Linkage::Elsewhere,
            _ => false,
        };
        begins && (is_array_of_scalars(&decl.shape) || is_array_of_rows(&decl.shape)) && !decl.qualifiers.names_volatile()
    }

    fn name(&self, slot: &Slot) -> Option<Name> {
        Some(match slot {
            Slot::Decl(decl) | Slot::Object(decl) | Slot::Rows(decl) => {
                let decl = self.program.decl(*decl);
                Name { text: decl.name.clone(), span: decl.span, decl: None }
            }
            Slot::Member(structure, at) => self.program.structure(*structure).members.as_ref()?.get(*at)?.name.clone(),
            Slot::Result(name) => self.program.function(name)?.1.name.clone(),
            Slot::Element(of) => {
                let name = self.name(of)?;
                if name.text == "argv" {
                    return Some(Name { text: "argument".to_owned(), ..name });
                }
                let singular = name.text.strip_suffix('s').filter(|singular| singular.len() > 1 && !singular.ends_with('s'));
                Name { text: singular.map_or_else(|| format!("{}_item", name.text), str::to_owned), ..name }
            }
        })
    }
}
