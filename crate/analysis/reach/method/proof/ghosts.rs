//! Step 1: the tree as a graph of places, and the ghosts that its edges give values.

use crate::analysis::reach::method::program::SummarizedProgram;
use crate::analysis::reach::method::summary::Summary;
use crate::analysis::reach::method::tree::RoundEnd;
use crate::evidence::graph::{Ghost, Pruned, PrunedNode, Update};
use crate::logic::{Atom, AtomId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, SymbolId};
use crate::lts::{Edge, EdgeId, Label, LocationId, Lts};
use crate::symex::{State, nondet_name};

/// The ghosts of a program, while its graph is made.
pub(super) struct Ghosts<'g, 'a> {
    program: &'g SummarizedProgram<'a>,
    graph: Pruned,
    positions: SortedMap<AtomId, usize>,
}

impl Ghosts<'_, '_> {
    /// The tree as a graph of places without formulas, with its ghosts.
    pub fn graph(program: &SummarizedProgram, pool: &mut Pool) -> Pruned {
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
            making.graph.nodes.push(PrunedNode::Red { vertex: number as u32, location: node.location, index: 0 });
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
        while let Some(node) = making.graph.nodes.get(next).copied() {
            for (edge, to) in lts.outgoing(node.location()) {
                let to = making.black(&mut black, to);
                making.edge(next, edge, to);
            }
            next += 1;
        }
        let ends = making.graph.nodes.iter().enumerate().filter(|(_, node)| node.location() == lts.exit);
        making.graph.finals = ends.map(|(number, _)| LocationId::new(number)).collect();
        making.drop_unknown(pool);
        making.graph
    }

    /// Drops the ghosts that would get a value from what is not there: an operator on bits of which only bounds are known, or such a ghost.
    fn drop_unknown(&mut self, pool: &mut Pool) {
        let lts = self.program.lts;
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        let mut defined: SortedSet<SymbolId> = names.map(|name| pool.symbol(name)).collect();
        let ghosts: Vec<SymbolId> = self.graph.ghosts.iter().map(|ghost| pool.symbol(&ghost.name)).collect();
        defined.extend(&ghosts);
        let most = lts.graph.edge_weights().map(Edge::nondets).max().unwrap_or(0);
        defined.extend(&(0..most).map(|k| pool.symbol(&nondet_name(k))).collect::<Vec<_>>());
        let Pruned { updates, .. } = &self.graph;
        let is_unknown =
            |defined: &SortedSet<SymbolId>, update: &Update| !Mentions::of(pool, &[], &[&update.value]).symbols.is_subset(defined);
        while let Some(update) = updates.iter().find(|update| defined.contains(&ghosts[update.ghost]) && is_unknown(&defined, update)) {
            defined.remove(&ghosts[update.ghost]);
        }
        let mut numbers = Vec::new();
        let mut kept = 0;
        for symbol in &ghosts {
            numbers.push(defined.contains(symbol).then_some(kept));
            kept += usize::from(defined.contains(symbol));
        }
        let mut number = 0;
        self.graph.ghosts.retain(|_| {
            number += 1;
            numbers[number - 1].is_some()
        });
        self.graph.updates.retain_mut(|update| match numbers[update.ghost] {
            Some(node) => {
                update.ghost = node;
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

    fn black(&mut self, black_nodes: &mut SortedMap<LocationId, u32>, location: LocationId) -> u32 {
        *black_nodes.entry(location).or_insert_with(|| {
            self.graph.nodes.push(PrunedNode::Black(location));
            self.graph.nodes.len() as u32 - 1
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
pub(super) fn first_value(pool: &mut Pool, name: &str) -> AtomId {
    pool.integer(&format!("@{name}@first")).terms()[0].0
}

/// The ghost for a drawn value, by its number in the tree.
pub(super) fn drawn(pool: &mut Pool, k: u32) -> AtomId {
    pool.integer(&format!("@draw{k}")).terms()[0].0
}

/// For each scalar whether its first value is arbitrary and some edge changes it.
pub(super) fn changed_inputs(lts: &Lts) -> Vec<bool> {
    let mut changed = vec![false; lts.variables.len()];
    for edge in lts.graph.edge_weights() {
        if let Label::Assign(id, _) | Label::Havoc(id) = edge.label {
            changed[id.0 as usize] = true;
        }
    }
    changed.iter().zip(&lts.variables).map(|(&changed, variable)| changed && variable.initial.is_none()).collect()
}
