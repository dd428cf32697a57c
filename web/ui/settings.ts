// The panes' settings: what a link restores. Everything that comes from outside is checked field by field; what is
// missing or odd falls back to the default.

/** The contract's bounds. */
export const LENGTH_MAX = 10_000;
export const LENGTHS_MAX = 50;
export const DRAW_MAX = 1_000;

/** Steps of a construction that are kept for looking at; with restarts there may be millions. */
export const SHOWN_STEPS = 50_000;
export const LOOKAHEAD_MAX = 200;
export const PRECONDITION_MAX = 1_000;

export const ABSTRACTIONS = ["learn", "havoc", "drop"] as const;
export type Abstraction = (typeof ABSTRACTIONS)[number];

/** What paths are drawn from: all of S, those of the transformed graph S′, or the feasible ones alone. */
export const DRAWN_FROM = ["all", "pruned", "feasible"] as const;
export type DrawnFrom = (typeof DRAWN_FROM)[number];

export const ORDERS = ["first", "last", "all"] as const;
export const STRENGTHS = ["integer", "rational", "interval"] as const;
export const EXTENSIONS = ["detours", "any_way"] as const;
/** The engine's bound, `MAX_INSTRUCTIONS` in crate/view/explain.rs. */
export const INSTRUCTIONS_MAX = 2_000;

export interface ExplainChoice {
  maxInstructions: number;
  order: (typeof ORDERS)[number];
  check: (typeof STRENGTHS)[number];
  extend: (typeof EXTENSIONS)[number];
  /** Of the rounds of drawing and explaining: the greatest length, and whether paths are drawn from S′. */
  rounds: { length: number; pruned: boolean };
}

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
  paths: { lengths: string; feasible: boolean };
  draw: { length: number; count: number; seed: number; from: DrawnFrom };
  prune: PruneChoice;
  explain: ExplainChoice;
}

export const DEFAULTS: Settings = {
  program: "program",
  tab: "graph",
  function: null,
  paths: { lengths: "10,20,30,50", feasible: true },
  draw: { length: 30, count: 12, seed: 1, from: "all" },
  prune: { abstraction: "learn", restarts: true, lookahead: 16, maxRedLength: "", precondition: "", lengths: "10,20,30,50", feasible: true },
  explain: { maxInstructions: 50, order: "first", check: "integer", extend: "detours", rounds: { length: 30, pruned: false } },
};

/** The lengths of a comma list, or what is wrong with it. */
export function parseLengths(text: string): number[] | string {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part === "")) return "Give at least one length, such as 10,20,30.";
  const lengths: number[] = [];
  for (const part of parts) {
    if (!/^\d+$/.test(part)) return part === "" ? "There is an empty place between two commas." : `“${part}” is not a whole number.`;
    const length = Number(part);
    if (length > LENGTH_MAX) return `${part} is outside 0 to 10,000.`;
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
  return text.trim() === "" ? null : parseWhole(text, 1, LENGTH_MAX);
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
    lookahead: whole(from["lookahead"], 0, LOOKAHEAD_MAX, otherwise.lookahead),
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
    maxInstructions: whole(from["maxInstructions"], 1, INSTRUCTIONS_MAX, otherwise.maxInstructions),
    order: among(ORDERS, "order", otherwise.order),
    check: among(STRENGTHS, "check", otherwise.check),
    extend: among(EXTENSIONS, "extend", otherwise.extend),
    rounds: { length: whole(rounds["length"], 0, LENGTH_MAX, otherwise.rounds.length), pruned: flag(rounds["pruned"], otherwise.rounds.pruned) },
  };
}

/** Settings from untrusted data. */
export function readSettings(data: unknown): Settings {
  const from = isRecord(data) ? data : {};
  const paths = isRecord(from["paths"]) ? from["paths"] : {};
  const draw = isRecord(from["draw"]) ? from["draw"] : {};
  const lengths = paths["lengths"];
  return {
    program: typeof from["program"] === "string" ? from["program"] : DEFAULTS.program,
    tab: typeof from["tab"] === "string" ? from["tab"] : DEFAULTS.tab,
    function: typeof from["function"] === "string" ? from["function"] : null,
    paths: {
      lengths: typeof lengths === "string" && typeof parseLengths(lengths) !== "string" ? lengths : DEFAULTS.paths.lengths,
      feasible: flag(paths["feasible"], DEFAULTS.paths.feasible),
    },
    draw: {
      length: whole(draw["length"], 0, LENGTH_MAX, DEFAULTS.draw.length),
      count: whole(draw["count"], 1, DRAW_MAX, DEFAULTS.draw.count),
      seed: whole(draw["seed"], 0, Number.MAX_SAFE_INTEGER, DEFAULTS.draw.seed),
      // Links from before there were three choices have a flag.
      from: DRAWN_FROM.find((name) => name === draw["from"]) ?? (draw["feasibleOnly"] === true ? "feasible" : DEFAULTS.draw.from),
    },
    prune: readPrune(from["prune"]),
    explain: readExplain(from["explain"]),
  };
}
