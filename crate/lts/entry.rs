//! The function to analyse where the request names none.
//!
//! The only one; else `main` where it decides and reads an input; else a function with decisions that `main` calls with values of its own,
//! whose parameters are then the inputs; else the last one that decides, also through what it calls. One without a decision is analysed only
//! where none has one.

use super::inputs::{NumberSet, inputs, read};
use super::lower::{Options, lower_with};
use super::{Expr as Value, Label, Lts, Origin};
use crate::lang::ast::{Expr, ExprKind, Function, Program, Stmt, StmtKind};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::logic::{SortedMap, SortedSet};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeFiltered, Reversed};

/// A function to analyse.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub function: &'a Function,
    /// Why this one and no other, in words that follow "since"; `None` where there is no other.
    pub because: Option<String>,
}

/// The function to analyse where the request names none; `None` if the program has none.
pub fn entry(program: &Program) -> Option<Entry<'_>> {
    entry_besides(program, &SortedSet::new())
}

/// As [`entry`], but none of these.
pub fn entry_besides<'p>(program: &'p Program, besides: &SortedSet<String>) -> Option<Entry<'p>> {
    // Functions of headers are there for others.
    let only_headers = program.own().all(|f| program.is_in_header(f.span));
    let is_looked_at = |f: &&Function| !besides.contains(&f.name.text) && (only_headers || !program.is_in_header(f.span));
    let own = || program.own().filter(is_looked_at);
    let last = own().next_back()?;
    if own().count() == 1 {
        return Some(Entry { function: last, because: None });
    }
    let calls = CallRelation::of(program);
    // What checks is not what is looked at.
    let besides = || own().rev().filter(|f| f.name.text != "main" && intrinsic::find(&f.name.text).is_none());
    let because = |function, reason: String| Some(Entry { function, because: Some(reason) });
    let main = own().find(|f| f.name.text == "main");
    if let Some(main) = main.filter(|main| calls.decides_itself(main)) {
        let called: Vec<_> = besides().filter(|f| !f.parameters.is_empty() && calls.decides(f) && calls.reaches(main, f)).collect();
        let reason = if called.is_empty() { None } else { no_start(program) };
        // One that cannot be followed for all values can where `main` calls it.
        let followed = |f: &&Function| lower_with(program, Some(&f.name.text), &Options::default()).is_ok();
        return match reason.and_then(|reason| Some((reason, called.into_iter().find(followed)?))) {
            Some((reason, called)) => because(called, format!("`main`, which calls it, {reason}")),
            None => because(main, "it decides something itself".to_owned()),
        };
    }
    let only_calls = if main.is_some() { ", and `main` decides nothing itself" } else { "" };
    if let Some(deciding) = besides().find(|f| calls.decides(f)) {
        return because(deciding, format!("it is the last one that decides something{only_calls}"));
    }
    let function = besides().next().or(main).unwrap_or(last);
    because(function, "no function decides anything, and it is the last one".to_owned())
}

/// Why little is to be said of `main`, if so.
fn no_start(program: &Program) -> Option<&'static str> {
    // What is refused is for the caller to see.
    let lts = lower_with(program, Some("main"), &Options::default()).ok()?.lts;
    // `while (1)` has a way out in the graph that nothing takes.
    let taken = EdgeFiltered::from_fn(&lts.graph, |edge| match &edge.weight().label {
        Label::Assume { condition: Value::Int(value), holds } => value.is_zero() != *holds,
        _ => true,
    });
    let reached = |end| petgraph::algo::has_path_connecting(&taken, lts.entry, end, None);
    let ends = reached(lts.exit) || lts.error.is_some_and(reached);
    match (reads_input(&lts), ends) {
        (false, _) => Some("reads no input"),
        (true, false) => Some("never ends"),
        (true, true) => None,
    }
}

/// Whether an execution depends on any input: a parameter that is not read is none.
fn reads_input(lts: &Lts) -> bool {
    let mut mentioned = NumberSet::new(lts.variables.len() + lts.arrays.len());
    for edge in lts.graph.edge_weights() {
        if edge.nondets() > 0 {
            return true;
        }
        edge.label.operands().into_iter().for_each(|value| read(lts, value, &mut mentioned));
    }
    let inputs = inputs(lts);
    let counts = |number: usize, origin: Origin| origin != Origin::Parameter || mentioned.contains(number);
    inputs.variables.iter().any(|&id| counts(id.0 as usize, lts.variable(id).origin))
        || inputs.arrays.iter().any(|&id| counts(lts.variables.len() + id.0 as usize, lts.array(id).origin))
}

/// Whether the function of this name calls itself, directly or through others.
pub fn calls_itself(program: &Program, name: &str) -> bool {
    let calls = CallRelation::of(program);
    let Some(&node) = calls.nodes.get(name) else { return false };
    calls.graph.neighbors(node).any(|next| petgraph::algo::has_path_connecting(&calls.graph, next, node, None))
}

/// The call graph, and the functions that contain decisions.
struct CallRelation<'a> {
    graph: DiGraph<(), ()>,
    nodes: SortedMap<&'a str, NodeIndex>,
    themselves: SortedSet<NodeIndex>,
    /// Also through what they call.
    deciding: SortedSet<NodeIndex>,
}

impl<'a> CallRelation<'a> {
    fn of(program: &'a Program) -> CallRelation<'a> {
        let mut graph = DiGraph::new();
        let nodes: SortedMap<&str, NodeIndex> = program.functions.iter().map(|f| (f.name.text.as_str(), graph.add_node(()))).collect();
        let mut calls = CallRelation { graph, nodes, themselves: SortedSet::new(), deciding: SortedSet::new() };
        for function in &program.functions {
            let from = calls.nodes[function.name.text.as_str()];
            let mut open: Vec<&Stmt> = function.body.iter().collect();
            while let Some(stmt) = open.pop() {
                let mut decides = is_decision(stmt);
                stmt.expressions(&mut |e| decides |= calls.look_at(from, e));
                if decides {
                    calls.themselves.insert(from);
                }
                stmt.children(&mut |child| open.push(child));
            }
        }
        // One walk keeps all that it has met, so that a chain of calls is followed once.
        let callers = Reversed(&calls.graph);
        let mut walk = Dfs::empty(callers);
        for &from in &calls.themselves {
            walk.move_to(from);
            while let Some(at) = walk.next(callers) {
                calls.deciding.insert(at);
            }
        }
        calls
    }

    /// Notes the calls in an expression; whether it decides.
    fn look_at(&mut self, from: NodeIndex, e: &Expr) -> bool {
        let mut decides = match &e.kind {
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) => true,
            ExprKind::Call(name, _) => {
                if let Some(&to) = self.nodes.get(name.text.as_str()) {
                    self.graph.update_edge(from, to, ());
                }
                // Also where the program defines it: its caller checks something.
                matches!(intrinsic::find(&name.text), Some(Intrinsic::Assume | Intrinsic::Assert(_) | Intrinsic::Error(_)))
            }
            _ => false,
        };
        e.kind.children(&mut |child| decides |= self.look_at(from, child));
        decides
    }

    fn decides_itself(&self, function: &Function) -> bool {
        self.themselves.contains(&self.nodes[function.name.text.as_str()])
    }

    fn decides(&self, function: &Function) -> bool {
        self.deciding.contains(&self.nodes[function.name.text.as_str()])
    }

    /// Whether one function calls another, also through others.
    fn reaches(&self, from: &Function, to: &Function) -> bool {
        let (from, to) = (self.nodes[from.name.text.as_str()], self.nodes[to.name.text.as_str()]);
        petgraph::algo::has_path_connecting(&self.graph, from, to, None)
    }
}

fn is_decision(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Goto(_)
    )
}
