import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error a build script without types
import { header, readExamples } from "../../scripts/examples.mjs";
import { languageOf } from "../../web/ui/editor/language";

test("an example's header is read, continued lines joined", () => {
  const text =
    "/*\n * title: Merging\n * look at: Three loops in a row. Once the first has ended, at most\n *          one can still run.\n * expect: P(30) = 1224\n *\n * More text: not shown.\n */\nint f;";
  const entries = header(text);
  assert.equal(entries.title, "Merging");
  assert.equal(entries["look at"], "Three loops in a row. Once the first has ended, at most one can still run.");
});

test("examples in both languages are read, as their files are called", async () => {
  const all: { name: string; title: string; language: string; source: string }[] = await readExamples("examples");
  const languages = new Map(all.map(({ name, language }) => [name, language]));
  assert.equal(languages.get("merge"), "c");
  assert.equal(languages.get("foo_bar"), "blocks");
  for (const { name, title, language, source } of all) {
    assert.notEqual(title, name);
    assert.equal(languageOf(source), language, name);
  }
});

test("a header names the line to reach by its text, the last that reads so", async () => {
  const all: { name: string; reach: string; source: string }[] = await readExamples("examples");
  const lineOf = (name: string) => {
    const { reach, source } = all.find((example) => example.name === name)!;
    const lines = source.split("\n");
    assert.equal(lines.findLastIndex((line) => line.trim() === "return 1;") + 1, Number(reach), name);
  };
  for (const name of ["ones", "hello", "hello_world", "hello_world_at_microsoft", "matrix_row", "packets", "one_loop", "two_loops"])
    lineOf(name);
  assert.equal(all.find(({ name }) => name === "merge")!.reach, "");
});

test("the block language is told by its first word", () => {
  for (const source of ["proc f() {", "// A\n/* proc */ proc f() {", "\n\t proc\tf {", "proc", "/* a\n * b\n */\nproc main(x) {"])
    assert.equal(languageOf(source), "blocks", source);
  for (const source of [
    "",
    "int proc() {",
    "proc(1);",
    "proc (1);",
    "processes f() {",
    "// proc f()\nint x;",
    "/* proc f() */ int x;",
    "/* proc f() {",
  ])
    assert.equal(languageOf(source), "c", source);
});

test("line comments will do, and no header at all too", () => {
  assert.equal(header("// Title: A\n// Look at: b\nint f;").title, "A");
  assert.deepEqual(header("int f; /* title: no */"), {});
});
