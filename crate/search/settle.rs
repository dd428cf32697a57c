//! From a model in which operators on bits are not exact to one that is an execution.
//!
//! Where [`crate::symex`] has no exact term for an operator, a model may give it a value that it does not have, and the replay fails.
//! Then the search gives an operand of each such operator the value that it has in the model, which makes the operator exact, and asks
//! again. Where that is in vain, the next model has to give each operator the value that goes with this operand.

use crate::logic::{Assignment, FormulaId};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::symex::approximated;

/// How many models the search tries.
const TRIES: u32 = 8;

/// Looks for a model of what is asserted that `accept` takes; whether there was one. `None` where all is exact: then nothing is asked.
pub fn settle(
    context: &mut Context,
    model: &Assignment,
    meter: &mut Meter,
    accept: &mut dyn FnMut(&mut Context, &Assignment) -> bool,
) -> Option<bool> {
    let conditions: Vec<FormulaId> = context.assertions().to_vec();
    let operators = approximated(&context.pool, &conditions)?;
    let mut model = model.clone();
    // What is added below holds of the operators always; the scope only keeps it from whoever asks next.
    context.push();
    let mut accepted = false;
    'tries: for _ in 0..TRIES {
        let mut lemmas = Vec::new();
        for side in 0..2 {
            context.push();
            for operator in &operators {
                let operands = operator.operands();
                let operand = operands[side.min(operands.len() - 1)];
                let Some(value) = model.linear(&context.pool, operand) else { continue };
                let [given, exact] = operator.exactly(&mut context.pool, operand, &value);
                let not_given = context.pool.not(given);
                lemmas.push(context.pool.or(&[not_given, exact]));
                context.assert(given);
                context.assert(exact);
            }
            let answer = context.check(meter);
            context.pop();
            if let Answer::Sat(found) = answer
                && accept(context, &found)
            {
                accepted = true;
                break 'tries;
            }
        }
        for lemma in lemmas {
            context.assert(lemma);
        }
        match context.check(meter) {
            Answer::Sat(found) => model = Assignment::clone(&found),
            _ => break,
        }
    }
    context.pop();
    Some(accepted)
}
