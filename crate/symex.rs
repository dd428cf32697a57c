//! Symbolic execution: the state along a path, and the condition under which each edge is passed.
//!
//! Source: AGVW16, Section II-B. A configuration there is a store and a path predicate; here the store maps a variable
//! straight to the term it stands for (an assignment substitutes instead of adding an equation), and the path
//! predicate is kept by the caller: [`State::apply`] hands out one formula per edge.
//!
//! | paper | here |
//! |---|---|
//! | symbolic variable | a symbol: `x` for the first value of `x`, `nondet#k` for the k-th value of `nondet()` along the path |
//! | store `s` | [`State`]: a linear term per variable, an array term per array |
//! | path predicate `π` | the conjunction of the formulas that [`State::apply`] gave |
//!
//! Only defined executions pass an edge: its condition excludes a divisor that is 0, an index outside a known length and
//! signed overflow, as the interpreter stops there.
//!
//! Values lie in the ranges of their types. The condition of an edge says so of every variable and element that the edge
//! reads, but for a mere copy within one type, where the next reader says it. So no analysis has to know of ranges, and a
//! term may be simplified by what the same condition says. Along one path once is enough, and what earlier edges have said
//! simplifies later terms too ([`Along`]). Symbols have the same names on every path, so that formulas of different paths
//! share terms, and a certificate can be checked against a path derived anew.
//!
//! # Example
//!
//! ```
//! use culdesac::logic::{Pool, text};
//! use culdesac::symex::State;
//!
//! let program = culdesac::lang::parse("int f(int x) { x = x + 1; if (x > 5) return 1; return 0; }").program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let mut pool = Pool::new();
//! let mut state = State::initial(&lts, &mut pool);
//! // The assignment is passed by all; it changes what `x` stands for.
//! let (assignment, _) = lts.outgoing(lts.entry)[0];
//! assert_eq!(state.apply(&lts, &mut pool, assignment).0, Pool::TRUE);
//! let (_, _, decision) = lts.edge(assignment);
//! let (condition, undo) = state.apply(&lts, &mut pool, lts.outgoing(decision)[0].0);
//! assert_eq!(text::formula(&pool, condition), "5 <= x");
//! assert!(undo.is_exact());
//! ```

mod along;
mod bits;
mod bounds;
mod evaluation;
mod float_facts;
mod gathered;

use crate::interp::{ArrayInput, Input};
use crate::logic::substitution::Substitution;
use crate::logic::{
    ArrayTerm, ArrayTermId, ArrayValue, Assignment, Atom, AtomId, FormulaId, Int, IntRange, Linear, Mentions, Pool, Shared, gathered,
};
use crate::lts::inputs::Inputs;
use crate::lts::{Array, ArrayId, Edge, EdgeId, Label, Lts, Print, VariableId};
use along::StatedRanges;
use evaluation::EdgeEvaluation;
use gathered::{Gathered, Limits};

pub use along::{Along, Passage};
pub use bits::{Approximated, approximated, is_operator, written, written_as};
pub use bounds::{Interval, TermBounds};

/// The symbolic state at a location: what each variable and array stands for.
#[derive(Clone, Debug)]
pub struct State {
    variables: Shared<Linear>,
    arrays: Shared<ArrayTermId>,
    /// How many values `nondet()` gave so far.
    nondet: u32,
    /// Of the variables and of the arrays whether no edge writes them; only of these is the symbol of the name the first value. `None` where it
    /// is of all, at the entry.
    unwritten: Option<[Shared<bool>; 2]>,
}

/// What takes an [`State::apply`] back.
#[derive(Clone, Debug)]
pub struct Undo {
    change: Change,
    nondet: u32,
    decided: Vec<FormulaId>,
    /// Facts first.
    ranges: Vec<FormulaId>,
    facts: usize,
    /// What [`Along`] left out.
    omitted: Vec<Limits>,
    exact: bool,
}

impl Undo {
    /// The condition.
    fn condition(&self, pool: &mut Pool) -> FormulaId {
        match self.ranges[..] {
            [] => pool.and(&self.decided),
            _ => pool.and(&[&self.decided[..], &self.ranges].concat()),
        }
    }

    /// Conjuncts of the condition that hold in every execution that gets to the edge: that values lie in the ranges of their types.
    pub fn facts(&self) -> &[FormulaId] {
        &self.ranges[..self.facts]
    }

    /// Conjuncts of the condition that keep values in the ranges of their types: the facts, and that signed arithmetic does not overflow.
    pub fn ranges(&self) -> &[FormulaId] {
        &self.ranges
    }

    /// That signed arithmetic does not overflow.
    fn bounds(&self) -> &[FormulaId] {
        &self.ranges[self.facts..]
    }

    /// The conjuncts of the condition without the ranges.
    pub fn decided(&self) -> &[FormulaId] {
        &self.decided
    }

    /// Whether condition and values are exact; if not, they allow some operator on bits any value within bounds ([`Approximated`]).
    pub fn is_exact(&self) -> bool {
        self.exact
    }
}

/// A variable or an array and its other value: the old one, or the new one.
#[derive(Clone, Debug)]
enum Change {
    None,
    Variable(VariableId, Linear),
    Array(ArrayId, ArrayTermId),
}

/// The symbol of the k-th value of `nondet()` where that is the contents of an array.
pub fn contents_name(k: u32) -> String {
    format!("contents#{k}")
}

/// The symbol of the k-th value of `nondet()`; no C name has a `#` before a number only.
pub fn nondet_name(k: u32) -> String {
    format!("nondet#{k}")
}

impl State {
    /// The state at the entry: inputs are symbols, the rest has its first value.
    pub fn initial(lts: &Lts, pool: &mut Pool) -> State {
        let variables = (lts.variables.iter())
            .map(|variable| match &variable.initial {
                Some(value) => Linear::constant(value.clone()),
                None => pool.integer(&variable.name),
            })
            .collect();
        let arrays = (lts.arrays.iter())
            .map(|array| match &array.initial {
                Some(values) => {
                    let values: Vec<Linear> = values.iter().map(|value| Linear::constant(value.clone())).collect();
                    filled(pool, values)
                }
                None => pool.array_symbol(&array.name),
            })
            .collect();
        State { variables, arrays, nondet: 0, unwritten: None }
    }

    /// The state in which every variable and array is the symbol that `name` makes of its name, whatever it starts with, at any location.
    pub fn of_symbols(lts: &Lts, pool: &mut Pool, name: impl Fn(&str) -> String) -> State {
        let variables = lts.variables.iter().map(|variable| pool.integer(&name(&variable.name))).collect();
        let arrays = lts.arrays.iter().map(|array| pool.array_symbol(&name(&array.name))).collect();
        let mut unwritten = [vec![true; lts.variables.len()], vec![true; lts.arrays.len()]];
        for edge in lts.graph.edge_weights() {
            match &edge.label {
                Label::Assign(id, _) | Label::Havoc(id) => unwritten[0][id.0 as usize] = false,
                Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => unwritten[1][array.0 as usize] = false,
                Label::Skip | Label::Assume { .. } => {}
            }
        }
        let unwritten = unwritten.map(|unwritten| unwritten.into_iter().collect());
        State { variables, arrays, nondet: 0, unwritten: Some(unwritten) }
    }

    /// Whether the symbol of the variable's name is its first value here.
    fn starts_variable(&self, id: VariableId) -> bool {
        self.unwritten.as_ref().is_none_or(|[variables, _]| variables[id.0 as usize])
    }

    /// The same of an array.
    fn starts_array(&self, id: ArrayId) -> bool {
        self.unwritten.as_ref().is_none_or(|[_, arrays]| arrays[id.0 as usize])
    }

    /// What each variable stands for, in their order.
    pub fn variables(&self) -> impl Iterator<Item = &Linear> {
        self.variables.iter()
    }

    /// The term a variable stands for.
    pub fn variable(&self, id: VariableId) -> &Linear {
        &self.variables[id.0 as usize]
    }

    /// The term an array stands for.
    pub fn array(&self, id: ArrayId) -> ArrayTermId {
        self.arrays[id.0 as usize]
    }

    /// What variables and arrays stand for here, in place of their names; `identity` is the state in which each stands for itself.
    pub fn substitution(&self, lts: &Lts, identity: &State) -> Substitution {
        let variables = (0..lts.variables.len() as u32).map(VariableId);
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId);
        let values = variables.map(|id| (identity.variable(id).terms()[0].0, self.variable(id).clone()));
        arrays.fold(Substitution::of(values), |all, id| all.and_array(identity.array(id), self.array(id)))
    }

    /// Lets a variable stand for another term.
    pub fn set_variable(&mut self, id: VariableId, value: Linear) {
        self.variables.replace(id.0 as usize, value);
    }

    /// Lets an array stand for another term.
    pub fn replace_array(&mut self, id: ArrayId, value: ArrayTermId) {
        self.arrays.replace(id.0 as usize, value);
    }

    /// How many values `nondet()` gave so far.
    pub fn nondet_count(&self) -> u32 {
        self.nondet
    }

    /// Numbers the next value of `nondet()`: for graphs in which paths meet, where each place has numbers of its own.
    pub fn set_nondet_count(&mut self, next: u32) {
        self.nondet = next;
    }

    /// Executes an edge: gives the condition under which it is passed, from the state before it.
    pub fn apply(&mut self, lts: &Lts, pool: &mut Pool, edge: EdgeId) -> (FormulaId, Undo) {
        let undo = self.execute(lts, pool, edge, None);
        (undo.condition(pool), undo)
    }

    /// Executes an edge. The condition leaves out what `said` says of values already.
    fn execute(&mut self, lts: &Lts, pool: &mut Pool, edge: EdgeId, mut said: Option<&mut StatedRanges>) -> Undo {
        let nondet = self.nondet;
        let Edge { label, prints, returns, .. } = &lts.graph[edge];
        let mut gathered = Gathered::default();
        if let Some(said) = &mut said {
            gathered.term_bounds.atoms = std::mem::take(&mut said.atoms);
        }
        let mut evaluation = EdgeEvaluation { lts, pool, state: self, gathered, said: said.as_deref_mut() };
        let change = evaluation.label(label);
        let gathered = evaluation.gathered;
        let change = match change {
            Change::None => Change::None,
            Change::Variable(id, new) => Change::Variable(id, self.variables.replace(id.0 as usize, new)),
            Change::Array(id, new) => Change::Array(id, self.arrays.replace(id.0 as usize, new)),
        };
        // The edge evaluates what it prints or gives back too, in the state after its label.
        let mut evaluation = EdgeEvaluation { lts, pool, state: self, gathered, said: said.as_deref_mut() };
        for value in prints.iter().flat_map(Print::operands).chain(returns) {
            if value.can_be_undefined(&lts.arrays) {
                evaluation.term(value);
            } else {
                evaluation.state.nondet += value.nondets();
            }
        }
        let Gathered { defined: decided, bounds, facts: mut ranges, omitted, term_bounds, approximate } = evaluation.gathered;
        if let Some(said) = said {
            said.atoms = term_bounds.atoms;
        }
        let facts = ranges.len();
        ranges.extend(bounds);
        Undo { change, nondet, decided, ranges, facts, omitted, exact: !approximate }
    }

    /// Takes the last [`State::apply`] back.
    pub fn undo(&mut self, undo: Undo) {
        match undo.change {
            Change::None => {}
            Change::Variable(id, old) => self.set_variable(id, old),
            Change::Array(id, old) => self.replace_array(id, old),
        }
        self.nondet = undo.nondet;
    }

    /// The terms of all inputs that the conditions speak of: scalars in their order, the values of `nondet()`, then the
    /// elements read from arrays that are inputs (where an index is symbolic, an element may come more than once).
    pub fn input_terms(&self, lts: &Lts, inputs: &Inputs, pool: &mut Pool, conditions: &[FormulaId]) -> Vec<Linear> {
        let used = Mentions::of(pool, conditions, &[]);
        let names = inputs.variables.iter().map(|&id| lts.variable(id).name.clone()).chain((0..self.nondet).map(nondet_name));
        let mut terms: Vec<Linear> = names.map(|name| pool.integer(&name)).collect();
        terms.retain(|term| term.terms().iter().all(|(atom, _)| used.atoms.contains(atom)));
        let arrays: Vec<ArrayTermId> = inputs.arrays.iter().map(|&id| pool.array_symbol(&lts.array(id).name)).collect();
        let is_element = |atom: &AtomId| matches!(pool.atom(*atom), Atom::Select(array, _) if arrays.contains(array));
        terms.extend(used.atoms.iter().filter(|atom| is_element(atom)).map(|&atom| Linear::atom(atom)));
        terms
    }

    /// The test input that a model of the path's conditions gives. Only symbols that the conditions speak of are set:
    /// the rest is free and therefore 0, or the nearest value that it can have.
    pub fn input(&self, lts: &Lts, inputs: &Inputs, pool: &mut Pool, model: &Assignment, conditions: &[FormulaId]) -> Input {
        let used = Mentions::of(pool, conditions, &[]).symbols;
        let mut input = Input::default();
        let value = |pool: &mut Pool, name: &str| {
            let symbol = pool.symbol(name);
            model.integers.get(&symbol).filter(|_| used.contains(&symbol)).cloned().unwrap_or_default()
        };
        for &id in &inputs.variables {
            let variable = lts.variable(id);
            input.values.insert(variable.name.clone(), nearest(value(pool, &variable.name), variable.start_range()));
        }
        input.nondet = (0..self.nondet).map(|k| value(pool, &nondet_name(k))).collect();
        for k in 0..self.nondet {
            let symbol = pool.symbol(&contents_name(k));
            if let Some(contents) = model.arrays.get(&symbol).filter(|_| used.contains(&symbol)) {
                input.contents.insert(k, drawn_contents(contents));
            }
        }
        for &id in &inputs.arrays {
            let array = lts.array(id);
            let symbol = pool.symbol(&array.name);
            let contents = model.arrays.get(&symbol).filter(|_| used.contains(&symbol));
            input.arrays.insert(array.name.clone(), contents_of(array, contents));
        }
        input
    }
}

/// The values of the symbols of a path ([`State::initial`]) for a run on this input.
pub fn assignment_of(input: &Input, pool: &mut Pool) -> Assignment {
    let contents = |given: &ArrayInput| ArrayValue { elements: given.elements.clone(), default: given.default.clone() };
    let mut values = Assignment::default();
    for (name, value) in &input.values {
        values.integers.insert(pool.symbol(name), value.clone());
    }
    for (k, value) in (0..).zip(&input.nondet) {
        values.integers.insert(pool.symbol(&nondet_name(k)), value.clone());
    }
    for (name, given) in &input.arrays {
        values.arrays.insert(pool.symbol(name), contents(given));
    }
    for (&k, given) in &input.contents {
        values.arrays.insert(pool.symbol(&contents_name(k)), contents(given));
    }
    values
}

/// The contents that a model gives an array that is an input. Where no condition speaks of a value, the model's may lie outside of
/// the type; this brings it inside.
pub fn contents_of(array: &Array, contents: Option<&ArrayValue>) -> ArrayInput {
    let inside = |index: &Int| array.length.as_ref().is_none_or(|length| !index.is_negative() && index < length);
    let elements = contents.into_iter().flat_map(|contents| &contents.elements).filter(|(index, _)| inside(index));
    let elements = gathered(elements.map(|(index, value)| (index.clone(), nearest(value.clone(), array.start_range()))));
    let default = contents.map(|contents| contents.default.clone()).unwrap_or_default();
    ArrayInput { elements, default: nearest(default, array.start_range()) }
}

/// The contents that a model gives an array in place of a value of `nondet()`; a run brings them into its range.
pub fn drawn_contents(contents: &ArrayValue) -> ArrayInput {
    ArrayInput { elements: contents.elements.clone(), default: contents.default.clone() }
}

/// The value of the range that is nearest; the value itself where there is no range.
pub fn nearest(value: Int, range: Option<IntRange>) -> Int {
    match range {
        Some(range) if value < range.least() => range.least(),
        Some(range) if value > range.greatest() => range.greatest(),
        _ => value,
    }
}

/// What is assumed of the inputs before the first edge.
pub fn precondition(lts: &Lts, pool: &mut Pool) -> FormulaId {
    let assumed = lts.precondition.as_ref();
    assumed.and_then(|condition| passed(condition, pool)).unwrap_or(Pool::TRUE)
}

/// The condition under which a graph without loops is passed from its entry to its exit; `None` where that depends on
/// more than the inputs, or is not exact.
pub fn passed(lts: &Lts, pool: &mut Pool) -> Option<FormulaId> {
    let mut ways = Vec::new();
    let mut open = vec![(lts.entry, State::initial(lts, pool), Vec::new())];
    while let Some((at, state, conditions)) = open.pop() {
        if at == lts.exit {
            ways.push(pool.and(&conditions));
        }
        for (edge, to) in lts.outgoing(at) {
            let (mut state, mut conditions) = (state.clone(), conditions.clone());
            let (condition, undo) = state.apply(lts, pool, edge);
            conditions.push(condition);
            if state.nondet > 0 || !undo.is_exact() {
                return None;
            }
            open.push((to, state, conditions));
        }
    }
    Some(pool.or(&ways))
}

/// An array that holds these values from index 0 and zeros after them.
fn filled(pool: &mut Pool, values: Vec<Linear>) -> ArrayTermId {
    let mut array = pool.constant_array(Int::ZERO);
    for (index, value) in values.into_iter().enumerate() {
        array = pool.store(array, Linear::constant(Int::from(index)), value);
    }
    array
}

/// What holds before the first edge: first values that the program sets, the ranges of others where these are not those of their types, and
/// the precondition, over the symbols of `identity`. Zeros after an array's first contents are an infinity of equations and are left out.
pub fn first_values(lts: &Lts, pool: &mut Pool, identity: &State) -> Vec<FormulaId> {
    let mut conjuncts = vec![precondition(lts, pool)];
    for (variable, term) in lts.variables.iter().zip(identity.variables()) {
        if let Some(value) = &variable.initial {
            conjuncts.push(pool.equal(term, &Linear::constant(value.clone())));
        } else if let Some(range) = variable.start_range().filter(|range| variable.range != Some(*range)) {
            conjuncts.push(pool.at_most(&Linear::constant(range.least()), term));
            conjuncts.push(pool.at_most(term, &Linear::constant(range.greatest())));
        }
    }
    for (index, array) in lts.arrays.iter().enumerate() {
        for (at, value) in array.initial.iter().flatten().enumerate() {
            let element = pool.select(identity.array(ArrayId(index as u32)), &Linear::constant(Int::from(at)));
            conjuncts.push(pool.equal(&element, &Linear::constant(value.clone())));
        }
    }
    conjuncts
}

/// As [`first_values`], with the ranges of the first contents of arrays where a formula reads them, and the zeros after what is given of them.
pub fn first_values_for(lts: &Lts, pool: &mut Pool, identity: &State, formula: FormulaId) -> Vec<FormulaId> {
    let mut conjuncts = first_values(lts, pool, identity);
    let arrays: Vec<(ArrayTermId, &Array)> = identity.arrays.iter().copied().zip(&lts.arrays).collect();
    if arrays.is_empty() {
        return conjuncts;
    }
    for atom in Mentions::of(pool, &[formula], &[]).atoms {
        let Atom::Select(mut term, index) = pool.atom(atom).clone() else { continue };
        while let ArrayTerm::Store(inner, ..) = pool.array(term) {
            term = *inner;
        }
        let Some((_, array)) = arrays.iter().find(|(own, _)| *own == term) else { continue };
        let element = pool.select(term, &index);
        let is_after = |initial: &Vec<Int>| index.as_constant().is_some_and(|index| *index >= Int::from(initial.len()));
        if array.initial.as_ref().is_some_and(is_after) {
            conjuncts.push(pool.equal(&element, &Linear::constant(Int::ZERO)));
        }
        if let Some(range) = array.start_range().filter(|range| array.initial.is_none() && array.range != Some(*range)) {
            conjuncts.push(pool.at_most(&Linear::constant(range.least()), &element));
            conjuncts.push(pool.at_most(&element, &Linear::constant(range.greatest())));
        }
    }
    conjuncts
}
