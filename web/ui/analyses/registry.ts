// All analyses, in the order of their tabs: those of the answer, then the methods. One more is a folder beside this file with an object of analysis.ts in its
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
import { isPredicting } from "./report/predicting";
import { run } from "./run";

/** The tabs of the answer, and the proofs of all tabs. */
const ANSWER: readonly Analysis[] = [report, graph, paths, run];
/** The methods of the papers. */
export const METHODS: readonly Analysis[] = [prune, explain, reach, cover, branches];

export const analyses: readonly Analysis[] = [...ANSWER, checkOf([...ANSWER, ...METHODS]), ...METHODS];

export const analysisOf = (id: string): Analysis => analyses.find((analysis) => analysis.id === id) ?? analyses[0]!;

/** Whether a tab would tell what a person is to predict. */
export const isVeiled = (id: string): boolean => isPredicting.value && !["report", "graph", "run", "program"].includes(id);

/** What the analyses can be asked for. */
export const choices = analyses.flatMap(({ choices = [] }) => choices);
