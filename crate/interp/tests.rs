//! Each outcome, each rule of the semantics, on LTSs built by hand.

mod oracle;
mod texts;

use super::*;
use crate::logic::SortedMap;
use crate::lts::Expr;
use crate::lts::{Array, BinaryOp, CompareOp, Edge, Location, Origin, ValueMeaning, Variable, VariableId};
use crate::source::Span;
use petgraph::graph::DiGraph;

const X: VariableId = VariableId(0);
const Y: VariableId = VariableId(1);
const A: ArrayId = ArrayId(0);
const B: ArrayId = ArrayId(1);

fn int(value: i64) -> Expr {
    Expr::Int(value.into())
}
fn var(id: VariableId) -> Expr {
    Expr::Var(id)
}
fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, left.into(), right.into())
}
fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    Expr::Compare(op, left.into(), right.into())
}
fn read(array: ArrayId, index: Expr) -> Expr {
    Expr::Read(array, index.into())
}
fn assume(condition: Expr, holds: bool) -> Label {
    Label::Assume { condition, holds }
}

/// An LTS over x (a parameter), y (starts at 7), a (3 elements, an input) and b (starts at 5, 6, of unknown length).
/// The highest location is the exit, the one before it the error location.
fn lts(locations: usize, edges: Vec<(usize, usize, Label)>) -> Lts {
    let mut graph = DiGraph::default();
    for _ in 0..locations {
        graph.add_node(Location::default());
    }
    for (from, to, label) in edges {
        graph.add_edge(LocationId::new(from), LocationId::new(to), Edge::plain(label, Span::default()));
    }
    let variable = |name: &str, initial: Option<i64>| Variable {
        name: name.into(),
        part: crate::lts::SourcePart::whole(name.into()),
        origin: Origin::Parameter,
        span: Span::default(),
        initial: initial.map(Int::from),
        first: None,
        range: None,
        values: ValueMeaning::Integers,
        owners: Vec::new(),
    };
    let array = |name: &str, length: Option<i64>, initial: Option<Vec<Int>>| Array {
        name: name.into(),
        part: crate::lts::SourcePart::elements(name.into(), None),
        origin: Origin::Global,
        span: Span::default(),
        length: length.map(Int::from),
        initial,
        first: None,
        range: None,
        values: ValueMeaning::Integers,
        objects: Vec::new(),
        member_of_nodes: None,
        owners: Vec::new(),
    };
    Lts {
        calls: None,
        written: Vec::new(),
        function: "f".into(),
        graph,
        entry: LocationId::new(0),
        exit: LocationId::new(locations - 1),
        error: Some(LocationId::new(locations - 2)),
        cut: None,
        inline_depth: None,
        at_entry: Default::default(),
        precondition: None,
        variables: vec![variable("x", None), variable("y", Some(7))],
        arrays: vec![array("a", Some(3), None), array("b", None, Some(vec![5.into(), 6.into()]))],
        outside: Default::default(),
        value_names: Default::default(),
    }
}

/// One edge to the exit with this label that returns x.
fn single(label: Label) -> Lts {
    let mut lts = lts(3, vec![(0, 2, label)]);
    lts.graph[EdgeId::new(0)].returns = Some(var(X));
    lts
}

fn input(x: i64, nondet: &[i64]) -> Input {
    let a = ArrayInput { elements: SortedMap::from([(1.into(), 10.into())]), default: 4.into() };
    Input {
        values: SortedMap::from([("x".into(), x.into())]),
        arrays: SortedMap::from([("a".into(), a)]),
        nondet: nondet.iter().map(|&value| value.into()).collect(),
        contents: SortedMap::new(),
        stdin: None,
        is_open: false,
    }
}

/// The outcome and value of `x = value; return x`.
fn assigned(value: Expr, x: i64, nondet: &[i64]) -> (Outcome, Option<i64>) {
    let run = run(&single(Label::Assign(X, value)), &input(x, nondet), 10);
    (run.outcome, run.value.and_then(|value| value.to_i64()))
}

fn value(expr: Expr, x: i64, nondet: &[i64]) -> i64 {
    match assigned(expr, x, nondet) {
        (Outcome::Returned, Some(value)) => value,
        other => panic!("{other:?}"),
    }
}

fn edges(numbers: &[usize]) -> Vec<EdgeId> {
    numbers.iter().map(|&number| EdgeId::new(number)).collect()
}

/// while (x > 0) x = x - 1; return x;   with a decision of two sides.
fn countdown() -> Lts {
    let positive = compare(CompareOp::Gt, var(X), int(0));
    let mut lts = lts(
        4,
        vec![
            (0, 1, assume(positive.clone(), true)),
            (0, 3, assume(positive, false)),
            (1, 0, Label::Assign(X, binary(BinaryOp::Sub, var(X), int(1)))),
        ],
    );
    lts.graph[EdgeId::new(1)].returns = Some(var(X));
    lts
}

#[test]
fn returns_along_a_path() {
    let run = run(&countdown(), &input(2, &[]), 100);
    assert_eq!((run.outcome, run.value, run.stopped_before), (Outcome::Returned, Some(0.into()), None));
    assert_eq!(run.edges, edges(&[0, 2, 0, 2, 1]));
    assert_eq!((run.location, run.variables), (LocationId::new(3), vec![0.into(), 7.into()]));
}

#[test]
fn stops_at_the_step_limit() {
    for limit in [0, 1, 4] {
        let run = run(&countdown(), &input(2, &[]), limit);
        assert_eq!((run.outcome, run.value, run.edges.len() as u64), (Outcome::Steps, None, limit));
    }
    // The last step allowed may be the one that returns.
    assert_eq!(run(&countdown(), &input(2, &[]), 5).outcome, Outcome::Returned);
}

#[test]
fn reaches_the_error_location() {
    let lts = lts(4, vec![(0, 2, assume(var(X), true)), (0, 3, assume(var(X), false))]);
    assert_eq!(run(&lts, &input(5, &[]), 9).outcome, Outcome::Error);
    assert_eq!(run(&lts, &input(0, &[]), 9).outcome, Outcome::Returned);
}

#[test]
fn a_lone_assumption_blocks() {
    let lts = single(assume(compare(CompareOp::Lt, var(X), int(3)), true));
    assert_eq!(run(&lts, &input(2, &[]), 9).outcome, Outcome::Returned);
    let blocked = run(&lts, &input(3, &[]), 9);
    assert_eq!((blocked.outcome, blocked.stopped_before, blocked.edges.len()), (Outcome::AssumeFailed, Some(EdgeId::new(0)), 0));
    assert_eq!(run(&single(assume(var(X), false)), &input(3, &[]), 9).outcome, Outcome::AssumeFailed);
}

#[test]
fn a_decision_consumes_nondet_once() {
    // if (nondet() < nondet()) x = nondet();
    let condition = compare(CompareOp::Lt, Expr::nondet(None), Expr::nondet(None));
    let lts = lts(4, vec![(0, 1, assume(condition.clone(), true)), (0, 3, assume(condition, false)), (1, 3, Label::Havoc(X))]);
    let run = |nondet: &[i64]| {
        let run = run(&lts, &input(0, nondet), 9);
        (run.edges, run.nondet_used, run.variables[0].to_i64())
    };
    assert_eq!(run(&[1, 2, 30]), (edges(&[0, 2]), 3, Some(30)));
    assert_eq!(run(&[2, 1, 30]), (edges(&[1]), 2, Some(0)));
    // Past the end everything is zero.
    assert_eq!(run(&[-1]), (edges(&[0, 2]), 3, Some(0)));
}

#[test]
fn evaluates_expressions() {
    use BinaryOp::{Add, Div, Mul, Rem, Sub};
    use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let results = |ops: &[BinaryOp], a: i64, b: i64| ops.iter().map(|&op| value(binary(op, int(a), int(b)), 0, &[])).collect::<Vec<_>>();
    assert_eq!(results(&[Add, Sub, Mul, Div, Rem], -7, 2), [-5, -9, -14, -3, -1]);
    assert_eq!(results(&[Div, Rem], 7, -2), [-3, 1]);
    let holds = |a: i64, b: i64| [Lt, Le, Gt, Ge, Eq, Ne].map(|op| value(compare(op, int(a), int(b)), 0, &[]));
    assert_eq!((holds(1, 2), holds(2, 2), holds(3, 2)), ([1, 1, 0, 0, 0, 1], [0, 1, 0, 1, 1, 0], [0, 0, 1, 1, 0, 1]));
    assert_eq!([0, 5].map(|x| value(Expr::Not(var(X).into()), x, &[])), [1, 0]);
    assert_eq!(value(Expr::Neg(var(X).into()), 5, &[]), -5);
    assert_eq!(value(binary(Sub, Expr::nondet(None), Expr::nondet(None)), 0, &[10, 3]), 7);
    // Nothing wraps.
    let square = binary(Mul, var(X), var(X));
    let run = run(&single(Label::Assign(X, square)), &input(i64::MAX, &[]), 9);
    assert_eq!(run.value, Some(&Int::from(i64::MAX) * &Int::from(i64::MAX)));
}

#[test]
fn reads_and_writes_arrays() {
    // a starts as the input says, b as the program says with zeros after.
    assert_eq!([0, 1, 2].map(|i| value(read(A, int(i)), 0, &[])), [4, 10, 4]);
    assert_eq!([-1, 0, 1, 2, 1 << 40].map(|i| value(read(B, int(i)), 0, &[])), [0, 5, 6, 0, 0]);
    for index in [-5, 0, 3, 4095, 4096, 1 << 40] {
        let store = Label::Store { array: B, index: var(X), value: int(9) };
        let lts = lts(4, vec![(0, 1, store), (1, 3, Label::Assign(Y, read(B, var(X))))]);
        let run = run(&lts, &input(index, &[]), 9);
        assert_eq!((run.outcome, run.variables[1].to_i64()), (Outcome::Returned, Some(9)), "index {index}");
    }
    let fill = Label::Fill(A, vec![var(X), int(2)]);
    let sum = binary(BinaryOp::Add, read(A, int(0)), binary(BinaryOp::Add, read(A, int(1)), read(A, int(2))));
    let lts = lts(4, vec![(0, 1, fill), (1, 3, Label::Assign(Y, sum))]);
    assert_eq!(run(&lts, &input(40, &[]), 9).variables[1], 42.into());
}

#[test]
fn stops_before_what_is_undefined() {
    let out = |index: i64| (Outcome::Undefined(Undefined::OutOfBounds { array: A, index: index.into(), length: 3.into() }), None);
    assert_eq!(assigned(read(A, int(3)), 0, &[]), out(3));
    assert_eq!(assigned(read(A, int(-1)), 0, &[]), out(-1));
    for op in [BinaryOp::Div, BinaryOp::Rem] {
        assert_eq!(assigned(binary(op, int(1), var(X)), 0, &[]), (Outcome::Undefined(Undefined::DivisionByZero), None));
    }
    let store = run(&single(Label::Store { array: A, index: int(3), value: int(0) }), &input(0, &[]), 9);
    assert_eq!((store.outcome, store.stopped_before, store.edges.len()), (out(3).0, Some(EdgeId::new(0)), 0));
    assert_eq!(run(&single(Label::Fill(A, vec![int(1); 4])), &input(0, &[]), 9).outcome, out(3).0);
    // In a decision, and in what is returned.
    let zero = binary(BinaryOp::Div, int(1), var(X));
    let lts = lts(4, vec![(0, 1, assume(zero.clone(), true)), (0, 3, assume(zero.clone(), false))]);
    let decision = run(&lts, &input(0, &[]), 9);
    assert_eq!((decision.outcome, decision.stopped_before), (Outcome::Undefined(Undefined::DivisionByZero), Some(EdgeId::new(0))));
    let mut returning = single(Label::Skip);
    returning.graph[EdgeId::new(0)].returns = Some(zero);
    assert_eq!(run(&returning, &input(0, &[]), 9).outcome, Outcome::Undefined(Undefined::DivisionByZero));
}

#[test]
fn growth_stops() {
    for op in [BinaryOp::Mul, BinaryOp::Add] {
        let lts = lts(3, vec![(0, 0, Label::Assign(X, binary(op, var(X), var(X))))]);
        let run = run(&lts, &input(3, &[]), u64::MAX);
        assert_eq!((run.outcome, run.stopped_before), (Outcome::TooLarge, Some(EdgeId::new(0))));
        assert!(run.variables[0].bits() <= MAX_BITS);
    }
}

#[test]
fn a_function_without_edges_returns() {
    let mut lts = lts(2, Vec::new());
    (lts.exit, lts.error, lts.at_entry.returns) = (lts.entry, None, Some(binary(BinaryOp::Div, int(6), var(X))));
    assert_eq!(run(&lts, &input(2, &[]), 0).value, Some(3.into()));
    assert_eq!(run(&lts, &input(0, &[]), 0).outcome, Outcome::Undefined(Undefined::DivisionByZero));
}

#[test]
fn replays_prefixes() {
    let lts = countdown();
    let machine = Machine::new(&lts);
    for prefix in [&[][..], &[0], &[0, 2, 0], &[0, 2, 0, 2, 1]] {
        assert_eq!(machine.replay(&input(2, &[]), &edges(prefix)), Ok(()), "{prefix:?}");
    }
    let other = |index, taken| Err(ReplayMismatch::Other { index, taken: EdgeId::new(taken) });
    assert_eq!(machine.replay(&input(2, &[]), &edges(&[0, 2, 1])), other(2, 0));
    assert_eq!(machine.replay(&input(1, &[]), &edges(&[0, 2, 0])), other(2, 1));
    // Beyond the end.
    let ended = Err(ReplayMismatch::Ended { index: 1, outcome: Outcome::Returned });
    assert_eq!(machine.replay(&input(0, &[]), &edges(&[1, 0])), ended);
    // Undefined behaviour is not on any path.
    let undefined = single(Label::Assign(X, binary(BinaryOp::Div, int(1), var(X))));
    let ended = Err(ReplayMismatch::Ended { index: 0, outcome: Outcome::Undefined(Undefined::DivisionByZero) });
    assert_eq!((replay(&undefined, &input(0, &[]), &edges(&[0])), replay(&undefined, &input(1, &[]), &edges(&[0]))), (ended, Ok(())));
}

#[test]
fn inputs_must_fit() {
    let lts = countdown();
    assert_eq!(check_input(&lts, &input(1, &[2])), Ok(()));
    let value = |name: &str| Input { values: SortedMap::from([(name.into(), 1.into())]), ..Input::default() };
    let array = |name: &str, index: i64| {
        let contents = ArrayInput { elements: SortedMap::from([(index.into(), 1.into())]), default: 0.into() };
        Input { arrays: SortedMap::from([(name.into(), contents)]), ..Input::default() }
    };
    assert_eq!(check_input(&lts, &value("z")), Err(InputError::Unknown("z".into())));
    assert_eq!(check_input(&lts, &value("y")), Err(InputError::Initialised("y".into())));
    assert_eq!(check_input(&lts, &value("a")), Err(InputError::NotScalar("a".into())));
    assert_eq!(check_input(&lts, &array("x", 0)), Err(InputError::NotArray("x".into())));
    assert_eq!(check_input(&lts, &array("b", 0)), Err(InputError::Initialised("b".into())));
    assert_eq!(check_input(&lts, &array("a", 2)), Ok(()));
    let outside = InputError::NoElement { array: "a".into(), index: 3.into(), length: 3.into() };
    assert_eq!(check_input(&lts, &array("a", 3)), Err(outside.clone()));
    assert_eq!(outside.to_string(), "`a` has 3 elements, so there is none at index 3");
}

#[test]
fn inputs_lie_in_their_ranges() {
    let mut lts = countdown();
    let range = crate::logic::IntRange::of_bits(8, true);
    (lts.variables[0].range, lts.arrays[0].range) = (Some(range), Some(range));
    assert_eq!(check_input(&lts, &input(127, &[500])), Ok(()));
    let outside = check_input(&lts, &input(128, &[])).expect_err("x is too large");
    assert_eq!(outside.to_string(), "`x` cannot be 128: its type has the values from -128 to 127");
    for contents in [
        ArrayInput { elements: SortedMap::from([(0.into(), (-129).into())]), ..ArrayInput::default() },
        ArrayInput { default: (-129).into(), ..ArrayInput::default() },
    ] {
        let given = Input { arrays: SortedMap::from([("a".into(), contents)]), ..Input::default() };
        assert_eq!(check_input(&lts, &given), Err(InputError::OutsideRange { name: "a".into(), value: (-129).into(), range }));
    }
}

/// `printf("x = %d, %d\n", values)`.
fn print(values: [Expr; 2]) -> Print {
    let [a, b] = values.map(|value| PrintPiece::Value(value, Conversion::default()));
    let text = |text: &str| PrintPiece::Text(text.to_owned());
    Print { pieces: vec![text("x = "), a, text(", "), b, text("\n")], span: Span::default() }
}

#[test]
fn prints_after_the_label_and_before_the_value() {
    let mut lts = single(Label::Assign(X, Expr::nondet(None)));
    lts.at_entry.prints = vec![print([Expr::nondet(None), var(X)])];
    lts.graph[EdgeId::new(0)].prints = vec![print([Expr::nondet(None), var(X)])];
    lts.graph[EdgeId::new(0)].returns = Some(Expr::nondet(None));
    let mut output = Output::default();
    let finished = Machine::new(&lts).watch(&input(5, &[10, 20, 30, 40]), 9, &mut output);
    assert_eq!((finished.outcome, finished.value, finished.nondet_used), (Outcome::Returned, Some(40.into()), 4));
    assert_eq!(String::from_utf8_lossy(&output.bytes), "x = 10, 5\nx = 30, 20\n");
    // Values are drawn whether or not the run's watcher reads the output.
    assert_eq!(run(&lts, &input(5, &[10, 20, 30, 40]), 9).value, Some(40.into()));
    // Nothing of a call is printed where one of its values is undefined, but what was printed before is.
    lts.graph[EdgeId::new(0)].prints.push(print([var(X), binary(BinaryOp::Div, int(1), int(0))]));
    let mut output = Output::default();
    let stopped = Machine::new(&lts).watch(&input(5, &[10, 20, 30, 40]), 9, &mut output);
    assert_eq!((stopped.outcome, stopped.stopped_before), (Outcome::Undefined(Undefined::DivisionByZero), Some(EdgeId::new(0))));
    assert_eq!(String::from_utf8_lossy(&output.bytes), "x = 10, 5\nx = 30, 20\n");
    lts.at_entry.prints = lts.graph[EdgeId::new(0)].prints.split_off(1);
    let stopped = run(&lts, &input(5, &[]), 9);
    assert_eq!((stopped.outcome, stopped.stopped_before), (Outcome::Undefined(Undefined::DivisionByZero), None));
}

#[test]
fn output_is_bounded() {
    let mut lts = lts(3, vec![(0, 0, Label::Skip)]);
    lts.graph[EdgeId::new(0)].prints = vec![print([int(1), int(2)])];
    let machine = Machine::new(&lts);
    for (steps, bytes, cut) in [(10, 90, false), (116_508, 116_508 * 9, false), (116_509, MAX_OUTPUT, true), (120_000, MAX_OUTPUT, true)] {
        let mut output = Output::default();
        machine.watch(&input(0, &[]), steps, &mut output);
        assert_eq!((output.bytes.len(), output.cut), (bytes, cut));
    }
}
