//! Arrays with symbolic indices.

use super::kit::{Family, Maker, Query, Random, n, sum};
use culdesac::logic::{ArrayTermId, FormulaId, Int, Linear};

pub const FAMILIES: &[Family] = &[
    ("write towers", write_towers),
    ("swaps", swaps),
    ("sorted arrays", sorted_arrays),
    ("permuted values", permuted_values),
    ("nested reads", nested_reads),
    ("aliases", aliases),
];

/// A tower of writes at symbolic indices, pairwise different in a box (even k) or not (odd k): what was written at one of
/// the indices is read back, or with equal indices need not be.
fn write_towers(k: u64) -> Query {
    let mut random = Random::new(31, k);
    let count = 3 + k as usize % 6;
    let mut make = Maker::default();
    let indices = make.ints("i", count);
    let mut array = make.pool.array_symbol("a");
    for (at, index) in indices.iter().enumerate() {
        make.within(index, 0, 2 * count as i64);
        array = make.pool.store(array, index.clone(), n(10 * at as i64));
    }
    if k % 2 == 0 {
        // i0 < i1 + something, all different: ordered by a shuffled chain.
        let mut order: Vec<usize> = (0..count).collect();
        random.shuffle(&mut order);
        for pair in order.windows(2) {
            let less = make.pool.less(&indices[pair[0]], &indices[pair[1]]);
            make.add(less);
        }
    }
    // The last write is always read back; an earlier one unless overwritten.
    let asked = random.range(0, count as i64 - 2) as usize;
    let read = make.pool.select(array, &indices[asked]);
    make.differ(&read, &n(10 * asked as i64));
    make.expect(k % 2 == 1)
}

/// Swaps of two elements at symbolic indices, and the same in reverse order: every element is back where it was. Odd k:
/// one swap fewer, so it need not be.
fn swaps(k: u64) -> Query {
    let mut make = Maker::default();
    let count = 1 + k as usize / 2 % 3;
    let start = make.pool.array_symbol("a");
    let (is, js) = (make.ints("i", count), make.ints("j", count));
    let order: Vec<usize> = (0..count).chain((0..count).rev()).collect();
    let mut array = start;
    for &at in &order[..order.len() - k as usize % 2] {
        array = swapped(&mut make, array, &is[at], &js[at]);
    }
    let place = make.pool.integer("place");
    let (before, after) = (make.pool.select(start, &place), make.pool.select(array, &place));
    make.differ(&before, &after);
    make.expect(k % 2 == 1)
}

fn swapped(make: &mut Maker, array: ArrayTermId, i: &Linear, j: &Linear) -> ArrayTermId {
    let (x, y) = (make.pool.select(array, i), make.pool.select(array, j));
    let array = make.pool.store(array, i.clone(), y);
    make.pool.store(array, j.clone(), x)
}

/// Neighbours are in order. Two elements at bounded symbolic indices are out of order, with the indices in order (even k:
/// unsatisfiable) or not (odd k).
fn sorted_arrays(k: u64) -> Query {
    let length = 3 + k as i64 % 6;
    let mut make = Maker::default();
    let array = make.pool.array_symbol("a");
    for at in 0..length - 1 {
        let (here, next) = (make.pool.select(array, &n(at)), make.pool.select(array, &n(at + 1)));
        make.at_most(&here, &next);
    }
    let (i, j) = (make.int("i", 0), make.int("j", 0));
    make.within(&i, 0, length - 1);
    make.within(&j, 0, length - 1);
    if k % 2 == 0 {
        make.at_most(&i, &j);
    }
    let (x, y) = (make.pool.select(array, &i), make.pool.select(array, &j));
    let less = make.pool.less(&y, &x);
    make.add(less);
    make.expect(k % 2 == 1)
}

/// n pairwise different elements with values in 0..n, read through symbolic indices: their sum is n(n-1)/2 (odd k) or is
/// claimed to be one more.
fn permuted_values(k: u64) -> Query {
    let count = 2 + k as i64 % 3;
    let mut make = Maker::default();
    let array = make.pool.array_symbol("a");
    let base = make.int("base", 0);
    let values: Vec<Linear> = (0..count).map(|at| make.pool.select(array, &base.add_constant(&Int::from(at)))).collect();
    for (at, value) in values.iter().enumerate() {
        make.within(value, 0, count - 1);
        for other in &values[..at] {
            make.differ(value, other);
        }
    }
    let total = sum(values.iter().map(|value| (value, Int::ONE)));
    make.equal(&total, &n(count * (count - 1) / 2 + i64::from(k % 2 == 0)));
    make.expect(k % 2 == 1)
}

/// `a[a[…a[x]…]]` where a[0] to a[m-1] lie in 0..m and so does x: the end lies there too (even k: denied), and may be any of
/// them (odd k).
fn nested_reads(k: u64) -> Query {
    let mut random = Random::new(35, k);
    let size = 2 + k as i64 % 4;
    let depth = 2 + k as usize % 7;
    let mut make = Maker::default();
    let array = make.pool.array_symbol("a");
    for at in 0..size {
        let value = make.pool.select(array, &n(at));
        make.within(&value, 0, size - 1);
    }
    let mut value = make.int("x", 0);
    make.within(&value, 0, size - 1);
    for _ in 0..depth {
        value = make.pool.select(array, &value);
    }
    if k % 2 == 0 {
        let outside = [make.pool.less(&value, &n(0)), make.pool.at_most(&n(size), &value)];
        make.either(&outside);
    } else {
        make.equal(&value, &n(random.range(0, size - 1)));
    }
    make.expect(k % 2 == 1)
}

/// Two indices said equal in a roundabout way, two towers of the same writes at them: a difference is read (even k) or the
/// indices may be apart (odd k).
fn aliases(k: u64) -> Query {
    let mut random = Random::new(36, k);
    let mut make = Maker::default();
    let count = 2 + k as usize % 4;
    let array = make.pool.array_symbol("a");
    let (is, js) = (make.ints("i", count), make.ints("j", count));
    let (mut left, mut right) = (array, array);
    for at in 0..count {
        // i ≤ j and 3j ≤ 3i + 2, or for one pair 3j ≤ 3i + 3.
        let loose = i64::from(k % 2 == 1 && at == count - 1);
        make.at_most(&is[at], &js[at]);
        let three = Int::from(3);
        make.at_most(&js[at].scale(&three), &is[at].scale(&three).add_constant(&Int::from(2 + loose)));
        let value = random.range(1, 100);
        left = make.pool.store(left, is[at].clone(), n(value));
        right = make.pool.store(right, js[at].clone(), n(value));
    }
    let place = make.int("place", 0);
    let (x, y) = (make.pool.select(left, &place), make.pool.select(right, &place));
    let apart: [FormulaId; 2] = [make.pool.less(&x, &y), make.pool.less(&y, &x)];
    make.either(&apart);
    make.expect(k % 2 == 1)
}
