//! The functions of a program, without lowering one.

use crate::lang::ast::Function;
use crate::lang::parse_understood;
use crate::logic::Arrange;
use crate::source::LineIndex;
use crate::source::files::FileLines;
use crate::view::{Diagnostic, diagnostic};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFunction {
    pub name: String,
    /// The line of its name, or of what is not understood in it.
    pub line: u32,
    /// Whether other parts of the program, an interrupt or a pointer can call it: all but static functions whose address is not taken.
    pub is_entry: bool,
}

/// The functions of a program, in the order of the text.
pub struct ProgramFunctions {
    pub functions: Vec<ProgramFunction>,
    /// Whether all that can be called from outside are among them, none in a header.
    pub has_all_entries: bool,
}

/// The functions of a program; those of its headers only on request.
///
/// # Errors
/// Why the text is no program.
pub fn functions(source: &str, has_headers: bool) -> Result<ProgramFunctions, Vec<Diagnostic>> {
    let lines = LineIndex::new(source);
    let parsed = parse_understood(source);
    let Some(program) = parsed.program else {
        return Err(parsed.diagnostics.iter().map(|one| diagnostic(&lines, one)).collect());
    };
    let is_entry = |function: &Function| {
        let name = &function.name.text;
        !function.is_static || program.addressed.contains(name) || program.interrupts.contains(name)
    };
    let understood = program.own().map(|function| (function.name.span, &function.name.text, is_entry(function)));
    // Of what is not understood anything may be called.
    let refused = program.refused.iter().map(|one| (one.span, &one.name, true));
    let mut found: Vec<_> = understood.chain(refused).collect();
    found.arrange_by_key(|(span, ..)| span.start);
    let files = FileLines::of(source);
    let all =
        found.into_iter().map(|(span, name, is_entry)| ProgramFunction { name: name.clone(), line: lines.line(span.start), is_entry });
    let (functions, others): (Vec<_>, Vec<_>) = all.partition(|function| has_headers || files.header(function.line).is_none());
    Ok(ProgramFunctions { functions, has_all_entries: !others.iter().any(|function| function.is_entry) })
}
