//! Algorithm 1, SymbolicExecutionStep, as BiTe makes it (Section 5.2): diverts a known run along a frontier edge.

use super::{Bidirectional, TRIED};
use crate::analysis::branches::method::model::Gap;
use crate::interp::Input;
use crate::logic::Pool;
use crate::lts::EdgeId;
use crate::search::SearchStep;
use crate::solver::Answer;
use crate::solver::meter::{Exhausted, Meter};
use std::ops::ControlFlow;

impl Bidirectional<'_, '_, '_> {
    /// Algorithm 1: an input that goes along a known run up to the gap, and then to what is wanted.
    pub(super) fn diverted(&mut self, gap: usize, meter: &mut Meter) -> Result<Option<Input>, Exhausted> {
        let Gap { edge, to, tried, .. } = self.model.gaps[gap];
        let from = self.lts.edge(edge).1;
        let states: Vec<usize> = self.model.reached_at[from.index()][tried..].to_vec();
        // The first ones are near the entry; the last ones have got furthest.
        let (first, last) = states.split_at(states.len().saturating_sub(TRIED / 2));
        let chosen: Vec<usize> = last.iter().rev().chain(first.iter().take(TRIED / 2)).copied().collect();
        self.model.gaps[gap].tried += states.len();
        let condition = self.model.target_states[to].condition;
        for state in chosen {
            meter.spend(1)?;
            let trace = self.trace;
            if !self.along.go(state, &self.model, &self.tests, meter, trace) {
                continue;
            }
            if let SearchStep::Infeasible(_) = self.along.walk.step(edge, meter, trace) {
                continue;
            }
            let there = self.along.walk.here(&self.vocabulary.identity, condition).unwrap_or(Pool::FALSE);
            let answer = self.along.walk.ask(there, meter, trace);
            let input = match answer {
                Answer::Sat(model) => Some(self.along.walk.told_input(self.machine, &model, there, meter)),
                _ => None,
            };
            self.along.walk.back();
            meter.spend(0)?;
            // Only what the run shows counts.
            let length = self.model.reached[state].length;
            if let Some(input) = input.filter(|input| self.goes(input, length, edge)) {
                return Ok(Some(input));
            }
        }
        Ok(None)
    }

    /// Whether a run's edge at this position is the edge.
    fn goes(&self, input: &Input, position: usize, edge: EdgeId) -> bool {
        let (mut at, mut goes) = (0, false);
        self.machine.follow(input, position as u64 + 1, |taken| {
            goes = at == position && taken == edge;
            at += 1;
            ControlFlow::Continue(())
        });
        goes
    }
}
