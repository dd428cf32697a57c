//! culdesac: which parts of a program can never run, why, and what input runs the rest.

pub mod count;
pub mod interp;
pub mod logic;
pub mod lts;
pub mod smtlib;
pub mod solver;
pub mod source;
pub mod view;
