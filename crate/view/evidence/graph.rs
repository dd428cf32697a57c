//! Graphs of places in evidence files, and the instances that show their paths to be feasible.

use super::{Claim, Entry, Reader, Sum, Term, Writer, write};
use crate::analysis::common::exact::{Instance, Instances};
use crate::analysis::common::instances;
use crate::analysis::common::places::{Place, Pruned};
use crate::count::totals;
use crate::logic::Pool;
use crate::lts::{EdgeId, LocationId};
use crate::solver::certificate::Certificate;
use serde::{Deserialize, Serialize};

/// Terms for the values before the entry and before each edge of a graph, over those after it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrittenInstances {
    pub terms: Vec<Term>,
    pub entry: Vec<WrittenInstance>,
    pub edges: Vec<Vec<WrittenInstance>>,
}

/// Symbols (entries of the table) and what they were.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrittenInstance {
    pub integers: Vec<(u32, Sum)>,
    pub arrays: Vec<(u32, u32)>,
}

/// A pruned graph; place 0 is the entry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PrunedGraph {
    /// The location of each place in the function.
    pub places: Vec<u32>,
    /// From, edge of the function, to.
    pub edges: Vec<(u32, u32, u32)>,
    /// Edges of the function that cannot be taken at a place.
    pub cut: Vec<(u32, u32)>,
    pub terms: Vec<Term>,
    /// For each place the formulas (indices of terms) that hold there.
    pub invariants: Vec<Vec<u32>>,
}

/// A pruned graph in the file's form.
pub fn write_graph(pool: &Pool, pruned: &Pruned) -> PrunedGraph {
    let mut writer = Writer::new(pool);
    let invariants = pruned.invariants.iter().map(|formulas| formulas.iter().map(|&formula| writer.formula(formula)).collect()).collect();
    PrunedGraph {
        places: pruned.places.iter().map(|place| place.location().index() as u32).collect(),
        edges: pruned.edges.iter().map(|&(from, edge, to)| (from, edge.index() as u32, to)).collect(),
        cut: pruned.cut.iter().map(|&(from, edge)| (from, edge.index() as u32)).collect(),
        terms: writer.terms,
        invariants,
    }
}

/// The claim that a graph is exact.
pub fn counted(id: String, pool: &Pool, graph: &Pruned, length: u32, certificates: &[Certificate], proof: &instances::Proof) -> Claim {
    let all = |certificates: &[Certificate]| certificates.iter().map(|certificate| write(pool, certificate)).collect();
    let count = totals(&graph.graph(), &[length]).first().map(ToString::to_string).unwrap_or_default();
    Claim::Counted {
        id,
        graph: write_graph(pool, graph),
        certificates: all(certificates),
        length,
        count,
        instances: write_instances(pool, &proof.instances),
        exact: all(&proof.certificates),
    }
}

fn write_instances(pool: &Pool, instances: &Instances) -> WrittenInstances {
    let mut writer = Writer::new(pool);
    let mut written = |instances: &[Instance]| -> Vec<WrittenInstance> {
        let mut all = Vec::new();
        for instance in instances {
            let integers = instance.integers.iter().map(|(from, to)| (writer.atom(*from), writer.sum(to))).collect();
            let arrays =
                instance.arrays.iter().map(|&(from, to)| (writer.write(Entry::Array(from)), writer.write(Entry::Array(to)))).collect();
            all.push(WrittenInstance { integers, arrays });
        }
        all
    };
    let (entry, edges) = (written(&instances.entry), instances.edges.iter().map(|instances| written(instances)).collect());
    WrittenInstances { terms: writer.terms, entry, edges }
}

/// Reads instances.
///
/// # Errors
/// What is malformed.
pub fn read_instances(pool: &mut Pool, instances: &WrittenInstances) -> Result<Instances, String> {
    let mut reader = Reader::new(pool, instances.terms.len());
    for (index, term) in instances.terms.iter().enumerate() {
        reader.add(term).map_err(|reason| format!("term {index}: {reason}"))?;
    }
    let one = |instance: &WrittenInstance| {
        let integers = instance.integers.iter().map(|(from, to)| Ok((reader.atom(*from)?, reader.sum(to)?)));
        let arrays = instance.arrays.iter().map(|&(from, to)| Ok((reader.array(from)?, reader.array(to)?)));
        Ok(Instance { integers: integers.collect::<Result<_, String>>()?, arrays: arrays.collect::<Result<_, String>>()? })
    };
    let all = |instances: &Vec<WrittenInstance>| instances.iter().map(one).collect::<Result<Vec<_>, String>>();
    Ok(Instances { entry: all(&instances.entry)?, edges: instances.edges.iter().map(all).collect::<Result<_, _>>()? })
}

/// Reads a pruned graph; that it fits the function is not checked here.
///
/// # Errors
/// What is malformed.
pub fn read_graph(pool: &mut Pool, graph: &PrunedGraph, exit: LocationId) -> Result<Pruned, String> {
    let mut reader = Reader::new(pool, graph.terms.len());
    for (index, term) in graph.terms.iter().enumerate() {
        reader.add(term).map_err(|reason| format!("term {index}: {reason}"))?;
    }
    let formulas = |indices: &Vec<u32>| indices.iter().map(|&index| reader.formula(index)).collect::<Result<Vec<_>, _>>();
    let edge = |edge: u32| EdgeId::new(edge as usize);
    Ok(Pruned {
        places: graph.places.iter().map(|&location| Place::Black(LocationId::new(location as usize))).collect(),
        edges: graph.edges.iter().map(|&(from, number, to)| (from, edge(number), to)).collect(),
        finals: (graph.places.iter().enumerate())
            .filter(|(_, location)| **location as usize == exit.index())
            .map(|(number, _)| LocationId::new(number))
            .collect(),
        invariants: graph.invariants.iter().map(formulas).collect::<Result<_, _>>()?,
        cut: graph.cut.iter().map(|&(from, number)| (from, edge(number))).collect(),
    })
}
