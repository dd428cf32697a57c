//! How often functions that call themselves are inlined, where a request does not say: as often as leaves the graph comfortable.
//!
//! All analyses, the graph that is shown and the commands have the same copies then.

use crate::lang::ast::Program;
use crate::lts::Lts;
use crate::lts::entry::calls_itself;
use crate::lts::lower::{INLINE_DEPTH, Lowered, Options, lower_with};
use crate::lts::nesting::LoopNesting;
use crate::lts::structure::Structure;
use crate::source::Diagnostic;

/// Functions that call themselves are inlined less deeply where the graph has more edges than this once its loops have [`ROUNDS`] rounds: it
/// grows with each level by a factor, and what deeper levels show is mostly the same.
pub const COMFORTABLE: usize = 2_000;
const ROUNDS: usize = 3;

/// A function that calls itself is inlined less deeply where its graph has more edges than this: its parameters may be what deeper calls get,
/// and what is proved of a shallow graph holds at every depth.
const EDGES: usize = 500;

/// Lowers the function of this name; with a depth where the request names one, else with the most of 1, 2, 4 … [`INLINE_DEPTH`] that leaves the
/// graph comfortable. Gives the depth, too.
///
/// # Errors
/// As [`lower_with`].
pub fn lower_to_depth(program: &Program, name: &str, options: &Options, requested: Option<u32>) -> Result<(Lowered, u32), Vec<Diagnostic>> {
    let at = |inline_depth| lower_with(program, Some(name), &Options { inline_depth, ..*options });
    if let Some(depth) = requested {
        return Ok((at(depth)?, depth));
    }
    let mut best = at(1)?;
    if best.lts.inline_depth.is_none() {
        return Ok((best, INLINE_DEPTH));
    }
    let mut depth = 1;
    while depth < INLINE_DEPTH {
        match at(2 * depth) {
            Ok(next) if is_comfortable(program, &next.lts) => (best, depth) = (next, 2 * depth),
            _ => break,
        }
    }
    Ok((best, depth))
}

fn is_comfortable(program: &Program, lts: &Lts) -> bool {
    let edges = lts.graph.edge_count();
    // The size with rounds is computed for small graphs alone.
    edges <= COMFORTABLE
        && (edges <= EDGES || !calls_itself(program, &lts.function))
        && LoopNesting::new(lts, &Structure::new(lts)).unwound_edges(lts, ROUNDS) <= COMFORTABLE
}
