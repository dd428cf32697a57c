//! The operators by name: this module checks their sorts, then `build` makes the value.

use super::build::Builder;
use super::syntax::{NodeId, Sort};
use super::translate::{Translator, refuse, sort_error};
use super::value::{Value, ValueKind};
use crate::logic::Int;
use crate::source::{Diagnostic, Span};

/// How many arguments `distinct` may have: it says one thing for every two of them.
const MAX_DISTINCT: usize = 1000;

impl Translator<'_> {
    /// That there are `count` arguments (0: one or more), all of one sort.
    pub(super) fn expect(&self, ids: &[NodeId], arguments: &[Value], count: usize, sort: Sort, span: Span) -> Result<(), Box<Diagnostic>> {
        if count != 0 && arguments.len() != count {
            return sort_error(span, format!("{count} arguments expected, {} found", arguments.len()));
        }
        match ids.iter().zip(arguments).find(|(_, argument)| argument.sort() != sort) {
            Some((&id, argument)) => sort_error(self.script.node(id).span, format!("{sort} expected, {} found", argument.sort())),
            None => Ok(()),
        }
    }

    pub(super) fn operator(&mut self, name: &str, ids: &[NodeId], arguments: &[Value], span: Span) -> Result<Value, Box<Diagnostic>> {
        let at_least = |count: usize| match arguments.len() {
            found if found < count => sort_error(span, format!("at least {count} arguments expected, {found} found")),
            _ => Ok(()),
        };
        match name {
            "not" => self.expect(ids, arguments, 1, Sort::Bool, span)?,
            "and" | "or" => self.expect(ids, arguments, 0, Sort::Bool, span)?,
            "xor" | "=>" => {
                at_least(2)?;
                self.expect(ids, arguments, 0, Sort::Bool, span)?;
            }
            "-" => self.expect(ids, arguments, 0, Sort::Int, span)?,
            "+" | "*" | "div" | "<=" | "<" | ">=" | ">" => {
                at_least(2)?;
                self.expect(ids, arguments, 0, Sort::Int, span)?;
            }
            "mod" => self.expect(ids, arguments, 2, Sort::Int, span)?,
            "abs" => self.expect(ids, arguments, 1, Sort::Int, span)?,
            "=" | "distinct" => {
                at_least(2)?;
                self.expect(ids, arguments, 0, arguments[0].sort(), span)?;
                if name == "distinct" && arguments.len() > MAX_DISTINCT {
                    return refuse("smtlib-size", span, format!("`distinct` of more than {MAX_DISTINCT} terms"));
                }
            }
            "ite" => {
                if arguments.len() != 3 {
                    return sort_error(span, format!("3 arguments expected, {} found", arguments.len()));
                }
                self.expect(&ids[..1], &arguments[..1], 1, Sort::Bool, span)?;
                self.expect(&ids[1..], &arguments[1..], 2, arguments[1].sort(), span)?;
            }
            "select" | "store" => {
                let count = if name == "select" { 2 } else { 3 };
                if arguments.len() != count {
                    return sort_error(span, format!("{count} arguments expected, {} found", arguments.len()));
                }
                self.expect(&ids[..1], &arguments[..1], 1, Sort::Array, span)?;
                self.expect(&ids[1..], &arguments[1..], 0, Sort::Int, span)?;
            }
            other => return refuse("smtlib-name", span, format!("`{other}` is neither declared nor supported")),
        }
        Ok(self.meaning(name, arguments))
    }

    /// The value of a well-sorted application.
    fn meaning(&mut self, name: &str, arguments: &[Value]) -> Value {
        let build = &mut self.builder;
        let pairs = |build: &mut Builder, relation: &dyn Fn(&mut Builder, &Value, &Value) -> Value| {
            let parts: Vec<Value> = arguments.windows(2).map(|pair| relation(build, &pair[0], &pair[1])).collect();
            if parts.len() == 1 { parts[0].clone() } else { build.all(&parts) }
        };
        let compare = |build: &mut Builder, left: &Value, right: &Value, strict: bool| {
            let (l, r) = (left.int(), right.int());
            let formula = if strict { build.pool().less(&l, &r) } else { build.pool().at_most(&l, &r) };
            Value::above(ValueKind::Bool(formula), 1, [left, right])
        };
        match name {
            "not" => build.not(&arguments[0]),
            "and" => build.all(arguments),
            "or" => build.any(arguments),
            "=>" => {
                let (last, premises) = arguments.split_last().expect("two or more arguments");
                let mut parts: Vec<Value> = premises.iter().map(|premise| build.not(premise)).collect();
                parts.push(last.clone());
                build.any(&parts)
            }
            "xor" => arguments[1..].iter().fold(arguments[0].clone(), |left, right| {
                let left = build.part(left);
                let same = build.equal(&left, right);
                build.not(&same)
            }),
            "=" => pairs(build, &|build, left, right| build.equal(left, right)),
            "distinct" => {
                let mut parts = Vec::new();
                for (index, left) in arguments.iter().enumerate() {
                    for right in &arguments[index + 1..] {
                        let same = build.equal(left, right);
                        parts.push(build.not(&same));
                    }
                }
                build.all(&parts)
            }
            "<=" => pairs(build, &|build, left, right| compare(build, left, right, false)),
            "<" => pairs(build, &|build, left, right| compare(build, left, right, true)),
            ">=" => pairs(build, &|build, left, right| compare(build, right, left, false)),
            ">" => pairs(build, &|build, left, right| compare(build, right, left, true)),
            "+" => build.sum(&arguments.iter().map(|argument| (argument, Int::ONE)).collect::<Vec<_>>()),
            "-" if arguments.len() == 1 => build.sum(&[(&arguments[0], Int::MINUS_ONE)]),
            "-" => {
                let factor = |index: usize| if index == 0 { Int::ONE } else { Int::MINUS_ONE };
                build.sum(&arguments.iter().enumerate().map(|(index, argument)| (argument, factor(index))).collect::<Vec<_>>())
            }
            "*" => arguments[1..].iter().fold(arguments[0].clone(), |left, right| {
                let left = build.part(left);
                build.product(&left, right)
            }),
            "div" => arguments[1..].iter().fold(arguments[0].clone(), |left, right| build.divide(&left, right).0),
            "mod" => build.divide(&arguments[0], &arguments[1]).1,
            "abs" => {
                let negated = build.sum(&[(&arguments[0], Int::MINUS_ONE)]);
                let negative = compare(build, &arguments[0], &Value::constant(0), true);
                build.choose(&negative, &negated, &arguments[0])
            }
            "ite" => build.choose(&arguments[0], &arguments[1], &arguments[2]),
            "select" => {
                let array = arguments[0].array().expect("the sorts are checked");
                let term = build.pool().select(array, &arguments[1].int());
                Value::above(ValueKind::Int(term), 1, [&arguments[0], &arguments[1]])
            }
            "store" => {
                let array = arguments[0].array().expect("the sorts are checked");
                let array = build.pool().store(array, arguments[1].int(), arguments[2].int());
                Value::above(ValueKind::Array(array), 0, arguments)
            }
            other => unreachable!("`{other}` was refused"),
        }
    }
}
