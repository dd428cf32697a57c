//! Operations that are undefined where a condition holds: a check that comes after the operation it should guard.
//!
//! No execution takes a side of a decision whose condition contradicts an operation before it: after `y = x << n` no execution has
//! `n >= 32`, since the shift is undefined there. The operations are found one by one: each reads a variable or an array of the condition,
//! nothing between the two assigns it, and the condition together with the operation's being defined has no solution. They are a reason where every
//! path to the decision passes one of them.

use super::values::{AssignedValues, OWN};
use crate::logic::{FormulaId, Int, Pool, SortedSet};
use crate::lts::{BinaryOp, EdgeId, Expr, Label, LocationId, ModelObject};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::visit::EdgeRef;

/// The greatest number of operations that are looked at for one condition.
const OPERATIONS: usize = 200;

/// Lets operations of signed numbers wrap, and shifts by too much give anything; false where there are none.
fn gives_all(e: &mut Expr) -> bool {
    let mut found = false;
    e.children_mut(&mut |child| found |= gives_all(child));
    let wrapped = match e {
        Expr::Checked(range, operation) => Expr::Convert(*range, operation.clone()),
        Expr::Binary(BinaryOp::ShiftLeft(width) | BinaryOp::ShiftRight(width), _, count) if matches!(&**count, Expr::Int(count) if count.is_negative() || *count >= Int::from(i64::from(*width))) => {
            Expr::nondet(None)
        }
        _ => return found,
    };
    *e = wrapped;
    true
}

impl AssignedValues<'_> {
    /// Operations that are undefined where the condition of a side holds, if every path to the side passes one of them; else none.
    pub fn undefined_where(&mut self, side: EdgeId) -> Vec<EdgeId> {
        let lts = self.lts;
        let from = lts.edge(side).1;
        let read = self.read_by(side);
        let before = self.along(from, true);
        let reaches = |edge: &EdgeId| before[lts.edge(*edge).2.index()] && *edge != side;
        let shares = |edge: &EdgeId| self.read_by(*edge).iter().any(|object| read.contains(object));
        let candidates: Vec<EdgeId> = lts.graph.edge_indices().filter(|edge| reaches(edge) && shares(edge)).take(OPERATIONS).collect();
        let found: Vec<EdgeId> = candidates
            .into_iter()
            .filter(|&operation| self.keeps(operation, side, &read, &before) && self.contradicts(operation, side))
            .collect();
        if self.leads_around(&found, from) { Vec::new() } else { found }
    }

    /// Whether the condition of a side, which holds for no values, would hold for some if its operations gave what machines give: they are
    /// undefined there, as in `x + 1 < x`.
    pub fn is_undefined_where(&mut self, side: EdgeId) -> bool {
        let Label::Assume { condition, holds } = &self.lts.graph[side].label else { return false };
        let mut wrapped = condition.clone();
        if !gives_all(&mut wrapped) {
            return false;
        }
        let mut lts = self.lts.clone();
        lts.graph[side].label = Label::Assume { condition: wrapped, holds: *holds };
        let condition = self.identity.clone().apply(&lts, &mut self.pool, side).0;
        matches!(self.solved(condition), Answer::Sat(_))
    }

    /// The variables and arrays that an edge reads.
    fn read_by(&self, edge: EdgeId) -> SortedSet<ModelObject> {
        self.lts.graph[edge].label.operands().into_iter().flat_map(Expr::objects).collect()
    }

    /// The locations on paths from this one, or on paths to it.
    fn along(&self, location: LocationId, backward: bool) -> Vec<bool> {
        let direction = if backward { Incoming } else { Outgoing };
        let (mut seen, mut waiting) = (vec![false; self.lts.graph.node_count()], vec![location]);
        while let Some(location) = waiting.pop() {
            if !std::mem::replace(&mut seen[location.index()], true) {
                waiting.extend(self.lts.graph.neighbors_directed(location, direction));
            }
        }
        seen
    }

    /// Whether what both edges read has the same value at both.
    fn keeps(&self, operation: EdgeId, side: EdgeId, read: &SortedSet<ModelObject>, before: &[bool]) -> bool {
        let lts = self.lts;
        let both: Vec<ModelObject> = self.read_by(operation).iter().filter(|object| read.contains(object)).copied().collect();
        let after = self.along(lts.edge(operation).2, false);
        let between = |edge: &EdgeId| after[lts.edge(*edge).1.index()] && before[lts.edge(*edge).2.index()] && *edge != side;
        let mut edges = lts.graph.edge_indices().filter(|edge| *edge == operation || between(edge));
        edges.all(|edge| lts.graph[edge].label.assigned().is_none_or(|object| !both.contains(&object)))
    }

    /// Whether an operation is undefined where a side's condition holds: of a decision whichever side is taken.
    pub fn contradicts(&mut self, operation: EdgeId, side: EdgeId) -> bool {
        let lts = self.lts;
        let decided: Vec<EdgeId> = match lts.graph[operation].label {
            Label::Assume { .. } => lts.outgoing(lts.edge(operation).1).into_iter().map(|(edge, _)| edge).collect(),
            _ => vec![operation],
        };
        decided.into_iter().all(|edge| {
            let [defined, holds] = [edge, side].map(|edge| self.identity.clone().apply(lts, &mut self.pool, edge).0);
            let both = self.pool.and(&[defined, holds]);
            self.is_false(both)
        })
    }

    /// Whether a path of executions leads to a location past all these operations.
    fn leads_around(&self, operations: &[EdgeId], to: LocationId) -> bool {
        let (mut seen, mut waiting) = (vec![false; self.lts.graph.node_count()], vec![self.lts.entry]);
        while let Some(location) = waiting.pop() {
            if location == to {
                return true;
            }
            if !std::mem::replace(&mut seen[location.index()], true) {
                let arcs = self.lts.graph.edges(location);
                let taken = arcs.filter(|arc| !operations.contains(&arc.id()) && !self.enclosing.is_infeasible(arc.id()));
                waiting.extend(taken.map(|arc| arc.target()));
            }
        }
        false
    }

    /// Whether a formula is seen to have no solution.
    pub(super) fn is_false(&mut self, formula: FormulaId) -> bool {
        if formula == Pool::FALSE || formula == Pool::TRUE {
            return formula == Pool::FALSE;
        }
        matches!(self.solved(formula), Answer::Unsat(_))
    }

    /// The solver's answer on a formula, within a few steps.
    fn solved(&mut self, formula: FormulaId) -> Answer {
        let mut context = Context::new();
        context.pool = std::mem::take(&mut self.pool);
        context.assert(formula);
        let answer = context.check(&mut Meter::new(OWN));
        self.pool = std::mem::take(&mut context.pool);
        answer
    }
}
