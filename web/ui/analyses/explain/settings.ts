// What the Explain tab is asked for.

import { MAX_INSTRUCTIONS, MAX_LENGTH } from "../../protocol";
import { Choice } from "../../state/settings";

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

const DEFAULTS: ExplainChoice = {
  maxInstructions: 50,
  order: "first",
  check: "integer",
  extend: "detours",
  rounds: { length: 30, pruned: false },
};

export const explainChoice = new Choice<ExplainChoice>("explain", DEFAULTS, (from, otherwise) => {
  const rounds = from.part("rounds");
  return {
    maxInstructions: from.whole("maxInstructions", 1, MAX_INSTRUCTIONS, otherwise.maxInstructions),
    order: from.among("order", ORDERS, otherwise.order),
    check: from.among("check", STRENGTHS, otherwise.check),
    extend: from.among("extend", EXTENSIONS, otherwise.extend),
    rounds: {
      length: rounds.whole("length", 0, MAX_LENGTH, otherwise.rounds.length),
      pruned: rounds.flag("pruned", otherwise.rounds.pruned),
    },
  };
});
