//! What a long run reports while it goes on.

use super::Input;
use serde::{Serialize, Serializer};
use std::any::Any;

/// What a long analysis reports while it runs.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CommonEvent"))]
pub enum Event {
    /// Steps used so far of the limit.
    Progress { steps: u64, limit: u64, text: String },
    // Single findings, for a listener that requests them:
    /// The solver was asked about so many assertions.
    Query { assertions: u32, answer: String },
    /// An input that takes these edges was replayed.
    Reached { path: Vec<u32>, input: Input },
    /// These edges are infeasible; `core` are the indices of those that contradict each other.
    Refuted { path: Vec<u32>, core: Vec<u32> },
    /// These edges stay open.
    Open { path: Vec<u32>, reason: String },
    /// What one analysis has to tell; its data has a `kind` of its own.
    #[serde(untagged)]
    #[cfg_attr(test, ts(skip))]
    News(Box<dyn News>),
}

impl Event {
    /// The news, if it is of this type.
    pub fn news<N: 'static>(&self) -> Option<&N> {
        match self {
            Event::News(news) => (**news).as_any().downcast_ref(),
            _ => None,
        }
    }
}

/// What one analysis has to tell while it runs: plain data with a field `kind`.
pub trait News: erased_serde::Serialize + std::fmt::Debug {
    fn as_any(&self) -> &dyn Any;
}

impl<N: Serialize + std::fmt::Debug + Any> News for N {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Serialize for dyn News {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(self, serializer)
    }
}
