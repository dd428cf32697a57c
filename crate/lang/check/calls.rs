//! Recursion: calls are inlined, so the call graph must have no cycle.

use super::super::ast::Function;
use super::Checker;
use crate::source::Diagnostic;

impl Checker<'_> {
    /// Reports every call that closes a cycle, naming the cycle.
    pub(super) fn recursion(&mut self, functions: &[Function]) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; functions.len()];
        for root in 0..functions.len() {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::Open;
            // The path from the root: each function with the next call to look at.
            let mut path = vec![(root, 0)];
            while let Some((function, next)) = path.last_mut() {
                let Some(&(callee, span)) = self.calls[*function].get(*next) else {
                    marks[*function] = Mark::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                match marks[callee] {
                    Mark::Done => {}
                    Mark::New => {
                        marks[callee] = Mark::Open;
                        path.push((callee, 0));
                    }
                    Mark::Open => {
                        let start = path.iter().position(|&(f, _)| f == callee).unwrap_or(0);
                        let mut names: Vec<&str> = path[start..].iter().map(|&(f, _)| functions[f].name.text.as_str()).collect();
                        if names.len() > 8 {
                            names.truncate(8);
                            names.push("…");
                        }
                        names.push(&functions[callee].name.text);
                        let name = &functions[callee].name.text;
                        let message = if path.len() - start == 1 {
                            format!("`{name}` calls itself: recursion is not supported")
                        } else {
                            format!("recursion is not supported: {}", names.join(" → "))
                        };
                        self.report(
                            Diagnostic::error("unsupported-recursion", span, message)
                                .label("this call closes the cycle")
                                .help("write it as a loop")
                                .related(functions[callee].name.span, "defined here"),
                        );
                    }
                }
            }
        }
    }
}
