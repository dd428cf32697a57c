//! Names of C's and POSIX's library: functions that only give a value, and the headers of functions that the engine does not know.

/// Library functions without a model beyond their types: each call returns an arbitrary value and writes no object of the program.
const DRAWN: &[&str] = &[
    "char *getenv(const char *name);",
    "char *setlocale(int category, const char *locale);",
    "char *strerror(int number);",
    "int remove(const char *name);",
    "int rename(const char *from, const char *to);",
    "int system(const char *command);",
    "clock_t clock(void);",
    "unsigned sleep(unsigned seconds);",
    "unsigned alarm(unsigned seconds);",
    "int usleep(unsigned microseconds);",
    "int getpid(void);",
    "int fclose(FILE *stream);",
    "int feof(FILE *stream);",
    "int ferror(FILE *stream);",
    "int fseek(FILE *stream, long offset, int origin);",
    "long ftell(FILE *stream);",
    "void rewind(FILE *stream);",
    "void clearerr(FILE *stream);",
    "FILE *fopen(const char *name, const char *mode);",
    "FILE *tmpfile(void);",
    "FILE *fdopen(int file, const char *mode);",
    "int setvbuf(FILE *stream, char *buffer, int mode, size_t size);",
    "void setbuf(FILE *stream, char *buffer);",
    "void (*signal(int number, void (*handler)(int)))(int);",
];

/// Functions that take a function of the program and may call it.
const CALLING: &[&str] = &["int atexit(void (*function)(void));", "int at_quick_exit(void (*function)(void));"];

/// The name that a declaration declares.
fn declared(text: &str) -> &str {
    let name = text.split('(').find_map(|part| part.rsplit([' ', '*']).next().filter(|name| !name.is_empty()));
    name.unwrap_or_default()
}

/// Whether each call of a function of the library gives any value and changes nothing.
pub fn is_drawn(name: &str) -> bool {
    DRAWN.iter().any(|text| declared(text) == name)
}

/// The same of a call with so many arguments: with another number it is a function of the program's own.
pub fn only_draws(name: &str, arguments: usize) -> bool {
    let parameters = |text: &str| match text.rsplit_once(&format!("{name}(")).map(|(_, list)| list) {
        Some(list) if list.starts_with("void)") => 0,
        Some(list) => 1 + list.matches(", ").count(),
        None => usize::MAX,
    };
    DRAWN.iter().any(|text| declared(text) == name && parameters(text) == arguments)
}

/// Types of headers that are not known without them, or not at all.
const TYPES: &[(&str, &str)] = &[
    ("stdlib.h", "div_t ldiv_t lldiv_t"),
    ("inttypes.h", "imaxdiv_t"),
    ("setjmp.h", "jmp_buf"),
    ("stdarg.h", "va_list"),
    ("stddef.h", "max_align_t"),
    ("stdio.h", "fpos_t"),
    ("fenv.h", "fenv_t fexcept_t"),
    ("wchar.h", "mbstate_t"),
    ("wctype.h", "wctrans_t"),
    ("threads.h", "thrd_t mtx_t cnd_t tss_t once_flag"),
    ("pthread.h", "pthread_t pthread_mutex_t pthread_cond_t"),
    ("signal.h", "sigset_t"),
];

/// The header of a type that is not known here, and whether it is once that is included.
pub fn header_of_type(name: &str) -> Option<(&'static str, bool)> {
    let (header, _) = TYPES.iter().find(|(_, names)| names.split(' ').any(|other| other == name))?;
    Some((header, ["stdlib.h", "inttypes.h"].contains(header)))
}

/// The declaration of a function of the library that has no meaning of its own here.
pub fn declaration(name: &str) -> Option<&'static str> {
    DRAWN.iter().chain(CALLING).find(|text| declared(text) == name).copied()
}

/// The names of the parameters in [`declaration`].
pub fn parameters(name: &str) -> Option<Vec<&'static str>> {
    let (_, list) = declaration(name)?.split_once(&format!("{name}("))?;
    let mut depth = 0usize;
    let mut end = list.len();
    let mut commas = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            ')' if depth == 0 => {
                end = at;
                break;
            }
            ',' if depth == 0 => commas.push(at),
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    let starts = std::iter::once(0).chain(commas.iter().map(|comma| comma + 1));
    let parts = starts.zip(commas.iter().copied().chain([end])).map(|(start, end)| list[start..end].trim());
    let parameter = |part: &'static str| {
        let declarator = part.split_once("(*").map_or(part, |(_, pointer)| pointer.split(')').next().unwrap_or(pointer));
        declarator.rsplit([' ', '*']).next().unwrap_or(declarator)
    };
    Some(parts.filter(|part| *part != "void").map(parameter).collect())
}

/// The functions of headers that the engine may not know; of `<math.h>` also those with `f` and `l` at the end.
const OF_HEADERS: &[(&str, &str)] = &[
    (
        "complex.h",
        "cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh",
    ),
    (
        "fenv.h",
        "feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv fesetexceptflag fesetround fetestexcept feupdateenv",
    ),
    ("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    ("locale.h", "localeconv setlocale"),
    (
        "math.h",
        "acosh asinh atanh copysign erf erfc exp2 expm1 fdim fma fpclassify frexp ilogb isgreater isgreaterequal isless islessequal \
         islessgreater isnormal isunordered ldexp lgamma llrint llround log1p logb lrint lround modf nan nearbyint nextafter nexttoward remainder \
         remquo rint scalbln scalbn signbit tgamma acos asin atan cos sin tan cosh sinh tanh exp log log2 log10 cbrt atan2 pow hypot fabs fmin fmax \
         sqrt floor ceil trunc round fmod",
    ),
    ("setjmp.h", "setjmp longjmp"),
    ("signal.h", "signal raise sigaction sigemptyset sigfillset sigprocmask"),
    (
        "stdatomic.h",
        "atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak_explicit atomic_is_lock_free atomic_thread_fence atomic_signal_fence",
    ),
    (
        "stdio.h",
        "fgetpos fprintf fread freopen fscanf fsetpos fwrite getdelim getline popen pclose scanf sscanf tmpnam ungetc vfprintf vfscanf vprintf vscanf \
         vsnprintf vsprintf vsscanf fileno asprintf dprintf",
    ),
    (
        "stdlib.h",
        "_Exit aligned_alloc at_quick_exit atexit atof bsearch div ldiv lldiv mblen mbstowcs mbtowc qsort quick_exit strtod strtof strtold system \
         wcstombs wctomb rand_r random srandom mkstemp setenv unsetenv putenv realpath",
    ),
    ("string.h", "memchr strcoll strdup strndup strxfrm strlcpy strlcat stpcpy memccpy mempcpy strsignal"),
    ("strings.h", "strcasecmp strncasecmp bcopy bzero index rindex"),
    (
        "threads.h",
        "call_once cnd_init cnd_signal cnd_wait mtx_init mtx_lock mtx_unlock thrd_create thrd_join thrd_sleep thrd_yield tss_create",
    ),
    ("time.h", "asctime clock ctime gmtime localtime mktime strftime timespec_get gmtime_r localtime_r nanosleep clock_gettime"),
    ("unistd.h", "access chdir close dup dup2 execl execv execvp fork getcwd getopt isatty lseek open pipe read rmdir unlink write"),
    ("pthread.h", "pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock pthread_mutex_init"),
    (
        "wchar.h",
        "btowc fgetwc fputwc getwchar mbrtowc putwchar swprintf wcscat wcschr wcscmp wcscpy wcslen wcsncpy wcstol wmemcpy wmemset wprintf",
    ),
    ("wctype.h", "iswalnum iswalpha iswdigit iswlower iswspace iswupper towlower towupper"),
];

/// The header of a function of C's or POSIX's library that the engine does not know.
pub fn header_of(name: &str) -> Option<&'static str> {
    let lists = |name: &str| OF_HEADERS.iter().find(|(_, names)| names.split(' ').any(|other| other == name));
    let stem = name.strip_suffix(['f', 'l']).and_then(lists).filter(|(header, _)| matches!(*header, "math.h" | "complex.h"));
    lists(name).or(stem).map(|(header, _)| *header)
}

/// Whether a function is one of C's library that has no meaning here. With a declaration alone, also in a header, it is none of the program.
pub fn is_unknown(name: &str) -> bool {
    let is_of_c = |header: &str| !["unistd.h", "pthread.h", "strings.h"].contains(&header);
    declaration(name).is_none() && header_of(name).is_some_and(is_of_c)
}

/// What to write instead of a function of C's library that is none of those here.
pub fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "strdup" | "strndup" => {
            "write it where the pointer is declared, last, e.g. `char *p = strdup(s);`, or before anything else mentions the pointer"
        }
        "getline" | "ungetc" => "read with `scanf`, `getchar`, `fgetc` or `fgets`",
        "setjmp" | "longjmp" | "raise" | "fork" | "pthread_create" => {
            "only calls and returns move from one function to another: leave such a part out"
        }
        _ => return header_of(name).map(|_| "define a function that does the same"),
    })
}

#[cfg(test)]
mod tests {
    use super::{CALLING, DRAWN, declaration, declared, header_of, only_draws};

    /// Each declaration is one of C, under its name.
    #[test]
    fn declarations_are_read() {
        for text in DRAWN.iter().chain(CALLING) {
            let parsed = super::super::parse(&format!("{text} int f(int x) {{ return x; }}"));
            assert_eq!(parsed.diagnostics, [], "{text}");
            assert_eq!(declaration(declared(text)), Some(*text));
        }
        for (name, arguments) in [("getpid", 0), ("remove", 1), ("rename", 2), ("signal", 2), ("setvbuf", 4)] {
            assert!(only_draws(name, arguments) && !only_draws(name, arguments + 1), "{name}");
        }
        let names = [("signal", &["number", "handler"][..]), ("setvbuf", &["stream", "buffer", "mode", "size"]), ("clock", &[])];
        for (name, parameters) in names {
            assert_eq!(super::parameters(name).as_deref(), Some(parameters), "{name}");
        }
        assert_eq!(declared("void (*signal(int number, void (*handler)(int)))(int);"), "signal");
        assert_eq!((header_of("sinf"), header_of("qsort"), header_of("own")), (Some("math.h"), Some("stdlib.h"), None));
    }
}
