//! Reads of standard input.
//!
//! A read is an arbitrary value that says what it takes from the text ([`Read`]), so that the model has more executions than there are
//! texts. What it keeps of texts:
//!
//! - A call of `scanf` whose number the program uses draws this number first; then each conversion that succeeds by it draws its value, and
//!   the other objects stay as they are. A call whose number is dropped only draws values, as few edges as there can be.
//! - A call that may not come to a `%n`, or one with a width that bounds a number, is lowered as if the program used its number: an object
//!   that keeps its value has one outside of these bounds, too. Whether a call comes to its `%n` is drawn, where no number says it.
//! - A number has the digits that its width lets it have, a `%n` at least the characters that were needed up to there, and a word of a
//!   conversion that succeeds at least one.
//! - Once a read that the program can tell from others has met the end of the text, each later one does: a variable says so. Where no such
//!   read comes after another one, lowering leaves it out ([`needs_no_end`]).
//! - The characters of a word are those that its conversion takes.
//! - Where the program calls `feof(stdin)`, the same variable is the end-of-file indicator of the stream (C11 7.21.1p2): a read that gives -1
//!   at the end says itself whether it met that; whether a call of `scanf` did is drawn after its values, since one that succeeds may have.

use super::Lowerer;
use super::expression::{CHARACTER, Effects, Step};
use super::graph::{NOWHERE, Node};
use super::object::Target;
use crate::lang::ast::{Expr as Tree, ExprKind};
use crate::lang::intrinsic::Intrinsic;
use crate::lang::scan::{Format, KeptConversion};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, InputSource, Label, Lts, Origin, Read, Requirement, VariableId};
use crate::source::{Diagnostic, Span};
use petgraph::visit::{Dfs, EdgeRef};
use std::sync::Arc;

/// The name of the variable that says whether the end of the text was met; no C name has a `.`.
const END: &str = "stdin.end";

/// The values of a truth.
pub(super) const TRUTH: IntRange = IntRange { least: 0, greatest: 1 };

/// What lowering knows of standard input.
#[derive(Default)]
pub(super) struct Reading {
    /// Whether to say when the end was met.
    pub ends: bool,
    /// Whether what says it is the indicator that the program reads.
    pub has_indicator: bool,
    /// Whether the program reads that.
    pub needs_indicator: bool,
    /// The variable that says it, once there is one.
    end: Option<VariableId>,
    /// The format and the conversion whose word is being lowered.
    word: Option<ScanWord>,
}

/// A word that `scanf` reads.
#[derive(Clone)]
struct ScanWord {
    format: Arc<Format>,
    number: u32,
    /// Whether it is one by what the call gives back.
    is_certain: bool,
}

/// Whether the program has the variable that says when the end was met, and can do without it: no read that sets it comes after another.
pub(super) fn needs_no_end(lts: &Lts) -> bool {
    let Some(end) = lts.variables.iter().position(|variable| variable.name == END) else { return false };
    let sets = |label: &Label| matches!(label, Label::Assign(id, _) if id.0 as usize == end);
    let setting: Vec<_> = lts.graph.edge_references().filter(|edge| sets(&edge.weight().label)).collect();
    let mut search = Dfs::empty(&lts.graph);
    search.stack.extend(setting.iter().map(|edge| edge.target()));
    while search.next(&lts.graph).is_some() {}
    !setting.iter().any(|edge| search.discovered.contains(edge.source().index()))
}

/// A value where no stream meets an error.
pub(super) fn where_streams_work(value: Expr) -> Expr {
    Expr::Guarded(Requirement::Works, Box::new(Expr::Int(Int::ONE)), Box::new(value))
}

impl<'a> Lowerer<'a> {
    /// Where `e` reads one character and the target can hold all of its values: the read, which goes there at once.
    pub(super) fn read_to(&mut self, target: &Target, e: &Tree) -> Option<Intrinsic> {
        let (Target::Variable(_, Integer::Int), ExprKind::Call(name, _)) = (target, &e.kind) else { return None };
        let intrinsic = self.intrinsic(name)?;
        let reads = self.stdin.ends && intrinsic == Intrinsic::GetCharacter || intrinsic == Intrinsic::Letter;
        (reads && self.evaluated(e).is_none()).then_some(intrinsic)
    }

    /// A variable for what a read gives back.
    pub(super) fn read_result(&mut self, intrinsic: Intrinsic, span: Span) -> Target {
        let name = if intrinsic == Intrinsic::GetCharacter { "getchar.result" } else { "scanf.result" };
        let id = self.variable(name.into(), Origin::Inlined, span, Integer::Int);
        self.own_variable(id, None);
        Target::Variable(id, Integer::Int)
    }

    /// The value of a read of one character.
    pub(super) fn read_value(&mut self, intrinsic: Intrinsic, span: Span, effects: &mut Effects<'a>) -> Expr {
        if intrinsic == Intrinsic::GetCharacter && !self.stdin.ends {
            return Expr::Nondet(Some(CHARACTER), InputSource::Stdin(Read::Character));
        }
        let t = self.read_result(intrinsic, span);
        effects.before.push(Step::Read(t.clone(), intrinsic, span));
        t.read()
    }

    /// A read of one character that goes to the target.
    pub(super) fn read_into(&mut self, target: &Target, intrinsic: Intrinsic, span: Span, next: Node) -> Node {
        let (Intrinsic::Letter, Some(ScanWord { format, number, .. })) = (intrinsic, self.stdin.word.clone()) else {
            let next = self.at_end(target, span, next);
            return self.set(target, Expr::Nondet(Some(CHARACTER), InputSource::Stdin(Read::Character)), span, next);
        };
        let letters = format.kept().nth(number as usize).map(|read| read.letters().ranges()).unwrap_or_default();
        let greatest = letters.last().map_or(-1, |&(_, last)| i128::from(last));
        let mut next = next;
        if letters.len() > 1 || letters.first().is_some_and(|&(first, _)| first > 0) {
            // A sum of truth values, of which one is 1 at most.
            let truth = |op, byte: i64| Expr::Compare(op, Box::new(target.read()), Box::new(Expr::Int(Int::from(byte))));
            let mut one = truth(CompareOp::Eq, -1);
            for (first, last) in letters {
                one = Expr::Binary(BinaryOp::Add, Box::new(one), Box::new(truth(CompareOp::Ge, first.into())));
                one = Expr::Binary(BinaryOp::Sub, Box::new(one), Box::new(truth(CompareOp::Gt, last.into())));
            }
            next = self.only_where(one, span, next);
        }
        let range = IntRange { least: -1, greatest };
        self.set(target, Expr::Nondet(Some(range), InputSource::Stdin(Read::Letter { format, number })), span, next)
    }

    /// Behind a word of `scanf` that has no character.
    pub(super) fn without_word(&self, next: Node) -> Node {
        if self.stdin.word.as_ref().is_some_and(|word| word.is_certain) { NOWHERE } else { next }
    }

    /// The edge to `next`, which executions take where the condition holds, as all do.
    fn only_where(&mut self, condition: Expr, span: Span, next: Node) -> Node {
        let node = self.graph.decision(condition, span, next, NOWHERE);
        self.graph.of_library(node)
    }

    /// The variable that says whether the end was met.
    fn end_met(&mut self, span: Span) -> VariableId {
        let end = self.stdin.end;
        let end = end.unwrap_or_else(|| self.typed_variable(END.into(), Origin::Inlined, span, Some(Int::ZERO), Some(TRUTH)));
        self.deeper.own(end, 0);
        self.stdin.end = Some(end);
        end
    }

    /// The edge after which the end may have been met or not, if the program has to know.
    pub(super) fn any_end(&mut self, span: Span, next: Node) -> Node {
        if !self.stdin.ends {
            return next;
        }
        let end = self.end_met(span);
        let any = Expr::Nondet(Some(TRUTH), InputSource::Approximated);
        self.graph.operation(Label::Assign(end, any), span, next)
    }

    /// Behind a read that gives -1 at the end, and went to the target: an end that was met before is met again.
    fn at_end(&mut self, target: &Target, span: Span, next: Node) -> Node {
        if !self.stdin.ends {
            return next;
        }
        let end = self.end_met(span);
        let met = Expr::Compare(CompareOp::Eq, Box::new(target.read()), Box::new(Expr::Int(Int::from(-1))));
        let next = self.graph.operation(Label::Assign(end, met.clone()), span, next);
        let next = self.graph.of_library(next);
        let stays = Expr::Compare(CompareOp::Le, Box::new(Expr::Var(end)), Box::new(met));
        let next = self.graph.decision(where_streams_work(stays), span, next, NOWHERE);
        self.graph.of_library(next)
    }

    /// The value of `feof(stdin)`: as it is when the call comes, whatever the expression around it reads.
    pub(super) fn end_of_file(&mut self, span: Span, effects: &mut Effects<'a>) -> Expr {
        self.stdin.needs_indicator = true;
        let end = self.end_met(span);
        let t = Target::Variable(self.variable("feof.result".into(), Origin::Inlined, span, Integer::Int), Integer::Int);
        let met = Expr::Compare(CompareOp::Ne, Box::new(Expr::Var(end)), Box::new(Expr::Int(Int::ZERO)));
        effects.before.push(Step::Set(t.clone(), where_streams_work(met), span));
        t.read()
    }

    /// `clearerr(stdin)`: more may be read where a stream goes on behind its end, as a terminal does.
    pub(super) fn clear_indicators(&mut self, span: Span, next: Node) -> Node {
        if !self.stdin.ends {
            return next;
        }
        let end = self.end_met(span);
        let none = Expr::Nondet(Some(IntRange { least: 0, greatest: 0 }), InputSource::Stdin(Read::Clear));
        self.graph.operation(Label::Assign(end, none), span, next)
    }

    /// The edge to the entry: a function other than `main` may be called where the end was met.
    pub(super) fn indicator_before(&mut self, entry: Node) -> Node {
        let function = self.frames[0].function;
        match self.stdin.end {
            Some(end) if self.stdin.has_indicator && function.name.text != "main" => {
                let any = Expr::Nondet(Some(TRUTH), InputSource::Stdin(Read::EndOfFile));
                self.graph.operation(Label::Assign(end, any), function.name.span, entry)
            }
            _ => entry,
        }
    }

    /// Behind a call of `scanf`: whether it met the end, as it is if that was so before.
    fn indicator_after(&mut self, span: Span, next: Node) -> Node {
        if !self.stdin.has_indicator {
            return next;
        }
        let end = self.end_met(span);
        let t = self.read_result(Intrinsic::Scan, span);
        let next = self.graph.operation(Label::Assign(end, t.read()), span, next);
        let next = self.graph.of_library(next);
        let stays = Expr::Compare(CompareOp::Le, Box::new(Expr::Var(end)), Box::new(t.read()));
        let next = self.graph.decision(where_streams_work(stays), span, next, NOWHERE);
        let next = self.graph.of_library(next);
        self.set(&t, Expr::Nondet(Some(TRUTH), InputSource::Stdin(Read::EndOfFile)), span, next)
    }

    /// A call of `scanf` whose number goes to `status`.
    pub(super) fn scan_for(&mut self, call: &'a Tree, status: Target, next: Node) -> Node {
        match &call.kind {
            ExprKind::Call(_, arguments) if let [format, targets @ ..] = &arguments[..] => {
                self.scan(format, targets, Some(status), call.span, next)
            }
            _ => NOWHERE,
        }
    }

    /// A call of `scanf`, whose number goes to `status` where the program uses it.
    #[inline(never)]
    pub(super) fn scan(&mut self, format: &'a Tree, addresses: &'a [Tree], status: Option<Target>, span: Span, next: Node) -> Node {
        let Some(read) = self.format(format, addresses.len()) else { return NOWHERE };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut targets = Vec::new();
        for address in &addresses[..read.kept().count()] {
            if let ExprKind::Call(..) = &address.kind {
                // A word, that a function of the library reads.
                targets.push(None);
                continue;
            }
            let mut effects = Effects::default();
            let part = self.pointee(address, &mut effects).and_then(|pointee| self.pointed(pointee));
            let Some(target) = part.and_then(|part| self.target(&part)) else {
                self.unknown_pointer(address);
                return NOWHERE;
            };
            before.extend(effects.before);
            after.extend(effects.after);
            targets.push(Some(target));
        }
        self.fix_indices(&mut targets, &mut before, span);
        // A variable that keeps its value has the bounds of its type, a value that is read has the bounds of its conversion.
        let kept = || (0..).map_while(|number| read.around(number));
        let needs_status = kept().any(|conversion| conversion.is_uncertain_count() || conversion.read.bounds().is_some());
        let status = status.or_else(|| needs_status.then(|| self.read_result(Intrinsic::Scan, span)));
        let begins = status.is_none() && matches!(targets.first(), Some(Some(_)));
        let next = self.run_steps(after, next);
        let end = self.indicator_after(span, next);
        let mut node = end;
        let mut counted = read.most();
        for (number, target) in targets.iter().enumerate().rev() {
            let number = number as u32;
            let Some(conversion) = read.around(number) else { continue };
            let counts = conversion.read.kind != b'n';
            counted -= u32::from(counts);
            node = match target {
                Some(target) => {
                    let source = Read::Value { format: read.clone(), number, begins: begins && number == 0 };
                    let range = match &status {
                        Some(_) => self.read_range(conversion, target, span, &mut node),
                        None => self.range(target.ty()),
                    };
                    self.set(target, Expr::Nondet(range, InputSource::Stdin(source)), span, node)
                }
                None => {
                    let word = ScanWord { format: read.clone(), number, is_certain: status.is_some() };
                    let around = self.stdin.word.replace(word);
                    let node = self.effect(&addresses[number as usize], node);
                    self.stdin.word = around;
                    node
                }
            };
            let Some(status) = &status else { continue };
            if counts {
                let converted = Expr::Compare(CompareOp::Gt, Box::new(status.read()), Box::new(Expr::Int(Int::from(i64::from(counted)))));
                node = self.graph.decision(converted, span, node, end);
                node = self.graph.of_library(node);
            } else if conversion.may_fail_since {
                node = self.count_or_not(conversion, number, counted, status, span, [node, end]);
            }
        }
        let draw = |least, greatest, read| Expr::Nondet(Some(IntRange { least, greatest }), InputSource::Stdin(read));
        if let Some(status) = &status {
            if read.ends() {
                node = self.at_end(status, span, node);
            }
            node = self.set(status, draw(-1, i128::from(read.most()), Read::Status(read)), span, node);
        } else if !begins {
            let t = self.read_result(Intrinsic::Scan, span);
            node = self.set(&t, draw(0, 0, Read::Call(read)), span, node);
        }
        self.run_steps(before, node)
    }

    /// Comes to the first node where the call comes to its `%n` with this number, after so many conversions that count, and else to the other.
    fn count_or_not(
        &mut self,
        conversion: KeptConversion,
        number: u32,
        counted: u32,
        status: &Target,
        span: Span,
        [comes, ends]: [Node; 2],
    ) -> Node {
        let t = self.read_result(Intrinsic::Scan, span);
        let compared = |op, with: i64| Box::new(Expr::Compare(op, Box::new(status.read()), Box::new(Expr::Int(Int::from(with)))));
        let mut comes = comes;
        if !conversion.may_fail_later {
            // Nothing then ends the call before it gives back that number.
            comes = self.only_where(*compared(CompareOp::Ge, counted.into()), span, comes);
        }
        let node = self.graph.decision(Expr::Compare(CompareOp::Ne, Box::new(t.read()), Box::new(Expr::Int(Int::ZERO))), span, comes, ends);
        let node = self.graph.of_library(node);
        let enough = Expr::Compare(CompareOp::Ge, Box::new(t.read()), compared(CompareOp::Gt, counted.into()));
        let node = self.only_where(enough, span, node);
        self.set(&t, Expr::Nondet(Some(TRUTH), InputSource::Stdin(Read::HasCount { number })), span, node)
    }

    /// The values that a conversion which succeeds can give its object; where these are no range, the node behind it bounds them.
    fn read_range(&mut self, conversion: KeptConversion, target: &Target, span: Span, next: &mut Node) -> Option<IntRange> {
        let range = self.range(target.ty());
        if conversion.read.kind == b'n' {
            let least = i128::from(conversion.least);
            return range.map(|range| IntRange { least: least.min(range.greatest), ..range });
        }
        let Some((least, greatest)) = conversion.read.bounds() else { return range };
        let Some(range) = range else { return Some(IntRange { least, greatest }) };
        let is_wrapped = range.least == 0 && !matches!(conversion.read.kind, b'd' | b'i') && least < 0;
        if !is_wrapped {
            return Some(IntRange { least: least.max(range.least), greatest: greatest.min(range.greatest) });
        }
        // Of a number with a minus the type has the other end.
        let wrapped = range.greatest + 1 + least;
        if greatest < wrapped {
            let truth = |op, than: i128| Box::new(Expr::Compare(op, Box::new(target.read()), Box::new(Expr::Int(Int::from(than)))));
            let one = Expr::Binary(BinaryOp::Add, truth(CompareOp::Le, greatest), truth(CompareOp::Ge, wrapped));
            *next = self.only_where(one, span, *next);
        }
        Some(range)
    }

    /// Addresses are those before the call: computes an index before that something read by the call would change, or that is read once only.
    fn fix_indices(&mut self, targets: &mut [Option<Target>], before: &mut Vec<Step<'a>>, span: Span) {
        let several = targets.len() > 1;
        for target in targets.iter_mut().flatten() {
            if let Some(index) = target.index()
                && (super::expression::has_nondet(index) || several && !matches!(index, Expr::Int(_)))
            {
                let t = self.temporary(span, Integer::LongLong);
                before.push(Step::Set(t.clone(), std::mem::replace(index, t.read()), span));
            }
        }
    }

    /// The format of a call with so many addresses; `None`, and a message, where it is refused.
    fn format(&mut self, format: &Tree, addresses: usize) -> Option<Arc<Format>> {
        let ExprKind::Str(bytes) = &format.kind else {
            self.unknown_string(format.span);
            return None;
        };
        let read = Format::read(bytes);
        if let Some(other) = read.reads().find(|read| !b"diuxXocs[naefgAEFG".contains(&read.kind)) {
            let kind = char::from(other.kind);
            self.fail(
                Diagnostic::error(
                    "unsupported-string",
                    format.span,
                    format!("`%{kind}` of `scanf` is not supported: it reads numbers, characters and words only"),
                )
                .help("read the characters one by one, e.g. with `getchar()`"),
            );
            return None;
        }
        if read.kept().count() > addresses {
            self.fail(
                Diagnostic::error("bad-format", format.span, "this format has more conversions than there are addresses")
                    .help("give an address for each `%`"),
            );
            return None;
        }
        Some(Arc::new(read))
    }
}
