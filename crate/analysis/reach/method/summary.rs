//! Loop summaries: what rounds of a loop do, in any number and order.
//!
//! Source: ST12, Section 3.3 and Algorithm 2. A *path counter* `κᵢ` counts the rounds along the i-th way through the loop; the
//! *iterated memory* `θ^κ` says what each variable is after so many rounds of each kind. Lines 2 to 10 find it by these rules, again
//! until nothing changes, where `a` is the value before the first round:
//!
//! 1. No round changes the variable: `a`.
//! 2. Each round adds something, if anything: what is the same in all rounds, `dᵢ · κᵢ` in all, or multiples of what only the round knows,
//!    such as the counters of an inner loop. Of those the *total* over all rounds of a kind is a symbol of its own. Where sums of constants
//!    wrap around, so does the whole.
//! 3. and 4. Rounds that change it set it to something that depends on counters at most: that of the last round that did so. With
//!    several kinds of rounds, how often each of the others came before that one is unknown but bounded, where the paper gives up.
//!
//! Where no term expresses the value it is a symbol, of which rules 3 and 4 say what they know; of the paper's `★` they say only that it
//! is `a` before the first round that changes it. What a round adds may look like more than it is: a sum that does not wrap around, an
//! inner loop of always four rounds. The paper has a heavyweight version for that, which asks the solver; here it is asked whether
//! the difference is one constant.
//!
//! The second half of the algorithm, the looping condition, is in [`super::instances`]. Two instances of it are facts of the summary,
//! since they need no quantifier: the condition of the last round, and that of the last round of each kind. So is what is left of it when its
//! quantifiers are eliminated ([`eliminate`]).

pub mod build;
pub mod eliminate;
mod iterated;
pub mod uniform;

use super::effect::WayEffect;
use super::tree::RoundEnd;
use crate::logic::{AtomId, FormulaId};
use crate::lts::VariableId;
use crate::symex::State;
use uniform::Uniform;

/// Of loops with more kinds of rounds no facts relate the kinds: there would be one for each pair.
const KINDS: usize = 8;

/// A way through the loop: a backbone of the flowgraph that the loop induces.
#[derive(Clone, Debug)]
pub struct LoopRound {
    pub end: RoundEnd,
    /// Over the values before the round.
    pub effect: WayEffect,
    /// `κᵢ`.
    pub counter: AtomId,
}

/// How a variable comes through the loop, for people and for evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// 1.
    Unchanged,
    /// 2.
    Added,
    /// 3. and 4.: the value is a symbol.
    Set,
    /// The value is a symbol, and what it is after a round that changes it is unknown: `★`.
    Unknown,
}

/// A symbol that stands for the value of a variable after some rounds.
#[derive(Clone, Debug)]
pub struct Left {
    pub symbol: AtomId,
    pub variable: VariableId,
}

/// How often rounds of one kind came before the last one of another kind.
#[derive(Clone, Copy, Debug)]
pub struct EarlierRounds {
    pub symbol: AtomId,
    /// The kind of the last round that counts, and the kind of those before it: positions in [`Summary::rounds`].
    pub last: usize,
    pub counted: usize,
}

/// The sum over all rounds of a kind of something that only the round knows.
#[derive(Clone, Copy, Debug)]
pub struct Total {
    pub symbol: AtomId,
    /// A position in [`Summary::rounds`].
    pub kind: usize,
    /// What is summed up: a symbol of the round.
    pub of: AtomId,
}

/// A loop summary.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Where the loop is entered.
    pub node: usize,
    pub rounds: Vec<LoopRound>,
    /// `θ^κ`, over the values before the first round, the counters, and symbols of what is left.
    pub memory: State,
    /// For each variable how it was found.
    pub rules: Vec<Rule>,
    /// What is known of the symbols in `memory`.
    pub definitions: Vec<FormulaId>,
    /// What holds of the counters besides: the conditions of last rounds, and looping conditions without quantifiers.
    pub facts: Vec<FormulaId>,
    pub left: Vec<Left>,
    pub before: Vec<EarlierRounds>,
    pub totals: Vec<Total>,
    /// What all rounds do, where they are alike.
    pub uniform: Option<Uniform>,
}
