//! The graph as Graphviz text.

use super::{Lts, text};
use std::fmt::Write;

/// A `digraph` with one line for each location and edge, in the order of their numbers. It escapes labels, so that any
/// name can stand in them.
pub fn dot(lts: &Lts) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "digraph \"{}\" {{", escape(&lts.function));
    out.push_str("  node [shape=circle, fontname=\"sans-serif\"];\n  edge [fontname=\"monospace\"];\n");
    for location in lts.graph.node_indices() {
        let shape = match location {
            l if l == lts.exit => ", shape=doublecircle",
            l if Some(l) == lts.error => ", shape=octagon",
            l if l == lts.entry => ", style=bold",
            _ => "",
        };
        let _ = writeln!(out, "  {0} [label=\"{0}\"{shape}];", location.index());
    }
    for edge in lts.graph.edge_indices() {
        let (data, from, to) = lts.edge(edge);
        let mut label = escape(&text::label(lts, data));
        if let Some(value) = &data.returns {
            let _ = write!(label, "\\nreturn {}", escape(&text::expr(lts, value)));
        }
        let _ = writeln!(out, "  {} -> {} [label=\"{label}\"];", from.index(), to.index());
    }
    out.push_str("}\n");
    out
}

/// Text for between quotes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{lang, lts::lower::lower};

    #[test]
    fn a_small_graph() {
        let program = lang::parse("int f(int x) { if (x < 1) x = 2; return x; }").program.unwrap_or_default();
        let lts = lower(&program, None).map(|l| l.lts).unwrap_or_else(|e| panic!("{e:?}"));
        let lines: Vec<String> = super::dot(&lts).lines().map(str::to_string).collect();
        assert_eq!(lines[0], "digraph \"f\" {");
        assert_eq!(lines[3..6], ["  0 [label=\"0\", style=bold];", "  1 [label=\"1\"];", "  2 [label=\"2\", shape=doublecircle];"]);
        assert_eq!(
            lines[6..],
            ["  0 -> 1 [label=\"x < 1\"];", "  0 -> 2 [label=\"x >= 1\\nreturn x\"];", "  1 -> 2 [label=\"x = 2\\nreturn x\"];", "}"]
        );
        assert_eq!(super::escape("a\"b\\c\nd\te"), "a\\\"b\\\\c\\nd e");
    }
}
