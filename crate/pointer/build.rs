//! The objects and functions of a program during the analysis, and what other parts of the program do with them.
//!
//! Each function is analysed at most twice: as the entry function calls it, directly or through others, and as other parts of the program may
//! call it. So an address that only the entry function's callees get has not escaped because others may call these with addresses of their own.

use super::cells::{AbstractObject, AccessShape, OUTSIDE};
use super::constraints::ConstraintGraph;
use crate::lang::ast::{DeclId, Expr, ExprKind, Initial, Linkage, Name, Program, Shape, object_address, string_address};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap, SortedSet};

/// The shape of a string's elements.
pub(super) const CHARACTER: &Shape = &Shape::Scalar(Integer::Char);

/// The node that holds the address of the outside object, and so any address that has escaped.
pub(super) const ANY_ADDRESS: u32 = 1;

/// By what a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOrigin {
    /// The entry function or its callees; also the entry function itself.
    Entry,
    /// Other parts of the program, or the callees of such a call.
    Outside,
}

/// Where an access is.
#[derive(Clone, Copy, Debug)]
pub enum Address {
    /// At this cell.
    Of(u32),
    /// At each cell whose address this node holds.
    In(u32),
}

/// A read or a write.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess {
    pub address: Address,
    pub shape: AccessShape,
}

/// A call by a pointer of the function that the pointer may be to, or not.
pub struct GuardedCall<'a> {
    pub call: &'a Expr,
    /// The instance that calls.
    pub at: usize,
    /// The node of the call's value.
    pub result: u32,
    pub is_taken: bool,
}

/// A function with the calls of one origin.
pub struct FunctionInstance {
    pub function: usize,
    pub origin: CallOrigin,
    /// What holds its result.
    pub result: u32,
    pub callees: SortedSet<usize>,
    /// Whether it calls functions without a body.
    pub calls_outside: bool,
    pub reads: Vec<MemoryAccess>,
    pub writes: Vec<MemoryAccess>,
    pub locals: Vec<DeclId>,
}

/// What makes the constraints.
pub struct FactBuilder<'a> {
    pub(super) program: &'a Program,
    pub graph: ConstraintGraph,
    pub(super) functions: SortedMap<&'a str, usize>,
    /// The cells of functions.
    pub(super) function_cells: Vec<u32>,
    pub(super) texts: SortedMap<&'a [u8], u32>,
    /// The first cells of variables, by origin of the calls that they belong to.
    variables: Vec<[Option<u32>; 2]>,
    pub instances: Vec<FunctionInstance>,
    of_function: Vec<[Option<usize>; 2]>,
    /// Instances without constraints.
    pub(super) open: Vec<usize>,
    /// The instance whose constraints are made.
    pub(super) at: usize,
    pub(super) choices: Vec<GuardedCall<'a>>,
    /// Variables that the functions name.
    pub named: Vec<bool>,
    has_volatile_members: bool,
}

impl<'a> FactBuilder<'a> {
    /// The objects and constraints of all that the program does, from calls of the entry function and of others.
    pub fn new(program: &'a Program, entry: Option<usize>) -> FactBuilder<'a> {
        let mut graph = ConstraintGraph::with_outside();
        let any = graph.node();
        graph.add(any, OUTSIDE);
        let function_cells = (0..program.functions.len()).map(|at| graph.object(program, AbstractObject::Function(at), None)).collect();
        let mut builder = FactBuilder {
            program,
            graph,
            functions: program.functions.iter().zip(0..).map(|(function, at)| (function.name.text.as_str(), at)).collect(),
            function_cells,
            texts: SortedMap::new(),
            variables: vec![[None; 2]; program.decls.len()],
            instances: Vec::new(),
            of_function: vec![[None; 2]; program.functions.len()],
            open: Vec::new(),
            at: 0,
            choices: Vec::new(),
            named: vec![false; program.decls.len()],
            has_volatile_members: program
                .structs
                .iter()
                .flat_map(|structure| structure.members.iter().flatten())
                .any(|member| member.qualifiers.is_volatile()),
        };
        builder.first_values();
        for (function, at) in program.functions.iter().zip(0..) {
            let name = &function.name.text;
            if !function.library && name != "main" && (!function.is_static || program.interrupts.contains(name)) {
                builder.graph.add(OUTSIDE, builder.function_cells[at]);
            }
        }
        if let Some(entry) = entry {
            builder.instance(entry, CallOrigin::Entry);
            builder.passes_anything(entry, CallOrigin::Entry);
        }
        builder
    }

    /// The first cell of a variable, in calls of the current origin.
    pub(super) fn variable(&mut self, decl: DeclId) -> u32 {
        let origin = self.instances.get(self.at).map_or(CallOrigin::Outside, |instance| instance.origin);
        self.variable_of(decl, origin)
    }

    fn variable_of(&mut self, decl: DeclId, origin: CallOrigin) -> u32 {
        let (program, declared) = (self.program, self.program.decl(decl));
        let origin = if declared.storage.lasts() { CallOrigin::Entry } else { origin };
        let slot = self.variables[decl.0 as usize][origin as usize];
        slot.unwrap_or_else(|| {
            let cell = self.graph.object(program, AbstractObject::Variable(decl), Some(&declared.shape));
            self.variables[decl.0 as usize][origin as usize] = Some(cell);
            let has_volatile_members =
                self.has_volatile_members && matches!(AccessShape::of(program, Some(&declared.shape)), AccessShape::Struct(_));
            if declared.qualifiers.is_volatile() || has_volatile_members {
                // Others may read and write what it holds.
                for part in self.graph.table.addresses(self.graph.table.object_of(cell)) {
                    self.graph.edge(part, OUTSIDE);
                    self.graph.edge(OUTSIDE, part);
                }
            }
            cell
        })
    }

    /// The cells of a variable, for each origin of calls where it has some.
    pub fn cells(&self, decl: DeclId) -> impl Iterator<Item = u32> {
        self.variables[decl.0 as usize].into_iter().flatten()
    }

    /// The first cell of a variable of the entry function or its callees, or of one that lasts.
    pub fn entry_cell(&self, decl: DeclId) -> Option<u32> {
        self.variables[decl.0 as usize][CallOrigin::Entry as usize]
    }

    /// The instances of a function.
    pub fn instances_of(&self, function: usize) -> impl Iterator<Item = usize> {
        self.of_function[function].into_iter().flatten()
    }

    /// The instance of a function for calls of an origin.
    pub(super) fn instance(&mut self, function: usize, origin: CallOrigin) -> usize {
        if let Some(existing) = self.of_function[function][origin as usize] {
            return existing;
        }
        let program = self.program;
        let result = self.graph.object(program, AbstractObject::Result(function), Some(&program.functions[function].result));
        let at = self.instances.len();
        self.instances.push(FunctionInstance {
            function,
            origin,
            result,
            callees: SortedSet::new(),
            calls_outside: false,
            reads: Vec::new(),
            writes: Vec::new(),
            locals: Vec::new(),
        });
        self.of_function[function][origin as usize] = Some(at);
        self.open.push(at);
        at
    }

    /// The caller's arguments may be any that it knows of.
    fn passes_anything(&mut self, function: usize, origin: CallOrigin) {
        for parameter in &self.program.functions[function].parameters {
            let cell = self.variable_of(parameter.decl, origin);
            for part in self.graph.table.addresses(self.graph.table.object_of(cell)) {
                self.graph.edge(OUTSIDE, part);
            }
        }
    }

    /// Lets other parts of the program use an object whose address they have.
    pub(super) fn escape(&mut self, object: u32) {
        let is_fixed = match self.graph.table.what(object) {
            AbstractObject::Function(function) => {
                let instance = self.instance(function, CallOrigin::Outside);
                self.passes_anything(function, CallOrigin::Outside);
                let result = self.graph.table.object_of(self.instances[instance].result);
                return self.graph.table.addresses(result).for_each(|part| self.graph.edge(part, OUTSIDE));
            }
            AbstractObject::Variable(decl) => {
                let decl = self.program.decl(decl);
                decl.qualifiers.fixed() && (decl.initial.is_some() || decl.linkage == Linkage::Internal)
            }
            _ => false,
        };
        for part in self.graph.table.addresses(object) {
            self.graph.edge(part, OUTSIDE);
            if !is_fixed {
                self.graph.edge(OUTSIDE, part);
            }
        }
    }

    /// The objects that last, with their first values.
    fn first_values(&mut self) {
        let program = self.program;
        for (decl, id) in program.decls.iter().zip(0..) {
            if !decl.storage.lasts() {
                continue;
            }
            let cell = self.variable_of(DeclId(id), CallOrigin::Entry);
            if decl.linkage != Linkage::Internal {
                self.graph.add(OUTSIDE, cell);
            }
            if self.graph.table.addresses(self.graph.table.object_of(cell)).next().is_some() {
                decl.initial.iter().flatten().for_each(|initial| self.first_value(cell, initial));
            }
        }
    }

    fn first_value(&mut self, cell: u32, initial: &Initial) {
        let part = self.graph.table.part(cell, &initial.path);
        if !self.graph.table.holds_addresses(part) || initial.value.typed.is_zero() {
            return;
        }
        let value = &initial.value.typed;
        let number = |bits: u32, count: usize| {
            let at = (value.to_i64()? >> bits) - 1;
            usize::try_from(at).ok().filter(|&at| at < count)
        };
        let variable = number(16, self.program.decls.len()).map(|at| DeclId(at as u32));
        let text = number(32, self.program.strings.len()).filter(|&at| string_address(at) == *value);
        if let Some(cell) = self.function_at(value) {
            self.graph.add(part, cell);
        } else if let Some(decl) = variable.filter(|&decl| object_address(decl) == *value) {
            let address = self.variable_of(decl, CallOrigin::Entry);
            self.graph.add(part, address);
        } else if let Some(text) = text {
            let address = self.text(&self.program.strings[text]);
            self.graph.add(part, address);
        } else {
            self.graph.edge(OUTSIDE, part);
        }
    }

    /// The cell of the function with this number.
    pub(super) fn function_at(&self, number: &Int) -> Option<u32> {
        let at = usize::try_from(number.to_i64()?).ok()?.checked_sub(1)?;
        let function = self.functions.get(self.program.addressed.get(at)?.as_str())?;
        Some(self.function_cells[*function])
    }

    /// The cell of a string literal.
    pub(super) fn text(&mut self, bytes: &'a [u8]) -> u32 {
        let number = self.texts.len();
        let (program, graph) = (self.program, &mut self.graph);
        let cell = || graph.object(program, AbstractObject::Text(number), Some(CHARACTER));
        *self.texts.entry(bytes).or_insert_with(cell)
    }

    /// Marks what an expression names.
    pub(super) fn names(&mut self, e: &Expr) {
        if let ExprKind::Name(Name { decl: Some(decl), .. }) = &e.kind {
            self.named[decl.0 as usize] = true;
        }
        e.kind.children(&mut |child| self.names(child));
    }
}
