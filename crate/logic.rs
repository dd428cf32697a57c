//! Integers, terms, formulas and their evaluation: the language in which constraints are written.
//!
//! The solver decides formulas of this language and the checker checks certificates about them; this module knows neither.
//!
//! # Example
//!
//! ```
//! use culdesac::logic::{Assignment, Int, Linear, Pool, text};
//!
//! let mut pool = Pool::new();
//! let x = pool.integer("x");
//! let positive = pool.less(&Linear::constant(0), &x);
//! assert_eq!(text::formula(&pool, positive), "1 <= x");
//!
//! let mut values = Assignment::default();
//! assert_eq!(values.formula(&pool, positive), Some(false), "what is not listed is 0");
//! values.integers.insert(pool.symbol("x"), Int::from(7));
//! assert_eq!(values.formula(&pool, positive), Some(true));
//! ```

mod ascending;
pub mod decimal;
mod eval;
mod gcd;
mod int;
mod linear;
mod mentions;
mod number_bound;
mod pool;
mod range;
pub mod rank;
mod shared;
mod sorted;
pub mod substitution;
pub mod text;
mod wrapped;

pub use ascending::{Arrange, ascending, gathered};
pub use eval::{ArrayValue, Assignment};
pub use gcd::gcd_u128;
pub use int::Int;
pub use linear::Linear;
pub use mentions::Mentions;
pub use pool::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Pool, SymbolId};
pub use range::IntRange;
pub use shared::Shared;
pub use sorted::{SortedEntry, SortedIter, SortedMap, SortedSet};
