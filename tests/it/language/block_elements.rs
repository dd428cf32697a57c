//! Blocks of structures and of pointers: dynamic arrays of records, tables of lists, words, rows, and the command line.

use super::blocks::{numbers_below, programs_run_as_gcc_runs_them};
use super::nodes::{lowered, result, verdicts};
use crate::common::asking::{about, ask, rejected};
use crate::differential::random;
use culdesac::interp::{Outcome, run};
use culdesac::view::{Request, read_line};
use serde_json::json;

const RECORDS: &str = "#include <stdlib.h>
#include <string.h>
    struct record { char tag[6]; int key; struct { short x, y; } at; };
    struct records { struct record *all; int count, room; };
    int add(struct records *r, int key) {
        if (r->count == r->room) {
            struct record *all = realloc(r->all, (r->room + 2) * sizeof *all);
            if (!all) return 0;
            r->all = all;
            r->room += 2;
        }
        r->all[r->count].key = key;
        r->all[r->count].at.x = r->count;
        r->all[r->count].tag[1] = 'a' + r->count;
        r->count++;
        return 1;
    }
    struct record *find(struct records *r, int key) { for (struct record *p = r->all; p < r->all + r->count; p++) if (p->key == key) return p; return NULL; }
    int keys(const struct record *p, int n) { int s = 0; while (n-- > 0) s = s * 10 + p++->key; return s; }";

fn with_records(statements: &str) -> Result<i64, String> {
    result(&format!("{RECORDS} int main(void) {{ struct records r = {{NULL, 0, 0}}; add(&r, 3); add(&r, 1); add(&r, 2); {statements} }}"))
}

#[test]
fn blocks_of_structures_are_followed() {
    assert_eq!(with_records("return keys(r.all, 3);"), Ok(312));
    assert_eq!(with_records("return keys(r.all + 1, 2) * 10 + r.all->key;"), Ok(123));
    assert_eq!(
        with_records("struct record t = r.all[0]; r.all[0] = r.all[2]; r.all[2] = t; return keys(r.all, 3) * 10 + r.all[2].at.x;"),
        Ok(2130)
    );
    assert_eq!(with_records("r.all[1].at.y = 7; *r.all = r.all[1]; return r.all->at.y * 10 + (*r.all).key;"), Ok(71));
    assert_eq!(
        with_records("struct record *p = find(&r, 1); p->key = 9; p->tag[0] = 'z'; return keys(r.all, 3) * 1000 + r.all[1].tag[0];"),
        Ok(392_122)
    );
    assert_eq!(with_records("return find(&r, 8) == NULL ? (int)(find(&r, 2) - r.all) : 9;"), Ok(2));
    assert_eq!(with_records("return r.all[2].tag[1] * 10 + (int)(sizeof *r.all / 4);"), Ok(994));
    assert_eq!(
        with_records(
            "struct records s = {calloc(2, sizeof(struct record)), 2, 2}; return s.all[1].key + s.all[1].tag[5] + s.all[0].at.y + 5;"
        ),
        Ok(5)
    );
    assert_eq!(
        with_records(
            "r.all = realloc(r.all, 2 * sizeof(struct record)); r.count = r.room = 2; add(&r, 5); return keys(r.all, 3) * 10 + r.all[1].at.x;"
        ),
        Ok(3151)
    );
    assert_eq!(with_records("int *p = &r.all[1].key; *p += 4; return keys(r.all, 3);"), Ok(352));
}

const POINTERS: &str = "#include <stdlib.h>
#include <string.h>
    struct node { int key; struct node *next; };
    struct table { struct node **heads; int size; };
    struct words { char **all; int count; };
    static char *copied(const char *s) { char *made = malloc(strlen(s) + 1); if (made) strcpy(made, s); return made; }
    void put(struct table *t, int key) { struct node *n = malloc(sizeof *n); n->key = key; n->next = t->heads[key % t->size]; t->heads[key % t->size] = n; }
    int length(const struct table *t, int at) { int n = 0; for (const struct node *p = t->heads[at]; p; p = p->next) n++; return n; }
    void say(struct words *w, const char *s) { w->all = realloc(w->all, (w->count + 1) * sizeof(char *)); w->all[w->count++] = copied(s); }
    int longest(char **all, int n) { int most = 0; for (int i = 0; i < n; i++) if (strlen(all[i]) > strlen(all[most])) most = i; return most; }
    int **rows(int n) { int **made = malloc(n * sizeof *made); for (int i = 0; i < n; i++) { made[i] = calloc(n, sizeof(int)); made[i][i] = i + 1; } return made; }
    int trace(int *const *m, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 10 + m[i][i]; return s; }";

fn with_pointers(statements: &str) -> Result<i64, String> {
    result(&format!(
        "{POINTERS} int main(void) {{ struct table t = {{calloc(3, sizeof(struct node *)), 3}}; struct words w = {{NULL, 0}};
        put(&t, 4); put(&t, 1); put(&t, 5); say(&w, \"ab\"); say(&w, \"cde\"); say(&w, \"\"); {statements} }}"
    ))
}

#[test]
fn blocks_of_pointers_are_followed() {
    assert_eq!(with_pointers("return length(&t, 0) * 100 + length(&t, 1) * 10 + length(&t, 2);"), Ok(21));
    assert_eq!(with_pointers("return t.heads[1]->key * 10 + t.heads[1]->next->key;"), Ok(14));
    assert_eq!(
        with_pointers(
            "struct node *n = t.heads[2]; t.heads[2] = t.heads[1]; t.heads[1] = n; return t.heads[1]->key * 10 + (*t.heads == NULL);"
        ),
        Ok(51)
    );
    assert_eq!(with_pointers("return longest(w.all, w.count) * 1000 + w.all[1][2];"), Ok(1101));
    assert_eq!(
        with_pointers(
            "char *s = w.all[0]; w.all[0] = w.all[1]; w.all[1] = s; return strcmp(w.all[0], \"cde\") == 0 && **w.all == 'c' && *w.all[1] == 'a';"
        ),
        Ok(1)
    );
    assert_eq!(with_pointers("for (int i = 0; i < w.count; i++) free(w.all[i]); free(w.all); w.all = NULL; return w.all == NULL;"), Ok(1));
    assert_eq!(with_pointers("int **m = rows(3); m[0][2] = 8; return trace(m, 3) * 10 + m[0][2];"), Ok(1238));
    assert_eq!(with_pointers("int **m = rows(2), *row = m[0]; m[0] = m[1]; m[1] = row; return m[0][1] * 10 + m[1][0];"), Ok(21));
    assert_eq!(with_pointers("char **p = w.all; p++; return (*p)[1];"), Ok(100));
}

#[test]
fn undefined_uses_of_elements_are_named() {
    let is = |reason: Result<i64, String>, word: &str| {
        let reason = reason.expect_err(word);
        assert!(reason.contains(word), "{word}: {reason}");
    };
    is(with_records("return r.all[4].key;"), "index");
    is(with_records("return r.all[-1].at.x;"), "index");
    is(with_records("struct record *p = find(&r, 9); return p->key;"), "null pointer");
    is(with_records("struct record *p = r.all; free(r.all); return p->key;"), "freed memory");
    is(with_pointers("return t.heads[3] == NULL;"), "index");
    is(with_pointers("return t.heads[0]->key;"), "null pointer");
    is(with_pointers("struct node **made = malloc(2 * sizeof *made); return made[1]->key;"), "never set");
    is(with_pointers("w.all = realloc(w.all, 5 * sizeof *w.all); return w.all[4][0];"), "never set");
    is(with_pointers("free(w.all[1]); return w.all[1][0];"), "freed memory");
    is(with_pointers("free(w.all[1]); free(w.all[1]); return 0;"), "freed memory");
    is(with_pointers("int **m = rows(2); free(m[1]); free(m); return m[0][0];"), "freed memory");
    is(with_pointers("int **m = rows(2); return m[1][2];"), "index");
}

/// The fields of the elements of a caller's block are free; what holds of all of them is proved.
#[test]
fn elements_of_callers_are_free() {
    let of = |source: &str| verdicts(source, "f");
    assert_eq!(
        of(&format!(
            "{RECORDS} int f(struct records *r, int i) {{ if (r->all[i].key > 3) {{ if (r->all[i].key < 2) return 1; return 2; }} return r->all[i].tag[0] == 'x'; }}"
        ))[1..],
        [1, 0]
    );
    assert_eq!(
        of(&format!(
            "{POINTERS} int f(struct table *t) {{ if (!t->heads[1]) return 0; put(t, 1); if (t->heads[1] == NULL) return 1; if (t->heads[1]->next == NULL) return 2; return 3; }}"
        ))[2],
        0
    );
    assert_eq!(
        of(&format!(
            "{POINTERS} int f(int **m, int n) {{ if (n < 2) return 0; m[0][0] = 1; m[1][0] = 2; if (m[0] != m[1] && m[0][0] == 2) return 1; return 2; }}"
        ))[1..],
        [1, 0]
    );
}

/// A call may give no memory where the program asks, also in a list of first values.
#[test]
fn memory_of_elements_may_be_missing() {
    let of = |body: &str| verdicts(&format!("{POINTERS} int f(void) {{ {body} }}"), "f");
    assert_eq!(of("struct table t = {calloc(3, sizeof(struct node *)), 3}; if (!t.heads) return 1; return 2;"), [2, 0, 0]);
    assert_eq!(of("struct table t; t.heads = malloc(2 * sizeof *t.heads); if (t.heads) return 1; return 2;"), [2, 0, 0]);
    assert_eq!(of("struct table t[2] = {{calloc(2, sizeof *t->heads), 2}}; return t[0].heads == NULL ? 1 : t[1].heads == NULL;")[0], 2);
}

/// A pointer that may not be null has a value also where a path does not use it.
#[test]
fn pointers_that_no_path_uses_have_values() {
    let source = "#include <stdlib.h>\nstruct tree { struct tree **all; int count; };
        int f(struct tree *t, struct tree *added) {
            struct tree **more = realloc(t->all, (t->count + 1) * sizeof *more);
            if (!more) return 0;
            t->all = more; more[t->count++] = added; return 1; }";
    assert_eq!(verdicts(source, "f"), [2, 0, 0]);
}

const COMMAND: &str = "#include <stdlib.h>
#include <string.h>
    int main(int argc, char **argv) { int i, loud = 0;
        for (i = 1; i < argc; i++) {
            if (argv[i] == NULL) return 7;
            if (strcmp(argv[i], \"-v\") == 0) loud = 1; else if (argv[i][0] == '-') return 1;
        }
        if (argv[argc]) return 8;
        return loud ? 2 : 3; }";

/// The command line has as many arguments as `argc` says, and a null pointer behind them.
#[test]
fn arguments_by_any_index_are_followed() {
    assert_eq!(verdicts(COMMAND, "main"), [10, 2, 0]);
    let lts = lowered(COMMAND, "main").expect("no error").lts;
    let gives = |line: &str| {
        let given = read_line(&lts, line).unwrap_or_else(|error| panic!("{error}"));
        let input = culdesac::view::input(&given).expect("an input");
        let run = run(&lts, &input, 10_000);
        assert_eq!(run.outcome, Outcome::Returned, "{line}");
        run.value.and_then(|value| value.to_i64())
    };
    assert_eq!(gives("argc = 1"), Some(3));
    assert_eq!(gives("argc = 3, argv[2] = \"-v\""), Some(2));
    assert_eq!(gives("argv[1] = \"-x\""), Some(1));
    assert_eq!(gives("argc = 0"), Some(3));
    // No program starts with fewer arguments, or with one that does not end: that is no error of this one.
    let request = Request { function: Some("main".to_owned()), ..about(COMMAND, Some(2_000_000)) };
    let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
    let answered = ask("cover", &request, &settings, &mut |_| true).expect("an answer");
    assert_eq!(answered.document["errors"], json!([]), "{}", answered.document["errors"]);
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new());
    let beyond = COMMAND.replace("argv[argc]", "argv[argc + 1]");
    let answered =
        ask("cover", &Request { function: Some("main".to_owned()), ..about(&beyond, Some(2_000_000)) }, &settings, &mut |_| true);
    assert_ne!(answered.expect("an answer").document["errors"], json!([]));
}

/// An argument is no pointer that moves, though one that moves is compared with it, also where a function gets all of them.
#[test]
fn arguments_are_compared_with_pointers_that_move() {
    for source in [
        "#include <stdlib.h>\nint main(int argc, char **argv) { if (argc < 2) return 0; char *end; long v = strtol(argv[1], &end, 10); \
         if (end == argv[1] || *end) return 2; return v == 7; }",
        "#include <stdlib.h>\nstruct s { char *rest; };\nstatic int f(struct s *s, char **list) { long v = strtol(list[1], &s->rest, 10); \
         return s->rest == list[1] ? -1 : v > 6; }\nint main(int argc, char **argv) { struct s s = {0}; return argc > 1 ? f(&s, argv) : 0; }",
    ] {
        let lts = lowered(source, "main").expect("no error").lts;
        let gives = |line: &str| {
            let given = read_line(&lts, line).unwrap_or_else(|error| panic!("{error}"));
            run(&lts, &culdesac::view::input(&given).expect("an input"), 10_000).value.and_then(|value| value.to_i64())
        };
        assert_eq!(gives("argc = 2, argv[1] = \"7\""), Some(1), "{source}");
        assert_ne!(gives("argc = 2, argv[1] = \"x\""), gives("argc = 2, argv[1] = \"0\""), "{source}");
        let request = Request { function: Some("main".to_owned()), ..about(source, Some(300_000)) };
        let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
        let answered = ask("cover", &request, &settings, &mut |_| true).expect("an answer");
        assert_eq!(answered.document["errors"], json!([]), "{}", answered.document["errors"]);
    }
}

/// Nothing is said of arguments that a program changes.
#[test]
fn arguments_that_change_are_no_command_line() {
    for change in ["argv[1] = NULL;", "char **p = argv; *p = NULL; p[1] = NULL;", "argv[1] = argv[2];"] {
        let source = format!(
            "#include <stdlib.h>\nint main(int argc, char **argv) {{ if (argc != 2) return 0; {change} for (int i = 1; i < argc; i++) if (argv[i] == NULL) return 1; return 2; }}"
        );
        let infeasible = infeasible_in_main(&source);
        assert!(!infeasible.contains(&"argv[i] == NULL".to_owned()), "{change}: {infeasible:?}");
    }
}

/// The branches of `main` that no execution takes.
fn infeasible_in_main(source: &str) -> Vec<String> {
    let request = Request { function: Some("main".to_owned()), ..about(source, Some(2_000_000)) };
    let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
    let answered = ask("cover", &request, &settings, &mut |_| true).expect("an answer");
    let texts = answered.document["infeasible"].as_array().into_iter().flatten().map(|one| one["text"].as_str());
    texts.flatten().map(str::to_owned).collect()
}

/// Programs with a table of lists, records, words and rows, whose random operations the number says.
fn random_program(number: u64) -> String {
    let mut below = numbers_below(number);
    let records = RECORDS.replace("if (!all) return 0;", "");
    let pointers = POINTERS.replace("#include <stdlib.h>\n#include <string.h>", "").replace("if (made) ", "");
    let mut text = format!(
        "{records}\n{pointers}
        void cut(struct records *r) {{ if (r->count == 0) return; r->all = realloc(r->all, r->count * sizeof(struct record)); r->room = r->count; }}
        void sort(struct records *r) {{ for (int i = 1; i < r->count; i++) for (int j = i; j > 0 && r->all[j - 1].key > r->all[j].key; j--)
            {{ struct record t = r->all[j]; r->all[j] = r->all[j - 1]; r->all[j - 1] = t; }} }}
        int take(struct table *t, int at) {{ struct node *n = t->heads[at]; int key; if (!n) return -1; key = n->key; t->heads[at] = n->next; free(n); return key; }}
        int f(int a, int b, int c) {{ struct records r = {{NULL, 0, 0}}; struct table t = {{calloc(3, sizeof(struct node *)), 3}};
            struct words w = {{NULL, 0}}; int **m = rows(2), s = 0;\n"
    );
    for _ in 0..4 + below(7) {
        let value = ["a", "b", "c", "s", "1", "2"][below(6) as usize];
        text.push_str(&match below(14) {
            0..=2 => format!("add(&r, {value} & 3);"),
            3 => "cut(&r);".to_owned(),
            4 => "sort(&r); s += keys(r.all, r.count) & 255;".to_owned(),
            5 => format!("if (find(&r, {value} & 3)) find(&r, {value} & 3)->at.y = {value} & 7;"),
            6 => "for (int i = 0; i < r.count; i++) s += r.all[i].tag[1] - 'a' + r.all[i].at.x;".to_owned(),
            7 | 8 => format!("put(&t, {value} & 7);"),
            9 => format!("s += take(&t, ({value} & 7) % 3) * 3; s += length(&t, ({value} & 7) % 3);"),
            10 => format!("say(&w, {value} > 1 ? \"ab\" : \"c\"); s += w.all[w.count - 1][0] & 3;"),
            11 => "s = s * 3 + (w.count ? longest(w.all, w.count) : 0);".to_owned(),
            12 => format!("m[{value} & 1][1] += {value} & 15; s += trace(m, 2);"),
            _ => "if (a > b) { int *row = m[0]; m[0] = m[1]; m[1] = row; }".to_owned(),
        });
        text.push('\n');
    }
    text.push_str(
        "s = s * 7 + r.count * 2 + w.count; while (w.count > 0) free(w.all[--w.count]); free(w.all); free(r.all);
        for (int i = 0; i < 3; i++) while (t.heads[i]) take(&t, i); free(t.heads); free(m[0]); free(m[1]); free(m); return s; }\n",
    );
    text
}

#[test]
fn random_elements_run_as_gcc_runs_them() {
    programs_run_as_gcc_runs_them("elements", random::numbers(12), random_program);
}
