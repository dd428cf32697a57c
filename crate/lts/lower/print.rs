//! Calls of `printf` and its like: what they print, as far as it is text and integers.

use super::arithmetic::comparison;
use super::expression::{Effects, Outcome};
use super::graph::{NOWHERE, Node};
use super::stdin::where_streams_work;
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind, Shape, UnaryOp};
use crate::lang::intrinsic::Intrinsic;
use crate::lang::library;
use crate::lang::types::{Abi, Integer};
use crate::logic::Int;
use crate::lts::{CompareOp, Conversion, ConversionKind, Expr, MAX_WIDTH, Print, PrintPiece, StarMeaning};
use crate::source::{Diagnostic, Span};

/// A part of a format.
enum Part {
    Text(String),
    /// A conversion with the type that it takes its argument for; `None` for what is no integer.
    Value(Conversion, Option<Integer>, char),
    /// An argument for the width of the next conversion, or for its precision: `*`.
    Star(StarMeaning),
}

/// What is printed.
enum Output<'a> {
    Piece(PrintPiece),
    /// What a function of the library prints with these arguments: the characters of an array up to the first that is 0.
    String(&'static str, &'a [Tree]),
}

/// Bytes as text: what is not UTF-8 stands for the characters of the same numbers.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The parts of a format (C11 7.21.6.1); `None` where it ends inside a conversion.
fn format(bytes: &[u8], abi: Abi) -> Option<Vec<Part>> {
    let text = text(bytes);
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            plain.push(c);
            continue;
        }
        if rest.next_if_eq(&'%').is_some() {
            plain.push('%');
            continue;
        }
        let mut conversion = Conversion::default();
        while let Some(flag) = rest.next_if(|c| "-0+ #".contains(*c)) {
            match flag {
                '-' => conversion.left = true,
                '0' => conversion.zero = true,
                '+' => conversion.plus = true,
                ' ' => conversion.space = true,
                _ => conversion.alternate = true,
            }
        }
        let number = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut value: u32 = 0;
            while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                value = value.saturating_mul(10).saturating_add(digit).min(MAX_WIDTH);
                rest.next();
            }
            value
        };
        let mut stars = Vec::new();
        let mut number_or_star = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>, meaning| {
            if rest.next_if_eq(&'*').is_some() {
                stars.push(Part::Star(meaning));
            }
            number(rest)
        };
        conversion.width = number_or_star(&mut rest, StarMeaning::Width);
        if rest.next_if_eq(&'.').is_some() {
            conversion.precision = Some(number_or_star(&mut rest, StarMeaning::Precision));
        }
        let mut size = String::new();
        while let Some(c) = rest.next_if(|c| "hlzjtqL".contains(*c)) {
            size.push(c);
        }
        let kind = rest.next()?;
        let (signed, unsigned) = match size.as_str() {
            "hh" => (Integer::SignedChar, Integer::UnsignedChar),
            "h" => (Integer::Short, Integer::UnsignedShort),
            "" => (Integer::Int, Integer::UnsignedInt),
            "l" => (Integer::Long, Integer::UnsignedLong),
            "z" | "t" => (abi.distance(), abi.address()),
            _ => (Integer::LongLong, Integer::UnsignedLongLong),
        };
        let ty = match kind {
            'd' | 'i' => Some(signed),
            'u' | 'x' | 'X' | 'o' => Some(unsigned),
            'c' => Some(Integer::UnsignedChar),
            'f' | 'e' | 'g' | 'a' | 'F' | 'E' | 'G' | 'A' if size.is_empty() || size == "l" => Some(Integer::Double),
            _ => None,
        };
        conversion.kind = match kind {
            'x' => ConversionKind::Hexadecimal,
            'X' => ConversionKind::UpperHexadecimal,
            'o' => ConversionKind::Octal,
            'c' => ConversionKind::Character,
            'f' | 'F' => ConversionKind::Fixed,
            'e' | 'E' => ConversionKind::Exponent,
            'g' | 'G' => ConversionKind::Shorter,
            'a' | 'A' => ConversionKind::HexadecimalFraction,
            _ => ConversionKind::Decimal,
        };
        conversion.upper = matches!(kind, 'F' | 'E' | 'G' | 'A');
        if kind == 'u' || kind == 'c' {
            // These flags mean nothing to them.
            (conversion.plus, conversion.space) = (false, false);
        }
        if !plain.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut plain)));
        }
        parts.append(&mut stars);
        parts.push(Part::Value(conversion, ty, kind));
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Some(parts)
}

/// The arguments of the function that prints a string in a width, where it prints this argument.
fn padded(argument: &Tree) -> Option<&[Tree]> {
    match &argument.kind {
        ExprKind::Call(name, arguments) if name.text == library::PRINT_PADDED => Some(arguments),
        _ => None,
    }
}

impl<'a> Lowerer<'a> {
    /// What a call of a printing function prints, then `next`.
    #[inline(never)]
    pub(super) fn print(&mut self, intrinsic: Intrinsic, arguments: &'a [Tree], span: Span, next: Node) -> Node {
        let mut effects = Effects::default();
        let mut printed = Vec::new();
        match (intrinsic, arguments) {
            (Intrinsic::PrintTo, [stream, rest @ ..]) => {
                let elsewhere = stream.root().is_none_or(|name| name.text != "stdout");
                self.formatted(rest, &mut effects, &mut printed);
                if elsewhere {
                    // Not part of the output, but evaluated.
                    for piece in std::mem::take(&mut printed) {
                        if let Output::Piece(PrintPiece::Value(value, _)) = piece
                            && !matches!(value, Expr::Int(_) | Expr::Var(_))
                        {
                            let t = self.temporary(span, Integer::LongLong);
                            effects.before.push(super::expression::Step::Set(t, value, span));
                        }
                    }
                }
            }
            (Intrinsic::Print, _) => self.formatted(arguments, &mut effects, &mut printed),
            (Intrinsic::PrintLine, [Tree { kind: ExprKind::Str(bytes), .. }]) => {
                printed.push(Output::Piece(PrintPiece::Text(text(bytes) + "\n")));
            }
            (Intrinsic::PrintLine, [string]) if self.may_be_string(string) => {
                let string = Output::String(library::PRINT_STRING, std::slice::from_ref(string));
                printed.extend([string, Output::Piece(PrintPiece::Text("\n".to_owned()))]);
            }
            (Intrinsic::PrintLine, [string]) if self.is_text(string) => {
                let piece = self.pointed_text(string, Conversion::default(), &mut effects);
                printed.extend([Output::Piece(piece), Output::Piece(PrintPiece::Text("\n".to_owned()))]);
            }
            (Intrinsic::PrintCharacter, [argument]) => {
                let value = self.printed(argument, Integer::UnsignedChar, &mut effects);
                printed
                    .push(Output::Piece(PrintPiece::Value(value, Conversion { kind: ConversionKind::Character, ..Conversion::default() })));
            }
            _ => self.unknown_string(arguments.first().map_or(span, |argument| argument.span)),
        }
        let after = self.run_steps(effects.after, next);
        let node = self.put(printed, span, after);
        self.run_steps(effects.before, node)
    }

    /// The program prints an unknown text: the string at an address that has none.
    pub(super) fn print_open(&mut self, span: Span, next: Node) -> Node {
        let unknown = PrintPiece::String(Expr::Int(Int::ZERO), Conversion::default(), Vec::new().into());
        self.graph.print(Print { pieces: vec![unknown], span }, next)
    }

    /// What is printed, in order: pieces together, strings in arrays character by character.
    fn put(&mut self, mut printed: Vec<Output<'a>>, span: Span, mut next: Node) -> Node {
        while let Some(last) = printed.pop() {
            let piece = match last {
                Output::String(function, arguments) => {
                    next = match self.functions.get(function).copied() {
                        Some(function) => self.call(function, arguments, Outcome::Dropped, span, next),
                        None => NOWHERE,
                    };
                    continue;
                }
                Output::Piece(piece) => piece,
            };
            let mut pieces = vec![piece];
            while let Some(Output::Piece(piece)) = printed.pop_if(|before| matches!(before, Output::Piece(_))) {
                pieces.insert(0, piece);
            }
            next = self.graph.print(Print { pieces, span }, next);
        }
        next
    }

    /// Whether an argument points to characters that are known here.
    fn may_be_string(&mut self, argument: &'a Tree) -> bool {
        let known = !matches!(argument.kind, ExprKind::Str(_))
            && !self.is_string_value(argument)
            && self.pointee(argument, &mut Effects::default()).is_some();
        known && self.functions.contains_key(library::PRINT_STRING)
    }

    /// Whether an argument is an address that is a value: that of a string, or one that is not followed.
    fn is_text(&mut self, argument: &'a Tree) -> bool {
        argument.ty == self.abi().address()
            && (self.is_string_value(argument) || self.pointee(argument, &mut Effects::default()).is_none() && self.is_valued(argument))
    }

    /// Whether an address has a value of its own: not that of an object that is followed.
    fn is_valued(&mut self, e: &'a Tree) -> bool {
        match &e.unconverted().kind {
            ExprKind::Str(_) | ExprKind::Call(..) => true,
            ExprKind::Conditional(_, a, b) => self.is_valued(a) && self.is_valued(b),
            ExprKind::Comma(_, last) => self.is_valued(last),
            ExprKind::Name(_) => !self.is_pointee(e) && !matches!(self.shape_of_name(e), Some(Shape::Array { .. })),
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                self.part(e, &mut Effects::default()).is_some_and(|part| matches!(part.shape, Shape::Pointer(_)))
            }
            _ => false,
        }
    }

    /// What a printing function gives back: known where nothing but text is printed.
    pub(super) fn printed_length(&mut self, intrinsic: Intrinsic, arguments: &'a [Tree], span: Span) -> Expr {
        let texts = arguments.get(usize::from(intrinsic == Intrinsic::PrintTo)..).unwrap_or_default();
        let length = match (intrinsic, texts) {
            (Intrinsic::Print | Intrinsic::PrintTo, [Tree { kind: ExprKind::Str(bytes), .. }]) => {
                format(bytes, self.abi()).and_then(|parts| {
                    parts.iter().try_fold(0, |sum, part| if let Part::Text(text) = part { Some(sum + text.len()) } else { None })
                })
            }
            _ => None,
        };
        if length.is_none() {
            self.fail(
                Diagnostic::error("unsupported-print-value", span, "how many characters are printed here is not known")
                    .help("do not use what it gives back"),
            );
        }
        where_streams_work(Expr::Int(Int::from(length.unwrap_or_default())))
    }

    /// A comparison that tests the sign of what a printing function gives back: a number from 0 where it meets no error, `EOF` or another negative
    /// number where it does (C11 7.21.6.1p14, 7.21.7).
    pub(super) fn printing_test(&mut self, op: TreeOp, left: &'a Tree, right: &'a Tree, effects: &mut Effects<'a>) -> Option<Expr> {
        let is_printing =
            |e: &Tree| matches!(&e.unconverted().kind, ExprKind::Call(name, _) if self.intrinsic(name).is_some_and(Intrinsic::prints));
        let (call, bound, op) = match (is_printing(left), is_printing(right)) {
            (true, false) => (left, right, comparison(op)?),
            (false, true) => (right, left, comparison(op)?.turned()),
            _ => return None,
        };
        let is_literal = match &bound.unconverted().kind {
            ExprKind::Unary(UnaryOp::Neg, inner) => matches!(inner.unconverted().kind, ExprKind::Int(_)),
            kind => matches!(kind, ExprKind::Int(_)),
        };
        if !is_literal {
            return None;
        }
        let Expr::Int(bound) = self.value(bound, &mut Effects::default()) else { return None };
        // All numbers from 0 are on one side.
        let tests_sign = match op {
            CompareOp::Lt | CompareOp::Ge => !bound.is_positive(),
            _ => bound.is_negative(),
        };
        if !tests_sign {
            return None;
        }
        effects.before.push(super::expression::Step::Effect(call.unconverted()));
        let printed = Expr::Compare(op, Box::new(Expr::Int(Int::ZERO)), Box::new(Expr::Int(bound)));
        Some(where_streams_work(printed))
    }

    /// The pieces of a format with its arguments.
    fn formatted(&mut self, arguments: &'a [Tree], effects: &mut Effects<'a>, printed: &mut Vec<Output<'a>>) {
        let [Tree { kind: ExprKind::Str(bytes), .. }, values @ ..] = arguments else {
            return self.unknown_string(arguments.first().map_or(Span::default(), |argument| argument.span));
        };
        let span = arguments[0].span;
        let Some(parts) = format(bytes, self.abi()) else {
            return self
                .fail(Diagnostic::error("bad-format", span, "this format ends inside a conversion").help("write `%%` for a percent sign"));
        };
        let mut values = values.iter();
        // Arguments for the width and the precision of the next conversion.
        let mut stars: Vec<(StarMeaning, &'a Tree)> = Vec::new();
        for part in parts {
            let (mut conversion, ty, kind) = match part {
                Part::Star(meaning) => {
                    // A function of the library has the others as its arguments.
                    if values.as_slice().first().is_some_and(|next| padded(next).is_none()) {
                        stars.extend(values.next().map(|argument| (meaning, argument)));
                    }
                    continue;
                }
                Part::Text(text) => {
                    printed.push(Output::Piece(PrintPiece::Text(text)));
                    continue;
                }
                Part::Value(conversion, ty, kind) => (conversion, ty, kind),
            };
            let Some(argument) = values.next() else {
                return self.fail(
                    Diagnostic::error("bad-format", span, "this format has more conversions than there are values")
                        .help("give a value for each `%`"),
                );
            };
            let mut argument = argument;
            if let Some(parts @ [string, width, precision, _]) = padded(argument) {
                if self.may_be_string(string) {
                    printed.push(Output::String(library::PRINT_PADDED, parts));
                    continue;
                }
                argument = string;
                stars.extend([(StarMeaning::Width, width), (StarMeaning::Precision, precision)]);
            }
            for (meaning, argument) in std::mem::take(&mut stars) {
                match &argument.unconverted().kind {
                    ExprKind::Int(value) => conversion = conversion.starred(meaning, value),
                    _ => printed.push(Output::Piece(PrintPiece::Star(self.printed(argument, Integer::Int, effects), meaning))),
                }
            }
            let is_plain = conversion == Conversion::default() && !matches!(printed.last(), Some(Output::Piece(PrintPiece::Star(..))));
            match (&argument.kind, ty) {
                (ExprKind::Str(bytes), None) if kind == 's' && is_plain && !bytes.contains(&0) => {
                    printed.push(Output::Piece(PrintPiece::Text(text(bytes))));
                }
                (ExprKind::Str(bytes), None) if kind == 's' => {
                    let strings = std::iter::once((Int::ZERO, bytes.clone())).collect();
                    printed.push(Output::Piece(PrintPiece::String(Expr::Int(Int::ZERO), conversion, strings)));
                }
                (_, None) if kind == 's' && is_plain && self.may_be_string(argument) => {
                    printed.push(Output::String(library::PRINT_STRING, std::slice::from_ref(argument)));
                }
                (kind_of, None) if kind == 's' && !matches!(kind_of, ExprKind::Str(_)) && self.is_text(argument) => {
                    let piece = self.pointed_text(argument, conversion, effects);
                    printed.push(Output::Piece(piece));
                }
                (ExprKind::Str(_), _) | (_, None) => {
                    // What a pointer that is not followed points to may be a string all the same.
                    let may_be_text = argument.ty == self.abi().address() || super::floating::is_approximated(argument);
                    let code = if kind == 's' && may_be_text { "unsupported-format" } else { "bad-format" };
                    return self.fail(
                        Diagnostic::error(code, argument.span, format!("`%{kind}` cannot print this here"))
                            .help("numbers and fixed strings can be printed"),
                    );
                }
                (_, Some(ty)) => {
                    let value = self.printed(argument, ty, effects);
                    printed.push(Output::Piece(PrintPiece::Value(value, conversion)));
                }
            }
        }
        // What is too much is evaluated all the same.
        for argument in values.filter(|argument| !matches!(argument.kind, ExprKind::Str(_))) {
            effects.before.push(super::expression::Step::Effect(argument));
        }
    }

    /// The value that is printed, of the type that the conversion takes it for.
    fn printed(&mut self, argument: &'a Tree, ty: Integer, effects: &mut Effects<'a>) -> Expr {
        let mut value = self.value(argument, effects);
        if value.nondets() > 0 {
            let t = self.temporary(argument.span, argument.ty);
            effects.before.push(super::expression::Step::Set(t.clone(), value, argument.span));
            value = t.read();
        }
        match self.options.ints {
            IntegerModel::C32 => self.converted(argument.ty, ty, value),
            IntegerModel::Unbounded => value,
        }
    }

    pub(super) fn unknown_string(&mut self, span: Span) {
        self.fail(
            Diagnostic::error("unsupported-string", span, "strings as data are not supported").help("print a fixed string, or integers"),
        );
    }
}
