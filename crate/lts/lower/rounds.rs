//! Rounds of lowering: what has to be known of a function before its graph can be made is found by making it. Each round begins anew with
//! what the ones before found: parameters that share an array ([`super::shared`]), parameters that lead to arrays of structures
//! ([`super::several`]), objects that are kept together ([`super::joined`]).

use super::joined::{self, Classes};
use super::shared::Pairs;
use super::{Lowered, Lowerer, Options, stdin};
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Function, Program, Stmt};
use crate::logic::{SortedMap, SortedSet};
use crate::source::Diagnostic;

/// How often lowering begins anew with more objects kept together.
const MAX_ROUNDS: usize = 40;

/// The function, from the first round that finds nothing new.
///
/// # Errors
/// As [`super::lower_with`].
pub(super) fn lowered(program: &Program, function: &Function, mut options: Options) -> Result<Lowered, Vec<Diagnostic>> {
    let mut classes = Classes::new();
    let mut pairs = Pairs::default();
    let mut several: SortedSet<DeclId> = SortedSet::new();
    let mut rounds = 0;
    let mut ends = true;
    let mut has_indicator = false;
    let mut exposed = None;
    loop {
        let mut lowerer = Lowerer::new(program, function, options);
        lowerer.exposed = exposed.take();
        lowerer.share(&pairs);
        lowerer.several.clone_from(&several);
        lowerer.join_objects(classes.clone());
        (lowerer.stdin.ends, lowerer.stdin.has_indicator) = (ends, has_indicator);
        let result = lowerer.run();
        exposed = lowerer.exposed.take();
        if lowerer.stdin.needs_indicator && !has_indicator {
            has_indicator = true;
            continue;
        }
        let refused = matches!(&result, Err(errors) if errors.iter().any(|error| error.code == "unsupported-pointer"));
        if refused {
            lowerer.several.extend(&lowerer.wanted_several);
        }
        // There are no more of them than parameters, so this is no matter of rounds.
        if lowerer.several != several {
            (several, classes, rounds) = (lowerer.several, Classes::new(), 0);
            continue;
        }
        if result.is_err() && !pairs.parameters.is_empty() && lowerer.pairs == pairs && !lowerer.wants_more(&classes) {
            // What is refused so may be followed as objects of their own.
            pairs = Pairs { apart: true, ..Pairs::default() };
            (several, classes, rounds) = (SortedSet::new(), Classes::new(), 0);
            continue;
        }
        if lowerer.pairs != pairs && rounds < MAX_ROUNDS {
            // What has to be kept together is found anew.
            (pairs, classes, rounds) = (lowerer.pairs, Classes::new(), rounds + 1);
            continue;
        }
        if let Err(errors) = &result
            && refused
            && rounds < MAX_ROUNDS
        {
            match joined::merged(&classes, &lowerer.wanted) {
                Ok(Some(more)) => {
                    (classes, rounds) = (more, rounds + 1);
                    continue;
                }
                Err(most) => return Err(errors.iter().map(|error| joined::too_many(most, error)).collect()),
                Ok(None) => {}
            }
        }
        // Functions that call themselves several times grow fast, and others deep.
        let too_much = |error: &Diagnostic| ["too-large", "too-deep"].contains(&error.code);
        match &result {
            Err(errors) if options.inline_depth > 0 && errors.iter().any(too_much) && calls_itself(program) => {
                options.inline_depth /= 2;
            }
            Ok(lowered) if ends && !has_indicator && stdin::needs_no_end(&lowered.lts) => ends = false,
            _ => return result,
        }
    }
}

/// Whether some function calls itself, directly or through others.
pub(super) fn calls_itself(program: &Program) -> bool {
    let numbers: SortedMap<&str, usize> = program.functions.iter().zip(0..).map(|(f, i)| (f.name.text.as_str(), i)).collect();
    let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
    let nodes: Vec<_> = program.functions.iter().map(|_| graph.add_node(())).collect();
    for (function, &from) in program.functions.iter().zip(&nodes) {
        let mut open: Vec<&Stmt> = function.body.iter().collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| {
                called(e, &mut |name| {
                    if let Some(&to) = numbers.get(name) {
                        graph.update_edge(from, nodes[to], ());
                    }
                });
            });
            stmt.children(&mut |child| open.push(child));
        }
    }
    // Of the library's ways to ask this, one that does not recurse.
    petgraph::algo::toposort(&graph, None).is_err()
}

fn called<'a>(e: &'a Tree, visit: &mut dyn FnMut(&'a str)) {
    if let ExprKind::Call(name, _) = &e.kind {
        visit(&name.text);
    }
    e.kind.children(&mut |child| called(child, visit));
}
