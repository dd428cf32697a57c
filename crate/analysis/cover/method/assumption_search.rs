//! What verdicts rest on: a run begins with tests of the first call, and of what is infeasible it finds the assumptions that it needs.
//!
//! An assumption only takes executions away ([`crate::lts::assume`]). So a verdict that says that there is no execution needs an
//! assumption if it does not come out without it; [`needs`] tries sets of assumptions, smaller ones first.

use super::{CoverOutcome, CoverPlan, EdgeVerdict, run, run_with_tests};
use crate::evidence::bounded::unwind::UnwindObstacle;
use crate::load::{Loaded, exact};
use crate::logic::Arrange;
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::run::trace::{Event, Silent, Sink, Trace};
use crate::sequences::with_first;
use crate::solver::Reason;
use crate::solver::meter::Meter;

use super::test::Test;

/// Those that can make a verdict out of nothing else: each of them takes executions away.
const TAKING_AWAY: [Assumption; 7] = [
    Assumption::DistinctParameters,
    Assumption::OneObject,
    Assumption::WholeObjects,
    Assumption::WorkingStreams,
    Assumption::FirstCall,
    Assumption::QuietExternals,
    Assumption::LeftToRight,
];

/// As [`super::run`], of a program and under what its request allows: beginning with complete tests that the caller knows and with tests that
/// a first call makes.
///
/// # Errors
/// As [`super::run`].
pub fn run_from_first(
    loaded: &Loaded,
    settings: &CoverPlan,
    mut given: Vec<Test>,
    meter: &mut Meter,
    trace: &Trace,
) -> Result<CoverOutcome, UnwindObstacle> {
    if loaded.assumed.contains(Assumption::AnyState) && Assumption::AnyState.site(&loaded.base).is_some() {
        let first = under(&loaded.base, exact(loaded.assumed).with(Assumption::FirstCall));
        let settings = CoverPlan { verdicts: false, ..*settings };
        let mut silent = Silent;
        let outcome = run(&first, &settings, meter, &Trace::new(&mut silent))?;
        let complete = outcome.tests.into_iter().take(outcome.complete);
        given.extend(complete.map(|test| Test { input: with_first(&loaded.base, test.input), ..test }));
    }
    run_with_tests(&loaded.lts, settings, &given, meter, trace)
}

/// For each edge the assumptions that its verdict needs. Claims that need fewer than the run assumed follow in the trace.
pub fn needs(loaded: &Loaded, settings: &CoverPlan, outcome: &CoverOutcome, meter: &mut Meter, trace: &Trace) -> Vec<Assumptions> {
    let base = &loaded.base;
    let all = exact(loaded.assumed);
    let matter: Vec<Assumption> = TAKING_AWAY.into_iter().filter(|&one| all.contains(one) && one.site(base).is_some()).collect();
    let mut needs = vec![matter.iter().copied().collect::<Assumptions>(); outcome.verdicts.len()];
    let rests =
        |verdict: &EdgeVerdict| matches!(verdict, EdgeVerdict::Infeasible | EdgeVerdict::NeverCompletes(_) | EdgeVerdict::NotWithin(_));
    let mut left: Vec<usize> = (0..needs.len()).filter(|&edge| rests(&outcome.verdicts[edge])).collect();
    let mut sets: Vec<u32> = (0..(1 << matter.len()) - 1).collect();
    sets.arrange_by_key(|set| (set.count_ones(), *set));
    for set in sets {
        if left.is_empty() {
            break;
        }
        let less: Assumptions = matter.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, &one)| one).collect();
        let mut only = Refutations(trace);
        trace.emit(Event::Assuming(less));
        let again = run(&under(base, less), &CoverPlan { small: false, ..*settings }, meter, &Trace::new(&mut only));
        trace.emit(Event::Assuming(all));
        let Ok(again) = again else { break };
        left.retain(|&edge| {
            let same = matches!(
                (&outcome.verdicts[edge], &again.verdicts[edge]),
                (_, EdgeVerdict::Infeasible)
                    | (EdgeVerdict::NeverCompletes(_), EdgeVerdict::NeverCompletes(_))
                    | (EdgeVerdict::NotWithin(_), EdgeVerdict::NeverCompletes(_) | EdgeVerdict::NotWithin(_))
            );
            if same {
                needs[edge] = less;
            }
            !same
        });
    }
    needs
}

/// Hands on what a run refutes: its inputs are not those of a run that there is.
struct Refutations<'t, 'a>(&'t Trace<'a>);

impl Sink for Refutations<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> bool {
        match event {
            Event::Reached { .. } | Event::News { .. } | Event::Open { .. } => true,
            event => self.0.emit(event),
        }
    }

    fn doubt(&mut self) -> Option<Reason> {
        self.0.doubt()
    }
}
