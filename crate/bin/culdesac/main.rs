//! The command line: the same engine as the page, for batches and continuous integration.
//!
//! Exit status: 0 the analysis ran to its end, whatever the verdicts; 1 it ran but something stayed open
//! (`"complete": false`), was rejected, or could not be written beside the document; 2 the program or the options were refused; 3 `justify --against` found a justification that no longer holds. Results go to standard output,
//! everything else to standard error. A reader that goes away early is no error.
//!
//! [`args`] says what can be asked, [`commands`] answers, [`solve`] answers scripts, [`justify`] closes gaps of coverage, [`source`] reads files and shows programs, [`headers`] reads programs, [`progress`]
//! listens to a running analysis, [`watchdog`] ends one that takes too much, [`batch`] asks about many programs, [`files`] and [`folder`] write. What single commands ask and how their answers look stands with the analyses.

mod args;
mod batch;
mod commands;
mod compile_commands;
mod files;
mod folder;
mod headers;
mod justify;
mod progress;
mod solve;
mod source;
mod watchdog;

use std::io::{self, Write};
use std::process::ExitCode;

/// Terms, clauses and automata are many small pieces: the system's allocator takes a third of the time of some analyses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command that ran ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ExitStatus {
    Complete,
    Open,
    /// A justification of an earlier version no longer holds.
    Stale,
}

/// Why a command did not run. The text has been printed already where it is `None`.
struct CommandRefusal(Option<String>);

impl<T: Into<String>> From<T> for CommandRefusal {
    fn from(message: T) -> CommandRefusal {
        CommandRefusal(Some(message.into()))
    }
}

fn main() -> ExitCode {
    // Help, version and misuse end here, the latter with status 2.
    match commands::run(&args::cli().get_matches()) {
        Ok(ExitStatus::Complete) => ExitCode::SUCCESS,
        Ok(ExitStatus::Open) => ExitCode::from(1),
        Ok(ExitStatus::Stale) => ExitCode::from(3),
        Err(CommandRefusal(message)) => {
            if let Some(message) = message {
                // A failure here can no longer be reported.
                let _ = writeln!(io::stderr(), "error: {message}");
            }
            ExitCode::from(2)
        }
    }
}

/// Writes a finished result to standard output.
fn print(text: &str) -> Result<(), CommandRefusal> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write the result: {error}").into()),
        _ => Ok(()),
    }
}
