//! The forms in which a function is lowered: as the program has it, or with numbers in place of pointers to memory ([`crate::memory`]). The
//! first form counts in which lowering follows all pointers.

use super::rounds::lowered as in_rounds;
use super::{Lowered, Options};
use crate::lang::ast::{Function, NodeNumbers, Program};
use crate::logic::SortedMap;
use crate::source::Diagnostic;

/// The function from a program with views.
///
/// # Errors
/// As [`super::lower_with`].
pub(super) fn lowered(program: &Program, function: &Function, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    // At the start of the program blocks hold arrays to which static pointers lead.
    if function.name.text == "main" && !program.nodes.static_pointers.is_empty() {
        let nodes = NodeNumbers { static_pointers: SortedMap::new(), ..program.nodes.clone() };
        let without = Program { nodes, ..program.clone() };
        let result = in_one_form(&without, without.function("main").map_or(function, |(_, function)| function), options);
        if !is_refused(&result) {
            return result;
        }
    }
    in_one_form(program, function, options)
}

fn in_one_form(program: &Program, function: &Function, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let with_blocks = crate::memory::with_blocks(program, function, false);
    let of_blocks = || with_blocks.as_ref().and_then(|with_blocks| with_numbers(&with_blocks.program, function, options));
    let with_cursors = crate::memory::with_blocks(program, function, true);
    let of_cursors = || with_cursors.as_ref().and_then(|with| with_numbers(&with.program, function, options));
    if with_cursors.as_ref().is_some_and(|with| with.are_ordered)
        && let Some(lowered) = of_cursors()
    {
        return Ok(lowered);
    }
    if with_blocks.as_ref().is_some_and(|with_blocks| with_blocks.is_needed)
        && let Some(lowered) = of_blocks()
    {
        return Ok(lowered);
    }
    if crate::memory::frees_structures(program, function)
        && let Some(lowered) = with_numbers(program, function, options)
    {
        return Ok(lowered);
    }
    let result = in_rounds(program, function, *options);
    if is_refused(&result)
        && let Some(lowered) = with_numbers(program, function, options)
            .or_else(of_blocks)
            .or_else(of_cursors)
            .or_else(|| numbered(program, function, options, true))
    {
        return Ok(lowered);
    }
    result
}

/// Whether lowering does not follow a pointer.
fn is_refused(result: &Result<Lowered, Vec<Diagnostic>>) -> bool {
    matches!(result, Err(errors) if errors.iter().any(|error| error.code == "unsupported-pointer"))
}

/// The function with numbers in place of pointers to nodes, where it has some, and they are followed.
fn with_numbers(program: &Program, function: &Function, options: &Options) -> Option<Lowered> {
    numbered(program, function, options, false)
}

/// The same; with `outside` of a function that calls functions without a body, which may write its nodes.
fn numbered(program: &Program, function: &Function, options: &Options, outside: bool) -> Option<Lowered> {
    [false, true].into_iter().find_map(|cells| {
        let (_, function) = program.function(&function.name.text)?;
        let with_nodes = crate::memory::with_nodes(program, function, cells, outside)?;
        let (_, function) = with_nodes.function(&function.name.text)?;
        in_rounds(&with_nodes, function, *options).ok()
    })
}
