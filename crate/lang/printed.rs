//! Formats of the functions that print (C11 7.21.6.1): their conversions, and the C text of `sprintf` and `snprintf` for one format.

use std::fmt::Write as _;

/// A conversion of a format, as far as a string is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatConversion {
    /// The flag `-`.
    pub is_left: bool,
    /// The least number of characters, and whether an argument says it.
    pub width: u32,
    pub is_width_given: bool,
    /// The most characters of a string, where there is a precision, and whether an argument says it.
    pub precision: Option<u32>,
    pub is_precision_given: bool,
    /// The letter; a blank where the format ends before it.
    pub kind: u8,
}

impl FormatConversion {
    /// Whether it writes a string in a width or with a precision.
    pub fn is_padded_string(self) -> bool {
        self.kind == b's' && self != FormatConversion { kind: b's', ..FormatConversion::default() }
    }
}

/// The conversions of a format in order, without `%%`.
pub fn conversions(format: &[u8]) -> Vec<FormatConversion> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while rest.any(|c| c == b'%') {
        if rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let mut conversion = FormatConversion { kind: b' ', ..FormatConversion::default() };
        while let Some(flag) = rest.next_if(|c| b"-0+ #".contains(c)) {
            conversion.is_left |= flag == b'-';
        }
        (conversion.width, conversion.is_width_given) = number_or_star(&mut rest);
        if rest.next_if_eq(&b'.').is_some() {
            let (precision, is_given) = number_or_star(&mut rest);
            (conversion.precision, conversion.is_precision_given) = (Some(precision), is_given);
        }
        while rest.next_if(|c| b"hlzjtqL".contains(c)).is_some() {}
        conversion.kind = rest.next().unwrap_or(b' ');
        found.push(conversion);
    }
    found
}

/// The number of a width or a precision, and whether `*` stands there.
fn number_or_star(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> (u32, bool) {
    let is_given = rest.next_if_eq(&b'*').is_some();
    let mut value = 0u32;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0')).min(1 << 21);
    }
    (value, is_given)
}

/// A conversion that is written here: `%d %i %u %o %x %X %c %s` with zeros or blanks up to a width, for `int`, `long` and `long long`.
struct WrittenConversion {
    zeros: bool,
    width: u32,
    kind: char,
    /// The types of a number.
    types: [&'static str; 2],
}

impl WrittenConversion {
    /// The conversion at the start of a text, which it takes off; the letters of one that is not written here.
    fn read(text: &mut std::str::Chars<'_>) -> Result<WrittenConversion, String> {
        let whole = text.as_str();
        let zeros = whole.starts_with('0');
        let digits = whole.find(|c: char| !c.is_ascii_digit()).unwrap_or(whole.len());
        let rest = whole[digits..].trim_start_matches(['l', 'z']);
        let size = &whole[digits..whole.len() - rest.len()];
        let kind = rest.chars().next().unwrap_or(' ');
        let is_number = matches!(kind, 'd' | 'i' | 'u' | 'o' | 'x' | 'X');
        let width = if digits == 0 { Some(0) } else { whole[..digits].parse().ok() };
        let types = match size {
            "" => ["int", "unsigned"],
            "l" => ["long", "unsigned long"],
            "ll" => ["long long", "unsigned long long"],
            _ => ["ptrdiff_t", "size_t"],
        };
        match width {
            Some(width) if is_number && matches!(size, "" | "l" | "ll" | "z") || matches!(kind, 'c' | 's') && digits + size.len() == 0 => {
                *text = rest[1..].chars();
                Ok(WrittenConversion { zeros, width: width.min(1 << 12), kind, types })
            }
            _ => Err(format!("%{}{size}{}", &whole[..digits], kind)),
        }
    }

    /// The type of the parameter, and the text that writes its value, with `put(c);` for each character.
    fn text(&self, value: &str) -> (&'static str, String) {
        let [signed, unsigned] = self.types;
        let (ty, base) = match self.kind {
            'c' => return ("int", format!("put((char){value});")),
            's' => return ("const char *", format!("{{ ptrdiff_t i = 0; while ({value}[i] != 0) {{ put({value}[i]); i++; }} }}")),
            'x' | 'X' => (unsigned, 16),
            'o' => (unsigned, 8),
            'u' => (unsigned, 10),
            _ => (signed, 10),
        };
        let minus = if ty == signed { format!("{value} < 0") } else { "0".to_owned() };
        let width = self.width;
        let pad = |with: char| if width > 1 { format!("while (k < {width}) {{ put('{with}'); k++; }}") } else { String::new() };
        let (blanks, zeros) = if self.zeros { (String::new(), pad('0')) } else { (pad(' '), String::new()) };
        let digit = match self.kind {
            'x' => "u / p % 16 < 10 ? '0' + u / p % 16 : 'a' - 10 + u / p % 16".to_owned(),
            'X' => "u / p % 16 < 10 ? '0' + u / p % 16 : 'A' - 10 + u / p % 16".to_owned(),
            _ => format!("'0' + u / p % {base}"),
        };
        let text = format!(
            "{{ {unsigned} u = {value}, p = 1; int k = 1, minus = {minus}; if (minus) {{ u = -u; k = 2; }} \
             while (u / p >= {base}) {{ p = p * {base}; k++; }} {blanks} if (minus) put('-'); {zeros} \
             while (p > 0) {{ put({digit}); p = p / {base}; }} }}"
        );
        (ty, text)
    }
}

/// The text of a function that writes by this format, with a bound on what it writes or without.
///
/// # Errors
/// The conversion that is not written here.
pub fn text(format: &[u8], is_bounded: bool) -> Result<String, String> {
    let format = String::from_utf8_lossy(format);
    let (mut parameters, mut body) = (String::new(), String::new());
    let mut rest = format.chars();
    let mut number = 0;
    while let Some(c) = rest.next() {
        if c != '%' || rest.as_str().starts_with('%') {
            if c == '%' {
                rest.next();
            }
            if !c.is_ascii() {
                return Err(c.to_string());
            }
            let _ = write!(body, "put({}); ", u32::from(c));
            continue;
        }
        let value = format!("v{number}");
        number += 1;
        let (ty, text) = WrittenConversion::read(&mut rest)?.text(&value);
        let _ = write!(parameters, ", {ty} {value}");
        body += &text;
    }
    let (bound, put, end) = if is_bounded {
        (
            ", size_t size",
            "if (n + 1 < size) to[n] = $; n++;",
            "if (size > 0) { if (n < size) to[n] = 0; else to[size - 1] = 0; } return n;",
        )
    } else {
        ("", "to[n] = $; n++;", "to[n] = 0; return n;")
    };
    // `put(c);` with the parentheses of its argument.
    let mut parts = body.split("put(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (argument, next) = part.split_once(");").unwrap_or((part, ""));
        text += &format!("{{ {} }}{next}", put.replace('$', argument));
    }
    Ok(format!("int written(char *to{bound}{parameters}) {{ size_t n = 0; {text} {end} }}"))
}

#[cfg(test)]
mod tests {
    /// The text is C, and what is not written is named.
    #[test]
    fn formats_become_text_or_are_named() {
        for format in ["", "%d%%", "x%5d-%04x%lu%lld%zu%c%s\n", "%X%08lX%o%3llo", "100%%%u"] {
            for is_bounded in [false, true] {
                let text = super::text(format.as_bytes(), is_bounded).expect("a text");
                assert_eq!(super::super::parse(&text).diagnostics, [], "{text}");
            }
        }
        for (format, named) in [("%f", "%f"), ("%d %-5d", "%-"), ("%5s", "%5s"), ("%", "% "), ("%hd", "%h"), ("%*d", "%*")] {
            assert_eq!(super::text(format.as_bytes(), false), Err(named.to_owned()));
        }
    }
}
