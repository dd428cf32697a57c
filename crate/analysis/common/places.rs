//! Graphs of places: the function unfolded in part, with what is known to hold at each place.
//!
//! Source: AGVW16, Section III-C, where `S'` is such a graph; the merged graph of the feasible prefixes is one too. A *place* is
//! an occurrence of a location of the function (red), or the location itself, where nothing is known and everything goes on as
//! in the function (black).
//!
//! What makes such a graph right is shown in [`super::certify`] (no feasible path is missing) and [`super::exact`] (every path up
//! to a length is feasible).

use crate::count::Graph;
use crate::logic::{FormulaId, gathered};
use crate::lts::{EdgeId, LocationId, Lts};
use std::collections::BTreeMap;

/// A location of `S'`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// An occurrence: `l^index`, the red vertex.
    Red { vertex: u32, location: LocationId, index: u32 },
    /// A location of the original.
    Black(LocationId),
}

impl Place {
    pub fn location(&self) -> LocationId {
        match *self {
            Place::Red { location, .. } | Place::Black(location) => location,
        }
    }
}

/// What is known of a red place, and where each edge of its location leads (`None`: it is cut).
pub struct Occurrence {
    pub holds: Vec<FormulaId>,
    pub ways: Vec<(EdgeId, Option<Place>)>,
}

type Red<'r> = &'r mut dyn FnMut(u32) -> Occurrence;

/// `S'`: its entry is location 0; an edge carries the label of an edge of `S`.
#[derive(Clone, Debug)]
pub struct Pruned {
    pub places: Vec<Place>,
    /// From, edge of `S`, to.
    pub edges: Vec<(u32, EdgeId, u32)>,
    pub finals: Vec<LocationId>,
    /// For red places the formulas that hold there; empty for black ones.
    pub invariants: Vec<Vec<FormulaId>>,
    /// Edges of `S` that cannot be taken at a place.
    pub cut: Vec<(u32, EdgeId)>,
}

impl Pruned {
    /// The graph to count and draw in: its paths are those of `S'`, written with the edges of `S`.
    pub fn graph(&self) -> Graph {
        let edges = self.edges.iter().map(|&(from, edge, to)| (edge, LocationId::new(from as usize), LocationId::new(to as usize)));
        Graph::new(self.places.len(), LocationId::new(0), &self.finals, edges)
    }

    /// Lets these edges (by position) lead to the black part instead, and takes these cuts back.
    pub fn undo(&mut self, lts: &Lts, edges: &[usize], cuts: &[usize]) {
        if edges.is_empty() && cuts.is_empty() {
            return;
        }
        let first = self.places.len();
        let numbers = gathered(self.places.iter().enumerate().map(|(number, &place)| (place, number as u32)));
        let mut building = Building { pruned: self, numbers };
        for &at in edges {
            let edge = building.pruned.edges[at].1;
            building.pruned.edges[at].2 = building.number(Place::Black(lts.edge(edge).2), lts);
        }
        for &at in cuts {
            let (from, edge) = building.pruned.cut[at];
            let to = building.number(Place::Black(lts.edge(edge).2), lts);
            building.pruned.edges.push((from, edge, to));
        }
        building.close(first, None, lts);
        let mut at = 0;
        self.cut.retain(|_| {
            at += 1;
            !cuts.contains(&(at - 1))
        });
    }

    /// The graph of what can be reached from this place.
    pub fn closed(lts: &Lts, entry: Place, red: Red) -> Pruned {
        let mut pruned = Pruned { places: Vec::new(), edges: Vec::new(), finals: Vec::new(), invariants: Vec::new(), cut: Vec::new() };
        let mut building = Building { pruned: &mut pruned, numbers: BTreeMap::new() };
        building.number(entry, lts);
        building.close(0, Some(red), lts);
        pruned
    }

    /// The original as a graph of black places: what is left where nothing could be confirmed.
    pub fn original(lts: &Lts) -> Pruned {
        let mut pruned = Pruned { places: Vec::new(), edges: Vec::new(), finals: Vec::new(), invariants: Vec::new(), cut: Vec::new() };
        let mut building = Building { pruned: &mut pruned, numbers: BTreeMap::new() };
        building.number(Place::Black(lts.entry), lts);
        building.close(0, None, lts);
        pruned
    }
}

struct Building<'p> {
    pruned: &'p mut Pruned,
    numbers: BTreeMap<Place, u32>,
}

impl Building<'_> {
    fn number(&mut self, place: Place, lts: &Lts) -> u32 {
        let new = self.pruned.places.len() as u32;
        let number = *self.numbers.entry(place).or_insert(new);
        if number == new {
            self.pruned.places.push(place);
            self.pruned.invariants.push(Vec::new());
            if place.location() == lts.exit {
                self.pruned.finals.push(LocationId::new(number as usize));
            }
        }
        number
    }

    /// Adds the edges of every place in turn, from this one on.
    fn close(&mut self, first: usize, mut red: Option<Red>, lts: &Lts) {
        let mut next = first;
        while let Some(&place) = self.pruned.places.get(next) {
            let from = next as u32;
            next += 1;
            match (place, &mut red) {
                (Place::Black(location), _) | (Place::Red { location, .. }, None) => {
                    for (edge, to) in lts.outgoing(location) {
                        let to = self.number(Place::Black(to), lts);
                        self.pruned.edges.push((from, edge, to));
                    }
                }
                (Place::Red { vertex, .. }, Some(red)) => {
                    let Occurrence { holds, ways } = red(vertex);
                    self.pruned.invariants[from as usize] = holds;
                    for (edge, to) in ways {
                        match to {
                            Some(place) => {
                                let to = self.number(place, lts);
                                self.pruned.edges.push((from, edge, to));
                            }
                            None => self.pruned.cut.push((from, edge)),
                        }
                    }
                }
            }
        }
    }
}
