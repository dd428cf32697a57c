//! Lowering: what the graph of a text looks like.

mod graphs;
#[path = "../../../fuzz/src/invariants.rs"]
mod invariants;

use super::{Lowered, lower};
use crate::lts::entry::entry;
use crate::lts::{Lts, text};
use crate::{lang, lts};
use expect_test::Expect;
pub(crate) use invariants::invariants;

fn lowered(source: &str) -> Lowered {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let main = program.function("main").map(|_| "main");
    let lowered = lower(&program, main).unwrap_or_else(|e| panic!("{e:?}"));
    invariants(&lowered.lts);
    lowered
}

/// The edges as `0 -[x = 1]-> 1`, with `exit` and `error` by name and the returned value behind.
fn edges(lts: &Lts) -> Vec<String> {
    let name = |l| match l {
        l if l == lts.exit => "exit".to_string(),
        l if Some(l) == lts.error => "error".to_string(),
        l => l.index().to_string(),
    };
    let print = |e| {
        let (edge, from, to) = lts.edge(e);
        let returns = edge.returns.as_ref().map(|v| format!(" ({})", text::expr(lts, v))).unwrap_or_default();
        format!("{} -[{}]-> {}{returns}", name(from), text::label(lts, edge), name(to))
    };
    lts.graph.edge_indices().map(print).collect()
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    let edges: String = edges(&lowered(source).lts).into_iter().map(|edge| edge + "\n").collect();
    expected.assert_eq(&edges);
}

/// The same for statements of a function with the parameters x, y and the array m, and locals i, j.
#[track_caller]
fn check_body(body: &str, expected: Expect) {
    check(&format!("int f(int x, int y, int *m) {{ int i, j; {body} }}"), expected);
}

/// P(l): the number of complete paths of at most `length` edges.
fn paths(lts: &Lts, length: usize) -> u128 {
    let mut at = vec![0u128; lts.graph.node_count()];
    at[lts.entry.index()] = 1;
    let mut total = at[lts.exit.index()];
    for _ in 0..length {
        let mut next = vec![0u128; at.len()];
        for e in lts.graph.edge_indices() {
            let (_, from, to) = lts.edge(e);
            next[to.index()] += at[from.index()];
        }
        at = next;
        total += at[lts.exit.index()];
    }
    total
}

/// Every `expect: P(l) = n` of an example's header comes out.
fn check_example(source: &str) -> usize {
    let lts = lowered(source).lts;
    let mut checked = 0;
    for line in source.lines() {
        let Some(claim) = line.split("expect: P(").nth(1) else { continue };
        let (length, count) = claim.split_once(") = ").unwrap_or_else(|| panic!("{line}"));
        let counted = paths(&lts, length.parse().unwrap_or(0));
        assert_eq!(counted.to_string(), count, "P({length}) of {}", lts.function);
        checked += 1;
    }
    checked
}

#[test]
fn path_counts_of_the_papers() {
    assert_eq!(check_example(include_str!("../../../examples/merge.c")), 3);
    assert_eq!(check_example(include_str!("../../../examples/bubble.c")), 3);
    assert_eq!(check_example(include_str!("../../../examples/substring.c")), 3);
}

#[test]
fn nothing_at_all() {
    let l = lowered("void f(void) {}");
    assert_eq!((l.lts.entry, l.lts.graph.node_count(), l.lts.graph.edge_count()), (l.lts.exit, 1, 0));
    let l = lowered("int f(int x) { return x + 1; }");
    assert_eq!(l.lts.at_entry.returns.map(|e| text::expr(&lowered("int f(int x) { return x + 1; }").lts, &e)).as_deref(), Some("x + 1"));
}

#[test]
fn default_functions() {
    let of = |source: &str| {
        let parsed = lang::parse(source);
        parsed.program.as_ref().and_then(entry).map(|entry| entry.function.name.text.clone()).unwrap_or_default()
    };
    assert_eq!(of("int g() { return 1; } int main() { return g(); }"), "g");
    assert_eq!(of("int g() { return 1; } int h() { return 1; } int main() { int x = nondet(); g(); h(); return 0; }"), "h");
    assert_eq!(of("int g() { return 1; } int main() { if (g()) return 1; return 0; }"), "main");
    assert_eq!(of("int g() { return 1; } int main() { int x = g(); assert(x); return 0; }"), "main");
    assert_eq!(of("int g() { return 1; } int h() { return g(); }"), "h");
    assert_eq!(of("int f() { return 1; } void assert(int x) { if (!x) abort(); }"), "f");
    assert_eq!(of("int main() { return 1; }"), "main");
    // None without a decision where another has one, also through what it calls.
    assert_eq!(of("int f(int x) { return x > 0 ? 1 : 2; } int h(int x) { return x; }"), "f");
    assert_eq!(of("int g(int x) { return x > 0 ? 1 : 2; } int f(int x) { return g(x); } int h(int x) { return x; }"), "f");
    assert_eq!(of("int f(int x) { return x > 0 ? 1 : 2; } int main(void) { return 3; }"), "f");
    // Of a `main` that reads nothing, or never ends, what it calls for some values is looked at for all.
    const G: &str = "int g(int x) { if (x > 3) return 1; return 0; } ";
    assert_eq!(of(&format!("{G} int main(void) {{ int i; for (i = 0; i < 3; i++) if (g(i)) return 1; return 0; }}")), "g");
    assert_eq!(of(&format!("{G} int main(int argc, char **argv) {{ int i; for (i = 0; i < 3; i++) g(i); return 0; }}")), "g");
    assert_eq!(of(&format!("{G} int main(void) {{ if (g(nondet())) return 1; return 0; }}")), "main");
    assert_eq!(of(&format!("{G} int main(void) {{ while (1) g(nondet()); }}")), "g");
    assert_eq!(of(&format!("int h(int x) {{ return x; }} {G} int main(void) {{ return h(2) > 0 ? 1 : 2; }}")), "main");
    assert_eq!(
        of(
            "int g(int *x) { if (*(short *)x) return 1; return 0; } int main(void) { int k = 0; int *p = 0; if (p) return g(&k); return 0; }"
        ),
        "main"
    );
    assert_eq!(of("void assume(int c) { if (!c) abort(); } int f(int x) { assume(x); return 1; } int main(void) { return f(2); }"), "f");
}

#[test]
fn loops_without_edges() {
    for body in ["for (;;) ;", "L: goto L;", "L: goto M; M: goto L;", "do { L: ; } while (0); for (;;) { continue; }"] {
        let l = lowered(&format!("void f(int x) {{ x = 1; {body} }}"));
        let printed = edges(&l.lts);
        let last = printed.len();
        assert!(printed[last - 1].contains("-[skip]->"), "{printed:?}");
        assert_eq!(l.warnings.iter().map(|w| w.code).collect::<Vec<_>>(), ["never-returns"], "{body}");
    }
}

#[test]
fn warnings() {
    let of = |source: &str| {
        let l = lowered(source);
        l.warnings.iter().map(|w| format!("{} {}", w.code, w.span.text(source))).collect::<Vec<_>>()
    };
    assert_eq!(of("int f(int x) { return x; x = 1; x = 2; }"), ["unreachable-code x = 1; x = 2;"]);
    assert_eq!(
        of("int f(int x) { goto L; x = 1; if (x) { x = 2; } L: x = 3; return x; return 4; }"),
        ["unreachable-code x = 1; if (x) { x = 2; }", "unreachable-code return 4;"]
    );
    assert_eq!(of("int f(int x) { for (;;) { x++; } return x; }"), ["never-returns f"]);
    assert_eq!(of("int f(int x) { while (1) { x++; } return x; }"), [""; 0]);
    assert_eq!(of("int f(int x) { if (x) return 1; }"), ["missing-return }"]);
    assert_eq!(of("void f(int x) { abort(); return; }"), ["never-returns f"]);
}

/// As gcc and clang, which have no warning for any of the first kind.
#[test]
fn an_end_that_constant_conditions_rule_out_needs_no_return() {
    let missing = |source: &str| lowered(source).warnings.iter().any(|w| w.code == "missing-return");
    for body in [
        "while (1) { if (x > 3) x = 0; else x++; }",
        "while (!0) x++;",
        "while (2 > 1) x++;",
        "while (x, 1) { if (x == 7) return x; x++; }",
        "for (;;) { if (x == 7) return x; x++; }",
        "for (; 1; x++) if (x > 5) return x;",
        "do { x++; } while (1);",
        "do { if (x == 7) return x; x++; } while (1 || x);",
        "if (1) return x;",
        "if (0) x = 2; else return x;",
        "if (x) return 1; abort();",
        "if (x) return 1; exit(2);",
        "while (1) switch (x) { case 0: x = 1; break; default: x = 0; }",
        "switch (x) { case 0: return 1; default: return 2; }",
        "again: x++; if (x > 9) return x; goto again;",
    ] {
        assert!(!missing(&format!("int f(int x) {{ {body} }}")), "{body}");
        // Inlined, too.
        assert!(!missing(&format!("int g(int x) {{ {body} }} int f(int y) {{ return g(y); }}")), "inlined: {body}");
    }
    for body in [
        "while (1) { if (x > 3) break; x++; }",
        "while (x) x++;",
        "do { if (x == 7) goto out; x++; } while (1); out: x = 1;",
        "for (; 0; ) return x;",
        "if (0) return x;",
        "if (x) return 1;",
        "switch (x) { case 0: return 1; case 1: return 2; }",
        "while (1) switch (x) { case 0: goto out; default: x = 0; } out: ;",
        "do { x++; } while (0);",
    ] {
        assert!(missing(&format!("int f(int x) {{ {body} }}")), "{body}");
        assert!(missing(&format!("int g(int x) {{ {body} }} int f(int y) {{ return g(y); }}")), "inlined: {body}");
    }
}

#[test]
fn labels_and_unknown_functions() {
    let l = lowered("int f(int x) { x = 1; A: x = 2; B: return x; goto A; C: x = 3; goto C; }");
    let labels: Vec<_> = l.labels.iter().map(|(name, at)| (name.as_str(), at.index())).collect();
    assert_eq!(labels, [("A", 1), ("B", 2)]);
    let program = lang::parse("int first() { return 0; } int second() { return 1; }").program.unwrap_or_default();
    let help = |name| lower(&program, Some(name)).err().and_then(|e| e[0].help.clone()).unwrap_or_default();
    assert_eq!(help("frist"), "did you mean `first`?");
    assert_eq!(help("zzz"), "there are: first, second");
    assert_eq!(lower(&program, Some("first")).map(|l| l.lts.function).unwrap_or_default(), "first");
}
