//! Where the bound does not matter: statements of which every execution through them is within it.
//!
//! A refutation for executions within the bound then holds for every execution. An execution that is not within it leaves the
//! unwound graph somewhere: it returns to a header once more, or calls a function within itself once more than lowering inlined
//! calls. Such a place is a way out ([`crate::evidence::bounded::ways`]), of no concern where the solver refutes that an
//! execution ever takes it.
//!
//! Decision: this does not unroll until nothing is left to unroll. The bound stays what the caller asks for; where it happens to
//! be enough, this sees and proves it.

use crate::evidence::bounded::condition::{Condition, Helpers, condition};
use crate::evidence::bounded::unwind::Unwound;
use crate::evidence::bounded::ways::{Ways, left_by};
use crate::evidence::bounded::within_claim;
use crate::logic::Arrange;
use crate::lts::{EdgeId, Lts};
use crate::run::trace::{Event, Trace};
use crate::solver::certificate::Certificate;
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, Reason, check};

/// Steps for one way out.
const STEPS: u64 = 5_000_000;

/// Asks the solver whether executions take ways out, each at most once.
#[derive(Debug)]
pub struct ExitQueries<'u> {
    lts: &'u Lts,
    ways: Ways,
    /// The program unwound with its ways out; derived with the first question.
    longer: Option<(Unwound, Condition)>,
    context: Context,
    /// For each way, where it has been asked: its refutation, if it has one.
    answers: Vec<Option<Option<Certificate>>>,
}

impl<'u> ExitQueries<'u> {
    pub fn new(lts: &'u Lts, unwound: &Unwound) -> ExitQueries<'u> {
        let ways = Ways::new(lts, unwound);
        let answers = vec![None; ways.ways.len()];
        ExitQueries { lts, ways, longer: None, context: Context::new(), answers }
    }

    /// Whether every execution that takes the edge is within the bound up to there, or (without `taken`) each that completes is
    /// so as a whole. False also where that is open.
    pub fn is_within(&mut self, unwound: &Unwound, edge: EdgeId, taken: bool, meter: &mut Meter, trace: &Trace) -> bool {
        let concerning = self.ways.concerning(self.lts, edge, taken);
        // First look at known answers: one way that is open, or that an execution takes, is enough.
        if concerning.iter().any(|&way| matches!(self.answers[way], Some(None))) {
            return false;
        }
        concerning.into_iter().all(|way| {
            if self.answers[way].is_none() {
                self.answers[way] = Some(meter.within(STEPS, |meter| self.ask(unwound, way, meter, trace)));
            }
            matches!(self.answers[way], Some(Some(_)))
        })
    }

    /// Whether there is a way out without a refutation.
    pub fn is_bounded(&self) -> bool {
        self.answers.iter().any(|answer| !matches!(answer, Some(Some(_))))
    }

    /// Refutes that an execution takes this way; gives the certificate if that succeeds.
    fn ask(&mut self, unwound: &Unwound, way: usize, meter: &mut Meter, trace: &Trace) -> Option<Certificate> {
        if self.longer.is_none() {
            let longer = unwound.with_returns(self.lts);
            let condition = condition(self.lts, &longer, &mut self.context.pool, Helpers::None).ok()?;
            self.longer = Some((longer, condition));
        }
        let (longer, condition) = self.longer.as_ref()?;
        let formulas = left_by(condition, longer, &mut self.context.pool, &self.ways.ways[way].edges);
        let mut context = Context::new();
        context.pool = std::mem::take(&mut self.context.pool);
        for formula in formulas {
            context.assert(formula);
        }
        let answer = context.check(meter);
        trace.emit(Event::Query { context: &context, answer: &answer });
        let refutation = match answer {
            Answer::Unsat(refutation) => Some(refutation.certificate),
            _ => None,
        };
        let accepted = refutation.filter(|certificate| check::check(&context.pool, &formulas, certificate).is_ok());
        self.context.pool = context.pool;
        accepted
    }

    /// Tells the trace that these edges are within the bound; [`ExitQueries::is_within`] must have said so of each.
    ///
    /// # Errors
    /// Why the check does not believe it.
    pub fn emit(&self, unwind: u32, taken: bool, edges: &[EdgeId], trace: &Trace) -> Result<(), Reason> {
        if edges.is_empty() {
            return Ok(());
        }
        let mut ways: Vec<usize> = edges.iter().flat_map(|&edge| self.ways.concerning(self.lts, edge, taken)).collect();
        ways.arrange();
        ways.dedup();
        let refuted = |way: usize| Some((self.ways.ways[way].edges.clone(), self.answers[way].clone()??));
        let refuted: Vec<_> = ways.into_iter().filter_map(refuted).collect();
        trace.proved(refuted.len(), &|number| within_claim(number, (unwind, taken), edges, &self.context.pool, &refuted))
    }
}
