//! Boolean structure over integers.

use super::kit::{Family, Maker, Query, Random, n, reachable, sum};
use culdesac::logic::{FormulaId, Int, Linear};

pub const FAMILIES: &[Family] = &[
    ("pigeonhole", pigeonhole),
    ("permutation matrices", permutation_matrices),
    ("random clauses", random_clauses),
    ("ite chains", ite_chains),
    ("interval disjunctions", interval_disjunctions),
];

/// Each pigeon in a hole, no two in one: unsatisfiable iff there are more pigeons than holes.
fn pigeonhole(k: u64) -> Query {
    let holes = 2 + k as usize / 2 % 6;
    let pigeons = holes + usize::from(k % 2 == 0);
    let mut make = Maker::default();
    let sits: Vec<Vec<FormulaId>> =
        (0..pigeons).map(|pigeon| (0..holes).map(|hole| make.pool.boolean(&format!("b{pigeon}_{hole}"))).collect()).collect();
    for row in &sits {
        make.either(row);
    }
    for (pigeon, row) in sits.iter().enumerate() {
        for other in &sits[..pigeon] {
            for (&here, &there) in row.iter().zip(other) {
                let parts = [make.pool.not(here), make.pool.not(there)];
                make.either(&parts);
            }
        }
    }
    make.expect(k % 2 == 1)
}

/// 0-1 matrices whose rows and columns add up to 1. Odd k: a permutation is planted among the entries left. Even k: the
/// entries left in some r rows lie in r - 1 columns.
fn permutation_matrices(k: u64) -> Query {
    let mut random = Random::new(22, k);
    let size = 3 + k as usize % 4;
    let mut planted: Vec<usize> = (0..size).collect();
    random.shuffle(&mut planted);
    let mut make = Maker::default();
    let mut entries = vec![Vec::new(); size];
    for row in 0..size {
        for column in 0..size {
            let b = make.pool.boolean(&format!("b{row}_{column}"));
            let narrow = k % 2 == 0 && row < size - 1 && column >= size - 2;
            let kept = if k % 2 == 1 { planted[row] == column || random.range(0, 2) > 0 } else { !narrow };
            if !kept {
                let not = make.pool.not(b);
                make.add(not);
            }
            entries[row].push(make.pool.truth(b));
        }
    }
    for line in 0..size {
        let row: Linear = sum(entries[line].iter().map(|entry| (entry, Int::ONE)));
        let column: Linear = sum(entries.iter().map(|row| (&row[line], Int::ONE)));
        make.equal(&row, &n(1));
        make.equal(&column, &n(1));
    }
    make.expect(k % 2 == 1)
}

/// Clauses of three out of ten truth values, half of which say on which side of a number a symbol lies: all 2^10 tried.
fn random_clauses(k: u64) -> Query {
    let mut random = Random::new(23, k);
    const COUNT: usize = 10;
    let mut make = Maker::default();
    let atoms: Vec<FormulaId> = (0..COUNT)
        .map(|at| {
            let x = make.int("x", at);
            if at % 2 == 0 { make.pool.boolean(&format!("b{at}")) } else { make.pool.at_most(&x, &n(7 - at as i64)) }
        })
        .collect();
    let clauses: Vec<Vec<(usize, bool)>> =
        (0..44).map(|_| (0..3).map(|_| (random.range(0, COUNT as i64 - 1) as usize, random.coin())).collect()).collect();
    for clause in &clauses {
        let parts: Vec<FormulaId> =
            clause.iter().map(|&(at, positive)| if positive { atoms[at] } else { make.pool.not(atoms[at]) }).collect();
        make.either(&parts);
    }
    let satisfied = |bits: u32| clauses.iter().all(|clause| clause.iter().any(|&(at, positive)| (bits >> at & 1 == 1) == positive));
    make.expect((0..1 << COUNT).any(satisfied))
}

/// A value goes through a chain of `if p then v + a else v + b`, with new symbols or truth values as factors: compared with
/// all sums that can be reached.
fn ite_chains(k: u64) -> Query {
    let mut random = Random::new(24, k);
    let length = 8 + 4 * (k as usize % 8);
    let mut make = Maker::default();
    let mut value = n(0);
    // A common factor leaves gaps between the sums.
    let g = [1, 3, 10][k as usize % 3];
    let mut choices = Vec::new();
    for at in 0..length {
        let (a, b) = (g * random.range(-9, 9), g * random.range(-9, 9));
        choices.push(vec![a, b]);
        let x = make.int("x", at);
        let p = make.pool.at_most(&x, &n(0));
        if k % 2 == 0 {
            let truth = make.pool.truth(p);
            value = value.add_constant(&Int::from(b)).add(&truth.scale(&Int::from(a - b)));
        } else {
            let next = make.int("v", at);
            let not = make.pool.not(p);
            for (guard, step) in [(not, a), (p, b)] {
                let same = make.pool.equal(&next, &value.add_constant(&Int::from(step)));
                make.either(&[guard, same]);
            }
            value = next;
        }
    }
    let sums = reachable(&choices);
    let target = random.range(-20, 20);
    make.equal(&value, &n(target));
    make.expect(sums.contains(&target))
}

/// Each symbol lies in one of some intervals; the sum of all is compared with what can be reached.
fn interval_disjunctions(k: u64) -> Query {
    let mut random = Random::new(25, k);
    let count = 3 + k as usize % 3;
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    let mut choices = Vec::new();
    for x in &xs {
        let starts: Vec<i64> = (0..4).map(|at| 1_000 * at + random.range(0, 900)).collect();
        let width = random.range(0, 3);
        let parts: Vec<FormulaId> = starts
            .iter()
            .map(|&start| {
                let ends = [make.pool.at_most(&n(start), x), make.pool.at_most(x, &n(start + width))];
                make.pool.and(&ends)
            })
            .collect();
        make.either(&parts);
        choices.push(starts.iter().flat_map(|&start| start..=start + width).collect());
    }
    let sums = reachable(&choices);
    let expected = k % 2 == 1;
    let target = (random.range(1_000, 4_000)..).find(|target| sums.contains(target) == expected).unwrap_or(0);
    make.equal(&sum(xs.iter().map(|x| (x, Int::ONE))), &n(target));
    make.expect(expected)
}
