import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeMarkup, edgeName, nodeName } from "../../web/ui/graph/draw";
import { type Layout, layOut } from "../../web/ui/graph/layout";
import { labelWidth, type Picture, pictureKey, pictureOf, TEXT } from "../../web/ui/graph/model";
import { border } from "../../web/ui/graph/route";
import { cfgOf, merge } from "./documents";

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
  name: string;
}

/** Points along an SVG path of cubic curves. */
function along(d: string): { x: number; y: number }[] {
  const numbers = d.match(/-?\d+(\.\d+)?/g)!.map(Number);
  let [x, y] = numbers as [number, number];
  const points = [{ x, y }];
  for (let i = 2; i + 5 < numbers.length; i += 6) {
    const [x1, y1, x2, y2, x3, y3] = numbers.slice(i, i + 6) as [number, number, number, number, number, number];
    for (let t = 0.05; t < 1.001; t += 0.05) {
      const u = 1 - t;
      points.push({
        x: u ** 3 * x + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t ** 3 * x3,
        y: u ** 3 * y + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t ** 3 * y3,
      });
    }
    [x, y] = [x3, y3];
  }
  return points;
}

function labels(picture: Picture, layout: Layout): Box[] {
  return picture.edges.map((edge, i) => {
    const { x, y } = layout.edges[i]!.label;
    return {
      left: x,
      right: x + labelWidth(edge),
      top: y - TEXT.height / 2,
      bottom: y + TEXT.height / 2,
      name: `label of ${edgeName(edge)}`,
    };
  });
}

function nodes(picture: Picture, layout: Layout): Box[] {
  return picture.nodes.map((node, i) => {
    const { x, y } = layout.nodes[i]!;
    return {
      left: x - node.width / 2,
      right: x + node.width / 2,
      top: y - node.height / 2,
      bottom: y + node.height / 2,
      name: nodeName(node),
    };
  });
}

const meet = (a: Box, b: Box): boolean => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

const programs = {
  merge,
  "a decision with both sides to one place": cfgOf(["0>1 ?x > 0", "0>1 !x <= 0", "1>2 y := a rather long expression + 1"]),
  "a self-loop": cfgOf(["0>1 x := 0", "1>1 ?x > 0", "1>2 !x <= 0"]),
  "nested loops": cfgOf([
    "0>1 ?i < n",
    "0>6 !i >= n",
    "1>2 j := 0",
    "2>3 ?j < m",
    "2>5 !j >= m",
    "3>4 a[j] := j",
    "4>2 j := j + 1",
    "5>0 i := i + 1",
  ]),
};

for (const [name, cfg] of Object.entries(programs)) {
  test(`labels keep clear of each other and of nodes: ${name}`, () => {
    const picture = pictureOf(cfg);
    const layout = layOut(picture);
    const words = labels(picture, layout);
    words.forEach((a, i) => {
      for (const b of words.slice(i + 1)) assert.ok(!meet(a, b), `${a.name} meets ${b.name}`);
      for (const b of nodes(picture, layout)) assert.ok(!meet(a, b), `${a.name} meets ${b.name}`);
    });
  });

  test(`an edge does not cut its own label: ${name}`, () => {
    const picture = pictureOf(cfg);
    const layout = layOut(picture);
    labels(picture, layout).forEach((box, i) => {
      for (const { x, y } of along(layout.edges[i]!.d))
        assert.ok(!(x > box.left && x < box.right && y > box.top && y < box.bottom), `${box.name} at ${x}, ${y}`);
    });
  });

  test(`every edge goes from its node's outline to its node's outline: ${name}`, () => {
    const picture = pictureOf(cfg);
    const layout = layOut(picture);
    picture.edges.forEach((edge, i) => {
      const points = along(layout.edges[i]!.d);
      for (const [id, point] of [
        [edge.from, points[0]!],
        [edge.to, points[points.length - 1]!],
      ] as const) {
        const at = layout.nodes[id]!;
        const node = picture.nodes[id]!;
        const out = border(at, node.width, node.height, point);
        assert.ok(Math.hypot(out.x - point.x, out.y - point.y) < 6, edgeName(edge));
      }
    });
  });
}

test("the layout is the same every time, and the true side stands left", () => {
  const picture = pictureOf(merge);
  assert.deepEqual(layOut(picture), layOut(picture));
  const { nodes: placed } = layOut(picture);
  assert.ok(placed[5]!.x < placed[6]!.x);
});

/** `n` blocks one after the other, all inside one loop: `7 n` edges and more. */
function longProgram(n: number): string[] {
  const blocks = Array.from({ length: n }, (_, i) => {
    const at = 4 * i + 1;
    return [
      `${at}>${at + 1} ?x > ${i}`,
      `${at}>${at + 2} !x <= ${i}`,
      `${at + 1}>${at + 2} y := y + 1`,
      `${at + 2}>${at + 3} ?z`,
      `${at + 2}>${at + 3} !z = 0`,
      `${at + 3}>${at + 4} x := 0`,
    ];
  }).flat();
  return ["0>1 x := 0", ...blocks, `${4 * n + 1}>1 ?again`, `${4 * n + 1}>${4 * n + 2} !stop`];
}

test("the bounds of an edge hold its line and its label", () => {
  for (const cfg of Object.values(programs)) {
    const picture = pictureOf(cfg);
    const layout = layOut(picture);
    layout.edges.forEach((edge, i) => {
      const { x, y, width, height } = edge.box;
      const within = (px: number, py: number): boolean => px >= x - 1 && px <= x + width + 1 && py >= y - 1 && py <= y + height + 1;
      for (const point of along(edge.d)) assert.ok(within(point.x, point.y), edgeName(picture.edges[i]!));
      assert.ok(within(edge.label.x, edge.label.y) && within(edge.label.x + labelWidth(picture.edges[i]!), edge.label.y));
    });
  }
});

test("large graphs are laid out by the same rules", () => {
  const picture = pictureOf(cfgOf(longProgram(100)));
  const layout = layOut(picture);
  const words = labels(picture, layout);
  words.forEach((a, i) => {
    for (const b of words.slice(i + 1)) assert.ok(!meet(a, b), `${a.name} meets ${b.name}`);
    for (const { x, y } of along(layout.edges[i]!.d)) assert.ok(!(x > a.left && x < a.right && y > a.top && y < a.bottom), a.name);
  });
});

test("2,000 locations in seconds, 6,000 without an overrun stack", () => {
  const started = performance.now();
  assert.equal(layOut(pictureOf(cfgOf(longProgram(500)))).nodes.length, 2003);
  const once = performance.now() - started;
  assert.ok(once < 30_000, `${once} ms`);
  assert.equal(layOut(pictureOf(cfgOf(longProgram(1500)))).nodes.length, 6003);
  console.log(`2,003 locations: ${Math.round(once)} ms; 6,003: ${Math.round(performance.now() - started - once)} ms`);
});

test("a picture's key ignores what is not drawn", () => {
  const key = pictureKey(pictureOf(merge));
  const moved = { ...merge, edges: merge.edges.map((e) => ({ ...e, line: e.line + 1 })) };
  assert.equal(pictureKey(pictureOf(moved)), key);
  const changed = { ...merge, edges: merge.edges.map((e) => ({ ...e, label: `${e.label}!` })) };
  assert.notEqual(pictureKey(pictureOf(changed)), key);
});

test("labels from programs are text, never markup", () => {
  const picture = pictureOf(cfgOf(['0>1 x := "<script>&"']));
  const markup = edgeMarkup(picture.edges[0]!, layOut(picture).edges[0]!, "");
  assert.ok(!markup.includes("<script"));
  assert.ok(markup.includes("&lt;script&gt;&amp;"));
});

test("shapes and sides have names", () => {
  const { nodes: n, edges: e } = pictureOf({ ...merge, error: 8 });
  assert.equal(nodeName(n[0]!), "Location 0, entry, line 1");
  assert.equal(nodeName(n[2]!), "Location 2, loop header, line 3");
  assert.equal(nodeName(n[8]!), "Location 8, error");
  assert.equal(nodeName(n[11]!), "Location 11, exit");
  assert.equal(edgeName(e[3]!), "Edge 3 from 2 to 7: ia >= la, false side, line 4");
});
