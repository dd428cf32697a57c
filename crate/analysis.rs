//! The analyses: each a function from a question about a program to a document, with everything of it in a folder of its own.
//!
//! The five analyses of papers have two rooms each: `method` is the algorithm, `report` has settings, documents, sentences and command. A
//! report knows its method; a method knows no report, and tells its steps to the trace as [steps of its own](crate::run::trace::MethodStep).
//!
//! An analysis is a type that implements [`Analysis`], and a line in [the table](with). The table gives the command line its
//! commands, the page its questions, and both the types that page and engine share (`web/ui/protocol.ts`). Several analyses share the
//! rooms [`crate::run`], [`crate::invariants`], [`crate::counting`] and [`crate::sequences`]; an analysis knows another one only as far as
//! `LENT` in `tests/it/tidy.rs` lists it. An analysis that proves facts about all executions offers them to the others as a
//! [prover](crate::invariants). All analyses report through one [trace](crate::run::trace).
//!
//! # Example
//!
//! ```
//! use culdesac::analysis::{Query, Listener, paths::Paths};
//! use culdesac::view::Reply;
//!
//! // A question as the page puts it.
//! let question = serde_json::json!({
//!     "request": { "program": "f.c", "source": "int f(int x) { if (x > 3) if (x < 2) return 1; return 0; }", "seed": 0 },
//!     "settings": { "lengths": [10], "feasible": true },
//! });
//! let query: Query<_> = serde_json::from_value(question).expect("a question");
//! let Reply::Document { document } = query.answer::<Paths>(&Default::default, &mut Listener::new(&mut |_| true)) else { panic!("refused") };
//! let row = &document.table[0];
//! assert_eq!((row.length, &*row.total, row.feasible.as_deref()), (10, "3", Some("2")));
//! ```

pub mod branches;
pub mod cfg;
pub mod check;
pub mod compare;
pub mod cover;
#[cfg(feature = "files")]
pub mod criteria;
pub mod draw;
pub mod explain;
pub mod export;
#[cfg(feature = "files")]
pub mod forms;
pub mod generate;
#[cfg(feature = "cli")]
pub mod options;
pub mod paths;
#[cfg(test)]
pub mod protocol;
pub mod prune;
pub mod reach;
pub mod report;
pub mod run;
pub mod settle;
#[cfg(test)]
mod tests;
#[cfg(feature = "files")]
pub mod text;

pub use crate::run::listener::{Claims, Finding, Listener};
pub use crate::run::recorder::{DEFAULT_LIMIT, LONG_LIMIT, default_limit};
pub use crate::run::trace::{Event, Silent, Sink, Trace};

use crate::invariants::backward::Backward;
use crate::invariants::conditions::Conditions;
use crate::invariants::guesses::Guesses;
use crate::invariants::intervals::Intervals;
use crate::invariants::values::Values;
use crate::invariants::{Finder, Prover};
use crate::load::refused;
#[cfg(feature = "files")]
use crate::lts::unfold::GraphUnfolding;
use crate::view::{self, Reply, Request};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// An analysis: its name, what a caller can ask, what it answers.
pub trait Analysis {
    /// The command, the page's name for it, its folder.
    const NAME: &'static str;
    /// The page of the docs that tells of it: a file of `web/docs`.
    const DOCS: &'static str;
    /// Whether its questions are about a program.
    const OF_PROGRAM: bool = true;
    /// The kinds of single findings that the page hears of.
    const FINDINGS: &'static [Finding] = &[];
    /// What a caller can choose.
    type Settings: DeserializeOwned;
    /// What it answers with.
    type Document: view::Document;

    /// What these settings assume of the inputs, as a condition in C: evidence has to say so.
    fn precondition(_: &Self::Settings) -> Option<&str> {
        None
    }

    /// What the graph that its claims are about tells apart, where it is not the function's graph: evidence has to say so.
    #[cfg(feature = "files")]
    fn graph_of_claims(_: &Self::Settings) -> Option<GraphUnfolding> {
        None
    }

    /// Answers a question with a document or a refusal; tells the listener on the way.
    fn answer(question: &Question<Self::Settings>, listener: &mut Listener) -> Reply<Self::Document>;

    /// The types that it shares with the page.
    #[cfg(test)]
    fn declare(protocol: &mut protocol::Protocol);
}

/// A question to an analysis.
pub struct Question<'a, S> {
    pub request: &'a Request,
    pub settings: &'a S,
    /// The time since some fixed moment; it decides nothing.
    pub clock: &'a dyn Fn() -> Duration,
}

/// A question as it comes from outside.
#[derive(Clone, Debug, Deserialize)]
pub struct Query<S> {
    /// The program, for analyses that are about one.
    pub request: Option<Request>,
    pub settings: S,
}

impl<S> Query<S> {
    /// The answer of the analysis `A`; a refusal if it is about a program and there is none.
    pub fn answer<A: Analysis<Settings = S>>(&self, clock: &dyn Fn() -> Duration, listener: &mut Listener) -> Reply<A::Document> {
        self.answer_by::<A>(clock, |question| A::answer(question, listener))
    }

    /// As [`Query::answer`], by something else that answers the questions of the analysis.
    pub fn answer_by<A: Analysis<Settings = S>>(
        &self,
        clock: &dyn Fn() -> Duration,
        answer: impl FnOnce(&Question<S>) -> Reply<A::Document>,
    ) -> Reply<A::Document> {
        let nothing = Request::default();
        match &self.request {
            None if A::OF_PROGRAM => refused("no-program", format!("`{}` is asked about a program, and there is none", A::NAME)),
            request => answer(&Question { request: request.as_ref().unwrap_or(&nothing), settings: &self.settings, clock }),
        }
    }
}

/// What to do with one of the analyses, whichever it is.
pub trait Visitor {
    type Output;
    fn visit<A: Analysis>(self) -> Self::Output;
}

/// The provers of infeasibility, the quickest first: every analysis may use the facts that another proves.
pub(crate) const PROVERS: &[&dyn Prover] =
    &[&Conditions, &Values, &Intervals, &Guesses { widely: false }, &Backward, &prune::Prune, &reach::Reach, &Guesses { widely: true }];

/// The finders of inputs that take edges, first the one that needs few: every analysis may use another's inputs as tests.
pub(crate) const FINDERS: &[&dyn Finder] = &[&cover::Cover, &Values, &reach::Reach];

macro_rules! table {
    ($($(#[$when:meta])? $Analysis:ty $(: $command:ident)?,)*) => {
        /// Hands the analysis of this name to a visitor; `None` if there is none.
        pub fn with<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $($(#[$when])? <$Analysis as Analysis>::NAME => Some(visitor.visit::<$Analysis>()),)*
                _ => None,
            }
        }

        /// The names of all analyses and the page of the docs of each.
        pub const ALL: &[(&str, &str)] = &[$($(#[$when])? (<$Analysis as Analysis>::NAME, <$Analysis as Analysis>::DOCS)),*];

        /// The commands of the command line.
        #[cfg(feature = "cli")]
        pub fn commands() -> Vec<clap::Command> {
            vec![$($(crate::analysis::options::$command::<$Analysis>(),)?)*]
        }

        /// Hands the command of this name to a visitor; `None` if there is none.
        #[cfg(feature = "cli")]
        pub fn with_command<V: crate::analysis::options::CommandVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $($(<$Analysis as Analysis>::NAME => Some(visitor.$command::<$Analysis>()),)?)*
                _ => None,
            }
        }

        #[cfg(test)]
        impl protocol::Protocol {
            /// What each analysis shares with the page, in the order of the table.
            pub(crate) fn of_all(&mut self) {
                $($(#[$when])? <$Analysis as Analysis>::declare(self);)*
            }
        }
    };
}

// Every analysis there is, in the order of the command line's help; `command` for those that it has.
table! {
    cfg::Cfg: command,
    report::Report: command,
    paths::Paths: command,
    draw::Draw: command,
    prune::Prune: command,
    explain::Explain: command,
    reach::Reach: command,
    cover::Cover: command,
    branches::Branches: command,
    run::RunAnalysis: command,
    compare::Compare,
    generate::Generate: command,
    export::Export,
    #[cfg(feature = "files")] forms::Forms,
    #[cfg(feature = "files")] criteria::Criteria,
    check::Check: command,
}
