//! Views of `void *`: the one type through which a program looks at what such a pointer leads to.
//!
//! A *holder* is a variable, the elements of an array, a member, or the result of a function. Pointers flow between holders by assignments,
//! first values, arguments and `return`; holders between which `void *` flows are one *class* (unification, as Steensgaard 1996). A class
//! whose every conversion from or to a typed pointer is of one and the same type `T *` gets the shape "pointer to `T`" ([`infer`]), so that
//! all that comes after sees a typed pointer:
//!
//! | in the program | constraint |
//! |---|---|
//! | `int *sum = ctx;`, `*(int *)ctx` | the class of `ctx` is viewed as `int *` |
//! | `ctx = &x;`, `run(&x)` | the class of the target is viewed as the type of `&x` |
//! | `a = b;`, `a == b` of two `void *` | both are of one class |
//! | a null pointer, memory that a call gives | none |
//! | `&ctx`, `ctx + 1`, `*ctx`, a number that is converted, a union, `volatile` | the class has no view |
//!
//! A class with two types has none. Parameters that the analysed function does nothing with but compare them are viewed as `char *`, as which
//! any object may be seen (C11 6.3.2.3p7). Parameters, variables and results may have one for a single function, among the functions that it calls
//! ([`of_function`]); what lasts is of one type throughout the program.
//!
//! Why it is sound: only declared shapes change, and with them no conversion that the text has. What flows between a holder with a view and
//! one without is a conversion as before, which lowering follows where the object is of the type, and refuses elsewhere. No operation on
//! `void *` means something else on `T *`: arithmetic and sizes of what it leads to leave the class without a view.

mod holders;

use super::ast::{Function, Program, Shape};
use super::types::Integer;
use crate::logic::{SortedMap, SortedSet};
use holders::{HolderFlow, PointerHolder, is_void};

/// Gives each class of the program the shape of its view.
pub fn infer(program: &mut Program) {
    if holds_void(program) {
        let all = (0..program.functions.len()).collect();
        let flow = HolderFlow::of(program, &all);
        let views = views(&flow, |_| true);
        apply(program, &views);
    }
}

/// The program for the analysis of a function, with the views of parameters, variables and results among the functions that it reaches;
/// `None` where these change nothing.
pub fn of_function(program: &Program, function: &Function) -> Option<Program> {
    if !holds_void(program) {
        return None;
    }
    let flow = HolderFlow::of(program, &reached(program, function));
    let lasts = |holder: &PointerHolder| match holder {
        PointerHolder::Decl(decl) => program.decl(*decl).storage.lasts(),
        PointerHolder::Member(..) => true,
        PointerHolder::Result(_) => false,
    };
    let mut views = views(&flow, |holder| !lasts(holder));
    for holder in flow.only_compared() {
        views.entry(holder).or_insert(Shape::Scalar(Integer::Char));
    }
    if views.is_empty() {
        return None;
    }
    let mut new = program.clone();
    apply(&mut new, &views);
    Some(new)
}

/// The functions that a function calls, directly or through others, and itself.
fn reached(program: &Program, function: &Function) -> SortedSet<usize> {
    let mut open: Vec<usize> = program.function(&function.name.text).map(|(at, _)| at).into_iter().collect();
    let mut found: SortedSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for callee in holders::callees(&program.functions[at]) {
            if let Some((callee, _)) = program.function(callee)
                && found.insert(callee)
            {
                open.push(callee);
            }
        }
    }
    found
}

/// Whether some holder has the type `void *`.
fn holds_void(program: &Program) -> bool {
    program.decls.iter().any(|decl| is_void(&decl.shape))
        || program.functions.iter().any(|function| is_void(&function.result))
        || program.structs.iter().flat_map(|own| own.members.iter().flatten()).any(|member| is_void(&member.shape))
}

/// The view of each holder among these whose class has one: the shape of what the pointer leads to.
fn views(flow: &HolderFlow<'_>, is_member: impl Fn(&PointerHolder) -> bool) -> SortedMap<PointerHolder, Shape> {
    let holders: Vec<&PointerHolder> = flow.holders().into_iter().filter(|holder| is_member(holder)).collect();
    let number: SortedMap<&PointerHolder, usize> = holders.iter().copied().zip(0..).collect();
    let mut union = petgraph::unionfind::UnionFind::<usize>::new(holders.len());
    for (from, to) in flow.pairs() {
        if let (Some(from), Some(to)) = (number.get(from), number.get(to)) {
            union.union(*from, *to);
        }
    }
    let mut of_class: SortedMap<usize, Option<&Shape>> = SortedMap::new();
    for (holder, shape) in &flow.views {
        let Some(class) = number.get(holder).map(|at| union.find(*at)) else { continue };
        let view = Some(shape).filter(|shape| is_viewed(shape));
        let first = of_class.get(&class).copied().unwrap_or(view);
        of_class.insert(class, first.filter(|_| first == view));
    }
    for class in flow.refused.iter().filter_map(|holder| number.get(holder)).map(|at| union.find(*at)) {
        of_class.insert(class, None);
    }
    let view = |holder: &PointerHolder| of_class.get(&union.find(number[holder])).copied().flatten().cloned();
    holders.into_iter().filter_map(|holder| Some((holder.clone(), view(holder)?))).collect()
}

/// Whether a pointer of this type is followed as one with a type: it leads to scalars, structures, arrays, or to pointers to these.
fn is_viewed(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(ty) => *ty != Integer::Node,
        Shape::Struct(_) => true,
        Shape::Pointer(inner) | Shape::Array { element: inner, .. } => is_viewed(inner),
        Shape::Void | Shape::Function(_) | Shape::Opaque => false,
    }
}

fn apply(program: &mut Program, views: &SortedMap<PointerHolder, Shape>) {
    for (holder, view) in views {
        match holder {
            PointerHolder::Decl(decl) => set(&mut program.decls[decl.0 as usize].shape, view),
            PointerHolder::Member(structure, at) => {
                let members = program.structs[structure.0 as usize].members.iter_mut().flatten();
                members.skip(*at).take(1).for_each(|member| set(&mut member.shape, view));
            }
            PointerHolder::Result(name) => {
                let own = program.functions.iter_mut().filter(|function| function.name.text == *name);
                own.for_each(|function| set(&mut function.result, view));
            }
        }
    }
}

/// Sets what a pointer, or the pointers of an array, lead to.
fn set(shape: &mut Shape, view: &Shape) {
    match shape {
        Shape::Array { element, .. } => set(element, view),
        Shape::Pointer(inner) => **inner = view.clone(),
        _ => {}
    }
}
