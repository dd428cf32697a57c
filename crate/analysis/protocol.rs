//! Makes `web/ui/protocol.ts` from the types and bounds that the analyses declare, so the page cannot drift from the engine. The
//! test compares; `UPDATE=1 cargo test protocol` rewrites the file.

use super::Analysis;
use crate::load::MAX_INLINE_DEPTH;
use crate::lts::lower::INLINE_DEPTH;
use crate::source::abi::{Abi, CharSign, DataModel};
use crate::source::files::{HeaderLines, SourceOptions};
use crate::view::{
    Assumed, Call, Diagnostic, Event, Header, Input, InputValue, Ints, LeftOutFunction, Number, Related, Reply, Request, SCHEMA, Severity,
    SolverStatistics, Statistics, TextPlace, WrittenValue,
};
use std::fmt::Display;
use ts_rs::{Config, TS};

/// Stands for the parameter of generic types; its name must be that of the parameter.
#[derive(TS)]
#[allow(dead_code)]
struct T;

/// What page and engine share, as TypeScript.
pub struct Protocol {
    config: Config,
    bounds: String,
    constants: String,
    types: String,
    /// The members of the interface `Analyses`.
    analyses: String,
    /// The names of the events of single analyses.
    events: Vec<String>,
}

/// A list of types to declare.
pub trait TypeList {
    fn declare(protocol: &mut Protocol);
}

macro_rules! tuples {
    ($($Type:ident)*) => {
        impl<$($Type: TS + 'static),*> TypeList for ($($Type,)*) {
            fn declare(protocol: &mut Protocol) {
                $(protocol.declare::<$Type>();)*
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);

impl Default for Protocol {
    /// Without a type.
    fn default() -> Protocol {
        Protocol {
            // No number of the boundary reaches 2^53: larger ones are decimal strings.
            config: Config::new().with_large_int("number"),
            bounds: String::new(),
            constants: String::new(),
            types: String::new(),
            analyses: String::new(),
            events: Vec::new(),
        }
    }
}

impl Protocol {
    fn declare<Type: TS>(&mut self) {
        let docs = Type::docs().unwrap_or_default();
        self.types += &format!("{docs}export {}\n\n", Type::decl(&self.config));
    }

    /// The settings and the document of an analysis.
    pub fn analysis<A>(&mut self) -> &mut Protocol
    where
        A: Analysis<Settings: TS + 'static, Document: TS + 'static>,
    {
        self.declare::<A::Settings>();
        self.declare::<A::Document>();
        let (settings, document) = (A::Settings::name(&self.config), A::Document::name(&self.config));
        self.analyses += &format!("  {}: {{ settings: {settings}; document: {document} }};\n", A::NAME);
        self
    }

    /// Declares the types that settings and document consist of.
    pub fn parts<All: TypeList>(&mut self) -> &mut Protocol {
        All::declare(self);
        self
    }

    /// Declares an event that only some analyses have.
    pub fn event<Type: TS + 'static>(&mut self) -> &mut Protocol {
        self.declare::<Type>();
        self.events.push(Type::name(&self.config));
        self
    }

    /// Declares the greatest value of a setting.
    pub fn bound(&mut self, name: &str, value: impl Display) {
        self.bounds += &format!("export const {name} = {value};\n");
    }

    /// Declares another number.
    pub fn constant(&mut self, doc: &str, name: &str, value: impl Display) {
        self.constants += &format!("/** {doc} */\nexport const {name} = {value};\n\n");
    }

    /// The page's file: the types of the analyses, and those of `more` questions.
    pub fn text(mut self, more: impl FnOnce(&mut Protocol)) -> String {
        let common = concat!(
            "// Made by crate/analysis/protocol.rs from what the analyses declare; do not edit: UPDATE=1 cargo test protocol.\n",
            "// Longer than other files, since all that crosses between page and engine stands in it.\n\n",
        );
        self.parts::<(Header, Assumed, LeftOutFunction, Ints, Statistics, SolverStatistics, Severity, TextPlace, Diagnostic, Related)>();
        self.parts::<(SourceOptions, HeaderLines, Abi, DataModel, CharSign)>();
        self.parts::<(Request, Reply<T>, Input, WrittenValue, InputValue, Call, Number, Event)>();
        self.bound("MAX_INLINE_DEPTH", MAX_INLINE_DEPTH);
        self.constant("How often a function is inlined within itself where nothing is said.", "INLINE_DEPTH", INLINE_DEPTH);
        self.of_all();
        more(&mut self);
        let Protocol { bounds, constants, types, analyses, events, .. } = self;
        let event =
            format!("/** What a long analysis reports while it runs. */\nexport type Event = CommonEvent | {};\n", events.join(" | "));
        format!(
            "{common}export const SCHEMA = {SCHEMA};\n\n/** The greatest values of settings. */\n{bounds}\n{constants}{types}{event}\n\
             /** What can be asked, and what the answer is. */\nexport interface Analyses {{\n{analyses}}}\n"
        )
    }
}

/// What the table says of an analysis: its folder has its name, and the page of the docs tells of it.
#[test]
fn analyses_are_where_their_names_say() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, docs) in super::ALL {
        assert!(root.join(format!("crate/analysis/{name}.rs")).is_file(), "there is no crate/analysis/{name}.rs");
        let page = std::fs::read_to_string(root.join(format!("web/docs/{docs}.md"))).unwrap_or_default();
        assert!(page.to_lowercase().contains(name), "web/docs/{docs}.md does not tell of {name}");
    }
}
