//! Questions, documents, events and evidence on their way between [`culdesac::analysis`] and JavaScript.
//!
//! Documents cross as plain objects (maps too), numbers as numbers: none at this boundary reaches 2^53. A panic ends the
//! instance; the page's worker then reports it and is replaced.

use crate::scope::{clock, warn};
use culdesac::analysis::{self, Analysis, Claims, Listener};
use culdesac::evidence::{Claim, Evidence};
use culdesac::view::{Document, Event, Reply};
use js_sys::Function;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use wasm_split_helpers::SplitLoaderError;

/// A `Reply` as JavaScript has it.
pub type Answer = Result<JsValue, Failure>;

/// Why a question has no reply: an `Error` of JavaScript's.
pub struct Failure(JsValue);

impl Failure {
    pub fn new(message: &str) -> Failure {
        Failure(JsError::new(message).into())
    }
}

impl From<JsValue> for Failure {
    fn from(error: JsValue) -> Failure {
        Failure(error)
    }
}

impl From<serde_wasm_bindgen::Error> for Failure {
    fn from(error: serde_wasm_bindgen::Error) -> Failure {
        Failure(error.into())
    }
}

impl From<SplitLoaderError> for Failure {
    fn from(_: SplitLoaderError) -> Failure {
        Failure::new("a part of it was not found")
    }
}

impl From<Failure> for JsValue {
    fn from(Failure(error): Failure) -> JsValue {
        error
    }
}

#[wasm_bindgen]
extern "C" {
    /// A question as the worker puts it.
    type Question;
    #[wasm_bindgen(method, getter)]
    fn request(this: &Question) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn settings(this: &Question) -> JsValue;
}

/// The query, and its listeners.
pub struct Query {
    question: Question,
    on_event: Function,
    on_evidence: Option<Function>,
}

impl Query {
    pub fn new(question: JsValue, on_event: Function, on_evidence: Option<Function>) -> Query {
        Query { question: question.unchecked_into(), on_event, on_evidence }
    }

    /// Hands an event over. A listener that throws, which the console is told, or answers anything but `false` does not stop the engine.
    fn tell(&self, event: &Event) -> bool {
        let answer = to_js(event).and_then(|event| Ok(self.on_event.call1(&JsValue::NULL, &event)?));
        match answer {
            Ok(answer) => answer.as_bool() != Some(false),
            Err(Failure(error)) => {
                warn(&error);
                true
            }
        }
    }

    /// The answer of an analysis, which says itself which of its findings pass; its claims are made only on request.
    pub fn answer<A: Analysis>(self) -> Answer {
        let settings: A::Settings = from_js(self.question.settings())?;
        let query = analysis::Query { request: from_js(self.question.request())?, settings };
        let mut event = |event: Event| self.tell(&event);
        let mut listener = Listener { findings: A::FINDINGS, ..Listener::new(&mut event) };
        let mut pieces = self.on_evidence.as_ref().map(|take| Pieces { take, given: 0, failed: None });
        if let Some(pieces) = &mut pieces {
            listener.claims = Some(pieces);
        }
        let reply = query.answer::<A>(&clock, &mut listener);
        if let (Some(mut pieces), Some(request), Reply::Document { document }) = (pieces, &query.request, &reply)
            && let Some(header) = document.header()
        {
            let precondition = A::precondition(&query.settings).map(str::to_owned);
            let unfolding = A::graph_of_claims(&query.settings).map(|unfolding| unfolding.id().to_owned());
            pieces.give(&Evidence { precondition, unfolding, ..Evidence::of(request, header, Vec::new()) });
            if let Some(error) = pieces.failed {
                return Err(error);
            }
        }
        to_js(&reply)
    }
}

/// Hands claims over as they are made.
struct Pieces<'a> {
    take: &'a Function,
    given: usize,
    /// Why a piece could not be handed over: the file would not be whole.
    failed: Option<Failure>,
}

impl Pieces<'_> {
    fn give(&mut self, piece: &impl Serialize) {
        if let Err(error) = to_js(piece).and_then(|piece| Ok(self.take.call1(&JsValue::NULL, &piece)?)) {
            self.failed.get_or_insert(error);
        }
    }
}

impl Claims for Pieces<'_> {
    fn len(&self) -> usize {
        self.given
    }
    fn push(&mut self, claim: Claim) {
        self.given += 1;
        self.give(&claim);
    }
}

fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, Failure> {
    Ok(serde_wasm_bindgen::from_value(value)?)
}

fn to_js(data: &impl Serialize) -> Answer {
    Ok(data.serialize(&Serializer::json_compatible())?)
}
