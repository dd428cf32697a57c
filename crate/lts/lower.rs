//! The syntax tree to the labelled transition system.
//!
//! Lowering runs backwards: it takes the node where execution goes on behind a statement and gives the node where the
//! statement starts. Jumps, labels, blocks, joins and `return` are then nothing but passing nodes around, and so add no
//! edges. It splits an expression into a value without side effects and *steps* before and after it (`expression`). It
//! inlines calls, with a `Frame` that maps the callee's declarations to variables of their own, or else replaces them
//! ([`summary`]).
//!
//! What others can set before the function starts is an input, but for `main` ([`declare`]); a function without a body may write what it
//! reaches ([`external`]). What can be assumed of both is [`super::assume`]'s.
//!
//! It inlines a function that calls itself within itself so many times ([`Options::inline_depth`]); further calls lead to [`Lts::cut`].
//!
//! Bounds: `MAX_NODES` nodes, `MAX_CALLS` inlined calls, `MAX_DEPTH` levels of recursion; beyond them there is a
//! message instead of an LTS.

mod allocation;
mod arithmetic;
mod call;
mod call_value;
mod computed;
mod control;
mod declare;
mod deeper;
mod effects;
mod expression;
mod external;
mod floating;
mod flow;
mod forms;
mod given;
mod graph;
mod joined;
mod memory;
mod moving;
pub(super) mod names;
mod nodes;
mod null_tests;
mod object;
mod order;
mod parameter;
mod points_to;
mod print;
mod regions;
mod rounds;
mod several;
mod shared;
mod source_part;
mod spelling;
mod statement;
mod static_pointer;
mod stdin;
mod strings;
pub mod summary;
pub(super) mod survey;
mod target;
mod texts;
mod union;
mod union_bytes;
mod unknown;
pub(super) mod uses;
mod volatile;
#[cfg(feature = "files")]
mod whole;

#[cfg(test)]
pub(crate) mod tests;

use super::Label;
use super::entry::entry;
use super::{
    Array, ArrayId, DecisionText, Expr, LocationId, Lts, Origin, OutsideNames, SourcePart, Strings, ValueMeaning, Variable, VariableId,
};
use crate::lang::ast::Expr as Tree;
use crate::lang::ast::{DeclId, Function, Program, Shape};
use crate::lang::library;
use crate::lang::outside;
use crate::lang::remarks::Oversized;
use crate::lang::suggest;
use crate::lang::types::Integer;
use crate::lang::views;
use crate::logic::{Arrange, Int, IntRange, SortedMap, SortedSet, gathered};
use crate::source::{Diagnostic, Span};
use expression::Step;
use external::Exposed;
use graph::{Graph, Node};
use object::{Leaf, Part, Pointee, Root, Target, Temporary};
pub use spelling::spelled;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use summary::{Calls, Notes, Summaries};
pub use volatile::{is_volatile, qualifiers};

/// Nodes (about as many as locations) that a function may have.
const MAX_NODES: usize = 50_000;
/// Calls that may be inlined, counting those inside inlined ones.
const MAX_CALLS: usize = 20_000;
/// How deep lowering may recurse: statements, expressions and calls together. A browser gives a worker about a megabyte of stack, which
/// 1,300 levels fill; a single function's nesting (at most 256) takes two levels each.
const MAX_DEPTH: usize = 700;

/// A function as an LTS, with what lowering noticed on the way.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub lts: Lts,
    pub warnings: Vec<Diagnostic>,
    /// Where the labels of the function's own text stand; labels that no path reaches are left out.
    pub labels: BTreeMap<String, LocationId>,
}

/// What the values of a program are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegerModel {
    /// Every integer type has all integers: nothing overflows and nothing wraps around. What the papers assume.
    #[default]
    Unbounded,
    /// C's types on a machine with 32 bits in an `int` and 64 in a `long`: signed overflow is undefined, unsigned arithmetic wraps around.
    C32,
}

/// How often a function is inlined within itself by default.
pub const INLINE_DEPTH: u32 = 8;

/// The options of lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub ints: IntegerModel,
    /// How often a function is inlined within itself.
    pub inline_depth: u32,
    /// Whether each label is a step of its own.
    pub label_steps: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { ints: IntegerModel::default(), inline_depth: INLINE_DEPTH, label_steps: false }
    }
}

/// As [`lower_with`], with unbounded integers.
///
/// # Errors
/// As [`lower_with`].
pub fn lower(program: &Program, function: Option<&str>) -> Result<Lowered, Vec<Diagnostic>> {
    lower_with(program, function, &Options::default())
}

/// Lowers the function of the given name, or that of [`entry`].
///
/// # Errors
/// Diagnostics, at least one error: there is no such function, inlining grows beyond bounds, or the function uses a pointer in a way
/// that lowering does not follow.
pub fn lower_with(program: &Program, function: Option<&str>, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let function = match function {
        Some(name) => match program.function(name) {
            Some((_, function)) => function,
            None => return Err(vec![unknown_function(program, name)]),
        },
        None => entry(program)
            .map(|entry| entry.function)
            .ok_or_else(|| vec![Diagnostic::error("no-function", Span::default(), "there is no function to look at")])?,
    };
    if options.ints == IntegerModel::C32 && !program.oversized.is_empty() {
        return Err(program.oversized.iter().map(oversized).collect());
    }
    let with_views = views::of_function(program, function);
    let program = with_views.as_ref().unwrap_or(program);
    let function = program.function(&function.name.text).map_or(function, |(_, function)| function);
    let with_choices = outside::of_caller(program, function);
    let program = with_choices.as_ref().unwrap_or(program);
    let function = program.function(&function.name.text).map_or(function, |(_, function)| function);
    forms::lowered(program, function, options)
}

fn unknown_function(program: &Program, name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-function", Span::default(), format!("there is no function `{name}` in this program"));
    let names = || program.own().map(|f| f.name.text.as_str());
    match suggest::closest(name, names()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("there are: {}", names().take(20).collect::<Vec<_>>().join(", "))),
    }
}

/// How a `return` ends the current frame.
#[derive(Clone)]
enum Return {
    /// The function itself: its exit, with the value.
    Exit,
    /// An inlined call: the value goes to `result`, then on to `next`.
    Scalar { result: VariableId, next: Node },
    /// A structure, member by member.
    Structure { result: Part, next: Node },
    /// An address, kept in the variables of a pointer.
    Pointer { result: Root, next: Node },
    /// Nobody uses the value.
    Dropped { next: Node },
}

/// A function on the way to its graph: the analysed one or an inlined call.
struct Frame<'a> {
    /// A number of its own.
    id: u32,
    function: &'a Function,
    labels: SortedMap<&'a str, Node>,
    /// Targets of `break` and `continue`, innermost last.
    loops: Vec<(Node, Node)>,
    switches: Vec<statement::Switch>,
    returns: Return,
    /// Where its body begins, once a call leads there again ([`deeper`]).
    head: Option<Node>,
    /// Whether a run can go through such a call.
    is_entered_again: bool,
}

struct Lowerer<'a> {
    program: &'a Program,
    options: Options,
    functions: SortedMap<&'a str, usize>,
    graph: Graph,
    frames: Vec<Frame<'a>>,
    /// Where the scalars of objects are kept, by the object and the members on the way.
    leaves: HashMap<(Root, Vec<usize>), Leaf>,
    temporaries: Vec<Temporary>,
    /// The numbers of those that are strings in the text.
    literals: SortedMap<&'a [u8], u32>,
    /// What keeps the characters of these.
    literal_arrays: SortedSet<ArrayId>,
    /// The program's strings by their addresses, once something prints one of them.
    texts: Option<Strings>,
    /// The places that can hold other addresses than those of strings, once something asks.
    open_cells: Option<SortedSet<flow::Cell<'a>>>,
    /// Those that can hold addresses of other parts' strings, and these strings.
    outside_cells: Option<SortedSet<flow::Cell<'a>>>,
    outside_text: Option<ArrayId>,
    /// What pointers point to, where it is known.
    pointees: HashMap<Root, Pointee>,
    /// What keeps the indices of pointers that are set once, done where they are declared.
    moving: SortedMap<Root, Vec<Step<'a>>>,
    /// The lengths of arrays of which some are computed, from outside: numbers, or the variables that hold them; `None` where none is known.
    computed_lengths: SortedMap<Root, Vec<Option<Expr>>>,
    /// Pointers to memory that a call gives.
    allocations: SortedMap<Root, allocation::Allocation<'a>>,
    /// Pointers that move along an array.
    moving_pointers: SortedSet<Root>,
    /// What the function begins with: the first indices of its own pointers that move, and what holds of its inputs.
    own_starts: Vec<Label>,
    /// Pairs of pointers that are compared, and whose array each of the function's own pointers leads into, where that is another one's.
    pairs: shared::Pairs,
    bases: SortedMap<DeclId, DeclId>,
    /// The function's own pointers that move.
    walking: SortedSet<DeclId>,
    /// Those to arrays of structures, and those that would have to be for what is refused.
    several: SortedSet<DeclId>,
    wanted_several: SortedSet<DeclId>,
    /// Objects that are kept together, the class and the number of each, and what of their first values is set at the entry.
    classes: joined::Classes,
    rows: SortedMap<Root, (u32, usize)>,
    joined_inputs: SortedMap<(u32, Vec<usize>), joined::Firsts>,
    /// Objects that would have to be.
    wanted: Vec<(Root, Root)>,
    /// The functions of inlined frames, by their number.
    names: SortedMap<u32, String>,
    /// A call that was left out because of recursion: the function's name, and the first place of such a call in the text.
    cut: Option<(Span, &'a str)>,
    deeper: deeper::DeeperCalls<'a>,
    variables: Vec<Variable>,
    arrays: Vec<Array>,
    outside: OutsideNames,
    /// What functions without a body may write to without being given it.
    exposed: Option<Exposed>,
    /// Read from the program when it is first asked for.
    uses: OnceCell<uses::Uses>,
    depth: usize,
    calls: usize,
    failure: Option<Diagnostic>,
    /// Statements of the function itself with the nodes where they start.
    starts: Vec<(Span, Node)>,
    /// Ends of value-returning functions without `return`.
    open_ends: Vec<(&'a Function, Node)>,
    labels: Vec<(&'a str, Node)>,
    /// What stands for calls, where they are replaced.
    summaries: Option<&'a Summaries>,
    notes: Notes,
    /// Where orders of evaluation make a difference.
    regions: SortedMap<*const Tree, Rc<regions::Region<'a>>>,
    /// The expressions that are being lowered among these, by frame.
    open: SortedSet<(u32, *const Tree)>,
    /// The numbers of the decisions of the text: of a condition, and of which of its comparisons.
    decisions: SortedMap<(*const Tree, usize), u32>,
    /// How the text has these decisions, by their numbers.
    written: Vec<DecisionText>,
    /// The expressions that are whole decisions.
    #[cfg(feature = "files")]
    whole: whole::DecisionRoots<'a>,
    /// The outermost negation around the condition that is being lowered.
    negation: Option<&'a Tree>,
    /// What is evaluated in front of the expression that it is a part of, by frame.
    evaluated: SortedMap<(u32, *const Tree), Target>,
    /// Whether parts of expressions with sequence points are evaluated, where others must not be evaluated beside them, by frame.
    evaluated_parts: SortedMap<(u32, *const Tree), VariableId>,
    /// What is undefined whatever the values are.
    noticed: Vec<Diagnostic>,
    /// Reads of standard input.
    stdin: stdin::Reading,
}

impl<'a> Lowerer<'a> {
    fn new(program: &'a Program, function: &'a Function, options: Options) -> Lowerer<'a> {
        let frame = Frame::new(0, function, Return::Exit);
        Lowerer {
            program,
            options,
            functions: program.functions.iter().zip(0..).map(|(f, i)| (f.name.text.as_str(), i)).collect(),
            graph: Graph::new(),
            frames: vec![frame],
            leaves: HashMap::new(),
            temporaries: Vec::new(),
            literals: SortedMap::new(),
            literal_arrays: SortedSet::new(),
            pointees: HashMap::new(),
            moving: SortedMap::new(),
            computed_lengths: SortedMap::new(),
            allocations: SortedMap::new(),
            moving_pointers: SortedSet::new(),
            own_starts: Vec::new(),
            pairs: shared::Pairs::default(),
            bases: SortedMap::new(),
            walking: SortedSet::new(),
            several: SortedSet::new(),
            wanted_several: SortedSet::new(),
            classes: Vec::new(),
            rows: SortedMap::new(),
            joined_inputs: SortedMap::new(),
            wanted: Vec::new(),
            names: SortedMap::new(),
            cut: None,
            deeper: deeper::DeeperCalls::default(),
            variables: Vec::new(),
            arrays: Vec::new(),
            outside: OutsideNames::default(),
            exposed: None,
            uses: OnceCell::new(),
            depth: 0,
            calls: 0,
            failure: None,
            texts: None,
            open_cells: None,
            outside_cells: None,
            outside_text: None,
            starts: Vec::new(),
            open_ends: Vec::new(),
            labels: Vec::new(),
            summaries: None,
            notes: Notes::default(),
            regions: regions::regions(program).into_iter().map(|(e, region)| (e, Rc::new(region))).collect(),
            open: SortedSet::new(),
            decisions: SortedMap::new(),
            #[cfg(feature = "files")]
            whole: whole::DecisionRoots::default(),
            written: Vec::new(),
            negation: None,
            evaluated: SortedMap::new(),
            evaluated_parts: SortedMap::new(),
            noticed: Vec::new(),
            stdin: stdin::Reading::default(),
        }
    }

    fn run(&mut self) -> Result<Lowered, Vec<Diagnostic>> {
        self.run_noting().map(|(lowered, _)| lowered)
    }

    fn run_noting(&mut self) -> Result<(Lowered, Calls), Vec<Diagnostic>> {
        let function = self.frames[0].function;
        self.bind_static_pointers();
        self.own_parameters();
        let mut entry = self.body(function);
        for label in std::mem::take(&mut self.own_starts) {
            entry = self.graph.operation(label, function.name.span, entry);
        }
        entry = self.own_row_lengths(entry);
        entry = self.joined_entry(function.name.span, entry);
        entry = self.command_line(entry);
        entry = self.argument_count(entry);
        entry = self.indicator_before(entry);
        if let Some(failure) = self.failure.take() {
            return Err(vec![failure]);
        }
        // An end behind `while (1)` is in the graph; no execution comes to it.
        let taken = self.graph.reached(entry, false);
        let ends = std::mem::take(&mut self.open_ends);
        self.open_ends = ends.into_iter().filter(|&(_, node)| taken[self.graph.resolved(node)]).collect();
        let mut finished = std::mem::replace(&mut self.graph, Graph::new()).finish(entry, &self.arrays);
        self.settle_deeper(&mut finished.graph);
        let mut warnings = std::mem::take(&mut self.noticed);
        unreachable_code(&mut self.starts, &finished.locations, &mut warnings);
        self.open_ends.arrange_by_key(|(f, _)| f.span);
        self.open_ends.dedup_by_key(|(f, _)| f.span);
        for (function, _) in &self.open_ends {
            warnings.push(
                Diagnostic::warning("missing-return", function.end, format!("`{}` can end without returning a value", function.name.text))
                    .help("write `return` with a value at its end"),
            );
        }
        if let (Some((span, name)), Some(_)) = (self.cut, finished.cut) {
            let depth = self.options.inline_depth;
            warnings.push(
                Diagnostic::warning(
                    "recursion-bounded",
                    span,
                    format!("`{name}` is inlined within itself up to {depth} times: executions that go deeper are left out"),
                )
                .help("what is said of paths is said of those up to this depth, and of all executions only what `cover` proves of deeper ones too"),
            );
        }
        if let Some((span, name)) = self.deeper.approximated {
            let depth = self.options.inline_depth;
            warnings.push(
                Diagnostic::warning(
                    "recursion-approximated",
                    span,
                    format!("approximated: calls of `{name}` more than {depth} deep within itself"),
                )
                .help("runs go as deep as calls do, proofs hold at every depth; only a search for inputs goes no deeper than that"),
            );
        }
        #[cfg(feature = "files")]
        self.write_whole_decisions();
        let value_names = self.value_names();
        let mut lts = Lts {
            function: function.name.text.clone(),
            graph: finished.graph,
            entry: finished.entry,
            exit: finished.exit,
            error: finished.error,
            cut: finished.cut,
            inline_depth: (finished.cut.is_some() || self.deeper.approximated.is_some()).then_some(self.options.inline_depth),
            at_entry: finished.at_entry,
            precondition: None,
            calls: None,
            written: std::mem::take(&mut self.written),
            variables: std::mem::take(&mut self.variables),
            arrays: std::mem::take(&mut self.arrays),
            outside: std::mem::take(&mut self.outside),
            value_names,
        };
        let scalars = names::settle(&mut lts);
        lts.note_thresholds();
        let calls = std::mem::take(&mut self.notes).settled(&scalars, &finished.locations, lts.graph.node_count());
        let returns = lts.entry == lts.exit || lts.graph.edges_directed(lts.exit, petgraph::Direction::Incoming).next().is_some();
        if !returns {
            warnings.push(
                Diagnostic::warning(
                    "never-returns",
                    function.name.span,
                    format!("no path through `{}` ever reaches its end", function.name.text),
                )
                .help("without an end there are no complete paths to look at"),
            );
        }
        warnings.arrange_by_key(|d| d.span);
        let labels = gathered(self.labels.iter().filter_map(|&(name, node)| Some((name.to_string(), finished.locations[node]?))));
        Ok((Lowered { lts, warnings, labels }, calls))
    }

    /// The current frame. There is always one: the function itself is never popped.
    fn frame(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn fail(&mut self, diagnostic: Diagnostic) {
        self.failure.get_or_insert(diagnostic);
    }

    /// Whether lowering may go one level deeper; false once anything failed. [`Lowerer::leave`] ends the level.
    fn enter(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.graph.size() > MAX_NODES || self.calls > MAX_CALLS {
            let name = self.frames[0].function.name.span;
            self.fail(
                Diagnostic::error(
                    "too-large",
                    name,
                    format!("with its calls inlined this function has more than {MAX_NODES} steps or {MAX_CALLS} calls"),
                )
                .help("look at a smaller function: choose one of those it calls"),
            );
        } else if self.depth > MAX_DEPTH {
            self.fail(
                Diagnostic::error("too-deep", span, "calls and expressions nest too deep here once calls are inlined")
                    .help("look at one of the called functions instead"),
            );
        }
        self.failure.is_none()
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    // Variables

    /// Where a scalar of the current frame is kept.
    fn scalar_place(&mut self, decl: DeclId, ty: Integer) -> Target {
        let root = self.root(decl);
        let part = self.whole_object(root);
        match part.root {
            Root::Joined(_) => self.target(&Part { shape: Shape::Scalar(ty), ..part }),
            _ => None,
        }
        .unwrap_or_else(|| Target::Variable(self.scalar(decl), ty))
    }

    /// The variable of a scalar of the current frame.
    fn scalar(&mut self, decl: DeclId) -> VariableId {
        let root = self.root(decl);
        match self.leaf(&root, &[]) {
            Leaf::Scalar(variable) => variable,
            // A checked program asks for scalars only.
            Leaf::Array(_) => self.variable(String::new(), Origin::Inlined, Span::default(), Integer::Int),
        }
    }

    fn variable(&mut self, name: String, origin: Origin, span: Span, ty: Integer) -> VariableId {
        let range = self.range(ty);
        self.typed_variable(name, origin, span, None, range)
    }

    fn typed_variable(&mut self, name: String, origin: Origin, span: Span, initial: Option<Int>, range: Option<IntRange>) -> VariableId {
        let id = VariableId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        self.deeper.note_variable(self.frames.last().map_or(0, |frame| frame.id));
        self.variables.push(Variable {
            part: SourcePart::whole(name.clone()),
            name,
            origin,
            span,
            initial,
            first: None,
            range,
            values: ValueMeaning::Integers,
            owners: Vec::new(),
        });
        id
    }

    /// A variable of our own for a part of an expression.
    fn temporary(&mut self, span: Span, ty: Integer) -> Target {
        let id = self.variable("t".into(), Origin::Inlined, span, ty);
        self.own_variable(id, None);
        Target::Variable(id, ty)
    }

    fn new_frame_id(&mut self, function: &str) -> u32 {
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.names.insert(id, library::written_name(function).to_owned());
        id
    }
}

/// The refusal of a constant that fits no type of C.
fn oversized(constant: &Oversized) -> Diagnostic {
    let help = if constant.lacks_suffix {
        "add the suffix `u`: then it is an `unsigned long`; or use `--ints unbounded`"
    } else {
        "the greatest constant is 18446744073709551615u; use `--ints unbounded` for integers without bounds"
    };
    Diagnostic::error("constant-too-large", constant.span, "this constant fits none of the types that C gives it (C11 6.4.4p2)").help(help)
}

/// Warns about statements that no path reaches: once for neighbours, and not for what stands inside them.
fn unreachable_code(starts: &mut [(Span, Node)], locations: &[Option<LocationId>], warnings: &mut Vec<Diagnostic>) {
    starts.arrange_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut run: Option<Span> = None;
    for &(span, node) in starts.iter() {
        if locations[node].is_some() {
            if let Some(dead) = run.take_if(|dead| span.start >= dead.end) {
                warnings.push(unreachable(dead));
            }
        } else {
            run = Some(run.map_or(span, |dead| dead.to(span)));
        }
    }
    warnings.extend(run.map(unreachable));
}

fn unreachable(span: Span) -> Diagnostic {
    Diagnostic::warning("unreachable-code", span, "no path leads here, whatever the values are")
        .help("remove it, or look for the jump that skips it")
}
