//! The known headers, and the macros for integers in them.

use super::super::math;
use super::super::types::{Abi, CharSign, DataModel, Integer, of_header};
use super::numbers::{ERRNO, SIGNAL};
use Integer::{
    Char, Double, Float, Int, Long, LongLong, Short, SignedChar, UnsignedChar, UnsignedInt, UnsignedLong, UnsignedLongLong, UnsignedShort,
};
use std::borrow::Cow;

/// Defined before the first line. There is no clock: the date is always the same.
pub const PREDEFINED: &str = r#"#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __STDC_HOSTED__ 1
#define __DATE__ "Jan  1 1970"
#define __TIME__ "00:00:00"
"#;

/// Defined before the first line, too: the sizes and limits of the types, as gcc and clang predefine them. Names of compilers
/// and processors are not among them, so that a text takes its portable branch.
pub fn target(abi: Abi) -> String {
    let mut text = match abi.model {
        DataModel::Lp64 => "#define __LP64__ 1\n#define _LP64 1\n",
        DataModel::Ilp32 => "#define __ILP32__ 1\n#define _ILP32 1\n",
        DataModel::Llp64 | DataModel::Int16 => "",
    }
    .to_owned();
    if abi.char == CharSign::Unsigned {
        text += "#define __CHAR_UNSIGNED__ 1\n";
    }
    text += "#define __CHAR_BIT__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
";
    let [address, distance] = [abi.address(), abi.distance()];
    for (name, ty) in [("SCHAR", SignedChar), ("SHRT", Short), ("INT", Int), ("LONG", Long), ("LONG_LONG", LongLong)] {
        text += &format!("#define __{name}_MAX__ {}\n", greatest(ty, abi));
    }
    for (name, ty) in of_widths(abi).into_iter().chain([
        ("INTMAX".to_owned(), abi.exact(64)[0]),
        ("UINTMAX".to_owned(), abi.exact(64)[1]),
        ("SIZE".to_owned(), address),
        ("PTRDIFF".to_owned(), distance),
        ("INTPTR".to_owned(), distance),
        ("UINTPTR".to_owned(), address),
        ("WCHAR".to_owned(), abi.wide()),
    ]) {
        text += &format!("#define __{name}_MAX__ {}\n#define __{name}_TYPE__ {}\n", greatest(ty, abi), ty.name());
    }
    for (name, ty) in [
        ("SHORT", Short),
        ("INT", Int),
        ("LONG", Long),
        ("LONG_LONG", LongLong),
        ("FLOAT", Float),
        ("DOUBLE", Double),
        ("POINTER", address),
        ("SIZE_T", address),
        ("PTRDIFF_T", distance),
        ("WCHAR_T", abi.wide()),
    ] {
        text += &format!("#define __SIZEOF_{name}__ {}\n", ty.size(abi));
    }
    text
}

/// `INT8` to `UINT64` with their types.
fn of_widths(abi: Abi) -> Vec<(String, Integer)> {
    let both = |bits: u32| ["", "U"].into_iter().zip(abi.exact(bits)).map(move |(sign, ty)| (format!("{sign}INT{bits}"), ty));
    [8, 16, 32, 64].into_iter().flat_map(both).collect()
}

/// The letters after a constant of the type, of a narrow one of what it is promoted to.
fn suffix(ty: Integer, abi: Abi) -> &'static str {
    match ty.promoted(abi) {
        UnsignedInt => "U",
        Long => "L",
        UnsignedLong => "UL",
        LongLong => "LL",
        UnsignedLongLong => "ULL",
        _ => "",
    }
}

/// The greatest value of a type as a constant.
fn greatest(ty: Integer, abi: Abi) -> String {
    format!("{}{}", ty.range(abi).greatest, suffix(ty, abi))
}

/// The macros of the least and the greatest value of a type; of an unsigned one of the greatest, but of a type that is signed elsewhere.
fn bounds(name: &str, ty: Integer, abi: Abi) -> String {
    let greatest = greatest(ty, abi);
    let least = match ty.signed(abi) {
        true => format!("#define {name}_MIN (-{greatest} - 1{})\n", suffix(ty, abi)),
        false if matches!(name, "CHAR" | "WCHAR" | "WINT") => format!("#define {name}_MIN 0{}\n", suffix(ty, abi)),
        false => String::new(),
    };
    format!("{least}#define {name}_MAX {greatest}\n")
}

/// What `<assert.h>` adds where `NDEBUG` is defined: `assert` does nothing.
pub const NO_ASSERTIONS: &str = "#define assert(ignored) ((void)0)\n";

/// The macros of `<limits.h>`.
fn limits(abi: Abi) -> String {
    let all = [
        ("SCHAR", SignedChar),
        ("UCHAR", UnsignedChar),
        ("CHAR", Char),
        ("SHRT", Short),
        ("USHRT", UnsignedShort),
        ("INT", Int),
        ("UINT", UnsignedInt),
        ("LONG", Long),
        ("ULONG", UnsignedLong),
        ("LLONG", LongLong),
        ("ULLONG", UnsignedLongLong),
    ];
    all.into_iter().fold("#define CHAR_BIT 8\n#define MB_LEN_MAX 16\n".to_owned(), |text, (name, ty)| text + &bounds(name, ty, abi))
}

/// The macros of `<stdint.h>`, which `<inttypes.h>` has, too.
fn integers(abi: Abi) -> String {
    let mut text = String::new();
    for bits in [8, 16, 32, 64] {
        for (sign, at) in [("", 0), ("U", 1)] {
            let ty = abi.exact(bits)[at];
            for (kind, ty) in [("", ty), ("_LEAST", ty), ("_FAST", abi.fast(bits)[at])] {
                text += &bounds(&format!("{sign}INT{kind}{bits}"), ty, abi);
            }
            text += &constants(&format!("{sign}INT{bits}"), ty, abi);
        }
    }
    let [longest, unsigned] = abi.exact(64);
    text += &(constants("INTMAX", longest, abi) + &constants("UINTMAX", unsigned, abi));
    for (name, ty) in [
        ("INTMAX", longest),
        ("UINTMAX", unsigned),
        ("INTPTR", abi.distance()),
        ("UINTPTR", abi.address()),
        ("PTRDIFF", abi.distance()),
        ("SIZE", abi.address()),
        ("SIG_ATOMIC", Int),
        ("WCHAR", abi.wide()),
        ("WINT", of_header("wint_t", abi).unwrap_or_default()),
    ] {
        text += &bounds(name, ty, abi);
    }
    text
}

/// `INT64_C(c)` and its like.
fn constants(name: &str, ty: Integer, abi: Abi) -> String {
    let suffix = suffix(ty, abi);
    let paste = if suffix.is_empty() { "" } else { " ## " };
    format!("#define {name}_C(c) c{paste}{suffix}\n")
}

const NULL: &str = "#define NULL 0\n";

const STDIO: &str = "#define NULL 0
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
";

const STDLIB: &str = "#define NULL 0
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define MB_CUR_MAX 1
";

const STDBOOL: &str = "#define true 1
#define false 0
#define __bool_true_false_are_defined 1
";

const ATOMIC: &str = "#define ATOMIC_FLAG_INIT 0
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define kill_dependency(value) (value)
#define memory_order_relaxed 0
#define memory_order_consume 1
#define memory_order_acquire 2
#define memory_order_release 3
#define memory_order_acq_rel 4
#define memory_order_seq_cst 5
";

const TIME: &str = "#define NULL 0
#define CLOCKS_PER_SEC 1000000
#define TIME_UTC 1
";

const OPERATORS: &str = "#define and &&
#define and_eq &=
#define bitand &
#define bitor |
#define compl ~
#define not !
#define not_eq !=
#define or ||
#define or_eq |=
#define xor ^
#define xor_eq ^=
";

/// The formats of `<inttypes.h>`.
fn formats(abi: Abi) -> String {
    let mut text = String::new();
    let widths = ["8", "16", "32", "64"].into_iter().flat_map(|bits| ["", "LEAST", "FAST"].map(|kind| format!("{kind}{bits}")));
    for name in widths.chain(["MAX".to_owned(), "PTR".to_owned()]) {
        let ty = of_header(&format!("int{}{}_t", if name.starts_with(['L', 'F']) { "_" } else { "" }, name.to_ascii_lowercase()), abi);
        let (print, scan) = match ty {
            Some(SignedChar) => ("", "hh"),
            Some(Short) => ("", "h"),
            Some(Long) => ("l", "l"),
            Some(LongLong) => ("ll", "ll"),
            _ => ("", ""),
        };
        for letter in ["d", "i", "o", "u", "x", "X"] {
            text += &format!("#define PRI{letter}{name} \"{print}{letter}\"\n");
            if letter != "X" {
                text += &format!("#define SCN{letter}{name} \"{scan}{letter}\"\n");
            }
        }
    }
    text
}

// What tools for testing and verification ask their users to include.
const CREST: &str = "#define CREST_int(x) ((x) = __VERIFIER_nondet_int())
#define CREST_unsigned_int(x) ((x) = __VERIFIER_nondet_uint())
#define CREST_char(x) ((x) = __VERIFIER_nondet_char())
#define CREST_unsigned_char(x) ((x) = __VERIFIER_nondet_uchar())
#define CREST_short(x) ((x) = __VERIFIER_nondet_short())
#define CREST_unsigned_short(x) ((x) = __VERIFIER_nondet_ushort())
";

const SEAHORN: &str = "#define assume __VERIFIER_assume
#define sassert(condition) if (!(condition)) __VERIFIER_error()
";

const BUGST: &str = "#define BUGST_IGNORE_UNINITIALISED_INT(p) (*(p) = __VERIFIER_nondet_int())
#define BUGST_IGNORE_UNINITIALISED_INT_ARRAY(a, n) do { int i__; for (i__ = 0; i__ < (n); ++i__) (a)[i__] = __VERIFIER_nondet_int(); } while (0)
#define BUGST_ARBITRARY_INT() __VERIFIER_nondet_int()
#define BUGST_REPORT_TARGET_LOCATION_REACHED() __VERIFIER_error()
#define BUGST_TERMINATE_WHOLE_PROGRAM_ANALYSIS() abort()
#define BUGST_DEATH_END() abort()
";

const HEADERS: &[(&str, &str)] = &[
    ("assert.h", ""),
    ("bugst_utils.h", BUGST),
    ("complex.h", ""),
    ("crest.h", CREST),
    ("ctype.h", ""),
    ("errno.h", ERRNO),
    ("fcntl.h", ""),
    ("fenv.h", ""),
    ("float.h", math::FLOAT),
    ("inttypes.h", ""),
    ("iso646.h", OPERATORS),
    ("limits.h", ""),
    ("locale.h", NULL),
    ("malloc.h", NULL),
    ("math.h", math::MATH),
    ("memory.h", NULL),
    ("pthread.h", ""),
    ("seahorn.h", SEAHORN),
    ("seahorn/seahorn.h", SEAHORN),
    ("setjmp.h", ""),
    ("signal.h", SIGNAL),
    ("smack.h", ""),
    ("stdalign.h", ""),
    ("stdarg.h", ""),
    ("stdatomic.h", ATOMIC),
    ("stdbool.h", STDBOOL),
    ("stddef.h", NULL),
    ("stdint.h", ""),
    ("stdio.h", STDIO),
    ("stdlib.h", STDLIB),
    ("stdnoreturn.h", ""),
    ("string.h", NULL),
    ("strings.h", ""),
    ("sys/time.h", NULL),
    ("sys/types.h", ""),
    ("time.h", TIME),
    ("unistd.h", NULL),
    ("wchar.h", NULL),
    ("wctype.h", ""),
];

/// The full name of a header and the definitions in it, if it is known.
pub fn find(name: &str, abi: Abi) -> Option<(&'static str, Cow<'static, str>)> {
    let name = name.trim_start_matches("./");
    let (name, text) = HEADERS.iter().copied().find(|&(header, _)| header == name)?;
    let text = match name {
        "limits.h" => limits(abi).into(),
        "stdint.h" => integers(abi).into(),
        "inttypes.h" => (integers(abi) + &formats(abi)).into(),
        "stdlib.h" => format!("{text}#define RAND_MAX {}\n", abi.random().greatest).into(),
        _ => text.into(),
    };
    Some((name, text))
}

/// The name of a header of C or POSIX with declarations that the front end lacks. A macro of such a header is an expression or a statement
/// without control flow out of it, unlike the macros of `<setjmp.h>`, so that a call of it can be over-approximated.
pub fn of_system(name: &str) -> Option<&'static str> {
    const SYSTEM: [&str; 39] = [
        "alloca.h",
        "arpa/inet.h",
        "complex.h",
        "dirent.h",
        "dlfcn.h",
        "fcntl.h",
        "fenv.h",
        "getopt.h",
        "grp.h",
        "langinfo.h",
        "libgen.h",
        "locale.h",
        "malloc.h",
        "net/if.h",
        "netdb.h",
        "netinet/in.h",
        "netinet/tcp.h",
        "poll.h",
        "pwd.h",
        "regex.h",
        "strings.h",
        "sys/ioctl.h",
        "sys/mman.h",
        "sys/param.h",
        "sys/resource.h",
        "sys/select.h",
        "sys/socket.h",
        "sys/stat.h",
        "sys/time.h",
        "sys/types.h",
        "sys/uio.h",
        "sys/un.h",
        "sys/wait.h",
        "syslog.h",
        "termios.h",
        "time.h",
        "unistd.h",
        "wchar.h",
        "wctype.h",
    ];
    SYSTEM.binary_search(&name).ok().map(|at| SYSTEM[at])
}

/// A header of C that defines the macro.
pub fn of_macro(name: &str) -> Option<&'static str> {
    const OF_C: [&str; 13] = [
        "math.h",
        "float.h",
        "stddef.h",
        "stdbool.h",
        "limits.h",
        "stdio.h",
        "stdlib.h",
        "errno.h",
        "signal.h",
        "stdint.h",
        "inttypes.h",
        "time.h",
        "stdatomic.h",
    ];
    let line = |line: &str| line.strip_prefix("#define ").is_some_and(|rest| rest.split([' ', '(']).next() == Some(name));
    let defines = |header: &&&str| find(header, Abi::default()).is_some_and(|(_, text)| text.lines().any(line));
    OF_C.iter().find(defines).copied()
}
