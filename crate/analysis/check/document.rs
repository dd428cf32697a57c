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
    /// The text of the program as it is now, to compare with that of the file.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub program: Option<String>,
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
    /// What the claims speak of, in the order of the file: one entry for each edge, or one for the function as a whole.
    pub claims: Vec<CheckedClaim>,
    /// The first line at which the program is now another text than the file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs_at: Option<u32>,
}

/// What a claim speaks of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedClaim {
    /// The claim's name.
    pub id: String,
    /// Its kind, as the file names it.
    pub kind: String,
    pub line: u32,
    pub column: u32,
    /// The edge, or what it says of the function.
    pub text: String,
    /// The names of the assumptions under which it holds.
    pub assumes: Vec<String>,
    pub accepted: bool,
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
