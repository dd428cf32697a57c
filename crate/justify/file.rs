//! Justifications as a file: kept by the text and structure of the program rather than by line numbers, with their evidence.

use super::structure::StructuralName;
use crate::evidence::Evidence;
use crate::view::SCHEMA;
use serde::de::DeserializeOwned;
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
        let file: JustificationFile = read(text)?;
        readable(&file.kind, file.schema).map(|()| file)
    }

    /// The justifications of a program: of several those of the name with the longest common path.
    pub fn program(&self, name: &str) -> Option<&JustifiedProgram> {
        of_name(&self.programs, name, |program| &program.program)
    }
}

/// A file of justifications without its evidence, which a comparison with another version does not rest on: it proves each branch anew.
#[derive(Clone, Debug, Deserialize)]
pub struct EarlierJustifications {
    schema: u32,
    kind: String,
    programs: Vec<EarlierProgram>,
}

/// The branches of a program that were justified.
#[derive(Clone, Debug, Deserialize)]
struct EarlierProgram {
    program: String,
    branches: Vec<Justification>,
}

impl EarlierJustifications {
    /// As [`JustificationFile::read`].
    ///
    /// # Errors
    /// Why it is no file of justifications.
    pub fn read(text: &str) -> Result<EarlierJustifications, String> {
        let file: EarlierJustifications = read(text)?;
        readable(&file.kind, file.schema).map(|()| file)
    }

    /// As [`JustificationFile::program`].
    pub fn of_program(&self, name: &str) -> Option<&[Justification]> {
        of_name(&self.programs, name, |program| &program.program).map(|program| &program.branches[..])
    }
}

fn read<File: DeserializeOwned>(text: &str) -> Result<File, String> {
    serde_json::from_str(text).map_err(|error| format!("not a file that `justify --justifications` wrote: {error}"))
}

fn readable(kind: &str, schema: u32) -> Result<(), String> {
    match (kind, schema) {
        (KIND, SCHEMA) => Ok(()),
        (KIND, schema) => Err(format!("its schema is {schema}, and this version reads {SCHEMA}")),
        _ => Err("not a file that `justify --justifications` wrote".to_owned()),
    }
}

/// Of several programs the one whose name has the longest common path with this one.
fn of_name<'p, Program>(programs: &'p [Program], name: &str, name_of: impl Fn(&Program) -> &str) -> Option<&'p Program> {
    let common = |program: &&Program| name_of(program).rsplit('/').zip(name.rsplit('/')).take_while(|(a, b)| a == b).count();
    programs.iter().filter(|program| common(program) > 0).max_by_key(common)
}
