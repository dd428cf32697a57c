//! Programs made at random in C, from a table of what they consist of and how often.

use proptest::prelude::*;
use proptest::strategy::Union;
use std::ops::Range;

/// Alternatives, each with its weight.
type Weighted<T> = &'static [(u32, T)];

/// What the programs of a test consist of.
#[derive(Clone)]
pub struct Shape {
    /// The constants' range.
    pub constants: Range<i64>,
    pub variables: &'static [&'static str],
    /// How deep expressions are nested, and about how many parts they have.
    pub expression: (u32, u32),
    pub operations: Weighted<Operation>,
    pub comparisons: &'static [&'static str],
    pub conditions: Weighted<Condition>,
    /// Of conditions, nested once; all equally often.
    pub connectives: &'static [Connective],
    /// Those without a block.
    pub statements: Weighted<Action>,
    /// How deep statements are nested, and about how many there are in one.
    pub nesting: (u32, u32),
    pub blocks: Weighted<Block>,
    /// How many statements a function has, without those nested in others.
    pub length: Range<usize>,
    /// The declarations in front of them; `x` and `y` are parameters and `a` is an array.
    pub declarations: &'static str,
}

#[derive(Clone, Copy)]
pub enum Operation {
    Sum,
    /// A constant from -2 to 3 times an expression.
    Multiple,
    Product,
    /// An expression with one of these after it.
    Behind(&'static [&'static str]),
    /// Whether one is less than the other, as a number.
    Less,
    Element,
    /// Three by an expression.
    Quotient,
}

#[derive(Clone, Copy)]
pub enum Condition {
    Comparison,
    Expression,
    Text(&'static str),
}

#[derive(Clone, Copy)]
pub enum Connective {
    And,
    Or,
    Not,
}

#[derive(Clone, Copy)]
pub enum Action {
    Assign,
    /// `++` or `--` of a variable.
    Count,
    Store,
    Assume,
    Assert,
    Text(&'static str),
}

#[derive(Clone, Copy)]
pub enum Block {
    If,
    IfElse,
    While,
}

/// One of some texts.
fn one_of(texts: &'static [&'static str]) -> Union<Just<&'static str>> {
    Union::new(texts.iter().copied().map(Just))
}

/// One of some alternatives, as often as their weights say.
fn weighted<T: Copy>(alternatives: Weighted<T>, strategy: impl Fn(T) -> BoxedStrategy<String>) -> Union<BoxedStrategy<String>> {
    Union::new_weighted(alternatives.iter().map(|&(weight, alternative)| (weight, strategy(alternative))).collect())
}

impl Shape {
    pub fn variable(&self) -> Union<Just<&'static str>> {
        one_of(self.variables)
    }

    pub fn expression(&self) -> BoxedStrategy<String> {
        let leaf = prop_oneof![
            self.constants.clone().prop_map(|n| if n < 0 { format!("({n})") } else { n.to_string() }),
            self.variable().prop_map(str::to_owned),
        ];
        let ((depth, parts), operations) = (self.expression, self.operations);
        leaf.prop_recursive(depth, parts, 2, move |inner| weighted(operations, |operation| operation.of(inner.clone()))).boxed()
    }

    pub fn condition(&self) -> BoxedStrategy<String> {
        let leaf = weighted(self.conditions, |condition| match condition {
            Condition::Comparison => (self.expression(), one_of(self.comparisons), self.expression())
                .prop_map(|(l, comparison, r)| format!("{l} {comparison} {r}"))
                .boxed(),
            Condition::Expression => self.expression().boxed(),
            Condition::Text(text) => Just(text.to_owned()).boxed(),
        });
        let connectives = self.connectives;
        if connectives.is_empty() {
            return leaf.boxed();
        }
        let nested = move |inner: BoxedStrategy<String>| Union::new(connectives.iter().map(|connective| connective.of(inner.clone())));
        leaf.prop_recursive(1, 3, 2, nested).boxed()
    }

    /// A statement without a block.
    pub fn simple(&self) -> BoxedStrategy<String> {
        weighted(self.statements, |statement| match statement {
            Action::Assign => (self.variable(), self.expression()).prop_map(|(v, e)| format!("{v} = {e};")).boxed(),
            Action::Count => (self.variable(), one_of(&["++", "--"])).prop_map(|(v, op)| format!("{v}{op};")).boxed(),
            Action::Store => (self.expression(), self.expression()).prop_map(|(i, e)| format!("a[{i}] = {e};")).boxed(),
            Action::Assume => self.condition().prop_map(|c| format!("assume({c});")).boxed(),
            Action::Assert => self.condition().prop_map(|c| format!("assert({c});")).boxed(),
            Action::Text(text) => Just(text.to_owned()).boxed(),
        })
        .boxed()
    }

    /// A statement made of such as `simple`.
    pub fn statement(&self, simple: BoxedStrategy<String>) -> BoxedStrategy<String> {
        let shape = self.clone();
        let nested = move |inner| {
            let block = prop::collection::vec(inner, 1..3).prop_map(|statements| format!("{{ {} }}", statements.join(" "))).boxed();
            weighted(shape.blocks, |kind| {
                let (condition, block) = (shape.condition(), block.clone());
                match kind {
                    Block::If => (condition, block).prop_map(|(c, b)| format!("if ({c}) {b}")).boxed(),
                    Block::IfElse => (condition, block.clone(), block).prop_map(|(c, t, e)| format!("if ({c}) {t} else {e}")).boxed(),
                    Block::While => (condition, block).prop_map(|(c, b)| format!("while ({c}) {b}")).boxed(),
                }
            })
        };
        simple.prop_recursive(self.nesting.0, self.nesting.1, 3, nested).boxed()
    }

    /// A function whose array is a parameter, or its own of three elements.
    pub fn program(&self) -> BoxedStrategy<String> {
        let declarations = self.declarations;
        let statements = prop::collection::vec(self.statement(self.simple()), self.length.clone());
        (statements, prop::bool::ANY)
            .prop_map(move |(statements, known)| {
                let (parameter, local) = if known { ("", "int a[3];") } else { ("int a[], ", "") };
                format!("int f({parameter}int x, int y) {{ {declarations} {local} {} return z; }}", statements.join("\n"))
            })
            .boxed()
    }
}

impl Operation {
    fn of(self, inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
        let both = (inner.clone(), inner.clone());
        match self {
            Operation::Sum => (inner.clone(), one_of(&["+", "-"]), inner).prop_map(|(l, op, r)| format!("({l} {op} {r})")).boxed(),
            Operation::Multiple => (-2i64..4, inner).prop_map(|(k, t)| format!("({k} * {t})")).boxed(),
            Operation::Product => both.prop_map(|(l, r)| format!("({l} * {r})")).boxed(),
            Operation::Behind(texts) => (inner, one_of(texts)).prop_map(|(t, op)| format!("({t} {op})")).boxed(),
            Operation::Less => both.prop_map(|(l, r)| format!("({l} < {r})")).boxed(),
            Operation::Element => inner.prop_map(|i| format!("a[{i}]")).boxed(),
            Operation::Quotient => inner.prop_map(|d| format!("(3 / {d})")).boxed(),
        }
    }
}

impl Connective {
    fn of(self, inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
        let both = (inner.clone(), inner.clone());
        match self {
            Connective::And => both.prop_map(|(l, r)| format!("({l} && {r})")).boxed(),
            Connective::Or => both.prop_map(|(l, r)| format!("({l} || {r})")).boxed(),
            Connective::Not => inner.prop_map(|c| format!("!({c})")).boxed(),
        }
    }
}
