//! Symbolic execution: the state along a path, and the condition under which each edge is passed.
//!
//! Source: AGVW16, Section II-B. A configuration there is a store and a path predicate; here the store maps a variable
//! straight to the term it stands for (an assignment substitutes instead of adding an equation), and the path
//! predicate is kept by whoever asks: [`State::apply`] hands out one formula per edge.
//!
//! | paper | here |
//! |---|---|
//! | symbolic variable | a symbol: `x` for the first value of `x`, `nondet#k` for the k-th value of `nondet()` along the path |
//! | store `s` | [`State`]: a linear term per variable, an array term per array |
//! | path predicate `π` | the conjunction of the formulas that [`State::apply`] gave |
//!
//! An edge is passed only by defined executions: a divisor that is 0 and an index outside a known length are excluded
//! by its condition, as the interpreter stops there. Symbols are named alike on every path, so that formulas of
//! different paths share terms, and a certificate can be checked against a path derived anew.

use crate::interp::{ArrayInput, Input};
use crate::logic::{ArrayTermId, Assignment, Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool};
use crate::lts::inputs::Inputs;
use crate::lts::{ArrayId, BinaryOp, CompareOp, EdgeId, Expr, Label, Lts, VariableId};

/// The symbolic state at a location: what each variable and array stands for.
#[derive(Clone, Debug)]
pub struct State {
    variables: Vec<Linear>,
    arrays: Vec<ArrayTermId>,
    /// How many values `nondet()` gave so far.
    nondet: u32,
}

/// What takes an [`State::apply`] back.
#[derive(Clone, Debug)]
pub struct Undo {
    change: Change,
    nondet: u32,
}

#[derive(Clone, Debug)]
enum Change {
    None,
    Variable(VariableId, Linear),
    Array(ArrayId, ArrayTermId),
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
        State { variables, arrays, nondet: 0 }
    }

    /// The state in which every variable and array is the symbol that `name` makes of its name, whatever it starts with.
    pub fn of_symbols(lts: &Lts, pool: &mut Pool, name: impl Fn(&str) -> String) -> State {
        let variables = lts.variables.iter().map(|variable| pool.integer(&name(&variable.name))).collect();
        let arrays = lts.arrays.iter().map(|array| pool.array_symbol(&name(&array.name))).collect();
        State { variables, arrays, nondet: 0 }
    }

    /// What each variable stands for, in their order.
    pub fn variables(&self) -> &[Linear] {
        &self.variables
    }

    /// The term a variable stands for.
    pub fn variable(&self, id: VariableId) -> &Linear {
        &self.variables[id.0 as usize]
    }

    /// The term an array stands for.
    pub fn array(&self, id: ArrayId) -> ArrayTermId {
        self.arrays[id.0 as usize]
    }

    /// Lets a variable stand for another term.
    pub fn set_variable(&mut self, id: VariableId, value: Linear) {
        self.variables[id.0 as usize] = value;
    }

    /// Lets an array stand for another term.
    pub fn replace_array(&mut self, id: ArrayId, value: ArrayTermId) {
        self.arrays[id.0 as usize] = value;
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
        let nondet = self.nondet;
        let mut defined = Vec::new();
        let change = match &lts.graph[edge].label {
            Label::Skip => Change::None,
            Label::Assume { condition, holds } => {
                let passes = self.condition(lts, pool, condition, &mut defined);
                let passes = if *holds { passes } else { pool.not(passes) };
                defined.push(passes);
                Change::None
            }
            Label::Assign(variable, value) => {
                let value = self.term(lts, pool, value, &mut defined);
                self.set(*variable, value)
            }
            Label::Havoc(variable) => {
                let value = self.fresh(pool);
                self.set(*variable, value)
            }
            Label::Store { array, index, value } => {
                let index = self.term(lts, pool, index, &mut defined);
                let value = self.term(lts, pool, value, &mut defined);
                in_bounds(lts, pool, *array, &index, &mut defined);
                let stored = pool.store(self.arrays[array.0 as usize], index, value);
                self.set_array(*array, stored)
            }
            Label::Fill(array, values) => {
                let values = values.iter().map(|value| self.term(lts, pool, value, &mut defined)).collect();
                let array_term = filled(pool, values);
                self.set_array(*array, array_term)
            }
        };
        // The value given back is evaluated on the edge too.
        if let Some(returns) = &lts.graph[edge].returns {
            self.term(lts, pool, returns, &mut defined);
        }
        (pool.and(&defined), Undo { change, nondet })
    }

    /// Takes the last [`State::apply`] back.
    pub fn undo(&mut self, undo: Undo) {
        match undo.change {
            Change::None => {}
            Change::Variable(id, old) => self.variables[id.0 as usize] = old,
            Change::Array(id, old) => self.arrays[id.0 as usize] = old,
        }
        self.nondet = undo.nondet;
    }

    fn set(&mut self, id: VariableId, value: Linear) -> Change {
        Change::Variable(id, std::mem::replace(&mut self.variables[id.0 as usize], value))
    }

    fn set_array(&mut self, id: ArrayId, value: ArrayTermId) -> Change {
        Change::Array(id, std::mem::replace(&mut self.arrays[id.0 as usize], value))
    }

    fn fresh(&mut self, pool: &mut Pool) -> Linear {
        let value = pool.integer(&nondet_name(self.nondet));
        self.nondet += 1;
        value
    }

    /// The term of an expression; what its being defined takes is added to `defined`.
    fn term(&mut self, lts: &Lts, pool: &mut Pool, expr: &Expr, defined: &mut Vec<FormulaId>) -> Linear {
        match expr {
            Expr::Int(value) => Linear::constant(value.clone()),
            Expr::Var(variable) => self.variables[variable.0 as usize].clone(),
            Expr::Nondet => self.fresh(pool),
            Expr::Read(array, index) => {
                let index = self.term(lts, pool, index, defined);
                in_bounds(lts, pool, *array, &index, defined);
                pool.select(self.arrays[array.0 as usize], &index)
            }
            Expr::Neg(inner) => self.term(lts, pool, inner, defined).neg(),
            Expr::Not(_) | Expr::Compare(..) => {
                let holds = self.condition(lts, pool, expr, defined);
                pool.truth(holds)
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.term(lts, pool, left, defined), self.term(lts, pool, right, defined));
                match op {
                    BinaryOp::Add => left.add(&right),
                    BinaryOp::Sub => left.sub(&right),
                    BinaryOp::Mul => pool.product(&left, &right),
                    BinaryOp::Div | BinaryOp::Rem => {
                        let zero = pool.equal(&right, &Linear::default());
                        defined.push(pool.not(zero));
                        let (quotient, remainder) = pool.div_rem_trunc(&left, &right).unwrap_or_default();
                        if *op == BinaryOp::Div { quotient } else { remainder }
                    }
                }
            }
        }
    }

    /// The formula that the expression is not 0.
    fn condition(&mut self, lts: &Lts, pool: &mut Pool, expr: &Expr, defined: &mut Vec<FormulaId>) -> FormulaId {
        match expr {
            Expr::Not(inner) => {
                let inner = self.condition(lts, pool, inner, defined);
                pool.not(inner)
            }
            Expr::Compare(op, left, right) => {
                let (left, right) = (self.term(lts, pool, left, defined), self.term(lts, pool, right, defined));
                match op {
                    CompareOp::Lt => pool.less(&left, &right),
                    CompareOp::Le => pool.at_most(&left, &right),
                    CompareOp::Gt => pool.less(&right, &left),
                    CompareOp::Ge => pool.at_most(&right, &left),
                    CompareOp::Eq => pool.equal(&left, &right),
                    CompareOp::Ne => {
                        let equal = pool.equal(&left, &right);
                        pool.not(equal)
                    }
                }
            }
            _ => {
                let term = self.term(lts, pool, expr, defined);
                let zero = pool.equal(&term, &Linear::default());
                pool.not(zero)
            }
        }
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
    /// the rest is free and therefore 0.
    pub fn input(&self, lts: &Lts, inputs: &Inputs, pool: &mut Pool, model: &Assignment, conditions: &[FormulaId]) -> Input {
        let used = Mentions::of(pool, conditions, &[]).symbols;
        let mut input = Input::default();
        let value = |pool: &mut Pool, name: &str| {
            let symbol = pool.symbol(name);
            model.integers.get(&symbol).filter(|_| used.contains(&symbol)).cloned().unwrap_or_default()
        };
        for &id in &inputs.variables {
            let name = &lts.variable(id).name;
            input.values.insert(name.clone(), value(pool, name));
        }
        input.nondet = (0..self.nondet).map(|k| value(pool, &nondet_name(k))).collect();
        for &id in &inputs.arrays {
            let array = lts.array(id);
            let symbol = pool.symbol(&array.name);
            let contents = model.arrays.get(&symbol).filter(|_| used.contains(&symbol));
            let inside = |index: &Int| array.length.as_ref().is_none_or(|length| !index.is_negative() && index < length);
            let elements = contents
                .map(|contents| contents.elements.iter().filter(|(index, _)| inside(index)).map(|(i, v)| (i.clone(), v.clone())).collect());
            let default = contents.map(|contents| contents.default.clone()).unwrap_or_default();
            input.arrays.insert(array.name.clone(), ArrayInput { elements: elements.unwrap_or_default(), default });
        }
        input
    }
}

/// What is assumed of the inputs before the first edge.
pub fn precondition(lts: &Lts, pool: &mut Pool) -> FormulaId {
    let assumed = lts.precondition.as_ref();
    assumed.and_then(|condition| passed(condition, pool)).unwrap_or(Pool::TRUE)
}

/// The condition under which a graph without loops is passed from its entry to its exit; `None` where that depends on
/// more than the inputs.
pub fn passed(lts: &Lts, pool: &mut Pool) -> Option<FormulaId> {
    let mut ways = Vec::new();
    let mut open = vec![(lts.entry, State::initial(lts, pool), Vec::new())];
    while let Some((at, state, conditions)) = open.pop() {
        if at == lts.exit {
            ways.push(pool.and(&conditions));
        }
        for (edge, to) in lts.outgoing(at) {
            let (mut state, mut conditions) = (state.clone(), conditions.clone());
            conditions.push(state.apply(lts, pool, edge).0);
            if state.nondet > 0 {
                return None;
            }
            open.push((to, state, conditions));
        }
    }
    Some(pool.or(&ways))
}

/// An array that holds these values from index 0 and zeros behind them.
fn filled(pool: &mut Pool, values: Vec<Linear>) -> ArrayTermId {
    let mut array = pool.constant_array(Int::ZERO);
    for (index, value) in values.into_iter().enumerate() {
        array = pool.store(array, Linear::constant(Int::from(index)), value);
    }
    array
}

/// The index lies within the array's length, where that is known.
fn in_bounds(lts: &Lts, pool: &mut Pool, array: ArrayId, index: &Linear, defined: &mut Vec<FormulaId>) {
    if let Some(length) = &lts.array(array).length {
        defined.push(pool.at_most(&Linear::default(), index));
        defined.push(pool.less(index, &Linear::constant(length.clone())));
    }
}
