//! culdesac: which parts of a program can never run, why, and what input runs the rest.
//!
//! Text → [`lang`] (a checked syntax tree) → [`lts`] (a labelled transition system, calls inlined) → an analysis in [`analysis`], which
//! walks paths ([`search`]) or sets of states ([`states`]), executes them symbolically ([`symex`]) and asks the [`solver`] → a document
//! of [`view`]'s plain data, which the command line prints and the page draws. In reading order:
//!
//! | module | what it is |
//! |---|---|
//! | [`source`] | spans, lines, diagnostics |
//! | [`lang`] | the C subset and the block language |
//! | [`lts`] | the program model: locations, edges, labels; lowering; loops and dominators |
//! | [`interp`] | concrete execution: the judge of every claimed input |
//! | [`count`], [`automaton`] | complete paths counted and drawn; families of paths as finite automata over edges |
//! | [`logic`] | integers, terms, formulas, their evaluation |
//! | [`solver`] | the decision procedure, its certificates, and the checker that shares no code with it |
//! | [`symex`] | the symbolic state along a path |
//! | [`search`], [`states`] | walking along paths with an incremental solver; sets of states and what an edge makes of them |
//! | [`view`], [`load`] | plain data for page and `--json`; from a question to a program that was accepted |
//! | [`evidence`] | what a claim says, how it is written, how it is checked |
//! | [`analysis`] | the analyses, each in its folder; the table of all; the trace they report through |
//! | [`smtlib`], [`generate`] | SMT-LIB 2 read and written; random programs of CHS12's kind |
//!
//! Modules use each other one way, as `analysis → {evidence → load → view, search, states} → symex → {lts → lang → source, solver → logic}`; `tests/it/tidy.rs`
//! guards it. `crate/DECISIONS.md` says what was chosen, and why.
//!
//! ```
//! use culdesac::{interp::Machine, lang, lts::lower::lower, solver::meter::Meter};
//! use culdesac::evidence::path::check_refutation;
//! use culdesac::search::{Step, Walk};
//!
//! // No integer has the double 7.
//! let program = lang::parse("int f(int x) { if (x > 3) if (x + x == 7) return 1; return 0; }").program.expect("no error");
//! let lts = lower(&program, None).expect("no error").lts;
//! let (mut walk, mut meter) = (Walk::new(&lts), Meter::new(10_000));
//! let (first, inside) = lts.outgoing(lts.entry)[0];
//! let (second, _) = lts.outgoing(inside)[0];
//! // Feasible, by an input that the interpreter replayed …
//! assert!(matches!(walk.step(first, &mut meter, &mut |_, _| {}), Step::Feasible));
//! assert!(matches!(walk.witness(&Machine::new(&lts)), Ok(Ok(input)) if input.values["x"] > 3.into()));
//! // … and infeasible, by a certificate that the checker accepts for the conditions of the path, derived anew.
//! let Step::Infeasible(refutation) = walk.step(second, &mut meter, &mut |_, _| {}) else { panic!("feasible") };
//! let checked = check_refutation(&lts, &mut walk.pool().clone(), &[first, second], &refutation.core, &refutation.certificate);
//! assert_eq!(checked, Ok(()));
//! ```
//!
//! # Invariants
//!
//! - *Feasible* only with an input that [`interp`] replayed, *infeasible* only with a certificate that [`solver::check`] accepted,
//!   everything else *open* with its reason. A limit is never a verdict.
//! - Same program, settings, seed and limit: same bytes out, natively and in the browser. Limits count steps. There is no randomness
//!   without a seed, and no result depends on the order of a hash table. The one clock, the watchdog of [`solver::adviser`], can cost a
//!   proposal, and so change a witness or its steps, never a verdict.
//! - The solver knows nothing of programs; the analyses do not know each other; core types are not serialisable.
//! - Trusted are the modules that the header of [`evidence`] lists, and nothing else: not the solver, the search, the analyses.
//!
//! # Papers
//!
//! - AGVW16: R. Aissat, M.-C. Gaudel, F. Voisin, B. Wolff, *Pruning Infeasible Paths via Graph Transformations and Symbolic Execution*, 2016
//! - DBG10: M. Delahaye, B. Botella, A. Gotlieb, *Explanation-based Generalization of Infeasible Path*, 2010
//! - ST12: J. Strejček, M. Trtík, *Abstracting Path Conditions*, 2012
//! - CHS12: J. Christ, J. Hoenicke, M. Schäf, *Towards Bounded Infeasible Code Detection*, 2012
//! - BDP16: M. Baluda, G. Denaro, M. Pezzè, *Bidirectional Symbolic Analysis for Effective Branch Testing*, 2016

pub mod analysis;
pub mod automaton;
pub mod count;
pub mod evidence;
pub mod generate;
pub mod interp;
pub mod lang;
pub mod load;
pub mod logic;
pub mod lts;
pub mod search;
pub mod smtlib;
pub mod solver;
pub mod source;
pub mod states;
pub mod symex;
pub mod view;

#[cfg(doc)]
#[doc = include_str!("DECISIONS.md")]
pub mod decisions {}
