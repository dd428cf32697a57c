//! A program as both sides see it: its functions lowered, its decisions with their places in the text.

use culdesac::lang;
use culdesac::lang::ast::{Program, Stmt, StmtKind};
use culdesac::lang::library;
use culdesac::logic::Int;
use culdesac::lts::assume::{Assumption, Assumptions, under};
use culdesac::lts::entry::entry;
use culdesac::lts::inputs::{Inputs, inputs};
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::lts::{CompareOp, Expr, Label, LocationId, Lts};
use culdesac::source::{Diagnostic, LineIndex, Severity, Span};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

pub struct Subject {
    pub path: PathBuf,
    pub source: String,
    pub program: Program,
    /// The function that is looked at where none is named, and `main`.
    pub functions: Vec<Function>,
    /// Functions of these that could not be lowered.
    pub refused: Vec<Refusal>,
    /// The decisions that can be counted in the text, with their numbers.
    pub decisions: BTreeMap<Span, usize>,
    /// How many others there are.
    pub uncounted: usize,
    /// The `switch`es whose decisions are among those that can be counted.
    pub switches: Vec<Switch>,
}

/// A `switch`: a decision for each of its labels, in their order.
pub struct Switch {
    /// What is compared with the labels.
    pub value: Span,
    pub labels: Vec<CaseLabel>,
}

/// Where a label starts, and its first and last value.
type Placed = (u32, (Int, Int));

pub struct CaseLabel {
    pub decision: Option<usize>,
    pub first: Int,
    pub last: Int,
}

pub struct Function {
    pub lts: Lts,
    /// Whether some call may end without giving back a value, where here one is drawn and in C there is none.
    pub draws_results: bool,
    pub inputs: Inputs,
    /// Locations at which something is decided, with the number of the decision where it can be counted.
    pub decisions: BTreeMap<LocationId, Option<usize>>,
}

/// Why a program or a function is not accepted: the first error.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub function: String,
    pub code: String,
    pub line: u32,
    pub message: String,
}

impl Refusal {
    fn first(function: &str, source: &str, diagnostics: &[Diagnostic]) -> Refusal {
        let lines = LineIndex::new(source);
        let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
        let (code, line, message) = match error {
            Some(error) => (error.code.to_string(), lines.line(error.span.start), error.message.clone()),
            None => ("no-error".to_owned(), 0, "refused without an error".to_owned()),
        };
        Refusal { function: function.to_owned(), code, line, message }
    }
}

/// How programs are lowered here: with C's types.
pub fn options() -> Options {
    Options { ints: IntegerModel::C32, ..Options::default() }
}

impl Subject {
    pub fn read(path: &Path, source: &str) -> Result<Subject, Refusal> {
        let parsed = lang::parse(source);
        let Some(program) = parsed.program else { return Err(Refusal::first("", source, &parsed.diagnostics)) };
        let default = entry(&program).map(|entry| entry.function.name.text.clone());
        let mut names: Vec<String> = default.into_iter().collect();
        if program.function("main").is_some() && !names.iter().any(|name| name == "main") {
            names.push("main".to_owned());
        }
        let mut functions = Vec::new();
        let mut refused = Vec::new();
        for name in names {
            match lower_with(&program, Some(&name), &options()) {
                Ok(mut lowered) => {
                    // The harness calls the function first of all, and its functions without a body write to nothing.
                    lowered.lts = under(&lowered.lts, Assumptions::usual().with(Assumption::FirstCall).with(Assumption::QuietExternals));
                    let inputs = inputs(&lowered.lts);
                    let draws_results = lowered.lts.graph.edge_weights().any(|edge| match &edge.label {
                        Label::Havoc(variable) => lowered.lts.variable(*variable).name.contains(".result"),
                        _ => false,
                    });
                    functions.push(Function { lts: lowered.lts, draws_results, inputs, decisions: BTreeMap::new() });
                }
                Err(diagnostics) => refused.push(Refusal::first(&name, source, &diagnostics)),
            }
        }
        if functions.is_empty() {
            return Err(refused.swap_remove(0));
        }
        let mut subject = Subject {
            path: path.to_owned(),
            source: source.to_owned(),
            program,
            functions,
            refused,
            decisions: BTreeMap::new(),
            uncounted: 0,
            switches: Vec::new(),
        };
        subject.number_decisions();
        Ok(subject)
    }

    fn number_decisions(&mut self) {
        let macros = Macros::of(&self.source);
        let mut spans = HashSet::new();
        let called: HashSet<Span> = self.functions.iter().flat_map(|function| choices(&function.lts, &self.source)).collect();
        for function in &self.functions {
            spans.extend(decisions(&function.lts).into_iter().filter_map(|(_, span)| span));
        }
        // A label's place is where it starts: where it ends depends on what stands after it.
        let labels: HashSet<u32> = self.switches(&macros).iter().flat_map(|(_, labels)| labels.iter().map(|(at, _)| *at)).collect();
        let countable: BTreeSet<Span> = (spans.iter())
            .filter(|span| labels.contains(&span.start) || macros.plain(&self.source, **span) && !called.contains(span))
            .copied()
            .collect();
        self.uncounted = spans.len() - countable.len();
        self.decisions = countable.into_iter().zip(0..).collect();
        let number = |at: u32| self.decisions.iter().find(|(span, _)| span.start == at).map(|(_, k)| *k);
        self.switches = (self.switches(&macros).into_iter())
            .map(|(value, labels)| {
                let labels = labels.into_iter().map(|(at, (first, last))| CaseLabel { decision: number(at), first, last });
                Switch { value, labels: labels.collect() }
            })
            .collect();
        for function in &mut self.functions {
            function.decisions = decisions(&function.lts)
                .into_iter()
                .map(|(at, span)| (at, span.and_then(|span| self.decisions.get(&span).copied())))
                .collect();
        }
    }
}

impl Subject {
    /// The values of `switch`es that can be looked at, with the places and values of their labels.
    fn switches(&self, macros: &Macros) -> Vec<(Span, Vec<Placed>)> {
        let mut open: Vec<&Stmt> = self.program.functions.iter().flat_map(|function| &function.body).collect();
        let mut found = Vec::new();
        while let Some(stmt) = open.pop() {
            stmt.children(&mut |child| open.push(child));
            if let StmtKind::Switch { value, body } = &stmt.kind
                && macros.stands(&self.source, value.span)
            {
                let mut labels = Vec::new();
                case_labels(body, &mut labels);
                if labels.iter().all(|(at, _)| macros.lines.iter().all(|line| *at < line.start || *at >= line.end)) {
                    found.push((value.span, labels));
                }
            }
        }
        found
    }

    /// The places of decisions around which a count is put.
    pub fn wrapped(&self) -> impl Iterator<Item = (Span, usize)> {
        let labels: HashSet<usize> = self.switches.iter().flat_map(|switch| &switch.labels).filter_map(|label| label.decision).collect();
        self.decisions.iter().map(|(span, k)| (*span, *k)).filter(move |(_, k)| !labels.contains(k))
    }
}

/// The labels of a `switch` in the order of the text, without those of others inside.
fn case_labels(stmt: &Stmt, labels: &mut Vec<Placed>) {
    if let StmtKind::Case { range: Some((first, last)), .. } = &stmt.kind {
        labels.push((stmt.span.start, (first.typed.clone(), last.typed.clone())));
    }
    if !matches!(stmt.kind, StmtKind::Switch { .. }) {
        stmt.children(&mut |child| case_labels(child, labels));
    }
}

/// Where a call by a pointer is a choice among functions: no decision of the text's. Arguments stand after it.
fn choices(lts: &Lts, source: &str) -> Vec<Span> {
    let chooses = |edge: &&culdesac::lts::Edge| {
        matches!(&edge.label, Label::Assume { condition: Expr::Compare(CompareOp::Eq, _, number), .. } if matches!(**number, Expr::Int(_)))
            && source[edge.span.end as usize..].trim_start_matches(|c: char| c == ')' || c.is_whitespace()).starts_with('(')
    };
    lts.graph.edge_weights().filter(chooses).map(|edge| edge.span).collect()
}

/// The decisions of a graph with their places, where they stand in the text.
fn decisions(lts: &Lts) -> Vec<(LocationId, Option<Span>)> {
    let sides = |at| lts.outgoing(at);
    (lts.graph.node_indices())
        .filter_map(|at| match sides(at)[..] {
            [(first, _), (_, _)] if matches!(lts.graph[first].label, Label::Assume { .. }) => {
                Some((at, lts.graph[first].decision.map(|_| lts.graph[first].span)))
            }
            _ => None,
        })
        .collect()
}

/// What the text defines as macros that may hold decisions: around their uses nothing can be inserted.
struct Macros {
    names: HashSet<String>,
    lines: Vec<Span>,
}

impl Macros {
    fn of(source: &str) -> Macros {
        let mut macros = Macros { names: HashSet::new(), lines: Vec::new() };
        let mut start = 0;
        let mut continued = false;
        for line in source.split_inclusive('\n') {
            let end = start + line.len();
            let text = line.trim_start();
            if continued || text.starts_with('#') {
                macros.lines.push(Span { start: start as u32, end: end as u32 });
                if let Some(definition) = text.strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define")) {
                    let name = words(definition).next().unwrap_or("");
                    let replacement = definition.trim_start().strip_prefix(name).unwrap_or(definition);
                    // Others stand for a value, and what stands around them can be counted.
                    if replacement.contains(['(', '&', '|', '?', ';', '\\']) {
                        macros.names.insert(name.to_owned());
                    }
                }
                continued = line.trim_end().ends_with('\\');
            }
            start = end;
        }
        macros
    }

    /// Whether the span is that of a truth value that stands in the program as it is.
    fn plain(&self, source: &str, span: Span) -> bool {
        // Nothing can be put around labels, what they are compared with, and the argument whose sign `abs` decides on.
        let before = source[..span.start as usize].trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let label = |word: &str| matches!(word, "switch" | "case" | "default" | "abs");
        // What the library decides is shown where it is called.
        let library = |word: &str| {
            matches!(word, "printf" | "puts" | "fprintf" | "fputs" | "scanf" | "malloc" | "calloc" | "realloc")
                || library::names().any(|name| name == word)
        };
        !words(before.get(before.len().saturating_sub(6)..).unwrap_or("")).last().is_some_and(label)
            && !words(called(span.text(source))).next().is_some_and(|word| label(word) || library(word))
            && self.stands(source, span)
    }

    /// Whether the text of the span stands in the program as it is.
    fn stands(&self, source: &str, span: Span) -> bool {
        let text = span.text(source);
        let inside = |line: &Span| line.start < span.end && span.start < line.end;
        !text.trim().is_empty()
            && balanced(text)
            && !self.lines.iter().any(inside)
            && !words(text).any(|word| self.names.contains(word) || calls_a_header(text, word))
    }
}

/// What is called in the text of a call that may be cast.
fn called(text: &str) -> &str {
    match text.strip_prefix('(').and_then(|cast| cast.split_once(')')) {
        Some((_, rest)) if rest.contains('(') => rest,
        _ => text,
    }
}

/// Whether a macro of a header may be called, judging by its capitals.
fn calls_a_header(text: &str, word: &str) -> bool {
    let capitals = word.starts_with(|c: char| c.is_ascii_uppercase()) && word.to_ascii_uppercase() == word;
    capitals && (text.contains(&format!("{word}(")) || text.contains(&format!("{word} (")))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Whether parentheses and brackets match, and it is an expression rather than a statement.
fn balanced(text: &str) -> bool {
    let mut open = 0i32;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' => open += 1,
            b')' | b']' => open -= 1,
            b'{' | b'}' | b';' => return false,
            _ => {}
        }
        if open < 0 {
            return false;
        }
    }
    open == 0
}
