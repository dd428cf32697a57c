//! Statements without an edge of their own that never run: what an edge passes on its way, as a call that prints, a jump or a `return`, and what
//! a call of the library is lowered to.
//!
//! A statement never runs where each edge that passes it is infeasible.

use crate::analysis::cover::CoverStatement;
use crate::lang::ast::{ExprKind, Program, Stmt, StmtKind};
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::{Edge, EdgeId};
use crate::source::Span;

/// The statements that only infeasible edges pass, in the order of the text, each with one of these edges.
pub fn passed_never<'s>(loaded: &Loaded, infeasible: &'s [CoverStatement]) -> Vec<(Span, &'s CoverStatement)> {
    let lts = &loaded.lts;
    let statements = Statements::of(&loaded.program);
    let excluded: SortedSet<usize> = infeasible.iter().map(|statement| statement.edge as usize).collect();
    let running = lts.graph.edge_indices().filter(|edge| !excluded.contains(&edge.index()));
    let at_entry = lts.at_entry.prints.iter().map(|print| print.span).chain([statements.returned(lts.at_entry.returned_at)]);
    // In another copy the statement may have an edge of its own.
    let spans = running.map(|edge| &lts.graph[edge]).flat_map(|edge| statements.passed(edge).into_iter().chain([edge.span]));
    let run: SortedSet<(u32, u32)> = spans.chain(at_entry).map(|span| (span.start, span.end)).collect();
    let mut found: SortedMap<(u32, u32), &CoverStatement> = SortedMap::new();
    for statement in infeasible {
        let passed = statements.passed(&lts.graph[EdgeId::new(statement.edge as usize)]);
        for span in passed.into_iter().filter(|span| span.start < span.end && !run.contains(&(span.start, span.end))) {
            found.entry((span.start, span.end)).or_insert(statement);
        }
    }
    let all: Vec<(u32, u32)> = found.keys().copied().collect();
    let is_within = |inner: (u32, u32)| all.iter().any(|&outer| outer != inner && outer.0 <= inner.0 && inner.1 <= outer.1);
    let outermost = found.into_iter().filter(|(span, _)| !is_within(*span));
    outermost.map(|((start, end), statement)| (Span { start, end }, statement)).collect()
}

/// Statements of the program's own functions.
#[derive(Default)]
struct Statements {
    returns: Vec<Span>,
    /// Expressions that are statements, but for calls of the program's own functions: what stands for one that goes deeper than the copies is
    /// not the call.
    expressions: SortedSet<(u32, u32)>,
}

impl Statements {
    fn of(program: &Program) -> Statements {
        let mut statements = Statements::default();
        let own: Vec<&str> = program.own().map(|function| function.name.text.as_str()).collect();
        program.own().flat_map(|function| &function.body).for_each(|stmt| statements.add(stmt, &own));
        statements
    }

    fn add(&mut self, stmt: &Stmt, own: &[&str]) {
        match &stmt.kind {
            StmtKind::Return(Some(_)) => self.returns.push(stmt.span),
            StmtKind::Expr(e) if !matches!(&e.kind, ExprKind::Call(callee, _) if own.contains(&callee.text.as_str())) => {
                self.expressions.insert((e.span.start, e.span.end));
            }
            _ => {}
        }
        stmt.children(&mut |child| self.add(child, own));
    }

    /// The statement that returns a value with this span.
    fn returned(&self, value: Span) -> Span {
        self.returns.iter().find(|span| span.start <= value.start && value.end <= span.end).copied().unwrap_or_default()
    }

    /// What an edge passes.
    fn passed(&self, edge: &Edge) -> Vec<Span> {
        let mut spans: Vec<Span> = edge.prints.iter().map(|print| print.span).collect();
        if edge.returned_at.start < edge.returned_at.end {
            spans.push(self.returned(edge.returned_at));
        }
        let is_call = edge.library && self.expressions.contains(&(edge.span.start, edge.span.end));
        spans.extend(is_call.then_some(edge.span));
        spans
    }
}
