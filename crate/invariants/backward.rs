//! Backward: what has to hold at each location so that no execution takes an edge from there.
//!
//! The weakest precondition of "the edge is not taken" goes backward over single steps, as BDP16, Section 4, refines states; where loops
//! begin it ends, so that it exists for every location.
//!
//! 1. At first nothing is required where a loop begins. The preconditions then say what excludes the edge within a round.
//! 2. What 1 requires where a loop begins has to hold after each of its rounds too: the preconditions of that come next, and so on for
//!    some levels. Where the next level requires nothing new, the formulas are inductive.
//! 3. Drawn values are for no formula to speak of: what requires something of them is required without.
//! 4. What is known of each location already, and the preconditions of all levels, are candidates; of them those stay that the cut needs and
//!    that are inductive ([`super::induction`]).

use super::{FactQuery, Proved, Prover, certified};
use crate::evidence::graph::{Pruned, step};
use crate::logic::{Formula, FormulaId, Mentions, Pool, SortedMap, SortedSet, SymbolId};
use crate::lts::structure::Structure;
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::trace::Trace;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use crate::symex::State;

/// Steps for all edges, and for one of several.
const STEPS: u64 = 1_000_000;
const ONE: u64 = 100_000;
/// Of so many edges at most is asked one by one.
const SINGLE: usize = 24;
/// How often what is required where loops begin goes round.
const LEVELS: usize = 3;

/// A formula of so many parts is too large to prove, so nothing is required instead.
const LARGE: usize = 300;

/// A conjunction: for each of the edges what excludes it alone.
type Clauses = Vec<(u32, FormulaId)>;

/// Steps for what is excluded within a round.
const ROUND: u64 = 10_000;

/// Weakest preconditions as a prover.
pub struct Backward;

/// The first level alone, for all edges together: what the way within a round of a loop excludes, as `(unsigned char)c` does a negative
/// argument, takes few steps.
pub struct Round;

impl Prover for Round {
    fn name(&self) -> &'static str {
        "round"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        let edges = query.first(lts);
        let together = |meter: &mut Meter| excluding(lts, &edges, query, 1, &mut Ask { meter, log: trace }).ok().flatten();
        meter.within(ROUND, together).into_iter().collect()
    }
}

impl Prover for Backward {
    fn name(&self) -> &'static str {
        "backward"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        query.together_or_each(lts, (STEPS, ONE, SINGLE), meter, |edges, meter| {
            excluding(lts, edges, query, LEVELS, &mut Ask { meter, log: trace }).ok().flatten()
        })
    }
}

/// A graph that excludes these edges, by so many levels.
fn excluding(lts: &Lts, edges: &[EdgeId], query: &FactQuery, levels: usize, ask: &mut Ask) -> Result<Option<Proved>, Exhausted> {
    let mut pool = Pool::new();
    let mut formulas = vec![Vec::new(); lts.graph.node_count()];
    for (location, facts) in query.at_locations(&mut pool, lts) {
        formulas[location.index()] = facts;
    }
    // 1. to 3.
    for level in Preconditions::new(lts, &mut pool, edges).levels(levels, ask)? {
        for (found, clauses) in formulas.iter_mut().zip(level) {
            let new: Vec<FormulaId> = clauses.into_iter().map(|(_, clause)| clause).filter(|clause| !found.contains(clause)).collect();
            found.extend(new);
        }
    }
    // 4.
    let graph = Pruned::of_locations(lts, formulas, edges);
    let Some((graph, certificates)) = certified(lts, &mut pool, graph, ask)? else { return Ok(None) };
    Ok(Some(Proved { pool, graph, certificates }))
}

struct Preconditions<'p> {
    lts: &'p Lts,
    pool: &'p mut Pool,
    edges: &'p [EdgeId],
    identity: State,
    /// What formulas may speak of.
    spoken: SortedSet<SymbolId>,
    structure: Structure,
}

impl<'p> Preconditions<'p> {
    fn new(lts: &'p Lts, pool: &'p mut Pool, edges: &'p [EdgeId]) -> Preconditions<'p> {
        let identity = State::of_symbols(lts, pool, str::to_owned);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        let spoken = names.map(|name| pool.symbol(name)).collect();
        Preconditions { lts, pool, edges, identity, spoken, structure: Structure::new(lts) }
    }

    /// For each level the precondition at each location, a conjunction.
    fn levels(mut self, most: usize, ask: &mut Ask) -> Result<Vec<Vec<Clauses>>, Exhausted> {
        let order = self.order();
        let mut required: SortedMap<LocationId, Clauses> = SortedMap::new();
        let mut levels: Vec<Vec<Clauses>> = Vec::new();
        for _ in 0..most {
            let mut level = vec![Clauses::new(); self.lts.graph.node_count()];
            for &location in &order {
                level[location.index()] = self.before(location, &level, &required, ask)?;
            }
            let next: SortedMap<LocationId, Clauses> =
                self.structure.loop_headers.iter().map(|&header| (header, level[header.index()].clone())).collect();
            let is_same = next.iter().all(|(header, clauses)| required.get(header) == Some(clauses));
            levels.push(level);
            if is_same {
                break;
            }
            required = next;
        }
        Ok(levels)
    }

    /// The locations, each after those to which its edges lead but for where loops begin.
    fn order(&self) -> Vec<LocationId> {
        let lts = self.lts;
        let mut seen = vec![false; lts.graph.node_count()];
        let mut order = Vec::new();
        for start in std::iter::once(lts.entry).chain(self.structure.loop_headers.iter().copied()) {
            let mut waiting = vec![(start, false)];
            while let Some((location, is_done)) = waiting.pop() {
                if is_done {
                    order.push(location);
                } else if !std::mem::replace(&mut seen[location.index()], true) {
                    waiting.push((location, true));
                    let next = lts.outgoing(location).into_iter().map(|(_, to)| to);
                    waiting.extend(next.filter(|&to| !self.structure.is_loop_header(to)).map(|to| (to, false)));
                }
            }
        }
        order
    }

    /// What has to hold at a location.
    fn before(
        &mut self,
        location: LocationId,
        level: &[Clauses],
        required: &SortedMap<LocationId, Clauses>,
        ask: &mut Ask,
    ) -> Result<Clauses, Exhausted> {
        // What each edge requires, if it is taken.
        let mut ways: Vec<(FormulaId, Clauses)> = Vec::new();
        for (edge, to) in self.lts.outgoing(location) {
            let (condition, mut values) = step(self.lts, self.pool, &self.identity, edge, Vec::new());
            let after = match self.structure.is_loop_header(to) {
                _ if self.edges.contains(&edge) => vec![(edge.index() as u32, Pool::FALSE)],
                true => required.get(&to).cloned().unwrap_or_default(),
                false => level[to.index()].clone(),
            };
            ask.meter.spend(1 + 10 * after.len() as u64)?;
            let mut before = |clause| values.formula(self.pool, clause).unwrap_or(Pool::FALSE);
            let claimed = after.into_iter().map(|(origin, clause)| (origin, before(clause))).collect();
            ways.push((condition, claimed));
        }
        let mut found = Clauses::new();
        let origins: SortedSet<u32> = ways.iter().flat_map(|(_, claimed)| claimed.iter().map(|(origin, _)| *origin)).collect();
        for &origin in &origins {
            let of_origin = |claimed: &Clauses| claimed.iter().find(|(other, _)| *other == origin).map_or(Pool::TRUE, |found| found.1);
            let first = of_origin(&ways[0].1);
            // What every edge requires is required whichever is taken.
            let clause = if ways.iter().all(|(_, claimed)| of_origin(claimed) == first) {
                first
            } else {
                let mut parts = Vec::new();
                for (condition, claimed) in &ways {
                    parts.push([self.pool.not(*condition), of_origin(claimed)]);
                }
                self.factored(&parts)
            };
            let size = self.pool.size(clause, LARGE);
            ask.meter.spend(size as u64 / 4)?;
            if size < LARGE && clause != Pool::TRUE {
                let clause = self.without_drawn(clause, &mut SortedMap::new());
                found.push((origin, clause));
            }
        }
        Ok(found)
    }

    /// The conjunction of these disjunctions, with what all of them allow only once: otherwise it would double at each decision.
    fn factored(&mut self, parts: &[[FormulaId; 2]]) -> FormulaId {
        let parts: Vec<Vec<FormulaId>> = parts.iter().map(|part| self.disjuncts(part)).filter(|part| !part.contains(&Pool::TRUE)).collect();
        let Some(first) = parts.first() else { return Pool::TRUE };
        let common: Vec<FormulaId> = first.iter().copied().filter(|one| parts.iter().all(|part| part.contains(one))).collect();
        let mut rests = Vec::new();
        for part in &parts {
            let rest: Vec<FormulaId> = part.iter().copied().filter(|one| !common.contains(one)).collect();
            rests.push(self.pool.or(&rest));
        }
        let rest = self.pool.and(&rests);
        let all = self.disjuncts(&[&common[..], &[rest]].concat());
        self.pool.or(&all)
    }

    /// What these allow, disjunctions taken apart.
    fn disjuncts(&self, formulas: &[FormulaId]) -> Vec<FormulaId> {
        let mut found = Vec::new();
        let mut waiting = formulas.to_vec();
        while let Some(formula) = waiting.pop() {
            match self.pool.formula(formula) {
                Formula::Or(parts) => waiting.extend(parts.iter()),
                Formula::False => {}
                _ if found.contains(&formula) => {}
                _ => found.push(formula),
            }
        }
        found
    }

    /// A formula that implies this one and does not speak of drawn values: what the formula requires of them is false.
    fn without_drawn(&mut self, formula: FormulaId, memo: &mut SortedMap<FormulaId, FormulaId>) -> FormulaId {
        if Mentions::of(self.pool, &[formula], &[]).symbols.is_subset(&self.spoken) {
            return formula;
        }
        if let Some(&found) = memo.get(&formula) {
            return found;
        }
        let (is_denied, inner) = match self.pool.formula(formula).clone() {
            Formula::Not(inner) => (true, self.pool.formula(inner).clone()),
            plain => (false, plain),
        };
        let (is_and, parts) = match inner {
            Formula::And(parts) => (!is_denied, parts),
            Formula::Or(parts) => (is_denied, parts),
            _ => (false, Box::default()),
        };
        let mut kept = Vec::new();
        for &part in &parts {
            let part = if is_denied { self.pool.not(part) } else { part };
            kept.push(self.without_drawn(part, memo));
        }
        let found = if is_and { self.pool.and(&kept) } else { self.pool.or(&kept) };
        memo.insert(formula, found);
        found
    }
}
