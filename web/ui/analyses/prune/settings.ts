// What the Prune tab is asked for.

import { MAX_LENGTH, MAX_LOOKAHEAD } from "../../protocol";
import { areLengths, Choice, LENGTHS_ALLOWED, PRECONDITION_ALLOWED, PRECONDITION_MAX, parseWhole } from "../../state/settings";

export const ABSTRACTIONS = ["learn", "havoc", "drop"] as const;
export type Abstraction = (typeof ABSTRACTIONS)[number];

export interface PruneChoice {
  abstraction: Abstraction;
  restarts: boolean;
  /** As typed: empty for what is usual. */
  lookahead: string;
  /** As typed: empty for none. */
  maxRedLength: string;
  /** As typed: empty for none. */
  exactUpTo: string;
  invariants: boolean;
  precondition: string;
  lengths: string;
  feasible: boolean;
}

/** A length, `null` for none, or what is wrong with it. */
export function parseOptionalLength(text: string): number | null | string {
  return text.trim() === "" ? null : parseWhole(text, 1, MAX_LENGTH);
}

/** The lookahead, `null` for what is usual, or what is wrong with it. */
export function parseLookahead(text: string): number | null | string {
  return text.trim() === "" ? null : parseWhole(text, 0, MAX_LOOKAHEAD);
}

const isLookahead = (text: string): boolean => typeof parseLookahead(text) !== "string";
const LENGTH_ALLOWED = `a text with a number from 1 to ${MAX_LENGTH}, or ""`;
const isOptionalLength = (text: string): boolean => typeof parseOptionalLength(text) !== "string";

const DEFAULTS: PruneChoice = {
  abstraction: "learn",
  restarts: true,
  lookahead: "",
  maxRedLength: "",
  exactUpTo: "",
  invariants: true,
  precondition: "",
  lengths: "10,20,30,50",
  feasible: true,
};

export const pruneChoice = new Choice<PruneChoice>("prune", DEFAULTS, (from, otherwise) => ({
  abstraction: from.among("abstraction", ABSTRACTIONS, otherwise.abstraction),
  restarts: from.flag("restarts", otherwise.restarts),
  // Older links have a number.
  lookahead:
    typeof from.raw("lookahead") === "number"
      ? String(from.whole("lookahead", 0, MAX_LOOKAHEAD, otherwise.lookahead))
      : from.text("lookahead", otherwise.lookahead, isLookahead, `a number from 0 to ${MAX_LOOKAHEAD}, or ""`),
  maxRedLength: from.text("maxRedLength", otherwise.maxRedLength, isOptionalLength, LENGTH_ALLOWED),
  exactUpTo: from.text("exactUpTo", otherwise.exactUpTo, isOptionalLength, LENGTH_ALLOWED),
  invariants: from.flag("invariants", otherwise.invariants),
  precondition: from.text("precondition", otherwise.precondition, (text) => text.length <= PRECONDITION_MAX, PRECONDITION_ALLOWED),
  lengths: from.text("lengths", otherwise.lengths, areLengths, LENGTHS_ALLOWED),
  feasible: from.flag("feasible", otherwise.feasible),
}));
