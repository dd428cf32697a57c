//! Attempts: what is asked for, then ever less, until a construction comes to an end.
//!
//! Source: none; AGVW16, Sections III and V, leave it to the user to find a lookahead and a switch of restarts with which the
//! analysis ends. Which do is not known before: chains of restarts can be endless at any lookahead, and at a long one all
//! occurrences of a loop may have different futures.
//!
//! 1. In order: what is asked for; the same without restarts; then both again with half the lookahead, down to none.
//! 2. The first attempt may use a third of the steps, each other one an equal share of what is left. What was computed of sets
//!    of states stays known, so a later attempt does not pay for it again.
//! 3. The first that ends is taken. If none does, the last one stands as far as it came: it is sound all the same.
//!
//! Tried on some 45 small programs outside the examples: several do not end with the default settings. For nine of these all
//! attempts were compared, and the first that ended was the best (fewest paths of length 10, 20 and 30).

use super::red::RedBlack;
use super::{Happened, Settings, build};
use crate::lts::structure::Structure;
use crate::solver::meter::Exhausted;
use crate::states::Ask;

/// Builds the graph within so many steps, with what is asked for or with less.
///
/// # Errors
/// When no attempt ended within its share of the steps, or the caller wants to stop.
pub fn first_that_ends(graph: &mut RedBlack, structure: &Structure, steps: u64, ask: &mut Ask) -> Result<(), Exhausted> {
    let asked = graph.settings;
    let last = ask.meter.used().saturating_add(steps);
    let attempts = attempts(&asked);
    for (number, settings) in attempts.iter().enumerate() {
        if number > 0 {
            graph.settings = *settings;
            graph.begin_anew();
            graph.emit(match settings.restarts == asked.restarts {
                true => Happened::Shortened { lookahead: settings.lookahead },
                false => Happened::Hurried,
            });
        }
        // 2.
        let left = last.saturating_sub(ask.meter.used());
        let share = match (number, attempts.len() - number) {
            (_, 1) => left,
            (0, _) => left / 3,
            (_, others) => left / others as u64,
        };
        let outer = ask.meter.narrow(share);
        let built = build(graph, structure, ask);
        ask.meter.widen(outer);
        // 3.
        match built {
            Ok(()) => return Ok(()),
            Err(Exhausted::Cancelled) => return Err(Exhausted::Cancelled),
            Err(Exhausted::Steps) => {}
        }
    }
    Err(Exhausted::Steps)
}

/// 1.
fn attempts(asked: &Settings) -> Vec<Settings> {
    let mut found = Vec::new();
    let mut lookahead = asked.lookahead;
    loop {
        if asked.restarts {
            found.push(Settings { lookahead, ..*asked });
        }
        found.push(Settings { lookahead, restarts: false, ..*asked });
        if lookahead == 0 {
            return found;
        }
        lookahead /= 2;
    }
}
