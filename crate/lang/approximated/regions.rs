//! The statements of a function body, recognised by brackets, semicolons and keywords alone, and the expressions in them that may be regions.

use super::super::ast::MAX_NESTING;
use super::super::items::closing;
use super::super::token::{Kind, Token};
use super::{ApproximatedRegion, is_assembly};
use std::ops::Range;

/// The regions around the token `at` of a function body, from the smallest to the largest; none in a jump, a label or a nested definition.
/// `body` are the tokens of the body from its first brace to the last. What is nested deeper than [`MAX_NESTING`] is not read.
pub fn regions(text: &str, tokens: &[Token], body: Range<usize>, at: usize) -> Vec<ApproximatedRegion> {
    let mut reader = RegionReader { text, tokens, end: body.end, target: at, depth: 0, found: Vec::new() };
    if body.contains(&at) {
        reader.statement(body.start);
    }
    reader.found.reverse();
    reader.found
}

struct RegionReader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    end: usize,
    target: usize,
    /// Of the statements and expressions that are being read.
    depth: u32,
    /// From the largest to the smallest.
    found: Vec<ApproximatedRegion>,
}

impl RegionReader<'_> {
    fn kind(&self, at: usize) -> Kind {
        if at < self.end { self.tokens[at].kind } else { Kind::Eof }
    }

    fn name(&self, at: usize) -> &str {
        if self.kind(at) == Kind::Ident { self.tokens[at].spelling.text(self.text) } else { "" }
    }

    /// Reads the statement at a token; gives the first token after it.
    fn statement(&mut self, at: usize) -> usize {
        if self.depth > MAX_NESTING {
            return self.end;
        }
        self.depth += 1;
        let end = self.parts_of_statement(at);
        self.depth -= 1;
        end
    }

    fn parts_of_statement(&mut self, mut at: usize) -> usize {
        loop {
            match self.kind(at) {
                Kind::Ident if self.kind(at + 1) == Kind::Colon => at += 2,
                Kind::Default if self.kind(at + 1) == Kind::Colon => at += 2,
                Kind::Case => at = self.find(at, |kind| kind == Kind::Colon) + 1,
                Kind::Else => at += 1,
                _ => break,
            }
        }
        match self.kind(at) {
            Kind::Eof => self.end,
            Kind::LBrace => {
                at += 1;
                while !matches!(self.kind(at), Kind::RBrace | Kind::Eof) {
                    at = self.statement(at);
                }
                at + 1
            }
            Kind::If | Kind::While | Kind::Switch => {
                let close = self.condition(at + 1);
                self.statement(close)
            }
            Kind::For => {
                let close = self.closing(at + 1);
                let first = self.find(at + 2, |kind| kind == Kind::Semi);
                let second = self.find(first + 1, |kind| kind == Kind::Semi);
                if !self.tokens[at + 2..first.min(self.end)].iter().any(|token| token.kind.starts_type()) {
                    self.value(at + 2..first, true);
                }
                self.value(first + 1..second, true);
                self.value(second + 1..close, true);
                self.statement(close + 1)
            }
            Kind::Do => {
                let condition = self.statement(at + 1);
                let close = if self.kind(condition) == Kind::While { self.condition(condition + 1) } else { condition };
                if self.kind(close) == Kind::Semi { close + 1 } else { close }
            }
            Kind::Return => {
                let end = self.find(at, |kind| kind == Kind::Semi);
                self.value(at + 1..end, true);
                end + 1
            }
            Kind::Semi => at + 1,
            Kind::Goto | Kind::Break | Kind::Continue => self.find(at, |kind| kind == Kind::Semi) + 1,
            _ => {
                let end = self.find(at, |kind| kind == Kind::Semi);
                self.simple(at..end);
                end + 1
            }
        }
    }

    /// Reads the parenthesised condition at a token; gives the first token of its statement.
    fn condition(&mut self, open: usize) -> usize {
        if self.kind(open) != Kind::LParen {
            return open;
        }
        let close = self.closing(open);
        self.value(open + 1..close, true);
        close + 1
    }

    /// An expression statement or a declaration, without its semicolon.
    fn simple(&mut self, whole: Range<usize>) {
        let jumps = |token: &Token| matches!(token.kind, Kind::Return | Kind::Goto | Kind::Break | Kind::Continue | Kind::Case);
        if !whole.contains(&self.target) && self.target != whole.end
            || whole.end >= self.end
            || self.tokens[whole.clone()].iter().any(jumps)
            || is_assembly(self.name(whole.start)) && whole.clone().any(|at| self.kind(at) == Kind::Goto)
        {
            return;
        }
        self.found.push(ApproximatedRegion { tokens: whole.start..whole.end + 1, is_statement: true });
        if is_assembly(self.name(whole.start)) {
            return;
        }
        // The right side of an assignment or initialiser: the object then has any value of its type.
        let assign = self.find(whole.start, |kind| matches!(kind, Kind::Assign | Kind::Comma | Kind::Semi));
        let mut assign = assign.min(whole.end);
        while assign < whole.end {
            let end = self.find(assign + 1, |kind| matches!(kind, Kind::Comma | Kind::Semi)).min(whole.end);
            if self.kind(assign) == Kind::Assign {
                self.initialiser(assign + 1..end);
            }
            assign = if self.kind(assign) == Kind::Assign {
                end
            } else {
                self.find(assign + 1, |kind| matches!(kind, Kind::Assign | Kind::Comma | Kind::Semi)).min(whole.end)
            };
        }
        if !self.tokens[whole.clone()].iter().any(|token| token.kind == Kind::Assign) {
            self.value(whole, false);
        }
    }

    /// The right side of an assignment or initialiser: an expression, or a list of them in braces, each with a designator or without.
    fn initialiser(&mut self, range: Range<usize>) {
        if self.kind(range.start) != Kind::LBrace {
            return self.value(range, true);
        }
        let close = self.closing(range.start);
        if self.depth > MAX_NESTING || !(range.start..close).contains(&self.target) {
            return;
        }
        self.depth += 1;
        for element in self.split(range.start + 1..close, &[Kind::Comma]) {
            let designated = self.find(element.start, |kind| kind == Kind::Assign) + 1;
            self.initialiser(if element.contains(&designated) { designated..element.end } else { element });
        }
        self.depth -= 1;
    }

    /// An expression. With `itself` its context uses its value alone, so that it is a region; without, only arguments and indices in it are.
    fn value(&mut self, range: Range<usize>, itself: bool) {
        if !range.contains(&self.target) || range.end > self.end || self.depth > MAX_NESTING {
            return;
        }
        self.depth += 1;
        self.parts_of_value(range, itself);
        self.depth -= 1;
    }

    fn parts_of_value(&mut self, range: Range<usize>, itself: bool) {
        let jumps = |token: &Token| matches!(token.kind, Kind::Return | Kind::Goto | Kind::Break | Kind::Continue | Kind::Semi);
        if self.tokens[range.clone()].iter().any(jumps) {
            return;
        }
        if itself {
            self.found.push(ApproximatedRegion { tokens: range.clone(), is_statement: false });
        }
        for separators in [&[Kind::Comma][..], &[Kind::Question, Kind::Colon], &[Kind::OrOr], &[Kind::AndAnd]] {
            let parts = self.split(range.clone(), separators);
            if let [_, _, ..] = &parts[..] {
                // Operands of a conditional expression are converted to a common type, which their own values decide.
                for (part, number) in parts.into_iter().zip(0..) {
                    let is_truth = separators[0] != Kind::Question || number == 0;
                    self.value(part, itself && is_truth);
                }
                return;
            }
        }
        let mut range = range;
        while self.kind(range.start) == Kind::Not {
            range.start += 1;
        }
        if self.kind(range.start) == Kind::LParen && self.closing(range.start) + 1 == range.end {
            return self.value(range.start + 1..range.end - 1, itself);
        }
        // Arguments and indices.
        let mut at = range.start;
        while at < range.end {
            if self.kind(at).opens() {
                let close = self.closing(at);
                if (at + 1..close).contains(&self.target) {
                    let is_call = self.kind(at) == Kind::LParen && at > range.start && self.kind(at - 1) == Kind::Ident;
                    if is_call {
                        for argument in self.split(at + 1..close, &[Kind::Comma]) {
                            self.value(argument, true);
                        }
                    } else {
                        self.value(at + 1..close, self.kind(at) == Kind::LBracket);
                    }
                    return;
                }
                at = close;
            }
            at += 1;
        }
    }

    /// The parts of a range between separators of these kinds outside of brackets.
    fn split(&self, range: Range<usize>, separators: &[Kind]) -> Vec<Range<usize>> {
        let (mut parts, mut start) = (Vec::new(), range.start);
        loop {
            let end = self.find(start, |kind| separators.contains(&kind)).min(range.end);
            parts.push(start..end);
            if end >= range.end {
                return parts;
            }
            start = end + 1;
        }
    }

    /// The first token of a matching kind outside of brackets, or the end of the body.
    fn find(&self, mut at: usize, is_match: impl Fn(Kind) -> bool) -> usize {
        while at < self.end && !is_match(self.kind(at)) {
            at = if self.kind(at).opens() { self.closing(at) + 1 } else { at + 1 };
        }
        at.min(self.end)
    }

    /// The bracket that closes the one at `open`, or the end of the body.
    fn closing(&self, open: usize) -> usize {
        if open < self.end { closing(self.tokens, open, self.end) } else { self.end }
    }
}
