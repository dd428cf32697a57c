//! Programs at random whose statics are related: ring buffers, an owner with a depth, counters with their sum, flags that exclude each
//! other, a count with an index; written by several functions, which keep the relation or (by a fault) do not.
//!
//! Each has a function `look` that decides on its statics, and others that change them. Whatever values are passed, nothing overflows, so
//! each sequence of calls is defined. Each statement that reports when it is executed stands on its own line.

use super::draw::Random;
use std::collections::BTreeSet;

/// A program.
pub struct Program {
    /// The text without reports, and with `H(LINE);` after statements; the lines are the same.
    pub plain: String,
    pub hooked: String,
    pub reporting: BTreeSet<u32>,
    /// The functions that others can call, each with whether it has a parameter; `look` is the first.
    pub functions: Vec<(String, bool)>,
}

struct Writer {
    random: Random,
    plain: Vec<String>,
    hooked: Vec<String>,
    reporting: BTreeSet<u32>,
    functions: Vec<(String, bool)>,
    /// Conditions for `look` on the statics so far.
    conditions: Vec<String>,
    values: i32,
}

/// The program with this number.
pub fn program(number: u64) -> Program {
    let mut writer = Writer {
        random: Random::new("related", number),
        plain: Vec::new(),
        hooked: Vec::new(),
        reporting: BTreeSet::new(),
        functions: vec![("look".to_owned(), true)],
        conditions: Vec::new(),
        values: 0,
    };
    let kinds = [Writer::ring, Writer::owner, Writer::counters, Writer::flags, Writer::stack, Writer::machine];
    let first = writer.below(kinds.len());
    kinds[first](&mut writer, 'a');
    if writer.below(4) == 0 {
        let second = writer.below(kinds.len());
        kinds[second](&mut writer, 'b');
    }
    writer.look();
    let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect();
    let (plain, hooked) = (text(&writer.plain), text(&writer.hooked));
    Program { plain, hooked, reporting: writer.reporting, functions: writer.functions }
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    /// Whether the program has a fault here: seldom.
    fn wrong(&mut self) -> bool {
        self.below(8) == 0
    }

    fn one(&mut self, of: &[&str]) -> String {
        of[self.below(of.len())].to_owned()
    }

    fn line(&mut self, text: &str) {
        self.plain.push(text.to_owned());
        self.hooked.push(text.to_owned());
    }

    /// A statement that reports.
    fn done(&mut self, text: &str) {
        let number = self.plain.len() as u32 + 1;
        self.reporting.insert(number);
        self.plain.push(text.to_owned());
        self.hooked.push(format!("{{ {text} H({number}); }}"));
    }

    /// A return that reports.
    fn leave(&mut self) {
        self.values += 1;
        let (number, value) = (self.plain.len() as u32 + 1, self.values);
        self.reporting.insert(number);
        self.plain.push(format!("return {value};"));
        self.hooked.push(format!("{{ H({number}); return {value}; }}"));
    }

    fn function(&mut self, name: &str, has_parameter: bool, body: impl FnOnce(&mut Writer)) {
        let parameter = if has_parameter { "int x" } else { "void" };
        // Some are called by others of the file alone.
        let hidden = self.below(6) == 0;
        let qualifier = if hidden { "static " } else { "" };
        self.line(&format!("{qualifier}int {name}({parameter}) {{"));
        body(self);
        self.line("return 0;");
        self.line("}");
        if hidden {
            let outer = format!("{name}_twice");
            let call = if has_parameter { format!("{name}(x)") } else { format!("{name}()") };
            self.line(&format!("int {outer}({parameter}) {{"));
            self.line(&format!("if ({call} == 0)"));
            self.done(&format!("{call};"));
            self.line("return 0;");
            self.line("}");
            self.functions.push((outer, has_parameter));
        } else {
            self.functions.push((name.to_owned(), has_parameter));
        }
    }

    /// `head - tail <= N`, modulo the type.
    fn ring(&mut self, k: char) {
        let ty = self.one(&["unsigned", "unsigned char", "unsigned short", "unsigned"]);
        let size = 1usize << (1 + self.below(3));
        let (start, guard) = (self.one(&["0", "0", "250", "65530"]), if self.wrong() { ">" } else { "==" });
        let start =
            if ty == "unsigned char" && start == "65530" || ty == "unsigned short" && start == "250" { "7".to_owned() } else { start };
        self.line(&format!("static {ty} head_{k} = {start}, tail_{k} = {start};"));
        self.line(&format!("static int cells_{k}[{size}];"));
        self.function(&format!("put_{k}"), true, |writer| {
            writer.line(&format!("if (({ty})(head_{k} - tail_{k}) {guard} {size})"));
            writer.leave();
            writer.line(&format!("cells_{k}[head_{k} % {size}] = x & 7;"));
            writer.done(&format!("head_{k}++;"));
        });
        self.function(&format!("get_{k}"), false, |writer| {
            if !writer.wrong() {
                writer.line(&format!("if (head_{k} == tail_{k})"));
                writer.leave();
            }
            writer.done(&format!("tail_{k}++;"));
        });
        self.conditions.extend([
            format!("({ty})(head_{k} - tail_{k}) > {size}"),
            format!("({ty})(head_{k} - tail_{k}) == {size}"),
            format!("head_{k} == tail_{k} && cells_{k}[0] > 7"),
            format!("tail_{k} > head_{k} && head_{k} > {}", size + 100),
        ]);
    }

    /// `owner == 0` iff `depth == 0`.
    fn owner(&mut self, k: char) {
        let most = 2 + self.below(4);
        let resets = !self.wrong();
        self.line(&format!("static int owner_{k}, depth_{k};"));
        self.function(&format!("lock_{k}"), true, |writer| {
            writer.line("if (x <= 0 || x > 3)");
            writer.leave();
            writer.line(&format!("if (owner_{k} == 0) {{"));
            writer.line(&format!("owner_{k} = x;"));
            writer.done(&format!("depth_{k} = 1;"));
            writer.line(&format!("}} else if (owner_{k} == x && depth_{k} < {most})"));
            writer.done(&format!("depth_{k} = depth_{k} + 1;"));
        });
        self.function(&format!("unlock_{k}"), true, |writer| {
            writer.line(&format!("if (owner_{k} != x || x == 0)"));
            writer.leave();
            writer.done(&format!("depth_{k} = depth_{k} - 1;"));
            if resets {
                writer.line(&format!("if (depth_{k} == 0)"));
                writer.done(&format!("owner_{k} = 0;"));
            } else {
                writer.line(&format!("if (depth_{k} <= 1)"));
                writer.done(&format!("owner_{k} = 0;"));
                writer.line(&format!("if (depth_{k} < 0)"));
                writer.done(&format!("depth_{k} = 0;"));
            }
        });
        self.conditions.extend([
            format!("owner_{k} == 0 && depth_{k} != 0"),
            format!("owner_{k} != 0 && depth_{k} == 0"),
            format!("depth_{k} > {most}"),
            format!("depth_{k} == {most} && owner_{k} == 2"),
            format!("owner_{k} > 3"),
        ]);
    }

    /// `locks == unlocks + held`.
    fn counters(&mut self, k: char) {
        let ty = self.one(&["unsigned", "unsigned char", "unsigned"]);
        let most = 1 + self.below(4);
        let wrong = self.wrong();
        self.line(&format!("static {ty} locks_{k}, unlocks_{k}, held_{k};"));
        self.function(&format!("take_{k}"), false, |writer| {
            writer.line(&format!("if (held_{k} < {most}) {{"));
            writer.line(&format!("locks_{k}++;"));
            writer.done(&format!("held_{k}++;"));
            writer.line("}");
        });
        self.function(&format!("give_{k}"), true, |writer| {
            writer.line(&format!("if (held_{k} > 0) {{"));
            writer.done(&format!("held_{k}--;"));
            if wrong {
                writer.line("if (x < 5)");
            }
            writer.done(&format!("unlocks_{k}++;"));
            writer.line("}");
        });
        self.conditions.extend([
            format!("locks_{k} != ({ty})(unlocks_{k} + held_{k})"),
            format!("held_{k} > {most}"),
            format!("held_{k} == {most} && unlocks_{k} == 1"),
            format!("({ty})(locks_{k} - unlocks_{k}) > {most}"),
        ]);
    }

    /// Two flags that exclude each other.
    fn flags(&mut self, k: char) {
        let wrong = self.wrong();
        self.line(&format!("static int red_{k}, green_{k};"));
        self.function(&format!("go_{k}"), true, |writer| {
            writer.line("if (x > 3) {");
            if !wrong {
                writer.line(&format!("red_{k} = 0;"));
            }
            writer.done(&format!("green_{k} = 1;"));
            writer.line("}");
        });
        self.function(&format!("stop_{k}"), true, |writer| {
            writer.line("if (x < 3) {");
            writer.line(&format!("green_{k} = 0;"));
            writer.done(&format!("red_{k} = x == 1 ? 2 : 1;"));
            writer.line("}");
        });
        self.conditions.extend([
            format!("red_{k} && green_{k}"),
            format!("red_{k} > 2"),
            format!("red_{k} == 2 && !green_{k}"),
            format!("green_{k} > red_{k} + 1"),
        ]);
    }

    /// A count and an index.
    fn stack(&mut self, k: char) {
        let size = 1usize << (1 + self.below(2));
        let guard = if self.wrong() { ">" } else { "==" };
        self.line(&format!("static unsigned char first_{k}, count_{k};"));
        self.line(&format!("static int item_{k}[{size}];"));
        self.function(&format!("push_{k}"), true, |writer| {
            writer.line(&format!("if (count_{k} {guard} {size})"));
            writer.leave();
            writer.line(&format!("item_{k}[(first_{k} + count_{k}) & {}] = x & 3;", size - 1));
            writer.done(&format!("count_{k}++;"));
        });
        self.function(&format!("pop_{k}"), false, |writer| {
            writer.line(&format!("if (count_{k} == 0)"));
            writer.leave();
            writer.line(&format!("first_{k} = (first_{k} + 1) & {};", size - 1));
            writer.done(&format!("count_{k}--;"));
        });
        self.conditions.extend([
            format!("count_{k} > {size}"),
            format!("first_{k} > {}", size - 1),
            format!("count_{k} == {size} && first_{k} == 1"),
            format!("count_{k} == 0 && item_{k}[0] > 3"),
        ]);
    }

    /// States, of which a loop and a `switch` go through some.
    fn machine(&mut self, k: char) {
        let (last, rounds) = (2 + self.below(3), 1 + self.below(3));
        self.line(&format!("enum {{ S0_{k}, S1_{k}, S2_{k}, S3_{k}, S4_{k}, S5_{k} }};"));
        self.line(&format!("static int state_{k} = S0_{k}, steps_{k};"));
        self.function(&format!("step_{k}"), true, |writer| {
            writer.line(&format!("switch (state_{k}) {{"));
            writer.line(&format!("case S0_{k}: if (x == 1) {{"));
            writer.done(&format!("state_{k} = S1_{k};"));
            writer.line(&format!("}} break;\ncase S1_{k}: if (x > 4) {{").replace('\n', " "));
            writer.done(&format!("state_{k} = S{last}_{k};"));
            writer.line("} break;");
            writer.line("default:");
            writer.done(&format!("state_{k} = S0_{k};"));
            writer.line("}");
            writer.line(&format!("steps_{k} = 0;"));
            writer.line(&format!("for (int i = 0; i < {rounds} && i < x; i++)"));
            writer.done(&format!("steps_{k} += 2;"));
        });
        self.conditions.extend([
            format!("state_{k} == S5_{k}"),
            format!("state_{k} == S{last}_{k} && steps_{k} > 0"),
            format!("steps_{k} == 3"),
            format!("steps_{k} > {}", 2 * rounds),
        ]);
    }

    /// The function that is looked at.
    fn look(&mut self) {
        self.line("int look(int x) {");
        self.line("int r = 0;");
        let conditions = std::mem::take(&mut self.conditions);
        for condition in &conditions {
            self.line(&format!("if ({condition})"));
            self.done("r = r + 1;");
        }
        self.line("if (x > 5 && x < 3)");
        self.done("r = 9;");
        self.line("if (x == 77)");
        self.done("r = 8;");
        self.line("return r;");
        self.line("}");
    }
}
