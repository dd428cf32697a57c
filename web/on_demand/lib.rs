//! The page's engine, second module: drawing paths, generating, and the analyses that are not needed at once; loaded when one of them is
//! first asked for, or ahead once the page is idle. It repeats the front end and the solver of the first (`web/src/lib.rs`): the two share no memory.

use culdesac::view::evidence::Evidence;
use culdesac::view::{self, CompareSettings, CoverSettings, Event, ExplainSettings, Listener, PruneSettings};
use culdesac_glue::{clock, listen, pass_on, report_panics, tell, to_js};
use js_sys::Function;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(start)]
pub fn start() {
    report_panics();
}

/// A `Reply<DrawDocument>`; `on_event` and `on_evidence` as for `paths` of the first module.
#[wasm_bindgen]
pub fn draw(
    request: JsValue,
    length: u32,
    count: u32,
    feasible_only: bool,
    on_event: &Function,
    on_evidence: Option<Function>,
) -> Result<JsValue, JsValue> {
    listen(tell, request, None, on_event, on_evidence, |request, listener| view::draw(request, length, count, feasible_only, listener))
}

/// A `Reply<ExplainDocument>`; `settings` are `ExplainSettings`, `on_event` and `on_evidence` as for `paths` of the first module. Explained
/// prefixes are events too: a run that is cancelled has shown what it found.
#[wasm_bindgen]
pub fn explain(request: JsValue, settings: JsValue, on_event: &Function, on_evidence: Option<Function>) -> Result<JsValue, JsValue> {
    let settings: ExplainSettings = serde_wasm_bindgen::from_value(settings)?;
    listen(tell_prefixes, request, None, on_event, on_evidence, |request, listener| {
        listener.detailed = true;
        view::explain(request, &settings, &clock, listener)
    })
}

/// A `Reply<CoverDocument>`; `settings` are `CoverSettings`, `on_event` and `on_evidence` as for `paths` of the first module. Runs
/// that were replayed are events too.
#[wasm_bindgen]
pub fn cover(request: JsValue, settings: JsValue, on_event: &Function, on_evidence: Option<Function>) -> Result<JsValue, JsValue> {
    let settings: CoverSettings = serde_wasm_bindgen::from_value(settings)?;
    listen(tell_runs, request, settings.precondition.clone(), on_event, on_evidence, |request, listener| {
        listener.detailed = true;
        view::cover(request, &settings, listener)
    })
}

/// A `Reply<CompareDocument>`; `settings` are `CompareSettings`. Each run is an event.
#[wasm_bindgen]
pub fn compare(settings: JsValue, on_event: &Function) -> Result<JsValue, JsValue> {
    let settings: CompareSettings = serde_wasm_bindgen::from_value(settings)?;
    to_js(&view::compare(&settings, &clock, &mut |run| pass_on(on_event, &Event::Compared { run: run.clone() })))
}

/// A `Reply<CheckDocument>` on an evidence file's object; `on_event` as for `paths` of the first module.
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

/// As [`tell`], and of findings the infeasible prefixes.
fn tell_prefixes(on_event: &Function, event: &Event) -> bool {
    if matches!(event, Event::Refuted { .. }) { pass_on(on_event, event) } else { tell(on_event, event) }
}

/// As [`tell`], and of findings the runs that were replayed.
fn tell_runs(on_event: &Function, event: &Event) -> bool {
    if matches!(event, Event::Reached { .. }) { pass_on(on_event, event) } else { tell(on_event, event) }
}

/// A `Reply<PruneDocument>`; `settings` are `PruneSettings`, `on_event` and `on_evidence` as for [`explain`].
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
    listen(tell, request, settings.precondition.clone(), on_event, on_evidence, |request, listener| {
        listener.detailed = true;
        view::prune(request, &settings, lengths, feasible, listener)
    })
}

/// A `Reply<DrawDocument>`: paths are drawn from the graph that is pruned with these `PruneSettings`, under their precondition.
/// `on_event` and `on_evidence` as for [`explain`].
#[wasm_bindgen]
pub fn draw_pruned(
    request: JsValue,
    settings: JsValue,
    length: u32,
    count: u32,
    feasible_only: bool,
    on_event: &Function,
    on_evidence: Option<Function>,
) -> Result<JsValue, JsValue> {
    let settings: PruneSettings = serde_wasm_bindgen::from_value(settings)?;
    listen(tell, request, settings.precondition.clone(), on_event, on_evidence, |request, listener| {
        view::draw_with(request, &settings, true, (length, count), feasible_only, listener)
    })
}

/// A random program in the block language: so many diamonds (at most 200), all else from the seed.
#[wasm_bindgen]
pub fn generate(diamonds: u32, seed: u64) -> String {
    view::diamonds(diamonds, seed)
}
