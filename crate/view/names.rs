//! Words of written inputs.

/// The word for an input that nothing reads.
pub const ANY: &str = "any";

/// What says that a read has looked for a character past the text on standard input.
pub const END_OF_FILE: &str = "then end of file";

/// The value of a pointer in an input that is not null, where the run reads nothing of the object.
pub const NOT_NULL: &str = "not NULL";
