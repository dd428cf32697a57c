//! The values that the variables of a condition have where it is decided, by assignments: where on every path the last assignment to a
//! variable gives it a constant, these constants are its only values. An assignment may also compute its value from variables with such
//! values. The condition of an infeasible side is false for each combination of the values of its variables.

use super::enclosing::Enclosing;
use super::names::ReasonNames;
use crate::logic::{Arrange, Int, Linear, Pool, SortedSet};
use crate::lts::written::{is_of_library, is_temporary};
use crate::lts::{Edge, EdgeId, Expr, Label, LocationId, Lts, ModelObject, ValueMeaning, Variable, VariableId, text};
use crate::source::Span;
use crate::symex::State;
use petgraph::Direction::Incoming;
use petgraph::visit::EdgeRef;

/// The greatest number of values of one variable, and of combinations of values.
const VALUES: usize = 24;
const COMBINATIONS: usize = 256;
/// How many computations a value may have gone through.
const DEPTH: usize = 3;
/// Steps of a question about one condition.
pub(super) const OWN: u64 = 5_000;
/// The greatest number of assignments that give one variable values which are not known.
const DEFINITIONS: usize = 12;

/// What a part of a condition is called, and its values there, each with the assignments that give it; a value that is not known is
/// `None`.
#[derive(Clone)]
pub struct ValuesHere {
    pub name: String,
    pub values: Vec<(Option<String>, Vec<EdgeId>)>,
}

/// The values of a variable, with the assignments that give them; none for the value before the first edge.
type Assigned = Vec<(Int, Vec<EdgeId>)>;

/// A variable that is followed back, with the first copy on the way back to it.
type Followed = (VariableId, Option<EdgeId>);

/// Looks for values by assignments.
pub struct AssignedValues<'e> {
    pub(super) lts: &'e Lts,
    names: &'e ReasonNames<'e>,
    pub(super) enclosing: &'e Enclosing<'e>,
    pub(super) pool: Pool,
    pub(super) identity: State,
    /// The budget in edges passed.
    effort: usize,
}

impl<'e> AssignedValues<'e> {
    /// `effort` is a budget in edges passed.
    pub fn new(lts: &'e Lts, names: &'e ReasonNames<'e>, enclosing: &'e Enclosing<'e>, effort: usize) -> AssignedValues<'e> {
        let mut pool = Pool::new();
        let identity = State::of_symbols(lts, &mut pool, str::to_owned);
        AssignedValues { lts, names, enclosing, pool, identity, effort }
    }

    /// Whether the condition of a side holds for no values of its variables.
    pub fn is_never(&mut self, side: EdgeId) -> bool {
        let condition = self.identity.clone().apply(self.lts, &mut self.pool, side).0;
        self.is_false(condition)
    }

    /// The variables whose values exclude a side of a decision, with their values; empty where they do not.
    pub fn against(&mut self, side: EdgeId) -> Vec<ValuesHere> {
        let Label::Assume { condition, .. } = &self.lts.graph[side].label else { return Vec::new() };
        let from = self.lts.edge(side).1;
        let assigned: Vec<(VariableId, Assigned)> =
            variables(condition).into_iter().filter_map(|id| Some((id, self.values(id, from, DEPTH)?))).collect();
        let alone = assigned.iter().position(|one| self.excludes(side, std::slice::from_ref(one)));
        let used = match alone {
            Some(at) => &assigned[at..=at],
            None if self.excludes(side, &assigned) => &assigned[..],
            None => return Vec::new(),
        };
        let told = |(id, values): &(VariableId, Assigned)| {
            let text = |value: &Int| told_value(self.lts, *id, value);
            let values = values.iter().map(|(value, edges)| (text(value), edges.clone())).collect();
            Some(ValuesHere { name: self.names.of(*id)?, values: joined_unnamed(values) })
        };
        // Values of a part that has no name would be missing.
        used.iter().map(told).collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether the side's condition is false for all combinations of these values, whatever the other variables have.
    fn excludes(&mut self, side: EdgeId, assigned: &[(VariableId, Assigned)]) -> bool {
        let states = self.states(assigned);
        !assigned.is_empty()
            && states.is_some_and(|states| states.into_iter().all(|mut state| state.apply(self.lts, &mut self.pool, side).0 == Pool::FALSE))
    }

    /// A state for each combination of these values; `None` where there are too many.
    fn states(&self, assigned: &[(VariableId, Assigned)]) -> Option<Vec<State>> {
        let mut states = vec![self.identity.clone()];
        for (id, values) in assigned {
            if states.len() * values.len() > COMBINATIONS {
                return None;
            }
            let with = |state: &State, value: &Int| {
                let mut state = state.clone();
                state.set_variable(*id, Linear::constant(value.clone()));
                state
            };
            states = states.iter().flat_map(|state| values.iter().map(|(value, _)| with(state, value))).collect();
        }
        Some(states)
    }

    /// The values that a variable has at a location; `None` where they are not known or too many. A copy of another variable has the values
    /// of that one, however many copies there are.
    fn values(&mut self, id: VariableId, at: LocationId, depth: usize) -> Option<Assigned> {
        let (mut waiting, mut found) = (vec![((id, None), at)], Assigned::new());
        // For each variable that is followed the locations where it was.
        let mut seen: Vec<(Followed, Vec<bool>)> = Vec::new();
        while let Some(((id, copied), location)) = waiting.pop() {
            if location == self.lts.entry {
                add(&mut found, self.lts.variable(id).initial.clone()?, copied);
            }
            for (edge, from) in self.before(location)? {
                let goes_on = match &self.lts.graph[edge].label {
                    Label::Assign(to, Expr::Var(other)) if *to == id => (*other, copied.or(Some(edge))),
                    Label::Assign(to, value) if *to == id => {
                        for value in self.results(edge, id, value, depth)? {
                            add(&mut found, value, copied.or(Some(edge)));
                        }
                        continue;
                    }
                    Label::Havoc(to) if *to == id => return None,
                    _ => (id, copied),
                };
                let of = seen.iter().position(|(followed, _)| *followed == goes_on).unwrap_or_else(|| {
                    seen.push((goes_on, vec![false; self.lts.graph.node_count()]));
                    seen.len() - 1
                });
                if !std::mem::replace(&mut seen[of].1[from.index()], true) {
                    waiting.push((goes_on, from));
                }
            }
            if found.len() > VALUES {
                return None;
            }
        }
        found.arrange();
        Some(found).filter(|found| !found.is_empty())
    }

    /// The edges of executions that lead to a location, with their starts; `None` where the budget is used up.
    fn before(&mut self, location: LocationId) -> Option<Vec<(EdgeId, LocationId)>> {
        let arcs = self.lts.graph.edges_directed(location, Incoming).map(|arc| (arc.id(), arc.source()));
        let taken: Vec<_> = arcs.filter(|(edge, from)| !self.enclosing.is_infeasible(*edge) && self.enclosing.is_reached(*from)).collect();
        self.effort = self.effort.checked_sub(taken.len())?;
        Some(taken)
    }

    /// The assignments that the variables and arrays of a side's condition have their values from, for each of them with any.
    pub fn set_by(&mut self, side: EdgeId) -> Vec<ValuesHere> {
        let Label::Assume { condition, .. } = &self.lts.graph[side].label else { return Vec::new() };
        let from = self.lts.edge(side).1;
        let found = self.of_calls(&condition.objects()).into_iter().filter_map(|object| {
            let edges = self.definitions(object, from)?;
            let name = match object {
                ModelObject::Variable(id) => self.pointer_of(id).or_else(|| self.names.of(id))?,
                ModelObject::Array(id) => self.names.of_symbol(&self.lts.array(id).name)?,
            };
            (!edges.is_empty()).then(|| ValuesHere { name, values: vec![(None, edges)] })
        });
        let mut joined: Vec<ValuesHere> = Vec::new();
        for part in found {
            match joined.iter_mut().find(|other| other.name == part.name) {
                Some(other) => other.values.extend(part.values),
                None => joined.push(part),
            }
        }
        joined.iter_mut().for_each(|part| part.values = joined_unnamed(std::mem::take(&mut part.values)));
        joined
    }

    /// The pointer with this index, or with this object: an assignment sets the pointer.
    fn pointer_of(&self, id: VariableId) -> Option<String> {
        let is_part = matches!(self.lts.variable(id).values, ValueMeaning::Indices | ValueMeaning::Objects(_));
        let name = self.names.of(id).filter(|_| is_part)?;
        let pointer = name.strip_suffix(".index").or_else(|| name.strip_suffix(".object"))?;
        Some(pointer.to_owned())
    }

    /// Variables and arrays of the program: for the result of a library function, the variables and arrays that its call reads; for an argument
    /// that the model keeps in a variable of its own, the variables and arrays that the argument reads.
    fn of_calls(&self, objects: &[ModelObject]) -> Vec<ModelObject> {
        let lts = self.lts;
        let is_of = |object: ModelObject, is: fn(&Variable) -> bool| matches!(object, ModelObject::Variable(id) if is(lts.variable(id)));
        let (mut seen, mut waiting) = (SortedSet::<ModelObject>::new(), objects.to_vec());
        while let Some(object) = waiting.pop() {
            let (of_library, temporary) = (is_of(object, is_of_library), is_of(object, is_temporary));
            if !seen.insert(object) || !of_library && !temporary {
                continue;
            }
            let assigned = |edge: &&Edge| edge.label.assigned() == Some(object);
            let calls: SortedSet<Span> =
                lts.graph.edge_weights().filter(assigned).filter(|edge| edge.library).map(|edge| edge.span).collect();
            let of_call = lts
                .graph
                .edge_weights()
                .filter(|edge| if of_library { edge.library && calls.contains(&edge.span) } else { assigned(edge) });
            waiting.extend(of_call.flat_map(|edge| edge.label.operands()).flat_map(Expr::objects));
        }
        seen.into_iter().filter(|&object| !is_of(object, is_of_library) && !is_of(object, is_temporary)).collect()
    }

    /// The last assignments to an object before a location, on all ways; `None` where there are too many.
    fn definitions(&mut self, object: ModelObject, at: LocationId) -> Option<Vec<EdgeId>> {
        let (mut seen, mut waiting, mut found) = (vec![false; self.lts.graph.node_count()], vec![at], Vec::new());
        while let Some(location) = waiting.pop() {
            for (edge, from) in self.before(location)? {
                let label = &self.lts.graph[edge].label;
                let is_set = label.assigned() == Some(object);
                // The other elements keep their values.
                let is_kept = !is_set || matches!(label, Label::Store { .. });
                if is_set && !found.contains(&edge) {
                    found.push(edge);
                }
                if is_kept && !std::mem::replace(&mut seen[from.index()], true) {
                    waiting.push(from);
                }
            }
            if found.len() > DEFINITIONS {
                return None;
            }
        }
        found.arrange();
        Some(found)
    }

    /// The values that an assignment gives.
    fn results(&mut self, edge: EdgeId, to: VariableId, value: &Expr, depth: usize) -> Option<Vec<Int>> {
        let from = self.lts.edge(edge).1;
        let depth = depth.checked_sub(1)?;
        let operands = variables(value);
        if operands.contains(&to) {
            return None;
        }
        let assigned: Option<Vec<(VariableId, Assigned)>> =
            operands.into_iter().map(|id| Some((id, self.values(id, from, depth)?))).collect();
        let states = self.states(&assigned?)?;
        let mut result = |mut state: State| {
            state.apply(self.lts, &mut self.pool, edge);
            state.variable(to).as_constant().cloned()
        };
        states.into_iter().map(&mut result).collect()
    }
}

/// The text of a value of a part of a condition.
pub(super) fn value_text(lts: &Lts, part: &Expr, value: &Int) -> String {
    text::value_of(lts, part, &Expr::Int(value.clone()))
}

/// The text of a variable's value; `None` of an address, which the text does not have.
pub(super) fn told_value(lts: &Lts, id: VariableId, value: &Int) -> Option<String> {
    let text = value_text(lts, &Expr::Var(id), value);
    let Variable { range, values, .. } = lts.variable(id);
    // The model has each object at a multiple of this size.
    let is_of_object = !value.is_zero() && value.is_multiple_of(&Int::ONE.shift_left(32));
    let is_wide = range.is_some_and(|range| range.least().is_zero() && range.greatest() >= Int::ONE.shift_left(63));
    let is_address = matches!(values, ValueMeaning::Indices | ValueMeaning::ElementIndices) || is_of_object && is_wide;
    (!is_address || text != value.to_string()).then_some(text)
}

/// Values with all that have no text as one.
fn joined_unnamed(values: Vec<(Option<String>, Vec<EdgeId>)>) -> Vec<(Option<String>, Vec<EdgeId>)> {
    let (mut named, unnamed): (Vec<_>, Vec<_>) = values.into_iter().partition(|(value, _)| value.is_some());
    if !unnamed.is_empty() {
        named.push((None, unnamed.into_iter().flat_map(|(_, edges)| edges).collect()));
    }
    named
}

/// Notes a value and the assignment that gives it.
fn add(found: &mut Assigned, value: Int, by: Option<EdgeId>) {
    let at = found.iter().position(|(other, _)| *other == value).unwrap_or_else(|| {
        found.push((value, Vec::new()));
        found.len() - 1
    });
    if let Some(edge) = by.filter(|edge| !found[at].1.contains(edge)) {
        found[at].1.push(edge);
        found[at].1.arrange();
    }
}

/// The variables that an expression reads.
fn variables(e: &Expr) -> Vec<VariableId> {
    let of = |object| if let ModelObject::Variable(id) = object { Some(id) } else { None };
    e.objects().into_iter().filter_map(of).collect()
}
