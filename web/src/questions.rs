//! The questions by name: what each is set with, which of its events pass to the page, and who answers it.

use crate::bridge::{Answer, Asked, Failure, to_js};
use crate::scope::clock;
use culdesac::view::evidence::Evidence;
use culdesac::view::{self, CompareSettings, CoverSettings, Event, ExplainSettings, Input, Listener, PruneSettings, Reply};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::JsValue;
use wasm_split_helpers::wasm_split;

#[derive(Deserialize)]
struct Paths {
    lengths: Vec<u32>,
    feasible: bool,
}

#[derive(Deserialize)]
struct Run {
    input: Input,
}

#[derive(Deserialize)]
struct Draw {
    length: u32,
    count: u32,
    feasible_only: bool,
    /// How the graph is pruned that the paths are drawn from.
    pruned: Option<PruneSettings>,
}

#[derive(Deserialize)]
struct Prune {
    graph: PruneSettings,
    lengths: Vec<u32>,
    feasible: bool,
}

#[derive(Deserialize)]
struct Check {
    /// The evidence file's object.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    evidence: JsValue,
    /// Why the file is not even an object.
    unreadable: Option<String>,
}

#[derive(Deserialize)]
struct Generate {
    diamonds: u32,
    seed: u64,
}

#[derive(Serialize)]
struct Generated {
    text: String,
}

/// Answers a question whose code is loaded.
pub fn answer(name: &str, asked: Asked) -> Answer {
    match name {
        "cfg" => to_js(&view::cfg(&asked.request()?)),
        "paths" => {
            let Paths { lengths, feasible } = asked.settings()?;
            asked.listen(results, None, |request, listener| view::paths(request, &lengths, feasible, listener))
        }
        _ => {
            // What is loaded answers at once: nothing has to wake anybody.
            let answer = pin!(later(name, asked));
            match answer.poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(answer) => answer,
                Poll::Pending => Err(Failure::new(&format!("what {name} needs is not loaded"))),
            }
        }
    }
}

/// Loads what a question needs.
pub async fn load(name: &str) -> Result<(), Failure> {
    if !matches!(name, "cfg" | "paths") {
        load_later().await?;
    }
    Ok(())
}

/// Answers the questions that nobody asks in a page that opens: a part of the engine that is loaded on its own.
#[wasm_split(later, fallible, preload(load_later))]
fn later(name: &str, asked: Asked) -> Answer {
    match name {
        "run" => to_js(&view::run(&asked.request()?, &asked.settings::<Run>()?.input)),
        "draw" => draw(asked),
        "prune" => {
            let Prune { graph, lengths, feasible } = asked.settings()?;
            asked.listen(results, graph.precondition.clone(), |request, listener| {
                listener.detailed = true;
                view::prune(request, &graph, &lengths, feasible, listener)
            })
        }
        "explain" => {
            let settings: ExplainSettings = asked.settings()?;
            asked.listen(prefixes, None, |request, listener| {
                listener.detailed = true;
                view::explain(request, &settings, &clock, listener)
            })
        }
        "cover" => {
            let settings: CoverSettings = asked.settings()?;
            asked.listen(runs, settings.precondition.clone(), |request, listener| {
                listener.detailed = true;
                view::cover(request, &settings, listener)
            })
        }
        "compare" => {
            let settings: CompareSettings = asked.settings()?;
            to_js(&view::compare(&settings, &clock, &mut |run| asked.tell(&Event::Compared { run: run.clone() })))
        }
        "check" => check(asked),
        "generate" => {
            let Generate { diamonds, seed } = asked.settings()?;
            to_js(&Reply::Document { document: Generated { text: view::diamonds(diamonds, seed) } })
        }
        _ => Err(Failure::new(&format!("there is no question {name}"))),
    }
}

fn draw(asked: Asked) -> Answer {
    let Draw { length, count, feasible_only, pruned } = asked.settings()?;
    let precondition = pruned.as_ref().and_then(|pruned| pruned.precondition.clone());
    asked.listen(results, precondition, |request, listener| match &pruned {
        None => view::draw(request, length, count, feasible_only, listener),
        Some(settings) => view::draw_with(request, settings, true, (length, count), feasible_only, listener),
    })
}

fn check(asked: Asked) -> Answer {
    let Check { evidence, unreadable } = asked.settings()?;
    let evidence = match unreadable {
        Some(reason) => Err(reason),
        None => serde_wasm_bindgen::from_value::<Evidence>(evidence).map_err(|error| error.to_string()),
    };
    to_js(&match evidence {
        Ok(evidence) => view::check_listened(&evidence, &mut Listener::new(&mut |event| asked.tell(&event))),
        Err(reason) => view::not_evidence(&reason),
    })
}

/// Progress and results. Single findings are for traces: a run may have millions, and the page shows none.
fn results(event: &Event) -> bool {
    !matches!(event, Event::Query { .. } | Event::Reached { .. } | Event::Refuted { .. } | Event::Open { .. })
}

/// Of findings the infeasible prefixes: a run that is cancelled has shown what it found.
fn prefixes(event: &Event) -> bool {
    results(event) || matches!(event, Event::Refuted { .. })
}

/// Of findings the runs that were replayed.
fn runs(event: &Event) -> bool {
    results(event) || matches!(event, Event::Reached { .. })
}
