//! The ledger of a report: what the documents of Cover and of Branches say of each branch.

use crate::analysis::branches::{BranchesDocument, BranchesSide, BranchesTest, BranchesVerdict};
use crate::analysis::cover::method::others::CoveredProgram;
use crate::analysis::cover::report::branch_facts::branch_facts;
use crate::analysis::cover::{CoverDocument, CoverExclusion};
use crate::analysis::settle::SettledProgram;
use crate::ledger::{BranchFact, Ledger, LedgerTest, LedgerVerdict};
use crate::lts::sides::Side;
use std::rc::Rc;

/// Enters the facts of all engines; both documents have the branches in one order.
pub fn ledger(settled: &SettledProgram, covered: &CoverDocument, searched: Option<&BranchesDocument>) -> Ledger<CoverExclusion> {
    let mut ledger = Ledger::default();
    let Some(CoveredProgram { outcome, .. }) = &settled.covered else { return ledger };
    let facts = branch_facts(&settled.sized.loaded, outcome, covered, &settled.sides);
    let mut names = Vec::new();
    for ((name, fact), side) in facts.into_iter().zip(&settled.sides) {
        names.push(name.clone());
        ledger.enter(settled.engine(side), name, fact);
    }
    let Some(document) = searched else { return ledger };
    let is_claimed: Vec<bool> = (document.list.iter().zip(&ledger.branches))
        .map(|(side, branch)| side.verdict == BranchesVerdict::Infeasible && matches!(branch.verdict, LedgerVerdict::Open { .. }))
        .collect();
    let claimed: Vec<&Side> = settled.sides.iter().zip(&is_claimed).filter(|(_, is_claimed)| **is_claimed).map(|(side, _)| side).collect();
    let test = |test: &BranchesTest| LedgerTest { input: test.input.clone(), after: test.after.clone(), assumes: test.assumes.clone() };
    let tests: Vec<Rc<LedgerTest>> = document.tests.iter().map(test).map(Rc::new).collect();
    let mut reasons = settled.reasons_of(&claimed).into_iter();
    for ((name, side), is_claimed) in names.into_iter().zip(&document.list).zip(is_claimed) {
        let because = if is_claimed { reasons.next() } else { None };
        ledger.enter("branches", name, fact_of(&tests, side, because));
    }
    ledger
}

fn fact_of(tests: &[Rc<LedgerTest>], side: &BranchesSide, because: Option<CoverExclusion>) -> BranchFact<CoverExclusion> {
    match (side.verdict, side.test) {
        (BranchesVerdict::Covered, Some(test)) => BranchFact::Covered(Rc::clone(&tests[test as usize])),
        (BranchesVerdict::Infeasible, _) => BranchFact::Infeasible { assumes: side.assumes.clone(), because },
        _ => BranchFact::Open { why: side.open.clone().unwrap_or_default(), state: side.state.clone() },
    }
}
