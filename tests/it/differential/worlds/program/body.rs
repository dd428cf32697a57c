//! The function that is looked at. It mostly probes: something is set, something else happens, and then it is asked what is there.

use super::{External, Feature, Kind, Object, Parameter, Writer};

/// The address of a place: of what a parameter points to, the parameter.
pub(super) fn address_of(place: &str) -> String {
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
        if self.pointers.pair.is_some() {
            self.paired();
        }
        for _ in 0..3 + self.below(3) {
            if self.has_pointers() && self.often(4) {
                self.pointed();
                continue;
            }
            if self.pointers.pair.is_some() && self.often(3) {
                self.paired();
                continue;
            }
            match self.below(10) {
                0 => self.machine(),
                1 => self.order(),
                2 => self.swapped(),
                3 => self.looped(),
                4 | 5 => self.meeting(),
                6 if !self.calm => self.given(),
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
                2..=4 => (Parameter::Pointer("int"), Kind::Integer),
                5 => (Parameter::Pointer("unsigned"), Kind::Unsigned),
                6 | 7 => (Parameter::Pointer("unsigned char"), Kind::Byte),
                8 => (Parameter::Pointer("long"), Kind::Long),
                _ => (Parameter::Structure, Kind::Structure),
            };
            self.unit.parameters.push(parameter);
            let (declared, text, local) = match parameter {
                Parameter::Integer => (format!("int {name}"), name, true),
                Parameter::Pointer(ty) => (format!("{ty} *{name}"), format!("*{name}"), false),
                _ => (format!("struct S_{n} *{name}"), format!("(*{name})"), false),
            };
            texts.push(declared);
            self.objects.push(Object { text, kind, local });
        }
        self.pair(&mut texts);
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
    pub(super) fn place(&mut self, written: bool) -> String {
        let objects: Vec<Object> = self.objects.iter().filter(|object| !written || object.kind != Kind::Constant).cloned().collect();
        let object = self.one(&objects);
        self.part(&object)
    }

    pub(super) fn part(&mut self, object: &Object) -> String {
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
    pub(super) fn value(&mut self) -> String {
        match self.below(6) {
            0..=2 => self.below(10).to_string(),
            3 | 4 => self.place(false),
            _ => format!("({} & 7) + {}", self.place(false), self.below(3)),
        }
    }

    /// The address of an integer, and of how many integers more to both sides.
    pub(super) fn address(&mut self) -> (String, bool) {
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
    pub(super) fn filled(&mut self, call: &str) -> String {
        let value = self.value();
        let address = self.address().0;
        call.replace('V', &value).replace('I', &address)
    }

    /// Something that happens, perhaps to the place.
    pub(super) fn event(&mut self) {
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

    pub(super) fn condition(&mut self, place: &str, set: usize) -> String {
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

    pub(super) fn decision(&mut self, depth: u32) {
        let place = self.place(false);
        let set = self.below(6);
        let condition = self.condition(&place, set);
        self.sides(&condition, depth);
    }

    pub(super) fn sides(&mut self, condition: &str, depth: u32) {
        self.plain(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.often(7) {
            self.plain("} else {");
            self.block(depth);
        }
        self.plain("}");
    }
}
