//! From a model in which operators on bits are not exact to one that is an execution.
//!
//! Where [`crate::symex`] has no exact term for an operator, a model may give it a value that it does not have, and the replay fails.
//! Then the search gives an operand of each such operator the value that it has in the model, which makes the operator exact, and asks
//! again. Where that is in vain, the next model has to give each operator the value that goes with this operand.
//!
//! A model may also give reads of standard input values that no text gives together. Then the next model has to give the read that failed
//! one of the values that it could have had after those before it; where none is known, it has to change one of them.

use crate::interp::{NoText, Outcome, ReplayMismatch};
use crate::logic::{Assignment, FormulaId, Linear};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::symex::approximated;

/// How many models the search tries.
const TRIES: u32 = 8;
/// How many models the search tries for a text.
const TEXTS: u32 = 40;

/// Looks for a model of what is asserted whose values some text on standard input gives: `accept` replays a model's input, and `drawn` is
/// the term of the value that is drawn with a number. Gives whether there was one.
pub fn settle_text(
    context: &mut Context,
    model: &Assignment,
    mut why: NoText,
    meter: &mut Meter,
    drawn: &mut dyn FnMut(&mut Context, usize) -> Option<Linear>,
    accept: &mut dyn FnMut(&mut Context, &Assignment) -> Result<(), ReplayMismatch>,
) -> bool {
    let mut model = model.clone();
    context.push();
    let mut accepted = false;
    for _ in 0..TEXTS {
        let Some(value) = drawn(context, why.draw) else { break };
        let mut either = Vec::new();
        for (least, greatest) in &why.allowed {
            let least = context.pool.at_most(&Linear::constant(least.clone()), &value);
            let greatest = context.pool.at_most(&value, &Linear::constant(greatest.clone()));
            either.push(context.pool.and(&[least, greatest]));
        }
        if either.is_empty() {
            for number in 0..=why.draw {
                let Some(before) = drawn(context, number) else { continue };
                let Some(constant) = model.linear(&context.pool, &before) else { continue };
                let same = context.pool.equal(&before, &Linear::constant(constant));
                either.push(context.pool.not(same));
            }
        }
        let clause = context.pool.or(&either);
        context.assert(clause);
        match context.check(meter) {
            Answer::Sat(found) => model = Assignment::clone(&found),
            _ => break,
        }
        match accept(context, &model) {
            Ok(()) => {
                accepted = true;
                break;
            }
            Err(mismatch) => match no_text(mismatch) {
                Some(next) => why = next,
                None => break,
            },
        }
    }
    context.pop();
    accepted
}

/// Where a replay ended because no text goes on: why.
pub fn no_text(mismatch: ReplayMismatch) -> Option<NoText> {
    match mismatch {
        ReplayMismatch::Ended { outcome: Outcome::NoText(why), .. } => Some(why),
        _ => None,
    }
}

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
    // What is added below holds of the operators always; the scope only keeps it from the next query.
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
