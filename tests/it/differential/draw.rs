//! Inputs at random: small values, those at the ends of the type, those beside the program's own constants, any.

use super::subject::Function;
use culdesac::interp::{ArrayInput, Input};
use culdesac::logic::{Int, IntRange};
use culdesac::lts::{Expr, Lts, Origin};
use std::collections::BTreeSet;

/// A generator of random numbers with fixed output: splitmix64.
pub struct Random(u64);

impl Random {
    /// A generator for each text and number.
    pub fn new(name: &str, number: u64) -> Random {
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Random(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound, which is not 0. As good as uniform for small bounds.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// The integers that the function's text has, each with its neighbours; at most a thousand.
pub fn constants(lts: &Lts) -> Vec<i64> {
    let mut found = BTreeSet::from([0, 1]);
    let mut visit = |expr: &Expr| {
        if let Expr::Int(value) = expr
            && let Some(value) = value.to_i64()
            && found.len() < 1000
        {
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    };
    for edge in lts.graph.edge_indices() {
        lts.operands(edge).for_each(|operand| operand.walk(&mut visit));
    }
    found.into_iter().collect()
}

/// How values of one input are chosen.
#[derive(Clone, Copy)]
enum Taste {
    Small,
    Constants,
    Mixed,
}

/// A drawer of inputs for one function.
pub struct Drawer<'a> {
    function: &'a Function,
    constants: Vec<i64>,
}

impl<'a> Drawer<'a> {
    pub fn new(function: &'a Function) -> Drawer<'a> {
        Drawer { function, constants: constants(&function.lts) }
    }

    /// The input with this number. Locals of inlined functions are 0, as nothing can be said of them in C.
    pub fn input(&self, random: &mut Random) -> Input {
        let lts = &self.function.lts;
        let taste = [Taste::Small, Taste::Constants, Taste::Constants, Taste::Mixed][random.below(4) as usize];
        let mut input = Input::default();
        for &id in &self.function.inputs.variables {
            let variable = lts.variable(id);
            if variable.origin != Origin::Inlined {
                input.values.insert(variable.name.clone(), self.value(taste, variable.range, random));
            }
        }
        for &id in &self.function.inputs.arrays {
            let array = lts.array(id);
            if array.origin == Origin::Inlined {
                continue;
            }
            let length = array.length.as_ref().map_or(16, |length| length.to_i64().unwrap_or(64).clamp(0, 64) as u64);
            let given = if array.length.is_some() { length } else { random.below(length + 1) };
            let elements = (0..given).map(|index| (Int::from(index as i64), self.value(taste, array.range, random))).collect();
            input.arrays.insert(array.name.clone(), ArrayInput { elements, default: self.value(taste, array.range, random) });
        }
        let most = if random.below(4) == 0 { 200 } else { 20 };
        let drawn = random.below(most);
        input.nondet = (0..drawn).map(|_| self.value(taste, None, random)).collect();
        input
    }

    fn value(&self, taste: Taste, range: Option<IntRange>, random: &mut Random) -> Int {
        let range = range.unwrap_or(IntRange::of_bits(32, true));
        let kind = match taste {
            Taste::Small => 0,
            Taste::Constants => random.below(6),
            Taste::Mixed => random.below(9),
        };
        let value = match kind {
            0 | 1 => Int::from(random.below(13) as i64 - 3),
            2..=5 => Int::from(self.constants[random.below(self.constants.len() as u64) as usize]),
            6 => [range.least(), range.greatest(), &range.least() + &Int::from(1), &range.greatest() - &Int::from(1)]
                [random.below(4) as usize]
                .clone(),
            _ => Int::from((random.next() as i64) >> random.below(56)),
        };
        range.wrap(&value)
    }
}
