//! The arguments of a program in inputs: `argc = 2, argv[1] = "-v"`.
//!
//! Where a program uses them by any index, `argv` is a block of pointers to blocks of characters ([`crate::memory`]). An input gives the
//! characters alone: how many pointers there are follows from `argc`, and an argument that it does not give is empty.

use super::parts::InputObject;
use super::{Input, InputValue, Number};
use crate::logic::Int;
use crate::lts::node_cells::{BLOCK_STRIDE, block_items, block_lengths};
use crate::lts::{ArrayId, CommandLine, Lts, Origin, ValueMeaning, Variable};
use std::collections::BTreeMap;

/// Arguments that an input does not give, and that are empty, at most.
const MOST: i64 = 64;

/// The variables and arrays of a command line.
pub struct CommandLineInputs<'l> {
    lts: &'l Lts,
    /// The structures of the pointers and of the characters.
    pub arguments: u32,
    pub characters: u32,
    count: &'l Variable,
    list: &'l Variable,
}

impl<'l> CommandLineInputs<'l> {
    /// The ones of a function; `None` where its command line is no input in blocks.
    pub fn of(lts: &'l Lts) -> Option<CommandLineInputs<'l>> {
        let structure = |line: CommandLine| Some(lts.value_names.blocks.iter().find(|block| block.line == Some(line))?.structure);
        let (arguments, characters) = (structure(CommandLine::Arguments)?, structure(CommandLine::Characters)?);
        let mut parameters = lts.variables.iter().filter(|variable| variable.origin == Origin::Parameter);
        let is_list = |variable: &&Variable| matches!(variable.values, ValueMeaning::Nodes { structure, .. } if structure == arguments);
        let list = parameters.clone().find(is_list)?;
        let count = parameters.find(|variable| !is_list(variable))?;
        Some(CommandLineInputs { lts, arguments, characters, count, list })
    }

    /// The name of an argument.
    pub fn name(&self, number: &Int) -> String {
        format!("{}[{number}]", self.list.name)
    }

    /// The number of the argument with this name.
    pub fn number(&self, name: &str) -> Option<Int> {
        let number = Int::parse(name.strip_prefix(&self.list.name)?.strip_prefix('[')?.strip_suffix(']')?)?;
        (!number.is_negative()).then_some(number)
    }

    /// Whether these values lead to the pointers.
    pub fn is_list(&self, values: ValueMeaning) -> bool {
        values == self.list.values
    }

    /// Whether an input follows from the texts of the arguments: the pointer to their pointers, and their characters.
    pub fn follows(&self, objects: &[InputObject], name: &str) -> bool {
        let is_text =
            |object: &InputObject| object.structure() == Some(self.characters) && object.leaves.iter().any(|leaf| leaf.name == name);
        self.list.name == name || objects.iter().any(is_text)
    }

    /// The number of the block with an argument's characters, in an input that gives it.
    pub fn block(number: &Int) -> Int {
        number + &Int::ONE
    }

    fn elements<'i>(&self, array: Option<ArrayId>, input: &'i mut Input) -> Option<&'i mut BTreeMap<String, Number>> {
        let name = self.lts.array(array?).name.clone();
        match input.values.entry(name).or_insert_with(|| InputValue::Array(BTreeMap::new())) {
            InputValue::Array(elements) => Some(elements),
            InputValue::Scalar(_) => None,
        }
    }

    /// Lets the pointer to an argument lead to its block.
    pub fn point(&self, number: &Int, input: &mut Input) {
        let index = Int::from(BLOCK_STRIDE) + number.clone();
        if let Some(pointers) = self.elements(block_items(self.lts, self.arguments).next(), input) {
            pointers.insert(index.to_string(), Number::from(&Self::block(number)));
        }
    }

    /// Gives an input as many arguments as it says, where it says nothing of the blocks themselves.
    pub fn complete(&self, input: &mut Input) {
        let Some(lengths) = block_lengths(self.lts, self.arguments) else { return };
        if input.values.contains_key(&self.lts.array(lengths).name) {
            return;
        }
        let given = match input.values.get(&self.count.name) {
            Some(InputValue::Scalar(count)) => count.to_int(),
            _ => None,
        };
        let pointers = self.elements(block_items(self.lts, self.arguments).next(), input).cloned().unwrap_or_default();
        let least = pointers.keys().filter_map(|index| Some(Int::parse(index)? - Int::from(BLOCK_STRIDE - 1))).max();
        let count = given.unwrap_or_else(|| least.unwrap_or_default());
        input.values.entry(self.count.name.clone()).or_insert_with(|| InputValue::Scalar(Number::from(&count)));
        input.values.insert(self.list.name.clone(), InputValue::Scalar(Number::Small(1)));
        for number in (0..count.to_i64().unwrap_or(0).min(MOST)).map(Int::from) {
            let index = (Int::from(BLOCK_STRIDE) + number.clone()).to_string();
            if !pointers.contains_key(&index) {
                self.point(&number, input);
                if let Some(lengths) = self.elements(block_lengths(self.lts, self.characters), input) {
                    lengths.entry(Self::block(&number).to_string()).or_insert(Number::Small(1));
                }
            }
        }
        if let Some(lengths) = self.elements(Some(lengths), input) {
            lengths.insert("1".to_owned(), Number::from(&(count + Int::ONE)));
        }
    }
}
