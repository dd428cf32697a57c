//! The goals that are sets of edges of the function's graph itself: statements, and outcomes of decisions and of conditions.

use super::document::{CriterionGoal, GoalText};
use super::goals::{COVERED, GoalList, GoalVerdict, OPEN, OrdinaryVerdicts, goal, id, is_listed, tests_of, text_of};
use crate::analysis::cover::report::branch_facts::branch_facts;
use crate::analysis::report::entries::ledger;
use crate::lang::ast::{Program, Stmt, StmtKind};
use crate::ledger::{Ledger, LedgerVerdict};
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::sides::Side;
use crate::lts::unfold::UnfoldObstacle;
use crate::lts::unfold::decisions::{ConditionTree, WholeDecision};
use crate::source::Span;
use crate::view::Request;

/// Statements: those of the program's own text that are steps of an execution, and the expressions that control others; all copies of one are
/// one goal.
pub(super) fn statements(OrdinaryVerdicts { settled, covered }: &OrdinaryVerdicts) -> GoalList {
    let loaded = &settled.sized.loaded;
    let lts = &loaded.lts;
    let Some(by_cover) = &settled.covered else { return GoalList::default() };
    let steps = steps(&loaded.program);
    let mut goals: SortedMap<(u32, u32), Side> = SortedMap::new();
    for edge in lts.graph.edge_indices() {
        let taken = &lts.graph[edge];
        for part in [taken.span, taken.returned_at] {
            // A `case` has none: its label decides nothing by itself.
            let step =
                steps.iter().filter(|step| step.start <= part.start && part.end <= step.end).min_by_key(|step| step.end - step.start);
            if let Some(&span) = step.filter(|_| !taken.library && part.start < part.end) {
                let side = || Side { span, holds: true, edges: Vec::new() };
                goals.entry((span.start, span.end)).or_insert_with(side).edges.push(edge);
            }
        }
    }
    let goals: Vec<Side> = goals.into_values().collect();
    let mut ledger = Ledger::default();
    for (name, fact) in branch_facts(loaded, &by_cover.outcome, covered, &goals) {
        ledger.enter("cover", name, fact);
    }
    let tests = tests_of(&ledger);
    let listed = ledger.branches.iter().zip(&goals);
    let goals = listed.map(|(branch, side)| goal(loaded, side.span, text_of(loaded, side.span), &branch.verdict, &tests)).collect();
    GoalList { goals, tests, ..GoalList::default() }
}

/// The statements without statements inside, and the expressions that control the others.
fn steps(program: &Program) -> Vec<Span> {
    fn inside(statement: &Stmt, found: &mut Vec<Span>) {
        match &statement.kind {
            StmtKind::Expr(_) | StmtKind::Declare(..) | StmtKind::Return(_) | StmtKind::Goto(_) => found.push(statement.span),
            StmtKind::If { arms, .. } => found.extend(arms.iter().map(|(condition, _)| condition.span)),
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => found.push(condition.span),
            StmtKind::For { condition, step, .. } => found.extend([condition, step].into_iter().flatten().map(|part| part.span)),
            StmtKind::Switch { value, .. } => found.push(value.span),
            _ => {}
        }
        statement.children(&mut |child| inside(child, found));
    }
    let mut found = Vec::new();
    program.own().flat_map(|function| &function.body).for_each(|statement| inside(statement, &mut found));
    found
}

/// The outcomes of conditions: the branches of a report.
pub(super) fn conditions(request: &Request, OrdinaryVerdicts { settled, covered }: &OrdinaryVerdicts) -> GoalList {
    let ledger = ledger(settled, covered, settled.branches_document(request).as_ref());
    let tests = tests_of(&ledger);
    let loaded = &settled.sized.loaded;
    let goals = ledger.branches.iter().enumerate().map(|(number, branch)| {
        let goal = goal(loaded, branch.name.span, branch.name.text.clone(), &branch.verdict, &tests);
        of_sides(goal, vec![number])
    });
    GoalList { goals: goals.collect(), tests, ..GoalList::default() }
}

/// The outcomes of whole decisions, and those of the labels of each `switch`. The sides of conditions after which a decision has an outcome
/// are the same in each evaluation.
pub(super) fn branches(request: &Request, OrdinaryVerdicts { settled, covered }: &OrdinaryVerdicts) -> GoalList {
    let loaded = &settled.sized.loaded;
    let ledger = ledger(settled, covered, settled.branches_document(request).as_ref());
    let tests = tests_of(&ledger);
    let number = |side: &Side| loaded.lts.graph[side.edges[0]].decision;
    let sides: SortedMap<(u32, bool), usize> =
        settled.sides.iter().enumerate().filter_map(|(at, side)| Some(((number(side)?, side.holds), at))).collect();
    let mut goals = Vec::new();
    let mut parts: SortedSet<u32> = SortedSet::new();
    for decision in loaded.lts.decisions() {
        let WholeDecision { conditions, span, .. } = decision;
        if !is_listed(&loaded.lts, decision) {
            continue;
        }
        parts.extend(conditions.iter().copied());
        for outcome in [true, false] {
            let last: Vec<usize> =
                ends(&decision.tree, outcome).into_iter().filter_map(|(at, holds)| sides.get(&(conditions[at], holds)).copied()).collect();
            let verdicts: Vec<&GoalVerdict> = last.iter().map(|&at| &ledger.branches[at].verdict).collect();
            let verdict = match decision.is_partial {
                true => LedgerVerdict::Open { why: format!("{}", UnfoldObstacle::Partial), state: None },
                false => together(&verdicts),
            };
            let text = match (&conditions[..], &last[..]) {
                ([_], [only]) => ledger.branches[*only].name.text.clone(),
                _ if outcome => text_of(loaded, *span),
                _ => format!("!({})", text_of(loaded, *span)),
            };
            goals.push(of_sides(goal(loaded, *span, text, &verdict, &tests), last));
        }
    }
    for (at, (side, branch)) in settled.sides.iter().zip(&ledger.branches).enumerate() {
        if !number(side).is_some_and(|number| parts.contains(&number)) {
            goals.push(of_sides(goal(loaded, side.span, branch.name.text.clone(), &branch.verdict, &tests), vec![at]));
        }
    }
    GoalList { goals, tests, ..GoalList::default() }
}

/// A goal that an execution covers with one of these branches.
fn of_sides(goal: CriterionGoal, sides: Vec<usize>) -> CriterionGoal {
    CriterionGoal { written: GoalText { sides, ..goal.written }, ..goal }
}

/// The verdict on a goal that any of several others covers.
fn together(verdicts: &[&GoalVerdict]) -> GoalVerdict {
    let find = |searched: &str| verdicts.iter().find(|verdict| id(verdict) == searched).copied();
    match (find(COVERED).or_else(|| find(OPEN)), verdicts) {
        (Some(verdict), _) => verdict.clone(),
        (None, [LedgerVerdict::Infeasible { assumes, because }]) => {
            LedgerVerdict::Infeasible { assumes: assumes.clone(), because: because.clone() }
        }
        (None, []) => LedgerVerdict::Open { why: "the graph has no such outcome".to_owned(), state: None },
        (None, verdicts) => {
            let mut assumes: Vec<String> = Vec::new();
            for verdict in verdicts {
                if let LedgerVerdict::Infeasible { assumes: others, .. } = verdict {
                    assumes.extend(others.iter().cloned());
                }
            }
            assumes.arrange();
            assumes.dedup();
            LedgerVerdict::Infeasible { assumes, because: None }
        }
    }
}

/// The conditions, each with a value, after which a decision has this outcome.
fn ends(tree: &ConditionTree, outcome: bool) -> Vec<(usize, bool)> {
    let both = |one: &ConditionTree, other: &ConditionTree| [ends(one, outcome), ends(other, outcome)].concat();
    match tree {
        ConditionTree::Always => Vec::new(),
        ConditionTree::Condition(position) => vec![(*position, outcome)],
        ConditionTree::Not(operand) => ends(operand, !outcome),
        ConditionTree::And(operands) if outcome && operands[1] != ConditionTree::Always => ends(&operands[1], true),
        ConditionTree::Or(operands) if !outcome => ends(&operands[1], false),
        ConditionTree::And(operands) | ConditionTree::Or(operands) => both(&operands[0], &operands[1]),
        ConditionTree::Choice(operands) => both(&operands[1], &operands[2]),
    }
}
