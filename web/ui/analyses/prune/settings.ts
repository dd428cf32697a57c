// What the Prune tab is asked for.

import { MAX_LENGTH, MAX_LOOKAHEAD } from "../../protocol";
import { Choice, PRECONDITION_MAX, areLengths, parseWhole } from "../../settings";

export const ABSTRACTIONS = ["learn", "havoc", "drop"] as const;
export type Abstraction = (typeof ABSTRACTIONS)[number];

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

/** The greatest red length, `null` for none, or what is wrong with it. */
export function parseRedLength(text: string): number | null | string {
  return text.trim() === "" ? null : parseWhole(text, 1, MAX_LENGTH);
}

const DEFAULTS: PruneChoice = { abstraction: "learn", restarts: true, lookahead: 16, maxRedLength: "", precondition: "", lengths: "10,20,30,50", feasible: true };

export const pruneChoice = new Choice<PruneChoice>("prune", DEFAULTS, (from, otherwise) => ({
  abstraction: from.among("abstraction", ABSTRACTIONS, otherwise.abstraction),
  restarts: from.flag("restarts", otherwise.restarts),
  lookahead: from.whole("lookahead", 0, MAX_LOOKAHEAD, otherwise.lookahead),
  maxRedLength: from.text("maxRedLength", otherwise.maxRedLength, (text) => typeof parseRedLength(text) !== "string"),
  precondition: from.text("precondition", otherwise.precondition, (text) => text.length <= PRECONDITION_MAX),
  lengths: from.text("lengths", otherwise.lengths, areLengths),
  feasible: from.flag("feasible", otherwise.feasible),
}));
