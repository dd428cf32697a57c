//! The order in which a harness gives the values of an input, and the C text that takes them.

use super::Suite;
use crate::interp::{ArrayInput, Input};
use crate::lang::ast::{Decl, Shape};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::inputs::{Inputs, inputs};
use crate::lts::{ArrayId, Expr, Origin, Source, Values, VariableId};
use crate::source::Span;
use std::fmt::Write as _;

/// What takes the values of an input.
pub struct Taking {
    /// The body of the C function that takes them and calls the analysed one.
    pub call: String,
    /// Locals without initialiser, to which the program's text gives their first values.
    pub locals: Vec<VariableId>,
    /// What the values are for, in the order in which they are taken.
    order: Vec<Taken>,
}

/// What values are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Scalar(VariableId),
    Array(ArrayId),
}

/// Strings of a command line.
const ARGUMENTS: u32 = 100;

/// How many elements a pointer of a test may lead from where its array begins.
const FARTHEST: i64 = 4_000;

/// The input that says how far a pointer parameter leads from where the array of another one begins, or a global, and which that is.
fn lead_by<'s>(suite: &'s Suite, all: &Inputs, name: &str) -> Option<(VariableId, &'s str)> {
    let lts = &suite.loaded.lts;
    let start = format!("{name} - ");
    let of = |id: VariableId| lts.variable(id).name.strip_prefix(&start).map(|base| (id, base));
    let (id, base) = all.variables.iter().copied().filter(|&id| lts.variable(id).origin == Origin::Parameter).find_map(of)?;
    let has_memory = all.arrays.iter().any(|&id| lts.array(id).name == base);
    has_memory.then_some((id, base))
}

/// A string as C has it.
fn literal(bytes: &[u8]) -> String {
    let mut text = "\"".to_owned();
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' if byte != b'?' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}

/// The identifier with which a declarator starts.
pub fn identifier(source: &str, span: Span) -> &str {
    let text = source.get(span.start as usize..).unwrap_or("");
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("")
}

/// How the text names a global: members of structures by their full name.
pub fn place<'s>(source: &'s str, span: Span, name: &'s str) -> &'s str {
    if name.contains(['.', '[']) { name } else { identifier(source, span) }
}

/// Behind the identifier and its brackets.
pub fn declarator_end(source: &str, span: Span) -> u32 {
    let bytes = source.as_bytes();
    let mut end = span.start as usize + identifier(source, span).len();
    loop {
        let next = end + bytes[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes.get(next) != Some(&b'[') {
            return end as u32;
        }
        let mut open = 0;
        for (at, byte) in bytes.iter().enumerate().skip(next) {
            open += i32::from(*byte == b'[') - i32::from(*byte == b']');
            end = at + 1;
            if open == 0 {
                break;
            }
        }
    }
}

/// Bytes of an element.
pub fn element_size(range: Option<IntRange>) -> u32 {
    let range = range.unwrap_or(IntRange::of_bits(32, true));
    ((range.greatest - range.least).ilog2() + 1).div_ceil(8)
}

/// A value as the bits of a `long long`: unsigned ones beyond the greatest signed one are the same bits.
fn bits(value: &Int) -> i64 {
    IntRange::of_bits(64, true).wrap(value).to_i64().unwrap_or_default()
}

impl Taking {
    /// For the inputs of a function.
    pub fn new(suite: &Suite) -> Taking {
        let all = inputs(&suite.loaded.lts);
        let mut taking = Taking { call: String::new(), locals: Vec::new(), order: Vec::new() };
        taking.globals(suite, &all);
        taking.of_locals(suite, &all);
        taking.arguments(suite, &all);
        taking
    }

    fn globals(&mut self, suite: &Suite, all: &Inputs) {
        let (lts, program, source) = (&suite.loaded.lts, &suite.loaded.program, &suite.request.source);
        let outside = |origin: Origin, name: &str| origin == Origin::Global && !is_inside(suite, name);
        for &id in all.variables.iter().filter(|&&id| outside(lts.variable(id).origin, &lts.variable(id).name)) {
            let place = place(source, lts.variable(id).span, &lts.variable(id).name);
            let value = match lts.variable(id).values {
                Values::Functions => {
                    let own: String = lts.functions.iter().map(|name| format!(", (void *){name}")).collect();
                    let _ = writeln!(self.call, "  void *const culdesac_functions_{}[] = {{0{own}}};", id.0);
                    format!("(long long)culdesac_function(culdesac_functions_{}, {}, culdesac_next())", id.0, lts.functions.len())
                }
                Values::Addresses => {
                    let texts: String = program.strings.iter().map(|bytes| format!("{}, ", literal(bytes))).collect();
                    let _ = writeln!(self.call, "  static const char *const culdesac_texts_{}[] = {{{texts}0}};", id.0);
                    format!("(long long)culdesac_address(culdesac_texts_{}, {}, culdesac_next())", id.0, program.strings.len())
                }
                _ => "culdesac_next()".to_owned(),
            };
            let _ = writeln!(self.call, "  culdesac_put((void *)&{place}, sizeof {place}, {value});");
            self.order.push(Taken::Scalar(id));
        }
        for &id in all.arrays.iter().filter(|&&id| outside(lts.array(id).origin, &lts.array(id).name)) {
            let array = lts.array(id);
            let (place, size) = (place(source, array.span, &array.name), element_size(array.range));
            let structures = |decl: &Decl| {
                decl.span == array.span && matches!(&decl.shape, Shape::Array { element, .. } if matches!(**element, Shape::Struct(_)))
            };
            let _ = match place.split_once('.').filter(|_| program.decls.iter().any(structures)) {
                Some((base, member)) => writeln!(
                    self.call,
                    "  culdesac_fill((void *)&{base}[0].{member}, sizeof {base} / sizeof {base}[0], sizeof {base}[0], sizeof {base}[0].{member}, {size});"
                ),
                None => writeln!(self.call, "  culdesac_fill((void *){place}, 1, 0, sizeof {place}, {size});"),
            };
            self.order.push(Taken::Array(id));
        }
    }

    /// Scalars alone: what arrays and structures begin with no text can say in one place.
    fn of_locals(&mut self, suite: &Suite, all: &Inputs) {
        let (lts, source) = (&suite.loaded.lts, &suite.request.source);
        for &id in &all.variables {
            let variable = lts.variable(id);
            let end = declarator_end(source, variable.span) as usize;
            let is_plain = identifier(source, variable.span) == variable.name;
            let is_set = source.get(end..).is_none_or(|rest| !rest.trim_start().starts_with([',', ';']));
            if variable.origin == Origin::Local && is_plain && !is_set {
                let _ = writeln!(self.call, "  culdesac_locals[{}] = culdesac_next(); /* {} */", self.locals.len(), variable.name);
                self.locals.push(id);
                self.order.push(Taken::Scalar(id));
            }
        }
    }

    fn arguments(&mut self, suite: &Suite, all: &Inputs) {
        let lts = &suite.loaded.lts;
        let Some((_, tree)) = suite.loaded.program.function(&lts.function) else { return };
        let mut arguments = Vec::new();
        for (at, parameter) in tree.parameters.iter().enumerate() {
            let name = &parameter.name.text;
            let is_it = |origin: Origin, other: &str| origin == Origin::Parameter && other == name;
            let scalar = all.variables.iter().copied().find(|&id| is_it(lts.variable(id).origin, &lts.variable(id).name));
            let array = all.arrays.iter().copied().find(|&id| is_it(lts.array(id).origin, &lts.array(id).name));
            let has_strings = !strings(suite, all, name).is_empty();
            if let Some(id) = scalar {
                let _ = writeln!(self.call, "  long long culdesac_argument_{at} = culdesac_next(); /* {name} */");
                self.order.push(Taken::Scalar(id));
            } else if let Some(id) = array.filter(|_| !has_strings) {
                let null = all.variables.iter().copied().find(|&id| lts.variable(id).name == format!("{name}.null"));
                let is_null = match null {
                    Some(null) => {
                        let _ = writeln!(self.call, "  long long culdesac_null_{at} = culdesac_next();");
                        self.order.push(Taken::Scalar(null));
                        format!("culdesac_null_{at} ? 0 : ")
                    }
                    None => String::new(),
                };
                let size = element_size(lts.array(id).range);
                let _ = writeln!(self.call, "  static char culdesac_memory_{at}[2 * CULDESAC_SIDE] __attribute__((aligned(16)));");
                let _ = writeln!(self.call, "  culdesac_around(culdesac_memory_{at}, {size}); /* {name} */");
                let _ = writeln!(self.call, "  void *culdesac_argument_{at} = {is_null}culdesac_memory_{at} + CULDESAC_SIDE;");
                self.order.push(Taken::Array(id));
            } else if let Some((offset, base)) = lead_by(suite, all, name) {
                let null = all.variables.iter().copied().find(|&id| lts.variable(id).name == format!("{name}.null"));
                let base = match tree.parameters.iter().position(|parameter| parameter.name.text == base) {
                    Some(base) => format!("culdesac_memory_{base} + CULDESAC_SIDE"),
                    None => format!("(char *){base}"),
                };
                let element = tree.parameters.get(at).map(|parameter| &suite.loaded.program.decl(parameter.decl).shape);
                let size = match element {
                    Some(Shape::Pointer(inner)) => inner.integer().map_or(8, Integer::size),
                    _ => 1,
                };
                let _ = writeln!(self.call, "  void *culdesac_argument_{at} = {base} + {size} * culdesac_next(); /* {name} */");
                self.order.push(Taken::Scalar(offset));
                if let Some(null) = null {
                    let _ = writeln!(self.call, "  if (culdesac_next()) culdesac_argument_{at} = 0;");
                    self.order.push(Taken::Scalar(null));
                }
            } else if has_strings {
                self.strings(strings(suite, all, name), (at, name));
            } else {
                arguments.push("0".to_owned());
                continue;
            }
            arguments.push(format!("culdesac_argument_{at}"));
        }
        let name = if lts.function == "main" { "culdesac_main" } else { &lts.function };
        let _ = writeln!(self.call, "  (void){name}({});", arguments.join(", "));
    }

    fn strings(&mut self, strings: Vec<(u32, Taken)>, (at, name): (usize, &str)) {
        let _ = writeln!(self.call, "  static char *culdesac_argument_{at}[{ARGUMENTS}]; /* {name} */");
        let _ = writeln!(self.call, "  for (int i = 0; i < {ARGUMENTS}; i++) culdesac_argument_{at}[i] = \"\";");
        for (number, taken) in strings {
            let (size, make) = match taken {
                Taken::Scalar(_) => ("32", "number"),
                Taken::Array(_) => ("2 * CULDESAC_SIDE", "string"),
            };
            let _ = writeln!(self.call, "  static char culdesac_text_{number}[{size}];");
            let _ = writeln!(self.call, "  culdesac_argument_{at}[{number}] = culdesac_{make}(culdesac_text_{number});");
            self.order.push(taken);
        }
    }

    /// Whether there are no inputs but what calls draw.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The values of an input in their order, in groups with what they are for.
    ///
    /// # Errors
    /// What no harness can give, in a sentence.
    pub fn values(&self, suite: &Suite, input: &Input) -> Result<Vec<(String, Vec<i64>)>, String> {
        let lts = &suite.loaded.lts;
        self.is_given(suite, input)?;
        let taken = self.order.iter().map(|taken| match *taken {
            Taken::Scalar(id) => {
                let name = &lts.variable(id).name;
                (name.clone(), vec![bits(&input.values.get(name).cloned().unwrap_or_default())])
            }
            Taken::Array(id) => {
                let name = &lts.array(id).name;
                (name.clone(), contents(&input.arrays.get(name).cloned().unwrap_or_default()))
            }
        });
        let mut found: Vec<(String, Vec<i64>)> = taken.collect();
        if !input.nondet.is_empty() {
            found.push(("drawn".to_owned(), input.nondet.iter().map(bits).collect()));
        }
        Ok(found)
    }

    /// Whether a harness can give all of it.
    fn is_given(&self, suite: &Suite, input: &Input) -> Result<(), String> {
        let lts = &suite.loaded.lts;
        let name = |taken: &Taken| match *taken {
            Taken::Scalar(id) => &*lts.variable(id).name,
            Taken::Array(id) => &*lts.array(id).name,
        };
        let known: Vec<&str> = self.order.iter().map(name).collect();
        let missing = |name: &str, origin: Option<Origin>| match origin {
            Some(Origin::Local) => format!("`{name}` has no initialiser, and no caller can say what it begins with"),
            _ => format!("`{name}` cannot be set from outside"),
        };
        for (name, value) in &input.values {
            let variable = lts.variables.iter().find(|variable| variable.name == *name);
            let is_far = *value > Int::from(FARTHEST) || *value < Int::from(-FARTHEST);
            if is_far && variable.is_some_and(|variable| variable.origin == Origin::Parameter && variable.name.contains(" - ")) {
                return Err(format!("`{name}` is more than any memory has"));
            }
            let is_first = variable.is_some_and(|variable| variable.first.as_ref() == Some(value));
            if !known.contains(&&**name) && !value.is_zero() && !is_first {
                return Err(missing(name, variable.map(|variable| variable.origin)));
            }
        }
        for (name, given) in &input.arrays {
            let array = lts.arrays.iter().find(|array| array.name == *name);
            let is_first =
                array.is_some_and(|array| array.first.as_ref().is_some_and(|first| given.starts_as(first, array.length.as_ref())));
            let is_zero = given.default.is_zero() && given.elements.values().all(Int::is_zero);
            let is_several =
                array.is_some_and(|array| !array.objects.is_empty() || matches!(array.values, Values::Functions | Values::Addresses));
            if (!known.contains(&&**name) || is_several) && !is_zero && !is_first {
                return Err(missing(name, array.map(|array| array.origin)));
            }
        }
        if !input.contents.is_empty() {
            return Err("it draws the contents of memory".to_owned());
        }
        if suite.is_changed_by_call(input) {
            return Err("a function without a body changes what it can reach".to_owned());
        }
        if !input.nondet.is_empty() && self.draws_otherwise(suite) {
            return Err("a read of a volatile object or an order of evaluation draws values, too".to_owned());
        }
        Ok(())
    }

    /// Whether something draws values that is no call.
    fn draws_otherwise(&self, suite: &Suite) -> bool {
        let mut found = false;
        for edge in suite.loaded.lts.graph.edge_weights() {
            for operand in edge.label.operands() {
                operand.walk(&mut |part| found |= matches!(part, Expr::Nondet(_, Source::Volatile(_) | Source::Order(..))));
            }
        }
        found
    }
}

/// Strings of the command line with their numbers: they have names like `argv[1]`, whether their characters or their number is an input.
fn strings(suite: &Suite, all: &Inputs, name: &str) -> Vec<(u32, Taken)> {
    let lts = &suite.loaded.lts;
    let string = |of: &str| of.strip_prefix(name)?.strip_prefix('[')?.split(']').next()?.parse::<u32>().ok();
    let numbers = all.variables.iter().filter_map(|&id| Some((string(&lts.variable(id).name)?, Taken::Scalar(id))));
    let texts = all.arrays.iter().filter_map(|&id| Some((string(&lts.array(id).name)?, Taken::Array(id))));
    let mut found: Vec<(u32, Taken)> = numbers.chain(texts).filter(|(number, _)| *number < ARGUMENTS).collect();
    found.sort_by_key(|(number, _)| *number);
    found.dedup_by_key(|(number, _)| *number);
    found
}

/// Contents as a harness reads them: the default, the number of other elements, index and value of each.
fn contents(given: &ArrayInput) -> Vec<i64> {
    let pairs = given.elements.iter().flat_map(|(index, value)| [bits(index), bits(value)]);
    [bits(&given.default), given.elements.len() as i64].into_iter().chain(pairs).collect()
}

/// Whether a global is one of a function, which only that function can name.
fn is_inside(suite: &Suite, name: &str) -> bool {
    let base = name.split(['.', '[']).next().unwrap_or(name);
    !suite.loaded.program.decls.iter().any(|decl| decl.storage == crate::lang::storage::Storage::Global && decl.name == base)
}
