//! Functions of C's library that read a number at the start of a text, as C text of our own (C11 7.22.1).

/// The conversion of `atol`.
pub const ATOL: &str = "long atol(const char *s) { ptrdiff_t i = 0; long n = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; \
    if (s[i] == '-') { i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 - (s[i] - '0'); i++; } return n; } \
    if (s[i] == '+') i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); i++; } return n; }";

/// The conversion of `atof`. A decimal number of at most 15 digits with an exponent of at most 15 is the product or quotient of two integers
/// that a `double` represents exactly, so that the arithmetic rounds once, as C requires. Longer numbers, infinities and hexadecimal numbers
/// give an arbitrary value.
pub const ATOF: &str = "double atof(const char *s) { long long n = 0, p = 1; ptrdiff_t i = 0; int minus = 0, digits = 0, move = 0, e = 0, down = 0; \
    while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++; \
    if (s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N' || s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) return unknown(0.0); \
    while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); digits = 1; i++; if (n > 99999999999999) return unknown(0.0); } \
    if (s[i] == '.') { i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); digits = 1; move--; i++; \
    if (n > 99999999999999 || move < -15) return unknown(0.0); } } if (!digits) { invalid(); return 0; } \
    if (s[i] == 'e' || s[i] == 'E') { i++; if (s[i] == '-') { down = 1; i++; } else if (s[i] == '+') i++; \
    while (s[i] >= '0' && s[i] <= '9') { if (e < 1000) e = e * 10 + (s[i] - '0'); i++; } } if (down) e = -e; e = e + move; \
    if (e > 15 || e < -15) return unknown(0.0); while (e > 0) { p = p * 10; e--; } down = e < 0; while (e < 0) { p = p * 10; e++; } \
    if (minus) n = -n; if (down) return (double)n / (double)p; return (double)n * (double)p; }";

/// Where that number ends. Of infinity, of what is no number and of numbers in base 16 the end is not known.
pub const FLOAT_END: &str = "char *place(char *s) { ptrdiff_t i = 0, k = 0; int digits = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; \
    if (s[i] == '-' || s[i] == '+') i++; \
    if (s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N' || s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) { i = 0; \
    while (unknown(0.0) > 0 && s[i] != 0) i++; return s + i; } \
    while (s[i] >= '0' && s[i] <= '9') { digits = 1; i++; } if (s[i] == '.') { k = i; i++; while (s[i] >= '0' && s[i] <= '9') { digits = 1; i++; } \
    if (!digits) i = k; } if (!digits) return s; if (s[i] == 'e' || s[i] == 'E') { k = i + 1; if (s[k] == '-' || s[k] == '+') k++; \
    if (s[k] >= '0' && s[k] <= '9') { i = k; while (s[i] >= '0' && s[i] <= '9') i++; } } return s + i; }";

/// The number at the start of a text in decimal, as `strtol` has it. `most` is the greatest value, `tenth` a tenth of it. `range();` and `invalid();` are what becomes of `errno`.
pub const STRTOL: &str = "long strtol(const char *s) { long n = 0; ptrdiff_t i = 0; int d = 0, minus = 0, beyond = 0; while (s[i] == ' ' || s[i] >= 9 \
    && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++; if (s[i] < '0' || s[i] > '9') { \
    invalid(); return 0; } while (s[i] >= '0' && s[i] <= '9') { d = s[i] - '0'; i++; if (n < -tenth || n == \
    -tenth && d > 7 + minus) beyond = 1; else n = n * 10 - d; } if (beyond) { range(); if (minus) return \
    -most - 1; return most; } if (minus) return n; return -n; }";

/// As `strtoul` has it.
pub const STRTOUL: &str = "unsigned long strtoul(const char *s) { unsigned long n = 0; ptrdiff_t i = 0; int d = 0, minus = 0, beyond = 0; while (s[i] \
    == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++; if (s[i] < '0' \
    || s[i] > '9') { invalid(); return 0; } while (s[i] >= '0' && s[i] <= '9') { d = s[i] - '0'; i++; if (n > \
    tenth || n == tenth && d > 5) beyond = 1; else n = n * 10 + d; } if (beyond) { \
    range(); return most; } if (minus) return -n; return n; }";

/// Where that number ends; at the start where there is none.
pub const END: &str = "char *place(char *s) { ptrdiff_t i = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-' || s[i] == '+') \
    i++; if (s[i] < '0' || s[i] > '9') return s; while (s[i] >= '0' && s[i] <= '9') i++; return s + i; }";
