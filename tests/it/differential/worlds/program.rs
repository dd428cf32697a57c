//! The unit that is looked at: a function with decisions, and around it what may change beneath it.
//!
//! Whatever values its integers have, nothing that it computes overflows. So all its runs are defined if the other unit keeps to what it may
//! write.

mod body;
mod function;
mod pointers;
mod probe;

use crate::differential::draw::Random;
use std::collections::BTreeSet;

/// A line of the program: as it is analysed, as it is compiled, and with its evaluations one after the other from left to right.
pub struct Line {
    pub plain: String,
    pub hooked: String,
    pub ordered: String,
}

/// A parameter of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    Integer,
    /// To this type.
    Pointer(&'static str),
    Structure,
    /// To an integer, which the next one is compared with: [`Parameter::Second`].
    First,
    /// Into the same array, if it need not be apart.
    Second {
        is_apart: bool,
    },
}

/// What the program does, of which enough programs have to do each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feature {
    External,
    Order,
    Volatile,
    Static,
    Aliasing,
    Kept,
    Main,
    Pointers,
    Pair,
}

/// A program of two units, of which this is the one that is looked at, with what the other has to know of it. Names that both know end in
/// its number.
pub struct Unit {
    pub number: u64,
    pub function: String,
    pub parameters: Vec<Parameter>,
    pub lines: Vec<Line>,
    /// Numbers of the lines, from 1, that report that they were executed.
    pub reporting: BTreeSet<u32>,
    pub features: BTreeSet<Feature>,
    /// Declarations of the functions without a body that are called, and of the functions and objects that others know by name.
    pub externals: BTreeSet<External>,
    pub shown: Vec<String>,
    /// What others can write by name, and the calls that they can make: statements, with `V` for a value and `I` for an address.
    pub writable: Vec<String>,
    pub calls: Vec<String>,
    /// What else they can do, as statements.
    pub acts: Vec<String>,
    /// Addresses of globals, each with its type.
    pub addresses: Vec<(&'static str, String)>,
    /// The pointer that both units know, and the integer that the other one defines.
    pub elsewhere: Option<String>,
    pub signalled: Option<String>,
}

/// A function without a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum External {
    Value,
    Tick,
    Keep,
    /// Gets the address of the element in the middle of an array.
    KeepArray,
    Look,
    Byte,
    Structure,
}

impl External {
    pub fn declaration(self, n: u64) -> String {
        match self {
            External::Value => format!("int ext_{n}(int x)"),
            External::Tick => format!("void tick_{n}(void)"),
            External::Keep => format!("void keep_{n}(int *p)"),
            External::KeepArray => format!("void keepa_{n}(int *p)"),
            External::Look => format!("int look_{n}(const int *p)"),
            External::Byte => format!("void note_{n}(unsigned char *p)"),
            External::Structure => format!("void box_{n}(struct S_{n} *p)"),
        }
    }
}

/// How an object of the function's scope is written and read.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Object {
    text: String,
    kind: Kind,
    /// Whether only the function itself and what it gives its address to can write it.
    local: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Integer,
    Unsigned,
    Long,
    Byte,
    Volatile,
    /// Of three integers.
    Array,
    Structure,
    /// Read only.
    Constant,
}

pub struct Writer {
    random: Random,
    unit: Unit,
    objects: Vec<Object>,
    /// Functions with a body: those that give a value, and those that do not, as calls with `V` for an expression and `I` for an address.
    giving: Vec<String>,
    acting: Vec<String>,
    /// Whether the function calls nothing without a body: then there are tests that need no more than values.
    calm: bool,
    indent: usize,
    names: u32,
    pointers: pointers::Pointers,
}

/// The program with this number.
pub fn program(number: u64) -> Unit {
    let mut random = Random::new("worlds", number);
    let (is_main, calm) = (random.below(6) == 0, random.below(4) == 0);
    let unit = Unit {
        number,
        function: if is_main { "main".to_owned() } else { format!("f_{number}") },
        parameters: Vec::new(),
        lines: Vec::new(),
        reporting: BTreeSet::new(),
        features: BTreeSet::new(),
        externals: BTreeSet::new(),
        shown: Vec::new(),
        writable: Vec::new(),
        calls: Vec::new(),
        acts: Vec::new(),
        addresses: Vec::new(),
        elsewhere: None,
        signalled: None,
    };
    let mut writer = Writer {
        random,
        unit,
        objects: Vec::new(),
        giving: Vec::new(),
        acting: Vec::new(),
        calm,
        indent: 0,
        names: 0,
        pointers: pointers::Pointers::default(),
    };
    if is_main {
        writer.unit.features.insert(Feature::Main);
    }
    writer.unit();
    writer.unit
}

impl Unit {
    /// The parameters of the function that is looked at, with their names.
    pub fn named_parameters(&self) -> Vec<(String, Parameter)> {
        self.parameters.iter().enumerate().map(|(at, parameter)| (format!("p{at}"), *parameter)).collect()
    }

    /// Those of another function, if others know it.
    pub fn parameters_of(&self, function: &str) -> Option<Vec<(String, Parameter)>> {
        let start = format!(" {function}(");
        let list = self.shown.iter().find_map(|shown| Some(shown[shown.find(&start)? + start.len()..].trim_end_matches(')')))?;
        let parameter = |text: &str| match text.split_once('*') {
            Some((_, name)) => (name.to_owned(), Parameter::Pointer("int")),
            None => (text.trim_start_matches("int ").to_owned(), Parameter::Integer),
        };
        Some(list.split(", ").filter(|text| *text != "void").map(parameter).collect())
    }

    pub fn plain(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.plain)).collect()
    }

    pub fn compiled(&self, ordered: bool) -> String {
        let text = self.lines.iter().map(|line| format!("{}\n", if ordered { &line.ordered } else { &line.hooked }));
        text.collect()
    }
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    fn often(&mut self, of_ten: usize) -> bool {
        self.below(10) < of_ten
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn plain(&mut self, text: &str) {
        self.line(text, text.to_owned(), text.to_owned());
    }

    fn line(&mut self, plain: &str, hooked: String, ordered: String) {
        let indented = |text: &str| format!("{}{text}", "  ".repeat(self.indent));
        let line = Line { plain: indented(plain), hooked: indented(&hooked), ordered: indented(&ordered) };
        self.unit.lines.push(line);
    }

    /// A statement without a decision, that reports when it is done.
    fn done(&mut self, text: &str) {
        self.done_in_order(text, text);
    }

    /// A statement whose evaluations C does not order, and one in which they go from left to right.
    fn done_in_order(&mut self, text: &str, ordered: &str) {
        let number = self.unit.lines.len() as u32 + 1;
        self.unit.reporting.insert(number);
        let hook = if self.unit.signalled.is_some() { "S" } else { "H" };
        self.line(text, format!("{text} {hook}({number});"), format!("{ordered} {hook}({number});"));
    }

    /// A return of what calls nothing.
    fn leave(&mut self, value: &str) {
        let number = self.unit.lines.len() as u32 + 1;
        self.unit.reporting.insert(number);
        let hooked = format!("H({number}); return {value};");
        self.line(&format!("return {value};"), hooked.clone(), hooked);
    }

    fn external(&mut self, external: External) {
        self.unit.externals.insert(external);
        let kept = !matches!(external, External::Value | External::Tick);
        self.unit.features.insert(if kept { Feature::Kept } else { Feature::External });
    }

    fn unit(&mut self) {
        let n = self.unit.number;
        self.plain(&format!("struct S_{n} {{ int a; int b; }};"));
        for external in
            [External::Value, External::Tick, External::Keep, External::KeepArray, External::Look, External::Byte, External::Structure]
        {
            self.plain(&format!("{};", external.declaration(n)));
        }
        self.globals();
        self.functions();
        self.pointers();
        self.function();
    }

    /// Objects with static storage.
    fn globals(&mut self) {
        let n = self.unit.number;
        let add = |writer: &mut Writer, text: String, kind: Kind, local: bool| writer.objects.push(Object { text, kind, local });
        for at in 0..1 + self.below(2) {
            let name = format!("g{at}_{n}");
            let first = self.below(4);
            self.plain(&format!("int {name} = {first};"));
            self.unit.shown.push(format!("int {name}"));
            self.unit.writable.push(name.clone());
            self.unit.addresses.push(("int", format!("&{name}")));
            add(self, name, Kind::Integer, false);
        }
        for at in 0..1 + self.below(2) {
            let name = format!("s{at}_{n}");
            let first = self.below(4);
            self.plain(&format!("static int {name} = {first};"));
            add(self, name, Kind::Integer, false);
            self.unit.features.insert(Feature::Static);
        }
        if self.often(4) {
            let name = format!("e_{n}");
            self.plain(&format!("extern int {name};"));
            self.unit.elsewhere = Some(name.clone());
            self.unit.writable.push(name.clone());
            self.unit.addresses.push(("int", format!("&{name}")));
            add(self, name, Kind::Integer, false);
        }
        if self.often(5) {
            let (name, shown) = (format!("t_{n}"), self.often(5));
            self.plain(&format!("{}int {name}[3];", if shown { "" } else { "static " }));
            if shown {
                self.unit.shown.push(format!("int {name}[3]"));
                self.unit.writable.extend((0..3).map(|at| format!("{name}[{at}]")));
                self.unit.addresses.push(("int", format!("&{name}[1]")));
                self.unit.addresses.push(("int", name.clone()));
            }
            add(self, name, Kind::Array, false);
        }
        if self.often(5) {
            let name = format!("v_{n}");
            self.plain(&format!("volatile int {name};"));
            self.unit.shown.push(format!("volatile int {name}"));
            self.unit.writable.push(name.clone());
            self.unit.signalled = Some(name.clone());
            add(self, name, Kind::Volatile, false);
        }
        if self.often(3) {
            let name = format!("c_{n}");
            self.plain(&format!("unsigned char {name} = 1;"));
            self.unit.shown.push(format!("unsigned char {name}"));
            self.unit.writable.push(name.clone());
            self.unit.addresses.push(("unsigned char", format!("&{name}")));
            add(self, name, Kind::Byte, false);
        }
        if self.often(3) {
            let name = format!("o_{n}");
            self.plain(&format!("struct S_{n} {name} = {{1, 2}};"));
            self.unit.shown.push(format!("struct S_{n} {name}"));
            self.unit.writable.extend([format!("{name}.a"), format!("{name}.b")]);
            self.unit.addresses.extend([("int", format!("&{name}.a")), ("struct", format!("&{name}"))]);
            add(self, name, Kind::Structure, false);
        }
        if self.often(2) {
            let name = format!("k_{n}");
            self.plain(&format!("const int {name} = 3;"));
            self.unit.shown.push(format!("const int {name}"));
            add(self, name, Kind::Constant, false);
        }
    }
}
