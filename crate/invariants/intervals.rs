//! Intervals: between which bounds the value of each variable, and of elements of arrays, lies at each location.
//!
//! Source: P. Cousot and R. Cousot, *Abstract Interpretation*, POPL 1977; thresholds: B. Blanchet et al., *A Static Analyzer for Large
//! Safety-Critical Software*, PLDI 2003, section 7.1.2.
//!
//! 1. From the entry on, each edge gives the ranges after it from the ranges before; where ways meet, a range has the values of both.
//! 2. Where an iteration starts, a range that has grown [`DELAY`] times grows to the next constant of the function.
//! 3. Pass over the graph again, [`PASSES`] times: each range is at most what the edges into its location give.
//! 4. A goal edge whose condition contradicts the ranges before it is cut. The ranges are formulas of a graph; of them those stay that the cuts
//!    need ([`super::induction`]).
//!
//! 1 to 3 need not be trusted: the certificates of 4 prove their result again.

mod effects;

use super::{FactQuery, Proved, Prover, certified};
use crate::evidence::graph::Pruned;
use crate::logic::{FormulaId, Int, Linear, Pool, SortedSet};
use crate::lts::structure::Structure;
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::random_inputs::near_constants;
use crate::run::trace::Trace;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use crate::symex::State;
use effects::{Bounded, LocationRanges, RangeEffects};
use petgraph::Direction;
use petgraph::visit::{DfsPostOrder, EdgeRef};

/// A range at the head of a loop grows so often before it grows to a constant.
const DELAY: u32 = 3;
/// After so many thresholds it grows to the end of its type.
const JUMPS: u32 = 24;
/// Passes that make ranges smaller.
const PASSES: usize = 3;
/// So many ranges at the source of an edge are one step.
const RANGES: u64 = 16;
/// Steps for each edge that is cut.
const STEPS: u64 = 5_000;
/// So many parts of the cuts are shown, or tried.
const PARTS: usize = 32;

/// Intervals as a prover.
pub struct Intervals;

impl Prover for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        let goals = query.first(lts);
        let Ok((ranges, cut)) = IntervalAnalysis::new(lts).excluded(&goals, meter) else { return Vec::new() };
        let show = |cut: &[EdgeId], steps: u64, meter: &mut Meter| {
            let log = trace;
            meter.within(steps, |meter| proved(lts, &ranges, cut, &mut Ask { meter, log }).ok().flatten())
        };
        // One cut that cannot be shown leaves no graph: then each half has its own.
        let (mut found, mut parts) = (Vec::new(), vec![&cut[..]]);
        for _ in 0..PARTS {
            let Some(part) = parts.pop().filter(|part| !part.is_empty()) else { break };
            match show(part, STEPS * part.len() as u64, meter) {
                Some(proved) => found.push(proved),
                None if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                }
                None => {}
            }
        }
        found
    }
}

/// 4.
fn proved(lts: &Lts, ranges: &[Option<LocationRanges>], cut: &[EdgeId], ask: &mut Ask) -> Result<Option<Proved>, Exhausted> {
    let mut pool = Pool::new();
    let identity = State::of_symbols(lts, &mut pool, str::to_owned);
    let effects = RangeEffects::new(lts);
    let at = |held: &Option<LocationRanges>| -> Vec<FormulaId> {
        let Some(held) = held else { return vec![Pool::FALSE] };
        let mut formulas = Vec::new();
        for (bounded, range) in held {
            let term = match bounded {
                Bounded::Variable(id) => identity.variable(*id).clone(),
                Bounded::Element(id, index) => pool.select(identity.array(*id), &Linear::constant(Int::from(*index))),
            };
            let of_type = effects.widest(*bounded);
            if range.least == range.greatest {
                formulas.push(pool.equal(&term, &Linear::constant(range.least())));
                continue;
            }
            if of_type.is_none_or(|of_type| of_type.least < range.least) {
                formulas.push(pool.at_most(&Linear::constant(range.least()), &term));
            }
            if of_type.is_none_or(|of_type| range.greatest < of_type.greatest) {
                formulas.push(pool.at_most(&term, &Linear::constant(range.greatest())));
            }
        }
        formulas
    };
    let formulas = ranges.iter().map(at).collect();
    let graph = Pruned::of_locations(lts, formulas, cut);
    let certified = certified(lts, &mut pool, graph, ask)?;
    Ok(certified.map(|(graph, certificates)| Proved { pool, graph, certificates }))
}

struct IntervalAnalysis<'a> {
    lts: &'a Lts,
    effects: RangeEffects<'a>,
    /// Where ranges stop to grow for a while, in order.
    thresholds: Vec<i128>,
    structure: Structure,
    /// The locations in an order in which loops have their heads first.
    order: Vec<LocationId>,
}

impl<'a> IntervalAnalysis<'a> {
    fn new(lts: &'a Lts) -> IntervalAnalysis<'a> {
        let structure = Structure::new(lts);
        let mut after = DfsPostOrder::new(&lts.graph, lts.entry);
        let mut order: Vec<LocationId> = std::iter::from_fn(|| after.next(&lts.graph)).collect();
        order.reverse();
        let mut thresholds: SortedSet<i128> = near_constants(lts).iter().filter_map(|value| value.to_i64().map(i128::from)).collect();
        let lengths = lts.arrays.iter().filter_map(|array| array.length.as_ref()?.to_i64().map(i128::from));
        thresholds.extend(lengths.flat_map(|length| [length - 1, length]));
        IntervalAnalysis { lts, effects: RangeEffects::new(lts), thresholds: thresholds.into_iter().collect(), structure, order }
    }

    /// The ranges at each location, `None` where no execution gets, and those of the edges whose conditions contradict them.
    fn excluded(&self, goals: &[EdgeId], meter: &mut Meter) -> Result<(Vec<Option<LocationRanges>>, Vec<EdgeId>), Exhausted> {
        let lts = self.lts;
        // 1. and 2.
        let mut ranges: Vec<Option<LocationRanges>> = vec![None; lts.graph.node_count()];
        ranges[lts.entry.index()] = Some(self.effects.first());
        let mut grown = vec![0; lts.graph.node_count()];
        let mut is_waiting = vec![false; lts.graph.node_count()];
        is_waiting[lts.entry.index()] = true;
        let mut sweep = self.order.iter().copied().cycle();
        while is_waiting.contains(&true) {
            let Some(from) = sweep.find(|location| is_waiting[location.index()]) else { break };
            is_waiting[from.index()] = false;
            let Some(before) = ranges[from.index()].clone() else { continue };
            for (edge, to) in lts.outgoing(from) {
                self.spend(meter, &before)?;
                let Some(after) = self.effects.after(from, edge, before.clone()) else { continue };
                let joined = match &ranges[to.index()] {
                    None => after,
                    Some(old) => {
                        let joined = self.effects.joined(old, &after);
                        if joined == *old {
                            continue;
                        }
                        grown[to.index()] += 1;
                        match grown[to.index()] {
                            _ if !self.structure.is_loop_header(to) => joined,
                            ..=DELAY => joined,
                            times if times <= DELAY + JUMPS => self.effects.widened(old, &joined, &self.thresholds),
                            _ => self.effects.widened(old, &joined, &[]),
                        }
                    }
                };
                ranges[to.index()] = Some(joined);
                is_waiting[to.index()] = true;
            }
        }
        // 3.
        for _ in 0..PASSES {
            for &to in self.order.iter().filter(|&&to| to != lts.entry) {
                let mut joined: Option<LocationRanges> = None;
                for (edge, from) in lts.graph.edges_directed(to, Direction::Incoming).map(|edge| (edge.id(), edge.source())) {
                    let Some(before) = &ranges[from.index()] else { continue };
                    self.spend(meter, before)?;
                    let Some(after) = self.effects.after(from, edge, before.clone()) else { continue };
                    joined = Some(joined.map_or_else(|| after.clone(), |joined| self.effects.joined(&joined, &after)));
                }
                ranges[to.index()] = joined;
            }
        }
        // 4.
        let is_excluded = |&edge: &EdgeId| {
            let (_, from, _) = lts.edge(edge);
            ranges[from.index()].as_ref().is_some_and(|before| self.effects.after(from, edge, before.clone()).is_none())
        };
        let cut = goals.iter().copied().filter(is_excluded).collect();
        Ok((ranges, cut))
    }

    fn spend(&self, meter: &mut Meter, held: &LocationRanges) -> Result<(), Exhausted> {
        meter.spend(1 + held.len() as u64 / RANGES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::lower::{IntegerModel, Options, lower_with};
    use crate::lts::text::label;
    use crate::run::trace::Silent;

    /// The conditions that the intervals exclude.
    fn excluded(text: &str) -> Vec<String> {
        let program = crate::lang::parse(text).program.expect("no error");
        let options = Options { ints: IntegerModel::C32, ..Options::default() };
        let lts = lower_with(&program, Some("f"), &options).expect("no error").lts;
        let untaken: Vec<EdgeId> = lts.graph.edge_indices().collect();
        let query = FactQuery { untaken: &untaken, ..FactQuery::default() };
        // Any edge may be a goal: each is asked of by itself.
        let each = untaken.iter().filter(|&&edge| {
            let query = FactQuery { untaken: &[edge], ..query };
            let proved = Intervals.show(&lts, &query, &mut Meter::new(1_000_000), &Trace::new(&mut Silent));
            proved.iter().any(|proved| proved.graph.cut.iter().any(|(_, cut)| *cut == edge))
        });
        each.map(|&edge| label(&lts, &lts.graph[edge])).collect()
    }

    #[test]
    fn bounds_exclude_conditions() {
        for (text, expected) in [
            ("int f(void) { int i; for (i = 0; i < 10; i++); if (i > 10) return 1; return 0; }", vec!["i > 10"]),
            (
                "int f(int c) { int n = 0; while (c-- > 0) if (++n > 3) break; if (n > 4) return 1; if (n == 5) return 1; return 0; }",
                vec!["n > 4", "n == 5"],
            ),
            (
                "int f(int x) { int a[2] = {0}; a[1] = x % 5; if (a[1] > 4) return 1; if (a[0] != 0) return 1; return 0; }",
                vec!["a[1] > 4", "a[0] != 0"],
            ),
            ("int f(int x) { int a[2] = {0}; a[x & 1] = 7; if (a[0] > 7) return 1; return 0; }", vec!["a[0] > 7"]),
            ("int f(void) { char s[3] = \"ab\"; int k = 0; while (s[k]) k++; if (k > 2) return 1; return 0; }", vec!["k > 2"]),
            ("int f(unsigned x) { x = x / 2; if (x > 0x80000000u) return 1; return 0; }", vec!["x > 2147483648"]),
            // Only a relation of two variables excludes it.
            ("int f(int x, int y) { if (x < y) if (y < x) return 1; return 0; }", vec![]),
        ] {
            assert_eq!(excluded(text), expected, "{text}");
        }
    }
}
