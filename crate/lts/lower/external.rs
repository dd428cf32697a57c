//! Calls of functions without a body: they may write every object that they can reach, and give any value.
//!
//! | reached | what they write |
//! |---|---|
//! | what has escaped: globals with external linkage that are not `const`, objects whose address such a function or global may get; what a caller passes | any value |
//! | what functions write that may be called from outside | any value |
//!
//! Strings in the text stay what they are: to write into one is undefined (C11 6.4.5p7).
//!
//! Each scalar gets an edge of its own, [`Label::Havoc`] or [`Label::HavocArray`], only where the program names the object. The facts
//! are those of [`PointerFacts`], whatever the order of the statements. `__VERIFIER_nondet_X()` writes nothing.
//!
//! Numbers of nodes, and what nodes hold, it leaves as they are, or an approximated region gives all of them any values ([`super::nodes`]).

use super::Lowerer;
use super::expression::Effects;
use super::graph::{Node, Writer};
use super::object::{Leaf, Part, Pointee, Root};
use super::uses::holds_addresses;
use crate::lang::ast::{DeclId, Expr as Tree, Linkage, Shape, Storage};
use crate::lang::intrinsic;
use crate::lang::types::Integer;
use crate::logic::{Arrange, Int, IntRange, SortedMap, SortedSet};
use crate::lts::{Expr, Label, Origin, Owner, Through, VariableId};
use crate::pointer::PointerFacts;
use crate::source::Span;

/// Scalars of an object that is kept with others: each gets an edge.
const MAX_SINGLE: usize = 64;

/// What functions without a body may write to without being given it in the same call.
pub(super) struct Exposed {
    /// Globals and statics, in the order of the text.
    shared: Vec<DeclId>,
    /// Parameters and locals of each function, by its name.
    own: SortedMap<String, Vec<DeclId>>,
    /// Pointers through which they may reach memory that has no name.
    leading: SortedSet<DeclId>,
}

/// The scalars of an object that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenScalars {
    All,
    /// The numbers of nodes.
    Numbers,
    Others,
}

impl<'a> Lowerer<'a> {
    /// The objects that a caller may know of which a scalar of this type in an object is a part.
    pub(super) fn owners(&self, root: &Root, ty: Integer) -> Vec<Owner> {
        let roots = match root {
            Root::Joined(class) => &self.classes[*class as usize][..],
            root => std::slice::from_ref(root),
        };
        let owner = |root: &Root| {
            let Root::Decl(_, id) = root else { return None };
            let decl = self.program.decl(*id);
            let is_pointed = self.is_own_pointer(root);
            let is_shared = matches!(decl.storage, Storage::Global | Storage::Static)
                && !decl.qualifiers.fixed()
                && (decl.linkage != Linkage::Internal || self.uses().addressed[id.0 as usize]);
            let is_of_caller = decl.storage == Storage::Memory && decl.linkage == Linkage::External;
            let is_pointed = is_pointed || is_of_caller;
            (is_pointed || is_shared).then_some(Owner { declaration: id.0, is_pointed, size: ty.size(self.abi()) })
        };
        roots.iter().filter_map(owner).collect()
    }

    /// What says whether two objects are one, of which a pointer parameter points to one; `None` where that cannot be.
    pub(super) fn meeting(&mut self, a: &Root, b: &Root) -> Option<Expr> {
        let (Root::Decl(_, left), Root::Decl(_, right)) = (a, b) else { return None };
        let may_be = |one: &Root, other: &Root| self.is_own_pointer(one) && (self.is_own_pointer(other) || self.is_known_outside(other));
        if left == right || !(may_be(a, b) || may_be(b, a)) {
            return None;
        }
        let (left, right) = (self.program.decl(*left), self.program.decl(*right));
        let (first, second) = if left.span.start <= right.span.start { (left, right) } else { (right, left) };
        let name = format!("{} == {}", first.name, second.name);
        let known = self.variables.iter().position(|variable| variable.name == name);
        let id = match known {
            Some(at) => VariableId(at as u32),
            None => {
                self.outside.meetings.push(name.clone());
                self.typed_variable(name, Origin::Inlined, first.span, Some(Int::ZERO), Some(IntRange::of_bits(1, false)))
            }
        };
        Some(Expr::Var(id))
    }

    fn exposed(&mut self) -> &Exposed {
        let (program, entry) = (self.program, self.frames[0].function);
        self.exposed.get_or_insert_with(|| {
            let facts = PointerFacts::of(program, program.function(&entry.name.text).map(|(at, _)| at));
            let is_written = |id: &DeclId| !program.decl(*id).qualifiers.fixed() && facts.outside_may_write(*id);
            let all = || (0..program.decls.len() as u32).map(DeclId);
            let is_shared = |id: &DeclId| matches!(program.decl(*id).storage, Storage::Global | Storage::Static) && facts.is_named(*id);
            let own = program.functions.iter().zip(0..).map(|(function, at)| {
                let mut own: Vec<DeclId> = facts.locals(at).filter(is_written).collect();
                own.arrange();
                own.dedup();
                (function.name.text.clone(), own)
            });
            Exposed {
                shared: all().filter(|id| is_shared(id) && is_written(id)).collect(),
                own: own.filter(|(_, own)| !own.is_empty()).collect(),
                leading: all().filter(|&id| holds_addresses(&program.decl(id).shape) && facts.leads_outside(id)).collect(),
            }
        })
    }

    /// What a call of a function without a body may write to, as edges that lead to `next`.
    pub(super) fn external(&mut self, name: &'a str, arguments: &'a [Tree], span: Span, mut next: Node) -> Node {
        if intrinsic::only_draws(name, arguments.len()) {
            return next;
        }
        let program = self.program;
        let mut roots = self.reached_outside();
        let mut ways: Vec<(Root, Through)> = Vec::new();
        for (argument, number) in arguments.iter().zip(0..) {
            if let Some(pointee) = self.pointee(argument, &mut Effects::default()) {
                let root = pointee.part().root.clone();
                if self.is_literal(&root) || self.is_constant(&root) {
                    continue;
                }
                ways.push((root.clone(), through(number, &pointee)));
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
        roots.retain(|root| !self.is_memory_of_nodes(root));
        if self.program.nodes.written_outside.is_empty() && roots.is_empty() && self.followed_outside().is_none() {
            return next;
        }
        let number = match self.outside.functions.iter().position(|known| known == name) {
            Some(known) => known,
            None => {
                self.outside.functions.push(name.to_owned());
                self.outside.functions.len() - 1
            }
        };
        let external = u32::try_from(number).ok();
        next = self.nodes_from_outside(name, &roots, span, next);
        for root in roots.iter().rev() {
            let through = ways.iter().find(|(of, _)| of == root).map(|(_, through)| Box::new(through.clone()));
            self.graph.write_by(Writer { external, through });
            next = match root {
                Root::Decl(0, id) if program.nodes.static_pointers.contains_key(id) => self.point_anywhere(root, span, next),
                root => self.arbitrary_object(root, WrittenScalars::Others, span, next),
            };
        }
        self.graph.write_by(Writer { external, through: None });
        if let Some(theirs) = self.followed_outside() {
            next = self.graph.operation(Label::HavocArray(theirs), span, next);
        }
        self.graph.write_by(Writer::default());
        next
    }

    /// What functions without a body may write to without being given it.
    pub(super) fn reached_outside(&mut self) -> Vec<Root> {
        let mut roots: Vec<Root> = Vec::new();
        let frames: Vec<(u32, String)> = self.frames.iter().map(|frame| (frame.id, frame.function.name.text.clone())).collect();
        let exposed = self.exposed();
        roots.extend(exposed.shared.iter().map(|&id| Root::Decl(0, id)));
        for (frame, function) in frames {
            roots.extend(exposed.own.get(&function).into_iter().flatten().map(|&id| Root::Decl(frame, id)));
        }
        let program = self.program;
        // A caller may have told others of what it passes.
        let passed = self.frames[0].function.written_parameters().iter().map(|parameter| Root::Decl(self.frames[0].id, parameter.decl));
        let is_base = |root: &Root| !matches!(root, Root::Decl(_, id) if self.bases.contains_key(id));
        let passed: Vec<Root> = passed.filter(|root| self.is_own_pointer(root) && is_base(root) && !roots.contains(root)).collect();
        roots.extend(passed);
        // Memory that a pointer was set to is reached through it.
        for root in self.reached_memory() {
            if !roots.contains(&root) && !self.is_literal(&root) {
                roots.push(root);
            }
        }
        // A pointer that is followed has no value of its own; another one changes only where something else knows its own address.
        roots.retain(|root| match root {
            Root::Decl(_, id) if holds_addresses(&program.decl(*id).shape) && !self.is_own_pointer(root) => {
                let decl = program.decl(*id);
                let (uses, at) = (self.uses(), id.0 as usize);
                let is_set = decl.storage.lasts() && (decl.linkage != Linkage::Internal || uses.assigned[at]);
                program.nodes.static_pointers.contains_key(id) || !self.pointees.contains_key(root) && (uses.addressed[at] || is_set)
            }
            _ => true,
        });
        roots
    }

    /// The memory without a name that functions without a body reach through pointers of the open frames.
    fn reached_memory(&mut self) -> Vec<Root> {
        let leading = self.exposed().leading.clone();
        let is_open = |at: u32| at == 0 || self.frames.iter().any(|frame| frame.id == at);
        let mut found: Vec<Root> = Vec::new();
        for (root, pointee) in &self.pointees {
            if matches!(root, Root::Decl(frame, id) if is_open(*frame) && leading.contains(id)) {
                match &pointee.part().root {
                    Root::Joined(class) => found.extend(self.classes[*class as usize].iter().cloned()),
                    root => found.push(root.clone()),
                }
            }
        }
        found.retain(|root| !matches!(root, Root::Decl(..)));
        found.arrange();
        found.dedup();
        found
    }

    /// Whether an object is `const` itself.
    fn is_constant(&self, root: &Root) -> bool {
        matches!(root, Root::Decl(_, id) if self.program.decl(*id).qualifiers.fixed()) && !self.is_own_pointer(root)
    }

    /// The edges that give scalars of an object arbitrary values.
    pub(super) fn arbitrary_object(&mut self, root: &Root, written: WrittenScalars, span: Span, mut next: Node) -> Node {
        let whole = self.whole_object(root.clone());
        if let Root::Joined(_) = whole.root {
            let is_written = self.has_numbers(&whole.shape) == (written == WrittenScalars::Numbers) || written == WrittenScalars::All;
            return if is_written { self.arbitrary_joined(root, &whole, span, next) } else { next };
        }
        let mut open = vec![(Vec::new(), whole.shape, written)];
        while let Some((path, shape, written)) = open.pop() {
            match shape {
                Shape::Array { element, .. } => open.push((path, *element, written)),
                Shape::Struct(id) => {
                    let written = match (self.program.nodes.cursors.contains_key(&id), written) {
                        // Its index belongs to its number.
                        (true, WrittenScalars::Numbers) => WrittenScalars::All,
                        (true, WrittenScalars::Others) => continue,
                        (_, written) => written,
                    };
                    let members = self.program.structure(id).members.as_ref();
                    let shapes = members.into_iter().flatten().map(|member| member.shape.clone()).enumerate();
                    open.extend(shapes.map(|(at, shape)| (path.iter().copied().chain([at]).collect(), shape, written)));
                }
                Shape::Scalar(Integer::Node) if written == WrittenScalars::Others => {}
                Shape::Scalar(_) | Shape::Pointer(_) if written == WrittenScalars::Numbers && shape != Shape::Scalar(Integer::Node) => {}
                Shape::Scalar(_) | Shape::Pointer(_) => {
                    let is_last = self.says_last(&self.root_shape(root), &path);
                    let label = match self.leaf(root, &path) {
                        // Which member is written is not known.
                        Leaf::Scalar(variable) if is_last => Label::Assign(variable, Expr::Int(Int::ZERO)),
                        Leaf::Array(array) if is_last => Label::Fill(array, Vec::new()),
                        Leaf::Scalar(variable) => Label::Havoc(variable),
                        Leaf::Array(array) => Label::HavocArray(array),
                    };
                    next = self.graph.operation(label, span, next);
                }
                _ => {}
            }
        }
        next
    }

    /// As [`Lowerer::arbitrary_object`], of an object that one array keeps with others: these stay what they are.
    fn arbitrary_joined(&mut self, root: &Root, whole: &Part, span: Span, mut next: Node) -> Node {
        match (root, self.scalars_in(whole, MAX_SINGLE)) {
            (Root::Decl(..), Some(scalars)) => {
                for part in scalars.iter().rev() {
                    if let (Some(target), Shape::Scalar(ty)) = (self.target(part), &part.shape) {
                        let value = Expr::nondet(self.range(*ty));
                        next = self.set(&target, value, span, next);
                    }
                }
                next
            }
            _ => {
                let paths: Vec<Vec<usize>> = self.leaves.keys().filter(|(of, _)| *of == whole.root).map(|(_, path)| path.clone()).collect();
                for path in paths {
                    if let Leaf::Array(array) = self.leaf(&whole.root, &path) {
                        next = self.graph.operation(Label::HavocArray(array), span, next);
                    }
                }
                next
            }
        }
    }
}

/// The way that an argument with this number is to what it points to.
fn through(argument: u32, pointee: &Pointee) -> Through {
    let part = pointee.part();
    let mut indices: Vec<Expr> = part.indices.iter().map(|(index, _)| index.clone()).collect();
    if let Pointee::Element(_, index) = pointee {
        indices.push(index.clone());
    }
    Through { argument, path: part.path.clone(), indices }
}
