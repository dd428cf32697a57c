// The answer in plain words: which branches and paths of the program can never run, as far as the documents of Cover, Branches and Paths
// say. Nothing is claimed beyond them: what is not proved is said to be open.

import type { BranchesSide, CfgDocument, CfgEdge, CoverDocument, DataModel, PathsDocument } from "../protocol";
import { grouped, plural, short } from "./numbers";

/** What a number of the answer leads to. */
export type Leads = "infeasible" | "cover" | "paths";
/** A piece of a sentence; one that leads somewhere is a link. */
export interface Piece {
  text: string;
  to?: Leads;
}
export type Sentence = readonly Piece[];

/** What is known of a branch or statement: some execution takes it, whether or not it comes to its end; none does; or neither is shown. */
export type Verdict = "runs" | "never" | "open";
/** What became of the sides of decisions, or of statements. */
export type Tally = Record<Verdict | "all", number>;

/** A branch by the edges of its copies, with the verdict on it. */
export type DecidedEdges = Pick<BranchesSide, "verdict" | "edges" | "assumes">;

/** Where verdicts come from: the same documents that the tabs show, and runs that were replayed before there is one. */
export interface Sources {
  covers: readonly CoverDocument[];
  branches: readonly (readonly DecidedEdges[])[];
  runs: readonly (readonly number[])[];
  /** At how many places runs fail, by the report. */
  failing: number;
}

/** What is known of each edge. A run beats a claim, a claim beats what is open. */
export function verdicts(cfg: CfgDocument, { covers, branches, runs }: Sources): ReadonlyMap<number, Verdict> {
  const of = new Map<number, Verdict>(cfg.edges.map(({ id }) => [id, "open"]));
  const say = (edges: readonly number[], verdict: Verdict): void => {
    for (const edge of edges) if (of.get(edge) === "open" || verdict === "runs") of.set(edge, verdict);
  };
  for (const { infeasible, never_completes, not_within, open, errors } of covers) {
    const left = new Set([infeasible, never_completes, not_within, open].flat().map(({ edge }) => edge));
    say(
      cfg.edges.flatMap(({ id }) => (left.has(id) ? [] : [id])),
      "runs",
    );
    // Executions take these, though they fail, never end, or end beyond the bound.
    for (const { edge, reached_by, reached_edges } of [...never_completes, ...not_within, ...open])
      if (reached_by !== null) say([edge, ...reached_edges], "runs");
    for (const { edges } of errors) say(edges, "runs");
    say(
      infeasible.map(({ edge }) => edge),
      "never",
    );
  }
  for (const { verdict, edges } of branches.flat()) if (verdict !== "open") say(edges, verdict === "covered" ? "runs" : "never");
  for (const edges of runs) say(edges, "runs");
  return of;
}

/** Of several copies of the same text, the first of these that one copy has: it never runs only if none of them does. */
const ORDER: readonly Verdict[] = ["runs", "open", "never"];

/** What is known of edges, those of one place of the text together, however often a function with it is inlined. */
function byPlace(edges: readonly CfgEdge[], known: ReadonlyMap<number, Verdict>): Tally {
  const places = new Map<string, Verdict[]>();
  for (const { id, place, kind, holds } of edges) {
    const key = `${place.start} ${place.end} ${kind} ${holds}`;
    places.set(key, [...(places.get(key) ?? []), known.get(id) ?? "open"]);
  }
  const tally: Tally = { all: 0, runs: 0, never: 0, open: 0 };
  for (const group of places.values()) {
    tally.all++;
    tally[ORDER.find((verdict) => group.includes(verdict))!]++;
  }
  return tally;
}

/** The branches of a program: the sides of the decisions of its text. */
export const branches = (cfg: CfgDocument, known: ReadonlyMap<number, Verdict>): Tally =>
  byPlace(
    cfg.edges.filter(({ holds, library }) => holds !== null && !library),
    known,
  );

/** The statements of its text. */
export const statements = (cfg: CfgDocument, known: ReadonlyMap<number, Verdict>): Tally =>
  byPlace(
    cfg.edges.filter(({ library }) => !library),
    known,
  );

/** The extent of the results: complete, partial after a stop, or still growing. */
export type Progress = "done" | "cancelled" | "running";

/** What the claims rest on that something never runs. */
function resting(sources: Sources): string {
  const rests = new Set(
    [
      ...sources.covers.flatMap(({ infeasible }) => infeasible),
      ...sources.branches.flat().filter(({ verdict }) => verdict === "infeasible"),
    ].flatMap(({ assumes }) => assumes),
  );
  return rests.size > 0 ? ` (assuming ${[...rests].join(", ")})` : "";
}

/** What is known of branches; of statements where that says more, as in a program without decisions. */
export function branchSentences(cfg: CfgDocument, sources: Sources, progress: Progress = "done"): Sentence[] {
  const known = verdicts(cfg, sources);
  const sides = branches(cfg, known);
  const all = statements(cfg, known);
  const byStatement = sides.all === 0 || (sides.never === 0 && all.never > 0);
  const { never, runs, open, all: total } = byStatement ? all : sides;
  const unit = (n: number): string => (byStatement ? plural(n, "statement") : plural(n, "branch", "branches"));
  const count = (text: string, to: Leads = "cover"): Piece => ({ text, to });
  const pieces: Piece[] = [];
  const settled = open === 0 && progress !== "running";
  if (progress === "cancelled" && open > 0) pieces.push({ text: "Cancelled: " });
  const whole = (): Piece => count(total === 1 ? `the only ${unit(1).slice(2)}` : `all ${unit(total)}`);
  const isOpen = !settled && runs === 0 && progress !== "running";
  if ((settled || isOpen) && never > 0) {
    pieces.push(count(`${grouped(never)} of ${unit(total)}`, "infeasible"), { text: " can never run" });
    if (isOpen) pieces.push({ text: ", " }, count(`${grouped(open)} open`));
  } else if (settled) pieces.push(whole(), { text: " can run" });
  else if (isOpen) pieces.push(whole(), { text: total === 1 ? " is open" : " are open" });
  else {
    pieces.push(count(`${grouped(runs)} of ${unit(total)}`), { text: progress === "running" ? " can run so far" : " can run" });
    if (never > 0) pieces.push({ text: ", " }, count(`${grouped(never)} never`, "infeasible"));
    if (progress !== "running") pieces.push({ text: ", " }, count(`${grouped(open)} open`));
  }
  if (never > 0) pieces.push({ text: resting(sources) });
  pieces.push({ text: progress === "running" ? "…" : "." });
  const [first, ...others] = pieces;
  // A sentence begins with a capital letter; digits have none.
  const sentence: Sentence = [
    { ...first!, text: first!.text.charAt(0).toUpperCase() + first!.text.slice(1) },
    ...others.filter(({ text }) => text !== ""),
  ];
  // Without a decision there is one path, and what is said of that says it all.
  const sentences = total === 0 || (settled && sides.all === 0 && never === 0) ? [] : [sentence];
  const errors = Math.max(sources.failing, ...sources.covers.map(({ errors }) => errors.length));
  if (errors > 0) sentences.push([{ text: "Runs fail in " }, { text: plural(errors, "place"), to: "cover" }, { text: "." }]);
  return sentences;
}

/** Which function this is about, and why, where it was not chosen. */
export const chosenSentence = ({ function: name, chosen_because: because }: CfgDocument): Sentence[] =>
  because === null ? [] : [[{ text: `This is about ${name}, since ${because.replaceAll("`", "")}.` }]];

/** How many bits `int`, `long` and pointers have. */
const SIZES: Record<DataModel, string> = { lp64: "32, 64, 64", ilp32: "32, 32, 32", llp64: "32, 32, 64", int16: "16, 32, 16" };

/** For which target this is, where it is not the usual one. */
export function targetSentence({ options }: CfgDocument): Sentence[] {
  const target = options?.target;
  if (!target) return [];
  return [[{ text: `For ${target.abi}: int, long and pointers of ${SIZES[target.abi]} bits, char ${target.char}.` }]];
}

/** Whether it is shown that no execution comes to the end. */
export function neverEnds(cfg: CfgDocument, known: ReadonlyMap<number, Verdict>): boolean {
  const last = cfg.edges.filter(({ to }) => to === cfg.exit);
  return last.length > 0 && last.every(({ id }) => known.get(id) === "never");
}

/** What is known of complete paths: all of them where there are no loops, else those of at most a length. */
export function pathSentences(cfg: CfgDocument, paths: PathsDocument, known: ReadonlyMap<number, Verdict> = new Map()): Sentence[] {
  const row = paths.table.at(-1);
  if (!row) return [];
  const all = cfg.loop_headers.length === 0 && row.length >= longest(cfg)!;
  const bound = all ? "" : ` of at most ${plural(row.length, "step")}`;
  if (row.total === "0") return [[{ text: "No path", to: "paths" }, { text: `${shortest(cfg) === null ? "" : bound} reaches the end.` }]];
  const rests = row.assumes.length === 0 ? "" : ` (assuming ${row.assumes.join(", ")})`;
  if (row.feasible === "0" && !all) {
    if (neverEnds(cfg, known)) return [[{ text: "No run", to: "paths" }, { text: " comes to the end: each fails or goes on for ever." }]];
    if (paths.shortest)
      return [
        [
          { text: `The shortest ${paths.shortest.exact ? "" : "known "}complete run needs ` },
          { text: plural(paths.shortest.length, "step"), to: "paths" },
          { text: `${rests}.` },
        ],
      ];
    return [
      [
        { text: "A complete run, if there is one, needs " },
        { text: `more than ${plural(row.length, "step")}`, to: "paths" },
        { text: `${rests}.` },
      ],
    ];
  }
  if (row.total === "1" && all && row.feasible !== null)
    return [
      [{ text: "1 path", to: "paths" }, { text: row.feasible === "1" ? `, it runs${rests}.` : `, it cannot run to its end${rests}.` }],
    ];
  // What is said of branches holds at every depth of calls.
  const deep = cfg.inline_depth === null ? "Of " : `With calls at most ${grouped(cfg.inline_depth)} deep, of `;
  const of: Piece[] = [
    { text: deep },
    { text: row.total === "1" ? "1 path" : `${short(row.total)} paths`, to: "paths" },
    { text: `${bound}, ` },
  ];
  if (row.feasible !== null)
    return [[...of, { text: row.feasible === "0" ? "none" : short(row.feasible), to: "paths" }, { text: ` can run${rests}.` }]];
  const least = row.feasible_at_least ?? "0";
  if (least === "0") return [[...of, { text: "how many can run is open." }]];
  return [[...of, { text: `at least ${short(least)}`, to: "paths" }, { text: ` can run${rests}; the rest is open.` }]];
}

/** The number of edges of the longest path from the entry; `null` where there are loops. */
export function longest(cfg: CfgDocument): number | null {
  const out = outgoing(cfg);
  const found = new Map<number, number>();
  const under = new Set<number>();
  // With its own stack: paths may be as long as programs are large.
  const stack = [cfg.entry];
  while (stack.length > 0) {
    const at = stack.at(-1)!;
    const next = out.get(at) ?? [];
    if (!under.has(at)) {
      under.add(at);
      for (const to of next) {
        if (under.has(to) && !found.has(to)) return null;
        if (!found.has(to)) stack.push(to);
      }
      continue;
    }
    stack.pop();
    if (!found.has(at))
      found.set(
        at,
        next.reduce((most, to) => Math.max(most, 1 + (found.get(to) ?? 0)), 0),
      );
  }
  return found.get(cfg.entry) ?? 0;
}

/** The number of edges of the shortest complete path; `null` if the exit is not reached at all. */
export function shortest(cfg: CfgDocument): number | null {
  const out = outgoing(cfg);
  const seen = new Set([cfg.entry]);
  let at = [cfg.entry];
  for (let length = 0; at.length > 0; length++) {
    if (at.includes(cfg.exit)) return length;
    at = [...new Set(at.flatMap((from) => out.get(from) ?? []))].filter((to) => !seen.has(to));
    at.forEach((to) => seen.add(to));
  }
  return null;
}

function outgoing(cfg: CfgDocument): Map<number, number[]> {
  const out = new Map<number, number[]>();
  for (const { from, to } of cfg.edges) out.set(from, [...(out.get(from) ?? []), to]);
  return out;
}

/** A usual length of paths where loops make them endless. */
const LENGTH = 30;

/** The length up to which paths are counted for the answer: all of them without loops, else few. */
export function answerLength(cfg: CfgDocument, most: number): number {
  const all = longest(cfg);
  if (all !== null) return Math.min(all, most);
  return Math.min(Math.max(LENGTH, 10 * Math.ceil(((shortest(cfg) ?? 0) + 1) / 10)), most);
}
