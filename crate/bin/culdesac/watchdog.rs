//! A thread beside the analysis that looks at memory and time.
//!
//! An analysis ends by itself once it hears that a limit is exceeded. Where it does not hear that soon enough, the thread ends the process:
//! nothing is printed then but why.

use culdesac::analysis::options::ResourceLimits;
use memory_stats::memory_stats;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks.
const PERIOD: Duration = Duration::from_millis(20);
/// By so much, and a quarter of the limit, the process may exceed its memory before it is ended.
const SPARE_MEGABYTES: u64 = 64;
/// So long, and half of its time, an analysis may take to end by itself.
const SPARE_TIME: Duration = Duration::from_secs(30);

/// Whether the process has more memory than it may have.
static IS_OVER_MEMORY: AtomicBool = AtomicBool::new(false);
/// Whether the analysis is over, so that its answer can be printed as a whole.
static IS_FINISHED: Mutex<bool> = Mutex::new(false);

/// Whether the analysis has to end for its memory.
pub fn is_over_memory() -> bool {
    IS_OVER_MEMORY.load(Ordering::Relaxed)
}

/// Begins to look at an analysis that began at this moment.
pub fn start(limits: ResourceLimits, started: Instant) {
    let end = limits.timeout.map(|time| started + time + time / 2 + SPARE_TIME);
    look(limits);
    thread::spawn(move || {
        loop {
            thread::sleep(PERIOD);
            let Ok(is_finished) = IS_FINISHED.lock() else { return };
            if *is_finished {
                return;
            }
            let most = u64::from(limits.memory) + u64::from(limits.memory / 4) + SPARE_MEGABYTES;
            let reason = match look(limits) {
                Some(size) if size > most => format!("its memory was {size} MB, more than the {} MB of --memory", limits.memory),
                _ if end.is_some_and(|end| Instant::now() >= end) => "it did not end after the time of --timeout".to_owned(),
                _ => continue,
            };
            // Nothing has been printed, and nothing can be: the lock is held to the end.
            let _ = writeln!(io::stderr(), "error: the analysis was stopped: {reason}");
            std::process::exit(1);
        }
    });
}

/// The memory of the process in megabytes, where the system tells; notes that it is too much.
fn look(limits: ResourceLimits) -> Option<u64> {
    let size = memory_stats()?.physical_mem as u64 >> 20;
    if size > u64::from(limits.memory) {
        IS_OVER_MEMORY.store(true, Ordering::Relaxed);
    }
    Some(size)
}

/// The analysis is over: the process is no longer ended.
pub fn finish() {
    if let Ok(mut is_finished) = IS_FINISHED.lock() {
        *is_finished = true;
    }
}
