//! Attempts: builds with what the caller asks for, and where that does not end, with the most that does.
//!
//! Source: none; AGVW16, Sections III and V, leave it to the user to find a lookahead, a greatest red length and a switch of restarts
//! with which the analysis ends. Which do is not known before: chains of restarts can be endless at any lookahead, and at a long one
//! all occurrences of a loop may have different futures.
//!
//! 1. What the caller asks for may use a third of the steps. Mostly it ends, or would never end: of 2,440 random programs with
//!    two or three variables three did not end, and no other took more than a twentieth of the share. Where the caller leaves the
//!    lookahead open and the graph is not large, a longer one is tried too.
//! 2. If it does not end: the same with invariants from outside ([`super::outside`]), if these are wanted. And then lookaheads without restarts, from none on upwards by doubling, as long as they end. What ends takes a
//!    few thousand steps as a rule, so this loses one share, that of the first that does not end. The caller's own lookahead
//!    comes last, if the first attempt restarted at all: else it would do the same once more.
//! 3. The longest lookahead that ended gets an attempt with restarts too. Each of these may use an eighth of the steps left then,
//!    or a quarter.
//! 4. If that does not end, build the one without restarts again. [`crate::states`] still knows what it computed of sets, so that
//!    costs less than before; 2 and 3 leave so many steps for it.
//! 5. What the caller asks for, with a greatest red length: an endless chain ends there, and paths go on in the graph of 2 to 4, at a
//!    place that contains the vertex. If several graphs are there in the end, that with the smallest P' stands ([`COMPARED`]). If none
//!    is, take what stands as far as it came: it is sound all the same.
//!
//! Graphs for comparison are built without events; the one that is taken is built once more, with events.

use super::onward::Onward;
use super::red::RedBlack;
use super::unfolded::unfolded;
use super::{Happened, MethodKind, PruneChoices, PrunePlan, Unended, build, outside};
use crate::count::totals;
use crate::invariants::certify::{Confirmed, confirmed};
use crate::lts::structure::Structure;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use num_bigint::BigUint;

/// The lengths at which graphs are compared by their paths; the first counts most.
const COMPARED: [u32; 2] = [40, 100];

/// P' at the lengths compared, of what can be confirmed; and then whether that is less than all.
type Size = (BigUint, BigUint, bool);

/// The greatest red lengths that are tried, as long as they end.
const DEPTHS: [u32; 3] = [20, 40, 80];

/// With more red vertices than so many a graph is large: a longer lookahead would make it larger still.
const LARGE: usize = 1_000;

/// Such a share of the steps left may be used for invariants from outside.
const INVARIANTS: u64 = 16;

/// A construction with its attempts.
pub struct Attempts<'g, 'a, 's, 't, 'k, 'm> {
    pub graph: &'g mut RedBlack<'a, 's, 't>,
    pub structure: &'g Structure,
    /// Where paths go on after the red part.
    pub onward: Option<Onward>,
    pub ask: &'g mut Ask<'k, 'm>,
    /// The step at which the attempts must have ended.
    pub last: u64,
}

impl Attempts<'_, '_, '_, '_, '_, '_> {
    /// Builds the graph, with the settings of the plan or others.
    ///
    /// # Errors
    /// When no attempt ended within its share of the steps, or the caller wants to stop.
    pub fn best_that_ends(&mut self, plan: &PrunePlan) -> Result<(), Exhausted> {
        let requested = plan.settings;
        // 1.
        if self.ends(self.left() / 3)? {
            return self.farther(plan);
        }
        // 2. to 4.
        if plan.invariants && self.knows_more()? {
            self.begin_anew(requested, false);
            if self.ends(self.left() / 3)? {
                return self.farther(plan);
            }
        }
        self.graph.unended = Some(unended(self.graph, self.structure));
        let last = self.last;
        self.last -= self.left() / 3;
        let built = self.lesser(&requested);
        self.last = last;
        if built == Err(Exhausted::Cancelled) || requested.max_red_length.is_some() {
            return built;
        }
        // 5.
        self.down_to_a_depth(&requested, built)
    }

    /// Looks for invariants; gives whether `learn` knows more now.
    fn knows_more(&mut self) -> Result<bool, Exhausted> {
        if self.graph.settings.abstraction != MethodKind::Learn || self.onward.is_some() {
            return Ok(false);
        }
        let lts = self.graph.states.lts;
        let share = self.left() / INVARIANTS;
        let found = outside::invariants(&mut self.graph.states, share, self.ask.meter, self.graph.trace);
        self.ask.meter.spend(1)?;
        let Some(found) = found else { return Ok(false) };
        self.graph.outside = lts.graph.node_indices().map(|location| found.formulas(location).to_vec()).collect();
        self.onward = Some(found);
        Ok(self.graph.outside.iter().any(|formulas| !formulas.is_empty()))
    }

    fn left(&self) -> u64 {
        self.last.saturating_sub(self.ask.meter.used())
    }

    /// How small the graph is; `None` without the steps to confirm it.
    fn size(&mut self) -> Result<Option<Size>, Exhausted> {
        let pruned = unfolded(self.graph, self.onward.as_ref(), self.ask);
        let confirmed = self.ask.within(self.left() / 4, |ask| confirmed(&mut self.graph.states, pruned, ask));
        match confirmed {
            Ok(Confirmed { pruned, doubt, .. }) => {
                let [near, far] = COMPARED.map(|length| totals(&pruned.graph(), &[length]).remove(0));
                Ok(Some((near, far, doubt.is_some())))
            }
            Err(Exhausted::Steps) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// Goes on with the construction, within so many steps; gives whether it ended.
    fn ends(&mut self, share: u64) -> Result<bool, Exhausted> {
        let built = self.ask.within(share, |ask| build(self.graph, self.structure, ask));
        match built {
            Ok(()) => Ok(true),
            Err(Exhausted::Steps) => Ok(false),
            Err(Exhausted::Cancelled) => Err(Exhausted::Cancelled),
        }
    }

    fn begin_anew(&mut self, settings: PruneChoices, smaller: bool) {
        self.graph.settings = settings;
        self.graph.begin_anew();
        let PruneChoices { lookahead, restarts, max_red_length, .. } = settings;
        self.graph.emit(Happened::Anew { lookahead, restarts, max_red_length, smaller });
    }

    /// The smallest of these, as far as they end within a quarter of the steps left, if it is smaller than that. Leaves the graph as it
    /// stands.
    fn smaller(&mut self, mut than: Option<Size>, settings: &[PruneChoices]) -> Result<Option<PruneChoices>, Exhausted> {
        let kept = self.graph.saved();
        self.graph.muted = true;
        let mut found = None;
        let mut ended = Ok(true);
        for &settings in settings {
            self.begin_anew(settings, true);
            ended = self.ends(self.left() / 4);
            if ended != Ok(true) {
                break;
            }
            match self.size() {
                Ok(Some(size)) if than.as_ref().is_none_or(|than| size < *than) => (than, found) = (Some(size), Some(settings)),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(why) => {
                    ended = Err(why);
                    break;
                }
            }
        }
        self.graph.put_back(kept);
        self.graph.muted = false;
        ended.map(|_| found)
    }

    /// Builds what was found to be smaller.
    fn take(&mut self, settings: PruneChoices) -> Result<(), Exhausted> {
        self.begin_anew(settings, true);
        if self.ends(self.left())? { Ok(()) } else { Err(Exhausted::Steps) }
    }

    /// A longer lookahead where that leaves fewer paths; not on large graphs.
    fn farther(&mut self, plan: &PrunePlan) -> Result<(), Exhausted> {
        let Some(lookahead) = plan.farther.filter(|&farther| farther > plan.settings.lookahead) else { return Ok(()) };
        if self.graph.vertices.iter().filter(|vertex| vertex.alive).count() > LARGE {
            return Ok(());
        }
        let Some(size) = self.size()? else { return Ok(()) };
        if plan.invariants {
            self.knows_more()?;
        }
        match self.smaller(Some(size), &[PruneChoices { lookahead, ..plan.settings }])? {
            Some(settings) => self.take(settings),
            None => Ok(()),
        }
    }

    /// 2. to 4.
    fn lesser(&mut self, requested: &PruneChoices) -> Result<(), Exhausted> {
        let mut taken: Option<(PruneChoices, u64)> = None;
        let mut standing = self.graph.settings;
        for lookahead in lesser(requested, self.graph.restarts > 0) {
            standing = PruneChoices { lookahead, restarts: false, ..*requested };
            self.begin_anew(standing, false);
            let before = self.ask.meter.used();
            let share = taken.map_or(self.left(), |(_, cost)| self.left().saturating_sub(cost) / 8);
            if !self.ends(share)? {
                break;
            }
            taken = Some((standing, self.ask.meter.used() - before));
        }
        let Some((best, cost)) = taken else { return Err(Exhausted::Steps) };
        // 3.
        if requested.restarts && best.lookahead < requested.lookahead {
            let restarting = PruneChoices { restarts: true, ..best };
            self.begin_anew(restarting, false);
            if self.ends(self.left().saturating_sub(cost) / 4)? {
                return Ok(());
            }
            standing = restarting;
        }
        // 4.
        if (standing.lookahead, standing.restarts) == (best.lookahead, best.restarts) {
            return Ok(());
        }
        self.begin_anew(best, false);
        if self.ends(self.left())? { Ok(()) } else { Err(Exhausted::Steps) }
    }

    /// 5., beside what 2. to 4. built.
    fn down_to_a_depth(&mut self, requested: &PruneChoices, built: Result<(), Exhausted>) -> Result<(), Exhausted> {
        let than = self.size()?;
        if built.is_ok() {
            let lesser = unfolded(self.graph, self.onward.as_ref(), self.ask);
            self.onward = Some(Onward::new(self.graph.states.lts, &lesser));
        }
        let settings = DEPTHS.map(|depth| PruneChoices { max_red_length: Some(depth), ..*requested });
        match self.smaller(than, &settings)? {
            Some(settings) => self.take(settings),
            None => built,
        }
    }
}

/// 2.
fn lesser(requested: &PruneChoices, restarted: bool) -> Vec<u32> {
    if requested.lookahead == 0 && !requested.restarts {
        return Vec::new();
    }
    let halves = std::iter::successors(Some(requested.lookahead), |&lookahead| (lookahead > 0).then_some(lookahead / 2));
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
