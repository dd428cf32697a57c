//! The questions by name: the table of analyses, and what of the engine each of them needs.

use crate::bridge::{Answer, Asked, Failure};
use culdesac::analysis::cfg::Cfg;
use culdesac::analysis::paths::Paths;
use culdesac::analysis::{Analysis, Visitor, with};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasm_split_helpers::wasm_split;

/// Answers a question whose code is loaded.
pub fn answer(name: &str, asked: Asked) -> Answer {
    match name {
        Cfg::NAME => asked.answer::<Cfg>(),
        Paths::NAME => asked.answer::<Paths>(),
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
    if !matches!(name, Cfg::NAME | Paths::NAME) {
        load_later().await?;
    }
    Ok(())
}

/// Answers the questions that nobody asks in a page that opens: a part of the engine that is loaded on its own.
#[wasm_split(later, fallible, preload(load_later))]
fn later(name: &str, asked: Asked) -> Answer {
    with(name, Ask(asked)).unwrap_or_else(|| Err(Failure::new(&format!("there is no question {name}"))))
}

struct Ask(Asked);

impl Visitor for Ask {
    type Output = Answer;

    fn visit<A: Analysis>(self) -> Answer {
        self.0.answer::<A>()
    }
}
