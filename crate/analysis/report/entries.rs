//! The ledger of a report: what the documents of Cover and of Branches say of each branch.

use crate::analysis::branches::{BranchesDocument, BranchesSide, BranchesVerdict};
use crate::analysis::cover::report::branch_facts::branch_facts;
use crate::analysis::cover::{CoverDocument, CoverExclusion};
use crate::analysis::settle::SettledProgram;
use crate::ledger::{BranchFact, BranchName, Ledger, LedgerTest};
use crate::source::Span;

/// Enters the facts of all engines.
pub fn ledger(settled: &SettledProgram, covered: &CoverDocument, searched: Option<&BranchesDocument>) -> Ledger<CoverExclusion> {
    let mut ledger = Ledger::default();
    let outcome = settled.covered.as_ref().map(|covered| &covered.outcome);
    let facts = outcome.map(|outcome| branch_facts(&settled.sized.loaded, outcome, covered, &settled.sides));
    for ((name, fact), side) in facts.into_iter().flatten().zip(&settled.sides) {
        ledger.enter(settled.engine(side), name, fact);
    }
    if let Some(document) = searched {
        let mut names: Vec<BranchName> = document.list.iter().map(named).collect();
        Ledger::<CoverExclusion>::number(&mut names);
        for (name, side) in names.into_iter().zip(&document.list) {
            ledger.enter("branches", name, fact(document, side));
        }
    }
    ledger
}

fn fact(document: &BranchesDocument, side: &BranchesSide) -> BranchFact<CoverExclusion> {
    match (side.verdict, side.test.map(|test| &document.tests[test as usize])) {
        (BranchesVerdict::Covered, Some(test)) => {
            BranchFact::Covered(LedgerTest { input: test.input.clone(), after: test.after.clone(), assumes: side.assumes.clone() })
        }
        (BranchesVerdict::Infeasible, _) => BranchFact::Infeasible { assumes: side.assumes.clone(), because: None },
        _ => BranchFact::Open { why: side.open.clone().unwrap_or_default(), state: side.state.clone() },
    }
}

fn named(side: &BranchesSide) -> BranchName {
    let BranchesSide { line, column, text, expansion, .. } = side;
    let span = Span { start: side.place.start, end: side.place.end };
    let (text, expansion) = (text.clone(), expansion.clone());
    BranchName { line: *line, column: *column, span, holds: side.side == "true", number: 0, text, expansion }
}
