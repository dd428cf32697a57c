//! The compiled machine against the definition: graphs and inputs made at random, with every kind of expression, label and value.

use super::lts;
use crate::interp::*;
use crate::logic::IntRange;
use crate::logic::SortedMap;
use crate::lts::{BinaryOp, CompareOp, ConversionKind, Edge, EdgePart, Expr, Print};
use crate::source::Span;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What a run does by definition: every label looked up in the graph, every expression evaluated as a tree.
fn by_definition(lts: &Lts, input: &Input, max_steps: u64) -> (Run, Output) {
    let machine = Machine::new(lts);
    let mut state = machine.initial(input);
    let mut output = Output::default();
    let (mut at, mut value, mut edges) = (lts.entry, None, Vec::new());
    let mut stopped_in = EdgePart::Label;
    let (outcome, stopped_before) = loop {
        if at == lts.exit {
            break (Outcome::Returned, None);
        }
        if Some(at) == lts.error {
            break (Outcome::Error, None);
        }
        if Some(at) == lts.cut {
            break (Outcome::Cut, None);
        }
        if edges.len() as u64 == max_steps {
            break (Outcome::Steps, None);
        }
        let out = lts.outgoing(at);
        let (edge, to) = match &lts.graph[out[0].0].label {
            Label::Assume { condition, holds } if out.len() == 2 => match state.eval(condition) {
                Ok(value) => out[usize::from(value.is_zero() == *holds)],
                Err(stop) => break (stop.into(), Some(out[0].0)),
            },
            _ => out[0],
        };
        if let Err((part, stop)) = take_by_definition(&mut state, &lts.graph[edge], out.len() == 2, &mut output) {
            stopped_in = part;
            break (stop.into(), Some(edge));
        }
        match lts.graph[edge].returns.as_ref().map(|returns| state.eval(returns)).transpose() {
            Ok(returned) => value = returned,
            Err(stop) => {
                stopped_in = EdgePart::Return;
                break (stop.into(), Some(edge));
            }
        }
        edges.push(edge);
        at = to;
    };
    let value = if outcome == Outcome::Returned { value } else { None };
    let RunState { nondet_used, variables, .. } = state;
    (Run { outcome, value, edges, location: at, stopped_before, stopped_in, nondet_used, variables }, output)
}

fn take_by_definition(state: &mut RunState<'_>, edge: &Edge, decided: bool, output: &mut Output) -> Result<(), (EdgePart, Stop)> {
    apply_by_definition(state, edge, decided).map_err(|stop| (EdgePart::Label, stop))?;
    for (number, print) in (0..).zip(&edge.prints) {
        print_by_definition(state, print, output).map_err(|stop| (EdgePart::Print(number), stop))?;
    }
    Ok(())
}

fn apply_by_definition(state: &mut RunState<'_>, edge: &Edge, decided: bool) -> Result<(), Stop> {
    match &edge.label {
        Label::Skip => {}
        Label::Assume { condition, holds } => {
            if !decided && state.eval(condition)?.is_zero() == *holds {
                return Err(Stop::Assume);
            }
        }
        Label::Assign(variable, value) => state.variables[variable.0 as usize] = state.eval(value)?,
        Label::Store { array, index, value } => {
            let index = state.eval(index)?;
            let value = state.eval(value)?;
            state.check_index(*array, &index)?;
            state.arrays[array.0 as usize].write(&index, value);
        }
        Label::Fill(array, elements) => {
            let first = elements.iter().map(|element| state.eval(element)).collect::<Result<Vec<_>, _>>()?;
            if !first.is_empty() {
                state.check_index(*array, &Int::from(first.len() - 1))?;
            }
            state.arrays[array.0 as usize] = Cells::filled(&first);
        }
        Label::HavocArray(array) => state.arrays[array.0 as usize] = state.next_contents(*array),
        Label::Havoc(variable) => state.variables[variable.0 as usize] = state.next_nondet(state.lts.variable(*variable).range),
    }
    Ok(())
}

fn print_by_definition(state: &mut RunState<'_>, print: &Print, output: &mut Output) -> Result<(), Stop> {
    let mut printed = Vec::new();
    let mut stars = Vec::new();
    for piece in &print.pieces {
        match piece {
            PrintPiece::Text(text) => printed.extend(text.bytes()),
            PrintPiece::Star(value, meaning) => stars.push((*meaning, state.eval(value)?)),
            PrintPiece::Value(value, conversion) => {
                let value = state.eval(value)?;
                let starred = stars.drain(..).fold(*conversion, |conversion, (meaning, star)| conversion.starred(meaning, &star));
                printed.extend(format(&value, &starred));
            }
            PrintPiece::String(value, conversion, strings) => {
                printed.extend(crate::interp::print::string_at(&state.eval(value)?, conversion, strings).unwrap_or_default())
            }
        }
    }
    output.push(&printed);
    Ok(())
}

/// Small numbers mostly, and those around the ends of words and types.
fn any_int() -> impl Strategy<Value = Int> {
    let ends = (0u32..70, -2i128..=2, any::<bool>()).prop_map(|(bits, more, negative)| {
        let power = (1i128 << bits) + more;
        Int::from(if negative { -power } else { power })
    });
    let huge = (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(a, b, c)| &(&Int::from(a) * &Int::from(b)) * &Int::from(c));
    prop_oneof![6 => (-4i64..8).prop_map(Int::from), 3 => ends, 1 => huge]
}

fn any_range() -> impl Strategy<Value = IntRange> {
    let odd = (-300i128..300, 0i128..300).prop_map(|(least, more)| IntRange { least, greatest: least + more });
    let bits = prop_oneof![Just(8u32), Just(16), Just(32), Just(64), 1u32..=64];
    prop_oneof![4 => (bits, any::<bool>()).prop_map(|(bits, signed)| IntRange::of_bits(bits, signed)), 1 => odd]
}

fn any_operator() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::{Add, And, Div, Mul, Or, Rem, ShiftLeft, ShiftRight, Sub, Xor};
    let width = || prop_oneof![Just(32u32), Just(64), Just(crate::lts::UNBOUNDED_WIDTH)];
    let plain = prop::sample::select(vec![Add, Add, Sub, Sub, Mul, Mul, Div, Rem, And, Or, Xor]);
    prop_oneof![6 => plain, 1 => width().prop_map(ShiftLeft), 1 => width().prop_map(ShiftRight)]
}

fn any_expression() -> impl Strategy<Value = Expr> {
    use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let leaf = prop_oneof![
        any_int().prop_map(Expr::Int),
        (0u32..3).prop_map(|id| Expr::Var(VariableId(id))),
        (0u32..3).prop_map(|id| Expr::Var(VariableId(id))),
        prop::option::of(any_range()).prop_map(Expr::nondet),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let operation = (any_operator(), inner.clone(), inner.clone()).prop_map(|(op, a, b)| Expr::Binary(op, a.into(), b.into())).boxed();
        let compare = prop::sample::select(vec![Lt, Le, Gt, Ge, Eq, Ne]);
        prop_oneof![
            6 => operation.clone(),
            2 => (compare, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Expr::Compare(op, a.into(), b.into())),
            2 => (0u32..2, inner.clone()).prop_map(|(array, index)| Expr::Read(ArrayId(array), index.into())),
            1 => inner.clone().prop_map(|a| Expr::Neg(a.into())),
            1 => inner.clone().prop_map(|a| Expr::Not(a.into())),
            3 => (any_range(), inner.clone()).prop_map(|(range, a)| Expr::Convert(range, a.into())),
            3 => (any_range(), operation).prop_map(|(range, a)| Expr::Checked(range, a.into())),
            1 => (inner.clone(), inner).prop_map(|(a, b)| Expr::Guarded(crate::lts::Requirement::Pointer, a.into(), b.into())),
        ]
    })
}

fn any_label() -> impl Strategy<Value = Label> {
    let expression = any_expression;
    prop_oneof![
        6 => (0u32..3, expression()).prop_map(|(id, value)| Label::Assign(VariableId(id), value)),
        2 => (0u32..2, expression(), expression()).prop_map(|(id, index, value)| Label::Store { array: ArrayId(id), index, value }),
        1 => (0u32..2, prop::collection::vec(expression(), 0..5)).prop_map(|(id, values)| Label::Fill(ArrayId(id), values)),
        1 => (0u32..3).prop_map(|id| Label::Havoc(VariableId(id))),
        1 => (0u32..2).prop_map(|id| Label::HavocArray(ArrayId(id))),
        1 => Just(Label::Skip),
        1 => (expression(), any::<bool>()).prop_map(|(condition, holds)| Label::Assume { condition, holds }),
    ]
}

fn any_print() -> impl Strategy<Value = Print> {
    let conversion = Conversion { kind: ConversionKind::Decimal, zero: true, width: 5, ..Conversion::default() };
    let piece = prop_oneof![
        Just(PrintPiece::Text("x = ".to_owned())),
        any_expression().prop_map(move |value| PrintPiece::Value(value, conversion)),
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| Print { pieces, span: Span::default() })
}

/// What leaves a location: one edge or a decision, to numbers that are brought below the number of locations.
type Ways = (Label, Option<Expr>, [usize; 2], Vec<Print>, Option<Expr>);

fn any_lts() -> impl Strategy<Value = Lts> {
    let prints = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(any_print(), 1..3)];
    let returns = prop_oneof![2 => Just(None), 1 => any_expression().prop_map(Some)];
    let decision = prop_oneof![3 => Just(None), 2 => any_expression().prop_map(Some)];
    let ways = (any_label(), decision, [0usize..20, 0usize..20], prints, returns);
    prop::collection::vec(ways, 1..7).prop_map(|ways: Vec<Ways>| {
        // The last three are the cut, the error location and the exit.
        let count = ways.len() + 3;
        let mut made = lts(count, Vec::new());
        made.cut = Some(LocationId::new(count - 3));
        let signed = IntRange::of_bits(32, true);
        made.variables.push(crate::lts::Variable { name: "z".into(), initial: None, range: Some(signed), ..made.variables[0].clone() });
        for (from, (label, decision, to, prints, returns)) in ways.into_iter().enumerate() {
            let mut add = |to: usize, label| {
                // Seldom out of the middle of a run.
                let to = LocationId::new(if to < 12 { to % (count - 3) } else { to % count });
                let returns = returns.clone().filter(|_| to == made.exit);
                made.graph.add_edge(
                    LocationId::new(from),
                    to,
                    Edge { prints: prints.clone(), returns, ..Edge::plain(label, Span::default()) },
                );
            };
            match decision {
                None => add(to[0], label),
                Some(condition) => {
                    add(to[0], Label::Assume { condition: condition.clone(), holds: true });
                    add(to[1], Label::Assume { condition, holds: false });
                }
            }
        }
        made
    })
}

fn any_input() -> impl Strategy<Value = Input> {
    let elements = || prop::collection::btree_map((0i64..3).prop_map(Int::from), any_int(), 0..3);
    let contents = |elements: BTreeMap<Int, Int>, default| ArrayInput { elements: elements.into_iter().collect(), default };
    let drawn = prop::collection::btree_map(0u32..6, (elements(), any_int()), 0..3);
    (any_int(), -5i64..5, elements(), any_int(), prop::collection::vec(any_int(), 0..6), drawn).prop_map(
        move |(x, z, elements, default, nondet, drawn)| Input {
            values: SortedMap::from([("x".to_owned(), x), ("z".to_owned(), Int::from(z))]),
            arrays: SortedMap::from([("a".to_owned(), contents(elements, default))]),
            nondet,
            contents: drawn.into_iter().map(|(number, (elements, default))| (number, contents(elements, default))).collect(),
            stdin: None,
            is_open: false,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(500)))]
    #[test]
    fn runs_as_defined(lts in any_lts(), input in any_input(), max_steps in 0u64..60) {
        let (expected, printed) = by_definition(&lts, &input, max_steps);
        let machine = Machine::new(&lts);
        let mut output = Output::default();
        let mut watched = machine.watch(&input, max_steps, &mut output);
        let run = machine.run(&input, max_steps);
        watched.edges.clone_from(&run.edges);
        prop_assert_eq!(&run, &expected);
        prop_assert_eq!(&watched, &expected);
        prop_assert_eq!(output, printed);
        if expected.outcome == Outcome::Steps {
            prop_assert_eq!(machine.replay(&input, &expected.edges), Ok(()));
        }
    }

    #[test]
    fn values_are_as_defined(value in any_expression(), input in any_input()) {
        let mut lts = lts(3, Vec::new());
        lts.variables.push(crate::lts::Variable { name: "z".into(), initial: None, ..lts.variables[0].clone() });
        let machine = Machine::new(&lts);
        let (mut compiled, mut tree) = (machine.initial(&input), machine.initial(&input));
        prop_assert_eq!(compiled.value(&CodeExpr::new(&lts, &value)), tree.eval(&value));
        prop_assert_eq!(compiled.nondet_used, tree.nondet_used);
    }
}

/// Below a conversion nothing is too large for words, but it may be for the definition.
#[test]
fn products_below_a_conversion_may_be_too_large() {
    let lts = lts(3, Vec::new());
    let machine = Machine::new(&lts);
    let input = Input { values: SortedMap::from([("x".to_owned(), Int::from(i64::MAX))]), ..Input::default() };
    for (factors, too_large) in [(400, false), (1100, true)] {
        let x = || Expr::Var(VariableId(0));
        let product = (1..factors).fold(x(), |product, _| Expr::Binary(BinaryOp::Mul, product.into(), x().into()));
        let converted = Expr::Convert(IntRange::of_bits(32, false), product.into());
        let value = machine.initial(&input).value(&CodeExpr::new(&lts, &converted));
        assert_eq!(value, machine.initial(&input).eval(&converted), "{factors}");
        assert_eq!(matches!(value, Err(Stop::TooLarge)), too_large, "{factors}");
    }
}
