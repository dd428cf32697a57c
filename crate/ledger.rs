//! The ledger: one verdict for each branch of a function, whichever engine settles it.
//!
//! Branches are goals of the *text*: a decision and one of its sides, however often calls of its function are inlined. Engines know them by
//! edges of a graph, and graphs may differ in how deeply calls are inlined; so each engine enters facts about the text's branches.
//!
//! Rules for two facts on one branch:
//! - A replayed test beats a claim. Both together are a fault of this program, and [`Ledger::contradicted`] names the branch.
//! - A claim beats an open branch; of two claims the first counts, with the explanation of the second where it has none itself.
//! - What is open keeps the reason of the engine that tried last.
//!
//! A fact enters only after its run was replayed or its claim passed [the door](crate::run::door); the ledger itself decides nothing.
//! All facts of a ledger have to hold under one set of assumptions.

pub mod facts;

use crate::logic::SortedMap;
use crate::source::Span;
use crate::view::{Call, Input};
use std::rc::Rc;

/// A branch of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchName {
    pub line: u32,
    pub column: u32,
    pub span: Span,
    /// Whether the condition holds on this side.
    pub holds: bool,
    /// Of several decisions at one place, as in a macro, which one: from 0.
    pub number: u32,
    /// What holds on this side, as the program has it.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
}

/// What tells branches apart: place, side, and the number of the decision at that place.
type BranchKey = (u32, u32, bool, u32);

impl BranchName {
    fn key(&self) -> BranchKey {
        (self.span.start, self.span.end, self.holds, self.number)
    }
}

/// A replayed run that takes a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerTest {
    pub input: Input,
    /// The calls before that leave the statics that the input has.
    pub after: Vec<Call>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
}

/// What an engine knows of a branch; `R` is an explanation.
#[derive(Clone, Debug)]
pub enum BranchFact<R> {
    /// The run of a test takes it.
    Covered(Rc<LedgerTest>),
    /// No execution takes it: an accepted claim says so, under these assumptions.
    Infeasible { assumes: Vec<String>, because: Option<R> },
    /// Neither is shown, for this reason.
    Open { why: String, state: Option<Input> },
}

/// A fact, and the engine that entered it.
#[derive(Clone, Debug)]
pub struct LedgerBranch<R> {
    pub name: BranchName,
    pub verdict: LedgerVerdict<R>,
    pub engine: &'static str,
}

/// The verdict on a branch.
#[derive(Clone, Debug)]
pub enum LedgerVerdict<R> {
    /// By the test with this number, from 0.
    Covered {
        test: usize,
    },
    Infeasible {
        assumes: Vec<String>,
        because: Option<R>,
    },
    Open {
        why: String,
        state: Option<Input>,
    },
}

/// The verdicts on all branches of a function, in the order of the text, and the tests that they name.
#[derive(Debug)]
pub struct Ledger<R> {
    pub branches: Vec<LedgerBranch<R>>,
    pub tests: Vec<Rc<LedgerTest>>,
    /// The branches that one engine covers and another calls infeasible, by number.
    pub contradicted: Vec<usize>,
    numbers: SortedMap<BranchKey, usize>,
}

impl<R> Default for Ledger<R> {
    fn default() -> Ledger<R> {
        Ledger { branches: Vec::new(), tests: Vec::new(), contradicted: Vec::new(), numbers: SortedMap::new() }
    }
}

impl<R> Ledger<R> {
    /// Enters what an engine knows of a branch.
    pub fn enter(&mut self, engine: &'static str, name: BranchName, fact: BranchFact<R>) {
        let at = *self.numbers.entry(name.key()).or_insert(self.branches.len());
        if at == self.branches.len() {
            let verdict = LedgerVerdict::Open { why: String::new(), state: None };
            self.branches.push(LedgerBranch { name, verdict, engine });
        }
        let verdict = match (&mut self.branches[at].verdict, fact) {
            (LedgerVerdict::Covered { .. }, BranchFact::Infeasible { .. }) => return self.contradicted.push(at),
            (LedgerVerdict::Covered { .. }, _) => return,
            (LedgerVerdict::Infeasible { because: existing @ None, .. }, BranchFact::Infeasible { because, .. }) => {
                *existing = because;
                return;
            }
            (LedgerVerdict::Infeasible { .. }, BranchFact::Infeasible { .. } | BranchFact::Open { .. }) => return,
            (before, BranchFact::Covered(test)) => {
                if let LedgerVerdict::Infeasible { .. } = before {
                    self.contradicted.push(at);
                }
                let is_same = |other: &Rc<LedgerTest>| Rc::ptr_eq(other, &test) || (other.input == test.input && other.after == test.after);
                let number = self.tests.iter().position(is_same);
                let test = number.unwrap_or_else(|| {
                    self.tests.push(test);
                    self.tests.len() - 1
                });
                LedgerVerdict::Covered { test }
            }
            (LedgerVerdict::Open { .. }, BranchFact::Infeasible { assumes, because }) => LedgerVerdict::Infeasible { assumes, because },
            (LedgerVerdict::Open { .. }, BranchFact::Open { why, state }) => LedgerVerdict::Open { why, state },
        };
        let branch = &mut self.branches[at];
        (branch.verdict, branch.engine) = (verdict, engine);
    }

    /// Whether a branch is open.
    pub fn is_open(&self) -> bool {
        self.branches.iter().any(|branch| matches!(branch.verdict, LedgerVerdict::Open { .. }))
    }

    /// Numbers the decisions at one place: gives names that differ to branches of one place and side.
    pub fn number(names: &mut [BranchName]) {
        let mut counts: SortedMap<(u32, u32, bool), u32> = SortedMap::new();
        for name in names {
            let count = counts.entry((name.span.start, name.span.end, name.holds)).or_default();
            name.number = *count;
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(start: u32, holds: bool) -> BranchName {
        let span = Span { start, end: start + 1 };
        BranchName { line: 1, column: 1, span, holds, number: 0, text: "x".into(), expansion: None }
    }

    fn covered(value: u32) -> BranchFact<&'static str> {
        let input = Input { stdin: Some(value.to_string()), ..Input::default() };
        BranchFact::Covered(Rc::new(LedgerTest { input, after: Vec::new(), assumes: Vec::new() }))
    }

    fn infeasible(because: Option<&'static str>) -> BranchFact<&'static str> {
        BranchFact::Infeasible { assumes: Vec::new(), because }
    }

    fn open(why: &str) -> BranchFact<&'static str> {
        BranchFact::Open { why: why.into(), state: None }
    }

    /// In whatever order facts are entered, a test wins, then a claim; each test is kept once, and a contradiction is told.
    #[test]
    fn tests_beat_claims_and_claims_beat_what_is_open() {
        let facts = [covered(1), infeasible(None), open("a"), covered(1), infeasible(Some("y > 3")), open("b")];
        for first in 0..facts.len() {
            for second in 0..facts.len() {
                let mut ledger = Ledger::default();
                for fact in [&facts[first], &facts[second]] {
                    ledger.enter("cover", name(0, true), fact.clone());
                }
                ledger.enter("branches", name(0, false), covered(1));
                let (one, other) = (first % 3, second % 3);
                let best = one.min(other);
                let found = match ledger.branches[0].verdict {
                    LedgerVerdict::Covered { .. } => 0,
                    LedgerVerdict::Infeasible { .. } => 1,
                    LedgerVerdict::Open { .. } => 2,
                };
                assert_eq!(found, best, "{first} {second}");
                assert_eq!(ledger.is_open(), best == 2);
                assert_eq!(ledger.contradicted.is_empty(), one + other != 1, "{first} {second}");
                assert_eq!(ledger.tests.len(), 1);
                if let LedgerVerdict::Infeasible { because, .. } = ledger.branches[0].verdict {
                    assert_eq!(because.is_some(), first == 4 || second == 4, "{first} {second}");
                }
            }
        }
    }

    #[test]
    fn decisions_at_one_place_have_numbers() {
        let mut names = [name(0, true), name(0, false), name(0, true), name(5, true), name(0, false), name(0, true)];
        Ledger::<()>::number(&mut names);
        assert_eq!(names.map(|name| name.number), [0, 0, 1, 0, 1, 2]);
    }
}
