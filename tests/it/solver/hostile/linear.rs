//! Linear arithmetic over the integers, without and with large numbers.

use super::kit::{Family, Maker, Query, Random, n, power, reachable, sum};
use culdesac::logic::{Int, Linear};

pub const FAMILIES: &[Family] = &[
    ("large coefficients", large_coefficients),
    ("word boundaries", word_boundaries),
    ("thin simplices", thin_simplices),
    ("parity", parity),
    ("doubling chains", doubling_chains),
    ("big M", big_m),
    ("knapsack", knapsack),
    ("coins", coins),
    ("market splits", market_splits),
    ("dense equations", dense_equations),
    ("dense remainders", dense_remainders),
    ("difference cycles", difference_cycles),
    ("all different", all_different),
    ("remainders", remainders),
    ("division chains", division_chains),
    ("no bounds", no_bounds),
];

/// Equations with coefficients up to 10^30. Odd k: a solution is planted. Even k: in one equation all coefficients are
/// multiples of a prime and the right side is not.
fn large_coefficients(k: u64) -> Query {
    let mut random = Random::new(1, k);
    let digits = 3 + (k as usize % 10) * 3;
    let mut make = Maker::default();
    let xs = make.ints("x", 4);
    let planted: Vec<Int> = xs.iter().map(|_| random.digits(digits)).collect();
    for x in &xs {
        make.within(x, -power(10, digits), power(10, digits));
    }
    for equation in 0..2 {
        let prime = Int::from(if k % 2 == 0 && equation == 1 { [7, 101, 65_537][k as usize % 3] } else { 1 });
        let factors: Vec<Int> = xs.iter().map(|_| &random.digits(digits) * &prime).collect();
        let left = sum(xs.iter().zip(factors.iter().cloned()));
        let right = planted.iter().zip(&factors).fold(Int::ZERO, |sum, (value, factor)| sum + &(value * factor));
        let right = if prime.is_one() { right } else { &right + &Int::from(random.range(1, 6)) };
        make.equal(&left, &Linear::constant(right));
    }
    make.expect(k % 2 == 1)
}

/// A window of five values around a power of two, all but one (odd k) or all (even k) of them excluded, and a second
/// symbol tied to the first.
fn word_boundaries(k: u64) -> Query {
    let mut random = Random::new(2, k);
    let middle = power(2, [31, 40, 63, 64, 127][k as usize % 5]);
    let middle = if random.coin() { middle } else { -middle };
    let mut make = Maker::default();
    let (x, y) = (make.int("x", 0), make.int("y", 0));
    make.within(&x, &middle - &Int::from(2), &middle + &Int::from(2));
    make.equal(&y, &x.scale(&Int::from(3)).sub(&Linear::constant(middle.clone())));
    let kept = random.range(-2, 2);
    for offset in -2..=2 {
        if k % 2 == 0 || offset != kept {
            let excluded = Linear::constant(&middle + &Int::from(offset));
            // Said of x, or of y = 3x - middle.
            let (term, value) =
                if random.coin() { (&x, excluded) } else { (&y, excluded.scale(&Int::from(3)).sub(&Linear::constant(middle.clone()))) };
            make.differ(term, &value);
        }
    }
    make.expect(k % 2 == 1)
}

/// A strip `low ≤ g·a·x - g·b·y ≤ low + width` with `a`, `b` coprime: satisfiable iff it holds a multiple of g, here wholly
/// between two multiples (even k) or one longer (odd k).
fn thin_simplices(k: u64) -> Query {
    let mut random = Random::new(3, k);
    let g = random.range(5, 5 + 10i64.pow(1 + (k % 8) as u32));
    let a = random.range(2, 1000);
    let b = a * random.range(1, 50) + 1;
    let mut make = Maker::default();
    let (x, y) = (make.int("x", 0), make.int("y", 0));
    let strip = x.scale(&Int::from(g * a)).sub(&y.scale(&Int::from(g * b)));
    let low = g * random.range(-20, 20) + 1;
    make.within(&strip, low, low + g - 2 + i64::from(k % 2 == 1));
    if k % 4 < 2 {
        make.within(&x, -1_000_000, 1_000_000);
    }
    make.expect(k % 2 == 1)
}

/// Even forms linked in a ring, no bounds: the sum of all the right sides is odd (even k), or a solution is planted.
fn parity(k: u64) -> Query {
    let mut random = Random::new(4, k);
    let length = 2 + k as usize / 2;
    let mut make = Maker::default();
    let xs = make.ints("x", length);
    let ys = make.ints("y", length);
    let planted: Vec<[i64; 2]> = (0..length).map(|_| [random.range(-50, 50), random.range(-50, 50)]).collect();
    for at in 0..length {
        // 2·x[at] + 4·y[at] + x[at + 1] - x[at] = …, around the ring: all x cancel modulo 2.
        let next = (at + 1) % length;
        let left = sum([(&xs[at], Int::ONE), (&ys[at], Int::from(4)), (&xs[next], Int::ONE)]);
        let right = planted[at][0] + 4 * planted[at][1] + planted[next][0];
        make.equal(&left, &n(right + i64::from(k % 2 == 0 && at == 0)));
    }
    make.expect(k % 2 == 1)
}

/// `x[i+1] = 2·x[i] + c[i]` from a start in 0..=5: the end is compared with what the six starts give.
fn doubling_chains(k: u64) -> Query {
    let mut random = Random::new(5, k);
    let length = 5 + 5 * (k as usize % 12);
    let mut make = Maker::default();
    let xs = make.ints("x", length + 1);
    make.within(&xs[0], 0, 5);
    let mut ends: Vec<Int> = (0..=5).map(Int::from).collect();
    for at in 0..length {
        let c = random.range(-9, 9);
        make.equal(&xs[at + 1], &xs[at].scale(&Int::from(2)).add_constant(&Int::from(c)));
        ends.iter_mut().for_each(|end| *end = &(&*end * &Int::from(2)) + &Int::from(c));
    }
    let target = &ends[random.range(0, 5) as usize] + &Int::from(i64::from(k % 2 == 0));
    let expected = ends.contains(&target);
    make.equal(&xs[length], &Linear::constant(target));
    make.expect(expected)
}

/// `0 ≤ x[i] ≤ U[i]·b[i]` with switches b, at most m of them on: the sum of the x is at most that of the m largest U.
fn big_m(k: u64) -> Query {
    let mut random = Random::new(6, k);
    let count = 4 + k as usize % 5;
    let most = 2 + k as usize % 2;
    let mut make = Maker::default();
    let (xs, bs) = (make.ints("x", count), make.ints("b", count));
    let mut limits: Vec<i64> = (0..count).map(|_| random.range(1_000, 10i64.pow(4 + (k % 9) as u32))).collect();
    for at in 0..count {
        make.within(&bs[at], 0, 1);
        make.at_most(&n(0), &xs[at]);
        make.at_most(&xs[at], &bs[at].scale(&Int::from(limits[at])));
    }
    let one = || Int::ONE;
    make.at_most(&sum(bs.iter().map(|b| (b, one()))), &n(most as i64));
    limits.sort_unstable();
    let largest: i64 = limits.iter().rev().take(most).sum();
    make.at_most(&n(largest + i64::from(k % 2 == 0)), &sum(xs.iter().map(|x| (x, one()))));
    make.expect(k % 2 == 1)
}

/// `Σ w[i]·x[i] = T` with `0 ≤ x[i] ≤ u`: compared with all sums that can be reached.
fn knapsack(k: u64) -> Query {
    let mut random = Random::new(7, k);
    let count = 4 + k as usize % 5;
    let factor = [1, 2, 3, 1_000_003][k as usize % 4];
    let weights: Vec<i64> = (0..count).map(|_| random.range(20, 200) * factor).collect();
    let most = random.range(1, 3);
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    for x in &xs {
        make.within(x, 0, most);
    }
    let sums = reachable(&weights.iter().map(|w| (0..=most).map(|times| w * times).collect()).collect::<Vec<_>>());
    let all: i64 = weights.iter().sum::<i64>() * most;
    // The nearest reachable or unreachable sum above the middle.
    let expected = k % 2 == 1;
    let target = (all / 2..).find(|target| sums.contains(target) == expected).unwrap_or(all + 1);
    make.equal(&sum(xs.iter().zip(weights.iter().map(|&w| Int::from(w)))), &n(target));
    make.expect(expected)
}

/// `a·x + b·y + c·z = N` over non-negative numbers, near the largest N that cannot be paid.
fn coins(k: u64) -> Query {
    let mut random = Random::new(8, k);
    let two: &[[i64; 2]] = &[[5, 7], [13, 17], [31, 37], [97, 101], [211, 223], [499, 503], [997, 1009]];
    let [a, b] = two[k as usize % 7];
    let c = if k % 3 == 0 { a * b } else { random.range(a + 1, 2 * b) };
    let paid = |sum: i64| (0..=sum / a).any(|x| (0..=(sum - a * x) / b).any(|y| (sum - a * x - b * y) % c == 0));
    let expected = k % 2 == 1;
    let largest = if k % 3 == 0 { a * b - a - b } else { a * b / 3 };
    let target = (0..=largest).rev().find(|&target| paid(target) == expected).unwrap_or(1);
    let mut make = Maker::default();
    let xs = make.ints("x", 3);
    for x in &xs {
        make.at_most(&n(0), x);
    }
    make.equal(&sum(xs.iter().zip([a, b, c].map(Int::from))), &n(target));
    make.expect(expected)
}

/// Two or three equations that choose about half of the sum of random numbers (G. Cornuéjols and M. Dawande 1998): all choices are tried.
fn market_splits(k: u64) -> Query {
    let mut random = Random::new(14, k);
    let count = 8 + k as usize % 5;
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    for x in &xs {
        make.within(x, 0, 1);
    }
    for _ in 0..2 + k as usize % 2 {
        let values: Vec<i64> = xs.iter().map(|_| random.range(0, 30)).collect();
        make.equal(&sum(xs.iter().zip(values.iter().copied().map(Int::from))), &n(values.iter().sum::<i64>() / 2));
    }
    let names: Vec<String> = (0..count).map(|k| format!("x{k}")).collect();
    let box_of: Vec<(&str, i64, i64)> = names.iter().map(|name| (name.as_str(), 0, 1)).collect();
    make.brute_force(&box_of)
}

/// Dense equations over a box. Odd k: a solution is planted. Even k: all values of a smaller box are tried.
fn dense_equations(k: u64) -> Query {
    let mut random = Random::new(15, k);
    let planted = k % 2 == 1;
    let (count, rows, size, reach) = if planted { (5 + k as usize % 8, 2 + k as usize % 3, 1000, 50) } else { (4, 2, 12, 9) };
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    let values: Vec<i64> = xs.iter().map(|_| random.range(0, reach)).collect();
    for x in &xs {
        make.within(x, 0, reach);
    }
    for _ in 0..rows {
        let weights: Vec<i64> = xs.iter().map(|_| random.range(-size, size)).collect();
        let value: i64 = weights.iter().zip(&values).map(|(c, x)| c * x).sum();
        let away = if planted { 0 } else { random.range(-size, size) };
        make.equal(&sum(xs.iter().zip(weights.into_iter().map(Int::from))), &n(value + away));
    }
    if planted { make.expect(true) } else { make.brute_force(&[("x0", 0, reach), ("x1", 0, reach), ("x2", 0, reach), ("x3", 0, reach)]) }
}

/// Remainders of dense sums, and an equation, over a box in which a solution is planted (odd k); or (even k) the equation's sum has
/// another remainder by 7 than the remainders of all its unknowns give.
fn dense_remainders(k: u64) -> Query {
    let mut random = Random::new(16, k);
    let planted = k % 2 == 1;
    let mut make = Maker::default();
    let xs = make.ints("x", 4 + k as usize % 3);
    let values: Vec<i64> = xs.iter().map(|_| random.range(-1000, 1000)).collect();
    for (x, value) in xs.iter().zip(&values) {
        make.within(x, -1000, 1000);
        if !planted {
            let shifted = x.add(&n(-value.rem_euclid(7) + 7 * 1000));
            let (_, rest) = make.pool.div_rem_trunc(&shifted, &n(7)).expect("7 is not 0");
            make.equal(&rest, &n(0));
        }
    }
    for row in 0..3 {
        let weights: Vec<i64> = xs.iter().map(|_| random.range(-100, 100)).collect();
        let value: i64 = weights.iter().zip(&values).map(|(c, x)| c * x).sum();
        let whole = sum(xs.iter().zip(weights.into_iter().map(Int::from)));
        if row == 0 {
            make.equal(&whole, &n(value + i64::from(!planted)));
        } else {
            let divisor = [3, 10, 16, 60][random.range(0, 3) as usize];
            let (_, rest) = make.pool.div_rem_trunc(&whole, &n(divisor)).expect("the divisor is not 0");
            make.equal(&rest, &n(value % divisor));
        }
    }
    make.expect(planted)
}

/// `x[j] - x[i] ≤ w`, some as a choice of two. Odd k: all hold for planted values. Even k: each choice on a ring closes a
/// cycle of negative weight.
fn difference_cycles(k: u64) -> Query {
    let mut random = Random::new(9, k);
    let count = 8 + 2 * (k as usize % 10);
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    let planted: Vec<i64> = xs.iter().map(|_| random.range(-1_000_000, 1_000_000)).collect();
    for _ in 0..2 * count {
        let (i, j) = (random.range(0, count as i64 - 1) as usize, random.range(0, count as i64 - 1) as usize);
        let slack = planted[j] - planted[i] + random.range(0, 100);
        make.at_most(&xs[j].sub(&xs[i]), &n(slack));
    }
    // Around the ring the differences of the planted values add up to 0; one less is negative.
    for i in 0..count {
        let j = (i + 1) % count;
        let difference = planted[j] - planted[i];
        let less = i64::from(k % 2 == 0 && i == 0);
        let parts = [random.range(0, 5), 0].map(|lower| {
            let lower = if k % 2 == 0 { lower } else { 0 };
            make.pool.at_most(&xs[j].sub(&xs[i]), &n(difference - less - lower))
        });
        make.either(&parts);
    }
    make.expect(k % 2 == 1)
}

/// Pairwise different values in a box: unsatisfiable iff there are more of them than values.
fn all_different(k: u64) -> Query {
    let count = 3 + k as usize % 5;
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    let values = count as i64 - i64::from(k % 2 == 0);
    let base = [0, -3, 1 << 40][k as usize % 3];
    for x in &xs {
        make.within(x, base, base + values - 1);
    }
    for i in 0..count {
        for j in 0..i {
            make.differ(&xs[i], &xs[j]);
        }
    }
    make.expect(k % 2 == 1)
}

/// Remainders modulo coprime numbers fix a value of one period, here of either sign: it is there (odd k) or excluded.
fn remainders(k: u64) -> Query {
    let mut random = Random::new(11, k);
    let moduli: &[i64] = [&[3, 5, 7][..], &[4, 9, 25], &[7, 11, 13], &[2, 3, 5, 7]][k as usize % 4];
    let period: i64 = moduli.iter().product();
    let value = random.range(0, period - 1) * if k % 3 == 0 { -1 } else { 1 };
    let mut make = Maker::default();
    let x = make.int("x", 0);
    let (low, high) = if k % 3 == 0 { (1 - period, 0) } else { (0, period - 1) };
    make.within(&x, low, high);
    for &modulus in moduli {
        let (_, remainder) = make.pool.div_rem_trunc(&x, &n(modulus)).expect("not 0");
        make.equal(&remainder, &n(value % modulus));
    }
    if k % 2 == 0 {
        make.differ(&x, &n(value));
    }
    make.expect(k % 2 == 1)
}

/// Quotients of quotients, rounded towards zero or down, compared with trying all starts.
fn division_chains(k: u64) -> Query {
    let mut random = Random::new(12, k);
    let mut make = Maker::default();
    let x = make.pool.integer("x");
    make.within(&x, -500, 500);
    let depth = 2 + k as usize % 5;
    let mut starts: Vec<(i64, i64)> = (-500..=500).map(|x| (x, x)).collect();
    let mut last = x.clone();
    for level in 0..depth {
        let d = random.range(2, 5) * if random.coin() && k % 4 < 2 { -1 } else { 1 };
        let shift = random.range(-3, 3);
        if k % 2 == 0 {
            let (q, _) = make.pool.div_rem_trunc(&last, &n(d)).expect("not 0");
            last = q.add_constant(&Int::from(shift));
            starts.iter_mut().for_each(|(_, value)| *value = *value / d + shift);
        } else {
            // d·q ≤ last < d·q + |d|, the remainder never negative.
            let q = make.int("q", level);
            make.within(&last.sub(&q.scale(&Int::from(d))), 0, d.abs() - 1);
            last = q.add_constant(&Int::from(shift));
            starts.iter_mut().for_each(|(_, value)| *value = value.div_euclid(d) + shift);
        }
    }
    let target = random.range(-6, 6);
    make.equal(&last, &n(target));
    let (_, r) = make.pool.div_rem_trunc(&x, &n(7)).expect("not 0");
    let rest = random.range(-3, 3);
    make.equal(&r, &n(rest));
    make.expect(starts.iter().any(|&(x, value)| value == target && x % 7 == rest))
}

/// No symbol has a bound. Odd k: a solution is planted. Even k: a form whose coefficients have a common factor lies
/// strictly between two of its multiples, in a system that hides it.
fn no_bounds(k: u64) -> Query {
    let mut random = Random::new(13, k);
    let count = 3 + k as usize % 4;
    let mut make = Maker::default();
    let xs = make.ints("x", count);
    let planted: Vec<i64> = xs.iter().map(|_| random.range(-10_000, 10_000)).collect();
    for _ in 0..count - 2 {
        let factors: Vec<i64> = xs.iter().map(|_| random.range(-30, 30)).collect();
        let value: i64 = planted.iter().zip(&factors).map(|(x, c)| x * c).sum();
        let left = sum(xs.iter().zip(factors.iter().map(|&c| Int::from(c))));
        make.at_most(&left, &n(value + random.range(0, 3)));
    }
    let g = random.range(3, 9);
    let factors: Vec<i64> = xs.iter().map(|_| g * random.range(-20, 20)).collect();
    let value: i64 = planted.iter().zip(&factors).map(|(x, c)| x * c).sum();
    // Part of the form hides in a symbol of its own, a multiple of g.
    let (t, u) = (make.int("t", 0), make.int("u", 0));
    let left = sum(xs.iter().zip(factors.iter().map(|&c| Int::from(c)))).sub(&t);
    make.equal(&left, &n(value - i64::from(k % 2 == 0)));
    make.equal(&t, &u.scale(&Int::from(g)));
    make.expect(k % 2 == 1)
}
