//! Random programs with pointers that move and are kept: what a run gives, as gcc and its sanitizers have it.

use super::blocks::{numbers_below, programs_run_as_gcc_runs_them};
use crate::differential::random;

/// A program with pointers along two arrays, and the numbers that say how it goes on.
struct Writer<'n> {
    below: &'n mut dyn FnMut(u64) -> u64,
    /// The type of the elements.
    element: &'static str,
    /// The pointers that can be read and set here, of each array.
    holders: [Vec<&'static str>; 2],
    /// Integers that can be read here.
    integers: Vec<&'static str>,
    /// Functions that can be called here.
    calls: bool,
    /// Whether pointers are compared with null pointers: then a call may give no memory, as none of gcc's does.
    nulls: bool,
    /// Whether the statement may still change something besides what it sets.
    effects: bool,
}

/// The elements of each array; a pointer leads to one of the first half.
const LENGTH: u64 = 16;

impl Writer<'_> {
    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[(self.below)(choices.len() as u64) as usize]
    }

    fn one_in(&mut self, count: u64) -> bool {
        (self.below)(count) == 0
    }

    fn holder(&mut self, array: usize) -> &'static str {
        let choices = self.holders[array].clone();
        self.of(&choices)
    }

    fn name(array: usize) -> &'static str {
        ["x", "y"][array]
    }

    /// A pointer into an array.
    fn pointer(&mut self, array: usize, depth: u32) -> String {
        let holder = self.holder(array);
        if depth == 0 {
            return holder.to_owned();
        }
        let name = Self::name(array);
        match (self.below)(16) {
            0..=3 => holder.to_owned(),
            4 => {
                let by = self.integer(depth - 1);
                format!("({name} + ({by} & 7))")
            }
            5 => {
                let by = self.integer(depth - 1);
                format!("&{name}[{by} & 7]")
            }
            6 => {
                let (condition, a, b) = (self.condition(depth - 1), self.pointer(array, depth - 1), self.pointer(array, depth - 1));
                format!("({condition} ? {a} : {b})")
            }
            7 => {
                let (from, by) = (self.pointer(array, 0), self.integer(0));
                format!("({name} + (({from} - {name} + ({by} & 3)) & 7))")
            }
            8 => {
                let from = self.pointer(array, depth - 1);
                let by = (self.below)(3);
                format!("({from} + {by} - {by})")
            }
            9 => {
                let from = self.pointer(array, depth - 1);
                format!("&*{from}")
            }
            10 => format!("*&{holder}"),
            11 if self.calls => {
                let from = self.pointer(array, depth - 1);
                format!("same({from})")
            }
            12 if self.calls => {
                let (from, by) = (self.pointer(array, depth - 1), self.integer(0));
                format!("later({from}, {name}, {by})")
            }
            13 if self.effects => {
                self.effects = false;
                let from = self.pointer(array, 0);
                format!("({holder} = {from})")
            }
            14 if self.effects => {
                self.effects = false;
                let step = self.of(&["++", "--"]);
                // One from the inside of the array, so that the other statements' invariant holds.
                match step {
                    "++" => format!("({holder} < {name} + 7 ? {holder}++ : {holder})"),
                    _ => format!("({holder} > {name} ? --{holder} : {holder})"),
                }
            }
            15 if self.effects => {
                self.effects = false;
                let (integer, last) = (self.integer(0), self.pointer(array, 0));
                format!("(t = {integer}, {last})")
            }
            _ => holder.to_owned(),
        }
    }

    /// A condition, in which nothing changes.
    fn condition(&mut self, depth: u32) -> String {
        let effects = std::mem::replace(&mut self.effects, false);
        let made = self.pure_condition(depth);
        self.effects = effects;
        made
    }

    fn pure_condition(&mut self, depth: u32) -> String {
        let array = (self.below)(2) as usize;
        match (self.below)(7) {
            0 | 1 => {
                let (a, b) = (self.pointer(array, depth), self.pointer(array, depth));
                let operator = self.of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{a} {operator} {b}")
            }
            2 if self.nulls => {
                let holder = self.holder(array);
                self.of(&["", "!"]).to_owned() + holder
            }
            3 if self.nulls => {
                let holder = self.holder(array);
                let operator = self.of(&["==", "!="]);
                format!("{holder} {operator} NULL")
            }
            4 => {
                let (holder, name) = (self.holder(array), Self::name(array));
                format!("{name} + 8 > {holder} && *{holder} > 2")
            }
            _ => {
                let (a, b) = (self.integer(0), self.integer(depth.min(1)));
                format!("{a} > {b}")
            }
        }
    }

    /// An integer, which is not read where it changes.
    fn integer(&mut self, depth: u32) -> String {
        let choices = self.integers.clone();
        let name = self.of(&choices);
        if depth == 0 {
            return name.to_owned();
        }
        let array = (self.below)(2) as usize;
        let from = self.pointer(array, depth - 1);
        match (self.below)(10) {
            0 => format!("*{from}"),
            1 => format!("({from})[{}]", (self.below)(4)),
            2 => {
                let to = self.pointer(array, depth - 1);
                format!("(int)({to} - {from})")
            }
            3 => format!("*({from} + {})", (self.below)(4)),
            4 => {
                let condition = self.condition(depth - 1);
                format!("({condition} ? 4 : 1)")
            }
            5 if self.calls => format!("sum({from}, {} & 3)", name),
            6 => format!("(int)({from} - {})", Self::name(array)),
            _ => name.to_owned(),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let array = (self.below)(2) as usize;
        let name = Self::name(array);
        let holder = self.holder(array);
        let element = self.element;
        self.effects = false;
        match (self.below)(22) {
            0..=2 => {
                self.effects = true;
                let from = self.pointer(array, 2);
                // What is set may be what the value changes.
                if !self.effects {
                    return format!("{{ {element} *to = {from}; {holder} = to; }}");
                }
                format!("{holder} = {from};")
            }
            3 => {
                self.effects = true;
                let from = self.pointer(array, 2);
                if self.one_in(2) { format!("*{from} = 3;") } else { format!("s += *{from};") }
            }
            4 => {
                let (from, value) = (self.pointer(array, 2), self.integer(2));
                format!("*{from} = ({value}) & 15;")
            }
            5 => {
                let (from, value) = (self.pointer(array, 1), self.integer(1));
                let by = (self.below)(5);
                format!("({from})[{by}] += ({value}) & 3;")
            }
            6 | 7 => {
                let value = self.integer(2);
                format!("s = s * 3 + {value};")
            }
            8 => format!("if ({holder} < {name} + 7) {holder}++;"),
            9 => format!("if ({holder} > {name}) {holder}--;"),
            10 => format!("if ({holder} < {name} + 6) s += *{holder}++;"),
            11 => format!("if ({holder} > {name} + 1) *--{holder} = s & 7;"),
            12 => format!("if ({holder} < {name} + 7) s += *++{holder};"),
            13 => {
                let by = self.integer(0);
                format!("if ({holder} < {name} + 4) {holder} += {by} & 3;")
            }
            14 => {
                let by = self.integer(0);
                format!("if ({holder} - {name} > 3) {holder} -= {by} & 3;")
            }
            15 => format!("if ({holder} > {name}) s += {holder}[-1];"),
            16 if depth > 0 => {
                let (condition, then, otherwise) = (self.condition(2), self.statement(depth - 1), self.statement(depth - 1));
                format!("if ({condition}) {{ {then} }} else {{ {otherwise} }}")
            }
            17 if depth > 0 => {
                let inner = self.statement(depth - 1);
                format!("for (i = 0; i < 3; i++) {{ {inner} }}")
            }
            18 => format!("while ({holder} < {name} + 7 && *{holder} != 3) {holder}++;"),
            19 => {
                let (one, other) = (self.holder(array), self.holder(array));
                format!("{{ {element} *kept = {one}; {one} = {other}; {other} = kept; }}")
            }
            20 if self.calls => {
                let from = self.pointer(array, 1);
                let others = ["ss", "&st"];
                let choice = self.of(&others);
                match (self.below)(5) {
                    0 => format!("set(&{holder}, {name});"),
                    1 => format!("s += next(&{holder}, {name} + 7);"),
                    2 => format!("helper({choice}, x, y, {from}, &{holder}, {name}, c);"),
                    3 => format!("s += taken({choice}, x);"),
                    _ => "st = make(x, y, s);".to_owned(),
                }
            }
            21 if self.calls => self
                .of(&[
                    "ss[1] = st;",
                    "st = ss[a & 1];",
                    "{ struct state saved = st; s += taken(&st, x); st = saved; }",
                    "{ struct state saved = *ss; ss[0] = ss[1]; ss[1] = saved; }",
                    "ss[c & 1].m = st.m = ss[0].m;",
                ])
                .to_owned(),
            _ => {
                let condition = self.condition(2);
                format!("s += {condition} ? 5 : 2;")
            }
        }
    }

    fn statements(&mut self, count: u64) -> String {
        (0..count).map(|_| self.statement(1) + "\n").collect()
    }
}

/// Programs that move pointers along two arrays, and keep them anywhere.
fn random_pointers(number: u64) -> String {
    let mut below = numbers_below(number);
    let element = ["int", "char", "unsigned char", "short", "long"][below(5) as usize];
    let kept = ["", "static "][below(2) as usize];
    let array = |name: &str, way: u64| match way {
        0 => format!("{element} {name}[{LENGTH}] = {{1, 2, 3, 4, 5}};"),
        1 => format!("{element} {name}[{LENGTH}]; for (i = 0; i < {LENGTH}; i++) {name}[i] = i + b;"),
        2 => format!("{element} {name}[{LENGTH}] = {{0}}; {name}[3] = 3;"),
        _ => format!("{element} *{name} = calloc({LENGTH}, sizeof *{name}); {name}[5] = 3;"),
    };
    let ways = [below(3), below(3)];
    let nulls = !ways.contains(&3);
    let arrays = [array("x", ways[0]), array("y", ways[1])].join("\n");
    let freed = ["x", "y"].iter().zip(ways).filter(|(_, way)| *way == 3).map(|(name, _)| format!("free({name});")).collect::<String>();
    let helper = Writer {
        below: &mut below,
        element,
        holders: [vec!["h->m", "p", "h->in.o", "g", "h->t[1]"], vec!["h->n", "h->n"]],
        integers: vec!["a", "s", "2", "h->err"],
        calls: false,
        nulls,
        effects: false,
    }
    .statements(3);
    // Pointers that the function before has no name of.
    let all = [
        vec!["p", "q", "st.m", "ss[0].m", "ss[1].m", "st.in.o", "g", "ts[0]", "ts[c & 1]", "ss->t[1]", "(*pp)", "w->m"],
        vec!["r", "st.n", "ss[1].n", "w->n", "(ss + 1)->n"],
    ];
    let some = all.map(|all| {
        let mut some: Vec<&'static str> = all.iter().filter(|_| below(2) == 0).copied().collect();
        if some.len() < 2 {
            some = all;
        }
        some
    });
    let count = 5 + below(8);
    let body = Writer {
        below: &mut below,
        element,
        holders: some,
        integers: vec!["a", "b", "c", "s", "1", "st.err"],
        calls: true,
        nulls,
        effects: false,
    }
    .statements(count);
    format!(
        "#include <stdlib.h>
struct inner {{ int k; {element} *o; }};
struct state {{ {element} *m; int err; {element} *n; struct inner in; {element} *t[2]; }};
static {element} *g;
{element} *same({element} *p) {{ return p; }}
{element} *later({element} *p, {element} *start, int by) {{ {element} *made = p + (by & 1); return made - start > 7 ? start : made; }}
int sum(const {element} *p, int n) {{ int s = 0; while (n-- > 0) s = (s * 3 + *p++) & 255; return s; }}
void set({element} **to, {element} *p) {{ *to = p + 1; }}
int next({element} **p, {element} *end) {{ if (*p >= end) return -1; return *(*p)++; }}
int taken(struct state *h, {element} *x) {{ int n = 0; while (h->m < x + 7 && n < 3) {{ h->m++; n++; }} h->err = n; return n * 10 + *h->m; }}
{kept}struct state make({element} *x, {element} *y, int a) {{ struct state made = {{x + (a & 3), a & 7, y, {{1, x}}, {{x, x + 1}}}}; return made; }}
static unsigned s;
void helper(struct state *h, {element} *x, {element} *y, {element} *p, {element} **pp, {element} *start, int a) {{ int i, t = 0;
p = x + (a & 3);
{helper}
*pp = start + (s & 7); i = t; t = i; }}
int f(int a, int b, int c) {{
int i, t = 0; a &= 1023; b &= 15; c &= 1023;
{arrays}
{element} *p = x, *q = x + 2, *r = y, *ts[2] = {{x, x + 1}}, **tt = ts, **pp = &p;
struct state st = {{x, 0, y + 1, {{0, x + 1}}, {{x, x}}}}, ss[2] = {{{{NULL}}}}, *w = &ss[c > 2];
s = 0; g = x + 3;
ss[0] = st; ss[1] = make(x, y, c);
{body}
s += t + (int)(p - x) * 2 + (int)(q - x) * 3 + (int)(r - y) * 4 + (int)(st.m - x) + (int)(g - x) + (int)(w->n - y) + **tt;
for (i = 0; i < 8; i++) s = s * 5 + x[i] + y[i] * 2;
g = NULL; {freed}
return s; }}
"
    )
}

/// Programs that read texts as parsers do, and keep where they are.
fn random_readers(number: u64) -> String {
    let mut below = numbers_below(number);
    let mut of = |choices: &[&'static str]| choices[below(choices.len() as u64) as usize];
    let peek = of(&[
        "return r->p < r->end ? *r->p : -1;",
        "if (r->p == r->end) return -1; return r->p[0];",
        "return r->p >= r->end ? -1 : *(r->p + 0);",
    ]);
    let get = of(&[
        "return r->p < r->end ? *r->p++ : -1;",
        "int c; if (r->end - r->p < 1) { r->err++; return -1; } c = *r->p; r->p += 1; return c;",
        "const char *q = r->p; if (q == r->end) return -1; r->p = q + 1; return *q;",
        "if (r->p != r->end) return *r->p++; r->err = 1; return -1;",
    ]);
    let skip = of(&[
        "while (r->p < r->end && *r->p == ' ') r->p++;",
        "while (peek(r) == ' ') get(r);",
        "const char *p = r->p; while (p != r->end && *p == ' ') ++p; r->p = p;",
        "for (; r->p < r->end; r->p++) if (*r->p != ' ') break;",
    ]);
    let number_of = of(&[
        "int n = 0; skip(r); while (isdigit(peek(r))) n = (n * 10 + get(r) - '0') % 1000; return n;",
        "int n = 0; const char *from; skip(r); from = r->p; while (r->p < r->end && *r->p >= '0' && *r->p <= '9') n = (n * 10 + (*r->p++ - '0')) & 1023; if (r->p == from) r->err++; return n;",
    ]);
    let unread = of(&["if (r->p > r->start) r->p--;", "if (r->p != r->start) --r->p;", "if (r->p - r->start > 0) r->p -= 1;"]);
    let word = of(&[
        "while (**s == ' ') ++*s; const char *p = *s; while (**s && **s != ' ') (*s)++; return *s - p;",
        "const char *p = *s; int n = 0; while (*p == ' ') p++; while (p[n] && p[n] != ' ') n++; *s = p + n; return n;",
        "int n = 0; for (; **s == ' '; (*s)++) ; for (; *(*s) && (*s)[0] != ' '; *s += 1) n++; return n;",
    ]);
    let next = of(&[
        "while (*s && *s != c) s++; return *s ? s + 1 : s;",
        "const char *p; for (p = s; *p; p++) if (*p == c) return &p[1]; return p;",
        "const char *p = strchr(s, c); return p == NULL ? s + strlen(s) : p + 1;",
    ]);
    let back = of(&[
        "struct reader saved = *r; int n = number(r); if (n > 9) *r = saved; return n;",
        "const char *p = r->p; int n = number(r); if (n < 20) r->p = p; return n;",
    ]);
    let make = of(&[
        "struct reader r = {s, s, s + strlen(s), 0}; return r;",
        "struct reader r; r.p = r.start = s; r.err = 0; for (r.end = s; *r.end; r.end++) ; return r;",
    ]);
    let first = of(&["char text[32] = \"12 ab 7,x\";", "char text[] = \" 5,6  789 zz,\";", "const char *text = \"ab 34,,c 5\";"]);
    let is_ours = !first.contains("const");
    let mut text = format!(
        "#include <stdlib.h>
#include <string.h>
#include <ctype.h>
struct reader {{ const char *start, *p, *end; int err; }};
struct buffer {{ char *base, *cur, *end; }};
struct stack {{ int *base, *top; }};
static const char *input;
static int peek(struct reader *r) {{ {peek} }}
static int get(struct reader *r) {{ {get} }}
static void skip(struct reader *r) {{ {skip} }}
static int number(struct reader *r) {{ {number_of} }}
static void unread(struct reader *r) {{ {unread} }}
static int word(const char **s) {{ {word} }}
static const char *next(const char *s, char c) {{ {next} }}
static int back(struct reader *r) {{ {back} }}
static struct reader make(const char *s) {{ {make} }}
static void begin(const char *s) {{ input = s; }}
static int item(void) {{ return *input ? *input++ : 0; }}
static void push(struct stack *s, int n) {{ if (s->top < s->base + 8) *s->top++ = n; }}
static int pop(struct stack *s) {{ return s->top > s->base ? *--s->top : -1; }}
static void put(struct buffer *o, char c) {{ if (o->cur < o->end) *o->cur++ = c; }}
int f(int a, int b, int c) {{ int i, n = 0, numbers[8]; unsigned s = 0; a &= 7; b &= 15; c &= 7; {first}
struct reader r = make(text), rs[2] = {{{{text, text, text, 0}}, {{NULL}}}}, *w = &rs[c & 1]; const char *p = text, *words[4] = {{NULL}};
struct stack k = {{numbers, numbers}}; char out[10]; struct buffer o = {{out, out, out + 9}};
rs[1] = r; begin(text);\n"
    );
    for _ in 0..5 + below(8) {
        let reader = ["&r", "w", "rs", "&rs[1]"][below(4) as usize];
        let value = ["a", "b", "c", "2"][below(4) as usize];
        text.push_str(&match below(25) {
            0 => format!("s = s * 3 + get({reader});"),
            1 => format!("s = s * 3 + number({reader});"),
            2 => format!("skip({reader}); s += peek({reader});"),
            3 => format!("unread({reader});"),
            4 => "s = s * 5 + word(&p); s += p - text;".to_owned(),
            5 => format!("p = next(p, {value} > 2 ? ' ' : ','); s += *p;"),
            6 => format!("s += back({reader}) * 2;"),
            7 => "rs[0] = rs[1]; rs[1] = r;".to_owned(),
            8 => "r = make(p);".to_owned(),
            9 => "s = s * 3 + item() + item();".replace(" + item();", "; s += item();"),
            10 => "begin(p);".to_owned(),
            11 => format!("push(&k, {value}); push(&k, s & 7);"),
            12 => "s = s * 3 + pop(&k) + 2;".to_owned(),
            13 => "put(&o, 'a' + a); put(&o, *p);".to_owned(),
            14 => "for (char *q = o.base; q < o.cur; q++) s = s * 3 + *q;".to_owned(),
            15 => "if (o.cur - o.base > 1) { s += o.cur[-1]; o.cur--; }".to_owned(),
            16 => format!("words[{value} & 3] = p; if (words[a & 3]) s += *words[a & 3] + (words[a & 3] - text);"),
            17 => "n = 0; while (*p && n < 3) { words[n++] = p; p = next(p, ' '); } s += n;".to_owned(),
            18 => "if (r.p < r.end && *r.p == *p) p = r.p++;".to_owned(),
            19 => "s += (w->p > r.p ? w->p : r.p) == p;".replace("w->p > r.p", "w->err > r.err"),
            20 => "input = *input ? input + 1 : p;".to_owned(),
            21 => "s += *p ? strlen(p + 1) + (strcmp(p, text) == 0) : 9;".to_owned(),
            22 => "w = w == rs ? rs + 1 : rs; s += w->p == w->start;".to_owned(),
            23 if is_ours => [
                "for (char *t = strtok(text, \" \"); t; t = strtok(NULL, \",\")) s = s * 3 + *t;",
                "{ char *t, *save = NULL; for (t = strtok_r(text, \" ,\", &save); t; t = strtok_r(NULL, \" ,\", &save)) s += t - text; }",
                "{ char *all = text, *t; while ((t = strsep(&all, \",\")) != NULL) s = s * 5 + strlen(t); }",
            ][below(3) as usize]
                .to_owned(),
            _ => "{ struct reader t = r; int z = 0; while (get(&t) >= 0) z++; s += z; }".to_owned(),
        });
        text.push('\n');
    }
    text + "s = s * 3 + (p - text) + r.err + (k.top - k.base) * 3 + (o.cur - out); for (i = 0; i < 3; i++) if (words[i]) s += words[i] - text; input = NULL; return s; }\n"
}

#[test]
fn random_readers_run_as_gcc_runs_them() {
    programs_run_as_gcc_runs_them("readers", random::numbers(20), random_readers);
}

#[test]
fn random_cursors_run_as_gcc_runs_them() {
    programs_run_as_gcc_runs_them("cursors", random::numbers(20), random_pointers);
}
