//! Helpers for the front end's tests: messages as `line:column code message | help`.

mod block;
mod hostile;
mod macros;
mod meaning;
mod syntax;

use super::parse;
use crate::lts::lower::lower;
use crate::source::{LineIndex, Severity};

/// All messages for a text.
fn messages(source: &str) -> Vec<String> {
    let parsed = parse(source);
    let errors = parsed.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(parsed.program.is_none(), errors, "a program iff no error");
    let index = LineIndex::new(source);
    let print = |d: &crate::source::Diagnostic| {
        let at = index.position(d.span.start);
        let help = d.help.as_ref().map(|h| format!(" | {h}")).unwrap_or_default();
        format!("{}:{} {} {}{help}", at.line, at.column, d.code, d.message)
    };
    parsed.diagnostics.iter().map(print).collect()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(messages(source), expected, "{source}");
}

/// The codes only.
fn codes(source: &str) -> Vec<&'static str> {
    parse(source).diagnostics.iter().map(|d| d.code).collect()
}

/// Parses and, where that works, lowers every function: nothing may panic.
fn survive(source: &str) {
    let parsed = parse(source);
    let length = source.len() as u32;
    for d in &parsed.diagnostics {
        assert!(d.span.start <= d.span.end && d.span.end <= length, "{d:?}");
        assert!(source.is_char_boundary(d.span.start as usize) && source.is_char_boundary(d.span.end as usize), "{d:?}");
    }
    assert_eq!(parsed.program.is_some(), parsed.diagnostics.iter().all(|d| d.severity == Severity::Warning));
    if let Some(program) = parsed.program {
        for function in &program.functions {
            if let Ok(lowered) = lower(&program, Some(&function.name.text)) {
                crate::lts::lower::tests::invariants(&lowered.lts);
                crate::lts::structure::Structure::new(&lowered.lts);
                crate::lts::dot::dot(&lowered.lts);
            }
        }
    }
}
