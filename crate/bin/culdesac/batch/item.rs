//! The side of a process that answers one item: its answer is one JSON object on standard output, read by the process of the batch.

use crate::{CommandRefusal, ExitStatus, print, progress};
use culdesac::analysis::options::{ProgramOptions, ReadFile};
use culdesac::load::functions::functions;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::thread;

/// What a process says of its item.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ItemAnswer {
    pub document: Option<Value>,
    /// The document in the form that the command line asks for, where that is not JSON.
    pub rendered: Option<String>,
    /// The hash of the program with its headers and options.
    pub text_hash: Option<String>,
    /// Why there is no document.
    pub refused: Option<String>,
}

impl ItemAnswer {
    /// Of an item without a document.
    pub fn refused(message: String) -> ItemAnswer {
        ItemAnswer { refused: Some(message), ..ItemAnswer::default() }
    }

    /// Prints it; the process of the batch judges.
    pub fn print(&self) -> Result<ExitStatus, CommandRefusal> {
        print(&serde_json::to_string(self).map_err(|error| format!("cannot write the answer: {error}"))?)?;
        Ok(ExitStatus::Complete)
    }
}

/// The functions of a program, as a process lists them for the batch.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ListedFunctions {
    pub functions: Vec<ListedFunction>,
    /// Whether all that can be called from outside are among them.
    pub has_all_entries: bool,
    pub text_hash: Option<String>,
    /// Why the text is no program.
    pub refused: Option<String>,
}

/// A function, as a process lists it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedFunction {
    pub name: String,
    /// Whether it is called from outside of its file, or by a pointer.
    pub is_entry: bool,
}

/// Prints the functions of the program.
pub fn list_functions(program: &ProgramOptions, read: ReadFile) -> Result<ExitStatus, CommandRefusal> {
    let is_linked = program.source.is_linked;
    let listed = match program.query(read, ()).map(|query| query.request) {
        Err(message) => ListedFunctions { refused: Some(message), ..ListedFunctions::default() },
        Ok(request) => {
            let source = request.map(|request| request.source).unwrap_or_default();
            let text_hash = Some(text_hash(&source));
            match functions(&source, is_linked) {
                Ok(found) => {
                    let functions = found.functions.into_iter().map(|one| ListedFunction { name: one.name, is_entry: one.is_entry });
                    ListedFunctions { functions: functions.collect(), has_all_entries: found.has_all_entries, text_hash, refused: None }
                }
                // A process that is asked about the program says what is wrong with it.
                Err(_) => ListedFunctions { text_hash, ..ListedFunctions::default() },
            }
        }
    };
    print(&serde_json::to_string(&listed).map_err(|error| format!("cannot write the list: {error}"))?)?;
    Ok(ExitStatus::Complete)
}

/// The SHA-256 of a text.
pub fn text_hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ends the analysis early once the process of the batch closes the pipe, or is gone.
pub fn follow_parent() {
    thread::spawn(|| {
        let mut buffer = [0; 16];
        while io::stdin().read(&mut buffer).is_ok_and(|count| count > 0) {}
        progress::interrupt();
    });
}
