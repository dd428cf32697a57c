//! The strongest postcondition: what an edge makes of a set of states.
//!
//! 1. Execute the edge on the state in which every variable is its own symbol: a condition, and a term for what it writes.
//! 2. No state passes if the set and the condition contradict each other. A known state of the set that passes saves the
//!    question.
//! 3. Rename the old value of the written variable: `x` becomes `x~` everywhere, and `x = term` comes in. A write to an
//!    element, `a := store(a~, i, v)`, turns round: with the old element `w`, `a~ = store(a, i, w)` and `a[i] = v`.
//! 4. Eliminate all symbols but those that matter at the edge's end.

use super::{Applied, Ask, FarRanges, SetId, States, Successor};
use crate::logic::substitution::Substitution;
use crate::logic::{
    ArrayTerm, ArrayTermId, ArrayValue, Assignment, Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool, SortedSet, SymbolId, gathered,
};
use crate::lts::{ArrayId, EdgeId, Label, LocationId, VariableId};
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use crate::solver::projection::{Precision, ProjectionGoal, project};
use std::rc::Rc;

impl States<'_> {
    /// What comes out of a set along an edge that leaves its location.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn successor(&mut self, set: SetId, edge: EdgeId, ask: &mut Ask) -> Result<Successor, Exhausted> {
        if let Some(cached) = self.successors.get(&(set, edge)) {
            return Ok(cached.clone());
        }
        let found = self.compute(set, edge, ask)?;
        self.successors.insert((set, edge), found.clone());
        Ok(found)
    }

    /// Whether what comes out of this edge would have an exact description with far ranges kept ([`States::leave_out_far_ranges`]).
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn is_exact_with_far_ranges(&mut self, set: SetId, edge: EdgeId, ask: &mut Ask) -> Result<bool, Exhausted> {
        let wide = std::mem::replace(&mut self.wide, FarRanges::Kept);
        let found = self.compute(set, edge, ask);
        self.wide = wide;
        Ok(!matches!(found?, Successor::States { exact: false, .. }))
    }

    fn compute(&mut self, set: SetId, edge: EdgeId, ask: &mut Ask) -> Result<Successor, Exhausted> {
        ask.meter.spend(1)?;
        // 1.
        let effect = self.effect(edge);
        let (state, &Applied { condition, told, is_exact }) = (&effect.0, &effect.1);
        let mut conjuncts = self.conjuncts(set).to_vec();
        let mut model = self.sets[set.0 as usize].model.clone();
        let mut open = None;
        // 2.
        if condition != Pool::TRUE {
            conjuncts.push(condition);
            let passes = model.as_ref().is_some_and(|model| model.formula(&self.pool, condition) == Some(true));
            if !passes {
                match ask.decide(&mut self.pool, &conjuncts)? {
                    Answer::Unsat(refutation) => return Ok(Successor::Empty(Rc::new(refutation))),
                    Answer::Sat(found) => model = Some(found),
                    Answer::Unknown(reason) => (open, model) = (Some(reason), None),
                }
            }
        }
        if told != condition {
            conjuncts.pop();
            conjuncts.extend(Some(told).filter(|&told| told != Pool::TRUE));
            self.wide = FarRanges::LeftOut(true);
        }
        // 3.
        let to = self.lts.edge(edge).2;
        let mut after = model.as_deref().cloned();
        let mut exact = is_exact;
        match &self.lts.graph[edge].label {
            Label::Skip | Label::Assume { .. } => {}
            Label::Assign(variable, _) | Label::Havoc(variable) => {
                if let (Some(after), Some(before)) = (&mut after, &model) {
                    self.assign(after, before, *variable, state.variable(*variable));
                }
                if self.relevance().variable(to, *variable) {
                    self.replace(&mut conjuncts, *variable, state.variable(*variable));
                }
            }
            Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => {
                after = after.and_then(|after| self.written(after, *array, state.array(*array)));
                if self.relevance().array(to, *array) {
                    exact &= self.overwrite(&mut conjuncts, *array, state.array(*array));
                }
            }
        }
        // 4.
        let (set, projected) = self.project_to(to, conjuncts, after.map(Rc::new), ask)?;
        Ok(Successor::States { set, exact: exact && projected, open })
    }

    /// Eliminates all symbols but those that matter at the location, and gives the set and whether it is exact.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn project_to(
        &mut self,
        location: LocationId,
        conjuncts: Vec<FormulaId>,
        model: Option<Rc<Assignment>>,
        ask: &mut Ask,
    ) -> Result<(SetId, bool), Exhausted> {
        let kept = self.symbols_at(location);
        let mentioned = Mentions::of(&self.pool, &conjuncts, &[]).symbols;
        let eliminate: Vec<SymbolId> = mentioned.difference(&kept).copied().collect();
        if eliminate.is_empty() {
            return Ok((self.intern(location, conjuncts, model, ask)?, true));
        }
        let projection = project(&mut self.pool, &conjuncts, &eliminate, ProjectionGoal::Exact, ask.meter)?;
        let exact = projection.precision == Precision::Exact;
        Ok((self.intern(location, vec![projection.formula], model, ask)?, exact))
    }

    /// The symbols of what matters at the location.
    fn symbols_at(&mut self, location: LocationId) -> SortedSet<SymbolId> {
        let lts = self.lts;
        let matters = self.relevance();
        let variables = (0..lts.variables.len() as u32).map(VariableId).filter(|&id| matters.variable(location, id));
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId).filter(|&id| matters.array(location, id));
        let names: Vec<&String> = variables.map(|id| &lts.variable(id).name).chain(arrays.map(|id| &lts.array(id).name)).collect();
        gathered(names.into_iter().map(|name| self.pool.symbol(name)))
    }

    /// Renames the variable's old value and lets its new one be the term.
    fn replace(&mut self, conjuncts: &mut Vec<FormulaId>, variable: VariableId, term: &Linear) {
        let name = &self.lts.variable(variable).name;
        let (now, old) = (self.pool.integer(name), self.pool.integer(&format!("{name}~")));
        let atom = now.terms()[0].0;
        let mut substitution = Substitution::of([(atom, old)]);
        let no_zero = "a symbol in place of a symbol makes no divisor 0";
        for formula in &mut *conjuncts {
            *formula = substitution.formula(&mut self.pool, *formula).expect(no_zero);
        }
        let term = substitution.term(&mut self.pool, term).expect(no_zero);
        conjuncts.push(self.pool.equal(&now, &term));
    }

    /// Expresses the array's old contents by its new ones. Gives whether exactly.
    fn overwrite(&mut self, conjuncts: &mut Vec<FormulaId>, array: ArrayId, term: ArrayTermId) -> bool {
        let name = &self.lts.array(array).name;
        let symbol = self.pool.array_symbol(name);
        let ArrayTerm::Store(inner, index, value) = self.pool.array(term).clone() else { return self.forget(conjuncts, symbol, name) };
        if inner != symbol {
            // An initialiser: the zeros after what it lists are an infinity of equations.
            self.forget(conjuncts, symbol, name);
            let old = self.pool.array_symbol(&format!("{name}~"));
            let mut substitution = Substitution::of([]).and_array(symbol, old);
            let mut at = term;
            while let ArrayTerm::Store(inner, index, value) = self.pool.array(at).clone() {
                if let Some(value) = substitution.term(&mut self.pool, &value) {
                    let element = self.pool.select(symbol, &index);
                    conjuncts.push(self.pool.equal(&element, &value));
                }
                at = inner;
            }
            return false;
        }
        let old = self.pool.integer(&format!("{name}~[]"));
        let at = self.pool.integer(&format!("{name}~[at]"));
        let before = self.pool.store(symbol, at.clone(), old);
        // Simultaneous: index and value are those before the write.
        let mut substitution = Substitution::of([]).and_array(symbol, before);
        let mut changed = Vec::new();
        for &formula in conjuncts.iter() {
            match substitution.formula(&mut self.pool, formula) {
                Some(formula) => changed.push(formula),
                None => return self.forget(conjuncts, symbol, name),
            }
        }
        let (Some(index), Some(value)) = (substitution.term(&mut self.pool, &index), substitution.term(&mut self.pool, &value)) else {
            return self.forget(conjuncts, symbol, name);
        };
        changed.push(self.pool.equal(&at, &index));
        let element = self.pool.select(symbol, &at);
        changed.push(self.pool.equal(&element, &value));
        *conjuncts = changed;
        true
    }

    /// Forgets the array: its old contents become another symbol.
    fn forget(&mut self, conjuncts: &mut Vec<FormulaId>, symbol: ArrayTermId, name: &str) -> bool {
        let old = self.pool.array_symbol(&format!("{name}~"));
        let mut substitution = Substitution::of([]).and_array(symbol, old);
        conjuncts.retain_mut(|formula| match substitution.formula(&mut self.pool, *formula) {
            Some(changed) => {
                *formula = changed;
                true
            }
            None => false,
        });
        false
    }

    /// The state after an assignment.
    fn assign(&mut self, after: &mut Assignment, before: &Assignment, variable: VariableId, term: &Linear) {
        let symbol = self.pool.symbol(&self.lts.variable(variable).name);
        match before.linear(&self.pool, term) {
            Some(value) => after.integers.insert(symbol, value),
            None => after.integers.remove(&symbol),
        };
    }

    /// The state after a write to an array; `None` where it has no value.
    fn written(&mut self, mut after: Assignment, array: ArrayId, term: ArrayTermId) -> Option<Assignment> {
        let symbol = self.pool.symbol(&self.lts.array(array).name);
        let mut writes: Vec<(Int, Int)> = Vec::new();
        let mut at = term;
        let mut value = loop {
            match self.pool.array(at).clone() {
                ArrayTerm::Store(inner, index, value) => {
                    writes.push((after.linear(&self.pool, &index)?, after.linear(&self.pool, &value)?));
                    at = inner;
                }
                ArrayTerm::Symbol(symbol) => break after.arrays.get(&symbol).cloned().unwrap_or_default(),
                ArrayTerm::Constant(default) => break ArrayValue { default, ..ArrayValue::default() },
            }
        };
        for (index, element) in writes.into_iter().rev() {
            value.elements.insert(index, element);
        }
        after.arrays.insert(symbol, value);
        Some(after)
    }
}

/// The atom of a symbol, where the term is one.
pub(super) fn as_symbol(pool: &Pool, atom: AtomId) -> Option<SymbolId> {
    match pool.atom(atom) {
        Atom::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}
