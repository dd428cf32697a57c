//! The questions by name: the table of analyses, and what of the engine each of them needs.

use crate::bridge::{Answer, Failure, Query};
use culdesac::analysis::cfg::Cfg;
use culdesac::analysis::paths::Paths;
use culdesac::analysis::{Analysis, Visitor, with};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasm_split_helpers::wasm_split;

/// Answers a question whose code is loaded.
pub fn answer(name: &str, query: Query) -> Answer {
    match name {
        Cfg::NAME => query.answer::<Cfg>(),
        Paths::NAME => query.answer::<Paths>(),
        _ => {
            // What is loaded answers at once: no task has to be woken.
            let answer = pin!(later(name, query));
            match answer.poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(answer) => answer,
                Poll::Pending => Err(Failure::new(&format!("what {name} needs is not loaded"))),
            }
        }
    }
}

/// Loads what a question needs.
pub async fn load(name: &str) -> Result<(), Failure> {
    if !matches!(name, Cfg::NAME | Paths::NAME) {
        load_later().await?;
    }
    Ok(())
}

/// Answers the queries that an opening page does not make: a part of the engine that is loaded on its own.
#[wasm_split(later, fallible, preload(load_later))]
fn later(name: &str, query: Query) -> Answer {
    with(name, Ask(query)).unwrap_or_else(|| Err(Failure::new(&format!("there is no question {name}"))))
}

struct Ask(Query);

impl Visitor for Ask {
    type Output = Answer;

    fn visit<A: Analysis>(self) -> Answer {
        self.0.answer::<A>()
    }
}
