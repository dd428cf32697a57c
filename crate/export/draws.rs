//! What stubs and marks give in a test.

use super::step::TestStep;
use super::stubs::{StubCase, StubKind};
use super::test::{StubLists, TestWriter};
use super::types::{constant, name_of};
use crate::lang::intrinsic::DUPLICATE;
use crate::lang::library;
use crate::lang::types::Integer;
use crate::logic::Int;

impl TestWriter<'_> {
    /// What calls of stubs and reads of volatile objects give.
    ///
    /// # Errors
    /// What no stub can give, in a sentence.
    pub fn drawn(&self, number: usize, step: &TestStep, lists: &mut StubLists) -> Result<(), String> {
        for (function, calls) in step.script.calls.iter() {
            if let Some(stem) = self.hooks.giving.get(function) {
                let ty = self
                    .types
                    .program
                    .function(function)
                    .and_then(|(_, function)| function.gives_anything(self.types.program.abi))
                    .unwrap_or(Integer::Int);
                let values = calls.iter().map(|call| constant(ty, self.types.program.abi, &call.value.clone().unwrap_or_default()));
                lists.values.entry((stem.clone(), name_of(ty))).or_default().extend(values);
                continue;
            }
            let is_nothing = |call: &super::script::StubCall| {
                call.value.as_ref().is_none_or(Int::is_zero) && !call.fails && call.writes.iter().all(|write| write.elements.is_empty())
            };
            let Some(stub) = self.stubs.find(function) else {
                // The C library gives memory where no test says otherwise.
                if calls.iter().all(is_nothing) {
                    continue;
                }
                if function == DUPLICATE {
                    return Err("`strdup` gets no memory in it, which no test can ask for".to_owned());
                }
                return Err(format!("`{function}` leads to a function of another part of the program"));
            };
            // A pointer that the library gives is not followed: any address will do.
            let is_address = stub.kind == StubKind::Pointer && library::is_drawn(function);
            if let (StubKind::Pointer | StubKind::Structure, true, false) =
                (&stub.kind, calls.iter().any(|call| call.value.as_ref().is_some_and(|value| !value.is_zero())), is_address)
            {
                return Err(format!("`{function}` gives a pointer to an object of another part of the program"));
            }
            if !self.has_cases(function) {
                if let StubKind::Gives(Some(ty)) = &stub.kind {
                    let given = calls.iter().filter(|call| call.value.is_some());
                    let values = given.map(|call| constant(*ty, self.types.program.abi, &call.value.clone().unwrap_or_default()));
                    let mut values = values.peekable();
                    if values.peek().is_some() {
                        lists.values.entry((stub.stem.clone(), name_of(*ty))).or_default().extend(values);
                    }
                }
                continue;
            }
            let count = lists.counts.entry(function.clone()).or_default();
            for call in calls {
                *count += 1;
                if is_nothing(call) {
                    continue;
                }
                let statements = self.written(step, stub, call)?;
                let case = StubCase { test: number, call: *count, statements, value: call.value.clone(), fails: call.fails };
                lists.cases.entry(function.clone()).or_default().push(case);
            }
        }
        for (text, drawn) in step.script.volatile.iter() {
            let Some((stem, ty)) = self.hooks.volatile.get(text) else {
                return Err(format!("reads of the volatile `{text}` cannot be told apart in the program's text"));
            };
            lists
                .values
                .entry((stem.clone(), name_of(*ty)))
                .or_default()
                .extend(drawn.iter().map(|(_, value)| constant(*ty, self.types.program.abi, value)));
        }
        Ok(())
    }

    /// Whether a stub has a case for each call that does something.
    pub fn has_cases(&self, function: &str) -> bool {
        self.with_cases.contains(function)
    }

    /// The statements of a stub that write what a call writes.
    fn written(&self, step: &TestStep, stub: &super::stubs::Stub, call: &super::script::StubCall) -> Result<Vec<String>, String> {
        let mut statements = Vec::new();
        let parameters = super::stubs::parameters(self.types.program, stub);
        if stub.kind == StubKind::Memory && !call.fails {
            statements.push(format!("void *memory = {};", super::stubs::memory(stub)));
        }
        for write in call.writes.iter().filter(|write| !write.elements.is_empty()) {
            let assignments = super::writes::assignments(&self.types, step, (stub, &parameters), write)?;
            statements.extend(assignments.iter().map(|assignment| assignment.statement(self.types.program.abi)));
        }
        Ok(statements)
    }
}
