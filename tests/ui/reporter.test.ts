// Which events the worker passes on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { atWorker } from "../../web/ui/analyses/worker-registry";
import { reporter } from "../../web/ui/engine/reporter";
import type { Event } from "../../web/ui/protocol";

const progress: Event = { kind: "progress", steps: 1, limit: 2, text: "" };
const step: Event = { kind: "pruning", step: { step: "unmarked", vertex: 1 } };
const reached: Event = { kind: "reached", path: [], input: { nondet: [] } as never };
const refuted: Event = { kind: "refuted", path: [], core: [] };
const checked = (claims: number, wrong: boolean): Event => ({
  kind: "checked",
  claims,
  of: 9,
  rejected: wrong ? { id: "x", index: claims, reason: "no" } : null,
});

/** The kinds that pass of events which arrive `apart` milliseconds from each other. */
function passed(name: Parameters<typeof atWorker>[0], events: readonly Event[], apart = 0): Event["kind"][] {
  const kinds: Event["kind"][] = [];
  let now = 0;
  const on = reporter(
    atWorker(name),
    ({ kind }) => kinds.push(kind),
    () => (now += apart),
  );
  for (const event of events) assert.equal(on(event), true);
  return kinds;
}

test("progress passes ten times a second, results each", () => {
  const row = { kind: "row" } as Event;
  assert.deepEqual(passed("paths", [progress, row, progress, row]), ["progress", "row", "row"]);
  assert.deepEqual(passed("paths", [progress, progress, progress], 100), ["progress", "progress", "progress"]);
  assert.deepEqual(passed("cfg", [row, progress]), ["progress"]);
});

test("single findings pass only where the analysis shows them", () => {
  assert.deepEqual(passed("paths", [reached, refuted, { kind: "query", assertions: 1, answer: "sat" }]), []);
  assert.deepEqual(passed("explain", [reached, refuted]), ["refuted"]);
  assert.deepEqual(passed("cover", [reached, refuted]), ["reached"]);
});

test("as many steps of a construction pass as are shown", () => {
  const { most } = atWorker("prune");
  assert.equal(
    passed(
      "prune",
      Array.from({ length: most! + 10 }, () => step),
    ).length,
    most,
  );
});

test("of checked claims the rejected ones pass, as many as are shown; of the others ten a second", () => {
  assert.deepEqual(passed("check", [checked(1, false), checked(2, false), checked(3, true), checked(4, false)]).length, 2);
  const { most } = atWorker("check");
  assert.equal(
    passed(
      "check",
      Array.from({ length: most! + 50 }, (_, at) => checked(at, true)),
    ).length,
    most! + 1,
  );
});
