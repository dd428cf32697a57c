//! The tests of the library and the command line from outside, as one program: it is linked once, and its threads share the cores
//! to the end. Folders are named after what they test; `cargo test --test it solver::` runs one of them.

/// What the tests against brute force share.
mod common;
/// Runs of the interpreter beside runs of what gcc compiles.
mod differential;

#[cfg(feature = "cli")]
mod docs;
mod fuzz;
#[cfg(feature = "cli")]
mod packages;
/// Exported suites beside gcov, and random runs.
#[cfg(feature = "cli")]
mod suites;
/// The sides that tests take, as compiled programs report them.
#[cfg(feature = "cli")]
mod sides {
    mod alone;
    mod frameworks;
    mod gate;
    mod instrument;
    mod names;
    mod oracle;
    mod subject;
    mod testcomp;
    mod testcov;
}
mod tidy;

/// Each analysis against brute force, and against its paper's numbers.
mod analysis {
    mod agreement;
    mod assumptions;
    mod branches;
    #[cfg(feature = "cli")]
    mod branches_export;
    #[cfg(feature = "cli")]
    mod branches_machines;
    mod branches_suite;
    mod branches_work;
    mod calls;
    mod cover;
    mod cover_oracle;
    mod cover_summaries;
    #[cfg(feature = "cli")]
    mod coverage_records;
    #[cfg(feature = "cli")]
    mod criteria;
    mod depth;
    mod ending;
    mod error_spans;
    mod explain_oracle;
    mod explain_table;
    mod growth;
    mod known;
    mod never_runs;
    mod passed;
    mod paths_oracle;
    mod prune_oracle;
    mod prune_programs;
    mod prune_table;
    mod prune_textbook;
    mod reach;
    mod reach_elimination;
    mod reach_oracle;
    mod reach_uniform;
    mod reach_wrapping;
    mod reasons;
    mod recursion;
    mod report;
    mod safety;
    mod settle;
    mod wording;
}

/// The solver against brute force, hard queries, and other solvers.
mod solver {
    mod bits;
    mod brute_force;
    mod hostile;
    mod incremental;
    mod optimise;
    #[cfg(feature = "cli")]
    mod oracle;
    mod products;
    mod questions;
    #[cfg(feature = "cli")]
    mod smtlib;
    #[cfg(feature = "cli")]
    mod smtlib_text;
    mod told;
}

/// What programs mean, and what is said of those that are refused.
mod language {
    mod addresses;
    mod approximated;
    mod block_elements;
    mod blocks;
    mod builtins;
    mod byte_copies;
    mod callbacks;
    mod caller_strings;
    mod constants;
    mod constructs;
    mod cursors;
    mod cursors_random;
    #[cfg(feature = "cli")]
    mod floats;
    mod gcc;
    mod headers;
    mod huge;
    mod left_memory;
    mod library;
    mod literals;
    mod matrices;
    mod meaning;
    #[cfg(feature = "cli")]
    mod messages;
    mod moving_pointers;
    mod nodes;
    mod nodes_outside;
    mod order;
    mod pointer_facts;
    mod pointer_numbers;
    mod pointers;
    mod printf;
    mod random_programs;
    mod registers;
    mod related_statics;
    mod rows;
    mod static_pointers;
    mod stdin;
    mod structures;
    mod tables;
    mod targets;
    mod understood;
    mod unions;
    mod unsequenced;
    mod values_oracle;
    mod variadic;
    mod views;
    mod volatile_pointers;
    mod worlds;
}

/// What the checkers accept, and that they accept nothing else.
mod evidence {
    mod certificates;
    mod counted;
    mod determined;
    mod door;
    mod enumerated;
    #[cfg(feature = "cli")]
    mod obligations;
}

/// The allocator of the page's engine.
mod allocator;

/// What the page and the command line are given.
mod view {
    mod examples;
    mod written;
}

/// The command line as people use it.
#[cfg(feature = "cli")]
mod cli {
    mod batches;
    mod commands;
    mod ending;
    mod formats;
    mod headers;
    mod innocuous;
    mod justify;
    mod linked;
    mod linked_suites;
    mod numbers;
    mod page_files;
    mod pages;
    mod properties;
    mod textbook;
    mod witness;
    mod writing;
}
