//! Atoms with an eliminated symbol inside: each becomes a variable, with constraints that define it.

use super::{Case, ProjectionGoal, Projector};
use crate::logic::substitution::TermNode;
use crate::logic::{ArrayTerm, ArrayTermId, Atom, AtomId, FormulaId, Int, Linear, Pool};

/// For `c · rem(n, d) = 0`, the equality `n = d·q` with the quotient as a variable, which says the same without cases.
pub fn divisibility(pool: &mut Pool, case: &mut Case, term: &Linear) -> Option<Linear> {
    let [(atom, _)] = term.terms() else { return None };
    let Atom::RemTrunc(n, d) = pool.atom(*atom).clone() else { return None };
    let divisor = d.as_constant().filter(|_| term.offset().is_zero())?;
    let (quotient, _) = pool.div_rem_trunc(&n, &d)?;
    case.variables.extend(quotient.terms().iter().map(|part| part.0));
    Some(n.add_scaled(&quotient, &-divisor))
}

/// Makes the atom a variable of the case and adds its definition, or notes that there is none. Gives whether no
/// contradiction was seen.
pub fn define(projector: &mut Projector, pool: &mut Pool, case: &mut Case, atom: AtomId) -> bool {
    let this = Linear::atom(atom);
    case.variables.insert(atom);
    let definition = match pool.atom(atom).clone() {
        Atom::Truth(formula) => {
            let (one, zero) = (pool.equal(&this, &Linear::constant(1)), pool.equal(&this, &Linear::constant(0)));
            let not = pool.not(formula);
            let (holds, fails) = (pool.and(&[formula, one]), pool.and(&[not, zero]));
            Some(vec![pool.or(&[holds, fails])])
        }
        Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) => d.as_constant().cloned().and_then(|divisor| {
            // n = d·q + r with |r| < |d|, r between 0 and n.
            let (q, r) = pool.div_rem_trunc(&n, &d)?;
            case.variables.extend(q.terms().iter().chain(r.terms()).map(|part| part.0));
            let whole = pool.equal(&n, &q.scale(&divisor).add(&r));
            let limit = &divisor.abs() - &Int::ONE;
            let mut side = |sign: i64, least: i64| {
                let (n, r) = (n.scale(&Int::from(sign)), r.scale(&Int::from(sign)));
                let parts = [pool.at_most(&Linear::constant(least), &n), pool.le(r.neg()), pool.le(r.add_constant(&-&limit))];
                pool.and(&parts)
            };
            let (up, down) = (side(1, 0), side(-1, 1));
            Some(vec![whole, pool.or(&[up, down])])
        }),
        Atom::Select(array, index) => match pool.array(array).clone() {
            ArrayTerm::Store(inner, at, value) => {
                let same = pool.equal(&at, &index);
                let differs = pool.not(same);
                let below = pool.select(inner, &index);
                let (hit, miss) = (pool.equal(&this, &value), pool.equal(&this, &below));
                let (hit, miss) = (pool.and(&[same, hit]), pool.and(&[differs, miss]));
                Some(vec![pool.or(&[hit, miss])])
            }
            // An eliminated array: equal indices, equal elements.
            ArrayTerm::Symbol(_) if projector.mentions(pool, TermNode::Array(array)) => Some(congruences(pool, case, atom, array, &index)),
            ArrayTerm::Symbol(_) | ArrayTerm::Constant(_) => None,
        },
        Atom::Symbol(_) => Some(Vec::new()),
        Atom::Product(..) | Atom::BitAnd(..) => None,
    };
    match definition {
        Some(formulas) => projector.add(pool, case, formulas),
        None => {
            // Any value: over. Under: the case is not claimed.
            projector.inexact = true;
            projector.goal != ProjectionGoal::Under
        }
    }
}

/// With each earlier read of the same array: `i ≠ j` or the elements are the same.
fn congruences(pool: &mut Pool, case: &mut Case, atom: AtomId, array: ArrayTermId, index: &Linear) -> Vec<FormulaId> {
    let mut formulas = Vec::new();
    for (element, _, other_index) in case.reads.iter().filter(|(_, other, _)| *other == array) {
        let same = pool.equal(index, other_index);
        let differs = pool.not(same);
        let equal = pool.equal(&Linear::atom(atom), element);
        formulas.push(pool.or(&[differs, equal]));
    }
    case.reads.push((Linear::atom(atom), array, index.clone()));
    formulas
}
