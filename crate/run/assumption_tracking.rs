//! Assumption tracking: the assumptions that the claims of a verdict need.
//!
//! A verdict may rest on one claim (a path that cannot run) or on thousands (a count of paths). [`Resting`] takes them one by one:
//! a claim that the check believes under what the others need already adds nothing; of any other [`needing`] finds what it adds. So a
//! count has one set of assumptions for all its paths.

use crate::evidence::check::{another_start, assumed, check_assuming, needing};
use crate::evidence::{Claim, Statement};
use crate::interp::Input;
use crate::load::Loaded;
use crate::lts::Lts;
use crate::lts::assume::{Assumption, Assumptions};
use crate::solver::Reason;
use crate::view::Call;

/// At most so many claims of one verdict are examined. A verdict with more of them is said to rest on all assumptions that matter.
const LOOKED_AT: u32 = 5_000;

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// What all claims need together.
    pub all: Assumptions,
    /// What those need that say that something runs.
    pub runs: Assumptions,
    /// Those of `all` that the request does without: only what runs is known then.
    pub missing: Assumptions,
    /// Why the check does not believe one of the claims, if so.
    pub doubt: Option<Reason>,
}

/// Finds what a verdict rests on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resting {
    needs: Needs,
    claims: u32,
}

impl Resting {
    /// One more claim of the verdict; `base` is the function as lowering made it, and `matter` are the assumptions that the claim was made
    /// under and that could matter there.
    pub fn add(&mut self, base: &Lts, matter: Assumptions, claim: &dyn Fn(usize) -> Claim) {
        if matter == self.needs.all && matter.of_runs() == self.needs.runs {
            return;
        }
        let claim = claim(1);
        let is_run = claim.is_run();
        let needed_so_far = if is_run { self.needs.runs } else { self.needs.all };
        let needed = if self.claims >= LOOKED_AT {
            matter
        } else if check_assuming(base, &claim.clone().under(needed_so_far.ids())).is_ok() {
            needed_so_far
        } else {
            assumed(&needing(base, claim.clone(), matter)).unwrap_or(matter)
        };
        self.claims += 1;
        let without = needed.of_runs();
        self.needs.all = self.needs.all.and(if is_run { without } else { needed });
        // A count says of some paths that they run, of the others that they do not.
        if is_run || matches!(claim.statement, Statement::Counted { .. }) {
            self.needs.runs = self.needs.runs.and(without);
        }
    }

    /// The check does not believe a claim of the verdict.
    pub fn doubt(&mut self, reason: Reason) {
        self.needs.doubt = self.needs.doubt.or(Some(reason));
    }

    /// The verdict rests on something that no claim shows.
    pub fn add_all(&mut self, matter: Assumptions) {
        self.needs = Needs { all: matter, runs: matter.of_runs(), ..self.needs };
    }

    /// What the claims since the last call rest on; the request allows to assume `allowed`.
    pub fn take(&mut self, allowed: Assumptions) -> Needs {
        let Needs { all, runs, doubt, .. } = std::mem::take(self).needs;
        // What runs under an assumption that is not made runs all the same: there are calls of which it holds.
        let runs = runs.iter().filter(|&one| allowed.contains(one)).collect();
        Needs { all, runs, missing: all.iter().filter(|&one| !allowed.contains(one)).collect(), doubt }
    }
}

/// What a run with this input rests on.
pub fn assumed_by(loaded: &Loaded, input: &Input) -> Vec<String> {
    assumed_in(loaded, another_start(&loaded.base, input).is_some())
}

/// What a run with this input rests on, which begins after these calls if there are any.
pub fn assumed_after(loaded: &Loaded, input: &Input, after: &[Call]) -> Vec<String> {
    if after.is_empty() { assumed_by(loaded, input) } else { assumed_in(loaded, false) }
}

/// What a run rests on that finds statics as calls before it left them, or (`from_any`) as these may not.
pub fn assumed_in(loaded: &Loaded, from_any: bool) -> Vec<String> {
    let any = from_any.then_some(Assumption::AnyState);
    let chosen = [Assumption::FirstCall, Assumption::QuietExternals, Assumption::LeftToRight]
        .into_iter()
        .filter(|&one| loaded.assumed.contains(one));
    chosen.chain(any).collect::<Assumptions>().that_matter(&loaded.base).ids()
}

/// Why a verdict is open that would need these; `None` if there are none.
pub fn without(missing: Assumptions) -> Option<String> {
    let missing: Vec<&str> = missing.iter().map(Assumption::text).collect();
    (!missing.is_empty()).then(|| format!("it is so if {}, which is not assumed", missing.join(" and ")))
}
