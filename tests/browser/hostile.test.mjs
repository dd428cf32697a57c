// What people paste: nothing, nonsense, too much. The page stays quick and keeps it: what would take time on its thread is
// held small, the elements in the document and how many of them a key changes, and the engine runs elsewhere.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  analysed,
  changes,
  draw,
  drawn,
  elements,
  engineMemory,
  figure,
  framed,
  keeps,
  launch,
  linkTo,
  longestBlock,
  nightly,
  open,
  setProgram,
  tab,
  typing,
  upToDate,
} from "./harness.mjs";

/** Bytes that an engine may take. */
const MEMORY = 512 << 20;

/** Elements in the document: what is in view, and not what was pasted. */
const ELEMENTS = 4000;

/** Changes of the document outside the editor for the twenty keys, with one analysis after them. */
const CHANGES = 400;

/** Twenty keys. */
const TYPED = "// a comment's words";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const nested = (depth) => `int f(int x) {\n${"if (x > 0) {\n".repeat(depth)}x = 1;\n${"}\n".repeat(depth)}return x;\n}\n`;
const long = (lines) => `int f(int x) {\n${Array.from({ length: lines }, (_, i) => `  x = x + ${i};\n`).join("")}  return x;\n}\n`;
const large = `${`/* ${"words and more words ".repeat(20)} */\n`.repeat(2500)}int f(int x) { return x; }\n`;

const lines = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join("");
/** Each function calls the one before. */
const called = (count) =>
  lines(count, (i) => `int f${i}(int x) { int y = x * ${i}; if (y > 3) return f${Math.max(0, i - 1)}(y); return x; }\n`);
/** Statements within statements, in functions that call each other where they are deepest. */
const deep = (functions, depth) =>
  lines(
    functions,
    (i) => `int f${i}(int x) { ${"if (x > 0) {".repeat(depth)} x = ${i > 0 ? `f${i - 1}(x)` : "1"}; ${"}".repeat(depth)} return x; }\n`,
  );

const CASES = [
  ["nothing", "", "refused"],
  ["only space", " \n\t\n", "refused"],
  ["no C at all", "Dear compiler,\nplease be kind.\n", "refused"],
  ["a missing bracket", "int f(int x) { if (x > 0 { return 1; }\n", "refused"],
  ["control and other odd characters", "int f(int x) { return \u0000\u0007\ud83d\ude42 x; }\n", null],
  ["a megabyte of comments", large, null],
  ["a function of 3,000 lines", long(3000), null],
  ["a hundred nested ifs", nested(100), null],
  ["five thousand statements on one line", `int f(int x) { ${"x = x + 1; ".repeat(5000)}return x; }\n`, null],
  ["a function of ten thousand lines", long(10_000), null],
  ["a megabyte of assignments", long(50_000), "refused"],
  ["a megabyte of functions, each calling the one before", called(12_000), "refused"],
  ["nested statements in functions nested by calls", deep(8, 120), null],
  ["a megabyte of nonsense", "}{;@#$ ".repeat(150_000), "refused"],
  ["a megabyte of one sum", `int f(int x) { return x${" + x".repeat(250_000)}; }\n`, "refused"],
  ["ten thousand nested blocks", nested(10_000), "refused"],
  [
    "calls that double at every level",
    lines(40, (i) => `int f${i}(int x) { ${i > 0 ? `return f${i - 1}(x) + f${i - 1}(x + 1);` : "return x;"} }\n`),
    "refused",
  ],
  ["ten thousand brackets", `int f(int x) { return ${"(".repeat(10_000)}x${")".repeat(10_000)}; }\n`, null],
];

for (const [name, text, end] of CASES) {
  test(`${name}: the page stays quick and keeps it`, async () => {
    const { page, context, errors } = await open(site);
    await drawn(page, 10);
    const settled = () =>
      page.waitForFunction((must) => {
        const { state } = document.querySelector(".status").dataset;
        if (["typing", "analysing"].includes(state) || document.querySelector(".cover p")?.textContent.includes("Laying")) return false;
        return state === "refused" || (must !== "refused" && state === "current") || document.querySelector(".notice.error") !== null;
      }, end);
    const started = performance.now();
    const block = await longestBlock(page, async () => {
      await setProgram(page, text);
      await settled();
    });
    figure(`${name}: settled`, performance.now() - started);
    figure(`${name}: longest block until then`, block);
    // Before anything is typed: what is cancelled takes its memory with it.
    const memory = Math.max(...(await engineMemory(page)));
    const parts = await elements(page);
    const changed = await changes(page, () => typing(page, TYPED, name));
    console.log(`${name}: ${Math.round(memory / 2 ** 20)} MB, ${parts} elements, ${changed} changes while typing`);
    assert.ok(memory < MEMORY, `${memory} bytes`);
    assert.ok(parts < ELEMENTS, `${parts} elements`);
    assert.ok(changed < CHANGES, `${changed} changes`);
    if (!text.includes("\u0000")) await keeps(page, text.replace(/\r\n?/g, "\n") + TYPED);
    assert.equal(await page.locator(".notice.error").count(), 0);
    assert.deepEqual(errors, []);
    // The way back is always open.
    await setProgram(page, "int f(int x) {\n  if (x) return 1;\n  return 2;\n}\n");
    await upToDate(page);
    await context.close();
  });
}

/** How many decisions: three thousand take minutes. */
const DECISIONS = nightly ? 3000 : 1000;

test("analyses of thousands of decisions end within their steps and the memory", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await setProgram(page, `int f(int x, int y) {\n${lines(DECISIONS, (i) => `  if (x > ${i}) y = y + x;\n`)}  return y;\n}\n`);
  await upToDate(page);
  const idle = () =>
    ![...document.querySelectorAll("[role=tabpanel]:not([hidden])")].some((panel) => panel.querySelector('[aria-busy="true"]'));
  for (const name of ["Paths", "Prune", "Explain", "Cover", "Run"]) {
    await tab(page, name);
    await page.locator(`#panel-${name.toLowerCase()} .run-state`).first().waitFor({ state: "attached" });
    await page.waitForFunction(idle);
    const memory = Math.max(...(await engineMemory(page)));
    console.log(`${name} of ${DECISIONS} decisions: ${Math.round(memory / 2 ** 20)} MB`);
    assert.ok(memory < MEMORY, `${name}: ${memory} bytes`);
    assert.equal(await page.locator(".notice.error").count(), 0);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("typing is not held up by the engine or the graph", async () => {
  const { page, context } = await open(site);
  await drawn(page, 10);
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  let block;
  const changed = await changes(page, async () => {
    block = await longestBlock(page, async () => {
      for (const word of ["\nint g(int x) {", "\nif (x > 3) return 1;", "\nreturn 2;", "\n}"]) {
        for (const key of word) {
          await page.keyboard.type(key);
          await framed(page);
        }
        // The analysis of what was typed is part of it.
        await analysed(page);
      }
    });
  });
  figure("typing: longest block", block);
  console.log(`typing: ${changed} changes`);
  // For each of the four words, of which the graph follows at least the last.
  assert.ok(changed < CHANGES / 4, `${changed} changes`);
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.deepEqual(
    loaded.filter((name) => /culdesac-web\.js|dagre/.test(name)),
    [],
    "the scripts of engine and layout are loaded by workers only",
  );
  await context.close();
});

test("after a thousand drawn paths a key changes hardly anything on the page", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Paths");
  await draw(page, { Number: "1000" });
  await page.getByText("1,000 paths drawn").waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+End");
  const changed = await changes(page, () => typing(page, TYPED, "a thousand drawn paths"));
  assert.ok(
    await page
      .getByText(/results of an earlier text/)
      .first()
      .isVisible(),
  );
  assert.ok(await page.locator("ol.drawn button").first().isDisabled());
  assert.ok(changed < 200, `${changed} changes`);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a large graph is a silhouette from afar, and the next small one is seen again", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  const branches = Array.from({ length: 200 }, (_, i) => `  if (x > ${i} && y < ${i}) s = s + ${i}; else s = s - 1;\n`).join("");
  await setProgram(page, `int f(int x, int y) {\n  int s = 0;\n${branches}  return s;\n}\n`);
  await page.locator(".graph-pane .summary").filter({ hasText: "1,201 edges" }).waitFor();
  await page.waitForFunction(() => !document.querySelector(".cover p") && document.querySelector(".far-lines"));
  assert.ok((await page.locator(".canvas .edge").count()) < 400, "only what is in view is in the document");
  await page.getByRole("button", { name: "Fit" }).click();
  await page.locator(".canvas .far-lines").waitFor({ state: "visible" });
  await setProgram(page, "int f(int x) {\n  if (x) return 1;\n  return 2;\n}\n");
  await page.locator(".canvas .node.entry").waitFor({ state: "visible" });
  assert.equal(await page.locator(".canvas .far-lines").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("what a link says wrongly is told, and the rest of it is taken", async () => {
  const hash = await linkTo("merge", { tab: "prune", prune: { lookahead: "many", lengths: "12" }, look: { view: "reed", step: 3 } });
  const { page, context, errors } = await open(site, { hash });
  const alert = page.getByRole("alert").filter({ hasText: "prune.lookahead" });
  await alert.waitFor();
  assert.match(await alert.innerText(), /"many"; allowed: a number.*look\.view is "reed"; allowed: all, red, pruned, counts/s);
  await page.locator(".prune-pane .strip, .strip").first().waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
