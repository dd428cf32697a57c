//! Expressions of random programs: what can be read, constants, operators.

use super::{Kind, Object, TYPES, Writer};

impl Writer {
    /// An index that is one of the array, most often.
    pub(super) fn index(&mut self, length: u64) -> String {
        // Within an index others are constants.
        let outer = std::mem::replace(&mut self.indexed, true);
        let kind = if outer { 0 } else { self.below(10) };
        let index = match kind {
            0..=4 => self.random.below(length).to_string(),
            5..=6 => format!("(unsigned)({}) % {length}", self.expression(1)),
            7..=8 => format!("({}) & 1", self.expression(1)),
            _ if self.mild => "1".to_owned(),
            _ => self.expression(1),
        };
        self.indexed = outer;
        index
    }

    /// An element, a member or the variable itself; none of what is not to be touched.
    pub(super) fn reading(&mut self, object: &Object) -> Option<String> {
        if self.untouchable.as_ref() == Some(&object.name) {
            return None;
        }
        let name = &object.name;
        Some(match &object.kind {
            Kind::Scalar => name.clone(),
            Kind::Array(_, lengths) => {
                let indices: String = lengths.iter().map(|&length| format!("[{}]", self.index(length))).collect();
                format!("{name}{indices}")
            }
            Kind::Structure(number) => {
                let at = self.below(self.structures[*number].len());
                match self.structures[*number][at].clone() {
                    (member, None) => format!("{name}.{member}"),
                    (member, Some(length)) => format!("{name}.{member}[{}]", self.index(length)),
                }
            }
            Kind::Pointer(array, _) if self.untouchable.as_ref() == Some(array) => return None,
            // Its place in the array; what is read through it is read in loops along the array.
            Kind::Pointer(array, length) => match self.below(3) {
                0 => format!("({name} - {array})"),
                1 => format!("({name} < {array} + {length} ? *{name} : 0)"),
                _ => format!("({name} == {array})"),
            },
        })
    }

    pub(super) fn literal(&mut self) -> String {
        match self.below(12) {
            0..=5 => format!("{}", self.random.below(14) as i64 - 3),
            6 => self.one(&["'a'", "'\\n'", "'\\377'", "'0'"]).to_owned(),
            7 => self.one(&["GREY", "DARK", "PALE", "sizeof(int)", "sizeof(short)"]).to_owned(),
            8 | 9 if self.mild => "5".to_owned(),
            8 => self.one(&["2147483647", "-2147483647 - 1", "4294967295u", "32768", "255", "-128"]).to_owned(),
            9 => {
                self.one(&["0x7f", "017", "0xffff", "0x80000000", "1ul", "3LL", "0xFFFFFFFFFFFFFFFFull", "9223372036854775807"]).to_owned()
            }
            _ => format!("{}", self.random.below(300)),
        }
    }

    pub(super) fn atom(&mut self) -> String {
        if self.often(7) {
            let untouchable = self.untouchable.clone();
            if let Some(object) = self.some(|object| Some(&object.name) != untouchable.as_ref())
                && let Some(read) = self.reading(&object)
            {
                return read;
            }
        }
        self.literal()
    }

    pub(super) fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.often(2) {
            return self.atom();
        }
        // Not a constant, most often: what compilers evaluate themselves they do not watch.
        let mut left = self.expression(depth - 1);
        for _ in 0..4 {
            if !left.contains(['v', 'p']) {
                left = self.expression(depth - 1);
            }
        }
        match self.below(24) {
            0..=4 if self.mild => format!("({left} % 50 {} {})", self.one(&["+", "-"]), self.atom()),
            6..=8 | 10..=12 if self.mild => self.comparison(&left, depth),
            0..=4 => format!("({left} {} {})", self.one(&["+", "-"]), self.expression(depth - 1)),
            5 => format!("({left} * {})", self.literal()),
            6 => format!("({left} {} {})", self.one(&["/", "%"]), self.one(&["2", "3", "7", "10", "-3", "16u", "5l"])),
            7 => format!("({left} {} {})", self.one(&["/", "%"]), self.expression(depth - 1)),
            8 | 9 => format!("({left} {} {})", self.one(&["&", "|", "^"]), self.literal()),
            10 => format!("({left} {} {})", self.one(&["&", "|", "^"]), self.expression(depth - 1)),
            11 => format!("({left} {} {})", self.one(&["<<", ">>"]), self.below(9)),
            12 => format!("({left} {} ({} & 31))", self.one(&["<<", ">>"]), self.expression(depth - 1)),
            13..=15 => self.comparison(&left, depth),
            16 => format!("({left} {} {})", self.one(&["&&", "||"]), self.expression(depth - 1)),
            17 => format!("({left} ? {} : {})", self.expression(depth - 1), self.expression(depth - 1)),
            18 | 19 => format!("{}({left})", self.one(&["-", "~", "!", "+", "!!"])),
            20..=22 => format!("({})({left})", self.one(&TYPES)),
            _ => format!("({left}, {})", self.expression(depth - 1)),
        }
    }

    pub(super) fn comparison(&mut self, left: &str, depth: u32) -> String {
        format!("({left} {} {})", self.one(&["<", "<=", ">", ">=", "==", "!="]), self.expression(depth - 1))
    }

    pub(super) fn condition(&mut self) -> String {
        let left = self.expression(2);
        if self.often(7) { self.comparison(&left, 2) } else { left }
    }
}
