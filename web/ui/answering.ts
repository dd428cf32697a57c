// Works the answer out in the background: Cover, then Paths, both with the defaults and small limits, in an engine of their own, so
// that no run that somebody started is disturbed. The next edit cancels it.

import { signal } from "@preact/signals";
import { covering } from "./analyses/cover/session";
import { coverChoice } from "./analyses/cover/settings";
import type { CoverRun } from "./analyses/cover/state";
import { counting } from "./analyses/paths/session";
import type { PathsRun } from "./analyses/paths/state";
import { answerLength } from "./answer";
import type { DocumentOf, Name } from "./messages";
import { MAX_LENGTH } from "./protocol";
import { type Run, type Task, run } from "./run";
import { aside } from "./session";
import { type Known, known, stale } from "./state";

/** Steps of Cover, and of Paths: about a second each at most. */
const ANSWER_LIMIT = 1_000_000;

/** A part of the answer: not yet there, there, or why not. */
export type Part<A extends Name, R extends Run<A>> = { state: "waiting" } | { state: "done"; document: DocumentOf<A>; run: R } | { state: "failed"; reason: string };

export interface Answer {
  of: Known;
  cover: Part<"cover", CoverRun>;
  paths: Part<"paths", PathsRun>;
}
export const answer = signal<Answer | null>(null);

/** A task for the answer: nothing that is shown hears of it. */
const inBackground = <A extends Name, R extends Run<A>>({ begins: _, ready: __, arrived: ___, ...task }: Task<A, R>, question: Task<A, R>["question"]): Task<A, R> => ({
  ...task,
  run: signal<R | null>(null),
  engine: aside,
  limit: ANSWER_LIMIT,
  gaveUp: () => "the engine stopped",
  question,
});

const coverTask = inBackground(covering, () => ({ settings: { ...coverChoice.defaults, precondition: null }, begin: { found: [] } }));
const pathsTask = inBackground(counting, (_, { cfg }) => ({ settings: { lengths: [answerLength(cfg, MAX_LENGTH)], feasible: true }, begin: { rows: [], by: null } }));

/** `null` if it was cancelled. */
async function partOf<A extends Name, R extends Run<A>>(task: Task<A, R>): Promise<Part<A, R> | null> {
  const ended = await run(task, {});
  if (!ended || ended.state === "cancelled") return null;
  return ended.document ? { state: "done", document: ended.document, run: ended } : { state: "failed", reason: ended.note ?? "the program was refused" };
}

/** Answers for the program and function that are known now, unless that is done or under way. */
export async function answerNow(): Promise<void> {
  const of = known.peek();
  if (!of || stale.peek() || answer.peek()?.of === of) return;
  const waiting = { state: "waiting" } as const;
  answer.value = { of, cover: waiting, paths: waiting };
  const mine = (): boolean => answer.peek()?.of === of;
  const cover = await partOf(coverTask);
  if (!cover || !mine()) return;
  answer.value = { of, cover, paths: waiting };
  const paths = await partOf(pathsTask);
  if (paths && mine()) answer.value = { of, cover, paths };
}

/** Forgets the answer, and what is being worked out of it. */
export function answerNoMore(): void {
  if (answer.peek() === null) return;
  answer.value = null;
  aside.cancel();
}
