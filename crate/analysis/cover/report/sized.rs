//! A program with the bound of its loops and the depth of its calls, as Cover takes it.

use super::CoverSettings;
use crate::analysis::cover::method::assumption_search::{needs, run_from_first};
use crate::analysis::cover::method::calls::after_others;
use crate::analysis::cover::method::determined::cover_determined;
use crate::analysis::cover::method::failing_from_first::failing_from_first;
use crate::analysis::cover::method::kept_runs::given_tests_only;
use crate::analysis::cover::method::others::CoveredProgram;
use crate::analysis::cover::method::past_bound::found_by_others;
use crate::analysis::cover::method::test::Test;
use crate::analysis::cover::method::unwinding_bound::usual;
use crate::analysis::cover::method::{Algorithm, CoverPlan, run_with_summaries};
use crate::evidence::bounded::MAX_UNWIND;
use crate::evidence::bounded::unwind::{UnwindObstacle, unwind};
use crate::evidence::determined::DeterminedRun;
use crate::interp::Machine;
use crate::load::depth::COMFORTABLE;
use crate::load::{Loaded, about_the_question, load_assuming};
use crate::lts::assume::Assumptions;
use crate::run::determined::allowed;
use crate::run::recorder::default_limit;
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::view::{self, Request};

/// The function, how it is covered, how often its loops are unwound, and whether it reads no input. Where the request names no number of
/// unwindings, or for a depth of calls within themselves, and the usual ones make too large a program, they are halved.
///
/// # Errors
/// A bound above [`MAX_UNWIND`], an algorithm that there is not, and a program or precondition with errors.
pub fn sized(request: &Request, settings: &CoverSettings) -> Result<SizedProgram, Vec<view::Diagnostic>> {
    sized_as(request, settings, &|request| load_assuming(request, settings.precondition.as_deref()))
}

/// As [`sized`], of the graph that `load` makes of the program.
///
/// # Errors
/// As [`sized`].
pub fn sized_as(request: &Request, settings: &CoverSettings, load: LoadProgram) -> Result<SizedProgram, Vec<view::Diagnostic>> {
    let refused = |message: String| vec![about_the_question("bad-setting", message)];
    if let Some(unwind) = settings.unwind.filter(|&unwind| unwind > MAX_UNWIND) {
        return Err(refused(format!("{unwind} unwindings: at most {MAX_UNWIND} can be asked for")));
    }
    let Some(algorithm) = algorithm(&settings.algorithm) else {
        return Err(refused(no_algorithm(&settings.algorithm)));
    };
    let plan = |unwind| CoverPlan { unwind, algorithm, small: true, verdicts: true };
    let mut request = request.clone();
    let (requested, fixed_depth) = (settings.unwind, request.inline_depth.is_some());
    loop {
        let loaded = load(&request)?;
        let machine = Machine::new(&loaded.lts);
        if requested.is_none()
            && settings.precondition.is_none()
            && !settings.summaries
            && reads_nothing(&request, &loaded, &Machine::deep(&loaded.lts))
        {
            let unwind = usual(&loaded.lts, &machine, MAX_UNWIND);
            return Ok(SizedProgram { loaded, plan: plan(unwind), settings: settings.clone(), reads_nothing: true });
        }
        let fits = |times: u32, most: usize| match unwind(&loaded.lts, times) {
            Ok(unwound) => unwound.arcs.len() <= most,
            Err(obstacle) => obstacle != UnwindObstacle::TooLarge,
        };
        let mut times = requested.unwrap_or_else(|| usual(&loaded.lts, &machine, MAX_UNWIND));
        let depth = loaded.options.inline_depth;
        let is_deep = !fixed_depth && depth > 1 && loaded.lts.inline_depth.is_some();
        if is_deep && !fits(times, COMFORTABLE) {
            request.inline_depth = Some(depth / 2);
            continue;
        }
        while requested.is_none() && times > 1 && !fits(times, usize::MAX) {
            times /= 2;
        }
        return Ok(SizedProgram { loaded, plan: plan(times), settings: settings.clone(), reads_nothing: false });
    }
}

/// Reads and lowers the program of a request.
pub type LoadProgram<'l> = &'l dyn Fn(&Request) -> Result<Loaded, Vec<view::Diagnostic>>;

/// A program, and how it is covered.
pub struct SizedProgram {
    pub loaded: Loaded,
    pub plan: CoverPlan,
    pub settings: CoverSettings,
    /// Whether one run without an input is its only execution.
    reads_nothing: bool,
}

impl SizedProgram {
    /// Covers the program, beginning with complete tests within the bound.
    ///
    /// # Errors
    /// Why it cannot be unwound.
    pub fn cover(&self, given: Vec<Test>, meter: &mut Meter, trace: &Trace) -> Result<CoveredProgram, UnwindObstacle> {
        let SizedProgram { loaded, plan, settings, reads_nothing } = self;
        if *reads_nothing && let Some(outcome) = cover_determined(&loaded.lts, plan, meter, trace) {
            let needed = outcome.determined.as_ref().map_or_else(Assumptions::default, |only| only.needs.all);
            return Ok(CoveredProgram { outcome, needs: vec![needed; loaded.lts.graph.edge_count()] });
        }
        let mut outcome = match settings.summaries {
            true => run_with_summaries(&loaded.program, &loaded.options, &loaded.lts, plan, meter, trace),
            false => run_from_first(loaded, plan, given, meter, trace),
        }?;
        let mut needs = needs(loaded, plan, &outcome, meter, trace);
        for (edge, assumed) in after_others(loaded, plan, &mut outcome, meter, trace) {
            needs[edge.index()] = assumed;
        }
        failing_from_first(loaded, &mut outcome, trace);
        // A request with a bound is about executions within it.
        if settings.unwind.is_none() {
            found_by_others(loaded, &mut outcome, meter, trace);
        }
        Ok(CoveredProgram { outcome, needs })
    }

    /// The same program with loops unwound more often; `None` where a request has said how often, where the program has one run, or the unwound
    /// program is too large to be searched beside others.
    pub fn unwound(&self, times: u32) -> Option<SizedProgram> {
        let SizedProgram { loaded, plan, settings, reads_nothing } = self;
        if settings.unwind.is_some() || *reads_nothing || times <= plan.unwind || times > MAX_UNWIND {
            return None;
        }
        unwind(&loaded.lts, times).ok().filter(|unwound| unwound.arcs.len() <= COMFORTABLE)?;
        let plan = CoverPlan { unwind: times, ..*plan };
        Some(SizedProgram { loaded: loaded.clone(), plan, settings: settings.clone(), reads_nothing: false })
    }

    /// The outcome where nothing is known, since the program cannot be unwound.
    pub fn uncovered(&self, obstacle: UnwindObstacle, trace: &Trace) -> CoveredProgram {
        let outcome = given_tests_only(&self.loaded.lts, self.plan.unwind, Vec::new(), obstacle, trace);
        CoveredProgram { outcome, needs: vec![Assumptions::default(); self.loaded.lts.graph.edge_count()] }
    }
}

fn reads_nothing(request: &Request, loaded: &Loaded, machine: &Machine) -> bool {
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source));
    DeterminedRun::of(&loaded.lts, machine, allowed(limit)).is_ok()
}

pub fn algorithm(name: &str) -> Option<Algorithm> {
    Some(match name {
        "sc" => Algorithm::Sc,
        "pc" => Algorithm::Pc,
        "fm" => Algorithm::Fm,
        "vstte" => Algorithm::Vstte,
        "prefer" => Algorithm::Prefer,
        _ => return None,
    })
}

pub fn no_algorithm(name: &str) -> String {
    format!("there is no algorithm `{name}`, only sc, pc, fm, vstte and prefer")
}
