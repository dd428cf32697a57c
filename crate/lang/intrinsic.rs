//! Functions that mean something to the analyses, whatever the program says about them.

/// What a call of an intrinsic function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// Gives back an arbitrary value.
    Nondet,
    /// Gives up paths on which its argument is zero.
    Assume,
    /// Goes to the error location where its argument is zero.
    Assert,
    /// Goes to the error location.
    Error,
    /// Ends the program with the value of its argument.
    Exit,
    /// Prints; no effect on any path.
    Print,
}

impl Intrinsic {
    /// How many arguments a call has; `None` is any number.
    pub fn arity(self) -> Option<usize> {
        match self {
            Intrinsic::Nondet | Intrinsic::Error => Some(0),
            Intrinsic::Assume | Intrinsic::Assert | Intrinsic::Exit => Some(1),
            Intrinsic::Print => None,
        }
    }
}

/// What `assert` of the system's headers calls, with texts as arguments that mean nothing here.
pub const ASSERT_FAIL: &str = "__assert_fail";

/// The intrinsic of this name.
pub fn find(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "nondet"
        | "nondet_int"
        | "__VERIFIER_nondet_int"
        | "__VERIFIER_nondet_long"
        | "__VERIFIER_nondet_short"
        | "__VERIFIER_nondet_char" => Intrinsic::Nondet,
        "assume" | "__VERIFIER_assume" => Intrinsic::Assume,
        "assert" | "__VERIFIER_assert" => Intrinsic::Assert,
        "reach_error" | "__VERIFIER_error" | "abort" | ASSERT_FAIL => Intrinsic::Error,
        "exit" => Intrinsic::Exit,
        "printf" | "puts" | "putchar" => Intrinsic::Print,
        _ => return None,
    })
}
