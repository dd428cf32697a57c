//! The constraint graph of an inclusion-based points-to analysis (Andersen 1994), solved with a worklist of facts: a node may hold the address
//! of a cell.
//!
//! The node [`OUTSIDE`] holds what has escaped. Its facts do not spread along edges: a node that holds the address of the outside object may
//! hold each escaped address, and nothing is gained from a copy of that set.

use super::cells::{AbstractObject, AccessShape, CellTable, Fit, OUTSIDE};
use crate::lang::ast::{Program, Shape, StructId};
use crate::logic::SortedSet;

/// The facts that are derived at most; beyond them anything is possible.
const MAX_STEPS: usize = 1_000_000;
/// Nodes of the graph at most.
const MAX_NODES: usize = 1_000_000;

/// What follows from the addresses that a node holds.
#[derive(Clone, Copy, Debug)]
pub enum PointerConstraint {
    /// Another node holds them, too.
    Copy(u32),
    /// Another node holds what is read there. None is given where the value is a number.
    Load(Option<u32>, AccessShape),
    /// What another node holds is written there.
    Store(Option<u32>, AccessShape),
    /// Another node holds the addresses of this member of this structure there.
    Member(u32, Option<StructId>, usize),
    /// Another node holds them after arithmetic on pointers to this shape.
    Move(u32, AccessShape),
    /// The choice with this number is taken where the function with this cell is among them.
    Guard(u32, usize),
}

/// What a solved graph asks of its builder.
#[derive(Clone, Copy, Debug)]
pub enum GraphDiscovery {
    /// The choice may be taken.
    Chosen(usize),
    /// The object has escaped.
    Escaped(u32),
}

pub struct ConstraintGraph {
    pub table: CellTable,
    holds: Vec<SortedSet<u32>>,
    /// The same once their constraints are applied.
    applied: Vec<Vec<u32>>,
    constraints: Vec<Vec<PointerConstraint>>,
    work: Vec<(u32, u32)>,
    escaped: SortedSet<u32>,
    /// The nodes with an edge to [`OUTSIDE`].
    leaking: SortedSet<u32>,
    found: Vec<GraphDiscovery>,
    steps: usize,
}

impl ConstraintGraph {
    pub fn with_outside() -> ConstraintGraph {
        let mut graph = ConstraintGraph {
            table: CellTable::with_outside(),
            holds: Vec::new(),
            applied: Vec::new(),
            constraints: Vec::new(),
            work: Vec::new(),
            escaped: SortedSet::new(),
            leaking: SortedSet::new(),
            found: Vec::new(),
            steps: 0,
        };
        graph.add(OUTSIDE, OUTSIDE);
        graph
    }

    /// Whether the analysis has become too large, so that nothing is known.
    pub fn is_cut(&self) -> bool {
        self.steps > MAX_STEPS || self.table.count() > MAX_NODES
    }

    /// A new node.
    pub fn node(&mut self) -> u32 {
        self.table.temporary()
    }

    /// A new object; see [`CellTable::object`].
    pub fn object(&mut self, program: &Program, what: AbstractObject, shape: Option<&Shape>) -> u32 {
        self.table.object(program, what, shape)
    }

    /// The addresses that a node holds.
    pub fn held(&self, node: u32) -> &[u32] {
        self.applied.get(node as usize).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the objects that have escaped.
    pub fn escaped(&self) -> &SortedSet<u32> {
        &self.escaped
    }

    fn grow(&mut self) {
        let nodes = self.table.count();
        if self.holds.len() < nodes {
            self.holds.resize(nodes, SortedSet::new());
            self.applied.resize(nodes, Vec::new());
            self.constraints.resize(nodes, Vec::new());
        }
    }

    /// Makes a node hold the address of a cell.
    pub fn add(&mut self, node: u32, cell: u32) {
        self.steps += 1;
        self.grow();
        if self.holds[node as usize].insert(cell) {
            self.work.push((node, cell));
        }
    }

    /// Makes a node hold all that another one holds.
    pub fn edge(&mut self, from: u32, to: u32) {
        if from == OUTSIDE {
            self.add(to, OUTSIDE);
        } else if from != to && (to != OUTSIDE || self.leaking.insert(from)) {
            self.attach(from, PointerConstraint::Copy(to));
        }
    }

    pub fn attach(&mut self, node: u32, constraint: PointerConstraint) {
        self.grow();
        self.constraints[node as usize].push(constraint);
        for cell in self.held(node).to_vec() {
            self.apply(node, constraint, cell);
        }
    }

    /// Derives facts until there are no more, or the builder has to act.
    pub fn solve(&mut self) -> Option<GraphDiscovery> {
        while self.found.is_empty() && !self.is_cut() {
            let (node, cell) = self.work.pop()?;
            if node == OUTSIDE {
                let object = self.table.object_of(cell);
                if self.escaped.insert(object) {
                    self.found.push(GraphDiscovery::Escaped(object));
                }
            }
            let mut at = 0;
            // A constraint that comes in between is one of these.
            while let Some(&constraint) = self.constraints[node as usize].get(at) {
                self.apply(node, constraint, cell);
                at += 1;
            }
            self.applied[node as usize].push(cell);
        }
        if self.is_cut() { None } else { self.found.pop() }
    }

    fn apply(&mut self, node: u32, constraint: PointerConstraint, cell: u32) {
        self.steps += 1;
        match constraint {
            PointerConstraint::Copy(to) => self.add(to, cell),
            PointerConstraint::Load(to, shape) => self.load(cell, to, shape),
            PointerConstraint::Store(from, shape) => self.store(cell, from, shape),
            PointerConstraint::Member(to, structure, member) => {
                match (structure, self.fit(cell, structure.map_or(AccessShape::Bytes, AccessShape::Struct))) {
                    (_, Fit::Foreign) => self.add(to, OUTSIDE),
                    (Some(_), Fit::Exact) => self.add(to, self.table.member(cell, member)),
                    (_, Fit::Whole) => self.add(to, cell),
                    _ => self.parts(cell).for_each(|part| self.add(to, part)),
                }
            }
            PointerConstraint::Move(to, shape) => match self.fit(cell, shape) {
                Fit::Mixed => self.parts(cell).for_each(|part| self.add(to, part)),
                _ => self.add(to, cell),
            },
            PointerConstraint::Guard(function, choice) => {
                if cell == function {
                    self.found.push(GraphDiscovery::Chosen(choice));
                } else if cell == OUTSIDE && node != OUTSIDE {
                    self.attach(OUTSIDE, constraint);
                }
            }
        }
    }

    fn fit(&self, cell: u32, shape: AccessShape) -> Fit {
        self.table.fit(cell, shape)
    }

    fn parts(&self, cell: u32) -> std::ops::Range<u32> {
        self.table.cells_of(self.table.object_of(cell))
    }

    /// A read of bytes that are no pointer of this cell makes what they are part of known to all, and gives any address that is.
    fn load(&mut self, cell: u32, to: Option<u32>, shape: AccessShape) {
        match self.fit(cell, shape) {
            Fit::Foreign => {}
            Fit::Exact | Fit::Whole if shape.holds_addresses() => return to.into_iter().for_each(|to| self.edge(cell, to)),
            Fit::Exact => return,
            Fit::Whole => self.edge(cell, OUTSIDE),
            Fit::Mixed => self.parts(cell).for_each(|part| self.edge(part, OUTSIDE)),
        }
        if let Some(to) = to {
            self.edge(OUTSIDE, to);
        }
    }

    /// A write of bytes that are no pointer of this cell may put there any address that is known to all.
    fn store(&mut self, cell: u32, from: Option<u32>, shape: AccessShape) {
        match self.fit(cell, shape) {
            Fit::Foreign => {}
            Fit::Exact | Fit::Whole if shape.holds_addresses() => return from.into_iter().for_each(|from| self.edge(from, cell)),
            Fit::Exact => return,
            Fit::Whole => self.edge(OUTSIDE, cell),
            Fit::Mixed => self.parts(cell).for_each(|part| self.edge(OUTSIDE, part)),
        }
        if let Some(from) = from {
            self.edge(from, OUTSIDE);
        }
    }
}
