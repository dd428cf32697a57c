use super::{Lowered, default_function, lower};
use crate::lang;
use crate::lts::{Lts, text};
use petgraph::Direction;

fn lowered(source: &str) -> Lowered {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let lowered = lower(&program, None).unwrap_or_else(|e| panic!("{e:?}"));
    invariants(&lowered.lts);
    lowered
}

/// What the header of `lts.rs` promises.
fn invariants(lts: &Lts) {
    use crate::lts::Label;
    let mut seen = vec![false; lts.graph.node_count()];
    let mut stack = vec![lts.entry];
    while let Some(l) = stack.pop() {
        if !std::mem::replace(&mut seen[l.index()], true) {
            stack.extend(lts.graph.neighbors_directed(l, Direction::Outgoing));
        }
    }
    assert!(lts.entry.index() == 0, "the entry is 0");
    for l in lts.graph.node_indices() {
        assert!(seen[l.index()] || l == lts.exit, "{l:?} is not reachable");
        let out = lts.outgoing(l);
        match out.as_slice() {
            [] => assert!(l == lts.exit || Some(l) == lts.error, "{l:?} is a dead end"),
            [_] => {}
            [(a, _), (b, _)] => {
                assert!(matches!(lts.graph[*a].label, Label::Assume { holds: true, .. }));
                assert!(matches!(lts.graph[*b].label, Label::Assume { holds: false, .. }));
            }
            _ => panic!("{l:?} has more than two edges"),
        }
        assert!(out.is_empty() || (l != lts.exit && Some(l) != lts.error));
    }
    let froms: Vec<_> = lts.graph.edge_indices().map(|e| lts.edge(e).1).collect();
    assert!(froms.is_sorted(), "edges are numbered along the locations");
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
fn check(source: &str, expected: &[&str]) {
    assert_eq!(edges(&lowered(source).lts), expected, "{source}");
}

/// The same for statements of a function with the parameters x, y and the array m, and locals i, j.
#[track_caller]
fn check_body(body: &str, expected: &[&str]) {
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
fn merge_in_full() {
    check(
        include_str!("../../../examples/merge.c"),
        &[
            "0 -[ia = 0]-> 1",
            "1 -[ib = 0]-> 2",
            "2 -[ia < la]-> 3",
            "2 -[ia >= la]-> 9",
            "3 -[ib < lb]-> 4",
            "3 -[ib >= lb]-> 9",
            "4 -[nondet()]-> 5",
            "4 -[!nondet()]-> 7",
            "5 -[A[ia + ib] = a[ia]]-> 6",
            "6 -[ia = ia + 1]-> 2",
            "7 -[A[ia + ib] = b[ib]]-> 8",
            "8 -[ib = ib + 1]-> 2",
            "9 -[ia < la]-> 10",
            "9 -[ia >= la]-> 11",
            "10 -[ia = ia + 1]-> 9",
            "11 -[ib < lb]-> 12",
            "11 -[ib >= lb]-> exit",
            "12 -[ib = ib + 1]-> 11",
        ],
    );
}

#[test]
fn f2_in_full() {
    check(
        include_str!("../../../examples/f2.c"),
        &[
            "0 -[i = 2]-> 1",
            "1 -[x >= 0]-> 2",
            "1 -[x < 0]-> 3",
            "2 -[a = x]-> 4",
            "3 -[a = -x]-> 4",
            "4 -[y]-> 5",
            "4 -[y == 0]-> 6",
            "5 -[res = 1]-> 7",
            "6 -[res = -1]-> 7",
            "7 -[i < a]-> 8",
            "7 -[i >= a]-> 10",
            "8 -[res = res * i]-> 9",
            "9 -[i = i + 1]-> 7",
            "10 -[x < 2]-> 11",
            "10 -[x >= 2]-> exit (res)",
            "11 -[res = res + 5]-> exit (res)",
        ],
    );
}

#[test]
fn nothing_at_all() {
    let l = lowered("void f(void) {}");
    assert_eq!((l.lts.entry, l.lts.graph.node_count(), l.lts.graph.edge_count()), (l.lts.exit, 1, 0));
    let l = lowered("int f(int x) { return x + 1; }");
    assert_eq!(l.lts.entry_returns.map(|e| text::expr(&lowered("int f(int x) { return x + 1; }").lts, &e)).as_deref(), Some("x + 1"));
}

#[test]
fn default_functions() {
    let of = |source: &str| {
        let parsed = lang::parse(source);
        parsed.program.as_ref().and_then(default_function).map(|f| f.name.text.clone()).unwrap_or_default()
    };
    assert_eq!(of("int g() { return 1; } int main() { return g(); }"), "g");
    assert_eq!(of("int g() { return 1; } int h() { return 1; } int main() { int x = nondet(); g(); h(); return 0; }"), "h");
    assert_eq!(of("int g() { return 1; } int main() { if (g()) return 1; return 0; }"), "main");
    assert_eq!(of("int g() { return 1; } int main() { int x = g(); assert(x); return 0; }"), "main");
    assert_eq!(of("int g() { return 1; } int h() { return g(); }"), "h");
    assert_eq!(of("int f() { return 1; } void assert(int x) { if (!x) abort(); }"), "f");
    assert_eq!(of("int main() { return 1; }"), "main");
}
