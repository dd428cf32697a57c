//! Counts against naive enumeration; uniformity, completeness and stability of drawings.

use super::*;
use proptest::prelude::*;

fn graph(locations: usize, finals: &[usize], edges: &[(usize, usize)]) -> Graph {
    let edges = edges.iter().enumerate().map(|(i, &(from, to))| (EdgeId::new(i), LocationId::new(from), LocationId::new(to)));
    let finals: Vec<_> = finals.iter().map(|&location| LocationId::new(location)).collect();
    Graph::new(locations, LocationId::new(0), &finals, edges)
}

/// Every complete path of length at most `length`, by following every edge.
fn enumerate(finals: &[usize], edges: &[(usize, usize)], length: usize) -> Vec<Vec<EdgeId>> {
    let mut complete = Vec::new();
    let mut open = vec![(0, Vec::new())];
    while let Some((at, path)) = open.pop() {
        if finals.contains(&at) {
            complete.push(path.clone());
        }
        if path.len() < length {
            for (i, &(_, to)) in edges.iter().enumerate().filter(|(_, edge)| edge.0 == at) {
                open.push((to, path.iter().copied().chain([EdgeId::new(i)]).collect()));
            }
        }
    }
    complete.sort();
    complete
}

/// A loop with a branch in it: 0 →(1|2)→ 3 → 0, 0 → 4.
const LOOP: &[(usize, usize)] = &[(0, 1), (0, 4), (1, 2), (1, 3), (2, 3), (3, 0)];

#[test]
fn totals_come_in_the_order_of_the_request() {
    let graph = graph(5, &[4], LOOP);
    let expect = |l: usize| BigUint::from(enumerate(&[4], LOOP, l).len());
    assert_eq!(totals(&graph, &[20, 0, 7, 1, 7]), [20, 0, 7, 1, 7].map(expect));
}

#[test]
fn special_shapes() {
    // The entry is the exit.
    assert_eq!(totals(&graph(1, &[0], &[]), &[0, 9]), [BigUint::one(), BigUint::one()]);
    // No way to the exit.
    let closed = graph(3, &[2], &[(0, 1), (1, 0)]);
    assert_eq!(totals(&closed, &[0, 100]), [BigUint::zero(), BigUint::zero()]);
    let sampler = Sampler::new(&closed, 100, 1 << 20).expect("an empty table");
    assert_eq!((sampler.draw(&mut Random::new(1)), sampler.path(BigUint::zero())), (None, None));
    // One chain: too short, then exact.
    let chain = graph(4, &[3], &[(0, 1), (1, 2), (2, 3)]);
    assert_eq!(totals(&chain, &[2, 3, 4]), [0u8, 1, 1].map(BigUint::from));
    assert_eq!(Sampler::new(&chain, 2, 1 << 20).expect("small").draw(&mut Random::new(1)), None);
    assert_eq!(Sampler::new(&chain, 3, 1 << 20).expect("small").draw(&mut Random::new(1)).map(|path| path.len()), Some(3));
    // A long way before the first junction must not end the count early.
    let prologue: Vec<_> = (0..50).map(|i| (i, i + 1)).chain([(50, 51), (50, 52), (51, 52)]).collect();
    assert_eq!(totals(&graph(53, &[52], &prologue), &[50, 51, 52, 9000]), [0u8, 1, 2, 2].map(BigUint::from));
}

#[test]
fn long_lengths_are_quick_and_exact() {
    // Two loops at one location: 2^n words of n letters, so P(l) = 2^0 + … + 2^(l-1).
    let graph = graph(2, &[1], &[(0, 0), (0, 0), (0, 1)]);
    assert_eq!(totals(&graph, &[10_000]), [(BigUint::one() << 10_000) - 1u8]);
}

#[test]
fn loop_free_graphs_stand_still() {
    let diamonds: Vec<_> = (0..40).flat_map(|i| [(2 * i, 2 * i + 1), (2 * i, 2 * i + 2), (2 * i + 1, 2 * i + 2)]).collect();
    let graph = graph(81, &[80], &diamonds);
    assert_eq!(totals(&graph, &[10_000]), [BigUint::one() << 40]);
    let sampler = Sampler::new(&graph, 10_000, 1 << 20).expect("the table stops at the longest path");
    assert_eq!(*sampler.population(), BigUint::one() << 40);
    assert!(sampler.draw(&mut Random::new(0)).is_some());
}

#[test]
fn a_table_beyond_the_limit_is_refused() {
    let graph = graph(2, &[1], &[(0, 0), (0, 0), (0, 1)]);
    let error = Sampler::new(&graph, 10_000, 1 << 20).err().expect("more than a megabyte");
    assert_eq!((error.length, error.limit), (10_000, 1 << 20));
    assert!(Sampler::new(&graph, error.fits, 1 << 20).is_ok() && Sampler::new(&graph, error.fits + 1, 1 << 20).is_err());
    assert_eq!(error.to_string(), format!("drawing paths of length up to 10000 needs more than 1 MB of counts; up to {} fits", error.fits));
}

#[test]
fn drawing_is_uniform() {
    let graph = graph(5, &[4], LOOP);
    let paths = enumerate(&[4], LOOP, 15);
    let sampler = Sampler::new(&graph, 15, 1 << 20).expect("small");
    let mut random = Random::new(7);
    let mut seen = vec![0u32; paths.len()];
    let draws = 1000 * paths.len() as u32;
    for _ in 0..draws {
        let path = sampler.draw(&mut random).expect("paths exist");
        seen[paths.binary_search(&path).expect("complete and not too long")] += 1;
    }
    let chi_square: f64 = seen.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    // The mean is the number of paths less one, the variance twice that: four standard deviations are allowed.
    let degrees = (paths.len() - 1) as f64;
    assert!((chi_square - degrees).abs() < 4.0 * (2.0 * degrees).sqrt(), "chi square {chi_square} for {degrees} degrees of freedom");
}

#[test]
fn numbers_below_a_bound_are_unbiased_and_fixed() {
    let mut random = Random::new(3);
    let bound = BigUint::from(5u8);
    let mut seen = [0u32; 5];
    for _ in 0..5000 {
        seen[random.below(&bound).iter_u64_digits().next().unwrap_or(0) as usize] += 1;
    }
    assert!(seen.iter().all(|n| (900..1100).contains(n)), "{seen:?}");
    assert!(random.below(&BigUint::one()).is_zero());
    let huge = (BigUint::one() << 193) + 1u8;
    assert!((0..100).all(|_| random.below(&huge) < huge));
    // What a seed means is part of the contract; these words were computed by another implementation of PCG.
    let mut random = Random::new(42);
    let words: Vec<String> = (0..3).map(|_| random.below(&(BigUint::one() << 64)).to_string()).collect();
    assert_eq!(words, ["9175663511918380246", "10242628652808598733", "9788821050650074150"]);
}

fn any_graph() -> impl Strategy<Value = (usize, Vec<usize>, Vec<(usize, usize)>)> {
    (2usize..8).prop_flat_map(|n| (Just(n), proptest::collection::vec(0..n, 1..3), proptest::collection::vec((0..n, 0..n), 0..12)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(128)))]
    #[test]
    fn agrees_with_enumeration((n, finals, edges) in any_graph(), length in 0u32..7) {
        let graph = graph(n, &finals, &edges);
        let expected = enumerate(&finals, &edges, length as usize);
        prop_assert_eq!(totals(&graph, &[length]), [BigUint::from(expected.len())]);
        let sampler = Sampler::new(&graph, length, 1 << 20).expect("small");
        prop_assert_eq!(sampler.population(), &BigUint::from(expected.len()));
        let mut paths: Vec<_> = (0..expected.len()).map(|rank| sampler.path(rank.into()).expect("a rank below P(L)")).collect();
        paths.sort();
        prop_assert_eq!(paths, expected.clone());
        prop_assert_eq!(sampler.path(expected.len().into()), None);
    }
}
