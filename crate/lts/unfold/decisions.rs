//! Whole decisions: Boolean expressions that control an execution, with the conditions that `&&`, `||`, `!` and `?:` join in them.
//!
//! The graph has an edge for each outcome of a single condition ([`crate::lts::sides`]). Criteria such as modified condition/decision coverage
//! (MC/DC) speak of the expression that the conditions belong to. A *vector* is one evaluation of it: the values of the conditions that
//! short-circuit evaluation gets to, and the outcome that they decide.

use crate::logic::Arrange;
use crate::lts::Lts;
use crate::source::Span;

/// A Boolean expression that controls an execution: the condition of `if`, `?:` or a loop, or a value that `&&` and `||` make.
#[derive(Clone, Debug)]
pub struct WholeDecision {
    pub span: Span,
    /// The numbers of its conditions ([`crate::lts::Edge::decision`]), in the order of the text.
    pub conditions: Vec<u32>,
    pub tree: ConditionTree,
    /// Whether some copy of it has fewer conditions than others: a test of a pointer that is never null in one call of its function, or a
    /// value that one use drops.
    pub is_partial: bool,
}

/// How a decision joins its conditions, by their positions in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionTree {
    /// A test that always holds and is no edge of the graph.
    Always,
    Condition(usize),
    Not(Box<ConditionTree>),
    And(Box<[ConditionTree; 2]>),
    Or(Box<[ConditionTree; 2]>),
    /// `?:`.
    Choice(Box<[ConditionTree; 3]>),
}

/// One evaluation of a decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vector {
    /// The values of its conditions; none for a condition that is not evaluated.
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
}

impl ConditionTree {
    /// The outcome that these values decide.
    ///
    /// # Errors
    /// The position of the condition that is evaluated next.
    pub fn outcome(&self, values: &[Option<bool>]) -> Result<bool, usize> {
        match self {
            ConditionTree::Always => Ok(true),
            ConditionTree::Condition(position) => values[*position].ok_or(*position),
            ConditionTree::Not(operand) => operand.outcome(values).map(|outcome| !outcome),
            ConditionTree::And(operands) => Ok(operands[0].outcome(values)? && operands[1].outcome(values)?),
            ConditionTree::Or(operands) => Ok(operands[0].outcome(values)? || operands[1].outcome(values)?),
            ConditionTree::Choice(operands) => operands[if operands[0].outcome(values)? { 1 } else { 2 }].outcome(values),
        }
    }
}

impl WholeDecision {
    /// All its vectors, those in which the first condition holds first; `None` where there are more than `most`.
    pub fn vectors(&self, most: usize) -> Option<Vec<Vector>> {
        let mut vectors = Vec::new();
        let mut stack = vec![vec![None; self.conditions.len()]];
        while let Some(values) = stack.pop() {
            match self.tree.outcome(&values) {
                Ok(outcome) => vectors.push(Vector { values, outcome }),
                Err(next) => stack.extend([false, true].map(|value| {
                    let mut values = values.clone();
                    values[next] = Some(value);
                    values
                })),
            }
            if vectors.len() + stack.len() > most {
                return None;
            }
        }
        Some(vectors)
    }
}

impl Lts {
    /// The whole decisions of the program, in the order of the text.
    pub fn decisions(&self) -> Vec<&WholeDecision> {
        let mut decisions: Vec<&WholeDecision> = self.written.iter().flat_map(|written| &written.wholes).collect();
        decisions.arrange_by_key(|decision| (decision.span.start, decision.span.end, decision.conditions[0]));
        decisions
    }
}

#[cfg(test)]
mod tests {
    use super::{ConditionTree as Tree, WholeDecision};
    use crate::source::Span;

    #[test]
    fn vectors_are_the_paths_of_short_circuit_evaluation() {
        // (a || b) && c
        let or = Tree::Or(Box::new([Tree::Condition(0), Tree::Condition(1)]));
        let tree = Tree::And(Box::new([or, Tree::Condition(2)]));
        let decision = WholeDecision { span: Span::default(), conditions: vec![0, 1, 2], tree, is_partial: false };
        let letter = |value: &Option<bool>| value.map_or('-', |value| if value { 'T' } else { 'F' });
        let texts: Vec<String> = (decision.vectors(64).expect("few").iter())
            .map(|vector| vector.values.iter().map(letter).collect::<String>() + if vector.outcome { "=T" } else { "=F" })
            .collect();
        assert_eq!(texts, ["T-T=T", "T-F=F", "FTT=T", "FTF=F", "FF-=F"]);
        assert_eq!(decision.vectors(4), None);
    }
}
