// How the page asks for an analysis: the task's last run is stopped, the program is analysed, the question is put, what arrives is
// gathered and shown, and how it ended is noted. When a run is cancelled or the engine fails, what has arrived stays. Each run has an
// engine for itself, so runs of other tasks go on; those of a program that is not shown any more are stopped.

import { computed, type Signal, signal } from "@preact/signals";
import type { Engine } from "../engine/engine";
import type { DocumentOf, Name, SettingsOf } from "../engine/messages";
import type { Diagnostic, Event } from "../protocol";
import { analyse, freed, idleEngine, request } from "./engines";
import { type About, current, engineError, type Known } from "./state";

export type RunState = "running" | "done" | "cancelled" | "failed";
export interface Progress {
  steps: number;
  limit: number;
  text: string;
}

/** A run of an analysis: what was asked, how it stands, and what it found. */
export interface Run<A extends Name> {
  state: RunState;
  asked: SettingsOf<A>;
  /** The limit of its steps; `null` is the engine's own, as long as that has not told it. */
  limit: number | null;
  progress: Progress | null;
  document: DocumentOf<A> | null;
  /** Why it failed, or what is open. */
  note: string | null;
  /** What stands in the way, with its place. */
  refused: Diagnostic[];
  ms: number | null;
  /** The evidence file of what was found; there is none without claims, and none of a run that was cancelled. */
  evidence: Blob | null;
}
/** One that is about the program. */
export type ProgramRun<A extends Name> = Run<A> & About;

/** What a run has besides. */
type Rest<R extends Run<any>> = Omit<R, keyof ProgramRun<any>>;

export interface Options {
  /** Of steps; without it the task's own. */
  limit?: number;
}

/** After a run that its limit held back: the limit of a longer one, ten times as many steps. */
export function longer({ state, document, limit }: Run<any>): number | null {
  const steps = document?.statistics.steps;
  return state === "done" && document?.complete === false && limit !== null && steps >= limit ? 10 * limit : null;
}

/** A question that a tab puts to the engine, and what becomes of it. */
export interface Task<A extends Name = any, R extends Run<A> = any, O extends Options = any> {
  /** The analysis in the engine. */
  name: A;
  /** The last run. */
  run: Signal<R | null>;
  /** The limit of steps of a first run, if the page sets one. */
  limit?: number;
  /** Whether it is about no program. */
  alone?: boolean;
  /** Whether it is about all functions of the program, whichever is chosen. */
  whole?: boolean;
  /** Which engine answers it, if not one of those for long runs. */
  engine?: Engine;
  /** Whether what it is asked with is in order: if not, nothing is stopped for it. */
  ready?: () => boolean;
  /** What is asked, and what the run has besides at its beginning; `null` if there is nothing to ask. */
  question: (options: O, found: Known) => { settings: SettingsOf<A>; seed?: number; begin: Rest<R> } | null;
  /** A run begins: what was looked at of the last one is no longer there. */
  begins?: () => void;
  /** Takes events that have arrived; progress is taken without it. */
  arrived?: (run: R, events: Event[]) => Partial<R>;
  /** They are shown together at most once in so many milliseconds. */
  every?: number;
  /** What the document changes; `also` is what the worker made of it. */
  finished?: (run: R, document: DocumentOf<A>, also: unknown) => Partial<R>;
  /** What is open, in words. */
  open?: (document: DocumentOf<A>) => string | null;
  /** How it is told that the engine failed, where a link would not reproduce it. */
  gaveUp?: (message: string) => string;
  /** Of its evidence: what it is called, the end of its file's name, and what a person does to get it. */
  evidence?: { title: string; file: string; how: string };
}

/** The first events are shown within this many milliseconds, however seldom later ones are. */
const AT_FIRST = 40;

/** Hundreds of events may arrive at once: they are shown together, a few frames at a time, and more seldom where showing
 * them takes long. */
export function gathered<E>(show: (events: E[]) => void, least = AT_FIRST): { add: (event: E) => void; flush: () => void } {
  const waiting: E[] = [];
  let every = AT_FIRST;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const before = performance.now();
    if (waiting.length > 0) show(waiting.splice(0));
    every = Math.max(least, 8 * (performance.now() - before));
  };
  return {
    add: (event) => {
      waiting.push(event);
      timer ??= setTimeout(flush, every);
    },
    flush,
  };
}

/** The long runs that there have been, of each question the last one. */
const begun = signal<readonly Signal<Run<any> | null>[]>([]);
export const running = computed(() => begun.value.some(({ value }) => value?.state === "running"));

/** Which run of a task is the last one. */
const last = new WeakMap<Task, object>();
/** The engine that answers it. */
const working = new WeakMap<Signal<Run<any> | null>, Engine>();

/** Stops what was last asked for this run; what has arrived stays. */
export const stop = ({ run }: Pick<Task, "run">): void => working.get(run)?.cancel();

/** Waits until what was last asked has ended. */
export const ended = ({ run }: Pick<Task, "run">): Promise<void> =>
  new Promise((resolve) => {
    const end = run.subscribe((now) => {
      if (now?.state === "running") return;
      resolve();
      queueMicrotask(() => end());
    });
  });

/** From now on, what is shown as this run comes from that one, and is stopped with it. Gives what ends that. */
export function follow(shown: Signal<Run<any> | null>, from: Signal<Run<any> | null>): () => void {
  const engine = working.get(from);
  if (!engine) return () => {};
  working.set(shown, engine);
  return () => void (working.get(shown) === engine && working.delete(shown));
}

/** Whether it is about a program that is not shown any more. */
const isPast = (run: (Run<any> & Partial<About>) | null): boolean =>
  run?.cfg !== undefined && run.text !== undefined && !current(run as About);

/** Runs a task; its last run gives way. The run as it ended; `null` if it never began or gave way to another. */
export async function run<A extends Name, R extends Run<A>, O extends Options>(task: Task<A, R, O>, options: O): Promise<R | null> {
  if (task.ready?.() === false) return null;
  stop(task);
  const found = task.alone ? null : await analyse();
  if (!found && !task.alone) return null;
  // A task that is about no program does not look at it.
  const question = task.question(options, found as Known);
  if (!question) return null;
  // A background run stops no run that the user started.
  if (!task.gaveUp) for (const run of begun.peek()) if (run.peek()?.state === "running" && isPast(run.peek())) stop({ run });
  const engine = task.engine ?? idleEngine();
  working.set(task.run, engine);
  const { settings, seed = 0, begin } = question;
  const limit = options.limit ?? task.limit ?? null;
  const mine = {};
  last.set(task, mine);
  let now = {
    state: "running",
    asked: settings,
    limit,
    progress: null,
    document: null,
    note: null,
    refused: [],
    ms: null,
    evidence: null,
    ...(found && { cfg: found.cfg, text: found.text }),
    ...begin,
  } as unknown as R;
  // One that gave way hears of its end only when the next has begun.
  const update = (part: Partial<R>): void => {
    if (last.get(task) === mine) task.run.value = now = { ...now, ...part };
  };
  const settle = (part: Partial<Run<A>>): void => update(part as Partial<R>);
  task.begins?.();
  // What the page says of the engine is about an earlier question of a person. A task with words of its own leaves it standing.
  if (!task.gaveUp) engineError.value = null;
  update({});
  if (!task.engine && !begun.peek().includes(task.run)) begun.value = [...begun.peek(), task.run];
  const arrived = gathered<Event>((events) => task.arrived && update(task.arrived(now, events)), task.every);
  const outcome = await engine.ask(
    { name: task.name, request: found && { ...request({ seed, limit }), ...(task.whole && { function: null }) }, settings },
    (event) => {
      if (event.kind === "progress") settle({ progress: event, limit: event.limit });
      else arrived.add(event);
    },
  );
  if (working.get(task.run) === engine) working.delete(task.run);
  freed(engine);
  arrived.flush();
  if (outcome.kind === "cancelled") {
    settle({ state: "cancelled", progress: null });
  } else if (outcome.kind === "failed") {
    settle({ state: "failed", note: task.gaveUp?.(outcome.message) ?? outcome.message, progress: null });
    if (!task.gaveUp) engineError.value = outcome.message;
  } else if (outcome.reply.kind === "refused") {
    const { diagnostics: refused } = outcome.reply;
    settle({ state: "failed", note: refused[0]?.message ?? "The program was refused.", progress: null, refused });
  } else {
    const {
      reply: { document },
      extra,
      ms,
    } = outcome;
    const note = task.open?.(document) ?? null;
    update({
      ...({ state: "done", progress: null, document, note, ms, evidence: extra.evidence ?? null } as unknown as Partial<R>),
      ...task.finished?.(now, document, extra.also),
    });
  }
  return last.get(task) === mine ? now : null;
}
