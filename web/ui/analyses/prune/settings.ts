// What the Prune tab is asked for.

import { MAX_LENGTH, MAX_LOOKAHEAD } from "../../protocol";
import { areLengths, Choice, PRECONDITION_MAX, parseWhole } from "../../state/settings";

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
  lookahead: String(
    from.whole(
      "lookahead",
      0,
      MAX_LOOKAHEAD,
      from.text("lookahead", otherwise.lookahead, (text) => typeof parseLookahead(text) !== "string"),
    ),
  ),
  maxRedLength: from.text("maxRedLength", otherwise.maxRedLength, isOptionalLength),
  exactUpTo: from.text("exactUpTo", otherwise.exactUpTo, isOptionalLength),
  invariants: from.flag("invariants", otherwise.invariants),
  precondition: from.text("precondition", otherwise.precondition, (text) => text.length <= PRECONDITION_MAX),
  lengths: from.text("lengths", otherwise.lengths, areLengths),
  feasible: from.flag("feasible", otherwise.feasible),
}));
