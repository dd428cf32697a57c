// The Prune tab: the red–black graph step by step, the transformed graph, the counts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, launch, longestBlock, open, setProgram, tab, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const button = (page, name) => page.getByRole("button", { name, exact: true });
const finished = (page) => page.locator(".prune-pane .summary b").first().waitFor({ timeout: 60_000 });

async function prune(page, { lookahead, ...fields } = {}) {
  await upToDate(page);
  await tab(page, "Prune");
  if (lookahead !== undefined) await page.getByLabel("Lookahead").fill(String(lookahead));
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await button(page, "Run").click();
  await finished(page);
}

const counts = (page) => page.locator("table.prune tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

test("the merging sort is pruned to its feasible paths, and its graph grows in place", async () => {
  const { page, context, errors } = await open(site);
  await prune(page, { lookahead: 2 });
  assert.deepEqual(await violations(page), []);

  const at = () => page.locator(".red-graph [data-slot]:not(.off)").count();
  const root = () => page.locator(".red-graph [data-slot='0']").evaluate((e) => (({ x, y }) => `${x} ${y}`)(e.getBoundingClientRect()));
  const whole = await at();
  const before = await root();
  await button(page, "First step").click();
  assert.equal(await at(), 0);
  await button(page, "Step on").click();
  assert.match(await page.locator(".stepper .sentence").textContent(), /^Start: red vertex 0·\d/);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".stepper .sentence").textContent(), /^Unfolding: edge 0 leads from 0·/);
  assert.equal(await at(), 2);
  assert.equal(await root(), before);
  await page.keyboard.press("End");
  assert.equal(await at(), whole);
  await button(page, "Collapse closed subtrees").click();
  assert.ok((await at()) < whole);
  await button(page, "Collapse closed subtrees").click();
  const sentences = new Set();
  for (let steps = Number(await page.getByRole("slider", { name: "Step of the construction" }).getAttribute("max")); steps > 0; steps--) {
    sentences.add((await page.locator(".stepper .sentence").textContent()).split(" ").find((word) => /Unfolding|Subsumption|Abstraction|marked/.test(word))?.replace(":", ""));
    await button(page, "Step back").press("ArrowLeft");
  }
  for (const word of ["Unfolding", "Subsumption", "Abstraction", "marked"]) assert.ok([...sentences].some((said) => said?.startsWith(word)), word);

  await button(page, "Path counts").click();
  assert.deepEqual((await counts(page)).slice(2), [["30", "1,224", "140", "11.4 %", "140"], ["50", "24,434", "2,300", "9.41 %", "2,300"]]);
  assert.equal(await page.locator(".chart .kept .diamond").count(), 4);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a red vertex shows what is known there, its line and its black vertex", async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  await page.locator(".red-graph [data-slot].abstracted").first().click();
  assert.match(await page.locator(".red-pane .details").textContent(), /^Red vertex 2·\d+: unfolded · black vertex \(location\) 2 · line \d+.*Abstracted to contain 2·/);
  assert.equal(await page.locator(".cm-line.cm-at").count(), 1);
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.locator(".red-pane .details").textContent(), /^Red vertex 6·/);
  await tab(page, "Graph");
  await drawn(page, 10);
  assert.equal(await page.locator(".canvas .node.selected").getAttribute("data-node"), "6");
  await tab(page, "Prune");
  await button(page, "Transformed graph S′").click();
  await page.waitForFunction(() => document.querySelectorAll(".canvas .graph .node").length > 40, null, { timeout: 20_000 });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the settings are in the link; a run that is cancelled keeps what it has", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await tab(page, "Prune");
  await page.getByLabel("Abstraction").selectOption("havoc");
  await page.getByLabel("Lookahead").fill("3");
  await page.getByLabel("Max red length").fill("25");
  await button(page, "Copy link").click();
  await page.waitForFunction(() => location.hash.startsWith("#v1."));
  const { page: other, context: second } = await open(site, { hash: await page.evaluate(() => location.hash) });
  await other.getByLabel("Lookahead").waitFor();
  assert.deepEqual(await Promise.all(["Abstraction", "Lookahead", "Max red length"].map((label) => other.getByLabel(label).inputValue())), ["havoc", "3", "25"]);
  await second.close();

  await page.getByLabel("Precondition").fill("n >");
  await button(page, "Run").click();
  await page.locator(".run-state .bad", { hasText: "precondition" }).waitFor();
  await page.getByLabel("Precondition").fill("");

  // Nonlinear counting up never repeats a state: the construction goes on until it is stopped.
  await setProgram(page, "void f(int n) {\n  int i = 0;\n  int s = 1;\n  while (s < n) {\n    i = i + 1;\n    s = s + i + s;\n  }\n  while (i > 0) {\n    i = i - 1;\n    if (s == 77 * i) s = 0;\n  }\n}\n");
  await upToDate(page);
  await page.getByLabel("Abstraction").selectOption("drop");
  await page.getByLabel("Lookahead").fill("60");
  await page.getByLabel("Max red length").fill("");
  await button(page, "Run").click();
  await page.waitForFunction(() => Number(document.querySelector(".stepper input")?.max) > 10, null, { timeout: 60_000 });
  const cancel = page.locator(".prune-pane").getByRole("button", { name: "Cancel", exact: true });
  await cancel.click();
  await page.getByText("Cancelled: what was found until then is kept.").waitFor();
  assert.ok(Number(await page.getByRole("slider", { name: "Step of the construction" }).getAttribute("max")) > 10);
  assert.deepEqual(errors, []);
  await context.close();
});

test("two thousand red vertices are stepped through smoothly", async () => {
  const { page, context, errors } = await open(site);
  // Free choices in a row: each doubles the unfolding, and no two states are alike.
  const choices = Array.from({ length: 10 }, (_, i) => `  if (nondet()) x = x + ${2 ** i};\n`).join("");
  await setProgram(page, `int nondet(void);\nint f(int x) {\n${choices}  return x;\n}\n`);
  await prune(page);
  const living = await page.locator(".red-graph [data-slot]:not(.off)").count();
  assert.ok(living > 2000, String(living));
  const block = await longestBlock(page, async () => {
    for (let i = 0; i < 20; i++) await button(page, "Step back").click();
  });
  assert.ok(block < 150, `${block} ms`);
  assert.deepEqual(errors, []);
  await context.close();
});
