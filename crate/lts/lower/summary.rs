//! Calls replaced by a choice among some of the callee's executions (CHS12, Section 6).
//!
//! A call of a function with a [`Summary`] becomes, behind the assignments to the parameters:
//!
//! ```text
//! choice = nondet();
//! if (choice == 0)      { assume(parameter == …); …; result = …; global = …; }   // a pair
//! else if (choice == 1) …                                                        // another one
//! else { assume(choice == n); assume(open == 1); assume(none of the values asked for before);
//!        result = nondet(); global = nondet(); … }                               // the question
//! ```
//!
//! The pairs under-approximate the callee: what they allow, it does (Lemma 3). The *question* over-approximates it; it can be taken only
//! where `open` is 1, and shows with which values the call would have to be answered. So everything that works on an LTS works on this
//! one too, and says of the pairs nothing that the function does not do.

use super::graph::{NOWHERE, Node};
use super::{Lowered, Lowerer, Options};
use crate::lang::ast::{DeclId, Program};
use crate::logic::Int;
use crate::lts::{BinaryOp, CompareOp, Expr, Label, LocationId, Origin, VariableId};
use crate::source::{Diagnostic, Span};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// An execution of a function from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The parameters and globals that it reads before it writes them.
    pub inputs: Vec<(DeclId, Int)>,
    /// The globals that it writes, with their last values; the others keep theirs.
    pub outputs: Vec<(DeclId, Int)>,
    /// What it returns, if it returns a value.
    pub result: Option<Int>,
    /// What `nondet()` gave it, call by call.
    pub nondet: Vec<Int>,
    /// How many edges it takes at most.
    pub steps: usize,
}

/// What stands for the calls of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The parameters and globals that some execution may read before it writes them.
    pub inputs: Vec<DeclId>,
    /// The globals that some execution may write.
    pub outputs: Vec<DeclId>,
    pub pairs: Vec<Pair>,
    /// Values of `inputs` with which nothing new is to be found.
    pub asked: Vec<Vec<Int>>,
}

/// Summaries by the number of their function in [`Program::functions`].
pub type Summaries = BTreeMap<usize, Summary>;

/// A replaced call.
#[derive(Clone, Debug)]
pub struct Site {
    /// The callee's number.
    pub function: usize,
    /// The variables that hold the values of [`Summary::inputs`] at the call.
    pub inputs: Vec<VariableId>,
    /// The variables that get the values of [`Summary::outputs`]; then, if it is used, of the result.
    pub outputs: Vec<VariableId>,
}

/// The replaced calls of an LTS.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// What is chosen at calls, and whether questions can be asked: a variable with first value 0.
    pub choice: Option<VariableId>,
    pub open: Option<VariableId>,
    pub sites: Vec<Site>,
    /// For each value of `choice` the site where it is offered, with the number of the pair; `None` for the question.
    pub alternatives: Vec<(usize, Option<usize>)>,
    inside: Vec<bool>,
}

impl Calls {
    /// Whether a location belongs to a replaced call.
    pub fn is_inside(&self, location: LocationId) -> bool {
        self.inside.get(location.index()).copied().unwrap_or(false)
    }
}

/// What is noted of replaced calls during lowering.
#[derive(Default)]
pub(super) struct Notes {
    choice: Option<VariableId>,
    open: Option<VariableId>,
    sites: Vec<Site>,
    alternatives: Vec<(usize, Option<usize>)>,
    nodes: Vec<Range<Node>>,
}

/// As [`super::lower`], with the calls of these functions replaced.
///
/// # Errors
/// As [`super::lower`].
pub fn lower_summarized(
    program: &Program,
    function: &str,
    summaries: &Summaries,
    options: &Options,
) -> Result<(Lowered, Calls), Vec<Diagnostic>> {
    let Some((_, found)) = program.function(function) else { return Err(vec![super::unknown_function(program, function)]) };
    let mut lowerer = Lowerer::new(program, found, *options);
    lowerer.summaries = Some(summaries);
    lowerer.run_noting()
}

impl Notes {
    /// With the numbers that variables and locations have in the end. Calls that no path reaches may name variables that are gone.
    pub(super) fn settled(self, scalars: &HashMap<u32, u32>, locations: &[Option<LocationId>], count: usize) -> Calls {
        let new = |id: VariableId| scalars.get(&id.0).map_or(VariableId(u32::MAX), |&id| VariableId(id));
        let mut inside = vec![false; count];
        for location in self.nodes.into_iter().flatten().filter_map(|node| locations.get(node).copied().flatten()) {
            inside[location.index()] = true;
        }
        let sites = self.sites.into_iter().map(|site| Site {
            inputs: site.inputs.into_iter().map(new).collect(),
            outputs: site.outputs.into_iter().map(new).collect(),
            ..site
        });
        let known = |id: Option<VariableId>| id.and_then(|id| scalars.get(&id.0)).map(|&id| VariableId(id));
        Calls { choice: known(self.choice), open: known(self.open), sites: sites.collect(), alternatives: self.alternatives, inside }
    }
}

fn is(variable: VariableId, value: Int) -> Expr {
    Expr::Compare(CompareOp::Eq, Box::new(Expr::Var(variable)), Box::new(Expr::Int(value)))
}

impl Lowerer<'_> {
    /// A call of the function, whose parameters are bound in the current frame, by what is known of it.
    pub(super) fn summarized(&mut self, function: usize, summary: &Summary, result: Option<VariableId>, span: Span, next: Node) -> Node {
        if self.graph.find(next) == NOWHERE {
            return NOWHERE;
        }
        let first = self.graph.len();
        let own = |lowerer: &mut Self, name: &str, initial| {
            lowerer.typed_variable(name.to_owned(), Origin::Inlined, Span::default(), initial, None)
        };
        let choice = self.notes.choice.unwrap_or_else(|| own(self, "choice@", None));
        let open = self.notes.open.unwrap_or_else(|| own(self, "open@", Some(Int::ZERO)));
        (self.notes.choice, self.notes.open) = (Some(choice), Some(open));
        let inputs: Vec<VariableId> = summary.inputs.iter().map(|&decl| self.scalar(decl)).collect();
        let mut outputs: Vec<VariableId> = summary.outputs.iter().map(|&decl| self.scalar(decl)).collect();
        outputs.extend(result);
        let site = self.notes.sites.len();
        self.notes.sites.push(Site { function, inputs: inputs.clone(), outputs: outputs.clone() });
        let mut starts = Vec::new();
        for pair in &summary.pairs {
            let mut at = next;
            if let (Some(result), Some(value)) = (result, &pair.result) {
                at = self.graph.operation(Label::Assign(result, Expr::Int(value.clone())), span, at);
            }
            for (decl, value) in pair.outputs.iter().rev() {
                let variable = self.scalar(*decl);
                at = self.graph.operation(Label::Assign(variable, Expr::Int(value.clone())), span, at);
            }
            for (decl, value) in pair.inputs.iter().rev() {
                let variable = self.scalar(*decl);
                at = self.graph.decision(is(variable, value.clone()), span, at, NOWHERE);
            }
            starts.push(at);
        }
        let mut at = next;
        for &output in outputs.iter().rev() {
            at = self.graph.operation(Label::Havoc(output), span, at);
        }
        for asked in summary.asked.iter().rev() {
            // How many values agree is less than how many there are.
            let agree = inputs.iter().zip(asked).map(|(&variable, value)| is(variable, value.clone()));
            let sum = agree.reduce(|sum, one| Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(one))).unwrap_or(Expr::Int(Int::ZERO));
            let other = Expr::Compare(CompareOp::Lt, Box::new(sum), Box::new(Expr::Int(Int::from(inputs.len() as i64))));
            at = self.graph.decision(other, span, at, NOWHERE);
        }
        starts.push(self.graph.decision(is(open, Int::ONE), span, at, NOWHERE));
        let numbers = self.notes.alternatives.len()..;
        let pairs = (0..summary.pairs.len()).map(Some).chain([None]);
        self.notes.alternatives.extend(pairs.map(|pair| (site, pair)));
        let mut at = NOWHERE;
        for (number, start) in numbers.zip(starts).collect::<Vec<_>>().into_iter().rev() {
            at = self.graph.decision(is(choice, Int::from(number as i64)), span, start, at);
        }
        let start = self.graph.operation(Label::Havoc(choice), span, at);
        self.notes.nodes.push(first..self.graph.len());
        start
    }
}
