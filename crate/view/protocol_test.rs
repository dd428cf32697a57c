//! `web/ui/protocol.ts` is made from the types and bounds of [`crate::view`], so the page cannot drift from the engine. This test
//! compares; `UPDATE=1 cargo test protocol` rewrites the file.

use super::*;
use ts_rs::{Config, TS};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/ui/protocol.ts");

/// Stands for the parameter of generic types; its name must be that of the parameter.
#[derive(TS)]
#[allow(dead_code)]
struct T;

fn declaration<Type: TS>(config: &Config) -> String {
    let docs = Type::docs().unwrap_or_default();
    format!("{}export {}\n\n", docs, Type::decl(config))
}

fn protocol() -> String {
    // No number of the boundary reaches 2^53: larger ones are decimal strings.
    let config = Config::new().with_large_int("number");
    let mut text = String::from(
        "// Made by crate/view/protocol_test.rs from crate/view.rs; do not edit: UPDATE=1 cargo test protocol.\n// Longer than other files, since all that crosses between page and engine stands in it.\n\n",
    );
    text += &format!("export const SCHEMA = {SCHEMA};\n\n");
    text += "/** The greatest values of settings. */\n";
    for (name, value) in [
        ("MAX_LENGTH", MAX_LENGTH),
        ("MAX_LOOKAHEAD", MAX_LOOKAHEAD),
        ("MAX_INSTRUCTIONS", MAX_INSTRUCTIONS),
        ("MAX_UNWIND", MAX_UNWIND),
        ("MAX_INLINE_DEPTH", MAX_INLINE_DEPTH),
        ("MAX_COMPARED_DIAMONDS", MAX_COMPARED_DIAMONDS),
        ("MAX_COMPARED_PROGRAMS", MAX_COMPARED_PROGRAMS),
        ("MAX_COMPARED_SEED", MAX_COMPARED_SEED),
    ] {
        text += &format!("export const {name} = {value};\n");
    }
    let limit = crate::analysis::prune::DEFAULT_LIMIT;
    text += &format!("\n/** Steps of a pruning to which no limit is given. */\nexport const PRUNE_LIMIT = {limit};\n\n");
    text += &format!(
        "/** How often a function is inlined within itself where nothing is said. */\nexport const INLINE_DEPTH = {INLINE_DEPTH};\n\n"
    );
    macro_rules! declare {
        ($($Type:ty),* $(,)?) => { $( text += &declaration::<$Type>(&config); )* };
    }
    declare!(
        Header,
        Ints,
        Statistics,
        SolverStatistics,
        Severity,
        TextPlace,
        Diagnostic,
        Related,
        Request,
        Reply<T>,
        CfgDocument,
        CfgLocation,
        EdgeKind,
        CfgEdge,
        InputName,
        PathsDocument,
        PathsRow,
        FeasibleBy,
        DrawDocument,
        DrawnPath,
        RunDocument,
        RunOutcome,
        RunVariable,
        RunStep,
        RunChange,
        RunBranch,
        PruneSettings,
        PruneDocument,
        PruneSize,
        PruneUsed,
        PruneRow,
        PruneGraph,
        PrunePlace,
        PruneEdge,
        RedSize,
        PruneStep,
        ExplainSettings,
        ExplainRoundSettings,
        ExplainDocument,
        ExplainFamily,
        ExplainStep,
        ExplainGeneralized,
        ExplainUnion,
        ExplainLength,
        ExplainTally,
        ExplainComparison,
        ExplainAutomaton,
        ExplainPath,
        ExplainRounds,
        ExplainRound,
        ExplainConstraint,
        ExplainReason,
        ExplainDependency,
        ExplainCorrection,
        CoverSettings,
        CoverDocument,
        CoverTest,
        CoverEnough,
        CoverError,
        CoverStatement,
        CoverReason,
        CoverSummaries,
        CoverSummary,
        CompareSettings,
        CompareDocument,
        ComparedRun,
        Input,
        InputValue,
        Number,
        Event,
        CheckDocument,
        CheckedKind,
        Rejected,
    );
    text.truncate(text.trim_end().len());
    text + "\n"
}

#[test]
fn the_page_speaks_the_engines_types() {
    let made = protocol();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &made).expect("web/ui/protocol.ts can be written");
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(committed == made, "web/ui/protocol.ts is out of date: UPDATE=1 cargo test protocol");
}
