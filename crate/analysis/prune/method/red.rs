//! The red–black graph's parts: red vertices with their configuration stacks, the subsumption relation, marks, limiting
//! predicates; and the operations on them that keep its invariants.
//!
//! Invariants, for every living red vertex `v` that is not the root, with parent `u` and edge `e`:
//! - the set of `v`'s configuration contains the strongest postcondition of `u`'s along `e`; if `v` is marked, that one is empty;
//! - if `w` subsumes `v`, the set of `w`'s configuration contains that of `v`'s.
//!
//! A configuration is always its own abstractions applied to the step from the parent's, so to propagate an abstraction is to
//! compute the subtree anew.

use super::configuration::VertexId;
use super::configuration::{Abstraction, Configuration};
use super::{GraphChange, Happened, PruneChoices, Unended};
use crate::logic::{FormulaId, SortedMap};
use crate::lts::{EdgeId, LocationId};
use crate::run::trace::Trace;
use crate::solver::meter::Exhausted;
use crate::states::{Ask, SetId, States};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A red vertex `(l, i)`.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// `fst`: the black location.
    pub location: LocationId,
    /// The index that tells occurrences of one location apart.
    pub index: u32,
    pub parent: Option<(VertexId, EdgeId)>,
    pub depth: u32,
    pub children: Vec<(EdgeId, VertexId)>,
    /// Whether symbolic execution went on from here.
    pub unfolded: bool,
    /// `C`: the stack, its top last.
    pub stack: Vec<Configuration>,
    /// The abstractions made here, oldest first.
    pub own: Vec<Abstraction>,
    /// `M`.
    pub marked: bool,
    /// `Φ`: a conjunction over the program variables.
    pub limit: Vec<FormulaId>,
    /// Destroyed vertices keep their number.
    pub alive: bool,
}

impl Vertex {
    /// `top (C rv)`.
    pub fn top(&self) -> &Configuration {
        self.stack.last().expect("a living vertex has a configuration")
    }

    pub fn set(&self) -> Option<SetId> {
        self.top().set
    }
}

/// The red part over its black part, with the vertices still to visit.
pub struct RedBlack<'a, 's, 't> {
    pub states: States<'a>,
    /// The settings of this attempt.
    pub settings: PruneChoices,
    pub trace: &'s Trace<'t>,
    pub vertices: Vec<Vertex>,
    /// `S`: subsumee to subsumer.
    pub subsumption: SortedMap<VertexId, VertexId>,
    /// `rvs`, its top last.
    pub to_visit: Vec<VertexId>,
    /// For each location the conditions that restarts at its occurrences learned.
    pub learned: Vec<Vec<FormulaId>>,
    /// For each location what the decisions ahead ask, as conditions there; [`super::subsume`] fills it when it needs them.
    pub ahead: SortedMap<LocationId, Rc<[FormulaId]>>,
    /// How many restarts there were in this attempt.
    pub restarts: u32,
    /// How many there were in all attempts.
    pub all_restarts: u32,
    /// Why the construction did not end with the settings asked for, if so.
    pub unended: Option<Unended>,
    /// For each location what holds there in every execution, as far as that is known from outside.
    pub outside: Vec<Vec<FormulaId>>,
    /// Whether the listener is not told of the steps: an attempt that is compared only.
    pub muted: bool,
    /// What holds in a set and might hold in others; [`super::subsume`] fills it when it needs that.
    pub consequences: FxHashMap<SetId, Rc<[FormulaId]>>,
    /// To restore as the paper prints it: how many abstractions a vertex had at each entry of its stack.
    #[cfg(test)]
    pub printed: Option<SortedMap<VertexId, Vec<usize>>>,
    /// How many occurrences of each location there were.
    occurrences: Vec<u32>,
}

/// A red part ([`RedBlack::saved`]).
pub struct Saved {
    settings: PruneChoices,
    vertices: Vec<Vertex>,
    subsumption: SortedMap<VertexId, VertexId>,
    learned: Vec<Vec<FormulaId>>,
    restarts: (u32, u32),
    occurrences: Vec<u32>,
}

/// Why an abstraction cannot be propagated.
pub enum PropagationConflict {
    /// A subsumption in the graph would be lost.
    Existing,
    /// The new subsumption would not hold: the subsumee's set as the propagation would leave it.
    New(SetId),
}

impl<'a, 's, 't> RedBlack<'a, 's, 't> {
    /// The root only.
    pub fn new(mut states: States<'a>, initial: SetId, settings: &PruneChoices, trace: &'s Trace<'t>) -> RedBlack<'a, 's, 't> {
        let lts = states.lts;
        let configuration = Configuration::initial(&mut states, initial);
        let mut graph = RedBlack {
            states,
            settings: *settings,
            trace,
            vertices: Vec::new(),
            subsumption: SortedMap::new(),
            to_visit: Vec::new(),
            learned: vec![Vec::new(); lts.graph.node_count()],
            ahead: SortedMap::new(),
            restarts: 0,
            all_restarts: 0,
            unended: None,
            outside: vec![Vec::new(); lts.graph.node_count()],
            muted: false,
            consequences: FxHashMap::default(),
            #[cfg(test)]
            printed: None,
            occurrences: vec![0; lts.graph.node_count()],
        };
        let root = graph.add(lts.entry, None, configuration);
        graph.to_visit.push(root);
        graph
    }

    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id as usize]
    }

    pub fn emit(&self, happened: Happened) {
        if self.muted {
            return;
        }
        self.trace.step(&GraphChange { happened: &happened, pool: &self.states.pool });
    }

    fn add(&mut self, location: LocationId, parent: Option<(VertexId, EdgeId)>, configuration: Configuration) -> VertexId {
        let id = self.vertices.len() as VertexId;
        let index = self.occurrences[location.index()];
        self.occurrences[location.index()] += 1;
        let depth = parent.map_or(0, |(parent, _)| self.vertex(parent).depth + 1);
        let marked = configuration.set.is_none();
        self.emit(Happened::Added { vertex: id, location, index, parent });
        if marked {
            self.emit(Happened::Unsatisfiable { vertex: id });
        }
        let stack = vec![configuration];
        let vertex = Vertex {
            location,
            index,
            parent,
            depth,
            children: Vec::new(),
            unfolded: false,
            stack,
            own: Vec::new(),
            marked,
            limit: Vec::new(),
            alive: true,
        };
        self.vertices.push(vertex);
        id
    }

    /// `path_to`: the vertices from the root to this one.
    pub fn path_to(&self, vertex: VertexId) -> Vec<VertexId> {
        let mut path = vec![vertex];
        while let Some((parent, _)) = self.vertex(path[path.len() - 1]).parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// `build_succs`: symbolic execution along each edge of the black location.
    pub fn build_succs(&mut self, vertex: VertexId, ask: &mut Ask) -> Result<(), Exhausted> {
        let edges = self.states.outgoing(self.vertex(vertex).location).to_vec();
        let mut children = Vec::new();
        for (edge, to) in edges {
            let configuration = self.vertex(vertex).top().clone().step(&mut self.states, edge, ask)?;
            children.push((edge, self.add(to, Some((vertex, edge)), configuration)));
        }
        // The first successor is visited first.
        self.to_visit.extend(children.iter().rev().map(|&(_, child)| child));
        let vertex = &mut self.vertices[vertex as usize];
        vertex.children = children;
        vertex.unfolded = true;
        Ok(())
    }

    /// The vertices below this one, parents first.
    pub fn below(&self, vertex: VertexId) -> Vec<VertexId> {
        let mut found = Vec::new();
        let mut stack: Vec<VertexId> = self.vertex(vertex).children.iter().rev().map(|&(_, child)| child).collect();
        while let Some(next) = stack.pop() {
            found.push(next);
            stack.extend(self.vertex(next).children.iter().rev().map(|&(_, child)| child));
        }
        found
    }

    /// `can_prop`: the configurations that the vertex and all below it would have with one more abstraction, if all subsumptions
    /// of the graph hold with them, and the one of `subsumee` by the vertex too.
    pub fn can_prop(
        &mut self,
        vertex: VertexId,
        abstraction: &Abstraction,
        subsumee: VertexId,
        ask: &mut Ask,
    ) -> Result<Result<SortedMap<VertexId, Configuration>, PropagationConflict>, Exhausted> {
        let location = self.vertex(vertex).location;
        let top = self.vertex(vertex).top().clone().abstracted(&mut self.states, location, abstraction, ask)?;
        let mut new = SortedMap::from([(vertex, top)]);
        for id in self.below(vertex) {
            let (parent, edge) = self.vertex(id).parent.expect("not the root");
            let before = new[&parent].clone();
            let configuration = self.configuration(id, &before, edge, usize::MAX, ask)?;
            new.insert(id, configuration);
        }
        let set = |graph: &Self, id: VertexId| new.get(&id).map_or_else(|| graph.vertex(id).set(), |configuration| configuration.set);
        for (part, whole) in self.subsumption.clone() {
            if new.contains_key(&part)
                && let (Some(part), Some(whole)) = (set(self, part), set(self, whole))
                && !self.states.included(part, whole, ask)?
            {
                return Ok(Err(PropagationConflict::Existing));
            }
        }
        if let (Some(part), Some(whole)) = (set(self, subsumee), set(self, vertex))
            && !self.states.included(part, whole, ask)?
        {
            return Ok(Err(PropagationConflict::New(part)));
        }
        Ok(Ok(new))
    }

    /// A vertex' configuration from its parent's, with its own abstractions up to so many.
    pub fn configuration(
        &mut self,
        vertex: VertexId,
        before: &Configuration,
        edge: EdgeId,
        own: usize,
        ask: &mut Ask,
    ) -> Result<Configuration, Exhausted> {
        let mut configuration = before.step(&mut self.states, edge, ask)?;
        let location = self.vertex(vertex).location;
        for abstraction in self.vertex(vertex).own.iter().take(own).cloned().collect::<Vec<_>>() {
            configuration = configuration.abstracted(&mut self.states, location, &abstraction, ask)?;
        }
        Ok(configuration)
    }

    /// `propagate`: pushes the new configurations on the stacks; unmarks vertices that are satisfiable with them and puts them on
    /// the list to visit.
    pub fn propagate(&mut self, vertex: VertexId, abstraction: Abstraction, new: SortedMap<VertexId, Configuration>) {
        self.vertices[vertex as usize].own.push(abstraction);
        let changed: Vec<VertexId> = new.keys().copied().filter(|&id| id != vertex).collect();
        if !changed.is_empty() {
            self.emit(Happened::Propagated { from: vertex, to: &changed });
        }
        for (id, configuration) in new {
            let satisfiable = configuration.set.is_some();
            let vertex = &mut self.vertices[id as usize];
            vertex.stack.push(configuration);
            #[cfg(test)]
            if let Some(printed) = &mut self.printed {
                printed.entry(id).or_insert_with(|| vec![0]).push(vertex.own.len());
            }
            if vertex.marked && satisfiable {
                vertex.marked = false;
                self.to_visit.push(id);
                self.emit(Happened::Unmarked { vertex: id });
            }
        }
    }

    /// `destroy`: everything below the vertex goes. What something there subsumed comes back on the list to visit.
    pub fn destroy(&mut self, vertex: VertexId) {
        let gone = self.below(vertex);
        for &id in &gone {
            let vertex = &mut self.vertices[id as usize];
            vertex.alive = false;
            vertex.stack.clear();
            self.subsumption.remove(&id);
        }
        let dead: Vec<VertexId> = (self.subsumption.iter())
            .filter(|(_, whole)| !self.vertex(**whole).alive || **whole == vertex)
            .map(|(part, _)| *part)
            .collect();
        for part in dead {
            self.subsumption.remove(&part);
            self.to_visit.push(part);
        }
        self.to_visit.retain(|id| self.vertices[*id as usize].alive);
        self.vertices[vertex as usize].children.clear();
        self.vertices[vertex as usize].unfolded = false;
        self.emit(Happened::Destroyed { below: vertex, vertices: &gone });
    }

    /// Takes everything away but the root, and what restarts learned too.
    pub fn begin_anew(&mut self) {
        self.destroy(0);
        let root = &mut self.vertices[0];
        root.stack.truncate(1);
        root.own.clear();
        root.limit.clear();
        self.learned.iter_mut().for_each(Vec::clear);
        self.to_visit = vec![0];
        self.restarts = 0;
    }

    /// The red part as it stands, to come back to it.
    pub fn saved(&self) -> Saved {
        Saved {
            settings: self.settings,
            vertices: self.vertices.clone(),
            subsumption: self.subsumption.clone(),
            learned: self.learned.clone(),
            restarts: (self.restarts, self.all_restarts),
            occurrences: self.occurrences.clone(),
        }
    }

    /// Takes a red part that has ended back.
    pub fn put_back(&mut self, saved: Saved) {
        let Saved { settings, vertices, subsumption, learned, restarts, occurrences } = saved;
        (self.settings, self.vertices, self.subsumption, self.learned) = (settings, vertices, subsumption, learned);
        (self.restarts, self.all_restarts) = restarts;
        (self.occurrences, self.to_visit) = (occurrences, Vec::new());
    }

    /// `cmp_fp_sets`: whether the feasible paths of both, up to the lookahead, are the same.
    pub fn cmp_fp_sets(&mut self, one: SetId, other: SetId, ask: &mut Ask) -> Result<bool, Exhausted> {
        let depth = self.settings.lookahead;
        Ok(self.states.lookahead(one, depth, ask)? == self.states.lookahead(other, depth, ask)?)
    }
}
