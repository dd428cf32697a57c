//! The form of written values: numbers, characters, strings, words, and lists in braces.

use super::names::NOT_NULL;
use crate::logic::Int;
use crate::lts::node_names::is_word;

/// Where the text of a value is wrong, and how.
pub type WrittenFault = (usize, String);

/// A value as it is written, and where.
#[derive(Clone, Debug)]
pub struct GivenValue {
    pub at: usize,
    pub kind: GivenKind,
}

#[derive(Clone, Debug)]
pub enum GivenKind {
    /// Its digits, with a sign, a point and an exponent where it has these.
    Number(String),
    Character(u8),
    Text(Vec<u8>),
    Word(String),
    /// What stands after `&`: `node1`, `pool[2].next`.
    Address(String),
    /// So many elements after the first one of a block: `data1 + 2`.
    Moved(String, Int),
    List(Vec<(Vec<ValueDesignator>, GivenValue)>),
}

/// What a value in a list is for, where that is not the next element.
#[derive(Clone, Debug)]
pub enum ValueDesignator {
    Member(String),
    /// From this index to that.
    Elements(Int, Int),
    /// All elements that nothing else is said of.
    Rest,
}

/// How deep lists nest.
const MAX_DEPTH: usize = 32;

/// A text that is read from left to right.
pub struct InputSyntax {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl InputSyntax {
    pub fn new(text: &str) -> InputSyntax {
        InputSyntax { text: text.chars().collect(), at: 0, depth: 0 }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, c: char) -> bool {
        self.spaces();
        let is_there = self.peek() == Some(c);
        self.at += usize::from(is_there);
        is_there
    }

    /// Takes these words, if they come next.
    pub fn words(&mut self, words: &str) -> bool {
        self.spaces();
        let letters: Vec<char> = words.chars().collect();
        let is_there = self.text[self.at..].starts_with(&letters);
        self.at += if is_there { letters.len() } else { 0 };
        is_there
    }

    /// Whether only spaces are left.
    pub fn at_end(&mut self) -> bool {
        self.spaces();
        self.at == self.text.len()
    }

    /// Takes the comma before the next part.
    ///
    /// # Errors
    /// Something else comes.
    pub fn comma(&mut self) -> Result<(), WrittenFault> {
        if self.at_end() || self.eat(',') { Ok(()) } else { Err((self.at, self.unexpected("a comma"))) }
    }

    /// Takes the end.
    ///
    /// # Errors
    /// Something else comes.
    pub fn end(&mut self) -> Result<(), WrittenFault> {
        if self.at_end() { Ok(()) } else { Err((self.at, self.unexpected("the end of the value"))) }
    }

    fn unexpected(&self, expected: &str) -> String {
        match self.peek() {
            Some(c) => format!("`{c}` stands here instead of {expected}"),
            None => format!("the text ends here: {expected} is missing"),
        }
    }

    /// Takes a name and the `=` after it; nothing where no name comes before a value.
    pub fn name(&mut self) -> Option<String> {
        self.spaces();
        let mut depth = 0;
        for at in self.at..self.text.len() {
            match self.text[at] {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '=' if depth == 0 && self.text.get(at + 1) != Some(&'=') && at > self.at => {
                    let name: String = self.text[self.at..at].iter().collect();
                    self.at = at + 1;
                    return Some(name.trim_end().to_owned());
                }
                ',' | '=' if depth == 0 => return None,
                '"' | '\'' | '{' => return None,
                _ => {}
            }
        }
        None
    }

    /// Reads a value.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn value(&mut self) -> Result<GivenValue, WrittenFault> {
        self.spaces();
        let at = self.at;
        let given = |kind| Ok(GivenValue { at, kind });
        match self.peek() {
            Some('{') => {
                self.at += 1;
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err((at, "lists nest too deep here".to_owned()));
                }
                let list = self.list()?;
                self.depth -= 1;
                given(GivenKind::List(list))
            }
            Some('"') => given(GivenKind::Text(self.quoted('"')?)),
            Some('\'') => match self.quoted('\'')?[..] {
                [byte] => given(GivenKind::Character(byte)),
                _ => Err((at, "one character stands between single quotes; a string stands in double quotes".to_owned())),
            },
            Some(c) if c.is_ascii_digit() || c == '-' || c == '.' => given(GivenKind::Number(self.number())),
            Some('&') => {
                self.at += 1;
                self.spaces();
                given(GivenKind::Address(self.way()))
            }
            Some('…') => Err((at, "“…” leaves elements out: give them all, or the input as JSON".to_owned())),
            Some(c) if c.is_alphabetic() || c == '_' => {
                if self.words(NOT_NULL) {
                    return given(GivenKind::Word(NOT_NULL.to_owned()));
                }
                let word = self.word();
                match self.moved() {
                    Some(by) => given(GivenKind::Moved(word, by)),
                    None => given(GivenKind::Word(word)),
                }
            }
            _ => Err((at, self.unexpected("a value"))),
        }
    }

    /// A name with members and elements after it: `pool[2].next`.
    fn way(&mut self) -> String {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|c| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '[' | ']')).unwrap_or(rest.len());
        self.at += length;
        rest[..length].iter().collect()
    }

    fn word(&mut self) -> String {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|c| !c.is_alphanumeric() && *c != '_').unwrap_or(rest.len());
        self.at += length;
        rest[..length].iter().collect()
    }

    /// What is added to a name.
    fn moved(&mut self) -> Option<Int> {
        let start = self.at;
        self.spaces();
        if self.peek() == Some('+') {
            self.at += 1;
            self.spaces();
            if let Some(by) = Int::parse(&self.word()) {
                return Some(by);
            }
        }
        self.at = start;
        None
    }

    fn number(&mut self) -> String {
        let start = self.at;
        self.at += usize::from(self.peek() == Some('-'));
        while let Some(c) = self.peek() {
            let exponent =
                matches!(c, '+' | '-') && matches!(self.text[self.at - 1], 'e' | 'E') && !self.text[start..self.at].contains(&'x');
            if !c.is_ascii_alphanumeric() && c != '.' && !exponent {
                break;
            }
            // `1 ... 3`
            if c == '.' && self.text.get(self.at + 1) == Some(&'.') {
                break;
            }
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    /// A character or a string with C's escapes: its bytes.
    fn quoted(&mut self, quote: char) -> Result<Vec<u8>, WrittenFault> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut bytes: Vec<u8> = Vec::new();
        loop {
            let at = self.at;
            let Some(c) = self.peek() else { return Err((start, format!("the closing {quote} is missing"))) };
            self.at += 1;
            match c {
                c if c == quote => return Ok(bytes),
                '\\' => bytes.push(self.escape(at)?),
                c => {
                    text.clear();
                    text.push(c);
                    bytes.extend(super::bytes_of(&text));
                }
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<u8, WrittenFault> {
        let Some(c) = self.peek() else { return Err((start, "an escape is cut off here".to_owned())) };
        self.at += 1;
        let simple = |byte| Ok(byte);
        match c {
            'n' => simple(b'\n'),
            't' => simple(b'\t'),
            'r' => simple(b'\r'),
            'a' => simple(7),
            'b' => simple(8),
            'f' => simple(12),
            'v' => simple(11),
            '\\' | '"' | '\'' | '?' => Ok(c as u8),
            'x' | '0'..='7' => {
                let (radix, most) = if c == 'x' { (16, 2) } else { (8, 3) };
                self.at -= usize::from(c != 'x');
                let digits: String = self.text[self.at..].iter().take(most).take_while(|c| c.is_digit(radix)).collect();
                self.at += digits.len();
                u8::from_str_radix(&digits, radix)
                    .map_err(|_| (start, "this is no byte: `\\0` to `\\377`, `\\x00` to `\\xff` are".to_owned()))
            }
            c => Err((start, format!("`\\{c}` is no escape of C: `\\n`, `\\t`, `\\\\`, `\\\"`, `\\0` and `\\x1b` are"))),
        }
    }

    fn list(&mut self) -> Result<Vec<(Vec<ValueDesignator>, GivenValue)>, WrittenFault> {
        let mut items = Vec::new();
        loop {
            if self.eat('}') {
                return Ok(items);
            }
            let designators = self.designators()?;
            let given = self.value()?;
            items.push((designators, given));
            if !self.eat(',') && self.peek() != Some('}') {
                return Err((self.at, self.unexpected("a comma or `}`")));
            }
        }
    }

    /// `.member =`, `[3] =`, `[3 ... 9] =`, `then`, `all`, and as documents have it `"3":`, `default:`.
    fn designators(&mut self) -> Result<Vec<ValueDesignator>, WrittenFault> {
        let mut found = Vec::new();
        loop {
            self.spaces();
            let start = self.at;
            if self.peek() == Some('.') && self.text.get(self.at + 1).is_some_and(|c| c.is_alphabetic() || *c == '_') {
                self.at += 1;
                found.push(ValueDesignator::Member(self.word()));
            } else if self.eat('[') {
                let from = self.index()?;
                let to = if self.words("...") { self.index()? } else { from.clone() };
                if !self.eat(']') {
                    return Err((self.at, self.unexpected("`]`")));
                }
                found.push(ValueDesignator::Elements(from, to));
            } else if !found.is_empty() {
                return if self.eat('=') { Ok(found) } else { Err((self.at, self.unexpected("`=`"))) };
            } else {
                return Ok(self.key(start).into_iter().collect());
            }
        }
    }

    fn index(&mut self) -> Result<Int, WrittenFault> {
        self.spaces();
        let at = self.at;
        let digits = self.number();
        Int::parse(&digits).filter(|_| !digits.starts_with('+')).ok_or_else(|| (at, format!("`{digits}` is no index")))
    }

    /// What stands in front of a value in the form of documents.
    fn key(&mut self, start: usize) -> Option<ValueDesignator> {
        if self.words("then ") || self.words("all ") {
            return Some(ValueDesignator::Rest);
        }
        let quoted = self.eat('"');
        let key: String = self.text[self.at..].iter().take_while(|c| c.is_alphanumeric() || **c == '-').collect();
        self.at += key.chars().count();
        let is_key = (!quoted || self.eat('"')) && self.eat(':');
        let designator = match Int::parse(&key) {
            _ if key == "default" || key == "else" => Some(ValueDesignator::Rest),
            Some(index) if !is_word(&key) => Some(ValueDesignator::Elements(index.clone(), index)),
            _ => None,
        };
        let found = designator.filter(|_| is_key);
        if found.is_none() {
            self.at = start;
        }
        found
    }
}
