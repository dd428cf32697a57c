//! The covering algorithms: which question comes next (CHS12, Sections 5 and 7).
//!
//! All ask one incremental solver about one formula, `VC`, and add little to it.
//!
//! - *AlgPC*: a blocking clause for each path it finds, until nothing is left. The clause names only the blocks of the path:
//!   another path leaves out one of them, since complete paths of a graph without loops never contain each other.
//! - *AlgSC*: an enabling clause, the disjunction of all `R` whose block has an uncovered edge. Clones go with their original,
//!   since it counts edges, not copies. DIVERGENCE: where nothing is left, it does not ask the solver whether `false` holds.
//! - *AlgFM*: one question for each minimal block. A block is minimal if the executions of no other block are a part of its own:
//!   if it neither dominates nor postdominates another one.
//! - *AlgVSTTE*: at least `n` uncovered minimal blocks, by a sum over their marks. `n` starts with the greatest number on a path
//!   of the graph; a refutation halves it; a refutation at 1 says that nothing is left. (The greedy search of the paper's
//!   reference \[3\]; the paper does not say how that lowers `n`.)
//!
//! These two do not know `R`: each minimal block has a helper variable in the program itself, which takes part in single static
//! assignment ([`Helpers::Marks`]; Section 7 names this as the main difference).
//!
//! - *Prefer*, ours: AlgSC, whose solver decides first that uncovered blocks hold, so that a model covers many. The paper's
//!   future work, without any sum.

use super::test::{self, Test, walk};
use super::{Algorithm, CoverPlan};
use crate::evidence::bounded::condition::{Condition, Helpers, condition};
use crate::evidence::bounded::unwind::Unwound;
use crate::interp::Machine;
use crate::logic::{Assignment, FormulaId, Linear, Pool, SortedMap, SortedSet};
use crate::lts::inputs::{Inputs, inputs};
use crate::lts::{EdgeId, Lts};
use crate::run::trace::{Event, Trace};
use crate::search::{approximation_reason, no_text, settle, settle_text};
use crate::solver::meter::Meter;
use crate::solver::meter::within;
use crate::solver::{Answer, Context, Reason, check};
use crate::symex::nondet_name;

/// Steps of a question for each arc of the unwound program, where these are more than [`crate::solver::QUERY_LIMIT`].
const QUERY_STEPS: u64 = 256;

/// Steps for finding values of operators on bits.
pub const SETTLING: u64 = 500_000;
/// Paths that are tried for a text on standard input.
const PATHS: u32 = 16;

/// What came of one question.
pub enum QueryResult {
    Test,
    /// Nothing is left; the checker accepted why.
    Nothing,
    Open(Reason),
}

/// A function within a bound of its loops: the unwinding, and its reachability condition.
#[derive(Clone, Copy)]
pub struct BoundedProgram<'a> {
    pub lts: &'a Lts,
    pub unwound: &'a Unwound,
    pub condition: &'a Condition,
}

/// The state of a search.
pub struct CoverSearch<'a, 'm, 't> {
    pub lts: &'a Lts,
    pub unwound: &'a Unwound,
    pub condition: &'a Condition,
    pub context: Context,
    pub meter: &'a mut Meter<'m>,
    pub trace: &'a Trace<'t>,
    pub machine: &'a Machine<'a>,
    inputs: Inputs,
    small: bool,
    /// For each edge the first test that takes it.
    pub covered: Vec<Option<usize>>,
    pub tests: Vec<Test>,
    /// Questions to the solver.
    pub queries: u32,
}

impl<'a, 'm, 't> CoverSearch<'a, 'm, 't> {
    /// Searches with at most `steps` of the steps that are left.
    pub fn within<T>(&mut self, steps: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        within(self, |search| &mut *search.meter, steps, work)
    }

    /// A search with the condition asserted; `context` holds its terms.
    pub fn new(
        machine: &'a Machine<'a>,
        BoundedProgram { lts, unwound, condition }: BoundedProgram<'a>,
        mut context: Context,
        settings: &CoverPlan,
        meter: &'a mut Meter<'m>,
        trace: &'a Trace<'t>,
    ) -> CoverSearch<'a, 'm, 't> {
        context.assert(condition.complete);
        // A decision looks at much of what is decided already.
        context.query_limit = context.query_limit.max(QUERY_STEPS * unwound.arcs.len() as u64);
        CoverSearch {
            lts,
            unwound,
            condition,
            context,
            meter,
            trace,
            machine,
            inputs: inputs(lts),
            small: settings.small,
            covered: vec![None; lts.graph.edge_count()],
            tests: Vec::new(),
            queries: 0,
        }
    }

    /// Runs an algorithm to its end; gives why it ended early, if it did.
    pub fn run(&mut self, algorithm: Algorithm) -> Option<Reason> {
        match algorithm {
            Algorithm::Pc => self.paths(),
            Algorithm::Sc => self.statements(false).err(),
            Algorithm::Prefer => self.statements(true).err(),
            Algorithm::Fm => self.minimal_one_by_one(),
            Algorithm::Vstte => self.most_at_once(),
        }
    }

    fn ask(&mut self, assumptions: &[FormulaId]) -> Answer {
        self.queries += 1;
        self.context.push();
        for &formula in assumptions {
            self.context.assert(formula);
        }
        let mut answer = self.context.check(self.meter);
        self.trace.emit(Event::Query { context: &self.context, answer: &answer });
        if let Answer::Unsat(refutation) = &answer {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&at| self.context.assertions()[at]).collect();
            let verdict = check::check(&self.context.pool, &core, &refutation.certificate);
            debug_assert!(verdict.is_ok(), "{verdict:?}");
            if verdict.is_err() {
                answer = Answer::Unknown(Reason::Rejected);
            }
        }
        self.context.pop();
        answer
    }

    /// Asks for an execution with these properties and keeps it as a test, if its replay takes the path.
    fn find(&mut self, assumptions: &[FormulaId]) -> QueryResult {
        match self.ask(assumptions) {
            Answer::Sat(model) => match self.keep(&model) {
                Ok(()) => QueryResult::Test,
                Err(Reason::Text) => self.told(assumptions, &model),
                Err(Reason::Rejected) => self.settle(assumptions, &model),
                Err(reason) => QueryResult::Open(reason),
            },
            Answer::Unsat(_) => QueryResult::Nothing,
            Answer::Unknown(reason) => QueryResult::Open(reason),
        }
    }

    /// A test for a model whose input does not take its path, where operators on bits may be the reason.
    fn settle(&mut self, assumptions: &[FormulaId], model: &Assignment) -> QueryResult {
        let mut context = std::mem::take(&mut self.context);
        let mut meter = Meter::new(self.meter.limit().saturating_sub(self.meter.used()).min(SETTLING));
        context.push();
        for &formula in assumptions {
            context.assert(formula);
        }
        let settled = settle(&mut context, model, &mut meter, &mut |context, model| {
            std::mem::swap(context, &mut self.context);
            let kept = self.keep(model).is_ok();
            std::mem::swap(context, &mut self.context);
            kept
        });
        context.pop();
        self.context = context;
        let _ = self.meter.spend(meter.used());
        match settled {
            Some(true) => QueryResult::Test,
            Some(false) => QueryResult::Open(Reason::Bits),
            None => QueryResult::Open(self.without_test(Reason::Rejected)),
        }
    }

    /// A test for a model whose values no text on standard input gives: of its path, or of others.
    fn told(&mut self, assumptions: &[FormulaId], model: &Assignment) -> QueryResult {
        let mut context = std::mem::take(&mut self.context);
        let mut meter = Meter::new(self.meter.limit().saturating_sub(self.meter.used()).min(SETTLING));
        context.push();
        for &formula in assumptions {
            context.assert(formula);
        }
        let mut next = Some(model.clone());
        let mut told = None;
        for _ in 0..PATHS {
            let Some(found) = next.take() else { break };
            let arcs = walk(self.unwound, &self.condition.arcs, &context.pool, &found);
            told = self.told_along(&mut context, &self.condition.arcs, &arcs, &found, &mut meter);
            if told.is_some() {
                break;
            }
            let taken: Vec<FormulaId> = arcs.iter().map(|&arc| self.condition.arcs[arc]).collect();
            let along = context.pool.and(&taken);
            let another = context.pool.not(along);
            context.assert(another);
            if let Answer::Sat(model) = context.check(&mut meter) {
                next = Some(Assignment::clone(&model));
            }
        }
        context.pop();
        self.context = context;
        let _ = self.meter.spend(meter.used());
        let kept = told.ok_or(Reason::Text).and_then(|told| self.keep(&told));
        kept.map_or_else(|reason| QueryResult::Open(self.without_test(reason)), |()| QueryResult::Test)
    }

    /// The reason of an open verdict whose model gave no test. Of a program that reads standard input the model has more executions than there are
    /// texts, so that a model without a test is no fault of the solver.
    pub fn without_test(&self, reason: Reason) -> Reason {
        match reason {
            Reason::Rejected if !self.lts.approximated().is_empty() => approximation_reason(self.lts),
            Reason::Rejected if self.machine.reads_stdin() => Reason::Text,
            reason => reason,
        }
    }

    /// A model of what is asserted that takes the path of another one, by values that some text on standard input gives; `ways` are the
    /// formulas of all arcs.
    pub fn told_along(
        &self,
        context: &mut Context,
        ways: &[FormulaId],
        arcs: &[usize],
        model: &Assignment,
        meter: &mut Meter,
    ) -> Option<Assignment> {
        let path: Vec<EdgeId> = self.unwound.edges(arcs).collect();
        let numbers = arcs.iter().flat_map(|&arc| (0..self.condition.nondet[arc].1).map(move |at| (arc, at)));
        let numbers: Vec<u32> = numbers.map(|(arc, at)| self.condition.nondet[arc].0 + at).collect();
        let replay = |pool: &mut Pool, model: &Assignment| {
            let input = test::input(self.lts, &self.inputs, self.condition, pool, model, arcs);
            self.machine.replay(&input, &path)
        };
        let why = match replay(&mut context.pool, model) {
            Ok(()) => return Some(model.clone()),
            Err(mismatch) => no_text(mismatch)?,
        };
        context.push();
        for &arc in arcs {
            context.assert(ways[arc]);
        }
        let mut told = None;
        // The arcs number what they draw, each in its own way.
        let mut drawn = |context: &mut Context, number: usize| Some(context.pool.integer(&nondet_name(*numbers.get(number)?)));
        settle_text(context, model, why, meter, &mut drawn, &mut |context, model| {
            replay(&mut context.pool, model).map(|()| told = Some(model.clone()))
        });
        context.pop();
        told
    }

    /// Keeps the test of a model.
    ///
    /// # Errors
    /// Where the replay leaves the path: then there is no test.
    fn keep(&mut self, model: &Assignment) -> Result<(), Reason> {
        let arcs = walk(self.unwound, &self.condition.arcs, &self.context.pool, model);
        let last = arcs.last().map_or(0, |&arc| self.unwound.arcs[arc].to);
        if self.unwound.nodes[last] != self.lts.exit {
            return Err(Reason::Rejected);
        }
        let number = self.tests.len();
        self.keep_walk(model, &arcs)?;
        for edge in self.unwound.edges(&arcs) {
            self.covered[edge.index()].get_or_insert(number);
        }
        Ok(())
    }

    /// Adds the test of a walk.
    ///
    /// # Errors
    /// As `keep`.
    pub fn keep_walk(&mut self, model: &Assignment, arcs: &[usize]) -> Result<(), Reason> {
        let input = test::input(self.lts, &self.inputs, self.condition, &mut self.context.pool, model, arcs);
        let path: Vec<EdgeId> = self.unwound.edges(arcs).collect();
        let meter = self.small.then_some(&mut *self.meter);
        let reads = self.machine.reads_stdin();
        if reads && self.machine.replay(&input, &path).err().and_then(no_text).is_some() {
            return Err(Reason::Text);
        }
        let test = test::replayed(self.lts, &self.inputs, self.machine, input, path, meter).ok_or(Reason::Rejected)?;
        self.trace.claim(Event::Reached { path: &test.path, input: &test.input, after: &test.after })?;
        self.tests.push(test);
        Ok(())
    }

    /// Looks for these edges alone.
    pub fn only(&mut self, goals: &SortedSet<EdgeId>) {
        for edge in self.lts.graph.edge_indices().filter(|edge| !goals.contains(edge)) {
            self.covered[edge.index()] = Some(0);
        }
    }

    /// Finds no test that takes one of these edges.
    pub fn forbid(&mut self, edges: &[EdgeId]) {
        for (arc, &taken) in self.unwound.arcs.iter().zip(&self.condition.arcs) {
            if edges.contains(&arc.edge) {
                let never = self.context.pool.not(taken);
                self.context.assert(never);
            }
        }
    }

    /// Begins with a test that the caller knows.
    pub fn know(&mut self, test: Test) {
        if self.trace.claim(Event::Reached { path: &test.path, input: &test.input, after: &test.after }).is_err() {
            return;
        }
        for edge in &test.path {
            self.covered[edge.index()].get_or_insert(self.tests.len());
        }
        self.tests.push(test);
    }

    /// Whether a block has an edge that no test takes.
    fn is_open(&self, block: usize) -> bool {
        self.unwound.edges(&self.unwound.blocks[block].arcs).any(|edge| self.covered[edge.index()].is_none())
    }

    fn paths(&mut self) -> Option<Reason> {
        self.context.push();
        // Symbols for the `R_i`: the solver checks a model against every blocking clause, and would evaluate each down to the
        // inputs.
        let names: Vec<FormulaId> = (0..self.unwound.blocks.len()).map(|block| self.context.pool.boolean(&format!("R@{block}"))).collect();
        for (&name, &reached) in names.iter().zip(&self.condition.reached) {
            let pool = &mut self.context.pool;
            let (unnamed, missed) = (pool.not(name), pool.not(reached));
            for side in [[unnamed, reached], [name, missed]] {
                let implied = self.context.pool.or(&side);
                self.context.assert(implied);
            }
        }
        for path in self.tests.iter().map(|test| test.path.clone()).collect::<Vec<_>>() {
            // What the bound leaves out is no path here.
            if let Some(blocks) = self.blocks(&path) {
                self.block(&blocks, &names);
            }
        }
        let mut open = None;
        // If a question takes too long, ask it again for each way to go on: at the latest of a whole path.
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(prefix) = waiting.pop() {
            if let Err(why) = self.meter.spend(1) {
                open = Some(why.into());
                break;
            }
            let before = self.tests.len();
            let passed: Vec<FormulaId> = prefix.iter().map(|&block| names[block]).collect();
            match self.find(&passed) {
                QueryResult::Test => {
                    let path = self.tests[before].path.clone();
                    let Some(blocks) = self.blocks(&path) else {
                        debug_assert!(false, "a test of this search is within the bound");
                        open = Some(Reason::Rejected);
                        break;
                    };
                    self.block(&blocks, &names);
                    // Prefer a path close to this one, so that most of what the solver found out is still of use.
                    let passed: Vec<FormulaId> = blocks.iter().map(|&block| names[block]).collect();
                    self.context.prefer(&passed);
                    waiting.push(prefix);
                }
                QueryResult::Nothing => {}
                QueryResult::Open(reason) if self.meter.is_exhausted() || reason == Reason::Cancelled => {
                    open = Some(reason);
                    break;
                }
                QueryResult::Open(reason) => {
                    let node = prefix.last().map_or(0, |&block| self.unwound.blocks[block].end);
                    let next = &self.unwound.starting[node];
                    if reason != Reason::Steps || next.is_empty() {
                        open = Some(reason);
                    }
                    if reason == Reason::Steps {
                        waiting.extend(next.iter().map(|&block| [&prefix[..], &[block]].concat()));
                    }
                }
            }
        }
        self.context.prefer(&[]);
        self.context.pop();
        open
    }

    /// The blocks of a complete path; `None` where the bound leaves it out.
    fn blocks(&self, path: &[EdgeId]) -> Option<Vec<usize>> {
        let (mut node, mut at, mut blocks) = (0, 0, Vec::new());
        while let Some(edge) = path.get(at) {
            let start = |block: &&usize| self.unwound.edges(&self.unwound.blocks[**block].arcs).next() == Some(*edge);
            let block = *self.unwound.starting[node].iter().find(start)?;
            at += self.unwound.blocks[block].arcs.len();
            node = self.unwound.blocks[block].end;
            blocks.push(block);
        }
        Some(blocks)
    }

    /// Asserts that a model passes not all of these blocks.
    fn block(&mut self, blocks: &[usize], names: &[FormulaId]) {
        let missed: Vec<FormulaId> = blocks.iter().map(|&block| self.context.pool.not(names[block])).collect();
        let blocking = self.context.pool.or(&missed);
        self.context.assert(blocking);
    }

    /// AlgSC. Where a question takes too long, it asks it again of half of the blocks at a time; it sets a single block aside for
    /// which that does not help.
    ///
    /// # Errors
    /// Why it set some blocks aside, or why the whole run has to end.
    pub fn statements(&mut self, prefer: bool) -> Result<(), Reason> {
        self.statements_of((0..self.unwound.blocks.len()).collect(), prefer)
    }

    /// [`CoverSearch::statements`] for blocks that have one of these edges.
    ///
    /// # Errors
    /// As there.
    pub fn with_edges(&mut self, edges: &[EdgeId]) -> Result<(), Reason> {
        let has_one = |block: &usize| self.unwound.edges(&self.unwound.blocks[*block].arcs).any(|edge| edges.contains(&edge));
        self.statements_of((0..self.unwound.blocks.len()).filter(has_one).collect(), false)
    }

    fn statements_of(&mut self, blocks: Vec<usize>, prefer: bool) -> Result<(), Reason> {
        let mut open = None;
        // The first question has no enabling clause: no test covers anything yet.
        let mut waiting = vec![blocks];
        let mut prefer = prefer;
        while let Some(mut blocks) = waiting.pop() {
            self.meter.spend(1)?;
            blocks.retain(|&block| self.is_open(block) && self.condition.reached[block] != Pool::FALSE);
            if blocks.is_empty() && !self.tests.is_empty() {
                continue;
            }
            let goals: Vec<FormulaId> = blocks.iter().map(|&block| self.condition.reached[block]).collect();
            if prefer {
                self.context.prefer(&goals);
            }
            let enabling = self.context.pool.or(&goals);
            let found = if self.tests.is_empty() && waiting.is_empty() { self.find(&[]) } else { self.find(&[enabling]) };
            match found {
                QueryResult::Test => waiting.push(blocks),
                QueryResult::Nothing => {}
                QueryResult::Open(Reason::Steps) if !self.meter.is_exhausted() && (prefer || blocks.len() > 1) => {
                    if prefer {
                        // What the solver prefers may be what is hard.
                        prefer = false;
                        self.context.prefer(&[]);
                        waiting.push(blocks);
                    } else {
                        let half = blocks.split_off(blocks.len() / 2);
                        waiting.extend([half, blocks]);
                    }
                }
                QueryResult::Open(reason) if self.meter.is_exhausted() || reason == Reason::Cancelled => return Err(reason),
                QueryResult::Open(reason) => open = Some(reason),
            }
        }
        open.map_or(Ok(()), Err)
    }

    /// AlgFM.
    fn minimal_one_by_one(&mut self) -> Option<Reason> {
        let groups: Vec<Vec<usize>> = minimal(self.lts, self.unwound).into_values().collect();
        self.with_marks(&groups, |search, marks| {
            let mut open = None;
            for mark in marks {
                if let Err(why) = search.meter.spend(1) {
                    return Some(why.into());
                }
                let passed = search.context.pool.equal(mark, &Linear::constant(1));
                if let QueryResult::Open(reason) = search.find(&[passed]) {
                    open = Some(reason);
                }
            }
            open
        })
    }

    /// AlgVSTTE.
    fn most_at_once(&mut self) -> Option<Reason> {
        let (edges, groups): (Vec<EdgeId>, Vec<Vec<usize>>) = minimal(self.lts, self.unwound).into_iter().unzip();
        self.with_marks(&groups, |search, marks| {
            let mut least = usize::MAX;
            loop {
                if let Err(why) = search.meter.spend(1) {
                    return Some(why.into());
                }
                let open: Vec<usize> = (0..groups.len()).filter(|&at| search.covered[edges[at].index()].is_none()).collect();
                if open.is_empty() && !search.tests.is_empty() {
                    return None;
                }
                let blocks = open.iter().flat_map(|&at| &groups[at]).copied();
                least = least.min(longest(search.unwound, blocks)).max(1);
                let sum = open.iter().fold(Linear::default(), |sum, &at| sum.add(&marks[at]));
                let enough = search.context.pool.at_most(&Linear::constant(least), &sum);
                match search.find(&[enough]) {
                    QueryResult::Test => {}
                    QueryResult::Nothing if least == 1 => return None,
                    QueryResult::Nothing => least /= 2,
                    QueryResult::Open(reason) => return Some(reason),
                }
            }
        })
    }

    /// Works on the condition that has a mark for each of these groups, instead of the plain one.
    fn with_marks(&mut self, groups: &[Vec<usize>], work: impl FnOnce(&mut Self, &[Linear]) -> Option<Reason>) -> Option<Reason> {
        let mut context = Context::new();
        std::mem::swap(&mut context.pool, &mut self.context.pool);
        // The plain condition exists, and marks bring no arrays.
        let Ok(marked) = condition(self.lts, self.unwound, &mut context.pool, Helpers::Marks(groups)) else {
            std::mem::swap(&mut context.pool, &mut self.context.pool);
            return Some(Reason::Rejected);
        };
        context.assert(marked.complete);
        std::mem::swap(&mut context, &mut self.context);
        let open = work(self, &marked.marks);
        std::mem::swap(&mut context, &mut self.context);
        std::mem::swap(&mut context.pool, &mut self.context.pool);
        open
    }
}

/// The greatest number of these blocks on a path of the graph.
fn longest(unwound: &Unwound, blocks: impl Iterator<Item = usize>) -> usize {
    let mut counts = vec![0; unwound.blocks.len()];
    blocks.for_each(|block| counts[block] = 1);
    let mut most = vec![0; unwound.nodes.len()];
    for (number, block) in unwound.blocks.iter().enumerate() {
        most[block.end] = most[block.end].max(most[block.start] + counts[number]);
    }
    most.into_iter().max().unwrap_or(0)
}

/// The minimal blocks, copies together, by their first edge.
fn minimal(lts: &Lts, unwound: &Unwound) -> SortedMap<EdgeId, Vec<usize>> {
    let completes = unwound.completes(lts.exit);
    let of_interest: Vec<usize> = (0..unwound.blocks.len()).filter(|&block| completes[unwound.blocks[block].end]).collect();
    let words = of_interest.len().div_ceil(64);
    let position: SortedMap<usize, usize> = of_interest.iter().enumerate().map(|(position, &block)| (block, position)).collect();
    // Which blocks every path to each block passes, and which every path from it.
    let all = |forward: bool| -> Vec<Vec<u64>> {
        let mut sets = vec![vec![0; words]; of_interest.len()];
        let order: Vec<usize> = if forward { (0..of_interest.len()).collect() } else { (0..of_interest.len()).rev().collect() };
        for at in order {
            let block = &unwound.blocks[of_interest[at]];
            let beside = if forward { &unwound.ending[block.start] } else { &unwound.starting[block.end] };
            let edge = if forward { block.start == 0 } else { unwound.nodes[block.end] == lts.exit };
            let mut met: Option<Vec<u64>> = edge.then(|| vec![0; words]);
            for other in beside.iter().filter_map(|block| position.get(block)) {
                met = Some(match met {
                    None => sets[*other].clone(),
                    Some(met) => met.iter().zip(&sets[*other]).map(|(a, b)| a & b).collect(),
                });
            }
            let mut set = met.unwrap_or_else(|| vec![0; words]);
            set[at / 64] |= 1 << (at % 64);
            sets[at] = set;
        }
        sets
    };
    let (before, after) = (all(true), all(false));
    let passes = |at: usize, other: usize| (before[at][other / 64] | after[at][other / 64]) >> (other % 64) & 1 == 1;
    let mut groups: SortedMap<EdgeId, Vec<usize>> = SortedMap::new();
    for other in 0..of_interest.len() {
        // A block all of whose executions pass this one, and not the other way round.
        let larger = (0..of_interest.len()).any(|at| at != other && passes(at, other) && (!passes(other, at) || at < other));
        if !larger && let Some(edge) = unwound.edges(&unwound.blocks[of_interest[other]].arcs).next() {
            groups.entry(edge).or_default().push(of_interest[other]);
        }
    }
    groups
}
