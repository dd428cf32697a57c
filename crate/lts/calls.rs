//! One call after another: what calls of a program's functions leave in its statics.
//!
//! [`Calls::around`] finds the functions whose calls matter for a function. [`Chain::of`] makes the graph in which they are called, one
//! after another, from the start of the program on:
//!
//! ```text
//! entry → hub → arbitrary arguments → a function → hub
//!            ↘ arbitrary arguments → the function itself → hub, or exit
//! ```
//!
//! Locations, edges, variables and arrays of the function itself keep their numbers. Statics keep their values from call to call, and
//! everything else is arbitrary at each call, as it is for a single one.
//!
//! Not every start of the function is after a call that has ended: [`Calls::is_whole`] says whether, which
//! [`LeftByCalls`](super::assume::Assumption::LeftByCalls) needs. What may run between any two steps of others (a handler of signals or
//! interrupts, a function whose address others may have) must neither write to the statics nor lead to the function.

use super::assume::{Assumption, Assumptions, under};
use super::inputs::inputs;
use super::lower::names::{Symbol, for_each_symbol};
use super::lower::survey::Survey;
use super::lower::uses::Uses;
use super::lower::{Options, lower_with};
use super::{
    ArrayId, Edge, EdgeId, Expr, Label, Location, LocationId, Lts, Origin, OutsideNames, Print, SourcePart, ValueMeaning, VariableId,
};
use crate::lang::ast::{DeclId, Linkage, Program, Storage};
use crate::lang::refused::LEFT_OUT;
use crate::logic::{IntRange, SortedMap, SortedSet};
use crate::source::Span;
use std::ops::Range;
use std::sync::Arc;

/// A function that may be called before another one.
#[derive(Clone, Debug)]
pub struct Callable {
    /// As lowering made it.
    pub lts: Lts,
    /// Whether other parts of the program can call it: it has external linkage, or its address is taken.
    pub from_outside: bool,
    /// Whether its calls, with those of others of this kind, are all that changes what the function finds in statics.
    pub changes: bool,
}

/// The functions around a function that change what it finds in statics.
#[derive(Clone, Debug)]
pub struct Calls {
    pub functions: Vec<Callable>,
    /// Whether each start of the function is after calls that have ended, of itself and of those that [`Callable::changes`] marks:
    /// nothing else writes to the statics, and none of these leads to the function while it runs.
    pub is_whole: bool,
}

impl Calls {
    /// The functions around the one of which `lts` is the graph, as lowering made it; `None` where no call leaves anything.
    pub fn around(program: &Program, lts: &Lts, options: &Options) -> Option<Arc<Calls>> {
        if !lts.variables.iter().any(|variable| variable.first.is_some()) && !lts.arrays.iter().any(|array| array.first.is_some()) {
            return None;
        }
        let (own, _) = program.function(&lts.function)?;
        let uses = Uses::of(program);
        let mut surroundings = Surroundings { program, survey: Survey::of(program), uses: &uses, own, relevant: SortedSet::new() };
        let mut entries = SortedSet::new();
        let mut is_alone = true;
        // What those that change something find in statics matters, too.
        while surroundings.names([own].into_iter().chain(entries.iter().copied()).collect()) {
            (entries, is_alone) = surroundings.entries();
        }
        is_alone &= !surroundings.is_interrupted();
        // What is left out may call functions in ways that nothing else can, and is called by nothing here.
        let is_callable = |at: &usize| program.refused.is_empty() || !program.functions[*at].is_static;
        let name = |at: usize| program.functions[at].name.text.as_str();
        let open = (0..program.functions.len()).filter(|&at| surroundings.is_open(at) && !["main", LEFT_OUT].contains(&name(at)));
        let open = open.filter(is_callable);
        let open: SortedSet<usize> = open.filter(|&at| surroundings.writes(at, &SortedSet::new())).collect();
        let is_kept = surroundings.relevant.iter().all(|id| !uses.addressed[id.0 as usize]);
        let is_whole = is_alone && is_kept && lts.cut.is_none() && program.refused.is_empty();
        let mut calls = Calls { functions: Vec::new(), is_whole };
        entries.retain(|&at| name(at) != LEFT_OUT);
        let mut all: SortedSet<usize> = open.clone();
        all.extend(entries.iter().copied());
        for &at in &all {
            let (from_outside, changes) = (open.contains(&at), entries.contains(&at));
            match lower_with(program, Some(&program.functions[at].name.text), options) {
                Ok(lowered) => {
                    calls.is_whole &= !changes || lowered.lts.cut.is_none();
                    calls.functions.push(Callable { lts: lowered.lts, from_outside, changes });
                }
                Err(_) => calls.is_whole &= !changes,
            }
        }
        calls.is_whole = calls.is_whole && calls.chain(lts, Assumptions::default(), |callable| callable.changes).is_some();
        Some(Arc::new(calls))
    }

    /// The chain of the function and of some of these under assumptions; `None` where there is none.
    pub fn chain(&self, own: &Lts, assumed: Assumptions, which: impl Fn(&Callable) -> bool) -> Option<Chain> {
        let world = assumed.without(Assumption::LeftByCalls).without(Assumption::FirstCall);
        let others: Vec<Lts> =
            self.functions.iter().filter(|callable| which(callable)).map(|callable| under(&callable.lts, world)).collect();
        Chain::of(&under(own, world), &others)
    }
}

/// Whether a function has pointers to nodes.
fn has_nodes(lts: &Lts) -> bool {
    let is_of_nodes = |values: ValueMeaning| matches!(values, ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. });
    lts.variables.iter().any(|variable| is_of_nodes(variable.values)) || lts.arrays.iter().any(|array| is_of_nodes(array.values))
}

/// The search for the functions around one of a program.
struct Surroundings<'a> {
    program: &'a Program,
    survey: Survey,
    uses: &'a Uses,
    own: usize,
    /// Statics that calls may change and that matter for what the function does.
    relevant: SortedSet<DeclId>,
}

impl Surroundings<'_> {
    /// Lets what these functions name matter; gives whether anything does that did not before.
    fn names(&mut self, functions: Vec<usize>) -> bool {
        let before = self.relevant.len();
        for &at in &self.survey.called_by(functions, &SortedSet::new()) {
            for &id in &self.survey.names[at] {
                let decl = self.program.decl(id);
                let is_static = matches!(decl.storage, Storage::Global | Storage::Static) && decl.linkage == Linkage::Internal;
                if is_static && self.uses.changes(id) {
                    self.relevant.insert(id);
                }
            }
        }
        self.relevant.len() > before
    }

    /// Whether other parts of the program can call it.
    fn is_open(&self, at: usize) -> bool {
        let function = &self.program.functions[at];
        at != self.own && !function.library && (!function.is_static || self.program.addressed.contains(&function.name.text))
    }

    /// Whether a function changes what matters, itself or through others but those left out.
    fn writes(&self, at: usize, out: &SortedSet<usize>) -> bool {
        self.survey.called_by(vec![at], out).iter().any(|&at| !self.survey.writes[at].is_disjoint(&self.relevant))
    }

    /// Whether what matters may change, or the function start, between two steps of another function: by one that may run at any time.
    fn is_interrupted(&self) -> bool {
        let may_interrupt = |at: usize| {
            let function = &self.program.functions[at];
            let name = &function.name.text;
            let is_called = self.program.addressed.contains(name);
            !function.library && (is_called || self.program.interrupts.contains(name) || !function.is_static && names_interrupt(name))
        };
        let none = SortedSet::new();
        (0..self.program.functions.len())
            .filter(|&at| may_interrupt(at))
            .any(|at| self.writes(at, &none) || self.survey.called_by(vec![at], &none).contains(&self.own))
    }

    /// The functions whose calls, one after another, are all that changes what matters, and whether they are. A function that leads to
    /// the analysed one is no such call; it may call such functions.
    fn entries(&self) -> (SortedSet<usize>, bool) {
        let (none, own) = (SortedSet::new(), [self.own].into_iter().collect::<SortedSet<usize>>());
        let within = |at: usize| self.survey.called_by(self.survey.calls[at].iter().copied().collect(), &none);
        let waits = |at: usize| self.survey.leaves[at] || within(at).iter().any(|&at| self.survey.leaves[at]);
        let mut is_alone = !within(self.own).contains(&self.own) && !waits(self.own);
        let mut open: Vec<usize> = (0..self.program.functions.len()).filter(|&at| self.is_open(at)).collect();
        let mut seen: SortedSet<usize> = open.iter().copied().collect();
        let mut entries = SortedSet::new();
        while let Some(at) = open.pop() {
            if !self.writes(at, &own) {
                continue;
            }
            if !within(at).contains(&self.own) {
                is_alone &= !waits(at);
                entries.insert(at);
            } else if self.survey.writes[at].is_disjoint(&self.relevant) {
                open.extend(self.survey.calls[at].iter().copied().filter(|&next| next != self.own && seen.insert(next)));
            } else {
                is_alone = false;
            }
        }
        (entries, is_alone)
    }
}

/// Words in names of functions that interrupts or signals start.
const INTERRUPTS: [&str; 12] =
    ["isr", "irq", "nmi", "irqs", "interrupt", "interrupts", "vect", "sighandler", "irqhandler", "sigint", "sigterm", "sigalrm"];
/// Words that say so beside `handler`.
const HANDLED: [&str; 2] = ["sig", "signal"];

/// Whether a function's name says that an interrupt or a signal starts it: `TIMER0_vect`, `SysTick_Handler`, `UART1_IRQHandler`, `timer_isr`.
fn names_interrupt(name: &str) -> bool {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    for letter in name.chars() {
        // A word begins after `_`, at a digit's end, and where a small letter is followed by a capital one.
        let begins = !before.is_alphabetic() || before.is_lowercase() && letter.is_uppercase();
        if letter.is_alphabetic() {
            match words.last_mut() {
                Some(word) if !begins => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        before = letter;
    }
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    has(&INTERRUPTS) || name.ends_with("_Handler") || has(&["handler"]) && has(&HANDLED)
}

/// What names a static in the graphs of all functions: where it is declared, and which part of it this is.
pub fn key(name: &str, span: Span) -> (Span, String) {
    let kept =
        name.split('#').enumerate().map(|(at, part)| if at == 0 { part } else { part.trim_start_matches(|c: char| c.is_ascii_digit()) });
    (span, kept.collect())
}

/// Functions that are called one after another, as one graph.
#[derive(Debug)]
pub struct Chain {
    pub lts: Lts,
    /// Where each call starts, and to which it returns.
    pub hub: LocationId,
    /// The function itself, then the others.
    pub copies: Vec<Copy>,
}

/// A function in a [`Chain`].
#[derive(Debug)]
pub struct Copy {
    pub function: String,
    /// The edge after which it starts.
    pub enter: EdgeId,
    /// Its own edges, by their numbers.
    pub edges: Range<usize>,
    /// The names in the function's own graph of what each call draws before it starts, in this order.
    pub drawn: Vec<String>,
    /// What it starts from, with the names that this has in the function's own graph.
    pub variables: Vec<(String, VariableId)>,
    pub arrays: Vec<(String, ArrayId)>,
}

impl Chain {
    /// The chain of these functions; `None` where a static is no number that all of them know, or a function has nothing to run.
    pub fn of(own: &Lts, others: &[Lts]) -> Option<Chain> {
        let runs = |lts: &&Lts| lts.entry != lts.exit && Some(lts.entry) != lts.error && Some(lts.entry) != lts.cut;
        let mut building = ChainBuilder {
            lts: Lts {
                variables: Vec::new(),
                arrays: Vec::new(),
                outside: OutsideNames { meetings: Vec::new(), ..own.outside.clone() },
                calls: None,
                precondition: None,
                ..own.clone()
            },
            variables: SortedMap::new(),
            arrays: SortedMap::new(),
        };
        runs(&own).then_some(())?;
        // What a caller passes may be what an earlier call gave it, and no other number of a node.
        if std::iter::once(own).chain(others).any(has_nodes) {
            return None;
        }
        let mut itself = own.clone();
        let kept = building.take_over(&mut itself)?;
        let [entry, hub, exit] = [building.node(), building.node(), building.node()];
        building.edge(entry, hub, Label::Skip);
        let mut copies = Vec::new();
        let mut at = hub;
        for other in others.iter().filter(|other| runs(other)) {
            let [this, rest] = [building.node(), building.node()];
            building.choice(at, this, rest);
            copies.push(building.copy(other, this, hub)?);
            at = rest;
        }
        building.choice(own.exit, hub, exit);
        let edges = 0..own.graph.edge_count();
        copies.insert(0, building.start((own, itself.at_entry.prints), &kept, (at, own.entry), edges)?);
        let mut lts = building.lts;
        (lts.entry, lts.exit) = (entry, exit);
        (lts.at_entry.prints, lts.at_entry.returns) = (Vec::new(), None);
        Some(Chain { lts, hub, copies })
    }

    /// The same chain, in which a call of the function itself that gets to the error location ends as one that returns.
    pub fn failing(&self) -> Lts {
        let mut lts = self.lts.clone();
        lts.graph.clear_edges();
        for edge in self.lts.graph.edge_indices() {
            let (label, from, to) = self.lts.edge(edge);
            let fails = Some(to) == self.lts.error && self.copies[0].edges.contains(&edge.index());
            lts.graph.add_edge(from, if fails { self.lts.exit } else { to }, label.clone());
        }
        lts
    }
}

/// The numbers that the variables and arrays of a function have in the chain.
type Numbers = (Vec<VariableId>, Vec<ArrayId>);

/// A chain on its way.
struct ChainBuilder {
    lts: Lts,
    /// The statics.
    variables: SortedMap<(Span, String), VariableId>,
    arrays: SortedMap<(Span, String), ArrayId>,
}

impl ChainBuilder {
    fn node(&mut self) -> LocationId {
        self.lts.graph.add_node(Location::default())
    }

    fn edge(&mut self, from: LocationId, to: LocationId, label: Label) -> EdgeId {
        let edge = Edge { library: true, ..Edge::plain(label, Span::default()) };
        self.lts.graph.add_edge(from, to, edge)
    }

    fn choice(&mut self, from: LocationId, first: LocationId, second: LocationId) {
        for (to, holds) in [(first, true), (second, false)] {
            let condition = Expr::nondet(Some(IntRange { least: 0, greatest: 1 }));
            self.edge(from, to, Label::Assume { condition, holds });
        }
    }

    /// Adds another function, whose exit leads to the hub.
    fn copy(&mut self, function: &Lts, from: LocationId, hub: LocationId) -> Option<Copy> {
        let mut other = function.clone();
        let numbers = self.take_over(&mut other)?;
        let externals = self.lts.outside.functions.len() as u32;
        self.lts.outside.functions.append(&mut other.outside.functions);
        let mut nodes: Vec<LocationId> = Vec::new();
        for node in other.graph.node_indices() {
            let shared = if node == other.exit {
                hub
            } else if Some(node) == other.error {
                let error = self.lts.error.unwrap_or_else(|| self.node());
                *self.lts.error.insert(error)
            } else if Some(node) == other.cut {
                let cut = self.lts.cut.unwrap_or_else(|| self.node());
                *self.lts.cut.insert(cut)
            } else {
                self.lts.graph.add_node(other.graph[node].clone())
            };
            nodes.push(shared);
        }
        let first = self.lts.graph.edge_count();
        for id in other.graph.edge_indices() {
            let (edge, from, to) = other.edge(id);
            let external = edge.external.map(|number| number + externals);
            self.lts.graph.add_edge(nodes[from.index()], nodes[to.index()], Edge { external, ..edge.clone() });
        }
        let edges = first..self.lts.graph.edge_count();
        self.start((function, other.at_entry.prints), &numbers, (from, nodes[other.entry.index()]), edges)
    }

    /// Adds the variables and arrays of a function, and lets it mention these. Statics are there once, and start with their first values.
    fn take_over(&mut self, function: &mut Lts) -> Option<Numbers> {
        let itself = self.lts.variables.is_empty() && self.lts.arrays.is_empty();
        let mut names: SortedSet<String> = self.lts.variables.iter().map(|variable| variable.name.clone()).collect();
        names.extend(self.lts.arrays.iter().map(|array| array.name.clone()));
        let classes = if itself { 0 } else { self.lts.value_names.classes.len() as u32 };
        let mut settle = |name: &mut String, origin: &mut Origin, values: &mut ValueMeaning| {
            if !itself {
                *name = format!("{}.{name}", function.function);
            }
            while !names.insert(name.clone()) {
                name.push('\'');
            }
            if *origin == Origin::Parameter {
                *origin = Origin::Local;
            }
            if let ValueMeaning::Objects(class) | ValueMeaning::Members(class) = values {
                *class += classes;
            }
        };
        let (mut variables, mut arrays) = (Vec::new(), Vec::new());
        for variable in &function.variables {
            let key_of_object = key(&variable.name, variable.span);
            let existing = variable.first.as_ref().and_then(|_| self.variables.get(&key_of_object).copied());
            variables.push(existing.unwrap_or_else(|| {
                let id = VariableId(self.lts.variables.len() as u32);
                let mut added = variable.clone();
                settle(&mut added.name, &mut added.origin, &mut added.values);
                added.part = SourcePart::whole(added.name.clone());
                if function.outside.meetings.contains(&variable.name) {
                    self.lts.outside.meetings.push(added.name.clone());
                }
                if let Some(first) = added.first.take() {
                    added.initial = Some(first);
                    self.variables.insert(key_of_object, id);
                }
                self.lts.variables.push(added);
                id
            }));
        }
        for array in &function.arrays {
            let key_of_object = key(&array.name, array.span);
            // An array that keeps several objects keeps others elsewhere.
            if array.first.is_some() && !array.objects.is_empty() {
                return None;
            }
            let existing = array.first.as_ref().and_then(|_| self.arrays.get(&key_of_object).copied());
            arrays.push(existing.unwrap_or_else(|| {
                let id = ArrayId(self.lts.arrays.len() as u32);
                let mut added = array.clone();
                settle(&mut added.name, &mut added.origin, &mut added.values);
                added.part = SourcePart::elements(added.name.clone(), None);
                if let Some(first) = added.first.take() {
                    added.initial = Some(first);
                    self.arrays.insert(key_of_object, id);
                }
                self.lts.arrays.push(added);
                id
            }));
        }
        if itself && !(variables.iter().zip(0..).all(|(id, at)| id.0 == at) && arrays.iter().zip(0..).all(|(id, at)| id.0 == at)) {
            return None;
        }
        if !itself {
            self.lts.value_names.classes.append(&mut function.value_names.classes);
        }
        // Runs of calls go no deeper than the copies.
        function.graph.edge_weights_mut().for_each(|edge| edge.deeper = None);
        for_each_symbol(function, &mut |symbol| match symbol {
            Symbol::Scalar(id) => *id = variables[id.0 as usize],
            Symbol::Array(id) => *id = arrays[id.0 as usize],
        });
        Some((variables, arrays))
    }

    /// The edges with which a call of a function starts: everything but statics is as a single call finds it.
    fn start(
        &mut self,
        (function, prints): (&Lts, Vec<Print>),
        (variables, arrays): &Numbers,
        (mut at, entry): (LocationId, LocationId),
        edges: Range<usize>,
    ) -> Option<Copy> {
        let found = inputs(function);
        let (mut scalars_set, mut arrays_set) = (SortedSet::new(), SortedSet::new());
        for edge in function.graph.edge_weights() {
            match &edge.label {
                Label::Assign(id, _) | Label::Havoc(id) => drop(scalars_set.insert(*id)),
                Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => drop(arrays_set.insert(*array)),
                Label::Skip | Label::Assume { .. } => {}
            }
        }
        let (mut labels, mut drawn) = (Vec::new(), Vec::new());
        for (variable, id) in function.variables.iter().zip((0..).map(VariableId)) {
            let kept = variables[id.0 as usize];
            match &variable.initial {
                // It keeps what a call leaves, but lowering lets each call start with its first value.
                Some(_) if scalars_set.contains(&id) && variable.origin == Origin::Global => return None,
                Some(first) if scalars_set.contains(&id) => labels.push(Label::Assign(kept, Expr::Int(first.clone()))),
                None if variable.first.is_none() && found.variables.contains(&id) => {
                    labels.push(Label::Havoc(kept));
                    drawn.push(variable.name.clone());
                }
                _ => {}
            }
        }
        for (array, id) in function.arrays.iter().zip((0..).map(ArrayId)) {
            let kept = arrays[id.0 as usize];
            match &array.initial {
                Some(_) if arrays_set.contains(&id) && array.origin == Origin::Global => return None,
                Some(first) if arrays_set.contains(&id) => labels.push(Label::Fill(kept, first.iter().cloned().map(Expr::Int).collect())),
                None if array.first.is_none() && found.arrays.contains(&id) => {
                    labels.push(Label::HavocArray(kept));
                    drawn.push(array.name.clone());
                }
                _ => {}
            }
        }
        for label in labels {
            let next = self.node();
            self.edge(at, next, label);
            at = next;
        }
        let enter = self.edge(at, entry, Label::Skip);
        self.lts.graph[enter].prints = prints;
        Some(Copy {
            function: function.function.clone(),
            enter,
            edges,
            drawn,
            variables: found.variables.iter().map(|id| (function.variable(*id).name.clone(), variables[id.0 as usize])).collect(),
            arrays: found.arrays.iter().map(|id| (function.array(*id).name.clone(), arrays[id.0 as usize])).collect(),
        })
    }
}
