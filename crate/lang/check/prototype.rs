//! Functions that are declared several times: all declarations must be of one type (C11 6.7p4).

use super::super::ast::{Function, Name, Parameter, Prototype, Type};
use super::super::types::{Abi, LONG_DOUBLE};
use super::Checker;
use crate::logic::SortedMap;
use crate::source::{Diagnostic, Span};

impl Checker<'_> {
    /// Notes the functions that are declared, and says so where two declarations contradict each other.
    pub(super) fn collect_prototypes(&mut self, list: &[Prototype]) {
        for prototype in list {
            let name = &prototype.name;
            self.named_twice(prototype);
            match self.prototypes.get_mut(&name.text) {
                Some(declared) => match difference(declared, prototype, None) {
                    Some(what) => {
                        let first = declared.name.span;
                        self.conflicting(name, &what, first);
                    }
                    // `()` says nothing of the parameters.
                    None if declared.parameters.is_none() => *declared = prototype.clone(),
                    None => {}
                },
                None => {
                    self.prototypes.insert(name.text.clone(), prototype.clone());
                }
            }
        }
    }

    /// Says so where two parameters of a declaration have one name (6.2.1p4).
    fn named_twice(&mut self, prototype: &Prototype) {
        let mut names: SortedMap<&str, Span> = SortedMap::new();
        for Parameter { name, .. } in prototype.parameters.iter().flatten().filter(|parameter| !parameter.name.text.is_empty()) {
            if let Some(first) = names.insert(&name.text, name.span) {
                self.redefinition(name, first);
            }
        }
    }

    /// Says so where a function was declared otherwise than it is defined.
    pub(super) fn agrees(&mut self, function: &Function) {
        let Function { name, returns, parameters, old_style, variadic, .. } = function;
        // What was refused counts nothing.
        if self.poisoned.contains(name.text.as_str()) {
            return;
        }
        let Some(declared) = self.prototypes.get(&name.text) else { return };
        let (name, returns, parameters) = (name.clone(), returns.clone(), Some(parameters.clone()));
        let defined = Prototype { name, returns, parameters, variadic: *variadic };
        let Some(what) = difference(declared, &defined, old_style.then(|| self.abi())) else { return };
        let (first, second) = (declared.name.clone(), defined.name);
        // The later one is wrong.
        let (first, second) = if first.span.start <= second.span.start { (first, second) } else { (second, first) };
        self.conflicting(&second, &what, first.span);
    }

    fn conflicting(&mut self, name: &Name, what: &str, first: Span) {
        self.report(
            Diagnostic::error("conflicting-declaration", name.span, format!("`{}` was declared otherwise before", name.text))
                .label(what)
                .help("make the declarations agree")
                .related(first, "declared here"),
        );
    }

    /// Where a function of this name is defined or declared.
    pub(super) fn function_span(&self, name: &str) -> Option<Span> {
        let defined = self.signatures.get(name).filter(|_| !self.library.names.contains(name)).map(|signature| signature.span);
        defined.or_else(|| self.prototypes.get(name).map(|prototype| prototype.name.span))
    }
}

/// In what two declarations of a function differ; what is not known differs in nothing. `old_style` is the target where the second is a definition whose
/// parameters are declared after the parentheses: arguments are promoted for it (6.7.6.3p15).
fn difference(first: &Prototype, second: &Prototype, old_style: Option<Abi>) -> Option<String> {
    if !agree(&first.returns, &second.returns) {
        return Some("it gives back another type".to_owned());
    }
    let (Some(a), Some(b)) = (&first.parameters, &second.parameters) else { return None };
    if a.len() != b.len() || first.variadic != second.variadic {
        return Some("it has another number of parameters".to_owned());
    }
    let differs = |(a, b): (&Parameter, &Parameter)| {
        let (expected, given) = (passed(&a.ty), passed(&b.ty));
        let promoted = match (&given, old_style) {
            (Type::Integer(integer), Some(abi)) => Type::Integer(integer.promoted(abi)),
            (other, _) => (*other).clone(),
        };
        // Qualifiers of the parameter itself are of no matter to others.
        let fixed = is_specified(&expected) && is_specified(&given) && a.qualifiers.pointee() != b.qualifiers.pointee();
        fixed || !(agree(&expected, &given) || agree(&expected, &promoted))
    };
    let at = a.iter().zip(b).position(differs)?;
    let parameter = match (a[at].name.text.as_str(), b[at].name.text.as_str()) {
        (_, name) | (name, "") if !name.is_empty() => format!("the parameter `{name}`"),
        _ => format!("parameter {}", at + 1),
    };
    Some(format!("{parameter} has another type"))
}

/// The type of a parameter: arrays and functions are pointers (6.7.6.3p7 and p8).
fn passed(ty: &Type) -> Type {
    match ty {
        Type::Array(element, _) => Type::Pointer(element.clone()),
        Type::Function(_) => Type::Pointer(Box::new(ty.clone())),
        _ => ty.clone(),
    }
}

/// Whether two types can be the same, where what is not known may be any, as may the lengths of arrays.
fn agree(a: &Type, b: &Type) -> bool {
    match a.innermost(b) {
        (Type::Void, Type::Void) => true,
        (Type::Integer(a), Type::Integer(b)) => a == b,
        (Type::Struct(a), Type::Struct(b)) => a == b,
        (Type::Opaque(word), Type::Integer(_) | Type::Void) | (Type::Integer(_) | Type::Void, Type::Opaque(word)) => *word != LONG_DOUBLE,
        (Type::Opaque(_), _) | (_, Type::Opaque(_)) => true,
        _ => false,
    }
}

/// Whether a type is known to its innermost.
fn is_specified(mut ty: &Type) -> bool {
    while let Type::Array(inner, _) | Type::Pointer(inner) = ty {
        ty = inner;
    }
    !matches!(ty, Type::Opaque(_) | Type::Function(_))
}

#[cfg(test)]
mod tests {
    /// What a compiler refuses is refused, and nothing else.
    #[test]
    fn declarations_agree_as_the_standard_has_it() {
        for (text, message) in [
            ("int f(char x); int f(int x) { return x; }", "the parameter `x` has another type"),
            ("int f(int); int f(int *x) { return *x; }", "the parameter `x` has another type"),
            ("int f(int); int f(long); int g(void) { return f(1); }", "parameter 1 has another type"),
            ("void f(int x); int f(int x) { return x; }", "it gives back another type"),
            ("double f(int x); int f(int x) { return x; }", "it gives back another type"),
            ("int f(double x); int f(int x) { return x; }", "the parameter `x` has another type"),
            ("int f(void); int f(int x) { return x; }", "it has another number of parameters"),
            ("int f(int x, ...); int f(int x) { return x; }", "it has another number of parameters"),
            ("int f(char *s); int f(const char *s) { return *s; }", "the parameter `s` has another type"),
            ("int f(int x) { return x; } int f(int x, int y);", "it has another number of parameters"),
            (
                "struct A { int x; }; struct B { int x; }; int f(struct A a); int f(struct B b) { return b.x; }",
                "the parameter `b` has another type",
            ),
            ("int f(int a, int a); int g(void) { return f(1, 2); }", "`a` is defined twice"),
            ("int f(int a); int f; int g(void) { return 1; }", "`f` is defined twice"),
        ] {
            let mut found = super::super::super::parse(text).diagnostics;
            found.retain(|d| d.severity == crate::source::Severity::Error);
            let said: Vec<_> = found.iter().map(|d| d.label.clone().unwrap_or_else(|| d.message.clone())).collect();
            assert!(found.len() == 1 && (said[0] == message || found[0].message == message), "{text}: {found:?}");
            assert!(found[0].related.len() == 1, "{text}: {found:?}");
        }
        for text in [
            "int f(); int f(int x) { return x; }",
            "int f(); int f(int *x, char c) { return *x + c; }",
            "int f(int a[]); int f(int *b) { return *b; }",
            "int f(int a[3]); int f(int b[4]) { return *b; }",
            "int f(int m[][3]); int f(int (*m)[3]) { return m[0][1]; }",
            "int f(const int x); int f(int x) { return x; }",
            "int f(int); int f(a) char a; { return a; }",
            "int f(char); int f(a) char a; { return a; }",
            "typedef const char *text; int f(text s); int f(const char *t) { return *t; }",
            "typedef unsigned char byte; int f(byte *, byte); int f(unsigned char *b, unsigned char c) { return *b + c; }",
            "struct S { int x; }; int f(struct S *, int n); int f(struct S *s, int m) { return s->x + m; }",
            "typedef struct { int x; } T; int f(T *const t); int f(T *t) { return t->x; }",
            "int f(unsigned long n); int f(size_t n) { return n; }",
            "int f(FILE *file, int x); int g(int x) { return x; }",
            "int f(int (*compare)(int, int), int n); int g(int x) { return x; }",
            "static inline int f(register int x); static inline int f(register int x) { return x; }",
        ] {
            let found = super::super::super::parse(text).diagnostics;
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }
}
