//! Pruned graphs in evidence files.

use super::{Ghost, Pruned, PrunedNode, Update};
use crate::evidence::proof::{ProofReader, ProofWriter};
use crate::evidence::{ProofTerm, Sum};
use crate::logic::Pool;
use crate::lts::{EdgeId, LocationId};
use serde::{Deserialize, Serialize};

/// A pruned graph; node 0 is the entry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PrunedGraph {
    /// For each node the number of its location in the function.
    pub places: Vec<u32>,
    /// From, edge of the function, to.
    pub edges: Vec<(u32, u32, u32)>,
    /// Node, and edge of the function that no execution takes from there.
    pub cut: Vec<(u32, u32)>,
    pub terms: Vec<ProofTerm>,
    /// For each node the formulas (indices of terms) that hold there.
    pub invariants: Vec<Vec<u32>>,
    /// Variables that the program does not have: name and first value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ghosts: Vec<(String, Sum)>,
    /// The position of an edge, that of a ghost, and the value that it gets there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updates: Vec<(u32, u32, Sum)>,
}

impl PrunedGraph {
    /// About how many numbers its written form has.
    pub fn size(&self) -> u64 {
        let terms: usize = self.terms.iter().map(ProofTerm::size).sum();
        let formulas: usize = self.invariants.iter().map(Vec::len).sum();
        (self.places.len() + 3 * self.edges.len() + 2 * self.cut.len() + terms + formulas) as u64
    }
}

/// A pruned graph in the file's form.
pub fn write_graph(pool: &Pool, pruned: &Pruned) -> PrunedGraph {
    let mut writer = ProofWriter::new(pool);
    let invariants = pruned.invariants.iter().map(|formulas| formulas.iter().map(|&formula| writer.formula(formula)).collect()).collect();
    let ghosts = pruned.ghosts.iter().map(|ghost| (ghost.name.clone(), writer.sum(&ghost.initial))).collect();
    let updates = pruned.updates.iter().map(|update| (update.edge as u32, update.ghost as u32, writer.sum(&update.value))).collect();
    PrunedGraph {
        places: pruned.nodes.iter().map(|node| node.location().index() as u32).collect(),
        edges: pruned.edges.iter().map(|&(from, edge, to)| (from, edge.index() as u32, to)).collect(),
        cut: pruned.cut.iter().map(|&(from, edge)| (from, edge.index() as u32)).collect(),
        terms: writer.terms,
        invariants,
        ghosts,
        updates,
    }
}

/// Reads a pruned graph; this does not check whether it fits the function.
///
/// # Errors
/// What is malformed.
pub fn read_graph(pool: &mut Pool, graph: &PrunedGraph, exit: LocationId) -> Result<Pruned, String> {
    let mut reader = ProofReader::new(pool, graph.terms.len());
    for (index, term) in graph.terms.iter().enumerate() {
        reader.add(term).map_err(|reason| format!("term {index}: {reason}"))?;
    }
    let formulas = |indices: &Vec<u32>| indices.iter().map(|&index| reader.formula(index)).collect::<Result<Vec<_>, _>>();
    let edge = |edge: u32| EdgeId::new(edge as usize);
    Ok(Pruned {
        nodes: graph.places.iter().map(|&location| PrunedNode::Black(LocationId::new(location as usize))).collect(),
        edges: graph.edges.iter().map(|&(from, number, to)| (from, edge(number), to)).collect(),
        finals: (graph.places.iter().enumerate())
            .filter(|(_, location)| **location as usize == exit.index())
            .map(|(number, _)| LocationId::new(number))
            .collect(),
        invariants: graph.invariants.iter().map(formulas).collect::<Result<_, _>>()?,
        cut: graph.cut.iter().map(|&(from, number)| (from, edge(number))).collect(),
        ghosts: (graph.ghosts.iter())
            .map(|(name, initial)| Ok(Ghost { name: name.clone(), initial: reader.sum(initial)? }))
            .collect::<Result<_, String>>()?,
        updates: (graph.updates.iter())
            .map(|(edge, ghost, value)| Ok(Update { edge: *edge as usize, ghost: *ghost as usize, value: reader.sum(value)? }))
            .collect::<Result<_, String>>()?,
    })
}
