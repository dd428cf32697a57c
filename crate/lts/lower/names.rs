//! The final order and names of variables and arrays.
//!
//! Lowering meets variables in no useful order. This module sorts them: parameters, globals, locals, then what inlined
//! calls brought, in the order of the edges. It drops what no edge mentions (but for parameters), and tells equal names
//! apart: `x`, `x#2`. A variable whose name is another key of inputs in documents gets a number, too.

use crate::logic::Arrange;
use crate::lts::{Array, ArrayId, DeeperPart, Expr, Label, Lts, Origin, Print, PrintPiece, Variable, VariableId};
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// The keys of inputs in documents that are no names of variables.
const OTHER_KEYS: [&str; 4] = ["nondet", "nondet_names", "stdin", "written_as"];

/// Sorts, drops and names the variables and arrays of `lts`. Gives for each scalar that is kept its old and its new number.
pub fn settle(lts: &mut Lts) -> HashMap<u32, u32> {
    let mut scalars: HashMap<VariableId, usize> = HashMap::new();
    let mut arrays: HashMap<ArrayId, usize> = HashMap::new();
    let mut visit = |symbol: Symbol| match symbol {
        Symbol::Scalar(id) => {
            let next = scalars.len();
            scalars.entry(*id).or_insert(next);
        }
        Symbol::Array(id) => {
            let next = arrays.len();
            arrays.entry(*id).or_insert(next);
        }
    };
    for_each_symbol(lts, &mut visit);

    let mut kept: Vec<u32> = (0..lts.variables.len() as u32).collect();
    kept.retain(|&i| lts.variables[i as usize].origin == Origin::Parameter || scalars.contains_key(&VariableId(i)));
    kept.arrange_by_key(|&i| {
        let v = &lts.variables[i as usize];
        key(v.origin, v.span, scalars.get(&VariableId(i)), i)
    });
    let new_scalars: HashMap<u32, u32> = kept.iter().zip(0..).map(|(&old, new)| (old, new)).collect();
    let variables: Vec<Variable> = kept.iter().map(|&i| lts.variables[i as usize].clone()).collect();

    let mut kept: Vec<u32> = (0..lts.arrays.len() as u32).collect();
    kept.retain(|&i| lts.arrays[i as usize].origin == Origin::Parameter || arrays.contains_key(&ArrayId(i)));
    kept.arrange_by_key(|&i| {
        let a = &lts.arrays[i as usize];
        key(a.origin, a.span, arrays.get(&ArrayId(i)), i)
    });
    let new_arrays: HashMap<u32, u32> = kept.iter().zip(0..).map(|(&old, new)| (old, new)).collect();
    let array_list: Vec<Array> = kept.iter().map(|&i| lts.arrays[i as usize].clone()).collect();

    for_each_symbol(lts, &mut |symbol| match symbol {
        Symbol::Scalar(id) => id.0 = new_scalars.get(&id.0).copied().unwrap_or(id.0),
        Symbol::Array(id) => id.0 = new_arrays.get(&id.0).copied().unwrap_or(id.0),
    });
    for edge in lts.graph.edge_weights_mut() {
        if let Some(DeeperPart::Call(call)) = &mut edge.deeper {
            call.renumber(&new_scalars, &new_arrays);
        }
    }
    lts.variables = variables;
    lts.arrays = array_list;

    // Scalars and arrays share one space of names, in the order of their kinds.
    let mut names: Vec<(u8, u32, u32, &mut String)> = Vec::new();
    names.extend(lts.variables.iter_mut().zip(0..).map(|(v, i)| (rank(v.origin), i, v.span.start, &mut v.name)));
    names.extend(lts.arrays.iter_mut().zip(0..).map(|(a, i)| (rank(a.origin), i, a.span.start, &mut a.name)));
    names.arrange_by_key(|(rank, i, ..)| (*rank, *i));
    let mut unique = Unique { taken: OTHER_KEYS.map(str::to_owned).into(), ..Unique::default() };
    let mut final_names: HashMap<(String, u32), String> = HashMap::new();
    for (_, _, start, name) in names {
        let before = name.clone();
        unique.settle(name);
        final_names.entry((before, start)).or_insert_with(|| name.clone());
    }
    // An object that starts as a variable does is called as that is.
    for array in lts.arrays.iter_mut().filter(|array| !array.objects.is_empty()) {
        let mut own: HashSet<String> = HashSet::new();
        for object in &mut array.objects {
            match final_names.get(&(object.name.clone(), object.span.start)).filter(|&name| !own.contains(name)) {
                Some(name) => object.name.clone_from(name),
                None => unique.settle(&mut object.name),
            }
            own.insert(object.name.clone());
        }
    }
    for class in &mut lts.value_names.classes {
        let mut unique = Unique::default();
        class.iter_mut().for_each(|name| unique.settle(name));
    }
    new_scalars
}

/// Tells equal names apart.
#[derive(Default)]
struct Unique {
    taken: HashSet<String>,
    next: HashMap<String, u32>,
}

impl Unique {
    /// Makes a name one that was not there before.
    fn settle(&mut self, name: &mut String) {
        if self.taken.contains(name.as_str()) {
            let count = self.next.entry(name.clone()).or_insert(1);
            loop {
                *count += 1;
                let candidate = format!("{name}#{count}");
                if !self.taken.contains(&candidate) {
                    *name = candidate;
                    break;
                }
            }
        }
        self.taken.insert(name.clone());
    }
}

fn rank(origin: Origin) -> u8 {
    match origin {
        Origin::Parameter => 0,
        Origin::Global => 1,
        Origin::Local => 2,
        Origin::Inlined => 3,
    }
}

fn key(origin: Origin, span: Span, first_use: Option<&usize>, index: u32) -> (u8, usize, u32) {
    let place = match origin {
        // Parameters were made in order.
        Origin::Parameter => 0,
        Origin::Inlined => first_use.copied().unwrap_or(usize::MAX),
        Origin::Global | Origin::Local => span.start as usize,
    };
    (rank(origin), place, index)
}

/// A mention of a variable or an array.
pub(in crate::lts) enum Symbol<'a> {
    Scalar(&'a mut VariableId),
    Array(&'a mut ArrayId),
}

/// Visits every mention in the edges and at the entry, to change it.
pub(in crate::lts) fn for_each_symbol(lts: &mut Lts, visit: &mut dyn FnMut(Symbol<'_>)) {
    for edge in lts.graph.edge_weights_mut() {
        match &mut edge.label {
            Label::Skip => {}
            Label::Assume { condition, .. } => in_expr(condition, visit),
            Label::Assign(variable, value) => {
                visit(Symbol::Scalar(variable));
                in_expr(value, visit);
            }
            Label::Store { array, index, value } => {
                visit(Symbol::Array(array));
                in_expr(index, visit);
                in_expr(value, visit);
            }
            Label::Fill(array, values) => {
                visit(Symbol::Array(array));
                values.iter_mut().for_each(|v| in_expr(v, visit));
            }
            Label::Havoc(variable) => visit(Symbol::Scalar(variable)),
            Label::HavocArray(array) => visit(Symbol::Array(array)),
        }
        in_prints(&mut edge.prints, visit);
        if let Some(value) = &mut edge.returns {
            in_expr(value, visit);
        }
    }
    in_prints(&mut lts.at_entry.prints, visit);
    if let Some(value) = &mut lts.at_entry.returns {
        in_expr(value, visit);
    }
    for through in lts.graph.edge_weights_mut().filter_map(|edge| edge.through.as_mut()) {
        through.indices.iter_mut().for_each(|index| in_expr(index, visit));
    }
}

fn in_expr(e: &mut Expr, visit: &mut dyn FnMut(Symbol<'_>)) {
    match e {
        Expr::Var(id) => visit(Symbol::Scalar(id)),
        Expr::Read(id, _) => visit(Symbol::Array(id)),
        _ => {}
    }
    e.children_mut(&mut |child| in_expr(child, visit));
}

fn in_prints(prints: &mut [Print], visit: &mut dyn FnMut(Symbol<'_>)) {
    prints.iter_mut().flat_map(|print| &mut print.pieces).filter_map(PrintPiece::operand_mut).for_each(|value| in_expr(value, visit));
}
