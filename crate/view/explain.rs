//! `explain`: infeasible prefixes, why they are, and the families of paths that are infeasible for the same reason.

use super::load::{Loaded, load, refused};
use super::paths::{Used, check_lengths, traced};
use super::recorder::Listener;
use super::{
    ExplainAutomaton, ExplainComparison, ExplainConstraint, ExplainCorrection, ExplainDependency, ExplainDocument, ExplainFamily,
    ExplainGeneralized, ExplainLength, ExplainPath, ExplainReason, ExplainRound, ExplainRounds, ExplainSettings, ExplainStep, ExplainTally,
    ExplainUnion, Reply, Request, input_view,
};
use crate::analysis::explain::consistency::Strength;
use crate::analysis::explain::dependencies::{ResourceKind, Resources};
use crate::analysis::explain::family::{Extension, ProgramFacts};
use crate::analysis::explain::rounds::{Start, refine};
use crate::analysis::explain::run::{Finding, Judged, Outcome, Verdict, judge, run};
use crate::analysis::explain::{DEFAULT_LIMIT, Explainer, Explanation, Order, Settings, Tally, prepare};
use crate::analysis::prune::{self, unfolded::Pruned};
use crate::analysis::{Event, Trace};
use crate::automaton::Automaton;
use crate::automaton::regex::regex;
use crate::logic::Arrange;
use crate::logic::text::sum;
use crate::logic::{Formula, FormulaId, Int, IntRange, Linear, Pool};
use crate::lts::{EdgeId, Label, Lts, text::label};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, QUERY_LIMIT};
use crate::states::{Ask, States};
use crate::symex::written;
use num_bigint::BigUint;
use std::time::Duration;

/// The greatest number of instructions that can be asked for.
pub const MAX_INSTRUCTIONS: u32 = 2_000;

/// Explores and explains, or, with a path in the settings, explains that path alone. `clock` gives the time since some
/// moment; the times in the document are all that depends on it.
pub fn explain(
    request: &Request,
    settings: &ExplainSettings,
    clock: &dyn Fn() -> Duration,
    listener: &mut Listener,
) -> Reply<ExplainDocument> {
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let chosen = match chosen(settings) {
        Ok(chosen) => chosen,
        Err(message) => return refused("bad-setting", message),
    };
    let path = match settings.path.as_ref().map(|path| edges(&loaded, path)).transpose() {
        Ok(path) => path,
        Err(message) => return refused("bad-path", message),
    };
    let lts = &loaded.lts;
    let (resources, effects) = prepare(lts);
    let program = ProgramFacts::new(lts, &effects, &resources);
    let request = &Request { limit: request.limit.or(Some(DEFAULT_LIMIT)), ..request.clone() };
    let texts = Texts { loaded: &loaded, lts };
    match path {
        None if settings.rounds.is_some() => rounds(request, &texts, settings, &chosen, (&program, &resources), clock, listener),
        None => {
            let work =
                |meter: &mut Meter, trace: &Trace| run(&program, &resources, &chosen, settings.compare as usize, clock, meter, trace);
            let (outcome, used) = traced(request, &loaded, "explaining", listener, work);
            Reply::Document { document: document(request, &texts, settings, outcome, &used) }
        }
        Some(path) => {
            let work = |meter: &mut Meter, trace: &Trace| judge(&program, &resources, &path, &chosen, clock, meter, trace);
            let (judged, used) = traced(request, &loaded, "explaining", listener, work);
            let complete = !matches!(judged.verdict, Verdict::Open(_)) && judged.cut.is_none();
            let mut document = document(request, &texts, settings, Outcome::default(), &used);
            document.header.complete = complete;
            document.open = match (&judged.verdict, judged.cut) {
                (_, Some(reason)) => Some(used.why_open(reason)),
                (Verdict::Open(reason), None) => Some(used.why_open(*reason)),
                _ => None,
            };
            document.path = Some(texts.path(&judged, settings.max_instructions));
            Reply::Document { document }
        }
    }
}

/// The settings, or which of them there is not.
fn chosen(settings: &ExplainSettings) -> Result<Settings, String> {
    let order = match settings.order.as_str() {
        "first" => Order::First,
        "last" => Order::Last,
        "all" => Order::All,
        other => return Err(format!("there is no order `{other}`, only first, last and all")),
    };
    let strength = match settings.check.as_str() {
        "interval" => Strength::Interval,
        "rational" => Strength::Rational,
        "integer" => Strength::Integer,
        other => return Err(format!("there is no check `{other}`, only interval, rational and integer")),
    };
    let extension = match settings.extend.as_str() {
        "detours" => Extension::Detours,
        "any_way" => Extension::AnyWay,
        other => return Err(format!("there is no extension `{other}`, only detours and any_way")),
    };
    if !(1..=MAX_INSTRUCTIONS).contains(&settings.max_instructions) {
        return Err(format!("the number of instructions is from 1 to {MAX_INSTRUCTIONS}"));
    }
    Ok(Settings { max_instructions: settings.max_instructions, order, strength, extension, ..Settings::default() })
}

/// The path, or where it breaks off.
fn edges(loaded: &Loaded, path: &[u32]) -> Result<Vec<EdgeId>, String> {
    let lts = &loaded.lts;
    let mut at = lts.entry;
    let mut last = None;
    for &number in path {
        let edge = EdgeId::new(number as usize);
        let Some((from, to)) = lts.graph.edge_endpoints(edge) else {
            return Err(format!(
                "there is no edge {number}: `{}` has the edges 0 to {}",
                lts.function,
                lts.graph.edge_count().saturating_sub(1)
            ));
        };
        if from != at {
            let ways: Vec<String> = lts.outgoing(at).iter().map(|(edge, _)| edge.index().to_string()).collect();
            let ways = if ways.is_empty() { "nothing".to_owned() } else { ways.join(" or ") };
            return Err(match last {
                None => format!("a path starts at the entry, with edge {ways}; edge {number} leaves location {}", from.index()),
                Some(last) => format!("edge {number} does not follow edge {last}: after that comes {ways}"),
            });
        }
        (at, last) = (to, Some(number));
    }
    Ok(lts_path(path))
}

fn lts_path(path: &[u32]) -> Vec<EdgeId> {
    path.iter().map(|&edge| EdgeId::new(edge as usize)).collect()
}

fn numbers(path: &[EdgeId]) -> Vec<u32> {
    path.iter().map(|edge| edge.index() as u32).collect()
}

/// Average and maximum of counts.
fn generalized(counts: &[&BigUint]) -> ExplainGeneralized {
    ExplainGeneralized { average: average(counts), maximum: counts.iter().max().map_or_else(|| "0".to_owned(), |most| most.to_string()) }
}

/// The average of a list of counts.
fn average(counts: &[&BigUint]) -> f64 {
    let sum: BigUint = counts.iter().copied().sum();
    if counts.is_empty() { 0.0 } else { sum.to_string().parse().unwrap_or(f64::INFINITY) / counts.len() as f64 }
}

fn document(request: &Request, texts: &Texts, settings: &ExplainSettings, outcome: Outcome, used: &Used) -> ExplainDocument {
    let counts: Vec<&BigUint> = outcome.findings.iter().flat_map(|finding| finding.paths.iter()).collect();
    let united: Vec<&BigUint> = outcome.findings.iter().map(|finding| &finding.united).collect();
    let reason = outcome.cut.or(outcome.open);
    let mut copy = None;
    ExplainDocument {
        header: texts.loaded.header(request, reason.is_none(), used.statistics, used.steps),
        max_instructions: settings.max_instructions,
        order: settings.order.clone(),
        check: settings.check.clone(),
        extend: settings.extend.clone(),
        infeasible_prefixes: outcome.findings.len() as u32,
        families: outcome.findings.iter().flat_map(|finding| texts.families(&outcome.pool, &mut copy, finding)).collect(),
        generalized: generalized(&counts),
        united: generalized(&united),
        union: outcome.union.as_ref().map(|union| ExplainUnion {
            automaton: texts.automaton(&union.automaton, None),
            paths: union.paths.to_string(),
            lengths: (union.lengths.iter())
                .map(|(length, total, rest)| ExplainLength { length: *length, total: total.to_string(), rest: rest.to_string() })
                .collect(),
        }),
        without: tally_view(&outcome.without, outcome.without_prefixes),
        with: outcome.with.as_ref().map(|(tally, prefixes)| tally_view(tally, *prefixes)),
        skipped: outcome.skipped,
        comparison: (outcome.comparison.iter())
            .map(|one| ExplainComparison {
                instructions: one.instructions as u32,
                paths: one.paths.to_string(),
                bound: one.bound,
                generation_us: micros(one.generation),
                exhaustive_us: micros(one.exhaustive.tally.time),
                generation_queries: one.generation_queries,
                exhaustive_queries: one.exhaustive.tally.queries,
                refuted: one.exhaustive.refuted,
            })
            .collect(),
        path: None,
        rounds: None,
        open: reason.map(|reason| used.why_open(reason)),
    }
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn tally_view(tally: &Tally, prefixes: u64) -> ExplainTally {
    ExplainTally { prefixes, queries: tally.queries, refutations: tally.refutations, time_us: micros(tally.time) }
}

/// The types of C whose ranges are told in words, with an article.
const TYPES: [(&str, u32, bool); 8] = [
    ("an int", 32, true),
    ("an unsigned int", 32, false),
    ("a signed char", 8, true),
    ("an unsigned char", 8, false),
    ("a short", 16, true),
    ("an unsigned short", 16, false),
    ("a long", 64, true),
    ("an unsigned long", 64, false),
];

/// Conditions as texts. That something has a value of its type is left out where they contradict each other without it, and is else told in
/// words. `copy` is one of the pool for questions, made where it is needed and the same for all that are asked of one pool.
fn conditions(pool: &Pool, copy: &mut Option<Pool>, formulas: &[FormulaId]) -> Vec<String> {
    let split: Vec<(Vec<String>, Vec<FormulaId>)> = formulas.iter().map(|&formula| of_types(pool, formula)).collect();
    let mut told = false;
    if split.iter().any(|(types, _)| !types.is_empty()) {
        let mut context = Context::new();
        context.pool = copy.take().unwrap_or_else(|| pool.clone());
        for &formula in split.iter().flat_map(|(_, rest)| rest) {
            context.assert(formula);
        }
        told = !matches!(context.check(&mut Meter::new(QUERY_LIMIT)), Answer::Unsat(_));
        *copy = Some(context.pool);
    }
    let text = |(types, rest): (Vec<String>, Vec<FormulaId>), &formula: &FormulaId| {
        if types.is_empty() {
            return written(pool, formula);
        }
        let types = if told || rest.is_empty() { types } else { Vec::new() };
        let rest = rest.into_iter().map(|part| match pool.formula(part) {
            Formula::And(_) | Formula::Or(_) => format!("({})", written(pool, part)),
            _ => written(pool, part),
        });
        rest.chain(types).collect::<Vec<_>>().join(" && ")
    };
    split.into_iter().zip(formulas).map(|(parts, formula)| text(parts, formula)).collect()
}

/// What a condition says of types, in words, and what else it says.
fn of_types(pool: &Pool, formula: FormulaId) -> (Vec<String>, Vec<FormulaId>) {
    let Formula::And(parts) = pool.formula(formula) else { return (Vec::new(), vec![formula]) };
    let mut rest = parts.to_vec();
    let mut types = Vec::new();
    // `atom - greatest <= 0`, and `least - atom <= 0` beside it.
    for &part in parts.iter() {
        let Formula::Le(term) = pool.formula(part) else { continue };
        let [(atom, coefficient)] = term.terms() else { continue };
        if !coefficient.is_one() {
            continue;
        }
        for (name, bits, signed) in TYPES {
            let range = IntRange::of_bits(bits, signed);
            let least = Linear::new(vec![(*atom, Int::MINUS_ONE)], range.least());
            let is_least = |&other: &FormulaId| matches!(pool.formula(other), Formula::Le(found) if *found == least);
            if *term.offset() == -&range.greatest() && parts.iter().any(is_least) {
                rest.retain(|other| *other != part && !is_least(other));
                types.push(format!("{} is {name}", sum(pool, &Linear::atom(*atom))));
            }
        }
    }
    (types, rest)
}

/// Makes texts of a program's things.
struct Texts<'a> {
    loaded: &'a Loaded,
    lts: &'a Lts,
}

impl Texts<'_> {
    fn line(&self, edge: EdgeId) -> u32 {
        self.loaded.lines.line(self.lts.graph[edge].span.start)
    }

    /// An edge in a regular expression: its line, and for a decision its side.
    fn letter(&self, letter: u32) -> String {
        let edge = EdgeId::new(letter as usize);
        let side = match self.lts.graph[edge].label {
            Label::Assume { holds: true, .. } => "t",
            Label::Assume { holds: false, .. } => "f",
            _ => "",
        };
        format!("{}{side}", self.line(edge))
    }

    fn regex(&self, automaton: &Automaton) -> Option<String> {
        regex(automaton).map(|regex| regex.text(&|letter| self.letter(letter)))
    }

    fn automaton(&self, automaton: &Automaton, locations: Option<Vec<u32>>) -> ExplainAutomaton {
        ExplainAutomaton {
            states: automaton.states() as u32,
            initial: automaton.initial,
            accepting: (0..automaton.states() as u32).filter(|&state| automaton.accepting[state as usize]).collect(),
            transitions: (automaton.transitions.iter().zip(0..))
                .flat_map(|(ways, from)| ways.iter().map(move |&(edge, to)| (from, edge, to)))
                .collect(),
            locations,
        }
    }

    fn steps(&self, pool: &Pool, copy: &mut Option<Pool>, edges: &[EdgeId], explanation: &Explanation) -> Vec<ExplainStep> {
        let steps: Vec<_> = explanation.positions.iter().copied().zip(explanation.constraints.iter().copied()).collect();
        self.step_list(pool, copy, edges, &steps)
    }

    fn step_list(&self, pool: &Pool, copy: &mut Option<Pool>, edges: &[EdgeId], steps: &[(usize, FormulaId)]) -> Vec<ExplainStep> {
        let formulas: Vec<FormulaId> = steps.iter().map(|step| step.1).collect();
        (steps.iter().zip(conditions(pool, copy, &formulas)))
            .map(|(&(position, _), condition)| {
                let edge = edges[position];
                ExplainStep {
                    index: position as u32,
                    edge: edge.index() as u32,
                    line: self.line(edge),
                    text: label(self.lts, &self.lts.graph[edge]),
                    condition,
                }
            })
            .collect()
    }

    fn families(&self, pool: &Pool, copy: &mut Option<Pool>, finding: &Finding) -> Vec<ExplainFamily> {
        let explained = &finding.explained;
        (explained.explanations.iter().zip(&finding.automata).zip(&finding.paths))
            .map(|((explanation, automaton), paths)| ExplainFamily {
                prefix: numbers(&explained.edges),
                lines: explained.edges.iter().map(|&edge| self.line(edge)).collect(),
                explanation: self.steps(pool, copy, &explained.edges, explanation),
                states: automaton.states() as u32,
                transitions: automaton.size() as u32,
                regex: self.regex(automaton),
                paths: paths.to_string(),
            })
            .collect()
    }

    fn constraints(&self, pool: &Pool, edges: &[EdgeId], constraints: &[(usize, FormulaId)]) -> Vec<ExplainConstraint> {
        (self.step_list(pool, &mut None, edges, constraints).into_iter().zip(constraints))
            .map(|(ExplainStep { index, edge, line, text, condition }, &(_, formula))| {
                let never = formula == Pool::FALSE;
                ExplainConstraint { index, edge, line, text, condition, never }
            })
            .collect()
    }

    fn place(&self, resources: &Resources, place: u32) -> String {
        match resources.kind(place) {
            ResourceKind::Variable(id) => self.lts.variable(*id).name.clone(),
            ResourceKind::Whole(id) => format!("{}[]", self.lts.array(*id).name),
            ResourceKind::Element(id, index) => format!("{}[{index}]", self.lts.array(*id).name),
        }
    }

    fn path(&self, judged: &Judged, max_instructions: u32) -> ExplainPath {
        let (verdict, dies_at) = match judged.verdict {
            Verdict::Feasible(_) => ("feasible", None),
            Verdict::Infeasible(at) => ("infeasible", Some(at as u32)),
            Verdict::Open(_) => ("open", None),
        };
        let reason = |index: usize| {
            let explanation = &judged.explanations[index];
            let raw = &explanation.explanation.family;
            ExplainReason {
                explanation: self.steps(&judged.pool, &mut None, &judged.edges, &explanation.explanation),
                dependencies: (explanation.dependencies.iter())
                    .map(|dependency| ExplainDependency {
                        reader: dependency.reader as u32,
                        name: self.place(&judged.resources, dependency.resource),
                        writer: dependency.writer.map(|writer| writer as u32),
                    })
                    .collect(),
                indispensable: raw.indispensable.iter().map(|&position| position as u32).collect(),
                raw: self.automaton(&raw.automaton(), Some(raw.locations.iter().map(|location| location.index() as u32).collect())),
                automaton: self.automaton(&explanation.automaton, None),
                regex: self.regex(&explanation.automaton),
                paths: explanation.paths.to_string(),
                confirmed: explanation.confirmed,
            }
        };
        ExplainPath {
            edges: numbers(&judged.edges),
            lines: judged.edges.iter().map(|&edge| self.line(edge)).collect(),
            verdict: verdict.to_owned(),
            input: if let Verdict::Feasible(input) = &judged.verdict { Some(input_view(self.lts, input)) } else { None },
            dies_at,
            constraints: self.constraints(&judged.pool, &judged.edges, &judged.constraints),
            reasons: (0..judged.explanations.len()).map(reason).collect(),
            all_reasons: judged.is_complete,
            corrections: (judged.corrections.iter())
                .map(|correction| ExplainCorrection {
                    indices: correction.positions.iter().map(|&position| position as u32).collect(),
                    input: correction.input.as_ref().map(|input| input_view(self.lts, input)),
                })
                .collect(),
            max_instructions,
        }
    }
}

/// `explain` with rounds: infeasible paths of the program, or of its pruned graph, are drawn, explained and taken away.
fn rounds(
    request: &Request,
    texts: &Texts,
    settings: &ExplainSettings,
    chosen: &Settings,
    (program, resources): (&ProgramFacts, &Resources),
    clock: &dyn Fn() -> Duration,
    listener: &mut Listener,
) -> Reply<ExplainDocument> {
    let Some(wanted) = &settings.rounds else { return refused("bad-setting", "no length was given".to_owned()) };
    if let Some(refusal) = check_lengths(&[wanted.length]) {
        return refusal;
    }
    let lts = texts.lts;
    let settled = Settings { strength: Strength::Integer, ..*chosen };
    let (refinement, used) = traced(request, texts.loaded, "drawing and explaining", listener, |meter, trace| {
        // The page's and the command line's defaults.
        let pruning = prune::Settings { abstraction: prune::MethodKind::Learn, restarts: true, lookahead: 16, max_red_length: None };
        let start = match wanted.pruned {
            true => pruned_automaton(&prune::run(lts, States::new(lts), &pruning, meter, trace).pruned),
            false => Automaton::of_program(lts),
        };
        let mut asked = |context: &Context, answer: &Answer| {
            trace.emit(Event::Query { context, answer });
        };
        let mut explainer = Explainer::new(resources.clone(), Strength::Integer, clock);
        let start = Start { automaton: start, length: wanted.length, seed: request.seed };
        refine(program, &mut explainer, start, &settled, &mut Ask { meter, asked: &mut asked }, trace)
    });
    let mut document = document(request, texts, settings, Outcome::default(), &used);
    let mut copy = None;
    document.header.complete = refinement.settled;
    document.open = refinement.cut.map(|reason| used.why_open(reason));
    document.rounds = Some(ExplainRounds {
        length: wanted.length,
        pruned: wanted.pruned,
        start: refinement.start.to_string(),
        rounds: (refinement.rounds.iter())
            .map(|round| ExplainRound {
                drawn: round.drawn,
                prefix: numbers(&round.prefix),
                lines: round.prefix.iter().map(|&edge| texts.line(edge)).collect(),
                explanation: texts.step_list(&refinement.pool, &mut copy, &round.prefix, &round.explanation),
                left: round.left.to_string(),
            })
            .collect(),
        left: refinement.left.to_string(),
        feasible: refinement.feasible.to_string(),
        settled: refinement.settled,
    });
    Reply::Document { document }
}

/// A pruned graph as an automaton over the edges of the original.
fn pruned_automaton(pruned: &Pruned) -> Automaton {
    let mut automaton =
        Automaton { initial: 0, accepting: vec![false; pruned.places.len()], transitions: vec![Vec::new(); pruned.places.len()] };
    pruned.finals.iter().for_each(|last| automaton.accepting[last.index()] = true);
    pruned.edges.iter().for_each(|&(from, edge, to)| automaton.transitions[from as usize].push((edge.index() as u32, to)));
    automaton.transitions.iter_mut().for_each(|ways| ways.arrange());
    automaton
}
