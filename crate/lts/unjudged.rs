//! What C may leave undefined in a function without an edge of its graph that says so: uses of memory that lowering takes to be as a
//! defined execution has them. Whether they are so is not judged, so nothing is said of the function as a whole where there is one.
//!
//! | not judged | looked for |
//! |---|---|
//! | a use of a local object after its life | the object's address is held by what lives longer: points-to sets, scopes |
//! | `free` of what `malloc` did not give | the pointer may lead to a variable, or has moved |
//! | a use of memory after `free` | the graph has no array of what was freed, though it may matter |
//! | a change of a constant | an assignment through a pointer that may lead to a constant object, or in a graph of blocks to a string |
//! | a copy between objects that overlap | both pointers may lead into one object |
//! | a value that was never set | some way reads a local of the program before it is set; a call of `scanf` whose result the program drops may not set it |
//! | an element that was never set | the same of an array, unless a function of the library or a loop over all its elements sets them |
//! | a format that does not fit its arguments | `vfprintf` whose format is no part of the graph |
//! | the result of a function without `return` | a warning of lowering |

use super::inputs::inputs;
use super::read_unset::may_be_read_unset;
use super::{ArrayId, CompareOp, Expr as LtsExpr, FREED, InputSource, Label, Lts, ModelObject, Origin, Read, ValueMeaning, VariableId};
use crate::lang::ast::{DeclId, Expr, ExprKind, Program, Stmt, StmtKind};
use crate::lang::intrinsic::{PRINT_ELSEWHERE, PRINT_OPEN};
use crate::lang::library;
use crate::lang::moved_pointers::MovedPointers;
use crate::logic::{Int, SortedMap, SortedSet};
use crate::memory::{frees_structures, with_blocks};
use crate::pointer::{AbstractObject, PointerFacts};
use crate::source::Span;

/// Something that is not judged, by where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unjudged {
    pub start: u32,
    /// For people.
    pub what: String,
}

/// Functions of the library whose first argument is where they write, and whose others must not overlap with it (C11 7.24.2.1p2, 7.21.6.6p2).
const COPIES: &[&str] = &["memcpy", "strcpy", "strncpy", "strcat", "strncat", "sprintf", "snprintf"];

/// What is not judged of a function, in the order of the text.
pub fn unjudged(program: &Program, lts: &Lts) -> Vec<Unjudged> {
    let Some((entry, function)) = program.function(&lts.function) else { return Vec::new() };
    let facts = PointerFacts::of(program, Some(entry));
    let search = UnjudgedSearch { program, entry, facts };
    let mut found = SortedSet::new();
    let mut add = |span: Span, what: String| {
        found.insert(Unjudged { start: span.start, what });
    };
    if search.facts.is_anything() {
        add(function.name.span, "where pointers lead: there are too many of them".to_owned());
        return found.into_iter().collect();
    }
    search.lives(&mut add);
    search.accesses(lts, &mut add);
    for id in read_unset(lts) {
        let variable = &lts.variables[id.0 as usize];
        let is_local = matches!(variable.origin, Origin::Local | Origin::Inlined) && variable.part.is_declared();
        if is_local && !matches!(variable.values, ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. }) {
            add(variable.span, never_set(&variable.name));
        }
    }
    for id in inputs(lts).arrays {
        let array = lts.array(id);
        let is_local = matches!(array.origin, Origin::Local | Origin::Inlined) && array.part.is_declared();
        let is_plain = array.member_of_nodes.is_none()
            && array.objects.is_empty()
            && array.values.is_numeric()
            && array.values != ValueMeaning::ElementIndices;
        if is_local && is_plain && !is_filled(lts, id) {
            add(array.span, elements_never_set(&array.name));
        }
    }
    found.into_iter().collect()
}

/// What is not judged of a variable that may be read before it is set.
pub fn never_set(name: &str) -> String {
    format!("whether `{name}` is set before it is read")
}

/// The same of the elements of an array.
pub fn elements_never_set(name: &str) -> String {
    format!("whether the elements of `{name}` are set before they are read")
}

/// The variables that begin without a value and may be read before anything sets them; a call of `scanf` may leave them as they are.
fn read_unset(lts: &Lts) -> Vec<VariableId> {
    let given = |edge: &super::Edge| match &edge.label {
        Label::Assign(id, LtsExpr::Nondet(_, InputSource::Stdin(Read::Value { begins, .. }))) => Some((*id, edge.span, *begins)),
        _ => None,
    };
    // A call whose result is dropped begins with a value, or with none.
    let begins = |edge: &super::Edge| {
        let is_begin = |e: &LtsExpr| matches!(e, LtsExpr::Nondet(_, InputSource::Stdin(Read::Call(_))));
        given(edge).is_some_and(|(.., begins)| begins) || edge.label.operands().into_iter().any(is_begin)
    };
    let dropped: SortedSet<Span> = lts.graph.edge_weights().filter(|edge| begins(edge)).map(|edge| edge.span).collect();
    let by_dropped = lts.graph.edge_weights().filter_map(given).filter(|(_, span, _)| dropped.contains(span)).map(|(id, ..)| id);
    let found: SortedSet<VariableId> = inputs(lts).variables.into_iter().chain(by_dropped).collect();
    let may_be_read = |id: &VariableId| {
        let sets = |edge: &super::Edge| {
            edge.label.assigned() == Some(ModelObject::Variable(*id)) && !given(edge).is_some_and(|(_, span, _)| dropped.contains(&span))
        };
        // A deeper call begins, where it is followed at all, in the innermost copy once more, with no local set.
        let is_entered_again = lts.inline_depth.is_some() && lts.variable(*id).origin == Origin::Inlined;
        lts.cut.is_some() || is_entered_again || may_be_read_unset(lts, *id, &sets)
    };
    found.into_iter().filter(|&id| lts.variable(id).initial.is_none()).filter(may_be_read).collect()
}

/// Whether a function of the library sets elements of an array, or a loop from 0 to its length does.
fn is_filled(lts: &Lts, id: ArrayId) -> bool {
    let labels = || lts.graph.edge_weights().map(|edge| &edge.label);
    let by_library = lts.graph.edge_weights().any(|edge| edge.library && matches!(edge.label, Label::Store { array, .. } if array == id));
    let Some(length) = &lts.array(id).length else { return by_library };
    let starts = |index: VariableId| {
        labels().any(|label| matches!(label, Label::Assign(to, LtsExpr::Int(value)) if *to == index && value.is_zero()))
    };
    let end = |index: VariableId| {
        labels().find_map(|label| match label {
            Label::Assume { condition: LtsExpr::Compare(CompareOp::Lt, left, right), .. } => match (&**left, &**right) {
                (LtsExpr::Var(other), LtsExpr::Int(end)) if *other == index => Some(end.clone()),
                _ => None,
            },
            _ => None,
        })
    };
    // Of rows each index has a loop of its own.
    let covers = |index: &LtsExpr| {
        let mut indices = SortedSet::new();
        index.walk(&mut |part| indices.extend(if let LtsExpr::Var(id) = part { Some(*id) } else { None }));
        let ends = indices.iter().map(|&index| end(index).filter(|_| starts(index)));
        ends.collect::<Option<Vec<Int>>>().is_some_and(|ends| ends.iter().fold(Int::ONE, |all, end| &all * end) >= *length)
    };
    let by_loop = labels().any(|label| matches!(label, Label::Store { array, index, .. } if *array == id && covers(index)));
    by_library || by_loop
}

struct UnjudgedSearch<'a> {
    program: &'a Program,
    entry: usize,
    facts: PointerFacts<'a>,
}

/// The scope of a local: its function, and the numbers of the blocks around it.
type BlockScope = (usize, Vec<u32>);

impl<'a> UnjudgedSearch<'a> {
    /// The functions that calls from a function lead to, without it where it does not call itself.
    fn called(&self, function: usize) -> SortedSet<usize> {
        let direct = |function: usize| {
            self.facts.callees(function).into_iter().filter_map(|object| match object {
                AbstractObject::Function(callee) => Some(callee),
                _ => None,
            })
        };
        let mut open: Vec<usize> = direct(function).collect();
        let mut found = SortedSet::new();
        while let Some(at) = open.pop() {
            if found.insert(at) {
                open.extend(direct(at));
            }
        }
        found
    }

    /// The locals that may be used after their life.
    fn lives(&self, add: &mut dyn FnMut(Span, String)) {
        let program = self.program;
        let called: SortedMap<usize, SortedSet<usize>> = (0..program.functions.len()).map(|at| (at, self.called(at))).collect();
        let calls = |from: usize, to: usize| called.get(&from).is_some_and(|all| all.contains(&to));
        let is_reached = |at: usize| at == self.entry || calls(self.entry, at);
        let mut scopes: SortedMap<DeclId, BlockScope> = SortedMap::new();
        for (at, function) in program.functions.iter().enumerate().filter(|(at, _)| is_reached(*at)) {
            scopes.extend(function.parameters.iter().map(|parameter| (parameter.decl, (at, Vec::new()))));
            let mut blocks = 0;
            function.body.iter().for_each(|stmt| in_scopes(stmt, &(at, Vec::new()), &mut blocks, &mut scopes));
        }
        for (&local, (function, path)) in &scopes {
            let decl = program.decl(local);
            // Nothing follows on the end of the function that is analysed.
            let is_last = *function == self.entry && path.is_empty() && !calls(self.entry, self.entry);
            if decl.storage.lasts() || program.functions[*function].library || is_last {
                continue;
            }
            let outlives = |holder: AbstractObject| match holder {
                AbstractObject::Allocated(_) => true,
                AbstractObject::Result(other) => other == *function,
                AbstractObject::Variable(holder) => match scopes.get(&holder) {
                    Some((other, around)) if other == function => around.len() < path.len() && path.starts_with(around),
                    Some((other, _)) => !calls(*function, *other) || calls(*other, *function),
                    None => program.decl(holder).storage.lasts(),
                },
                _ => false,
            };
            if self.facts.holders(local).into_iter().any(outlives) {
                add(decl.span, format!("whether `{}` is used after the end of its block, since its address is kept", decl.name));
            }
        }
    }

    /// Calls of `free`, copies, and assignments through pointers.
    fn accesses(&self, lts: &Lts, add: &mut dyn FnMut(Span, String)) {
        let program = self.program;
        let called = self.called(self.entry);
        let function = &program.functions[self.entry];
        let follows_freed = lts.arrays.iter().any(|array| array.member_of_nodes.as_deref() == Some(FREED));
        let has_blocks = lts.arrays.iter().any(|array| array.member_of_nodes.is_some());
        let matters =
            with_blocks(program, function, false).is_some_and(|with_blocks| with_blocks.is_needed) || frees_structures(program, function);
        let moved = MovedPointers::of(program);
        let accesses = Accesses { search: self, moved, is_lost: matters && !follows_freed, has_blocks };
        for (_, function) in program.functions.iter().enumerate().filter(|(at, _)| *at == self.entry || called.contains(at)) {
            let span = function.library.then_some(program.functions[self.entry].name.span);
            function.body.iter().for_each(|stmt| accesses.statement(stmt, span, add));
        }
    }
}

/// Notes the scopes of the locals of a statement.
fn in_scopes(stmt: &Stmt, around: &BlockScope, blocks: &mut u32, scopes: &mut SortedMap<DeclId, BlockScope>) {
    if let StmtKind::Declare(_, list) = &stmt.kind {
        scopes.extend(list.iter().map(|declarator| (declarator.decl, around.clone())));
    }
    let mut inner = around.clone();
    if matches!(stmt.kind, StmtKind::Block(_) | StmtKind::For { .. }) {
        *blocks += 1;
        inner.1.push(*blocks);
    }
    stmt.children(&mut |child| in_scopes(child, &inner, blocks, scopes));
}

struct Accesses<'l, 'a> {
    search: &'l UnjudgedSearch<'a>,
    moved: MovedPointers<'a>,
    /// Whether it may matter what is freed, and the graph does not say it.
    is_lost: bool,
    has_blocks: bool,
}

impl<'a> Accesses<'_, 'a> {
    /// `at` is where the function is called, of one of the library.
    fn statement(&self, stmt: &'a Stmt, at: Option<Span>, add: &mut dyn FnMut(Span, String)) {
        stmt.expressions(&mut |e| self.expression(e, at, add));
        stmt.children(&mut |child| self.statement(child, at, add));
    }

    fn expression(&self, e: &'a Expr, at: Option<Span>, add: &mut dyn FnMut(Span, String)) {
        let UnjudgedSearch { program, facts, .. } = self.search;
        let span = at.unwrap_or(e.span);
        match &e.kind {
            ExprKind::Call(name, _) if name.text == PRINT_ELSEWHERE => {
                add(span, "whether the arguments of `vfprintf` fit its format".to_owned());
            }
            ExprKind::Call(name, _) if name.text == PRINT_OPEN => {
                add(span, "whether the arguments of `printf` fit its format".to_owned());
            }
            ExprKind::Call(name, arguments) => {
                let called = library::written_name(&name.text);
                let is_own = program.function(&name.text).is_some_and(|(_, function)| !function.library);
                if let ([to, from @ ..], true) = (&arguments[..], COPIES.contains(&called) && !is_own && at.is_none()) {
                    let written = facts.led_to(program, to);
                    let may_overlap = |other: &Expr| {
                        let both = facts.led_to(program, other).into_iter().filter(|part| written.contains(part)).collect();
                        facts.objects_of(&both).iter().any(|object| *object != AbstractObject::Outside)
                    };
                    if from.iter().any(may_overlap) {
                        add(span, format!("whether what `{called}` reads overlaps with what it writes"));
                    }
                }
                if let (Some(freed), "free" | "realloc", false) = (arguments.first(), called, is_own) {
                    let objects = facts.objects_of(&facts.led_to(program, freed));
                    let is_fixed = |object: &AbstractObject| matches!(object, AbstractObject::Variable(_) | AbstractObject::Text(_));
                    if objects.iter().any(is_fixed) || self.moved.has(freed) {
                        add(span, format!("whether `{called}` gets what `malloc` or its like gave"));
                    }
                    if self.is_lost {
                        add(span, format!("whether memory is used after this call of `{called}`"));
                    }
                }
            }
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } if is_through_pointer(target) => {
                let objects = facts.objects_of(&facts.named_by(program, target));
                let is_constant =
                    |object: &AbstractObject| matches!(object, AbstractObject::Variable(decl) if program.decl(*decl).qualifiers.fixed());
                if objects.iter().any(is_constant) || self.has_blocks && self.moved.names_string(target) {
                    add(span, "whether a constant or a string of the program's text is changed".to_owned());
                }
            }
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child, at, add));
    }
}

/// Whether an lvalue names what a pointer leads to.
fn is_through_pointer(lvalue: &Expr) -> bool {
    match &lvalue.kind {
        ExprKind::Deref(_) | ExprKind::Index(..) => true,
        ExprKind::Member(base, ..) | ExprKind::Convert(base) | ExprKind::Cast(_, base) => is_through_pointer(base),
        _ => false,
    }
}
