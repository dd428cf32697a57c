//! Settings and document of `check`.

use crate::evidence::Evidence;
use crate::view::{Header, document};
use serde::{Deserialize, Deserializer, Serialize};

/// What `check` checks.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckSettings {
    /// The file's object.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub evidence: Option<Readable<Evidence>>,
    /// Why the file is not even an object, if so.
    pub unreadable: Option<String>,
}

/// Data, or why it is not what it should be: that is an answer to the question, not an error in asking.
#[derive(Clone, Debug)]
pub struct Readable<T>(pub Result<T, String>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Readable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Readable<T>, D::Error> {
        Ok(Readable(T::deserialize(deserializer).map_err(|error| error.to_string())))
    }
}

/// `check`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// How many claims were looked at.
    pub checked: u32,
    /// The same by kind of claim, in the order of the file.
    pub kinds: Vec<CheckedKind>,
    pub rejected: Vec<Rejected>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedKind {
    /// The kind's name in the file, such as `reached`.
    pub claim: String,
    pub accepted: u32,
    pub rejected: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rejected {
    /// The claim's name, or `file` if the file as a whole is not known here.
    pub id: String,
    /// The claim's place in the file, from 0.
    pub index: Option<u32>,
    pub reason: String,
}

/// An event of its own.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum CheckedEvent {
    /// So many claims of all are checked; whether the last one was rejected.
    Checked { claims: u32, of: u32, rejected: Option<Rejected> },
}

document!(CheckDocument);
