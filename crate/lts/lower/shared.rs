//! Pointer parameters that lead into one array: `f(s, s + 3)`. Where the function compares two pointers among its parameters, or says how
//! far apart they are, the second is the array of the first, and an index that is an input, `e - b`.
//!
//! Of pointers that are only tested for equality that leaves nothing out: pointers to two objects are as two that lead far apart. Which
//! comes first is undefined of two objects (C11 6.5.8p5, 6.5.6p9), so such a comparison is marked for the assumption
//! [`OneObject`](crate::lts::assume::Assumption::OneObject).
//!
//! Which pairs these are is found by lowering, as in [`super::joined`]: where two parameters turn out to be compared, lowering begins anew
//! with these in one array.

use super::Lowerer;
use super::given::{nowhere_if, object_or_null, settled_row};
use super::null_tests::tests_for_null;
use super::object::{Part, Pointee, Root, Target};
use crate::lang::ast::{BinaryOp as TreeOp, DeclId, Length, Linkage, Shape, Storage};
use crate::logic::{Int, IntRange, SortedMap, SortedSet};
use crate::lts::{BinaryOp, CompareOp, Expr, Label, Origin, Requirement, VariableId};

/// How far apart two pointers into one array may be.
const FARTHEST: i128 = 1 << 59;

/// Pairs of pointers that are compared: parameters of the function, and of the second kind globals that one is ordered with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    pub parameters: SortedSet<(DeclId, DeclId)>,
    pub globals: SortedMap<DeclId, DeclId>,
    /// Whether there are none, since what shares an array is not followed.
    pub apart: bool,
}

impl Pairs {
    /// Whose array each of the parameters leads into, where that is another one's.
    pub(super) fn bases(&self) -> SortedMap<DeclId, DeclId> {
        let mut group: SortedMap<DeclId, DeclId> = SortedMap::new();
        let first = |group: &SortedMap<DeclId, DeclId>, mut id: DeclId| {
            while let Some(&next) = group.get(&id).filter(|&&next| next != id) {
                id = next;
            }
            id
        };
        let pairs = self.parameters.iter().copied().chain(self.globals.iter().map(|(&parameter, &global)| (global, parameter)));
        for (a, b) in pairs {
            let (a, b) = (first(&group, a), first(&group, b));
            // A global is there before any parameter.
            let is_global = |id: DeclId| self.globals.values().any(|&global| global == id);
            let (base, other) = match (is_global(a), is_global(b)) {
                // Into two arrays at once nothing leads.
                (true, true) => continue,
                (false, true) => (b, a),
                (true, false) => (a, b),
                _ => (a.min(b), a.max(b)),
            };
            if base != other {
                group.insert(other, base);
            }
        }
        let ids: Vec<DeclId> = group.keys().copied().collect();
        ids.into_iter().map(|id| (id, first(&group, id))).collect()
    }
}

impl<'a> Lowerer<'a> {
    /// Has these lead into one array.
    pub(super) fn share(&mut self, pairs: &Pairs) {
        self.bases = pairs.bases();
        self.pairs = pairs.clone();
    }

    /// Whether another round keeps more objects together.
    pub(super) fn wants_more(&self, classes: &super::joined::Classes) -> bool {
        matches!(super::joined::merged(classes, &self.wanted), Ok(Some(_)))
    }

    /// Whether a declaration is among those that lead into one array.
    pub(super) fn is_shared(&self, decl: DeclId) -> bool {
        self.bases.iter().any(|(&id, &base)| id == decl || base == decl)
    }

    /// What the object of an address may be that of.
    pub(super) fn roots<'p>(&'p self, part: &'p Part) -> Vec<&'p Root> {
        match &part.root {
            Root::Joined(class) => {
                let class = &self.classes[*class as usize];
                match part.indices.first().and_then(|(row, _)| settled_row(row)) {
                    Some(row) => class.get(row).into_iter().collect(),
                    None => class.iter().collect(),
                }
            }
            root => vec![root],
        }
    }

    /// The pointers among the function's own parameters that the object of an address may be that of.
    fn own_pointers(&self, part: &Part) -> Vec<DeclId> {
        let own = self.roots(part).into_iter().filter(|root| self.is_own_pointer(root));
        own.filter_map(|root| if let Root::Decl(_, id) = root { Some(*id) } else { None }).collect()
    }

    /// What a pointer among the parameters leads to an array of, if it can share it.
    fn shareable(&self, id: DeclId) -> Option<&Shape> {
        match &self.program.decl(id).shape {
            Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(_) | Shape::Struct(_) | Shape::Pointer(_)) => Some(inner),
            _ => None,
        }
    }

    /// Whether two addresses may be those of two pointers to no type among the function's own parameters: these may be one, and no array is
    /// both of theirs.
    pub(super) fn are_untyped(&self, a: &Part, b: &Part) -> bool {
        let untyped = |part| {
            let roots: Vec<&Root> = self.roots(part);
            let is_untyped = |root: &&Root| match root {
                Root::Decl(frame, id) => {
                    let decl = self.program.decl(*id);
                    let leads_to_none = matches!(&decl.shape, Shape::Pointer(inner) if matches!(**inner, Shape::Void | Shape::Opaque));
                    *frame == self.frames[0].id && decl.storage == Storage::Parameter && leads_to_none
                }
                _ => false,
            };
            roots.into_iter().filter(is_untyped).cloned().collect::<Vec<Root>>()
        };
        let (a, b) = (untyped(a), untyped(b));
        a.iter().any(|one| b.iter().any(|other| one != other))
    }

    /// Notes that two addresses are compared, or ordered; gives whether lowering has to begin anew for that.
    pub(super) fn compared(&mut self, op: TreeOp, a: &Part, b: &Part) -> bool {
        if self.pairs.apart {
            return false;
        }
        let mut is_new = false;
        let (left, right) = (self.own_pointers(a), self.own_pointers(b));
        for &x in &left {
            for &y in &right {
                let same = x == y || self.shareable(x).is_none() || self.shareable(x) != self.shareable(y);
                if !same && self.bases.get(&x).unwrap_or(&x) != self.bases.get(&y).unwrap_or(&y) {
                    is_new |= self.pairs.parameters.insert((x.min(y), x.max(y)));
                }
            }
        }
        if matches!(op, TreeOp::Eq | TreeOp::Ne) {
            return is_new;
        }
        for (own, other) in [(&left, b), (&right, a)] {
            let ([own], Some(global)) = (&own[..], self.shared_array(other)) else { continue };
            let element = match &self.program.decl(global).shape {
                Shape::Array { element, .. } => Some(&**element),
                _ => None,
            };
            if element == self.shareable(*own) && !self.bases.contains_key(own) {
                is_new |= self.pairs.globals.insert(*own, global).is_none();
            }
        }
        is_new
    }

    /// The global or static array of known length that a part is.
    fn shared_array(&self, part: &Part) -> Option<DeclId> {
        let root = match &part.root {
            Root::Joined(class) => {
                let row = part.indices.first().and_then(|(row, _)| settled_row(row))?;
                self.classes[*class as usize].get(row)?
            }
            root => root,
        };
        let Root::Decl(_, id) = root else { return None };
        let decl = self.program.decl(*id);
        let known = matches!(&decl.shape, Shape::Array { length: Length::Fixed(_), .. }) && part.path.is_empty();
        (decl.storage.lasts() && known).then_some(*id)
    }

    /// The comparison of two addresses in one array, marked where these may be in two objects.
    pub(super) fn in_one_object(&self, op: TreeOp, root: &Root, (i, j): (&Expr, &Expr), value: Expr) -> Expr {
        let is_shared = match root {
            Root::Decl(_, id) => self.is_shared(*id),
            Root::Joined(class) => {
                self.classes[*class as usize].iter().any(|root| matches!(root, Root::Decl(_, id) if self.is_shared(*id)))
            }
            _ => false,
        };
        if matches!(op, TreeOp::Eq | TreeOp::Ne) || !is_shared || self.frames.iter().any(|frame| frame.function.library) {
            return value;
        }
        let is_own = |index: &Expr| {
            let mut own = true;
            index.walk(&mut |e| own &= !matches!(e, Expr::Var(_)));
            own
        };
        // Both are the first one itself.
        if is_own(i) && is_own(j) {
            return value;
        }
        Expr::Guarded(Requirement::OneObject, Box::new(Expr::Int(Int::ONE)), Box::new(value))
    }

    /// Makes the input that says how far behind the first element of another one's array, or of a global, a parameter leads.
    pub(super) fn own_offset(&mut self, decl: DeclId, base: DeclId) -> VariableId {
        let root = self.root(decl);
        let (name, _, span) = self.name_and_origin(&root);
        let least_and_greatest = match &self.program.decl(base).shape {
            Shape::Array { length: Length::Fixed(length), .. } => (0, length.to_i64().map_or(FARTHEST, i128::from)),
            _ => (-FARTHEST, FARTHEST),
        };
        let range = IntRange { least: least_and_greatest.0, greatest: least_and_greatest.1 };
        let offset = format!("{name} - {}", self.program.decl(base).name);
        self.typed_variable(offset, Origin::Parameter, span, None, Some(range))
    }

    /// Makes the variables of a parameter that leads into the array of another one, or of a global.
    pub(super) fn own_shared(&mut self, decl: DeclId, base: DeclId) {
        let (root, base_root) = (self.root(decl), self.root(base));
        let mut array = self.whole_object(base_root);
        let function = self.frames[0].function;
        let (name, _, span) = self.name_and_origin(&root);
        let offset = self.own_offset(decl, base);
        let mut index = Expr::Var(offset);
        if tests_for_null(self.program, decl) {
            let flags = IntRange { least: 0, greatest: 1 };
            let null = self.typed_variable(format!("{name}.null"), Origin::Parameter, span, None, Some(flags));
            array.nullable = true;
            match (&array.root, array.indices.first_mut()) {
                (Root::Joined(_), Some((row, _))) => {
                    if let Expr::Int(number) = row.clone() {
                        *row = object_or_null(null, &number);
                    }
                }
                _ => {
                    // Of a null pointer the way from the other one is 0, so that its index is that of null.
                    let none = |variable| Expr::Compare(CompareOp::Eq, Box::new(Expr::Var(variable)), Box::new(Expr::Int(Int::ZERO)));
                    let either = Expr::Binary(BinaryOp::Or, Box::new(none(null)), Box::new(none(offset)));
                    self.own_starts.push(Label::Assume { condition: either, holds: true });
                    index = Expr::Binary(BinaryOp::Add, Box::new(nowhere_if(null)), Box::new(index));
                }
            }
        }
        if !self.walking.contains(&decl) {
            self.pointees.insert(root, Pointee::Element(array, index));
            return;
        }
        let first = Pointee::Element(array.clone(), Expr::Int(Int::ZERO));
        array.nullable |= self.becomes_null(function, decl, &first);
        if let Target::Variable(variable, _) = self.moving_pointer(root, array, None) {
            self.own_starts.push(Label::Assign(variable, index));
        }
    }

    /// Whether an address of the program's own may be that of an object of a caller's: a global, or a static whose address is known.
    pub(super) fn is_known_outside(&self, root: &Root) -> bool {
        let Root::Decl(_, id) = root else { return false };
        let decl = self.program.decl(*id);
        decl.storage.lasts() && (decl.linkage != Linkage::Internal || self.uses().addressed[id.0 as usize])
    }

    /// The index in an object of the program at which a pointer parameter leads there, where it does.
    pub(super) fn meeting_index(&mut self, parameter: &Root, other: &Root) -> Expr {
        let name = format!("{} - {}", self.name_and_origin(parameter).0, self.name_and_origin(other).0);
        let known = self.variables.iter().position(|variable| variable.name == name);
        let id = match known {
            Some(at) => VariableId(at as u32),
            None => {
                let span = self.name_and_origin(parameter).2;
                let range = IntRange { least: -FARTHEST, greatest: FARTHEST };
                // It is of no matter where they do not meet.
                self.outside.meetings.push(name.clone());
                self.typed_variable(name, Origin::Inlined, span, Some(Int::ZERO), Some(range))
            }
        };
        Expr::Var(id)
    }
}
