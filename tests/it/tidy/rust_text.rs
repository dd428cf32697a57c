//! Just enough reading of Rust to guard a source tree: code without comments and literals, without test modules, and
//! the paths that a text mentions.

/// The source with comments and the contents of literals blanked out; lines keep their numbers.
pub fn code(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = match &bytes[at..] {
            [b'/', b'/', ..] => at + bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at),
            [b'/', b'*', ..] => block_comment_end(bytes, at),
            [b'"', ..] => string_end(bytes, at + 1),
            [b'r', b'"' | b'#', ..] if !ends_in_word(&out) => raw_string_end(bytes, at).unwrap_or(at + 1),
            [b'\'', ..] => char_end(source, at).unwrap_or(at + 1),
            _ => at + 1,
        };
        if end == at + 1 {
            out.push(bytes[at]);
        } else {
            // A space, so that no two words grow together.
            out.extend(bytes[at..end].iter().map(|&b| if b == b'\n' { b'\n' } else { b' ' }));
        }
        at = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn ends_in_word(out: &[u8]) -> bool {
    out.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn raw_string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let hashes = bytes[start + 1..].iter().take_while(|&&b| b == b'#').count();
    let open = start + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        // A raw identifier.
        return None;
    }
    let close: Vec<u8> = [b'"'].into_iter().chain(std::iter::repeat_n(b'#', hashes)).collect();
    let length = bytes[open + 1..].windows(close.len()).position(|window| window == close)?;
    Some(open + 1 + length + close.len())
}

/// The end of a character literal; `None` for a lifetime.
fn char_end(source: &str, start: usize) -> Option<usize> {
    let mut rest = source[start + 1..].char_indices();
    match rest.next()?.1 {
        '\\' => {
            rest.next()?;
            rest.find(|&(_, c)| c == '\'').map(|(i, _)| start + 1 + i + 1)
        }
        _ => rest.next().filter(|&(_, c)| c == '\'').map(|(i, _)| start + 1 + i + 1),
    }
}

/// Blanked code without the items under `#[cfg(test)]`; lines keep their numbers.
pub fn without_tests(code: &str) -> String {
    let mark = "#[cfg(test)]";
    let mut out = String::new();
    let mut rest = code;
    while let Some(start) = rest.find(mark) {
        out.push_str(&rest[..start]);
        let item = &rest[start..];
        let mut depth = 0;
        let end = item.char_indices().find_map(|(i, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ';' if depth == 0 => return Some(i + 1),
                _ => return None,
            }
            (depth == 0).then_some(i + 1)
        });
        let end = end.unwrap_or(item.len());
        out.extend(item[..end].chars().filter(|&c| c == '\n'));
        rest = &item[end..];
    }
    out + rest
}

/// All paths below the crate's root that blanked code mentions through `crate::`, `self::` or `super::`, as seen from
/// `module`; `use` trees are spread out.
pub fn paths(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let starts = matches!(tokens[at], "crate" | "self" | "super") && tokens.get(at + 1) == Some(&"::");
        if starts && (at == 0 || tokens[at - 1] != "::") {
            at = tree(&tokens, at, module, &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// All paths that start with the crate `name`, without it.
pub fn paths_from(name: &str, code: &str) -> Vec<Vec<String>> {
    let renamed = |token| match token {
        "crate" => "own",
        _ if token == name => "crate",
        _ => token,
    };
    let tokens: Vec<_> = tokens(code).into_iter().map(renamed).collect();
    paths(&tokens.join(" "), &[])
}

/// Words, `::`, and single other characters.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = if word > 0 {
            word
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Reads one use tree from token `at`, below `prefix`; gives back the token after it.
fn tree(tokens: &[&str], mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while !matches!(tokens.get(at), None | Some(&"}")) {
                    let next = tree(tokens, at, &path, found);
                    at = if tokens.get(next) == Some(&",") { next + 1 } else { next.max(at + 1) };
                }
                return at + 1;
            }
            Some(&"crate") => path.clear(),
            Some(&"super") => drop(path.pop()),
            Some(&"self" | &"*") => {}
            Some(word) if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => path.push((*word).to_owned()),
            _ => break,
        }
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    found.push(path);
    if tokens.get(at) == Some(&"as") {
        at += 2;
    }
    at
}
