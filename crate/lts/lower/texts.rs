//! Strings that are values, followed: the program's strings are the rows of one array that nothing changes, as long as the longest.
//!
//! Behind a string's own end its row holds a number that is no character, so that to read there is undefined; so it is to follow a null
//! pointer, which is the row in front of the first.

use super::Lowerer;
use super::expression::{Effects, has_nondet};
use super::flow::{Cell, Of, cell_of, shape_of};
use super::object::{Part, Pointee, Root};
use super::target::Target;
use crate::lang::ast::{BinaryOp as TreeOp, DeclId, Expr as Tree, ExprKind, Length, Shape, string_address};
use crate::lang::flow::Flow;
use crate::lang::types::{Abi, Integer};
use crate::logic::{Int, IntRange, SortedSet};
use crate::lts::{Array, ArrayId, BinaryOp, CompareOp, Expr, Origin, Owner, Requirement, SourcePart, ValueMeaning};
use crate::source::Diagnostic;

/// Characters that all rows may have together.
const MAX_CHARACTERS: usize = 1 << 16;
/// What stands behind the end of a string: greater than any `char`.
const BEHIND: i64 = 256;

/// A character of the array.
pub(super) fn character(array: ArrayId, index: &Expr, characters: IntRange) -> Expr {
    Expr::Within(Requirement::Character, characters, Box::new(Expr::Read(array, Box::new(index.clone()))))
}

pub(super) fn is_null(e: &Tree) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero())
}

/// Whether the shape is that of an address of characters as strings have them.
fn is_text(shape: Option<&Shape>, abi: Abi) -> bool {
    let is_character = |ty| ty == Integer::Char || ty == Integer::SignedChar && Integer::Char.signed(abi);
    matches!(shape, Some(Shape::Pointer(inner)) if matches!(**inner, Shape::Scalar(ty) if is_character(ty)))
}

impl<'a> Lowerer<'a> {
    /// How long the rows are.
    fn row_length(&self) -> usize {
        self.program.strings.iter().map(|bytes| bytes.len() + 1).max().unwrap_or(1)
    }

    /// The shape of the array.
    pub(super) fn strings_shape(&self) -> Shape {
        Shape::Array { element: Box::new(self.row_shape()), length: Length::Fixed(Int::from(self.program.strings.len())) }
    }

    fn row_shape(&self) -> Shape {
        Shape::Array { element: Box::new(Shape::Scalar(Integer::Char)), length: Length::Fixed(Int::from(self.row_length())) }
    }

    /// What the array holds.
    pub(super) fn strings_values(&self) -> Vec<Int> {
        let length = self.row_length();
        let row = |bytes: &Vec<u8>| {
            let behind = length - bytes.len() - 1;
            let characters = bytes.iter().map(|&byte| self.character(Integer::Char, byte)).chain([Int::ZERO]).collect::<Vec<_>>();
            characters.into_iter().chain(std::iter::repeat_n(Int::from(BEHIND), behind))
        };
        self.program.strings.iter().flat_map(row).collect()
    }

    /// Whether an expression is an address that is a value, and always that of one of the program's strings, or null.
    pub(super) fn is_string_value(&mut self, e: &'a Tree) -> bool {
        self.is_text_by_flow(e) && !self.gives_object(e)
    }

    /// As [`Lowerer::is_string_value`], but for calls that give back what points into an array of the program.
    pub(super) fn is_text_by_flow(&mut self, e: &'a Tree) -> bool {
        let strings = self.program.strings.len();
        if strings == 0 || strings.saturating_mul(self.row_length()) > MAX_CHARACTERS {
            return false;
        }
        match &e.kind {
            ExprKind::Conditional(_, a, b) => {
                [a, b].into_iter().all(|side| is_null(side) || matches!(side.kind, ExprKind::Str(_)) || self.is_text_by_flow(side))
            }
            ExprKind::Comma(_, last) => self.is_text_by_flow(last),
            ExprKind::Name(_) if self.is_pointee(e) => false,
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) | ExprKind::Call(..) => {
                is_text(shape_of(self.program, e), self.abi())
                    && cell_of(self.program, e).is_some_and(|cell| !self.open_cells().contains(&cell))
            }
            _ => false,
        }
    }

    /// Whether what a pointer is set to is one of the program's strings, or null.
    pub(super) fn gives_string(&mut self, e: &'a Tree) -> bool {
        match &e.kind {
            ExprKind::Str(bytes) => self.program.strings.contains(bytes),
            _ if is_null(e) || self.is_string_value(e) => true,
            _ => matches!(self.pointee(e, &mut Effects::default()), Some(Pointee::Element(part, _)) if part.root == Root::Strings),
        }
    }

    /// The row of the array that a number says.
    pub(super) fn string_row(&self, row: Expr) -> Part {
        Part {
            root: Root::Strings,
            path: Vec::new(),
            indices: vec![(row, None)],
            inner: 0,
            nullable: false,
            outside: false,
            volatile: false,
            shape: self.row_shape(),
        }
    }

    /// Whether a place may hold the address of a string of another part of the program.
    pub(super) fn is_from_outside(&mut self, cell: Option<Cell<'a>>) -> bool {
        let outside = self.outside_cells.get_or_insert_with(|| {
            let program = self.program;
            // Where nothing else runs, nothing else is brought.
            let is_alone = self.frames[0].function.name.text == "main" && !super::survey::Survey::of(program).leaves.contains(&true);
            if is_alone { SortedSet::new() } else { Flow::new(program, Of::Strings).outside(None) }
        });
        cell.is_some_and(|cell| outside.contains(&cell))
    }

    /// The array of the strings of other parts, which is an input.
    fn outside_strings(&mut self) -> ArrayId {
        if let Some(array) = self.outside_text {
            return array;
        }
        let id = self.note_array(&Root::Strings);
        self.arrays.push(Array {
            name: "strings from outside".to_owned(),
            part: SourcePart::elements("strings from outside".to_owned(), None),
            origin: Origin::Inlined,
            span: self.frames[0].function.name.span,
            length: None,
            initial: None,
            first: None,
            range: Some(Integer::Char.range(self.abi())),
            values: ValueMeaning::Characters,
            objects: Vec::new(),
            member_of_nodes: None,
            owners: vec![Owner { declaration: u32::MAX, is_pointed: true, size: 1 }],
        });
        *self.outside_text.insert(id)
    }

    /// The same, where a place that is followed may lead there.
    pub(super) fn followed_outside(&mut self) -> Option<ArrayId> {
        self.is_from_outside(None);
        let outside: Vec<Cell<'a>> = self.outside_cells.iter().flat_map(|cells| cells.iter().copied()).collect();
        let has_strings = !self.program.strings.is_empty();
        let open = self.open_cells();
        let any = has_strings && outside.iter().any(|cell| !open.contains(cell));
        any.then(|| self.outside_strings())
    }

    /// A character of a string that may be the program's own, or another part's: theirs are an input, one string for each address.
    pub(super) fn text_from_outside(&mut self, strings: ArrayId, part: &Part) -> Option<Target> {
        let [(row, _), (index, length)] = &part.indices[..] else { return None };
        if has_nondet(row) || has_nondet(index) {
            return None;
        }
        let number = |value: i64| Expr::Int(Int::from(value));
        let binary = |op, a: Expr, b: Expr| Expr::Binary(op, Box::new(a), Box::new(b));
        let known = Expr::Int(Int::from(self.program.strings.len()));
        let is_own = Expr::Compare(CompareOp::Lt, Box::new(row.clone()), Box::new(known.clone()));
        let is_theirs = Expr::Compare(CompareOp::Ge, Box::new(row.clone()), Box::new(known));
        let where_own = |e: &Expr| binary(BinaryOp::Mul, is_own.clone(), e.clone());
        let own = super::object::row_by_row(where_own(row), &where_own(index), length.as_ref()?);
        let own = binary(BinaryOp::Mul, is_own.clone(), character(strings, &own, Integer::Char.range(self.abi())));
        let theirs = self.outside_strings();
        let at = binary(BinaryOp::Add, binary(BinaryOp::Mul, row.clone(), Expr::Int(string_address(0))), index.clone());
        let read = Expr::Read(theirs, Box::new(at.clone()));
        let value = binary(BinaryOp::Add, own, binary(BinaryOp::Mul, binary(BinaryOp::Sub, number(1), is_own.clone()), read));
        Some(Target::Outside(value, theirs, Box::new([at, is_theirs])))
    }

    /// What an address that is a value points to.
    pub(super) fn string_pointee(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Pointee> {
        if !self.is_string_value(e) {
            return None;
        }
        let outside = self.is_from_outside(cell_of(self.program, e));
        let address = self.value(e, effects);
        let row = row_of(address);
        Some(Pointee::Element(Part { outside, ..self.string_row(row) }, Expr::Int(Int::ZERO)))
    }

    /// As [`Lowerer::pointee`], where a pointer that moves is set to one of the program's strings, or to null.
    pub(super) fn string_source(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Pointee> {
        match &e.kind {
            ExprKind::Str(bytes) => {
                let row = row_of(Expr::Int(self.address_of_string(bytes)));
                Some(Pointee::Element(self.string_row(row), Expr::Int(Int::ZERO)))
            }
            _ if is_null(e) => Some(Pointee::Element(self.string_row(Expr::Int(-Int::ONE)), Expr::Int(Int::ZERO))),
            _ => self.pointee(e, effects).map(|pointee| self.in_strings(pointee)),
        }
    }

    /// The number of a string of the program that is an array by itself.
    fn number_of_literal(&self, part: &Part) -> Option<usize> {
        let Root::Temporary(number) = part.root else { return None };
        let (bytes, _) = self.literals.iter().find(|(_, own)| **own == number)?;
        self.program.strings.iter().position(|known| known == bytes).filter(|_| part.path.is_empty() && part.indices.is_empty())
    }

    /// What leads into an array that is one string of the program, as what leads into the array of all.
    pub(super) fn in_strings(&self, pointee: Pointee) -> Pointee {
        match &pointee {
            Pointee::Element(part, index) => match self.number_of_literal(part) {
                Some(number) => Pointee::Element(self.string_row(row_of(Expr::Int(string_address(number)))), index.clone()),
                None => pointee,
            },
            Pointee::Single(_) => pointee,
        }
    }

    /// Whether a pointer is set to strings of the program alone, more than one of them, and to some from pointers that lead to one each.
    pub(super) fn leads_into_strings(&mut self, decl: DeclId, sources: &[&'a Tree]) -> bool {
        let size = self.program.strings.len().saturating_mul(self.row_length());
        if size > MAX_CHARACTERS || !is_text(Some(&self.program.decl(decl).shape), self.abi()) {
            return false;
        }
        let (mut open, mut found) = (sources.to_vec(), SortedSet::new());
        while let Some(e) = open.pop() {
            let number = match &e.kind {
                ExprKind::Conditional(_, a, b) => {
                    open.extend([&**a, &**b]);
                    continue;
                }
                ExprKind::Comma(_, last) => {
                    open.push(last);
                    continue;
                }
                _ if is_null(e) => continue,
                ExprKind::Str(bytes) => self.program.strings.iter().position(|known| known == bytes),
                ExprKind::Name(_) | ExprKind::Binary(..) => match self.pointee(e, &mut Effects::default()) {
                    Some(Pointee::Element(part, _)) => self.number_of_literal(&part),
                    _ => None,
                },
                _ => None,
            };
            let Some(number) = number else { return false };
            found.insert(number);
        }
        found.len() > 1
    }

    /// The comparison, or the distance, of two addresses in strings: which is first is undefined of two strings (6.5.8p5, 6.5.6p9).
    pub(super) fn string_comparison(&mut self, op: TreeOp, (a, i): (&Part, Expr), (b, j): (&Part, Expr)) -> Option<Expr> {
        let (Some((left, _)), Some((right, _))) = (a.indices.first(), b.indices.first()) else { return None };
        if has_nondet(left) || has_nondet(right) {
            return None;
        }
        if a.outside && b.outside {
            return Some(self.outside_comparison(op, [left, right], (i, j)));
        }
        let length = Int::from(self.row_length());
        let flat = |row: &Expr, at: Expr| {
            let start = Expr::Binary(BinaryOp::Mul, Box::new(row.clone()), Box::new(Expr::Int(length.clone())));
            Expr::Binary(BinaryOp::Add, Box::new(start), Box::new(at))
        };
        if matches!(op, TreeOp::Eq | TreeOp::Ne) {
            return Some(self.arithmetic(op, self.abi().distance(), flat(left, i), flat(right, j)));
        }
        let same = Expr::Compare(CompareOp::Eq, Box::new(left.clone()), Box::new(right.clone()));
        Some(Expr::Guarded(Requirement::SameObject, Box::new(same), Box::new(self.arithmetic(op, self.abi().distance(), i, j))))
    }

    /// The same, where both may be strings of other parts: two of their addresses may lead into one array.
    fn outside_comparison(&self, op: TreeOp, [left, right]: [&Expr; 2], (i, j): (Expr, Expr)) -> Expr {
        let binary = |op, a: &Expr, b: Expr| Expr::Binary(op, Box::new(a.clone()), Box::new(b));
        let theirs =
            |row: &Expr| Expr::Compare(CompareOp::Ge, Box::new(row.clone()), Box::new(Expr::Int(Int::from(self.program.strings.len()))));
        let same = Expr::Compare(CompareOp::Eq, Box::new(left.clone()), Box::new(right.clone()));
        let both_theirs = binary(BinaryOp::And, &theirs(left), theirs(right));
        let value = self.arithmetic(op, self.abi().distance(), i, j);
        let any =
            Expr::nondet(Some(if op.compares() { IntRange { least: 0, greatest: 1 } } else { self.abi().distance().range(self.abi()) }));
        let unequal = Expr::Not(Box::new(same.clone()));
        let apart = match op {
            TreeOp::Eq => binary(BinaryOp::Mul, &both_theirs, any),
            TreeOp::Ne => Expr::Not(Box::new(binary(BinaryOp::Mul, &both_theirs, any))),
            _ => any,
        };
        let mixed = binary(BinaryOp::Add, &binary(BinaryOp::Mul, &same, value), binary(BinaryOp::Mul, &unequal, apart));
        if matches!(op, TreeOp::Eq | TreeOp::Ne) {
            return mixed;
        }
        let defined = binary(BinaryOp::Or, &same, both_theirs);
        Expr::Guarded(Requirement::SameObject, Box::new(defined), Box::new(mixed))
    }

    /// Whether an address is that of a string which stands in the comparison: never, where it leads to another object of the program.
    pub(super) fn literal_comparison(&mut self, op: TreeOp, left: &'a Tree, right: &'a Tree, effects: &mut Effects<'a>) -> Option<Expr> {
        let is_text = |e: &Tree| matches!(e.kind, ExprKind::Str(_));
        let other = match (is_text(left), is_text(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return None,
        };
        if !matches!(op, TreeOp::Eq | TreeOp::Ne) {
            return None;
        }
        let mut tried = Effects::default();
        if !self.is_string_value(other) && self.pointee(other, &mut tried).is_some_and(|pointee| self.leads_into_object(&pointee)) {
            effects.before.append(&mut tried.before);
            effects.after.append(&mut tried.after);
            return Some(Expr::Int(Int::from(op == TreeOp::Ne)));
        }
        self.fail(
            Diagnostic::error("unsupported-string", left.span.to(right.span), "it is not known whether the two are one address")
                .help("`strcmp` compares the characters of two strings"),
        );
        Some(Expr::Int(Int::ZERO))
    }

    /// Whether a pointer leads into an object of the program, not past its end, that is no string of the text and no object of a caller.
    fn leads_into_object(&self, pointee: &Pointee) -> bool {
        let (is_inside, part) = match pointee {
            Pointee::Element(part, Expr::Int(index)) => {
                let length = if let Shape::Array { length: Length::Fixed(length), .. } = &part.shape { Some(length) } else { None };
                (index.is_zero() || *index > Int::ZERO && length.is_some_and(|length| index < length), part)
            }
            Pointee::Element(part, _) => (false, part),
            Pointee::Single(part) => (true, part),
        };
        let is_own = |root: &Root| match root {
            Root::Decl(_, id) => !matches!(self.program.decl(*id).shape, Shape::Pointer(_)) && self.block_root(root).is_none(),
            Root::Temporary(number) => !self.literals.values().any(|own| own == number),
            Root::Argument(..) => true,
            _ => false,
        };
        is_inside && self.roots(part).into_iter().all(is_own)
    }

    /// Whether a pointer to one of the program's strings is not null.
    pub(super) fn string_there(&self, pointee: &Pointee) -> Option<Expr> {
        match pointee {
            Pointee::Element(part, _) if part.root == Root::Strings => {
                let row = part.indices.first().map(|(row, _)| row.clone())?;
                Some(Expr::Compare(CompareOp::Ge, Box::new(row), Box::new(Expr::Int(Int::ZERO))))
            }
            _ => None,
        }
    }
}

/// The row of a string by its address.
fn row_of(address: Expr) -> Expr {
    let step = string_address(0);
    let quotient = match address {
        Expr::Int(value) => return Expr::Int(&value.div_rem_trunc(&step).map(|(row, _)| row).unwrap_or_default() - &Int::ONE),
        address => Expr::Binary(BinaryOp::Div, Box::new(address), Box::new(Expr::Int(step))),
    };
    Expr::Binary(BinaryOp::Sub, Box::new(quotient), Box::new(Expr::Int(Int::ONE)))
}

#[cfg(test)]
mod tests {
    use crate::lts::{Lts, lower};

    fn lowered(source: &str) -> Result<Lts, String> {
        let program = crate::lang::parse(source).program.unwrap_or_default();
        lower::lower(&program, Some("f")).map(|lowered| lowered.lts).map_err(|errors| errors[0].code.to_owned())
    }

    /// What is followed, and has the array of all strings.
    #[test]
    fn strings_are_followed_wherever_they_come_from() {
        for source in [
            "const char *const t[] = {\"ab\", \"c\"}; int f(int i) { return t[i & 1][1]; }",
            "int f(int i) { const char *t[] = {\"ab\", 0}; return *t[i]; }",
            "const char *s = \"ab\"; int f(int i) { return s[i]; }",
            "int g(const char *s) { return s ? s[0] : 0; } int f(int i) { return g(i ? \"a\" : 0); }",
            "const char *g(int i) { return i ? \"a\" : \"b\"; } int f(int i) { return g(i)[0]; }",
            "struct S { const char *name; }; int f(int i) { struct S a = {\"a\"}, b = a; b.name = i ? \"b\" : a.name; return b.name[0]; }",
            "void g(const char **t) { t[1] = t[0]; } int f(int i) { const char *t[2] = {\"a\", \"b\"}; g(t); return t[i][0]; }",
            "const char *const t[] = {\"ab\", \"c\"}; int f(int i) { const char *p, *q = t[1]; for (p = q; *p; p++) i++; return i + (p - q); }",
        ] {
            let lts = lowered(source);
            assert!(lts.as_ref().is_ok_and(|lts| lts.arrays.iter().any(|array| array.name == "strings")), "{source}: {:?}", lts.err());
        }
    }

    /// What may be the address of something else is not followed.
    #[test]
    fn open_places_are_not_followed() {
        for source in [
            "char a[3]; const char *s = a; int f(int i) { if (i) s = \"a\"; return s[i]; }",
            "const char *s = \"ab\"; int f(int i) { s++; return s[i]; }",
            "const char *g(int); int f(int i) { const char *t[2] = {\"a\"}; t[1] = g(i); return t[i][0]; }",
            "int f(long n) { const char *s = \"a\"; const char *t[1]; t[0] = (const char *)n; if (n) s = t[0]; return s[0]; }",
        ] {
            assert_eq!(lowered(source).err().as_deref(), Some("unsupported-pointer"), "{source}");
        }
    }
}
