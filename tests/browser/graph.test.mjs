// The control-flow graph as it is drawn, of every example and of large programs of the corpus: naive counters read the page's SVG.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readExamples } from "../../scripts/examples.mjs";
import { brokenLoops, cornersOf, crossings, overlaps, throughBoxes, wrongSides } from "./drawing.mjs";
import { analysed, drawn, launch, nightly, open, setProgram, tab, until, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** The drawn graph of a tab. Boxes and loops are taken from their elements, lines from the paths of edges. */
async function read(page, tab = "graph") {
  const { boxes, lines, loops } = await page.locator(`.${tab}-pane .canvas:not(.of-automaton) .drawing`).evaluate((drawing) => {
    const sides = (element, name) => {
      const { x, y, width, height } = element.getBBox();
      const { e = 0, f = 0 } = element.closest("[transform]")?.transform?.baseVal.consolidate()?.matrix ?? {};
      const [dx, dy] = element.closest(".node") ? [e, f] : [0, 0];
      return { name, left: x + dx, right: x + dx + width, top: y + dy, bottom: y + dy + height };
    };
    const edges = [...drawing.querySelectorAll(".edge:has(> .line)")];
    return {
      boxes: [...drawing.querySelectorAll(".node.box")].map((node) => sides(node.querySelector(".shape"), node.getAttribute("aria-label"))),
      loops: [...drawing.querySelectorAll(".loop-region")].map((region, i) => sides(region, `loop ${i}`)),
      lines: edges.map((edge) => ({
        name: edge.getAttribute("aria-label"),
        holds: edge.classList.contains("yes") ? true : edge.classList.contains("no") ? false : null,
        d: edge.querySelector(".line").getAttribute("d"),
      })),
    };
  });
  // Edges that share a line are one.
  const single = [...new Map(lines.map((line) => [line.d, line])).values()];
  const placed = single.map(({ name, holds, d }) => ({ name, holds, points: cornersOf(d) }));
  for (const line of placed) {
    const [{ x, y }] = line.points;
    line.from = boxes.findIndex((box) => Math.abs(box.bottom - y) < 1.5 && x > box.left - 1 && x < box.right + 1);
  }
  return { boxes, loops, lines: placed };
}

/** What holds of every graph; gives back how many crossings it has. */
function check(name, { boxes, lines, loops }) {
  assert.ok(boxes.length > 1 && lines.length > 0, name);
  assert.deepEqual(
    lines.filter(({ from }) => from < 0).map((line) => line.name),
    [],
    `${name}: every line begins at the foot of a box`,
  );
  assert.deepEqual(throughBoxes(lines, boxes), [], name);
  assert.deepEqual(overlaps(boxes), [], name);
  assert.deepEqual(wrongSides(lines), [], name);
  assert.deepEqual(brokenLoops(boxes, loops), [], name);
  return crossings(lines);
}

/** Crossings that a picture may have at most; any other example at most two. */
const MOST = { merge: 0, selection: 1, handshake: 10, hello_world_at_microsoft: 4 };

test("in the graph of every example no edge runs through a box, the true side is left, loops are whole, few edges cross", async () => {
  const counted = {};
  for (const { name } of await readExamples(new URL("../../examples", import.meta.url).pathname)) {
    const { page, context, errors } = await open(site, { hash: `#${name}.graph` });
    await drawn(page);
    const graph = await read(page);
    counted[name] = check(name, graph);
    assert.equal(graph.loops.length, await page.locator(".graph-pane .node.loop[data-node]").count(), `${name}: a region for each loop`);
    assert.ok(counted[name] <= (MOST[name] ?? 2), `${name}: ${counted[name]} crossings`);
    assert.deepEqual(errors, []);
    await context.close();
  }
  console.log(`crossings: ${JSON.stringify(counted)}`);
});

/** Where the boxes of a tab's graph stand, by the locations and edges in them. */
const places = async (page, tab) =>
  (await read(page, tab)).boxes.map(({ name, left, top, right, bottom }) => [name.replace(/[✓✕?!] /g, ""), left, top, right, bottom]);

/** Examples that are looked at each day. */
const DAILY = ["merge", "f2", "check_valves", "selection", "leap_year"];
/** The tabs with the graph of a program, by what they have once it is drawn beside their results. */
const WITH_GRAPH = [
  ["Run", "run", ".run-pane .drawing .node.box"],
  ["Explain", "explain", ".explain-pane .prefixes li"],
  ["Reach", "reach", ".reach-pane .drawing .node.box"],
  ["Cover", "cover", ".cover-pane .summary .badge"],
  ["Branches", "branches", ".branches-pane .summary .badge"],
];

test("all tabs draw one layout of a program: its boxes stand where they stand in Graph", async () => {
  for (const { name, language } of await readExamples(new URL("../../examples", import.meta.url).pathname)) {
    if (language === "blocks" || !(nightly || DAILY.includes(name))) continue;
    const { page, context, errors } = await open(site, { hash: `#${name}.graph` });
    await drawn(page);
    const before = await places(page, "graph");
    for (const [title, id, there] of WITH_GRAPH) {
      await tab(page, title);
      await page.locator(there).first().waitFor();
      // One picture at a time where there is room for no more.
      const choice = page.locator(`.${id}-pane`).getByRole("button", { name: "S", exact: true });
      if ((await choice.count()) > 0) await choice.click();
      await page.locator(`.${id}-pane .drawing .node.box`).first().waitFor();
      assert.deepEqual(await places(page, id), before, `${name}, ${title}`);
    }
    check(`${name}, Branches`, await read(page, "branches"));
    await page.locator(".branches-pane").getByRole("button", { name: "At work" }).click();
    await page.locator(".stepper").getByLabel("First step").click();
    assert.deepEqual(await places(page, "branches"), before, `${name}, at work`);
    assert.deepEqual(errors, []);
    await context.close();
  }
});

const corpus = process.env.CULDESAC_CORPUS;

test("large programs: calls are rows, and few edges cross", { skip: !(corpus && existsSync(corpus)) }, async () => {
  for (const [file, most] of [
    ["siemens__tcas.c", 3],
    ["ntdrivers__kbfiltr_simpl1_true-unreach-call.cil.c", 0],
  ]) {
    const { page, context, errors } = await open(site);
    await setProgram(page, await readFile(join(corpus, file), "utf8"));
    await page.locator(".graph-pane .call-row").first().waitFor();
    const count = check(file, await read(page));
    assert.ok(count <= most, `${file}: ${count} crossings`);
    assert.deepEqual(await violations(page), []);
    console.log(`${file}: ${count} crossings`);
    assert.deepEqual(errors, []);
    await context.close();
  }
});

/** A function with `n` calls of one that decides. */
const calling = (n) => `int sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0;
}

int sum(int a)
{
    int s = 0;
${`    if (a > 1)\n        s = s + sign(a);\n    a = a - 1;\n`.repeat(n)}    return s;
}
`;

test("in a large graph a call is one row, which opens by a click and by a key", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, calling(12));
  await analysed(page);
  const calls = page.locator(".graph-pane .call-row");
  await page.waitForFunction(() => document.querySelectorAll(".graph-pane .call-row").length === 12);
  assert.match(await calls.first().getAttribute("aria-label"), /^Call of sign, \d+ edges/);
  check("calls", await read(page));
  const boxes = await page.locator(".graph-pane .node.box").count();
  assert.deepEqual(await violations(page), []);
  await calls.first().click();
  await page.waitForFunction(() => document.querySelectorAll(".graph-pane .call-row").length === 11);
  assert.ok((await page.locator(".graph-pane .node.box").count()) > boxes);
  await calls.first().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".graph-pane .call-row").length === 10);
  const all = page.getByRole("button", { name: "Calls", exact: true });
  await all.click();
  await page.waitForFunction(() => document.querySelectorAll(".graph-pane .call-row").length === 0);
  await all.click();
  await page.waitForFunction(() => document.querySelectorAll(".graph-pane .call-row").length === 12);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a picture that is wider than its pane opens with the entry in the middle", async () => {
  const { page, context, errors } = await open(site, { hash: "#check_valves.branches", viewport: { width: 1280, height: 720 } });
  await page.getByRole("button", { name: "Present" }).click();
  await page.locator(".branches-pane .summary .badge").first().waitFor();
  const off = () =>
    page.locator(".branches-pane .canvas").evaluate((canvas) => {
      const [pane, all, entry] = [canvas, canvas.querySelector(".drawing"), canvas.querySelector(".node.entry")].map((of) =>
        of?.getBoundingClientRect(),
      );
      return entry && all.width > pane.width ? Math.abs(entry.x + entry.width / 2 - pane.x - pane.width / 2) : null;
    });
  await until(async () => {
    const now = await off();
    return now !== null && now < 5;
  }, "the entry stands in the middle");
  assert.deepEqual(errors, []);
  await context.close();
});

test("text is never below 13 pixels at first, in a lecture 18; the wheel scrolls", async () => {
  const { page, context, errors } = await open(site, { hash: "#advisory.graph" });
  await analysed(page);
  await drawn(page, 20);
  const scale = () => page.locator(".graph-pane .drawing").evaluate((group) => group.transform.baseVal.consolidate().matrix.a);
  assert.ok((await scale()) >= 1, String(await scale()));
  const top = () => page.locator(".graph-pane .drawing").evaluate((group) => group.transform.baseVal.consolidate().matrix.f);
  const before = await top();
  await page.locator(".graph-pane .canvas").hover();
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(
    (before) => document.querySelector(".graph-pane .drawing").transform.baseVal.consolidate().matrix.f < before - 100,
    before,
  );
  assert.ok((await scale()) >= 1);
  await page.getByRole("button", { name: "Present" }).click();
  await page.waitForFunction(() => document.querySelector(".graph-pane .drawing").transform.baseVal.consolidate().matrix.a * 13 >= 17.9);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a graph of a hundred boxes has a minimap, and a press in it goes there", async () => {
  const { page, context, errors } = await open(site);
  assert.equal(await page.locator(".graph-pane .minimap").count(), 0);
  const tests = Array.from({ length: 60 }, (_, i) => `    if (a > ${i})\n        s = s + ${i};\n`).join("");
  await setProgram(page, `int sum(int a)\n{\n    int s = 0;\n${tests}    return s;\n}\n`);
  await analysed(page);
  const map = page.locator(".graph-pane .minimap");
  await map.waitFor();
  const seen = () => map.locator("rect").evaluate((rect) => Number(rect.getAttribute("y")));
  const before = await seen();
  const box = await map.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 4);
  await page.waitForFunction(
    (before) => Number(document.querySelector(".graph-pane .minimap rect").getAttribute("y")) > before + 1000,
    before,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test("a row is chosen by a click, and arrow keys walk along rows and lines", async () => {
  const { page, context, errors } = await open(site);
  await tab(page, "Graph");
  await drawn(page, 10);
  const row = page.locator(".graph-pane .edge.store").first();
  await row.click();
  assert.equal(await page.locator(".graph-pane .edge.selected").count(), 1);
  assert.match(await page.locator(".details").first().textContent(), /A\[ia \+ ib\]/);
  // Arrow keys walk from row to row, and from a box's last row along its line.
  await row.focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /ia = ia \+ 1/);
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Location 2, loop header/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});
