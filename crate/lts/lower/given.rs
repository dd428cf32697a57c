//! Pointers that are set to what calls and choices give: `p = find(7)`, `q = c ? &a[1] : NULL`. Such a pointer is an array or an object,
//! which never changes, and a variable for each index on the way. Of a null pointer the first of these has a value that no index has, so
//! that to follow it is undefined.

use super::Lowerer;
use super::expression::{Effects, Outcome, Step};
use super::graph::{NOWHERE, Node};
use super::moving::Moves;
use super::null_tests::tests_for_null;
use super::object::{Part, Pointee, Root, Target};
use super::points_to::PointsTo;
use super::texts::is_null;
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Shape};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, Label, Origin, Requirement, SourcePart, ValueMeaning, VariableId, null_index};
use crate::source::Span;

impl Pointee {
    /// The object, or the array.
    pub(super) fn part(&self) -> &Part {
        match self {
            Pointee::Single(part) | Pointee::Element(part, _) => part,
        }
    }

    /// The first index on the way, which says whether it is null.
    fn first(&self) -> Option<&Expr> {
        match self {
            Pointee::Single(part) => part.indices.first().map(|(index, _)| index),
            Pointee::Element(part, index) => Some(part.indices.first().map_or(index, |(index, _)| index)),
        }
    }
}

/// The index of a pointer among the function's own parameters that is null where this variable is 1.
pub(super) fn nowhere_if(null: VariableId) -> Expr {
    Expr::Binary(BinaryOp::Mul, Box::new(Expr::Var(null)), Box::new(Expr::Int(null_index())))
}

/// The number of an object, or of none where this variable is 1.
pub(super) fn object_or_null(null: VariableId, row: &Int) -> Expr {
    if row.is_zero() {
        return nowhere_if(null);
    }
    let far = Expr::Int(&null_index() - row);
    let way = Expr::Binary(BinaryOp::Mul, Box::new(Expr::Var(null)), Box::new(far));
    Expr::Binary(BinaryOp::Add, Box::new(way), Box::new(Expr::Int(row.clone())))
}

/// The variable of such a number.
fn object_flag(index: &Expr) -> Option<(VariableId, &Expr)> {
    let Expr::Binary(BinaryOp::Add, way, row) = index else { return None };
    match (&**way, &**row) {
        (Expr::Binary(BinaryOp::Mul, flag, far), Expr::Int(number)) => match (&**flag, &**far) {
            (Expr::Var(flag), Expr::Int(far)) if far + number == null_index() => Some((*flag, &**row)),
            _ => None,
        },
        _ => None,
    }
}

/// The number of the object, where an index of objects does not change.
pub(super) fn settled_row(index: &Expr) -> Option<usize> {
    let number = match index {
        Expr::Int(number) => number,
        _ if matches!(null_flag(index), Some((_, None))) => return Some(0),
        _ => match object_flag(index)?.1 {
            Expr::Int(number) => number,
            _ => return None,
        },
    };
    number.to_i64().and_then(|row| usize::try_from(row).ok())
}

/// Whether an index does not change, since it only says which object is meant, or that none is.
pub(super) fn is_settled(index: &Expr) -> bool {
    matches!(index, Expr::Int(_)) || matches!(null_flag(index), Some((_, None))) || object_flag(index).is_some()
}

/// The variable of such an index, and what is added to it.
pub(super) fn null_flag(index: &Expr) -> Option<(VariableId, Option<&Expr>)> {
    match index {
        Expr::Binary(BinaryOp::Mul, flag, far) => match (&**flag, &**far) {
            (Expr::Var(flag), Expr::Int(far)) if *far == null_index() => Some((*flag, None)),
            _ => None,
        },
        Expr::Binary(BinaryOp::Add, first, by) => null_flag(first).filter(|(_, more)| more.is_none()).map(|(flag, _)| (flag, Some(&**by))),
        _ => None,
    }
}

/// Whether there is something where this variable says it.
pub(super) fn is_zero(flag: VariableId) -> Expr {
    Expr::Compare(CompareOp::Eq, Box::new(Expr::Var(flag)), Box::new(Expr::Int(Int::ZERO)))
}

/// Whether the index is not that of a null pointer.
fn there(index: &Expr) -> Expr {
    if let Some((flag, None)) = null_flag(index) {
        return is_zero(flag);
    }
    if let Some((flag, _)) = object_flag(index) {
        return is_zero(flag);
    }
    Expr::Compare(CompareOp::Ne, Box::new(index.clone()), Box::new(Expr::Int(null_index())))
}

/// The index, undefined where it is that of a null pointer, or of an element behind one.
pub(super) fn followed(index: &Expr) -> Expr {
    match index {
        Expr::Int(_) => index.clone(),
        _ if let Some((flag, row)) = object_flag(index) => {
            Expr::Guarded(Requirement::Pointer, Box::new(is_zero(flag)), Box::new(row.clone()))
        }
        _ if let Some((flag, by)) = null_flag(index) => {
            Expr::Guarded(Requirement::Pointer, Box::new(is_zero(flag)), Box::new(by.cloned().unwrap_or(Expr::Int(Int::ZERO))))
        }
        _ => {
            let far = Expr::Int(Int::from(i64::MIN / 4));
            let near = Expr::Compare(CompareOp::Gt, Box::new(index.clone()), Box::new(far));
            Expr::Guarded(Requirement::Pointer, Box::new(near), Box::new(index.clone()))
        }
    }
}

/// As [`followed`], where the index behind the pointer must meet something of its own.
pub(super) fn followed_by(index: &Expr, inside: impl FnOnce(Expr) -> Expr) -> Expr {
    match null_flag(index) {
        Some((flag, by)) => {
            let by = inside(by.cloned().unwrap_or(Expr::Int(Int::ZERO)));
            Expr::Guarded(Requirement::Pointer, Box::new(is_zero(flag)), Box::new(by))
        }
        None => inside(index.clone()),
    }
}

impl<'a> Lowerer<'a> {
    /// Whether what a pointer of this shape points to has the size that it takes it for.
    pub(super) fn fits(&self, pointer: &Shape, pointee: &Pointee) -> bool {
        let Shape::Pointer(inner) = pointer else { return false };
        match pointee {
            Pointee::Single(part) => part.shape.seen_as(inner, self.abi()),
            // Rows of a computed length are the same only where something compares the lengths.
            Pointee::Element(Part { shape: Shape::Array { element, .. }, .. }, _) => {
                element.seen_as(inner, self.abi())
                    && (!element.is_computed() || inner.is_computed() || !matches!(**inner, Shape::Array { .. }))
            }
            Pointee::Element(..) => false,
        }
    }

    /// Makes the variables of a pointer that points there; false where it cannot be kept so.
    pub(super) fn make_given(&mut self, root: Root, points_to: PointsTo) -> bool {
        let Some(pointee) = points_to.pointee else { return false };
        let mut part = pointee.part().clone();
        let (name, _, span) = self.name_and_origin(&root);
        let mut row = match part.root {
            Root::Strings => "string",
            Root::Joined(_) => "object",
            _ => "row",
        };
        for (index, _) in &mut part.indices {
            let variable = self.variable(format!("{name}.{row}"), Origin::Inlined, span, Integer::LongLong);
            self.own_variable(variable, Some(&root));
            self.variables[variable.0 as usize].values = match part.root {
                Root::Joined(class) if row == "object" => ValueMeaning::Objects(class),
                _ => ValueMeaning::Indices,
            };
            *index = Expr::Var(variable);
            row = "row";
        }
        if let (Root::Joined(class), 1, true) = (&part.root, part.indices.len(), part.path.is_empty()) {
            part.shape = self.joined_row(*class);
        }
        part.nullable = points_to.null && part.root != Root::Strings;
        match pointee {
            Pointee::Element(..) => {
                self.moving_pointer(root, part, None);
            }
            Pointee::Single(_) if part.nullable && part.indices.is_empty() => {
                // As one of one.
                let object = Pointee::Single(part);
                self.want_joined(&object, &object);
                return false;
            }
            Pointee::Single(_) => {
                self.moving_pointers.insert(root.clone());
                self.pointees.insert(root, Pointee::Single(part));
            }
        }
        true
    }

    /// Whether a pointer among the function's own parameters is set to other objects, too, and never tested for null.
    pub(super) fn own_is_set(&self, decl: DeclId) -> bool {
        let body = &self.frames[0].function.body;
        let known =
            matches!(&self.program.decl(decl).shape, Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(_) | Shape::Struct(_)));
        known && self.program.decl(decl).assigned && !Moves::of(body, decl).other && !tests_for_null(self.program, decl)
    }

    /// Makes the variables of such a pointer.
    pub(super) fn make_own_given(&mut self, decl: DeclId) {
        let root = &self.root(decl);
        let moves = Moves::of(&self.frames[0].function.body, decl);
        let base = self.bases.get(&decl).copied().unwrap_or(decl);
        let base = self.root(base);
        let own = self.whole_object(base);
        let own = if matches!(own.shape, Shape::Array { .. }) { Pointee::Element(own, Expr::Int(Int::ZERO)) } else { self.address_of(own) };
        let points_to = self.points_to_of_own(decl, &moves.sources, own.clone());
        let first = all_indices(&own).into_iter().cloned().collect::<Vec<_>>();
        if !points_to.is_some_and(|points_to| self.make_given(root.clone(), points_to)) {
            self.walking.remove(&decl);
            return;
        }
        let variables = self.pointees.get(root).map(|pointee| all_indices(pointee).into_iter().cloned().collect::<Vec<_>>());
        for (variable, first) in variables.into_iter().flatten().zip(first) {
            if let (Expr::Var(variable), Expr::Int(first)) = (variable, first) {
                self.variables[variable.0 as usize].initial = Some(first);
            }
        }
        // One that leads into another one's array starts there.
        if let Some(&base) = self.bases.get(&decl)
            && let Some(Pointee::Element(_, Expr::Var(index))) = self.pointees.get(root).cloned()
        {
            let offset = self.own_offset(decl, base);
            self.variables[index.0 as usize].initial = None;
            self.own_starts.push(Label::Assign(index, Expr::Var(offset)));
        }
    }

    /// Has a pointer among the function's own parameters be null where an input says so, if the program tests it for that.
    pub(super) fn make_own_null(&mut self, decl: DeclId, root: &Root, array: &Part) {
        let function = self.frames[0].function;
        let elements = self.is_shared(decl)
            || matches!(&self.program.decl(decl).shape, Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(_) | Shape::Struct(_)));
        let structure = self.is_own_pointer(root) && matches!(array.shape, Shape::Struct(_));
        if !(structure || elements && matches!(array.shape, Shape::Array { .. })) || !tests_for_null(self.program, decl) {
            return;
        }
        let joined = matches!(array.root, Root::Joined(_));
        if structure && !joined {
            // As one of one.
            let object = Pointee::Single(array.clone());
            self.want_joined(&object, &object);
            self.unknown_pointer_at(&self.program.decl(decl).name.clone(), function.name.span);
            return;
        }
        let (name, _, span) = self.name_and_origin(root);
        let flags = IntRange { least: 0, greatest: 1 };
        let null = self.typed_variable(format!("{name}.null"), Origin::Parameter, span, None, Some(flags));
        let made = &mut self.variables[null.0 as usize];
        (made.part, made.values) = (SourcePart::whole(name), ValueMeaning::Null);
        let mut array = Part { nullable: true, ..array.clone() };
        if joined {
            // Here it is the object's number that says so.
            if let Some((Expr::Int(row), _)) = array.indices.first().cloned() {
                array.indices[0].0 = object_or_null(null, &row);
            }
            if structure {
                let pointee = self.address_of(array);
                self.pointees.insert(root.clone(), pointee);
            } else if self.walking.contains(&decl) {
                self.moving_pointer(root.clone(), array, Some(Int::ZERO));
            } else {
                self.pointees.insert(root.clone(), Pointee::Element(array, Expr::Int(Int::ZERO)));
            }
            return;
        }
        if self.walking.contains(&decl) {
            let index = self.moving_pointer(root.clone(), array, None);
            if let Target::Variable(index, _) = index {
                self.own_starts.push(Label::Assign(index, nowhere_if(null)));
            }
        } else {
            self.pointees.insert(root.clone(), Pointee::Element(array, nowhere_if(null)));
        }
    }

    /// What a call or a choice points to, kept in variables of its own.
    pub(super) fn given_pointee(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Pointee> {
        if e.ty != self.abi().address() {
            return None;
        }
        let points_to = self.points_to(e)?;
        points_to.pointee.as_ref().filter(|pointee| pointee.part().root != Root::Strings || !self.is_text_by_flow(e))?;
        let name = match &e.kind {
            ExprKind::Call(name, _) => format!("{}.result", crate::lang::library::written_name(&name.text)),
            _ => "chosen".to_owned(),
        };
        let root = self.temporary_object(name, Shape::Pointer(Box::new(Shape::Void)), e.span).root;
        if !self.make_given(root.clone(), points_to) {
            return None;
        }
        effects.before.push(Step::Point(root.clone(), e));
        self.pointees.get(&root).cloned()
    }

    /// Whether a call gives an address of an object, not one of a string that is a value.
    pub(super) fn gives_object(&mut self, e: &'a Tree) -> bool {
        self.is_given(e)
            && self.points_to(e).and_then(|points_to| points_to.pointee).is_some_and(|pointee| pointee.part().root != Root::Strings)
    }

    /// Whether an address is null or not, where it is one that a call, a choice or an assignment gives.
    pub(super) fn given_test(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Expr> {
        let e = e.unconverted();
        if let Some(there) = self.not_null(e) {
            return Some(there);
        }
        if e.ty != self.abi().address() || !matches!(e.kind, ExprKind::Call(..) | ExprKind::Conditional(..) | ExprKind::Assign { .. }) {
            return None;
        }
        let (before, after) = (effects.before.len(), effects.after.len());
        let found = self.object_pointee(e, effects);
        if found.is_none() {
            effects.before.truncate(before);
            effects.after.truncate(after);
        }
        self.is_there(&found?)
    }

    /// Whether a pointer is not null, as a truth value.
    pub(super) fn is_there(&self, pointee: &Pointee) -> Option<Expr> {
        if let Some(there) = self.string_there(pointee) {
            return Some(there);
        }
        match pointee.first() {
            // The first index of a pointer into a block is the block's number; the null pointer has a number below 1.
            Some(row) if self.block_root(&pointee.part().root).is_some() => {
                Some(Expr::Compare(CompareOp::Gt, Box::new(row.clone()), Box::new(Expr::Int(Int::ZERO))))
            }
            Some(index) if pointee.part().nullable => Some(there(index)),
            _ => Some(Expr::Int(Int::ONE)),
        }
    }

    /// A part behind a pointer that may be null, undefined where it is: for what is reached through it is not null.
    pub(super) fn behind(&self, mut part: Part) -> Part {
        if part.nullable
            && let Some((first, _)) = part.indices.first_mut()
        {
            *first = followed(first);
        }
        part.nullable = false;
        // What a pointer says of its object counts there, not how its address was found.
        part.volatile = false;
        part
    }

    /// The edges that have a pointer point somewhere: within its own array, whatever else it may be set to, or nowhere.
    pub(super) fn point(&mut self, root: &Root, value: &'a Tree, span: Span, next: Node) -> Node {
        if !self.enter(span) {
            self.leave();
            return NOWHERE;
        }
        let node = match &value.kind {
            ExprKind::Conditional(condition, then, otherwise) => {
                let fails = self.point(root, otherwise, span, next);
                let holds = self.point(root, then, span, next);
                self.branch(condition, holds, fails)
            }
            ExprKind::Comma(first, second) => {
                let next = self.point(root, second, span, next);
                self.effect(first, next)
            }
            ExprKind::Call(name, _) if name.text == crate::lang::intrinsic::NO_FUNCTION => self.effect(value, next),
            ExprKind::Call(name, arguments) if self.is_given(value) && !self.is_string_value(value) => {
                match self.functions.get(name.text.as_str()).copied().filter(|_| self.points_to(value).is_some()) {
                    Some(function) => self.call(function, arguments, Outcome::Pointer(root.clone()), value.span, next),
                    None => self.point_to(root, value, span, next),
                }
            }
            _ => self.point_to(root, value, span, next),
        };
        self.leave();
        node
    }

    #[inline(never)]
    fn point_to(&mut self, root: &Root, value: &'a Tree, span: Span, next: Node) -> Node {
        let Some(own) = self.pointees.get(root).cloned() else { return NOWHERE };
        let mut effects = Effects::default();
        let new = if own.part().root == Root::Strings {
            self.string_source(value, &mut effects).and_then(|pointee| indices(&own, &pointee))
        } else if is_null(value) {
            let rest = own.part().indices.len() + usize::from(matches!(own, Pointee::Element(..)));
            let zeros = std::iter::repeat_n(Expr::Int(Int::ZERO), rest.saturating_sub(1));
            own.part().nullable.then(|| std::iter::once(Expr::Int(null_index())).chain(zeros).collect())
        } else {
            let pointee = self.pointee(value, &mut effects).filter(|pointee| own.part().nullable || !pointee.part().nullable);
            if let Some(pointee) = &pointee
                && pointee.part().root != own.part().root
            {
                self.want_joined(&own, pointee);
            }
            pointee.and_then(|pointee| indices(&own, &pointee))
        };
        let Some(steps) = new.and_then(|new| self.moving_steps(&own, new, span)) else {
            self.unknown_pointer(value);
            return NOWHERE;
        };
        effects.before.extend(steps);
        let after = self.run_steps(effects.after, next);
        self.run_steps(effects.before, after)
    }

    /// What gives the indices of a pointer new values; none of them changes before all are known.
    fn moving_steps(&mut self, own: &Pointee, new: Vec<Expr>, span: Span) -> Option<Vec<Step<'a>>> {
        let mut sets = Vec::new();
        for (old, new) in all_indices(own).into_iter().zip(new) {
            match old {
                old if *old == new => {}
                Expr::Var(variable) => sets.push((Target::Variable(*variable, Integer::LongLong), new)),
                _ => return None,
            }
        }
        let several = sets.len() > 1;
        let mut steps = Vec::new();
        let mut last = Vec::new();
        for (target, new) in sets {
            if several && !matches!(new, Expr::Int(_)) {
                let t = self.temporary(span, Integer::LongLong);
                steps.push(Step::Set(t.clone(), new, span));
                last.push(Step::Set(target, t.read(), span));
            } else {
                last.push(Step::Set(target, new, span));
            }
        }
        steps.extend(last);
        Some(steps)
    }

    /// Behind the end of a function that should have given an address: C leaves open which.
    pub(super) fn point_anywhere(&mut self, root: &Root, span: Span, mut next: Node) -> Node {
        let Some(own) = self.pointees.get(root).cloned() else { return next };
        for index in all_indices(&own) {
            if let Expr::Var(variable) = index {
                next = self.graph.operation(Label::Havoc(*variable), span, next);
            }
        }
        next
    }

    /// The comparison of two addresses of which some may be null: for which is first, and how far, neither may be.
    pub(super) fn both_there(&self, a: &Pointee, b: &Pointee, value: Expr) -> Expr {
        let mut value = value;
        for pointee in [b, a] {
            if let (true, Some(index)) = (pointee.part().nullable, pointee.first()) {
                value = Expr::Guarded(Requirement::Pointer, Box::new(there(index)), Box::new(value));
            }
        }
        value
    }
}

/// All indices of a pointer, the first of which says whether it is null.
fn all_indices(pointee: &Pointee) -> Vec<&Expr> {
    let rows = pointee.part().indices.iter().map(|(index, _)| index);
    match pointee {
        Pointee::Single(_) => rows.collect(),
        Pointee::Element(_, index) => rows.chain([index]).collect(),
    }
}

/// The indices of an address in the array, or of the object, of a pointer; `None` where it is another one.
fn indices(own: &Pointee, other: &Pointee) -> Option<Vec<Expr>> {
    let (a, b) = (own.part(), other.part());
    let kind = matches!((own, other), (Pointee::Single(_), Pointee::Single(_)) | (Pointee::Element(..), Pointee::Element(..)));
    let same = kind && a.root == b.root && a.path == b.path && a.indices.len() == b.indices.len();
    same.then(|| all_indices(other).into_iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use crate::lts::lower;

    fn refusal(source: &str) -> Option<String> {
        let program = crate::lang::parse(source).program.unwrap_or_default();
        lower::lower(&program, Some("f")).err().map(|errors| errors[0].code.to_owned())
    }

    const RECORDS: &str =
        "#include <string.h>\nstruct S { int id; char name[4]; int *p; }; struct S all[3], other, *sp; int a[3], b[3], m[2][3]; ";

    /// What calls and choices give is followed, wherever it goes.
    #[test]
    fn places_are_followed() {
        for source in [
            "struct S *find(int i) { return i < 3 ? &all[i] : 0; } int f(int i) { struct S *s = find(i); return s ? s->id : -1; }",
            "struct S *find(int i) { if (i < 3) return all + i; return NULL; } int f(int i) { return find(i) == NULL || find(i)->id; }",
            "int *at(int i, int k) { return &m[i][k]; } int f(int i) { int *p = at(i, 1), *q; q = at(1, i); *p = 2; return *q + (p != 0); }",
            "struct S *one(void) { return &other; } int f(int i) { one()->id = i; struct S *s = one(); return s->id; }",
            "int *larger(int *x, int i, int k) { return x[i] > x[k] ? x + i : x + k; } int f(int i) { return *larger(a, i, 1) + *larger(b, 0, i); }",
            "char *skip(char *s) { while (*s == 32) s++; return s; } int f(char *s) { s = skip(s); return *s && *skip(s); }",
            "int f(char *s) { int n = 0; while ((s = strchr(s, 44)) != 0) { s++; n++; } return n; }",
            "int f(int i) { char t[9] = \"a.b\"; char *d = strrchr(t, 46), *p = strpbrk(t, \"xb\"); return d && p ? p - d : strstr(t, \"ab\") == t; }",
            "int f(int i) { int *p = m[0]; if (i) p = m[1]; return p[1]; }",
            "void clear(struct S *s) { if (s) s->id = 0; } int f(int i) { clear(i ? &all[1] : NULL); return all[1].id; }",
            "int f(int *p, char *s) { if (p == NULL || !s) return -1; while (*s) s++; return p[1] + *s; }",
            "unsigned f(int i) { char s[3] = {1, 2}; unsigned char *p = (unsigned char *)s; p[0] = 200; return s[0] + p[1]; }",
        ] {
            assert_eq!(refusal(&format!("{RECORDS}{source}")), None, "{source}");
        }
    }

    /// Objects that one pointer may point to are kept together.
    #[test]
    fn different_objects_are_followed() {
        for source in [
            "int f(int c) { int *p = c ? a : b; return *p; }",
            "int *pick(int c) { if (c) return a; return b; } int f(int c) { return *pick(c) + (pick(1) == a); }",
            "int f(int i) { struct S *s = i ? &other : 0; return s ? s->id : 0; }",
            "int f(int i) { struct S *s = i ? &other : &all[1]; s->name[1] = 3; *s = all[0]; return s == &other; }",
            "int f(int *x, int *y, int n) { int *s = x, *d = y, *t; while (n--) { *d++ = *s++; t = s; s = d; d = t; } return y[0]; }",
            "int f(int *x, int *y) { if (*x > *y) x = y; x++; return *x; }",
            "int g(int *x, int *y) { if (*x > *y) { int *t = x; x = y; y = t; } return x[0] - y[0]; } int f(int i) { return g(a, b + i); }",
            "int f(int x, int y) { int *p = &x, *q = &y; if (x > y) { int *t = p; p = q; q = t; } *p = 0; return *q - *p + (p < q); }",
            "int f(struct S *s, struct S *t) { if (s == NULL) return 0; struct S *r = t ? s : &other; if (!t) r->id = 3; return r == s && r->id; }",
            "int f(int *x, int *y) { int *p = x; if (!p) p = y; if (p == 0 || !x) return 0; return *p + (x == y); }",
            "int f(int i) { char u[4] = \"abc\", w[3] = {1, 2}; char *s = i ? u : w; s = strchr(s, i); return s ? *s : strlen(w); }",
            "int f(int i) { int v[200], w[3] = {1}; int *p = i ? v : w; memcpy(p, w, 2 * sizeof(int)); return p[1] + w[i]; }",
        ] {
            assert_eq!(refusal(&format!("{RECORDS}{source}")), None, "{source}");
        }
    }

    /// More of them than are supported are refused.
    #[test]
    fn very_many_objects_are_refused() {
        let names: Vec<String> = (0..40).map(|number| format!("x{number}")).collect();
        let sets: String = names.iter().map(|name| format!("if (c == {name}) p = &{name}; ")).collect();
        let source = format!("int {}; int f(int c) {{ int *p = 0; {sets} return *p; }}", names.join(", "));
        let program = crate::lang::parse(&source).program.unwrap_or_default();
        let errors = lower::lower(&program, Some("f")).expect_err("too many");
        assert_eq!(
            (errors[0].code, errors[0].message.as_str()),
            ("unsupported-pointer", "a pointer to any of more than 16 objects is not supported")
        );
    }

    /// What may be objects of different kinds, or none of the program's, is not.
    #[test]
    fn other_pointers_are_refused() {
        for source in [
            "int f(int c) { int *p = c ? a : m[0]; return *p; }",
            "int *pick(int c) { if (c) return a; return m[1]; } int f(int c) { return *pick(c); }",
            "int *gone(void) { int x = 3; return &x; } int f(int c) { return *gone(); }",
            "int f(int i) { char *s = (char *)a; return s[1]; }",
            "int g(char *s) { return s[1]; } int f(int i) { return g((char *)a); }",
            "int f(int i) { void *v = a; char *s = v; return s[1]; }",
            "struct T { int id; char name[4]; }; int f(int i) { return ((struct T *)&all[1])->id; }",
        ] {
            assert_eq!(refusal(&format!("{RECORDS}{source}")).as_deref(), Some("unsupported-pointer"), "{source}");
        }
    }
}
