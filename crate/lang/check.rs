//! Names and meaning: scopes, kinds of variables, calls, jumps, recursion.
//!
//! Walks the tree once per function and gives every variable and array its declaration. A name that is unknown is
//! reported at its first use in a function only, and not at all if a refused construct would have introduced it.

mod calls;
mod constant;
mod expression;

use super::ast::{Decl, DeclId, Declarator, Expr, ExprKind, Function, Init, Name, Program, Prototype, Shape, Stmt, StmtKind, Storage};
use super::parse::Tree;
use crate::logic::Arrange;
use crate::logic::Int;
use crate::source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// Checks a syntax tree and gives back the program with every name resolved; what is wrong goes to `diagnostics`. Names in
/// `poisoned` were introduced by something refused: they are neither known nor complained about.
pub fn check(mut tree: Tree, diagnostics: &mut Vec<Diagnostic>, poisoned: &HashSet<&str>) -> Program {
    let globals = std::mem::take(&mut tree.globals);
    let mut program = tree.into_program();
    let mut functions = std::mem::take(&mut program.functions);
    let mut checker = Checker {
        decls: Vec::new(),
        scopes: vec![HashMap::new()],
        signatures: HashMap::new(),
        prototypes: program.prototypes.iter().map(|p| (p.name.text.clone(), p.clone())).collect(),
        poisoned,
        reported: HashSet::new(),
        without_body: HashSet::new(),
        calls: vec![Vec::new(); functions.len()],
        current: 0,
        returns_value: false,
        loops: 0,
        diagnostics,
    };
    checker.collect_signatures(&functions);
    for mut declarator in globals {
        checker.declare(&mut declarator, true);
    }
    for (index, function) in functions.iter_mut().enumerate() {
        checker.current = index;
        checker.function(function);
    }
    checker.recursion(&functions);
    program.decls = checker.decls;
    program.functions = functions;
    program
}

/// What a call needs to know of a function.
struct Signature {
    index: usize,
    span: Span,
    returns_value: bool,
    /// For each parameter: its name and whether it is an array.
    parameters: Vec<(String, bool)>,
}

struct Checker<'a> {
    decls: Vec<Decl>,
    scopes: Vec<HashMap<String, DeclId>>,
    signatures: HashMap<String, Signature>,
    prototypes: HashMap<String, Prototype>,
    poisoned: &'a HashSet<&'a str>,
    /// Unknown names of the current function that have been reported.
    reported: HashSet<String>,
    /// Declared functions without body whose calls have been warned about.
    without_body: HashSet<String>,
    /// For each function the functions it calls and where.
    calls: Vec<Vec<(usize, Span)>>,
    current: usize,
    returns_value: bool,
    loops: u32,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn collect_signatures(&mut self, functions: &[Function]) {
        for (index, function) in functions.iter().enumerate() {
            let signature = Signature {
                index,
                span: function.name.span,
                returns_value: function.returns_value,
                parameters: function.parameters.iter().map(|p| (p.name.text.clone(), p.array)).collect(),
            };
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

    fn redefinition(&mut self, name: &Name, first: Span) {
        self.report(
            Diagnostic::error("redefinition", name.span, format!("`{}` is defined twice", name.text))
                .label("defined again here")
                .help("rename one of them")
                .related(first, "first defined here"),
        );
    }

    // Scopes

    fn lookup(&self, name: &str) -> Option<DeclId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    fn bind(&mut self, name: &Name, decl: Decl) -> DeclId {
        let id = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
        let first = self.scopes.last().and_then(|scope| scope.get(&name.text)).map(|&id| self.decls[id.0 as usize].span);
        let function = if self.scopes.len() == 1 { self.signatures.get(&name.text).map(|s| s.span) } else { None };
        if let Some(first) = first.or(function) {
            self.redefinition(name, first);
        }
        self.decls.push(decl);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text.clone(), id);
        }
        id
    }

    /// Checks one declarator and brings its name into scope.
    fn declare(&mut self, declarator: &mut Declarator, global: bool) {
        let storage = match (global, declarator.is_static) {
            (true, _) => Storage::Global,
            (false, true) => Storage::Static,
            (false, false) => Storage::Local,
        };
        let fixed = storage != Storage::Local;
        let shape = match &mut declarator.array {
            None => Shape::Scalar,
            Some(length) => self.array_shape(&declarator.name, length.as_mut(), declarator.init.as_ref()),
        };
        // In C a name is in scope in its own initialiser; reading it there is a mistake, but a legal one.
        let decl = Decl { name: declarator.name.text.clone(), span: declarator.name.span, shape: shape.clone(), storage, initial: None };
        // A global may be declared several times, but have one value.
        let again = if global { self.lookup(&declarator.name.text) } else { None };
        let same = |decl: &Decl| decl.shape == shape && (decl.initial.is_none() || declarator.init.is_none());
        let id = match again.filter(|id| same(&self.decls[id.0 as usize])) {
            Some(id) if declarator.init.is_none() => {
                declarator.decl = id;
                return;
            }
            Some(id) => id,
            None => self.bind(&declarator.name, decl),
        };
        declarator.decl = id;
        declarator.name.decl = Some(id);
        let initial = match (&mut declarator.init, &shape) {
            (None, _) => None,
            (Some(Init::Expr(e)), Shape::Scalar) => {
                self.value(e);
                fixed.then(|| self.constant(e, "the first value of a global or static variable").map(|v| vec![v])).flatten()
            }
            (Some(Init::List(list, span)), Shape::Array { length }) => {
                let (span, count) = (*span, list.len());
                list.iter_mut().for_each(|e| self.value(e));
                if length.as_ref().is_some_and(|l| Int::from(count) > *l) {
                    self.report(
                        Diagnostic::error(
                            "too-many-values",
                            span,
                            format!("{count} values do not fit into the array `{}`", declarator.name.text),
                        )
                        .related(declarator.name.span, "declared here"),
                    );
                }
                fixed.then(|| list.iter().map(|e| self.constant(e, "an element of a global or static array")).collect()).flatten()
            }
            (Some(Init::Expr(e)), Shape::Array { .. }) => {
                let diagnostic = if matches!(e.kind, ExprKind::Str) {
                    Diagnostic::error("unsupported-string", e.span, "strings as data are not supported")
                        .help("list the characters: `{'a', 'b', 0}`")
                } else {
                    Diagnostic::error("array-initialiser", e.span, format!("the array `{}` needs a list of values", declarator.name.text))
                        .help("write `{1, 2, 3}`")
                };
                self.report(diagnostic);
                None
            }
            (Some(Init::List(_, span)), Shape::Scalar) => {
                self.report(
                    Diagnostic::error("scalar-initialiser", *span, format!("`{}` is one integer, not an array", declarator.name.text))
                        .help(format!("write `{}[]` for an array, or one value without braces", declarator.name.text)),
                );
                None
            }
        };
        self.decls[id.0 as usize].initial = initial;
    }

    fn array_shape(&mut self, name: &Name, length: Option<&mut Expr>, init: Option<&Init>) -> Shape {
        let length = match (length, init) {
            (Some(e), _) => {
                self.value(e);
                match constant::evaluate(e) {
                    Some(value) if value.is_positive() => Some(value),
                    Some(value) => {
                        self.report(Diagnostic::error("array-length", e.span, format!("an array cannot have {value} elements")));
                        Some(Int::ONE)
                    }
                    None => {
                        if !constant::has_error(e) {
                            self.report(
                                Diagnostic::error("unsupported-array", e.span, "the length of an array must be a constant")
                                    .help("use a number or a `#define`d name, or make the array a parameter: its length is then open"),
                            );
                        }
                        Some(Int::ONE)
                    }
                }
            }
            (None, Some(Init::List(list, _))) => Some(Int::from(list.len().max(1))),
            // Reported as a string.
            (None, Some(Init::Expr(Expr { kind: ExprKind::Str, .. }))) => Some(Int::ONE),
            (None, _) => {
                self.report(
                    Diagnostic::error("array-length", name.span, format!("the length of the array `{}` is missing", name.text))
                        .help(format!("write e.g. `{}[10]`", name.text)),
                );
                Some(Int::ONE)
            }
        };
        Shape::Array { length }
    }

    fn constant(&mut self, e: &Expr, what: &str) -> Option<Int> {
        let value = constant::evaluate(e);
        if value.is_none() && !constant::has_error(e) {
            self.report(
                Diagnostic::error("not-constant", e.span, format!("{what} must be a constant"))
                    .help("compute it from numbers, or assign it at the start of a function"),
            );
        }
        value
    }

    // Functions and statements

    fn function(&mut self, function: &mut Function) {
        self.reported.clear();
        self.loops = 0;
        self.returns_value = function.returns_value;
        self.scopes.push(HashMap::new());
        for parameter in &mut function.parameters {
            if parameter.name.text.is_empty() {
                self.report(
                    Diagnostic::error("missing-name", parameter.name.span, "this parameter has no name")
                        .help("a function with a body needs names, e.g. `int n`"),
                );
            }
            let shape = if parameter.array { Shape::Array { length: None } } else { Shape::Scalar };
            let decl =
                Decl { name: parameter.name.text.clone(), span: parameter.name.span, shape, storage: Storage::Parameter, initial: None };
            parameter.decl = self.bind(&parameter.name, decl);
            parameter.name.decl = Some(parameter.decl);
        }
        // The body's outermost block shares the parameters' scope.
        function.body.iter_mut().for_each(|s| self.statement(s));
        self.scopes.pop();
        self.labels(function);
    }

    fn statement(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Error => {}
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Declare(list) => list.iter_mut().for_each(|d| self.declare(d, false)),
            StmtKind::Block(list) => {
                self.scopes.push(HashMap::new());
                list.iter_mut().for_each(|s| self.statement(s));
                self.scopes.pop();
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.condition(condition);
                    self.scoped(body);
                }
                if let Some(body) = otherwise {
                    self.scoped(body);
                }
            }
            StmtKind::While { condition, body } => {
                self.condition(condition);
                self.in_loop(body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.in_loop(body);
                self.condition(condition);
            }
            StmtKind::For { init, condition, step, body } => {
                self.scopes.push(HashMap::new());
                if let Some(init) = init {
                    self.statement(init);
                }
                if let Some(condition) = condition {
                    self.condition(condition);
                }
                if let Some(step) = step {
                    self.effect(step);
                }
                self.in_loop(body);
                self.scopes.pop();
            }
            StmtKind::Break | StmtKind::Continue if self.loops == 0 => {
                let word = if matches!(stmt.kind, StmtKind::Break) { "break" } else { "continue" };
                self.report(Diagnostic::error("outside-loop", stmt.span, format!("`{word}` stands outside of a loop")));
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.value(value);
                }
                match (value, self.returns_value) {
                    (Some(value), false) => self.report(
                        Diagnostic::error("unexpected-value", value.span, "a `void` function returns no value")
                            .help("give the function the type `int`, or write `return;`"),
                    ),
                    (None, true) => self.report(
                        Diagnostic::error("missing-value", stmt.span, "this function must return a value")
                            .help("write `return 0;`, or give the function the type `void`"),
                    ),
                    _ => {}
                }
            }
            StmtKind::Labelled(_, body) => self.statement(body),
        }
    }

    /// A body that is one statement has a scope of its own.
    fn scoped(&mut self, body: &mut Stmt) {
        self.scopes.push(HashMap::new());
        self.statement(body);
        self.scopes.pop();
    }

    fn in_loop(&mut self, body: &mut Stmt) {
        self.loops += 1;
        self.scoped(body);
        self.loops -= 1;
    }

    /// Labels are known in the whole function, so they are looked at last.
    fn labels(&mut self, function: &Function) {
        let mut labels: HashMap<&str, Span> = HashMap::new();
        let mut jumps = Vec::new();
        let mut stack: Vec<&Stmt> = function.body.iter().rev().collect();
        while let Some(stmt) = stack.pop() {
            match &stmt.kind {
                StmtKind::Labelled(name, _) => match labels.get(name.text.as_str()) {
                    Some(&first) => self.report(
                        Diagnostic::error("duplicate-label", name.span, format!("the label `{}` stands twice in this function", name.text))
                            .help("rename one of them")
                            .related(first, "first here"),
                    ),
                    None => {
                        labels.insert(&name.text, name.span);
                    }
                },
                StmtKind::Goto(name) => jumps.push(name),
                _ => {}
            }
            let mut children = Vec::new();
            stmt.children(&mut |child| children.push(child));
            stack.extend(children.into_iter().rev());
        }
        for name in jumps {
            if !labels.contains_key(name.text.as_str()) && !self.poisoned.contains(name.text.as_str()) {
                let mut diagnostic =
                    Diagnostic::error("unknown-label", name.span, format!("there is no label `{}` in this function", name.text));
                let mut known: Vec<_> = labels.iter().collect();
                known.arrange_by_key(|(_, span)| **span);
                diagnostic = match super::suggest::closest(&name.text, known.into_iter().map(|(&text, _)| text)) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!("write `{}:` in front of the statement to go to", name.text)),
                };
                self.report(diagnostic);
            }
        }
    }

    fn condition(&mut self, e: &mut Expr) {
        self.value(e);
        if let (ExprKind::Assign(place, None, _), false) = (&e.kind, e.parenthesised) {
            let name = &place.name().text;
            let diagnostic = Diagnostic::warning("assignment-in-condition", e.span, format!("this condition assigns to `{name}`"))
                .help("use `==` to compare; a second pair of parentheses says that the assignment is meant");
            self.report(diagnostic);
        }
    }
}
