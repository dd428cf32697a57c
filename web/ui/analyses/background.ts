// Works the answer out in the background: Cover as its tab asks it, Branches where that leaves branches open, and beside them Paths with a
// small limit. No run that the user started is disturbed; the next edit cancels it. A tab that would ask the same shows the answer's run.

import { effect, type Signal, signal, untracked } from "@preact/signals";
import type { Name } from "../engine/messages";
import { type BranchesVerdict, MAX_LENGTH } from "../protocol";
import { aside } from "../state/engines";
import { follow, type ProgramRun, type Run, run, stop, type Task } from "../state/run";
import type { Choice } from "../state/settings";
import { current, type Known, known, stale } from "../state/state";
import { answerLength, branches, type Sources, verdicts } from "../text/headline";
import { branching } from "./branches/session";
import { branchesChoice } from "./branches/settings";
import { type BranchesRun, branchesRun, found, NOTHING } from "./branches/state";
import { covering } from "./cover/session";
import { coverChoice } from "./cover/settings";
import { type CoverRun, coverRun } from "./cover/state";
import { counting } from "./paths/session";
import type { PathsRun } from "./paths/state";
import { reportRun, sidesOf } from "./report/state";

/** Steps of Paths: about a second at most. */
const PATHS_LIMIT = 1_000_000;

/** How a part of the answer stands: not yet there, there, stopped, or why not. */
export type Part = { state: "waiting" | "done" | "cancelled" } | { state: "failed"; reason: string };

export interface Answer {
  of: Known;
  /** Of the branches. */
  branches: Part;
  paths: Part;
}
export const answer = signal<Answer | null>(null);

/** A task for the answer: nothing that is shown hears of it. */
const inBackground = <A extends Name, R extends Run<A>>(
  { begins: _, ready: __, ...task }: Task<A, R>,
  question: Task<A, R>["question"],
  more: Partial<Task<A, R>>,
): Task<A, R> => ({
  ...task,
  run: signal<R | null>(null),
  gaveUp: () => "the engine stopped",
  question,
  ...more,
});

/** One is asked after the other: the engine for the answer is theirs alone. */
const coverTask = inBackground<"cover", CoverRun>(
  covering,
  () => ({ settings: { ...coverChoice.defaults, precondition: null }, begin: { found: [] } }),
  { engine: aside },
);
const branchesTask = inBackground<"branches", BranchesRun>(
  branching,
  () => ({ settings: { tests: [], order: branchesChoice.defaults.order, baselines: false }, begin: NOTHING }),
  { engine: aside, finished: (_, document) => found(document) },
);
const pathsTask = inBackground<"paths", PathsRun>(
  counting,
  (_, { cfg }) => ({ settings: { lengths: [answerLength(cfg, MAX_LENGTH)], feasible: true }, begin: { rows: [], by: null } }),
  { limit: PATHS_LIMIT },
);

export const answerPaths = (): PathsRun | null => pathsTask.run.value;

/** A run for the displayed program. */
const ofProgram = <R extends ProgramRun<any>>(run: R | null): R[] => (run && current(run) ? [run] : []);
/** The answer's own run of Branches, and that of the tab. */
const branchesRuns = (): BranchesRun[] => [...ofProgram(branchesTask.run.value), ...ofProgram(branchesRun.value)];

/** Whether the results number the edges of the graph that is shown: where that would be too large, functions that call themselves have fewer
 * copies in the graph of an analysis. */
const isOfGraph = ({ cfg, document }: { cfg: Known["cfg"]; document?: { inline_depth: number | null } | null }): boolean =>
  !document || document.inline_depth === cfg.inline_depth;

/** The verdict of Branches on an edge. Tests count by their paths: a branch that is covered may have copies that no test takes. */
export function verdictOfBranches(edge: number): BranchesVerdict {
  const runs = branchesRuns().filter(isOfGraph);
  if (runs.some(({ tests }) => tests.some(({ edges }) => edges.includes(edge)))) return "covered";
  const isInfeasible = ({ list }: BranchesRun) => list.some((side) => side?.verdict === "infeasible" && side.edges.includes(edge));
  return runs.some(isInfeasible) ? "infeasible" : "open";
}

/** The results for the displayed program: of the answer's own runs, and of the runs of the tabs. */
export function sources(): Sources {
  // What holds under a precondition is no answer about the program.
  const own = ofProgram(coverRun.value).filter(({ asked }) => asked.precondition === null);
  const covers = [...ofProgram(coverTask.run.value), ...own].filter(isOfGraph);
  const reports = ofProgram(reportRun.value).flatMap((run) => (run.document ? [{ run, document: run.document }] : []));
  const failing = reports.map(({ document }) => document.findings.filter(({ kind }) => kind === "error").length);
  return {
    covers: covers.flatMap(({ document }) => (document ? [document] : [])),
    branches: [
      ...branchesRuns().map((run) => {
        const list = run.list.filter((side) => side !== undefined);
        return isOfGraph(run) ? list : sidesOf(run, { list });
      }),
      ...reports.map(({ run, document }) => sidesOf(run, document)),
    ],
    runs: [
      ...covers.flatMap(({ document, found }) => (document ? [] : found.map(({ path }) => path))),
      ...branchesRuns()
        .filter(isOfGraph)
        .flatMap(({ tests }) => tests.map(({ edges }) => edges)),
    ],
    failing: Math.max(0, ...failing),
  };
}

/** Whether what is open may still be settled: the branches are, before the statements between them. */
export const isAnswering = (): boolean =>
  answer.value?.branches.state === "waiting" || [coverTask.run.value, branchesTask.run.value].some((run) => run?.state === "running");

/** `null` if it gave way to another. */
async function partOf<A extends Name, R extends Run<A>>(task: Task<A, R>): Promise<Part | null> {
  const ended = await run(task, {});
  if (!ended) return null;
  if (ended.state === "cancelled") return { state: "cancelled" };
  return ended.document ? { state: "done" } : { state: "failed", reason: ended.note ?? "the program was refused" };
}

/** Answers for the program and function that are known now, unless that is done or under way. */
export async function answerNow(): Promise<void> {
  const of = known.peek();
  if (!of || stale.peek() || answer.peek()?.of === of) return;
  answer.value = { of, branches: { state: "waiting" }, paths: { state: "waiting" } };
  const tell = (part: Partial<Answer>): boolean => {
    const now = answer.peek();
    if (now?.of === of) answer.value = { ...now, ...part };
    return now?.of === of;
  };
  const paths = partOf(pathsTask).then((paths) => void (paths && tell({ paths })));
  const isOpen = (): boolean => branches(of.cfg, verdicts(of.cfg, untracked(sources))).open > 0;
  const isOver = (): boolean => answer.peek()?.of !== of;
  // A report may be the first to leave nothing open.
  const watched = effect(() => {
    if (!reportRun.value?.document || isOver() || isOpen()) return;
    tell({ branches: { state: "done" } });
    if (branchesTask.run.peek() !== untracked(() => branchesRun.value)) stop(branchesTask);
  });
  try {
    // Calls of functions by themselves have many ways through their copies: Cover takes longest there.
    const isDeep = of.cfg.inline_depth !== null;
    const first = isDeep ? await partOf(branchesTask) : null;
    if ((isDeep && !first) || isOver()) return;
    if (first && !isOpen()) tell({ branches: { state: "done" } });
    const cover = await partOf(coverTask);
    if (!cover || isOver()) return;
    // A program that Cover cannot unwind can have its branches tested all the same.
    const isLeft = !isDeep && (cover.state === "failed" || (cover.state === "done" && isOpen()));
    const rest = isLeft ? await partOf(branchesTask) : first;
    // What Cover said stays said, whatever becomes of the rest.
    tell({ branches: !isOpen() ? { state: "done" } : rest && rest.state !== "failed" ? rest : cover });
  } finally {
    watched();
  }
  await paths;
}

/** Forgets the answer, and what is being worked out of it. */
export function answerNoMore(): void {
  if (answer.peek() === null) return;
  answer.value = null;
  aside.cancel();
  stop(pathsTask);
}

/** Shows the answer's own run as that of a tab: one run for both, as long as the tab would ask the same. `null` if there is none that serves;
 * else what ends with it. */
function shared<R extends ProgramRun<any>>(shown: Signal<R | null>, of: Signal<R | null>, same: boolean): Promise<void> | null {
  const run = of.peek();
  if (!same || !run || !current(run) || (run.state !== "running" && run.state !== "done")) return null;
  let mine = (shown.value = run);
  if (run.state !== "running") return Promise.resolve();
  const leave = follow(shown, of);
  return new Promise((resolve) => {
    const end = effect(() => {
      const now = of.value;
      // Until another run is requested.
      const others = !now || untracked(() => shown.value) !== mine;
      if (!others) shown.value = mine = now;
      if (!others && now.state === "running") return;
      if (!others) leave();
      queueMicrotask(() => {
        end();
        resolve();
      });
    });
  });
}

const isUsual = <T extends object>({ value, defaults }: Choice<T>): boolean => JSON.stringify(value) === JSON.stringify(defaults);

/** The answer's run of Cover as the tab's, if it is the same; waits for one that is about to begin. */
export function sharedCover(): Promise<void> | null {
  const share = (): Promise<void> | null => shared(coverRun, coverTask.run, isUsual(coverChoice));
  const of = known.peek();
  const now = answer.peek();
  const isComing =
    isUsual(coverChoice) &&
    now !== null &&
    now.of === of &&
    now.branches.state === "waiting" &&
    !(coverTask.run.peek() && current(coverTask.run.peek()!));
  if (!isComing) return share();
  return new Promise((resolve) => {
    const end = effect(() => {
      const [run, now] = [coverTask.run.value, answer.value];
      const is = run !== null && current(run);
      if (now?.of === of && now.branches.state === "waiting" && !is) return;
      queueMicrotask(() => {
        end();
        void (async () => void (is && (await share())))().then(resolve);
      });
    });
  });
}

/** The answer's run of Branches as the tab's, if it is the same. */
export const sharedBranches = (): Promise<void> | null => shared(branchesRun, branchesTask.run, isUsual(branchesChoice));
