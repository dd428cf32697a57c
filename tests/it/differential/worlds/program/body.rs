//! The function that is looked at. It mostly probes: something is set, something else happens, and then it is asked what is there.

use super::{External, Feature, Kind, Object, Parameter, Writer};

/// The address of a place: of what a parameter points to, the parameter.
fn address_of(place: &str) -> String {
    let pointed = place.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')).or_else(|| place.strip_prefix('*'));
    pointed.map_or_else(|| format!("&{place}"), str::to_owned)
}

impl Writer {
    pub(super) fn function(&mut self) {
        let is_main = self.unit.function == "main";
        let parameters = if is_main { "void".to_owned() } else { self.parameters() };
        let name = self.unit.function.clone();
        self.plain(&format!("int {name}({parameters}) {{"));
        self.indent = 1;
        self.plain("int r = 0;");
        self.locals();
        for _ in 0..3 + self.below(3) {
            match self.below(10) {
                0 => self.machine(),
                1 => self.order(),
                2 => self.swapped(),
                3 => self.looped(),
                4 | 5 => self.meeting(),
                6 | 7 if self.calm => self.machine(),
                _ => self.probe(),
            }
        }
        self.leave("r");
        self.indent = 0;
        self.plain("}");
    }

    fn parameters(&mut self) -> String {
        let n = self.unit.number;
        let mut texts = Vec::new();
        for at in 0..1 + self.below(4) {
            let name = format!("p{at}");
            let (parameter, kind) = match self.below(10) {
                0 | 1 => (Parameter::Integer, Kind::Integer),
                2..=5 => (Parameter::Pointer("int"), Kind::Integer),
                6 => (Parameter::Pointer("unsigned"), Kind::Unsigned),
                7 => (Parameter::Pointer("unsigned char"), Kind::Byte),
                8 => (Parameter::Pointer("long"), Kind::Long),
                _ => (Parameter::Structure, Kind::Structure),
            };
            self.unit.parameters.push(parameter);
            let (declared, text, local) = match parameter {
                Parameter::Integer => (format!("int {name}"), name, true),
                Parameter::Pointer(ty) => (format!("{ty} *{name}"), format!("*{name}"), false),
                Parameter::Structure => (format!("struct S_{n} *{name}"), format!("(*{name})"), false),
            };
            texts.push(declared);
            self.objects.push(Object { text, kind, local });
        }
        if self.unit.parameters.iter().any(|parameter| *parameter != Parameter::Integer) {
            self.unit.features.insert(Feature::Aliasing);
        }
        texts.join(", ")
    }

    fn locals(&mut self) {
        let n = self.unit.number;
        let add = |writer: &mut Writer, declared: &str, text: &str, kind: Kind| {
            writer.plain(declared);
            writer.objects.push(Object { text: text.to_owned(), kind, local: true });
        };
        let first = self.below(4);
        add(self, &format!("int a = {first};"), "a", Kind::Integer);
        if self.often(5) {
            add(self, "int d[3] = {1, 2, 3};", "d", Kind::Array);
        }
        if self.often(5) {
            let first = self.below(3);
            add(self, &format!("static int n = {first};"), "n", Kind::Integer);
            self.unit.features.insert(Feature::Static);
        }
        if self.often(2) {
            add(self, "static int m[3];", "m", Kind::Array);
        }
        if self.often(2) {
            add(self, &format!("struct S_{n} z = {{1, 2}};"), "z", Kind::Structure);
        }
        if self.often(1) {
            add(self, "volatile int w = 0;", "w", Kind::Volatile);
        }
    }

    /// A place that can be read, and written unless it is a constant.
    fn place(&mut self, written: bool) -> String {
        let objects: Vec<Object> = self.objects.iter().filter(|object| !written || object.kind != Kind::Constant).cloned().collect();
        let object = self.one(&objects);
        self.part(&object)
    }

    fn part(&mut self, object: &Object) -> String {
        if object.kind == Kind::Volatile {
            self.unit.features.insert(Feature::Volatile);
        }
        match object.kind {
            Kind::Array => format!("{}[{}]", object.text, self.below(3)),
            Kind::Structure => format!("{}.{}", object.text, self.one(&["a", "b"])),
            _ => object.text.clone(),
        }
    }

    /// An expression without effects or conflicts.
    fn value(&mut self) -> String {
        match self.below(6) {
            0..=2 => self.below(10).to_string(),
            3 | 4 => self.place(false),
            _ => format!("({} & 7) + {}", self.place(false), self.below(3)),
        }
    }

    /// The address of an integer, and of how many integers more to both sides.
    fn address(&mut self) -> (String, bool) {
        let objects: Vec<Object> =
            (self.objects.iter()).filter(|object| matches!(object.kind, Kind::Integer | Kind::Array | Kind::Structure)).cloned().collect();
        let object = self.one(&objects);
        match object.kind {
            Kind::Array => (format!("&{}[1]", object.text), true),
            Kind::Structure => (format!("&{}.{}", object.text, self.one(&["a", "b"])), false),
            _ => (address_of(&object.text), false),
        }
    }

    /// A call that was noted with `V` and `I` in it.
    fn filled(&mut self, call: &str) -> String {
        let value = self.value();
        let address = self.address().0;
        call.replace('V', &value).replace('I', &address)
    }

    /// Something that happens, perhaps to the place.
    fn event(&mut self) {
        let n = self.unit.number;
        match if self.calm { 4 + self.below(5) } else { self.below(9) } {
            0 | 1 => {
                self.external(External::Tick);
                self.done(&format!("tick_{n}();"));
            }
            2 => {
                self.external(External::Value);
                let value = self.value();
                self.done(&format!("r = ext_{n}({value});"));
            }
            3 => self.giving_away(),
            4 => {
                let (place, value) = (self.place(true), self.value());
                self.done(&format!("{place} = {value};"));
            }
            5 | 6 if !self.acting.is_empty() => {
                let call = self.one(&self.acting.clone());
                let call = self.filled(&call);
                self.done(&format!("{call};"));
            }
            _ if !self.giving.is_empty() => {
                let call = self.one(&self.giving.clone());
                let call = self.filled(&call);
                self.done(&format!("r = {call};"));
            }
            _ => {
                let place = self.place(true);
                self.done(&format!("{place} = r;"));
            }
        }
    }

    fn giving_away(&mut self) {
        let n = self.unit.number;
        let structures: Vec<String> =
            self.objects.iter().filter(|object| object.kind == Kind::Structure).map(|object| object.text.clone()).collect();
        let bytes: Vec<String> = self.objects.iter().filter(|object| object.kind == Kind::Byte).map(|object| object.text.clone()).collect();
        let (external, call) = match self.below(8) {
            0 if !structures.is_empty() => (External::Structure, format!("box_{n}({});", address_of(&self.one(&structures)))),
            1 if !bytes.is_empty() => (External::Byte, format!("note_{n}({});", address_of(&self.one(&bytes)))),
            2 => (External::Look, format!("r = look_{n}({});", self.address().0)),
            _ => match self.address() {
                (address, true) => (External::KeepArray, format!("keepa_{n}({address});")),
                (address, false) => (External::Keep, format!("keep_{n}({address});")),
            },
        };
        self.external(external);
        self.done(&call);
    }

    fn condition(&mut self, place: &str, set: usize) -> String {
        let other = self.below(10);
        match self.below(8) {
            0 => format!("{place} == {}", self.place(false)),
            1 => format!("{place} == {other} && {} != {}", self.place(false), self.below(5)),
            2 => format!("{place} == {other} || {} == {}", self.place(false), self.below(8)),
            3 => format!("{place} {} {other}", self.one(&["<", ">", "<=", "!="])),
            4 => format!("{place} == {set}"),
            _ => format!("{place} == {other}"),
        }
    }

    fn block(&mut self, depth: u32) {
        self.indent += 1;
        match self.below(6) {
            0 => {
                let value = self.below(9);
                self.leave(&value.to_string());
            }
            1 => self.event(),
            2 if depth == 0 => self.decision(depth + 1),
            3 => {
                let (place, value) = (self.place(true), self.below(10));
                self.done(&format!("{place} = {value};"));
            }
            _ => {
                let value = self.below(90);
                self.done(&format!("r = {value};"));
            }
        }
        self.indent -= 1;
    }

    fn decision(&mut self, depth: u32) {
        let place = self.place(false);
        let set = self.below(6);
        let condition = self.condition(&place, set);
        self.sides(&condition, depth);
    }

    fn sides(&mut self, condition: &str, depth: u32) {
        self.plain(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.often(7) {
            self.plain("} else {");
            self.block(depth);
        }
        self.plain("}");
    }

    fn probe(&mut self) {
        let place = self.place(true);
        let set = self.below(10);
        if self.often(8) {
            self.done(&format!("{place} = {set};"));
        }
        for _ in 0..self.below(4) {
            self.event();
        }
        let condition = self.condition(&place, set);
        self.sides(&condition, 0);
    }

    /// Two objects are set that may be one.
    fn meeting(&mut self) {
        let pointed = |object: &&Object| object.text.contains('*') && object.kind != Kind::Structure;
        let pointed: Vec<Object> = self.objects.iter().filter(pointed).cloned().collect();
        if pointed.is_empty() {
            return self.probe();
        }
        let object = self.one(&pointed);
        let others: Vec<Object> =
            self.objects.iter().filter(|other| !other.local && **other != object && other.kind != Kind::Constant).cloned().collect();
        let other = self.one(&others);
        let (one, other) = (self.part(&object), self.part(&other));
        let (first, second) = if self.often(5) { (one, other) } else { (other, one) };
        let (before, behind) = (self.below(5), 5 + self.below(5));
        self.done(&format!("{first} = {before};"));
        self.done(&format!("{second} = {behind};"));
        if self.often(3) {
            self.event();
        }
        self.sides(&format!("{first} == {behind}"), 0);
    }

    /// A read and a call that changes what is read, and whether the call came first.
    fn swapped(&mut self) {
        let n = self.unit.number;
        let places: Vec<String> =
            (self.objects.iter()).filter(|object| object.kind == Kind::Integer).map(|object| object.text.clone()).collect();
        let place = self.one(&places);
        let (before, behind) = (self.below(10), 10 + self.below(6));
        self.done(&format!("{place} = {before};"));
        let call = format!("put_{n}({}, {behind})", address_of(&place));
        let (text, ordered) = if self.often(7) {
            (format!("r = sub_{n}({place}, {call});"), format!("r = sub_{n}(w1, w2);"))
        } else {
            (format!("r = ({place} & 15) - ({call} & 7);"), "r = (w1 & 15) - (w2 & 7);".to_owned())
        };
        self.unit.features.insert(Feature::Order);
        self.done_in_order(&text, &format!("{{ __auto_type w1 = {place}; __auto_type w2 = {call}; {ordered} }}"));
        self.sides(&format!("r == {}", behind - (behind & 3)), 0);
    }

    /// States from call to call.
    fn machine(&mut self) {
        let statics: Vec<String> = (self.objects.iter())
            .filter(|object| object.kind == Kind::Integer && (object.text.starts_with('s') || object.text == "n"))
            .map(|object| object.text.clone())
            .collect();
        let state = self.one(&statics);
        self.plain(&format!("switch ({state}) {{"));
        let first = self.below(3);
        for value in first..first + 2 + self.below(2) {
            self.plain(&format!("case {value}:"));
            self.indent += 1;
            let next = self.below(6);
            if self.often(5) {
                self.done(&format!("{state} = {next};"));
            } else {
                let place = self.place(false);
                self.plain(&format!("if ({place} == {}) {{", next));
                self.indent += 1;
                self.done(&format!("{state} = {};", value + 1));
                self.indent -= 1;
                self.plain("}");
            }
            self.plain("break;");
            self.indent -= 1;
        }
        self.plain("default:");
        self.indent += 1;
        self.done("r = 77;");
        self.indent -= 1;
        self.plain("}");
    }

    /// A loop that something outside ends, or that is counted.
    fn looped(&mut self) {
        self.names += 1;
        let (count, variable) = (format!("worlds_c{}", self.names), format!("i{}", self.names));
        let (header, last) = if self.often(6) {
            (format!("for (int {variable} = 0; {variable} < {}; {variable}++) {{", 1 + self.below(3)), None)
        } else {
            let place = self.place(false);
            (format!("while ({place} == {}) {{", self.below(3)), Some(place))
        };
        let hooked = format!("int {count} = 0; {header}");
        self.line(&header, hooked.clone(), hooked);
        self.indent += 1;
        for _ in 0..1 + self.below(2) {
            self.event();
        }
        if self.often(3) {
            self.decision(1);
        }
        if let Some(place) = last.filter(|place| !place.starts_with('k'))
            && self.often(5)
        {
            self.done(&format!("{place} = 5;"));
        }
        self.indent -= 1;
        self.line("}", format!("LOOP({count}); }}"), format!("LOOP({count}); }}"));
    }

    /// A statement whose evaluations conflict, and come in an order that C leaves open.
    fn order(&mut self) {
        let n = self.unit.number;
        let mut calls: Vec<String> = self.giving.clone();
        if calls.is_empty() || !self.calm {
            calls.push(format!("ext_{n}(V)"));
        }
        let operand = |writer: &mut Writer, always: bool| {
            if always || writer.often(5) {
                let call = writer.one(&calls);
                if call.starts_with("ext") {
                    writer.external(External::Value);
                }
                writer.filled(&call)
            } else {
                writer.place(false)
            }
        };
        let (left, right) =
            if self.often(5) { (operand(self, false), operand(self, true)) } else { (operand(self, true), operand(self, false)) };
        let place = self.place(true);
        let (text, ordered) = match self.below(5) {
            0 => (format!("r = ({left} & 15) - ({right} & 7);"), "r = (w1 & 15) - (w2 & 7);".to_owned()),
            1 => (format!("r = sub_{n}({left}, {right});"), format!("r = sub_{n}(w1, w2);")),
            2 => (format!("{place} ^= {right};"), String::new()),
            3 => (format!("r = ({left}) == ({right});"), "r = w1 == w2;".to_owned()),
            _ => (format!("r = ({left}) | ({right});"), "r = w1 | w2;".to_owned()),
        };
        let ordered = if ordered.is_empty() {
            format!("{{ __auto_type w1 = {place}; __auto_type w2 = {right}; {place} = w1 ^ w2; }}")
        } else {
            format!("{{ __auto_type w1 = {left}; __auto_type w2 = {right}; {ordered} }}")
        };
        self.unit.features.insert(Feature::Order);
        self.done_in_order(&text, &ordered);
        let condition = self.condition("r", 1);
        self.sides(&condition, 0);
    }
}
