//! `paths`: how many complete paths there are up to given lengths, and how many of them are feasible
//! ([`crate::counting`]).

#[cfg(feature = "cli")]
mod command;
mod document;
mod shortest;

pub use document::{PathsDocument, PathsSettings, PathsShortest};

use super::{Analysis, Question};
use crate::counting::merged::Obstacle;
use crate::counting::report::PathsRow;
use crate::counting::{Feasible, check_lengths, table};
use crate::load::{Loaded, load_assuming};
use crate::lts::EdgeId;
use crate::lts::assume::Assumptions;
use crate::run::assumption_tracking::without;
use crate::run::listener::Listener;
use crate::run::recorder::traced;
use crate::solver::Reason;
use crate::view::{Reply, Request};
use shortest::shortest;

/// `paths`.
pub struct Paths;

impl Analysis for Paths {
    const NAME: &'static str = "paths";
    const DOCS: &'static str = "solver";
    type Settings = PathsSettings;
    type Document = PathsDocument;

    fn answer(question: &Question<PathsSettings>, listener: &mut Listener) -> Reply<PathsDocument> {
        paths(question.request, &question.settings.lengths, question.settings.feasible, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        use crate::counting::report::{FeasibleBy, RowEvent};
        protocol.bound("MAX_LENGTH", crate::count::MAX_LENGTH);
        protocol.analysis::<Self>().parts::<(PathsRow, FeasibleBy, PathsShortest)>().event::<RowEvent>();
    }
}

/// P(l), and FP(l) if `feasible`, for each of these lengths, in their order. Where the limit or the listener's `false` cuts it
/// short, rows are missing or "at least", and `open` says why. Refuses lengths above the greatest, and a program with errors.
pub fn paths(request: &Request, lengths: &[u32], feasible: bool, listener: &mut Listener) -> Reply<PathsDocument> {
    if let Some(refusal) = check_lengths(lengths) {
        return refusal;
    }
    let loaded = match load_assuming(request, None) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let ((table, shortest), run) = traced(request, &loaded, "counting paths", listener, |meter, trace| {
        let table = table(&loaded.lts, lengths, feasible, meter, trace);
        // Only the bound is why none is feasible, perhaps.
        let longest = table.rows.iter().max_by_key(|row| row.length).filter(|row| row.counts().0.is_some_and(|count| count == "0"));
        let shortest = longest.filter(|_| table.cut.is_none()).and_then(|row| shortest(&loaded.lts, row.length, meter, trace));
        (table, shortest)
    });
    let rows: Vec<PathsRow> = table.rows.iter().map(Into::into).collect();
    // Rows that are exact only under an assumption that is not made.
    let weakened =
        table.rows.iter().zip(&rows).filter(|(row, said)| matches!(row.feasible, Some(Feasible::Exactly(_))) && said.feasible.is_none());
    let missing = without(weakened.fold(Assumptions::default(), |all, (row, _)| all.and(row.needs.missing)));
    let document = PathsDocument {
        header: run.header(request, &loaded, table.cut.is_none() && missing.is_none()),
        table: rows,
        open: table.why_open(&run).or(missing.map(|why| format!("that there are no more: {why}"))),
        enumerated: table.enumerated.map(|obstacle| why_enumerated(&loaded, obstacle)),
        shortest,
        feasible_by: table.basis.map(Into::into),
    };
    Reply::Document { document }
}

/// Why there is no merged graph of the feasible paths, for people.
fn why_enumerated(loaded: &Loaded, obstacle: Obstacle) -> String {
    let line = |edge: EdgeId| loaded.lts.graph.edge_weight(edge).map_or(1, |edge| loaded.lines.line(edge.span.start));
    match obstacle {
        Obstacle::Inexact(edge) => format!("the states after line {} have no exact description here", line(edge)),
        Obstacle::Open(edge, reason) => format!("it is open whether line {} is passed: {reason}", line(edge)),
        Obstacle::Doubt(reason) => reason.to_string(),
        Obstacle::Stdin => "which values a text on standard input gives is known of each path alone".to_owned(),
        Obstacle::Exhausted(why) => Reason::from(why).to_string(),
    }
}
