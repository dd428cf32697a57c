// What the Paths tab found: counts, and drawn paths.

import { signal } from "@preact/signals";
import type { DrawnPath, FeasibleBy, PathsRow } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import type { PathSource } from "../../state/state";
import type { DrawnFrom } from "./settings";

export interface PathsRun extends ProgramRun<"paths"> {
  rows: PathsRow[];
  /** What the feasible counts rest on, once that is known. */
  by: FeasibleBy | null;
}
export const pathsRun = signal<PathsRun | null>(null);

export interface DrawRun extends ProgramRun<"draw"> {
  from: DrawnFrom;
  population: string | null;
  paths: (DrawnPath | undefined)[];
}
export const drawRun = signal<DrawRun | null>(null);

export const drawn: PathSource = {
  id: "drawn",
  at: (index) => {
    const run = drawRun.value;
    const path = run?.paths[index];
    return run && path ? { title: `Path ${index + 1}`, path, run } : null;
  },
};
