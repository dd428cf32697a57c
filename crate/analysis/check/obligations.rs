//! What the claims of an evidence file have to show, for other solvers: each obligation as an SMT-LIB 2 file that must be unsatisfiable.
//!
//! The formulas are those that the check derives from the program's text and the claim; of certificates it reads only what a claim of that
//! kind needs to say what it shows. Claims of inputs have no obligation, as they are replayed.

use crate::evidence::Evidence;
use crate::evidence::check::{assumed, judge_claim, open, world};
use crate::export::{Exported, ExportedFile};
use crate::interp::Machine;
use crate::smtlib::{Verdict, query};

/// The files of all claims that a derivation is found for; notes say of which claims there is none.
///
/// # Errors
/// What is wrong with the program of the file.
pub fn exported(evidence: &Evidence) -> Result<Exported, String> {
    let opened = open(evidence).map_err(|_| "the program of the evidence cannot be read".to_owned())?;
    if let Some(reason) = opened.unknown {
        return Err(reason);
    }
    let base = &opened.loaded.base;
    let mut found = Exported::default();
    for (number, claim) in (1..).zip(&evidence.claims).filter(|(_, claim)| !claim.is_run()) {
        let derived = assumed(claim).and_then(|assumed| {
            let lts = world(base, claim, assumed);
            let mut obligation = 0;
            judge_claim(&lts, &Machine::deep(&lts), claim, &mut |pool, formulas, _| {
                obligation += 1;
                let name = format!("{number:05}-{}-{}-{obligation}.smt2", claim.statement.kind(), named(&claim.id));
                found.files.push(ExportedFile { name, text: query(pool, formulas, Verdict::Unsat) });
                Ok(())
            })
        });
        if let Err(reason) = derived {
            found.notes.push(format!("{}: not all of its obligations are written: {reason}", claim.id));
        }
    }
    Ok(found)
}

/// A claim's name as a part of a file's name: a file from elsewhere may have any.
fn named(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect()
}
