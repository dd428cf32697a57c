//! Words of written inputs.

/// The word for an input that nothing reads.
pub const ANY: &str = "any";

/// What says that a read has looked for a character past the text on standard input.
pub const END_OF_FILE: &str = "then end of file";

/// A pointer that is not null, to an object of which nothing is read.
pub const NOT_NULL: &str = "not NULL";
