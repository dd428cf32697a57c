//! What covering finds for other analyses: inputs that take edges within a bound.

use super::search::Search;
use super::{Algorithm, Cover, Settings, Verdict, find_taken};
use crate::analysis::common::known::{Finder, Quiet, Wanted};
use crate::analysis::common::trace::Trace;
use crate::evidence::bounded::condition::{Helpers, condition};
use crate::evidence::bounded::unwind::unwind;
use crate::interp::{Input, Machine};
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Lts};
use crate::solver::Context;
use crate::solver::meter::Meter;

/// How often loops are unwound without any effort; with each more, twice as often.
const UNWIND: u32 = 3;

impl Finder for Cover {
    fn find(&self, lts: &Lts, wanted: &Wanted, effort: u32, meter: &mut Meter, trace: &Trace) -> Vec<Input> {
        let settings = Settings { unwind: UNWIND << effort.min(8), algorithm: Algorithm::Prefer, small: true, verdicts: true };
        let mut context = Context::new();
        let Ok(unwound) = unwind(lts, settings.unwind) else { return Vec::new() };
        let Ok(condition) = condition(lts, &unwound, &mut context.pool, Helpers::None) else { return Vec::new() };
        let mut quiet = Quiet(trace);
        let quiet = Trace::new(&mut quiet);
        let machine = Machine::new(lts);
        let mut search = Search::new(&machine, (lts, &unwound, &condition), context, &settings, meter, &quiet);
        let edges: SortedSet<EdgeId> = wanted.untaken.iter().copied().collect();
        search.only(&edges);
        // What stays open is found otherwise, or by nobody.
        let _ = search.run(settings.algorithm);
        let left: Vec<EdgeId> = edges.into_iter().filter(|edge| search.covered[edge.index()].is_none()).collect();
        let mut verdicts = vec![Verdict::NotWithin(None); lts.graph.edge_count()];
        find_taken(&mut search, &settings, &unwound, &left, &mut verdicts);
        search.tests.into_iter().map(|test| test.input).collect()
    }
}
