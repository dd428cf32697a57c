//! Library calls on streams. A call with `stdin`, `stdout` or `stderr` becomes a call of the function without a stream argument. A stream that
//! the program opens is an input: each read gives arbitrary characters, and output to the stream is dropped.

use super::super::ast::{Expr, ExprKind, Name, Shape};
use super::super::intrinsic;
use super::super::library::{self, LibraryFunction};
use super::super::types::Integer;
use super::shape::has_effect;
use super::{Checker, constant};
use crate::source::Diagnostic;

/// The streams that are open at the program's start.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// `fgetc` of a stream that the program opened.
const CHARACTER: &str = "int character(void) { int c = nondet_int(); assume(c >= -1 && c <= 255); return c; }";

/// `fgets` of one, with its truth or its first argument as `R`.
const LINE: &str = "int line(char *s, int n) { int i = 0, c = 0; if (n <= 0) return 0; while (i < n - 1 && c != 10) { \
    c = nondet_int(); assume(c >= -1 && c <= 255); if (c == -1) { if (i == 0) return 0; s[i] = 0; return R; } s[i] = c; i++; } s[i] = 0; return R; }";

/// `fread` of one, for elements of the type `T`; `V` is any value of it.
const ELEMENTS: &str = "size_t elements(T *to, size_t size, size_t n) { size_t k = nondet_size_t(), i = 0; assume(k <= n); \
    if (size == 0) return 0; while (i < k * size / sizeof(T)) { to[i] = V; i++; } return k; }";

/// `fwrite` to one.
const WRITTEN: &str =
    "size_t written(size_t size, size_t n) { size_t k = nondet_size_t(); assume(k <= n); if (size == 0) return 0; return k; }";

/// `feof` or `ferror` of standard input as `N`: any value but zero for true.
const INDICATOR: &str = "int indicator(void) { if (N()) { int d = nondet_int(); assume(d != 0); return d; } return 0; }";

/// The function that draws any value of a type.
fn drawing(ty: Integer) -> &'static str {
    match ty {
        Integer::Bool => "nondet_bool()",
        Integer::Char => "nondet_char()",
        Integer::SignedChar => "nondet_int8_t()",
        Integer::UnsignedChar => "nondet_uchar()",
        Integer::Short => "nondet_short()",
        Integer::UnsignedShort => "nondet_ushort()",
        Integer::Int => "nondet_int()",
        Integer::UnsignedInt => "nondet_uint()",
        Integer::Long => "nondet_long()",
        Integer::UnsignedLong => "nondet_ulong()",
        Integer::LongLong | Integer::Node => "nondet_longlong()",
        Integer::UnsignedLongLong => "nondet_ulonglong()",
        Integer::Float => "nondet_float()",
        Integer::Double => "nondet_double()",
    }
}

impl Checker<'_> {
    /// Makes a call with a stream the one without: `getc(stdin)` is `getchar()`. `is_truth` says that at most the truth of the call is used.
    /// False, and a message, where that is refused.
    pub(super) fn stream_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>, is_truth: bool) -> bool {
        if self.signatures.contains_key(&name.text) && !self.library.names.contains(&name.text) {
            return true;
        }
        let stream = |e: Option<&Expr>| match e.map(|e| &e.kind) {
            Some(ExprKind::Name(name)) if name.decl.is_none() => name.text.clone(),
            _ => String::new(),
        };
        let (first, last) = (stream(arguments.first()), stream(arguments.last()));
        let string = |text: &str, like: &Expr| Expr::new(ExprKind::Str(text.as_bytes().to_vec()), like.span);
        let is_own = |at: usize, arguments: &[Expr]| {
            arguments.get(at).is_some_and(|e| !STANDARD.contains(&stream(Some(e)).as_str()) && !has_effect(e))
        };
        match (name.text.as_str(), arguments.len()) {
            ("fgets", 2) => return true,
            ("getc" | "fgetc", 1) if first == "stdin" => {
                "getchar".clone_into(&mut name.text);
                arguments.clear();
            }
            ("getc" | "fgetc", 1) if is_own(0, arguments) => {
                arguments.clear();
                self.instantiate(name, &LibraryFunction { name: "fgetc of stream".to_owned(), text: CHARACTER.to_owned() });
            }
            ("fgets", 3) if last == "stdin" => {
                arguments.pop();
            }
            ("fgets", 3) if is_own(2, arguments) => {
                arguments.pop();
                let (text, result) = if is_truth { (LINE.to_owned(), "1") } else { (LINE.replacen("int", "char *", 1), "s") };
                let of_stream = "fgets of stream".to_owned();
                let instance = if is_truth { of_stream } else { library::of_position(&of_stream) };
                self.instantiate(name, &LibraryFunction { name: instance, text: text.replace("return R", &format!("return {result}")) });
            }
            ("fscanf", 2..) if first == "stdin" => {
                "scanf".clone_into(&mut name.text);
                arguments.remove(0);
            }
            ("putc" | "fputc" | "fputs", 2) if last == "stdout" || last == "stderr" || is_own(1, arguments) => {
                let format = string(if name.text == "fputs" { "%s" } else { "%c" }, &arguments[0]);
                let stream = arguments.pop();
                "fprintf".clone_into(&mut name.text);
                arguments.splice(0..0, stream.into_iter().chain([format]));
            }
            ("fwrite", 4) if is_own(3, arguments) && !has_effect(&arguments[0]) => {
                arguments.pop();
                arguments.remove(0);
                self.instantiate(name, &LibraryFunction { name: "fwrite of stream".to_owned(), text: WRITTEN.to_owned() });
            }
            ("fread", 4) if is_own(3, arguments) => return self.elements_read(name, arguments),
            ("time", 1) if matches!(&arguments[0].kind, ExprKind::Int(value) if value.is_zero()) => {
                intrinsic::TIME.clone_into(&mut name.text);
                arguments.clear();
            }
            ("feof" | "ferror" | "clearerr", 1) if first == "stdin" => {
                arguments.clear();
                if is_truth || name.text == "clearerr" {
                    name.text = intrinsic::of_library(&name.text);
                } else {
                    let text = INDICATOR.replace("N()", &format!("{}()", name.text));
                    self.instantiate(name, &LibraryFunction { name: format!("{} of stdin", name.text), text });
                }
            }
            // Which stream it is decides nothing.
            ("fflush", 1) if !has_effect(&arguments[0]) => arguments.clear(),
            ("fclose", 1) if STANDARD.contains(&first.as_str()) => {
                name.text = intrinsic::of_library(&name.text);
                arguments.clear();
            }
            ("fclose" | "feof" | "ferror" | "fseek" | "ftell" | "rewind" | "clearerr", 1..) if !STANDARD.contains(&first.as_str()) => {
                // Which stream it is decides nothing.
                let is_plain = !has_effect(&arguments[0]);
                arguments.iter_mut().take(usize::from(is_plain)).for_each(|stream| stream.kind = ExprKind::Int(0.into()));
            }
            (
                "getc" | "fgetc" | "fgets" | "fscanf" | "putc" | "fputc" | "fputs" | "fread" | "fwrite" | "fclose" | "feof" | "ferror"
                | "fseek" | "ftell" | "rewind" | "clearerr",
                _,
            ) => {
                let message = format!("`{}` is not supported with this stream", name.text);
                self.report(
                    Diagnostic::error("unsupported-stream", name.span, message)
                        .help("read from `stdin`, print to `stdout` or `stderr`, or name a stream that `fopen` gives"),
                );
                return false;
            }
            _ => {}
        }
        true
    }

    /// Makes a call that prints by a list of arguments, or by a format that does not stand there, and whose result nothing uses, one that
    /// prints what is not known. Where the program counts what it prints by `%n`, such a call may write, and stays.
    pub(super) fn open_print(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) {
        let (is_list, has_stream, least) = match name.text.as_str() {
            "printf" => (false, false, 1),
            "fprintf" => (false, true, 2),
            "vprintf" => (true, false, 2),
            "vfprintf" => (true, true, 3),
            _ => return,
        };
        let is_fixed = |format: &Expr| matches!(format.kind, ExprKind::Str(_));
        if arguments.len() < least
            || is_list && arguments.len() > least
            || !is_list && is_fixed(&arguments[least - 1])
            || self.library.counts_output
            || self.signatures.contains_key(&name.text)
        {
            return;
        }
        let is_elsewhere = has_stream && arguments[0].root().is_some_and(|stream| stream.text != "stdout");
        let before = self.diagnostics.len();
        let mut is_value = |e: &Expr| matches!(self.value(&mut e.clone()), Shape::Scalar(_));
        let kept: Vec<bool> = arguments.iter().zip(0..).map(|(e, at)| has_effect(e) || !is_list && at >= least && is_value(e)).collect();
        if self.diagnostics.len() > before {
            self.diagnostics.truncate(before);
            return;
        }
        let mut kept = kept.into_iter();
        arguments.retain(|_| kept.next() == Some(true));
        let printing = if is_elsewhere { intrinsic::PRINT_ELSEWHERE } else { intrinsic::PRINT_OPEN };
        printing.clone_into(&mut name.text);
    }

    /// Makes a call of `fread` one of the function for the elements at hand; false, and a message, where there is none.
    fn elements_read(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let (shape, mut size) = (self.value(&mut arguments[0].clone()), arguments[1].clone());
        self.scalar_value(&mut size);
        let size = constant::evaluate(&size, self.abi()).and_then(|size| size.typed.to_i64());
        let element = match &shape {
            Shape::Pointer(inner) => inner.integer(self.abi()).filter(|_| matches!(**inner, Shape::Scalar(_))),
            _ => None,
        };
        let Some(ty) = element.filter(|ty| size == Some(ty.size(self.abi())) || ty.size(self.abi()) == 1) else {
            let message = "this call of `fread` is not supported: it reads something else than whole integers of an array";
            self.report(
                Diagnostic::error("unsupported-memory", name.span, message).help("read into an array of integers, with the size of one"),
            );
            return false;
        };
        arguments.pop();
        let text = ELEMENTS.replace("= V;", &format!("= {};", drawing(ty))).replace("T *to", &format!("{} *to", ty.name()));
        let text = text.replace("sizeof(T)", &format!("sizeof({})", ty.name()));
        self.instantiate(name, &LibraryFunction { name: format!("fread of {}", ty.name()), text });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::parse;

    /// Calls of streams that the program opens are read without a message.
    #[test]
    fn own_streams_are_read() {
        let text = "#include <stdio.h>\nint f(const char *name) { char s[9]; long t[3]; FILE *p = fopen(name, \"r\"); if (!p) return 1; int c = getc(p);
            if (!fgets(s, 9, p)) return 2; char *q = fgets(s, 9, p); if (fread(t, sizeof(long), 3, p) != 3) return 3; fputs(s, p); putc(c, p);
            fprintf(p, \"%d\", c); if (fwrite(t, sizeof t, 1, p) != 1 || feof(p)) return 4; rewind(p); return fclose(p) + (q != 0); }";
        assert_eq!(parse(text).diagnostics, []);
        let text = "int g(void) { clearerr(stdin); return feof(stdin) + !ferror(stdin); }";
        assert_eq!(parse(&format!("#include <stdio.h>\n{text}")).diagnostics, []);
        assert_eq!(parse("#include <stdio.h>\nint f(void) { return feof(stdout); }").diagnostics[0].code, "unsupported-stream");
    }
}
