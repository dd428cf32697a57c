//! Advisers: they propose better values, and nothing they say is believed.
//!
//! [`super::optimise`] hands an [`Adviser`] a small integer [`Problem`] and evaluates what comes back exactly. It drops a
//! proposal that fails, so that the worst an adviser can do is cost steps.
//!
//! [`Floating`] (feature `adviser`) is good_lp over microlp: floating-point simplex with branch and bound. It calls some
//! unsatisfiable queries satisfiable and cuts unbounded integers off at 32 bits, hence its place here. To keep it from
//! running away or panicking, [`Floating`] refuses large problems and numbers that doubles may not hold exactly; branch and
//! bound has a node limit; and a watchdog ends a simplex that cycles. The watchdog is the only clock in the engine and
//! decides nothing: problems of this size take milliseconds (dense ones up to a tenth of a second) or, in a cycle, for ever.
//!
//! What it is worth, as measured: nothing on the example programs (steps within 1 %, since the solver's own models are
//! vertices); on six coupled systems of six unknowns between 28 times fewer and 1.6 times more steps, at the median about
//! the same. In WebAssembly it takes 38 KB of brotli. The page has it all the same, so that page and command line count the
//! same steps. Should the room be needed, drop the feature from both.
//!
//! Rejected: microlp 0.7, which counts pivots without progress, so that no watchdog is needed. good_lp 1.15 is tied to 0.6, and 0.7
//! alone makes the page's engine 38 KB of brotli larger. The documents of the examples are the same with both.

use crate::logic::Int;

/// `Σ coefficient · column + constant ≤ 0`, or `= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdviserRow {
    /// Columns ascend, no coefficient is zero.
    pub terms: Vec<(usize, Int)>,
    pub constant: Int,
    pub equality: bool,
}

/// Minimise the objective over all integers that satisfy every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub columns: usize,
    pub rows: Vec<AdviserRow>,
    pub objective: Vec<(usize, Int)>,
}

/// Proposes solutions.
pub trait Adviser {
    /// A value for each column, or nothing.
    fn propose(&mut self, problem: &Problem) -> Option<Vec<Int>>;
}

/// Never has an idea.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAdvice;

impl Adviser for NoAdvice {
    fn propose(&mut self, _: &Problem) -> Option<Vec<Int>> {
        None
    }
}

/// The adviser that this build has.
#[cfg(feature = "adviser")]
pub type Builtin = Floating;
/// The adviser that this build has.
#[cfg(not(feature = "adviser"))]
pub type Builtin = NoAdvice;

#[cfg(feature = "adviser")]
pub use floating::Floating;

#[cfg(feature = "adviser")]
mod floating {
    use super::{Adviser, AdviserRow, Problem};
    use crate::logic::Int;
    use good_lp::{Expression, ProblemVariables, SolverModel, Variable, microlp as backend, variable};
    use microlp::{OptimizationDirection, SolveOptions};
    use std::time::Duration;

    /// Larger problems are refused.
    const MAX_COLUMNS: usize = 32;
    const MAX_ROWS: usize = 96;
    /// Coefficients and constants of more binary digits are refused: products of them must stay far below the 53 that a
    /// double holds.
    const MAX_COEFFICIENT_BITS: u64 = 16;
    const MAX_CONSTANT_BITS: u64 = 28;
    /// Nodes of the branch-and-bound tree.
    const MAX_NODES: u64 = 40;
    /// A hundred times what the slowest problem seen took.
    const WATCHDOG: Duration = Duration::from_secs(10);

    /// Floating-point branch and bound.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Floating;

    impl Adviser for Floating {
        fn propose(&mut self, problem: &Problem) -> Option<Vec<Int>> {
            if problem.columns > MAX_COLUMNS || problem.rows.len() > MAX_ROWS || problem.objective.is_empty() {
                return None;
            }
            let mut variables = ProblemVariables::new();
            // An integer is the difference of two natural numbers: nothing then starts at a bound far away.
            let columns: Vec<[Variable; 2]> =
                (0..problem.columns).map(|_| [(); 2].map(|()| variables.add(variable().integer().min(0)))).collect();
            let objective = expression(&columns, &problem.objective)?;
            let rows = problem.rows.iter().map(|row| constraint(&columns, row)).collect::<Option<Vec<_>>>()?;
            let mut model = variables.minimise(objective).using(backend);
            for row in rows {
                model.add_constraint(row);
            }
            let mut options = SolveOptions::default();
            options.node_limit = Some(MAX_NODES);
            options.time_limit = Some(WATCHDOG);
            let solution = model.as_inner().solve_with(options).ok()?.into_solution().ok()?;
            // Names of the solution's variables: they are numbered, and its own iterator may panic.
            let mut numbering = microlp::Problem::new(OptimizationDirection::Minimize);
            let mut value = || rounded(solution[numbering.add_var(0.0, (0.0, 0.0))]);
            let mut proposal = Vec::with_capacity(problem.columns);
            for _ in 0..problem.columns {
                let (up, down) = (value()?, value()?);
                proposal.push(Int::from(up - down));
            }
            Some(proposal)
        }
    }

    fn expression(columns: &[[Variable; 2]], terms: &[(usize, Int)]) -> Option<Expression> {
        let mut sum = Expression::with_capacity(2 * terms.len());
        for (column, coefficient) in terms {
            let coefficient = number(coefficient, MAX_COEFFICIENT_BITS)?;
            let [up, down] = *columns.get(*column)?;
            sum.add_mul(coefficient, up);
            sum.add_mul(-coefficient, down);
        }
        Some(sum)
    }

    fn constraint(columns: &[[Variable; 2]], row: &AdviserRow) -> Option<good_lp::Constraint> {
        let sum = expression(columns, &row.terms)?;
        let right = -number(&row.constant, MAX_CONSTANT_BITS)?;
        Some(if row.equality { sum.eq(right) } else { sum.leq(right) })
    }

    fn number(value: &Int, bits: u64) -> Option<f64> {
        (value.bits() <= bits).then(|| value.to_f64())
    }

    /// The nearest integer; nothing where doubles are no longer exact, for infinities, or for no number at all.
    fn rounded(value: f64) -> Option<i64> {
        (value.abs() < (1i64 << 50) as f64).then(|| value.round() as i64)
    }
}
