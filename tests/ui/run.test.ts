// The input of a run between fields, JSON and the engine; the values at its steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, readInput, readJson } from "../../web/ui/analyses/run/input";
import { valuesAfter } from "../../web/ui/analyses/run/state";
import type { InputName, RunChange, RunDocument } from "../../web/ui/protocol";

const name = (text: string, part: Partial<InputName> = {}): InputName => ({
  name: text,
  array: false,
  least: null,
  greatest: null,
  length: null,
  ...part,
});
const NAMES = [name("x"), name("c", { least: "0", greatest: "255" }), name("a", { array: true, length: "3" }), name("b", { array: true })];
const read = (values: Record<string, string>, nondet = "", stdin = "") => readInput({ values, nondet, stdin }, NAMES);

test("fields become an input", () => {
  assert.deepEqual(read({ x: " -4 ", c: "", unknown: "7" }, "1, 2").input, { x: -4, nondet: [1, 2] });
  assert.deepEqual(read({ x: "9007199254740992" }).input, { x: "9007199254740992", nondet: [] });
  assert.deepEqual(read({ a: "3, -1", b: "{1, then 7}" }).input, { a: { 0: 3, 1: -1 }, b: { 0: 1, default: 7 }, nondet: [] });
  assert.deepEqual(read({ b: '{"5": 1, "default": "2"}' }).input, { b: { 5: 1, default: 2 }, nondet: [] });
  assert.deepEqual(read({ b: "all 4" }).input, { b: { default: 4 }, nondet: [] });
});

test("what is wrong with a field is said", () => {
  const said = (values: Record<string, string>, nondet?: string) => [...read(values, nondet).wrong];
  assert.deepEqual(said({ x: "1.5" }), [["x", "“1.5” is not an integer."]]);
  assert.deepEqual(said({ c: "256" }), [["c", "From 0 to 255."]]);
  assert.deepEqual(said({ a: "1, 2, 3, 4" }), [["a", "There are only 3 elements."]]);
  assert.deepEqual(said({ a: "1,, 2" }), [["a", "An integer is missing."]]);
  assert.deepEqual(said({ b: '{"x": 1}' }), [["b", "“x” is no index."]]);
  assert.deepEqual(said({}, "1, y"), [["nondet", "“y” is not an integer."]]);
});

test("an input comes back from its fields", () => {
  const input = { x: -4, a: { 0: 3, 2: 1 }, b: { 0: 1, 1: "123456789012345678901234567890", default: 7 }, nondet: [1, -2] };
  assert.deepEqual(readInput(fieldsOf(input as never), NAMES).input, input);
  assert.deepEqual(readJson('{"x": 4, "nondet": [1]}'), { values: { x: "4" }, nondet: "1", stdin: "" });
  // Standard input is a text; what the drawn values are is for people.
  const test = { x: 4, stdin: "43\n", nondet: [1], nondet_names: ["volatile reg #1"] };
  assert.deepEqual(readJson(JSON.stringify(test)), { values: { x: "4" }, nondet: "1", stdin: "43\n" });
  assert.deepEqual(readInput(fieldsOf(test as never), NAMES).input, { x: 4, stdin: "43\n", nondet: [1] });
  assert.match(String(readJson('{"x": 12345678901234567890}')), /integers are needed/);
  assert.equal(readJson("{"), "This is not JSON.");
  assert.match(String(readJson("[1]")), /object/);
});

test("values are those behind the steps before", () => {
  const step = (change: RunChange | null, ...also: RunChange[]) => ({ edge: 0, line: 1, change, also });
  const document = {
    variables: [
      { name: "x", start: 5, end: 6, addresses: {} },
      { name: "a", start: { 1: 4, default: 2 }, end: null, addresses: {} },
    ],
    steps_shown: [
      step(null),
      step({ kind: "variable", name: "x", value: 6 }),
      step({ kind: "element", name: "a", index: "0", value: 9 }),
      step({ kind: "array", name: "a", elements: [1] }, { kind: "variable", name: "x", value: 7 }),
    ],
  } as unknown as RunDocument;
  const shown = (steps: number) => valuesAfter(document, steps).map(({ text, before }) => (before === null ? text : `${text} (${before})`));
  assert.deepEqual(shown(0), ["5", "{[1] = 4, then 2}"]);
  assert.deepEqual(shown(1), ["5", "{[1] = 4, then 2}"]);
  assert.deepEqual(shown(2), ["6 (was 5)", "{[1] = 4, then 2}"]);
  assert.deepEqual(shown(3), ["6", "{9, 4, then 2} ([0] was 2)"]);
  assert.deepEqual(shown(4), ["7 (was 6)", "{1} (was {9, 4, then 2})"]);
  // The document itself is left as it is.
  assert.deepEqual(shown(0), ["5", "{[1] = 4, then 2}"]);
});
