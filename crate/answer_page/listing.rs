//! The files of a program's text as lines of a page, each with the number that documents have for it.

use super::PageLine;
use crate::source::files::{FileLines, FileMark};

/// A file of a program.
#[derive(Clone, Debug)]
pub struct ListedFile {
    /// Its name; `None` of the program's first file, whose name the text does not have.
    pub name: Option<String>,
    /// Whether it is a header, so that the file before includes it.
    pub is_header: bool,
    /// Without marks and notes.
    pub lines: Vec<PageLine>,
}

/// The files of a text: the program's first file, then headers, once for each time that they are included, and further translation units.
pub fn listed_files(text: &str) -> Vec<ListedFile> {
    let numbers = FileLines::of(text);
    let first = ListedFile { name: None, is_header: false, lines: Vec::new() };
    let others =
        numbers.headers.iter().map(|file| ListedFile { name: Some(file.name.clone()), is_header: file.included_at > 0, lines: Vec::new() });
    let mut files: Vec<ListedFile> = std::iter::once(first).chain(others).collect();
    for (line, at) in text.strip_suffix('\n').unwrap_or(text).split('\n').zip(1..) {
        if FileMark::read(line).is_some() {
            continue;
        }
        let number = numbers.number(at);
        let of = numbers.headers.iter().zip(1..).find_map(|(file, index)| Some((index, file.own_line(number)?)));
        let (index, own_number) = of.unwrap_or((0, number));
        let text = line.strip_suffix('\r').unwrap_or(line).to_owned();
        files[index].lines.push(PageLine { number, own_number, text, marks: Vec::new(), is_dead: false, notes: Vec::new() });
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::files::{MARK, linked};

    /// The numbers and the text of a line.
    type NumberedText = (u32, u32, String);

    /// Numbers and texts of the lines of each file.
    fn listed(text: &str) -> Vec<(String, Vec<NumberedText>)> {
        let lines = |file: &ListedFile| file.lines.iter().map(|line| (line.number, line.own_number, line.text.clone())).collect();
        listed_files(text).iter().map(|file| (file.name.clone().unwrap_or_default(), lines(file))).collect()
    }

    fn line(number: u32, own: u32, text: &str) -> NumberedText {
        (number, own, text.to_owned())
    }

    #[test]
    fn lines_keep_the_numbers_of_their_files() {
        assert_eq!(listed("a\r\n\nb"), [(String::new(), vec![line(1, 1, "a"), line(2, 2, ""), line(3, 3, "b")])]);
        let text = format!("{MARK}-DN=1\n#include \"h.h\"\n{MARK}>1 h.h\nint h;\n{MARK}<\nint a;\n");
        let header = ("h.h".to_owned(), vec![line(4, 1, "int h;")]);
        let found = listed(&text);
        assert_eq!(found[0].1.iter().map(|line| line.2.as_str()).collect::<Vec<_>>(), ["#include \"h.h\"", "int a;"]);
        assert_eq!(found[1].0, header.0);
        assert_eq!(found[1].1[0].2, "int h;");
        let units = linked("int a;\n".to_owned(), "b.c", "int b;\n").expect("one target");
        let found = listed(&units);
        assert_eq!(found.iter().map(|(name, lines)| (name.as_str(), lines.len())).collect::<Vec<_>>(), [("", 1), ("b.c", 1)]);
    }
}
