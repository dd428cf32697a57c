//! What real programs are made of, with random parts: buffers of characters, records in a table, functions along arrays, macros, pointers
//! that choose, tables of functions, members of some bits, compound literals, variable arguments, unions of one size and as bytes, strings in
//! braces, jumps into blocks.

use super::{Kind, Object, Writer};

/// What the idioms call.
pub(super) const PRELUDE: &str = "#include <stdarg.h>
#include <string.h>
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define SWAP(type, a, b) do { type swapped = a; a = b; b = swapped; } while (0)
typedef unsigned char byte;
typedef struct { int key; short left, right; byte mark[3]; } Record;
struct flags { unsigned ready : 1; int level : 4; unsigned count : 7; };
static int total(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] % 100; return s; }
static void fill(int *to, int n, int v) { while (n-- > 0) *to++ = v; }
static int find(const int a[], int n, int v) { int i; for (i = 0; i < n && a[i] != v; i++) ; return i < n ? i : -1; }
static Record made(int key, short left) { Record r = {key, left}; r.right = left / 2; r.mark[1] = key; return r; }
static Record *lookup(Record *t, int n, int key) { for (; n > 0; n--, t++) if (t->key == key) return t; return NULL; }
static int add(int a, int b) { return a % 1000 + b % 1000; }
static int less(int a, int b) { return a < b ? b - a % 10 : -1; }
typedef struct { int tag; union { int whole; unsigned bits; struct { short a, b; } parts; }; } Tagged;
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n-- > 0) s += va_arg(ap, int) % 100; va_end(ap); return s; }
static long weighed(const char *kinds, ...) { va_list ap; va_start(ap, kinds); long s = 0; for (; *kinds; kinds++) s = s * 2 + (*kinds == 'l' ? va_arg(ap, long) : va_arg(ap, int)); va_end(ap); return s; }
static Tagged tagged(int x) { Tagged t = {.tag = x > 2}; if (t.tag) t.whole = x; else t.parts.b = t.parts.a = x; return t; }
static int (*const actions[])(int, int) = {add, less, NULL};
";

impl Writer {
    /// A block of its own; it sets one of the program's scalars at most.
    pub(super) fn idiom(&mut self) {
        let Some(Object { name: target, .. }) = self.some(|object| !object.constant && matches!(object.kind, Kind::Scalar)) else {
            return;
        };
        let [first, second, third] = std::array::from_fn(|_| self.expression(1));
        let (a, b) = (self.name('a'), self.name('b'));
        let small = |text: &str| format!("(int)(({text}) % 20)");
        let (one, two, three) = (small(&first), small(&second), small(&third));
        let lines = match self.below(19) {
            0 => vec![
                format!("char {a}[12] = \"ab\"; {a}[(unsigned)({first}) % 3] = 'a' + (unsigned)({second}) % 3;"),
                format!("if (strlen({a}) > 1 && strcmp({a}, \"ac\") < 0) strcat({a}, \"xy\"); else strcpy({a} + 1, \"q\");"),
                format!("printf(\"%s,%d\", {a}, (int)strlen({a})); {target} = strcmp({a}, \"abc\") == 0;"),
            ],
            1 => vec![
                format!("char {a}[8] = \"a.b\"; char *{b} = strchr({a}, '.');"),
                format!("{a}[2] = {one} > 3 ? '.' : 'c'; if ({b} != NULL && {b} - {a} < 2) *{b} = 0;"),
                format!("{target} = {b} ? {b}[1] : strlen({a}); puts({a});"),
            ],
            2 => vec![
                format!("int {a}[5]; fill({a}, 5, {one}); {a}[(unsigned)({second}) % 5] = {three};"),
                format!("{target} = total({a}, 5) + find({a}, 5, {two});"),
            ],
            3 => vec![
                format!("Record {a}[3] = {{{{{one}, 2}}, made({two}, 7)}}; Record *{b} = lookup({a}, 3, {three});"),
                format!("if ({b}) {{ {b}->left += 2; {b}->mark[(unsigned)({first}) % 3]++; }} else {a}[2] = {a}[1];"),
                format!("{target} = {a}[1].left + {a}[2].mark[1] + ({b} && {b} > {a});"),
            ],
            4 => vec![
                format!("int {a} = {one}, {b} = CLAMP({two}, -3, 8); if ({a} > {b}) SWAP(int, {a}, {b});"),
                format!("{target} = CLAMP({a} * {b}, {a}, {three}); printf(\"%d<=%d\", {a}, {b});"),
            ],
            5 => vec![
                format!("int {a} = {one}, {b} = 0; again{b}: {b} += {a}--; if ({a} > 0 && {b} < 40) goto again{b};"),
                format!("{target} = {b} != {two};"),
            ],
            6 => vec![
                format!("byte {a}[6] = {{1, 2, 3}}, {b}[6]; byte *from{a} = {a}, *to{a} = {b}; memset({b}, {one} & 1, sizeof {b});"),
                format!("while ((*to{a}++ = *from{a}++) != 0 && to{a} < {b} + 6) ;"),
                format!("{target} = to{a} - {b} + memcmp({a}, {b}, 3) + {b}[(unsigned)({second}) % 6];"),
            ],
            7 => vec![
                format!("int {a}[4] = {{{one}, {two}, {three}, 1}}, i{a}, j{a};"),
                format!(
                    "for (i{a} = 1; i{a} < 4; i{a}++) for (j{a} = i{a}; j{a} > 0 && {a}[j{a} - 1] > {a}[j{a}]; j{a}--) SWAP(int, {a}[j{a}], {a}[j{a} - 1]);"
                ),
                format!("{target} = {a}[0] * 2 + {a}[3] - {a}[(unsigned)({first}) % 4];"),
            ],
            8 => vec![
                format!("int {a} = {one}, {b} = {two}, *chosen{a} = {third} ? &{a} : &{b}, *other{a} = chosen{a} == &{a} ? &{b} : &{a};"),
                format!("*chosen{a} += 3; SWAP(int, *chosen{a}, *other{a}); {target} = {a} - {b} + (chosen{a} == other{a});"),
            ],
            9 => vec![
                format!("int {a}[3] = {{1, {one}}}, {b}[3] = {{{two}}}, *from{a} = {a}, *to{a} = {b};"),
                format!(
                    "for (int i = 0; i < 3; i++) {{ to{a}[i] = from{a}[2 - i] + 1; if ({third}) {{ int *t = from{a}; from{a} = to{a}; to{a} = t; }} }}"
                ),
                format!("{target} = from{a}[0] + to{a}[1] % 7;"),
            ],
            10 => vec![
                format!("int (*{a})(int, int) = {first} ? add : less; if ({second}) {a} = actions[(unsigned)({third}) % 2];"),
                format!("{target} = {a}({one}, {two}) + ({a} == less);"),
            ],
            11 => vec![
                format!("for (int {a} = 0; actions[{a}] != NULL; {a}++) printf(\"%d \", actions[{a}]({one}, {a}));"),
                format!("{target} = actions[(unsigned)({second}) & 1](1, {three});"),
            ],
            12 => vec![
                format!("struct flags {a} = {{1, -3}}; {a}.level += {one}; {a}.count = {two}; {a}.count--; {a}.ready ^= {third};"),
                format!("if ({a}.ready && {a}.count > 120u) {a}.level = -{a}.level; {target} = {a}.level * 100 + {a}.count - {a}.ready;"),
            ],
            13 => vec![
                format!(
                    "Record {a} = (Record){{{one}, .right = {two}}}, *{b} = &(Record){{{a}.key, {a}.right, {three}}}; *{b} = (Record){{.left = {b}->left + 1, {b}->key}};"
                ),
                format!("{a}.left += {b}->left; {target} = total((int[4]){{{one}, [2] = {a}.left}}, 4);"),
                format!("{target} += made({two}, (short){{{three}}}).right + (int[]){{1, {a}.right, 3}}[(unsigned)({first}) % 3];"),
            ],
            14 => vec![
                format!("int {a} = {one}, {b} = sum(2, {a}, 7); {b} = sum({a} & 1, {b});"),
                format!(
                    "if ({third}) {target} = weighed(\"il\", {a}, (long){b}); else {target} = weighed(\"ii\", {a}, {b}); {b} = sum(0);"
                ),
            ],
            15 => vec![
                format!("Tagged {a} = tagged({one}), {b}; {b} = {a}; if ({b}.tag) {b}.bits += 3u; else {b}.parts.a -= {two};"),
                format!(
                    "{target} = {b}.tag ? {b}.whole + (int)({a}.bits % 7u) : {b}.parts.a + {a}.parts.b; {a}.parts.b = {three}; {target} += {a}.parts.b;"
                ),
            ],
            16 => vec![
                format!(
                    "int {a} = {one}, {b} = 3; if ({second}) goto in{b}; while ({a} > 0 && {b} < 9) {{ {a} -= 2; in{b}: {b}++; if ({a} == {two}) goto out{b}; }}"
                ),
                format!("{a} += 5; out{b}: {target} = {a} * 10 + {b};"),
            ],
            17 => vec![
                format!(
                    "union {{ unsigned all; byte part[4]; short half[2]; }} {a} = {{{one} * 0x1010101u}}; {a}.part[(unsigned)({second}) % 4] = {two}; if ({third}) {a}.half[1] = -{three};"
                ),
                format!("char {b}[2][6] = {{{{\"ab\"}}, {{\"c\"}}}}; {b}[1][1] = {a}.part[1];"),
                format!("{target} = (int)({a}.all % 1000u) + {a}.part[(unsigned)({first}) % 4] + {b}[{one} & 1][1];"),
            ],
            _ => vec![
                format!("enum shade {a} = {one} > 2 ? DARK : PALE; const char *{b} = {a} == PALE ? \"pale\" : {second} ? \"dark\" : \"\";"),
                format!("printf(\"%s;\", {b}); {target} = {b}[0] + ({a} == DARK);"),
            ],
        };
        self.line("{");
        lines.iter().for_each(|line| self.line(&format!("  {line}")));
        self.line("}");
    }
}
