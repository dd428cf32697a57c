//! Declarations of headers: types that are structures, and the functions that give them.

/// Types of headers, and functions that give them: where one of the names stands in the program, the text after them does, too.
const DECLARATIONS: &[(&str, &[&str], &str)] = &[
    (
        "stdlib.h",
        &["div_t", "div"],
        "typedef struct { int quot, rem; } div_t; static div_t div(int x, int y) { div_t r = {x / y, x % y}; return r; }",
    ),
    (
        "stdlib.h",
        &["ldiv_t", "ldiv"],
        "typedef struct { long quot, rem; } ldiv_t; static ldiv_t ldiv(long x, long y) { ldiv_t r = {x / y, x % y}; return r; }",
    ),
    (
        "stdlib.h",
        &["lldiv_t", "lldiv"],
        "typedef struct { long long quot, rem; } lldiv_t; \
         static lldiv_t lldiv(long long x, long long y) { lldiv_t r = {x / y, x % y}; return r; }",
    ),
    (
        "inttypes.h",
        &["imaxdiv_t", "imaxdiv"],
        "typedef struct { intmax_t quot, rem; } imaxdiv_t; \
         static imaxdiv_t imaxdiv(intmax_t x, intmax_t y) { imaxdiv_t r = {x / y, x % y}; return r; }",
    ),
    (
        "time.h",
        &["tm"],
        "struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };",
    ),
    ("time.h", &["timespec"], "struct timespec { time_t tv_sec; long tv_nsec; };"),
];

/// The declarations of a header that a program needs; `is_named` says whether a name stands in it.
pub fn declarations(header: &str, is_named: &dyn Fn(&str) -> bool) -> String {
    let needed = |(name, names, _): &&(&str, &[&str], &str)| *name == header && names.iter().any(|name| is_named(name));
    DECLARATIONS.iter().filter(needed).map(|(.., text)| *text).collect::<Vec<_>>().join(" ")
}

/// The functions in the declarations of headers.
pub fn is_defined_there(name: &str) -> bool {
    ["div", "ldiv", "lldiv", "imaxdiv"].contains(&name)
}
