//! The verdicts on the goals of a criterion: from those on statements and branches, or from the schedule on an unfolded graph.

use super::document::{CriterionDocument, CriterionGoal, CriterionTest, CriterionVector, GoalText};
use super::evaluations::{Evaluations, PairVerdict, values_text};
use super::goals::{COVERED, GoalList, GoalVerdict, INFEASIBLE, OPEN, OrdinaryVerdicts, goal, is_listed, tests_of, text_of};
use super::ordinary::{branches, conditions, statements};
use super::text::sentence;
use super::{Criterion, CriterionChoice};
use crate::analysis::cover::report::sized::sized_as;
use crate::analysis::report::entries::ledger;
use crate::analysis::settle::{EngineSettings, SettledProgram, settled_goals};
use crate::ledger::LedgerVerdict;
use crate::load::{Loaded, load_assuming, warning};
use crate::logic::{Arrange, SortedMap};
use crate::lts::sides::{Side, sides, without_copies};
use crate::lts::unfold::decisions::{Vector, WholeDecision};
use crate::lts::unfold::prime_paths::MAX_PATHS;
use crate::lts::unfold::{Completed, GraphUnfolding, MAX_VECTORS, UnfoldObstacle, Unfolded};
use crate::lts::written::condition_of;
use crate::lts::{EdgeId, Label};
use crate::run::listener::Listener;
use crate::view::{Diagnostic, Header, Request};

/// The goals of a criterion with their verdicts, beside what is settled of the function's graph.
///
/// # Errors
/// Why the program is refused.
pub fn criterion_document(
    request: &Request,
    choice: CriterionChoice,
    ordinary: &OrdinaryVerdicts,
    listener: &mut Listener,
) -> Result<CriterionDocument, Vec<Diagnostic>> {
    let document = match choice.criterion {
        Criterion::Statement => statements(ordinary),
        Criterion::Branch => branches(request, ordinary),
        Criterion::Condition => conditions(request, ordinary),
        Criterion::Mcdc => {
            let unfolded = UnfoldedVerdicts::of(&same_depth(request, ordinary), GraphUnfolding::Decisions, listener)?;
            unfolded.mcdc(choice)
        }
        Criterion::Path => UnfoldedVerdicts::of(&same_depth(request, ordinary), GraphUnfolding::PrimePaths, listener)?.paths(),
    };
    Ok(finished(document, choice))
}

/// The request with the depth to which calls are inlined in the function's graph, so that one depth holds for all verdicts.
fn same_depth(request: &Request, ordinary: &OrdinaryVerdicts) -> Request {
    Request { inline_depth: Some(ordinary.settled.sized.loaded.options.inline_depth), ..request.clone() }
}

/// The listener without the claims: those on the function's graph, where an evidence file has those on the unfolded graph.
pub fn without_claims<'l>(listener: &'l mut Listener) -> Listener<'l> {
    Listener { event: &mut *listener.event, findings: listener.findings, claims: None, query: None }
}

/// The document of a criterion, with the tests that its goals name and the counts of their verdicts.
fn finished(GoalList { mut goals, mut vectors, tests, left_out, header }: GoalList, choice: CriterionChoice) -> CriterionDocument {
    goals.arrange_by_key(|goal| (goal.line, goal.column));
    let mut numbers: SortedMap<u32, u32> = SortedMap::new();
    let mut kept = Vec::new();
    let named = goals.iter_mut().flat_map(|goal| &mut goal.tests);
    for test in named.chain(vectors.iter_mut().flat_map(|vector| &mut vector.test)) {
        *test = *numbers.entry(*test).or_insert_with(|| {
            kept.push(tests[*test as usize].clone());
            kept.len() as u32 - 1
        });
    }
    let of = |verdict: &str| goals.iter().filter(|goal| goal.verdict == verdict).count() as u32;
    let [name, pairs] = [choice.criterion.id(), choice.pairs.id()].map(str::to_owned);
    let mut document = CriterionDocument {
        name,
        pairs: (choice.criterion == Criterion::Mcdc).then_some(pairs),
        sentence: String::new(),
        total: goals.len() as u32,
        covered: of(COVERED),
        infeasible: of(INFEASIBLE),
        open: of(OPEN),
        left_out,
        list: goals,
        vectors,
        tests: kept,
        header,
    };
    document.sentence = sentence(&document, choice.criterion);
    document
}

/// What the engines settle of an unfolded graph.
struct UnfoldedVerdicts {
    settled: SettledProgram,
    /// For each vector or path that the graph has the number of its goal.
    goals: SortedMap<Completed, usize>,
    verdicts: Vec<GoalVerdict>,
    tests: Vec<CriterionTest>,
    header: Box<Header>,
}

impl UnfoldedVerdicts {
    fn of(request: &Request, unfolding: GraphUnfolding, listener: &mut Listener) -> Result<UnfoldedVerdicts, Vec<Diagnostic>> {
        let settings = EngineSettings::default();
        let sized = sized_as(request, &settings.cover, &|request| Ok(load_assuming(request, None)?.unfold(unfolding)))?;
        let lts = &sized.loaded.lts;
        // Evidence of the criterion has that of the branches, too.
        let mut sides = sides(lts);
        let decisions = lts.decisions();
        let mut goals = SortedMap::new();
        for (completed, edges) in &unfolded_of(&sized.loaded).completed {
            if let Completed::Vector(decision, _) = completed
                && !is_listed(lts, decisions[*decision])
            {
                continue;
            }
            let span = lts.graph[edges[0]].span;
            goals.insert(completed.clone(), sides.len());
            sides.push(Side { span, holds: true, edges: edges.clone() });
        }
        let settled = settled_goals(request, &settings, sized, sides, listener)?;
        let covered = settled.cover_document(request).expect("Cover begins");
        let searched = settled.branches_document(request);
        let ledger = ledger(&settled, &covered, searched.as_ref());
        let mut header = Box::new(covered.header);
        header.assumptions.extend(searched.into_iter().flat_map(|document| document.header.assumptions));
        for &goal in &ledger.contradicted {
            let text = &ledger.branches[goal].name.text;
            let fault =
                format!("this is a fault of culdesac: a replayed test covers a goal at `{text}`, and a proof says that no execution does");
            header.diagnostics.push(warning("contradiction", fault));
        }
        let tests = tests_of(&ledger);
        let verdicts = ledger.branches.into_iter().map(|branch| branch.verdict).collect();
        Ok(UnfoldedVerdicts { settled, goals, verdicts, tests, header })
    }

    fn loaded(&self) -> &Loaded {
        &self.settled.sized.loaded
    }

    fn verdict(&self, completed: &Completed, otherwise: &str) -> GoalVerdict {
        match self.goals.get(completed) {
            Some(&number) => self.verdicts[number].clone(),
            None => LedgerVerdict::Open { why: otherwise.to_owned(), state: None },
        }
    }

    fn mcdc(self, choice: CriterionChoice) -> GoalList {
        let loaded = self.loaded();
        let lts = &loaded.lts;
        let decisions = lts.decisions();
        let mut list = GoalList { tests: self.tests.clone(), header: Some(self.header.clone()), ..GoalList::default() };
        for (number, decision) in decisions.iter().copied().enumerate().filter(|(_, decision)| is_listed(lts, decision)) {
            let obstacle = unfolded_of(loaded).obstacles.get(&number);
            let vectors = obstacle.is_none().then(|| decision.vectors(MAX_VECTORS)).flatten().unwrap_or_default();
            let verdicts: Vec<GoalVerdict> = (vectors.iter())
                .map(|vector| self.verdict(&Completed::Vector(number, vector.clone()), "the graph has no such evaluation"))
                .collect();
            let evaluations = Evaluations { decision, vectors: &vectors, verdicts: &verdicts, first: list.vectors.len() as u32 };
            for (position, &condition) in decision.conditions.iter().enumerate() {
                let verdict = match obstacle {
                    Some(obstacle) => PairVerdict { why: Some(obstacle.to_string()), ..PairVerdict::open() },
                    None => evaluations.pair(position, choice),
                };
                list.goals.push(self.condition(decision, condition, verdict));
            }
            if decision.conditions.len() > 1 {
                list.vectors.extend(vectors.iter().zip(&verdicts).map(|(vector, verdict)| self.vector(decision, vector, verdict)));
            }
        }
        list
    }

    /// The goal of a condition.
    fn condition(&self, decision: &WholeDecision, condition: u32, verdict: PairVerdict) -> CriterionGoal {
        let loaded = self.loaded();
        let lts = &loaded.lts;
        let edge = lts.graph.edge_indices().find(|&edge| lts.graph[edge].decision == Some(condition)).expect("a listed decision");
        let taken = &lts.graph[edge];
        let text = condition_of(lts, loaded.lines.text(), taken).unwrap_or_else(|| loaded.source_text(edge)).text;
        let position = loaded.lines.position(taken.span.start);
        let mut assumes: Vec<String> = verdict.tests.iter().flat_map(|&test| self.tests[test as usize].assumes.clone()).collect();
        assumes.extend(verdict.assumes);
        assumes.arrange();
        assumes.dedup();
        CriterionGoal {
            line: position.line,
            column: position.column,
            text: without_copies(&text),
            decision: (decision.conditions.len() > 1).then(|| text_of(loaded, decision.span)),
            verdict: verdict.verdict,
            tests: verdict.tests,
            vectors: verdict.vectors,
            because: verdict.because,
            why: verdict.why,
            assumes,
            written: GoalText { span: taken.span, decision: decision.span, sides: Vec::new() },
        }
    }

    fn vector(&self, decision: &WholeDecision, vector: &Vector, verdict: &GoalVerdict) -> CriterionVector {
        let CriterionGoal { line, column, text, verdict, tests, because, why, assumes, .. } =
            goal(self.loaded(), decision.span, text_of(self.loaded(), decision.span), verdict, &self.tests);
        let (values, test) = (values_text(vector), tests.first().copied());
        CriterionVector { line, column, decision: text, values, outcome: vector.outcome, verdict, test, because, why, assumes }
    }

    fn paths(self) -> GoalList {
        let loaded = self.loaded();
        let lts = &loaded.lts;
        let unfolded = unfolded_of(loaded);
        let mut copies: SortedMap<EdgeId, EdgeId> = SortedMap::new();
        for (&origin, copy) in unfolded.origins.iter().zip(lts.graph.edge_indices()) {
            copies.entry(origin).or_insert(copy);
        }
        let mut list = GoalList { tests: self.tests.clone(), header: Some(self.header.clone()), ..GoalList::default() };
        for (number, path) in unfolded.paths.paths.iter().enumerate() {
            // Every edge of a graph whose locations the entry leads to has a copy, unless there is no unfolded graph.
            let edges: Vec<EdgeId> = path.iter().filter_map(|edge| copies.get(edge).copied()).collect();
            let verdict = self.verdict(&Completed::Path(number), &UnfoldObstacle::TooLarge.to_string());
            let is_decision = |edge: &&EdgeId| matches!(lts.graph[**edge].label, Label::Assume { .. }) && !lts.graph[**edge].library;
            let decisions: Vec<String> =
                edges.iter().filter(is_decision).map(|&edge| without_copies(&loaded.source_text(edge).text)).collect();
            let text = if decisions.is_empty() { "no decision".to_owned() } else { decisions.join(", ") };
            let span = edges.iter().map(|&edge| lts.graph[edge].span).find(|span| span.start < span.end).unwrap_or_default();
            list.goals.push(goal(loaded, span, text, &verdict, &self.tests));
        }
        if unfolded.paths.is_cut {
            list.left_out = Some(format!("the function has more than {MAX_PATHS} prime paths; these are the first"));
        }
        list
    }
}

fn unfolded_of(loaded: &Loaded) -> &Unfolded {
    loaded.unfolded.as_ref().expect("the graph is unfolded")
}
