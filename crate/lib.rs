//! culdesac: which parts of a program can never run, why, and what input runs the rest.

pub mod analysis;
pub mod count;
pub mod interp;
pub mod lang;
pub mod logic;
pub mod lts;
pub mod search;
pub mod solver;
pub mod source;
pub mod symex;
pub mod view;
