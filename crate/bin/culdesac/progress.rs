//! Listening to a running analysis: progress for people, the trace file, signals and the end of its time.

use crate::{CommandRefusal, watchdog};
use culdesac::analysis::Finding;
use culdesac::counting::report::RowEvent;
use culdesac::view::Event;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by the first signal; the running analysis then stops and its partial result is printed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Takes over Ctrl-C and the request to terminate: the first one ends the running analysis, the second one the program.
pub fn take_signals() -> Result<(), CommandRefusal> {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| format!("cannot listen to signals: {error}").into())
}

/// Whether a signal asked to end.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Ends the running analysis as the first signal does.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// So much of the trace is written out at once, or what there is each [`PERIOD`], so that it can be followed while it grows.
const FLUSHED: usize = 1 << 16;

/// How often the line of progress changes.
const PERIOD: Duration = Duration::from_millis(100);

/// Receives an analysis' events.
pub struct Watcher {
    trace: Option<TraceFile>,
    /// When the analysis has to end, if it has.
    end: Option<Instant>,
    /// Why the analysis was told to end, if it was.
    stopped: Option<Stopped>,
    /// When the line of progress was last written; `None` where standard error is no terminal.
    last_written: Option<Instant>,
    visible: bool,
    found: ProgressCounts,
}

/// What a run has found so far, for the line of progress.
#[derive(Default)]
struct ProgressCounts {
    inputs: u64,
    infeasible: u64,
    /// The last row of a table of lengths.
    row: Option<String>,
}

/// A count that fits on the line of progress.
fn short(count: &str) -> String {
    if count.len() <= 15 { count.to_owned() } else { format!("{}.{}e{}", &count[..1], &count[1..3], count.len() - 1) }
}

impl ProgressCounts {
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

/// Why an analysis was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    Signal,
    Time,
    Memory,
}

/// The trace file. Only whole lines are written.
struct TraceFile {
    file: Option<File>,
    lines: String,
    flushed: Option<Instant>,
    failed: Option<io::Error>,
}

impl TraceFile {
    fn new(path: &Path) -> TraceFile {
        let (file, failed) = match File::create(path) {
            Ok(file) => (Some(file), None),
            Err(error) => (None, Some(error)),
        };
        TraceFile { file, lines: String::new(), flushed: None, failed }
    }

    fn add(&mut self, event: &Event) {
        if self.file.is_none() {
            return;
        }
        self.lines += &serde_json::to_string(event).expect("events are plain data");
        self.lines.push('\n');
        if self.lines.len() >= FLUSHED || self.flushed.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.flushed = Some(Instant::now());
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(self.lines.as_bytes())
        {
            // The analysis goes on without a trace.
            (self.file, self.failed) = (None, Some(error));
        }
        self.lines.clear();
    }
}

/// What became of an analysis that was listened to.
pub struct Watched {
    pub stopped: Option<Stopped>,
    /// Why the trace is not there as a whole.
    pub failed: Option<io::Error>,
}

impl Watcher {
    /// Opens the trace file; the analysis ends at a signal, or at that moment.
    pub fn new(trace: Option<&Path>, end: Option<Instant>) -> Watcher {
        Watcher {
            trace: trace.map(TraceFile::new),
            end,
            stopped: None,
            last_written: io::stderr().is_terminal().then(Instant::now),
            visible: false,
            found: ProgressCounts::default(),
        }
    }

    /// The single findings that it wants to hear of.
    pub fn findings(&self) -> &'static [Finding] {
        match (&self.trace, self.last_written) {
            (Some(_), _) => Finding::ALL,
            (None, Some(_)) => &[Finding::Reached, Finding::Refuted],
            (None, None) => &[],
        }
    }

    /// Takes one event; whether the analysis should go on.
    pub fn event(&mut self, event: &Event) -> bool {
        if let Some(trace) = &mut self.trace {
            trace.add(event);
        }
        if self.last_written.is_some() {
            self.found.add(event);
        }
        if let (Some(last_written), Event::Progress { steps, limit, text }) = (&mut self.last_written, event)
            && last_written.elapsed() >= PERIOD
        {
            *last_written = Instant::now();
            self.visible = true;
            let percent = (u128::from(*steps) * 100 / u128::from((*limit).max(1))).min(100);
            let _ = write!(io::stderr(), "\r\x1b[2K{text} ({percent} % of the step limit){}", self.found.told());
        }
        if is_interrupted() {
            self.stopped.get_or_insert(Stopped::Signal);
        } else if self.end.is_some_and(|end| Instant::now() >= end) {
            self.stopped.get_or_insert(Stopped::Time);
        } else if watchdog::is_over_memory() {
            self.stopped.get_or_insert(Stopped::Memory);
        }
        self.stopped.is_none()
    }

    /// Clears the line of progress and completes the trace file.
    pub fn finish(mut self) -> Watched {
        if self.visible {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
        if let Some(trace) = &mut self.trace {
            trace.flush();
        }
        Watched { stopped: self.stopped, failed: self.trace.and_then(|trace| trace.failed) }
    }
}
