//! C programs with floating-point numbers at random, each from a number: variables, members and elements, comparisons, conversions,
//! arithmetic.
//!
//! What C leaves open, and what depends on the sign of zero, is avoided: no division by zero, no conversion of what no integer can be.

use super::draw::Random;
use std::fmt::Write as _;

const CONSTANTS: [&str; 16] = [
    "0.0",
    "-0.0",
    "1.0",
    "1.5",
    "-2.25",
    "0.1",
    "0.1f",
    "100.0",
    "3",
    "1e300",
    "1e-310",
    "5e-324",
    "16777217",
    "9007199254740993.0",
    "1e999",
    "(0.0 / 0.0)",
];

/// A writer of one program.
struct Writer {
    random: Random,
    text: String,
    /// The variables of floating-point types, and the integers.
    numbers: Vec<&'static str>,
    integers: Vec<&'static str>,
}

/// The program with this number: its numbers come from integers, where `is_closed`, else they are parameters.
pub fn program(number: u64, is_closed: bool) -> String {
    let numbers = vec!["x", "y", "s", "t", "r.value", "r.weight"];
    let mut writer = Writer { random: Random::new("floats", number), text: String::new(), numbers, integers: vec!["a", "b", "n"] };
    writer.unit(is_closed);
    writer.text
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    fn one(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    fn constant(&mut self) -> &'static str {
        self.one(&CONSTANTS)
    }

    fn unit(&mut self, is_closed: bool) {
        let list = |writer: &mut Writer, count: usize| (0..count).map(|_| writer.constant()).collect::<Vec<_>>().join(", ");
        let (doubles, floats) = (list(self, 8), list(self, 4));
        self.text = format!(
            "#include <stdio.h>\nstruct reading {{ double value; float weight; int valid; }};\n\
             static const double pool[8] = {{{doubles}}};\nstatic const float levels[4] = {{{floats}}};\n\
             static double larger(double p, double q) {{ return p > q ? p : q; }}\n"
        );
        let parameters = if is_closed { "int a, int b" } else { "double x, float s, int a, struct reading r" };
        let _ = writeln!(self.text, "int f({parameters}) {{\n  int n = 0;");
        if is_closed {
            self.text.push_str("  double x = pool[a & 7], y = pool[b & 7]; float s = levels[a & 3], t = levels[b & 3];\n");
            self.text.push_str("  struct reading r = {x, s, a};\n");
        } else {
            let (y, t) = (self.constant(), self.constant());
            let _ = writeln!(self.text, "  double y = {y}; float t = {t}; int b = 2;");
        }
        for _ in 0..4 + self.below(5) {
            self.statement(1);
        }
        self.text.push_str("  return n;\n}\n");
    }

    fn statement(&mut self, depth: usize) {
        let indent = "  ".repeat(depth);
        match self.below(if depth < 3 { 8 } else { 3 }) {
            0 => {
                let (target, value) = (self.target(), self.number(2));
                let _ = writeln!(self.text, "{indent}{target} = {value};");
            }
            1 => {
                let (target, op, value) = (self.target(), self.one(&["+=", "-=", "*="]), self.number(1));
                let _ = writeln!(self.text, "{indent}{target} {op} {value};");
            }
            2 => {
                let step = 1 + self.below(9);
                let _ = writeln!(self.text, "{indent}n += {step};");
            }
            3 => {
                let value = self.target();
                let _ = writeln!(self.text, "{indent}if ({value} > -1000.0 && {value} < 1000) n += (int){value};");
            }
            4 => {
                let value = self.target();
                let _ = writeln!(self.text, "{indent}if ({value} > 0.5) printf(\"%g %.2f %e\\n\", {value}, {value}, {value});");
            }
            5 => {
                let bound = self.number(0);
                let _ = writeln!(self.text, "{indent}for (int i = 0; i < 4 && !(pool[i] > {bound}); i++) n++;");
            }
            _ => {
                let condition = self.condition(2);
                let _ = writeln!(self.text, "{indent}if ({condition}) {{");
                self.statement(depth + 1);
                if self.below(2) == 0 {
                    let _ = writeln!(self.text, "{indent}}} else {{");
                    self.statement(depth + 1);
                }
                let _ = writeln!(self.text, "{indent}}}");
            }
        }
    }

    fn target(&mut self) -> &'static str {
        let list = self.numbers.clone();
        self.one(&list)
    }

    fn number(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 => self.constant().to_owned(),
            1 | 2 => self.target().to_owned(),
            3 => format!("-{}", self.target()),
            4 => format!("({} {} {})", self.number(depth - 1), self.one(&["+", "-", "*"]), self.number(depth - 1)),
            5 => format!("({} / {})", self.number(depth - 1), self.one(&["2.0", "-0.1", "3.0f", "7"])),
            6 => format!("({}){}", self.one(&["double", "float"]), self.integer()),
            7 => format!("({} ? {} : {})", self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1)),
            _ => format!("larger({}, {})", self.number(depth - 1), self.number(depth - 1)),
        }
    }

    fn integer(&mut self) -> String {
        let list = self.integers.clone();
        match self.below(3) {
            0 => self.one(&["0", "1", "-7", "16777217", "9007199254740993"]).to_owned(),
            _ => self.one(&list).to_owned(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let op = self.one(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 | 1 => format!("{} {op} {}", self.number(depth.min(1)), self.number(depth.min(1))),
            2 => format!("{} {op} {}", self.target(), self.constant()),
            3 => format!("{} {op} {}", self.integer(), self.constant()),
            4 => format!("{} {op} {}", self.target(), self.integer()),
            5 => format!("!{}", self.target()),
            6 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("({} || {})", self.condition(depth - 1), self.target()),
        }
    }
}
