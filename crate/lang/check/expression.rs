//! Expressions: every name known, every value typed, every silent conversion written down (C11 6.3, 6.5).

use super::super::ast::{BinaryOp, Expr, ExprKind, PointerCast, Qualifiers, Shape, Type, UnaryOp};
use super::super::types::Integer;
use super::volatile::volatile_levels;
use super::{Checker, UsedAs};
use crate::source::{Diagnostic, Span};

impl Checker<'_> {
    /// Checks an expression whose value is dropped.
    pub(super) fn effect(&mut self, e: &mut Expr) {
        self.expression(e, false);
    }

    /// Checks an expression whose value is used; arrays become pointers to their first element.
    pub(super) fn value(&mut self, e: &mut Expr) -> Shape {
        match self.expression(e, true) {
            Shape::Array { element, .. } => {
                e.ty = self.abi().address();
                Shape::Pointer(element)
            }
            Shape::Void if !matches!(e.kind, ExprKind::Error) && !self.is_reported_void(e) => {
                self.report(Diagnostic::error("void-value", e.span, "this has no value").help("write it as a statement of its own"));
                Shape::INT
            }
            shape => shape,
        }
    }

    /// Whether the checker has reported a missing value already.
    fn is_reported_void(&self, e: &Expr) -> bool {
        matches!(e.unconverted().kind, ExprKind::Call(..) | ExprKind::Error)
    }

    /// Checks an expression whose value must be an integer; gives its type.
    pub(super) fn scalar_value(&mut self, e: &mut Expr) -> Integer {
        let shape = self.value(e);
        self.as_scalar(shape, e)
    }

    /// Checks an expression whose value must be an integer and no floating-point number; gives its type.
    pub(super) fn integer_value(&mut self, e: &mut Expr) -> Integer {
        let ty = self.scalar_value(e);
        self.only_integer(ty, e.span);
        ty
    }

    /// Says so where an operator that takes integers only has operands of these types.
    fn takes(&mut self, op: BinaryOp, operands: [Integer; 2], span: Span) {
        if op.shifts() || matches!(op, BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            operands.into_iter().for_each(|ty| self.only_integer(ty, span));
        }
    }

    /// Says so where a floating-point number stands where C needs an integer.
    pub(super) fn only_integer(&mut self, ty: Integer, span: Span) {
        if ty.format().is_some() {
            let message = format!("a number of the type `{}` stands where an integer is needed", ty.name());
            self.report(Diagnostic::error("float-as-integer", span, message).help("convert it, e.g. to `(int)x`"));
        }
    }

    /// The type of a checked expression of this shape, which must be an integer.
    pub(super) fn as_scalar(&mut self, shape: Shape, e: &Expr) -> Integer {
        match shape {
            Shape::Scalar(integer) => integer,
            Shape::Pointer(_) => {
                self.no_number(e);
                self.abi().address()
            }
            Shape::Struct(_) => {
                self.report(
                    Diagnostic::error("struct-as-scalar", e.span, "a structure stands where one integer is needed")
                        .help("name a member: `s.member`"),
                );
                Integer::Int
            }
            _ => Integer::Int,
        }
    }

    /// The name of a function where a value is needed.
    pub(super) fn function_as_value(&self, name: &str, span: Span) -> Diagnostic {
        let is_of_program = self.signatures.contains_key(name) && !self.library.names.contains(name) || self.prototypes.contains_key(name);
        if is_of_program {
            return Diagnostic::error("function-as-value", span, format!("`{name}` is a function")).help(format!("call it: `{name}(…)`"));
        }
        let message = format!("pointers to functions of the C library, as `{name}`, are not supported");
        Diagnostic::error("function-as-value", span, message).help("name a function of the program that calls it")
    }

    /// An address where an integer is needed.
    fn no_number(&mut self, e: &Expr) {
        let diagnostic = match (&e.kind, e.root()) {
            (ExprKind::Str(_), _) => Diagnostic::error("unsupported-string", e.span, "strings as data are not supported")
                .help("a string can be an argument of a function, or fill an array of `char`"),
            (ExprKind::Int(number), _) if let Some(name) = self.function_at(number) => self.function_as_value(name, e.span),
            (ExprKind::Name(name), _) if self.is_array(name) => {
                let declared = name.decl.map(|id| self.decls[id.0 as usize].span).unwrap_or_default();
                Diagnostic::error("array-as-scalar", e.span, format!("`{}` is an array, not a single integer", name.text))
                    .help(format!("name an element, e.g. `{}[0]`; a whole array can only be passed to a function", name.text))
                    .related(declared, "declared here")
            }
            _ => Diagnostic::error("pointer-as-integer", e.span, "an address stands where an integer is needed")
                .help("follow it with `*`, or name an element"),
        };
        self.report(diagnostic);
    }

    /// Notes what the expression around uses of this one, if it is a call.
    pub(super) fn uses(&mut self, e: &Expr, used: UsedAs) {
        if let ExprKind::Call(name, _) = &e.kind {
            self.part_of = Some((name.span, used));
        }
    }

    /// Checks an expression that must be an address, or an integer that stands for one.
    pub(super) fn pointer_value(&mut self, e: &mut Expr) {
        match self.value(e) {
            Shape::Pointer(_) => {}
            Shape::Struct(_) => self.report(
                Diagnostic::error("struct-as-scalar", e.span, "a structure stands where an address is needed")
                    .help("take its address with `&`"),
            ),
            _ => self.convert(e, self.abi().address()),
        }
    }

    /// Writes a conversion into the tree, where there is something to convert.
    pub(super) fn convert(&mut self, e: &mut Expr, to: Integer) {
        if e.ty == to || matches!(e.kind, ExprKind::Error) {
            return;
        }
        let Expr { span, depth, parenthesised, .. } = *e;
        let inner = std::mem::replace(&mut e.kind, ExprKind::Error);
        let volatile = std::mem::take(&mut e.volatile);
        let inner = Expr { kind: inner, span, depth, parenthesised, ty: e.ty, volatile, expansion: e.expansion.clone() };
        e.kind = ExprKind::Convert(Box::new(inner));
        e.ty = to;
    }

    /// Checks an expression and gives its shape.
    pub(super) fn expression(&mut self, e: &mut Expr, used: bool) -> Shape {
        let shape = self.typed(e, used);
        if let Some(integer) = shape.integer(self.abi()) {
            e.ty = integer;
        }
        shape
    }

    fn typed(&mut self, e: &mut Expr, used: bool) -> Shape {
        let span = e.span;
        if let Some(shape) = self.builtin(e, used) {
            return shape;
        }
        if let Some(set) = self.literal_within(e) {
            let shape = self.expression(e, used);
            if let Some(set) = set {
                let named = std::mem::replace(e, Expr::new(ExprKind::Error, span));
                let ty = named.ty;
                *e = Expr { ty, ..Expr::new(ExprKind::Comma(Box::new(set), Box::new(named)), span) };
            }
            return shape;
        }
        match &mut e.kind {
            ExprKind::Error => Shape::INT,
            ExprKind::Sugar(_) => {
                let ExprKind::Sugar(sugar) = std::mem::replace(&mut e.kind, ExprKind::Error) else { return Shape::INT };
                self.sugar(e, *sugar, used)
            }
            ExprKind::Int(_) => Shape::Scalar(e.ty),
            ExprKind::Convert(_) => Shape::Scalar(e.ty),
            ExprKind::Str(bytes) => {
                let number = self.strings.len();
                self.strings.entry(bytes.clone()).or_insert(number);
                Shape::Pointer(Box::new(Shape::Scalar(Integer::Char)))
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => self.lvalue(e),
            ExprKind::AddressOf(inner) if matches!(&inner.kind, ExprKind::Name(name) if self.function_address(&name.text).is_some()) => {
                let inner = std::mem::replace(&mut **inner, Expr::new(ExprKind::Error, span));
                *e = Expr { span, ..inner };
                self.lvalue(e)
            }
            ExprKind::AddressOf(inner) => {
                let shape = self.lvalue(inner);
                if self.is_bit_field(inner) {
                    self.report(
                        Diagnostic::error("unsupported-bit-field", inner.span, "a member of some bits has no address")
                            .help("use a variable of its own"),
                    );
                }
                if !inner.is_place() && !matches!(inner.kind, ExprKind::Error) {
                    self.report(
                        Diagnostic::error("not-addressable", inner.span, "only variables, elements and members have addresses")
                            .help("assign the value to a variable first"),
                    );
                }
                self.mark_assigned(inner);
                Shape::Pointer(Box::new(shape))
            }
            ExprKind::Unary(op, a) => {
                if *op == UnaryOp::Not {
                    self.truth(a);
                    return Shape::INT;
                }
                let ty = self.scalar_value(a).promoted(self.abi());
                if *op == UnaryOp::Complement {
                    self.only_integer(ty, a.span);
                }
                self.convert(a, ty);
                Shape::Scalar(ty)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.truth(a);
                if used {
                    self.truth(b);
                } else {
                    self.effect(b);
                }
                Shape::INT
            }
            ExprKind::Conditional(c, a, b) => {
                self.truth(c);
                if !used {
                    self.effect(a);
                    self.effect(b);
                    return Shape::Void;
                }
                let shapes = [self.value(a), self.value(b)];
                self.common(a, b, shapes)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                // An array is an address there.
                if used { self.value(b) } else { self.expression(b, false) }
            }
            ExprKind::Assign { target, op, value, at } => {
                let shape = self.lvalue(target);
                self.mark_assigned(target);
                self.not_constant(target);
                match self.assignment(&shape, *op, target, value) {
                    Some(ty) => *at = ty,
                    None => *at = Integer::Int,
                }
                shape
            }
            ExprKind::Step { target, .. } => {
                let shape = self.lvalue(target);
                self.mark_assigned(target);
                self.not_constant(target);
                self.changeable(&shape, target);
                shape
            }
            ExprKind::Call(name, arguments) if self.is_pointer_call(name) => {
                let name = Expr::new(ExprKind::Name(name.clone()), name.span);
                let arguments = std::mem::take(arguments);
                self.pointer_call(e, name, arguments, used)
            }
            ExprKind::CallAt(callee, arguments) => {
                let callee = std::mem::replace(&mut **callee, Expr::new(ExprKind::Error, span));
                let arguments = std::mem::take(arguments);
                self.pointer_call(e, callee, arguments, used)
            }
            ExprKind::Call(name, arguments)
                if name.text == "__builtin_assume_aligned" && matches!(arguments[..], [_, Expr { kind: ExprKind::Int(_), .. }]) =>
            {
                *e = arguments.swap_remove(0);
                self.typed(e, used)
            }
            ExprKind::Call(name, arguments) => {
                if let Some(in_front) = self.number_call(name, arguments) {
                    let call = e.clone();
                    e.kind = ExprKind::Comma(Box::new(in_front), Box::new(call));
                    return self.typed(e, used);
                }
                let asks_for_time = name.text == "time";
                let shape = self.call(name, arguments, used);
                if let Some(touched) = self.errno_touched(name, asks_for_time) {
                    if let Some(integer) = shape.integer(self.abi()) {
                        e.ty = integer;
                    }
                    let call = Expr { expansion: None, ..e.clone() };
                    e.kind = ExprKind::Comma(Box::new(touched), Box::new(call));
                }
                shape
            }
            ExprKind::Cast(ty, inner) => {
                let mut ty = ty.clone();
                let qualifiers = Qualifiers::of_volatile(std::mem::take(&mut e.volatile)).and(self.resolve_type(&mut ty));
                match self.shape(&mut ty, false) {
                    Shape::Void => {
                        self.effect(inner);
                        Shape::Void
                    }
                    shape @ Shape::Pointer(_) => {
                        let from = self.value(inner);
                        let mut inner = std::mem::replace(&mut **inner, Expr::new(ExprKind::Error, span));
                        self.convert(&mut inner, self.abi().address());
                        let expansion = e.expansion.take();
                        let volatile = self.volatile_levels(&inner) | volatile_levels(qualifiers, &shape);
                        if let (Shape::Pointer(from), Shape::Pointer(to)) = (&from, &shape)
                            && **from == Shape::Void
                        {
                            self.here.casts.push(PointerCast { span, to: (**to).clone() });
                        }
                        *e = match (&from, &shape) {
                            // Objects are not seen as others: the conversion stays, so that nothing is followed through it.
                            (Shape::Pointer(from), Shape::Pointer(to)) if !from.seen_as(to, self.abi()) => {
                                let Expr { depth, parenthesised, ty, .. } = inner;
                                Expr { kind: ExprKind::Convert(Box::new(inner)), span, depth, parenthesised, ty, volatile, expansion }
                            }
                            _ => Expr { span, volatile, expansion, ..inner },
                        };
                        shape
                    }
                    Shape::Scalar(integer) => {
                        match self.value(inner) {
                            Shape::Struct(_) => {
                                self.report(
                                    Diagnostic::error("struct-as-scalar", inner.span, "a structure cannot be converted to an integer")
                                        .help("convert a member"),
                                );
                            }
                            Shape::Pointer(_) if integer == Integer::Bool => super::truth::is_not_null(inner),
                            Shape::Pointer(_) if matches!(inner.kind, ExprKind::Str(_)) || self.names_object(inner) => {
                                self.no_number(inner)
                            }
                            _ => {}
                        }
                        let mut inner = std::mem::replace(&mut **inner, Expr::new(ExprKind::Error, span));
                        self.convert(&mut inner, integer);
                        *e = Expr { span, expansion: e.expansion.take(), ..inner };
                        Shape::Scalar(integer)
                    }
                    _ => {
                        let text = match ty {
                            Type::Struct(_) => "a structure",
                            _ => "this type",
                        };
                        self.report(
                            Diagnostic::error("unsupported-cast", span, format!("a value cannot be converted to {text}"))
                                .help("only conversions to integers and pointers are supported"),
                        );
                        Shape::INT
                    }
                }
            }
            ExprKind::SizeofType(ty) => {
                let mut ty = ty.clone();
                let shape = self.shape(&mut ty, false);
                self.sizeof(e, &shape)
            }
            ExprKind::SizeofExpr(inner) => {
                let shape = match &inner.kind {
                    ExprKind::Str(bytes) => {
                        let length = crate::logic::Int::from(bytes.len() + 1);
                        Shape::Array { element: Box::new(Shape::Scalar(Integer::Char)), length: super::Length::Fixed(length) }
                    }
                    _ => self.expression(inner, true),
                };
                let computed = matches!(&shape, Shape::Array { element, length: super::Length::Variable } if self.size(element).is_some());
                if computed && matches!(inner.kind, ExprKind::Name(_)) {
                    // It depends on what was computed where the array is declared (6.5.3.4p2).
                    return Shape::Scalar(self.abi().address());
                }
                self.sizeof(e, &shape)
            }
        }
    }

    /// Whether an address names something of the program, so that its number has no meaning here.
    fn names_object(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::AddressOf(_) => true,
            ExprKind::Name(name) => self.is_array(name),
            _ => false,
        }
    }

    /// Whether this is the address of a variable or of a part of one, which is never null (C11 6.3.2.3p3).
    pub(super) fn is_address_of_object(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::AddressOf(object) => self.is_within_object(object),
            _ => self.is_within_object(e) && matches!(self.qualifiers(e).1, Shape::Array { .. }),
        }
    }

    /// Whether this is a variable or a part of one: what a pointer leads to may be nothing.
    fn is_within_object(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(name) => name.decl.is_some(),
            ExprKind::Member(of, ..) => self.is_within_object(of),
            ExprKind::Index(of, _) => matches!(self.qualifiers(of).1, Shape::Array { .. }) && self.is_within_object(of),
            _ => false,
        }
    }

    fn sizeof(&mut self, e: &mut Expr, shape: &Shape) -> Shape {
        let size = self.size(shape).map_or_else(
            || {
                self.report(
                    Diagnostic::error("unsupported-sizeof", e.span, "the size of this is not known here").help("write the number of bytes"),
                );
                1
            },
            |(size, _)| size,
        );
        e.kind = ExprKind::Int(size.into());
        e.depth = 1;
        Shape::Scalar(self.abi().address())
    }

    fn binary(&mut self, op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Shape {
        if op.compares() {
            // With zero, or a null pointer.
            let used = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) { UsedAs::Truth } else { UsedAs::Sign };
            match (is_null(a), is_null(b)) {
                (false, true) => self.uses(a, used),
                (true, false) => self.uses(b, used),
                _ => {}
            }
        }
        let shapes = [self.value(a), self.value(b)];
        match (&shapes, op) {
            ([Shape::Scalar(x), Shape::Scalar(y)], _) => {
                let (x, y) = if op.shifts() {
                    (x.promoted(self.abi()), y.promoted(self.abi()))
                } else {
                    (x.common(*y, self.abi()), x.common(*y, self.abi()))
                };
                self.takes(op, [x, y], a.span.to(b.span));
                self.convert(a, x);
                self.convert(b, y);
                if op.compares() { Shape::INT } else { Shape::Scalar(x) }
            }
            // Lowering sees whether the two point into one array.
            ([Shape::Pointer(_), Shape::Pointer(_)], _) if op.compares() => {
                let is_text = |side: &Expr| matches!(side.kind, ExprKind::Str(_));
                // Which of two objects comes first is undefined, and whether two equal strings of the text are one object is open (6.4.5p7).
                if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) || is_text(a) && is_text(b) {
                    for side in [a, b].into_iter().filter(|side| is_text(side)) {
                        self.no_number(side);
                    }
                }
                Shape::INT
            }
            ([Shape::Pointer(_), Shape::Pointer(_)], BinaryOp::Sub) => Shape::Scalar(self.abi().distance()),
            ([Shape::Pointer(_), Shape::Scalar(_)], _) if op.compares() => {
                self.compared_object(a, b);
                self.convert(b, self.abi().address());
                Shape::INT
            }
            ([Shape::Scalar(_), Shape::Pointer(_)], _) if op.compares() => {
                self.compared_object(b, a);
                self.convert(a, self.abi().address());
                Shape::INT
            }
            ([Shape::Pointer(_), Shape::Scalar(_)], BinaryOp::Add | BinaryOp::Sub)
            | ([Shape::Scalar(_), Shape::Pointer(_)], BinaryOp::Add) => {
                let [first, second] = shapes;
                let (pointer, other) = if matches!(first, Shape::Pointer(_)) { (first, second) } else { (second, first) };
                self.only_integer(other.integer(self.abi()).unwrap_or_default(), a.span.to(b.span));
                pointer
            }
            ([Shape::Struct(_), _] | [_, Shape::Struct(_)], _) => {
                let span = if matches!(shapes[0], Shape::Struct(_)) { a.span } else { b.span };
                self.report(
                    Diagnostic::error("struct-as-scalar", span, "a structure stands where one integer is needed")
                        .help("name a member: `s.member`"),
                );
                Shape::INT
            }
            _ => {
                if matches!(shapes[0], Shape::Pointer(_)) {
                    self.no_number(a);
                } else {
                    self.no_number(b);
                }
                Shape::INT
            }
        }
    }

    /// An address in a comparison: that of a variable or an array has no number here, but that it is not null.
    fn compared_object(&mut self, e: &Expr, other: &Expr) {
        if matches!(e.kind, ExprKind::Str(_)) || self.names_object(e) && !(is_null(other) && self.is_address_of_object(e)) {
            self.no_number(e);
        }
    }

    /// Checks the value that is assigned to a target of this shape; gives the type in which `target op value` is computed.
    fn assignment(&mut self, shape: &Shape, op: Option<BinaryOp>, target: &Expr, value: &mut Expr) -> Option<Integer> {
        match (shape, op) {
            (Shape::Scalar(ty), None) => {
                self.value_as(value, *ty);
                Some(*ty)
            }
            (Shape::Scalar(ty), Some(op)) => {
                let given = self.scalar_value(value);
                let (at, operand_type) = if op.shifts() {
                    (ty.promoted(self.abi()), given.promoted(self.abi()))
                } else {
                    (ty.common(given, self.abi()), ty.common(given, self.abi()))
                };
                self.takes(op, [at, operand_type], value.span);
                self.convert(value, operand_type);
                Some(at)
            }
            (Shape::Pointer(_), None) => {
                self.pointer_value(value);
                Some(self.abi().address())
            }
            (Shape::Pointer(_), Some(_)) => {
                self.integer_value(value);
                Some(self.abi().address())
            }
            (Shape::Struct(_), None) => {
                if self.value(value) != *shape && !super::constant::has_error(value) {
                    let name = target.root().map_or(String::new(), |name| name.text.clone());
                    self.wrong_struct(value.span, &name);
                }
                None
            }
            _ => {
                self.value(value);
                self.changeable(shape, target);
                None
            }
        }
    }

    /// Says so where a whole array or structure would be changed like an integer.
    fn changeable(&mut self, shape: &Shape, target: &Expr) {
        match shape {
            Shape::Array { .. } => self.no_number(target),
            Shape::Struct(_) => self.report(
                Diagnostic::error("struct-as-scalar", target.span, "a structure stands where one integer is needed")
                    .help("name a member: `s.member`"),
            ),
            _ => {}
        }
    }

    pub(super) fn wrong_struct(&mut self, span: Span, what: &str) {
        self.report(
            Diagnostic::error("struct-mismatch", span, format!("this is not a structure of the type of `{what}`"))
                .help("assign the members one by one"),
        );
    }

    /// The shape of a checked expression, as far as to say whether it has a value.
    pub(super) fn shape_of(&self, e: &Expr) -> Shape {
        match &e.kind {
            ExprKind::Call(name, _) => match self.signatures.get(&name.text) {
                Some(signature) => signature.result.clone(),
                None => match self.prototypes.get(&name.text) {
                    Some(prototype) if matches!(prototype.returns, Type::Void) => Shape::Void,
                    _ if super::super::intrinsic::find(&name.text).is_some_and(|intrinsic| intrinsic.result(self.abi()).is_none()) => {
                        Shape::Void
                    }
                    _ => Shape::INT,
                },
            },
            ExprKind::Cast(Type::Void, _) => Shape::Void,
            ExprKind::Conditional(_, a, b) => match self.shape_of(a) {
                Shape::Void => self.shape_of(b),
                other => other,
            },
            ExprKind::Comma(_, b) => self.shape_of(b),
            _ => Shape::Scalar(e.ty),
        }
    }
}

/// Whether the expression is a null pointer as it is written: `0`, or that converted.
fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(value) => value.is_zero(),
        // Where its header is not included, that is said of itself.
        ExprKind::Name(name) => name.text == "NULL",
        ExprKind::Cast(_, inner) | ExprKind::Convert(inner) => is_null(inner),
        _ => false,
    }
}
