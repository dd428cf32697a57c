//! What the header of `lts.rs` promises.

use super::lts::{Label, Lts};

/// Panics where the graph breaks a promise.
pub fn invariants(lts: &Lts) {
    let mut seen = vec![false; lts.graph.node_count()];
    let mut stack = vec![lts.entry];
    while let Some(l) = stack.pop() {
        if !std::mem::replace(&mut seen[l.index()], true) {
            stack.extend(lts.graph.neighbors(l));
        }
    }
    let is_end = |l| l == lts.exit || Some(l) == lts.error || Some(l) == lts.cut;
    assert!(lts.entry.index() == 0, "the entry is 0");
    for l in lts.graph.node_indices() {
        assert!(seen[l.index()] || l == lts.exit, "{l:?} is not reachable");
        let out = lts.outgoing(l);
        match out.as_slice() {
            [] => assert!(is_end(l), "{l:?} is a dead end"),
            [_] => {}
            [(a, _), (b, _)] => {
                assert!(matches!(lts.graph[*a].label, Label::Assume { holds: true, .. }));
                assert!(matches!(lts.graph[*b].label, Label::Assume { holds: false, .. }));
            }
            _ => panic!("{l:?} has more than two edges"),
        }
        assert!(out.is_empty() || !is_end(l));
    }
    let froms: Vec<_> = lts.graph.edge_indices().map(|e| lts.edge(e).1).collect();
    assert!(froms.is_sorted(), "edges are numbered along the locations");
    let mut names: Vec<&str> = lts.variables.iter().map(|v| &*v.name).chain(lts.arrays.iter().map(|a| &*a.name)).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "names are unique: {names:?}");
    for variable in &lts.variables {
        if let (Some(initial), Some(range)) = (&variable.initial, &variable.range) {
            assert!(range.contains(initial), "{} starts with {initial}", variable.name);
        }
    }
    for array in &lts.arrays {
        if let (Some(initial), Some(range)) = (&array.initial, &array.range) {
            assert!(initial.iter().all(|value| range.contains(value)), "{} starts outside its range", array.name);
        }
    }
}
