// What the Branches tab is asked for.

import type { Input } from "../../protocol";
import { Choice } from "../../state/settings";
import { wrongInput } from "../run/input";

export const ORDERS = ["fair", "discovery"] as const;
/** Where tests to begin with come from. */
export const STARTS = ["nothing", "cover", "given"] as const;
/** So long the given tests may be. */
export const GIVEN_MAX = 100_000;

export interface BranchesChoice {
  order: (typeof ORDERS)[number];
  start: (typeof STARTS)[number];
  /** Inputs as JSON. */
  given: string;
  /** Whether other searches are given the same steps. */
  compare: boolean;
}

export const branchesChoice = new Choice<BranchesChoice>(
  "branches",
  { order: "fair", start: "nothing", given: "", compare: false },
  (from, otherwise) => ({
    order: from.among("order", ORDERS, otherwise.order),
    start: from.among("start", STARTS, otherwise.start),
    given: from.text("given", otherwise.given, (text) => text.length <= GIVEN_MAX, `a text of at most ${GIVEN_MAX} characters`),
    compare: from.flag("compare", otherwise.compare),
  }),
  true,
);

const SUCH = 'such as [{"x": 1}]';

/** The inputs in a JSON array, or in the tests of a document of `culdesac branches`; or what is wrong with it. */
export function readInputs(text: string): Input[] | string {
  if (text.trim() === "") return `Paste a JSON array of inputs, ${SUCH}.`;
  if (text.length > GIVEN_MAX) return `At most ${GIVEN_MAX.toLocaleString("en")} characters.`;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    // It says where.
    return `This is not JSON: ${error instanceof Error ? error.message : ""}`;
  }
  const part = (of: unknown, key: string): unknown =>
    typeof of === "object" && of !== null && !Array.isArray(of) ? (of as Record<string, unknown>)[key] : undefined;
  const list = part(data, "tests") ?? data;
  if (!Array.isArray(list)) return `A JSON array of inputs is needed, ${SUCH}.`;
  const inputs: unknown[] = list.map((one) => (typeof part(one, "input") === "object" ? part(one, "input") : one));
  const wrong = inputs.map(wrongInput);
  const at = wrong.findIndex((one) => one !== null);
  return at < 0 ? (inputs as Input[]) : `Test ${at + 1}: ${wrong[at]}`;
}
