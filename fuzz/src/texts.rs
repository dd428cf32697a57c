//! Texts: read, and lowered where they are programs.

use super::invariants::invariants;
use culdesac::lang::{self, ast::Program};
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::lts::structure::Structure;
use culdesac::lts::{Lts, dot};
use culdesac::source::Severity;

/// Recursion is inlined less often than usual, so that more programs are tried.
const INLINE_DEPTH: u32 = 3;

/// Reads a text; the messages must lie within it.
pub fn front(data: &[u8]) {
    program(data);
}

/// Lowers every function, with both kinds of integers.
pub fn lower(data: &[u8]) {
    for lts in graphs(data) {
        invariants(&lts);
        Structure::new(&lts);
        dot::dot(&lts);
    }
}

/// A text in the block language: what C goes through.
pub fn blocks(data: &[u8]) {
    lower(data);
    super::runs::interp(data);
}

/// The program of a text.
fn program(data: &[u8]) -> Option<Program> {
    let source = &*String::from_utf8_lossy(data);
    let parsed = lang::parse(source);
    let length = source.len() as u32;
    for d in &parsed.diagnostics {
        assert!(d.span.start <= d.span.end && d.span.end <= length, "{d:?}");
        assert!(source.is_char_boundary(d.span.start as usize) && source.is_char_boundary(d.span.end as usize), "{d:?}");
    }
    assert_eq!(parsed.program.is_some(), parsed.diagnostics.iter().all(|d| d.severity == Severity::Warning));
    parsed.program
}

/// The graphs of a text's functions, with both kinds of integers.
pub fn graphs(data: &[u8]) -> Vec<Lts> {
    let Some(program) = program(data) else { return Vec::new() };
    let mut graphs = Vec::new();
    for function in &program.functions {
        for ints in [IntegerModel::Unbounded, IntegerModel::C32] {
            let options = Options { ints, inline_depth: INLINE_DEPTH, label_steps: false };
            if let Ok(lowered) = lower_with(&program, Some(&function.name.text), &options) {
                graphs.push(lowered.lts);
            }
        }
    }
    graphs
}
