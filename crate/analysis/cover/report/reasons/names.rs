//! Names of variables in reasons: the model has variables that the text does not have.
//!
//! What a call of the program's functions gives is the result of the function; what a call of the library gives is the call itself. An argument
//! that the model keeps in a variable of its own is the text of the argument. Parameters and locals of functions of the library, and what
//! an argument list is kept in, have no name.

use crate::analysis::cover::report::CoverReason;
use crate::logic::text::FormulaWriter;
use crate::logic::{Atom, AtomId, Int, SortedSet};
use crate::lts::sides::without_copies;
use crate::lts::written::{is_next_argument, is_of_library, is_temporary};
use crate::lts::{BinaryOp, EdgeId, Expr, Lts, ModelObject, Origin, Variable, VariableId};

/// How the name of what a call gives ends.
const RESULT: &str = ".result";
/// How the name of what arguments are kept in begins.
const LITERAL: &str = "literal";

/// Gives names to variables and formulas.
pub struct ReasonNames<'n> {
    lts: &'n Lts,
    /// Gives an edge with its position and text.
    pub name: &'n dyn Fn(&EdgeId) -> CoverReason,
    /// The bits by which the program shifts to the right; and the constants by which it divides.
    shifts: SortedSet<i64>,
    divisors: SortedSet<Int>,
}

impl<'n> ReasonNames<'n> {
    /// `name` gives an edge with its position and text.
    pub fn new(lts: &'n Lts, name: &'n dyn Fn(&EdgeId) -> CoverReason) -> ReasonNames<'n> {
        let (mut shifts, mut divisors) = (SortedSet::new(), SortedSet::new());
        for operand in lts.graph.edge_weights().filter(|edge| !edge.library).flat_map(|edge| edge.label.operands()) {
            operand.walk(&mut |part| match part {
                Expr::Binary(BinaryOp::ShiftRight(_), _, count) => shifts.extend(constant(count).and_then(Int::to_i64)),
                Expr::Binary(BinaryOp::Div, _, size) => divisors.extend(constant(size).cloned()),
                _ => {}
            });
        }
        ReasonNames { lts, name, shifts, divisors }
    }

    /// What a reader calls a variable; `None` where the text has no words for it.
    pub fn of(&self, id: VariableId) -> Option<String> {
        let variable = self.lts.variable(id);
        let plain = without_copies(&variable.name);
        if is_of_library(variable) {
            return if plain.ends_with(RESULT) { self.text_of(id, true) } else { None };
        }
        if is_temporary(variable) {
            return self.text_of(id, false);
        }
        if is_next_argument(variable) || plain.starts_with(LITERAL) {
            return None;
        }
        match plain.strip_suffix(RESULT).filter(|function| is_result_of(variable, function)) {
            Some(function) => Some(format!("the result of {function}")),
            None => Some(plain),
        }
    }

    /// The only text of the assignments to a variable: of the calls of the library that give it, or of the argument.
    fn text_of(&self, id: VariableId, is_call: bool) -> Option<String> {
        let lts = self.lts;
        let assigned = lts.graph.edge_indices().filter(|&edge| lts.graph[edge].label.assigned() == Some(ModelObject::Variable(id)));
        let mut texts = assigned.map(|edge| (lts.graph[edge].library == is_call).then(|| (self.name)(&edge).text));
        let first = texts.next()??;
        let is_of_text =
            is_call && first.contains('(') || !is_call && !first.contains('=') && !first.contains("++") && !first.contains("--");
        (is_of_text && texts.all(|text| text.as_ref() == Some(&first))).then_some(first)
    }

    /// What a reader calls the variable or array with this name in formulas; `None` where the text has no words for it.
    pub fn of_symbol(&self, symbol: &str) -> Option<String> {
        match self.lts.variables.iter().position(|variable| variable.name == symbol) {
            Some(at) => self.of(VariableId(u32::try_from(at).ok()?)),
            None if symbol.starts_with(LITERAL) || symbol.starts_with('@') => None,
            None => Some(without_copies(symbol)),
        }
    }

    /// How a formula writes an atom in another way than with the names of the model: divisions as the shifts of the text, too.
    pub fn atom(&self, writer: &FormulaWriter, atom: AtomId) -> Option<String> {
        match writer.pool.atom(atom) {
            Atom::Symbol(symbol) => self.of_symbol(writer.pool.symbol_name(*symbol)),
            Atom::DivTrunc(value, size) => {
                let size = size.as_constant().filter(|size| !self.divisors.contains(size))?;
                let count = self
                    .shifts
                    .iter()
                    .find(|count| u32::try_from(**count).is_ok_and(|count| count < 64 && Int::ONE.shift_left(count) == *size))?;
                Some(format!("({} >> {count})", writer.operand(value)))
            }
            _ => None,
        }
    }
}

/// Whether a variable keeps what a function gives: of a local with that name the declaration is as long as its name.
fn is_result_of(variable: &Variable, function: &str) -> bool {
    let length = (variable.span.end - variable.span.start) as usize;
    variable.origin == Origin::Inlined && (length == function.len() || length + 1 != RESULT.len())
}

/// The constant that an expression is.
fn constant(e: &Expr) -> Option<&Int> {
    match e {
        Expr::Int(constant) => Some(constant),
        Expr::Convert(_, inner) => constant(inner),
        _ => None,
    }
}
