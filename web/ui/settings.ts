// The panes' settings: what a link restores. Everything that comes from outside is checked field by field; what is
// missing or odd falls back to the default.

import { grouped } from "./numbers";
import { type Ints, MAX_COMPARED_DIAMONDS, MAX_COMPARED_PROGRAMS, MAX_COMPARED_SEED, MAX_INLINE_DEPTH, MAX_INSTRUCTIONS, MAX_LENGTH, MAX_LOOKAHEAD, MAX_UNWIND } from "./protocol";

export const LENGTHS_MAX = 50;
export const DRAW_MAX = 1_000;

/** Steps of a construction that are kept for looking at; with restarts there may be millions. */
export const SHOWN_STEPS = 50_000;
export const PRECONDITION_MAX = 1_000;

export const ABSTRACTIONS = ["learn", "havoc", "drop"] as const;
export type Abstraction = (typeof ABSTRACTIONS)[number];

/** What paths are drawn from: all of S, those of the transformed graph S′, or the feasible ones alone. */
export const DRAWN_FROM = ["all", "pruned", "feasible"] as const;
export type DrawnFrom = (typeof DRAWN_FROM)[number];

export const ORDERS = ["first", "last", "all"] as const;
export const STRENGTHS = ["integer", "rational", "interval"] as const;
export const EXTENSIONS = ["detours", "any_way"] as const;

export interface ExplainChoice {
  maxInstructions: number;
  order: (typeof ORDERS)[number];
  check: (typeof STRENGTHS)[number];
  extend: (typeof EXTENSIONS)[number];
  /** Of the rounds of drawing and explaining: the greatest length, and whether paths are drawn from S′. */
  rounds: { length: number; pruned: boolean };
}

/** What integers can be; `null` in the settings is what is usual for the language. */
export const INTS = ["unbounded", "c32"] as const satisfies readonly Ints[];

/** The engine’s algorithms. */
export const ALGORITHMS = ["sc", "pc", "fm", "vstte", "prefer"] as const;

export interface CoverChoice {
  /** How often each loop's header may be returned to before the loop is left. */
  unwind: number;
  algorithm: (typeof ALGORITHMS)[number];
  /** Whether tests of called functions are used in place of their bodies first. */
  summaries: boolean;
  precondition: string;
}

/** Which random programs the covering algorithms are compared on. */
export interface CompareChoice {
  /** Whether the Cover tab shows this in place of the program's tests. */
  shown: boolean;
  least: number;
  most: number;
  /** How many programs of each size. */
  programs: number;
  seed: number;
  algorithms: readonly (typeof ALGORITHMS)[number][];
}

/** The input of a run, as typed: a text for each name, and the values of `nondet()`. */
export interface RunChoice {
  values: Record<string, string>;
  nondet: string;
}
/** Longer texts are not taken from links. */
const INPUT_TEXT_MAX = 100_000;

export interface PruneChoice {
  abstraction: Abstraction;
  restarts: boolean;
  lookahead: number;
  /** As typed: empty for none. */
  maxRedLength: string;
  precondition: string;
  lengths: string;
  feasible: boolean;
}

export interface Settings {
  /** The name of the example the text is, or `program`. */
  program: string;
  tab: string;
  function: string | null;
  ints: Ints | null;
  /** How often a function is inlined within itself; `null` is as often as is usual. */
  inlineDepth: number | null;
  paths: { lengths: string; feasible: boolean };
  draw: { length: number; count: number; seed: number; from: DrawnFrom };
  prune: PruneChoice;
  explain: ExplainChoice;
  cover: CoverChoice;
  compare: CompareChoice;
  run: RunChoice;
}

export const DEFAULTS: Settings = {
  program: "program",
  tab: "graph",
  function: null,
  ints: null,
  inlineDepth: null,
  paths: { lengths: "10,20,30,50", feasible: true },
  draw: { length: 30, count: 12, seed: 1, from: "all" },
  prune: { abstraction: "learn", restarts: true, lookahead: 16, maxRedLength: "", precondition: "", lengths: "10,20,30,50", feasible: true },
  explain: { maxInstructions: 50, order: "first", check: "integer", extend: "detours", rounds: { length: 30, pruned: false } },
  cover: { unwind: 3, algorithm: "prefer", summaries: false, precondition: "" },
  compare: { shown: false, least: 2, most: 9, programs: 3, seed: 0, algorithms: ["pc", "sc", "fm", "vstte", "prefer"] },
  run: { values: {}, nondet: "" },
};

/** The lengths of a comma list, or what is wrong with it. */
export function parseLengths(text: string): number[] | string {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part === "")) return "Give at least one length, such as 10,20,30.";
  const lengths: number[] = [];
  for (const part of parts) {
    if (!/^\d+$/.test(part)) return part === "" ? "There is an empty place between two commas." : `“${part}” is not a whole number.`;
    const length = Number(part);
    if (length > MAX_LENGTH) return `${part} is outside 0 to ${grouped(MAX_LENGTH)}.`;
    if (!lengths.includes(length)) lengths.push(length);
  }
  if (lengths.length > LENGTHS_MAX) return `At most ${LENGTHS_MAX} lengths at a time.`;
  return lengths.sort((a, b) => a - b);
}

/** A whole number from `low` to `high` in a text field, or what is wrong with it. */
export function parseWhole(text: string, low: number, high: number): number | string {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return "A whole number is needed.";
  const n = Number(trimmed);
  return n >= low && n <= high ? n : `From ${low.toLocaleString("en")} to ${high.toLocaleString("en")}.`;
}

/** The greatest red length, `null` for none, or what is wrong with it. */
export function parseRedLength(text: string): number | null | string {
  return text.trim() === "" ? null : parseWhole(text, 1, MAX_LENGTH);
}

const isRecord = (x: unknown): x is Record<string, unknown> => typeof x === "object" && x !== null && !Array.isArray(x);
const whole = (x: unknown, low: number, high: number, otherwise: number): number =>
  typeof x === "number" && Number.isInteger(x) && x >= low && x <= high ? x : otherwise;
const flag = (x: unknown, otherwise: boolean): boolean => (typeof x === "boolean" ? x : otherwise);

function readPrune(data: unknown): PruneChoice {
  const from = isRecord(data) ? data : {};
  const otherwise = DEFAULTS.prune;
  const text = (key: string, sound: (text: string) => boolean, fallback: string): string => {
    const given = from[key];
    return typeof given === "string" && sound(given) ? given : fallback;
  };
  return {
    abstraction: ABSTRACTIONS.find((name) => name === from["abstraction"]) ?? otherwise.abstraction,
    restarts: flag(from["restarts"], otherwise.restarts),
    lookahead: whole(from["lookahead"], 0, MAX_LOOKAHEAD, otherwise.lookahead),
    maxRedLength: text("maxRedLength", (given) => typeof parseRedLength(given) !== "string", otherwise.maxRedLength),
    precondition: text("precondition", (given) => given.length <= PRECONDITION_MAX, otherwise.precondition),
    lengths: text("lengths", (given) => typeof parseLengths(given) !== "string", otherwise.lengths),
    feasible: flag(from["feasible"], otherwise.feasible),
  };
}

function readExplain(data: unknown): ExplainChoice {
  const from = isRecord(data) ? data : {};
  const otherwise = DEFAULTS.explain;
  const rounds = isRecord(from["rounds"]) ? from["rounds"] : {};
  const among = <T extends string>(all: readonly T[], key: string, fallback: T): T => all.find((name) => name === from[key]) ?? fallback;
  return {
    maxInstructions: whole(from["maxInstructions"], 1, MAX_INSTRUCTIONS, otherwise.maxInstructions),
    order: among(ORDERS, "order", otherwise.order),
    check: among(STRENGTHS, "check", otherwise.check),
    extend: among(EXTENSIONS, "extend", otherwise.extend),
    rounds: { length: whole(rounds["length"], 0, MAX_LENGTH, otherwise.rounds.length), pruned: flag(rounds["pruned"], otherwise.rounds.pruned) },
  };
}

function readCover(data: unknown): CoverChoice {
  const from = isRecord(data) ? data : {};
  const otherwise = DEFAULTS.cover;
  const precondition = from["precondition"];
  return {
    unwind: whole(from["unwind"], 0, MAX_UNWIND, otherwise.unwind),
    algorithm: ALGORITHMS.find((name) => name === from["algorithm"]) ?? otherwise.algorithm,
    summaries: typeof from["summaries"] === "boolean" ? from["summaries"] : otherwise.summaries,
    precondition: typeof precondition === "string" && precondition.length <= PRECONDITION_MAX ? precondition : otherwise.precondition,
  };
}

function readCompare(data: unknown): CompareChoice {
  const from = isRecord(data) ? data : {};
  const otherwise = DEFAULTS.compare;
  const least = whole(from["least"], 1, MAX_COMPARED_DIAMONDS, otherwise.least);
  const most = whole(from["most"], 1, MAX_COMPARED_DIAMONDS, otherwise.most);
  const given = Array.isArray(from["algorithms"]) ? from["algorithms"] : [];
  const algorithms = otherwise.algorithms.filter((name) => given.includes(name));
  return {
    shown: flag(from["shown"], otherwise.shown),
    least: Math.min(least, most),
    most: Math.max(least, most),
    programs: whole(from["programs"], 1, MAX_COMPARED_PROGRAMS, otherwise.programs),
    seed: whole(from["seed"], 0, MAX_COMPARED_SEED, otherwise.seed),
    algorithms: algorithms.length > 0 ? algorithms : otherwise.algorithms,
  };
}

function readRun(data: unknown): RunChoice {
  const from = isRecord(data) ? data : {};
  const sound = (text: unknown): text is string => typeof text === "string" && text.length <= INPUT_TEXT_MAX;
  const values = Object.entries(isRecord(from["values"]) ? from["values"] : {}).filter((entry): entry is [string, string] => sound(entry[1]));
  return { values: Object.fromEntries(values), nondet: sound(from["nondet"]) ? from["nondet"] : "" };
}

/** Settings from untrusted data. */
export function readSettings(data: unknown): Settings {
  const from = isRecord(data) ? data : {};
  const paths = isRecord(from["paths"]) ? from["paths"] : {};
  const draw = isRecord(from["draw"]) ? from["draw"] : {};
  const lengths = paths["lengths"];
  const depth = whole(from["inlineDepth"], 0, MAX_INLINE_DEPTH, -1);
  return {
    program: typeof from["program"] === "string" ? from["program"] : DEFAULTS.program,
    tab: typeof from["tab"] === "string" ? from["tab"] : DEFAULTS.tab,
    function: typeof from["function"] === "string" ? from["function"] : null,
    ints: INTS.find((name) => name === from["ints"]) ?? null,
    inlineDepth: depth >= 0 ? depth : null,
    paths: {
      lengths: typeof lengths === "string" && typeof parseLengths(lengths) !== "string" ? lengths : DEFAULTS.paths.lengths,
      feasible: flag(paths["feasible"], DEFAULTS.paths.feasible),
    },
    draw: {
      length: whole(draw["length"], 0, MAX_LENGTH, DEFAULTS.draw.length),
      count: whole(draw["count"], 1, DRAW_MAX, DEFAULTS.draw.count),
      seed: whole(draw["seed"], 0, Number.MAX_SAFE_INTEGER, DEFAULTS.draw.seed),
      // Links from before there were three choices have a flag.
      from: DRAWN_FROM.find((name) => name === draw["from"]) ?? (draw["feasibleOnly"] === true ? "feasible" : DEFAULTS.draw.from),
    },
    prune: readPrune(from["prune"]),
    explain: readExplain(from["explain"]),
    cover: readCover(from["cover"]),
    compare: readCompare(from["compare"]),
    run: readRun(from["run"]),
  };
}
