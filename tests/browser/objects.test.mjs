// The objects of the Run tab: a list and a tree, step by step, as boxes and arrows.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { bar, closeSettings, downloaded, launch, open, openSettings, setProgram, tab, upToDate, violations } from "./harness.mjs";
import { ended, goTo, LIST, shown, TREE } from "./linked.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const pane = (page) => page.locator(".run-pane");

/** What is drawn: nodes with their members, variables and arrows. */
const objects = (page) =>
  page.locator("svg.objects").evaluate((svg) => {
    const all = (selector) => [...svg.querySelectorAll(selector)];
    return {
      nodes: all(".node").map((node) => ({
        name: node.dataset.name,
        state: [...node.classList].filter((name) => name !== "node" && name !== "changed").join(" "),
        word: node.querySelector(".word")?.textContent ?? "",
        members: [...node.querySelectorAll(".member")].map((member) => `${member.dataset.name} ${member.dataset.kind}`),
        x: node.querySelector(".box").getBBox().x,
        y: node.querySelector(".box").getBBox().y,
      })),
      variables: all(".variable").map((variable) => `${variable.dataset.name} ${variable.dataset.kind}`),
      arrows: all(".arrow").map((arrow) => `${arrow.dataset.from} ${arrow.dataset.to}`),
      dangling: all(".arrow.dangling").map((arrow) => arrow.dataset.from),
      changed: all(":is(.node, .member, .variable).changed").map((part) => part.dataset.name),
    };
  });

async function saved(page) {
  const part = page.getByRole("region", { name: "Objects", exact: true });
  await part.getByRole("button", { name: "Save", exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), part.getByRole("button", { name: "SVG" }).click()]);
  return { name: download.suggestedFilename(), text: String(await downloaded(download)) };
}

test("a list is built, reversed and freed", async () => {
  const { page, context, errors, outside } = await open(site);
  await shown(page, LIST);
  assert.deepEqual((await objects(page)).nodes, []);
  await goTo(page, "head → node3");
  const built = await objects(page);
  assert.deepEqual(
    built.nodes.map(({ name, members }) => [name, ...members]),
    [
      ["node1", "value value", "next null"],
      ["node2", "value value", "next node"],
      ["node3", "value value", "next node"],
    ],
  );
  assert.deepEqual(built.arrows.toSorted(), ["head node3", "node2.next node1", "node3.next node2"]);
  assert.deepEqual(built.changed, ["head"]);
  const x = ({ nodes }, name) => nodes.find((node) => node.name === name).x;
  assert.ok(x(built, "node3") < x(built, "node2") && x(built, "node2") < x(built, "node1"));
  assert.deepEqual(await violations(page), []);
  // The picture of the docs; UPDATE=1 makes it.
  await goTo(page, "reverse.done → node2");
  const { name, text } = await saved(page);
  assert.match(name, /^main-objects-\d+\.svg$/);
  const file = new URL("../../web/docs/memory-list.svg", import.meta.url);
  if (process.env.UPDATE) await writeFile(file, text);
  const drawn = (svg) => svg.replace(/<style>.*?<\/style>/s, "");
  assert.equal(drawn(await readFile(file, "utf8")), drawn(text), "UPDATE=1 makes the picture of the docs anew");
  await goTo(page, "head → node1");
  const turned = await objects(page);
  assert.deepEqual(turned.arrows.toSorted(), ["head node1", "node1.next node2", "node2.next node3"]);
  assert.ok(x(turned, "node1") < x(turned, "node2") && x(turned, "node2") < x(turned, "node3"));
  await goTo(page, "node1: freed, value = 1, next → node2");
  const freed = await objects(page);
  assert.deepEqual(
    freed.nodes.map(({ name, state, word }) => [name, state, word]),
    [
      ["node1", "freed", "freed"],
      ["node2", "", ""],
      ["node3", "", ""],
    ],
  );
  assert.deepEqual(freed.dangling, ["first"]);
  // Nothing but the mark is new.
  assert.deepEqual(
    freed.nodes.map(({ x, y }) => [x, y]),
    turned.nodes.map(({ x, y }) => [x, y]),
  );
  assert.match(await page.locator(".run-pane .variables").innerText(), /first\s+&node1/);
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("a tree grows from top to bottom, on a phone in a part of its own", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, TREE);
  await goTo(page, "tree2: key = 2, left → tree4, right → tree5");
  const { nodes, arrows } = await objects(page);
  const at = (number) => nodes.find(({ name }) => name === `tree${number}`);
  for (const [parent, left, right] of [
    [1, 2, 3],
    [2, 4, 5],
  ]) {
    assert.ok(at(left).x < at(parent).x && at(parent).x < at(right).x);
    assert.ok(at(parent).y < at(left).y && at(left).y === at(right).y);
  }
  assert.ok(["root tree1", "tree1.left tree2", "tree1.right tree3", "tree2.left tree4"].every((arrow) => arrows.includes(arrow)));
  await page.setViewportSize({ width: 390, height: 844 });
  await pane(page).getByRole("group", { name: "Part" }).getByRole("button", { name: "Objects" }).click();
  await page.locator("svg.objects").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a caller's list is drawn as its input has it", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(
    page,
    `struct node { int value; struct node *next; };
int last(struct node *p) {
  while (p && p->next)
    p = p->next;
  return p ? p->value : 0;
}
`,
  );
  await upToDate(page);
  await tab(page, "Run");
  await ended(page);
  // The first run is on no list at all.
  assert.deepEqual((await objects(page)).variables, ["p null"]);
  await openSettings(page);
  await page.getByRole("dialog").getByRole("button", { name: /^JSON/ }).click();
  await page.getByLabel("Input as JSON").fill('{"p": 2, "node.next": {"2": 1}, "node.value": {"1": 8}}');
  await bar(page, "Run").click();
  await closeSettings(page);
  await page.waitForFunction(() => document.querySelectorAll("svg.objects .node").length === 2);
  assert.deepEqual((await objects(page)).arrows.toSorted(), ["node2.next node1", "p node2"]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a program without linked structures has no objects", async () => {
  const { page, context } = await open(site);
  await setProgram(page, "int f(int x) { if (x > 3) return 1; return 0; }\n");
  await upToDate(page);
  await tab(page, "Run");
  await ended(page);
  assert.equal(await page.locator(".objects-part").count(), 0);
  await context.close();
});
