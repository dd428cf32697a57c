//! Goals of a coverage criterion: which statements, outcomes and conditions the coverage has, and for each other goal new tests, a proof, or
//! the reason why it is open.
//!
//! | criterion | the coverage has a goal |
//! |---|---|
//! | statement | if it counts an execution of the first line of the statement that it counts at all |
//! | branch, condition | if a record of one of the branches that the outcome comes with is taken |
//! | MC/DC | if a [record of the decision](super::coverage::DecisionRecord) shows the condition; of a decision with one condition, if both its branches are taken |
//!
//! The verdicts are those of the reports on all entries that judge the goal's function. A condition without an independence pair in each of them
//! may have one whose evaluations are of two entries: it is justified only if all of them lack the same evaluations.

use super::coverage::DecisionRecord;
use super::document::{JustifiedGoal, JustifyCriterion, JustifyTest, JustifyVerdict};
use super::matching::{byte_column, own_line};
use super::measured::{MeasuredFile, Measurement};
use super::search::{JudgedEntry, JudgedProgram};
use super::structure::function_at;
use crate::analysis::criteria::text::reason;
use crate::analysis::criteria::{Criterion, CriterionChoice, CriterionGoal};
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::source::Span;

/// A goal under the name that all entries share: its span, that of its decision, and which one of several with these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GoalName {
    span: Span,
    decision: Span,
    number: usize,
}

/// The name of a goal; `counts` has how many with its spans came before.
fn goal_name(goal: &CriterionGoal, counts: &mut SortedMap<[Span; 2], usize>) -> GoalName {
    let [span, decision] = [goal.written.span, goal.written.decision];
    let count = counts.entry([span, decision]).or_default();
    *count += 1;
    GoalName { span, decision, number: *count - 1 }
}

/// What the coverage says of a goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoalMeasure {
    Covered,
    Missing,
    /// No record is of this very goal.
    Unclear,
    /// It is a part of an assertion.
    Apart,
}

/// What is known of the goals.
pub struct GoalQuestion<'q> {
    pub choice: CriterionChoice,
    pub program: &'q JudgedProgram,
    pub measurement: &'q Measurement,
    pub files: &'q [MeasuredFile<'q>],
}

impl GoalQuestion<'_> {
    /// The goals that the coverage has not, with verdicts; their tests are added to these.
    pub fn answer(&self, tests: &mut Vec<JustifyTest>) -> JustifyCriterion {
        let mut entries: SortedMap<GoalName, Vec<(&JudgedEntry, &CriterionGoal)>> = SortedMap::new();
        let mut left_out: SortedSet<&str> = SortedSet::new();
        for (entry, report) in self.program.reports() {
            let Some(criterion) = &report.criterion else { continue };
            left_out.extend(criterion.left_out.as_deref());
            let mut counts = SortedMap::new();
            for goal in &criterion.list {
                entries.entry(goal_name(goal, &mut counts)).or_default().push((entry, goal));
            }
        }
        let independent = self.independent(entries.values().filter_map(|found| Some(found.first()?.1)));
        let mut answer = JustifyCriterion {
            name: self.choice.criterion.id().to_owned(),
            pairs: (self.choice.criterion == Criterion::Mcdc).then(|| self.choice.pairs.id().to_owned()),
            left_out: left_out.into_iter().map(str::to_owned).collect(),
            ..JustifyCriterion::default()
        };
        for (name, found) in &entries {
            let judges = self.judges(found[0].1);
            if judges.is_empty() {
                continue;
            }
            let measure = self.measure(*name, found, &independent);
            match measure {
                GoalMeasure::Apart => continue,
                GoalMeasure::Covered => answer.covered += 1,
                GoalMeasure::Missing | GoalMeasure::Unclear => {
                    let goal = self.judged(judges, found, tests);
                    answer.list.push(JustifiedGoal { measured: measure == GoalMeasure::Missing, ..goal });
                }
            }
        }
        let of = |verdict| answer.list.iter().filter(|goal| goal.verdict == verdict).count() as u32;
        (answer.tested, answer.justified, answer.open) =
            (of(JustifyVerdict::Tested), of(JustifyVerdict::Justified), of(JustifyVerdict::Open));
        answer.total = answer.covered + answer.tested + answer.justified + answer.open;
        answer.sentence = self.sentence(&answer);
        answer
    }

    /// The entries that judge a goal.
    fn judges(&self, goal: &CriterionGoal) -> &[String] {
        let function = function_at(&self.program.program, goal.written.span.start);
        function.and_then(|function| self.program.entries.of.get(&function.name.text)).map_or(&[], |list| list)
    }

    /// The goal with the verdict of all its judges.
    fn judged(&self, judges: &[String], found: &[(&JudgedEntry, &CriterionGoal)], tests: &mut Vec<JustifyTest>) -> JustifiedGoal {
        let goal = found[0].1;
        let function = function_at(&self.program.program, goal.written.span.start);
        let mut judged = JustifiedGoal {
            function: function.map_or_else(String::new, |function| function.name.text.clone()),
            line: goal.line,
            column: goal.column,
            text: goal.text.clone(),
            decision: goal.decision.clone(),
            verdict: JustifyVerdict::Open,
            measured: true,
            tests: Vec::new(),
            why: None,
            assumes: Vec::new(),
        };
        let of_judge = |name: &String| found.iter().find(|(entry, _)| entry.function == *name);
        if let Some((entry, goal)) = judges.iter().filter_map(of_judge).find(|(_, goal)| goal.verdict == "covered") {
            judged.verdict = JustifyVerdict::Tested;
            judged.assumes.clone_from(&goal.assumes);
            let of_entry = &entry.report.as_ref().and_then(|report| report.criterion.as_ref()).expect("a goal is of a criterion").tests;
            for &number in &goal.tests {
                let test = &of_entry[number as usize];
                let test = JustifyTest {
                    function: entry.function.clone(),
                    input: test.input.clone(),
                    after: test.after.clone(),
                    assumes: test.assumes.clone(),
                };
                let at = tests.iter().position(|other| *other == test).unwrap_or(tests.len());
                if at == tests.len() {
                    tests.push(test);
                }
                judged.tests.push(at as u32);
            }
            return judged;
        }
        let is_several = judges.len() > 1;
        let mut reasons: Vec<String> = Vec::new();
        let mut lacking: SortedSet<Option<&str>> = SortedSet::new();
        for name in judges {
            let why = match of_judge(name) {
                None => Some("a call that leads to it is not followed".to_owned()),
                Some((_, goal)) if goal.verdict == "open" => Some(goal.why.clone().unwrap_or_default()),
                Some((entry, goal)) => {
                    let header = &entry.report.as_ref().expect("a goal is of a report").header;
                    let told = reason(header, goal);
                    reasons.push(if is_several { format!("in {name}: {told}") } else { told });
                    lacking.insert(goal.why.as_deref());
                    judged.assumes.extend(goal.assumes.iter().cloned());
                    None
                }
            };
            if let Some(why) = why {
                judged.why = Some(if is_several { format!("in {name}: {why}") } else { why });
                judged.assumes.clear();
                return judged;
            }
        }
        if self.choice.criterion == Criterion::Mcdc && lacking.len() > 1 {
            judged.why = Some(format!("its callers lack different evaluations ({}): a pair may be of two callers", reasons.join("; ")));
            judged.assumes.clear();
            return judged;
        }
        judged.assumes.arrange();
        judged.assumes.dedup();
        judged.verdict = JustifyVerdict::Justified;
        judged.why = Some(reasons.join("; "));
        judged
    }

    fn measure(&self, name: GoalName, found: &[(&JudgedEntry, &CriterionGoal)], independent: &SortedMap<GoalName, bool>) -> GoalMeasure {
        let (entry, goal) = found[0];
        let either = |is_covered: bool| if is_covered { GoalMeasure::Covered } else { GoalMeasure::Missing };
        match self.choice.criterion {
            Criterion::Statement => self.lines_of(goal.written.span).map_or(GoalMeasure::Unclear, |count| either(count > 0)),
            Criterion::Branch | Criterion::Condition => {
                let names = entry.written();
                let sides: Vec<_> = goal.written.sides.iter().map(|&side| names[side]).collect();
                match () {
                    () if sides.iter().any(|side| self.measurement.is_covered(side)) => GoalMeasure::Covered,
                    () if !sides.is_empty() && sides.iter().all(|side| self.measurement.is_apart(side)) => GoalMeasure::Apart,
                    () if sides.iter().all(|side| self.measurement.is_measured(side)) => GoalMeasure::Missing,
                    () => GoalMeasure::Unclear,
                }
            }
            Criterion::Mcdc => {
                let names = entry.written();
                let sides: Vec<_> = names.iter().filter(|side| side.span == goal.written.span).collect();
                match independent.get(&name) {
                    _ if sides.iter().any(|side| self.measurement.is_apart(side)) => GoalMeasure::Apart,
                    Some(&is_independent) => either(is_independent),
                    None if goal.decision.is_none() && sides.iter().all(|side| self.measurement.is_measured(side)) => {
                        either(sides.iter().all(|side| self.measurement.is_covered(side)))
                    }
                    None => GoalMeasure::Unclear,
                }
            }
            Criterion::Path => GoalMeasure::Unclear,
        }
    }

    /// The line of an offset in the file that has it.
    fn own_line<'f>(&self, file: &'f MeasuredFile, offset: u32) -> Option<(&'f MeasuredFile<'f>, u32)> {
        own_line(&self.program.lines, file.header.as_deref(), offset).map(|line| (file, line))
    }

    /// How often the first counted line of a text was executed.
    fn lines_of(&self, span: Span) -> Option<u64> {
        let (file, first) = self.files.iter().find_map(|file| self.own_line(file, span.start))?;
        let (_, last) = self.own_line(file, span.end.saturating_sub(1).max(span.start))?;
        file.coverage.count(first, last)
    }

    /// Of the conditions with a record of their decision, whether it shows them.
    fn independent<'g>(&self, goals: impl Iterator<Item = &'g CriterionGoal>) -> SortedMap<GoalName, bool> {
        let mut decisions: SortedMap<Span, Vec<GoalName>> = SortedMap::new();
        let mut counts = SortedMap::new();
        for goal in goals {
            let name = goal_name(goal, &mut counts);
            decisions.entry(name.decision).or_default().push(name);
        }
        let mut independent = SortedMap::new();
        for file in self.files {
            let of_file: Vec<(&Span, &Vec<GoalName>)> =
                decisions.iter().filter(|(decision, _)| self.own_line(file, decision.start).is_some()).collect();
            for (decision, conditions) in &of_file {
                let records: Vec<&Vec<bool>> = file
                    .coverage
                    .decisions
                    .iter()
                    .filter(|record| self.is_of(file, record, **decision, conditions.len()))
                    .map(|record| &record.independent)
                    .collect();
                let alike: Vec<&Span> = of_file
                    .iter()
                    .filter(|(other, others)| others.len() == conditions.len() && self.is_beside(file, **other, **decision))
                    .map(|(other, _)| *other)
                    .collect();
                let has_extent = file.coverage.decisions.iter().any(|record| record.extent.is_some());
                // Records without an extent stand in the order of the text.
                let record = match (has_extent, &records[..]) {
                    (true, [record]) => Some(*record),
                    (false, records) if records.len() == alike.len() => {
                        alike.iter().position(|other| other == decision).map(|at| records[at])
                    }
                    _ => None,
                };
                independent.extend(record.into_iter().flat_map(|record| conditions.iter().copied().zip(record.iter().copied())));
            }
        }
        independent
    }

    /// Whether a record may be of a decision with so many conditions.
    fn is_of(&self, file: &MeasuredFile, record: &DecisionRecord, decision: Span, conditions: usize) -> bool {
        let position = |offset: u32| self.own_line(file, offset).map(|(_, line)| (line, byte_column(&self.program.lines, offset)));
        let (Some(start), Some(end)) = (position(decision.start), position(decision.end)) else { return false };
        record.independent.len() == conditions
            && match record.extent {
                // The parentheses around it may be a part of one of the two.
                Some([first, last]) => (first <= start && end <= last) || (start <= first && last <= end),
                None => record.line == start.0,
            }
    }

    /// Whether two decisions start on one line.
    fn is_beside(&self, file: &MeasuredFile, one: Span, other: Span) -> bool {
        let line = |decision: Span| self.own_line(file, decision.start).map(|(_, line)| line);
        line(one) == line(other)
    }

    fn sentence(&self, answer: &JustifyCriterion) -> String {
        let JustifyCriterion { total, covered, tested, justified, open, .. } = *answer;
        let noun = self.choice.criterion.noun(total);
        let verdicts = match self.choice.criterion {
            Criterion::Mcdc => ["with a new pair of tests", "without a possible pair", "open"],
            _ => ["with a new test", "that no execution covers", "open"],
        };
        let parts = [tested, justified, open].into_iter().zip(verdicts).filter(|(count, _)| *count > 0);
        let told: Vec<String> = parts.map(|(count, words)| format!("{count} {words}")).collect();
        let of = answer.pairs.as_ref().map_or_else(String::new, |pairs| format!(" for {pairs} MC/DC"));
        match told.len() {
            0 => format!("The coverage has all {total} {noun}{of}."),
            _ => format!("The coverage has {covered} of {total} {noun}{of}: of the others {}.", told.join(", ")),
        }
    }
}
