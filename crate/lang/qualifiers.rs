//! What `const` and `volatile` say.

/// What qualifiers say of an object: bit 0 of itself (of an array: of its elements), bit 1 of what it points to, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers {
    constant: u32,
    volatile: u32,
}

impl Qualifiers {
    /// Takes a qualifier of the type.
    pub fn qualify(&mut self, word: &str) {
        match word {
            "const" | "__const" | "__const__" => self.constant |= 1,
            "volatile" | "__volatile" | "__volatile__" => self.volatile |= 1,
            _ => {}
        }
    }

    /// Takes those of a type that a name stands for.
    #[must_use]
    pub fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers { constant: self.constant | other.constant, volatile: self.volatile | other.volatile }
    }

    /// Of the object itself only.
    #[must_use]
    pub fn own(self) -> Qualifiers {
        Qualifiers { constant: self.constant & 1, volatile: self.volatile & 1 }
    }

    /// Of a pointer to the object, which may itself change.
    #[must_use]
    pub fn pointer(self) -> Qualifiers {
        Qualifiers { constant: self.constant << 1, volatile: self.volatile << 1 }
    }

    /// Of what it points to.
    #[must_use]
    pub fn pointee(self) -> Qualifiers {
        Qualifiers { constant: self.constant >> 1, volatile: self.volatile >> 1 }
    }

    /// Without `const` of the object itself.
    #[must_use]
    pub fn assignable(self) -> Qualifiers {
        Qualifiers { constant: self.constant & !1, ..self }
    }

    /// Whether the object itself cannot be assigned to.
    pub fn fixed(self) -> bool {
        self.constant & 1 == 1
    }

    /// Whether the object or something that it leads to is volatile.
    pub fn names_volatile(self) -> bool {
        self.volatile != 0
    }

    /// Whether something outside of the program can change the object itself at any time (C11 6.7.3p7).
    pub fn is_volatile(self) -> bool {
        self.volatile & 1 == 1
    }
}
