// The one way in which the page asks for an analysis, with an engine that answers when told to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { signal } from "@preact/signals";
import type { Extra } from "../../web/ui/engine/messages";
import type { Event, PathsDocument, PathsRow } from "../../web/ui/protocol";
import { type Options, type ProgramRun, type Run, run, running, stop, type Task } from "../../web/ui/state/run";
import { engineError, known, text } from "../../web/ui/state/state";
import { merge } from "./documents";
import { FakeWorker } from "./harness";

Object.assign(globalThis, { Worker: FakeWorker });

interface Counted extends ProgramRun<"paths"> {
  rows: number[];
}

/** A task as an analysis has one, over a program that is known. */
function counting(more: Partial<Task<"paths", Counted>> = {}): Task<"paths", Counted> {
  text.value = Text.of(["int f();"]);
  known.value = { cfg: merge, text: text.value, asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 1 };
  engineError.value = null;
  return {
    name: "paths",
    run: signal<Counted | null>(null),
    question: () => ({ settings: { lengths: [3], feasible: true }, seed: 7, begin: { rows: [] } }),
    arrived: ({ rows }, events) => ({ rows: rows.concat(events.flatMap((event) => (event.kind === "row" ? [event.row.length] : []))) }),
    ...more,
  };
}

const ready = new Set<FakeWorker>();
const seen = new Set<object>();
/** What has been asked since, once it has. */
async function asked(): Promise<{ worker: FakeWorker; id: number; question: FakeWorker["sent"][number]["question"] }> {
  await new Promise((resolve) => setTimeout(resolve));
  for (const worker of FakeWorker.made)
    if (!worker.ended && !ready.has(worker)) {
      worker.say({ kind: "ready", version: "1" });
      ready.add(worker);
    }
  const found = FakeWorker.made
    .flatMap((worker) => worker.sent.map((message) => ({ worker, message })))
    .find(({ message }) => !seen.has(message))!;
  seen.add(found.message);
  return { worker: found.worker, ...found.message };
}

const row = (length: number): Event => ({
  kind: "row",
  row: { length, total: "1", feasible: null, feasible_at_least: null, assumes: [], statics: null } satisfies PathsRow,
});
const document = { table: [], open: "too long", feasible_by: null } as unknown as PathsDocument;

async function answer(to: { worker: FakeWorker; id: number }, extra: Extra = {}): Promise<void> {
  to.worker.say({ kind: "answer", id: to.id, reply: { kind: "document", document }, extra, ms: 5 });
}

test("a question is put with what is set, and its answer ends the run", async () => {
  const task = counting({
    limit: 9,
    open: (document) => document.open,
    finished: (now, _, also) => ({ rows: [...now.rows, also as number] }),
  });
  const ended = run(task, {});
  const last = await asked();
  assert.deepEqual(
    [last.question.name, last.question.settings, last.question.request?.limit, last.question.request?.seed],
    ["paths", { lengths: [3], feasible: true }, 9, 7],
  );
  assert.deepEqual([task.run.value?.state, task.run.value?.cfg, task.run.value?.limit, running.value], ["running", merge, 9, true]);
  last.worker.say({ kind: "event", id: last.id, event: { kind: "progress", steps: 1, limit: 9, text: "" } });
  assert.equal(task.run.value?.progress?.steps, 1);
  last.worker.say({ kind: "event", id: last.id, event: row(3) });
  const evidence = new Blob(["{}"]);
  await answer(last, { evidence, also: 4 });
  const { state, rows, note, ms, progress, evidence: file, document: found } = (await ended)!;
  assert.deepEqual([state, rows, note, ms, progress, file, found], ["done", [3, 4], "too long", 5, null, evidence, document]);
  assert.deepEqual([task.run.value?.state, running.value], ["done", false]);
});

test("more steps are taken on request", async () => {
  const task = counting({ limit: 9 });
  void run(task, { limit: 90 });
  assert.equal((await asked()).question.request?.limit, 90);
  assert.equal(task.run.value?.limit, 90);
  stop(task);
});

test("cancelling keeps what has arrived, even what was not shown yet", async () => {
  const task = counting({ every: 60_000 });
  const ended = run(task, {});
  const last = await asked();
  last.worker.say({ kind: "event", id: last.id, event: row(1) });
  last.worker.say({ kind: "event", id: last.id, event: row(2) });
  assert.deepEqual(task.run.value?.rows, []);
  stop(task);
  assert.deepEqual(
    [(await ended)?.state, task.run.value?.rows, task.run.value?.evidence, running.value],
    ["cancelled", [1, 2], null, false],
  );
});

test("a run gives way to the next one of the same question: its end and what comes late are dropped", async () => {
  const task = counting({ alone: true });
  const first = run(task, {});
  const before = await asked();
  before.worker.say({ kind: "event", id: before.id, event: row(1) });
  const states: string[] = [];
  const leave = task.run.subscribe((now) => states.push(`${now?.state} ${now?.rows}`));
  const second = run(task, {});
  const after = await asked();
  await answer(before);
  assert.equal(await first, null);
  after.worker.say({ kind: "event", id: after.id, event: row(2) });
  await answer(after);
  assert.deepEqual((await second)?.rows, [2]);
  leave();
  assert.ok(!states.some((state) => state.startsWith("cancelled")), states.join());
  assert.equal(task.run.value?.state, "done");
});

test("another question has an engine of its own: what runs goes on, and each is stopped by itself", async () => {
  const [one, other, third] = [counting(), counting(), counting()];
  const [first, before] = [run(one, {}), await asked()];
  const [second, beside] = [run(other, {}), await asked()];
  const [last, after] = [run(third, {}), await asked()];
  assert.equal(new Set([before.worker, beside.worker, after.worker]).size, 3);
  assert.deepEqual(
    [one, other, third].map(({ run }) => run.value?.state),
    ["running", "running", "running"],
  );
  stop(other);
  assert.equal((await second)?.state, "cancelled");
  await answer(after);
  assert.deepEqual([(await last)?.state, one.run.value?.state, running.value], ["done", "running", true]);
  await answer(before);
  assert.deepEqual([(await first)?.state, running.value], ["done", false]);
  // Of the other engines, no idle one is kept.
  assert.deepEqual([beside.worker.ended, after.worker.ended], [true, true]);
});

test("a run about an earlier program is stopped by the next question", async () => {
  const past = counting();
  const first = run(past, {});
  await asked();
  const next = counting();
  text.value = Text.of(["int g();"]);
  known.value = { ...known.value!, text: text.value };
  const second = run(next, {});
  await answer(await asked());
  assert.deepEqual([(await second)?.state, (await first)?.state], ["done", "cancelled"]);
});

test("an engine that fails is said, and what has arrived stays", async () => {
  const task = counting();
  const ended = run(task, {});
  const last = await asked();
  last.worker.say({ kind: "event", id: last.id, event: row(1) });
  last.worker.say({ kind: "failed", id: last.id, message: "panicked" });
  assert.deepEqual(
    [(await ended)?.state, task.run.value?.note, task.run.value?.rows, engineError.value],
    ["failed", "panicked", [1], "panicked"],
  );
});

test("where a link would not reproduce a failure none is offered", async () => {
  const task = counting({ gaveUp: (message) => `not read: ${message}` });
  const ended = run(task, {});
  const last = await asked();
  last.worker.say({ kind: "failed", id: last.id, message: "panicked" });
  assert.deepEqual([(await ended)?.note, engineError.value], ["not read: panicked", null]);
});

test("a failure is told until the next question of a person, whatever is worked out in the background meanwhile", async () => {
  const task = counting();
  const failed = run(task, {});
  const last = await asked();
  last.worker.say({ kind: "failed", id: last.id, message: "panicked" });
  await failed;
  const graph = known.value;
  const background = counting({ gaveUp: () => "the engine stopped" });
  [engineError.value, known.value] = ["panicked", graph];
  const ended = run(background, {});
  const behind = await asked();
  assert.deepEqual([behind.question.name, engineError.value], ["paths", "panicked"]);
  await answer(behind);
  await ended;
  assert.deepEqual([engineError.value, known.value], ["panicked", graph]);
  void run(task, {});
  await asked();
  assert.equal(engineError.value, null);
  stop(task);
});

test("a program that is refused says why, with the place", async () => {
  const task = counting();
  const ended = run(task, {});
  const last = await asked();
  const diagnostics = [{ message: "no goto" }] as never;
  last.worker.say({ kind: "answer", id: last.id, reply: { kind: "refused", diagnostics }, extra: {}, ms: 1 });
  assert.deepEqual([(await ended)?.state, task.run.value?.note, task.run.value?.refused], ["failed", "no goto", diagnostics]);
});

test("what is not in order is not asked, and stops nothing", async () => {
  const other = counting();
  const ended = run(other, {});
  const last = await asked();
  assert.equal(await run(counting({ ready: () => false }), {}), null);
  assert.deepEqual([last.worker.ended, other.run.value?.state], [false, "running"]);
  await answer(last);
  assert.equal((await ended)?.state, "done");
  assert.equal(await run(counting({ question: () => null }), {}), null);
});

test("a question about no program is put without one", async () => {
  const task: Task<"compare", Run<"compare">, Options> = {
    name: "compare",
    run: signal(null),
    alone: true,
    question: () => ({ settings: { least: 1, most: 1, programs: 1, seed: 0, algorithms: [], limit: null }, begin: {} }),
  };
  known.value = null;
  void run(task, {});
  assert.deepEqual([(await asked()).question.request, "cfg" in task.run.value!], [null, false]);
});
