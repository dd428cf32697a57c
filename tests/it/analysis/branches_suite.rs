//! The suite that Branches chooses of its runs.

use crate::common::cases;
use culdesac::analysis::branches::method::suite::fewest;
use culdesac::logic::SortedSet;
use proptest::prelude::*;

/// The positions of some sets.
fn all(sets: &[SortedSet<usize>], chosen: impl Iterator<Item = usize>) -> SortedSet<usize> {
    chosen.flat_map(|at| &sets[at]).copied().collect()
}

/// How many of the sets are needed, tried one choice after the other.
fn needed(sets: &[SortedSet<usize>]) -> usize {
    let wanted = all(sets, 0..sets.len());
    let chosen = |choice: u32| (0..sets.len()).filter(move |at| choice >> at & 1 == 1);
    (0..1 << sets.len()).filter(|&choice| all(sets, chosen(choice)) == wanted).map(u32::count_ones).min().unwrap_or(0) as usize
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    #[test]
    fn the_fewest_sets_have_all_elements(sets in prop::collection::vec(prop::collection::vec(0..12usize, 0..5), 0..12)) {
        let sets: Vec<SortedSet<usize>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
        let chosen = fewest(&sets);
        prop_assert_eq!(all(&sets, chosen.iter().copied()), all(&sets, 0..sets.len()));
        prop_assert_eq!(chosen.len(), needed(&sets));
    }
}

/// The largest set first takes three.
#[test]
fn greed_is_not_enough() {
    let sets: Vec<SortedSet<usize>> =
        [vec![0, 1, 2, 4, 5, 6], vec![0, 1, 2, 3], vec![4, 5, 6, 7]].map(|set| set.into_iter().collect()).into();
    assert_eq!(fewest(&sets), [1, 2]);
}

/// Of equal sets the first.
#[test]
fn the_first_of_equal_sets_is_chosen() {
    let set: SortedSet<usize> = [3, 4].into();
    assert_eq!(fewest(&[set.clone(), set]), [0]);
}

/// Many sets that overlap in many ways: the steps end.
#[test]
fn choosing_ends() {
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let sets: Vec<SortedSet<usize>> = (0..200).map(|_| (0..12).map(|_| next(150) as usize).collect()).collect();
    let chosen = fewest(&sets);
    assert_eq!(all(&sets, chosen.iter().copied()), all(&sets, 0..sets.len()));
    assert!(chosen.len() < 40, "{}", chosen.len());
}
