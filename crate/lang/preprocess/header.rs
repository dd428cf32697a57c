//! The known headers, and the macros for integers in them. Types have the sizes of 64-bit Unix.

/// Defined before the first line. There is no clock: the date is always the same.
pub const PREDEFINED: &str = r#"#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __STDC_HOSTED__ 1
#define __DATE__ "Jan  1 1970"
#define __TIME__ "00:00:00"
"#;

/// What `<assert.h>` adds where `NDEBUG` is defined: `assert` does nothing.
pub const NO_ASSERTIONS: &str = "#define assert(ignored) ((void)0)\n";

const LIMITS: &str = "#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1L)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1LL)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
";

/// What `<inttypes.h>` has, too.
pub const STDINT: &str = "#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L - 1L)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define INTMAX_MIN (-9223372036854775807L - 1L)
#define INTMAX_MAX 9223372036854775807L
#define UINTMAX_MAX 18446744073709551615UL
#define INTPTR_MIN (-9223372036854775807L - 1L)
#define INTPTR_MAX 9223372036854775807L
#define UINTPTR_MAX 18446744073709551615UL
#define PTRDIFF_MIN (-9223372036854775807L - 1L)
#define PTRDIFF_MAX 9223372036854775807L
#define SIZE_MAX 18446744073709551615UL
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) c ## L
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c ## U
#define UINT64_C(c) c ## UL
#define INTMAX_C(c) c ## L
#define UINTMAX_C(c) c ## UL
";

const NULL: &str = "#define NULL 0\n";

const STDIO: &str = "#define NULL 0
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
";

const STDLIB: &str = "#define NULL 0
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
";

const STDBOOL: &str = "#define true 1
#define false 0
#define __bool_true_false_are_defined 1
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

const FORMATS: &str = r#"#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 "ld"
#define PRIi32 "i"
#define PRIi64 "li"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 "lu"
#define PRIx32 "x"
#define PRIx64 "lx"
#define SCNd32 "d"
#define SCNd64 "ld"
#define SCNu32 "u"
#define SCNu64 "lu"
"#;

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
    ("errno.h", ""),
    ("fcntl.h", ""),
    ("fenv.h", ""),
    ("float.h", ""),
    ("inttypes.h", FORMATS),
    ("iso646.h", OPERATORS),
    ("limits.h", LIMITS),
    ("locale.h", NULL),
    ("malloc.h", NULL),
    ("math.h", ""),
    ("memory.h", NULL),
    ("pthread.h", ""),
    ("seahorn.h", SEAHORN),
    ("seahorn/seahorn.h", SEAHORN),
    ("setjmp.h", ""),
    ("signal.h", ""),
    ("smack.h", ""),
    ("stdalign.h", ""),
    ("stdarg.h", ""),
    ("stdatomic.h", ""),
    ("stdbool.h", STDBOOL),
    ("stddef.h", NULL),
    ("stdint.h", STDINT),
    ("stdio.h", STDIO),
    ("stdlib.h", STDLIB),
    ("stdnoreturn.h", ""),
    ("string.h", NULL),
    ("strings.h", ""),
    ("sys/time.h", NULL),
    ("sys/types.h", ""),
    ("time.h", "#define NULL 0\n#define CLOCKS_PER_SEC 1000000\n"),
    ("unistd.h", NULL),
    ("wchar.h", NULL),
    ("wctype.h", ""),
];

/// The definitions in a header, if it is known.
pub fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name.trim_start_matches("./");
    HEADERS.iter().copied().find(|&(header, _)| header == name)
}

/// A header of C that defines the macro.
pub fn of_macro(name: &str) -> Option<&'static str> {
    const OF_C: [&str; 6] = ["stddef.h", "stdbool.h", "limits.h", "stdio.h", "stdlib.h", "stdint.h"];
    let line = |line: &str| line.strip_prefix("#define ").is_some_and(|rest| rest.split([' ', '(']).next() == Some(name));
    let defines = |header: &&&str| match **header {
        "stdint.h" => STDINT.lines().any(line),
        header => find(header).is_some_and(|(_, text)| text.lines().any(line)),
    };
    OF_C.iter().find(defines).copied()
}
