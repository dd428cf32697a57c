//! Inputs as people write them: what is written is read back as the same input, and what a run does not read is `any`.

use culdesac::analysis::Listener;
use culdesac::analysis::run::{RunSettings, run_given};
use culdesac::interp;
use culdesac::lts::lower::lower;
use culdesac::lts::{Lts, PartStep, ValueMeaning};
use culdesac::view::{
    Input, InputFields, InputLeaf, InputValue, Number, Reply, Request, fitting, input_objects, line, read_fields, read_line,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

const TYPES: &str = "enum color { RED, GREEN = 5, BLUE };
typedef enum { LOW = -1, MID, HIGH } level;
struct item { int value; char tag; enum color shade; char name[4]; unsigned short more[3]; _Bool set; struct { level how; double size; } in; };
struct link { int value; struct link *next; char tag; };
struct fork { int key; struct fork *left, *right; };
struct fork pool[3];
";

/// Parameters of many types, and what the body does with them.
const PARAMETERS: &[(&str, &str)] = &[
    ("int x", ""),
    ("char c", "if (c == 'a') total++;"),
    ("_Bool b", ""),
    ("unsigned char u", ""),
    ("signed char z", ""),
    ("long long w", ""),
    ("enum color k", "if (k == BLUE) total++;"),
    ("level l", ""),
    ("double d", "if (d > 1.5) total++;"),
    ("float g", ""),
    ("char *s", "if (s[0] == 'x') total++;"),
    ("const char t[8]", ""),
    ("int *a", "if (a[2] == 9) total++;"),
    ("int m[][3]", "if (m[1][2] == 4) total++;"),
    ("enum color ks[]", "if (ks[1] == GREEN) total++;"),
    ("struct item one", "if (one.in.how == HIGH) total++;"),
    ("struct item *p", "if (p->tag == 'q') total++;"),
    ("struct item many[]", "if (many[1].value == 3) total++;"),
    ("struct link *q", "if (q == 0) return 1; if (q->next == 0) total++; if (q->tag == 5) total += q->next->value;"),
    (
        "struct fork **at",
        "while (*at && (*at)->key != 3) { at = (*at)->key < 3 ? &(*at)->left : &(*at)->right; total++; if (total > 9) break; }",
    ),
    ("int v", "if (pool[1].key == v) total++;"),
    ("int *r", "if (r && *r == 5) total++;"),
];

fn program(chosen: &[usize]) -> (String, Lts) {
    let parameters: Vec<&str> = chosen.iter().map(|&at| PARAMETERS[at].0).collect();
    let body: Vec<&str> = chosen.iter().map(|&at| PARAMETERS[at].1).collect();
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let source = format!(
        "{TYPES}int nondet(void);\nint getchar(void);\nint kept[4];\nstruct item all;\nint f({list}) {{ int total = kept[1] + all.more[2];\n{}\nif (nondet() == 3 && getchar() == 'a') total++;\nreturn total; }}",
        body.join("\n")
    );
    let lts = lowered(&source);
    (source, lts)
}

fn lowered(source: &str) -> Lts {
    let parsed = culdesac::lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}\n{source}", parsed.diagnostics));
    lower(&program, Some("f")).unwrap_or_else(|errors| panic!("{errors:?}\n{source}")).lts
}

/// A number by random bits: small, the type's least and greatest, or any.
fn number(leaf: &InputLeaf, bits: u64) -> Number {
    let of = |range: culdesac::logic::IntRange| {
        let (least, greatest) = (range.least, range.greatest);
        let value = match bits % 5 {
            0 => 0,
            1 => least,
            2 => greatest,
            3 => (bits >> 8) as i128 % 128,
            _ => least + (bits >> 3) as i128 % (greatest - least + 1).max(1),
        };
        culdesac::logic::Int::from(value.clamp(least, greatest))
    };
    let value = leaf.range.map_or_else(|| culdesac::logic::Int::from(bits as i64), of);
    Number::in_range(&value, leaf.range)
}

fn value(leaf: &InputLeaf, bits: &mut impl Iterator<Item = u64>) -> InputValue {
    let mut next = || bits.next().unwrap_or(0);
    if !leaf.is_array() {
        return InputValue::Scalar(number(leaf, next()));
    }
    let lengths = leaf.steps.iter().filter_map(|step| if let PartStep::Elements(length) = step { Some(length.as_ref()) } else { None });
    let length = lengths.map(|length| length.and_then(culdesac::logic::Int::to_i64).unwrap_or(6)).product::<i64>();
    let mut elements = BTreeMap::new();
    let length = if leaf.steps.iter().any(|step| matches!(step, PartStep::Node(_))) { 8 } else { length };
    for _ in 0..next() % 7 {
        elements.insert((next() % length as u64).to_string(), number(leaf, next()));
    }
    if next() % 4 == 0 {
        elements.insert("default".to_owned(), number(leaf, next()));
    }
    InputValue::Array(elements)
}

/// The input with the nodes alone to which its pointers lead, found by their numbers.
fn with_reached_nodes(lts: &Lts, input: &Input) -> Input {
    let objects = input_objects(lts);
    let keys = |leaf: &InputLeaf, node: i64| -> Vec<String> {
        let count =
            leaf.steps.iter().find_map(|step| if let PartStep::Pointers(members) = step { Some(members.len() as i64) } else { None });
        let count = count.unwrap_or(1);
        (node * count - count + 1..=node * count).map(|key| key.to_string()).collect()
    };
    let pointers = |leaf: &InputLeaf, node: Option<i64>| -> Vec<(u32, i64)> {
        let (structure, count) = match leaf.values {
            ValueMeaning::Nodes { structure, .. } => (structure, 1),
            ValueMeaning::Cells { structure, count, .. } => (structure, i64::from(count)),
            _ => return Vec::new(),
        };
        let numbers: Vec<Number> = match (input.values.get(&leaf.name), node) {
            (Some(InputValue::Scalar(value)), None) => vec![value.clone()],
            (Some(InputValue::Array(elements)), None) => elements.values().cloned().collect(),
            (Some(InputValue::Array(elements)), Some(node)) => {
                keys(leaf, node).iter().filter_map(|key| elements.get(key).or_else(|| elements.get("default")).cloned()).collect()
            }
            _ => Vec::new(),
        };
        let number = |number: &Number| number.to_int().and_then(|number| number.to_i64()).expect("a number");
        numbers.iter().map(|own| (structure, (number(own) + count - 1).div_euclid(count))).collect()
    };
    let mut reached: Vec<(u32, i64)> = Vec::new();
    let mut open: Vec<(u32, i64)> = objects
        .iter()
        .filter(|object| object.structure().is_none())
        .flat_map(|object| &object.leaves)
        .flat_map(|leaf| pointers(leaf, None))
        .collect();
    while let Some(node) = open.pop() {
        if node.1 > 0 && !reached.contains(&node) {
            reached.push(node);
            let own = objects.iter().filter(|object| object.structure() == Some(node.0));
            open.extend(own.flat_map(|object| &object.leaves).flat_map(|leaf| pointers(leaf, Some(node.1))));
        }
    }
    let mut input = input.clone();
    for (object, structure) in objects.iter().filter_map(|object| Some((object, object.structure()?))) {
        for leaf in &object.leaves {
            let Some(InputValue::Array(elements)) = input.values.get_mut(&leaf.name) else { continue };
            let default = elements.remove("default").unwrap_or(Number::Small(0));
            let nodes: Vec<String> = reached.iter().filter(|(own, _)| *own == structure).flat_map(|(_, node)| keys(leaf, *node)).collect();
            elements.retain(|node, _| nodes.contains(node));
            for node in nodes {
                elements.entry(node).or_insert_with(|| default.clone());
            }
        }
    }
    input
}

/// The input without what says nothing: zeros, and elements that are as all others.
fn plain(lts: &Lts, input: &Input) -> Result<interp::Input, String> {
    let mut input = fitting(lts, &with_reached_nodes(lts, input))?;
    input.values.retain(|_, value| !value.is_zero());
    for contents in input.arrays.values_mut() {
        let default = contents.default.clone();
        contents.elements.retain(|_, value| *value != default);
    }
    input.arrays.retain(|_, contents| !contents.elements.is_empty() || !contents.default.is_zero());
    Ok(input)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(
        chosen in proptest::sample::subsequence((0..PARAMETERS.len()).collect::<Vec<_>>(), 0..6),
        bits in proptest::collection::vec(any::<u64>(), 300),
        draws in proptest::collection::vec(any::<i32>(), 0..4),
        stdin in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..12)),
    ) {
        let (source, lts) = program(&chosen);
        let mut bits = bits.into_iter();
        let mut input = Input { stdin: stdin.map(|text| text.into_iter().map(char::from).collect()), ..Input::default() };
        for leaf in input_objects(&lts).iter().flat_map(|object| &object.leaves) {
            let given = value(leaf, &mut bits);
            if !matches!(leaf.values, ValueMeaning::Members(_)) {
                input.values.insert(leaf.name.clone(), given);
            }
        }
        // One read of the text is no value that is drawn.
        input.nondet = draws.iter().map(|&value| InputValue::Scalar(Number::Small(i64::from(value)))).collect();
        let Ok(expected) = plain(&lts, &input) else { return Ok(()) };
        let written = input.clone().with_parts(&lts);
        let text = line(&written.written_as);
        let read = read_line(&lts, &text);
        prop_assert!(read.is_ok(), "{text}\n{read:?}\n{source}");
        let read = read.expect("an input");
        prop_assert_eq!(plain(&lts, &read), Ok(expected.clone()), "{}\n{}", text, source);
        // The fields of a form take the same texts.
        let is_value = |part: &&culdesac::view::WrittenValue| part.name != "stdin" && part.name != "nondet()";
        let fields = InputFields {
            values: written.written_as.iter().filter(is_value).map(|part| (part.name.clone(), part.text.clone())).collect(),
            nondet: draws.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            stdin: input.stdin.clone(),
        };
        prop_assert_eq!(plain(&lts, &read_fields(&lts, &fields).expect("an input")), Ok(expected), "{:?}\n{}", fields, source);
    }
}

/// The input of the run on this line, as it is written then.
fn echoed(source: &str, input: &str) -> String {
    let request = Request { program: "f".to_owned(), source: source.to_owned(), function: Some("f".to_owned()), ..Request::default() };
    let settings = RunSettings { line: Some(input.to_owned()), ..RunSettings::default() };
    match run_given(&request, &settings, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => line(&document.input.written_as),
        Reply::Refused { diagnostics } => diagnostics[0].message.clone(),
    }
}

fn of(chosen: &[&str], input: &str) -> String {
    let at = |name: &&str| PARAMETERS.iter().position(|(own, _)| own == name).expect("a parameter");
    echoed(&program(&chosen.iter().map(at).collect::<Vec<_>>()).0, input)
}

#[test]
fn each_type_has_its_form() {
    let rest = "kept = {0}, all = {.more = {0}}, nondet() = 0, stdin = any";
    let said = |parameter: &str, input: &str| {
        let all = of(&[parameter], input);
        all.strip_suffix(rest).map_or(all.clone(), |own| own.trim_end_matches(", ").to_owned())
    };
    let rest_of = |parameter: &str, input: &str| said(parameter, &format!("{input}, {rest}"));
    assert_eq!(rest_of("char c", "c = 97"), "c = 'a'");
    assert_eq!(rest_of("char c", "c = 10"), "c = '\\n'");
    assert_eq!(rest_of("char c", "c = 7"), "c = '\\x07'");
    assert_eq!(rest_of("char c", "c = -1"), "c = '\\xff'");
    assert_eq!(rest_of("enum color k", "k = 6"), "k = BLUE");
    assert_eq!(rest_of("enum color k", "k = 7"), "k = 7");
    assert_eq!(rest_of("double d", "d = 2.5"), "d = 2.5");
    assert_eq!(rest_of("char *s", "s = {120, 'y'}"), "s = \"xy\"");
    assert_eq!(rest_of("char *s", "s = {120, [5] = 'y'}"), "s = {'x', [5] = 'y'}");
    assert_eq!(rest_of("int *a", "a = {3, 1, 2}"), "a = {3, 1, 2}");
    assert_eq!(rest_of("int *a", "a = {\"2\": 9, \"default\": 7}"), "a = {[2] = 9, then 7}");
    assert_eq!(rest_of("int *a", "a = {[0 ... 9] = 4, 1}"), "a = {[0 ... 9] = 4, 1}");
    assert_eq!(rest_of("int m[][3]", "m = {{1, 2}, {[2] = 4}}"), "m = {{1, 2}, {0, 0, 4}}");
    assert_eq!(rest_of("struct item *p", "p.tag = 'q'"), "p = {.tag = 'q'}");
    assert_eq!(rest_of("struct item many[]", "many = {[1] = {.value = 3}}"), "many = {{0}, {.value = 3}}");
    assert_eq!(
        of(&["struct link *q"], "q = NULL, kept = {0}, all = {.more = {0}}"),
        "q = NULL, kept = {0}, all = {.more = {0}}, stdin = any"
    );
}

const NODES: &str = "#include <stdlib.h>
struct node { int value; struct node *next; char name[4]; };
struct tree { struct tree *left, *right; struct node *items; };
int f(struct node *head, struct tree *top, int node2) {
    int sum = node2;
    while (head != 0) { sum += head->value; if (head->name[1] == 'x') sum++; head = head->next; if (sum > 20) break; }
    if (top != 0 && top->left != 0 && top->items != 0) sum += top->items->value;
    return sum; }";

#[test]
fn nodes_have_names_and_the_members_that_a_run_reads() {
    let said = |input: &str| echoed(NODES, input);
    assert_eq!(said("head = NULL, top = NULL, node2 = 4"), "head = NULL, top = NULL, node2 = 4");
    assert_eq!(
        said("head = &node_3, node_3 = {.value = 5, .next = NULL, .name = \"ax\"}, top = NULL, node2 = 0"),
        "head = &node_3, top = NULL, node2 = 0, node_3 = {.value = 5, .next = NULL, .name = \"ax\"}"
    );
    assert_eq!(
        said("head = &node_1, node_1 = {.value = 1, .next = &node_1}, top = NULL, node2 = 3"),
        "head = &node_1, top = NULL, node2 = 3, node_1 = {.value = 1, .next = &node_1}"
    );
    // What no pointer leads to is left out, and so are members that the run does not read.
    assert_eq!(
        said(
            "head = NULL, top = &tree1, node2 = 0, tree1 = {.left = &tree7, .items = &node_2}, node_2 = {.value = 6}, node_9 = {.value = 1}"
        ),
        "head = NULL, top = &tree1, node2 = 0, tree1 = {.left = &tree7, .items = &node_2}, tree7 = {.left = NULL, .items = NULL}, node_2 = {.value = 6}"
    );
    assert_eq!(said("top = &node_1"), "`top` in the input, character 7: `&node_1` is no value of its type: NULL, &tree1 and so on are");
    assert_eq!(said("head = 3, node.next = {}, top = 0, node2 = 21"), "head = &node_3, top = NULL, node2 = 21, node_3 = {.next = NULL}");
}

#[test]
fn pointers_in_nodes_and_nodes_at_file_scope_have_names() {
    let tree = "struct tree { int key; struct tree *left, *right; };
int f(struct tree **at, int key) {
    while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    return *at != 0; }";
    let found = "at = &tree1.right, key = 3, tree1 = {.right = &tree2}, tree2 = {.key = 5, .left = &tree4}, tree4 = {.key = 3}";
    let whole = "at = &tree1.right, key = 3, tree1 = {.key = 0, .left = NULL, .right = &tree2}, \
                 tree2 = {.key = 5, .left = &tree4, .right = NULL}, tree4 = {.key = 3, .left = NULL, .right = NULL}";
    assert_eq!(echoed(tree, found), whole);
    assert_eq!(
        echoed(tree, "at = &tree1, key = 3"),
        "`at` in the input, character 6: `&tree1` is no value of its type: NULL, &tree1.left and so on are"
    );
    assert_eq!(
        echoed(tree, "at = NULL, key = 3"),
        "`at` in the input, character 6: the function expects that this is not NULL: give an address, as `&tree1.left`"
    );
    let pool = "struct node { int value; struct node *next; };
struct node pool[3];
struct node first;
int f(struct node *p) { if (p == 0) return 0; if (p == &pool[2] && first.value == 4) return 1; return p->next == p; }";
    let given = "p = &pool[2], first = {.value = 4}";
    assert_eq!(echoed(pool, given), "p = &pool[2], pool[2] = {.value = 0}, first = {.value = 4}");
    assert_eq!(echoed(pool, "p = &node9, node9 = {.next = &node9}"), "p = &node9, node9 = {.next = &node9}");
}

#[test]
fn a_call_that_gives_no_memory_is_null() {
    let source = "#include <stdlib.h>
struct node { int value; struct node *next; };
int f(int n) {
    struct node *a = malloc(sizeof *a); if (a == NULL) return 1;
    struct node *b = malloc(sizeof *b); if (b == NULL) return 2;
    a->next = b;
    return 3; }";
    assert_eq!(echoed(source, "n = 0, malloc() = NULL"), "n = any, malloc() #1 = NULL");
    assert_eq!(echoed(source, "malloc() #1 = not NULL, malloc() #2 = NULL"), "n = any, malloc() #1 = not NULL, malloc() #2 = NULL");
    assert_eq!(echoed(source, "malloc() #1 = not NULL"), "(any)");
    let array = "#include <stdlib.h>\nint f(int n) { int *a = malloc(n * sizeof(int)); if (!a) return 1; a[0] = 3; return a[0]; }";
    assert_eq!(echoed(array, "n = 4, malloc() = NULL"), "n = 4, malloc() #1 = NULL");
}

#[test]
fn what_a_run_does_not_read_is_any() {
    let source = "int f(int n, int unused, char *s) { if (n > 3) return 1; return s[0] == 'a' && s[1]; }";
    assert_eq!(echoed(source, "n = 5, unused = 9, s = \"on\""), "n = 5, unused = any, s = any");
    assert_eq!(echoed(source, "n = 1, unused = 9, s = \"on\""), "n = 1, unused = any, s = \"on\"");
    // What is read in a condition that ends the run counts, too.
    assert_eq!(echoed("int f(int n, int d) { return n / d; }", "n = 5, d = 0"), "n = 5, d = 0");
    assert_eq!(echoed("int f(int n) { return 1; }", "n = 5"), "(any)");
}

#[test]
fn the_end_of_standard_input_is_said_where_a_read_meets_it() {
    let source = "int getchar(void);\nint scanf(const char *, ...);\nint f(int n) { int x = 0; if (n) { scanf(\"%d\", &x); return x; } return getchar() == 'a'; }";
    assert_eq!(echoed(source, "n = 0, stdin = \"ab\""), "n = 0, stdin = \"ab\"");
    assert_eq!(echoed(source, "n = 0, stdin = \"\""), "n = 0, stdin = \"\" then end of file");
    assert_eq!(echoed(source, "n = 1, stdin = \"12\""), "n = 1, stdin = \"12\" then end of file");
    assert_eq!(echoed(source, "n = 1, stdin = \"12 a\" then end of file"), "n = 1, stdin = \"12 a\"");
    assert_eq!(echoed("int getchar(void);\nint f(int n) { if (n) return 1; return getchar(); }", "n = 1"), "n = 1, stdin = any");
}

#[test]
fn what_cannot_be_read_is_said_with_its_character_and_what_helps() {
    let all = ["char c", "enum color k", "const char t[8]", "struct item one"];
    let said = |input: &str| of(&all, input);
    assert_eq!(
        said("c = 'ab'"),
        "`c` in the input, character 5: one character stands between single quotes; a string stands in double quotes"
    );
    assert_eq!(said("c = 300"), "`c` in the input, character 5: 300 is no value of its type: those are from -128 to 127");
    assert_eq!(said("k = BLEU"), "`k` in the input, character 5: `BLEU` is no value of its type: RED, GREEN, BLUE, or an integer, are");
    assert_eq!(said("one = {.valu = 3}"), "`one` in the input, character 16: there is no member `valu` that the function reads");
    assert_eq!(said("one = 3"), "`one` in the input, character 7: this is a structure: give its members, as in `{.value = 3}`");
    assert_eq!(said("c = \"a"), "`c` in the input, character 5: the closing \" is missing");
    assert_eq!(said("5"), "the input, character 1: a name and `=` are missing, as in `n = 3`");
    assert!(said("zz = 1").starts_with("`zz` in the input, character 1: the function has no such input: it has `c`, `k`, `t`, `one`"));
    assert_eq!(said("t = {1, … 7 more}"), "`t` in the input, character 9: “…” leaves elements out: give them all, or the input as JSON");
}
