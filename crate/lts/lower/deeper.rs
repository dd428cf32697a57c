//! Calls of a function within itself that go deeper than lowering inlines: they are approximated.
//!
//! An execution that makes such a call comes back from it, or is still inside. So after the arguments comes a decision on a value that no run
//! has, between
//!
//! 1. the return: the result and all objects that the called function may write have any values;
//! 2. the innermost copy of the function once more, with these arguments. A return from there leads on as from the copy: a path more than there
//!    are, and none less, since the call that comes back is 1.
//!
//! What no path of such a graph takes, no execution takes, however deep it goes. Where an argument or what the function writes has no such
//! form, the call leads to [`Lts::cut`](crate::lts::Lts::cut).

use super::expression::{Effects, Outcome, Step};
use super::external::WrittenScalars;
use super::graph::Node;
use super::object::{Part, Pointee, Root, Target};
use super::{Frame, Lowerer};
use crate::lang::ast::{DeclId, Expr as Tree, Function, Program, Shape, Storage};
use crate::lang::types::Integer;
use crate::logic::{Arrange, IntRange, SortedMap, SortedSet};
use crate::lts::{Expr, InputSource, Label, VariableId};
use crate::pointer::{AbstractObject, PointerFacts};
use crate::source::Span;
use std::rc::Rc;

/// What lowering notes of calls that go deeper.
#[derive(Default)]
pub(super) struct DeeperCalls<'a> {
    /// The first one that is approximated: where it stands, and its function's name.
    pub approximated: Option<(Span, &'a str)>,
    facts: Option<Rc<PointerFacts<'a>>>,
    /// For functions what they and the functions that they call may write.
    written: SortedMap<usize, Rc<SortedSet<AbstractObject>>>,
    /// The arrays that nodes are in.
    memory: Option<Rc<[DeclId]>>,
}

/// What the copy of a function gets for a parameter.
enum PassedAgain<'a> {
    Value(Target, &'a Tree),
    /// An index of a pointer's array, by the variable that keeps it.
    Index(VariableId, Expr, Effects<'a>),
}

impl<'a> Lowerer<'a> {
    /// A call that goes deeper, whose return leads to `next`; `None` where it is not approximated.
    pub(super) fn deeper_call(&mut self, index: usize, arguments: &'a [Tree], result: &Outcome, span: Span, next: Node) -> Option<Node> {
        let program = self.program;
        let function = &program.functions[index];
        let at = self.frames.iter().rposition(|frame| std::ptr::eq(frame.function, function)).filter(|at| *at > 0)?;
        if matches!(result, Outcome::Structure(_) | Outcome::Pointer(_)) || self.summaries.is_some() || function.variadic {
            return None;
        }
        let written = self.written_deeper(index)?;
        let passed = self.passed_again(at, function, arguments)?;
        // What follows is no statement of the program.
        let around = self.graph.show_at(Some(span));
        // 1.
        let mut returned = self.any_end(span, next);
        if let Outcome::Scalar(result) = result {
            returned = self.graph.operation(Label::Havoc(*result), span, returned);
        }
        for root in written.iter().rev() {
            returned = self.arbitrary_object(root, WrittenScalars::All, span, returned);
        }
        // 2.
        let graph = &mut self.graph;
        let mut inside = *self.frames[at].head.get_or_insert_with(|| graph.forward());
        let mut values = Vec::new();
        for one in passed {
            let (value, target) = match one {
                PassedAgain::Value(target, argument) => {
                    let value = self.temporary(span, target.ty());
                    inside = self.set(&target, value.read(), span, inside);
                    (value, Ok(argument))
                }
                PassedAgain::Index(variable, index, effects) => {
                    let value = self.temporary(span, Integer::LongLong);
                    inside = self.graph.operation(Label::Assign(variable, value.read()), span, inside);
                    (value, Err((index, effects)))
                }
            };
            values.push((value, target));
        }
        let goes_deeper = Expr::Nondet(Some(IntRange { least: 0, greatest: 1 }), InputSource::Deeper);
        let mut start = self.graph.decision(goes_deeper, span, inside, returned);
        self.graph.show_at(around);
        for (value, of) in values.into_iter().rev() {
            start = match of {
                Ok(argument) => self.assign(&value, None, argument, argument.span, start),
                Err((index, Effects { mut before, after })) => {
                    before.push(Step::Set(value, index, span));
                    before.extend(after);
                    self.run_steps(before, start)
                }
            };
        }
        Some(start)
    }

    /// What the parameters of an open copy get.
    fn passed_again(&mut self, at: usize, function: &'a Function, arguments: &'a [Tree]) -> Option<Vec<PassedAgain<'a>>> {
        let frame = self.frames[at].id;
        let mut passed = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let root = Root::Decl(frame, parameter.decl);
            match &self.program.decl(parameter.decl).shape {
                Shape::Pointer(_) => {
                    let mut effects = Effects::default();
                    let again = self.pointee(argument, &mut effects)?;
                    let earlier = self.pointees.get(&root)?.clone();
                    match (earlier, again) {
                        (Pointee::Single(one), Pointee::Single(other)) if is_same(&one, &other) && effects.before.is_empty() => {}
                        (Pointee::Element(one, Expr::Var(kept)), Pointee::Element(other, index)) if is_same(&one, &other) => {
                            passed.push(PassedAgain::Index(kept, index, effects));
                        }
                        (Pointee::Element(one, earlier), Pointee::Element(other, index))
                            if is_same(&one, &other) && earlier == index && effects.before.is_empty() => {}
                        _ => return None,
                    }
                }
                shape => {
                    let ty = shape.integer(self.abi())?;
                    let inner = self.frames.split_off(at + 1);
                    let target = self.scalar_place(parameter.decl, ty);
                    self.frames.extend(inner);
                    passed.push(PassedAgain::Value(target, argument));
                }
            }
        }
        Some(passed)
    }

    /// The objects that a function and the functions that it calls may write, but for its own; `None` where one of them has no such values.
    fn written_deeper(&mut self, index: usize) -> Option<Vec<Root>> {
        let program = self.program;
        if !program.nodes.blocks.is_empty() || self.followed_outside().is_some() {
            return None;
        }
        let entry = self.frames[0].function.name.text.as_str();
        let facts = self.deeper.facts.get_or_insert_with(|| Rc::new(PointerFacts::of(program, program.function(entry).map(|(at, _)| at))));
        let facts = Rc::clone(facts);
        if facts.is_anything() {
            return None;
        }
        let written = Rc::clone(self.deeper.written.entry(index).or_insert_with(|| Rc::new(facts.writes(index))));
        let memory = Rc::clone(self.deeper.memory.get_or_insert_with(|| {
            let memory = program.decls.iter().zip(0..).filter(|(decl, _)| decl.storage == Storage::Memory);
            memory.map(|(_, id)| DeclId(id)).collect()
        }));
        let mut roots: Vec<Root> = memory.iter().map(|id| Root::Decl(0, *id)).collect();
        for object in written.iter() {
            match *object {
                AbstractObject::Variable(id) if program.decl(id).storage == Storage::Memory => {}
                AbstractObject::Variable(id) if program.decl(id).storage.lasts() => roots.push(Root::Decl(0, id)),
                // Objects of copies that are open, where a pointer may lead there.
                AbstractObject::Variable(id) => {
                    let is_array = matches!(program.decl(id).shape, Shape::Array { .. } | Shape::Struct(_));
                    if is_array || self.uses().addressed[id.0 as usize] {
                        let is_own = |frame: &&Frame| facts_of(&facts, program, frame.function).any(|own| own == id);
                        roots.extend(self.frames.iter().filter(is_own).map(|frame| Root::Decl(frame.id, id)));
                    }
                }
                AbstractObject::Outside => {
                    roots.extend(self.reached_outside());
                    let first = &self.frames[0];
                    let own = first.function.parameters.iter().map(|parameter| Root::Decl(first.id, parameter.decl));
                    roots.extend(own.filter(|root| self.is_own_pointer(root)));
                }
                AbstractObject::Allocated(_) => return None,
                AbstractObject::Text(_) | AbstractObject::Function(_) | AbstractObject::Result(_) => {}
            }
        }
        let holds =
            |root: &Root| matches!(root, Root::Decl(_, id) if self.has_pointer(&program.decl(*id).shape)) && !self.is_own_pointer(root);
        roots.arrange();
        roots.dedup();
        (!roots.iter().any(holds)).then_some(roots)
    }

    fn has_pointer(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Pointer(_) => true,
            Shape::Array { element, .. } => self.has_pointer(element),
            Shape::Struct(id) => self.program.structure(*id).members.iter().flatten().any(|member| self.has_pointer(&member.shape)),
            _ => false,
        }
    }
}

/// The parameters and locals of a function.
fn facts_of<'f>(facts: &'f PointerFacts<'_>, program: &Program, function: &Function) -> impl Iterator<Item = DeclId> + 'f {
    let at = program.functions.iter().position(|other| std::ptr::eq(other, function));
    at.into_iter().flat_map(|at| facts.locals(at))
}

/// Whether two parts are one, whatever the values are.
fn is_same(one: &Part, other: &Part) -> bool {
    let of = |part: &Part| (part.root.clone(), part.path.clone(), part.indices.clone(), part.nullable, part.outside);
    of(one) == of(other)
}
