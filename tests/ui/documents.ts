// Small documents for the tests, as the engine would make them.

import type { CfgDocument, CfgEdge } from "../../web/ui/protocol";

/** A graph from `from>to label` texts; `?` before the label is a decision's true side, `!` its false side. */
export function cfgOf(edges: readonly string[], extra: Partial<CfgDocument> = {}): CfgDocument {
  const made = edges.map((text, id): CfgEdge => {
    const [, from, to, mark, label] = /^(\d+)>(\d+) ([?!]?)(.*)$/.exec(text)!;
    const place = { line: id + 1, column: 1, end_line: id + 1, end_column: 2, start: 0, end: 1 };
    return {
      id,
      from: Number(from),
      to: Number(to),
      kind: mark ? "assume" : "assign",
      label: label!,
      line: id + 1,
      column: 1,
      place,
      holds: mark === "?" ? true : mark === "!" ? false : null,
      library: false,
      function: 0,
      passes: [],
    };
  });
  const size = Math.max(0, ...made.flatMap((e) => [e.from, e.to])) + 1;
  return {
    schema: 1,
    program: "p",
    function: "f",
    chosen_because: null,
    ints: "unbounded",
    inline_depth: null,
    complete: true,
    diagnostics: [],
    refused: [],
    functions: ["f"],
    reducible: true,
    inputs: [],
    nondet: false,
    stdin: false,
    assumable: [],
    assumptions: [],
    crowded_lines: [],
    statistics: { solver: { queries: 0, sat: 0, unsat: 0, unknown: 0, checked: 0 }, wall_ms: 0, steps: 0 },
    locations: Array.from({ length: size }, (_, id) => ({ id, line: id + 1, loop_header: false, dominator: null })),
    edges: made,
    entry: 0,
    entry_passes: [],
    exit: size - 1,
    error: null,
    loop_headers: [],
    ...extra,
  };
}

/** Merging two lists: three loops, nested decisions, back edges. */
export const merge = cfgOf(
  [
    "0>1 ia := 0",
    "1>2 ib := 0",
    "2>3 ?ia < la",
    "2>7 !ia >= la",
    "3>4 ?ib < lb",
    "3>7 !ib >= lb",
    "4>5 ?nondet() != 0",
    "4>6 !nondet() = 0",
    "5>2 ia := ia + 1",
    "6>2 ib := ib + 1",
    "7>8 ?ia < la",
    "7>9 !ia >= la",
    "8>7 ia := ia + 1",
    "9>10 ?ib < lb",
    "9>11 !ib >= lb",
    "10>9 ib := ib + 1",
  ],
  { loop_headers: [2, 7, 9] },
);
