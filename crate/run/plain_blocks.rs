//! Test inputs with short blocks. A model of a path's condition may assign the greatest length to a block although the execution reads only its
//! first and last elements; these inputs have the same path with fewer elements.

use crate::interp::{ArrayInput, Input, Machine};
use crate::logic::{Int, SortedMap};
use crate::lts::node_cells::{BLOCK_STRIDE, block_items, block_lengths, scalars_of_item};
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::{Meter, RUN_STEPS};

/// Blocks that are looked at, at most.
const BLOCKS: usize = 16;

/// A block with fewer elements stays as it is.
const SHORT: i64 = 16;

/// Lengths that are tried.
const LENGTHS: [i64; 9] = [1, 2, 3, 4, 5, 8, 16, 64, 256];

/// Integers that lie no further from the length of a block change with it.
const NEAR: i64 = 16;

/// The input with short blocks, where its run still takes `path` first.
pub fn plain_blocks(lts: &Lts, machine: &Machine, mut input: Input, path: &[EdgeId], meter: &mut Meter) -> Input {
    for block in &lts.value_names.blocks {
        let Some(lengths) = block_lengths(lts, block.structure).map(|id| lts.array(id).name.clone()) else { continue };
        let items = block_items(lts, block.structure).map(|id| lts.array(id));
        let items: Vec<(&str, i64)> = items.filter_map(|array| Some((array.name.as_str(), scalars_of_item(array)?))).collect();
        let long = |input: &Input| -> Vec<(Int, Int)> {
            let of = input.arrays.get(&lengths).into_iter().flat_map(|array| &array.elements);
            of.filter(|(_, length)| **length > Int::from(SHORT)).map(|(number, length)| (number.clone(), length.clone())).collect()
        };
        for (number, length) in long(&input).into_iter().take(BLOCKS) {
            let block = LongBlock { lengths: &lengths, items: &items, number: &number, length: &length };
            let candidates = LENGTHS.iter().map(|length| Int::from(*length)).filter(|short| *short < length);
            for short in candidates {
                if meter.spend(2 * (path.len() as u64 / RUN_STEPS + 1)).is_err() {
                    return input;
                }
                let tried = [block.cut(&input, &short), block.shortened(&input, &short)];
                if let Some(tried) = tried.into_iter().find(|tried| machine.replay(tried, path).is_ok()) {
                    input = tried;
                    break;
                }
            }
        }
    }
    input
}

/// A block with many elements in an input.
struct LongBlock<'b> {
    lengths: &'b str,
    /// The arrays with the scalars of its elements, and how many each element has there.
    items: &'b [(&'b str, i64)],
    number: &'b Int,
    length: &'b Int,
}

impl LongBlock<'_> {
    /// The input with the first elements of the block only.
    fn cut(&self, input: &Input, short: &Int) -> Input {
        let mut tried = input.clone();
        if let Some(lengths) = tried.arrays.get_mut(self.lengths) {
            lengths.elements.insert(self.number.clone(), short.clone());
        }
        tried
    }

    /// The input with the first and the last elements of the block only, and with integers near its length as much smaller as it is shorter.
    fn shortened(&self, input: &Input, short: &Int) -> Input {
        let less = self.length - short;
        let is_near = |value: &Int| *value >= self.length - &Int::from(NEAR) && *value <= self.length + &Int::from(NEAR);
        let near = |value: &Int| if is_near(value) { value - &less } else { value.clone() };
        let mut tried = input.clone();
        for value in tried.values.values_mut() {
            *value = near(value);
        }
        for (name, array) in &input.arrays {
            let count = self.items.iter().find(|(own, _)| *own == name.as_str()).map(|(_, count)| Int::from(*count));
            let first = self.number * &Int::from(BLOCK_STRIDE);
            let moved = |index: &Int| {
                let Some((row, part)) = count.as_ref().and_then(|count| index.div_rem_floor(count)) else { return Some(index.clone()) };
                let inner = &row - &first;
                let is_own = !inner.is_negative() && inner < Int::from(BLOCK_STRIDE);
                // Elements between the first and the last ones are gone.
                let at = if is_own && is_near(&inner) { &inner - &less } else { inner };
                let count = count.as_ref().unwrap_or(&Int::ONE);
                (!is_own || !at.is_negative() && at < *short).then(|| &(&(&first + &at) * count) + &part)
            };
            let elements: SortedMap<Int, Int> =
                array.elements.iter().filter_map(|(index, value)| Some((moved(index)?, near(value)))).collect();
            tried.arrays.insert(name.clone(), ArrayInput { elements, default: array.default.clone() });
        }
        tried
    }
}
