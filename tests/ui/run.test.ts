// The input of a run between fields, JSON and the engine; the values at its steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsFor, fieldsOf, readJson, wrongIn } from "../../web/ui/analyses/run/input";
import { valuesAfter } from "../../web/ui/analyses/run/state";
import type { Diagnostic, InputName, RunChange, RunDocument } from "../../web/ui/protocol";

const name = (text: string, part: Partial<InputName> = {}): InputName => ({
  name: text,
  array: false,
  least: null,
  greatest: null,
  length: null,
  object: text,
  form: "integer",
  ...part,
});

test("each object has a field that says what it takes", () => {
  const said = (...names: InputName[]): string[] => fieldsFor(names).map((field) => `${field.name}: ${field.about}`);
  assert.deepEqual(said(name("x"), name("u", { least: "0", greatest: "255" })), ["x: ", "u: 0 to 255"]);
  assert.deepEqual(said(name("c", { form: "character", least: "-128", greatest: "127" })), ["c: a character, as 'a'"]);
  assert.deepEqual(said(name("s", { form: "character", array: true })), ['s: text, as "on"']);
  assert.deepEqual(said(name("k", { form: "constant", constants: ["RED", "BLUE"] })), ["k: RED, BLUE"]);
  assert.deepEqual(said(name("a", { array: true, length: "3" }), name("b", { array: true })), ["a: 3 elements", "b: array"]);
  const member = (text: string) => name(text, { object: "p" });
  assert.deepEqual(said(member("p.null"), member("p.value"), member("p.tag#2")), ["p: NULL or .value, .tag"]);
  assert.deepEqual(said(name("head", { form: "pointer", constants: ["NULL", "&node1"] })), ["head: NULL or &node1"]);
  const node = (text: string) => name(text, { object: "struct node", array: true });
  assert.deepEqual(said(node("node.value"), node("node.at.x")), ["struct node: as node1 = {.value = …, .at.x = …}"]);
  assert.deepEqual(said(node("node.left|right")), ["struct node: as node1 = {.left = …, .right = …}"]);
  assert.deepEqual(said(name("q.null", { object: "q" }), name("q", { array: true })), ["q: NULL or array"]);
});

test("what the engine says of a field stands beside it", () => {
  const refused = [{ code: "input", label: "c", message: "`c` in the input, character 3: `b` is not an integer" }] as Diagnostic[];
  assert.deepEqual([...wrongIn(refused)], [["c", "character 3: `b` is not an integer"]]);
  assert.deepEqual([...wrongIn([{ code: "syntax", label: "here", message: "x" } as Diagnostic])], []);
});

test("the fields of an input have the texts that the engine wrote, or its numbers", () => {
  const plain = { x: -4, a: { 0: 3, 2: 1 }, b: { 0: 1, 1: "123456789012345678901234567890", default: 7 }, nondet: [1, -2] };
  const values = { x: "-4", a: "{[0] = 3, [2] = 1}", b: "{1, 123456789012345678901234567890, then 7}" };
  assert.deepEqual(fieldsOf(plain as never), { values, nondet: "1, -2", stdin: "", ends: true });
  const written_as = [
    { name: "c", text: "'a'" },
    { name: "unused", text: "any" },
    { name: "nondet()", text: "4" },
    { name: "stdin", text: '"43\\n"' },
  ];
  const test = { c: 97, unused: 0, nondet: [4], stdin: "43\n", written_as };
  assert.deepEqual(fieldsOf(test as never), { values: { c: "'a'" }, nondet: "4", stdin: "43\n", ends: true });
  // Nodes have one field.
  const field = "struct node";
  const nodes = [
    { name: "head", text: "&node1" },
    { name: "node1", text: "{.next = &node2}", field },
    { name: "node2", text: "{.next = NULL}", field },
  ];
  assert.deepEqual(fieldsOf({ head: 1, nondet: [], written_as: nodes } as never).values, {
    head: "&node1",
    "struct node": "node1 = {.next = &node2}, node2 = {.next = NULL}",
  });
  // A list that was cut is given by its numbers.
  const cut = { a: { 0: 1, default: 0 }, nondet: [], written_as: [{ name: "a", text: "{1, … 7 more}" }] };
  assert.deepEqual(fieldsOf(cut as never).values, { a: "{1}" });
  assert.deepEqual(readJson('{"x": 4, "nondet": [1]}'), { values: { x: "4" }, nondet: "1", stdin: "", ends: true });
  // Standard input is a text; what the drawn values are is for people, and so is how an input is written.
  const given = { x: 4, stdin: "43\n", nondet: [1], nondet_names: ["volatile reg #1"], written_as: [{ name: "x", text: "RED" }] };
  assert.deepEqual(readJson(JSON.stringify(given)), { values: { x: "4" }, nondet: "1", stdin: "43\n", ends: true });
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

test("the arrays of blocks are in the picture alone", () => {
  const scalar = { name: "x", start: 5, end: 5, addresses: {} };
  const arrays = ["v.length", "v.items", "v.moved", "v.freed", "w"].map((name) => ({ name, start: {}, end: null, addresses: {} }));
  const items = [{ name: "", array: "v.items", count: 1, leads_to: null }];
  const block = { lengths: "v.length", items, moved: "v.moved", stride: "8" };
  const document = {
    variables: [scalar, ...arrays],
    steps_shown: [{ edge: 0, line: 1, change: null, also: [] }],
    structures: [
      { block, freed: "v.freed" },
      { block: null, freed: "w" },
    ],
  };
  const names = valuesAfter(document as unknown as RunDocument, 1).map(({ name }) => name);
  assert.deepEqual(names, ["x", "w"]);
});
