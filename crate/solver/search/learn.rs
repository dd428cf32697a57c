//! Learning from conflicts, and walking back from a conflict to the assumptions.

use super::super::literal::{Lit, Var};
use super::{ACTIVITY_DECAY, ClauseId, ClauseOrigin, Falsified, LiteralReason, Search};

impl Search {
    /// The clause because of which the variable has its value; `None` for a decision.
    pub(super) fn reason_clause(&mut self, var: Var) -> Option<ClauseId> {
        match self.reason[var as usize] {
            LiteralReason::Decision => None,
            LiteralReason::Clause(id) => Some(id),
            LiteralReason::Bound(because) => {
                let implied = Lit::new(var, self.value(Lit::new(var, true)) == Some(true));
                if let Some(&id) = self.bound_lemmas.get(&(implied, because)) {
                    return Some(id);
                }
                let clause = self.lemma(self.clash(because, !implied));
                let id = self.clauses.len() as ClauseId;
                self.clauses.push(clause);
                self.bound_lemmas.insert((implied, because), id);
                Some(id)
            }
        }
    }

    /// The literals of a falsified clause and the highest level among them.
    pub fn conflict_level(&self, falsified: &Falsified) -> usize {
        self.falsified_lits(falsified).iter().map(|lit| self.level[lit.var() as usize]).max().unwrap_or(0) as usize
    }

    pub(super) fn falsified_lits<'a>(&'a self, falsified: &'a Falsified) -> &'a [Lit] {
        match falsified {
            Falsified::Clause(id) => &self.clauses[*id as usize].lits,
            Falsified::Lemma(clause) => &clause.lits,
        }
    }

    /// Resolves a falsified clause back to the first unique implication point of its level, goes back, and adds the
    /// clause learned. The conflict's level is above 0.
    pub fn learn(&mut self, falsified: Falsified) -> Result<ClauseId, Falsified> {
        debug_assert!(self.falsified_lits(&falsified).iter().all(|&lit| self.value(lit) == Some(false)), "the clause is false");
        let level = self.conflict_level(&falsified);
        self.backtrack(level);
        let start = match falsified {
            Falsified::Clause(id) => id,
            // It stays only as the ancestor of what the search learns from it: not watched.
            Falsified::Lemma(clause) => {
                self.clauses.push(clause);
                self.clauses.len() as ClauseId - 1
            }
        };
        let mut antecedents = vec![start];
        let mut learned: Vec<Lit> = Vec::new();
        let mut pending = 0;
        let mut at = self.trail.len();
        let mut marked: Vec<Var> = Vec::new();
        let mut current = start;
        let mut resolved: Option<Lit> = None;
        loop {
            for index in 0..self.clauses[current as usize].lits.len() {
                let lit = self.clauses[current as usize].lits[index];
                let var = lit.var() as usize;
                if Some(lit) == resolved || self.seen[var] {
                    continue;
                }
                self.seen[var] = true;
                marked.push(lit.var());
                match self.level[var] as usize {
                    0 => self.explain_root(lit.var(), &mut antecedents, &mut marked),
                    l if l == level => pending += 1,
                    _ => learned.push(lit),
                }
            }
            // The next marked literal of this level, latest first.
            loop {
                at -= 1;
                let var = self.trail[at].var() as usize;
                if self.seen[var] && self.level[var] as usize == level {
                    break;
                }
            }
            let lit = self.trail[at];
            pending -= 1;
            match if pending > 0 { self.reason_clause(lit.var()) } else { None } {
                Some(reason) => {
                    antecedents.push(reason);
                    current = reason;
                    resolved = Some(lit);
                }
                None => {
                    learned.push(!lit);
                    break;
                }
            }
        }
        self.minimise(&mut learned, &mut antecedents, &mut marked);
        for var in marked {
            self.seen[var as usize] = false;
            self.activity[var as usize] += self.bump;
        }
        self.bump /= ACTIVITY_DECAY;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        // Adding goes back by itself to where the clause is unit; to make its last literal free, leave its level first.
        let back = learned[..learned.len() - 1].iter().map(|lit| self.level[lit.var() as usize]).max().unwrap_or(0);
        let joined = self.decisions_joined(&learned);
        self.backtrack(back as usize);
        if learned.len() > 1 {
            self.learned.push((joined, self.clauses.len() as ClauseId));
        }
        self.add_clause(learned, ClauseOrigin::Learned(antecedents))
    }

    /// Leaves out literals that the others imply: all literals of their reason are among those resolved upon.
    pub(super) fn minimise(&mut self, learned: &mut Vec<Lit>, antecedents: &mut Vec<ClauseId>, marked: &mut Vec<Var>) {
        let Some(asserting) = learned.pop() else { return };
        let all = std::mem::take(learned);
        for lit in all {
            let reason = self.reason_clause(lit.var()).filter(|&reason| {
                let implied = |other: &Lit| other.var() == lit.var() || self.seen[other.var() as usize];
                self.clauses[reason as usize].lits.iter().all(implied)
            });
            match reason {
                Some(reason) => {
                    antecedents.push(reason);
                    // Literals fixed at level 0 are marked already, with their reasons.
                    marked.push(lit.var());
                }
                None => learned.push(lit),
            }
        }
        learned.push(asserting);
    }

    /// Of these literals, none false, the undecided one that took part in most conflicts; the first of equals.
    pub fn most_active(&self, lits: impl Iterator<Item = Lit>) -> Option<Lit> {
        let undecided = lits.filter(|&lit| self.value(lit).is_none());
        undecided.reduce(|best, lit| if self.activity[lit.var() as usize] > self.activity[best.var() as usize] { lit } else { best })
    }

    /// Adds the reasons of a literal that is fixed at level 0, all the way down.
    pub(super) fn explain_root(&mut self, var: Var, antecedents: &mut Vec<ClauseId>, marked: &mut Vec<Var>) {
        let mut stack = vec![var];
        while let Some(var) = stack.pop() {
            if let Some(reason) = self.reason_clause(var) {
                antecedents.push(reason);
                for lit in &self.clauses[reason as usize].lits {
                    if !self.seen[lit.var() as usize] {
                        self.seen[lit.var() as usize] = true;
                        marked.push(lit.var());
                        stack.push(lit.var());
                    }
                }
            }
        }
    }

    /// The assumptions that make all these literals false, and the clauses that show it.
    pub fn trace_back(&mut self, false_lits: &[Lit]) -> (Vec<Lit>, Vec<ClauseId>) {
        let mut core = Vec::new();
        let mut used = Vec::new();
        let mut marked: Vec<Var> = Vec::new();
        let mut stack: Vec<Var> = false_lits.iter().map(|lit| lit.var()).collect();
        while let Some(var) = stack.pop() {
            if std::mem::replace(&mut self.seen[var as usize], true) {
                continue;
            }
            marked.push(var);
            match self.reason_clause(var) {
                Some(reason) => {
                    used.push(reason);
                    stack.extend(self.clauses[reason as usize].lits.iter().map(|lit| lit.var()));
                }
                None => core.push(Lit::new(var, self.value(Lit::new(var, true)) == Some(true))),
            }
        }
        for var in marked {
            self.seen[var as usize] = false;
        }
        (core, used)
    }
}
