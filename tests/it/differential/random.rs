//! C programs at random, each from a number: integer types of all widths with their conversions, arrays, structures, pointers that move
//! along an array, calls with addresses, `switch` with fall-through, jumps, output.
//!
//! What C leaves open is avoided: everything has a first value, and no expression with a side effect reads what it changes.

mod expression;
mod idiom;

use super::draw::Random;
use crate::common::cases::counted;
use std::fmt::Write as _;

const TYPES: [&str; 14] = [
    "int",
    "int",
    "int",
    "unsigned",
    "unsigned",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
];

/// How deep expressions and statements nest.
const DEPTH: u32 = 3;

/// What can be read and set at a place of the text.
#[derive(Clone)]
enum Kind {
    Scalar,
    /// With elements of this type, and these lengths.
    Array(&'static str, Vec<u64>),
    /// Of the structure with this number.
    Structure(usize),
    /// Into an array whose name and length are told.
    Pointer(String, u64),
}

#[derive(Clone)]
struct Object {
    name: String,
    kind: Kind,
    constant: bool,
}

/// A member's name, and its length where it is an array.
type Member = (String, Option<u64>);

struct Function {
    name: String,
    /// Whether the first parameter is the address of an `int`.
    address: bool,
    /// The structure that the last parameter is, if it is one.
    structure: Option<usize>,
    scalars: usize,
}

pub struct Writer {
    random: Random,
    text: String,
    indent: usize,
    names: usize,
    /// Statements that may still be written.
    budget: i32,
    objects: Vec<Object>,
    structures: Vec<Vec<Member>>,
    functions: Vec<Function>,
    /// What the expression that is being written must not read.
    untouchable: Option<String>,
    loops: usize,
    /// Whether little of the program is undefined, or unknown to the solver.
    mild: bool,
    /// Whether an index is being written.
    indexed: bool,
}

/// The numbers of the programs to look at: as many as the environment says, or this many.
pub fn numbers(otherwise: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is a number")));
    let first = number("CULDESAC_DIFFERENTIAL_FIRST").unwrap_or(0);
    let programs = number("CULDESAC_DIFFERENTIAL_PROGRAMS").unwrap_or(otherwise);
    counted(programs);
    first..first + programs
}

/// The program with this number.
pub fn program(number: u64) -> String {
    let mut writer = Writer {
        random: Random::new("random", number),
        text: format!("#include <stdio.h>\nenum shade {{ PALE = -2, GREY, DARK = 9 }};\n{}", idiom::PRELUDE),
        indent: 0,
        names: 0,
        budget: 0,
        objects: Vec::new(),
        structures: Vec::new(),
        functions: Vec::new(),
        untouchable: None,
        loops: 0,
        mild: number.is_multiple_of(2),
        indexed: false,
    };
    writer.unit();
    writer.text
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    fn often(&mut self, of_ten: usize) -> bool {
        self.below(10) < of_ten
    }

    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn unit(&mut self) {
        for number in 0..self.below(3) {
            let members: Vec<Member> =
                (0..=self.below(3)).map(|at| (format!("m{at}"), self.often(3).then(|| 2 + self.random.below(2)))).collect();
            let mut text = format!("struct S{number} {{");
            for (name, length) in &members {
                let ty = self.one(&TYPES);
                let _ = write!(text, " {ty} {name}{};", length.map_or_else(String::new, |length| format!("[{length}]")));
            }
            self.line(&(text + " };"));
            self.structures.push(members);
        }
        for _ in 0..1 + self.below(3) {
            let storage = self.one(&["", "static "]);
            self.declaration(storage);
        }
        for _ in 0..self.below(3) {
            self.function();
        }
        let parameters = self.objects.len();
        let mut texts = Vec::new();
        for _ in 0..2 + self.below(3) {
            let (ty, name) = (self.one(&TYPES), self.name('p'));
            texts.push(format!("{ty} {name}"));
            self.objects.push(Object { name, kind: Kind::Scalar, constant: false });
        }
        let ty = self.one(&TYPES);
        self.line(&format!("{ty} f({}) {{", texts.join(", ")));
        self.indent = 1;
        self.budget = 12 + self.below(18) as i32;
        for _ in 0..1 + self.below(4) {
            let storage = self.one(&["", "", "", "static "]);
            self.declaration(storage);
        }
        while self.budget > 0 {
            self.statement(0);
        }
        for object in self.objects.clone() {
            if let Some(read) = self.reading(&object) {
                self.line(&format!("printf(\"%lld \", (long long)({read}));"));
            }
        }
        self.objects.truncate(parameters);
        let value = self.expression(DEPTH);
        self.line(&format!("return {value};"));
        self.indent = 0;
        self.line("}");
    }

    /// A function that gives back a value, without loops of unknown length and not setting globals.
    fn function(&mut self) {
        let outside = self.objects.len();
        let name = self.name('g');
        let address = self.often(4);
        let structure = if self.structures.is_empty() || self.often(6) { None } else { Some(self.below(self.structures.len())) };
        let scalars = 1 + self.below(2);
        let mut texts = Vec::new();
        if address {
            texts.push("int *out".to_owned());
        }
        let globals = self.objects.clone();
        self.objects.iter_mut().for_each(|object| object.constant = true);
        for _ in 0..scalars {
            let (ty, name) = (self.one(&TYPES), self.name('p'));
            texts.push(format!("{ty} {name}"));
            self.objects.push(Object { name, kind: Kind::Scalar, constant: false });
        }
        if let Some(number) = structure {
            texts.push(format!("struct S{number} s"));
            self.objects.push(Object { name: "s".to_owned(), kind: Kind::Structure(number), constant: false });
        }
        let ty = self.one(&TYPES);
        self.line(&format!("static {ty} {name}({}) {{", texts.join(", ")));
        self.indent = 1;
        self.budget = 2 + self.below(5) as i32;
        while self.budget > 0 {
            self.statement(1);
        }
        if address {
            let value = self.expression(2);
            let op = self.one(&["=", "=", "+=", "-="]);
            self.line(&format!("*out {op} {value};"));
        }
        if scalars == 2 && self.often(3) {
            // Recursion that ends soon.
            let first = self.objects[outside].name.clone();
            let start = if address { "out, " } else { "" };
            let end = if structure.is_some() { ", s" } else { "" };
            let value = self.expression(1);
            self.line(&format!("if ({first} > 0 && {first} < 4) return {name}({start}{first} - 1, {value}{end});"));
        }
        let value = self.expression(2);
        self.line(&format!("return {value};"));
        self.indent = 0;
        self.line("}");
        self.objects = globals;
        self.functions.push(Function { name, address, structure, scalars });
    }

    /// A declaration with a first value; a constant one where it is static.
    fn declaration(&mut self, storage: &str) {
        let constant = self.indent == 0 || storage == "static ";
        let ty = self.one(&TYPES);
        let name = self.name('v');
        let value = |writer: &mut Writer| if constant { writer.literal() } else { writer.expression(2) };
        let kind = match self.below(8) {
            0 | 1 => {
                let length = 2 + self.random.below(4);
                let values: Vec<String> = (0..1 + self.below(length as usize)).map(|_| value(self)).collect();
                let readonly = constant && self.often(3);
                let qualifier = if readonly { "const " } else { "" };
                self.line(&format!("{storage}{qualifier}{ty} {name}[{length}] = {{{}}};", values.join(", ")));
                self.objects.push(Object { name, kind: Kind::Array(ty, vec![length]), constant: readonly });
                return;
            }
            2 => {
                let rows: Vec<String> = (0..2).map(|_| format!("{{{}, {}}}", value(self), value(self))).collect();
                self.line(&format!("{storage}{ty} {name}[2][3] = {{{}}};", rows.join(", ")));
                Kind::Array(ty, vec![2, 3])
            }
            3 if !self.structures.is_empty() => {
                let number = self.below(self.structures.len());
                let first = if self.structures[number][0].1.is_some() { format!("{{{}}}", value(self)) } else { value(self) };
                self.line(&format!("{storage}struct S{number} {name} = {{{first}}};"));
                Kind::Structure(number)
            }
            4 if !constant && storage.is_empty() => {
                match self.some(|object| matches!(&object.kind, Kind::Array(_, lengths) if lengths.len() == 1) && !object.constant) {
                    Some(Object { name: array, kind: Kind::Array(ty, lengths), .. }) => {
                        self.line(&format!("{ty} *{name} = {array};"));
                        Kind::Pointer(array, lengths[0])
                    }
                    _ => return,
                }
            }
            _ => {
                let value = value(self);
                self.line(&format!("{storage}{ty} {name} = {value};"));
                Kind::Scalar
            }
        };
        self.objects.push(Object { name, kind, constant: false });
    }

    fn some(&mut self, wanted: impl Fn(&Object) -> bool) -> Option<Object> {
        let found: Vec<&Object> = self.objects.iter().filter(|object| wanted(object)).collect();
        let at = self.random.below(found.len().max(1) as u64) as usize;
        found.get(at).map(|object| (*object).clone())
    }

    fn statement(&mut self, depth: u32) {
        self.budget -= 1;
        let nested = depth < DEPTH;
        match self.below(29) {
            0..=6 => self.assignment(),
            7 | 8 => {
                let storage = self.one(&["", "", "", "static "]);
                self.declaration(storage);
            }
            9 | 10 => self.count(),
            11 | 12 => self.print(),
            13..=16 if nested => self.decision(depth),
            17 if nested => self.switch(depth),
            18 | 19 if nested => self.loop_of_few_rounds(depth),
            20 if nested => self.walk(),
            21 if nested => self.jump(depth),
            22 | 23 => self.call(),
            24 if self.loops > 0 => {
                let (condition, leave) = (self.condition(), self.one(&["break", "continue"]));
                // `continue` within a `switch` is one of the loop around it.
                self.line(&format!("if ({condition}) {leave};"));
            }
            25 => self.copy(),
            26..=28 if depth < 2 => self.idiom(),
            _ => self.assignment(),
        }
    }

    fn block(&mut self, depth: u32) {
        let outside = self.objects.len();
        self.indent += 1;
        for _ in 0..1 + self.below(3) {
            self.statement(depth + 1);
        }
        self.indent -= 1;
        self.objects.truncate(outside);
    }

    /// The text of something that can be set; its name stays untouched by what is written next.
    fn target(&mut self) -> Option<(String, String)> {
        let object = self.some(|object| !object.constant && !matches!(object.kind, Kind::Pointer(..)))?;
        let text = self.reading(&object)?;
        Some((object.name, text))
    }

    fn assignment(&mut self) {
        let Some((_, target)) = self.target() else { return };
        let value = self.expression(DEPTH);
        let ops = ["=", "=", "=", "=", "+=", "-=", "&=", "|=", "^=", "*="];
        let op = self.one(&ops[..if self.mild { 6 } else { ops.len() }]);
        self.line(&format!("{target} {op} {value};"));
    }

    /// Side effects within expressions.
    fn count(&mut self) {
        let Some((name, target)) = self.target() else { return };
        if target.contains('[') {
            return;
        }
        self.untouchable = Some(name.clone());
        let rest = self.expression(2);
        let effect = match self.below(6) {
            0 => format!("{target}++"),
            1 => format!("--{target}"),
            2 => format!("({target} += {rest})"),
            3 => format!("({target} = {rest})"),
            4 => format!("({target} >>= {})", self.below(5)),
            _ => format!("({rest} && ({target}++, {target} > 2))"),
        };
        let other = self.some(|object| !object.constant && object.name != name && matches!(object.kind, Kind::Scalar));
        match other {
            Some(other) if self.often(7) => {
                self.untouchable = Some(name);
                let rest = self.expression(1);
                self.line(&format!("{} = {effect} + {rest};", other.name));
            }
            _ => self.line(&format!("{effect};")),
        }
        self.untouchable = None;
    }

    fn print(&mut self) {
        let value = self.expression(2);
        let text = match self.below(9) {
            0 => format!("printf(\"%d;\", (int)({value}));"),
            1 => format!("printf(\"%u %x\\n\", (unsigned)({value}), (unsigned)({value}));"),
            2 => format!("printf(\"[%5d|%-4d|%03d|%+d]\", (int)({value}), (short)({value}), (char)({value}), !({value}));"),
            3 => format!("printf(\"%ld,%lu\", (long)({value}), (unsigned long)({value}));"),
            4 => format!("printf(\"%hd %hhu %hhd \", (int)({value}), (int)({value}), (int)({value}));"),
            5 => format!("putchar('a' + (unsigned)({value}) % 26);"),
            6 => format!("printf(\"%c%%%s\", 'A' + (int)((unsigned)({value}) % 26), ({value}) ? \"yes\" : \"no\");"),
            7 => format!("puts(({value}) > 3 ? \"more\" : \"less\");"),
            _ => format!("printf(\"%llx %o \", (unsigned long long)({value}), (unsigned)({value}));"),
        };
        self.line(&text);
    }

    fn decision(&mut self, depth: u32) {
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.often(5) {
            self.line("} else {");
            self.block(depth);
        }
        self.line("}");
    }

    fn switch(&mut self, depth: u32) {
        let value = self.expression(2);
        self.line(&format!("switch ({value}) {{"));
        let cases = 1 + self.below(4);
        let default = self.below(cases + 2);
        let mut label = self.below(4) as i64 - 2;
        for case in 0..cases {
            if case == default {
                self.line("default:");
            }
            let last = label + self.below(3) as i64;
            if last > label {
                self.line(&format!("case {label} ... {last}:"))
            } else {
                self.line(&format!("case {label}:"))
            }
            label = last + 1 + self.below(3) as i64;
            // A block, since no declaration stands after a label.
            self.line("{");
            let loops = std::mem::take(&mut self.loops);
            self.block(depth);
            self.loops = loops;
            self.line("}");
            if self.often(6) {
                self.line("break;");
            }
        }
        self.line("}");
    }

    fn loop_of_few_rounds(&mut self, depth: u32) {
        let counter = self.name('i');
        let rounds = 1 + self.below(5);
        let object = Object { name: counter.clone(), kind: Kind::Scalar, constant: true };
        let condition = self.condition();
        let (start, end) = match self.below(4) {
            0 => (format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{"), "}".to_owned()),
            1 => (format!("for (unsigned char {counter} = {rounds}; {counter}-- && {condition}; ) {{"), "}".to_owned()),
            2 => (format!("{{ int {counter} = {rounds}; while ({counter}-- > 0) {{"), "} }".to_owned()),
            _ => (format!("{{ long {counter} = 0; do {{"), format!("}} while (++{counter} < {rounds} && {condition}); }}")),
        };
        let outside = self.objects.len();
        self.line(&start);
        self.objects.push(object);
        self.loops += 1;
        self.block(depth);
        self.loops -= 1;
        self.objects.truncate(outside);
        self.line(&end);
    }

    /// A pointer that moves along its array.
    fn walk(&mut self) {
        let Some(Object { name, kind: Kind::Pointer(array, length), .. }) = self.some(|object| matches!(object.kind, Kind::Pointer(..)))
        else {
            return self.assignment();
        };
        self.untouchable = Some(array.clone());
        let value = self.expression(1);
        self.untouchable = None;
        match self.below(4) {
            0 => self.line(&format!("for ({name} = {array}; {name} < {array} + {length}; {name}++) *{name} += {value};")),
            1 => self.line(&format!("{name} = {array}; while ({name} != {array} + {}) *{name}++ = {value};", length - 1)),
            2 => self.line(&format!("{name} = &{array}[{}]; *{name} -= {value}; {name}[0] = 1;", length - 1)),
            _ => self.line(&format!("{name} = {array} + {length}; do {{ --{name}; }} while ({name} > {array} && *{name} != {value});")),
        }
    }

    fn jump(&mut self, depth: u32) {
        let label = self.name('l');
        let condition = self.condition();
        self.line("{");
        let loops = std::mem::take(&mut self.loops);
        self.block(depth);
        self.indent += 1;
        self.line(&format!("if ({condition}) goto {label};"));
        self.indent -= 1;
        self.block(depth);
        self.loops = loops;
        self.line("}");
        self.line(&format!("{label}: ;"));
    }

    /// Sets a variable, which is not read, to what a function gives back.
    fn call(&mut self) {
        if self.functions.is_empty() {
            return self.assignment();
        }
        let at = self.below(self.functions.len());
        let Function { name, address, structure, scalars } = &self.functions[at];
        let (name, address, structure, scalars) = (name.clone(), *address, *structure, *scalars);
        let mut arguments = Vec::new();
        let own = self.name('o');
        if address {
            arguments.push(format!("&{own}"));
        }
        for _ in 0..scalars {
            arguments.push(self.expression(2));
        }
        if let Some(number) = structure {
            let Some(object) = self.some(|object| matches!(object.kind, Kind::Structure(of) if of == number)) else { return };
            arguments.push(object.name);
        }
        let Some((_, target)) = self.target() else { return };
        if address {
            let first = self.literal();
            self.line(&format!("int {own} = {first};"));
            self.objects.push(Object { name: own.clone(), kind: Kind::Scalar, constant: false });
        }
        self.line(&format!("{target} = {name}({});", arguments.join(", ")));
    }

    /// Whole structures.
    fn copy(&mut self) {
        let Some(Object { name: from, kind: Kind::Structure(number), .. }) = self.some(|object| matches!(object.kind, Kind::Structure(_)))
        else {
            return self.assignment();
        };
        if let Some(to) = self.some(|object| matches!(object.kind, Kind::Structure(of) if of == number) && !object.constant) {
            self.line(&format!("{} = {from};", to.name));
        }
    }
}
