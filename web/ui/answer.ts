// The answer in plain words: which branches and paths of the program can never run, as far as the documents of Cover and Paths
// say. Nothing is claimed beyond them: what is open is said to be open, what is bounded is said with its bound.

import { grouped, plural, short } from "./numbers";
import type { CfgDocument, CfgEdge, CoverDocument, PathsDocument } from "./protocol";

/** What a number of the answer leads to. */
export type Leads = "infeasible" | "cover" | "paths";
/** A piece of a sentence; one that leads somewhere is a link. */
export interface Piece {
  text: string;
  to?: Leads;
}
export type Sentence = readonly Piece[];

/** What became of the sides of decisions, or of statements. */
export interface Tally {
  all: number;
  /** Some execution takes it. */
  runs: number;
  /** No execution takes it. */
  never: number;
  /** None within the bound does. */
  within: number;
  open: number;
}

type Verdict = keyof Omit<Tally, "all">;
/** Of several copies of the same text, the first of these that one copy has: it never runs only if none of them does. */
const ORDER: readonly Verdict[] = ["runs", "open", "within", "never"];

function verdicts({ infeasible, never_completes, not_within, open }: CoverDocument): Map<number, Verdict> {
  const of = new Map<number, Verdict>();
  for (const { edge } of infeasible) of.set(edge, "never");
  // Executions take these, though they fail or never end.
  for (const { edge } of never_completes) of.set(edge, "runs");
  for (const { edge } of not_within) of.set(edge, "within");
  for (const { edge } of open) of.set(edge, "open");
  return of;
}

function tally(groups: Iterable<readonly Verdict[]>): Tally {
  const counts: Tally = { all: 0, runs: 0, never: 0, within: 0, open: 0 };
  for (const group of groups) {
    counts.all++;
    counts[ORDER.find((verdict) => group.includes(verdict))!]++;
  }
  return counts;
}

/** What is known of edges, those of one place of the text together, however often a function with it is inlined. */
function byPlace(edges: readonly CfgEdge[], cover: CoverDocument): Tally {
  const of = verdicts(cover);
  const places = new Map<string, Verdict[]>();
  for (const { id, place, kind, holds } of edges) {
    const key = `${place.start} ${place.end} ${kind} ${holds}`;
    places.set(key, [...(places.get(key) ?? []), of.get(id) ?? "runs"]);
  }
  return tally(places.values());
}

/** The branches of a program: the sides of the decisions of its text. */
export const branches = (cfg: CfgDocument, cover: CoverDocument): Tally => byPlace(cfg.edges.filter(({ holds, library }) => holds !== null && !library), cover);

/** The statements of its text. */
export const statements = (cfg: CfgDocument, cover: CoverDocument): Tally => byPlace(cfg.edges.filter(({ library }) => !library), cover);

const isAre = (n: number): string => (n === 1 ? "is" : "are");

/** What is known of branches; of statements where that says more, as in a program without decisions. */
export function branchSentences(cfg: CfgDocument, cover: CoverDocument): Sentence[] {
  const sides = branches(cfg, cover);
  const all = statements(cfg, cover);
  const byStatement = sides.all === 0 || (sides.never === 0 && all.never > 0);
  const { never, runs, within, open, all: total } = byStatement ? all : sides;
  const unit = (n: number): string => (byStatement ? plural(n, "statement") : plural(n, "branch", "branches"));
  const pieces: Piece[] = [];
  if (cfg.inline_depth !== null) pieces.push({ text: `With calls at most ${grouped(cfg.inline_depth)} deep, ` });
  const rest = [
    ...(within > 0 ? [`${grouped(within)} cannot within ${plural(cover.unwind, "round")} of the loops`] : []),
    ...(open > 0 ? [`${grouped(open)} ${isAre(open)} open`] : []),
  ];
  if (total === 0) return [[{ text: "There is nothing to run." }]];
  if (never > 0) pieces.push({ text: `${grouped(never)} of ${unit(total)}`, to: "infeasible" }, { text: " can never run" });
  else if (runs === total) pieces.push({ text: total === 1 ? `the only ${unit(1).slice(2)}` : `all ${unit(total)}`, to: "cover" }, { text: " can run" });
  else pieces.push({ text: `${grouped(runs)} of ${unit(total)}`, to: "cover" }, { text: " can run" });
  for (const [at, text] of rest.entries()) pieces.push({ text: at === 0 && rest.length === 1 ? ", and " : ", " }, { text, to: "cover" });
  const rests = [...new Set(cover.infeasible.flatMap(({ assumes }) => assumes))];
  if (never > 0 && rests.length > 0) pieces.push({ text: ` (assuming ${rests.join(", ")})` });
  pieces.push({ text: "." });
  const [first, ...others] = pieces;
  // A sentence begins with a capital letter; digits have none.
  const sentences: Sentence[] = [[{ ...first!, text: first!.text.charAt(0).toUpperCase() + first!.text.slice(1) }, ...others]];
  if (cover.errors.length > 0) sentences.push([{ text: "Runs fail in " }, { text: plural(cover.errors.length, "place"), to: "cover" }, { text: "." }]);
  return sentences;
}

/** Which function this is about, and why, where nobody chose it. */
export const chosenSentence = ({ function: name, chosen_because: because }: CfgDocument): Sentence[] =>
  because === null ? [] : [[{ text: `This is about ${name}, since ${because.replaceAll("`", "")}.` }]];

/** What is known of complete paths: all of them where there are no loops, else those of at most a length. */
export function pathSentences(cfg: CfgDocument, paths: PathsDocument): Sentence[] {
  const row = paths.table.at(-1);
  if (!row) return [];
  const bound = cfg.loop_headers.length > 0 || row.length < longest(cfg)! ? ` of at most ${plural(row.length, "step")}` : "";
  if (row.total === "0") return [[{ text: "No path", to: "paths" }, { text: `${bound} reaches the end.` }]];
  const of: Piece[] = [{ text: "Of " }, { text: row.total === "1" ? "1 path" : `${short(row.total)} paths`, to: "paths" }, { text: `${bound}, ` }];
  const rests = row.assumes.length === 0 ? "" : ` (assuming ${row.assumes.join(", ")})`;
  if (row.feasible !== null) return [[...of, { text: row.feasible === "0" ? "none" : short(row.feasible), to: "paths" }, { text: ` can run${rests}.` }]];
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
    if (!found.has(at)) found.set(at, next.reduce((most, to) => Math.max(most, 1 + (found.get(to) ?? 0)), 0));
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
