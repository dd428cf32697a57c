//! Executes a script: one solver for the whole text, incremental inside.

use super::model;
use super::read::read;
use super::syntax::{Action, NameIndex, NodeId, SmtScript, Sort};
use super::translate::{Global, Translator, refuse, sort_error};
use super::value::{Value, ValueKind};
use super::{CheckResult, Verdict};
use crate::logic::{Assignment, FormulaId, Pool};
use crate::solver::meter::Meter;
use crate::solver::{Answer, check};
use crate::source::{Diagnostic, LineIndex, Span};
use std::time::Duration;

/// Something a solver prints.
#[derive(Clone, Debug)]
pub enum SolverOutput<'a> {
    /// The answer to a check.
    Check(&'a CheckResult),
    /// The answer to `get-model`, without a newline at the end.
    Model(String),
    /// What `echo` says.
    Echo(&'a str),
    /// The answer to a command that is known and not supported.
    Unsupported,
}

/// As SMT-LIB solvers print it, without a newline at the end.
impl std::fmt::Display for SolverOutput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SolverOutput::Check(check) => check.result.fmt(f),
            SolverOutput::Model(text) => f.write_str(text),
            SolverOutput::Echo(text) => write!(f, "\"{}\"", text.replace('"', "\"\"")),
            SolverOutput::Unsupported => f.write_str("unsupported"),
        }
    }
}

/// Reads and executes a script: every check may take `limit` steps. `clock` gives the time since some fixed moment and
/// is for [`CheckResult::time`] only; `on_output` hears everything in order.
///
/// # Errors
/// What is wrong with the text, before anything is executed where it is its syntax.
pub fn run(
    text: &str,
    limit: u64,
    clock: &dyn Fn() -> Duration,
    on_output: &mut dyn FnMut(SolverOutput),
) -> Result<Vec<CheckResult>, Box<Diagnostic>> {
    let script = read(text)?;
    let lines = LineIndex::new(text);
    let mut run = ScriptRun {
        scope: Scope::new(&script),
        script: &script,
        limit,
        clock,
        spent: Duration::ZERO,
        verifying: Duration::ZERO,
        model: None,
    };
    let mut checks = Vec::new();
    let mut expected = None;
    for command in &script.commands {
        let assumptions: &[NodeId] = match &command.action {
            Action::Exit => break,
            Action::CheckSat => &[],
            Action::CheckSatAssuming(terms) => terms,
            Action::Status(status) => {
                expected = *status;
                continue;
            }
            Action::Echo(text) => {
                on_output(SolverOutput::Echo(script.name(*text)));
                continue;
            }
            Action::GetModel => {
                let none = || format!("(error \"line {}: there is no model\")", lines.line(command.span.start));
                on_output(SolverOutput::Model(run.print_model().unwrap_or_else(none)));
                continue;
            }
            Action::Unsupported => {
                on_output(SolverOutput::Unsupported);
                continue;
            }
            other => {
                run.execute(other, command.span)?;
                continue;
            }
        };
        let mut result = run.check(assumptions, lines.line(command.span.start))?;
        result.expected = expected.take();
        on_output(SolverOutput::Check(&result));
        checks.push(result);
    }
    Ok(checks)
}

/// Names, assertions and open scopes.
struct Scope<'a> {
    translator: Translator<'a>,
    /// The declared symbols, in order.
    declared: Vec<(NameIndex, Sort)>,
    /// For each open scope, how many names and how many declared symbols there were.
    marks: Vec<(usize, usize)>,
}

impl<'a> Scope<'a> {
    fn new(script: &'a SmtScript) -> Scope<'a> {
        Scope { translator: Translator::new(script), declared: Vec::new(), marks: Vec::new() }
    }

    fn push(&mut self) {
        self.translator.builder.push();
        self.marks.push((self.translator.order.len(), self.declared.len()));
    }

    fn pop(&mut self) {
        self.translator.builder.pop();
        self.translator.forget_expansions();
        let Some((names, declared)) = self.marks.pop() else { return };
        if !self.translator.global_declarations {
            for name in self.translator.order.split_off(names) {
                self.translator.globals.remove(&name);
            }
            self.declared.truncate(declared);
        }
    }
}

struct ScriptRun<'a> {
    scope: Scope<'a>,
    script: &'a SmtScript,
    limit: u64,
    clock: &'a dyn Fn() -> Duration,
    /// Time in the solver since the last check.
    spent: Duration,
    /// Time in the checker in the last check.
    verifying: Duration,
    /// The model of the last check, with what was declared then.
    model: Option<(Assignment, Vec<(NameIndex, Sort)>)>,
}

impl ScriptRun<'_> {
    fn execute(&mut self, action: &Action, span: Span) -> Result<(), Box<Diagnostic>> {
        match action {
            Action::Declare(name, sort) => {
                let value = self.symbol(*name, *sort);
                self.scope.translator.define(*name, Global::Value(value), span)?;
                self.scope.declared.push((*name, *sort));
            }
            Action::Define { name, parameters, sort, body } => self.define(*name, parameters, *sort, *body, span)?,
            Action::Push(levels) => (0..*levels).for_each(|_| self.scope.push()),
            Action::Pop(levels) => {
                if *levels as usize > self.scope.marks.len() {
                    return refuse("smtlib-pop", span, "more scopes are closed than open");
                }
                (0..*levels).for_each(|_| self.scope.pop());
            }
            Action::Assert(term) => self.assert(*term)?,
            Action::GlobalDeclarations(_) if !self.scope.translator.order.is_empty() || !self.scope.marks.is_empty() => {
                return refuse("smtlib-option", span, "global-declarations must be set before the first declaration");
            }
            Action::GlobalDeclarations(on) => self.scope.translator.global_declarations = *on,
            Action::Reset => {
                self.model = None;
                self.scope = Scope::new(self.script);
            }
            Action::ResetAssertions => self.reset_assertions(),
            _ => {}
        }
        Ok(())
    }

    fn symbol(&mut self, name: NameIndex, sort: Sort) -> Value {
        let text = self.script.name(name);
        let pool = self.scope.translator.builder.pool();
        Value::leaf(match sort {
            Sort::Int => ValueKind::Int(pool.integer(text)),
            Sort::Bool => ValueKind::Bool(pool.boolean(text)),
            Sort::Array => ValueKind::Array(pool.array_symbol(text)),
        })
    }

    /// A definition without parameters is translated once, in its scope; one with parameters at every use, and now
    /// with any arguments to see that it can be.
    fn define(
        &mut self,
        name: NameIndex,
        parameters: &[(NameIndex, Sort)],
        sort: Sort,
        body: NodeId,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let trial = !parameters.is_empty() || self.scope.translator.global_declarations;
        let mut locals = Vec::new();
        for &(parameter, sort) in parameters {
            let builder = &mut self.scope.translator.builder;
            let value = match sort {
                Sort::Int => Value::leaf(ValueKind::Int(builder.fresh_int("parameter"))),
                Sort::Bool => Value::leaf(ValueKind::Bool(builder.fresh_bool("parameter"))),
                Sort::Array => builder.fresh_array("parameter"),
            };
            if locals.iter().any(|(other, _)| *other == parameter) {
                return refuse("smtlib-name", span, "two parameters have the same name");
            }
            locals.push((parameter, value));
        }
        if trial {
            self.scope.push();
        }
        let value = self.scope.translator.translate(body, &locals)?;
        if trial {
            self.scope.pop();
        }
        if value.sort() != sort {
            return sort_error(self.script.node(body).span, format!("{sort} expected, {} found", value.sort()));
        }
        let meaning = if trial { Global::Macro { parameters: parameters.into(), sort, body } } else { Global::Value(value) };
        self.scope.translator.define(name, meaning, span)
    }

    fn assert(&mut self, term: NodeId) -> Result<(), Box<Diagnostic>> {
        let value = self.scope.translator.translate(term, &[])?;
        let Some(formula) = value.bool() else {
            return sort_error(self.script.node(term).span, format!("Bool expected, {} found", value.sort()));
        };
        let before = (self.clock)();
        self.scope.translator.builder.assert(formula);
        self.spent += (self.clock)().saturating_sub(before);
        Ok(())
    }

    fn reset_assertions(&mut self) {
        self.model = None;
        let kept = self.scope.translator.global_declarations.then(|| self.scope.declared.clone());
        let mut fresh = Scope::new(self.script);
        if let Some(declared) = kept {
            // Symbols and macros depend on no assertion.
            fresh.translator.global_declarations = true;
            let old = &mut self.scope.translator;
            fresh.declared = declared;
            fresh.translator.order = std::mem::take(&mut old.order);
            fresh.translator.globals = std::mem::take(&mut old.globals);
            std::mem::swap(fresh.translator.builder.pool(), old.builder.pool());
        }
        self.scope = fresh;
    }

    fn check(&mut self, assumptions: &[NodeId], line: u32) -> Result<CheckResult, Box<Diagnostic>> {
        self.scope.push();
        for &term in assumptions {
            self.assert(term)?;
        }
        let before = (self.clock)();
        let mut meter = Meter::new(self.limit);
        self.verifying = Duration::ZERO;
        let (verdict, reason) = self.decide(&mut meter);
        self.spent += (self.clock)().saturating_sub(before);
        self.scope.pop();
        if let Some((_, declared)) = &mut self.model {
            declared.clone_from(&self.scope.declared);
        }
        let time = std::mem::take(&mut self.spent);
        Ok(CheckResult {
            line,
            result: verdict,
            expected: None,
            reason,
            time,
            verifying: self.verifying,
            steps: meter.used(),
            checked: verdict == Verdict::Unsat,
        })
    }

    /// Decides the standing assertions; believes nothing that is not verified.
    fn decide(&mut self, meter: &mut Meter) -> (Verdict, Option<String>) {
        self.model = None;
        let builder = &mut self.scope.translator.builder;
        if !builder.equalities.is_empty() {
            builder.assert_equal_elements();
        }
        builder.context.query_limit = self.limit;
        match builder.context.check(meter) {
            Answer::Unknown(reason) => (Verdict::Unknown, Some(reason.to_string())),
            Answer::Unsat(refutation) => {
                let all = builder.context.assertions();
                let core: Option<Vec<FormulaId>> = refutation.core.iter().map(|&position| all.get(position).copied()).collect();
                let pool: &Pool = &builder.context.pool;
                let before = (self.clock)();
                let verified = core
                    .ok_or("the core names no assertion".to_owned())
                    .and_then(|core| check::check(pool, &core, &refutation.certificate));
                self.verifying = (self.clock)().saturating_sub(before);
                match verified {
                    Ok(()) => (Verdict::Unsat, None),
                    Err(reason) => (Verdict::Unknown, Some(format!("the certificate was rejected: {reason}"))),
                }
            }
            Answer::Sat(_) if !builder.incomplete.is_empty() => (Verdict::Unknown, builder.incomplete.last().cloned()),
            Answer::Sat(model) => match builder.complete(Assignment::clone(&model)) {
                Some(model) => {
                    self.model = Some((model, Vec::new()));
                    (Verdict::Sat, None)
                }
                None => (Verdict::Unknown, Some("no model was found in which arrays that must be equal are".into())),
            },
        }
    }

    fn print_model(&mut self) -> Option<String> {
        let (model, declared) = self.model.as_ref()?;
        let pool = self.scope.translator.builder.pool();
        let symbols = declared.iter().map(|&(name, sort)| (self.script.name(name), sort));
        let symbols: Vec<_> = symbols.map(|(text, sort)| (text, pool.symbol(text), sort)).collect();
        Some(model::print(model, &symbols))
    }
}
