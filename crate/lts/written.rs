//! Edges as the program's text has them: conditions with their macros, parentheses and casts, the other side of a decision as `!(…)`.

mod plain_assignment;

use self::plain_assignment::plain_assignment;
use super::text::label;
#[cfg(feature = "files")]
use super::unfold::decisions::WholeDecision;
use super::{Array, Edge, EdgeId, EdgePart, Expr, Label, Lts, Origin, Requirement, ValueMeaning, Variable};
use crate::lang::library;
use crate::lang::remarks::Expansion;
use crate::source::Span;
use std::sync::Arc;

/// A decision as the text has it: for people, but for `wholes`.
#[derive(Clone, Debug)]
pub struct DecisionText {
    /// The condition, with the negations around it.
    pub span: Span,
    /// The operand of the outermost negation, where there is one.
    pub operand: Option<Span>,
    /// Whether an odd number of negations is around what is decided.
    pub is_flipped: bool,
    /// Whether `!` in front of it needs parentheses.
    pub is_compound: bool,
    /// What the condition reads once macros are replaced.
    pub expansion: Option<Arc<Expansion>>,
    /// Of a label of a `switch`: the label, where `span` is the value.
    pub label: Option<Span>,
    /// Of a choice among the functions that a call by a pointer may call: the one that it calls where the condition holds.
    pub callee: Option<Arc<str>>,
    /// The whole decisions of which it is the first condition: more than one only where copies of an expression differ.
    #[cfg(feature = "files")]
    pub wholes: Vec<WholeDecision>,
}

/// Characters of a condition, at most; what is longer is cut in its middle.
const LONGEST: usize = 90;

/// An edge for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenEdge {
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
}

/// An edge as the text has it; `source` is the program's text. What stands nowhere in it is as its label says.
pub fn source_text(lts: &Lts, source: &str, edge: &Edge) -> WrittenEdge {
    let decision = edge.decision.filter(|_| !edge.library && edge.order.is_none());
    let written = decision.and_then(|number| lts.written.get(number as usize));
    if let (Label::Assume { holds, .. }, Some(written)) = (&edge.label, written)
        && let Some(text) = condition(written, source, *holds != written.is_flipped)
    {
        return text;
    }
    // The edge of an unsequenced pair has the text of the conflicting evaluation: its label has a temporary.
    let is_conflict = matches!(&edge.label, Label::Assign(_, Expr::Guarded(Requirement::Sequenced, ..)));
    // The value that a call gives has no name in the text.
    let is_given = matches!(&edge.label, Label::Assign(_, Expr::Var(value)) if is_result(lts.variable(*value), source));
    let text = if is_conflict || is_given && !edge.library {
        plain(edge.span, source).filter(|text| !text.is_empty()).map(|text| cut(&text))
    } else {
        None
    };
    WrittenEdge { text: text.unwrap_or_else(|| label(lts, edge)), expansion: None }
}

/// An assignment as the text has it: one that stands there as `target = value`, and one whose label has names that the text has not: of a call
/// that is inlined, of its result, of the parts of a pointer. An argument has its label, since the parameter stands elsewhere.
pub fn assignment_text(lts: &Lts, source: &str, edge: &Edge) -> Option<String> {
    let is_to_result = match edge.label {
        _ if edge.library => return None,
        Label::Assign(id, _) | Label::Havoc(id) => is_result(lts.variable(id), source),
        Label::Store { .. } | Label::Fill(..) => false,
        _ => return None,
    };
    let is_of_result = matches!(edge.label, Label::Assign(_, Expr::Var(id)) if is_result(lts.variable(id), source));
    // What a function of the library without a body gives is set by the call itself.
    let is_of_span = |variable: &Variable| variable.origin == Origin::Inlined && variable.span == edge.span;
    let is_call = matches!(edge.label, Label::Assign(id, _) if is_of_span(lts.variable(id)));
    if is_argument_list(lts, &edge.label) {
        let text = plain(edge.span, source).filter(|text| !text.is_empty())?;
        return Some(if text.contains('(') { cut(&text) } else { format!("{text}(…)") });
    }
    let text = plain(edge.span, source)?;
    if let Some(own) = plain_assignment(&text, &label(lts, edge)) {
        return Some(cut(&own));
    }
    if !has_other_names(lts, &edge.label) {
        return None;
    }
    match text {
        text if is_of_result || is_call || assigns(&text) => Some(cut(&text)),
        text if is_to_result => Some(returned(&text)),
        _ => None,
    }
}

/// A statement that returns a value, from the text of the value or of the statement.
fn returned(text: &str) -> String {
    const RETURN: &str = "return";
    let text = text.trim_end_matches(';').trim_end();
    let is_statement = text.strip_prefix(RETURN).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    cut(&if is_statement { text.to_owned() } else { format!("{RETURN} {text}") })
}

/// Whether an assignment has a name that the text has not.
fn has_other_names(lts: &Lts, label: &Label) -> bool {
    let is_other_target = match label {
        Label::Assign(id, _) | Label::Havoc(id) => is_other(lts, &Expr::Var(*id)),
        Label::Store { array, .. } => has_other_name(lts.array(*array)),
        _ => false,
    };
    is_other_target || label.operands().into_iter().any(|operand| is_other(lts, operand))
}

/// Whether an array has a name that the text has not: that of a call, or of several objects which the model keeps together.
fn has_other_name(array: &Array) -> bool {
    array.origin == Origin::Inlined || !array.objects.is_empty()
}

/// Whether an expression has a name that the text has not.
fn is_other(lts: &Lts, operand: &Expr) -> bool {
    let mut found = match operand {
        Expr::Var(id) => {
            let Variable { origin, values, .. } = lts.variable(*id);
            let is_part = matches!(values, ValueMeaning::Objects(_) | ValueMeaning::Indices | ValueMeaning::ElementIndices);
            *origin == Origin::Inlined || is_part
        }
        Expr::Read(array, _) => has_other_name(lts.array(*array)),
        _ => false,
    };
    operand.children(&mut |child| found |= is_other(lts, child));
    found
}

/// Whether a variable keeps what a call gives, or a part of it: it is declared nowhere in the text.
fn is_result(Variable { name, span, .. }: &Variable, source: &str) -> bool {
    const RESULT: &str = "result";
    name.split('#').next().is_some_and(|name| name.split('.').any(|part| part == RESULT)) && span.text(source) != RESULT
}

/// Whether a variable is one of a function of the library: the text has no name for it.
pub fn is_of_library(variable: &Variable) -> bool {
    let function = variable.name.split(['.', '#']).next().unwrap_or_default();
    variable.origin == Origin::Inlined && library::is_defined(function)
}

/// Whether a variable keeps a part of an expression: the text has no name for it.
pub fn is_temporary(variable: &Variable) -> bool {
    variable.origin == Origin::Inlined && variable.name.split('#').next() == Some("t")
}

/// Whether a variable is the number of the next argument of a call without a fixed number of them.
pub fn is_next_argument(Variable { name, origin, values, .. }: &Variable) -> bool {
    let is_number = *origin != Origin::Global && *values == ValueMeaning::Integers;
    is_number && name.split('#').next().is_some_and(|name| name.ends_with(".next"))
}

/// Whether a label is about what the arguments of a call without a fixed number of them are kept in.
fn is_argument_list(lts: &Lts, label: &Label) -> bool {
    match label {
        Label::Assign(id, _) => is_next_argument(lts.variable(*id)),
        Label::Store { array, .. } | Label::Fill(array, _) => lts.array(*array).name.starts_with("literal."),
        _ => false,
    }
}

/// Whether a text has an assignment.
fn assigns(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_equal = |at: usize| bytes.get(at) == Some(&b'=');
    let is_sign = |at: usize| {
        at > 0
            && (matches!(bytes[at - 1], b'!' | b'=') || matches!(bytes[at - 1], b'<' | b'>') && (at < 2 || bytes[at - 2] != bytes[at - 1]))
    };
    let sets = (0..bytes.len()).any(|at| is_equal(at) && !is_equal(at + 1) && !is_sign(at));
    sets || text.contains("++") || text.contains("--")
}

/// A part of what an edge evaluates, for people. A call of the library's is told as the call: its code is not the program's.
pub fn text_of_part(lts: &Lts, source: &str, edge: Option<EdgeId>, part: EdgePart) -> WrittenEdge {
    match (edge, part) {
        (Some(edge), EdgePart::Label) if !lts.graph[edge].library => {
            let edge = &lts.graph[edge];
            let is_assignment = matches!(edge.label, Label::Assign(..) | Label::Store { .. });
            if is_assignment && has_other_names(lts, &edge.label) {
                return WrittenEdge { text: text_of_span(edge.span, source), expansion: None };
            }
            source_text(lts, source, edge)
        }
        (_, EdgePart::Return) => WrittenEdge { text: returned(&text_of_span(lts.span_of(edge, part), source)), expansion: None },
        _ => WrittenEdge { text: text_of_span(lts.span_of(edge, part), source), expansion: None },
    }
}

/// A span of the text in one line, for people.
pub fn text_of_span(span: Span, source: &str) -> String {
    cut(&plain(span, source).unwrap_or_else(|| span.text(source).to_owned()))
}

/// What holds where the condition of an edge's decision is not zero.
pub fn condition_of(lts: &Lts, source: &str, edge: &Edge) -> Option<WrittenEdge> {
    let written = lts.written.get(edge.decision.filter(|_| !edge.library)? as usize)?;
    condition(written, source, !written.is_flipped)
}

/// A side of a decision: as it is written, or negated.
fn condition(written: &DecisionText, source: &str, holds: bool) -> Option<WrittenEdge> {
    let whole = plain(written.span, source)?;
    if let Some(label) = written.label {
        let label = plain(label, source)?;
        let constant = label.strip_prefix("case")?.split(':').next()?.trim().to_owned();
        if constant.is_empty() || constant.contains("...") {
            return None;
        }
        let value = match (written.is_compound, is_enclosed(&whole)) {
            (true, false) => format!("({whole})"),
            // The parentheses of `switch`.
            (false, true) => whole[1..whole.len() - 1].trim().to_owned(),
            _ => whole,
        };
        let text = format!("{value} == {constant}");
        return Some(WrittenEdge { text: cut(&if holds { text } else { format!("!({text})") }), expansion: None });
    }
    if let Some(callee) = &written.callee {
        return Some(WrittenEdge { text: cut(&format!("{whole} {} {callee}", if holds { "==" } else { "!=" })), expansion: None });
    }
    let negated = |text: &str, is_compound: bool| {
        if is_compound && !is_enclosed(text) { format!("!({text})") } else { format!("!{text}") }
    };
    match &written.expansion {
        // Several conditions stand in one use of a macro: the expansion tells them apart.
        Some(expansion) if expansion.is_part => {
            let text = if holds { expansion.text.clone() } else { negated(&expansion.text, true) };
            Some(WrittenEdge { text: cut(&format!("{whole}: {text}")), expansion: Some(text) })
        }
        expansion => {
            let is_compound = written.is_compound && !is_use(&whole);
            let text = match (holds, written.operand) {
                (true, _) => whole,
                (false, Some(operand)) => {
                    let operand = plain(operand, source)?;
                    if is_enclosed(&operand) { operand[1..operand.len() - 1].trim().to_owned() } else { operand }
                }
                (false, None) => negated(&whole, is_compound),
            };
            let expansion = expansion.as_ref().map(|expansion| if holds { expansion.text.clone() } else { negated(&expansion.text, true) });
            let expansion = expansion.filter(|expansion| *expansion != text);
            Some(WrittenEdge { text: cut(&text), expansion })
        }
    }
}

/// A span with the whole use of a macro of which it has a part: an expression may begin in an argument and end after the use.
fn with_use(span: Span, source: &str) -> Span {
    let (mut depth, mut least, mut quote, mut escaped) = (0i32, 0i32, None, false);
    for byte in span.text(source).bytes() {
        match (quote, byte) {
            (Some(_), b'\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), _) if open == byte && !escaped => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth -= 1;
                least = least.min(depth);
            }
            _ => {}
        }
        escaped = false;
    }
    let start = use_before(&source.as_bytes()[..span.start as usize], -least);
    start.map_or(span, |start| Span { start: start as u32, ..span })
}

/// Where the name stands in front of so many open parentheses before the end of a text; `None` where there is none in the statement.
fn use_before(text: &[u8], mut open: i32) -> Option<usize> {
    let mut at = text.len();
    while open > 0 {
        at = at.checked_sub(1)?;
        match text[at] {
            b'(' => open -= 1,
            b')' => open += 1,
            b';' | b'{' | b'}' | b'"' | b'\'' => return None,
            _ => {}
        }
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = text[..at].iter().rev().take_while(|byte| is_name(byte)).count();
    (at < text.len() && name > 0).then(|| at - name)
}

/// The text below a span in one line, without comments.
fn plain(span: Span, source: &str) -> Option<String> {
    let mut rest = with_use(span, source).text(source);
    let mut text = String::new();
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("\\\n") {
            2
        } else if let '"' | '\'' = c {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|&(_, other)| {
                let ends = other == c && !escaped;
                escaped = other == '\\' && !escaped;
                ends
            });
            let length = end.map_or(rest.len(), |(at, _)| at + 1);
            text.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        } else if c.is_whitespace() {
            c.len_utf8()
        } else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        if !text.ends_with(' ') {
            text.push(' ');
        }
        rest = &rest[length..];
    }
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether one pair of parentheses holds all of it.
pub fn is_enclosed(text: &str) -> bool {
    text.starts_with('(') && closing(text) == Some(text.len() - 1)
}

/// Whether it is a name, or a call of one.
fn is_use(text: &str) -> bool {
    let name = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let rest = text[name..].trim_start();
    name > 0 && (rest.is_empty() || is_enclosed(rest))
}

/// Where the parenthesis is closed with which a text begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), '\\') => {
                escaped = !escaped;
                continue;
            }
            (Some(open), _) if open == c && !escaped => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        escaped = false;
    }
    None
}

/// A text that fits a line.
fn cut(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let half = LONGEST / 2 - 2;
    let end: String = text.chars().skip(count - half).collect();
    format!("{} … {end}", text.chars().take(half).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::source_text;
    use crate::lang;
    use crate::lts::Label;
    use crate::lts::lower::{IntegerModel, Options, lower_with};

    /// Both sides of every decision of `f`, in the order of the text, with their expansions.
    fn sides(source: &str) -> Vec<(String, Option<String>)> {
        let program = lang::parse(source).program.unwrap_or_else(|| panic!("{source}"));
        let lts = lower_with(&program, Some("f"), &Options { ints: IntegerModel::C32, inline_depth: 8, ..Options::default() })
            .unwrap_or_else(|e| panic!("{e:?}"))
            .lts;
        let edges = lts.graph.edge_weights().filter(|edge| matches!(edge.label, Label::Assume { .. }));
        let mut found: Vec<_> = edges.map(|edge| (edge.decision, matches!(edge.label, Label::Assume { holds: false, .. }), edge)).collect();
        found.sort_by_key(|(decision, fails, edge)| (edge.span.start, edge.span.end, std::cmp::Reverse(*decision), *fails));
        let source_text = found.into_iter().map(|(_, _, edge)| source_text(&lts, source, edge));
        source_text.map(|source_text| (source_text.text, source_text.expansion)).collect()
    }

    #[test]
    fn a_use_of_a_macro_is_whole() {
        let squared = "#define SQUARE(x) x * x\nint f(int a) {\n  if (SQUARE(a + 1) != (a + 1) * (a + 1)) return 1;\n  if (a == '(') return 2;\n  return 0;\n}\n";
        let told: Vec<String> = sides(squared).into_iter().map(|(text, _)| text).collect();
        assert_eq!(told[..2], ["SQUARE(a + 1) != (a + 1) * (a + 1)", "!(SQUARE(a + 1) != (a + 1) * (a + 1))"]);
        assert_eq!(told[2..], ["a == '('", "!(a == '(')"]);
    }

    fn texts(source: &str) -> Vec<String> {
        sides(source).into_iter().map(|side| side.0).collect()
    }

    /// A call by a pointer is a choice among functions, which stands nowhere in the text.
    #[test]
    fn choices_among_functions_name_them() {
        let source = "int g(int x) { return x; } int h(int x) { return -x; } int k(int x) { return 2 * x; }\n\
                      int f(int i) { int (*t[])(int) = {g, h, k}; return t[i](3); }";
        assert_eq!(texts(source), ["t[i] == g", "t[i] != g", "t[i] == h", "t[i] != h"]);
    }

    #[test]
    fn conditions_are_as_written() {
        for (condition, holds, fails) in [
            ("~a == 0", "~a == 0", "!(~a == 0)"),
            ("!(a)", "!(a)", "a"),
            ("!a", "!a", "a"),
            ("!!a", "!!a", "!a"),
            ("!(a < 2)", "!(a < 2)", "a < 2"),
            ("a", "a", "!a"),
            ("(a)", "(a)", "!(a)"),
            ("(a < 2)", "(a < 2)", "!(a < 2)"),
            ("sizeof(int) > sizeof(char) - 2", "sizeof(int) > sizeof(char) - 2", "!(sizeof(int) > sizeof(char) - 2)"),
            ("(long)a < b", "(long)a < b", "!((long)a < b)"),
            ("(a + b) * 2 == (b)", "(a + b) * 2 == (b)", "!((a + b) * 2 == (b))"),
            ("a  <\n  b /* less */", "a < b", "!(a < b)"),
            ("0x10 == a", "0x10 == a", "!(0x10 == a)"),
            ("a == ')'", "a == ')'", "!(a == ')')"),
            ("t->n < a", "t->n < a", "!(t->n < a)"),
            ("g(a)", "g(a)", "!g(a)"),
            ("a++", "a++", "!a++"),
        ] {
            let source =
                format!("struct T {{ int n; }}; int g(int); int f(int a, int b, struct T *t) {{ if ({condition}) return 1; return 0; }}");
            let mut expected = [holds.to_owned(), fails.to_owned()];
            let mut found = texts(&source);
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{condition}");
        }
    }

    #[test]
    fn macros_stay_and_are_told_apart() {
        let source = "#define MAX 10\n#define IS_BLANK(c) ((c) == ' ')\n#define WIDE 0\nint f(int a) { if (a > MAX) return 1; if (IS_BLANK(a)) return 2; if (!WIDE) return 3; return 0; }";
        let plain = |text: &str, expansion: &str| (text.to_owned(), Some(expansion.to_owned()));
        let found = sides(source);
        assert!(found.contains(&plain("a > MAX", "a > 10")), "{found:?}");
        assert!(found.contains(&plain("!(a > MAX)", "!(a > 10)")), "{found:?}");
        assert!(found.contains(&plain("IS_BLANK(a)", "((a) == ' ')")), "{found:?}");
        assert!(found.iter().any(|side| side.0 == "!IS_BLANK(a)"), "{found:?}");
        assert!(found.contains(&plain("!WIDE", "!0")), "{found:?}");
        assert!(found.iter().any(|side| side.0 == "WIDE"), "{found:?}");
        let source = "#define SKIP(p) do { while (*(p) == ' ') (p)++; if (*(p) == '#') return -1; } while (0)\nint f(const char *p) { SKIP(p); return *p == 0; }";
        let found = texts(source);
        for text in ["SKIP(p): *(p) == ' '", "SKIP(p): !(*(p) == ' ')", "SKIP(p): *(p) == '#'", "SKIP(p): !(*(p) == '#')"] {
            assert!(found.contains(&text.to_owned()), "{text}: {found:?}");
        }
    }

    #[test]
    fn labels_of_a_switch_are_comparisons() {
        let found = texts(
            "enum { RED = 5 }; int f(int c, int d) { switch (c + d) { case 'a': return 1; case RED: return 2; case 3 ... 4: return 3; } return 0; }",
        );
        for text in ["(c + d) == 'a'", "!((c + d) == 'a')", "(c + d) == RED"] {
            assert!(found.contains(&text.to_owned()), "{text}: {found:?}");
        }
    }

    #[test]
    fn long_conditions_are_cut() {
        let long = (0..60).map(|i| format!("a + {i}")).collect::<Vec<_>>().join(" + ");
        let found = texts(&format!("int f(int a) {{ if ({long} > 7) return 1; return 0; }}"));
        assert!(found.iter().all(|text| text.chars().count() <= 90 && text.contains('…')), "{found:?}");
    }
}
