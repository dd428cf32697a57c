//! The engines, in turn, until no branch is open.

use crate::analysis::branches::report::branches;
use crate::analysis::branches::{BranchesOrder, BranchesSettings, BranchesSide, BranchesVerdict};
use crate::analysis::cover::report::answer::{CoveredProgram, covered};
use crate::analysis::cover::report::branch_facts::branch_facts;
use crate::analysis::cover::{CoverExclusion, CoverSettings};
use crate::analysis::default_limit;
use crate::ledger::{BranchFact, BranchName, Ledger, LedgerTest};
use crate::run::listener::Listener;
use crate::run::recorder::limit_reached;
use crate::source::Span;
use crate::view::{Diagnostic, Header, Reply, Request};

/// Cover may use one of so many steps.
const COVER_SHARE: u64 = 2;

/// What the engines settled.
pub struct SettledProgram {
    pub ledger: Ledger<CoverExclusion>,
    pub cover: CoveredProgram,
    /// Of Branches, where it was asked.
    pub branches: Option<Header>,
}

/// Asks the engines.
///
/// # Errors
/// Why the program is refused.
pub fn settled(request: &Request, listener: &mut Listener) -> Result<SettledProgram, Vec<Diagnostic>> {
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source));
    let mut ledger = Ledger::default();
    // 1.
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    let cover = covered(&Request { limit: Some(limit / COVER_SHARE), ..request.clone() }, &settings, listener)?;
    for (name, fact) in branch_facts(&cover) {
        ledger.enter("cover", name, of_all(fact, limit / COVER_SHARE, limit));
    }
    // 2.
    let left = limit.saturating_sub(cover.document.header.statistics.steps);
    let mut searched = None;
    if ledger.is_open() && left > 0 {
        let tests = ledger.tests.iter().map(|test| test.input.clone()).collect();
        let settings = BranchesSettings { tests, order: BranchesOrder::Fair, baselines: false };
        if let Reply::Document { document } = branches(&Request { limit: Some(left), ..request.clone() }, &settings, listener) {
            let test = |side: &BranchesSide| side.test.map(|test| &document.tests[test as usize]);
            let mut names: Vec<BranchName> = document.list.iter().map(named).collect();
            Ledger::<CoverExclusion>::number(&mut names);
            for (name, side) in names.into_iter().zip(&document.list) {
                let fact = match (side.verdict, test(side)) {
                    (BranchesVerdict::Covered, Some(test)) => BranchFact::Covered(LedgerTest {
                        input: test.input.clone(),
                        after: test.after.clone(),
                        assumes: side.assumes.clone(),
                    }),
                    (BranchesVerdict::Infeasible, _) => BranchFact::Infeasible { assumes: side.assumes.clone(), because: None },
                    _ => BranchFact::Open { why: side.open.clone().unwrap_or_default(), state: side.state.clone() },
                };
                ledger.enter("branches", name, of_all(fact, left, limit));
            }
            searched = Some(document.header);
        }
    }
    Ok(SettledProgram { ledger, cover, branches: searched })
}

/// A fact with the limit of all engines in the place of the share of one.
fn of_all(fact: BranchFact<CoverExclusion>, share: u64, limit: u64) -> BranchFact<CoverExclusion> {
    match fact {
        BranchFact::Open { why, state } if why == limit_reached(share) => BranchFact::Open { why: limit_reached(limit), state },
        fact => fact,
    }
}

fn named(side: &BranchesSide) -> BranchName {
    let BranchesSide { line, column, text, expansion, .. } = side;
    let span = Span { start: side.place.start, end: side.place.end };
    let (text, expansion) = (text.clone(), expansion.clone());
    BranchName { line: *line, column: *column, span, holds: side.side == "true", number: 0, text, expansion }
}
