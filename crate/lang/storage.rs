//! Storage of variables, and the linkage of their names.

/// Where a variable lives, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Global,
    /// A `static` inside a function: one variable for all calls, zero at first where not initialised.
    Static,
    Parameter,
    Local,
    /// None of the program's: what keeps the objects that its calls of `malloc` give.
    Memory,
}

impl Storage {
    /// Whether there is one variable for all calls.
    pub fn lasts(self) -> bool {
        matches!(self, Storage::Global | Storage::Static | Storage::Memory)
    }
}

/// The linkage of a global: which other parts of the program can name it (C11 6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Other parts of the program, and only they set its first value: all its declarations say `extern`.
    Elsewhere,
    /// Other parts of the program.
    External,
    /// This part of the program alone.
    Internal,
}
