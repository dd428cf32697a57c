//! The reachability verification condition of an unwound program (CHS12, Sections 3 and 4).
//!
//! | paper | here |
//! |---|---|
//! | incarnations `v_i` | the terms of [`State`]; a new symbol `v@n` only where different values meet at node `n` |
//! | `S_i` of block `i`, passive | [`Condition::passes`]: the conditions of its edges, and `v@n = value` for what it hands to node `n` |
//! | `B_i ≡ ¬wlp(S_i, ⋀ ¬B_j)` | [`Condition::completes`]`[i]`: `passes[i] ∧ ⋁ B_j` over its successors, true after the exit |
//! | `R_i ≡ B_i ∧ ⋁ R_j` | [`Condition::reached`]`[i]` over its predecessors, true at the entry |
//! | `VC` with `R_0` | [`Condition::complete`]: what is assumed of the inputs, and one of the first blocks completes |
//!
//! `B_i` and `R_i` are no symbols with equivalences but formulas that share their parts; the solver gives each a literal of
//! its own with clauses in both directions, which is the same formula with half the variables.
//!
//! Given values of all symbols there is at most one path: a `nondet()` is one symbol for each node and position in the text,
//! whichever side of a decision reads it. So the blocks whose `R_i` hold are those of one path.
//!
//! DIVERGENCE: arrays. There are no equations between arrays here. Where different contents meet, the new contents are those of
//! the last common write and then all writes of all sides, each with a fresh value: on the side that makes the write the value it
//! writes, and on the others the value that is there already. So nothing is added and nothing is lost, and the formula grows by
//! one write for each write of the program. Where contents have no common write, as after an arbitrary one on one side, the new contents
//! are a symbol of their own, and each side hands over the elements that are read later.
//!
//! The check trusts what this file and `unwind` derive: a certificate of "not within k unwindings" refutes these formulas.

use super::unwind::{UnwindObstacle, Unwound};

use crate::logic::{ArrayTerm, ArrayTermId, Atom, Formula, FormulaId, Int, IntRange, Linear, Mentions, Pool};
use crate::lts::{ArrayId, Edge, Expr, Label, Lts, Print, VariableId};
use crate::symex::{self, State};
use rustc_hash::FxHashSet;

/// The condition, with everything that it takes to read a model of it.
#[derive(Debug)]
pub struct Condition {
    /// For each arc the condition under which an execution passes it, at its node.
    pub arcs: Vec<FormulaId>,
    /// For each arc what holds in every execution that gets to it ([`symex::Undo::facts`]); a part of its condition.
    pub facts: Vec<FormulaId>,
    /// For each arc the conjuncts of its condition without the ranges of values ([`symex::Undo::decided`]).
    pub decided: Vec<Vec<FormulaId>>,
    /// For each arc the conjuncts that keep its signed arithmetic from overflowing.
    pub bounds: Vec<Vec<FormulaId>>,
    /// For each arc the first number of its values of `nondet()`, and how many it reads.
    pub nondet: Vec<(u32, u32)>,
    /// `S_i`.
    pub passes: Vec<FormulaId>,
    /// `B_i`.
    pub completes: Vec<FormulaId>,
    /// `R_i`.
    pub reached: Vec<FormulaId>,
    /// The assertion: the precondition holds and the run completes.
    pub complete: FormulaId,
    /// The precondition: what the request assumes of the inputs.
    pub precondition: FormulaId,
    /// For each symbol at a node where different values meet what it can be; topologically, so that values speak of earlier ones only.
    pub met: Vec<Met>,
    /// With [`Helpers::Marks`] the value of each mark at the exit: 1 if the execution passes a block of its group, else 0.
    pub marks: Vec<Linear>,
}

/// A symbol for different values that meet.
#[derive(Clone, Debug)]
pub struct Met {
    pub symbol: Linear,
    /// The range of its type.
    pub range: Option<IntRange>,
    /// In every execution that gets to the node it is one of these.
    pub values: Vec<Linear>,
}

/// What to put into the program before deriving the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helpers<'a> {
    None,
    /// The condition of each decision's side counts only where the boolean named [`switch_name`] holds.
    Switches,
    /// For each of these groups of blocks a variable, 0 at first, that each of its blocks sets to 1. It takes part in single
    /// static assignment as the program's own variables do.
    Marks(&'a [Vec<usize>]),
}

/// The name of the switch that turns the condition of an edge on, where conditions have switches.
pub fn switch_name(edge: usize) -> String {
    format!("edge@{edge}")
}

struct ConditionBuilder<'a> {
    lts: &'a Lts,
    unwound: &'a Unwound,
    pool: &'a mut Pool,
    helpers: Helpers<'a>,
    /// For each node what an execution may read after it: variables, then arrays.
    live: Vec<Vec<bool>>,
    stride: u32,
    arcs: Vec<FormulaId>,
    facts: Vec<FormulaId>,
    decided: Vec<Vec<FormulaId>>,
    bounds: Vec<Vec<FormulaId>>,
    nondet: Vec<(u32, u32)>,
    parts: Vec<Vec<FormulaId>>,
    strangers: Vec<Strangers>,
    met: MetValues,
    obstacle: Option<UnwindObstacle>,
}

/// The symbols for values that meet.
#[derive(Default)]
struct MetValues {
    symbols: Vec<Met>,
    /// How many values blocks hand over for them.
    values: usize,
}

/// Contents of an array that have nothing in common and meet: a symbol for all of them, and what each block hands over.
struct Strangers {
    array: ArrayId,
    met: ArrayTermId,
    sides: Vec<(usize, ArrayTermId)>,
}

/// Elements that are read of such contents, at most.
const MAX_HANDED_OVER: usize = 10_000;

/// Values that blocks hand over, at most: where contents of arrays meet, as many as writes times blocks, so that a graph of a few thousand
/// locations has many millions.
const MAX_HANDED_VALUES: usize = 1_000_000;

/// How many elements of an array to compare one by one where contents meet that have nothing in common.
const MAX_ELEMENTS: i64 = 256;

/// Derives the condition of the unwound program, with terms of the pool.
///
/// # Errors
/// Where symbols or array elements would be too many.
pub fn condition(lts: &Lts, unwound: &Unwound, pool: &mut Pool, helpers: Helpers) -> Result<Condition, UnwindObstacle> {
    let precondition = symex::precondition(lts, pool);
    let stride = lts.graph.edge_weights().map(Edge::nondets).max().unwrap_or(0);
    if u64::from(stride) * unwound.nodes.len() as u64 > u64::from(u32::MAX) {
        return Err(UnwindObstacle::TooLarge);
    }
    let mut builder = ConditionBuilder {
        lts,
        unwound,
        pool,
        helpers,
        live: live(lts, unwound),
        stride,
        arcs: vec![Pool::FALSE; unwound.arcs.len()],
        facts: vec![Pool::TRUE; unwound.arcs.len()],
        decided: vec![Vec::new(); unwound.arcs.len()],
        bounds: vec![Vec::new(); unwound.arcs.len()],
        nondet: vec![(0, 0); unwound.arcs.len()],
        parts: vec![Vec::new(); unwound.blocks.len()],
        strangers: Vec::new(),
        met: MetValues::default(),
        obstacle: None,
    };
    let marks = builder.execute();
    if builder.obstacle.is_none() && !builder.strangers.is_empty() {
        builder.hand_over();
    }
    let ConditionBuilder { arcs, facts, decided, bounds, nondet, parts, met, obstacle, .. } = builder;
    if let Some(obstacle) = obstacle {
        return Err(obstacle);
    }
    let passes: Vec<FormulaId> = parts.iter().map(|parts| pool.and(parts)).collect();
    // WLP, from the end on.
    let mut completes = vec![Pool::FALSE; passes.len()];
    for (number, block) in unwound.blocks.iter().enumerate().rev() {
        let next: Vec<FormulaId> = match unwound.nodes[block.end] == lts.exit {
            true => vec![Pool::TRUE],
            false => unwound.starting[block.end].iter().map(|&next| completes[next]).collect(),
        };
        let any = pool.or(&next);
        completes[number] = pool.and(&[&parts[number][..], &[any]].concat());
    }
    let reached = along(unwound, pool, &completes);
    let mut whole = flat(pool, precondition);
    if unwound.nodes[0] != lts.exit {
        let first: Vec<FormulaId> = unwound.starting[0].iter().map(|&block| completes[block]).collect();
        whole.push(pool.or(&first));
    }
    let (complete, met) = (pool.and(&whole), met.symbols);
    Ok(Condition { arcs, facts, decided, bounds, nondet, passes, completes, reached, complete, precondition, met, marks })
}

/// For each block that its own formula holds, and that of some predecessor, and so on back to the entry.
fn along(unwound: &Unwound, pool: &mut Pool, own: &[FormulaId]) -> Vec<FormulaId> {
    let mut reached = vec![Pool::FALSE; own.len()];
    for (number, block) in unwound.blocks.iter().enumerate() {
        let before: Vec<FormulaId> = unwound.ending[block.start].iter().map(|&before| reached[before]).collect();
        let any = if block.start == 0 { Pool::TRUE } else { pool.or(&before) };
        reached[number] = pool.and(&[own[number], any]);
    }
    reached
}

impl Condition {
    /// For each arc that an execution takes it, whatever becomes of it afterwards.
    pub fn taken(&self, unwound: &Unwound, pool: &mut Pool) -> Vec<FormulaId> {
        let passed = along(unwound, pool, &self.passes);
        let mut taken = vec![Pool::FALSE; unwound.arcs.len()];
        for block in &unwound.blocks {
            let before: Vec<FormulaId> = unwound.ending[block.start].iter().map(|&before| passed[before]).collect();
            let mut at = if block.start == 0 { Pool::TRUE } else { pool.or(&before) };
            for &arc in &block.arcs {
                at = pool.and(&[at, self.arcs[arc]]);
                taken[arc] = at;
            }
        }
        taken
    }
}

impl ConditionBuilder<'_> {
    /// Executes every block once, nodes in topological order. Gives the marks at the exit.
    fn execute(&mut self) -> Vec<Linear> {
        let unwound = self.unwound;
        let groups = if let Helpers::Marks(groups) = self.helpers { groups } else { &[] };
        let mut marks: Vec<Vec<Linear>> = vec![Vec::new(); unwound.blocks.len()];
        let mut at_exit = vec![Linear::default(); groups.len()];
        let mut ends: Vec<Option<State>> = vec![None; unwound.blocks.len()];
        for node in 0..unwound.nodes.len() {
            if self.obstacle.is_some() {
                break;
            }
            if unwound.starting[node].is_empty() && unwound.ending[node].is_empty() {
                continue;
            }
            let here = if node == 0 { at_exit.clone() } else { self.meet_marks(node, groups.len(), &ends, &marks) };
            let state = match node {
                0 => Some(State::initial(self.lts, self.pool)),
                _ => self.meet(node, &mut ends),
            };
            for &block in &unwound.starting[node] {
                match &state {
                    Some(state) => ends[block] = self.run(block, state.clone()),
                    None => self.parts[block] = vec![Pool::FALSE],
                }
                let marked =
                    here.iter().zip(groups).map(|(mark, group)| if group.contains(&block) { Linear::constant(1) } else { mark.clone() });
                marks[block] = marked.collect();
            }
            if unwound.nodes[node] == self.lts.exit {
                at_exit = here;
            }
        }
        at_exit
    }

    /// The marks at a node where blocks end; says in each block's condition what it hands over.
    fn meet_marks(&mut self, node: usize, count: usize, ends: &[Option<State>], marks: &[Vec<Linear>]) -> Vec<Linear> {
        let before: Vec<usize> = self.unwound.ending[node].iter().copied().filter(|&block| ends[block].is_some()).collect();
        let Some(first) = before.first() else { return vec![Linear::default(); count] };
        let mut met = marks[*first].clone();
        for (number, mark) in met.iter_mut().enumerate() {
            if before.iter().all(|&block| marks[block][number] == *mark) {
                continue;
            }
            let new = self.pool.integer(&format!("mark{number}@{node}"));
            for &block in &before {
                let equal = self.pool.equal(&new, &marks[block][number]);
                self.parts[block].push(equal);
            }
            *mark = new;
        }
        met
    }

    /// The state at the end of a block; `None` where no execution passes the block.
    fn run(&mut self, block: usize, mut state: State) -> Option<State> {
        let mut parts = Vec::new();
        for &arc in &self.unwound.blocks[block].arcs {
            let from = self.unwound.arcs[arc].from;
            let first = from as u32 * self.stride;
            state.set_nondet_count(first);
            let edge = self.unwound.arcs[arc].edge;
            let (mut condition, undo) = state.apply(self.lts, self.pool, edge);
            if self.helpers == Helpers::Switches && matches!(self.lts.graph[edge].label, Label::Assume { .. }) {
                let switch = self.pool.boolean(&switch_name(edge.index()));
                let off = self.pool.not(switch);
                condition = self.pool.or(&[off, condition]);
            }
            self.facts[arc] = self.pool.and(undo.facts());
            self.decided[arc] = undo.decided().to_vec();
            self.bounds[arc] = undo.ranges()[undo.facts().len()..].to_vec();
            self.nondet[arc] = (first, state.nondet_count() - first);
            self.arcs[arc] = condition;
            parts.extend(flat(self.pool, condition));
        }
        let passes = !parts.contains(&Pool::FALSE);
        self.parts[block] = parts;
        passes.then_some(state)
    }

    /// The state at a node where blocks end; says in each block's condition what it hands over.
    fn meet(&mut self, node: usize, ends: &mut [Option<State>]) -> Option<State> {
        let blocks = &self.unwound.ending[node];
        let before: Vec<(usize, State)> = blocks.iter().filter_map(|&block| Some((block, ends[block].take()?))).collect();
        let mut state = before.first()?.1.clone();
        let variables = self.lts.variables.len();
        for index in 0..variables {
            let id = VariableId(index as u32);
            if !self.live[node][index] || before.iter().all(|(_, other)| other.variable(id) == state.variable(id)) {
                continue;
            }
            let new = self.pool.integer(&format!("{}@{node}", self.lts.variable(id).name));
            let values = before.iter().map(|(block, other)| (*block, other.variable(id).clone())).collect();
            self.hand(&new, self.lts.variable(id).range, values);
            state.set_variable(id, new);
        }
        for index in 0..self.lts.arrays.len() {
            let id = ArrayId(index as u32);
            if self.live[node][variables + index] && before.iter().any(|(_, other)| other.array(id) != state.array(id)) {
                let met = self.meet_array(node, id, &before);
                state.replace_array(id, met);
            }
        }
        Some(state)
    }

    /// Says in each block's condition which value it hands over.
    fn hand(&mut self, symbol: &Linear, range: Option<IntRange>, values: Vec<(usize, Linear)>) {
        self.met.values += values.len();
        if self.met.values > MAX_HANDED_VALUES {
            self.obstacle = Some(UnwindObstacle::TooLarge);
            return;
        }
        for (block, value) in &values {
            let equal = self.pool.equal(symbol, value);
            self.parts[*block].push(equal);
        }
        let values = values.into_iter().map(|(_, value)| value).collect();
        self.met.symbols.push(Met { symbol: symbol.clone(), range, values });
    }

    fn meet_array(&mut self, node: usize, id: ArrayId, before: &[(usize, State)]) -> ArrayTermId {
        let chains: Vec<Vec<ArrayTermId>> = before.iter().map(|(_, state)| chain(self.pool, state.array(id))).collect();
        let common = (0..).take_while(|&at| chains.iter().all(|chain| chain.get(at).is_some_and(|term| *term == chains[0][at]))).count();
        let name = self.lts.array(id).name.clone();
        // Nothing in common: initial contents on one side, an initialiser on another.
        let Some(mut met) = common.checked_sub(1).map(|last| chains[0][last]) else {
            return self.meet_strangers(node, id, before);
        };
        let mut fresh = 0;
        for (side, chain) in chains.iter().enumerate() {
            for &write in &chain[common..] {
                if self.obstacle.is_some() {
                    return met;
                }
                let ArrayTerm::Store(_, index, value) = self.pool.array(write).clone() else { continue };
                let mut at = index.clone();
                if divides(self.pool, &index) {
                    // On the other sides the divisor may be 0.
                    at = self.pool.integer(&format!("{name}@{node}.at{fresh}"));
                    let same = self.pool.equal(&at, &index);
                    self.parts[before[side].0].push(same);
                }
                let new = self.pool.integer(&format!("{name}@{node}.{fresh}"));
                fresh += 1;
                let there = self.pool.select(met, &at);
                let value = |other| if other == side { value.clone() } else { there.clone() };
                let values = before.iter().enumerate().map(|(other, (block, _))| (*block, value(other))).collect();
                self.hand(&new, self.lts.array(id).range, values);
                met = self.pool.store(met, at, new);
            }
        }
        met
    }

    /// Says in each block's condition what elements of contents without a common beginning it hands over: those that are read.
    fn hand_over(&mut self) {
        let mut seen: FxHashSet<(usize, Linear)> = FxHashSet::default();
        loop {
            let parts: Vec<FormulaId> = self.parts.iter().flatten().copied().collect();
            let read: Vec<(ArrayTermId, Linear)> = (Mentions::of(self.pool, &parts, &[]).atoms.iter())
                .filter_map(
                    |&atom| if let Atom::Select(array, index) = self.pool.atom(atom) { Some((*array, index.clone())) } else { None },
                )
                .collect();
            let before = seen.len();
            for (array, index) in read {
                let first = chain(self.pool, array)[0];
                let Some(number) = self.strangers.iter().position(|strangers| strangers.met == first) else { continue };
                if !seen.insert((number, index.clone())) {
                    continue;
                }
                // On other ways the divisor may be 0.
                if seen.len() > MAX_HANDED_OVER || divides(self.pool, &index) {
                    self.obstacle = Some(UnwindObstacle::Arrays(self.strangers[number].array));
                    return;
                }
                let here = self.pool.select(first, &index);
                for (block, side) in self.strangers[number].sides.clone() {
                    let there = self.pool.select(side, &index);
                    let equal = self.pool.equal(&here, &there);
                    self.parts[block].push(equal);
                }
            }
            if seen.len() == before {
                return;
            }
        }
    }

    /// Contents without a common beginning: writes a short array of known length anew, element by element; of others only what is read
    /// later matters.
    fn meet_strangers(&mut self, node: usize, id: ArrayId, before: &[(usize, State)]) -> ArrayTermId {
        let name = self.lts.array(id).name.clone();
        let mut met = self.pool.array_symbol(&format!("{name}@{node}"));
        let length = self.lts.array(id).length.as_ref().and_then(Int::to_i64).filter(|&length| length <= MAX_ELEMENTS);
        let Some(length) = length else {
            let sides = before.iter().map(|(block, state)| (*block, state.array(id))).collect();
            self.strangers.push(Strangers { array: id, met, sides });
            return met;
        };
        for element in 0..length {
            let at = Linear::constant(element);
            let new = self.pool.integer(&format!("{name}@{node}.{element}"));
            let values = before.iter().map(|(block, state)| (*block, self.pool.select(state.array(id), &at))).collect();
            self.hand(&new, self.lts.array(id).range, values);
            met = self.pool.store(met, at, new);
        }
        met
    }
}

/// The array terms from the bottom to this one, each a write to the one before.
fn chain(pool: &Pool, mut array: ArrayTermId) -> Vec<ArrayTermId> {
    let mut chain = vec![array];
    while let ArrayTerm::Store(inner, ..) = pool.array(array) {
        array = *inner;
        chain.push(array);
    }
    chain.reverse();
    chain
}

/// Whether the term has a divisor that may be 0.
fn divides(pool: &Pool, term: &Linear) -> bool {
    may_divide(pool, &Mentions::of(pool, &[], &[term]))
}

/// Whether there is a divisor among the atoms that may be 0.
pub fn may_divide(pool: &Pool, mentions: &Mentions) -> bool {
    let atoms = &mentions.atoms;
    atoms.iter().any(|&atom| matches!(pool.atom(atom), Atom::DivTrunc(_, d) | Atom::RemTrunc(_, d) if d.as_constant().is_none()))
}

/// The conjuncts. Flat, so that what a division needs stands beside what divides, in the order of birth: an evaluation looks at
/// parts in that order and ends at the first that fails.
pub fn flat(pool: &Pool, formula: FormulaId) -> Vec<FormulaId> {
    match pool.formula(formula) {
        Formula::True => Vec::new(),
        Formula::And(parts) => parts.iter().flat_map(|&part| flat(pool, part)).collect(),
        _ => vec![formula],
    }
}

/// What an execution may read at or after each node before it writes it: variables, then arrays.
fn live(lts: &Lts, unwound: &Unwound) -> Vec<Vec<bool>> {
    let size = lts.variables.len() + lts.arrays.len();
    let mut live = vec![vec![false; size]; unwound.nodes.len()];
    for node in (0..unwound.nodes.len()).rev() {
        let mut here = vec![false; size];
        for &arc in &unwound.outgoing[node] {
            let edge = &lts.graph[unwound.arcs[arc].edge];
            let mut after = live[unwound.arcs[arc].to].clone();
            edge.prints.iter().flat_map(Print::operands).chain(&edge.returns).for_each(|value| read(lts, value, &mut after));
            match &edge.label {
                Label::Skip => {}
                Label::Assume { condition, .. } => read(lts, condition, &mut after),
                Label::Assign(id, value) => {
                    after[id.0 as usize] = false;
                    read(lts, value, &mut after);
                }
                Label::Havoc(id) => after[id.0 as usize] = false,
                Label::HavocArray(id) => after[lts.variables.len() + id.0 as usize] = false,
                Label::Store { index, value, .. } => {
                    read(lts, index, &mut after);
                    read(lts, value, &mut after);
                }
                Label::Fill(id, values) => {
                    after[lts.variables.len() + id.0 as usize] = false;
                    values.iter().for_each(|value| read(lts, value, &mut after));
                }
            }
            here.iter_mut().zip(after).for_each(|(here, after)| *here |= after);
        }
        live[node] = here;
    }
    live
}

fn read(lts: &Lts, expr: &Expr, live: &mut [bool]) {
    expr.walk(&mut |part| match part {
        Expr::Var(id) => live[id.0 as usize] = true,
        Expr::Read(id, _) => live[lts.variables.len() + id.0 as usize] = true,
        _ => {}
    });
}
