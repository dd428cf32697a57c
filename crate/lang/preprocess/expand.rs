//! The use of a macro: arguments, `#`, `##`.

use super::define::{Definition, Piece, Role};
use super::{Meaning, PendingToken, Preprocessor, TokenStack};
use crate::lang::token::{self, Kind, Token};
use crate::source::{Diagnostic, Span};
use std::rc::Rc;

/// The arguments of one call.
struct Arguments {
    raw: Vec<Vec<PendingToken>>,
    /// With macros replaced, once that is asked for.
    expanded: Vec<Option<Vec<PendingToken>>>,
    /// No argument is there for `...`, not even an empty one.
    none_left: bool,
}

impl Preprocessor<'_> {
    /// Replaces a use of a macro whose name has been read; false if the name stays: it is no call, or a bound is reached.
    pub(super) fn enter(&mut self, of: usize, name: PendingToken) -> bool {
        let span = name.token.span;
        let definition = match self.macros.all[of].meaning.clone() {
            Meaning::Tokens(definition) => definition,
            Meaning::Line => return self.enter_line(of, name),
            Meaning::File => return self.enter_file(of, name),
        };
        if definition.parameters.is_some() && !self.at_paren() {
            return false;
        }
        if !self.charge(1, span) {
            return false;
        }
        let (mut arguments, span) = if let Some(parameters) = &definition.parameters {
            let mut end = span;
            match self.arguments(&definition, parameters.len(), name.token, &mut end) {
                Ok(arguments) => (arguments, span.to(end)),
                Err(Some(diagnostic)) => {
                    self.diagnostics.push(*diagnostic);
                    // The parser is silent about it.
                    let gap = Token { kind: Kind::Unknown, ..name.token };
                    self.put(of, vec![PendingToken { token: gap, ..name }]);
                    return true;
                }
                Err(None) => return false,
            }
        } else {
            (Arguments { raw: Vec::new(), expanded: Vec::new(), none_left: false }, span)
        };
        let Some(mut items) = self.substitute(&definition, &mut arguments, span) else { return false };
        if let Some(first) = items.first_mut() {
            first.spaced = name.spaced;
        }
        self.put(of, items);
        true
    }

    fn put(&mut self, of: usize, items: Vec<PendingToken>) {
        self.macros.all[of].open = true;
        self.expansion.contexts.push(TokenStack { of: Some(of), items, at: 0 });
    }

    fn enter_line(&mut self, of: usize, name: PendingToken) -> bool {
        let line = self.line() + self.numbering.shift;
        let token = self.make(Kind::Number, &line.max(0).to_string(), name.token.span);
        let room = self.charge(1, name.token.span);
        if room {
            self.put(of, vec![PendingToken { token, ..name }]);
        }
        room
    }

    fn enter_file(&mut self, of: usize, name: PendingToken) -> bool {
        let token = match self.numbering.file {
            Some(spelling) => Token { kind: Kind::Str, span: name.token.span, spelling },
            None => self.make(Kind::Str, "\"program.c\"", name.token.span),
        };
        let room = self.charge(1, name.token.span);
        if room {
            self.put(of, vec![PendingToken { token, ..name }]);
        }
        room
    }

    /// Reads the arguments of a call of `name`; `end` becomes the closing parenthesis. `Err(None)` if a bound is reached.
    fn arguments(
        &mut self,
        definition: &Rc<Definition>,
        parameters: usize,
        name: Token,
        end: &mut Span,
    ) -> Result<Arguments, Option<Box<Diagnostic>>> {
        self.raw();
        let mut raw: Vec<Vec<PendingToken>> = vec![Vec::new()];
        let mut depth = 0u32;
        loop {
            let inside = !self.expansion.contexts.is_empty();
            let before = std::mem::replace(&mut self.files.in_arguments, true);
            let next = self.raw();
            self.files.in_arguments = before;
            let Some(mut item) = next else {
                let message = format!("the call of the macro `{}` is never closed", self.letters(name));
                let diagnostic = Diagnostic::error("unterminated-macro-call", self.in_source(name.span), message);
                return Err(Some(Box::new(diagnostic.label("opened here").help("close it with `)`"))));
            };
            if inside && !self.charge(1, name.span) {
                return Err(None);
            }
            item.painted |= inside && self.defined(self.letters(item.token)).is_some_and(|of| self.macros.all[of].open);
            match item.token.kind {
                Kind::RParen if depth == 0 => {
                    *end = item.token.span;
                    break;
                }
                Kind::Comma if depth == 0 && !(definition.variadic && raw.len() >= parameters) => {
                    raw.push(Vec::new());
                    continue;
                }
                Kind::LParen => depth += 1,
                Kind::RParen => depth -= 1,
                _ => {}
            }
            if let Some(argument) = raw.last_mut() {
                argument.push(item);
            }
        }
        if parameters == 0 && raw.len() == 1 && raw[0].is_empty() {
            raw.clear();
        }
        let empty_only = definition.variadic && parameters == 1 && raw[0].is_empty();
        let none_left = empty_only || (definition.variadic && raw.len() + 1 == parameters);
        if definition.variadic && raw.len() + 1 == parameters {
            raw.push(Vec::new());
        }
        if raw.len() != parameters {
            let least = parameters - usize::from(definition.variadic);
            let count = |n: usize| if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") };
            let least = if definition.variadic { format!("at least {}", count(least)) } else { count(least) };
            let message = format!("the macro `{}` takes {least}, {} given here", self.letters(name), raw.len());
            return Err(Some(Box::new(Diagnostic::error("macro-arguments", self.in_source(name.span.to(*end)), message))));
        }
        Ok(Arguments { expanded: vec![None; raw.len()], raw, none_left })
    }

    /// The body with the arguments in it; `None` if a bound is reached.
    fn substitute(&mut self, definition: &Definition, arguments: &mut Arguments, span: Span) -> Option<Vec<PendingToken>> {
        // `None` stands for an argument without tokens beside `##`.
        let mut out: Vec<Option<PendingToken>> = Vec::new();
        for (i, piece) in definition.body.iter().enumerate() {
            let feeds_paste = definition.body.get(i + 1).is_some_and(|next| next.pasted);
            let mut item = PendingToken { token: Token { span, ..piece.item.token }, ..piece.item };
            let values: Vec<Option<PendingToken>> = match piece.role {
                Role::Plain => vec![Some(item)],
                Role::String(n) => {
                    item.token = self.string(&arguments.raw[n], span);
                    vec![Some(item)]
                }
                Role::Parameter(n) if piece.pasted || feeds_paste => {
                    if self.takes_comma(definition, i, n) {
                        // `, ## __VA_ARGS__`: without arguments the comma goes too.
                        if arguments.none_left {
                            out.pop();
                        }
                        if !self.charge(arguments.raw[n].len(), span) {
                            return None;
                        }
                        out.extend(arguments.raw[n].iter().map(|&i| Some(i)));
                        continue;
                    }
                    match arguments.raw[n].as_slice() {
                        [] => vec![None],
                        raw => raw.iter().map(|&i| Some(i)).collect(),
                    }
                }
                Role::Parameter(n) => {
                    if arguments.expanded[n].is_none() {
                        let raw = arguments.raw[n].clone();
                        arguments.expanded[n] = Some(self.expand_all(raw));
                    }
                    let value = arguments.expanded[n].as_deref().unwrap_or_default();
                    let value = value.iter().enumerate();
                    value.map(|(i, &v)| Some(PendingToken { spaced: if i == 0 { item.spaced } else { v.spaced }, ..v })).collect()
                }
            };
            if !self.charge(values.len(), span) {
                return None;
            }
            let mut values = values.into_iter();
            if piece.pasted
                && let (Some(left), Some(right)) = (out.pop(), values.next())
            {
                self.paste(left, right, span, &mut out);
            }
            out.extend(values);
        }
        Some(out.into_iter().flatten().collect())
    }

    /// Whether piece `i` is the last parameter of a macro with `...`, pasted to a comma (an extension of all common compilers).
    fn takes_comma(&self, definition: &Definition, i: usize, parameter: usize) -> bool {
        let comma = |before: &Piece| before.role == Role::Plain && before.item.token.kind == Kind::Comma;
        definition.variadic
            && definition.body[i].pasted
            && definition.parameters.as_ref().is_some_and(|p| p.len() == parameter + 1)
            && i.checked_sub(1).is_some_and(|before| comma(&definition.body[before]))
    }

    /// `left ## right`.
    fn paste(&mut self, left: Option<PendingToken>, right: Option<PendingToken>, span: Span, out: &mut Vec<Option<PendingToken>>) {
        let (Some(l), Some(r)) = (left, right) else {
            out.push(left.or(right));
            return;
        };
        let letters = [self.letters(l.token), self.letters(r.token)].concat();
        let Some(kind) = token::single(&letters) else {
            if l.token.kind != Kind::Unknown && r.token.kind != Kind::Unknown {
                let message = format!(
                    "`##` makes no token of `{}` and `{}`",
                    super::shorten(self.letters(l.token)),
                    super::shorten(self.letters(r.token))
                );
                let span = self.in_source(span);
                self.diagnostics.push(Diagnostic::error("bad-paste", span, message).help("leave out the `##`"));
            }
            out.extend([left, right]);
            return;
        };
        let token = self.make(kind, &letters, span);
        out.push(Some(PendingToken { token, spaced: l.spaced, painted: false }));
    }

    /// `#` before an argument: its letters as a string.
    fn string(&mut self, argument: &[PendingToken], span: Span) -> Token {
        let mut letters = String::from("\"");
        for (i, item) in argument.iter().enumerate() {
            if i > 0 && item.spaced {
                letters.push(' ');
            }
            let text = self.letters(item.token);
            if letters.len() + text.len() > super::MAX_LETTERS {
                break;
            }
            match item.token.kind {
                Kind::Str | Kind::Char => letters.push_str(&text.replace('\\', "\\\\").replace('"', "\\\"")),
                _ => letters.push_str(text),
            }
        }
        letters.push('"');
        self.make(Kind::Str, &letters, span)
    }
}
