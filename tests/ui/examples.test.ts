import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error a build script without types
import { header } from "../../scripts/examples.mjs";

test("an example's header is read, continued lines joined", () => {
  const text = "/*\n * title: Merging\n * look at: Three loops in a row. Once the first has ended, at most\n *          one can still run.\n * expect: P(30) = 1224\n *\n * More text: not shown.\n */\nint f;";
  const entries = header(text);
  assert.equal(entries.title, "Merging");
  assert.equal(entries["look at"], "Three loops in a row. Once the first has ended, at most one can still run.");
});

test("line comments will do, and no header at all too", () => {
  assert.equal(header("// Title: A\n// Look at: b\nint f;").title, "A");
  assert.deepEqual(header("int f; /* title: no */"), {});
});
