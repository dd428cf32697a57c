//! Reads of objects that no statement has set.
//!
//! In the program model an automatic object without an initialiser holds an arbitrary value, so that its value is an input. In C the value is
//! indeterminate, and an evaluation that needs it is an error (C11 6.2.4p6, 6.3.2.1p2). A run in which such an object has no value ends before
//! the first evaluation that needs it. Elements and members can be copied without a value: as parts of an array or a structure they may.

use super::alone::no_value;
use super::cells::Cells;
use super::{ArrayInput, Edges, Input, Machine, NeededValue, Run};
use crate::lts::{Array, ArrayId, Lts, Origin, ValueMeaning, Variable, VariableId};
use std::ops::ControlFlow;

/// The automatic objects of a function, and of calls in it, that begin without a value.
pub struct UnsetObjects {
    variables: Vec<VariableId>,
    arrays: Vec<ArrayId>,
}

impl UnsetObjects {
    /// Numbers and arrays of numbers that the text declares: whether a pointer was set is a requirement of its own
    /// ([`Requirement::Set`](crate::lts::Requirement::Set)).
    pub fn of(lts: &Lts) -> UnsetObjects {
        let is_automatic = |origin: Origin| matches!(origin, Origin::Local | Origin::Inlined);
        let is_number = |values: ValueMeaning| {
            matches!(values, ValueMeaning::Integers | ValueMeaning::Characters | ValueMeaning::Truths | ValueMeaning::Constants(_))
        };
        let scalar = |variable: &Variable| {
            let begins = variable.initial.is_none() && variable.first.is_none() && variable.owners.is_empty();
            begins && is_automatic(variable.origin) && is_number(variable.values) && variable.part.is_declared()
        };
        let array = |array: &Array| {
            let begins = array.initial.is_none() && array.first.is_none() && array.owners.is_empty();
            let is_plain = array.objects.is_empty() && array.member_of_nodes.is_none() && !array.is_of_strings();
            begins && is_plain && is_automatic(array.origin) && is_number(array.values) && array.part.is_declared()
        };
        UnsetObjects {
            variables: lts.variables.iter().zip(0..).filter(|(one, _)| scalar(one)).map(|(_, number)| VariableId(number)).collect(),
            arrays: lts.arrays.iter().zip(0..).filter(|(one, _)| array(one)).map(|(_, number)| ArrayId(number)).collect(),
        }
    }

    /// Their names in inputs.
    pub fn names<'l>(&'l self, lts: &'l Lts) -> impl Iterator<Item = &'l String> {
        let variables = self.variables.iter().map(|&id| &lts.variable(id).name);
        variables.chain(self.arrays.iter().map(|&id| &lts.array(id).name))
    }

    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.arrays.is_empty()
    }
}

impl Machine<'_> {
    /// The run with this input, of at most `max_steps` edges, up to the first evaluation that needs the value of one of these objects before
    /// anything has set it, with the variable or the array; `None` where there is no such evaluation.
    pub fn unset_read(&self, input: &Input, unset: &UnsetObjects, max_steps: u64) -> Option<(Run, NeededValue)> {
        let mut state = self.initial(input);
        for variable in &unset.variables {
            state.variables[variable.0 as usize] = no_value();
        }
        for array in &unset.arrays {
            state.arrays[array.0 as usize] = Cells::given(&ArrayInput { default: no_value(), ..ArrayInput::default() });
        }
        state.missing.none = Some(no_value());
        let mut edges = Vec::new();
        let mut taken = Edges(|edge| {
            edges.push(edge);
            ControlFlow::Continue(())
        });
        let (run, state) = self.go(state, max_steps, &mut taken);
        let needed = state.missing.needed?;
        Some((Run { edges, ..run }, needed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::lower::lower;

    fn read(text: &str, values: &[(&str, i64)]) -> Option<String> {
        let program = crate::lang::parse(text).program.expect("no error");
        let lts = lower(&program, None).expect("no error").lts;
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let (_, needed) = Machine::new(&lts).unset_read(&Input { values, ..Input::default() }, &UnsetObjects::of(&lts), 1_000)?;
        Some(match needed {
            NeededValue::Variable(id) => lts.variable(id).name.clone(),
            NeededValue::Element(id) => lts.array(id).name.clone(),
            _ => "another value".to_owned(),
        })
    }

    /// A variable is read before it is set on the runs that leave it out, and on no other.
    #[test]
    fn reads_before_an_assignment_are_found() {
        let text = "int f(int x) { int r; if (x > 0) r = 1; if (r == 1) return 10; return 0; }";
        assert_eq!((read(text, &[("x", 1)]), read(text, &[("x", 0)]).as_deref()), (None, Some("r")));
        let called = "static int g(int y) { int t; if (y) t = y; return t; } int f(int x) { return g(x); }";
        assert_eq!((read(called, &[("x", 1)]), read(called, &[("x", 0)]).as_deref()), (None, Some("g.t")));
        let array = "int f(int x) { int a[4]; a[1] = x; return a[x & 3] + 1; }";
        assert_eq!((read(array, &[("x", 5)]), read(array, &[("x", 2)]).as_deref()), (None, Some("a")));
    }

    /// A structure is copied as a whole, whichever members are set.
    #[test]
    fn structures_are_copied_with_members_that_are_not_set() {
        let text = "struct s { int a, b; int c[2]; }; int f(int x) { struct s p, q; p.a = x; q = p; if (x) return q.a; return q.b + 1; }";
        assert_eq!((read(text, &[("x", 1)]), read(text, &[("x", 0)]).as_deref()), (None, Some("q.b")));
    }
}
