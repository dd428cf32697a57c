//! Conditions for readers: their essential parts as text.

use crate::analysis::branches::method::type_ranges::{PARTS, TypeRanges};
use crate::logic::{Formula, FormulaId, Pool};
use crate::symex::written;

/// A longer text is cut off.
const LONGEST: usize = 600;

/// The condition as text, conjunctions in conjunctions without brackets.
pub fn text(types: &TypeRanges, pool: &Pool, condition: FormulaId) -> String {
    let Some(parts) = types.essential(pool, condition) else { return format!("(more than {PARTS} parts)") };
    let several = parts.len() > 1;
    let parts = parts.into_iter().map(|part| match pool.formula(part) {
        Formula::Or(_) if several => format!("({})", written(pool, part)),
        _ => written(pool, part),
    });
    let mut text = parts.collect::<Vec<_>>().join(" && ");
    if text.is_empty() {
        text = "true".to_owned();
    }
    if let Some((cut, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(cut);
        text += " …";
    }
    text
}
