// What the Paths tab is asked for.

import { MAX_LENGTH } from "../../protocol";
import { areLengths, Choice, LENGTHS_ALLOWED } from "../../state/settings";

export interface PathsChoice {
  /** As typed. */
  lengths: string;
  feasible: boolean;
}

export const pathsChoice = new Choice<PathsChoice>("paths", { lengths: "10,20,30,50", feasible: true }, (from, otherwise) => ({
  lengths: from.text("lengths", otherwise.lengths, areLengths, LENGTHS_ALLOWED),
  feasible: from.flag("feasible", otherwise.feasible),
}));

export const DRAW_MAX = 1_000;

/** What paths are drawn from: all of S, those of the transformed graph S′, or the feasible ones alone. */
export const DRAWN_FROM = ["all", "pruned", "feasible"] as const;
export type DrawnFrom = (typeof DRAWN_FROM)[number];

export interface DrawChoice {
  length: number;
  count: number;
  seed: number;
  from: DrawnFrom;
}

export const drawChoice = new Choice<DrawChoice>("draw", { length: 30, count: 12, seed: 1, from: "all" }, (from, otherwise) => ({
  length: from.whole("length", 0, MAX_LENGTH, otherwise.length),
  count: from.whole("count", 1, DRAW_MAX, otherwise.count),
  seed: from.whole("seed", 0, Number.MAX_SAFE_INTEGER, otherwise.seed),
  // Links from before there were three choices have a flag.
  from: from.among("from", DRAWN_FROM, from.flag("feasibleOnly", false) ? "feasible" : otherwise.from),
}));
