//! The door: no verdict rests on a claim that `culdesac check` would reject.
//!
//! Each claim of a run is written, read back and checked here once, before its verdict is told, whether or not an evidence file is wanted.
//! The program is read anew as well, from what an evidence file says of it; so the door is that of a reader of the file. What it does not
//! believe is a fault of this program: the verdict stays open, and the document has a warning.
//!
//! The check has an account of its own, in numbers of written claims: it takes none of the steps of the run.

use crate::evidence::check::{assumed, check_next, check_state, open, world};
use crate::evidence::path::PathConditions;
use crate::evidence::{Claim, ClaimGraph, Evidence};
use crate::load::Loaded;
use crate::lts::Lts;
use crate::lts::assume::Assumptions;
use crate::solver::Reason;
use crate::view::{Request, SolverStatistics};

/// So many numbers all claims of a run may have: far more than those of any run that is known.
const NUMBERS: u64 = 400_000_000;
/// So many functions, each under other assumptions, are kept.
const WORLDS: usize = 16;
/// So many rejected claims are told each by itself.
const TOLD: usize = 3;

/// The function under the assumptions of a claim.
struct World {
    /// The assumptions of the claim, and its graph.
    key: (Assumptions, ClaimGraph),
    lts: Lts,
    /// The path condition of the last claim about a path: the next path shares a prefix with that one.
    conditions: Option<PathConditions>,
}

/// The door of a run about a program.
pub struct Door<'d> {
    request: &'d Request,
    loaded: &'d Loaded,
    /// The function as the reader of an evidence file lowers it, or why no reader can; found with the first claim.
    base: Option<Result<Lts, String>>,
    worlds: Vec<World>,
    left: u64,
    /// What was rejected: kind and reason of each claim.
    faults: Vec<(&'static str, String)>,
}

impl<'d> Door<'d> {
    pub fn new(request: &'d Request, loaded: &'d Loaded) -> Door<'d> {
        Door { request, loaded, base: None, worlds: Vec::new(), left: NUMBERS, faults: Vec::new() }
    }

    /// Writes a claim, reads it back and checks it under these assumptions; gives it as it was read.
    ///
    /// # Errors
    /// Why its verdict is open: the check rejects it, or its account is used up.
    pub fn pass(&mut self, claim: Claim, assumed: Assumptions) -> Result<Claim, Reason> {
        let claim = claim.under(assumed.ids());
        let kind = claim.statement.kind();
        match self.left.checked_sub(claim.statement.size()) {
            Some(left) => self.left = left,
            None => return Err(Reason::Unchecked),
        }
        read_back(claim).and_then(|claim| self.check(&claim).map(|()| claim)).map_err(|reason| {
            self.faults.push((kind, reason));
            Reason::Rejected
        })
    }

    fn check(&mut self, claim: &Claim) -> Result<(), String> {
        let assumed = assumed(claim)?;
        if self.base.is_none() {
            self.base = Some(self.opened());
        }
        let base = self.base.as_ref().expect("opened").as_ref().map_err(Clone::clone)?;
        let key = (assumed, claim.graph_kind());
        let at = match self.worlds.iter().position(|world| world.key == key) {
            Some(at) => at,
            None => {
                self.worlds.truncate(WORLDS - 1);
                self.worlds.push(World { key, lts: world(base, claim, assumed), conditions: None });
                self.worlds.len() - 1
            }
        };
        let World { lts, conditions, .. } = &mut self.worlds[at];
        check_next(lts, None, conditions, claim)?;
        check_state(base, claim, assumed)
    }

    /// The function as an evidence file of this run gives it.
    fn opened(&self) -> Result<Lts, String> {
        let header = self.loaded.header(self.request, false, SolverStatistics::default(), 0);
        let evidence = Evidence {
            precondition: self.loaded.precondition.clone(),
            #[cfg(feature = "files")]
            unfolding: self.loaded.unfolded.as_ref().map(|unfolded| unfolded.unfolding.id().to_owned()),
            ..Evidence::of(self.request, &header, Vec::new())
        };
        let opened = open(&evidence).map_err(|_| "the program of the evidence cannot be read".to_owned())?;
        opened.unknown.map_or(Ok(opened.loaded.base), Err)
    }

    /// What to tell of rejected claims, if there are any.
    pub fn fault(&self) -> Option<String> {
        let count = self.faults.len();
        let told: Vec<String> = self.faults.iter().take(TOLD).map(|(kind, reason)| format!("`{kind}`: {reason}")).collect();
        let claims = if count == 1 { "a claim".to_owned() } else { format!("{count} claims") };
        let verdicts = if count == 1 { "its verdict is" } else { "their verdicts are" };
        let more = if count > TOLD { "; …" } else { "" };
        (count > 0)
            .then(|| format!("this is a fault of culdesac: its own check rejects {claims}, so {verdicts} open ({}{more})", told.join("; ")))
    }
}

/// The claim as a reader of its written form has it. The page has the written form as objects, not as a text.
#[cfg(feature = "cli")]
fn read_back(claim: Claim) -> Result<Claim, String> {
    let written = serde_json::to_string(&claim);
    drop(claim);
    written.and_then(|text| serde_json::from_str(&text)).map_err(|error| format!("it cannot be read back: {error}"))
}

#[cfg(not(feature = "cli"))]
fn read_back(claim: Claim) -> Result<Claim, String> {
    Ok(claim)
}
