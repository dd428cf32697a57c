//! Finding subsumptions, by abstraction where there is none: the paper's `subsumed` and its three ways of `abs`.
//!
//! A [`Method`] of abstraction proposes what to forget. It cannot make the result wrong: [`RedBlack::can_prop`] computes the
//! configurations that come of the proposal and decides whether the weaker one contains the subsumee's.

use super::configuration::VertexId;
use super::configuration::{Abstraction, Configuration, StateName, defined, is_relation};
use super::red::{PropagationConflict, RedBlack};
use super::{Happened, MethodKind};
use crate::logic::{Arrange, Formula, FormulaId, Linear, Mentions, Pool, SortedMap, SortedSet};
use crate::lts::LocationId;
use crate::solver::meter::Exhausted;
use crate::states::{Ask, SetId, States};
use std::collections::VecDeque;
use std::rc::Rc;

impl RedBlack<'_, '_, '_> {
    /// `subsumed`: 21. to 30.
    pub fn subsumed(&mut self, vertex: VertexId, path: &[VertexId], ask: &mut Ask) -> Result<bool, Exhausted> {
        let location = self.vertex(vertex).location;
        let Some(set) = self.vertex(vertex).set() else { return Ok(false) };
        // DIVERGENCE (learn): every unfolded occurrence whose set contains the vertex' as it is may subsume it, not only those on
        // the path.
        let method = self.settings.abstraction.method();
        if self.settings.abstraction == MethodKind::Learn {
            let others: Vec<VertexId> = (0..self.vertices.len() as VertexId)
                .filter(|&id| {
                    let other = self.vertex(id);
                    id != vertex && other.alive && other.unfolded && other.location == location
                })
                .collect();
            for other in others {
                if let Some(whole) = self.vertex(other).set()
                    && self.states.included(set, whole, ask)?
                    && self.cmp_fp_sets(set, whole, ask)?
                {
                    self.subsume(vertex, other);
                    return Ok(true);
                }
            }
        }
        // 21., 22.
        let candidates: Vec<VertexId> =
            path.iter().copied().filter(|&id| id != vertex && self.vertex(id).location == location && self.vertex(id).unfolded).collect();
        for candidate in candidates {
            let Some(whole) = self.vertex(candidate).set() else { continue };
            // The lookahead of Section IV-B.
            if !self.cmp_fp_sets(set, whole, ask)? {
                continue;
            }
            // 23. to 25.
            if self.states.included(set, whole, ask)? {
                self.subsume(vertex, candidate);
                return Ok(true);
            }
            // 26. to 30.
            if let Some(Weaker { abstraction, configurations }) = self.abs(vertex, candidate, method, ask)? {
                self.tell_abstracted(vertex, candidate, &configurations);
                self.propagate(candidate, abstraction, configurations);
                self.subsume(vertex, candidate);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn subsume(&mut self, vertex: VertexId, by: VertexId) {
        self.subsumption.insert(vertex, by);
        self.emit(Happened::Subsumed { vertex, by });
    }

    /// Lines 26 and 27: `abs`. Gives an abstraction of the candidate with which it subsumes the vertex, and the configurations
    /// that the abstraction makes of those below; `None` where the method has none that can be propagated.
    fn abs(&mut self, vertex: VertexId, candidate: VertexId, method: &dyn Method, ask: &mut Ask) -> Result<Option<Weaker>, Exhausted> {
        let Some(mut part) = self.vertex(vertex).set() else { return Ok(None) };
        loop {
            let Some(abstraction) = method.propose(self, vertex, candidate, part, ask)? else { return Ok(None) };
            match self.can_prop(candidate, &abstraction, vertex, ask)? {
                Ok(configurations) => return Ok(Some(Weaker { abstraction, configurations })),
                // Propagating weakens the subsumee's own configuration too: propose for that one, where the method can.
                Err(PropagationConflict::New(weaker)) if method.goes_on() && weaker != part => part = weaker,
                Err(_) => return Ok(None),
            }
        }
    }

    fn tell_abstracted(&self, vertex: VertexId, candidate: VertexId, new: &SortedMap<VertexId, Configuration>) {
        if let (Some(before), Some(after)) = (self.vertex(candidate).set(), new[&candidate].set) {
            let kept = self.states.conjuncts(after);
            let forgotten: Vec<FormulaId> =
                self.states.conjuncts(before).iter().copied().filter(|formula| !kept.contains(formula)).collect();
            self.emit(Happened::Abstracted { vertex: candidate, for_vertex: vertex, forgotten: &forgotten, kept });
        }
    }

    /// Whether a set implies `Φ` of the vertex.
    fn within_limit(&mut self, set: SetId, vertex: VertexId, ask: &mut Ask) -> Result<bool, Exhausted> {
        for formula in self.vertex(vertex).limit.clone() {
            if !self.states.implies(set, formula, ask)? {
                return Ok(false);
            }
        }
        // DIVERGENCE (learn): what a restart learned at another occurrence of the location limits this one too, if it holds here.
        if self.settings.abstraction == MethodKind::Learn
            && let Some(whole) = self.vertex(vertex).set()
        {
            for formula in self.learned[self.vertex(vertex).location.index()].clone() {
                if self.states.implies(whole, formula, ask)? && !self.states.implies(set, formula, ask)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn weakened(&mut self, vertex: VertexId, abstraction: &Abstraction, ask: &mut Ask) -> Result<Option<SetId>, Exhausted> {
        let location = self.vertex(vertex).location;
        // Most proposals are in vain, so this computes the set alone.
        if let (Abstraction::Keep(formulas), Some(set)) = (abstraction, self.vertex(vertex).set()) {
            return Ok(Some(Configuration::keeping(&mut self.states, location, set, formulas, ask)?.0));
        }
        let weaker: Configuration = self.vertex(vertex).top().clone().abstracted(&mut self.states, location, abstraction, ask)?;
        Ok(weaker.set)
    }
}

/// An abstraction that can be propagated, and the configurations that come of it.
struct Weaker {
    abstraction: Abstraction,
    configurations: SortedMap<VertexId, Configuration>,
}

/// A way to find abstractions.
pub trait Method {
    /// What to forget at the candidate so that its set contains `part`, the set of the vertex, and still implies `Φ`; `None`
    /// where the method knows nothing.
    fn propose(
        &self,
        graph: &mut RedBlack,
        vertex: VertexId,
        candidate: VertexId,
        part: SetId,
        ask: &mut Ask,
    ) -> Result<Option<Abstraction>, Exhausted>;

    /// Whether to propose again when the propagation weakens the subsumee too.
    fn goes_on(&self) -> bool {
        false
    }
}

impl MethodKind {
    fn method(self) -> &'static dyn Method {
        match self {
            MethodKind::Drop => &ByDropping,
            MethodKind::Havoc => &ByHavoc,
            MethodKind::Learn => &ByLearning,
        }
    }
}

/// The first of ever weaker abstractions whose set contains `part`; `None` if one before it gives `Φ` up.
fn first_sufficient(
    graph: &mut RedBlack,
    candidate: VertexId,
    part: SetId,
    weaker: impl Iterator<Item = Abstraction>,
    ask: &mut Ask,
) -> Result<Option<Abstraction>, Exhausted> {
    for abstraction in weaker {
        let Some(set) = graph.weakened(candidate, &abstraction, ask)? else { return Ok(None) };
        if !graph.within_limit(set, candidate, ask)? {
            return Ok(None);
        }
        if graph.states.included(part, set, ask)? {
            return Ok(Some(abstraction));
        }
    }
    Ok(None)
}

/// The paper's method 1: the conjuncts of the path predicate, oldest first, one more each time.
struct ByDropping;

impl Method for ByDropping {
    fn propose(
        &self,
        graph: &mut RedBlack,
        _vertex: VertexId,
        candidate: VertexId,
        part: SetId,
        ask: &mut Ask,
    ) -> Result<Option<Abstraction>, Exhausted> {
        let predicate = graph.vertex(candidate).top().predicate.clone();
        first_sufficient(graph, candidate, part, (1..=predicate.len()).map(|dropped| Abstraction::Drop(predicate[..dropped].to_vec())), ask)
    }
}

/// The paper's method 2: fresh values for the variables defined between the two, one more each time, in the order of
/// their declarations.
struct ByHavoc;

impl Method for ByHavoc {
    fn propose(
        &self,
        graph: &mut RedBlack,
        vertex: VertexId,
        candidate: VertexId,
        part: SetId,
        ask: &mut Ask,
    ) -> Result<Option<Abstraction>, Exhausted> {
        let mut names: Vec<StateName> = Vec::new();
        let between = graph.path_to(vertex).into_iter().skip(graph.vertex(candidate).depth as usize + 1);
        for (_, edge) in between.filter_map(|id| graph.vertex(id).parent).collect::<Vec<_>>() {
            if let Some(name) = defined(graph.states.lts, edge)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names.arrange();
        first_sufficient(graph, candidate, part, (1..=names.len()).map(|havocked| Abstraction::Havoc(names[..havocked].to_vec())), ask)
    }
}

/// Ours: of all that the candidate's set is known to imply, what the subsumee implies too.
///
/// 1. Known are the conjuncts of the candidate's set, equations as two inequalities; sums and differences of an equation and
///    another conjunct, which relate variables; what the decisions ahead ask; the conditions that restarts learned; and the
///    invariants from outside.
/// 2. Of these the abstraction keeps what the subsumee implies.
/// 3. The result must imply `Φ` and have the same feasible paths up to the lookahead as before: the method gives up an
///    abstraction that lets infeasible paths in within the lookahead.
struct ByLearning;

impl Method for ByLearning {
    fn propose(
        &self,
        graph: &mut RedBlack,
        _vertex: VertexId,
        candidate: VertexId,
        part: SetId,
        ask: &mut Ask,
    ) -> Result<Option<Abstraction>, Exhausted> {
        let Some(whole) = graph.vertex(candidate).set() else { return Ok(None) };
        // 1.
        let mut facts = match graph.consequences.get(&whole) {
            Some(facts) => facts.to_vec(),
            None => {
                let mut facts = consequences(&mut graph.states, whole);
                let location = graph.vertex(candidate).location;
                for &formula in conditions_ahead(graph, location).iter() {
                    if graph.states.implies(whole, formula, ask)? {
                        facts.push(formula);
                    }
                }
                graph.consequences.insert(whole, Rc::from(&facts[..]));
                facts
            }
        };
        facts.extend(graph.vertex(candidate).limit.iter().copied());
        facts.extend(graph.learned[graph.vertex(candidate).location.index()].iter().copied());
        facts.extend(graph.outside[graph.vertex(candidate).location.index()].iter().copied());
        facts.arrange();
        facts.dedup();
        // 2.
        let mut kept = Vec::new();
        for formula in facts {
            if graph.states.implies(part, formula, ask)? {
                kept.push(formula);
            }
        }
        let abstraction = Abstraction::Keep(kept);
        let Some(set) = graph.weakened(candidate, &abstraction, ask)? else { return Ok(None) };
        // 3.
        let good =
            graph.states.included(part, set, ask)? && graph.within_limit(set, candidate, ask)? && graph.cmp_fp_sets(set, whole, ask)?;
        Ok(good.then_some(abstraction))
    }

    fn goes_on(&self) -> bool {
        true
    }
}

/// How many edges ahead to look for conditions, and how many conditions to take at most.
const MINED_EDGES: usize = 8;
const MINED: usize = 48;

/// The conditions of the decisions within [`MINED_EDGES`] edges, as conditions at the location (their weakest preconditions along
/// each way), without those that depend on later values of `nondet()`. Both sides of each decision are among them.
fn conditions_ahead(graph: &mut RedBlack, location: LocationId) -> Rc<[FormulaId]> {
    if let Some(cached) = graph.ahead.get(&location) {
        return cached.clone();
    }
    let states = &mut graph.states;
    let mut found: SortedSet<FormulaId> = SortedSet::new();
    let mut ways = VecDeque::from([(location, states.identity().clone(), 0)]);
    let mut visited = 0;
    while let Some((at, state, length)) = ways.pop_front() {
        visited += 1;
        if length == MINED_EDGES || visited > 4 * MINED || found.len() >= MINED {
            break;
        }
        for (edge, to) in states.outgoing(at).to_vec() {
            let mut state = state.clone();
            let condition = states.apply(&mut state, edge).told;
            let symbols = Mentions::of(&states.pool, &[condition], &[]).symbols;
            let fresh = symbols.iter().any(|&symbol| states.pool.symbol_name(symbol).starts_with("nondet#"));
            if condition != Pool::TRUE && condition != Pool::FALSE && !fresh {
                found.insert(condition);
            }
            ways.push_back((to, state, length + 1));
        }
    }
    let found: Rc<[FormulaId]> = found.into_iter().collect();
    graph.ahead.insert(location, found.clone());
    found
}

/// Formulas that hold in a set: see [`ByLearning`].
fn consequences(states: &mut States, set: SetId) -> Vec<FormulaId> {
    let conjuncts = states.conjuncts(set).to_vec();
    let pool = &mut states.pool;
    let mut found = Vec::new();
    let mut equations: Vec<Linear> = Vec::new();
    let mut bounds: Vec<Linear> = Vec::new();
    for formula in conjuncts {
        match pool.formula(formula).clone() {
            Formula::Eq(term) => {
                bounds.extend([term.clone(), term.neg()]);
                equations.push(term);
            }
            Formula::Le(term) => bounds.push(term),
            _ => found.push(formula),
        }
    }
    let mut sums = Vec::new();
    for bound in &bounds {
        for equation in &equations {
            sums.extend([bound.add(equation), bound.sub(equation)]);
        }
    }
    for (term, single) in bounds.into_iter().map(|term| (term, true)).chain(sums.into_iter().map(|term| (term, false))) {
        let formula = pool.le(term);
        if formula != Pool::TRUE && (single || is_relation(pool, formula)) {
            found.push(formula);
        }
    }
    found
}
