//! The facts about pointers against programs that gcc compiles: each address that a pointer has held is in its points-to set, each object that
//! a call has changed is in what the function may write, each call that was made is in the call graph, and what an adversary has reached has
//! escaped. Small examples have exact sets.

use crate::common::cases::cases;
use crate::common::parse;
use crate::differential::draw::Random;
use culdesac::lang::ast::{DeclId, Program};
use culdesac::logic::SortedSet;
use culdesac::pointer::{AbstractObject, PointerFacts};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

/// Programs in the daily run.
const USUAL: u32 = 20;

const RUNTIME: &str = include_str!("pointer_facts/runtime.c");

/// A program, and the same one with its objects registered and its pointers watched.
#[derive(Default)]
struct Watched {
    plain: String,
    counted: String,
}

impl Watched {
    fn both(&mut self, text: &str) {
        self.plain += text;
        self.counted += text;
    }

    fn counted(&mut self, text: &str) {
        self.counted += text;
    }
}

const FUNCTIONS: usize = 4;
const TYPES: [(&str, &str); 6] = [("i", "int "), ("p", "int *"), ("q", "int **"), ("s", "struct S "), ("t", "struct S *"), ("a", "int *")];

/// Random statements of a function with this number; that of `main` is [`FUNCTIONS`].
struct Generator {
    random: Random,
    text: Watched,
    function: usize,
}

impl Generator {
    fn one<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.random.below(list.len() as u64) as usize]
    }

    /// A variable of this kind: external, static, local or a parameter.
    fn variable(&mut self, kind: &str) -> String {
        let n = self.function;
        let is_parameter = n < FUNCTIONS && ["p", "q", "t"].contains(&kind) && self.random.below(4) == 0;
        match self.random.below(4) {
            _ if is_parameter => format!("x{kind}{n}"),
            0 => format!("g{kind}"),
            1 => format!("s{kind}"),
            _ => format!("l{kind}{n}"),
        }
    }

    fn structure(&mut self) -> String {
        self.variable("s")
    }

    /// A pointer to an integer that can be written to; `guard` says where it can.
    fn pointer_lvalue(&mut self, guard: &mut String) -> String {
        match self.random.below(8) {
            0 => format!("{}.{}", self.structure(), self.one_member()),
            1 => format!("{}[{}]", self.variable("a"), self.random.below(3)),
            2 => {
                let t = self.variable("t");
                let _ = write!(guard, "{t} && ");
                format!("{t}->{}", self.one_member())
            }
            3 => {
                let q = self.variable("q");
                let _ = write!(guard, "{q} && ");
                format!("*{q}")
            }
            4 => {
                let t = self.variable("t");
                let _ = write!(guard, "{t} && ");
                format!("*(int **){t}")
            }
            _ => self.variable("p"),
        }
    }

    fn one_member(&mut self) -> &'static str {
        self.one(&["a", "b"])
    }

    /// A value of this kind.
    fn value(&mut self, kind: &str, guard: &mut String) -> String {
        match (kind, self.random.below(7)) {
            ("p", 0 | 1) => format!("&{}", self.variable("i")),
            ("p", 2) => format!("&{}.v", self.structure()),
            ("p", 3) => format!("({} ? {} : {})", self.variable("i"), self.variable("p"), self.pointer_lvalue(guard)),
            ("p", _) => self.pointer_lvalue(guard),
            ("q", 0 | 1) => format!("&{}", self.variable_with_address("p")),
            ("q", 2) => format!("&{}.{}", self.structure(), self.one_member()),
            ("q", 3) => format!("{} + {}", self.variable("a"), self.random.below(3)),
            ("q", _) => self.variable("q"),
            ("t", 0 | 1) => format!("&{}", self.structure()),
            ("t", 2) => format!("{}.next", self.structure()),
            ("t", 3) => {
                let t = self.variable("t");
                let _ = write!(guard, "{t} && ");
                format!("{t}->next")
            }
            _ => self.variable(kind),
        }
    }

    /// Parameters have no address here.
    fn variable_with_address(&mut self, kind: &str) -> String {
        loop {
            let name = self.variable(kind);
            if !name.starts_with('x') {
                return name;
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        let mut guard = String::new();
        let n = self.function;
        let number = self.random.below(1000);
        let mut call = None;
        let mut memory = None;
        let text = match self.random.below(24) {
            0 | 1 => format!("{} = {number};", self.variable("i")),
            2 | 3 => {
                let p = self.pointer_lvalue(&mut guard);
                let _ = write!(guard, "{p} && ");
                format!("*{p} = {number};")
            }
            4..=7 => {
                let value = self.value("p", &mut guard);
                format!("{} = {value};", self.pointer_lvalue(&mut guard))
            }
            8 => format!("{} = {};", self.variable("q"), self.value("q", &mut guard)),
            9 => format!("{} = {};", self.variable("t"), self.value("t", &mut guard)),
            10 => {
                let t = self.variable("t");
                let _ = write!(guard, "{t} && ");
                format!("{t}->next = {};", self.value("t", &mut guard))
            }
            11 => format!("{} = {};", self.structure(), self.structure()),
            12 => {
                let t = self.variable("t");
                let _ = write!(guard, "{t} && ");
                match self.random.below(3) {
                    0 => format!("*{t} = {};", self.structure()),
                    1 => format!("{} = *{t};", self.structure()),
                    _ => format!("memcpy({t}, &{}, sizeof(struct S));", self.structure()),
                }
            }
            13 => {
                let p = self.variable("p");
                format!("ln{n} = (unsigned long){p};")
            }
            14 => format!("{} = (int *)ln{n};", self.variable("p")),
            15 => format!("lv{n} = {}; {} = lv{n};", self.variable("t"), self.variable("t")),
            16 => {
                memory = Some(self.random.below(2) == 0);
                if memory == Some(true) { format!("{} = ", self.variable("p")) } else { format!("{} = ", self.variable("t")) }
            }
            17 if n > 0 => {
                let callee = self.random.below(n as u64);
                format!("{} = f{callee};", self.one(&["gf", "sf"]))
            }
            18 | 19 => {
                let callee = if n > 0 && self.random.below(2) == 0 {
                    format!("f{}", self.random.below(n as u64))
                } else {
                    let pointer = self.one(&["gf", "sf"]).to_owned();
                    let _ = write!(guard, "{pointer} && ");
                    pointer
                };
                let arguments =
                    format!("({}, {}, {})", self.value("p", &mut guard), self.value("q", &mut guard), self.value("t", &mut guard));
                call = Some((callee, arguments));
                format!("{} = ", self.variable("p"))
            }
            20 => format!("outside_int({});", self.value("p", &mut guard)),
            21 => match self.random.below(4) {
                0 => format!("outside_pointer({});", self.value("q", &mut guard)),
                1 => format!("outside_structure({});", self.value("t", &mut guard)),
                2 => format!("outside_copy({});", self.structure()),
                _ => format!("{} = outside_result();", self.variable("p")),
            },
            22 => "outside();".to_owned(),
            _ if depth > 0 => {
                let condition = self.variable("i");
                self.text.both(&format!("if ({condition} & 1) {{\n"));
                self.statement(depth - 1);
                self.statement(depth - 1);
                self.text.both("}\n");
                return;
            }
            _ => ";".to_owned(),
        };
        let guard = guard.trim_end_matches(" && ");
        let condition = if guard.is_empty() { String::new() } else { format!("if ({guard}) ") };
        self.text.both(&format!("{condition}{{ "));
        match (call, memory) {
            (Some((callee, arguments)), _) => {
                self.text.plain += &format!("{text}{callee}{arguments};");
                self.text.counted(&format!("int *result = watched({callee}, {}; {text}result;", &arguments[1..]));
            }
            (_, Some(is_int)) => {
                let size = if is_int { "int" } else { "struct S" };
                let (target, at) = (text.trim_end_matches(" = "), self.text.plain.len() + text.len());
                self.text.plain += &format!("{text}malloc(sizeof({size}));");
                self.text.counted(&format!("{target} = object(\"A{at}\", calloc(1, sizeof({size})), sizeof({size}));"));
            }
            _ => self.text.both(&text),
        }
        self.text.both(" }\n");
        self.text.counted(&format!("D{n} DG\n"));
    }
}

/// What is printed of each pointer of this prefix.
fn watched_pointers(prefix: &str, suffix: &str) -> String {
    let cell = |kind: &str, part: &str, value: &str| {
        let name = format!("{prefix}{kind}{suffix}");
        format!(" points(\"{name}{part}\", {});", value.replace('@', &name))
    };
    let simple = ["p", "q", "t"].map(|kind| cell(kind, "", "@")).concat();
    let members = ["a", "b", "next"].map(|member| cell("s", &format!(".{member}"), &format!("@.{member}"))).concat();
    simple + &members + &["0", "1", "2"].map(|at| cell("a", "", &format!("@[{at}]"))).concat()
}

fn program(number: u64) -> Watched {
    let mut made = Generator { random: Random::new("pointers", number), text: Watched::default(), function: 0 };
    let text = &mut made.text;
    text.plain += "#include <stdlib.h>\n#include <string.h>\nstruct S { int *a; int *b; struct S *next; int v; };\n\
        void outside(void); void outside_int(int *p); void outside_pointer(int **p); void outside_structure(struct S *p);\n\
        void outside_copy(struct S s); int *outside_result(void);\n";
    for (prefix, storage) in [("g", ""), ("s", "static ")] {
        for (kind, ty) in TYPES {
            let length = if kind == "a" { "[3]" } else { "" };
            let first = match (kind, made.random.below(2)) {
                ("p", 0) => format!(" = &{prefix}i"),
                ("t", 0) => format!(" = &{prefix}s"),
                _ => String::new(),
            };
            made.text.both(&format!("{storage}{ty}{prefix}{kind}{length}{first};\n"));
        }
        made.text.both(&format!("{storage}int *(*{prefix}f)(int *, int **, struct S *);\n"));
    }
    made.text.counted(&format!("#define DG{}{}", watched_pointers("g", ""), watched_pointers("s", "")));
    made.text.counted(" points(\"gf\", gf); points(\"sf\", sf);\nstatic Function *external_function(void) { return &gf; }\n");
    let mut statics = Vec::new();
    for n in 0..=FUNCTIONS {
        made.function = n;
        let is_main = n == FUNCTIONS;
        let text = &mut made.text;
        let members: String = TYPES.iter().map(|(kind, ty)| format!("{ty}l{kind}{n}{}; ", if *kind == "a" { "[3]" } else { "" })).collect();
        text.counted(&format!("struct L{n} {{ {members} unsigned long ln{n}; void *lv{n}; }};\n"));
        text.counted(&format!("#define D{n}{}", watched_pointers("l", &n.to_string())));
        if !is_main {
            text.counted(&["p", "q", "t"].map(|kind| format!(" points(\"x{kind}{n}\", x{kind}{n});")).concat());
        }
        text.counted("\n");
        statics.push(!is_main && made.random.below(2) == 0);
        let text = &mut made.text;
        if is_main {
            text.both("int main(void) {\n");
        } else {
            text.both(&format!("{}int *f{n}(int *xp{n}, int **xq{n}, struct S *xt{n}) {{\n", if statics[n] { "static " } else { "" }));
            text.counted("if (depth >= 5 || calls++ > 150) return 0;\n");
            text.counted(&format!("const char *caller = current; printf(\"C %s f{n}\\n\", caller); current = \"f{n}\"; depth++;\n"));
        }
        // Each call has objects of its own, for ever.
        text.counted(&format!("struct L{n} *locals = calloc(1, sizeof *locals);\n"));
        for (kind, ty) in TYPES {
            let name = format!("l{kind}{n}");
            text.counted(&format!("#define {name} (locals->{name})\nobject(\"{name}\", &{name}, sizeof {name});\n"));
            text.plain += &match kind {
                "a" => format!("{ty}{name}[3] = {{0}};\n"),
                "s" => format!("{ty}{name} = {{0}};\n"),
                _ => format!("{ty}{name} = 0;\n"),
            };
        }
        text.counted(&format!("#define ln{n} (locals->ln{n})\n#define lv{n} (locals->lv{n})\n"));
        text.plain += &format!("unsigned long ln{n} = 0; void *lv{n} = 0;\n");
        if is_main {
            text.counted("setup();\ncurrent = \"main\";\n");
        } else {
            text.counted(&format!("D{n}\n"));
        }
        for _ in 0..if is_main { 16 } else { 9 } {
            made.statement(2);
        }
        let mut guard = String::new();
        let value = made.value("p", &mut guard);
        let guard = guard.trim_end_matches(" && ").to_owned();
        let value = if guard.is_empty() { value } else { format!("({guard} ? {value} : 0)") };
        let text = &mut made.text;
        if is_main {
            text.both("return 0;\n}\n");
        } else {
            text.counted("current = caller; depth--;\n");
            text.both(&format!("return {value};\n}}\n"));
        }
        if n + 1 == FUNCTIONS {
            text.counted("static void setup(void) {\n");
            for prefix in ["g", "s"] {
                for (kind, _) in TYPES.iter().chain([&("f", "")]) {
                    text.counted(&format!("object(\"{prefix}{kind}\", &{prefix}{kind}, sizeof {prefix}{kind});\n"));
                }
            }
            text.counted("object(\"Outside\", &own_int, sizeof own_int); object(\"Outside\", &own_structure, sizeof own_structure);\n");
            for (n, is_static) in statics.iter().enumerate() {
                text.counted(&format!("object(\"Ff{n}\", f{n}, 1);\n"));
                text.counted(&if *is_static { String::new() } else { format!("learn_function(f{n});\n") });
            }
            text.counted("learn_int(&gi); learn_pointer(&gp); learn_structure(&gs); learn_pointer(ga); learn_pointer(ga + 2);\n}\n");
        }
    }
    made.text
}

/// What a run printed, each line once.
fn observed(number: u64, program: &Watched) -> BTreeSet<String> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pointer-facts");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join(format!("{number}.c")), folder.join(number.to_string()));
    let text = format!("#define SEED {number}\n{RUNTIME}{}", program.counted);
    std::fs::write(&source, text).expect("a file");
    let gcc = Command::new("gcc").args(["-O0", "-w", "-o"]).args([&binary, &source]).output().expect("gcc");
    assert!(gcc.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&gcc.stderr));
    let output = Command::new(&binary).output().expect("a run");
    assert!(output.status.success(), "{}: {:?}", source.display(), output.status);
    let _ = std::fs::remove_file(binary);
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn decl(program: &Program, name: &str) -> DeclId {
    let at = program.decls.iter().position(|decl| decl.name == name).unwrap_or_else(|| panic!("no variable {name}"));
    DeclId(at as u32)
}

/// The object of this name: of a function, an allocation, a variable.
fn object(program: &Program, name: &str) -> AbstractObject {
    let name = name.trim_start_matches('~');
    match name.as_bytes() {
        b"Outside" | b"outside" => AbstractObject::Outside,
        [b'A', ..] => AbstractObject::Allocated(name[1..].parse().expect("a position")),
        [b'F', ..] => AbstractObject::Function(program.function(&name[1..]).expect("a function").0),
        [b'f', ..] => AbstractObject::Function(program.function(name).expect("a function").0),
        _ => AbstractObject::Variable(decl(program, name)),
    }
}

#[test]
fn no_run_leaves_the_facts() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let (mut kinds, mut sizes, mut sets) = ([0; 5], 0, 0);
    for number in 0..u64::from(cases(USUAL)) {
        let watched = program(number);
        let program = parse(&watched.plain);
        let (main, _) = program.function("main").expect("main");
        let facts = PointerFacts::of(&program, Some(main));
        assert!(!facts.is_anything());
        let number_of = |name: &str| program.function(name).expect("a function").0;
        for line in observed(number, &watched) {
            let words: Vec<&str> = line.split(' ').collect();
            let at = "PMCEO".find(words[0]).expect("a kind of line");
            kinds[at] += 1;
            let found = match words[..] {
                ["P", cell, to] => {
                    let (name, path) = match cell.split_once('.') {
                        Some((name, member)) => {
                            (name, vec![["a", "b", "next"].iter().position(|other| *other == member).expect("a member")])
                        }
                        None => (cell, vec![]),
                    };
                    facts.points_to(decl(&program, name), &path).contains(&object(&program, to))
                }
                ["M", "outside" | "within", name] => {
                    kinds[4] += 1;
                    let to = object(&program, name);
                    match to {
                        AbstractObject::Variable(decl) => name.starts_with('~') || facts.outside_may_write(decl),
                        _ => facts.written_outside().contains(&to),
                    }
                }
                ["M", function, name] => facts.writes(number_of(function)).contains(&object(&program, name)),
                ["C", "outside", name] => facts.escaped().contains(&object(&program, name)),
                // A pointer that others have set is to a function of theirs, or to one that they know of.
                ["C", caller, name] => {
                    let (callees, callee) = (facts.callees(number_of(caller)), object(&program, name));
                    callees.contains(&callee) || callees.contains(&AbstractObject::Outside) && facts.escaped().contains(&callee)
                }
                ["E", name] => facts.escaped().contains(&object(&program, name)),
                _ => panic!("{line}"),
            };
            assert!(found, "program {number}: {line}\n{}", watched.plain);
        }
        for decl in 0..program.decls.len() as u32 {
            let set = facts.points_to(DeclId(decl), &[]);
            (sizes, sets) = (sizes + set.len(), sets + usize::from(!set.is_empty()));
        }
    }
    println!("{kinds:?} lines, {} objects in a set", sizes / sets);
    assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
}

/// The names of a set.
fn named(program: &Program, set: &SortedSet<AbstractObject>) -> String {
    let name = |object: &AbstractObject| match object {
        AbstractObject::Outside => "outside".to_owned(),
        AbstractObject::Variable(decl) => program.decl(*decl).name.clone(),
        AbstractObject::Text(_) => "text".to_owned(),
        AbstractObject::Allocated(_) => "memory".to_owned(),
        AbstractObject::Function(function) | AbstractObject::Result(function) => program.functions[*function].name.text.clone(),
    };
    set.iter().map(name).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
}

/// Programs with exact sets: of what pointers point to, and of what functions write, call, and let escape.
#[test]
fn facts_are_precise() {
    type Expected<'e> = &'e [(&'e str, &'e str)];
    let programs: &[(&str, Expected)] = &[
        ("int main(void) { int a, b; int *p = &a, *q = &b; *p = 1; return 0; }", &[("p", "a"), ("q", "b"), ("writes main", "a p q")]),
        ("int main(void) { int a, b; int *p = &a, *q = &b; p = q; return 0; }", &[("p", "a b"), ("q", "b")]),
        (
            "struct S { int *a, *b; }; int main(void) { int x, y; struct S s, t; s.a = &x; s.b = &y; t = s; int *p = t.a; return 0; }",
            &[("s.0", "x"), ("s.1", "y"), ("t.0", "x"), ("t.1", "y"), ("p", "x")],
        ),
        (
            "struct S { int *a; struct S *next; }; int main(void) { int x; struct S s, t; s.next = &t; s.next->a = &x; int *p = t.a; return 0; }",
            &[("s.0", ""), ("t.0", "x"), ("p", "x"), ("s.1", "t"), ("writes main", "p s t")],
        ),
        (
            "int one(int x) { return 1; } int two(int x) { return 2; } int three(int x) { return 3; }\n\
             int main(void) { int (*f)(int) = one; int (*g)(int) = three; if (g(0)) f = two; return f(1); }",
            &[("f", "one two"), ("g", "three"), ("calls main", "one three two")],
        ),
        (
            "static int one(int x) { return 1; } static int two(int x) { return 2; } static int three(int x) { return 3; }\n\
             static int apply(int (*f)(int)) { return f(1); } int main(void) { int (*g)(int) = three; return apply(one) + apply(two); }",
            &[("f", "one two"), ("calls apply", "one two"), ("calls main", "apply"), ("escaped", "main outside")],
        ),
        (
            "static int a, b; static void set(int *p) { *p = 1; } static void both(void) { set(&a); b = 2; } int main(void) { both(); return a; }",
            &[("p", "a"), ("writes set", "a"), ("writes both", "a b"), ("reads main", "a p")],
        ),
        (
            "static void put(int **out, int *v) { *out = v; } int main(void) { int x, y; int *p, *q = &y; put(&p, &x); return *p; }",
            &[("p", "x"), ("q", "y"), ("writes put", "p")],
        ),
        (
            "void h(int *); int g; static int s; int main(void) { int x, y; int *p = &y; h(&x); return *p; }",
            &[("p", "y"), ("escaped", "g outside x"), ("writes main", "g outside p x")],
        ),
        (
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); int *q = malloc(8); int *r = p; return 0; }",
            &[("p", "memory"), ("r", "memory")],
        ),
        ("int x; int *f(int *p) { static int *kept; int *before = kept; kept = p; return before; }", &[("kept", "f outside x")]),
        (
            "int *f(unsigned long n) { static int a; int b; int *p = &a; int *q = &b; int *r = (int *)n; return r; }",
            &[("p", "a"), ("q", "b"), ("r", "f outside")],
        ),
        (
            "int *f(int m) { int b; int *q = &b; unsigned long n = (unsigned long)q; int *r = (int *)n; return r; }",
            &[("q", "b"), ("r", "b f outside")],
        ),
    ];
    for (source, expected) in programs {
        let program = parse(source);
        let entry = program.function("main").or_else(|| program.function("f")).map(|(at, _)| at);
        let facts = PointerFacts::of(&program, entry);
        for (what, set) in *expected {
            let function = |name: &str| program.function(name).expect("a function").0;
            let found = match what.split_once(' ') {
                Some(("writes", name)) => facts.writes(function(name)),
                Some(("reads", name)) => facts.reads(function(name)),
                Some(("calls", name)) => facts.callees(function(name)),
                _ if *what == "escaped" => facts.escaped(),
                _ => {
                    let (name, member) = what.split_once('.').map_or((*what, None), |(name, member)| (name, Some(member)));
                    let path: Vec<usize> = member.iter().map(|member| member.parse().expect("a number")).collect();
                    facts.points_to(decl(&program, name), &path)
                }
            };
            let found: Vec<String> = named(&program, &found).split(' ').filter(|name| *name != "main").map(str::to_owned).collect();
            let set: Vec<&str> = set.split(' ').filter(|name| *name != "main").collect();
            assert_eq!(found, set, "{what} in {source}");
        }
    }
}
