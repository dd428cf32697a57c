// The engine as the page has it, run in Node: it gives what the examples' headers expect.

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { engineOf } from "../../scripts/engine-in-node.mjs";
import { readExamples } from "../../scripts/examples.mjs";
import { dist } from "./harness.mjs";

const root = new URL("../..", import.meta.url).pathname;
const examples = await readExamples(join(root, "examples"));

let engine;
before(async () => {
  engine = await engineOf(dist);
  await engine.load("paths");
});

const request = ({ name, source }, seed = 0) => ({ program: name, source, function: null, limit: null, seed });

/** What the header expects of a count at a length, such as `P(30) = 1224`. */
function expected(source, count) {
  const found = [...source.matchAll(new RegExp(`expect:\\s*${count}\\((\\d+)\\)\\s*=\\s*(\\d+)`, "g"))];
  return found.map(([, length, value]) => ({ length: Number(length), value }));
}

function ask(name, request, settings, onEvent = () => true) {
  const reply = engine.ask(name, { request, settings }, onEvent);
  assert.equal(reply.kind, "document", JSON.stringify(reply).slice(0, 500));
  return reply.document;
}

test("there are examples, and merge is one", () => {
  assert.ok(examples.some((example) => example.name === "merge"));
});

for (const example of examples) {
  const totals = expected(example.source, "P").filter(({ length }) => length <= 500);
  const feasible = expected(example.source, "FP").filter(({ length }) => length <= 50);
  if (totals.length > 0) {
    test(`${example.name}: the expected numbers of paths`, () => {
      const document = ask("paths", request(example), { lengths: totals.map((e) => e.length), feasible: false });
      for (const { length, value } of totals)
        assert.equal(document.table.find((row) => row.length === length)?.total, value, `P(${length})`);
    });
  }
  if (feasible.length > 0) {
    test(`${example.name}: the expected numbers of feasible paths`, () => {
      const document = ask("paths", request(example), { lengths: feasible.map((e) => e.length), feasible: true });
      for (const { length, value } of feasible)
        assert.equal(document.table.find((row) => row.length === length)?.feasible, value, `FP(${length})`);
    });
  }
}

test("a listener's false stops a run, with what was found", () => {
  const merge = examples.find((example) => example.name === "merge");
  let rows = 0;
  const document = ask(
    "paths",
    request(merge),
    { lengths: [10, 20, 30], feasible: false },
    (event) => !(event.kind === "row" && ++rows === 1),
  );
  assert.equal(document.complete, false);
  assert.ok(document.table.length >= 1);
});
