//! Assignments that the text has as one `target = value` or `target += value`: their edges are told in the text's own words, with its characters, constants and casts.

/// The assignment that a text consists of; `label` is what the label of its edge says. `None` where an edge may be a part of it alone: of a choice,
/// of conditions that decide its value, of several assignments, of a call.
pub fn plain_assignment(text: &str, label: &str) -> Option<String> {
    let (target, value) = text.split_at(only_sign(text)?);
    let value = value[1..].trim();
    let sign = &target[target.trim_end_matches(|c: char| "+-*/%&|^<>".contains(c)).len()..];
    let target = target[..target.len() - sign.len()].trim_end();
    if is_string(value) {
        // The length of a declared array is no part of what is assigned.
        let (name, values) = label.split_once(" = ")?;
        return values.starts_with('{').then(|| format!("{name} = {value}"));
    }
    (!target.is_empty() && !value.is_empty()).then(|| format!("{target} {sign}= {value}"))
}

/// Where the only sign of assignment stands in a text without choices, lists, steps and calls.
fn only_sign(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut sign, mut quote, mut escaped) = (None, None, false);
    for (at, &byte) in bytes.iter().enumerate() {
        let [before, after] = [at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + 1).copied()].map(Option::unwrap_or_default);
        match (quote, byte) {
            (Some(_), b'\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), _) if open == byte && !escaped => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'?' | b',' | b'{' | b';') => return None,
            (None, b'&' | b'|' | b'+' | b'-') if after == byte => return None,
            (None, b'(') if is_call(&text[..at]) => return None,
            (None, b'=') if after == b'=' || before == b'=' || b"!<>".contains(&before) && !is_shift(bytes, at) => {}
            (None, b'=') if sign.is_some() => return None,
            (None, b'=') => sign = Some(at),
            _ => {}
        }
        escaped = false;
    }
    sign
}

/// Whether the sign at this position belongs to `<<=` or `>>=`.
fn is_shift(text: &[u8], at: usize) -> bool {
    at >= 2 && text[at - 1] == text[at - 2]
}

/// Whether a parenthesis after this text holds arguments.
fn is_call(before: &str) -> bool {
    let before = before.trim_end();
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    !(name.is_empty() && !before.ends_with(')') || name == "sizeof") || before.ends_with(']')
}

/// Whether a text is one literal of characters.
fn is_string(text: &str) -> bool {
    text.len() > 1 && text.starts_with('"') && text.ends_with('"')
}

#[cfg(test)]
mod tests {
    use super::plain_assignment;

    #[test]
    fn assignments_are_as_written() {
        for (text, label, told) in [
            ("q = 'z'", "q = 122", Some("q = 'z'")),
            ("arr[1].n = 5", "arr.n[1] = 5", Some("arr[1].n = 5")),
            ("*p = (char)x", "p[0] = (char)x", Some("*p = (char)x")),
            ("s = '=' + (a == b)", "s = 61 + (a == b)", Some("s = '=' + (a == b)")),
            ("k = x <= 3", "k = x <= 3", Some("k = x <= 3")),
            ("n = sizeof(int)", "n = 4", Some("n = sizeof(int)")),
            ("a[8] = \"a=b\"", "a = {97, 61, 98}", Some("a = \"a=b\"")),
            ("p = \"ab\"", "p.index = 0", None),
            ("x = y = 3", "x = 3", None),
            ("a->b -= x", "a.b = a.b - x", Some("a->b -= x")),
            ("x<<=3", "x = x << 3", Some("x <<= 3")),
            ("x >= 3", "x >= 3", None),
            ("x = y ? 1 : 2", "x = 1", None),
            ("x = f(3)", "x = 3", None),
            ("x = t[2](3)", "x = 3", None),
            ("x = y && z", "x = 1", None),
            ("x = y--", "x = y", None),
            ("t[3] = {1, 2}", "t = {1, 2}", None),
            ("a + 1", "t = a + 1", None),
        ] {
            assert_eq!(plain_assignment(text, label).as_deref(), told, "{text}");
        }
    }
}
