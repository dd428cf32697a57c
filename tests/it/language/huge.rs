//! Texts of up to a megabyte of one thing each: an answer or a refusal, on an eighth of the stack that the page has.

use crate::suites::request;
use culdesac::lang::parse;
use culdesac::load::load;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::source::Severity;
use std::thread;

/// Bytes of the stack.
const STACK: usize = 2 << 20;

/// Reads and lowers the text; the code of the first error, or nothing.
fn first_error(source: &str) -> &'static str {
    let parsed = parse(source);
    let Some(program) = parsed.program else {
        return parsed.diagnostics.iter().find(|d| d.severity == Severity::Error).map_or("", |d| d.code);
    };
    let options = Options { ints: IntegerModel::C32, ..Options::default() };
    lower_with(&program, None, &options).err().map_or("", |errors| errors[0].code)
}

/// The codes of all messages.
fn codes(source: &str) -> Vec<&'static str> {
    parse(source).diagnostics.iter().map(|d| d.code).collect()
}

/// So long are the texts of the nightly run; an eighth of it shows each day what recurses or takes quadratic time.
const MEGABYTE: usize = 1 << 20;

fn filled(unit: &str) -> String {
    let bytes = if std::env::var_os("PROPTEST_CASES").is_some() { MEGABYTE } else { MEGABYTE / 8 };
    unit.repeat(bytes / unit.len())
}

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Reads and lowers on little stack; gives the first error's code.
#[track_caller]
fn answered(name: &str, source: String) -> &'static str {
    let answer = thread::Builder::new().stack_size(STACK).spawn(move || first_error(&source)).expect("a thread").join();
    answer.unwrap_or_else(|_| panic!("{name}"))
}

/// Types built on each other by `typedef`, pointers to pointers: all of it was once recursed into without a bound.
#[test]
fn types_are_bounded() {
    let f = "int f(int x) { return x; }";
    let chain = |kind: &str| {
        format!("typedef int t0;\n{} {f}", numbered(10_000, |i| kind.replace('<', &format!("t{i} ")).replace('>', &format!("t{}", i + 1))))
    };
    for kind in ["typedef <*>;", "typedef <>[2];", "typedef <>(void);", "typedef <*>(void);"] {
        assert_eq!(answered(kind, chain(kind)), "nesting-too-deep", "{kind}");
    }
    assert_eq!(answered("pointers", format!("int {}p; {f}", filled("*"))), "nesting-too-deep");
    assert_eq!(answered("arrays", format!("int a{}; {f}", filled("[1]"))), "nesting-too-deep");
}

/// Structures that hold the one before twice have more parts than can be counted one by one, even where they have no scalars.
#[test]
fn structures_are_bounded() {
    let tree = |first: &str, count: usize, members: &str, rest: &str| {
        let line = |i: usize| format!("struct s{} {{ {} }};\n", i + 1, members.replace('@', &format!("struct s{i}")));
        format!("struct s0 {{ {first} }};\n{}{rest}", numbered(count, line))
    };
    for source in [
        tree("int a;", 60, "@ a, b;", "int f(struct s60 y) { struct s60 z = y; z = y; return sizeof y; }"),
        tree("", 60, "@ a, b;", "struct s60 y; int f(void) { struct s60 z = y; z = y; return sizeof y; }"),
        tree("int a;", 20_000, "@ a;", "struct s20000 y; int f(void) { return sizeof y; }"),
    ] {
        assert_eq!(answered("structures", source), "structure-too-large");
    }
    let size = "struct s { char a[9223372036854775807]; long b; }; struct t { struct s a; char b; };";
    assert_eq!(
        answered("sizeof", format!("{size} int f(int x) {{ return sizeof(struct s) + sizeof(struct t) > x; }}")),
        "unsupported-sizeof"
    );
    assert_eq!(
        answered("cycle", "struct a { struct b { struct a *p; struct c { int x; } c; } b; }; int f(struct a *p) { return 1; }".into()),
        ""
    );
}

/// A type has as many `long`s as are written; they were once counted in a byte.
#[test]
fn words_of_types_are_bounded() {
    answered("longs", format!("{} int y; int f(int x) {{ return x; }}", "long ".repeat(256)));
}

/// Values of cases were once compared each with each.
#[test]
fn cases_are_found_twice() {
    let cases = numbered(60_000, |i| format!("case {}: ; ", 59_999 - i));
    let switch = |last: &str| format!("int f(int x) {{ switch (x) {{ {cases} {last} return 1; }} return 0; }}");
    assert_eq!(answered("many", switch("case 30000: ")), "duplicate-case");
    assert_eq!(answered("range", switch("case -5 ... 0: ")), "duplicate-case");
    assert_eq!(codes("int f(int x) { switch (x) { case 1 ... 5: case 6: case 7 ... 9: case -3: return 1; } return 0; }"), [""; 0]);
    assert_eq!(codes("int f(int x) { switch (x) { case 1 ... 5: case 0 ... 1: case 5: return 1; } return 0; }"), ["duplicate-case"; 2]);
}

/// Whether a function calls itself is asked of all calls of a text.
#[test]
fn long_chains_of_calls_beside_recursion() {
    let chain = "void g0(int x) { x++; }\n".to_owned() + &numbered(60_000, |i| format!("void g{}(int x) {{ g{i}(x); }}\n", i + 1));
    answered("recursion", format!("{chain} int f(int x) {{ return x ? {} : 0; }}", "f(x - 1) + ".repeat(100) + "f(x)"));
}

#[test]
fn anything_huge_is_answered() {
    let f = "int f(int x) { return x; }\n";
    let body = |text: &str| format!("int f(int x) {{ {text} return x; }}");
    let e = |text: &str| body(&format!("x = {text};"));
    let all: Vec<(&str, String)> = vec![
        ("comments", filled("/* c */ // d\n") + f),
        ("comment", format!("/*{}", filled("*"))),
        ("spaces", filled(" ") + f),
        ("newlines", filled("\n") + f),
        ("nul", filled("\0") + f),
        ("splices", filled("\\\n") + f),
        ("splices in a name", format!("int {};{f}", filled("a\\\n"))),
        ("one name", format!("int {};{f}", filled("a"))),
        ("scripts", format!("int {};{f}", filled("变量имяα"))),
        ("mixed scripts", filled("变 имя α 🙂 ")),
        ("digits", e(&filled("7"))),
        ("hex", e(&format!("0x{}", filled("f")))),
        ("dots", e(&filled("1."))),
        ("string", e(&format!("\"{}\"", filled("a")))),
        ("strings", e(&filled("\"a\" "))),
        ("char", e(&format!("'{}'", filled("a")))),
        ("open quotes", filled("'\n")),
        ("escapes", e(&format!("\"{}\"", filled("\\x41")))),
        ("semicolons", body(&filled(";"))),
        ("top semicolons", filled(";") + f),
        ("parens", filled("(")),
        ("closing parens", filled(")")),
        ("brackets", filled("[")),
        ("braces", filled("{")),
        ("closing braces", filled("}")),
        ("brace pairs", body(&filled("{}"))),
        ("deep parens", e(&format!("{}x{}", "(".repeat(10_000), ")".repeat(10_000)))),
        ("plus", e(&filled("+"))),
        ("nots", e(&format!("{}x", filled("!")))),
        ("tildes", e(&format!("{}x", filled("~")))),
        ("casts", e(&format!("{}x", filled("(int)")))),
        ("stars", e(&format!("{}x", filled("*")))),
        ("ands", e(&format!("{}x", filled("&")))),
        ("sizeofs", e(&format!("{}x", filled("sizeof ")))),
        ("sizeof parens", e(&format!("{}x", filled("sizeof(")))),
        ("ternaries", e(&format!("{}x", filled("x ? x : ")))),
        ("ternaries inside", e(&format!("{}x", filled("x ? ")))),
        ("commas", e(&format!("({}x)", filled("x, ")))),
        ("sums", e(&format!("{}x", filled("x + ")))),
        ("assignments", e(&format!("{}x", filled("x = ")))),
        ("increments", e(&filled("x++ + "))),
        ("postfix", e(&format!("x{}", filled("++")))),
        ("members", e(&format!("x{}", filled(".a")))),
        ("arrows", e(&format!("x{}", filled("->a")))),
        ("indices", e(&format!("x{}", filled("[0]")))),
        ("calls", e(&format!("f{}", filled("()")))),
        ("arguments", e(&format!("f({}x)", filled("x, ")))),
        ("statements", body(&filled("x = x + 1;\n"))),
        ("typed statements", body(&filled("x += x << 1;\n"))),
        ("ten thousand lines", body(&"x = x + 1;\n".repeat(10_000))),
        ("ten thousand ifs", body(&"if (x > 3) x--;\n".repeat(10_000))),
        ("ten thousand nested ifs", body(&"if (x) ".repeat(10_000))),
        ("else ifs", body(&format!("if (x) ; {}", "else if (x == 3) x = 1;\n".repeat(40_000)))),
        ("labels", body(&numbered(100_000, |i| format!("L{i}: ")))),
        ("labelled", body(&numbered(50_000, |i| format!("L{i}: ; ")))),
        ("gotos", body(&numbered(20_000, |i| format!("L{i}: goto L{}; ", i / 2)))),
        ("unknown gotos", body(&numbered(20_000, |i| format!("goto L{i}; ")))),
        ("cases", body(&format!("switch (x) {{ {} }}", numbered(10_000, |i| format!("case {i}: x++;\n"))))),
        ("many cases", body(&format!("switch (x) {{ {} }}", numbered(60_000, |i| format!("case {i}: x++;\n"))))),
        ("same cases", body(&format!("switch (x) {{ {} }}", "case 1: ".repeat(50_000)))),
        ("case ranges", body(&format!("switch (x) {{ {} }}", numbered(10_000, |i| format!("case {} ... {}: ", 3 * i, 3 * i + 1))))),
        ("huge range", body("switch (x) { case 0 ... 2147483647: x++; case -99999999999 ... 9999999999999999: ; }")),
        ("switches", body(&"switch (x) ".repeat(50_000))),
        ("defaults", body(&format!("switch (x) {{ {} }}", "default: ".repeat(50_000)))),
        ("enum", format!("enum {{ {} }}; {f}", numbered(100_000, |i| format!("E{i},\n")))),
        ("enum sums", format!("enum {{ E0, {} }}; {f}", numbered(30_000, |i| format!("E{} = E{i} + E{i},\n", i + 1)))),
        ("enums", numbered(30_000, |i| format!("enum e{i} {{ E{i} }};\n")) + f),
        ("globals", numbered(60_000, |i| format!("int g{i};\n")) + f),
        ("used globals", numbered(10_000, |i| format!("int g{i};\n")) + &body(&numbered(10_000, |i| format!("g{i} = x;\n")))),
        ("declarators", body(&format!("int a{};", numbered(100_000, |i| format!(", a{i}"))))),
        ("initialised declarators", body(&format!("int a{};", numbered(10_000, |i| format!(", a{i} = x"))))),
        ("same declarators", body(&format!("int a{};", ", a".repeat(100_000)))),
        ("scopes", body(&"{ int x = 1; x++; }\n".repeat(10_000))),
        ("statics", body(&numbered(20_000, |i| format!("static int s{i} = {i};\n")))),
        ("functions", numbered(20_000, |i| format!("int f{i}(int x) {{ return x; }}\n"))),
        ("prototypes", numbered(20_000, |i| format!("int f{i}(int x);\n")) + f),
        ("same prototypes", "int g(int x);\n".repeat(50_000) + f),
        ("parameters", format!("int g({}int z) {{ return z; }}", numbered(50_000, |i| format!("int p{i}, ")))),
        ("typedefs", numbered(40_000, |i| format!("typedef int t{i};\n")) + f),
        ("typedef chain", format!("typedef int t0;\n{}t10000 f(void) {{ t10000 y = 1; return 0; }}", numbered(10_000, |i| format!("typedef t{i} t{};\n", i + 1)))),
        ("pointer typedef chain", format!("typedef int t0;\n{}t10000 y; {f}", numbered(10_000, |i| format!("typedef t{i} *t{};\n", i + 1)))),
        ("array typedef chain", format!("typedef int t0;\n{}t10000 y; {f}", numbered(10_000, |i| format!("typedef t{i} t{}[2];\n", i + 1)))),
        ("short array typedef chain", format!("typedef int t0;\n{}t100 y; int f(void) {{ y[0]; return 0; }}", numbered(100, |i| format!("typedef t{i} t{}[1];\n", i + 1)))),
        ("function typedefs", format!("typedef int t0(void);\n{}{f}", numbered(1_000, |i| format!("typedef t{i} *t{}(void);\n", i + 1)))),
        ("structs", numbered(20_000, |i| format!("struct s{i} {{ int a; }};\n")) + f),
        ("members of one", format!("struct s {{ {} }} y; {f}", numbered(50_000, |i| format!("int m{i};\n")))),
        ("members used", format!("struct s {{ {} }}; int f(struct s y) {{ struct s z = y; return z.m0; }}", numbered(50_000, |i| format!("int m{i};\n")))),
        ("same members", format!("struct s {{ {} }} y; {f}", "int m;".repeat(50_000))),
        ("nested structs", format!("{}int a;{}{f}", "struct { ".repeat(20_000), "} b;".repeat(20_000))),
        ("struct chain", format!("struct s0 {{ int a; }};\n{}struct s5000 y; int f(void) {{ return sizeof y; }}", numbered(5_000, |i| format!("struct s{} {{ struct s{i} a; }};\n", i + 1)))),
        ("struct tree", format!("struct s0 {{ int a; }};\n{}struct s60 y; int f(void) {{ struct s60 z = y; return sizeof y + z.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a; }}", numbered(60, |i| format!("struct s{} {{ struct s{i} a, b; }};\n", i + 1)))),
        ("struct tree parameter", format!("struct s0 {{ int a; }};\n{}int f(struct s30 *y, struct s30 z) {{ return 1; }}", numbered(30, |i| format!("struct s{} {{ struct s{i} a, b; }};\n", i + 1)))),
        ("struct tree initialised", format!("struct s0 {{ int a; }};\n{}struct s40 y = {{ 1 }}; static struct s40 z; {f}", numbered(40, |i| format!("struct s{} {{ struct s{i} a, b; }};\n", i + 1)))),
        ("itself", format!("struct s {{ struct s a; int b; }}; struct s y; {f}")),
        ("pointer depth", format!("int {}p; {f}", filled("*"))),
        ("pointer parameter", format!("int f(int {}p) {{ return 0; }}", "*".repeat(10_000))),
        ("pointer depth used", format!("int f(int {}p) {{ return {}p; }}", "*".repeat(200), "*".repeat(200))),
        ("array depth", format!("int a{}; {f}", filled("[1]"))),
        ("array depth used", format!("int f(void) {{ int a{} = {{ 0 }}; return a{}; }}", "[1]".repeat(200), "[0]".repeat(200))),
        ("array overflow", format!("int a{}; int f(int x) {{ a[x][x]; return sizeof a; }}", "[2147483647]".repeat(20))),
        ("array 2^63", format!("int a[9223372036854775807]; int b[4611686018427387904][4]; {}", body("x = a[x] + sizeof a + b[1][x];"))),
        ("negative array", format!("int a[-1]; int b[9223372036854775807 + 1]; int c[1 / 0]; {f}")),
        ("huge array sizes", format!("char a[99999999999999999999999999]; {}", body("x = a[x] + sizeof a;"))),
        ("array of millions", format!("int a[1000][1000][1000]; {}", body("int b[1000][1000][1000] = { 0 }; a[1][2][x] = b[x][1][1];"))),
        ("million elements", format!("int a[] = {{ {} }}; {}", "1,".repeat(1_000_000), body("x = a[x];"))),
        ("designator", format!("int a[] = {{ [999999999] = 1 }}; {}", body("x = a[x];"))),
        ("designator over", format!("int a[] = {{ [9223372036854775807] = 1, 2, 3 }}; int b[] = {{ [99999999999999999999] = 1 }}; {}", body("x = a[x] + b[x];"))),
        ("local designator", body("int a[] = { [999999] = 1 }; x = a[x];")),
        ("local designators", body(&format!("int a[] = {{ {} }}; x = a[x];", numbered(10_000, |i| format!("[{}] = x, ", i * 7))))),
        ("range designator", format!("int a[] = {{ [0 ... 999999999] = 1 }}; {}", body("x = a[x];"))),
        ("struct designators", format!("struct s {{ int a; int b; }} t[] = {{ {} }}; {}", numbered(50_000, |i| format!("[{i}] = {{ .b = {i} }}, ")), body("x = t[x].b;"))),
        ("nested initialisers", format!("int a[3] = {}1{}; {f}", filled("{"), filled("}"))),
        ("string array", format!("char s[] = \"{}\"; {}", filled("a"), body("x = s[x];"))),
        ("local string array", body(&format!("char s[] = \"{}\"; x = s[x];", "a".repeat(100_000)))),
        ("macros", numbered(40_000, |i| format!("#define M{i} {i}\n")) + f),
        ("macro uses", format!("#define M x\n{}", body(&format!("{};", filled("M,") + "x")))),
        ("macro chain", format!("#define M0 x\n{}", numbered(20_000, |i| format!("#define M{} M{i}\n", i + 1))) + &e("M20000")),
        ("macro functions", format!("#define F(x) (x)\n{}", e(&format!("{}x{}", "F(".repeat(10_000), ")".repeat(10_000))))),
        ("macro arguments", format!("#define F(...) f(__VA_ARGS__)\n{}", e(&format!("F({}x)", filled("x,"))))),
        ("macro doubling", format!("#define F(x) x x\n{}", e(&format!("{}x{}", "F(".repeat(50), ")".repeat(50))))),
        ("macro open", format!("#define F(x) x\n{}", e(&filled("F(")))),
        ("paste", format!("#define P(a, b) a##b\n{}", e(&format!("{}x{}", "P(x,".repeat(1_000), ")".repeat(1_000))))),
        ("paste growth", numbered(40, |i| format!("#define Q{}(a) Q{i}(a##a)\n", i + 1)) + "#define Q0(a) a\n" + &e("Q40(x)")),
        ("stringify", format!("#define S(x) #x\n{}", e(&format!("S({})", filled("\"a\" "))))),
        ("stringify twice", format!("#define S(x) #x\n#define T(x) S(x)\n{}", e(&format!("{}x{}", "T(".repeat(60), ")".repeat(60))))),
        ("macro parameters", format!("#define F({}z) z\n{f}", numbered(50_000, |i| format!("p{i}, ")))),
        ("long macro", format!("#define M {}\n{}", filled("x + "), e("M x"))),
        ("ifs", filled("#if 1\n") + f),
        ("if pairs", filled("#if 0\n#endif\n") + f),
        ("endifs", filled("#endif\n") + f),
        ("elifs", format!("#if 0\n{}#endif\n{f}", filled("#elif 0\n"))),
        ("condition", format!("#if {}1\n#endif\n{f}", filled("1 + "))),
        ("condition parens", format!("#if {}1\n#endif\n{f}", filled("("))),
        ("condition nots", format!("#if {}1\n#endif\n{f}", filled("!"))),
        ("condition ternaries", format!("#if {}1\n#endif\n{f}", filled("1 ? 1 : "))),
        ("directives", filled("#\n") + f),
        ("bad directives", filled("#x\n") + f),
        ("includes", filled("#include <limits.h>\n") + f),
        ("includes of nothing", filled("#include \"x\"\n") + f),
        ("undefs", filled("#undef A\n") + f),
        ("qualifiers", format!("{} int y; {f}", filled("const "))),
        ("longs", format!("{} int y; {f}", filled("long "))),
        ("ints", format!("{} y; {f}", filled("int "))),
        ("attributes", format!("int y {}; {f}", filled("__attribute__((unused)) "))),
        ("attribute parens", format!("int y __attribute__({}; {f}", filled("("))),
        ("declarator parens", format!("int {}y{}; {f}", "(".repeat(100_000), ")".repeat(100_000))),
        ("function declarators", format!("int {}y{}; {f}", "(*".repeat(10_000), ")(void)".repeat(10_000))),
        ("parameters of parameters", format!("int g{}; {f}", "(int h".repeat(100_000))),
        ("type names", e(&format!("(int{})x", filled("*")))),
        ("compound literals", e(&filled("(int){"))),
        ("recursion", numbered(20, |i| format!("int f{i}(int x) {{ return x ? f{}(x - 1) + f{}(x - 2) : 0; }}\n", (i + 1) % 20, (i + 7) % 20))),
        ("recursion of many calls", format!("int f(int x) {{ return x ? {} : 0; }}", "f(x - 1) + ".repeat(100) + "f(x)")),
        ("mutual recursion long", format!("int f0(int x); {}", numbered(2_000, |i| format!("int f{}(int x) {{ return f{i}(x); }}\n", i + 1)) + "int f0(int x) { return f2000(x); }")),
        ("call chain", "void f0(int x) { x++; }\n".to_string() + &numbered(5_000, |i| format!("void f{}(int x) {{ f{i}(x); }}\n", i + 1))),
        ("expression calls", format!("{f}int g(int x) {{ return {}x{}; }}", "f(".repeat(100), ")".repeat(100))),
        ("conditional pointers", format!("int f(int x, int y) {{ int *p = &x; {} return *p; }}", "p = x ? &x : &y; ".repeat(5_000))),
        ("pointer moves", format!("int a[9]; int f(int x) {{ int *p = a; {} return *p; }}", "p++; ".repeat(10_000))),
        ("structure copies", format!("struct s {{ int a[20]; }}; int f(struct s x, struct s y) {{ {} return x.a[0]; }}", "x = y; ".repeat(10_000))),
        ("printf", format!("#include <stdio.h>\n{}", body(&format!("printf(\"{}\"{});", "%d".repeat(10_000), ", x".repeat(10_000))))),
        ("printf width", format!("#include <stdio.h>\n{}", body("printf(\"%99999999999d %.99999999999x %*d\", x, x, x, x);"))),
        ("blocks", format!("proc f(a) returns r {{ l0: goto {}l0; {} l: r := a; }}", numbered(5_000, |i| format!("b{i}, ")), numbered(5_000, |i| format!("b{i}: a := a + 1; goto l;\n")))),
        ("block targets", format!("proc f(a) {{ l0: goto {}l0; }}", "l0, ".repeat(100_000))),
        ("block statements", format!("proc f(a) {{ l0: {} }}", filled("a := a + 1; "))),
        ("block procs", numbered(20_000, |i| format!("proc f{i}(a) {{ l: }}\n"))),
        ("block expression", format!("proc f(a) {{ l0: a := {}a; }}", filled("!"))),
        ("vla", body(&format!("int v[x]{}; v[0] = 1;", "[x]".repeat(1_000)))),
        ("vlas", body(&numbered(2_000, |i| format!("int v{i}[x]; v{i}[0] = {i};")))),
        ("mallocs", format!("#include <stdlib.h>\n{}", body(&numbered(1_000, |i| format!("int *m{i} = malloc(x * sizeof(int)); m{i}[0] = 1; free(m{i});"))))),
        ("shifts", e("1 << 99999999999999999999 << 9999999999")),
        ("constant powers", format!("enum {{ E = {}1 }}; {f}", "9999999999999999999 * ".repeat(400))),
        ("memset", format!("#include <string.h>\nint a[100000]; {}", body("memset(a, 0, sizeof a); memset(a, x, 99999999999999);"))),
        ("memcpy", format!("#include <string.h>\nint a[100000], b[100000]; {}", body("memcpy(a, b, sizeof a);"))),
        ("sizeof overflow", "struct s { char a[9223372036854775807]; long b; }; struct t { struct s a; char b; }; int f(int x) { return sizeof(struct s) + sizeof(struct t) > x; }".into()),
        ("empty struct tree", format!("struct s0 {{ }};\n{}struct s60 y; int f(void) {{ struct s60 z = y; z = y; return sizeof y; }}", numbered(60, |i| format!("struct s{} {{ struct s{i} a, b; }};\n", i + 1)))),
        ("long struct chain", format!("struct s0 {{ int a; }};\n{}struct s20000 y; int f(void) {{ return sizeof y; }}", numbered(20_000, |i| format!("struct s{} {{ struct s{i} a; }};\n", i + 1)))),
        ("bit field", format!("struct s {{ int a : 99999999999999; int b : -1; int : 0; }} y; {f}")),
    ];
    for (name, source) in all {
        answered(name, source);
    }
}

/// Statements and expressions of every kind within each other, read and closed, and never closed; a function beside them is read.
#[test]
fn nested_parts_are_bounded() {
    let read = |source: String| {
        thread::Builder::new().stack_size(STACK).spawn(move || load(&request("f.c", &source, None)).is_ok()).expect("a thread").join()
    };
    for (open, close) in [
        ("{", "}"),
        ("if (x > 0) {", "}"),
        ("if (x) ", ""),
        ("if (x) ; else ", ""),
        ("while (x) ", ""),
        ("for (;;) ", ""),
        ("do ", "while (x);"),
        ("switch (x) ", ""),
        ("case 1: ", ""),
        ("a: ", ""),
        ("x = (", ")"),
        ("x = f(", ")"),
        ("x[", "]"),
        ("(", ")"),
        ("!", ""),
        ("-", ""),
        ("x ? ", ": x"),
        ("x || (", ")"),
        ("(int) ", ""),
        ("sizeof ", ""),
        ("({ ", "; })"),
        ("struct {", "} y;"),
    ] {
        let (open, close) = (open.repeat(8_000), close.repeat(8_000));
        for source in [
            format!("int f(int x) {{ {open}"),
            format!("int g(int x) {{ return x > 3; }} int f(int x) {{ {open} x; {close} unknown y; return x; }}"),
        ] {
            let start = source[..60].to_owned();
            assert!(read(source).is_ok(), "{start}");
        }
    }
}
