//! Unions in inputs: only the member that was written last has a value.

use super::Input as InputDocument;
use super::{InputValue, Number};
use crate::interp::Input;
use crate::lts::{Lts, ValueMeaning, Variable};

/// Leaves out the values of members of unions that were not written last.
pub fn leave_out_others(lts: &Lts, input: &mut Input) {
    for variable in &lts.variables {
        let Some((outer, members)) = members(lts, variable) else { continue };
        let last = input.values.get(&variable.name).cloned().unwrap_or_default();
        for (_, member) in (1i64..).zip(members).filter(|(number, _)| last != (*number).into()) {
            input.values.retain(|name, _| name == &variable.name || !is_in(name, outer, member));
            input.arrays.retain(|name, _| !is_in(name, outer, member));
        }
        if last.is_zero() {
            input.values.remove(&variable.name);
        }
    }
}

/// Says of the unions in an input which member was written last, where the input has values of one member and does not say it.
pub fn complete(lts: &Lts, input: &mut InputDocument) {
    for variable in lts.variables.iter().filter(|variable| variable.initial.is_none()) {
        let Some((outer, members)) = members(lts, variable).filter(|_| !input.values.contains_key(&variable.name)) else { continue };
        let is_given = |member: &&String| input.values.keys().any(|name| is_in(name, outer, member));
        if let Some(at) = members.iter().position(|member| is_given(&member)) {
            input.values.insert(variable.name.clone(), InputValue::Scalar(Number::Small(at as i64 + 1)));
        }
    }
}

/// What the names of a union's members begin with, and the members, where a variable says which of them was written last.
fn members<'l>(lts: &'l Lts, variable: &'l Variable) -> Option<(&'l str, &'l [String])> {
    let ValueMeaning::Members(class) = variable.values else { return None };
    Some((&variable.name[..=variable.name.rfind('.')?], lts.value_names.classes.get(class as usize)?))
}

/// Whether this is the name of a member of a union, or of a part of it.
fn is_in(name: &str, outer: &str, member: &str) -> bool {
    let rest = name.strip_prefix(outer).and_then(|rest| rest.strip_prefix(member));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
