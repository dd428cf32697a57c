//! Functions that mean something to the analyses where the program does not define them: a body counts, whatever the name.

use super::ast::{ExprKind, Function, Shape, Stmt, StmtKind};
use super::types::{Abi, Integer, of_header};
use crate::logic::rank::FloatOp;

/// How a program ends at the error location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// By the system's `assert`.
    Assertion,
    Abort,
    /// By a function that says so to an analysis.
    ErrorCall,
}

/// What makes an execution undefined that comes to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreachableWhy {
    /// The program says that none does.
    Marked,
    /// A builtin of compilers looks for a bit of zero.
    NoBit,
    /// `sscanf` finds a number that its object cannot hold.
    NoNumber,
}

/// What a call of an intrinsic function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// Gives back an arbitrary value of the type.
    Nondet(DrawnType),
    /// Gives back an arbitrary value that is not negative; `rand`.
    Random,
    /// Whether a call that asks for memory gives none.
    AllocationFails,
    /// Gives up paths on which its argument is zero.
    Assume,
    /// Goes to the error location where its argument is zero.
    Assert(ErrorKind),
    /// Goes to the error location.
    Error(ErrorKind),
    /// Ends the program with the value of its argument.
    Exit,
    /// Prints its first argument by its format, and the others; `printf`.
    Print,
    /// Prints elsewhere: `fprintf`, whose first argument is a stream.
    PrintTo,
    /// Prints a string and a new line; `puts`.
    PrintLine,
    /// Prints one character; `putchar`.
    PrintCharacter,
    /// Prints by a format that does not stand in the call: what is not known.
    PrintOpen,
    /// Reads values into what its arguments point to; `scanf`.
    Scan,
    /// Reads a character, or -1 at the end.
    GetCharacter,
    /// The next character of the word that the call of `scanf` around it reads, or -1 after the last.
    Letter,
    /// Nothing, where the call of `scanf` around it dropped a word for want of characters; no execution comes here where what it gives back
    /// says that there is a word.
    NoWord,
    /// Whether a read of standard input met its end.
    EndOfFile,
    /// Whether a read of standard input failed.
    ReadError,
    /// Clears what the two above say.
    ClearIndicators,
    /// The number that a command line argument is; `atoi`.
    ArgumentValue,
    /// The value without its sign; `abs`.
    Absolute,
    /// The first of two arguments; `__builtin_expect`.
    First,
    /// Undefined where it is reached; `__builtin_unreachable`.
    Unreachable(UnreachableWhy),
    /// Whether the exact result of the operation, the first argument, has no value in the type of the second.
    Overflows,
    /// The exact result of the operation, the first argument, brought into the type of the second.
    Wraps,
    /// An address of which nothing is known; `malloc`.
    Address,
    /// Nothing; `free`.
    Nothing,
    /// Nothing, and says whether it met an error; `fflush`.
    OfStream,
    /// Gives every byte of some objects one value: `memset` where the checker has seen that the objects are whole.
    SetObject,
    /// Copies whole objects; `memcpy`.
    CopyObject,
    /// Its argument, which must be what the functions of `<ctype.h>` take: the value of an `unsigned char`, or `EOF` (7.4p1).
    Character,
    /// A byte of padding of the structure with this number.
    Padding,
    /// Nothing, in front of what takes integers for bytes: integers without bounds are none.
    Bytes,
    /// The operation on numbers of the type `double`.
    Number(FloatOp),
    /// A choice that C leaves to the library, 0 or 1: of two equal elements, or whether another pair of elements is compared.
    Choice { is_of_pair: bool },
}

impl Intrinsic {
    /// How many arguments a call has; `None` is any number.
    pub fn arity(self) -> Option<usize> {
        match self {
            Intrinsic::Nondet(_)
            | Intrinsic::Random
            | Intrinsic::AllocationFails
            | Intrinsic::Error(_)
            | Intrinsic::GetCharacter
            | Intrinsic::Letter
            | Intrinsic::NoWord
            | Intrinsic::EndOfFile
            | Intrinsic::ReadError
            | Intrinsic::ClearIndicators
            | Intrinsic::Choice { .. }
            | Intrinsic::Bytes
            | Intrinsic::Unreachable(_) => Some(0),
            Intrinsic::Assume
            | Intrinsic::Assert(_)
            | Intrinsic::Exit
            | Intrinsic::PrintLine
            | Intrinsic::PrintCharacter
            | Intrinsic::ArgumentValue
            | Intrinsic::Absolute
            | Intrinsic::Character
            | Intrinsic::Padding => Some(1),
            Intrinsic::Number(op) => Some(1 + usize::from(op == FloatOp::Remainder)),
            Intrinsic::First | Intrinsic::Overflows | Intrinsic::Wraps => Some(2),
            Intrinsic::SetObject | Intrinsic::CopyObject => Some(3),
            Intrinsic::Print
            | Intrinsic::PrintTo
            | Intrinsic::PrintOpen
            | Intrinsic::Scan
            | Intrinsic::Address
            | Intrinsic::Nothing
            | Intrinsic::OfStream => None,
        }
    }

    /// The type of what it gives back, if it gives something back that can be used.
    pub fn result(self, abi: Abi) -> Option<Integer> {
        match self {
            Intrinsic::Nondet(ty) => Some(ty.of(abi)),
            Intrinsic::Number(_) => Some(Integer::Double),
            Intrinsic::AllocationFails => Some(Integer::Bool),
            Intrinsic::Padding => Some(Integer::UnsignedChar),
            Intrinsic::Random
            | Intrinsic::GetCharacter
            | Intrinsic::Letter
            | Intrinsic::EndOfFile
            | Intrinsic::ReadError
            | Intrinsic::OfStream
            | Intrinsic::Choice { .. }
            | Intrinsic::ArgumentValue
            | Intrinsic::Absolute
            | Intrinsic::Scan
            | Intrinsic::Overflows
            | Intrinsic::Wraps
            | Intrinsic::Character => Some(Integer::Int),
            // How many characters were printed is not known.
            Intrinsic::Print | Intrinsic::PrintTo | Intrinsic::PrintLine | Intrinsic::PrintCharacter => Some(Integer::Int),
            Intrinsic::First => Some(Integer::Long),
            Intrinsic::Address => Some(abi.address()),
            Intrinsic::Assume
            | Intrinsic::Assert(_)
            | Intrinsic::Error(_)
            | Intrinsic::Exit
            | Intrinsic::Unreachable(_)
            | Intrinsic::NoWord
            | Intrinsic::Nothing
            | Intrinsic::ClearIndicators
            | Intrinsic::PrintOpen
            | Intrinsic::Bytes
            | Intrinsic::SetObject
            | Intrinsic::CopyObject => None,
        }
    }

    /// Whether a call writes to the output.
    pub fn prints(self) -> bool {
        matches!(self, Intrinsic::Print | Intrinsic::PrintTo | Intrinsic::PrintLine | Intrinsic::PrintCharacter)
    }
}

impl Function {
    /// The type of its results where these are arbitrary, since its body only declares a variable and returns it without a value.
    pub fn gives_anything(&self, abi: Abi) -> Option<Integer> {
        let [Stmt { kind: StmtKind::Declare(_, list), .. }, Stmt { kind: StmtKind::Return(Some(value)), .. }] = &self.body[..] else {
            return None;
        };
        let [declarator] = &list[..] else { return None };
        let (result, value) = (self.result.integer(abi)?, value.unconverted());
        let named = matches!(&value.kind, ExprKind::Name(name) if name.decl == Some(declarator.decl));
        let plain = declarator.init.is_none() && !declarator.is_static && !declarator.is_extern && self.parameters.is_empty();
        // A narrower one has not all values of the result.
        let wide = value.ty == result
            || value.ty.size(abi) >= result.size(abi) && ![value.ty, result].iter().any(|ty| *ty == Integer::Bool || ty.format().is_some());
        (named && plain && wide && !matches!(self.result, Shape::Pointer(_))).then_some(result)
    }
}

/// Whether a call that asks for memory gives none, as a function of the library.
pub const ALLOCATION_FAILS: &str = "allocation fails";

/// `malloc` as `strdup` calls it. No identifier.
pub const DUPLICATE: &str = "(memory of strdup)";

/// What `assert` of the system's headers calls, with texts as arguments that mean nothing here.
pub const ASSERT_FAIL: &str = "__assert_fail";

/// What a pointer to a function calls that is none of the program's: undefined. No identifier.
pub const NO_FUNCTION: &str = "(no function)";

/// Gives its first argument, the address of a function, where that is one of the others; undefined elsewhere. No identifier.
pub const ONE_OF_FUNCTIONS: &str = "(one of)";

/// Gives its first argument, the address of a function, where that is none of the program's, whose number the second is; undefined
/// elsewhere. No identifier.
pub const FROM_OUTSIDE: &str = "(from outside)";

/// Gives its first argument, the number of a node; undefined where that is no number of a node, or the node was freed: the second argument is
/// an element of the array that says so. With a third one the number is that of one of so many pointers of a node. No identifier.
pub const NODE: &str = "(node)";

/// Gives its argument, the number of a node or of the null pointer; undefined where it was never set. No identifier.
pub const IS_SET: &str = "(is set)";

/// Gives its first argument, the number of a node or of the null pointer; undefined where the node was freed before: the second argument is
/// an element of the array that says so. No identifier.
pub const CAN_BE_FREED: &str = "(can be freed)";

/// The number after that of a node, or so many after it as the second argument says. No identifier.
pub const NEXT_NODE: &str = "(next node)";

/// The number of an element in an array of nodes: of the first one, the index, and the length; undefined where there is none. No identifier.
pub const NODE_ELEMENT: &str = "(node element)";

/// The number of a pointer in a node: of the node, how many pointers each has, and which it is. No identifier.
pub const NODE_CELL: &str = "(node cell)";

/// Gives its argument, the number of a block, which may be that of the null pointer. No identifier.
pub const BLOCK: &str = "(block)";

/// Gives its first argument, the index of the element to which a pointer into a block leads; the others are the number of the block and its
/// length. No identifier.
pub const CURSOR: &str = "(cursor)";

/// Gives its first argument, the index of an element of the block with the second one's number, which is ordered with, or subtracted from, that of
/// an element of the block with the third one's number. No identifier.
pub const SAME_BLOCK: &str = "(same block)";

/// Whether two pointers into blocks are equal: the arguments are the number of a block and the index of an element for each. No identifier.
pub const SAME_ELEMENT: &str = "(same element)";

/// Whether two such pointers differ. No identifier.
pub const OTHER_ELEMENT: &str = "(other element)";

/// Gives a byte of padding of the structure whose number is the argument. No identifier.
pub const PADDING: &str = "(padding)";

/// `vfprintf` to another stream than standard output, whose result nothing uses: what it prints there is no part of the output. No identifier.
pub const PRINT_ELSEWHERE: &str = "vfprintf elsewhere";

/// `printf` or `vprintf` with a format that does not stand in the call, whose result nothing uses. No identifier.
pub const PRINT_OPEN: &str = "printf of a format";

/// Stands in front of what takes integers for bytes. No identifier.
pub const BYTES: &str = "(bytes)";

/// Whether it is one of those above, which are values and no calls.
pub fn is_own(name: &str) -> bool {
    [NO_FUNCTION, ONE_OF_FUNCTIONS, FROM_OUTSIDE].contains(&name) || is_of_nodes(name)
}

/// Whether a function of this name stands for a use of a pointer to a node (`crate/memory.rs`).
pub fn is_of_nodes(name: &str) -> bool {
    [NODE, IS_SET, CAN_BE_FREED, NEXT_NODE, NODE_ELEMENT, NODE_CELL, BLOCK, CURSOR, SAME_BLOCK, SAME_ELEMENT, OTHER_ELEMENT].contains(&name)
}

/// What functions that are left out call: it has no body, and no text can name it.
pub const ANYTHING: &str = "(anything)";

/// Stands for a part of a function that is not understood: it gives any integer, and may write what its arguments lead to and all that
/// functions without a body can write. It has no body, and no text can name it.
pub const APPROXIMATED: &str = "(approximated)";

/// `assume` under a name that is C's own to use (7.1.3), so that no program defines it.
pub const ASSUME: &str = "__culdesac_assume";

/// What the text of a library's function calls `name`: what it means there counts, also where the program defines a function of this name.
pub fn of_library(name: &str) -> String {
    format!("{name}{OF_LIBRARY}")
}

/// What stands in front of the name of a function of the program in the text of a library's function.
pub const OF_PROGRAM: &str = "__culdesac_own_";

/// The end of such names. No identifier.
const OF_LIBRARY: &str = " of library";

/// What a call of the library's `time` with a null pointer is: any value.
pub const TIME: &str = "time of library";

/// The intrinsic of this name.
pub fn find(name: &str) -> Option<Intrinsic> {
    if let Some(name) = name.strip_suffix(OF_LIBRARY) {
        return match name {
            "character" => Some(Intrinsic::Character),
            "letter" => Some(Intrinsic::Letter),
            "no_word" => Some(Intrinsic::NoWord),
            "no_bit" => Some(Intrinsic::Unreachable(UnreachableWhy::NoBit)),
            "no_number" => Some(Intrinsic::Unreachable(UnreachableWhy::NoNumber)),
            "feof" => Some(Intrinsic::EndOfFile),
            "ferror" => Some(Intrinsic::ReadError),
            "clearerr" => Some(Intrinsic::ClearIndicators),
            "fclose" => Some(Intrinsic::OfStream),
            "choice" => Some(Intrinsic::Choice { is_of_pair: false }),
            "pair" => Some(Intrinsic::Choice { is_of_pair: true }),
            "overflows" => Some(Intrinsic::Overflows),
            "wraps" => Some(Intrinsic::Wraps),
            "time" => Some(Intrinsic::Nondet(DrawnType::Of(Integer::Long))),
            ALLOCATION_FAILS => Some(Intrinsic::AllocationFails),
            name => super::math::operation(name).map(Intrinsic::Number).or_else(|| find(name)),
        };
    }
    if let Some(ty) = nondet(name) {
        return Some(Intrinsic::Nondet(ty));
    }
    Some(match name {
        "rand" => Intrinsic::Random,
        "assume" | "__VERIFIER_assume" | ASSUME => Intrinsic::Assume,
        "assert" => Intrinsic::Assert(ErrorKind::Assertion),
        "__VERIFIER_assert" => Intrinsic::Assert(ErrorKind::ErrorCall),
        "reach_error" | "__VERIFIER_error" => Intrinsic::Error(ErrorKind::ErrorCall),
        "abort" | "__builtin_trap" => Intrinsic::Error(ErrorKind::Abort),
        ASSERT_FAIL => Intrinsic::Error(ErrorKind::Assertion),
        "exit" | "_exit" => Intrinsic::Exit,
        "printf" => Intrinsic::Print,
        "fprintf" => Intrinsic::PrintTo,
        "puts" => Intrinsic::PrintLine,
        "putchar" => Intrinsic::PrintCharacter,
        "scanf" => Intrinsic::Scan,
        "getchar" => Intrinsic::GetCharacter,
        "atoi" => Intrinsic::ArgumentValue,
        "abs" => Intrinsic::Absolute,
        "__builtin_expect" => Intrinsic::First,
        "__builtin_unreachable" => Intrinsic::Unreachable(UnreachableWhy::Marked),
        "malloc" | "calloc" | "realloc" | DUPLICATE => Intrinsic::Address,
        "memset of objects" => Intrinsic::SetObject,
        "memcpy of objects" => Intrinsic::CopyObject,
        PADDING => Intrinsic::Padding,
        BYTES => Intrinsic::Bytes,
        PRINT_OPEN => Intrinsic::PrintOpen,
        "fflush" => Intrinsic::OfStream,
        PRINT_ELSEWHERE | "free" | "srand" | "perror" | "__builtin_prefetch" | "atomic_thread_fence" | "atomic_signal_fence" => {
            Intrinsic::Nothing
        }
        _ => return None,
    })
}

/// Whether a function without a body of which nothing else is known draws a value of its type and changes nothing, called with so many
/// arguments: SV-COMP's convention for `__VERIFIER_nondet_X()` of any X, where an argument may be meant to be written to, and functions of
/// the library.
pub fn only_draws(name: &str, arguments: usize) -> bool {
    name.starts_with("__VERIFIER_nondet_") && arguments == 0 || super::standard::only_draws(name, arguments)
}

/// The type of an arbitrary value of this name.
fn nondet(name: &str) -> Option<DrawnType> {
    let ty = match name {
        "nondet" => "int",
        _ => name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"))?,
    };
    Some(DrawnType::Of(match ty {
        "int" => Integer::Int,
        "bool" | "_Bool" => Integer::Bool,
        "char" => Integer::Char,
        "uchar" | "u8" | "uint8_t" | "unsigned_char" => Integer::UnsignedChar,
        "int8_t" => Integer::SignedChar,
        "short" | "int16_t" => Integer::Short,
        "ushort" | "u16" | "uint16_t" => Integer::UnsignedShort,
        "uint" | "unsigned" | "unsigned_int" => Integer::UnsignedInt,
        "long" => Integer::Long,
        "ulong" => Integer::UnsignedLong,
        "longlong" => Integer::LongLong,
        "ulonglong" => Integer::UnsignedLongLong,
        "float" => Integer::Float,
        "double" => Integer::Double,
        "int32_t" | "s32" => return Some(DrawnType::Header("int32_t")),
        "u32" | "uint32_t" => return Some(DrawnType::Header("uint32_t")),
        "int64_t" | "loff_t" => return Some(DrawnType::Header("int64_t")),
        "uint64_t" => return Some(DrawnType::Header("uint64_t")),
        "size_t" | "pointer" => return Some(DrawnType::Header("size_t")),
        _ => return None,
    }))
}

/// The type of an arbitrary value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnType {
    Of(Integer),
    /// The type of a header with this name, which depends on the target.
    Header(&'static str),
}

impl DrawnType {
    /// The type on a target.
    pub fn of(self, abi: Abi) -> Integer {
        match self {
            DrawnType::Of(integer) => integer,
            DrawnType::Header(name) => of_header(name, abi).unwrap_or_default(),
        }
    }
}
