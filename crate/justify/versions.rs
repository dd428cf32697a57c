//! Whether coverage is of a program's text as it stands: what shows that it is of another one.

use super::coverage::FileCoverage;
use super::matching::FileText;

/// What differs, in sentences; nothing where the coverage may be of this text. `file` is the file's own text, `refused` are functions that are
/// not understood.
pub fn differences(coverage: &FileCoverage, text: &FileText, file: &str, refused: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, line) in &coverage.functions {
        let own = text.program.own().find(|function| function.name.text == *name);
        match own.and_then(|function| Some((function, text.own_line(function.span.start)?))) {
            Some((function, first)) => {
                // gcc counts from the name on, clang from the body on.
                let (from, to) = (function.name.span.end, function.end.end);
                let brace = text.lines.text().get(from as usize..to as usize).and_then(|text| text.find('{'));
                let last = brace.and_then(|at| text.own_line(from + at as u32)).unwrap_or(first);
                let name_line = text.own_line(function.name.span.start).unwrap_or(first);
                if !(first..=last.max(first)).contains(line) {
                    found.push(format!("`{name}` starts on line {line} in the coverage, and on line {name_line} in the program"));
                }
            }
            None if own.is_some() || refused.iter().any(|(other, _)| other == name) => {}
            None => found.push(format!("the coverage has a function `{name}`, and the program has none")),
        }
    }
    let code = lines_of_code(file);
    for &line in coverage.lines.keys() {
        match code.get(line as usize - 1) {
            None => {
                let last = file.lines().count();
                let lines = if last == 1 { "line" } else { "lines" };
                found.push(format!("the coverage counts line {line}, and the program has {last} {lines}"));
            }
            Some(false) => found.push(format!("the coverage counts line {line}, which has no code in the program")),
            Some(true) => {}
        }
    }
    found
}

/// For each line whether something other than comments stands on it.
fn lines_of_code(text: &str) -> Vec<bool> {
    let mut lines = vec![false];
    let mut letters = text.chars().peekable();
    let mut in_comment = false;
    while let Some(letter) = letters.next() {
        match (letter, letters.peek().copied()) {
            ('\n', _) => lines.push(false),
            ('*', Some('/')) if in_comment => {
                letters.next();
                in_comment = false;
            }
            _ if in_comment => {}
            ('/', Some('*')) => {
                letters.next();
                in_comment = true;
            }
            ('/', Some('/')) => {
                while letters.peek().is_some_and(|next| *next != '\n') {
                    letters.next();
                }
            }
            ('"' | '\'', _) => {
                lines.last_mut().into_iter().for_each(|has_code| *has_code = true);
                while let Some(inner) = letters.next() {
                    match inner {
                        '\\' => drop(letters.next()),
                        '\n' => {
                            lines.push(false);
                            break;
                        }
                        _ if inner == letter => break,
                        _ => {}
                    }
                }
            }
            (letter, _) if letter.is_whitespace() => {}
            _ => lines.last_mut().into_iter().for_each(|has_code| *has_code = true),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_code() {
        let text = "int x; // one\n// two\n/* three\n four */ int y;\n\"/* no\n\nchar *s = \"// no\"; /*\n*/\n";
        assert_eq!(lines_of_code(text), [true, false, false, true, true, false, true, false, false]);
    }
}
