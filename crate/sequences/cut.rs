//! Runs of a chain of calls, cut into calls, and made of calls.

use super::Test;
use crate::evidence::sequence::Statics;
use crate::interp::{Input, Machine, RunState, Watch};
use crate::load::{Loaded, exact};
use crate::logic::{Int, SortedSet};
use crate::lts::calls::Chain;
use crate::lts::{EdgeId, Lts};
use crate::view::{Call, input_view};
use std::ops::ControlFlow;

/// Steps of a run of the chain, and of the last call.
const RUN: u64 = 20_000;

/// The calls of the function itself in a run of the chain that take goal edges which no call before takes, each with the calls before
/// it; none where these do not run so alone. `graph` is that of the chain, in which the run may end otherwise.
pub fn cut(loaded: &Loaded, chain: &Chain, graph: &Lts, input: &Input, goals: &SortedSet<EdgeId>) -> Vec<Test> {
    let machine = Machine::new(graph);
    let mut cutting = Cutting { chain, given: input, drawn: 0, calls: Vec::new() };
    machine.finish(input, RUN, &mut cutting);
    let mut left = goals.clone();
    let mut found = Vec::new();
    for at in 0..cutting.calls.len() {
        let (copy, _, path) = &cutting.calls[at];
        if *copy == 0
            && path.iter().any(|edge| left.contains(edge))
            && let Some(test) = after(loaded, chain, &cutting.calls[..=at])
        {
            left.retain(|edge| !test.path.contains(edge));
            found.push(test);
        }
    }
    found
}

/// The run with this input as a test.
pub fn alone(loaded: &Loaded, input: Input) -> Option<Test> {
    let statics = Statics::left(&loaded.base, &[], exact(loaded.assumed)).ok()?;
    let path = Machine::deep(&loaded.lts).run(&input, RUN).edges;
    statics.differing(&loaded.base, &input).is_none().then_some(Test { input, path, after: Vec::new() })
}

/// A call that was tried: the name of the function, and its input, with the values that it draws.
#[derive(Clone, Debug)]
pub struct TriedCall {
    pub function: String,
    pub input: Input,
}

/// The input with which the chain makes these calls, one after another; `None` where it has no such function. The chain goes on after the
/// last one, if that is none of the function itself.
pub fn joined(chain: &Chain, calls: &[TriedCall]) -> Option<Input> {
    let mut whole = Input::default();
    for (at, call) in calls.iter().enumerate() {
        let number = chain.copies.iter().position(|copy| copy.function == call.function)?;
        let is_own = number == 0;
        // It asks of each of the others whether that is called; the last one left is the function itself.
        let refused = if is_own { chain.copies.len() - 1 } else { number - 1 };
        whole.nondet.extend(vec![Int::ZERO; refused]);
        if !is_own {
            whole.nondet.push(Int::ONE);
        }
        for name in &chain.copies[number].drawn {
            if let Some(contents) = call.input.arrays.get(name) {
                whole.contents.insert(whole.nondet.len() as u32, contents.clone());
            }
            whole.nondet.push(call.input.values.get(name).cloned().unwrap_or_default());
        }
        for (draw, value) in call.input.nondet.iter().enumerate() {
            if let Some(contents) = call.input.contents.get(&(draw as u32)) {
                whole.contents.insert(whole.nondet.len() as u32, contents.clone());
            }
            whole.nondet.push(value.clone());
        }
        // After a call of the function itself, it asks whether to go on.
        if is_own {
            whole.nondet.push(Int::from(i64::from(at + 1 < calls.len())));
        }
    }
    Some(whole)
}

/// A call: the number of the copy, its input, and its edges.
type Cut = (usize, Input, Vec<EdgeId>);

/// The last of these calls, with the calls before it; `None` where these do not run so alone.
fn after(loaded: &Loaded, chain: &Chain, calls: &[Cut]) -> Option<Test> {
    let ((_, input, path), before) = calls.split_last()?;
    let others = &loaded.base.calls.as_ref()?.functions;
    let written = before.iter().map(|(copy, input, _)| {
        let function = &chain.copies[*copy].function;
        let lts = if *copy == 0 { &loaded.base } else { &others.iter().find(|other| other.lts.function == *function)?.lts };
        let mut input = input.clone();
        lts.variables.iter().filter(|variable| variable.first.is_some()).for_each(|variable| drop(input.values.remove(&variable.name)));
        lts.arrays.iter().filter(|array| array.first.is_some()).for_each(|array| drop(input.arrays.remove(&array.name)));
        Some(Call { function: function.clone(), input: input_view(lts, &input).with_parts(lts) })
    });
    let after: Vec<Call> = written.collect::<Option<_>>()?;
    let statics = Statics::left(&loaded.base, &after, exact(loaded.assumed)).ok()?;
    let machine = Machine::deep(&loaded.lts);
    let is_so = statics.differing(&loaded.base, input).is_none() && machine.replay(input, path).is_ok();
    is_so.then(|| Test { input: input.clone(), path: machine.run(input, RUN).edges, after })
}

/// Cuts a run of a chain into calls.
struct Cutting<'a> {
    chain: &'a Chain,
    given: &'a Input,
    drawn: usize,
    calls: Vec<Cut>,
}

impl Watch for Cutting<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        let drawn = self.chain.lts.graph[edge].nondets() as usize;
        if let Some((number, copy)) = self.chain.copies.iter().enumerate().find(|(_, copy)| copy.enter == edge) {
            let mut input = Input::default();
            for (name, id) in &copy.variables {
                input.values.insert(name.clone(), after.variable(*id).clone());
            }
            for (name, id) in &copy.arrays {
                input.arrays.insert(name.clone(), after.held(*id));
            }
            self.calls.push((number, input, Vec::new()));
        }
        let within = |copy: &usize, edge: EdgeId| self.chain.copies[*copy].edges.contains(&edge.index());
        if let Some((copy, input, path)) = self.calls.last_mut()
            && (within(copy, edge) || self.chain.copies[*copy].enter == edge)
        {
            for number in self.drawn..self.drawn + drawn {
                if let Some(contents) = self.given.contents.get(&(number as u32)) {
                    input.contents.insert(input.nondet.len() as u32, contents.clone());
                }
                input.nondet.push(self.given.nondet.get(number).cloned().unwrap_or_default());
            }
            if within(copy, edge) {
                path.push(EdgeId::new(edge.index() - self.chain.copies[*copy].edges.start));
            }
        }
        self.drawn += drawn;
        ControlFlow::Continue(())
    }
}
