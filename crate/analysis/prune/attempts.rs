//! Attempts: builds with what the caller asks for, and where that does not end, with the most that does.
//!
//! Source: none; AGVW16, Sections III and V, leave it to the user to find a lookahead and a switch of restarts with which the
//! analysis ends. Which do is not known before: chains of restarts can be endless at any lookahead, and at a long one all
//! occurrences of a loop may have different futures.
//!
//! 1. What the caller asks for may use a third of the steps. Mostly it ends, or would never end: of 2,440 random programs with
//!    two or three variables three did not end, and no other took more than a twentieth of the share.
//! 2. If it does not end: lookaheads without restarts, from none on upwards by doubling, as long as they end. What ends takes a
//!    few thousand steps as a rule, so this loses one share, that of the first that does not end. The caller's own lookahead
//!    comes last, if the first attempt restarted at all: else it would do the same once more.
//! 3. The longest lookahead that ended gets an attempt with restarts too. Each of these may use an eighth of the steps left then,
//!    or a quarter.
//! 4. If that does not end, build the one without restarts again. [`crate::states`] still knows what it computed of sets, so that
//!    costs less than before; 2 and 3 leave so many steps for it. If nothing ended, take what stands as far as it came: it is
//!    sound all the same.

use super::red::RedBlack;
use super::{Happened, Settings, Unended, build};
use crate::lts::structure::Structure;
use crate::solver::meter::Exhausted;
use crate::states::Ask;

/// Builds the graph within so many steps, with the settings of the graph or with less.
///
/// # Errors
/// When no attempt ended within its share of the steps, or the caller wants to stop.
pub fn best_that_ends(graph: &mut RedBlack, structure: &Structure, steps: u64, ask: &mut Ask) -> Result<(), Exhausted> {
    let asked = graph.settings;
    let last = ask.meter.used().saturating_add(steps);
    let left = |ask: &Ask| last.saturating_sub(ask.meter.used());
    // 1.
    let is_least = asked.lookahead == 0 && !asked.restarts;
    if ends(graph, structure, if is_least { steps } else { steps / 3 }, ask)? {
        return Ok(());
    }
    graph.unended = Some(unended(graph, structure));
    if is_least {
        return Err(Exhausted::Steps);
    }
    // 2.
    let mut taken: Option<(Settings, u64)> = None;
    let mut standing = graph.settings;
    for lookahead in lesser(&asked, graph.restarts > 0) {
        standing = Settings { lookahead, restarts: false, ..asked };
        begin_anew(graph, standing);
        let before = ask.meter.used();
        let share = taken.map_or(left(ask), |(_, cost)| left(ask).saturating_sub(cost) / 8);
        if !ends(graph, structure, share, ask)? {
            break;
        }
        taken = Some((standing, ask.meter.used() - before));
    }
    let Some((best, cost)) = taken else { return Err(Exhausted::Steps) };
    // 3.
    if asked.restarts && best.lookahead < asked.lookahead {
        let restarting = Settings { restarts: true, ..best };
        begin_anew(graph, restarting);
        if ends(graph, structure, left(ask).saturating_sub(cost) / 4, ask)? {
            return Ok(());
        }
        standing = restarting;
    }
    // 4.
    if (standing.lookahead, standing.restarts) == (best.lookahead, best.restarts) {
        return Ok(());
    }
    begin_anew(graph, best);
    if ends(graph, structure, left(ask), ask)? { Ok(()) } else { Err(Exhausted::Steps) }
}

/// Goes on with the construction, within so many steps; gives whether it ended.
fn ends(graph: &mut RedBlack, structure: &Structure, share: u64, ask: &mut Ask) -> Result<bool, Exhausted> {
    let outer = ask.meter.narrow(share);
    let built = build(graph, structure, ask);
    ask.meter.widen(outer);
    match built {
        Ok(()) => Ok(true),
        Err(Exhausted::Steps) => Ok(false),
        Err(Exhausted::Cancelled) => Err(Exhausted::Cancelled),
    }
}

fn begin_anew(graph: &mut RedBlack, settings: Settings) {
    graph.settings = settings;
    graph.begin_anew();
    graph.emit(Happened::Anew { lookahead: settings.lookahead, restarts: settings.restarts });
}

/// 2.
fn lesser(asked: &Settings, restarted: bool) -> Vec<u32> {
    let halves = std::iter::successors(Some(asked.lookahead), |&lookahead| (lookahead > 0).then_some(lookahead / 2));
    let mut found: Vec<u32> = halves.skip(usize::from(!restarted)).collect();
    found.reverse();
    found
}

/// Why an attempt did not end: what it did most.
fn unended(graph: &RedBlack, structure: &Structure) -> Unended {
    let mut unfolded = vec![0; graph.states.lts.graph.node_count()];
    for vertex in graph.vertices.iter().filter(|vertex| vertex.alive && vertex.unfolded) {
        if structure.is_loop_header(vertex.location) {
            unfolded[vertex.location.index()] += 1;
        }
    }
    let most = graph.states.lts.graph.node_indices().max_by_key(|location| unfolded[location.index()]);
    // A restart unfolds again what it destroyed.
    let most = most.filter(|location| unfolded[location.index()] > 2 * graph.restarts);
    most.map_or(Unended::Restarts(graph.restarts), |header| Unended::Unfolded { header, times: unfolded[header.index()] })
}
