//! Settings and document of `generate`.

use crate::view::{Document, Header};
use serde::{Deserialize, Serialize};

/// Which program is generated.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GenerateSettings {
    /// How many diamonds (choices between four ways) stand in a row; at most [`crate::generate::MAX_DIAMONDS`].
    pub diamonds: u32,
    pub seed: u64,
}

/// `generate`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GenerateDocument {
    /// The program's text.
    pub text: String,
}

impl Document for GenerateDocument {
    fn header(&self) -> Option<&Header> {
        None
    }
    fn header_mut(&mut self) -> Option<&mut Header> {
        None
    }
}
