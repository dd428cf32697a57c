//! `draw`: draws complete paths uniformly at random, and says of each what becomes of it.
//!
//! Source: AGVW16, Section V, and its reference [1].

#[cfg(feature = "cli")]
mod command;
mod document;
mod fate;
pub mod sampled;
mod starts;

pub use document::{DrawDocument, DrawSettings, DrawnPath, PathEvent};

use super::prune::method::graph::graph_of;
use super::{Analysis, Question};
use crate::counting::check_lengths;
use crate::load::{load_assuming, load_under, refused};
use crate::lts::assume::Assumption;
use crate::run::listener::Listener;
use crate::run::recorder::traced;
use crate::view::{Reply, Request};
use fate::Fate;
use sampled::{DrawPlan, sampled};

/// `draw`.
pub struct Draw;

impl Analysis for Draw {
    const NAME: &'static str = "draw";
    const DOCS: &'static str = "prune";
    type Settings = DrawSettings;
    type Document = DrawDocument;

    fn precondition(settings: &DrawSettings) -> Option<&str> {
        match &settings.pruned {
            Some(pruned) => pruned.precondition.as_deref(),
            None => settings.precondition.as_deref(),
        }
    }

    fn answer(question: &Question<DrawSettings>, listener: &mut Listener) -> Reply<DrawDocument> {
        draw(question.request, question.settings, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(DrawnPath,)>().event::<PathEvent>();
    }
}

/// Draws complete paths uniformly and independently (a path may come twice) from the request's seed, and decides each. Refuses a
/// length above the greatest, and a program with errors.
pub fn draw(request: &Request, settings: &DrawSettings, listener: &mut Listener) -> Reply<DrawDocument> {
    if let Some(refusal) = check_lengths(&[settings.length]) {
        return refusal;
    }
    let chosen = match settings.pruned.as_ref().map(|pruned| pruned.chosen()).transpose() {
        Ok(chosen) => chosen,
        Err(message) => return refused("bad-setting", message),
    };
    // A pruned graph may lack paths that run without an assumption.
    let load = if chosen.is_some() { load_under } else { load_assuming };
    let loaded = match load(request, Draw::precondition(settings)) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let plan = DrawPlan { length: settings.length, count: settings.count, seed: request.seed, feasible_only: settings.feasible_only };
    let (drawing, run) = traced(request, &loaded, "drawing paths", listener, |meter, trace| {
        let _ = trace.needs();
        let pruned = chosen.map(|chosen| graph_of(&loaded.lts, &chosen, meter, trace).graph());
        sampled(&loaded, &plan, pruned, meter, trace)
    });
    let drawing = match drawing {
        Ok(drawing) => drawing,
        Err(error) => return refused("too-large", error.to_string()),
    };
    let open_path =
        drawing.drawn.iter().any(|drawn| matches!(drawn.fate, Fate::Open(_)) || drawn.state.is_some() || !drawn.needs.missing.is_empty());
    let mut header = run.header(request, &loaded, drawing.cut.is_none() && !open_path);
    if drawing.drawn.iter().any(|drawn| drawn.needs.all.contains(Assumption::LeftByCalls)) {
        header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
    }
    let document = DrawDocument {
        header,
        population: drawing.population.to_string(),
        assumes: drawing.needs.all.ids(),
        paths: drawing.drawn.iter().map(|drawn| DrawnPath::of(&loaded, drawn)).collect(),
        open: drawing.cut.map(|reason| run.why_open(reason)),
    };
    Reply::Document { document }
}
