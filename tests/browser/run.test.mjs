// The Run tab: outcomes, the walk with the variables' values, inputs by fields, JSON, links and other tabs' tests.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeSettings, launch, open, openSettings, setProgram, tab, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const pane = (page) => page.locator(".run-pane");
const button = (page, name) => page.locator("header").getByRole("button", { name, exact: true });
const flat = (text) => text.replace(/\s+/g, " ").trim();
const summary = async (page) => flat(await pane(page).locator(".summary").innerText());
const table = (page, name) =>
  pane(page)
    .locator(`table.${name} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
const where = async (page) => flat(await page.locator(".path-bar .where").innerText());

const PROGRAM = `int last(int x, int n) {
  int a[3] = {5, 6};
  int i = 0;
  assume(n < 10);
  while (i < n) {
    a[i] = a[i] + x;
    i = i + 1;
  }
  assert(a[0] != 9);
  return a[1] / x;
}
`;

async function shown(page) {
  await setProgram(page, PROGRAM);
  await upToDate(page);
  await tab(page, "Run");
  await ended(page);
}
const ended = (page) =>
  page.waitForFunction(
    () => document.querySelector(".run-pane")?.getAttribute("aria-busy") === "false" && document.querySelector(".run-pane .summary .badge"),
  );

const field = (page, name) => page.getByRole("dialog").getByLabel(new RegExp(`^${name}\\b`));

async function run(page, x, n) {
  await openSettings(page);
  await field(page, "x").fill(x);
  await field(page, "n").fill(n);
  await button(page, "Run").click();
  await ended(page);
}

test("each outcome has its words, reason and place", async () => {
  const { page, context, errors, outside } = await open(site);
  await shown(page);
  // The first visit runs with zeros: n = 0 goes to the division.
  assert.match(await summary(page), /^✕ undefined behaviour division by zero line \d+ /);
  await run(page, "2", "2");
  await page.waitForFunction(() => document.querySelector(".run-pane .summary").textContent.includes("returned"));
  assert.match(await summary(page), /^✓ returned 4 12 steps/);
  assert.deepEqual(await table(page, "branches"), [
    ["4", "n < 10", "1", "0"],
    ["5", "i < n", "2", "1"],
    ["9", "a[0] != 9", "1", "0"],
  ]);
  assert.deepEqual(await violations(page), []);
  await run(page, "4", "1");
  await page.waitForFunction(() => document.querySelector(".run-pane .summary").textContent.includes("aborted"));
  assert.match(await summary(page), /^✕ aborted a failed assertion line 9 /);
  await run(page, "", "12");
  await page.waitForFunction(() => document.querySelector(".run-pane .summary").textContent.includes("assumption"));
  assert.match(await summary(page), /^⊘ assumption does not hold line 4 /);
  // What is no integer is not run: the field says where it is wrong, as long as it has that text.
  await openSettings(page);
  await field(page, "x").fill("1.5");
  await field(page, "x").press("Enter");
  await openSettings(page);
  const alert = page.getByRole("dialog").getByRole("alert");
  assert.match(await alert.innerText(), /^character 1: `1\.5` is not an integer/);
  await field(page, "x").fill("1");
  await alert.waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("the walk shows the variables, the line and the edge of each step", async () => {
  const { page, context, errors } = await open(site);
  await shown(page);
  await run(page, "2", "2");
  await page.waitForFunction(() => document.querySelector(".run-pane .summary").textContent.includes("returned"));
  assert.match(await where(page), /^The run, step 1 of 12 · line 2 a = \{5, 6\}$/);
  assert.deepEqual(await table(page, "variables"), [
    ["x", "2", ""],
    ["n", "2", ""],
    ["i", "0", ""],
    ["a", "{5, 6}", "◂ was {}"],
  ]);
  const slider = page.locator(".path-bar input[type=range]");
  await slider.fill("4");
  assert.match(await where(page), /step 5 of 12 · line 6 a\[i\] = a\[i\] \+ x$/);
  assert.deepEqual((await table(page, "variables")).at(-1), ["a", "{7, 6}", "◂ [0] was 5"]);
  assert.deepEqual(await page.locator(".cm-line.cm-at").allTextContents(), ["    a[i] = a[i] + x;"]);
  await page.waitForFunction(() => document.querySelectorAll(".of-run [data-edge].at").length === 1);
  await page.locator(".path-bar").getByRole("button", { name: "Step on" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await where(page), /step 6 of 12 · line 7 i = i \+ 1$/);
  await page.keyboard.press("ArrowLeft");
  assert.match(await where(page), /step 5 of 12/);
  await page.locator(".path-bar").getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => document.querySelector(".path-bar .where").textContent.includes("step 12 of 12"));
  await page.locator(".path-bar").getByRole("button", { name: "Play" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("inputs come as JSON, from links and from other tabs", async () => {
  const { page, context, errors } = await open(site);
  await shown(page);
  await openSettings(page);
  await page.getByRole("dialog").getByRole("button", { name: /^JSON/ }).click();
  await page.getByLabel("Input as JSON").fill('{"x": 3, "n": "1", "nondet": []}');
  assert.deepEqual([await field(page, "x").inputValue(), await field(page, "n").inputValue()], ["3", "1"]);
  await page.getByLabel("Input as JSON").fill('{"x": 3.5}');
  assert.equal(await button(page, "Run").isDisabled(), true);
  await page.getByLabel("Input as JSON").fill('{"x": 3, "n": 1}');
  await closeSettings(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash !== "");
  const hash = await page.evaluate(() => location.hash);
  const other = await open(site, { hash });
  await ended(other.page);
  assert.match(await summary(other.page), /^✓ returned 2 /);
  await openSettings(other.page);
  assert.equal(await field(other.page, "x").inputValue(), "3");
  await other.context.close();
  // A test of Cover, with one click.
  await tab(page, "Cover");
  await page.locator(".cover-pane .kind.tests button.row").first().click();
  await page.locator(".path-bar").getByRole("button", { name: "Run this input" }).click();
  await ended(page);
  assert.match(await summary(page), /^✓ returned/);
  assert.deepEqual(errors, []);
  await context.close();
});
