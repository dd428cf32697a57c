//! What the page's two engine modules share: requests, documents, events and evidence on their way between
//! [`culdesac::view`] and JavaScript.
//!
//! Documents cross as plain objects (maps too), numbers as numbers: none at this boundary reaches 2^53. A panic ends the
//! instance; the page's worker then reports it and is replaced.

use culdesac::view::evidence::{Claim, Evidence};
use culdesac::view::{Claims, Document, Event, Listener, Reply, Request};
use js_sys::Function;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};

/// Has a panic write its text to the console; each module calls it as it starts.
pub fn report_panics() {
    console_error_panic_hook::set_once();
}

/// The time as the page's clock gives it; a worker without one has all times 0.
pub fn clock() -> Duration {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    let now = performance
        .as_ref()
        .ok()
        .and_then(|performance| js_sys::Reflect::get(performance, &"now".into()).ok()?.dyn_into::<Function>().ok());
    let time = now.zip(performance.ok()).and_then(|(now, performance)| now.call0(&performance).ok()?.as_f64());
    Duration::from_secs_f64(time.unwrap_or(0.0).max(0.0) / 1e3)
}

/// Runs an analysis, whose events `tell` passes on; its claims are made only for whoever wants them.
pub fn listen<T: Document>(
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
pub fn tell(on_event: &Function, event: &Event) -> bool {
    // Single findings are for traces: a run may have millions, and the page shows none.
    if matches!(event, Event::Query { .. } | Event::Reached { .. } | Event::Refuted { .. } | Event::Open { .. }) {
        return true;
    }
    pass_on(on_event, event)
}

pub fn pass_on(on_event: &Function, event: &Event) -> bool {
    let answer = to_js(event).and_then(|event| on_event.call1(&JsValue::NULL, &event));
    answer.map_or(true, |answer| answer.as_bool() != Some(false))
}

pub fn from_js(request: JsValue) -> Result<Request, JsValue> {
    Ok(serde_wasm_bindgen::from_value(request)?)
}

pub fn to_js(data: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(data.serialize(&Serializer::json_compatible())?)
}
