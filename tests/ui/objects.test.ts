// The picture of linked structures: what is there after a step, and where it lies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, objectsAfter } from "../../web/ui/analyses/run/objects";
import { courseOf } from "../../web/ui/analyses/run/objects-course";
import { type Geometry, geometry } from "../../web/ui/analyses/run/objects-geometry";
import { arrange, place } from "../../web/ui/analyses/run/objects-layout";
import type { CfgDocument, RunChange, RunDocument, RunStructure } from "../../web/ui/protocol";

type Document = Pick<RunDocument, "variables" | "steps_shown" | "structures">;

const set = (name: string, value: number): RunChange => ({ kind: "variable", name, value });
const store = (name: string, index: number, value: number): RunChange => ({ kind: "element", name, index: String(index), value });
const step = (change: RunChange | null, edge = 0) => ({ edge, line: 1, change, also: [] });

function structure(name: string, pointers: string[], next: string[], part: Partial<RunStructure> = {}): RunStructure {
  const members = [
    { name: "value", array: `${name}.value`, count: 1, which: 0, leads_to: null },
    ...next.map((member) => ({ name: member, array: `${name}.${member}`, count: 1, which: 0, leads_to: name })),
  ];
  const names = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [String(at + 1), `${name}${at + 1}`]));
  return { name, members, freed: `${name}.freed`, first_new: 1, pointers, cells: [], cell_members: [], names, block: null, ...part };
}

/** A run that changes this. */
function running(of: RunStructure[], changes: readonly (RunChange | null)[], edges: readonly number[] = []): Document {
  const scalars = of.flatMap(({ pointers }) => pointers).map((name) => ({ name, start: -1, end: 0, addresses: {} }));
  const arrays = of.flatMap(({ members, freed }) => [...members.map(({ array }) => array), ...(freed ? [freed] : [])]);
  return {
    variables: [...scalars, ...arrays.map((name) => ({ name, start: {}, end: null, addresses: {} }))],
    steps_shown: changes.map((change, at) => step(change, edges[at] ?? 0)),
    structures: of,
  };
}

const FLOW = { functions: ["main", "push"], edges: [{ function: 0 }, { function: 1 }] } as unknown as CfgDocument;
const drawn = (document: Document, steps: number, flow = FLOW): Geometry =>
  geometry(objectsAfter(document, flow, steps), courseOf(document, flow), steps, 13);
const box = (picture: Geometry, title: string) => picture.nodes.find(({ node }) => node.title === title)!;

function assertApart({ nodes, variables }: Geometry): void {
  const all = [...nodes, ...variables];
  for (const [at, a] of all.entries()) {
    for (const b of all.slice(at + 1)) {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      assert.ok(apart, `${JSON.stringify([a.x, a.y, a.width, a.height])} and ${JSON.stringify([b.x, b.y, b.width, b.height])} overlap`);
    }
  }
}

/** Puts so many nodes before the head of a list. */
const pushes = (count: number): RunChange[] =>
  Array.from({ length: count }, (_, at) => [
    set("fresh", at + 1),
    store("node.value", at + 1, at),
    store("node.next", at + 1, at),
    set("head", at + 1),
  ]).flat();
const NODE = structure("node", ["head", "fresh"], ["next"]);

test("pointers of a node that lie side by side, and the address of one of them", () => {
  const row = "tree.left|right";
  const of = structure("tree", ["root"], [], { cells: ["at"], cell_members: ["left", "right"] });
  of.members.push(...["left", "right"].map((name, which) => ({ name, array: row, count: 2, which, leads_to: "tree" })));
  // The pointers of node n have the numbers 2n - 1 and 2n.
  const changes = [set("root", 1), store(row, 1, 2), store(row, 2, 3), store(row, 3, 0), set("at", 4)];
  const document = running([of], changes);
  document.variables.push({ name: "at", start: 0, end: 0, addresses: {} });
  assert.deepEqual(inWords(objectsAfter(document, FLOW, 5)), [
    "root → tree1",
    "at → tree2.right",
    "tree1: value = never set, left → tree2, right → tree3",
    "tree2: value = never set, left = NULL, right = never set",
    "tree3: value = never set, left = never set, right = never set",
  ]);
  const alone = running([{ ...of, pointers: [] }], changes.slice(1));
  alone.variables.push({ name: "at", start: 0, end: 0, addresses: {} });
  assert.deepEqual(inWords(objectsAfter(alone, FLOW, 4)).slice(0, 2), [
    "at → tree2.right",
    "tree2: value = never set, left = NULL, right = never set",
  ]);
});

test("a list lies from left to right, and no node moves while it grows", () => {
  const document = running([NODE], pushes(5));
  const places = new Map<string, string>();
  for (let steps = 0; steps <= document.steps_shown.length; steps++) {
    const picture = drawn(document, steps);
    assertApart(picture);
    for (const { node, x, y } of picture.nodes) {
      assert.equal(places.get(node.title) ?? `${x} ${y}`, `${x} ${y}`, `${node.title} after step ${steps}`);
      places.set(node.title, `${x} ${y}`);
    }
  }
  const last = drawn(document, document.steps_shown.length);
  const order = [5, 4, 3, 2, 1].map((number) => box(last, `node${number}`));
  assert.deepEqual(
    order.map(({ x }) => x),
    order.map(({ x }) => x).toSorted((a, b) => a - b),
  );
  assert.equal(new Set(order.map(({ y }) => y)).size, 1);
  assert.deepEqual(
    last.arrows.filter(({ variable }) => !variable).map(({ from, to }) => `${from} ${to}`),
    ["node2.next node1", "node3.next node2", "node4.next node3", "node5.next node4"],
  );
});

test("a list that is reversed lies from left to right before and after, with one step at which nodes move", () => {
  const reversal = [store("node.next", 3, 0), store("node.next", 2, 3), store("node.next", 1, 2), set("head", 1)];
  const document = running([NODE], [...pushes(3), ...reversal]);
  const { epochs } = courseOf(document, FLOW);
  assert.deepEqual(
    epochs.map(({ from }) => from),
    [0, 14],
  );
  const xs = (steps: number, ...titles: string[]) => titles.map((title) => box(drawn(document, steps), title).x);
  const ascends = (all: number[]) => all.every((x, at) => at === 0 || all[at - 1]! < x);
  assert.ok(ascends(xs(12, "node3", "node2", "node1")));
  assert.ok(ascends(xs(16, "node1", "node2", "node3")));
});

test("a circular list keeps its order", () => {
  const document = running([NODE], [...pushes(3), store("node.next", 1, 3)]);
  const picture = drawn(document, 13);
  assert.equal(courseOf(document, FLOW).epochs.length, 1);
  assert.ok(box(picture, "node3").x < box(picture, "node1").x);
  assert.ok(picture.arrows.some(({ from, to }) => from === "node1.next" && to === "node3"));
});

test("the left child lies left of the right one, and a parent above and between", () => {
  const TREE = structure("tree", ["root"], ["left", "right"]);
  const link = (parent: number, side: "left" | "right", child: number): RunChange => store(`tree.${side}`, parent, child);
  const links: [number, "left" | "right", number][] = [
    [1, "left", 2],
    [1, "right", 3],
    [2, "right", 4],
    [3, "left", 5],
    [3, "right", 6],
    [6, "left", 7],
  ];
  const document = running([TREE], [set("root", 1), ...links.map(([parent, side, child]) => link(parent, side, child))]);
  for (let steps = 0; steps <= document.steps_shown.length; steps++) assertApart(drawn(document, steps));
  const picture = drawn(document, document.steps_shown.length);
  const middle = (number: number): number => box(picture, `tree${number}`).x + box(picture, `tree${number}`).width / 2;
  for (const [parent, side, child] of links) {
    assert.ok(box(picture, `tree${parent}`).y + box(picture, `tree${parent}`).height < box(picture, `tree${child}`).y);
    assert.ok(side === "left" ? middle(child) < middle(parent) : middle(child) > middle(parent), `${child} of ${parent}`);
  }
});

test("boxes of any forest lie apart", () => {
  let seed = 7;
  const draw = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  for (let round = 0; round < 200; round++) {
    const count = 1 + draw(14);
    const members = 1 + draw(3);
    const nodes = Array.from({ length: count }, (_, at) => `n ${at + 1}`);
    const links = nodes.flatMap((from, at) =>
      Array.from({ length: members }, (_, order) => ({ from, member: `m${order}`, order, to: nodes[at + 1 + draw(6)] ?? "" })),
    );
    const arrangement = arrange(
      nodes,
      links.filter(({ to }) => to !== "" && draw(3) > 0),
    );
    const boxes = nodes.map((id) => ({ id, width: 60 + draw(60), height: 40 + draw(40) }));
    const all = place(arrangement, boxes, new Set(nodes), { across: 20, down: 30 });
    assert.equal(all.length, count);
    assertApart({ nodes: all, variables: [] } as unknown as Geometry);
  }
});

test("a freed node is marked, and pointers to it dangle", () => {
  const document = running([NODE], [...pushes(2), store("node.freed", 1, 1), set("fresh", 0)]);
  const picture = drawn(document, 9);
  assert.deepEqual(
    [box(picture, "node1").node.freed, box(picture, "node1").node.changed, box(picture, "node2").node.freed],
    [true, true, false],
  );
  assert.deepEqual(
    picture.arrows.filter(({ dangling }) => dangling).map(({ from }) => from),
    ["node2.next"],
  );
  assert.deepEqual(inWords(objectsAfter(document, FLOW, 10)), [
    "head → node2",
    "fresh = NULL",
    "node1: freed, value = 0, next = NULL",
    "node2: value = 1, next → node1 (freed)",
  ]);
});

test("what was never set, and what no variable leads to, is told", () => {
  const document = running([NODE], [set("head", 1), set("head", 0)]);
  assert.deepEqual(inWords(objectsAfter(document, FLOW, 1)), [
    "head → node1",
    "fresh = never set",
    "node1: value = never set, next = never set",
  ]);
  assert.match(inWords(objectsAfter(document, FLOW, 2))[2]!, /^node1: no variable leads to it,/);
  // What is there before the function starts has values.
  const callers = running([structure("node", ["head"], ["next"], { first_new: null })], [set("head", 4)]);
  assert.deepEqual(inWords(objectsAfter(callers, FLOW, 1)), ["head → node4", "node4: value = 0, next = NULL"]);
});

test("variables of a called function are there while it runs", () => {
  const of = structure("node", ["head", "push.fresh"], ["next"]);
  const document = running([of], [set("head", 0), set("push.fresh", 1), null, set("head", 1)], [0, 1, 1, 0]);
  const names = [0, 1, 2, 3, 4].map((steps) =>
    objectsAfter(document, FLOW, steps)
      .pointers.map(({ name }) => name)
      .join(" "),
  );
  assert.deepEqual(names, ["head", "head", "head push.fresh", "head push.fresh", "head"]);
});

test("of many nodes the ones are drawn to which variables lead, and the others are counted", () => {
  const lost = Array.from({ length: 70 }, (_, at) => set("fresh", at + 1));
  const document = running([NODE], [...lost, set("head", 3)]);
  const objects = objectsAfter(document, FLOW, 71);
  assert.deepEqual([objects.nodes.map(({ title }) => title), objects.left], [["node3", "node70"], 68]);
  assertApart(drawn(document, 71));
});

test("A block is drawn by its elements, also where realloc gives it another number", () => {
  const stride = 2n ** 47n;
  const item = (row: number, at: number, value: number): RunChange => {
    return { kind: "element", name: "data.items", index: String(BigInt(row) * stride + BigInt(at)), value };
  };
  const items = [{ name: "", array: "data.items", count: 1, leads_to: null }];
  const block = { lengths: "data.length", items, moved: "data.moved", stride: String(stride) };
  const of = structure("data[]", ["v.data"], [], { members: [], freed: "data.freed", names: { 1: "data1", 2: "data2" }, block });
  const document = running(
    [of],
    [
      store("data.length", 1, 2),
      set("v.data", 1),
      item(1, 0, 7),
      item(1, 1, 8),
      store("data.length", 2, 99),
      store("data.moved", 2, -1),
      store("data.freed", 1, 1),
      set("v.data", 2),
    ],
  );
  for (const name of ["data.length", "data.items", "data.moved"]) document.variables.push({ name, start: {}, end: null, addresses: {} });
  assert.deepEqual(inWords(objectsAfter(document, FLOW, 2)), ["v.data → data1", "data1: [0] = never set, [1] = never set"]);
  assert.deepEqual(inWords(objectsAfter(document, FLOW, 4)), ["v.data → data1", "data1: [0] = 7, [1] = 8"]);
  const last = inWords(objectsAfter(document, FLOW, 8));
  assert.equal(last[0], "v.data → data2");
  assert.match(
    last.find((line) => line.startsWith("data2"))!,
    /^data2: \[0\] = 7, \[1\] = 8, \[2\] = never set, .*\[11\] = never set, length = 99$/,
  );
  assert.match(last.find((line) => line.startsWith("data1"))!, /freed/);
});

test("The elements of a block can be structures with arrays and pointers", () => {
  const stride = 2n ** 47n;
  const first = (block: number, at: number, count = 1): string => String((BigInt(block) * stride + BigInt(at)) * BigInt(count));
  const put = (name: string, index: string, value: number): RunChange => ({ kind: "element", name, index, value });
  const items = [
    { name: ".tag", array: "rows.tag", count: 2, leads_to: null },
    { name: ".head", array: "rows.head", count: 1, leads_to: "node" },
  ];
  const block = { lengths: "rows.length", items, moved: null, stride: String(stride) };
  const rows = structure("rows[]", ["t.rows"], [], { members: [], freed: null, names: { 1: "rows1" }, block });
  const document = running(
    [structure("node", [], ["next"]), rows],
    [
      store("rows.length", 1, 2),
      set("t.rows", 1),
      put("rows.tag", first(1, 1, 2), 65),
      put("rows.head", first(1, 0), 0),
      put("rows.head", first(1, 1), 3),
      store("node.value", 3, 7),
    ],
  );
  for (const name of ["rows.length", "rows.tag", "rows.head"]) document.variables.push({ name, start: {}, end: null, addresses: {} });
  const words = inWords(objectsAfter(document, FLOW, 6));
  assert.deepEqual(words.slice(0, 2), [
    "t.rows → rows1",
    "rows1: [0].tag = never set, [0].head = NULL, [1].tag = {65, ?}, [1].head → node3",
  ]);
  assert.match(words[2]!, /^node3: value = 7/);
});
