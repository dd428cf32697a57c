//! What a document of `cover` says of the branches of the text: facts for the ledger.

use super::reasons::of_copies;
use super::{CoverDocument, CoverExclusion, CoverStatement};
use crate::analysis::cover::method::test::Test;
use crate::analysis::cover::method::{CoverOutcome, EdgeVerdict};
use crate::evidence::numbers;
use crate::ledger::{BranchFact, BranchName, Ledger, LedgerTest};
use crate::load::Loaded;
use crate::logic::{Arrange, SortedMap};
use crate::lts::sides::{Side, without_copies};
use crate::lts::written::WrittenEdge;
use crate::run::assumption_tracking::assumed_after;
use crate::view::written_view;
use std::rc::Rc;

/// What a document says of each of the program's branches.
pub fn branch_facts(
    loaded: &Loaded,
    outcome: &CoverOutcome,
    document: &CoverDocument,
    sides: &[Side],
) -> Vec<(BranchName, BranchFact<CoverExclusion>)> {
    let mut names: Vec<BranchName> = sides.iter().map(|side| named(loaded, side)).collect();
    Ledger::<CoverExclusion>::number(&mut names);
    let listed = ListedEdges::of(loaded, outcome, document);
    let facts = sides.iter().map(|side| listed.fact(loaded, side));
    names.into_iter().zip(facts).collect()
}

/// The name of a branch.
fn named(loaded: &Loaded, side: &Side) -> BranchName {
    let position = loaded.lines.position(side.span.start);
    let WrittenEdge { text, expansion } = loaded.source_text(side.edges[0]);
    BranchName {
        line: position.line,
        column: position.column,
        span: side.span,
        holds: side.holds,
        number: 0,
        text: without_copies(&text),
        expansion,
    }
}

/// What the lists of a document say of edges.
struct ListedEdges<'d> {
    /// The first run that takes the edge.
    taken: SortedMap<u32, Rc<LedgerTest>>,
    infeasible: SortedMap<u32, &'d CoverStatement>,
    open: SortedMap<u32, &'d CoverStatement>,
    reason: Option<&'d str>,
}

impl<'d> ListedEdges<'d> {
    fn of(loaded: &Loaded, outcome: &CoverOutcome, document: &'d CoverDocument) -> ListedEdges<'d> {
        let mut taken: SortedMap<u32, Rc<LedgerTest>> = SortedMap::new();
        let mut take = |edges: &[u32], test: LedgerTest| {
            let test = Rc::new(test);
            for &edge in edges {
                taken.entry(edge).or_insert_with(|| Rc::clone(&test));
            }
        };
        // Runs that fail, never end or end beyond the bound take what they take all the same.
        for Test { input, path, after } in &outcome.tests {
            let assumes = assumed_after(loaded, input, after);
            take(&numbers(path), LedgerTest { input: written_view(&loaded.lts, input), after: after.clone(), assumes });
        }
        for error in &document.errors {
            take(&error.edges, LedgerTest { input: error.input.clone(), after: error.after.clone(), assumes: error.assumes.clone() });
        }
        // Of a very long run the path has the first edges only; verdicts name its test all the same.
        for (edge, verdict) in (0..).zip(&outcome.verdicts) {
            if let EdgeVerdict::Covered(test) | EdgeVerdict::NeverCompletes(test) = *verdict {
                let Test { input, after, .. } = &outcome.tests[test];
                taken.entry(edge).or_insert_with(|| {
                    let assumes = assumed_after(loaded, input, after);
                    Rc::new(LedgerTest { input: written_view(&loaded.lts, input), after: after.clone(), assumes })
                });
            }
        }
        let of = |list: &'d [CoverStatement]| list.iter().map(|statement| (statement.edge, statement)).collect::<SortedMap<_, _>>();
        let open = document.open.iter().chain(&document.not_within).map(|statement| (statement.edge, statement)).collect();
        ListedEdges { taken, infeasible: of(&document.infeasible), open, reason: document.reason.as_deref() }
    }

    fn fact(&self, loaded: &Loaded, side: &Side) -> BranchFact<CoverExclusion> {
        let edges = || side.edges.iter().map(|edge| edge.index() as u32);
        if let Some(test) = edges().find_map(|edge| self.taken.get(&edge)) {
            return BranchFact::Covered(test.clone());
        }
        if let Some(copies) = edges().map(|edge| self.infeasible.get(&edge).copied()).collect::<Option<Vec<_>>>()
            && loaded.lts.cut.is_none()
        {
            let mut assumes: Vec<String> = copies.iter().flat_map(|copy| copy.assumes.iter().cloned()).collect();
            assumes.arrange();
            assumes.dedup();
            let explained: Vec<&CoverExclusion> = copies.iter().filter(|copy| copy.is_explained()).map(|copy| &copy.excluded_by).collect();
            let because = (explained.len() == copies.len() && !copies.is_empty()).then(|| of_copies(&explained));
            return BranchFact::Infeasible { assumes, because };
        }
        let open = edges().find_map(|edge| self.open.get(&edge).copied());
        let why = open.map(|statement| statement.evidence.clone()).filter(|why| !why.is_empty()).or_else(|| self.reason.map(str::to_owned));
        BranchFact::Open { why: why.unwrap_or_else(|| UNKNOWN.to_owned()), state: open.and_then(|statement| statement.state.clone()) }
    }
}

/// Why a branch is open where nothing ended the search.
const UNKNOWN: &str = "no finder has an input, no prover a proof";
