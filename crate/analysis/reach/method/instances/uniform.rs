//! Uniform loops in a scope: their looping condition, and what their rounds leave in arrays, without writing rounds out.

use super::{Changed, InstanceScope, Looping, RoundInstances, implication};
use crate::analysis::reach::method::summary::uniform::{RoundWrite, Uniform};
use crate::logic::{Assignment, FormulaId, Int, Linear, Pool};
use crate::symex::nondet_name;

impl Looping {
    /// What is true of the loop, if it is uniform.
    pub fn uniform(&self) -> Option<&Uniform> {
        self.summary.uniform.as_ref()
    }

    /// What the round after so many draws as the `k`-th value.
    fn drawn(&self, pool: &mut Pool, uniform: &Uniform, k: u32, before: &Linear) -> Linear {
        match uniform.filled_with(pool, k).cloned() {
            Some(RoundWrite { array, index, .. }) => {
                let mut scope = self.entry.clone();
                scope.atoms.insert(self.summary.rounds[0].counter, before.clone());
                let index = scope.term(pool, &index);
                let left = self.outside().array(pool, self.summary.memory.array(array));
                pool.select(left, &index)
            }
            None => {
                let array = pool.array_symbol(&format!("@{}~{}", nondet_name(k), self.position));
                pool.select(array, before)
            }
        }
    }

    /// The scope of the round after so many.
    fn round(&self, pool: &mut Pool, uniform: &Uniform, before: &Linear) -> InstanceScope {
        let mut scope = self.entry.clone();
        scope.atoms.insert(self.summary.rounds[0].counter, before.clone());
        for &k in &uniform.draws {
            let value = self.drawn(pool, uniform, k, before);
            scope.atoms.insert(pool.integer(&nondet_name(k)).terms()[0].0, value);
        }
        scope
    }

    /// The scope of the way that goes through the loop, for symbols of the summary.
    fn outside(&self) -> InstanceScope {
        InstanceScope { suffix: self.entry.suffix.clone(), ..InstanceScope::default() }
    }
}

impl RoundInstances {
    /// What the round after so many of a uniform loop draws in a model as the `k`-th value.
    pub fn drawn(&self, pool: &mut Pool, model: &Assignment, at: usize, before: &Int, k: u32) -> Int {
        let looping = &self.loops[at];
        let term = looping.uniform().map(|uniform| looping.drawn(pool, uniform, k, &Linear::constant(before.clone())));
        term.and_then(|term| model.linear(pool, &term)).unwrap_or_default()
    }

    /// The looping condition of a uniform loop: that of its first round and of its last. `None` for other loops.
    pub(super) fn ends(&self, pool: &mut Pool, at: usize) -> Option<FormulaId> {
        let looping = &self.loops[at];
        let uniform = looping.uniform()?;
        let last = looping.rounds.add_constant(&Int::MINUS_ONE);
        let mut parts = Vec::new();
        for before in [Linear::default(), last] {
            let mut scope = looping.round(pool, uniform, &before);
            parts.extend(uniform.conditions.iter().map(|&part| scope.formula(pool, part)));
            if before == Linear::default() {
                continue;
            }
            let mut outside = looping.outside();
            for (symbol, value) in &uniform.left {
                let (symbol, value) = (outside.term(pool, &Linear::atom(*symbol)), scope.term(pool, value));
                parts.push(pool.equal(&symbol, &value));
            }
        }
        let some = pool.at_most(&Linear::constant(1), &looping.rounds);
        let guard = pool.and(&[looping.guard, some]);
        Some(implication(pool, guard, &parts))
    }

    /// What is known of an element of an array that a uniform loop changes: what the round wrote that wrote it, or what was there before.
    pub(super) fn written(&mut self, pool: &mut Pool, changed: Changed, element: &Linear, index: &Linear, first: &Linear) -> FormulaId {
        let at = changed.at;
        let Some(uniform) = self.loops[at].summary.uniform.clone() else { return Pool::TRUE };
        let looping = &self.loops[at];
        let Some(write) = uniform.writes.iter().find(|write| write.array == changed.array) else { return Pool::TRUE };
        let start = looping.round(pool, &uniform, &Linear::default()).term(pool, &write.index);
        let distance = index.sub(&start);
        let (round, rest) = self.quotient(pool, write, &distance);
        let looping = &self.loops[at];
        // A round that wrote it.
        let mut scope = looping.round(pool, &uniform, &round);
        let value = scope.term(pool, &write.value);
        let mut wrote = vec![pool.equal(element, &value)];
        wrote.extend(uniform.elements.iter().map(|&part| scope.formula(pool, part)));
        let (is_first, is_last) = (pool.at_most(&Linear::default(), &round), pool.less(&round, &looping.rounds));
        let is_whole = pool.equal(&rest.0, &Linear::default());
        let is_written = pool.and(&[is_first, is_last, is_whole]);
        let denied = pool.not(is_written);
        let same = pool.equal(element, first);
        let (wrote, kept) = (implication(pool, is_written, &wrote), implication(pool, denied, &[same]));
        implication(pool, looping.guard, &[rest.1, wrote, kept])
    }

    /// The round that writes at this distance from where the first one does; with what is left over, which is 0 where one does, and what
    /// makes them so.
    fn quotient(&mut self, pool: &mut Pool, write: &RoundWrite, distance: &Linear) -> (Linear, (Linear, FormulaId)) {
        if write.stride.abs().is_one() {
            return (distance.scale(&write.stride), (Linear::default(), Pool::TRUE));
        }
        self.quotients += 1;
        let round = pool.integer(&format!("@round{}", self.quotients));
        let rest = pool.integer(&format!("@rest{}", self.quotients));
        let sum = round.scale(&write.stride).add(&rest);
        let parts =
            [pool.equal(distance, &sum), pool.at_most(&Linear::default(), &rest), pool.less(&rest, &Linear::constant(write.stride.abs()))];
        (round, (rest, pool.and(&parts)))
    }
}
