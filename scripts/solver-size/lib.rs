//! What `scripts/solver-size.mjs` weighs: functions that reach a growing part of the solver, fed with formulas made from
//! bytes so that nothing is known when it is compiled.

use culdesac::logic::{Assignment, FormulaId, Int, Linear, Pool};
#[cfg(feature = "deciding")]
use culdesac::solver::{Answer, Context, check, meter::Meter};

/// Formulas of every kind of the language.
fn formulas(pool: &mut Pool, bytes: &[u8]) -> Vec<FormulaId> {
    let mut formulas = Vec::new();
    for chunk in bytes.chunks_exact(4) {
        let [x, y] = [chunk[0], chunk[1]].map(|byte| pool.integer(["a", "b", "c", "d"][usize::from(byte % 4)]));
        let number = Int::parse(core::str::from_utf8(chunk).unwrap_or_default()).unwrap_or_default();
        let array = pool.array_symbol("m");
        let stored = pool.store(array, x.clone(), y.clone());
        let element = pool.select(stored, &y);
        let term = x.scale(&Int::from(i64::from(chunk[2]))).add(&element).add_constant(&number);
        let product = pool.product(&x, &y);
        let Some((quotient, remainder)) = pool.div_rem_trunc(&term, &Linear::constant(3)) else { continue };
        let (at_most, equal, less) = (pool.at_most(&term, &y), pool.equal(&quotient, &remainder), pool.less(&product, &term));
        let unequal = pool.not(equal);
        let either = pool.or(&[at_most, unequal, less]);
        let truth = pool.truth(either);
        formulas.extend([pool.and(&[either, at_most]), pool.equal(&truth, &x)]);
    }
    formulas
}

/// # Safety
/// The `length` bytes at `start` are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weigh(start: *const u8, length: usize) -> u64 {
    let bytes = unsafe { core::slice::from_raw_parts(start, length) };
    let mut pool = Pool::new();
    let formulas = formulas(&mut pool, bytes);
    let held = formulas.iter().filter(|&&formula| Assignment::default().formula(&pool, formula) == Some(true)).count();
    #[cfg(feature = "deciding")]
    let held = held + deciding(pool, &formulas);
    held as u64
}

/// Incremental deciding, certificates, the checker.
#[cfg(feature = "deciding")]
fn deciding(pool: Pool, formulas: &[FormulaId]) -> usize {
    let mut context = Context::new();
    context.pool = pool;
    for &formula in formulas {
        context.push();
        context.assert(formula);
    }
    let mut meter = Meter::new(1_000_000);
    let answer = context.check(&mut meter);
    let outcome = match &answer {
        Answer::Sat(_) => 0,
        Answer::Unsat(refutation) => {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
            usize::from(check::check(&context.pool, &core, &refutation.certificate).is_ok())
        }
        Answer::Unknown(reason) => reason.to_string().len(),
    };
    #[cfg(feature = "questions")]
    let outcome = outcome + questions(&mut context, formulas, &answer, &mut meter);
    #[cfg(feature = "optimiser")]
    let outcome = outcome + optimiser(&mut context, answer, &mut meter);
    context.pop();
    outcome
}

/// Cores, assumptions, projection, interpolants.
#[cfg(feature = "questions")]
fn questions(context: &mut Context, formulas: &[FormulaId], answer: &Answer, meter: &mut Meter) -> usize {
    use culdesac::solver::{interpolate, projection};
    let mut outcome = usize::from(matches!(context.check_assuming(&formulas[..1], meter), Answer::Sat(_)));
    context.prefer(formulas);
    let _ = context.all_solutions(formulas, meter, &mut |_| {
        outcome += 1;
        core::ops::ControlFlow::Break(())
    });
    if let Answer::Unsat(refutation) = answer {
        outcome += context.minimal_core(refutation, meter).refutation.core.len();
        let (a, b) = formulas.split_at(formulas.len() / 2);
        outcome += usize::from(interpolate::interpolate(&mut context.pool, a, b, &refutation.certificate, meter).is_ok());
    }
    let symbol = context.pool.symbol("a");
    outcome += usize::from(projection::project(&mut context.pool, formulas, &[symbol], projection::ProjectionGoal::Exact, meter).is_ok());
    outcome
}

/// Smallest witnesses and ranges.
#[cfg(feature = "optimiser")]
fn optimiser(context: &mut Context, answer: Answer, meter: &mut Meter) -> usize {
    use culdesac::solver::{adviser::NoAdvice, optimise};
    let input = context.pool.integer("a");
    let range = optimise::range(context, &input, &mut NoAdvice, meter).is_ok();
    let Answer::Sat(model) = answer else { return usize::from(range) };
    usize::from(optimise::smallest_witness(context, &[input], (*model).clone(), &mut NoAdvice, meter).proven)
}
