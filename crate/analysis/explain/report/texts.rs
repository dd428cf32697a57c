//! The findings about a program, as texts and plain data.

use super::{
    ExplainAutomaton, ExplainCause, ExplainConstraint, ExplainCorrection, ExplainDependency, ExplainFamily, ExplainPath, ExplainReason,
    ExplainStep,
};
use crate::analysis::explain::method::Explanation;
use crate::analysis::explain::method::causes::Cause;
use crate::analysis::explain::method::dependencies::ResourceKind;
use crate::analysis::explain::method::run::{Judged, PathVerdict, PrefixFinding};
use crate::automaton::Automaton;
use crate::automaton::regex::regex;
use crate::evidence::numbers;
use crate::load::Loaded;
use crate::logic::rank::FloatFormat;
use crate::logic::text::sum;
use crate::logic::{Formula, FormulaId, Int, IntRange, Linear, Pool};
use crate::lts::written::WrittenEdge;
use crate::lts::{EdgeId, Label, Lts};
use crate::run::assumption_tracking::assumed_by;
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, QUERY_LIMIT};
use crate::symex::written;
use crate::view::written_view;

/// The types of C whose ranges the texts name in words, with an article.
const TYPES: [(&str, u32, bool); 8] = [
    ("an int", 32, true),
    ("an unsigned int", 32, false),
    ("a signed char", 8, true),
    ("an unsigned char", 8, false),
    ("a short", 16, true),
    ("an unsigned short", 16, false),
    ("a long", 64, true),
    ("an unsigned long", 64, false),
];

/// Conditions as texts. They leave out that something has a value of its type where the conditions contradict each other without
/// it, and else say it in words. `copy` is a copy of the pool for questions, made with the first one and shared by all about that
/// pool.
fn conditions(pool: &Pool, copy: &mut Option<Pool>, formulas: &[FormulaId]) -> Vec<String> {
    let split: Vec<(Vec<String>, Vec<FormulaId>)> = formulas.iter().map(|&formula| of_types(pool, formula)).collect();
    let mut told = false;
    if split.iter().any(|(types, _)| !types.is_empty()) {
        let mut context = Context::new();
        context.pool = copy.take().unwrap_or_else(|| pool.clone());
        for &formula in split.iter().flat_map(|(_, rest)| rest) {
            context.assert(formula);
        }
        told = !matches!(context.check(&mut Meter::new(QUERY_LIMIT)), Answer::Unsat(_));
        *copy = Some(context.pool);
    }
    let text = |(types, rest): (Vec<String>, Vec<FormulaId>), &formula: &FormulaId| {
        if types.is_empty() {
            return written(pool, formula);
        }
        let types = if told || rest.is_empty() { types } else { Vec::new() };
        let rest = rest.into_iter().map(|part| {
            let text = written(pool, part);
            if text.contains(" && ") || text.contains(" || ") { format!("({text})") } else { text }
        });
        rest.chain(types).collect::<Vec<_>>().join(" && ")
    };
    split.into_iter().zip(formulas).map(|(parts, formula)| text(parts, formula)).collect()
}

/// What a condition says of types, in words, and what else it says.
fn of_types(pool: &Pool, formula: FormulaId) -> (Vec<String>, Vec<FormulaId>) {
    let Formula::And(parts) = pool.formula(formula) else { return (Vec::new(), vec![formula]) };
    let mut rest = parts.to_vec();
    let mut types = Vec::new();
    // `atom - greatest <= 0`, and `least - atom <= 0` beside it.
    for &part in parts.iter() {
        let Formula::Le(term) = pool.formula(part) else { continue };
        let [(atom, coefficient)] = term.terms() else { continue };
        if !coefficient.is_one() {
            continue;
        }
        let integers = TYPES.map(|(name, bits, signed)| (name, IntRange::of_bits(bits, signed)));
        let numbers = [("a double", FloatFormat::Double.range()), ("a float", FloatFormat::Single.range())];
        for (name, range) in integers.into_iter().chain(numbers) {
            let least = Linear::new(vec![(*atom, Int::MINUS_ONE)], range.least());
            let is_least = |&other: &FormulaId| matches!(pool.formula(other), Formula::Le(found) if *found == least);
            if *term.offset() == -&range.greatest() && parts.iter().any(is_least) {
                rest.retain(|other| *other != part && !is_least(other));
                types.push(format!("{} is {name}", sum(pool, &Linear::atom(*atom))));
            }
        }
    }
    (types, rest)
}

/// Makes texts of a program's things.
pub(super) struct Texts<'a> {
    pub loaded: &'a Loaded,
    pub lts: &'a Lts,
}

impl Texts<'_> {
    pub fn column(&self, edge: EdgeId) -> u32 {
        self.loaded.lines.position(self.lts.graph[edge].span.start).column
    }

    pub fn line(&self, edge: EdgeId) -> u32 {
        self.loaded.lines.line(self.lts.graph[edge].span.start)
    }

    /// An edge in a regular expression: its line, and for a decision its side.
    fn letter(&self, letter: u32) -> String {
        let edge = EdgeId::new(letter as usize);
        let side = match self.lts.graph[edge].label {
            Label::Assume { holds: true, .. } => "t",
            Label::Assume { holds: false, .. } => "f",
            _ => "",
        };
        format!("{}{side}", self.line(edge))
    }

    fn regex(&self, automaton: &Automaton) -> Option<String> {
        regex(automaton).map(|regex| regex.text(&|letter| self.letter(letter)))
    }

    pub fn automaton(&self, automaton: &Automaton, locations: Option<Vec<u32>>) -> ExplainAutomaton {
        ExplainAutomaton {
            states: automaton.states() as u32,
            initial: automaton.initial,
            accepting: (0..automaton.states() as u32).filter(|&state| automaton.accepting[state as usize]).collect(),
            transitions: (automaton.transitions.iter().zip(0..))
                .flat_map(|(ways, from)| ways.iter().map(move |&(edge, to)| (from, edge, to)))
                .collect(),
            locations,
        }
    }

    fn steps(&self, pool: &Pool, copy: &mut Option<Pool>, edges: &[EdgeId], explanation: &Explanation) -> Vec<ExplainStep> {
        let steps: Vec<_> = explanation.positions.iter().copied().zip(explanation.constraints.iter().copied()).collect();
        self.step_list(pool, copy, edges, &steps, &explanation.causes)
    }

    fn cause(&self, edge: EdgeId, cause: &Cause) -> ExplainCause {
        let WrittenEdge { text, expansion } = self.loaded.source_text(edge);
        ExplainCause {
            index: cause.position as u32,
            edge: edge.index() as u32,
            line: self.line(edge),
            column: self.column(edge),
            text,
            expansion,
            name: self.resource_name(&cause.resource_kind),
            value: cause.value.as_ref().map(|value| FloatFormat::value_text(value, self.resource_range(&cause.resource_kind))),
        }
    }

    /// `causes` are those of a step that is false whatever the inputs are.
    pub fn step_list(
        &self,
        pool: &Pool,
        copy: &mut Option<Pool>,
        edges: &[EdgeId],
        steps: &[(usize, FormulaId)],
        causes: &[Cause],
    ) -> Vec<ExplainStep> {
        let formulas: Vec<FormulaId> = steps.iter().map(|step| step.1).collect();
        (steps.iter().zip(conditions(pool, copy, &formulas)))
            .map(|(&(position, formula), condition)| {
                let edge = edges[position];
                let WrittenEdge { text, expansion } = self.loaded.source_text(edge);
                ExplainStep {
                    index: position as u32,
                    edge: edge.index() as u32,
                    line: self.line(edge),
                    column: self.column(edge),
                    text,
                    expansion,
                    condition,
                    causes: match formula {
                        Pool::FALSE => causes.iter().map(|cause| self.cause(edges[cause.position], cause)).collect(),
                        _ => Vec::new(),
                    },
                }
            })
            .collect()
    }

    pub fn families(&self, pool: &Pool, copy: &mut Option<Pool>, finding: &PrefixFinding) -> Vec<ExplainFamily> {
        let explained = &finding.explained;
        (explained.explanations.iter().zip(&finding.automata).zip(&finding.paths))
            .map(|((explanation, automaton), paths)| ExplainFamily {
                prefix: numbers(&explained.edges),
                lines: explained.edges.iter().map(|&edge| self.line(edge)).collect(),
                explanation: self.steps(pool, copy, &explained.edges, explanation),
                states: automaton.states() as u32,
                transitions: automaton.size() as u32,
                regex: self.regex(automaton),
                paths: paths.to_string(),
                assumes: explanation.assumes.ids(),
            })
            .collect()
    }

    fn constraints(&self, pool: &Pool, edges: &[EdgeId], constraints: &[(usize, FormulaId)]) -> Vec<ExplainConstraint> {
        (self.step_list(pool, &mut None, edges, constraints, &[]).into_iter().zip(constraints))
            .map(|(ExplainStep { index, edge, line, column, text, expansion, condition, .. }, &(_, formula))| {
                let never = formula == Pool::FALSE;
                ExplainConstraint { index, edge, line, column, text, expansion, condition, never }
            })
            .collect()
    }

    fn resource_name(&self, kind: &ResourceKind) -> String {
        match kind {
            ResourceKind::Variable(id) => self.lts.variable(*id).name.clone(),
            ResourceKind::Whole(id) => format!("{}[]", self.lts.array(*id).name),
            ResourceKind::Element(id, index) => format!("{}[{index}]", self.lts.array(*id).name),
        }
    }

    fn resource_range(&self, kind: &ResourceKind) -> Option<IntRange> {
        match kind {
            ResourceKind::Variable(id) => self.lts.variable(*id).range,
            ResourceKind::Whole(id) | ResourceKind::Element(id, _) => self.lts.array(*id).range,
        }
    }

    pub fn path(&self, judged: &Judged, max_instructions: u32) -> ExplainPath {
        let (verdict, dies_at) = match judged.verdict {
            PathVerdict::Feasible(_) => ("feasible", None),
            PathVerdict::Infeasible(at) => ("infeasible", Some(at as u32)),
            PathVerdict::Open(_) => ("open", None),
        };
        let reason = |index: usize| {
            let explanation = &judged.explanations[index];
            let raw = &explanation.explanation.family;
            ExplainReason {
                explanation: self.steps(&judged.pool, &mut None, &judged.edges, &explanation.explanation),
                dependencies: (explanation.dependencies.iter())
                    .map(|dependency| ExplainDependency {
                        reader: dependency.reader as u32,
                        name: self.resource_name(judged.resources.kind(dependency.resource)),
                        writer: dependency.writer.map(|writer| writer as u32),
                    })
                    .collect(),
                indispensable: raw.indispensable.iter().map(|&position| position as u32).collect(),
                raw: self.automaton(&raw.automaton(), Some(raw.locations.iter().map(|location| location.index() as u32).collect())),
                automaton: self.automaton(&explanation.automaton, None),
                regex: self.regex(&explanation.automaton),
                paths: explanation.paths.to_string(),
                confirmed: explanation.confirmed,
                assumes: explanation.explanation.assumes.ids(),
            }
        };
        ExplainPath {
            edges: numbers(&judged.edges),
            lines: judged.edges.iter().map(|&edge| self.line(edge)).collect(),
            verdict: verdict.to_owned(),
            input: if let PathVerdict::Feasible(input) = &judged.verdict { Some(written_view(self.lts, input)) } else { None },
            dies_at,
            assumes: judged.assumes.ids(),
            constraints: self.constraints(&judged.pool, &judged.edges, &judged.constraints),
            reasons: (0..judged.explanations.len()).map(reason).collect(),
            all_reasons: judged.is_complete,
            corrections: (judged.corrections.iter())
                .map(|correction| ExplainCorrection {
                    indices: correction.positions.iter().map(|&position| position as u32).collect(),
                    assumes: correction.input.as_ref().map_or_else(Vec::new, |input| assumed_by(self.loaded, input)),
                    input: correction.input.as_ref().map(|input| written_view(self.lts, input)),
                })
                .collect(),
            max_instructions,
        }
    }
}
