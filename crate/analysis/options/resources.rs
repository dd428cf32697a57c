//! Limits of the machine: seconds and memory. Unlike steps they give another result on another machine, so documents say which one ended
//! the run.

use super::whole;
use clap::Args;
use std::time::Duration;

/// Limits of one process.
#[derive(Clone, Copy, Args)]
pub struct ResourceLimits {
    /// Stop after this many seconds; unlike --limit, this gives another result on another machine
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub timeout: Option<Duration>,
    /// Stop where the process has more than so many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "4096", allow_hyphen_values = true)]
    pub memory: u32,
}

/// A time.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).filter(|time| *time <= MAX_TIME);
    time.ok_or_else(|| format!("a time is a number of seconds above 0, of at most {}", MAX_TIME.as_secs()))
}

/// The greatest time that a caller can give.
const MAX_TIME: Duration = Duration::from_secs(10_000_000);

/// A size of memory.
fn megabytes(text: &str) -> Result<u32, String> {
    whole(text, 1, MAX_MEMORY).ok_or_else(|| format!("a size of memory is a whole number of megabytes from 1 to {MAX_MEMORY}"))
}

/// The greatest size of memory that a caller can give, in megabytes.
const MAX_MEMORY: u32 = 1 << 24;
