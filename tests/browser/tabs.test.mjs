// Each tab has its own path, selection and steps; Back and Forward go through the tabs that were shown; a reload keeps them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { copiedBy, drawn, idle, launch, open, setProgram, tab } from "./harness.mjs";

const LOOP = "int f(int n) {\n  int i = 0;\n  while (i < n) {\n    i = i + 1;\n  }\n  return i;\n}\n";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const shown = (page) => page.locator("[role=tab][aria-selected=true]").innerText();
const shows = (page, name) =>
  page.waitForFunction((name) => document.querySelector("[role=tab][aria-selected=true]")?.textContent === name, name);
const panel = (page, id) => page.locator(`#panel-${id}`);
const bar = (page) => page.locator(".path-bar .where");
const marked = (page) => page.locator(".cm-line.cm-at, .cm-line.cm-passed").count();
const ready = (page) => page.waitForFunction(() => !document.querySelector(".run-state progress"));
const counted = (page) =>
  page.waitForFunction(() => document.querySelector("table.paths tbody tr td:nth-child(3)")?.textContent.trim().match(/^\d/));

/** Draws, chooses an infeasible path and goes a step back from where it dies. */
async function chooseDrawn(page) {
  await tab(page, "Paths");
  await counted(page);
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.getByText("12 paths drawn").waitFor();
  await page.locator("ol.drawn > li.no > button").first().click();
  await page.locator(".path-bar").getByRole("button", { name: "Step back" }).click();
  return bar(page).innerText();
}

test("a path that is chosen in one tab marks no other tab's graph, nor the program while that tab is shown", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  const path = await chooseDrawn(page);
  assert.match(path, /^Path \d+, step \d+ of/);
  assert.ok((await marked(page)) > 0);
  for (const [name, id] of [
    ["Graph", "graph"],
    ["Prune", "prune"],
    ["Cover", "cover"],
  ]) {
    await tab(page, name);
    await page.waitForFunction((id) => document.querySelectorAll(`#panel-${id} [data-edge]`).length > 10, id);
    await ready(page);
    assert.equal(await bar(page).count(), 0, name);
    assert.equal(await marked(page), 0, name);
    assert.equal(await panel(page, id).locator(".on-path, .edge.at, .edge.dead").count(), 0, name);
  }
  await tab(page, "Run");
  await page.getByText("The run, step 1").waitFor();
  await tab(page, "Paths");
  assert.equal(await bar(page).innerText(), path);
  assert.ok((await marked(page)) > 0);
  // On request it goes along, and is then the graph's own.
  await page.getByRole("button", { name: "In the graph" }).click();
  assert.equal(await panel(page, "graph").locator(".canvas .edge.at").count(), 1);
  await page.getByRole("button", { name: "Leave the path" }).click();
  assert.equal(await panel(page, "graph").locator(".canvas .on-path").count(), 0);
  await tab(page, "Paths");
  assert.equal(await bar(page).innerText(), path);
  assert.deepEqual(errors, []);
  await context.close();
});

test("what is selected in one tab's graph is selected there alone", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await panel(page, "graph").locator("[data-edge].assume .label").first().click();
  assert.equal(await marked(page), 1);
  await tab(page, "Cover");
  await page.waitForFunction(() => document.querySelectorAll("#panel-cover [data-edge]").length > 10);
  assert.deepEqual([await panel(page, "cover").locator("[data-edge].selected").count(), await marked(page)], [0, 0]);
  await tab(page, "Graph");
  assert.deepEqual([await panel(page, "graph").locator("[data-edge].selected").count(), await marked(page)], [1, 1]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("Back and Forward go through the tabs, each as it was left; the program stays", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  const path = await chooseDrawn(page);
  await page.getByRole("button", { name: "In the graph" }).click();
  await tab(page, "Explain");
  await tab(page, "Explain");
  await page.goBack();
  await shows(page, "Graph");
  await page.goBack();
  await shows(page, "Paths");
  assert.equal(await bar(page).innerText(), path);
  await page.goForward();
  await shows(page, "Graph");
  // Another way from here on.
  await tab(page, "Cover");
  await page.goBack();
  await page.goBack();
  await shows(page, "Paths");
  await page.goBack();
  await shows(page, "Graph");
  await setProgram(page, LOOP);
  await page.waitForFunction(() => document.querySelectorAll("#panel-graph [data-edge]").length === 4);
  await page.goForward();
  await shows(page, "Paths");
  assert.match(await page.locator(".cm-content").textContent(), /int f\(int n\)/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("with a link in the address, Back is to the former tab, not to the link's program", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Paths");
  await counted(page);
  await page
    .getByRole("button", { name: /Copy link|More/ })
    .first()
    .click();
  await page.waitForFunction(() => location.hash !== "");
  await tab(page, "Cover");
  await setProgram(page, LOOP);
  await page.waitForFunction(() => location.hash === "");
  await page.goBack();
  await shows(page, "Paths");
  assert.equal(new URL(page.url()).hash, "");
  await idle(page);
  assert.match(await page.locator(".cm-content").textContent(), /int f\(int n\)/);
  assert.equal(await page.locator(".notice", { hasText: "Opened from a link" }).count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a reload keeps the tab, its settings, the path and the step", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  const path = await chooseDrawn(page);
  await page.reload();
  await page.locator(".path-bar").waitFor();
  assert.equal(await shown(page), "Paths");
  assert.equal(await bar(page).innerText(), path);
  assert.equal(await page.locator("ol.drawn > li.chosen").count(), 1);
  // The graph's copy of it, in a tab that was never shown since.
  await page.getByRole("button", { name: "In the graph" }).click();
  await page.reload();
  await page.locator(".path-bar").waitFor();
  assert.equal(await shown(page), "Graph");
  assert.equal(await bar(page).innerText(), path);
  assert.equal(await panel(page, "graph").locator(".canvas .edge.at").count(), 1);
  await page.goBack();
  await shows(page, "Paths");
  await page.locator("ol.drawn > li.chosen").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a reload keeps the step of the construction, the chosen vertex and the view", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Prune");
  const slider = page.getByLabel("Step of the construction");
  await slider.waitFor();
  await ready(page);
  await page.getByRole("button", { name: /^Red–black/ }).click();
  await slider.fill("60");
  await page.locator(".red-graph [data-slot].abstracted").first().dispatchEvent("click");
  const details = page.locator(".details", { hasText: "Red vertex" });
  const said = await details.first().textContent();
  await page.reload();
  await details.first().waitFor();
  assert.equal(await shown(page), "Prune");
  assert.equal(await slider.inputValue(), "60");
  assert.equal(await details.first().textContent(), said);
  assert.equal(await page.getByRole("button", { name: /^Red–black/ }).getAttribute("aria-pressed"), "true");
  assert.deepEqual(errors, []);
  await context.close();
});

test("a reload keeps the explained prefix, the statement that is looked at and the step of a run", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Explain");
  await page.locator(".prefixes li.chosen").waitFor();
  await ready(page);
  await page.locator(".prefixes li.reason button").first().click();
  await page.locator(".prefixes li button").nth(2).click();
  await page.waitForFunction(
    () => document.querySelector(".path-bar .where") && document.querySelector(".reason-pane[aria-busy=false] .verdict-line"),
  );
  await page.locator(".path-bar").getByRole("button", { name: "Step back" }).click();
  const explained = await bar(page).innerText();
  await tab(page, "Cover");
  await page.locator(".kind.tests li button").nth(1).waitFor();
  await page.locator(".kind.tests li button.row").nth(1).click();
  const covered = await bar(page).innerText();
  await tab(page, "Run");
  await page.getByText("The run, step 1").waitFor();
  await page.locator(".path-bar").getByRole("button", { name: "Step on" }).click();
  const ran = await bar(page).innerText();
  assert.match(ran, /step 2/);
  await page.reload();
  for (const [name, said] of [
    ["Run", ran],
    ["Cover", covered],
    ["Explain", explained],
  ]) {
    await tab(page, name);
    await page.waitForFunction((said) => document.querySelector(".path-bar .where")?.innerText === said, said);
  }
  assert.equal(await page.locator(".prefixes li.chosen [data-at='2']").count(), 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("after a reload with another program nothing of the former one is looked at", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await panel(page, "graph").locator("[data-edge].assume .label").first().click();
  await tab(page, "Paths");
  await page.evaluate((text) => addEventListener("pagehide", () => localStorage.setItem("culdesac.source", text)), LOOP);
  await page.reload();
  await shows(page, "Paths");
  await tab(page, "Graph");
  await page.waitForFunction(() => document.querySelectorAll("#panel-graph [data-edge]").length === 4);
  assert.equal(await panel(page, "graph").locator(".selected").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("on a phone the program is a tab, too, to which Back leads and which a reload keeps", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await drawn(page, 0);
  assert.equal(await shown(page), "Program");
  await tab(page, "Graph");
  await tab(page, "Paths");
  await page.reload();
  await shows(page, "Paths");
  await page.goBack();
  await shows(page, "Graph");
  await page.goBack();
  await shows(page, "Program");
  await page.goForward();
  await shows(page, "Graph");
  assert.deepEqual(errors, []);
  await context.close();
});

test("who is led to a tab to see something sees that, not what was looked at there before a reload", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Cover");
  await page.locator(".kind.tests li button.row").first().click();
  await bar(page).waitFor();
  await tab(page, "Graph");
  await page.reload();
  await page.locator(".answer .to-cover").first().click();
  await shows(page, "Cover");
  await page.locator(".kind.tests li button.row").first().waitFor();
  await ready(page);
  assert.equal(await bar(page).count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a link holds the path, the step and the line that are looked at", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  const path = await chooseDrawn(page);
  const link = await copiedBy(page, () => page.getByRole("button", { name: "Copy link", exact: true }).click());
  const second = await open(site, { hash: new URL(link).hash });
  await second.page.locator(".path-bar").waitFor();
  assert.equal(await shown(second.page), "Paths");
  assert.equal(await bar(second.page).innerText(), path);
  await second.page.locator(".cm-line", { hasText: "ia = ia + 1" }).first().click();
  await second.page.locator(".line-card").waitFor();
  const other = await copiedBy(second.page, () => second.page.getByRole("button", { name: "Copy link", exact: true }).click());
  const third = await open(site, { hash: new URL(other).hash });
  assert.match(await third.page.locator(".line-card").innerText(), /^Line 25/);
  for (const { errors, context } of [second, third]) {
    assert.deepEqual(errors, []);
    await context.close();
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("an example has a short link and an entry in the history; Back brings the former program", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await setProgram(page, LOOP);
  await page.waitForFunction(() => document.querySelectorAll("#panel-graph [data-edge]").length === 4);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-list button", { hasText: "Leap years" }).click();
  assert.equal(await page.evaluate(() => location.hash), "#leap_year.graph");
  await page.locator(".cm-line", { hasText: "days_in_february" }).first().waitFor();
  await page.goBack();
  await page.locator(".cm-line", { hasText: "int f(int n)" }).waitFor();
  assert.equal(await page.evaluate(() => location.hash), "");
  await page.goForward();
  await page.locator(".cm-line", { hasText: "days_in_february" }).first().waitFor();
  assert.equal(await page.evaluate(() => location.hash), "#leap_year.graph");
  const second = await open(site, { hash: "#tritype.graph" });
  await second.page.locator(".cm-line", { hasText: "tritype" }).first().waitFor();
  await shows(second.page, "Graph");
  assert.deepEqual(second.errors, []);
  await second.context.close();
  assert.deepEqual(errors, []);
  await context.close();
});
