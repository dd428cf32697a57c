//! Which call an inlined copy of a statement belongs to, in words: the copies have one text and may have different verdicts.
//!
//! Arguments are assigned to parameters right before the body: where all edges that lead into a copy are within the arguments of one call, the
//! copy belongs to that call.

use crate::lang::ast::sugar::each_expression;
use crate::lang::ast::{Expr, ExprKind};
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::{Edge, EdgeId, LocationId};
use crate::source::Span;
use petgraph::Direction::Incoming;
use petgraph::visit::EdgeRef;

/// The copies of statements in a graph.
pub struct InlinedCopies<'l> {
    loaded: &'l Loaded,
    copies: SortedMap<StatementKey, Vec<EdgeId>>,
}

/// A statement or a side of a decision in the text.
type StatementKey = (u32, u32, Option<u32>, Option<bool>);

fn key(edge: &Edge) -> StatementKey {
    (edge.span.start, edge.span.end, edge.decision, edge.label.side())
}

impl<'l> InlinedCopies<'l> {
    pub fn new(loaded: &'l Loaded) -> InlinedCopies<'l> {
        let mut copies: SortedMap<StatementKey, Vec<EdgeId>> = SortedMap::new();
        for edge in loaded.lts.graph.edge_indices().filter(|&edge| !loaded.lts.graph[edge].library) {
            copies.entry(key(&loaded.lts.graph[edge])).or_default().push(edge);
        }
        InlinedCopies { loaded, copies }
    }

    /// Of a copy with another verdict than some other one has: the call that it belongs to, else how many copies there are.
    pub fn told(&self, edge: EdgeId, is_alike: impl Fn(EdgeId) -> bool) -> Option<String> {
        let copies = self.copies.get(&key(&self.loaded.lts.graph[edge]))?;
        if copies.iter().all(|&other| is_alike(other)) {
            return None;
        }
        let span = self.loaded.lts.graph[edge].span;
        let is_inside = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
        let function = self.loaded.program.own().find(|function| is_inside(function.span, span))?;
        let name = &function.name.text;
        if *name == self.loaded.lts.function {
            return None;
        }
        match self.call(edge, function.span, name) {
            Some(call) => Some(format!("in the call of `{name}` on line {}", self.loaded.lines.line(call.start))),
            None => Some(format!("in one of the {} copies of `{name}`", copies.len())),
        }
    }

    /// The call of a function whose arguments all ways into the copy with this edge assign last.
    fn call(&self, edge: EdgeId, body: Span, name: &str) -> Option<Span> {
        let lts = &self.loaded.lts;
        let mut open: Vec<LocationId> = vec![lts.edge(edge).1];
        let mut seen: SortedSet<LocationId> = open.iter().copied().collect();
        let mut outside: Vec<Span> = Vec::new();
        let mut met: SortedMap<StatementKey, EdgeId> = SortedMap::new();
        met.insert(key(&lts.graph[edge]), edge);
        while let Some(location) = open.pop() {
            if location == lts.entry {
                return None;
            }
            for arc in lts.graph.edges_directed(location, Incoming) {
                let (span, from) = (arc.weight().span, arc.source());
                let is_in_body = body.start <= span.start && span.end <= body.end;
                // Without an edge in between, a copy may follow another one.
                if is_in_body && *met.entry(key(arc.weight())).or_insert(arc.id()) != arc.id() {
                    return None;
                }
                match is_in_body {
                    true if seen.insert(from) => open.push(from),
                    true => {}
                    false => outside.push(span),
                }
            }
        }
        let mut calls: Vec<(Span, Vec<Span>)> = Vec::new();
        for function in self.loaded.program.own() {
            let before = calls.len();
            function.body.iter().for_each(|stmt| each_expression(stmt, &mut |e| add_calls(e, name, &mut calls)));
            // A function that calls itself has copies within copies.
            if function.name.text == name && calls.len() > before {
                return None;
            }
        }
        let is_argument =
            |span: &Span, arguments: &[Span]| arguments.iter().any(|argument| argument.start <= span.start && span.end <= argument.end);
        let of_all = |(_, arguments): &&(Span, Vec<Span>)| outside.iter().all(|span| is_argument(span, arguments));
        // Of calls within arguments of calls the inner one.
        calls.iter().filter(of_all).map(|(call, _)| *call).min_by_key(|call| call.end - call.start).filter(|_| !outside.is_empty())
    }
}

/// The calls of a function in an expression, with their arguments.
fn add_calls(e: &Expr, name: &str, calls: &mut Vec<(Span, Vec<Span>)>) {
    if let ExprKind::Call(callee, arguments) = &e.kind
        && callee.text == name
    {
        calls.push((e.span, arguments.iter().map(|argument| argument.span).collect()));
    }
    e.kind.children(&mut |child| add_calls(child, name, calls));
}
