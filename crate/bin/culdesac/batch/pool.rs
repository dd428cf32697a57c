//! A pool of processes: each answers one item, so many at once as the caller allows, and their ends arrive in the order of the items.

use super::item::{ItemAnswer, ListedFunctions};
use super::items::BatchItem;
use crate::CommandRefusal;
use crate::progress::is_interrupted;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::process::{ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often signals are looked for.
const PERIOD: Duration = Duration::from_millis(50);

/// How many processes there are at once, and what all are started with.
pub struct ProcessPool {
    jobs: usize,
}

/// How a process ended.
pub struct ProcessEnd {
    /// What it printed, if that is an answer.
    pub answer: Option<ItemAnswer>,
    /// What it printed on standard error.
    pub told: String,
    pub wall_ms: f64,
    /// Whether the batch was interrupted before it ended.
    pub is_interrupted: bool,
    status: Result<ExitStatus, String>,
}

impl ProcessEnd {
    /// Why there is no answer.
    pub fn failed(&self) -> String {
        let status = match &self.status {
            Ok(status) => status,
            Err(message) => return message.clone(),
        };
        let first = self.told.lines().map(str::trim).find(|line| !line.is_empty());
        // The thread that looks at memory and time says why it ended the process.
        if let (Some(1), Some(reason)) = (status.code(), first.and_then(|line| line.strip_prefix("error: "))) {
            return reason.to_owned();
        }
        let reason = first.map(|line| format!(": {line}")).unwrap_or_default();
        format!("the process ended without an answer, with {status}{reason}")
    }
}

/// The processes that run, by their numbers, with what ends each early.
type Running = Mutex<BTreeMap<usize, ChildStdin>>;

impl ProcessPool {
    /// So many processes at once; 0: one for each processor.
    pub fn new(jobs: u32) -> ProcessPool {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        ProcessPool { jobs: if jobs == 0 { processors() } else { jobs as usize } }
    }

    /// Runs a process for each item, and hands their ends over in this order; after an interruption only the first ones.
    ///
    /// # Errors
    /// The first of `receive`; processes that run then are ended.
    pub fn each(
        &self,
        items: &[&BatchItem],
        mut receive: impl FnMut(usize, ProcessEnd) -> Result<(), CommandRefusal>,
    ) -> Result<(), CommandRefusal> {
        let (next, running) = (AtomicUsize::new(0), Running::default());
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(items.len()) {
                let (sender, next, running) = (sender.clone(), &next, &running);
                scope.spawn(move || {
                    while !is_interrupted() {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(at) else { return };
                        if sender.send((at, run(item, at, running))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let stop = || {
                next.store(items.len(), Ordering::Relaxed);
                running.lock().map(|mut running| running.clear()).unwrap_or_default();
            };
            let (mut ended, mut first) = (BTreeMap::new(), 0);
            loop {
                match receiver.recv_timeout(PERIOD) {
                    Ok((at, end)) => ended.insert(at, end),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if is_interrupted() {
                    stop();
                }
                while let Some(end) = ended.remove(&first) {
                    eprint!("{}", end.told);
                    let received = receive(first, end);
                    first += 1;
                    if received.is_err() {
                        stop();
                        return received;
                    }
                }
            }
            Ok(())
        })
    }

    /// What processes list of the functions of programs, in their order.
    pub fn list(&self, programs: &[BatchItem]) -> Vec<Option<ListedFunctions>> {
        let (next, running) = (AtomicUsize::new(0), Running::default());
        let lists: Vec<Mutex<Option<ListedFunctions>>> = programs.iter().map(|_| Mutex::default()).collect();
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(programs.len()) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(program) = programs.get(at).filter(|_| !is_interrupted()) else { return };
                        let found = listed(program, at, &running);
                        if let Ok(mut list) = lists[at].lock() {
                            *list = found;
                        }
                    }
                });
            }
        });
        lists.into_iter().map(|list| list.into_inner().ok().flatten()).collect()
    }
}

/// What a process lists of the functions of one program; nothing where the process fails.
fn listed(program: &BatchItem, at: usize, running: &Running) -> Option<ListedFunctions> {
    if program.failed.is_some() {
        return None;
    }
    let arguments: Vec<OsString> = std::iter::once("--list-functions".into()).chain(program.arguments.iter().cloned()).collect();
    read(&spawned(&arguments, at, running).ok()?)
}

/// Runs the process of an item to its end.
fn run(item: &BatchItem, at: usize, running: &Running) -> ProcessEnd {
    let started = Instant::now();
    if let Some(reason) = &item.failed {
        let told = format!("error: {reason}\n");
        return ProcessEnd { answer: None, told, wall_ms: 0.0, is_interrupted: false, status: Err(reason.clone()) };
    }
    let output = spawned(&item.arguments, at, running);
    let wall_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let is_interrupted = is_interrupted();
    match output {
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            ProcessEnd { answer: read(&output), told, wall_ms, is_interrupted, status: Ok(output.status) }
        }
        Err(error) => {
            let status = Err(format!("no process can be started: {error}"));
            ProcessEnd { answer: None, told: String::new(), wall_ms, is_interrupted, status }
        }
    }
}

/// This program once more, with these arguments before those of its own command line.
fn spawned(arguments: &[OsString], at: usize, running: &Running) -> io::Result<Output> {
    let mut own = std::env::args_os().skip(1);
    let mut child = Command::new(std::env::current_exe()?)
        .args(own.next())
        .arg("--is-item")
        .args(arguments)
        .args(own)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // The process ends early once this end of the pipe is closed.
    if let (Some(pipe), Ok(mut running)) = (child.stdin.take(), running.lock()) {
        running.insert(at, pipe);
    }
    let output = child.wait_with_output();
    if let Ok(mut running) = running.lock() {
        running.remove(&at);
    }
    output
}

/// What a process printed, if it is whole.
fn read<T: DeserializeOwned>(output: &Output) -> Option<T> {
    serde_json::from_slice(&output.stdout).ok()
}
