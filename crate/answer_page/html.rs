//! The template of a page: markup and style.

use super::{
    AnswerPage, PageBody, PageFact, PageFinding, PageLine, PageMark, PageNote, PagePiece, PageRow, PageSection, PageSignature, PageTable,
};
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

/// The rules of all pages: they name no file and no font that a reader's machine would have to fetch.
const STYLE: &str = include_str!("style.css");

/// A page as a whole file.
pub fn html(page: &AnswerPage) -> String {
    let AnswerPage { title, sentence, remarks, tiles, sections } = page;
    let document = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "culdesac " (env!("CARGO_PKG_VERSION")) };
                title { (readable(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (readable(title)) }
                    p.sentence { (readable(sentence)) }
                    @for remark in remarks {
                        p.remark { (readable(remark)) }
                    }
                    @if !tiles.is_empty() {
                        ul.tiles {
                            @for tile in tiles {
                                li.tile {
                                    span.number { (readable(&tile.number)) }
                                    " "
                                    span.label {
                                        @if let Some(mark) = tile.mark { (sign(mark)) " " }
                                        (readable(&tile.label))
                                    }
                                }
                            }
                        }
                    }
                }
                @if sections.len() > 1 {
                    nav aria-label="Sections" {
                        ul {
                            @for section in sections {
                                li { a href={ "#" (section.anchor) } { (readable(&section.heading)) } }
                            }
                        }
                    }
                }
                main {
                    @for section in sections { (section_of(section)) }
                }
            }
        }
    };
    let mut text = document.into_string();
    text.push('\n');
    text
}

fn section_of(PageSection { anchor, heading, introduction, body }: &PageSection) -> Markup {
    markup! {
        div {
            h2 id=(anchor) { (readable(heading)) }
            @if !introduction.is_empty() {
                p { (readable(introduction)) }
            }
            @match body {
                PageBody::Findings(findings) => {
                    @for finding in findings { (finding_of(finding)) }
                }
                PageBody::Listing(lines) => (listing(lines)),
                PageBody::Table(table) => (table_of(heading, table)),
                PageBody::Facts(facts) => (facts_of(facts)),
                PageBody::Signatures(signatures) => {
                    div.signatures {
                        @for signature in signatures { (signature_of(signature)) }
                    }
                }
            }
        }
    }
}

fn finding_of(PageFinding { mark, kind, position, code, told }: &PageFinding) -> Markup {
    markup! {
        div.finding.(class(*mark)) {
            p {
                (sign(*mark)) " "
                strong { (readable(kind)) } ", "
                (piece(position)) ": "
                code { (readable(code)) }
            }
            (sentences(told))
        }
    }
}

/// Sentences as a list.
fn sentences(told: &[Vec<PagePiece>]) -> Markup {
    markup! {
        @if !told.is_empty() {
            ul {
                @for sentence in told {
                    li { (pieces(sentence)) }
                }
            }
        }
    }
}

fn listing(lines: &[PageLine]) -> Markup {
    markup! {
        table.listing {
            thead.hidden {
                tr { th scope="col" { "verdict" } th scope="col" { "line" } th scope="col" { "text" } }
            }
            tbody {
                @for line in lines { (line_of(line)) }
            }
        }
    }
}

fn line_of(PageLine { number, own_number, text, marks, is_dead, notes }: &PageLine) -> Markup {
    markup! {
        tr.dead[*is_dead] id={ "L" (number) } {
            td.signs {
                @for &mark in marks {
                    span.sign.(class(mark)) role="img" aria-label=(mark.of_line()) title=(mark.of_line()) { (mark.sign()) }
                }
            }
            th scope="row" { a href={ "#L" (number) } { (own_number) } }
            td.text {
                code { (readable(text)) }
                @if *is_dead { span.hidden { " (no execution takes this)" } }
                @if !notes.is_empty() { (notes_of(notes)) }
            }
        }
    }
}

/// The notes of a line: their signs and texts, and below these what is said of each.
fn notes_of(notes: &[PageNote]) -> Markup {
    let is_covered = notes.iter().all(|note| note.mark == PageMark::Covered);
    markup! {
        details.covered[is_covered] {
            summary {
                @for note in notes {
                    span.chip.(class(note.mark)) { (sign(note.mark)) " " code { (readable(&note.code)) } }
                    " "
                }
            }
            ul {
                @for note in notes {
                    li {
                        (sign(note.mark)) " " code { (readable(&note.code)) } " " (note.mark.of_branch())
                        (sentences(&note.told))
                    }
                }
            }
        }
    }
}

fn table_of(heading: &str, PageTable { columns, rows }: &PageTable) -> Markup {
    markup! {
        // A wide table scrolls by itself, also with the keyboard.
        section.wide aria-label=(readable(heading)) tabindex="0" {
            table.data {
                thead {
                    tr { @for column in columns { th scope="col" { (readable(column)) } } }
                }
                tbody {
                    @for PageRow { anchor, cells } in rows {
                        tr id=[anchor.as_ref()] {
                            @for cell in cells { td { (pieces(cell)) } }
                        }
                    }
                }
            }
        }
    }
}

fn facts_of(facts: &[PageFact]) -> Markup {
    markup! {
        dl {
            @for PageFact { name, value } in facts {
                dt { (readable(name)) }
                dd { (pieces(value)) }
            }
        }
    }
}

fn signature_of(PageSignature { heading }: &PageSignature) -> Markup {
    markup! {
        div.signature {
            h3 { (readable(heading)) }
            dl {
                @for field in ["Name", "Role", "Date", "Signature"] {
                    dt { (field) }
                    dd.field {}
                }
            }
        }
    }
}

fn pieces(all: &[PagePiece]) -> Markup {
    markup! {
        @for one in all { (piece(one)) }
    }
}

fn piece(piece: &PagePiece) -> Markup {
    markup! {
        @match piece {
            PagePiece::Words(words) => (readable(words)),
            PagePiece::Code(code) => code { (readable(code)) },
            PagePiece::Mark(mark) => span.verdict { (sign(*mark)) " " (mark.of_branch()) },
            PagePiece::Line { text, number } => a href={ "#L" (number) } { (readable(text)) },
            PagePiece::Row { text, anchor } => a href={ "#" (anchor) } { (readable(text)) },
        }
    }
}

/// The sign of a verdict beside words that say what it means.
fn sign(mark: PageMark) -> Markup {
    markup! { span.sign.(class(mark)) aria-hidden="true" { (mark.sign()) } }
}

fn class(mark: PageMark) -> &'static str {
    match mark {
        PageMark::Fails => "fails",
        PageMark::Infeasible => "infeasible",
        PageMark::Open => "open",
        PageMark::Justified => "justified",
        PageMark::Covered => "covered",
    }
}

/// The program's text without characters that HTML does not allow, and without control characters of writing direction: the page shows the
/// tokens of a program in the order in which a compiler reads them (the attack is described as *Trojan Source*, Boucher and Anderson 2021).
fn readable(text: &str) -> String {
    let is_reordering =
        |letter: char| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    let is_allowed = |letter: char| matches!(letter, '\t' | '\n') || !letter.is_control();
    text.chars().map(|letter| if is_allowed(letter) && !is_reordering(letter) { letter } else { '\u{fffd}' }).collect()
}
