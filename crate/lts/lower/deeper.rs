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
use super::{Frame, Lowerer, Return};
use crate::lang::ast::{DeclId, Expr as Tree, Function, Program, Shape, Storage};
use crate::lang::types::Integer;
use crate::logic::{Arrange, IntRange, SortedMap, SortedSet};
use crate::lts::{ArrayId, DeeperCall, DeeperPart, Edge, Expr, InputSource, Label, Location, VariableId};
use crate::pointer::{AbstractObject, PointerFacts};
use crate::source::Span;
use petgraph::graph::DiGraph;
use std::ops::Range;
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
    /// Whether some function calls itself, once something asks.
    calls_itself: Option<bool>,
    /// For variables and arrays the copy of a function that has them, and whether that is certain.
    variables: Vec<Owner>,
    arrays: Vec<Owner>,
}

/// The copy of a function that has an object, or no copy ([`EVERYWHERE`]).
#[derive(Clone, Copy)]
struct Owner {
    frame: u32,
    is_certain: bool,
}

/// The number of the function itself, and of objects that are no copy's.
const EVERYWHERE: u32 = 0;

impl DeeperCalls<'_> {
    /// A variable is made, while a copy is being lowered.
    pub(super) fn note_variable(&mut self, frame: u32) {
        self.variables.push(Owner { frame, is_certain: false });
    }

    /// A variable is an object of this copy.
    pub(super) fn own(&mut self, variable: VariableId, frame: u32) {
        self.variables[variable.0 as usize] = Owner { frame, is_certain: true };
    }
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
        let before = self.graph.len();
        // 1.
        let mut returned = self.any_end(span, next);
        if let Outcome::Scalar(result) = result {
            returned = self.graph.operation(Label::Havoc(*result), span, returned);
        }
        for root in written.iter().rev() {
            returned = self.arbitrary_object(root, WrittenScalars::All, span, returned);
        }
        let after_return = before..self.graph.len();
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
        self.note_deeper_call(at, result, after_return, start);
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

    /// Notes what a run has to know of a call that leads into the copy at this index of the open ones: the nodes between its return and what
    /// follows, and its decision.
    fn note_deeper_call(&mut self, at: usize, result: &Outcome, after_return: Range<Node>, decision: Node) {
        let copy = &mut self.frames[at];
        copy.is_entered_again = true;
        let (id, from) = (copy.id, if let Return::Scalar { result, .. } = copy.returns { Some(result) } else { None });
        if let Some(from) = from {
            // Each return of the copy sets it.
            self.deeper.own(from, id);
        }
        let result = from.and_then(|from| if let Outcome::Scalar(to) = result { Some([from, *to]) } else { None });
        // These stand for their objects until all objects are there.
        let copies = self.frames[at..].iter().map(|frame| VariableId(frame.id)).collect();
        let call = DeeperCall { copy: id, result, variables: copies, arrays: Vec::new() };
        self.graph.mark_deeper(decision, DeeperPart::Call(Box::new(call)));
        for node in after_return {
            self.graph.mark_deeper(node, DeeperPart::Return);
        }
    }

    /// The end of a copy, and what follows its call; a location of its own where a run may come back from there to a call within the copy.
    pub(super) fn end_of_copy(&mut self, end: Node, span: Span, after: Node) {
        let Frame { id, is_entered_again, .. } = *self.frame();
        if !is_entered_again {
            return self.graph.bind(end, after, span);
        }
        let around = self.graph.show_at(Some(span));
        let skip = self.graph.operation(Label::Skip, span, after);
        self.graph.mark_deeper(skip, DeeperPart::End(id));
        self.graph.bind(end, skip, span);
        self.graph.show_at(around);
    }

    /// Whether some function of the program calls itself.
    pub(super) fn calls_itself(&mut self) -> bool {
        let program = self.program;
        *self.deeper.calls_itself.get_or_insert_with(|| super::rounds::calls_itself(program))
    }

    /// A variable is one of this object, or of the current copy.
    pub(super) fn own_variable(&mut self, variable: VariableId, root: Option<&Root>) {
        self.deeper.variables[variable.0 as usize] = self.owner(root);
    }

    /// An array of this object is made; gives its number.
    pub(super) fn note_array(&mut self, root: &Root) -> ArrayId {
        let owner = self.owner(Some(root));
        self.deeper.arrays.push(owner);
        ArrayId(u32::try_from(self.arrays.len()).unwrap_or(u32::MAX))
    }

    fn owner(&mut self, root: Option<&Root>) -> Owner {
        let current = self.frame().id;
        match root {
            None => Owner { frame: current, is_certain: true },
            Some(Root::Decl(frame, _)) => Owner { frame: *frame, is_certain: true },
            Some(Root::Strings | Root::Argument(..) | Root::ArgumentValue(..)) => Owner { frame: EVERYWHERE, is_certain: true },
            Some(Root::Temporary(_) | Root::Joined(_)) => Owner { frame: current, is_certain: false },
        }
    }

    /// Gives the calls that go deeper the objects of their copies. Where the objects of a copy are not certain, no run goes deeper.
    pub(super) fn settle_deeper(&self, graph: &mut DiGraph<Location, Edge, u32>) {
        let DeeperCalls { variables, arrays, .. } = &self.deeper;
        for edge in graph.edge_weights_mut() {
            let Some(DeeperPart::Call(call)) = &mut edge.deeper else { continue };
            let copies: SortedSet<u32> = call.variables.drain(..).map(|id| id.0).collect();
            let is_own = |owner: &Owner| copies.contains(&owner.frame);
            if !self.classes.is_empty() || variables.iter().chain(arrays).any(|owner| is_own(owner) && !owner.is_certain) {
                edge.deeper = None;
                continue;
            }
            let own = |owners: &[Owner]| (0..).zip(owners).filter(|(_, owner)| is_own(owner)).map(|(id, _)| id).collect::<Vec<u32>>();
            call.variables = own(variables).into_iter().map(VariableId).collect();
            call.arrays = own(arrays).into_iter().map(ArrayId).collect();
        }
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
