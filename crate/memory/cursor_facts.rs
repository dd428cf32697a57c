//! Cursors: pointers that move along a block, and are kept as the member of `struct reader { const char *next; … }`.

use super::block_facts::Facts;
use super::slots::{CursorFacts, Cursors, Slot};
use crate::lang::ast::{Function, Shape};
use crate::logic::SortedSet;

/// The pointers that are cursors: the ones among the pointers that move which are kept, or from which a pointer is set that is kept. The
/// others among them hold no block, and lead into one.
pub(super) fn cursors(facts: &mut Facts<'_>, function: &Function) -> Cursors {
    let Some(CursorFacts { mut moved, literals, of_library, compared, ordered }) = facts.cursors.take() else { return Cursors::default() };
    let ordered: Vec<(Slot, Slot)> = ordered.into_iter().filter(|(a, b)| a != b && facts.outlives(a) && facts.outlives(b)).collect();
    moved.extend(ordered.iter().flat_map(|(a, b)| [a.clone(), b.clone()]));
    let compared: Vec<(Slot, Slot)> = compared.into_iter().filter(|(a, b)| facts.element(a) == facts.element(b)).collect();
    // An array does not move, nor do the arguments with which a program starts: each leads to its first character.
    let is_object = Slot::is_array;
    let arguments = facts.arguments(function).map(|own| facts.alike(&own.elements())).unwrap_or_default();
    let is_fixed = |slot: &Slot| is_object(slot) || arguments.contains(slot);
    let between_pointers: Vec<(Slot, Slot)> = compared.iter().filter(|(a, b)| !is_fixed(a) && !is_fixed(b)).cloned().collect();
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
