//! How many random cases a run has. The daily run (`./dev test`) has few, always the same ones; the nightly run (`./dev nightly`) has
//! many. `PROPTEST_CASES` says how many each property gets instead of its daily number.
//!
//! What is made at random is counted, as are the steps of the engine. Where `CULDESAC_COUNTED` names a folder, each test program leaves its
//! sums there when it ends, and `scripts/counted.mjs` holds those of the daily run to their bounds: counted, since times differ.
//!
//! The library's own tests have this file too (`crate/lib.rs`).

use std::fs;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

static CASES: AtomicU64 = AtomicU64::new(0);
static AT_EXIT: Once = Once::new();

unsafe extern "C" {
    /// Of the C library. No test is the last one, so only the end of the program can sum up.
    safe fn atexit(run: extern "C" fn()) -> i32;
}

/// How many cases a property is tried on: what the environment asks for, or this number.
pub fn cases(daily: u32) -> u32 {
    let number = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(daily);
    counted(u64::from(number));
    number
}

/// So many random cases more.
pub fn counted(number: u64) {
    CASES.fetch_add(number, Ordering::Relaxed);
    AT_EXIT.call_once(|| {
        atexit(sum_up);
    });
}

extern "C" fn sum_up() {
    let Some(folder) = std::env::var_os("CULDESAC_COUNTED") else { return };
    let text = format!("cases {}\nsteps {}\n", CASES.load(Ordering::Relaxed), super::spent());
    // A folder that cannot be written to is found by the script, which then finds nothing.
    let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(Path::new(&folder).join(std::process::id().to_string()), text));
}
