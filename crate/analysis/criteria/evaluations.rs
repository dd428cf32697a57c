//! The verdict on a condition from those on the evaluations of its decision.

use super::CriterionChoice;
use super::goals::{COVERED, GoalVerdict, INFEASIBLE, OPEN};
use super::pairs::pairs;
use crate::analysis::cover::CoverExclusion;
use crate::ledger::LedgerVerdict;
use crate::logic::Arrange;
use crate::lts::unfold::decisions::{Vector, WholeDecision};

/// The verdict on the independence pairs of a condition.
pub(super) struct PairVerdict {
    pub(super) verdict: &'static str,
    pub(super) tests: Vec<u32>,
    pub(super) vectors: Vec<u32>,
    pub(super) because: Option<CoverExclusion>,
    pub(super) why: Option<String>,
    pub(super) assumes: Vec<String>,
}

impl PairVerdict {
    pub(super) fn open() -> PairVerdict {
        PairVerdict { verdict: OPEN, tests: Vec::new(), vectors: Vec::new(), because: None, why: None, assumes: Vec::new() }
    }
}

/// The vectors of a decision with their verdicts.
pub(super) struct Evaluations<'e> {
    pub(super) decision: &'e WholeDecision,
    pub(super) vectors: &'e [Vector],
    pub(super) verdicts: &'e [GoalVerdict],
    /// The number of its first vector in the document.
    pub(super) first: u32,
}

impl Evaluations<'_> {
    pub(super) fn pair(&self, position: usize, choice: CriterionChoice) -> PairVerdict {
        let pairs = pairs(&self.decision.tree, self.vectors, position, choice.pairs);
        let test = |vector: usize| match self.verdicts[vector] {
            LedgerVerdict::Covered { test } => Some(test as u32),
            _ => None,
        };
        let covered = pairs.iter().filter_map(|&[one, other]| Some(([test(one)?, test(other)?], [one, other])));
        if let Some((tests, vectors)) = covered.min_by_key(|(tests, _)| *tests.iter().max().expect("two")) {
            return PairVerdict { verdict: COVERED, tests: tests.to_vec(), vectors: self.numbers(&vectors), ..PairVerdict::open() };
        }
        let is_infeasible = |vector: &usize| matches!(self.verdicts[*vector], LedgerVerdict::Infeasible { .. });
        let possible = pairs.iter().find(|pair| !pair.iter().any(is_infeasible));
        if let Some(pair) = possible {
            let why = pair.iter().find_map(|&vector| match &self.verdicts[vector] {
                LedgerVerdict::Open { why, .. } => Some(self.told(vector, why)),
                _ => None,
            });
            return PairVerdict { why, vectors: self.numbers(pair), ..PairVerdict::open() };
        }
        // Of one value of the condition all vectors may be infeasible: then those suffice.
        let mut needed: Vec<usize> = (0..2)
            .map(|side| pairs.iter().map(|pair| pair[side]).collect::<Vec<usize>>())
            .find(|vectors| vectors.iter().all(is_infeasible))
            .unwrap_or_else(|| pairs.iter().flatten().copied().filter(is_infeasible).collect());
        needed.arrange();
        needed.dedup();
        let mut verdict = PairVerdict { verdict: INFEASIBLE, vectors: self.numbers(&needed), ..PairVerdict::open() };
        for &vector in &needed {
            if let LedgerVerdict::Infeasible { assumes, because } = &self.verdicts[vector] {
                verdict.assumes.extend(assumes.iter().cloned());
                verdict.because = because.clone().filter(|_| needed.len() == 1);
            }
        }
        verdict.why = Some(self.impossible(&needed));
        verdict
    }

    fn numbers(&self, vectors: &[usize]) -> Vec<u32> {
        if self.is_single() { Vec::new() } else { vectors.iter().map(|&vector| self.first + vector as u32).collect() }
    }

    fn is_single(&self) -> bool {
        self.decision.conditions.len() == 1
    }

    fn told(&self, vector: usize, why: &str) -> String {
        if self.is_single() { why.to_owned() } else { format!("evaluation {}: {why}", values_text(&self.vectors[vector])) }
    }

    /// Why there is no pair.
    fn impossible(&self, needed: &[usize]) -> String {
        if self.is_single() {
            let never = if self.vectors[needed[0]].values[0] == Some(true) { "it never holds" } else { "it always holds" };
            return if needed.len() == 2 { "no execution evaluates it" } else { never }.to_owned();
        }
        let texts: Vec<String> = needed.iter().map(|&vector| values_text(&self.vectors[vector])).collect();
        format!("every independence pair needs {}, which no execution evaluates", texts.join(" or "))
    }
}

/// The values of a vector: a letter for each condition.
pub(super) fn values_text(vector: &Vector) -> String {
    let letter = |value: &Option<bool>| match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    };
    vector.values.iter().map(letter).collect()
}
