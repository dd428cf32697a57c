// What the Run tab is asked for.

import { Choice } from "../../state/settings";

/** The input of a run, as typed: a text for each object, the values of `nondet()`, the text on standard input, and whether the file ends there. */
export interface RunChoice {
  values: Record<string, string>;
  nondet: string;
  stdin: string;
  ends: boolean;
}

/** Longer texts are not taken from links. */
const INPUT_TEXT_MAX = 100_000;
const ALLOWED = `a text of at most ${INPUT_TEXT_MAX} characters`;
const sound = (text: unknown): text is string => typeof text === "string" && text.length <= INPUT_TEXT_MAX;

export const runChoice = new Choice<RunChoice>(
  "run",
  { values: {}, nondet: "", stdin: "", ends: true },
  (from, otherwise) => {
    const values = from.part("values");
    const entries = values.entries().filter((entry): entry is [string, string] => {
      if (!sound(entry[1])) values.wrong(entry[0], ALLOWED);
      return sound(entry[1]);
    });
    return {
      values: Object.fromEntries(entries),
      nondet: from.text("nondet", otherwise.nondet, sound, ALLOWED),
      stdin: from.text("stdin", otherwise.stdin, sound, ALLOWED),
      ends: from.flag("ends", otherwise.ends),
    };
  },
  true,
);
