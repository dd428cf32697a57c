//! Executions that go no deeper than the copies of functions that lowering makes ([`super::lower`]).

use super::{Edge, EdgeId, InputSource, Location, Lts};
use std::borrow::Cow;

impl Lts {
    /// Whether an edge decides if a call goes deeper than the copies of its function ([`InputSource::Deeper`]).
    pub fn goes_deeper(&self, edge: EdgeId) -> bool {
        self.inline_depth.is_some() && self.operands(edge).any(|e| e.draws_from(&|source| matches!(source, InputSource::Deeper)))
    }

    /// The graph of executions that go no deeper than the copies of functions: its edges have the same numbers, and each that goes deeper leads
    /// to [`Lts::cut`]. No run takes more of the whole graph than of this one.
    pub fn shallow(&self) -> Cow<'_, Lts> {
        let is_deeper: Vec<bool> = self.graph.edge_indices().map(|edge| self.goes_deeper(edge)).collect();
        if !is_deeper.contains(&true) {
            return Cow::Borrowed(self);
        }
        let mut graph = self.graph.filter_map(|_, location| Some(location.clone()), |_, _| None::<Edge>);
        let cut = self.cut.unwrap_or_else(|| graph.add_node(Location::default()));
        for edge in self.graph.edge_indices() {
            let (label, from, to) = self.edge(edge);
            graph.add_edge(from, if is_deeper[edge.index()] { cut } else { to }, label.clone());
        }
        Cow::Owned(Lts { graph, cut: Some(cut), ..self.clone() })
    }
}
