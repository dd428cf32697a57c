//! What fuzzing tries: functions that take any bytes and panic only where the program is wrong.
//!
//! They are run by libFuzzer (`fuzz_targets/`) and by a seeded driver that needs nothing but this compiler (`tests/it/fuzz.rs`).

pub mod assigned;
mod formulas;
mod invariants;
mod runs;
mod texts;

use culdesac::lts;

pub use formulas::{smtlib, solver};
pub use runs::{interp, symex};
pub use texts::{blocks, front, lower};

/// A target: its name, what it does, and what its bytes mean.
pub type Target = (&'static str, fn(&[u8]), Food);

/// What the bytes of a target are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Food {
    C,
    Blocks,
    Script,
    Bytes,
}

/// Every target.
pub const TARGETS: [Target; 7] = [
    ("front", front, Food::C),
    ("lower", lower, Food::C),
    ("interp", interp, Food::C),
    ("symex", symex, Food::C),
    ("solver", solver, Food::Bytes),
    ("smtlib", smtlib, Food::Script),
    ("blocks", blocks, Food::Blocks),
];
