//! Expressions of the text for people, near to how the program writes them.

use crate::lang::ast::{Expr as Tree, ExprKind};
use crate::lang::library;

/// A place or a call, e.g. `s.m[i]`, `p->x`, `f(x)`; what is long becomes `…`.
pub fn spelled(e: &Tree) -> String {
    let mut out = String::new();
    write(e, 4, &mut out);
    out
}

fn write(e: &Tree, depth: u32, out: &mut String) {
    let Some(depth) = depth.checked_sub(1) else { return out.push('…') };
    match &e.kind {
        ExprKind::Int(value) => out.push_str(&value.to_string()),
        ExprKind::Name(name) => out.push_str(&name.text),
        ExprKind::Index(base, index) => {
            write(base, depth, out);
            out.push('[');
            write(index, depth, out);
            out.push(']');
        }
        ExprKind::Member(base, name, _) => {
            match &base.kind {
                ExprKind::Deref(pointer) => {
                    write(pointer, depth, out);
                    out.push_str("->");
                }
                _ => {
                    write(base, depth, out);
                    out.push('.');
                }
            }
            out.push_str(&name.text);
        }
        ExprKind::Deref(pointer) => match &pointer.unconverted().kind {
            ExprKind::AddressOf(object) => write(object, depth, out),
            _ => {
                out.push('*');
                write(pointer, depth, out);
            }
        },
        ExprKind::AddressOf(inner) => {
            out.push('&');
            write(inner, depth, out);
        }
        ExprKind::Call(name, arguments) => {
            out.push_str(library::written_name(&name.text));
            out.push('(');
            for (argument, at) in arguments.iter().zip(0..) {
                if at > 0 {
                    out.push_str(", ");
                }
                write(argument, depth, out);
            }
            out.push(')');
        }
        ExprKind::Step { target, increment, prefix } => {
            let sign = if *increment { "++" } else { "--" };
            if *prefix {
                out.push_str(sign);
            }
            write(target, depth, out);
            if !prefix {
                out.push_str(sign);
            }
        }
        ExprKind::Assign { target, .. } => {
            write(target, depth, out);
            out.push_str(" = …");
        }
        ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => write(inner, depth + 1, out),
        _ => out.push('…'),
    }
}
