// What the Reach tab is asked for.

import { DEFAULT_K, MAX_K } from "../../protocol";
import { Choice } from "../../state/settings";

/** So long the name of a target may be. */
export const TARGET_MAX = 200;

/** The Ks that the slider offers. */
export const STEPS = [0, 1, 2, 5, 10, 25, 50, 100, 250, MAX_K];

export interface ReachChoice {
  /** A line, `LINE:COLUMN`, a label, or the name of a function that is called; empty for the first error call. */
  target: string;
  /** The most rounds of each loop that the search looks at. */
  k: number;
}

export const reachChoice = new Choice<ReachChoice>("reach", { target: "", k: DEFAULT_K }, (from, otherwise) => ({
  target: from.text("target", otherwise.target, (text) => text.length <= TARGET_MAX, `a text of at most ${TARGET_MAX} characters`),
  k: from.whole("k", 0, MAX_K, otherwise.k),
}));
