//! Objects: where the parts of variables are kept, and what pointers point to.
//!
//! Every scalar of an object is a variable of the model, or an element of one of its arrays: of `struct { int m[3]; } s[5]` there is one array
//! `s.m` with 15 elements. A pointer has no value of its own where lowering knows what it points to ([`Pointee`]): a parameter of an inlined
//! call, and a pointer that only its declaration sets. Lowering cannot follow any other; it is a number.

use super::Lowerer;
use super::computed::product;
use super::expression::Effects;
use super::flow::shape_of;
pub(super) use super::target::Target;
use crate::lang::ast::Linkage;
use crate::lang::ast::sugar::ARGUMENTS;
use crate::lang::ast::{BinaryOp as TreeOp, DeclId, Expr as Tree, ExprKind, Length, Name, Shape, Storage};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{Array, ArrayId, BinaryOp, Expr, Requirement, ValueMeaning, VariableId};
use crate::memory::CURSOR_AT;
use crate::source::Span;

/// An object of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Root {
    /// A variable of the frame with this number; globals and statics belong to frame 0.
    Decl(u32, DeclId),
    /// What a call gave back, or memory that was asked for.
    Temporary(u32),
    /// A string among the command line's arguments, by the parameter and its number.
    Argument(DeclId, Int),
    /// The number that it is.
    ArgumentValue(DeclId, Int),
    /// All strings whose addresses are values ([`super::texts`]).
    Strings,
    /// All objects of a class that is kept together ([`super::joined`]).
    Joined(u32),
}

/// Where the scalars of an object with the same members on the way are kept.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    Scalar(VariableId),
    Array(ArrayId),
}

/// A part of an object.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub root: Root,
    /// Members on the way.
    pub path: Vec<usize>,
    /// Indices on the way, with the length of each array where it is known.
    pub indices: Vec<(Expr, Option<Int>)>,
    /// How many of the indices come from going through all scalars of a structure.
    pub inner: usize,
    /// Whether a null pointer may have led here, which the first index then says ([`super::given`]).
    pub nullable: bool,
    /// Whether it may be a string of another part of the program, where it is one of all strings ([`super::texts`]).
    pub outside: bool,
    /// Whether the lvalue that names it is volatile: each read gives any value.
    pub volatile: bool,
    pub shape: Shape,
}

/// What a pointer points to.
#[derive(Clone, Debug)]
pub(super) enum Pointee {
    /// This, and nothing before or behind it.
    Single(Part),
    /// The element of this array with this index.
    Element(Part, Expr),
}

/// An object that is no variable of the program.
pub(super) struct Temporary {
    pub name: String,
    pub shape: Shape,
    pub span: Span,
    /// Its first values, where it has some.
    pub initial: Option<Vec<Int>>,
}

/// An index behind another one, where elements stand row by row, in a row of this length: within it, or undefined.
pub(super) fn row_by_row(flat: Expr, index: &Expr, length: &Int) -> Expr {
    let last = length.to_i64().unwrap_or(i64::MAX) - 1;
    let inside = match index {
        // Within the elements of its block already.
        _ if last + 1 == crate::memory::MOST => index.clone(),
        Expr::Int(value) if !value.is_negative() && value < length => index.clone(),
        _ => Expr::Within(Requirement::Index, IntRange { least: 0, greatest: i128::from(last) }, Box::new(index.clone())),
    };
    add(times(flat, length), inside)
}

/// The index of an element where those of so many objects stand in turn.
pub(super) fn in_turn(flat: Expr, count: usize, row: Expr) -> Expr {
    add(times(flat, &Int::from(count)), row)
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Int(value), _) if value.is_zero() => b,
        (_, Expr::Int(value)) if value.is_zero() => a,
        (Expr::Int(x), Expr::Int(y)) => Expr::Int(x + y),
        _ => Expr::Binary(BinaryOp::Add, Box::new(a), Box::new(b)),
    }
}

pub(super) fn times(a: Expr, factor: &Int) -> Expr {
    match &a {
        Expr::Int(value) => Expr::Int(value * factor),
        _ if factor.is_one() => a,
        _ => Expr::Binary(BinaryOp::Mul, Box::new(a), Box::new(Expr::Int(factor.clone()))),
    }
}

impl<'a> Lowerer<'a> {
    /// The object of a declaration in the current frame.
    pub(super) fn root(&mut self, decl: DeclId) -> Root {
        let shared = self.program.decl(decl).storage.lasts();
        let frame = if shared { 0 } else { self.frame().id };
        Root::Decl(frame, decl)
    }

    /// The shape of a whole object. A pointer among the parameters of the function itself is an array of unknown length, or a structure that
    /// nothing leaves ([`super::several`]).
    pub(super) fn root_shape(&self, root: &Root) -> Shape {
        match root {
            Root::Temporary(number) => self.temporaries[*number as usize].shape.clone(),
            Root::Argument(..) => Shape::Array { element: Box::new(Shape::Scalar(Integer::Char)), length: Length::Unknown },
            Root::ArgumentValue(..) => Shape::INT,
            Root::Strings => self.strings_shape(),
            Root::Joined(class) => self.joined_shape(*class),
            Root::Decl(frame, id) => {
                let decl = self.program.decl(*id);
                match &decl.shape {
                    Shape::Pointer(inner)
                        if decl.storage == Storage::Parameter
                            && *frame == self.frames[0].id
                            && (!decl.assigned || self.walking.contains(id)) =>
                    {
                        match &**inner {
                            Shape::Struct(_) if !self.is_shared(*id) && !self.several.contains(id) => (**inner).clone(),
                            Shape::Function(_) => decl.shape.clone(),
                            Shape::Void if self.program.keeps_addresses() => decl.shape.clone(),
                            _ => Shape::Array { element: inner.clone(), length: Length::Unknown },
                        }
                    }
                    shape => shape.clone(),
                }
            }
        }
    }

    /// Whether the declaration is a pointer among the parameters of the function itself, whose object is an input.
    pub(super) fn is_own_pointer(&self, root: &Root) -> bool {
        match root {
            Root::Decl(frame, id) => {
                let decl = self.program.decl(*id);
                decl.storage == Storage::Parameter
                    && *frame == self.frames[0].id
                    && (!decl.assigned || self.walking.contains(id))
                    && matches!(&decl.shape, Shape::Pointer(inner) if !matches!(**inner, Shape::Void | Shape::Opaque | Shape::Function(_)))
            }
            _ => false,
        }
    }

    /// An object as a whole.
    pub(super) fn whole_object(&self, root: Root) -> Part {
        self.whole(root)
    }

    fn whole(&self, root: Root) -> Part {
        let shape = self.root_shape(&root);
        if let Some(part) = self.joined_whole(&root, &shape) {
            return part;
        }
        Part { root, path: Vec::new(), indices: Vec::new(), inner: 0, nullable: false, outside: false, volatile: false, shape }
    }

    /// The variable or array that keeps the scalars with these members on the way.
    pub(super) fn leaf(&mut self, root: &Root, path: &[usize]) -> Leaf {
        let key = (root.clone(), path.to_vec());
        if let Some(leaf) = self.leaves.get(&key) {
            return leaf.clone();
        }
        let (name, origin, span) = self.name_and_origin(root);
        let (member, dimensions, shape) = self.along(self.root_shape(root), path);
        let mut name = format!("{name}{member}");
        let ty = shape.integer(self.abi()).unwrap_or(Integer::Int);
        let members = self.members_of(&self.root_shape(root), path);
        let range = match self.bit_range(root, path) {
            _ if *root == Root::Strings => Some(crate::lts::STRING_ELEMENTS),
            Some(range) => Some(range),
            None => self.block_lengths(root, path).or(members.map(|(_, numbers)| numbers)).or_else(|| self.range(ty)),
        };
        let (part, qualifiers) = self.source_part(root, path);
        let values = match self.meaning_of_nodes(root, &shape, qualifiers) {
            _ if self.is_of_cursor(root, path, CURSOR_AT) => ValueMeaning::ElementIndices,
            Some(meaning) => meaning,
            None => members.map_or_else(|| self.meaning(&shape, qualifiers), |(meaning, _)| meaning),
        };
        let mut fixed = self.initial(root, path, &dimensions, ty).or_else(|| self.first_node(root, &shape));
        if fixed.is_none() && members.is_some() && !self.is_set_outside(root, origin) {
            // Before the function starts any member may have been written.
            fixed = Some(Vec::new());
        }
        // What a caller can set is an input like any other.
        let own = matches!(root, Root::Decl(_, id) if self.program.decl(*id).linkage == Linkage::Internal);
        let first = if own && fixed.is_none() { self.first(root, path, &dimensions, ty) } else { None };
        // A length is no object of C.
        let owners = if path == [crate::memory::LENGTH] && self.block_root(root).is_some() { Vec::new() } else { self.owners(root, ty) };
        let member_of_nodes = self.member_of_nodes(root, dimensions.len(), &member);
        let mut objects = Vec::new();
        if let Root::Joined(class) = *root {
            objects = self.joined_objects(class, path);
            name = objects.iter().map(|object| object.name.as_str()).collect::<Vec<_>>().join("|");
        }
        let leaf = if dimensions.is_empty() {
            let initial = fixed.map(|values| values.into_iter().next().unwrap_or_default());
            let variable = self.typed_variable(name, origin, span, initial, range);
            self.own_variable(variable, Some(root));
            let made = &mut self.variables[variable.0 as usize];
            (made.part, made.values, made.owners) = (part, values, owners);
            made.first = first.map(|values| values.into_iter().next().unwrap_or_default());
            Leaf::Scalar(variable)
        } else {
            let length = dimensions.into_iter().try_fold(Int::ONE, |product, length| Some(&product * &length?));
            let id = self.note_array(root);
            self.arrays.push(Array {
                name,
                part,
                origin,
                span,
                length,
                initial: fixed,
                first,
                range,
                values,
                objects,
                member_of_nodes,
                owners,
            });
            if self.is_literal(root) {
                self.literal_arrays.insert(id);
            }
            Leaf::Array(id)
        };
        self.leaves.insert(key, leaf.clone());
        leaf
    }

    /// What stands in an object of this shape with these members on the way: how it is called there (`.m.n`), the lengths of the
    /// arrays that are passed, and its own shape.
    pub(super) fn along(&self, mut shape: Shape, path: &[usize]) -> (String, Vec<Option<Int>>, Shape) {
        let (mut name, mut dimensions) = (String::new(), Vec::new());
        let mut members = path.iter();
        loop {
            shape = match shape {
                Shape::Array { element, length } => {
                    dimensions.push(if let Length::Fixed(length) = length { Some(length) } else { None });
                    *element
                }
                Shape::Struct(id) => {
                    let list = self.program.structure(id).members.as_ref();
                    match members.next().and_then(|&at| list?.get(at)) {
                        None => return (name, dimensions, Shape::Struct(id)),
                        Some(member) => {
                            let is_block =
                                self.program.nodes.cursors.contains_key(&id) && matches!(member.shape, Shape::Scalar(Integer::Node));
                            if !is_block {
                                name += &member.suffix();
                            }
                            member.shape.clone()
                        }
                    }
                }
                shape => return (name, dimensions, shape),
            }
        }
    }

    /// An object that is no variable of the program.
    pub(super) fn temporary_object(&mut self, name: String, shape: Shape, span: Span) -> Part {
        let number = u32::try_from(self.temporaries.len()).unwrap_or(u32::MAX);
        self.temporaries.push(Temporary { name, shape, span, initial: None });
        self.whole(Root::Temporary(number))
    }

    // Places

    /// The part of an object that an expression names; `None` where it names none, or it is not known which.
    pub(super) fn part(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Part> {
        let opened = self.opens(e);
        if opened {
            effects.before.push(super::expression::Step::Order(e));
        }
        let mut part = self.part_inner(e, effects);
        if opened {
            self.close(e);
        }
        if let Some(part) = &mut part {
            part.volatile |= e.volatile & 1 == 1;
        }
        part
    }

    fn part_inner(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Part> {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                let root = self.root(*decl);
                Some(self.whole(root))
            }
            ExprKind::Index(base, index) => {
                let pointee = self.pointee(base, effects)?;
                let index = self.value(index, effects);
                let index = self.drawn_once(&pointee, index, e.span, effects);
                self.element_of(pointee, index, self.is_row(base))
            }
            ExprKind::Deref(base) => {
                let pointee = self.pointee(base, effects)?;
                self.element_of(pointee, Expr::Int(Int::ZERO), self.is_row(base))
            }
            ExprKind::Member(base, name, at) => {
                let part = self.part(base, effects)?;
                self.member(part, name, *at)
            }
            ExprKind::Call(..) | ExprKind::Assign { .. } | ExprKind::Conditional(..) => self.structure_value(e, effects),
            ExprKind::Comma(first, second) => {
                effects.before.push(super::expression::Step::Effect(first));
                self.part(second, effects)
            }
            _ => None,
        }
    }

    /// A member of a structure, by its name and its number.
    pub(super) fn member(&self, mut part: Part, name: &Name, at: usize) -> Option<Part> {
        let Shape::Struct(id) = part.shape else { return None };
        // Another structure has others.
        let member = self.program.structure(id).members.as_ref()?.get(at).filter(|member| member.name.text == name.text)?;
        part.shape = member.shape.clone();
        part.path.push(at);
        Some(part)
    }

    /// What an address points to; `None` where that is not known.
    pub(super) fn pointee(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Pointee> {
        let (before, after) = (effects.before.len(), effects.after.len());
        if let Some(pointee) = self.object_pointee(e, effects) {
            return Some(pointee);
        }
        effects.before.truncate(before);
        effects.after.truncate(after);
        self.string_pointee(e, effects)
    }

    /// As [`Lowerer::pointee`], of addresses that are no values.
    pub(super) fn object_pointee(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Pointee> {
        let opened = self.opens(e);
        if opened {
            effects.before.push(super::expression::Step::Order(e));
        }
        let pointee = self.object_pointee_inner(e, effects);
        if opened {
            self.close(e);
        }
        pointee
    }

    fn object_pointee_inner(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Pointee> {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), text, .. }) => {
                let root = self.root(*decl);
                if let Some(pointee) = self.pointees.get(&root) {
                    return Some(pointee.clone());
                }
                if text == ARGUMENTS {
                    self.unknown_arguments(e.span);
                    return None;
                }
                let own = self.is_own_pointer(&root);
                let part = self.whole(root);
                match part.shape {
                    Shape::Array { .. } => Some(Pointee::Element(part, Expr::Int(Int::ZERO))),
                    _ if own => Some(self.address_of(part)),
                    _ => None,
                }
            }
            ExprKind::Str(bytes) => Some(Pointee::Element(self.literal(bytes, e.span), Expr::Int(Int::ZERO))),
            ExprKind::Index(base, index) if self.argument(base, index).is_some() => self.argument_text(e),
            // A scalar has no parts: it is looked at once only, since expressions nest.
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) if matches!(shape_of(self.program, e), Some(Shape::Pointer(inner)) if matches!(**inner, Shape::Scalar(_))) => {
                None
            }
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                let part = self.part(e, effects)?;
                matches!(part.shape, Shape::Array { .. }).then(|| Pointee::Element(self.behind(part), Expr::Int(Int::ZERO)))
            }
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Index(base, index) => {
                    let pointee = self.pointee(base, effects)?;
                    let index = self.value(index, effects);
                    let index = self.drawn_once(&pointee, index, e.span, effects);
                    self.moved(pointee, index)
                }
                ExprKind::Deref(base) => self.pointee(base, effects),
                _ => {
                    let part = self.part(inner, effects)?;
                    Some(self.address_of(self.behind(part)))
                }
            },
            ExprKind::Binary(op @ (TreeOp::Add | TreeOp::Sub), left, right) if self.may_point(left) || self.may_point(right) => {
                // What is one further is not known of `void`.
                let void = |e| matches!(shape_of(self.program, e), Some(Shape::Pointer(inner)) if **inner == Shape::Void);
                if void(left) || void(right) {
                    return None;
                }
                if let Some(pointee) = self.pointee(left, effects) {
                    let index = self.value(right, effects);
                    let index = if *op == TreeOp::Add { index } else { negated(index) };
                    return self.moved(pointee, index);
                }
                if *op == TreeOp::Sub {
                    return None;
                }
                let index = self.value(left, effects);
                let pointee = self.pointee(right, effects)?;
                self.moved(pointee, index)
            }
            ExprKind::Call(name, arguments) => match self.returned_address(name, arguments, e, effects) {
                None if self.is_given(e) => self.given_pointee(e, effects),
                pointee => pointee,
            },
            ExprKind::Conditional(..) => self.given_pointee(e, effects),
            ExprKind::Assign { target, .. } => {
                let ExprKind::Name(Name { decl: Some(decl), .. }) = &target.kind else { return None };
                let root = self.root(*decl);
                let pointee = self.pointees.get(&root).filter(|_| self.moving_pointers.contains(&root)).cloned()?;
                effects.before.push(super::expression::Step::Effect(e));
                Some(pointee)
            }
            ExprKind::Step { target, increment, prefix } => self.stepped_pointee(target, *increment, *prefix, e.span, effects),
            ExprKind::Comma(first, second) => {
                effects.before.push(super::expression::Step::Effect(first));
                self.pointee(second, effects)
            }
            _ => None,
        }
    }

    /// Whether an expression can be an address, judging by its form: so that sums of numbers are not evaluated to find out.
    pub(super) fn may_point(&self, e: &Tree) -> bool {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                matches!(self.program.decl(*decl).shape, Shape::Array { .. } | Shape::Pointer(_))
            }
            ExprKind::AddressOf(_) | ExprKind::Str(_) => true,
            ExprKind::Call(..) => matches!(shape_of(self.program, e), Some(Shape::Pointer(_))),
            ExprKind::Index(base, _) | ExprKind::Member(base, ..) | ExprKind::Deref(base) => {
                self.may_point(base) || self.is_structure(base)
            }
            ExprKind::Step { target, .. } => self.may_point(target),
            ExprKind::Comma(_, second) => self.may_point(second),
            ExprKind::Binary(TreeOp::Add | TreeOp::Sub, left, right) => self.may_point(left) || self.may_point(right),
            _ => false,
        }
    }

    fn is_structure(&self, e: &Tree) -> bool {
        e.root().and_then(|name| name.decl).is_some_and(|decl| matches!(self.program.decl(decl).shape, Shape::Struct(_)))
    }

    /// What a pointer points to itself.
    pub(super) fn pointed(&mut self, pointee: Pointee) -> Option<Part> {
        self.element(pointee, Expr::Int(Int::ZERO))
    }

    /// The shape of the variable of this name.
    pub(super) fn shape_of_name(&self, e: &Tree) -> Option<Shape> {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => Some(self.program.decl(*decl).shape.clone()),
            _ => None,
        }
    }

    /// Whether an address is not null, as a truth value; an arbitrary one where that is open. `None` for numbers, and for the pointers among
    /// the function's own parameters, which a caller may make null or not.
    pub(super) fn not_null(&mut self, e: &Tree) -> Option<Expr> {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                let root = self.root(*decl);
                if let Some(pointee) = self.pointees.get(&root)
                    && (pointee.part().root == Root::Strings || pointee.part().nullable || self.block_root(&pointee.part().root).is_some())
                {
                    return self.is_there(pointee);
                }
                let bound = self.pointees.contains_key(&root) && !self.is_own_pointer(&root);
                (bound || matches!(self.program.decl(*decl).shape, Shape::Array { .. })).then_some(Expr::Int(Int::ONE))
            }
            ExprKind::AddressOf(object) if !matches!(object.kind, ExprKind::Deref(_)) => Some(Expr::Int(Int::ONE)),
            _ if super::null_tests::is_array_in_object(self.program, e) => Some(Expr::Int(Int::ONE)),
            _ => None,
        }
    }

    /// What stands at an offset from where a pointer points.
    pub(super) fn element(&mut self, pointee: Pointee, offset: Expr) -> Option<Part> {
        self.element_of(pointee, offset, false)
    }

    /// As [`Lowerer::element`]; `row` where the text names the array, not a pointer into it: then no index leads out of a row.
    fn element_of(&mut self, pointee: Pointee, offset: Expr, row: bool) -> Option<Part> {
        match self.moved(pointee, offset)? {
            Pointee::Single(part) => Some(part),
            Pointee::Element(mut part, index) => {
                let Shape::Array { element, length } = part.shape.clone() else { return None };
                let known = if let Length::Fixed(length) = &length { Some(length.clone()) } else { None };
                let index = self.index_inside(&mut part, &length, index, row)?;
                part.indices.push((index, known));
                part.shape = *element;
                Some(part)
            }
        }
    }

    /// Where a scalar part is kept.
    pub(super) fn target(&mut self, part: &Part) -> Option<Target> {
        let ty = part.shape.integer(self.abi())?;
        let target = self.place_target(part, ty)?;
        let target = self.in_unions(part, target);
        let target = match self.bit_range(&part.root, &part.path) {
            Some(range) => Target::Seen(Box::new(target), ty, [range, range]),
            None => target,
        };
        Some(self.part_seen_outside(part, target))
    }

    pub(super) fn place_target(&mut self, part: &Part, ty: Integer) -> Option<Target> {
        Some(match self.leaf(&part.root, &part.path) {
            Leaf::Scalar(variable) => Target::Variable(variable, ty),
            Leaf::Array(array) if let Root::Joined(class) = part.root => self.joined_target(class, array, part, ty)?,
            Leaf::Array(array) => {
                // Row by row. All indices but the first must stay within their own array.
                let mut parts = part.indices.iter();
                let mut flat = parts.next().map_or(Expr::Int(Int::ZERO), |(index, length)| match length {
                    None if part.nullable => super::given::followed(index),
                    _ => index.clone(),
                });
                for (level, (index, length)) in (1..).zip(parts) {
                    flat = match length {
                        Some(length) => row_by_row(flat, index, length),
                        None => {
                            let length = self.computed_lengths.get(&part.root)?.get(level)?.as_ref()?;
                            add(product(flat, length), index.clone())
                        }
                    };
                }
                if part.root == Root::Strings && part.outside {
                    return self.text_from_outside(array, part);
                }
                if part.root == Root::Strings {
                    Target::Text(array, flat, Integer::Char.range(self.abi()))
                } else {
                    Target::Element(array, flat, ty)
                }
            }
        })
    }

    /// The scalar that an expression names, or a message that it is not known which.
    pub(super) fn scalar_target(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Target> {
        let found = self.part(e, effects).and_then(|part| self.target(&part)).and_then(|target| self.seen(target, e.ty));
        if found.is_none() {
            self.unknown_pointer(e);
        }
        found.map(|target| self.seen_outside(e, target))
    }

    /// Whether it is known what the pointer of this name points to, so that it has no value of its own.
    pub(super) fn is_pointee(&mut self, e: &Tree) -> bool {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                let root = self.root(*decl);
                self.pointees.contains_key(&root)
                    || self.is_own_pointer(&root)
                    || matches!(self.program.decl(*decl).shape, Shape::Array { .. })
            }
            ExprKind::AddressOf(_) => true,
            _ => false,
        }
    }
}

fn negated(e: Expr) -> Expr {
    match e {
        Expr::Int(value) => Expr::Int(-value),
        e => Expr::Neg(Box::new(e)),
    }
}
