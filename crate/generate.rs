//! Random programs of the kind that CHS12, Section 7, measures, in the block language.
//!
//! A program is a row of diamonds. Each has two levels of nested choices, so four paths, in nine blocks of three statements: an
//! assumption where a side of a choice starts, and linear assignments to unbounded integers. A program modifies ten to twenty
//! variables; two to nine diamonds give 90 to 350 lines.
//!
//! Where the paper is silent: a side of a choice assumes the opposite of the other side; a comparison is between a variable and a
//! variable or a small constant; an assignment takes a constant, a variable plus a constant, or a sum of two variables, one
//! of them doubled now and then. Every choice comes from the seed, so the same numbers give the same text everywhere.
//!
//! # Example
//!
//! ```
//! use culdesac::{generate, lang};
//!
//! let text = generate::diamonds(2, 7);
//! assert_eq!(text, generate::diamonds(2, 7), "the seed decides");
//! assert!(lang::parse(&text).program.is_some());
//! ```

use crate::count::Random;
use num_bigint::BigUint;
use std::fmt::Write;

/// The most diamonds that can be asked for.
pub const MAX_DIAMONDS: u32 = 200;

/// The text of a program of `diamonds` diamonds (0 to [`MAX_DIAMONDS`]; more count as that many). The seed decides everything else.
pub fn diamonds(diamonds: u32, seed: u64) -> String {
    let diamonds = diamonds.min(MAX_DIAMONDS);
    let mut generator = Generator { random: Random::new(seed), variables: 0, text: String::new() };
    generator.variables = 10 + generator.below(11);
    generator.write(diamonds, seed);
    generator.text
}

struct Generator {
    random: Random,
    variables: u32,
    text: String,
}

impl Generator {
    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(&BigUint::from(bound)).try_into().unwrap_or(0)
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.below(self.variables))
    }

    /// From -20 to 20.
    fn constant(&mut self) -> i64 {
        i64::from(self.below(41)) - 20
    }

    fn plus(constant: i64) -> String {
        match constant {
            0 => String::new(),
            1.. => format!(" + {constant}"),
            _ => format!(" - {}", -constant),
        }
    }

    fn assignment(&mut self) -> String {
        let target = self.variable();
        let constant = self.constant();
        let value = match self.below(8) {
            0..=2 => constant.to_string(),
            3..=5 => format!("{}{}", self.variable(), Self::plus(constant)),
            _ => {
                let (first, second) = (self.variable(), self.variable());
                let (factor, sign) = (["", "", "", "2 * "][self.below(4) as usize], if self.below(2) == 0 { '+' } else { '-' });
                format!("{factor}{first} {sign} {second}{}", Self::plus(constant))
            }
        };
        format!("{target} := {value}")
    }

    /// A comparison and its opposite.
    fn comparison(&mut self) -> [String; 2] {
        let left = self.variable();
        let constant = self.constant();
        let right = if self.below(3) == 0 { constant.to_string() } else { format!("{}{}", self.variable(), Self::plus(constant)) };
        let operators = [["<", ">="], ["<=", ">"], [">", "<="], [">=", "<"], ["==", "!="]];
        let chosen = operators[self.below(operators.len() as u32) as usize];
        chosen.map(|operator| format!("{left} {operator} {right}"))
    }

    fn block(&mut self, label: &str, condition: Option<&str>, next: &[&str]) {
        let mut statements: Vec<String> = condition.iter().map(|condition| format!("assume {condition}")).collect();
        while statements.len() < 3 {
            statements.push(self.assignment());
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "  {label}: {};", statements.join(&format!(";\n{}", " ".repeat(label.len() + 4))));
        if !next.is_empty() {
            let _ = writeln!(self.text, "{}goto {};", " ".repeat(label.len() + 4), next.join(", "));
        }
    }

    fn write(&mut self, diamonds: u32, seed: u64) {
        let names: Vec<String> = (0..self.variables).map(|number| format!("v{number}")).collect();
        let many = if diamonds == 1 { "diamond" } else { "diamonds" };
        let _ = writeln!(self.text, "/*\n * {diamonds} {many} from seed {seed}: a random program without loops.\n */");
        let _ = writeln!(self.text, "proc main({}) {{", names.join(", "));
        let label = |diamond: u32| if diamond == diamonds { "end".to_owned() } else { format!("d{diamond}") };
        self.block("start", None, &[&label(0)]);
        for diamond in 0..diamonds {
            let name = label(diamond);
            let _ = writeln!(self.text, "\n  // Diamond {diamond}.");
            let sides = ["a", "b"].map(|side| format!("{name}{side}"));
            self.block(&name, None, &sides.each_ref().map(String::as_str));
            for (side, outer) in sides.iter().zip(self.comparison()) {
                let inner = ["a", "b"].map(|inner| format!("{side}{inner}"));
                self.block(side, Some(&outer), &inner.each_ref().map(String::as_str));
                let join = format!("{side}_end");
                for (label, condition) in inner.iter().zip(self.comparison()) {
                    self.block(label, Some(&condition), &[&join]);
                }
                self.block(&join, None, &[&label(diamond + 1)]);
            }
        }
        let _ = writeln!(self.text);
        self.block("end", None, &[]);
        self.text.push_str("}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::diamonds;
    use crate::{lang, lts};
    use std::collections::BTreeSet;

    #[test]
    fn programs_are_of_the_papers_size() {
        for count in 2..=9 {
            for seed in 0..10 {
                let text = diamonds(count, seed);
                assert!((88..=360).contains(&text.lines().count()), "{count} {seed}: {}", text.lines().count());
                let program = lang::parse(&text).program.unwrap_or_else(|| panic!("{text}"));
                let lts = lts::lower::lower(&program, None).expect("a graph").lts;
                let graph = crate::count::Graph::of(&lts);
                let paths = crate::count::totals(&graph, &[10_000]);
                assert_eq!(paths[0], num_bigint::BigUint::from(4u8).pow(count), "{count} {seed}");
                let modified: BTreeSet<&str> =
                    text.lines().filter_map(|line| line.split(" := ").next()?.split_whitespace().last()).collect();
                assert!(modified.len() >= 8, "{count} {seed}: {}", modified.len());
            }
        }
        assert_eq!(diamonds(3, 5), diamonds(3, 5));
        assert_ne!(diamonds(3, 5), diamonds(3, 6));
    }
}
