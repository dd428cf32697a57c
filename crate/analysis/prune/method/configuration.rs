//! Configurations: a store and a path predicate over indexed variables, with the set of states they stand for.
//!
//! The store maps a variable `x` to its indexed version, the symbol `x@k`; an assignment takes the next index and adds the equation
//! `x@k = e`. The predicate is the list of conjuncts in the order in which they came, which is what `drop` goes by. Arrays keep
//! their writes in the store.
//!
//! The rest of the analysis relies on the *set* ([`States`]) alone: the set of a successor contains the strongest postcondition
//! of the set before, and the set of an abstraction contains the set it abstracts. Any set with these properties will do, also
//! one that is larger than what store and predicate say.

use crate::logic::substitution::Substitution;
use crate::logic::{ArrayTerm, AtomId, FormulaId, Linear, Mentions, Pool, Shared};
use crate::lts::{ArrayId, EdgeId, Label, LocationId, Lts, VariableId};
use crate::solver::meter::Exhausted;
use crate::solver::projection::{ProjectionGoal, project};
use crate::states::{Ask, SetId, States, Successor};
use crate::symex::State;

/// A red vertex: its position in the order of birth.
pub type VertexId = u32;

/// `(s, π)`, and `States((s, π))`.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// `s`.
    pub store: State,
    /// `π`: its conjuncts, oldest first.
    pub predicate: Vec<FormulaId>,
    /// The states it stands for; `None` where no state is left.
    pub set: Option<SetId>,
    /// The next free index of each variable.
    next: Shared<u32>,
}

/// A variable or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateName {
    Variable(VariableId),
    Array(ArrayId),
}

/// A weakening of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// True takes the place of these conjuncts of the predicate.
    Drop(Vec<FormulaId>),
    /// These get fresh values.
    Havoc(Vec<StateName>),
    /// The set keeps only those of these formulas that it implies.
    Keep(Vec<FormulaId>),
}

fn indexed(name: &str, index: u32) -> String {
    format!("{name}@{index}")
}

impl Configuration {
    /// The configuration at the entry: each variable has its first version; `set` says what is known of them.
    pub fn initial(states: &mut States, set: SetId) -> Configuration {
        let lts = states.lts;
        let store = State::of_symbols(lts, &mut states.pool, |name| indexed(name, 0));
        let facts = states.conjuncts(set).to_vec();
        let next = vec![1; lts.variables.len() + lts.arrays.len()];
        let mut initial = Configuration { store, predicate: Vec::new(), set: Some(set), next: next.into_iter().collect() };
        initial.predicate = initial.over_store(states, &facts);
        initial
    }

    /// `SE c l`: the configuration after an edge; its set is `None` where no state passes.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn step(&self, states: &mut States, edge: EdgeId, ask: &mut Ask) -> Result<Configuration, Exhausted> {
        ask.meter.spend(1 + self.predicate.len() as u64 / 4)?;
        let mut after = self.clone();
        after.set = match self.set {
            Some(set) => match states.successor(set, edge, ask)? {
                Successor::Empty(_) => None,
                Successor::States { set, .. } => Some(set),
            },
            None => None,
        };
        let told = states.apply(&mut after.store, edge).told;
        if told != Pool::TRUE {
            after.predicate.push(told);
        }
        if let Label::Assign(variable, _) | Label::Havoc(variable) = states.lts.graph[edge].label {
            let value = after.store.variable(variable).clone();
            let fresh = after.fresh(states, variable);
            after.predicate.push(states.pool.equal(&fresh, &value));
        }
        Ok(after)
    }

    /// Takes the next index of a variable, or of an array after all variables.
    fn index(&mut self, location: usize) -> u32 {
        let index = self.next[location];
        self.next.replace(location, index + 1);
        index
    }

    /// Gives the variable its next version.
    fn fresh(&mut self, states: &mut States, variable: VariableId) -> Linear {
        let index = self.index(variable.0 as usize);
        let symbol = states.pool.integer(&indexed(&states.lts.variable(variable).name, index));
        self.store.set_variable(variable, symbol.clone());
        symbol
    }

    /// The weaker configuration that the abstraction makes of this one, at this location.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn abstracted(
        &self,
        states: &mut States,
        location: LocationId,
        abstraction: &Abstraction,
        ask: &mut Ask,
    ) -> Result<Configuration, Exhausted> {
        let mut weaker = self.clone();
        let Some(set) = self.set else { return Ok(weaker) };
        let found = match abstraction {
            Abstraction::Drop(dropped) => {
                weaker.predicate.retain(|conjunct| !dropped.contains(conjunct));
                weaker.described(states, location, ask)?
            }
            Abstraction::Havoc(names) => {
                let mut symbols = Vec::new();
                for &name in names {
                    match name {
                        StateName::Variable(variable) => {
                            symbols.push(states.pool.symbol(&states.lts.variable(variable).name));
                            weaker.fresh(states, variable);
                        }
                        StateName::Array(array) => {
                            let text = &states.lts.array(array).name;
                            symbols.push(states.pool.symbol(text));
                            let index = weaker.index(states.lts.variables.len() + array.0 as usize);
                            let fresh = states.pool.array_symbol(&indexed(text, index));
                            weaker.store.replace_array(array, fresh);
                        }
                    }
                }
                let conjuncts = states.conjuncts(set).to_vec();
                let projection = project(&mut states.pool, &conjuncts, &symbols, ProjectionGoal::Exact, ask.meter)?;
                states.intern(location, vec![projection.formula], None, ask)?
            }
            Abstraction::Keep(formulas) => {
                let (kept_set, kept) = Configuration::keeping(states, location, set, formulas, ask)?;
                weaker.predicate = weaker.over_store(states, &kept);
                weaker.set = Some(kept_set);
                return Ok(weaker);
            }
        };
        weaker.set = Some(containing(states, location, set, found, ask)?);
        Ok(weaker)
    }

    /// What [`Abstraction::Keep`] makes of a set: the weaker set, and those of the formulas that it keeps.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn keeping(
        states: &mut States,
        location: LocationId,
        set: SetId,
        formulas: &[FormulaId],
        ask: &mut Ask,
    ) -> Result<(SetId, Vec<FormulaId>), Exhausted> {
        let mut kept = Vec::new();
        for &formula in formulas {
            if states.implies(set, formula, ask)? {
                kept.push(formula);
            }
        }
        let found = states.intern(location, kept.clone(), None, ask)?;
        Ok((containing(states, location, set, found, ask)?, kept))
    }

    /// `States((s, π))`: eliminates everything but the values that the variables have here.
    fn described(&self, states: &mut States, location: LocationId, ask: &mut Ask) -> Result<SetId, Exhausted> {
        let lts = states.lts;
        let mut conjuncts = self.predicate.clone();
        for id in (0..lts.variables.len() as u32).map(VariableId) {
            if !states.relevance().variable(location, id) {
                continue;
            }
            let now = states.identity().variable(id).clone();
            conjuncts.push(states.pool.equal(&now, self.store.variable(id)));
        }
        // An array without writes is its symbol; the set forgets what is known through writes.
        let mut substitution = Substitution::of([]);
        for id in (0..lts.arrays.len() as u32).map(ArrayId) {
            if !states.relevance().array(location, id) {
                continue;
            }
            let (now, stored) = (states.identity().array(id), self.store.array(id));
            if let ArrayTerm::Symbol(_) = states.pool.array(stored) {
                substitution = substitution.and_array(stored, now);
            }
        }
        let conjuncts: Vec<FormulaId> =
            conjuncts.into_iter().filter_map(|formula| substitution.formula(&mut states.pool, formula)).collect();
        Ok(states.project_to(location, conjuncts, None, ask)?.0)
    }

    /// Turns formulas over the variables' names into formulas over their versions in the store.
    fn over_store(&self, states: &mut States, formulas: &[FormulaId]) -> Vec<FormulaId> {
        let lts = states.lts;
        let versions: Vec<(AtomId, Linear)> = (0..lts.variables.len() as u32)
            .map(VariableId)
            .map(|id| (states.identity().variable(id).terms()[0].0, self.store.variable(id).clone()))
            .collect();
        let mut substitution = Substitution::of(versions);
        for id in (0..lts.arrays.len() as u32).map(ArrayId) {
            substitution = substitution.and_array(states.identity().array(id), self.store.array(id));
        }
        formulas.iter().filter_map(|&formula| substitution.formula(&mut states.pool, formula)).collect()
    }
}

/// Makes sure that an abstraction only forgets: gives `found`, or all states where the solver cannot show that `found` contains
/// `set`.
fn containing(states: &mut States, location: LocationId, set: SetId, found: SetId, ask: &mut Ask) -> Result<SetId, Exhausted> {
    if states.included(set, found, ask)? { Ok(found) } else { states.intern(location, Vec::new(), None, ask) }
}

/// What an edge defines.
pub fn defined(lts: &Lts, edge: EdgeId) -> Option<StateName> {
    match lts.graph[edge].label {
        Label::Assign(variable, _) | Label::Havoc(variable) => Some(StateName::Variable(variable)),
        Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => Some(StateName::Array(array)),
        Label::Skip | Label::Assume { .. } => None,
    }
}

/// Whether a formula speaks of more than one thing: a comparison, not a value.
pub fn is_relation(pool: &Pool, formula: FormulaId) -> bool {
    Mentions::of(pool, &[formula], &[]).symbols.len() > 1
}
