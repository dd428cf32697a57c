//! Integers, terms, formulas and their evaluation: the language in which constraints are written.
//!
//! The solver decides formulas of this language, the checker checks certificates about them; neither is known here.

mod ascending;
mod eval;
mod int;
mod linear;
mod mentions;
mod pool;
mod range;
pub mod substitution;
pub mod text;

pub use ascending::{Arrange, ascending, gathered};
pub use eval::{ArrayValue, Assignment};
pub use int::{Int, gcd_u64};
pub use linear::Linear;
pub use mentions::Mentions;
pub use pool::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Pool, SymbolId};
pub use range::IntRange;
