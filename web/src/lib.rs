//! The page's engine, first module: what the page needs to open, draw graphs, count paths and run, as functions of
//! [`culdesac::view`] for JavaScript. The second module (`web/on_demand/`) has the rest; `web/glue/` is what both pass through.
//! Nothing else knows wasm-bindgen.

use culdesac::view;
use culdesac_glue::{from_js, listen, report_panics, tell, to_js};
use js_sys::Function;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(start)]
pub fn start() {
    report_panics();
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
    listen(tell, request, None, on_event, on_evidence, |request, listener| view::paths(request, lengths, feasible, listener))
}

/// A `Reply<RunDocument>` for an `Input`.
#[wasm_bindgen]
pub fn run(request: JsValue, input: JsValue) -> Result<JsValue, JsValue> {
    to_js(&view::run(&from_js(request)?, &serde_wasm_bindgen::from_value(input)?))
}
