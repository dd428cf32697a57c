//! What surrounds the engine: the worker's clock and console.

use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{WorkerGlobalScope, console};

/// Has a panic write its text to the console, before it ends the instance.
pub fn report_panics() {
    console_error_panic_hook::set_once();
}

/// Notes on the console what does not stop the engine.
pub fn warn(error: &JsValue) {
    console::warn_1(error);
}

/// The time as the worker's clock gives it; outside a worker all times are 0.
pub fn clock() -> Duration {
    let scope = js_sys::global().dyn_into::<WorkerGlobalScope>().ok();
    let now = scope.and_then(|scope| scope.performance()).map_or(0.0, |performance| performance.now());
    Duration::from_secs_f64(now.max(0.0) / 1e3)
}
