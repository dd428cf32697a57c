//! Certificates in the file's form: writes them with a table of the terms they speak of, and reads them into a pool.

use crate::logic::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};
use crate::solver::certificate::{Axiom, Certificate, Line, LinearStep, Literal, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// A certificate with the terms it speaks of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Proof {
    pub terms: Vec<ProofTerm>,
    pub lines: Vec<ProofLine>,
}

impl Proof {
    /// About how many numbers its written form has.
    pub fn size(&self) -> u64 {
        let terms: usize = self.terms.iter().map(ProofTerm::size).sum();
        let rule = |rule: &ProofRule| match rule {
            ProofRule::Derived(lines) => lines.len(),
            ProofRule::Linear(steps) => {
                steps.iter().map(|step| if let Derivation::Combine(parts) = step { 2 * parts.len() } else { 2 }).sum()
            }
            _ => 2,
        };
        (terms + self.lines.iter().map(|line| line.clause.len() + rule(&line.by)).sum::<usize>()) as u64
    }
}

impl ProofTerm {
    /// About how many numbers its written form has.
    pub(super) fn size(&self) -> usize {
        let sum = |sum: &Sum| 1 + 2 * sum.1.len();
        match self {
            ProofTerm::Select(_, index) => 1 + sum(index),
            ProofTerm::Product(a, b)
            | ProofTerm::Quotient(a, b)
            | ProofTerm::Remainder(a, b)
            | ProofTerm::BitAnd(a, b)
            | ProofTerm::Store(_, a, b) => sum(a) + sum(b),
            ProofTerm::Le(term) | ProofTerm::Eq(term) => sum(term),
            ProofTerm::And(parts) | ProofTerm::Or(parts) => 1 + parts.len(),
            _ => 1,
        }
    }
}

/// `[constant, [coefficient, atom], …]`: the constant, then the terms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sum(pub String, pub Vec<(String, u32)>);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofTerm {
    Symbol(String),
    Select(u32, Sum),
    Product(Sum, Sum),
    Quotient(Sum, Sum),
    Remainder(Sum, Sum),
    BitAnd(Sum, Sum),
    Truth(u32),
    Array(String),
    Constant(String),
    Store(u32, Sum, Sum),
    True,
    False,
    Le(Sum),
    Eq(Sum),
    Bool(String),
    Not(u32),
    And(Vec<u32>),
    Or(Vec<u32>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofLine {
    pub clause: Vec<i64>,
    pub by: ProofRule,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofRule {
    Definition(u32),
    ReadHit(u32),
    ReadMiss(u32),
    ReadCongruence(u32, u32),
    TruthValue(u32),
    Division(u32),
    Expansion(u32),
    Secant(u32, String),
    ProductValue(u32, String),
    Tangent(u32, String, String),
    QuotientByTerm(u32),
    AndBound(u32),
    AndWidth(u32, u32),
    AndSplit(u32, u32),
    Linear(Vec<Derivation>),
    Derived(Vec<u32>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Derivation {
    Literal(i64),
    Opposite(i64),
    Combine(Vec<(u32, String)>),
    Divide(u32, String),
}

/// Writes certificates down.
pub(super) struct ProofWriter<'a> {
    pool: &'a Pool,
    pub(super) terms: Vec<ProofTerm>,
    atoms: FxHashMap<AtomId, u32>,
    arrays: FxHashMap<ArrayTermId, u32>,
    formulas: FxHashMap<FormulaId, u32>,
}

/// A certificate in the file's form.
pub fn write(pool: &Pool, certificate: &Certificate) -> Proof {
    let mut writer = ProofWriter::new(pool);
    let lines = certificate.lines.iter().map(|line| writer.line(line)).collect();
    Proof { terms: writer.terms, lines }
}

impl<'a> ProofWriter<'a> {
    pub(super) fn new(pool: &'a Pool) -> ProofWriter<'a> {
        ProofWriter { pool, terms: Vec::new(), atoms: FxHashMap::default(), arrays: FxHashMap::default(), formulas: FxHashMap::default() }
    }

    /// A sum; writes its atoms first.
    pub(super) fn sum(&mut self, sum: &Linear) -> Sum {
        let terms = sum.terms().iter().map(|(atom, c)| (c.to_string(), self.atom(*atom))).collect();
        Sum(sum.offset().to_string(), terms)
    }

    fn line(&mut self, line: &Line) -> ProofLine {
        let clause = line.clause.iter().map(|&literal| self.literal(literal)).collect();
        let by = match &line.step {
            Step::Definition(formula) => ProofRule::Definition(self.formula(*formula)),
            Step::Theory(axiom) => match axiom {
                Axiom::ReadHit(atom) => ProofRule::ReadHit(self.atom(*atom)),
                Axiom::ReadMiss(atom) => ProofRule::ReadMiss(self.atom(*atom)),
                Axiom::ReadCongruence(a, b) => ProofRule::ReadCongruence(self.atom(*a), self.atom(*b)),
                Axiom::Truth(atom) => ProofRule::TruthValue(self.atom(*atom)),
                Axiom::Division(atom) => ProofRule::Division(self.atom(*atom)),
                Axiom::Expansion(atom) => ProofRule::Expansion(self.atom(*atom)),
                Axiom::Secant(atom, a) => ProofRule::Secant(self.atom(*atom), a.to_string()),
                Axiom::ProductValue(atom, a) => ProofRule::ProductValue(self.atom(*atom), a.to_string()),
                Axiom::Tangent(atom, a, b) => ProofRule::Tangent(self.atom(*atom), a.to_string(), b.to_string()),
                Axiom::QuotientByTerm(atom) => ProofRule::QuotientByTerm(self.atom(*atom)),
                Axiom::AndBound(atom) => ProofRule::AndBound(self.atom(*atom)),
                Axiom::AndWidth(atom, bits) => ProofRule::AndWidth(self.atom(*atom), *bits),
                Axiom::AndSplit(atom, bits) => ProofRule::AndSplit(self.atom(*atom), *bits),
            },
            Step::Linear(steps) => ProofRule::Linear(
                steps
                    .iter()
                    .map(|step| match step {
                        LinearStep::Literal(literal) => Derivation::Literal(self.literal(*literal)),
                        LinearStep::Opposite(literal) => Derivation::Opposite(self.literal(*literal)),
                        LinearStep::Combine(parts) => {
                            Derivation::Combine(parts.iter().map(|(line, factor)| (*line, factor.to_string())).collect())
                        }
                        LinearStep::Divide(line, divisor) => Derivation::Divide(*line, divisor.to_string()),
                    })
                    .collect(),
            ),
            Step::Derived(lines) => ProofRule::Derived(lines.clone()),
        };
        ProofLine { clause, by }
    }

    fn literal(&mut self, literal: Literal) -> i64 {
        let index = i64::from(self.formula(literal.formula)) + 1;
        if literal.positive { index } else { -index }
    }

    fn push(&mut self, term: ProofTerm) -> u32 {
        self.terms.push(term);
        self.terms.len() as u32 - 1
    }

    pub(super) fn atom(&mut self, id: AtomId) -> u32 {
        self.write(PoolEntry::Atom(id))
    }

    pub(super) fn formula(&mut self, id: FormulaId) -> u32 {
        self.write(PoolEntry::Formula(id))
    }

    fn position_of(&self, entry: PoolEntry) -> Option<u32> {
        match entry {
            PoolEntry::Atom(id) => self.atoms.get(&id).copied(),
            PoolEntry::Array(id) => self.arrays.get(&id).copied(),
            PoolEntry::Formula(id) => self.formulas.get(&id).copied(),
        }
    }

    /// Writes down a term after all that it refers to, without recursion: terms may be thousands of levels deep.
    pub(super) fn write(&mut self, root: PoolEntry) -> u32 {
        let mut waiting = vec![root];
        while let Some(&entry) = waiting.last() {
            if self.position_of(entry).is_some() {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            // Backwards on the stack, so that the parts come off it in their order.
            waiting.extend(self.parts(entry).into_iter().rev().filter(|&part| self.position_of(part).is_none()));
            if waiting.len() > before {
                continue;
            }
            waiting.pop();
            let term = self.term(entry);
            let index = self.push(term);
            match entry {
                PoolEntry::Atom(id) => self.atoms.insert(id, index),
                PoolEntry::Array(id) => self.arrays.insert(id, index),
                PoolEntry::Formula(id) => self.formulas.insert(id, index),
            };
        }
        self.position_of(root).unwrap_or_default()
    }

    /// The entries that a term refers to.
    fn parts(&self, entry: PoolEntry) -> Vec<PoolEntry> {
        let atoms =
            |terms: &[&Linear]| terms.iter().flat_map(|term| term.terms()).map(|(atom, _)| PoolEntry::Atom(*atom)).collect::<Vec<_>>();
        match entry {
            PoolEntry::Atom(id) => match self.pool.atom(id) {
                Atom::Symbol(_) => Vec::new(),
                Atom::Select(array, index) => [vec![PoolEntry::Array(*array)], atoms(&[index])].concat(),
                Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => atoms(&[l, r]),
                Atom::Truth(formula) => vec![PoolEntry::Formula(*formula)],
            },
            PoolEntry::Array(id) => match self.pool.array(id) {
                ArrayTerm::Symbol(_) | ArrayTerm::Constant(_) => Vec::new(),
                ArrayTerm::Store(inner, index, value) => [vec![PoolEntry::Array(*inner)], atoms(&[index, value])].concat(),
            },
            PoolEntry::Formula(id) => match self.pool.formula(id) {
                Formula::True | Formula::False | Formula::Bool(_) => Vec::new(),
                Formula::Le(term) | Formula::Eq(term) => atoms(&[term]),
                Formula::Not(inner) => vec![PoolEntry::Formula(*inner)],
                Formula::And(parts) | Formula::Or(parts) => parts.iter().map(|&part| PoolEntry::Formula(part)).collect(),
            },
        }
    }

    /// The file's form of a term; all its parts have been written.
    fn term(&self, entry: PoolEntry) -> ProofTerm {
        let position = |entry| self.position_of(entry).expect("parts come first");
        let sum = |term: &Linear| {
            let terms = term.terms().iter().map(|(atom, c)| (c.to_string(), position(PoolEntry::Atom(*atom))));
            Sum(term.offset().to_string(), terms.collect())
        };
        let name = |symbol| self.pool.symbol_name(symbol).to_owned();
        match entry {
            PoolEntry::Atom(id) => match self.pool.atom(id) {
                Atom::Symbol(symbol) => ProofTerm::Symbol(name(*symbol)),
                Atom::Select(array, index) => ProofTerm::Select(position(PoolEntry::Array(*array)), sum(index)),
                Atom::Product(l, r) => ProofTerm::Product(sum(l), sum(r)),
                Atom::BitAnd(l, r) => ProofTerm::BitAnd(sum(l), sum(r)),
                Atom::DivTrunc(l, r) => ProofTerm::Quotient(sum(l), sum(r)),
                Atom::RemTrunc(l, r) => ProofTerm::Remainder(sum(l), sum(r)),
                Atom::Truth(formula) => ProofTerm::Truth(position(PoolEntry::Formula(*formula))),
            },
            PoolEntry::Array(id) => match self.pool.array(id) {
                ArrayTerm::Symbol(symbol) => ProofTerm::Array(name(*symbol)),
                ArrayTerm::Constant(value) => ProofTerm::Constant(value.to_string()),
                ArrayTerm::Store(inner, index, value) => ProofTerm::Store(position(PoolEntry::Array(*inner)), sum(index), sum(value)),
            },
            PoolEntry::Formula(id) => match self.pool.formula(id) {
                Formula::True => ProofTerm::True,
                Formula::False => ProofTerm::False,
                Formula::Le(term) => ProofTerm::Le(sum(term)),
                Formula::Eq(term) => ProofTerm::Eq(sum(term)),
                Formula::Bool(symbol) => ProofTerm::Bool(name(*symbol)),
                Formula::Not(inner) => ProofTerm::Not(position(PoolEntry::Formula(*inner))),
                Formula::And(parts) => ProofTerm::And(parts.iter().map(|&part| position(PoolEntry::Formula(part))).collect()),
                Formula::Or(parts) => ProofTerm::Or(parts.iter().map(|&part| position(PoolEntry::Formula(part))).collect()),
            },
        }
    }
}

/// What an entry of the table is in a pool.
#[derive(Clone, Copy)]
pub(super) enum PoolEntry {
    Atom(AtomId),
    Array(ArrayTermId),
    Formula(FormulaId),
}

/// Reads a certificate into a pool, which gets its terms.
///
/// # Errors
/// What is malformed: an index beyond the entries so far, a string that is no number, a term not in normal form.
pub fn read(pool: &mut Pool, proof: &Proof) -> Result<Certificate, String> {
    let mut reader = ProofReader::new(pool, proof.terms.len());
    for (index, term) in proof.terms.iter().enumerate() {
        reader.add(term).map_err(|reason| format!("term {index}: {reason}"))?;
    }
    let lines = proof.lines.iter().enumerate();
    let lines = lines.map(|(index, line)| reader.line(line).map_err(|reason| format!("line {index}: {reason}")));
    Ok(Certificate { lines: lines.collect::<Result<_, _>>()? })
}

pub(super) struct ProofReader<'a> {
    pool: &'a mut Pool,
    entries: Vec<PoolEntry>,
    /// Entries that this pool has the other way round, since its atoms stand in another order: equalities of the negated sum,
    /// products with their factors exchanged. The reader turns round what the lines say about these, too.
    turned: FxHashSet<u32>,
}

/// The entry that a literal speaks of.
fn entry_of(literal: i64) -> u32 {
    u32::try_from(literal.unsigned_abs().saturating_sub(1)).unwrap_or(u32::MAX)
}

pub(super) fn number(text: &str) -> Result<Int, String> {
    Int::parse(text).ok_or_else(|| format!("`{text}` is not an integer"))
}

impl<'a> ProofReader<'a> {
    pub(super) fn new(pool: &'a mut Pool, length: usize) -> ProofReader<'a> {
        ProofReader { pool, entries: Vec::with_capacity(length), turned: FxHashSet::default() }
    }

    /// Reads the next entry.
    pub(super) fn add(&mut self, term: &ProofTerm) -> Result<(), String> {
        let entry = self.entry(term)?;
        let turned = match (term, entry) {
            (ProofTerm::Eq(sum), PoolEntry::Formula(formula)) => {
                let sum = self.sum(sum)?;
                matches!(self.pool.formula(formula), Formula::Eq(kept) if *kept != sum)
            }
            (ProofTerm::Product(l, r), PoolEntry::Atom(atom)) => {
                let (l, r) = (self.sum(l)?, self.sum(r)?);
                matches!(self.pool.atom(atom), Atom::Product(x, y) if (x, y) != (&l, &r))
            }
            _ => false,
        };
        if turned {
            self.turned.insert(self.entries.len() as u32);
        }
        self.entries.push(entry);
        Ok(())
    }

    fn is_turned(&self, index: u32) -> bool {
        self.turned.contains(&index)
    }

    fn get(&self, index: u32) -> Result<PoolEntry, String> {
        self.entries.get(index as usize).copied().ok_or_else(|| format!("there is no entry {index} before this"))
    }

    pub(super) fn atom(&self, index: u32) -> Result<AtomId, String> {
        match self.get(index)? {
            PoolEntry::Atom(atom) => Ok(atom),
            _ => Err(format!("entry {index} is not an integer atom")),
        }
    }

    pub(super) fn array(&self, index: u32) -> Result<ArrayTermId, String> {
        match self.get(index)? {
            PoolEntry::Array(array) => Ok(array),
            _ => Err(format!("entry {index} is not an array")),
        }
    }

    pub(super) fn formula(&self, index: u32) -> Result<FormulaId, String> {
        match self.get(index)? {
            PoolEntry::Formula(formula) => Ok(formula),
            _ => Err(format!("entry {index} is not a formula")),
        }
    }

    pub(super) fn sum(&self, sum: &Sum) -> Result<Linear, String> {
        let terms = sum.1.iter().map(|(factor, atom)| Ok((self.atom(*atom)?, number(factor)?)));
        Ok(Linear::new(terms.collect::<Result<_, String>>()?, number(&sum.0)?))
    }

    fn entry(&mut self, term: &ProofTerm) -> Result<PoolEntry, String> {
        let formulas = |reader: &Self, parts: &[u32]| parts.iter().map(|&part| reader.formula(part)).collect::<Result<Vec<_>, _>>();
        let integer = match term {
            ProofTerm::Symbol(name) => self.pool.integer(name),
            ProofTerm::Select(array, index) => {
                let (array, index) = (self.array(*array)?, self.sum(index)?);
                self.pool.select(array, &index)
            }
            ProofTerm::Product(l, r) => {
                let (l, r) = (self.sum(l)?, self.sum(r)?);
                self.pool.product(&l, &r)
            }
            ProofTerm::BitAnd(l, r) => {
                let (l, r) = (self.sum(l)?, self.sum(r)?);
                self.pool.bit_and(&l, &r)
            }
            ProofTerm::Quotient(n, d) | ProofTerm::Remainder(n, d) => {
                let (n, d) = (self.sum(n)?, self.sum(d)?);
                let (quotient, remainder) = self.pool.div_rem_trunc(&n, &d).ok_or("a division by zero")?;
                if matches!(term, ProofTerm::Quotient(..)) { quotient } else { remainder }
            }
            ProofTerm::Truth(formula) => {
                let formula = self.formula(*formula)?;
                self.pool.truth(formula)
            }
            ProofTerm::Array(name) => return Ok(PoolEntry::Array(self.pool.array_symbol(name))),
            ProofTerm::Constant(value) => return Ok(PoolEntry::Array(self.pool.constant_array(number(value)?))),
            ProofTerm::Store(array, index, value) => {
                let (array, index, value) = (self.array(*array)?, self.sum(index)?, self.sum(value)?);
                return Ok(PoolEntry::Array(self.pool.store(array, index, value)));
            }
            ProofTerm::True => return Ok(PoolEntry::Formula(Pool::TRUE)),
            ProofTerm::False => return Ok(PoolEntry::Formula(Pool::FALSE)),
            ProofTerm::Le(sum) => {
                let sum = self.sum(sum)?;
                return Ok(PoolEntry::Formula(self.pool.le(sum)));
            }
            ProofTerm::Eq(sum) => {
                let sum = self.sum(sum)?;
                return Ok(PoolEntry::Formula(self.pool.equal(&sum, &Linear::default())));
            }
            ProofTerm::Bool(name) => return Ok(PoolEntry::Formula(self.pool.boolean(name))),
            ProofTerm::Not(inner) => {
                let inner = self.formula(*inner)?;
                return Ok(PoolEntry::Formula(self.pool.not(inner)));
            }
            ProofTerm::And(parts) => {
                let parts = formulas(self, parts)?;
                return Ok(PoolEntry::Formula(self.pool.and(&parts)));
            }
            ProofTerm::Or(parts) => {
                let parts = formulas(self, parts)?;
                return Ok(PoolEntry::Formula(self.pool.or(&parts)));
            }
        };
        match integer.terms() {
            [(atom, factor)] if factor.is_one() && integer.offset().is_zero() => Ok(PoolEntry::Atom(*atom)),
            _ => Err("not in normal form".to_owned()),
        }
    }

    fn literal(&self, literal: i64) -> Result<Literal, String> {
        let index = u32::try_from(literal.unsigned_abs()).ok().and_then(|index| index.checked_sub(1)).ok_or("a literal is not 0")?;
        let formula = self.formula(index)?;
        let negated = literal < 0;
        Ok(match self.pool.formula(formula) {
            Formula::Not(inner) => Literal { formula: *inner, positive: negated },
            _ => Literal { formula, positive: !negated },
        })
    }

    fn line(&self, line: &ProofLine) -> Result<Line, String> {
        let clause = line.clause.iter().map(|&literal| self.literal(literal)).collect::<Result<_, _>>()?;
        let step = match &line.by {
            ProofRule::Definition(formula) => Step::Definition(self.formula(*formula)?),
            ProofRule::ReadHit(atom) => Step::Theory(Axiom::ReadHit(self.atom(*atom)?)),
            ProofRule::ReadMiss(atom) => Step::Theory(Axiom::ReadMiss(self.atom(*atom)?)),
            ProofRule::ReadCongruence(a, b) => Step::Theory(Axiom::ReadCongruence(self.atom(*a)?, self.atom(*b)?)),
            ProofRule::TruthValue(atom) => Step::Theory(Axiom::Truth(self.atom(*atom)?)),
            ProofRule::Division(atom) => Step::Theory(Axiom::Division(self.atom(*atom)?)),
            ProofRule::Expansion(atom) => Step::Theory(Axiom::Expansion(self.atom(*atom)?)),
            ProofRule::Secant(atom, a) => Step::Theory(Axiom::Secant(self.atom(*atom)?, number(a)?)),
            ProofRule::ProductValue(atom, a) => Step::Theory(Axiom::ProductValue(self.atom(*atom)?, number(a)?)),
            ProofRule::Tangent(atom, a, b) if self.is_turned(*atom) => {
                Step::Theory(Axiom::Tangent(self.atom(*atom)?, number(b)?, number(a)?))
            }
            ProofRule::Tangent(atom, a, b) => Step::Theory(Axiom::Tangent(self.atom(*atom)?, number(a)?, number(b)?)),
            ProofRule::QuotientByTerm(atom) => Step::Theory(Axiom::QuotientByTerm(self.atom(*atom)?)),
            ProofRule::AndBound(atom) => Step::Theory(Axiom::AndBound(self.atom(*atom)?)),
            ProofRule::AndWidth(atom, bits) => Step::Theory(Axiom::AndWidth(self.atom(*atom)?, *bits)),
            ProofRule::AndSplit(atom, bits) => Step::Theory(Axiom::AndSplit(self.atom(*atom)?, *bits)),
            ProofRule::Linear(steps) => Step::Linear(steps.iter().map(|step| self.derivation(step)).collect::<Result<_, _>>()?),
            ProofRule::Derived(lines) => Step::Derived(lines.clone()),
        };
        Ok(Line { clause, step })
    }

    fn derivation(&self, step: &Derivation) -> Result<LinearStep, String> {
        Ok(match step {
            Derivation::Literal(literal) if self.is_turned(entry_of(*literal)) => LinearStep::Opposite(self.literal(*literal)?),
            Derivation::Opposite(literal) if self.is_turned(entry_of(*literal)) => LinearStep::Literal(self.literal(*literal)?),
            Derivation::Literal(literal) => LinearStep::Literal(self.literal(*literal)?),
            Derivation::Opposite(literal) => LinearStep::Opposite(self.literal(*literal)?),
            Derivation::Combine(parts) => {
                let parts = parts.iter().map(|(line, factor)| Ok((*line, number(factor)?)));
                LinearStep::Combine(parts.collect::<Result<_, String>>()?)
            }
            Derivation::Divide(line, divisor) => LinearStep::Divide(*line, number(divisor)?),
        })
    }
}
