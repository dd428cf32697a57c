//! An answer as one page of HTML that needs nothing else: for a screen, a telephone and paper.
//!
//! The page is plain data ([`AnswerPage`]) that the command fills; [`html`] writes it. A page has no script and requests nothing, its style
//! stands in it, and each text in it is escaped by the template, so the text of a program cannot become markup.

mod html;
mod listing;

pub use html::html;
pub use listing::{ListedFile, listed_files};

/// A page: its title, the answer, numbers, and sections in the order in which the page has them.
#[derive(Clone, Debug, Default)]
pub struct AnswerPage {
    pub title: String,
    /// The answer in words.
    pub sentence: String,
    /// What limits the answer: an end by a limit, warnings. They stand directly below the answer.
    pub remarks: Vec<String>,
    pub tiles: Vec<PageTile>,
    pub sections: Vec<PageSection>,
}

/// A number of the answer, such as how many branches can never run.
#[derive(Clone, Debug)]
pub struct PageTile {
    pub number: String,
    pub label: String,
    pub mark: Option<PageMark>,
}

/// A part of the page under a heading.
#[derive(Clone, Debug)]
pub struct PageSection {
    /// The fragment of its address: letters and hyphens, different for each section.
    pub anchor: String,
    pub heading: String,
    /// A sentence below the heading, or nothing.
    pub introduction: String,
    pub body: PageBody,
}

/// The contents of a section.
#[derive(Clone, Debug)]
pub enum PageBody {
    Findings(Vec<PageFinding>),
    Listing(Vec<PageLine>),
    Table(PageTable),
    /// Names with their values.
    Facts(Vec<PageFact>),
    /// Fields that are filled in by hand, one block for each person that signs.
    Signatures(Vec<PageSignature>),
}

/// A verdict as a sign in the margin. The order is that of the signs on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageMark {
    /// A run fails here.
    Fails,
    /// A branch that no execution takes.
    Infeasible,
    /// Neither a test nor a proof.
    Open,
    /// A branch that an argument of a person excuses.
    Justified,
    /// A replayed test takes it; of a line, each of its branches.
    Covered,
}

impl PageMark {
    /// The sign in the margin.
    pub fn sign(self) -> &'static str {
        match self {
            PageMark::Fails => "!",
            PageMark::Infeasible => "✕",
            PageMark::Open => "?",
            PageMark::Justified => "≈",
            PageMark::Covered => "✓",
        }
    }

    /// The meaning of the sign beside a line of a program.
    pub fn of_line(self) -> &'static str {
        match self {
            PageMark::Fails => "a run fails here",
            PageMark::Infeasible => "a side can never run",
            PageMark::Open => "a side is open",
            PageMark::Justified => "a side is justified",
            PageMark::Covered => "every side runs",
        }
    }

    /// The meaning of the sign beside a single branch or finding.
    pub fn of_branch(self) -> &'static str {
        match self {
            PageMark::Fails => "fails",
            PageMark::Infeasible => "can never run",
            PageMark::Open => "open",
            PageMark::Justified => "justified",
            PageMark::Covered => "covered",
        }
    }
}

/// A piece of a sentence or of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PagePiece {
    Words(String),
    /// Text of the program.
    Code(String),
    /// The sign of a verdict with its meaning.
    Mark(PageMark),
    /// A link to a line of a listing: the text of the link, and the line's [number](PageLine::number).
    Line {
        text: String,
        number: u32,
    },
    /// A link to a row of a table: the text of the link, and the row's [anchor](PageRow::anchor).
    Row {
        text: String,
        anchor: String,
    },
}

impl PagePiece {
    /// The piece without a form of its own.
    pub fn plain(&self) -> &str {
        match self {
            PagePiece::Words(text) | PagePiece::Code(text) | PagePiece::Line { text, .. } | PagePiece::Row { text, .. } => text,
            PagePiece::Mark(mark) => mark.of_branch(),
        }
    }
}

/// A finding: its position, its text, and what is said of it, a sentence each.
#[derive(Clone, Debug)]
pub struct PageFinding {
    pub mark: PageMark,
    /// Its kind in a few words.
    pub kind: String,
    pub position: PagePiece,
    pub code: String,
    pub told: Vec<Vec<PagePiece>>,
}

/// A line of a program's file.
#[derive(Clone, Debug)]
pub struct PageLine {
    /// The number that links name: different for all lines of all listings of the page.
    pub number: u32,
    /// The number in its own file, for people.
    pub own_number: u32,
    /// Without its end.
    pub text: String,
    /// In their order, each once.
    pub marks: Vec<PageMark>,
    /// Whether no execution takes what stands on the line.
    pub is_dead: bool,
    pub notes: Vec<PageNote>,
}

/// What is said of a branch or of a finding below its line.
#[derive(Clone, Debug)]
pub struct PageNote {
    pub mark: PageMark,
    pub code: String,
    pub told: Vec<Vec<PagePiece>>,
}

/// A table; each row has a cell for each column.
#[derive(Clone, Debug)]
pub struct PageTable {
    pub columns: Vec<String>,
    pub rows: Vec<PageRow>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct PageRow {
    /// The fragment of its address, where something links to it.
    pub anchor: Option<String>,
    pub cells: Vec<Vec<PagePiece>>,
}

/// A value under its name, as a setting or a hash.
#[derive(Clone, Debug)]
pub struct PageFact {
    pub name: String,
    pub value: Vec<PagePiece>,
}

/// Empty fields for one signature: name, role, date, signature.
#[derive(Clone, Debug)]
pub struct PageSignature {
    /// In which capacity the person signs: `Reviewer`.
    pub heading: String,
}
