//! Answers for people: aligned tables, readable numbers.

use crate::counting::report::{FeasibleBy, any_state};
use crate::source::files::{HeaderLines, named};
use crate::view::{Assumed, Call, Header, Input, line as written_line, written_plain};
pub use crate::view::{plain_number as plain, plain_value as input_value};
use std::fmt::Write;

/// How a column lines up.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}
pub use Align::{Left, Right};

/// Rows under a head, columns two spaces apart.
pub fn table<const N: usize>(columns: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let mut widths = columns.map(|(head, _)| head.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    let mut line = |cells: &[&str]| {
        let mut text = String::new();
        for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(columns) {
            let _ = match align {
                Left => write!(text, "{cell:<width$}  "),
                Right => write!(text, "{cell:>width$}  "),
            };
        }
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(&columns.map(|(head, _)| head));
    rows.iter().for_each(|row| line(&row.each_ref().map(String::as_str)));
    out
}

/// How many of something, as [`number`] writes it.
pub fn counted(count: impl ToString, one: &str, many: &str) -> String {
    let digits = count.to_string();
    format!("{} {}", number(&digits), if digits == "1" { one } else { many })
}

/// A decimal number with its digits in groups of three; rounds one of more than 30 digits.
pub fn number(digits: &str) -> String {
    if digits.len() > 30 {
        return format!("≈ {}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1);
    }
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A list with commas.
pub fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A count of feasible paths, or what is known of it.
pub fn feasible_count(count: Option<&str>, at_least: Option<&str>) -> String {
    match (count, at_least) {
        (Some(count), _) => number(count),
        (None, Some(least)) => format!("≥ {}", number(least)),
        (None, None) => "open".to_owned(),
    }
}

/// What feasible counts rest on, where the run did not show all of it.
pub fn basis(by: Option<FeasibleBy>) -> &'static str {
    match by {
        Some(FeasibleBy::Projection) => {
            "\nfeasible paths were counted by merging; that merged paths are feasible alike rests on projections, which are trusted\n"
        }
        Some(FeasibleBy::Paths | FeasibleBy::Induction) | None => "",
    }
}

/// The input for people: what its run reads, in the form in which runs take it.
pub fn input_text(input: &Input) -> String {
    if input.written_as.is_empty() { written_line(&written_plain(input)) } else { written_line(&input.written_as) }
}

/// `f(x = 1), 2 × g()`.
pub fn calls_text(calls: &[Call]) -> String {
    let text = |call: &Call| match call.input == Input::default() {
        true => format!("{}()", call.function),
        false => format!("{}({})", call.function, input_text(&call.input)),
    };
    let each = calls.chunk_by(|a, b| a == b).map(|same| match same {
        [one] => text(one),
        _ => format!("{} × {}", same.len(), text(&same[0])),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// What a verdict rests on, as a line below it; nothing if it rests on nothing.
pub fn assuming(indent: &str, ids: &[String]) -> String {
    if ids.is_empty() { String::new() } else { format!("{indent}assuming {}\n", ids.join(", ")) }
}

/// What the feasible counts for these lengths rest on: one line where it is the same for all.
pub fn counts_assuming<'d>(rows: impl Iterator<Item = (u32, &'d Vec<String>)>) -> String {
    let rows: Vec<_> = rows.filter(|(_, ids)| !ids.is_empty()).collect();
    let mut groups: Vec<(&Vec<String>, Vec<u32>)> = Vec::new();
    for (length, ids) in rows {
        match groups.iter_mut().find(|(other, _)| *other == ids) {
            Some((_, lengths)) => lengths.push(length),
            None => groups.push((ids, vec![length])),
        }
    }
    let lines = groups.iter().map(|(ids, lengths)| {
        let statics = any_state(ids).map_or_else(String::new, |statics| format!("statics: {statics}; "));
        format!("feasible up to {}: {statics}{}", join(lengths), assuming("", ids))
    });
    lines.collect()
}

/// Whether a command can do without an assumption that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Without {
    Possible,
    /// `cover` can.
    Refused,
}

/// What the assumptions say that the verdicts name, and how to do without.
pub fn assumptions<'d>(header: &Header, verdicts: impl Iterator<Item = &'d Vec<String>>, without: Without) -> String {
    let verdicts: Vec<&Vec<String>> = verdicts.collect();
    let named = |one: &&Assumed| verdicts.iter().any(|ids| ids.contains(&one.id));
    let told = header.assumptions.iter().filter(named);
    let command = if without == Without::Refused { "cover " } else { "" };
    told.map(|Assumed { id, text, line: at }| {
        format!("\nassumption {id} (line {}): {text}; `{command}--no-assume {id}` does without\n", line(header, *at))
    })
    .collect()
}

/// Longer lists of lines are folded.
const FOLDED: usize = 60;
/// Groups of so many lines at most are folded.
const GROUP: usize = 40;
/// So many lines and groups are shown of a folded list.
const MOST_ITEMS: usize = 200;

/// A line for people.
pub fn line(header: &Header, line: u32) -> String {
    named(header.headers.as_deref().unwrap_or_default(), line)
}

/// Line numbers in order, each run of one line once. In a long list groups that come three times or more, one after the other, stand once:
/// `3 [4 5] (×6,999) 3 6`.
pub fn runs(header: &Header, lines: &[u32]) -> String {
    folded(lines, header.headers.as_deref().unwrap_or_default())
}

fn folded(lines: &[u32], headers: &[HeaderLines]) -> String {
    let mut lines = lines.to_vec();
    lines.dedup();
    if lines.len() <= FOLDED {
        return spaced(&lines, headers);
    }
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < lines.len() && parts.len() < MOST_ITEMS {
        let rest = &lines[at..];
        let times = |size: usize| 1 + rest[size..].chunks_exact(size).take_while(|chunk| *chunk == &rest[..size]).count();
        let folds = (2..=GROUP.min(rest.len() / 3)).map(|size| (size, times(size))).filter(|(_, times)| *times >= 3);
        // Of those that take in as much the shortest.
        match folds.max_by_key(|&(size, times)| (size * times, std::cmp::Reverse(size))) {
            Some((size, times)) => {
                parts.push(format!("[{}] (×{})", spaced(&rest[..size], headers), number(&times.to_string())));
                at += size * times;
            }
            None => {
                parts.push(named(headers, rest[0]));
                at += 1;
            }
        }
    }
    if at < lines.len() {
        parts.push(format!("… ({} more)", number(&(lines.len() - at).to_string())));
    }
    parts.join(" ")
}

/// As [`runs`], where a document has only the first of so many lines.
pub fn runs_of(header: &Header, lines: &[u32], total: Option<u32>) -> String {
    let more = total.map(|total| format!(" … (the first {} of {})", number(&lines.len().to_string()), number(&total.to_string())));
    runs(header, lines) + &more.unwrap_or_default()
}

fn spaced(lines: &[u32], headers: &[HeaderLines]) -> String {
    lines.iter().map(|&line| named(headers, line)).collect::<Vec<_>>().join(" ")
}

/// A place for people: the line, with the column where more stands on it.
pub fn at(header: &Header, number: u32, column: u32) -> String {
    let line = line(header, number);
    if header.crowded_lines.contains(&number) { format!("{line}:{column}") } else { line }
}

/// A text, with what it reads once macros are replaced.
pub fn bracketed(text: &str, expansion: Option<&String>) -> String {
    match expansion {
        Some(expansion) if !text.ends_with(expansion.as_str()) => format!("{text} [{expansion}]"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_line_up() {
        let rows = [["1".to_owned(), "x".to_owned()], ["100".to_owned(), "ä = b".to_owned()]];
        assert_eq!(table([("n", Right), ("label", Left)], &rows), "  n  label\n  1  x\n100  ä = b\n");
    }

    #[test]
    fn long_lists_of_lines_are_folded() {
        assert_eq!(folded(&[2, 3, 3, 3, 4, 3, 4, 3, 4, 5], &[]), "2 3 4 3 4 3 4 5");
        let round = [3, 4, 5, 3, 6];
        let lines = [&[1, 2][..], &round.repeat(6_999), &[3, 7]].concat();
        assert_eq!(folded(&lines, &[]), "1 2 [3 4 5 3 6] (×6,999) 3 7");
        // Nothing is folded that does not come thrice, and a list without groups is cut.
        let long: Vec<u32> = (1..=300).collect();
        assert!(
            folded(&long, &[]).starts_with("1 2 3 ") && folded(&long, &[]).ends_with(" 199 200 … (100 more)"),
            "{}",
            folded(&long, &[])
        );
        // What is folded means the list: unfolding gives it back.
        let nested = [&[9][..], &[&[1, 2].repeat(10)[..], &[3]].concat().repeat(4)].concat();
        let mut unfolded = Vec::new();
        for part in folded(&nested, &[]).split_inclusive([']', ')']) {
            let numbers: Vec<u32> = part.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
            if part.trim_start().starts_with("(×") {
                let group: Vec<u32> = std::mem::take(&mut unfolded);
                let (before, last): (Vec<u32>, Vec<u32>) =
                    (group[..group.len() - LAST.get()].to_vec(), group[group.len() - LAST.get()..].to_vec());
                unfolded = [before, last.repeat(numbers[0] as usize)].concat();
            } else {
                LAST.set(part.rsplit('[').next().map_or(0, |inner| inner.split_whitespace().count()));
                unfolded.extend(numbers);
            }
        }
        assert_eq!(unfolded, nested);
    }

    thread_local! {
        /// How many lines the last group has.
        static LAST: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(["0", "999", "1000", "1234567"].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(number(&"12345".repeat(10)), "≈ 1.234e49");
    }
}
