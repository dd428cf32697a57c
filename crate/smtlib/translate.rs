//! Terms of a script to values, with an explicit stack: depth of nesting costs memory, never the machine's stack.
//!
//! The translator looks a name up in the innermost frame of local bindings (the `let`s around a term; a macro's body
//! starts a frame of its own, which holds its parameters), then among the script's own names.

use super::build::Builder;
use super::names::OF_THEORIES;
use super::scoped::Scoped;
use super::syntax::{Head, NameIndex, NodeId, SmtScript, Sort, Term};
use super::value::{Value, ValueKind};
use crate::source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// What a name of the script stands for.
#[derive(Clone, Debug)]
pub enum Global {
    /// A symbol or the value of a definition without parameters.
    Value(Value),
    /// A definition whose body is translated at every use.
    Macro { parameters: Box<[(NameIndex, Sort)]>, sort: Sort, body: NodeId },
}

/// How many steps the translation of one term may take: macros within macros can grow beyond any bound.
const MAX_STEPS: u64 = 50_000_000;

enum Task {
    Visit(NodeId),
    /// The arguments are translated: apply.
    Apply(NodeId),
    /// The bound terms are translated: bind them and go on with the body.
    Bind(NodeId),
    /// The body is translated: forget the bindings.
    Unbind(NodeId),
    /// The body of the macro is translated: leave its frame.
    Leave(NodeId, Box<(NameIndex, Vec<ValueKind>)>),
    Named(NodeId),
}

type Frame = FxHashMap<NameIndex, Vec<Value>>;

/// Translates the terms of one script.
pub struct Translator<'a> {
    pub script: &'a SmtScript,
    pub builder: Builder,
    pub globals: FxHashMap<NameIndex, Global>,
    /// The names of `globals` in the order in which they came, for undoing.
    pub order: Vec<NameIndex>,
    /// Whether names outlive the scope they came in.
    pub global_declarations: bool,
    frames: Vec<Frame>,
    expanded: Scoped<(NameIndex, Vec<ValueKind>), Value>,
}

pub fn refuse<T>(code: &'static str, span: Span, message: impl Into<String>) -> Result<T, Box<Diagnostic>> {
    Err(Diagnostic::error(code, span, message).into())
}

pub fn sort_error<T>(span: Span, message: impl Into<String>) -> Result<T, Box<Diagnostic>> {
    refuse("smtlib-sort", span, message)
}

impl<'a> Translator<'a> {
    pub fn new(script: &'a SmtScript) -> Translator<'a> {
        Translator {
            script,
            builder: Builder::new(),
            globals: FxHashMap::default(),
            order: Vec::new(),
            global_declarations: false,
            frames: Vec::new(),
            expanded: Scoped::default(),
        }
    }

    /// Gives a name its meaning.
    ///
    /// # Errors
    /// Where the name has one already.
    pub fn define(&mut self, name: NameIndex, meaning: Global, span: Span) -> Result<(), Box<Diagnostic>> {
        let text = self.script.name(name);
        if OF_THEORIES.contains(&text) {
            return refuse("smtlib-name", span, format!("`{text}` belongs to the theory"));
        }
        if self.globals.insert(name, meaning).is_some() {
            return refuse("smtlib-name", span, format!("`{text}` is declared already"));
        }
        self.order.push(name);
        Ok(())
    }

    /// Forgets what depends on assertions that are gone.
    pub fn forget_expansions(&mut self) {
        let depth = self.builder.depth();
        self.expanded.truncate(depth);
    }

    /// Translates a term with the given local bindings.
    ///
    /// # Errors
    /// Where the term is not well-sorted or not supported.
    pub fn translate(&mut self, root: NodeId, locals: &[(NameIndex, Value)]) -> Result<Value, Box<Diagnostic>> {
        let closed = locals.is_empty();
        self.frames = vec![locals.iter().map(|(name, value)| (*name, vec![value.clone()])).collect()];
        let mut tasks = vec![Task::Visit(root)];
        let mut values: Vec<Value> = Vec::new();
        let mut steps = 0;
        while let Some(task) = tasks.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                let span = self.script.node(root).span;
                return refuse("smtlib-size", span, "the term is too large with its definitions expanded");
            }
            match task {
                Task::Visit(id) => self.visit(id, &mut tasks, &mut values)?,
                Task::Apply(id) => self.apply(id, &mut tasks, &mut values)?,
                Task::Bind(id) => {
                    if let Term::Let(bindings, body) = &self.script.node(id).term {
                        let bound = values.split_off(values.len() - bindings.len());
                        for ((name, _), value) in bindings.iter().zip(bound) {
                            let value = self.builder.part(value);
                            self.frame().entry(*name).or_default().push(value);
                        }
                        tasks.push(Task::Unbind(id));
                        tasks.push(Task::Visit(*body));
                    }
                }
                Task::Unbind(id) => {
                    if let Term::Let(bindings, _) = &self.script.node(id).term {
                        for (name, _) in bindings {
                            if let Some(stack) = self.frame().get_mut(name) {
                                stack.pop();
                            }
                        }
                    }
                }
                Task::Leave(id, key) => {
                    self.frames.pop();
                    self.check_result(id, key.0, values.last())?;
                    if let Some(value) = values.last() {
                        self.expanded.insert(*key, value.clone(), self.builder.depth());
                    }
                }
                Task::Named(id) => {
                    let node = self.script.node(id);
                    if let (Term::Named(inner, name), Some(value)) = (&node.term, values.last()) {
                        if self.frames.len() > 1 || !closed {
                            return refuse("smtlib-unsupported", node.span, "a named term inside a definition");
                        }
                        let value = value.clone();
                        let meaning = if self.global_declarations {
                            Global::Macro { parameters: Box::default(), sort: value.sort(), body: *inner }
                        } else {
                            Global::Value(value)
                        };
                        self.define(*name, meaning, node.span)?;
                    }
                }
            }
        }
        values.pop().ok_or_else(|| Diagnostic::error("smtlib-syntax", self.script.node(root).span, "an empty term").into())
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn visit(&mut self, id: NodeId, tasks: &mut Vec<Task>, values: &mut Vec<Value>) -> Result<(), Box<Diagnostic>> {
        let script = self.script;
        let node = script.node(id);
        match &node.term {
            Term::Numeral(value) => values.push(Value::constant(value.clone())),
            Term::Truth(truth) => values.push(Value::truth(*truth)),
            Term::Name(name) => {
                if let Some(value) = self.frame().get(name).and_then(|stack| stack.last()) {
                    let value = value.clone();
                    values.push(value);
                    return Ok(());
                }
                match self.globals.get(name) {
                    Some(Global::Value(value)) => values.push(value.clone()),
                    Some(Global::Macro { .. }) => self.enter(id, *name, Vec::new(), tasks, values)?,
                    None => return Err(self.unknown_name(*name, node.span).into()),
                }
            }
            Term::Apply(_, arguments) => {
                tasks.push(Task::Apply(id));
                tasks.extend(arguments.iter().rev().map(|&argument| Task::Visit(argument)));
            }
            Term::Let(bindings, _) => {
                tasks.push(Task::Bind(id));
                tasks.extend(bindings.iter().rev().map(|&(_, bound)| Task::Visit(bound)));
                let mut names: Vec<u32> = bindings.iter().map(|(name, _)| name.0).collect();
                names.sort_unstable();
                if names.windows(2).any(|pair| pair[0] == pair[1]) {
                    return refuse("smtlib-name", node.span, "this `let` binds a name twice");
                }
            }
            Term::Named(inner, _) => {
                tasks.push(Task::Named(id));
                tasks.push(Task::Visit(*inner));
            }
        }
        Ok(())
    }

    fn unknown_name(&self, name: NameIndex, span: Span) -> Diagnostic {
        let text = self.script.name(name);
        if OF_THEORIES.contains(&text) {
            return Diagnostic::error("smtlib-sort", span, format!("`{text}` needs arguments"));
        }
        let error = Diagnostic::error("smtlib-name", span, format!("`{text}` is not declared"));
        let negative = text.strip_prefix('-').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        match negative {
            Some(digits) => error.help(format!("a negative number is written (- {digits})")),
            None => error,
        }
    }

    fn apply(&mut self, id: NodeId, tasks: &mut Vec<Task>, values: &mut Vec<Value>) -> Result<(), Box<Diagnostic>> {
        let script = self.script;
        let Term::Apply(head, ids) = &script.node(id).term else { return Ok(()) };
        let arguments: Vec<Value> = values.split_off(values.len() - ids.len()).into_iter().map(|value| self.builder.part(value)).collect();
        let span = script.node(id).span;
        let value = match head {
            Head::Name(name) if self.globals.contains_key(name) => return self.enter(id, *name, arguments, tasks, values),
            Head::Name(name) => self.operator(script.name(*name), ids, &arguments, span)?,
            Head::ConstantArray => {
                self.expect(ids, &arguments, 1, Sort::Int, span)?;
                self.builder.constant_array(&arguments[0])
            }
            Head::Divisible(divisor) => {
                self.expect(ids, &arguments, 1, Sort::Int, span)?;
                let remainder = self.builder.divide(&arguments[0], &Value::constant(divisor.clone())).1;
                self.builder.equal(&remainder, &Value::constant(0))
            }
        };
        values.push(value);
        Ok(())
    }

    /// Starts the body of a macro, unless this use is known.
    fn enter(
        &mut self,
        id: NodeId,
        name: NameIndex,
        arguments: Vec<Value>,
        tasks: &mut Vec<Task>,
        values: &mut Vec<Value>,
    ) -> Result<(), Box<Diagnostic>> {
        let span = self.script.node(id).span;
        let text = self.script.name(name);
        let Some(Global::Macro { parameters, body, .. }) = self.globals.get(&name) else {
            return sort_error(span, format!("`{text}` takes no arguments"));
        };
        if parameters.len() != arguments.len() {
            return sort_error(span, format!("`{text}` takes {} arguments, not {}", parameters.len(), arguments.len()));
        }
        let mut frame = Frame::default();
        for ((parameter, sort), argument) in parameters.iter().zip(&arguments) {
            if *sort != argument.sort() {
                return sort_error(span, format!("`{text}` takes a {sort} where a {} stands", argument.sort()));
            }
            frame.insert(*parameter, vec![argument.clone()]);
        }
        let key = (name, arguments.into_iter().map(|argument| argument.kind).collect::<Vec<_>>());
        if let Some(value) = self.expanded.get(&key) {
            values.push(value.clone());
            return Ok(());
        }
        tasks.push(Task::Leave(id, Box::new(key)));
        tasks.push(Task::Visit(*body));
        self.frames.push(frame);
        Ok(())
    }

    fn check_result(&self, id: NodeId, name: NameIndex, value: Option<&Value>) -> Result<(), Box<Diagnostic>> {
        match (self.globals.get(&name), value) {
            (Some(Global::Macro { sort, .. }), Some(value)) if *sort != value.sort() => {
                sort_error(self.script.node(id).span, format!("`{}` gives a {}, not a {sort}", self.script.name(name), value.sort()))
            }
            _ => Ok(()),
        }
    }
}
