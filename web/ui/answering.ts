// Works the answer out in the background: Cover, then Paths, both with the defaults and small limits, in an engine of their own, so
// that no run that somebody started is disturbed. The next edit cancels it.

import { signal } from "@preact/signals";
import { answerLength } from "./answer";
import type { Outcome } from "./engine";
import { type CoverDocument, MAX_LENGTH, type PathsDocument } from "./protocol";
import { aside, request } from "./session";
import { DEFAULTS } from "./settings";
import { type Known, known, stale } from "./state";

/** Steps of Cover, and of Paths: about a second each at most. */
export const ANSWER_LIMIT = 1_000_000;

/** A part of the answer: not yet there, there, or why not. */
export type Part<D> = { state: "waiting" } | { state: "done"; document: D; evidence: Blob | null; ms: number } | { state: "failed"; reason: string };

export interface Answer {
  of: Known;
  cover: Part<CoverDocument>;
  paths: Part<PathsDocument>;
}
export const answer = signal<Answer | null>(null);

function partOf<D>(outcome: Outcome<"cover"> | Outcome<"paths">): Part<D> | null {
  if (outcome.kind === "cancelled") return null;
  if (outcome.kind === "failed") return { state: "failed", reason: "the engine stopped" };
  const { reply, extra, ms } = outcome;
  if (reply.kind === "refused") return { state: "failed", reason: reply.diagnostics[0]?.message ?? "the program was refused" };
  return { state: "done", document: reply.document as D, evidence: extra.evidence ?? null, ms };
}

/** Answers for the program and function that are known now, unless that is done or under way. */
export async function answerNow(): Promise<void> {
  const of = known.peek();
  if (!of || stale.peek() || answer.peek()?.of === of) return;
  const waiting = { state: "waiting" } as const;
  answer.value = { of, cover: waiting, paths: waiting };
  const mine = (): boolean => answer.peek()?.of === of;
  const asked = request({ limit: ANSWER_LIMIT });
  const { unwind, algorithm } = DEFAULTS.cover;
  const cover = partOf<CoverDocument>(await aside.ask({ kind: "cover", request: asked, settings: { unwind, algorithm, summaries: false, precondition: null } }));
  if (!cover || !mine()) return;
  answer.value = { of, cover, paths: waiting };
  const paths = partOf<PathsDocument>(await aside.ask({ kind: "paths", request: asked, lengths: [answerLength(of.cfg, MAX_LENGTH)], feasible: true }));
  if (paths && mine()) answer.value = { of, cover, paths };
}

/** Forgets the answer, and what is being worked out of it. */
export function answerNoMore(): void {
  if (answer.peek() === null) return;
  answer.value = null;
  aside.cancel();
}
