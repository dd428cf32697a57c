//! What is assumed of the inputs before the first edge, without an edge of its own.
//!
//! The front end checks and lowers the text of the condition in place of the function's body, inside an `assume`. So it
//! may speak of parameters and globals, use `&&` and `||`, and call functions. A caller that needs a formula executes that
//! small graph symbolically ([`crate::symex::precondition`]).

use super::entry::entry;
use super::lower::{Options, lower_with};
use super::{Label, Lts, Origin};
use crate::lang::{self, intrinsic::ASSUME};
use crate::source::{Diagnostic, Severity, Span};

/// The graph of `assume(condition)` instead of the function, lowered as the function is.
///
/// # Errors
/// What is wrong with the condition, in a sentence.
pub fn precondition(source: &str, function: Option<&str>, condition: &str, options: &Options) -> Result<Lts, String> {
    if condition.trim().is_empty() || condition.contains([';', '{', '}', '#']) {
        return Err(format!("the precondition `{condition}` is not an expression"));
    }
    let told = |diagnostics: &[Diagnostic]| {
        let first = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        format!("the precondition `{condition}`: {}", first.map_or("it cannot be read", |diagnostic| &diagnostic.message))
    };
    let parsed = lang::parse_understood(source);
    let program = parsed.program.ok_or("the program has errors")?;
    let found = match function {
        Some(name) => program.function(name).map(|found| found.1),
        None => entry(&program).map(|entry| entry.function),
    };
    let found = found.ok_or("there is no such function")?;
    let (name, start, end) = (found.name.text.clone(), opening_brace(source, found.span), found.end.start as usize);
    let start = start.ok_or("the function has no body")?;
    let text = format!("{}{ASSUME}(({condition}\n));{}", &source[..=start], &source[end..]);
    let parsed = lang::parse_understood(&text);
    let program = parsed.program.ok_or_else(|| told(&parsed.diagnostics))?;
    if let Some(refused) = program.refused.iter().find(|refused| refused.name == name) {
        return Err(told(std::slice::from_ref(&refused.because)));
    }
    let lts = lower_with(&program, Some(&name), options).map_err(|errors| told(&errors))?.lts;
    let endless = !super::structure::Structure::new(&lts).loop_headers.is_empty();
    // Parameters and results of calls may be written, nothing else.
    let own = |id| lts.variable(id).origin == Origin::Inlined;
    let decides = lts.graph.edge_weights().all(|edge| match edge.label {
        Label::Assume { .. } | Label::Skip => true,
        Label::Assign(variable, _) => own(variable),
        Label::Store { .. } | Label::Fill(..) | Label::Havoc(_) | Label::HavocArray(_) => false,
    });
    if endless || !decides {
        return Err(format!("the precondition `{condition}` does more than compute a value"));
    }
    Ok(lts)
}

/// Where the body starts: the first brace after the name that is not in a comment.
fn opening_brace(source: &str, function: Span) -> Option<usize> {
    let mut at = function.start as usize;
    let end = function.end as usize;
    while at < end {
        let rest = &source[at..end];
        if rest.starts_with("/*") {
            at += rest.find("*/")? + 2;
        } else if rest.starts_with("//") {
            at += rest.find('\n')? + 1;
        } else if rest.starts_with('{') {
            return Some(at);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Options, precondition};
    use crate::logic::{Pool, text};
    use crate::symex;

    fn formula(source: &str, condition: &str) -> Result<String, String> {
        let lts = precondition(source, None, condition, &Options::default())?;
        let mut pool = Pool::new();
        let formula = symex::passed(&lts, &mut pool).ok_or("no formula")?;
        Ok(text::formula(&pool, formula))
    }

    #[test]
    fn conditions_become_formulas() {
        let source = "int g = 7; int f(int n, int *a /* { */) { int k = 3; if (n) k++; return k; }";
        assert_eq!(formula(source, "n >= 2").as_deref(), Ok("2 <= n"));
        // The caller of the function may have set it.
        assert_eq!(formula(source, "g == 7").as_deref(), Ok("g == 7"));
        assert_eq!(formula(source, "a[n] == 0").as_deref(), Ok("a[n] == 0"));
        assert!(formula(source, "n < 0 || n > 3").is_ok_and(|text| text.contains("||")));
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        let source = "int f(int n) { int k = 3; return k; }";
        for wrong in ["", "k > 0", "n = 3", "n++", "n >", "n); assume(1", "nondet()", "m == 1"] {
            assert!(formula(source, wrong).is_err(), "{wrong}");
        }
    }
}
