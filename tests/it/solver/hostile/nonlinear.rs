//! Products, squares, quotients and remainders by terms.

use super::kit::{Family, Maker, Query, Random, n, sum};
use culdesac::logic::{Int, Linear};

pub const FAMILIES: &[Family] = &[
    ("squares", squares),
    ("signs", signs),
    ("factoring", factoring),
    ("polynomials in a box", polynomials),
    ("division by terms", division_by_terms),
    ("monotone products", monotone_products),
];

fn is_square(value: i64) -> bool {
    (0..).take_while(|x| x * x <= value).any(|x| x * x == value)
}

/// `x·x = N` without bounds; or with `y·y` too in a box, which is tried out.
fn squares(k: u64) -> Query {
    let mut random = Random::new(41, k);
    let mut make = Maker::default();
    let (x, y) = (make.pool.integer("x"), make.pool.integer("y"));
    let x2 = make.pool.product(&x, &x);
    if k % 2 == 0 {
        let value = if k % 4 == 0 { random.range(0, 1000).pow(2) } else { random.range(-10, 1_000_000) };
        make.equal(&x2, &n(value));
        return make.expect(is_square(value));
    }
    let y2 = make.pool.product(&y, &y);
    make.equal(&x2.add(&y2), &n(random.range(0, 200)));
    make.within(&x, -15, 15);
    make.within(&y, -15, 15);
    make.brute_force(&[("x", -15, 15), ("y", -15, 15)])
}

/// Signs of three factors without bounds; the product of all is claimed to have the right sign (k modulo 4 is 2 or 3)
/// or the other one.
fn signs(k: u64) -> Query {
    let mut random = Random::new(42, k);
    let mut make = Maker::default();
    let xs = make.ints("x", 2 + k as usize % 2);
    let mut negative = false;
    for x in &xs {
        let bound = n(random.range(1, 50));
        if random.coin() {
            make.at_most(&bound, x);
        } else {
            make.at_most(x, &bound.neg());
            negative = !negative;
        }
    }
    let product = xs[1..].iter().fold(xs[0].clone(), |product, x| make.pool.product(&product, x));
    // Not both: k decides whether the claim is right.
    let right = k % 4 >= 2;
    if negative == right {
        make.at_most(&product, &n(-1));
    } else {
        make.at_most(&n(1), &product);
    }
    make.expect(right)
}

/// `x·y = N` with `2 ≤ x ≤ y < N`: satisfiable iff N is composite.
fn factoring(k: u64) -> Query {
    let mut random = Random::new(43, k);
    let value = random.range(10, 10i64.pow(2 + (k % 3) as u32));
    let prime = (2..value).take_while(|d| d * d <= value).all(|d| value % d != 0);
    let mut make = Maker::default();
    let (x, y) = (make.int("x", 0), make.int("y", 0));
    make.at_most(&n(2), &x);
    make.at_most(&x, &y);
    make.at_most(&y, &n(value - 1));
    let product = make.pool.product(&x, &y);
    make.equal(&product, &n(value));
    make.expect(!prime)
}

/// Random relations between polynomials of degree up to three in a box that is tried out.
fn polynomials(k: u64) -> Query {
    let mut random = Random::new(44, k);
    let mut make = Maker::default();
    let vars: Vec<Linear> = ["x", "y", "z"].iter().map(|name| make.pool.integer(name)).collect();
    for var in &vars {
        make.within(var, -5, 5);
    }
    for relation in 0..2 {
        let terms: Vec<(Linear, Int)> = (0..3)
            .map(|_| {
                let degree = random.range(1, 3);
                let monomial = (0..degree).fold(n(1), |product, _| make.pool.product(&product, &vars[random.range(0, 2) as usize]));
                (monomial, Int::from(random.range(-4, 4)))
            })
            .collect();
        let left = sum(terms.iter().map(|(term, c)| (term, c.clone())));
        let right = n(random.range(-30, 60));
        if relation == 0 || k % 2 == 0 {
            make.equal(&left, &right);
        } else {
            make.at_most(&left, &right);
        }
    }
    make.brute_force(&[("x", -5, 5), ("y", -5, 5), ("z", -5, 5)])
}

/// Relations between quotients and remainders by a symbol that is not 0, in a box that is tried out.
fn division_by_terms(k: u64) -> Query {
    let mut random = Random::new(45, k);
    let mut make = Maker::default();
    let (x, y) = (make.pool.integer("x"), make.pool.integer("y"));
    make.within(&x, -30, 30);
    make.within(&y, -8, 8);
    make.differ(&y, &n(0));
    let (q, r) = make.pool.div_rem_trunc(&x.scale(&Int::from(random.range(1, 3))), &y).expect("not the constant 0");
    make.equal(&q, &n(random.range(-8, 8)));
    if k % 2 == 0 {
        make.equal(&r, &n(random.range(-5, 5)));
    } else {
        make.at_most(&y.scale(&Int::from(2)).add_constant(&Int::from(random.range(-3, 3))), &r);
    }
    make.brute_force(&[("x", -30, 30), ("y", -8, 8)])
}

/// Lower bounds of two factors, without upper ones: the product is at least that of the bounds (even k: denied), and may be
/// that (odd k).
fn monotone_products(k: u64) -> Query {
    let mut random = Random::new(46, k);
    let mut make = Maker::default();
    let (x, y) = (make.int("x", 0), make.int("y", 0));
    let (a, b) = (random.range(1, 100_000), random.range(1, 100_000));
    make.at_most(&n(a), &x);
    make.at_most(&n(b), &y);
    let product = make.pool.product(&x, &y);
    make.at_most(&product, &n(a * b - i64::from(k % 2 == 0)));
    make.expect(k % 2 == 1)
}
