//! The page's engine: [`culdesac::analysis`] for JavaScript, as one function that is called by name. Nothing else knows wasm-bindgen.

mod allocator;
mod bridge;
mod questions;
mod scope;

use bridge::{Answer, Query};
use js_sys::futures::future_to_promise;
use js_sys::{Function, Promise};
use std::alloc::System;
use wasm_bindgen::prelude::*;

#[global_allocator]
static ALLOCATOR: allocator::Pieces = allocator::Pieces::before(System);

#[wasm_bindgen(start)]
pub fn start() {
    scope::report_panics();
}

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The `Reply` of the analysis of this name.
///
/// `question` is `{ request, settings }`: a `Request`, or `null` where the question is not about a program, and the settings of that
/// analysis. `on_event` gets each `Event` and answers `false` to stop. `on_evidence` gets the evidence file in pieces, since all of it may be
/// more than the engine's memory: each claim, and at the end the file without claims.
///
/// # Errors
/// While what the question needs is not loaded, see [`load`]. For a name that is not known, and for a request or settings of another shape: the page and its engine do not fit.
#[wasm_bindgen]
pub fn ask(name: &str, question: JsValue, on_event: Function, on_evidence: Option<Function>) -> Answer {
    questions::answer(name, Query::new(question, on_event, on_evidence))
}

/// Loads what the question of this name needs: a promise that is kept at once if it is there, and broken if it cannot be loaded; the next
/// call tries again.
#[wasm_bindgen]
pub fn load(name: String) -> Promise {
    future_to_promise(async move {
        questions::load(&name).await?;
        Ok(JsValue::UNDEFINED)
    })
}
