//! Independence pairs: two evaluations of a decision that show that one of its conditions decides the outcome by itself.
//!
//! | pairs | the two evaluations have different outcomes and different values of the condition, and | source |
//! |---|---|---|
//! | masking | in each of them the condition is not *masked*: its other value would change the outcome | Chilenski, DOT/FAA/AR-01/18 (2001); gcc's `--conditions` |
//! | unique cause | every other condition has the same value in both | DO-178C; clang's MC/DC |
//!
//! Short-circuit evaluation leaves conditions without a value. These may be taken to have any: a pair of evaluations stands for the pairs of
//! complete assignments that agree with them. An assignment of values that no state of the program has is allowed there, as in compilers'
//! reports: only evaluations are observed.

use super::PairKind;
use crate::lts::unfold::decisions::{ConditionTree, Vector};

/// The independence pairs of the condition at this position: numbers of vectors, first one in which it holds.
pub fn pairs(tree: &ConditionTree, vectors: &[Vector], position: usize, kind: PairKind) -> Vec<[usize; 2]> {
    let with = |value: bool| {
        let is_one = move |vector: &Vector| vector.values[position] == Some(value);
        vectors.iter().enumerate().filter(move |(_, vector)| is_one(vector))
    };
    let is_pair = |one: &Vector, other: &Vector| {
        one.outcome != other.outcome
            && match kind {
                PairKind::Masking => decides(tree, one, position) && decides(tree, other, position),
                PairKind::UniqueCause => is_alone(one, other, position),
            }
    };
    let others = |one: &Vector| with(false).filter(|(_, other)| is_pair(one, other)).map(|(number, _)| number).collect::<Vec<usize>>();
    with(true).flat_map(|(number, one)| others(one).into_iter().map(move |other| [number, other])).collect()
}

/// Whether no other condition has one value in one vector and the other value in the other.
fn is_alone(one: &Vector, other: &Vector, position: usize) -> bool {
    let agree =
        |(at, (one, other)): (usize, (&Option<bool>, &Option<bool>))| at == position || one.is_none() || other.is_none() || one == other;
    one.values.iter().zip(&other.values).enumerate().all(agree)
}

/// Whether the other value of the condition changes the outcome, for some values of the conditions that are not evaluated.
fn decides(tree: &ConditionTree, vector: &Vector, position: usize) -> bool {
    let mut values = vector.values.clone();
    values[position] = values[position].map(|value| !value);
    can_be(tree, &mut values, !vector.outcome)
}

/// Whether values of the other conditions give the outcome.
fn can_be(tree: &ConditionTree, values: &mut [Option<bool>], outcome: bool) -> bool {
    match tree.outcome(values) {
        Ok(decided) => decided == outcome,
        Err(next) => {
            let possible = [false, true].into_iter().any(|value| {
                values[next] = Some(value);
                can_be(tree, values, outcome)
            });
            values[next] = None;
            possible
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PairKind, pairs};
    use crate::lts::unfold::decisions::{ConditionTree as Tree, Vector, WholeDecision};
    use crate::source::Span;
    use proptest::prelude::*;

    /// Trees with their conditions from left to right.
    fn tree() -> impl Strategy<Value = (Tree, usize)> {
        let shape = Just(Tree::Condition(0)).prop_recursive(4, 6, 3, |inner| {
            prop_oneof![
                inner.clone().prop_map(|one| Tree::Not(Box::new(one))),
                (inner.clone(), inner.clone()).prop_map(|(one, other)| Tree::And(Box::new([one, other]))),
                (inner.clone(), inner.clone()).prop_map(|(one, other)| Tree::Or(Box::new([one, other]))),
                (inner.clone(), inner.clone(), inner).prop_map(|(one, two, three)| Tree::Choice(Box::new([one, two, three]))),
            ]
        });
        shape.prop_map(|mut tree| {
            let mut count = 0;
            number(&mut tree, &mut count);
            (tree, count)
        })
    }

    fn number(tree: &mut Tree, count: &mut usize) {
        match tree {
            Tree::Always => {}
            Tree::Condition(position) => {
                *position = *count;
                *count += 1;
            }
            Tree::Not(operand) => number(operand, count),
            Tree::And(operands) | Tree::Or(operands) => operands.iter_mut().for_each(|operand| number(operand, count)),
            Tree::Choice(operands) => operands.iter_mut().for_each(|operand| number(operand, count)),
        }
    }

    /// The evaluation of a complete assignment.
    fn vector(tree: &Tree, assignment: usize, count: usize) -> Vector {
        let mut values = vec![None; count];
        loop {
            match tree.outcome(&values) {
                Ok(outcome) => return Vector { values, outcome },
                Err(next) => values[next] = Some(assignment >> next & 1 == 1),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// By the definitions, on complete assignments: each stands for the vector that it is evaluated as.
        #[test]
        fn pairs_are_those_of_complete_assignments((tree, count) in tree().prop_filter("few conditions", |tree| tree.1 <= 6)) {
            let decision = WholeDecision { span: Span::default(), conditions: (0..count as u32).collect(), tree, is_partial: false };
            let vectors = decision.vectors(1000).expect("few");
            let tree = &decision.tree;
            let evaluated: Vec<Vector> = (0..1 << count).map(|assignment| vector(tree, assignment, count)).collect();
            let numbers: Vec<usize> =
                evaluated.iter().map(|one| vectors.iter().position(|other| other == one).expect("listed")).collect();
            for position in 0..count {
                for kind in [PairKind::Masking, PairKind::UniqueCause] {
                    let mut expected = Vec::new();
                    for one in (0..1usize << count).filter(|one| one >> position & 1 == 1) {
                        for other in (0..1usize << count).filter(|other| other >> position & 1 == 0) {
                            let is_evaluated = evaluated[one].values[position].is_some() && evaluated[other].values[position].is_some();
                            let changes = |at: usize| evaluated[at].outcome != evaluated[at ^ (1 << position)].outcome;
                            let is_pair = is_evaluated && evaluated[one].outcome != evaluated[other].outcome && match kind {
                                PairKind::Masking => changes(one) && changes(other),
                                PairKind::UniqueCause => one ^ (1 << position) == other,
                            };
                            if is_pair {
                                expected.push([numbers[one], numbers[other]]);
                            }
                        }
                    }
                    expected.sort_unstable();
                    expected.dedup();
                    let mut found = pairs(tree, &vectors, position, kind);
                    found.sort_unstable();
                    prop_assert_eq!(&found, &expected, "{:?} of {}", kind, position);
                }
            }
        }
    }
}
