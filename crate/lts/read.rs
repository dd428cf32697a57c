//! Reads of standard input, and what each takes from the text.

pub use crate::lang::scan::{ByteSet, Directive, Format, ScanConversion, digits_of};
use std::sync::Arc;

/// What a read of standard input gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// The next character, or -1 at the end: `getchar()`.
    Character,
    /// What a call of `scanf` with this format gives back; the call begins with it.
    Status(Arc<Format>),
    /// Nothing, 0: a call of `scanf` begins whose number the program drops.
    Call(Arc<Format>),
    /// The value of the call's conversion with this number, of those that give an object one. An object whose conversion fails keeps what it
    /// has.
    Value {
        format: Arc<Format>,
        number: u32,
        /// Whether the call begins with it.
        begins: bool,
    },
    /// Whether the call comes to its `%n` with this number, counted as those of [`Read::Value`]: 0 or 1. No number that `scanf` gives back
    /// says so, since `%n` does not count.
    HasCount { number: u32 },
    /// The next character of the word that this conversion reads, or -1 after the last.
    Letter { format: Arc<Format>, number: u32 },
    /// Whether a read before has met the end of the text: 0 or 1. It takes nothing from the text.
    EndOfFile,
    /// Nothing, 0: what [`Read::EndOfFile`] says is cleared.
    Clear,
}
