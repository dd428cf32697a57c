//! What a defined execution keeps to, and how it fails that.

/// What a defined execution keeps to, besides what its operators and arrays demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// An index lies in its row, or in an array whose length is computed or depends on a pointer.
    Index,
    /// An index in a caller's block is not negative; see
    /// [`WholeObjects`](super::assume::Assumption::WholeObjects).
    First,
    /// An index in a caller's block lies below its length, which the function does not know: a caller passes blocks that are long enough.
    Callers,
    /// An array whose length is computed has an element.
    Length,
    /// The rows of an array that is passed are as long as the parameter says (C11 6.7.6.2p6).
    Rows,
    /// A character read lies in its string.
    Character,
    /// A pointer that the program follows, or compares for its order, points to something.
    Pointer,
    /// What the program uses or frees is memory that `malloc` gave, and that nothing has freed.
    Allocated,
    /// A pointer that the program reads was set before.
    Set,
    /// Two pointers whose order or distance the program computes point into one object.
    SameObject,
    /// The same of two pointers of a caller, which the program follows as pointers into one object; see
    /// [`OneObject`](super::assume::Assumption::OneObject).
    OneObject,
    /// What the program writes to is no string of its text.
    Changeable,
    /// A pointer by which the program calls is that of a function of its type.
    Function,
    /// Between a change of an object and another use of it there is an order (C11 6.5p2).
    Sequenced,
    /// What a function of `<ctype.h>` is called with is a character or `EOF`.
    Argument,
    /// `scanf` or `sscanf` finds a value that its object can hold, and of which all implementations make the same.
    Text,
    /// The command line has as many arguments as `argc` says, and each ends (C11 5.1.2.2.1p2): no execution of a program fails it.
    CommandLine,
    /// A pointer of a caller's into an array leads to one of its elements, or past the last (C11 6.5.6p8): no execution of a program fails it.
    Inside,
    /// `__builtin_unreachable` is not reached.
    Reached,
    /// A builtin of compilers that looks for a bit finds one.
    Bit,
    /// No read and no output of a stream meets an error; see [`WorkingStreams`](super::assume::Assumption::WorkingStreams).
    Works,
}

/// How an execution fails it, for people.
impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Requirement::Index | Requirement::First => "an index outside of its row or array",
            Requirement::CommandLine => "a command line with other arguments than `argc` says, or whose characters do not end",
            Requirement::Callers => "an index outside of an array of a caller",
            Requirement::Inside => "a pointer of a caller that leads outside of its array",
            Requirement::Length => "the length of an array is not positive",
            Requirement::Rows => "the rows of an array have another length than the parameter says",
            Requirement::Character => "a character outside of its string",
            Requirement::Pointer => "a null pointer is used",
            Requirement::Allocated => "freed memory, or memory that `malloc` never gave, is used or freed",
            Requirement::Set => "a pointer is used that was never set",
            Requirement::SameObject | Requirement::OneObject => "pointers into different objects are ordered or subtracted",
            Requirement::Changeable => "a string of the program's text is changed",
            Requirement::Function => "a call by a pointer to no function of its type",
            Requirement::Sequenced => "an object is changed and used without an order between (C11 6.5p2)",
            Requirement::Text => "a number is read that its object cannot hold, or of which implementations make different things",
            Requirement::Reached => "`__builtin_unreachable` is reached",
            Requirement::Works => "an error of a stream",
            Requirement::Bit => "a builtin looks for a bit in zero",
            Requirement::Argument => "a function of `<ctype.h>` is called with neither an `unsigned char` nor `EOF`",
        })
    }
}

impl Requirement {
    /// Whether an execution of a program can fail it: what callers and the world around a program keep to is no error of its text.
    pub fn is_of_program(self) -> bool {
        let around = [Requirement::Callers, Requirement::CommandLine, Requirement::Inside, Requirement::OneObject, Requirement::Works];
        !around.contains(&self)
    }

    /// The same as a clause, e.g. after *whether*.
    pub fn clause(self) -> String {
        match self {
            Requirement::Index | Requirement::First => "an index is outside of its row or array".to_owned(),
            Requirement::CommandLine => "the command line has other arguments than `argc` says, or characters that do not end".to_owned(),
            Requirement::Callers => "an index is outside of an array of a caller".to_owned(),
            Requirement::Inside => "a pointer of a caller leads outside of its array".to_owned(),
            Requirement::Character => "a character outside of its string is read".to_owned(),
            Requirement::Function => "a call is by a pointer to no function of its type".to_owned(),
            clause => clause.to_string(),
        }
    }
}
