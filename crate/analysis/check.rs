//! `check`: believes an evidence file claim by claim, and only what [`crate::evidence::check`] accepts.

#[cfg(feature = "cli")]
mod command;
mod document;
#[cfg(feature = "cli")]
mod obligations;

pub use document::{CheckDocument, CheckSettings, CheckedClaim, CheckedEvent, CheckedKind, Readable, Rejected};

use super::{Analysis, Question};
use crate::evidence::check::{assumed, check_next, check_state, open, world};
use crate::evidence::path::PathConditions;
use crate::evidence::{Claim, ClaimGraph, Evidence, Statement};
use crate::interp::Machine;
use crate::load::{Loaded, refused};
use crate::lts::assume::Assumptions;
use crate::lts::undefined::with_undefined;
use crate::lts::written::source_text;
use crate::lts::{EdgeId, Lts};
use crate::run::listener::Listener;
use crate::source::Span;
use crate::source::files::{FileLines, FileMark};
use crate::view::{Event, Reply, SolverStatistics, place};

/// `check`.
pub struct Check;

impl Analysis for Check {
    const NAME: &'static str = "check";
    const DOCS: &'static str = "solver";
    const OF_PROGRAM: bool = false;
    type Settings = CheckSettings;
    type Document = CheckDocument;

    fn answer(question: &Question<CheckSettings>, listener: &mut Listener) -> Reply<CheckDocument> {
        let CheckSettings { evidence, unreadable, program } = question.settings;
        match (unreadable, evidence) {
            (None, Some(Readable(Ok(evidence)))) => compared(check_listened(evidence, listener), evidence, program.as_deref()),
            (Some(reason), _) | (None, Some(Readable(Err(reason)))) => not_evidence(reason),
            (None, None) => not_evidence("there is nothing in it"),
        }
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(CheckedKind, CheckedClaim, Rejected)>().event::<CheckedEvent>();
    }
}

/// The answer, with whether this text is that of the file: what is checked of another one says nothing of it.
fn compared(mut reply: Reply<CheckDocument>, evidence: &Evidence, text: Option<&str>) -> Reply<CheckDocument> {
    if let (Reply::Document { document }, Some(text)) = (&mut reply, text) {
        document.differs_at = first_difference(&evidence.source, text);
        document.header.complete &= document.differs_at.is_none();
    }
    reply
}

/// The first line, from 1, at which two texts differ. Their headers may stand in other folders.
fn first_difference(one: &str, other: &str) -> Option<u32> {
    let line = |line| match FileMark::read(line) {
        Some(FileMark::Open(..) | FileMark::Unit(_)) => "",
        _ => line,
    };
    let (mut ones, mut others) = (one.split_inclusive('\n').map(line), other.split_inclusive('\n').map(line));
    let first = (1..).find_map(|line| match (ones.next(), others.next()) {
        (None, None) => Some(None),
        (one, other) => (one != other).then_some(Some(line)),
    })?;
    first.map(|line| FileLines::of(one).number(line))
}

/// Checks every claim without a listener: see [`check_listened`].
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
        claims: Vec::new(),
        differs_at: None,
    };
    if let Some(reason) = opened.unknown {
        document.rejected.push(Rejected { id: "file".to_owned(), index: None, reason });
        return Reply::Document { document };
    }
    let worlds = Worlds::of(base, &evidence.claims);
    let machines: Vec<Machine> = worlds.all.iter().map(|(_, lts)| Machine::deep(lts)).collect();
    let mut conditions: Vec<Option<PathConditions>> = worlds.all.iter().map(|_| None).collect();
    let of = evidence.claims.len() as u32;
    let mut on = true;
    for claim in &evidence.claims {
        if !on {
            break;
        }
        let verdict = worlds.check(base, &machines, &mut conditions, claim);
        let rejected = verdict.err().map(|reason| Rejected { id: claim.id.clone(), index: Some(document.checked), reason });
        document.checked += 1;
        document.claims.extend(spoken_of(&opened.loaded, claim, rejected.is_none()));
        count(&mut document.kinds, claim, rejected.is_none());
        document.rejected.extend(rejected.clone());
        on = (listener.event)(Event::News(Box::new(CheckedEvent::Checked { claims: document.checked, of, rejected })));
    }
    // A file without any claim shows nothing.
    document.header.complete = of > 0 && document.checked == of && document.rejected.is_empty();
    Reply::Document { document }
}

/// What a claim speaks of: edges of the function, or the function.
fn spoken_of(loaded: &Loaded, claim: &Claim, accepted: bool) -> Vec<CheckedClaim> {
    let lts = &loaded.base;
    let entry = |span: Span, text: String| {
        let at = place(&loaded.lines, span);
        let (id, kind, assumes) = (claim.id.clone(), claim.statement.kind().to_owned(), claim.assumes.clone());
        CheckedClaim { id, kind, line: at.line, column: at.column, text, assumes, accepted }
    };
    let edges = claim.statement.edges().iter().filter_map(|&edge| lts.graph.edge_weight(EdgeId::new(edge as usize)));
    let mut found: Vec<CheckedClaim> = edges.map(|edge| entry(edge.span, source_text(lts, loaded.lines.text(), edge).text)).collect();
    if let Statement::Defined { edges, .. } | Statement::DefinedEnumerated { edges } = &claim.statement {
        let hazards = with_undefined(lts).hazards;
        let named = hazards.iter().filter(|hazard| hazard.edges.iter().all(|edge| edges.contains(&(edge.index() as u32))));
        found.extend(named.map(|hazard| entry(hazard.span(lts), format!("never: {}", hazard.kind.text(lts)))));
    }
    if found.is_empty() {
        let text = match &claim.statement {
            Statement::Pruned { .. } => "a graph that has all feasible paths".to_owned(),
            Statement::Counted { length, count, .. } => format!("paths of at most {length} edges: {count} are feasible"),
            Statement::Family { .. } => "a family of paths that cannot run".to_owned(),
            Statement::Determined { .. } => "the one run, which reads no input, takes every edge".to_owned(),
            _ => "the function's entry".to_owned(),
        };
        found.push(entry(lts.graph[lts.entry].span, format!("`{}`: {text}", lts.function)));
    }
    found
}

/// The function under the assumptions of each of some claims, once for those that have the same.
struct Worlds {
    all: Vec<((Assumptions, ClaimGraph), Lts)>,
}

impl Worlds {
    fn key(claim: &Claim) -> Result<(Assumptions, ClaimGraph), String> {
        Ok((assumed(claim)?, claim.graph_kind()))
    }

    fn of(base: &Lts, claims: &[Claim]) -> Worlds {
        let mut all: Vec<((Assumptions, ClaimGraph), Lts)> = Vec::new();
        for claim in claims {
            if let Ok(key) = Worlds::key(claim)
                && !all.iter().any(|(other, _)| *other == key)
            {
                all.push((key, world(base, claim, key.0)));
            }
        }
        Worlds { all }
    }

    fn check(&self, base: &Lts, machines: &[Machine], conditions: &mut [Option<PathConditions>], claim: &Claim) -> Result<(), String> {
        let key = Worlds::key(claim)?;
        let at = self.all.iter().position(|(other, _)| *other == key).ok_or("no world for this claim")?;
        check_next(&self.all[at].1, Some(&machines[at]), &mut conditions[at], claim)?;
        check_state(base, claim, key.0)
    }
}

/// The answer to a file that is no evidence at all.
pub fn not_evidence(reason: &str) -> Reply<CheckDocument> {
    refused("not-evidence", format!("this is not an evidence file: {reason}"))
}

fn count(kinds: &mut Vec<CheckedKind>, claim: &Claim, accepted: bool) {
    let name = claim.statement.kind();
    let at = kinds.iter().position(|kind| kind.claim == name).unwrap_or_else(|| {
        kinds.push(CheckedKind { claim: name.to_owned(), accepted: 0, rejected: 0 });
        kinds.len() - 1
    });
    *(if accepted { &mut kinds[at].accepted } else { &mut kinds[at].rejected }) += 1;
}
