//! The known headers, and the macros for integers in them. Types have the sizes of 64-bit Unix.

use super::super::math;

/// Defined before the first line. There is no clock: the date is always the same.
pub const PREDEFINED: &str = r#"#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __STDC_HOSTED__ 1
#define __DATE__ "Jan  1 1970"
#define __TIME__ "00:00:00"
"#;

/// Defined before the first line, too: the sizes and limits of the types, as gcc and clang predefine them for 64-bit Unix. Names of compilers
/// and processors are not among them, so that a text takes its portable branch.
pub const TARGET: &str = "#define __LP64__ 1
#define _LP64 1
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 127
#define __SHRT_MAX__ 32767
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 9223372036854775807L
#define __LONG_LONG_MAX__ 9223372036854775807LL
#define __INT8_MAX__ 127
#define __INT16_MAX__ 32767
#define __INT32_MAX__ 2147483647
#define __INT64_MAX__ 9223372036854775807L
#define __UINT8_MAX__ 255
#define __UINT16_MAX__ 65535
#define __UINT32_MAX__ 4294967295U
#define __UINT64_MAX__ 18446744073709551615UL
#define __INTMAX_MAX__ 9223372036854775807L
#define __UINTMAX_MAX__ 18446744073709551615UL
#define __SIZE_MAX__ 18446744073709551615UL
#define __INTPTR_MAX__ 9223372036854775807L
#define __UINTPTR_MAX__ 18446744073709551615UL
#define __PTRDIFF_MAX__ 9223372036854775807L
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short
#define __INT32_TYPE__ int
#define __INT64_TYPE__ long
#define __UINT8_TYPE__ unsigned char
#define __UINT16_TYPE__ unsigned short
#define __UINT32_TYPE__ unsigned int
#define __UINT64_TYPE__ unsigned long
#define __SIZE_TYPE__ unsigned long
#define __PTRDIFF_TYPE__ long
#define __INTPTR_TYPE__ long
#define __UINTPTR_TYPE__ unsigned long
#define __WCHAR_TYPE__ int
";

/// What `<assert.h>` adds where `NDEBUG` is defined: `assert` does nothing.
pub const NO_ASSERTIONS: &str = "#define assert(ignored) ((void)0)\n";

const LIMITS: &str = "#define CHAR_BIT 8
#define MB_LEN_MAX 16
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
#define INT_LEAST8_MIN INT8_MIN
#define INT_LEAST8_MAX INT8_MAX
#define UINT_LEAST8_MAX UINT8_MAX
#define INT_FAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define INT_LEAST16_MIN INT16_MIN
#define INT_LEAST16_MAX INT16_MAX
#define UINT_LEAST16_MAX UINT16_MAX
#define INT_FAST16_MIN INT64_MIN
#define INT_FAST16_MAX INT64_MAX
#define UINT_FAST16_MAX UINT64_MAX
#define INT_LEAST32_MIN INT32_MIN
#define INT_LEAST32_MAX INT32_MAX
#define UINT_LEAST32_MAX UINT32_MAX
#define INT_FAST32_MIN INT64_MIN
#define INT_FAST32_MAX INT64_MAX
#define UINT_FAST32_MAX UINT64_MAX
#define INT_LEAST64_MIN INT64_MIN
#define INT_LEAST64_MAX INT64_MAX
#define UINT_LEAST64_MAX UINT64_MAX
#define INT_FAST64_MIN INT64_MIN
#define INT_FAST64_MAX INT64_MAX
#define UINT_FAST64_MAX UINT64_MAX
#define SIG_ATOMIC_MIN INT32_MIN
#define SIG_ATOMIC_MAX INT32_MAX
#define WCHAR_MIN INT32_MIN
#define WCHAR_MAX INT32_MAX
#define WINT_MIN 0U
#define WINT_MAX UINT32_MAX
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

/// Errors by their numbers on Linux.
const ERRNO: &str = "#define E2BIG 7
#define EACCES 13
#define EADDRINUSE 98
#define EADDRNOTAVAIL 99
#define EAFNOSUPPORT 97
#define EAGAIN 11
#define EALREADY 114
#define EBADF 9
#define EBADMSG 74
#define EBUSY 16
#define ECANCELED 125
#define ECHILD 10
#define ECONNABORTED 103
#define ECONNREFUSED 111
#define ECONNRESET 104
#define EDEADLK 35
#define EDESTADDRREQ 89
#define EDOM 33
#define EDQUOT 122
#define EEXIST 17
#define EFAULT 14
#define EFBIG 27
#define EHOSTUNREACH 113
#define EIDRM 43
#define EILSEQ 84
#define EINPROGRESS 115
#define EINTR 4
#define EINVAL 22
#define EIO 5
#define EISCONN 106
#define EISDIR 21
#define ELOOP 40
#define EMFILE 24
#define EMLINK 31
#define EMSGSIZE 90
#define EMULTIHOP 72
#define ENAMETOOLONG 36
#define ENETDOWN 100
#define ENETRESET 102
#define ENETUNREACH 101
#define ENFILE 23
#define ENOBUFS 105
#define ENODATA 61
#define ENODEV 19
#define ENOENT 2
#define ENOEXEC 8
#define ENOLCK 37
#define ENOLINK 67
#define ENOMEM 12
#define ENOMSG 42
#define ENOPROTOOPT 92
#define ENOSPC 28
#define ENOSR 63
#define ENOSTR 60
#define ENOSYS 38
#define ENOTBLK 15
#define ENOTCONN 107
#define ENOTDIR 20
#define ENOTEMPTY 39
#define ENOTRECOVERABLE 131
#define ENOTSOCK 88
#define ENOTSUP 95
#define ENOTTY 25
#define ENXIO 6
#define EOPNOTSUPP 95
#define EOVERFLOW 75
#define EOWNERDEAD 130
#define EPERM 1
#define EPIPE 32
#define EPROTO 71
#define EPROTONOSUPPORT 93
#define EPROTOTYPE 91
#define ERANGE 34
#define EROFS 30
#define ESPIPE 29
#define ESRCH 3
#define ESTALE 116
#define ETIME 62
#define ETIMEDOUT 110
#define ETXTBSY 26
#define EWOULDBLOCK 11
#define EXDEV 18
";

/// Signals by their numbers on Linux.
const SIGNAL: &str = "#define SIGABRT 6
#define SIGALRM 14
#define SIGBUS 7
#define SIGCHLD 17
#define SIGCONT 18
#define SIGFPE 8
#define SIGHUP 1
#define SIGILL 4
#define SIGINT 2
#define SIGIO 29
#define SIGKILL 9
#define SIGPIPE 13
#define SIGPROF 27
#define SIGQUIT 3
#define SIGSEGV 11
#define SIGSTOP 19
#define SIGSYS 31
#define SIGTERM 15
#define SIGTRAP 5
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGVTALRM 26
#define SIGWINCH 28
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIG_DFL 0
#define SIG_IGN 1
#define SIG_ERR (-1)
";

/// The formats of `<inttypes.h>`.
pub fn formats() -> String {
    const TYPES: [(&str, &str, &str); 14] = [
        ("8", "", "hh"),
        ("16", "", "h"),
        ("32", "", ""),
        ("64", "l", "l"),
        ("LEAST8", "", "hh"),
        ("LEAST16", "", "h"),
        ("LEAST32", "", ""),
        ("LEAST64", "l", "l"),
        ("FAST8", "", "hh"),
        ("FAST16", "l", "l"),
        ("FAST32", "l", "l"),
        ("FAST64", "l", "l"),
        ("MAX", "l", "l"),
        ("PTR", "l", "l"),
    ];
    let mut text = String::new();
    for (ty, print, scan) in TYPES {
        for letter in ["d", "i", "o", "u", "x", "X"] {
            text += &format!("#define PRI{letter}{ty} \"{print}{letter}\"\n");
            if letter != "X" {
                text += &format!("#define SCN{letter}{ty} \"{scan}{letter}\"\n");
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
    ("limits.h", LIMITS),
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
    const OF_C: [&str; 10] =
        ["math.h", "float.h", "stddef.h", "stdbool.h", "limits.h", "stdio.h", "stdlib.h", "errno.h", "signal.h", "stdint.h"];
    let line = |line: &str| line.strip_prefix("#define ").is_some_and(|rest| rest.split([' ', '(']).next() == Some(name));
    let defines = |header: &&&str| match **header {
        "stdint.h" => STDINT.lines().any(line),
        header => find(header).is_some_and(|(_, text)| text.lines().any(line)),
    };
    OF_C.iter().find(defines).copied()
}
