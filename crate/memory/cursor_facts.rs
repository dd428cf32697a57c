//! Cursors: pointers that move along a block, and are kept as the member of `struct reader { const char *next; … }`.

use super::block_facts::Facts;
use super::slots::Slot;
use crate::lang::ast::{DeclId, Shape, Stmt, StmtKind};
use crate::logic::SortedSet;

/// Pointers that move, and what else only a cursor can hold.
#[derive(Default)]
pub(super) struct CursorFacts {
    /// Pointers that move, are set to what another one leads to beside its first element, or whose address the program takes.
    pub moved: SortedSet<Slot>,
    /// Pointers that are set to a string of the program's text.
    pub literals: SortedSet<Slot>,
    /// The parameters of functions of the library.
    pub of_library: SortedSet<DeclId>,
    /// Pointers that the program compares with each other, or subtracts: they lead into one block.
    pub compared: Vec<(Slot, Slot)>,
    /// The ones among them that are ordered, or subtracted.
    pub ordered: Vec<(Slot, Slot)>,
}

/// The pointers that are cursors.
#[derive(Default)]
pub(super) struct Cursors {
    pub all: SortedSet<Slot>,
    /// Whether two pointers that outlive the call are ordered, or subtracted.
    pub are_ordered: bool,
}

/// The pointers that are cursors: the ones among the pointers that move which are kept, or from which a pointer is set that is kept. The
/// others among them hold no block, and lead into one.
pub(super) fn cursors(facts: &mut Facts<'_>) -> Cursors {
    let Some(CursorFacts { mut moved, literals, of_library, compared, ordered }) = facts.cursors.take() else { return Cursors::default() };
    let ordered: Vec<(Slot, Slot)> = ordered.into_iter().filter(|(a, b)| a != b && facts.outlives(a) && facts.outlives(b)).collect();
    moved.extend(ordered.iter().flat_map(|(a, b)| [a.clone(), b.clone()]));
    let compared: Vec<(Slot, Slot)> = compared.into_iter().filter(|(a, b)| facts.element(a) == facts.element(b)).collect();
    // An array does not move.
    let is_object = |slot: &Slot| matches!(slot, Slot::Object(_));
    let between_pointers: Vec<(Slot, Slot)> = compared.iter().filter(|(a, b)| !is_object(a) && !is_object(b)).cloned().collect();
    spread(&mut moved, facts, &between_pointers, |from, to, moved| moved.contains(from).then(|| to.clone()));
    let is_array = |slot: &Slot| matches!(slot, Slot::Decl(decl) if matches!(facts.program.decl(*decl).shape, Shape::Array { .. }));
    let mut kept: SortedSet<Slot> = facts.slots.iter().filter(|slot| facts.outlives(slot) || is_array(slot)).cloned().collect();
    // A function of the library only reads what it gets, where it gives no pointer.
    let is_of_library = |slot: &Slot| matches!(slot, Slot::Decl(decl) if of_library.contains(decl));
    spread(&mut kept, facts, &compared, |from, to, kept| {
        if kept.contains(to) { Some(from.clone()) } else { (kept.contains(from) && !is_of_library(to)).then(|| to.clone()) }
    });
    let is_kept = |slot: &&Slot| kept.contains(*slot);
    let objects = facts.slots.iter().filter(|slot| is_object(slot));
    let not_kept: Vec<Slot> = moved.iter().chain(&literals).chain(objects).filter(|slot| !is_kept(slot)).cloned().collect();
    facts.refused.extend(not_kept);
    facts.compared = compared;
    Cursors { all: moved.into_iter().filter(|slot| is_kept(&slot)).collect(), are_ordered: !ordered.is_empty() }
}

/// Adds holders to a set until nothing new is found: `step` gives one for a flow from one holder to another, if any. Elements of the same
/// memory are all in the set, or none, and so are two pointers that are compared.
fn spread(
    set: &mut SortedSet<Slot>,
    facts: &Facts<'_>,
    compared: &[(Slot, Slot)],
    step: impl Fn(&Slot, &Slot, &SortedSet<Slot>) -> Option<Slot>,
) {
    loop {
        let joined = facts
            .joined
            .iter()
            .chain(compared)
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .filter(|(a, _)| set.contains(*a))
            .map(|(_, b)| b.clone());
        let flows = facts.flows.iter().filter_map(|(from, to)| step(from, to, set));
        let found: Vec<Slot> = joined.chain(flows).filter(|slot| !set.contains(slot)).collect();
        if found.is_empty() {
            return;
        }
        set.extend(found);
    }
}

/// The variables whose declarations a jump may pass on the way to what follows them: a block would not be there.
pub(super) fn passed_by_jumps(body: &[Stmt]) -> SortedSet<DeclId> {
    let mut passed = SortedSet::new();
    let mut jumps = Vec::new();
    body.iter().for_each(|stmt| jumps_in(stmt, &mut jumps));
    in_row(body, &jumps, &mut passed);
    passed
}

fn in_row(row: &[Stmt], jumps: &[&str], passed: &mut SortedSet<DeclId>) {
    for (stmt, at) in row.iter().zip(1..) {
        let later = &row[at..];
        if let StmtKind::Declare(_, list) = &stmt.kind
            && list.iter().any(|declarator| !declarator.is_static)
        {
            let mut inside = Vec::new();
            later.iter().for_each(|stmt| jumps_in(stmt, &mut inside));
            let count = |of: &[&str], label: &str| of.iter().filter(|name| **name == label).count();
            let is_entered = |label: &str| count(jumps, label) > count(&inside, label);
            if later.iter().any(|stmt| has_label(stmt, &is_entered, false)) {
                passed.extend(list.iter().map(|declarator| declarator.decl));
            }
        }
        match &stmt.kind {
            StmtKind::Block(inner) => in_row(inner, jumps, passed),
            _ => stmt.children(&mut |child| in_row(std::slice::from_ref(child), jumps, passed)),
        }
    }
}

/// The labels to which a statement jumps.
fn jumps_in<'s>(stmt: &'s Stmt, jumps: &mut Vec<&'s str>) {
    if let StmtKind::Goto(label) = &stmt.kind {
        jumps.push(&label.text);
    }
    stmt.children(&mut |child| jumps_in(child, jumps));
}

/// Whether a statement has a label that a jump reaches from elsewhere, or one of a `switch` around it.
fn has_label(stmt: &Stmt, is_entered: &dyn Fn(&str) -> bool, is_in_switch: bool) -> bool {
    let mut found = match &stmt.kind {
        StmtKind::Labelled(label, _) => is_entered(&label.text),
        StmtKind::Case { .. } | StmtKind::Default(_) => !is_in_switch,
        _ => false,
    };
    let is_in_switch = is_in_switch || matches!(stmt.kind, StmtKind::Switch { .. });
    stmt.children(&mut |child| found = found || has_label(child, is_entered, is_in_switch));
    found
}
