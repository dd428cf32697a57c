//! What covering finds for other analyses: inputs that take edges within a bound, and edges that no execution takes where the bound does not
//! matter.

use super::search::{BoundedProgram, CoverSearch};
use super::unwinding_bound::{bounds, usual};
use super::{Algorithm, CoverPlan, EdgeVerdict, judge};
use crate::evidence::bounded::MAX_UNWIND;
use crate::evidence::bounded::condition::{Helpers, condition};
use crate::evidence::bounded::unwind::unwind_each;
use crate::interp::Machine;
use crate::invariants::{Claiming, FactQuery, Searched};
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Lts};
use crate::run::trace::Trace;
use crate::solver::Context;
use crate::solver::meter::Meter;

/// How often loops are unwound at least without any effort; with each more, twice as often.
const UNWIND: u32 = 3;

/// Inputs within a bound that may take edges of a query: of [`Finder::find`](crate::invariants::Finder::find).
pub fn find(lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched {
    let machine = Machine::new(lts);
    let unwind = (UNWIND << effort.min(8)).max(usual(lts, &machine, MAX_UNWIND));
    let settings = CoverPlan { unwind, algorithm: Algorithm::Prefer, small: true, verdicts: true };
    let mut context = Context::new();
    let bound = bounds(lts, &machine, query.rounds, settings.unwind);
    let Ok(unwound) = unwind_each(lts, &bound) else { return Searched::default() };
    let Ok(condition) = condition(lts, &unwound, &mut context.pool, Helpers::None) else { return Searched::default() };
    let mut claiming = Claiming(trace);
    let claiming = Trace::new(&mut claiming);
    let mut search =
        CoverSearch::new(&machine, BoundedProgram { lts, unwound: &unwound, condition: &condition }, context, &settings, meter, &claiming);
    search.only(&query.untaken.iter().copied().collect());
    // Edges that stay open are left to the other finders.
    let _ = search.run(settings.algorithm);
    let mut excluded = Vec::new();
    if !query.only_inputs {
        let (verdicts, _) = judge(&mut search, &settings, &unwound, &SortedSet::new());
        let is_excluded = |edge: &EdgeId| lts.cut.is_none() && verdicts[edge.index()] == EdgeVerdict::Infeasible;
        excluded.extend(query.untaken.iter().copied().filter(is_excluded));
    }
    Searched { inputs: search.tests.into_iter().map(|test| test.input).collect(), excluded }
}
