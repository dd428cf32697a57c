//! Another solver as oracle: `CULDESAC_ORACLE=z3` (a program that reads SMT-LIB 2 from a file, e.g. Debian's `z3`).
//! Skipped without the variable. `CULDESAC_ORACLE_CASES` says how many queries (200).

use culdesac::logic::{ArrayTermId, FormulaId, Int, Linear, Pool};
use culdesac::smtlib::{Verdict, query};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context, check};
use num_bigint::BigUint;
use std::process::Command;

/// Terms and formulas drawn from a seed.
struct Maker<'a> {
    random: culdesac::count::Random,
    pool: &'a mut Pool,
}

impl Maker<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.below(&BigUint::from(bound)).iter_u64_digits().next().unwrap_or(0)
    }

    fn small(&mut self) -> Int {
        Int::from(self.below(13) as i64 - 6)
    }

    fn array(&mut self, depth: u32) -> ArrayTermId {
        if depth == 0 || self.below(3) == 0 {
            let name = ["a", "b"][self.below(2) as usize];
            return self.pool.array_symbol(name);
        }
        let (inner, index, value) = (self.array(depth - 1), self.term(depth - 1), self.term(depth - 1));
        self.pool.store(inner, index, value)
    }

    fn term(&mut self, depth: u32) -> Linear {
        let name = ["x", "y", "z", "w"][self.below(4) as usize];
        let symbol = self.pool.integer(name);
        if depth == 0 {
            return symbol;
        }
        match self.below(7) {
            0 | 1 => {
                let (left, right, factor, constant) = (self.term(depth - 1), self.term(depth - 1), self.small(), self.small());
                left.add_scaled(&right, &factor).add_constant(&constant)
            }
            2 => {
                let (dividend, divisor) = (self.term(depth - 1), Linear::constant(self.below(5) as i64 + 2));
                let (quotient, remainder) = self.pool.div_rem_trunc(&dividend, &divisor).expect("the divisor is not 0");
                if self.below(2) == 0 { quotient } else { remainder }
            }
            3 => {
                let (array, index) = (self.array(depth), self.term(depth - 1));
                self.pool.select(array, &index)
            }
            4 => {
                let formula = self.formula(depth - 1);
                self.pool.truth(formula)
            }
            _ => symbol,
        }
    }

    fn formula(&mut self, depth: u32) -> FormulaId {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => {
                let (left, right) = (self.term(depth), self.term(depth));
                self.pool.at_most(&left, &right)
            }
            1 => {
                let (left, right) = (self.term(depth), self.term(depth));
                self.pool.equal(&left, &right)
            }
            2 => {
                let (left, constant) = (self.term(depth), Linear::constant(self.below(9) as i64 - 4));
                let equal = self.pool.equal(&left, &constant);
                self.pool.not(equal)
            }
            3 => {
                let inner = self.formula(depth - 1);
                self.pool.not(inner)
            }
            kind => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1), self.formula(depth - 1)];
                if kind == 4 { self.pool.and(&parts) } else { self.pool.or(&parts) }
            }
        }
    }
}

#[test]
fn agrees_with_another_solver() {
    let Some(oracle) = std::env::var_os("CULDESAC_ORACLE") else { return };
    let cases = std::env::var("CULDESAC_ORACLE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200);
    let folder = std::env::temp_dir().join(format!("culdesac-oracle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the queries");
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    for seed in 0..cases {
        let mut context = Context::new();
        let mut maker = Maker { random: culdesac::count::Random::new(seed), pool: &mut context.pool };
        let count = 2 + maker.below(7);
        let formulas: Vec<FormulaId> = (0..count).map(|_| maker.formula(2)).collect();
        formulas.iter().for_each(|&formula| {
            context.assert(formula);
        });
        let verdict = match context.check(&mut Meter::new(1_000_000)) {
            Answer::Sat(_) => Verdict::Sat,
            Answer::Unknown(_) => Verdict::Unknown,
            Answer::Unsat(refutation) => {
                let core: Vec<FormulaId> = refutation.core.iter().map(|&position| formulas[position]).collect();
                assert_eq!(check::check(&context.pool, &core, &refutation.certificate), Ok(()), "seed {seed}");
                Verdict::Unsat
            }
        };
        let path = folder.join(format!("{seed}.smt2"));
        std::fs::write(&path, query(&context.pool, &formulas, verdict)).expect("the query is written");
        let output = Command::new(&oracle).arg("-T:20").arg(&path).output().expect("the oracle runs");
        let answer = String::from_utf8_lossy(&output.stdout);
        match (verdict, answer.lines().next().unwrap_or_default().trim()) {
            (Verdict::Sat, "sat") => sat += 1,
            (Verdict::Unsat, "unsat") => unsat += 1,
            (Verdict::Unknown, _) | (_, "unknown" | "timeout") => open += 1,
            (ours, theirs) => panic!("seed {seed}: {ours} here, {theirs:?} there: {}", path.display()),
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    println!("{sat} sat, {unsat} unsat, {open} open on either side");
    assert!(sat > 0 && unsat > 0, "both answers occur");
}
