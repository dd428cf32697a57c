//! What C leaves open of calls of its library: which value with a given truth or sign a call gives, and what it does to `errno`. No test can
//! ask for that. A test has what the C library of Linux does there, as far as its run stays the same; where libraries differ, the run has to
//! be the same for all of these.

use super::replay::{LocatedDraw, Replay, replay, taken};
use crate::interp::{Drawn, Input};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::lang::library;
use crate::load::Loaded;
use crate::logic::{Int, SortedSet};
use crate::lts::sides::{sides, without_copies};
use crate::lts::{InputSource, Lts, Origin};

/// Draws that are looked at one by one.
const MOST_SINGLE: usize = 64;
/// The numbers `EDOM`, `ERANGE`, `EINVAL` and `ENOMEM` of Linux.
const ERRORS: [i64; 4] = [33, 34, 22, 12];

/// A draw of a function of the library that no test can ask for.
#[derive(Clone, Debug)]
pub struct OpenDraw {
    /// Its number in the input.
    number: usize,
    /// The function, as the program's text calls it.
    function: String,
    value: Int,
    kind: OpenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenKind {
    /// What `errno` becomes; what is not above 0 leaves it.
    Errno,
    /// Whether `errno` says that a text is no number.
    Invalid,
    /// A value other than 0, with the one that the C library of Linux gives.
    Truth(i64),
    /// A value below or above 0.
    Sign,
}

/// The values by which the C library of Linux says that a character is of a class.
const CLASSES: [(&str, i64); 15] = [
    ("isalnum", 8),
    ("isalpha", 1024),
    ("isblank", 1),
    ("iscntrl", 2),
    ("isdigit", 2048),
    ("isgraph", 32768),
    ("islower", 512),
    ("isprint", 16384),
    ("ispunct", 4),
    ("isspace", 8192),
    ("isupper", 256),
    ("isxdigit", 4096),
    ("isnan", 1),
    ("isinf", 1),
    ("isfinite", 1),
];

impl OpenDraw {
    /// The draw of an edge of the library, if it is one of these.
    pub fn of(lts: &Lts, source: &str, drawn: &LocatedDraw) -> Option<OpenDraw> {
        // Of a value the call is shown, of `errno` the name of the function.
        let text = lts.graph[drawn.edge].span.text(source);
        let number = drawn.number?;
        let (kind, function, value) = match &drawn.drawn {
            Drawn::Value(InputSource::Call, value) if text.starts_with("strto") => {
                (OpenKind::Invalid, text.split('(').next().unwrap_or(text).to_owned(), value)
            }
            Drawn::Scalar { variable, after, .. } => {
                let name = without_copies(&lts.variable(*variable).name);
                let (of, part) = name.rsplit_once('.')?;
                let class = CLASSES.iter().find(|(class, _)| *class == of);
                let kind = match (part, class) {
                    ("e", None) if of == "errno" => OpenKind::Errno,
                    ("d", Some((_, value))) => OpenKind::Truth(*value),
                    ("d", None) if library::gives_sign(of) => OpenKind::Sign,
                    _ => return None,
                };
                (kind, if kind == OpenKind::Errno { text } else { of }.to_owned(), after)
            }
            _ => return None,
        };
        Some(OpenDraw { number, function, value: value.clone(), kind })
    }

    /// The value for what the C library of Linux does, as far as that is one.
    fn usual(&self) -> Option<Int> {
        match self.kind {
            OpenKind::Errno | OpenKind::Invalid => Some(Int::ZERO),
            OpenKind::Truth(value) => Some(value.into()),
            OpenKind::Sign => None,
        }
    }

    /// The values for what libraries do.
    fn others(&self) -> Vec<Int> {
        let of = |values: &[i64]| values.iter().copied().map(Int::from).collect();
        match self.kind {
            OpenKind::Errno if leaves_errno(&self.function) => Vec::new(),
            OpenKind::Errno => of(&ERRORS),
            OpenKind::Invalid => Vec::new(),
            OpenKind::Truth(value) => of(&[1, value, -1, i32::MAX.into()]),
            OpenKind::Sign if self.value < Int::ZERO => of(&[-1, -255, i32::MIN.into()]),
            OpenKind::Sign => of(&[1, 255, i32::MAX.into()]),
        }
    }
}

/// Whether the C library of Linux, or the suite's function in its place, leaves `errno` where the call succeeds.
fn leaves_errno(function: &str) -> bool {
    let is_of_text = |name: &str| {
        (name.starts_with("str") && !name.starts_with("strto") || name.starts_with("mem")) && library::names().any(|other| other == name)
    };
    match intrinsic::find(function) {
        Some(
            Intrinsic::GetCharacter
            | Intrinsic::Random
            | Intrinsic::Address
            | Intrinsic::Nothing
            | Intrinsic::OfStream
            | Intrinsic::Absolute,
        ) => true,
        Some(intrinsic) => intrinsic.prints(),
        None => {
            matches!(function, "fgets" | "gets" | "getc" | "fgetc" | "fputs" | "fputc" | "putc" | "toupper" | "tolower" | "time")
                || CLASSES.iter().any(|(class, _)| *class == function)
                || library::is_drawn(function)
                || is_of_text(function)
        }
    }
}

/// The input with other values for these draws.
fn with<'d>(input: &Input, values: impl Iterator<Item = (&'d OpenDraw, Int)>) -> Input {
    let mut other = input.clone();
    for (draw, value) in values {
        if other.nondet.len() <= draw.number {
            other.nondet.resize(draw.number + 1, Int::ZERO);
        }
        other.nondet[draw.number] = value;
    }
    other
}

/// The input with what the C library of Linux does in all calls where the run takes the same branches then; none where it is too long.
pub fn usual(loaded: &Loaded, input: &Input) -> Option<Input> {
    let (lts, source) = (&loaded.lts, loaded.lines.text());
    let first = replay(lts, input)?;
    let of_library = first.draws.iter().filter(|drawn| lts.graph[drawn.edge].library);
    let open: Vec<OpenDraw> = of_library.filter_map(|drawn| OpenDraw::of(lts, source, drawn)).collect();
    let changes: Vec<(&OpenDraw, Int)> =
        open.iter().filter_map(|draw| Some((draw, draw.usual()?))).filter(|(draw, usual)| draw.value != *usual).collect();
    if changes.is_empty() {
        return Some(input.clone());
    }
    let all = sides(lts);
    let takes = taken(&all, &first);
    let same = |other: &Input| replay(lts, other).is_some_and(|run| run.outcome == first.outcome && taken(&all, &run) == takes);
    let of_all = with(input, changes.iter().cloned());
    if same(&of_all) {
        return Some(of_all);
    }
    let mut best = input.clone();
    for change in changes.into_iter().take(MOST_SINGLE) {
        let other = with(&best, std::iter::once(change));
        if same(&other) {
            best = other;
        }
    }
    Some(best)
}

/// Whether a run, with what the C library of Linux does, is the same for all that libraries do.
///
/// # Errors
/// On which of these draws it depends, in a sentence.
pub fn independent(loaded: &Loaded, input: &Input, run: &Replay, open: &[OpenDraw]) -> Result<(), String> {
    for draw in open {
        let sets_errno = matches!(draw.kind, OpenKind::Errno | OpenKind::Invalid) && draw.value > Int::ZERO;
        if sets_errno {
            return Err(format!("`{}` has to set `errno` in it, which no test can ask for", draw.function));
        }
    }
    let free: Vec<(&OpenDraw, Vec<Int>)> = open.iter().map(|draw| (draw, draw.others())).filter(|(_, others)| !others.is_empty()).collect();
    if free.len() > MOST_SINGLE {
        return Err("it has too many calls whose results C leaves open".to_owned());
    }
    let runs_alike = |other: &Input| replay(&loaded.lts, other).is_some_and(|other| is_like(&loaded.lts, run, &other));
    for (draw, others) in &free {
        for value in others {
            if !runs_alike(&with(input, std::iter::once((*draw, value.clone())))) {
                return Err(match draw.kind {
                    OpenKind::Errno => format!("it depends on what `{}` does to `errno`, which C leaves open", draw.function),
                    _ => format!("it depends on the result of `{}`: C fixes its sign or its truth, not its value", draw.function),
                });
            }
        }
    }
    let most = free.iter().map(|(_, others)| others.len()).max().unwrap_or_default();
    let together = |at: usize| with(input, free.iter().map(|(draw, others)| (*draw, others[at.min(others.len() - 1)].clone())));
    if (0..most).any(|at| !runs_alike(&together(at))) {
        return Err("it depends on the results of several calls, which C leaves open".to_owned());
    }
    Ok(())
}

/// Whether two runs take the same branches and leave the same. An `errno` that the first one does not change is compared by no test.
fn is_like(lts: &Lts, run: &Replay, other: &Replay) -> bool {
    let all = sides(lts);
    let lasts = |origin: Origin| matches!(origin, Origin::Global | Origin::Parameter);
    let errno: SortedSet<usize> = lts.variables.iter().enumerate().filter(|(_, of)| of.name == "errno").map(|(at, _)| at).collect();
    let same_scalar = |at: usize| {
        run.after.scalars[at] == other.after.scalars[at]
            || !lasts(lts.variables[at].origin)
            || errno.contains(&at) && run.before.scalars[at] == run.after.scalars[at]
    };
    let same_array = |at: usize| run.after.arrays[at] == other.after.arrays[at] || !lasts(lts.arrays[at].origin);
    taken(&all, run) == taken(&all, other)
        && (&run.outcome, &run.value, &run.output) == (&other.outcome, &other.value, &other.output)
        && (0..lts.variables.len()).all(same_scalar)
        && (0..lts.arrays.len()).all(same_array)
}
