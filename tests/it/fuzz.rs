//! The fuzz targets of `fuzz/src` on seeds changed at random: a number of times that is fixed, or as `./dev fuzz` asks.
//!
//! A text depends on the number of its round alone, so what failed fails again; it is also kept in a file, since an overflow of the
//! stack ends the process. The stack is small, to notice deep recursion before the page does.

#[path = "../../fuzz/src/lib.rs"]
pub mod targets;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, panic, thread};
use targets::{Food, TARGETS, Target};

/// Rounds of each target where no time is asked for.
const ROUNDS: u64 = 2_000;
/// Bytes of the stack; unoptimised frames are several times as large as those of the page, which has 16 MiB.
const STACK: usize = 8 << 20;
/// Texts that grow longer are cut.
const LONGEST: usize = 20_000;
/// A round that takes longer is shown.
const SLOW: Duration = Duration::from_secs(5);

/// Small constructs, most of them hard to reach by chance.
const SNIPPETS: [&str; 24] = [
    "int f(int x) { return x; }",
    "int a[3]; int f(int x, int y) { a[x] = y; return a[y] / x; }",
    "int f(int x) { switch (x) { case 1: x = 2; case 3 ... 5: break; default: x++; } return x; }",
    "struct s { int a; struct { char b[2]; } c; }; int f(struct s *p, struct s q) { p->c.b[1] = q.a; *p = q; return p->a; }",
    "int f(int n) { return n < 2 ? 1 : n * f(n - 1); }",
    "int g(int n); int f(int n) { return n ? g(n - 1) : 0; } int g(int n) { return n ? f(n - 1) : 1; }",
    "unsigned f(unsigned char c, long l) { return (c << 3 | l >> 2) ^ ~c & 7u; }",
    "int f(int x) { int *p = &x; int **q = &p; **q += 2; return *p; }",
    "int f(int n, int v[n][3]) { int s = 0; for (int i = 0; i < n; i++) s += v[i][2]; return s; }",
    "enum e { A, B = A + 2, C }; typedef enum e t; t f(t x) { static int n = C; return x == B ? n++ : A; }",
    "#define M(x, ...) x + #x[0] + f(__VA_ARGS__)\nint f(int x) { return x ? M(1, x - 1) : 0; }",
    "#if (1 << 3) > 7 && !defined X\nint f(void) { return 1; }\n#else\nbad\n#endif",
    "#include <stdlib.h>\nint f(int n) { int *p = malloc(n * sizeof(int)); if (!p) exit(1); p[n - 1] = 3; free(p); return 0; }",
    "#include <stdio.h>\nint main(void) { int x; scanf(\"%d\", &x); printf(\"%5d|%-x|%%|%c\\n\", x, x, 65); return 0; }",
    "union u { int i; unsigned char c[4]; }; int f(union u v) { v.c[1] = 2; return v.i; }",
    "int f(int x) { L: if (x-- > 0) goto L; { int x = 3; goto M; M: return x, x++; } }",
    "int f(int x, int y) { return x && (y = nondet()) || !(x += y, y) ? x : ~y; }",
    "int f(int *a, int n) { int *e = a + n; int s = 0; while (a != e) s += *a++; return s; }",
    "int t[2][3] = { { 1 }, [1] = { [2] = 5 } }; int f(int i) { return t[i][i + 1] + sizeof t / sizeof *t; }",
    "char *f(char *s) { while (*s && *s != 'q') s++; return s; }",
    "int (*op)(int); int g(int x) { return -x; } int f(int x) { op = g; return op(x); }",
    "_Bool f(long long x) { int b : 3; return (_Bool)x == !!x; }",
    "int f(int x) { do { if (x == 3) continue; if (x > 5) break; } while (x++ < 9); return x; }",
    "void f(int x) { assert(x > 0); assume(x != 2); x = 1 / (x - 2) % x; x = x << x; }",
];

/// Choices that depend on a seed alone.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a sequence repeat soon.
        (self.0 >> 33) as usize % count.max(1)
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder with this ending, in order.
fn texts(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join(folder)).expect("a folder of the project").flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file of the project")).collect()
}

/// What is changed: whole texts.
fn seeds(food: Food) -> Vec<Vec<u8>> {
    let folders = |ending| ["examples", "fuzz/seeds"].iter().flat_map(|folder| texts(folder, ending)).collect();
    match food {
        Food::C => {
            let mut all: Vec<Vec<u8>> = folders("c");
            // Short ones more often: there a change does more.
            for _ in 0..2 {
                all.extend(SNIPPETS.iter().map(|text| text.as_bytes().to_vec()));
            }
            all
        }
        Food::Blocks => folders("blocks"),
        Food::Script => texts("fuzz/seeds", "smt2"),
        Food::Bytes => vec![Vec::new()],
    }
}

/// The tokens of the dictionary, a file in libFuzzer's format.
fn dictionary() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(root().join("fuzz/dictionary.txt")).expect("a file of the project");
    let tokens = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    tokens.map(unescaped).collect()
}

fn unescaped(token: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = token;
    while let Some((before, code)) = rest.split_once("\\x") {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&code[..2], 16).expect("two hexadecimal digits"));
        rest = &code[2..];
    }
    bytes.extend(rest.bytes());
    bytes
}

/// Where a token of a text starts: at the edge of words.
fn edge(chance: &mut Chance, text: &[u8]) -> usize {
    let mut at = chance.below(text.len() + 1);
    let is_word = |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    while at > 0 && is_word(at) && is_word(at - 1) {
        at -= 1;
    }
    at
}

/// A span between edges, rarely a long one.
fn span(chance: &mut Chance, text: &[u8]) -> (usize, usize) {
    let (a, reach) = (edge(chance, text), 1 << chance.below(9));
    let b = (a + chance.below(reach)).min(text.len());
    (a, b)
}

fn changed(chance: &mut Chance, seeds: &[Vec<u8>], tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut text = chance.one(seeds).clone();
    for _ in 0..1 << chance.below(5) {
        let (a, b) = span(chance, &text);
        match chance.below(12) {
            0..=2 => drop(text.splice(a..b, chance.one(tokens).iter().copied())),
            3..=4 => drop(text.splice(a..a, chance.one(tokens).iter().copied())),
            5 => drop(text.drain(a..b)),
            // Another part of the same text, or of another one.
            6..=7 => {
                let other = if chance.below(3) == 0 { chance.one(seeds).clone() } else { text.clone() };
                let (from, to) = span(chance, &other);
                text.splice(a..b, other[from..to].iter().copied());
            }
            8 => {
                let part = text[a..b].repeat(1 << chance.below(7));
                text.splice(a..b, part);
            }
            9 => {
                let number = [0i64, 1, -1, 7, 31, 32, 63, 64, 1 << 31, (1 << 31) - 1, i64::MAX][chance.below(11)];
                text.splice(a..b, number.to_string().into_bytes());
            }
            _ => match text.get_mut(a) {
                Some(byte) => *byte = chance.below(256) as u8,
                None => text.push(chance.below(256) as u8),
            },
        }
        text.truncate(LONGEST);
    }
    text
}

fn bytes(chance: &mut Chance) -> Vec<u8> {
    (0..chance.below(120)).map(|_| chance.below(256) as u8).collect()
}

/// Runs a target for so many rounds, from one on, or for so long.
fn drive((name, target, food): Target, rounds: std::ops::Range<u64>, time: Option<Duration>) -> u64 {
    let (seeds, tokens) = (seeds(food), dictionary());
    let folder = root().join("target/fuzz");
    fs::create_dir_all(&folder).expect("the folder of what is built can be written");
    let kept = folder.join(name);
    let start = Instant::now();
    for round in rounds.clone() {
        if time.is_some_and(|time| start.elapsed() > time) {
            return round - rounds.start;
        }
        let mut chance = Chance(round.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ name.len() as u64);
        let text = if food == Food::Bytes { bytes(&mut chance) } else { changed(&mut chance, &seeds, &tokens) };
        fs::write(&kept, &text).expect("the folder of what is built can be written");
        let before = Instant::now();
        if let Err(cause) = panic::catch_unwind(|| target(&text)) {
            let text = String::from_utf8_lossy(&text);
            eprintln!("round {round} of {name}, kept in {}:\n{text}", kept.display());
            panic::resume_unwind(cause);
        }
        if time.is_some() && before.elapsed() > SLOW {
            let slow = folder.join(format!("{name}-slow-{round}"));
            fs::write(&slow, &text).expect("the folder of what is built can be written");
            eprintln!("round {round} of {name} took {} ms, kept in {}", before.elapsed().as_millis(), slow.display());
        }
    }
    rounds.end - rounds.start
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not {text}")))
}

/// In the environment: `CULDESAC_FUZZ` may name a target, `CULDESAC_FUZZ_SECONDS` say how long each runs, `CULDESAC_FUZZ_FROM` the
/// first round, `CULDESAC_FUZZ_FILE` a file to try instead.
#[test]
fn nothing_makes_a_target_panic() {
    let chosen = env::var("CULDESAC_FUZZ").ok();
    let targets: Vec<Target> = TARGETS.into_iter().filter(|(name, ..)| chosen.as_deref().is_none_or(|chosen| chosen == *name)).collect();
    assert!(!targets.is_empty(), "there is no target {chosen:?}");
    let time = number("CULDESAC_FUZZ_SECONDS").map(Duration::from_secs);
    let from = number("CULDESAC_FUZZ_FROM").unwrap_or(0);
    let end = if time.is_some() { u64::MAX } else { from + ROUNDS };
    for target in targets {
        let file = env::var("CULDESAC_FUZZ_FILE").ok();
        let run = move || match file {
            Some(file) => {
                (target.1)(&fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}")));
                1
            }
            None => drive(target, from..end, time),
        };
        let rounds = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join();
        println!("{}: {} rounds", target.0, rounds.unwrap_or_else(|cause| panic::resume_unwind(cause)));
    }
}
