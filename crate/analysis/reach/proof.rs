//! Unreachable: summaries as an invariant of the program, with a ghost for each path counter.
//!
//! A summary need not be trusted: what it says is a formula over variables and counters at each node of the tree, and that these formulas
//! hold is shown edge by edge ([`crate::evidence::graph`]).
//!
//! 1. Places are the nodes of the tree, and behind edges that lose the target the locations of the function. An edge back to where a
//!    loop is entered counts a round of its kind, an edge that enters a loop sets its counters to 0. Ghosts also keep what no later
//!    place could say otherwise: first values of inputs that change, drawn values, what a variable is after some rounds.
//! 2. At each node the memory of its path is a formula for each variable; its condition is others. A looping condition comes in as the
//!    facts of the summary: that no round was made, or that the last round was of some kind and its condition held then.
//! 3. A target edge is cut if these formulas contradict its condition. Of the formulas the cuts need, and the formulas that show them,
//!    and so on, each is shown along each edge into its place; one that cannot be shown is dropped, and the cuts begin anew.
//! 4. What is left is refuted once more for its certificates, and the check reads it.

use super::effect::{Effect, Program};
use super::summary::Summary;
use super::tree::RoundEnd;
use crate::analysis::common::trace::{Event, Trace};
use crate::evidence::graph::{Ghost, Place, Pruned, Update, check_excluded, check_pruned, excluded_claim, obligations, step};
use crate::evidence::{self, numbers, write_graph};
use crate::logic::substitution::Substitution;
use crate::logic::{Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, SymbolId};
use crate::lts::{ArrayId, Edge, EdgeId, Label, LocationId, Lts};
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::{Answer, Context};
use crate::states::Ask;
use crate::symex::{State, first_values, nondet_name};

/// Whether the target is shown to be unreachable; then the trace has the claim.
///
/// # Errors
/// When the steps are used up.
pub fn prove(program: &Program, pool: &mut Pool, effects: &[Effect], meter: &mut Meter, trace: &Trace) -> Result<bool, Exhausted> {
    // 1. and 2.
    let mut graph = candidates(program, pool, effects);
    // 3.
    let mut asked = |context: &Context, answer: &Answer| {
        trace.emit(Event::Query { context, answer });
    };
    let mut ask = Ask { meter, asked: &mut asked };
    let Some(needed) = Induction::new(program.lts, pool, &graph).needed(&mut ask)? else { return Ok(false) };
    graph.invariants = needed;
    // 4.
    let mut certificates = Vec::new();
    for obligation in obligations(program.lts, pool, &graph) {
        match ask.decide(pool, &obligation.formulas)? {
            Answer::Unsat(refutation) => certificates.push(refutation.certificate),
            _ => return Ok(false),
        }
    }
    let targets: Vec<EdgeId> = program.tree.goals.iter().map(|goal| goal.edge).collect::<SortedSet<_>>().into_iter().collect();
    let (written, proofs) = (write_graph(pool, &graph), certificates.iter().map(|one| evidence::write(pool, one)).collect::<Vec<_>>());
    let accepted =
        check_pruned(program.lts, &written, &proofs).and_then(|()| check_excluded(program.lts, true, &numbers(&targets), &written));
    if accepted.is_err() {
        return Ok(false);
    }
    let pool = &*pool;
    trace.shown(certificates.len(), &|number| excluded_claim(format!("reach-{number}"), (&targets, true), pool, &graph, &certificates));
    Ok(true)
}

/// The tree as a graph of places with ghosts, and at each node all that the path's effect says; nobody has shown any of it yet.
pub fn candidates(program: &Program, pool: &mut Pool, effects: &[Effect]) -> Pruned {
    let mut graph = Ghosts::graph(program, pool);
    graph.invariants = Candidates::of(program, pool, effects, &graph);
    graph
}

/// The ghosts of a program, while its graph is made.
struct Ghosts<'g, 'a> {
    program: &'g Program<'a>,
    graph: Pruned,
    positions: SortedMap<AtomId, usize>,
}

impl Ghosts<'_, '_> {
    /// The tree as a graph of places without formulas, with its ghosts.
    fn graph(program: &Program, pool: &mut Pool) -> Pruned {
        let lts = program.lts;
        let mut making = Ghosts { program, graph: Pruned::default(), positions: SortedMap::new() };
        for (variable, first) in lts.variables.iter().zip(changed_inputs(lts)) {
            if first {
                let initial = pool.integer(&variable.name);
                let name = first_value(pool, &variable.name);
                making.add(pool, name, initial);
            }
        }
        for summary in program.summaries.iter().flatten() {
            let counters = summary.rounds.iter().map(|round| round.counter);
            let others = summary.left.iter().map(|left| left.symbol).chain(summary.before.iter().map(|before| before.symbol));
            let others = others.chain(summary.totals.iter().map(|total| total.symbol));
            for symbol in counters.chain(others) {
                making.add(pool, symbol, Linear::default());
            }
        }
        for (number, node) in program.tree.nodes.iter().enumerate() {
            making.graph.places.push(Place::Red { vertex: number as u32, location: node.location, index: 0 });
        }
        let mut black: SortedMap<LocationId, u32> = SortedMap::new();
        for (number, node) in program.tree.nodes.iter().enumerate() {
            for &(edge, child) in &node.children {
                let position = making.edge(number, edge, child as u32);
                making.drawn(pool, position, number, edge);
                if let Some(summary) = &program.summaries[child] {
                    making.enters(pool, position, edge, summary);
                }
            }
            for &(edge, head) in &node.back {
                let end = RoundEnd { node: number, edge };
                let Some(summary) = &program.summaries[head] else { continue };
                match summary.rounds.iter().position(|round| round.end == end) {
                    Some(kind) => {
                        let position = making.edge(number, edge, head as u32);
                        making.turns(pool, position, (kind, edge), summary);
                    }
                    // A round that cannot be made.
                    None => making.graph.cut.push((number as u32, edge)),
                }
            }
            for &edge in &node.lost {
                let to = making.black(&mut black, lts.edge(edge).2);
                making.edge(number, edge, to);
            }
            making.graph.cut.extend(node.goals.iter().chain(&node.dead).map(|&edge| (number as u32, edge)));
        }
        let mut next = program.tree.nodes.len();
        while let Some(place) = making.graph.places.get(next).copied() {
            for (edge, to) in lts.outgoing(place.location()) {
                let to = making.black(&mut black, to);
                making.edge(next, edge, to);
            }
            next += 1;
        }
        let ends = making.graph.places.iter().enumerate().filter(|(_, place)| place.location() == lts.exit);
        making.graph.finals = ends.map(|(number, _)| LocationId::new(number)).collect();
        making.drop_unknown(pool);
        making.graph
    }

    /// Drops the ghosts that would get a value from what is not there: an operator on bits of which only bounds are known, or such a ghost.
    fn drop_unknown(&mut self, pool: &mut Pool) {
        let lts = self.program.lts;
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        let mut known: SortedSet<SymbolId> = names.map(|name| pool.symbol(name)).collect();
        let ghosts: Vec<SymbolId> = self.graph.ghosts.iter().map(|ghost| pool.symbol(&ghost.name)).collect();
        known.extend(&ghosts);
        let most = lts.graph.edge_weights().map(Edge::nondets).max().unwrap_or(0);
        known.extend(&(0..most).map(|k| pool.symbol(&nondet_name(k))).collect::<Vec<_>>());
        let Pruned { updates, .. } = &self.graph;
        let is_unknown = |known: &SortedSet<SymbolId>, update: &Update| !Mentions::of(pool, &[], &[&update.value]).symbols.is_subset(known);
        while let Some(update) = updates.iter().find(|update| known.contains(&ghosts[update.ghost]) && is_unknown(&known, update)) {
            known.remove(&ghosts[update.ghost]);
        }
        let mut places = Vec::new();
        let mut kept = 0;
        for symbol in &ghosts {
            places.push(known.contains(symbol).then_some(kept));
            kept += usize::from(known.contains(symbol));
        }
        let mut number = 0;
        self.graph.ghosts.retain(|_| {
            number += 1;
            places[number - 1].is_some()
        });
        self.graph.updates.retain_mut(|update| match places[update.ghost] {
            Some(place) => {
                update.ghost = place;
                true
            }
            None => false,
        });
    }

    fn add(&mut self, pool: &Pool, symbol: AtomId, initial: Linear) -> usize {
        let Atom::Symbol(name) = *pool.atom(symbol) else { unreachable!("a ghost is a symbol") };
        let position = self.graph.ghosts.len();
        self.graph.ghosts.push(Ghost { name: pool.symbol_name(name).to_owned(), initial });
        self.positions.insert(symbol, position);
        position
    }

    fn edge(&mut self, from: usize, edge: EdgeId, to: u32) -> usize {
        self.graph.edges.push((from as u32, edge, to));
        self.graph.edges.len() - 1
    }

    fn black(&mut self, known: &mut SortedMap<LocationId, u32>, location: LocationId) -> u32 {
        *known.entry(location).or_insert_with(|| {
            self.graph.places.push(Place::Black(location));
            self.graph.places.len() as u32 - 1
        })
    }

    fn update(&mut self, edge: usize, symbol: AtomId, value: Linear) {
        if let Some(&ghost) = self.positions.get(&symbol) {
            self.graph.updates.push(Update { edge, ghost, value });
        }
    }

    /// An edge of a path keeps what it draws.
    fn drawn(&mut self, pool: &mut Pool, position: usize, node: usize, edge: EdgeId) {
        for k in 0..self.program.lts.graph[edge].nondets() {
            let symbol = drawn(pool, self.program.draws[node] + k);
            if !self.positions.contains_key(&symbol) {
                self.add(pool, symbol, Linear::default());
            }
            let value = pool.integer(&nondet_name(k));
            self.update(position, symbol, value);
        }
    }

    /// An edge that enters a loop: no rounds yet.
    fn enters(&mut self, pool: &mut Pool, position: usize, edge: EdgeId, summary: &Summary) {
        for round in &summary.rounds {
            self.update(position, round.counter, Linear::default());
        }
        for symbol in summary.before.iter().map(|before| before.symbol).chain(summary.totals.iter().map(|total| total.symbol)) {
            self.update(position, symbol, Linear::default());
        }
        self.keeps(pool, position, edge, summary);
    }

    /// An edge that ends a round of the loop.
    fn turns(&mut self, pool: &mut Pool, position: usize, (kind, edge): (usize, EdgeId), summary: &Summary) {
        let counter = summary.rounds[kind].counter;
        self.update(position, counter, Linear::atom(counter).add_constant(&Int::ONE));
        for before in summary.before.iter().filter(|before| before.last == kind) {
            self.update(position, before.symbol, Linear::atom(summary.rounds[before.counted].counter));
        }
        for total in summary.totals.iter().filter(|total| total.kind == kind) {
            let of = self.kept(pool, total.of, summary.rounds[kind].end);
            self.update(position, total.symbol, Linear::atom(total.symbol).add(&of));
        }
        self.keeps(pool, position, edge, summary);
    }

    /// What keeps a symbol of a round at its end: a ghost, or what the last edge of the round draws.
    fn kept(&self, pool: &mut Pool, symbol: AtomId, end: RoundEnd) -> Linear {
        let number: Option<u32> = match pool.atom(symbol) {
            Atom::Symbol(name) => pool.symbol_name(*name).strip_prefix("nondet#").and_then(|number| number.parse().ok()),
            _ => None,
        };
        match number {
            None => Linear::atom(symbol),
            Some(number) => match number.checked_sub(self.program.draws[end.node]) {
                Some(k) if k < self.program.lts.graph[end.edge].nondets() => pool.integer(&nondet_name(k)),
                _ => Linear::atom(drawn(pool, number)),
            },
        }
    }

    /// Ghosts for what rounds leave get what is there.
    fn keeps(&mut self, pool: &mut Pool, position: usize, edge: EdgeId, summary: &Summary) {
        let mut state = State::of_symbols(self.program.lts, pool, str::to_owned);
        state.apply(self.program.lts, pool, edge);
        for left in &summary.left {
            self.update(position, left.symbol, state.variable(left.variable).clone());
        }
    }
}

/// The ghost for the first value of an input that changes.
fn first_value(pool: &mut Pool, name: &str) -> AtomId {
    pool.integer(&format!("@{name}@first")).terms()[0].0
}

/// The ghost for a drawn value, by its number in the tree.
fn drawn(pool: &mut Pool, k: u32) -> AtomId {
    pool.integer(&format!("@draw{k}")).terms()[0].0
}

/// For each scalar whether its first value is arbitrary and some edge changes it.
fn changed_inputs(lts: &Lts) -> Vec<bool> {
    let mut changed = vec![false; lts.variables.len()];
    for edge in lts.graph.edge_weights() {
        if let Label::Assign(id, _) | Label::Havoc(id) = edge.label {
            changed[id.0 as usize] = true;
        }
    }
    changed.iter().zip(&lts.variables).map(|(&changed, variable)| changed && variable.initial.is_none()).collect()
}

/// The formulas that may hold at the places.
struct Candidates {
    /// Of symbols of the analysis to those of the graph.
    renamed: Substitution,
    /// What formulas may speak of.
    spoken: SortedSet<SymbolId>,
}

impl Candidates {
    fn of(program: &Program, pool: &mut Pool, effects: &[Effect], graph: &Pruned) -> Vec<Vec<FormulaId>> {
        let lts = program.lts;
        let mut renamed: Vec<(AtomId, Linear)> = Vec::new();
        for (variable, first) in lts.variables.iter().zip(changed_inputs(lts)) {
            if first {
                let (name, ghost) = (pool.integer(&variable.name).terms()[0].0, first_value(pool, &variable.name));
                renamed.push((name, Linear::atom(ghost)));
            }
        }
        let draws = program.draws.last().copied().unwrap_or(0) + 4;
        for k in 0..draws {
            let (name, ghost) = (pool.integer(&nondet_name(k)).terms()[0].0, drawn(pool, k));
            renamed.push((name, Linear::atom(ghost)));
        }
        let stored: SortedSet<ArrayId> = (lts.graph.edge_weights())
            .filter_map(|edge| match edge.label {
                Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => Some(array),
                _ => None,
            })
            .collect();
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId).filter(|id| !stored.contains(id));
        let names = lts.variables.iter().map(|variable| &variable.name).chain(arrays.map(|id| &lts.array(id).name));
        let ghosts = graph.ghosts.iter().map(|ghost| &ghost.name);
        let spoken = names.chain(ghosts).map(|name| pool.symbol(name)).collect();
        let mut candidates = Candidates { renamed: Substitution::of(renamed), spoken };
        let mut found = vec![Vec::new(); graph.places.len()];
        for (node, effect) in effects.iter().enumerate() {
            found[node] = candidates.at(program, pool, effect);
        }
        found
    }

    /// The formulas at a node.
    fn at(&mut self, program: &Program, pool: &mut Pool, effect: &Effect) -> Vec<FormulaId> {
        let mut formulas = Vec::new();
        for (variable, value) in program.lts.variables.iter().zip(effect.state.variables()) {
            let name = pool.integer(&variable.name);
            if let Some(value) = self.renamed.term(pool, value) {
                formulas.push(pool.equal(&name, &value));
            }
        }
        formulas.extend(effect.with_facts().filter_map(|part| self.renamed.formula(pool, part)));
        let mut kept: Vec<FormulaId> = Vec::new();
        for formula in formulas {
            let fits = || Mentions::of(pool, &[formula], &[]).symbols.is_subset(&self.spoken);
            if formula != Pool::TRUE && !kept.contains(&formula) && fits() {
                kept.push(formula);
            }
        }
        kept
    }
}

/// Which of the formulas are needed, and whether they are inductive.
struct Induction<'i> {
    lts: &'i Lts,
    pool: &'i mut Pool,
    graph: &'i Pruned,
    identity: State,
    incoming: Vec<Vec<usize>>,
    updates: Vec<Vec<(AtomId, Linear)>>,
    dropped: Vec<SortedSet<FormulaId>>,
}

impl<'i> Induction<'i> {
    fn new(lts: &'i Lts, pool: &'i mut Pool, graph: &'i Pruned) -> Induction<'i> {
        let identity = State::of_symbols(lts, pool, str::to_owned);
        let mut incoming = vec![Vec::new(); graph.places.len()];
        for (position, &(.., to)) in graph.edges.iter().enumerate() {
            incoming[to as usize].push(position);
        }
        let mut updates = vec![Vec::new(); graph.edges.len()];
        for update in &graph.updates {
            let ghost = pool.integer(&graph.ghosts[update.ghost].name).terms()[0].0;
            updates[update.edge].push((ghost, update.value.clone()));
        }
        let dropped = vec![SortedSet::new(); graph.places.len()];
        Induction { lts, pool, graph, identity, incoming, updates, dropped }
    }

    /// For each place the formulas that the cuts need; `None` if some cut cannot be shown.
    fn needed(&mut self, ask: &mut Ask) -> Result<Option<Vec<Vec<FormulaId>>>, Exhausted> {
        'anew: loop {
            let mut needed: Vec<SortedSet<FormulaId>> = vec![SortedSet::new(); self.graph.places.len()];
            let mut waiting: Vec<(u32, FormulaId)> = Vec::new();
            let want = |needed: &mut Vec<SortedSet<FormulaId>>, waiting: &mut Vec<_>, place: u32, core: Vec<FormulaId>| {
                waiting.extend(core.into_iter().filter(|&formula| needed[place as usize].insert(formula)).map(|formula| (place, formula)));
            };
            for &(place, edge) in &self.graph.cut {
                let (condition, _) = step(self.lts, self.pool, &self.identity, edge, Vec::new());
                match self.core(place, &[condition], ask)? {
                    Some(core) => want(&mut needed, &mut waiting, place, core),
                    None => return Ok(None),
                }
            }
            while let Some((place, formula)) = waiting.pop() {
                if place == 0 && !self.begins(formula, ask)? {
                    self.dropped[0].insert(formula);
                    continue 'anew;
                }
                for at in self.incoming[place as usize].clone() {
                    let (from, edge, _) = self.graph.edges[at];
                    let (condition, mut values) = step(self.lts, self.pool, &self.identity, edge, self.updates[at].clone());
                    let claimed = values.formula(self.pool, formula).unwrap_or(Pool::FALSE);
                    let denied = self.pool.not(claimed);
                    match self.core(from, &[condition, denied], ask)? {
                        Some(core) => want(&mut needed, &mut waiting, from, core),
                        None => {
                            self.dropped[place as usize].insert(formula);
                            continue 'anew;
                        }
                    }
                }
            }
            return Ok(Some(needed.into_iter().map(|formulas| formulas.into_iter().collect()).collect()));
        }
    }

    /// Formulas at the place that contradict the others; `None` where that is not shown.
    fn core(&mut self, place: u32, others: &[FormulaId], ask: &mut Ask) -> Result<Option<Vec<FormulaId>>, Exhausted> {
        let dropped = &self.dropped[place as usize];
        let known: Vec<FormulaId> =
            self.graph.invariants[place as usize].iter().copied().filter(|formula| !dropped.contains(formula)).collect();
        if others.contains(&Pool::FALSE) {
            return Ok(Some(Vec::new()));
        }
        // Most formulas speak of what the edge does not change.
        if let Some(&same) = known.iter().find(|&&formula| others.contains(&self.pool.not(formula))) {
            return Ok(Some(vec![same]));
        }
        let formulas = [others, &known].concat();
        Ok(match ask.decide(self.pool, &formulas)? {
            Answer::Unsat(refutation) => {
                Some(refutation.core.iter().filter_map(|&at| at.checked_sub(others.len())).map(|at| known[at]).collect())
            }
            _ => None,
        })
    }

    /// Whether the formula holds before the first edge.
    fn begins(&mut self, formula: FormulaId, ask: &mut Ask) -> Result<bool, Exhausted> {
        let mut known = first_values(self.lts, self.pool, &self.identity);
        for ghost in &self.graph.ghosts {
            let name = self.pool.integer(&ghost.name);
            known.push(self.pool.equal(&name, &ghost.initial));
        }
        known.push(self.pool.not(formula));
        Ok(matches!(ask.decide(self.pool, &known)?, Answer::Unsat(_)))
    }
}
