// The covering algorithms on random programs: what is asked, and what the runs come to.

import { signal } from "@preact/signals";
import type { ComparedRun } from "../../protocol";
import { type Run, run, type Task } from "../../state/run";
import { type CompareChoice, compareChoice } from "./settings";

/** Of no program that is shown. */
export interface ComparisonRun extends Run<"compare"> {
  /** As they arrive. */
  runs: ComparedRun[];
}
export const comparisonRun = signal<ComparisonRun | null>(null);

/** How many runs there will be. */
export const runsOf = ({
  least,
  most,
  programs,
  algorithms,
}: Pick<CompareChoice, "least" | "most" | "programs"> & { algorithms: readonly string[] }): number =>
  (most - least + 1) * programs * algorithms.length;

/** Covers random programs by each of the chosen algorithms. */
export const comparing: Task<"compare", ComparisonRun> = {
  name: "compare",
  run: comparisonRun,
  alone: true,
  question: () => {
    const { least, most, programs, seed, algorithms } = compareChoice.value;
    return { settings: { least, most, programs, seed, algorithms: [...algorithms], limit: null }, begin: { runs: [] } };
  },
  arrived: ({ asked, runs: before }, events) => {
    const runs = before.concat(events.flatMap((event) => (event.kind === "compared" ? [event.run] : [])));
    return { runs, progress: { steps: runs.length, limit: runsOf(asked), text: `${runs.at(-1)?.diamonds} diamonds` } };
  },
  every: 200,
  finished: (_, { runs }) => ({ runs }),
};
export const compareAll = () => run(comparing, {});

/** The runs of those programs that every algorithm has covered: only they can be compared. */
export function comparable(runs: readonly ComparedRun[], algorithms: number): ComparedRun[] {
  const count = new Map<string, number>();
  const key = ({ diamonds, seed }: ComparedRun): string => `${diamonds} ${seed}`;
  for (const run of runs) count.set(key(run), (count.get(key(run)) ?? 0) + 1);
  return runs.filter((run) => count.get(key(run)) === algorithms);
}

export interface Tally {
  programs: number;
  queries: number;
  tests: number;
  us: number;
  /** Runs that did not come to their end within the limit. */
  open: number;
  /** The least and the most of a program. */
  queriesFrom: number;
  queriesTo: number;
  usFrom: number;
  usTo: number;
}

/** What an algorithm's runs come to, of one size or of all; `null` without runs. */
export function tally(runs: readonly ComparedRun[], algorithm: string, diamonds?: number): Tally | null {
  const own = runs.filter((run) => run.algorithm === algorithm && (diamonds === undefined || run.diamonds === diamonds));
  if (own.length === 0) return null;
  const sum = (of: (run: ComparedRun) => number): number => own.reduce((all, run) => all + of(run), 0);
  const [queries, us] = [own.map((run) => run.queries), own.map((run) => run.time_us)];
  return {
    programs: own.length,
    queries: sum((run) => run.queries),
    tests: sum((run) => run.tests),
    us: sum((run) => run.time_us),
    open: sum((run) => (run.complete ? 0 : 1)),
    queriesFrom: Math.min(...queries),
    queriesTo: Math.max(...queries),
    usFrom: Math.min(...us),
    usTo: Math.max(...us),
  };
}

/** Every single run, for a spreadsheet. */
export function csvOf(runs: readonly ComparedRun[]): string {
  const rows = runs.map((run) => [run.diamonds, run.seed, run.algorithm, run.queries, run.tests, run.time_us, run.complete].join(","));
  return ["diamonds,seed,algorithm,queries,tests,time_us,complete", ...rows, ""].join("\n");
}
