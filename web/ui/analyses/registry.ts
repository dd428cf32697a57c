// All analyses, in the order of their tabs. One more is a folder beside this file with an object of analysis.ts in its
// index.ts, and a line here; if its events are results, if it has evidence, or if it is to be warmed up, a file worker.ts in
// the folder and a line in worker-registry.ts.

import type { Analysis } from "./analysis";
import { branches } from "./branches";
import { checkOf } from "./check";
import { cover } from "./cover";
import { explain } from "./explain";
import { graph } from "./graph";
import { paths } from "./paths";
import { prune } from "./prune";
import { reach } from "./reach";
import { report } from "./report";
import { run } from "./run";

const ANALYSES: readonly Analysis[] = [graph, paths, prune, explain, reach, cover, branches, report, run];

export const analyses: readonly Analysis[] = [...ANALYSES, checkOf(ANALYSES)];

export const analysisOf = (id: string): Analysis => analyses.find((analysis) => analysis.id === id) ?? analyses[0]!;

/** What the analyses can be asked for. */
export const choices = analyses.flatMap(({ choices = [] }) => choices);
