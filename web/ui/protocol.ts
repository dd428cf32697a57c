// Made by crate/analysis/protocol.rs from what the analyses declare; do not edit: UPDATE=1 cargo test protocol.
// Longer than other files, since all that crosses between page and engine stands in it.

export const SCHEMA = 1;

/** The greatest values of settings. */
export const MAX_INLINE_DEPTH = 1000;
export const MAX_LENGTH = 10000;
export const MAX_LOOKAHEAD = 200;
export const MAX_INSTRUCTIONS = 2000;
export const DEFAULT_K = 25;
export const MAX_K = 1000;
export const MAX_UNWIND = 1000;
export const MAX_COMPARED_DIAMONDS = 12;
export const MAX_COMPARED_PROGRAMS = 100;
export const MAX_COMPARED_SEED = 1000000000;

/** How often a function is inlined within itself where nothing is said. */
export const INLINE_DEPTH = 8;

/** Steps of a pruning to which no limit is given. */
export const PRUNE_LIMIT = 5000000;

/**
 * What every document starts with.
 */
export type Header = { schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * A choice about the world.
 */
export type Assumed = { 
/**
 * As in `--assume` and in the `assumes` of a verdict.
 */
id: string, text: string, 
/**
 * Where it matters first.
 */
line: number, };

/**
 * A function that is not understood, and nothing is said of.
 */
export type LeftOutFunction = { function: string, 
/**
 * Of the first thing that is not understood.
 */
line: number, 
/**
 * Why, in a sentence.
 */
message: string, };

/**
 * What the integers of a program are.
 */
export type Ints = "unbounded" | "c32";

export type Statistics = { solver: SolverStatistics, 
/**
 * Wall-clock milliseconds; the only entry that differs from run to run.
 */
wall_ms: number, 
/**
 * Deterministic steps used of the limit.
 */
steps: number, };

export type SolverStatistics = { queries: number, sat: number, unsat: number, unknown: number, 
/**
 * Certificates accepted by the checker.
 */
checked: number, };

export type Severity = "error" | "warning";

/**
 * A span of the text: lines and columns from 1, columns in characters; `start` and `end` in UTF-16 code units.
 */
export type TextPlace = { line: number, column: number, end_line: number, end_column: number, start: number, end: number, };

export type Diagnostic = { severity: Severity, code: string, message: string, label: string | null, help: string | null, place: TextPlace, related: Array<Related>, };

export type Related = { place: TextPlace, text: string, };

/**
 * The options of the command line that a text says.
 */
export type SourceOptions = { 
/**
 * Macros that are defined before the first line: `NAME=VALUE`.
 */
define?: Array<string>, 
/**
 * Macros that are not defined.
 */
undefine?: Array<string>, 
/**
 * Folders of headers.
 */
include?: Array<string>, 
/**
 * Headers that are read before the first line.
 */
forced?: Array<string>, 
/**
 * The target, where it is not the default one.
 */
target?: Abi, 
/**
 * Whether the program is assumed to be closed: see [`CLOSED`].
 */
closed?: boolean, };

/**
 * A header in a text, once for each time that it is included; or a further translation unit.
 */
export type HeaderLines = { name: string, 
/**
 * The number of its first line in the whole text.
 */
first: number, lines: number, 
/**
 * The number of the line that includes it; 0 of a translation unit.
 */
included_at: number, };

/**
 * A target. Every target has the little end first and 8 bits in a byte.
 */
export type Abi = { abi: DataModel, char: CharSign, };

/**
 * How many bits the types have (the names of Unix): I is `int`, L `long`, LL `long long`, P a pointer.
 */
export type DataModel = "lp64" | "ilp32" | "llp64" | "int16";

/**
 * Whether plain `char` has negative values.
 */
export type CharSign = "signed" | "unsigned";

/**
 * What every analysis is asked with.
 */
export type Request = { 
/**
 * The program's name, for the document only.
 */
program: string, source: string, 
/**
 * The function to analyse; without it the contract's default.
 */
function: string | null, 
/**
 * Steps; without it the analysis' default.
 */
limit: number | null, seed: number, 
/**
 * What integers are; without it what is usual for the language.
 */
ints: Ints | null, 
/**
 * How often a function is inlined within itself; without it the engine's default.
 */
inline_depth: number | null, 
/**
 * What to assume besides what is usual, and what not to assume, by name.
 */
assume: Array<string>, no_assume: Array<string>, };

/**
 * A document, or why the program was refused.
 */
export type Reply<T> = { "kind": "document", document: T, } | { "kind": "refused", diagnostics: Array<Diagnostic>, };

/**
 * A test input: names to values, what other draws give in order (`nondet()`, reads of volatile objects, functions without a body; where the contents of a whole array are arbitrary, these), and the text on standard input. Numbers are decimal strings from 2^53 on.
 */
export type Input = { nondet: Array<InputValue>, 
/**
 * What the values in `nondet` are, one by one: `nondet()`, `volatile reg #1`, `read(fd) #2`. Left out where all are `nondet()`, and for inputs of no program.
 */
nondet_names?: Array<string>, 
/**
 * The same for people, part by part: characters in quotes, arrays as lists, constants by name, `any` where the run reads nothing. Runs take it. Only in answers.
 */
written_as?: Array<WrittenValue>, 
/**
 * The text on standard input, where the program reads it. A character up to U+00FF is the byte with its number, any other its bytes in UTF-8.
 */
stdin?: string, } & ({ [key in string]: Number | { [key in string]: Number } });

/**
 * A part of an input: `c = 'a'`.
 */
export type WrittenValue = { name: string, text: string, 
/**
 * The field of a form in which it stands, where that has another name.
 */
field?: string, };

export type InputValue = Number | { [key in string]: Number };

/**
 * A call of a function that comes before a test, with its arguments; statics are as the calls before it left them.
 */
export type Call = { function: string, input: Input, };

/**
 * An integer: a JSON number where it is exact there (below 2^53), else a decimal string.
 */
export type Number = number | string;

/**
 * What a long analysis reports while it runs.
 */
export type CommonEvent = { "kind": "progress", steps: number, limit: number, text: string, } | { "kind": "query", assertions: number, answer: string, } | { "kind": "reached", path: Array<number>, input: Input, } | { "kind": "refuted", path: Array<number>, core: Array<number>, } | { "kind": "open", path: Array<number>, reason: string, };

/**
 * How `cfg` works: nothing can be chosen.
 */
export type CfgSettings = Record<symbol, never>;

/**
 * `cfg`.
 */
export type CfgDocument = { 
/**
 * All functions of the program in source order.
 */
functions: Array<string>, locations: Array<CfgLocation>, edges: Array<CfgEdge>, entry: number, 
/**
 * The lines that each execution of the function executes before its first edge.
 */
entry_passes: Array<number>, exit: number, 
/**
 * Where failed assertions lead, if there are any.
 */
error: number | null, loop_headers: Array<number>, reducible: boolean, 
/**
 * Inputs of the function: what a test may set.
 */
inputs: Array<InputName>, 
/**
 * Whether values of `nondet()` are drawn, which a test may set, too.
 */
nondet: boolean, 
/**
 * Whether the function reads standard input: a test has a text for it.
 */
stdin: boolean, 
/**
 * The choices about the world that could matter to the function.
 */
assumable: Array<Assumable>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

export type CfgLocation = { id: number, line: number, loop_header: boolean, 
/**
 * The immediate dominator; `null` for the entry.
 */
dominator: number | null, };

export type EdgeKind = "skip" | "assume" | "assign" | "store" | "call" | "havoc";

export type CfgEdge = { id: number, from: number, to: number, kind: EdgeKind, label: string, line: number, column: number, place: TextPlace, 
/**
 * For a decision: whether this is the side on which the condition holds.
 */
holds: boolean | null, 
/**
 * Whether it is of a function of the library that the program calls at this place.
 */
library: boolean, 
/**
 * The function in whose text it stands, as an index into `functions`: that of a called function where its call is inlined.
 */
function: number | null, 
/**
 * Other lines that each execution of the edge executes: of statements without an edge of their own, such as `break`, `printf` and
 * `return`, ascending.
 */
passes: Array<number>, };

export type InputName = { name: string, array: boolean, 
/**
 * The least and greatest value of it or of its elements, decimal; `null` where every integer is allowed.
 */
least: string | null, greatest: string | null, 
/**
 * An array's number of elements, decimal, where it is known.
 */
length: string | null, 
/**
 * The object of the text that it is a part of, for which a form has one field.
 */
object: string, form: InputForm, 
/**
 * The names of its values, of an enumeration; of a pointer to nodes `NULL` and the first node.
 */
constants?: Array<string>, };

/**
 * How a value of an input is written.
 */
export type InputForm = "integer" | "number" | "character" | "truth" | "pointer" | "constant";

/**
 * A choice about the world.
 */
export type Assumable = { id: string, text: string, 
/**
 * Where it matters first.
 */
line: number, assumed: boolean, 
/**
 * Whether it is assumed by default.
 */
usual: boolean, };

/**
 * Nothing can be chosen.
 */
export type ReportSettings = Record<symbol, never>;

/**
 * `report`.
 */
export type ReportDocument = { 
/**
 * The answer in words: which share of the branches can never run, and how many places can fail.
 */
sentence: string, branches: ReportCounts, 
/**
 * In a reviewer's order: by kind, then by place.
 */
findings: Array<ReportFinding>, 
/**
 * All branches, in the order of the text.
 */
list: Array<ReportBranch>, 
/**
 * The tests that branches name.
 */
tests: Array<ReportTest>, 
/**
 * The places at which C may leave an execution undefined; missing where they were not looked at.
 */
safety: ReportSafety | null, 
/**
 * Of a program with an error call or assertions: whether an execution gets there.
 */
error_call: ReportErrorCall | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * A branch, and the verdict on it.
 */
export type ReportBranch = { line: number, column: number, place: TextPlace, 
/**
 * What holds on this side, as the program has it.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * `true` where the condition holds, `false` where it does not.
 */
side: string, verdict: ReportVerdict, 
/**
 * The analysis that settled it, or that tried last.
 */
engine: string, 
/**
 * The number of the test that takes it, from 0.
 */
test: number | null, 
/**
 * What excludes it, where that is known.
 */
because: CoverExclusion | null, 
/**
 * The assumptions that the verdict rests on.
 */
assumes: Array<string>, 
/**
 * Why it is open.
 */
open: string | null, 
/**
 * Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
 */
state: Input | null, };

/**
 * How many branches there are, and what is known of them.
 */
export type ReportCounts = { total: number, covered: number, infeasible: number, open: number, };

/**
 * What is known of error calls and failed assertions.
 */
export type ReportErrorCall = "reached" | "unreachable" | "unknown";

/**
 * Something to look at.
 */
export type ReportFinding = { kind: ReportFindingKind, line: number, column: number, text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * What is found, in a few words; of what is open, why.
 */
evidence: string, 
/**
 * A usual mistake that the text looks like, and what was perhaps meant.
 */
hint: string | null, 
/**
 * An input that leads there, where there is one.
 */
input: Input | null, 
/**
 * The lines of its run, in order.
 */
lines: Array<number>, 
/**
 * The calls before that leave the statics that the input has.
 */
after: Array<Call>, 
/**
 * What excludes it, where that is known.
 */
because: CoverExclusion | null, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, };

/**
 * A kind of finding, in a reviewer's order.
 */
export type ReportFindingKind = "error" | "always" | "never_runs" | "never_completes" | "open";

/**
 * A place at which C may leave an execution undefined, in one way.
 */
export type ReportHazard = { line: number, column: number, text: string, 
/**
 * What would happen, in a few words.
 */
what: string, verdict: ReportHazardVerdict, 
/**
 * The assumptions that the verdict rests on.
 */
assumes: Array<string>, };

export type ReportHazardVerdict = "fails" | "safe" | "open";

/**
 * The places at which C may leave an execution undefined, as a division by zero, an overflow, an index outside of an array, a null pointer.
 */
export type ReportSafety = { total: number, 
/**
 * An input leads there; a finding tells it.
 */
fails: number, 
/**
 * A proof says that no execution fails there.
 */
safe: number, open: number, 
/**
 * Pointers among the parameters that are taken to lead to something: the function does not ask whether they are null.
 */
non_null: Array<string>, 
/**
 * Why no proof was looked for, where that is so.
 */
why_open: string | null, 
/**
 * In the order of the text.
 */
list: Array<ReportHazard>, 
/**
 * Statements and expressions that the graph has no edge of a failing run for, in the order of the text: uses of memory, arrays of a caller
 * of unknown length, approximated expressions, numbers that are read. Whether C defines them has no verdict.
 */
unjudged: Array<ReportUnjudged>, };

/**
 * A replayed test.
 */
export type ReportTest = { input: Input, 
/**
 * The calls before that leave the statics that the input has.
 */
after: Array<Call>, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, };

export type ReportVerdict = "covered" | "infeasible" | "open";

/**
 * Something that C may leave undefined, and that no verdict tells.
 */
export type ReportUnjudged = { line: number, column: number, 
/**
 * What is not known: `whether …`.
 */
what: string, };

/**
 * What `paths` counts.
 */
export type PathsSettings = { 
/**
 * The greatest numbers of edges.
 */
lengths: Array<number>, 
/**
 * Whether the feasible ones are counted too.
 */
feasible: boolean, };

/**
 * `paths`.
 */
export type PathsDocument = { table: Array<PathsRow>, 
/**
 * Why rows are open, if any are.
 */
open: string | null, 
/**
 * Why the feasible paths were enumerated one by one instead of merged by their states, if they were.
 */
enumerated: string | null, 
/**
 * Where no path of the greatest length is feasible: the shortest one that is, as far as that is known.
 */
shortest: PathsShortest | null, 
/**
 * What the feasible counts rest on.
 */
feasible_by: FeasibleBy | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * Complete paths of length at most `length`.
 */
export type PathsRow = { length: number, 
/**
 * P(l), a decimal string.
 */
total: string, 
/**
 * FP(l), a decimal string; `null` when it was not asked for or is open.
 */
feasible: string | null, 
/**
 * What is known when `feasible` is open: at least this many.
 */
feasible_at_least: string | null, 
/**
 * What the feasible count rests on.
 */
assumes: Array<string>, 
/**
 * "any state" where the count is that of runs which begin with any values of statics.
 */
statics: string | null, };

/**
 * What feasible counts rest on.
 */
export type FeasibleBy = "paths" | "induction" | "projection";

/**
 * A feasible complete path that is longer than all lengths asked for.
 */
export type PathsShortest = { 
/**
 * Its number of edges.
 */
length: number, 
/**
 * Whether no shorter one is feasible; otherwise that is open.
 */
exact: boolean, };

/**
 * An event of its own.
 */
export type RowEvent = { "kind": "row", row: PathsRow, };

/**
 * What `draw` draws.
 */
export type DrawSettings = { 
/**
 * The greatest number of edges.
 */
length: number, 
/**
 * How many paths.
 */
count: number, 
/**
 * Whether until so many feasible paths are found, which alone are kept.
 */
feasible_only: boolean, 
/**
 * Instead of all paths of the function: those of its graph pruned like this, under the precondition of these settings.
 */
pruned: PruneGraphSettings | null, 
/**
 * What is assumed of the inputs where the graph is not pruned, as a condition in C.
 */
precondition?: string, };

/**
 * `draw`.
 */
export type DrawDocument = { 
/**
 * How many complete paths there are to draw from, a decimal string.
 */
population: string, 
/**
 * What it rests on that there is no other feasible path to draw, where the infeasible ones are not drawn from.
 */
assumes: Array<string>, paths: Array<DrawnPath>, 
/**
 * Why fewer paths than asked for are there, or why some are open.
 */
open: string | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

export type DrawnPath = { edges: Array<number>, 
/**
 * The line of each edge.
 */
lines: Array<number>, 
/**
 * `true` with a replayed input, `false` with a checked certificate, `null` open.
 */
feasible: boolean | null, 
/**
 * For a feasible path: an input that takes it, replayed.
 */
input: Input | null, 
/**
 * For an infeasible path: the index into `edges` of the first edge at which no input is left.
 */
dies_at: number | null, 
/**
 * For an infeasible path: the indices into `edges` of the constraints the certificate uses.
 */
core: Array<number>, 
/**
 * For an open path: why.
 */
open: string | null, 
/**
 * What the verdict rests on.
 */
assumes: Array<string>, 
/**
 * For a feasible path: the calls since the program's start that leave the statics as the input has them.
 */
after: Array<Call>, 
/**
 * For an open path: values of statics with which a run takes it, where no calls are known to leave these.
 */
state: Input | null, };

/**
 * An event of its own.
 */
export type PathEvent = { "kind": "path", index: number, path: DrawnPath, };

/**
 * How `prune` works.
 */
export type PruneSettings = { graph: PruneGraphSettings, 
/**
 * The greatest numbers of edges of the paths that are counted.
 */
lengths: Array<number>, 
/**
 * Whether the feasible ones are counted too.
 */
feasible: boolean, };

/**
 * `prune`.
 */
export type PruneDocument = { original: PruneSize, pruned: PruneSize, table: Array<PruneRow>, red: RedSize, 
/**
 * What the graph was built with in the end.
 */
used: PruneUsed, graph: PruneGraph, 
/**
 * What the feasible counts rest on.
 */
feasible_by: FeasibleBy | null, 
/**
 * Why the construction stopped early or a count is open, if so.
 */
open: string | null, 
/**
 * The limit of steps, if more of them would have helped: the construction or a count used them up.
 */
reached_limit: number | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * How a graph is pruned.
 */
export type PruneGraphSettings = { 
/**
 * `drop`, `havoc` or `learn`.
 */
abstraction: string, restarts: boolean, 
/**
 * Without one [`USUAL`]'s, and a longer one where that leaves fewer paths.
 */
lookahead: number | null, 
/**
 * The greatest red length; without it none.
 */
max_red_length: number | null, 
/**
 * Whether `learn` knows the invariants that hold at each location.
 */
invariants: boolean, 
/**
 * Up to which length there shall be no infeasible path at all.
 */
exact_up_to: number | null, 
/**
 * What is assumed of the inputs, as a condition in C.
 */
precondition: string | null, };

export type PruneSize = { locations: number, edges: number, };

/**
 * The settings with which the construction came to an end: those asked for, or others where these did not within their share
 * of the steps, or left more paths.
 */
export type PruneUsed = { lookahead: number, restarts: boolean, max_red_length: number | null, 
/**
 * Up to this length S' has the feasible paths alone.
 */
exact_up_to: number | null, 
/**
 * Why what was asked for did not come to an end, if so: a clause that goes on after that.
 */
because: string | null, };

/**
 * Complete paths of length at most `length`, decimal strings.
 */
export type PruneRow = { length: number, 
/**
 * P(l).
 */
original: string, 
/**
 * P'(l).
 */
pruned: string, 
/**
 * FP(l); `null` when it was not asked for or is open.
 */
feasible: string | null, 
/**
 * What is known when `feasible` is open: at least this many.
 */
feasible_at_least: string | null, 
/**
 * What the feasible count rests on.
 */
assumes: Array<string>, 
/**
 * "any state" where the count is that of runs which begin with any values of statics.
 */
statics: string | null, };

/**
 * The new graph; place 0 is its entry.
 */
export type PruneGraph = { places: Array<PrunePlace>, edges: Array<PruneEdge>, 
/**
 * Edges of the original that cannot be taken at a place (`to` is `null`).
 */
cut: Array<PruneEdge>, 
/**
 * What it rests on that no other path is feasible, and that what holds at a place holds.
 */
assumes: Array<string>, };

/**
 * An occurrence of a location of the original.
 */
export type PrunePlace = { location: number, 
/**
 * The red vertex, and its number among the occurrences of the location; `null` in the part taken over from the original.
 */
vertex: number | null, index: number | null, 
/**
 * What is known to hold here whenever it is reached.
 */
holds: Array<string>, };

export type PruneEdge = { from: number, 
/**
 * The edge of the original.
 */
edge: number, to: number | null, };

/**
 * The red part when the construction ended.
 */
export type RedSize = { vertices: number, 
/**
 * Vertices whose configuration is unsatisfiable.
 */
marked: number, subsumptions: number, abstractions: number, 
/**
 * Refinements, each with a restart; of all attempts.
 */
restarts: number, };

/**
 * A change of the red–black graph. Vertices are numbered in the order of birth; no number is used twice.
 */
export type PruneStep = { "step": "added", vertex: number, location: number, index: number, parent: number | null, edge: number | null, } | { "step": "unsatisfiable", vertex: number, } | { "step": "subsumed", vertex: number, by: number, } | { "step": "abstracted", vertex: number, subsumee: number, forgotten: Array<string>, kept: Array<string>, } | { "step": "propagated", vertex: number, vertices: Array<number>, } | { "step": "unmarked", vertex: number, } | { "step": "refined", vertex: number, condition: string, path: Array<number>, } | { "step": "destroyed", vertex: number, vertices: Array<number>, } | { "step": "restarted", vertex: number, } | { "step": "anew", lookahead: number, restarts: boolean, max_red_length: number | null, smaller: boolean, } | { "step": "halted", vertex: number, };

/**
 * An event of its own.
 */
export type PruningEvent = { "kind": "pruning", step: PruneStep, };

/**
 * How `explain` works.
 */
export type ExplainSettings = { 
/**
 * The greatest number of instructions of a prefix: its edges and one more.
 */
max_instructions: number, 
/**
 * `first`, `last` or `all`.
 */
order: string, 
/**
 * `interval`, `rational` or `integer`.
 */
check: string, 
/**
 * `detours` (from the path, as the paper's algorithm has it) or `any_way` (between indispensable edges).
 */
extend: string, 
/**
 * Only this path, by the numbers of its edges, instead of all prefixes.
 */
path: Array<number> | null, 
/**
 * For so many families, evenly chosen, the exhaustive proof is done for comparison.
 */
compare: number, 
/**
 * Instead of all prefixes: draw paths, explain, take away.
 */
rounds: ExplainRoundSettings | null, };

/**
 * `explain`.
 */
export type ExplainDocument = { max_instructions: number, order: string, check: string, extend: string, 
/**
 * How many minimal infeasible prefixes there are.
 */
infeasible_prefixes: number, 
/**
 * "any state" where prefixes run or not whichever values statics begin with.
 */
statics: string | null, 
/**
 * Families with the same reason together, those of most prefixes first.
 */
reasons: Array<ExplainGroup>, 
/**
 * One for each explanation of each prefix, in the order found.
 */
families: Array<ExplainFamily>, generalized: ExplainGeneralized, 
/**
 * The same of each prefix' families together: differs with the order `all`.
 */
united: ExplainGeneralized, 
/**
 * All families together; `null` where that would need too many states, or nothing was explored.
 */
union: ExplainUnion | null, 
/**
 * What exploring took without what was learned on the way, and with it.
 */
without: ExplainTally, with: ExplainTally | null, 
/**
 * Prefixes that exploring with what was learned did not ask about.
 */
skipped: number, 
/**
 * Generalizing beside proving path by path, for some families and for all bounds asked for.
 */
comparison: Array<ExplainComparison>, 
/**
 * The path asked for, if one was.
 */
path: ExplainPath | null, 
/**
 * The rounds, if they were asked for.
 */
rounds: ExplainRounds | null, 
/**
 * Why the exploration stopped early or something is open, if so.
 */
open: string | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * What is drawn from when paths are drawn, explained and taken away.
 */
export type ExplainRoundSettings = { 
/**
 * The greatest number of edges.
 */
length: number, 
/**
 * Whether from the pruned graph.
 */
pruned: boolean, };

/**
 * Paths that cannot run for the same reason.
 */
export type ExplainFamily = { 
/**
 * The infeasible prefix that it was made from: its edges, and the line of each.
 */
prefix: Array<number>, lines: Array<number>, explanation: Array<ExplainStep>, 
/**
 * The size of the minimal automaton.
 */
states: number, transitions: number, 
/**
 * Over lines, with the side of a decision; `null` where it would be too long to be read.
 */
regex: string | null, 
/**
 * How many accepted paths have at most the number of instructions asked for, a decimal string.
 */
paths: string, 
/**
 * What it rests on that none of them runs.
 */
assumes: Array<string>, };

/**
 * A constraint of an explanation.
 */
export type ExplainStep = { 
/**
 * Its place in the path, from 0.
 */
index: number, edge: number, line: number, column: number, 
/**
 * As the program has it.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * As a condition of the inputs.
 */
condition: string, 
/**
 * If that is `false`: the assignments that make it so, in path order, for each edge the last.
 */
causes: Array<ExplainCause>, };

/**
 * Accepted paths of each family.
 */
export type ExplainGeneralized = { average: number, 
/**
 * A decimal string.
 */
maximum: string, };

/**
 * All families together.
 */
export type ExplainUnion = { automaton: ExplainAutomaton, 
/**
 * Accepted paths, none of which begins another, a decimal string.
 */
paths: string, 
/**
 * What it rests on that none of them runs.
 */
assumes: Array<string>, lengths: Array<ExplainLength>, };

/**
 * Complete paths of at most `length` edges, decimal strings.
 */
export type ExplainLength = { length: number, total: string, 
/**
 * Those that no family accounts for.
 */
rest: string, };

/**
 * What an exploration asked.
 */
export type ExplainTally = { 
/**
 * Infeasible prefixes found.
 */
prefixes: number, queries: number, 
/**
 * How many of the queries were refuted.
 */
refutations: number, 
/**
 * Microseconds in walking and asking, without explaining.
 */
time_us: number, };

/**
 * Generalizing beside proving path by path, for one family.
 */
export type ExplainComparison = { 
/**
 * Of the prefix.
 */
instructions: number, 
/**
 * The greatest number of instructions of the paths proved.
 */
bound: number, 
/**
 * How many these are, a decimal string.
 */
paths: string, generation_us: number, exhaustive_us: number, generation_queries: number, exhaustive_queries: number, 
/**
 * Prefixes refuted in the exhaustive proof.
 */
refuted: number, };

/**
 * An automaton over the program's edges.
 */
export type ExplainAutomaton = { states: number, initial: number, accepting: Array<number>, 
/**
 * From, edge, to.
 */
transitions: Array<[number, number, number]>, 
/**
 * The location of each state, where a state has one.
 */
locations: Array<number> | null, };

/**
 * A path that was asked about.
 */
export type ExplainPath = { edges: Array<number>, lines: Array<number>, 
/**
 * `feasible`, `infeasible` or `open`.
 */
verdict: string, 
/**
 * For a feasible path: an input that takes it, replayed.
 */
input: Input | null, 
/**
 * For an infeasible path: the index of the first edge at which no input is left.
 */
dies_at: number | null, 
/**
 * What the verdict rests on.
 */
assumes: Array<string>, 
/**
 * All conditions along the path that are not always true.
 */
constraints: Array<ExplainConstraint>, 
/**
 * Its minimal explanations, as many as the order asks for.
 */
reasons: Array<ExplainReason>, 
/**
 * Whether these are all that were asked for.
 */
all_reasons: boolean, 
/**
 * The smallest sets of constraints without which the path could run.
 */
corrections: Array<ExplainCorrection>, 
/**
 * Families are counted up to so many instructions.
 */
max_instructions: number, };

/**
 * A reason: edges of the program that contradict each other, and the infeasible prefixes that end for it.
 */
export type ExplainGroup = { 
/**
 * The edges that contradict each other, ascending.
 */
edges: Array<number>, 
/**
 * How many infeasible prefixes have it.
 */
prefixes: number, 
/**
 * The shortest of these, and its explanation.
 */
prefix: Array<number>, explanation: Array<ExplainStep>, 
/**
 * Whether in some of its families the conditions of the inputs, or the assignments that make a decision false, are others, as
 * in another round of a loop.
 */
varies: boolean, 
/**
 * The greatest number of paths of one of its families, a decimal string.
 */
paths: string, 
/**
 * Its families, by their places in the document's list, ascending.
 */
families: Array<number>, };

/**
 * Infeasible paths drawn, explained and taken away until none is left.
 */
export type ExplainRounds = { 
/**
 * The greatest number of edges.
 */
length: number, pruned: boolean, 
/**
 * Complete paths before the first round, a decimal string.
 */
start: string, rounds: Array<ExplainRound>, 
/**
 * Complete paths left, and how many of them were seen to run when all were gone over, decimal strings.
 */
left: string, feasible: string, 
/**
 * Whether these are all: P(l) has become FP(l).
 */
settled: boolean, 
/**
 * What the counts rest on: those of all rounds, and of what was seen to run.
 */
assumes: Array<string>, };

/**
 * One infeasible path with its family taken away.
 */
export type ExplainRound = { 
/**
 * Whether it was drawn, or found when all that was left was gone over.
 */
drawn: boolean, 
/**
 * The path up to the edge at which no input is left.
 */
prefix: Array<number>, lines: Array<number>, explanation: Array<ExplainStep>, 
/**
 * Complete paths left after it, a decimal string.
 */
left: string, 
/**
 * What it rests on that none of them runs.
 */
assumes: Array<string>, };

/**
 * An assignment that makes a decision false whatever the inputs are.
 */
export type ExplainCause = { 
/**
 * Its place in the path, from 0.
 */
index: number, edge: number, line: number, column: number, 
/**
 * As the program has it.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * What it assigns to, and what that is then, where it is one number (a decimal string).
 */
name: string, value: string | null, };

export type ExplainConstraint = { 
/**
 * Its place in the path, from 0.
 */
index: number, edge: number, line: number, column: number, text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * As a condition of the inputs.
 */
condition: string, 
/**
 * False whatever the inputs are.
 */
never: boolean, };

/**
 * A minimal explanation and its family.
 */
export type ExplainReason = { explanation: Array<ExplainStep>, 
/**
 * The path flow dependencies, direct and indirect.
 */
dependencies: Array<ExplainDependency>, 
/**
 * The places of the edges that every path of the family has.
 */
indispensable: Array<number>, 
/**
 * As built, and minimal.
 */
raw: ExplainAutomaton, automaton: ExplainAutomaton, regex: string | null, paths: string, 
/**
 * Whether the checker accepted that no path of the family can run.
 */
confirmed: boolean, 
/**
 * What it rests on that none of them runs.
 */
assumes: Array<string>, };

/**
 * What an edge reads that another one wrote.
 */
export type ExplainDependency = { 
/**
 * Places in the path; without a writer it is the entry.
 */
reader: number, writer: number | null, name: string, };

/**
 * Constraints without which the path could run.
 */
export type ExplainCorrection = { 
/**
 * The places of their edges in the path.
 */
indices: Array<number>, 
/**
 * Inputs that satisfy all the other constraints.
 */
input: Input | null, 
/**
 * What a run with this input rests on.
 */
assumes: Array<string>, };

/**
 * What to reach.
 */
export type ReachSettings = { 
/**
 * A line, `LINE:COLUMN`, a label, or the name of a function that is called; without it the first error call.
 */
target: string | null, 
/**
 * `K` of `φ̂^K`: the most rounds of each loop that the search looks at.
 */
k: number, };

/**
 * `reach`.
 */
export type ReachDocument = { target: ReachTarget, 
/**
 * What else stands on the line.
 */
others: Array<ReachTarget>, 
/**
 * The same list: what `--target LINE:COLUMN` takes instead.
 */
other_targets: Array<ReachTarget>, verdict: ReachVerdict, 
/**
 * The assumptions on which the verdict rests.
 */
assumes: Array<string>, 
/**
 * Why the verdict is open.
 */
open: string | null, 
/**
 * `φ̂`: a condition on the inputs without which no execution gets to the target.
 */
condition: string, 
/**
 * `φ̂^K` for the `K` that was asked for: in place of each `∀` the first `K` rounds. The symbols `τ⁽ⁿ⁾` stand for some numbers.
 */
written_out: string, 
/**
 * Whether `written_out` leaves out rounds, with `…` in their place: there are too many for a reader.
 */
written_out_cut: boolean, 
/**
 * Steps for deciding `φ̂` without writing out rounds, and for models of `φ̂^K` with `K` up to the one asked for.
 */
condition_steps: number, written_out_steps: number, backbones: Array<ReachBackbone>, 
/**
 * Whether there are more backbones than are listed.
 */
backbones_cut: boolean, loop_summaries: Array<ReachSummary>, 
/**
 * What gets to the target.
 */
input: Input | null, 
/**
 * The edges that a run with it takes, up to the target.
 */
path: Array<number>, 
/**
 * Their lines.
 */
lines: Array<number>, 
/**
 * How many lines there are, where `lines` has only the first 10,000.
 */
lines_total: number | null, 
/**
 * The most rounds of a loop in the model that the input comes from: so many instances of each looping condition suffice.
 */
k: number | null, 
/**
 * How the input was found; nothing where others than Reach found it.
 */
found_by: ReachFoundBy | null, 
/**
 * What the search over path prefixes did, if the first models did not suffice.
 */
search: ReachSearch | null, 
/**
 * The calls since the program's start that leave the statics as the input has them.
 */
after: Array<Call>, 
/**
 * Where the verdict is open: values of statics with which a run gets there, where no calls are known to leave these.
 */
state: Input | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * News of `reach`.
 */
export type ReachNews = { "kind": "reach_condition", target: ReachTarget, condition: string, written_out: string, written_out_cut: boolean, backbones: Array<ReachBackbone>, backbones_cut: boolean, loop_summaries: Array<ReachSummary>, } | { "kind": "reach_decided", backbone: number, verdict: ReachSatisfiable, k: number | null, };

/**
 * A statement, or a part of one, that can be reached.
 */
export type ReachTarget = { 
/**
 * `LINE:COLUMN`: names it.
 */
name: string, line: number, column: number, text: string, place: TextPlace, 
/**
 * It is reached where an execution takes one of these edges.
 */
edges: Array<number>, };

export type ReachVerdict = "reached" | "unreachable" | "unknown";

/**
 * How an input was found.
 */
export type ReachFoundBy = "model" | "path" | "search";

/**
 * A search over path prefixes, which the condition guides.
 */
export type ReachSearch = { 
/**
 * The prefixes that it went along.
 */
prefixes: number, 
/**
 * The prefixes that it dropped: no input takes them and satisfies the condition.
 */
dropped: number, 
/**
 * Whether it went along or dropped all that there are. That is no evidence that none gets to the target.
 */
ended: boolean, 
/**
 * Of the runs that miss the target, one that gets closest to it.
 */
nearest: ReachNearest | null, };

/**
 * A run that misses the target.
 */
export type ReachNearest = { input: Input, 
/**
 * The edges that it takes, up to the location that is closest to the target.
 */
path: Array<number>, 
/**
 * Their lines.
 */
lines: Array<number>, 
/**
 * How many lines there are, where `lines` has only the first 10,000.
 */
lines_total: number | null, 
/**
 * From there, the edges of the shortest way to the target in the graph, with the target's own.
 */
distance: number, };

/**
 * An acyclic path to the target, with its abstract path condition.
 */
export type ReachBackbone = { edges: Array<number>, lines: Array<number>, 
/**
 * The numbers of its loops in `loop_summaries`, in order.
 */
loops: Array<number>, condition: string, verdict: ReachSatisfiable, 
/**
 * The most rounds of a loop in the model, where there is one.
 */
k: number | null, };

/**
 * Whether an abstract path condition can hold.
 */
export type ReachSatisfiable = "satisfiable" | "unsatisfiable" | "open" | "unasked";

/**
 * What any rounds of a loop do.
 */
export type ReachSummary = { 
/**
 * Of the place where the loop is entered.
 */
line: number, rounds: Array<ReachRound>, 
/**
 * Of the variables that rounds change.
 */
values: Array<ReachValue>, 
/**
 * What has to hold for so many rounds, over the values before the first.
 */
looping_condition: Array<string>, 
/**
 * Whether its rounds are alike, so that what all of them do is known without writing any out: K does not bound them.
 */
uniform: boolean, };

/**
 * A way through the loop.
 */
export type ReachRound = { 
/**
 * Its path counter, e.g. `κ1`.
 */
counter: string, edges: Array<number>, lines: Array<number>, 
/**
 * Over the values before the round.
 */
condition: string, };

/**
 * The value of a variable after so many rounds of each kind.
 */
export type ReachValue = { name: string, 
/**
 * Over the values before the first round and the counters; `★` is unknown.
 */
value: string, is_known: boolean, };

/**
 * How `cover` works.
 */
export type CoverSettings = { 
/**
 * How often each loop's header may be returned to before the loop is left; nothing: what is usual ([`super::unwinding_bound::usual`]), and
 * tests beyond that where others find some ([`super::past_bound`]).
 */
unwind: number | null, 
/**
 * `sc`, `pc`, `fm`, `vstte` or `prefer`.
 */
algorithm: string, 
/**
 * What is assumed of the inputs, as a condition in C.
 */
precondition: string | null, 
/**
 * Whether summaries of the functions that are called find tests first.
 */
summaries: boolean, };

/**
 * `cover`. Statements are edges: assignments and sides of decisions. Each is in one of the lists, or covered by a test.
 */
export type CoverDocument = { unwind: number, algorithm: string, 
/**
 * Complete executions, in the order in which they were found; those beyond the bound come last.
 */
tests: Array<CoverTest>, 
/**
 * No execution takes these.
 */
infeasible: Array<CoverStatement>, 
/**
 * Some execution takes these, but none that does completes: it fails or never ends.
 */
never_completes: Array<CoverStatement>, 
/**
 * No execution within the bound takes these and completes; with a larger bound there may be one.
 */
not_within: Array<CoverStatement>, 
/**
 * Nothing is known of these.
 */
open: Array<CoverStatement>, 
/**
 * Runs that end in an error: at most one for each place, and perhaps not all.
 */
errors: Array<CoverError>, 
/**
 * How many statements there are, and how many of them tests cover.
 */
statements: number, covered: number, 
/**
 * The queries of the algorithm; the queries of the verdicts are in `statistics` only.
 */
queries: number, 
/**
 * Whether some loop was cut short by the bound.
 */
bounded: boolean, 
/**
 * A larger bound within which a run completes that takes statements of `not_within`, where one is known.
 */
enough: CoverEnough | null, 
/**
 * Why something is open, if so.
 */
reason: string | null, 
/**
 * How summaries were used, where they were asked for.
 */
summaries: CoverSummaries | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

export type CoverTest = { input: Input, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, 
/**
 * The calls since the program's start that leave the statics that `input` has; empty where these have their first values, or the test
 * assumes that calls may have left them.
 */
after: Array<Call>, 
/**
 * The maximal straight runs of edges that it passes, in order, numbered in source order.
 */
blocks: Array<number>, 
/**
 * The line of each edge, in order.
 */
lines: Array<number>, 
/**
 * How many lines there are, where `lines` has only the first 10,000.
 */
lines_total: number | null, edges: Array<number>, 
/**
 * What the values in `input.nondet` are, one by one.
 */
draws: Array<CoverDraw>, 
/**
 * Whether the run leaves the bound. It takes a statement that no execution within the bound takes and completes.
 */
beyond: boolean, };

/**
 * A value that the run draws: of a call of `nondet()` and its like, of a read of a volatile object, or which evaluation comes first.
 */
export type CoverDraw = { line: number, column: number, 
/**
 * `nondet()`, `r (volatile)`, `inc() first`.
 */
text: string, value: InputValue, };

/**
 * A bound within which the run with this input completes.
 */
export type CoverEnough = { unwind: number, input: Input, };

/**
 * A run that ends in an error: a division by zero, an index outside an array, or the error location.
 */
export type CoverError = { line: number, column: number, text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * What happens there.
 */
error: string, input: Input, 
/**
 * As [`CoverTest::after`].
 */
after: Array<Call>, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, 
/**
 * The edge at which it happens: not passed, but for those that lead to the error location.
 */
edge: number, 
/**
 * The edges that are passed, and the line of each.
 */
edges: Array<number>, lines: Array<number>, 
/**
 * How many lines there are, where `lines` has only the first 10,000.
 */
lines_total: number | null, };

/**
 * A statement that no test covers.
 */
export type CoverStatement = { line: number, column: number, 
/**
 * As the program has it; the other side of a condition is `!(…)`.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * Where an inlined copy of the statement has another verdict than other copies: which copy it is, in words.
 */
copy?: string, edge: number, place: TextPlace, 
/**
 * The assumptions that its verdict rests on.
 */
assumes: Array<string>, 
/**
 * Whether it is of a function of the library: the program has no such statement, and the numbers leave it out.
 */
library: boolean, 
/**
 * What makes it believable, in a sentence; empty for what is open.
 */
evidence: string, 
/**
 * The conditions of which each is needed to exclude it, where they were looked for.
 */
because: Array<CoverReason>, 
/**
 * The explanation of the exclusion for readers, without the statement's own condition.
 */
excluded_by: CoverExclusion, 
/**
 * An input that takes it, though the run does not complete within the bound.
 */
reached_by: Input | null, 
/**
 * The edges of the run with that input up to the last one that it is there for; without an input none.
 */
reached_edges: Array<number>, 
/**
 * Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
 */
state: Input | null, };

/**
 * The explanation of an excluded statement: conditions and assignments on the paths to it, grouped by the conditions and assignments that they
 * pass. With empty lists and without `itself`, the decisions and assignments before the statement exclude it, but were too many to list.
 */
export type CoverExclusion = { 
/**
 * Whether the statement's own condition holds in no execution, whatever comes before.
 */
itself: boolean, 
/**
 * Conditions on every path; with one group only and no such condition, its assignments.
 */
all: Array<CoverReason>, 
/**
 * Of each group of paths its other conditions and assignments; empty where `all` suffices or `some` takes its place.
 */
either: Array<Array<CoverReason>>, 
/**
 * Without groups: alternative conditions and assignments, one of which excludes the statement.
 */
some: Array<CoverReason>, 
/**
 * Operations that are undefined where the statement's condition holds: every path to it passes one of them.
 */
operations: Array<CoverReason>, 
/**
 * Sides that no execution takes: every path to the statement passes one of them. Of a statement that is not inlined several times this and
 * the following lists have nothing where the lists before them have something.
 */
enclosing: Array<CoverReason>, 
/**
 * The values that parts of the condition have here, or the assignments that they have them from.
 */
values: Array<CoverValues>, 
/**
 * What holds here in every execution: conditions that contradict the statement's own, in each case that the proof tells apart.
 */
facts: Array<Array<string>>, 
/**
 * What shows it instead of conditions: that the program has one run, or few inputs.
 */
runs: CoverRuns | null, };

/**
 * A side of a decision, as a condition; or an assignment.
 */
export type CoverReason = { line: number, column: number, text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, edge: number, 
/**
 * Whether it is the condition of the excluded statement in another inlined call of its function.
 */
in_another_call: boolean, };

/**
 * How summaries of the functions that are called were used. They find tests; verdicts rest on the program with its calls inlined.
 */
export type CoverSummaries = { 
/**
 * The functions that are called, callees first.
 */
functions: Array<CoverSummary>, 
/**
 * The first so many tests were found with summaries.
 */
tests: number, 
/**
 * The questions that were asked with summaries; they are among the document's.
 */
queries: number, };

/**
 * The summary of a function.
 */
export type CoverSummary = { function: string, 
/**
 * How many pairs of inputs and outputs are known.
 */
pairs: number, 
/**
 * How often it was covered again because a caller had other values.
 */
recomputed: number, 
/**
 * Why it is inlined instead, if so.
 */
inlined: string | null, };

/**
 * The runs that show a verdict.
 */
export type CoverRuns = "only" | "every-input";

/**
 * A value, or the range `0 to 99` of many values; `null` where only the assignments are known.
 */
export type CoverValue = { value: string | null, 
/**
 * The assignments that give it; none where the variable has it from the start, or a run shows it.
 */
assigned: Array<CoverReason>, };

/**
 * A part of a condition and its values.
 */
export type CoverValues = { name: string, values: Array<CoverValue>, };

/**
 * How branches are looked for.
 */
export type BranchesSettings = { 
/**
 * Inputs to begin with.
 */
tests: Array<Input>, 
/**
 * Which frontier edge comes next.
 */
order: BranchesOrder, 
/**
 * Whether other searches are given the same steps, for comparison.
 */
baselines: boolean, };

/**
 * `branches`. A branch is a side of a decision in the text; it may have several copies, one for each call that is inlined.
 */
export type BranchesDocument = { branches: BranchesCounts, 
/**
 * The same where each copy counts for itself.
 */
copies: BranchesCounts, 
/**
 * The same as the paper counts: without decisions that constant propagation decides.
 */
without_constants: BranchesCounts, 
/**
 * All branches, in the order of the text.
 */
list: Array<BranchesSide>, 
/**
 * The share of covered branches among all branches, and among the branches that are not infeasible: from 0 to 1; 1 of no branches.
 */
cov_b: number, cov_f: number, 
/**
 * The suite.
 */
tests: Array<BranchesTest>, 
/**
 * How many inputs were run in all.
 */
runs: number, 
/**
 * Steps at the frontier: all, up to the last branch that was covered, and up to the last one that was settled.
 */
iterations: number, iterations_covered: number, iterations_settled: number, 
/**
 * Why something is open, if so.
 */
reason: string | null, 
/**
 * What other searches cover with the same steps, if that was asked.
 */
baselines: Array<BranchesCompared>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * News of `branches`.
 */
export type BranchesNews = { "kind": "branches_test", test: BranchesTest, } | { "kind": "branches", counts: BranchesCounts, cov_b: number, cov_f: number, iterations: number, runs: number, 
/**
 * The branches with a new verdict; at the beginning all branches. Their tests are in this event or in earlier ones.
 */
changed: Array<BranchesChange>, } | { "kind": "branches_step", step: BranchesStep, } | { "kind": "branches_more" };

/**
 * An order of frontier edges.
 */
export type BranchesOrder = "fair" | "discovery";

/**
 * A search without preconditions.
 */
export type BranchesBaseline = "random" | "depth" | "distance";

/**
 * What another search covers.
 */
export type BranchesCompared = { search: BranchesBaseline, covered: number, 
/**
 * The share of covered branches among all branches, from 0 to 1.
 */
cov_b: number, runs: number, 
/**
 * Steps in all, and until the last branch was covered.
 */
steps: number, steps_covered: number, };

/**
 * How many branches there are, and what is known of them.
 */
export type BranchesCounts = { total: number, covered: number, infeasible: number, open: number, };

/**
 * A branch.
 */
export type BranchesSide = { line: number, column: number, place: TextPlace, 
/**
 * What holds on this side, as the program has it; the other side of a condition is `!(…)`.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * `true` where the condition holds, `false` where it does not.
 */
side: string, verdict: BranchesVerdict, 
/**
 * What makes it believable, in a sentence; empty for what is open.
 */
evidence: string, 
/**
 * The assumptions that the verdict rests on.
 */
assumes: Array<string>, 
/**
 * The first test of the suite that takes it, from 0.
 */
test: number | null, 
/**
 * Its copies.
 */
edges: Array<number>, 
/**
 * Why it is open.
 */
open: string | null, 
/**
 * Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
 */
state: Input | null, };

/**
 * A test of the suite.
 */
export type BranchesTest = { input: Input, 
/**
 * How its run ends, in a few words: it returns, fails an assertion, …
 */
ends: string, 
/**
 * Whether it ends as C says: in anything but that, what is printed here need not be what a compiled program does.
 */
is_defined: boolean, 
/**
 * The edges that it takes, and the line of each.
 */
path_length: number, edges: Array<number>, lines: Array<number>, 
/**
 * How many lines there are, where `lines` has only the first 10,000.
 */
lines_total: number | null, 
/**
 * The branches that it takes, by their position in the list.
 */
takes: Array<number>, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, 
/**
 * The calls since the program's start that leave the statics as the input has them.
 */
after: Array<Call>, };

export type BranchesVerdict = "covered" | "infeasible" | "open";

/**
 * A branch, and its position in the list.
 */
export type BranchesChange = { at: number, side: BranchesSide, };

/**
 * A step of the analysis.
 */
export type BranchesStep = { did: BranchesDid, 
/**
 * Steps at the frontier so far, with this one.
 */
iteration: number, 
/**
 * The locations that a run has reached for the first time, and the edges that one has taken for the first time.
 */
reached: Array<number>, taken: Array<number>, 
/**
 * What is wanted that was not, by rising number, and the numbers of what no longer is.
 */
wanted: Array<BranchesWanted>, removed: Array<number>, 
/**
 * The numbers of the wanted states whose condition says too little: a run satisfied it and went another way.
 */
touched: Array<number>, 
/**
 * The new frontier edges, and the numbers of the edges that have left the frontier.
 */
joined: Array<BranchesGap>, left: Array<number>, };

/**
 * What was done.
 */
export type BranchesDid = { "kind": "run", run: number, origin: BranchesOrigin, edges: Array<number>, } | { "kind": "coarsened" } | { "kind": "targets" } | { "kind": "backward", edge: number, to: number, state: number, exact: boolean, } | { "kind": "gone", edge: number, to: number, before: string, why: BranchesGone, } | { "kind": "proved", edge: number, states: Array<number>, } | { "kind": "excluded", edges: Array<number>, } | { "kind": "asked", who: string, effort: number, inputs: number, shown: number, };

/**
 * Where a run comes from.
 */
export type BranchesOrigin = { "from": "given" } | { "from": "zeros" } | { "from": "diverted", edge: number, to: number, } | { "from": "found" };

/**
 * Why nothing is wanted before an edge.
 */
export type BranchesGone = { "is": "contradiction", known: Array<string>, } | { "is": "wanted", states: Array<number>, known: Array<string>, } | { "is": "large" };

/**
 * A wanted state.
 */
export type BranchesWanted = { state: number, location: number, 
/**
 * Without what the types of variables say by themselves.
 */
condition: string, 
/**
 * The target edge, which no run takes, that it leads to.
 */
target: number, 
/**
 * The edge to take from here, and the wanted state after it; `None` at the target.
 */
way: number | null, to: number | null, };

/**
 * An edge into a wanted state.
 */
export type BranchesGap = { gap: number, edge: number, to: number, };

/**
 * On what the function is run.
 */
export type RunSettings = { input: Input, 
/**
 * In place of `input`: the fields of a form.
 */
fields?: InputFields, 
/**
 * Whether more text may come on standard input: a read past the given text ends the run.
 */
is_open?: boolean, };

/**
 * `run`.
 */
export type RunDocument = { 
/**
 * The input of the run.
 */
input: Input, outcome: RunOutcome, 
/**
 * What it rests on that this input can be.
 */
assumes: Array<string>, 
/**
 * What the function returned, if it returned a value.
 */
value: Number | null, 
/**
 * The node that this value is the number of, where the function returned a pointer to one.
 */
value_name?: string, 
/**
 * Why the run stopped early.
 */
reason: string | null, 
/**
 * Where it stopped early.
 */
place: TextPlace | null, 
/**
 * Edges taken.
 */
steps: number, 
/**
 * The edge that was not taken, where the run stopped before one; of a decision its first side.
 */
stopped_before: number | null, 
/**
 * What was printed.
 */
output: string, 
/**
 * How many bytes of the output are kept, where there was more.
 */
output_cut: number | null, 
/**
 * How many values of `nondet()` were drawn.
 */
nondet_used: number, 
/**
 * The line of each edge taken, in order, up to 10,000.
 */
lines: Array<number>, 
/**
 * How many lines there are, where `lines` has only the first 10,000.
 */
lines_total: number | null, 
/**
 * Scalars, then arrays, as they were before the first step.
 */
variables: Array<RunVariable>, 
/**
 * The first steps, up to 2,000 and as long as what they change is not much.
 */
steps_shown: Array<RunStep>, branches: Array<RunBranch>, 
/**
 * The linked structures, whose nodes pointers lead to.
 */
structures?: Array<RunStructure>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * An input as the fields of a form have it.
 */
export type InputFields = { 
/**
 * By the names of objects, as `'a'`, `"on"`, `{3, 1, 2}`, `{.value = 3}`, `NULL`, `any`.
 */
values: { [key in string]: string }, 
/**
 * What is drawn, in order, with commas between.
 */
nondet: string, 
/**
 * The text on standard input itself.
 */
stdin: string | null, };

export type RunOutcome = "returned" | "aborted" | "error_call" | "assume_failed" | "undefined" | "steps";

/**
 * A variable or an array.
 */
export type RunVariable = { name: string, 
/**
 * Before the first step.
 */
start: InputValue, 
/**
 * A scalar's value after the last step.
 */
end: Number | null, 
/**
 * What its values mean where it is (a part of) a pointer, by value in decimal: `NULL`, functions, or objects.
 */
addresses: { [key in string]: string }, };

/**
 * A linked structure: pointers to its nodes are their numbers, 0 is null and -1 was never set. Each member of all nodes is an array, indexed
 * by the number of the node.
 */
export type RunStructure = { 
/**
 * Its tag.
 */
name: string, 
/**
 * The members that the function reads or writes, as the structure has them.
 */
members: Array<RunMember>, 
/**
 * The array that has 1 for each node that was freed.
 */
freed: string | null, 
/**
 * The number of the first node that the function asks for; lower ones are there before it starts. `null` where it asks for none.
 */
first_new: number | null, 
/**
 * The variables, and the arrays of pointers, whose values are numbers of its nodes.
 */
pointers: Array<string>, 
/**
 * The variables whose values are numbers of pointers in its nodes, node after node from 1.
 */
cells: Array<string>, 
/**
 * The members that are such pointers, in the order of their numbers in a node.
 */
cell_members: Array<string>, 
/**
 * What the nodes are called that the shown steps come upon, by their numbers in decimal.
 */
names: { [key in string]: string }, 
/**
 * Where the nodes are blocks of any number of elements: their arrays. Then there are no members.
 */
block: RunBlock | null, };

/**
 * The arrays of blocks. The scalars of the element `i` of the block `n` have the indices from `((n + moved[n]) * stride + i) * count` on.
 */
export type RunBlock = { 
/**
 * The array with the number of elements of each block.
 */
lengths: string, 
/**
 * The arrays with the scalars of the elements.
 */
items: Array<RunBlockItem>, 
/**
 * The array that says how far the elements of a block that `realloc` gave lie from its own; `null` where the program does not call it.
 */
moved: string | null, 
/**
 * In decimal.
 */
stride: string, };

/**
 * An array with scalars of the elements of blocks.
 */
export type RunBlockItem = { 
/**
 * What follows an element's index in C: `.x`; empty where the elements are scalars.
 */
name: string, array: string, 
/**
 * How many scalars each element has there.
 */
count: number, 
/**
 * The structure to which they lead, where they are pointers.
 */
leads_to: string | null, };

/**
 * A scalar member of nodes.
 */
export type RunMember = { 
/**
 * With the members on the way: `at.x`.
 */
name: string, 
/**
 * The array that holds it.
 */
array: string, 
/**
 * How many elements of the array each node has; this member of node `n` is the one with the index `count * n - (count - 1) + which`.
 */
count: number, 
/**
 * From 0.
 */
which: number, 
/**
 * The structure whose nodes its values are the numbers of, where it is such a pointer.
 */
leads_to: string | null, };

/**
 * An edge that was taken.
 */
export type RunStep = { edge: number, line: number, change: RunChange | null, 
/**
 * What else it changed, where one edge gives several objects their values.
 */
also: Array<RunChange>, };

/**
 * What a step changed.
 */
export type RunChange = { "kind": "variable", name: string, value: Number, } | { "kind": "element", name: string, index: string, value: Number, } | { "kind": "array", name: string, elements: Array<Number>, } | { "kind": "contents", name: string, contents: { [key in string]: Number }, };

/**
 * How often each side of a decision was taken.
 */
export type RunBranch = { line: number, column: number, place: TextPlace, 
/**
 * The condition, as the program has it.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, holds: number, fails: number, };

/**
 * What is compared.
 */
export type CompareSettings = { 
/**
 * The least and the greatest number of diamonds.
 */
least: number, most: number, 
/**
 * Programs of each size, with consecutive seeds from `seed` on.
 */
programs: number, seed: number, 
/**
 * Of `sc`, `pc`, `fm`, `vstte` and `prefer`.
 */
algorithms: Array<string>, 
/**
 * Steps for each program and algorithm.
 */
limit: number | null, };

/**
 * `compare`.
 */
export type CompareDocument = { 
/**
 * By size, then seed, then algorithm.
 */
runs: Array<ComparedRun>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * A program covered by an algorithm.
 */
export type ComparedRun = { 
/**
 * `culdesac generate` prints the program for these two.
 */
diamonds: number, seed: number, algorithm: string, 
/**
 * Questions to the solver.
 */
queries: number, tests: number, 
/**
 * From the graph to the last answer; all that depends on the clock.
 */
time_us: number, 
/**
 * Whether it came to its end within the limit.
 */
complete: boolean, };

/**
 * An event of its own.
 */
export type ComparedEvent = { "kind": "compared", run: ComparedRun, };

/**
 * Which program is generated.
 */
export type GenerateSettings = { 
/**
 * How many diamonds (choices between four ways) stand in a row; at most [`crate::generate::MAX_DIAMONDS`].
 */
diamonds: number, seed: number, };

/**
 * `generate`.
 */
export type GenerateDocument = { 
/**
 * The program's text.
 */
text: string, };

/**
 * What to export of a program.
 */
export type ExportSettings = { tests: Array<ExportTest>, 
/**
 * Edges that no execution takes, by their numbers.
 */
infeasible: Array<number>, format: TestsFormat, };

/**
 * The files.
 */
export type ExportDocument = { files: Array<ExportedFile>, 
/**
 * What they do not hold, in sentences.
 */
notes: Array<string>, 
/**
 * How many tests they hold, and how many were asked for.
 */
tests_kept: number, tests_all: number, 
/**
 * How many branch sides the tests that they hold take, and how many there are.
 */
sides_taken: number, sides_all: number, };

/**
 * A test to export.
 */
export type ExportTest = { input: Input, 
/**
 * The calls since the program's start that come before it.
 */
after: Array<Call>, 
/**
 * The names of the assumptions on which it rests.
 */
assumes: Array<string>, };

/**
 * A file to write.
 */
export type ExportedFile = { 
/**
 * Without a folder.
 */
name: string, text: string, };

/**
 * In which form tests are written.
 */
export type TestsFormat = "json" | "c" | "freestanding" | "unity" | "cmocka" | "testcomp" | "csv" | "lcov";

/**
 * A report, and the form of its file.
 */
export type FormsSettings = { 
/**
 * The answer of `report` to the same request.
 */
document: ReportDocument, form: ReportForm, };

/**
 * The file.
 */
export type FormsDocument = { text: string, };

/**
 * The form of a file.
 */
export type ReportForm = "json" | "markdown" | "sarif" | "csv" | "html" | "lcov" | "lcov_legacy" | "witness";

/**
 * Which goals are judged.
 */
export type CriteriaSettings = { criterion: Criterion, 
/**
 * Of MC/DC.
 */
pairs: PairKind, };

/**
 * The goals with their verdicts.
 */
export type CriteriaAnswer = { criterion: CriterionDocument, 
/**
 * For each goal why it has no test, in words; empty where it has one.
 */
reasons: Array<string>, 
/**
 * The same for each evaluation.
 */
vector_reasons: Array<string>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * A coverage criterion.
 */
export type Criterion = "statement" | "branch" | "condition" | "mcdc" | "path";

/**
 * What two evaluations of a decision may differ in to show that a condition decides its outcome.
 */
export type PairKind = "masking" | "unique-cause";

/**
 * The goals of a criterion with their verdicts.
 */
export type CriterionDocument = { 
/**
 * `statement`, `branch`, `condition`, `mcdc` or `path`.
 */
name: string, 
/**
 * Of MC/DC, which pairs count: `masking` or `unique-cause`.
 */
pairs?: string, 
/**
 * The answer in words.
 */
sentence: string, total: number, covered: number, infeasible: number, open: number, 
/**
 * Why there are goals that are not listed, if so.
 */
left_out?: string, list: Array<CriterionGoal>, 
/**
 * Of MC/DC: the evaluations of decisions with several conditions.
 */
vectors?: Array<CriterionVector>, 
/**
 * The tests that goals name; a report has them among its own.
 */
tests?: Array<CriterionTest>, };

/**
 * A goal, and the verdict on it.
 */
export type CriterionGoal = { line: number, column: number, 
/**
 * The statement, the outcome or the condition as the program has it; of a path its decisions.
 */
text: string, 
/**
 * Of a condition: the decision that it is a part of.
 */
decision?: string, 
/**
 * `covered`, `infeasible` or `open`.
 */
verdict: ReportVerdict, 
/**
 * The numbers of the tests that cover it, from 0: of MC/DC a pair, first the one in which the condition holds.
 */
tests: Array<number>, 
/**
 * Of MC/DC: the evaluations of that pair, or those without which there is none, by their numbers in `vectors`.
 */
vectors?: Array<number>, 
/**
 * What excludes it, where that is one thing.
 */
because: CoverExclusion | null, 
/**
 * Why it is infeasible or open, in words.
 */
why: string | null, 
/**
 * The assumptions that the verdict rests on.
 */
assumes: Array<string>, };

/**
 * An evaluation of a decision with several conditions.
 */
export type CriterionVector = { line: number, column: number, 
/**
 * The decision as the program has it.
 */
decision: string, 
/**
 * For each condition in the order of the text `T`, `F`, or `-` where it is not evaluated.
 */
values: string, outcome: boolean, verdict: ReportVerdict, 
/**
 * The number of the test that evaluates it so, from 0.
 */
test: number | null, because: CoverExclusion | null, 
/**
 * Why it is open.
 */
why: string | null, assumes: Array<string>, };

/**
 * A replayed test.
 */
export type CriterionTest = { input: Input, 
/**
 * The calls before that leave the statics that the input has.
 */
after: Array<Call>, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, };

/**
 * What `check` checks.
 */
export type CheckSettings = { 
/**
 * The file's object.
 */
evidence: unknown, 
/**
 * Why the file is not even an object, if so.
 */
unreadable: string | null, 
/**
 * The text of the program as it is now, to compare with that of the file.
 */
program?: string, };

/**
 * `check`.
 */
export type CheckDocument = { 
/**
 * How many claims were looked at.
 */
checked: number, 
/**
 * The same by kind of claim, in the order of the file.
 */
kinds: Array<CheckedKind>, rejected: Array<Rejected>, 
/**
 * What the claims speak of, in the order of the file: one entry for each edge, or one for the function as a whole.
 */
claims: Array<CheckedClaim>, 
/**
 * The first line at which the program is now another text than the file has.
 */
differs_at: number | null, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

export type CheckedKind = { 
/**
 * The kind's name in the file, such as `reached`.
 */
claim: string, accepted: number, rejected: number, };

/**
 * What a claim speaks of.
 */
export type CheckedClaim = { 
/**
 * The claim's name.
 */
id: string, 
/**
 * Its kind, as the file names it.
 */
kind: string, line: number, column: number, 
/**
 * The edge, or what it says of the function.
 */
text: string, 
/**
 * The names of the assumptions under which it holds.
 */
assumes: Array<string>, accepted: boolean, };

export type Rejected = { 
/**
 * The claim's name, or `file` if the file as a whole is not known here.
 */
id: string, 
/**
 * The claim's place in the file, from 0.
 */
index: number | null, reason: string, };

/**
 * An event of its own.
 */
export type CheckedEvent = { "kind": "checked", claims: number, of: number, rejected: Rejected | null, };

/**
 * The coverage of tests.
 */
export type JustifySettings = { 
/**
 * Files of coverage, which are added up.
 */
coverage: Array<CoverageText>, 
/**
 * The file of justifications of an earlier version, which are proved again.
 */
against: CoverageText | null, };

/**
 * The answer, and the files to keep.
 */
export type JustifyAnswer = { 
/**
 * For each branch of the document its reason in words; empty where it has a test.
 */
reasons: Array<string>, 
/**
 * `justified.info`, `justified.html`, `justified.md` and `justified.json`: LCOV 2.5, the page to sign, Markdown, and the
 * justifications with their evidence.
 */
files: Array<ExportedFile>, 
/**
 * The answer in words.
 */
sentence: string, 
/**
 * The functions that were analysed, each with any arguments.
 */
entries: Array<string>, counts: JustifyCounts, 
/**
 * The branches that the coverage has not, in the order of the text.
 */
branches: Array<JustifiedBranch>, 
/**
 * The tests that they name.
 */
tests: Array<JustifyTest>, 
/**
 * Justifications of the earlier file that no longer hold, and branches that tests take though they were justified.
 */
stale: Array<StaleJustification>, 
/**
 * Justifications of the earlier file that hold on another line.
 */
moved: Array<MovedJustification>, 
/**
 * Of branches that are justified and were not in the earlier file: their numbers in `branches`; `None` without such a file.
 */
new: Array<number> | null, 
/**
 * Limits of what the coverage says, in sentences.
 */
notes: Array<string>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * A file of coverage, unpacked, or one of justifications.
 */
export type CoverageText = { name: string, 
/**
 * LCOV, or JSON of gcov, of llvm-cov, or with justifications.
 */
text: string, };

/**
 * `justify`, for one program.
 */
export type JustifyDocument = { 
/**
 * The answer in words.
 */
sentence: string, 
/**
 * The functions that were analysed, each with any arguments.
 */
entries: Array<string>, counts: JustifyCounts, 
/**
 * The branches that the coverage has not, in the order of the text.
 */
branches: Array<JustifiedBranch>, 
/**
 * The tests that they name.
 */
tests: Array<JustifyTest>, 
/**
 * Justifications of the earlier file that no longer hold, and branches that tests take though they were justified.
 */
stale: Array<StaleJustification>, 
/**
 * Justifications of the earlier file that hold on another line.
 */
moved: Array<MovedJustification>, 
/**
 * Of branches that are justified and were not in the earlier file: their numbers in `branches`; `None` without such a file.
 */
new: Array<number> | null, 
/**
 * Limits of what the coverage says, in sentences.
 */
notes: Array<string>, schema: number, 
/**
 * The program's name as it was given.
 */
program: string, function: string, 
/**
 * Why this function, where the request names none of several: words that follow "since".
 */
chosen_because: string | null, 
/**
 * What integers were taken for.
 */
ints: Ints, 
/**
 * How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
 */
inline_depth: number | null, 
/**
 * What was chosen about the world, where it could matter to this function.
 */
assumptions: Array<Assumed>, 
/**
 * The lines on which more than one statement or condition stands: texts name the column there.
 */
crowded_lines: Array<number>, 
/**
 * Whether every question was settled within the limit.
 */
complete: boolean, statistics: Statistics, 
/**
 * Warnings about the program.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The functions of the program that are not understood.
 */
refused?: Array<LeftOutFunction>, 
/**
 * Macros, folders of headers and the target that the caller gives.
 */
options?: SourceOptions, 
/**
 * The headers of the program, whose lines have numbers after those of its own.
 */
headers?: Array<HeaderLines>, };

/**
 * How many branches there are of each kind.
 */
export type JustifyCounts = { 
/**
 * Branches of the program's text, without sides of assertions and constant conditions.
 */
total: number, 
/**
 * The coverage has them.
 */
covered: number, 
/**
 * The coverage has them not, and a new test takes them.
 */
tested: number, 
/**
 * The coverage has them not, and no execution takes them.
 */
justified: number, open: number, 
/**
 * The coverage has no record of them.
 */
unmeasured: number, };

/**
 * A branch that the coverage has not.
 */
export type JustifiedBranch = { function: string, line: number, column: number, 
/**
 * What holds on this side, as the program has it.
 */
text: string, 
/**
 * The same once macros are replaced, where that differs.
 */
expansion: string | null, 
/**
 * `true` where the condition holds, `false` where it does not; empty for a branch of a function that is not understood.
 */
side: string, verdict: JustifyVerdict, 
/**
 * Whether the coverage has a record of this very branch: it counts other branches on the line otherwise.
 */
measured: boolean, 
/**
 * The number of the test that takes it, from 0.
 */
test: number | null, 
/**
 * What excludes it in each function that judges it, where that is given.
 */
because: Array<JustifyReason>, 
/**
 * The claims that exclude it: the function that was analysed, a colon, and the claim's name in its evidence.
 */
evidence: Array<string>, assumes: Array<string>, 
/**
 * Why it is open.
 */
open: string | null, };

/**
 * What excludes a branch in the executions of one function.
 */
export type JustifyReason = { function: string, 
/**
 * Whether the statement's own condition holds in no execution, whatever comes before.
 */
itself: boolean, 
/**
 * Conditions on every path; with one group only and no such condition, its assignments.
 */
all: Array<CoverReason>, 
/**
 * Of each group of paths its other conditions and assignments; empty where `all` suffices or `some` takes its place.
 */
either: Array<Array<CoverReason>>, 
/**
 * Without groups: alternative conditions and assignments, one of which excludes the statement.
 */
some: Array<CoverReason>, 
/**
 * Operations that are undefined where the statement's condition holds: every path to it passes one of them.
 */
operations: Array<CoverReason>, 
/**
 * Sides that no execution takes: every path to the statement passes one of them. Of a statement that is not inlined several times this and
 * the following lists have nothing where the lists before them have something.
 */
enclosing: Array<CoverReason>, 
/**
 * The values that parts of the condition have here, or the assignments that they have them from.
 */
values: Array<CoverValues>, 
/**
 * What holds here in every execution: conditions that contradict the statement's own, in each case that the proof tells apart.
 */
facts: Array<Array<string>>, 
/**
 * What shows it instead of conditions: that the program has one run, or few inputs.
 */
runs: CoverRuns | null, };

/**
 * The verdict on a branch that the coverage has not.
 */
export type JustifyVerdict = "tested" | "justified" | "open";

/**
 * A new test: a call of a function.
 */
export type JustifyTest = { function: string, input: Input, 
/**
 * The calls before that leave the statics that the input has.
 */
after: Array<Call>, 
/**
 * The assumptions that it rests on.
 */
assumes: Array<string>, };

/**
 * A justification that no longer holds.
 */
export type StaleJustification = { 
/**
 * Of the branch; where the program has it no longer, of the earlier text.
 */
line: number, column: number, function: string, text: string, reason: string, };

/**
 * A justification that holds on another line.
 */
export type MovedJustification = { from_line: number, line: number, column: number, function: string, text: string, };

/** What a long analysis reports while it runs. */
export type Event = CommonEvent | RowEvent | PathEvent | PruningEvent | ReachNews | BranchesNews | ComparedEvent | CheckedEvent;

/** What can be asked, and what the answer is. */
export interface Analyses {
  cfg: { settings: CfgSettings; document: CfgDocument };
  report: { settings: ReportSettings; document: ReportDocument };
  paths: { settings: PathsSettings; document: PathsDocument };
  draw: { settings: DrawSettings; document: DrawDocument };
  prune: { settings: PruneSettings; document: PruneDocument };
  explain: { settings: ExplainSettings; document: ExplainDocument };
  reach: { settings: ReachSettings; document: ReachDocument };
  cover: { settings: CoverSettings; document: CoverDocument };
  branches: { settings: BranchesSettings; document: BranchesDocument };
  run: { settings: RunSettings; document: RunDocument };
  compare: { settings: CompareSettings; document: CompareDocument };
  generate: { settings: GenerateSettings; document: GenerateDocument };
  export: { settings: ExportSettings; document: ExportDocument };
  forms: { settings: FormsSettings; document: FormsDocument };
  criteria: { settings: CriteriaSettings; document: CriteriaAnswer };
  check: { settings: CheckSettings; document: CheckDocument };
  justify: { settings: JustifySettings; document: JustifyAnswer };
}
