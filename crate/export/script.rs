//! What a run gets from outside of the program, call by call: the results and writes of functions without a body, memory, reads of volatile
//! objects, and choices of an order of evaluation.

use super::open_draws::OpenDraw;
use super::replay::{LocatedDraw, Replay, element};
use crate::interp::{ArrayInput, Drawn};
use crate::lang::ast::{Expr as Tree, ExprKind, Init, Program, Stmt, StmtKind, Type};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::lang::library::OTHER_PAIR;
use crate::lang::types::Integer;
use crate::logic::{Arrange, Int, IntRange, SortedMap};
use crate::lts::inputs::inputs;
use crate::lts::{EdgeId, InputSource, Label, Lts, Origin, Through};
use crate::source::Span;

/// When something happens in a run: after how many edges, and there after how many draws.
pub type Moment = (usize, usize);

/// What a run gets.
#[derive(Debug, Default)]
pub struct Script {
    /// For each function that a stub replaces its calls, in their order.
    pub calls: SortedMap<String, Vec<StubCall>>,
    /// For each volatile object, as reads of it are spelled, the values of these in their order.
    pub volatile: SortedMap<String, Vec<(Moment, Int)>>,
    /// Choices of an order of evaluation, by their numbers in the input.
    pub orders: Vec<OrderChoice>,
    /// Parts of unions with bytes that C does not say, and the numbers of these values in the input.
    pub unspecified: Vec<(usize, String)>,
    /// What C leaves open of calls of its library.
    pub open: Vec<OpenDraw>,
}

/// A choice of an order of evaluation that an execution draws.
#[derive(Debug)]
pub struct OrderChoice {
    pub number: usize,
    pub first: String,
    pub other: String,
}

/// A call of a function that a stub replaces.
#[derive(Debug, Default)]
pub struct StubCall {
    pub at: Moment,
    /// Where it stands, as far as that is known.
    pub span: Span,
    /// The value that it gives; none where nothing reads it.
    pub value: Option<Int>,
    pub writes: Vec<StubWrite>,
    /// Of a call that asks for memory: whether there is none.
    pub fails: bool,
}

/// Something that a call writes.
#[derive(Clone, Debug)]
pub struct StubWrite {
    /// The name of the variable or the array in the model, and where it is declared.
    pub name: String,
    pub span: Span,
    /// The elements that get another value; of a scalar the one with index 0.
    pub elements: Vec<(Int, Int)>,
    /// How the function reaches the object.
    pub through: Option<(Through, Vec<Int>)>,
    /// Whether it is memory that the call gives.
    pub is_memory: bool,
}

/// The functions that give an arbitrary value of these, with what they may give.
fn drawing(program: &Program) -> Vec<(String, IntRange)> {
    let mut found: Vec<(String, IntRange)> = Vec::new();
    for name in super::stubs::called(program) {
        match intrinsic::find(&name) {
            Some(Intrinsic::Nondet(ty)) => found.push((name, ty.of(program.abi).range(program.abi))),
            None if super::stubs::is_time_of_library(program, &name) => {
                found.push((name, Integer::Long.range(program.abi)));
            }
            None => {
                let prototype = super::stubs::prototype(program, &name);
                let is_pointer = matches!(prototype.map(|prototype| &prototype.returns), Some(Type::Pointer(_)));
                let returned = super::stubs::returned(prototype).or(is_pointer.then(|| program.abi.address()));
                found.extend(returned.map(|integer| (name, integer.range(program.abi))));
            }
            Some(Intrinsic::Random) => found.push((name, program.abi.random())),
            _ => {}
        }
    }
    let own =
        program.own().filter_map(|function| Some((function.name.text.clone(), function.gives_anything(program.abi)?.range(program.abi))));
    found.extend(own);
    found
}

/// What the run gets, in the program's words.
///
/// # Errors
/// What the run draws and no stub can give, in a sentence.
pub fn script(program: &Program, source: &str, lts: &Lts, replay: &Replay) -> Result<Script, String> {
    let mut script = Script::default();
    let drawing = drawing(program);
    for (number, drawn) in replay.draws.iter().enumerate() {
        let at = (drawn.step, number);
        let edge = &lts.graph[drawn.edge];
        match &drawn.drawn {
            Drawn::Value(InputSource::Volatile(text), value) => {
                script.volatile.entry(text.to_string()).or_default().push((at, value.clone()))
            }
            // No run goes that way.
            Drawn::Value(InputSource::Order(first, _), value) if &**first == OTHER_PAIR && value.is_zero() => {}
            Drawn::Value(InputSource::Order(first, other), _) => script.orders.push(OrderChoice {
                number: drawn.number.unwrap_or_default(),
                first: first.to_string(),
                other: other.to_string(),
            }),
            Drawn::Value(InputSource::Unspecified(part), _) => {
                script.unspecified.push((drawn.number.unwrap_or_default(), part.to_string()));
            }
            // No run goes through an approximated region, or where nodes are written.
            Drawn::Value(
                InputSource::Stdin(_)
                | InputSource::Approximated
                | InputSource::Deeper
                | InputSource::Computed(_)
                | InputSource::WrittenNodes(_),
                _,
            ) => {}
            Drawn::Value(InputSource::External(text), value) => {
                let name = text.split('(').next().unwrap_or_default();
                returned(script.calls.entry(name.to_owned()).or_default(), at, edge.span, value);
            }
            Drawn::Value(InputSource::Allocation, fails) => {
                let function = allocating(edge.span.text(source)).ok_or("its run gets memory from no call in the program's text")?;
                let call = StubCall { at, span: edge.span, fails: !fails.is_zero(), ..StubCall::default() };
                script.calls.entry(function.to_owned()).or_default().push(call);
            }
            drawn_here if edge.library && edge.external.is_none() && is_open(lts, drawn_here) => {
                let why = || format!("`{}` gives a value in it that no test can ask for", edge.span.text(source));
                script.open.push(OpenDraw::of(lts, source, drawn).ok_or_else(why)?);
            }
            Drawn::Value(InputSource::Call, value) => {
                let name = called_here(&drawing, edge.span.text(source), value)
                    .ok_or_else(|| "a value of its input belongs to no call in the program's text".to_owned())?;
                script.calls.entry(name).or_default().push(StubCall {
                    at,
                    span: edge.span,
                    value: Some(value.clone()),
                    ..StubCall::default()
                });
            }
            Drawn::Scalar { variable, after, .. } if edge.external.is_none() && !is_null(&lts.variable(*variable).name) => {
                let name = called_here(&drawing, edge.span.text(source), after)
                    .ok_or_else(|| "a value of its input belongs to no call in the program's text".to_owned())?;
                script.calls.entry(name).or_default().push(StubCall {
                    at,
                    span: edge.span,
                    value: Some(after.clone()),
                    ..StubCall::default()
                });
            }
            Drawn::Scalar { .. } | Drawn::Contents { .. } => match edge.external {
                Some(number) => written(&mut script, lts, replay, (at, drawn), &lts.outside.functions[number as usize]),
                None if let Drawn::Contents { array, after, .. } = &drawn.drawn => {
                    let touched = replay.touched[array.0 as usize].as_ref();
                    if !changed(&ArrayInput::default(), after, touched).is_empty() {
                        return Err(format!("it draws the contents of `{}`", lts.array(*array).name));
                    }
                }
                None => {}
            },
        }
    }
    memory(&mut script, program, lts, replay)?;
    for function in ALLOCATING {
        if let Some(calls) = script.calls.get_mut(function) {
            calls.arrange_by_key(|call| call.at);
        }
    }
    Ok(script)
}

/// Whether something is drawn as the result of a call.
fn is_open(lts: &Lts, drawn: &Drawn) -> bool {
    match drawn {
        Drawn::Value(source, _) => *source == InputSource::Call,
        Drawn::Scalar { variable, .. } => !is_null(&lts.variable(*variable).name),
        Drawn::Contents { .. } => false,
    }
}

/// The functions that give memory for nodes.
const ALLOCATING: [&str; 3] = ["malloc", "calloc", "realloc"];

/// The function of these that a text calls.
fn allocating(text: &str) -> Option<&'static str> {
    ALLOCATING.into_iter().find(|name| super::names::has_word(text, name))
}

/// Of these functions the one that a text calls which may give the value.
fn called_here(drawing: &[(String, IntRange)], text: &str, value: &Int) -> Option<String> {
    let fits: Vec<&String> = drawing.iter().filter(|(_, range)| range.contains(value)).map(|(name, _)| name).collect();
    let is_called = |name: &&&String| {
        let mut rest = text;
        while let Some(at) = rest.find(name.as_str()) {
            let before = rest[..at].chars().next_back();
            let after = rest[at + name.len()..].trim_start().chars().next();
            if !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') && after == Some('(') {
                return true;
            }
            rest = &rest[at + name.len()..];
        }
        false
    };
    fits.iter().find(is_called).or(if fits.len() == 1 { fits.first() } else { None }).map(|name| (*name).clone())
}

/// Notes the value of a call: of one whose writes are known already, or of a new one.
fn returned(calls: &mut Vec<StubCall>, at: Moment, around: Span, value: &Int) {
    let is_inside = |call: &&mut StubCall| call.value.is_none() && around.start <= call.span.start && call.span.end <= around.end;
    // Calls that came before in other statements have no value that anything reads.
    let waiting = calls.iter().rposition(|call| call.value.is_some()).map_or(0, |at| at + 1);
    match calls[waiting..].iter_mut().find(is_inside) {
        Some(call) => call.value = Some(value.clone()),
        None => calls.push(StubCall { at, span: around, value: Some(value.clone()), ..StubCall::default() }),
    }
}

/// Notes a write of a function without a body.
fn written(script: &mut Script, lts: &Lts, replay: &Replay, (at, drawn): (Moment, &LocatedDraw), function: &str) {
    let edge = &lts.graph[drawn.edge];
    let calls = script.calls.entry(function.to_owned()).or_default();
    let (name, span, elements) = match &drawn.drawn {
        Drawn::Scalar { variable, before, after } => {
            let is_kept = before == after && !is_unset(lts, drawn.edge, &drawn.drawn);
            let changed = if is_kept { Vec::new() } else { vec![(Int::ZERO, after.clone())] };
            (&lts.variable(*variable).name, lts.variable(*variable).span, changed)
        }
        Drawn::Contents { array, before, after } => {
            let touched = replay.touched[array.0 as usize].as_ref();
            let changed = if is_unset(lts, drawn.edge, &drawn.drawn) { all(after, touched) } else { changed(before, after, touched) };
            (&lts.array(*array).name, lts.array(*array).span, changed)
        }
        Drawn::Value(..) => return,
    };
    let is_new = calls.last().is_none_or(|call| {
        call.value.is_some() || call.span != edge.span || call.writes.iter().any(|write| write.name == *name && write.span == span)
    });
    if is_new {
        calls.push(StubCall { at, span: edge.span, ..StubCall::default() });
    }
    let through = edge.through.as_ref().zip(drawn.indices.clone()).map(|(through, indices)| ((**through).clone(), indices));
    let write = StubWrite { name: name.clone(), span, elements, through, is_memory: false };
    calls.last_mut().expect("one was made").writes.push(write);
}

/// Whether what a call gets and writes has no value before that a test knows: a local without initialiser that nothing reads before.
pub fn is_unset(lts: &Lts, edge: EdgeId, drawn: &Drawn) -> bool {
    let is_reached = |origin: Origin| match origin {
        Origin::Local | Origin::Inlined => lts.graph[edge].through.is_some(),
        Origin::Global | Origin::Parameter => false,
    };
    match drawn {
        Drawn::Scalar { variable, .. } => {
            let of = lts.variable(*variable);
            is_reached(of.origin) && of.initial.is_none() && !inputs(lts).variables.contains(variable)
        }
        Drawn::Contents { array, .. } => {
            let of = lts.array(*array);
            is_reached(of.origin) && of.initial.is_none() && !inputs(lts).arrays.contains(array)
        }
        Drawn::Value(..) => false,
    }
}

/// The elements that a run looks at.
fn all(contents: &ArrayInput, touched: Option<&(Int, Int)>) -> Vec<(Int, Int)> {
    let Some((least, greatest)) = touched else { return Vec::new() };
    let (Some(least), Some(greatest)) = (least.to_i64(), greatest.to_i64()) else { return Vec::new() };
    let indices = (least..=greatest.min(least.saturating_add(super::LARGEST))).map(Int::from);
    indices.map(|index| (index.clone(), element(contents, &index))).collect()
}

/// The elements among those that a run looks at which have other values.
fn changed(before: &ArrayInput, after: &ArrayInput, touched: Option<&(Int, Int)>) -> Vec<(Int, Int)> {
    all(after, touched).into_iter().filter(|(index, after)| element(before, index) != *after).collect()
}

/// Whether a variable of the model says that there is no memory.
fn is_null(name: &str) -> bool {
    crate::lts::sides::without_copies(name).ends_with(".null")
}

/// Notes the calls that ask for memory: each sets how many elements there is room for.
fn memory(script: &mut Script, program: &Program, lts: &Lts, replay: &Replay) -> Result<(), String> {
    let sites = allocations(program);
    let mut fails = replay.draws.iter().filter_map(|drawn| match &drawn.drawn {
        Drawn::Scalar { variable, after, .. } if lts.graph[drawn.edge].external.is_none() && is_null(&lts.variable(*variable).name) => {
            Some((drawn.edge, *variable, after))
        }
        _ => None,
    });
    let mut next = fails.next();
    for (step, &edge) in replay.edges.iter().enumerate() {
        if let Label::Assign(variable, _) = &lts.graph[edge].label
            && let Some(base) = lts.variable(*variable).name.strip_suffix(".length")
            && let Some((function, _)) = sites.get(&lts.variable(*variable).span)
        {
            let mut call = StubCall { at: (step, 0), span: lts.graph[edge].span, ..StubCall::default() };
            let span = lts.variable(*variable).span;
            if let Some(at) = lts.arrays.iter().position(|array| array.span == span && array.name == base && array.values.is_numeric()) {
                let zero = ArrayInput::default();
                let elements = match &lts.arrays[at].initial {
                    Some(_) => Vec::new(),
                    None => changed(&zero, &replay.before.arrays[at], replay.touched[at].as_ref()),
                };
                if !elements.is_empty() && function != "calloc" {
                    call.writes.push(StubWrite { name: base.to_owned(), span, elements, through: None, is_memory: true });
                }
            }
            script.calls.entry(function.clone()).or_default().push(call);
        }
        if let Some((drawn, variable, after)) = next
            && drawn == edge
        {
            let span = lts.variable(variable).span;
            let (function, _) = sites.get(&span).ok_or_else(|| "its run gets memory from no call in the program's text".to_owned())?;
            let calls = script.calls.entry(function.clone()).or_default();
            if let Some(call) = calls.last_mut() {
                call.fails = !after.is_zero();
            }
            next = fails.next();
        }
    }
    Ok(())
}

/// The declarations of pointers that a call gives memory: the function, and the type of the elements is the declaration's.
pub fn allocations(program: &Program) -> SortedMap<Span, (String, crate::lang::ast::DeclId)> {
    let mut found = SortedMap::new();
    let mut open: Vec<&Stmt> = program.own().flat_map(|function| &function.body).collect();
    while let Some(stmt) = open.pop() {
        stmt.children(&mut |child| open.push(child));
        let StmtKind::Declare(_, list) = &stmt.kind else { continue };
        for declarator in list {
            if let Some(Init::Expr(e)) = &declarator.init
                && let ExprKind::Call(name, _) = &without_casts(e).kind
                && intrinsic::find(&name.text) == Some(Intrinsic::Address)
            {
                found.insert(program.decl(declarator.decl).span, (name.text.clone(), declarator.decl));
            }
        }
    }
    found
}

fn without_casts(e: &Tree) -> &Tree {
    match &e.kind {
        ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => without_casts(inner),
        _ => e,
    }
}

/// Where the arguments of `exit` stand: a run that ends there ends the program.
pub fn exits(program: &Program) -> Vec<Span> {
    let mut found = Vec::new();
    let mut statements: Vec<&Stmt> = program.own().flat_map(|function| &function.body).collect();
    while let Some(stmt) = statements.pop() {
        stmt.children(&mut |child| statements.push(child));
        let mut open: Vec<&Tree> = Vec::new();
        stmt.expressions(&mut |e| open.push(e));
        while let Some(e) = open.pop() {
            e.kind.children(&mut |child| open.push(child));
            if let ExprKind::Call(name, arguments) = &e.kind
                && intrinsic::find(&name.text) == Some(Intrinsic::Exit)
            {
                found.extend(arguments.iter().map(|argument| argument.span));
            }
        }
    }
    found
}
