//! Expressions as terms, and what it takes for them to be defined.

use super::along::StatedRanges;
use super::bits::Bits;
use super::float_facts::float_facts;
use super::gathered::{Gathered, Limits};
use super::{Change, State, contents_name, filled, nondet_name};
use crate::logic::rank::compute_exactly;
use crate::logic::{Atom, FormulaId, Int, IntRange, Linear, Pool};
use crate::lts::{ArrayId, BinaryOp, CompareOp, Computation, Expr, InputSource, Label, Lts};

impl Limits {
    /// That the value keeps them.
    pub fn formulas(&self, pool: &mut Pool) -> impl Iterator<Item = FormulaId> + use<> {
        let least = self.least.as_ref().map(|least| pool.at_most(&Linear::constant(least.clone()), &self.value));
        let greatest = self.greatest.as_ref().map(|greatest| pool.at_most(&self.value, &Linear::constant(greatest.clone())));
        least.into_iter().chain(greatest)
    }
}

/// The evaluation of an edge's expressions in a state.
pub(super) struct EdgeEvaluation<'a> {
    pub lts: &'a Lts,
    pub pool: &'a mut Pool,
    pub state: &'a mut State,
    pub gathered: Gathered,
    /// What earlier edges have said of values, where they count.
    pub said: Option<&'a mut StatedRanges>,
}

impl EdgeEvaluation<'_> {
    /// The new value of what the label writes; gathers what passing it takes.
    pub fn label(&mut self, label: &Label) -> Change {
        match label {
            Label::Skip => Change::None,
            Label::Assume { condition, holds } => {
                let passes = self.condition(condition);
                let passes = if *holds { passes } else { self.pool.not(passes) };
                self.gathered.defined.push(passes);
                Change::None
            }
            Label::Assign(variable, value) => {
                let value = self.copied(value, self.lts.variable(*variable).range);
                Change::Variable(*variable, value)
            }
            Label::Havoc(variable) => Change::Variable(*variable, self.fresh(self.lts.variable(*variable).range)),
            Label::HavocArray(array) => {
                let contents = self.pool.array_symbol(&contents_name(self.state.nondet));
                self.state.nondet += 1;
                Change::Array(*array, contents)
            }
            Label::Store { array, index, value } => {
                let index = self.term(index);
                let value = self.copied(value, self.lts.array(*array).range);
                self.in_bounds(*array, &index);
                Change::Array(*array, self.pool.store(self.state.array(*array), index, value))
            }
            Label::Fill(array, values) => {
                let values = values.iter().map(|value| self.term(value)).collect();
                Change::Array(*array, filled(self.pool, values))
            }
        }
    }

    /// The term of an expression whose value goes to where values lie in this range. It says nothing of a value that is only copied:
    /// the edge that reads the copy does, unless first values lie in another range.
    fn copied(&mut self, value: &Expr, range: Option<IntRange>) -> Linear {
        match value {
            Expr::Var(from) if self.lts.variable(*from).range == range && self.lts.variable(*from).start_range() == range => {
                self.state.variable(*from).clone()
            }
            Expr::Read(from, index) if self.lts.array(*from).range == range && self.lts.array(*from).start_range() == range => {
                let index = self.term(index);
                self.in_bounds(*from, &index);
                self.pool.select(self.state.array(*from), &index)
            }
            value => self.term(value),
        }
    }

    fn bits(&mut self) -> Bits<'_> {
        Bits { pool: self.pool, gathered: &mut self.gathered }
    }

    /// The next value of `nondet()`.
    fn fresh(&mut self, range: Option<IntRange>) -> Linear {
        let value = self.pool.integer(&nondet_name(self.state.nondet));
        self.state.nondet += 1;
        self.of_type(&value, range);
        value
    }

    /// The term for the result of an operation on floating-point numbers: a constant where the operands are constants, else a fresh symbol
    /// whose value satisfies the operation's facts and thresholds.
    fn computed(&mut self, range: Option<IntRange>, computation: &Computation, operands: &[Linear]) -> Linear {
        let value = self.fresh(range);
        let constants: Option<Vec<Int>> = operands.iter().map(|operand| operand.as_constant().cloned()).collect();
        if let Some(result) = constants.and_then(|operands| compute_exactly(computation.op, computation.format, &operands)) {
            return Linear::constant(result);
        }
        let facts = float_facts(self.pool, computation.op, computation.format, operands, &value);
        self.gathered.facts.extend(facts.into_iter().filter(|fact| *fact != Pool::TRUE));
        let Some(thresholds) = &computation.thresholds else { return value };
        let operand = &operands[thresholds.operand];
        for point in &thresholds.points {
            let bound = Linear::constant(Int::from(point.operand));
            let from_operand = if thresholds.turned {
                let greatest = Linear::constant(Int::from(computation.format.infinity()));
                let parts = [self.pool.at_most(operand, &bound), self.pool.less(&greatest, operand)];
                self.pool.or(&parts)
            } else {
                self.pool.at_most(&bound, operand)
            };
            let of_result = self.pool.at_most(&Linear::constant(Int::from(point.result)), &value);
            let (neither, no_operand) = (self.pool.not(of_result), self.pool.not(from_operand));
            let sides = [self.pool.or(&[neither, from_operand]), self.pool.or(&[of_result, no_operand])];
            self.gathered.facts.extend(sides);
        }
        value
    }

    /// A value is one of its type, as it is in every execution.
    fn of_type(&mut self, value: &Linear, range: Option<IntRange>) {
        if let Some(range) = range {
            self.pool.has_type(value, &range);
            let parts = self.within(value, &range);
            self.gathered.facts.extend(parts);
            if let Some(said) = self.said.as_mut().filter(|said| said.is_used) {
                said.learned.extend(self.gathered.term_bounds.learn_atom(value, &range));
            }
        }
    }

    /// That a value lies in a range, as far as that is not known or said; it is known from now on.
    fn within(&mut self, value: &Linear, range: &IntRange) -> Vec<FormulaId> {
        let bounds = self.gathered.term_bounds.bounds(self.pool, value);
        if bounds.is_within(range) {
            return Vec::new();
        }
        self.gathered.term_bounds.learn(value, range);
        let least = (!bounds.is_at_least(&range.least())).then(|| range.least());
        let greatest = (!bounds.is_at_most(&range.greatest())).then(|| range.greatest());
        let limits = Limits { value: value.clone(), least, greatest };
        if self.said.as_mut().is_some_and(|said| !said.say(value, range)) {
            self.gathered.omitted.push(limits);
            return Vec::new();
        }
        limits.formulas(self.pool).collect()
    }

    /// Learns the types of all variables in an operation whose term depends on where they lie: the one that is evaluated first may hold what
    /// a later one bounds.
    fn learn_types(&mut self, operation: &Expr) {
        let mut read = Vec::new();
        operation.walk(&mut |part| read.extend(if let Expr::Var(variable) = part { Some(*variable) } else { None }));
        if read.len() > 1 {
            for variable in read {
                let value = self.state.variable(variable).clone();
                self.of_type(&value, self.lts.variable(variable).range);
            }
        }
    }

    /// The term of an expression.
    pub fn term(&mut self, expr: &Expr) -> Linear {
        match expr {
            Expr::Int(value) => Linear::constant(value.clone()),
            Expr::Var(variable) => {
                let value = self.state.variable(*variable).clone();
                let declared = self.lts.variable(*variable);
                let is_first = declared.start_range() != declared.range
                    && self.state.starts_variable(*variable)
                    && value == self.pool.integer(&declared.name);
                self.of_type(&value, if is_first { declared.start_range() } else { declared.range });
                value
            }
            Expr::Nondet(range, source) => {
                let mut operands = Vec::new();
                expr.children(&mut |operand| operands.push(self.term(operand)));
                match source {
                    InputSource::Computed(computation) => self.computed(*range, computation, &operands),
                    _ => self.fresh(*range),
                }
            }
            Expr::Read(array, index) => {
                let index = self.term(index);
                self.in_bounds(*array, &index);
                let element = self.pool.select(self.state.array(*array), &index);
                let declared = self.lts.array(*array);
                let is_first = declared.start_range() != declared.range
                    && self.state.starts_array(*array)
                    && self.is_first_element(&element, &declared.name);
                self.of_type(&element, if is_first { declared.start_range() } else { declared.range });
                element
            }
            Expr::Neg(inner) => self.term(inner).neg(),
            Expr::Not(_) | Expr::Compare(..) => {
                let holds = self.condition(expr);
                self.pool.truth(holds)
            }
            Expr::Binary(..) if is_connected(expr) => {
                let holds = self.condition(expr);
                self.pool.truth(holds)
            }
            Expr::Binary(op, left, right) => {
                if op.is_on_bits() {
                    self.learn_types(expr);
                }
                let (left, right) = (self.term(left), self.term(right));
                match op {
                    BinaryOp::Add => left.add(&right),
                    BinaryOp::Sub => left.sub(&right),
                    BinaryOp::Mul => self.pool.product(&left, &right),
                    BinaryOp::Div => self.divided(&left, &right).0,
                    BinaryOp::Rem => self.divided(&left, &right).1,
                    _ => self.bits().value(*op, &left, &right),
                }
            }
            Expr::Convert(range, operand) => {
                self.learn_types(operand);
                let operand = self.term(operand);
                self.bits().convert(range, &operand)
            }
            Expr::Checked(range, operation) => self.checked(range, operation),
            Expr::Within(_, range, value) => {
                let value = self.term(value);
                let parts = self.within(&value, range);
                self.gathered.bounds.extend(parts);
                value
            }
            Expr::Guarded(_, condition, value) => {
                let holds = self.condition(condition);
                self.gathered.defined.push(holds);
                self.term(value)
            }
        }
    }

    /// The value of an operation of signed arithmetic, where it is defined.
    fn checked(&mut self, range: &IntRange, operation: &Expr) -> Linear {
        let (value, tested) = match operation {
            Expr::Binary(BinaryOp::Rem, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                let (quotient, remainder) = self.divided(&left, &right);
                (remainder, quotient)
            }
            Expr::Binary(op @ BinaryOp::ShiftLeft(_), left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                if !self.gathered.term_bounds.bounds(self.pool, &left).is_natural() {
                    let natural = self.pool.at_most(&Linear::default(), &left);
                    self.gathered.defined.push(natural);
                }
                let value = self.bits().value(*op, &left, &right);
                (value.clone(), value)
            }
            operation => {
                let value = self.term(operation);
                (value.clone(), value)
            }
        };
        let parts = self.within(&tested, range);
        self.gathered.bounds.extend(parts);
        value
    }

    /// The formula that the expression is not 0.
    pub fn condition(&mut self, expr: &Expr) -> FormulaId {
        match expr {
            Expr::Not(inner) => {
                let inner = self.condition(inner);
                self.pool.not(inner)
            }
            Expr::Compare(op, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                let pool = &mut *self.pool;
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
            // Of truth values the operators on bits are connectives.
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if is_connected(expr) => {
                let sides = [self.condition(left), self.condition(right)];
                if *op == BinaryOp::And { self.pool.and(&sides) } else { self.pool.or(&sides) }
            }
            _ => {
                let term = self.term(expr);
                let zero = self.pool.equal(&term, &Linear::default());
                self.pool.not(zero)
            }
        }
    }

    /// Quotient and remainder, where the divisor is not 0.
    fn divided(&mut self, left: &Linear, right: &Linear) -> (Linear, Linear) {
        let zero = self.pool.equal(right, &Linear::default());
        self.gathered.defined.push(self.pool.not(zero));
        self.pool.div_rem_trunc(left, right).unwrap_or_default()
    }

    /// Whether a term is an element of the first contents of the array of this name.
    fn is_first_element(&mut self, element: &Linear, name: &str) -> bool {
        let first = self.pool.array_symbol(name);
        match element.terms() {
            [(atom, _)] => matches!(self.pool.atom(*atom), Atom::Select(array, _) if *array == first),
            _ => false,
        }
    }

    /// The index lies within the array's length, where that is known.
    fn in_bounds(&mut self, array: ArrayId, index: &Linear) {
        if let Some(length) = &self.lts.array(array).length {
            let parts = [self.pool.at_most(&Linear::default(), index), self.pool.less(index, &Linear::constant(length.clone()))];
            self.gathered.defined.extend(parts);
        }
    }
}

/// Whether an expression is a condition by its form: a comparison, a negation, or two of these connected by an operator on bits.
fn is_connected(e: &Expr) -> bool {
    let is_truth = |e: &Expr| matches!(e, Expr::Not(_) | Expr::Compare(..));
    match e {
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => is_truth(left) && is_truth(right),
        e => is_truth(e),
    }
}
