//! Justifications as a file: kept by the text and structure of the program rather than by line numbers, with their evidence.

use super::structure::StructuralName;
use crate::evidence::Evidence;
use crate::view::SCHEMA;
use serde::{Deserialize, Serialize};

/// What a file of justifications starts with.
const KIND: &str = "justifications";

/// A file of justifications.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JustificationFile {
    pub schema: u32,
    /// Always `justifications`.
    pub kind: String,
    /// The version of culdesac that wrote it.
    pub version: String,
    pub programs: Vec<JustifiedProgram>,
}

/// The justified branches of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JustifiedProgram {
    pub program: String,
    /// The hash of its text with its headers, SHA-256.
    pub sha256: String,
    /// The coverage names this function as the whole program, if the caller did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    pub branches: Vec<Justification>,
    /// For each function that was analysed the claims that are cited.
    pub evidence: Vec<Evidence>,
}

/// A justified branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Justification {
    #[serde(flatten)]
    pub name: StructuralName,
    /// Where it was when the file was written.
    pub line: u32,
    pub column: u32,
    /// Why no execution takes it, for people.
    pub reason: String,
    #[serde(default)]
    pub assumes: Vec<String>,
    /// As in the document.
    pub evidence: Vec<String>,
}

impl JustificationFile {
    pub fn of(programs: Vec<JustifiedProgram>) -> JustificationFile {
        JustificationFile { schema: SCHEMA, kind: KIND.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), programs }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Why it is no file of justifications.
    pub fn read(text: &str) -> Result<JustificationFile, String> {
        let file: JustificationFile =
            serde_json::from_str(text).map_err(|error| format!("not a file that `justify --justifications` wrote: {error}"))?;
        match (&*file.kind, file.schema) {
            (KIND, SCHEMA) => Ok(file),
            (KIND, schema) => Err(format!("its schema is {schema}, and this version reads {SCHEMA}")),
            _ => Err("not a file that `justify --justifications` wrote".to_owned()),
        }
    }

    /// The justifications of a program: of several those of the name with the longest common path.
    pub fn program(&self, name: &str) -> Option<&JustifiedProgram> {
        let common = |other: &str| other.rsplit('/').zip(name.rsplit('/')).take_while(|(a, b)| a == b).count();
        self.programs.iter().filter(|program| common(&program.program) > 0).max_by_key(|program| common(&program.program))
    }
}
