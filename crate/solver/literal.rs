//! Propositional variables and literals: every formula the search talks about has one variable.

/// A propositional variable's number.
pub type Var = u32;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    pub fn new(var: Var, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    pub fn var(self) -> Var {
        self.0 >> 1
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// A dense number: `2 · variable`, plus one for the negation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[cfg(test)]
    pub fn from_index(index: usize) -> Lit {
        Lit(index as u32)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
