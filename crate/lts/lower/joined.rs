//! Objects that one pointer may point to: `int *p = a; if (c) p = b;`. They are kept in one array of the model, element by element in turn
//! (of `a` and `b` that is `a[0]`, `b[0]`, `a[1]`, …), so that such a pointer says by one more variable, e.g. `p.object`, which it means,
//! and every access stays a single one. Any number of elements is possible so, also an unknown one.
//!
//! Which objects these are is found by lowering: where a pointer turns out to need two of them together, lowering begins anew with these
//! joined ([`super::lower_with`]). To join more than would be necessary does no harm.

use super::Lowerer;
use super::graph::{NOWHERE, Node};
use super::object::{Leaf, Part, Pointee, Root, Target};
use crate::lang::ast::{DeclId, ExprKind, Init, Length, Shape, Stmt, StmtKind, Storage};
use crate::lang::types::Integer;
use crate::logic::{Arrange, Int, IntRange, SortedMap};
use crate::lts::{ArrayId, BinaryOp, CompareOp, Expr, Label, Object, Origin, Requirement};
use crate::source::{Diagnostic, Span};

/// Objects that one pointer may point to.
const MAX_OBJECTS: usize = 16;
/// Elements that may be given values at once.
const MAX_FILLED: usize = 4_096;
/// Those that may be given values one by one.
const MAX_STORED: usize = 256;
/// Elements of a local without first values that are inputs under its own name.
const MAX_COPIED: usize = 64;

/// Objects that are kept together.
pub(super) type Classes = Vec<Vec<Root>>;
/// Elements of a class with their first values, and the objects that keep arbitrary ones.
pub(super) type Firsts = (Vec<(usize, Expr)>, Vec<usize>);

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Binary(BinaryOp::And, Box::new(a), Box::new(b))
}

fn compare(op: CompareOp, a: &Expr, b: Expr) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(b))
}

fn number(value: usize) -> Expr {
    Expr::Int(Int::from(value))
}

/// The classes with the objects of each pair in one of them; `None` where that changes nothing.
///
/// # Errors
/// One has too many objects.
pub(super) fn merged(classes: &Classes, wanted: &[(Root, Root)]) -> Result<Option<Classes>, usize> {
    let mut merged = classes.clone();
    for (a, b) in wanted {
        let mut class = vec![a.clone()];
        if a != b {
            class.push(b.clone());
        }
        // Those that have one of the two become one, in the place of the first.
        let mut place = merged.len();
        for at in (0..merged.len()).rev() {
            if merged[at].iter().any(|root| root == a || root == b) {
                let mut all = merged.remove(at);
                class.retain(|root| !all.contains(root));
                all.append(&mut class);
                (class, place) = (all, at);
            }
        }
        if class.len() > MAX_OBJECTS {
            return Err(MAX_OBJECTS);
        }
        merged.insert(place.min(merged.len()), class);
    }
    Ok((merged != *classes).then_some(merged))
}

/// The message for a pointer with too many objects.
pub(super) fn too_many(most: usize, error: &Diagnostic) -> Diagnostic {
    Diagnostic::error("unsupported-pointer", error.span, format!("a pointer to any of more than {most} objects is not supported"))
        .help("have them be elements of one array")
}

impl<'a> Lowerer<'a> {
    /// Has objects be kept together.
    pub(super) fn join_objects(&mut self, classes: Classes) {
        for (class, roots) in (0u32..).zip(&classes) {
            self.rows.extend(roots.iter().cloned().zip(0usize..).map(|(root, row)| (root, (class, row))));
        }
        self.classes = classes;
    }

    /// What the elements of an object are, if it can be kept together with others.
    fn joinable(&self, root: &Root) -> Option<Shape> {
        if !matches!(root, Root::Decl(..)) {
            return None;
        }
        match self.root_shape(root) {
            Shape::Pointer(_) | Shape::Void | Shape::Opaque => None,
            shape if shape.is_computed() => None,
            Shape::Array { element, .. } => Some(*element),
            shape => Some(shape),
        }
    }

    /// Notes that a pointer needs objects to be kept together.
    pub(super) fn want_joined(&mut self, a: &Pointee, b: &Pointee) {
        let roots = [a, b].map(|pointee| match &pointee.part().root {
            Root::Joined(class) => self.classes[*class as usize][0].clone(),
            root => root.clone(),
        });
        let [first, second] = &roots;
        if let (Some(left), Some(right)) = (self.joinable(first), self.joinable(second))
            && left == right
        {
            let [first, second] = roots;
            self.wanted.push((first, second));
        }
    }

    /// An object that is kept together with others.
    pub(super) fn joined_whole(&self, root: &Root, shape: &Shape) -> Option<Part> {
        let &(class, row) = self.rows.get(root)?;
        let mut indices = vec![(number(row), None)];
        if !matches!(shape, Shape::Array { .. }) {
            indices.push((Expr::Int(Int::ZERO), Some(Int::ONE)));
        }
        Some(Part {
            root: Root::Joined(class),
            path: Vec::new(),
            indices,
            inner: 0,
            nullable: false,
            outside: false,
            volatile: false,
            shape: shape.clone(),
        })
    }

    /// The address of a part: an object that is kept together with others is an array with one element.
    pub(super) fn address_of(&self, mut part: Part) -> Pointee {
        if !matches!(part.root, Root::Joined(_)) || !part.path.is_empty() || part.indices.len() != 2 {
            return Pointee::Single(part);
        }
        let Some((index, length)) = part.indices.pop() else { return Pointee::Single(part) };
        part.shape = Shape::Array { element: Box::new(part.shape), length: length.map_or(Length::Unknown, Length::Fixed) };
        Pointee::Element(part, index)
    }

    /// How many elements each object of a class has, where that is known.
    fn lengths(&self, class: u32) -> Vec<Option<Int>> {
        let length = |root: &Root| match self.root_shape(root) {
            Shape::Array { length: Length::Fixed(length), .. } => Some(length),
            Shape::Array { .. } => None,
            _ => Some(Int::ONE),
        };
        self.classes[class as usize].iter().map(length).collect()
    }

    /// What any object of a class is, as long as the longest.
    pub(super) fn joined_row(&self, class: u32) -> Shape {
        let element = self.classes[class as usize].first().and_then(|root| self.joinable(root)).unwrap_or(Shape::INT);
        let longest = self.lengths(class).into_iter().try_fold(Int::ONE, |most, length| length.map(|length| most.max(length)));
        Shape::Array { element: Box::new(element), length: longest.map_or(Length::Unknown, Length::Fixed) }
    }

    /// The shape of all objects of a class.
    pub(super) fn joined_shape(&self, class: u32) -> Shape {
        let count = self.classes[class as usize].len();
        Shape::Array { element: Box::new(self.joined_row(class)), length: Length::Fixed(Int::from(count)) }
    }

    /// The name of what keeps a class.
    pub(super) fn joined_name(&self, class: u32) -> (String, Origin, Span) {
        let all: Vec<_> = self.classes[class as usize].iter().map(|root| self.name_and_origin(root)).collect();
        let names: Vec<&str> = all.iter().map(|(name, ..)| name.as_str()).collect();
        // Also what a caller knows of, so that no summary of a function leaves it out.
        let origins = [Origin::Global, Origin::Parameter, Origin::Local];
        let origin = origins.into_iter().find(|origin| all.iter().any(|(_, own, _)| own == origin));
        (names.join("|"), origin.unwrap_or(Origin::Inlined), all.first().map(|(.., span)| *span).unwrap_or_default())
    }

    /// The objects of a class, as the array keeps them that has their scalars with these members on the way.
    pub(super) fn joined_objects(&self, class: u32, path: &[usize]) -> Vec<Object> {
        let kept = self.joined_inputs.get(&(class, path.to_vec())).map_or(&[][..], |(_, kept)| kept);
        let roots = self.classes[class as usize].iter().enumerate();
        let object = |(row, root): (usize, &Root)| {
            let (name, _, span) = self.name_and_origin(root);
            let (member, dimensions, _) = self.along(self.root_shape(root), path);
            let (part, _) = self.source_part(root, path);
            Object { name: format!("{name}{member}"), part, member, span, is_scalar: dimensions.is_empty(), is_input: kept.contains(&row) }
        };
        roots.map(object).collect()
    }

    /// The names of the objects of all classes, and after them those of the members of unions, and of pointers in nodes.
    pub(super) fn class_names(&self) -> Vec<Vec<String>> {
        let objects = self.classes.iter().map(|class| class.iter().map(|root| self.name_and_origin(root).0).collect());
        objects.chain(self.member_names()).chain(self.program.nodes.members.iter().cloned()).collect()
    }

    /// Where a scalar in an object of a class is kept: every index must stay within its own array.
    pub(super) fn joined_target(&self, class: u32, array: ArrayId, part: &Part, ty: Integer) -> Option<Target> {
        let lengths = self.lengths(class);
        let (row, rest) = part.indices.split_first()?;
        let (first, inner) = rest.split_first()?;
        let mut flat = self.within_own(&row.0, &first.0, &lengths)?;
        for (index, length) in inner {
            flat = super::object::row_by_row(flat, index, length.as_ref()?);
        }
        let row = if part.nullable { super::given::followed(&row.0) } else { row.0.clone() };
        Some(Target::Element(array, super::object::in_turn(flat, lengths.len(), row), ty))
    }

    /// The index, undefined where the object with this number has no such element; `None` where that cannot be said.
    fn within_own(&self, row: &Expr, index: &Expr, lengths: &[Option<Int>]) -> Option<Expr> {
        let checked = |length: &Int| match index {
            Expr::Int(value) if !value.is_negative() && value < length => index.clone(),
            _ => {
                let last = length.to_i64().unwrap_or(i64::MAX) - 1;
                Expr::Within(Requirement::Index, IntRange { least: 0, greatest: i128::from(last) }, Box::new(index.clone()))
            }
        };
        if let Expr::Int(row) = row {
            let length = lengths.get(row.to_i64().and_then(|row| usize::try_from(row).ok())?)?;
            return Some(length.as_ref().map_or(index.clone(), checked));
        }
        let longest = lengths.iter().try_fold(Int::ZERO, |most, length| length.clone().map(|length| most.max(length)));
        let mut found = longest.as_ref().map_or(index.clone(), checked);
        for (at, length) in lengths.iter().enumerate().rev() {
            let Some(length) = length.as_ref().filter(|&length| Some(length) != longest.as_ref()) else { continue };
            if super::expression::has_nondet(index) || super::expression::has_nondet(row) {
                return None;
            }
            let mut inside = compare(CompareOp::Lt, index, Expr::Int(length.clone()));
            if longest.is_none() {
                inside = both(compare(CompareOp::Ge, index, Expr::Int(Int::ZERO)), inside);
            }
            let other = compare(CompareOp::Ne, row, number(at));
            found =
                Expr::Guarded(Requirement::Index, Box::new(Expr::Binary(BinaryOp::Or, Box::new(other), Box::new(inside))), Box::new(found));
        }
        Some(found)
    }

    // First values

    /// The first values of all objects of a class, where the program sets all of them; the others are noted.
    pub(super) fn joined_initial(&mut self, class: u32, path: &[usize], dimensions: &[Option<Int>], ty: Integer) -> Option<Vec<Int>> {
        let roots = self.classes[class as usize].clone();
        let lengths = self.lengths(class);
        let inner = dimensions
            .iter()
            .skip(2)
            .try_fold(1usize, |product, length| product.checked_mul(usize::try_from(length.as_ref()?.to_i64()?).ok()?))?;
        let count = roots.len();
        let (mut values, mut edges, mut open, mut kept) = (Vec::new(), Vec::new(), false, Vec::new());
        for ((row, root), length) in roots.iter().enumerate().zip(lengths) {
            let own: Vec<Option<Int>> = match self.root_shape(root) {
                Shape::Array { .. } => dimensions.iter().skip(1).cloned().collect(),
                _ => dimensions.iter().skip(2).cloned().collect(),
            };
            let length = length.and_then(|length| usize::try_from(length.to_i64()?).ok()?.checked_mul(inner));
            if let Some(given) = self.initial(root, path, &own, ty).or_else(|| self.always_set(root).then(Vec::new)) {
                if given.len() > super::declare::MAX_INITIAL / count {
                    self.too_many_filled(root);
                    return None;
                }
                for (at, value) in given.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
                    values.resize(values.len().max(at * count + row + 1), Int::ZERO);
                    values[at * count + row] = value.clone();
                }
                // One more than there may be says that there are too many.
                let shown =
                    (0..length.unwrap_or(given.len()).min(MAX_FILLED + 1)).zip(given.into_iter().chain(std::iter::repeat(Int::ZERO)));
                edges.extend(shown.map(|(at, value)| (at * count + row, Expr::Int(value))));
                continue;
            }
            open = true;
            let local = matches!(root, Root::Decl(_, decl) if self.program.decl(*decl).storage == Storage::Local);
            // Else it is an input under its own name.
            let Some(length) = length.filter(|&length| !local || length <= MAX_COPIED) else {
                kept.push(row);
                continue;
            };
            let leaf = self.leaf(root, path);
            for at in 0..length.min(MAX_FILLED + 1) {
                let value = match leaf {
                    Leaf::Scalar(variable) => Expr::Var(variable),
                    Leaf::Array(array) => Expr::Read(array, Box::new(number(at))),
                };
                edges.push((at * count + row, value));
            }
        }
        if !open {
            return Some(values);
        }
        let total = dimensions.iter().try_fold(Int::ONE, |product, length| length.as_ref().map(|length| &product * length));
        let at_once = total.is_some_and(|total| total <= Int::from(MAX_FILLED));
        if edges.len() > if at_once { MAX_FILLED } else { MAX_STORED } {
            self.too_many_filled(&roots[0]);
            return None;
        }
        self.joined_inputs.insert((class, path.to_vec()), (edges, kept));
        None
    }

    fn too_many_filled(&mut self, root: &Root) {
        let span = self.name_and_origin(root).2;
        let text = "too many first values of objects that one pointer may point to";
        self.fail(Diagnostic::error("too-many-values", span, text).help("assign them in a loop"));
    }

    /// Whether a variable has a value wherever it is: what it holds before that is of no matter.
    fn always_set(&self, root: &Root) -> bool {
        let Root::Decl(frame, decl) = root else { return false };
        match self.program.decl(*decl).storage {
            Storage::Parameter => *frame != self.frames[0].id,
            Storage::Local => self.program.functions.iter().any(|function| sets(&function.body, *decl)),
            _ => false,
        }
    }

    /// The edges that give objects of classes their first values, where not all are set before.
    pub(super) fn joined_entry(&mut self, span: Span, mut entry: Node) -> Node {
        let mut all: Vec<_> = std::mem::take(&mut self.joined_inputs).into_iter().collect();
        all.arrange_by_key(|one| one.0.clone());
        for ((class, path), (edges, kept)) in all {
            let count = self.classes[class as usize].len();
            if let Leaf::Array(array) = self.leaf(&Root::Joined(class), &path) {
                entry = self.fill_some(array, edges, &|at| kept.contains(&(at % count)), span, entry);
            }
        }
        entry
    }

    /// The edges that give these elements of an array these values; of the others those that are kept stay what they are.
    fn fill_some(&mut self, array: ArrayId, given: Vec<(usize, Expr)>, kept: &dyn Fn(usize) -> bool, span: Span, mut next: Node) -> Node {
        let length = self.arrays[array.0 as usize].length.as_ref().and_then(Int::to_i64).and_then(|length| usize::try_from(length).ok());
        match length.filter(|&length| length <= MAX_FILLED && given.len() > 1) {
            Some(length) => {
                let mut given: SortedMap<usize, Expr> = given.into_iter().collect();
                let other = |at| if kept(at) { Expr::Read(array, Box::new(number(at))) } else { Expr::Int(Int::ZERO) };
                let values = (0..length).map(|at| given.remove(&at).unwrap_or_else(|| other(at))).collect();
                self.graph.operation(Label::Fill(array, values), span, next)
            }
            None => {
                for (at, value) in given.into_iter().rev() {
                    next = self.graph.operation(Label::Store { array, index: number(at), value }, span, next);
                }
                next
            }
        }
    }

    /// The edges of a declaration that gives an object of a class these first values, the rest zero.
    pub(super) fn fill_joined(
        &mut self,
        part: &Part,
        path: &[usize],
        dimensions: &[usize],
        values: &[Expr],
        span: Span,
        next: Node,
    ) -> Node {
        let (Root::Joined(class), Some((Expr::Int(row), _))) = (&part.root, part.indices.first()) else { return NOWHERE };
        let (class, row) = (*class, row.to_i64().map_or(0, |row| row as usize));
        let count = self.classes[class as usize].len();
        let Leaf::Array(array) = self.leaf(&Root::Joined(class), path) else { return NOWHERE };
        let whole = self.arrays[array.0 as usize].length.as_ref().is_some_and(|length| *length <= Int::from(MAX_FILLED));
        let most = if whole { MAX_FILLED } else { MAX_STORED };
        let length = dimensions.iter().try_fold(1usize, |product, length| product.checked_mul(*length)).filter(|&n| n <= most);
        let Some(length) = length else {
            self.too_many_filled(&self.classes[class as usize][row].clone());
            return NOWHERE;
        };
        let given = (0..length).map(|at| (at * count + row, values.get(at).cloned().unwrap_or(Expr::Int(Int::ZERO)))).collect();
        self.fill_some(array, given, &|_| true, span, next)
    }

    /// An index in the second of two objects of a class, of which a pointer parameter points to one, counted from the first.
    pub(super) fn index_from_other(&mut self, a: &Part, b: &Part, index: Expr) -> Expr {
        let Root::Joined(class) = a.root else { return index };
        let root = |part: &Part| {
            let row = part.indices.first().and_then(|(row, _)| super::given::settled_row(row))?;
            self.classes[class as usize].get(row).cloned()
        };
        let (Some(left), Some(right)) = (root(a), root(b)) else { return index };
        match (self.is_own_pointer(&left), self.is_own_pointer(&right)) {
            _ if left == right => index,
            (true, false) if self.is_known_outside(&right) => {
                let way = self.meeting_index(&left, &right);
                Expr::Binary(BinaryOp::Sub, Box::new(index), Box::new(way))
            }
            (false, true) if self.is_known_outside(&left) => super::object::add(index, self.meeting_index(&right, &left)),
            _ => index,
        }
    }

    /// Whether two addresses in a class are the same, with what says so of objects and indices on the way; `None` where one would be
    /// evaluated twice.
    pub(super) fn same_object(&mut self, a: &Part, b: &Part) -> Option<Expr> {
        let mut all: Option<Expr> = None;
        if let (Root::Joined(class), Some((Expr::Int(left), _)), Some((Expr::Int(right), _))) =
            (&a.root, a.indices.first(), b.indices.first())
        {
            let at = |row: &Int| row.to_i64().and_then(|row| self.classes[*class as usize].get(usize::try_from(row).ok()?).cloned());
            if let (Some(left), Some(right)) = (at(left), at(right))
                && let Some(meeting) = self.meeting(&left, &right)
            {
                return Some(meeting);
            }
        }
        for ((left, _), (right, _)) in a.indices.iter().zip(&b.indices) {
            if super::expression::has_nondet(left) || super::expression::has_nondet(right) {
                return None;
            }
            if left != right {
                let same = compare(CompareOp::Eq, left, right.clone());
                all = Some(all.map_or(same.clone(), |all| both(all, same)));
            }
        }
        Some(all.unwrap_or(Expr::Int(Int::ONE)))
    }
}

/// Whether statements declare the variable with a first value that no jump goes around.
fn sets(body: &[Stmt], decl: DeclId) -> bool {
    let (mut found, mut jumps) = (false, false);
    let mut open: Vec<&Stmt> = body.iter().collect();
    while let Some(stmt) = open.pop() {
        match &stmt.kind {
            StmtKind::Declare(_, list) => {
                found |= list.iter().any(|declarator| {
                    declarator.decl == decl
                        && !declarator.is_static
                        && match &declarator.init {
                            Some(Init::Expr(e)) => !matches!(e.kind, ExprKind::Error),
                            init => init.is_some(),
                        }
                });
            }
            StmtKind::Goto(_) | StmtKind::Switch { .. } => jumps = true,
            _ => {}
        }
        stmt.children(&mut |child| open.push(child));
    }
    found && !jumps
}
