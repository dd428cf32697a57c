//! What an observer sees along a run: counts, lines, changes and output.

use super::document::{RunChange, RunStep};
use crate::interp::{Output, RunState, Watch};
use crate::logic::{Int, IntRange};
use crate::lts::{Array, EdgeId, Expr, Label, Lts, Object, text};
use crate::source::LineIndex;
use crate::view::{MAX_LINES, Number};
use std::ops::ControlFlow;

/// How many steps a document shows with what they change.
pub const MAX_RECORDED_STEPS: usize = 2_000;

/// How many machine words the changes shown may take together, and so the contents of one array.
pub(super) const MAX_RECORDED_WORDS: u64 = 100_000;

/// Counts, lines, changes and output of a run.
pub(super) struct Observer<'a> {
    lts: &'a Lts,
    lines: &'a LineIndex,
    pub taken: Vec<u64>,
    pub last: Option<EdgeId>,
    pub executed: Vec<u32>,
    pub steps: u64,
    pub recorded_steps: Vec<RunStep>,
    /// What is left of [`MAX_RECORDED_WORDS`].
    words_left: u64,
    pub output: Output,
}

impl<'a> Observer<'a> {
    pub fn new(lts: &'a Lts, lines: &'a LineIndex) -> Observer<'a> {
        Observer {
            lts,
            lines,
            taken: vec![0; lts.graph.edge_count()],
            last: None,
            executed: Vec::new(),
            steps: 0,
            recorded_steps: Vec::new(),
            words_left: MAX_RECORDED_WORDS,
            output: Output::default(),
        }
    }

    /// What an edge changes, with `after` the state after it; `None` where there is no room for it.
    fn changes(&mut self, edge: EdgeId, after: &RunState<'_>) -> Option<Vec<RunChange>> {
        let mut number = |value: &Int, range: Option<IntRange>| {
            self.words_left = self.words_left.checked_sub(1 + value.bits() / 64)?;
            Some(Number::in_range(value, range))
        };
        Some(match &self.lts.graph[edge].label {
            Label::Skip | Label::Assume { .. } => Vec::new(),
            Label::Assign(id, _) | Label::Havoc(id) => {
                vec![RunChange::Variable {
                    name: self.lts.variable(*id).name.clone(),
                    value: number(after.variable(*id), self.lts.variable(*id).range)?,
                }]
            }
            Label::Store { array, .. } => {
                let index = after.stored_at();
                let value = number(&after.element(*array, index), self.lts.array(*array).range)?;
                vec![match text::object_element(self.lts, *array, index) {
                    Some((name, None)) => RunChange::Variable { name: name.to_owned(), value },
                    Some((name, Some(own))) => RunChange::Element { name: name.to_owned(), index: own.to_string(), value },
                    None => RunChange::Element { name: self.lts.array(*array).name.clone(), index: index.to_string(), value },
                }]
            }
            Label::HavocArray(id) => {
                let array = self.lts.array(*id);
                let drawn = after.held(*id);
                let elements = drawn
                    .elements
                    .iter()
                    .map(|(index, value)| Some((index.clone(), number(value, array.range)?)))
                    .collect::<Option<Vec<_>>>()?;
                let default = number(&drawn.default, array.range)?;
                drawn_changes(array, elements, default)
            }
            Label::Fill(id, values) => {
                let array = self.lts.array(*id);
                let mut elements = (0..values.len())
                    .map(|index| number(&after.element(*id, &Int::from(index)), array.range))
                    .collect::<Option<Vec<_>>>()?;
                if array.objects.is_empty() {
                    return Some(vec![RunChange::Array { name: array.name.clone(), elements }]);
                }
                let count = array.objects.len();
                let stays = |at: usize| matches!(&values[at], Expr::Read(of, index) if of == id && **index == Expr::Int(Int::from(at)));
                let mut changes = Vec::new();
                for (turn, object) in array.objects.iter().enumerate() {
                    let own = (turn..values.len()).step_by(count);
                    if own.clone().all(stays) {
                        continue;
                    }
                    let mut taken: Vec<Number> = own.map(|at| std::mem::replace(&mut elements[at], Number::Small(0))).collect();
                    let name = object.name.clone();
                    changes.push(if object.is_scalar {
                        taken.truncate(1);
                        RunChange::Variable { name, value: taken.pop().unwrap_or(Number::Small(0)) }
                    } else {
                        RunChange::Array { name, elements: taken }
                    });
                }
                changes
            }
        })
    }
}

/// Arbitrary contents of an array; of one that keeps several objects those of each.
fn drawn_changes(array: &Array, elements: Vec<(Int, Number)>, default: Number) -> Vec<RunChange> {
    let contents = |own: &mut dyn Iterator<Item = (Int, Number)>| {
        let given = own.map(|(index, value)| (index.to_string(), value));
        given.chain([("default".to_owned(), default.clone())]).collect()
    };
    if array.objects.is_empty() {
        return vec![RunChange::Contents { name: array.name.clone(), contents: contents(&mut elements.into_iter()) }];
    }
    let count = Int::from(array.objects.len());
    let of_object = |(turn, object): (usize, &Object)| {
        let own = elements.iter().filter_map(|(index, value)| {
            let (index, remainder) = index.div_rem_floor(&count)?;
            (remainder == Int::from(turn)).then(|| (index, value.clone()))
        });
        let name = object.name.clone();
        if object.is_scalar {
            let value = own.into_iter().find(|(index, _)| index.is_zero()).map_or_else(|| default.clone(), |(_, value)| value);
            return RunChange::Variable { name, value };
        }
        RunChange::Contents { name, contents: contents(&mut own.into_iter()) }
    };
    array.objects.iter().enumerate().map(of_object).collect()
}

impl Watch for Observer<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        self.taken[edge.index()] += 1;
        self.last = Some(edge);
        if self.executed.len() < MAX_LINES {
            let line = self.lines.line(self.lts.graph[edge].span.start);
            self.executed.push(line);
            // The first steps only: after a gap, changes would mean nothing.
            if self.steps == self.recorded_steps.len() as u64
                && self.recorded_steps.len() < MAX_RECORDED_STEPS
                && let Some(changes) = self.changes(edge, after)
            {
                let mut changes = changes.into_iter();
                self.recorded_steps.push(RunStep { edge: edge.index() as u32, line, change: changes.next(), also: changes.collect() });
            }
        }
        self.steps += 1;
        ControlFlow::Continue(())
    }
    fn wants_output(&self) -> bool {
        self.output.wants_output()
    }
    fn printed(&mut self, bytes: &[u8]) {
        self.output.push(bytes);
    }
}
