//! The page's engine: the functions of [`culdesac::view`] for JavaScript. The only code that knows wasm-bindgen.
//!
//! Documents cross as plain objects (maps too), numbers as numbers: none at this boundary reaches 2^53. A panic ends the
//! instance; the page's worker then reports it and is replaced.

use culdesac::view::evidence::{Claim, Evidence};
use culdesac::view::{self, Claims, Document, Event, ExplainSettings, Listener, PruneSettings, Reply, Request};
use js_sys::Function;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// A `Reply<CfgDocument>`.
#[wasm_bindgen]
pub fn cfg(request: JsValue) -> Result<JsValue, JsValue> {
    to_js(&view::cfg(&from_js(request)?))
}

/// A `Reply<PathsDocument>`; `on_event` gets each `Event` and answers `false` to stop. `on_evidence` gets the evidence file
/// in pieces, since all of it may be more than the engine's memory: each claim, and at the end the file without claims.
#[wasm_bindgen]
pub fn paths(
    request: JsValue,
    lengths: &[u32],
    feasible: bool,
    on_event: &Function,
    on_evidence: Option<Function>,
) -> Result<JsValue, JsValue> {
    listen(request, None, on_event, on_evidence, |request, listener| view::paths(request, lengths, feasible, listener))
}

/// A `Reply<DrawDocument>`; `on_event` and `on_evidence` as for [`paths`]. With `PruneSettings` the paths are drawn from the
/// pruned graph, under their precondition; without (`undefined`), from the function's own graph.
#[wasm_bindgen]
pub fn draw(
    request: JsValue,
    pruned: JsValue,
    length: u32,
    count: u32,
    feasible_only: bool,
    on_event: &Function,
    on_evidence: Option<Function>,
) -> Result<JsValue, JsValue> {
    let pruned: Option<PruneSettings> = serde_wasm_bindgen::from_value(pruned)?;
    let precondition = pruned.as_ref().and_then(|settings| settings.precondition.clone());
    listen(request, precondition, on_event, on_evidence, |request, listener| match &pruned {
        Some(settings) => view::draw_with(request, settings, true, (length, count), feasible_only, listener),
        None => view::draw(request, length, count, feasible_only, listener),
    })
}

/// A `Reply<PruneDocument>`; `settings` are `PruneSettings`, `on_event` and `on_evidence` as for [`paths`].
#[wasm_bindgen]
pub fn prune(
    request: JsValue,
    settings: JsValue,
    lengths: &[u32],
    feasible: bool,
    on_event: &Function,
    on_evidence: Option<Function>,
) -> Result<JsValue, JsValue> {
    let settings: PruneSettings = serde_wasm_bindgen::from_value(settings)?;
    listen(request, settings.precondition.clone(), on_event, on_evidence, |request, listener| {
        listener.detailed = true;
        view::prune(request, &settings, lengths, feasible, listener)
    })
}

/// A `Reply<ExplainDocument>`; `settings` are `ExplainSettings`, `on_event` and `on_evidence` as for [`paths`]. Explained
/// prefixes are events too: a run that is cancelled has shown what it found.
#[wasm_bindgen]
pub fn explain(request: JsValue, settings: JsValue, on_event: &Function, on_evidence: Option<Function>) -> Result<JsValue, JsValue> {
    let settings: ExplainSettings = serde_wasm_bindgen::from_value(settings)?;
    listen_to(tell_prefixes, request, None, on_event, on_evidence, |request, listener| {
        listener.detailed = true;
        view::explain(request, &settings, &clock, listener)
    })
}

/// The time as the page's clock gives it; a worker without one has all times 0.
fn clock() -> Duration {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    let now = performance
        .as_ref()
        .ok()
        .and_then(|performance| js_sys::Reflect::get(performance, &"now".into()).ok()?.dyn_into::<Function>().ok());
    let time = now.zip(performance.ok()).and_then(|(now, performance)| now.call0(&performance).ok()?.as_f64());
    Duration::from_secs_f64(time.unwrap_or(0.0).max(0.0) / 1e3)
}

/// A `Reply<CheckDocument>` on an evidence file's object; `on_event` as for [`paths`].
#[wasm_bindgen]
pub fn check(evidence: JsValue, on_event: &Function) -> Result<JsValue, JsValue> {
    to_js(&match serde_wasm_bindgen::from_value::<Evidence>(evidence) {
        Ok(evidence) => view::check_listened(&evidence, &mut Listener::new(&mut |event| tell(on_event, &event))),
        Err(error) => view::not_evidence(&error.to_string()),
    })
}

/// The `Reply<CheckDocument>` to a file that is not even an object.
#[wasm_bindgen]
pub fn not_evidence(reason: &str) -> Result<JsValue, JsValue> {
    to_js(&view::not_evidence(reason))
}

/// Runs an analysis; its claims are made only for whoever wants them.
fn listen<T: Document>(
    request: JsValue,
    precondition: Option<String>,
    on_event: &Function,
    on_evidence: Option<Function>,
    run: impl FnOnce(&Request, &mut Listener) -> Reply<T>,
) -> Result<JsValue, JsValue> {
    listen_to(tell, request, precondition, on_event, on_evidence, run)
}

/// The same with events passed on by `tell`.
fn listen_to<T: Document>(
    tell: fn(&Function, &Event) -> bool,
    request: JsValue,
    precondition: Option<String>,
    on_event: &Function,
    on_evidence: Option<Function>,
    run: impl FnOnce(&Request, &mut Listener) -> Reply<T>,
) -> Result<JsValue, JsValue> {
    let request = from_js(request)?;
    let mut event = |event: Event| tell(on_event, &event);
    let mut listener = Listener::new(&mut event);
    let mut pieces = on_evidence.map(|take| Pieces { take, given: 0, failed: None });
    if let Some(pieces) = &mut pieces {
        listener.claims = Some(pieces);
    }
    let reply = run(&request, &mut listener);
    if let (Some(mut pieces), Reply::Document { document }) = (pieces, &reply) {
        pieces.give(&Evidence { precondition, ..Evidence::of(&request, document.header(), Vec::new()) });
        if let Some(error) = pieces.failed {
            return Err(error);
        }
    }
    to_js(&reply)
}

/// Hands claims over as they are made.
struct Pieces {
    take: Function,
    given: usize,
    /// Why a piece could not be handed over: the file would not be whole.
    failed: Option<JsValue>,
}

impl Pieces {
    fn give(&mut self, piece: &impl Serialize) {
        if let Err(error) = to_js(piece).and_then(|piece| self.take.call1(&JsValue::NULL, &piece)) {
            self.failed.get_or_insert(error);
        }
    }
}

impl Claims for Pieces {
    fn len(&self) -> usize {
        self.given
    }
    fn push(&mut self, claim: Claim) {
        self.given += 1;
        self.give(&claim);
    }
}

/// Whether to go on: a listener that throws or answers anything but `false` does not stop the engine.
fn tell(on_event: &Function, event: &Event) -> bool {
    // Single findings are for traces: a run may have millions, and the page shows none.
    if matches!(event, Event::Query { .. } | Event::Reached { .. } | Event::Refuted { .. } | Event::Open { .. }) {
        return true;
    }
    pass_on(on_event, event)
}

/// As [`tell`], and of findings the infeasible prefixes.
fn tell_prefixes(on_event: &Function, event: &Event) -> bool {
    if matches!(event, Event::Refuted { .. }) { pass_on(on_event, event) } else { tell(on_event, event) }
}

fn pass_on(on_event: &Function, event: &Event) -> bool {
    let answer = to_js(event).and_then(|event| on_event.call1(&JsValue::NULL, &event));
    answer.map_or(true, |answer| answer.as_bool() != Some(false))
}

fn from_js(request: JsValue) -> Result<Request, JsValue> {
    Ok(serde_wasm_bindgen::from_value(request)?)
}

fn to_js(data: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(data.serialize(&Serializer::json_compatible())?)
}
