//! Families of infeasible paths in evidence files.

use super::{Annotation, Certified, Contents};
use crate::evidence::proof::{PoolEntry, ProofReader, ProofWriter, number};
use crate::evidence::{Proof, ProofTerm, Sum, read, write};
use crate::logic::{Pool, SortedMap};
use crate::lts::{ArrayId, LocationId, Lts, VariableId};
use serde::{Deserialize, Serialize};

/// An automaton over the function's edges, none of whose accepted paths can run; state 0 is the initial one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FamilyGraph {
    /// For each state the number of its location in the function.
    pub locations: Vec<u32>,
    pub accepting: Vec<u32>,
    /// From, edge of the function, to; and the number of the first value of `nondet()` on it, where it has a name.
    pub transitions: Vec<(u32, u32, u32, Option<u32>)>,
    pub terms: Vec<ProofTerm>,
    /// What is known at each state.
    pub known: Vec<FamilyState>,
    /// Formulas (indices of terms) that hold at the accepting states and contradict each other.
    pub explanation: Vec<u32>,
    pub certificate: Proof,
}

/// What is known at a state: terms over the inputs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FamilyState {
    /// Variables by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<(String, Sum)>,
    /// Arrays whose contents are known as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrays: Vec<(String, u32)>,
    /// Elements: array, index, value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<(String, String, Sum)>,
    /// Formulas that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<u32>,
}

/// A family in the file's form.
pub fn write_family(lts: &Lts, pool: &Pool, family: &Certified) -> FamilyGraph {
    let mut writer = ProofWriter::new(pool);
    let states = family.annotations.iter().map(|annotation| {
        let variables = annotation.variables.iter().map(|(&id, term)| (lts.variable(id).name.clone(), writer.sum(term))).collect();
        let mut state = FamilyState { variables, ..FamilyState::default() };
        for (&id, contents) in &annotation.arrays {
            let name = &lts.array(id).name;
            match contents {
                Contents::Whole(term) => state.arrays.push((name.clone(), writer.write(PoolEntry::Array(*term)))),
                Contents::Elements(elements) => {
                    let elements = elements.iter().map(|(index, value)| (name.clone(), index.to_string(), writer.sum(value)));
                    state.elements.extend(elements.collect::<Vec<_>>());
                }
            }
        }
        state.holds = annotation.holds.iter().map(|&formula| writer.formula(formula)).collect();
        state
    });
    let known = states.collect();
    let explanation = family.explanation.iter().map(|&formula| writer.formula(formula)).collect();
    FamilyGraph {
        locations: family.locations.iter().map(|location| location.index() as u32).collect(),
        accepting: family.accepting.clone(),
        transitions: family.transitions.clone(),
        terms: writer.terms,
        known,
        explanation,
        certificate: write(pool, &family.certificate),
    }
}

/// Reads a family into a pool; [`super::check_family`] checks whether it is one.
///
/// # Errors
/// What is malformed.
pub fn read_family(lts: &Lts, pool: &mut Pool, graph: &FamilyGraph) -> Result<Certified, String> {
    let certificate = read(pool, &graph.certificate)?;
    let mut reader = ProofReader::new(pool, graph.terms.len());
    for (index, term) in graph.terms.iter().enumerate() {
        reader.add(term).map_err(|reason| format!("term {index}: {reason}"))?;
    }
    let variable =
        |name: &str| lts.variables.iter().position(|variable| variable.name == name).ok_or_else(|| format!("no variable `{name}`"));
    let array = |name: &str| lts.arrays.iter().position(|array| array.name == name).ok_or_else(|| format!("no array `{name}`"));
    let mut annotations = Vec::with_capacity(graph.known.len());
    for state in &graph.known {
        let mut annotation = Annotation::default();
        for (name, sum) in &state.variables {
            annotation.variables.insert(VariableId(variable(name)? as u32), reader.sum(sum)?);
        }
        for (name, index, sum) in &state.elements {
            let contents = annotation.arrays.entry(ArrayId(array(name)? as u32)).or_insert_with(|| Contents::Elements(SortedMap::new()));
            if let Contents::Elements(elements) = contents {
                elements.insert(number(index)?, reader.sum(sum)?);
            }
        }
        for (name, term) in &state.arrays {
            annotation.arrays.insert(ArrayId(array(name)? as u32), Contents::Whole(reader.array(*term)?));
        }
        annotation.holds = state.holds.iter().map(|&index| reader.formula(index)).collect::<Result<_, _>>()?;
        annotations.push(annotation);
    }
    Ok(Certified {
        locations: graph.locations.iter().map(|&location| LocationId::new(location as usize)).collect(),
        accepting: graph.accepting.clone(),
        transitions: graph.transitions.clone(),
        explanation: graph.explanation.iter().map(|&index| reader.formula(index)).collect::<Result<_, _>>()?,
        annotations,
        certificate,
    })
}
