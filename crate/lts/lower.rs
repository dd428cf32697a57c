//! The syntax tree to the labelled transition system.
//!
//! Lowering runs backwards: a statement is given the node where execution goes on and gives back the node where it
//! starts. Jumps, labels, blocks, joins and `return` are then nothing but passing nodes around, and so add no edges.
//! Expressions are split into a value without side effects and *steps* before and after it (`expression`). Calls are
//! inlined: a `Frame` maps the callee's declarations to variables of their own.
//!
//! DIVERGENCE from C, on purpose: a global without initialiser is an input, not zero; a declared function without body
//! returns an arbitrary value.
//!
//! Bounds: `MAX_NODES` nodes, `MAX_CALLS` inlined calls, `MAX_DEPTH` levels of recursion; beyond them there is a
//! message instead of an LTS.

mod expression;
mod graph;
mod names;
mod statement;

#[cfg(test)]
pub(crate) mod tests;

use super::{Array, ArrayId, Expr, LocationId, Lts, Origin, Variable, VariableId};
use crate::lang::ast::{DeclId, Function, Program, Shape, Stmt, StmtKind, Storage};
use crate::lang::ast::{Expr as Tree, ExprKind};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::lang::suggest;
use crate::logic::Arrange;
use crate::logic::Int;
use crate::source::{Diagnostic, Span};
use graph::{Graph, Node};
use std::collections::{BTreeMap, HashMap};

/// Nodes (about as many as locations) that a function may have.
const MAX_NODES: usize = 50_000;
/// Calls that may be inlined, counting those inside inlined ones.
const MAX_CALLS: usize = 20_000;
/// How deep lowering may recurse: statements, expressions and calls together.
const MAX_DEPTH: usize = 1_500;

/// A function as an LTS, with what was noticed on the way.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub lts: Lts,
    pub warnings: Vec<Diagnostic>,
    /// Where the labels of the function's own text stand; labels that no path reaches are left out.
    pub labels: BTreeMap<String, LocationId>,
}

/// Lowers the function of the given name, or the [`default_function`]. The error is a list of diagnostics: there is no
/// such function, or inlining grows beyond bounds.
pub fn lower(program: &Program, function: Option<&str>) -> Result<Lowered, Vec<Diagnostic>> {
    let function = match function {
        Some(name) => match program.function(name) {
            Some((_, function)) => function,
            None => return Err(vec![unknown_function(program, name)]),
        },
        None => default_function(program)
            .ok_or_else(|| vec![Diagnostic::error("no-function", Span::default(), "there is no function to look at")])?,
    };
    Lowerer::new(program, function).run()
}

fn unknown_function(program: &Program, name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-function", Span::default(), format!("there is no function `{name}` in this program"));
    let names = || program.functions.iter().map(|f| f.name.text.as_str());
    match suggest::closest(name, names()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("there are: {}", names().take(20).collect::<Vec<_>>().join(", "))),
    }
}

/// The function to look at when none is named: the only one; else `main` if it does more than call others; else the last
/// one defined beside `main`. `None` if the program has no function.
pub fn default_function(program: &Program) -> Option<&Function> {
    let main = program.functions.iter().find(|f| f.name.text == "main");
    match main {
        Some(main) if program.functions.len() == 1 || does_more_than_call(&main.body) => Some(main),
        _ => program.functions.iter().rfind(|f| f.name.text != "main").or(main),
    }
}

/// Whether statements do more than prepare arguments and call: whether there is any decision.
fn does_more_than_call(body: &[Stmt]) -> bool {
    let mut stack: Vec<&Stmt> = body.iter().collect();
    while let Some(stmt) = stack.pop() {
        if matches!(
            stmt.kind,
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } | StmtKind::Goto(_)
        ) {
            return true;
        }
        let mut found = false;
        stmt.expressions(&mut |e| found = found || decides(e));
        if found {
            return true;
        }
        stmt.children(&mut |child| stack.push(child));
    }
    false
}

fn decides(e: &Tree) -> bool {
    match &e.kind {
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) => return true,
        ExprKind::Call(name, _)
            if matches!(intrinsic::find(&name.text), Some(Intrinsic::Assume | Intrinsic::Assert | Intrinsic::Error)) =>
        {
            return true;
        }
        _ => {}
    }
    let mut found = false;
    e.kind.children(&mut |child| found = found || decides(child));
    found
}

/// How a `return` ends the current frame.
#[derive(Clone, Copy)]
enum Return {
    /// The function itself: its exit, with the value.
    Exit,
    /// An inlined call: the value goes to `result` if it is used, then on to `next`.
    Continue { result: Option<VariableId>, next: Node },
}

/// One function being lowered: the function itself or an inlined call.
struct Frame<'a> {
    function: &'a Function,
    scalars: HashMap<DeclId, VariableId>,
    arrays: HashMap<DeclId, ArrayId>,
    labels: HashMap<&'a str, Node>,
    /// Targets of `break` and `continue`, innermost last.
    loops: Vec<(Node, Node)>,
    returns: Return,
}

struct Lowerer<'a> {
    program: &'a Program,
    functions: HashMap<&'a str, usize>,
    graph: Graph,
    frames: Vec<Frame<'a>>,
    /// Globals and statics, shared by all frames.
    shared_scalars: HashMap<DeclId, VariableId>,
    shared_arrays: HashMap<DeclId, ArrayId>,
    variables: Vec<Variable>,
    arrays: Vec<Array>,
    depth: usize,
    calls: usize,
    failure: Option<Diagnostic>,
    /// Statements of the function itself with the nodes where they start.
    starts: Vec<(Span, Node)>,
    /// Ends of value-returning functions without `return`.
    open_ends: Vec<(&'a Function, Node)>,
    labels: Vec<(&'a str, Node)>,
}

impl<'a> Lowerer<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Lowerer<'a> {
        let frame = Frame {
            function,
            scalars: HashMap::new(),
            arrays: HashMap::new(),
            labels: HashMap::new(),
            loops: Vec::new(),
            returns: Return::Exit,
        };
        let mut lowerer = Lowerer {
            program,
            functions: program.functions.iter().zip(0..).map(|(f, i)| (f.name.text.as_str(), i)).collect(),
            graph: Graph::new(),
            frames: vec![frame],
            shared_scalars: HashMap::new(),
            shared_arrays: HashMap::new(),
            variables: Vec::new(),
            arrays: Vec::new(),
            depth: 0,
            calls: 0,
            failure: None,
            starts: Vec::new(),
            open_ends: Vec::new(),
            labels: Vec::new(),
        };
        // Parameters are inputs whether or not they are used.
        for parameter in &function.parameters {
            if parameter.array {
                lowerer.array(parameter.decl);
            } else {
                lowerer.scalar(parameter.decl);
            }
        }
        lowerer
    }

    fn run(mut self) -> Result<Lowered, Vec<Diagnostic>> {
        let function = self.frames[0].function;
        let entry = self.body(function);
        if let Some(failure) = self.failure {
            return Err(vec![failure]);
        }
        let finished = self.graph.finish(entry);
        let mut warnings = Vec::new();
        unreachable_code(&mut self.starts, &finished.locations, &mut warnings);
        self.open_ends.retain(|&(_, node)| finished.locations[node].is_some());
        self.open_ends.arrange_by_key(|(f, _)| f.span);
        self.open_ends.dedup_by_key(|(f, _)| f.span);
        for (function, _) in &self.open_ends {
            warnings.push(
                Diagnostic::warning("missing-return", function.end, format!("`{}` can end without returning a value", function.name.text))
                    .help("write `return` with a value at its end"),
            );
        }
        let mut lts = Lts {
            function: function.name.text.clone(),
            graph: finished.graph,
            entry: finished.entry,
            exit: finished.exit,
            error: finished.error,
            entry_returns: finished.entry_returns,
            precondition: None,
            variables: self.variables,
            arrays: self.arrays,
        };
        names::settle(&mut lts);
        let returns = lts.entry == lts.exit || lts.graph.edges_directed(lts.exit, petgraph::Direction::Incoming).next().is_some();
        if !returns {
            warnings.push(
                Diagnostic::warning(
                    "never-returns",
                    function.name.span,
                    format!("no path through `{}` ever reaches its end", function.name.text),
                )
                .help("without an end there are no complete paths to look at"),
            );
        }
        warnings.arrange_by_key(|d| d.span);
        let labels = self.labels.iter().filter_map(|&(name, node)| Some((name.to_string(), finished.locations[node]?))).collect();
        Ok(Lowered { lts, warnings, labels })
    }

    /// The current frame. There is always one: the function itself is never popped.
    fn frame(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn fail(&mut self, diagnostic: Diagnostic) {
        self.failure.get_or_insert(diagnostic);
    }

    /// Whether lowering may go one level deeper; false once anything failed. [`Lowerer::leave`] ends the level.
    fn enter(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.graph.len() > MAX_NODES || self.calls > MAX_CALLS {
            let name = self.frames[0].function.name.span;
            self.fail(
                Diagnostic::error(
                    "too-large",
                    name,
                    format!("with its calls inlined this function has more than {MAX_NODES} steps or {MAX_CALLS} calls"),
                )
                .help("look at a smaller function: choose one of those it calls"),
            );
        } else if self.depth > MAX_DEPTH {
            self.fail(
                Diagnostic::error("too-deep", span, "calls and expressions nest too deep here once calls are inlined")
                    .help("look at one of the called functions instead"),
            );
        }
        self.failure.is_none()
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    // Variables

    fn scalar(&mut self, decl: DeclId) -> VariableId {
        let info = self.program.decl(decl);
        let shared = matches!(info.storage, Storage::Global | Storage::Static);
        let known = if shared { self.shared_scalars.get(&decl) } else { self.frames[self.frames.len() - 1].scalars.get(&decl) };
        if let Some(&id) = known {
            return id;
        }
        let initial = info.initial.as_ref().and_then(|values| values.first().cloned());
        let initial = if info.storage == Storage::Static { Some(initial.unwrap_or(Int::ZERO)) } else { initial };
        let (name, origin) = self.name_and_origin(decl);
        let id = self.variable(name, origin, info.span, initial);
        if shared {
            self.shared_scalars.insert(decl, id)
        } else {
            self.frame().scalars.insert(decl, id)
        };
        id
    }

    fn array(&mut self, decl: DeclId) -> ArrayId {
        let info = self.program.decl(decl);
        let shared = matches!(info.storage, Storage::Global | Storage::Static);
        let known = if shared { self.shared_arrays.get(&decl) } else { self.frames[self.frames.len() - 1].arrays.get(&decl) };
        if let Some(&id) = known {
            return id;
        }
        let length = match &info.shape {
            Shape::Array { length } => length.clone(),
            Shape::Scalar => None,
        };
        let initial = if info.storage == Storage::Static { Some(info.initial.clone().unwrap_or_default()) } else { info.initial.clone() };
        let (name, origin) = self.name_and_origin(decl);
        let id = ArrayId(u32::try_from(self.arrays.len()).unwrap_or(u32::MAX));
        self.arrays.push(Array { name, origin, span: info.span, length, initial });
        if shared {
            self.shared_arrays.insert(decl, id)
        } else {
            self.frame().arrays.insert(decl, id)
        };
        id
    }

    fn name_and_origin(&self, decl: DeclId) -> (String, Origin) {
        let info = self.program.decl(decl);
        let name = info.name.clone();
        match info.storage {
            Storage::Global | Storage::Static => (name, Origin::Global),
            _ if self.frames.len() > 1 => (format!("{}.{name}", self.frames[self.frames.len() - 1].function.name.text), Origin::Inlined),
            Storage::Parameter => (name, Origin::Parameter),
            Storage::Local => (name, Origin::Local),
        }
    }

    fn variable(&mut self, name: String, origin: Origin, span: Span, initial: Option<Int>) -> VariableId {
        let id = VariableId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        self.variables.push(Variable { name, origin, span, initial });
        id
    }

    /// A variable of our own for a part of an expression.
    fn temporary(&mut self, span: Span) -> VariableId {
        self.variable("t".into(), Origin::Inlined, span, None)
    }

    fn read(&mut self, decl: Option<DeclId>) -> Expr {
        match decl {
            Some(decl) => Expr::Var(self.scalar(decl)),
            // A checked program has no such name.
            None => Expr::Int(Int::ZERO),
        }
    }
}

/// Warns about statements that no path reaches: once for neighbours, and not for what stands inside them.
fn unreachable_code(starts: &mut [(Span, Node)], locations: &[Option<LocationId>], warnings: &mut Vec<Diagnostic>) {
    starts.arrange_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut run: Option<Span> = None;
    for &(span, node) in starts.iter() {
        if locations[node].is_some() {
            if let Some(dead) = run.take_if(|dead| span.start >= dead.end) {
                warnings.push(unreachable(dead));
            }
        } else {
            run = Some(run.map_or(span, |dead| dead.to(span)));
        }
    }
    warnings.extend(run.map(unreachable));
}

fn unreachable(span: Span) -> Diagnostic {
    Diagnostic::warning("unreachable-code", span, "no path leads here, whatever the values are")
        .help("remove it, or look for the jump that skips it")
}
