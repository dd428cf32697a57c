//! culdesac: which parts of a program can never run, why, and what input runs the rest.
//!
//! Text → [`lang`] (a checked syntax tree) → [`lts`] (a labelled transition system, calls inlined) → an analysis in [`analysis`], which
//! walks paths ([`search`]) or sets of states ([`states`]), executes them symbolically ([`symex`]), queries the [`solver`] and hands over
//! claims ([`evidence`]) → a document, which the command line prints and the page draws.
//!
//! # The rooms
//!
//! Each room uses only rooms below it; `tests/it/tidy.rs` guards that.
//!
//! ```text
//!  entry      command line (crate/bin)                 page (web)
//!                         └────────────┬────────────────┘
//!  coverage   justify ─────────────────┤
//!  methods                          analysis          prune · explain · reach · cover · branches; paths, draw, run, check, …
//!                ┌────────────┬────────┴────┬──────────────┐
//!  shared     sequences    counting       export      smtlib · generate · ledger · answer_page
//!                └─── invariants ───┐       │
//!                                  run      │         trace, recorder, the door that claims pass, assumptions
//!  trust                         evidence   │         claims, written and checked
//!                                   └─ load ┘         from a request to a lowered program; view: plain data
//!  exploring                    search · states       paths; sets of states
//!  executing               symex · interp · count · automaton
//!  deciding                  solver                   certificates, and the checker that shares no code with it
//!  language   lts ── memory · pointer ── lang ── source   program model ── nodes; points-to, mod/ref ── C and blocks ── text
//!  arithmetic                 logic                   integers, terms, formulas
//! ```
//!
//! # Entry points
//!
//! | to | call |
//! |---|---|
//! | read a program | [`load::load`] of a [`view::Request`]; [`lang`] and [`lts`] by themselves |
//! | run an analysis | [`analysis::Query::answer`] with its settings and a [`run::listener::Listener`]; by name: the table in [`analysis`] |
//! | check evidence | [`analysis::check::check`]; a single claim: [`evidence::check::check_claim`] |
//! | decide formulas | [`solver::Context`] over a [`logic::Pool`]; SMT-LIB text: [`smtlib`] |
//! | run a program | [`interp::Machine`] |
//! | write a test suite | [`export`] |
//!
//! In reading order:
//!
//! | module | contents |
//! |---|---|
//! | [`source`] | spans, lines, diagnostics |
//! | [`lang`] | the C subset and the block language |
//! | [`pointer`] | what pointers may point to, what functions may read, write and call, what has escaped |
//! | [`memory`] | linked structures: a program written anew, with numbers in place of pointers |
//! | [`lts`] | the program model: locations, edges, labels; lowering; loops and dominators |
//! | [`interp`] | concrete execution: the judge of every claimed input |
//! | [`count`], [`automaton`] | complete paths counted and drawn; families of paths as finite automata over edges |
//! | [`logic`] | integers, terms, formulas, their evaluation |
//! | [`solver`] | the decision procedure, its certificates, and the checker that shares no code with it |
//! | [`symex`] | the symbolic state along a path |
//! | [`view`], [`load`] | plain data for page and `--json`; from a request to a lowered program |
//! | [`evidence`] | claims: what each says, how it is written, how it is checked; what has to be trusted |
//! | [`search`], [`states`] | walking along paths with an incremental solver; sets of states and what an edge makes of them |
//! | [`run`] | the trace that methods report to, its recorder, the door that every claim passes, the assumptions that a verdict needs |
//! | [`invariants`] | facts at locations: guessed and proved by induction, propagated backward, enumerated values |
//! | [`ledger`] | one verdict for each branch of the text, whichever engine settles it |
//! | [`counting`], [`sequences`] | feasible paths counted; calls that lead to a state of the statics |
//! | [`export`] | inputs as test suites in C and as Test-Comp files |
//! | [`answer_page`] | an answer as one page of HTML |
//! | [`analysis`] | the analyses, each with its settings, document and command; the table of all |
//! | [`justify`] | coverage of others' tests, its gaps closed by tests and proofs (command line only) |
//! | [`smtlib`], [`generate`] | SMT-LIB 2 read and written; random programs of CHS12's kind |
//!
//! `crate/DECISIONS.md` gives the decisions with their reasons.
//!
//! ```
//! use culdesac::analysis::{Query, Listener, check::check, cover::{Cover, CoverSettings}};
//! use culdesac::{evidence::Evidence, view::{Reply, Request}};
//!
//! let source = "int f(int x) { if (x > 3) if (x + x == 7) return 1; return 0; }";
//! let request = Request { program: "f.c".into(), source: source.into(), ..Request::default() };
//! let settings = CoverSettings { unwind: None, algorithm: "prefer".into(), precondition: None, summaries: false };
//! let (mut claims, mut progress) = (Vec::new(), |_| true);
//! let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
//! let query = Query { request: Some(request.clone()), settings };
//! let Reply::Document { document } = query.answer::<Cover>(&Default::default, &mut listener) else { panic!("refused") };
//! assert_eq!(document.infeasible[0].text, "x + x == 7");
//!
//! // The check derives anew what has to be shown, from the text and the claims alone.
//! let evidence = Evidence::of(&request, &document.header, claims);
//! let Reply::Document { document } = check(&evidence) else { panic!("refused") };
//! assert!(document.checked > 0 && document.rejected.is_empty());
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
//! - Belief in a claim rests on trust in the modules that [`evidence`] lists, and nothing of the solver's search or of the analyses.
//!
//! # Papers
//!
//! - AGVW16: R. Aissat, M.-C. Gaudel, F. Voisin, B. Wolff, *Pruning Infeasible Paths via Graph Transformations and Symbolic Execution*, 2016
//! - DBG10: M. Delahaye, B. Botella, A. Gotlieb, *Explanation-based Generalization of Infeasible Path*, 2010
//! - ST12: J. Strejček, M. Trtík, *Abstracting Path Conditions*, 2012
//! - CHS12: J. Christ, J. Hoenicke, M. Schäf, *Towards Bounded Infeasible Code Detection*, 2012
//! - BDP16: M. Baluda, G. Denaro, M. Pezzè, *Bidirectional Symbolic Analysis for Effective Branch Testing*, 2016

pub mod analysis;
#[cfg(feature = "files")]
pub mod answer_page;
pub mod automaton;
pub mod count;
pub mod counting;
pub mod evidence;
pub mod export;
pub mod generate;
pub mod interp;
pub mod invariants;
#[cfg(feature = "files")]
pub mod justify;
pub mod lang;
pub mod ledger;
pub mod load;
pub mod logic;
pub mod lts;
pub mod memory;
pub mod pointer;
pub mod run;
pub mod search;
pub mod sequences;
pub mod smtlib;
pub mod solver;
pub mod source;
pub mod states;
pub mod symex;
pub mod view;

/// How many random cases the tests below have: the same rules as in the tests from outside.
#[cfg(test)]
#[path = "../tests/it/common/cases.rs"]
mod cases;
/// What all meters of this program have counted, for that.
#[cfg(test)]
fn spent() -> u64 {
    solver::meter::SPENT.load(std::sync::atomic::Ordering::Relaxed)
}

#[cfg(doc)]
#[doc = include_str!("DECISIONS.md")]
pub mod decisions {}
