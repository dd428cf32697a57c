//! Memory that calls leave in statics: tests begin with the calls that leave it, and their evidence runs them.

use super::nodes::verdicts;
use crate::common::asking::{about, ask, rejected};
use culdesac::view::Request;
use serde_json::{Value, json};

const STACK: &str = include_str!("../suites/programs/static_stack.c");
const NAMES: &str = include_str!("../suites/programs/static_names.c");

#[test]
fn calls_leave_memory() {
    for (source, function, covered) in [(STACK, "push", 2), (STACK, "add", 4), (NAMES, "enter", 12), (NAMES, "leave", 8)] {
        assert_eq!(verdicts(source, function), [covered, 0, 0], "{function}");
    }
}

/// Also where some calls do not know all of it, where it moves, and where a part of it was never set.
#[test]
fn what_a_call_does_not_use_stays() {
    let program = "#include <stdlib.h>
        struct pair { int *a; int b; }; static struct pair *all; static int n;
        int more(int b) { struct pair *p = realloc(all, (n + 1) * sizeof *p); if (!p) return 0; all = p; all[n].a = NULL; all[n].b = b; n++; return n; }
        int set(int i, int x) { if (i < 0 || i >= n || all[i].a) return 0; all[i].a = malloc(2 * sizeof(int)); if (!all[i].a) return 0; all[i].a[1] = x; return 1; }
        int size(void) { return n; }
        int look(int i) { if (i < 0 || i >= n) return 0; if (!all[i].a) return 1; if (all[i].a[1] == 3 && all[i].b == 2) return 2; return 3; }";
    assert_eq!(verdicts(program, "look"), [10, 0, 0]);
    let never_set = "#include <stdlib.h>\nstruct cell { struct cell *next; int v; }; static struct cell *first;
        int make(void) { first = malloc(sizeof *first); if (!first) return 0; first->v = 1; return 1; }
        int f(void) { if (!first) return 0; if (first->next) return 1; return 2; }";
    // Both sides of the last decision read a pointer that no call sets.
    assert_eq!(verdicts(never_set, "f"), [2, 0, 2]);
}

/// Memory that no call leaves is no start of a test.
#[test]
fn evidence_says_which_calls_leave_it() {
    let request = Request { function: Some("add".to_owned()), ..about(STACK, Some(2_000_000)) };
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("an answer");
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new());
    let evidence = serde_json::to_value(&answered.evidence).expect("plain data");
    for name in ["item.value", "item.below"] {
        let mut forged = evidence.clone();
        assert!(forge(&mut forged, name), "{name}: {evidence}");
        let forged = serde_json::from_value(forged).expect("evidence");
        assert_ne!(rejected(&forged), Vec::<String>::new(), "{name}");
    }
    // A value where the calls leave 0, and one of a node to which nothing leads.
    for index in ["1", "99"] {
        let mut forged = evidence.clone();
        assert!(add(&mut forged, "item.value", index), "{evidence}");
        assert_ne!(rejected(&serde_json::from_value(forged).expect("evidence")), Vec::<String>::new(), "{index}");
    }
}

/// Gives an element of an array that starts with a state of calls a value that it does not have.
fn add(value: &mut Value, name: &str, index: &str) -> bool {
    match value {
        Value::Object(members) => {
            let is_after = members.contains_key("after");
            if is_after && let Some(Value::Object(elements)) = members.get_mut("input").and_then(|input| input.get_mut(name)) {
                let before = elements.get(index).and_then(Value::as_i64).unwrap_or(0);
                elements.insert(index.to_owned(), json!(before + 77));
                return true;
            }
            members.values_mut().any(|inner| add(inner, name, index))
        }
        Value::Array(all) => all.iter_mut().any(|inner| add(inner, name, index)),
        _ => false,
    }
}

/// Changes the first number that an array of this name has in an input; gives whether there is one.
fn forge(value: &mut Value, name: &str) -> bool {
    match value {
        Value::Object(members) => {
            if let Some(Value::Object(elements)) = members.get_mut(name)
                && let Some(element) = elements.values_mut().find(|element| element.as_i64().is_some_and(|number| number > 0))
            {
                *element = json!(element.as_i64().unwrap_or(0) + 1);
                return true;
            }
            members.values_mut().any(|inner| forge(inner, name))
        }
        Value::Array(all) => all.iter_mut().any(|inner| forge(inner, name)),
        _ => false,
    }
}
