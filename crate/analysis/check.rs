//! `check`: believes an evidence file claim by claim, and only what [`crate::evidence::check`] accepts.

#[cfg(feature = "cli")]
mod command;
mod document;

pub use document::{CheckDocument, CheckSettings, CheckedEvent, CheckedKind, Readable, Rejected};

use super::common::listener::Listener;
use super::{Analysis, Question};
use crate::evidence::check::{assumed, check_claim, check_state, open, world};
use crate::evidence::{Claim, Evidence};
use crate::interp::Machine;
use crate::load::refused;
use crate::lts::Lts;
use crate::lts::assume::Assumptions;
use crate::view::{Event, Reply, SolverStatistics};

/// `check`.
pub struct Check;

impl Analysis for Check {
    const NAME: &'static str = "check";
    const DOCS: &'static str = "solver";
    const OF_PROGRAM: bool = false;
    type Settings = CheckSettings;
    type Document = CheckDocument;

    fn answer(question: &Question<CheckSettings>, listener: &mut Listener) -> Reply<CheckDocument> {
        let CheckSettings { evidence, unreadable } = question.settings;
        match (unreadable, evidence) {
            (None, Some(Readable(Ok(evidence)))) => check_listened(evidence, listener),
            (Some(reason), _) | (None, Some(Readable(Err(reason)))) => not_evidence(reason),
            (None, None) => not_evidence("there is nothing in it"),
        }
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(CheckedKind, Rejected)>().event::<CheckedEvent>();
    }
}

/// Checks every claim with nobody listening: see [`check_listened`].
pub fn check(evidence: &Evidence) -> Reply<CheckDocument> {
    check_listened(evidence, &mut Listener::new(&mut |_| true))
}

/// Checks every claim. The listener hears of each; its `false` ends the check, which is then not complete.
pub fn check_listened(evidence: &Evidence, listener: &mut Listener) -> Reply<CheckDocument> {
    let opened = match open(evidence) {
        Ok(opened) => opened,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let base = &opened.loaded.base;
    let mut document = CheckDocument {
        header: opened.loaded.header(&opened.request, false, SolverStatistics::default(), 0),
        checked: 0,
        kinds: Vec::new(),
        rejected: Vec::new(),
    };
    if let Some(reason) = opened.unknown {
        document.rejected.push(Rejected { id: "file".to_owned(), index: None, reason });
        return Reply::Document { document };
    }
    let worlds = Worlds::of(base, &evidence.claims);
    let machines: Vec<Machine> = worlds.all.iter().map(|(_, lts)| Machine::new(lts)).collect();
    let of = evidence.claims.len() as u32;
    let mut on = true;
    for claim in &evidence.claims {
        if !on {
            break;
        }
        let verdict = worlds.check(base, &machines, claim);
        let rejected = verdict.err().map(|reason| Rejected { id: claim.id().to_owned(), index: Some(document.checked), reason });
        document.checked += 1;
        count(&mut document.kinds, claim, rejected.is_none());
        document.rejected.extend(rejected.clone());
        on = (listener.event)(Event::News(Box::new(CheckedEvent::Checked { claims: document.checked, of, rejected })));
    }
    document.header.complete = document.checked == of && document.rejected.is_empty();
    Reply::Document { document }
}

/// The function under the assumptions of each of some claims, once for those that have the same.
struct Worlds {
    all: Vec<((Assumptions, bool), Lts)>,
}

impl Worlds {
    fn key(claim: &Claim) -> Result<(Assumptions, bool), String> {
        Ok((assumed(claim)?, matches!(claim, Claim::Reached { .. })))
    }

    fn of(base: &Lts, claims: &[Claim]) -> Worlds {
        let mut all: Vec<((Assumptions, bool), Lts)> = Vec::new();
        for claim in claims {
            if let Ok(key) = Worlds::key(claim)
                && !all.iter().any(|(known, _)| *known == key)
            {
                all.push((key, world(base, claim, key.0)));
            }
        }
        Worlds { all }
    }

    fn check(&self, base: &Lts, machines: &[Machine], claim: &Claim) -> Result<(), String> {
        let key = Worlds::key(claim)?;
        let at = self.all.iter().position(|(known, _)| *known == key).ok_or("no world for this claim")?;
        check_claim(&self.all[at].1, &machines[at], claim)?;
        check_state(base, claim, key.0)
    }
}

/// The answer to a file that is no evidence at all.
pub fn not_evidence(reason: &str) -> Reply<CheckDocument> {
    refused("not-evidence", format!("this is not an evidence file: {reason}"))
}

fn count(kinds: &mut Vec<CheckedKind>, claim: &Claim, accepted: bool) {
    let name = claim.kind();
    let at = kinds.iter().position(|kind| kind.claim == name).unwrap_or_else(|| {
        kinds.push(CheckedKind { claim: name.to_owned(), accepted: 0, rejected: 0 });
        kinds.len() - 1
    });
    *(if accepted { &mut kinds[at].accepted } else { &mut kinds[at].rejected }) += 1;
}
