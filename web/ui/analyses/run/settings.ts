// What the Run tab is asked for.

import { Choice } from "../../state/settings";

/** The input of a run, as typed: a text for each name, the values of `nondet()`, and the text on standard input. */
export interface RunChoice {
  values: Record<string, string>;
  nondet: string;
  stdin: string;
}

/** Longer texts are not taken from links. */
const INPUT_TEXT_MAX = 100_000;
const sound = (text: unknown): text is string => typeof text === "string" && text.length <= INPUT_TEXT_MAX;

export const runChoice = new Choice<RunChoice>(
  "run",
  { values: {}, nondet: "", stdin: "" },
  (from, otherwise) => ({
    values: Object.fromEntries(
      from
        .part("values")
        .entries()
        .filter((entry): entry is [string, string] => sound(entry[1])),
    ),
    nondet: from.text("nondet", otherwise.nondet, sound),
    stdin: from.text("stdin", otherwise.stdin, sound),
  }),
  true,
);
