//! The parts of the program's objects that the variables and arrays of the model stand for.

use crate::logic::Int;

/// An object as the text names it, and the way from it to the scalars that a variable or an array keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePart {
    pub object: String,
    pub steps: Vec<PartStep>,
    /// The numbers of the members on the way, in the order of their declarations.
    pub path: Vec<usize>,
}

/// A step from an object to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartStep {
    /// To its elements; their number, where the declaration has it.
    Elements(Option<Int>),
    Member(String),
    /// To one of all nodes of the structure with this number ([`crate::memory`]).
    Node(u32),
    /// To one of the pointers of a node that lie side by side in one array: their members.
    Pointers(Vec<String>),
}

impl SourcePart {
    /// An object as a whole.
    pub fn whole(object: String) -> SourcePart {
        SourcePart { object, ..SourcePart::default() }
    }

    /// Whether a declaration of the program names the object. An argument of the command line is called `argv[1]`.
    pub fn is_declared(&self) -> bool {
        !self.object.is_empty() && !self.object.contains('[')
    }

    /// Of one member of all elements of an object the end of the array's name, as `.x` of `points.x`: the text has it after the index.
    pub fn member_of_elements<'n>(&self, name: &'n str) -> Option<&'n str> {
        let [PartStep::Elements(_), members @ ..] = &self.steps[..] else { return None };
        let mut rest = name;
        for step in members.iter().rev() {
            let PartStep::Member(member) = step else { return None };
            rest = rest.strip_suffix(member.as_str())?.strip_suffix('.')?;
        }
        Some(&name[rest.len()..])
    }

    /// The elements of an object.
    pub fn elements(object: String, length: Option<Int>) -> SourcePart {
        SourcePart { object, steps: vec![PartStep::Elements(length)], path: Vec::new() }
    }
}
