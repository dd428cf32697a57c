//! Uniform drawing of complete paths of length at most `L`: the recursive method with exact integers.
//!
//! All complete paths of length at most `L` have a *rank* from 0 to `P(L) - 1`: at each junction first the path that
//! ends there, then those along the first arm, then those along the second. The sampler draws a rank uniformly and walks
//! down the table of counts: exactly uniform, no floating-point weights.
//!
//! Decision: random bits come from PCG XSL-RR 128/64 (`rand_pcg`), whose publication fixes its output on every machine.
//! This module turns raw 64-bit words into numbers and paths itself, and seeds the generator directly (not through
//! `seed_from_u64`), so that no update of a crate changes what a seed draws.

use super::{Graph, Target, words};
use crate::lts::EdgeId;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use std::fmt;

/// The stream of the generator (PCG's published default); part of what a seed means.
const STREAM: u128 = 0x0a02_bdbf_7bb3_c0a7_ac28_fa16_a64a_bf96;

/// A portable source of random bits: the same seed gives the same numbers on every machine and in the browser.
pub struct Random(Pcg64);

impl Random {
    /// The source for a seed.
    pub fn new(seed: u64) -> Random {
        Random(Pcg64::new(u128::from(seed), STREAM))
    }

    /// A uniform number below `bound`: draws as many bits as `bound - 1` has, low words first, until the number fits.
    ///
    /// `bound` must not be zero.
    pub fn below(&mut self, bound: &BigUint) -> BigUint {
        debug_assert!(!bound.is_zero(), "nothing lies below zero");
        let bits = (bound - 1u8).bits();
        loop {
            let mut digits = Vec::with_capacity(bits.div_ceil(32) as usize);
            for _ in 0..bits.div_ceil(64) {
                let word = self.0.next_u64();
                digits.extend([word as u32, (word >> 32) as u32]);
            }
            // Only the low `bits` bits count; on average at most one in two attempts is rejected.
            digits.truncate(bits.div_ceil(32) as usize);
            if let (Some(top), spare @ 1..) = (digits.last_mut(), (32 - bits % 32) % 32) {
                *top &= u32::MAX >> spare;
            }
            let number = BigUint::new(digits);
            if number < *bound {
                return number;
            }
        }
    }
}

/// The table that drawing needs would be larger than allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The length that was asked for.
    pub length: u32,
    /// The length up to which the table fits.
    pub fits: u32,
    /// The bytes allowed.
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { length, fits, limit } = self;
        write!(f, "drawing paths of length up to {length} needs more than {} MB of counts; up to {fits} fits", limit >> 20)
    }
}
impl std::error::Error for TooLarge {}

/// Draws complete paths of length at most `L`.
pub struct Sampler<'g> {
    graph: &'g Graph,
    length: u32,
    /// `table[j][k]`: suffixes of length at most `k` from junction `j`; the last entry stands for all greater `k`.
    table: Vec<Vec<BigUint>>,
    population: BigUint,
}

impl<'g> Sampler<'g> {
    /// The bytes that a table may take by default: it fits into a browser's tab.
    pub const DEFAULT_LIMIT: u64 = 256 << 20;

    /// Builds the table for paths of length at most `length`.
    ///
    /// # Errors
    /// [`TooLarge`] when the counts would need more than `limit` bytes (estimated the same on every machine).
    pub fn new(graph: &'g Graph, length: u32, limit: u64) -> Result<Sampler<'g>, TooLarge> {
        let mut table: Vec<Vec<BigUint>> = vec![Vec::new(); graph.junctions.len()];
        let mut bytes = 0;
        let mut equal = 0;
        for k in 0..=length {
            let layer: Vec<BigUint> = (graph.junctions.iter())
                .map(|junction| graph.suffixes(junction, k, |target, weight| &table[target as usize][(k - weight) as usize]))
                .collect();
            // A number's words, its header and what an allocation adds.
            bytes += layer.iter().map(|value| 8 * words(value) + 40).sum::<u64>();
            if bytes > limit {
                return Err(TooLarge { length, fits: k.saturating_sub(1), limit });
            }
            let changed = table.iter().zip(&layer).any(|(row, value)| row.last() != Some(value));
            table.iter_mut().zip(layer).for_each(|(row, value)| row.push(value));
            equal = if changed { 0 } else { equal + 1 };
            if equal >= graph.longest_arm {
                break;
            }
        }
        let mut sampler = Sampler { graph, length, table, population: BigUint::zero() };
        if let Some(start) = graph.start.filter(|start| start.weight <= length) {
            sampler.population = sampler.suffixes(start.target, length - start.weight);
        }
        Ok(sampler)
    }

    /// The number of paths there are to draw from: `P(L)`.
    pub fn population(&self) -> &BigUint {
        &self.population
    }

    /// A uniformly drawn path; `None` when there is no complete path of length at most `L`.
    pub fn draw(&self, random: &mut Random) -> Option<Vec<EdgeId>> {
        if self.population.is_zero() {
            return None;
        }
        self.path(random.below(&self.population))
    }

    /// The path with this rank; `None` for ranks from [`Sampler::population`] on. Going through all ranks lists every
    /// path once.
    pub fn path(&self, mut rank: BigUint) -> Option<Vec<EdgeId>> {
        let mut arm = self.graph.start.as_ref()?;
        if rank >= self.population {
            return None;
        }
        let mut rest = self.length;
        let mut path = Vec::new();
        loop {
            self.graph.walk(arm, |edge| path.push(edge));
            rest -= arm.weight;
            let Target::Junction(number) = arm.target else { return Some(path) };
            let junction = &self.graph.junctions[number as usize];
            if junction.last {
                if rank.is_zero() {
                    return Some(path);
                }
                rank -= 1u8;
            }
            arm = (junction.arms.iter().filter(|arm| arm.weight <= rest))
                .find(|arm| {
                    let count = self.suffixes(arm.target, rest - arm.weight);
                    let here = rank < count;
                    if !here {
                        rank -= count;
                    }
                    here
                })
                .expect("the rank lies below the sum over the arms");
        }
    }

    fn suffixes(&self, target: Target, length: u32) -> BigUint {
        match target {
            Target::End => BigUint::one(),
            Target::Junction(target) => {
                let row = &self.table[target as usize];
                row[(length as usize).min(row.len() - 1)].clone()
            }
        }
    }
}
