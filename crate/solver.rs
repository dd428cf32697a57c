//! The solver: decides conjunctions of formulas over integers and arrays, exactly, and says why.
//!
//! [`Context::check`] answers [`Answer::Sat`] with a model under which every assertion evaluates to true, or
//! [`Answer::Unsat`] with the assertions needed and a certificate that [`check`] accepts, or [`Answer::Unknown`] with the
//! reason. It knows nothing of programs, clocks or randomness: same calls, same answers, same number of steps. (The one
//! clock below this module is the watchdog of [`adviser`], which [`Context::check`] does not use.)
//!
//! In reading order: [`certificate`] and [`check`] (what is believed), [`meter`] (the step limit), `literal`, `encode`
//! (formulas to clauses and columns), `search` (conflict-driven boolean search), `simplex` over `rational`, `lattice`
//! (whole numbers), `theory` (what else the candidate has to satisfy: arrays, division, products). On top of these:
//! [`questions`] (made of several checks), [`reuse`] (of answers), [`projection`] (eliminating variables), [`relaxation`]
//! (over the rationals only), [`interpolate`] (from certificates), [`optimise`] with [`adviser`] and `region`.
//!
//! A context keeps its state from check to check: the clause set holds only what is true under every assignment, each
//! assertion is a decision level of its own, and simplex keeps its basis. So a walk that pushes and pops one branch
//! condition at a time pays only for what changes.
//!
//! # Example
//!
//! ```
//! use culdesac::logic::Linear;
//! use culdesac::solver::{Answer, Context, check::check, meter::Meter};
//!
//! let (mut context, mut meter) = (Context::new(), Meter::new(10_000));
//! let x = context.pool.integer("x");
//! let twice = x.add(&x);
//! // 2x > 6: a model.
//! let large = context.pool.less(&Linear::constant(6), &twice);
//! context.assert(large);
//! let Answer::Sat(model) = context.check(&mut meter) else { panic!("there are such numbers") };
//! assert_eq!(model.formula(&context.pool, large), Some(true));
//!
//! // 2x = 7 besides: a certificate that the checker accepts.
//! let odd = context.pool.equal(&twice, &Linear::constant(7));
//! context.push();
//! context.assert(odd);
//! let Answer::Unsat(refutation) = context.check(&mut meter) else { panic!("no even number is 7") };
//! let needed: Vec<_> = refutation.core.iter().map(|&position| context.assertions()[position]).collect();
//! assert_eq!(check(&context.pool, &needed, &refutation.certificate), Ok(()));
//! ```

pub mod adviser;
mod axioms;
mod candidate;
pub mod certificate;
pub mod check;
mod cube;
mod encode;
pub mod interpolate;
mod lattice;
mod literal;
pub mod meter;
pub mod optimise;
mod products;
pub mod projection;
pub mod questions;
mod rational;
mod region;
pub mod relaxation;
pub mod reuse;
mod search;
mod simplex;
mod theory;
mod used;

use crate::logic::{Arrange, Assignment, FormulaId, Pool};
use axioms::Axioms;
use certificate::{Certificate, Line, Step};
use literal::Lit;
use meter::{Exhausted, Meter};
use reuse::Models;
use search::{ClauseId, ClauseOrigin, Falsified, Search};
use std::rc::Rc;
use theory::ReviewResult;

/// Why a question stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The step limit of this query or of the whole run.
    Steps,
    /// The caller cancelled.
    Cancelled,
    /// Products or quotients of terms that linear reasoning did not settle.
    NonLinear,
    /// An operator on bits of which only bounds are known: the values found for it are not its own.
    Bits,
    /// The values found lead through a part of the program that is not understood.
    Approximated,
    /// The way found leads into a call that goes deeper than the copies of its function.
    Deeper,
    /// The model gives the result of a floating-point operation another value than an execution computes: formulas bound the result only.
    Computed,
    /// The way is of a sort or a search that compares another pair of elements than the text of the library does.
    Pair,
    /// No text on standard input was found that a program reads in this way.
    Text,
    /// A refutation that the checker did not accept: an error of the solver, never shown as a verdict.
    Rejected,
    /// The account of the check is used up: nothing is shown of it.
    Unchecked,
}

impl From<Exhausted> for Reason {
    fn from(why: Exhausted) -> Reason {
        match why {
            Exhausted::Steps => Reason::Steps,
            Exhausted::Cancelled => Reason::Cancelled,
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Steps => "the step limit was reached",
            Reason::Cancelled => "cancelled",
            Reason::Bits => "the values of an operator on bits were not found",
            Reason::Approximated => "the way found leads through a part of the program that is approximated",
            Reason::Deeper => "functions that call themselves are followed only so far, and deeper calls may take it",
            Reason::Computed => {
                "the condition depends on floating-point arithmetic, whose results the solver only bounds, and no execution was found that takes the branch"
            }
            Reason::Pair => "only a sort or a search that compares other pairs of elements was found to take this way",
            Reason::Text => "no text on standard input was found that is read like this",
            Reason::NonLinear => "a product or quotient of variables is beyond linear reasoning",
            Reason::Rejected => "the checker did not accept the evidence (an error of this program: please report it)",
            Reason::Unchecked => "its certificate was not checked: the check's own steps are used up",
        })
    }
}

/// The answer to "can all assertions hold together?"
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes: values of the symbols under which every assertion evaluates to true.
    Sat(Rc<Assignment>),
    /// No.
    Unsat(Refutation),
    /// Open.
    Unknown(Reason),
}

/// Why assertions cannot hold together.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The positions of the assertions that suffice, ascending.
    pub core: Vec<usize>,
    /// Refutes these assertions: see [`check::check`].
    pub certificate: Certificate,
}

/// Steps before a question is also asked anew.
const FIRST_TURN: u64 = 4_000;

/// Asking anew gets one part in so many of the steps: questions that are hard in themselves then take little longer.
const ANEW: u64 = 4;

/// A search with what it has learned.
struct SolverState {
    search: Search,
    axioms: Axioms,
    preferred: Vec<Lit>,
}

/// How many steps one query may take by default.
pub const QUERY_LIMIT: u64 = 200_000;

/// An incremental solver with a stack of assertions.
#[derive(Clone, Debug)]
pub struct Context {
    /// The terms; formulas to assert are built here.
    pub pool: Pool,
    /// Steps that one query may take.
    pub query_limit: u64,
    search: Search,
    axioms: Axioms,
    assertions: Vec<FormulaId>,
    scopes: Vec<usize>,
    /// The search tries to make these true: see [`Context::prefer`].
    preferred: Vec<Lit>,
    models: Models,
    /// Whether a question was asked before.
    is_used: bool,
    /// Set once the clauses alone contradict each other; then no assertions can hold.
    refuted: Option<Refutation>,
}

impl Default for Context {
    fn default() -> Context {
        Context::new()
    }
}

impl Context {
    /// A context without assertions, over a pool of its own.
    pub fn new() -> Context {
        Context {
            pool: Pool::new(),
            query_limit: QUERY_LIMIT,
            search: Search::default(),
            axioms: Axioms::default(),
            assertions: Vec::new(),
            scopes: Vec::new(),
            preferred: Vec::new(),
            models: Models::default(),
            is_used: false,
            refuted: None,
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    /// Drops the assertions since the last open [`Context::push`]; without one, nothing happens.
    pub fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.assertions.truncate(length);
            self.search.assumptions.truncate(length);
            self.models.truncate(length);
            self.search.backtrack(length);
        }
    }

    /// Adds an assertion to the innermost scope and gives its position.
    pub fn assert(&mut self, formula: FormulaId) -> usize {
        let lit = encode::literal(&mut self.pool, &mut self.search, formula);
        // What was decided beyond the assumptions belongs to an earlier check.
        self.search.backtrack(self.assertions.len());
        self.search.assumptions.push(lit);
        self.assertions.push(formula);
        self.assertions.len() - 1
    }

    /// The assertions that stand now, by position.
    pub fn assertions(&self) -> &[FormulaId] {
        &self.assertions
    }

    /// Decides whether all assertions can hold together. A query takes at most [`Context::query_limit`] steps of the meter.
    pub fn check(&mut self, meter: &mut Meter) -> Answer {
        // What it took to make and to read the assertions is a part of what the question costs.
        if let Err(why) = meter.spend(self.pool.unpaid_steps()) {
            return Answer::Unknown(why.into());
        }
        // A model from when more was asserted need not be the preferred one now.
        if self.preferred.is_empty()
            && let Some(model) = self.models.find(&self.pool, &self.assertions)
        {
            return Answer::Sat(model);
        }
        let is_used = std::mem::replace(&mut self.is_used, true);
        let answer = meter.within(self.query_limit + if is_used { self.query_limit / ANEW } else { 0 }, |meter| {
            if is_used { self.run_either(meter) } else { self.run(meter) }
        });
        // Keep what the assumptions imply, drop the decisions beyond them.
        self.search.backtrack(self.assertions.len());
        let answer = answer.unwrap_or_else(|why| Answer::Unknown(why.into()));
        if let Answer::Sat(model) = &answer {
            self.models.keep(model.clone(), self.assertions.len());
        }
        answer
    }

    /// Runs the search with what earlier questions left and, in turn with it, one that begins anew: what is left may help, or stand in
    /// the way. Each gets a turn, then one that is twice as long, and so on, so that an answer costs at most a small multiple of what it
    /// costs in a context of its own. The search that answers stays.
    fn run_either(&mut self, meter: &mut Meter) -> Result<Answer, Exhausted> {
        let mut other: Option<SolverState> = None;
        let (mut turn, mut is_second) = (FIRST_TURN, false);
        loop {
            let answer = meter.within(if is_second { turn / ANEW } else { turn }, |meter| self.run(meter));
            match answer {
                Err(Exhausted::Steps) if meter.spend(0).is_ok() => {}
                _ => {
                    // Where neither answers, what was learned before may help with other questions.
                    if let (Err(_), Some(left), true) = (&answer, other, is_second) {
                        SolverState { search: self.search, axioms: self.axioms, preferred: self.preferred } = left;
                    }
                    return answer;
                }
            }
            is_second = !is_second;
            if !is_second {
                turn *= 2;
            }
            self.search.backtrack(self.assertions.len());
            match &mut other {
                Some(other) => {
                    std::mem::swap(&mut self.search, &mut other.search);
                    std::mem::swap(&mut self.axioms, &mut other.axioms);
                    std::mem::swap(&mut self.preferred, &mut other.preferred);
                }
                None => other = Some(self.renew()),
            }
        }
    }

    /// Begins anew with the assertions that stand now; gives what was learned before.
    fn renew(&mut self) -> SolverState {
        let old = SolverState {
            search: std::mem::take(&mut self.search),
            axioms: std::mem::take(&mut self.axioms),
            preferred: std::mem::take(&mut self.preferred),
        };
        let encode = |context: &mut Context, formula| encode::literal(&mut context.pool, &mut context.search, formula);
        for at in 0..self.assertions.len() {
            let lit = encode(self, self.assertions[at]);
            self.search.assumptions.push(lit);
        }
        for &lit in &old.preferred {
            let new = encode(self, old.search.literal(lit).formula);
            self.preferred.push(if lit.is_positive() { new } else { !new });
        }
        old
    }

    fn run(&mut self, meter: &mut Meter) -> Result<Answer, Exhausted> {
        if self.axioms.is_crowded() {
            self.renew();
        }
        self.search.begin();
        self.axioms.begin();
        if let Some(refutation) = &self.refuted {
            return Ok(Answer::Unsat(refutation.clone()));
        }
        let mut falsified: Option<Falsified> = None;
        loop {
            // Conflict: refuted where only assumptions are involved, else learn and go on.
            if let Some(conflict) = falsified.take() {
                let level = self.search.conflict_level(&conflict);
                if level <= self.assertions.len() {
                    return Ok(Answer::Unsat(self.refute(conflict, level)));
                }
                meter.spend(8)?;
                falsified = self.search.learn(conflict).err();
                if falsified.is_none() {
                    self.search.forget();
                }
                continue;
            }
            // Propagation.
            match self.search.propagate(meter)? {
                Err(conflict) => falsified = Some(conflict),
                // The next assumption, or, when all are decided, a look at the candidate model.
                Ok(()) => match self.search.assumptions.get(self.search.depth()).copied() {
                    Some(lit) if self.search.value(lit) == Some(false) => return Ok(Answer::Unsat(self.refute_assumption(lit))),
                    Some(lit) => self.search.decide(lit),
                    None => {
                        if let Some(&lit) = self.preferred.iter().find(|&&lit| self.search.value(lit).is_none()) {
                            self.search.decide(lit);
                            continue;
                        }
                        match theory::review(&mut self.pool, &mut self.search, &mut self.axioms, meter)? {
                            ReviewResult::Decide(lit) => {
                                // Splitting may have added a formula whose clauses went back; propagate first then.
                                if self.search.is_settled() {
                                    self.search.decide(lit);
                                }
                            }
                            ReviewResult::Added => {}
                            ReviewResult::Falsified(conflict) => falsified = Some(conflict),
                            ReviewResult::Model { assignment, exact } => return Ok(self.confirm(assignment, exact)),
                        }
                    }
                },
            }
        }
    }

    /// Evaluates every assertion exactly: a candidate that fails is never an answer.
    fn confirm(&self, assignment: Assignment, exact: bool) -> Answer {
        let holds = assignment.satisfies(&self.pool, self.assertions.iter().copied());
        debug_assert!(holds || !exact, "an exact candidate satisfies the assertions");
        if holds { Answer::Sat(Rc::new(assignment)) } else { Answer::Unknown(Reason::NonLinear) }
    }

    /// The refutation from a clause that the assumptions falsify.
    fn refute(&mut self, falsified: Falsified, level: usize) -> Refutation {
        let (lits, last) = match &falsified {
            Falsified::Clause(id) => (self.search.clauses[*id as usize].lits.clone(), Err(*id)),
            Falsified::Lemma(clause) => (clause.lits.clone(), Ok(clause.clone())),
        };
        let (core, mut used) = self.search.trace_back(&lits);
        let mut certificate = match last {
            Err(id) => {
                used.push(id);
                self.certificate(used)
            }
            Ok(_) => self.certificate(used),
        };
        if let Ok(clause) = last {
            certificate.lines.push(self.line(&clause.lits, &clause.origin, &[]));
        }
        let refutation = Refutation { core: self.positions(&core), certificate };
        if level == 0 {
            self.refuted = Some(refutation.clone());
        }
        self.search.backtrack(level.saturating_sub(1));
        refutation
    }

    /// The refutation where an assumption is false already.
    fn refute_assumption(&mut self, lit: Lit) -> Refutation {
        let (mut core, used) = self.search.trace_back(&[lit]);
        core.push(lit);
        let certificate = self.certificate(used);
        Refutation { core: self.positions(&core), certificate }
    }

    /// The positions of the assumptions.
    fn positions(&self, core: &[Lit]) -> Vec<usize> {
        let mut positions: Vec<usize> =
            core.iter().filter_map(|lit| self.search.assumptions.iter().position(|assumption| assumption == lit)).collect();
        positions.arrange();
        positions.dedup();
        positions
    }

    /// The clauses and all that they derive from, oldest first.
    fn certificate(&self, used: Vec<ClauseId>) -> Certificate {
        let mut needed = crate::logic::SortedSet::new();
        let mut stack = used;
        while let Some(id) = stack.pop() {
            if needed.insert(id)
                && let ClauseOrigin::Learned(antecedents) = &self.search.clauses[id as usize].origin
            {
                stack.extend(antecedents);
            }
        }
        let needed: Vec<ClauseId> = needed.into_iter().collect();
        let clauses = needed.iter().map(|&id| &self.search.clauses[id as usize]);
        Certificate { lines: clauses.map(|clause| self.line(&clause.lits, &clause.origin, &needed)).collect() }
    }

    /// A line, where the lines before it are these clauses.
    fn line(&self, lits: &[Lit], origin: &ClauseOrigin, lines: &[ClauseId]) -> Line {
        let clause = lits.iter().map(|&lit| self.search.literal(lit)).collect();
        let step = match origin {
            ClauseOrigin::Given(step) => step.clone(),
            // Resolution went back along the trail; propagation goes the other way.
            ClauseOrigin::Learned(antecedents) => {
                Step::Derived(antecedents.iter().rev().filter_map(|id| lines.binary_search(id).ok()).map(|line| line as u32).collect())
            }
        };
        Line { clause, step }
    }
}
