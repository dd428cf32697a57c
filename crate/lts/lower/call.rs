//! Calls of functions with a body, inlined: first edges bind the parameters, then comes the body.

use super::expression::{Effects, Outcome, Step};
use super::graph::{CUT, NOWHERE, Node};
use super::object::{Part, Pointee, Root, Target};
use super::{Frame, Lowerer, Return};
use crate::lang::ast::{Expr as Tree, Function, Shape};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap};
use crate::lts::Expr;
use crate::source::Span;

/// Structures to copy: to the whole object, from a part of another.
type Copies = Vec<(Root, Part, Span)>;

impl<'a> Lowerer<'a> {
    /// A call of a function with a body: binds the parameters, then the body, whose end is `next`.
    pub(super) fn call(&mut self, index: usize, arguments: &'a [Tree], result: Outcome, span: Span, mut next: Node) -> Node {
        self.calls += 1;
        if !self.enter(span) {
            self.leave();
            return NOWHERE;
        }
        let program = self.program;
        let function = &program.functions[index];
        let open = self.frames.iter().filter(|frame| std::ptr::eq(frame.function, function)).count();
        if open > self.options.inline_depth as usize {
            let deeper = self.deeper_call(index, arguments, &result, span, next);
            if let Some(start) = deeper {
                self.deeper.approximated.get_or_insert((span, function.name.text.as_str()));
                self.leave();
                return start;
            }
            let here = (span, function.name.text.as_str());
            self.cut = Some(self.cut.filter(|known| known.0 <= span).unwrap_or(here));
            self.leave();
            return CUT;
        }
        // The end of a copy that a call may lead into again is a location of its own.
        let end = if open == self.options.inline_depth as usize && self.calls_itself() { Some(self.graph.forward()) } else { None };
        let after = next;
        next = end.unwrap_or(next);
        let returns = match result.clone() {
            Outcome::Scalar(result) => Return::Scalar { result, next },
            Outcome::Structure(result) => Return::Structure { result, next },
            Outcome::Pointer(result) => Return::Pointer { result, next },
            Outcome::Dropped => Return::Dropped { next },
        };
        let frame = Frame::new(self.new_frame_id(&function.name.text), function, returns);
        let (before, copies) = self.bind_arguments(&frame, arguments);
        let caller = self.graph.stand_in(frame.id);
        self.frames.push(frame);
        let targets = self.parameter_targets(function, arguments);
        // A summary says nothing of addresses.
        let summaries = self.summaries.filter(|_| !matches!(result, Outcome::Pointer(_)));
        let mut start = match summaries.and_then(|summaries| summaries.get(&index)) {
            Some(summary) => {
                let result = if let Outcome::Scalar(result) = result { Some(result) } else { None };
                self.summarized(index, summary, result, span, next)
            }
            None => {
                // What the library does is shown where it is called.
                let around = function.library.then(|| self.graph.show_at(Some(span)));
                let start = self.body(function);
                if let Some(head) = self.frame().head {
                    self.graph.bind(head, start, span);
                }
                if let Some(around) = around {
                    self.graph.show_at(around);
                }
                start
            }
        };
        if let Some(end) = end {
            self.end_of_copy(end, span, after);
        }
        start = self.passed_row_lengths(function, start);
        self.graph.stand_in(caller);
        start = self.pass_arguments(before, copies, targets, start);
        self.leave();
        start
    }

    /// Looks at the arguments that are addresses and structures from outside: inside, lowering has to know what pointers point to. Gives
    /// the steps that this takes, and the structures to copy.
    #[inline(never)]
    fn bind_arguments(&mut self, frame: &Frame<'a>, arguments: &'a [Tree]) -> (Vec<Step<'a>>, Copies) {
        let program = self.program;
        let mut before = Vec::new();
        let mut copies = Vec::new();
        for (parameter, argument) in frame.function.parameters.iter().zip(arguments) {
            let root = Root::Decl(frame.id, parameter.decl);
            let mut effects = Effects::default();
            match &program.decl(parameter.decl).shape {
                // Within a function of the program it stays a value, which may be null and can be printed.
                Shape::Pointer(_)
                    if !frame.function.library
                        && !self.parameter_moves(frame.function, parameter.decl)
                        && self.is_string_value(argument) => {}
                shape @ Shape::Pointer(_) => {
                    if program.decl(parameter.decl).assigned
                        && !matches!(shape, Shape::Pointer(inner) if inner.is_computed())
                        && !self.parameter_moves(frame.function, parameter.decl)
                        && let Some(points_to) = self.points_to_of_parameter(frame.function, parameter.decl, arguments)
                        && points_to.pointee.iter().all(|pointee| self.fits(shape, pointee))
                        && self.make_given(root.clone(), points_to)
                    {
                        before.push(Step::Point(root, argument));
                        continue;
                    }
                    let pointee = self.pointee(argument, &mut effects).filter(|pointee| self.fits(shape, pointee));
                    if pointee.is_none() && frame.function.library {
                        // The message stands here, since nobody knows the library's own names.
                        self.unknown_pointer(argument);
                    }
                    if let Some(pointee) = pointee {
                        before.append(&mut effects.before);
                        match pointee {
                            Pointee::Element(mut array, at) if self.parameter_moves(frame.function, parameter.decl) => {
                                array.indices = self.fixed_indices(array.indices, argument.span, &mut before);
                                let first = Pointee::Element(array.clone(), at.clone());
                                if array.root != Root::Strings && self.becomes_null(frame.function, parameter.decl, &first) {
                                    array.nullable = true;
                                }
                                let index = self.moving_pointer(root, array, None);
                                before.push(Step::Set(index, at, argument.span));
                            }
                            pointee => {
                                let pointee = self.fixed(pointee, argument.span, &mut before);
                                self.pointees.insert(root, pointee);
                            }
                        }
                        before.append(&mut effects.after);
                    }
                }
                Shape::Struct(_) => match self.part(argument, &mut effects) {
                    Some(part) => {
                        before.append(&mut effects.before);
                        copies.push((root, part, argument.span));
                        before.append(&mut effects.after);
                    }
                    None => self.unknown_pointer(argument),
                },
                _ => {}
            }
        }
        (before, copies)
    }

    /// The scalar parameters with their arguments; the current frame is the callee's.
    #[inline(never)]
    fn parameter_targets(&mut self, function: &'a Function, arguments: &'a [Tree]) -> Vec<(Target, &'a Tree)> {
        let mut targets = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let root = self.root(parameter.decl);
            let ty = self.program.decl(parameter.decl).shape.integer(self.abi());
            let target = match ty {
                Some(ty) if !self.pointees.contains_key(&root) => Some((self.scalar_place(parameter.decl, ty), argument)),
                _ => None,
            };
            targets.extend(target);
        }
        targets
    }

    /// Leaves the callee's frame and makes the edges that pass its arguments.
    #[inline(never)]
    fn pass_arguments(&mut self, before: Vec<Step<'a>>, copies: Copies, targets: Vec<(Target, &'a Tree)>, mut start: Node) -> Node {
        let inside: Vec<_> = copies.into_iter().map(|(root, from, span)| (self.whole_object(root), from, span)).collect();
        self.frames.pop();
        for (to, from, span) in inside.iter().rev() {
            start = self.copy(to, from, *span, start);
        }
        for (target, argument) in targets.iter().rev() {
            start = self.assign(target, None, argument, argument.span, start);
        }
        start = self.run_steps(before, start);
        start
    }

    /// A pointee whose indices do not change any more: temporaries, which steps set, keep those that could.
    pub(super) fn fixed(&mut self, pointee: Pointee, span: Span, steps: &mut Vec<Step<'a>>) -> Pointee {
        match pointee {
            Pointee::Single(mut part) => {
                part.indices = self.fixed_indices(part.indices, span, steps);
                Pointee::Single(part)
            }
            Pointee::Element(mut part, index) => {
                part.indices = self.fixed_indices(part.indices, span, steps);
                let index = self.fixed_index(index, span, steps);
                Pointee::Element(part, index)
            }
        }
    }

    fn fixed_indices(&mut self, indices: Vec<(Expr, Option<Int>)>, span: Span, steps: &mut Vec<Step<'a>>) -> Vec<(Expr, Option<Int>)> {
        indices.into_iter().map(|(index, length)| (self.fixed_index(index, span, steps), length)).collect()
    }

    fn fixed_index(&mut self, index: Expr, span: Span, steps: &mut Vec<Step<'a>>) -> Expr {
        // That a parameter of the function itself is null does not change.
        if super::given::is_settled(&index) {
            return index;
        }
        let t = self.temporary(span, Integer::LongLong);
        steps.push(Step::Set(t.clone(), index, span));
        t.read()
    }
}

impl<'a> Frame<'a> {
    pub(super) fn new(id: u32, function: &'a crate::lang::ast::Function, returns: Return) -> Frame<'a> {
        Frame {
            id,
            function,
            labels: SortedMap::new(),
            loops: Vec::new(),
            switches: Vec::new(),
            returns,
            head: None,
            is_entered_again: false,
        }
    }
}
