//! What a function has to do with its surroundings, and pairs from runs of it.

use super::Inlined;
use crate::interp::{Input, Run};
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Function, Program, Stmt, Storage};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::logic::{Int, SortedMap, SortedSet};
use crate::lts::inputs::inputs;
use crate::lts::lower::summary::{Pair, Summary};
use crate::lts::lower::{Options, lower_with};
use crate::lts::{CompareOp, Edge, Expr, Label, Location, Lts, Origin, Print, Variable, VariableId};
use crate::source::Span;
use petgraph::graph::DiGraph;

/// The names of functions that a function calls, declared ones and the language's own among them.
fn called(function: &Function) -> Vec<&str> {
    let mut names = Vec::new();
    let mut statements: Vec<&Stmt> = function.body.iter().rev().collect();
    while let Some(statement) = statements.pop() {
        let mut expressions: Vec<&Tree> = Vec::new();
        statement.expressions(&mut |expression| expressions.push(expression));
        while let Some(expression) = expressions.pop() {
            if let ExprKind::Call(name, _) = &expression.kind {
                names.push(name.text.as_str());
            }
            expression.kind.children(&mut |child| expressions.push(child));
        }
        statement.children(&mut |child| statements.push(child));
    }
    names
}

/// The functions that a function calls, in whatever depth, each after those that it calls itself; all by their numbers.
pub fn callees(program: &Program, root: usize) -> Vec<usize> {
    let numbers: SortedMap<&str, usize> =
        program.functions.iter().zip(0..).map(|(function, at)| (function.name.text.as_str(), at)).collect();
    let calls = |at: usize| -> Vec<usize> { called(&program.functions[at]).iter().filter_map(|name| numbers.get(name).copied()).collect() };
    let mut seen = SortedSet::from([root]);
    let mut order = Vec::new();
    // A function with the calls that are still to be looked at.
    let mut open = vec![(root, calls(root))];
    while let Some((function, waiting)) = open.last_mut() {
        match waiting.pop() {
            Some(next) if seen.insert(next) => open.push((next, calls(next))),
            Some(_) => {}
            None => {
                order.push(*function);
                open.pop();
            }
        }
    }
    order.pop();
    order
}

/// The function as its callers see it (calls inlined, globals arbitrary), and its summary without any pair.
///
/// # Errors
/// Why the function has no summary.
pub fn interface(program: &Program, options: &Options, function: usize) -> Result<(Lts, Summary), Inlined> {
    let name = &program.functions[function].name.text;
    if name == "main" {
        return Err(Inlined::Main);
    }
    let below = callees(program, function);
    let exits = |&at: &usize| called(&program.functions[at]).iter().any(|name| intrinsic::find(name) == Some(Intrinsic::Exit));
    if below.iter().chain([&function]).any(exits) {
        return Err(Inlined::Exits);
    }
    let mut lts = lower_with(program, Some(name), options).map_err(|_| Inlined::TooLarge)?.lts;
    free(&mut lts);
    if lts.arrays.iter().any(|array| matches!(array.origin, Origin::Parameter | Origin::Global)) {
        return Err(Inlined::Array);
    }
    let reads = inputs(&lts);
    let foreign = |variable: &Variable| matches!(variable.origin, Origin::Parameter | Origin::Global);
    if !reads.arrays.is_empty() || !reads.variables.iter().all(|&id| foreign(lts.variable(id))) {
        return Err(Inlined::Unset);
    }
    let written: SortedSet<VariableId> = lts.graph.edge_weights().filter_map(|edge| written(&lts, &edge.label)).collect();
    let decl = |id: VariableId| decl(program, lts.variable(id));
    let inputs = reads.variables.into_iter().filter_map(decl).collect();
    let summary = Summary { inputs, outputs: written.into_iter().filter_map(decl).collect(), ..Summary::default() };
    Ok((lts, summary))
}

/// Gives globals and statics arbitrary first values: callers call the function with any.
pub fn free(lts: &mut Lts) {
    lts.variables.iter_mut().filter(|variable| variable.origin == Origin::Global).for_each(|variable| variable.initial = None);
    lts.arrays.iter_mut().filter(|array| array.origin == Origin::Global).for_each(|array| array.initial = None);
}

/// Sets the first values of variables; `given` has their names in the original.
pub fn give(lts: &mut Lts, original: &Lts, given: &[(String, Int)]) {
    for (name, value) in given {
        let declared = original.variables.iter().find(|variable| variable.name == *name);
        let same = |other: &&mut Variable| declared.is_some_and(|declared| declared.span == other.span && declared.origin == other.origin);
        if let Some(variable) = lts.variables.iter_mut().find(same) {
            variable.initial = Some(value.clone());
        }
    }
}

/// Lets the function end only with these last values of variables and this result; `values` has their names in the original.
pub fn demand(lts: &mut Lts, original: &Lts, values: &[(String, Int)], result: Option<&Int>) {
    let is = |expr: Expr, value: &Int| Expr::Compare(CompareOp::Eq, Box::new(expr), Box::new(Expr::Int(value.clone())));
    let assume = |condition: Expr| Edge::plain(Label::Assume { condition, holds: true }, Span::default());
    let same = |name: &String| {
        let declared = original.variables.iter().find(|variable| variable.name == *name)?;
        let at = lts.variables.iter().position(|other| declared.span == other.span && declared.origin == other.origin)?;
        Some(VariableId(at as u32))
    };
    let equalities: Vec<Expr> = values.iter().filter_map(|(name, value)| Some(is(Expr::Var(same(name)?), value))).collect();
    // Edges keep their numbers; those into the exit go on by new ones.
    let mut graph = DiGraph::default();
    for location in lts.graph.node_weights() {
        graph.add_node(location.clone());
    }
    let mut ends = Vec::new();
    for edge in lts.graph.edge_indices() {
        let (edge, from, to) = lts.edge(edge);
        let mut edge = edge.clone();
        let mut end = to;
        if to == lts.exit {
            end = graph.add_node(Location::default());
            ends.push((end, edge.returns.take()));
        }
        graph.add_edge(from, end, edge);
    }
    for (mut at, returns) in ends {
        let returned = returns.zip(result).map(|(expr, value)| is(expr, value));
        let mut conditions: Vec<Expr> = returned.into_iter().chain(equalities.iter().cloned()).collect();
        let last = conditions.pop().unwrap_or(Expr::Int(Int::ONE));
        for condition in conditions {
            let next = graph.add_node(Location::default());
            graph.add_edge(at, next, assume(condition));
            at = next;
        }
        graph.add_edge(at, lts.exit, assume(last));
    }
    lts.graph = graph;
}

/// These values with the names of their variables.
pub fn named(program: &Program, original: &Lts, decls: &[DeclId], values: &[Int]) -> Vec<(String, Int)> {
    let name =
        |id: DeclId| original.variables.iter().find(|variable| decl(program, variable) == Some(id)).map(|variable| variable.name.clone());
    decls.iter().zip(values).filter_map(|(&decl, value)| Some((name(decl)?, value.clone()))).collect()
}

/// The declaration of a parameter, a global or a static.
fn decl(program: &Program, variable: &Variable) -> Option<DeclId> {
    let storage = |storage: Storage| match variable.origin {
        Origin::Parameter => storage == Storage::Parameter,
        Origin::Global => matches!(storage, Storage::Global | Storage::Static),
        Origin::Local | Origin::Inlined => false,
    };
    let found = program.decls.iter().position(|decl| decl.span == variable.span && storage(decl.storage))?;
    u32::try_from(found).ok().map(DeclId)
}

/// The global that an edge writes.
fn written(lts: &Lts, label: &Label) -> Option<VariableId> {
    match label {
        Label::Assign(variable, _) | Label::Havoc(variable) => Some(*variable).filter(|&id| lts.variable(id).origin == Origin::Global),
        _ => None,
    }
}

/// The pair of a complete run; `None` where the function ends without the value that it should return.
pub fn pair(program: &Program, function: usize, lts: &Lts, input: &Input, run: &Run) -> Option<Pair> {
    let result = if program.functions[function].returns_value() { Some(run.value.clone()?) } else { None };
    if !input.contents.is_empty() {
        // A pair says nothing of arrays.
        return None;
    }
    let (mut read, mut changed, mut own) = (SortedSet::new(), SortedSet::new(), SortedSet::new());
    for edge in run.edges.iter().map(|&edge| &lts.graph[edge]) {
        for expr in edge.label.operands() {
            reads(expr, &own, &mut read);
        }
        if let Label::Assign(id, _) | Label::Havoc(id) = edge.label {
            own.insert(id);
        }
        changed.extend(written(lts, &edge.label));
        edge.prints.iter().flat_map(Print::operands).chain(&edge.returns).for_each(|value| reads(value, &own, &mut read));
    }
    if run.edges.is_empty() {
        lts.at_entry.operands().for_each(|value| reads(value, &own, &mut read));
    }
    let value = |id: VariableId| input.values.get(&lts.variable(id).name).cloned().unwrap_or_default();
    let mut inputs = Vec::new();
    for id in read.into_iter().filter(|&id| lts.variable(id).initial.is_none()) {
        inputs.push((decl(program, lts.variable(id))?, value(id)));
    }
    let mut outputs = Vec::new();
    for id in changed {
        outputs.push((decl(program, lts.variable(id))?, run.variables[id.0 as usize].clone()));
    }
    let mut nondet = input.nondet.clone();
    nondet.resize(run.nondet_used, Int::ZERO);
    // Where a caller calls the function, its result takes an edge of its own.
    Some(Pair { inputs, outputs, result, nondet, steps: run.edges.len() + 1 })
}

/// Adds the variables that an expression reads, but for those in `written`.
fn reads(expr: &Expr, written: &SortedSet<VariableId>, read: &mut SortedSet<VariableId>) {
    expr.walk(&mut |part| {
        if let Expr::Var(id) = part
            && !written.contains(id)
        {
            read.insert(*id);
        }
    });
}
