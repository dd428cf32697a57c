//! The functions in which a branch is judged.
//!
//! A function that other parts of the program can call is judged by itself: with any arguments. A static function whose address is not taken
//! has only the callers in its file: its branches are judged in the functions from which calls lead to it, and a branch is infeasible only if
//! it is in all of them. Where a part of the program is not understood, that part may call any function: each is judged by itself then.

use crate::lang::ast::{Expr, ExprKind, Function, Program, Stmt};
use crate::logic::{SortedMap, SortedSet};

/// The functions of a program that are analysed, and which functions of the text each of them judges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// For each own function of the program, in the order of the text, the functions in which its branches are judged.
    pub of: SortedMap<String, Vec<String>>,
}

impl Entries {
    /// The entries of a program; with `only` this function alone, which judges itself and all static and other functions that it calls.
    /// `is_whole` says whether all of the program is understood.
    pub fn of(program: &Program, only: Option<&str>, is_whole: bool) -> Entries {
        let calls: SortedMap<&str, SortedSet<&str>> =
            program.own().map(|function| (function.name.text.as_str(), called(function))).collect();
        let reached = |entry: &str, through: &dyn Fn(&str) -> bool| {
            let mut seen: SortedSet<String> = SortedSet::new();
            let mut open = vec![entry.to_owned()];
            while let Some(name) = open.pop() {
                for &next in calls.get(name.as_str()).into_iter().flatten().filter(|next| through(next)) {
                    if calls.contains_key(next) && seen.insert(next.to_owned()) {
                        open.push(next.to_owned());
                    }
                }
            }
            seen
        };
        let mut entries = Entries::default();
        if let Some(only) = only {
            let judged = reached(only, &|_| true).into_iter().chain([only.to_owned()]);
            entries.of = judged.map(|name| (name, vec![only.to_owned()])).collect();
            return entries;
        }
        let is_hidden = |function: &Function| {
            let name = &function.name.text;
            is_whole && function.is_static && !program.addressed.contains(name) && !program.interrupts.contains(name)
        };
        let hidden: SortedSet<&str> =
            program.own().filter(|function| is_hidden(function)).map(|function| function.name.text.as_str()).collect();
        for function in program.own().filter(|function| !hidden.contains(function.name.text.as_str())) {
            let name = &function.name.text;
            entries.of.entry(name.clone()).or_default().push(name.clone());
            for callee in reached(name, &|next| hidden.contains(next)) {
                entries.of.entry(callee).or_default().push(name.clone());
            }
        }
        // A function that no call leads to is judged by itself: it may be called one day.
        for name in hidden {
            entries.of.entry(name.to_owned()).or_insert_with(|| vec![name.to_owned()]);
        }
        entries
    }

    /// The functions to analyse, each once, in the order of the text.
    pub fn all(&self, program: &Program) -> Vec<String> {
        let used: SortedSet<&String> = self.of.values().flatten().collect();
        program.own().map(|function| function.name.text.clone()).filter(|name| used.contains(name)).collect()
    }
}

/// The functions that a function calls by name.
fn called(function: &Function) -> SortedSet<&str> {
    let mut names = SortedSet::new();
    let mut open: Vec<&Stmt> = function.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.expressions(&mut |e| named(e, &mut names));
        stmt.children(&mut |child| open.push(child));
    }
    names
}

fn named<'e>(e: &'e Expr, names: &mut SortedSet<&'e str>) {
    if let ExprKind::Call(name, _) = &e.kind {
        names.insert(&name.text);
    }
    e.kind.children(&mut |child| named(child, names));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_functions_are_judged_in_their_callers() {
        let source = "static int c(int x) { return x > 1; }\n\
                      static int b(int x) { return c(x); }\n\
                      int a(int x) { return b(x); }\n\
                      int d(int x) { return c(x) + a(x); }\n\
                      static int alone(int x) { return c(x); }\n\
                      static int handler(int x) { return x; }\n\
                      int (*table[1])(int) = { handler };\n";
        let program = crate::lang::parse(source).program.expect("no error");
        let entries = Entries::of(&program, None, true);
        let of = |name: &str| entries.of[name].join(" ");
        // A call of a function that others can call leads to what that function judges.
        assert_eq!((of("a"), of("b"), of("c"), of("d")), ("a".into(), "a".into(), "a d".into(), "d".into()));
        assert_eq!((of("alone"), of("handler")), ("alone".into(), "handler".into()));
        assert_eq!(entries.all(&program), ["a", "d", "alone", "handler"]);
        assert_eq!(Entries::of(&program, None, false).of["c"], ["c"]);
        let main = Entries::of(&program, Some("d"), true);
        assert_eq!(main.of.keys().cloned().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    }
}
