//! culdesac: which parts of a program can never run, why, and what input runs the rest.
//!
//! # The way of a program
//!
//! text → [`lang`] (tokens, syntax tree, checked names) → [`lts`] (a labelled transition system, calls inlined) → an
//! analysis in [`analysis`], which walks paths ([`search`]), executes them symbolically ([`symex`]) and asks the [`solver`]
//! → a document in [`view`], which the command line prints and the page draws.
//!
//! # Map
//!
//! In reading order; each module's own header says more. Arrows between modules point one way, as
//! `view → analysis → {search, states} → symex → {lts → lang → source, solver → logic}`; `tests/tidy.rs` guards it.
//!
//! | module | what it is |
//! |---|---|
//! | [`source`] | spans, lines, diagnostics |
//! | [`lang`] | the C subset and the block language |
//! | [`lts`] | the program model: locations, edges, labels; lowering; loops and dominators |
//! | [`interp`] | concrete execution: the judge of every claimed input |
//! | [`automaton`] | families of paths: finite automata over edges, their operations, counts and regular expressions |
//! | [`count`] | how many paths there are; uniform drawing |
//! | [`generate`] | random programs of CHS12's kind |
//! | [`logic`] | integers, terms, formulas, their evaluation |
//! | [`solver`] | the decision procedure, its certificates, and the checker that shares no code with it |
//! | [`symex`] | the symbolic state along a path |
//! | [`search`] | walking along paths with an incremental solver |
//! | [`states`] | sets of states: canonical, merged, compared; what an edge makes of them |
//! | [`analysis`] | the analyses, the trace they report through |
//! | [`smtlib`] | SMT-LIB 2: scripts for `solve`, queries written down |
//! | [`view`] | plain data for page and `--json`; evidence files and their check |
//!
//! # Invariants
//!
//! - *Feasible* only with an input that [`interp`] replayed, *infeasible* only with a certificate that [`solver::check`]
//!   accepted, everything else *open* with its reason. A limit is never a verdict.
//! - Same program, settings, seed and limit: same bytes out, natively and in the browser. Limits count steps. There is no
//!   randomness without a seed, and no result depends on the order of a hash table. One clock is left, the watchdog of
//!   [`solver::adviser`]: it can cost a proposal, and so change a witness or its steps, never a verdict.
//! - The solver knows nothing of programs; the analyses do not know each other; core types are not serialisable.
//! - What is trusted: parsing, lowering, the interpreter, the conditions that [`symex`] derives for the edges of a path, what
//!   [`analysis::common::certify`] and [`analysis::common::exact`] ask to be shown of a graph and [`analysis::explain::certify`] of a
//!   family of paths, the unwound graph and its condition in [`analysis::cover::unwind`] and [`analysis::cover::condition`], the normal
//!   form of terms in [`logic`], and the checker.
//!   Not trusted: the solver, the search, the rest of the analyses.
//!
//! # Paper keys
//!
//! | key | paper |
//! |---|---|
//! | AGVW16 | R. Aissat, M.-C. Gaudel, F. Voisin, B. Wolff, *Pruning Infeasible Paths via Graph Transformations and Symbolic Execution*, 2016 |
//! | DBG10 | M. Delahaye, B. Botella, A. Gotlieb, *Explanation-based Generalization of Infeasible Path*, 2010 |
//! | ST12 | J. Strejček, M. Trtík, *Abstracting Path Conditions*, 2012 |
//! | CHS12 | J. Christ, J. Hoenicke, M. Schäf, *Towards Bounded Infeasible Code Detection*, 2012 |
//! | BDP16 | M. Baluda, G. Denaro, M. Pezzè, *Bidirectional Symbolic Analysis for Effective Branch Testing*, 2016 |
//!
//! # Decisions
//!
//! - **A parser of our own** over `logos` tokens; why `lang-c` was not taken stands in [`lang`].
//! - **The block language is read into C's tree** (`lang/parse/block.rs`), a free choice of the next block as a decision on `nondet()`: so
//!   everything behind the parser is one for both languages, and a test says how each choice was made.
//! - **C's types are ranges in the model** ([`lts::Expr::Checked`], [`lts::Expr::Convert`]); that a value lies in its type is said where it is
//!   read, so no analysis has to know of types. A program may say by `#pragma culdesac ints unbounded` that it means integers without bounds, as
//!   the papers' examples do.
//! - **Pointers have no values** where it is known what they point to (`lts/lower/object.rs`, `moving.rs`): an object, or an array and an
//!   index. That is told before a pointer is set, by the text (`reach.rs`); where in it, by variables, of which one says whether the pointer
//!   is null (`given.rs`). All others are refused where they are followed.
//! - **Objects that one pointer may point to are one array**, element by element in turn (`lts/lower/joined.rs`): an access stays one access,
//!   where a choice among objects would be a decision. Lowering begins anew where it finds that it needs two objects together. The array
//!   keeps what each object is called ([`lts::Object`]), so that labels, inputs and runs speak of the program's objects alone.
//! - **A call by a pointer is a choice**, made by the checker (`lang/check/indirect.rs`): a pointer to a function is a number. The last
//!   comparison is undefined for any other number; a side for no function would be a statement that the program does not have.
//! - **Lowering backwards**, with the place where control goes next as a parameter, so that jumps, joins and `return` add no
//!   edges and the path lengths are those of the papers ([`lts::lower`]).
//! - **Unspecified inputs are inputs.** Globals and locals without initialiser hold an arbitrary value, listed in a test
//!   by name. An access outside a *known* array length and a division by zero are undefined: an execution ends there, so
//!   no path goes on through it. Arrays of unknown length (parameters) have an element at every index.
//! - **Post-increments inside an expression** take effect in an edge of their own behind the use, on both sides of a decision.
//! - **Assertions are decisions of the solver.** Each asserted formula is decided at a level of its own, so that the clauses
//!   learned hold under every assignment and survive a pop; a certificate is the part of their history that was used
//!   ([`solver`]). Clauses, linear derivations with division, and axiom instances replay in `check.rs`.
//! - **Two sizes of integers**, a machine word and a big integer: products that overflow a word go straight to the big
//!   one. Only simplex adds products of words in 128 bits before it divides by the common divisor (`solver/simplex/row.rs`),
//!   after which they mostly fit in a word again.
//! - **An equality is two bounds at once**, with one literal as the reason of both; its two inequalities get literals only
//!   where it is denied and the candidate does not respect that. Encoding was 64 % of the time of short queries.
//! - **Parts before whole values**: the candidate model is looked over with its fractions first, and disjuncts are chosen, before
//!   cuts and splits are made. The other order took five times longer at the 95th percentile of boolean queries. Restarts did not pay.
//!   Forgetting learned clauses does, past some thousands of them (`solver/search/forget.rs`).
//! - **A context with many product lemmas begins anew** at the next check: the rows of old lemmas cost more than they save.
//! - **Derived clauses name their antecedents**, so the checker follows a proof instead of searching for it: certificates
//!   cost
//!   at most a quarter of the solving where, on pigeonholes, propagating over all lines cost five times as much.
//! - **Whole values** come from unimodular elimination at the vertex before splitting (`solver/lattice.rs`): parity over
//!   unbounded integers ends, which branch and bound alone does not.
//! - **Products stay opaque** until a candidate gives one a value that its factors do not: then lemmas at the candidate,
//!   each an axiom instance that the checker derives anew, and branch and bound over the factors (`solver/products.rs`).
//!   A general solver of polynomial constraints was not written: in a finite box this one ends, elsewhere it may say "open".
//! - **The command line is a folder**, `bin/culdesac/`, one file for what is asked, how it is answered, and how it is laid out.
//! - **The page's engine is two WebAssembly modules**: what the page needs to open (384 KB of brotli, of 400 aimed at), and running, pruning, explaining, checking
//!   and covering (593 KB, of which most repeats the front end and the solver), loaded when first asked for, or ahead once the page is
//!   idle. One module was 441 KB before there was covering. Sharing the solver between modules would need an interface of plain data through all of it.
//! - **Smallest witnesses** of drawn paths: the floor of each input alone is proven first; where inputs are independent these
//!   add up, and the solver need not go through all combinations of signs ([`solver::optimise`]). good_lp and microlp only
//!   propose ([`solver::adviser`]).
//! - **Feasible path counts** come from merging prefixes with the same set of states, where sets have exact descriptions
//!   ([`analysis::paths::merged`]); else from a depth-first walk that asks the solver only where the known assignment fails the
//!   next condition ([`analysis::paths`]).
//! - **Counts of very many feasible paths** rest on an induction over the merged graph, in both directions; that each path is
//!   feasible is shown backwards, by naming values before each edge as terms over those after it ([`analysis::common::exact`]).
//! - **A pruned graph is an inductive invariant**: a formula per place, a certificate per edge, cut and formula. What the construction
//!   forgets, projects and compares need not be trusted ([`analysis::common::certify`]).
//! - **A family of infeasible paths is an annotated automaton**: what is known at each state, checked transition by transition, and one
//!   certificate ([`analysis::explain::certify`]). How Fig. 6 of DBG10 makes automata need not be trusted.
//! - **One copy of the program for each leg** between two indispensable edges, not one for each decision as Fig. 6 has it: the
//!   languages are the same, and generalizing takes microseconds ([`analysis::explain::family`]).
//! - **Ranges are said where values are read**: the condition of an edge says that each variable and element it reads lies in the range of
//!   its type. It is so in every execution, so any subset of a path's conditions stays refutable and no analysis has to know of ranges;
//!   a term is simplified only by what the same condition says ([`symex`]).
//! - **Along one path ranges are said once** ([`symex::Along`]): a walk leaves out what earlier edges have said, and where no single
//!   condition is taken out of the whole, what they said simplifies later terms. That values have their types' ranges is then nobody's
//!   blame; explanations write every condition down in full.
//! - **Ranges are added lazily, in the solver**: a conjunct that only large values violate gets its bound and its clauses when a candidate
//!   violates it (`solver/encode.rs`), so certificates speak of ranges only where these matter, and no analysis has to ask twice. Sets that
//!   may be too large are not told of far ranges at all ([`states::States::leave_out_far_ranges`]): `x ≥ least + k` would be another set
//!   in every round of a loop. Then they do not speak of what decides nothing but whether arithmetic overflows there, either: a counter
//!   that nothing asks about kept loops from closing. What is counted by induction has exact sets all the same.
//! - **Operators on bits of two unknown values** are elements of an array of which only bounds are known. That is enough to refute. A
//!   model is made an execution by giving operands values ([`search::settle`]); where an edge has such an operator, nothing is counted by
//!   induction.
//! - **Recursion is inlined to a depth**, and executions that go deeper end at [`lts::Lts::cut`]. What is said of every
//!   execution then rests on a proof that none of those that matter goes deeper ([`analysis::cover::within`]).
//! - **Sets of states speak of what decides paths** ([`lts::relevance`]), not of all variables: more of them are equal.
//! - **Covering asks about one formula** whose parts are shared instead of named: half the variables of the paper's `B` and `R`.
//!   Contents of arrays that meet are one array to which all sides' writes were made, those of the other sides without effect
//!   ([`analysis::cover::condition`]). A question that takes too long is asked again of half the blocks.
//! - **Statements are excluded for good** by guesses from runs that turn out inductive ([`analysis::cover::invariant`]), checked as a
//!   pruned graph is; or by the bounded refutation where the bound cuts no execution through them short: no loop leads there, or the
//!   solver refutes that an execution leaves the bound ([`analysis::cover::within`]). The latter is cheaper and needs no luck, but a bound
//!   that is large enough.
//! - **Families are built in memory that is kept** and then copied to their size: of the time for one, a quarter was fresh memory.
//! - **Values may be strings of the program**: addresses, of which one array with a row for each string gives the characters. Rows are
//!   padded with what is no `char`, so that no index gets from one string into another.

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
