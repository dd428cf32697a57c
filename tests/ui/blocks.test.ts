// Graphs of basic blocks: what a box holds, and how boxes are laid out. Naive counters stand beside the layout.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blockPicture, blocksOf, type Opened, textOf } from "../../web/ui/graph/blocks";
import { callsOf } from "../../web/ui/graph/calls";
import { type Layout, layOut } from "../../web/ui/graph/layout";
import { type Picture, pictureOf } from "../../web/ui/graph/model";
import type { CfgDocument } from "../../web/ui/protocol";
import {
  brokenLoops,
  cornersOf,
  crossings,
  inside,
  type Line,
  overlaps,
  type Sides,
  throughBoxes,
  wrongSides,
} from "../browser/drawing.mjs";
import { cfgOf, merge } from "./documents";

interface Drawn {
  boxes: Sides[];
  lines: Line[];
  loops: Sides[];
}

const sides = (name: string, x: number, y: number, width: number, height: number): Sides => ({
  name,
  left: x,
  right: x + width,
  top: y,
  bottom: y + height,
});

/** A layout as the counters take it. */
function drawn(picture: Picture, layout: Layout): Drawn {
  const { blocks, links } = picture.blocks!;
  return {
    boxes: blocks.map(({ id, width, height }, i) => {
      const { x, y } = layout.nodes[i]!;
      return sides(`box ${id}`, x - width / 2, y - height / 2, width, height);
    }),
    lines: links.map(({ from, to, holds, edges }) => ({
      name: `${from} to ${to}`,
      from,
      holds,
      points: cornersOf(layout.edges.find(({ id }) => id === edges[0])!.d),
    })),
    loops: (layout.loops ?? []).map(({ x, y, width, height }, i) => sides(`loop ${i}`, x, y, width, height)),
  };
}

const boxesOf = ({ blocks }: Picture): string[][] => blocks!.blocks.map(({ rows }) => rows.map((row) => textOf(row).trimEnd()));

/** What holds of every layout of boxes. */
function wellDrawn(picture: Picture, layout: Layout): Drawn {
  const all = drawn(picture, layout);
  assert.deepEqual(overlaps(all.boxes), []);
  assert.deepEqual(throughBoxes(all.lines, all.boxes), []);
  assert.deepEqual(wrongSides(all.lines), []);
  assert.deepEqual(brokenLoops(all.boxes, all.loops), []);
  return all;
}

test("the counters count", () => {
  const line = (name: string, holds: boolean | null, ...at: number[]): Line => ({
    name,
    from: 0,
    holds,
    points: at.flatMap((x, i) => (i % 2 === 0 ? [{ x, y: at[i + 1]! }] : [])),
  });
  const plus = [line("a", true, 10, 0, 10, 20), line("b", false, 0, 10, 20, 10)];
  assert.equal(crossings(plus), 1);
  assert.equal(crossings([plus[0]!, line("c", null, 0, 30, 20, 30)]), 0);
  assert.deepEqual(wrongSides(plus), [0]);
  const box = sides("box", 5, 5, 10, 10);
  assert.deepEqual(throughBoxes(plus, [box]), [
    ["a", "box"],
    ["b", "box"],
  ]);
  assert.deepEqual(throughBoxes([line("at its border", null, 5, 0, 5, 20)], [box]), []);
  assert.deepEqual(overlaps([box, sides("other", 12, 12, 9, 9)]), [["box", "other"]]);
  assert.deepEqual(brokenLoops([box], [sides("loop", 0, 0, 10, 30)]), [["loop 0", "box"]]);
  assert.deepEqual(cornersOf("M0 0L0 5Q0 10 5 10L20 10"), [
    { x: 0, y: 0 },
    { x: 0, y: 10 },
    { x: 20, y: 10 },
  ]);
});

test("a box ends before a join and a loop's header, and behind a decision, whose condition is its last row", () => {
  assert.deepEqual(boxesOf(blockPicture(merge)), [
    ["ia := 0", "ib := 0"],
    ["ia < la ?"],
    ["ib < lb ?"],
    ["nondet() != 0 ?"],
    ["ia := ia + 1"],
    ["ib := ib + 1"],
    ["ia < la ?"],
    ["ia := ia + 1"],
    ["ib < lb ?"],
    ["ib := ib + 1"],
    ["exit"],
  ]);
});

test("every edge is a row, a part of a condition, a line, or in a call", () => {
  const { blocks, edges } = blockPicture(merge);
  const drawnEdges = new Set([
    ...blocks!.blocks.flatMap(({ rows }) => rows.flatMap(({ pieces }) => pieces.flatMap((piece) => piece.edges))),
    ...blocks!.links.flatMap((link) => link.edges),
  ]);
  assert.deepEqual(
    edges.filter(({ id }) => !drawnEdges.has(id)),
    [],
  );
});

test("an exit with more than three edges into it is drawn once for each", () => {
  const tests = (n: number): string[] => Array.from({ length: n }, (_, i) => [`${i}>${n} ?x${i}`, `${i}>${i + 1} !y${i}`]).flat();
  const ends = (n: number): number => blockPicture(cfgOf(tests(n))).blocks!.blocks.filter(({ shape }) => shape === "exit").length;
  assert.equal(ends(2), 1);
  assert.equal(ends(4), 5);
});

/** A chain of `n` tests, each with a case beside it. */
const chain = (n: number): CfgDocument =>
  cfgOf(
    Array.from({ length: n }, (_, i) => [
      `${2 * i}>${2 * i + 1} ?state = ${i}`,
      `${2 * i}>${2 * i + 2} !state != ${i}`,
      `${2 * i + 1}>${2 * n} state := ${i + 1}`,
    ])
      .flat()
      .concat(`${2 * n}>${2 * n + 1} done := 1`),
  );

test("a chain of tests is a ladder: it grows down, not aside", () => {
  const width = (n: number): number => {
    const picture = blockPicture(chain(n));
    const layout = layOut(picture);
    const { lines, boxes } = wellDrawn(picture, layout);
    assert.equal(crossings(lines), 0);
    const at = boxes
      .filter(({ name }) => Number(name.slice(4)) % 2 === 0 && name !== `box ${2 * n}`)
      .map(({ left, right }) => Math.round(left + right));
    assert.equal(new Set(at).size, 1, "the tests stand below each other");
    return layout.box.width;
  };
  // Each case takes a lane, and numbers of two digits a little more.
  assert.ok(width(12) < width(6) + 6 * 13 + 20);
});

test("the merging sort: no crossing, the true side left, three closed loops", () => {
  const picture = blockPicture(merge);
  const layout = layOut(picture);
  const { boxes, lines, loops } = wellDrawn(picture, layout);
  assert.equal(crossings(lines), 0);
  const names = loops.map((loop) => inside(boxes, loop).map(({ name }) => Number(name.slice(4))));
  assert.deepEqual(
    names.map((all) => all.sort((a, b) => a - b)).sort((a, b) => b.length - a.length),
    [
      [2, 3, 4, 5, 6],
      [7, 8],
      [9, 10],
    ],
  );
  assert.deepEqual(layOut(picture), layout);
});

test("a picture that is much too high is folded into columns: loops stay whole, nothing crosses", () => {
  const picture = blockPicture(merge);
  const [straight, folded] = [layOut(picture), layOut(picture, { width: 1600, height: 320 })];
  assert.ok(folded.box.height < 0.7 * straight.box.height && folded.box.width > straight.box.width);
  const { lines } = wellDrawn(picture, folded);
  assert.equal(crossings(lines), 0);
  // Where it would be too wide, or is not much too high, it is not.
  assert.deepEqual(layOut(picture, { width: straight.box.width, height: 320 }), straight);
  assert.deepEqual(layOut(picture, { width: 1600, height: straight.box.height }), straight);
});

/** Numbers from 0 up to a bound, the same for a seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A structured program: decisions and loops in each other, some with `break`, `continue` and `return`. */
function program(seed: number): CfgDocument {
  const roll = dice(seed);
  const edges: string[] = [];
  const headers: number[] = [];
  let next = 1;
  let budget = 14;
  const EXIT = -1;
  const step = (from: number, to: number, mark = ""): void => void edges.push(`${from}>${to} ${mark}x${edges.length}`);
  /** Statements from a location on; gives back where they end, if they do. */
  const block = (from: number, loop: { head: number; end: number } | null, depth: number): number | null => {
    let at = from;
    for (let n = 1 + roll(3); n > 0 && budget > 0; n--) {
      budget--;
      const kind = depth > 3 ? 0 : roll(8);
      if (kind < 3) {
        step(at, next);
        at = next++;
      } else if (kind < 6) {
        const [yes, no, join] = [next++, next++, next++];
        step(at, yes, "?");
        step(at, roll(3) === 0 ? join : no, "!");
        const sidesOf = edges[edges.length - 1]!.startsWith(`${at}>${join} `) ? [yes] : [yes, no];
        const ends = sidesOf.map((side) => block(side, loop, depth + 1));
        for (const end of ends) if (end !== null) step(end, join);
        if (sidesOf.length === 2 && ends.every((end) => end === null)) return null;
        at = join;
      } else if (kind === 6) {
        const [head, body, after] = [next++, next++, next++];
        headers.push(head);
        step(at, head);
        step(head, body, "?");
        step(head, after, "!");
        const end = block(body, { head, end: after }, depth + 1);
        if (end !== null) step(end, head);
        at = after;
      } else if (loop && n === 1) {
        step(at, roll(2) === 0 ? loop.head : loop.end);
        return null;
      } else if (depth > 0 && n === 1) {
        step(at, EXIT);
        return null;
      }
    }
    return at;
  };
  const end = block(0, null, 0);
  if (end !== null) step(end, EXIT);
  // Locations are numbered without gaps, the exit last.
  const used = [...new Set(edges.flatMap((text) => /^(-?\d+)>(-?\d+)/.exec(text)!.slice(1).map(Number)))]
    .filter((id) => id !== EXIT)
    .sort((a, b) => a - b);
  const number = new Map([...used.map((id, i) => [id, i] as const), [EXIT, used.length]]);
  const renumbered = edges.map((text) =>
    text.replace(/^(-?\d+)>(-?\d+)/, (_, a, b) => `${number.get(Number(a))}>${number.get(Number(b))}`),
  );
  const looped = new Set(headers.filter((id) => edges.some((text) => text.includes(`>${id} `))));
  return cfgOf(renumbered, { loop_headers: [...looped].flatMap((id) => number.get(id) ?? []) });
}

test("of two hundred programs no box overlaps, no edge runs through a box, all loops are whole", () => {
  let loopsSeen = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const cfg = program(seed);
    const picture = blockPicture(cfg);
    for (const room of [null, { width: 2000, height: 300 }]) {
      const layout = layOut(picture, room);
      try {
        loopsSeen += wellDrawn(picture, layout).loops.length;
      } catch (error) {
        throw new Error(`program ${seed}, ${JSON.stringify(room)}: ${cfg.edges.map((e) => `${e.from}>${e.to}`).join(" ")}`, {
          cause: error,
        });
      }
    }
  }
  assert.ok(loopsSeen > 100);
});

/** `n` decisions in a row, each entered through a call of the function `called` that has a decision of its own. */
function calling(n: number): CfgDocument {
  const edges = Array.from({ length: n }, (_, i) => {
    const at = 7 * i;
    return [
      `${at}>${at + 1} called.x := ${i}`,
      `${at + 1}>${at + 2} ?called.x > 0`,
      `${at + 1}>${at + 3} !called.x <= 0`,
      `${at + 2}>${at + 3} called.y := 1`,
      `${at + 3}>${at + 4} called.result := called.y`,
      `${at + 4}>${at + 5} ?called.result`,
      `${at + 4}>${at + 6} !called.result = 0`,
      `${at + 5}>${at + 6} y := y + 1`,
      `${at + 6}>${at + 7} z := y`,
    ];
  }).flat();
  const cfg = cfgOf(edges, { functions: ["called", "f"] });
  const inCall = (i: number): boolean => i % 9 >= 1 && i % 9 <= 4;
  return { ...cfg, edges: cfg.edges.map((edge, i) => ({ ...edge, function: inCall(i) ? 0 : 1 })) };
}

test("calls are found: entered at one location, over where they are left", () => {
  const [call, ...others] = callsOf(pictureOf(calling(2)));
  assert.equal(others.length, 1);
  assert.deepEqual({ ...call, inner: [...call!.inner] }, { id: 1, names: ["called"], edges: [1, 2, 3, 4], inner: [2, 3], outs: [4] });
});

test("what is called in an opened call is a row in it", () => {
  // A call of `outer`, which calls `inner`.
  const cfg = cfgOf(["0>1 a := 1", "1>2 o := 1", "2>3 i := 1", "3>4 i := 2", "4>5 i := 3", "5>6 o := 2", "6>7 b := 1"], {
    functions: ["inner", "outer", "f"],
  });
  const edges = cfg.edges.map((edge, i) => ({ ...edge, function: [2, 1, 0, 0, 0, 1, 2][i]! }));
  const found = (opened: number[]): [number, string[]][] =>
    callsOf(pictureOf({ ...cfg, edges }), new Set(opened)).map(({ id, names }) => [id, names]);
  assert.deepEqual(found([]), [[1, ["outer", "inner"]]]);
  assert.deepEqual(found([1]), [[2, ["inner"]]]);
  assert.deepEqual(found([1, 2]), []);
});

test("in a large graph a call is one row until it is opened", () => {
  const cfg = calling(12);
  const rows = (opened?: Opened): string[] => boxesOf(blockPicture(cfg, opened)).flat();
  assert.equal(rows().filter((row) => row === "▸ called (4)").length, 12);
  assert.equal(rows(new Set([1])).filter((row) => row === "▸ called (4)").length, 11);
  assert.equal(rows("all").filter((row) => row.startsWith("▸")).length, 0);
  assert.equal(
    boxesOf(blockPicture(calling(2)))
      .flat()
      .filter((row) => row.startsWith("▸")).length,
    0,
  );
  const picture = blockPicture(cfg);
  const { lines } = wellDrawn(picture, layOut(picture));
  assert.equal(crossings(lines), 0);
  const all = blocksOf(picture).blocks.length;
  assert.ok(picture.blocks!.blocks.length < 0.7 * all);
});

test("an irreducible graph is drawn vertex by vertex", () => {
  const cfg = { ...cfgOf(["0>1 ?a", "0>2 !b", "1>2 x := 1", "2>1 ?c", "2>3 !d"]), reducible: false };
  const picture = blockPicture(cfg);
  assert.equal(picture.blocks, undefined);
  assert.equal(layOut(picture).nodes.length, 4);
});

test("a graph of 6,000 locations is laid out at once, without an overrun stack", () => {
  const parts = Array.from({ length: 1500 }, (_, i) => {
    const at = 4 * i;
    return [
      `${at}>${at + 1} ?a${i}`,
      `${at}>${at + 2} !b${i}`,
      `${at + 1}>${at + 3} x := ${i}`,
      `${at + 2}>${at + 3} y := ${i}`,
      `${at + 3}>${at + 4} z := ${i}`,
    ];
  }).flat();
  const picture = blockPicture(cfgOf(parts));
  const started = performance.now();
  const layout = layOut(picture);
  console.log(`${layout.nodes.length} boxes: ${Math.round(performance.now() - started)} ms`);
  assert.equal(layout.nodes.length, picture.blocks!.blocks.length);
  assert.ok(layout.nodes.length > 4500);
});
