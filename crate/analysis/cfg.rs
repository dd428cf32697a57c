//! `cfg`: the control-flow graph.

#[cfg(feature = "cli")]
mod command;
mod document;

pub use document::{Assumable, CfgDocument, CfgEdge, CfgLocation, CfgSettings, EdgeKind, InputForm, InputName};

use super::{Analysis, Question};
use crate::load::{Loaded, load};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange, SortedSet};
use crate::lts::assume::Assumption;
use crate::lts::inputs::inputs;
use crate::lts::node_names::{cell_name, pointer_name};
use crate::lts::structure::Structure;
use crate::lts::{Failure, Label, Print, ValueMeaning, text};
use crate::run::listener::Listener;
use crate::source::{LineIndex, Span};
use crate::view::{CommandLineInputs, Reply, Request, SolverStatistics, input_objects, place};

/// `cfg`.
pub struct Cfg;

impl Analysis for Cfg {
    const NAME: &'static str = "cfg";
    const DOCS: &'static str = "solver";
    type Settings = CfgSettings;
    type Document = CfgDocument;

    fn answer(question: &Question<CfgSettings>, _: &mut Listener) -> Reply<CfgDocument> {
        cfg(question.request)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(CfgLocation, EdgeKind, CfgEdge, InputName, InputForm, Assumable)>();
    }
}

/// The control-flow graph of the function of the request. Refuses a program with errors.
pub fn cfg(request: &Request) -> Reply<CfgDocument> {
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let Loaded { lts, lines, program, .. } = &loaded;
    let structure = Structure::new(lts);
    let locations = (lts.graph.node_indices())
        .map(|location| CfgLocation {
            id: location.index() as u32,
            line: lines.line(lts.graph[location].span.start),
            loop_header: structure.is_loop_header(location),
            dominator: structure.immediate_dominator(location).map(|dominator| dominator.index() as u32),
        })
        .collect();
    let texts: Vec<Span> = program.own().map(|function| function.span).collect();
    let function_at = |span: Span| texts.iter().position(|text| text.start <= span.start && span.start < text.end);
    let edges = (lts.graph.edge_indices())
        .map(|id| {
            let (edge, from, to) = lts.edge(id);
            let place = place(lines, edge.span);
            CfgEdge {
                id: id.index() as u32,
                from: from.index() as u32,
                to: to.index() as u32,
                kind: kind(&edge.label),
                label: text::label(lts, edge),
                line: place.line,
                column: place.column,
                place,
                holds: if let Label::Assume { holds, .. } = edge.label { Some(holds) } else { None },
                library: edge.library,
                function: function_at(edge.span).map(|function| function as u32),
                passes: passed(lines, &edge.prints, edge.returned_at, edge.failure),
            }
        })
        .collect();
    let names = inputs(lts);
    let objects = input_objects(lts);
    let line = CommandLineInputs::of(lts);
    let is_of_arguments = |name: &str| line.as_ref().is_some_and(|line| line.follows(&objects, name));
    let named = |name: &str, array, range: Option<IntRange>, length: Option<&Int>| {
        let is_number = range.is_some_and(|range| FloatFormat::of_range(&range).is_some());
        let found = objects.iter().find_map(|object| Some((object, object.leaves.iter().find(|leaf| leaf.name == name)?)));
        let values = found.map_or(ValueMeaning::Integers, |(_, leaf)| leaf.values);
        // The ranks of numbers are of no use to people.
        let limits = range.filter(|_| !is_number);
        InputName {
            name: name.to_owned(),
            array,
            least: limits.map(|range| range.least.to_string()),
            greatest: limits.map(|range| range.greatest.to_string()),
            length: length.map(Int::to_string),
            object: found.map_or(name, |(object, _)| object.name.as_str()).to_owned(),
            form: if is_number { InputForm::Number } else { form(values) },
            constants: match values {
                ValueMeaning::Constants(own) => lts.value_names.enumerations[own as usize].iter().map(|(name, _)| name.clone()).collect(),
                ValueMeaning::Nodes { structure, least } => {
                    let null = (least <= 0).then(|| "NULL".to_owned());
                    null.into_iter().chain(pointer_name(lts, structure, &Int::ONE)).collect()
                }
                ValueMeaning::Cells { structure, may_start_null, members, .. } => {
                    let null = may_start_null.then(|| "NULL".to_owned());
                    let members = &lts.value_names.classes[members as usize];
                    null.into_iter().chain(cell_name(lts, structure, members, &Int::ONE).map(|name| format!("&{name}"))).collect()
                }
                _ => Vec::new(),
            },
        }
    };
    let scalars = names.variables.iter().map(|&id| named(&lts.variable(id).name, false, lts.variable(id).start_range(), None));
    let arrays = names.arrays.iter().flat_map(|&id| {
        let array = lts.array(id);
        let own = array.objects.is_empty().then(|| named(&array.name, true, array.start_range(), array.length.as_ref()));
        // Only lowering, which checks accesses, knows how long each is.
        let objects = array.objects.iter().filter(|object| object.is_input);
        own.into_iter().chain(objects.map(move |object| named(&object.name, true, array.start_range(), None)))
    });
    let mut at_entry = lts.at_entry.operands();
    let draws = |edge: &crate::lts::Edge| !text::drawn_by(lts, edge).is_empty();
    let nondet = lts.graph.edge_weights().any(draws) || at_entry.any(|operand| !text::drawn_in(lts, operand).is_empty());
    let document = CfgDocument {
        header: loaded.header(request, true, SolverStatistics::default(), 0),
        functions: loaded.functions.clone(),
        locations,
        edges,
        entry: lts.entry.index() as u32,
        entry_passes: passed(lines, &lts.at_entry.prints, lts.at_entry.returned_at, lts.at_entry.failure),
        exit: lts.exit.index() as u32,
        error: lts.error.map(|location| location.index() as u32),
        loop_headers: structure.loop_headers.iter().map(|location| location.index() as u32).collect(),
        reducible: structure.reducible,
        inputs: scalars.chain(arrays).filter(|input| !is_of_arguments(&input.name)).collect(),
        nondet,
        stdin: lts.reads_stdin(),
        assumable: assumable(&loaded),
    };
    Reply::Document { document }
}

/// How values with this meaning are written.
fn form(values: ValueMeaning) -> InputForm {
    match values {
        ValueMeaning::Characters => InputForm::Character,
        ValueMeaning::Truths => InputForm::Truth,
        ValueMeaning::Constants(_) => InputForm::Constant,
        ValueMeaning::Integers | ValueMeaning::Members(_) => InputForm::Integer,
        _ => InputForm::Pointer,
    }
}

/// The lines of statements that are executed on the way along an edge, ascending.
fn passed(lines: &LineIndex, prints: &[Print], returned_at: Span, failure: Option<Failure>) -> Vec<u32> {
    let spans = prints.iter().map(|print| print.span).chain([returned_at]).chain(failure.map(|failure| failure.span));
    let lines: SortedSet<u32> = spans.filter(|span| span.start < span.end).map(|span| lines.line(span.start)).collect();
    lines.into_iter().collect()
}

/// What an edge does. Lowering inlines calls, so that no edge is one; `Call` is there for analyses that do not inline.
/// The choices about the world that could matter to the function, made or not.
fn assumable(loaded: &Loaded) -> Vec<Assumable> {
    let one = |one: Assumption| {
        let line = loaded.lines.line(one.site(&loaded.base)?.start);
        let assumed = loaded.assumed.contains(one);
        Some(Assumable { id: one.id().to_owned(), text: one.text().to_owned(), line, assumed, usual: one.is_usual() })
    };
    Assumption::all().filter_map(one).collect()
}

fn kind(label: &Label) -> EdgeKind {
    match label {
        Label::Skip => EdgeKind::Skip,
        Label::Assume { .. } => EdgeKind::Assume,
        Label::Assign(..) => EdgeKind::Assign,
        Label::Store { .. } | Label::Fill(..) => EdgeKind::Store,
        Label::Havoc(_) | Label::HavocArray(_) => EdgeKind::Havoc,
    }
}
