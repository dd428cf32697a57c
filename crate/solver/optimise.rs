//! Exact optimisation: least values, ranges, and the smallest witness.
//!
//! An [`Adviser`] proposes, exact arithmetic disposes. Only a model under which every assertion evaluates to true replaces
//! another. Only a refutation of "there is a smaller one" that the checker accepts proves an optimum, or a ray of the
//! model's region along which the objective falls for ever. What the adviser says changes how many steps that takes, never
//! a proven value.
//!
//! The way down ([`minimise`]): in the region of the current model (`super::region`) the adviser proposes the best point;
//! then the solver looks for a model below the value reached. It refutes that (proven), or gives a model in another
//! region, and so on. While models keep coming, the target lies ever further below; a refuted target is a floor, and the
//! next target lies half way between floor and value.

use super::adviser::Adviser;
use super::check::check;
use super::meter::{Meter, within};
use super::region::{Coordinate, Region};
use super::{Answer, Context, Reason};
use crate::logic::{Assignment, FormulaId, Int, Linear, SymbolId};

/// How far down (or up) a term goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// This value is taken, and no further one is.
    Proven(Int),
    /// Every bound is passed.
    Unbounded,
    /// This value is taken; whether a further one is stayed open.
    Reached(Int, Reason),
}

/// The least value found, and the model that takes it (for [`Extreme::Unbounded`] any model).
#[derive(Clone, Debug)]
pub struct Optimum {
    pub extreme: Extreme,
    pub model: Assignment,
}

/// The values of a term lie between these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermRange {
    pub low: Extreme,
    pub high: Extreme,
}

/// A model with small inputs.
#[derive(Clone, Debug)]
pub struct Smallest {
    pub model: Assignment,
    /// Whether no model is smaller.
    pub proven: bool,
}

/// How many steps [`smallest_witness`] takes at most.
pub const WITNESS_STEPS: u64 = 20_000;

/// The search gives up beyond numbers of so many binary digits: it recognises what is unbounded for a linear reason sooner.
const MAX_STRIDE_BITS: u64 = 128;

/// The least value of `objective` under the assertions, which stay as they are.
///
/// # Errors
/// The answer to whether the assertions can hold at all, where it is not "yes".
pub fn minimise(context: &mut Context, objective: &Linear, adviser: &mut dyn Adviser, meter: &mut Meter) -> Result<Optimum, Answer> {
    let model = match context.check(meter) {
        Answer::Sat(model) => model,
        answer => return Err(answer),
    };
    let Some(value) = model.linear(&context.pool, objective) else { return Err(Answer::Unknown(Reason::NonLinear)) };
    Ok(Descent { context, adviser, meter, sizes: Vec::new() }.down(objective, None, Assignment::clone(&model), value))
}

/// The least and the greatest value of `term` under the assertions, which stay as they are.
///
/// # Errors
/// The answer to whether the assertions can hold at all, where it is not "yes".
pub fn range(context: &mut Context, term: &Linear, adviser: &mut dyn Adviser, meter: &mut Meter) -> Result<TermRange, Answer> {
    let Optimum { extreme: low, model } = minimise(context, term, adviser, meter)?;
    let Some(value) = model.linear(&context.pool, term) else { return Err(Answer::Unknown(Reason::NonLinear)) };
    let mut descent = Descent { context, adviser, meter, sizes: Vec::new() };
    let high = match descent.down(&term.neg(), None, model, -value).extreme {
        Extreme::Proven(value) => Extreme::Proven(-value),
        Extreme::Reached(value, reason) => Extreme::Reached(-value, reason),
        Extreme::Unbounded => Extreme::Unbounded,
    };
    Ok(TermRange { low, high })
}

/// From a known model of the assertions to the smallest: the least sum of the inputs' absolute values; among those the
/// least absolute value of the first input, positive rather than negative; then of the second, and so on. Takes at most
/// [`WITNESS_STEPS`] steps and gives the best model found; the assertions stay as they are.
pub fn smallest_witness(
    context: &mut Context,
    inputs: &[Linear],
    start: Assignment,
    adviser: &mut dyn Adviser,
    meter: &mut Meter,
) -> Smallest {
    meter.within(WITNESS_STEPS, |meter| {
        let mut descent = Descent { context, adviser, meter, sizes: Vec::new() };
        descent.context.push();
        let Smallest { model, proven } = descent.smallest(inputs, start);
        descent.context.pop();
        let model = descent.without_spare_elements(model);
        Smallest { model, proven }
    })
}

/// What the solver said to an additional condition.
enum ConditionAnswer {
    Model(Assignment),
    Never,
    Open(Reason),
}

struct Descent<'a, 'm> {
    context: &'a mut Context,
    adviser: &'a mut dyn Adviser,
    meter: &'a mut Meter<'m>,
    /// Symbols that are at least the absolute value of a term; models are shown with exactly that.
    sizes: Vec<(SymbolId, Linear)>,
}

impl Descent<'_, '_> {
    fn value(&self, model: &Assignment, term: &Linear) -> Option<Int> {
        model.linear(&self.context.pool, term)
    }

    /// Gives the sizes their values.
    fn sized(&self, mut model: Assignment) -> Assignment {
        for (symbol, term) in &self.sizes {
            if let Some(value) = self.value(&model, term) {
                model.integers.insert(*symbol, value.abs());
            }
        }
        model
    }

    /// What evaluating all assertions costs.
    fn evaluation(&self) -> u64 {
        1 + self.context.assertions().len() as u64 / 16
    }

    /// Whether all assertions evaluate to true.
    fn evaluates(&self, model: &Assignment) -> bool {
        model.satisfies(&self.context.pool, self.context.assertions().iter().copied())
    }

    /// The same, and pays for it; false where the steps are used up.
    fn holds(&mut self, model: &Assignment) -> bool {
        self.meter.spend(self.evaluation()).is_ok() && self.evaluates(model)
    }

    /// Asks the solver for a model that satisfies one formula more.
    fn ask(&mut self, formula: FormulaId) -> ConditionAnswer {
        self.context.push();
        self.context.assert(formula);
        let answer = match self.context.check(self.meter) {
            Answer::Sat(model) => ConditionAnswer::Model(self.sized(Assignment::clone(&model))),
            Answer::Unsat(refutation) => {
                let core: Vec<FormulaId> = refutation.core.iter().map(|&position| self.context.assertions()[position]).collect();
                match check(&self.context.pool, &core, &refutation.certificate) {
                    Ok(()) => ConditionAnswer::Never,
                    Err(_) => ConditionAnswer::Open(Reason::Rejected),
                }
            }
            Answer::Unknown(reason) => ConditionAnswer::Open(reason),
        };
        self.context.pop();
        answer
    }

    /// A model below `value` from the adviser, exactly checked.
    fn advised(&mut self, region: &Region, objective: &Linear, model: &Assignment, value: &Int) -> Option<(Assignment, Int)> {
        self.meter.spend(1 + (region.problem.rows.len() * region.problem.columns) as u64 / 16).ok()?;
        let proposal = self.adviser.propose(&region.problem)?;
        let proposed = self.sized(region.moved(model, proposal)?);
        let reached = self.value(&proposed, objective)?;
        (reached < *value && self.holds(&proposed)).then_some((proposed, reached))
    }

    /// Whether the objective falls for ever along a ray of the region. With the model a rational ray has an integer
    /// multiple, every point of which satisfies the rows; so this is exact.
    fn is_unbounded(&mut self, region: &Region) -> bool {
        let problem = &region.problem;
        if problem.objective.is_empty() {
            return false;
        }
        let mut context = Context::new();
        let directions: Vec<Linear> = (0..problem.columns).map(|column| context.pool.integer(&format!("d{column}"))).collect();
        let along = |terms: &[(usize, Int)]| {
            terms.iter().fold(Linear::default(), |sum, (column, factor)| sum.add_scaled(&directions[*column], factor))
        };
        for row in &problem.rows {
            let change = along(&row.terms);
            let formula = if row.equality { context.pool.equal(&change, &Linear::default()) } else { context.pool.le(change) };
            context.assert(formula);
        }
        let falls = context.pool.less(&along(&problem.objective), &Linear::default());
        context.assert(falls);
        matches!(context.check(self.meter), Answer::Sat(_))
    }

    /// From a model of the assertions, with the objective's value in it, to the least value; it is known to be at least `floor`.
    fn down(&mut self, objective: &Linear, mut floor: Option<Int>, mut model: Assignment, mut value: Int) -> Optimum {
        let mut stride = Int::ONE;
        let mut moved = true;
        let extreme = loop {
            if floor.as_ref().is_some_and(|floor| value <= *floor) {
                break Extreme::Proven(value);
            }
            if let Err(why) = self.meter.spend(1) {
                break Extreme::Reached(value, why.into());
            }
            // Where only the floor is left to try, the solver is asked for it straight away.
            let near = floor.as_ref().is_some_and(|floor| value <= floor + &Int::ONE);
            if !near
                && std::mem::take(&mut moved)
                && let Some(region) = Region::around(&self.context.pool, self.context.assertions(), objective, &model)
            {
                if floor.is_none() && self.is_unbounded(&region) {
                    break Extreme::Unbounded;
                }
                if let Some((better, reached)) = self.advised(&region, objective, &model, &value) {
                    (model, value) = (better, reached);
                    stride = Int::ONE;
                    continue;
                }
            }
            if stride.bits() > MAX_STRIDE_BITS {
                break Extreme::Reached(value, Reason::NonLinear);
            }
            let mut target = &value - &stride;
            if let Some(floor) = &floor {
                let middle = (floor + &value).div_floor(&Int::from(2)).unwrap_or_default();
                target = target.max(middle);
            }
            let formula = self.context.pool.at_most(objective, &Linear::constant(target.clone()));
            match self.ask(formula) {
                ConditionAnswer::Model(found) => match self.value(&found, objective) {
                    Some(reached) if reached <= target => {
                        (model, value) = (found, reached);
                        stride = &stride + &stride;
                        moved = true;
                    }
                    _ => break Extreme::Reached(value, Reason::NonLinear),
                },
                ConditionAnswer::Never => {
                    floor = Some(&target + &Int::ONE);
                    stride = Int::ONE;
                }
                ConditionAnswer::Open(reason) => break Extreme::Reached(value, reason),
            }
        };
        Optimum { extreme, model }
    }

    /// [`smallest_witness`] within a scope of its own.
    fn smallest(&mut self, inputs: &[Linear], start: Assignment) -> Smallest {
        let inputs: Vec<&Linear> = inputs.iter().filter(|input| input.as_constant().is_none()).collect();
        let mut model = self.zeroed(&inputs, start);
        let mut sizes = Vec::with_capacity(inputs.len());
        for (index, &input) in inputs.iter().enumerate() {
            // No name of the language and none of SMT-LIB has such bars.
            let pool = &mut self.context.pool;
            let name = format!("|{index}|");
            let (size, symbol) = (pool.integer(&name), pool.symbol(&name));
            for bound in [pool.at_most(input, &size), pool.at_most(&input.neg(), &size)] {
                self.context.assert(bound);
            }
            self.sizes.push((symbol, input.clone()));
            sizes.push(size);
        }
        model = self.sized(model);
        let proven = self.least_sum(&sizes, &mut model).is_some_and(|(sum, floors)| self.first(&inputs, &sizes, sum, &floors, &mut model));
        for (symbol, _) in std::mem::take(&mut self.sizes) {
            model.integers.remove(&symbol);
        }
        Smallest { model, proven }
    }

    /// Does something with at most so many steps.
    fn within<T>(&mut self, steps: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        within(self, |descent| &mut *descent.meter, steps, work)
    }

    /// The proven floor of each size alone, asserted; the model becomes the best one found on the way, `value` its sum.
    fn floors(&mut self, sizes: &[Linear], sum: &Linear, model: &mut Assignment, value: &mut Int) -> Option<Vec<Int>> {
        let mut floors = Vec::with_capacity(sizes.len());
        for size in sizes {
            let reached = self.value(model, size)?;
            let alone = self.down(size, Some(Int::ZERO), model.clone(), reached);
            let total = self.value(&alone.model, sum)?;
            if total < *value {
                (*model, *value) = (alone.model, total);
            }
            let floor = match alone.extreme {
                Extreme::Proven(floor) => floor,
                Extreme::Unbounded | Extreme::Reached(..) => Int::ZERO,
            };
            let bound = self.context.pool.at_most(&Linear::constant(floor.clone()), size);
            self.context.assert(bound);
            floors.push(floor);
        }
        Some(floors)
    }

    /// From a model to one with the least sum of the sizes. Asserts that sum, and gives it with a proven floor of each size.
    /// `None` where that stays open; the model is then the best known.
    ///
    /// The floor of each size alone comes first. Where inputs do not depend on each other these add up to the proof of
    /// the sum; without them the solver would have to go through all combinations of signs.
    fn least_sum(&mut self, sizes: &[Linear], model: &mut Assignment) -> Option<(Int, Vec<Int>)> {
        let sum = sizes.iter().fold(Linear::default(), |sum, size| sum.add(size));
        let mut value = self.value(model, &sum)?;
        if let Some(region) = Region::around(&self.context.pool, self.context.assertions(), &sum, model)
            && let Some(better) = self.advised(&region, &sum, model, &value)
        {
            (*model, value) = better;
        }
        let floors = self.within(WITNESS_STEPS / 2, |descent| descent.floors(sizes, &sum, model, &mut value))?;
        let floor = floors.iter().fold(Int::ZERO, |sum, floor| &sum + floor);
        let least = self.down(&sum, Some(floor), std::mem::take(model), value);
        *model = least.model;
        let Extreme::Proven(least) = least.extreme else { return None };
        let reached = self.context.pool.at_most(&sum, &Linear::constant(least.clone()));
        self.context.assert(reached);
        Some((least, floors))
    }

    /// The first of all models with the least sum, in lexicographic order; whether that was proven.
    fn first(&mut self, inputs: &[&Linear], sizes: &[Linear], least: Int, floors: &[Int], model: &mut Assignment) -> bool {
        let mut rest = least;
        for ((&input, size), floor) in inputs.iter().zip(sizes).zip(floors) {
            if rest.is_zero() {
                break;
            }
            let Some(mut value) = self.value(model, input) else { return false };
            if !value.is_zero() {
                let optimum = self.down(size, Some(floor.clone()), std::mem::take(model), value.abs());
                *model = optimum.model;
                let (Extreme::Proven(least), Some(reached)) = (optimum.extreme, self.value(model, input)) else { return false };
                value = reached;
                if value.is_negative() {
                    let positive = self.context.pool.equal(input, &Linear::constant(least.clone()));
                    match self.ask(positive) {
                        ConditionAnswer::Model(found) => (*model, value) = (found, least),
                        ConditionAnswer::Never => {}
                        ConditionAnswer::Open(_) => return false,
                    }
                }
            }
            rest -= &value.abs();
            let settled = self.context.pool.equal(input, &Linear::constant(value));
            self.context.assert(settled);
        }
        true
    }

    /// The model with as many inputs 0 as evaluating alone allows: first all of them, then one by one.
    fn zeroed(&mut self, inputs: &[&Linear], mut model: Assignment) -> Assignment {
        let coordinates: Vec<Coordinate> = inputs.iter().filter_map(|input| Coordinate::of(&self.context.pool, &model, input)).collect();
        let mut zeros = model.clone();
        coordinates.iter().for_each(|coordinate| coordinate.set(&mut zeros, Int::ZERO));
        if self.holds(&zeros) {
            return zeros;
        }
        for coordinate in coordinates {
            let mut zero = model.clone();
            coordinate.set(&mut zero, Int::ZERO);
            if zero != model && self.holds(&zero) {
                model = zero;
            }
        }
        model
    }

    /// The model without array contents that no assertion needs. Steps are counted but no limit holds: a few evaluations.
    fn without_spare_elements(&mut self, model: Assignment) -> Assignment {
        let arrays: Vec<SymbolId> = model.arrays.keys().copied().collect();
        let mut kept = model;
        for array in arrays {
            let mut bare = kept.clone();
            bare.arrays.remove(&array);
            let mut zero_elsewhere = kept.clone();
            zero_elsewhere.arrays.entry(array).or_default().default = Int::ZERO;
            for trial in [zero_elsewhere, bare] {
                let _ = self.meter.spend(self.evaluation());
                if self.evaluates(&trial) {
                    kept = trial;
                }
            }
        }
        kept
    }
}
