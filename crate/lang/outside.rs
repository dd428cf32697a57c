//! Calls by pointers that may be to functions of other parts of the program. The checker has made each a choice among the program's own
//! functions that fit; where the pointer may come from outside, one of no body is one more choice. Which pointers of its parameters come from
//! outside is known of the analysed function alone: [`of_caller`] adds the choices of its calls.

use super::ast::{BinaryOp, Expr, ExprKind, Function, Init, Item, Name, Parameter, Program, Shape, Stmt, StmtKind};
use super::flow::{Cell, Flow, Of, cell_of};
use super::intrinsic::{FROM_OUTSIDE, NO_FUNCTION, ONE_OF_FUNCTIONS};
use super::types::Integer;
use crate::logic::{Int, SortedSet};

/// What stands after the name of such a function, so that it is no identifier.
pub const OUTSIDE: &str = " (outside)";

/// Adds the choice to each call that needs it.
pub fn follow(program: &mut Program) {
    if calls_by_pointers(program) {
        let before = program.clone();
        choose(program, &before, None);
    }
}

/// The program with the choices of what the caller of this function passes, where its parameters hold or lead to pointers to functions.
pub fn of_caller(program: &Program, function: &Function) -> Option<Program> {
    let holds = |parameter: &Parameter| holds_function(program, &program.decl(parameter.decl).shape, &|_| true, DEPTH);
    (function.parameters.iter().any(holds) && calls_by_pointers(program)).then(|| {
        let mut changed = program.clone();
        choose(&mut changed, program, Some(function));
        changed
    })
}

/// Members and pointers on the way to a pointer to a function.
const DEPTH: u32 = 8;

/// Whether something of the shape, or what it points to, is a pointer to a function whose result has this property.
fn holds_function(program: &Program, shape: &Shape, of: &dyn Fn(&Shape) -> bool, depth: u32) -> bool {
    match shape {
        Shape::Function(result) => of(result),
        _ if depth == 0 => false,
        Shape::Array { element: inner, .. } | Shape::Pointer(inner) => holds_function(program, inner, of, depth - 1),
        Shape::Struct(id) => {
            let members = program.structure(*id).members.as_ref();
            members.is_some_and(|members| members.iter().any(|member| holds_function(program, &member.shape, of, depth - 1)))
        }
        _ => false,
    }
}

/// Whether a value of this shape is, or leads to, a pointer to a function that gives back a structure: no choice stands for a function
/// from outside there.
pub fn gives_structures(program: &Program, shape: &Shape) -> bool {
    holds_function(program, shape, &|result| matches!(result, Shape::Struct(_)), DEPTH)
}

fn calls_by_pointers(program: &Program) -> bool {
    program.functions.iter().filter(|function| !function.library).flat_map(|function| &function.body).any(has_choice)
}

fn choose(program: &mut Program, before: &Program, analysed: Option<&Function>) {
    let outside = Flow::new(before, Of::Functions).outside(analysed);
    let choices = Choices { program: before, outside };
    for function in program.functions.iter_mut().filter(|function| !function.library) {
        function.body.iter_mut().for_each(|stmt| choices.statement(stmt));
    }
}

fn has_choice(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.expressions(&mut |e| found = found || is_inside(e));
    stmt.children(&mut |child| found = found || has_choice(child));
    found
}

fn is_inside(e: &Expr) -> bool {
    let mut found = matches!(&e.kind, ExprKind::Call(name, _) if [NO_FUNCTION, ONE_OF_FUNCTIONS].contains(&name.text.as_str()));
    e.kind.children(&mut |child| found = found || is_inside(child));
    found
}

struct Choices<'a> {
    program: &'a Program,
    outside: SortedSet<Cell<'a>>,
}

impl Choices<'_> {
    fn statement(&self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.expression(e),
            StmtKind::Declare(_, list) => {
                list.iter_mut().filter_map(|declarator| declarator.init.as_mut()).for_each(|init| self.init(init))
            }
            StmtKind::Block(list) => list.iter_mut().for_each(|stmt| self.statement(stmt)),
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expression(condition);
                    self.statement(body);
                }
                otherwise.iter_mut().for_each(|stmt| self.statement(stmt));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => {
                self.expression(condition);
                self.statement(body);
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter_mut().for_each(|stmt| self.statement(stmt));
                condition.iter_mut().chain(step).for_each(|e| self.expression(e));
                self.statement(body);
            }
            StmtKind::Switch { value, body } => {
                self.expression(value);
                self.statement(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Labelled(_, body) => self.statement(body),
            _ => {}
        }
    }

    fn init(&self, init: &mut Init) {
        match init {
            Init::Expr(e) => self.expression(e),
            Init::List(items, _) => items.iter_mut().for_each(|Item { value, .. }| self.init(value)),
        }
    }

    fn expression(&self, e: &mut Expr) {
        self.children(&mut e.kind);
        let (span, ty) = (e.span, e.ty);
        match &mut e.kind {
            ExprKind::Call(name, given) if name.text == NO_FUNCTION && given.first().is_some_and(|callee| self.is_outside(callee)) => {
                let mut given = std::mem::take(given);
                let callee = given.remove(0);
                *e = outside(&callee, given, e, self.program.addressed.len());
            }
            ExprKind::Comma(checked, call) => {
                if let Some((callee, numbers)) = one_of(checked)
                    && self.is_outside(&callee)
                    && let [last] = &numbers[..]
                    && let Some(chosen) = self.last(&callee, last, call)
                {
                    *e = Expr { span, ty, ..chosen };
                }
            }
            ExprKind::Conditional(condition, _, rest) => {
                let ExprKind::Binary(BinaryOp::Eq, checked, _) = &mut condition.kind else { return };
                let Some((callee, numbers)) = one_of(checked).filter(|(callee, _)| self.is_outside(callee)) else { return };
                let Some(last) = numbers.last() else { return };
                let mut end = rest;
                for _ in 2..numbers.len() {
                    let ExprKind::Conditional(_, _, next) = &mut end.kind else { return };
                    end = next;
                }
                if let Some(chosen) = self.last(&callee, last, end) {
                    **end = chosen;
                    **checked = callee;
                }
            }
            _ => {}
        }
    }

    fn children(&self, kind: &mut ExprKind) {
        match kind {
            ExprKind::Unary(_, e)
            | ExprKind::Member(e, ..)
            | ExprKind::Deref(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Cast(_, e)
            | ExprKind::Convert(e)
            | ExprKind::SizeofExpr(e)
            | ExprKind::Step { target: e, .. } => self.expression(e),
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign { target: a, value: b, .. } => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expression(c);
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Call(_, arguments) => arguments.iter_mut().for_each(|e| self.expression(e)),
            ExprKind::CallAt(callee, arguments) => {
                self.expression(callee);
                arguments.iter_mut().for_each(|e| self.expression(e));
            }
            _ => {}
        }
    }

    fn is_outside(&self, callee: &Expr) -> bool {
        cell_of(self.program, callee).is_some_and(|cell| self.outside.contains(&cell))
    }

    /// The last of the program's functions, or one from outside.
    fn last(&self, callee: &Expr, number: &Int, call: &Expr) -> Option<Expr> {
        let ExprKind::Call(name, arguments) = &call.kind else { return None };
        let (_, function) = self.program.function(&name.text)?;
        // Of a structure that a function without a body gives back nothing is known, also not which.
        if matches!(function.result, Shape::Struct(_)) {
            return None;
        }
        let other = outside(callee, arguments.clone(), call, self.program.addressed.len());
        let number = Expr { ty: callee.ty, ..Expr::new(ExprKind::Int(number.clone()), callee.span) };
        let is_last = ExprKind::Binary(BinaryOp::Eq, Box::new(callee.clone()), Box::new(number));
        let is_last = Expr { ty: Integer::Int, ..Expr::new(is_last, callee.span) };
        let kind = ExprKind::Conditional(Box::new(is_last), Box::new(call.clone()), Box::new(other));
        Some(Expr { ty: call.ty, ..Expr::new(kind, call.span) })
    }
}

/// A call of a function from outside, by this pointer.
fn outside(callee: &Expr, arguments: Vec<Expr>, call: &Expr, functions: usize) -> Expr {
    let named = |text: String, arguments: Vec<Expr>, ty: Integer| {
        let name = Name { text, span: callee.span, decl: None };
        Expr { ty, ..Expr::new(ExprKind::Call(name, arguments), call.span) }
    };
    let functions = Expr { ty: callee.ty, ..Expr::new(ExprKind::Int(Int::from(functions)), callee.span) };
    let name = callee_name(callee);
    let checked = named(FROM_OUTSIDE.to_owned(), vec![callee.clone(), functions], callee.ty);
    let made = named(format!("{name}{OUTSIDE}"), arguments, call.ty);
    Expr { ty: call.ty, ..Expr::new(ExprKind::Comma(Box::new(checked), Box::new(made)), call.span) }
}

/// The name of the object or member that is called.
fn callee_name(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Member(_, name, _) => &name.text,
        ExprKind::Deref(inner) | ExprKind::Index(inner, _) | ExprKind::Convert(inner) => callee_name(inner),
        _ => callee.root().map_or("function", |name| &name.text),
    }
}

/// The pointer, and the numbers of the functions that it may be.
fn one_of(e: &Expr) -> Option<(Expr, Vec<Int>)> {
    let ExprKind::Call(name, arguments) = &e.kind else { return None };
    let (callee, rest) = arguments.split_first().filter(|_| name.text == ONE_OF_FUNCTIONS)?;
    let number = |e: &Expr| if let ExprKind::Int(number) = &e.kind { Some(number.clone()) } else { None };
    Some((callee.clone(), rest.iter().filter_map(number).collect()))
}
