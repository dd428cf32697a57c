//! Settings and document of `draw`.

use super::fate::DrawnFate;
use super::fate::Fate;
use crate::analysis::prune::report::graph_settings::PruneGraphSettings;
use crate::load::Loaded;
use crate::run::assumption_tracking::without;
use crate::view::{Call, Header, Input, document, written_view};
use serde::{Deserialize, Serialize};

/// What `draw` draws.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawSettings {
    /// The greatest number of edges.
    pub length: u32,
    /// How many paths.
    pub count: u32,
    /// Whether until so many feasible paths are found, which alone are kept.
    pub feasible_only: bool,
    /// Instead of all paths of the function: those of its graph pruned like this, under the precondition of these settings.
    pub pruned: Option<PruneGraphSettings>,
    /// What is assumed of the inputs where the graph is not pruned, as a condition in C.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub precondition: Option<String>,
}

/// `draw`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// How many complete paths there are to draw from, a decimal string.
    pub population: String,
    /// What it rests on that there is no other feasible path to draw, where the infeasible ones are not drawn from.
    pub assumes: Vec<String>,
    pub paths: Vec<DrawnPath>,
    /// Why fewer paths than asked for are there, or why some are open.
    pub open: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawnPath {
    pub edges: Vec<u32>,
    /// The line of each edge.
    pub lines: Vec<u32>,
    /// `true` with a replayed input, `false` with a checked certificate, `null` open.
    pub feasible: Option<bool>,
    /// For a feasible path: an input that takes it, replayed.
    pub input: Option<Input>,
    /// For an infeasible path: the index into `edges` of the first edge at which no input is left.
    pub dies_at: Option<u32>,
    /// For an infeasible path: the indices into `edges` of the constraints the certificate uses.
    pub core: Vec<u32>,
    /// For an open path: why.
    pub open: Option<String>,
    /// What the verdict rests on.
    pub assumes: Vec<String>,
    /// For a feasible path: the calls since the program's start that leave the statics as the input has them.
    pub after: Vec<Call>,
    /// For an open path: values of statics with which a run takes it, where no calls are known to leave these.
    pub state: Option<Input>,
}

/// An event of its own.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PathEvent {
    /// A drawn path got its verdict.
    Path { index: u32, path: DrawnPath },
}

document!(DrawDocument);

impl DrawnPath {
    pub(super) fn of(loaded: &Loaded, drawn: &DrawnFate) -> DrawnPath {
        let Loaded { lts, lines, .. } = loaded;
        let mut view = DrawnPath {
            edges: drawn.path.iter().map(|edge| edge.index() as u32).collect(),
            lines: drawn.path.iter().map(|&edge| lines.line(lts.graph[edge].span.start)).collect(),
            feasible: None,
            input: None,
            dies_at: None,
            core: Vec::new(),
            open: None,
            assumes: Vec::new(),
            after: drawn.after.clone(),
            state: drawn.state.as_ref().map(|needed| needed.state.clone()),
        };
        if let Some(needed) = &drawn.state {
            view.open = Some(needed.why());
            return view;
        }
        if let Some(why) = without(drawn.needs.missing) {
            view.open = Some(format!("infeasible: {why}"));
            return view;
        }
        view.assumes = drawn.needs.all.ids();
        match &drawn.fate {
            Fate::Feasible(input) => {
                view.feasible = Some(true);
                view.input = Some(written_view(lts, input));
            }
            Fate::Infeasible { dies_at, core } => {
                view.feasible = Some(false);
                view.dies_at = Some(*dies_at as u32);
                view.core = core.iter().map(|&index| index as u32).collect();
            }
            Fate::Open(reason) => view.open = Some(reason.to_string()),
        }
        view
    }
}
