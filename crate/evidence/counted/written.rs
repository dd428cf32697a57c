//! Instances in evidence files: what shows that the paths of a graph are feasible.

use super::{Instance, Instances};
use crate::evidence::proof::{PoolEntry, ProofReader, ProofWriter};
use crate::evidence::{ProofTerm, Sum};
use crate::logic::Pool;
use serde::{Deserialize, Serialize};

/// Terms for the values before the entry and before each edge of a graph, over those after it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrittenInstances {
    pub terms: Vec<ProofTerm>,
    pub entry: Vec<WrittenInstance>,
    pub edges: Vec<Vec<WrittenInstance>>,
}

/// Symbols (entries of the table), and for each the term for its value before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrittenInstance {
    pub integers: Vec<(u32, Sum)>,
    pub arrays: Vec<(u32, u32)>,
}

/// Instances in the file's form.
pub fn write_instances(pool: &Pool, instances: &Instances) -> WrittenInstances {
    let mut writer = ProofWriter::new(pool);
    let mut written = |instances: &[Instance]| -> Vec<WrittenInstance> {
        let mut all = Vec::new();
        for instance in instances {
            let integers = instance.integers.iter().map(|(from, to)| (writer.atom(*from), writer.sum(to))).collect();
            let arrays = instance
                .arrays
                .iter()
                .map(|&(from, to)| (writer.write(PoolEntry::Array(from)), writer.write(PoolEntry::Array(to))))
                .collect();
            all.push(WrittenInstance { integers, arrays });
        }
        all
    };
    let (entry, edges) = (written(&instances.entry), instances.edges.iter().map(|instances| written(instances)).collect());
    WrittenInstances { terms: writer.terms, entry, edges }
}

/// Reads instances into a pool; this does not check whether they fit a graph.
///
/// # Errors
/// What is malformed.
pub fn read_instances(pool: &mut Pool, instances: &WrittenInstances) -> Result<Instances, String> {
    let mut reader = ProofReader::new(pool, instances.terms.len());
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
