//! How steps grow with the program and with the length: by counts, never by times.

use crate::common::lower;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, cover};
use culdesac::analysis::{Listener, Silent, Trace};
use culdesac::counting::{Feasible, Table, table};
use culdesac::solver::meter::Meter;
use culdesac::view::{Reply, Request};

const SUBSTRING: &str = include_str!("../../../examples/substring.c");

fn covered(source: String) -> CoverDocument {
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    match cover(&Request { source, ..Request::default() }, &settings, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

/// `y = y + 1` cannot overflow in so short a row: interval arithmetic sees it, and no question looks for it.
#[test]
fn a_row_of_decisions_is_covered_by_few_questions() {
    let row = |n: u32| {
        let decisions: String = (0..n).map(|i| format!("if (x > {i}) y = y + 1;\n")).collect();
        covered(format!("int f(int x) {{ int y = 0;\n{decisions} return y; }}"))
    };
    let [small, large] = [row(100), row(400)];
    assert_eq!((small.covered, large.covered), (small.statements, large.statements));
    assert_eq!([small.header.statistics.solver.queries, large.header.statistics.solver.queries], [2, 2]);
    let [few, many] = [small.header.statistics.steps, large.header.statistics.steps];
    assert!(many < 8 * few, "{few} steps, {many} for four times as many decisions");
}

fn counted(lengths: &[u32], limit: u64) -> (Table, u64) {
    let lts = lower(SUBSTRING);
    let mut meter = Meter::new(limit);
    let found = table(&lts, lengths, true, &mut meter, &Trace::new(&mut Silent));
    (found, meter.used())
}

#[test]
fn what_merging_reached_stays_when_the_steps_end() {
    let (cut, _) = counted(&[100], 250_000);
    let reached = cut.reached.expect("not all of it");
    let [shorter, asked] = &cut.rows[..] else { panic!("{:?}", cut.rows) };
    assert_eq!((shorter.length, asked.length), (reached, 100));
    let Some(Feasible::Exactly(count)) = &shorter.feasible else { panic!("{shorter:?}") };
    assert!(matches!(&asked.feasible, Some(Feasible::AtLeast(least, _)) if least == count), "{asked:?}");
    // The same as with the default.
    let (whole, _) = counted(&[reached], 100_000_000);
    assert_eq!((&whole.rows[0].feasible, &whole.rows[0].total), (&shorter.feasible, &shorter.total));
}

#[test]
fn twice_the_length_costs_less_than_sixteen_times_the_steps() {
    let [(short, few), (long, many)] = [counted(&[50], 100_000_000), counted(&[100], 100_000_000)];
    assert_eq!(short.rows[0].feasible, Some(Feasible::Exactly(2_108u32.into())));
    assert_eq!(long.rows[0].feasible, Some(Feasible::Exactly(4_057_068u32.into())));
    assert!(many < 16 * few, "{few} steps, {many} for twice the length");
}
