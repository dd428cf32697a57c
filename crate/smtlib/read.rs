//! Text to [`Script`]: the callbacks of yaspar's bottom-up parser. They refuse what the solver has no theory for, with its
//! place. Longer than most files: yaspar asks for a callback for every kind of command.

use super::Verdict;
use super::syntax::{Action, Command, Head, Name, Node, NodeId, Script, Sort, Term};
use crate::logic::Int;
use crate::source::{Diagnostic, Span};
use dashu::{float::DBig, integer::UBig};
use lalrpop_util::ParseError;
use rustc_hash::FxHashMap;
use yaspar::action::{
    ActionOnAttribute, ActionOnConstant, ActionOnIdentifier, ActionOnIndex, ActionOnSort, ActionOnString, ActionOnTerm, ParsingAction,
    ParsingResult, Pattern,
};
use yaspar::ast::{DatatypeDec, DatatypeDef, FunctionDef, GrammarError, Keyword};
use yaspar::position::{Position, Range};

/// Reads a whole script.
///
/// # Errors
/// The first thing that is not SMT-LIB 2 or lies outside what is supported.
pub fn read(text: &str) -> Result<Script, Box<Diagnostic>> {
    let mut reader = Reader { script: Script::default(), ids: FxHashMap::default() };
    let parsed = yaspar::smtlib2::ScriptParser::new().parse(&mut reader, yaspar::tokenize_str(text, false));
    let offsets = Offsets::new(text);
    match parsed {
        Ok(commands) => {
            let Reader { mut script, .. } = reader;
            script.commands = commands;
            // The parser counts characters, spans count bytes.
            for span in script.nodes.iter_mut().map(|node| &mut node.span).chain(script.commands.iter_mut().map(|c| &mut c.span)) {
                *span = Span::new(offsets.byte(span.start as usize), offsets.byte(span.end as usize));
            }
            Ok(script)
        }
        Err(error) => Err(diagnostic(error, &offsets).into()),
    }
}

/// Byte offsets of characters.
enum Offsets {
    /// Every character is one byte.
    Same,
    Table(Vec<usize>),
}

impl Offsets {
    fn new(text: &str) -> Offsets {
        if text.is_ascii() {
            return Offsets::Same;
        }
        Offsets::Table(text.char_indices().map(|(offset, _)| offset).chain([text.len()]).collect())
    }

    fn byte(&self, character: usize) -> usize {
        match self {
            Offsets::Same => character,
            Offsets::Table(table) => table.get(character).or(table.last()).copied().unwrap_or(0),
        }
    }
}

fn diagnostic(error: ParseError<Position, yaspar::tokens::Token, GrammarError>, offsets: &Offsets) -> Diagnostic {
    let span = |start: Position, end: Position| Span::new(offsets.byte(start.char_num), offsets.byte(end.char_num));
    let syntax = |start, end, message: String| Diagnostic::error("smtlib-syntax", span(start, end), message);
    match error {
        ParseError::InvalidToken { location } => syntax(location, location, "not a token of SMT-LIB".into()),
        ParseError::UnrecognizedEof { location, .. } => {
            syntax(location, location, "the text ends inside a command".into()).help("close the open parentheses")
        }
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            let found = syntax(start, end, format!("unexpected `{token}`"));
            if expected.len() <= 8 { found.help(format!("expected {}", expected.join(", "))) } else { found }
        }
        ParseError::ExtraToken { token: (start, token, end) } => syntax(start, end, format!("unexpected `{token}`")),
        ParseError::User { error } => match error {
            GrammarError::TokenizeError { range, buf } => {
                let shown: String = buf.chars().take(20).collect();
                syntax(range.start, range.end, format!("`{shown}` is not a token of SMT-LIB"))
            }
            GrammarError::Other { range, message } => {
                Diagnostic::error("smtlib-unsupported", span(range.start, range.end), message).help(SUPPORTED)
            }
            GrammarError::DatatypeDeclarationError { range, .. } | GrammarError::RecFunsDefinitionError { range, .. } => {
                syntax(range.start, range.end, "the lists have different lengths".into())
            }
        },
    }
}

const SUPPORTED: &str = "supported are quantifier-free formulas over Int, Bool and (Array Int Int)";

struct Reader {
    script: Script,
    ids: FxHashMap<String, Name>,
}

/// Characters for now; [`read`] turns them into bytes.
fn span(range: &Range) -> Span {
    Span::new(range.start.char_num, range.end.char_num)
}

fn refuse<T>(range: Range, message: impl Into<String>) -> ParsingResult<T> {
    Err(ParseError::User { error: GrammarError::Other { range, message: message.into() } })
}

fn int(value: &UBig) -> Int {
    u64::try_from(value).map_or_else(|_| Int::parse(&value.to_string()).unwrap_or_default(), Int::from)
}

impl Reader {
    fn node(&mut self, range: &Range, term: Term) -> NodeId {
        let id = NodeId(self.script.nodes.len() as u32);
        self.script.nodes.push(Node { term, span: span(range) });
        id
    }

    fn text(&self, name: Name) -> &str {
        self.script.name(name)
    }

    fn levels(&self, range: Range, levels: &UBig) -> ParsingResult<u32> {
        match u32::try_from(levels) {
            Ok(levels) if levels <= 1_000_000 => Ok(levels),
            _ => refuse(range, "too many levels"),
        }
    }
}

fn command(range: Range, action: Action) -> ParsingResult<Command> {
    Ok(Command { action, span: span(&range) })
}

impl ActionOnString for Reader {
    type Str = Name;
    fn on_string(&mut self, _: Range, text: String) -> ParsingResult<Name> {
        if let Some(&name) = self.ids.get(&text) {
            return Ok(name);
        }
        let name = Name(self.script.names.len() as u32);
        self.script.names.push(text.clone());
        self.ids.insert(text, name);
        Ok(name)
    }
}

/// A constant, where it is one of a supported sort.
pub enum Constant {
    Numeral(Int),
    Truth(bool),
    Other(&'static str),
}

impl ActionOnConstant for Reader {
    type Constant = Constant;
    // A constant of another sort may still stand in an attribute that is ignored.
    fn on_constant_binary(&mut self, _: Range, _: Vec<u8>, _: usize) -> ParsingResult<Constant> {
        Ok(Constant::Other("bit vectors are not supported"))
    }
    fn on_constant_hexadecimal(&mut self, _: Range, _: Vec<u8>, _: usize) -> ParsingResult<Constant> {
        Ok(Constant::Other("bit vectors are not supported"))
    }
    fn on_constant_decimal(&mut self, _: Range, _: DBig) -> ParsingResult<Constant> {
        Ok(Constant::Other("real numbers are not supported"))
    }
    fn on_constant_numeral(&mut self, _: Range, numeral: UBig) -> ParsingResult<Constant> {
        Ok(Constant::Numeral(int(&numeral)))
    }
    fn on_constant_string(&mut self, _: Range, _: Name) -> ParsingResult<Constant> {
        Ok(Constant::Other("strings are not supported"))
    }
    fn on_constant_bool(&mut self, _: Range, truth: bool) -> ParsingResult<Constant> {
        Ok(Constant::Truth(truth))
    }
}

impl ActionOnIndex for Reader {
    type Index = Option<Int>;
    fn on_index_numeral(&mut self, _: Range, index: UBig) -> ParsingResult<Option<Int>> {
        Ok(Some(int(&index)))
    }
    fn on_index_symbol(&mut self, _: Range, _: Name) -> ParsingResult<Option<Int>> {
        Ok(None)
    }
    fn on_index_hexadecimal(&mut self, _: Range, _: Vec<u8>, _: usize) -> ParsingResult<Option<Int>> {
        Ok(None)
    }
}

impl ActionOnIdentifier for Reader {
    type Identifier = (Name, Vec<Option<Int>>);
    fn on_identifier(&mut self, _: Range, symbol: Name, indices: Vec<Option<Int>>) -> ParsingResult<Self::Identifier> {
        Ok((symbol, indices))
    }
}

/// An attribute, as far as it matters.
pub enum Attribute {
    Named(Name),
    Status(Name),
    GlobalDeclarations(bool),
    Other,
}

impl ActionOnAttribute for Reader {
    type Term = NodeId;
    type Attribute = Attribute;
    fn on_attribute_keyword(&mut self, _: Range, _: Keyword) -> ParsingResult<Attribute> {
        Ok(Attribute::Other)
    }
    fn on_attribute_constant(&mut self, _: Range, keyword: Keyword, constant: Constant) -> ParsingResult<Attribute> {
        Ok(match (keyword, constant) {
            (Keyword::GlobalDeclarations, Constant::Truth(on)) => Attribute::GlobalDeclarations(on),
            _ => Attribute::Other,
        })
    }
    fn on_attribute_symbol(&mut self, _: Range, keyword: Keyword, symbol: Name) -> ParsingResult<Attribute> {
        Ok(if keyword.symbol_of() == "status" { Attribute::Status(symbol) } else { Attribute::Other })
    }
    fn on_attribute_named(&mut self, _: Range, name: Name) -> ParsingResult<Attribute> {
        Ok(Attribute::Named(name))
    }
    fn on_attribute_pattern(&mut self, _: Range, _: Vec<NodeId>) -> ParsingResult<Attribute> {
        Ok(Attribute::Other)
    }
}

impl ActionOnSort for Reader {
    type Sort = Sort;
    fn on_sort(&mut self, range: Range, (name, indices): Self::Identifier, arguments: Vec<Sort>) -> ParsingResult<Sort> {
        match (self.text(name), &indices[..], &arguments[..]) {
            ("Int", [], []) => Ok(Sort::Int),
            ("Bool", [], []) => Ok(Sort::Bool),
            ("Array", [], [Sort::Int, Sort::Int]) => Ok(Sort::Array),
            ("Array", ..) => refuse(range, "arrays other than (Array Int Int) are not supported"),
            (other, ..) => refuse(range, format!("the sort {other} is not supported")),
        }
    }
}

impl ActionOnTerm for Reader {
    fn on_term_constant(&mut self, range: Range, constant: Constant) -> ParsingResult<NodeId> {
        match constant {
            Constant::Numeral(value) => Ok(self.node(&range, Term::Numeral(value))),
            Constant::Truth(truth) => Ok(self.node(&range, Term::Truth(truth))),
            Constant::Other(reason) => refuse(range, reason),
        }
    }
    fn on_term_identifier(&mut self, range: Range, (name, indices): Self::Identifier, sort: Option<Sort>) -> ParsingResult<NodeId> {
        if sort.is_some() || !indices.is_empty() {
            let message = format!("`{}` with indices or a sort is not supported", self.text(name));
            return refuse(range, message);
        }
        Ok(self.node(&range, Term::Name(name)))
    }
    fn on_term_app(
        &mut self,
        range: Range,
        (name, indices): Self::Identifier,
        sort: Option<Sort>,
        arguments: Vec<NodeId>,
    ) -> ParsingResult<NodeId> {
        let head = match (self.text(name), &indices[..], sort) {
            ("const", [], Some(Sort::Array)) => Head::ConstantArray,
            ("divisible", [Some(divisor)], None) if divisor.is_positive() => Head::Divisible(divisor.clone()),
            (_, [], None) => Head::Name(name),
            (other, ..) => {
                let message = format!("`{other}` with these indices or this sort is not supported");
                return refuse(range, message);
            }
        };
        Ok(self.node(&range, Term::Apply(head, arguments.into())))
    }
    fn on_term_let(&mut self, range: Range, bindings: Vec<(Name, NodeId)>, body: NodeId) -> ParsingResult<NodeId> {
        Ok(self.node(&range, Term::Let(bindings.into(), body)))
    }
    fn on_term_lambda(&mut self, range: Range, _: Vec<(Name, Sort)>, _: NodeId) -> ParsingResult<NodeId> {
        refuse(range, "lambda terms are not supported")
    }
    fn on_term_exists(&mut self, range: Range, _: Vec<(Name, Sort)>, _: NodeId) -> ParsingResult<NodeId> {
        refuse(range, "quantifiers are not supported")
    }
    fn on_term_forall(&mut self, range: Range, _: Vec<(Name, Sort)>, _: NodeId) -> ParsingResult<NodeId> {
        refuse(range, "quantifiers are not supported")
    }
    fn on_term_match(&mut self, range: Range, _: NodeId, _: Vec<(Pattern<Name>, NodeId)>) -> ParsingResult<NodeId> {
        refuse(range, "datatypes are not supported")
    }
    fn on_term_annotated(&mut self, range: Range, term: NodeId, attributes: Vec<Attribute>) -> ParsingResult<NodeId> {
        let mut annotated = term;
        for attribute in attributes {
            if let Attribute::Named(name) = attribute {
                annotated = self.node(&range, Term::Named(annotated, name));
            }
        }
        Ok(annotated)
    }
}

impl ParsingAction for Reader {
    type Command = Command;
    fn on_command_assert(&mut self, range: Range, term: NodeId) -> ParsingResult<Command> {
        command(range, Action::Assert(term))
    }
    fn on_command_check_sat(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::CheckSat)
    }
    fn on_command_check_sat_assuming(&mut self, range: Range, terms: Vec<NodeId>) -> ParsingResult<Command> {
        command(range, Action::CheckSatAssuming(terms.into()))
    }
    fn on_command_declare_const(&mut self, range: Range, name: Name, sort: Sort) -> ParsingResult<Command> {
        command(range, Action::Declare(name, sort))
    }
    fn on_command_declare_datatype(&mut self, range: Range, _: Name, _: DatatypeDec<Name, Sort>) -> ParsingResult<Command> {
        refuse(range, "datatypes are not supported")
    }
    fn on_command_declare_datatypes(&mut self, range: Range, _: Vec<DatatypeDef<Name, Sort>>) -> ParsingResult<Command> {
        refuse(range, "datatypes are not supported")
    }
    fn on_command_declare_fun(&mut self, range: Range, name: Name, inputs: Vec<Sort>, sort: Sort) -> ParsingResult<Command> {
        if inputs.is_empty() {
            command(range, Action::Declare(name, sort))
        } else {
            refuse(range, "uninterpreted functions with arguments are not supported")
        }
    }
    fn on_command_declare_sort(&mut self, range: Range, _: Name, _: UBig) -> ParsingResult<Command> {
        refuse(range, "declared sorts are not supported")
    }
    fn on_command_declare_sort_parameter(&mut self, range: Range, _: Name) -> ParsingResult<Command> {
        refuse(range, "declared sorts are not supported")
    }
    fn on_command_define_const(&mut self, range: Range, name: Name, sort: Sort, body: NodeId) -> ParsingResult<Command> {
        command(range, Action::Define { name, parameters: Box::default(), sort, body })
    }
    fn on_command_define_fun(&mut self, range: Range, f: FunctionDef<Name, Sort, NodeId>) -> ParsingResult<Command> {
        command(range, Action::Define { name: f.name, parameters: f.vars.into(), sort: f.out_sort, body: f.body })
    }
    fn on_command_define_fun_rec(&mut self, range: Range, _: FunctionDef<Name, Sort, NodeId>) -> ParsingResult<Command> {
        refuse(range, "recursive functions are not supported")
    }
    fn on_command_define_funs_rec(&mut self, range: Range, _: Vec<FunctionDef<Name, Sort, NodeId>>) -> ParsingResult<Command> {
        refuse(range, "recursive functions are not supported")
    }
    fn on_command_define_sort(&mut self, range: Range, _: Name, _: Vec<Name>, _: Sort) -> ParsingResult<Command> {
        refuse(range, "defined sorts are not supported")
    }
    fn on_command_echo(&mut self, range: Range, text: Name) -> ParsingResult<Command> {
        command(range, Action::Echo(text))
    }
    fn on_command_exit(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Exit)
    }
    fn on_command_get_assertions(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_assignment(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_info(&mut self, range: Range, _: Keyword) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_model(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::GetModel)
    }
    fn on_command_get_option(&mut self, range: Range, _: Keyword) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_proof(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_unsat_assumptions(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_unsat_core(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_get_value(&mut self, range: Range, _: Vec<NodeId>) -> ParsingResult<Command> {
        command(range, Action::Unsupported)
    }
    fn on_command_pop(&mut self, range: Range, levels: UBig) -> ParsingResult<Command> {
        let levels = self.levels(range.clone(), &levels)?;
        command(range, Action::Pop(levels))
    }
    fn on_command_push(&mut self, range: Range, levels: UBig) -> ParsingResult<Command> {
        let levels = self.levels(range.clone(), &levels)?;
        command(range, Action::Push(levels))
    }
    fn on_command_reset(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::Reset)
    }
    fn on_command_reset_assertions(&mut self, range: Range) -> ParsingResult<Command> {
        command(range, Action::ResetAssertions)
    }
    fn on_command_set_info(&mut self, range: Range, attribute: Attribute) -> ParsingResult<Command> {
        let status = match attribute {
            Attribute::Status(status) => status,
            _ => return command(range, Action::Nothing),
        };
        match self.text(status) {
            "sat" => command(range, Action::Status(Some(Verdict::Sat))),
            "unsat" => command(range, Action::Status(Some(Verdict::Unsat))),
            "unknown" => command(range, Action::Status(None)),
            other => {
                let message = format!("the status is sat, unsat or unknown, not `{other}`");
                refuse(range, message)
            }
        }
    }
    fn on_command_set_logic(&mut self, range: Range, _: Name) -> ParsingResult<Command> {
        command(range, Action::Nothing)
    }
    fn on_command_set_option(&mut self, range: Range, attribute: Attribute) -> ParsingResult<Command> {
        match attribute {
            Attribute::GlobalDeclarations(on) => command(range, Action::GlobalDeclarations(on)),
            _ => command(range, Action::Nothing),
        }
    }
}
