//! What `const`, `volatile`, the name of an enumeration and the structure of nodes say beside the values of a type.

/// What qualifiers say of an object: bit 0 of itself (of an array: of its elements), bit 1 of what it points to, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers {
    constant: u32,
    volatile: u32,
    /// The enumeration that the innermost type is, by its number from 1; 0 for none.
    enumeration: u32,
    /// The structure to whose nodes its pointers lead ([`crate::memory`]), by its number from 1; 0 for none.
    nodes: u32,
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

    /// Those of an enumeration's type.
    pub fn of_enumeration(number: u32) -> Qualifiers {
        Qualifiers { enumeration: number, ..Qualifiers::default() }
    }

    /// The number of the enumeration that the innermost type is: its place in [`super::ast::Program::enumerations`], and 1.
    pub fn enumeration(self) -> Option<usize> {
        (self.enumeration as usize).checked_sub(1)
    }

    /// Those of an object whose pointers are numbers of nodes of this structure.
    #[must_use]
    pub fn leading_to(self, structure: u32) -> Qualifiers {
        Qualifiers { nodes: structure + 1, ..self }
    }

    /// The structure to whose nodes its pointers lead.
    pub fn nodes(self) -> Option<u32> {
        self.nodes.checked_sub(1)
    }

    /// Takes those of a type that a name stands for.
    #[must_use]
    pub fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            constant: self.constant | other.constant,
            volatile: self.volatile | other.volatile,
            enumeration: self.enumeration.max(other.enumeration),
            nodes: self.nodes.max(other.nodes),
        }
    }

    /// Of the object itself only.
    #[must_use]
    pub fn own(self) -> Qualifiers {
        Qualifiers { constant: self.constant & 1, volatile: self.volatile & 1, ..self }
    }

    /// Of a pointer to the object, which may itself change.
    #[must_use]
    pub fn pointer(self) -> Qualifiers {
        Qualifiers { constant: self.constant << 1, volatile: self.volatile << 1, ..self }
    }

    /// Of what it points to.
    #[must_use]
    pub fn pointee(self) -> Qualifiers {
        Qualifiers { constant: self.constant >> 1, volatile: self.volatile >> 1, ..self }
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

    /// The bits that say what is volatile.
    pub fn volatile_bits(self) -> u32 {
        self.volatile
    }

    /// Those of what only these bits say.
    pub fn of_volatile(bits: u32) -> Qualifiers {
        Qualifiers { volatile: bits, ..Qualifiers::default() }
    }

    /// Whether something outside of the program can change the object itself at any time (C11 6.7.3p7).
    pub fn is_volatile(self) -> bool {
        self.volatile & 1 == 1
    }
}
