import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "../../web/ui/engine/engine";
import type { Question } from "../../web/ui/engine/messages";
import { FakeWorker } from "./harness";

const question: Question<"cfg"> = {
  name: "cfg",
  settings: {},
  request: { program: "p", source: "", function: null, limit: null, seed: 0, ints: null, inline_depth: null, assume: [], no_assume: [] },
};
const reply = { kind: "refused" as const, diagnostics: [] };

function setUp(): { engine: Engine; workers: FakeWorker[] } {
  FakeWorker.made = [];
  return { engine: new Engine(() => new FakeWorker() as unknown as Worker), workers: FakeWorker.made };
}

test("a question waits for the worker to load, then is answered", async () => {
  const { engine, workers } = setUp();
  const events: unknown[] = [];
  const outcome = engine.ask(question, (event) => events.push(event));
  const [worker] = workers;
  assert.equal(worker!.sent.length, 0);
  worker!.say({ kind: "ready", version: "1" });
  const { id } = worker!.sent[0]!;
  worker!.say({ kind: "event", id, event: { kind: "progress", steps: 1, limit: 2, text: "" } });
  worker!.say({ kind: "answer", id, reply, extra: {}, ms: 5 });
  assert.deepEqual(await outcome, { kind: "answer", reply, extra: {}, ms: 5 });
  assert.equal(events.length, 1);
  assert.equal(engine.busy, false);
});

test("a new question ends the one that runs; its late answer is dropped", async () => {
  const { engine, workers } = setUp();
  const first = engine.ask(question);
  workers[0]!.say({ kind: "ready", version: "1" });
  const { id } = workers[0]!.sent[0]!;
  const second = engine.ask(question);
  assert.deepEqual(await first, { kind: "cancelled" });
  assert.ok(workers[0]!.ended);
  workers[0]!.say({ kind: "answer", id, reply, extra: {}, ms: 1 });
  workers[1]!.say({ kind: "ready", version: "1" });
  workers[1]!.say({ kind: "answer", id, reply, extra: {}, ms: 2 });
  assert.equal(engine.busy, true);
  workers[1]!.say({ kind: "answer", id: workers[1]!.sent[0]!.id, reply, extra: {}, ms: 3 });
  assert.deepEqual(await second, { kind: "answer", reply, extra: {}, ms: 3 });
});

test("a worker that is still loading need not be ended", async () => {
  const { engine, workers } = setUp();
  const first = engine.ask(question);
  engine.cancel();
  assert.deepEqual(await first, { kind: "cancelled" });
  assert.equal(workers[0]!.ended, false);
});

test("after a panic there is a new worker, and the next question works", async () => {
  const { engine, workers } = setUp();
  const first = engine.ask(question);
  workers[0]!.say({ kind: "ready", version: "1" });
  workers[0]!.say({ kind: "failed", id: workers[0]!.sent[0]!.id, message: "panicked" });
  assert.deepEqual(await first, { kind: "failed", message: "panicked" });
  assert.ok(workers[0]!.ended);
  const second = engine.ask(question);
  workers[1]!.say({ kind: "ready", version: "1" });
  workers[1]!.say({ kind: "answer", id: workers[1]!.sent[0]!.id, reply, extra: {}, ms: 1 });
  assert.equal((await second).kind, "answer");
});

test("an engine that cannot load fails the question and is tried again with the next", async () => {
  const { engine, workers } = setUp();
  const first = engine.ask(question);
  workers[0]!.say({ kind: "broken", message: "404" });
  assert.match(JSON.stringify(await first), /could not be loaded: 404/);
  void engine.ask(question);
  assert.equal(workers.length, 2);
});

test("a worker that nobody asks is warmed up once; one that is asked first is not kept waiting", async () => {
  const { engine, workers } = setUp();
  engine.warm();
  assert.deepEqual(workers[0]!.chores, []);
  workers[0]!.say({ kind: "ready", version: "1" });
  workers[0]!.say({ kind: "ready", version: "1" });
  assert.deepEqual([workers.length, workers[0]!.chores], [1, ["warm"]]);

  const asked = setUp();
  asked.engine.warm();
  void asked.engine.ask(question);
  const [worker] = asked.workers;
  worker!.say({ kind: "ready", version: "1" });
  assert.deepEqual([worker!.sent.length, worker!.chores], [1, []]);
  // Answering has warmed it.
  worker!.say({ kind: "answer", id: worker!.sent[0]!.id, reply, extra: {}, ms: 1 });
  assert.deepEqual(worker!.chores, []);
});

test("what tabs need is loaded ahead by each worker, once, when it has nothing to answer", async () => {
  const { engine, workers } = setUp();
  void engine.ask(question);
  engine.ahead();
  workers[0]!.say({ kind: "ready", version: "1" });
  assert.deepEqual(workers[0]!.chores, []);
  workers[0]!.say({ kind: "answer", id: workers[0]!.sent[0]!.id, reply, extra: {}, ms: 1 });
  assert.deepEqual(workers[0]!.chores, ["ahead"]);
  void engine.ask(question);
  workers[0]!.say({ kind: "answer", id: workers[0]!.sent[1]!.id, reply, extra: {}, ms: 1 });
  assert.deepEqual(workers[0]!.chores, ["ahead"]);
  void engine.ask(question);
  engine.cancel();
  engine.startAgain();
  workers[1]!.say({ kind: "ready", version: "1" });
  assert.deepEqual([workers[0]!.ended, workers[1]!.chores], [true, ["ahead"]]);
});

test("a cancelled question starts no worker, neither by itself nor twice", async () => {
  const { engine, workers } = setUp();
  engine.startAgain();
  assert.equal(workers.length, 0);
  void engine.ask(question);
  workers[0]!.say({ kind: "ready", version: "1" });
  engine.cancel();
  assert.deepEqual([workers.length, workers[0]!.ended], [1, true]);
  engine.startAgain();
  engine.startAgain();
  assert.equal(workers.length, 2);
  void engine.ask(question);
  engine.end();
  engine.startAgain();
  assert.equal(workers.length, 2);
});
