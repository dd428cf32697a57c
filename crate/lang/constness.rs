//! What `const` says.

/// What `const` says of an object: bit 0 of itself (of an array: of its elements), bit 1 of what it points to, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constness(pub u32);

impl Constness {
    /// Takes a qualifier of the type.
    pub fn qualify(&mut self, word: &str) {
        self.0 |= u32::from(matches!(word, "const" | "__const" | "__const__"));
    }

    /// Of a pointer to the object, which may itself change.
    pub fn pointer(self) -> Constness {
        Constness(self.0 << 1)
    }

    /// Of what it points to.
    pub fn pointee(self) -> Constness {
        Constness(self.0 >> 1)
    }

    /// Whether the object itself cannot be assigned to.
    pub fn fixed(self) -> bool {
        self.0 & 1 == 1
    }
}
