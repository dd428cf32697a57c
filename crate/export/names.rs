//! Names that the program does not use, for what stands in one file with it.

use crate::logic::SortedSet;

/// The name as its file has it: without what tells it apart from names of other files.
pub fn plain(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// Whether a text has the identifier.
pub fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

/// The identifiers of a program's text, in comments and strings, too: a name that is in none of them clashes with nothing.
pub struct Names {
    used: SortedSet<String>,
}

impl Names {
    /// The identifiers of this text.
    pub fn of(source: &str) -> Names {
        let words = source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        Names { used: words.filter(|word| !word.is_empty()).map(str::to_owned).collect() }
    }

    /// Whether the program uses the name.
    pub fn has(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// A name near to this one that stands nowhere yet; from now on it is used.
    pub fn free(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        while self.used.contains(&name) {
            name.push('_');
        }
        self.used.insert(name.clone());
        name
    }

    /// A beginning near to this one with which no name starts.
    pub fn prefix(&self, wish: &str) -> String {
        let mut prefix = wish.to_owned();
        while self.used.iter().any(|name| name.starts_with(&prefix)) {
            prefix.insert_str(0, "run_");
        }
        prefix
    }

    /// A name near to this one to which the suite's own endings can be added: [`ENDINGS`].
    pub fn stem(&mut self, wish: &str) -> String {
        let mut stem = plain(wish).to_owned();
        let with = |stem: &str, ending: &&str| format!("{stem}{ending}");
        while ENDINGS.iter().any(|ending| self.used.contains(&with(&stem, ending))) {
            stem.push('_');
        }
        self.used.extend(ENDINGS.iter().map(|ending| with(&stem, ending)));
        stem
    }
}

/// What stands after the name of a function or an object in the names of the suite's lists and counters.
const ENDINGS: &[&str] = &["_values", "_left", "_calls", "_next", "_skips", "_in_test", "_begins", "_at_start"];
