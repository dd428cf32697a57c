//! The questions by name: the table of analyses, and what of the engine each of them needs.
//!
//! The engine is cut into parts by use. The first part answers what a page asks that opens; each other part is loaded before the first
//! question that needs it, see [`load`], and `scripts/parts.mjs` says in which file each is.

use crate::bridge::{Answer, Failure, Query};
use culdesac::analysis::Analysis;
use culdesac::analysis::branches::Branches;
use culdesac::analysis::cfg::Cfg;
use culdesac::analysis::check::Check;
use culdesac::analysis::compare::Compare;
use culdesac::analysis::cover::Cover;
use culdesac::analysis::criteria::Criteria;
use culdesac::analysis::draw::Draw;
use culdesac::analysis::explain::Explain;
use culdesac::analysis::export::Export;
use culdesac::analysis::forms::Forms;
use culdesac::analysis::generate::Generate;
use culdesac::analysis::paths::Paths;
use culdesac::analysis::prune::Prune;
use culdesac::analysis::reach::Reach;
use culdesac::analysis::report::Report;
use culdesac::analysis::run::RunAnalysis;
use culdesac::justify::question::Justify;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasm_split_helpers::wasm_split;

macro_rules! parts {
    ($($part:ident, $load:ident: $($Analysis:ty),+;)+) => {
        $(
            #[wasm_split($part, fallible, preload($load))]
            fn $part(name: &str, query: Query) -> Answer {
                match name {
                    $(<$Analysis>::NAME => query.answer::<$Analysis>(),)+
                    _ => unknown(name),
                }
            }
        )+

        /// Answers a question whose code is loaded.
        pub fn answer(name: &str, query: Query) -> Answer {
            match name {
                Cfg::NAME => query.answer::<Cfg>(),
                $($(<$Analysis>::NAME)|+ => loaded(name, $part(name, query)),)+
                _ => unknown(name),
            }
        }

        /// Loads what a question needs.
        pub async fn load(name: &str) -> Result<(), Failure> {
            match name {
                $($(<$Analysis>::NAME)|+ => $load().await?,)+
                _ => {}
            }
            Ok(())
        }
    };
}

// Each part with a function of its own that loads it, and the questions that it answers.
parts! {
    answer_part, load_answer: Cover, Paths;
    branches_part, load_branches: Branches, Report;
    prune_part, load_prune: Prune;
    explain_part, load_explain: Explain;
    reach_part, load_reach: Reach;
    draw_part, load_draw: Draw;
    run_part, load_run: RunAnalysis, Generate;
    compare_part, load_compare: Compare;
    export_part, load_export: Export;
    documents_part, load_documents: Forms, Justify, Criteria;
    check_part, load_check: Check;
}

/// The answer of a part that is loaded, which is there at once: no task has to be woken.
fn loaded(name: &str, answer: impl Future<Output = Answer>) -> Answer {
    match pin!(answer).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => Err(Failure::new(&format!("what {name} needs is not loaded"))),
    }
}

fn unknown(name: &str) -> Answer {
    Err(Failure::new(&format!("there is no question {name}")))
}
