//! Expressions that the checker writes with others: they are in no checked program.

use super::{Expr, Init, Qualifiers, Stmt, Type};

/// What gives a member's offset, as a call with the member of an object at the null pointer.
pub const OFFSET: &str = "__builtin_offsetof";

/// The parameter that passes variable arguments on: a pointer to the first one's [`ARGUMENT`].
pub const ARGUMENTS: &str = "...";
/// The structure of a variable argument: what it is, and its value as an integer, a number with a fraction, or a string.
pub const ARGUMENT: &str = "(argument)";
/// The structure that `va_list` names here: the number of the next argument.
pub const ARGUMENT_LIST: &str = "va_list";

/// The member of a union that says which of the others was written last: its number and 1, or 0 where that is not known.
pub const LAST_MEMBER: &str = "(last)";

/// How the names of objects begin that are at addresses that are numbers: no identifier.
pub const PLACED: &str = "*0x";

/// See [`super::ExprKind::Sugar`].
#[derive(Clone, Debug)]
pub enum Sugar {
    /// GNU's `({ … })`.
    Statements(Vec<Stmt>),
    /// GNU's `x ?: y`.
    Otherwise(Expr, Expr),
    /// `_Generic`, and GNU's question whether two types are compatible.
    Selection(Subject, Vec<Association>),
    /// `va_arg` (C11 7.16.1.1).
    NextArgument(Expr, Type),
    /// A number as the address of an object of a type.
    Address(Type, Qualifiers, Expr),
    /// A compound literal (C11 6.5.2.5).
    Literal(Type, Qualifiers, Init),
}

/// By what one of several expressions is selected.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The type of this expression's value.
    Value(Expr),
    /// This type, whatever its own qualifiers.
    Type(Type, Qualifiers),
}

/// An expression with the type that selects it; without one it is the default.
#[derive(Clone, Debug)]
pub struct Association {
    pub ty: Option<(Type, Qualifiers)>,
    pub value: Expr,
}

impl Sugar {
    /// Visits the expressions in it.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Sugar::Statements(list) => list.iter().for_each(|stmt| each_expression(stmt, visit)),
            Sugar::Otherwise(a, b) => [a, b].into_iter().for_each(visit),
            Sugar::Selection(subject, list) => {
                if let Subject::Value(e) = subject {
                    visit(e);
                }
                list.iter().for_each(|association| visit(&association.value));
            }
            Sugar::NextArgument(e, _) | Sugar::Address(_, _, e) => visit(e),
            Sugar::Literal(_, _, init) => init.expressions(visit),
        }
    }
}

/// Visits the expressions of a statement and of all in it.
pub fn each_expression<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    stmt.expressions(visit);
    stmt.children(&mut |child| each_expression(child, visit));
}
