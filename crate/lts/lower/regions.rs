//! Where C leaves the order of evaluation open and it makes a difference: full expressions, and the parts of them between sequence points,
//! with the evaluations that conflict (C11 6.5p2, 6.5.2.2p10).

use super::effects::{Accesses, Effects, operands, place_operands};
use super::flow::shape_of;
use crate::lang::ast::{Expr as Tree, ExprKind, Name, Program, Shape, Stmt};
use crate::logic::SortedMap;

/// Pairs of evaluations of one expression that are told to be undefined, at most.
const MOST_PAIRS: usize = 500;

/// What kind of evaluation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    /// The read of what a compound assignment changes.
    Old,
    /// An assignment, `++` or `--`.
    Write,
    Call,
    /// An expression with sequence points in it.
    Unit,
    /// What leads to the place of a compound assignment, where it must not be evaluated twice: once for the old value.
    Way,
}

/// An evaluation that others can come before or behind.
pub(super) struct Atom<'a> {
    pub tree: &'a Tree,
    pub kind: Kind,
    /// The first of the atoms inside of it; those up to itself are evaluated before it.
    pub first: usize,
    /// Whether it leads to the place of a compound assignment.
    is_way: bool,
    accesses: Accesses,
    /// Of an expression with sequence points: what is read and written in its parts.
    within: Vec<Access<'a>>,
}

/// A read or write of an object, by itself or in a part of an expression with sequence points.
#[derive(Clone, Copy)]
struct Access<'a> {
    place: &'a Tree,
    is_write: bool,
    /// The part: what lies between sequence points, without the parts that lie in it in turn. None of what is evaluated wherever the whole
    /// is.
    part: Option<&'a Tree>,
    /// Whether a sequence point separates it from the value of the expression, as of the condition of `?:`.
    is_complete: bool,
}

/// A part of an expression without sequence points, with atoms in the order of the text.
pub(super) struct Region<'a> {
    pub root: &'a Tree,
    pub atoms: Vec<Atom<'a>>,
    /// Pairs of atoms that come in either order, which makes a difference.
    pub conflicts: Vec<(usize, usize)>,
    /// Of these pairs the second may end the execution. The first has no part in that, and comes first: so it is reached wherever some order
    /// reaches it.
    pub before: Vec<(usize, usize)>,
    /// Whether something could come between the parts of one atom.
    pub too_fine: bool,
    /// Objects that are certainly or perhaps changed and used without an order between.
    pub unsequenced: Vec<Unsequenced<'a>>,
    /// Those of the expressions around, where the first of both lies in this very part.
    pub from_around: Vec<Unsequenced<'a>>,
}

/// A place that is changed and used without an order between.
#[derive(Clone)]
pub(super) struct Unsequenced<'a> {
    /// The place as one and as the other evaluation has it.
    pub places: [&'a Tree; 2],
    /// Both for people.
    pub names: [String; 2],
    /// The parts of expressions with sequence points in which they are evaluated, the first if only one is; none of what is evaluated
    /// wherever the whole is.
    pub parts: [Option<&'a Tree>; 2],
    pub same: Same<'a>,
}

/// Whether two places are the same.
#[derive(Clone)]
pub(super) enum Same<'a> {
    Always,
    /// Where these indices are equal, pair by pair.
    IfEqual(Vec<(&'a Tree, &'a Tree)>),
    Perhaps,
}

impl<'a> Region<'a> {
    fn new(root: &'a Tree) -> Region<'a> {
        Region {
            root,
            atoms: Vec::new(),
            conflicts: Vec::new(),
            before: Vec::new(),
            too_fine: false,
            unsequenced: Vec::new(),
            from_around: Vec::new(),
        }
    }

    /// Whether the first atom is evaluated inside of the second.
    pub fn is_inside(&self, a: usize, b: usize) -> bool {
        self.atoms[b].first <= a && a < b
    }

    /// The atoms in some conflict, in the order of the text.
    pub fn active(&self) -> Vec<usize> {
        let conflicts = |at: usize| self.conflicts.iter().chain(&self.before).any(|&(a, b)| a == at || b == at);
        let is_way = |at: usize| {
            let olds = (at + 1..self.atoms.len()).filter(|&old| self.atoms[old].kind == Kind::Old && self.is_inside(at, old));
            self.atoms[at].is_way && olds.into_iter().any(conflicts)
        };
        (0..self.atoms.len()).filter(|&at| conflicts(at) || is_way(at)).collect()
    }

    /// The atom of the assignment that changes this place.
    pub fn assignment_of(&self, place: &Tree) -> Option<usize> {
        self.atoms.iter().position(|atom| matches!(&atom.tree.kind, ExprKind::Assign { target, .. } if std::ptr::eq(&**target, place)))
    }
}

/// The regions of a program where an order makes a difference, by their expressions.
pub(super) fn regions(program: &Program) -> SortedMap<*const Tree, Region<'_>> {
    let mut search = Search { program, effects: None, found: SortedMap::new(), of_parts: Vec::new() };
    for function in &program.functions {
        function.body.iter().for_each(|stmt| search.statement(stmt));
    }
    // A part is told what must not be evaluated beside it.
    for Unsequenced { places: [a, b], names, parts, same } in search.of_parts {
        let seen = [([a, b], parts), ([b, a], [parts[1], parts[0]])];
        for (places, parts) in seen {
            if let Some(part) = parts[0] {
                let region = search.found.entry(std::ptr::from_ref(part)).or_insert_with(|| Region::new(part));
                region.from_around.push(Unsequenced { places, names: names.clone(), parts, same: same.clone() });
            }
        }
    }
    search.found
}

struct Search<'a> {
    program: &'a Program,
    effects: Option<Effects<'a>>,
    found: SortedMap<*const Tree, Region<'a>>,
    /// What is evaluated in parts of expressions with sequence points, in the order of the text.
    of_parts: Vec<Unsequenced<'a>>,
}

impl<'a> Search<'a> {
    fn statement(&mut self, stmt: &'a Stmt) {
        stmt.expressions(&mut |e| self.full(e));
        stmt.children(&mut |child| self.statement(child));
    }

    /// An expression that starts and ends at a sequence point.
    fn full(&mut self, e: &'a Tree) {
        let mut parts = Vec::new();
        let (mut changes, mut others) = (0, 0);
        count(self.program, e, e, &mut changes, &mut others, &mut parts);
        parts.iter().for_each(|part| self.full(part));
        if changes == 0 || changes + others < 2 {
            return;
        }
        let effects = self.effects.get_or_insert_with(|| Effects::new(self.program));
        let mut atoms = Vec::new();
        collect(self.program, effects, e, &mut atoms);
        let mut region = Region { atoms, ..Region::new(e) };
        compare(self.program, effects, &mut region);
        self.of_parts.extend(region.unsequenced.iter().filter(|unsequenced| unsequenced.parts[0].is_some()).cloned());
        // From left to right may be what is wanted already.
        let in_order = region.conflicts.is_empty() && region.before.iter().all(|(first, second)| first < second);
        if !(in_order && region.unsequenced.is_empty()) {
            self.found.insert(std::ptr::from_ref(e), region);
        }
    }
}

fn is_unit(e: &Tree) -> bool {
    matches!(e.kind, ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) | ExprKind::Comma(..))
}

/// Counts what may change something and what else there is, and collects the parts behind sequence points.
fn count<'a>(program: &Program, root: &Tree, e: &'a Tree, changes: &mut usize, others: &mut usize, parts: &mut Vec<&'a Tree>) {
    match &e.kind {
        _ if is_unit(e) => {
            *changes += 1;
            e.kind.children(&mut |part| parts.push(part));
            return;
        }
        // What the whole assigns is written behind everything else.
        ExprKind::Assign { op, .. } if std::ptr::eq(root, e) => {
            *others += 1;
            *changes += usize::from(op.is_some());
        }
        ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Call(..) => *changes += 1,
        ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => *others += 1,
        _ => {}
    }
    operands(program, e, &mut |operand| count(program, root, operand, changes, others, parts));
}

fn collect<'a>(program: &Program, effects: &Effects<'a>, e: &'a Tree, atoms: &mut Vec<Atom<'a>>) {
    let first = atoms.len();
    let mut accesses = Accesses::default();
    if is_unit(e) {
        effects.all(e, &mut accesses);
        let mut inner = Vec::new();
        within(program, effects, e, false, &mut inner);
        atoms.push(Atom { tree: e, kind: Kind::Unit, first, is_way: false, accesses, within: inner });
        return;
    }
    let kind = match &e.kind {
        ExprKind::Assign { target, op, value, .. } => {
            place_operands(program, target, &mut |operand| {
                let first = atoms.len();
                collect(program, effects, operand, atoms);
                match atoms.last_mut() {
                    _ if op.is_none() || is_repeatable(program, operand) => {}
                    Some(last) if std::ptr::eq(last.tree, operand) => last.is_way = true,
                    _ => atoms.push(Atom {
                        tree: operand,
                        kind: Kind::Way,
                        first,
                        is_way: true,
                        accesses: Accesses::default(),
                        within: Vec::new(),
                    }),
                }
            });
            if op.is_some() {
                let mut old = Accesses::default();
                old.reads.insert(effects.object(target));
                atoms.push(Atom { tree: target, kind: Kind::Old, first, is_way: false, accesses: old, within: Vec::new() });
            }
            collect(program, effects, value, atoms);
            Kind::Write
        }
        kind => {
            operands(program, e, &mut |operand| collect(program, effects, operand, atoms));
            match kind {
                ExprKind::Step { .. } => Kind::Write,
                ExprKind::Call(..) => Kind::Call,
                _ => Kind::Read,
            }
        }
    };
    effects.own(e, &mut accesses);
    // A call orders what is inside of it before what is behind, whatever it does.
    if accesses != Accesses::default() || kind == Kind::Call {
        atoms.push(Atom { tree: e, kind, first, is_way: false, accesses, within: Vec::new() });
    }
}

/// Collects what is read and written in the parts of an expression with sequence points; `is_complete` if there is one behind it.
fn within<'a>(program: &Program, effects: &Effects<'a>, unit: &'a Tree, is_complete: bool, found: &mut Vec<Access<'a>>) {
    let first = match &unit.kind {
        ExprKind::Conditional(condition, ..) => std::ptr::from_ref(&**condition),
        ExprKind::And(first, _) | ExprKind::Or(first, _) | ExprKind::Comma(first, _) => std::ptr::from_ref(&**first),
        _ => return,
    };
    unit.kind.children(&mut |part| {
        let is_complete = is_complete || std::ptr::eq(first, part);
        if is_unit(part) {
            return within(program, effects, part, is_complete, found);
        }
        let mut atoms = Vec::new();
        collect(program, effects, part, &mut atoms);
        for (atom, at) in atoms.iter().zip(0..) {
            // A call completes its arguments.
            let in_call = (at + 1..atoms.len()).any(|call| atoms[call].kind == Kind::Call && atoms[call].first <= at);
            let is_complete = is_complete || in_call;
            if let Some(place) = place(atom) {
                found.push(Access { place, is_write: atom.kind == Kind::Write, part: Some(part), is_complete });
            }
            found.extend(atom.within.iter().map(|inner| Access { is_complete: inner.is_complete || is_complete, ..*inner }));
        }
    });
}

/// Whether an expression gives the same value once more, if nothing else changes, and does nothing else.
fn is_repeatable(program: &Program, e: &Tree) -> bool {
    let own = match &e.kind {
        ExprKind::Name(Name { decl: Some(decl), .. }) => !program.decl(*decl).qualifiers.names_volatile(),
        ExprKind::Call(..) | ExprKind::Assign { .. } | ExprKind::Step { .. } => false,
        _ => !is_unit(e),
    };
    let mut all = own && e.volatile & 1 == 0;
    e.kind.children(&mut |child| all = all && is_repeatable(program, child));
    all
}

/// Finds the pairs of atoms that conflict.
fn compare<'a>(program: &Program, effects: &Effects<'a>, region: &mut Region<'a>) {
    let changed: Vec<_> = region.atoms.iter().flat_map(|atom| atom.accesses.writes.iter().copied()).collect();
    let is_steady = |e: &Tree| {
        let mut found = Accesses::default();
        effects.all(e, &mut found);
        found.writes.is_empty() && !found.calls && !found.reads.iter().any(|&read| changed.iter().any(|&write| effects.meet(read, write)))
    };
    let mut unsequenced: Vec<Unsequenced> = Vec::new();
    let accesses: Vec<Vec<Access>> = region.atoms.iter().map(accesses_of).collect();
    for b in 0..region.atoms.len() {
        for a in 0..b {
            let (first, second) = (&region.atoms[a], &region.atoms[b]);
            let inside = region.is_inside(a, b);
            // A call lies between, which ends what is evaluated for it.
            let is_called =
                inside && (a + 1..b).any(|c| region.atoms[c].kind == Kind::Call && region.is_inside(a, c) && region.is_inside(c, b));
            for &x in &accesses[a] {
                for &y in &accesses[b] {
                    let unordered = match inside {
                        // An inner side effect can come behind the outer one.
                        true => x.is_write && y.is_write && !x.is_complete && !is_called,
                        false => x.is_write || y.is_write,
                    };
                    if unordered && let Some(same) = same(program, x.place, y.place, &is_steady) {
                        let pair = if x.part.is_none() && y.part.is_some() { [y, x] } else { [x, y] };
                        let (places, parts) = (pair.map(|access| access.place), pair.map(|access| access.part));
                        let found = Unsequenced { places, names: places.map(super::spelling::spelled), parts, same };
                        if unsequenced.len() < MOST_PAIRS && !unsequenced.iter().any(|known| found.is_implied_by(known)) {
                            unsequenced.push(found);
                        }
                    }
                }
            }
            let by_calls = [first, second].iter().any(|atom| atom.accesses.calls || atom.accesses.ends);
            if by_calls {
                let own = !is_old_for(region, a, b) && !is_old_for(region, b, a);
                if inside || !own {
                    continue;
                }
                if effects.conflict(&first.accesses, &second.accesses) {
                    let too_fine = [(first, second), (second, first)]
                        .into_iter()
                        .any(|(unit, other)| unit.kind == Kind::Unit && pieces(program, effects, unit.tree, &other.accesses) > 1);
                    region.too_fine |= too_fine;
                    region.conflicts.push((a, b));
                } else if first.accesses.ends && second.accesses.calls {
                    region.before.push((b, a));
                } else if second.accesses.ends && first.accesses.calls {
                    region.before.push((a, b));
                }
            }
        }
    }
    region.too_fine |= unsequenced.len() >= MOST_PAIRS;
    // What is undefined wherever the whole is evaluated comes first: it makes the rest needless.
    let (always, in_parts): (Vec<_>, Vec<_>) = unsequenced.into_iter().partition(|found| found.parts[0].is_none());
    for found in always.into_iter().chain(in_parts) {
        if !region.unsequenced.iter().any(|known| found.is_implied_by(known)) {
            region.unsequenced.push(found);
        }
    }
}

/// Whether the first atom reads an old value for an assignment in which the second does not lie: to others an assignment is one evaluation
/// (6.5.16.2p3).
fn is_old_for(region: &Region, old: usize, other: usize) -> bool {
    let Atom { tree: place, kind: Kind::Old, .. } = region.atoms[old] else { return false };
    let whole = region.assignment_of(place);
    whole.is_some_and(|whole| other != whole && !region.is_inside(other, whole))
}

/// How many evaluations in an expression with sequence points conflict with another one on some way through it.
fn pieces(program: &Program, effects: &Effects, e: &Tree, other: &Accesses) -> usize {
    if let ExprKind::Conditional(condition, then, otherwise) = &e.kind {
        let [condition, then, otherwise] = [condition, then, otherwise].map(|part| pieces(program, effects, part, other));
        return condition + then.max(otherwise);
    }
    let mut own = Accesses::default();
    effects.own(e, &mut own);
    let mut count = usize::from(effects.conflict(&own, other));
    operands(program, e, &mut |operand| count += pieces(program, effects, operand, other));
    count
}

impl Unsequenced<'_> {
    /// Whether an execution that this one makes undefined is so by the other one.
    fn is_implied_by(&self, other: &Unsequenced) -> bool {
        let (own, others) = (&self.names, &other.names);
        let address = |part: Option<&Tree>| part.map(std::ptr::from_ref);
        let as_often = other.parts[0].is_none() || self.parts.map(address) == other.parts.map(address);
        as_often && own[0] == others[0] && (own[1] == others[1] || matches!(other.same, Same::Always))
    }
}

/// What an atom reads or writes.
fn accesses_of<'a>(atom: &Atom<'a>) -> Vec<Access<'a>> {
    let own = place(atom).map(|place| Access { place, is_write: atom.kind == Kind::Write, part: None, is_complete: false });
    own.into_iter().chain(atom.within.iter().copied()).collect()
}

/// The place that an atom reads or writes itself.
fn place<'a>(atom: &Atom<'a>) -> Option<&'a Tree> {
    match (&atom.tree.kind, atom.kind) {
        (_, Kind::Call | Kind::Unit | Kind::Way) => None,
        (ExprKind::Assign { target, .. } | ExprKind::Step { target, .. }, Kind::Write) => Some(target),
        _ => Some(atom.tree),
    }
}

/// Whether two places of scalars are the same, as far as their form tells; `None` where they are not, or it does not.
fn same<'a>(program: &Program, a: &'a Tree, b: &'a Tree, is_steady: &dyn Fn(&Tree) -> bool) -> Option<Same<'a>> {
    match (&a.kind, &b.kind) {
        (ExprKind::Name(Name { decl: Some(x), .. }), ExprKind::Name(Name { decl: Some(y), .. })) => (x == y).then_some(Same::Always),
        (ExprKind::Member(x, _, i), ExprKind::Member(y, _, j)) if i == j => same(program, x, y, is_steady),
        (ExprKind::Deref(x), ExprKind::Deref(y)) => same_base(program, x, y, is_steady),
        (ExprKind::Index(x, i), ExprKind::Index(y, j)) => {
            let base = same_base(program, x, y, is_steady)?;
            let index = match (&i.unconverted().kind, &j.unconverted().kind) {
                (ExprKind::Int(m), ExprKind::Int(n)) if m != n => return None,
                (ExprKind::Int(_), ExprKind::Int(_)) => Same::Always,
                _ if !(is_steady(i) && is_steady(j)) => Same::Perhaps,
                (ExprKind::Name(m), ExprKind::Name(n)) if m.decl == n.decl => Same::Always,
                _ => Same::IfEqual(vec![(i, j)]),
            };
            Some(match (base, index) {
                (Same::Perhaps, _) | (_, Same::Perhaps) => Same::Perhaps,
                (Same::Always, index) => index,
                (base, Same::Always) => base,
                (Same::IfEqual(mut all), Same::IfEqual(more)) => {
                    all.extend(more);
                    Same::IfEqual(all)
                }
            })
        }
        _ => None,
    }
}

/// The same of what arrays and pointers lead to.
fn same_base<'a>(program: &Program, a: &'a Tree, b: &'a Tree, is_steady: &dyn Fn(&Tree) -> bool) -> Option<Same<'a>> {
    let found = same(program, a, b, is_steady)?;
    match shape_of(program, a) {
        Some(Shape::Array { .. }) => Some(found),
        // A pointer that changes may have led elsewhere.
        _ => Some(if is_steady(a) && is_steady(b) { found } else { Same::Perhaps }),
    }
}
