// The engine as the page has it, run in Node: it gives what the examples' headers expect, and the very documents that
// the native program gives.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readExamples } from "../../scripts/examples.mjs";
import { dist } from "./harness.mjs";

const root = new URL("../..", import.meta.url).pathname;
const native = process.env.CULDESAC ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/culdesac");
const examples = await readExamples(join(root, "examples"));

let engine;
before(async () => {
  engine = await import(pathToFileURL(join(dist, "culdesac-web.js")).href);
  engine.initSync({ module: await readFile(join(dist, "culdesac-web_bg.wasm")) });
});

const request = ({ name, source }, seed = 0) => ({ program: name, source, function: null, limit: null, seed });

/** What the header expects of a count at a length, such as `P(30) = 1224`. */
function expected(source, count) {
  const found = [...source.matchAll(new RegExp(`expect:\\s*${count}\\((\\d+)\\)\\s*=\\s*(\\d+)`, "g"))];
  return found.map(([, length, value]) => ({ length: Number(length), value }));
}

/** The document of the native program, without what depends on the clock. */
function ask(...args) {
  const text = execFileSync(native, [...args, "--json"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  return comparable(JSON.parse(text));
}

function comparable(document) {
  const copy = JSON.parse(JSON.stringify(document));
  delete copy.program;
  delete copy.statistics.wall_ms;
  return copy;
}

function documentOf(reply) {
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
      const document = documentOf(engine.paths(request(example), Uint32Array.from(totals, (e) => e.length), false, () => true));
      for (const { length, value } of totals) assert.equal(document.table.find((row) => row.length === length)?.total, value, `P(${length})`);
    });
  }
  if (feasible.length > 0) {
    test(`${example.name}: the expected numbers of feasible paths`, () => {
      const document = documentOf(engine.paths(request(example), Uint32Array.from(feasible, (e) => e.length), true, () => true));
      for (const { length, value } of feasible) assert.equal(document.table.find((row) => row.length === length)?.feasible, value, `FP(${length})`);
    });
  }
  test(`${example.name}: the same documents as the native program`, { skip: existsSync(native) ? false : "the native program is not built" }, () => {
    const file = `examples/${example.name}.c`;
    assert.deepEqual(comparable(documentOf(engine.cfg(request(example)))), ask("cfg", file));
    assert.deepEqual(comparable(documentOf(engine.paths(request(example), Uint32Array.of(10, 20), true, () => true))), ask("paths", file, "--lengths", "10,20", "--feasible"));
    assert.deepEqual(comparable(documentOf(engine.draw(request(example, 7), 25, 5, false, () => true))), ask("draw", file, "--length", "25", "--count", "5", "--seed", "7"));
  });
}

test("a listener's false stops a run, with what was found", () => {
  const merge = examples.find((example) => example.name === "merge");
  let rows = 0;
  const document = documentOf(engine.paths(request(merge), Uint32Array.of(10, 20, 30), false, (event) => !(event.kind === "row" && ++rows === 1)));
  assert.equal(document.complete, false);
  assert.ok(document.table.length >= 1);
});
