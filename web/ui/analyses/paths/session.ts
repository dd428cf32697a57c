// What the Paths tab asks.

import { run, type Task } from "../../state/run";
import { areLengths, parseLengths } from "../../state/settings";
import { leavePaths } from "../../state/state";
import { graphSettings } from "../prune/session";
import { drawChoice, pathsChoice } from "./settings";
import { type DrawRun, drawn, drawRun, type PathsRun, pathsRun } from "./state";

/** Counts paths by length. */
export const counting: Task<"paths", PathsRun> = {
  name: "paths",
  run: pathsRun,
  ready: () => areLengths(pathsChoice.value.lengths),
  question: () => {
    const { lengths: typed, feasible } = pathsChoice.value;
    const lengths = parseLengths(typed);
    return typeof lengths === "string" ? null : { settings: { lengths, feasible }, begin: { rows: [], by: null } };
  },
  arrived: ({ rows }, events) => {
    const found = events.flatMap((event) => (event.kind === "row" ? [event.row] : []));
    const lengths = new Set(found.map(({ length }) => length));
    return { rows: [...rows.filter(({ length }) => !lengths.has(length)), ...found].sort((a, b) => a.length - b.length) };
  },
  finished: (_, document) => ({ rows: document.table, by: document.feasible_by }),
  open: (document) => document.open,
  evidence: { title: "Counted paths", file: "counted", how: "count feasible paths" },
};
export const countPaths = () => run(counting, {});

/** Draws paths and settles each. */
export const drawing: Task<"draw", DrawRun> = {
  name: "draw",
  run: drawRun,
  question: () => {
    const { length, count, seed, from } = drawChoice.value;
    const pruned = from === "pruned" ? graphSettings() : null;
    if (typeof pruned === "string") return null;
    return { settings: { length, count, feasible_only: from === "feasible", pruned }, seed, begin: { from, population: null, paths: [] } };
  },
  begins: () => leavePaths(drawn),
  arrived: (run, events) => {
    const paths = [...run.paths];
    for (const event of events) if (event.kind === "path") paths[event.index] = event.path;
    return { paths };
  },
  finished: (_, { paths, population }) => ({ paths, population }),
  open: (document) => document.open,
  evidence: { title: "Drawn paths", file: "drawn", how: "draw some" },
};
export const drawPaths = () => run(drawing, {});
drawn.again = async () => {
  if (drawRun.value === null) await drawPaths();
};
