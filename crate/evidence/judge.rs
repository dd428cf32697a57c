//! What judges the obligations of a claim: the check by certificates, or a listener that only collects them.

use crate::logic::{FormulaId, Pool};
use crate::solver::certificate::Certificate;
use crate::solver::check;

/// Takes each obligation of a claim as the check derives it: formulas that cannot hold together, and the claim's certificate for it. Its
/// error is why it does not believe that.
pub type Judge<'j> = &'j mut dyn FnMut(&Pool, &[FormulaId], &Certificate) -> Result<(), String>;

/// Believes what the certificate shows: see [`check::check`].
///
/// # Errors
/// Why the certificate does not show it.
pub fn by_certificate(pool: &Pool, formulas: &[FormulaId], certificate: &Certificate) -> Result<(), String> {
    check::check(pool, formulas, certificate)
}
