//! The parameters of the analysed function: what a caller passes is an input.

use super::Lowerer;
use super::graph::Node;
use super::object::{Leaf, Pointee, Root};
use crate::lang::ast::{DeclId, Shape};
use crate::lang::outside;
use crate::logic::{Int, IntRange};
use crate::lts::{CompareOp, Expr, Label};
use crate::source::Diagnostic;

impl Lowerer<'_> {
    /// Makes the function's own parameters, which are inputs whether or not they are used.
    pub(super) fn own_parameters(&mut self) {
        let function = self.frames[0].function;
        for parameter in function.written_parameters() {
            if self.parameter_moves(function, parameter.decl) {
                self.walking.insert(parameter.decl);
            }
        }
        let set = |parameter: &&crate::lang::ast::Parameter| !self.walking.contains(&parameter.decl) && self.own_is_set(parameter.decl);
        let set: Vec<DeclId> = function.written_parameters().iter().filter(set).map(|parameter| parameter.decl).collect();
        self.walking.extend(&set);
        set.into_iter().for_each(|decl| self.make_own_given(decl));
        for parameter in function.written_parameters() {
            self.make_own_lengths(parameter.decl);
            self.own_parameter(parameter.decl);
        }
    }

    /// A program starts with no negative number of arguments (C11 5.1.2.2.1p2). Where the number never changes its type says so, else
    /// the first edge of the function.
    pub(super) fn argument_count(&mut self, entry: Node) -> Node {
        let function = self.frames[0].function;
        let Some(count) = function.parameters.first().filter(|_| function.name.text == "main") else { return entry };
        let Some(ty) = self.program.decl(count.decl).shape.integer(self.abi()) else { return entry };
        let root = self.root(count.decl);
        let Leaf::Scalar(variable) = self.leaf(&root, &[]) else { return entry };
        if !self.program.decl(count.decl).assigned {
            self.variables[variable.0 as usize].range = Some(IntRange { least: 0, ..ty.range(self.abi()) });
            return entry;
        }
        let condition = Expr::Compare(CompareOp::Ge, Box::new(Expr::Var(variable)), Box::new(Expr::Int(Int::ZERO)));
        self.graph.operation(Label::Assume { condition, holds: true }, count.name.span, entry)
    }

    /// Makes the variables of a parameter of the function itself: they are inputs whether or not they are used.
    fn own_parameter(&mut self, decl: DeclId) {
        if outside::gives_structures(self.program, &self.program.decl(decl).shape) {
            let span = self.program.decl(decl).span;
            let message = "which functions a caller passes here is not known, and they give back structures";
            self.fail(
                Diagnostic::error("unsupported-function-pointer", span, message)
                    .help("look at a function that passes some of the program's own"),
            );
        }
        let root = self.root(decl);
        let given = self.pointees.contains_key(&root);
        if let Some(&base) = self.bases.get(&decl) {
            if !given {
                self.own_shared(decl, base);
            }
            return;
        }
        let part = self.whole_object(root.clone());
        if !given && self.walking.contains(&decl) && matches!(part.shape, Shape::Array { .. }) {
            self.moving_pointer(root.clone(), part.clone(), Some(Int::ZERO));
            let first = Pointee::Element(part.clone(), crate::lts::Expr::Int(Int::ZERO));
            if self.becomes_null(self.frames[0].function, decl, &first)
                && let Some(Pointee::Element(array, _)) = self.pointees.get_mut(&root)
            {
                array.nullable = true;
            }
        }
        if !given {
            self.make_own_null(decl, &root, &part);
        }
        // Of those that are kept with others, arrays are inputs there, all else under its own name.
        let own = if matches!(part.root, Root::Joined(_)) { root } else { part.root };
        let array = matches!(part.shape, Shape::Array { .. });
        if array && self.rows.contains_key(&own) {
            return;
        }
        let mut open = vec![(Vec::new(), part.shape)];
        while let Some((path, shape)) = open.pop() {
            match shape {
                Shape::Array { element, .. } => open.push((path, *element)),
                Shape::Struct(id) => {
                    let count = self.program.structure(id).members.as_ref().map_or(0, Vec::len);
                    for at in (0..count).rev() {
                        let inner = self.program.structure(id).members.as_ref().map(|list| list[at].shape.clone());
                        open.push((path.iter().copied().chain([at]).collect(), inner.unwrap_or(Shape::Opaque)));
                    }
                }
                Shape::Pointer(_) if !path.is_empty() => {}
                _ => {
                    self.leaf(&own, &path);
                }
            }
        }
    }
}
