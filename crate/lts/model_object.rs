//! Variables and arrays alike: the parts of the state that expressions read and labels assign.

use super::{ArrayId, Expr, Label, VariableId};

/// A variable or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelObject {
    Variable(VariableId),
    Array(ArrayId),
}

impl Expr {
    /// The variables and arrays that it reads, each once.
    pub fn objects(&self) -> Vec<ModelObject> {
        let mut found = Vec::new();
        self.walk(&mut |part| {
            let object = match part {
                Expr::Var(id) => ModelObject::Variable(*id),
                Expr::Read(id, _) => ModelObject::Array(*id),
                _ => return,
            };
            if !found.contains(&object) {
                found.push(object);
            }
        });
        found
    }

    /// Whether it reads this variable.
    pub fn reads(&self, variable: VariableId) -> bool {
        self.objects().contains(&ModelObject::Variable(variable))
    }
}

impl Label {
    /// The variable or the array that it assigns, or has an element assigned.
    pub fn assigned(&self) -> Option<ModelObject> {
        match self {
            Label::Assign(id, _) | Label::Havoc(id) => Some(ModelObject::Variable(*id)),
            Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => Some(ModelObject::Array(*array)),
            Label::Skip | Label::Assume { .. } => None,
        }
    }
}
