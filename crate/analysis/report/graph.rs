//! The graph that a report is about, built once more from its request: exports of coverage need its edges, a listing its dead lines.

use super::{ReportDocument, ReportVerdict};
use crate::load::{Loaded, load};
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::sides;
use crate::view::Request;
use std::collections::{BTreeMap, BTreeSet};

/// A function's graph, and what a report excludes of it.
pub struct ReportedGraph {
    /// The request, with the depth of inlining that the engines chose.
    pub request: Request,
    pub loaded: Loaded,
    /// The edges of infeasible branches, in all copies.
    pub infeasible: SortedSet<EdgeId>,
}

impl ReportedGraph {
    /// The graph of a document that answers this request.
    ///
    /// # Errors
    /// The program is refused; of an answered request it is not.
    pub fn of(document: &ReportDocument, request: &Request) -> Result<ReportedGraph, String> {
        let request = Request { inline_depth: document.header.inline_depth.or(request.inline_depth), ..request.clone() };
        let loaded = load(&request).map_err(|_| "the program has errors".to_owned())?;
        // Several decisions may stand at one position, as those of a macro do: their order tells them apart.
        let mut listed: BTreeMap<(u32, u32, bool), Vec<ReportVerdict>> = BTreeMap::new();
        for branch in &document.list {
            listed.entry((branch.line, branch.column, branch.side == "true")).or_default().push(branch.verdict);
        }
        let mut counts: BTreeMap<(u32, u32, bool), usize> = BTreeMap::new();
        let mut infeasible = SortedSet::new();
        for side in sides(&loaded.lts) {
            let position = loaded.lines.position(side.span.start);
            let key = (position.line, position.column, side.holds);
            let count = counts.entry(key).or_default();
            if listed.get(&key).and_then(|verdicts| verdicts.get(*count)) == Some(&ReportVerdict::Infeasible) {
                infeasible.extend(side.edges);
            }
            *count += 1;
        }
        Ok(ReportedGraph { request, loaded, infeasible })
    }

    /// The lines of statements that no path without an infeasible branch reaches, where nothing else stands.
    pub fn dead_lines(&self) -> BTreeSet<u32> {
        let (lts, lines) = (&self.loaded.lts, &self.loaded.lines);
        let (mut reached, mut worklist) = (BTreeSet::from([lts.entry]), vec![lts.entry]);
        let mut live_edges = BTreeSet::new();
        while let Some(location) = worklist.pop() {
            for (edge, target) in lts.outgoing(location) {
                if self.infeasible.contains(&edge) {
                    continue;
                }
                live_edges.insert(edge);
                if reached.insert(target) {
                    worklist.push(target);
                }
            }
        }
        // Both sides of a decision have its span: at a reachable location it is evaluated.
        let is_live = |edge: EdgeId| live_edges.contains(&edge) || reached.contains(&lts.edge(edge).1);
        let (mut dead, mut live) = (BTreeSet::new(), BTreeSet::new());
        for edge in lts.graph.edge_indices() {
            let taken = &lts.graph[edge];
            if !taken.library && taken.span.start < taken.span.end {
                let lines = lines.line(taken.span.start)..=lines.line(taken.span.end - 1);
                if is_live(edge) { live.extend(lines) } else { dead.extend(lines) }
            }
        }
        dead.difference(&live).copied().collect()
    }
}
