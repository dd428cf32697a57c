//! Names, types and meaning: scopes, kinds of variables, conversions, calls, jumps.
//!
//! The checker walks the tree once per function, gives every variable and array its declaration and every expression its type, and writes
//! C's silent conversions into the tree. It reports an unknown name at its first use in a function only, and not at all if a refused
//! construct would have introduced it.

mod assertion;
mod atomic;
mod builtin;
mod byte_copy;
mod calls;
mod constant;
mod duplicate;
mod expression;
mod indirect;
mod initial;
mod late;
mod library;
mod literal;
mod lvalue;
mod number;
mod object_bytes;
mod prototype;
mod register;
mod shape;
mod sort;
mod statement;
mod stream;
mod sugar;
mod truth;
mod union;
mod variadic;
mod volatile;

use super::ast::{
    Constant, Decl, DeclId, Declarator, Enumerator, Expr, ExprKind, Function, Layout, Length, Linkage, MAX_NESTING, Member, Name,
    PointerCast, Program, Prototype, Qualifiers, Shape, Stmt, StmtKind, Storage, Struct,
};
use super::parse::ParseTree;
use super::preprocess::directive::PACKING;
use super::types::{Abi, DataModel, Integer};
use crate::logic::{Arrange, Int, SortedMap, SortedSet};
use crate::source::{Diagnostic, Span};
use petgraph::graph::DiGraph;
use std::collections::BTreeMap;
use variadic::Signature;

/// Checks a syntax tree and gives the program with every name resolved; what is wrong goes to `diagnostics`. Names in `poisoned`
/// come from refused constructs: the checker neither knows them nor complains about them.
pub fn check(mut tree: ParseTree, diagnostics: &mut Vec<Diagnostic>, poisoned: &SortedSet<&str>) -> Program {
    let (globals, enumerators) = (std::mem::take(&mut tree.globals), std::mem::take(&mut tree.enumerators));
    let volatile_results = std::mem::take(&mut tree.volatile_results);
    let mut program = tree.into_program();
    let mut functions = std::mem::take(&mut program.functions);
    let mut checker = Checker {
        decls: Vec::new(),
        structs: std::mem::take(&mut program.structs),
        strings: SortedMap::new(),
        part_of: None,
        scopes: vec![SortedMap::new()],
        signatures: SortedMap::new(),
        prototypes: SortedMap::new(),
        poisoned,
        reported: SortedSet::new(),
        without_body: SortedSet::new(),
        addressed: Vec::new(),
        written: 0,
        library: LibraryState {
            abi: program.abi,
            enumerations: std::mem::take(&mut program.enumerations),
            pure: super::side_effects::pure_functions(&functions),
            names: functions.iter().filter(|function| function.library).map(|function| function.name.text.clone()).collect(),
            volatile_results,
            ..LibraryState::default()
        },
        here: FunctionScope { result: Shape::Void, loops: 0, switches: Vec::new(), hoisted: Vec::new(), fixed: false, casts: Vec::new() },
        diagnostics,
    };
    let is_assertion = |enumerator: &Enumerator| enumerator.is_assertion;
    let (mut assertions, mut enumerators): (Vec<_>, Vec<_>) = enumerators.into_iter().partition(is_assertion);
    if checker.diagnostics.iter().any(|diagnostic| diagnostic.code == PACKING) {
        checker.structs.iter_mut().for_each(|structure| structure.layout = Layout::Unknown);
    }
    checker.enumerators(&mut enumerators);
    checker.members();
    checker.collect_prototypes(&program.prototypes);
    checker.collect_signatures(&mut functions);
    checker.pass_arguments_on(&mut functions, &globals);
    checker.collect_addressed(&functions, &globals);
    let mut pointed = SortedSet::new();
    for mut declarator in globals {
        checker.declare(&mut declarator, true);
        let qualifiers = checker.decls[declarator.decl.0 as usize].qualifiers;
        if let Some(init) = declarator.init.as_ref().filter(|_| !qualifiers.pointee().fixed()) {
            init.expressions(&mut |e| named_in(e, &mut pointed));
        }
    }
    // Of all that is declared, the sizes are known now.
    checker.enumerators(&mut assertions);
    program.pointed = pointed.into_iter().collect();
    for function in functions.iter_mut() {
        checker.function(function);
    }
    while let Some(mut function) = checker.library.instances.pop() {
        checker.function(&mut function);
        functions.push(function);
    }
    checker.scalars_of_unions();
    program.addressed = checker.addressed;
    program.decls = checker.decls;
    program.structs = checker.structs;
    program.enumerations = checker.library.enumerations;
    let mut strings: Vec<_> = checker.strings.into_iter().collect();
    strings.arrange_by_key(|(_, number)| *number);
    program.strings = strings.into_iter().map(|(bytes, _)| bytes).collect();
    program.functions = functions;
    program
}

/// What the expression around a call uses of its value, where that is not all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UsedAs {
    /// Whether it is zero.
    Truth,
    /// Whether it is below, above, or zero.
    Sign,
}

/// What a name stands for.
#[derive(Clone)]
enum Entity {
    Decl(DeclId),
    /// Of an enumeration, with its place.
    Constant(Constant, Span),
}

/// The structure that a member is or has elements of.
fn structure_in(mut shape: &Shape) -> Option<usize> {
    while let Shape::Array { element, .. } = shape {
        shape = element;
    }
    if let Shape::Struct(id) = shape { Some(id.0 as usize) } else { None }
}

/// Members that a structure may have, with those of its members.
const MAX_PARTS: usize = 50_000;

/// A `switch` around the current statement.
struct SwitchScope {
    ty: Integer,
    /// The first values of ranges that do not meet, with their last ones and where they stand.
    cases: BTreeMap<Int, (Int, Span)>,
    default: Option<Span>,
}

/// Where the checker is with the functions of the library.
#[derive(Default)]
struct LibraryState {
    /// The constants of all enumerations, its own too.
    enumerations: Vec<Vec<(String, Constant)>>,
    /// The target, for which the texts of its functions are.
    abi: Abi,
    names: SortedSet<String>,
    /// The program's functions that change nothing, where it sorts or searches.
    pure: SortedSet<String>,
    /// Whether the current function is one of them.
    is_current: bool,
    /// Whether a string of the program may be a format with the conversion `%n`, which writes to an object.
    counts_output: bool,
    /// Functions made for calls, not checked yet.
    instances: Vec<Function>,
    /// Whether the current statement declares something, and where a call in it gets memory, which may set `errno`.
    declares: bool,
    touched: Option<Span>,
    /// Objects at addresses that are numbers.
    placed: Vec<PlacedObject>,
    /// See [`ParseTree::volatile_results`]; of the program's functions, too.
    volatile_results: SortedMap<String, Qualifiers>,
}

/// The current function.
struct FunctionScope {
    /// The type that it returns.
    result: Shape,
    /// Loops and `switch`es around the current statement.
    loops: u32,
    switches: Vec<SwitchScope>,
    /// Variables for values inside expressions: they are declared where the function starts.
    hoisted: Vec<Declarator>,
    /// Whether a value is checked that is there before the program starts.
    fixed: bool,
    casts: Vec<PointerCast>,
}

/// An object at an address that is a number.
struct PlacedObject {
    address: i64,
    size: i64,
    decl: DeclId,
}

struct Checker<'a> {
    decls: Vec<Decl>,
    structs: Vec<Struct>,
    /// Strings whose addresses are values, with their numbers.
    strings: SortedMap<Vec<u8>, usize>,
    /// The call of which the expression around it uses only a part, by its name's place, with what it uses.
    part_of: Option<(Span, UsedAs)>,
    scopes: Vec<SortedMap<String, Entity>>,
    signatures: SortedMap<String, Signature>,
    prototypes: SortedMap<String, Prototype>,
    poisoned: &'a SortedSet<&'a str>,
    /// Unknown names of the current function that have been reported.
    reported: SortedSet<String>,
    /// Declared functions without body whose calls have been warned about.
    without_body: SortedSet<String>,
    /// Functions whose addresses are values, and how much calls by pointers have written into the tree.
    addressed: Vec<String>,
    written: usize,
    library: LibraryState,
    here: FunctionScope,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn collect_signatures(&mut self, functions: &mut [Function]) {
        for function in functions {
            function.result = self.shape(&mut function.returns, false);
            let mut parameters = Vec::new();
            let names: Vec<String> = function.parameters.iter().map(|parameter| parameter.name.text.clone()).collect();
            for parameter in &mut function.parameters {
                parameters.push((parameter.name.text.clone(), self.parameter_shape(&mut parameter.ty, Some(&names))));
            }
            let (span, result) = (function.name.span, function.result.clone());
            let signature = Signature { span, result, parameters, variadic: function.variadic, hands_on: false };
            if !function.library {
                self.agrees(function);
            }
            match self.signatures.get(&function.name.text) {
                Some(first) => {
                    let first = first.span;
                    self.redefinition(&function.name, first);
                }
                None => {
                    self.signatures.insert(function.name.text.clone(), signature);
                }
            }
        }
    }

    /// What the members of structures are.
    fn members(&mut self) {
        for index in 0..self.structs.len() {
            let Some(mut members) = self.structs[index].members.take() else { continue };
            for at in 0..self.structs[index].gaps.len() {
                let mut gap = self.structs[index].gaps[at].clone();
                gap.bits = self.gap(&mut gap.ty, &mut gap.width);
                self.structs[index].gaps[at] = gap;
            }
            for Member { name, ty, shape, bits, .. } in &mut members {
                *shape = self.shape(ty, false);
                if let Some(bits) = bits {
                    *shape = self.bit_field(name, shape, bits);
                }
            }
            if let Some(mut union) = self.structs[index].union.take() {
                members = union.kept_members(members, self.abi());
                self.structs[index].union = Some(union);
            }
            self.structs[index].members = Some(members);
        }
        // A structure inside itself has no size.
        for index in self.inside_themselves() {
            let Struct { name, span, .. } = self.structs[index].clone();
            self.report(
                Diagnostic::error("incomplete-type", span, format!("`struct {name}` contains itself"))
                    .help("a member can be a pointer to the structure"),
            );
            self.structs[index].members = Some(Vec::new());
        }
        self.bound_structures();
    }

    /// Refuses structures of very many parts, or nested very deep: sixty that hold the one before twice would never be counted out.
    fn bound_structures(&mut self) {
        let mut measures: Vec<Option<(usize, u32)>> = vec![None; self.structs.len()];
        // None contains itself, so every one is measured once those in it are.
        let mut open: Vec<usize> = (0..self.structs.len()).rev().collect();
        while let Some(&at) = open.last() {
            if measures[at].is_some() {
                open.pop();
                continue;
            }
            let (mut parts, mut depth, ready) = (1usize, 0, open.len());
            for member in self.structs[at].members.iter().flatten() {
                match structure_in(&member.shape).map(|inner| (inner, measures[inner])) {
                    Some((inner, None)) => open.push(inner),
                    Some((_, Some((of_inner, levels)))) => (parts, depth) = (parts.saturating_add(of_inner), depth.max(levels + 1)),
                    None => parts = parts.saturating_add(1),
                }
            }
            if open.len() > ready {
                continue;
            }
            if parts > MAX_PARTS || depth > MAX_NESTING {
                let Struct { name, span, .. } = self.structs[at].clone();
                let message = format!("`struct {name}` has more than {MAX_PARTS} parts or {MAX_NESTING} levels");
                self.report(Diagnostic::error("structure-too-large", span, message).help("use arrays, or several structures"));
                self.structs[at].members = Some(Vec::new());
                (parts, depth) = (1, 0);
            }
            measures[at] = Some((parts, depth));
            open.pop();
        }
    }

    /// The structures that contain themselves, in order.
    fn inside_themselves(&self) -> Vec<usize> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = self.structs.iter().map(|_| graph.add_node(())).collect();
        let mut found = Vec::new();
        for (at, structure) in self.structs.iter().enumerate() {
            for inner in structure.members.iter().flatten().filter_map(|member| structure_in(&member.shape)) {
                graph.add_edge(nodes[at], nodes[inner], ());
                if inner == at {
                    found.push(at);
                }
            }
        }
        let components = petgraph::algo::kosaraju_scc(&graph);
        found.extend(components.iter().filter(|component| component.len() > 1).flatten().map(|node| node.index()));
        found.arrange();
        found.dedup();
        found
    }

    /// Gives the constants of enumerations their values.
    fn enumerators(&mut self, list: &mut [Enumerator]) {
        let mut next = Constant { typed: Int::ZERO, unbounded: Int::ZERO };
        let mut is_new = false;
        for Enumerator { name, value, first, enumeration, is_assertion } in list {
            if *is_assertion {
                value.iter_mut().for_each(|value| self.static_assertion(name, value));
                continue;
            }
            if *first {
                next = Constant { typed: Int::ZERO, unbounded: Int::ZERO };
                // A function of the library may be checked for several calls.
                is_new = self.library.enumerations.get(*enumeration as usize).is_some_and(Vec::is_empty);
            }
            if let Some(value) = value {
                self.scalar_value(value);
                if let Some(constant) = self.constant(value, "a constant of an enumeration") {
                    let ty = if constant.typed.is_negative() { Integer::Int } else { Integer::UnsignedInt };
                    if self.abi().model == DataModel::Int16 && !ty.range(self.abi()).contains(&constant.typed) {
                        let message = format!("`{}` is no `int` of 16 bits", name.text);
                        self.report(Diagnostic::error("unsupported-enumeration", value.span, message).help("write a `#define`d name"));
                    }
                    next = constant;
                }
            }
            let declared = self.scopes.last().and_then(|scope| scope.get(&name.text)).map(|entity| self.declaration_span(entity));
            if let Some(declared) = declared {
                self.redefinition(name, declared);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name.text.clone(), Entity::Constant(next.clone(), name.span));
            }
            if is_new && let Some(constants) = self.library.enumerations.get_mut(*enumeration as usize) {
                constants.push((name.text.clone(), next.clone()));
            }
            next = Constant { typed: &next.typed + &Int::ONE, unbounded: &next.unbounded + &Int::ONE };
        }
    }

    fn declaration_span(&self, entity: &Entity) -> Span {
        match entity {
            Entity::Decl(id) => self.decls[id.0 as usize].span,
            Entity::Constant(_, span) => *span,
        }
    }

    fn redefinition(&mut self, name: &Name, first: Span) {
        self.report(Diagnostic::redefinition(name.span, &format!("`{}`", name.text), first));
    }

    /// The target.
    fn abi(&self) -> Abi {
        self.library.abi
    }

    // Scopes

    fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn bind(&mut self, name: &Name, decl: Decl) -> DeclId {
        let id = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
        let first = self.scopes.last().and_then(|scope| scope.get(&name.text)).map(|entity| self.declaration_span(entity));
        let function = if self.scopes.len() == 1 { self.function_span(&name.text) } else { None };
        if let Some(first) = first.or(function) {
            self.redefinition(name, first);
        }
        self.decls.push(decl);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text.clone(), Entity::Decl(id));
        }
        id
    }

    /// Checks one declarator and brings its name into scope.
    fn declare(&mut self, declarator: &mut Declarator, global: bool) {
        let storage = match (global, declarator.is_static, declarator.is_extern) {
            (true, ..) | (_, _, true) => Storage::Global,
            (false, true, _) => Storage::Static,
            (false, false, _) => Storage::Local,
        };
        let linkage = match (storage, declarator.is_static, declarator.is_extern && declarator.init.is_none()) {
            (Storage::Global, false, true) => Linkage::Elsewhere,
            (Storage::Global, false, false) => Linkage::External,
            _ => Linkage::Internal,
        };
        let fixed = storage != Storage::Local;
        declarator.qualifiers = declarator.qualifiers.and(self.resolve_type(&mut declarator.ty));
        let mut shape = self.shape(&mut declarator.ty, !fixed);
        self.complete(&shape, declarator, fixed);
        self.written_here(&shape, declarator);
        // A global may be declared several times, but have one value. In C a name is in scope in its own initialiser.
        let again = match (storage, self.scopes[0].get(&declarator.name.text)) {
            (Storage::Global, Some(Entity::Decl(id))) => Some(*id),
            _ => None,
        };
        let again = again.filter(|id| {
            let earlier = &self.decls[id.0 as usize];
            compatible(&earlier.shape, &shape) && (earlier.initial.is_none() || declarator.init.is_none())
        });
        let id = match again {
            Some(id) => {
                if !global && let Some(scope) = self.scopes.last_mut() {
                    scope.insert(declarator.name.text.clone(), Entity::Decl(id));
                }
                let linkage_so_far = &mut self.decls[id.0 as usize].linkage;
                // A declaration with `extern` takes the linkage of one before it.
                *linkage_so_far = match (*linkage_so_far, linkage) {
                    (Linkage::Internal, _) | (_, Linkage::Internal) => Linkage::Internal,
                    (Linkage::Elsewhere, Linkage::Elsewhere) => Linkage::Elsewhere,
                    _ => Linkage::External,
                };
                // One of the declarations may leave the length out.
                if matches!(self.decls[id.0 as usize].shape, Shape::Array { length: Length::Unknown, .. }) {
                    self.decls[id.0 as usize].shape = shape.clone();
                }
                id
            }
            None => {
                let Name { text, span, .. } = declarator.name.clone();
                let qualifiers = declarator.qualifiers;
                let decl = Decl { name: text, span, shape: shape.clone(), qualifiers, storage, linkage, initial: None, assigned: false };
                self.bind(&declarator.name, decl)
            }
        };
        declarator.decl = id;
        declarator.name.decl = Some(id);
        if let Some(init) = &mut declarator.init {
            let initial = self.initialise(&declarator.name, &mut shape, init, fixed);
            self.decls[id.0 as usize].shape = shape;
            self.decls[id.0 as usize].initial = fixed.then_some(initial);
        }
    }

    /// Says so where an object cannot be made: its size is not known.
    fn complete(&mut self, shape: &Shape, declarator: &Declarator, fixed: bool) {
        let name = &declarator.name;
        match shape {
            Shape::Array { length: Length::Unknown, .. } if declarator.init.is_none() && !declarator.is_extern => {
                self.report(
                    Diagnostic::error("array-length", name.span, format!("the length of the array `{}` is missing", name.text))
                        .help(format!("write e.g. `{}[10]`", name.text)),
                );
            }
            shape if shape.is_computed() && (declarator.init.is_some() || fixed) => {
                self.report(
                    Diagnostic::error(
                        "array-initialiser",
                        name.span,
                        format!("`{}`, whose length is computed, cannot have first values", name.text),
                    )
                    .help("assign them in a loop"),
                );
            }
            _ => {
                let mut inner = shape;
                while let Shape::Array { element, .. } = inner {
                    inner = element;
                }
                if let Shape::Struct(id) = inner
                    && self.structs[id.0 as usize].members.is_none()
                {
                    let text = self.structs[id.0 as usize].name.clone();
                    self.report(
                        Diagnostic::error("incomplete-type", name.span, format!("`struct {text}` is declared, but its members are not"))
                            .help("define it with its members"),
                    );
                    self.structs[id.0 as usize].members = Some(Vec::new());
                }
            }
        }
    }

    /// Says so where a name for a type brings a computed length: C computes it where the name is defined (6.7.8p3), not here.
    fn written_here(&mut self, shape: &Shape, declarator: &Declarator) {
        let name = &declarator.name;
        let elsewhere = |length: Option<&Expr>| length.is_some_and(|length| length.span.start < name.span.start);
        if declarator.ty.lengths().zip(shape.lengths()).any(|(written, length)| *length == Length::Variable && elsewhere(written)) {
            self.report(
                Diagnostic::error("unsupported-array", name.span, format!("the length in the type of `{}` is computed", name.text))
                    .help(format!("write the length behind the name, e.g. `int {}[n]`", name.text)),
            );
        }
    }

    fn constant(&mut self, e: &Expr, what: &str) -> Option<Constant> {
        let value = constant::evaluate(e, self.abi());
        if value.is_none() && !constant::has_error(e) {
            self.report(
                Diagnostic::error("not-constant", e.span, format!("{what} must be a constant"))
                    .help("compute it from numbers, or assign it at the start of a function"),
            );
        }
        value
    }

    fn function(&mut self, function: &mut Function) {
        self.reported = SortedSet::new();
        self.library.is_current = function.library;
        self.here.loops = 0;
        self.here.switches.clear();
        self.here.result = function.result.clone();
        self.scopes.push(SortedMap::new());
        for parameter in &mut function.parameters {
            if parameter.name.text.is_empty() {
                self.report(
                    Diagnostic::error("missing-name", parameter.name.span, "this parameter has no name")
                        .help("a function with a body needs names, e.g. `int n`"),
                );
            }
            let shape = self.parameter_shape(&mut parameter.ty, None);
            let Name { text, span, .. } = parameter.name.clone();
            let qualifiers = parameter.qualifiers;
            let decl = Decl {
                name: text,
                span,
                shape,
                qualifiers,
                storage: Storage::Parameter,
                linkage: Linkage::Internal,
                initial: None,
                assigned: false,
            };
            parameter.decl = self.bind(&parameter.name, decl);
            parameter.name.decl = Some(parameter.decl);
        }
        // The body's outermost block shares the parameters' scope.
        self.statements(&mut function.body);
        let hoisted = std::mem::take(&mut self.here.hoisted);
        if let Some(span) = hoisted.first().map(|declarator| declarator.span) {
            function.body.insert(0, Stmt { kind: StmtKind::Declare(Vec::new(), hoisted), span });
        }
        function.casts = std::mem::take(&mut self.here.casts);
        self.scopes.pop();
        self.labels(function);
    }
}

/// Whether two declarations can be of one object.
fn compatible(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Array { element: a, length: m }, Shape::Array { element: b, length: n }) => {
            a == b && (m == n || *m == Length::Unknown || *n == Length::Unknown)
        }
        _ => a == b,
    }
}

/// The variables that an expression names.
fn named_in(e: &Expr, found: &mut SortedSet<DeclId>) {
    if let ExprKind::Name(name) = &e.kind {
        found.extend(name.decl);
    }
    e.kind.children(&mut |child| named_in(child, found));
}
