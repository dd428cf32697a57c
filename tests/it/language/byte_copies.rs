//! Copies between objects of other types and bytes: as gcc runs them, and what is not said of them.

use super::literals::wrong_functions;
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use std::process::Command;

const HEAD: &str = "#include <string.h>
#include <stdint.h>
struct header { uint8_t version; uint8_t flags; uint16_t length; uint32_t seq; };
struct small { int16_t a; int8_t b; signed char c[2]; char d; int16_t e; };
struct bits { unsigned low : 3; int high : 5; uint8_t byte; uint16_t word; };
struct __attribute__((packed)) packed { uint8_t kind; int32_t value; uint16_t count; };
struct outer { struct header h; struct { uint8_t x, y; }; uint8_t body[6]; };
struct padded { uint8_t kind; uint32_t value; };
struct tail { uint16_t kind, length; uint8_t data[]; };
union both { uint8_t raw[8]; struct header h; };
static void fill(uint8_t *b, int n, int x, int y) { for (int i = 0; i < n; i++) b[i] = i & 1 ? (unsigned)x + i : (unsigned)y - i; }
static uint32_t word(const void *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }
static void put(void *p, uint16_t v) { memcpy(p, &v, sizeof v); }
static int64_t kept;
";

/// Functions with what they call in front of them; the last one is looked at.
const FUNCTIONS: &[&str] = &[
    "int parsed(int x, int y) { uint8_t b[8]; struct header h; fill(b, 8, x, y); memcpy(&h, b, sizeof h); return h.version * 3 + h.flags + h.length + (h.seq >> 3) % 1000; }",
    "int built(int x, int y) { uint8_t b[10] = {0}; struct header h = {x, y, x & 0x7fff, (unsigned)x + y}; memcpy(b + 1, &h, sizeof h); int k = 0; for (int i = 0; i < 10; i++) k = k % 100000 * 7 + b[i]; return k; }",
    "int loaded(int x, int y) { uint8_t b[12]; fill(b, 12, x, y); int32_t v; memcpy(&v, &b[x & 7], 4); return v < 0 ? -1 : v % 1000; }",
    "int stored(int x, int y) { signed char b[8] = {0}; short s = x; memcpy(b + (y & 3), &s, sizeof s); memcpy(&b[6], &s, 2); return b[0] + 2 * b[1] + 3 * b[2] + 4 * b[3] + 5 * b[7]; }",
    "int with_padding(int x, int y) { uint8_t b[9]; struct padded p; fill(b, 9, x, y); memcpy(&p, b + (x & 1), sizeof p); return p.kind + p.value % 100; }",
    "int signs(int x, int y) { uint8_t b[8]; struct small s; fill(b, 8, x, y); memcpy(&s, b, sizeof s); return s.a + 3 * s.b + 5 * s.c[0] + 7 * s.c[1] + 9 * s.d + 11 * s.e; }",
    "int signs_out(int x, int y) { char b[8]; struct small s = {x, y, {x + 1, y + 1}, x + 2, y}; memcpy(b, &s, sizeof s); int k = 0; for (int i = 0; i < 8; i++) k = k % 100000 * 5 + b[i]; return k; }",
    "int fields(int x, int y) { uint8_t b[4]; struct bits s; fill(b, 4, x, y); memcpy(&s, b, sizeof s); return s.low + 10 * s.high + 1000 * s.byte + s.word; }",
    "int fields_out(int x, int y) { uint8_t b[4]; struct bits s = {x, y, x + y, x * y % 1000}; memcpy(b, &s, sizeof s); return b[0] + 3 * b[1] + 5 * b[2] + 7 * b[3]; }",
    "static int summed(const uint8_t *from, int *words) { uint8_t b[4]; int w[3]; memcpy(b, from, sizeof b); memcpy(w, words + 1, sizeof w); b[1]++; return b[0] + b[1] + 3 * b[3] + w[0] % 9 + w[2] % 7; } int whole_from_part(int x, int y) { uint8_t b[8]; int w[5] = {x, y, x, 5, y}; fill(b, 8, x, y); return summed(&b[x & 3], w) + summed(b + 4, w) + b[5]; }",
    "int whole_within(int x, int y) { struct { uint8_t pad, b[4]; } s[2] = {{1}, {2}}; uint8_t c[9]; fill(c, 9, x, y); memcpy(s[x & 1].b, c + (y & 3), sizeof s[0].b); memcpy(c + 1, s[1].b, sizeof s[1].b); return s[0].b[3] + 2 * s[1].b[0] + 3 * s[0].pad + 5 * s[1].pad + c[2]; }",
    "int without_padding(int x, int y) { uint8_t b[7]; struct packed p; fill(b, 7, x, y); memcpy(&p, b, sizeof p); p.value /= 2; memcpy(b, &p, sizeof p); return p.kind + p.count + (p.value < 0) + b[4] + b[1]; }",
    "int within(int x, int y) { struct outer o = {{0}}; uint8_t b[8]; fill(b, 8, x, y); memcpy(&o.h, b, sizeof o.h); memcpy(o.body + 1, &o.h.seq, 4); memcpy(&o.h.length, &o.body[2], 2); o.x = o.body[4]; uint8_t c[16]; memcpy(c, &o, 16); return c[2] + c[3] * 3 + c[8] + c[12] + c[15]; }",
    "int puns(int x, int y) { unsigned u; int i = x - y; memcpy(&u, &i, sizeof u); long l; unsigned long m = (unsigned long)x << 33; memcpy(&l, &m, sizeof l); struct header h; memcpy(&h, &m, sizeof h); return (u > 5) + 2 * (l < 0) + h.seq % 1000 + h.length; }",
    "int words(int x, int y) { uint8_t b[8]; uint16_t w[4]; fill(b, 8, x, y); memcpy(w, b, sizeof w); w[x & 3]++; memcpy(b, &w[1], 4); return w[0] + w[3] + b[2] + b[0]; }",
    "int moved(int x, int y) { uint8_t b[8]; fill(b, 8, x, y); int16_t v; memmove(&v, b + 3, sizeof v); v++; memmove(b, &v, 2); return v + b[1]; }",
    "static void shift(uint8_t *to, char *from) { memmove(to, from, 4); } int shifted(int x, int y) { uint8_t b[8]; fill(b, 8, x, y); shift(b + 1, (char *)b); shift(b + 3, (char *)b + 4); return b[1] + 3 * b[2] + 5 * b[4] + 7 * b[6]; }",
    "int same(int x, int y) { struct header a = {x, 1, y, 2}, b = {3, 1, 3, 2}; return memcmp(&a, &b, sizeof a) == 0 ? 1 : !memcmp(&a.length, &b.length, 2) ? 2 : memcmp(&a.seq, &b.seq, 4) ? 4 : 3; }",
    "int same_bytes(int x, int y) { uint8_t b[8] = {x, 1, 2, 0, y, 0, 0, 0}; struct header h = {1, 1, 2, 3}; if (memcmp(&h, b, sizeof h)) return 1; return memcmp(b, \"\\1\\1\\2\", 3) != 0; }",
    "int less(int x, int y) { uint32_t a = x, b = y; return (memcmp(&a, &b, 4) < 0) + 2 * (memcmp(&b, &a, sizeof b) > 0) + 4 * (memcmp(&a, &b, 4) >= 0); }",
    "int less_bytes(int x, int y) { char b[4] = {x, y, 1, 0}; short s[2] = {x, 1}; return (memcmp(b, s, 4) < 0) + 2 * (memcmp(&s[0], b, 2) <= 0); }",
    "int set(int x, int y) { uint32_t u; struct header h; memset(&u, x, sizeof u); memset(&h, y, sizeof h); return u % 1000 + h.length + h.flags + h.seq % 1000; }",
    "int by_helpers(int x, int y) { uint8_t b[8]; fill(b, 8, x, y); put(b + (x & 3), y); put(&b[6], x); return word(b + (y & 3)) % 1000 + b[7]; }",
    "int cleared(int x, int y) { struct header h = {x, y, x, y}, g = {1}; memset((void *)&h, 0, sizeof(struct header)); memcpy((void *)&g, (const void *)&h, sizeof g); return g.version + h.seq; }",
    "int characters(int x, int y) { uint8_t b[20]; char c[20]; int n = x & 15; fill(b, 20, x, y); memset(c, 1, 20); memcpy(c, b, n); memcpy(c + 3, b, 3); return c[4] + c[n] + c[19]; }",
    "int walk(int x, int y) { uint8_t b[24]; struct header h; int k = 0, n = 0; fill(b, 24, x & 7, 5); for (unsigned at = 0; at + sizeof h <= sizeof b; at += h.version % 8 + 1) { memcpy(&h, b + at, sizeof h); k += h.flags; if (++n > 4) break; } return k + y % 2; }",
    "int own_length(int x, int y) { uint8_t b[16]; struct header h = {1, 2, x & 7, 3}, *p = &h; fill(b, 16, x, y); memcpy(p, b + p->length, sizeof *p); return h.length + h.seq % 1000; }",
    "int own_array(int x, int y) { uint8_t at = 2, b[12]; fill(b, 12, x, y); at = y & 7; struct outer o = {.body = {x & 3}}; memcpy(&o.body[o.body[0]], b + at, 2); memcpy(b + b[0] % 8, &x, 4); return o.body[2] + o.body[0] + b[3]; }",
    "int given_back(int x, int y) { uint8_t b[4]; uint8_t *p = memcpy(b, &x, sizeof x); struct header h, *q = memcpy(&h, &(struct header){x, y}, sizeof h); return p[1] + q->flags; }",
    "int statics(int x, int y) { uint8_t b[8]; memcpy(b, &kept, sizeof kept); b[1] = x; memcpy(&kept, b, sizeof kept); return kept % 100000 + y % 2; }",
    "int unions(int x, int y) { union both u; uint8_t b[8]; fill(b, 8, x, y); memcpy(u.raw, b, 8); int k = u.h.length; memcpy(&u.h, b, sizeof u.h); return k + u.h.flags + u.raw[3]; }",
    "int tails(int x, int y) { uint8_t b[4]; struct tail t; fill(b, 4, x, y); memcpy(&t, b, sizeof t); return t.kind + t.length; }",
    "int texts(int x, int y) { uint32_t u; memcpy(&u, \"abc\", 4); memcpy(&x, &u, sizeof x); return x == 0x636261 ? y % 3 : 7; }",
];

#[test]
fn bytes_are_copied_as_gcc_copies_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let wrong = wrong_functions("byte-copies", HEAD, FUNCTIONS);
    assert!(wrong.is_empty(), "{wrong}");
}

/// The verdicts of the sides of a function, by the text of the condition.
fn verdicts(text: &str) -> Vec<(String, BranchesVerdict)> {
    let mut asked = request("byte_copies.c", &format!("{HEAD}{text}\n"), Some(2_000_000));
    asked.function = Some("f".to_owned());
    let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
    document.list.into_iter().map(|side| (format!("{} {}", side.text, side.side), side.verdict)).collect()
}

#[test]
fn verdicts_follow_the_bytes() {
    use BranchesVerdict::{Covered, Infeasible};
    for (text, side, wanted) in [
        (
            "int f(const uint8_t *b) { struct header h; memcpy(&h, b, 8); if (h.seq == 0x01020304) return 1; return 0; }",
            "h.seq == 0x01020304 true",
            Covered,
        ),
        (
            "int f(uint32_t x) { uint8_t b[4]; uint32_t y; memcpy(b, &x, 4); memcpy(&y, b, 4); if (x != y) return 1; return 0; }",
            "x != y true",
            Infeasible,
        ),
        (
            "int f(const uint8_t *b, struct header *h) { memcpy(h, b + 4, 8); if (h->flags > 255) return 1; return 0; }",
            "h->flags > 255 true",
            Infeasible,
        ),
        (
            "int f(struct header *h, uint8_t *b) { if (memcmp(h, b, 8) == 0) { if (h->flags != b[1]) return 1; } return 0; }",
            "h->flags != b[1] true",
            Infeasible,
        ),
        // A whole array from elements of another one.
        (
            "int f(const uint8_t *from, const uint8_t *key, int n) { uint8_t b[16]; memcpy(b, from + n, 16); memcpy(b, key, sizeof b); \
             if (b[15] != key[15]) return 1; return 0; }",
            "b[15] != key[15] true",
            Infeasible,
        ),
        (
            "int f(int n) { int a[6] = {1, 2, 3, 4, 5, 6}, b[4]; memcpy(b, a + n, sizeof b); if (n > 2) return 1; if (b[3] == 6) return 2; return 0; }",
            "n > 2 true",
            Infeasible,
        ),
        (
            "int f(int n) { int a[6] = {1, 2, 3, 4, 5, 6}, b[4]; memcpy(b, a + n, sizeof b); if (b[3] == 6) return 2; return 0; }",
            "b[3] == 6 true",
            Covered,
        ),
        // What an array does not have is not read, also where it is padding.
        (
            "int f(int n) { uint8_t b[7] = {0}; struct padded p; if (n) { memcpy(&p, b, 8); if (n > 3) return 1; } return 0; }",
            "n > 3 true",
            Infeasible,
        ),
        ("int f(int n) { uint8_t b[5]; memcpy(b + n, &n, 4); if (n == 2) return 1; return 0; }", "n == 2 true", Infeasible),
        ("int f(int n) { uint8_t b[5]; memcpy(b + n, &n, 4); if (n == 1) return 1; return 0; }", "n == 1 true", Covered),
        // A byte of padding is any.
        ("int f(struct padded p) { uint8_t b[8]; memcpy(b, &p, 8); if (b[1] == 3) return 1; return 0; }", "!(b[1] == 3) false", Covered),
    ] {
        let found = verdicts(text);
        assert!(found.iter().any(|(other, verdict)| other == side && *verdict == wanted), "{text}: {side}: {found:?}");
    }
}

/// Where the bytes are not exactly followed, no verdict rests on them.
#[test]
fn other_bytes_stay_open() {
    for text in [
        "struct two { float f; int i; }; int f(float x) { unsigned u; memcpy(&u, &x, 4); if (u == 3) return 1; return 0; }",
        "int f(const uint8_t *b) { union both u; memcpy(&u, b, 8); if (u.raw[1] == 3) return 1; return 0; }",
        "struct p { int n; int *p; }; int f(struct p *p, uint8_t *b) { memcpy(b, p, sizeof *p); if (b[1] == 3) return 1; return 0; }",
        "int f(uint8_t *b) { _Bool x; memcpy(&x, b, 1); if (x) return 1; return 0; }",
        "int f(struct header *h, uint8_t *b, int n) { memcpy(h, b, n); if (h->flags == 3) return 1; return 0; }",
        "int f(struct header *h, uint8_t *b) { memcpy(h, b, 7); if (h->flags == 3) return 1; return 0; }",
        "struct c { const int n; int m; }; int f(struct c *c, uint8_t *b) { memcpy(c, b, 8); if (c->m == 3) return 1; return 0; }",
        "int f(volatile uint8_t *b) { uint32_t x; memcpy(&x, (void *)b, 4); if (x == 3) return 1; return 0; }",
        // The padding of statics and of what is set or copied as a whole has values.
        "static struct padded p; int f(void) { uint8_t b[8]; memcpy(b, &p, 8); if (b[1] == 3) return 1; return 0; }",
        "int f(void) { struct padded p; uint8_t b[8]; memset(&p, 0, sizeof p); memcpy(b, &p, 8); if (b[1] == 3) return 1; return 0; }",
        "int f(int x) { if (word(&x) == 3) return 1; return 0; }",
        "#pragma culdesac ints unbounded\nint f(int x) { uint8_t b[4]; memcpy(b, &x, 4); if (b[1] == 3) return 1; return 0; }",
    ] {
        let found = verdicts(text);
        assert!(found.iter().all(|(_, verdict)| *verdict == BranchesVerdict::Open), "{text}: {found:?}");
    }
}
