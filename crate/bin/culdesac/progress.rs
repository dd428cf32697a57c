//! Listening to a running analysis: progress for people, the trace file, and Ctrl-C.

use crate::Refusal;
use culdesac::analysis::Finding;
use culdesac::analysis::common::feasible::RowEvent;
use culdesac::view::Event;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by the first Ctrl-C; the running analysis then stops and its partial result is printed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How often the line of progress changes.
const PERIOD: Duration = Duration::from_millis(100);

/// Receives an analysis' events.
pub struct Watcher {
    trace: Option<BufWriter<File>>,
    /// When the trace was last written out, so that it can be followed while it grows.
    flushed: Option<Instant>,
    failed: Option<io::Error>,
    /// When the line of progress was last written; `None` where nobody looks.
    shown: Option<Instant>,
    visible: bool,
    found: Found,
}

/// What a run has found so far, for the line of progress.
#[derive(Default)]
struct Found {
    inputs: u64,
    infeasible: u64,
    /// The last row of a table of lengths.
    row: Option<String>,
}

/// A count that fits on the line of progress.
fn short(count: &str) -> String {
    if count.len() <= 15 { count.to_owned() } else { format!("{}.{}e{}", &count[..1], &count[1..3], count.len() - 1) }
}

impl Found {
    fn add(&mut self, event: &Event) {
        match event {
            Event::Reached { .. } => self.inputs += 1,
            Event::Refuted { .. } => self.infeasible += 1,
            _ => {
                if let Some(RowEvent::Row { row }) = event.news() {
                    let count = match (&row.feasible, &row.feasible_at_least) {
                        (Some(count), _) => format!("{} feasible", short(count)),
                        (None, Some(count)) => format!("at least {} feasible", short(count)),
                        (None, None) => format!("{} paths", short(&row.total)),
                    };
                    self.row = Some(format!("length {}: {count}", row.length));
                }
            }
        }
    }

    /// In a few words, with what separates it from what stands before.
    fn told(&self) -> String {
        let count = |count: u64, name: &str| (count > 0).then(|| format!("{count} {name}"));
        let parts = [count(self.inputs, "run"), count(self.infeasible, "infeasible"), self.row.clone()];
        parts.into_iter().flatten().map(|part| format!(" · {part}")).collect()
    }
}

impl Watcher {
    /// Opens the trace file and takes over Ctrl-C.
    pub fn new(trace: Option<&Path>) -> Result<Watcher, Refusal> {
        let trace = match trace {
            Some(path) => Some(BufWriter::new(File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?)),
            None => None,
        };
        let handler = || {
            // The second one does not wait.
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        ctrlc::set_handler(handler).map_err(|error| format!("cannot listen to Ctrl-C: {error}"))?;
        Ok(Watcher {
            trace,
            flushed: None,
            failed: None,
            shown: io::stderr().is_terminal().then(Instant::now),
            visible: false,
            found: Found::default(),
        })
    }

    /// The single findings that it wants to hear of.
    pub fn findings(&self) -> &'static [Finding] {
        match (&self.trace, self.shown) {
            (Some(_), _) => Finding::ALL,
            (None, Some(_)) => &[Finding::Reached, Finding::Refuted],
            (None, None) => &[],
        }
    }

    /// Takes one event; whether the analysis should go on.
    pub fn event(&mut self, event: &Event) -> bool {
        if let Some(trace) = &mut self.trace {
            let line = serde_json::to_string(event).expect("events are plain data");
            let mut written = writeln!(trace, "{line}");
            if self.flushed.is_none_or(|last| last.elapsed() >= PERIOD) {
                self.flushed = Some(Instant::now());
                written = written.and_then(|()| trace.flush());
            }
            if let Err(error) = written {
                self.failed.get_or_insert(error);
            }
        }
        if self.shown.is_some() {
            self.found.add(event);
        }
        if let (Some(shown), Event::Progress { steps, limit, text }) = (&mut self.shown, event)
            && shown.elapsed() >= PERIOD
        {
            *shown = Instant::now();
            self.visible = true;
            let percent = (u128::from(*steps) * 100 / u128::from((*limit).max(1))).min(100);
            let _ = write!(io::stderr(), "\r\x1b[2K{text} ({percent} % of the step limit){}", self.found.told());
        }
        self.failed.is_none() && !INTERRUPTED.load(Ordering::Relaxed)
    }

    /// Clears the line of progress and completes the trace file.
    pub fn finish(mut self) -> Result<(), Refusal> {
        if self.visible {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
        let written = self.trace.as_mut().map_or(Ok(()), |trace| trace.flush());
        match self.failed.map_or(written, Err) {
            Ok(()) => Ok(()),
            Err(error) => Err(format!("cannot write the trace: {error}").into()),
        }
    }
}
