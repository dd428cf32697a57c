//! Turns spans and diagnostics into plain data.

use super::{Diagnostic, Related, Severity, TextPlace};
use crate::source::{self, LineIndex, Span};

/// A span as lines, columns and UTF-16 offsets.
pub fn place(lines: &LineIndex, span: Span) -> TextPlace {
    let (start, end) = (lines.position(span.start), lines.position(span.end));
    TextPlace {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        start: lines.utf16(span.start),
        end: lines.utf16(span.end),
    }
}

/// A diagnostic with its spans.
pub fn diagnostic(lines: &LineIndex, diagnostic: &source::Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: match diagnostic.severity {
            source::Severity::Error => Severity::Error,
            source::Severity::Warning => Severity::Warning,
        },
        code: diagnostic.code.to_owned(),
        message: diagnostic.message.clone(),
        label: diagnostic.label.clone(),
        help: diagnostic.help.clone(),
        place: place(lines, diagnostic.span),
        related: diagnostic.related.iter().map(|(span, text)| Related { place: place(lines, *span), text: text.clone() }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_keeps_everything() {
        let lines = LineIndex::new("int ä;\nint 𝛼 = b;\n");
        let b = Span::new(19, 20);
        assert_eq!(b.text(lines.text()), "b");
        let original =
            source::Diagnostic::error("undeclared-name", b, "no `b`").label("here").help("declare it").related(Span::new(4, 6), "not this");
        let view = diagnostic(&lines, &original);
        assert_eq!((view.code.as_str(), view.message.as_str(), view.severity), ("undeclared-name", "no `b`", Severity::Error));
        assert_eq!((view.label.as_deref(), view.help.as_deref()), (Some("here"), Some("declare it")));
        assert_eq!(view.place, TextPlace { line: 2, column: 9, end_line: 2, end_column: 10, start: 16, end: 17 });
        assert_eq!((view.related[0].place.column, view.related[0].place.end_column), (5, 6));
    }
}
