//! A walk of the solver along the paths of runs.

use super::model::Model;
use super::runs::KeptRun;
use crate::lts::Lts;
use crate::search::{PathPrefix, SearchStep};
use crate::solver::meter::Meter;
use crate::solver::questions::QueryLog;
use crate::symex::assignment_of;
use std::rc::Rc;

/// A walk, and the reached state where it is.
pub struct ModelWalk<'a> {
    pub walk: PathPrefix<'a>,
    at: usize,
}

impl<'a> ModelWalk<'a> {
    /// At the entry.
    pub fn new(lts: &'a Lts) -> ModelWalk<'a> {
        ModelWalk { walk: PathPrefix::new(lts), at: 0 }
    }

    /// Moves the walk to a reached state of the model, which runs of these tests have made; gives whether it got there.
    pub fn go(&mut self, to: usize, model: &Model, tests: &[KeptRun], meter: &mut Meter, log: &dyn QueryLog) -> bool {
        let (mut ahead, mut edges) = (to, Vec::new());
        while self.at != ahead {
            let (here, there) = (&model.reached[self.at], &model.reached[ahead]);
            match (here.parent, there.parent) {
                (Some((shorter, _)), _) if here.length >= there.length => {
                    self.walk.back();
                    self.at = shorter;
                }
                (_, Some((shorter, edge))) => {
                    edges.push((edge, ahead));
                    ahead = shorter;
                }
                _ => break,
            }
        }
        // The input of the run that got there takes the path, so no step has to ask.
        let run = model.reached[to].run;
        if let Some(test) = tests.get(run) {
            if meter.spend(edges.len() as u64).is_err() {
                return false;
            }
            let values = Rc::new(assignment_of(&test.input, self.walk.pool_mut()));
            for (edge, next) in edges.into_iter().rev() {
                self.walk.adopt(values.clone());
                if let SearchStep::Infeasible(_) = self.walk.step(edge, meter, log) {
                    break;
                }
                self.at = next;
            }
        }
        self.at == to
    }
}
