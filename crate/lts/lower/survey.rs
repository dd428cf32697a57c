//! What a program's functions do with what all of them share: which function writes what, and which calls which.

use super::uses::addresses;
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Program, Stmt};
use crate::lang::intrinsic;
use crate::logic::{SortedMap, SortedSet};

/// What a program's functions do with addresses and with what all of them share.
#[derive(Default)]
pub(in crate::lts) struct Survey {
    /// For each function (by its index) the globals and statics that it may write to, and what it calls.
    pub writes: Vec<SortedSet<DeclId>>,
    pub calls: Vec<SortedSet<usize>>,
    /// For each function the variables that it names, and whether it calls functions without a body.
    pub names: Vec<SortedSet<DeclId>>,
    pub leaves: Vec<bool>,
}

impl Survey {
    pub fn of(program: &Program) -> Survey {
        let numbers: SortedMap<&str, usize> = program.functions.iter().zip(0..).map(|(f, i)| (f.name.text.as_str(), i)).collect();
        let mut survey = Survey::default();
        for function in &program.functions {
            survey.writes.push(SortedSet::new());
            survey.calls.push(SortedSet::new());
            survey.names.push(SortedSet::new());
            survey.leaves.push(false);
            let mut open: Vec<&Stmt> = function.body.iter().collect();
            while let Some(stmt) = open.pop() {
                stmt.expressions(&mut |e| survey.look(program, &numbers, e));
                stmt.children(&mut |child| open.push(child));
            }
        }
        survey
    }

    fn look(&mut self, program: &Program, numbers: &SortedMap<&str, usize>, e: &Tree) {
        let at = self.writes.len() - 1;
        let written = |place: &Tree| place.root().and_then(|name| name.decl);
        match &e.kind {
            ExprKind::Name(name) => {
                self.names[at].extend(name.decl);
                // The array is reached by the pointer.
                let led_to = name.decl.and_then(|decl| program.nodes.static_pointers.get(&decl));
                self.names[at].extend(led_to.map(|target| target.array));
            }
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => self.writes[at].extend(written(target)),
            ExprKind::AddressOf(inner) => self.writes[at].extend(written(inner)),
            ExprKind::Call(name, arguments) => match numbers.get(name.text.as_str()) {
                Some(&function) => {
                    self.calls[at].insert(function);
                    for (_, argument) in program.functions[function].parameters.iter().zip(arguments) {
                        // A function that gets an address may write there.
                        let writes = &mut self.writes[at];
                        addresses(program, argument, &mut |decl| writes.extend([decl]));
                    }
                }
                None if intrinsic::only_draws(&name.text, arguments.len()) => {}
                None if intrinsic::find(&name.text).is_some() => {
                    let writes = &mut self.writes[at];
                    arguments.iter().for_each(|argument| addresses(program, argument, &mut |decl| writes.extend([decl])));
                }
                None => self.leaves[at] = true,
            },
            _ => {}
        }
        e.kind.children(&mut |child| self.look(program, numbers, child));
    }

    /// These functions, and all that they call but for what is left out.
    pub fn called_by(&self, mut open: Vec<usize>, out: &SortedSet<usize>) -> SortedSet<usize> {
        let mut seen: SortedSet<usize> = open.iter().copied().collect();
        while let Some(function) = open.pop() {
            open.extend(self.calls[function].iter().copied().filter(|next| !out.contains(next) && seen.insert(*next)));
        }
        seen
    }
}
