//! The page's engine: the functions of [`culdesac::view`] for JavaScript. The only code that knows wasm-bindgen.
//!
//! Documents cross as plain objects (maps too), numbers as numbers: none at this boundary exceeds 2^53. A panic ends the
//! instance; the page's worker then reports it and is replaced.

use culdesac::view::{self, Event, Listener, Request};
use js_sys::Function;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
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

/// A `Reply<PathsDocument>`; `on_event` gets each `Event` and answers `false` to stop.
#[wasm_bindgen]
pub fn paths(request: JsValue, lengths: &[u32], feasible: bool, on_event: &Function) -> Result<JsValue, JsValue> {
    to_js(&view::paths(&from_js(request)?, lengths, feasible, &mut Listener::new(&mut |event| tell(on_event, &event))))
}

/// A `Reply<DrawDocument>`; `on_event` as for [`paths`].
#[wasm_bindgen]
pub fn draw(request: JsValue, length: u32, count: u32, feasible_only: bool, on_event: &Function) -> Result<JsValue, JsValue> {
    to_js(&view::draw(&from_js(request)?, length, count, feasible_only, &mut Listener::new(&mut |event| tell(on_event, &event))))
}

/// Whether to go on: a listener that throws or answers anything but `false` does not stop the engine.
fn tell(on_event: &Function, event: &Event) -> bool {
    let answer = to_js(event).and_then(|event| on_event.call1(&JsValue::NULL, &event));
    answer.map_or(true, |answer| answer.as_bool() != Some(false))
}

fn from_js(request: JsValue) -> Result<Request, JsValue> {
    Ok(serde_wasm_bindgen::from_value(request)?)
}

fn to_js(data: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(data.serialize(&Serializer::json_compatible())?)
}
