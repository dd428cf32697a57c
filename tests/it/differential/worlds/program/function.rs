//! Functions beside the one that is looked at: some of them others can call, too.

use super::{External, Kind, Writer};

/// The function that sets what it is given the address of.
const PUT: u32 = 2;
/// The function that gives the address of a static away.
const GIVE: u32 = 4;

impl Writer {
    pub(super) fn functions(&mut self) {
        let n = self.unit.number;
        self.other(PUT);
        let mut left: Vec<u32> = (0..9).filter(|kind| *kind != PUT).collect();
        for _ in 0..2 + self.below(4) {
            let at = self.below(left.len());
            let kind = left.remove(at);
            if kind != GIVE || !self.calm {
                self.other(kind);
            }
        }
        self.plain(&format!("int sub_{n}(int a, int b) {{ return (a & 15) - (b & 7); }}"));
    }

    /// An integer with static storage, with this kind of a name if there is one: `s` is static.
    fn global(&mut self, letters: &str) -> String {
        let fits = |text: &str| text.starts_with(|c| letters.contains(c));
        let of: Vec<String> = self
            .objects
            .iter()
            .filter(|object| object.kind == Kind::Integer && fits(&object.text))
            .map(|object| object.text.clone())
            .collect();
        self.one(&of)
    }

    /// A place in the array, or an integer.
    fn element(&mut self) -> String {
        let array = self.objects.iter().find(|object| object.kind == Kind::Array).map(|object| object.text.clone());
        match array {
            Some(array) if self.often(5) => format!("{array}[{}]", self.below(3)),
            _ => self.global("s"),
        }
    }

    fn other(&mut self, kind: u32) {
        let n = self.unit.number;
        // Static: the others cannot call it.
        let own = self.often(2);
        let define = |writer: &mut Writer, returns: &str, name: &str, parameters: &str, body: &str, call: &str| {
            let storage = if own { "static " } else { "" };
            writer.plain(&format!("{storage}{returns}{name}_{n}({parameters}) {{ {body} }}"));
            if !own {
                writer.unit.shown.push(format!("{returns}{name}_{n}({parameters})"));
                writer.unit.calls.push(call.to_owned());
            }
            let list = if returns == "int " { &mut writer.giving } else { &mut writer.acting };
            if returns != "int *" {
                list.push(call.to_owned());
            }
        };
        match kind {
            0 => {
                let place = self.element();
                define(self, "void ", "set", "int m", &format!("{place} = m & 15;"), &format!("set_{n}(V)"));
            }
            1 => {
                let place = self.global("gs");
                define(self, "int ", "inc", "void", &format!("{place} = ({place} & 7) + 1; return {place};"), &format!("inc_{n}()"));
            }
            PUT => define(self, "int ", "put", "int *p, int m", "*p = m & 15; return m & 3;", &format!("put_{n}(I, V)")),
            3 => {
                let place = self.element();
                define(self, "int *", "show", "void", &format!("return &{place};"), &format!("worlds_keep(show_{n}(), 0, 0)"));
            }
            GIVE => {
                let place = self.element();
                self.external(External::Keep);
                define(self, "void ", "give", "void", &format!("keep_{n}(&{place});"), &format!("give_{n}()"));
            }
            5 => {
                let place = self.element();
                self.plain(&format!("int *place_{n};"));
                self.unit.shown.push(format!("int *place_{n}"));
                self.unit.writable.push(format!("if (place_{n}) *place_{n}"));
                define(self, "void ", "aim", "void", &format!("place_{n} = &{place};"), &format!("aim_{n}()"));
                // In the function that is looked at addresses are followed, and this pointer cannot be.
                self.acting.retain(|call| !call.starts_with("aim"));
            }
            6 => {
                let (place, from, to) = (self.global("s"), self.below(4), self.below(12));
                let body = format!("if ({place} == {from}) {place} = {to};");
                define(self, "void ", "step", "void", &body, &format!("step_{n}()"));
            }
            7 => {
                let place = self.element();
                define(self, "int ", "get", "void", &format!("return {place};"), &format!("get_{n}()"));
            }
            _ => {
                let place = self.global("gs");
                let body = format!("static int n = 1; n = (n & 3) + 1; {place} = n; return n;");
                define(self, "int ", "next", "void", &body, &format!("next_{n}()"));
            }
        }
    }
}
