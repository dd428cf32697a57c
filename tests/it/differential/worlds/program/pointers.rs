//! Pointers at file scope, which functions of the file, calls back and the other unit set, also to functions of their own; and parameters
//! that lead into one array, the second perhaps past its end.

use super::{Feature, Parameter, Writer};

/// What the program has of these.
#[derive(Default)]
pub struct Pointers {
    /// Pointers to integers that are tested and compared, pointers to functions, and to strings.
    addresses: Vec<String>,
    functions: Vec<String>,
    strings: Vec<String>,
    /// The parameters that lead into one array, and whether the function orders them.
    pub pair: Option<(String, String)>,
    pub ordered: bool,
}

impl Writer {
    /// Pointers at file scope with what sets them.
    pub(super) fn pointers(&mut self) {
        let n = self.unit.number;
        if !self.often(6) {
            return;
        }
        self.unit.features.insert(Feature::Pointers);
        self.plain(&format!("int twice_{n}(int x) {{ return (x & 7) * 2; }}"));
        self.plain(&format!("int half_{n}(int x) {{ return (x & 7) / 2; }}"));
        self.unit.shown.extend([format!("int twice_{n}(int x)"), format!("int half_{n}(int x)")]);
        if self.often(6) {
            let name = format!("q_{n}");
            self.plain(&format!("static int *{name};"));
            let other = self.one(&["g0", "s0"]);
            self.plain(&format!("void hold_{n}(int *p) {{ {name} = p; }}"));
            self.plain(&format!("void aim2_{n}(void) {{ {name} = &{other}_{n}; }}"));
            self.plain(&format!("void drop_{n}(void) {{ {name} = 0; }}"));
            self.known(&[("hold", "int *p", "I"), ("aim2", "void", ""), ("drop", "void", "")]);
            self.acting.push(format!("drop_{n}()"));
            self.addresses(name);
        }
        if self.often(4) {
            let name = format!("u_{n}");
            self.plain(&format!("int *{name};"));
            self.unit.shown.push(format!("int *{name}"));
            self.unit.acts.push(format!("{name} = worlds_draw(2) ? address_{n}() : 0;"));
            self.addresses(name);
        }
        if self.often(3) {
            let name = format!("z_{n}");
            self.plain(&format!("static int *{name}[2];"));
            self.plain(&format!("void fix_{n}(int *p, int m) {{ {name}[m & 1] = p; }}"));
            self.known(&[("fix", "int *p, int m", "I, V")]);
            self.addresses(format!("{name}[0]"));
            self.addresses(format!("{name}[r & 1]"));
        }
        if self.often(3) {
            let name = format!("y_{n}");
            self.plain(&format!("static int *{name};"));
            self.plain(&format!("static void through_{n}(int **to, int *p) {{ *to = p; }}"));
            self.plain(&format!("void reach_{n}(int *p) {{ through_{n}(&{name}, p); }}"));
            self.known(&[("reach", "int *p", "I")]);
            self.addresses(name);
        }
        if self.often(5) {
            let name = format!("h_{n}");
            let first = if self.often(3) { format!(" = half_{n}") } else { String::new() };
            self.plain(&format!("static int (*{name})(int){first};"));
            self.plain(&format!("void on_{n}(int (*c)(int)) {{ {name} = c; }}"));
            self.unit.shown.push(format!("void on_{n}(int (*c)(int))"));
            let given = [format!("theirs_{n}"), format!("twice_{n}"), format!("half_{n}"), "0".to_owned()];
            self.unit.acts.extend(given.map(|function| format!("on_{n}({function});")));
            self.pointers.functions.push(name);
        }
        if self.often(4) {
            let name = format!("x_{n}");
            self.plain(&format!("int (*{name})(int) = twice_{n};"));
            self.unit.shown.push(format!("int (*{name})(int)"));
            self.unit.acts.push(format!("{name} = worlds_draw(3) ? theirs_{n} : worlds_draw(2) ? half_{n} : 0;"));
            self.pointers.functions.push(name);
        }
        if self.often(3) {
            let name = format!("b_{n}");
            self.plain(&format!("static int (*{name})(int) = twice_{n};"));
            self.plain(&format!("void turn_{n}(int m) {{ {name} = m & 1 ? half_{n} : twice_{n}; }}"));
            self.known(&[("turn", "int m", "V")]);
            self.acting.push(format!("turn_{n}(V)"));
            self.pointers.functions.push(name);
        }
        if self.often(4) {
            let name = format!("m_{n}");
            self.plain(&format!("static const char *{name} = \"ab\";"));
            self.plain(&format!("void mode_{n}(int m) {{ if (m & 1) {name} = \"xy\"; else {name} = m & 2 ? 0 : \"cb\"; }}"));
            self.known(&[("mode", "int m", "V")]);
            self.acting.push(format!("mode_{n}(V)"));
            self.pointers.strings.push(name);
        }
        if self.often(4) {
            let name = format!("w_{n}");
            self.plain(&format!("const char *{name} = \"ab\";"));
            self.unit.shown.push(format!("const char *{name}"));
            self.unit.acts.push(format!("{name} = worlds_draw(2) ? \"xz\" : worlds_draw(2) ? \"cb\" : 0;"));
            self.pointers.strings.push(name);
        }
        if self.often(3) {
            let name = format!("l_{n}");
            self.plain(&format!("static const char *{name};"));
            self.plain(&format!("void label_{n}(const char *p) {{ {name} = p; }}"));
            self.unit.shown.push(format!("void label_{n}(const char *p)"));
            self.unit.acts.push(format!("label_{n}(worlds_draw(2) ? \"xb\" : 0);"));
            self.addresses(name);
        }
        // Nothing sets these.
        if self.often(3) {
            let name = format!("j_{n}");
            let constant = self.one(&["", "const "]);
            self.plain(&format!("static const char *{constant}{name}[] = {{\"ab\", \"cb\"}};"));
            self.pointers.strings.push(format!("{name}[r & 1]"));
        }
    }

    fn addresses(&mut self, name: String) {
        self.pointers.addresses.push(name);
    }

    /// Functions that others can call, with their parameters and the arguments.
    fn known(&mut self, functions: &[(&str, &str, &str)]) {
        let n = self.unit.number;
        for (name, parameters, arguments) in functions {
            self.unit.shown.push(format!("void {name}_{n}({parameters})"));
            self.unit.calls.push(format!("{name}_{n}({arguments})"));
        }
    }

    /// Parameters that lead into one array.
    pub(super) fn pair(&mut self, texts: &mut Vec<String>) {
        if !self.often(4) {
            return;
        }
        let (first, second) = (format!("p{}", texts.len()), format!("p{}", texts.len() + 1));
        self.pointers.ordered = self.often(6);
        self.unit.parameters.push(Parameter::First);
        self.unit.parameters.push(Parameter::Second { is_apart: !self.pointers.ordered });
        texts.extend([format!("int *{first}"), format!("int *{second}")]);
        self.pointers.pair = Some((first, second));
        self.unit.features.insert(Feature::Pair);
    }

    /// Whether there is something of these to ask for.
    pub(super) fn has_pointers(&self) -> bool {
        let Pointers { addresses, functions, strings, .. } = &self.pointers;
        !(addresses.is_empty() && functions.is_empty() && strings.is_empty())
    }

    /// What a pointer at file scope is.
    pub(super) fn pointed(&mut self) {
        let n = self.unit.number;
        let (addresses, functions, strings) =
            (self.pointers.addresses.clone(), self.pointers.functions.clone(), self.pointers.strings.clone());
        let kinds: Vec<u32> = [!addresses.is_empty(), !functions.is_empty(), !strings.is_empty()]
            .into_iter()
            .zip(0..)
            .filter_map(|(is_there, kind)| is_there.then_some(kind))
            .collect();
        match self.one(&kinds) {
            0 => {
                let name = self.one(&addresses);
                if self.often(3) && !name.contains("[r") {
                    self.done(&format!("{name} = 0;"));
                }
                for _ in 0..self.below(3) {
                    self.event();
                }
                let other = self.one(&addresses);
                let condition = match self.below(5) {
                    0 => format!("!{name}"),
                    1 if name != other && !name.starts_with('l') && !other.starts_with('l') => format!("{name} == {other}"),
                    2 => format!("{name} && r == {}", self.below(4)),
                    3 => format!("{name} == 0"),
                    _ => name,
                };
                self.sides(&condition, 0);
            }
            1 => {
                let name = self.one(&functions);
                let condition = match self.below(4) {
                    0 => format!("{name} == half_{n}"),
                    1 => format!("{name} != twice_{n}"),
                    _ => name.clone(),
                };
                self.plain(&format!("if ({condition}) {{"));
                self.indent += 1;
                self.done("r = 5;");
                let value = self.value();
                self.plain(&format!("if ({name}) {{"));
                self.indent += 1;
                self.done(&format!("r = {name}({value});"));
                let given = self.below(9);
                self.sides(&format!("r == {given}"), 1);
                self.indent -= 1;
                self.plain("}");
                self.indent -= 1;
                self.plain("}");
            }
            _ => {
                let name = self.one(&strings);
                for _ in 0..self.below(2) {
                    self.event();
                }
                let (at, character) = (self.below(2), self.one(&['a', 'b', 'c', 'x', 'z', 'q']));
                let condition = match self.below(4) {
                    0 => format!("!{name}"),
                    1 => name.to_string(),
                    _ => format!("{name} && {name}[{at}] == '{character}'"),
                };
                self.sides(&condition, 0);
            }
        }
    }

    /// How two parameters lie to each other.
    pub(super) fn paired(&mut self) {
        let Some((first, second)) = self.pointers.pair.clone() else { return };
        let way = self.below(3);
        if !self.pointers.ordered {
            return match self.below(3) {
                0 => self.sides(&format!("{first} == {second}"), 0),
                1 => self.sides(&format!("{first} + {way} != {second}"), 0),
                _ => {
                    self.both_set(&first, &second);
                    self.sides(&format!("{first} == {second}"), 0);
                }
            };
        }
        match self.below(6) {
            0 => {
                self.names += 1;
                let (count, moving) = (format!("worlds_c{}", self.names), format!("i{}", self.names));
                let header = format!("for (int *{moving} = {first}; {moving} < {second}; {moving}++) {{");
                let hooked = format!("int {count} = 0; {header}");
                self.line(&header, hooked.clone(), hooked);
                self.indent += 1;
                self.done(&format!("r = *{moving};"));
                let value = self.below(4);
                self.sides(&format!("*{moving} == {value}"), 1);
                if self.often(3) {
                    self.event();
                }
                self.indent -= 1;
                self.line("}", format!("LOOP({count}); }}"), format!("LOOP({count}); }}"));
            }
            1 => self.sides(&format!("{second} - {first} == {way}"), 0),
            2 => {
                self.both_set(&first, &second);
                self.sides(&format!("{first} < {second}"), 0);
            }
            3 => self.sides(&format!("{first} >= {second} && {first} + {way} <= {second}"), 0),
            4 => self.sides(&format!("{first} > {second} || {first} + {way} == {second}"), 0),
            _ => self.sides(&format!("{first} < {second}"), 0),
        }
    }

    fn both_set(&mut self, first: &str, second: &str) {
        let (before, behind) = (self.below(4), 4 + self.below(4));
        self.done(&format!("*{first} = {before};"));
        self.done(&format!("*{second} = {behind};"));
        self.sides(&format!("*{first} == {behind}"), 0);
    }
}
