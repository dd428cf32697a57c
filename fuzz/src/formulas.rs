//! Formulas: the solver's answers against its evidence, and scripts.

use culdesac::logic::{ArrayTermId, FormulaId, Int, Linear};
use culdesac::smtlib;
use culdesac::solver::check::check;
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use std::time::Duration;

/// Steps for each question.
const LIMIT: u64 = 3_000;
/// Bytes of which formulas are made; longer ones make no new shapes.
const BYTES: usize = 120;

/// A machine with three stacks, whose code is the bytes.
struct Builder {
    context: Context,
    terms: Vec<Linear>,
    arrays: Vec<ArrayTermId>,
    formulas: Vec<FormulaId>,
}

impl Builder {
    fn new() -> Builder {
        let mut context = Context::new();
        let arrays = vec![context.pool.array_symbol("a")];
        Builder { context, terms: Vec::new(), arrays, formulas: Vec::new() }
    }

    fn term(&mut self) -> Linear {
        self.terms.pop().unwrap_or_else(|| self.context.pool.integer("x"))
    }

    fn formula(&mut self) -> FormulaId {
        self.formulas.pop().unwrap_or_else(|| self.context.pool.boolean("p"))
    }

    fn array(&self) -> ArrayTermId {
        self.arrays.last().copied().expect("never emptied")
    }

    /// Executes one operation. An answer is judged at once.
    fn step(&mut self, operation: u8) {
        let argument = i64::from(operation / 21);
        match operation % 21 {
            0 | 1 => self.terms.push(Linear::constant(argument - 5)),
            2 => self.terms.push(Linear::constant(Int::from(i64::MAX - argument))),
            3..=5 => {
                let name = ["x", "y", "z", "u"][argument as usize % 4];
                self.terms.push(self.context.pool.integer(name));
            }
            6 => {
                let (left, right) = (self.term(), self.term());
                self.terms.push(left.add(&right));
            }
            7 => {
                let term = self.term();
                self.terms.push(term.scale(&Int::from(argument - 6)));
            }
            8 => {
                let (left, right) = (self.term(), self.term());
                let product = self.context.pool.product(&left, &right);
                self.terms.push(product);
            }
            9 => {
                let (left, right) = (self.term(), self.term());
                if let Some((quotient, remainder)) = self.context.pool.div_rem_trunc(&left, &right) {
                    self.terms.push(if argument % 2 == 0 { quotient } else { remainder });
                }
            }
            10 => {
                let formula = self.formula();
                let truth = self.context.pool.truth(formula);
                self.terms.push(truth);
            }
            11 => {
                let (index, value) = (self.term(), self.term());
                let array = self.array();
                let stored = self.context.pool.store(array, index, value);
                self.arrays.push(stored);
            }
            12 => {
                let (index, array) = (self.term(), self.array());
                let element = self.context.pool.select(array, &index);
                self.terms.push(element);
            }
            13 | 14 => {
                let (left, right) = (self.term(), self.term());
                let comparison = match argument % 3 {
                    0 => self.context.pool.at_most(&left, &right),
                    1 => self.context.pool.less(&left, &right),
                    _ => self.context.pool.equal(&left, &right),
                };
                self.formulas.push(comparison);
            }
            15 => {
                let formula = self.formula();
                let denied = self.context.pool.not(formula);
                self.formulas.push(denied);
            }
            16 | 17 => {
                let parts = [self.formula(), self.formula()];
                let joined = if argument % 2 == 0 { self.context.pool.and(&parts) } else { self.context.pool.or(&parts) };
                self.formulas.push(joined);
            }
            18 => {
                let formula = self.formula();
                self.context.assert(formula);
            }
            19 if argument % 2 == 0 => self.context.push(),
            19 => self.context.pop(),
            _ => self.ask(),
        }
    }

    fn ask(&mut self) {
        let answer = self.context.check(&mut Meter::new(LIMIT));
        let assertions = self.context.assertions();
        match answer {
            Answer::Sat(model) => {
                for &f in assertions {
                    assert_eq!(model.formula(&self.context.pool, f), Some(true), "a model must satisfy");
                }
            }
            Answer::Unsat(refutation) => {
                let core: Vec<FormulaId> = refutation.core.iter().map(|&position| assertions[position]).collect();
                let accepted = check(&self.context.pool, &core, &refutation.certificate);
                assert!(accepted.is_ok(), "{accepted:?}: {refutation:?}");
            }
            Answer::Unknown(_) => {}
        }
    }
}

/// Builds formulas and asks for them: models must satisfy, and certificates be accepted.
pub fn solver(data: &[u8]) {
    let mut builder = Builder::new();
    data.iter().take(BYTES).for_each(|&operation| builder.step(operation));
    for _ in 0..2 {
        let formula = builder.formula();
        builder.context.assert(formula);
    }
    builder.ask();
}

/// Executes a script of SMT-LIB, whose answers check themselves: twice the same comes out.
pub fn smtlib(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let execute = || {
        let mut printed = String::new();
        let checks = smtlib::run(&text, LIMIT, &|| Duration::ZERO, &mut |output| printed += &output.to_string());
        (checks.map_err(|error| error.message), printed)
    };
    assert_eq!(execute(), execute());
}
