//! Regular expressions by state elimination, for people: shared beginnings and ends stand once, a loop that every word
//! passes keeps its first round (`11t 12 (11t 12)*`), alternatives stand in the order of their text.
//!
//! The state with the fewest new pairs goes next (incoming times outgoing, weighted by the lengths of the texts), which
//! keeps the expression short (M. Delgado and J. Morais, *Approximation to the Smallest Regular Expression for a
//! Given Regular Language*, 2004).

use super::{Automaton, Letter};
use crate::logic::{Arrange, SortedMap};

/// A regular expression over letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regex {
    Letter(Letter),
    /// At least two parts, none a sequence; the empty sequence is the empty word.
    Sequence(Vec<Regex>),
    /// At least two parts, none a choice.
    Choice(Vec<Regex>),
    Star(Box<Regex>),
}

/// An expression has at most so many parts.
pub const MAX_PARTS: usize = 5_000;

impl Regex {
    fn empty() -> Regex {
        Regex::Sequence(Vec::new())
    }

    fn is_empty_word(&self) -> bool {
        matches!(self, Regex::Sequence(parts) if parts.is_empty())
    }

    fn parts(self) -> Vec<Regex> {
        match self {
            Regex::Sequence(parts) => parts,
            other => vec![other],
        }
    }

    fn size(&self) -> usize {
        match self {
            Regex::Letter(_) => 1,
            Regex::Sequence(parts) | Regex::Choice(parts) => 1 + parts.iter().map(Regex::size).sum::<usize>(),
            Regex::Star(inner) => 1 + inner.size(),
        }
    }

    fn sequence(parts: Vec<Regex>) -> Regex {
        let mut flat: Vec<Regex> = parts.into_iter().flat_map(Regex::parts).collect();
        if flat.len() == 1 { flat.swap_remove(0) } else { Regex::Sequence(flat) }
    }

    fn star(inner: Regex) -> Regex {
        match inner {
            _ if inner.is_empty_word() => inner,
            Regex::Star(_) => inner,
            // (ε | a)* = a*
            Regex::Choice(parts) => {
                let kept: Vec<Regex> = parts.into_iter().filter(|part| !part.is_empty_word()).collect();
                let inner = if kept.len() == 1 { kept.into_iter().next().unwrap_or_else(Regex::empty) } else { Regex::Choice(kept) };
                Regex::Star(Box::new(inner))
            }
            _ => Regex::Star(Box::new(inner)),
        }
    }

    /// One or the other; what they share at the beginning and at the end stands once.
    fn either(a: Regex, b: Regex) -> Regex {
        if a == b {
            return a;
        }
        let mut alternatives: Vec<Regex> = [a, b]
            .into_iter()
            .flat_map(|part| match part {
                Regex::Choice(parts) => parts,
                other => vec![other],
            })
            .collect();
        alternatives.arrange();
        alternatives.dedup();
        // ε | a a* = a*
        if let [first, second] = &alternatives[..]
            && first.is_empty_word()
            && let Regex::Sequence(parts) = second
            && let [body @ .., Regex::Star(inner)] = &parts[..]
            && **inner == Regex::sequence(body.to_vec())
        {
            return Regex::Star(inner.clone());
        }
        let lists: Vec<Vec<Regex>> = alternatives.iter().cloned().map(Regex::parts).collect();
        let shared = |at: &dyn Fn(&[Regex], usize) -> Option<Regex>| {
            (0..).take_while(|&i| at(&lists[0], i).is_some_and(|part| lists.iter().all(|list| at(list, i).as_ref() == Some(&part)))).count()
        };
        let front = shared(&|list, i| list.get(i).cloned());
        let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
        let back = shared(&|list, i| list.len().checked_sub(i + 1).and_then(|at| list.get(at)).cloned()).min(shortest - front);
        if front + back == 0 {
            return Regex::Choice(alternatives);
        }
        let (head, tail) = (lists[0][..front].to_vec(), lists[0][lists[0].len() - back..].to_vec());
        let mut middles: Vec<Regex> = lists.into_iter().map(|list| Regex::sequence(list[front..list.len() - back].to_vec())).collect();
        middles.arrange();
        middles.dedup();
        let middle = if middles.len() == 1 { middles.swap_remove(0) } else { Regex::Choice(middles) };
        Regex::sequence([head, vec![middle], tail].concat())
    }

    /// The expression as text, letters as `name` gives them. It leaves out a letter without a name, or with that of the one
    /// before.
    pub fn text(&self, name: &dyn Fn(Letter) -> String) -> String {
        let mut last = String::new();
        self.write(name, &mut last, 0)
    }

    fn write(&self, name: &dyn Fn(Letter) -> String, last: &mut String, level: u8) -> String {
        match self {
            Regex::Letter(letter) => {
                let text = name(*letter);
                if text == *last {
                    return String::new();
                }
                last.clone_from(&text);
                text
            }
            Regex::Sequence(parts) => {
                let texts: Vec<String> = parts.iter().map(|part| part.write(name, last, 1)).filter(|text| !text.is_empty()).collect();
                texts.join(" ")
            }
            Regex::Choice(parts) => {
                let optional = parts.iter().any(Regex::is_empty_word);
                let mut texts: Vec<String> = Vec::new();
                for part in parts.iter().filter(|part| !part.is_empty_word()) {
                    last.clear();
                    texts.push(part.write(name, last, 0));
                }
                last.clear();
                texts.dedup();
                match (optional, level, texts.len()) {
                    (true, ..) => format!("({})?", texts.join(" | ")),
                    (false, 0, _) | (_, _, 1) => texts.join(" | "),
                    _ => format!("({})", texts.join(" | ")),
                }
            }
            Regex::Star(inner) => {
                last.clear();
                let text = inner.write(name, last, 0);
                last.clear();
                format!("({text})*")
            }
        }
    }
}

/// The automaton's language; `None` where nothing is accepted or the expression would be too long to be read.
pub fn regex(automaton: &Automaton) -> Option<Regex> {
    let automaton = automaton.trimmed();
    let (start, end) = (automaton.states(), automaton.states() + 1);
    // Between two states one expression; `start` and `end` are new states.
    let mut arcs: Vec<SortedMap<usize, Regex>> = vec![SortedMap::new(); automaton.states() + 2];
    let mut back: Vec<SortedMap<usize, ()>> = vec![SortedMap::new(); automaton.states() + 2];
    let add = |arcs: &mut Vec<SortedMap<usize, Regex>>, back: &mut Vec<SortedMap<usize, ()>>, from: usize, to: usize, what: Regex| {
        let joined = match arcs[from].remove(&to) {
            Some(earlier) => Regex::either(earlier, what),
            None => what,
        };
        arcs[from].insert(to, joined);
        back[to].insert(from, ());
    };
    add(&mut arcs, &mut back, start, automaton.initial as usize, Regex::empty());
    for (from, ways) in automaton.transitions.iter().enumerate() {
        ways.iter().for_each(|&(letter, to)| add(&mut arcs, &mut back, from, to as usize, Regex::Letter(letter)));
        if automaton.accepting[from] {
            add(&mut arcs, &mut back, from, end, Regex::empty());
        }
    }
    let mut left: Vec<usize> = (0..automaton.states()).collect();
    while !left.is_empty() {
        let price = |state: usize| {
            let others = |size: usize, with_self: bool| size - usize::from(with_self);
            let looped = arcs[state].contains_key(&state);
            let (ins, outs) = (others(back[state].len(), looped), others(arcs[state].len(), looped));
            let into: usize = back[state].keys().filter(|&&from| from != state).map(|&from| arcs[from][&state].size()).sum();
            let out: usize = arcs[state].iter().filter(|(to, _)| **to != state).map(|(_, what)| what.size()).sum();
            let around = arcs[state].get(&state).map_or(0, Regex::size);
            (ins * outs > 1, (into * outs.saturating_sub(1) + out * ins.saturating_sub(1) + around * (ins * outs).saturating_sub(1)), state)
        };
        let at = (0..left.len()).min_by_key(|&at| price(left[at]))?;
        let state = left.swap_remove(at);
        let around = arcs[state].remove(&state).map(Regex::star);
        let ins: Vec<usize> = back[state].keys().copied().filter(|&from| from != state).collect();
        let outs: Vec<(usize, Regex)> = std::mem::take(&mut arcs[state]).into_iter().collect();
        for (to, _) in &outs {
            back[*to].remove(&state);
        }
        for from in ins {
            let Some(into) = arcs[from].remove(&state) else { continue };
            for (to, out) in &outs {
                let parts = [Some(into.clone()), around.clone(), Some(out.clone())].into_iter().flatten().collect();
                let joined = Regex::sequence(parts);
                if joined.size() > MAX_PARTS {
                    return None;
                }
                add(&mut arcs, &mut back, from, *to, joined);
            }
        }
    }
    arcs[start].remove(&end)
}
