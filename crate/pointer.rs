//! Points-to sets, call graph, mod/ref and escape of a program, from one inclusion-based analysis (Andersen 1994) of its checked tree.
//!
//! The analysis is field-sensitive, and insensitive to array indices, to the order of statements and to calling contexts but for their origin
//! ([`build`]). Each set over-approximates every execution that calls the entry function, after any calls of the program's functions by other
//! parts of the program:
//!
//! | set | members |
//! |---|---|
//! | points-to set of a pointer | the objects whose addresses the pointer may hold; [`AbstractObject::Outside`] and all escaped objects, where its value comes from a caller, a function without a body or an integer |
//! | escaped objects | the objects that a caller or a function without a body may reach: by external linkage, by arguments of functions without a body, by results of calls from other parts of the program, by addresses converted to integers |
//! | callees of a function | the functions that its body names in calls, and those in the points-to sets of the pointers that it calls |
//! | mod and ref sets of a function | the objects that accesses of the function and its callees may write and read; a function without a body writes and reads all escaped objects, and calls all escaped functions |
//!
//! An access of one shape to an object of another shape (a byte of a pointer, a structure through a pointer to another structure) may affect
//! each cell of the object, and makes the addresses in it escape. Beyond a bound of derived facts each set holds every object.
//!
//! [`cells`] has the objects, [`constraints`] derives the facts, [`build`], [`accesses`], [`expressions`], [`calls`] and [`statements`]
//! make the constraints.

mod accesses;
pub mod build;
mod calls;
pub mod cells;
pub mod constraints;
mod expressions;
pub mod led_to;
mod statements;

use crate::lang::ast::{DeclId, Program};
use crate::logic::SortedSet;
use build::{Address, CallOrigin, FactBuilder, FunctionInstance, MemoryAccess};
pub use cells::AbstractObject;
use cells::Fit;

/// The facts of a program.
pub struct PointerFacts<'a> {
    built: FactBuilder<'a>,
    /// The objects that functions of calls from outside may write.
    written_outside: SortedSet<u32>,
}

impl<'a> PointerFacts<'a> {
    /// The facts about executions of the entry function, by its number; without one of all calls from other parts of the program.
    pub fn of(program: &'a Program, entry: Option<usize>) -> PointerFacts<'a> {
        let mut built = FactBuilder::new(program, entry);
        built.run();
        let mut facts = PointerFacts { built, written_outside: SortedSet::new() };
        let mut written = SortedSet::new();
        for instance in facts.built.instances.iter().filter(|instance| instance.origin == CallOrigin::Outside) {
            instance.writes.iter().for_each(|access| facts.accessed(*access, &mut written));
        }
        facts.written_outside = written;
        facts
    }

    /// Whether the bound of derived facts was met, so that everything is possible.
    pub fn is_anything(&self) -> bool {
        self.built.graph.is_cut()
    }

    /// What a variable, or its part at the end of a path of members, may point to.
    pub fn points_to(&self, decl: DeclId, path: &[usize]) -> SortedSet<AbstractObject> {
        let mut found = SortedSet::new();
        for cell in self.built.cells(decl) {
            let part = self.built.graph.table.part(cell, path);
            found.extend(self.built.graph.held(part).iter().map(|&cell| self.built.graph.table.object_of(cell)));
        }
        self.named_objects(found)
    }

    /// What has escaped.
    pub fn escaped(&self) -> SortedSet<AbstractObject> {
        self.named_objects(self.built.graph.escaped().clone())
    }

    /// The functions that a function may call itself; with [`AbstractObject::Outside`] also functions without a body, and by pointers of others
    /// those that have escaped.
    pub fn callees(&self, function: usize) -> SortedSet<AbstractObject> {
        let mut found = SortedSet::new();
        for instance in self.built.instances_of(function).map(|at| &self.built.instances[at]) {
            found.extend(instance.callees.iter().map(|&callee| AbstractObject::Function(self.built.instances[callee].function)));
            found.extend(instance.calls_outside.then_some(AbstractObject::Outside));
        }
        if self.is_anything() { self.everything() } else { found }
    }

    /// What a function may write, with all that it calls.
    pub fn writes(&self, function: usize) -> SortedSet<AbstractObject> {
        self.of_calls(function, |instance| &instance.writes)
    }

    /// What a function may read, with all that it calls.
    pub fn reads(&self, function: usize) -> SortedSet<AbstractObject> {
        self.of_calls(function, |instance| &instance.reads)
    }

    fn of_calls(&self, function: usize, accesses: impl Fn(&FunctionInstance) -> &Vec<MemoryAccess>) -> SortedSet<AbstractObject> {
        let mut open: Vec<usize> = self.built.instances_of(function).collect();
        let mut seen: SortedSet<usize> = open.iter().copied().collect();
        let mut found = SortedSet::new();
        while let Some(at) = open.pop() {
            let instance = &self.built.instances[at];
            accesses(instance).iter().for_each(|access| self.accessed(*access, &mut found));
            open.extend(instance.callees.iter().copied().filter(|callee| seen.insert(*callee)));
            if instance.calls_outside {
                found.insert(0);
                let outside = self.built.instances.iter().zip(0..).filter(|(instance, _)| instance.origin == CallOrigin::Outside);
                open.extend(outside.map(|(_, at)| at).filter(|at| seen.insert(*at)));
            }
        }
        self.named_objects(found)
    }

    /// What functions without a body may write, themselves or by calls of the program's functions.
    pub fn written_outside(&self) -> SortedSet<AbstractObject> {
        let mut objects = self.written_outside.clone();
        objects.extend(self.built.graph.escaped());
        self.named_objects(objects)
    }

    fn is_written_outside(&self, object: u32) -> bool {
        self.built.graph.escaped().contains(&object) || self.written_outside.contains(&object)
    }

    /// Whether a variable is one of [`PointerFacts::written_outside`]. Of locals and parameters those are meant that the entry function and its
    /// callees have, and not those of calls from outside.
    pub fn outside_may_write(&self, decl: DeclId) -> bool {
        let cell = self.built.entry_cell(decl);
        self.is_anything() || cell.is_some_and(|cell| self.is_written_outside(self.built.graph.table.object_of(cell)))
    }

    /// Whether such a variable may hold an address of what functions without a body may write.
    pub fn leads_outside(&self, decl: DeclId) -> bool {
        let graph = &self.built.graph;
        let mut parts = self.built.entry_cell(decl).into_iter().flat_map(|cell| graph.table.cells_of(graph.table.object_of(cell)));
        let is_written = |cell: &u32| self.is_written_outside(graph.table.object_of(*cell));
        self.is_anything() || parts.any(|part| graph.held(part).iter().any(is_written))
    }

    /// The parameters and variables of a function.
    pub fn locals(&self, function: usize) -> impl Iterator<Item = DeclId> {
        self.built.instances_of(function).flat_map(|at| self.built.instances[at].locals.iter().copied())
    }

    /// Whether a function that may be called names the variable.
    pub fn is_named(&self, decl: DeclId) -> bool {
        self.is_anything() || self.built.named[decl.0 as usize]
    }

    /// Adds the objects of an access.
    fn accessed(&self, access: MemoryAccess, found: &mut SortedSet<u32>) {
        let graph = &self.built.graph;
        let mut add = |cell: u32| {
            let is_foreign = graph.table.fit(cell, access.shape) == Fit::Foreign;
            found.insert(if is_foreign { 0 } else { graph.table.object_of(cell) });
        };
        match access.address {
            Address::Of(cell) => add(cell),
            Address::In(node) => graph.held(node).iter().for_each(|&cell| add(cell)),
        }
    }

    /// The objects with these numbers; with the outside object all that has escaped.
    fn named_objects(&self, mut objects: SortedSet<u32>) -> SortedSet<AbstractObject> {
        if self.is_anything() {
            return self.everything();
        }
        if objects.contains(&0) {
            objects.extend(self.built.graph.escaped());
        }
        objects.iter().map(|&object| self.built.graph.table.what(object)).collect()
    }

    fn everything(&self) -> SortedSet<AbstractObject> {
        let decls = (0..self.built.named.len() as u32).map(|id| AbstractObject::Variable(DeclId(id)));
        decls.chain(self.built.graph.table.objects()).collect()
    }
}
