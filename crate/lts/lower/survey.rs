//! What a program's functions do with what all of them share: who writes what, who calls whom, and what functions without a body get.

use super::uses::addresses;
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Init, Linkage, Program, Stmt, StmtKind};
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
    /// Whose values a pointer may be.
    sources: SortedMap<DeclId, SortedSet<DeclId>>,
    /// What goes to functions without a body.
    pub escaped: SortedSet<DeclId>,
    pub locals: Vec<Vec<DeclId>>,
}

impl Survey {
    pub fn of(program: &Program) -> Survey {
        let numbers: SortedMap<&str, usize> = program.functions.iter().zip(0..).map(|(f, i)| (f.name.text.as_str(), i)).collect();
        let mut survey = Survey::default();
        // What stands in globals is there for all to see.
        let seen = program.decls.iter().zip(0..).filter(|(decl, _)| decl.linkage != Linkage::Internal);
        survey.escaped.extend(seen.map(|(_, id)| DeclId(id)));
        // And so may be what pointers at file scope lead to.
        survey.escaped.extend(program.pointed.iter().copied());
        for function in &program.functions {
            survey.writes.push(SortedSet::new());
            survey.calls.push(SortedSet::new());
            survey.names.push(SortedSet::new());
            survey.leaves.push(false);
            survey.locals.push(function.parameters.iter().map(|parameter| parameter.decl).collect());
            let mut open: Vec<&Stmt> = function.body.iter().collect();
            while let Some(stmt) = open.pop() {
                if let StmtKind::Declare(_, list) = &stmt.kind {
                    for declarator in list {
                        survey.locals.last_mut().into_iter().for_each(|locals| locals.push(declarator.decl));
                        if let Some(Init::Expr(e)) = &declarator.init {
                            survey.flows(program, declarator.decl, e);
                        }
                    }
                }
                // Whoever calls it has the address of what outlives the call.
                if let StmtKind::Return(Some(e)) = &stmt.kind {
                    let outlives = |decl: DeclId| program.decl(decl).storage.lasts();
                    addresses(program, e, &mut |decl| survey.escaped.extend(Some(decl).filter(|&decl| outlives(decl))));
                }
                stmt.expressions(&mut |e| survey.look(program, &numbers, e));
                stmt.children(&mut |child| open.push(child));
            }
        }
        survey
    }

    fn flows(&mut self, program: &Program, to: DeclId, from: &Tree) {
        addresses(program, from, &mut |decl| {
            self.sources.entry(to).or_default().insert(decl);
        });
    }

    fn look(&mut self, program: &Program, numbers: &SortedMap<&str, usize>, e: &Tree) {
        let at = self.writes.len() - 1;
        let written = |place: &Tree| place.root().and_then(|name| name.decl);
        match &e.kind {
            ExprKind::Name(name) => self.names[at].extend(name.decl),
            ExprKind::Assign { target, value, .. } => {
                self.writes[at].extend(written(target));
                match written(target) {
                    // What a structure or an array holds may go wherever that goes.
                    Some(to) => self.flows(program, to, value),
                    None => addresses(program, value, &mut |decl| self.escaped.extend([decl])),
                }
            }
            ExprKind::Step { target, .. } => self.writes[at].extend(written(target)),
            ExprKind::AddressOf(inner) => self.writes[at].extend(written(inner)),
            ExprKind::Call(name, arguments) => match numbers.get(name.text.as_str()) {
                Some(&function) => {
                    self.calls[at].insert(function);
                    for (parameter, argument) in program.functions[function].parameters.iter().zip(arguments) {
                        self.flows(program, parameter.decl, argument);
                        // A function that gets an address may write there.
                        let writes = &mut self.writes[at];
                        addresses(program, argument, &mut |decl| writes.extend([decl]));
                    }
                }
                None if intrinsic::is_of_tables(&name.text) || intrinsic::only_draws(&name.text, arguments.len()) => {}
                None if intrinsic::find(&name.text).is_some() => {
                    let writes = &mut self.writes[at];
                    arguments.iter().for_each(|argument| addresses(program, argument, &mut |decl| writes.extend([decl])));
                }
                None => {
                    self.leaves[at] = true;
                    for argument in arguments {
                        addresses(program, argument, &mut |decl| self.escaped.extend([decl]));
                    }
                }
            },
            _ => {}
        }
        e.kind.children(&mut |child| self.look(program, numbers, child));
    }

    /// All that is reached from what goes to functions without a body.
    pub fn spread(&mut self) {
        let mut open: Vec<DeclId> = self.escaped.iter().copied().collect();
        while let Some(decl) = open.pop() {
            for &source in self.sources.get(&decl).into_iter().flatten() {
                if self.escaped.insert(source) {
                    open.push(source);
                }
            }
        }
    }

    /// These functions, and all that they call but for what is left out.
    pub fn called_by(&self, mut open: Vec<usize>, out: &SortedSet<usize>) -> SortedSet<usize> {
        let mut seen: SortedSet<usize> = open.iter().copied().collect();
        while let Some(function) = open.pop() {
            open.extend(self.calls[function].iter().copied().filter(|next| !out.contains(next) && seen.insert(*next)));
        }
        seen
    }

    /// What these functions write, with all that they call.
    pub fn written_by(&self, open: Vec<usize>) -> SortedSet<DeclId> {
        self.called_by(open, &SortedSet::new()).iter().flat_map(|&function| self.writes[function].iter().copied()).collect()
    }
}
