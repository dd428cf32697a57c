//! Types, declarations and constants of C, as text.

use super::linked::LinkedUnits;
use super::names::plain;
use crate::lang::ast::{Length, Program, Qualifiers, Shape, Struct, Type};
use crate::lang::types::{Abi, Integer};
use crate::logic::Int;

/// A program's types by their names.
pub struct TypeNames<'s> {
    pub program: &'s Program,
    pub source: &'s str,
    /// Its files, where it has several.
    pub linked: Option<&'s LinkedUnits>,
}

impl TypeNames<'_> {
    /// The declaration of an object of this shape, e.g. `short a[3][4]`; of a pointer to `const` with its qualifiers. None where the type has
    /// no name in the program.
    pub fn object(&self, shape: &Shape, qualifiers: Qualifiers, declarator: String) -> Option<String> {
        let own = qualifiers.own();
        match shape {
            Shape::Void => Some(joined(&format!("{}void", words(own)), &declarator)),
            Shape::Scalar(integer) => Some(joined(&format!("{}{}", words(own), name_of(*integer)), &declarator)),
            Shape::Struct(id) => Some(joined(&format!("{}{}", words(own), self.visible(self.program.structure(*id))?), &declarator)),
            Shape::Pointer(inner) => {
                let pointer = format!("*{}{declarator}", words(own));
                let is_wrapped = matches!(**inner, Shape::Array { .. } | Shape::Function(_));
                self.object(inner, qualifiers.pointee(), if is_wrapped { format!("({})", pointer.trim_end()) } else { pointer })
            }
            Shape::Array { element, length } => {
                let length = match length {
                    Length::Fixed(length) => length.to_string(),
                    _ => return None,
                };
                self.object(element, qualifiers, format!("{declarator}[{length}]"))
            }
            Shape::Function(result) => self.object(result, Qualifiers::default(), format!("{declarator}()")),
            Shape::Opaque => None,
        }
    }

    /// The shape in which the suite keeps what an object of this shape begins with; none for a pointer and where a type has no name
    /// outside of its function. Of an array whose length is computed it has the elements up to the `greatest` that a test looks at,
    /// counted in scalars or structures.
    pub fn first_shape(&self, shape: &Shape, greatest: i64) -> Option<Shape> {
        let (mut element, mut lengths) = (shape, Vec::new());
        while let Shape::Array { element: inner, length } = element {
            lengths.push(if let Length::Fixed(length) = length { length.to_i64() } else { None });
            element = inner;
        }
        let first = match (shape, &lengths[..]) {
            (Shape::Pointer(_), _) => return None,
            (Shape::Array { element: row, .. }, [None, rest @ ..]) if rest.iter().all(Option::is_some) => {
                let size = rest.iter().flatten().product::<i64>().max(1);
                Shape::Array { element: row.clone(), length: Length::Fixed(Int::from(greatest / size + 1)) }
            }
            (_, lengths) if lengths.contains(&None) => {
                Shape::Array { element: Box::new(element.clone()), length: Length::Fixed(Int::from(greatest + 1)) }
            }
            _ => shape.clone(),
        };
        self.object(&first, Qualifiers::default(), String::new()).map(|_| first)
    }

    /// As [`TypeNames::object`], of a type as a prototype has it: also those of which the engine knows no more than their names.
    pub fn parameter(&self, ty: &Type, qualifiers: Qualifiers, declarator: String) -> Option<String> {
        let own = qualifiers.own();
        match ty {
            Type::Void => Some(joined(&format!("{}void", words(own)), &declarator)),
            Type::Integer(integer) => Some(joined(&format!("{}{}", words(own), name_of(*integer)), &declarator)),
            Type::Struct(id) => Some(joined(&format!("{}{}", words(own), self.visible(self.program.structure(*id))?), &declarator)),
            Type::Pointer(inner) => {
                let pointer = format!("*{}{declarator}", words(own));
                let is_wrapped = matches!(**inner, Type::Array(..) | Type::Function(_));
                let nameless = self.linked.map(|_| joined(&format!("{}void", words(qualifiers.pointee().own())), &pointer));
                let named =
                    self.parameter(inner, qualifiers.pointee(), if is_wrapped { format!("({})", pointer.trim_end()) } else { pointer });
                // A structure of another file has no name here, and a pointer to it is passed as any other.
                named.or(nameless.filter(|_| matches!(**inner, Type::Struct(_))))
            }
            // A parameter declared as an array is a pointer, and a function one to it.
            Type::Array(element, None) => self.parameter(element, qualifiers, format!("{declarator}[]")),
            Type::Array(..) => None,
            Type::Function(result) => self.parameter(result, Qualifiers::default(), format!("{declarator}()")),
            Type::Opaque(name @ ("FILE" | "long double")) => Some(joined(&format!("{}{name}", words(own)), &declarator)),
            Type::Opaque(_) | Type::Typeof(_) => None,
        }
    }

    /// The name of an object or a function in a suite; none where the file that the suite includes has no name for its type.
    pub fn name<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        self.linked.map_or(Some(name), |linked| linked.name(name))
    }

    fn visible(&self, structure: &Struct) -> Option<String> {
        self.structure(structure).filter(|_| !self.linked.is_some_and(|linked| linked.hides(self.program, structure)))
    }

    /// How a structure's type is called: by its tag, or by the name that a `typedef` gives it.
    pub fn structure(&self, structure: &Struct) -> Option<String> {
        if !structure.name.is_empty() {
            let keyword = if structure.union.is_some() { "union" } else { "struct" };
            return Some(format!("{keyword} {}", plain(&structure.name)));
        }
        let start = structure.span.start as usize;
        let before = self.source.get(..start)?.trim_end();
        let is_defined = before.ends_with("typedef") || before.ends_with("const") && before.contains("typedef");
        let rest = self.source.get(start..)?;
        let mut depth = 0;
        let end = rest.char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            (c == '}' && depth == 0).then_some(at + 1)
        })?;
        let name: String = rest[end..].trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        (is_defined && !name.is_empty()).then_some(name)
    }
}

fn joined(base: &str, declarator: &str) -> String {
    let declarator = declarator.trim_end();
    if declarator.is_empty() { base.to_owned() } else { format!("{base} {declarator}") }
}

fn words(own: Qualifiers) -> String {
    format!("{}{}", if own.fixed() { "const " } else { "" }, if own.is_volatile() { "volatile " } else { "" })
}

/// The name of an integer type.
pub fn name_of(integer: Integer) -> &'static str {
    match integer {
        Integer::Bool => "_Bool",
        Integer::Char => "char",
        Integer::SignedChar => "signed char",
        Integer::UnsignedChar => "unsigned char",
        Integer::Short => "short",
        Integer::UnsignedShort => "unsigned short",
        Integer::Int => "int",
        Integer::UnsignedInt => "unsigned int",
        Integer::Long => "long",
        Integer::UnsignedLong => "unsigned long",
        Integer::LongLong | Integer::Node => "long long",
        Integer::UnsignedLongLong => "unsigned long long",
        Integer::Float => "float",
        Integer::Double => "double",
    }
}

/// What is not a number, as a constant of C.
pub const NOT_A_NUMBER: &str = "(0.0 / 0.0)";

/// A constant of this type: a character where it is one, and else a number of the type with its suffix.
pub fn constant(integer: Integer, abi: Abi, value: &Int) -> String {
    let range = integer.range(abi);
    let value = range.wrap(value);
    let small = value.to_i64();
    if let (Some(format), Some(rank)) = (integer.format(), small) {
        // Macros of <math.h> would have to be included.
        return match format.text(rank).as_str() {
            "NAN" => NOT_A_NUMBER.to_owned(),
            "INFINITY" => "(1.0 / 0.0)".to_owned(),
            "-INFINITY" => "(-1.0 / 0.0)".to_owned(),
            text => text.to_owned(),
        };
    }
    match (integer, small) {
        (Integer::Char, Some(byte @ 32..=126)) => match byte as u8 {
            quote @ (b'\'' | b'\\') => format!("'\\{}'", char::from(quote)),
            byte => format!("'{}'", char::from(byte)),
        },
        (Integer::Char, Some(10)) => "'\\n'".to_owned(),
        (Integer::Char, Some(9)) => "'\\t'".to_owned(),
        (Integer::Int | Integer::Long | Integer::LongLong, _) if value == range.least() => {
            format!("(-{} - 1)", constant(integer, abi, &range.greatest()))
        }
        (Integer::UnsignedInt, _) => format!("{value}u"),
        (Integer::Long, _) => format!("{value}l"),
        (Integer::UnsignedLong, _) => format!("{value}ul"),
        (Integer::LongLong, _) => format!("{value}ll"),
        (Integer::UnsignedLongLong, _) => format!("{value}ull"),
        _ => value.to_string(),
    }
}

/// Bytes as a string of C; none where it would have no printable form that a reader expects.
pub fn string(bytes: &[u8]) -> String {
    let mut text = "\"".to_owned();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            // Two of them in a row begin a trigraph.
            b'?' if at > 0 && bytes[at - 1] == b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(char::from(byte)),
            0 if !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => text.push_str("\\0"),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}
