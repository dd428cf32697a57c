//! `cover`: tests for every statement that can be executed within a bound, and why the others cannot.

use super::sized::sized;
use super::writing::document;
use super::{CoverDocument, CoverSettings};
use crate::evidence::bounded::unwind::UnwindObstacle;
use crate::load::Loaded;
use crate::run::listener::Listener;
use crate::run::recorder::traced;
use crate::source::{self, Span};
use crate::view::{self, Reply, Request, diagnostic};

/// Covers the function within the bound of the settings; refuses a bound above [`MAX_UNWIND`](crate::evidence::bounded::MAX_UNWIND), and a program or precondition with
/// errors.
pub fn cover(request: &Request, settings: &CoverSettings, listener: &mut Listener) -> Reply<CoverDocument> {
    match covered(request, settings, listener) {
        Ok(document) => Reply::Document { document },
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

fn covered(request: &Request, settings: &CoverSettings, listener: &mut Listener) -> Result<CoverDocument, Vec<view::Diagnostic>> {
    let sized = sized(request, settings)?;
    let loaded = &sized.loaded;
    let (covered, used) = traced(request, loaded, "covering", listener, |meter, trace| sized.cover(Vec::new(), meter, trace));
    let covered = covered.map_err(|obstacle| vec![diagnostic(&loaded.lines, &refusal(loaded, obstacle))])?;
    Ok(document(request, &sized, &covered, &used))
}

/// The refusal of a program that cannot be unwound.
pub fn refusal(loaded: &Loaded, obstacle: UnwindObstacle) -> source::Diagnostic {
    let (code, span, help) = match obstacle {
        UnwindObstacle::TooLarge => (
            "too-large",
            Span::default(),
            "unwind less often, look at a smaller function, or let summaries of the functions it calls find tests",
        ),
        UnwindObstacle::Arrays(array) => ("unsupported-array", loaded.lts.array(array).span, "initialise it on every way, or on none"),
    };
    source::Diagnostic::error(code, span, obstacle.to_string()).help(help)
}
