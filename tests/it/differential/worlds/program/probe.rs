//! What is set and asked: objects that something may change between, states from call to call, loops, orders, objects that may be one.

use super::body::address_of;
use super::{External, Feature, Kind, Object, Writer};

impl Writer {
    pub(super) fn probe(&mut self) {
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

    /// An object whose address was given away is set, and a call comes after that.
    pub(super) fn given(&mut self) {
        let n = self.unit.number;
        self.external(External::Keep);
        self.external(External::Tick);
        let of: Vec<Object> = self.objects.iter().filter(|object| object.kind == Kind::Integer).cloned().collect();
        let place = self.one(&of).text;
        let (before, behind) = (self.below(5), 5 + self.below(5));
        self.done(&format!("keep_{n}({});", address_of(&place)));
        self.done(&format!("{place} = {before};"));
        self.done(&format!("tick_{n}();"));
        self.sides(&format!("{place} == {behind}"), 0);
    }

    /// Two objects are set that may be one.
    pub(super) fn meeting(&mut self) {
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
    pub(super) fn swapped(&mut self) {
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
    pub(super) fn machine(&mut self) {
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
        if self.often(5) {
            let never = 6 + self.below(4);
            self.sides(&format!("{state} == {never}"), 0);
        }
    }

    /// A loop that something outside ends, or that is counted.
    pub(super) fn looped(&mut self) {
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
    pub(super) fn order(&mut self) {
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
