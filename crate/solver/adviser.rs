//! Advisers: they propose better values, and nothing they say is believed.
//!
//! [`super::optimise`] hands an [`Adviser`] a small integer [`Problem`] and evaluates what comes back exactly. It drops a
//! proposal that fails, so that the worst an adviser can do is cost steps.
//!
//! [`Floating`] (feature `adviser`) is microlp: floating-point simplex with branch and bound. It may call an unsatisfiable
//! query satisfiable, hence its place here. To keep it from running away or panicking, [`Floating`] refuses large problems
//! and numbers that doubles may not hold exactly. What ends it are counts: branch and bound has a node limit, and microlp
//! gives up a simplex whose objective 10,000 pivots did not improve. So the same problem gets the same proposal everywhere.
//!
//! Decision: microlp itself, without good_lp in front. good_lp 1.15 is tied to microlp 0.6, which cycles for ever on some
//! problems and takes no limit for that but one of time; the rows of a [`Problem`] need no modelling language.
//!
//! What it is worth, as measured: nothing on the example programs (steps within 1 %, since the solver's own models are
//! vertices); on six coupled systems of six unknowns between 28 times fewer and 1.6 times more steps, at the median about
//! the same. In WebAssembly it takes 38 KB of brotli. The page has it all the same, so that page and command line count the
//! same steps. Should the room be needed, drop the feature from both.

use crate::logic::Int;

/// `Σ coefficient · column + constant ≤ 0`, or `= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Columns ascend, no coefficient is zero.
    pub terms: Vec<(usize, Int)>,
    pub constant: Int,
    pub equality: bool,
}

/// Minimise the objective over all integers that satisfy every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub columns: usize,
    pub rows: Vec<Row>,
    pub objective: Vec<(usize, Int)>,
}

/// Proposes solutions.
pub trait Adviser {
    /// A value for each column, or nothing.
    fn propose(&mut self, problem: &Problem) -> Option<Vec<Int>>;
}

/// Never has an idea.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Adviser for Silent {
    fn propose(&mut self, _: &Problem) -> Option<Vec<Int>> {
        None
    }
}

/// The adviser that this build has.
#[cfg(feature = "adviser")]
pub type Builtin = Floating;
/// The adviser that this build has.
#[cfg(not(feature = "adviser"))]
pub type Builtin = Silent;

#[cfg(feature = "adviser")]
pub use floating::Floating;

#[cfg(feature = "adviser")]
mod floating {
    use super::{Adviser, Problem, Row};
    use crate::logic::Int;
    use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, SolveOptions, Variable};

    /// Larger problems are refused.
    const MAX_COLUMNS: usize = 32;
    const MAX_ROWS: usize = 96;
    /// Coefficients and constants of more binary digits are refused: products of them must stay far below the 53 that a
    /// double holds.
    const MAX_COEFFICIENT_BITS: u64 = 16;
    const MAX_CONSTANT_BITS: u64 = 28;
    /// Nodes of the branch-and-bound tree.
    const MAX_NODES: u64 = 40;

    /// Floating-point branch and bound.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Floating;

    impl Adviser for Floating {
        fn propose(&mut self, problem: &Problem) -> Option<Vec<Int>> {
            if problem.columns > MAX_COLUMNS || problem.rows.len() > MAX_ROWS || problem.objective.is_empty() {
                return None;
            }
            let mut weights = vec![0.0; problem.columns];
            for (column, coefficient) in &problem.objective {
                *weights.get_mut(*column)? = number(coefficient, MAX_COEFFICIENT_BITS)?;
            }
            let mut model = microlp::Problem::new(OptimizationDirection::Minimize);
            // An integer is the difference of two natural numbers: nothing then starts at a bound far away.
            let mut natural = |weight| model.add_integer_var(weight, (0, i32::MAX));
            let columns: Vec<[Variable; 2]> = weights.into_iter().map(|weight| [natural(weight), natural(-weight)]).collect();
            for row in &problem.rows {
                let operator = if row.equality { ComparisonOp::Eq } else { ComparisonOp::Le };
                model.add_constraint(sum(&columns, row)?, operator, -number(&row.constant, MAX_CONSTANT_BITS)?);
            }
            let mut options = SolveOptions::default();
            options.node_limit = Some(MAX_NODES);
            let solution = model.solve_with(options).ok()?.into_solution().ok()?;
            let value = |variable| rounded(solution.var_value(variable));
            let mut proposal = Vec::with_capacity(problem.columns);
            for [up, down] in columns {
                proposal.push(Int::from(value(up)? - value(down)?));
            }
            Some(proposal)
        }
    }

    fn sum(columns: &[[Variable; 2]], row: &Row) -> Option<LinearExpr> {
        let mut sum = LinearExpr::empty();
        for (column, coefficient) in &row.terms {
            let coefficient = number(coefficient, MAX_COEFFICIENT_BITS)?;
            let [up, down] = *columns.get(*column)?;
            sum.add(up, coefficient);
            sum.add(down, -coefficient);
        }
        Some(sum)
    }

    fn number(value: &Int, bits: u64) -> Option<f64> {
        (value.bits() <= bits).then(|| value.to_f64())
    }

    /// The nearest integer; nothing where doubles are no longer exact, for infinities, or for no number at all.
    fn rounded(value: f64) -> Option<i64> {
        (value.abs() < (1i64 << 50) as f64).then(|| value.round() as i64)
    }
}
