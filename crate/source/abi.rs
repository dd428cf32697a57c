//! The target that a program is for, as far as the values of its types depend on it.

use serde::{Deserialize, Serialize};

/// How many bits the types have (the names of Unix): I is `int`, L `long`, LL `long long`, P a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum DataModel {
    /// `int` 32, `long` and pointers 64: Unix on 64-bit machines.
    #[default]
    Lp64,
    /// All three 32: 32-bit machines.
    Ilp32,
    /// `int` and `long` 32, pointers 64: Windows on 64-bit machines.
    Llp64,
    /// `int` and pointers 16, `long` 32: 16-bit machines.
    Int16,
}

impl DataModel {
    /// All of them.
    pub const ALL: [DataModel; 4] = [DataModel::Lp64, DataModel::Ilp32, DataModel::Llp64, DataModel::Int16];

    /// As options and documents have it.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
            DataModel::Llp64 => "llp64",
            DataModel::Int16 => "int16",
        }
    }
}

/// Whether plain `char` has negative values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum CharSign {
    #[default]
    Signed,
    Unsigned,
}

/// A target. Every target has the little end first and 8 bits in a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Abi {
    #[serde(rename = "abi")]
    pub model: DataModel,
    pub char: CharSign,
}

impl Abi {
    /// The target of a name that [`Abi::name`] gives.
    pub fn read(name: &str) -> Option<Abi> {
        let (model, char) = name.split_once(' ').unwrap_or((name, ""));
        let model = DataModel::ALL.into_iter().find(|one| one.name() == model)?;
        let char = match char {
            "" => CharSign::Signed,
            "unsigned-char" => CharSign::Unsigned,
            _ => return None,
        };
        Some(Abi { model, char })
    }

    /// How many bytes `int`, `long` and a pointer take.
    pub fn sizes(self) -> [i64; 3] {
        match self.model {
            DataModel::Lp64 => [4, 8, 8],
            DataModel::Ilp32 => [4, 4, 4],
            DataModel::Llp64 => [4, 4, 8],
            DataModel::Int16 => [2, 4, 2],
        }
    }

    /// The greatest alignment of a value, as on i386, on MSP430, and on the machines with 64 bits.
    pub fn greatest_alignment(self) -> i64 {
        match self.model {
            DataModel::Lp64 | DataModel::Llp64 => 8,
            DataModel::Ilp32 => 4,
            DataModel::Int16 => 2,
        }
    }

    /// A line of C that compilers for other targets refuse, where the target is not the default one; with the alignment of members where that
    /// matters.
    pub fn assertion(self, aligned: bool) -> String {
        let [int, long, pointer] = self.sizes();
        let sign = if self.char == CharSign::Signed { "<" } else { ">" };
        let members = format!(" && sizeof(struct {{ char c; long long l; }}) == {}", 8 + self.greatest_alignment());
        self.told().map_or_else(String::new, |told| {
            format!(
                "_Static_assert(sizeof(int) == {int} && sizeof(long) == {long} && sizeof(void *) == {pointer} && (char)-1 {sign} 0{}, \"for the target {told}\");\n",
                if aligned { &members } else { "" }
            )
        })
    }

    /// The target in words, where it is not the default one.
    pub fn told(self) -> Option<String> {
        let [int, long, pointer] = self.sizes().map(|bytes| 8 * bytes);
        let sign = if self.char == CharSign::Signed { "signed" } else { "unsigned" };
        (self != Abi::default()).then(|| {
            let name = self.model.name();
            format!("{name} (int {int}, long {long}, pointers {pointer} bits), char {sign}")
        })
    }

    /// `ilp32`, `lp64 unsigned-char`.
    pub fn name(self) -> String {
        let char = if self.char == CharSign::Unsigned { " unsigned-char" } else { "" };
        format!("{}{char}", self.model.name())
    }
}
