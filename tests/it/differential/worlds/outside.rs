//! The unit beside the one that is looked at: functions that the other only declares. They write what they can name and what they were
//! given the address of, now or earlier, call back, raise a signal, and give any value. Beside them stands what starts the calls.

use super::program::{External, Parameter, Unit};
use std::fmt::Write as _;

/// A test that a harness can run: statements that set what it starts with, and the call.
pub struct Replay {
    pub statements: Vec<String>,
    /// Lines that it executes.
    pub lines: Vec<u32>,
    /// Whether other calls come first.
    pub is_sequence: bool,
    pub input: String,
}

/// The text of the other unit, and the name of its entry in the table of programs.
pub fn text(unit: &Unit, replays: &[Replay]) -> String {
    let n = unit.number;
    let mut text = format!("struct S_{n} {{ int a; int b; }};\n");
    for shown in &unit.shown {
        let _ = writeln!(text, "extern {shown};");
    }
    if let Some(name) = &unit.elsewhere {
        let _ = writeln!(text, "int {name} = 2;");
    }
    let _ = writeln!(text, "static int call_{n}(void);");
    let _ = writeln!(text, "static int own_{n}[4];\nstatic unsigned whole_{n};\nstatic long wide_{n};\nstatic unsigned char byte_{n};");
    let _ = writeln!(text, "static struct S_{n} both_{n}[2];");
    // As long as two pointers lead apart, with room on both sides.
    let _ = writeln!(text, "static int line_{n}[16], line2_{n}[16];\nstatic int theirs_{n}(int x);");
    text.push_str(&acts(unit));
    let _ = writeln!(text, "static int theirs_{n}(int x) {{ (void)x; worlds_say(\"their own function\"); acts_{n}(); return V; }}");
    for &external in &unit.externals {
        text.push_str(&body(external, n));
    }
    if unit.function == "main" {
        let _ = writeln!(text, "int main_{n}(void);");
        let _ = writeln!(text, "static int call_{n}(void) {{ return 0; }}");
        let _ = writeln!(
            text,
            "static void drive_{n}(void) {{ struct worlds_frame frame; worlds_enter(&frame); main_{n}(); worlds_leave(&frame); }}"
        );
    } else {
        text.push_str(&calls(unit));
    }
    let _ = writeln!(text, "static void replay_{n}(int test) {{\n  struct worlds_frame frame;\n  switch (test) {{");
    for (at, replay) in replays.iter().enumerate() {
        let _ = writeln!(text, "    case {at}: {{");
        for (place, statement) in replay.statements.iter().enumerate() {
            // The call comes last.
            let is_call = place + 1 == replay.statements.len();
            let _ = writeln!(text, "      {}{statement}", if is_call { "worlds_enter(&frame); " } else { "" });
        }
        let _ = writeln!(text, "      worlds_leave(&frame);\n      break;\n    }}");
    }
    let signalled = unit.signalled.as_ref().map_or_else(String::new, |place| format!("{place} = V;"));
    let _ = writeln!(text, "  }}\n}}\nstatic void signalled_{n}(void) {{ {signalled} }}");
    let _ = writeln!(text, "const struct worlds_program program_{n} = {{{n}, drive_{n}, {}, replay_{n}, signalled_{n}}};\n", replays.len());
    text
}

/// Something that the other unit does: one of what it can do.
fn acts(unit: &Unit) -> String {
    let n = unit.number;
    let mut done: Vec<String> = Vec::new();
    for place in &unit.writable {
        let at = place.trim_start_matches(|c| c != ')').trim_start_matches([')', ' ']);
        let name = if at.is_empty() { place } else { at };
        done.push(format!("value = V; {place} = value; worlds_say(\"{name} = %d\", value); worlds_did(BY_NAME);"));
    }
    for call in &unit.calls {
        let call = call.replace('I', &format!("address_{n}()"));
        let call = if call.contains("(V") || call.contains(", V") { call.replace('V', "value") } else { call };
        done.push(format!(
            "value = V; worlds_say(\"calls {}, value %d\", value); worlds_did(CALLED_BACK); {call};",
            call.split('(').next().unwrap_or("")
        ));
    }
    done.extend(unit.acts.iter().map(|act| format!("worlds_say(\"{}\"); worlds_did(BY_NAME); {act}", act.replace('"', "'"))));
    if unit.signalled.is_some() {
        done.push("worlds_raise();".to_owned());
    }
    if unit.function != "main" {
        done.push(format!("if (worlds_depth < 3) call_{n}();"));
    }
    // It matters most what becomes of addresses.
    done.extend(std::iter::repeat_n("worlds_write();".to_owned(), 4));
    done.push(format!("own_{n}[worlds_draw(4)] = V;"));
    let mut text =
        format!("static int *address_{n}(void) {{ int *p = worlds_kept(); return p && worlds_draw(2) ? p : own_{n} + worlds_draw(4); }}\n");
    let _ = writeln!(text, "static void act_{n}(void) {{\n  int value;\n  (void)value;\n  if (!worlds_may()) return;");
    let _ = writeln!(text, "  switch (worlds_draw({})) {{", done.len());
    for (at, statement) in done.iter().enumerate() {
        let _ = writeln!(text, "    case {at}: {statement} break;");
    }
    let _ = writeln!(text, "  }}\n}}");
    let _ = writeln!(
        text,
        "static void acts_{n}(void) {{\n  if (worlds_world & QUIET) return;\n  for (int left = worlds_draw(4); left > 0; left--) act_{n}();\n}}"
    );
    text
}

fn body(external: External, n: u64) -> String {
    let declaration = external.declaration(n);
    let keep = match external {
        External::Value | External::Tick => "",
        External::Keep => "worlds_keep(p, 0, 0); ",
        External::KeepArray => "worlds_keep(p, 1, 1); ",
        External::Look => "worlds_keep((int *)p, 0, 0); ",
        External::Byte => "worlds_keep_byte(p); ",
        External::Structure => "worlds_keep(&p->a, 0, 0); worlds_keep(&p->b, 0, 0); ",
    };
    let gives = if declaration.starts_with("int") { " int value = V; worlds_say(\"gives %d\", value); return value;" } else { "" };
    let name = declaration.split(['(', ' ']).nth(1).unwrap_or("");
    format!("{declaration} {{ worlds_say(\"{name}()\"); {keep}acts_{n}();{gives} }}\n")
}

/// Calls of the function with arguments at random, and sequences of them.
fn calls(unit: &Unit) -> String {
    let (n, name) = (unit.number, &unit.function);
    let mut text = String::new();
    let mut declared = Vec::new();
    let (mut chosen, mut given) = (String::new(), Vec::new());
    for (at, parameter) in unit.parameters.iter().enumerate() {
        let (ty, own) = match parameter {
            Parameter::Integer => {
                declared.push("int".to_owned());
                let _ = writeln!(chosen, "  int a{at} = V; worlds_say(\"  argument {at} is %d\", a{at});");
                given.push(format!("a{at}"));
                continue;
            }
            Parameter::Pointer(ty) => (
                (*ty).to_owned(),
                match *ty {
                    "int" => format!("own_{n} + {at}"),
                    "unsigned" => format!("&whole_{n}"),
                    "long" => format!("&wide_{n}"),
                    _ => format!("&byte_{n}"),
                },
            ),
            Parameter::Structure => (format!("struct S_{n}"), format!("&both_{n}[{}]", at % 2)),
            Parameter::First | Parameter::Second { .. } => {
                declared.push("int *".to_owned());
                let line = match parameter {
                    Parameter::Second { is_apart: true } => format!("(worlds_draw(3) ? line_{n} : line2_{n})"),
                    _ => format!("line_{n}"),
                };
                if *parameter == Parameter::First {
                    let _ = writeln!(chosen, "  for (int i = 0; i < 16; i++) if (!worlds_draw(3)) line_{n}[i] = V;");
                }
                let _ = writeln!(
                    chosen,
                    "  int place{at} = 5 + worlds_draw(4), *a{at} = {line} + place{at}; worlds_say(\"  argument {at} is at %d\", place{at});"
                );
                given.push(format!("a{at}"));
                continue;
            }
        };
        declared.push(format!("{ty} *"));
        let pool = pool(unit, &ty, at);
        let distinct = if unit.parameters[..at].iter().any(|other| other == parameter) && ty != "int" {
            // There are no more objects of that type than needed.
            format!("({ty} *)worlds_new(sizeof({ty}))")
        } else {
            own
        };
        let _ = writeln!(chosen, "  {ty} *a{at} = {distinct};");
        if !pool.is_empty() {
            let _ = writeln!(chosen, "  if (!(worlds_world & DISTINCT)) switch (worlds_draw({})) {{", pool.len() + 1);
            for (case, (address, text)) in pool.iter().enumerate() {
                let _ = writeln!(
                    chosen,
                    "    case {case}: {{ {ty} *other = ({ty} *)({address}); if (other) {{ a{at} = other; worlds_did(ALIASED); worlds_say(\"  argument {at} is {text}\"); }} break; }}"
                );
            }
            let _ = writeln!(chosen, "  }}");
        }
        given.push(format!("a{at}"));
    }
    let _ = writeln!(text, "int {name}({});", if declared.is_empty() { "void".to_owned() } else { declared.join(", ") });
    let _ = writeln!(text, "static int call_{n}(void) {{\n  struct worlds_frame frame;\n{chosen}  worlds_say(\"{name}()\");");
    let _ = writeln!(text, "  worlds_enter(&frame);\n  int result = {name}({});\n  worlds_leave(&frame);", given.join(", "));
    let _ = writeln!(text, "  worlds_say(\"{name}() gave %d\", result);\n  return result;\n}}");
    let _ = writeln!(text, "static void drive_{n}(void) {{");
    // What others know by name they may have written before the first call.
    for place in unit.writable.iter().filter(|place| !place.starts_with("if")) {
        let _ = writeln!(text, "  if (!worlds_draw(4)) {{ int value = {place} = V; worlds_say(\"{place} = %d\", value); }}");
    }
    let _ = writeln!(text, "  if (worlds_draw(2)) call_{n}(); else worlds_later();");
    let _ = writeln!(text, "  for (int left = 1 + worlds_draw(6); left > 0; left--) if (worlds_draw(3)) call_{n}(); else act_{n}();\n}}");
    text
}

/// Addresses that an argument of this type may be where arguments need not be distinct: each as C has it, and as it is told.
fn pool(unit: &Unit, ty: &str, at: usize) -> Vec<(String, String)> {
    let n = unit.number;
    let mut pool = Vec::new();
    // Objects of the type, of its unsigned type or of its signed one, and by characters any object (C11 6.5p7).
    let fits = |of: &str| ty == "unsigned char" || of == ty || (of == "int" && ty == "unsigned") || (of == "unsigned" && ty == "int");
    for (of, address) in &unit.addresses {
        let of = if *of == "struct" { format!("struct S_{n}") } else { (*of).to_owned() };
        if fits(&of) {
            pool.push((address.clone(), address.trim_start_matches('&').to_owned()));
        }
    }
    for (other, parameter) in unit.parameters[..at].iter().enumerate() {
        match parameter {
            Parameter::Pointer(of) if fits(of) => pool.push((format!("a{other}"), format!("argument {other}"))),
            Parameter::Structure if fits(&format!("struct S_{n}")) => pool.push((format!("a{other}"), format!("argument {other}"))),
            Parameter::First | Parameter::Second { .. } if fits("int") => pool.push((format!("a{other}"), format!("argument {other}"))),
            Parameter::Structure if fits("int") => pool.push((format!("&a{other}->b"), format!("argument {other}'s b"))),
            _ => {}
        }
    }
    if fits("int") {
        pool.push(("worlds_kept()".to_owned(), "an address that was given away".to_owned()));
    }
    pool
}
